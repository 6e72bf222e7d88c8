"""What the spawned client must know of other hosts than Claude Code, as Python source.

The client can import nothing, so `spawn/others.py` holds it as literals. They are written from the hosts' tables and
their own failing answers: `python -m interlock.hosts.client_literals` prints the file, and a test holds it to that.
"""

from __future__ import annotations

from interlock.hosts import HOSTS
from interlock.hosts.base.host import Host
from interlock.spawn import exchange

__all__ = ["FIRST", "seconds_for", "source_of_others"]

FIRST = "claude-code"  # whose constants are in `spawn/exchange.py`: it is the one that is spawned most
_HEAD = '''"""What the client answers other hosts than Claude Code if nobody judged an event.

Host → event → the answer, whether the reason goes to stderr, the exit code, and the seconds after which the client
gives up, before the host does. Written by `python -m interlock.hosts.client_literals`.
"""
'''
# A refusal that every host understands whose hooks are processes; and how long most of them wait if they are asked to.
_REFUSAL = (
    '{"decision":"block","reason":"%(why)s","hookSpecificOutput":{"hookEventName":"PreToolUse",'
    '"permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}'
)
_ROW = f"({_REFUSAL!r}, True, 2, 580.0),"
_ANY = ('    "any": {', f'        "": {_ROW}', f'        "shared": {_ROW}', "    },")


def seconds_for(limit: int) -> float:
    """When the client gives up on an event that a host waits for so long: every host lets the call run after that."""
    return float(limit - max(1, limit // 30))


def source_of_others() -> str:
    """`spawn/others.py`."""
    hosts = [host for host in HOSTS.values() if host.name != FIRST and any(one.seconds for one in host.events.values())]
    lines = [_HEAD, "# fmt: off", "HOSTS = {", *_ANY]
    for host in hosts:
        lines += [f'    "{host.name}": {{', *_rows(host), "    },"]
    return "\n".join([*lines, "}", "# fmt: on", ""])


def _rows(host: Host) -> list[str]:
    rows = []
    for name, event in host.events.items():
        if event.seconds is None:
            continue
        reply = host.dialect.fail(name, exchange.WHY)
        form = reply.stdout.decode().replace("%", "%%").replace(exchange.WHY, "%(why)s")
        rows.append(
            f'        "{name}": ({form!r}, {bool(reply.stderr)}, {reply.exit_code}, {seconds_for(event.seconds)}),'
        )
    return rows


if __name__ == "__main__":
    print(source_of_others(), end="")  # noqa: T201 - a person asked for it
