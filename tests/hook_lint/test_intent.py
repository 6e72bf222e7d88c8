"""What is said beside a place: another agent, a warning, a list of exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hook_lint.checks.linting import lint_file
from tests.hook_lint.looking import codes_of

_GUARD = "import json, re, sys\nevent = json.load(sys.stdin)\ncommand = event['tool_input']['command']\n"


@pytest.mark.parametrize(
    ("branch", "codes"),
    [
        ('if fmt == "copilot":', set()),
        ('elif agent in ("gemini", "qwen"):', set()),
        ("if host == 'github-copilot':", set()),
        ('if fmt != "copilot":', {"IL205"}),
        ('if fmt == "claude":', {"IL205"}),
        ('if not fmt == "codex":', {"IL205"}),
        ('if "cursor" not in command:', {"IL205"}),
        ('if command == "rm":', {"IL205"}),
    ],
)
def test_an_answer_for_another_agent_is_left_alone(tmp_path: Path, branch: str, codes: set[str]):
    before = "if command:\n        pass\n    " if branch.startswith("elif") else ""
    answer = 'print(json.dumps({"permissionDecision": "deny"}))'
    text = f'{_GUARD}fmt = agent = host = sys.argv[1]\nif "rm" in command:\n    {before}{branch}\n        {answer}\n'
    assert codes_of(tmp_path, text) - {"IL103"} == codes


@pytest.mark.parametrize(
    ("ending", "codes"),
    [
        ("sys.exit(1)", {"IL201"}),
        ("sys.exit(1)  # block the call", {"IL201"}),
        ("sys.exit(1)  # non-blocking error", set()),
        ("sys.exit(1)  # Warning: the person decides", set()),
        ("# this does not block\n    sys.exit(1)", set()),
        ("sys.exit(1)  # stop", {"IL201"}),
    ],
)
def test_a_comment_that_says_that_nothing_is_refused_is_believed(tmp_path: Path, ending: str, codes: set[str]):
    text = f'{_GUARD}if "rm" in command:\n    print("careful with rm", file=sys.stderr)\n    {ending}\n'
    assert codes_of(tmp_path, text) == codes


@pytest.mark.parametrize(
    ("ending", "codes"),
    [
        ("sys.exit(1)  # block it", {"IL201"}),
        ("# Deny the write\n    sys.exit(1)", {"IL201"}),
        ("sys.exit(1)", set()),
        ("sys.exit(1)  # never block for this", set()),
        ("sys.exit(1)  # the lock is broken", set()),
        ("pass  # block it\n    x = 1\n    sys.exit(1)", set()),
    ],
)
def test_a_comment_that_says_that_something_is_refused_is_believed(tmp_path: Path, ending: str, codes: set[str]):
    text = f'{_GUARD}import os\nif os.path.exists("locked"):\n    print("The system is locked")\n    {ending}\n'
    assert codes_of(tmp_path, text) == codes


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("BLOCKED", True),
        ("patterns", True),
        ("DISALLOWED", True),
        ("unsafe_commands", True),
        ("ALLOWED", False),
        ("safe_commands", False),
        ("WHITELIST", False),
        ("exempt", False),
    ],
)
def test_a_list_of_what_is_let_through_is_no_list_of_what_is_refused(tmp_path: Path, name: str, found: bool):
    text = (
        f"{_GUARD}{name} = [\n    r'^git push',\n    r'^rm ',\n]\nfor one in {name}:\n"
        "    if re.search(one, command):\n        print('no', file=sys.stderr)\n        sys.exit(2)\n"
    )
    assert codes_of(tmp_path, text) == ({"IL601"} if found else set())


@pytest.mark.parametrize(
    ("name", "refuses"),
    [
        ("guard.py", True),
        ("pre-tool-use.py", True),
        ("PreToolUse/rm.py", True),
        ("pre_tool_use/rm-hook.py", True),
        ("user-prompt-submit.py", True),
        ("post-tool-use.py", False),
        ("hooks/PostToolUse/rm.py", False),
        ("hooks/post_tool_use_metrics.py", False),
        ("on-notification.py", False),
        ("session_start_hook.py", False),
    ],
)
def test_a_program_without_an_entry_is_judged_by_the_event_it_is_called_after(tmp_path: Path, name: str, refuses: bool):
    text = f'{_GUARD}if "rm" in command:\n    print("Blocked: rm", file=sys.stderr)\n    sys.exit(1)\n'
    assert bool(lint_file(tmp_path / ".claude" / "hooks", text, "IL201", name)) == refuses


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("Denied: rm", {"IL203"}),
        ("The judge denied this.", {"IL203"}),
        ("The judge denied this, deferring to a person.", set()),
        ("Blocked by the model; falling back to the prompt", set()),
        ("Denied; leaving it to the person", set()),
    ],
)
def test_a_denial_that_is_handed_on_is_none(tmp_path: Path, words: str, codes: set[str]):
    text = f'{_GUARD}if "rm" in command:\n    print("{words}", file=sys.stderr)\nsys.exit(0)\n'
    assert codes_of(tmp_path, text) - {"IL301"} == codes


def test_a_line_of_a_bundle_is_not_searched_for_minutes(tmp_path: Path):
    """Words beside a place are looked for in short lines: in a long one, the time would grow with its square."""
    noise = "reason: = exit 1 - " * 20_000
    text = f"{_GUARD}# {noise}\nif 'rm' in command:\n    print('Blocked: rm', file=sys.stderr)\n    sys.exit(1)\n"
    assert codes_of(tmp_path, text) == {"IL201"}
