"""The constants of the spawned client: its answers if an event was not judged, as Python source.

The client can import nothing, so `spawn/exchange.py` and `client.py` hold these as literals. They are written from the
host's table and its own failing answers: `python -m interlock.hosts.claude_code.failing` prints them, and a test holds
both files to what it prints.
"""

from __future__ import annotations

from interlock.effect import can
from interlock.hosts.claude_code.dialect import fail
from interlock.hosts.claude_code.events import EVENTS
from interlock.spawn import exchange

__all__ = ["exits", "failing_answers", "source_of_exits", "source_of_failing"]

_FAIL, _PASS = 1, 0  # 1, though not a refusal, makes the client refuse a permission prompt; 0 lets an event pass


def failing_answers() -> dict[str, tuple[str, int]]:
    """Event → the form of its answer for a failure, with places for the event's name and the reason; the exit code."""
    found = {}
    for name, event in EVENTS.items():
        reply = fail(name, exchange.WHY)
        form = reply.stdout.decode().replace("%", "%%").replace(exchange.WHY, "%(why)s")
        form = form.replace(f'"hookEventName":"{name}"', '"hookEventName":"%(event)s"')
        if event.failing != "notice":
            found[name] = (form, reply.exit_code)
    return found


def exits() -> dict[str, int]:
    """Event → the exit code of a client that cannot even answer, if that is not a refusal.

    A permission prompt is refused by no exit code, but by a failure. What must not be held up passes: events whose
    denial would stop a person or an agent for good.
    """
    passing = {name: _PASS for name in EVENTS if can(name).safe == "pass" and "deny" in can(name).effects}
    return {"PermissionRequest": _FAIL, **passing}


def source_of_failing() -> str:
    """`FAILING` as it is written in `spawn/exchange.py`."""
    lines = [f'    "{name}": ({form!r}, {code}),' for name, (form, code) in failing_answers().items()]
    return "\n".join(["FAILING = {", *lines, "}"])


def source_of_exits() -> str:
    """`EXITS` as it is written in `client.py`."""
    pairs = ", ".join(f'"{name}": {code}' for name, code in exits().items())
    return f"EXITS = {{{pairs}}}"


if __name__ == "__main__":
    print(source_of_failing())  # noqa: T201 - a person asked for it
    print(source_of_exits())  # noqa: T201
