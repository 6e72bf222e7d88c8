"""Tool results: what one means, and how a replacement is put back into the shape its host accepts.

A client that is handed a result of the wrong shape drops it and shows the original, so a redaction that does not
fit is a leak. What cannot be fitted is therefore refused here, and withheld by the dialect.
"""

from __future__ import annotations

from typing import Any

from msgspec import DecodeError, json

from interlock.facts.tools import parse_mcp

__all__ = ["Misfit", "fit", "meaning"]

# Where each built-in tool's result holds what the model reads; the first is where a plain text goes.
_TEXTS: dict[str, tuple[str, ...]] = {
    "Agent": ("content",),
    "Bash": ("stdout", "stderr"),
    "Glob": ("filenames",),
    "Grep": ("content", "filenames"),
    "PowerShell": ("stdout", "stderr"),
    "Read": ("file.content",),
    "ReadMcpResourceTool": ("contents",),
    "Task": ("content",),
    "TaskStop": ("message", "command"),
    "WebFetch": ("result",),
}

# Fields whose words the client's own schema lists; another word makes the whole result invalid.
_FIXED = frozenset({"type", "mode", "status", "cellType", "cell_type", "edit_mode", "output_type", "task_type"})


class Misfit(Exception):  # noqa: N818 - an answer, not an error: the caller withholds the result
    """A replacement that the host would drop."""


def meaning(tool: str, response: Any) -> Any:
    """What a result means: the JSON or text an MCP tool returned, else the result itself."""
    if parse_mcp(tool) is None:
        return response
    text = _text_of_blocks(response)
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return response if text is None else text
    try:
        return json.decode(text.encode("utf-8", "surrogatepass"))
    except (DecodeError, RecursionError):
        return text


def fit(tool: str, response: Any, output: Any) -> Any:
    """`output` in the shape the host accepts for this tool. Raises Misfit where there is no such shape."""
    if parse_mcp(tool) is not None:
        return _fit_mcp(response, output)
    if isinstance(response, str):
        return _as_text(output)
    if not isinstance(response, dict):
        if _same_shape(response, output):
            return output
        raise Misfit(f"the result of {tool} is no object, and the replacement has another shape")
    fitted = output if isinstance(output, dict) else _with_text(tool, response, _as_text(output))
    if not _same_shape(response, fitted):
        raise Misfit(f"the replacement does not have the shape of a result of {tool}")
    return fitted


def _text_of_blocks(response: Any) -> str | None:
    if isinstance(response, str):
        return response
    if not isinstance(response, list) or not response:
        return None
    texts = [block.get("text") for block in response if isinstance(block, dict) and block.get("type") == "text"]
    if len(texts) != len(response) or not all(isinstance(text, str) for text in texts):
        return None
    return "\n".join(str(text) for text in texts)


def _fit_mcp(response: Any, output: Any) -> Any:
    # Only text and content blocks are taken by every client; an object crashes the call on older ones.
    if _are_blocks(output):
        return output
    text = _as_text(output)
    return [{"type": "text", "text": text}] if isinstance(response, list) else text


def _are_blocks(output: Any) -> bool:
    return (
        isinstance(output, list)
        and bool(output)
        and all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in output)
    )


def _as_text(output: Any) -> str:
    return output if isinstance(output, str) else json.encode(output).decode()


def _with_text(tool: str, response: dict[str, Any], text: str) -> dict[str, Any]:
    """The result with `text` where the model reads first, and nothing where it reads besides."""
    places = [path for path in _TEXTS.get(tool, ()) if _holds(response, path)]
    if not places:
        raise Misfit(f"nobody has described where a result of {tool} holds its text")
    fitted = response
    for place, new in zip(places, [text, *[""] * len(places)], strict=False):
        fitted = _put(fitted, place, new)
    return fitted


def _holds(response: Any, path: str) -> bool:
    for step in path.split("."):
        if not isinstance(response, dict) or step not in response:
            return False
        response = response[step]
    return isinstance(response, str) or _is_list_of_text(response)


def _is_list_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) or _text_key(item) for item in value)


def _text_key(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("text"), str)


def _put(response: dict[str, Any], path: str, text: str) -> dict[str, Any]:
    step, _, rest = path.partition(".")
    held = response[step]
    if rest:
        return {**response, step: _put(held, rest, text)}
    if isinstance(held, str):
        return {**response, step: text}
    if not text or not held:
        return {**response, step: []}
    first = held[0]
    return {**response, step: [{**first, "text": text} if isinstance(first, dict) else text]}


def _same_shape(before: Any, after: Any, key: str = "") -> bool:
    """Whether a client that accepted `before` accepts `after`: same keys, same kinds of values."""
    if key in _FIXED and isinstance(before, str):
        return bool(before == after)
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() == after.keys() and all(_same_shape(before[k], after[k], k) for k in before)
    if isinstance(before, list) and isinstance(after, list):
        return all(any(_same_shape(kind, item) for kind in before) for item in after)
    if isinstance(before, bool) or isinstance(after, bool) or before is None or after is None:
        return type(before) is type(after)
    if isinstance(before, int | float) and isinstance(after, int | float):
        return True
    return isinstance(before, str) and isinstance(after, str)
