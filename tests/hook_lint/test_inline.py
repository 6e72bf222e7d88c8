"""Commands that are programs of their own: what is wrong in them is shown where it is written in the settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks

BLOCK = "jq -r .tool_input.command | grep -q 'rm -rf' && { echo \"Blocked: rm\" >&2; exit 1; }"


def linted(folder: Path, text: str, name: str = ".claude/settings.json") -> list[LintFinding]:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return lint_hooks(gather([file]))


def shown(folder: Path, text: str, code: str, name: str = ".claude/settings.json") -> list[str]:
    """The part of the file that each finding of a code underlines."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    found = [one for one in linted(folder, text, name) if one.code == code]
    starts = [(lines[one.source.line - 1], one.source.column - 1, one.length) for one in found]
    return [line[start : start + length] for line, start, length in starts]


def settings(*commands: str, matchers: tuple[str, ...] = ("Bash",), **more: Any) -> str:
    handlers = [{"type": "command", "command": command, **more} for command in commands]
    groups = [{"matcher": matcher, "hooks": handlers} for matcher in matchers]
    return json.dumps({"hooks": {"PreToolUse": groups}}, indent=2)


@pytest.mark.parametrize(
    ("command", "underlined"),
    [
        (BLOCK, "exit 1"),
        (f"echo 'größe 💥' >> log; {BLOCK}", "exit 1"),
        (f'echo "a\\\\b\tc" >> log\n{BLOCK}', "exit 1"),
        (BLOCK.replace("exit 1", "exit\t1"), "exit\\t1"),
    ],
)
@pytest.mark.parametrize("is_ascii", [True, False])
def test_a_mistake_inside_a_command_is_underlined_and_nothing_else(
    tmp_path: Path, command: str, underlined: str, is_ascii: bool
):
    text = json.dumps(json.loads(settings(command)), indent=2, ensure_ascii=is_ascii)
    assert shown(tmp_path, text, "IL201") == [underlined]
    assert shown(tmp_path, "\ufeff" + text, "IL201") == [underlined]
    assert shown(tmp_path, text.replace("\n", "\r\n"), "IL201") == [underlined]


def test_each_of_two_mistakes_has_its_own_place(tmp_path: Path):
    command = (
        "cmd=$(jq -r .tool_input.command); case \"$cmd\" in *sudo*) echo 'Blocked: sudo' >&2; exit 1;; "
        "*mkfs*) echo 'Blocked: mkfs' >&2; exit 3;; esac"
    )
    assert shown(tmp_path, settings(command), "IL201") == ["exit 1", "exit 3"]


@pytest.mark.parametrize(
    ("scalar", "underlined"),
    [
        ("jq -r .tool_input.command | grep -q sudo && { echo Blocked >&2; exit 1; }", "exit 1"),
        ("'jq -r .tool_input.command | grep -q ''rm -rf'' && { echo Blocked >&2; exit 1; }'", "exit 1"),
        ('"jq -r .tool_input.command | grep -q \\"sudo\\" && { echo Blocked >&2; exit 1; }"', "exit 1"),
        ("|\n        jq -r .tool_input.command | grep -q sudo &&\n\n          { echo Blocked >&2; exit 1; }", "exit 1"),
        ("|-\n        jq -r .tool_input.command | grep -q sudo && { echo Blocked >&2; exit 1; }", "exit 1"),
        (">\n        jq -r .tool_input.command | grep -q sudo &&\n        { echo Blocked >&2; exit 1; }", ">"),
        ("jq -r .tool_input.command | grep -q sudo\n        && { echo Blocked >&2; exit 1; }", None),
        ('"jq -r .tool_input.command | grep -q sudo\n        && { echo Blocked >&2; exit 1; }"', None),
    ],
    ids=["plain", "single", "double", "block", "stripped", "folded", "plain, on two lines", "double, on two lines"],
)
def test_in_yaml_too_except_where_lines_are_folded(tmp_path: Path, scalar: str, underlined: str | None):
    entry = f"    - type: command\n      command: {scalar}\n"
    text = f"---\nhooks:\n  PreToolUse:\n  - matcher: Bash\n    hooks:\n{entry}---\n"
    first = scalar.splitlines()[0]
    assert shown(tmp_path, text, "IL201", ".claude/agents/x.md") == [underlined or first]


# --- several that rewrite --------------------------------------------------------------------------------------------


def rewrite(flag: str) -> str:
    answer = '{hookSpecificOutput: {hookEventName: "PreToolUse", updatedInput: .tool_input}}'
    return f"jq '.tool_input.command += \" {flag}\" | {answer}'"


def rewriters(folder: Path, text: str) -> list[tuple[int, str]]:
    return [(one.source.line, one.message) for one in linted(folder, text) if one.code == "IL703"]


def test_two_commands_that_change_the_same_calls_are_found(tmp_path: Path):
    said = "this changes the same calls as the command on line 9, and the last to finish wins"
    assert rewriters(tmp_path, settings(rewrite("--dry-run"), rewrite("-v"))) == [(13, said)]


def test_a_command_and_a_script_that_change_the_same_calls_are_found(tmp_path: Path):
    script = tmp_path / ".claude" / "flags.sh"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n{rewrite('-v')}\n", encoding="utf-8")
    text = settings('"$CLAUDE_PROJECT_DIR"/.claude/flags.sh', rewrite("--dry-run"))
    assert rewriters(tmp_path, text) == [(13, "this changes the same calls as `flags.sh`, and the last to finish wins")]


@pytest.mark.parametrize(
    "text",
    [
        settings(rewrite("-v"), "jq -r .tool_input.command >> log"),
        settings(rewrite("-v"), rewrite("-v")),
        settings(rewrite("-v"), matchers=("Bash", "Write")),
        settings(rewrite("-v"), rewrite("-q")).replace('PreToolUse": [', 'PostToolUse": ['),
    ],
    ids=["the other only looks", "one command runs once", "other tools", "after the call"],
)
def test_one_that_changes_calls_alone_is_left_alone(tmp_path: Path, text: str):
    assert rewriters(tmp_path, text) == []
