"""Read strictly what another program's hook said in Claude Code's format.

The client takes most mistakes for "go on". Here each one has a name, and what it means is never allow.
"""

from __future__ import annotations

from msgspec.structs import replace

from interlock.effect import effects_of, safe_direction
from interlock.hosts.base.reading import HookMistake, Mistake, Output, Reading, document_in, refuse
from interlock.hosts.claude_code.answer import carrying, drop, feedback, in_its_words, read_answer
from interlock.verdict import Opinion

__all__ = ["read"]

_TEXT_IS_CONTEXT = frozenset({"UserPromptSubmit", "UserPromptExpansion", "SessionStart", "PostModelSwitch"})


def read(event_name: str, output: Output, by: str) -> Reading:
    """The opinion that results from a hook's output, and every mistake in it."""
    try:
        said = document_in(output.stdout)
        if isinstance(said, dict):
            opinion, mistakes = read_answer(event_name, said, by)
            return _judge_exit(event_name, output, _with_reason(opinion, mistakes), by)
        return _read_text(event_name, output, said, by)
    except HookMistake as failed:
        return refuse(event_name, by, failed.mistake, output)


# --- without a JSON object ---------------------------------------------------------------------------------


def _read_text(event_name: str, output: Output, text: str | None, by: str) -> Reading:
    if output.exit_code == 2:
        return _blocked_by_exit(event_name, output, by)
    if output.exit_code != 0:
        raise HookMistake(
            "no-verdict",
            f"exit {output.exit_code} without a verdict",
            "exit 2 to deny, or print a decision and exit 0",
        )
    if text is None:
        return Reading(Opinion(by=by))
    if event_name in _TEXT_IS_CONTEXT:
        return Reading(Opinion(by=by, context=text))
    if event_name == "PreCompact":  # here, text is an instruction for the summary
        return Reading(carrying(Opinion(by=by), stdout=text))
    what = f"stdout contains text that is not a verdict on {event_name}"
    if safe_direction(event_name) == "withhold":
        # Formatters and linters that run after an edit print to stdout; that is not an answer, so nothing is lost.
        return Reading(Opinion(by=by), (Mistake("plain-text", what, "not read by anybody"),))
    raise HookMistake("plain-text", f"{what}: `{text[:80]}`", "print a JSON decision, or write to stderr")


def _blocked_by_exit(event_name: str, output: Output, by: str) -> Reading:
    reason = output.stderr.strip()
    if "deny" not in effects_of(event_name):
        # If the event cannot be stopped, exit code 2 passes stderr to the reader of that event.
        return Reading(feedback(event_name, by, reason or None))
    mistakes: tuple[Mistake, ...] = ()
    if event_name == "PermissionRequest":
        what = "exit 2 on PermissionRequest, which Claude Code ignores"
        mistakes = (Mistake("exit-2-ignored", what, "taken as deny", "print a decision instead"),)
    return _with_reason(Opinion(by=by, decision="deny", reason=reason), mistakes)


# --- with one ----------------------------------------------------------------------------------------------


def _judge_exit(event_name: str, output: Output, reading: Reading, by: str) -> Reading:
    """Consider the exit code beside the JSON: it can only make the answer stricter."""
    opinion, code = reading.opinion, output.exit_code
    if code == 0 or opinion.decision == "deny":
        return reading
    if code != 2:
        raise HookMistake("no-verdict", f"exit {code} with JSON that does not deny", "exit 0 when the answer is meant")
    if "deny" not in effects_of(event_name):
        heard = feedback(event_name, by, output.stderr.strip() or None)
        context = "\n".join(text for text in (opinion.context, heard.context) if text) or None
        notice = "\n".join(text for text in (opinion.notice, heard.notice) if text) or None
        return Reading(replace(opinion, context=context, notice=notice), reading.mistakes)
    reason = output.stderr.strip() or "exit 2"
    beside = in_its_words(event_name, opinion.decision) if opinion.decision else "JSON that does not deny"
    why = f" (`{opinion.reason[:80]}`)" if opinion.reason else ""
    mistake = Mistake("exit-2-with-json", f"exit 2 beside {beside}{why}", "taken as deny", "say one thing")
    dropped = () if opinion.change is None else (drop("updatedInput", "exit 2"),)
    # The client reads the rest of the JSON too: a turn that it ends still ends.
    denied = carrying(opinion, stopReason=opinion.reason) if opinion.interrupt else opinion
    denied = replace(denied, decision="deny", reason=reason, change=None)
    return Reading(denied, (*reading.mistakes, mistake, *dropped))


def _with_reason(opinion: Opinion, mistakes: tuple[Mistake, ...]) -> Reading:
    """Report a deny without a reason: the model cannot act on it."""
    if opinion.decision != "deny" or opinion.reason:
        return Reading(opinion, mistakes)
    mistake = Mistake("no-reason", "a deny without a reason", "still a deny", "say what to do instead")
    reason = f"{opinion.by} denied this without giving a reason."
    return Reading(replace(opinion, reason=reason), (*mistakes, mistake))
