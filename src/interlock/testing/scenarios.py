"""Run `*.test.yaml` files: sequences of calls, results, prompts and waits, with the expected outcome of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, json

from interlock.errors import InterlockError, Source, did_you_mean
from interlock.event import EVENTS
from interlock.facts.results import meaning
from interlock.facts.tools import parse_mcp
from interlock.judging.guard import Guard
from interlock.policy.durations import seconds_of
from interlock.policy.load import Policy
from interlock.policy.positions import Document, Node
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.cases import check_given, prepare
from interlock.testing.events import call_of, payload_for
from interlock.testing.pretend import PROJECT, Pretend
from interlock.verdict import Verdict

__all__ = ["ScenarioResult", "policy_named_in", "run_scenarios"]

JsonObject: TypeAlias = dict[str, Any]
_STEP_KEYS = ("call", "returns", "prompt", "event", "wait", "given", "expect", "change", "reason", "fires", "context",
              "notify", "output", "host")  # fmt: skip

_OF_BOTH = ("fires", "context", "notify", "output")  # keys about a call and its result
_TEXTS = {"context": "context", "notify": "notice"}


class ScenarioResult(Struct, frozen=True):
    """The outcome of one scenario: the first step that was not as expected, if any."""

    name: str
    ok: bool
    source: Source
    message: str = ""


def policy_named_in(document: Document) -> str:
    """The policy file that a test file is about."""
    parts = document.root.value if isinstance(document.root.value, dict) else {}
    node = parts.get("policy")
    if node is None or not isinstance(node.value, str):
        raise InterlockError(
            "the test file names no policy", document.root.source, help="start with `policy: interlock.yaml`"
        )
    return node.value


def run_scenarios(document: Document, policy: Policy) -> Iterator[ScenarioResult]:
    """Run every scenario of a test file, in order."""
    parts = document.root.value
    for name in parts:
        if name not in ("policy", "scenarios"):
            help = did_you_mean(name, ["policy", "scenarios"])
            raise InterlockError(f"unknown key `{name}` in a test file", document.root.keys[name], help)
    scenarios = parts["scenarios"].value if "scenarios" in parts else []
    if not scenarios or not isinstance(scenarios, list):
        raise InterlockError("the test file has no scenarios", document.root.source)
    for node in scenarios:
        yield _run(node, policy)


def _run(node: Node, policy: Policy) -> ScenarioResult:
    parts = node.value if isinstance(node.value, dict) else {}
    for key in parts:
        if key not in ("name", "given", "steps"):
            help = did_you_mean(key, ["name", "given", "steps"])
            raise InterlockError(f"unknown key `{key}` in a scenario", node.keys[key], help)
    if "steps" not in parts or not isinstance(parts["steps"].value, list):
        raise InterlockError("a scenario has no steps", node.source, help="list them under `steps`")
    name = str(parts["name"].value) if "name" in parts else f"line {node.source.line}"
    try:
        session = _Session(policy, parts["given"].plain() if "given" in parts else {})
    except InterlockError as error:
        return ScenarioResult(name, False, node.source, error.in_one_line())
    try:
        for step in parts["steps"].value:
            problem = session.play(step.plain())
            if problem:
                return ScenarioResult(name, False, step.source, problem)
    except InterlockError as error:
        return ScenarioResult(name, False, node.source, error.in_one_line())
    finally:
        session.close()
    return ScenarioResult(name, True, node.source)


class _Session:
    """One simulated session, step by step."""

    def __init__(self, policy: Policy, given: JsonObject) -> None:
        check_given(given)
        self._given = given
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
        unknown = [key for key in step if key not in _STEP_KEYS]
        if unknown:
            raise InterlockError(f"a step has no `{unknown[0]}`", help=did_you_mean(unknown[0], list(_STEP_KEYS)))
        check_given(step.get("given") or {})
        given = {**self._given, **(step.get("given") or {})}
        for key, kinds in {"change": dict, "fires": list, "event": (str, dict)}.items():
            if key in step and not isinstance(step[key], kinds):  # type: ignore[arg-type]
                raise InterlockError(f"`{key}` of a step has the wrong type")
        self._world.given(step.get("given") or {})
        if "wait" in step:
            seconds = seconds_of(str(step["wait"]))
            if seconds is None:
                raise InterlockError(f"`{step['wait']}` is not a duration", help="write 61m")
            self._world.wait(seconds)
            return ""
        if "call" in step:
            return self._call(step, given)
        if "prompt" in step:
            verdict = self._handle(payload_for("UserPromptSubmit", given, prompt=step["prompt"]))
            return _compare(step, verdict)
        return _compare(step, self._handle(_event(step, given)))

    def _handle(self, raw: bytes) -> Verdict:
        return answer(self._guard, "claude-code", raw).verdict

    def _call(self, step: JsonObject, given: JsonObject) -> str:
        tool, tool_input = call_of(step["call"])
        self._calls += 1
        call = {"tool_name": tool, "tool_use_id": f"toolu_{self._calls}"}
        verdict = self._handle(payload_for("PreToolUse", given, tool_input=tool_input, **call))
        if "returns" not in step:
            return _compare(step, verdict)
        # What a rule about the result says is only known once there is one.
        problem = _compare({key: value for key, value in step.items() if key not in _OF_BOTH}, verdict)
        if problem:
            return problem
        if verdict.decision == "deny":
            return f"the call was denied, so it returns nothing: {verdict.reason}"
        # What runs is the input as the policy changed it, so the file and the result belong to that.
        self._keep_file(tool, verdict.input)
        response = step["returns"]
        if parse_mcp(tool) is not None and not isinstance(response, str):
            response = json.encode(response).decode()  # hosts send the result of an MCP tool as text
        raw = payload_for("PostToolUse", given, tool_input=verdict.input, tool_response=response, **call)
        after = self._handle(raw)
        if after.errors:
            return after.errors[0]
        return _compare_texts(step, verdict, after) or _compare_output(step, after, meaning(tool, response))

    def _keep_file(self, tool: str, tool_input: JsonObject) -> None:
        path = tool_input.get("file_path")
        if tool in ("Write", "Edit", "MultiEdit") and isinstance(path, str):
            self._world.write(path)


def _event(step: JsonObject, given: JsonObject) -> bytes:
    written = step.get("event")
    name, fields = (written, {}) if isinstance(written, str) else next(iter((written or {}).items()), ("", {}))
    if name not in EVENTS:
        raise InterlockError(f"unknown event `{name}`", help=did_you_mean(str(name), list(EVENTS)))
    return payload_for(name, given, **(fields or {}))


def _compare(step: JsonObject, verdict: Verdict) -> str:
    decision = verdict.decision or "none"
    said = f"{decision}" + (f" ({verdict.reason})" if verdict.reason else "")
    if "expect" in step and step["expect"] != decision:
        return f"expected {step['expect']}, got {said}"
    if "reason" in step and str(step["reason"]) not in (verdict.reason or ""):
        return f"expected the reason to contain `{step['reason']}`, got {said}"
    for field, value in (step.get("change") or {}).items():
        if verdict.input.get(field) != value:
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


def _compare_output(step: JsonObject, verdict: Verdict, result: Any) -> str:
    if "output" not in step:
        return ""
    output = result if verdict.output is UNSET else verdict.output
    return "" if output == step["output"] else f"expected the output {step['output']!r}, got {output!r}"
