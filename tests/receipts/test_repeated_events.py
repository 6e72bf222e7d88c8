"""The same event twice: one answer under the same policies, hooks, host and options, and never under others."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from interlock.config.bundles import core_policy
from interlock.judging.guard import Guard
from interlock.judging.in_force import InForce
from interlock.judging.projects import Projects
from interlock.policy.load import load_policy
from interlock.probe.world import Machine
from interlock.service import answer, answer_in
from interlock.store.memory import MemoryStore
from interlock.store.place import open_store
from tests.builders import bash, payload, raw
from tests.lint.project import Project, decision, reason

NOTHING = "{id: nothing, command: never, deny: Never.}"
NO_TOUCH = "{id: no-touch, command: touch, deny: Do not touch.}"
HOOKS = """
from interlock import deny, hook

@hook("PreToolUse")
def no(call):
    return deny("The hook says no.")
"""
HALVES = st.sampled_from(["ask", "deny", "allow", "nothing"])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_another_policy_judges_the_same_event_on_its_own(project: Project):
    a, b = project.policy(NOTHING, name="a.yaml"), project.policy(NO_TOUCH, name="b.yaml")
    call = project.call("Bash", "touch x")
    assert decision(project.hook(call, "--policy", a)) is None
    assert reason(project.hook(call, "--policy", b)) == "Do not touch."
    assert decision(project.hook(call, "--policy", a)) is None


def test_a_policy_that_was_edited_judges_the_same_event_anew(project: Project):
    call = project.call("Bash", "touch x")
    assert decision(project.hook(call, "--policy", project.policy(NOTHING, name="a.yaml"))) is None
    assert reason(project.hook(call, "--policy", project.policy(NO_TOUCH, name="a.yaml"))) == "Do not touch."


def test_a_pack_of_a_policy_that_was_edited_is_another_policy(project: Project):
    policy = project.write("version: 1\npacks: [./mine.yaml]\nrules: []\n", "a.yaml")
    call = project.call("Bash", "touch x")
    project.write(f"version: 1\nrules:\n  - {NOTHING}\n", "mine.yaml")
    assert decision(project.hook(call, "--policy", policy)) is None
    project.write(f"version: 1\nrules:\n  - {NO_TOUCH}\n", "mine.yaml")
    assert reason(project.hook(call, "--policy", policy)) == "Do not touch."


def test_hooks_given_beside_a_policy_are_asked_about_the_same_event(project: Project):
    policy, hooks = project.policy(NOTHING), project.write(HOOKS, "hooks.py")
    call = project.call("Bash", "touch x")
    assert decision(project.hook(call, "--policy", policy)) is None
    assert reason(project.hook(call, "--policy", policy, "--hooks", hooks)) == "The hook says no."


def test_each_host_is_answered_in_its_own_dialect(project: Project):
    policy = project.policy(NO_TOUCH)
    call = project.call("Bash", "touch x")
    flat = project.spawn("hook", "flat", "--policy", policy, stdin=call)
    assert json.decode(flat.stdout)["decision"] == "deny"
    assert reason(project.hook(call, "--policy", policy)) == "Do not touch."


def test_the_project_s_entry_and_one_with_a_policy_both_judge(project: Project):
    project.policy(NOTHING)
    project.trust()
    other = project.policy(NO_TOUCH, name="other.yaml")
    for number in range(3):
        call = project.call("Bash", f"touch {number}", f"c{number}")
        assert decision(project.hook(call)) is None
        assert decision(project.hook(call, "--policy", other)) == "deny"
    with closing(open_store()) as store:
        assert [one.status for one in store.receipts("s1", "c0")] == ["open", "denied"]


def test_the_same_event_under_the_same_policy_counts_once(project: Project):
    rule = '{id: once, command: touch, when: count("once") > 0, deny: Once.}'
    mark = "{id: once, command: touch, notify: First.}"
    policy = project.policy(mark, rule.replace("id: once", "id: limit"))
    call = project.call("Bash", "touch x")
    assert decision(project.hook(call, "--policy", policy)) is None
    assert decision(project.hook(call, "--policy", policy)) is None
    assert reason(project.hook(project.call("Bash", "touch x", "c2"), "--policy", policy)) == "Once."


# --- receipts ------------------------------------------------------------------------------------------------


def guards(store: MemoryStore, *texts: str) -> list[Guard]:
    """One guard a policy, as entries beside each other are, with one store."""
    return [
        Guard([load_policy(text, f"{n}.yaml"), core_policy()], Machine("/"), store, whole=True, name=f"guard {n}")
        for n, text in enumerate(texts)
    ]


def rules(*listed: str) -> str:
    return "version: 1\nstate: {seen: 0}\nrules:\n" + "".join(f"  - {rule}\n" for rule in listed)


def test_a_call_that_any_guard_denied_is_a_breach_when_it_has_a_result():
    store = MemoryStore()
    first, second = guards(store, rules(NO_TOUCH), rules(NOTHING))
    for guard in (first, second):
        answer(guard, "claude-code", raw(payload("UserPromptSubmit", prompt="go")))
    assert answer(first, "claude-code", bash("touch x")).verdict.decision == "deny"
    assert answer(second, "claude-code", bash("touch x")).verdict.decision is None
    shown = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
    ran = payload("PostToolUse", tool_name="Bash", tool_input={"command": "touch x"}, tool_use_id="toolu_1")
    reply = answer(second, "claude-code", raw({**ran, "tool_response": shown}))
    assert reply.verdict.interrupt
    assert "ran although it was denied: Do not touch." in (reply.verdict.reason or "")


def test_each_guard_takes_what_a_result_sets_from_its_own_receipt():
    store = MemoryStore()
    setter = "{id: see, event: PostToolUse, tool: Bash, set: {seen: 1}}"
    teller = '{id: tell, tool: Bash, when: state.seen == 1, deny: "Seen."}'
    both = guards(store, rules(setter, teller), rules(setter, teller))
    shown = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
    ran = payload("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="toolu_1")
    for guard in both:
        answer(guard, "claude-code", bash("ls"))
    for guard in both:
        assert answer(guard, "claude-code", raw({**ran, "tool_response": shown})).verdict.notices == ()
    again = {**payload("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}), "tool_use_id": "toolu_2"}
    assert [answer(guard, "claude-code", raw(again)).verdict.reason for guard in both] == ["Seen.", "Seen."]


# --- for every pair of policies --------------------------------------------------------------------------------


@given(st.lists(HALVES, min_size=2, max_size=4), st.booleans())
def test_a_second_policy_never_answers_with_the_first_one_s_verdict(decisions: list[str], named: bool):
    """Whatever stood before it in the store, an answer is the one its policy gives in an empty store."""
    shared = MemoryStore()
    for number, word in enumerate(decisions):
        said = "allow: true" if word == "allow" else f"{word}: Because of {number}."
        rule = NOTHING if word == "nothing" else f"{{id: r, command: touch, {said}}}"
        force = InForce((load_policy(f"version: 1\nrules:\n  - {rule}\n", "p.yaml"), core_policy()))
        name = f"entry {number}" if named else ""
        answers = []
        for store in (shared, MemoryStore()):
            projects = Projects(lambda store=store: store, in_force=lambda root, force=force: force, name=name)  # type: ignore[misc]
            answers.append(answer_in(projects, "claude-code", bash("touch x"), Path("/")).stdout)
        assert answers[0] == answers[1]
