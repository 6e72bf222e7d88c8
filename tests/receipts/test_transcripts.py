"""Reading transcripts as they grow, and finding whose fork a session is."""

import json
import os
from datetime import UTC, datetime

import pytest

from interlock import deny, hook, set_state
from interlock.receipts.transcripts import Transcripts, parent_of
from tests.receipts.sessions import Session, said


def line(call, at=None, **block):
    when = (at or datetime(2026, 1, 5, 10, tzinfo=UTC)).isoformat()
    content = [{"type": "tool_result", "tool_use_id": call, **block}]
    return json.dumps({"type": "user", "timestamp": when, "message": {"content": content}}) + "\n"


def look(transcripts, path):
    found = transcripts.look(str(path), 0.0)
    transcripts.done(found)
    return found.calls


def test_only_what_is_new_is_read(tmp_path):
    file, transcripts = tmp_path / "t.jsonl", Transcripts()
    assert look(transcripts, file) == []
    file.write_text(line("a") + line("b")[:-9])
    assert look(transcripts, file) == ["a"]
    file.write_text(line("a") + line("b") + line("c"))
    assert look(transcripts, file) == ["b", "c"]
    assert look(transcripts, file) == []


def test_what_was_found_is_found_again_until_it_is_kept(tmp_path):
    file, transcripts = tmp_path / "t.jsonl", Transcripts()
    file.write_text(line("a"))
    assert [transcripts.look(str(file), 0.0).calls for _ in range(2)] == [["a"], ["a"]]


def test_a_huge_file_is_read_a_part_at_a_time(tmp_path):
    file, transcripts = tmp_path / "t.jsonl", Transcripts(most_bytes=400)
    file.write_text("".join(line(f"c{number}") for number in range(9)) + "x" * 1000 + "\n" + line("end"))
    found = [call for _ in range(12) for call in look(transcripts, file)]
    assert found == [*(f"c{number}" for number in range(9)), "end"]


@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "relative", "gone"])
def test_only_a_plain_file_is_read(tmp_path, kind):
    real = tmp_path / "real.jsonl"
    real.write_text(line("a"))
    path = tmp_path / "t.jsonl"
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "link":
            path.symlink_to(real)
        case "folder":
            path.mkdir()
    assert look(Transcripts(), "real.jsonl" if kind == "relative" else path) == []


# --- breaches ----------------------------------------------------------------------------------------------


@pytest.fixture
def transcript(tmp_path):
    return tmp_path / "s-1.jsonl"


def started(transcript, **options):
    session = Session(**options)
    session.base = {"transcript_path": str(transcript)}
    session.prompt()
    return session


def stop(session):
    return session.send("Stop", stop_hook_active=False)


def test_a_result_that_no_receipt_knows_is_a_breach_and_the_turn_may_end(transcript):
    session = started(transcript)
    session.pre("a", command="ls")
    session.post("a", command="ls")
    transcript.write_text(line("a") + line("b", is_error=True))
    assert stop(session).stdout == b"{}"
    transcript.write_text(line("a") + line("b", is_error=True) + line("c"))
    answer = said(stop(session))
    why = "the transcript shows a result of c, and Interlock was never asked about that call."
    assert session.breach == why
    assert answer == {
        "systemMessage": f"Interlock stopped this session: {why} "
        "Nothing more runs in it until a person runs `interlock lift`."
    }
    assert session.last().record["breach"] == why


def test_a_denied_call_with_a_result_in_the_transcript_is_a_breach(transcript):
    class Broken:
        def ask(self, asked, round_):
            raise RuntimeError("boom")

    session = started(transcript)
    session.hooks, working = Broken(), session.hooks
    session.pre("a", command="ls")
    session.hooks = working
    transcript.write_text(line("a"))
    session.prompt()
    assert (
        session.breach
        == "the transcript shows a result of a, which was denied: Interlock itself failed: RuntimeError: boom."
    )


def test_the_last_results_are_looked_at_when_the_session_ends(transcript):
    session = started(transcript)
    transcript.write_text(line("x"))
    session.send("SessionEnd", reason="other")
    assert session.breach is not None


def test_a_subagent_s_own_transcript_is_looked_at(transcript, tmp_path):
    session = started(transcript)
    own = tmp_path / "agent-1.jsonl"
    own.write_text(line("x"))
    fields = {"agent_id": "1", "agent_type": "x", "stop_hook_active": False, "agent_transcript_path": str(own)}
    session.send("SubagentStop", **fields)
    assert session.breach is not None


def test_a_session_of_which_no_turn_began_under_our_eyes_is_not_held_to_its_transcript(transcript):
    session = Session()
    session.base = {"transcript_path": str(transcript)}
    transcript.write_text(line("x"))
    assert [stop(session).stdout for _ in range(2)] == [b"{}", b"{}"]
    assert session.breach is None


def test_results_from_before_we_watched_are_none_of_our_business(transcript):
    transcript.write_text(line("old", at=datetime(2026, 1, 5, 8, tzinfo=UTC)))
    session = started(transcript)
    stop(session)
    assert session.breach is None


def test_a_session_that_is_resumed_is_not_held_to_receipts_that_were_let_go(transcript):
    session = started(transcript)
    session.pre("a", command="ls")
    session.post("a", command="ls")
    transcript.write_text(line("a", at=session.now))
    session.send("SessionEnd", reason="other")
    assert session.status("a") is None
    session.send("SessionStart", source="resume")
    fresh = Session(store=session.store)
    fresh.base, fresh.now = session.base, session.now
    stop(fresh)
    assert fresh.breach is None


def test_a_breach_that_a_person_lifted_is_not_found_again(transcript):
    session = started(transcript)
    transcript.write_text(line("x", at=session.now))
    stop(session)
    assert session.store.lift_breach("s-1")
    fresh = Session(store=session.store)
    fresh.base, fresh.now = session.base, session.now
    fresh.prompt()
    stop(fresh)
    assert fresh.breach is None


def test_where_not_every_event_reaches_us_no_transcript_is_read(transcript):
    session = started(transcript, whole=False)
    transcript.write_text(line("x"))
    stop(session)
    assert session.breach is None


# --- forks -------------------------------------------------------------------------------------------------

IDS = [f"{number:08}-c940-49e1-9311-2272086fad56" for number in range(9)]


def messages(*ids):
    return "".join(json.dumps({"uuid": IDS[number], "sessionId": "rewritten"}) + "\n" for number in ids)


def test_a_fork_is_known_by_the_messages_it_shares_with_its_parent(tmp_path):
    (tmp_path / "parent.jsonl").write_text(messages(0, 1, 2))
    (tmp_path / "grandparent.jsonl").write_text(messages(0, 1))
    (tmp_path / "stranger.jsonl").write_text(messages(7))
    (tmp_path / "notes.txt").write_text(messages(0, 1, 2, 3))
    child = tmp_path / "child.jsonl"
    child.write_text(messages(0, 1, 2, 8))
    assert parent_of(str(child)) == "parent"
    child.write_text(messages(8))
    assert parent_of(str(child)) is None
    assert parent_of(str(tmp_path / "none.jsonl")) is None
    assert parent_of("") is None


def test_of_two_that_hold_the_same_messages_the_one_written_last_is_the_parent(tmp_path):
    for at, name in enumerate(["older", "newer"]):
        (tmp_path / f"{name}.jsonl").write_text(messages(0, 1))
        os.utime(tmp_path / f"{name}.jsonl", (at, at))
    child = tmp_path / "child.jsonl"
    child.write_text(messages(0, 1, 2))
    assert parent_of(str(child)) == "newer"


def forked(tmp_path, *hooks):
    """A session whose parent has state, as its first call comes: only then does a fork's transcript exist."""
    plan = {"scopes": {"n": "session"}, "defaults": {"n": 0}}
    parent = Session(*hooks, **plan)
    parent.base = {"session_id": "parent", "transcript_path": str(tmp_path / "parent.jsonl")}
    child = Session(*hooks, store=parent.store, **plan)
    child.base = {"session_id": "child", "transcript_path": str(tmp_path / "child.jsonl")}
    return parent, child


def test_a_forked_session_gets_its_parent_s_state_before_its_first_call_is_answered(tmp_path):
    @hook("PreToolUse", tool="Bash")
    def once(call, state):
        return deny("Only once.") if state["n"] else set_state(n=1)

    parent, child = forked(tmp_path, once)
    parent.prompt()
    assert parent.pre("a", command="ls").verdict.decision is None
    (tmp_path / "parent.jsonl").write_text(messages(0, 1))
    child.send("SessionStart", source="fork")
    child.prompt()
    (tmp_path / "child.jsonl").write_text(messages(0, 1, 2))
    assert child.pre("b", command="ls").verdict.reason == "Only once."
    assert child.store.session("child").forked is False


def test_a_fork_whose_parent_cannot_be_found_says_so_once(tmp_path):
    _, child = forked(tmp_path)
    child.send("SessionStart", source="fork")
    told = "this session is a fork of a session that cannot be found: it starts without its parent's state"
    assert said(child.pre("b", command="ls")) == {"systemMessage": told}
    assert child.pre("c", command="ls").stdout == b"{}"
