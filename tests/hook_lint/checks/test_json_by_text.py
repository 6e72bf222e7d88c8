"""IL604: JSON that is read or written as text."""

from __future__ import annotations

import pytest

from interlock.hook_lint.checks import json_by_text
from tests.hook_lint.checks.asking import findings, lines

_USE = "[[ $C == *rm* ]] && { echo no >&2; exit 2; }\nexit 0\n"


@pytest.mark.parametrize(
    "text",
    [
        'C=$(grep -o \'"command":"[^"]*"\' | cut -d\'"\' -f4)',
        'I=$(cat); C=$(echo "$I" | sed -n \'s/.*"command"[[:space:]]*:[[:space:]]*"\\([^"]*\\)".*/\\1/p\')',
        'I=$(cat); C=$(echo "$I" | grep -oE \'"command"\\s*:\\s*"[^"]+"\' | head -1 | sed \'s/.*: *"//; s/"$//\')',
        'get() { echo "$I" | grep -o "\\"$1\\":\\"[^\\"]*\\"" | cut -d\'"\' -f4; }\nI=$(cat); C=$(get command)',
    ],
)
def test_a_command_that_ends_at_its_first_quote(text):
    assert len(lines(json_by_text, f"{text}\n{_USE}")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "C=$(jq -r .tool_input.command)",
        'I=$(cat); C=$(jq -r .tool_input.command <<< "$I" || echo "$I" | grep -o \'"command":"[^"]*"\')',
        'I=$(cat)\nif command -v jq; then C=$(jq -r .tool_input.command <<< "$I")\n'
        'else C=$(echo "$I" | grep -o \'"command":"[^"]*"\'); fi',
        "C=$(cat)",  # it looks at everything
        'I=$(cat); echo "$I" | grep -q \'"tool_name":"Bash"\' || exit 0; C=$I',
        'C=$(grep -o \'"file_path":"[^"]*"\' | cut -d\'"\' -f4)',  # paths have no quotes
        'C=$(grep -o \'"tool_name":"[^"]*"\')',
        'C=$(grep -oP \'"command":"\\K(\\\\.|[^"\\\\])*\')',
        'C=$(grep -o \'"command":"[^"]*"\' package.json)',
    ],
)
def test_what_is_read_whole_is_left_alone(text):
    assert lines(json_by_text, f"{text}\n{_USE}") == []


def test_a_log_may_be_cut():
    text = 'C=$(grep -o \'"command":"[^"]*"\' | cut -d\'"\' -f4)\necho "$C" >> log.txt\nexit 0\n'
    assert lines(json_by_text, text) == []


_C = 'I=$(cat); C=$(jq -r .tool_input.command <<< "$I"); T=$(jq -r .tool_name <<< "$I")\n'
_DENY = """{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
 "permissionDecisionReason": "%s"}}""".replace('"', '\\"')


@pytest.mark.parametrize(
    "text",
    [
        f'[[ $C == *rm* ]] && echo "{_DENY % "no: $C"}"\nexit 0',
        'deny() { printf \'{"decision":"block","reason":"%s"}\' "$1"; exit 0; }\n[[ $C == *rm* ]] && deny "no: $C"',
        'cat <<EOF\n{"decision": "block", "reason": "not allowed: $C"}\nEOF',
        'O=$(npx eslint . 2>&1) || echo "{\\"decision\\": \\"block\\", \\"reason\\": \\"$O\\"}"',
    ],
)
def test_a_refusal_that_a_quote_breaks(text):
    assert len(lines(json_by_text, _C + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f'echo "{_DENY % "never"}"',
        f'echo "{_DENY % "not for $T"}"',
        f'echo "{_DENY % "after $(date +%s)"}"',
        f'echo "{_DENY % "on $(git branch --show-current)"}"',
        f'echo "{_DENY % "no: $C"}"; exit 2',  # which refuses anyhow
        "jq -n --arg r \"no: $C\" '{decision: \"block\", reason: $r}'",
        "R=$(jq -Rn --arg c \"$C\" '$c'); echo \"{\\\"decision\\\": \\\"block\\\", \\\"reason\\\": $R}\"",
        "E=$(printf '%s' \"$C\" | sed 's/\"/\\\\\"/g')\n"
        "echo \"{\\\"decision\\\": \\\"block\\\", \\\"reason\\\": \\\"$E\\\"}\"",
        "echo \"{\\\"ts\\\": \\\"$C\\\"}\" >> log.jsonl",
        "echo \"{\\\"systemMessage\\\": \\\"ran $C\\\"}\"",
        "deny() { printf '{\"decision\":\"block\",\"reason\":\"%s\"}' \"$1\"; exit 0; }\n"
        "[[ $C == *rm* ]] && deny \"no rm\"",
    ],
)  # fmt: skip
def test_an_answer_that_nothing_breaks_is_left_alone(text):
    assert lines(json_by_text, _C + text) == []


def test_what_it_says():
    text = (
        'C=$(grep -o \'"command":"[^"]*"\')\n'
        + '[[ $C == *rm* ]] && echo "{\\"decision\\": \\"block\\", \\"reason\\": \\"$C\\"}"\n'
    )
    assert findings(json_by_text, text) == [
        (1, "this stops at the first quote in `command`: the rest is not checked"),
        (2, "a quote or newline in the inserted text makes this invalid JSON, and the call runs"),
    ]
