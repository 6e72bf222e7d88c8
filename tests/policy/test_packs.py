"""Packs: the shipped ones load and hold their own cases; parameters, own files, and rules left out."""

from pathlib import Path

import pytest

import interlock.packs
from interlock.config.bundles import find_pack, load_file
from interlock.policy.load import load_policy
from interlock.policy.positions import LocatedErrors
from interlock.testing.cases import run_cases
from tests.policy.builders import Session, complaints, load

SHIPPED = sorted(path.stem for path in Path(interlock.packs.__file__).parent.glob("*.yaml"))


def test_there_are_shipped_packs():
    assert set(SHIPPED) >= {"core", "git", "secrets"}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_pack_loads_and_its_cases_hold(name):
    file, text = find_pack(name, "interlock.yaml")
    results = list(run_cases(load_policy(text, file, find_pack)))
    assert [f"{result.source} {result.message}" for result in results if not result.ok] == []
    assert results


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_rule_says_what_it_is_about_and_has_cases_both_ways(name):
    file, text = find_pack(name, "interlock.yaml")
    for rule, _ in load_policy(text, file, find_pack).rules:
        assert rule.about, rule.id
        assert {case.catch for case in rule.cases} == {True, False}, rule.id


def test_a_case_that_does_not_hold_says_which_rule_and_which_way():
    policy = load("""
        rules:
          - id: push
            command: git push
            deny: x
            cases:
              catch: [git pull, git push]
              pass: [git push -f, git pull]
    """)
    assert [(str(result.source), result.ok, result.message) for result in run_cases(policy)] == [
        (
            "interlock.yaml:8:15",
            False,
            "`push` must catch this, but does not: no command of the call matches `git push`",
        ),
        ("interlock.yaml:8:25", True, ""),
        ("interlock.yaml:9:14", False, "`push` must pass this, but does not: it said deny about `git push -f` (x)"),
        ("interlock.yaml:9:27", True, ""),
    ]


def test_cases_may_say_what_is_given():
    policy = load("""
        state: {n: 0}
        rules:
          - id: seen
          - id: r
            tool: Bash
            when: branch == "main" && agent == "x" && mode == "plan" && state.n == 3 && count("seen", "10m") == 1
            deny: x
            cases:
              catch:
                - {Bash: ls, given: {branch: main, agent: x, mode: plan, state: {n: 3}, past: {seen: 5m}}}
              pass:
                - ls
                - {Bash: ls, given: {branch: main, agent: x, mode: plan, state: {n: 3}, past: {seen: 15m}}}
    """)
    assert [(result.ok, result.message) for result in run_cases(policy)] == [(True, "")] * 3


def test_a_case_whose_rule_fails_is_no_catch():
    policy = load("rules: [{id: r, tool: refund, when: input.x > 1, deny: x, cases: {catch: [{refund: {}}]}}]")
    (result,) = run_cases(policy)
    assert (result.ok, result.message) == (False, 'rule `r` [interlock.yaml:2:9] failed: there is no "x"')


# Parameters


def test_parameters_replace_what_a_pack_lets():
    policy = "packs: [{use: git, with: {protected: [trunk, release/*]}}]"
    for branch, decision in (("trunk", "ask"), ("release/1", "ask"), ("main", None)):
        assert Session(policy, given={"branch": branch}).call("git commit -m x").decision == decision
    assert Session("packs: [git]", given={"branch": "main"}).call("git commit -m x").decision == "ask"


def test_without_drops_a_rule_by_its_own_name_or_its_whole_name():
    for name in ("force-push", "git/force-push"):
        session = Session(f"packs: [{{use: git, without: [{name}]}}]")
        assert session.call("git push --force origin main").decision is None
        assert session.call("git reset --hard").decision == "ask"


def test_rules_of_a_pack_are_called_by_pack_and_id_in_opinions_and_count():
    session = Session("""
        packs: [git]
        rules:
          - {id: again, tool: Bash, when: 'count("git/force-push") > 0', deny: "You tried to force before."}
    """)
    assert [reason.by for reason in session.call("git push -f origin main").reasons] == ["git/force-push"]
    assert [reason.by for reason in session.call("ls").reasons] == ["again"]


def test_a_rule_may_have_the_id_of_a_rule_in_a_pack():
    session = Session("packs: [git]\nrules: [{id: force-push, command: git push --force, deny: Mine.}]")
    assert [reason.by for reason in session.call("git push --force origin main").reasons] == [
        "git/force-push",
        "force-push",
    ]


# Own files


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own.yaml").write_text(
        """\
version: 1
let: {limit: 100, late: "${now.getHours() >= 18}"}
state: {refunds: {default: 0, scope: project}}
tools: {mcp__fs__save: {write: target}}
rules:
  - {id: over, tool: refund, when: input.amount > limit, deny: "over ${limit}"}
  - {id: late, tool: refund, when: late, ask: "It is late."}
  - {id: twice, tool: refund, when: 'count("over") > 0', deny: "over before"}
  - {id: saved, path: {write: /etc/}, deny: "not ${match.path}"}
""",
        encoding="utf-8",
    )
    return tmp_path


def use(folder: Path, text: str) -> Session:
    file = folder / "interlock.yaml"
    file.write_text(f"version: 1\n{text}\n", encoding="utf-8")
    return Session(load_file(file))


def test_a_file_beside_the_policy_is_a_pack_named_by_its_stem(folder):
    session = use(folder, "packs: [./own.yaml]")
    verdict = session.call({"refund": {"amount": 101}})
    assert (verdict.reason, verdict.reasons[0].by) == ("over 100", "own/over")
    assert str(verdict.reasons[0].source) == f"{folder / 'own.yaml'}:6:5"


def test_a_pack_asks_about_its_own_rules_by_their_short_names(folder):
    session = use(folder, "packs: [./own.yaml]")
    session.call({"refund": {"amount": 101}})
    assert session.call({"refund": {"amount": 1}}).reason == "over before"


def test_parameters_of_an_own_pack_replace_values_and_conditions(folder):
    session = use(folder, "packs: [{use: ./own.yaml, with: {limit: 500, late: true}}]")
    assert session.call({"refund": {"amount": 101}}).reason == "It is late."
    assert session.call({"refund": {"amount": 501}}).reason == "over 500"


def test_tools_and_state_of_a_pack_hold_for_its_rules(folder):
    session = use(folder, "packs: [./own.yaml]")
    assert session.call({"mcp__fs__save": {"target": "/etc/x"}}).reason == "not /etc/x"


def test_a_parameter_of_another_type_is_refused_where_it_does_not_fit(folder):
    file = folder / "interlock.yaml"
    file.write_text("version: 1\npacks: [{use: ./own.yaml, with: {limit: [1]}}]\n", encoding="utf-8")
    with pytest.raises(LocatedErrors, match="does not go with"):
        load_file(file)


def test_a_pack_that_uses_itself_is_refused(folder):
    (folder / "own.yaml").write_text("version: 1\npacks: [./own.yaml]\n", encoding="utf-8")
    file = folder / "interlock.yaml"
    file.write_text("version: 1\npacks: [./own.yaml]\n", encoding="utf-8")
    with pytest.raises(LocatedErrors):
        load_file(file)


def test_a_pack_used_twice_with_other_parameters_is_two_sets_of_rules_or_refused():
    text = "packs: [{use: git, with: {protected: [a]}}, {use: git, with: {protected: [b]}}]"
    try:
        session = Session(text, given={"branch": "b"})
    except LocatedErrors as error:  # either way is right, being ignored is not
        assert "git" in str(error)
    else:
        assert session.call("git commit -m x").decision == "ask"


def test_a_name_that_reaches_out_of_the_shipped_packs_is_refused():
    assert complaints("packs: [../config]") != []
    assert complaints("packs: [x/../../packs/git]") != []


def test_a_constant_is_handed_on_to_a_pack():
    policy = load("""
        let: {mine: [release]}
        packs:
          - {use: git, with: {protected: "${mine}"}}
    """)
    session = Session(policy)
    assert session.call("git push --force-with-lease origin release").decision == "ask"
    assert session.call("git push --force-with-lease origin main").decision is None


ASKING = """
version: 1
rules:
  - {id: risky, command: deploy, ask: "`${match.command.text}` goes out. Run it?"}
  - {id: plain, command: ship, ask: This goes out}
  - {id: never, command: mkfs, deny: No disk is formatted. Use a file.}
  - {id: noted, command: ls}
"""


def test_a_packs_questions_are_denials_where_nobody_is_there_to_answer(tmp_path):
    (tmp_path / "asking.yaml").write_text(ASKING)
    policy = load_policy("version: 1\npacks: [{use: ./asking.yaml, asks: deny}]", str(tmp_path / "p.yaml"), find_pack)
    nobody = (
        "That needs a person's approval, and no one is available to give it. "
        "Do it another way, or leave it undone and say so."
    )
    session = Session(policy)
    said = {command: session.call(command) for command in ("deploy now", "ship it", "mkfs x", "ls")}
    assert {command: (verdict.decision, verdict.reason) for command, verdict in said.items()} == {
        "deploy now": ("deny", f"`deploy now` goes out. {nobody}"),
        "ship it": ("deny", f"This goes out {nobody}"),
        "mkfs x": ("deny", "No disk is formatted. Use a file."),
        "ls": (None, None),
    }


@pytest.mark.parametrize("asks", ["allow", "ask", "true", "[deny]"])
def test_questions_can_only_become_denials(tmp_path, asks):
    (tmp_path / "asking.yaml").write_text(ASKING)
    with pytest.raises(LocatedErrors) as caught:
        load_policy(f"version: 1\npacks: [{{use: ./asking.yaml, asks: {asks}}}]", str(tmp_path / "p.yaml"), find_pack)
    assert [error.message for error in caught.value.errors] == ["`asks` may only be `deny`"]
