"""What a walk has found so far."""

from __future__ import annotations

import posixpath
from typing import Any

from msgspec.structs import replace

from interlock.facts.shell.model import Code, Command, Shell, Unread
from interlock.facts.shell.scan import Budget

__all__ = ["Findings"]


class Findings:
    """Commands in the order in which they run, and what else is known of the line."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.code: list[Code] = []
        self.unread: list[Unread] = []
        self.assigned: list[tuple[str, str]] = []
        self.functions: list[str] = []
        self._files: dict[int, tuple[str, str]] = {}  # by the order in which they are written
        self._last: dict[str, int] = {}  # for each file, its last text
        self._written = 0
        self._pipelines = 0

    def shell(self, budget: Budget) -> Shell:
        """All of it, and why it is opaque if it is."""
        reasons = list(dict.fromkeys([*budget.reasons, *(one.opaque for one in self.commands if one.opaque)]))
        return Shell(
            tuple(self.commands),
            opaque=bool(reasons),
            reasons=tuple(reasons),
            code=tuple(self.code),
            unread=tuple(self.unread),
            assigned=tuple(dict.fromkeys(self.assigned)),
            functions=tuple(dict.fromkeys(self.functions)),
            files=tuple(dict.fromkeys(self._files.values())),
            incomplete=tuple(budget.incomplete),
            lost=tuple(budget.lost),
        )

    def put(self, file: str, text: str, *, adds: bool = False) -> None:
        """Note a text that the line puts into a file. `adds`: it begins with the text that is in it already."""
        name = posixpath.normpath(file)
        if adds:
            self._files.pop(self._last.get(name, -1), None)
        self._written += 1
        self._last[name] = self._written
        self._files[self._written] = (file, text)

    def text_of(self, file: str) -> str | None:
        """The text that the line has put into a file, if that is known."""
        last = self._last.get(posixpath.normpath(file)) if self._files else None
        return self._files[last][1] if last is not None else None

    def pipeline(self) -> int:
        """The number of a new pipeline."""
        self._pipelines += 1
        return self._pipelines

    def behind(self, begun: int, pipeline: int, stage: int) -> int:
        """The stage behind the commands that were found in a pipeline since `begun`; `stage` if there are none."""
        return max((one.stage + 1 for one in self.commands[begun:] if one.pipeline == pipeline), default=stage)

    def feed(self, begun: int, pipeline: int, stage: int) -> int:
        """Make the commands found since `begun` stages of a pipeline; the stage behind them."""
        last = stage
        for at in range(begun, len(self.commands)):
            one = self.commands[at]
            if one.pipeline != pipeline:
                one = self.commands[at] = replace(one, pipeline=pipeline, stage=stage + one.stage)
            last = max(last, one.stage + 1)
        return last

    def once(self, begun: int) -> None:
        """Drop commands that a loop gave again."""
        places: dict[Any, int] = {}
        kept: list[Command] = []
        moved = list(range(begun))
        for one in self.commands[begun:]:
            place = (one.start, one.end, one.stage, one.nested, one.cwd)
            key = (*place, one.program, one.args, one.redirects, one.opaque, one.stdin, one.use.described)
            if key not in places:
                places[key] = begun + len(kept)
                kept.append(one)
            moved.append(places[key])
        if len(moved) > begun + len(kept):
            self.commands[begun:] = kept
            self.code = list(dict.fromkeys(replace(one, command=moved[one.command]) for one in self.code))
            self.unread = list(dict.fromkeys(replace(one, command=moved[one.command]) for one in self.unread))
