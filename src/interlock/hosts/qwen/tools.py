"""Qwen Code's tools: what policies call them."""

from __future__ import annotations

import re

from interlock.hosts.base.tools import NativeTool

__all__ = ["SHELLS", "TOOLS", "given_name"]

# A name of a tool of a server that is too long, or has other characters than names have, gets a hash at its end.
_CHANGED = re.compile(r"(mcp__.+)_[01][0-9a-z]{6}")

SHELLS = ("run_shell_command", "monitor")  # whose `directory` is where the command runs
_SEARCH = {"limit": "head_limit"}
TOOLS = {
    "run_shell_command": NativeTool("Bash", {"is_background": "run_in_background"}),
    "monitor": NativeTool("Monitor"),
    "read_file": NativeTool("Read"),
    "zoom_image": NativeTool("Read"),
    "display_image": NativeTool("Read"),
    "artifact": NativeTool("Read"),  # it publishes a file
    "write_file": NativeTool("Write"),
    "edit": NativeTool("Edit"),
    "replace": NativeTool("Edit"),
    "notebook_edit": NativeTool("NotebookEdit"),
    "glob": NativeTool("Glob"),
    "grep_search": NativeTool("Grep", _SEARCH),
    "search_file_content": NativeTool("Grep", _SEARCH),
    "list_directory": NativeTool("LS"),
    "web_fetch": NativeTool("WebFetch"),
    "web_search": NativeTool("WebSearch"),
    "agent": NativeTool("Agent"),
    "task": NativeTool("Agent"),
    "create_sub_session": NativeTool("Agent"),
    "skill": NativeTool("Skill"),
    "todo_write": NativeTool("TodoWrite"),
    "ask_user_question": NativeTool("AskUserQuestion"),
    "enter_plan_mode": NativeTool("EnterPlanMode"),
    "exit_plan_mode": NativeTool("ExitPlanMode"),
    "enter_worktree": NativeTool("EnterWorktree"),
    "exit_worktree": NativeTool("ExitWorktree"),
    "cron_create": NativeTool("CronCreate"),
    "cron_delete": NativeTool("CronDelete"),
    "cron_list": NativeTool("CronList"),
    "task_stop": NativeTool("TaskStop"),
    "task_create": NativeTool("TaskCreate"),
    "task_update": NativeTool("TaskUpdate"),
    "task_list": NativeTool("TaskList"),
    "team_create": NativeTool("TeamCreate"),
    "team_delete": NativeTool("TeamDelete"),
    "list_agents": NativeTool("ListAgents"),
    "send_message": NativeTool("SendMessage"),
    "lsp": NativeTool("LSP"),
    "tool_search": NativeTool("ToolSearch"),
    "structured_output": NativeTool("StructuredOutput"),
    "read_mcp_resource": NativeTool("ReadMcpResourceTool"),
}


def given_name(tool: str) -> str:
    """The name of a server's tool without the hash that Qwen seems to have put at its end."""
    found = _CHANGED.fullmatch(tool)
    return tool if found is None else found[1]
