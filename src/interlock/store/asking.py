"""What the store keeps of requests to people: each request with what became of it, and the grants they gave."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from interlock.errors import InterlockError
from interlock.store.scope import Scope

__all__ = [
    "GIVING_UP",
    "GRANTS_KEPT",
    "LATE_SECONDS",
    "UNANSWERED",
    "AlreadyAnswered",
    "ApprovalRequest",
    "Grant",
    "RequestAnswer",
    "RequestStatus",
    "late_grant",
    "refuse_answered",
]

RequestStatus: TypeAlias = Literal["waiting", "open", "yes", "no", "over"]
"""`waiting`: a call waits for the answer. `open`: it gave up, and a yes is kept for its next try. `over`: too late."""

UNANSWERED: Final = ("waiting", "open")
LATE_SECONDS = 3600.0
GIVING_UP = 5.0  # seconds after its time in which a call that waits notices that nobody has answered
GRANTS_KEPT = 90 * 86_400.0  # seconds after its last day that a grant stays listed; the records stay longer


class ApprovalRequest(Struct, frozen=True, kw_only=True):
    """One call that a person was asked about. `body` is what they are shown, as JSON, redacted."""

    id: str
    session: str
    tool: str
    at: float
    until: float  # when the call gives up waiting
    status: RequestStatus = "waiting"
    agent: str = ""
    project: str = ""
    host: str = ""
    call: str = ""
    guard: str = ""
    key: str = ""  # what exactly is asked: a late yes holds for a call with the same key
    shape: str = ""  # calls of one shape may be answered together
    body: bytes = b"{}"
    answered: float | None = None
    by: str | None = None
    note: str | None = None  # what the person said to the model
    edit: bytes | None = None  # the input that the person wants instead, as JSON
    waiter: str = ""  # the process that waits for the answer; once it is gone, nobody does

    def is_late_at(self, moment: float) -> bool:
        """Whether an answer at this moment comes after the call gave up."""
        # A call gives up on its own within moments. One that did not is waited for by nobody.
        return self.status == "open" or moment > self.until + GIVING_UP


class RequestAnswer(Struct, frozen=True, kw_only=True):
    """What a person says to a request."""

    yes: bool
    by: str
    at: float
    note: str | None = None
    edit: bytes | None = None


class Grant(Struct, frozen=True, kw_only=True):
    """A bounded yes to calls that come later. `match` says to which ones, as JSON in the words of a rule.

    A grant for one exact call has a `key` instead. It holds in its scope, for `left` calls and until `until`, where
    None means without that bound.
    """

    id: str
    at: float
    by: str
    scope: Scope
    text: str  # what it allows, in the words that the person read before they gave it
    match: bytes = b"{}"
    key: str = ""
    agent: str | None = None  # None: of any agent
    left: int | None = None
    until: float | None = None
    used: int = 0
    revoked: float | None = None
    request: str = ""

    def holds_at(self, moment: float) -> bool:
        """Whether it still allows anything."""
        if self.revoked is not None or self.left == 0:
            return False
        return self.until is None or moment < self.until


class AlreadyAnswered(InterlockError):  # noqa: N818 - said of the request
    """The request is over, or somebody else answered it. Nothing was written."""

    def __init__(self, request: ApprovalRequest) -> None:
        was = f"{request.by} said {request.status}" if request.by is not None else "nobody waits for an answer"
        super().__init__(f"request {request.id} is answered already: {was}")
        self.request = request


def late_grant(request: ApprovalRequest, at: float) -> Grant:
    """What a yes is worth after the call gave up: the same call may run once, in the same session, within an hour."""
    return Grant(
        id=f"late-{request.id}",
        at=at,
        by=request.by or "",
        scope=Scope("session", request.session),
        text=f"the same {request.tool} call once, within an hour",
        key=request.key,
        agent=request.agent,
        left=1,
        until=at + LATE_SECONDS,
        request=request.id,
    )


def refuse_answered(request: ApprovalRequest) -> None:
    """Raise AlreadyAnswered unless an answer to this request still counts."""
    if request.status not in UNANSWERED:
        raise AlreadyAnswered(request)
