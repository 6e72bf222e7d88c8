"""Tool results: what one means, and how a replacement is put back into the shape its host accepts.

A client that is handed a result of the wrong shape drops it and shows the original, so a redaction that does not
fit is a leak. Seen with Claude Code 2.1.325: the received object with other strings in it is taken for every tool;
a text or a list instead of a built-in tool's object never is; an MCP tool's result may be text or content blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import UNSET, json
from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.event import Event, PostToolUse, ToolEvent
from interlock.facts.tools import parse_mcp
from interlock.fold import Draft
from interlock.jsontext import read_value
from interlock.verdict import Opinion

__all__ = [
    "Misfit",
    "event_after",
    "fit",
    "from_server",
    "meaning",
    "result_of",
    "said_twice",
    "says_the_same",
    "text_of_result",
    "with_meaning",
    "withhold",
]

JsonObject: TypeAlias = dict[str, Any]

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

# What a result means that a host sends as nothing but its text: the fields where policies look for it.
_FROM_TEXT: dict[str, Callable[[str], JsonObject]] = {
    **dict.fromkeys(("Bash", "PowerShell"), lambda text: {"stdout": text, "stderr": ""}),
    **dict.fromkeys(("Agent", "Task"), lambda text: {"content": [{"type": "text", "text": text}]}),
    "Grep": lambda text: {"content": text},
    "Read": lambda text: {"type": "text", "file": {"content": text}},
    "WebFetch": lambda text: {"result": text},
}

# Fields whose words the client's own schema lists; another word makes the whole result invalid.
_FIXED = frozenset({"type", "mode", "status", "action", "language", "cellType", "cell_type", "edit_mode",
                    "output_type", "task_type", "from", "to"})  # fmt: skip
# Encoded bytes: text in their place would be sent on as a broken image or document.
_ENCODED = frozenset({"base64", "data"})


class Misfit(Exception):  # noqa: N818 - an answer, not an error: the caller withholds the result
    """A replacement that the host would drop."""


def meaning(tool: str, response: Any) -> Any:
    """What a result means: the JSON or text an MCP tool returned, else the result in the fields that policies know."""
    if parse_mcp(tool) is None:
        shape = _FROM_TEXT.get(tool) if isinstance(response, str) else None
        return response if shape is None else shape(response)
    text = _text_of_blocks(response)
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return response if text is None else text
    try:
        return read_value(text.encode())
    except (InterlockError, UnicodeEncodeError):
        return text  # a repeated key, say: a hook must see all that the model reads


def from_server(structured: Any, blocks: list[Any]) -> Any:
    """The result of an MCP tool with a structure beside its blocks, as Claude Code would send it: the structure alone.

    Some hosts show the model both. What the blocks say besides is then beside the structure, under `content`.
    """
    if structured is None or blocks == [{"type": "text", "text": _as_text(structured)}]:
        return blocks
    if not blocks or says_the_same(structured, blocks):
        return _as_text(structured)
    if isinstance(structured, dict) and "content" not in structured:
        return _as_text({**structured, "content": blocks})
    return _as_text({"content": blocks, "structuredContent": structured})


def said_twice(texts: Sequence[str]) -> str | None:
    """The first or the last of an MCP result's texts, if it is a structure that says what the others say."""
    for text, others in ((texts[0], texts[1:]), (texts[-1], texts[:-1])) if len(texts) > 1 else ():
        structured = _json_object(text)
        if structured is not None and says_the_same(structured, [{"type": "text", "text": other} for other in others]):
            return text
    return None


def _json_object(text: str) -> JsonObject | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        found = read_value(text.encode())
    except (InterlockError, UnicodeEncodeError):
        return None
    return found if isinstance(found, dict) else None


def says_the_same(structured: Any, blocks: list[Any]) -> bool:
    """Whether the structure of an MCP result is what its blocks say, or `{"result": …}` around it, as servers wrap it.

    Servers do that with what is not an object.
    """
    said = meaning("mcp__server__tool", blocks)  # what a result means does not depend on which tool it is of
    if said == structured:
        return True
    if not isinstance(structured, dict) or structured.keys() != {"result"}:
        return False
    value = structured["result"]
    if type(value) is type(said):
        return bool(value == said)
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return isinstance(value, list) and not isinstance(said, list) and texts == [_as_text(item) for item in value]


def result_of(event: Event) -> Any:
    """What the result in an event means; UNSET if it has none."""
    return meaning(event.tool_name, event.tool_response) if isinstance(event, PostToolUse) else UNSET


def event_after(event: Event, draft: Draft) -> Event:
    """The event as its host would have sent it, had the call been what those asked before left of it."""
    if not isinstance(event, ToolEvent):
        return event
    if isinstance(event, PostToolUse) and draft.result is not UNSET and draft.result is not event.tool_response:
        return replace(event, tool_input=draft.input, tool_response=_response_after(event, draft.result))
    return event if draft.input is event.tool_input else replace(event, tool_input=draft.input)


def with_meaning(event: Event, opinion: Opinion) -> Opinion:
    """An opinion of somebody who speaks the host's protocol, its result turned into what that result means."""
    if not isinstance(event, PostToolUse) or opinion.output is UNSET:
        return opinion
    return replace(opinion, output=meaning(event.tool_name, opinion.output))


def _response_after(event: PostToolUse, result: Any) -> Any:
    if result == meaning(event.tool_name, event.tool_response):
        return event.tool_response
    try:
        return fit(event.tool_name, event.tool_response, result)
    except Misfit:
        return result  # the host gets no form of it either: it is withheld


def fit(tool: str, response: Any, output: Any) -> Any:
    """`output` in the shape the host accepts for this tool. Raises Misfit where it has no such shape."""
    if parse_mcp(tool) is not None:
        return _fit_mcp(response, output)
    if isinstance(response, str):
        return text_of_result(tool, output)
    if isinstance(response, dict) and not isinstance(output, dict | list):
        output = _with_text(tool, response, _as_text(output))
    if isinstance(response, dict) and isinstance(output, dict):
        output = {key: value for key, value in output.items() if key in response}
    if not _same_shape(response, output):
        raise Misfit(f"the replacement does not have the shape of a result of {tool}")
    return _without_copy(response, output)


def text_of_result(tool: str, output: Any) -> str:
    """A result as the one text in which some hosts show it to the model."""
    if tool not in _FROM_TEXT or not isinstance(output, dict):
        return _as_text(output)
    places = [path for path in _TEXTS[tool] if _holds_text(output, path)]
    found = [text for path in places for text in _texts_at(output, path) if text]
    return "\n".join(found) if places else _as_text(output)


def withhold(tool: str, response: Any, text: str) -> Any:
    """The result with `text` in place of every string in it. Raises Misfit where encoded bytes stand in the way."""
    if parse_mcp(tool) is not None:
        return _fit_mcp(response, text)
    if tool == "Read" and isinstance(response, dict) and response.get("type") != "text":
        return _text_file(response, text)
    return _without_copy(response, _blank(response, text, ""))


def _text_file(response: dict[str, Any], text: str) -> dict[str, Any]:
    """What reading a text file gives, for an image or a document: the client takes any of Read's own shapes."""
    file = response.get("file")
    path = file.get("filePath") if isinstance(file, dict) else None
    lines = {"numLines": 1, "startLine": 1, "totalLines": 1}
    return {"type": "text", "file": {"filePath": path or "", "content": text, **lines}}


def _without_copy(response: Any, output: Any) -> Any:
    """A replaced shell result without the path to the whole original that a long one carries, or its image mark."""
    if not isinstance(response, dict) or response.get("stdout") == output.get("stdout"):
        return output
    kept = {key: value for key, value in output.items() if key not in ("persistedOutputPath", "persistedOutputSize")}
    return {**kept, "isImage": False} if kept.get("isImage") else kept


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
    if _are_blocks(output) or output == response:
        return output
    text = _as_text(output)
    return [{"type": "text", "text": text}] if isinstance(response, list) else text


def _are_blocks(output: Any) -> bool:
    return isinstance(output, list) and bool(output) and all(_is_block(block) for block in output)


def _is_block(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") not in (
        "text",
        "image",
        "audio",
        "resource",
        "resource_link",
    ):
        return False
    return block["type"] != "text" or isinstance(block.get("text"), str)


def _as_text(output: Any) -> str:
    return output if isinstance(output, str) else json.encode(output).decode()


def _with_text(tool: str, response: dict[str, Any], text: str) -> dict[str, Any]:
    """The result with `text` where the model reads first, and nothing where it reads besides."""
    places = [path for path in _TEXTS.get(tool, ()) if _holds_text(response, path)]
    if not places:
        raise Misfit(f"nobody has described where a result of {tool} holds its text")
    fitted = _put(response, places[0], text)
    for place in places[1:]:
        fitted = _put(fitted, place, "")
    return fitted


def _holds_text(response: Any, path: str) -> bool:
    for step in path.split("."):
        if not isinstance(response, dict) or step not in response:
            return False
        response = response[step]
    if isinstance(response, list):
        return all(isinstance(item, str) or (isinstance(item, dict) and "text" in item) for item in response)
    return isinstance(response, str)


def _texts_at(response: Any, path: str) -> list[str]:
    for step in path.split("."):
        response = response[step]
    if isinstance(response, str):
        return [response]
    return [item if isinstance(item, str) else str(item["text"]) for item in response]


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


def _blank(value: Any, text: str, key: str) -> Any:
    if isinstance(value, str):
        if key in _ENCODED:
            raise Misfit("an image or a document cannot be replaced by text")
        return value if key in _FIXED or not value else text
    if isinstance(value, dict):
        return {name: _blank(item, text, name) for name, item in value.items()}
    if isinstance(value, list):
        return [text] if value and isinstance(value[0], str) else [_blank(item, text, "") for item in value]
    return value


def _same_shape(before: Any, after: Any, key: str = "") -> bool:
    """Whether a client that accepted `before` accepts `after`: the same keys, the same kinds of values."""
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
