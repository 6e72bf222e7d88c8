"""Pairs of hooks that differ in little: one does nothing and is found, the other is right and left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interlock.hook_lint.commands import script_of
from tests.hook_lint.looking import codes_of, codes_of_command

NO = 'print("no", file=sys.stderr)\n    sys.exit(2)\n'


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("jq -r '.tool_input.command' | grep -q rm", None),
        ("file=$(jq -r '.tool_input.file_path'); ruff format \"$file\"", None),
        ("echo hello >> notes.txt", None),
        ("npm run lint --prefix web/app", None),
        ("python3 -c 'import a.b' x.py", None),
        ("node -e 'require(\"./x.js\")'", None),
        ("python3 -m tools.guard", None),
        ("./guard.sh --strict", "guard.sh"),
        ("bash hooks/guard.sh", "hooks/guard.sh"),
        ("python3.12 -u hooks/guard.py", "hooks/guard.py"),
        ("/usr/bin/env python3 hooks/guard.py", "hooks/guard.py"),
        ("uv run --script hooks/guard.py", "hooks/guard.py"),
        ("npx tsx hooks/guard.ts", "hooks/guard.ts"),
        ("timeout 30 hooks/guard.sh", "hooks/guard.sh"),
        ("MODE=strict python3 hooks/guard.py", "hooks/guard.py"),
        ('cd "$CLAUDE_PROJECT_DIR" && python3 hooks/guard.py', "hooks/guard.py"),
        ('"$CLAUDE_PROJECT_DIR"/hooks/guard.sh', "hooks/guard.sh"),
        ("$ROOT/guard.sh", None),
        ("/c/tools/python.exe hooks/guard.py", "hooks/guard.py"),
        ('python3 "${PROJECT_ROOT:-.}/hooks/guard.py"', "hooks/guard.py"),
        ("python3 $PROJECT_ROOT/hooks/guard.py", None),
    ],
)
def test_which_script_a_command_starts(tmp_path: Path, command: str, script: str | None):
    _, found = script_of({"type": "command", "command": command}, tmp_path)
    assert found == (tmp_path / script if script is not None else None)


@pytest.mark.parametrize("home", ["/home/ann", "/Users/ann", "~", "$HOME", "${HOME}", "C:/Users/ann"])
def test_a_project_that_is_copied_into_a_home_is_judged_by_its_own_copy(tmp_path: Path, home: str):
    hook = tmp_path / ".claude" / "hooks" / "guard.py"
    hook.parent.mkdir(parents=True)
    hook.touch()
    handler = {"type": "command", "command": f"python3 {home}/.claude/hooks/guard.py"}
    assert script_of(handler, tmp_path)[1] == hook
    elsewhere = {"type": "command", "command": f"python3 {home}/.claude/hooks/other.py"}
    home = home.replace("C:", "/C:")  # absolute, which it is here as little as there
    assert script_of(elsewhere, tmp_path)[1] == Path(os.path.expandvars(f"{home}/.claude/hooks/other.py")).expanduser()


def test_a_script_that_another_copy_of_runs_may_be_without_its_mode(tmp_path: Path):
    hook = tmp_path / ".claude" / "hooks" / "guard.py"
    hook.parent.mkdir(parents=True)
    hook.write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    assert "IL401" not in codes_of_command(tmp_path, "/home/ann/.claude/hooks/guard.py")
    assert "IL401" in codes_of_command(tmp_path, '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.py')


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ("run_hook('guard', main)", {"IL201"}),
        ("run_hook(main=main)", {"IL201"}),
        ("sys.exit(run_hook(main))", {"IL201"}),
        ("run_hook('guard')", set()),
    ],
)
def test_a_function_that_a_runner_of_another_file_is_given_is_part_of_the_hook(
    tmp_path: Path, given: str, codes: set[str]
):
    text = (
        "import sys\nfrom hook_utils import run_hook\ndef main(event):\n"
        "    if 'rm' in event['tool_input']['command']:\n"
        "        print('Blocked: rm', file=sys.stderr)\n        sys.exit(1)\n" + given + "\n"
    )
    assert codes_of(tmp_path, text) - {"IL106"} == codes


@pytest.mark.parametrize(
    ("reading", "codes"),
    [
        ('os.environ["CLAUDE_TOOL_INPUT"]', {"IL102"}),
        ('os.environ.get("CLAUDE_TOOL_INPUT", "nothing")', {"IL102"}),
        ('os.environ.get("CLAUDE_TOOL_INPUT") or sys.stdin.read()', set()),
        ('os.environ["GUARD_COMMAND"]', set()),
        ("sys.argv[1]", {"IL103"}),
        ('sys.argv[1] if len(sys.argv) > 1 else "nothing"', {"IL103"}),
        ("sys.argv[1] if len(sys.argv) > 1 else sys.stdin.read()", set()),
        ('json.load(sys.stdin)["tool_input"]["command"]', set()),
        ('json.load(sys.stdin)["toolInput"]["command"]', {"IL101"}),
        ('json.load(sys.stdin)["tool_input"]["cmd"]', {"IL101"}),
    ],
)
def test_where_the_command_is_read_from(tmp_path: Path, reading: str, codes: set[str]):
    assert codes_of(tmp_path, f'import json, os, sys\ncommand = {reading}\nif "rm -rf" in command:\n    {NO}') == codes


@pytest.mark.parametrize(
    ("matcher", "field", "codes"),
    [
        ("Read", "path", {"IL101"}),
        ("Read", "file_path", set()),
        ("Read|Grep", "path", set()),
        ("mcp__files__.*", "path", set()),
        (None, "path", set()),
    ],
)
def test_what_the_path_of_a_file_is_called(tmp_path: Path, matcher: str | None, field: str, codes: set[str]):
    text = f'import json, sys\nif json.load(sys.stdin)["tool_input"].get("{field}", "").endswith(".env"):\n    {NO}'
    assert codes_of(tmp_path, text, matcher=matcher) == codes


@pytest.mark.parametrize(
    ("end", "codes"),
    [
        ("", {"IL106"}),
        ("asyncio.run(guard(json.load(sys.stdin)))", set()),
    ],
)
def test_a_function_that_is_given_the_event_must_be_called(tmp_path: Path, end: str, codes: set[str]):
    text = f"""\
import asyncio, json, sys

async def guard(event):
    if "rm -rf" in event["tool_input"]["command"]:
        sys.exit(2)

{end}
"""
    assert codes_of(tmp_path, text) == codes


ANSWER = """\
import json, sys

def answer(decision):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision}}))
    sys.exit(0)

if "rm -rf" in json.load(sys.stdin)["tool_input"]["command"]:
    answer(FIRST)
LAST
"""


@pytest.mark.parametrize(
    ("first", "last", "codes"),
    [
        ('"deny"', 'answer("allow")', {"IL701"}),
        ('"deny"', "sys.exit(0)", set()),
        ('"block"', "sys.exit(0)", {"IL207"}),
        ('"deny"', 'answer("defer")', set()),
    ],
)
def test_each_answer_that_one_line_gives(tmp_path: Path, first: str, last: str, codes: set[str]):
    assert codes_of(tmp_path, ANSWER.replace("FIRST", first).replace("LAST", last)) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("make test || { echo 'go on' >&2; exit 2; }", {"IL704"}),
        ("echo 'go on' >&2; exit 2", {"IL704"}),
        ("[ \"$(jq -r .stop_hook_active)\" = true ] && exit 0\nmake test || { echo 'go on' >&2; exit 2; }", set()),
        ("[ -e asked ] && exit 0\ntouch asked\nmake test || { echo 'go on' >&2; exit 2; }", set()),
        ("make test || echo 'tests fail' >&2", set()),
    ],
)
def test_a_stop_hook_lets_the_agent_stop_some_day(tmp_path: Path, text: str, codes: set[str]):
    assert codes_of(tmp_path, f"#!/bin/bash\n{text}\n", "sh", event="Stop", matcher=None) == codes


DENY = """{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}"""


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        (f"echo '{DENY}'", set()),
        (f"echo checking; echo '{DENY}'", {"IL214"}),
        (f"echo checking >&2; echo '{DENY}'", set()),
        ("echo 'Blocked: rm'", {"IL203"}),
        ("echo 'Blocked: rm' >&2; exit 2", set()),
        ("echo 'Blocked: rm' >&2; exit 1", {"IL201"}),
    ],
)
def test_how_a_line_of_the_settings_refuses(tmp_path: Path, said: str, codes: set[str]):
    assert codes_of_command(tmp_path, f"if jq -r .tool_input.command | grep -q 'rm -rf'; then {said}; fi") == codes


@pytest.mark.parametrize(
    ("decision", "codes"),
    [
        ('"deny"', {"IL207"}),
        ('"block"', {"IL207"}),
        ('{"behavior": "block"}', {"IL207"}),
        ('{"behavior": "deny", "message": "no"}', set()),
    ],
)
def test_the_decision_of_a_permission_request_is_an_object(tmp_path: Path, decision: str, codes: set[str]):
    text = f"""\
import json, sys
if "rm -rf" in json.load(sys.stdin)["tool_input"]["command"]:
    print(json.dumps({{"hookSpecificOutput": {{"hookEventName": "PermissionRequest", "decision": {decision}}}}}))
"""
    assert codes_of(tmp_path, text, event="PermissionRequest") == codes


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ({"continue": False, "stopReason": "Please fix the failing tests"}, {"IL209"}),
        ({"continue": False, "stopReason": "Budget used up"}, set()),
        ({"continue": False}, set()),
        ({"decision": "block", "reason": "Please fix the failing tests"}, set()),
    ],
)
def test_continue_false_keeps_nobody_working(tmp_path: Path, answer: dict[str, object], codes: set[str]):
    text = f"""\
import json, sys
if not json.load(sys.stdin)["stop_hook_active"]:
    print(json.dumps({answer!r}))
"""
    assert codes_of(tmp_path, text, event="Stop", matcher=None) == codes


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        ('tool == "bash"', {"IL104"}),
        ('tool in ("bash", "shell")', {"IL104"}),
        ('tool in ("bash", "Bash")', set()),
        ('tool.lower() == "bash"', set()),
        ('tool.casefold() in {"bash", "shell"}', set()),
        ('tool.lower() == "run_command"', {"IL104"}),
        ('tool == "Bash"', set()),
    ],
)
def test_how_a_tool_is_named(tmp_path: Path, condition: str, codes: set[str]):
    text = f'import json, sys\ntool = json.load(sys.stdin)["tool_name"]\nif {condition}:\n    {NO}'
    assert codes_of(tmp_path, text, matcher=None) == codes
