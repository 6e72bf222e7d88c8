"""Which policies hold for a session: its root kept, the last good version in force where a file broke."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.config import Layer, Trust, candidates, core_policy, find_pack, state_folder, without_trust
from interlock.event import ToolEvent
from interlock.facts.tools import kind_of
from interlock.hooks.run import Asked
from interlock.policy.load import Policy, load_policy
from interlock.source import InterlockError
from interlock.verdict import Answers, Opinion, Round, failure

__all__ = ["Broken", "InForce", "Pause", "forget", "pinned_root", "policies_in_force"]


class InForce(Struct, frozen=True):
    """The policies that act, the lowest layer first, and what a person should know about them."""

    policies: tuple[Policy, ...]
    notices: tuple[str, ...] = ()


def pinned_root(session: str, found: Path, folder: Path | None = None) -> Path:
    """The session's policy root: the one of its first event, whatever the agent has moved to since."""
    kept = (folder or state_folder() / "sessions") / hashlib.sha256(session.encode()).hexdigest()[:32]
    try:
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Path(kept.read_text(encoding="utf-8"))
    except OSError as error:
        raise InterlockError(f"cannot keep the session's root in `{kept}`: {error.strerror}") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(str(found))
    return found


def policies_in_force(project: Path, folder: Path | None = None) -> InForce:
    """What holds in a project now. Raises InterlockError where a file is broken and no good version of it is known."""
    standing = _Standing(folder or state_folder() / "standing")
    trust = Trust()
    acting: list[Policy] = []
    notices: list[str] = []
    for layer, file in candidates(project):
        for policy, notice in _of_layer(layer, file, standing, trust):
            acting.append(policy)
            notices += [notice] if notice else []
    return InForce((*acting, core_policy()), tuple(notices))


def _of_layer(layer: Layer, file: Path, standing: _Standing, trust: Trust) -> list[tuple[Policy, str]]:
    before = standing.policy(file)
    if not file.is_file():
        if before is None:
            return []
        return [(before, f"{file} is gone; its last good version is in force (`interlock trust --forget` drops it)")]
    try:
        text = file.read_bytes()
        policy = load_policy(text, str(file), find_pack)
        trusted = layer in ("user", "managed") or trust.holds(file)
    except (InterlockError, OSError) as error:
        if before is None:
            raise
        where = error.in_one_line() if isinstance(error, InterlockError) else str(error)
        return [(before, f"{file} is broken ({where}); its last good version is in force. Run `interlock check`.")]
    if trusted:
        standing.keep(file, text)
        return [(policy, "")]
    restricted = without_trust(policy)
    if before is None:
        return [(restricted, "")]
    # It may tighten at once; what it would loosen waits for a person.
    return [
        (before, ""),
        (restricted, f"{file} changed; until `interlock trust` only what it adds to deny and ask holds"),
    ]


class _Standing:
    """The last good text of each policy file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def policy(self, file: Path) -> Policy | None:
        kept = self._kept(file)
        if not kept.is_file():
            return None
        try:
            return load_policy(kept.read_bytes(), str(file), find_pack)
        except InterlockError:
            return None

    def keep(self, file: Path, text: bytes) -> None:
        kept = self._kept(file)
        if kept.is_file() and kept.read_bytes() == text:
            return
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = kept.with_suffix(f".{os.getpid()}")
        new.write_bytes(text)
        new.replace(kept)

    def forget(self, file: Path) -> None:
        self._kept(file).unlink(missing_ok=True)

    def _kept(self, file: Path) -> Path:
        return self._folder / f"{hashlib.sha256(str(file.absolute()).encode()).hexdigest()[:32]}.yaml"


def forget(file: Path) -> None:
    """Let a policy file that is gone be gone."""
    _Standing(state_folder() / "standing").forget(file)


class Broken:
    """What holds when no good policy is to be had: only looking."""

    def __init__(self, error: InterlockError) -> None:
        self._why = f"the policy is broken: {error.in_one_line()}. Run `interlock check`."

    def ask(self, asked: Asked, round_: Round) -> Answers:
        event = asked.event
        if isinstance(event, ToolEvent) and kind_of(event.tool_name) == "read":
            return {}
        return {0: (failure(event.hook_event_name, "interlock", self._why),)}


class Pause(Struct):
    """A person's way out: until when everything passes."""

    until: float
    by: str

    @staticmethod
    def file() -> Path:
        return state_folder() / "pause.json"

    @classmethod
    def now(cls) -> Pause | None:
        """The pause that holds now, if any. One that cannot be read is none."""
        try:
            found = json.decode(cls.file().read_bytes(), type=cls)
        except (OSError, DecodeError):
            return None
        return found if found.until > time.time() else None

    def start(self) -> None:
        self.file().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.file().write_bytes(json.encode(self))

    @classmethod
    def end(cls) -> None:
        cls.file().unlink(missing_ok=True)

    def ask(self, asked: Asked, round_: Round) -> Answers:
        left = max(1, round((self.until - time.time()) / 60))
        return {0: (Opinion(by="pause", notice=f"Interlock is paused by {self.by} for {left} more minutes."),)}
