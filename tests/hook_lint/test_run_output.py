"""What a hook printed once is judged like a program's answers: in a file, in a record of a run, in a transcript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks

RIGHT = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
FLAT = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
NAMELESS = {"hookSpecificOutput": {"permissionDecision": "deny"}}


def write(folder: Path, text: Any, name: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)).encode())
    return file


def found(place: Path, event: str = "") -> list[str]:
    """Where each finding is, and what it underlines."""
    listed = []
    for one in lint_hooks(gather([place], event)):
        lines = Path(one.source.file).read_text(encoding="utf-8").split("\n")
        start = one.source.column - 1
        part = lines[one.source.line - 1][start : start + one.length]
        listed.append(f"{one.source.line} {one.code} {part}")
    return listed


# --- a file that is stdout -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FLAT, ["1 IL205 *"]),
        (NAMELESS, ["1 IL206 *"]),
        ({"hookSpecificOutput": {"hookEventName": "preToolUse", "permissionDecision": "deny"}}, ["1 IL206 *"]),
        ({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "block"}}, ["1 IL207 *"]),
        ({"decision": "deny", "reason": "no"}, ["1 IL207 *"]),
        ({"blocked": True, "error": "no"}, ["1 IL204 *"]),
        ({"continue": False, "stopReason": "no"}, ["1 IL209 *"]),
        (f"checking größe 💥\n{json.dumps(RIGHT)}\n", ["1 IL214 checking größe 💥"]),
        (f"{json.dumps(RIGHT)}\n\ndone\n", ["3 IL214 done"]),
        (f"{json.dumps(RIGHT)}\n{json.dumps(RIGHT)}", ["2 IL214 *"]),
        (f"log: {json.dumps(RIGHT)}", ["1 IL214 log:"]),
        (json.dumps(RIGHT)[:-2], ["1 IL214 *"]),
        (json.dumps(RIGHT).replace('"', "'"), []),
        ('{"decision": "block", "reason": "it says "no""}', ["1 IL214 *"]),
        (RIGHT, []),
        (f"\n  {json.dumps(RIGHT, indent=2)}\n\n", []),
        ({**RIGHT, "mine": 1}, []),
        ({"decision": "block", "reason": "no"}, []),
        ({}, []),
        ("", []),
        ("{", []),
        ("Blocked: rm -rf", []),
        ('{"level": "info"}\n{"level": "debug"}', []),
        ("[1, 2]", []),
        ('{"decision": NaN}', ["1 IL214 *"]),
    ],
)
def test_an_answer_is_judged_for_the_event_that_is_named(tmp_path: Path, text: Any, said: list[str]):
    file = write(tmp_path, text, "printed.txt")
    last = file.read_text(encoding="utf-8").rstrip("\n").split("\n")[-1]
    assert found(file, "PreToolUse") == [line.replace("*", last) for line in said]


def test_the_event_makes_the_difference(tmp_path: Path):
    file = write(tmp_path, RIGHT, "out.json")
    assert found(file, "PreToolUse") == []
    assert [line[:7] for line in found(file, "PostToolUse")] == ["1 IL206", "1 IL211"]
    stop = write(tmp_path, {"continue": False, "stopReason": "Please fix the tests"}, "stop.json")
    assert [line[:7] for line in found(stop, "Stop")] == ["1 IL209"]
    assert found(stop, "UserPromptSubmit") == []


def test_only_files_that_are_named_are_taken_for_output_whatever_they_hold(tmp_path: Path):
    script = write(tmp_path, 'print("no")\n', "guard.py")
    assert [one.program.language for one in gather([script], "PreToolUse").outputs] == ["output"]
    assert gather([tmp_path], "PreToolUse").outputs == []


# --- files that are recognised ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [FLAT, NAMELESS, {"hookSpecificOutput": {"hookEventName": "Stop", "decision": 1}}])
def test_an_answer_in_a_json_file_is_known_by_its_keys(tmp_path: Path, value: dict[str, Any]):
    file = write(tmp_path, value, "deep/answer.json")
    assert [one.program.file for one in gather([tmp_path]).outputs] == [str(file)]
    assert found(tmp_path) or value["hookSpecificOutput"].get("decision")


@pytest.mark.parametrize(
    ("name", "text", "if_named"),
    [
        ("a.json", {"decision": "deny"}, 0),
        ("a.json", {"name": "pkg", "hookSpecificOutput": {}}, 1),
        ("a.json", [FLAT], 0),
        ("a.json", {"stdout": "x", "exit_code": 1}, 0),
        ("a.json", {"cases": [{"hook_event": "PreToolUse", "stdout": "{}"}]}, 0),
        ("a.json", f"checking\n{json.dumps(RIGHT)}", 1),
        ("a.txt", NAMELESS, 1),
        ("a.txt", "nothing", 0),
        ("a.jsonl", json.dumps({"hook_event": "PreToolUse", "stdout": "{}"}), 1),
        ("README.md", f"```json\n{json.dumps(FLAT)}\n```", 0),
    ],
)
def test_what_might_be_something_else_is_left_alone_unless_it_is_named(
    tmp_path: Path, name: str, text: Any, if_named: int
):
    file = write(tmp_path, text, name)
    assert gather([tmp_path]).outputs == []
    assert len(gather([file]).outputs) == if_named


def test_settings_with_such_words_in_a_command_are_settings(tmp_path: Path):
    command = f"echo '{json.dumps(NAMELESS)}'"
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}
    write(tmp_path, {"hooks": hooks}, ".claude/settings.json")
    gathered = gather([tmp_path])
    assert (len(gathered.settings), len(gathered.outputs)) == (1, 0)


# --- records of runs ------------------------------------------------------------------------------------------------


def record(stdout: Any = "", stderr: str = "", code: int | None = None, event: str = "PreToolUse") -> dict[str, Any]:
    text = stdout if isinstance(stdout, str) else json.dumps(stdout)
    return {"event": event, "stdout": text, "stderr": stderr, **({} if code is None else {"exit_code": code})}


ASK = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (record(FLAT), [f"1 IL205 {json.dumps(json.dumps(FLAT))[1:-1]}"]),
        (record(ASK, code=2), ["1 IL208 2"]),
        (record(ASK, code=0), []),
        (record(stderr="Blocked: größe\trm", code=1), ["1 IL201 1"]),
        (record(stderr="Blocked: größe\trm", code=0), ["1 IL203 Blocked: größe\\trm"]),
        (record(stderr="Blocked: rm", code=2), []),
        (record(stderr="Blocked: rm"), []),
        (record(stderr="Traceback: no such file", code=1), []),
        (record("Blocked: rm", code=0), ["1 IL203 Blocked: rm"]),
        (record(stderr="no", code=2, event="SessionStart"), ["1 IL210 2"]),
        (record(stderr="no", code=2, event="UserPromptSubmit"), []),
        (record("Blocked: 3 files", code=0, event="SessionStart"), []),
        (record(FLAT, event="preToolUse"), []),
    ],
)
def test_a_record_says_how_the_hook_ended(tmp_path: Path, given: dict[str, Any], said: list[str]):
    assert found(write(tmp_path, given, "run.json")) == said
    assert found(write(tmp_path, given, "run.json").parent) == said


@pytest.mark.parametrize("name", ["hook_event", "hookEvent", "hook_event_name"])
def test_the_fields_have_the_names_that_clients_and_libraries_give_them(tmp_path: Path, name: str):
    run = {name: "PreToolUse", "stdout": "Blocked: rm", "exitCode": 0}
    assert found(write(tmp_path, run, "run.json")) == ["1 IL203 Blocked: rm"]
    assert found(write(tmp_path, {name: "PreToolUse", "stdout": "no", "returncode": 0}, "run.json")) == []


def test_an_event_that_is_given_is_for_records_without_one(tmp_path: Path):
    file = write(tmp_path, {"stdout": "Blocked: rm", "stderr": "", "returncode": 0}, "run.json")
    assert found(file) == []
    assert found(file, "PreToolUse") == ["1 IL203 Blocked: rm"]


def test_every_hook_in_a_transcript_is_judged_and_equal_runs_once(tmp_path: Path):
    ran = {"type": "hook_success", "hookName": "PreToolUse:Bash", "hookEvent": "PreToolUse", "exitCode": 0,
           "stdout": f"{json.dumps(NAMELESS)}\n", "stderr": ""}  # fmt: skip
    streamed = {"type": "system", "subtype": "hook_response", "hook_event": "PreToolUse", "output": "", "stdout": "",
                "stderr": "Blocked 💥", "exit_code": 1}  # fmt: skip
    part = {**streamed, "subtype": "hook_progress", "stdout": json.dumps(FLAT)}
    tool = {"type": "user", "toolUseResult": {"stdout": json.dumps(FLAT), "stderr": ""}}
    lines = [
        {"type": "user", "message": {"content": '{"stdout": 1}'}},
        {"type": "attachment", "attachment": ran, "größe": "💥"},
        {"type": "attachment", "attachment": ran},
        part,
        tool,
        streamed,
    ]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + '\nno "stdout" here\n'
    shown = json.dumps(json.dumps(NAMELESS))[1:-1]
    assert found(write(tmp_path, text, "session.jsonl")) == [f"2 IL206 {shown}", "6 IL201 1"]


def test_other_checks_say_nothing_of_what_is_only_output(tmp_path: Path):
    """A guard without `onFailure`, advice that is not heard: that is known only of the hook itself."""
    allow = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
                                    "updatedInput": {"command": "ls"}}}  # fmt: skip
    assert found(write(tmp_path, record(allow, stderr="Remember to run the tests", code=0), "run.json")) == []
