"""Read what somebody else's hook said in Claude Code's format, strictly.

The client takes most mistakes for "go on". Here each one has a name, and what it means is never allow.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from interlock.effect import effects_of, safe_direction
from interlock.verdict import Decision, Opinion
from interlock.wire.claude_code import outputs
from interlock.wire.claude_code.envelope import check_top_level, specific_part
from interlock.wire.claude_code.outputs import HookSpecificOutput
from interlock.wire.reading import Failed, Mistake, Output, Reading, document_in, refuse

__all__ = ["read"]

_MEANT_AS_DENY = ("deny", "denied", "blocked", "reject", "cancel")
_TEXT_IS_CONTEXT = frozenset({"UserPromptSubmit", "UserPromptExpansion", "SessionStart", "PostModelSwitch"})


def read(event_name: str, output: Output, by: str) -> Reading:
    """The opinion a hook's output amounts to, and every mistake in it."""
    try:
        said = document_in(output.stdout)
        if isinstance(said, dict):
            return _judge_exit(event_name, output, _read_object(event_name, said, by), by)
        return _read_text(event_name, output, said, by)
    except Failed as failed:
        return refuse(event_name, by, failed.mistake, output)


# --- without a JSON object ---------------------------------------------------------------------------------


def _read_text(event_name: str, output: Output, text: str | None, by: str) -> Reading:
    if output.exit_code == 2:
        return _blocked_by_exit(event_name, output, by)
    if output.exit_code != 0:
        raise Failed(
            "no-verdict",
            f"exit {output.exit_code} without a verdict",
            "exit 2 to deny, or print a decision and exit 0",
        )
    if text is None:
        return Reading(Opinion(by=by))
    if event_name in _TEXT_IS_CONTEXT:
        return Reading(Opinion(by=by, context=text))
    what = f"stdout holds text that is no verdict on {event_name}"
    if safe_direction(event_name) == "withhold":
        # Formatters and linters that run after an edit chat on stdout; there is nothing in it to lose.
        return Reading(Opinion(by=by), (Mistake("plain-text", what, "not read by anybody"),))
    raise Failed("plain-text", f"{what}: `{text[:80]}`", "print a JSON decision, or write to stderr")


def _blocked_by_exit(event_name: str, output: Output, by: str) -> Reading:
    reason = output.stderr.strip()
    if "deny" not in effects_of(event_name):
        # Where nothing can be stopped, exit 2 hands its stderr to the reader of that event.
        return Reading(_told(event_name, by, reason or None))
    mistakes: tuple[Mistake, ...] = ()
    if event_name == "PermissionRequest":
        what = "exit 2 on PermissionRequest, which Claude Code ignores"
        mistakes = (Mistake("exit-2-ignored", what, "taken as deny", "print a decision instead"),)
    return _with_reason(Opinion(by=by, decision="deny", reason=reason), mistakes)


def _told(event_name: str, by: str, text: str | None) -> Opinion:
    """Feedback on an event that cannot be stopped: to the model where it hears context, else to the person."""
    if "context" in effects_of(event_name):
        return Opinion(by=by, context=text)
    return Opinion(by=by, notice=text)


# --- with one ----------------------------------------------------------------------------------------------


def _read_object(event_name: str, said: dict[str, Any], by: str) -> Reading:
    check_top_level(event_name, said)
    specific = specific_part(event_name, said.get("hookSpecificOutput", UNSET))
    opinion, mistakes = _legacy(event_name, said, by)
    if specific is not None:
        opinion, more = _merge_specific(event_name, opinion, specific)
        mistakes += more
    if said.get("systemMessage") is not None:
        opinion = replace(opinion, notice=said["systemMessage"])
    if said.get("continue") is False:
        opinion, more = _stopped(event_name, opinion, said.get("stopReason"))
        mistakes += more
    return _with_reason(opinion, mistakes)


def _legacy(event_name: str, said: dict[str, Any], by: str) -> tuple[Opinion, tuple[Mistake, ...]]:
    decision = said.get("decision")
    if decision is None:
        return Opinion(by=by), ()
    if decision == "approve" and event_name == "PreToolUse":
        mistake = Mistake("legacy-approve", "`decision: approve` is the old form", "taken as allow")
        return Opinion(by=by, decision="allow", reason=said.get("reason")), (mistake,)
    if decision == "block":
        if "deny" in effects_of(event_name):
            return Opinion(by=by, decision="deny", reason=said.get("reason") or ""), ()
        return _told(event_name, by, said.get("reason")), ()
    if decision in _MEANT_AS_DENY and "deny" in effects_of(event_name):
        mistake = Mistake("wrong-value", f"`decision: {decision}` at the top level", "taken as deny", "use `block`")
        return Opinion(by=by, decision="deny", reason=said.get("reason") or ""), (mistake,)
    where = "put `permissionDecision` inside `hookSpecificOutput`" if event_name == "PreToolUse" else "use `block`"
    raise Failed("top-level-decision", f"`decision: {decision}` at the top level is no valid answer", where)


def _merge_specific(event_name: str, opinion: Opinion, said: HookSpecificOutput) -> tuple[Opinion, tuple[Mistake, ...]]:
    context = getattr(said, "additional_context", None)
    if context is not None:
        opinion = replace(opinion, context=context)
    match said:
        case outputs.PreToolUseHookOutput():
            return _merge_permission(opinion, said)
        case _ if opinion.decision == "deny" and not isinstance(said, outputs.PreToolUseHookOutput):
            return opinion, ()  # `decision: block` stands beside it: nothing rescues the call
        case outputs.PermissionRequestHookOutput(decision=outputs.PermissionAllow() as allowed):
            return replace(opinion, decision="allow", change=allowed.updated_input), ()
        case outputs.PermissionRequestHookOutput(decision=outputs.PermissionDeny() as denied):
            return replace(opinion, decision="deny", reason=denied.message, interrupt=denied.interrupt), ()
        case outputs.PreModelSwitchHookOutput(permission_decision=str() as decision):
            return replace(opinion, decision=decision, reason=said.permission_decision_reason), ()
        case outputs.PostToolUseHookOutput():
            new = said.updated_tool_output
            return replace(opinion, output=said.updated_mcp_tool_output if new is UNSET else new), ()
        case (
            outputs.ElicitationHookOutput(action="decline" | "cancel")
            | outputs.ElicitationResultHookOutput(action="decline" | "cancel")
        ):
            return replace(opinion, decision="deny", reason=f"the hook answered `{said.action}`"), ()
    return opinion, ()


def _merge_permission(opinion: Opinion, said: outputs.PreToolUseHookOutput) -> tuple[Opinion, tuple[Mistake, ...]]:
    if opinion.decision == "deny" or (opinion.decision is not None and said.permission_decision is None):
        decision: Decision | None = opinion.decision  # `decision: block` beside it: nothing rescues the call
    else:
        decision = said.permission_decision
    mistakes: list[Mistake] = []
    change = said.updated_input
    if change is not None and decision in ("deny", "defer"):
        mistakes.append(Mistake("change-dropped", f"`updatedInput` beside `{decision}`", "the change is dropped"))
        change = None
    if change is not None and decision is None:
        means = "the change is made and the host's own rules judge it"
        mistakes.append(Mistake("change-undecided", "`updatedInput` without `permissionDecision`", means))
    reason = said.permission_decision_reason or opinion.reason
    return replace(opinion, decision=decision, reason=reason, change=change), tuple(mistakes)


def _stopped(event_name: str, opinion: Opinion, why: str | None) -> tuple[Opinion, tuple[Mistake, ...]]:
    if opinion.decision == "deny" or "deny" not in effects_of(event_name):
        return replace(opinion, interrupt=True, reason=opinion.reason or why), ()
    means = "taken as a deny that ends the turn"
    mistake = Mistake("stop-without-deny", "`continue: false` does not stop the call itself", means, "deny as well")
    reason = why or "the hook stopped the turn"
    return replace(opinion, decision="deny", interrupt=True, change=None, reason=reason), (mistake,)


def _judge_exit(event_name: str, output: Output, reading: Reading, by: str) -> Reading:
    """Weigh the exit code beside the JSON: it may only make the answer stricter."""
    opinion, code = reading.opinion, output.exit_code
    if code == 0 or opinion.decision == "deny":
        return reading
    if code != 2:
        raise Failed("no-verdict", f"exit {code} with JSON that does not deny", "exit 0 when the answer is meant")
    if "deny" not in effects_of(event_name):
        return reading
    reason = output.stderr.strip() or "exit 2"
    mistake = Mistake("exit-2-with-json", "exit 2 beside JSON that does not deny", "taken as deny", "say one thing")
    denied = replace(opinion, decision="deny", reason=reason, change=None)
    return Reading(denied, (*reading.mistakes, mistake))


def _with_reason(opinion: Opinion, mistakes: tuple[Mistake, ...]) -> Reading:
    """Call out a deny that does not say why: the model can do nothing sensible with it."""
    if opinion.decision != "deny" or opinion.reason:
        return Reading(opinion, mistakes)
    mistake = Mistake("no-reason", "a deny without a reason", "still a deny", "say what to do instead")
    reason = f"{opinion.by} denied this without giving a reason."
    return Reading(replace(opinion, reason=reason), (*mistakes, mistake))
