"""The life of one call: it is judged, asked about and run, and its result is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.approvals.approval import Approval, Approver, Request, check_answer
from interlock.errors import InterlockError, text_of
from interlock.facts.results import Misfit, fit
from interlock.facts.tools import parse_mcp
from interlock.gate.errors import Denied, NotApproved, Withheld
from interlock.gate.inbox_question import InboxQuestion
from interlock.gate.judges import Judge
from interlock.gate.means import Means, Run
from interlock.gate.prompts import Prompt, PromptNotes
from interlock.hooks.opinions import is_json
from interlock.hosts.base.lower import change_denial
from interlock.judging.asking import Asks, waiting_text, way_for
from interlock.policy.rule import Way
from interlock.store.asking import ApprovalRequest
from interlock.verdict import Verdict

__all__ = ["Life", "Outcome", "encode_event"]

JsonObject: TypeAlias = dict[str, Any]
_PLAIN = "use texts, numbers, booleans, None, and lists and dictionaries of these"
_MOST_ROUNDS = 8  # of questions about one call, each about a different input


class Outcome(Struct, frozen=True, kw_only=True):
    """The outcome of a call that ran: its result, the input it ran with, and the messages."""

    result: Any
    input: JsonObject
    context: tuple[str, ...] = ()  # for the model
    notices: tuple[str, ...] = ()  # for the person
    interrupt: bool = False  # the turn should end


def encode_event(payload: JsonObject, what: str) -> bytes:
    """The bytes of an event. Raises InterlockError if JSON cannot carry it exactly."""
    try:
        return json.encode(payload)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InterlockError(f"{what} holds a value that JSON cannot carry: {error}") from error


class Life:
    """One call, from the model's request to its outcome."""

    def __init__(
        self,
        judge: Judge,
        means: Means,
        base: JsonObject,
        tool: str,
        id: str,
        approver: Approver | None,
        seconds: float,
        notify: Callable[[str], None],
        prompt: Prompt | None = None,
    ) -> None:
        self._judge = judge
        self._means = means
        self._approver = approver
        self._seconds = seconds
        self._prompt = prompt if approver is None else None
        self._notes = None if prompt is None else PromptNotes(judge, means, base["session_id"], tool, prompt.key)
        asked_by_host = approver is not None or prompt is not None or not judge.is_shared
        usual: Way = "host" if asked_by_host else "inbox"
        self._asks = Asks(way=usual, seconds=seconds, beside=True)
        self._notify = notify
        self._base = base
        self._call = {"tool_name": tool, "tool_use_id": id}
        self._tool = tool
        self._context: list[str] = []
        self._notices: list[str] = []

    @property
    def base(self) -> JsonObject:
        """What every event of the call begins with: its session, and where it is."""
        return self._base

    async def live(self, given: JsonObject, run: Run) -> Outcome:
        """Run the tool if it may run. Raises Denied, NotApproved, Withheld, or what the tool raises."""
        return await self.finish(await self.permit(given), run)

    async def permit(self, given: JsonObject) -> JsonObject:
        """The input that may run. Raises Denied, NotApproved, or what a framework raises to pause."""
        if type(given) is not dict or (odd := _odd_in(given)):
            what = odd if type(given) is dict else f"it is a {type(given).__name__}"
            raise InterlockError(f"the input of `{self._tool}` cannot be written as a JSON object: {what}", help=_PLAIN)
        return await self._permitted_input(given)

    async def finish(self, running: JsonObject, run: Run) -> Outcome:
        """Run the tool with the input that `permit` returned, and judge its result."""
        failed: Exception | None = None
        try:
            result = await self._means.run(run, running)
        except GeneratorExit:
            # The caller is gone, and a generator that is being closed may not await anything.
            self._judge.answer(self._failure(running, "abandoned", interrupted=True))
            raise
        except Exception as error:  # noqa: BLE001 - the tool's own: raised again below unless its text is withheld
            failed = error
        except BaseException:
            await self._means.judge_to_the_end(*self._named_failure(running, "cancelled", interrupted=True))
            raise
        if failed is not None:
            # Outside the handler, so that an exception whose text is withheld does not become a __context__.
            await self._raise(running, failed)
        return await self._outcome(running, result)

    async def come_again(self) -> None:
        """The tool has paused by itself, and the framework will make the same call again."""
        if self._notes is not None:
            await self._notes.restore()

    # --- before it runs ----------------------------------------------------------------------------------------

    async def _permitted_input(self, original: JsonObject) -> JsonObject:
        """The input that may run. Raises Denied or NotApproved."""
        given, approved = original, None
        usual = await self._usual_asks()
        for _ in range(_MOST_ROUNDS):
            raw = self._raw("PreToolUse", {**self._call, "tool_input": given})
            # Whoever has approved an input of their own is not asked about it again, in the inbox neither.
            asks = usual if approved is None else replace(usual, seconds=0.0, pauses=False)
            reply = await self._means.judge("PreToolUse", raw, asks)
            verdict = reply.verdict
            self._hear(verdict)
            _refuse_denied(verdict)
            if verdict.decision != "ask":
                return verdict.input
            async with InboxQuestion(self._judge, self._means, asks, raw, reply.request) as inbox:
                asked = await self._event("PermissionRequest", {"tool_name": self._tool, "tool_input": verdict.input})
                _refuse_denied(asked)
                allowed = asked.decision == "allow"
                if _same(verdict.input, approved) or (allowed and not asked.changes and not asks.pauses):
                    return verdict.input
                if allowed and asks.pauses:
                    # The receipt says that nothing ran before a person has answered, but nobody needs to be asked.
                    usual, self._call = self._asks, {**self._call, "tool_use_id": f"{self._call['tool_use_id']}.1"}
                    continue
                if allowed:
                    given = approved = asked.input
                    continue
                answer = await self._answer(self._question(verdict, asked, original), verdict, inbox)
                if asks.pauses and isinstance(answer, Approval):
                    raise await self._not_approved("the framework answered before a person was asked", verdict)
                if isinstance(answer, ApprovalRequest):
                    return await self._settled_input(inbox, answer)
            if answer.input is None or _same(answer.input, verdict.input):
                return verdict.input
            given = approved = answer.input
        raise Denied(f"the call was still being changed after {_MOST_ROUNDS} questions about it", verdict)

    async def _usual_asks(self) -> Asks:
        """How a person is asked about this call. One that the framework pauses for is judged again with the answer."""
        if self._prompt is None or self._notes is None or await self._prompt.is_resumed(self._notes):
            return self._asks
        return replace(self._asks, pauses=True)

    async def _settled_input(self, inbox: InboxQuestion, answer: ApprovalRequest) -> JsonObject:
        """The input that may run after an answer in the inbox, with which the call is judged again."""
        reply, answer = await inbox.settle(answer)
        verdict = reply.verdict
        self._hear(verdict)
        if verdict.decision in ("allow", None):
            return verdict.input
        if answer.status == "yes" and verdict.decision == "deny":
            _refuse_denied(verdict)
        raise await self._not_approved(verdict.reason or "this call was not approved", verdict)

    def _question(self, verdict: Verdict, request: Verdict, original: JsonObject) -> Request:
        reasons = [text for text in (verdict.reason, request.reason) if text]
        return Request(
            tool=self._tool,
            input=json.decode(json.encode(verdict.input)),  # a copy: changes made to it in place do not count
            original=original,
            reason="\n".join(dict.fromkeys(reasons)) or None,
            changes=verdict.changes,
            session=self._base["session_id"],
            call=self._call["tool_use_id"],
        )

    async def _answer(self, question: Request, verdict: Verdict, inbox: InboxQuestion) -> Approval | ApprovalRequest:
        """An approval, or an answer that was given in the inbox. Raises NotApproved if there is neither."""
        approver = self._approver if inbox.id is None or way_for(verdict, self._asks.way) != "inbox" else None
        if inbox.id is not None:
            self._notify(waiting_text(question.tool, inbox.id))
        if approver is None and inbox.id is not None:
            return await inbox.answer()
        why = ""
        if approver is None and self._prompt is not None and self._notes is not None:
            answer = await self._prompt_answer(self._prompt, self._notes, question, verdict)
            if answer.yes:
                return answer
            why = _no(answer)
        elif approver is None:
            why = "this call needs a person's approval, and no one can be asked"
        else:
            try:
                given = await inbox.first_answer(approver, question, self._seconds)
                if isinstance(given, ApprovalRequest):
                    return given
                answer = check_answer(given)
                if answer.yes:
                    return answer
                why = _no(answer)
            except TimeoutError:
                why = f"no one approved this call within {self._seconds:g} s"
            except InterlockError as error:
                why = f"the approver failed: {error.in_one_line()}"
            except Exception as error:  # noqa: BLE001 - an approver that raises has not said yes
                why = f"the approver raised {type(error).__name__}: {text_of(error)}"
        raise await self._not_approved(why, verdict)

    async def _prompt_answer(self, prompt: Prompt, notes: PromptNotes, question: Request, verdict: Verdict) -> Approval:
        """The framework's answer. Whatever it raises ends this call, which then has not run."""
        if verdict.changes and not prompt.shows_changes:
            # A person must not approve one call and let another run.
            texts = [text for text in (question.reason, change_denial(prompt.host, verdict.input)) if text]
            raise Denied("\n".join(texts), replace(verdict, decision="deny"))
        return check_answer(await prompt.ask(question, notes))

    async def _not_approved(self, why: str, verdict: Verdict) -> NotApproved:
        refused = {**self._call, "tool_input": verdict.input, "reason": why}
        await self._event("PermissionDenied", refused)
        return NotApproved(why, verdict)

    # --- after it ran ------------------------------------------------------------------------------------------

    async def _outcome(self, running: JsonObject, result: Any) -> Outcome:
        fields = {**self._call, "tool_input": running, "tool_response": result}
        try:
            _check_result(self._tool, result)
            raw = self._raw("PostToolUse", fields)
        except InterlockError:
            await self._means.judge_to_the_end(*self._named_failure(running, "it returned no JSON"))
            raise
        verdict = (await self._means.judge_to_the_end("PostToolUse", raw)).verdict
        self._hear(verdict)
        if verdict.withheld is not None:
            raise Withheld(f"this result is withheld: {verdict.withheld}", verdict)
        if verdict.output is not UNSET:
            result = _replacement(self._tool, result, verdict)
        return Outcome(
            result=result,
            input=running,
            context=tuple(self._context),
            notices=tuple(self._notices),
            interrupt=verdict.interrupt,
        )

    async def _raise(self, running: JsonObject, error: Exception) -> None:
        """Raise what the tool raised, unless a rule would have kept its text from the model."""
        text = f"{type(error).__name__}: {text_of(error)}"
        reply = await self._means.judge_to_the_end(*self._named_failure(running, text))
        self._hear(reply.verdict)
        why = reply.verdict.withheld
        if why is None:
            raise error
        raise Withheld(f"the tool failed, and what it said is withheld: {why}", reply.verdict)

    # --- events ------------------------------------------------------------------------------------------------

    async def _event(self, name: str, fields: JsonObject) -> Verdict:
        verdict = (await self._means.judge(name, self._raw(name, fields))).verdict
        self._hear(verdict)
        return verdict

    def _raw(self, name: str, fields: JsonObject) -> bytes:
        return encode_event({**self._base, "hook_event_name": name, **fields}, f"a call of `{self._tool}`")

    def _hear(self, verdict: Verdict) -> None:
        if verdict.opinions and verdict.told is not None:
            self._context.append(verdict.told)
        self._notices += verdict.notices

    def _named_failure(self, running: JsonObject, text: str, *, interrupted: bool = False) -> tuple[str, bytes]:
        return "PostToolUseFailure", self._failure(running, text, interrupted=interrupted)

    def _failure(self, running: JsonObject, text: str, *, interrupted: bool = False) -> bytes:
        readable = text.encode("utf-8", "replace").decode()
        fields = {**self._call, "tool_input": running, "error": readable, "is_interrupt": interrupted}
        return json.encode({**self._base, "hook_event_name": "PostToolUseFailure", **fields})


def _check_result(tool: str, result: Any) -> None:
    if odd := _odd_in(result):
        why = f"the result of `{tool}` cannot be written as JSON: {odd}; the tool ran, but its result cannot be judged"
        raise InterlockError(why, help=_PLAIN)


def _refuse_denied(verdict: Verdict) -> None:
    if verdict.decision == "deny":
        raise Denied(verdict.reason or "this call is denied", verdict)


def _no(answer: Approval) -> str:
    return f"the person did not approve this call{f': {answer.reason}' if answer.reason else ''}"


def _same(one: JsonObject, other: JsonObject | None) -> bool:
    # 1, 1.0 and True are equal in Python, but not to a tool.
    return other is not None and json.encode(one, order="sorted") == json.encode(other, order="sorted")


def _replacement(tool: str, result: Any, verdict: Verdict) -> Any:
    """The result that the policy substituted. The texts and blocks of an MCP tool stay texts and blocks."""
    if parse_mcp(tool) is None or not isinstance(result, str | list):
        return verdict.output
    try:
        return fit(tool, result, verdict.output)
    except Misfit as misfit:
        raise Withheld(f"this result is withheld: {misfit}", verdict) from None


def _odd_in(value: Any) -> str:
    """The part of a value that JSON cannot carry exactly; empty if there is none."""
    try:
        if is_json(value):
            return ""
        if type(value) is dict:
            found = next((name for name, item in value.items() if type(name) is str and not is_json(item)), None)
            return "a key is not a text" if found is None else f"`{found}` is or contains a {_odd(value[found])}"
        return f"it is or contains a {_odd(value)}"
    except RecursionError:
        return "it is nested too deeply, or contains itself"


def _odd(value: Any) -> str:
    """The name of the kind of value that is at fault."""
    if type(value) is list:
        return next(_odd(item) for item in value if not is_json(item))
    if type(value) is dict:
        return next((_odd(item) for item in value.values() if not is_json(item)), "key that is not a text")
    if type(value) is float:
        return "number that is infinite or NaN"
    return "half surrogate pair" if type(value) is str else type(value).__name__
