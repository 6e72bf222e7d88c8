"""What words alone cannot say of a program: functions that look at its parsed words, named in descriptions.

`reader: files.copy` is `READERS["copy"]` of `files.py`. A module is imported when a program that needs it is first met.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from interlock.facts.programs.table import Rewrite, Special

__all__ = ["reader_of", "rewrite_of"]


def reader_of(name: str) -> Special:
    """The reader that a description names."""
    return cast("Special", _found(name, "READERS"))


def rewrite_of(name: str) -> Rewrite:
    """The rewriting that a description names."""
    return cast("Rewrite", _found(name, "REWRITES"))


def _found(name: str, table: str) -> Any:
    module, _, key = name.partition(".")
    return getattr(import_module(f"{__name__}.{module}"), table)[key]
