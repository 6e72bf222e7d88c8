"""Reading a call takes steps in proportion to its length, whatever it holds, and never raises."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from interlock.event import PreToolUse
from interlock.facts.code.read import effects_of_code
from interlock.facts.gather import Facts
from interlock.facts.limits import COMMANDS, JS_STEPS, PROGRAM_STEPS, STEPS
from interlock.facts.paths import NoFiles, Places
from tests.steps import steps_of

PLACES = Places(home="/home/dev", cwd="/proj", project="/proj")
KINDS = ["python", "js", "perl", "ruby", "php", "sql", "awk", "other", "powershell", "cmd"]


def read(command: str) -> None:
    """Everything that rules may ask of a call."""
    given = {"command": command}
    event = PreToolUse(
        session_id="s", transcript_path="", cwd="/proj", tool_name="Bash", tool_input=given, tool_use_id="t"
    )
    facts = Facts(event, given, PLACES, NoFiles())
    assert facts.opaque or not facts.incomplete
    assert isinstance(facts.all_commands, tuple)
    assert isinstance(facts.all_paths, tuple)
    assert isinstance(facts.all_urls, tuple)
    assert isinstance(facts.texts, tuple)


def grows(compute: Callable[[int], object], size: int = 800, besides: int = 200_000) -> None:
    """Four times as long must not be much more than four times as many steps, besides a number that does not grow."""
    compute(8)  # so that tables are loaded
    few = steps_of(lambda: compute(size))
    steps_of(lambda: compute(size * 4), most=few * 8 + besides)


def grows_as_code(kind: str, unit: str, size: int) -> None:
    """Arguments in arguments are looked at again for each, until a fixed number of steps is spent: fewer here."""
    fewer = replace(PROGRAM_STEPS, most=10_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("interlock.facts.code.loose.PROGRAM_STEPS", fewer)
        for room in ("calls", "evaluate"):
            patch.setattr(f"interlock.facts.code.javascript.{room}.JS_STEPS", replace(JS_STEPS, most=2_000))
        grows(lambda size: effects_of_code(kind, unit * (size // len(unit))), size, besides=20 * fewer.most)


UNITS = [
    ":;", "a|", "a&&", "a||", "a & ", "(", ")", "{ ", "}", "$(", "$((", "${x:-", "`", "'", '"', "\\", "\\\n", "\n",
    "#", " ", "a=1;", "a=(", "x=$x$x;", "f(){ :; };", "f(){ f; f; };f;", "if a; then ", "for i in a b; do ",
    "while x; do ", "case x in ", "<<E\n", "cat <<E\nx\nE\n", "<(a) ", ">f ", "[[ ", "((", "eval ", "sudo ",
    "env A=1 ", "sh -c 'a';", "echo a | sh;", "echo a > f; sh f;", "echo a >> f;", "python3 -c 'f()';",
    "git -c a=b ", "find . -exec ", "xargs ", "ln -s a b;", "cd a;", "rm $x;", "rm a;", "cat a;", "curl x.example;",
    "tee f;", "cp a b;", "alias a=b;", "trap a EXIT;", "set -- a;", "shift;", "a@(", "{a,b}", "{1..9}",
    "export a=1;", "read x;", "parallel ::: ", "make a;", "./a;", "a\0b", "é", "😀", "~+", "*", "a && b || c;",
    "source f;", "echo 'x' | tee f | sh;", "false && false || ",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_a_line_of_one_thing_is_read_in_linear_steps(unit: str):
    grows(lambda size: read(unit * (size // len(unit))))


CODE_UNITS = [
    "(", ")", "[", "{", "f(", "f()", "'", '"', "`", '\\"', "'''", '"""', "/", "//", "/*", "#", "<#", "@'\n", "${",
    '"$(', "$(a)", "for ", "for x in ", "in ", "import ", "import a,", "from a import ", "a=", "'a'+", "['a',",
    "a.b.", "require('a')", "{a}='a'", "exec('", "eval(", "%x(", "qx", "$a->b", "$a[", "os.system('a');", "a ",
    "a;", "print 'a' ", "select ", "drop ", "--", "$$", "^", "&", "|", "if ", "foreach ", "system ", "system(", "a",
    " ", "\n", "\0",
]  # fmt: skip
JS_UNITS = [
    "`${", "a=>", "a=>{", "()=>a,", "function f(){", "class A{", "[...", "{...", "a?", "a?.", "a<", "<",
    "a:", "new ", "async ", "await ", "!", "-", "x+=x;", "let x=f(()=>", "if(a){}else ", "for(;;)", "a.b(c=>c.d(", "/[",
    "f(f(", "x=[x,x];", "x={x,x};", "try{", "case ", "import(", "eval('1');", "setTimeout(f);", "[1].map(f);",
    "function f(){f();f()};", "a as ", ": ", "enum ", "type a=", "interface a", "/*a*/", "a\n",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_of_one_thing_is_read_in_linear_steps(kind: str):
    for unit in [*CODE_UNITS, *(JS_UNITS if kind == "js" else ())]:
        grows_as_code(kind, unit, 800)


@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=6), st.lists(st.sampled_from(UNITS), max_size=4))
@settings(deadline=None, max_examples=25)
@example(["`", ":;", "for i in a b; do ", "'", "x=$x$x;"], [])
def test_a_line_of_several_things_is_read_in_linear_steps(units: list[str], behind: list[str]):
    """Loops in loops are gone through again, until a fixed number of commands is found: fewer here."""
    unit = "".join(units)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("interlock.facts.shell.scan.COMMANDS", replace(COMMANDS, most=COMMANDS.most // 10))
        patch.setattr("interlock.facts.shell.scan.STEPS", replace(STEPS, most=STEPS.most // 10))
        grows(lambda size: read(unit * (size // len(unit)) + "".join(behind)), 600, besides=600_000)


@given(st.lists(st.sampled_from([*CODE_UNITS, *JS_UNITS]), min_size=1, max_size=6))
@settings(deadline=None, max_examples=25)
def test_javascript_of_several_things_is_read_in_linear_steps(units: list[str]):
    grows_as_code("js", "".join(units), 800)


@given(st.sampled_from(KINDS), st.lists(st.sampled_from(CODE_UNITS), min_size=1, max_size=6))
@settings(deadline=None, max_examples=25)
def test_a_program_of_several_things_is_read_in_linear_steps(kind: str, units: list[str]):
    grows_as_code(kind, "".join(units), 800)


@given(
    st.lists(st.sampled_from([*UNITS, *CODE_UNITS, *JS_UNITS]), min_size=1, max_size=8),
    st.sampled_from([1, 40, 3_000, 60_000]),
)
@settings(deadline=None, max_examples=25)
def test_no_text_of_any_length_makes_the_reader_raise(units: list[str], size: int):
    unit = "".join(units)
    text = (unit * (size // len(unit) + 1))[:size]
    read(text)
    for program in ("python3 -c", "node -e", "perl -e", "lua -e", "pwsh -c", "cmd /c"):
        read(f"{program} {shlex.quote(text)}")
