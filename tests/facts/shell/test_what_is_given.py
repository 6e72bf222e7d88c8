"""What a shell is given to run, by whatever way: documents, descriptors, traps, aliases, and its own options."""

import pytest

from interlock.facts.shell import read_shell
from tests.facts.shell.reading import argvs, found


@pytest.mark.parametrize(
    ("delimiter", "end"),
    [
        ("$'E'", "E"),
        ("$'\\x45'", "E"),
        ('$"E"', "E"),
        ("E\\\nF", "EF"),
        ('"E\\"F"', 'E"F'),
        ("'E'\"F\"", "EF"),
        ("\\E", "E"),
        ("$x", "$x"),
        ('"a\\b"', "a\\b"),
    ],
)
def test_a_document_ends_where_bash_ends_it(delimiter, end):
    assert argvs(f"cat <<{delimiter}\nls a\n{end}\nls b") == [["cat"], ["ls", "b"]]


@pytest.mark.parametrize("delimiter", ["$(E)", "`E`", "${E}", '"$(E)"'])
def test_a_delimiter_on_which_shells_may_not_agree_is_opaque(delimiter):
    assert "a here-document whose end is not known" in read_shell(f"cat <<{delimiter}\nls\n").reasons


@pytest.mark.parametrize(
    "line",
    [
        "echo ls | bash -",
        "echo ls | sh -x -",
        "bash +x -c ls",
        "bash -c +x ls",
        "bash +o errexit -c ls",
        ". /dev/stdin <<< ls",
        "bash /proc/self/fd/0 <<< ls",
        "bash /dev//stdin <<< ls",
        "exec 5<<< ls; bash <&5",
        "exec 5<<< ls; bash /dev/fd/5",
        "exec 5<<< ls; exec 6<&5; bash <&6",
        "exec <<< ls; bash",
        "{ exec <<< ls; bash; } <<< date",
        "{ bash <&5; } 5<<< ls",
        "bash <<< ls 5<<< date",
        "jobs -x ls",
        "compgen -W '$(ls)' a",
        "printf '%s\\n' date ls | xargs -n1 sh -c",
        "alias l=ls; l; alias l=date; l",
        "alias s='sudo ' m=ls; s m",
        "x=date; trap '$x' EXIT; x=ls",
        "x=ls; echo $((1/0)); x=date\n$x",
        "entr -s ls",
    ],
)
def test_what_a_shell_is_given_is_found_or_opaque(line):
    shell = read_shell(line, {}, positional=())
    assert shell.opaque or "ls" in found(line, positional=())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("coproc bash; echo ls >&${COPROC[1]}", "runs what is piped into it"),
        ("exec 5< a; exec 5<<< ls; bash <&5", "runs what is piped into it"),
        ("bash <&3", "runs what is piped into it"),
        ("trap x=1 DEBUG; ls $x", "a trap that changes what follows"),
        ("alias [[=ls\n[[ a ]]", "a keyword is given another meaning"),
        ("set -k; ls a=1", "words with `=` are no arguments any more"),
        ("set -o posix; ls", "the shell goes by other rules from here on"),
        ("POSIXLY_CORRECT=1; ls", "the shell goes by other rules from here on"),
        ("sh -c '((ls))'", "a text that sh may read otherwise than bash"),
        ("sh -c '[[ a || ls ]]'", "a text that sh may read otherwise than bash"),
        ("sh -c 'x=a; x+=b; $x'", "a text that sh may read otherwise than bash"),
        ("sh -c 'x=a set -- b; $x'", "a text that sh may read otherwise than bash"),
        ("sh -c 'echo \"a\\nls\"' | sh", "runs what is piped into it"),
    ],
)
def test_what_only_the_run_tells_is_opaque(line, reason):
    assert reason in read_shell(line, {}, positional=()).reasons


@pytest.mark.parametrize(
    "line",
    [
        "bash -c 'x=a; x+=b; ls $x'",
        "bash -c '((1)) && ls'",
        "sh -c 'ls $((1+2))'",
        "sh -c '[ -f a ] && ls'",
        "sh -c 'A=1 exec node a.js'",
        "sh -c \"grep 'a$' b\"",
        "sh -c 'echo \"a\\nb\"'",
        "POSIXLY_CORRECT=1 df a",
        "trap 'ls a' EXIT; cd b",
        "trap 'ls a' INT TERM; cd b",
        "trap 'n=1' INT; cd b",
        "exec 3>&1; ls >&3; exec 3>&-",
        "exec > out.log 2>&1; ls",
        "while read -r l; do ls; done <&0",
        "ls 2>&1 >&2",
        "alias l='ls -l'; l a",
        "set -euo pipefail; shopt -s nullglob; ls",
        "echo $((a / 2)); ls",
        "cat <<'E'\n$(x)\nE\nls",
        "jobs -l",
        "psql -f a.sql",
    ],
)
def test_usual_lines_are_not_opaque(line):
    assert read_shell(line, {}, positional=()).reasons == ()


def test_the_rest_of_a_line_may_be_left_out_but_the_next_line_is_as_it_is_written():
    assert argvs("x=a; echo $((1/2)); x=b\nls $x")[-1] == ["ls", "b"]
    assert argvs("x=a; echo $((1/0)); x=b\nls $x")[-1] == ["ls", "\0"]
    assert argvs("x=a; echo $((1/0))\nx=b\nls $x")[-1] == ["ls", "b"]


def test_what_is_sent_to_another_descriptor_is_not_printed():
    assert argvs("ls $(echo a >&2)")[-1] == ["ls", "\0"]
    assert argvs("ls $(echo a 2>&1)")[-1] == ["ls", "a"]


def test_many_failing_expansions_cost_no_more_than_their_number():
    line = "".join(f"a{n}=1; " for n in range(300)) + "echo $((1/0)); " * 600
    assert len(read_shell(line).commands) == 600
