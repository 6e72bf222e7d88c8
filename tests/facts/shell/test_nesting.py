"""What a command runs is read too: behind wrappers, in texts and inputs that are code; the rest is told as unread."""

import pytest

from interlock.facts.shell import Code, Unread, read_shell
from tests.facts.shell.reading import found


@pytest.mark.parametrize(
    "line",
    [
        "sudo rm x", "sudo -u root rm x", "env A=1 rm x", "nohup rm x", "timeout 5 rm x", "nice -n 5 rm x",
        "command rm x",
        "exec rm x", "builtin rm x", "eval rm x", "eval 'rm x'", "eval \"rm\" 'x'", "bash -c 'rm x'",
        "sh -c 'a; rm x'",
        "sudo env A=1 nohup timeout 5 bash -c 'rm x'", "bash -c 'eval \"rm x\"'", "bash -c \"bash -c 'rm x'\"",
        "bash -c 'rm \"$1\"' _ x", "bash -c '\"$@\"' _ rm x", "bash -c '$0 x' rm", "A=x bash -c 'rm $A'",
        "export A=x; bash -c 'rm $A'", "trap 'rm x' EXIT", "bash <<< 'rm x'", "bash <<E\nrm x\nE",
        "bash -s <<'E'\nrm x\nE",
        "cat <<E | sh\nrm x\nE", "echo rm x | sh", "echo 'rm x' | sudo bash", "printf 'rm %s' x | sh",
        "echo x | xargs rm",
        "printf 'x\\n' | xargs -I{} rm {}", "(echo rm x) | sh", "{ echo rm x; } | sh",
        "echo cm0geA== | base64 -d | sh",
        "echo 726d2078 | xxd -r -p | sh", "echo 'x mr' | rev | sh", "echo 'ez k' | tr ezk rmx | sh",
        "$SUDO rm x", "r$@m x", "r$x''m x", "su -c 'rm x'", "GIT_SSH_COMMAND='rm x' git fetch",
        "env EDITOR='rm x' crontab -e",
        "sh < <(echo rm x)", "source <(echo 'rm x')", "bash <(printf 'rm %s' x)", ". <(cat <<< 'rm x')",
        "r$()m x", "r$(:)m x", "chroot / rm x", "parallel -N0 rm x ::: 1", "set -- rm x; \"$@\"",
        "read a <<< x; rm $a", "echo x | while read -r a; do rm $a; done", "printf -v a 'rm %s' x; $a",
        "rm $(basename a/x)", "printf 'a\\nx\\n' | xargs -I{} sh -c 'rm {}'", "nobody-knows-it run -- rm x",
        "find . -printf 'rm x\\n' | sh",
        "1A=2 rm x", "A-B=2 rm x", "RM=1; B.C= sudo rm x", "git -c alias.z='!rm x' z",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0='!rm x' git z",
        "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm x'; git log",
        "alias z='rm'; z x", "alias z='rm x'; z", "f() { \"$@\"; }; f rm x", "cd a; sudo rm x",
    ],
)  # fmt: skip
def test_what_is_run_by_another_command_is_found(line):
    assert "rm x" in found(line)


@pytest.mark.parametrize(
    "line",
    [
        "echo sudo rm x", "sudoku rm x", "command -v rm x", "echo rm x | cat", "echo rm x > f", "bash x.sh rm x",
        "cat <<< 'rm x'",
        "A='rm x' b", "echo 'rm x' | grep bash", "eval", "sh --version", "rm=x; rm", "trap - EXIT", "trap '' INT",
    ],
)  # fmt: skip
def test_what_is_only_passed_on_is_not(line):
    assert "rm x" not in found(line)


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        ("bash x.sh a b", [Unread("x.sh", ("a", "b"), 0, by="bash")]),
        ("source x.sh", [Unread("x.sh", (), 0, by="source")]),
        (". x.sh", [Unread("x.sh", (), 0, by=".")]),
        ("bash < x.sh", [Unread("x.sh", (), 0, by="bash")]),
        ("./x.sh a", [Unread("./x.sh", ("a",), 0)]),
        ("sudo ./x.sh", [Unread("./x.sh", (), 1)]),
        ("/tmp/x", [Unread("/tmp/x", (), 0)]),
        ("./ls", [Unread("./ls", (), 0)]),
        ("/bin/ls", []),
        ("/usr/local/bin/nobody-knows-it", []),
        ("nobody-knows-it", []),
        ("cat x.sh", []),
    ],
)
def test_a_file_that_is_run_is_told_as_unread(line, unread):
    shell = read_shell(line)
    assert (list(shell.unread), shell.opaque) == (unread, False)


@pytest.mark.parametrize(
    "line",
    [
        "python3 -c 'import os'",
        "python3 <<'E'\nimport os\nE",
        "echo 'import os' | python3",
        "sudo python3 -c 'import os'",
    ],
)
def test_code_in_another_language_is_told_with_who_runs_it(line):
    shell = read_shell(line)
    (code,) = shell.code
    assert (code.kind, code.text.strip(), shell.commands[code.command].name) == ("python", "import os", "python3")
    assert not shell.opaque


def test_a_loop_tells_its_commands_and_its_code_once():
    shell = read_shell("for i in 1 2 3; do date; python3 -c 'x'; ./run; done; ./last")
    assert [one.words for one in shell.commands] == ["date", "python3 -c x", "./run", "./last"]
    assert shell.code == (Code("python", "x", 1),)
    assert shell.unread == (Unread("./run", (), 2), Unread("./last", (), 3))


def test_a_nested_command_has_the_environment_that_its_wrapper_gives():
    *_, inner = read_shell("A=1 env B=2 C='x y' cmd").commands
    assert (inner.name, inner.env) == ("cmd", {"A": "1", "B": "2", "C": "x y"})


def test_what_a_program_does_is_passed_on():
    (command,) = read_shell("rm -rf a b").commands
    assert command.use.deletes == ("a", "b")


@pytest.mark.parametrize("line", ["RM -rf x", "Rm.exe -rf x", "/bin/RM -rf x"])
def test_a_program_in_upper_case_is_the_one_that_a_file_system_would_find(line):
    (command,) = read_shell(line).commands
    assert (command.name, command.use.deletes) == ("rm", ("x",))


def test_a_variable_set_beside_a_command_is_not_what_its_words_see():
    (command,) = read_shell("TMPDIR=/a rm $TMPDIR/x", {"TMPDIR": "/tmp"}).commands
    assert command.args == ("\0/x",)
    *_, last = read_shell("A=/b; A=/a rm $A/x").commands
    assert last.args == ("/b/x",)


def test_names_that_a_search_prints_are_handed_on_by_xargs():
    *_, last = read_shell("find src -name '*.sh' | sort | xargs -n1 bash -n").commands
    assert (last.args, last.use.reads) == (("-n", "src/\0"), ("src/\0",))


def test_a_trap_sees_the_variables_of_its_shell_and_changes_none_of_them():
    assert found("d=build; trap 'rm -r $d' EXIT") == ["trap rm -r $d EXIT", "rm -r build"]
    assert read_shell("trap 'cd /' EXIT; rm a").commands[-1].cwd == ()
