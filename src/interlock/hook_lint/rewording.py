"""Fixes inside a program: one word for another where it is written, or nothing if the place is not that plain.

A fix is offered only where the text of the place says by itself that the change is right. A name that is put together,
a value in a variable far away, or two candidates in one place are left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from interlock.hook_lint.finding import Fix, FixEdit
from interlock.hook_lint.program import HookProgram, Span

__all__ = ["exit_two", "field_added", "field_renamed", "first_line", "on_stderr", "value_replaced", "word_replaced"]

_QUOTE = r"\\?[\"']"  # in a text of the shell or of JSON it is escaped
_SHEBANG = re.compile(r"#!\s*/(?:usr/)?bin/(?:env\s+)?(?:sh|dash)[ \t]*(?=\n)")
_SHELL_PRINT = re.compile(r"(?:echo|printf)\s[^\n<>|;&]*")
_PYTHON_PRINT = re.compile(r"print\((?!.*\bfile\s*=)[^\n]*\)")
_IMPORTS_SYS = re.compile(r"^import .*\bsys\b", re.MULTILINE)
_SCRIPT_PRINT = re.compile(r"console\.(log)\(")


def exit_two(program: HookProgram, span: Span, code: int) -> Fix | None:
    """End with 2: `exit 1`, `sys.exit(1)`, `process.exit(1)`, `return 1`."""
    return _one(program, span, rf"(?<![\w.-]){code}(?![\w.])", lambda _: "2", "end with exit code 2")


def word_replaced(program: HookProgram, spans: Iterable[Span], old: str, new: str) -> Fix | None:
    """A word in several places, in quotes or by itself: all of them, or none."""
    return _all(program, spans, rf"(?<![\w$.-]){re.escape(old)}(?![\w-])", new)


def field_renamed(program: HookProgram, spans: Iterable[Span], old: str, new: str) -> Fix | None:
    """A field in quotes, or behind a dot. A bare name may be a variable as well."""
    if program.language == "typescript":
        return None  # types of its own may name the field too
    return _all(program, spans, rf"(?:(?<=[\"'])|(?<=\.)){re.escape(old)}(?=[\"']|\b)", new)


def value_replaced(program: HookProgram, span: Span, key: str, old: str, new: str) -> Fix | None:
    """The value of one key of an answer that is written out there."""
    pattern = rf"(?<!\w)(?P<before>(?:{_QUOTE})?{key}(?:{_QUOTE})?\s*[:=]\s*{_QUOTE}){re.escape(old)}(?={_QUOTE})"
    return _one(program, span, pattern, lambda found: found["before"] + new, f"write `{new}`")


def field_added(program: HookProgram, span: Span, inside: str, key: str, value: str) -> Fix | None:
    """One more key of an answer that is written out there, as the first inside of another."""

    def with_field(found: re.Match[str]) -> str:
        quote = found["quote"]
        # A key without quotes is one of JavaScript or of jq, whose text may be inside quotes itself.
        mark = quote or ('\\"' if '\\"' in program.text[span.start : span.end] else '"')
        return f"{found[0]}{quote}{key}{quote}: {mark}{value}{mark}, "

    pattern = rf"(?P<quote>{_QUOTE}|\b){inside}(?P=quote)\s*:\s*\{{(?![{{}}]|\s*\}})"
    return _one(program, span, pattern, with_field, f"add `{key}`")


def first_line(program: HookProgram, new: str) -> Fix | None:
    """Another shell in the first line."""
    found = _SHEBANG.match(program.text)
    if found is None:
        return None
    return Fix(f"begin with {new}", program.file, (FixEdit(0, found.end(), new),))


def on_stderr(program: HookProgram, span: Span) -> Fix | None:
    """Print to stderr what one statement of one line prints to stdout."""
    if span in program.borrowed:
        return None
    text = program.text[span.start : span.end]
    match program.language:
        case "shell" if _SHELL_PRINT.fullmatch(text):
            edit = FixEdit(span.start + len(text.rstrip()), span.end, " >&2")
        case "python" if _PYTHON_PRINT.fullmatch(text) and _IMPORTS_SYS.search(program.text):
            edit = FixEdit(span.end - 1, span.end - 1, ", file=sys.stderr")
        case "javascript" | "typescript" if found := _SCRIPT_PRINT.match(text):
            edit = FixEdit(span.start + found.start(1), span.start + found.end(1), "error")
        case _:
            return None
    return Fix("print it to stderr", program.file, (edit,))


def _one(program: HookProgram, span: Span, pattern: str, new: Callable[[re.Match[str]], str], what: str) -> Fix | None:
    if span in program.borrowed:
        return None
    found = _matches(program, span, pattern)
    if len(found) != 1:
        return None
    edit = FixEdit(found[0].start(), found[0].end(), new(found[0]))
    return Fix(what, program.file, (edit,))


def _matches(program: HookProgram, span: Span, pattern: str) -> list[re.Match[str]]:
    return list(re.compile(pattern).finditer(program.text, span.start, span.end))


def _all(program: HookProgram, places: Iterable[Span], pattern: str, new: str) -> Fix | None:
    spans = dict.fromkeys(places)
    if not spans.keys().isdisjoint(program.borrowed):
        return None  # it is written in another file as well
    # A place without the word reads what another place has read: `input["command"]` below `event["toolInput"]`.
    named = [span for span in spans if _matches(program, span, pattern)]
    fixes = [_one(program, span, pattern, lambda _: new, f"write `{new}`") for span in named]
    edits = {edit for fix in fixes if fix is not None for edit in fix.edits}
    if not edits or None in fixes:
        return None
    return Fix(f"write `{new}`", program.file, tuple(sorted(edits, key=lambda edit: edit.start)))
