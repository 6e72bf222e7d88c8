"""`interlock prune`: a person removes old records."""

from __future__ import annotations

import getpass
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon.upkeep import Upkeep
from interlock.policy.inbox_settings import RecordSettings
from interlock.store.base import Entry
from interlock.store.place import open_store
from tests.cli.test_lift import at_a_terminal
from tests.lint.project import Project

DAY = 86_400.0


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    with closing(open_store()) as store:

        def fill() -> None:
            for _ in range(63):
                store.commit(Entry(record={"event": "Stop"}, raw=b"", at=time.time() - 100 * DAY))

        threads = [threading.Thread(target=fill) for _ in range(16)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        store.commit(Entry(record={"event": "Stop"}, raw=b"", at=time.time()))
    return made


def records() -> int:
    with closing(open_store()) as store:
        return sum(1 for _ in store.records())


def test_a_person_sees_how_many_are_removed_and_agrees(project: Project):
    code, said = project.said("prune", "--before", "90d", "--dry-run")
    assert (code, said.startswith("This would remove 1,000 records from before ")) == (0, True)
    assert at_a_terminal("prune", "--before", "90d", answer=b"n\n") == (1, "error: nothing was removed\n")
    assert records() == 1009
    code, said = at_a_terminal("prune", "--before", "90d")
    assert (code, said.startswith("Removed 1,000 records from before ")) == (0, True)
    assert records() == 10
    with closing(open_store()) as store:
        said_of_it = next(store.records(newest=1)).record
    assert (said_of_it["event"], said_of_it["records"], said_of_it["by"]) == ("Prune", 1000, getpass.getuser())
    assert project.said("log", "--verify")[0] == 0
    code, said = project.said("prune", "--before", "90d", "--dry-run")
    assert (code, said.startswith("There are no records from before ")) == (0, True)


def test_the_result_is_there_for_programs(project: Project):
    assert project.data("prune", "--before", "90d", "--dry-run") == {"removed": 0, "would_remove": 1000}
    code, said = at_a_terminal("prune", "--before", "90d", "--yes", "--json")
    assert (code, json.decode(said)) == (0, {"removed": 1000, "would_remove": 0})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--before", "90d", "--yes"), "only a person at a terminal can remove records"),
        (("--before", "1h", "--dry-run"), "records of the last day stay"),
        (("--before", "soon", "--dry-run"), "`soon` is neither a time nor a duration"),
    ],
)
def test_nothing_is_removed_by_mistake(project: Project, arguments: tuple[str, ...], says: str):
    ran = project.run("prune", *arguments)
    assert (ran.exit_code, says in ran.output, records()) == (1, True, 1009)


def test_the_daemon_removes_what_the_policy_does_not_keep(project: Project):
    with closing(open_store()) as store:
        assert Upkeep(lambda: store, lambda: RecordSettings()).look() == 0
        assert Upkeep(lambda: store, lambda: RecordSettings(keep=101 * DAY)).look() == 0
        assert Upkeep(lambda: store, lambda: RecordSettings(keep=30 * DAY)).look() == 1000
        assert next(store.records(newest=1)).record["by"] == "record.keep"
        assert store.verify().problems == []
