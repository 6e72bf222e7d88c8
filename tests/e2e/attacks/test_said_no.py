"""Hooks that say no and return nothing, as people write them: with the real client the tool does not run."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from interlock.store.memory import MemoryStore
from tests.binding.sdk import guard, play, policy_of, sdk
from tests.e2e.model import Call, Turn, bash
from tests.e2e.session import Session

# --- callbacks of the Agent SDK ----------------------------------------------------------------------------


async def block_delete(input_data, tool_use_id, context):
    if input_data["tool_name"] == "mcp__crm__delete_account":
        print("Blocked delete_account!")  # This prints correctly
    return {}  # But this ALWAYS allows the tool call


async def log_delete(input_data, tool_use_id, context):
    if input_data["tool_name"] == "mcp__crm__delete_account":
        logging.getLogger("guards").warning("❌ Denied: %s", input_data["tool_name"])
    return {}


async def complain_about_delete(input_data, tool_use_id, context):
    if input_data["tool_name"] == "mcp__crm__delete_account":
        sys.stderr.write("delete_account is not allowed here\n")
    return {}


async def block_the_loop(input_data, tool_use_id, context):
    if input_data["tool_name"] == "mcp__crm__delete_account":
        until = time.monotonic() + 2.0
        while time.monotonic() < until:
            pass
    return {}


async def await_a_cancelled_task(input_data, tool_use_id, context):
    if input_data["tool_name"] == "mcp__crm__delete_account":
        task = asyncio.ensure_future(asyncio.sleep(600))
        task.cancel()
        await task
    return {}


async def swallow_cancellation(input_data, tool_use_id, context):
    if input_data["tool_name"] == "mcp__crm__delete_account":
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                await asyncio.sleep(20)
            except asyncio.CancelledError:
                continue
    return {}


def crm(deleted: list[str]) -> Any:
    """A server in this process whose tools note what they really did."""

    @sdk.tool("delete_account", "Delete an account.", {"id": str})
    async def delete_account(given: dict[str, Any]) -> dict[str, Any]:
        deleted.append(given["id"])
        return {"content": [{"type": "text", "text": "deleted"}]}

    @sdk.tool("get_account", "Look an account up.", {"id": str})
    async def get_account(given: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": f"account {given['id']}"}]}

    return sdk.create_sdk_mcp_server("crm", tools=[delete_account, get_account])


TURNS: list[Turn] = [
    Call("mcp__crm__get_account", {"id": "A-17"}),
    Call("mcp__crm__delete_account", {"id": "A-17"}),
    "Done.",
]


def attempted(folder: Path, callback: Any, make: Any) -> tuple[list[str], list[tuple[str, bool]]]:
    """What was deleted in a session with this callback, and what the model read."""
    deleted: list[str] = []
    own = {"PreToolUse": [sdk.HookMatcher(None, [callback], timeout=1.0)]}
    options = {"mcp_servers": {"crm": crm(deleted)}, "allowed_tools": ["mcp__crm"]}
    ran = play(folder, TURNS, make, hooks=own, **options)
    return deleted, ran.results


def test_without_interlock_the_account_is_deleted(tmp_path: Path):
    """Or the test below could not fail."""
    deleted, _ = attempted(tmp_path, block_delete, lambda options: options)
    assert deleted == ["A-17"]


@pytest.mark.parametrize(
    ("callback", "why"),
    [
        (block_delete, "it printed `Blocked delete_account!` and returned no opinion"),
        (log_delete, "it logged `❌ Denied: mcp__crm__delete_account` and returned no opinion"),
        (complain_about_delete, "it said `delete_account is not allowed here` and returned no opinion"),
        (block_the_loop, "it did not answer within 1 s"),
        (await_a_cancelled_task, "it was cancelled"),
        (swallow_cancellation, "it did not answer within 1 s"),
    ],
)
def test_under_guard_it_is_not_and_other_calls_run(tmp_path: Path, callback: Any, why: str):
    """S1-04 The founding example, word for word, and its relatives."""
    policy = policy_of(tmp_path)
    deleted, results = attempted(
        tmp_path, callback, lambda options: guard(options, policy=policy, project=tmp_path, store=MemoryStore())
    )
    assert deleted == []
    assert results[0] == ("account A-17", False)
    text, failed = results[1]
    assert failed
    assert f"hook `{callback.__name__}`" in text
    assert why in text


# --- hooks of a policy -------------------------------------------------------------------------------------

PYTHON = """\
import logging, os, subprocess, sys
from interlock import hook

quiet = logging.getLogger("quiet")
quiet.propagate = False
quiet.addHandler(logging.FileHandler(os.path.dirname(__file__) + "/hook.log"))

@hook("PreToolUse", tool="Bash")
def no_touch(call):
    print("checked against 12 blocked patterns", file=sys.stderr)
    if call.input["command"].startswith("touch"):
        {saying}
"""
PROGRAM = """\
#!/bin/sh
echo "0 denied so far" >&2
if grep -q '"command": *"touch'; then
    {saying}
fi
exit 0
"""


def touched(session: Session, top: str) -> tuple[bool, bool, str]:
    """Whether a denied and an ordinary call ran, and what the model read of the first."""
    session.guard(top=top)
    ran = session.run(bash("touch here"), bash("mkdir there"), "Done.")
    return session.has("here"), session.has("there"), ran.results()[0].text


@pytest.mark.parametrize(
    "saying",
    [
        "print('Blocked touch')",
        "logging.warning('Denied: touch is closed')",
        "quiet.error('[BLOCKED] touch here')",
        "os.write(2, b'Refusing to run touch here\\\\n')",
        "subprocess.run(['echo', 'Operation not permitted by policy'])",
    ],
)
def test_a_python_hook_that_says_no_and_returns_nothing(session: Session, saying: str):
    """S1-04"""
    session.write("guards.py", PYTHON.format(saying=saying.replace("\\\\", "\\")))
    here, there, text = touched(session, "hooks: [./guards.py]\n")
    assert (here, there) == (False, True)
    assert "hook `no_touch`" in text
    assert "returned no opinion" in text


@pytest.mark.parametrize(
    "saying",
    [
        "echo 'Blocked: touch is closed' >&2",
        "printf '\\033[31m✖ denied\\033[0m touch here\\n' >&2; echo '{}'",
        'echo \'{{"reason": "touch here is forbidden"}}\'',
    ],
)
def test_a_program_that_says_no_and_exits_0(session: Session, saying: str):
    """S1-04"""
    script = PROGRAM.replace("{saying}", saying.replace("{{", "{").replace("}}", "}"))
    session.write("check.sh", script).chmod(0o755)
    here, there, text = touched(session, "hooks: [{run: ./check.sh, event: PreToolUse, tool: Bash}]\n")
    assert (here, there) == (False, True)
    assert "returned no opinion" in text


def test_what_a_hook_does_to_its_process_does_not_reach_the_next_call(session: Session):
    """S1-08"""
    session.write(
        "guards.py",
        """\
        import builtins, os, sys
        from interlock import deny, hook

        @hook("PreToolUse", tool="Bash")
        def spoils(call):
            if call.input["command"].startswith("mkdir"):
                os.chdir("/usr")
                os.environ.clear()
                os.umask(0)
                builtins.len = sys.stdout = sys.stderr = None
            elif call.input["command"].startswith("touch") and len(os.environ) and os.getcwd() != "/usr":
                print("as before", file=sys.stderr)
                return deny("Never touch that.")
        """,
    )
    session.guard(top="hooks: [./guards.py]\n")
    ran = session.run(bash("mkdir there"), bash("touch here"), "Done.")
    assert (session.has("there"), session.has("here")) == (True, False)
    assert "Never touch that." in ran.results()[1].text
