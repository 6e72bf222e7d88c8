"""Far-fetched programs cost no more than others, and are not taken for what they are not."""

from __future__ import annotations

import pytest

from interlock.hook_lint.read.shell import read_shell
from interlock.hook_lint.read.shell.machine import MOST_STEPS
from interlock.hook_lint.read.shell.walk import ShellWalk
from tests.hook_lint.read.shell.reading import program


@pytest.mark.parametrize(
    "text",
    [
        "f() { f; f; }; f",
        "f() { g; }; g() { f; }; f",
        "\n".join(f"if [ -f a{n} ]; then X{n}=1; else X{n}=2; fi" for n in range(300)),
        "\n".join(f"[ -f a{n} ] && echo w{n}" for n in range(300)),
        "while " * 200 + ":" + "; do :; done" * 200,
        "if :; then " * 40 + "exit 2" + "; fi" * 40,
        "$(" * 60 + ":" + ")" * 60,
        "(" * 100 + ":" + ")" * 100,
        "eval " * 200 + "exit",
        "".join(f"f{n}() {{ f{n + 1}; }}\n" for n in range(50)) + "f0",
        "trap 'trap - EXIT; exit' EXIT\n" * 50,
        "for a in {1..200}; do for b in {1..200}; do for c in {1..200}; do echo $a$b$c; done; done; done",
        "case $x in\n" + "\n".join(f"a{n}|b{n}) X=$X{n} ;;" for n in range(400)) + "\nesac",
        "[[ " + "( " * 200 + "a" + " )" * 200 + " ]]",
        "[[ " + "a == b || " * 500 + "a ]]",
        "X=a" + "$X" * 3000,
        "\n".join(["X=x"] + ["X=$X$X"] * 60),
        "jq '" + ".a | " * 400 + ".'",
        "x=${" * 300,
        "\x00\U000f0000\U000f0001 exit 2",
        "<<A <<B <<C cat",
        "'" * 999,
    ],
)  # fmt: skip
def test_it_is_read_to_an_end(text, monkeypatch):
    steps = []
    run = ShellWalk.run

    def counted(walk, node, state):
        steps.append(1)
        return run(walk, node, state)

    monkeypatch.setattr(ShellWalk, "run", counted)
    program(text)
    assert len(steps) <= 2 * MOST_STEPS


def test_what_is_cut_off_is_said():
    text = "\n".join(f"if [ -f a{n} ]; then echo {n}; fi; [ -f b{n} ] || [ -f c{n} ]" for n in range(3000))
    assert program(text).unread


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('if [ -f x ]; then echo "y', "a quote is not closed"),
        ("if [ -f x ]; then exit 2", "`fi` is missing"),
        ("source ./missing-lib.sh\nexit 0", "it reads commands from ./missing-lib.sh"),
        ('. "$(dirname "$0")/lib/common.sh"\nexit 0', "it reads commands from …/lib/common.sh"),
    ],
)
def test_why_a_part_could_not_be_read(text, why):
    assert program(text).unread == why


@pytest.mark.parametrize("text", ["source ~/.bashrc", ". .env", "source venv/bin/activate", ". /dev/stdin"])
def test_files_of_settings_are_no_part_of_the_program(text):
    assert program(f"{text}\nexit 0").unread == ""


def test_a_file_beside_it_is_read_where_it_is_sourced(tmp_path):
    hooks = tmp_path / ".claude" / "hooks"
    (hooks / "lib").mkdir(parents=True)
    (hooks / "lib" / "common.sh").write_text('source "$(dirname "$0")/say.sh"\nread_input() { INPUT=$(cat); }\n')
    (hooks / "lib" / "say.sh").write_text('deny() { if [[ -n "$1" ]]; then echo "no: $1" >&2; fi; exit 2; }\n')
    text = """#!/bin/bash
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$HERE/lib/common.sh"
read_input
C=$(jq -r .tool_input.command <<< "$INPUT")
[[ $C == *rm* ]] && deny "rm"
exit 0
"""
    guard = hooks / "guard.sh"
    guard.write_text(text)
    [found] = read_shell(str(guard), text)
    assert found.unread == ""
    assert [(one.code, one.span.line) for one in found.endings] == [(2, 6), (0, 7)]
    assert [said.text for said in found.endings[0].said] == ["no: rm\n"]
    assert [".".join(read.path) for read in found.reads] == ["tool_input.command"]
