"""Python texts, read by their syntax tree: what they evidently do. Nothing is executed."""

from interlock.facts.code.python.reader import effects_of_python

__all__ = ["effects_of_python"]
