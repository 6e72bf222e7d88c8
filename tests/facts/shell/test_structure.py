"""Commands are found wherever they stand, with where that is and what is opened for them."""

import pytest

from interlock.facts.shell import Redirect, read_shell
from tests.facts.shell.reading import argvs, found


@pytest.mark.parametrize(
    "line",
    [
        "a; b", "a\nb", "a && b", "a || b", "a | b", "a |& b", "a & b", "a;b", "a&&b", "a|b", "a&b", "a &\nb",
        "a &&\n b",
        "a |\n# note\nb", "(a); b", "(a; b)", "{ a; b; }", "{ a; } | (b)", "if a; then b; fi", "if a\nthen\nb\nfi",
        "while a; do b; done", "until a; do b; done", "f() { b; }; a; f", "function f { b; }; a; f", "a; f() (b)",
        "for i in 1; do a; b; done", "for ((i=0; i<2; i++)); do a; b; done", "for i in 1; { a; b; }", "b $(a)",
        "b `a`",
        'b "$(a)"', 'b "`a`"', "b <(a)", "a >(b)", "b ${x:-$(a)}", "b $((1 + $(a)))", "x=$(a) b", "b x[$(a)]",
        "b > $(a)",
        "case x in x) a;; *) b;; esac", "case x in (x|y) a ;& *) b; esac", "case $(a) in x) b;; esac",
        "a; [[ -n $(b) ]]", "a; [[ -e <(b) ]]",
        "a; (( x = $(b) ))", "select i in 1; do a; b; done", "! a; b", "time a; b", "a; coproc b",
        "coproc N { a; b; }",
        "x=($(a)); b", "x[$(a)]=1; b", "b <<E\n$(a)\nE", "b <<< $(a)", "a <<E; b\ntext\nE", "a <<E\ntext\nE\nb",
        "a <<'A' <<\"B\"\n1\nA\n2\nB\nb", "a <<-E\n\ttext\n\tE\nb",
        "if x=1; then a; elif b; then a; fi", "((a); b)", "a # it's\nb", "a \"$(b 'x)')\"", "a; (b) &",
        "{ a; } 2>&1; b", "2>&1 a; b", "a \\\n; b", "b\\\n && a", "if a; then b; else a; fi",
    ],
)  # fmt: skip
def test_every_command_is_found(line):
    names = {one.name for one in read_shell(line).commands if one.name}
    assert not read_shell(line).opaque, read_shell(line).reasons
    assert names == {"a", "b"}


def test_each_command_knows_its_place_in_the_line():
    line = "a x && $(b 'y z') | c >f; (d\n e)"
    shell = read_shell(line)
    assert [line[one.start : one.end] for one in shell.commands] == [one.text for one in shell.commands]
    assert {one.text for one in shell.commands} == {"a x", "b 'y z'", "$(b 'y z')", "c >f", "d", "e"}


def test_what_stands_in_a_text_that_is_run_has_the_place_of_who_runs_it():
    line = "x; bash -c 'rm y'"
    *_, inner = read_shell(line).commands
    assert (inner.text, line[inner.start : inner.end]) == ("rm y", "bash -c 'rm y'")


@pytest.mark.parametrize(
    ("line", "redirects"),
    [
        ("a > f", [("write", "f")]),
        ("a >f 2>>g", [("write", "f"), ("append", "g")]),
        ("a &> f", [("write", "f")]),
        ("a >& f", [("write", "f")]),
        ("a >| f", [("write", "f")]),
        ("a < f", [("read", "f")]),
        ("a <> f", [("both", "f")]),
        ("> f a", [("write", "f")]),
        ("a > 'b c'$x", [("write", "b c\0")]),
        ("x=/etc; a > $x/f", [("write", "/etc/f")]),
        ("a 2>&1 1>&2 <&3 3>&-", []),
        ("a <<< x", []),
        ("a <<E\nE", []),
        ("a 2 > f", [("write", "f")]),
        ("a {fd}> f", [("write", "f")]),
        ("a > >(b)", []),
    ],
)
def test_files_that_are_opened_are_told(line, redirects):
    command = next(one for one in read_shell(line).commands if one.name == "a")
    assert command.redirects == tuple(Redirect(kind, target) for kind, target in redirects)


@pytest.mark.parametrize("line", ["> f", "{ a; } > f", "(a; b) > f", "for i in 1; do a; done > f", "f() { a; }; f > f"])
def test_a_file_that_no_program_is_named_for_is_opened_by_a_command_without_one(line):
    openers = [one for one in read_shell(line).commands if one.redirects]
    assert [(one.program, one.redirects) for one in openers] == [("", (Redirect("write", "f"),))]


def test_an_assignment_alone_is_no_command():
    shell = read_shell("A=1 B='x y'; C=$A")
    assert (shell.commands, shell.opaque, shell.assigned) == ((), False, (("A", "1"), ("B", "x y"), ("C", "1")))


def test_a_command_has_the_variables_that_are_set_for_it_alone():
    shell = read_shell("A=1 B=$X cmd; next")
    assert [one.env for one in shell.commands] == [{"A": "1", "B": "\0"}, {}]
    assert shell.assigned == ()


@pytest.mark.parametrize(
    ("line", "stages"),
    [
        ("a | b | c", [("a", 0), ("b", 1), ("c", 2)]),
        ("a | (b; c) | d", [("a", 0), ("b", 1), ("c", 1), ("d", 2)]),
        ("a | { b | c; } | d", [("a", 0), ("b", 1), ("c", 2), ("d", 3)]),
        ("b <(a)", [("a", 0), ("b", 1)]),
        ("a | c <(b)", [("a", 0), ("b", 1), ("c", 2)]),
        ("a > >(b)", [("a", 0), ("b", 1)]),
        ("a | tee >(b) | c", [("a", 0), ("tee", 1), ("b", 2), ("c", 3)]),
        ("while b; do c; done < <(a)", [("a", 0), ("b", 1), ("c", 1)]),
        ('eval "$(a)"', [("a", 0), ("eval", 1)]),
        ('sh -c "$(a | b)"', [("a", 0), ("b", 1), ("sh", 2)]),
        ('bash <<< "$(a)"', [("a", 0), ("bash", 1)]),
        ("a | sudo b", [("a", 0), ("sudo", 1), ("b", 1)]),
    ],
)
def test_commands_that_feed_each_other_are_stages_of_one_pipeline(line, stages):
    commands = [one for one in read_shell(line).commands if one.name and "\0" not in one.name]
    assert [(one.name, one.stage) for one in commands] == stages
    assert len({one.pipeline for one in commands}) == 1


@pytest.mark.parametrize("line", ["a; b", "a && b", "b $(a)", "a || b", "a & b"])
def test_commands_that_do_not_are_not(line):
    one, other = read_shell(line).commands
    assert one.pipeline != other.pipeline


@pytest.mark.parametrize(
    ("line", "nested"),
    [
        ("a", ()),
        ("$(a)", ("$(…)",)),
        ("x <(a)", ("<(…)",)),
        ("x >(a)", (">(…)",)),
        ("sudo a", ("sudo",)),
        ("sudo bash -c 'x $(a)'", ("sudo", "bash", "$(…)")),
        ("f() { a; }; f", ("f()",)),
        ("alias n=a; n", ("alias n",)),
        ("eval a", ("eval",)),
        ("EDITOR=a git commit", ("EDITOR",)),
    ],
)
def test_a_command_knows_what_it_stands_in(line, nested):
    (command,) = [one for one in read_shell(line).commands if one.name == "a"]
    assert command.nested == nested


@pytest.mark.parametrize(
    ("line", "cwd"),
    [
        ("x", ()),
        ("cd a; x", ("a",)),
        ("cd a && x", ("a",)),
        ("cd a && cd ../b; x", ("a", "../b")),
        ("cd; x", ("~",)),
        ("cd -; x", ("\0",)),
        ("(cd a); x", ()),
        ("(cd a; x)", ("a",)),
        ("cd a | b; x", ()),
        ("cd a & x", ()),
        ("y=$(cd a); x", ()),
        ("pushd a; x", ("a",)),
        ("pushd a; popd; x", ("a", "\0")),
        ("if b; then cd a; fi; x", ("\0",)),
        ("if b; then cd a; else cd a; fi; x", ("a",)),
        ("b && cd a; x", ("\0",)),
        ("b && cd a && x", ("a",)),
        ("mkdir -p a && cd a; x", ("a",)),
        ("cd a || exit; x", ("a",)),
        ("cd a || cd b; x", ("\0",)),
        ("b && cd a || x", ("\0",)),
        ("bash -c 'cd a'; x", ()),
        ("eval 'cd a'; x", ("a",)),
        ("f() { cd a; }; f; x", ("a",)),
        ("cd $y; x", ("\0",)),
        ("builtin cd a; x", ("a",)),
        ("for i in 1; do cd a; done; x", ("\0",)),
    ],
)
def test_a_command_knows_where_the_shell_stands(line, cwd):
    command = next(one for one in read_shell(line).commands if one.name == "x")
    assert command.cwd == cwd


def test_a_text_that_goes_into_a_file_is_told():
    shell = read_shell("cat > a.sh <<'E'\nrm $x\nE\necho hi >> b; printf '%s\\n' x y > /dev/null; ls > c")
    assert shell.files == (("a.sh", "rm $x\n"), ("b", "hi\n"))


@pytest.mark.parametrize(
    ("line", "stdin"),
    [
        ("cat <<E\na $x\nE", "a \0\n"),
        ("cat <<'E'\na $x\nE", "a $x\n"),
        ("cat <<-E\n\ta\n\tE", "a\n"),
        ("cat <<< 'a b'", "a b\n"),
        ("cat <<E\n\\$x\nE", "$x\n"),
        ("cat <<E", ""),
        ("cat", None),
        ("cat < f", None),
    ],
)
def test_a_text_that_is_fed_to_a_command_is_told(line, stdin):
    (command,) = read_shell(line).commands
    assert command.stdin == stdin


def test_a_function_is_its_body_wherever_it_is_called():
    assert argvs('f() { rm "$@"; }; f x y; f z') == [["rm", "x", "y"], ["rm", "z"]]
    assert argvs("ls() { rm x; }; ls /") == [["rm", "x"]]
    assert read_shell("f() { a; }; alias n=b").functions == ("f", "n")


def test_a_function_that_is_not_called_is_read_all_the_same():
    assert argvs("f() { rm x; }") == [["rm", "x"]]
    assert found("f() { a; }; f() { b; }; f") == ["b", "a"]


@pytest.mark.parametrize(
    "line",
    [
        "rm x; rm() { :; }", "(rm() { :; }); rm x", "command rm x; rm() { :; }", "rm() { :; }; command rm x",
        "b && rm() { :; }; rm x", "if b; then rm() { :; }; fi; rm x", "rm() { :; }; unset -f rm; rm x",
        "rm() { :; }; sudo rm x", "rm() { :; }; /bin/rm x", "rm() { :; }; xargs rm x", "rm() { :; } | b; rm x",
        "alias rm=true; rm x", "alias rm='rm -i'\nrm x",
    ],
)  # fmt: skip
def test_a_program_is_not_hidden_by_a_function_that_does_not_reach_it(line):
    assert any(one.name == "rm" and "x" in one.args for one in read_shell(line).commands)


@pytest.mark.parametrize("line", ["a", "a b | c; d", "a 2>&1 >/dev/null", "(a) && b $x", "sudo a", "", "a <<< b"])
def test_a_line_that_is_its_commands_and_no_more_is_plain(line):
    assert read_shell(line).plain


@pytest.mark.parametrize(
    "line",
    ["A=1 a", "a > f", "a < f", "{ a; } > f", "A=1; a", "f() { a; }; f", "alias b=a; a", "a; $x", "env A=1 a", "a '"],
)
def test_a_line_that_does_anything_beside_is_not(line):
    assert not read_shell(line).plain
