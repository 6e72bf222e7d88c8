"""What the fields of known tools mean: which hold a command, a path, a URL or text, and their types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.tools import Kind, kind_of, names_of, short_names

__all__ = [
    "FIELDS",
    "NO_USE",
    "Role",
    "ToolUse",
    "guess_of",
    "known_fields",
    "main_field",
    "strings_in",
    "sure_fields",
    "use_of",
]

Role: TypeAlias = Literal["command", "read", "write", "url", "content"]
FieldType: TypeAlias = Literal["string", "int", "double", "bool", "list", "map"]


class ToolUse(Struct, frozen=True, kw_only=True):
    """Which fields of a tool are commands, paths, URLs or text going into files."""

    kind: Kind | None = None
    command: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    url: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


NO_USE = ToolUse()  # of tools that nobody has described
_USES: dict[str, ToolUse] = {
    "Bash": ToolUse(command=("command",)),
    "Monitor": ToolUse(command=("command",)),
    "PowerShell": ToolUse(command=("command",)),
    "Read": ToolUse(read=("file_path",)),
    "NotebookRead": ToolUse(read=("notebook_path",)),
    "Glob": ToolUse(read=("path", "pattern")),
    "Grep": ToolUse(read=("path", "glob")),
    "LS": ToolUse(read=("path",)),
    "Write": ToolUse(write=("file_path",), content=("content",)),
    "Edit": ToolUse(write=("file_path",), content=("new_string",)),
    "MultiEdit": ToolUse(write=("file_path",), content=("edits.new_string",)),
    "NotebookEdit": ToolUse(write=("notebook_path",), content=("new_source",)),
    "WebFetch": ToolUse(url=("url",)),
}

# Every field a tool is known to take; a star marks those it cannot do without.
FIELDS: dict[str, dict[str, FieldType]] = {
    "Bash": {"command*": "string", "timeout": "int", "description": "string", "run_in_background": "bool",
             "dangerouslyDisableSandbox": "bool"},
    "Monitor": {"description*": "string", "timeout_ms*": "int", "command": "string", "ws": "map"},
    "PowerShell": {"command*": "string", "timeout": "int", "description": "string", "run_in_background": "bool"},
    "Read": {"file_path*": "string", "offset": "int", "limit": "int", "pages": "string", "allow_large": "bool"},
    "Write": {"file_path*": "string", "content*": "string"},
    "Edit": {"file_path*": "string", "old_string*": "string", "new_string*": "string", "replace_all": "bool"},
    "MultiEdit": {"file_path*": "string", "edits*": "list"},
    "NotebookEdit": {"notebook_path*": "string", "new_source*": "string", "cell_id": "string",
                     "cell_type": "string", "edit_mode": "string"},
    "Glob": {"pattern*": "string", "path": "string"},
    "Grep": {"pattern*": "string", "path": "string", "glob": "string", "type": "string", "output_mode": "string",
             "head_limit": "int", "multiline": "bool", "-i": "bool", "-n": "bool", "-A": "int", "-B": "int",
             "-C": "int", "offset": "int"},
    "LS": {"path*": "string", "ignore": "list"},
    "WebFetch": {"url*": "string", "prompt*": "string", "offset": "int"},
    "WebSearch": {"query*": "string", "allowed_domains": "list", "blocked_domains": "list"},
    "Agent": {"description*": "string", "prompt*": "string", "subagent_type": "string", "model": "string",
              "effort": "string", "run_in_background": "bool", "isolation": "string"},
    "Skill": {"skill*": "string", "args": "string"},
    "TaskCreate": {"subject*": "string", "description*": "string", "activeForm": "string", "metadata": "map"},
    "TaskStop": {"task_id": "string", "shell_id": "string"},
    "ExitPlanMode": {"plan": "string"},
}  # fmt: skip

# The field meant when only one value is given, as in `{Write: notes.txt}`.
_MAIN: dict[str, str] = {
    "Bash": "command", "Monitor": "command", "PowerShell": "command", "Read": "file_path", "Write": "file_path",
    "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path", "NotebookRead": "notebook_path",
    "Glob": "pattern", "Grep": "pattern", "LS": "path", "WebFetch": "url", "WebSearch": "query", "Agent": "prompt",
    "Skill": "skill",
}  # fmt: skip


def use_of(tool: str, declared: dict[str, ToolUse] | None = None) -> ToolUse:
    """What a tool's fields mean: as the policy declares them, else as they are known."""
    found = (declared or {}).get(tool)
    if found is not None:
        return found
    for name in names_of(tool):
        if name in _USES:
            return _USES[name]
    kind = kind_of(tool)
    return NO_USE if kind is None else ToolUse(kind=kind)


# Names, in small letters, under which MCP servers commonly offer a shell; the line is in one of these fields.
_SHELLS = frozenset({
    "bash", "bash_command", "exec", "exec_command", "execute_bash", "execute_command", "execute_shell_command",
    "powershell", "run_bash", "run_command", "run_in_terminal", "run_shell", "run_shell_command", "run_terminal_cmd",
    "sh", "shell", "shell_command", "shell_exec", "shell_execute", "start_process", "terminal", "zsh",
})  # fmt: skip
_SHELL = ToolUse(kind="shell", command=("command", "cmd"))


def guess_of(tool: str) -> ToolUse | None:
    """What the fields of an MCP tool that nobody has described may mean, by the tool's name.

    A server chooses the names of its tools, so this may only restrict a call, never permit it.
    """
    for name in short_names(tool):
        if name.lower() in _SHELLS:
            return _SHELL
        if name in _USES:
            return replace(_USES[name], kind=kind_of(name))
    return None


@lru_cache(maxsize=256)
def main_field(tool: str) -> str | None:
    """The field that a single value for this tool goes into."""
    return next((_MAIN[name] for name in names_of(tool) if name in _MAIN), None)


def known_fields(tool: str) -> dict[str, FieldType] | None:
    """Every field of a tool and its type; None for a tool nobody has described."""
    found = _table_of(tool)
    return None if found is None else {name.rstrip("*"): kind for name, kind in found.items()}


def sure_fields(tool: str) -> frozenset[str]:
    """The fields that every call of a tool has."""
    return frozenset(name.rstrip("*") for name in _table_of(tool) or () if name.endswith("*"))


def _table_of(tool: str) -> dict[str, FieldType] | None:
    return next((FIELDS[name] for name in names_of(tool) if name in FIELDS), None)


def strings_in(value: Any) -> Iterator[str]:
    """Every text in a value of JSON, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)
