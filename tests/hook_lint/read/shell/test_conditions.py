"""What a shell program compares and searches, and which of it holds on which way."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.shell.reading import compared, ends, patterns, program

_START = 'TOOL=$(jq -r .tool_name <<< "$I"); C=$(jq -r .tool_input.command <<< "$I")\n'


def after(text):
    return program(f"I=$(cat)\n{_START}{text}")


@pytest.mark.parametrize(
    "text",
    [
        '[ "$TOOL" = "Bash" ] && exit 2',
        '[ "$TOOL" == Bash ] && exit 2',
        "test Bash = $TOOL && exit 2",
        "[[ $TOOL == Bash ]] && exit 2",
        '[[ Bash = "$TOOL" ]] || exit 0',
        '[[ "$TOOL" != "Bash" ]] && exit 0',
        'if [ ! "$TOOL" = Bash ]; then exit 0; fi',
        'case "$TOOL" in Bash) exit 2 ;; esac',
        "case $TOOL in (Bash) exit 2;; (*) exit 0;; esac",
        'jq -e \'.tool_name == "Bash"\' <<< "$I" && exit 2',
        'T=$(echo "$I" | jq -r \'select(.tool_name == "Bash") | .tool_input.command\'); [ -n "$T" ] && exit 2',
    ],
)
def test_the_name_of_the_tool_is_compared(text):
    assert compared(after(text)) == {"tool_name": ("Bash",)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('case "$TOOL" in Write|Edit) exit 2 ;; esac', ("Write", "Edit")),
        ('[[ "$TOOL" == "Write" || "$TOOL" == "Edit" ]] && exit 2', ("Write", "Edit")),
        ('[ "$TOOL" = Write -o "$TOOL" = Edit ] && exit 2', ("Write", "Edit")),
        ('for t in Write Edit; do [ "$TOOL" = "$t" ] && exit 2; done', ("Write", "Edit")),
        ('jq -e \'.tool_name | IN("Write", "Edit")\' <<< "$I" >/dev/null && exit 2', ("Write", "Edit")),
        ('jq -e \'["Write", "Edit"] | index($t)\' --arg t "$TOOL" <<< "$I" && exit 2', ("Write", "Edit")),
    ],
)
def test_several_names_are_compared(text, values):
    assert compared(after(text)) == {"tool_name": values}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[ \"$C\" =~ ^git\\ push ]] && exit 2", ("regex", "^git push")),
        ('[[ $C =~ ^(rm|git)[[:space:]]+-f ]] && exit 2', ("regex", "^(rm|git)[[:space:]]+-f")),
        ("re='rm +-rf'; [[ $C =~ $re ]] && exit 2", ("regex", "rm +-rf")),
        ('[[ "$C" =~ a|b ]] && exit 2', ("regex", "a|b")),
        ('[[ $C =~ "a.b" ]] && exit 2', ("regex", r"a\.b")),
        ('[[ "$C" == *"rm -rf"* ]] && exit 2', ("contains", "rm -rf")),
        ('[[ "$C" == git\\ push* ]] && exit 2', ("starts", "git push")),
        ('[[ "$C" == *.env ]] && exit 2', ("glob", "*.env")),
        ('case "$C" in *"rm -rf"*) exit 2 ;; esac', ("contains", "rm -rf")),
        ("case $C in sudo*) exit 2 ;; esac", ("starts", "sudo")),
        ("echo \"$C\" | grep -qE '(^|;)rm' && exit 2", ("regex", "(^|;)rm")),
        ("grep -q 'rm -rf' <<< \"$C\" && exit 2", ("regex", "rm -rf")),
        ("if ! printf '%s\\n' \"$C\" | grep -Eq -- '--force'; then exit 0; fi; exit 2", ("regex", "--force")),
        ("echo \"$C\" | grep -qF 'a.b' && exit 2", ("contains", "a.b")),
        ("echo $C | grep -x 'ls' > /dev/null && exit 2", ("whole", "ls")),
        ("echo $C | egrep -i 'rm' && exit 2", ("regex", "rm")),
        ("echo $C | grep 'a\\|b(c)' && exit 2", ("regex", r"a|b\(c\)")),
        ("echo $C | rg -q 'rm' && exit 2", ("regex", "rm")),
        ("X=$(echo \"$C\" | grep -o 'rm.*'); [ -n \"$X\" ] && exit 2", ("regex", "rm.*")),
        ("N=$(echo \"$C\" | grep -c rm); [ \"$N\" -gt 0 ] && exit 2", ("regex", "rm")),
        ("jq -e '.tool_input.command | test(\"^rm\")' <<< \"$I\" && exit 2", ("regex", "^rm")),
        ("jq -e '.tool_input.command | startswith(\"rm\")' <<< \"$I\" && exit 2", ("starts", "rm")),
        ("jq -e '.tool_input.command | contains(\"rm\")' <<< \"$I\" && exit 2", ("contains", "rm")),
    ],
)  # fmt: skip
def test_the_command_is_searched(text, expected):
    assert patterns(after(text)) == [("tool_input.command", *expected)]


def test_grep_looks_at_each_line_and_the_shell_at_the_whole():
    found = after('echo "$C" | grep -q "^rm" && exit 2; [[ $C =~ ^rm ]] && exit 2')
    assert [use.is_by_line for use in found.patterns] == [True, False]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('echo "$C" | grep -q "--force" && exit 2', True),
        ('echo "$C" | grep -qE "-rf /" && exit 2', True),
        ('P="--no-verify"; echo "$C" | grep -qF "$P" && exit 2', True),
        ('echo "$C" | grep -q -- "--force" && exit 2', False),
        ('echo "$C" | grep -qe "--force" && exit 2', False),
        ('echo "$C" | grep -q "\\-\\-force" && exit 2', False),
        ("[[ $C =~ --force ]] && exit 2", False),
        ('echo "$C" | grep --quiet --extended-regexp "force" && exit 2', False),
    ],
)
def test_a_pattern_that_grep_takes_for_an_option(text, taken):
    [use] = after(text).patterns
    assert use.option_like is taken


def test_the_patterns_of_a_list_are_one_use_each():
    found = after("""
        PATTERNS=(
          'rm -rf'   # a comment
          "--force"
        )
        for p in "${PATTERNS[@]}"; do
          if echo "$C" | grep -qE "$p"; then echo "no: $p" >&2; exit 2; fi
        done
        """)
    assert [(use.text, use.option_like) for use in found.patterns] == [("rm -rf", False), ("--force", True)]
    assert [one.code for one in found.endings] == [2, 0]


def test_a_list_with_names_is_gone_through_by_its_names():
    found = after("""
        declare -A why=(["rm -rf"]="deletes" ["mkfs"]="formats")
        for p in "${!why[@]}"; do [[ "$C" == *"$p"* ]] && { echo "${why[$p]}" >&2; exit 2; }; done
        """)
    assert patterns(found) == [
        ("tool_input.command", "contains", "rm -rf"),
        ("tool_input.command", "contains", "mkfs"),
    ]


def test_the_parts_of_a_split_command_are_not_the_command():
    found = after("""
        IFS=';' read -ra PARTS <<< "$C"
        for part in "${PARTS[@]}"; do [[ "$part" =~ ^rm ]] && exit 2; done
        echo "$C" | sed 's/&&/\\n/g' | while read -r one; do [[ $one =~ ^git ]] && exit 2; done
        """)
    assert found.patterns == ()


def test_conditions_are_given_as_they_are_written():
    found = after("""
        if [[ "$TOOL" != "Bash" ]]; then exit 0; fi
        if ! echo "$C" | grep -q rm; then exit 0; fi
        [ -f .allow ] || exit 2
        """)
    tool, rm = '[[ "$TOOL" != "Bash" ]]', 'echo "$C" | grep -q rm'
    assert ends(found) == [
        (0, (tool,), []),
        (0, (f"! {tool}", f"! {rm}"), []),
        (2, (f"! {tool}", rm, "! [ -f .allow ]"), []),
        (0, (f"! {tool}", rm, "[ -f .allow ]"), []),
    ]


def test_an_ending_knows_what_was_found_on_the_way():
    found = after("""
        [[ "$C" =~ ^ls ]] && exit 0
        if [[ "$C" == *rm* ]]; then exit 2; fi
        """)
    by_code = {(one.code, one.how): one for one in found.endings}
    ls, rm = (use.span for use in found.patterns)
    assert by_code[0, "exit"].found == (ls,)
    assert by_code[2, "exit"].found == (rm,)
    assert by_code[0, "end"].found == ()


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ('if [ "$TOOL" = Bash ]; then exit 2; fi', ("Bash",)),
        ("case $TOOL in Write|Edit) exit 2;; esac", ("Write", "Edit")),
        ("[[ $TOOL =~ ^(Write|Edit)$ ]] && exit 2", ("Write", "Edit")),
        ('[ "$TOOL" != Bash ] && exit 2', ()),
        ('[[ "$C" == *rm* ]] && exit 2', ()),
    ],
)
def test_an_ending_knows_for_which_tools_it_is(text, tools):
    [refusal] = [one for one in after(f"{text}\nexit 0\n").endings if one.code == 2]
    assert refusal.tools == tools


def test_what_cannot_be_is_no_way():
    found = after("""
        if [ "$TOOL" = Bash ]; then X=1; fi
        if [ "$TOOL" = Write ] && [ "$X" = 1 ]; then exit 2; fi
        [ "$X" = 1 ] && [ "$TOOL" = Read ] && exit 3
        FOUND=false
        [ "$FOUND" = true ] && exit 4
        exit 0
        """)
    assert {one.code for one in found.endings} == {0}


def test_the_ways_look_at_what_decides_them():
    found = program("""
        I=$(cat)
        C=$(jq -r .tool_input.command <<< "$I")
        BAD=0
        for p in rm mkfs; do [[ $C == *$p* ]] && BAD=1; done
        if (( BAD > 0 )); then exit 2; fi
        [ -f .lock ] && exit 3
        exit 0
        """)
    assert {one.code: one.paths for one in found.endings} == {
        2: (("tool_input", "command"),),
        3: (),  # it is not because of the call
        0: (),
    }


def test_several_ways_to_one_refusal_are_all_found_on_it():
    found = after("""
        BAD=0
        if [[ "$C" =~ ^git ]]; then BAD=1
        elif [[ "$C" =~ ^npm ]]; then BAD=1
        fi
        if (( BAD == 0 )); then exit 0; fi
        exit 2
        """)
    by_code = {one.code: one for one in found.endings}
    assert by_code[2].found == tuple(use.span for use in found.patterns)
    assert by_code[2].paths == (("tool_input", "command"),)
    assert by_code[0].found == ()


def test_what_is_found_on_one_of_two_ways_to_the_same_place_is_not_found_there():
    found = after('[[ "$C" == *sudo* ]] && echo note >> log.txt\n[[ "$C" == *rm* ]] && exit 2\nexit 0\n')
    sudo, rm = (use.span for use in found.patterns)
    assert {(one.code, one.found) for one in found.endings} == {(2, (sudo, rm)), (2, (rm,)), (0, (sudo,)), (0, ())}
    plain = after('if [[ "$C" == *sudo* ]]; then :; fi\n[[ "$C" == *rm* ]] && exit 2\nexit 0\n')
    _, rm = (use.span for use in plain.patterns)
    assert {(one.code, one.found) for one in plain.endings} == {(2, (rm,)), (0, ())}
