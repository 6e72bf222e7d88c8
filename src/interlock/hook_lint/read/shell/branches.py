"""Loops, branches and tests."""

from __future__ import annotations

import re

from interlock.facts.shell.tree import Branches, Loop, Sequence, Test, Word
from interlock.hook_lint.program import Span
from interlock.hook_lint.read.shell.holes import Hole, has_holes
from interlock.hook_lint.read.shell.machine import MOST_STEPS, ShellReader
from interlock.hook_lint.read.shell.state import ShellState
from interlock.hook_lint.read.shell.tests import Truth, arithmetic, double_bracket, matches_glob, status_of, world

__all__ = ["branches", "loop", "test"]

_UNTIL = re.compile(r"until\b")
_SETS = re.compile(r"([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/%]?=(?!=))")
_MOST_VALUES = 200


def loop(walk: ShellReader, node: Loop, state: ShellState) -> list[ShellState]:
    """`for`, `while` and `until`: one round for all of them."""
    if node.variable:
        return _for(walk, node, state)
    works, fails, leaves = walk.branch(node.head or Sequence([]), state)
    if _UNTIL.match(walk.source, node.start):
        works, fails = fails, works
    after = list(fails)
    for one in works:
        after += _round(walk, node.body, one)
    return walk.together([*leaves, *_done(after)])


def _for(walk: ShellReader, node: Loop, state: ShellState) -> list[ShellState]:
    if node.words is None:
        values = list(state.positional) if state.positional is not None else [walk.argument("@", state)]
    else:
        values = [field for word in node.words for field in walk.fields(word, state)]
    if not values:
        return _done([state])
    known = not any(map(has_holes, values))
    skipped = [] if known else [state.copy()]  # there may be none
    inner = state.copy()
    if len(values) == 1:
        each = values[0]
    elif known:
        each = walk.holes.mark(Hole(values=tuple(dict.fromkeys(values))[:_MOST_VALUES]))
    else:
        each = walk.holes.one_of(values)
    inner.set(node.variable, each)
    return walk.together(_done([*_round(walk, node.body, inner), *skipped]))


def _round(walk: ShellReader, body: Sequence, state: ShellState) -> list[ShellState]:
    found = walk.run(body, state)
    for one in found:
        if one.flow in ("break", "continue"):
            one.flow = ""
    return found


def _done(states: list[ShellState]) -> list[ShellState]:
    """The ways behind a command that works if nothing in it was done."""
    for one in states:
        if not one.flow:
            one.status = 0
    return states


def branches(walk: ShellReader, node: Branches, state: ShellState) -> list[ShellState]:
    """`if` and `case`."""
    return _if(walk, node, state) if node.heads else _case(walk, node, state)


def _if(walk: ShellReader, node: Branches, state: ShellState) -> list[ShellState]:
    found: list[ShellState] = []
    going = [state]
    for place, body in enumerate(node.bodies):
        then = going
        going = []
        if place < len(node.heads):
            answers = [walk.branch(node.heads[place], one) for one in then]
            then = [way for works, _, _ in answers for way in works]
            going = walk.together([way for _, fails, _ in answers for way in fails])
            found += [way for _, _, leaves in answers for way in leaves]
        for one in then:
            found += walk.run(body, one)
    return walk.together([*found, *_done(going)])


def _case(walk: ShellReader, node: Branches, state: ShellState) -> list[ShellState]:
    subject = walk.text(node.words[0], state) if node.words else ""
    word = _subject_of(walk, node.words[0], node) if node.words else ""
    found: list[ShellState] = []
    going: list[ShellState] = [state]
    at = 1
    for size, body in zip(node.arms, node.bodies, strict=False):
        words = node.words[at : at + size]
        at += size
        walk.steps += sum(len(one.conditions) for one in going) >> 5  # each arm asks once more on each way
        if not going:
            break
        if walk.steps > MOST_STEPS:
            walk.unread("there are too many ways through it")
            break
        patterns = [walk.glob(word, going[0]) for word in words]
        source = f"case {word} in {'|'.join(walk.holes.display(one) for one in patterns)})"
        span = _span_of(walk, words, node)
        truth = matches_glob(walk, subject, patterns, source, span) if patterns else True
        then: list[ShellState] = []
        rest: list[ShellState] = []
        for one in going:
            one.status = status_of(truth)
            yes, no = one.split()
            then += [yes] if yes is not None else []
            rest += [no] if no is not None else []
        for one in _done(then):
            found += walk.run(body, one)
        going = rest
    return walk.together([*found, *_done(going)])


def _subject_of(walk: ShellReader, word: Word, node: Branches) -> str:
    """The word that a `case` looks at, as it is written."""
    found = re.match(r"case\s+(.*?)\s+in\b", walk.source[node.start : node.end], re.DOTALL)
    return " ".join(found[1].split()) if found else word if isinstance(word, str) else "…"


def _span_of(walk: ShellReader, words: list[Word], node: Branches) -> Span:
    """Where the patterns of one arm are written, by the first text of them that is found."""
    texts = [part for word in words for part in ([word] if isinstance(word, str) else word)]
    for part in texts:
        text = part if isinstance(part, str) else getattr(part, "text", "")
        at = walk.source.find(text, node.start, node.end) if len(text) > 1 else -1
        if at >= 0:
            return walk.span_of(at, at + len(text))
    return walk.span_of(node.start, node.end)


def test(walk: ShellReader, node: Test, state: ShellState) -> list[ShellState]:
    """`[[ … ]]` and `(( … ))`."""
    span = walk.at(node)
    text = walk.source[node.start : node.end]
    source = " ".join(text.split())
    truth: Truth
    if not text.startswith(node.kind):  # it was read behind escapes
        truth = world(source, span)
    elif node.kind == "[[":
        truth = double_bracket(walk, text, span, state)
    else:
        inner = "".join(walk.text(word, state) for word in node.words)
        for found in _SETS.finditer(inner):
            state.set(found[1], walk.holes.mark(Hole(is_plain=True)))
        truth = arithmetic(walk, inner, source, span, state)
    state.status = status_of(truth)
    return walk.negate(node, [state])
