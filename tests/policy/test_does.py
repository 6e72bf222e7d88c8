"""`does`: rules about what a command does, whatever it is called."""

import pytest

from tests.policy.builders import Session, complaints, decide, fired


def denied(keys: str, line: str) -> bool:
    return decide(f"rules: [{{id: r, {keys}, deny: stop}}]", line) == "deny"


@pytest.mark.parametrize(
    ("does", "line", "caught"),
    [
        ("git/force-publishes", "git push -f", True),
        ("git/force-publishes", "git push origin +main", True),
        ("git/force-publishes", "git push", False),
        ("git/*", "git commit -m x", True),
        ("[privilege, kills]", "sudo ls", True),
        ("[privilege, kills]", "ls; kill 1", True),
        ("database/drops", "psql -c 'drop table a'", True),
        ("database/drops", "psql <<E\ndrop table a\nE", True),
        ("database/drops", "echo 'drop table a'", False),
        ("network", "python -c 'import requests; requests.get(\"https://a.org\")'", True),
    ],
)
def test_a_command_is_caught_by_what_it_does(does, line, caught):
    assert denied(f"does: {does}", line) is caught


def test_command_and_does_are_about_the_same_command():
    assert denied("command: git, does: git/publishes", "git push")
    assert not denied("command: git commit, does: git/publishes", "git commit -m x; git push")


def test_the_item_is_the_command():
    policy = "rules: [{id: r, does: git/publishes, deny: '${match.command.name}: ${match.command.traits}'}]"
    reason = Session(policy).call("ls; git push").reason or ""
    assert reason.startswith('git: ["git/publishes"')


def test_an_excuse_by_what_it_does_is_about_the_command_that_was_caught():
    keys = "command: git, unless: {does: read-only}"
    assert not denied(keys, "git status")
    assert denied(keys, "git status; git push")
    assert not denied(keys, "git status; rm x")


@pytest.mark.parametrize(
    ("line", "excused"),
    [
        ("ls; cat a", True),
        ("bash -c 'ls'", True),
        ("ls; rm a", False),
        ("ls > a", False),
        ("./ls", False),
        ("LD_PRELOAD=x ls", False),
        ("$X", False),
        ("some-tool", False),
        ("python -c 'print(1)'", True),
        ('python -c \'open("a", "w")\'', False),
        ("python -c 'import os; os.system(\"rm a\")'", False),
        ("", False),
    ],
)
def test_an_excuse_alone_must_hold_for_every_command_as_plainly_as_it_stands(line, excused):
    assert denied("tool: Bash, unless: {does: [read-only, only-runs]}", line) is not excused


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("ls src", "allow"),
        ("ls $X", "allow"),
        ("ls; rm x", None),
        ("ls $(rm x)", None),
        ("X=1; ls", None),
    ],
)
def test_an_allow_by_what_it_does_covers_every_command(line, decision):
    assert decide("rules: [{id: r, does: read-only, path: '**', allow: true}]", line) == decision


def test_an_allow_must_name_everything_that_a_command_does():
    assert decide("rules: [{id: r, does: git/commits, allow: true}]", "git commit -m x") is None
    assert decide("rules: [{id: r, does: [git/commits, git/runs-hooks], allow: true}]", "git commit -m x") == "allow"


def test_an_allow_by_a_path_needs_one():
    assert decide("rules: [{id: r, does: read-only, path: '**', allow: true}]", "ls") is None
    assert decide("rules: [{id: r, does: read-only, allow: true}]", "ls") == "allow"
    assert decide("rules: [{id: r, does: read-only, allow: true}]", "ls src") is None


def test_a_thing_that_no_command_does_is_refused_with_a_suggestion():
    (error,) = complaints("rules:\n  - {id: r, does: git/force-publish, deny: x}\n")
    assert "nothing that a command does is called `git/force-publish`" in error
    assert "did you mean `git/force-publishes`?" in error
    assert complaints("rules:\n  - {id: r, does: 'nothing/*', deny: x}\n")


def test_rules_about_other_things_are_not_even_tried():
    many = ", ".join(f"{{id: r{n}, does: privilege, deny: x}}" for n in range(3))
    verdict = Session(f"rules: [{many}, {{id: s, does: git/publishes, deny: z}}]").call("git push")
    assert fired(verdict) == ["s"]
