"""Mistakes under `programs` of a policy: each is said at its place, with what to write instead.

What can be wrong with a description wherever it stands is in tests/policy/programs. Each entry here: the value of
`programs`, then for every error of it the place with what is wrong, and what to write instead.
"""

import pytest

from tests.policy.mistakes import check_mistake

NAME = "write the name by which it is called, as in `ourctl:`; several names are parted by spaces"
OWN = "describe programs of your own; functions of the shell are read where they are defined"
EXAMPLE = "write `programs: {ourctl: {does: {read-only: [get], cluster/deletes: [destroy]}}}`, for example"
FOLDER = "no program changes the folder of the shell that runs it"
WORKS_IN = "for the folder that a program works in, write"
ELSEWHERE = "leave it out; what the program runs there is told by its words: `operands: host argv`"
SAYS = "say what it does: `{does: read-only}`, for example"

MISTAKES = (
    ("[ourctl]", "2:11 `programs` is a list; expected a map", EXAMPLE),
    ("ourctl", "2:11 `programs` is a text; expected a map", EXAMPLE),
    ("{ourctl: }", "2:20 the entry of `ourctl` is empty; expected a map", SAYS),
    ("{ourctl: {}}", "2:20 the entry of `ourctl` says nothing", SAYS),
    ("{ourctl: read-only}", "2:20 the entry of `ourctl` is a text; expected a map", SAYS),
    (
        "{./ourctl: {does: changes}}",
        "2:12 `./ourctl` is a path",
        "write `ourctl`: a description is for a program by its bare name",
    ),
    (
        "{/opt/bin/ourctl: {does: changes}}",
        "2:12 `/opt/bin/ourctl` is a path",
        "write `ourctl`: a description is for a program by its bare name",
    ),
    ("{our*: {does: changes}}", "2:12 `our*` is not the name of a program", NAME),
    ("{-ourctl: {does: changes}}", "2:12 `-ourctl` is not the name of a program", NAME),
    ("{'our,ctl': {does: changes}}", "2:12 `our,ctl` is not the name of a program", NAME),
    ("{'': {does: changes}}", "2:12 a program without a name", "write `ourctl: {…}`"),
    ("{cd: {does: read-only}}", "2:12 `cd` is a word of the shell itself, and no program", OWN),
    ("{eval: {does: read-only}}", "2:12 `eval` is a word of the shell itself, and no program", OWN),
    ("{ourctl if: {does: read-only}}", "2:12 `if` is a word of the shell itself, and no program", OWN),
    (
        "{interlock: {does: read-only}}",
        "2:12 `interlock` is Interlock itself, which no policy describes",
        "remove it",
    ),
    ("{ourctl: {does: elsewhere}}", "2:27 `elsewhere` is found by Interlock itself", ELSEWHERE),
    ("{ourctl: {does: {network elsewhere: [x]}}}", "2:28 `elsewhere` is found by Interlock itself", ELSEWHERE),
    (
        "{ourctl: {forms: {x: {when: [{first: z, does: elsewhere}]}}}}",
        "2:57 `elsewhere` is found by Interlock itself",
        ELSEWHERE,
    ),
    ("{ourctl: {options: [C/dir=cd]}}", f"2:31 {FOLDER}", f"{WORKS_IN} `C/directory=base`"),
    ("{ourctl: {operands: text cd}}", f"2:31 {FOLDER}", f"{WORKS_IN} `base`"),
    (
        "{ourctl: {does: red-only}}",
        "2:27 `red-only` is not something that a program does",
        "did you mean `read-only`?",
    ),
    (
        "{ourctl: {options: [f/file=raed]}}",
        "2:31 the value of `f/file=raed` has an unknown role `raed`",
        "did you mean `read`?",
    ),
    (
        "{ourctl: {flags: [x]}}",
        "2:21 unknown key `flags` in the entry of `ourctl`",
        "use `options`, as in `options: [n/namespace=, o/output=write, dry-run!dry]`",
    ),
    (
        "{ourctl: {does: {read-only: [get], changes: [get]}}}",
        "2:56 `get` is listed twice under `does`",
        "leave one of them out",
    ),
    (
        "{ourctl: {reader: files.copy}}",
        "2:21 unknown key `reader` in the entry of `ourctl`",
        "`like` takes over how a shipped program is read: `like: curl`",
    ),
    ("{ourctl: {like: kubectll}}", "2:27 nothing is known of `kubectll`", "did you mean `kubectl`?"),
    (
        "{ourctl: {does: changes, cases: [ourctl get]}}",
        "2:43 `cases` is a list; expected a map",
        "write `cases: {ourctl get pods: read-only, ourctl destroy web: cluster/deletes}`, for example",
    ),
    (
        "{ourctl: {does: changes}, ourctl: {does: network}}",
        "2:37 duplicate key `ourctl`: it already stands on line 2",
        "remove one of the two",
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "told"), [(value, told) for value, *told in MISTAKES], ids=[row[0] for row in MISTAKES]
)
def test_a_mistake_in_programs_is_told_with_its_cure(value: str, told: list[str]):
    check_mistake(value, f"version: 1\nprograms: {value}\n", *told)


@pytest.mark.parametrize("word", ["program", "commands", "cli", "binaries"])
def test_other_words_for_the_key_are_understood(word: str):
    text = f"version: 1\n{word}: {{ourctl: {{does: changes}}}}\n"
    cure = "use `programs`, as in `programs: {ourctl: {does: {read-only: [get], cluster/deletes: [destroy]}}}`"
    check_mistake(word, text, f"2:1 unknown key `{word}` in the policy", cure)


def test_all_mistakes_of_a_description_are_told_at_once():
    text = "version: 1\nprograms:\n  ourctl:\n    does: {red-only: [get]}\n    options: [x=raed, z!dri]\n"
    check_mistake(
        "several",
        text,
        "4:12 `red-only` is not something that a program does",
        "did you mean `read-only`?",
        "5:15 the value of `x=raed` has an unknown role `raed`",
        "did you mean `read`?",
        "5:23 `z!dri` has an unknown effect `dri`",
        "did you mean `dry`?",
    )
