"""Every cell of the matrix in the documentation, held against the real hosts.

The cells are made from the dialects. Here they are made from what was on the disk after a few runs, from what the model
read, and from what a person saw at a terminal.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from interlock.hosts import host_of
from interlock.hosts.base.capabilities import Capabilities, ResultFate, capabilities_of
from interlock.store.sqlite import SqliteStore
from tests.live.drive import HOSTS, Host, required
from tests.live.guarding import Guarded
from tests.live.terminal import Terminal
from tests.live.world import World
from tests.screen import ENTER

Worlds = Callable[[], World]

DENY = "{id: denies, command: touch denied, deny: Not that file.}"
CHANGE = "{id: changes, command: touch before, change: {command: touch after}}"
TELL = "{id: tells, command: touch told, context: The tide is high.}"
REDACT = "{id: hides, event: PostToolUse, content: '/hunter[0-9]+/', output: '[hidden]'}"
REMARK = "{id: remarks, event: PostToolUse, command: touch told, context: The tide was high.}"
STOP = "{id: stops, command: touch stopped, deny: No further., interrupt: true}"
ASK = "{id: asks, command: touch asked, ask: Make the file?}"
ALLOW = "{id: allows, command: touch allowed, path: {write: allowed}, allow: true}"


@pytest.mark.parametrize("name", HOSTS)
def test_every_cell_of_the_matrix_is_what_the_host_does(name: str, worlds: Worlds):
    host = required(HOSTS[name])
    claimed = capabilities_of(host_of(name))
    seen = Capabilities(
        **seen_without_a_person(host, worlds()),
        failed=failed_result(host, worlds()),
        asks=shows_a_question(host, worlds()),
        allows=spares_the_question(host, worlds()),
        fails_closed=refuses_without_interlock(host, worlds()),
        seconds=claimed.seconds,  # see test_patience.py
    )
    assert seen == claimed
    assert host_of(name).from_documents == ()


def seen_without_a_person(host: Host, world: World) -> dict[str, Any]:
    guarded = Guarded(host, world)
    guarded.guard(DENY, CHANGE, TELL, REDACT, REMARK, STOP)
    world.write("notes.txt", "The word is hunter22.\n")
    ran = guarded.run(
        host.shell("touch denied"), host.shell("touch before"), host.shell("touch told"), host.shell("cat notes.txt"),
        host.shell("touch stopped"), "Done.",
    )  # fmt: skip
    assert (world.has("before"), world.has("told"), world.has("stopped")) == (False, True, False)
    assert world.has("after") or "touch after" in ran.results[1]
    return {
        "denies": not world.has("denied") and "Not that file." in ran.results[0],
        "changes": world.has("after"),
        "context_before": ran.reached_the_model("The tide is high."),
        "context_after": ran.reached_the_model("The tide was high."),
        "result": fate(ran.results[3], "hunter22", asked=True),
        "stops": len(ran.results) == 4,
    }


def failed_result(host: Host, world: World) -> ResultFate:
    """What becomes of the result of a tool that failed, if a rule would hide some of it."""
    guarded = Guarded(host, world)
    guarded.guard(REDACT)
    ran = guarded.run(host.absent(world, "hunter22"), "Done.")
    asked = [*guarded.records("PostToolUse"), *guarded.records("PostToolUseFailure")]
    return fate(ran.results[0] if ran.results else "", "hunter22", asked=asked != [])


def fate(result: str, secret: str, *, asked: bool) -> ResultFate:
    if secret in result:
        return "shown" if asked else "unseen"
    return "replaced" if "[hidden]" in result else "withheld"


def shows_a_question(host: Host, world: World) -> bool:
    """Whether a person at the terminal is shown the question of a rule; if not, it waits in the inbox."""
    guarded = Guarded(host, world)
    guarded.guard(ASK, top="inbox: {wait: 1m}\n")

    def waits() -> bool:
        if not guarded.store.exists():
            return False
        with closing(SqliteStore(guarded.store)) as store:
            return store.requests(["waiting"]) != []

    with Terminal(host, world, host.shell("touch asked"), "Done.") as terminal:
        where = terminal.first(inbox=waits, prompt=lambda: terminal.shows("Make the file?"))
        assert not world.has("asked")
        if where == "prompt":
            assert not waits()
            terminal.press(ENTER)
            terminal.first(made=lambda: world.has("asked"))
    return where == "prompt"


def spares_the_question(host: Host, world: World) -> bool:
    """Whether a call that a rule allows runs at once, where the next one is up to the host's own permissions."""
    guarded = Guarded(host, world)
    guarded.guard(ALLOW)
    calls = [host.questionable("touch allowed"), host.questionable("touch other")]
    with Terminal(host, world, *calls, "Done.", careful=True) as terminal:
        terminal.first(question=lambda: terminal.shows(host.question))
        assert not world.has("other")
        return world.has("allowed")


def refuses_without_interlock(host: Host, world: World) -> bool:
    guarded = Guarded(host, world)
    guarded.guard(DENY)
    guarded.replace_in_entries("/python", "/python-that-is-gone")
    guarded.run(host.shell("touch made"), "Done.")
    return not world.has("made")
