"""The flat dialect: `decision`, `message`, `blocked`, `system_prompt`, `updated_input`, all five, always.

If `decision` is present, it counts. Otherwise `blocked` decides: true denies, false means no objection, which is not
the same as an allow that skips the host's own prompt. A payload need not name its call: without a `tool_use_id`, no
event is taken for a repeated one, and a result sets nothing.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, ValidationError, convert
from msgspec.json import Encoder
from msgspec.structs import replace

from interlock.effect import Effect, effects_of
from interlock.errors import suggest
from interlock.event import Event
from interlock.hosts.base.decode import decode_without_id
from interlock.hosts.base.lower import lower
from interlock.hosts.base.reading import HookMistake, Mistake, Output, Reading, closest_decision, document_in, refuse
from interlock.hosts.base.reply import Reply, restore_decision
from interlock.hosts.base.strict import Strict
from interlock.verdict import Loss, Opinion, Verdict, combine, failure

__all__ = ["TITLE", "HookResult", "decode", "encode", "fail", "honours", "read", "restore"]

restore = restore_decision

TITLE = "The host"
BLOCK_EXIT = 2
_DECISIONS = ["allow", "deny", "ask"]

_to_json = Encoder().encode


class HookResult(Strict, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One answer; all of its keys are written, in this order."""

    decision: Literal["allow", "deny", "ask"] | None = None
    message: str | None = None
    blocked: bool = False
    system_prompt: str | None = None
    updated_input: dict[str, Any] | None = None


def decode(raw: bytes) -> Event:
    """The event in `raw`. These hosts need not name their calls."""
    return decode_without_id(raw)


def honours(event_name: str) -> frozenset[Effect]:
    """What a flat host does: decide and change calls before they run, stop what can be stopped, add context."""
    if event_name == "PreToolUse":
        return frozenset({"allow", "ask", "deny", "change", "context"})
    return (effects_of(event_name) & {"deny"}) | {"context"}


def encode(event: Event, verdict: Verdict) -> Reply:
    """The answer to one event."""
    return _reply(event.hook_event_name, verdict)


def fail(
    event_name: str | None, message: str, *, detail: str = "", event: Event | None = None, raw: bytes = b""
) -> Reply:
    """The answer when there is no verdict."""
    return _reply(event_name or "PreToolUse", combine([failure(event_name, "interlock", message, detail)]))


def _reply(event_name: str, verdict: Verdict) -> Reply:
    verdict = _name_carried(_withhold(lower(verdict, event_name, honours(event_name), TITLE)))
    denied = verdict.decision == "deny"
    result = HookResult(
        decision=None if verdict.decision == "defer" else verdict.decision,
        message=verdict.reason,
        blocked=denied,
        system_prompt=verdict.told,
        updated_input=verdict.input if verdict.changes and not denied else None,
    )
    return Reply(
        stdout=_to_json(result),
        # In this form, only the log has a place for a notice to the person. After a refusal the model may read it too.
        stderr=(verdict.reason or "") if denied else "\n".join(verdict.notices),
        exit_code=BLOCK_EXIT if denied else 0,
        verdict=verdict,
    )


def _name_carried(verdict: Verdict) -> Verdict:
    """Say that this form has no place for fields that hooks of another dialect send to their host."""
    lost = [(name, opinion.by) for opinion in verdict.opinions for name in opinion.carried or ()]
    if not lost:
        return verdict
    losses = tuple(Loss(f"{name} of {by}", "dropped: the flat form has no place for it") for name, by in lost)
    notices = tuple(f"`{name}` of {by} is dropped: the flat form has no place for it" for name, by in lost)
    return replace(verdict, lowered=(*verdict.lowered, *losses), notices=(*verdict.notices, *notices))


def _withhold(verdict: Verdict) -> Verdict:
    """Deny the event if its result must not be read, because this host cannot replace a result."""
    if verdict.withheld is None:
        return verdict
    held = Opinion(by="interlock", decision="deny", reason=f"Interlock withholds this result: {verdict.withheld}")
    stopped = combine([*verdict.opinions, held], verdict.original)
    return replace(stopped, output=UNSET, withheld=verdict.withheld, lowered=verdict.lowered)


def read(event_name: str, output: Output, by: str) -> Reading:
    """The opinion that results from a hook's output, and every mistake in it."""
    try:
        said = document_in(output.stdout)
        if isinstance(said, dict):
            return _weigh(event_name, output, _result_in(said), by)
        return _without_json(event_name, output, said, by)
    except HookMistake as failed:
        return refuse(event_name, by, failed.mistake, output)


def _without_json(event_name: str, output: Output, text: str | None, by: str) -> Reading:
    if output.exit_code == BLOCK_EXIT:
        reason = output.stderr.strip() or f"{by} denied this without giving a reason."
        return Reading(Opinion(by=by, decision="deny", reason=reason))
    if output.exit_code != 0:
        raise HookMistake("no-verdict", f"exit {output.exit_code} without a verdict", "print a result and exit 0")
    if text is not None:
        raise HookMistake("plain-text", f"stdout contains text that is not a result: `{text[:80]}`", "write to stderr")
    return Reading(Opinion(by=by))


def _result_in(said: dict[str, Any]) -> HookResult:
    if "hookSpecificOutput" in said:
        raise HookMistake(
            "custom-json", "`hookSpecificOutput` is Claude Code's form", "register the hook as claude-code"
        )
    for key in said:
        if key not in HookResult.__struct_encode_fields__:
            meant = suggest(key, [*HookResult.__struct_encode_fields__])
            raise HookMistake(
                "custom-json", f"`{key}` is not a key of a result", f"did you mean `{meant}`?" if meant else ""
            )
    decision = said.get("decision")
    if decision is not None and decision not in _DECISIONS:
        raise HookMistake("wrong-value", f"`decision` is `{decision}`", closest_decision(decision, _DECISIONS))
    if not isinstance(said.get("updated_input"), dict | None):
        raise HookMistake("change-not-object", "`updated_input` is not an object", "give the fields that change")
    try:
        return convert(said, HookResult)
    except ValidationError as error:
        raise HookMistake("wrong-type", str(error)[0].lower() + str(error)[1:]) from error


def _weigh(event_name: str, output: Output, result: HookResult, by: str) -> Reading:
    mistakes: list[Mistake] = []
    decision = result.decision or ("deny" if result.blocked else None)
    if result.decision is not None and result.blocked != (result.decision == "deny") and result.blocked:
        what = f"`decision: {result.decision}` beside `blocked: true`"
        mistakes.append(Mistake("conflict", what, "the decision rules", "drop `blocked`"))
    change = result.updated_input
    # A refusal by exit code counts whatever the JSON says: of two contradicting answers the stricter one is taken.
    if output.exit_code == BLOCK_EXIT and decision != "deny":
        mistakes.append(Mistake("exit-2-with-json", "exit 2 beside a result that does not deny", "taken as deny"))
        decision = "deny"
    elif output.exit_code not in (0, BLOCK_EXIT) and decision != "deny":
        raise HookMistake("no-verdict", f"exit {output.exit_code} beside a result", "exit 0 when the result is meant")
    if change is not None and decision == "deny":
        mistakes.append(Mistake("change-dropped", "`updated_input` beside a deny", "the change is dropped"))
        change = None
    reason = result.message
    if decision == "deny" and not reason:
        mistakes.append(Mistake("no-reason", "a deny without a message", "still a deny", "say what to do instead"))
        reason = output.stderr.strip() or f"{by} denied this without giving a reason."
    opinion = Opinion(by=by, decision=decision, reason=reason, change=change, context=result.system_prompt)
    return Reading(opinion, tuple(mistakes))
