"""The callbacks that a file gives to the Agent SDK."""

from __future__ import annotations

import pytest

from interlock.hook_lint.program import Registration
from interlock.hook_lint.read.python import read_python
from tests.hook_lint.read.python.reading import callbacks, lines_of

IMPORTS = """
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, PermissionResultAllow, PermissionResultDeny

"""
GUARD = """
async def guard(input_data, tool_use_id, context):
    if input_data["tool_name"] == "Bash":
        return {"decision": "block"}
    return {}

"""


def read(text: str):
    return callbacks(IMPORTS + text)


@pytest.mark.parametrize(
    "text",
    [
        'options = ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]})',
        'hooks = {"PreToolUse": [HookMatcher("Bash", [guard])]}\noptions = ClaudeAgentOptions(hooks=hooks)',
        'hooks = {}\nhooks["PreToolUse"] = [HookMatcher(matcher="Bash", hooks=[guard])]',
        'hooks = {"PreToolUse": []}\nhooks["PreToolUse"].append(HookMatcher(matcher="Bash", hooks=[guard]))',
        'EVENT, TOOL = "PreToolUse", "Bash"\nhooks = {EVENT: [HookMatcher(matcher=TOOL, hooks=[guard])]}',
        'matcher = HookMatcher(matcher="Bash", hooks=[guard])\nhooks = dict(PreToolUse=[matcher])',
        'def build():\n    return {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]}\n',
        'class Agent:\n    def options(self, cwd):\n        return ClaudeAgentOptions(cwd=cwd, hooks={\n'
        '            "PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]})\n',
        'async def main():\n'
        '    options = ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]})\n'
        '    async with Client(options) as client:\n        await client.query("x")\n',
        'import asyncio\nasync def main():\n'
        '    hooks = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]}\n\n'
        'if __name__ == "__main__":\n    asyncio.run(main())\n',
        'import claude_agent_sdk as sdk\nhooks = {"PreToolUse": [sdk.HookMatcher(matcher="Bash", hooks=[guard])]}',
        'from claude_code_sdk.types import HookMatcher as M\n'
        'hooks = {"PreToolUse": [M(matcher="Bash", hooks=[guard])]}',
        'callbacks = [guard]\nhooks = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=callbacks)]}',
    ],
)  # fmt: skip
def test_a_callback_is_found_wherever_it_is_registered(text: str):
    found = read(GUARD + text)
    assert list(found) == ["guard"]
    program = found["guard"]
    assert [(one.event, one.matcher) for one in program.registered] == [("PreToolUse", "Bash")]
    assert (program.mode, program.is_async, program.reads_event) == ("callback", True, True)
    assert lines_of(program) == ['return | return: {"decision": "block"}', "return (default) | return: {}"]


def test_everything_that_a_matcher_says_is_kept():
    text = GUARD + 'hooks = {"PreToolUse": [HookMatcher(hooks=[guard], timeout=30, on_failure="block")]}\n'
    program = read(text)["guard"]
    [one] = program.registered
    assert one == Registration(span=one.span, event="PreToolUse", timeout=30, on_failure="block")
    assert program.text[one.span.start : one.span.end] == 'HookMatcher(hooks=[guard], timeout=30, on_failure="block")'


def test_one_callback_may_be_registered_for_several_events():
    text = GUARD + 'hooks = {name: [HookMatcher(hooks=[guard])] for name in ("PreToolUse", "PostToolUse")}\n'
    events = [one.event for one in read(text)["guard"].registered]
    assert events == ["PreToolUse", "PostToolUse"]


@pytest.mark.parametrize(
    ("callback", "name", "is_async"),
    [
        ("lambda event, id, context: {}", "lambda", False),
        ("lambda event, id, context: guard(event, id, context)", "lambda", True),
        ("lambda event, id, context: imported(event)", "lambda", True),
        ("partial(policy_guard, {})", "policy_guard", True),
        ("Guard().check", "check", True),
        ("Guard()", "__call__", True),
        ("Guard.static", "static", True),
        ("make_guard({})", "inner", True),
        ("plain", "plain", False),
        ("gives_awaitable", "gives_awaitable", True),
        ("wrapped", "wrapped", True),
    ],
)
def test_callbacks_of_every_kind(callback: str, name: str, is_async: bool):
    text = f"""
from functools import partial
from elsewhere import imported, traced
{GUARD}
async def policy_guard(policy, input_data, tool_use_id, context):
    return {{}}

class Guard:
    async def check(self, input_data, tool_use_id, context):
        return {{}}

    async def __call__(self, input_data, tool_use_id, context):
        return {{}}

    @staticmethod
    async def static(input_data, tool_use_id, context):
        return {{}}

def make_guard(policy):
    async def inner(input_data, tool_use_id, context):
        return policy
    return inner

def plain(input_data, tool_use_id, context):
    return {{}}

def gives_awaitable(input_data, tool_use_id, context):
    return guard(input_data, tool_use_id, context)

@traced
def wrapped(input_data, tool_use_id, context):
    return {{}}

hooks = {{"PreToolUse": [HookMatcher(hooks=[{callback}])]}}
"""
    found = [one for one in read(text).values() if one.registered]
    assert [(one.name, one.is_async) for one in found] == [(name, is_async)]


def test_a_function_with_the_parameters_of_a_callback_is_one():
    found = read(GUARD.replace("async def guard", "async def check"))
    assert [(one.name, one.mode, one.registered) for one in found.values()] == [("check", "callback", ())]


def test_a_callback_inside_of_a_function_that_makes_it_is_one():
    text = """
def make(limit):
    async def check(input_data, tool_use_id, context):
        if len(input_data["tool_input"]["command"]) > limit:
            return {"decision": "block"}
        return {}
    return check
"""
    assert lines_of(read(text)["check"]) == [
        'return | return: {"decision": "block"}',
        "return (default) | return: {}",
    ]


def test_a_function_that_something_unknown_decorates_is_not_taken_for_a_callback():
    text = """
@app.tool()
async def search(query, tool_use_id, context):
    return "found"
"""
    assert read(text) == {}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return {}", ["return | return: {}"]),
        ("return None", ["return"]),
        ("return", ["return"]),
        ("pass", ["end"]),
        ('raise ValueError("no")', ["raise"]),
        ("return deny('no')", ['return | return: {"decision": "block", "reason": "no"}']),
        ("return await check(input_data)", ['return | return: {"ok": true}']),
        ("print('seen')\n    return {}", ["return | stderr: seen | return: {}"]),
        ("return {} if input_data['tool_name'] == 'Read' else None", ["return (default)", "return | return: {}"]),
        ("return unknown(input_data)", ["return | return: \"?\""]),
        ("try:\n        raise ValueError\n    except ValueError:\n        return {}", ["return (error) | return: {}"]),
    ],
)  # fmt: skip
def test_how_a_callback_ends(body: str, expected: list[str]):
    text = f"""
def deny(reason):
    return {{"decision": "block", "reason": reason}}

async def check(event):
    return {{"ok": True}}

async def guard(input_data, tool_use_id, context):
    {body}

hooks = {{"PreToolUse": [HookMatcher(hooks=[guard])]}}
"""
    assert lines_of(read(text)["guard"]) == expected


def test_what_was_given_as_can_use_tool_is_known_with_what_is_allowed_beside_it():
    text = """
async def ask(tool_name, input_data, context):
    if tool_name == "Bash" and "rm" in input_data.get("command", ""):
        return PermissionResultDeny(message="no rm")
    return PermissionResultAllow(updated_input=input_data)

ALLOWED = ["Read"]
options = ClaudeAgentOptions(
    can_use_tool=ask, allowed_tools=ALLOWED + ["Bash"], permission_mode="acceptEdits")
"""
    program = read(text)["ask"]
    [one] = program.registered
    assert (program.mode, one.allowed_tools, one.permission_mode) == ("permission", ("Read", "Bash"), "acceptEdits")
    assert program.text[one.span.start : one.span.end] == 'allowed_tools=ALLOWED + ["Bash"]'
    assert [one.path for one in program.reads] == [("tool_input", "command")]
    assert lines_of(program) == [
        'return | return: {"behavior": "deny", "message": "no rm"}',
        'return (default) | return: {"behavior": "allow", "updatedInput": "?"}',
    ]
    assert [one.tools for one in program.endings] == [("Bash",), ()]


@pytest.mark.parametrize(
    ("text", "blocked"),
    [
        ("time.sleep(1)", ["time.sleep(1)"]),
        ("requests.post('http://x', json=input_data)", ["requests.post('http://x', json=input_data)"]),
        ("subprocess.run(['x'])", ["subprocess.run(['x'])"]),
        ("urllib.request.urlopen('http://x')", ["urllib.request.urlopen('http://x')"]),
        ("input('Allow?')", ["input('Allow?')"]),
        ("slow()", ["time.sleep(2)"]),
        ("await slow_async()", ["time.sleep(3)"]),
        ("await asyncio.to_thread(slow)", []),
        ("await asyncio.get_running_loop().run_in_executor(None, slow)", []),
        ("await asyncio.sleep(1)", []),
        ("open('x').read()", []),
        ("await client.post('http://x')", []),
    ],
)
def test_calls_that_stop_the_event_loop(text: str, blocked: list[str]):
    whole = f"""
import asyncio, requests, subprocess, time, urllib.request

def slow():
    time.sleep(2)

async def slow_async():
    time.sleep(3)

async def guard(input_data, tool_use_id, context):
    {text}
    return {{}}

hooks = {{"PreToolUse": [HookMatcher(hooks=[guard])]}}
"""
    program = read(whole)["guard"]
    assert [program.text[span.start : span.end] for span in program.blocking] == blocked


def test_what_waits_outside_of_a_callback_blocks_nothing():
    text = GUARD + 'import time\ntime.sleep(1)\nhooks = {"PreToolUse": [HookMatcher(hooks=[guard])]}\n'
    assert read(text)["guard"].blocking == ()


def test_a_file_with_callbacks_is_no_program_unless_it_reads_its_input():
    text = IMPORTS + GUARD
    assert [one.mode for one in read_python("agent.py", text)] == ["callback"]
    both = text + "import json, sys\njson.load(sys.stdin)\n"
    assert [one.mode for one in read_python("agent.py", both)] == ["command", "callback"]


def test_a_file_that_only_uses_the_sdk_is_no_hook():
    assert read_python("agent.py", "from claude_agent_sdk import query\nprint('tool_name')\n") == []
