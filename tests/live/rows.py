"""What a hook may answer, in the words of Claude Code, and what a host then does with the call or with its result."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.live.drive import Host, run
from tests.live.world import Run, World

SECRET = "the-original-result"


@dataclass(frozen=True)
class Row:
    """One output of a hook: the keyword arguments of `World.answer`, made for an event, a text to say, and a name.

    The name is the call's own: it occurs in its command, and a changed call touches `NAME.changed`.
    """

    name: str
    says: Callable[[str, str, str], dict[str, Any]]
    alone: bool = False  # it may end the run, so nothing can follow it


def nested(event: str, **more: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **more}}


def denial(event: str, text: str, **more: Any) -> dict[str, Any]:
    return nested(event, permissionDecision="deny", permissionDecisionReason=text) | more


def printed(make: Callable[[str, str], Any]) -> Callable[[str, str, str], dict[str, Any]]:
    """A hook that prints this and ends well."""
    return lambda event, text, name: {"stdout": make(event, text)}


STOP: dict[str, Any] = {"continue": False}

# Before a tool runs.
BEFORE = (
    Row("exit 2 with a text", lambda event, text, name: {"stderr": text, "exit": 2}),
    Row("exit 2 without a text", lambda event, text, name: {"exit": 2}),
    Row("nested deny", printed(denial)),
    Row("nested deny, suppressOutput", printed(lambda event, text: denial(event, text, suppressOutput=True))),
    Row("nested deny, continue false", printed(lambda event, text: denial(event, text, **STOP)), alone=True),
    Row("nested deny, unknown key", printed(lambda event, text: denial(event, text, unheard=1))),
    Row("nested deny, no reason", printed(lambda event, text: nested(event, permissionDecision="deny"))),
    Row("nested deny, exit 2", lambda event, text, name: {"stdout": denial(event, text), "stderr": text, "exit": 2}),
    Row("decision block", printed(lambda event, text: {"decision": "block", "reason": text})),
    Row("decision deny", printed(lambda event, text: {"decision": "deny", "reason": text})),
    Row("every deny, exit 2", lambda event, text, name: {
        "stdout": {"decision": "block", "reason": text, **denial(event, text)}, "stderr": text, "exit": 2}),
    Row("nested ask", printed(
        lambda event, text: nested(event, permissionDecision="ask", permissionDecisionReason=text))),
    Row("continue false", printed(lambda event, text: {**STOP, "stopReason": text}), alone=True),
    Row("nested updatedInput", lambda event, text, name: {
        "stdout": nested(event, permissionDecision="allow", updatedInput={"command": f"touch {name}.changed"})}),
    Row("nested tool_input", lambda event, text, name: {
        "stdout": nested(event, tool_input={"command": f"touch {name}.changed"})}),
    Row("nested context", printed(lambda event, text: nested(event, additionalContext=text))),
    Row("malformed JSON", printed(lambda event, text: json.dumps(denial(event, text))[:-1])),
    Row("exit 1", lambda event, text, name: {"stderr": text, "exit": 1}),
    Row("nothing, exit 0", lambda event, text, name: {}),
)  # fmt: skip
HANG = Row("time-out", lambda event, text, name: {"hang": True})
MISSING = Row("no such program", lambda event, text, name: {})

# After a tool has run.
AFTER = (
    Row("decision block", printed(lambda event, text: {"decision": "block", "reason": text})),
    Row("decision deny", printed(lambda event, text: {"decision": "deny", "reason": text})),
    Row("exit 2 with a text", lambda event, text, name: {"stderr": text, "exit": 2}),
    Row("continue false", printed(lambda event, text: {**STOP, "stopReason": text}), alone=True),
    Row("nested updatedToolOutput", printed(lambda event, text: nested(event, updatedToolOutput=text))),
    Row("modifiedResult", printed(
        lambda event, text: {"modifiedResult": {"resultType": "success", "textResultForLlm": text}})),
    Row("nested context", printed(lambda event, text: nested(event, additionalContext=text))),
    Row("flat context", printed(lambda event, text: {"additionalContext": text})),
    Row("exit 1", lambda event, text, name: {"stderr": text, "exit": 1}),
)  # fmt: skip

# When a person submits a prompt.
PROMPT = (
    Row("decision block", printed(lambda event, text: {"decision": "block", "reason": text})),
    Row("decision deny", printed(lambda event, text: {"decision": "deny", "reason": text})),
    Row("exit 2 with a text", lambda event, text, name: {"stderr": text, "exit": 2}),
    Row("continue false", printed(lambda event, text: {**STOP, "stopReason": text})),
    Row("nested context", printed(lambda event, text: nested(event, additionalContext=text))),
    Row("flat context", printed(lambda event, text: {"additionalContext": text})),
    Row("plain text", printed(lambda event, text: text)),
)


def text_of(name: str) -> str:
    """What the hook says about a call, in words that occur nowhere else."""
    return f"because of the hook at {name}"


@dataclass
class Trial:
    """Rows played on one host, as few runs as they allow."""

    host: Host
    world: Callable[[], World]
    found: dict[str, str] = field(default_factory=dict)

    def before(self) -> dict[str, str]:
        """What becomes of the calls: runs, changed, denied, denied without the reason, stops."""
        for batch in batches(BEFORE):
            self._play_before(batch)
        self._play_before((HANG,), timeout=2)
        self._play_before((MISSING,), recorder="/missing/hook")
        return self.found

    def after(self) -> dict[str, str]:
        """What becomes of the results: kept, kept and told, replaced, replaced and told, stops."""
        for batch in batches(AFTER):
            self._play_after(batch)
        return self.found

    def after_failure(self) -> dict[str, str]:
        """What becomes of the results of commands that end with an error."""
        for batch in batches(AFTER):
            self._play_after(batch, "; exit 3")
        return self.found

    def prompt(self) -> dict[str, str]:
        """What becomes of a prompt: blocked, passes, passes and told."""
        for row in PROMPT:
            world = self.world()
            self.host.hooks(world, [self.host.prompt])
            world.answer(self.host.prompt, **row.says(self.host.prompt, text_of("row0x"), "row0x"))
            ran = run(self.host, world, "Done.")
            told = ", told" if ran.reached_the_model(text_of("row0x")) else ""
            self.found[row.name] = f"passes{told}" if ran.requests else "blocked"
        return self.found

    def _play_before(self, rows: Sequence[Row], *, timeout: float = 30, recorder: str = "") -> None:
        world = self.world()
        world.recorder = recorder or world.recorder
        self.host.hooks(world, [self.host.before], timeout=timeout)
        names = {f"row{number}x": row for number, row in enumerate(rows)}
        for name, row in names.items():
            world.answer(self.host.before, when=name, **row.says(self.host.before, text_of(name), name))
        ran = run(self.host, world, *(self.host.shell(f"touch {name}.made") for name in names), "Done.")
        for number, (name, row) in enumerate(names.items()):
            self.found[row.name] = fate(world, ran, name, number)

    def _play_after(self, rows: Sequence[Row], end: str = "") -> None:
        world = self.world()
        event = self.host.failed if end else self.host.after
        self.host.hooks(world, [event])
        names = {f"row{number}x": row for number, row in enumerate(rows)}
        for name, row in names.items():
            world.answer(event, when=name, **row.says(event, text_of(name), name))
        ran = run(self.host, world, *(self.host.shell(f"echo {name}; echo {SECRET}{end}") for name in names), "Done.")
        for number, (name, row) in enumerate(names.items()):
            self.found[row.name] = shown(ran, name, number)


def batches(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """The rows that can be played in one run, and each of the others by itself."""
    return [[row for row in rows if not row.alone], *([row] for row in rows if row.alone)]


def fate(world: World, ran: Run, name: str, number: int) -> str:
    if world.has(f"{name}.made"):
        return "runs, told" if ran.reached_the_model(text_of(name)) else "runs"
    if world.has(f"{name}.changed"):
        return "changed"
    if len(ran.results) <= number:
        return "stops"
    return "denied" if text_of(name) in ran.results[number] else "denied, reason lost"


def shown(ran: Run, name: str, number: int) -> str:
    if len(ran.results) <= number:
        return "stops"
    words = "kept" if SECRET in ran.results[number] else "replaced"
    return f"{words}, told" if ran.reached_the_model(text_of(name)) else words
