"""Shell lines: simple ones are read as a shell would, everything else is opaque and never taken for harmless."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.shell import Command, Shell, read_shell


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ls", ["ls"]),
        ("  ls   -l\t/tmp ", ["ls", "-l", "/tmp"]),
        ("git commit -m 'a b'", ["git", "commit", "-m", "a b"]),
        ('git commit -m "it\'s"', ["git", "commit", "-m", "it's"]),
        ("echo 'say \"hi\"'", ["echo", 'say "hi"']),
        ("echo a'b'\"c\"d", ["echo", "abcd"]),
        ("echo ''", ["echo", ""]),
        ("echo '$HOME; rm -rf `x` | y > z'", ["echo", "$HOME; rm -rf `x` | y > z"]),
        ('echo "a; b | c > d"', ["echo", "a; b | c > d"]),
        ("/usr/bin/git push", ["/usr/bin/git", "push"]),
        ("echo a#b a~b a=b", ["echo", "a#b", "a~b", "a=b"]),
        ("grep -e 'a*b[c]'", ["grep", "-e", "a*b[c]"]),
        ("écho ünï", ["écho", "ünï"]),
    ],
)
def test_a_simple_line_is_one_command_and_nothing_is_hidden(line, words):
    assert read_shell(line) == Shell((Command(words[0], tuple(words[1:]), line.strip()),), opaque=False)


def test_a_program_goes_by_its_base_name():
    (command,) = read_shell("/usr/bin/git push").commands
    assert (command.program, command.name) == ("/usr/bin/git", "git")


@pytest.mark.parametrize("line", ["", " ", "\t\n"])
def test_nothing_runs_nothing(line):
    assert read_shell(line) == Shell((), opaque=False)


@pytest.mark.parametrize(
    "line",
    [
        "ls; rm x", "ls && rm x", "ls || rm x", "ls | sh", "ls & rm x", "ls\nrm x", "ls\rrm x", "(rm x)", "{ rm x; }",
        "echo $(rm x)", "echo `rm x`", "echo $HOME", 'echo "$HOME"', 'echo "`rm x`"', "echo ${x}", "ls > x", "ls < x",
        "ls 2>&1", "cat <<E\nrm x\nE", "X=1 ls", "ls *", "ls ?", "ls [ab]", "ls {a,b}", "ls ~", "ls ~/x", "ls # x",
        "! ls",
        r"l\s", r"echo a\ b", 'echo "a\\"b"', "echo 'a", 'echo "a', "''", '"" x', "<(ls) x", "echo 'a'\"'",
        "echo $'a'", 'echo $"a"', 'echo "a!b"', "echo 'a'$(rm x)'b'", "echo 'a';rm 'b'", "[[ x ]]", "a=b", "a+=b c",
    ],
)  # fmt: skip
def test_what_is_not_simple_is_opaque(line):
    assert read_shell(line).opaque


@pytest.mark.parametrize(
    "line",
    [
        "sudo rm x", "env rm x", "xargs rm", "bash -c 'rm x'", "eval 'rm x'", "/bin/sh x.sh", "timeout 5 rm x",
        "find . -delete", "python x.py", "ssh host rm", "'sudo' rm x", "\"bash\" -c 'rm x'", "source x", ". x",
    ],
)  # fmt: skip
def test_a_program_that_runs_another_is_named_and_opaque(line):
    shell = read_shell(line)
    assert (len(shell.commands), shell.opaque) == (1, True)


@pytest.mark.parametrize("line", ["sudoku x", "findutils", "echo sudo rm", "git bash", "pythonic x"])
def test_a_name_like_a_wrapper_is_none(line):
    assert not read_shell(line).opaque


def test_a_very_long_line_is_opaque():
    assert read_shell("echo " + "a" * 200_000) == Shell((), opaque=True)


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(line):
    shell = read_shell(line)
    assert shell.opaque or len(shell.commands) == bool(line.strip())


_FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(list("ab'\" \t\n;&|<>()$`\\*?[]{}~#!=-/.é\u00a0\u2028\x0b\x0c\x00\x85")),
        st.sampled_from(["git", "push", " -f ", "'a b'", '"c d"', "X=1", "sudo"]),
    ),
    max_size=16,
).map("".join)


@given(_FRAGMENTS)
def test_what_is_not_opaque_has_the_words_a_shell_would_give_it(line):
    shell = read_shell(line)
    if not shell.opaque and shell.commands:
        (command,) = shell.commands
        assert [command.program, *command.args] == shlex.split(line)


@given(_FRAGMENTS)
def test_no_operator_outside_quotes_is_ever_taken_for_a_word(line):
    shell = read_shell(line)
    if not shell.opaque and shell.commands:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        lexer.commenters = ""
        quoted = line.replace("'", "").replace('"', "") != line
        assert quoted or not any(word and set(word) <= set("();<>|&") for word in lexer)


@pytest.mark.parametrize(
    "line",
    [
        "echo \"'\" ; rm -rf / \"'\"", "echo \"'\" $(curl evil) \"'\"", "echo \"'\" | sh \"'\"",
        "echo a\"'\"b;rm x;\"'\"",
        "git -c alias.x=!rm x", "busybox rm x", "python3.12 x.py", "=rm x", "flock f rm x",
    ],
)  # fmt: skip
def test_a_line_that_hides_another_command_is_opaque(line):
    assert read_shell(line).opaque
