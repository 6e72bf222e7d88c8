"""Answers of other people's hooks, and what of each is still there in Interlock's own answer or in its words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from interlock.event import EVENTS
from interlock.fold import Answers, Round
from interlock.hooks.external import External, _read
from interlock.hosts.base.reading import Output
from interlock.policy.situation import Situation
from interlock.service import Reply, handle
from tests.hosts.goldens import EVENT_FILES

RAW = {file.name.split(".")[0]: file.read_bytes() for file in reversed(EVENT_FILES)}
assert RAW.keys() == EVENTS.keys()

_DENIES = ({"permissionDecision": "deny"}, {"decision": "block"}, {"behavior": "deny"})


class Hooks:
    """A panel of hooks that have printed these answers."""

    def __init__(self, *answers: dict[str, Any] | str, exit_code: int = 0) -> None:
        self._answers = answers
        self._exit_code = exit_code

    def ask(self, situation: Situation, round_: Round) -> Answers:
        return {
            number: (_read(hook(number), situation.event, Output(printed(said), self._exit_code), whole=True),)
            for number, said in enumerate(self._answers)
            if round_.asks(number)
        }


def printed(answer: dict[str, Any] | str) -> bytes:
    return (answer if isinstance(answer, str) else json.dumps(answer)).encode()


def hook(number: int) -> External:
    return External(name=f"hook{number}", events=tuple(EVENTS), run="true")


def answer_to(event: str, *answers: dict[str, Any] | str, host: str = "claude-code", exit_code: int = 0) -> Reply:
    """Interlock's answer to an event on which hooks have answered like this."""
    return handle(host, RAW[event], Hooks(*answers, exit_code=exit_code), alone=True)


def specific(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def said(reply: Reply) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(reply.stdout or b"{}")
    return found


def words(reply: Reply) -> str:
    """What the verdict says in words, to the person and in the record."""
    verdict = reply.verdict
    losses = [f"{loss.effect}: {loss.instead}" for loss in verdict.lowered]
    return "\n".join([*verdict.notices, *verdict.errors, *losses, reply.stderr])


def fields_of(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of an answer, wherever in it they are."""
    for name, value in answer.items():
        if name == "hookSpecificOutput" and isinstance(value, dict):
            inside = dict(value)
            inside.pop("hookEventName", None)
            if isinstance(inside.get("decision"), dict):
                yield from inside.pop("decision").items()
            yield from inside.items()
        else:
            yield name, value


def lost(answer: dict[str, Any], reply: Reply) -> list[str]:
    """The fields of a hook's answer that are neither in Interlock's answer nor named in its verdict."""
    told = words(reply)
    if any(opinion.error is not None for opinion in reply.verdict.opinions):
        return [] if "failed" in told else ["everything"]  # a failed check, as which the whole of it is named
    ours = list(fields_of(said(reply)))
    found = []
    for name, value in fields_of(answer):
        if value is None or (name, value) == ("continue", True) or value in ("", [], False):
            continue  # says nothing
        if f"`{name}" in told or any(loss.effect.startswith(f"{name} of ") for loss in reply.verdict.lowered):
            continue
        if name == "decision" and value == "block" and reply.verdict.decision is None:
            name, value = "reason", answer.get("reason") or "without a reason"
        if not _is_there(name, value, ours, reply):
            found.append(name)
    return found


def _is_there(name: str, value: Any, ours: list[tuple[str, Any]], reply: Reply) -> bool:
    if (name, value) in ours:
        return True
    denied = any(pair in _DENIES for pair in ({key: one} for key, one in ours)) or reply.exit_code == 2
    if (name, value) in (("decision", "block"), ("permissionDecision", "deny"), ("behavior", "deny")):
        return denied
    if name == "decision":
        return value == "approve" and ("permissionDecision", "allow") in ours
    if name in ("continue", "interrupt"):
        return ("continue", False) in ours or ("interrupt", True) in ours
    if name == "action":
        return value == "decline" and denied
    if isinstance(value, str):
        quoted = json.dumps(value)[1:-1]
        return any(quoted in json.dumps(one) for _, one in ours) or value in words(reply)
    if name in ("updatedToolOutput", "updatedMCPToolOutput"):
        return any(key in ("updatedToolOutput", "updatedMCPToolOutput") for key, _ in ours)
    if name == "updatedInput":
        return any(key == name and {**one, **value} == one for key, one in ours)
    return False
