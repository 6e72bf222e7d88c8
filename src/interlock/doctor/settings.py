"""Whether Interlock's entries would run, what would run beside them, and what keeps them from running."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from interlock.doctor.finding import Finding, note, ok, problem
from interlock.files.git import is_tracked
from interlock.hosts.claude_code.address import proxy_problem
from interlock.hosts.claude_code.adoption import CannotAdopt, convert
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.installer import read_manifest
from interlock.hosts.claude_code.places import policy_file, settings_file
from interlock.hosts.claude_code.settings_rules import matches_all
from interlock.hosts.claude_code.settings_state import (
    Beside,
    SettingsFile,
    SettingsState,
    our_entries,
    settings_state,
)

__all__ = ["is_meant", "look"]

_INIT = "run `interlock init`"
_CORRECT = "correct it, then run `interlock init`"
_MOST_NAMED = 4  # things of one kind; how many more there are is said
# Variables that a person's own shell may set, and what the client does then.
_SWITCHES = {"CLAUDE_CODE_SIMPLE": "runs no hooks (`--bare`)", "CLAUDE_CODE_SAFE_MODE": "runs managed hooks only"}


def look(start: Path, root: Path) -> Iterator[Finding]:
    """Findings about the settings of a client started here, and about this environment. `root` is the project's."""
    found = settings_state(start)
    yield from _wiring(found, start)
    yield from _racing(found.beside, root)
    yield from _moved_out(root)
    for text in found.notices:
        yield note("settings", text)
    for name, effect in _SWITCHES.items():
        if os.environ.get(name, "").lower() not in ("", "0", "false", "no", "off"):
            yield problem("environment", f"`{name}` is set, so the client {effect}", f"unset {name}")
    if _is_asked_over_http(found) and (why := proxy_problem(os.environ, found.env)) is not None:
        yield problem("environment", why)


def is_meant(start: Path, *, others: bool) -> bool:
    """Whether to look at Claude Code: a person who set up only other agents here need not hear of it."""
    if not others:
        return True
    files = [file.settings for file in settings_state(start).files if file.settings is not None]
    return any(is_entry(hook.event, hook.handler) for settings in files for hook in settings.hooks)


def _wiring(found: SettingsState, start: Path) -> Iterator[Finding]:
    """Whether the entries would run. What keeps them from it is the reason, and not a problem of its own."""
    causes = list(_causes(found))
    if not found.missing:
        files = sorted({path for paths in found.running.values() for path in paths})
        yield ok("settings", f"all {len(WIRED)} events have entries, in {', '.join(files)}")
        for why, details, help in causes:
            yield problem("settings", why, help, details)
        return
    if not found.running:
        text = f"none of Interlock's entries would run in a session started in {start}"
    else:
        text = f"{len(found.missing)} of {len(WIRED)} events have no working entry: {', '.join(found.missing)}"
    details = [line for why, more, _ in causes for line in (why, *more)]
    yield problem("settings", text, causes[0][2] if causes else _INIT, details)


def _causes(found: SettingsState) -> Iterator[tuple[str, list[str], str]]:
    """What keeps entries from running: what it is, more about it, and what to do."""
    named: dict[str, None] = {}
    for off in found.off:
        if off.why not in named:
            named[off.why] = None
            help = _CORRECT if off.why in found.problems else "remove it, or ask the administrator of this machine to"
            yield off.why, [], help
    for file in found.files:
        for why, details in _file_problems(file):
            if why not in named:
                yield why, details, _CORRECT
    stale: dict[str, list[str]] = {}
    for one in found.stale:
        event, _, rest = one.partition(": ")
        stale.setdefault(rest.partition(f" {event}")[0] + _file_in(one), []).append(event)
    for program, events in stale.items():
        yield (
            f"{_count(len(events), 'entry', 'entries')} of another installation: {program}",
            [_event_list(events)],
            _INIT,
        )


def _file_problems(file: SettingsFile) -> Iterator[tuple[str, list[str]]]:
    """What a client ignores in one file: the file once, however much is wrong in it."""
    if file.error:
        yield file.error, []
    if file.settings is None:
        return
    texts = [file.settings.unclear] if file.settings.unclear else []
    texts += [str(one) for one in file.settings.problems]
    if len(texts) == 1:
        yield f"a client may ignore this: {texts[0]}", []
    elif texts:
        more = [f"and {len(texts) - _MOST_NAMED} more"] if len(texts) > _MOST_NAMED else []
        yield f"a client may ignore {len(texts)} things in {file.path}:", [*texts[:_MOST_NAMED], *more]


def _racing(others: Sequence[Beside], root: Path) -> Iterator[Finding]:
    """Other hooks, each once with all of its events, and how to run it in order with the policy if that is possible."""
    # The host starts all hooks of an event at once, so this hook may see, or undo, a call as it was before a change.
    grouped: dict[tuple[str, str], list[str]] = {}
    for other in others:
        matcher = "" if matches_all(other.matcher) else f" ({other.matcher})"
        why, help = _adoption(other, root)
        key = f"{other.what} [{other.file}]" + (f"; it cannot be adopted: {why}" if why else ""), help
        grouped.setdefault(key, []).append(f"{other.event}{matcher}")
    for (what, help), events in grouped.items():
        yield note("settings", f"another hook races with Interlock: {_event_list(events)}: {what}", help)


def _adoption(other: Beside, root: Path) -> tuple[str, str]:
    """Why a hook cannot be adopted, or how; both are empty for a file that `init` does not write."""
    if other.file != str(settings_file(other.scope, root)):
        return "", ""
    try:
        shared = other.scope == "project" or is_tracked(Path(other.file))
        convert(other.hook, policy_file(other.scope, root), shared=shared)
    except CannotAdopt as why:
        return str(why), ""
    option = "" if other.scope == "local" else f" --scope {other.scope}"
    return "", f"`interlock init{option} --adopt` runs it in order with the policy"


def _event_list(events: Sequence[str]) -> str:
    """The events, or if there are many, the first ones and how many more."""
    if len(events) <= _MOST_NAMED:
        return ", ".join(events)
    return f"{', '.join(events[:_MOST_NAMED])} and {len(events) - _MOST_NAMED} more events"


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _file_in(stale: str) -> str:
    """The file that the description of a stale entry ends with."""
    return f" [{stale.rpartition('[')[2]}" if stale.endswith("]") else ""


def _moved_out(root: Path) -> Iterator[Finding]:
    """Hooks that an earlier version moved from the shared settings into the policy."""
    file = settings_file("project", root)
    manifest = read_manifest(file)
    if manifest is not None and manifest.adopted:
        text = f"hooks were moved out of {file}, which is shared: others run them only once they trust the policy"
        yield problem("settings", text, "`interlock init --scope project` puts them back")


def _is_asked_over_http(found: SettingsState) -> bool:
    ours = [handler for entries in our_entries() for handler in entries.values() if handler["type"] == "http"]
    return any(hook.handler in ours for file in found.files for hook in file.running)
