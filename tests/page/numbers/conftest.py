"""A page over a record of two months, in a project of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.config.trust import Trust
from interlock.doctor.finding import Finding, ok
from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.guard_watch import GuardWatch
from interlock.page.serving import serving
from tests.page.history import NOON, Past, busy_weeks


@pytest.fixture
def past(tmp_path: Path) -> Iterator[Past]:
    """A project whose policy a person has trusted. Tests fill the record before they ask for the page."""
    made = Past(tmp_path)
    Trust().add(made.file)
    yield made
    made.close()


@pytest.fixture
def weeks(past: Past) -> Past:
    busy_weeks(past)
    return past


def looks_fine(project: Path) -> Iterator[Finding]:
    yield ok("settings", f"all events have entries in {project}")


@pytest.fixture
def context(past: Past, tmp_path: Path) -> Iterator[PageContext]:
    def clock() -> float:
        return NOON.timestamp() + 60

    made = PageContext(
        store=past.store,
        folder=tmp_path / "page",
        project=past.project,
        clock=clock,
        person="ann",
        guard=GuardWatch(past.project, clock, looks_fine),
    )
    made.digest.catch_up()
    yield made
    made.digest.close()


@pytest.fixture
def address(context: PageContext, listener, door) -> Iterator[str]:
    with serving(build_app(context, door), listener) as found:
        yield found
