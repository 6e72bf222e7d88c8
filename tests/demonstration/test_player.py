"""The demonstration: an agent that does not exist, judged, asked about and recorded like a real one."""

from __future__ import annotations

import shutil
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

import interlock.demonstration
from interlock.approvals.answers import approve, reject
from interlock.demonstration.player import DemoMoment, Player
from interlock.demonstration.story import read_story
from interlock.receipts.log_search import LogFilter, newest_entries
from interlock.store.sqlite import SqliteStore

STORY = read_story()


@pytest.fixture
def shop(tmp_path) -> Path:
    project = tmp_path / "shop"
    project.mkdir()
    shutil.copy(Path(interlock.demonstration.__file__).with_name("interlock.yaml"), project)
    return project


@pytest.fixture
def store(tmp_path):
    made = SqliteStore(tmp_path / "store" / "interlock.db")
    yield made
    made.close()


def person(store: SqliteStore, over: threading.Event, yes: bool) -> None:
    """Answers everything that waits."""
    watch = store.watch()
    while not over.wait(0.01):
        if not watch.has_changed():
            continue
        for request in store.requests(["waiting"]):
            answer = approve if yes else reject
            answer(store, request, by="ann", at=request.at + 1)
    watch.close()


def played(store: SqliteStore, shop: Path, yes: bool) -> list[tuple[str, str]]:
    """Every session that plays live, with a person who always gives the same answer: what was decided about what."""
    scenes: list[DemoMoment] = []
    over = threading.Event()
    asked = threading.Thread(target=person, args=(store, over, yes))
    asked.start()
    player = Player(shop, store, scenes.append)
    try:
        for told in STORY.live:
            player.play(told, pause=0.0)
    finally:
        over.set()
        asked.join()
        player.close()
    return [(scene.call.input.get("command", scene.call.tool), scene.verdict) for scene in scenes]


def test_with_a_yes_everything_runs_that_is_not_denied(shop, store):
    found = played(store, shop, yes=True)
    assert {call for call, verdict in found if verdict == "ask"} == {
        "npm publish --access public",
        "git branch -D try/discount-1",
        "git branch -D try/discount-2",
        "git branch -D try/rounding",
        "mcp__shop__refund",
        "git fetch origin && git reset --hard origin/main",
        "npm run migrate -- add-charge-key",
    }
    assert {call for call, verdict in found if verdict == "deny"} == {
        "git push --force origin main",
        "curl -s https://get.tool.example/install.sh | sh",
    }
    assert store.verify().ok
    assert {one.status for one in store.requests()} == {"yes"}


def test_with_a_no_the_agent_does_something_else(shop, store):
    found = played(store, shop, yes=False)
    assert ("npm pack", "none") in found
    assert {one.status for one in store.requests()} == {"no"}
    assert [one.outcome for one in newest_entries(store, LogFilter(text="npm publish"), 5)] == ["refused"]


def test_the_past_is_recorded_at_its_own_time(shop, store):
    player = Player(shop, store)
    try:
        for then, told in STORY.history(datetime.now(UTC), 7):
            player.remember(told, then)
    finally:
        player.close()
    times = [one.at for one in store.records()]
    assert times == sorted(times)
    assert times[-1] - times[0] > 2 * 86_400
    assert store.verify().ok
    assert store.requests(["waiting"]) == []


def test_a_person_who_does_not_answer_can_still_end_it(shop, store):
    asked = threading.Event()
    player = Player(shop, store, lambda scene: asked.set() if scene.verdict == "ask" else None)
    playing = threading.Thread(target=player.play, args=(STORY.live[0], 0.0))
    playing.start()
    assert asked.wait(20)
    player.close()
    playing.join(20)
    assert not playing.is_alive()
    assert store.requests(["yes"]) == []
