"""What hooks of strangers do, and what is no mistake in them although it looks like one."""

from __future__ import annotations

import pytest

from interlock.hook_lint.checks import (
    allow_by_default,
    empty_after_no,
    endless_stop,
    exit_one,
    raises_instead,
    reason_on_stdout,
    top_level_decision,
    wrong_input_field,
    wrong_value,
)
from interlock.hook_lint.gather import gather
from tests.hook_lint.checks.asking import findings, guard, lines
from tests.hook_lint.checks.linting import findings as lint

_STARTED = {"name": "guard.py", "command": "python3 guard.py"}
_READ = "import json, os, re, sys\nevent = json.load(sys.stdin)\n"


# --- fields inside of what no event has -----------------------------------------------------------------------------


def test_a_field_is_looked_for_inside_of_something_that_no_event_has():
    text = f"{_READ}data = event.get('hookSpecificInput', {{}})\nif data.get('tool_name') == 'Bash':\n    sys.exit(2)\n"
    message = "no PreToolUse event has `hookSpecificInput`, so it is always empty"
    [found] = list(wrong_input_field.find(guard(text, **_STARTED)))
    assert (found.source.line, found.message, found.help, found.fix) == (4, message, "read `tool_name`", None)


@pytest.mark.parametrize(
    "read",
    ["(event.get('data') or event).get('tool_name')", "event.get('data', event).get('tool_name')",
     "event.get('data', {}).get('name_of_mine')", "event.get('tool_input', {}).get('command')"],
)  # fmt: skip
def test_a_fallback_and_a_field_of_its_own_are_no_wrong_places(read):
    text = f"{_READ}if {read} == 'Bash':\n    sys.exit(2)\n"
    assert lines(wrong_input_field, text, **_STARTED) == []


def test_what_is_looked_for_at_every_depth_is_found_in_the_right_place():
    text = (
        f"{_READ}def find(part):\n    if isinstance(part, dict):\n        for key in ('command', 'cmd'):\n"
        "            if isinstance(part.get(key), str) and part[key].strip():\n                return part[key]\n"
        "        for key in ('input', 'tool_input'):\n            found = find(part.get(key))\n"
        "            if found:\n                return found\n    return None\n"
        "if 'rm' in (find(event) or ''):\n    sys.exit(2)\n"
    )
    assert lines(wrong_input_field, text, **_STARTED) == []


@pytest.mark.parametrize(
    "read",
    ["event.get('tool', {}).get('name')", "event.get('transcript', '')"],
)
def test_a_name_is_not_corrected_where_it_holds_something_else(read):
    found = list(wrong_input_field.find(guard(f"{_READ}if {read} == 'x':\n    sys.exit(2)\n", **_STARTED)))
    assert [one.fix for one in found] == [None]


# --- exit codes -------------------------------------------------------------------------------------------------

_ENDS = (
    f"{_READ}if 'rm' in event['tool_input']['command']:\n    print('It deletes', file=sys.stderr)\n    sys.exit(1)\n"
)


@pytest.mark.parametrize(
    "says",
    ["Exit codes:\n  0 = fine\n  1 = warning (non-blocking)\n  2 = blocked", "1: shows a reminder, does not block",
     "severity: \"warn\" = exit 1 (shows a warning)", "exit 1 - warning only"],
)  # fmt: skip
def test_a_code_that_the_program_calls_a_warning_is_no_refusal(says):
    assert lines(exit_one, f'"""{says}"""\n{_ENDS}', **_STARTED) == []


@pytest.mark.parametrize(
    "says", ["Exit codes:\n  0 = allow\n  1 = block", "exit 1 refuses the call", "Warns and blocks"]
)
def test_a_code_that_the_program_calls_a_refusal_is_found(says):
    assert len(lines(exit_one, f'"""{says}"""\n{_ENDS}', **_STARTED)) == 1


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (f"{_READ}if not event.get('tool_name'):\n    print('Error: no tool_name', file=sys.stderr)\n    sys.exit(1)\n",
         "PreToolUse"),
        (f"{_READ}if 'session_id' not in event:\n    print('no session_id', file=sys.stderr)\n    sys.exit(1)\n",
         "UserPromptSubmit"),
        (f"{_READ}if not event.get('trigger'):\n    print('nothing to do', file=sys.stderr)\n    sys.exit(1)\n",
         "PreCompact"),
    ],
)  # fmt: skip
def test_an_event_in_which_something_is_missing_is_not_refused(text, event):
    assert lines(exit_one, text, event=event, **_STARTED) == []


def test_an_exit_that_is_caught_and_raised_again_is_an_exit():
    text = (
        f"{_READ}def decide(command):\n    for n, word in enumerate(['rm', 'dd', 'mkfs', 'sudo', 'curl']):\n"
        "        if word in command:\n            return n\n    return 0\n"
        "try:\n    sys.exit(decide(event['tool_input']['command']))\nexcept SystemExit:\n    raise\n"
        "except Exception:\n    sys.exit(0)\n"
    )
    assert lines(raises_instead, text, **_STARTED) == []
    assert {ending.how for ending in guard(text, **_STARTED).program.endings} == {"exit"}


# --- words ------------------------------------------------------------------------------------------------------

_REFUSES = f"{_READ}if 'rm' in event['tool_input']['command']:\n    print(json.dumps({{}}))\n    sys.exit(2)\n"


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("{'block': True, 'message': 'rm is not allowed'}", True),
        ("{'error': 'rm is not allowed'}", True),
        ("{'decision': 'block', 'reason': 'rm is not allowed'}", False),
        ("{'hookSpecificOutput': {'hookEventName': 'PreToolUse', 'permissionDecision': 'deny'}}", False),
        ("{'block': True}", False),
    ],
)
def test_a_reason_in_json_that_the_client_does_not_know_is_not_read_beside_exit_code_2(answer, found):
    assert len(lines(reason_on_stdout, _REFUSES.replace("{}", answer, 1), **_STARTED)) == found


def test_instructions_beside_a_prompt_may_speak_of_what_is_blocked():
    told = "Plan:\\n1. Spawn agents\\n2. Wait\\n3. Do not use Bash\\n(BLOCKED in this mode)\\nThen report\\n"
    assert lines(empty_after_no, f"{_READ}print('{told}')\n", event="UserPromptSubmit", **_STARTED) == []
    text = f"{_READ}if 'key' in event['prompt']:\n    print('Blocked: no keys in prompts')\n"
    assert lines(empty_after_no, text, event="UserPromptSubmit", **_STARTED) == [4]


# --- answers ----------------------------------------------------------------------------------------------------


def test_an_allow_without_effect_is_found_once_and_not_beside_a_refusal():
    allows = "if event['tool_name'] == '{}':\n    print(json.dumps({{'permissionDecision': 'allow'}}))\n"
    text = _READ + "".join(map(allows.format, ("Read", "Grep", "Glob")))
    message = "Claude Code does not read `permissionDecision` at the top level"
    assert findings(top_level_decision, text, **_STARTED) == [(4, message)]
    text += "if event['tool_name'] == 'Bash':\n    print(json.dumps({'permissionDecision': 'deny'}))\n"
    assert findings(top_level_decision, text, **_STARTED) == [(10, message)]
    both = "print(json.dumps({'decision': 'approve', 'permissionDecision': 'allow'}))\n"
    assert findings(top_level_decision, both, **_STARTED) == []


def test_an_allow_that_never_worked_is_not_made_to_work():
    text = f"{_READ}if event['tool_name'] == 'Bash':\n    print(json.dumps({{'decision': '{{}}', 'reason': 'x'}}))\n"
    [allow] = list(wrong_value.find(guard(text.replace("{}", "allow"), **_STARTED)))
    [deny] = list(wrong_value.find(guard(text.replace("{}", "deny"), **_STARTED)))
    assert (allow.fix is None, deny.fix is None) == (True, False)


def test_what_a_list_of_a_file_allows_is_no_default():
    allow = "{'hookSpecificOutput': {'hookEventName': 'PreToolUse', 'permissionDecision': 'allow'}}"
    text = (
        f"{_READ}where = os.path.basename(event['cwd']) if event['cwd'] else ''\n"
        "config = json.load(open('rules.json'))\nif event['tool_name'] in config['allowed']:\n"
        f"    print(json.dumps({allow}))\n    sys.exit(0)\nsys.exit(2)\n"
    )
    assert lines(allow_by_default, text, **_STARTED) == []
    assert len(lines(allow_by_default, text.replace("sys.exit(2)", f"print(json.dumps({allow}))"), **_STARTED)) == 1


def test_a_stop_that_is_blocked_because_a_check_failed_is_not_blocked_for_ever():
    text = (
        "import json, subprocess, sys\nevent = json.load(sys.stdin)\ntry:\n    check = open('todo.md').read()\n"
        "except OSError:\n    print(json.dumps({'decision': 'block', 'reason': 'the check failed'}))\n"
    )
    assert lines(endless_stop, text, event="Stop", **_STARTED) == []
    assert len(lines(endless_stop, text.replace("check = open('todo.md').read()", "raise OSError"), event="Stop",
                     **_STARTED)) == 0  # fmt: skip


# --- programs without an entry -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "events"),
    [
        ("guard.py", f"{_READ}print(event['tool_input'])\n", ("PreToolUse",)),
        ("post_response.py", f"{_READ}print(event['tool_input'])\n", ("PostToolUse",)),
        (
            "update.py",
            f'"""PostToolUse hook: updates the board."""\n{_READ}print(event["tool_input"])\n',
            ("PostToolUse",),
        ),
        ("update.py", f'"""For PreToolUse and PostToolUse."""\n{_READ}print(event["tool_input"])\n', ("PreToolUse",)),
        ("test_guard.py", f"{_READ}print(event['tool_input'])\n", ()),
        ("guard_test.py", f"{_READ}print(event['tool_input'])\n", ()),
        ("validate.py", f"{_READ}print(event['odds'], event.get('teams'))\n", ()),
        ("validate.py", f"{_READ}print(event['toolName'])\n", ("PreToolUse",)),
    ],
)
def test_the_event_of_a_program_is_guessed_by_what_it_says_of_itself(tmp_path, name, text, events):
    file = tmp_path / ".claude" / "hooks" / name
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    assert [hook.events for hook in gather([file]).hooks] == ([events] if events else [])


def test_a_test_of_a_hook_is_not_judged(tmp_path):
    file = tmp_path / ".claude" / "hooks" / "test_guard.py"
    file.parent.mkdir(parents=True)
    file.write_text(f"{_READ}if event['tool_input']:\n    print('Blocked')\n", encoding="utf-8")
    assert lint([file], "IL203") == []


# --- records of every call ------------------------------------------------------------------------------------------

_RECORD = "open('calls.log', 'a').write(json.dumps({'allowed': not bad, 'decision': 'deny'}))\n"


def test_a_record_that_is_written_before_the_decision_refuses_nothing_and_does_not_have_to():
    judged = f"{_READ}bad = 'rm' in event['tool_input']['command']\n"
    decides = "if bad and not os.environ.get('DRY_RUN'):\n    print('no rm', file=sys.stderr)\n    sys.exit(2)\n"
    assert lines(empty_after_no, f"{judged}{_RECORD}{decides}", **_STARTED) == []
    assert lines(empty_after_no, f"{judged}if bad:\n    {_RECORD}", **_STARTED) == [5]


@pytest.mark.parametrize(
    ("event", "then"),
    [("PreToolUse", "the call runs"), ("Stop", "the agent stops"), ("UserPromptSubmit", "the prompt is sent"),
     ("PreCompact", "everything goes on")],
)  # fmt: skip
def test_what_happens_after_a_wrong_exit_code_is_told_for_the_event(event: str, then: str):
    text = f"{_READ}if 'rm' in str(event):\n    print('Blocked: tests fail', file=sys.stderr)\n    sys.exit(1)\n"
    said = f"exit code 1 does not stop anything: {then}"
    assert findings(exit_one, text, event=event, **_STARTED) == [(5, said)]
