"""`interlock prompt`: the rules as text for a system prompt, from the same source as the rules themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import json

from interlock.config.bundles import core_policy
from tests.lint.project import Project

RULES = (
    "{id: no-rm, about: Files are kept., command: rm, deny: No rm.}",
    "{id: no-mv, command: mv, deny: No mv.}",
    "{id: yes-ls, about: Looking is free., command: ls, allow: true}",
)
CORE = "".join(f"- {rule.about}\n" for rule, _ in core_policy().rules)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_what_the_rules_are_about_is_printed_in_order(project: Project):
    """S1-14"""
    project.policy(*RULES)
    project.trust()
    text = "These rules hold for your tool calls here:\n- Files are kept.\n- Looking is free.\n" + CORE
    assert project.said("prompt") == (0, text)


def test_the_same_as_json_with_the_rules_names(project: Project):
    project.policy(*RULES)
    project.trust()
    assert project.data("prompt")[:2] == [
        {"rule": "no-rm", "about": "Files are kept."},
        {"rule": "yes-ls", "about": "Looking is free."},
    ]


def test_a_brief_policy_tells_the_model_the_same_when_a_session_starts(project: Project):
    """S1-14 One source: the prompt and the enforced rules cannot drift apart."""
    project.policy(*RULES, top="brief: true\n")
    project.trust()
    ended = project.hook(project.event("SessionStart", source="startup"))
    told = json.decode(ended.stdout)["hookSpecificOutput"]["additionalContext"]
    assert told + "\n" == project.run("prompt").stdout


def test_a_rule_that_does_not_act_is_not_told(project: Project):
    """Untrusted, `yes-ls` allows nothing."""
    project.policy(*RULES)
    assert "Looking is free." not in project.said("prompt")[1]


def test_a_policy_that_is_named_is_used_instead(project: Project):
    project.policy(*RULES)
    other = project.policy("{id: a, about: Something else., command: rm, deny: X.}", name="team.yaml")
    assert "- Something else.\n" in project.said("prompt", "--policy", other)[1]


def test_a_broken_policy_is_the_persons_error(project: Project):
    project.write("version: 1\nrulez: []\n")
    assert project.said("prompt")[0] == 1
