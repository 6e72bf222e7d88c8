"""The words with which a host says that a call did not run: at the end of a batch each call has only a text.

Seen with Claude Code 2.1.325. A command can print any of these words. So they excuse a call that Interlock was not
asked about only until the transcript is read, which marks errors.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["is_invalid", "says_it_did_not_run"]

# The start of the whole text; {tool} is the call's own tool.
_STARTS = (
    "PreToolUse:{tool} hook error: ",  # a hook refused the call, or failed and its entry says that a failure blocks
    "PreToolUse hook for {tool} returned updatedInput that failed schema validation: ",
    "Hook PreToolUse:{tool} denied this tool",
    "Permission to use {tool} ",
    "Claude requested permissions to ",
    "The user doesn't want to ",
    "Blocked by hook",
    # Interlock's own words when no receipt could be kept: the store failed, or no answer came in time.
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
_COMPARED = 400  # characters of a reason: enough to recognise Interlock's own words even if a host cuts off the rest


def is_invalid(response: str) -> bool:
    """Whether the text says that the client itself found the input of the call wrong, before it asked any hook."""
    return _INVALID.fullmatch(response) is not None


def says_it_did_not_run(tool: str, response: Any, reason: str | None = None) -> bool:
    """Whether the text of a call in a batch says that it was refused. `reason` is Interlock's, if it denied it."""
    if not isinstance(response, str):
        return False
    if is_invalid(response) or any(response.startswith(start.format(tool=tool)) for start in _STARTS):
        return True
    ours = _squeeze(reason or "")[:_COMPARED]
    return bool(ours) and ours in _squeeze(response)


def _squeeze(text: str) -> str:
    return _SPACE.sub(" ", text).strip()
