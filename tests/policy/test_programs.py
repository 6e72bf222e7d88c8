"""`programs` in a policy: what a description changes about verdicts, and what none can change."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.config.bundles import bundle_of, core_policy, load_file
from interlock.policy.load import Policy
from interlock.testing.cases import run_cases
from tests.policy.builders import Session, complaints, decide, fired, load

RULES = """
rules:
  - {id: looks, does: read-only, allow: true}
  - {id: rm, command: rm, deny: stop}
  - {id: recursive, does: recursive, path: {delete: /**}, deny: stop}
  - {id: files, path: {delete: [/etc/**, /etc]}, deny: stop}
  - {id: secrets, path: {read: [.env, "~/.ssh/**"]}, deny: stop}
  - {id: drops, does: [database/drops, told-to-delete], deny: stop}
  - {id: sends, path: {send: "**"}, deny: stop}
  - {id: opaque, when: opaque, ask: "Run it?"}
  - {id: privilege, does: privilege, ask: "Run it?"}
"""
# Descriptions that would make a deletion harmless, if they could.
EXCUSES = [
    '{does: {read-only: [""], network: [x]}}',
    "{does: read-only}",
    '{does: {read-only: ["", "*"]}}',
    "{does: read-only, options: [r!dry, f!dry, recursive!dry, force!dry]}",
    "{does: read-only, options: [r=, f=, rf=]}",
    "{does: read-only, options: [r=host, f=url], operands: text*}",
    "{like: ls}",
    "{like: echo}",
    "{like: git status}",
    "{like: rm, does: read-only}",
    "{does: read-only, operands: ''}",
    "{does: read-only, when: [{option: [-r, -f], looks: true}]}",
    "{does: changes, when: [{any: /etc, drops: [changes, recursive]}]}",
    "{does: read-only, operands: argv}",
    "{does: read-only, stdin: args}",
    "{service: local}",
    "{service: local, does: {read-only: ['', '*']}}",
    "{does: read-only, help: true, brief: true, stops: true, single-dash: true}",
]
DELETIONS = [
    "rm -rf /etc", "rm /etc -rf", "/bin/rm -rf /etc", "sudo rm -rf /etc", "\\rm -rf /etc", "command rm -rf /etc",
    "bash -c 'rm -rf /etc'", "ln -s /bin/rm ./x; ./x -rf /etc", "cp /bin/rm x && ./x -rf /etc", "env rm -rf /etc",
    "echo /etc | xargs rm -rf", "eval 'rm -rf /etc'", "$(echo rm) -rf /etc", "find /etc -exec rm -rf {} +",
]  # fmt: skip


@pytest.mark.parametrize("line", DELETIONS)
@pytest.mark.parametrize("entry", EXCUSES)
def test_no_description_excuses_rm(entry: str, line: str):
    plain, described = Session(load(RULES)), Session(load(f"programs: {{rm: {entry}}}\n{RULES}"))
    before, after = plain.call(line), described.call(line)
    assert before.decision == after.decision
    assert before.decision in ("deny", "ask")
    assert set(fired(before)) <= set(fired(after))


@pytest.mark.parametrize("entry", EXCUSES)
def test_nor_does_one_of_a_program_that_runs_it(entry: str):
    for name in ("sudo", "env", "xargs", "bash", "find", "timeout"):
        described = Session(load(f"programs: {{{name}: {entry}}}\n{RULES}"))
        for line in DELETIONS:
            assert described.call(line).decision in ("deny", "ask"), (name, line)


@pytest.mark.parametrize(
    ("entry", "line", "rule"),
    [
        # A made-up value does not swallow a word that may be a file, and no role hides it.
        ("{does: read-only, options: [x=]}", "ourctl -x .env", "secrets"),
        ("{does: read-only, options: [x=]}", "ourctl --x=~/.ssh/id_rsa", "secrets"),
        ("{does: read-only, operands: text*}", "ourctl ~/.ssh/id_rsa", "secrets"),
        ("{does: read-only, operands: host}", "ourctl .env", "secrets"),
        ("{does: {read-only: [get]}}", "ourctl get .env", "secrets"),
        ("{does: read-only, options: [C=base]}", "ourctl -C /tmp .env", "secrets"),
        # Nor what stands behind `--`, or comes through a pipe.
        ("{does: read-only}", "ourctl -- rm -rf /etc", "rm recursive files"),
        ("{does: read-only}", "cat .env | ourctl", "secrets"),
        ("{does: read-only}", "ourctl < .env", "secrets"),
        ("{does: read-only}", "ourctl $(rm -rf /etc)", "rm recursive files"),
    ],
)
def test_no_description_hides_what_any_program_may_touch(entry: str, line: str, rule: str):
    assert fired(Session(load(f"programs: {{ourctl: {entry}}}\n{RULES}")).call(line)) == rule.split()


@pytest.mark.parametrize("name", ["rm", "git", "ourctl"])
def test_read_only_without_a_subcommand_is_not_said_of_whatever_the_program_is_told(name: str):
    assert complaints(f"programs: {{{name}: {{does: {{read-only: ['']}}}}}}\n") == [
        f'2:{21 + len(name)} `{name}` has no subcommand, so `""` would say `read-only` of whatever it is told; '
        'write `does: read-only` if that is meant, or what it does with other words: `changes: ["*"]`'
    ]


def test_read_only_without_a_subcommand_holds_for_the_program_alone():
    policy = f"programs: {{ourctl: {{does: {{read-only: [''], changes: [set]}}}}}}\n{RULES}"
    assert decide(policy, "ourctl") == "allow"
    assert decide(policy, "ourctl frobnicate --all") is None
    assert decide(policy, "ourctl delete x") == "deny"
    assert decide(policy, "ourctl --all") is None


def test_a_program_that_nobody_knows_is_told_to_delete_unless_its_description_says_what_it_does():
    assert decide(RULES, "ourctl delete web") == "deny"
    assert decide(f"programs: {{ourctl: {{does: {{read-only: [get]}}}}}}\n{RULES}", "ourctl delete web") == "deny"
    assert (
        decide(f"programs: {{ourctl: {{does: {{cluster/changes: [delete]}}}}}}\n{RULES}", "ourctl delete web") is None
    )


def test_what_is_added_to_a_known_program_counts():
    policy = "programs: {npm: {does: {cloud/deploys: [ship]}}}\nrules: [{id: d, does: cloud/deploys, deny: stop}]\n"
    assert decide(policy, "npm ship") == "deny"
    assert decide(policy, "sudo npm ship web") == "deny"
    assert decide(policy, "npm test") is None


# --- layers ---------------------------------------------------------------------------------------------------------


def managed(rules: str) -> Policy:
    return load(f"rules:\n{rules}", "/etc/interlock/interlock.yaml")


PROJECT = "programs: {ourctl: {does: {read-only: ['', '*']}}}\nrules: [{id: looks, does: read-only, allow: true}]\n"


@pytest.mark.parametrize(
    "rule",
    [
        "  - {id: m, command: ourctl, unless: {does: read-only}, ask: Run it?}\n",
        "  - {id: m, does: told-to-delete, ask: Run it?}\n",
        "  - {id: m, tool: Bash, when: 'commands.exists(c, !(\"read-only\" in c.traits))', ask: Run it?}\n",
        "  - {id: m, tool: Bash, unless: {does: [read-only, '*']}, ask: Run it?}\n",
    ],
)
def test_a_project_does_not_slip_a_program_past_a_managed_rule(rule: str):
    assert decide(PROJECT, "ourctl delete web") == "allow"
    session = Session(load(PROJECT), managed(rule), core_policy())
    assert session.call("ourctl delete web").decision == "ask"
    assert session.call("sudo ourctl delete web").decision in ("ask", None)


def test_nor_does_a_user_a_program_past_a_managed_rule_but_a_managed_one_may():
    rule = "  - {id: m, command: ourctl, unless: {does: read-only}, ask: Run it?}\n"
    user = load(PROJECT, "~/.config/interlock.yaml")
    assert Session(load("rules: []\n"), user, managed(rule)).call("ourctl delete web").decision == "ask"
    own = load(f"programs: {{ourctl: {{does: {{read-only: ['*']}}}}}}\nrules:\n{rule}", "/etc/interlock.yaml")
    assert Session(load("rules: []\n"), user, own).call("ourctl delete web").decision == "allow"


def test_a_user_describes_for_a_project_and_the_project_can_only_add_to_that():
    user = load("programs: {ourctl: {does: {cluster/deletes: [rm]}}}\nrules: []\n", "user.yaml")
    project = load(
        "programs: {ourctl: {does: {read-only: ['*'], network: [push]}}}\n"
        "rules: [{id: looks, does: read-only, allow: true}, {id: d, does: cluster/deletes, deny: stop}]\n"
    )
    assert Session(project, user).call("ourctl rm web").decision == "deny"
    assert Session(project, user).call("ourctl list").decision is None
    assert Session(project).call("ourctl rm web").decision == "allow"


# --- packs and files ------------------------------------------------------------------------------------------------

PACK = """\
version: 1
programs:
  ourctl:
    options: [n/namespace=]
    does: {read-only: [get], cluster/deletes: [destroy]}
    cases: {ourctl get pods: read-only, "ourctl -n prod destroy web": cluster/deletes}
rules:
  - id: destroys
    does: cluster/deletes
    ask: Destroy it?
    cases: {catch: [ourctl destroy web], pass: [ourctl get x]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "team.yaml").write_text(PACK)
    return tmp_path


def written(folder: Path, text: str) -> Policy:
    (folder / "interlock.yaml").write_text(f"version: 1\npacks: [./team.yaml]\n{text}")
    return load_file(folder / "interlock.yaml")


def test_a_pack_can_bring_descriptions_for_the_rules_of_whoever_uses_it(folder: Path):
    policy = written(folder, "rules: [{id: looks, does: read-only, allow: true}]\n")
    session = Session(policy, managed("  - {id: m, does: [cluster/deletes, read-only], deny: stop}\n"))
    assert fired(session.call("ourctl get pods")) == ["looks"]
    assert fired(session.call("ourctl -n prod destroy web")) == ["team/destroys"]


def test_a_policy_describes_a_program_of_its_packs_anew_and_may_start_from_theirs(folder: Path):
    policy = written(folder, "programs: {ourctl: {like: ourctl, does: {cluster/deletes: [env rm]}}}\n")
    session = Session(policy)
    assert fired(session.call("ourctl env rm staging")) == ["team/destroys"]
    assert fired(session.call("ourctl -n x destroy staging")) == ["team/destroys"]
    assert [result.ok for result in run_cases(policy)] == []


def test_the_cases_of_a_pack_are_run_where_they_stand(folder: Path):
    results = list(run_cases(load_file(folder / "team.yaml")))
    assert [(result.rule, result.ok) for result in results] == [
        ("ourctl", True), ("ourctl", True), ("destroys", True), ("destroys", True),
    ]  # fmt: skip


def test_a_case_that_does_not_hold_is_told_with_what_is_found():
    policy = load("""
        programs:
          ourctl:
            does: {read-only: [get], cluster/deletes: [destroy]}
            cases:
              ourctl get pods: read-only
              ourctl destroy web: read-only
              ourctl wat: changes
    """)
    assert [(str(one.source), one.message, one.help) for one in run_cases(policy) if not one.ok] == [
        (
            "interlock.yaml:8:7",
            "the case `ourctl destroy web` fails: there is no read-only; it is also cluster/deletes",
            "Interlock finds: cluster/deletes",
        ),
        (
            "interlock.yaml:9:7",
            "the case `ourctl wat` fails: `wat` is not described",
            'list it under `does`; `"*"` covers every word there',
        ),
    ]


def test_a_changed_description_is_a_changed_policy(folder: Path):
    before = written(folder, "rules: []\n")
    assert written(folder, "rules: []\n").digest == before.digest
    (folder / "team.yaml").write_text(PACK.replace("read-only: [get]", "read-only: [get, list]"))
    after = written(folder, "rules: []\n")
    assert after.digest != before.digest
    assert bundle_of(folder / "interlock.yaml").policy().digest == after.digest
    assert fired(Session(after).call("ourctl list")) == []


def test_like_takes_a_shipped_program_or_another_of_the_map():
    programs = "programs: {ourkube: {like: kubectl}, ourkube-eu: {like: ourkube}}\n"
    policy = f"{programs}rules: [{{id: d, does: cluster/deletes, deny: stop}}]\n"
    assert [decide(policy, f"{name} delete pod x") for name in ("ourkube", "ourkube-eu", "otherkube")] == [
        "deny",
        "deny",
        None,
    ]


def test_a_name_is_described_once():
    assert complaints("programs: {a b: {does: changes}, b: {does: network}}\n") == [
        "2:34 `b` is described twice; put both descriptions together"
    ]
