"""The matrix of hosts in the documentation, made from their dialects: `python -m tools.host_matrix` writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from interlock.hosts import HOSTS
from interlock.hosts.base.capabilities import Capabilities, ResultFate, capabilities_of
from interlock.hosts.base.host import Host
from interlock.hosts.client_literals import FIRST, seconds_for

__all__ = ["COLUMNS", "PLACES", "full", "in_brief", "listed_hosts", "with_tables"]

ROOT = Path(__file__).parent.parent
_RESULT: dict[ResultFate, str] = {
    "replaced": "yes",
    "withheld": "withheld",
    "shown": "**no**",
    "unseen": "**no**",
}
Cell = Callable[[Host, Capabilities], str]
_READ = " †"  # read in the documentation of a host that was driven otherwise


def listed_hosts() -> list[Host]:
    """The hosts that people start: Claude Code first, then those driven live, then those known by their protocol."""
    found = [host for host in HOSTS.values() if host.name == FIRST or host.setup is not None]
    return sorted(found, key=lambda host: (host.name != FIRST, host.evidence != "live", host.title.lower()))


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _context(host: Host, can: Capabilities) -> str:
    words = [word for word, said in (("before", can.context_before), ("after", can.context_after)) if said]
    return ", ".join(words) or "no"


def _late(host: Host, can: Capabilities) -> str:
    if not can.fails_closed:
        return "**runs**"
    return "denied" if host.name == FIRST or can.seconds is None else f"denied after {seconds_for(can.seconds):g} s"


def _evidence(host: Host, can: Capabilities) -> str:
    if host.evidence != "live":
        return "protocol"
    return f"live {host.version}".strip() + (", in part" if host.from_documents else "")


COLUMNS: dict[str, Cell] = {
    "allow": lambda host, can: _yes(can.allows),
    "deny": lambda host, can: _yes(can.denies),
    "ask": lambda host, can: "prompt" if can.asks else "inbox",
    "change": lambda host, can: "yes" if can.changes else "denied",
    "redact": lambda host, can: _RESULT[can.result],
    "failed": lambda host, can: _RESULT[can.failed],
    "context": _context,
    "stop": lambda host, can: _yes(can.stops),
    "on error": lambda host, can: "denied" if can.fails_closed else "**runs**",
    "on time-out": _late,
    "evidence": _evidence,
}


def _table(columns: Sequence[str], link: str, mark: str = "") -> str:
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for host in listed_hosts():
        can = capabilities_of(host)
        name = f"[{host.title}]({link}#{_anchor(host.title)})" if host.name != FIRST else host.title
        cells = [COLUMNS[column](host, can) + (mark if column in host.from_documents else "") for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _anchor(title: str) -> str:
    return re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))


def full() -> str:
    """What each host does with each decision."""
    return _table(list(COLUMNS), "", _READ)


def in_brief() -> str:
    """The same with fewer columns, for the README."""
    return _table(["deny", "ask", "change", "redact", "on error", "evidence"], "docs/hosts.md")


PLACES: dict[str, Callable[[], str]] = {"README.md": in_brief, "docs/hosts.md": full}


def with_tables(text: str, table: str) -> str:
    """A page with the table between its markers."""
    begin, end = r"<!-- \[\[\[hosts\]\]\].*?-->\n", r"<!-- \[\[\[end\]\]\] -->"
    new, number = re.subn(f"({begin}).*?({end})", lambda found: f"{found[1]}{table}{found[2]}", text, flags=re.DOTALL)
    if number != 1:
        raise ValueError("a page has no place for the table of hosts, or several")
    return new


def main() -> None:
    """Write the tables."""
    for name, table in PLACES.items():
        file = ROOT / name
        file.write_text(with_tables(file.read_text(encoding="utf-8"), table()), encoding="utf-8")


if __name__ == "__main__":
    main()
