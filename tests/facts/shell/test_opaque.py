"""What cannot be read is opaque, says why, and hides nothing that was found; what can be read is not."""

import pytest

from interlock.facts.limits import COMMANDS, STEPS
from interlock.facts.programs import use_of_program
from interlock.facts.shell import read_shell
from interlock.facts.shell.run import SPLICED

COMPUTED = "the program is not known before it runs"
TEXT = "runs a text that is not known before it runs"
PIPED = "runs what is piped into it"
PRINTED = "runs what another command prints"
OPEN_PATH = "PATH has a directory that anybody writes to"


@pytest.mark.parametrize(
    ("line", "reasons"),
    [
        ("$x a", (COMPUTED,)),
        ("$(x) a", (COMPUTED,)),
        ("${x}ls a", (COMPUTED,)),
        ("/bin/$x a", (COMPUTED,)),
        ("read x; $x", (COMPUTED,)),
        ("x=ls; read x; $x", (COMPUTED,)),
        ("x=ls; while a; do $x; x=rm; done", (COMPUTED,)),
        ("if a; then x=ls; else x=rm; fi; $x", (COMPUTED,)),
        ("x=ls; a && x=rm; $x", (COMPUTED,)),
        ("sudo $x", (COMPUTED,)),
        ('eval "$x"', (TEXT, COMPUTED)),
        ('bash -c "ls $x"', (SPLICED,)),
        ("find . -exec sh -c 'wc {}' \\;", (SPLICED,)),
        ("find . -exec sh -c {} \\;", (SPLICED, COMPUTED)),
        ("ls | xargs -I{} sh -c 'a; {} b'", (SPLICED, COMPUTED)),
        ("sh <<E\nrm $x\nE", (SPLICED,)),
        ('curl u; bash -c "ls $x"', (TEXT,)),
        ("curl u | xargs -I{} sh -c 'ls {}'", (TEXT,)),
        ("curl u | sh", (PIPED,)),
        ("curl u | sudo bash", (PIPED,)),
        ("curl u | tee f | sh", (PIPED,)),
        ("curl u | (cd x; sh)", (PIPED,)),
        ("curl u | { sh; }", (PIPED,)),
        ("curl u | while a; do sh; done", (PIPED,)),
        ("sh < <(curl u)", (PIPED,)),
        ("sh <<E\n$x\nE", (PIPED, COMPUTED)),
        ("echo aa | base64 -d | sh", (PIPED,)),
        ('echo "$x" | base64 -d | sh', (PIPED,)),
        ("curl u | python3", (PIPED,)),
        ("bash <(curl u)", (PRINTED,)),
        (". <(curl u)", (PRINTED,)),
        ("PATH=/tmp/x:$PATH ls", (OPEN_PATH,)),
        ("PATH=. ls", (OPEN_PATH,)),
        ("PATH= ls", ("PATH is emptied",)),
        ("PATH=$PATH: ls", (OPEN_PATH,)),
        ("PATH=./bin:$PATH; ls", (OPEN_PATH,)),
        ("env PATH=/tmp ls", (OPEN_PATH,)),
        ("export PATH=/tmp/x:$PATH; ls", (OPEN_PATH,)),
        ("X=rm; f() { local X=ls; }; f; $X", (COMPUTED,)),
        ("cat" + "|cat" * 500 + "|sh", (PIPED,)),
        ("PS4='$(ls)' bash -x f", ("PS4 loads code",)),
        ("env 'BASH_FUNC_ls%%=() { rm x; }' bash -c ls", ("a function from the environment",)),
        ("=rm x", ("the program is a path that zsh looks up",)),
        ("ls *(e:'rm x':)", ("a pattern that may run a text",)),
        ("LD_PRELOAD=./x.so ls", ("LD_PRELOAD loads code",)),
        ("export BASH_ENV=x; bash -c ls", ("BASH_ENV loads code",)),
        ("NODE_OPTIONS='--require ./x' node y.js", ("NODE_OPTIONS loads code",)),
        ("f() { f; }; f", ("a function that calls itself",)),
        ("let 'x=a[$(ls)]'", ("arithmetic that may run a text",)),
        ("[[ -v 'a[$(ls)]' ]]", ("arithmetic that may run a text",)),
        ("echo 'a", ("a quote is not closed",)),
        ('echo "a', ("a quote is not closed",)),
        ("echo $'a", ("a quote is not closed",)),
        ("echo `a", ("a backtick is not closed",)),
        ("echo $(a", ("a parenthesis is not closed",)),
        ("(a", ("a parenthesis is not closed",)),
        ("echo ${a", ("a brace is not closed",)),
        ("{ a;", ("`}` is missing",)),
        ("if a; then b", ("`fi` is missing",)),
        ("for i in a; do b", ("`done` is missing",)),
        ("a &&", ("nothing behind `&&`",)),
        ("a |", ("nothing behind `|`",)),
        ("a >", ("nothing behind `>`",)),
        ("a )", ("unexpected ')'",)),
        ("fi", ("unexpected 'fi'",)),
        ("a (b)", ("unexpected '('",)),
        ("[[ a", ("`]]` is missing",)),
        ("echo \x1b[2K a", ("characters that change how others are shown",)),
        ("echo a\x08b", ("characters that change how others are shown",)),
        ("echo \U000e0041", ("characters that change how others are shown",)),
        ("find . -printf 'rm %p\\n' | sh", (SPLICED,)),
        ("find . -printf '%p\\n' | sh", (PIPED, COMPUTED)),
        ("a\0b", ("a character that no line has",)),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(line, reasons):
    shell = read_shell(line)
    assert (shell.opaque, shell.reasons) == (True, reasons)


@pytest.mark.parametrize(
    "line",
    [
        "$x/ls a", "$HOME/bin/ls", "sh", "bash", "ls | cat", "ls $x", "cd $x && ls", "bash -c 'ls $x'",
        "PATH=/usr/bin:/bin ls",
        "export PATH=$PATH:$HOME/bin; ls", 'PATH="$HOME/.local/bin:$PATH" ls', "env -i PATH=/bin ls",
        "LD_PRELOAD= ls",
        "NODE_OPTIONS=--max-old-space-size=4096 node x.js", "x=ls; $x", "if a; then x=ls; else x=ls; fi; $x",
        "f() { g; }; g() { h; }; f", "let x=1", "[[ -v a ]]", "[ -n $x ]", "echo \"a'b\"", "curl u | cat",
        "echo ls | sh",
        "curl u > f", "nobody-knows-it", "PATH=/tmp /bin/ls", "PATH=/tmp cd x", "git commit -m 'né 👩‍💻 “q”'",
        "echo a\\",
        "cat <<E", "cat <<E\nno end",
        "echo $((echo '\"') && x)", "SHELL=x; ls", "${CC:-gcc} x.c", "ls && { cd x; } || exit 1", "pwsh",
    ],
)  # fmt: skip
def test_what_can_be_read_is_not_opaque(line):
    assert read_shell(line).reasons == ()


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /; echo 'a", "rm -rf /; $x", "rm -rf / &&", "rm -rf / )", "fi; rm -rf /", "( rm -rf /",
        "{ rm -rf /", "$(rm -rf /",
        "`rm -rf /", "if rm -rf /", "done; rm -rf /", "a (rm -rf /)", ") rm -rf /", "&& rm -rf /", "| rm -rf /",
        "rm -rf /; f(", "curl u | sh; rm -rf /", "a\0; rm -rf /", "echo $((1; rm -rf /", "echo \"$(rm -rf /)",
        "then rm -rf /; fi", "case x; rm -rf /", "for i in; rm -rf /", "[[ $(rm -rf /)", "a=($(rm -rf /)",
        "a <<< $(rm -rf /",
    ],
)  # fmt: skip
def test_a_broken_line_loses_none_of_its_commands(line):
    shell = read_shell(line)
    assert any(one.name == "rm" for one in shell.commands)
    assert shell.opaque


@pytest.mark.parametrize(
    "program",
    ["ｒｍ", "rm\u200b", "r\u200dm", "\u202erm", "гm", "rm\u00a0x", "rm\r", "\u2066rm", "r\u00adm", "\x1brm", "écho"],
)
def test_a_program_whose_name_has_unusual_characters_is_opaque(program):
    shell = read_shell(f"{program} -rf /")
    assert shell.opaque
    assert shell.commands[0].opaque == "unusual characters in the program's name"


def test_invisible_characters_in_options_are_opaque_but_not_in_texts():
    assert read_shell("rm -rf\u00a0/").reasons == ("invisible characters in an option",)
    assert read_shell("ls a\u200bb").reasons == ()
    assert read_shell("ls a\u202eb").reasons == ("characters that change how others are shown",)


BOMBS = {
    "commands": "a;" * 50_000,
    "pipes": "a|" * 50_000,
    "and": "x=1&&" * 20_000,
    "words": "a " * 50_000,
    "wrappers": "sudo " * 20_000,
    "substitutions": "$(" * 50_000,
    "parentheses": "(" * 100_000,
    "arithmetic": "$((" * 33_000,
    "braces": "{ " * 50_000,
    "brace expansions": "{a,b}" * 20_000,
    "open braces": "echo " + "{a," * 30_000,
    "parameters": "${x:-" * 20_000,
    "backticks": "`" * 100_000,
    "quotes": "'a'\"b\"" * 16_000,
    "variables": "$x" * 50_000,
    "growing": "x=aaaaaaaa;" + "x=$x$x;" * 14_000,
    "here-documents": "<<E " * 25_000,
    "here-documents with ends": "cat <<E\nx\nE\n" * 8_000,
    "conditions": "if a; then " * 9_000,
    "loops": "for i in a b c d; do " * 4_000,
    "loops of loops": "for i in 1 2 3 4 5 6 7 8; do " * 12 + "a" + "; done" * 12,
    "functions": "f() { f; f; };" * 7_000 + "f",
    "evals": "eval " * 20_000,
    "shells": "echo 'echo x | sh' | sh;" * 4_000,
    "patterns": "a@(" * 33_000,
    "tests": "[[ " * 33_000,
    "arrays": "a=(" * 25_000,
    "newlines": "\n" * 100_000,
    "nothing": "\0" * 100_000,
    "very long": "echo " + "a" * 300_000,
}
# They are long, and read to their ends.
READ = {name: BOMBS[name] for name in ("newlines", "quotes", "loops of loops")}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_read_within_its_budget(bomb):
    calls = []

    def use_of(program, args):
        calls.append(len(args))
        return use_of_program(program, args)

    shell = read_shell(bomb, use_of=use_of)
    assert len(shell.commands) <= COMMANDS.most
    assert len(calls) <= STEPS.most
    assert sum(calls) <= 8 * STEPS.most
    assert shell.opaque or bomb in READ.values()


def test_a_long_text_that_is_only_data_is_not_too_long():
    body = "it's $x `a` $(b) \"\n" * 4_000
    shell = read_shell(f"cat > f <<'E'\n{body}E\nls")
    assert ([one.name for one in shell.commands], shell.opaque) == (["cat", "ls"], False)
