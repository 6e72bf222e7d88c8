"""Mistakes in descriptions: each is said at its place, with what to write instead."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from tests.policy.programs.reading import complaints, read

KINDS = "use one of `cloud`, `cluster`, `database`, `forge`, `machine`, `local`"
MISTAKES = {
    "ourctl: get": (
        "1:9",
        "the entry of `ourctl` is a text; expected a map",
        "say what it does: `{does: read-only}`, for example",
    ),
    "ourctl: {opts: [x]}": (
        "1:10",
        "unknown key `opts` in the entry of `ourctl`",
        "use `options`, as in `options: [n/namespace=, o/output=write, dry-run!dry]`",
    ),
    "ourctl: {reader: files.copy}": ("1:10", "unknown key `reader` in the entry of `ourctl`", ...),
    "ourctl: {zzz: [x]}": (
        "1:10",
        "unknown key `zzz` in the entry of `ourctl`",
        "`interlock docs programs` lists the keys",
    ),
    "./ourctl: {does: changes}": (
        "1:1",
        "`./ourctl` is a path",
        "write `ourctl`: a description is for a program by its bare name",
    ),
    "ourctl our: {does: changes}\nour: {does: read-only}": (
        "2:1",
        "`our` is described twice",
        "put both descriptions together",
    ),
    "ourctl: {does: red-only}": (
        "1:16",
        "`red-only` is not something that a program does",
        "did you mean `read-only`?",
    ),
    "ourctl: {does: {cluster/delete: [x]}}": (
        "1:17",
        "`cluster/delete` is not something that a program does",
        "did you mean `cluster/deletes`?",
    ),
    "ourctl: {does: {read-only: [get], changes: [get]}}": (
        "1:45",
        "`get` is listed twice under `does`",
        "leave one of them out",
    ),
    "ourctl: {does: {read-only: [get]}, forms: {get: {does: changes}}}": (
        "1:44",
        "`get` of `ourctl` is described twice",
        "leave one of them out",
    ),
    'ourctl: {does: {read-only: [""]}}': (
        "1:16",
        '`ourctl` has no subcommand, so `""` would say `read-only` of whatever it is told',
        ...,
    ),
    "ourctl: {does: {read-only: [get, '--version']}}": (
        "1:34",
        "`--version` is an option, and no subcommand",
        "describe the option instead: `options: [version!dry]`, or under `when`",
    ),
    "ourctl: {does: {read-only: [true]}}": ("1:29", "a subcommand is true or false; expected a text", ...),
    "ourctl: {options: [--output=write]}": (
        "1:20",
        "`--output=write` is written with its dashes",
        "write `output=write`",
    ),
    "ourctl: {options: [o/=write]}": ("1:20", "`o/=write` has an empty spelling", ...),
    "ourctl: {options: [o/output=writes]}": (
        "1:20",
        "the value of `o/output=writes` has an unknown role `writes`",
        "did you mean `write`?",
    ),
    "ourctl: {options: [dry-run!dri]}": (
        "1:20",
        "`dry-run!dri` has an unknown effect `dri`",
        "did you mean `dry`?",
    ),
    "ourctl: {options: [f/force, f/file=read]}": (
        "1:29",
        "`-f` is described twice: `f/force` and `f/file=read`",
        "leave one of them out",
    ),
    "ourctl: {leading: [x]}": ("1:19", "`ourctl` has no subcommands", "write `options`"),
    "ourctl: {operands: read* write*}": (
        "1:20",
        "`operands` has more than one star: `read* write*`",
        "one role may stand for many words",
    ),
    "ourctl: {operands: argv read}": (
        "1:20",
        "`argv` takes all the words that are left",
        "put it last, without a star",
    ),
    "ourctl: {operands: reed}": ("1:20", "`operands` has an unknown role `reed`", "did you mean `read`?"),
    "ourctl: {operands: [read]}": ("1:20", "`operands` is a list; expected a text", "write `operands: read* write`"),
    "ourctl: {like: kubctl}": ("1:16", "nothing is known of `kubctl`", "did you mean `kubectl`?"),
    "ourctl: {like: kubectl gett}": (
        "1:16",
        "nothing is known of `kubectl gett`",
        "`interlock programs list` has the programs that are described",
    ),
    "ourctl: {like: ourctl}": ("1:16", "`ourctl` is like itself", "name another program"),
    "a: {like: b}\nb: {like: a}": ("2:11", "`b` is like itself", "name another program"),
    "ourctl: {stdin: bash}": ("1:17", "`stdin` is `bash`; expected one of `data`, `shell`, `args`, …", ...),
    "ourctl: {service: clout}": (
        "1:19",
        f"`service` is `clout`; expected one of {KINDS[11:]}",
        "did you mean `cloud`?",
    ),
    "ourctl: {service: cloud, operands: read*}": ("1:26", "`operands` has no meaning beside `service`", ...),
    "ourctl: {service: cloud, options: [verbose]}": (
        "1:35",
        "`--verbose` adds no trait, which is all that an option of a service can do",
        "write `verbose!forced`, or leave it out",
    ),
    "ourctl: {when: [{words: none, looks: true}]}": (
        "1:25",
        "`words` is `none`; expected a number from 1",
        "write `words: 2`",
    ),
    "ourctl: {when: [{first: x}]}": ("1:17", "a clause without an effect", ...),
    "ourctl: {when: [{option: list, looks: true}]}": (
        "1:26",
        "`list` is not an option as it is written",
        "write `--list`",
    ),
    "ourctl: {when: [{option: --when=never, looks: true}]}": (
        "1:26",
        "`--when=never` is an option and its value",
        "write `value: {--when: never}`",
    ),
    "ourctl: {when: [{option: -list, looks: true}]}": (
        "1:26",
        "`-list` is several options in one word",
        "write `--list`, or `single-dash: true` beside `when`",
    ),
    "ourctl: {when: [{frist: x, looks: true}]}": (
        "1:18",
        "unknown key `frist` in a clause of `when`",
        "did you mean `first`?",
    ),
    "ourctl: {stops: 1}": (
        "1:17",
        "`stops` is a number; expected true or false",
        "write `stops: true`, or leave it out",
    ),
    "ourctl: {cases: {ourctl get: readonly}}": (
        "1:30",
        "`readonly` is nothing that a case can find",
        "did you mean `read-only`?",
    ),
    "ourctl: {about: [x]}": ("1:17", "`about` is a list; expected a text", ...),
}


@pytest.mark.parametrize(("text", "expected"), MISTAKES.items(), ids=list(MISTAKES))
def test_a_mistake_is_told_with_its_place_and_its_cure(text, expected):
    place, message, cure = complaints(text)[0]
    wanted_place, wanted, wanted_cure = expected
    assert place == wanted_place
    assert message.startswith(wanted.removesuffix(", …"))
    assert cure == wanted_cure or (wanted_cure is ... and cure)


def test_a_shipped_entry_can_only_name_a_reader_that_is_there():
    assert complaints("x: {reader: files.nothing}", shipped=True) == [
        ("1:13", "there is no reader `files.nothing`", "write it in facts/programs/readers/files.py")
    ]


def test_every_mistake_of_a_file_is_told_in_one_run():
    text = "ourctl: {does: red-only, options: [--x], operands: reed}\nother: {like: nobody-knows-it}\n"
    assert len(complaints(text)) == 4


WORDS = st.sampled_from(
    ["read-only", "changes", "get", "", "*", "get-*", "n/name=", "o=write", "f!forced", "x!dry", "read*", "argv", "a b",
     "kubectl", "true", "1", "-", "--x", "=", "!", "/", "?", "<", "cluster/deletes", "runs x", "writes y"]
)  # fmt: skip
KEYS = st.sampled_from(
    ["options", "leading", "operands", "does", "forms", "when", "like", "service", "stdin", "stops", "help", "brief",
     "cases", "about", "single-dash", "inherits", "runs-here", "first", "looks", "get", "x y", "read-only", "zz"]
)  # fmt: skip
TREES = st.recursive(
    st.one_of(WORDS, st.booleans(), st.none(), st.integers(0, 9)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["ourctl", "a b", "./x", "", "kubectl"]), TREES, max_size=3))
def test_whatever_an_entry_says_it_is_read_or_complained_about_never_a_crash(tree):
    found, errors = read(json.dumps(tree) + "\n")  # JSON is YAML
    assert all(isinstance(error, InterlockError) and error.message for error in errors)
    if not errors:
        assert {name for one in found for name in one.names} == {name for key in tree for name in key.split()}
