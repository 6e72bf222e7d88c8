"""Droid's tools: what policies call them, and the fields that have other names there."""

from __future__ import annotations

from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.hosts.base.patches import split_patch
from interlock.hosts.base.tools import NativeTool, Part

__all__ = ["TOOLS", "WHOLE"]

JsonObject: TypeAlias = dict[str, Any]
WHOLE = "input"  # the field for an input that is not an object
_CHANGE = {"old_str": "old_string", "new_str": "new_string", "change_all": "replace_all"}


def _patch(given: JsonObject) -> list[Part]:
    text = given.get(WHOLE, given.get("patch"))
    if not isinstance(text, str):
        raise InterlockError("a call of ApplyPatch has no patch")
    return split_patch(text)


def _edits(given: JsonObject) -> list[Part]:
    """The changes of a file in the words of policies."""
    listed = given.get("edits")
    if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) for one in listed):
        raise InterlockError("the field `changes` of MultiEdit is missing or not a list")
    edits = [{_CHANGE.get(name, name): value for name, value in one.items()} for one in listed]
    return [("MultiEdit", {**given, "edits": edits})]


def _searches(given: JsonObject) -> list[Part] | None:
    """One search for each pattern."""
    patterns = given.get("pattern")
    if not isinstance(patterns, list):
        return None
    if not patterns or not all(isinstance(one, str) for one in patterns):
        raise InterlockError("the field `patterns` of Glob is not a list of texts")
    return [("Glob", {**given, "pattern": one}) for one in patterns]


def _listing(given: JsonObject) -> list[Part] | None:
    """Without a folder, it lists the one that it works in."""
    return None if "path" in given else [("LS", {**given, "path": "."})]


TOOLS = {
    "Execute": NativeTool("Bash"),
    "Read": NativeTool("Read"),
    "Create": NativeTool("Write"),
    "Edit": NativeTool("Edit", _CHANGE),
    "MultiEdit": NativeTool("MultiEdit", {"changes": "edits"}, split=_edits),
    "ApplyPatch": NativeTool("ApplyPatch", split=_patch),
    "LS": NativeTool("LS", {"directory_path": "path", "ignorePatterns": "ignore"}, split=_listing),
    "Glob": NativeTool("Glob", {"patterns": "pattern", "folder": "path"}, split=_searches),
    "Grep": NativeTool("Grep", {"glob_pattern": "glob", "case_insensitive": "-i", "line_numbers": "-n"}),
    "FetchUrl": NativeTool("WebFetch"),
    "WebSearch": NativeTool("WebSearch", {"includeDomains": "allowed_domains", "excludeDomains": "blocked_domains"}),
    "Task": NativeTool("Agent"),
    "Skill": NativeTool("Skill"),
    "TodoWrite": NativeTool("TodoWrite"),
    "AskUser": NativeTool("AskUserQuestion"),
    "ExitSpecMode": NativeTool("ExitPlanMode"),
}
