"""State is one: rules see what hooks remember, and hooks what rules remember, through a guard and its worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guards import guarded
from tests.lint.project import Project

HOOKS = """
from interlock import deny, hook, set_state

@hook("PreToolUse", tool="Bash")
def remember(call, state):
    if call.input["command"].startswith("learn "):
        word = call.input["command"].split()[1]
        return set_state(known={word: True}, count=state["count"] + 1)

@hook("PreToolUse", tool="Bash")
def told_by_rules(state):
    if state["warned"]:
        return deny("A rule has warned.")
"""
TOP = "hooks: [./hooks.py]\nstate: {known: {}, count: 0, warned: false}\n"
KNOWN = (
    '{id: known, command: say, when: size(state.known) > 0 && state.count > 0, deny: "${state.known} ${state.count}"}'
)
WARN = "{id: warn, command: warn, set: {warned: true}}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.write(HOOKS, "hooks.py")
    return made


def test_a_rule_reads_what_a_hook_remembered(project: Project):
    project.policy(KNOWN, top=TOP)
    with guarded(project) as session:
        assert session.bash("say").decision is None
        session.bash("learn a")
        assert session.bash("say").reason == '{"a":true} 1'
        session.bash("learn b")
        assert session.bash("say").reason == '{"a":true,"b":true} 2'


def test_a_hook_reads_what_a_rule_remembered(project: Project):
    project.policy(WARN, top=TOP)
    with guarded(project) as session:
        assert session.bash("ls").decision is None
        assert session.bash("warn").decision is None
        assert session.bash("ls").reason == "A rule has warned."


def test_what_a_hook_remembers_of_a_denied_call_is_dropped(project: Project):
    deny = "{id: no-learning, command: learn, deny: Not now.}"
    project.policy(KNOWN, deny, top=TOP)
    with guarded(project) as session:
        session.bash("learn a")
        assert session.bash("say").decision is None


def test_of_two_policies_a_hook_means_the_variable_of_the_lowest_layer(project: Project):
    """The other's rule of the same words reads its own variable, which nobody has set."""
    project.policy(KNOWN, top=TOP, name="low.yaml")
    mine = 'when: "size(state.known) > 0", deny: Mine.'
    project.policy(f"{{id: mine, command: say, {mine}}}", top="state: {known: {}}\n", name="high.yaml")
    with guarded(project, "low.yaml", "high.yaml") as session:
        session.bash("learn a")
        assert session.bash("say").reason == '{"a":true} 1'


def test_another_session_does_not_see_it(project: Project):
    project.policy(KNOWN, top=TOP)
    with guarded(project) as session:
        session.bash("learn a")
        raw = project.call("Bash", "say", "c9", session_id="other")
        assert session.raw(raw).verdict.decision is None
