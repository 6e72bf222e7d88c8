"""Cases hold a description against commands: everything that acts must be said, and only what is so."""

from __future__ import annotations

import pytest

from interlock.policy.programs.cases import case_errors
from interlock.policy.programs.families import reading
from tests.policy.programs.reading import described

OURCTL = """
ourctl:
  options: [n/namespace=, o/output=write]
  does: {read-only: [get], cluster/deletes: [destroy, env rm], network: [ping]}
  forms:
    run: {operands: argv, does: cluster/runs}
    put: {operands: send*, does: network}
  cases: {%s}
"""


def failures(case: str) -> list[tuple[str, str | None]]:
    found = described(OURCTL % case)
    return [
        (error.message, error.help)
        for one in found
        for case_of in one.cases
        for error in case_errors(case_of, reading(found))
    ]


@pytest.mark.parametrize(
    "case",
    [
        "ourctl get pods: read-only",
        "ourctl -n prod destroy web: cluster/deletes",
        "ourctl get pods -o a.txt: writes a.txt",
        '"ourctl run rm -rf x": "cluster/runs, runs rm -rf x"',
        '"ourctl run rm -rf x": [cluster/runs, runs rm -rf x]',
        '"ourctl run echo a, b": "cluster/runs, runs echo a, b"',
        "ourctl put a.txt: sends a.txt",
        '"ourctl put a.txt": "network, sends a.txt, reads a.txt"',
    ],
)
def test_a_case_that_says_what_acts_holds(case):
    assert failures(case) == []


@pytest.mark.parametrize(
    ("case", "message", "help"),
    [
        (
            "ourctl destroy web: read-only",
            "the case `ourctl destroy web` fails: there is no read-only; it is also cluster/deletes",
            "Interlock finds: cluster/deletes",
        ),
        (
            "ourctl get -o a.txt: read-only",
            "the case `ourctl get -o a.txt` fails: there is no read-only; it also writes a.txt",
            "Interlock finds: writes a.txt",
        ),
        (
            "ourctl run ls: cluster/runs",
            "the case `ourctl run ls` fails: it also runs ls",
            "Interlock finds: cluster/runs, runs ls",
        ),
        (
            '"ourctl get pods": "read-only, reads pods"',
            "the case `ourctl get pods` fails: it is not so that it reads pods",
            "Interlock finds: read-only",
        ),
        (
            "ourctl frob x: changes",
            "the case `ourctl frob x` fails: `frob` is not described",
            'list it under `does`; `"*"` covers every word there',
        ),
        (
            "ourctl env show x: read-only",
            "the case `ourctl env show x` fails: `show` is not described",
            'list it under `does`; `"env *"` covers every word behind `env`',
        ),
        (
            "ourctl run --tty ls: cluster/runs",
            "the case `ourctl run --tty ls` fails: `--tty` is not described",
            "describe it, or leave it out",
        ),
        (
            "nobody get x: read-only",
            "the case `nobody get x` fails: nothing is known of `nobody`",
            "describe it, or leave it out",
        ),
        (
            "ourctl get a; ourctl get b: read-only",
            "the case `ourctl get a; ourctl get b` has 2 commands; expected one",
            "quote what the shell would read otherwise",
        ),
    ],
)
def test_a_case_that_does_not_hold_says_what_is_found(case, message, help):
    assert failures(case) == [(message, help)]
