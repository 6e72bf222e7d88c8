"""What a hook program does, whatever language it is written in: what it reads, what it says, and how it ends.

The readers in `read/` make these values, one for each program and for each callback. Checks look at nothing else, so
a check that is written once holds for Python, shell and JavaScript.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct

__all__ = [
    "ANY_KEY",
    "UNKNOWN",
    "Change",
    "Ending",
    "HookProgram",
    "InputComparison",
    "InputRead",
    "Language",
    "NameRead",
    "OutputPart",
    "PatternUse",
    "ProgramUse",
    "Registration",
    "ShellForm",
    "Span",
    "UnknownValue",
]

Language: TypeAlias = Literal["python", "shell", "javascript", "typescript", "output"]
"""The language of a program; `output`: of the program itself nothing is known but what it printed once."""
Change: TypeAlias = Literal["", "lower", "upper", "other"]
Path: TypeAlias = tuple[str, ...]
"""The fields that lead to a value of the event, from its top: `("tool_input", "command")`."""

ANY_KEY = "*"  # in a path: a field whose name is known only at run time


class UnknownValue:
    """A value that is known only at run time."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = UnknownValue()


class Span(Struct, frozen=True):
    """A part of a file: `text[start:end]`. Lines and columns count from 1."""

    start: int
    end: int
    line: int
    column: int


class InputRead(Struct, frozen=True, kw_only=True):
    """A value that is taken out of the event.

    `beside`: what is read as well if this is missing, or before it: `d.get("tool_name") or d.get("toolName")`.
    `is_last`: nothing below it is read, so it is the value itself that counts. `by_text`: it is cut out of the JSON
    text with this, a pattern of `grep` or `sed`, and not by a program that reads JSON.
    """

    path: Path
    span: Span
    beside: tuple[Path, ...] = ()
    is_last: bool = True
    by_text: str = ""


class NameRead(Struct, frozen=True, kw_only=True):
    """A variable of the environment, or an argument of the program (`"1"` is the first), that it reads."""

    kind: Literal["environment", "argument"]
    name: str
    span: Span
    has_default: bool = False  # it does without: a fallback, or a test whether it is set
    decides: bool = False  # what it holds is what the hook judges by, in place of the event


class InputComparison(Struct, frozen=True, kw_only=True):
    """A value of the event that is compared with texts, or looked up among them. `is_cased`: after a change of case."""

    path: Path
    values: tuple[str, ...]
    span: Span
    is_cased: bool = False


class PatternUse(Struct, frozen=True, kw_only=True):
    """A value of the event that is searched by a pattern.

    `how`: `regex` anywhere in the text; `match` from its beginning; `whole`; `glob` a pattern of the shell; `contains`
    and `starts` a plain text. `option_like`: the program takes the pattern for an option. `change`: what is searched is
    the value with its letters made small (`lower`) or large (`upper`), or the value changed in another way: cut, split,
    with something replaced. `is_exact`: capital and small letters are sure to differ for the pattern.
    """

    path: Path
    text: str
    how: Literal["regex", "match", "whole", "glob", "contains", "starts"]
    span: Span
    is_by_line: bool = False  # each line is searched by itself, as by grep
    option_like: bool = False
    change: Change = ""
    is_exact: bool = False


class OutputPart(Struct, frozen=True, kw_only=True):
    """Something that is written, or returned by a callback; a callback that returns nothing has no such entry.

    `value` is the JSON that it is, with UNKNOWN for what is known at run time only; without it, `text` is what is
    written, with `…` for what is not known. `log`: a file, a logger or another stream that the client does not
    read. What a callback prints is on `stderr`, since nobody takes it for an answer.
    """

    stream: Literal["stdout", "stderr", "return", "log"]
    span: Span
    value: Any = UNSET
    text: str = ""
    by_parts: bool = False  # JSON that is put together from pieces of text


class Ending(Struct, frozen=True, kw_only=True):
    """One way in which a program or a callback ends, and what it has said on that way.

    `how`: `exit` a call that ends it, `end` its last line, `return` of a callback, `raise` of an error that nothing
    catches, `command` the exit code of the last command (shell). `code` is None if it is not known. `when` are the
    conditions on the way, as they are written, those included under which it would have ended before; without any,
    every event comes here. `paths` is empty if the innermost condition looks at nothing of the call: then it is not
    because of the call that the way leads here. `found` are the places of the patterns and comparisons that fit. `lost`
    are places on the way that end with exit code 2, but end only a subshell.
    """

    how: Literal["exit", "end", "return", "raise", "command"]
    span: Span
    code: int | None = 0
    said: tuple[OutputPart, ...] = ()
    when: tuple[str, ...] = ()
    on_error: bool = False  # where something has failed: in `except`, `catch`, `|| …`, `trap`
    is_default: bool = False  # the way of a call to which nothing in the program applies
    paths: tuple[Path, ...] = ()  # the values of the event that the conditions look at, if the call leads here
    tools: tuple[str, ...] = ()  # for which tools it is, if the conditions name them
    found: tuple[Span, ...] = ()
    lost: tuple[Span, ...] = ()

    def on(self, *streams: str) -> tuple[OutputPart, ...]:
        return tuple(said for said in self.said if said.stream in streams)


class ProgramUse(Struct, frozen=True, kw_only=True):
    """A program that the hook runs, and needs."""

    name: str
    span: Span
    is_checked: bool = False  # the hook tests whether it is installed
    closes: bool = False  # without it, every call is refused
    decides: bool = True  # what it prints is what the hook judges by
    arguments: tuple[str, ...] = ()


class Registration(Struct, frozen=True, kw_only=True):
    """Where a callback is given to the SDK: for an event and a matcher, or as `can_use_tool`.

    `event` is empty if it is not known, and for `can_use_tool`. `allowed_tools` and `permission_mode` are what is set
    beside `can_use_tool`.
    """

    span: Span
    event: str = ""
    matcher: str | None = None  # None: every tool
    timeout: float | None = None
    on_failure: str = ""
    allowed_tools: tuple[str, ...] = ()
    permission_mode: str = ""


class ShellForm(Struct, frozen=True, kw_only=True):
    """Something that bash has and a plain POSIX shell does not have: `[[`, arrays, `<<<`."""

    name: str
    span: Span


class HookProgram(Struct, frozen=True, kw_only=True):
    """One program, or one callback of the Agent SDK.

    `mode`: `command` a program that a client starts, `callback` a function that is registered with the SDK,
    `permission` one that is given as `can_use_tool`. `entry` is where it begins: the function of a callback.
    """

    file: str
    text: str  # of the file that all spans are in
    language: Language
    line: str = ""  # of a program that is written in settings: the program alone
    mode: Literal["command", "callback", "permission"] = "command"
    name: str = ""
    entry: Span = Span(0, 0, 1, 1)
    is_async: bool = False
    registered: tuple[Registration, ...] = ()  # of a callback
    reads_event: bool = False  # it reads its input at all
    reads: tuple[InputRead, ...] = ()
    names: tuple[NameRead, ...] = ()
    comparisons: tuple[InputComparison, ...] = ()
    patterns: tuple[PatternUse, ...] = ()
    endings: tuple[Ending, ...] = ()
    uses: tuple[ProgramUse, ...] = ()
    blocking: tuple[Span, ...] = ()  # calls that block the event loop of an async callback
    imported: tuple[str, ...] = ()  # the texts of files of the project that it imports
    borrowed: tuple[Span, ...] = ()  # places that stand for something in them
    never_run: Span | None = None  # its work is in a function that nothing calls
    shell: str = ""  # of a shell program: the one its first line names
    beyond_posix: tuple[ShellForm, ...] = ()  # of a shell program: what only some shells understand
    unread: str = ""  # why a part of it could not be read; what depends on that is not complained about

    @property
    def own_text(self) -> str:
        """The program without the settings around it, which may have anything in them, and with what it imports."""
        return self.line or "\n".join((self.text, *self.imported))
