"""What is known of tools by their names: kinds, old names, families, and the parts of an MCP name."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "KINDS",
    "Kind",
    "McpName",
    "kind_of",
    "known_tools",
    "names_of",
    "parse_mcp",
    "present_name",
    "shell_tools",
    "short_names",
]

Kind: TypeAlias = Literal["shell", "edit", "read", "fetch", "agent", "skill"]
KINDS: tuple[Kind, ...] = ("shell", "edit", "read", "fetch", "agent", "skill")

_BY_KIND: dict[Kind, tuple[str, ...]] = {
    "shell": ("Bash", "Monitor", "PowerShell"),
    "edit": ("Write", "Edit", "MultiEdit", "NotebookEdit"),
    "read": ("Read", "Glob", "Grep", "LS", "NotebookRead", "ListMcpResourcesTool", "ReadMcpResourceTool",
             "ReadMcpResourceDirTool"),
    "fetch": ("WebFetch", "WebSearch"),
    "agent": ("Agent",),
    "skill": ("Skill", "SlashCommand"),
}  # fmt: skip

# Today's name → the names it had before. A host sends the new one; policies and older clients use either.
_FORMER: dict[str, tuple[str, ...]] = {
    "Agent": ("Task",),
    "TaskStop": ("KillShell", "KillBash"),
    "ListAgents": ("ListPeers",),
    "SendUserMessage": ("Brief",),
    "ListMcpResourcesTool": ("ListMcpResources",),
    "ReadMcpResourceTool": ("ReadMcpResource",),
}

# Tools of hosts that are of no kind. Known by name, so that a misspelt name is told from a tool of somebody's own.
_OTHERS = (
    "AskUserQuestion", "BashOutput", "CronCreate", "CronDelete", "CronList", "EnterPlanMode", "EnterWorktree",
    "ExitPlanMode", "ExitWorktree", "LSP", "SendMessage", "StructuredOutput", "TaskCreate", "TaskGet", "TaskList",
    "TaskOutput", "TaskUpdate", "TeamCreate", "TeamDelete", "TodoWrite", "ToolSearch",
)  # fmt: skip

_FAMILY: dict[str, frozenset[str]] = {
    name: frozenset(names) for names in ((today, *former) for today, former in _FORMER.items()) for name in names
}
_TODAY = {name: today for today, former in _FORMER.items() for name in former}
_KIND: dict[str, Kind] = {
    name: kind for kind, tools in _BY_KIND.items() for tool in tools for name in (tool, *_FORMER.get(tool, ()))
}


_KNOWN = tuple(dict.fromkeys((*_KIND, *_FAMILY, *_OTHERS)))


class McpName(Struct, frozen=True):
    """An MCP tool's name taken apart. Says who a tool claims to be from, not who it is from."""

    server: str
    tool: str


def kind_of(tool: str) -> Kind | None:
    """What sort of thing a built-in tool does; None for tools nobody has described."""
    return _KIND.get(tool)


def names_of(tool: str) -> frozenset[str]:
    """Every name, old and new, of one tool."""
    return _FAMILY.get(tool) or frozenset((tool,))


def present_name(tool: str) -> str:
    """What a host calls a tool today: the name itself if it never was another's former one."""
    return _TODAY.get(tool, tool)


def known_tools() -> tuple[str, ...]:
    """The built-in tools of hosts, under all their names."""
    return _KNOWN


def shell_tools() -> tuple[str, ...]:
    """The built-in tools that carry a shell command."""
    return _BY_KIND["shell"]


def parse_mcp(tool: str) -> McpName | None:
    """`mcp__server__tool`, or None for a built-in tool."""
    prefix, _, rest = tool.partition("__")
    server, separator, name = rest.partition("__")
    if prefix != "mcp" or not separator or not name:
        return None
    return McpName(server, name)


def short_names(tool: str) -> tuple[str, ...]:
    """What an MCP tool may be called for short: every ending behind a double underscore.

    Server and tool names may hold double underscores themselves, so each ending counts; short names only ever
    widen what restricts.
    """
    if not tool.startswith("mcp__"):
        return ()
    parts = tool.split("__")[2:]
    return tuple("__".join(parts[start:]) for start in range(len(parts)) if parts[start:] != [""])
