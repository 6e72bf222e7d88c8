"""One agent of a framework that calls one tool, as every framework plays it: what ran, and what the model read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from interlock.gate import Gate


@dataclass
class Tool:
    """A tool that remembers what it ran with, and returns or raises what it is told to."""

    result: Any = "paid"
    inputs: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, n: int, to: str) -> Any:
        self.inputs.append({"n": n, "to": to})
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result() if callable(self.result) else self.result


@dataclass
class Play:
    """What became of a run."""

    read: str | None = None  # what the model read as the result of its call
    question: str | None = None  # what a person is asked, if the run is paused
    resume: Callable[..., Play] | None = None  # with "yes", "no" or an edited input

    def answer(self, answer: Any, **more: Any) -> Play:
        assert self.resume is not None, self
        return self.resume(answer, **more)


@dataclass
class Turn:
    """A run whose model made several calls at once, which its tool tells apart by their `n`."""

    asked: list[int] = field(default_factory=list)  # the calls that a person is asked about
    answer: Callable[[dict[int, str]], Turn] | None = None  # with "yes" or "no" for each

    def answered(self, **answers: str) -> Turn:
        assert self.answer is not None, self
        return self.answer({int(name.removeprefix("n")): said for name, said in answers.items()})


class Player(Protocol):
    """One framework."""

    edits: bool
    """Whether a person can edit a call."""

    def play(self, gate: Gate, tool: Tool, given: dict[str, Any], *, plain: bool = False, **options: Any) -> Play:
        """Let the model call `pay` with this input, and end. `plain`: without an event loop, where that is possible."""

    def turn(self, gate: Gate, tool: Tool, *numbers: int) -> Turn:
        """Let the model call `pay` several times at once."""
