"""The golden answers: every event × every sort of verdict, in every dialect, written out whole.

`golden/events/` holds payloads captured from Claude Code 2.1.325, driven against a scripted model, with the paths
of that machine replaced. `golden/<host>/` holds those of other hosts, and our answers. After a change that is meant,
run `python -m tests.hosts.goldens` and read the difference.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import UNSET

from interlock.event import PostToolUse, ToolEvent
from interlock.facts.results import meaning
from interlock.hosts import HOSTS as TABLE
from interlock.hosts import Reply, dialect_of
from interlock.verdict import Opinion, combine

FOLDER = Path(__file__).parent / "golden"
HOSTS = tuple(name for name, host in TABLE.items() if host.spawns)
EVENT_FILES = sorted((FOLDER / "events").glob("*.json"))


def event_files(host: str) -> list[Path]:
    """Events as the host sends them; those that take Claude Code's get the same."""
    return EVENT_FILES if TABLE[host].adopts or not TABLE[host].spawns else sorted((FOLDER / host).glob("*.json"))


CASES = [(host, file) for host in HOSTS for file in event_files(host)]
VERDICTS: dict[str, list[Opinion]] = {
    "none": [],
    "allow": [Opinion(by="known-safe", decision="allow", reason="Known to be safe.")],
    "ask": [Opinion(by="unsure", decision="ask", reason="Is this meant?")],
    "deny": [Opinion(by="risky", decision="deny", reason="Too risky. Use the staging copy.")],
    "deny, twice": [
        Opinion(by="unverified", decision="deny", reason="Customer not verified."),
        Opinion(by="known-safe", decision="allow"),
        Opinion(by="over-limit", decision="deny", reason="Refund exceeds limit."),
    ],
    "deny and interrupt": [Opinion(by="risky", decision="deny", reason="Stop here.", interrupt=True)],
    "interrupt": [Opinion(by="enough", interrupt=True, reason="Enough for today.")],
    "defer": [Opinion(by="later", decision="defer", reason="Decide later.")],
    "change": [Opinion(by="label", change={"note": "changed", "description": None})],
    "change, quietly": [Opinion(by="label", change={"note": "changed"}, quiet="a label only")],
    "change and allow": [Opinion(by="label", change={"note": "changed"}, decision="allow")],
    "change and ask": [Opinion(by="label", change={"note": "changed"}, decision="ask", reason="Send it like this?")],
    "change and deny": [Opinion(by="label", change={"note": "changed"}, decision="deny", reason="No.")],
    "context": [Opinion(by="hint", context="Tests live in tests/.")],
    "notify": [Opinion(by="bell", notice="Look here.")],
    "output": [Opinion(by="redact", output="[redacted]")],
}


def answers(host: str, event_file: Path) -> str:
    """Every answer to one event, as the golden file shows it."""
    raw = event_file.read_bytes()
    dialect = dialect_of(host)
    event = dialect.decode(raw)
    original = event.tool_input if isinstance(event, ToolEvent) else {}
    result = meaning(event.tool_name, event.tool_response) if isinstance(event, PostToolUse) else UNSET
    verdicts = {name: combine(opinions, original, result) for name, opinions in VERDICTS.items()}
    blocks = [_block(name, dialect.encode(event, verdict)) for name, verdict in verdicts.items()]
    failed = dialect.fail(event.hook_event_name, "guard.py failed", detail="KeyError: 'x'", event=event)
    blocks.append(_block("failed", failed))
    return "\n".join(blocks)


def golden_of(host: str, event_file: Path) -> Path:
    return FOLDER / host / f"{event_file.stem}.txt"


def _block(name: str, reply: Reply) -> str:
    lines = [f"[{name}]", f"exit    {reply.exit_code}", f"stdout  {reply.stdout.decode()}"]
    if reply.stderr:
        lines.append(f"stderr  {reply.stderr}")
    lines += [f"lost    {loss.effect}: {loss.instead}" for loss in reply.verdict.lowered]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for host, event_file in CASES:
        target = golden_of(host, event_file)
        target.parent.mkdir(exist_ok=True)
        target.write_text(answers(host, event_file), encoding="utf-8")
