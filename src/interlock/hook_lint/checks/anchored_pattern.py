r"""A pattern for the start of the line misses every command but the first

## What
A guard refuses a command by a pattern that begins with `^`, by `re.match` or by `startswith`.

## Why
A Bash call is a whole line. `cd app && git push --force` begins with `cd`, so `^git push` does not match. Nor does it
match `VAR=1 git push`, `env git push` or a command after `;`, `|` or a newline.

## Example
```sh
if echo "$command" | grep -qE '^\s*git push'; then exit 2; fi
```

## Fix
```sh
if echo "$command" | grep -qE '(^|[;&|(])[[:space:]]*git push'; then exit 2; fi
```
"""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hook_lint.finding import LintFinding, at
from interlock.hook_lint.guarding import refused_by, refused_without
from interlock.hook_lint.intent import is_list_of_exceptions
from interlock.hook_lint.program import PatternUse
from interlock.hook_lint.regexes import anchored_words, first_word, is_anywhere
from interlock.hook_lint.wiring import HookSubject

CODE = "IL601"
ABOUT = "hook"
_COMMAND = ("tool_input", "command")


def find(subject: HookSubject) -> Iterator[LintFinding]:
    """Every pattern that a refusal depends on and that only the beginning of a command fits."""
    program = subject.program
    uses = [use for use in program.patterns if use.path == _COMMAND]
    seen = set()
    for use in uses:
        if use.span in seen or use.change == "other" or use.how == "whole" or use.option_like:
            continue
        words = anchored_words(use)
        if words is None or is_list_of_exceptions(program, use.span):
            continue
        if not refused_by(subject, use) or _is_covered(subject, use, words):
            continue
        seen.add(use.span)
        shown = use.text if len(use.text) < 40 else use.text[:37] + "…"
        message = f"`{shown}` matches only at the start: `cd app && {first_word(words)} …` gets through"
        yield at(CODE, program, use.span, message, "also look after `;`, `&`, `|`, `(` and newlines")


def _is_covered(subject: HookSubject, use: PatternUse, words: str) -> bool:
    """Whether another pattern looks for the same anywhere in the command, and refuses it as well."""
    others = [one for one in subject.program.patterns if one.path == _COMMAND and one is not use]
    return any(is_anywhere(one, first_word(words)) and refused_without(subject, use, one) for one in others)
