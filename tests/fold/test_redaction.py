"""What one participant removes from a result, no other hands to the model: rules, hooks and programs together."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.config.bundles import core_policy, load_file
from interlock.judging.guard import Guard
from interlock.probe.world import Machine
from interlock.service import Reply, answer
from interlock.store.memory import MemoryStore
from tests.lint.project import Project

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
HOOK = """
from interlock import hook, output

@hook("PostToolUse", tool="Bash")
def hide(call):
    if "hunter2" in call.output["stdout"]:
        return output({"stdout": call.output["stdout"].replace("hunter2", "***")})
"""
# A program that replaces one word of a result by another, as a hook of Claude Code's own protocol.
PROGRAM = """
import json, sys
event = json.load(sys.stdin)
shown = event["tool_response"]
old, new = sys.argv[1:]
if old not in shown["stdout"]:
    sys.exit(0)
shown["stdout"] = shown["stdout"].replace(old, new)
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": shown}}))
"""


class World:
    """A project whose policy answers results of Bash."""

    def __init__(self, project: Project, stack: ExitStack) -> None:
        self.project = project
        self._stack = stack

    def guard(self, text: str) -> Guard:
        policy = load_file(self.project.write(text))
        root = str(self.project.root)
        return self._stack.enter_context(Guard([policy, core_policy()], Machine(root), MemoryStore(), project=root))

    def read(self, text: str, stdout: str) -> str:
        """What the model and the person read of a result."""
        reply = self.reply(text, stdout)
        said = json.decode(reply.stdout)
        shown: dict[str, Any] = said.get("hookSpecificOutput", {})
        replaced = shown.get("updatedToolOutput", {"stdout": stdout})["stdout"]
        return "\n".join([replaced, shown.get("additionalContext", ""), said.get("systemMessage", "")])

    def reply(self, text: str, stdout: str) -> Reply:
        guard = self.guard(text)
        given = {"command": "env"}
        answer(guard, "claude-code", self.project.call("Bash", given))
        shown = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False}
        return answer(guard, "claude-code", self.project.result("Bash", given, shown))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    project = Project(tmp_path, monkeypatch)
    project.write(HOOK, "hooks.py")
    project.write(PROGRAM, "program.py")
    with ExitStack() as stack:
        yield World(project, stack)


def program(old: str, new: str, name: str) -> str:
    return f'{{name: {name}, run: [{sys.executable}, program.py, {old}, "{new}"], event: PostToolUse, tool: Bash}}'


def test_a_pack_redacts_what_a_python_hook_left(world: World):
    text = "version: 1\nhooks: [./hooks.py]\npacks: [secrets]\nrules: []\n"
    shown = world.read(text, f"pass hunter2 token {TOKEN}")
    assert "hunter2" not in shown
    assert TOKEN not in shown
    assert "pass *** token " in shown


def test_a_program_sees_what_the_program_before_it_left(world: World):
    hooks = f"[{program('hunter2', '***', 'one')}, {program('swordfish', '###', 'two')}]"
    shown = world.read(f"version: 1\nhooks: {hooks}\nrules: []\n", "hunter2 swordfish")
    assert shown.splitlines()[0] == "*** ###"


@pytest.mark.parametrize(
    "rule",
    [
        '{id: more, event: PostToolUse, tool: Bash, output: {stdout: "${response.stdout} and more"}}',
        '{id: more, event: PostToolUse, tool: Bash, output: {stdout: "${event.tool_response.stdout} and more"}}',
        '{id: more, event: PostToolUse, tool: Bash, context: "It printed ${response.stdout}"}',
        '{id: more, event: PostToolUse, tool: Bash, context: "It printed ${output.stdout}"}',
        '{id: more, event: PostToolUse, tool: Bash, context: "It printed ${event.tool_response}"}',
        '{id: more, event: PostToolUse, tool: Bash, notify: "It printed ${response.stdout}"}',
        '{id: more, event: PostToolUse, tool: Bash, content: /ghp_/, context: "It printed ${match.text}"}',
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["before the pack", "behind it"])
def test_a_rule_beside_the_pack_never_hands_on_the_token(world: World, rule: str, first: bool):
    if first:
        own = world.project.write(f"version: 1\nrules:\n  - {rule}\n", "own.yaml")
        text = f"version: 1\npacks: [./{own.name}, secrets]\nrules: []\n"
    else:
        text = f"version: 1\npacks: [secrets]\nrules:\n  - {rule}\n"
    shown = world.read(text, f"token {TOKEN} end")
    assert TOKEN not in shown
    assert "token" in shown


@pytest.mark.parametrize("order", list(itertools.permutations(["hook", "program", "rule"])), ids="-".join)
def test_whatever_anybody_removes_is_gone_in_every_order_of_layers(world: World, order: tuple[str, ...]):
    """Each removes its own word and brings the words of the two others back where it can."""
    parts = {
        "hook": "hooks: [./hooks.py]",
        "program": f"hooks: [{program('swordfish', 'hunter2 again', 'bring')}]",
        "rule": "",
    }
    rule = '{id: hide, event: PostToolUse, tool: Bash, content: tuna99, output: {stdout: "no tuna, swordfish"}}'
    tell = '{id: tell, event: PostToolUse, tool: Bash, context: "${response.stdout} ${event.tool_response.stdout}"}'
    names = []
    for number, part in enumerate(order):
        listed = f"rules: [{rule}, {tell}]" if part == "rule" else "rules: []"
        name = world.project.write(f"version: 1\n{parts[part]}\n{listed}\n", f"{number}.yaml").name
        names.append(name)
    root = world.project.root
    policies = [load_file(root / name) for name in names]
    with Guard(policies, Machine(str(root)), MemoryStore(), project=str(root)) as guard:
        given = {"command": "env"}
        answer(guard, "claude-code", world.project.call("Bash", given))
        shown = {"stdout": "tuna99 hunter2", "stderr": "", "interrupted": False, "isImage": False}
        reply = answer(guard, "claude-code", world.project.result("Bash", given, shown))
    for word in (b"tuna99", b"hunter2", b"swordfish"):
        assert word not in reply.stdout
