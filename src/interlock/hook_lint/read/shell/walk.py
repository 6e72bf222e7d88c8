"""Walking a shell program on every way through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from interlock.facts.shell.tree import (
    Background,
    Branches,
    Chain,
    Function,
    Group,
    Loop,
    Node,
    Opening,
    Pipeline,
    Sequence,
    Simple,
    Test,
)
from interlock.hook_lint.read.shell import branches, lists
from interlock.hook_lint.read.shell.assigning import open_file
from interlock.hook_lint.read.shell.calling import run_call, simple
from interlock.hook_lint.read.shell.machine import CommandCall, ShellReader
from interlock.hook_lint.read.shell.state import ShellState

__all__ = ["ShellWalk"]

_Step: TypeAlias = Callable[[ShellReader, Any, ShellState], list[ShellState]]
_STEPS: Mapping[type, _Step] = {
    Sequence: lists.sequence, Chain: lists.chain, Pipeline: lists.pipeline, Background: lists.background,
    Function: lists.function, Group: lists.group, Loop: branches.loop, Branches: branches.branches,
    Test: branches.test, Simple: simple,
}  # fmt: skip


class ShellWalk(ShellReader):
    """One walk, with every command."""

    def step(self, node: Node, state: ShellState) -> list[ShellState]:
        return _STEPS[type(node)](self, node, state)

    def call(self, call: CommandCall, state: ShellState) -> list[ShellState]:
        return run_call(self, call, state)

    def open(self, opening: Opening, state: ShellState) -> None:
        open_file(self, opening, state)
