"""Write a verdict as Claude Code's hook output, one form of answer per event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET
from msgspec.json import Encoder
from msgspec.structs import replace

from interlock.effect import Effect, effects_of
from interlock.event import Event, PostToolUse
from interlock.facts.results import Misfit, fit, withhold
from interlock.facts.tools import parse_mcp
from interlock.hosts.base.lower import lower
from interlock.hosts.base.reply import Reply
from interlock.hosts.claude_code import outputs
from interlock.hosts.claude_code.events import EVENTS
from interlock.hosts.claude_code.extras import with_extras
from interlock.hosts.claude_code.fields import Extras, carry
from interlock.hosts.claude_code.outputs import OUTPUTS, HookOutput, SpecificOutput
from interlock.verdict import Loss, Verdict

__all__ = ["BLOCK_EXIT", "TITLE", "encode", "honours", "reply_to"]

TITLE = "Claude Code"
BLOCK_EXIT = 2

_NOTHING = HookOutput()
_NO_EFFECTS: frozenset[Effect] = frozenset()
_HONOURS = {name: effects_of(name) - {"defer"} for name in EVENTS}
_NO_EXTRAS = Extras(Verdict(), {}, {}, {}, {})
_to_json = Encoder().encode
_Form: TypeAlias = Callable[[str, Verdict, Event | None], HookOutput]


def honours(event_name: str) -> frozenset[Effect]:
    """What Claude Code does with Interlock's answer to this event.

    Everything that the event can do except `defer`: the client honours it only in headless runs whose message contains
    this one call, which a hook cannot see. Otherwise the call runs as if there had been no answer.
    """
    return _HONOURS.get(event_name, _NO_EFFECTS)


def encode(event: Event, verdict: Verdict) -> Reply:
    """The answer to one event."""
    name = event.hook_event_name
    said = verdict.decision
    plain = not (verdict.changes or verdict.context or verdict.interrupt) and verdict.output is UNSET
    if not plain or not (said is None or said in _HONOURS.get(name, _NO_EFFECTS)):
        verdict = lower(verdict, name, _honours_now(name, verdict), TITLE)
    return reply_to(name, verdict, event)


def _honours_now(event_name: str, verdict: Verdict) -> frozenset[Effect]:
    # A permission prompt's answer has a place for a change only beside `allow`.
    if event_name == "PermissionRequest" and verdict.decision != "allow":
        return honours(event_name) - {"change"}
    return honours(event_name)


def reply_to(event_name: str, verdict: Verdict, event: Event | None) -> Reply:
    """The answer that says this verdict, of which the client honours every part."""
    carried = carry(event_name, verdict) if _carries(verdict) else _NO_EXTRAS
    verdict = verdict if carried is _NO_EXTRAS else carried.verdict
    if event_name == "WorktreeCreate":
        return _refuse_worktree(verdict)
    answer = _FORMS.get(event_name, _block)(event_name, verdict, event)
    if carried is not _NO_EXTRAS:
        answer = with_extras(event_name, answer, carried)
    if carried.text and (answer != _NOTHING or verdict.notices):
        verdict = _without_text(verdict)
    if verdict.notices:
        told = [*([answer.system_message] if answer.system_message else []), *verdict.notices]
        answer = replace(answer, system_message="\n".join(told))
    if verdict.interrupt and event_name != "PermissionRequest":
        said = [text for text in (answer.stop_reason, carried.top.get("stopReason")) if text]
        answer = replace(answer, continue_=False, stop_reason="\n".join(said) or verdict.stop_reason)
    if answer.continue_ is False:
        verdict = replace(verdict, interrupt=True)  # so that the record says that the turn ended here
    if event_name == "PostToolBatch" and answer.decision and not answer.system_message:
        answer = replace(answer, system_message=verdict.reason)  # a headless run shows no reason, only this
    if event_name == "SessionEnd":
        return _last_words(answer, verdict)
    refused = verdict.decision == "deny" and EVENTS[event_name].exit_on_deny
    return Reply(
        stdout=_to_json(answer) if event_name != "PreCompact" else _instructions(answer, carried),
        stderr=(verdict.reason or "") if refused else "",
        exit_code=BLOCK_EXIT if refused else 0,
        verdict=verdict,
        answer=answer,
    )


def _carries(verdict: Verdict) -> bool:
    for opinion in verdict.opinions:  # noqa: SIM110 - at every event, where a generator costs more than the loop
        if opinion.carried is not None:
            return True
    return False


def _instructions(answer: HookOutput, carried: Extras) -> bytes:
    """What is printed before a conversation is summarised: the client passes all of it to the model, even `{}`."""
    text = carried.text.get("stdout", "")
    return str(text).encode() if answer == _NOTHING else _to_json(answer)


def _without_text(verdict: Verdict) -> Verdict:
    notice = "what hooks printed for the summary is dropped, because it cannot go with anything else"
    return replace(
        verdict,
        notices=(*verdict.notices, notice),
        lowered=(*verdict.lowered, Loss("stdout", "the rest of the answer")),
    )


def _last_words(answer: HookOutput, verdict: Verdict) -> Reply:
    """The end of a session: the client prints only the stderr of an entry that fails."""
    ours = [reason.text for reason in verdict.reasons if reason.by == "interlock"]
    said = "\n".join([*ours, *verdict.errors])
    return Reply(
        stdout=_to_json(answer), stderr=said, exit_code=BLOCK_EXIT if said else 0, verdict=verdict, answer=answer
    )


# --- one form per sort of event ----------------------------------------------------------------------------


def _permission(event_name: str, verdict: Verdict, event: Event | None) -> HookOutput:
    running = verdict.decision != "deny"
    said = outputs.PreToolUseHookOutput(
        permission_decision=verdict.decision,
        permission_decision_reason=verdict.reason,
        # Always the whole input: this client replaces the input and older agents merge it, so both then do the same.
        updated_input=verdict.input if verdict.changes and running else None,
        additional_context=verdict.told,
    )
    return HookOutput(hook_specific_output=_unless_empty(said))


def _behavior(event_name: str, verdict: Verdict, event: Event | None) -> HookOutput:
    if verdict.decision == "deny":
        denied = outputs.PermissionDeny(message=verdict.reason, interrupt=verdict.interrupt)
        return HookOutput(hook_specific_output=outputs.PermissionRequestHookOutput(decision=denied))
    if verdict.decision == "allow":
        allowed = outputs.PermissionAllow(updated_input=verdict.input if verdict.changes else None)
        return HookOutput(hook_specific_output=outputs.PermissionRequestHookOutput(decision=allowed))
    # The prompt is about to be shown anyway, so an ask leaves it to the person and tells them why.
    return HookOutput(system_message=verdict.reason)


def _result(event_name: str, verdict: Verdict, event: Event | None) -> HookOutput:
    said = outputs.PostToolUseHookOutput(additional_context=verdict.told)
    if not isinstance(event, PostToolUse):
        return _stop(verdict) if verdict.withheld is not None else HookOutput()
    if verdict.output is UNSET and verdict.withheld is None:
        return HookOutput(hook_specific_output=_unless_empty(said))
    try:
        new = _replacement(event, verdict)
    except Misfit as misfit:
        return _stop(replace(verdict, withheld=verdict.withheld or str(misfit)))
    # Clients before 2.1.121 read the second.
    old = new if parse_mcp(event.tool_name) is not None else UNSET
    return HookOutput(
        hook_specific_output=replace(said, updated_tool_output=new, updated_mcp_tool_output=old),
    )


def _replacement(event: PostToolUse, verdict: Verdict) -> Any:
    """What the model reads instead. A replacement of the wrong shape is withheld, because the client would drop it."""
    why = verdict.withheld
    if why is None:
        try:
            return fit(event.tool_name, event.tool_response, verdict.output)
        except Misfit as misfit:
            why = str(misfit)
    return withhold(event.tool_name, event.tool_response, f"[withheld by Interlock: {why}]")


def _stop(verdict: Verdict) -> HookOutput:
    """A result that must not reach the model and cannot be replaced: end the turn."""
    return HookOutput(continue_=False, stop_reason=f"Interlock withholds this result: {verdict.withheld}")


def _failed_result(event_name: str, verdict: Verdict, event: Event | None) -> HookOutput:
    if verdict.withheld is not None:
        # No answer replaces the output of a failed tool; the end-of-batch event can still stop the model's next turn.
        reason = f"Interlock could not check this result: {verdict.withheld}"
        return HookOutput(decision="block", reason=reason)
    return HookOutput(hook_specific_output=_context(event_name, verdict))


def _model_switch(event_name: str, verdict: Verdict, event: Event | None) -> HookOutput:
    decision = None if verdict.decision == "defer" else verdict.decision
    said = outputs.PreModelSwitchHookOutput(permission_decision=decision, permission_decision_reason=verdict.reason)
    return HookOutput(hook_specific_output=_unless_empty(said))


def _block(event_name: str, verdict: Verdict, event: Event | None) -> HookOutput:
    denied = verdict.decision == "deny"
    return HookOutput(
        decision="block" if denied else None,
        reason=verdict.reason if denied else None,
        hook_specific_output=_context(event_name, verdict),
    )


_FORMS: dict[str, _Form] = {
    "PreToolUse": _permission,
    "PermissionRequest": _behavior,
    "PostToolUse": _result,
    "PostToolUseFailure": _failed_result,
    "PreModelSwitch": _model_switch,
}


def _refuse_worktree(verdict: Verdict) -> Reply:
    """Refuse: the client takes any answer to this event as the path of the worktree."""
    why = verdict.reason or "Interlock cannot answer WorktreeCreate; remove its hook entry for that event"
    return Reply(stdout=b"", stderr=why, exit_code=BLOCK_EXIT, verdict=verdict)


_EMPTY = {OUTPUTS[name]: OUTPUTS[name]() for name in ("PreToolUse", "PostToolUse", "PreModelSwitch")}


def _context(event_name: str, verdict: Verdict) -> SpecificOutput | None:
    if verdict.told is None:
        return None
    said: SpecificOutput = OUTPUTS[event_name](additional_context=verdict.told)
    return said


def _unless_empty(said: SpecificOutput) -> SpecificOutput | None:
    return None if said == _EMPTY[type(said)] else said
