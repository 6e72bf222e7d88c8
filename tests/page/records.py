"""Records as hosts and people leave them, made without a guard: quick, and in any order."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from msgspec import json

from interlock.store.base import Entry

PROJECTS = ["/shop", "/bank"]
MORNING = 1_767_600_000.0


def event(name: str, at: float, *, session: str = "s", decision: str | None = None, **fields: Any) -> Entry:
    """One event as it is recorded. Fields of the record begin with an underscore, the others are the payload's."""
    kept = {key[1:]: value for key, value in fields.items() if key.startswith("_")}
    sent = {key: value for key, value in fields.items() if not key.startswith("_")}
    payload = {"session_id": session, "cwd": "/shop", "hook_event_name": name, **sent}
    record = {"session": session, "event": name, "tool": sent.get("tool_name"), "decision": decision}
    base: dict[str, Any] = {"rules": [], "reason": None, "project": "/shop", "host": "claude-code", **record}
    return Entry(record={**base, **kept}, raw=json.encode(payload), at=at)


def opinion(by: str, decision: str | None) -> dict[str, Any]:
    return {"by": by, "decision": decision, "policy": "interlock.yaml", "source": ["interlock.yaml", 3, 5]}


@st.composite
def calls(draw: st.DrawFn, at: float, asked: list[str]) -> Entry:
    """An event about a call: of few calls, so that several events are about the same one."""
    name = draw(st.sampled_from(["PreToolUse", "PreToolUse", "PermissionRequest", "PermissionDenied", "PostToolUse"]))
    decision = draw(st.sampled_from([None, None, "allow", "ask", "deny"]))
    rules = draw(st.lists(st.sampled_from(["r1", "r2"]), max_size=2, unique=True))
    more: dict[str, Any] = {}
    if name == "PreToolUse" and decision is not None and draw(st.booleans()):
        more["_request"] = f"q{at}-{draw(st.integers(0, 10**9))}"
        asked.append(more["_request"])
        more["_answer"] = draw(st.sampled_from([None, "yes", "no", "waiting"]))
    if name == "PreToolUse" and draw(st.integers(0, 5)) == 0:
        more["_changes"] = [{"field": "command", "before": "ls", "after": "ls -a", "by": "r1"}]
    if name == "PostToolUse":
        more["_withheld"] = draw(st.sampled_from([None, None, "a secret"]))
        more["_breach"] = draw(st.sampled_from([None, None, None, "it ran although it was denied"]))
        if draw(st.booleans()):
            more["duration_ms"] = draw(st.sampled_from([250, 1500]))
    if name != "PermissionRequest":
        more["tool_use_id"] = draw(st.sampled_from(["c1", "c2", "c3", ""]))
    return event(
        name,
        at,
        session=draw(st.sampled_from(["s", "t"])),
        decision=decision,
        tool_name=draw(st.sampled_from(["Bash", "Bash", "Read"])),
        tool_input={"command": draw(st.sampled_from(["ls", "make test"]))},
        _rules=rules,
        _opinions=[opinion(rule, decision) for rule in rules],
        _project=draw(st.sampled_from(PROJECTS)),
        **more,
    )


@st.composite
def others(draw: st.DrawFn, at: float) -> Entry:
    """Any other event."""
    names = ["Stop", "UserPromptSubmit", "SessionEnd", "SessionStart", "Lift", "PostToolBatch"]
    name = draw(st.sampled_from(names))
    more = {"prompt": draw(st.sampled_from(["Fix it.", "Go on."]))} if name == "UserPromptSubmit" else {}
    decision = draw(st.sampled_from([None, None, "deny"]))
    return event(name, at, session=draw(st.sampled_from(["s", "t"])), decision=decision, **more)


@st.composite
def answers(draw: st.DrawFn, at: float, asked: list[str]) -> Entry:
    """A person's answer in the inbox."""
    request, said = draw(st.sampled_from([*asked, "q of another record"])), draw(st.sampled_from(["yes", "no"]))
    if request in asked:
        asked.remove(request)  # nobody answers twice
    return event(
        "Answer", at, _request=request, _answer=said, _by="ann", _edited=draw(st.booleans()), _note=None, _tool="Bash"
    )


@st.composite
def records(draw: st.DrawFn, most: int = 40) -> list[Entry]:
    """What a record may contain, in order, over two days."""
    found: list[Entry] = []
    asked: list[str] = []
    at = MORNING
    for _ in range(draw(st.integers(0, most))):
        at += draw(st.sampled_from([0.0, 1.5, 60.0, 30_000.0]))
        found.append(draw(st.one_of(calls(at, asked), calls(at, asked), others(at), answers(at, asked))))
    return found
