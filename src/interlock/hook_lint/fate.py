"""What Claude Code does with the way a hook ends, and what the hook's author seems to have meant by it.

Most mistakes are a difference between the two. If that depends on values that are known
only at run time, the fate is `unknown`, and no check complains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct

from interlock.effect import effects_of
from interlock.event import EVENTS
from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Ending, HookProgram, OutputPart
from interlock.hooks.denial import said_no
from interlock.hosts.claude_code.outputs import OUTPUTS

__all__ = ["DENIALS", "EXIT_TWO_BLOCKS", "EXIT_TWO_IS_HEARD", "TOP_KEYS", "Fate", "answer_in", "fate_of", "says_no"]

Does: TypeAlias = Literal["denies", "asks", "allows", "defers", "nothing", "unknown"]

TOP_KEYS = frozenset({
    "continue", "suppressOutput", "stopReason", "decision", "reason", "systemMessage", "terminalSequence",
    "hookSpecificOutput", "async", "asyncTimeout", "metrics", "rewakeSummary",
})  # fmt: skip
# Words by which people mean a denial, at any key and at any level.
DENIALS = frozenset({
    "deny", "denied", "block", "blocked", "reject", "rejected", "refuse", "refused", "cancel", "forbid", "forbidden",
    "disallow", "stop", "abort", "no", "false",
})  # fmt: skip
_DECISION_KEYS = ("permissionDecision", "decision", "behavior", "action", "status", "result", "verdict", "outcome",
                  "permission")  # fmt: skip
_FLAGS_OF_NO = {"blocked": True, "block": True, "denied": True, "deny": True, "allow": False, "allowed": False,
                "approved": False, "approve": False, "permitted": False, "ok": False, "success": False}  # fmt: skip
# A prompt is answered by JSON alone; a tool that has run is not undone, but its model reads what is on stderr.
EXIT_TWO_BLOCKS = frozenset(name for name in EVENTS if "deny" in effects_of(name) and name != "PermissionRequest")
EXIT_TWO_IS_HEARD = frozenset({"PostToolUse", "PostToolUseFailure"})
_LONG_LINE = 300  # characters: rules that a model is told, in which some things are forbidden
_STOPS = frozenset({"Stop", "SubagentStop", "TeammateIdle", "TaskCompleted"})


class Fate(Struct, frozen=True, kw_only=True):
    """What becomes of the event. `invalid`: why the client drops the whole of the answer."""

    does: Does
    changes: bool = False
    invalid: str = ""


def answer_in(ending: Ending) -> OutputPart | None:
    """The JSON object that the client reads as the answer, if there is one and nothing else is on stdout."""
    said = [one for one in ending.on("stdout", "return") if one.value is not UNSET or one.text.strip()]
    return said[0] if len(said) == 1 and isinstance(said[0].value, dict) else None


def fate_of(event: str, ending: Ending, program: HookProgram) -> Fate:
    """What the client does with an event if the hook ends like this. The entry's `onFailure` is not considered."""
    exits_two = program.mode == "command" and ending.code == 2 and ending.how != "raise"
    if exits_two and event in EXIT_TWO_BLOCKS:
        return Fate(does="denies")
    answer = answer_in(ending)
    heard = ending.on("stdout", "return")
    if answer is None and any(one.value is UNKNOWN or one.text.strip(" …\n") == "" != one.text for one in heard):
        return Fate(does="unknown")
    if exits_two:
        return Fate(does="nothing")
    if program.mode == "permission":
        return Fate(does="denies" if ending.how == "raise" else "unknown")
    if answer is None or ending.how == "raise":
        unsure = ending.code is None and ending.how != "raise"
        return Fate(does="unknown" if unsure else "nothing")
    return _fate_of_answer(event, answer.value)


def _fate_of_answer(event: str, said: Mapping[str, Any]) -> Fate:
    if ANY_KEY in said or said.get("hookSpecificOutput") is UNKNOWN:
        return Fate(does="unknown")
    if said.get("async") is True:
        return Fate(does="nothing")
    decision, specific = said.get("decision"), said.get("hookSpecificOutput")
    if decision is UNKNOWN:
        return Fate(does="unknown")
    if decision not in (None, "approve", "block"):
        return Fate(does="nothing", invalid=f"`decision` is `{decision}`")
    if specific is not None and (why := _fault_of(event, specific)):
        return Fate(does="nothing", invalid=why)
    part = specific if isinstance(specific, dict) else {}
    if decision == "block" and "deny" in effects_of(event) and event != "PermissionRequest":
        return Fate(does="denies")
    if event == "PermissionRequest":
        behaviour = part.get("decision")
        word = behaviour.get("behavior") if isinstance(behaviour, dict) else behaviour
        return Fate(does=_does(word), changes=isinstance(behaviour, dict) and "updatedInput" in behaviour)
    word = part.get("permissionDecision", "allow" if decision == "approve" else None)
    found = Fate(does=_does(word), changes="updatedInput" in part)
    if found.does == "nothing" and event in _STOPS and said.get("continue") is False:
        return Fate(does="allows")  # it ends
    if found.does == "nothing" and said.get("continue") is False and event in ("UserPromptSubmit", "PostToolBatch"):
        return Fate(does="denies")
    return found


def _does(word: Any) -> Does:
    known: dict[Any, Does] = {"deny": "denies", "ask": "asks", "allow": "allows", "defer": "defers", None: "nothing"}
    return "unknown" if word is UNKNOWN else known.get(word, "nothing")


def _fault_of(event: str, specific: Any) -> str:
    """Why the client refuses a `hookSpecificOutput`; empty if it takes it."""
    if not isinstance(specific, dict):
        return "`hookSpecificOutput` is not an object"
    if ANY_KEY in specific:
        return ""
    named = specific.get("hookEventName")
    if named is None:
        return "`hookEventName` is missing"
    if named is not UNKNOWN and named != event and "…" not in str(named):
        return f"`hookEventName` is `{named}`"
    words = specific.get("permissionDecision")
    if words is not None and words is not UNKNOWN and words not in ("allow", "deny", "ask", "defer"):
        return f"`permissionDecision` is `{words}`"
    if event in OUTPUTS and event == "PermissionRequest":
        decision = specific.get("decision")
        word = decision.get("behavior") if isinstance(decision, dict) else decision
        if decision is not UNKNOWN and word is not UNKNOWN and not isinstance(decision, dict):
            return "`decision` is not an object"
        if word is not UNKNOWN and word not in ("allow", "deny"):
            return f"`behavior` is `{word}`"
    change = specific.get("updatedInput", {})
    return "" if change is UNKNOWN or isinstance(change, dict) else "`updatedInput` is not an object"


# --- what was meant --------------------------------------------------------------------------------------------


def says_no(ending: Ending) -> OutputPart | None:
    """The output that says that the call is refused, or None. An exit code alone says nothing."""
    for said in ending.said:
        if said.value is not UNSET and any(_is_no(part) for part in _objects(said.value)):
            return said
        text = said.text if said.value is UNSET else ""
        own = said.stream != "log" and max(map(len, text.split("\n"))) < _LONG_LINE
        if text and (found := said_no(text, own=own)) is not None and found.denies:
            return said
    return None


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from _objects(part)


def _is_no(said: Mapping[str, Any]) -> bool:
    words = [said.get(key) for key in _DECISION_KEYS]
    if any(isinstance(word, str) and word.lower() in DENIALS for word in words):
        return True
    return any(said.get(key) is meant for key, meant in _FLAGS_OF_NO.items())
