"""Words are read as a shell reads them: quotes, escapes, expansions, braces."""

import pytest

from interlock.facts.shell import Command, Shell, read_shell
from tests.facts.shell.reading import argvs, found


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
        (r'echo "\$(a) \"b\" \\ \c"', ["echo", r'$(a) "b" \ \c']),
        ("/usr/bin/git push", ["/usr/bin/git", "push"]),
        ("echo a#b a~b a=b", ["echo", "a#b", "a~b", "a=b"]),
        ("echo a # b; c", ["echo", "a"]),
        ("grep -e 'a*b[c]' *.txt ?x", ["grep", "-e", "a*b[c]", "*.txt", "?x"]),
        (r"echo a\ b \* \'", ["echo", "a b", "*", "'"]),
        ("ls \\\n  -l", ["ls", "-l"]),
        ("l\\\ns", ["ls"]),
        ("echo ünï", ["echo", "ünï"]),
        ("ls ~/x ~", ["ls", "~/x", "~"]),
        ("rm -rf ./{}", ["rm", "-rf", "./{}"]),
        ("ls !(a|b)", ["ls", "!(a|b)"]),
        ("echo $", ["echo", "$"]),
    ],
)
def test_a_command_has_the_words_that_a_shell_would_give_it(line, words):
    assert argvs(line) == [words]


def test_a_line_is_its_command_with_its_place_and_nothing_more():
    shell = read_shell("  ls -l ; ")
    (command,) = shell.commands
    assert shell == Shell((command,), opaque=False)
    assert command == Command("ls", ("-l",), "ls -l", name="ls", pipeline=1, start=2, end=7, use=command.use)


def test_a_program_goes_by_its_base_name():
    (command,) = read_shell("/usr/bin/git push").commands
    assert (command.program, command.name) == ("/usr/bin/git", "git")


@pytest.mark.parametrize("line", ["", " ", "\t\n", "# only a comment", "\\\n", ";"])
def test_nothing_runs_nothing(line):
    assert read_shell(line) == Shell((), opaque=False)


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /", "r''m -rf /", r"\rm -rf /", "'rm' -rf /", '"r"m -rf /', r"r\m '-rf' /", r"$'\x72\x6d' -rf /",
        r"$'\162m' -rf /", r"$'\u0072m' -rf /", "r\\\nm -rf /", "rm${IFS}-rf${IFS}/", "$'rm' -rf /",
        "X=rm; $X -rf /", "X='rm -rf'; $X /", "a=r b=m; $a$b -rf /", "$(echo rm) -rf /", "`echo rm` -rf /",
        "{rm,-rf,/}", "x=xrmx; ${x:1:2} -rf /", "x=RM; ${x,,} -rf /", "a=(ls rm); ${a[1]} -rf /", "! rm -rf /",
        "time rm -rf /", "time -p rm -rf /", "coproc rm -rf /", "$(printf r)m -rf /", "$(which rm) -rf /",
        "x=mr; $(echo $x | rev) -rf /", "declare x=rm; $x -rf /", "IFS=,; x=rm,-rf,/; $x", "x=r; x+=m; $x -rf /",
        "n=x; x=rm; ${!n} -rf /", "${nothing:-rm} -rf /", "set -- rm -rf /; \"$@\"", "x=1rm; ${x#1} -rf /",
    ],
)  # fmt: skip
def test_whatever_way_it_is_written_it_is_the_same_command(line):
    assert "rm -rf /" in found(line)


@pytest.mark.parametrize(
    "line",
    [
        "echo rm -rf /", "echo 'rm -rf /'", 'git commit -m "rm -rf / && reboot"', "grep 'rm -rf /' f", "# rm -rf /",
        "cat > f <<E\nrm -rf /\nE", "cat <<< 'rm -rf /'", "X='rm -rf /'", "printf 'rm -rf /'",
        "git commit -m \"$(cat <<'E'\nrm -rf / isn't (\"ok\nE\n)\"", "echo '`rm -rf /`'", "x=(rm -rf /)",
        "case rm in rm) ls;; esac", "[[ rm == -rf ]]", "for rm in -rf; do ls; done", "echo ${x#rm -rf /}",
    ],
)  # fmt: skip
def test_what_is_only_data_is_no_command(line):
    assert not any(words.startswith("rm") for words in found(line))


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("{a,b}", ["a", "b"]),
        ("x{a,b}y", ["xay", "xby"]),
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("{a,{b,c}}z", ["az", "bz", "cz"]),
        ("{1..3}", ["1", "2", "3"]),
        ("{03..01}", ["03", "02", "01"]),
        ("{a..c}", ["a", "b", "c"]),
        ("{0..4..2}", ["0", "2", "4"]),
        ("{a}", ["{a}"]),
        ("{}", ["{}"]),
        ("{a,b", ["{a,b"]),
        ("'{a,b}'", ["{a,b}"]),
        (r"\{a,b}", ["{a,b}"]),
        ("{a,'b c'}", ["a", "b c"]),
        ("/{etc,usr/{lib,bin}}/x", ["/etc/x", "/usr/lib/x", "/usr/bin/x"]),
    ],
)
def test_braces_become_words(word, fields):
    assert argvs(f"x {word}") == [["x", *fields]]


def test_braces_that_become_very_many_words_are_opaque():
    shell = read_shell("rm " + "{a,b}" * 12)
    assert [one.words for one in shell.commands] == ["rm \0"]
    assert shell.reasons == ("more than 256 words of one brace expansion",)


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("$v", ["one"]),
        ('"$v"', ["one"]),
        ("$two", ["a", "b"]),
        ('"$two"', ["a  b"]),
        ("x${two}y", ["xa", "by"]),
        ("$empty", []),
        ('"$empty"', [""]),
        ("${v:-x}", ["one"]),
        ("${empty:-x}", ["x"]),
        ("${unset:-x y}", ["x", "y"]),
        ("${v:+set}", ["set"]),
        ("${v#o}", ["ne"]),
        ("${v%e}", ["on"]),
        ("${v/n/N}", ["oNe"]),
        ("${v:1}", ["ne"]),
        ("${v: -2}", ["ne"]),
        ("${v^^}", ["ONE"]),
        ("${#v}", ["3"]),
        ("${list[1]}", ["q", "r"]),
        ('"${list[1]}"', ["q r"]),
        ('"${list[@]}"', ["p", "q r"]),
        ('"${list[*]}"', ["p q r"]),
        ("$list", ["p"]),
        ("$unset", ["\0"]),
        ("a$unset/b", ["a\0/b"]),
        ("$(x)", ["\0"]),
        ("$((1 + 1))", ["2"]),
        ("$?", ["\0"]),
        ("<(x)", ["\0"]),
        ("${v%%n*}", ["o"]),
        ("${unset:+x}", ["\0"]),
        ("${part:0:2}", ["\0"]),
        ("$part", ["a\0"]),
    ],
)
def test_what_was_assigned_is_followed_and_the_rest_is_unknown(word, fields):
    shell = read_shell(f"v=one; two='a  b'; empty=; list=(p 'q r'); part=a$unset; last {word}")
    assert [*shell.commands[-1].args] == fields


def test_known_variables_are_those_of_the_shell_and_those_that_were_given():
    known = {"HOME": "/home/u", "PWD": "/home/u/p"}
    assert argvs("ls $HOME ${HOME:0:1}etc $PWD") == [["ls", "~", "/etc", "\0"]]
    assert argvs("cd ..; ls $HOME/x $PWD $(pwd)/x ${HOME:0:5}", known=known)[1:] == [
        ["pwd"],
        ["ls", "/home/u/x", "/home/u", "/home/u/x", "/home"],
    ]
    assert argvs("HOME=/; ls $HOME", known=known) == [["ls", "/"]]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rm -r $(mktemp -d)", ["rm", "-r", "/tmp/tmp.XXXXXXXXXX"]),
        ("rm $(mktemp -t notes.XXXX)", ["rm", "/tmp/notes.XXXX"]),
        ("rm $(mktemp /var/tmp/a.XXXX)", ["rm", "/var/tmp/a.XXXX"]),
        ("rm $(mktemp -p build)", ["rm", "build/tmp.XXXXXXXXXX"]),
        ("kill $(jobs -p)", ["kill", "%!"]),
        ("kill $(lsof -ti:3000)", ["kill", "%:3000"]),
        ("kill $(lsof -t -i tcp:3000 -sTCP:LISTEN)", ["kill", "%:3000"]),
        ("ls & kill $!", ["kill", "%!"]),
        ("ls & p=$!; kill -9 $p", ["kill", "-9", "%!"]),
        ('eval "$(pyenv init -)"', [":"]),
        ("eval $(ssh-agent)", [":"]),
        ('eval "$(thefuck --alias)"', [":"]),
        ('eval "$(direnv hook bash)"', [":"]),
    ],
)
def test_what_only_the_run_tells_has_a_name_where_its_sort_is_known(line, words):
    assert argvs(line)[-1] == words


@pytest.mark.parametrize(
    "line",
    ["rm $(mktemp ../a.XXXX)", "rm $(mktemp -d a b)", "kill $(lsof -t)", "kill $(jobs)", 'eval "$(pyenv exec x)"',
        "eval $(pyenv)", 'eval "$(fnm env; ls)"', 'eval "$(direnv hook $X)"', "kill $(cat x.pid)"],
)  # fmt: skip
def test_what_the_run_tells_stays_unknown_where_it_could_be_anything(line):
    assert any("\0" in one for one in found(line))


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("rm $(cd a && pwd)/x", "/p/a/x"),
        ("D=$(cd /a; pwd -P); rm $D/x", "/a/x"),
        ("rm $(pwd)/x", "/p/x"),
        ("cd b; rm $(dirname $(pwd))/x", "/p/x"),
        ("rm $(ls && pwd)/x", "\0/x"),
        ("rm $(cd a || pwd)/x", "\0/x"),
    ],
)
def test_where_the_shell_stands_is_known_in_a_substitution(line, folder):
    assert read_shell(line, {"PWD": "/p"}).commands[-1].args == (folder,)


def test_many_steps_lead_where_they_would_one_by_one():
    shell = read_shell("cd a;" * 40 + "cd ..;" * 38 + "rm x")
    assert "/".join(shell.commands[-1].cwd).count("a") - "/".join(shell.commands[-1].cwd).count("..") <= 16
    assert len(shell.commands[-1].cwd) <= 16
