"""A call that does several things at once gets one verdict: the strictest of those on its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, json
from msgspec.structs import replace

from interlock.hosts import Reply
from interlock.judging.asking import Asks
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
  - {id: keys, path: {write: [keys/, ~/keys/]}, deny: "Not in ${match.path}."}
  - {id: plans, path: {write: [plans/]}, ask: "Write ${match.path}?"}
  - {id: gone, command: rm, path: [src/, keys/], deny: "Nothing is deleted."}
  - {id: plain, tool: Write, path: [bin/], change: {content: "x"}}
  - {id: tally, path: [seen/], context: Noted.}
  - {id: often, path: [seen/], when: 'count("tally", "1h") >= 2', deny: Twice is enough.}
  - {id: hide, event: PostToolUse, content: "/word[0-9]/", output: "[hidden]"}
"""


class Desk:
    """A guard that is asked about patches, as Codex sends them."""

    def __init__(self, folder: Path) -> None:
        policy = load_policy(POLICY, str(folder / "interlock.yaml"))
        self.store = MemoryStore()
        self.guard = Guard([policy], Machine(str(folder)), self.store, project=str(folder), alone=True)
        self.folder = str(folder)
        self._calls = 0

    def patch(self, *files: str, result: Any = None) -> Verdict:
        """What is said of a patch that adds these files; one with a minus is deleted."""
        event = self._event(files)
        if result is not None:
            event |= {"hook_event_name": "PostToolUse", "tool_response": result}
        return answer(self.guard, "codex", json.encode(event)).verdict

    def ask(self, asks: Asks, *files: str) -> Reply:
        """The same, where a person can be asked."""
        return answer(self.guard, "codex", json.encode(self._event(files)), asks=asks)

    def _event(self, files: tuple[str, ...]) -> dict[str, Any]:
        self._calls += 1
        lines = [f"*** Delete File: {name[1:]}" if name[0] == "-" else f"*** Add File: {name}\n+new" for name in files]
        return {
            "hook_event_name": "PreToolUse",
            "session_id": "s-1",
            "cwd": self.folder,
            "tool_name": "apply_patch",
            "tool_input": {"command": "\n".join(["*** Begin Patch", *lines, "*** End Patch"])},
            "tool_use_id": f"c-{self._calls}",
        }


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


def test_a_path_that_may_mean_two_folders_is_judged_as_both(desk: Desk):
    """To Codex `~` is the name of a folder, so that `~/../keys/a` is in the project."""
    assert told(desk.patch("~/../keys/a")) == ("deny", ["Not in keys/a."])
    assert told(desk.patch("~/../plans/a"))[0] == "deny"  # Codex cannot ask
    assert told(desk.patch("~/notes.md")) == (None, [])


def test_what_either_reading_is_told_counts_once(desk: Desk):
    assert told(desk.patch("~/keys/a")) == ("deny", ["Not in keys/a."])


def test_a_call_is_allowed_only_if_every_reading_is(desk: Desk):
    verdict = desk.patch("~/../docs/a")
    assert (verdict.decision, verdict.lowered) == (None, ())


def test_a_call_with_several_files_counts_once(desk: Desk):
    assert told(desk.patch("seen/a", "seen/b", "seen/c")) == (None, [])
    assert told(desk.patch("seen/d")) == (None, [])
    assert told(desk.patch("seen/e")) == ("deny", ["Twice is enough."])


def test_the_result_of_a_patch_is_replaced_once(desk: Desk):
    desk.patch("src/a.py", "src/b.py")
    assert desk.patch("src/a.py", "src/b.py", result="done, word1").output == "[hidden]"
    assert desk.patch("src/a.py", "src/b.py", result="done").output is UNSET


def test_the_text_of_several_reads_is_replaced_as_a_text(desk: Desk):
    event = {
        "hook_event_name": "AfterTool", "session_id": "s-1", "cwd": desk.folder, "tool_name": "read_many_files",
        "tool_input": {"include": ["a", "b"]}, "tool_response": {"llmContent": ["one", "word2"]},
    }  # fmt: skip
    assert answer(desk.guard, "gemini", json.encode(event)).verdict.output == "[hidden]"
    policy = load_policy(
        'version: 1\nrules: [{id: digits, event: PostToolUse, output: \'${sub(output, "[0-9]", "#")}\'}]', "x.yaml"
    )
    with Guard([policy], Machine(desk.folder), MemoryStore(), project=desk.folder, alone=True) as guard:
        reply = answer(guard, "gemini", json.encode(event))
    assert json.decode(reply.stdout)["reason"] == "one\nword#"


@pytest.mark.parametrize("came", [True, False])
def test_what_the_result_of_a_patch_would_have_set_is_unknown_if_it_never_comes(tmp_path: Path, came: bool):
    policy = load_policy(
        """
        version: 1
        state: {seen: {}}
        rules:
          - id: wrote
            event: PostToolUse
            tool: Write
            path: {write: /**}
            set: {seen: {"${match.path}": true}}
          - {id: again, tool: Bash, when: '!state.seen.exists(file, file.endsWith("b"))', deny: Write b first.}
        """,
        str(tmp_path / "interlock.yaml"),
    )
    folder = str(tmp_path)
    call = {"session_id": "s-1", "cwd": folder, "hook_event_name": "PreToolUse"}
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Add File: b\n+x\n*** End Patch"
    both = {**call, "tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_use_id": "c-1"}
    shell = {**call, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    with Guard([policy], Machine(folder), MemoryStore(), project=folder, alone=True) as guard:

        def said(event: dict[str, Any]) -> Verdict:
            return answer(guard, "codex", json.encode(event)).verdict

        assert said(both).decision is None
        if came:
            said({**both, "hook_event_name": "PostToolUse", "tool_response": "done"})
        said({"session_id": "s-1", "cwd": folder, "hook_event_name": "UserPromptSubmit", "prompt": "Go on."})
        verdict = said({**shell, "tool_use_id": "c-2"})
        assert verdict.decision == (None if came else "deny")
        assert ["unknown" in error for error in verdict.errors] == ([] if came else [True])


def test_a_person_is_shown_all_that_a_patch_touches_and_a_yes_is_for_that_patch_alone(desk: Desk):
    asks = Asks(way="inbox", seconds=60.0)
    asked = desk.ask(asks, "src/a.py", "plans/b", "-plans/c")
    request = desk.store.request(asked.request or "")
    assert request is not None
    body = json.decode(request.body)
    touched = {name.rpartition("/test_")[2].partition("/")[2] for name in body["touches"]["writes"]}
    assert (body["parts"], touched) == (4, {"src/a.py", "plans/b", "plans/c"})
    yes = replace(asks, answer=replace(request, status="yes", by="Ann"))
    assert desk.ask(yes, "src/a.py", "plans/b", "-plans/c").verdict.decision is None  # Codex takes no allow
    assert desk.ask(yes, "src/a.py", "plans/other", "-plans/c").request is not None


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


def test_a_hook_sees_the_parts_of_a_patch_in_the_words_of_policies(tmp_path: Path):
    file = tmp_path / "guards.py"
    file.write_text(
        "from interlock import deny, hook\n\n"
        "@hook('PreToolUse', tool='Write')\n"
        "def guard(call):\n"
        "    return deny(call.input['file_path'] + ' from ' + call.tool)\n",
        encoding="utf-8",
    )
    with Guard([], Machine(str(tmp_path)), MemoryStore(), project=str(tmp_path), alone=True, hooks=[file]) as guard:
        patch = "*** Begin Patch\n*** Delete File: a\n*** Add File: b\n+x\n*** End Patch"
        event = {
            "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": str(tmp_path), "tool_name": "apply_patch",
            "tool_input": {"command": patch}, "tool_use_id": "c-1",
        }  # fmt: skip
        assert told(answer(guard, "codex", json.encode(event)).verdict) == ("deny", ["b from Write"])


def test_the_record_has_the_event_in_the_words_of_policies(desk: Desk):
    desk.patch("keys/a", "src/b")
    record = next(iter(desk.store.records()))
    kept = json.decode(record.raw)
    assert (kept["tool_name"], [part["tool_name"] for part in kept["parts"]]) == ("apply_patch", ["Write", "Write"])
