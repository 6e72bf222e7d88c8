"""The JSON that a shell program prints, however it is made."""

from __future__ import annotations

import pytest

from interlock.hook_lint.program import ANY_KEY, UNKNOWN
from tests.hook_lint.read.shell.reading import program

_C = """
C=$(jq -r .tool_input.command <<< "$I"); T=$(jq -r .tool_name <<< "$I"); F=$(jq -r .tool_input.file_path <<< "$I")
"""


def answer(text):
    [ending] = program(f"I=$(cat)\n{_C}{text}\nexit 0\n").endings
    [one] = ending.said
    assert one.stream == "stdout"
    return one


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("echo '{\"decision\": \"block\"}'", {"decision": "block"}),
        ('echo "{\\"decision\\": \\"block\\"}"', {"decision": "block"}),
        ("printf '{\"decision\":\"%s\"}' block", {"decision": "block"}),
        ("cat <<EOF\n{\"decision\": \"block\"}\nEOF", {"decision": "block"}),
        ("cat <<'EOF'\n{\"a\": [1, true, null]}\nEOF", {"a": [1, True, None]}),
        ("echo '{'; echo '  \"decision\": \"block\"'; echo '}'", {"decision": "block"}),
        ("D=block; echo \"{\\\"decision\\\": \\\"$D\\\"}\"", {"decision": "block"}),
        ("jq -n '{decision: \"block\", reason: \"no\"}'", {"decision": "block", "reason": "no"}),
        ("jq -cn --arg r \"no $C\" '{decision: \"block\", reason: $r}'", {"decision": "block", "reason": "no …"}),
        ("jq -n --arg r \"$C\" '{reason: $r}'", {"reason": UNKNOWN}),
        ("jq -n --arg d deny '{hookSpecificOutput: {permissionDecision: $d}}'",
         {"hookSpecificOutput": {"permissionDecision": "deny"}}),
        ("jq -n --argjson n 3 '{n: $n, m: ($n + 1)}'", {"n": 3, "m": UNKNOWN}),
        ("jq -n --arg r x '{$r, \"k\": \"a \\($r)\"}'", {"r": "x", "k": "a x"}),
        ("jq -n '{a: 1} + {b: 2}'", {"a": 1, "b": 2}),
        ("jq -n '{} | .decision = \"block\"'", {"decision": "block"}),
        ("echo \"$I\" | jq '{updatedInput: (.tool_input + {command: \"ls\"})}'",
         {"updatedInput": {ANY_KEY: UNKNOWN, "command": "ls"}}),
        ("echo \"$I\" | jq '{updatedInput: {command: .tool_input.command}}'", {"updatedInput": {"command": UNKNOWN}}),
        ("R=$(jq -n '{decision: \"block\"}'); echo \"$R\"", {"decision": "block"}),
        ("R=$(echo \"$C\" | jq -Rs .); echo \"{\\\"reason\\\": $R}\"", {"reason": UNKNOWN}),
        ("python3 -c 'import json; print(json.dumps({\"decision\": \"block\"}))'", {"decision": "block"}),
        ("python3 - <<'EOF'\nimport json\nprint(json.dumps({\"a\": 1}))\nEOF", {"a": 1}),
    ],
)  # fmt: skip
def test_the_document_is_known(text, value):
    said = answer(text)
    assert said.value == value
    assert not said.by_parts


@pytest.mark.parametrize(
    ("text", "value", "by_parts"),
    [
        ("echo \"{\\\"reason\\\": \\\"no $C\\\"}\"", {"reason": "no …"}, True),
        ("printf '{\"reason\":\"%s\"}' \"$C\"", {"reason": UNKNOWN}, True),
        ("cat <<EOF\n{\"reason\": \"in $F\"}\nEOF", {"reason": "in …"}, True),
        ("O=$(npx eslint . 2>&1); echo \"{\\\"reason\\\": \\\"$O\\\"}\"", {"reason": UNKNOWN}, True),
        # What cannot break it:
        ("echo \"{\\\"reason\\\": \\\"the tool $T\\\"}\"", {"reason": "the tool …"}, False),
        ("echo \"{\\\"n\\\": $(date +%s), \\\"d\\\": \\\"$(date)\\\"}\"", {"n": UNKNOWN, "d": UNKNOWN}, False),
        ("echo \"{\\\"n\\\": ${#C}, \\\"code\\\": $?}\"", {"n": UNKNOWN, "code": UNKNOWN}, False),
        ("B=$(git rev-parse --abbrev-ref HEAD); echo \"{\\\"reason\\\": \\\"on $B\\\"}\"", {"reason": "on …"}, False),
        ("E=$(echo \"$C\" | sed 's/\"/\\\\\"/g'); echo \"{\\\"reason\\\": \\\"$E\\\"}\"", {"reason": UNKNOWN}, False),
        ("E=${C//\\\"/\\\\\\\"}; echo \"{\\\"reason\\\": \\\"$E\\\"}\"", {"reason": UNKNOWN}, False),
        ("E=$(json_escape \"$C\"); echo \"{\\\"reason\\\": \\\"$E\\\"}\"", {"reason": UNKNOWN}, False),
        ("for p in a b; do :; done; echo \"{\\\"reason\\\": \\\"$p\\\"}\"", {"reason": UNKNOWN}, False),
        ("echo \"{\\\"reason\\\": $(jq -n --arg c \"$C\" '$c')}\"", {"reason": UNKNOWN}, False),
    ],
)  # fmt: skip
def test_a_document_is_put_together_from_pieces(text, value, by_parts):
    said = answer(text)
    assert (said.value, said.by_parts) == (value, by_parts)


def test_a_reason_that_callers_give_is_known_where_they_give_plain_texts():
    text = """
        C=$(jq -r .tool_input.command)
        block() { printf '{"decision":"block","reason":"%s"}\\n' "$1"; exit 0; }
        [[ $C == *sudo* ]] && block "no sudo"
        [[ $C == *rm* ]] && block "no rm: $C"
        """
    said = [one for ending in program(text).endings for one in ending.said]
    assert [(one.value["reason"], one.by_parts) for one in said] == [("no sudo", False), ("no rm: …", True)]


@pytest.mark.parametrize(
    "text",
    [
        'echo \'{"decision": "block"\'',  # cut
        'echo "{decision: block}"',
        "echo '[[ not json'",
        'echo \'note: {"decision": "block"}\'',
        'printf \'{"reason": "a\nb"}\'',
    ],
)
def test_what_is_no_json_is_a_text(text):
    found = program(f"{text}\nexit 0\n")
    assert [type(one.value).__name__ for one in found.endings[0].said] == ["UnsetType"]


def test_text_and_json_are_told_apart():
    [ending] = program("echo checking\necho '{}'\necho '{\"a\": 1}'\nexit 0\n").endings
    assert [one.text if isinstance(one.value, type(None)) or one.text else one.value for one in ending.said] == [
        "checking\n",
        "{}\n",
        '{"a": 1}\n',
    ]
    assert [one.value for one in ending.said[1:]] == [{}, {"a": 1}]


def test_a_document_whose_members_are_not_known_is_unknown():
    said = answer('X=$(compute); echo "{\\"decision\\": \\"block\\" $X}"')
    assert said.value is UNKNOWN


def test_a_decision_that_is_set_before_is_known_on_each_way():
    found = program("""
        C=$(jq -r .tool_input.command)
        DECISION=allow
        if [[ $C == *rm* ]]; then DECISION=deny; fi
        echo "{\\"hookSpecificOutput\\": {\\"permissionDecision\\": \\"$DECISION\\"}}"
        """)
    assert [one.said[0].value["hookSpecificOutput"]["permissionDecision"] for one in found.endings] == ["deny", "allow"]


def test_the_answers_of_a_program_of_jq_are_the_hooks():
    found = program(
        """jq 'if (.tool_input.command | test("rm -rf")) then {decision: "block"} elif .x then empty else {} end'""",
        first="",
    )
    assert [(one.code, [said.value for said in one.said]) for one in found.endings] == [
        (0, [{"decision": "block"}]),
        (0, []),
        (0, [{}]),
    ]
