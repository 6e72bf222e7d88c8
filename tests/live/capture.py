"""Take the payloads of the real hosts anew: `python -m tests.live.capture [HOST…]` writes tests/hosts/golden/HOST/."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from interlock.driving.scratch import put
from interlock.hosts.base.driving import ModelCall
from tests.live.drive import HOSTS, Host, run
from tests.live.world import HookRun, World

GOLDEN = Path(__file__).parent.parent / "hosts" / "golden"
_FORMS: tuple[tuple[str, str], ...] = (
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "01234567-89ab-7cde-8f01-23456789abcd"),
    (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "2026-01-02T03:04:05.678Z"),
    (r"rollout-20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d", "rollout-2026-01-02T03-04-05"),
    (r"session-20\d\d-\d\d-\d\dT\d\d-\d\d-[0-9a-f]{8}", "session-2026-01-02T03-04-01234567"),
    (r"/20\d\d/\d\d/\d\d/", "/2026/01/02/"),
    (r"toolu_\d+_\w+", "toolu_1700000000000_abcdefghi"),
    (r"(PGID: )\d+", r"\g<1>4321"),
)

PATCH = """*** Begin Patch
*** Add File: docs/new.md
+# New
+A second line.
*** Update File: src/app.py
@@
-name = "old"
+name = "new"
*** Update File: src/before.py
*** Move to: src/after.py
@@
-x = 1
+x = 2
*** Delete File: notes.txt
*** End Patch
"""


Step = tuple[str, ModelCall]


def step(label: str, tool: str, input: dict[str, Any] | str) -> Step:
    return label, ModelCall(tool, input)


def script(host: str, project: Path) -> list[Step]:
    """Calls of every kind of tool that a host has, with what is said of the call in the name of its file."""
    at = str(project)
    if host == "codex":
        return [
            step("", "exec_command", {"cmd": "printf 'one\\ntwo\\n'"}),
            step("failed", "exec_command", {"cmd": "echo to stderr >&2; exit 3"}),
            step("elsewhere", "exec_command", {"cmd": "pwd", "workdir": f"{at}/src"}),
            step("", "apply_patch", PATCH),
            step("failed", "apply_patch", "*** Begin Patch\n*** Delete File: absent.txt\n*** End Patch\n"),
            step("", "view_image", {"path": f"{at}/dot.png"}),
        ]
    if host == "gemini":
        return [
            step("", "run_shell_command", {"command": "printf 'one\\ntwo\\n'", "description": "a step"}),
            step("failed", "run_shell_command", {"command": "echo to stderr >&2; exit 3"}),
            step("", "write_file", {"file_path": f"{at}/docs/new.md", "content": "# New\n"}),
            step("", "replace", {"file_path": f"{at}/src/app.py", "instruction": "Rename it.",
                             "old_string": 'name = "old"', "new_string": 'name = "new"'}),
            step("", "read_file", {"file_path": f"{at}/src/app.py"}),
            step("failed", "read_file", {"file_path": f"{at}/absent.txt"}),
            step("", "list_directory", {"dir_path": at}),
            step("", "glob", {"pattern": "**/*.py"}),
            step("", "grep_search", {"pattern": "name"}),
        ]  # fmt: skip
    if host == "qwen":
        return [
            step("", "run_shell_command", {"command": "printf 'one\\ntwo\\n'", "is_background": False}),
            step("failed", "run_shell_command", {"command": "echo to stderr >&2; exit 3", "is_background": False}),
            step("", "write_file", {"file_path": f"{at}/docs/new.md", "content": "# New\n"}),
            step("", "read_file", {"file_path": f"{at}/src/app.py"}),
            step(
                "",
                "edit",
                {"file_path": f"{at}/src/app.py", "old_string": 'name = "old"', "new_string": 'name = "new"'},
            ),
            step("failed", "read_file", {"file_path": f"{at}/absent.txt"}),
            step("", "glob", {"pattern": "**/*.py"}),
            step("", "grep_search", {"pattern": "name"}),
        ]
    return [
        step("", "bash", {"command": "printf 'one\\ntwo\\n'", "description": "a step"}),
        step("failed", "bash", {"command": "echo to stderr >&2; exit 3", "description": "a step"}),
        step("", "create", {"path": f"{at}/new.md", "file_text": "# New\n"}),
        step("failed", "create", {"path": f"{at}/docs/new.md", "file_text": "# New\n"}),
        step("", "edit", {"path": f"{at}/src/app.py", "old_str": 'name = "old"', "new_str": 'name = "new"'}),
        step("", "view", {"path": f"{at}/src/app.py"}),
        step("failed", "view", {"path": f"{at}/absent.txt"}),
        step("", "glob", {"pattern": "**/*.py"}),
        step("", "grep", {"pattern": "name"}),
    ]


EVENTS: dict[str, tuple[str, ...]] = {
    "codex": ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"),
    "gemini": ("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"),
    "qwen": ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop",
             "PermissionRequest", "PostToolBatch", "SessionEnd"),
    "copilot": ("SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse",
                "PostToolUseFailure", "Stop", "SessionEnd", "preToolUse", "postToolUse"),
}  # fmt: skip


def capture(host: Host) -> int:
    world = World(Path(tempfile.mkdtemp(prefix="capture-")))
    try:
        world.write("src/app.py", 'name = "old"\n')
        world.write("src/before.py", "x = 1\n")
        world.write("notes.txt", "To be done.\n")
        (world.project / "dot.png").write_bytes(bytes.fromhex(
            "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
            "1f15c4890000000d49444154789c6360f8cfc0000000030001b5e3a4140000000049454e44ae426082"))  # fmt: skip
        host.hooks(world, EVENTS[host.name])
        steps = script(host.name, world.project)
        ran = run(host, world, *(call for _label, call in steps), "Done.")
        folder = GOLDEN / host.name
        for name, payload in named(ran.hooks, steps):
            put(folder / f"{name}.json", json.dumps(neutral(payload, world), indent=2, ensure_ascii=False) + "\n")
        return len(ran.hooks)
    finally:
        world.close()


def named(hooks: Iterable[HookRun], steps: list[Step]) -> Iterable[tuple[str, dict[str, Any]]]:
    """The first payload of each kind with a name: its event, its tool, and what is said of the call."""
    seen: set[str] = set()
    for hook in hooks:
        payload = hook.payload
        tool = payload.get("tool_name") or payload.get("toolName")
        # One file name in two cases would be one file on some systems.
        parts = [f"camel/{hook.label}" if hook.label[0].islower() else hook.label, tool, label_of(payload, steps)]
        name = "-".join(part for part in parts if part)
        if name not in seen:
            seen.add(name)
            yield name, payload


def label_of(payload: dict[str, Any], steps: list[Step]) -> str:
    """What the script says of the call that a payload is about: hosts leave fields out, but never the first one."""
    given = payload.get("tool_input") or payload.get("toolArgs") or payload.get("toolInput") or {}
    for label, call in steps:
        first = call.input if isinstance(call.input, str) else next(iter(call.input.values()))
        if first in given.values():
            return label
    return ""


def neutral(value: Any, world: World) -> Any:
    """The same payload with the folders and ids of nobody."""

    def text(words: str) -> str:
        words = words.replace(str(world.project), "/w/project").replace(str(world.home), "/home/me")
        words = words.replace(str(world.project).replace("/", "-"), "-w-project")
        for pattern, form in _FORMS:
            words = re.sub(pattern, form, words)
        return words

    def walk(value: Any, change: Callable[[str], str]) -> Any:
        if isinstance(value, dict):
            return {key: 1767323045678 if key == "timestamp" and isinstance(one, int) else walk(one, change)
                    for key, one in value.items()}  # fmt: skip
        if isinstance(value, list):
            return [walk(one, change) for one in value]
        return change(value) if isinstance(value, str) else value

    return walk(value, text)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or HOSTS:
        print(chosen, capture(HOSTS[chosen]))
