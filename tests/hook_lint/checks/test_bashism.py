"""IL505: what only bash understands, run by a plain shell."""

from __future__ import annotations

import pytest

from interlock.hook_lint.checks import bashism
from tests.hook_lint.checks.asking import findings, lines

_TEXT = "C=$(jq -r .tool_input.command)\n[[ $C == *rm* ]] && exit 2\nexit 0\n"


@pytest.mark.parametrize(
    ("first", "more"),
    [
        ("#!/bin/sh\n", {}),
        ("#!/usr/bin/env sh\n", {}),
        ("#!/bin/dash\n", {}),
        ("#!/bin/sh\n", {"command": "./guard.sh"}),
        ("#!/bin/bash\n", {"command": "sh guard.sh"}),
        ("", {"command": "./guard.sh"}),
        ("", {"command": "the whole line", "name": "settings.sh"}),
    ],
)
def test_a_plain_shell_does_not_know_double_brackets(first, more):
    assert len(lines(bashism, first + _TEXT, **more)) == 1


@pytest.mark.parametrize(
    ("first", "more"),
    [
        ("#!/bin/bash\n", {}),
        ("#!/usr/bin/env zsh\n", {"command": "./guard.sh"}),
        ("", {}),  # it is not known which shell runs it
        ("#!/bin/sh\n", {"command": "bash guard.sh"}),
        ("", {"command": "bash guard.sh"}),
    ],
)
def test_a_shell_that_knows_them_is_left_alone(first, more):
    assert lines(bashism, first + _TEXT, **more) == []


def test_a_plain_script_is_left_alone():
    text = "#!/bin/sh\nC=$(jq -r .tool_input.command)\ncase $C in *rm*) exit 2 ;; esac\n"
    assert lines(bashism, text) == []


def test_the_first_form_is_shown_and_others_are_named():
    text = "#!/bin/sh\nset -o pipefail\nA=(a b)\n[[ -f x ]] && cat <<< x\n"
    assert findings(bashism, text) == [
        (2, "`sh` runs this, and it has no `set -o pipefail` (nor `name=(…)`, `[[`, `<<<`)")
    ]
