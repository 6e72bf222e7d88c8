"""A field that the event does not have is always empty

## What
A hook reads a field that Claude Code does not send: `toolName` for `tool_name`, `parameters` for `tool_input`, or
`file_path` at the top of the event instead of inside `tool_input`. Or it looks for `output` in the response of Bash,
which has `stdout` and `stderr`, or for `error` on PostToolUse, which only PostToolUseFailure has.

## Why
The value is missing on every event, so the condition is never true and the hook refuses nothing. No error says so.

## Example
```python
if event.get("toolName") == "Bash" and "rm -rf" in event.get("command", ""):
    sys.exit(2)
```

## Fix
```python
if event.get("tool_name") == "Bash" and "rm -rf" in event.get("tool_input", {}).get("command", ""):
    sys.exit(2)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.event import EVENTS
from interlock.facts.fields import FIELDS, known_fields
from interlock.hook_lint.event_fields import fields_of, instead_of
from interlock.hook_lint.finding import Fix, LintFinding, at
from interlock.hook_lint.program import HookProgram, InputRead
from interlock.hook_lint.rewording import field_renamed
from interlock.hook_lint.wiring import HookSubject

CODE = "IL101"
ABOUT = "hook"
FIXES = True
_OF_TOOLS = frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"})
_FIELDS_OF_TOOLS = frozenset(name.rstrip("*") for table in FIELDS.values() for name in table)
_ONLY_THERE = {"tool_input": "PreToolUse and PostToolUse", "tool_name": "PreToolUse and PostToolUse",
               "tool_response": "PostToolUse", "prompt": "UserPromptSubmit"}  # fmt: skip
_OBJECTS = frozenset({"tool_input", "tool_response"})
_OTHER_THINGS = frozenset({"transcript"})  # its text, and not where it is
_OF_FILES = frozenset({"Write", "Edit", "MultiEdit", "Read"})


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such field that nothing right is read beside."""
    program = subject.program
    seen = set()
    if subject.wires and set(subject.events) == {"PostToolUse"}:
        yield from _error_of_success(program)
    yield from _of_other_tools(subject)
    yield from _of_another_event(subject)
    for read in program.reads:
        meant = instead_of(read.path, subject.events) or _path_of_file(read, subject) or _of_shell(read, subject)
        wrong = read.path[: 2 if read.path[:1] in (("tool_input",), ("tool_response",)) else 1]
        if meant is None or wrong in seen or _has_right_one(read, meant, subject):
            continue
        seen |= {wrong, *(path[: len(wrong)] for path in read.beside)}  # one finding for a chain of wrong names
        message = f"no {subject.events[0]} event has `{'.'.join(wrong)}`, so it is always empty"
        fix = _fix(program, wrong, meant) if read.path[1:2] != meant else None
        yield at(CODE, program, read.span, message, f"read `{'.'.join(meant)}`", fix=fix)


def _of_other_tools(subject: HookSubject) -> Iterator[LintFinding]:
    """Where a hook reads what other tools have, and nothing that those have which its matcher lets through."""
    program = subject.program
    tables = [known_fields(tool) for tool in subject.tools or ()]
    if not tables or program.unread or not _OF_TOOLS.issuperset(subject.events):
        return
    present = {name for table in tables for name in table or ()}
    reads = [one for one in program.reads if one.path[:1] == ("tool_input",)]
    if None in tables or any(len(one.path) == 1 and one.is_last for one in reads):
        return
    named = [one for one in reads if len(one.path) > 1]
    if any(one.path[1] in present or one.path[1] not in _FIELDS_OF_TOOLS for one in named):
        return
    for one in named[:1]:
        if one.path[1] == "path" and _OF_FILES.issuperset(subject.tools or ()):
            return  # what is meant there is sure
        if one.path[1] == "file_path" and subject.tools == ("NotebookEdit",):
            return  # IL105
        tools = ", ".join(f"`{tool}`" for tool in subject.tools or ())
        message = f"no tool that the matcher names ({tools}) has `{one.path[1]}`, so it is always empty"
        yield at(CODE, program, one.span, message, "name the tools in the matcher that have it")


def _fix(program: HookProgram, wrong: tuple[str, ...], meant: tuple[str, ...]) -> Fix | None:
    """The right name in every place that reads the wrong one; a field that is somewhere else is left to a person."""
    reads = [one for one in program.reads if one.path[: len(wrong)] == wrong]
    if wrong[-1] in _OTHER_THINGS or (meant[-1] not in _OBJECTS and any(len(one.path) > len(wrong) for one in reads)):
        return None  # what it holds is not what the other one holds
    spans = [one.span for one in reads]
    if len(meant) == len(wrong) and meant[:-1] == wrong[:-1]:
        return field_renamed(program, spans, wrong[-1], meant[-1])
    if program.language == "shell" and len(wrong) == 1:
        return field_renamed(program, spans, wrong[0], ".".join(meant))
    return None


def _error_of_success(program: HookProgram) -> Iterator[LintFinding]:
    """Where the error of a call is looked for in the event of one that succeeded, and nowhere else."""
    read = next((one for one in program.reads if one.path == ("error",)), None)
    if read is not None and not any(one.path[:1] == ("tool_response",) for one in program.reads):
        message = "no PostToolUse event has `error`, so it is always empty: a call that fails raises PostToolUseFailure"
        yield at(CODE, program, read.span, message, "register the hook for PostToolUseFailure")


def _of_another_event(subject: HookSubject) -> Iterator[LintFinding]:
    """What only a call of a tool has, or a prompt, where a hook of another event judges by it."""
    program = subject.program
    reads = {read.path[0] for read in program.reads if read.path}
    if not subject.wires or "hook_event_name" in reads or any(event not in EVENTS for event in subject.events):
        return  # it may be started for other events elsewhere
    judged = {path[0] for ending in program.endings for path in ending.paths if path}
    for field, events in _ONLY_THERE.items():
        if field not in judged or any(field in fields_of(event) for event in subject.events):
            continue
        of_field = [one for one in program.reads if one.path[:1] == (field,)]
        if of_field and not any(one.beside for one in of_field):
            message = f"no {subject.events[0]} event has `{field}`, so it is always empty"
            yield at(CODE, program, of_field[0].span, message, f"it is a field of {events}")


def _of_shell(read: InputRead, subject: HookSubject) -> tuple[str, ...] | None:
    """`output` is what other agents call what a command has printed."""
    only_shell = subject.tools == ("Bash",) and set(subject.events) == {"PostToolUse"}
    return ("tool_response", "stdout") if only_shell and read.path[:2] == ("tool_response", "output") else None


def _path_of_file(read: InputRead, subject: HookSubject) -> tuple[str, ...] | None:
    """`path` is what some tools call it, but not those that the matcher lets through."""
    only_files = subject.tools and set(subject.tools) <= _OF_FILES
    return ("tool_input", "file_path") if only_files and read.path[:2] == ("tool_input", "path") else None


def _has_right_one(read: InputRead, meant: tuple[str, ...], subject: HookSubject) -> bool:
    """Whether the right field is read as well: then this one is a fallback, for another agent perhaps."""
    if any(path[: len(meant)] == meant for path in read.beside):
        return True
    # Without an entry, the event is a guess: a field of any event is right then.
    events = subject.events if subject.wires else tuple(EVENTS)
    known = {field for event in events for field in fields_of(event)}
    if any(path and path[0] in known and instead_of(path, events) is None for path in read.beside):
        return True
    return any(one.path[: len(meant)] == meant for one in subject.program.reads)
