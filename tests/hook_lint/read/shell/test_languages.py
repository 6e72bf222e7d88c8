"""Python inside a shell program."""

from __future__ import annotations

import pytest

from tests.hook_lint.read.shell.reading import fields, patterns, program, said


def test_a_program_that_decides_by_itself_ends_the_hook():
    found = program("""
        exec python3 -c '
        import json, sys
        d = json.load(sys.stdin)
        if "rm -rf" in d["tool_input"]["command"]:
            print("no rm", file=sys.stderr)
            sys.exit(2)
        '
        """)
    assert fields(found) == {"tool_input.command"}
    assert patterns(found) == [("tool_input.command", "contains", "rm -rf")]
    assert {(one.code, tuple(said(one))) for one in found.endings if one.how != "raise"} == {
        (2, ("stderr: no rm",)),
        (0, ()),
    }


def test_places_in_it_are_places_of_the_file():
    text = "#!/bin/bash\npython3 -c '\nimport json, sys\nprint(json.load(sys.stdin)[\"tool_name\"])\n'\n"
    [read] = program(text.partition("\n")[2]).reads
    assert read.span.line == 4
    assert '"tool_name"' in text[read.span.start : read.span.end]


def test_its_exit_code_is_looked_at():
    found = program("""
        if ! python3 -c '
        import json, sys
        if "rm" in json.load(sys.stdin)["tool_input"]["command"]: sys.exit(1)
        '; then echo "no" >&2; exit 2; fi
        exit 0
        """)
    assert {one.code for one in found.endings} == {0, 2}
    [refusal] = [one for one in found.endings if one.code == 2 and one.paths]
    assert said(refusal) == ["stderr: no"]


def test_words_that_it_prints_are_known_on_the_ways_that_follow():
    found = program("""
        INPUT=$(cat)
        VERDICT=$(echo "$INPUT" | python3 -c '
        import json, sys
        print("BLOCK" if "rm" in json.load(sys.stdin)["tool_input"]["command"] else "OK")
        ')
        if [ "$VERDICT" = "BLOCK" ]; then exit 2; fi
        if [ "$VERDICT" = "NEVER" ]; then exit 3; fi
        exit 0
        """)
    assert {one.code for one in found.endings} <= {0, 2, 3}
    assert {2, 0} <= {one.code for one in found.endings}
    assert ("tool_input", "command") in {path for one in found.endings for path in one.paths}


def test_a_value_of_the_event_that_is_read_further_inside():
    found = program("""
        TI=$(jq -c .tool_input)
        C=$(echo "$TI" | python3 -c 'import json, sys; print(json.load(sys.stdin).get("command", ""))')
        [[ "$C" == *rm* ]] && exit 2
        """)
    assert fields(found) == {"tool_input.command"}
    assert patterns(found) == [("tool_input.command", "contains", "rm")]


@pytest.mark.parametrize(
    "text",
    [
        "python3 <<'EOF'\nimport json, sys\nprint(json.load(sys.stdin)['tool_name'])\nEOF",  # it reads itself
        "echo '{}' | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"tool_name\"])'",
        'python3 -c \'import json; print(json.load(open("x"))["tool_name"])\'',
    ],
)
def test_what_it_does_not_read_from_the_event_is_no_read(text):
    assert program(text).reads == ()


def test_a_variable_that_the_shell_gives_it_is_none_that_a_client_would_set():
    found = program("""
        export INPUT=$(cat)
        TOOL=x python3 -c 'import os; print(os.environ["INPUT"], os.environ["TOOL"], os.environ["CLAUDE_TOOL_NAME"])'
        """)
    assert [one.name for one in found.names] == ["CLAUDE_TOOL_NAME"]


@pytest.mark.parametrize(
    "text",
    ["python3 -c 'def ('", "python3 -c \"import json; x = '$(cat)'\"", "python3 guard.py", "python3 -m guard"],
)
def test_one_that_is_not_known_leaves_its_answer_open(text):
    [ending] = program(text).endings
    assert said(ending) == ["stdout: …"]


@pytest.mark.parametrize(
    "text",
    [
        "C=$(python3 -c \"import json, sys; print(json.loads(sys.argv[1])['tool_input']['command'])\" \"$I\")",
        "C=$(X=\"$I\" python3 -c \"import json, os; print(json.loads(os.environ['X'])['tool_input']['command'])\")",
        "export I; C=$(python3 - <<'EOF'\nimport json, os\n"
        "print(json.loads(os.environ.get('I', '{}')).get('tool_input', {}).get('command', ''))\nEOF\n)",
        "C=$(echo \"$I\" | node -pe 'JSON.parse(require(\"fs\").readFileSync(0, \"utf8\")).tool_input.command')",
        "C=$(node -e 'console.log(JSON.parse(process.argv[1]).tool_input.command)' \"$I\")",
        "C=$(echo \"$I\" | node -e 'let d = \"\"; process.stdin.on(\"data\", c => d += c).on(\"end\", () => "
        "console.log(JSON.parse(d).tool_input.command))')",
    ],
)  # fmt: skip
def test_the_event_may_be_given_in_other_ways(text):
    found = program(f'I=$(cat)\n{text}\n[[ "$C" == *rm* ]] && exit 2\n')
    assert fields(found) == {"tool_input.command"}
    assert patterns(found) == [("tool_input.command", "contains", "rm")]
    assert found.names == ()


def test_what_is_no_event_is_not_taken_for_it():
    found = program("""
        C=$(python3 -c "import json, sys; print(json.loads(sys.argv[1])['tool_name'])" '{"tool_name": "x"}')
        D=$(CONFIG=$(cat config.json) node -e 'console.log(JSON.parse(process.env.CONFIG).tool_name)')
        """)
    assert found.reads == ()
