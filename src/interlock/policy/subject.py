"""What one call is about, as a person and a grant see it: what it runs, touches and reaches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.facts.paths import UNKNOWN, visible_path
from interlock.facts.shapes import shape_of_call
from interlock.policy.moment import Moment
from interlock.verdict import Opinion, Verdict

__all__ = ["Subject", "join_subjects", "key_of", "subject_of"]

JsonObject: TypeAlias = dict[str, Any]
_MOST = 50  # of each kind that a person is shown; the key covers all of them
# Fields that only describe a call to people. Nothing else is left out: a tool may act on anything.
_DESCRIBES = {"Bash": frozenset({"description"}), "PowerShell": frozenset({"description"})}


class Subject(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a call runs, touches and reaches, in the words of its facts."""

    shape: str = ""
    commands: tuple[str, ...] = ()
    does: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    runs: tuple[tuple[str, str], ...] = ()  # files that it runs, each with the digest of its text; empty if unread

    def to_show(self) -> JsonObject:
        """What a person is shown of it: not more than they can read."""
        found: JsonObject = {}
        for name in ("commands", "does", "reads", "writes", "creates", "deletes", "sends", "hosts"):
            values = getattr(self, name)
            if values:
                found[name] = [*values[:_MOST], *([f"… {len(values) - _MOST} more"] if len(values) > _MOST else [])]
        if self.runs:
            found["runs"] = [file for file, _ in self.runs[:_MOST]]
        return found


def subject_of(moment: Moment, reason: str = "") -> Subject:
    """The subject of the call at this moment."""
    facts = moment.facts
    paths = facts.all_paths

    def paths_to(how: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(visible_path(one.path) for one in paths if getattr(one, how)))

    world = moment.situation.world
    files = dict.fromkeys(one.file for one in facts.ran)
    return Subject(
        shape=shape_of_call(moment.tool, moment.given, reason),
        commands=tuple(dict.fromkeys(_visible(one.words) for one in facts.all_commands if one.program)),
        does=tuple(sorted({trait for one in facts.all_commands for trait in one.use.traits})),
        reads=paths_to("read"),
        writes=paths_to("write"),
        creates=paths_to("create"),
        deletes=paths_to("delete"),
        sends=paths_to("send"),
        hosts=tuple(dict.fromkeys(_visible(one.host) for one in facts.all_urls if one.host)),
        runs=tuple((file, _digest(world.read(file))) for file in files),
    )


def join_subjects(whole: Subject, parts: Iterable[Subject]) -> Subject:
    """What a call that does several things is about: everything that its parts are about."""
    found: dict[str, list[Any]] = {}
    for part in parts:
        for name in Subject.__struct_fields__:
            if name != "shape":
                found.setdefault(name, []).extend(getattr(part, name))
    return replace(whole, **{name: tuple(dict.fromkeys(values)) for name, values in found.items()})


def key_of(moment: Moment, subject: Subject, verdict: Verdict) -> str:
    """What exactly a yes is for: another call with the same key would be asked about for the same reasons.

    Whatever the call does must be in it. Files that the call runs count by their content, because most commands that
    are repeated run files that changed in between; a file that could not be read makes the key of no use a second time.
    """
    event = moment.event
    hidden = _DESCRIBES.get(moment.tool, frozenset())
    acting = {name: value for name, value in verdict.input.items() if name not in hidden}
    asking = [(one.policy, one.by, one.reason) for one in verdict.opinions if _asks(one)]
    whole = (event.session_id, event.agent_id or "", event.cwd, moment.tool, acting, subject, asking)
    return hashlib.sha256(json.encode(whole, order="sorted")).hexdigest()


def _asks(opinion: Opinion) -> bool:
    return opinion.decision == "ask"


def _digest(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _visible(text: str) -> str:
    return text.replace(UNKNOWN, "…") if UNKNOWN in text else text
