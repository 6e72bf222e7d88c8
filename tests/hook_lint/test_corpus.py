"""Lint on a corpus of hooks in many styles: it finds what does nothing, and leaves right hooks alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.hook_lint.checks import CHECKS
from tests.hook_lint.figures import Judged, judge, measure


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> list[Judged]:
    folder: Path = tmp_path_factory.mktemp("corpus")
    return judge(folder)


def test_precision_and_recall(judged: list[Judged]):
    figures = measure(judged)
    assert (figures.hooks >= 80, figures.precision >= 0.95, figures.recall >= 0.85) == (True, True, True), figures
    assert figures.right * 10 >= figures.hooks * 3


def test_no_right_hook_is_complained_about(judged: list[Judged]):
    assert {one.name: one.false_alarms for one in judged if not one.deserved and one.found} == {}


def test_every_label_is_a_code_of_a_check(judged: list[Judged]):
    assert {code for one in judged for code in one.deserved} <= {check.code for check in CHECKS}
