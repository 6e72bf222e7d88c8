"""What ran must be what was answered for; a breach stops the session."""

import json

import pytest
from inline_snapshot import snapshot

from interlock import change, deny, hook, set_state
from interlock.event import event_from
from interlock.store.base import StoreError
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.builders import payload
from tests.receipts.sessions import SHELL, Session, said


@hook("PreToolUse", tool="Bash")
def no_push(call):
    return deny("No pushes.") if "push" in call.input["command"] else None


@hook("PostToolUse", tool="Bash")
def remember(call):
    return set_state(seen=call.output["stdout"])


STATE = {"scopes": {"seen": "session"}, "defaults": {"seen": ""}}


def seen(session):
    stop = event_from(payload("Stop", stop_hook_active=False))
    return session.keeping.open(stop, session.now).state["seen"]


# --- a result that is as it should be --------------------------------------------------------------------------


def test_a_call_that_ran_as_it_was_answered_is_no_breach_and_its_result_counts():
    session = Session(no_push, remember, **STATE)
    session.prompt()
    assert session.pre("c", command="ls").stdout == b"{}"
    assert session.status("c") == "open"
    assert session.post("c", command="ls").stdout == b"{}"
    assert (session.status("c"), session.breach, seen(session)) == ("closed", None, "done")
    assert "breach" not in session.last().record


def test_a_changed_call_that_the_host_normalised_is_no_breach():
    @hook("PreToolUse", tool="Read")
    def elsewhere(call):
        return change(file_path="sub/../b.md", offset="2", zzz=1)

    session = Session(elsewhere)
    session.prompt()
    session.pre("c", "Read", file_path="/home/dev/shop/a.txt")
    session.post("c", "Read", response="text", file_path="/home/dev/shop/b.md", offset=2)
    assert (session.status("c"), session.breach) == ("closed", None)
    assert "differs" not in session.last().record


def test_a_second_result_of_a_call_does_not_count_and_is_no_breach():
    session = Session(remember, **STATE)
    session.prompt()
    session.pre("c", command="ls")
    session.post("c", command="ls")
    again = session.post("c", response={**SHELL, "stdout": "forged"}, command="ls")
    assert (seen(session), session.breach) == ("done", None)
    assert said(again) == {
        "systemMessage": "the result of Bash (c) sets no state: there is no open receipt for the call"
    }


def test_a_result_that_comes_after_its_receipt_expired_does_not_count_and_is_no_breach():
    session = Session(remember, **STATE)
    session.prompt()
    session.pre("c", command="ls")
    session.batch()
    assert session.status("c") == "expired"
    session.post("c", command="ls")
    assert (session.status("c"), seen(session), session.breach) == ("expired", "", None)


# --- breaches --------------------------------------------------------------------------------------------------


def test_a_call_that_ran_though_it_was_denied_stops_the_session():
    session = Session(no_push, remember, **STATE)
    session.prompt()
    session.pre("c", command="git push")
    assert session.status("c") == "denied"
    answer = said(session.post("c", response={**SHELL, "stdout": "pushed"}, command="git push"))
    why = (
        "Interlock stopped this session: Bash (c) ran although it was denied: No pushes. "
        "Nothing more runs in it until a person runs `interlock lift`."
    )
    assert answer == {
        "continue": False,
        "stopReason": why,
        "systemMessage": f"{why}\nthe result of Bash (c) sets no state: there is no open receipt for the call",
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "updatedToolOutput": {**SHELL, "stdout": "[withheld by Interlock: this session was stopped]"},
        },
    }
    assert (seen(session), session.status("c")) == ("", "denied")
    record = session.last().record
    assert (record["breach"], record["reason"]) == ("Bash (c) ran although it was denied: No pushes.", why)


def test_every_later_call_of_a_stopped_session_is_denied_until_a_person_lifts_it():
    session = Session(no_push)
    session.prompt()
    session.pre("c", command="git push")
    session.post("c", command="git push")
    denied = session.pre("d", command="ls")
    why = (
        "Bash (c) ran although it was denied: No pushes. Nothing more runs in it until a person runs `interlock lift`."
    )
    assert (denied.exit_code, denied.stderr) == (2, f"Interlock stopped this session: {why}")
    assert (session.status("d"), session.last().decision) == ("denied", "deny")
    assert said(session.batch(("d", denied.stderr)))["decision"] == "block"
    assert "Interlock stopped this session" in said(session.prompt())["systemMessage"]
    assert "Interlock stopped this session" in said(session.send("SessionStart", source="resume"))["systemMessage"]
    session.base = {"session_id": "s-2"}
    assert session.pre("e", command="ls").stdout == b"{}"
    session.base = {}
    assert session.store.lift_breach("s-1")
    assert session.pre("f", command="ls").stdout == b"{}"


def test_a_call_without_a_receipt_is_a_breach():
    session = Session(remember, **STATE)
    session.prompt()
    session.post("c", command="ls")
    assert session.breach == "Bash (c) ran without a receipt: Interlock was never asked about it."
    assert seen(session) == ""


def test_a_receipt_of_another_session_is_none():
    session = Session()
    session.prompt()
    session.pre("c", command="ls")
    session.base = {"session_id": "s-2"}
    session.prompt()
    session.post("c", command="ls")
    assert session.store.session("s-2").breach is not None
    assert session.breach is None


def test_calls_from_before_a_turn_began_under_our_eyes_are_no_breach():
    session = Session(remember, **STATE)
    session.pre("d", command="ls")
    assert session.post("c", command="ls").verdict.interrupt is False
    assert session.batch(("c", "done")).stdout == b"{}"
    assert (session.breach, seen(session)) == (None, "")


def test_where_not_every_event_reaches_us_nothing_is_a_breach_and_a_result_without_a_receipt_sets_nothing():
    session = Session(no_push, remember, whole=False, **STATE)
    session.prompt()
    session.pre("c", command="git push")
    session.post("c", command="git push")
    session.post("d", command="ls")
    session.batch(("e", "done"))
    assert (session.breach, seen(session)) == (None, "")


def test_a_denied_call_that_ran_and_failed_stops_the_session_at_the_end_of_its_batch():
    session = Session(no_push)
    session.prompt()
    session.pre("c", command="git push")
    assert "ran although it was denied" in said(session.fail("c", "Exit code 1", command="git push"))["systemMessage"]
    assert said(session.batch(("c", "Exit code 1")))["decision"] == "block"
    assert session.breach == "Bash (c) ran although it was denied: No pushes."


# --- what ran otherwise ----------------------------------------------------------------------------------------


def test_what_ran_otherwise_is_judged_again_and_a_denial_is_a_breach():
    session = Session(no_push, remember, **STATE)
    session.prompt()
    session.pre("c", command="ls")
    session.post("c", command="git push")
    assert session.breach == snapshot(
        "Bash (c) ran differently from what was judged in `command`, and the policy denies that: No pushes."
    )
    record = session.last().record
    assert (record["differs"], session.status("c"), seen(session)) == (["command"], "failed", "")


def test_what_ran_otherwise_and_is_not_denied_is_only_recorded():
    session = Session(no_push, remember, **STATE)
    session.prompt()
    session.pre("c", command="ls", description="look")
    session.post("c", command="ls -l", description="look")
    assert (session.breach, session.last().record["differs"], seen(session)) == (None, ["command"], "done")


def test_a_result_of_another_tool_than_was_answered_for_is_a_breach():
    session = Session(no_push)
    session.prompt()
    session.pre("c", "Read", file_path="/a")
    session.post("c", command="git push")
    assert session.breach == "a result of Bash (c) arrived for a call of Read."


def test_a_limit_that_the_call_itself_used_up_is_no_breach_when_it_ran_a_little_otherwise():
    @hook("PreToolUse", tool="Bash")
    def once(call, state):
        if state["used"]:
            yield deny("Only once.")
        yield set_state(used=True)

    session = Session(once, no_push, scopes={"used": "session"}, defaults={"used": False})
    session.prompt()
    session.pre("c", command="ls")
    session.post("c", command="ls  ")
    assert (session.breach, session.last().record["differs"]) == (None, ["command"])
    session = Session(once, no_push, scopes={"used": "session"}, defaults={"used": False})
    session.prompt()
    session.pre("c", command="ls")
    session.post("c", command="git push")
    assert "No pushes." in (session.breach or "")
    assert "Only once" not in (session.breach or "")


def test_a_change_that_somebody_undid_is_judged_as_what_ran():
    @hook("PreToolUse", tool="Bash")
    def dry(call):
        return change(command="echo safe") if call.input["command"] == "rm -rf x" else None

    @hook("PreToolUse", tool="Bash")
    def no_rm(call):
        return deny("No rm.") if call.input["command"].startswith("rm") else None

    session = Session(dry, no_rm)
    session.prompt()
    session.pre("c", command="ls")
    session.post("c", command="rm -rf x")
    assert "No rm." in (session.breach or "")


def test_judging_again_sets_and_counts_nothing():
    calls = []

    @hook("PreToolUse", tool="Bash")
    def count(call):
        calls.append(call.input["command"])
        return set_state(seen=call.input["command"])

    session = Session(count, **STATE)
    session.prompt()
    session.pre("c", command="ls")
    session.post("c", command="pwd")
    assert calls == ["ls", "pwd"]
    assert seen(session) == "ls"


def test_an_input_is_kept_redacted_and_still_known_again():
    token = "ghp_" + "a1" * 20
    session = Session(no_push)
    session.prompt()
    session.pre("c", command=f"curl -H {token}")
    receipt = session.store.receipt("s-1", "c")
    assert json.loads(receipt.input) == {"command": "curl -H [redacted GitHub token]"}
    session.post("c", command=f"curl -H {token}")
    assert (session.breach, "differs" in session.last().record) == (None, False)
    session.pre("d", command=f"curl -H {token}")
    session.post("d", command=f"curl -H {token[:-1]}2")
    assert session.last().record["differs"] == []  # what differs is what was redacted; that it differs is known


def test_a_long_input_is_compared_without_being_kept():
    session = Session()
    session.prompt()
    session.pre("c", "Write", file_path="/a", content="x" * 100_000)
    assert session.store.receipt("s-1", "c").input is None
    session.post("c", "Write", response="ok", file_path="/a", content="x" * 100_000)
    assert "differs" not in session.last().record
    session.pre("d", "Write", file_path="/a", content="x" * 100_000)
    session.post("d", "Write", response="ok", file_path="/a", content="x" * 100_001)
    assert session.last().record["differs"] == []


# --- the end of a batch ----------------------------------------------------------------------------------------


def test_a_batch_of_calls_that_are_known_passes():
    session = Session(no_push)
    session.prompt()
    for call in ("a", "b"):
        session.pre(call, command="ls")
    session.pre("c", command="git push")
    session.post("a", command="ls")
    reply = session.batch(("a", "done"), ("b", "Permission to use Bash has been denied."), ("c", "No pushes."))
    assert (reply.stdout, session.breach) == (b"{}", None)
    assert [session.status(call) for call in "abc"] == ["closed", "expired", "denied"]


def test_a_call_in_a_batch_that_never_reached_us_is_a_breach():
    session = Session()
    session.prompt()
    answer = said(session.batch(("c", "done")))
    assert answer["decision"] == "block"
    assert session.breach == "Bash (c) has a result, and Interlock was never asked about that call."
    assert answer["reason"] == answer["systemMessage"]


@pytest.mark.parametrize(
    "text",
    [
        "<tool_use_error>InputValidationError: Bash failed due to the following issue:\nx</tool_use_error>",
        "PreToolUse:Bash hook error: [/x/client.py]: Interlock did not answer.",
        "Interlock did not answer. A person can find out why with `interlock doctor`.",
    ],
)
def test_a_call_that_its_text_says_did_not_run_need_not_have_reached_us(text):
    session = Session()
    session.prompt()
    assert session.batch(("c", text)).stdout == b"{}"
    assert session.breach is None


def test_a_denied_call_with_a_result_that_is_not_our_denial_is_a_breach():
    session = Session(no_push)
    session.prompt()
    session.pre("c", command="git push")
    assert session.batch(("c", "PreToolUse:Bash hook error: another's reason")).stdout == b"{}"
    assert said(session.batch(("c", "Everything up-to-date")))["decision"] == "block"
    assert session.breach == "Bash (c) was denied, but its result is not Interlock's denial: No pushes."


def test_a_reason_that_was_redacted_is_known_again():
    token = "ghp_" + "a1" * 20

    @hook("PreToolUse", tool="Write")
    def quotes(call):
        return deny(f"{call.input['content']} is a secret.")

    session = Session(quotes)
    session.prompt()
    session.pre("c", "Write", file_path="/a", content=token)
    assert token not in session.store.receipt("s-1", "c").said
    assert session.batch(("c", f"{token} is a secret."), tool="Write").stdout == b"{}"


def test_a_call_that_failed_closed_is_known():
    class Broken:
        def ask(self, asked, round_):
            raise RuntimeError("boom")

    session = Session()
    session.prompt()
    session.hooks, working = Broken(), session.hooks
    denied = session.pre("c", "Write", file_path="/a", content="x")
    session.hooks = working
    assert session.status("c") == "denied"
    assert session.batch(("c", denied.stderr), tool="Write").stdout == b"{}"
    session.post("c", "Write", response="ok", file_path="/a", content="x")
    assert "ran although it was denied" in (session.breach or "")


def test_an_event_that_fails_does_not_overwrite_the_receipt_of_its_call():
    class Broken:
        def ask(self, asked, round_):
            raise RuntimeError("boom")

    session = Session()
    session.prompt()
    session.pre("c", command="ls")
    session.hooks = Broken()
    session.pre("c", command="pwd")
    assert session.status("c") == "open"


def test_the_receipt_of_a_store_that_failed_is_not_missed():
    class Full(MemoryStore):
        full = False

        def commit(self, entry):
            if self.full:
                raise StoreError("the store /x failed: the disk is full")
            return super().commit(entry)

    session = Session(store=Full())
    session.prompt()
    session.store.full = True
    denied = session.pre("c", "Write", file_path="/a", content="x")
    assert denied.verdict.decision == "deny"
    session.store.full = False
    assert session.batch(("c", denied.verdict.reason), tool="Write").stdout == b"{}"
    assert session.pre("d", command="ls").stdout == b"{}"


# --- both stores -----------------------------------------------------------------------------------------------


def test_a_breach_outlasts_the_process(tmp_path):
    store = SqliteStore(tmp_path / "store.db")
    session = Session(no_push, store=store)
    session.prompt()
    session.pre("c", command="git push")
    session.post("c", command="git push")
    store.close()
    store = SqliteStore(tmp_path / "store.db")
    session = Session(no_push, store=store, whole=False)
    assert session.pre("d", command="ls").verdict.decision == "deny"
    store.close()
