"""The real SDK client without anybody to ask: calls wait in the inbox. With somebody, the first answer counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.binding.sdk import guard, options_with, play, policy_of, sdk
from tests.e2e.model import bash
from tests.page.person import edit_to, on_the_page
from tests.person import Person, no, statuses, yes
from tests.waiting import until

ASK = "{id: asked, command: touch, ask: Touch it?}"
BOTH = "{id: asked, command: touch, ask: Touch it?, approve: both}"
NEVER = "{id: never, command: cp, deny: Never copy.}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "store" / "interlock.db"


def guarded(folder: Path, place: Path, *rules: str, top: str = "", **more: Any) -> Any:
    policy = policy_of(folder, *rules, top=top)
    return lambda options: guard(options, policy=policy, store=place, alone=True, **more)


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.is_file())


async def never(tool: str, given: dict[str, Any], context: Any) -> Any:
    await anyio.sleep_forever()


async def agrees(tool: str, given: dict[str, Any], context: Any) -> Any:
    return sdk.PermissionResultAllow(updated_input=given)


def test_a_call_waits_and_runs_once_a_person_says_yes(project: Path, tmp_path: Path, place: Path):
    with Person(place, yes):
        ran = play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, ASK))
    assert (files(project), [error for _, error in ran.results]) == (["a"], [False])


def test_a_person_answers_in_a_browser(project: Path, tmp_path: Path, place: Path):
    with Person(place, on_the_page(edit_to("touch b"))):
        play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, ASK))
    assert files(project) == ["b"]


def test_a_yes_with_an_edit_runs_the_edited_call(project: Path, tmp_path: Path, place: Path):
    with Person(place, lambda store, request: yes(store, request, edit={"command": "touch b"})):
        play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, ASK, NEVER))
    assert files(project) == ["b"]


def test_the_model_reads_a_no_with_its_note(project: Path, tmp_path: Path, place: Path):
    with Person(place, lambda store, request: no(store, request, "Not today.")):
        ran = play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, ASK))
    assert files(project) == []
    assert ran.results[0][0].endswith("ann did not approve this call: Not today.")


def test_without_an_answer_in_time_the_call_is_denied(project: Path, tmp_path: Path, place: Path):
    ran = play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, ASK, top="inbox: {wait: 1s}"))
    assert files(project) == []
    assert "no one answered within 1 s. The request stays open" in ran.results[0][0]


def test_of_can_use_tool_and_the_inbox_the_first_answer_counts(project: Path, tmp_path: Path, place: Path):
    with Person(place, yes):
        play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, BOTH), can_use_tool=never)
    play(project, [bash("touch b"), "Done."], guarded(tmp_path, place, BOTH), can_use_tool=agrees)
    assert files(project) == ["a", "b"]
    assert statuses(place) == ["yes", "over"]


def test_an_edit_in_the_inbox_is_judged_although_the_host_asks_too(project: Path, tmp_path: Path, place: Path):
    copy = Person(place, lambda store, request: yes(store, request, edit={"command": "cp a b"}))
    with copy:
        ran = play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, BOTH, NEVER), can_use_tool=never)
    assert files(project) == []
    assert "Never copy." in ran.results[0][0]


def test_a_rule_may_want_the_inbox_although_there_is_can_use_tool(project: Path, tmp_path: Path, place: Path):
    rule = "{id: asked, command: touch, ask: Touch it?, approve: inbox}"
    with Person(place, yes):
        play(project, [bash("touch a"), "Done."], guarded(tmp_path, place, rule), can_use_tool=never)
    assert files(project) == ["a"]


def test_a_callback_that_is_cancelled_while_it_waits_leaves_the_request_open(tmp_path: Path, place: Path):
    options = options_with(tmp_path, ASK, store=place)
    ((matcher),) = options.hooks["PreToolUse"]
    (callback,) = matcher.hooks
    event = {
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "", "cwd": str(tmp_path),
        "tool_name": "Bash", "tool_input": {"command": "touch a"}, "tool_use_id": "t1",
    }  # fmt: skip

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(callback, event, "t1", {"signal": None})
            while not place.exists() or statuses(place) != ["waiting"]:
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()

    anyio.run(main)
    until(lambda: statuses(place) == ["open"])  # the thread that judged it may be a moment behind
