"""Readers of hook programs, one for each language; all of them make the same values."""

from __future__ import annotations

from pathlib import PurePath

from interlock.hook_lint.program import HookProgram, Language
from interlock.hook_lint.read.javascript import callbacks as javascript_callbacks
from interlock.hook_lint.read.javascript import read_javascript
from interlock.hook_lint.read.python import callbacks as python_callbacks
from interlock.hook_lint.read.python import read_python
from interlock.hook_lint.read.shell import read_shell

__all__ = ["language_of", "read_programs", "seems_to_use_sdk"]

_SUFFIXES: dict[str, Language] = {
    ".py": "python", ".sh": "shell", ".bash": "shell", ".zsh": "shell", ".js": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".ts": "typescript", ".mts": "typescript", ".cts": "typescript",
}  # fmt: skip
_INTERPRETERS: dict[str, Language] = {
    "python": "python", "sh": "shell", "bash": "shell", "dash": "shell", "zsh": "shell", "ksh": "shell",
    "node": "javascript", "bun": "typescript", "tsx": "typescript", "deno": "typescript",
}  # fmt: skip


def language_of(file: str, text: str) -> Language | None:
    """The language of a file, by its first line or else by its name; None if no reader knows it."""
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        words = [PurePath(word).name.rstrip("0123456789.") for word in first[2:].split() if not word.startswith("-")]
        found = next((_INTERPRETERS[word] for word in words if word in _INTERPRETERS), None)
        if found is not None:
            return found
    return _SUFFIXES.get(PurePath(file).suffix)


def seems_to_use_sdk(text: str) -> bool:
    """Whether a file in any language may have callbacks of the Agent SDK: without these words, none are looked for."""
    return python_callbacks.seems_to_use_sdk(text) or javascript_callbacks.seems_to_use_sdk(text)


def read_programs(file: str, text: str, language: Language | None = None) -> list[HookProgram]:
    """The hook programs in a file: the file itself, and each callback that it registers with the Agent SDK."""
    match language or language_of(file, text):
        case "python":
            return read_python(file, text)
        case "shell":
            return read_shell(file, text)
        case "javascript":
            return read_javascript(file, text)
        case "typescript":
            return read_javascript(file, text, typescript=True)
        case "output" | None:
            return []
