"""Whether a tool's description gives the model orders that have nothing to do with using the tool."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from interlock.facts.injections import find_orders

__all__ = ["orders_in"]

JsonObject: TypeAlias = dict[str, Any]

# Servers tell models when and how to use a tool, often in capitals. These are never part of that.
_FOREIGN = frozenset({
    "override", "void rules", "concealment", "system prompt", "claimed authority", "claimed consent", "marks of a role",
    "forged call", "guard off", "picture that sends", "code from the network", "new task",
})  # fmt: skip
_KEY_FILE = re.compile(
    r"\b(?:read|open|cat|load|include|pass|send|attach|copy)\b[^.!?\n]{0,60}"
    r"(?:~/\.(?:ssh|aws|config|cursor|claude|netrc|kube|docker)\b|\bid_(?:rsa|ed25519)\b|\.cursor/mcp\.json)",
    re.IGNORECASE,
)


def orders_in(tool: JsonObject) -> str | None:
    """A few words of what a tool says to the model beyond its use, or None."""
    text = "\n".join(_texts(tool))
    for order in find_orders(text):
        if order.kind == "hidden" or not _FOREIGN.isdisjoint(order.signals):
            return order.quote
    found = _KEY_FILE.search(text)
    return found[0] if found is not None else None


def _texts(value: Any) -> Iterator[str]:
    """Every text of a tool, the names of its parameters included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
