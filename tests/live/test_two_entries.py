"""Copilot CLI reads Claude Code's settings beside its own: it is guarded by either, and once by both."""

from __future__ import annotations

import pytest

from interlock.hosts.base.driving import ModelCall
from tests.live.drive import HOSTS, required
from tests.live.guarding import Guarded
from tests.live.world import World
from tests.person import Person, statuses, yes

DENY = "{id: no-forbidden, command: touch forbidden, deny: Not that file.}"
REDACT = "{id: hides, event: PostToolUse, content: '/hunter[0-9]+/', output: '[hidden]'}"
CHANGE = "{id: changes, command: touch before, change: {command: touch after}}"
ASK = "{id: asks, command: touch asked, ask: Make the file?}"
TOUCHED = "{id: touched, command: touch, context: The tide is high.}"
OFTEN = "{id: often, command: touch, when: 'count(\"touched\") >= 2', deny: Twice is enough.}"
PROMPTED = "{id: prompted, event: UserPromptSubmit, context: The wind is low.}"


@pytest.fixture
def copilot(world: World) -> Guarded:
    return Guarded(required(HOSTS["copilot"]), world)


def put_under(copilot: Guarded, *rules: str, top: str = "inbox: {wait: 1s}\n") -> None:
    """A policy, and Interlock's entries for Claude Code alone, in the settings that only this person has."""
    copilot.policy(*rules, top=top)
    copilot.interlock("init", "--host", "claude-code", "--scope", "local", "--yes")


def put_under_both(copilot: Guarded, *rules: str, top: str = "inbox: {wait: 1s}\n") -> None:
    put_under(copilot, *rules, top=top)
    copilot.interlock("init", "--host", "copilot", "--scope", "project", "--yes")


def test_entries_for_claude_code_guard_copilot_in_its_own_form(copilot: Guarded):
    put_under(copilot, DENY, REDACT, CHANGE, ASK)
    world, shell = copilot.world, copilot.host.shell
    world.write("notes.txt", "The word is hunter22.\n")
    ran = copilot.run(
        shell("touch forbidden"), shell("touch fine"), shell("cat notes.txt"), shell("touch before"),
        shell("touch asked"), "Done.",
    )  # fmt: skip
    made = {name: world.has(name) for name in ("forbidden", "fine", "before", "after", "asked")}
    assert made == {"forbidden": False, "fine": True, "before": False, "after": True, "asked": False}
    assert ran.results[0] == "Denied by preToolUse hook: Not that file."
    assert "[hidden]" in ran.results[2]
    assert not ran.reached_the_model("hunter22")
    assert "no one answered" in ran.results[4]
    assert {one.record["host"] for one in copilot.records("PreToolUse")} == {"copilot"}


def lose_program(copilot: Guarded) -> None:
    """What the entries name is deleted."""
    (launcher,) = copilot.world.home.rglob("interlock-hook")
    launcher.unlink()


def test_entries_for_claude_code_whose_program_is_deleted_deny_every_call_of_copilot(copilot: Guarded):
    put_under(copilot, DENY)

    def deleted() -> ModelCall:
        lose_program(copilot)
        return copilot.host.shell("touch fine")

    ran = copilot.run(copilot.host.shell("touch before"), deleted, "Done.")
    assert (copilot.world.has("before"), copilot.world.has("fine")) == (True, False)
    assert ran.results[1] == 'Denied by preToolUse hook from "repo settings" (hook errored)'


def test_a_daemon_that_starts_puts_the_deleted_program_back_before_copilot_makes_a_call(copilot: Guarded):
    put_under(copilot, DENY)
    lose_program(copilot)
    ran = copilot.run(copilot.host.shell("touch forbidden"), copilot.host.shell("touch fine"), "Done.")
    assert (copilot.world.has("forbidden"), copilot.world.has("fine")) == (False, True)
    assert ran.results[0] == "Denied by preToolUse hook: Not that file."


def test_a_call_that_copilot_shows_to_two_entries_is_asked_about_once(copilot: Guarded):
    put_under_both(copilot, DENY, ASK, top="inbox: {wait: 1m}\n")
    with Person(copilot.store, yes) as person:
        ran = copilot.run(copilot.host.shell("touch forbidden"), copilot.host.shell("touch asked"), "Done.")
    assert (copilot.world.has("forbidden"), copilot.world.has("asked")) == (False, True), ran.results
    assert ran.results[0] == "Denied by preToolUse hook: Not that file."
    assert len(person.asked) == 1
    assert statuses(copilot.store) == ["yes"]


def test_what_copilot_shows_to_two_entries_counts_once(copilot: Guarded):
    put_under_both(copilot, TOUCHED, OFTEN, PROMPTED)
    ran = copilot.run(*(copilot.host.shell(f"touch {name}") for name in ("one", "two", "three")), "Done.")
    assert [copilot.world.has(name) for name in ("one", "two", "three")] == [True, True, False]
    assert "Twice is enough." in ran.results[2]
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    counted = {event: len(copilot.records(event)) for event in events}
    assert counted == dict.fromkeys(events, 1) | {"PreToolUse": 3, "PostToolUse": 2}
    assert ran.requests[0].everything.count("The wind is low.") == 1
