"""What every view of the page is given."""

from __future__ import annotations

import getpass
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, cast

from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import Response

from interlock.page.advice import Advice
from interlock.page.board import Board
from interlock.page.chain_check import ChainCheck
from interlock.page.digest import Digest
from interlock.page.guard_watch import GuardFindings, GuardWatch
from interlock.page.render import render
from interlock.store.base import Store

__all__ = ["PageContext", "context_of", "scope_of", "show"]

JsonObject: TypeAlias = dict[str, Any]


class PageContext(Struct, kw_only=True):
    """One running page: the record it shows, and the folder it was opened in."""

    store: Store
    folder: Path  # where its own files are: the digest of the record
    project: Path | None = None  # where a person typed `interlock open`
    clock: Callable[[], float] = time.time
    person: str = ""  # by whom answers are
    editor: str = ""  # in which a person opens files; none: places are only copied
    guard: GuardWatch | None = None  # whether the project is guarded
    advice: Advice = field(default=cast("Advice", None))  # suggestions from what people approve
    board: Board | None = None
    digest: Digest = field(default=cast("Digest", None))  # of the record, in `folder`, unless another one is given
    chain: ChainCheck = field(default=cast("ChainCheck", None))

    def __post_init__(self) -> None:
        self.person = self.person or getpass.getuser()
        self.advice = self.advice or Advice(self.store, self.clock)
        self.board = self.board or Board(self.store, self.clock)
        self.digest = self.digest or Digest(self.folder / "digest.db", self.store)
        self.chain = self.chain or ChainCheck(self.store, self.clock)

    @property
    def requests(self) -> Board:
        """The requests that nobody has answered."""
        assert self.board is not None  # noqa: S101 - made above
        return self.board

    def guarded(self) -> GuardFindings | None:
        """What is known of whether the project is guarded; looked up in the background."""
        if self.guard is None and self.project is not None:
            self.guard = GuardWatch(self.project, self.clock)
        return None if self.guard is None else self.guard.latest()

    def waiting(self) -> int:
        """How many calls wait for an answer now."""
        return len(self.requests.look().waiting)


def context_of(request: Request) -> PageContext:
    found: PageContext = request.app.state.context
    return found


def scope_of(request: Request) -> str | None:
    """The only request that this browser may see and answer; None if it may see everything."""
    visitor = getattr(request.state, "visitor", None)
    found: str | None = None if visitor is None else visitor.scope
    return found


def show(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A view, rendered inside the frame that all views share."""
    context = context_of(request)
    only = scope_of(request)
    frame: JsonObject = {
        "path": request.url.path,
        "now": context.clock(),
        "waiting": context.waiting() if only is None else 0,
        "only": only,
        "guarded": context.guarded() if only is None else None,
    }
    return Response(render(template, **frame, **values), status_code=status, media_type="text/html")
