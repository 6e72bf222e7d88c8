"""Guess whether a program without an entry is a hook, and for which events."""

from __future__ import annotations

import re
from pathlib import PurePath

from interlock.event import EVENTS
from interlock.hook_lint.event_fields import instead_of, is_field
from interlock.hook_lint.program import HookProgram
from interlock.hook_lint.read import language_of, seems_to_use_sdk

__all__ = ["is_called_after_event", "may_be_a_hook", "seems_a_hook"]

_ANSWERS = frozenset({"hookSpecificOutput", "permissionDecision", "decision", "continue", "systemMessage"})
_OF_CLIENT = re.compile(r"CLAUDE|TOOL|HOOK|FILE_PATH|COMMAND|PROMPT|\d")
_TOOLS_FOR_PEOPLE = ("add_subparsers", "jsonrpc")
_RUNS_AGENT = re.compile(r"""\bimport\b[^;]*\bquery\b[^;]*["']@anthropic-ai/claude-(?:agent-sdk|code)["']""")
_OF_TOOLS = re.compile(r"tool_?(?:name|input|args|param|use)|permissionDecision|\bcommand\b|file_?path", re.IGNORECASE)
_WORDS = re.compile(r"[A-Z][a-z]+")
_BY_WORDS = {name.lower(): name for name in EVENTS}
_HEAD = 1_500  # characters, in which a program says what it is for
_TESTS = frozenset({"test", "tests", "__tests__", "testdata", "fixtures"})
_TEST = re.compile(r"^(?:test[-_.]|conftest\.)|[-_.](?:tests?|spec)\.\w+$", re.IGNORECASE)
_AGENT = re.compile(r"(?:cursor|codex|gemini|copilot|windsurf|qwen|opencode|cline|droid|kiro)[-_.]", re.IGNORECASE)
_FOLDERS = 4  # further up is how the project is called
_FIELDS = ("tool_name", "tool_input", "hook_event_name", "hookSpecificOutput")


def may_be_a_hook(file: str, text: str) -> bool:
    """A quick look at a file without an entry: False if `seems_a_hook` of no program in it can be true."""
    if seems_to_use_sdk(text):
        return True
    if _is_of_others(PurePath(file)):
        return False
    return _names_fields(file, text) and not (language_of(file, text) == "python" and _is_for_people(text))


def _is_for_people(text: str) -> bool:
    return any(word in text for word in _TOOLS_FOR_PEOPLE)


def _names_fields(file: str, text: str) -> bool:
    folder = "/.claude/hooks/" in f"/{file}" or is_called_after_event(file)
    return folder or any(field in text for field in _FIELDS)


def seems_a_hook(program: HookProgram) -> tuple[str, ...]:
    """The events that a program seems to be for; empty if it does not seem to be a hook."""
    if program.mode != "command":
        return ("PreToolUse",)
    if not _names_fields(program.file, program.text) or _is_of_others(PurePath(program.file)):
        return ()
    if program.language == "python" and not _takes_events(program):
        return ()
    if _RUNS_AGENT.search(program.text):
        return ()
    named = tuple(name for name in EVENTS if f'"{name}"' in program.text or f"'{name}'" in program.text)
    told = tuple(name for name in EVENTS if re.search(rf"\b{name}\b", program.text[:_HEAD]))
    after = PurePath(program.file).name.lower().startswith("post")
    usual = ("PostToolUse",) if after else ("PreToolUse",)
    by_tools = usual if _OF_TOOLS.search(program.text) else ()
    return named or _event_in(program.file) or (told if len(told) == 1 else ()) or by_tools


def _is_of_others(path: PurePath) -> bool:
    """Whether a file tests hooks, or is one for another agent: `hooks/tests/test-guard.sh`, `cursor-hook.sh`."""
    return (
        not _TESTS.isdisjoint(path.parts[-_FOLDERS:])
        or _TEST.search(path.name) is not None
        or _AGENT.match(path.name) is not None
    )


def is_called_after_event(file: str) -> bool:
    """Whether a file in a folder of hooks is called after an event: `hooks/pre-tool-use.sh`."""
    path = PurePath(file)
    return path.parent.name == "hooks" and bool(_event_in(path.name))


def _event_in(file: str) -> tuple[str, ...]:
    """The event that a file is called after, or its folder: `pre-tool-use.sh`, `hooks/PostToolUse/format.py`."""
    for part in reversed(PurePath(file).with_suffix("").parts[-_FOLDERS:]):
        parts = [word.capitalize() for word in re.split(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", part)]
        words = "".join(word for word in parts if word not in ("On", "Hook", "Hooks"))
        if (name := _BY_WORDS.get(words.lower())) is not None:
            return (name,)
        found = [name for name in EVENTS if len(_WORDS.findall(name)) > 1 and name in words]
        if found:
            return (max(found, key=len),)
    return ()


def _takes_events(program: HookProgram) -> bool:
    """Whether a program has to do with an event, and is not a tool for people in the same folder."""
    if _is_for_people(program.text):
        return False
    answers = any(
        isinstance(said.value, dict) and not _ANSWERS.isdisjoint(said.value)
        for ending in program.endings
        for said in ending.on("stdout")
    )
    judges = any(name.decides and _OF_CLIENT.search(name.name) for name in program.names)
    firsts = {read.path[0] for read in program.reads if read.path}
    if firsts and not answers and not any(is_field(name) or instead_of((name,), ("PreToolUse",)) for name in firsts):
        return False  # it reads another program's JSON
    return program.reads_event or program.never_run is not None or answers or judges
