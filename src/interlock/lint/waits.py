"""Checks that may take longer than the entries in a project's settings tell the host to wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interlock.errors import Source
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy

__all__ = ["find_short_waits"]

_ALWAYS = 500.0  # every entry that any version wrote waits longer than this where a check may take that long
_UPDATE = "run `interlock init` again to update the entries"


def find_short_waits(policy: Policy, project: Path) -> Iterator[PolicyFinding]:
    """Rules and hooks whose time limit is longer than an entry waits: the host would go on without their answer."""
    needs = [*_needs(policy)]
    if not needs:
        return
    entries = [
        (hook.event, float(hook.handler.get("timeout", 0)), file.path)
        for file in settings_state(project).files
        for hook in file.running
        if is_entry(hook.event, hook.handler)
    ]
    for name, source, event, seconds in needs:
        for wired, waits, path in entries:
            if wired == event and waits <= seconds:
                message = (
                    f"`{name}` may take {seconds:g}s on {event}, but the entry in {path} tells the host to wait "
                    f"{waits:g}s and then to go on without it"
                )
                yield PolicyFinding(name, source, message, _UPDATE)


def _needs(policy: Policy) -> Iterator[tuple[str, Source, str, float]]:
    for rule, _ in policy.rules:
        if rule.run is not None and rule.run.timeout > _ALWAYS:
            yield from ((rule.id, rule.source, event, rule.run.timeout) for event in rule.events)
    for hook in policy.externals:
        if hook.timeout > _ALWAYS and hook.source is not None:
            yield from ((hook.name, hook.source, event, hook.timeout) for event in hook.events)
