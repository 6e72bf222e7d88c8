"""The rules of a project as the page lists them: each with its layer, its file, what it does, and whether it acts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from msgspec import Struct
from msgspec.structs import replace

from interlock.config.bundles import PACKS, core_policy, find_pack, load_file
from interlock.config.layers import Layer, candidates
from interlock.config.trust import Trust, without_trust
from interlock.errors import InterlockError
from interlock.files.marks import Marks, marks_of
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.judging.in_force import InForce, policies_in_force
from interlock.policy.load import Policy, load_policy
from interlock.policy.positions import read_yaml
from interlock.policy.rule import Rule
from interlock.policy.template import Text

__all__ = ["LAYERS", "RuleGroup", "RuleRow", "Rulebook", "rulebook_of", "source_lines"]

RuleState: TypeAlias = Literal["acts", "observes", "left out", "not trusted"]
JsonObject: TypeAlias = dict[str, Any]
LAYERS: dict[Layer, str] = {
    "local": "Only you, in this project",
    "project": "This project",
    "user": "All of your projects",
    "managed": "This machine",
    "core": "Built in",
    "given": "Named",
}
_EFFECTS = {"change": "change", "output": "change", "context": "tell", "notify": "tell", "set": "note"}
_MOST_LINES = 400  # of one rule that are shown
_MOST_KNOWN = 16
_known: dict[Path, tuple[tuple[str, ...], Marks, Rulebook]] = {}


class RuleRow(Struct, frozen=True, kw_only=True):
    """One rule."""

    id: str
    does: str  # its decision, or what it does instead of deciding
    says: str
    file: str
    line: int
    pack: str  # the pack it comes from; empty for a rule of the policy itself
    shipped: bool
    built_in: bool = False  # it is in no file that a person could open
    state: RuleState = "acts"
    policy: str = ""
    cases: int = 0

    @property
    def place(self) -> str:
        return "built in" if self.built_in else f"{self.file}:{self.line}"

    @property
    def short_place(self) -> str:
        """The file by its name alone, for a column of them."""
        return "built in" if self.built_in else f"{Path(self.file).name}:{self.line}"

    @property
    def short_id(self) -> str:
        return self.id.rpartition("/")[2]


class RuleGroup(Struct, frozen=True, kw_only=True):
    """The rules of one file, in one layer."""

    layer: Layer
    title: str
    file: str
    rows: tuple[RuleRow, ...]
    note: str = ""


class Rulebook(Struct, frozen=True, kw_only=True):
    """Every rule of a project, and what a person should know about its policies."""

    project: str
    groups: tuple[RuleGroup, ...] = ()
    notices: tuple[str, ...] = ()
    judges: tuple[Policy, ...] = ()  # that are in force

    @property
    def rows(self) -> list[RuleRow]:
        return [row for group in self.groups for row in group.rows]

    @property
    def is_bare(self) -> bool:
        """Whether nothing is in force but the built-in rules."""
        return all(group.layer == "core" for group in self.groups)

    def named(self, rule: str) -> list[RuleRow]:
        """The rules of this name: two policies may use the same pack."""
        return [row for row in self.rows if row.id == rule]


def rulebook_of(project: Path) -> Rulebook:
    """The rules of a project, read again if one of the files behind them has changed."""
    known = _known.get(project)
    if known is not None and marks_of(known[0]) == known[1]:
        return known[2]
    book, depends = _read_rulebook(project)
    _known.pop(project, None)
    if depends:
        _known[project] = depends, marks_of(depends), book
        while len(_known) > _MOST_KNOWN:
            _known.pop(next(iter(_known)), None)
    return book


def _read_rulebook(project: Path) -> tuple[Rulebook, tuple[str, ...]]:
    """The rules of a project. A broken policy is a notice, since the page must say so and go on."""
    groups: dict[tuple[str, str], RuleGroup] = {}
    try:
        force = policies_in_force(project, remember=False)
    except InterlockError as error:
        why = f"Only reading is allowed until this is corrected: {error.in_one_line()}"
        force = InForce((core_policy(),), (why,))
    judges = (*force.policies, *built_in_policies(force.policies, force.depends))
    layers = {str(file): layer for layer, file in candidates(project)}
    for policy in judges:
        _gather(groups, layers.get(policy.file, "core"), policy, _rows(policy))
    trust = Trust()
    for layer, file in candidates(project):
        _gather_inactive(groups, layer, file, trust)
    order = list(LAYERS)
    listed = sorted(groups.values(), key=lambda group: (order.index(group.layer), group.title.startswith("Pack")))
    return Rulebook(project=str(project), groups=tuple(listed), notices=force.notices, judges=judges), force.depends


def _gather(groups: dict[tuple[str, str], RuleGroup], layer: Layer, policy: Policy, rows: Sequence[RuleRow]) -> None:
    """Put rows into the groups of their files, each rule once: two versions of a policy may both be in force."""
    for row in rows:
        key = layer, "" if layer == "core" else row.file
        group = groups.get(key)
        if group is None:
            group = groups[key] = RuleGroup(layer=layer, title=_title(layer, row, policy), file=row.file, rows=())
        if all((known.id, known.line) != (row.id, row.line) for known in group.rows):
            groups[key] = replace(group, rows=(*group.rows, row))


def _gather_inactive(groups: dict[tuple[str, str], RuleGroup], layer: Layer, file: Path, trust: Trust) -> None:
    """The rules of a file that are there and do not act: left out of a pack, or not trusted."""
    if not file.is_file():
        return
    try:
        policy = load_file(file)
        trusted = layer in ("user", "managed") or trust.holds(file)
    except InterlockError:
        return  # that it is broken is one of the notices
    _gather(groups, layer, policy, _rows_left_out(policy))
    if not trusted:
        acting = {(rule.id, rule.source.line) for rule, _ in without_trust(policy).rules if _does(rule) != "nothing"}
        waiting = [row for row in _rows(policy) if (row.id, row.line) not in acting]
        _gather(groups, layer, policy, [replace(row, state="not trusted") for row in waiting])


def _rows(policy: Policy) -> list[RuleRow]:
    return [_row(rule, policy) for rule, _ in policy.rules]


def _row(rule: Rule, policy: Policy) -> RuleRow:
    own = rule.source.file == policy.file
    return RuleRow(
        id=rule.id,
        does=_does(rule),
        says=rule.about or _text(rule.reason) or _text(rule.context) or _text(rule.notify),
        file=rule.source.file,
        line=rule.source.line,
        pack="" if own else Path(rule.source.file).stem,
        shipped=Path(rule.source.file).is_relative_to(PACKS),
        built_in=" (own " in rule.source.file,
        state="observes" if rule.observe or policy.observe else "acts",
        policy=policy.file,
        cases=len(rule.cases),
    )


def _does(rule: Rule) -> str:
    if rule.decision is not None:
        return rule.decision
    return next((word for part, word in _EFFECTS.items() if getattr(rule, part) is not None), "nothing")


def _text(text: Text | None) -> str:
    if text is None:
        return ""
    return "".join(part if isinstance(part, str) else f"${{{part.text}}}" for part in text.parts)


def _title(layer: Layer, row: RuleRow, policy: Policy) -> str:
    if row.built_in or layer == "core":
        return "Built in"
    if row.pack:
        return f"Pack {row.pack}"
    return LAYERS[layer]


# --- what a policy leaves out -----------------------------------------------------------------------------------


def _rows_left_out(policy: Policy) -> list[RuleRow]:
    """The rules that `without` takes out of a policy's packs."""
    whole = _with_everything(policy.file, "\n".join(policy.lines), policy.digest)
    if whole is None:
        return []
    kept = {(rule.id, rule.source) for rule, _ in policy.rules}
    left = [rule for rule, _ in whole.rules if (rule.id, rule.source) not in kept and rule.source.file != policy.file]
    return [replace(_row(rule, policy), state="left out") for rule in left]


@lru_cache(maxsize=64)
def _with_everything(file: str, text: str, digest: str) -> Policy | None:
    """The policy as it would be without any `without`. The digest stands for the packs' texts."""
    try:
        document = read_yaml(text, file).root.plain()
        packs = document.get("packs") if isinstance(document, dict) else None
        if not isinstance(packs, list) or not any(isinstance(one, dict) and one.get("without") for one in packs):
            return None
        whole = [_without_without(one) for one in packs]
        # Own rules may ask about rules that are left out, and may have their names; here only the packs matter.
        parts = {key: value for key, value in document.items() if key in ("version", "let", "state", "tools")}
        return load_policy(yaml.safe_dump({**parts, "packs": whole}), file, find_pack)
    except InterlockError:
        return None


def _without_without(pack: Any) -> Any:
    return {key: value for key, value in pack.items() if key != "without"} if isinstance(pack, dict) else pack


# --- the text of one rule ---------------------------------------------------------------------------------------


def source_lines(row: RuleRow, judges: Sequence[Policy]) -> list[tuple[int, str]]:
    """The lines of a rule with their numbers, as they are in force; nothing for a rule that is in no file."""
    if row.built_in:
        return []
    text = next((policy.lines for policy in judges if policy.file == row.file and policy.lines), None)
    if text is None:
        try:
            text = tuple(Path(row.file).read_text(encoding="utf-8", errors="replace").splitlines())
        except OSError:
            return []
    return list(_lines_of_rule(text, row.line))


def _lines_of_rule(text: Sequence[str], first: int) -> Iterator[tuple[int, str]]:
    """The line on which a rule begins, and those that are indented further."""
    if not 0 < first <= len(text):
        return
    depth = _depth(text[first - 1])
    last = first
    for number in range(first + 1, min(len(text), first + _MOST_LINES) + 1):
        line = text[number - 1]
        if line.strip() and not line.lstrip().startswith("#"):
            if _depth(line) <= depth:
                break
            last = number
    yield from ((number, text[number - 1]) for number in range(first, last + 1))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
