"""What a person chose when they started the page; handed to its process as one word."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["PageOptions"]


class PageOptions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one page is served."""

    public: str | None = None  # the address by which a proxy forwards to it
    editor: str = ""  # in which files are opened
    metrics: bool = False  # whether `/metrics` can be read without signing in

    @property
    def open_paths(self) -> tuple[str, ...]:
        """What everybody on this machine may read."""
        return ("/metrics",) if self.metrics else ()
