"""IL801-IL804: callbacks of the Agent SDK that fail, block the program, or are never asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hook_lint.checks.linting import lint_file

IMPORTS = """from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, PermissionResultAllow, PermissionResultDeny
"""
REGISTERED = """
options = ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]})
"""


def lint(folder: Path, text: str, code: str) -> list[tuple[int, str]]:
    return lint_file(folder, IMPORTS + text, code)


# --- IL801 -------------------------------------------------------------------------------------------------------

FAILS = "the SDK awaits this callback, which fails because it is not async: the call runs"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def guard(input_data, tool_use_id, context):\n    return {}\n" + REGISTERED, 2),
        ("def guard(input_data, tool_use_id, context):\n    print(input_data)\n" + REGISTERED, 2),
        ('hooks = {"PreToolUse": [HookMatcher(hooks=[lambda event, id, context: {}])]}\n', 2),
        ("class Guard:\n    def check(self, input_data, tool_use_id, context):\n        return {}\n\n"
         'hooks = {"PreToolUse": [HookMatcher(hooks=[Guard().check])]}\n', 3),
        ("def guard(input_data, tool_use_id, context):\n    return {}\n", 2),
    ],
)  # fmt: skip
def test_a_callback_that_is_not_async_is_found(tmp_path: Path, text: str, line: int):
    assert lint(tmp_path, text, "IL801") == [(line, FAILS)]


def test_a_permission_callback_that_is_not_async_refuses_everything(tmp_path: Path):
    text = "def ask(tool_name, input, context):\n    return PermissionResultAllow()\n\n"
    text += "options = ClaudeAgentOptions(can_use_tool=ask)\n"
    message = (
        "the SDK awaits this callback, which fails because it is not async: every call it is asked about is refused"
    )
    assert lint(tmp_path, text, "IL801") == [(2, message)]


@pytest.mark.parametrize(
    "text",
    [
        "async def guard(input_data, tool_use_id, context):\n    return {}\n" + REGISTERED,
        # What it returns is awaited in its place.
        "async def real(event):\n    return {}\n\n"
        "def guard(input_data, tool_use_id, context):\n    return real(input_data)\n" + REGISTERED,
        "async def real(event, limit):\n    return {}\n\n"
        'hooks = {"PreToolUse": [HookMatcher(hooks=[lambda event, id, context: real(event, 3)])]}\n',
        # Nobody knows what these become.
        "from elsewhere import guard\n" + REGISTERED,
        "from elsewhere import make_async\n\n@make_async\ndef guard(input_data, tool_use_id, context):\n    return {}\n"
        + REGISTERED,
        # Something else has three parameters, too.
        "def move(start, end, speed):\n    return {}\n",
        "def callback(event, tool_id_list, context):\n    return {}\n",
    ],
)
def test_whatever_can_be_awaited_is_fine(tmp_path: Path, text: str):
    assert lint(tmp_path, text, "IL801") == []


# --- IL802 -------------------------------------------------------------------------------------------------------

AT_RETURN = "at this `return` the callback returns None, which the SDK reports as a failed hook"
AT_END = "at its end the callback returns None, which the SDK reports as a failed hook"
GUARD = "async def guard(input_data, tool_use_id, context):\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return None\n", [(3, AT_RETURN)]),
        ("    return\n", [(3, AT_RETURN)]),
        ("    print(input_data)\n", [(2, AT_END)]),
        ("    if 'rm' in input_data['tool_input']['command']:\n        return {'decision': 'block'}\n", [(2, AT_END)]),
        ("    if input_data['tool_name'] != 'Bash':\n        return\n    return {}\n", [(4, AT_RETURN)]),
        ("    if input_data['tool_name'] != 'Bash':\n        return None\n    print('x')\n",
         [(2, AT_END), (4, AT_RETURN)]),
        ("    return check(input_data)\n\ndef check(event):\n    if event['tool_name'] == 'x':\n        return {}\n",
         [(3, AT_RETURN)]),
    ],
)  # fmt: skip
def test_a_way_that_returns_nothing_is_found(tmp_path: Path, body: str, expected: list[tuple[int, str]]):
    assert lint(tmp_path, GUARD + body + REGISTERED, "IL802") == expected


@pytest.mark.parametrize(
    "body",
    [
        "    return {}\n",
        "    if input_data['tool_name'] == 'Bash':\n        return {'decision': 'block'}\n    return {}\n",
        "    if input_data['tool_name'] == 'Bash':\n        return {'decision': 'block'}\n"
        "    else:\n        return {}\n",
        "    match input_data['tool_name']:\n        case 'Bash':\n            return {'decision': 'block'}\n"
        "        case _:\n            return {}\n",
        "    raise PermissionError('no')\n",
        "    while True:\n        return {}\n",
        "    return await elsewhere(input_data)\n",
        "    return result_of(input_data)\n",
        "    try:\n        return {}\n    except Exception:\n        pass\n",
        "    try:\n        return {}\n    finally:\n        print('x')\n",
        "    with open('log', 'a') as log:\n        log.write('x')\n        return {}\n",
        "    out = None\n    if input_data['tool_name'] == 'Bash':\n        out = {'decision': 'block'}\n"
        "    return out or {}\n",
    ],
)
def test_a_callback_that_always_returns_something_is_fine(tmp_path: Path, body: str):
    assert lint(tmp_path, GUARD + body + REGISTERED, "IL802") == []


def test_can_use_tool_has_another_contract(tmp_path: Path):
    text = "async def ask(tool_name, input, context):\n    print(tool_name)\n\n"
    text += "options = ClaudeAgentOptions(can_use_tool=ask)\n"
    assert lint(tmp_path, text, "IL802") == []


# --- IL803 -------------------------------------------------------------------------------------------------------


def test_each_call_that_blocks_is_found(tmp_path: Path):
    text = """
import requests, time

def verdict_of(event):
    return requests.post("http://localhost", json=event).json()

async def guard(input_data, tool_use_id, context):
    time.sleep(1)
    return verdict_of(input_data)
"""
    assert lint(tmp_path, text + REGISTERED, "IL803") == [
        (6, "`requests.post` stops the event loop while the callback waits for it"),
        (9, "`time.sleep` stops the event loop while the callback waits for it"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "    await asyncio.sleep(1)\n    return {}\n",
        "    await asyncio.to_thread(requests.get, 'http://x')\n    return {}\n",
        "    async with httpx.AsyncClient() as client:\n        await client.post('http://x')\n    return {}\n",
        "    process = await asyncio.create_subprocess_exec('x')\n    return {}\n",
    ],
)
def test_what_is_awaited_is_fine(tmp_path: Path, body: str):
    text = "import asyncio, httpx, requests\n" + GUARD + body + REGISTERED
    assert lint(tmp_path, text, "IL803") == []


def test_a_hook_in_a_process_of_its_own_may_wait(tmp_path: Path):
    text = "import json, sys, time\ndata = json.load(sys.stdin)\ntime.sleep(1)\nprint(data['tool_name'])\n"
    assert lint_file(tmp_path, text, "IL803", ".claude/hooks/slow.py") == []


# --- IL503 -------------------------------------------------------------------------------------------------------

OPENS = "if this guard crashes or is too slow, the call runs"
REFUSES = """async def guard(input_data, tool_use_id, context):
    if "rm -rf" in input_data["tool_input"]["command"]:
        return {"decision": "block", "reason": "no rm"}
    return {}

async def other(input_data, tool_use_id, context):
    if "sudo" in input_data["tool_input"]["command"]:
        return {"decision": "block", "reason": "no sudo"}
    return {}

"""


def test_a_guard_without_on_failure_is_found_once_at_its_matcher(tmp_path: Path):
    text = 'hooks = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard, other])]}\n'
    assert lint(tmp_path, REFUSES + text, "IL503") == [(12, OPENS)]


@pytest.mark.parametrize(
    "text",
    [
        'hooks = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard], on_failure="block")]}\n',
        'hooks = {"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard], on_failure="continue")]}\n',
        'hooks = {"PostToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]}\n',
        "async def log(input_data, tool_use_id, context):\n    return {}\n\n"
        'hooks = {"PreToolUse": [HookMatcher(hooks=[log])]}\n',
    ],
)
def test_a_matcher_that_closes_or_does_not_guard_is_fine(tmp_path: Path, text: str):
    assert lint(tmp_path, REFUSES + text, "IL503") == []


# --- IL804 -------------------------------------------------------------------------------------------------------

ASK = """async def ask(tool_name, input_data, context):
    if tool_name == "Bash" and "rm" in input_data["command"]:
        return PermissionResultDeny(message="no rm")
    return PermissionResultAllow()

"""
BASH = "`Bash` runs without asking `ask`, which would refuse some of its calls"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ('can_use_tool=ask, allowed_tools=["Read", "Bash"]', BASH),
        ('allowed_tools=["Bash(*)"], can_use_tool=ask', BASH),
        ('can_use_tool=ask, permission_mode="bypassPermissions"', "with `bypassPermissions` nothing ever asks `ask`"),
        ('**{"can_use_tool": ask, "allowed_tools": ["Bash"]}', BASH),
    ],
)
def test_a_tool_that_is_never_asked_about_is_found(tmp_path: Path, options: str, message: str):
    assert lint(tmp_path, ASK + f"options = ClaudeAgentOptions({options})\n", "IL804") == [(7, message)]


@pytest.mark.parametrize(
    "options",
    [
        "can_use_tool=ask",
        'can_use_tool=ask, allowed_tools=["Read", "Glob"]',
        'can_use_tool=ask, allowed_tools=["Bash(git status)"]',
        'can_use_tool=ask, allowed_tools=tools_of(user)',
        'can_use_tool=ask, disallowed_tools=["Bash"], permission_mode="default"',
        'allowed_tools=["Bash"], permission_mode="bypassPermissions"',
    ],
)  # fmt: skip
def test_a_callback_that_can_be_reached_is_fine(tmp_path: Path, options: str):
    assert lint(tmp_path, ASK + f"options = ClaudeAgentOptions({options})\n", "IL804") == []


def test_the_tool_may_be_known_by_the_field_that_is_looked_at(tmp_path: Path):
    text = (
        ASK.replace('tool_name == "Bash" and ', "")
        + 'options = ClaudeAgentOptions(can_use_tool=ask, allowed_tools=["Bash"])\n'
    )
    assert lint(tmp_path, text, "IL804") == [(7, BASH)]


def test_a_callback_that_only_refuses_the_rest_may_allow_the_same_tools(tmp_path: Path):
    text = """async def ask(tool_name, input_data, context):
    if tool_name in ("Read", "Grep"):
        return PermissionResultAllow()
    return PermissionResultDeny(message="only reading")

options = ClaudeAgentOptions(can_use_tool=ask, allowed_tools=["Read", "Grep"])
"""
    assert lint(tmp_path, text, "IL804") == []


# --- answers ---------------------------------------------------------------------------------------------------------


def test_a_word_of_python_in_an_answer_is_read_as_the_sdk_sends_it(tmp_path: Path):
    text = "async def guard(input_data, tool_use_id, context):\n    return {'continue_': False, 'output': 'no'}\n"
    message = "`continue: false` does not stop the call: it runs, and the turn ends afterwards"
    assert lint(tmp_path, text + REGISTERED, "IL209") == [(3, message)]
    right = text.replace("'continue_': False", "'continue_': True")
    assert lint(tmp_path, right + REGISTERED, "IL209") == []
