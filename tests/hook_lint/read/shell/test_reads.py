"""Which fields of the event a shell program reads, in the styles that people write."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.shell.reading import compared, fields, patterns, program

_USED = '[[ "$C" == *rm* ]] && exit 2\nexit 0\n'
_COMMAND = {
    "cat, echo and jq": "INPUT=$(cat)\nC=$(echo \"$INPUT\" | jq -r '.tool_input.command // empty')",
    "jq on its own": "C=$(jq -r .tool_input.command)",
    "a here-string": 'input="$(cat)"\nC=$(jq -r \'.tool_input.command\' <<< "$input")',
    "printf": "I=$(cat -)\nC=$(printf '%s' \"$I\" | jq -r '.tool_input.command' 2>/dev/null || true)",
    "a failure that is ignored": 'C=$(jq -r ".tool_input.command" 2>/dev/null || echo "")',
    "backticks": "I=`cat`\nC=`echo $I | jq -r .tool_input.command`",
    "read": "read -r INPUT\nC=$(echo $INPUT | jq -r '.tool_input.command')",
    "a file that is the input": "INPUT=$(</dev/stdin)\nC=$(jq -r '.tool_input.command' <<<\"$INPUT\")",
    "a time-out": "INPUT=$(timeout 5 cat)\nC=$(jq -r '.tool_input.command' <<<\"$INPUT\")",
    "lines that are joined": (
        'while IFS= read -r line; do INPUT+="$line"; done\nC=$(jq -r \'.tool_input.command\' <<<"$INPUT")'
    ),
    "one field after another": (
        "I=$(cat); TI=$(echo \"$I\" | jq -c '.tool_input'); C=$(echo \"$TI\" | jq -r '.command')"
    ),
    "a pipe of jq": "C=$(jq -r '.tool_input | .command')",
    "a name in jq": "C=$(jq -r '.tool_input as $i | $i.command')",
    "brackets": "C=$(jq -r '.[\"tool_input\"][\"command\"]?')",
    "getpath": "C=$(jq -r 'getpath([\"tool_input\", \"command\"])')",
    "a function": 'get() { echo "$INPUT" | jq -r "$1 // empty"; }\nINPUT=$(cat)\nC=$(get .tool_input.command)',
    "a function around jq": 'J() { jq -r "$@"; }\nC=$(cat | J .tool_input.command)',
    "a default": 'C=$(jq -r .tool_input.command)\nC="${C:-}"',
    "variables that eval sets": "eval \"$(jq -r '@sh \"T=\\(.tool_name) C=\\(.tool_input.command // \"\")\"')\"",
    "fields that are parted by tabs": (
        "IFS=$'\\t' read -r T C < <(jq -r '[.tool_name, .tool_input.command] | @tsv')"
    ),
    "fields that are parted by something else": (
        "IFS=$'\\x1f' read -r T C <<< \"$(jq -r '[.tool_name, .tool_input.command] | join(\"\\u001f\")')\""
    ),
    "lines of an array": "mapfile -t A < <(jq -r '.tool_name, .tool_input.command')\nC=${A[1]}",
    "lines, one after another": "{ read -r T; read -r C; } < <(jq -r '.tool_name, .tool_input.command')",
    "python": (
        'C=$(python3 -c "import json,sys; print(json.load(sys.stdin)[\'tool_input\'][\'command\'])")'
    ),
    "python, carefully": (
        "INPUT=$(cat)\nC=$(echo \"$INPUT\" | python3 -c '\nimport json, sys\n"
        "print(json.load(sys.stdin).get(\"tool_input\", {}).get(\"command\", \"\"))\n' 2>/dev/null)"
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", _COMMAND.values(), ids=_COMMAND.keys())
def test_the_command_is_read_and_followed_to_where_it_is_searched(text):
    found = program(f"{text}\n{_USED}")
    assert "tool_input.command" in fields(found)
    assert found.reads_event
    assert patterns(found) == [("tool_input.command", "contains", "rm")]
    assert found.unread == ""
    assert not found.names


def test_what_is_read_where_something_else_is_missing_is_read_beside_it():
    found = program("""
        INPUT=$(cat)
        FILE=$(echo "$INPUT" | jq -r '.tool_input.file_path // .tool_input.path // empty')
        TOOL=$(echo "$INPUT" | jq -r '.tool_name')
        [ -z "$TOOL" ] && TOOL=$(echo "$INPUT" | jq -r '.toolName')
        """)
    assert {".".join(read.path): {".".join(one) for one in read.beside} for read in found.reads} == {
        "tool_input.file_path": {"tool_input.path"},
        "tool_input.path": {"tool_input.file_path"},
        "tool_name": {"toolName"},
        "toolName": {"tool_name"},
    }


def test_a_read_is_at_its_place():
    text = "#!/bin/bash\nC=$(jq -r '.tool_input.command')\n"
    [read] = program("C=$(jq -r '.tool_input.command')\n").reads
    assert (read.span.line, read.span.column) == (2, 12)
    assert text[read.span.start : read.span.end] == ".tool_input.command"


@pytest.mark.parametrize(
    "text",
    [
        "X=$(jq -r .command config.json)",
        "X=$(curl -s https://example.com | jq -r .tool_name)",
        'X=$(echo \'{"tool_name": "x"}\' | jq -r .tool_name)',
        "X=$(git log --format=%H | jq -R .)",
        "X=$(jq -r .tool_name < settings.json)",
        'python3 -c "import json; print(json.load(open(1))[0])" < other.json',
    ],
)
def test_what_is_not_of_the_event_is_no_read(text):
    assert program(text).reads == ()


def test_a_value_that_is_changed_is_not_taken_for_the_value():
    found = program("""
        INPUT=$(cat)
        FILE=$(jq -r .tool_input.file_path <<< "$INPUT")
        BASE=$(basename "$FILE")
        REL="${FILE#"$PWD"/}"
        [[ "$BASE" == .env* ]] && exit 2
        case "$REL" in src/*) exit 2 ;; esac
        for PART in $(echo "$FILE" | tr '/' '\\n'); do [[ "$PART" == node_modules ]] && exit 2; done
        """)
    assert [use.change for use in found.patterns] == []
    assert found.comparisons == ()
    assert {one.paths for one in found.endings} == {(("tool_input", "file_path"),)}


def test_a_changed_case_is_noted():
    found = program("""
        C=$(jq -r .tool_input.command | tr '[:upper:]' '[:lower:]')
        D=$(jq -r .tool_input.content)
        for p in "DROP TABLE" "Truncate"; do
          low=$(echo "$p" | tr 'A-Z' 'a-z')
          echo "$C" | grep -q "$low" && exit 2
        done
        [[ "${D,,}" == *secret* ]] && exit 2
        """)
    assert [(use.path[-1], use.text, use.change) for use in found.patterns] == [
        ("command", "drop table", "lower"),
        ("command", "truncate", "lower"),
        ("content", "secret", "lower"),
    ]


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('C=$(grep -o \'"command":"[^"]*"\' | cut -d\'"\' -f4)', "tool_input.command"),
        ('C=$(cat | sed -n \'s/.*"command":"\\([^"]*\\)".*/\\1/p\')', "tool_input.command"),
        ('I=$(cat); C=$(echo "$I" | grep -oP \'"tool_name"\\s*:\\s*"\\K[^"]+\' | head -1)', "tool_name"),
        ("I=$(cat); C=$(echo \"$I\" | awk -F'\"command\":\"' '{print $2}' | cut -d'\"' -f1)", "tool_input.command"),
        ('I=$(cat); [[ $I =~ \\"command\\":\\"([^\\"]*)\\" ]] && C=${BASH_REMATCH[1]}', "tool_input.command"),
    ],
)
def test_what_is_cut_out_of_the_text_of_the_json_is_a_read_by_text(text, field):
    [read] = {one.path: one for one in program(f'{text}\n[ "$C" = x ] && exit 2').reads}.values()
    assert ".".join(read.path) == field
    assert read.by_text


def test_a_field_that_is_looked_for_in_the_text_is_a_read_by_text():
    found = program('in=$(cat)\ncase "$in" in *\'"stop_hook_active":true\'*) exit 0 ;; esac\nexit 2\n')
    assert [(read.path, read.by_text) for read in found.reads] == [(("stop_hook_active",), '*"stop_hook_active":true*')]


def test_python_that_reads_several_fields_is_followed_to_none_of_them():
    found = program("""
        OUT=$(python3 -c "
        import json, sys
        d = json.load(sys.stdin)
        print(d['tool_name'], d['tool_input']['command'])
        ")
        [[ "$OUT" == Bash* ]] && exit 2
        """)
    assert fields(found) == {"tool_name", "tool_input.command"}
    assert found.patterns == ()
    assert compared(found) == {}
