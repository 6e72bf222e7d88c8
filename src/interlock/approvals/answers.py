"""Find a request by the beginning of its id, and answer it."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import json

from interlock.approvals.granting import Terms, grant_for, match_for
from interlock.approvals.inbox import settle_abandoned
from interlock.errors import InterlockError
from interlock.facts.fields import strings_in
from interlock.hooks.opinions import is_json
from interlock.store.asking import UNANSWERED, ApprovalRequest, Grant, RequestAnswer
from interlock.store.base import Store

__all__ = ["approve", "find_request", "reject", "why_not_editable"]

JsonObject: TypeAlias = dict[str, Any]
_REDACTED = "[redacted "  # as `facts.secrets` writes it
_SHORT = 3  # characters of an id, at least


def find_request(store: Store, id: str) -> ApprovalRequest:
    """The request whose id this is, or the only unanswered one whose id begins so."""
    found = store.request(id)
    if found is not None:
        return found
    near = [one for one in store.requests(UNANSWERED) if one.id.startswith(id)] if len(id) >= _SHORT else []
    if len(near) == 1:
        return near[0]
    if near:
        raise InterlockError(f"{len(near)} requests begin with `{id}`", help="write more of the id")
    raise InterlockError(f"no request `{id}` waits for an answer", help="`interlock inbox` lists what does")


def approve(
    store: Store,
    request: ApprovalRequest,
    *,
    by: str,
    at: float,
    note: str | None = None,
    edit: JsonObject | None = None,
    terms: Terms | None = None,
) -> tuple[ApprovalRequest, Grant | None]:
    """Say yes; with `terms`, to more of the same too. Raises AlreadyAnswered if somebody was first."""
    if edit is not None and not (type(edit) is dict and is_json(edit)):
        raise InterlockError("the edited input is not an object that JSON can represent exactly")
    if edit is not None and any(_REDACTED in text for text in strings_in(edit)):
        raise InterlockError(f"the edited input says `{_REDACTED}…]` where a secret is; write the input without it")
    if edit is not None and terms is not None:
        raise InterlockError("a yes to an edited call cannot allow more of the same", help="leave one of the two out")
    grant = None if terms is None else grant_for(request, match_for(request, terms.width), terms, by, at)
    settle_abandoned(store, at, (request,))
    answer = RequestAnswer(yes=True, by=by, at=at, note=note, edit=None if edit is None else json.encode(edit))
    return store.answer_request(request.id, answer, grant), grant


def why_not_editable(request: ApprovalRequest) -> str | None:
    """Why the input that a person is shown cannot be edited and run; None if it can.

    What they are shown is not always what would run: secrets are replaced, and a long input is cut.
    """
    shown = json.decode(request.body)
    if shown.get("is_cut"):
        return "the input is too long to be shown whole, so it cannot be edited here"
    if any(_REDACTED in text for text in strings_in(shown["input"])):
        return "the input contains secrets that are not shown, so it cannot be edited here"
    return None


def reject(store: Store, request: ApprovalRequest, *, by: str, at: float, note: str | None = None) -> ApprovalRequest:
    """Say no, with a note for the model."""
    settle_abandoned(store, at, (request,))
    return store.answer_request(request.id, RequestAnswer(yes=False, by=by, at=at, note=note))
