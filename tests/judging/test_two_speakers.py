"""Two who speak about the same event: what one restricts, another who says less never takes back."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, json

from interlock.verdict import Verdict
from tests.policy.builders import Session, load

SECRET = "hunter2"
HIDE = "{id: hide, event: PostToolUse, tool: Bash, output: {stdout: \"${sub(output.stdout, 'hunter2', '***')}\"}}"
# Opinions about a result that say nothing of what the model should read in its place.
WITHOUT_OUTPUT = {
    "marks": "{id: marks, event: PostToolUse, tool: Bash}",
    "tells the model": "{id: tells, event: PostToolUse, tool: Bash, context: It ran.}",
    "quotes the result": '{id: quotes, event: PostToolUse, tool: Bash, context: "It printed ${output.stdout}"}',
    "tells the person": '{id: notifies, event: PostToolUse, tool: Bash, notify: "It printed ${response.stdout}"}',
    "remembers": '{id: remembers, event: PostToolUse, tool: Bash, set: {last: "${output.stdout}"}}',
    "ends the turn": "{id: ends, event: PostToolUse, tool: Bash, interrupt: Enough.}",
    "observes": '{id: observes, event: PostToolUse, tool: Bash, observe: true, output: {stdout: "nothing at all"}}',
    "fails and is ignored": (
        "{id: fails, event: PostToolUse, tool: Bash, on_error: ignore, when: int(output.stdout) > 1, context: never}"
    ),
}
TOP = "state: {last: ''}\nrules:\n"


def policy(*rules: str) -> str:
    return TOP + "".join(f"  - {rule}\n" for rule in rules)


def read(session: Session) -> tuple[Verdict, str]:
    """The verdict about a result that holds the secret, and everything that goes back to the host."""
    session.call("env")
    shown = {"stdout": f"pass {SECRET}", "stderr": "", "interrupted": False, "isImage": False}
    reply = session.result_reply("env", shown)
    return reply.verdict, reply.stdout.decode() + reply.stderr


def is_hidden(verdict: Verdict, sent: str) -> bool:
    replaced = verdict.output is not UNSET and verdict.output["stdout"] == "pass ***"
    return SECRET not in sent and "pass ***" in sent and replaced


def test_alone_a_rule_hides_the_secret_and_without_it_nothing_does():
    assert is_hidden(*read(Session(policy(HIDE))))
    verdict, _ = read(Session(policy(WITHOUT_OUTPUT["marks"])))
    assert verdict.output is UNSET


@pytest.mark.parametrize("kind", WITHOUT_OUTPUT)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("apart", [True, False], ids=["two policies", "one policy"])
def test_an_opinion_without_an_output_never_removes_an_output(kind: str, first: bool, apart: bool):
    rules = [HIDE, WITHOUT_OUTPUT[kind]] if first else [WITHOUT_OUTPUT[kind], HIDE]
    policies = [policy(rules[0]), load(policy(rules[1]), "other.yaml")] if apart else [policy(*rules)]
    assert is_hidden(*read(Session(*policies)))


@given(st.lists(st.sampled_from(sorted(WITHOUT_OUTPUT)), max_size=5, unique=True), st.integers(0, 5), st.booleans())
def test_however_many_speak_a_result_stays_hidden(kinds: list[str], place: int, alone: bool):
    rules = [WITHOUT_OUTPUT[kind] for kind in kinds]
    rules.insert(min(place, len(rules)), HIDE)
    assert is_hidden(*read(Session(policy(*rules), alone=alone)))


def test_two_outputs_are_both_kept_in_every_order_with_a_third_who_only_speaks():
    other = HIDE.replace("id: hide", "id: also").replace("hunter2", "pass").replace("***", "###")
    for order in permutations([HIDE, other, WITHOUT_OUTPUT["quotes the result"]]):
        verdict, sent = read(Session(policy(*order)))
        assert verdict.output["stdout"] == "### ***", order
        assert SECRET not in sent


@pytest.mark.parametrize("alone", [True, False])
def test_what_a_later_rule_brings_back_into_a_result_is_hidden_again(alone: bool):
    """The first rule saw nothing to hide; it is asked again about what the second one made of the result."""
    brings = '{id: brings, event: PostToolUse, tool: Bash, output: {stdout: "${output.stdout} and hunter2"}}'
    session = Session(policy(HIDE, brings, WITHOUT_OUTPUT["quotes the result"]), alone=alone)
    session.call("env")
    reply = session.result_reply("env", {"stdout": "user", "stderr": "", "interrupted": False, "isImage": False})
    assert reply.verdict.output["stdout"] == "user and ***"
    assert SECRET not in reply.stdout.decode()


# --- the same for the other parts of a verdict -------------------------------------------------------------------


CHANGE = '{id: changes, tool: Bash, change: {command: "${input.command} --dry-run"}}'
SPEAKS = {
    "marks": "{id: marks, tool: Bash}",
    "tells": "{id: tells, tool: Bash, context: Careful.}",
    "remembers": "{id: remembers, tool: Bash, set: {last: x}}",
    "observes": "{id: observes, tool: Bash, observe: true, allow: true}",
    "allows": "{id: allows, tool: Bash, allow: true}",
}


@pytest.mark.parametrize("kind", SPEAKS)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("alone", [True, False])
def test_an_opinion_without_a_change_never_removes_a_change(kind: str, first: bool, alone: bool):
    rules = [CHANGE, SPEAKS[kind]] if first else [SPEAKS[kind], CHANGE]
    reply = Session(policy(*rules), alone=alone).reply("deploy")
    sent: dict[str, Any] = json.decode(reply.stdout)["hookSpecificOutput"]
    assert sent["updatedInput"]["command"] == "deploy --dry-run"


@pytest.mark.parametrize("decision", ["deny", "ask"])
@pytest.mark.parametrize("kind", SPEAKS)
@pytest.mark.parametrize("first", [True, False])
def test_an_opinion_that_decides_less_never_loosens(decision: str, kind: str, first: bool):
    strict = f"{{id: strict, tool: Bash, {decision}: Not like this.}}"
    rules = [strict, SPEAKS[kind]] if first else [SPEAKS[kind], strict]
    verdict = Session(policy(*rules)).call("deploy")
    assert (verdict.decision, verdict.reason) == (decision, "Not like this.")


def test_a_failure_beside_a_redaction_withholds_and_a_context_beside_it_does_not_bring_the_result_back():
    fails = "{id: fails, event: PostToolUse, tool: Bash, when: int(output.stdout) > 1, context: never}"
    for order in permutations([HIDE, fails, WITHOUT_OUTPUT["quotes the result"]]):
        verdict, sent = read(Session(policy(*order)))
        assert verdict.withheld is not None
        assert SECRET not in sent
