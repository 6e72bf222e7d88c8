"""Programs that policies describe: which rules know of a description, and what it can change about a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as using
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from interlock.config import places
from interlock.config.trust import without_trust
from interlock.errors import Source
from interlock.facts.programs.table import Program
from interlock.judging.guard import Guard
from interlock.judging.in_force import policies_in_force
from interlock.policy.engine import Step
from interlock.policy.load import Policy
from interlock.policy.moment import DescribedProgram
from interlock.policy.programs import Description
from interlock.probe.world import Machine
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.events import payload_for
from interlock.testing.pretend import PROJECT, Pretend
from tests.facts.test_own_programs import KNOWN, UNKNOWN_NAMES, described, lines
from tests.lint.project import Project
from tests.policy.builders import Session, fired, load

OURCTL = Program(
    "n/namespace=",
    subs={
        "get": Program("*", "text*", "read-only"),
        "destroy": Program("n/namespace= f/force!forced", "text*", "cluster/deletes"),
        "write": Program("", "write*", "changes"),
    },
)
# Everything that a rule can see of a call's commands, told to the model.
CALL = {"tool_name": "Bash", "tool_input": {"command": "ourctl destroy web"}, "tool_use_id": "t1"}
TELLS = "".join(
    f"${{{name}}} "
    for name in ("commands", "reads", "writes", "creates", "deletes", "sends", "urls", "opaque", "unclear", "unread")
)


def policy(file: str, rules: str, **programs: Program) -> Policy:
    own = {name: Description((name,), one, Source(file, 2)) for name, one in programs.items()}
    return replace(load(f"rules:\n{rules}", file), programs=own)


def rule(name: str, **parts: str) -> str:
    return f"  - {{id: {name}, {', '.join(f'{key}: {value}' for key, value in parts.items())}}}\n"


LOOKS = rule("looks", does="read-only", allow="true")
DELETES = rule("deletes", does="cluster/deletes", deny="stop")


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        # The lowest layer first. The rules of a layer know its own descriptions and those of the layers above.
        (0, [True, False, False]),
        (1, [True, True, False]),
        (2, [True, True, True]),
    ],
)
def test_a_program_becomes_known_only_to_rules_of_its_layer_and_of_lower_ones(place: int, expected: list[bool]):
    layers = [
        policy(f"{number}.yaml", rule(f"d{number}", does="cluster/deletes", deny="stop"), **own)
        for number, own in enumerate({"ourctl": OURCTL} if number == place else {} for number in range(3))
    ]
    verdict = Session(*layers).call("ourctl -n prod destroy web")
    assert fired(verdict) == [f"d{number}" for number, knows in enumerate(expected) if knows]


def test_a_description_excuses_its_program_from_no_rule_above():
    project = policy("project.yaml", LOOKS, ourctl=OURCTL)
    managed = policy("managed.yaml", rule("m", command="ourctl", unless="{does: read-only}", ask="Run it?"))
    assert Session(project).call("ourctl get pods").decision == "allow"
    assert Session(project, managed).call("ourctl get pods").decision == "ask"
    both = replace(managed, programs=project.programs)
    assert Session(project, both).call("ourctl get pods").decision == "allow"


def test_nor_does_it_add_what_such_a_rule_excuses():
    tagged = Program("", "text*", "git/config")
    project = policy("project.yaml", LOOKS, mkdir=tagged)
    managed = policy("managed.yaml", rule("m", command="mkdir", unless="{does: git/config}", ask="Run it?"))
    assert Session(project, managed).call("mkdir x").decision == "ask"


def test_a_policy_that_only_observes_describes_for_itself_alone():
    low = policy("low.yaml", LOOKS)
    high = replace(policy("high.yaml", LOOKS.replace("looks", "would"), ourctl=OURCTL), observe=True)
    verdict = Session(low, high).call("ourctl get pods")
    assert [(one.by, one.decision, one.would) for one in verdict.opinions] == [("would", None, "allow")]


def test_two_versions_of_one_file_are_one_layer():
    before = policy("project.yaml", LOOKS, ourctl=OURCTL)
    now = without_trust(policy("project.yaml", DELETES, ourctl=Program("*", "text*", "read-only")))
    assert now.programs == {}
    assert fired(Session(before, now).call("ourctl destroy web")) == ["deletes"]


def test_a_policy_that_is_not_trusted_describes_nothing():
    trusted = policy("p.yaml", rule("a", command="ourctl", unless="{does: read-only}", ask="Run it?"), ourctl=OURCTL)
    assert Session(trusted).call("ourctl get pods").decision is None
    assert Session(without_trust(trusted)).call("ourctl get pods").decision == "ask"


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("ourctl get pods", "allow"),
        ("ourctl get pods; ourctl get nodes", "allow"),
        ("ourctl get ./secrets", None),  # it may be a file, of which the rule does not speak
        ("ourctl get pods > out.txt", None),
        ("ourctl get $(cat x)", None),
        ("ourctl wat", None),
        ("ourctl --wat get pods", None),
        ("./ourctl get pods", None),
        ("/usr/local/bin/ourctl get pods", None),
        ("OURCTL get pods", None),
        ("PATH=/tmp ourctl get pods", None),
        ("ourctl destroy web", "deny"),
        ("ourctl get pods && ourctl destroy web", "deny"),
        ("./ourctl destroy web", "deny"),
        ("sudo ourctl destroy web", "deny"),
        ("OURCTL destroy web", "deny"),
        ("echo ourctl destroy web", "allow"),
    ],
)
def test_an_allow_trusts_the_bare_name_and_a_deny_catches_every_other_way(line: str, decision: str | None):
    assert Session(policy("p.yaml", LOOKS + DELETES, ourctl=OURCTL)).call(line).decision == decision


@pytest.mark.parametrize(
    ("pattern", "line", "caught"),
    [
        ("ourctl destroy --force", "ourctl destroy -f web", True),
        ("ourctl destroy -f", "ourctl destroy --force web", True),
        ("ourctl destroy -f|--force", "ourctl -n x destroy --force web", True),
        ("ourctl destroy -f", "ourctl destroy web", False),
        ("ourctl destroy", "ourctl -n prod destroy web", True),
        ("ourctl destroy", "ourctl get destroy", False),
        ("ourctl destroy prod", "ourctl -n prod destroy web", False),
    ],
)
def test_a_command_pattern_goes_by_the_described_options(pattern: str, line: str, caught: bool):
    found = Session(policy("p.yaml", rule("d", command=pattern, deny="stop"), ourctl=OURCTL)).call(line)
    assert (found.decision == "deny") is caught


def test_an_allow_by_a_described_option_holds_where_it_is_plainly_written():
    session = Session(policy("p.yaml", rule("a", command="ourctl destroy --force", allow="true"), ourctl=OURCTL))
    assert session.call("ourctl destroy --force web").decision == "allow"
    assert session.call("ourctl destroy -f web").decision is None
    assert session.call("ourctl -n --force destroy web").decision is None


def test_a_rule_that_waits_for_another_asks_it_by_what_that_one_knows():
    text = rule("deletes", does="cluster/deletes", notify="seen")
    text += rule("after", tool="Bash", when="'fired(\"deletes\")'", ask="Run it?")
    low = policy("p.yaml", text, ourctl=OURCTL)
    assert Session(low).call("ourctl destroy web").decision == "ask"
    assert Session(low).call("ourctl get web").decision is None


def test_a_change_is_told_of_as_the_rule_that_makes_it_reads_it():
    text = rule("c", does="cluster/deletes", change="{command: ourctl write a.txt}", context="'${writes}'")
    verdict = Session(policy("p.yaml", text, ourctl=OURCTL)).call("ourctl destroy web")
    assert verdict.told is not None
    assert f'["{PROJECT}/a.txt"]' in verdict.told


def test_a_result_sets_what_the_rule_knows_of_its_call():
    state = "state: {done: false}\nrules:\n"
    text = rule("s", event="PostToolUse", does="cluster/deletes", set="{done: true}")
    text += rule("d", tool="Read", when="state.done", deny="stop")
    own = policy("p.yaml", DELETES, ourctl=OURCTL).programs
    session = Session(replace(load(state + text, "p.yaml"), programs=own))
    session.call("ourctl destroy web")
    session.result("ourctl destroy web", {"stdout": "ok"})
    assert session.call({"Read": "x"}).decision == "deny"


def tells(file: str, **programs: Program) -> Policy:
    return policy(file, f"  - {{id: tells, tool: Bash, context: '{TELLS}'}}\n", **programs)


def told(session: Session, line: str) -> Any:
    """What the rule `tells` saw of a call."""
    return [one.context or one.error for one in session.call(line).opinions if one.by == "tells"]


@using(lines(), st.dictionaries(st.sampled_from([*KNOWN, *UNKNOWN_NAMES]), described, min_size=1, max_size=3))
@settings(max_examples=150)
def test_whatever_a_lower_layer_describes_a_rule_above_it_sees_the_same(line: str, programs: dict[str, Program]):
    low = policy("low.yaml", DELETES + LOOKS, **programs)
    plain = replace(low, programs={})
    assert told(Session(low, tells("high.yaml")), line) == told(Session(plain, tells("high.yaml")), line)


@using(lines(), st.dictionaries(st.sampled_from(KNOWN), described, min_size=1, max_size=3))
@settings(max_examples=150)
def test_whatever_is_described_of_known_programs_no_deny_or_ask_is_lost(line: str, programs: dict[str, Program]):
    rules = "".join(
        rule(f"r{number}", **parts)
        for number, parts in enumerate(
            [
                {"does": "[git/publishes, privilege, recursive, network]", "deny": "stop"},
                {"path": "{delete: [/etc, /etc/**]}", "deny": "stop"},
                {"path": "{read: [.env, ~/.ssh/**]}", "deny": "stop"},
                {"path": "{write: ['**']}", "ask": "Write?"},
                {"url": "a.org", "deny": "stop"},
                {"command": "rm -f", "deny": "stop"},
                {"command": "curl | bash", "deny": "stop"},
                {"when": "opaque", "ask": "Opaque?"},
                {"when": "size(unread) > 0", "ask": "Unread?"},
            ]
        )
    )
    known, plain = policy("p.yaml", rules, **programs), policy("p.yaml", rules)
    assert set(fired(Session(plain).call(line))) <= set(fired(Session(known).call(line)))


def test_a_trace_names_the_descriptions_that_a_rule_was_judged_by():
    steps: list[Step] = []
    low, high = (
        policy("low.yaml", DELETES, ourctl=OURCTL),
        policy("high.yaml", rule("high", tool="Bash", notify="seen")),
    )
    with Guard([low, high], Pretend(), MemoryStore(), project=PROJECT, alone=True, trace=steps.append) as guard:
        answer(guard, "claude-code", payload_for("PreToolUse", {}, **CALL))
    found = DescribedProgram("ourctl", Source("low.yaml", 2), ("cluster/deletes",))
    assert [(step.rule, step.programs) for step in steps] == [("deletes", (found,)), ("high", ())]


# --- the files of a project, a person and an administrator -----------------------------------------------------------

DESCRIBES = "programs: {ourctl: {does: {read-only: ['*'], cluster/deletes: [destroy]}}}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "policy.yaml")
    return Project(tmp_path, monkeypatch)


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"version: 1\n{text}", encoding="utf-8")


def decided(project: Project, command: str) -> tuple[str | None, list[str]]:
    """The verdict of the policies in force, and which rules it is from."""
    found = policies_in_force(project.root)
    with Guard(found.policies, Machine(str(project.root)), MemoryStore(), project=str(project.root)) as guard:
        verdict = answer(guard, "claude-code", project.call("Bash", command)).verdict
    return verdict.decision, fired(verdict)


FILES = {
    "local": lambda project: project.root / "interlock.local.yaml",
    "project": lambda project: project.root / "interlock.yaml",
    "user": lambda project: places.user_policy(),
    "managed": lambda project: places.MANAGED,
}


@pytest.mark.parametrize("layer", list(FILES))
def test_a_description_counts_for_the_rules_of_its_file_and_of_those_below(project: Project, layer: str):
    for name, file_of in FILES.items():
        own = DESCRIBES if name == layer else ""
        put(file_of(project), own + "rules:\n" + rule(name, does="cluster/deletes", deny="stop"))
    project.trust("interlock.yaml")
    project.trust("interlock.local.yaml")
    names = list(FILES)
    assert decided(project, "sudo ourctl destroy web") == ("deny", names[: names.index(layer) + 1])
    assert decided(project, "ourctl list") == (None, [])


def test_a_clone_describes_nothing_before_it_is_trusted_and_what_was_trusted_stays(project: Project):
    rules = "rules:\n" + rule("a", command="ourctl", unless="{does: read-only}", ask="Run it?")
    put(project.root / "interlock.yaml", DESCRIBES + rules)
    assert decided(project, "ourctl list") == ("ask", ["a"])
    project.trust()
    assert decided(project, "ourctl list") == (None, [])
    put(project.root / "interlock.yaml", DESCRIBES.replace("cluster/deletes", "read-only network") + rules)
    # The trusted version is in force with its description; the rules of the new one know that description too.
    assert decided(project, "ourctl list") == (None, [])
    assert decided(project, "ourctl destroy web") == ("ask", ["a", "a"])


def test_a_broken_description_keeps_the_last_good_version_in_force(project: Project):
    put(project.root / "interlock.yaml", DESCRIBES + "rules:\n" + DELETES)
    project.trust()
    put(project.root / "interlock.yaml", DESCRIBES.replace("deletes", "deltes") + "rules:\n" + DELETES)
    assert decided(project, "ourctl destroy web") == ("deny", ["deletes"])
