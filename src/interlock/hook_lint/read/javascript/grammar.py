"""Every kind of node that the machine knows, together."""

from __future__ import annotations

from interlock.hook_lint.read.javascript.expressions import EXPRESSIONS
from interlock.hook_lint.read.javascript.machine import ScriptGrammar
from interlock.hook_lint.read.javascript.statements import STATEMENTS, hoist, unpack

__all__ = ["GRAMMAR"]

GRAMMAR = ScriptGrammar(expressions=EXPRESSIONS, statements=STATEMENTS, unpack=unpack, hoist=hoist)
