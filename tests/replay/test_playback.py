"""What a replay makes of a transcript: which calls it judges, in which order, and with what around them."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interlock.replay.faults import Faults
from interlock.replay.shapes import line_of
from interlock.replay.tally import ReplayTally
from tests.replay.transcripts import START, Transcript, commands, decisions, pack, play_all, policy_of


def outcomes(played):
    return [one.outcome for one in played]


def test_calls_are_judged_in_order_by_the_policy(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    session.prompt("push it")
    session.bash("ls")
    session.bash("git push -f origin main")
    session.bash("git reset --hard HEAD~1")
    played = play_all([tmp_path], pack("guarded"))
    assert commands(played) == ["ls", "git push -f origin main", "git reset --hard HEAD~1"]
    assert decisions(played) == [None, "deny", "ask"]
    assert {one.project for one in played} == {"/home/dev/shop"}


def test_what_became_of_each_call_is_told_apart(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    session.bash("true")
    session.result(session.call("Bash", {"command": "false"}), "Exit code 1", "Error: Exit code 1", error=True)
    session.refuse("Bash", {"command": "ls"})
    old = session.call("Bash", {"command": "pwd"})
    session.result(old, "The user doesn't want to proceed with this tool use.", "Error", error=True)
    session.call("Bash", {"command": "sleep 99"})
    played = play_all([tmp_path], [policy_of()])
    assert commands(played) == ["true", "false", "ls", "pwd", "sleep 99"]
    assert outcomes(played) == ["ran", "failed", "refused", "refused", "open"]


def test_a_call_that_the_client_finds_invalid_is_not_judged_because_no_hook_was_asked(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    wrong = session.call("Bash", {"cmd": "x"})
    session.result(wrong, "<tool_use_error>InputValidationError: no</tool_use_error>", "Error", error=True)
    session.bash("echo '<tool_use_error>x</tool_use_error>'", "<tool_use_error>x</tool_use_error>")
    played = play_all([tmp_path], [policy_of("{id: all, tool: '*', deny: never}")])
    assert commands(played) == ["echo '<tool_use_error>x</tool_use_error>'"]


def test_time_branch_folder_and_mode_are_those_of_the_call(tmp_path: Path):
    rules = (
        "{id: branch, command: git commit, branch: main, deny: b}",
        "{id: hour, command: date, when: 'now.getHours() == 9', deny: h}",
        "{id: folder, path: {write: '${project}/sub/**'}, deny: f}",
        "{id: plan, command: make, mode: plan, deny: p}",
    )
    session = Transcript(tmp_path / "s1.jsonl")
    session.prompt("a", mode="plan")
    session.bash("make")
    session.prompt("b")
    session.bash("make")
    session.bash("git commit -m x")
    session.branch = "main"
    session.bash("git commit -m x")
    session.bash("touch f")
    session.cwd += "/sub"
    session.bash("touch f")
    session.bash("date")
    session.at = START + 3600
    session.bash("date")
    assert decisions(play_all([tmp_path], [policy_of(*rules)])) == [
        "deny", None, None, "deny", None, "deny", "deny", None,
    ]  # fmt: skip


def test_the_second_call_of_a_message_is_judged_in_the_folder_that_the_first_one_left(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    first = session.call("Bash", {"command": "cd sub"}, message="m1")
    second = session.call("Bash", {"command": "touch f"}, message="m1")
    session.cwd += "/sub"
    session.result(first, "", {"stdout": "", "stderr": ""})
    session.result(second, "", {"stdout": "", "stderr": ""})
    rule = "{id: folder, path: {write: '${project}/sub/**'}, deny: f}"
    assert decisions(play_all([tmp_path], [policy_of(rule)])) == [None, "deny"]


def test_state_is_set_by_calls_and_by_results_and_ends_with_the_session(tmp_path: Path):
    state = "state: {seen: false, failed: false}\n"
    rules = (
        "{id: mark, event: PostToolUse, tool: Bash, when: 'response.stdout.contains(\"token\")', set: {seen: true}}",
        "{id: stop, command: curl, when: state.seen, deny: never}",
        "{id: third, command: ls, when: 'count(\"looks\") >= 2', deny: enough}",
        "{id: looks, command: ls, context: looked}",
    )
    for name in ("s1", "s2"):
        session = Transcript(tmp_path / f"{name}.jsonl")
        session.bash("curl x.example")
        session.bash("cat notes", "a token is here")
        session.bash("curl x.example")
        for _ in range(3):
            session.bash("ls")
    assert decisions(play_all([tmp_path], [policy_of(*rules, top=state)])) == [
        None, None, "deny", None, None, "deny",
    ] * 2  # fmt: skip


def test_a_call_that_would_have_been_denied_has_no_result(tmp_path: Path):
    rules = (
        "{id: never, command: cat secret, deny: never}",
        "{id: mark, event: PostToolUse, tool: Bash, set: {seen: true}}",
        "{id: stop, command: curl, when: state.seen, deny: never}",
    )
    session = Transcript(tmp_path / "s1.jsonl")
    session.bash("cat secret", "x")
    session.bash("curl x.example")
    assert decisions(play_all([tmp_path], [policy_of(*rules, top="state: {seen: false}\n")])) == ["deny", None]


def test_state_of_a_project_outlasts_a_session_and_stays_in_the_project(tmp_path: Path):
    rules = (
        "{id: mark, command: make deploy, set: {deployed: true}}",
        "{id: stop, command: make deploy, when: state.deployed, ask: again?}",
    )
    top = "state: {deployed: {default: false, scope: project}}\n"
    Transcript(tmp_path / "s1.jsonl", at=START).bash("make deploy")
    Transcript(tmp_path / "s2.jsonl", at=START + 100).bash("make deploy")
    Transcript(tmp_path / "s0.jsonl", at=START + 200, cwd="/home/dev/other").bash("make deploy")
    played = play_all([tmp_path], [policy_of(*rules, top=top)])
    assert [(one.session, one.said[0].call.decision) for one in played] == [("s1", None), ("s2", "ask"), ("s0", None)]


def test_subagents_are_judged_between_the_calls_of_their_session_and_as_themselves(tmp_path: Path):
    main = Transcript(tmp_path / "s1.jsonl")
    agent = main.call("Agent", {"description": "x", "prompt": "y", "subagent_type": "Explore"})
    sub = Transcript(tmp_path / "s1" / "subagents" / "agent-a1.jsonl", session="s1", agent="a1", at=main.at)
    sub.file.with_suffix(".meta.json").write_text(json.dumps({"agentType": "Explore"}), encoding="utf-8")
    sub.prompt("y")
    call = sub.call("Bash", {"command": "ls"})
    sub.result(call, "a secret here")  # the transcript of a subagent has only the text
    main.at = sub.at
    main.result(agent, "done", {"status": "completed", "content": [{"type": "text", "text": "done"}]})
    main.bash("ls")
    rules = (
        "{id: agents, agent: Explore, command: ls, ask: sure?}",
        "{id: seen, event: PostToolUse, tool: Bash, when: 'response.stdout.contains(\"secret\")', context: found it}",
    )
    played = play_all([tmp_path], [policy_of(*rules)])
    assert decisions(played) == ["ask", None, None]
    assert [one.what.around.agent for one in played] == ["a1", "", ""]
    assert [verdict.told for verdict in played[0].said[0].verdicts] == [None, "found it"]


def test_subagents_of_earlier_clients_are_found_beside_the_session_and_inside_it(tmp_path: Path):
    main = Transcript(tmp_path / "s1.jsonl")
    main.bash("pwd")
    Transcript(tmp_path / "agent-9.jsonl", session="s1", agent="9", at=START + 50).bash("ls")
    inside = Transcript(tmp_path / "s1.jsonl", at=START + 60)
    call = "toolu_inside"
    block = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "whoami"}}
    inside.line(type="assistant", isSidechain=True, message={"role": "assistant", "content": [block]})
    played = play_all([tmp_path], [policy_of("{id: sub, tool: Bash, unless: {agent: main}, ask: sure?}")])
    assert commands(played) == ["pwd", "ls", "whoami"]
    assert decisions(played) == [None, "ask", "ask"]
    assert [one.session for one in played] == ["s1", "s1", "s1"]


def test_a_fork_repeats_its_parents_lines_which_leave_state_but_are_counted_once(tmp_path: Path):
    parent = Transcript(tmp_path / "p.jsonl")
    parent.bash("cat notes")
    copied = parent.file.read_text(encoding="utf-8").replace('"sessionId":"p"', '"sessionId":"f"')
    parent.bash("pwd")
    fork = Transcript(tmp_path / "f.jsonl", at=START + 500)
    fork.raw(copied.rstrip("\n"))
    fork.bash("curl x.example")
    rules = ("{id: mark, command: cat, set: {seen: true}}", "{id: stop, command: curl, when: state.seen, deny: never}")
    played = play_all([tmp_path], [policy_of(*rules, top="state: {seen: false}\n")])
    assert sorted(commands(played)) == ["cat notes", "curl x.example", "pwd"]
    assert [one.said[0].call.decision for one in played if one.session == "f"][-1:] == ["deny"]


def test_prompts_are_judged_and_what_the_client_writes_in_a_persons_name_is_not(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    session.prompt("deploy to production")
    session.line(type="user", message={"role": "user", "content": [{"type": "text", "text": "deploy it"}]})
    session.prompt("<command-name>/deploy</command-name>")
    session.prompt("[Request interrupted by user]")
    session.line(type="user", isMeta=True, message={"role": "user", "content": "deploy"})
    played = play_all([tmp_path], [policy_of("{id: never, event: UserPromptSubmit, prompt: /deploy/, deny: never}")])
    assert [one.said[0].call.decision for one in played] == ["deny", "deny"]
    assert [line_of(one.what) for one in played] == ["prompt: deploy to production", "prompt: deploy it"]


def test_what_cannot_be_read_is_counted_with_its_first_place_and_the_rest_is_judged(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    session.raw("what?")
    session.raw('{"type":"assistant","message":{"content":[{"type":"tool_use"')
    session.raw('{"type":"assistant","cwd":7,"message":{"content":[{"type":"tool_use"}]}}')
    session.raw('{"type":"assistant","message":{"content":[{"type":"tool_use","id":"x","name":"Bash","input":"ls"}]}}')
    session.raw('["tool_use"]')
    session.raw("")
    session.raw('{"message":' + "[" * 100_000 + '"tool_use"')
    session.bash("ls")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    faults = Faults()
    assert commands(play_all([tmp_path, tmp_path / "gone.jsonl"], [policy_of()], faults)) == ["ls"]
    found = {fault.what: (fault.count, fault.first.removeprefix(f"{tmp_path}/")) for fault in faults.all()}
    assert found == {
        "files that cannot be read (No such file or directory)": (1, "gone.jsonl"),
        "lines that are not JSON": (3, "s1.jsonl:1"),
        "lines of an unknown form": (2, "s1.jsonl:3"),
        "calls of an unknown form": (1, "s1.jsonl:4"),
    }


def test_the_last_line_of_a_session_that_is_still_being_written_is_not_a_fault(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    session.bash("ls")
    with session.file.open("a", encoding="utf-8") as stream:
        stream.write('{"type":"assistant","message":{"content":[{"type":"tool_use","id":"to')
    faults = Faults()
    assert commands(play_all([tmp_path], [policy_of()], faults)) == ["ls"]
    assert faults.all() == []


def test_no_hook_is_asked_no_check_is_run_and_no_file_of_today_is_read(tmp_path: Path):
    project = tmp_path / "shop"
    project.mkdir()
    (project / "hooks.py").write_text("raise SystemExit('it ran')\n", encoding="utf-8")
    (project / "x.sh").write_text("git push -f origin main\n", encoding="utf-8")
    session = Transcript(tmp_path / "s1.jsonl", cwd=str(project))
    session.bash("./x.sh")
    rule = "{id: check, tool: Bash, run: 'touch ran; exit 1', deny: the check failed}"
    policy = policy_of(rule, top="hooks: [hooks.py]\n", file=str(project / "interlock.yaml"))
    assert decisions(play_all([tmp_path / "s1.jsonl"], [policy, *pack("guarded")])) == [None]
    assert sorted(path.name for path in project.iterdir()) == ["hooks.py", "x.sh"]


def test_a_script_that_the_session_wrote_is_read_as_it_was_then(tmp_path: Path):
    project = tmp_path / "shop"
    project.mkdir()
    (project / "x.sh").write_text("git push -f origin main\n", encoding="utf-8")  # today, and not then
    session = Transcript(tmp_path / "s1.jsonl", cwd=str(project))
    other = Transcript(tmp_path / "s2.jsonl", cwd=str(project), at=START + 500)

    def use(tool: str, **given: object) -> None:
        session.result(session.call(tool, given), "ok", {"filePath": "x.sh"})

    session.bash("bash x.sh")
    use("Write", file_path=f"{project}/x.sh", content="git stash drop\n")
    session.bash("bash x.sh")
    use("Edit", file_path=f"{project}/x.sh", old_string="git stash drop", new_string="git push -f origin main")
    session.bash("bash x.sh")
    use("Edit", file_path=f"{project}/unknown.sh", old_string="a", new_string="git push -f origin main")
    session.bash("bash unknown.sh")
    session.refuse("Write", {"file_path": f"{project}/y.sh", "content": "git push -f origin main"})
    session.bash("bash y.sh")
    other.bash("bash x.sh")
    played = play_all([tmp_path], pack("guarded"))
    found = [one.said[0].call.decision for one in played if line_of(one.what).startswith("bash")]
    assert found == [None, "ask", "deny", None, None, None]


def test_what_the_session_made_outside_the_project_is_known_in_its_later_calls(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    lines = {
        "bash /tmp/a.sh": "ask",
        "cat > /tmp/a.sh <<'E'\nls\nE": None,
        "bash -x /tmp/a.sh": None,
        "cd /tmp && cat > b.sh <<'E'\ngit push -f origin main\nE": None,
        "bash /tmp/b.sh": "deny",
        "sed -i s/x/y/ /tmp/a.sh": None,
        "bash -e /tmp/a.sh": "ask",
        "go build -o /tmp/t ./cmd/t": None,
        "/tmp/t --help": None,
        "curl -o /tmp/t https://x.example": None,
        "/tmp/t --version": "ask",
    }
    for line in lines:
        session.bash(line)
    assert decisions(play_all([tmp_path], pack("guarded"))) == list(lines.values())


def test_a_file_that_the_session_has_read_is_not_new_when_it_is_written(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    for name in ("a.txt", "b.txt"):
        session.bash(f"touch {name}")
    session.result(session.call("Read", {"file_path": "/home/dev/shop/a.txt"}), "x", {"type": "text"})
    for name in ("a.txt", "b.txt"):
        session.bash(f"touch {name}")
    rule = "{id: new, path: {create: '*.txt'}, ask: 'A new file?'}"
    assert decisions(play_all([tmp_path], [policy_of(rule)])) == ["ask", "ask", None, None, "ask"]


def test_bytes_that_are_not_text_are_counted_like_other_bad_lines(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    with session.file.open("ab") as stream:
        stream.write(b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":"\xff"}]}}\n')
    session.bash("ls")
    faults = Faults()
    assert commands(play_all([tmp_path], [policy_of()], faults)) == ["ls"]
    assert [(fault.what, fault.count) for fault in faults.all()] == [("lines that are not JSON", 1)]


def test_a_pipe_can_be_read_and_nothing_of_it_is_lost(tmp_path: Path):
    session = Transcript(tmp_path / "s1.jsonl")
    for name in ("a", "b", "c"):
        session.bash(f"ls {name}")
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(session.file.read_bytes()))
    writer.start()
    played = play_all([pipe], [policy_of()])
    writer.join()
    assert commands(played) == ["ls a", "ls b", "ls c"]


_NAMES = st.sampled_from([
    "type", "message", "content", "id", "name", "input", "tool_use_id", "is_error", "uuid", "timestamp", "cwd",
    "toolUseResult", "agentId", "isSidechain", "permissionMode", "gitBranch", "text", "command", "file_path",
])  # fmt: skip
_WORDS = st.sampled_from([
    "assistant", "user", "tool_use", "tool_result", "text", "Bash", "Write", "t1", "t2", "ls", "", "/x", "x",
    "2026-11-16T09:00:00Z",
])  # fmt: skip
_VALUES = st.recursive(
    _WORDS | st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=5),
    max_leaves=12,
)
_BLOCKS = st.fixed_dictionaries({"type": _WORDS}, optional={
    "id": _WORDS, "name": _WORDS, "input": _VALUES, "tool_use_id": _WORDS, "content": _VALUES, "is_error": _VALUES,
})  # fmt: skip
_LINES = st.fixed_dictionaries(
    {"type": _WORDS, "message": _VALUES | st.fixed_dictionaries({"content": st.lists(_BLOCKS, max_size=3)})},
    optional={"timestamp": _VALUES, "cwd": _VALUES, "toolUseResult": _VALUES, "agentId": _VALUES, "uuid": _WORDS},
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_LINES, max_size=8))
def test_any_lines_can_be_played(lines: list[object]):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s.jsonl"
        text = "".join(json.dumps(line) + "\n" for line in lines)
        file.write_text(text, encoding="utf-8", errors="replace")
        tally = ReplayTally()
        for scene in play_all([file], [policy_of("{id: all, tool: '*', ask: 'Now?'}")]):
            tally.add(scene)
        assert tally.stops == tally.calls  # whatever it is, it is judged, and a rule about every call asks
