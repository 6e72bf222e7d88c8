"""Hook programs that were written for Claude Code, run by Interlock on the real hosts: one policy has one meaning.

Each row of what hosts do with such an answer is played again, with the program in the policy and Interlock's entries in
the host.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from interlock.hosts import host_of
from interlock.hosts.base.capabilities import capabilities_of
from interlock.hosts.base.driving import PROMPT
from tests.live import promised, rows
from tests.live.drive import CODEX_SCRIPTS, HOSTS, Host, required
from tests.live.guarding import Guarded
from tests.live.rows import SECRET, Row, batches, text_of
from tests.live.world import Run, World

Worlds = Callable[[], World]
ALL = {**HOSTS, "codex-scripts": CODEX_SCRIPTS}
RULE = "{id: no-forbidden, command: touch forbidden, deny: Not that file.}"


def guard(host: Host, world: World, event: str, rows: dict[str, Row]) -> Guarded:
    """A world in which a program answers the events of these rows, and one that is missing is asked about files."""
    for name, row in rows.items():
        world.answer(event, when=name, **row.says(event, text_of(name), name))
    asked = f"{{run: {json.dumps(world.hook(event))}, event: {event}, timeout: 5s}}"
    if event != "UserPromptSubmit":
        asked = asked.replace("timeout", "tool: Bash, timeout")
    missing = f"{{run: [{world.folder / 'missing' / 'hook'}], event: PreToolUse, tool: Write}}"
    guarded = Guarded(host, world)
    guarded.guard(RULE, top=f"inbox: {{wait: 1s}}\nhooks:\n  - {asked}\n  - {missing}\n")
    return guarded


def named(rows: Sequence[Row]) -> dict[str, Row]:
    return {f"row{number}x": row for number, row in enumerate(rows)}


@pytest.mark.parametrize("name", ALL)
def test_what_a_hook_program_answers_about_a_call_is_obeyed_on_every_host(name: str, worlds: Worlds):
    host = required(ALL[name])
    first, *others = batches(rows.BEFORE)
    found: dict[str, str] = {}
    for batch in ([*first, rows.HANG, rows.MISSING], *others):
        world, played = worlds(), named(batch)
        guarded = guard(host, world, "PreToolUse", played)
        calls = [
            host.write(world, f"{name}.made") if row is rows.MISSING else host.shell(f"touch {name}.made")
            for name, row in played.items()
        ]
        ran = guarded.run(*calls, "Done.")
        found |= {row.name: fate(guarded, ran, at, name, row) for at, (name, row) in enumerate(played.items())}
    assert found == {row: promise.fate for row, promise in promised.BEFORE.items()}


def fate(guarded: Guarded, ran: Run, at: int, name: str, row: Row) -> str:
    can, words = capabilities_of(host_of(guarded.host.name)), promised.BEFORE[row.name].words
    if guarded.world.has(f"{name}.made"):
        return "runs"
    if guarded.world.has(f"{name}.changed"):
        return "made safe"
    if len(ran.results) <= at:
        return "refused" if row.alone and can.stops else "nothing is known of it"
    if not can.changes and f"touch {name}.changed" in ran.results[at]:
        return "made safe"
    return "refused" if words in ran.results[at] else f"refused, but the model reads: {ran.results[at]}"


@pytest.mark.parametrize("name", ALL)
def test_what_a_hook_program_answers_about_a_result_is_obeyed_on_every_host(name: str, worlds: Worlds):
    host = required(ALL[name])
    found: dict[str, str] = {}
    for batch in batches(rows.AFTER):
        played = named(batch)
        guarded = guard(host, worlds(), "PostToolUse", played)
        ran = guarded.run(*(host.shell(f"echo {name}; echo {SECRET}{name}") for name in played), "Done.")
        found |= {row.name: shown(ran, name) for name, row in played.items()}
    assert found == promised.AFTER


def shown(ran: Run, name: str) -> str:
    # In the call itself the model reads of its own making: only the results count.
    if not any(f"{SECRET}{name}" in result for request in ran.requests for result in request.results):
        return "hidden"
    return "told" if ran.reached_the_model(text_of(name)) else "kept"


@pytest.mark.parametrize("name", HOSTS)
def test_what_a_hook_program_answers_to_a_prompt_is_obeyed_on_every_host(name: str, worlds: Worlds):
    host = required(HOSTS[name])
    found = {}
    for row in rows.PROMPT:
        guarded = guard(host, worlds(), "UserPromptSubmit", {PROMPT: row})
        ran = guarded.run("Done.")
        told = "told" if ran.reached_the_model(text_of(PROMPT)) else "passes"
        found[row.name] = told if ran.requests else "refused"
    assert found == promised.PROMPT


def test_the_promises_are_about_every_row():
    assert set(promised.BEFORE) == {row.name for row in (*rows.BEFORE, rows.HANG, rows.MISSING)}
    assert set(promised.AFTER) == {row.name for row in rows.AFTER}
    assert set(promised.PROMPT) == {row.name for row in rows.PROMPT}
