"""What a failed call printed cannot be replaced, so its batch is stopped before the model reads it."""

import json
from contextlib import closing

from interlock import hook, output
from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.receipts.ledger import Ledger
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from interlock.testing.pretend import Pretend
from tests.builders import payload, raw
from tests.receipts.sessions import SHELL, Session, said

POLICY = """
version: 1
state: {tenure: {}}
rules:
  - id: hide-secrets
    event: PostToolUse
    tool: Bash
    output: {stdout: '${redact(output.stdout)}'}
  - id: customer-known
    event: PostToolUse
    tool: mcp__crm__get
    set: {tenure: {'${input.id}': '${output.tenure}'}}
  - id: no-cards
    event: PostToolUse
    tool: mcp__pay__list
    when: output.card != ""
    output: {card: '****'}
"""
SECRET = "ghp_" + "a1" * 20


@hook("PostToolUse", tool="Bash")
def hide(call):
    if "hunter2" in call.output["stdout"]:
        return output({"stdout": call.output["stdout"].replace("hunter2", "***")})
    return None


def run(session, error, **given):
    session.prompt()
    session.pre("c", command="cat x; false", **given)
    return session.fail("c", error, command="cat x; false", **given), session.batch(("c", error))


def test_a_batch_with_a_failed_call_whose_output_a_rule_would_change_is_stopped():
    session = Session(hide)
    failed, batch = run(session, "Exit code 1\nhunter2")
    assert failed.stdout == b"{}"
    assert said(batch)["decision"] == "block"
    assert said(batch)["reason"] == (
        "Bash (c) failed, and what it printed was not shown to the model: `hide` would have changed it, and no host "
        "replaces what a failed call printed. The turn was ended instead. The output is still in the conversation: "
        "rewind or clear it before you continue."
    )
    assert (session.breach, session.status("c")) == (None, "failed")
    assert session.store.receipt("s-1", "c").withheld == "`hide` would have changed it"


def test_a_batch_with_a_failed_call_whose_output_no_rule_would_change_passes():
    session = Session(hide)
    _, batch = run(session, "Exit code 1\nno such file")
    assert (batch.stdout, session.store.receipt("s-1", "c").withheld) == (b"{}", None)


def test_a_batch_with_a_result_that_never_came_by_itself_is_stopped_if_a_rule_would_change_it():
    """An entry over HTTP may have found nobody: the client then shows the result as it is."""
    session = Session(hide)
    session.prompt()
    session.pre("c", command="cat x")
    assert said(session.batch(("c", "hunter2")))["reason"] == (
        "the result of Bash (c) was not judged when it arrived, and `hide` would have changed it. The turn was ended "
        "instead. The result is still in the conversation: rewind or clear it before you continue."
    )
    session.pre("d", command="ls")
    assert session.batch(("d", "README.md")).stdout == b"{}"


def test_a_batch_of_results_that_were_judged_is_not_judged_again():
    session = Session(hide)
    session.prompt()
    session.pre("c", command="cat x")
    session.post("c", response={**SHELL, "stdout": "hunter2"}, command="cat x")
    assert session.batch(("c", "***")).stdout == b"{}"


def test_a_call_that_did_not_run_has_no_result_to_judge():
    session = Session(hide)
    session.prompt()
    session.pre("c", command="cat hunter2")
    assert session.batch(("c", "<tool_use_error>hunter2 is no file</tool_use_error>")).stdout == b"{}"


def test_only_the_batch_that_holds_the_call_is_stopped():
    session = Session(hide)
    run(session, "Exit code 1\nhunter2")
    assert session.batch(("d", "<tool_use_error>x</tool_use_error>")).stdout == b"{}"


def test_a_result_that_a_rule_changed_does_not_stop_its_batch():
    @hook("PostToolUse", tool="Bash")
    def grows(call):
        return output({"stdout": call.output["stdout"] + "!"})

    session = Session(grows)
    session.prompt()
    session.pre("c", command="ls")
    changed = session.post("c", response={**SHELL, "stdout": "x"}, command="ls")
    assert said(changed)["hookSpecificOutput"]["updatedToolOutput"]["stdout"] == "x!"
    assert session.batch(("c", "x!")).stdout == b"{}"


def test_it_is_remembered_by_a_store_that_is_opened_anew(tmp_path):
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        session = Session(hide, store=store)
        session.prompt()
        session.pre("c", command="cat x; false")
        session.fail("c", "hunter2", command="cat x; false")
    with closing(SqliteStore(tmp_path / "store.db")) as store:
        assert said(Session(store=store).batch(("c", "hunter2")))["decision"] == "block"


def test_where_not_every_event_reaches_us_nothing_is_judged_twice():
    asked = []

    @hook("PostToolUse", tool="Bash")
    def counts(call):
        asked.append(call.output)

    session = Session(counts, whole=False)
    _, batch = run(session, "hunter2")
    assert (asked, batch.stdout) == ([], b"{}")


def guarded(silent=frozenset({"customer-known"})):
    """A session judged by rules."""
    guard = Guard([load_policy(POLICY, "p.yaml")], Pretend(), MemoryStore(), run_hooks=False)
    session = Session()
    plan = guard._memory.plan
    session.keeping = Ledger(session.store, type(plan)(scopes=plan.scopes, silent=silent), home="/h", whole=True)
    session.hooks = guard.engine
    return session


def test_rules_of_a_policy_are_asked_the_same_way():
    _, batch = run(guarded(), f"Exit code 1\n{SECRET}")
    assert "`hide-secrets` would have changed it" in said(batch)["reason"]
    _, batch = run(guarded(), "Exit code 1\nnothing")
    assert batch.stdout == b"{}"


def fails(session, tool, error):
    session.prompt()
    session.pre("c", tool, id="7")
    session.fail("c", error, tool, id="7")
    return session.batch(("c", error), tool=tool)


def test_a_rule_that_only_sets_state_does_not_stop_a_batch_by_failing_on_an_error_text():
    assert fails(guarded(), "mcp__crm__get", "no such customer").stdout == b"{}"


def test_a_rule_that_cannot_read_the_error_text_of_a_tool_whose_shape_nobody_knows_does_not_stop_a_batch():
    assert fails(guarded(), "mcp__pay__list", "server is down").stdout == b"{}"


def test_an_error_that_holds_what_a_rule_changes_stops_the_batch():
    reply = fails(guarded(), "mcp__pay__list", '{"card": "4111"}')
    assert "`no-cards` would have changed it" in said(reply)["reason"]


def test_a_rule_on_a_known_shape_that_fails_stops_the_batch():
    @hook("PostToolUse", tool="Bash")
    def breaks(call):
        raise ValueError(call.output["stdout"])

    session = Session(breaks)
    _, batch = run(session, "hunter2")
    assert "`breaks` withholds it" in said(batch)["reason"]
    assert "hunter2" not in said(batch)["reason"]
    session = Session(breaks, silent=frozenset({"breaks"}))
    assert run(session, "hunter2")[1].stdout == b"{}"


def test_a_call_without_a_receipt_is_not_asked_about_twice():
    session = Session(hide)
    session.prompt()
    session.fail("c", "hunter2", command="cat x")
    assert "was never asked about it" in said(session.batch(("c", "hunter2")))["reason"]


def test_the_payload_is_that_of_a_result_of_the_same_call():
    seen = []

    class Spy:
        def ask(self, asked, round_):
            seen.append((asked.event.hook_event_name, asked.raw))
            return {}

    session = Session()
    session.hooks = Spy()
    run(session, "x")
    names = [name for name, _ in seen]
    assert names == ["UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "PostToolUse", "PostToolBatch"]
    expected = payload(
        "PostToolUse",
        tool_name="Bash",
        tool_use_id="c",
        tool_input={"command": "cat x; false"},
        tool_response={**SHELL, "stdout": "x"},
    )
    assert json.loads(seen[3][1]) == json.loads(raw(expected))
