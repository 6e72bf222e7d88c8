"""The SDK callbacks and the spawned hook give the same answer to the same event."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.config.bundles import core_policy, load_file
from interlock.effect import can
from interlock.hosts import Reply
from interlock.hosts.claude_code.events import LEFT_OUT, WIRED
from interlock.judging.in_force import InForce
from interlock.judging.projects import Projects
from interlock.service import answer_in
from interlock.store.memory import MemoryStore
from tests.binding.sdk import answer, options_with, policy_of
from tests.hosts.goldens import EVENT_FILES

# A rule for each thing that an event can do.
EFFECTS: dict[str, str] = {
    "allow": "allow: Known to be safe.",
    "ask": "ask: Is this meant?",
    "deny": "deny: Too risky.",
    "change": "change: {note: changed, description: null}",
    "context": "context: Tests live in tests/.",
    "output": "output: '[redacted]'",
    "interrupt": "deny: Stop here., interrupt: true",
}
STOP = "interrupt: Enough for today."
ALWAYS = {
    "nothing": [],
    "notify": ["{id: bell, event: %s, notify: Look here.}"],
    "failing": ["{id: broken, event: %s, when: int(session.id) > 1}"],
}


def rules_for(event: str) -> dict[str, list[str]]:
    """The policies to compare on one event."""
    found = {name: [rule % event for rule in rules] for name, rules in ALWAYS.items()}
    able = can(event)
    for effect, text in EFFECTS.items():
        if effect in able.effects and (effect != "interrupt" or ("deny" in able.effects and not able.deny_goes_on)):
            found[effect] = [f"{{id: one, event: {event}, {text}}}"]
    if able.ends_turn:
        found["stop"] = [f"{{id: one, event: {event}, {STOP}}}"]
    if "deny" in able.effects:
        found["deny twice"] = [f"{{id: {n}, event: {event}, deny: Because of {n}.}}" for n in ("one", "two")]
    if {"change", "ask"} <= able.effects:
        found["change and ask"] = [f"{{id: one, event: {event}, change: {{note: new}}, ask: Like this?}}"]
    return found


def spawned(policy: Path, raw: bytes, project: Path) -> Reply:
    """What the spawned hook does, without the spawning."""
    given = InForce((load_file(policy), core_policy()))
    with Projects(MemoryStore, in_force=lambda root: given) as projects:
        return answer_in(projects, "claude-code", raw, project)


@pytest.mark.parametrize("file", EVENT_FILES, ids=[file.stem for file in EVENT_FILES])
def test_a_callback_answers_as_the_spawned_hook_does(file, tmp_path):
    event = json.loads(file.read_bytes())
    name = event["hook_event_name"]
    if name in LEFT_OUT:
        assert name not in options_with(tmp_path).hooks
        return
    for what, rules in rules_for(name).items():
        options = options_with(tmp_path, *rules)
        reply = spawned(policy_of(tmp_path, *rules), file.read_bytes(), tmp_path)
        assert answer(options, event) == json.loads(reply.stdout or b"{}"), what


REALLY = [
    (stem, what)
    for stem in ("PreToolUse.Bash", "PermissionRequest.Bash", "PostToolUse.Bash")
    for what in ("deny twice", "failing", "change and ask", "output")
    if what in rules_for(stem.partition(".")[0])
]


@pytest.mark.parametrize(("stem", "what"), REALLY)
def test_so_does_the_hook_that_is_really_spawned(stem, what, tmp_path):
    raw = next(file for file in EVENT_FILES if file.stem == stem).read_bytes()
    rules = rules_for(stem.partition(".")[0])[what]
    policy = policy_of(tmp_path, *rules)
    command = [sys.executable, "-I", "-m", "interlock", "hook", "claude-code", "--policy", str(policy)]
    ran = subprocess.run(command, input=raw, capture_output=True, cwd=tmp_path, check=False)
    assert answer(options_with(tmp_path, *rules), json.loads(raw)) == json.loads(ran.stdout)


def test_every_event_that_a_settings_file_would_carry_has_one_callback_that_fails_closed(tmp_path):
    options = options_with(tmp_path)
    assert set(options.hooks) == set(WIRED)
    for event, matchers in options.hooks.items():
        (matcher,) = matchers
        assert (matcher.matcher, matcher.timeout, matcher.on_failure) == (None, WIRED[event], "block")
        assert len(matcher.hooks) == 1
