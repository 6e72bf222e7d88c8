"""What every view of the page is given."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, cast

from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import Response

from interlock.page.digest import Digest
from interlock.page.render import render
from interlock.store.asking import UNANSWERED
from interlock.store.base import Store

__all__ = ["PageContext", "context_of", "show"]

JsonObject: TypeAlias = dict[str, Any]


class PageContext(Struct, kw_only=True):
    """One running page: the record it shows, and the folder it was opened in."""

    store: Store
    folder: Path  # where its own files are: the digest of the record
    project: Path | None = None  # where a person typed `interlock open`
    clock: Callable[[], float] = time.time
    digest: Digest = field(default=cast("Digest", None))  # of the record, in `folder`, unless another one is given

    def __post_init__(self) -> None:
        self.digest = self.digest or Digest(self.folder / "digest.db", self.store)

    def waiting(self) -> int:
        """How many calls wait for an answer now."""
        now = self.clock()
        return sum(one.status == "waiting" and one.until > now for one in self.store.requests(UNANSWERED))


def context_of(request: Request) -> PageContext:
    found: PageContext = request.app.state.context
    return found


def show(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A view, rendered inside the frame that all views share."""
    context = context_of(request)
    frame: JsonObject = {"path": request.url.path, "now": context.clock(), "waiting": context.waiting()}
    return Response(render(template, **frame, **values), status_code=status, media_type="text/html")
