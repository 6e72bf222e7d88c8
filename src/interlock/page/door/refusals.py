"""How a request is refused: a page for a person, JSON for a script; both say what to do."""

from __future__ import annotations

import math

from msgspec import json
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from interlock.page.render import render

__all__ = ["refusal"]


def refusal(scope: Scope, status: int, what: str, todo: str, *, wait: float | None = None) -> Response:
    """A refusal: what is wrong, and what to do about it."""
    headers = {} if wait is None else {"Retry-After": str(max(1, math.ceil(wait)))}
    if scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "text/html"):
        body = render("refusal.html", what=what, todo=todo)
        return Response(body, status, headers, media_type="text/html")
    return Response(json.encode({"error": what, "help": todo}), status, headers, media_type="application/json")
