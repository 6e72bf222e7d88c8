"""How a shell program ends, on every way, and what it has said there."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.shell.reading import codes, ends, program, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exit 2", [2]),
        ("exit", [0]),
        ("false; exit", [1]),
        ("echo x", [0]),
        ("false", [1]),
        ("[ -f x ]", [0, 1]),
        ("[ -f x ] && echo y", [0, 1]),
        ("if [ -f x ]; then exit 2; fi", [2, 0]),
        ("cat x", [0]),
        ("npm test", [None]),
        ("npm test; exit $?", [0, None]),
        ("npm test || exit 2", [2, 0]),
        ("! npm test && exit 2", [2, 1]),
        ("CODE=2; exit $CODE", [2]),
        ("CODE=0; [ -f x ] && CODE=2; exit $CODE", [2, 0]),
        ("exit $UNKNOWN", [None]),
        ("exit 258", [2]),
        ("(exit 2); exit 0", [0]),
        ("(exit 2)", [2]),
        ("echo x | while read -r l; do exit 2; done", [2]),
        ("cat x | while read -r l; do exit 2; done", [0, 2]),
        ("cat x | while read -r l; do exit 2; done; exit 0", [0]),
        ("X=$(exit 2); exit 0", [0]),
        ("X=$(exit 2)", [2]),
        ("f() { return 2; }; f", [2]),
        ("f() { exit 2; }; f; exit 0", [2]),
        ("f() { return 1; }; f || exit 2; exit 0", [2]),
        ('main() { [ -f x ] && return 0; exit 2; }; main "$@"', [2, 0]),
        ("while true; do exit 2; done", [2]),
        ("for f in a b; do [ -f $f ] && break; done; exit 0", [0]),
        ("until [ -f x ]; do exit 2; done; exit 0", [2, 0]),
        ("bash -c 'exit 2'", [2]),
        ("eval 'exit 2'", [2]),
        ("exec true; exit 2", [0]),
        ("{ exit 2; } &\nexit 0", [0]),
    ],
)
def test_the_exit_code_of_every_way(text, expected):
    assert sorted(codes(text), key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("echo out; echo err >&2; exit 0", ["stdout: out", "stderr: err"]),
        ("echo x > log.txt; exit 0", ["log: x"]),
        ("echo x >/dev/null; echo y &>/dev/null; exit 0", []),
        ("echo x 1>&2; exit 0", ["stderr: x"]),
        ("echo x >/dev/stderr; exit 0", ["stderr: x"]),
        ("{ echo a; echo b; } >&2; exit 0", ["stderr: a", "stderr: b"]),
        ("exec >&2; echo x; exit 0", ["stderr: x"]),
        ("exec 3>&1 1>&2; echo x; echo y >&3; exit 0", ["stderr: x", "stdout: y"]),
        ("say() { echo \"$1\" >&2; }; say no; exit 0", ["stderr: no"]),
        ("cat <<EOF >&2\na $HOME\nEOF\nexit 0", ["stderr: a …"]),
        ("cat >&2 <<'EOF'\na $HOME\nEOF\nexit 0", ["stderr: a $HOME"]),
        ("printf 'a %s %d\\n' \"b\" 3 >&2; exit 0", ["stderr: a b 3"]),
        ("X=$(echo a; echo b >&2); echo \"$X\"; exit 0", ["stderr: b", "stdout: a"]),
        ("X=$(echo a; echo b >&2 2>&1); exit 0", ["stderr: b"]),
        ("echo x | tee log.txt; exit 0", ["log: x", "stdout: x"]),
        ("npm test >&2; exit 0", ["stderr: …"]),
        ("echo -n x; exit 0", ["stdout: x"]),
        ("M='a'; M+=' b'; echo \"$M\"; exit 0", ["stdout: a b"]),
        ("M=(a b); M+=(c); echo \"${M[*]}\" \"${#M[@]}\"; exit 0", ["stdout: a b c …"]),
        ("echo \"${X:-none}\" \"${1:-first}\"; exit 0", ["stdout: … …"]),
        ("X=/a/b.sh; echo ${X##*/} ${X%.sh} ${X/a/c}; exit 0", ["stdout: b.sh /a/b /c/b.sh"]),
        ("mkdir -p x; cd x; touch y; exit 0", []),
    ],
)  # fmt: skip
def test_what_is_said_and_where(text, expected):
    [ending] = program(text).endings
    assert said(ending) == expected


def test_each_way_says_what_was_said_on_it():
    found = program("""
        C=$(jq -r .tool_input.command)
        deny() { echo "no: $1" >&2; exit 2; }
        warn() { echo "hm: $1"; }
        [[ $C == *sudo* ]] && warn sudo
        [[ $C == *rm* ]] && deny rm
        exit 0
        """)
    sudo, rm = "[[ $C == *sudo* ]]", "[[ $C == *rm* ]]"
    assert ends(found) == [
        (2, (sudo, rm), ["stdout: hm: sudo", "stderr: no: rm"]),
        (2, (f"! {sudo}", rm), ["stderr: no: rm"]),
        (0, (sudo, f"! {rm}"), ["stdout: hm: sudo"]),
        (0, (f"! {sudo}", f"! {rm}"), []),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=$(jq -r .tool_name) || exit 0\nexit 3", {(0, True), (3, False)}),
        ("X=$(jq -r .tool_name) || true\nexit 3", {(3, False)}),
        ('X=$(jq -r .tool_name 2>/dev/null || echo "")\nexit 3', {(3, False)}),
        ("if ! X=$(jq -r .tool_name); then exit 2; fi\nexit 3", {(2, True), (3, False)}),
        ("command -v jq >/dev/null || exit 0\nexit 3", {(0, True), (3, False)}),
        ("if ! command -v jq &>/dev/null; then exit 0; fi\nexit 3", {(0, True), (3, False)}),
        ("cd x || exit 1\nexit 3", {(1, True), (3, False)}),
        ("npm test || exit 2\nexit 3", {(2, False), (3, False)}),
        ("[ -f x ] || exit 0\nexit 3", {(0, False), (3, False)}),
    ],
)
def test_where_something_has_failed_is_an_error_and_a_bad_result_is_none(text, expected):
    assert {(one.code, one.on_error) for one in program(text).endings} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set -e\nX=$(jq -r .tool_name)\nexit 3", {(None, "command", True), (3, "exit", False)}),
        ("set -euo pipefail\nX=$(grep foo bar | head -1)\nexit 3", {(1, "command", True), (3, "exit", False)}),
        ("set -e\n[[ -f x ]] && exit 0\nexit 3", {(0, "exit", False), (3, "exit", False)}),
        ("set -e\nif grep -q foo bar; then exit 0; fi\nexit 3", {(0, "exit", False), (3, "exit", False)}),
        ("set -e\nfalse || true\nexit 3", {(3, "exit", False)}),
        ("set -e\nfalse\nexit 3", {(1, "command", True)}),
        ("set -e\nset +e\nfalse\nexit 3", {(3, "exit", False)}),
        ("false\nexit 3", {(3, "exit", False)}),
    ],
)
def test_a_failure_ends_the_program_where_it_is_told_so(text, expected):
    assert {(one.code, one.how, one.on_error) for one in program(text).endings} == expected


def test_traps_speak_where_they_are_set():
    found = program("""
        cleanup() { rm -f "$TMP"; }
        trap cleanup EXIT
        trap 'echo "{}"; exit 0' ERR
        X=$(jq -r .tool_name)
        exit 2
        """)
    assert ends(found) == [(0, ("! jq -r .tool_name",), [{}]), (2, (), [])]
    assert [one.on_error for one in found.endings] == [True, False]


def test_a_trap_at_the_end_may_change_it():
    assert codes("trap 'exit 2' EXIT\nexit 0\n") == [2]
    assert codes("trap 'exit 2' EXIT\ntrap - EXIT\nexit 0\n") == [0]
    assert codes("trap 'echo bye >&2' EXIT\nexit 3\n") == [3]


_GUARD = """
I=$(cat)
TOOL=$(jq -r .tool_name <<< "$I"); C=$(jq -r .tool_input.command <<< "$I")
{}
"""


@pytest.mark.parametrize(
    ("text", "defaults"),
    [
        ("[[ $C == *rm* ]] && exit 2\nexit 3", {3}),
        ("[[ $TOOL != Bash ]] && exit 4\n[[ $C == *rm* ]] && exit 2\nexit 3", {4, 3}),
        ("if [[ $C == *rm* ]]; then exit 2; else exit 3; fi", {3}),
        ('case "$C" in *rm*) exit 2;; *) exit 3;; esac', {3}),
        ('case "$TOOL" in Read) exit 2;; *) exit 3;; esac', {3}),
        ("if [ $TOOL = Bash ]; then [[ $C == *rm* ]] && exit 2; exit 3; fi\nexit 4", {3, 4}),
        ("[ -z \"$C\" ] && exit 4\n[[ $C == *rm* ]] && exit 2\nexit 3", {4, 3}),
        ("[[ $C != *rm* ]] && exit 3\nexit 2", {3}),
        ("BAD=0\n[[ $C == *rm* ]] && BAD=1\n[ $BAD = 1 ] && exit 2\nexit 3", {3}),
        ("exit 3", {3}),
        # No: these look for what they allow, or at something else.
        ("[ $TOOL != Read ] && exit 4\nexit 3", {4}),
        ("[ $TOOL = Read ] && exit 3\nexit 4", {4}),
        ("[[ $C =~ ^ls ]] && exit 3\nexit 4", {4}),
        ("npm test && exit 3\nexit 4", set()),
        ("command -v jq || exit 3\n[[ $C == *rm* ]] && exit 2\nexit 4", {4}),
        ("[ -f .allow ] && exit 3\nexit 4", {4}),
    ],
)  # fmt: skip
def test_the_way_of_a_call_to_which_nothing_applies(text, defaults):
    assert {one.code for one in program(_GUARD.format(text)).endings if one.is_default} == defaults


def test_an_ending_is_at_its_place():
    found = program("[ -f x ] && exit 2\nnpm test\n")
    assert [(one.span.line, one.span.column) for one in found.endings] == [(2, 13), (3, 1)]


def test_many_ways_are_put_together_and_none_of_their_ends_is_lost():
    lines = "\n".join(f'[[ $C == *w{n}* ]] && echo "warning {n}"' for n in range(14))
    found = program(f"C=$(jq -r .tool_input.command)\n{lines}\n[[ $C == *rm* ]] && exit 2\nexit 0\n")
    assert {one.code for one in found.endings} == {0, 2}
    assert len(found.patterns) == 15
    assert found.unread == ""
