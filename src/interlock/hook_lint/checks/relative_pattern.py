r"""Paths in events are absolute, so a relative pattern never matches

## What
A guard compares `file_path` with a relative path, or searches it by a pattern that begins with one: `^\.git/`, `src/*`.

## Why
Claude Code's file tools take absolute paths. `/home/me/app/.git/config` does not begin with `.git/`, so nothing is ever
refused.

## Example
```sh
if [[ "$file_path" =~ ^\.git/ ]]; then exit 2; fi
```

## Fix
```sh
if [[ "$file_path" =~ (^|/)\.git/ ]]; then exit 2; fi
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import refused_by
from interlock.hook_lint.intent import is_list_of_exceptions
from interlock.hook_lint.program import HookProgram, InputComparison, PatternUse
from interlock.hook_lint.regexes import anchored_words, first_word, is_anywhere
from interlock.hook_lint.wiring import HookSubject

CODE = "IL602"
ABOUT = "hook"
_ABSOLUTE = (("tool_input", "file_path"), ("tool_input", "notebook_path"))
_RELATIVE = re.compile(r"(?!(?:null|undefined|None|true|false)\Z)(?![A-Za-z]:)[\w.@-][^\n]*\Z")
_FROM_END = re.compile(r"\b(?:endswith|endsWith|basename)\b")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every relative path that a refusal depends on."""
    program = subject.program
    uses = [use for use in program.patterns if use.path in _ABSOLUTE and not is_list_of_exceptions(program, use.span)]
    seen = set()
    for use in uses:
        words = None if use.change or use.option_like else anchored_words(use)
        if words is None or use.span in seen or not _RELATIVE.match(words.lstrip("(?:").replace("\\", "")):
            continue
        if refused_by(subject, use) and not _is_covered(first_word(words), uses, program.comparisons):
            seen.add(use.span)
            yield at(CODE, program, use.span, _message(use.text), _help(program, use))
    for one in program.comparisons:
        if one.path not in _ABSOLUTE or one.span in seen or not one.values:
            continue
        if any(not _RELATIVE.match(value) or _is_covered(value, uses, ()) for value in one.values):
            continue
        if _is_tested_from_its_end(program, one):
            continue
        if refused_by(subject, one):
            seen.add(one.span)
            yield at(CODE, program, one.span, _message(one.values[0]), "compare the last part of the path")


def _message(text: str) -> str:
    return f"`{text}` never matches: the path in the event is absolute"


def _help(program: HookProgram, use: PatternUse) -> str:
    if use.how in ("regex", "match"):
        return "begin it with (^|/)"
    return "begin it with */" if program.language == "shell" else f"look for `/{use.text}` anywhere in the path"


def _is_covered(word: str, uses: list[PatternUse], comparisons: tuple[InputComparison, ...]) -> bool:
    """Whether another pattern looks for the same further behind."""
    return any(is_anywhere(use, word) for use in uses) or any(
        word in value for one in comparisons if one.path in _ABSOLUTE for value in one.values if value.startswith("/")
    )


def _is_tested_from_its_end(program: HookProgram, one: InputComparison) -> bool:
    """Whether the same condition asks for the end of the path as well: `path == name or path.endswith("/" + name)`."""
    line_end = program.text.find("\n", one.span.end)
    return _FROM_END.search(program.text[one.span.end : line_end if line_end >= 0 else None]) is not None
