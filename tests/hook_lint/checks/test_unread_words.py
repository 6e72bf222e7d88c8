"""IL204, IL302 and IL303: reasons and advice in places that nobody reads."""

from __future__ import annotations

import pytest

from interlock.hook_lint.checks import custom_answer, message_for_the_model, reason_on_stdout
from tests.hook_lint.checks.asking import findings, lines

_COMMAND = "C=$(jq -r .tool_input.command)\n"
_PYTHON = "import json, sys\nevent = json.load(sys.stdin)\nif 'rm -rf' in event['tool_input']['command']:\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{_COMMAND}if [[ $C == *'rm -rf'* ]]; then\n  echo 'Blocked: rm -rf'\n  exit 2\nfi\n",
        f"{_COMMAND}[[ $C == *sudo* ]] && {{ printf 'no sudo here: %s' \"$C\"; exit 2; }}\n",
        f'{_COMMAND}refuse() {{ echo "not allowed: $1"; exit 2; }}\n[[ $C == *sudo* ]] && refuse "$C"\n',
    ],
)
def test_a_reason_on_stdout_is_found_in_shell(text):
    assert len(lines(reason_on_stdout, text)) == 1


def test_a_reason_on_stdout_is_found_in_python_and_javascript():
    text = f"{_PYTHON}    print('Blocked: rm -rf')\n    sys.exit(2)\n"
    message = "with exit code 2, the model reads only stderr, so it never sees this"
    assert findings(reason_on_stdout, text, name="guard.py") == [(4, message)]
    text = (
        "const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
        "if (event.tool_input.command.includes('rm -rf')) {\n  console.log('Blocked: rm -rf');\n  process.exit(2);\n}\n"
    )
    assert findings(reason_on_stdout, text, name="guard.js") == [(3, message)]


@pytest.mark.parametrize(
    "text",
    [
        f"{_COMMAND}[[ $C == *sudo* ]] && {{ echo 'no sudo here' >&2; exit 2; }}\n",
        f"{_COMMAND}[[ $C == *sudo* ]] && {{ echo 'checking it'; echo 'no sudo here' >&2; exit 2; }}\n",
        f"exec 1>&2\n{_COMMAND}[[ $C == *sudo* ]] && {{ echo 'no sudo here'; exit 2; }}\n",
        f'{_COMMAND}[[ $C == *sudo* ]] && {{ echo \'{{"decision": "block", "reason": "no sudo"}}\'; exit 2; }}\n',
        f'{_COMMAND}[[ $C == *sudo* ]] && {{ jq -n \'{{decision: "block", reason: "no sudo"}}\'; exit 2; }}\n',
        f"{_COMMAND}[[ $C == *sudo* ]] && exit 2\n",
        f"{_COMMAND}[[ $C == *sudo* ]] && {{ echo 'no sudo here'; exit 1; }}\n",
        "echo 'Running the tests'\nnpm test || exit 2\n",
    ],
)
def test_a_reason_that_the_model_can_read_is_right(text):
    assert lines(reason_on_stdout, text) == []


@pytest.mark.parametrize(("event", "count"), [("PostToolUse", 1), ("Stop", 1), ("UserPromptSubmit", 0), ("Setup", 0)])
def test_it_depends_on_the_event_whether_the_model_reads_stderr(event, count):
    text = f"{_COMMAND}[[ $C == *sudo* ]] && {{ echo 'Blocked: sudo'; exit 2; }}\n"
    assert len(lines(reason_on_stdout, text, event=event)) == count


REFUSED = "the model is not told why: only the person sees `systemMessage`"


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        ('{"decision": "block", "systemMessage": "rm is not allowed"}', "PreToolUse"),
        ('{"decision": "block", "systemMessage": "The tests fail"}', "Stop"),
        ('{"decision": "block", "reason": "", "systemMessage": "It is not formatted"}', "PostToolUse"),
        ('{"systemMessage": "rm is not allowed", "hookSpecificOutput": {"hookEventName": "PreToolUse", '
         '"permissionDecision": "deny"}}', "PreToolUse"),
    ],
)  # fmt: skip
def test_a_refusal_that_only_the_person_can_read_is_found(answer, event):
    assert findings(message_for_the_model, f"echo '{answer}'\n", event=event) == [(1, REFUSED)]
    text = f"import json\nprint(json.dumps({answer}))\n"
    assert findings(message_for_the_model, text, event=event, name="guard.py") == [(2, REFUSED)]
    text = f"console.log(JSON.stringify({answer}));\n"
    assert findings(message_for_the_model, text, event=event, name="guard.js") == [(1, REFUSED)]


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        ('{"decision": "block", "reason": "rm is not allowed", "systemMessage": "refused"}', "PreToolUse"),
        ('{"decision": "block"}', "PreToolUse"),
        ('{"decision": "approve", "systemMessage": "checked"}', "PreToolUse"),
        ('{"decision": "block", "systemMessage": "No secrets in prompts"}', "UserPromptSubmit"),
        ('{"systemMessage": "refused", "hookSpecificOutput": {"hookEventName": "PreToolUse", '
         '"permissionDecision": "deny", "permissionDecisionReason": "rm is not allowed"}}', "PreToolUse"),
        ('{"systemMessage": "refused", "reason": "no rm", "hookSpecificOutput": {"hookEventName": "PreToolUse", '
         '"permissionDecision": "deny"}}', "PreToolUse"),
        ('{"systemMessage": "sure?", "hookSpecificOutput": {"hookEventName": "PreToolUse", '
         '"permissionDecision": "ask"}}', "PreToolUse"),
    ],
)  # fmt: skip
def test_a_refusal_with_a_reason_or_for_the_person_is_right(answer, event):
    assert lines(message_for_the_model, f"echo '{answer}'\n", event=event) == []


@pytest.mark.parametrize(
    ("answer", "event", "key"),
    [
        ('{"decision": "approve", "message": "formatted"}', "PreToolUse", "message"),
        ('{"decision": "block", "message": "the tests fail"}', "Stop", "message"),
        ('{"continue": true, "feedback": "3 warnings"}', "PostToolUse", "feedback"),
        ('{"suppressOutput": true, "suggestions": ["use rg"]}', "PostToolUse", "suggestions"),
    ],
)
def test_words_in_keys_that_the_client_leaves_out_are_found(answer, event, key):
    assert findings(custom_answer, f"echo '{answer}'\n", event=event) == [
        (1, f"Claude Code ignores `{key}`, so nobody reads it")
    ]


@pytest.mark.parametrize(
    "answer",
    [
        '{"decision": "approve", "reason": "harmless", "message": "formatted"}',
        '{"continue": true, "systemMessage": "formatted", "message": "formatted"}',
        '{"continue": false, "stopReason": "enough", "message": "enough"}',
        '{"continue": true, "message": ""}',
        '{"continue": true, "checked": 3}',
        '{"decision": "warn", "message": "careful"}',
    ],
)
def test_words_that_are_read_elsewhere_too_are_right(answer):
    assert lines(custom_answer, f"echo '{answer}'\n", event="PostToolUse") == []


@pytest.mark.parametrize(
    ("answer", "event", "key"),
    [
        ('{"context": "Use pnpm here"}', "SessionStart", "context"),
        ('{"additionalContext": "Use pnpm here"}', "PreCompact", "additionalContext"),
        ('{"message": "Consider running the tests"}', "PostToolUse", "message"),
        ('{"hookSpecificOutput": {"hookEventName": "PostToolUse", "outputToAssistant": "Fix these errors"}}',
         "PostToolUse", "hookSpecificOutput.outputToAssistant"),
        ('{"hookSpecificOutput": {"hookEventName": "PreCompact", "additionalContext": "Keep the plan"}}',
         "PreCompact", "hookSpecificOutput.additionalContext"),
    ],
)  # fmt: skip
def test_words_for_the_model_in_keys_that_the_client_leaves_out_are_found(answer, event, key):
    said = f"Claude Code ignores `{key}`, so nobody reads it"
    text = f"import json\nprint(json.dumps({answer}))\n"
    assert findings(custom_answer, text, event=event, name="guard.py", command="python3 guard.py") == [(2, said)]


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        ('{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Fix these"}}', "PostToolUse"),
        ('{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Fix these", "note": "a b c"}}',
         "PostToolUse"),
        ('{"additionalContext": "", "hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "Go on"}}',
         "Stop"),
        ('{"hookSpecificOutput": {"hookEventName": "SessionStart", "watchPaths": ["a"]}}', "SessionStart"),
        ('{"hookSpecificOutput": {"hookEventName": "PostToolUse", "count": 3, "state": "formatted"}}', "PostToolUse"),
        ('{"systemMessage": "told", "context": "for the log"}', "SessionStart"),
        ('{"message": "Formatted three files"}', "PostToolUse"),
        ('{"status": "ok", "context": ""}', "PostToolUse"),
        ('{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny"}}}',
         "PermissionRequest"),
    ],
)  # fmt: skip
def test_words_that_the_client_reads_and_notes_for_nobody_are_right(answer, event):
    text = f"import json\nprint(json.dumps({answer}))\n"
    assert lines(custom_answer, text, event=event, name="guard.py", command="python3 guard.py") == []


def test_an_answer_of_which_only_a_part_is_known_is_not_judged():
    text = "import json, sys\nd = json.load(sys.stdin)\nd['context'] = 'Use pnpm here'\nprint(json.dumps(d))\n"
    assert lines(custom_answer, text, event="SessionStart", name="guard.py", command="python3 guard.py") == []


def test_one_line_that_gives_several_answers_is_found_once():
    text = (
        "import json, sys\nevent = json.load(sys.stdin)\ndef emit(answer):\n    print(json.dumps(answer))\n"
        "if event['tool_name'] == 'Bash':\n    emit({'hint': 'Please run the tests'})\n"
        "else:\n    emit({'message': 'Consider the linter, too'})\n"
    )
    found = lines(custom_answer, text, event="PostToolUse", name="guard.py", command="python3 guard.py")
    assert found == [4]
