"""Find the callbacks that a file gives to the Agent SDK, and read each of them."""

from __future__ import annotations

from interlock.hook_lint.program import HookProgram, Language
from interlock.hook_lint.read.javascript.source import Node, Source

__all__ = ["read_callbacks", "seems_to_use_sdk"]


def seems_to_use_sdk(text: str) -> bool:
    return "claude-agent-sdk" in text or "claude-code" in text or "canUseTool" in text


def read_callbacks(file: str, text: str, language: Language, source: Source, tree: Node) -> list[HookProgram]:
    """Each callback of a file, with the events and matchers that it is registered for."""
    return []
