"""Every field of a hook's answer: the events on which the client reads it, and what becomes of it here.

Most fields say what a verdict says too, and become a part of it. The others are carried: they reach the client as the
hook wrote them. A field that the client would not read is named to the person, never dropped in silence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.effect import CAN
from interlock.event import EVENTS, Event
from interlock.verdict import JsonObject, Loss, Opinion, Verdict

__all__ = ["CARRIED", "FIELDS", "Extras", "Field", "carry", "event_after_fields"]

Place: TypeAlias = Literal["top", "specific", "decision", "text"]  # `decision`: inside PermissionRequest's own
Several: TypeAlias = Literal["any", "chain", "each", "first", "last", "lines", "strictest"]
Needs: TypeAlias = Literal["allow", "interrupt", "no deny", "own result"]

_ALL = frozenset(EVENTS)
_ANSWERED = _ALL - {"WorktreeCreate"}  # which Interlock only ever refuses, by its exit code
_DENY = frozenset(name for name, event in CAN.items() if "deny" in event.effects)
_CONTEXT = frozenset(name for name, event in CAN.items() if "context" in event.effects)
_STOPS = frozenset(name for name, event in CAN.items() if event.ends_turn)
_PROMPTS = frozenset({"UserPromptSubmit", "UserPromptExpansion"})
_ELICITED = frozenset({"Elicitation", "ElicitationResult"})


class Field(Struct, frozen=True, kw_only=True):
    """One field, on the events on which it has the same meaning."""

    name: str
    events: frozenset[str]
    becomes: str  # a part of the verdict, `carried`, or why it is lost
    place: Place = "specific"
    several: Several | None = None  # how the values of several hooks become one, where it is carried
    needs: Needs | None = None  # the condition for carrying it

    @property
    def carried(self) -> bool:
        return self.becomes == "carried"


def _top(name: str, events: frozenset[str], becomes: str, several: Several | None = None) -> Field:
    return Field(name=name, events=events, becomes=becomes, place="top", several=several)


def _of(*events: str) -> frozenset[str]:
    return frozenset(events)


FIELDS: tuple[Field, ...] = (
    _top("continue", _STOPS, "interrupt"),
    _top("continue", _DENY - _STOPS, "deny"),
    _top("stopReason", _DENY - _STOPS - {"PreToolUse"}, "reason"),
    Field(
        name="stopReason",
        events=_STOPS | {"PreToolUse"},
        becomes="carried",
        place="top",
        several="lines",
        needs="interrupt",
    ),
    _top("decision", _DENY, "deny"),
    _top("decision", _CONTEXT - _DENY, "context"),
    _top("decision", _ALL - _CONTEXT - _DENY, "notice"),
    _top("reason", _ALL, "reason"),
    _top("systemMessage", _ALL, "notice"),
    _top("terminalSequence", _ANSWERED, "carried", "each"),
    _top("suppressOutput", _ANSWERED, "carried", "any"),
    _top("metrics", frozenset(), "the client reads it only from plugins"),
    _top("rewakeSummary", frozenset(), "the client reads it only from plugins"),
    Field(name="permissionDecision", events=_of("PreToolUse", "PreModelSwitch"), becomes="decision"),
    Field(name="permissionDecisionReason", events=_of("PreToolUse", "PreModelSwitch"), becomes="reason"),
    Field(name="updatedInput", events=_of("PreToolUse"), becomes="change"),
    Field(name="additionalContext", events=_CONTEXT | {"Notification"}, becomes="context"),
    Field(name="updatedToolOutput", events=_of("PostToolUse"), becomes="output"),
    Field(name="updatedMCPToolOutput", events=_of("PostToolUse"), becomes="output"),
    Field(name="classifierContext", events=_of("PostToolUse"), becomes="carried", several="lines", needs="own result"),
    Field(name="behavior", events=_of("PermissionRequest"), becomes="decision", place="decision"),
    Field(name="message", events=_of("PermissionRequest"), becomes="reason", place="decision"),
    Field(name="interrupt", events=_of("PermissionRequest"), becomes="interrupt", place="decision"),
    Field(name="updatedInput", events=_of("PermissionRequest"), becomes="change", place="decision"),
    Field(
        name="updatedPermissions",
        events=_of("PermissionRequest"),
        becomes="carried",
        place="decision",
        several="first",
        needs="allow",
    ),
    Field(name="retry", events=_of("PermissionDenied"), becomes="carried", several="any"),
    Field(name="sessionTitle", events=_of("UserPromptSubmit", "SessionStart"), becomes="carried", several="last"),
    Field(name="suppressOriginalPrompt", events=_PROMPTS, becomes="carried", several="any"),
    Field(name="initialUserMessage", events=_of("SessionStart"), becomes="carried", several="last"),
    Field(
        name="watchPaths", events=_of("SessionStart", "CwdChanged", "FileChanged"), becomes="carried", several="each"
    ),
    Field(name="reloadSkills", events=_of("SessionStart"), becomes="carried", several="any"),
    Field(name="action", events=_ELICITED, becomes="carried", several="strictest", needs="no deny"),
    Field(name="content", events=_ELICITED, becomes="carried", several="strictest", needs="no deny"),
    Field(name="displayContent", events=_of("MessageDisplay"), becomes="carried", several="chain"),
    Field(name="stdout", events=_of("PreCompact"), becomes="carried", place="text", several="lines", needs="no deny"),
    Field(name="worktreePath", events=frozenset(), becomes="Interlock never answers WorktreeCreate"),
)
CARRIED = {one.name: one for one in FIELDS if one.carried}

_MISSING: dict[Needs, str] = {
    "allow": "the call is not allowed, or not by this hook",
    "interrupt": "the turn is not ended",
    "no deny": "the event is denied",
    "own result": "the result is withheld, or another hook replaces it",
}
# What an answer to a server's question gives away, the most first.
_ACTIONS = ("accept", "cancel", "decline")


def _rank(answer: JsonObject) -> int:
    return _ACTIONS.index(answer["action"])


def _each(before: Any, after: Any) -> Any:
    return before + after if isinstance(before, str) else [*before, *(one for one in after if one not in before)]


# In the client, the hook that ends last wins, or the first one; here the order of the policy decides.
_COMBINED: dict[Several, Callable[[Any, Any], Any]] = {
    "any": lambda before, after: before or after,
    "each": _each,
    "lines": lambda before, after: f"{before}\n{after}",
    "first": lambda before, after: before,
    "last": lambda before, after: after,
    "chain": lambda before, after: after,  # made from the previous value
    "strictest": lambda before, after: after if _rank(after) >= _rank(before) else before,
}
_ONE_OF_SEVERAL: frozenset[Several] = frozenset({"first", "last", "strictest"})


# Fields that stand for one of the event itself: the next hook sees there what the one before it left, so that it
# cannot undo it without having seen it.
_LEFT_IN = {"displayContent": "delta", "sessionTitle": "session_title"}


def event_after_fields(carried: JsonObject, event: Event) -> Event:
    """The event as the next hook should see it."""
    new = {_LEFT_IN[name]: value for name, value in carried.items() if name in _LEFT_IN}
    if event.hook_event_name == "ElicitationResult":
        new |= {"content": None, **carried["action"]} if "action" in carried else {}
    return replace(event, **new) if new else event


class Extras(Struct, frozen=True):
    """What reaches the client beside the verdict, by place; the verdict names what does not."""

    verdict: Verdict
    top: JsonObject
    specific: JsonObject
    decision: JsonObject
    text: JsonObject


def carry(event_name: str, verdict: Verdict) -> Extras:
    """Combine, in order, what hooks want the client told beside their opinions."""
    values: JsonObject = {}
    givers: dict[str, str] = {}
    lost: list[Loss] = []
    notices: list[str] = []
    for opinion in verdict.opinions:
        for name, value in (opinion.carried or {}).items():
            why = _obstacle(name, event_name, opinion, verdict)
            # Nothing that a hook says is dropped silently: what cannot be carried is in the record.
            if why is not None:
                lost += _losses(name, value, opinion.by, f"dropped: {why}")
                continue
            several = CARRIED[name].several or "last"
            before, giver = values.get(name, value), givers.get(name, opinion.by)
            kept = values[name] = _COMBINED[several](before, value) if name in values else value
            givers[name] = giver if kept is before else opinion.by
            if several in _ONE_OF_SEVERAL and json.encode(before) != json.encode(value):
                dropped, by = (value, opinion.by) if kept is before else (before, giver)
                lost += _losses(name, dropped, by, f"that of {givers[name]}")
                notices.append(f"`{name}` of {by} is dropped, because {givers[name]} gives another one")
    if lost:
        verdict = replace(verdict, lowered=(*verdict.lowered, *lost), notices=(*verdict.notices, *notices))
    return Extras(verdict, *(_at(place, values) for place in ("top", "specific", "decision", "text")))


def _losses(name: str, value: Any, by: str, instead: str) -> list[Loss]:
    return [Loss(f"{one} of {by}", instead) for one in (value if name == "action" else (name,))]


def _at(place: str, values: JsonObject) -> JsonObject:
    found: JsonObject = {}
    for name, value in values.items():
        if CARRIED[name].place == place:
            # An answer to a server's question is one value: its action with its content.
            found |= value if name == "action" else {name: value}
    return found


def _obstacle(name: str, event_name: str, opinion: Opinion, verdict: Verdict) -> str | None:
    """Why a field cannot be carried, if it cannot."""
    field = CARRIED.get(name)
    if field is None or event_name not in field.events:
        return f"{event_name} has no such field"
    others = [one for one in verdict.opinions if one is not opinion]
    # A text about a result may quote what another hook removes from the result.
    needs = field.needs or ("own result" if event_name == "PostToolUse" and field.several != "any" else None)
    met = {
        None: True,
        # It widens what the client allows from now on, so it needs an allow that counts.
        "allow": verdict.decision == opinion.decision == "allow",
        "interrupt": verdict.interrupt,
        "no deny": verdict.decision != "deny",
        "own result": verdict.withheld is None and all(one.output is UNSET for one in others),
    }
    return None if needs is None or met[needs] else _MISSING[needs]
