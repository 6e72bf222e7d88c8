"""What the tree of a shell text knows of its parts besides the commands in it: where they stand, and which belong."""

from __future__ import annotations

import pytest

from interlock.facts.shell.grammar import parse
from interlock.facts.shell.scan import Budget
from interlock.facts.shell.tree import Branches, Loop
from interlock.facts.shell.tree import Test as ShellTest


def part(text):
    """The first compound command of a text, and what is written where it says that it stands."""
    [node] = [one for one in parse(text, Budget()).nodes if isinstance(one, Branches | Loop | ShellTest)]
    return node, text[node.start : node.end]


@pytest.mark.parametrize(
    "written",
    [
        "if a; then b; else c; fi",
        "case $x in\n  a) b ;;\nesac",
        "for x in a b; do c; done",
        "while a; do b; done",
        "until a; do b; done",
        "[[ $a == b && -f c ]]",
        "((a > 1))",
    ],
)
def test_a_compound_command_knows_where_it_stands(written):
    assert part(f"x=1\n  {written}; echo y\n")[1] == written


@pytest.mark.parametrize(
    ("text", "arms"),
    [
        ("case $x in a) b;; c|d|e) f;; *) g;; esac", [1, 3, 1]),
        ("case $x in (a|b) ;; esac", [2]),
        ("case $x in esac", []),
    ],
)
def test_a_case_knows_which_patterns_are_of_which_arm(text, arms):
    node, _ = part(text)
    assert node.arms == arms
    assert len(node.words) == 1 + sum(arms)
    assert len(node.bodies) == len(arms)
