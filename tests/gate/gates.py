"""Gates for tests: a policy written on the spot, a store in memory, and tools that remember what ran."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from interlock.gate import Gate
from interlock.store.memory import MemoryStore

Make = Callable[..., Gate]


class Ran:
    """A tool that returns its input, or what it is told to, and remembers every call."""

    def __init__(self, result: Any = None) -> None:
        self.inputs: list[dict[str, Any]] = []
        self._result = result

    def __call__(self, given: dict[str, Any]) -> Any:
        self.inputs.append(given)
        if isinstance(self._result, BaseException):
            raise self._result
        return given if self._result is None else self._result


class Said:
    """An approver that says what it is told to, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.requests: list[Any] = []
        self._answers = list(answers)

    async def approve(self, request: Any) -> Any:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def gate_with(folder: Path, *rules: str, top: str = "", **options: Any) -> Gate:
    """A gate under these rules."""
    file = folder / "policy.yaml"
    listed = "".join(f"  - {rule}\n" for rule in rules)
    file.write_text(f"version: 1\n{top}\nrules:\n{listed}" if rules else f"version: 1\n{top}\n", encoding="utf-8")
    if options.get("record", True):
        options.setdefault("store", MemoryStore())
    return Gate(file, project=folder, **options)
