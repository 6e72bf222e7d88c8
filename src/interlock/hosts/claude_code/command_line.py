"""What the client's command line says about who is in front of it."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["is_headless"]

_PRINTS = frozenset({"-p", "--print"})
_ASKS = "--permission-prompt-tool"  # somebody answers the client's prompts, also in a headless run


def is_headless(argv: Sequence[str]) -> bool:
    """Whether the client answers its own prompts with no, because nobody is there to see them."""
    prints = asks = False
    for word in argv[1:]:
        if word == "--":
            break
        prints = prints or word in _PRINTS
        asks = asks or word == _ASKS or word.startswith(f"{_ASKS}=")
    return prints and not asks
