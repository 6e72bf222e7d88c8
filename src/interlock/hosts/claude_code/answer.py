"""The meaning of one JSON answer of another program's hook: an opinion, fields to carry, and mistakes by name.

No field that a hook gave is dropped in silence. It becomes part of the opinion, or is carried, or a mistake names it.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from interlock.effect import can, effects_of
from interlock.hosts.base.reading import HookMistake, Mistake
from interlock.hosts.claude_code import outputs
from interlock.hosts.claude_code.envelope import check_top_level, specific_part
from interlock.hosts.claude_code.fields import CARRIED
from interlock.hosts.claude_code.outputs import HookSpecificOutput
from interlock.verdict import Decision, Opinion

__all__ = ["carrying", "drop", "feedback", "in_its_words", "read_answer"]

_MEANT_AS_DENY = ("deny", "denied", "blocked", "reject", "cancel")
_ONLY_PLUGINS = ("metrics", "rewakeSummary")
_PROMPTS = ("UserPromptSubmit", "UserPromptExpansion")


class _Answer:
    """One answer while it is being read."""

    def __init__(self, event_name: str, by: str) -> None:
        self.event = event_name
        self.opinion = Opinion(by=by)
        self.mistakes: list[Mistake] = []

    @property
    def denied(self) -> bool:
        return self.opinion.decision == "deny"

    def say(self, **parts: Any) -> None:
        self.opinion = replace(self.opinion, **parts)

    def carry(self, **fields: Any) -> None:
        self.opinion = carrying(self.opinion, **fields)

    def blame(self, name: str, what: str, means: str, help: str = "") -> None:
        self.mistakes.append(Mistake(name, what, means, help))

    def can(self, effect: Any) -> bool:
        return effect in effects_of(self.event)


def read_answer(event_name: str, said: dict[str, Any], by: str) -> tuple[Opinion, tuple[Mistake, ...]]:
    """The opinion in one answer. Raises HookMistake for a mistake after which nothing in it can be trusted."""
    check_top_level(event_name, said)
    specific = specific_part(event_name, said.get("hookSpecificOutput", UNSET))
    answer = _Answer(event_name, by)
    _read_decision(answer, said.get("decision"), said.get("reason"))
    if specific is not None:
        _read_specific(answer, specific)
    if said.get("systemMessage"):
        answer.say(notice=_join(answer.opinion.notice, said["systemMessage"]))
    if said.get("continue") is False:
        _read_stop(answer, said.get("stopReason"))
    elif said.get("stopReason"):
        answer.blame("no-effect", "`stopReason` without `continue: false`", "Claude Code does not read it")
    if said.get("decision") is None:
        _read_reason(answer, said.get("reason"))
    answer.carry(**{name: said.get(name) for name in ("terminalSequence", "suppressOutput")})
    for name in _ONLY_PLUGINS:
        if said.get(name) is not None:
            answer.blame("no-effect", f"`{name}`, which the client reads only from plugins", "not passed on")
    return answer.opinion, tuple(answer.mistakes)


def carrying(opinion: Opinion, **fields: Any) -> Opinion:
    """The opinion with fields that are passed to the client unchanged."""
    given = {name: value for name, value in fields.items() if value is not None}
    return replace(opinion, carried={**(opinion.carried or {}), **given}) if given else opinion


def feedback(event_name: str, by: str, text: str | None) -> Opinion:
    """Feedback on an event that cannot be stopped: to the model if the event has context, otherwise to the person."""
    if "context" in effects_of(event_name):
        return Opinion(by=by, context=text)
    return Opinion(by=by, notice=text)


def drop(what: str, beside: str) -> Mistake:
    """A change without effect, because the call does not run."""
    return Mistake("change-dropped", f"`{what}` beside `{beside}`", "the change is dropped")


def in_its_words(event_name: str, decision: Decision | None) -> str:
    """A decision as the hook wrote it."""
    return f"`{'behavior' if event_name == 'PermissionRequest' else 'permissionDecision'}: {decision}`"


def _join(*texts: str | None) -> str | None:
    return "\n".join(dict.fromkeys(text for text in texts if text)) or None


# --- the top level -----------------------------------------------------------------------------------------


def _read_decision(answer: _Answer, decision: Any, reason: str | None) -> None:
    if decision is None:
        return
    if decision == "approve" and answer.event == "PreToolUse":
        answer.blame("legacy-approve", "`decision: approve` is the old form", "taken as allow")
        answer.say(decision="allow", reason=reason)
    elif decision == "block" and not answer.can("deny"):
        if not reason:
            answer.blame("no-reason", "`decision: block` without a reason", "nothing can be stopped here", "say why")
        answer.opinion = feedback(answer.event, answer.opinion.by, reason)
    elif decision == "block":
        answer.say(decision="deny", reason=reason or "")
    elif decision in _MEANT_AS_DENY and answer.can("deny"):
        answer.blame("wrong-value", f"`decision: {decision}` at the top level", "taken as deny", "use `block`")
        answer.say(decision="deny", reason=reason or "")
    else:
        inside = "put `permissionDecision` inside `hookSpecificOutput`"
        what = f"`decision: {decision}` at the top level is not a valid answer"
        raise HookMistake("top-level-decision", what, inside if answer.event == "PreToolUse" else "use `block`")


def _read_reason(answer: _Answer, reason: str | None) -> None:
    """A reason without a decision beside it: used if the answer denies, as in the client; otherwise without effect."""
    if reason and answer.denied and not answer.opinion.reason:
        answer.say(reason=reason)
    elif reason:
        answer.blame(
            "no-effect", f"`reason` (`{reason[:80]}`) without a decision beside it", "Claude Code does not read it"
        )


def _read_stop(answer: _Answer, why: str | None) -> None:
    """`continue: false`: the turn ends, and what has not happened yet does not happen."""
    opinion = answer.opinion
    if can(answer.event).ends_turn or answer.denied:
        answer.say(interrupt=True, reason=opinion.reason or why)
    elif answer.can("deny"):
        left_out = (
            "leaves the prompt in the conversation" if answer.event in _PROMPTS else "does not stop this by itself"
        )
        decided = f" (beside {in_its_words(answer.event, opinion.decision)})" if opinion.decision else ""
        means = "taken as a deny that ends the turn"
        answer.blame("stop-without-deny", f"`continue: false` {left_out}{decided}", means, "deny as well")
        if opinion.change is not None:
            answer.mistakes.append(drop("updatedInput", "continue: false"))
        reason = opinion.reason or why or "the hook stopped the turn"
        answer.say(decision="deny", interrupt=True, change=None, reason=reason)
    else:
        answer.blame("no-effect", f"`continue: false` on {answer.event}", "nothing can be stopped there")
        answer.say(notice=_join(answer.opinion.notice, why))
        return
    if why and why != answer.opinion.reason:
        answer.carry(stopReason=why)


# --- the part that belongs to the event --------------------------------------------------------------------


def _read_specific(answer: _Answer, said: HookSpecificOutput) -> None:
    answer.say(context=_join(answer.opinion.context, getattr(said, "additional_context", None)))
    match said:
        case outputs.PreToolUseHookOutput():
            _read_permission(answer, said.permission_decision, said.permission_decision_reason, said.updated_input)
        case outputs.PreModelSwitchHookOutput():
            _read_permission(answer, said.permission_decision, said.permission_decision_reason, None)
        case outputs.PermissionRequestHookOutput(decision=outputs.PermissionAllow() as allowed):
            _read_permission(answer, "allow", None, allowed.updated_input)
            answer.carry(updatedPermissions=allowed.updated_permissions)
        case outputs.PermissionRequestHookOutput(decision=outputs.PermissionDeny() as denied):
            _read_permission(answer, "deny", denied.message, None)
            answer.say(interrupt=denied.interrupt)
        case outputs.PostToolUseHookOutput():
            _read_result(answer, said)
        case outputs.ElicitationHookOutput() | outputs.ElicitationResultHookOutput():
            _read_elicited(answer, said.action, said.content)
        case outputs.WorktreeCreateHookOutput():
            answer.blame("no-effect", "`worktreePath`", "Interlock never answers WorktreeCreate")
    for name, attribute in _carries_of(type(said)):
        answer.carry(**{name: getattr(said, attribute)})


def _carries_of(kind: type[HookSpecificOutput]) -> list[tuple[str, str]]:
    names = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
    return [(name, attribute) for name, attribute in names if name in CARRIED and name not in ("action", "content")]


def _read_permission(
    answer: _Answer, decision: Decision | None, reason: str | None, change: dict[str, Any] | None
) -> None:
    before = answer.opinion.decision
    if before == "deny" and decision not in (None, "deny"):
        # Nothing rescues what `decision: block` beside it refuses.
        other = in_its_words(answer.event, decision)
        answer.blame("conflict", f"`decision: block` beside {other}", "the deny rules", "say one thing")
    final = before if before == "deny" or decision is None else decision
    if change is not None and final in ("deny", "defer"):
        answer.mistakes.append(drop("updatedInput", final))
        change = None
    if change is not None and final is None:
        means = "the change is made and the host's own rules judge it"
        answer.blame("change-undecided", "`updatedInput` without `permissionDecision`", means)
    if reason and final is None:
        answer.blame(
            "no-effect", "`permissionDecisionReason` without `permissionDecision`", "Claude Code does not read it"
        )
        reason = None
    answer.say(decision=final, reason=_one_reason(answer, before, decision, reason), change=change)


def _one_reason(answer: _Answer, before: Decision | None, decision: Decision | None, reason: str | None) -> str | None:
    """The reason of the decision that counts: both if two deny, and the other one is named."""
    first = answer.opinion.reason
    if not first or not reason or first == reason:
        return reason or first
    if before == decision:
        return _join(first, reason)
    kept, dropped = (first, reason) if before == "deny" else (reason, first)
    field = "permissionDecisionReason" if dropped == reason else "reason"
    answer.blame(
        "no-effect", f"`{field}` (`{dropped[:80]}`) of a decision that does not count", "Claude Code does not read it"
    )
    return kept


def _read_result(answer: _Answer, said: outputs.PostToolUseHookOutput) -> None:
    new, old = said.updated_tool_output, said.updated_mcp_tool_output
    if new is not UNSET and old is not UNSET and new != old:
        answer.blame(
            "conflict",
            "`updatedMCPToolOutput` beside `updatedToolOutput`",
            "the latter rules, as it does in the client",
        )
    answer.say(output=old if new is UNSET else new)


def _read_elicited(answer: _Answer, action: str | None, content: dict[str, Any] | None) -> None:
    if action == "decline":
        answer.say(decision="deny", reason=answer.opinion.reason or "the hook answered `decline`")
    elif action is not None:
        # One value: an action with the content of another hook would be an answer that no hook gave.
        answer.carry(action={"action": action} | ({} if content is None else {"content": content}))
        return
    if content is not None:
        what = "`content` beside `decline`" if action else "`content` without `action`"
        answer.blame("no-effect", what, "no content is sent")
