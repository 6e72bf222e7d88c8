"""What can be told of an expression's texts before it runs: patterns, durations, scopes, names of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interlock.errors import InterlockError, did_you_mean
from interlock.policy.durations import seconds_of
from interlock.policy.names import regex
from interlock.policy.tokens import ExpressionToken, tokens

__all__ = ["literal_problems", "qualify"]

_SCOPES = ["session", "agent", "project", "user"]


def literal_problems(expression: str) -> Iterator[tuple[str, int, str | None]]:
    """Complaints about constant arguments, where each is, and the cure."""
    for name, arguments in _calls(expression):
        texts = {place: token for place, token in enumerate(arguments) if token is not None and token.kind == "text"}
        if name == "matches" and 0 in texts:
            yield from _pattern_problem(texts[0])
        if name == "sub" and 1 in texts:
            yield from _pattern_problem(texts[1])
        if name == "count" and 1 in texts and seconds_of(_plain(texts[1])) is None:
            yield f"`{_plain(texts[1])}` is not a duration", texts[1].start, "write 90s, 30m or 1h"
        scope = texts.get(2) if name == "count" else texts.get(1) if name == "since" else None
        if scope is not None and _plain(scope) not in _SCOPES:
            help = did_you_mean(_plain(scope), _SCOPES, f"use one of {', '.join(_SCOPES)}")
            yield f"there is no scope `{_plain(scope)}`", scope.start, help


def qualify(expression: str, own_rules: Mapping[str, str]) -> str:
    """The expression with the short names of a pack's own rules written out in count(), since() and fired()."""
    for name, arguments in reversed(list(_calls(expression))):
        first = arguments[0] if arguments else None
        if name in ("count", "since", "fired") and first is not None and _plain(first) in own_rules:
            end = first.start + len(first.text)
            expression = f'{expression[: first.start]}"{own_rules[_plain(first)]}"{expression[end:]}'
    return expression


def _pattern_problem(token: ExpressionToken) -> Iterator[tuple[str, int, str | None]]:
    if token.text[0] not in "rR" and "\\" in token.text:
        return  # escapes would have to be read first
    try:
        regex(_plain(token))
    except InterlockError as error:
        yield error.message, token.start, error.help


def _plain(token: ExpressionToken) -> str:
    return token.text.lstrip("rRbB").strip("'\"")


def _calls(expression: str) -> Iterator[tuple[str, list[ExpressionToken | None]]]:
    """Each call with its arguments; one that is not a single token counts as None."""
    words = tokens(expression)
    for place, token in enumerate(words[:-1]):
        if token.kind == "name" and words[place + 1].text == "(":
            yield token.text, _arguments(words[place + 2 :])


def _arguments(words: Sequence[ExpressionToken]) -> list[ExpressionToken | None]:
    found: list[ExpressionToken | None] = []
    current: list[ExpressionToken] = []
    depth = 0
    for token in words:
        if token.text in ("(", "[", "{", "[?"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        if depth < 0 or (depth == 0 and token.text == ","):
            found.append(current[0] if len(current) == 1 else None)
            current = []
            if depth < 0:
                return found
        else:
            current.append(token)
    return found
