"""Hooks that stood in the settings before us: they race by themselves, and come in order once they are adopted."""

from __future__ import annotations

import json

import pytest

from tests.e2e.model import bash
from tests.e2e.session import Session

# The second hook ends last whichever is started first, so that the race always has the same winner.
HOOK = """\
#!/bin/sh
{wait}
read -r event
python3 - "$event" <<'END'
import json, sys
given = json.loads(sys.argv[1])["tool_input"]
answer = {answer}
print(json.dumps({{"hookSpecificOutput": {{"hookEventName": "PreToolUse", **answer}}}}))
END
: > {name}.done
"""
CHANGE = '{{"permissionDecision": "allow", "updatedInput": {{**given, "command": given["command"] + " {name}"}}}}'
DENY = '{{"permissionDecision": "deny", "permissionDecisionReason": "Not without {name}."}}'


def with_hooks(session: Session, answer: str) -> None:
    """Two hooks of the project's own, neither of which knows of the other."""
    entries = []
    for name, wait in (("one", ""), ("two", "until [ -e one.done ]; do sleep 0.01; done")):
        script = HOOK.format(name=name, wait=wait, answer=answer.format(name=name))
        session.write(f"{name}.sh", script).chmod(0o755)
        entries.append({"type": "command", "command": str(session.project / f"{name}.sh"), "timeout": 20})
    groups = [{"matcher": "Bash", "hooks": [entry]} for entry in entries]
    session.write(".claude/settings.local.json", json.dumps({"hooks": {"PreToolUse": groups}}))


def adopt(session: Session) -> None:
    session.install("--adopt")
    session.interlock("trust", "--yes")


@pytest.mark.parametrize("adopted", [False, True], ids=["racing", "adopted"])
def test_two_hooks_that_change_a_call(session: Session, adopted: bool):
    with_hooks(session, CHANGE)
    if adopted:
        adopt(session)
    session.run(bash("mkdir made"), "Done.")
    assert (session.has("made"), session.has("one"), session.has("two")) == (True, adopted, True)


@pytest.mark.parametrize("adopted", [False, True], ids=["racing", "adopted"])
def test_two_hooks_that_deny_a_call(session: Session, adopted: bool):
    with_hooks(session, DENY)
    if adopted:
        adopt(session)
    ran = session.run(bash("mkdir made"), "Done.")
    (result,) = ran.results()
    assert ("Not without one." in result.text, "Not without two." in result.text) == (adopted, True)
    assert not session.has("made")


def test_uninstalling_puts_adopted_hooks_back(session: Session):
    with_hooks(session, CHANGE)
    before = session.read(".claude/settings.local.json")
    adopt(session)
    session.interlock("uninstall", "--yes")
    assert session.read(".claude/settings.local.json") == before
    session.run(bash("mkdir made"), "Done.")
    assert (session.has("made"), session.has("one"), session.has("two")) == (True, False, True)
