"""What the hooks of Cursor's SDK do with an answer, and with Interlock's entries in place of a hook."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from tests.live.cursor_sdk import CursorSdk, Made, delete, keys, read, server, shell, write
from tests.live.guarding import Guarded
from tests.live.world import World
from tests.person import Person, no, yes


@pytest.fixture
def cursor() -> CursorSdk:
    return CursorSdk()


@pytest.fixture
def guarded(cursor: CursorSdk, world: World) -> Guarded:
    return Guarded(cursor, world)  # type: ignore[arg-type]  # nothing but its name is asked for


# --- what it does with an answer -------------------------------------------------------------------------------


def entry(world: World, answer: object = "", *, code: int = 0, closed: bool = True, **more: Any) -> dict[str, Any]:
    """A hook that answers this."""
    label = f"hook{len(list((world.folder / 'answers').iterdir()))}"
    world.answer(
        label, stdout=answer, exit=code, stderr=str(more.pop("stderr", "")), hang=bool(more.pop("hang", False))
    )
    return {"command": shlex.join(world.hook(label)), "failClosed": closed, **more}


def with_hook(cursor: CursorSdk, world: World, event: str, hook: dict[str, Any], call: dict[str, Any]) -> Made:
    cursor.hooks(world, **{event: [hook]})
    return cursor.run(world, call).calls[0]


@pytest.mark.parametrize(
    ("answer", "more", "runs"),
    [
        ({}, {}, True),
        ({"permission": "deny", "user_message": "No."}, {}, False),
        ({"permission": "ask", "user_message": "Sure?"}, {}, True),  # without a question
        ("", {}, False),
        ("", {"closed": False}, True),
        ("no", {"closed": False}, False),
        ({"permission": "maybe"}, {"closed": False}, False),
        ("", {"code": 2, "stderr": "No.", "closed": False}, False),
        ("", {"code": 1}, False),
        ("", {"code": 1, "closed": False}, True),
        ("", {"hang": True, "timeout": 1}, False),
        ("", {"hang": True, "timeout": 1, "closed": False}, True),
        ({"additional_context": "x" * 10_001}, {}, False),
        ({"additional_context": "x" * 10_001}, {"closed": False}, True),
        ({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}, {}, True),
    ],
)
def test_before_a_tool_runs(cursor: CursorSdk, world: World, answer: object, more: dict[str, Any], runs: bool):
    made = with_hook(cursor, world, "preToolUse", entry(world, answer, **more), shell("ls"))
    assert ((made.ran is not None), made.prompt) == (runs, None)


@pytest.mark.parametrize(
    ("call", "event", "runs", "prompt"),
    [
        (shell("ls"), "beforeShellExecution", True, "Sure?"),
        (server("pay", "refund", amount=5), "beforeMCPExecution", True, None),
    ],
)
def test_only_the_second_event_about_a_command_can_ask(
    cursor: CursorSdk, world: World, call: dict[str, Any], event: str, runs: bool, prompt: str | None
):
    made = with_hook(cursor, world, event, entry(world, {"permission": "ask", "user_message": "Sure?"}), call)
    assert (made.ran is not None, made.prompt) == (runs, prompt)


@pytest.mark.parametrize(
    ("call", "changed", "ran"),
    [
        (shell("ls"), {"command": "pwd", "other": 1}, {"command": "pwd", "workingDirectory": ""}),
        (write("a", "b"), {"file_path": "c", "content": "d"}, {"path": "c", "fileText": "b"}),
        (read("a"), {"path": "c"}, {"path": "a"}),
        (server("pay", "refund", amount=5, note="x"), {"amount": 1}, {"amount": 1, "note": "x"}),
        (server("pay", "refund", note="x"), {"note": None}, {"note": None}),
    ],
)
def test_of_a_change_it_takes_over_what_it_knows(
    cursor: CursorSdk, world: World, call: dict[str, Any], changed: dict[str, Any], ran: dict[str, Any]
):
    made = with_hook(cursor, world, "preToolUse", entry(world, {"updated_input": changed}), call)
    assert made.ran is not None
    assert made.ran.get("args", made.ran) == ran


def test_a_read_is_shown_to_a_hook_with_its_content_and_can_still_be_refused(cursor: CursorSdk, world: World):
    refusal = entry(world, {"permission": "deny", "user_message": "No."})
    made = with_hook(cursor, world, "beforeReadFile", refusal, read("a", "a secret"))
    assert (made.outcome, "No." in made.reason) == ("rejected", True)
    (hook,) = world.hook_runs()
    assert hook.payload["content"] == "a secret"


def test_only_the_result_of_a_server_is_replaced(cursor: CursorSdk, world: World):
    hook = entry(world, {"updated_mcp_tool_output": "[hidden]"})
    cursor.hooks(world, postToolUse=[hook])
    command, tool = cursor.run(world, shell("ls", "a secret"), server("pay", "list", "a secret")).calls
    assert command.result["stdout"] == "a secret"
    assert tool.result == ["[hidden]"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"version": 1, "hooks": {"noSuchEvent": [], "preToolUse": [HOOK]}}', "Unknown hook type: noSuchEvent"),
        ('{"version": 1, "hooks": {"stop": [{"command": "curl https://x"}], "preToolUse": [HOOK]}}', "Failed to parse"),
    ],
)
def test_one_thing_in_a_file_makes_it_ignore_all_of_it(cursor: CursorSdk, world: World, text: str, problem: str):
    refusal = json.dumps(entry(world, {"permission": "deny", "user_message": "No."}))
    cursor.hooks(world)
    (world.home / ".cursor" / "hooks.json").write_text(text.replace("HOOK", refusal), encoding="utf-8")
    ran = cursor.run(world, shell("ls"))
    assert ran.calls[0].ran is not None
    assert problem in " ".join(ran.problems)


# --- with Interlock --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stdin", [True, False])
def test_a_denied_call_does_not_run_and_the_model_reads_why(
    cursor: CursorSdk, guarded: Guarded, world: World, *, stdin: bool
):
    guarded.guard(
        NO_RM,
        "{id: no-env, path: {read: .env}, deny: Not that file.}",
        "{id: no-write, path: {write: b.txt}, deny: Not into that file.}",
        "{id: no-refund, tool: mcp__pay__refund, deny: No refunds.}",
    )
    root = world.project
    calls = [shell("rm x"), read(f"{root}/.env"), write(f"{root}/b.txt", "x"), delete(f"{root}/c.txt"),
             server("pay", "refund", amount=5)]  # fmt: skip
    made = cursor.run(world, *calls, stdin=stdin).calls
    assert [one.ran for one in made] == [None] * 5
    reasons = ["No rm.", "Not that file.", "Not into that file.", "No rm.", "No refunds."]
    assert [reason in one.reason for one, reason in zip(made, reasons, strict=True)] == [True] * 5
    fine = [shell("ls"), read(f"{root}/a"), write(f"{root}/a", "x"), server("other", "refund", amount=5)]
    assert [one.outcome for one in cursor.run(world, *fine, stdin=stdin).calls] == ["success"] * 4


def test_a_call_counts_once_although_two_events_are_raised(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(
        "{id: touched, command: touch, context: Again.}",
        "{id: often, command: touch, when: 'count(\"touched\") >= 2', deny: Twice is enough.}",
        "{id: refunded, tool: mcp__pay__refund, context: Paid.}",
        "{id: broke, tool: mcp__pay__refund, when: 'count(\"refunded\") >= 2', deny: No money left.}",
    )
    made = cursor.run(world, *[shell("touch a")] * 3, *[server("pay", "refund", amount=5)] * 3).calls
    assert [one.ran is not None for one in made] == [True, True, False] * 2
    assert made[0].told == ["Again."]


def test_a_change_is_carried_out_or_named(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(
        "{id: slow, command: make, change: {command: 'nice ${input.command}'}}",
        "{id: dry, tool: mcp__pay__refund, change: {dry: true}}",
        "{id: header, tool: Write, change: {content: '# header'}}",
    )
    made = cursor.run(
        world, shell("make all"), server("pay", "refund", amount=5), write(f"{world.project}/a", "x")
    ).calls
    assert made[0].ran is not None
    assert made[0].ran["command"] == "nice make all"
    assert [one.ran for one in made[1:]] == [None, None]
    assert '{"amount":5,"dry":true}' in made[1].reason
    assert '"contents":"# header"' in made[2].reason


def test_a_result_of_a_server_is_redacted_by_the_rules_for_that_server(
    cursor: CursorSdk, guarded: Guarded, world: World
):
    guarded.guard("{id: hides, event: PostToolUse, tool: 'mcp__pay__*', content: '/hunter[0-9]+/', output: '[hidden]'}")
    made = cursor.run(world, server("pay", "list", "key hunter2"), server("other", "list", "key hunter2")).calls
    assert [one.result for one in made] == [["[hidden]"], ["key hunter2"]]


NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
ASK = "{id: asks, command: touch, ask: 'Make it?'}"
ASK_REFUND = "{id: pays, tool: mcp__pay__refund, ask: 'Pay it?'}"


def test_the_editor_shows_a_question_about_a_command(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(ASK)
    made = cursor.run(world, shell("touch a"), shell("ls"), editor=True).calls
    assert [(one.ran is not None, one.prompt) for one in made] == [(True, "Make it?"), (True, None)]
    assert [one.decision for one in guarded.records("PreToolUse")] == ["ask", None]


@pytest.mark.parametrize("answer", [yes, no])
@pytest.mark.parametrize("call", [shell("touch a"), server("pay", "refund", amount=5)])
def test_a_program_with_the_sdk_has_its_questions_in_the_inbox(
    cursor: CursorSdk, guarded: Guarded, world: World, call: dict[str, Any], answer: Any
):
    """It would answer its own prompt with yes."""
    guarded.guard(ASK, ASK_REFUND, top="inbox: {wait: 1m}\n")
    cursor.run(world, shell("ls"))
    with Person(guarded.store, answer):
        (made,) = cursor.run(world, call).calls
    assert (made.ran is not None, made.prompt) == (answer is yes, None)


def test_a_question_that_only_the_host_may_ask_is_denied_where_it_answers_itself(
    cursor: CursorSdk, guarded: Guarded, world: World
):
    guarded.guard("{id: asks, command: touch, ask: 'Make it?', approve: host}")
    assert cursor.run(world, shell("touch a")).calls[0].ran is None


def test_what_is_typed_into_a_shell_is_refused(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(ASK)
    assert cursor.run(world, keys("rm x\n")).calls[0].ran is None


# --- half of the entries ---------------------------------------------------------------------------------------


def without(world: World, event: str) -> None:
    file = world.home / ".cursor" / "hooks.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    del said["hooks"][event]
    file.write_text(json.dumps(said), encoding="utf-8")


def test_without_the_entry_that_could_ask_the_question_goes_to_the_inbox(
    cursor: CursorSdk, guarded: Guarded, world: World
):
    guarded.guard(ASK)
    without(world, "beforeShellExecution")
    (made,) = cursor.run(world, shell("touch a"), editor=True).calls
    assert (made.ran, "no one answered" in made.reason) == (None, True)


def test_without_the_entry_that_is_told_the_server_no_servers_tool_runs(
    cursor: CursorSdk, guarded: Guarded, world: World
):
    guarded.guard(ASK)
    without(world, "beforeMCPExecution")
    (made,) = cursor.run(world, server("pay", "list")).calls
    assert (made.ran, "interlock init --host cursor" in made.reason) == (None, True)


# --- by the entries of Claude Code, which it runs too ----------------------------------------------------------


def init_claude_code(guarded: Guarded, world: World) -> None:
    """Interlock's entries for Claude Code. Cursor reads them only if an entry in their file has a matcher."""
    guarded.interlock("init", "--yes")
    file = world.project / ".claude" / "settings.local.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    said["hooks"]["PreToolUse"].append({"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]})
    file.write_text(json.dumps(said), encoding="utf-8")


def test_the_entries_of_claude_code_are_answered_in_its_own_form(cursor: CursorSdk, guarded: Guarded, world: World):
    world.write("interlock.yaml", f"version: 1\ninbox: {{wait: 1s}}\nrules:\n  - {ASK}\n  - {NO_RM}\n")
    guarded.interlock("trust", "--yes")
    init_claude_code(guarded, world)
    calls = [shell("rm x"), shell("touch a"), server("pay", "list"), shell("ls")]
    made = cursor.run(world, *calls, editor=True).calls
    assert [one.ran is not None for one in made] == [False, False, False, True]
    reasons = ["No rm.", "no one answered", "interlock init --host cursor"]
    assert [reason in one.reason for one, reason in zip(made, reasons, strict=False)] == [True] * 3


def test_both_sets_of_entries_judge_a_call_once(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(
        "{id: touched, command: touch, context: Again.}",
        "{id: often, command: touch, when: 'count(\"touched\") >= 2', deny: Twice is enough.}",
        "{id: refunded, tool: mcp__pay__refund, context: Paid.}",
        "{id: broke, tool: mcp__pay__refund, when: 'count(\"refunded\") >= 2', deny: No money left.}",
    )
    init_claude_code(guarded, world)
    made = cursor.run(world, *[shell("touch a")] * 3, *[server("pay", "refund", amount=5)] * 3).calls
    assert [one.ran is not None for one in made] == [True, True, False] * 2
    assert made[0].told == ["Again."]


# --- what breaks, and other events -----------------------------------------------------------------------------


@pytest.mark.parametrize("call", [shell("ls"), server("pay", "list"), read("a"), write("a", "b")])
def test_without_the_client_nothing_runs(cursor: CursorSdk, guarded: Guarded, world: World, call: dict[str, Any]):
    guarded.guard(ASK)
    guarded.replace_in_entries("client.py", "gone.py")
    (made,) = cursor.run(world, call).calls
    assert (made.ran, "gone.py" in made.reason) == (None, True)


def test_without_the_client_no_result_of_a_server_is_shown(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(ASK)
    file = world.home / ".cursor" / "hooks.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    said["hooks"] = {"postToolUse": said["hooks"]["postToolUse"]}
    file.write_text(json.dumps(said), encoding="utf-8")
    guarded.replace_in_entries("client.py", "gone.py")
    (made,) = cursor.run(world, server("pay", "list", "a secret")).calls
    assert "withheld by Interlock" in made.result[0]


def test_prompts_and_turns_are_answered_too(cursor: CursorSdk, guarded: Guarded, world: World):
    guarded.guard(
        "{id: no-prod, event: UserPromptSubmit, prompt: production, deny: Not there.}",
        "{id: hello, event: SessionStart, context: The tide is high.}",
        "{id: tests, event: Stop, when: '!event.stop_hook_active', deny: Run the tests.}",
    )
    ran = cursor.run(
        world,
        events=[
            ("sessionStart", {}),
            ("beforeSubmitPrompt", {"prompt": "Look at production."}),
            ("beforeSubmitPrompt", {"prompt": "Look around."}),
            ("stop", {"status": "completed", "loop_count": 0}),
            ("stop", {"status": "completed", "loop_count": 1}),
        ],
    )
    assert ran.events == [
        {"additional_context": "The tide is high."},
        {"continue": False, "user_message": "Not there."},
        {},
        {"followup_message": "Run the tests."},
        {},
    ]
