"""Compare what a host reports with the receipts: what ran must be what was judged.

This is done only if every event of the host reaches Interlock. Otherwise a call without a receipt means nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import UNSET, DecodeError, Struct, json
from msgspec.structs import replace

from interlock.event import (
    BatchCall,
    Event,
    PostToolBatch,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
)
from interlock.facts.paths import Places
from interlock.facts.results import Misfit, fit
from interlock.facts.secrets import redact
from interlock.facts.tools import names_of
from interlock.hosts.base.table import TRANSCRIPT
from interlock.receipts.endings import last_turn
from interlock.receipts.failures import as_result, has_known_shape
from interlock.receipts.normal_form import differing, encode_input
from interlock.receipts.refusal_words import says_it_did_not_run
from interlock.receipts.transcripts import Look, Transcripts
from interlock.store.base import Receipt, Store
from interlock.verdict import Opinion, Reason, Verdict

__all__ = ["Questions", "Review", "Watch", "digest_of", "why_stopped"]

JsonObject: TypeAlias = dict[str, Any]
Answer = TypeVar("Answer")
Questions: TypeAlias = Generator[Event, Verdict, Answer]
"""Yields events that the host did not raise, and is sent the policy's verdict on each at this moment."""

_BY = "interlock"
# One for the process: a guard that replaces another continues reading where the previous one stopped.
_transcripts = Transcripts()
_RESULTS = (PostToolUse, PostToolUseFailure)


class Review(Struct):
    """The outcome of comparing an event with the receipts."""

    breach: str | None = None
    differs: list[str] | None = None  # fields in which what ran differs from what was judged
    withheld: str | None = None  # why the model may not read what a failed call printed
    look: Look | None = None  # at the transcript


def digest_of(encoded: bytes) -> str:
    """What a receipt keeps in order to recognise its input."""
    return hashlib.sha256(encoded).hexdigest()


def why_stopped(breach: str) -> str:
    """The reason with which every call after a breach is denied."""
    return f"Interlock stopped this session: {breach} Nothing more runs in it until a person runs `interlock lift`."


class Watch:
    """Looks for breaches: calls that ran although they were denied, differently from what was judged, or unjudged."""

    def __init__(self, store: Store, silent: frozenset[str], home: str, guard: str = "") -> None:
        self._guard = guard
        self._store = store
        self._silent = silent
        self._home = home
        self._transcripts = _transcripts

    def review(self, event: Event, receipts: Sequence[Receipt], verdict: Verdict) -> Questions[tuple[Verdict, Review]]:
        """The verdict with the additions from the receipts, and the outcome of the comparison."""
        seen = Review()
        if isinstance(event, _RESULTS):
            receipt = self._decisive(receipts)
            seen.breach, seen.differs = yield from self._of_result(event, receipt)
            if isinstance(event, PostToolUse):
                return (_end(verdict, self._breach_of(event) or seen.breach) if seen.breach else verdict), seen
            if seen.breach is None and receipt is not None and receipt.status == "open":
                seen.withheld = yield from self._of_failure(event)
            return _with_notice(verdict, why_stopped(seen.breach) if seen.breach else None), seen
        if isinstance(event, PostToolBatch):
            return (yield from self._of_batch(event, verdict, seen))
        if isinstance(event, Stop | SubagentStop | SessionEnd | UserPromptSubmit):
            seen.breach, seen.look = self._of_transcript(event)
            verdict = _with_notice(verdict, why_stopped(seen.breach) if seen.breach else None)
        if isinstance(event, UserPromptSubmit | SessionStart) and seen.breach is None:
            verdict = _with_notice(verdict, self._stop_notice(event))
        if isinstance(event, SessionEnd):
            verdict = self._last_words(event, verdict, seen)
        return verdict, seen

    def done(self, seen: Review) -> None:
        """Called when the outcome has been committed."""
        if seen.look is not None:
            self._transcripts.done(seen.look)

    def _decisive(self, receipts: Sequence[Receipt]) -> Receipt | None:
        """The receipt that a call is compared with: a denial by any guard, or else this guard's own."""
        ranked = sorted(receipts, key=lambda one: (one.status != "denied", one.guard != self._guard))
        return ranked[0] if ranked else None

    def _last_words(self, event: SessionEnd, verdict: Verdict, seen: Review) -> Verdict:
        """Say at the end that the session was stopped, or its last turn ended: a headless run shows nothing else."""
        stopped = seen.breach or self._breach_of(event)
        ended = last_turn(self._store, event.session_id).ended if stopped is None else None
        if stopped is None and ended is None:
            return verdict
        why = why_stopped(stopped) if stopped is not None else f"Interlock ended the last turn of this session: {ended}"
        return replace(verdict, reasons=(*verdict.reasons, Reason(why, _BY)))

    # --- one result --------------------------------------------------------------------------------------------

    def _of_result(
        self, event: PostToolUse | PostToolUseFailure, receipt: Receipt | None
    ) -> Questions[tuple[str | None, list[str] | None]]:
        what = f"{event.tool_name} ({event.tool_use_id})"
        if not event.tool_use_id:
            return None, None  # the host does not name its calls: the result sets nothing, and has no receipt to miss
        if receipt is None:
            missed = f"{what} ran without a receipt: Interlock was never asked about it."
            return (missed if self._is_watched(event) else None), None
        if not _same_tool(receipt, event):
            return f"a result of {what} arrived for a call of {receipt.tool}.", None
        if receipt.status == "denied":
            return f"{what} ran although it was denied{_because(receipt.said)}", None
        fields = self._differing(event, receipt)
        if fields is None:
            return None, None
        answered = _input_of(receipt)
        denied = yield from _why_denied_now(event, answered)
        if denied is None:
            return None, fields
        named = f" in {', '.join(f'`{name}`' for name in fields)}" if fields else ""
        breach = f"{what} ran differently from what was judged{named}, and the policy denies that{_because(denied)}"
        return breach, fields

    def _differing(self, event: PostToolUse | PostToolUseFailure, receipt: Receipt) -> list[str] | None:
        """The fields in which the call differs from what was judged, if they are known; None if it is the same call."""
        if digest_of(encode_input(event.tool_input)) == receipt.input_digest:
            return None
        answered = _input_of(receipt)
        if answered is None or receipt.input is None:
            return []  # the input was too long to keep, so a change cannot be told from what a host normalises
        places = (Places(cwd=receipt.cwd, home=self._home), Places(cwd=event.cwd, home=self._home))
        redacted = digest_of(receipt.input) != receipt.input_digest
        ran = redact(event.tool_input) if redacted else event.tool_input
        fields = differing(event.tool_name, answered, ran, *places)
        return fields if fields or redacted else None

    def _of_failure(self, event: PostToolUseFailure) -> Questions[str | None]:
        """Why the model may not read what a failed call printed: a rule would have changed or withheld it."""
        result = as_result(event)
        said = yield result
        for opinion in said.opinions:
            counts = not opinion.error or (opinion.by not in self._silent and has_known_shape(event.tool_name))
            if opinion.withhold is not None and counts:
                return f"`{opinion.by}` withholds it"
        if said.output is UNSET:
            return None
        try:
            unchanged = fit(event.tool_name, result.tool_response, said.output) == result.tool_response
        except Misfit:
            unchanged = False
        changers = [opinion.by for opinion in said.opinions if opinion.output is not UNSET]
        return None if unchanged else f"`{', '.join(changers)}` would have changed it"

    # --- the end of a batch --------------------------------------------------------------------------------------

    def _of_batch(self, event: PostToolBatch, verdict: Verdict, seen: Review) -> Questions[tuple[Verdict, Review]]:
        watched = self._is_watched(event)
        reasons: list[str] = []
        for call in event.tool_calls:
            if not call.tool_use_id:
                continue
            receipts = self._store.receipts(event.session_id, call.tool_use_id)
            receipt = self._decisive(receipts)
            if not _did_not_run(call, receipt):
                seen.breach = seen.breach or _of_batch_call(call, receipt, watched)
                reasons += yield from self._of_unjudged(event, call, receipts)
            reasons += [_why_ended(call, one.withheld) for one in receipts if one.withheld is not None][:1]
        stopped = self._breach_of(event) or seen.breach
        if stopped is not None:
            reasons.insert(0, why_stopped(stopped))
        return _deny(verdict, reasons), seen

    def _of_unjudged(self, event: PostToolBatch, call: BatchCall, receipts: Sequence[Receipt]) -> Questions[list[str]]:
        """Why the turn must end if a result was never judged when it arrived: an entry over HTTP may have failed."""
        if not any(one.guard == self._guard and one.status == "open" for one in receipts):
            return []
        why = yield from self._of_failure(_as_failure(event, call))
        if why is None:
            return []
        return [
            f"the result of {call.tool_name} ({call.tool_use_id}) was not judged when it arrived, and {why}. The turn "
            "was ended instead. The result is still in the conversation: rewind or clear it before you continue."
        ]

    # --- the transcript --------------------------------------------------------------------------------------------

    def _of_transcript(self, event: Event) -> tuple[str | None, Look | None]:
        found = self._store.session(event.session_id)
        if found is None or found.since is None or found.breach is not None:
            return None, None
        path = event.agent_transcript_path if isinstance(event, SubagentStop) else event.transcript_path
        look = self._transcripts.look(path, found.since)
        for call in look.calls:
            receipt = self._decisive(self._store.receipts(event.session_id, call))
            if receipt is None:
                return f"the transcript shows a result of {call}, and Interlock was never asked about that call.", look
            if receipt.status == "denied":
                return f"the transcript shows a result of {call}, which was denied{_because(receipt.said)}", look
        return None, look

    # --- sessions ----------------------------------------------------------------------------------------------------

    def _is_watched(self, event: Event) -> bool:
        """Whether Interlock has seen a turn of the session begin: calls from before that cannot have a receipt.

        Of hosts without a transcript that can be read, some raise no event before some calls.
        """
        if TRANSCRIPT in event.extra:
            return False
        found = self._store.session(event.session_id)
        return found is not None and found.since is not None

    def _breach_of(self, event: Event) -> str | None:
        found = self._store.session(event.session_id)
        return None if found is None else found.breach

    def _stop_notice(self, event: Event) -> str | None:
        breach = self._breach_of(event)
        return None if breach is None else why_stopped(breach)


# --- receipts and calls ----------------------------------------------------------------------------------------


def _same_tool(receipt: Receipt, event: PostToolUse | PostToolUseFailure) -> bool:
    return event.tool_name in names_of(receipt.tool)


def _input_of(receipt: Receipt) -> JsonObject | None:
    try:
        found = json.decode(receipt.input) if receipt.input is not None else None
    except DecodeError:
        return None
    return found if isinstance(found, dict) else None


def _why_denied_now(event: PostToolUse | PostToolUseFailure, answered: JsonObject | None) -> Questions[str | None]:
    """Why the policy denies what ran. Rules that would now also deny what was judged do not count.

    State changes in between: a limit that this very call used up denies both, and says nothing about the difference.
    """
    ran = yield _as_call(event, event.tool_input)
    if ran.decision != "deny":
        return None
    before = (yield _as_call(event, answered)) if answered is not None else None
    excused = {opinion.by for opinion in before.opinions if opinion.decision == "deny"} if before is not None else set()
    reasons = [reason.text for reason in ran.reasons if reason.by not in excused]
    unnamed = any(opinion.decision == "deny" and opinion.by not in excused for opinion in ran.opinions)
    return " ".join(reasons) if reasons or unnamed else None


def _as_call(event: PostToolUse | PostToolUseFailure, given: JsonObject) -> PreToolUse:
    return PreToolUse(**{**{name: getattr(event, name) for name in PreToolUse.__struct_fields__}, "tool_input": given})


def _did_not_run(call: BatchCall, receipt: Receipt | None) -> bool:
    # Reasons are kept without secrets, so they are looked for in the response without its secrets.
    return says_it_did_not_run(call.tool_name, redact(call.tool_response), None if receipt is None else receipt.said)


def _as_failure(event: PostToolBatch, call: BatchCall) -> PostToolUseFailure:
    """A call of a batch, as if it had failed with the text that it returned: the model reads it as one text too."""
    shown = call.tool_response
    text = shown if isinstance(shown, str) else json.encode(shown).decode()
    given = call.tool_input if isinstance(call.tool_input, dict) else {}
    base = {name: getattr(event, name) for name in Event.__struct_fields__}
    named: JsonObject = {"tool_name": call.tool_name, "tool_input": given, "tool_use_id": call.tool_use_id}
    return PostToolUseFailure(**base, **named, error=text)


def _of_batch_call(call: BatchCall, receipt: Receipt | None, watched: bool) -> str | None:
    """The breach that a result in a finished batch shows, if any."""
    what = f"{call.tool_name} ({call.tool_use_id})"
    if receipt is None:
        return f"{what} has a result, and Interlock was never asked about that call." if watched else None
    if receipt.status == "denied":
        return f"{what} was denied, but its result is not Interlock's denial{_because(receipt.said)}"
    return None


def _because(reason: str | None) -> str:
    text = (reason or "").strip()
    if not text:
        return "."
    return f": {text}" if text[-1] in ".!?" else f": {text}."


def _why_ended(call: BatchCall, withheld: str) -> str:
    return (
        f"{call.tool_name} ({call.tool_use_id}) failed, and what it printed was not shown to the model: {withheld}, "
        "and no host replaces what a failed call printed. The turn was ended instead. The output is still in the "
        "conversation: rewind or clear it before you continue."
    )


# --- what becomes of the verdict -------------------------------------------------------------------------------


def _with_notice(verdict: Verdict, notice: str | None) -> Verdict:
    return verdict if notice is None else replace(verdict, notices=(*verdict.notices, notice))


def _end(verdict: Verdict, breach: str) -> Verdict:
    """A result after a breach: it is kept from the model, and the turn ends."""
    why = why_stopped(breach)
    return replace(
        verdict,
        interrupt=True,
        withheld="this session was stopped",
        output=UNSET,
        reasons=(Reason(why, _BY),),
        notices=(*verdict.notices, why),
        opinions=(*verdict.opinions, Opinion(by=_BY, withhold=why, interrupt=True, notice=why)),
    )


def _deny(verdict: Verdict, reasons: Iterable[str]) -> Verdict:
    said = tuple(Reason(text, _BY) for text in reasons)
    if not said:
        return verdict
    before = verdict.reasons if verdict.decision == "deny" else ()
    opinions = tuple(Opinion(by=_BY, decision="deny", reason=reason.text) for reason in said)
    return replace(
        verdict,
        decision="deny",
        reasons=(*before, *said),
        notices=(*verdict.notices, *(reason.text for reason in said)),
        opinions=(*verdict.opinions, *opinions),
    )
