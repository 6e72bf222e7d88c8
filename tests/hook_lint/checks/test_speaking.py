"""IL101, IL201, IL207, IL301, IL403 and IL702: what is said, asked or started where it has no effect."""

from __future__ import annotations

import json

import pytest

from interlock.hook_lint.checks import exit_one, unheard_advice, warned_and_allowed, wrong_input_field, wrong_value
from tests.hook_lint.checks.asking import findings, lines
from tests.hook_lint.checks.linting import findings as lint

_STARTED = {"name": "guard.py", "command": "python3 guard.py"}
_READ = "import json, re, sys\nevent = json.load(sys.stdin)\n"


# --- a Stop hook that ends with 1 --------------------------------------------------------------------------------

_STOP = "import os, sys\nif os.path.exists('todo.md'):\n    print({!r}, file=sys.stderr)\n    sys.exit(1)\n"


@pytest.mark.parametrize(
    "words",
    ["Cannot end the session!", "There are incomplete items", "2 tests failed", "Commit before you stop",
     "The work is not finished"],
)  # fmt: skip
def test_an_agent_that_is_to_go_on_is_not_held_back_by_exit_code_1(words):
    message = "exit code 1 does not stop anything: the agent stops"
    assert findings(exit_one, _STOP.format(words), event="Stop", **_STARTED) == [(4, message)]


@pytest.mark.parametrize("words", ["Cannot read the settings", "Saving failed", "todo.md exists", "Session saved"])
def test_an_error_at_the_end_of_a_session_is_no_refusal(words):
    assert lines(exit_one, _STOP.format(words), event="Stop", **_STARTED) == []


def test_what_failed_by_itself_holds_nobody_back():
    text = "import sys\ntry:\n    open('x')\nexcept OSError:\n    print('The log is incomplete')\n    sys.exit(1)\n"
    assert lines(exit_one, text, event="Stop", **_STARTED) == []
    assert lines(exit_one, _STOP.format("Cannot end the session!"), event="SessionEnd", **_STARTED) == []


# --- advice and warnings -----------------------------------------------------------------------------------------

_WARNING = f"{_READ}if re.search('reset --hard', event['tool_input']['command']):\n    print({{!r}}, file=sys.stderr)\n"


@pytest.mark.parametrize("words", ["⚠️ this is destructive", "WARNING: this is destructive", "AVISO: é destrutivo"])
def test_a_warning_about_a_call_that_runs_is_read_by_nobody(words):
    assert lines(unheard_advice, _WARNING.format(words), **_STARTED) == [4]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (_WARNING.format("reset seen"), "PreToolUse"),
        (_WARNING.format("Warning: the list of rules was not found"), "PreToolUse"),
        (_WARNING.format("WARNING: this is destructive"), "PostToolUse"),
        (f"{_WARNING.format('WARNING: this is destructive')}    sys.exit(2)\n", "PreToolUse"),
        (f"{_READ}print('⚠️ beta version', file=sys.stderr)\n", "PreToolUse"),
    ],
)
def test_a_log_or_a_refusal_is_no_warning(text, event):
    assert lines(unheard_advice, text, event=event, **_STARTED) == []


def test_an_advice_of_several_lines_is_found_once():
    text = f"{_READ}print('Please run the tests')\nprint('Consider the linter, too')\n"
    assert lines(unheard_advice, text, event="PostToolUse", **_STARTED) == [3]


def test_a_context_that_is_printed_after_a_compaction_is_lost():
    text = "print('Standing rules: use pnpm, never edit src, commit with a prefix')\n"
    assert lines(unheard_advice, text, event="PostCompact", **_STARTED) == [1]
    assert lines(unheard_advice, text, event="SessionStart", **_STARTED) == []
    assert lines(unheard_advice, "print('Compaction logged')\n", event="PostCompact", **_STARTED) == []


# --- a reminder beside an allow ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("Reminder: run the tests", True), ("Commit checklist: tests, types", True), ("Warning: it deletes", True),
        ("a command that only reads", False), ("no danger", False),
    ],
)  # fmt: skip
def test_a_reminder_in_the_reason_of_an_allow_is_never_read(reason, found):
    answer = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "permissionDecisionReason": reason}
    text = f"import json\nprint(json.dumps({ {'hookSpecificOutput': answer} }))\n"
    assert lines(warned_and_allowed, text, **_STARTED) == [2] * found


# --- a verdict in a variable, on many ways -----------------------------------------------------------------------


def test_a_verdict_is_known_although_many_ways_lead_to_it():
    cases = "".join(f"elif tool == 'T{n}':\n    verdict = 'allow'\n    seen.append('{n}')\n" for n in range(12))
    text = (
        f"{_READ}verdict, seen, tool = None, [], event['tool_name']\n"
        f"if tool == 'Bash':\n    verdict = 'deny'\n{cases}"
        "out = {}\nif verdict:\n    out['decision'] = verdict\nprint(json.dumps(out))\n"
    )
    said = {message.split(",")[0] for _, message in findings(wrong_value, text, **_STARTED)}
    assert said == {"`decision` is `deny`", "`decision` is `allow`"}


# --- fields of other events --------------------------------------------------------------------------------------

_JUDGES = (
    "import json, sys\nevent = json.load(sys.stdin)\nif event.get('tool_input', {}).get('command'):\n    print(1)\n"
)


def test_the_input_of_a_tool_is_not_in_the_event_of_a_stop():
    message = "no Stop event has `tool_input`, so it is always empty"
    assert findings(wrong_input_field, _JUDGES, event="Stop", **_STARTED) == [(3, message)]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (_JUDGES, "PostToolUse"),
        (_JUDGES.replace("if ", "log = [event.get('hook_event_name')]\nif "), "Stop"),
        ("import json, sys\nevent = json.load(sys.stdin)\nprint(event.get('tool_input'))\n", "Stop"),
        (
            _JUDGES.replace("event.get('tool_input', {})", "(event.get('tool_input') or event.get('task') or {})"),
            "Stop",
        ),
    ],
)
def test_a_field_is_right_that_the_event_has_or_that_decides_nothing(text, event):
    assert lines(wrong_input_field, text, event=event, **_STARTED) == []


def test_a_field_of_a_stop_is_only_looked_for_under_an_entry():
    assert lines(wrong_input_field, _JUDGES, event="Stop", name="guard.py") == []


# --- names that a table gives ------------------------------------------------------------------------------------


def test_a_name_that_a_table_of_the_hook_gives_is_no_name_of_a_tool(tmp_path):
    text = (
        f"{_READ}names = {{'Bash': 'run_shell', 'Write': 'write_file'}}\nname = event['tool_name']\n"
        "if names.get(name, name) == 'write_file' or name == 'read_file':\n"
        "    print('Blocked', file=sys.stderr)\n    sys.exit(2)\n"
    )
    file = tmp_path / ".claude" / "hooks" / "guard.py"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    said = "Claude Code has no tool called `read_file`, so this is never true"
    assert lint([file], "IL104") == [(5, said)]


# --- paths of one machine ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("python D:/shop/.claude/hooks/guard.py", True),
        ('py "c:\\work\\shop\\guard.py"', True),
        ("C:/Users/ann/shop/guard.exe", True),
        ("python3 /Users/ann/shop/guard.py", True),
        ('"C:/Program Files/Git/bin/bash.exe" guard.sh', False),
        ("C:\\Windows\\System32\\cmd.exe /c guard", False),
        ("python3 $CLAUDE_PROJECT_DIR/guard.py", False),
        ("curl http://localhost:80/guard", False),
    ],
)
def test_a_path_of_one_machine_is_found_on_every_drive(tmp_path, command, found):
    hooks = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]}
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    assert len(lint([settings], "IL403")) == found
