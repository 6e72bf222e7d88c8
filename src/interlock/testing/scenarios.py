"""Run `*.test.yaml` files: sequences of calls, results, prompts and waits, with the expected outcome of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, json
from msgspec.structs import replace

from interlock.errors import InterlockError, Source, did_you_mean
from interlock.event import EVENTS, Event
from interlock.facts.results import meaning, text_of_result
from interlock.facts.tools import parse_mcp
from interlock.hosts import dialect_of
from interlock.hosts.base.host import Host
from interlock.judging.guard import Guard
from interlock.policy.durations import seconds_of
from interlock.policy.foreign_words import word_for
from interlock.policy.load import Policy
from interlock.policy.names import ToolPattern
from interlock.policy.positions import Document, LocatedErrors, Node
from interlock.service import answer, respond
from interlock.store.memory import MemoryStore
from interlock.testing.as_sent import Unsendable, as_sent, unsaid
from interlock.testing.cases import check_given, prepare
from interlock.testing.events import call_of, payload_for
from interlock.testing.pretend import PROJECT, Pretend
from interlock.verdict import Verdict

__all__ = ["ScenarioResult", "policy_named_in", "run_scenarios"]

JsonObject: TypeAlias = dict[str, Any]
_WORDS = "claude-code"  # scenarios are written in its words
_STEP_KEYS = ("call", "returns", "prompt", "event", "wait", "given", "expect", "change", "reason", "fires", "context",
              "notify", "output", "host")  # fmt: skip

_STEP_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "change": (dict, "change: {file_path: /sandbox/a}"),
    "fires": (list, "fires: [no-rm]"),
    "event": ((str, dict), "event: Stop"),
}
_DECISIONS = ("deny", "ask", "allow", "defer", "none")
_OF_BOTH = ("fires", "context", "notify", "output")  # keys about a call and its result
_TEXTS = {"context": "context", "notify": "notice"}


class ScenarioResult(Struct, frozen=True):
    """The outcome of one scenario: the first step that was not as expected, if any."""

    name: str
    ok: bool
    source: Source
    message: str = ""
    help: str = ""
    line: str = ""  # of the file, for pointing at the step
    unsendable: str = ""  # why the host never sends one of its events, as the end of a sentence about the host


def policy_named_in(document: Document) -> str:
    """The policy file that a test file is about."""
    parts = document.root.value if isinstance(document.root.value, dict) else {}
    node = parts.get("policy")
    if node is None or not isinstance(node.value, str):
        help = "start with `policy: interlock.yaml`"
        raise document.error("the test file names no policy", document.root.source, help)
    return node.value


def run_scenarios(document: Document, policy: Policy, host: Host | None = None) -> Iterator[ScenarioResult]:
    """Run every scenario of a test file, in order. Raises LocatedErrors with all mistakes of the file.

    With a host, every event is one that this host sends. What it would ignore of an answer is expected all the same.
    """
    if problems := list(_problems(document, policy)):
        raise LocatedErrors(problems)
    for node in document.root.value["scenarios"].value:
        yield _run(document, node, policy, host)


# --- mistakes of the file -----------------------------------------------------------------------------------


def _problems(document: Document, policy: Policy) -> Iterator[InterlockError]:
    """Everything that is wrong with a test file, each at its place."""
    unknown = list(_unknown_keys(document, document.root, ("policy", "scenarios"), "a test file"))
    yield from unknown
    parts = document.root.value if isinstance(document.root.value, dict) else {}
    listed = parts.get("scenarios")
    if listed is None and unknown:
        return  # which of them was meant is for the person to say
    if listed is None or not isinstance(listed.value, list) or not listed.value:
        place = listed.source if listed is not None else document.root.source
        help = "write `scenarios: [{name: a, steps: [{call: ls, expect: none}]}]`"
        yield document.error("the test file has no scenarios", place, help)
        return
    for node in listed.value:
        yield from _scenario_problems(document, node, policy)


def _unknown_keys(document: Document, node: Node, known: tuple[str, ...], what: str) -> Iterator[InterlockError]:
    for name, source in node.keys.items():
        if name not in known:
            help = word_for(name, "step", dict.fromkeys(known, "")) or did_you_mean(
                name, known, f"use one of {', '.join(f'`{one}`' for one in known)}"
            )
            yield document.error(f"unknown key `{name}` in {what}", source, help)


def _scenario_problems(document: Document, node: Node, policy: Policy) -> Iterator[InterlockError]:
    if not isinstance(node.value, dict):
        help = "write `{name: a, steps: [{call: ls, expect: none}]}`"
        yield document.error("a scenario is not a map", node.source, help)
        return
    unknown = list(_unknown_keys(document, node, ("name", "given", "steps"), "a scenario"))
    yield from unknown
    steps = node.value.get("steps")
    if steps is None and unknown:
        return
    if steps is None or not isinstance(steps.value, list) or not steps.value:
        help = "list them: `steps: [{call: ls, expect: none}]`"
        yield document.error("a scenario has no steps", steps.source if steps else node.source, help)
        return
    yield from _given_problems(document, node.value.get("given"))
    for step in steps.value:
        yield from _step_problems(document, step, policy)


def _step_problems(document: Document, step: Node, policy: Policy) -> Iterator[InterlockError]:
    if not isinstance(step.value, dict):
        yield document.error("a step is not a map", step.source, "write `{call: ls, expect: none}`")
        return
    yield from _unknown_keys(document, step, _STEP_KEYS, "a step")
    parts = step.value
    yield from _given_problems(document, parts.get("given"))
    for key, (kinds, shown) in _STEP_TYPES.items():
        if key in parts and not isinstance(parts[key].plain(), kinds):
            yield document.error(f"`{key}` of a step has the wrong type", parts[key].source, f"write `{shown}`")
    if "wait" in parts and seconds_of(str(parts["wait"].value)) is None:
        yield document.error(f"`{parts['wait'].value}` is not a duration", parts["wait"].source, "write `wait: 61m`")
    if "expect" in parts and parts["expect"].value not in _DECISIONS:
        help = did_you_mean(str(parts["expect"].value), _DECISIONS, f"use one of {', '.join(_DECISIONS)}")
        yield document.error(f"a verdict is never `{parts['expect'].value}`", parts["expect"].source, help)
    if "call" in parts:
        yield from _call_problems(document, parts["call"], policy)
    elif "event" in parts:
        written = parts["event"].value
        name = next(iter(written), "") if isinstance(written, dict) else written
        if isinstance(written, str | dict) and name not in EVENTS:
            help = did_you_mean(str(name), EVENTS, "`interlock docs policy` lists the events")
            yield document.error(f"unknown event `{name}`", parts["event"].source, help)
    elif not parts.keys() & {"prompt", "wait"} and not step.keys.keys() - set(_STEP_KEYS):
        help = "write `{call: ls, expect: none}`"
        yield document.error("a step has no `call`, `prompt`, `event` or `wait`", step.source, help)


def _call_problems(document: Document, node: Node, policy: Policy) -> Iterator[InterlockError]:
    try:
        if isinstance(node.value, dict) and len(node.value) == 1:
            ToolPattern(next(iter(node.value)), policy.tools)
        call_of(node.plain())
    except InterlockError as error:
        yield document.error(error.message, node.source, error.help)


def _given_problems(document: Document, node: Node | None) -> Iterator[InterlockError]:
    if node is None or node.value is None:
        return
    try:
        check_given(node.plain())
    except InterlockError as error:
        keys = node.keys if isinstance(node.value, dict) else {}
        place = next((source for name, source in keys.items() if f"`{name}`" in error.message), node.source)
        yield document.error(error.message, place, error.help)


# --- running ------------------------------------------------------------------------------------------------


class _NeverSent(Exception):  # noqa: N818 - not an error: the host has no such event
    """The host never sends an event of the scenario."""


def _run(document: Document, node: Node, policy: Policy, host: Host | None) -> ScenarioResult:
    parts = node.value
    name = str(parts["name"].value) if "name" in parts else f"line {node.source.line}"

    def failure_at(place: Source, message: str, help: str | None = None) -> ScenarioResult:
        line = document.lines[place.line - 1] if place.line <= len(document.lines) else ""
        return ScenarioResult(name, False, place, message, help or "", line)

    at = parts["given"].source if "given" in parts else node.source
    try:
        session = _Session(policy, parts["given"].plain() if "given" in parts else {}, host)
    except InterlockError as error:
        return failure_at(at, error.message, error.help)
    try:
        for step in parts["steps"].value:
            at = step.source
            problem = session.play(step.plain())
            if problem:
                return failure_at(step.source, problem)
    except InterlockError as error:
        return failure_at(at, error.message, error.help)
    except _NeverSent as never:
        return ScenarioResult(name, True, at, unsendable=str(never))
    finally:
        session.close()
    return ScenarioResult(name, True, node.source)


class _Session:
    """One simulated session, step by step."""

    def __init__(self, policy: Policy, given: JsonObject, sender: Host | None) -> None:
        check_given(given)
        self._given = given
        self._sender = sender
        self._rules = [rule for rule, _ in policy.rules]
        self._world = Pretend()
        self._world.given(given)
        host = str(given.get("host", "claude-code"))
        store = MemoryStore()
        prepare(store, policy, given, self._world)
        # Hooks are programs, and a scenario executes nothing.
        self._guard = Guard([policy], self._world, store, project=PROJECT, alone=True, run_hooks=False, host=host)
        self._calls = 0

    def close(self) -> None:
        self._guard.close()

    def play(self, step: JsonObject) -> str:
        """Play one step. Returns what was not as expected, or an empty text."""
        given = {**self._given, **(step.get("given") or {})}
        self._world.given(step.get("given") or {})
        if "wait" in step:
            self._world.wait(seconds_of(str(step["wait"])) or 0.0)
            return ""
        if "call" in step:
            return self._call(step, given)
        if "prompt" in step:
            verdict = self._handle(payload_for("UserPromptSubmit", given, prompt=step["prompt"]))
            return self._compare(step, verdict)
        return self._compare(step, self._handle(_event(step, given)))

    def _compare(self, step: JsonObject, verdict: Verdict) -> str:
        # A patch ends every line, also the last one of a file.
        return _compare(step, verdict, _same if self._sender is None else _same_lines)

    def _handle(self, raw: bytes) -> Verdict:
        if self._sender is None:
            return answer(self._guard, _WORDS, raw).verdict
        event = dialect_of(_WORDS).decode(raw)
        if why := next((why for rule in self._rules if (why := unsaid(self._sender, rule, self._given))), ""):
            raise _NeverSent(why)
        sent = _sent_by(self._sender, event)
        return respond(_WORDS, raw, self._guard.sitting, name=lambda _: sent).verdict

    def _call(self, step: JsonObject, given: JsonObject) -> str:
        tool, tool_input = call_of(step["call"])
        self._calls += 1
        call = {"tool_name": tool, "tool_use_id": f"toolu_{self._calls}"}
        verdict = self._handle(payload_for("PreToolUse", given, tool_input=tool_input, **call))
        if "returns" not in step:
            return self._compare(step, verdict)
        # What a rule about the result says is only known once there is one.
        problem = self._compare({key: value for key, value in step.items() if key not in _OF_BOTH}, verdict)
        if problem:
            return problem
        if verdict.decision == "deny":
            return f"the call was denied, so it returns nothing: {verdict.reason}"
        # What runs is the input as the policy changed it, so the file and the result belong to that.
        ran = verdict.input if verdict.changes else tool_input
        self._keep_file(tool, ran)
        response = step["returns"]
        if parse_mcp(tool) is not None and not isinstance(response, str):
            response = json.encode(response).decode()  # hosts send the result of an MCP tool as text
        raw = payload_for("PostToolUse", given, tool_input=ran, tool_response=response, **call)
        after = self._handle(raw)
        if after.errors:
            return after.errors[0]
        return _compare_texts(step, verdict, after) or _compare_output(step, after, tool, response)

    def _keep_file(self, tool: str, tool_input: JsonObject) -> None:
        path = tool_input.get("file_path")
        if tool in ("Write", "Edit", "MultiEdit") and isinstance(path, str):
            self._world.write(path)


def _sent_by(host: Host, event: Event) -> Event:
    """The event as this host would have sent it. The ids are those of the scenario, which tell calls apart."""
    sent = as_sent(host, event)
    if isinstance(sent, Unsendable):
        raise _NeverSent(sent.why)
    kept = {name: getattr(event, name) for name in ("session_id", "tool_use_id") if hasattr(event, name)}
    return replace(sent.event, **kept)


def _event(step: JsonObject, given: JsonObject) -> bytes:
    written = step.get("event")
    name, fields = (written, {}) if isinstance(written, str) else next(iter((written or {}).items()), ("", {}))
    return payload_for(name, given, **(fields or {}))


def _same(expected: Any, found: Any) -> bool:
    return bool(expected == found)


def _same_lines(expected: Any, found: Any) -> bool:
    texts = isinstance(expected, str) and isinstance(found, str)
    return expected.rstrip("\n") == found.rstrip("\n") if texts else _same(expected, found)


def _compare(step: JsonObject, verdict: Verdict, same: Callable[[Any, Any], bool]) -> str:
    decision = verdict.decision or "none"
    said = f"{decision}" + (f" ({verdict.reason})" if verdict.reason else "")
    if "expect" in step and step["expect"] != decision:
        return f"expected {step['expect']}, got {said}"
    if "reason" in step and str(step["reason"]) not in (verdict.reason or ""):
        return f"expected the reason to contain `{step['reason']}`, got {said}"
    for field, value in (step.get("change") or {}).items():
        if not same(value, verdict.input.get(field)):
            return f"expected `{field}` to become {value!r}, got {verdict.input.get(field)!r}"
    return _compare_texts(step, verdict)


def _compare_texts(step: JsonObject, *verdicts: Verdict) -> str:
    """Compare what fired and what was told: of a call, or of a call and its result together."""
    fired = {opinion.by for verdict in verdicts for opinion in verdict.opinions}
    missing = [rule for rule in step.get("fires") or () if rule not in fired]
    if missing:
        return f"expected `{missing[0]}` to fire; {', '.join(sorted(fired)) or 'nothing'} did"
    told = [text for verdict in verdicts if (text := verdict.told) is not None]
    notices = [text for verdict in verdicts for text in verdict.notices]
    for key, texts in {"context": told, "notify": notices}.items():
        if key in step and not any(str(step[key]) in text for text in texts):
            shown = repr("\n".join(texts)) if texts else None
            return f"expected the {_TEXTS[key]} to contain `{step[key]}`, got {shown}"
    return ""


def _compare_output(step: JsonObject, verdict: Verdict, tool: str, response: Any) -> str:
    if "output" not in step:
        return ""
    output = meaning(tool, response) if verdict.output is UNSET else verdict.output
    expected, text = step["output"], text_of_result(tool, output)
    if output == expected or text == text_of_result(tool, expected):
        return ""
    return f"expected the output {expected!r}, got {(text if isinstance(expected, str) else output)!r}"
