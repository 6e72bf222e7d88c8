"""A question to a person about one call, and the answer."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.hooks.opinions import is_json
from interlock.verdict import Change

__all__ = ["Approval", "Approver", "Request", "check_answer"]

JsonObject: TypeAlias = dict[str, Any]


class Request(Struct, frozen=True, kw_only=True):
    """One call that needs a person's approval. `input` is what would run, `original` what the model wrote."""

    tool: str
    input: JsonObject
    original: JsonObject
    reason: str | None = None
    changes: tuple[Change, ...] = ()
    session: str = ""
    call: str = ""


class Approval(Struct, frozen=True):
    """A person's answer: yes or no, the input they want instead, and why."""

    yes: bool
    input: JsonObject | None = None
    reason: str | None = None


class Approver(Protocol):
    """Something that can be asked for approval."""

    async def approve(self, request: Request) -> Approval:
        """The answer to one question. If it raises an exception, the answer is no."""


def check_answer(answer: object) -> Approval:
    """The answer, if it is valid. Raises InterlockError otherwise."""
    # Struct fields are not checked at run time, and the people who write approvers may not use a type checker.
    if not isinstance(answer, Approval):
        raise InterlockError(f"it answered `{repr(answer)[:80]}`, which is not an Approval")
    if not isinstance(answer.yes, bool):  # a text such as "no" would count as true
        raise InterlockError(f"it answered `yes={repr(answer.yes)[:80]}`; expected True or False")
    if not isinstance(answer.reason, str | None):
        raise InterlockError("the reason of its answer is not a text")
    if answer.input is not None and (type(answer.input) is not dict or not is_json(answer.input)):
        raise InterlockError("its edited input is not an object that JSON can represent exactly")
    return answer
