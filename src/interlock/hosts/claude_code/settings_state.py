"""Which of Interlock's entries would really run, by all settings together; what disables them or races with them."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from interlock.config.places import socket_path
from interlock.errors import InterlockError
from interlock.files.edit import read_bytes
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.address import proxy_problem, read_address
from interlock.hosts.claude_code.entries import Entries, Handler, earlier_forms, entries_for, is_entry
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.places import Scope, config_folder
from interlock.hosts.claude_code.recovery import SHELL_VARIABLES, direct, runs_shell
from interlock.hosts.claude_code.settings_files import SettingsPlace, settings_places
from interlock.hosts.claude_code.settings_rules import Settings, SettingsHook, matches_all, read_settings

__all__ = [
    "Beside", "Off", "SettingsFile", "SettingsState", "cannot_tell", "entries_in", "hindrances", "label", "our_entries",
    "read_file", "settings_state", "would_stay_on",
]  # fmt: skip

_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
# Variables that Claude Code treats as its own switches, wherever they are set.
_NO_HOOKS, _MANAGED_ONLY = "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"
# How variables begin that reach into a program before its own first line: one has it load other people's code, another
# has it list its libraries and end, which a client takes for an answer.
_LOADERS = ("LD_", "DYLD_", "GCONV_PATH")
_OF_PYTHON = "PYTHON"  # read by `interlock`, which is found by its name and started without `-I`
_FALSE = ("", "0", "false", "no", "off")


class SettingsFile(Struct, frozen=True):
    """One settings file as it was found. `real` is where its links lead; `newer`: only newer clients read it here."""

    scope: Scope
    path: str
    real: str
    settings: Settings | None = None
    error: str = ""
    newer: bool = False

    @property
    def running(self) -> tuple[SettingsHook, ...]:
        return self.settings.running if self.settings is not None else ()

    @property
    def values(self) -> dict[str, Any]:
        return self.settings.values if self.settings is not None else {}

    @property
    def env(self) -> dict[str, str]:
        return self.settings.env if self.settings is not None else {}


class Off(Struct, frozen=True):
    """Something that keeps entries from running: all of them, all but the managed ones, or those of one event."""

    why: str
    spares_managed: bool = False
    event: str | None = None

    def holds_for(self, event: str, scope: Scope) -> bool:
        return self.event in (None, event) and not (self.spares_managed and scope == "managed")


class Beside(Struct, frozen=True):
    """Another program's hook that would run at the same time as Interlock's."""

    event: str
    matcher: str | None
    what: str
    file: str
    scope: Scope
    hook: SettingsHook

    def __str__(self) -> str:
        matcher = "" if matches_all(self.matcher) else f" ({self.matcher})"
        return f"{self.event}{matcher}: {self.what} [{self.file}]"


class SettingsState(Struct, frozen=True):
    """What all settings files that a client reads in a folder amount to."""

    files: tuple[SettingsFile, ...] = ()
    running: dict[str, tuple[str, ...]] = {}  # event → the files from which Interlock's entry would run
    off: tuple[Off, ...] = ()
    beside: tuple[Beside, ...] = ()
    stale: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The events on which no entry of Interlock would run."""
        return tuple(event for event in WIRED if event not in self.running)

    @property
    def problems(self) -> tuple[str, ...]:
        """What a client ignores in any of the files."""
        found = []
        for file in self.files:
            if file.error:
                found.append(file.error)
            if file.settings is not None:
                found += [file.settings.unclear] if file.settings.unclear else []
                found += [str(problem) for problem in file.settings.problems]
        return tuple(found)

    @property
    def env(self) -> dict[str, str]:
        """The variables that the files set together. The files are in order of precedence, the strongest first."""
        return {name: value for file in reversed(self.files) for name, value in file.env.items()}

    @property
    def alone(self) -> bool:
        """Whether no other known hook runs on PreToolUse, so that no hook can undo a change."""
        return not any(hook.event == "PreToolUse" for hook in self.beside)


def our_entries() -> tuple[Entries, ...]:
    """What this installation writes: the entries for one machine, for a shared file, and for HTTP if it is used.

    Entries in a form that it wrote before are the last ones: they still do the same.
    """
    try:
        address = read_address(socket_path().parent)
    except InterlockError:
        address = None  # an address that other users may know is not used any more
    over_http = (entries_for("local", address),) if address is not None else ()
    today = entries_for("local"), entries_for("project"), *over_http
    return *today, *(form for entries in today[:2] for form in earlier_forms(entries))


def settings_state(
    start: Path,
    home: Path | None = None,
    config_dir: Path | None = None,
    managed: Path | None = None,
    ours: Sequence[Entries] | None = None,
    instead: Mapping[Path, bytes | None] | None = None,
) -> SettingsState:
    """Read every settings file of a client that is started in a folder. Never raises for what is in them.

    `instead` supposes that files held something else, or (None) were not there.
    """
    wanted = our_entries() if ours is None else tuple(ours)
    config = config_dir or config_folder(home)
    looked = settings_places(start, config, managed or places.MANAGED)
    files = tuple(_file(place, instead or {}) for place in looked)
    off = (*_switches(files), *_environment(files, wanted), *_shadows(files, wanted), *_unclear(files))
    running: dict[str, list[str]] = {}
    for file in files:
        for hook in file.running:
            if _is_ours(hook, wanted) and not any(one.holds_for(hook.event, file.scope) for one in off):
                running.setdefault(hook.event, []).append(file.path)
    return SettingsState(
        files=files,
        running={event: tuple(found) for event, found in running.items()},
        off=off,
        beside=tuple(_beside(files, wanted)),
        stale=tuple(_stale(files, wanted)),
        notices=tuple(_notices(files, running)),
    )


def read_file(place: SettingsPlace) -> tuple[SettingsFile, bytes | None]:
    """One settings file as it is now, with its bytes if it exists and can be read."""
    try:
        raw = read_bytes(place.path)
    except InterlockError:
        return _file(place, {}), None
    return _file(place, {place.path: raw}), raw


def entries_in(file: SettingsFile, wanted: Sequence[Entries]) -> Entries:
    """The entries of a file that a client would run as they were written."""
    return {hook.event: hook.handler for hook in file.running if _is_ours(hook, wanted)}


def hindrances(file: SettingsFile, entries: Entries) -> list[str]:
    """Why a file's entries would not all run, as far as the file itself shows. Empty if they would."""
    if file.error:
        return [file.error]
    if file.settings is None:
        return [f"{file.path} is gone"]
    if file.settings.ignored is not None:
        return [f"the client ignores {file.path}: {file.settings.ignored}"]
    there = entries_in(file, [entries])
    gone = [event for event in entries if event not in there]
    what = "them" if len(gone) == len(entries) else f"those for {_short_list(gone)}"
    off = (*_switches([file]), *_environment([file], [entries]), *_shadows([file], [entries]))
    return [*([f"{file.path} does not contain {what} as they were written"] if gone else []), *(one.why for one in off)]


def would_stay_on(before: SettingsState, after: SettingsState) -> list[str]:
    """Why, after a change, Interlock's entries would not all run any more. Empty if they would."""
    expected = before.running or dict.fromkeys(WIRED, ())
    gone = [event for event in expected if event not in after.running]
    reasons = []
    if gone:
        why = [one.why for one in after.off if any(one.event in (None, event) for event in gone)]
        why += [
            f"the client would ignore {file.path}: {text}"
            for file, text in _ignored_files(after)
            if _holds(before, file)
        ]
        what = "" if len(gone) == len(expected) else f" about {_short_list(gone)}"
        reasons = why or [f"Interlock would no longer be asked{what}"]
    earlier = {file.path: file for file in before.files}
    for file in after.files:
        was = earlier.get(file.path)
        reasons += _moves(was, file) if was is not None else []
    return list(dict.fromkeys(reasons))


def cannot_tell(before: SettingsState, after: SettingsState) -> list[str]:
    """Changes in files with Interlock's entries that might make the client ignore the whole file."""
    earlier = {file.path: file for file in before.files}
    return [
        text for file in after.files if _holds(after, file) for text in _unknown_values(earlier.get(file.path), file)
    ]


def _holds(state: SettingsState, file: SettingsFile) -> bool:
    return any(file.path in paths for paths in state.running.values())


def _ignored_files(state: SettingsState) -> Iterator[tuple[SettingsFile, str]]:
    for file in state.files:
        if file.settings is not None and (why := file.settings.ignored) is not None:
            yield file, why


def _moves(was: SettingsFile, now: SettingsFile) -> list[str]:
    if now.real != was.real:
        return [f"{now.path} leads to {now.real} instead of {was.real}"]
    return [now.error] if now.error and now.error != was.error else []


def _unknown_values(was: SettingsFile | None, now: SettingsFile) -> list[str]:
    """Settings whose value changed, if it is not known whether the client accepts the new value."""
    before = was.values if was is not None else {}
    unsure = now.settings.unsure if now.settings is not None else {}
    return [
        f"`{key}` changed in {now.path}, and a value that the client does not accept would make it ignore the "
        "whole file"
        for key, value in unsure.items()
        if key not in before or before[key] != value
    ]


def _short_list(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


# --- the files ---------------------------------------------------------------------------------------------


def _file(place: SettingsPlace, instead: Mapping[Path, bytes | None]) -> SettingsFile:
    path = place.path
    real = os.path.realpath(path)
    try:
        raw = instead[path] if path in instead else read_bytes(path)
    except InterlockError as error:
        return SettingsFile(place.scope, str(path), real, error=error.message, newer=place.newer)
    settings = None if raw is None else read_settings(raw, str(path))
    return SettingsFile(place.scope, str(path), real, settings, newer=place.newer)


# --- what is whose -----------------------------------------------------------------------------------------


def _is_ours(hook: SettingsHook, wanted: Sequence[Entries]) -> bool:
    """Whether it is exactly an entry that Interlock writes, for every call: anything less would do less."""
    return matches_all(hook.matcher) and any(entries.get(hook.event) == hook.handler for entries in wanted)


def _is_copy(hook: SettingsHook, wanted: Sequence[Entries]) -> bool:
    return any(entries.get(hook.event) == hook.handler for entries in wanted)


def _same_program(one: Handler, other: Handler) -> bool:
    """Whether the client treats two entries as the same, and so runs only the later one."""
    return all(one.get(field) == other.get(field) for field in ("type", "command", "args", "url"))


def _hooks(files: Sequence[SettingsFile]) -> Iterator[tuple[SettingsFile, SettingsHook]]:
    """Every hook of every file, even of a file that one client ignores: another may not."""
    for file in files:
        for hook in file.settings.hooks if file.settings is not None else ():
            yield file, hook


def _beside(files: Sequence[SettingsFile], wanted: Sequence[Entries]) -> Iterator[Beside]:
    for file, hook in _hooks(files):
        if not _is_copy(hook, wanted) and not is_entry(hook.event, hook.handler):
            yield Beside(hook.event, hook.matcher, label(hook.handler), hook.file, file.scope, hook)


def _stale(files: Sequence[SettingsFile], wanted: Sequence[Entries]) -> Iterator[str]:
    for _, hook in _hooks(files):
        if is_entry(hook.event, hook.handler) and not _is_copy(hook, wanted):
            yield f"{hook.event}: {label(hook.handler)} [{hook.file}]"


def label(handler: Handler) -> str:
    """A hook in a few words: what it runs, or asks."""
    kind = handler.get("type")
    if kind == "command":
        handler = direct(handler)
        words = [str(handler.get("command")), *map(str, handler.get("args", []))]
        return " ".join(words)
    if kind == "http":
        return str(handler.get("url"))
    if kind == "mcp_tool":
        return f"the MCP tool {handler.get('server')}/{handler.get('tool')}"
    return f"{'an' if kind == 'agent' else 'a'} {kind} hook"


# --- what switches entries off -----------------------------------------------------------------------------


def _switches(files: Sequence[SettingsFile]) -> Iterator[Off]:
    """`disableAllHooks` and similar settings. The first file with a clear value takes precedence."""
    managed = [file for file in files if file.scope == "managed"]
    for file in managed:
        if file.values.get("allowManagedHooksOnly") is True:
            yield Off(f"{file.path} lets only managed hooks run (`allowManagedHooksOnly`)", spares_managed=True)
        locked = file.values.get("strictPluginOnlyCustomization")
        if locked is True or (isinstance(locked, list) and "hooks" in locked):
            yield Off(
                f"{file.path} lets only managed and plugins' hooks run (`strictPluginOnlyCustomization`)",
                spares_managed=True,
            )
    for file in files:
        said = file.settings.disables if file.settings is not None else None
        if said is True:
            yield Off(f"{file.path} switches all hooks off (`disableAllHooks`)", spares_managed=file.scope != "managed")
            return
        if _keeps_hooks_on(file):
            return


def _environment(files: Sequence[SettingsFile], wanted: Sequence[Entries]) -> Iterator[Off]:
    own = [hook for _, hook in _hooks(files) if _is_copy(hook, wanted)]
    handlers = [hook.handler for hook in own]
    over_http = any(handler.get("type") == "http" for handler in handlers)
    by_name = any(direct(handler).get("command") == "interlock" for handler in handlers)
    through_shell = sorted({hook.event for hook in own if runs_shell(hook.handler)})
    diverted = over_http and proxy_problem({}, SettingsState(files=tuple(files)).env) is not None
    for file in files:
        for name, value in file.env.items():
            set_in = f"{file.path} sets `{name}`"
            if name == _NO_HOOKS and value.lower() not in _FALSE:
                yield Off(f"{set_in}, so the client runs no hooks")
            elif name == _MANAGED_ONLY and value.lower() not in _FALSE:
                yield Off(f"{set_in}, so the client runs managed hooks only", spares_managed=True)
            elif name.upper().startswith(_LOADERS):
                yield Off(f"{set_in}, which affects the process of Interlock's entry before it starts")
            elif through_shell and name.startswith(SHELL_VARIABLES):
                yield from (
                    Off(f"{set_in}, which affects the shell of Interlock's entry", event=one) for one in through_shell
                )
            elif by_name and (name == "PATH" or name.upper().startswith(_OF_PYTHON)):
                yield Off(f"{set_in}, which decides what `interlock` is")
            elif name.lower() in _PROXIES and diverted:
                yield Off(f"{set_in}, which sends the events of Interlock's entry elsewhere")
        urls = file.values.get("allowedHttpHookUrls")
        if over_http and isinstance(urls, list) and not _are_allowed(handlers, urls):
            yield Off(f"{file.path} does not list the address of Interlock's entry (`allowedHttpHookUrls`)")


def _are_allowed(handlers: Sequence[Handler], urls: Sequence[Any]) -> bool:
    asked = [str(handler["url"]) for handler in handlers if handler.get("type") == "http"]
    return all(any(fnmatch.fnmatchcase(url, str(pattern)) for pattern in urls) for url in asked)


def _shadows(files: Sequence[SettingsFile], wanted: Sequence[Entries]) -> Iterator[Off]:
    """Entries that the client takes for Interlock's, but that do less: of two that run the same, the later counts."""
    for file, hook in _hooks(files):
        for entries in wanted if not _is_copy(hook, wanted) else ():
            own = entries.get(hook.event)
            if own is not None and own != hook.handler and _same_program(own, hook.handler):
                yield Off(
                    f"{file.path} contains an altered copy of Interlock's entry for {hook.event}", event=hook.event
                )


def _unclear(files: Sequence[SettingsFile]) -> Iterator[Off]:
    """A file that Interlock cannot read but the client perhaps can: what it switches off is not known."""
    for file in files:
        if file.error:
            yield Off(file.error)
        if file.settings is not None and file.settings.unclear:
            yield Off(f"it is unclear what {file.path} says: {file.settings.unclear}")


def _notices(files: Sequence[SettingsFile], running: Mapping[str, Sequence[str]]) -> Iterator[str]:
    ours = [file for file in files if any(file.path in paths for paths in running.values())]
    if ours and all(file.newer for file in ours):
        yield (
            f"{ours[0].path} is read here by newer clients only; one as old as 2.1.197 reads nothing above the folder "
            "it is started in"
        )
    yield from _exposures(files, {file.scope: file for file in ours})
    for file in files:
        plugins = file.values.get("enabledPlugins")
        on = [name for name, value in plugins.items() if value is True] if isinstance(plugins, dict) else []
        if on:
            yield f"{file.path} enables plugins, which may have their own hooks: {', '.join(on)}"


def _exposures(files: Sequence[SettingsFile], ours: Mapping[Scope, SettingsFile]) -> Iterator[str]:
    """That a file that comes with a project could switch Interlock off, because no stronger file forbids it."""
    if "managed" in ours or any(_keeps_hooks_on(file) for file in files if file.scope in ("managed", "local")):
        return
    if "local" in ours:
        yield (
            f"{ours['local'].path} does not say `disableAllHooks: false`, so settings that come with the project can "
            "switch all hooks off; `interlock init` writes it"
        )
    elif "user" in ours:
        yield (
            f"settings that come with a project can switch off the entries in {ours['user'].path}; "
            "`interlock init` in that project, or `--scope managed`, prevents that"
        )


def _keeps_hooks_on(file: SettingsFile) -> bool:
    return file.settings is not None and file.settings.ignored is None and file.settings.disables is False
