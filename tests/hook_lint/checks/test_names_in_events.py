"""IL101 and IL104: fields and tools that the event does not name like this."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.hook_lint.checks import unknown_tool
from tests.hook_lint.checks.asking import findings
from tests.hook_lint.checks.linting import findings as findings_in

_PYTHON = "import json, sys\nevent = json.load(sys.stdin)\n"


@pytest.mark.parametrize(
    ("condition", "former", "present"),
    [
        ("event['tool_name'] == 'Task'", "Task", "Agent"),
        ("event['tool_name'] != 'Task'", "Task", "Agent"),
        ("event['tool_name'] in ('Bash', 'Task')", "Task", "Agent"),
        ("event['tool_name'] == 'KillShell'", "KillShell", "TaskStop"),
    ],
)
def test_a_former_name_of_a_tool_is_found(condition, former, present):
    text = f"{_PYTHON}if {condition}:\n    sys.exit(2)\n"
    assert findings(unknown_tool, text, name="guard.py") == [
        (3, f"the event calls this tool `{present}`, so `{former}` never matches")
    ]


@pytest.mark.parametrize(
    ("condition", "event"),
    [
        ("event['tool_name'] in ('Task', 'Agent')", "PreToolUse"),
        ("event['tool_name'] == 'Task' or event['tool_name'] == 'Agent'", "PreToolUse"),
        ("event['tool_name'] == 'Task' or event['tool_name'].startswith('Agent')", "PreToolUse"),
        ("event['tool_name'] == 'Agent'", "PreToolUse"),
        ("event['tool_name'] == 'TaskCreate'", "PreToolUse"),
        ("event['tool_name'] == 'Task'", "SubagentStop"),
        ("event['kind'] == 'Task'", "PreToolUse"),
    ],
)
def test_present_names_and_both_names_are_right(condition, event):
    text = f"{_PYTHON}if {condition}:\n    sys.exit(2)\n"
    assert findings(unknown_tool, text, name="guard.py", event=event) == []


def _lint(folder: Path, text: str, *, event: str, matcher: str) -> list[tuple[int, str]]:
    hooks = folder / ".claude" / "hooks"
    hooks.mkdir(parents=True)
    (folder / ".git").mkdir()
    (hooks / "look.py").write_text(f"{_PYTHON}{text}\n", encoding="utf-8")
    command = 'python3 \\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/look.py'
    entry = f'{{"matcher": "{matcher}", "hooks": [{{"type": "command", "command": "{command}"}}]}}'
    (folder / ".claude" / "settings.json").write_text(f'{{"hooks": {{"{event}": [{entry}]}}}}', encoding="utf-8")
    return findings_in([folder], "IL101")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("print(event['tool_response'].get('output'))",
         "no PostToolUse event has `tool_response.output`, so it is always empty"),
        ("print(event.get('error'))",
         "no PostToolUse event has `error`, so it is always empty: a call that fails raises PostToolUseFailure"),
        ("print(event.get('result'))", "no PostToolUse event has `result`, so it is always empty"),
    ],
)  # fmt: skip
def test_what_a_result_does_not_have_is_found(tmp_path: Path, text: str, message: str):
    assert _lint(tmp_path, text, event="PostToolUse", matcher="Bash") == [(3, message)]


@pytest.mark.parametrize(
    ("text", "event", "matcher"),
    [
        ("print(event['tool_response'].get('stdout'))", "PostToolUse", "Bash"),
        ("r = event['tool_response']\nprint(r.get('stdout') or r.get('output'))", "PostToolUse", "Bash"),
        ("print(event['tool_response'].get('output'))", "PostToolUse", "mcp__.*"),
        ("print(event['tool_response'].get('output'))", "PostToolUse", "Bash|TaskOutput"),
        ("print(event.get('error'))", "PostToolUseFailure", "Bash"),
        ("print(event.get('error') or event['tool_response'].get('is_error'))", "PostToolUse", "Bash"),
        ("print(event.get('result') or event.get('tool_response'))", "PostToolUse", "Bash"),
    ],
)
def test_what_a_result_has_or_may_have_is_right(tmp_path: Path, text: str, event: str, matcher: str):
    assert _lint(tmp_path, text, event=event, matcher=matcher) == []
