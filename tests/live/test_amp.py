"""The real Amp asks Interlock about calls. Its models are on a server of its own, so only its permissions are driven:
`amp permissions test` asks the program of Interlock's entry as a session would, and says what becomes of the call.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interlock.hosts import host_of
from interlock.hosts.base.capabilities import capabilities_of
from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.client_literals import seconds_for
from interlock.spawn.exchange import WHY
from tests.e2e.terminal import at_terminal
from tests.live.busy import Busy, limit_of, patient
from tests.live.drive import place
from tests.live.guarding import Installation
from tests.live.world import LIMIT, World
from tests.person import Person, no, yes
from tests.waiting import until

BINARY = "@ampcode/cli-linux-x64/amp"
DENY = "{id: no-forbidden, command: touch forbidden, deny: Not that file.}"
WRITE = "{id: no-secrets, path: {write: secret.txt}, deny: Not into that file.}"
SERVER = "{id: no-money, tool: mcp__pay_desk__send_money, when: input.to == 'bob', deny: Not to him.}"
CHANGE = "{id: changes, command: touch before, change: {command: touch after}}"
ASK = "{id: asks, command: touch asked, ask: Make the file?}"
ALLOW = "{id: pushes, command: git push origin main, allow: true}"
LONG = "inbox: {wait: 1m}\n"


@dataclass(frozen=True)
class Said:
    """What Amp does with a call, the text that its model reads, and the exit code of its command."""

    action: str
    error: str
    code: int


class Amp(Installation):
    """Amp in one world."""

    @property
    def folder(self) -> Path:
        return self.world.home / ".config" / "amp"

    def bash(self, command: str, *, terminal: bool = False, limit: float = LIMIT) -> Said:
        return self.call("Bash", cmd=command, terminal=terminal, limit=limit)

    def call(self, tool: str, *, terminal: bool = False, limit: float = LIMIT, **given: str) -> Said:
        words = [word for name, value in given.items() for word in (f"--{name}", value)]
        command = ["amp", "permissions", "test", "--json", tool, *words]
        if terminal:
            shown = at_terminal(command, 120, cwd=self.world.project, env=self.world.env())
            return said(shown.text, shown.code)
        code, stdout, _ = self.world.bounded(command, self.world.env(), limit=limit)
        return said(stdout, code)


def said(text: str, code: int) -> Said:
    found: dict[str, Any] = json.loads(text)
    return Said(found["action"], found.get("error", ""), code)


@pytest.fixture
def amp(world: World) -> Amp:
    binary = place("amp") / BINARY
    if not binary.is_file():
        pytest.skip("amp is not installed: run `make hosts`")
    # Interlock's entry contains the rules that come with Amp, which it asks the program on the PATH for.
    world.environ["PATH"] = f"{binary.parent}:/usr/bin:/bin"
    return Amp("amp", world)


def test_a_denied_call_is_rejected_and_the_model_reads_why(amp: Amp):
    amp.guard(DENY, WRITE, SERVER)
    assert amp.bash("touch forbidden") == Said("reject", "Not that file.", 2)
    assert amp.call("create_file", path="secret.txt", content="x") == Said("reject", "Not into that file.", 2)
    assert amp.call("mcp__pay_desk__send_money", to="bob") == Said("reject", "Not to him.", 2)
    assert amp.call("mcp__pay_desk__send_money", to="eve").action == "allow"
    assert amp.call("create_file", path="open.txt", content="x").action == "allow"
    assert [one.decision for one in amp.records("PreToolUse")] == ["deny", "deny", "deny", None, None]


def test_amp_itself_decides_where_no_rule_does(amp: Amp):
    amp.guard(DENY)
    settings = json.loads((amp.folder / "settings.json").read_text(encoding="utf-8"))
    settings["amp.permissions"].append({"tool": "Bash", "matches": {"cmd": "*deploy*"}, "action": "reject"})
    (amp.folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    assert amp.bash("ls -la") == Said("allow", "", 0)
    assert amp.bash("git push origin main") == Said("ask", "", 1)
    assert amp.bash("./deploy") == Said("reject", "Amp's own permissions reject this call.", 2)


def test_an_allow_spares_the_question_of_amp(amp: Amp):
    amp.guard(ALLOW)
    assert capabilities_of(host_of("amp")).allows
    assert amp.bash("git push origin main") == Said("allow", "", 0)
    assert amp.bash("git push origin other") == Said("ask", "", 1)


def test_a_change_becomes_a_rejection_that_names_the_safe_call(amp: Amp):
    amp.guard(CHANGE)
    instead = 'Amp cannot change this call. Make this call instead: {"cmd":"touch after"}'
    assert not capabilities_of(host_of("amp")).changes
    assert amp.bash("touch before") == Said("reject", instead, 2)


def test_a_person_at_the_terminal_is_asked_by_amp(amp: Amp):
    amp.guard(ASK)
    assert capabilities_of(host_of("amp")).asks
    assert amp.bash("touch asked", terminal=True) == Said("ask", "", 1)
    assert amp.bash("touch other", terminal=True) == Said("allow", "", 0)


def test_without_a_terminal_the_call_waits_in_the_inbox(amp: Amp):
    amp.guard(ASK, top=LONG)
    with Person(amp.store, yes) as person:
        assert amp.bash("touch asked") == Said("allow", "", 0)
    (request,) = person.asked
    assert (request.tool, request.host, request.project) == ("Bash", "amp", str(amp.world.project))


def test_a_no_and_no_answer_reject_the_call(amp: Amp):
    amp.guard(ASK)
    assert "no one answered" in amp.bash("touch asked").error
    amp.world.write("interlock.yaml", amp.world.read("interlock.yaml").replace("inbox: {wait: 1s}\n", LONG))
    amp.interlock("trust", "--yes")
    with Person(amp.store, lambda store, request: no(store, request, "Not on a Friday.")):
        answer = amp.bash("touch asked # again")
    assert (answer.action, answer.code) == ("reject", 2)
    assert "Not on a Friday." in answer.error


@pytest.mark.parametrize("text", ["version: 1\nrules: [{id: a, comand: touch}]\n", ": not YAML: [", ""])
def test_a_broken_policy_rejects_what_it_rejected_before(amp: Amp, text: str):
    amp.guard(DENY)
    assert amp.bash("touch fine").action == "allow"
    amp.world.write("interlock.yaml", text)
    assert amp.bash("touch forbidden") == Said("reject", "Not that file.", 2)


@pytest.mark.parametrize("part", ["interpreter", "client", "program", "execute"])
def test_an_installation_that_is_gone_rejects_every_call(amp: Amp, part: str):
    amp.guard(DENY)
    program = amp.folder / "interlock-delegate"
    if part == "program":
        program.unlink()
    elif part == "execute":
        program.chmod(0o644)
    else:
        word = sys.executable if part == "interpreter" else "interlock/client.py"
        text = program.read_text(encoding="utf-8")
        assert word in text
        program.write_text(text.replace(word, f"{word}-that-is-gone"), encoding="utf-8")
    answer = amp.bash("ls")
    assert (answer.action, answer.code) == ("reject", 2)
    assert answer.error.strip() == COULD_NOT_RUN or part in ("program", "execute")


def test_a_daemon_that_is_killed_is_started_anew(amp: Amp):
    amp.guard(DENY)
    assert amp.bash("touch fine").action == "allow"
    amp.signal_daemon(signal.SIGKILL)
    assert amp.bash("touch forbidden") == Said("reject", "Not that file.", 2)


def test_a_daemon_that_hangs_rejects_every_call(amp: Amp):
    amp.guard(DENY)
    assert amp.bash("touch fine").action == "allow"
    amp.signal_daemon(signal.SIGSTOP)
    answer = amp.bash("touch fine")
    assert (answer.action, answer.code) == ("reject", 2)
    assert WHY in answer.error


@patient("amp")
def test_amp_waits_until_interlock_gives_up_and_rejects_the_call(amp: Amp):
    amp.guard(DENY)
    begun = time.monotonic()
    with Busy(amp.world).working():
        assert amp.bash("touch fine", limit=limit_of("amp") + 60) == Said("reject", WHY, 2)
    assert time.monotonic() - begun >= seconds_for(limit_of("amp"))


def test_a_program_that_is_killed_rejects_its_call(amp: Amp):
    amp.guard(ASK, top=LONG)

    def kill_client(store: object, request: object) -> None:
        for process in until(amp.clients):
            os.kill(process, signal.SIGKILL)

    with Person(amp.store, kill_client):
        assert amp.bash("touch asked").action == "reject"
