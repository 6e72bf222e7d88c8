"""The dialect of a host that spawns a program for an event, made from a table: one row for each of its events.

Policies are written in Claude Code's words. A row says which of its events is meant, what the host does with an
answer, and how the answer is written. Whatever the host would ignore was lowered before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from msgspec import UNSET, Struct, ValidationError, json
from msgspec.structs import replace

from interlock.effect import Effect, safe_direction
from interlock.errors import InterlockError
from interlock.event import EVENTS, Event, PostToolUse, ToolEvent, event_from
from interlock.facts.results import text_of_result
from interlock.hosts.base.decode import translate_error
from interlock.hosts.base.lower import lower
from interlock.hosts.base.reading import Output, Reading
from interlock.hosts.base.reply import Reply
from interlock.hosts.base.tools import NativeTool, check_fields, from_policy, to_policy, with_both_readings
from interlock.jsontext import find_character, mend_surrogates, read_object
from interlock.verdict import Loss, Reason, Verdict, combine, failure

__all__ = ["HOST_EVENT", "HookRow", "NativeAnswer", "TableDialect", "call_fields", "effects", "native_input",
           "text_instead", "to_json"]  # fmt: skip

JsonObject: TypeAlias = dict[str, Any]
TRANSCRIPT = "host_transcript"
HOST_EVENT = "host_event"  # of an event whose row is not the first one of its name: the row's name
_NO_REASON = "this is denied, and the rule gives no reason."


class NativeAnswer(Struct, frozen=True):
    """What is printed, what goes to stderr, and the exit code."""

    stdout: JsonObject | None = None  # None: nothing at all
    stderr: str = ""
    exit_code: int = 0
    text: str = ""  # printed as it is, by a host that reads no JSON


class HookRow(Struct, frozen=True):
    """One event of a host: the event that policies know it as, what the host honours there, and how to answer.

    `then`: the event that the host raises next about the same call, before it runs. `unsure`: only that one says which
    tool is called.
    """

    event: str
    honours: frozenset[Effect]
    write: Callable[[Verdict, Event | None], NativeAnswer]
    holds_back: bool = True  # a result that must not be read can be kept from the model
    takes: Callable[[Event, Verdict], bool] = lambda event, verdict: True  # it carries out these changes of a call
    then: str = ""
    unsure: bool = False


Translate: TypeAlias = Callable[[JsonObject], JsonObject]
"""A payload of the host in the fields of Claude Code. Raises InterlockError for what cannot be read."""


class TableDialect:
    """A host's dialect."""

    def __init__(
        self,
        title: str,
        rows: Mapping[str, HookRow],
        translate: Translate,
        tools: Mapping[str, NativeTool] | None = None,
    ) -> None:
        """`rows`: the host's own name of an event → its row. `tools`: for what a call should be instead.

        A host may raise several events that policies know as one, and honour other things at each. Of these rows, the
        first says what is honoured where only the name that policies know is given. `translate` may put the name of
        another row of the same event under `HOST_EVENT`.
        """
        self._title = title
        self._rows = dict(rows)
        self._first = {row.event: row for row in reversed(list(rows.values()))}
        self._second = {row.then for row in rows.values() if row.then}
        self._translate = translate
        self._tools = tools or {}

    def honours(self, event_name: str) -> frozenset[Effect]:
        """What the host does with Interlock's answer to this event."""
        row = self._first.get(event_name)
        return frozenset() if row is None else row.honours

    def name_of(self, event_name: str) -> str | None:
        """What the host calls an event; None if it does not raise it."""
        return next((name for name, row in self._rows.items() if row.event == event_name), None)

    def row_of(self, event: Event) -> HookRow | None:
        """The row of this very event."""
        return self._row(event.hook_event_name, event)

    def is_second(self, event: Event) -> bool:
        """Whether this is the second event that the host raises about one call, before it runs."""
        return event.extra.get(HOST_EVENT) in self._second

    def _row(self, event_name: str, event: Event | None) -> HookRow | None:
        row = None if event is None else self._rows.get(event.extra.get(HOST_EVENT, ""))
        return row if row is not None and row.event == event_name else self._first.get(event_name)

    def holds_back(self, event_name: str) -> bool:
        """Whether a result can be kept from the model."""
        row = self._first.get(event_name)
        return row is not None and row.holds_back

    def decode(self, raw: bytes) -> Event:
        """The event in `raw`, or an InterlockError naming the field at fault."""
        payload = self._read(raw)
        for own in ("parts", HOST_EVENT):
            payload.pop(own, None)  # only Interlock says what the parts of a call are, and which row is its event's
        payload = with_both_readings(self._translate(payload))
        name = payload.get("hook_event_name")
        if not isinstance(name, str):
            raise InterlockError("the field `hook_event_name` is missing or not a string")
        key = payload.pop(HOST_EVENT, name)
        row = self._rows.get(key)
        known = None if row is None else row.event
        if row is None and name in EVENTS:
            # It must not become an event that this host does not raise, and that may fall in another direction.
            raise InterlockError(f"{self._title} does not raise {name}")
        if row is not None and row is not self._first[row.event]:
            payload[HOST_EVENT] = key
        payload["hook_event_name"] = known or name
        # Nothing reads it: it has another form than Claude Code's.
        payload[TRANSCRIPT], payload["transcript_path"] = payload.get("transcript_path") or "", ""
        # The system ends a path or a command at a NUL, so what was judged would not be what runs.
        if b"\\u0000" in raw and safe_direction(known) == "deny" and (field := find_character(payload, "\0")):
            raise InterlockError(f"the field `{field}` contains a NUL character")
        try:
            return event_from(payload)
        except ValidationError as error:
            raise InterlockError(f"{name}: {translate_error(str(error))}") from error

    def _read(self, raw: bytes) -> JsonObject:
        try:
            return read_object(raw)
        except InterlockError:
            # A host may cut a result in the middle of an emoji. That is not a reason to withhold it; a call is refused.
            mended = mend_surrogates(raw)
            if mended == raw:
                raise
            found = read_object(mended)
            row = self._rows.get(str(found.get("hook_event_name")))
            if safe_direction(None if row is None else row.event) == "deny":
                raise
            return found

    def encode(self, event: Event, verdict: Verdict) -> Reply:
        """The answer, with parts that the host would not honour replaced by stricter ones."""
        return self._reply(event.hook_event_name, verdict, event)

    def fail(
        self, event_name: str | None, message: str, *, detail: str = "", event: Event | None = None, raw: bytes = b""
    ) -> Reply:
        """The answer when there is no verdict. An event that could not be read gets the strictest answer."""
        failed = combine([failure(event_name, "interlock", message, detail)])
        return self._reply(event_name or "PreToolUse", failed, event)

    def restore(self, stdout: bytes, verdict: Verdict) -> Verdict:
        """Only the decision of a kept verdict is needed."""
        return verdict

    def read(self, event_name: str, output: Output, by: str) -> Reading:
        """Hooks that were written for this host are not run by Interlock."""
        raise InterlockError(
            f"hooks that answer in the form of {self._title} are not known here",
            help="register them as claude-code or flat",
        )

    def _reply(self, event_name: str, verdict: Verdict, event: Event | None) -> Reply:
        meant = verdict
        row = self._row(event_name, event)
        honours: frozenset[Effect] = frozenset() if row is None else row.honours
        safe = native_input(self._tools, event, verdict.input) if verdict.changes else None
        takes = row is None or event is None or row.takes(event, verdict)
        if verdict.changes and (safe is None or not takes):
            honours -= {"change"}
        verdict = lower(verdict, event_name, honours, self._title, safe)
        if verdict.decision == "deny" and not (verdict.reason or "").strip():
            verdict = replace(verdict, reasons=(Reason(_NO_REASON, "interlock"),))  # some hosts take none for no denial
        if verdict.withheld is not None and not (row is not None and row.holds_back):
            shown = f"{self._title} shows this result all the same: {verdict.withheld}"
            lost = Loss("withheld", "shown all the same")
            verdict = replace(verdict, notices=(*verdict.notices, shown), lowered=(*verdict.lowered, lost))
        answer = NativeAnswer(stderr="\n".join(verdict.notices)) if row is None else row.write(verdict, event)
        stdout = answer.text.encode("utf-8", "replace") if answer.stdout is None else to_json(answer.stdout)
        return Reply(stdout=stdout, stderr=answer.stderr, exit_code=answer.exit_code, verdict=verdict, meant=meant)


to_json = json.Encoder().encode


def call_fields(tools: Mapping[str, NativeTool], name: Any, given: Any) -> JsonObject:
    """The fields of an event about a call, in the words of policies. The host's own name is kept beside them.

    A tool that is not in the table keeps its name and fields: it is judged as what it is, by rules about all tools.
    """
    if not isinstance(name, str) or not isinstance(given, dict):
        raise InterlockError("the call has no name or no input")
    tool = tools.get(name)
    if tool is None:
        return {"tool_name": name, "tool_input": given}
    found = to_policy(tool, given)
    named: JsonObject = {"tool_name": tool.name, "tool_input": found}
    if tool.name != name:
        named["host_tool"] = name
    parts = None if tool.split is None else tool.split(found)
    if parts is None:
        check_fields(tool.name, found)
        return named
    for part, part_input in parts:
        check_fields(part, part_input)
    if tool.join is not None and len(parts) == 1:
        return {"tool_name": parts[0][0], "tool_input": parts[0][1], "host_tool": name}
    return {**named, "parts": [{"tool_name": part, "tool_input": part_input} for part, part_input in parts]}


def native_input(tools: Mapping[str, NativeTool], event: Event | None, given: JsonObject) -> JsonObject | None:
    """The input that a call should have instead, in the host's own fields. None: it cannot be said in them."""
    if not isinstance(event, ToolEvent):
        return given
    tool = tools.get(event.extra.get("host_tool", event.tool_name))
    if tool is None:
        return given
    if tool.join is None:
        return from_policy(tool, given)
    return None if event.parts else tool.join(event.tool_name, given)


def text_instead(verdict: Verdict, event: Event | None) -> str | None:
    """The text that the model must read instead of a result; None if the result stays."""
    if verdict.withheld is not None:
        return f"[withheld by Interlock: {verdict.withheld}]"
    if verdict.output is UNSET or not isinstance(event, PostToolUse):
        return None
    return text_of_result(event.tool_name, verdict.output)


def effects(names: str) -> frozenset[Effect]:
    """The effects that a host honours, as words in a row."""
    return cast("frozenset[Effect]", frozenset(names.split()))
