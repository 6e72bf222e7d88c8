"""Find hooks in files and folders, and connect each program with the entries that start it."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from interlock.config.places import LOCAL_NAME, POLICY_NAME
from interlock.hook_lint.commands import is_line
from interlock.hook_lint.entries import holder_of, read_entries
from interlock.hook_lint.front_matter import may_have_front_matter, read_front_matter
from interlock.hook_lint.guess import may_be_a_hook, seems_a_hook
from interlock.hook_lint.matchers import exact_names
from interlock.hook_lint.places import inside
from interlock.hook_lint.program import HookProgram, Registration
from interlock.hook_lint.read import language_of, read_programs
from interlock.hook_lint.run_output import read_captured, read_stdout
from interlock.hook_lint.wiring import HookSubject, HookWire, SettingsSubject
from interlock.hosts.claude_code.settings_rules import matches_all

__all__ = ["GatheredHooks", "gather"]

_SKIPPED = frozenset({
    ".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", ".tox", "site-packages",
    # Hooks of other agents have other fields and other answers.
    ".github", ".cursor", ".gemini", ".qwen", ".codex", ".copilot", ".factory", ".windsurf", ".kiro", ".clinerules",
    ".opencode", ".amp",
})  # fmt: skip
_OF_SIZE = ("too long", "too many ways to follow", "too many ways through it", "nested too deeply")
_FIRST_LINE = 256  # bytes, which the longest first line of a script fits into
_MOST_BYTES = 1 << 20  # of a file; people do not write longer ones
_OBJECTS = 200_000  # that are made before Python looks for garbage among them


class GatheredHooks(Struct):
    """Everything to be looked at, and what could not be read or followed, with the reason."""

    settings: list[SettingsSubject] = []
    hooks: list[HookSubject] = []
    outputs: list[HookSubject] = []  # captured ones
    policies: list[Path] = []  # which `interlock check` knows how to look at
    skipped: list[tuple[str, str]] = []
    unfinished: list[tuple[str, str]] = []  # hooks of which only a part was followed


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Look for garbage less often: syntax trees have no cycles, and the search is a sixth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@_collecting_seldom()
def gather(paths: Iterable[Path], event: str = "") -> GatheredHooks:
    """The hooks in these files and folders, and the programs that their entries start wherever they are.

    `event`: the files that are named are what hooks printed when they were run for this event.
    """
    found = GatheredHooks()
    texts = _read_files(dict.fromkeys(paths), event, found)
    wires = _wires_by_script(found, texts)
    programs = {
        path: read_programs(file, text)
        for path, (file, text) in texts.items()
        if path in wires or may_be_a_hook(file, text)
    }
    subjects = (_subject(program, wires.get(path, [])) for path, read in programs.items() for program in read)
    found.hooks = [one for one in subjects if one is not None]
    for one in found.settings:
        found.hooks += [_subject_of_line(one, wire) for wire in one.wires if is_line(wire)]
    every = [wire for one in found.settings for wire in one.wires] + [wire for one in found.hooks for wire in one.wires]
    files = {wire.file for wire in every if _runs_before_shell(wire)}
    found.hooks = [replace(one, covers_shell=any(wire.file in files for wire in one.wires)) for one in found.hooks]
    lines = {hook.wires[0].key: hook.program for hook in found.hooks if hook.wires and is_line(hook.wires[0])}
    found.settings = [replace(one, programs=_programs_of(one, programs), lines=lines) for one in found.settings]
    every_unread = ((one.program.file, one.program.unread) for one in found.hooks)
    found.unfinished = [(file, why) for file, why in dict.fromkeys(every_unread) if _is_for_size(why)]
    return found


def _read_files(paths: Mapping[Path, None], event: str, found: GatheredHooks) -> dict[Path, tuple[str, str]]:
    """Note what each file holds. The programs are not read yet: by its path, the name of each and its text."""
    texts: dict[Path, tuple[str, str]] = {}
    for path in dict.fromkeys(one for start in paths for one in _files(start)):
        if path.name in (POLICY_NAME, LOCAL_NAME) or (path in paths and path.name.endswith(".test.yaml")):
            found.policies.append(path)
            continue
        raw = _bytes(path, found) if path in paths or _may_matter(path) else None
        if raw is None:
            continue
        text = raw.decode("utf-8", "replace")
        if event and path in paths:
            found.outputs += read_captured(path, text, event, is_named=True) or [read_stdout(str(path), text, event)]
        elif (holder := holder_of(path, text)) is not None:
            found.settings.append(read_entries(path, raw, holder))
        elif may_have_front_matter(path):
            found.settings += [one for one in [read_front_matter(path, raw)] if one is not None]
        elif language_of(str(path), text) is not None:
            texts[path.resolve()] = str(path), text
        else:
            found.outputs += read_captured(path, text, is_named=path in paths)
    return texts


def _wires_by_script(found: GatheredHooks, texts: dict[Path, tuple[str, str]]) -> dict[Path, list[HookWire]]:
    """The entries that start each script. Scripts outside of the folders that were read are read now."""
    wires: dict[Path, list[HookWire]] = {}
    for wire in (wire for one in found.settings for wire in one.wires):
        if wire.script is not None and wire.script.is_file():
            script = wire.script.resolve()
            wires.setdefault(script, []).append(wire)
            if script not in texts and (raw := _bytes(script, found)) is not None:
                texts[script] = str(wire.script), raw.decode("utf-8", "replace")
    return wires


def _runs_before_shell(wire: HookWire) -> bool:
    names = exact_names(wire.matcher or "")
    return wire.event == "PreToolUse" and (names is None or not names or "Bash" in names)


def _programs_of(settings: SettingsSubject, programs: dict[Path, list[HookProgram]]) -> dict[Path, HookProgram]:
    scripts = {wire.script.resolve() for wire in settings.wires if wire.script is not None}
    return {path: programs[path][0] for path in scripts if programs.get(path)}


def _subject_of_line(settings: SettingsSubject, wire: HookWire) -> HookSubject:
    """The program of an entry that is written in the settings themselves."""
    node = wire.part("command")
    program = read_programs(wire.file, str(wire.handler["command"]), "shell")[0]
    if node is not None:
        program = inside(program, settings.text, node)
    return _hook(program, [wire])


def _subject(program: HookProgram, wires: list[HookWire]) -> HookSubject | None:
    if program.mode != "command":
        wires = [_wire_of(program, one) for one in program.registered if one.event]
    if wires:
        return _hook(program, wires)
    events = seems_a_hook(program)
    return HookSubject(program=program, events=events) if events else None


def _wire_of(program: HookProgram, one: Registration) -> HookWire:
    """The entry that the registration of a callback is."""
    handler = {"type": "callback", "timeout": one.timeout, "onFailure": one.on_failure}
    kept = {key: value for key, value in handler.items() if value}
    return HookWire(event=one.event, holder="sdk", matcher=one.matcher, handler=kept, file=program.file)


def _hook(program: HookProgram, wires: list[HookWire]) -> HookSubject:
    """A program under its entries."""
    tools = None if any(matches_all(wire.matcher) for wire in wires) else _tools_of(wires)
    events = tuple(dict.fromkeys(wire.event for wire in wires))
    return HookSubject(program=program, wires=tuple(wires), events=events, tools=tools)


def _tools_of(wires: list[HookWire]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for wire in wires for name in (wire.matcher or "").split("|")))


def _files(start: Path) -> Iterator[Path]:
    if not start.is_dir():
        yield start
        return
    for folder, folders, files in os.walk(start):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(files):
            yield Path(folder) / name


def _is_for_size(why: str) -> bool:
    """Whether a reader has stopped at one of its limits, and not at something that it does not know."""
    return why.startswith("more than ") or why.endswith(_OF_SIZE)


def _may_matter(path: Path) -> bool:
    """Whether a file in a folder is of a kind that is read, by its name or by the few bytes that tell."""
    if path.suffix == ".json" or may_have_front_matter(path):
        return True
    try:
        with path.open("rb") as file:
            return language_of(str(path), file.read(_FIRST_LINE).decode("utf-8", "replace")) is not None
    except OSError:
        return language_of(str(path), "") is not None


def _bytes(path: Path, found: GatheredHooks) -> bytes | None:
    try:
        if path.stat().st_size > _MOST_BYTES:
            found.skipped.append((str(path), "it is larger than 1 MB"))
            return None
        return path.read_bytes()
    except OSError as error:
        found.skipped.append((str(path), f"{error.strerror}"))
        return None
