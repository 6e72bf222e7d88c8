"""Two entries of Interlock for one call: one verdict, one count and one question."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.daemon.twins import Arrival, Twins
from interlock.event import Event, PostToolUse, PreToolUse
from interlock.hosts import HOSTS, Reply
from interlock.hosts.base import commands
from interlock.hosts.base.commands import hook_command
from interlock.verdict import Opinion, combine
from tests.daemon.spawned import CLIENT, Home
from tests.person import Person, no, statuses, yes

COPILOT = HOSTS["copilot"]
OWN, CLAUDES = Arrival("copilot", "PreToolUse"), Arrival("any:", "PreToolUse")


@pytest.fixture(autouse=True)
def _entries_of(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "socket_path", lambda: home.socket)


def by_own(home: Home, event: str = "PreToolUse") -> list[str]:
    return ["/bin/sh", "-c", hook_command("copilot", event, refuses=True)]


def by_claudes(home: Home, event: str = "PreToolUse") -> list[str]:
    """The entry in Claude Code's settings, of which Copilot leaves out the arguments."""
    return [sys.executable, "-I", "-S", str(CLIENT), "any:", str(home.socket)]


def call(home: Home, command: str) -> bytes:
    assert COPILOT.sample is not None
    raw = COPILOT.sample("Bash", {"command": command}, str(home.project))
    assert raw is not None
    return raw


def result(home: Home, command: str, text: str) -> bytes:
    before = json.loads(call(home, command))
    shown = {"result_type": "success", "text_result_for_llm": text}
    return json.dumps({**before, "hook_event_name": "PostToolUse", "tool_result": shown}).encode()


def ask(words: list[str], raw: bytes) -> Any:
    ran = subprocess.run(words, input=raw, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout) if ran.stdout else None


def asked_at_once(home: Home, raw: bytes) -> list[Any]:
    """Both entries of a call, run at the same time."""
    found: list[Any] = [None, None]

    def run(number: int, words: list[str]) -> None:
        found[number] = ask(words, raw)

    pairs = enumerate((by_own(home), by_claudes(home)))
    threads = [threading.Thread(target=run, args=pair) for pair in pairs]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    return found


def decision(answer: Any) -> str | None:
    return None if answer is None else answer["hookSpecificOutput"].get("permissionDecision")


def test_a_call_counts_once_however_many_entries_the_host_runs(home: Home):
    home.policy(
        "{id: touched, command: touch, context: Again.}",
        "{id: often, command: touch, when: 'count(\"touched\") >= 2', deny: Twice is enough.}",
    )
    home.trust()
    found = [[decision(one) for one in asked_at_once(home, call(home, "touch a"))] for _ in range(3)]
    assert found == [[None, None], [None, None], ["deny", "deny"]]


def test_a_prompt_counts_once_if_only_one_of_the_entries_names_the_project(home: Home):
    home.policy("{id: greets, event: UserPromptSubmit, context: The tide is high.}")
    home.trust()
    about = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "timestamp": "2026-01-02T03:04:05.678Z"}
    raw = json.dumps({**about, "cwd": str(home.project), "prompt": "Begin."}).encode()
    claudes = [sys.executable, "-I", "-S", str(CLIENT), "UserPromptSubmit", str(home.socket), str(home.project)]
    assert ask(by_own(home, "UserPromptSubmit"), raw) == {"additionalContext": "The tide is high."}
    assert ask(claudes, raw) is None


def test_a_person_is_asked_once(home: Home):
    home.policy("{id: asks, command: touch, ask: 'Sure?', approve: inbox}", top="inbox: {wait: 1m}\n")
    with Person(home.store, yes):
        answers = asked_at_once(home, call(home, "touch a"))
    assert [decision(one) for one in answers] == ["allow", "allow"]
    assert statuses(home.store) == ["yes"]


def test_a_no_is_a_no_for_both(home: Home):
    home.policy("{id: asks, command: touch, ask: 'Sure?', approve: inbox}", top="inbox: {wait: 1m}\n")
    with Person(home.store, lambda store, request: no(store, request, "Not now.")):
        first, second = asked_at_once(home, call(home, "touch a"))
    assert first == second
    assert "Not now." in first["hookSpecificOutput"]["permissionDecisionReason"]
    assert statuses(home.store) == ["no"]


def test_the_entry_that_comes_later_gets_the_verdict_of_the_first(home: Home):
    home.policy("{id: no-rm, command: rm, deny: No rm.}")
    raw = call(home, "rm x")
    assert ask(by_own(home), raw) == ask(by_claudes(home), raw)


def test_what_the_model_is_told_is_told_once(home: Home):
    home.policy("{id: tells, command: touch, context: The tide is high.}")
    home.trust()
    raw = call(home, "touch a")
    assert ask(by_own(home), raw)["hookSpecificOutput"]["additionalContext"] == "The tide is high."
    assert ask(by_claudes(home), raw) is None


# --- what is one call and what is two ----------------------------------------------------------------------------


def event(command: str = "ls", session: str = "s", cwd: str = "/p") -> PreToolUse:
    return PreToolUse(
        session_id=session, transcript_path="", cwd=cwd, tool_name="Bash", tool_input={"command": command}
    )


class Calls:
    """Twins, and how often somebody judged."""

    def __init__(self) -> None:
        self.now = 0.0
        self.twins = Twins(lambda: self.now)
        self.judged: list[str] = []

    def come(self, event: Event, arrival: Arrival, name: str, opinion: Opinion | None = None, project: str = "") -> str:
        """One event; by whose verdict it is answered."""
        with self.twins.turn(event, arrival, project) as turn:
            verdict = turn.wait(lambda: False)
            if verdict is None:
                self.judged.append(name)
                given = event.tool_input if isinstance(event, PreToolUse) else {}
                verdict = combine([opinion or Opinion(by=name, decision="deny", reason=name)], given)
                turn.tell(Reply(stdout=b"", verdict=verdict))
        return verdict.reason or ""


@pytest.fixture
def calls() -> Calls:
    return Calls()


def test_the_same_entry_a_second_time_is_another_call(calls: Calls):
    assert [calls.come(event(), OWN, "first"), calls.come(event(), OWN, "second")] == ["first", "second"]


@pytest.mark.parametrize(
    "other",
    [event("ls -l"), event(session="other"), event(cwd="/elsewhere")],
    ids=["another input", "another session", "another folder"],
)
def test_another_event_is_judged_by_itself(calls: Calls, other: PreToolUse):
    calls.come(event(), OWN, "first")
    assert calls.come(other, CLAUDES, "second") == "second"


def test_an_entry_for_another_project_is_judged_by_itself(calls: Calls):
    calls.come(event(), OWN, "first", project="/a")
    assert calls.come(event(), CLAUDES, "second", project="/b") == "second"


def test_after_some_seconds_it_is_another_call(calls: Calls):
    calls.come(event(), OWN, "first")
    calls.now += 10.5
    assert calls.come(event(), CLAUDES, "second") == "second"


def test_a_third_entrance_is_answered_too(calls: Calls):
    calls.come(event(), OWN, "first")
    calls.come(event(), CLAUDES, "second")
    assert calls.come(event(), Arrival("copilot", "beforeShellExecution"), "third") == "first"


def test_a_call_that_was_tried_again_is_answered_by_its_newest_verdict(calls: Calls):
    calls.come(event(), OWN, "first")
    calls.come(event(), OWN, "again")
    assert calls.come(event(), CLAUDES, "twin") == "again"


def test_an_event_that_comes_as_it_was_changed_is_the_same_call(calls: Calls):
    calls.come(event("ls"), OWN, "first", Opinion(by="more", change={"command": "ls -l"}))
    with calls.twins.turn(event("ls -l"), CLAUDES) as turn:
        verdict = turn.wait(lambda: False)
    assert verdict is not None
    assert (verdict.input, verdict.changes) == ({"command": "ls -l"}, ())


def test_a_result_that_comes_as_it_was_replaced_is_the_same_result(calls: Calls):
    def shown(text: str) -> PostToolUse:
        return PostToolUse(
            session_id="s", transcript_path="", cwd="/p", tool_name="Bash", tool_input={"command": "ls"},
            tool_response=text,
        )  # fmt: skip

    calls.come(shown("hunter2"), OWN, "first", Opinion(by="hide", output="[hidden]"))
    assert calls.come(shown("[hidden]"), CLAUDES, "second") != "second"
    assert calls.come(shown("other"), CLAUDES, "third") == "third"


def test_if_the_first_could_not_be_judged_the_second_is(calls: Calls):
    with pytest.raises(ValueError, match="broken"), calls.twins.turn(event(), OWN):
        raise ValueError("broken")
    assert calls.come(event(), CLAUDES, "second") == "second"


def test_a_client_that_is_gone_does_not_wait_for_the_other(calls: Calls):
    with calls.twins.turn(event(), OWN), calls.twins.turn(event(), CLAUDES) as turn:
        assert turn.wait(lambda: True) is None


@given(st.lists(st.tuples(st.sampled_from(["ls", "rm x"]), st.booleans()), max_size=12))
@settings(max_examples=200)
def test_no_call_is_answered_by_the_verdict_on_another(order: list[tuple[str, bool]]):
    """In any order of calls and entries, each is answered by a verdict on its own input."""
    calls = Calls()
    for number, (command, own) in enumerate(order):
        name = f"{number} {command}"
        said = calls.come(event(command), OWN if own else CLAUDES, name)
        assert said.split(" ", 1)[1] == command
    assert len(calls.judged) >= len({command for command, _ in order})
