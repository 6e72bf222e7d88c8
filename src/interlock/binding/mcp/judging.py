"""Submit calls and results to the policy, as the events that every other host raises."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.approvals.inbox import Inbox
from interlock.binding.mcp.results import ResultPart, fit_part, parts_of, told_beside, withheld
from interlock.errors import text_of
from interlock.facts.results import Misfit, meaning
from interlock.judging.asking import BY_HOST, Asks, waiting_text, way_for
from interlock.policy.rule import Way
from interlock.service import Reply
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Entry, Store
from interlock.verdict import Change, Verdict

__all__ = ["Ruling", "ServerCall", "ServerIdentity", "ServerJudge", "digest_of", "safe_name"]

JsonObject: TypeAlias = dict[str, Any]
_TOOL = "mcp__server__tool"
_BEGIN_SECONDS = 10.0


def safe_name(name: str) -> str:
    """A server's or tool's name as hosts write it within `mcp__server__tool`."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def digest_of(tool: str, arguments: JsonObject) -> str:
    """What a person's yes applies to: this tool with these arguments, however they were written."""
    return hashlib.sha256(json.encode([tool, arguments], order="sorted")).hexdigest()


class ServerIdentity(Struct, frozen=True):
    """The server behind the proxy: the name that its tools use, and where it really comes from."""

    name: str
    source: str

    def tool(self, name: str) -> str:
        return f"mcp__{safe_name(self.name)}__{safe_name(name)}"


class ServerCall(Struct, frozen=True):
    """One call: the tool as the server and as policies name it, what the client sent, and Interlock's own id for it."""

    name: str
    tool: str
    arguments: JsonObject
    use: str


class Ruling(Struct, frozen=True):
    """What happens to a call. It runs with `arguments`; `told` is for the model, along with the result."""

    decision: Literal["run", "ask", "deny"]
    arguments: JsonObject
    reason: str = ""
    told: str | None = None
    changes: Sequence[Change] = ()
    request: str | None = None  # a person is asked in the inbox
    way: Way = "host"  # where a person is asked

    @property
    def is_changed(self) -> bool:
        return bool(self.changes)


class ServerJudge:
    """Asks the policies, and turns any error on the way into a refusal."""

    def __init__(
        self,
        answer: Callable[[bytes, Asks], Reply],
        server: ServerIdentity,
        cwd: str,
        tell: Callable[[str], None],
        *,
        begins: bool = False,
        store: Callable[[], Store] | None = None,
    ) -> None:
        """`answer` passes an event to the policies; `tell` says something to the person.

        `begins` says that `begin` will be called, and that nothing is judged before that. `store` is where a person can
        be asked in another process; None: nowhere.
        """
        self._answer = answer
        self._store = store
        self._inbox = None if store is None else Inbox(store)
        self._server = server
        self._tell = tell
        self._calls = 0
        self._begun = threading.Event()
        if not begins:
            self._begun.set()
        self.session = f"mcp-{secrets.token_hex(12)}"
        self._common = {"session_id": self.session, "transcript_path": "", "cwd": cwd}
        self._from = {"mcp_server": {"name": server.name, "source": server.source}}

    def new_call(self, name: str, arguments: JsonObject) -> ServerCall:
        self._calls += 1
        return ServerCall(name, self._server.tool(name), arguments, f"mcp-call-{self._calls}")

    @property
    def has_inbox(self) -> bool:
        return self._inbox is not None

    def call(self, call: ServerCall, asks: Asks = BY_HOST) -> Ruling:
        """Whether and how a call may run."""
        try:
            reply = self._about(call, "PreToolUse", call.arguments, asks, tool_use_id=call.use)
        except Exception as error:  # noqa: BLE001 - the one place where a bug on this path becomes a refusal
            return Ruling("deny", call.arguments, _failure_text(error))
        return replace(_ruling(call, reply.verdict), request=reply.request, way=way_for(reply.verdict, asks.way))

    def inbox_answer(self, call: ServerCall, request: str, over: threading.Event) -> ApprovalRequest | str:
        """A request once a person has answered it, or its time is up, or it is `over`. May block for minutes.

        A text says why nobody can answer it.
        """
        try:
            assert self._inbox is not None  # noqa: S101 - there is no request without it
            self._tell(waiting_text(call.tool, request))
            return self._inbox.wait(request, over.is_set)
        except Exception as error:  # noqa: BLE001 - as above
            return _failure_text(error)

    def settle(self, call: ServerCall, asks: Asks, answer: ApprovalRequest | str) -> Ruling:
        """Whether and how a call may run after an answer in the inbox, with which it is judged again."""
        if isinstance(answer, str):
            return Ruling("deny", call.arguments, answer)
        return self.call(call, replace(asks, answer=answer, counted=True))

    def drop(self, request: str, *, stays_open: bool = False) -> None:
        """Note that nobody waits for an answer: the call was decided elsewhere, or was given up and may come again."""
        try:
            assert self._store is not None  # noqa: S101 - there is no request without it
            record = {"event": "Abandoned", "session": self.session, "request": request}
            how = {"leaves" if stays_open else "drops": request}
            self._store().commit(Entry(record=record, raw=b"", at=time.time(), **how))  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 - nothing is let through by it
            self._tell(_failure_text(error))

    def permission(self, call: ServerCall, ruling: Ruling) -> Ruling:
        """Whether a person must really be asked: policies may answer in their place."""
        try:
            answer = self._about(call, "PermissionRequest", ruling.arguments).verdict
        except Exception as error:  # noqa: BLE001 - as above
            return replace(ruling, decision="deny", reason=_failure_text(error))
        if answer.decision == "deny":
            return replace(ruling, decision="deny", reason=answer.reason or ruling.reason)
        return replace(ruling, decision="run") if answer.decision == "allow" else ruling

    def answered(self, call: ServerCall, ruling: Ruling, action: str, how: str) -> Ruling:
        """Record a person's answer, without which it does not count."""
        said = {"tool": call.tool, "digest": digest_of(call.tool, ruling.arguments), "how": how}
        try:
            answer = self._raise(
                "ElicitationResult",
                mcp_server_name="interlock",
                action=action,
                elicitation_id=call.use,
                content=said,
            ).verdict
        except Exception as error:  # noqa: BLE001 - as above
            return replace(ruling, decision="deny", reason=_failure_text(error))
        if answer.decision == "deny":
            return replace(ruling, decision="deny", reason=answer.reason or "This answer may not be given.")
        return replace(ruling, decision="run")

    def result(self, call: ServerCall, ran: JsonObject, result: JsonObject, told: str | None = None) -> JsonObject:
        """What may be read of a result."""
        try:
            words, judged = self._result(call, ran, result)
        except Exception as error:  # noqa: BLE001 - as above, for results
            return withheld(result, _failure_text(error))
        said = "\n".join(text for text in (told, *words) if text)
        return told_beside(judged, said) if said else judged

    def error(self, call: ServerCall, ran: JsonObject, error: JsonObject) -> JsonObject:
        """What may be read of the JSON-RPC error with which a call was answered."""
        text = str(error.get("message", ""))
        if error.get("data") is not None:
            text += "\n" + json.encode(error["data"]).decode()
        read = self.result(call, ran, {"content": [{"type": "text", "text": text}], "isError": True})
        blocks: list[JsonObject] = read["content"]
        if [block.get("text") for block in blocks] == [text]:
            return error
        return {"code": error.get("code", 0), "message": "\n".join(str(block.get("text")) for block in blocks)}

    def lost(self, call: ServerCall, ran: JsonObject, why: str) -> None:
        """Report that a call's result will never come."""
        try:
            self._about(call, "PostToolUseFailure", ran, tool_use_id=call.use, error=why)
        except Exception as error:  # noqa: BLE001 - nothing is let through by it
            self._tell(_failure_text(error))

    def note(self, text: str) -> None:
        """Tell the person of something odd, and record it."""
        self._tell(text)
        self._silently("Notification", message=text, notification_type="mcp_proxy")

    def begin(self) -> None:
        """Load the policies before the first call, which waits for that, and tell the person about them."""
        try:
            self._silently("SessionStart", source="startup")
        finally:
            self._begun.set()

    def end(self) -> None:
        self._silently("SessionEnd", reason="other")

    # --- events ----------------------------------------------------------------------------------------------

    def _result(self, call: ServerCall, ran: JsonObject, result: JsonObject) -> tuple[list[str], JsonObject]:
        failed = result.get("isError") is True
        words: list[str] = []
        uses = [call.use]
        if failed:
            text = _text_of_result(result)
            answer = self._about(call, "PostToolUseFailure", ran, tool_use_id=call.use, error=text).verdict
            if answer.withheld is not None:
                return [], withheld(result, answer.withheld)
            words += [answer.told] if answer.told else []
            uses = []  # a failed call's text is judged like any result, but sets nothing: its receipt is closed
        for number, part in enumerate(parts_of(result)):
            use = uses.pop() if uses else f"{call.use}/{number}"
            extra = {"is_error": True} if failed else {}
            fields = {"tool_use_id": use, "tool_response": part.response, **extra}
            answer = self._about(call, "PostToolUse", ran, **fields).verdict
            if answer.withheld is not None:
                return [], withheld(result, answer.withheld)
            if answer.output is not UNSET:
                try:
                    result = _replace_part(result, part, answer.output)
                except Misfit as misfit:
                    return [], withheld(result, str(misfit))
            words += [answer.told] if answer.told else []
        return words, result

    def _about(self, call: ServerCall, event: str, given: JsonObject, asks: Asks = BY_HOST, /, **more: Any) -> Reply:
        self._begun.wait(_BEGIN_SECONDS)
        return self._raise(event, asks, tool_name=call.tool, tool_input=given, **more, **self._from)

    def _raise(self, event: str, asks: Asks = BY_HOST, /, **fields: Any) -> Reply:
        reply = self._answer(json.encode({"hook_event_name": event, **self._common, **fields}), asks)
        for notice in (*reply.verdict.notices, *([reply.stderr] if reply.stderr else ())):
            self._tell(notice)
        return reply

    def _silently(self, event: str, **fields: Any) -> None:
        try:
            self._raise(event, **fields)
        except Exception as error:  # noqa: BLE001 - nothing depends on its answer
            self._tell(_failure_text(error))


def _replace_part(result: JsonObject, part: ResultPart, output: Any) -> JsonObject:
    # An answer that changes nothing must not reformat the result.
    return result if output == meaning(_TOOL, part.response) else fit_part(result, part, output)


def _ruling(call: ServerCall, answer: Verdict) -> Ruling:
    if answer.decision == "deny":
        return Ruling("deny", call.arguments, answer.reason or "Denied by Interlock.")
    decision: Literal["run", "ask"] = "ask" if answer.decision == "ask" else "run"
    arguments = answer.input if answer.changes else call.arguments
    return Ruling(decision, arguments, answer.reason or "", answer.told, answer.changes)


def _failure_text(error: BaseException) -> str:
    return f"Interlock itself failed: {type(error).__name__}: {text_of(error)}"


def _text_of_result(result: JsonObject) -> str:
    """What a failed call said, as one text."""
    blocks = result.get("content")
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    found = "\n".join(text for text in texts if isinstance(text, str))
    return found or json.encode(result).decode()
