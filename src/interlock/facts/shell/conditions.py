"""`[[ … ]]`, `(( … ))` and `test`: they run nothing themselves, but evaluate their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interlock.facts.shell.arithmetic import may_run
from interlock.facts.shell.assigning import Assigner
from interlock.facts.shell.hazards import RUNS_WHEN_EVALUATED
from interlock.facts.shell.state import State
from interlock.facts.shell.tree import Test

if TYPE_CHECKING:
    from interlock.facts.shell.context import Context

__all__ = ["Tester"]

_COMPARES = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


class Tester(Assigner):
    """Does what tests do."""

    def condition(self, node: Test, state: State, context: Context) -> None:
        """Evaluate the words of a test."""
        if node.kind == "((":
            for word in node.words:
                self._steps(self.text(word, state, context), state)
            return
        # A word that names an operator is one only where it is not quoted, and then it is plain text.
        before = state.copy() if any(not isinstance(word, str) or word in _COMPARES for word in node.words) else None
        texts = [self.text(word, state, context) for word in node.words]
        for at, word in enumerate(node.words):
            if not isinstance(word, str):
                continue
            if word in _COMPARES:
                for text in (*texts[max(at - 1, 0) : at], *texts[at + 1 : at + 2]):
                    self.number(text, state)
            elif word == "-v":
                self.named(texts[at + 1 : at + 2], state)
            elif word == "=~":
                state.assign("BASH_REMATCH", None)
        if before is not None:
            state.doubt(before)  # what is behind `&&` and `||` may not be reached

    def _steps(self, text: str, state: State) -> None:
        """One expression, or the three of a `for ((…; …; …))`, which is gone through any number of times."""
        if ";" not in text:
            self.number(text, state)
            return
        trial = state.copy()
        for one in text.split(";"):
            self.number(one, trial)
        changed = [name for name in trial.variables if state.variables.get(name, state) != trial.variables[name]]
        for name in changed:
            state.assign(name, None)

    def named(self, names: list[str] | tuple[str, ...], state: State) -> None:
        """Look at names of variables that may have subscripts: `test -v 'a[…]'`, `unset 'a[…]'`."""
        for name in names:
            if "[" in name and may_run(name, state):
                self.note(RUNS_WHEN_EVALUATED)
