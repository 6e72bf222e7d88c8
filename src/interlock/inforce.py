"""Which policies hold for a session: its root kept, the last good version in force where a file broke."""

from __future__ import annotations

import hashlib
import os
import secrets
import shlex
import shutil
import time
from pathlib import Path

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace

from interlock.config import Bundle, Layer, Trust, bundle_of, candidates, core_policy, state_folder, without_trust
from interlock.event import PostToolBatch, ToolEvent
from interlock.facts.tools import kind_of
from interlock.fold import Answers, Round
from interlock.hooks.run import Asked
from interlock.policy.load import Policy
from interlock.private import private_folder
from interlock.source import InterlockError
from interlock.verdict import Opinion, failure

__all__ = [
    "Broken",
    "InForce",
    "Pause",
    "Unkept",
    "earlier_versions",
    "forget",
    "forget_command",
    "kept_root",
    "pinned_root",
    "policies_in_force",
]


LONGEST_PAUSE = 8 * 3600.0
_OTHERS_WRITE = 0o022


class InForce(Struct, frozen=True):
    """The policies that act, the lowest layer first, and what a person should know about them."""

    policies: tuple[Policy, ...]
    notices: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()  # every file it was read from, those looked for in vain too


def kept_root(session: str, folder: Path | None = None) -> Path | None:
    """The session's policy root, if an earlier event has fixed it."""
    kept = _root_file(session, folder)
    try:
        root = kept.read_text(encoding="utf-8") if kept.is_file() else ""
    except OSError as error:
        raise InterlockError(f"cannot read the session's root in `{kept}`: {error.strerror}") from error
    return Path(root) if root else None


def _root_file(session: str, folder: Path | None) -> Path:
    return (folder or state_folder() / "sessions") / hashlib.sha256(session.encode()).hexdigest()[:32]


def pinned_root(session: str, found: Path, folder: Path | None = None) -> Path:
    """The session's policy root: the one of its first event, whatever the agent has moved to since."""
    kept = _root_file(session, folder)
    new = kept.with_suffix(f".{secrets.token_hex(8)}")
    try:
        if kept.is_file() and (root := kept.read_text(encoding="utf-8")):
            return Path(root)
        private_folder(kept.parent)
        new.write_text(str(found), encoding="utf-8")
        try:
            os.link(new, kept)  # whole or not at all, and only the first
        except FileExistsError:
            if not kept.read_text(encoding="utf-8"):
                new.replace(kept)
            return Path(kept.read_text(encoding="utf-8"))
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise InterlockError(f"cannot keep the session's root in `{kept}`: {error.strerror}") from error
    return found


def policies_in_force(project: Path, *, remember: bool = True) -> InForce:
    """What holds in a project now. Raises InterlockError where a file is broken and no good version of it is known.

    `remember` keeps what is met for the first time; one who only looks leaves no trace.
    """
    acting: list[Policy] = []
    notices: list[str] = []
    depends: list[str] = []
    for layer, file in candidates(project):
        for policy, notice in _of_layer(layer, file, remember, depends):
            acting.append(policy)
            notices += [notice] if notice else []
    return InForce((*acting, core_policy()), tuple(notices), tuple(depends))


def _of_layer(layer: Layer, file: Path, remember: bool, depends: list[str]) -> list[tuple[Policy, str]]:
    trust, seen = Trust(), _Seen(file)
    depends += [str(file), str(trust.place(file)), str(seen.folder)]
    good = trust.kept(file)
    before = seen.all() if good is None else []
    if not file.is_file():
        why = f"{file} is gone; its last good version is in force (`{forget_command(layer, file)}` drops it)"
        return _kept(good, before, why)
    try:
        now = bundle_of(file)
    except InterlockError as error:
        why = f"{file} is broken ({error.in_one_line()}); its last good version is in force. Run `interlock check`."
        kept = _kept(good, before, why)
        if not kept:
            raise
        return kept
    depends += now.files
    if layer in ("user", "managed"):
        if remember:
            trust.keep(now)
        return [(now.policy(), "")]
    if good == now:
        return [(now.policy(), "")]
    others = [one for one in before if one != now]
    if remember and good is None and len(others) == len(before):
        seen.keep(now)
    # It may tighten at once; what it would loosen waits for a person.
    changed = good is not None or bool(others)
    notice = f"{file} changed; until `interlock trust` only what it adds to deny and ask holds" if changed else ""
    return [*_kept(good, others, ""), (without_trust(now.policy()), notice)]


def _kept(good: Bundle | None, before: list[Bundle], notice: str) -> list[tuple[Policy, str]]:
    """What holds of earlier versions: the one that was trusted, else deny and ask of every one that was met."""
    if good is not None:
        return [(_with_kept_hooks(good), notice)]
    return [(without_trust(one.policy()), notice if place == 0 else "") for place, one in enumerate(before)]


def _with_kept_hooks(bundle: Bundle) -> Policy:
    """The trusted policy with its hook files as they were trusted, laid down beside each other."""
    policy = bundle.policy()
    folder = state_folder() / "hooks" / hashlib.sha256(json.encode(bundle)).hexdigest()[:32]
    laid = []
    for hook, source in policy.hook_files:
        body = bundle.files[str((Path(bundle.file).parent / hook).resolve())]
        copy = folder / Path(hook).name
        private_folder(folder)
        if not copy.is_file() or copy.read_bytes() != body:
            copy.write_bytes(body)
        laid.append((str(copy), source))
    return replace(policy, hook_files=tuple(laid))


class _Seen:
    """Versions of a policy file that were met and never trusted: kept, so that they cannot be loosened in silence."""

    def __init__(self, file: Path) -> None:
        name = hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:32]
        self.folder = state_folder() / "seen" / name

    def all(self) -> list[Bundle]:
        try:
            return [json.decode(kept.read_bytes(), type=Bundle) for kept in sorted(self.folder.glob("*.json"))]
        except (OSError, DecodeError) as error:
            raise InterlockError(f"cannot read what was met before in `{self.folder}`: {error}") from error

    def keep(self, bundle: Bundle) -> None:
        text = json.encode(bundle)
        place = self.folder / f"{time.time_ns():020}-{hashlib.sha256(text).hexdigest()[:16]}.json"
        try:
            private_folder(self.folder)
            new = place.with_suffix(f".{secrets.token_hex(8)}")
            new.write_bytes(text)
            new.replace(place)
        except OSError as error:
            raise InterlockError(f"cannot keep what was met in `{place}`: {error.strerror}") from error

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def earlier_versions(file: Path) -> list[Bundle]:
    """What is kept of a policy file and would hold if the file were gone: the trusted version, else those met."""
    good = Trust().kept(file)
    return [good] if good is not None else _Seen(file).all()


def forget(file: Path) -> None:
    """Drop what is kept of one policy file, and of no other."""
    Trust().forget(file)
    _Seen(file).forget()


def forget_command(layer: Layer, file: Path) -> str:
    """What a person types to drop what is kept of a policy file that is gone, in whatever folder they are."""
    return "interlock trust --forget " + ("--user" if layer == "user" else shlex.quote(str(file)))


class Broken:
    """What holds when no good policy is to be had: only looking."""

    def __init__(self, error: InterlockError) -> None:
        self._why = f"the policy is broken: {error.in_one_line()}. Run `interlock check`."

    def ask(self, asked: Asked, round_: Round) -> Answers:
        event = asked.event
        if isinstance(event, ToolEvent) and kind_of(event.tool_name) == "read":
            return {}
        if isinstance(event, PostToolBatch):
            return {}  # what was denied did not run, and to end the turn would keep the reason from the model
        return {0: (failure(event.hook_event_name, "interlock", self._why),)}


class Unkept:
    """What holds when nothing can be remembered or recorded: every event goes its safe way."""

    def __init__(self, error: InterlockError) -> None:
        self._error = error

    def ask(self, asked: Asked, round_: Round) -> Answers:
        raise self._error


class Pause(Struct):
    """A person's way out: until when everything passes."""

    until: float
    by: str

    @staticmethod
    def file() -> Path:
        return state_folder() / "pause.json"

    @classmethod
    def now(cls) -> Pause | None:
        """The pause that holds now, if any. One that cannot be read, or that a person did not start, is none."""
        try:
            with cls.file().open("rb") as file:
                about = os.fstat(file.fileno())
                if about.st_uid not in (os.getuid(), 0) or about.st_mode & _OTHERS_WRITE:
                    return None
                found = json.decode(file.read(), type=cls)
        except (OSError, DecodeError):
            return None
        return found if 0 < found.until - time.time() <= LONGEST_PAUSE else None

    def start(self) -> None:
        private_folder(self.file().parent)
        self.file().write_bytes(json.encode(self))
        self.file().chmod(0o600)

    @classmethod
    def end(cls) -> None:
        cls.file().unlink(missing_ok=True)

    def ask(self, asked: Asked, round_: Round) -> Answers:
        left = max(1, round((self.until - time.time()) / 60))
        return {0: (Opinion(by="pause", notice=f"Interlock is paused by {self.by} for {left} more minutes."),)}
