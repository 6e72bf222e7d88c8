"""What Amp itself would say, held against what `amp permissions test` said of the same entries."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.hosts.amp.permissions import own_permission

LAUNCHER = "/home/ann/.config/amp/interlock-delegate"
OURS = {"tool": "*", "action": "delegate", "to": LAUNCHER}
OWN = [
    OURS,
    {"tool": "Bash", "matches": {"cmd": "*deploy*"}, "action": "reject"},
    {"tool": "edit_*", "matches": {"path": ["/secret/", "*.env"]}, "action": "ask"},
    {"tool": "web_*", "action": "delegate", "to": "/opt/other"},
]
BUILT_IN = [
    {"tool": "Bash", "matches": {"cmd": "*git*push*"}, "action": "ask"},
    {"tool": "Bash", "matches": {"cmd": ["ls", "ls *", "git status*"]}, "action": "allow"},
    {"tool": "Bash", "matches": {"cmd": r"/^find(?!.*(-delete|-exec)).*$/"}, "action": "allow"},
    {"tool": "Bash", "action": "ask"},
    {"tool": "mcp__*", "action": "allow"},
    {"tool": "edit_file", "action": "allow"},
    {"tool": "Grep", "action": "allow"},
]


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("Bash", {"cmd": "ls -la /etc"}, "allow"),
        ("Bash", {"cmd": "ls && curl example.com"}, "allow"),
        ("Bash", {"cmd": " ls"}, "ask"),
        ("Bash", {"cmd": "git push origin main"}, "ask"),
        ("Bash", {"cmd": "find . -name x"}, "allow"),
        ("Bash", {"cmd": "find . -delete"}, "ask"),
        ("Bash", {"cmd": "./deploy.sh"}, "reject"),
        ("edit_file", {"path": "x/secret/y"}, "ask"),
        ("edit_file", {"path": "notes"}, "allow"),
        ("mcp__a__b", {}, "allow"),
    ],
)
def test_the_first_entry_that_fits_answers(tool: str, given: dict[str, Any], said: str):
    assert own_permission(OWN, BUILT_IN, tool, given, LAUNCHER) == said


@pytest.mark.parametrize(
    ("entry", "given"),
    [
        ({"tool": "Grep", "action": "reject", "context": "subagent"}, {}),  # who calls is not told
        ({"tool": "Grep", "action": "reject", "matches": {"path": "/(/"}}, {"path": "a"}),  # not a pattern here
        ({"tool": "Grep", "action": "reject", "matches": {"path": "a*"}}, {"path": "a" * 2_000}),  # too long
        ({"tool": "Grep", "action": "reject", "matches": {"n": 3}}, {"n": "3"}),
        ({"tool": "Grep", "action": "some day"}, {}),
        ("Grep", {}),
    ],
)
def test_what_cannot_be_told_is_asked(entry: Any, given: dict[str, Any]):
    assert own_permission([entry], BUILT_IN, "Grep", given, LAUNCHER) == "ask"


def test_an_allow_that_may_not_fit_allows_nothing():
    entry = {"tool": "Bash", "action": "allow", "context": "thread"}
    assert own_permission([entry], BUILT_IN, "Bash", {"cmd": "curl example.com"}, LAUNCHER) == "ask"


def test_another_program_that_would_be_asked_is_left_to_the_person():
    assert own_permission(OWN, BUILT_IN, "web_search", {}, LAUNCHER) == "ask"


@pytest.mark.parametrize(
    ("tool", "said"), [("Bash", "ask"), ("load_plugin", "ask"), ("tb__ship", "ask"), ("Read", "allow")]
)
def test_without_the_list_of_amp_only_its_shell_and_foreign_tools_are_asked_about(tool: str, said: str):
    assert own_permission([OURS], [], tool, {"cmd": "ls"}, LAUNCHER) == said


def test_a_tool_that_amp_does_not_list_is_asked_about():
    assert own_permission([OURS], BUILT_IN, "frobnicate", {}, LAUNCHER) == "ask"
