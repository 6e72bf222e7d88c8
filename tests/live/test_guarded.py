"""Real hosts with Interlock installed: what is on the disk afterwards, and what the model was told.

What a host can do is taken from its dialect, which the documentation shows as a table: what it honours happens, and
what it does not is replaced by something stricter.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from interlock.hosts import HOSTS as ROOMS
from interlock.hosts.base.driving import ModelCall
from tests.live.drive import CODEX_SCRIPTS, HOSTS, required
from tests.live.guarding import Guarded
from tests.live.world import World
from tests.person import Person, no, yes

# Codex twice: newer models call tools from scripts, and each call must be judged all the same.
GUARDED = {name: host for name, host in {**HOSTS, "codex-scripts": CODEX_SCRIPTS}.items() if host.name in ROOMS}
DESK = [sys.executable, str(Path(__file__).with_name("desk.py"))]
DENY = "{id: no-forbidden, command: touch forbidden, deny: Not that file.}"
WRITE = "{id: no-secrets, path: {write: secret.txt}, deny: Not into that file.}"
CHANGE = "{id: changes, command: touch before, change: {command: touch after}}"
REDACT = "{id: hides, event: PostToolUse, content: '/hunter[0-9]+/', output: '[hidden]'}"
CONTEXT = "{id: tells, command: touch fine, context: The tide is high.}"
ASK = "{id: asks, command: touch asked, ask: Make the file?}"


@pytest.fixture(params=GUARDED)
def guarded(request: pytest.FixtureRequest, world: World) -> Guarded:
    return Guarded(required(GUARDED[request.param]), world)


def honours(guarded: Guarded, event: str, effect: str) -> bool:
    return effect in ROOMS[guarded.host.name].dialect.honours(event)


def test_a_denied_call_does_not_run_and_the_model_reads_why(guarded: Guarded):
    guarded.guard(DENY, WRITE)
    host, world = guarded.host, guarded.world
    ran = guarded.run(
        host.shell("touch forbidden"), host.write(world, "secret.txt"), host.write(world, "open.txt"),
        host.shell("touch fine"), "Done.",
    )  # fmt: skip
    assert (world.has("forbidden"), world.has("secret.txt")) == (False, False)
    assert "Not that file." in ran.results[0]
    assert "Not into that file." in ran.results[1]
    assert (world.has("open.txt"), world.has("fine")) == (True, True)
    decisions = [record.decision for record in guarded.records("PreToolUse")]
    assert decisions[:2] == ["deny", "deny"]


def test_calls_that_a_model_makes_at_once_are_judged_one_by_one(guarded: Guarded):
    guarded.guard(DENY, REDACT, CHANGE, ASK)
    guarded.world.write("notes.txt", "The word is hunter22.\n")
    commands = ("touch forbidden", "touch fine", "cat notes.txt", "touch asked", "touch before", "touch forbidden")
    ran = guarded.run([guarded.host.shell(command) for command in commands], "Done.")
    made = [guarded.world.has(name) for name in ("forbidden", "fine", "asked", "before")]
    assert made == [False, True, False, False]
    assert not ran.reached_the_model("hunter22")
    assert ["Not that file." in result for result in ran.results] == [True, False, False, False, False, True]


def test_a_subagent_is_judged_like_the_agent_that_starts_it(guarded: Guarded):
    if guarded.host is HOSTS["codex"]:
        pytest.skip("its older models start no subagents")
    guarded.guard(DENY, WRITE)
    host, world = guarded.host, guarded.world
    calls = [host.shell("touch forbidden"), host.write(world, "secret.txt"), host.shell("touch fine")]
    guarded.run(*host.helper(), "Done.", helper=[*calls, "Done."])
    assert [world.has(name) for name in ("forbidden", "secret.txt", "fine")] == [False, False, True]
    assert [one.decision for one in guarded.records("PreToolUse", "Bash")] == ["deny", None]


def test_a_rule_about_a_tool_of_an_mcp_server_holds_on_every_host(guarded: Guarded):
    if guarded.host is HOSTS["codex"]:
        pytest.skip("its older models must look a server's tools up before they call them")
    guarded.guard("{id: no-money, tool: mcp__pay_desk__send_money, when: input.amount > 10, deny: Too much.}")
    guarded.host.serve(guarded.world, "pay_desk", DESK)
    much, little = ({"amount": amount, "to": "bob"} for amount in (20, 5))
    call = guarded.host.mcp
    ran = guarded.run(call("pay_desk", "send_money", much), call("pay_desk", "send_money", little), "Done.")
    assert "Too much." in ran.results[0]
    assert "sent" not in ran.results[0]
    assert "sent" in ran.results[1]


def test_a_change_is_made_or_the_call_is_denied(guarded: Guarded):
    guarded.guard(CHANGE)
    ran = guarded.run(guarded.host.shell("touch before"), "Done.")
    assert not guarded.world.has("before")
    assert guarded.world.has("after") == honours(guarded, "PreToolUse", "change")
    assert honours(guarded, "PreToolUse", "change") or "touch after" in ran.results[0]


def test_a_file_that_is_written_is_changed_or_the_call_is_denied(guarded: Guarded):
    stamp = "{id: stamps, tool: Write, unless: {content: '# stamp'}, change: {content: \"# stamp\\n${input.content}\"}}"
    guarded.guard(stamp)
    ran = guarded.run(guarded.host.write(guarded.world, "made.py", "x = 1\n"), "Done.")
    if honours(guarded, "PreToolUse", "change"):
        assert guarded.world.read("made.py") == "# stamp\nx = 1\n", ran.results
    else:
        assert not guarded.world.has("made.py")
        assert "# stamp" in ran.results[0]


def test_a_rule_reads_what_a_server_returned_as_the_value_that_it_is(guarded: Guarded):
    if guarded.host is HOSTS["codex"]:
        pytest.skip("its older models must look a server's tools up before they call them")
    guarded.guard(
        "{id: sent, event: PostToolUse, tool: mcp__pay_desk__send_money, when: 'output.sent.amount == 5.0', "
        "context: The money is gone.}",
        "{id: hides, event: PostToolUse, tool: mcp__pay_desk__send_money, when: 'output.sent.amount == 7.0', "
        "output: {sent: {amount: 7, to: '[hidden]'}}}",
    )
    guarded.host.serve(guarded.world, "pay_desk", [*DESK, "json"])
    five, seven = ({"amount": amount, "to": "bob"} for amount in (5, 7))
    call = guarded.host.mcp
    ran = guarded.run(call("pay_desk", "send_money", five), call("pay_desk", "send_money", seven), "Done.")
    assert ran.reached_the_model("The money is gone.") == honours(guarded, "PostToolUse", "context")
    assert "[hidden]" in ran.results[1]
    assert "bob" not in ran.results[1]


# Hosts that say which subagent makes a call → the call that starts one with a shell, and its type.
AGENTS = {
    "copilot": (
        ModelCall("task", {"description": "a", "prompt": "Go.", "agent_type": "explore", "name": "one"}),
        "explore",
    ),
    "opencode": (ModelCall("task", {"description": "a", "prompt": "Go.", "subagent_type": "general"}), "general"),
    "qwen": (ModelCall("agent", {"description": "a", "prompt": "Go.", "subagent_type": "Explore"}), "Explore"),
}


def test_a_subagent_is_known_by_its_type_and_acts_in_the_session_of_the_person(guarded: Guarded):
    if guarded.host.name not in AGENTS:
        pytest.skip("it has no subagent with a shell, or does not say which one acts")
    start, kind = AGENTS[guarded.host.name]
    guarded.guard(f"{{id: stays-out, agent: {kind}, command: touch, deny: Not for {kind}.}}")
    ran = guarded.run(start, guarded.host.shell("touch fine"), "Done.")  # the subagent plays the same script
    shells = guarded.records("PreToolUse", "Bash")
    assert {record.session for record in shells} == {shells[0].session}
    assert sorted(record.decision or "" for record in shells) == ["", "deny"], ran.results
    assert guarded.world.has("fine")


def test_what_a_rule_hides_never_reaches_the_model(guarded: Guarded):
    guarded.guard(REDACT)
    guarded.world.write("notes.txt", "The word is hunter22.\n")
    shell = guarded.host.shell
    ran = guarded.run(shell("cat notes.txt"), shell("echo still; echo here"), shell("cat notes.txt; exit 3"), "Done.")
    assert not ran.reached_the_model("hunter22")
    assert "[hidden]" in ran.results[0]
    assert "here" in ran.results[1]


def test_what_a_rule_tells_reaches_the_model_where_the_host_passes_it_on(guarded: Guarded):
    guarded.guard(CONTEXT)
    ran = guarded.run(guarded.host.shell("touch fine"), "Done.")
    assert guarded.world.has("fine")
    assert ran.reached_the_model("The tide is high.") == honours(guarded, "PreToolUse", "context")


def test_a_call_that_is_asked_about_runs_once_a_person_says_yes(guarded: Guarded):
    guarded.guard(ASK, top="inbox: {wait: 1m}\n")
    with Person(guarded.store, yes) as person:
        ran = guarded.run(guarded.host.shell("touch asked"), "Done.")
    (request,) = person.asked
    assert (request.tool, request.host, request.project) == ("Bash", guarded.host.name, str(guarded.world.project))
    assert guarded.world.has("asked"), ran.results


def test_a_no_denies_the_call_and_the_model_reads_the_note(guarded: Guarded):
    guarded.guard(ASK, top="inbox: {wait: 1m}\n")
    with Person(guarded.store, lambda store, request: no(store, request, "Not on a Friday.")):
        ran = guarded.run(guarded.host.shell("touch asked"), "Done.")
    assert not guarded.world.has("asked")
    assert "Not on a Friday." in ran.results[0]


def test_without_an_answer_the_call_is_denied(guarded: Guarded):
    guarded.guard(ASK)
    ran = guarded.run(guarded.host.shell("touch asked"), "Done.")
    assert not guarded.world.has("asked")
    assert "no one answered" in ran.results[0]


@pytest.mark.parametrize("text", ["version: 1\nrules: [{id: a, comand: touch}]\n", ": not YAML: [", ""])
def test_a_policy_that_breaks_in_the_middle_holds_on(guarded: Guarded, text: str):
    guarded.guard(DENY)

    def breaks() -> ModelCall:
        guarded.world.write("interlock.yaml", text)
        return guarded.host.shell("touch forbidden")

    ran = guarded.run(guarded.host.shell("touch fine"), breaks, "Done.")
    assert (guarded.world.has("fine"), guarded.world.has("forbidden")) == (True, False)
    assert "Not that file." in ran.results[1]


def test_a_hook_that_never_ends_denies_its_call(guarded: Guarded):
    guarded.world.write("slow.py", "import time\nfrom interlock import hook\n\n"
        '@hook("PreToolUse", tool="Bash", timeout=1)\ndef slow(call):\n    time.sleep(600)\n')  # fmt: skip
    guarded.guard(DENY, top="hooks: [./slow.py]\n")
    guarded.run(guarded.host.shell("touch made"), "Done.")
    assert not guarded.world.has("made")


def test_a_daemon_that_is_killed_is_started_anew(guarded: Guarded):
    guarded.guard(DENY)

    def killed() -> ModelCall:
        guarded.signal_daemon(signal.SIGKILL)
        return guarded.host.shell("touch forbidden")

    ran = guarded.run(guarded.host.shell("touch fine"), killed, guarded.host.shell("touch after"), "Done.")
    world = guarded.world
    assert (world.has("fine"), world.has("forbidden"), world.has("after")) == (True, False, True)
    assert "Not that file." in ran.results[1]


def test_a_daemon_that_hangs_lets_nothing_run(guarded: Guarded):
    guarded.guard(DENY)

    def stopped() -> ModelCall:
        guarded.signal_daemon(signal.SIGSTOP)
        return guarded.host.shell("touch made")

    def killed() -> str:
        guarded.signal_daemon(signal.SIGKILL)  # or every later event would wait as long as this one has
        return "Done."

    ran = guarded.run(guarded.host.shell("touch fine"), stopped, killed)
    assert (guarded.world.has("fine"), guarded.world.has("made")) == (True, False)
    assert len(ran.results) == 2


@pytest.mark.parametrize(
    ("word", "other"),
    [("/python", "/python-that-is-gone"), ("interlock/client.py", "interlock/client_that_is_gone.py")],
    ids=["interpreter", "client"],
)
def test_an_installation_that_is_gone_denies_every_call(guarded: Guarded, word: str, other: str):
    guarded.guard(DENY)
    guarded.replace_in_entries(word, other)
    guarded.run(guarded.host.shell("touch fine"), "Done.")
    assert not guarded.world.has("fine")


def test_a_hook_process_that_is_killed_lets_nothing_run(guarded: Guarded):
    guarded.guard(ASK, top="inbox: {wait: 1m}\n")

    def kill_client(store: object, request: object) -> None:
        for process in guarded.clients():
            os.kill(process, signal.SIGKILL)

    with Person(guarded.store, kill_client):
        guarded.run(guarded.host.shell("touch asked"), "Done.")
    assert not guarded.world.has("asked")
