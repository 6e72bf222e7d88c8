"""A call that does several things at once gets one verdict: the strictest of those on its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, json

from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.probe.world import Machine
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.verdict import Verdict

POLICY = """
version: 1
rules:
  - {id: docs, path: {write: [docs/]}, allow: true}
  - {id: keys, path: {write: [keys/]}, deny: "Not in ${match.path}."}
  - {id: plans, path: {write: [plans/]}, ask: "Write ${match.path}?"}
  - {id: gone, command: rm, deny: "Nothing is deleted."}
  - {id: plain, tool: Write, path: [bin/], change: {content: "x"}}
  - {id: tally, path: [seen/], context: Noted.}
  - {id: often, path: [seen/], when: 'count("tally", "1h") >= 2', deny: Twice is enough.}
  - {id: hide, event: PostToolUse, content: "/word[0-9]/", output: "[hidden]"}
"""


class Desk:
    """A guard that is asked about patches, as Codex sends them."""

    def __init__(self, folder: Path) -> None:
        policy = load_policy(POLICY, str(folder / "interlock.yaml"))
        self.guard = Guard([policy], Machine(str(folder)), MemoryStore(), project=str(folder), alone=True)
        self.folder = str(folder)
        self._calls = 0

    def patch(self, *files: str, result: Any = None) -> Verdict:
        """What is said of a patch that adds these files; one with a minus is deleted."""
        self._calls += 1
        lines = [f"*** Delete File: {name[1:]}" if name[0] == "-" else f"*** Add File: {name}\n+new" for name in files]
        event = {
            "hook_event_name": "PreToolUse" if result is None else "PostToolUse",
            "session_id": "s-1",
            "cwd": self.folder,
            "tool_name": "apply_patch",
            "tool_input": {"command": "\n".join(["*** Begin Patch", *lines, "*** End Patch"])},
            "tool_use_id": f"c-{self._calls}",
        }
        return answer(
            self.guard, "codex", json.encode(event | ({} if result is None else {"tool_response": result}))
        ).verdict


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.guard.close()


def told(verdict: Verdict) -> tuple[str | None, list[str]]:
    return verdict.decision, [re.sub(r"/\S+/(?=keys/)", "", reason.text) for reason in verdict.reasons]


def test_one_part_that_is_denied_denies_the_call(desk: Desk):
    assert told(desk.patch("src/a.py", "keys/b", "src/c.py")) == ("deny", ["Not in keys/b."])


def test_every_part_gives_its_reason(desk: Desk):
    assert told(desk.patch("keys/a", "keys/b", "plans/c")) == ("deny", ["Not in keys/a.", "Not in keys/b."])


def test_a_deletion_is_judged_as_the_command_and_as_an_edit(desk: Desk):
    assert told(desk.patch("-src/a.py")) == ("deny", ["Nothing is deleted."])
    assert told(desk.patch("-keys/a")) == ("deny", ["Not in keys/a.", "Nothing is deleted."])


def test_parts_that_nobody_minds_are_left_to_the_host(desk: Desk):
    assert told(desk.patch("src/a.py", "src/b.py")) == (None, [])


def test_a_call_is_allowed_only_if_every_part_is(desk: Desk):
    whole, partly = desk.patch("docs/a", "docs/b"), desk.patch("docs/a", "src/b.py")
    assert [loss.effect for loss in whole.lowered] == ["allow"]  # Codex takes no allow, and is told so
    assert (partly.decision, partly.lowered) == (None, ())


def test_a_part_that_must_be_changed_denies_the_call_and_is_named(desk: Desk):
    verdict = desk.patch("src/a.py", "bin/run")
    assert told(verdict) == (
        "deny",
        [
            "one part of this call must be changed. Make it without that part, then Write with "
            '{"file_path":"bin/run","content":"x"}'
        ],
    )


def test_a_call_with_several_files_counts_once(desk: Desk):
    assert told(desk.patch("seen/a", "seen/b", "seen/c")) == (None, [])
    assert told(desk.patch("seen/d")) == (None, [])
    assert told(desk.patch("seen/e")) == ("deny", ["Twice is enough."])


def test_the_result_of_a_patch_is_replaced_once(desk: Desk):
    desk.patch("src/a.py", "src/b.py")
    assert desk.patch("src/a.py", "src/b.py", result="done, word1").output == "[hidden]"
    assert desk.patch("src/a.py", "src/b.py", result="done").output is UNSET


def test_a_patch_that_cannot_be_read_is_denied(desk: Desk):
    event = {
        "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": "/", "tool_name": "apply_patch",
        "tool_input": {"command": "*** Begin Patch\nsomething\n*** End Patch"}, "tool_use_id": "c-1",
    }  # fmt: skip
    assert told(answer(desk.guard, "codex", json.encode(event)).verdict) == (
        "deny",
        ["line 2 of a patch cannot be read: `something`"],
    )


def test_a_host_cannot_say_what_the_parts_of_a_call_are(desk: Desk):
    event = {
        "hook_event_name": "PreToolUse", "session_id": "s-1", "transcript_path": "/t", "cwd": desk.folder,
        "tool_name": "Write", "tool_input": {"file_path": "keys/a", "content": ""}, "tool_use_id": "c-1",
        "parts": [{"tool_name": "Read", "tool_input": {"file_path": "README.md"}}],
    }  # fmt: skip
    for host in ("claude-code", "codex"):
        assert answer(desk.guard, host, json.encode(event)).verdict.decision == "deny"
