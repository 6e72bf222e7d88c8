"""Take a tool's result apart for judging, and put what may be read back into its shape.

A result has up to two texts: `content`, which most clients show the model, and `structuredContent`, which others show.
If they say the same, they are judged once, otherwise separately.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, json

from interlock.facts.results import Misfit, fit, meaning, says_the_same

__all__ = ["ResultPart", "fit_part", "is_final", "parts_of", "told_beside", "withheld"]

JsonObject: TypeAlias = dict[str, Any]
Where: TypeAlias = Literal["content", "structuredContent", "both", "all"]

_FINAL = ("content", "structuredContent", "isError", "toolResult")
_RELATED_TASK = "io.modelcontextprotocol/related-task"
_TOOL = "mcp__server__tool"  # any MCP tool: what a result means does not depend on which one


class ResultPart(Struct, frozen=True):
    """A part of a result that is judged as one: where it is, and its content as the blocks that policies know."""

    where: Where
    response: list[Any]


def is_final(result: JsonObject) -> bool:
    """Whether the call is over. A request for more input, or a promise of a later result, contains nothing to read."""
    promised = result.get("resultType", "complete") not in ("complete", None) or "task" in result
    return not promised or any(key in result for key in _FINAL)


def parts_of(result: JsonObject) -> list[ResultPart]:
    """The parts of a result to judge; the part that counts for state comes first."""
    blocks, structured = result.get("content"), result.get("structuredContent")
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        return [ResultPart("all", [_text(result)])]
    if structured is None:
        return [ResultPart("content", blocks)]
    if not blocks:
        return [ResultPart("structuredContent", [_text(structured)])]
    if says_the_same(structured, blocks):
        return [ResultPart("both", blocks)]
    return [ResultPart("structuredContent", [_text(structured)]), ResultPart("content", blocks)]


def fit_part(result: JsonObject, part: ResultPart, output: Any) -> JsonObject:
    """The result with that part replaced. Raises Misfit if the replacement does not fit."""
    blocks = fit(_TOOL, part.response, output)
    if part.where == "content":
        return {**result, "content": blocks}
    if part.where == "all":
        kept = {key: value for key, value in result.items() if key in ("isError", "resultType")}
        return {**kept, "content": blocks}
    structured = result["structuredContent"]
    if part.where == "both" and _is_wrapped(structured) and not isinstance(meaning(_TOOL, part.response), dict):
        if type(structured["result"]) is not type(output):
            raise Misfit("the replacement has another type than the result")
        return {**result, "content": blocks, "structuredContent": {"result": output}}
    if type(structured) is not type(output):
        raise Misfit("the replacement has another type than the result")
    both = {"content": blocks} if part.where == "both" else {}
    return {**result, **both, "structuredContent": output}


def withheld(result: JsonObject, why: str) -> JsonObject:
    """A result that says only why it is withheld. It is an error, so that no client checks it against a schema."""
    kept: JsonObject = {"resultType": "complete"} if "resultType" in result else {}
    meta = result.get("_meta")
    if isinstance(meta, dict) and _RELATED_TASK in meta:
        kept["_meta"] = {_RELATED_TASK: meta[_RELATED_TASK]}
    return {**kept, "content": [{"type": "text", "text": f"[withheld by Interlock: {why}]"}], "isError": True}


def told_beside(result: JsonObject, told: str) -> JsonObject:
    """The result followed by a message to the model."""
    blocks = result.get("content")
    return {**result, "content": [*(blocks if isinstance(blocks, list) else []), {"type": "text", "text": told}]}


def _text(value: Any) -> JsonObject:
    return {"type": "text", "text": json.encode(value).decode()}


def _is_wrapped(structured: Any) -> bool:
    return isinstance(structured, dict) and structured.keys() == {"result"}
