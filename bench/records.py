"""A large record, made quickly: sessions of calls with their results, some stopped, some asked about.

The rows are written straight into the store's tables. Each hash follows from the one before, but no segment is sealed
and the anchor attests nothing, so this is a record to read and not one to verify.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from interlock.store.chain import Line, genesis, link
from interlock.store.sqlite import SqliteStore

__all__ = ["write_record"]

_SESSION_CALLS = 120
_SPAN = 90 * 86_400.0  # seconds over which the record is spread
_BATCH = 20_000
_PROJECTS = ("/home/dev/shop", "/home/dev/docs", "/home/dev/infra", "/home/dev/app")
_CALLS = (
    ("Bash", "command", "npm test -- --grep {n}"),
    ("Bash", "command", "git diff HEAD~{n} --stat && git log --oneline -n 5"),
    ("Read", "file_path", "/home/dev/shop/src/modules/checkout/part_{n}.ts"),
    ("Edit", "file_path", "/home/dev/shop/src/modules/orders/model_{n}.ts"),
    ("Grep", "pattern", "function total_{n}"),
    ("WebFetch", "url", "https://docs.example.com/pages/{n}"),
)


class _Event(NamedTuple):
    at: float
    session: str
    name: str
    record: dict[str, Any]
    payload: dict[str, Any]


def write_record(path: Path, count: int, until: float, seed: int = 0) -> None:
    """Make a store of so many records, the last of them at `until`."""
    SqliteStore(path).close()
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        (id_,) = connection.execute("SELECT id FROM log").fetchone()
        previous, rows, rules = genesis(id_), list[Line](), list[tuple[str, int]]()
        columns = ", ".join("?" * len(Line._fields))
        for number, event in enumerate(_events(random.Random(seed), count, until), 1):
            line = _line(previous, number, event)
            previous = line.hash
            rows.append(line)
            rules += [(rule, number) for rule in event.record["rules"]]
            if len(rows) == _BATCH or number == count:
                connection.execute("BEGIN")
                connection.executemany(f"INSERT INTO record VALUES ({columns})", rows)
                connection.executemany("INSERT INTO record_rule VALUES (?, ?)", rules)
                connection.execute("COMMIT")
                rows.clear()
                rules.clear()
            if number == count:
                return
    finally:
        connection.close()


def _line(previous: bytes, number: int, event: _Event) -> Line:
    body = json.dumps(event.record, separators=(",", ":")).encode()
    raw = json.dumps(event.payload, separators=(",", ":")).encode()
    rules = json.dumps(event.record["rules"])
    hash_ = link(previous, number, event.at, rules, body, raw)
    said = event.record
    return Line(number, event.at, event.session, event.name, said["tool"], said["decision"], rules, body, raw, hash_)


def _events(chance: random.Random, count: int, until: float) -> Iterator[_Event]:
    """The events of one session after the other."""
    pace = _SPAN / count
    at = until - _SPAN
    number = 0
    while True:
        number += 1
        session = f"{number:08x}-0000-4000-8000-000000000000"
        project = chance.choice(_PROJECTS)
        for event in _session(chance, session, project):
            at += pace
            yield event._replace(at=at)


def _session(chance: random.Random, session: str, project: str) -> Iterator[_Event]:
    def event(name: str, decision: str | None = None, rule: str = "", **fields: Any) -> _Event:
        opinions = [{"by": rule, "decision": decision, "policy": "interlock.yaml", "source": ["interlock.yaml", 3, 5]}]
        kept = {key[1:]: value for key, value in fields.items() if key.startswith("_")}
        sent = {key: value for key, value in fields.items() if not key.startswith("_")}
        record = {
            "session": session, "event": name, "tool": sent.get("tool_name"), "decision": decision,
            "reason": f"{rule} has a reason that a model can read." if decision in ("ask", "deny") else None,
            "rules": [rule] if rule else [], "opinions": opinions if rule else [], "changes": [], "notices": [],
            "errors": [], "lowered": [], "withheld": None, "project": project, "host": "claude-code", **kept,
        }  # fmt: skip
        base = {"session_id": session, "transcript_path": "", "cwd": project, "permission_mode": "default"}
        return _Event(0.0, session, name, record, {**base, "hook_event_name": name, **sent})

    yield event("SessionStart", source="startup")
    yield event("UserPromptSubmit", prompt=f"Find out why order {chance.randrange(10_000)} was counted twice.")
    for number in range(_SESSION_CALLS):
        tool, field, text = chance.choice(_CALLS)
        given = {field: text.format(n=chance.randrange(1000))}
        call: dict[str, Any] = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{session[:8]}_{number}"}
        kind = chance.random()
        if kind < 0.02:
            yield event("PreToolUse", "deny", f"git/{chance.randrange(12)}", **call)
            continue
        if kind < 0.03:
            request = f"{session[:8]}{number}"
            yield event("PreToolUse", "ask", f"deploy/{chance.randrange(6)}", **call, _request=request, _answer=None)
            yield event("Answer", _request=request, _answer="yes", _by="dev", _edited=False, _note=None)
        elif kind < 0.06:
            change = {"field": field, "before": given[field], "after": f"{given[field]} --quiet", "by": "quiet"}
            yield event("PreToolUse", None, "quiet", **call, _changes=[change])
        else:
            yield event("PreToolUse", "allow" if kind < 0.5 else None, "reads" if kind < 0.5 else "", **call)
        response = {"stdout": "ok\n" * 40, "stderr": "", "interrupted": False}
        yield event("PostToolUse", **call, tool_response=response, duration_ms=chance.randrange(5, 4000))
    yield event("Stop", stop_hook_active=False)
    yield event("SessionEnd", reason="other")
