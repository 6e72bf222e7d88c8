"""What an expression looks at: its variables, and the lists that must not be empty for it to hold."""

from __future__ import annotations

from collections.abc import Sequence

from interlock.policy.tokens import ExpressionToken

__all__ = ["is_root", "needs_of"]

# Lists of which most calls have nothing.
_OFTEN_EMPTY = frozenset(
    {
        "unread",
        "fresh",
        "unclear",
        "incomplete",
        "sends",
        "urls",
        "secrets",
        "deletes",
        "creates",
        "writes",
        "orders",
        "followed",
    }
)


def is_root(words: Sequence[ExpressionToken], place: int) -> bool:
    """Whether a token may name a variable: it is a name, and no field of something before it."""
    if words[place].kind != "name":
        return False
    before = words[place - 1].text if place else ""
    if before not in (".", ".?") or place < 2:  # `.name` alone is a variable as well
        return True
    owner = words[place - 2]
    return owner.text == "in" or (owner.kind == "mark" and owner.text not in (")", "]", "}"))


def needs_of(words: Sequence[ExpressionToken]) -> tuple[str, ...]:
    """The lists that must not be empty: those of which something is sought in every way to hold."""
    found = []
    start = depth = 0
    for place, word in enumerate(words):
        depth += (word.text in ("(", "[", "[?", "{")) - (word.text in (")", "]", "}"))
        if depth == 0 and word.text in ("||", "?"):
            return ()
        if depth == 0 and (word.text == "&&" or place == len(words) - 1):
            part = words[start : place + (word.text != "&&")]
            if _seeks(part):
                found.append(part[0].text)
            start = place + 1
    return tuple(found)


def _seeks(part: Sequence[ExpressionToken]) -> bool:
    """Whether this is `list.exists(…)` and nothing behind it, or that the list has any."""
    texts = [word.text for word in part]
    if not part or part[0].text not in _OFTEN_EMPTY:
        return False
    if texts[1:5] == [".", "size", "(", ")"]:
        return texts[5:] in ([">", "0"], [">=", "1"], ["!=", "0"])
    if texts[1:4] != [".", "exists", "("]:
        return False
    depth = 0
    for place, word in enumerate(part[3:], 3):
        depth += (word.text == "(") - (word.text == ")")
        if depth == 0:
            return place == len(part) - 1
    return False
