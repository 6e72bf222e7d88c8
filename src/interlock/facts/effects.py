"""The evident effects of a program text."""

from __future__ import annotations

from msgspec import Struct, field

from interlock.facts.limits import Limit

__all__ = ["MODULES", "CodeEffects"]

MODULES = "calls into modules that are not read"


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
    incomplete: list[str] = field(default_factory=list)  # the limits at which reading stopped
    lost: list[str] = field(default_factory=list)  # the limits at which values were no longer worked out

    def reach(self, limit: Limit) -> None:
        """Note that the text is not read any further, as the limit's class has it."""
        if limit.effect == "lost":
            self.lost.append(limit.name)
            return
        if limit.effect == "incomplete":
            self.incomplete.append(limit.name)
        self.opaque = self.opaque or limit.reason

    def add(self, more: CodeEffects) -> None:
        """Take in what another text does."""
        for name in ("reads", "writes", "deletes", "urls", "shell"):
            getattr(self, name).extend(getattr(more, name))
        self.traits |= more.traits
        self.sends = self.sends or more.sends
        self.modules = self.modules or more.modules
        self.opaque = self.opaque or more.opaque
        self.incomplete += more.incomplete
        self.lost += more.lost
