"""The evident effects of a program text."""

from __future__ import annotations

from msgspec import Struct, field

__all__ = ["CodeEffects"]


class CodeEffects(Struct):
    """What a program text does, as far as it is evident."""

    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    deletes: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    shell: list[str] = field(default_factory=list)  # lines for a shell
    traits: set[str] = field(default_factory=set)
    sends: bool = False
    modules: bool = False  # it calls what others wrote, in files that were not looked at
    opaque: str = ""  # why it could not be read
