"""Where policies are, which layer they are, and what is trusted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.policy.load import Policy, load_policy
from interlock.policy.rule import Rule
from interlock.source import InterlockError, did_you_mean

__all__ = [
    "LOCAL_NAME",
    "POLICY_NAME",
    "Layer",
    "Layered",
    "Trust",
    "candidates",
    "core_policy",
    "find_pack",
    "layers_of",
    "load_file",
    "project_root",
    "state_folder",
    "without_trust",
]

Layer: TypeAlias = Literal["core", "managed", "user", "project", "local", "given"]
POLICY_NAME = "interlock.yaml"
LOCAL_NAME = "interlock.local.yaml"
MANAGED = Path("/etc/interlock/policy.yaml")
_PACKS = Path(__file__).parent / "packs"


class Layered(Struct, frozen=True):
    """A policy with the layer it stands in."""

    layer: Layer
    policy: Policy
    trusted: bool

    @property
    def in_force(self) -> Policy:
        """What of it acts: before a person has trusted it, deny and ask only."""
        return self.policy if self.trusted else without_trust(self.policy)


def state_folder() -> Path:
    """Where records, state and trust are kept. Not taken from the environment: a project's settings can set that."""
    return Path.home() / ".local" / "state" / "interlock"


def user_policy() -> Path:
    return Path.home() / ".config" / "interlock" / "policy.yaml"


def project_root(start: Path) -> Path:
    """The nearest folder above `start` that holds a policy, else that holds a repository, else `start` itself."""
    start = start.resolve()
    for mark in (POLICY_NAME, ".git"):
        for folder in (start, *start.parents):
            if (folder / mark).exists():
                return folder
    return start


def find_pack(name: str, used_in: str) -> tuple[str, bytes]:
    """A pack's file and text: shipped by name, or a file beside the policy that uses it."""
    if name.startswith(("./", "../", "/")):
        file = (Path(used_in).parent / name).resolve()
    else:
        file = _PACKS / f"{name}.yaml"
        if not file.is_file():
            known = sorted(path.stem for path in _PACKS.glob("*.yaml"))
            raise InterlockError(
                f"there is no pack `{name}`", help=did_you_mean(name, known, f"packs: {', '.join(known)}")
            )
    try:
        return str(file), file.read_bytes()
    except OSError as error:
        raise InterlockError(f"cannot read the pack `{file}`: {error.strerror}") from error


def load_file(file: Path) -> Policy:
    """The policy in a file. Raises InterlockError with every error of it."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise InterlockError(f"cannot read `{file}`: {error.strerror}") from error
    return load_policy(text, str(file), find_pack)


def candidates(project: Path) -> tuple[tuple[Layer, Path], ...]:
    """Where the policies of a project may be, the lowest layer first."""
    return (
        ("local", project / LOCAL_NAME),
        ("project", project / POLICY_NAME),
        ("user", user_policy()),
        ("managed", MANAGED),
    )


def core_policy() -> Policy:
    """The built-in rules that always hold."""
    return load_file(_PACKS / "core.yaml")


def layers_of(project: Path, given: Path | None = None) -> Iterator[Layered]:
    """The policies that hold in a project, the lowest layer first. One named by a person stands alone beside `core`."""
    if given is not None:
        yield Layered("given", load_file(given), trusted=True)
    else:
        trust = Trust()
        for layer, file in candidates(project):
            if file.is_file():
                yield Layered(layer, load_file(file), trusted=layer in ("user", "managed") or trust.holds(file))
    yield Layered("core", core_policy(), trusted=True)


def without_trust(policy: Policy) -> Policy:
    """What a policy may contribute before a person has trusted it: deny and ask, no allow, no code."""
    rules = tuple((kept, language) for rule, language in policy.rules if (kept := _restricting(rule)) is not None)
    return replace(policy, rules=rules, tools={}, hook_files=(), externals=(), brief=False)


def _restricting(rule: Rule) -> Rule | None:
    """A rule without what needs trust; one that is left with nothing still marks, for those that count it."""
    if rule.decision in ("allow", "defer") or rule.run is not None:
        return None
    bare = replace(rule, change=None, quiet=None, output=None, set=None, context=None, notify=None)
    return replace(bare, on_error="deny")


class Trust:
    """Which versions of which policy files a person has trusted, by content."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_folder() / "trusted"

    def holds(self, file: Path) -> bool:
        """Whether the file, with all it brings in, is as it was when it was trusted."""
        kept = self._kept(file)
        try:
            return kept.is_file() and kept.read_bytes() == self.content_of(file)
        except OSError:
            return False

    def add(self, file: Path) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = self._kept(file)
        new = kept.with_suffix(".new")
        new.write_bytes(self.content_of(file))
        new.replace(kept)

    def before(self, file: Path) -> str:
        """What was trusted last, or nothing."""
        kept = self._kept(file)
        return kept.read_text(encoding="utf-8", errors="replace") if kept.is_file() else ""

    def content_of(self, file: Path) -> bytes:
        """The file and everything it names that acts: its own packs and hook files."""
        parts = [file.read_bytes()]
        policy = load_file(file)
        named = [Path(policy.file).parent / hook for hook, _ in policy.hook_files]
        named += sorted({Path(rule.source.file) for rule, _ in policy.rules} - {file}, key=str)
        for other in named:
            if other.is_relative_to(_PACKS):
                continue
            body = other.read_bytes() if other.is_file() else b"(missing)"
            parts.append(b"\n# --- " + str(other).encode() + b"\n" + body)
        return b"".join(parts)

    def _kept(self, file: Path) -> Path:
        return self._folder / f"{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:32]}.txt"
