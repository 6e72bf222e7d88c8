"""Every kind of node and every name that the machine knows, together."""

from __future__ import annotations

from interlock.hook_lint.read.python.expressions import EXPRESSIONS, of_parts
from interlock.hook_lint.read.python.library import LIBRARY
from interlock.hook_lint.read.python.machine import PythonGrammar
from interlock.hook_lint.read.python.methods import call_method
from interlock.hook_lint.read.python.statements import COMPOUND, SIMPLE, unpack

__all__ = ["GRAMMAR"]

GRAMMAR = PythonGrammar(
    expressions=EXPRESSIONS,
    of_parts=of_parts,
    simple=SIMPLE,
    compound=COMPOUND,
    unpack=unpack,
    library=LIBRARY,
    methods=call_method,
)
