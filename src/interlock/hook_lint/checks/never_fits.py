r"""A pattern that cannot match what it is meant to find

## What
A guard uses a pattern that cannot match what it is meant to find:

- capital letters, although the text was converted to lowercase before;
- `\b` next to a character that is not a letter, a digit or `_`: `\b\.env`, `rm -rf /\b`;
- the fork bomb with its parentheses, which the pattern reads as a group;
- a pattern that is compared as plain text: `"^rm"` with `in`, or `[[ $file == "*.env" ]]` with the star in quotes.

## Why
The pattern never matches, so the calls that it should stop run. No error says so.

## Example
```python
if re.search(r"\bchmod -R 777", command.lower()):
    sys.exit(2)
```

## Fix
```python
if re.search(r"\bchmod -r 777", command.lower()):
    sys.exit(2)
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import refused_besides, refused_by
from interlock.hook_lint.intent import is_list_of_exceptions
from interlock.hook_lint.program import PatternUse
from interlock.hook_lint.regexes import alternatives, expression_of, never_in_case, sample_before_boundary
from interlock.hook_lint.wiring import HookSubject

CODE = "IL607"
ABOUT = "hook"
_COMMAND = ("tool_input", "command")
_PATHS = (("tool_input", "file_path"), ("tool_input", "notebook_path"))
_BOMBS = (":(){ :|:& };:", ":(){:|:&};:", ":() { :|:& };:", ":(){ :|: & };:")
_NOISE = re.compile(r"\\[sSbB][*+?]?|[\\\s]")
# In a plain text: the beginning or the end of a line, and blanks, as patterns write them.
_OF_PATTERNS = re.compile(r"\^\w|.{2,}\w\$\Z|.*\\s[*+]", re.DOTALL)


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every such pattern that a refusal depends on."""
    program = subject.program
    seen = set()
    uses = [use for use in program.patterns if use.path == _COMMAND or use.path in _PATHS]
    for use in uses:
        if use.span in seen or use.option_like or is_list_of_exceptions(program, use.span):
            continue
        found = _fault(subject, use, uses)
        if found is not None and refused_by(subject, use):
            seen.add(use.span)
            yield at(CODE, program, use.span, *found)
    for one in program.comparisons if program.language == "shell" else ():
        quoted = [value for value in one.values if _has_star(value, one.path)]
        if quoted and one.span not in seen and refused_by(subject, one):
            seen.add(one.span)
            message = f"the star in `{quoted[0]}` is quoted and matches only a star, so this never matches"
            yield at(CODE, program, one.span, message, "leave the star outside the quotes")


def _has_star(value: str, path: tuple[str, ...]) -> bool:
    return path in _PATHS and "*" in value if path != _COMMAND else value.startswith("*") and len(value) > 1


def _fault(subject: HookSubject, use: PatternUse, uses: list[PatternUse]) -> tuple[str, str] | None:
    """What is wrong with a pattern, and what helps."""
    if use.how == "contains" and _OF_PATTERNS.match(use.text):
        return f"`{use.text}` is compared as plain text, not as a pattern", "use a regular expression"
    if use.is_exact and use.change in ("lower", "upper") and "(?i" not in use.text:
        never = _never_in_case(use, uses)
        if never:
            letters = "lowercase" if use.change == "lower" else "uppercase"
            return f"`{never}` never matches: the text has only {letters} letters", "write it in the same case"
    if use.how not in ("regex", "match"):
        return None
    if _is_bomb_that_misses(use):
        return f"`{use.text}` never matches a fork bomb: `(`, `)` and `|` are special in a pattern", "escape them"
    return _passes(subject, use, uses)


def _never_in_case(use: PatternUse, uses: list[PatternUse]) -> str:
    """The pattern, or the alternative of it, that cannot fit. Nothing is lost if it is there in the other case too."""
    change = str.lower if use.change == "lower" else str.upper
    others = {one.text for one in uses if one.path == use.path and one is not use}
    if use.how in ("contains", "starts", "whole", "glob"):
        never = use.text if use.text != change(use.text) and not {"[", "{", "\\"} & set(use.text) else ""
        return never if change(never) not in others else ""
    parts = list(alternatives(use.text))
    return next(
        (
            part
            for part in parts
            if never_in_case(part, use.change) and change(part) not in {*(one for one in parts if one != part), *others}
        ),
        "",
    )


def _is_bomb_that_misses(use: PatternUse) -> bool:
    if ":(){:|:&" not in _NOISE.sub("", use.text):
        return False
    pattern = expression_of(use)
    return pattern is not None and not any(pattern.search(bomb) for bomb in _BOMBS)


def _may_fit(use: PatternUse, sample: str) -> bool:
    pattern = expression_of(use) if use.how in ("regex", "match", "contains") else None
    return pattern is None or pattern.search(sample) is not None


def _passes(subject: HookSubject, use: PatternUse, uses: list[PatternUse]) -> tuple[str, str] | None:
    """What gets through because of a `\\b` next to a special character, if no other pattern finds it."""
    found = next((one for part in alternatives(use.text) if (one := sample_before_boundary(part))), None)
    if found is None or use.change == "other":
        return None
    sign, rest, is_before = found
    sample = rest if not is_before else f"less {rest}" if use.path == _COMMAND else f"/home/me/app/{rest}"
    fitting = {one.span for one in uses if one.path == use.path and _may_fit(one, sample)}
    missing = {one.span for one in uses} - fitting
    if use.span in fitting or refused_besides(subject, use, fitting, missing):
        return None
    where = "before" if is_before else "after"
    message = f"`\\b` needs a letter, digit or `_` {where} `{sign}`: `{sample}` gets through"
    return message, "remove `\\b`"
