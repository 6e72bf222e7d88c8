"""A pattern that cannot find what it is for

## What
A guard searches by a pattern that nothing fits, or not what it is there for:

- a capital letter, while the text was made small before;
- `\\\\b` before or behind a sign that is no letter or digit: `\\\\b\\\\.env`, `rm -rf /\\\\b`;
- the fork bomb with parentheses that the pattern takes for a group;
- a plain text with signs of a pattern: `"^rm"` looked for by `in`, or `[[ $file == "*.env" ]]` with its star in quotes.

## Why
The pattern is never found, and what it should refuse runs. No error shows it.

## Example
```python
if re.search(r"\\\\bchmod -R 777", command.lower()):
    sys.exit(2)
```

## Fix
```python
if re.search(r"\\\\bchmod -r 777", command.lower()):
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
            message = f"in quotes the star of `{quoted[0]}` is only a star, so this never fits"
            yield at(CODE, program, one.span, message, "leave the star outside the quotes")


def _has_star(value: str, path: tuple[str, ...]) -> bool:
    return path in _PATHS and "*" in value if path != _COMMAND else value.startswith("*") and len(value) > 1


def _fault(subject: HookSubject, use: PatternUse, uses: list[PatternUse]) -> tuple[str, str] | None:
    """What is wrong with a pattern, and what helps."""
    if use.how == "contains" and _OF_PATTERNS.match(use.text):
        return f"`{use.text}` is looked for as it is written, and not as a pattern", "use a regular expression"
    if use.is_exact and use.change in ("lower", "upper") and "(?i" not in use.text:
        never = _never_in_case(use, uses)
        if never:
            letters = "capital" if use.change == "lower" else "small"
            return f"`{never}` never fits: the text has no {letters} letters any more", "write it in the same case"
    if use.how not in ("regex", "match"):
        return None
    if _is_bomb_that_misses(use):
        return f"`{use.text}` never fits a fork bomb: `(`, `)` and `|` mean something here", "escape them"
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
    """What passes because of a `\\b` beside a sign, if no other pattern finds it."""
    found = next((one for part in alternatives(use.text) if (one := sample_before_boundary(part))), None)
    if found is None or use.change == "other":
        return None
    sign, rest, is_before = found
    sample = rest if not is_before else f"less {rest}" if use.path == _COMMAND else f"/home/me/app/{rest}"
    fitting = {one.span for one in uses if one.path == use.path and _may_fit(one, sample)}
    missing = {one.span for one in uses} - fitting
    if use.span in fitting or refused_besides(subject, use, fitting, missing):
        return None
    where = "before" if is_before else "behind"
    message = f"`\\b` asks for a letter, a digit or `_` {where} `{sign}`: `{sample}` passes"
    return message, "take `\\b` away"
