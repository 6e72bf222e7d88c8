"""Read a view as somebody would who cannot see it: its headings, tables and links."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

_VOID = frozenset({"meta", "link", "input", "img", "br", "rect", "path"})


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._cell: list[str] | None = None
        self._skip = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self._cell = []
        elif self._skip or (tag in ("svg", "button") and tag not in _VOID):
            self._skip += tag not in _VOID

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None
        elif self._skip and tag not in _VOID:
            self._skip -= 1

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._skip:
            self._cell.append(data)


def rows_of(html: str) -> list[list[str]]:
    """Every row of every table, as texts; without charts and buttons."""
    found = _Tables()
    found.feed(html)
    return found.rows


def text_of(html: str) -> str:
    """The text of a view on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
