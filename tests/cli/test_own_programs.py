"""Programs that a policy describes, in `check` and `explain`."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.lint.project import Project

POLICY = """\
version: 1
programs:
  ourctl:
    options: [n/namespace=]
    does:
      read-only: [get]
      cluster/deletes: [destroy]
    cases:
      ourctl get pods: read-only
      ourctl -n prod destroy web: cluster/deletes
rules:
  - id: destroys
    does: cluster/deletes
    deny: Ask a person to destroy it.
    cases: {catch: [ourctl destroy web], pass: [ourctl get pods]}
  - {id: unreadable, when: opaque, ask: Run it?}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.write(POLICY)
    made.trust()
    return made


def test_check_runs_the_cases_of_descriptions(project: Project):
    assert project.data("check", "interlock.yaml")["failed"] == []
    counted = project.data("check", "interlock.yaml")["cases"]
    project.write(POLICY.replace("      ourctl get pods: read-only\n", ""))
    assert project.data("check", "interlock.yaml")["cases"] == counted - 1


def test_check_tells_which_case_of_a_description_fails(project: Project):
    project.write(POLICY.replace("destroy web: cluster/deletes", "destroy web: read-only"))
    code, text = project.said("check", "interlock.yaml")
    assert code == 1
    assert text.split("\n\n")[1] == snapshot("""\
case: the case `ourctl -n prod destroy web` fails: there is no read-only; it is also cluster/deletes
 --> interlock.yaml:10:7
   |
10 |       ourctl -n prod destroy web: read-only
   |       ^
help: Interlock finds: cluster/deletes\
""")


def test_check_warns_of_what_cannot_make_a_known_program_milder(project: Project):
    project.write(POLICY.replace("  ourctl:\n", "  rm: {does: read-only}\n  ourctl:\n"))
    code, text = project.said("check", "interlock.yaml")
    assert code == 0
    assert text.split("\n\n")[1] == snapshot("""\
warning: Interlock knows `rm` already, so a description can only add to what it does: `read-only` has no effect
 --> interlock.yaml:3:3
  |
3 |   rm: {does: read-only}
  |   ^
help: `interlock programs show rm` says what is known; leave out what only makes it milder\
""")


def test_explain_tells_which_description_a_command_was_read_by(project: Project):
    assert project.said("explain", "sudo ourctl destroy web") == snapshot(
        (
            0,
            """\
deny      Ask a person to destroy it.
          by `destroys` (interlock.yaml:12)
programs  `ourctl` is read as interlock.yaml:3 describes it: cluster/deletes.
          Rules of policies above that one are judged without the description.
fired     `destroys` (interlock.yaml:12) on ourctl destroy web → deny
          4 of 26 rules checked, 1 fired; --all lists the others.
""",
        )
    )


def test_explain_tells_that_a_known_program_is_read_by_both(project: Project):
    project.write(POLICY.replace("  ourctl:\n", "  npm: {does: {cloud/deploys: [ship]}}\n  ourctl:\n"))
    project.trust()
    text = project.said("explain", "npm ship")[1]
    assert "programs  `npm` is also read as interlock.yaml:3 describes it: changes,\n          cloud/deploys.\n" in text


def test_explain_says_nothing_of_descriptions_that_a_call_does_not_meet(project: Project):
    assert "programs" not in project.said("explain", "git status")[1]
    assert project.data("explain", "git status")["programs"] == []


def test_explain_tells_programs_which_description_it_was(project: Project):
    place = f"{project.root}/interlock.yaml:3"
    assert project.data("explain", "ourctl get pods")["programs"] == [
        {"program": "ourctl", "at": place, "does": ["read-only"]}
    ]


def test_descriptions_of_a_policy_that_is_not_trusted_are_not_used(project: Project):
    project.write(POLICY.replace("[get]", "[get, list]"))
    project.home.joinpath(".local").rename(project.home / "forgotten")
    code, text = project.said("explain", "ourctl destroy web")
    assert (code, text) == snapshot(
        (
            0,
            """\
none      No rule decides about this call: the host does what its own settings
          say.
          3 of 26 rules checked, 0 fired; --all lists the others.
trust     interlock.yaml is not trusted, so only its deny and ask rules count.
          Without effect until then: the description of ourctl. Read the file,
          then run `interlock trust`.
""",
        )
    )


def test_a_changed_description_waits_for_trust_and_the_trusted_one_stays(project: Project):
    project.write(POLICY.replace("cluster/deletes: [destroy]", "read-only network: [destroy]"))
    assert project.data("explain", "ourctl destroy web")["decision"] == "deny"
    project.trust()
    assert project.data("explain", "ourctl destroy web")["decision"] is None
