"""Where programs are described: the families of shipped descriptions, and the policies that apply here."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

import interlock
from interlock.cli.common import policies
from interlock.config.layers import Layer
from interlock.errors import Source
from interlock.facts.programs.lexicon import ProgramEntry, entries
from interlock.policy.expressions import Language
from interlock.policy.positions import read_yaml
from interlock.policy.programs.cases import ProgramCase, read_cases
from interlock.policy.programs.entries import Description
from interlock.policy.reader import Reader

__all__ = ["FAMILIES", "Family", "PolicyProgram", "families", "place_and_cases", "policy_programs"]

FAMILIES = Path(interlock.__file__).parent / "programs"


class Family(Struct, frozen=True):
    """The descriptions of one file."""

    name: str
    about: str
    entries: tuple[ProgramEntry, ...]

    @property
    def names(self) -> int:
        """How many names its programs have."""
        return sum(len(one.names.split()) for one in self.entries)

    @property
    def with_cases(self) -> int:
        """How many of its descriptions have cases."""
        return sum(one.cases > 0 for one in self.entries)


def families() -> list[Family]:
    """Every family, by its name."""
    found: dict[str, list[ProgramEntry]] = {}
    for one in entries():
        found.setdefault(one.family, []).append(one)
    return [Family(name, _about(name), tuple(listed)) for name, listed in sorted(found.items())]


def _about(family: str) -> str:
    """The comment at the top of a family's file."""
    lines = []
    for line in (FAMILIES / f"{family}.yaml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.strip("# "))
    return " ".join(lines).replace("- ", "-")  # of a name that was broken at its hyphen


def place_and_cases(entry: ProgramEntry) -> tuple[Source, tuple[ProgramCase, ...]]:
    """Where an entry is described, and its cases."""
    file = FAMILIES / f"{entry.family}.yaml"
    document = read_yaml(file.read_bytes(), str(file))
    reader = Reader(document.lines, Language({}, {}), {})
    for key, node in document.root.value.items():
        if key.split() == entry.names.split():
            cases = read_cases(reader, node.value["cases"]) if "cases" in node.value else ()
            return document.root.keys[key], cases
    return document.root.source, ()


class PolicyProgram(Struct, frozen=True):
    """A description in a policy that applies here. It is used only if the policy is trusted."""

    description: Description
    layer: Layer
    is_used: bool


def policy_programs(policy_file: Path | None) -> list[PolicyProgram]:
    """What the policies that apply here describe, each description once; the lowest layer first."""
    found: list[PolicyProgram] = []
    for layer in policies(policy_file):
        known = {id(one): one for one in layer.policy.programs.values()}
        found += [PolicyProgram(one, layer.layer, layer.trusted) for one in known.values()]
    return found
