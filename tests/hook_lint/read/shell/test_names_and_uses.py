"""Variables, arguments and programs that a shell program needs."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.shell.reading import program


def names(text):
    return {(one.kind, one.name, one.has_default, one.decides) for one in program(text).names}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[[ "$CLAUDE_TOOL_INPUT" == *rm* ]] && exit 2', ("environment", "CLAUDE_TOOL_INPUT", False, True)),
        ('C=$(echo "$CLAUDE_TOOL_INPUT" | jq -r .command); [[ $C == *rm* ]] && exit 2',
         ("environment", "CLAUDE_TOOL_INPUT", False, True)),
        ('echo "$TOOL_NAME" >> log.txt', ("environment", "TOOL_NAME", False, False)),
        ('cd "$CLAUDE_PROJECT_DIR" || exit 0', ("environment", "CLAUDE_PROJECT_DIR", False, False)),
        ('M="${MODE:-strict}"; [ "$M" = strict ] && exit 2', ("environment", "MODE", True, True)),
        ('[ -n "${SKIP:-}" ] && exit 0', ("environment", "SKIP", True, True)),
        ('[[ "$1" == *rm* ]] && exit 2', ("argument", "1", False, True)),
        ('echo "$@" >> log.txt', ("argument", "@", False, False)),
        ('jq -n --arg x "$X" \'{a: $x}\'', ("environment", "X", False, True)),
        ('case "$CLAUDE_TOOL_NAME" in Bash) exit 2 ;; esac', ("environment", "CLAUDE_TOOL_NAME", False, True)),
        ("[ \"$TOOL\" ] || exit 0", ("environment", "TOOL", False, True)),
    ],
)  # fmt: skip
def test_a_name_that_the_program_does_not_set(text, expected):
    assert names(text) == {expected}


@pytest.mark.parametrize(
    "text",
    [
        "X=1; echo $X",
        "if [ -f x ]; then X=1; fi; echo $X",
        "read -r X; echo $X",
        "for X in a b; do echo $X; done",
        "f() { local X=$1; echo $X; }; f a",
        "declare -r X=1; echo $X",
        "mapfile -t X < x; echo ${X[0]}",
        "printf -v X %s a; echo $X",
        "echo $HOME $PATH $PWD $? $$ $# $RANDOM",
        "((X++)); echo $X",
        "X+=a; echo $X",
        "source ./lib.sh; echo $X",
        'eval "$(compute)"; echo $X',
        "echo ${BASH_SOURCE[0]}",
        "echo '$X'",
        "cat <<'EOF'\n$X\nEOF",
    ],
)
def test_a_name_that_is_set_by_the_program_or_the_shell_is_none(text):
    assert {one for one in names(text) if one[0] == "environment"} == set()


def uses(text):
    return [(one.name, one.is_checked, one.decides) for one in program(text).uses]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C=$(jq -r .tool_name)\n[ $C = x ] && exit 2", [("jq", False, True)]),
        ("jq -n '{}'", [("jq", False, True)]),
        ("jq -r .tool_name >> log.txt", [("jq", False, False)]),
        ("command -v jq >/dev/null || exit 2\nC=$(jq -r .tool_name)\n[ $C = x ] && exit 2", [("jq", True, True)]),
        ("if which jq >/dev/null 2>&1; then C=$(jq -r .x); [ $C = x ] && exit 2; fi", [("jq", True, True)]),
        ("type jq &>/dev/null && C=$(jq -r .x); [ \"$C\" = x ] && exit 2", [("jq", True, True)]),
        ("hash jq 2>/dev/null || exit 2; jq -n '{}'", [("jq", True, True)]),
        ("for c in jq git; do command -v $c >/dev/null || exit 2; done; jq -n '{}'", [("jq", True, True)]),
        ("npx eslint . >/dev/null || exit 2", [("npx", False, True)]),
        ("npx prettier . >/dev/null; exit 0", [("npx", False, False)]),
        ("O=$(ruff check .) ; [ -n \"$O\" ] && exit 2", [("ruff", False, True)]),
        ("cat x | grep y | sed s/a/b/ | tr a b; mkdir -p z; date", []),
        ("./run.sh", []),
        ("f() { :; }; f", []),
    ],
)  # fmt: skip
def test_the_programs_that_are_used(text, expected):
    assert uses(text) == expected


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        ('C=$(jq -r .x)\n[ -z "$C" ] && exit 2\n[ $C = y ] && exit 2\nexit 0', True),
        ("C=$(jq -r .x) || exit 2\n[ $C = y ] && exit 2\nexit 0", True),
        ("trap 'exit 2' ERR\nC=$(jq -r .x)\n[ \"$C\" = y ] && exit 2\nexit 0", True),
        ("set -e\ntrap 'exit 2' EXIT\nC=$(jq -r .x)\ntrap - EXIT\n[ \"$C\" = y ] && exit 2\nexit 0", True),
        ('if ! C=$(jq -r .x); then echo \'{"decision": "block"}\'; exit 0; fi\n[ $C = y ] && exit 2\nexit 0', True),
        ('C=$(jq -r .x)\n[ -z "$C" ] && exit 0\n[ $C = y ] && exit 2\nexit 0', False),
        ('C=$(jq -r .x)\n[ "$C" = y ] && exit 2\nexit 0', False),
        ('set -e\nC=$(jq -r .x)\n[ "$C" = y ] && exit 2\nexit 0', False),
    ],
)
def test_whether_calls_are_refused_without_a_program(text, closes):
    [use] = program(text).uses
    assert use.closes is closes
