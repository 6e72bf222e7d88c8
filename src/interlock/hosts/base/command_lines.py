"""What the command line of a host says about whether a person sits in front of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["gives_prompt"]

_PROMPT = re.compile(r"--prompt(=.*)?|-[a-zA-Z]*p(=.*)?", re.DOTALL)


def gives_prompt(argv: Sequence[str]) -> bool:
    """Whether a host is started with `-p` or `--prompt`, for one answer and without a conversation."""
    for word in argv:
        if word == "--":
            break
        if _PROMPT.fullmatch(word):
            return True
    return False
