"""Whether a client can show its prompts to somebody, by its command line."""

import pytest

from interlock.hosts.claude_code.command_line import is_headless


@pytest.mark.parametrize(
    "line",
    [
        "claude -p hello",
        "claude --print hello",
        "claude hello -p",
        "claude --model x -p hello",
        "claude -pc hello",
        "claude -cp",
        "node /opt/claude/cli.js -p hello",
        "claude --print=true hello",
        "claude -p --permission-prompts host",
        "claude --permission-prompts none --permission-prompt-tool stdio -p hello",
        "claude --allowedTools Bash Edit -p hello",
        "claude -c -p",
    ],
)
def test_nobody_is_shown_the_prompts_of_a_run_that_prints(line: str):
    assert is_headless(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "claude",
        "claude hello",
        "claude --model x hello",
        "claude --append-system-prompt -p hello",
        "claude --append-system-prompt --print hello",
        "claude -n -p hello",
        "claude -n=-p",
        "claude -- -p",
        "claude -p hello --permission-prompt-tool mcp__people__ask",
        "claude -p --permission-prompt-tool=stdio hello",
        "claude --settings -p",
        "claude --permission-prompts host",
        "claude -c",
        "claude -",
        "",
    ],
)
def test_somebody_is_shown_the_prompts_of_any_other(line: str):
    assert not is_headless(line.split())


def test_without_a_terminal_the_client_shows_nothing():
    words = ["claude", "--output-format", "stream-json", "--input-format", "stream-json"]
    assert is_headless(words, has_terminal=False)
    assert not is_headless(words, has_terminal=True)
    assert not is_headless([*words, "--permission-prompt-tool", "stdio"], has_terminal=False)
