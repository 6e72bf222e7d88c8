"""How a host words that a call did not run: at the end of a batch it lists every call with a text, and no more.

Seen with Claude Code 2.1.325. A command can print any of these words, so they excuse a call that nobody asked us
about only until the transcript, which marks errors, is read.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["says_it_did_not_run"]

# The start of the whole text; {tool} is the call's own tool.
_STARTS = (
    "PreToolUse:{tool} hook error: ",  # a hook refused, or failed where a failing hook blocks
    "PreToolUse hook for {tool} returned updatedInput that failed schema validation: ",
    "Hook PreToolUse:{tool} denied this tool",
    "Permission to use {tool} ",
    "Claude requested permissions to ",
    "The user doesn't want to ",
    "Blocked by hook",
    # Our own words, said where no receipt could be kept: the store failed, or nobody answered in time.
    "Interlock did not answer",
    "Interlock itself failed",
    "the store ",
    "the record ",
    "the anchor ",
    "the writer of the store ",
)
# The client's own checks of an input, before any hook is asked.
_INVALID = re.compile(r"<tool_use_error>(?:(?!</?tool_use_error>).)*</tool_use_error>\s*", re.DOTALL)
_SPACE = re.compile(r"\s+")
_COMPARED = 400  # characters of a reason: enough to know our own words, whatever a host cuts off


def says_it_did_not_run(tool: str, response: Any, reason: str | None = None) -> bool:
    """Whether the text a batch shows for a call says that it was refused; `reason` is ours, if we denied it."""
    if not isinstance(response, str):
        return False
    if _INVALID.fullmatch(response) or any(response.startswith(start.format(tool=tool)) for start in _STARTS):
        return True
    ours = _squeeze(reason or "")[:_COMPARED]
    return bool(ours) and ours in _squeeze(response)


def _squeeze(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
