"""Padding: no text of any length before, behind or around a command makes a verdict looser, with `core` beside it."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interlock.config.bundles import core_policy
from interlock.facts.limits import LIMITS
from tests.policy.builders import Session, load

DENIES = """
rules:
  - {id: no-touch, command: touch ran, deny: stop}
  - {id: no-rm, command: rm -rf *, deny: stop}
  - {id: no-push, command: git push -f, deny: stop}
  - {id: allowed, command: [":", "true", "echo *"], allow: true}
"""
SESSION = Session(load(DENIES), core_policy())
PROGRAMS = ["touch ran", "rm -rf build", "git push --force origin main", "interlock trust --yes"]
COUNTS = st.sampled_from([0, 1, 2, 7, 9, 25, 66, 300, 2_100, 20_000, 70_000])


def quote(text: str) -> str:
    return shlex.quote(text)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def before(unit: str) -> Callable[[str, int], str]:
    return lambda line, count: unit * count + line


def around(opening: str, closing: str) -> Callable[[str, int], str]:
    return lambda line, count: opening * count + line + closing * count


def layers(wrap: Callable[[str], str], most: int) -> Callable[[str, int], str]:
    """Each layer quotes what is in it, so that a text soon becomes very long."""

    def make(line: str, count: int) -> str:
        for _ in range(min(count, most)):
            line = wrap(line)
        return line

    return make


# What a line can be padded with, and that still runs the line.
PADDING: dict[str, Callable[[str, int], str]] = {
    "nothing done": before(":;"),
    "and": before("true && "),
    "or": before("false || "),
    "newlines": before("\n"),
    "comments": before("# a comment\n"),
    "continued lines": before("\\\n"),
    "assignments": before("a=1;"),
    "assignments before it": before("a=1 "),
    "assignments of many": lambda line, count: "".join(f"a{n}=1;" for n in range(min(count, 20_000))) + line,
    "background": before(":& "),
    "pipes": before(": | "),
    "redirections": before(": > f;"),
    "folders": before("cd .;"),
    "wrappers": before("env "),
    "evals": before("eval "),
    "aliases": before("alias a=b;"),
    "exports": before("export a=1;"),
    "quotes": before("''"),
    "quotes inside": lambda line, count: line[:1] + "''" * count + line[1:],
    "continued inside": lambda line, count: line[:1] + "\\\n" * count + line[1:],
    "substitutions": before("echo $(:);"),
    "substitutions in one": lambda line, count: f"echo {'$(:) ' * count}$({line})",
    "backticks": before("echo `:`;"),
    "tests": before("[[ a ]];"),
    "arithmetic": before("(( 1 ));"),
    "conditions": before("if true; then :; fi;"),
    "functions": before("f() { :; };"),
    "functions of many": lambda line, count: "".join(f"f{n}() {{ :; }};" for n in range(min(count, 20_000))) + line,
    "calls of a function": lambda line, count: "f() { :; };" + "f;" * count + line,
    "here-documents": before("cat <<E\nx\nE\n"),
    "a here-document": lambda line, count: "cat <<E\n" + "x $y\n" * count + "E\n" + line,
    "a shell's here-document": lambda line, count: "sh <<'E'\n" + ":\n" * count + line + "\nE\n",
    "brackets": around("( ", " )"),
    "braces": around("{ ", "; }"),
    "conditions around": around("if true; then ", "; fi"),
    "loops": around("for i in a; do ", "; done"),
    "loops of many": around("for i in 1 2 3 4 5 6 7 8; do ", "; done"),
    "loops while": around("while x; do ", "; done"),
    "loops that change": around("while x; do a=$a.; ", "; done"),
    "substitutions around": around("echo $( ", " )"),
    "behind": lambda line, count: line + ";:" * count,
    "behind a pipe": lambda line, count: line + " | cat" * count,
    "in a case": lambda line, count: f"case x in {'a) :;; ' * count} x) {line};; esac",
    "in an array": lambda line, count: f"a=({'x ' * count} $({line}))",
    "in arithmetic": lambda line, count: f": $(( {'1+' * count} $({line}) ))",
    "values of a loop": lambda line, count: f"for c in {': ' * count} {quote(line)}; do eval \"$c\"; done",
    "lines that are read": lambda line, count: (
        "while read -r c; do eval \"$c\"; done <<'E'\n" + ":\n" * count + line + "\nE\n"
    ),
    "lines of xargs": lambda line, count: "xargs -I{} sh -c {} <<'E'\n" + ":\n" * count + line + "\nE\n",
    "arguments of parallel": lambda line, count: f"parallel ::: {': ' * count} {quote(line)}",
    "printed": lambda line, count: f"eval \"$(printf '%s\\n' {': ' * count} {quote(line)})\"",
    "parameters": lambda line, count: f"set -- {'a ' * count} {quote(line)}; eval \"${{{count + 1}}}\"",
    "parameters shifted": lambda line, count: f"set -- {'a ' * count} {quote(line)}; shift {count}; eval \"$1\"",
    "a long value": lambda line, count: f"x='{'#' * count}\n'{quote(line)}; eval \"$x\"",
    "copies of an output": lambda line, count: f"echo {quote(line)} {'| cat ' * count} | sh",
    "copies for eval": lambda line, count: f"eval \"$(echo {quote(line)} {'| cat ' * count})\"",
    "files": lambda line, count: "".join(f"echo : > f{n}; sh f{n};" for n in range(min(count, 9_000)))
    + f"echo {quote(line)} > g; sh g",
    "a file that grows": lambda line, count: "echo : >> f;" * count + f"echo {quote(line)} >> f; sh f",
    "files that run files": lambda line, count: f"echo {quote(line)} > f0;"
    + "".join(f"echo 'sh f{n}' > f{n + 1};" for n in range(min(count, 9_000))) + f"sh f{min(count, 9_000)}",
    "a file that is written again": lambda line, count: f"echo {quote(line)} > f; sh f;" + "echo : > f;" * count,
    "shells": layers(lambda line: f"sh -c {quote(line)}", 11),
    "evals in quotes": layers(lambda line: f"eval {quote(line)}", 11),
    "base64": layers(lambda line: f"echo {encoded(line)} | base64 -d | sh", 20),
    "base64 of base64": lambda line, count: (
        "echo " + quote(layers(encoded, 20)(line, count)) + " | base64 -d" * min(count, 20) + " | sh"
    ),
    "programs": layers(lambda line: f"python3 -c {quote(f'import os; os.system({line!r})')}", 6),
    "programs before it": before("python3 -c 'print(1)';"),
    "lines of a program": lambda line, count: (
        "python3 -c " + quote("import os\n" + "a=1\n" * count + f"os.system({line!r})")
    ),
    "calls of a program": lambda line, count: (
        "python3 - <<'E'\nimport os\n" + "print(1)\n" * count + f"os.system({line!r})\nE\n"
    ),
    "brackets of a program": lambda line, count: (
        "python3 - <<'E'\nimport os\n" + "print(" * count + f"os.system({line!r})" + ")" * count + "\nE\n"
    ),
    "a program's loop": lambda line, count: (
        "python3 - <<'E'\nimport os\nfor c in [" + "':', " * count + f"{line!r}]: os.system(c)\nE\n"
    ),
    "node": lambda line, count: "node -e " + quote("1;" * count + f"require('child_process').execSync({line!r})"),
    "perl": lambda line, count: f"perl -e {quote('1;' * count + f'system({line!r})')}",
    "lua": lambda line, count: f"lua -e {quote('x=1;' * count + f'os.execute({line!r})')}",
    "awk": lambda line, count: "awk " + quote("BEGIN{" + "x=1;" * count + f'system("{line}")' + "}"),
    "powershell": lambda line, count: f"pwsh -c {quote('ls;' * count + line)}",
    "powershell in brackets": lambda line, count: f"pwsh -c {quote('(' * count + line + ')' * count)}",
    "cmd": lambda line, count: f"cmd /c {quote('ls & ' * count + line)}",
}  # fmt: skip
# They cannot be put around a line with more than a command's own signs in it.
PLAIN = frozenset({"quotes inside", "continued inside", "quotes", "wrappers", "assignments before it", "evals", "awk",
                   "powershell", "powershell in brackets", "cmd"})  # fmt: skip


def decide(line: str) -> tuple[str | None, str]:
    verdict = SESSION.call(line)
    return verdict.decision, verdict.reason or ""


@pytest.mark.parametrize("name", PADDING)
@pytest.mark.parametrize("count", [0, 1, 70, 2_100, 70_000])
def test_padding_of_any_length_leaves_a_denied_command_denied(name: str, count: int):
    decision, reason = decide(PADDING[name]("touch ran", count))
    assert decision == "deny"
    assert "stop" in reason or "This call has more than " in reason


@settings(deadline=None, max_examples=30)  # some of them are megabytes long
@given(
    st.sampled_from(PROGRAMS),
    st.sampled_from(sorted(PADDING)),
    COUNTS,
    st.lists(st.tuples(st.sampled_from(sorted(PADDING.keys() - PLAIN)), COUNTS), max_size=3),
)
def test_padding_in_padding_leaves_a_denied_command_denied(
    program: str, inner: str, count: int, outer: list[tuple[str, int]]
):
    """Held against the same line with no padding, in which something else may stand in the way of reading it."""
    line, bare = PADDING[inner](program, count), PADDING[inner](program, 0)
    for name, times in outer:
        if len(line) * max(times, 1) > 2_000_000 or "\nE\n" in line:
            break
        line, bare = PADDING[name](line, times), PADDING[name](bare, 0)
    assume(decide(bare)[0] == "deny")
    assert decide(line)[0] == "deny"


def test_a_script_is_read_again_after_a_file_that_it_runs_was_written_anew():
    inner = "echo 'touch ran' > f0; echo 'sh f0' > f1; sh f1"
    assert decide(f"echo {quote(inner)} > f0; echo 'sh f0' > f1; sh f1")[0] == "deny"
    assert decide("echo 'sh f0' > f1; echo 'ls' > f0; sh f1; sh f1")[0] != "deny"
    assert decide("echo 'sh f' > f; sh f")[0] != "deny"  # it only runs itself


@pytest.mark.parametrize("name", sorted(PADDING.keys() - PLAIN))
@pytest.mark.parametrize("times", [66, 3_000])
def test_padding_in_a_file_that_the_line_writes_and_runs_is_still_padding(name: str, times: int):
    written = PADDING["a file that grows"]
    assume_denied = decide(written(PADDING[name]("touch ran", 0), 0))[0] == "deny"
    assert not assume_denied or decide(written(PADDING[name]("touch ran", times), 0))[0] == "deny"


@pytest.mark.parametrize("name", PADDING)
def test_a_little_padding_of_something_harmless_is_not_denied(name: str):
    """The near miss: people write such lines."""
    assert decide(PADDING[name]("ls src", 3))[0] != "deny"


def test_an_incomplete_call_is_denied_with_the_limit_and_the_cure():
    assert decide(":;" * 3_000 + "touch ran") == (
        "deny",
        "This call has more than 2,000 commands, so Interlock did not read it to the end. Split it into several calls, "
        "or write a script file and run that.",
    )


def test_every_policy_denies_it_though_it_has_no_rules_and_an_allow_never_covers_it():
    assert Session(load("rules: []"), core_policy()).call(":;" * 3_000).decision == "deny"
    allow = load("rules: [{id: a, command: ':', allow: true}, {id: b, tool: Bash, allow: true}]")
    assert Session(allow, core_policy()).call(":;" * 3_000).decision == "deny"
    only = load("rules: [{id: a, command: ':', allow: true}]")
    assert (Session(only).call(":;:").decision, Session(only).call(":;" * 3_000).decision) == ("allow", None)


def test_other_rules_see_an_incomplete_call_as_opaque_and_by_name():
    asks = load("rules: [{id: a, when: opaque, ask: '${incomplete[0]}, ${unclear[0]}'}]")
    name = LIMITS["COMMANDS"].name
    assert Session(asks).call(":;" * 3_000).reason == f"{name}, more than {name}"
    assert Session(asks).call("$X").decision == "ask"
    assert Session(load("rules: [{id: a, when: incomplete.size() > 0, deny: X}]")).call("$X").decision is None
