"""What each host offers its model: every tool, and every field of one, is known to policies or is listed here.

A field that acts on something and that no rule reads is a hole. So a new version of a host fails here first.
"""

from __future__ import annotations

import pytest

from interlock.facts.fields import known_fields
from interlock.hosts import HOSTS as ROOMS
from tests.live.drive import HOSTS, required, run
from tests.live.world import World

# What its hooks call a tool that is offered under another name.
IN_HOOKS = {
    "codex": {"exec_command": "Bash"},
    "copilot": {"bash": "Bash", "view": "Read", "create": "Write", "edit": "Edit", "grep": "Grep", "glob": "Glob",
                "task": "Agent"},
}  # fmt: skip
# Tools that are judged under their own names, with whatever is in them.
AS_THEY_ARE = {
    "codex": "create_goal get_goal request_user_input tool_search update_goal web_search write_stdin",
    "copilot": "fetch_copilot_cli_documentation list_agents list_bash read_agent read_bash session_store_sql sql "
    "stop_bash write_agent",
    "gemini": "list_background_processes update_topic",
    "opencode": "",
    "qwen": "get_goal tool_call update_goal",  # `tool_call` makes another call, which the hooks are shown
}
# Fields that no rule reads: how much is shown or waited for, and words for people. Folders become the event's own.
UNREAD = {
    "codex": {
        # Hooks are shown the command alone, as `command`, and the folder as the event's.
        "exec_command": "cmd justification login max_output_tokens prefix_rule sandbox_permissions shell tty workdir "
        "yield_time_ms",
        "view_image": "detail",
    },
    "copilot": {
        "bash": "detach initial_wait mode shellId",
        "task": "context_tier mode name reasoning_effort",
        "view": "forceReadLargeFiles view_range",
    },
    "gemini": {
        "enter_plan_mode": "reason",
        "glob": "case_sensitive respect_gemini_ignore respect_git_ignore",
        "grep_search": "exclude_pattern max_matches_per_file names_only total_max_matches",
        "invoke_agent": "wait_for_previous",
        "list_directory": "file_filtering_options",
        "read_background_output": "delay_ms lines pid wait_for_previous",
        "read_file": "end_line start_line",
        "replace": "instruction",
        "run_shell_command": "delay_ms dir_path",
        "write_todos": "todos",
    },
    "opencode": {
        "bash": "workdir",
        "task": "command task_id",
        "todowrite": "todos",
        "webfetch": "format timeout",
    },
    "qwen": {
        "agent": "fork_profile fork_tools fork_turns working_dir",
        "run_shell_command": "directory",
        "tool_search": "max_results query",
        "write_file": "record_as_artifact",
    },
}


@pytest.mark.parametrize("name", HOSTS)
def test_every_field_that_a_model_may_fill_is_read_by_rules_or_is_listed(name: str, world: World):
    tools = run(required(HOSTS[name]), world, "Done.").requests[0].tools
    others: set[str] = set()
    unread: dict[str, set[str]] = {}
    for offered, described in tools.items():
        native = ROOMS[name].tools.get(IN_HOOKS.get(name, {}).get(offered, offered))
        if native is None:
            others.add(offered)
            continue
        schema = described.get("parameters") or described.get("parametersJsonSchema") or {}
        known = known_fields(native.name) or {}
        fields = {field for field in schema.get("properties") or {} if native.fields.get(field, field) not in known}
        unread |= {offered: fields} if fields else {}
    assert others == set(AS_THEY_ARE[name].split())
    assert unread == {offered: set(fields.split()) for offered, fields in UNREAD[name].items()}
