"""Codex: which calls are which, and what it takes for an answer."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.errors import InterlockError
from interlock.event import ToolEvent
from interlock.hosts import HOSTS
from interlock.hosts.base.table import to_json

CODEX = HOSTS["codex"]
PATCH = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Delete File: b c\n*** End Patch"


def decode(tool: str, **given: Any) -> ToolEvent:
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "tool_use_id": "c", "turn_id": "t"}
    event = CODEX.dialect.decode(to_json({**payload, "tool_name": tool, "tool_input": given}))
    assert isinstance(event, ToolEvent)
    return event


def parts(event: ToolEvent) -> list[tuple[str, Any]]:
    return [(part.tool_name, part.tool_input) for part in event.parts or ()]


def edits(folder: str = "") -> list[tuple[str, Any]]:
    gone = {"file_path": f"{folder}b c", "old_string": "", "new_string": ""}
    return [
        ("Write", {"file_path": f"{folder}a.txt", "content": "x\n"}),
        ("Edit", gone),
        ("Bash", {"command": f"rm -- '{folder}b c'"}),
    ]


@pytest.mark.parametrize(
    ("before", "folder"),
    [
        ("apply_patch <<'EOF'", ""),
        ("applypatch <<EOF", ""),
        ("cd /etc && apply_patch <<'EOF'", "/etc/"),
        ("  cd 'a b' && apply_patch <<'EOF'", "a b/"),
    ],
)
def test_a_patch_in_a_command_is_judged_as_a_patch_and_as_the_command(before: str, folder: str):
    command = f"{before}\n{PATCH}\nEOF"
    assert parts(decode("Bash", command=command)) == [("Bash", {"command": command}), *edits(folder)]


def test_a_folder_that_only_a_shell_would_take_for_the_home_is_judged_as_either():
    """Codex reads the command itself: with it, `cd ~` and `../a` meant the project's own `a`."""
    command = "cd ~ && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ../a\n+x\n*** End Patch\nEOF"
    written = [given["file_path"] for tool, given in parts(decode("Bash", command=command)) if tool == "Write"]
    assert written == ["~/../a", "./~/../a"]


def test_two_patches_in_one_command_are_both_judged():
    command = f"apply_patch <<'A'\n{PATCH}\nA\napply_patch <<'B'\n{PATCH}\nB\n"
    assert parts(decode("Bash", command=command))[1:] == [*edits(), *edits()]


@pytest.mark.parametrize("command", ["grep -rn apply_patch src", "cat notes.md # *** Begin Patch", "ls"])
def test_a_command_that_only_speaks_of_patches_is_a_command(command: str):
    event = decode("Bash", command=command)
    assert (event.tool_input, event.parts) == ({"command": command}, None)


@pytest.mark.parametrize(
    "command",
    [
        "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\nEOF",
        f'cd "$HOME" && apply_patch <<EOF\n{PATCH}\nEOF',
        f"pushd /etc; apply_patch <<EOF\n{PATCH}\nEOF",
        f"cd \\.. && apply_patch <<'EOF'\n{PATCH}\nEOF",
        f'cd "a\\b" && apply_patch <<EOF\n{PATCH}\nEOF',
        "apply_patch <<'EOF'\n*** Begin Patch\nnonsense\n*** End Patch\nEOF",
    ],
)
def test_a_patch_in_a_command_whose_files_are_not_known_is_refused(command: str):
    with pytest.raises(InterlockError):
        decode("Bash", command=command)


def test_an_image_that_is_looked_at_is_read():
    event = decode("view_image", path="/w/a.png")
    assert (event.tool_name, event.tool_input) == ("Read", {"file_path": "/w/a.png"})


@pytest.mark.parametrize(("tool", "given"), [("Bash", {}), ("Bash", {"command": ["ls"]}), ("apply_patch", {})])
def test_a_call_without_what_it_acts_on_is_refused(tool: str, given: dict[str, Any]):
    with pytest.raises(InterlockError):
        decode(tool, **given)


def test_a_tool_that_nobody_knows_keeps_its_name():
    event = decode("mcp__files__drop", path="/x")
    assert (event.tool_name, event.tool_input) == ("mcp__files__drop", {"path": "/x"})


def test_an_event_that_codex_does_not_raise_is_refused_under_its_name():
    raw = to_json({"hook_event_name": "ConfigChange", "session_id": "s", "cwd": "/", "source": "x"})
    with pytest.raises(InterlockError, match="Codex does not raise ConfigChange"):
        CODEX.dialect.decode(raw)
