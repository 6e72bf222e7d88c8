"""A live session cannot be made to stop asking us: what a script does to the settings is not taken up."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess

import pytest

from tests.e2e.model import Call, bash
from tests.e2e.session import Session
from tests.waiting import until

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
EDIT = """\
import json
with open(".claude/settings.local.json") as file:
    settings = json.load(file)
{edit}
with open(".claude/settings.local.json", "w") as file:
    json.dump(settings, file)
"""
WRITE = """\
with open(".claude/{name}", "w") as file:
    file.write({text!r})
"""
FIRST = 'settings["hooks"]["PreToolUse"][0]["hooks"][0]'
WAYS = {
    "disableAllHooks": EDIT.format(edit='settings["disableAllHooks"] = True'),
    "emptied": WRITE.format(name="settings.local.json", text="{}"),
    "renamed": 'import os\nos.rename(".claude", ".claude-away")\n',
    "one invalid entry": EDIT.format(edit='settings["hooks"]["PreToolUse"].append({"hooks": [{"type": "no"}]})'),
}
SLIGHTER_WAYS = {
    "no longer JSON": WRITE.format(name="settings.local.json", text="{"),
    "one entry gone": EDIT.format(edit='del settings["hooks"]["PreToolUse"]'),
    "one command changed": EDIT.format(edit=f'{FIRST}["args"] = ["-c", ""]'),
    "one entry only for some tools": EDIT.format(edit='settings["hooks"]["PreToolUse"][0]["matcher"] = "Read"'),
}


def hidden(script: str) -> str:
    """A script that nobody can read beforehand: one that can be is denied before it starts."""
    encoded = base64.b64encode(script.encode())
    return f"import base64, os\nexec(base64.b64decode({encoded!r}[os.getpid() % 1:]))\n"


NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
TAKEN, REFUSED = "Settings changed from ", "ConfigChange hook blocked "


def leave_to_git(session: Session) -> None:
    """Have git track the settings, so that nothing is put back into them and only the session itself can hold."""
    shutil.rmtree(session.project / ".git")
    for arguments in (["init", "-q"], ["add", "-f", ".claude/settings.local.json"]):
        subprocess.run(["git", *arguments], cwd=session.project, env=session.env(), check=True)


def settled(session: Session, times: int = 1) -> bool:
    """Whether the client has taken up a change of its settings, or refused to."""
    return session.debug.count(TAKEN) + session.debug.count(REFUSED) >= times


@both
@pytest.mark.parametrize("script", WAYS.values(), ids=WAYS)
def test_a_script_cannot_switch_us_off(session: Session, script: str):
    stays_on(session, script)


@pytest.mark.parametrize("script", SLIGHTER_WAYS.values(), ids=SLIGHTER_WAYS)
def test_a_script_cannot_switch_us_off_a_little(session: Session, script: str):
    stays_on(session, script)


def test_what_another_file_says_counts_less_than_what_ours_says(session: Session):
    """It is taken up, and changes nothing: `disableAllHooks` stands in our file too, and says no."""
    off = WRITE.format(name="settings.json", text='{"disableAllHooks": true}')
    stays_on(session, off, taken=True)


def stays_on(session: Session, script: str, *, taken: bool = False) -> None:
    session.write("off.py", hidden(script))
    session.guard(NO_TOUCH)
    leave_to_git(session)

    def later() -> Call:
        until(lambda: settled(session))
        return bash("touch denied")

    ran = session.run(bash("python3 off.py"), later, bash("mkdir made"), "Done.")
    assert [result.error for result in ran.results()] == [False, True, False]
    assert "Use mkdir instead." in ran.results()[1].text
    assert (session.has("denied"), session.has("made")) == (False, True)
    assert (TAKEN in ran.debug) == taken


@both
def test_without_our_word_on_changes_the_same_script_does(session: Session):
    """What the client does by itself; without this the tests above would prove nothing."""
    session.write("off.py", hidden(WAYS["emptied"]))
    session.guard(NO_TOUCH)
    settings = json.loads(session.settings.read_text(encoding="utf-8"))
    del settings["hooks"]["ConfigChange"]
    session.settings.write_text(json.dumps(settings), encoding="utf-8")
    leave_to_git(session)

    def later() -> Call:
        until(lambda: settled(session))
        return bash("touch allowed")

    session.run(bash("python3 off.py"), later, "Done.")
    assert session.has("allowed")


def test_a_harmless_change_does_not_carry_a_refused_one_with_it(session: Session):
    session.write("off.py", hidden(WAYS["emptied"]))
    session.guard(NO_TOUCH)
    leave_to_git(session)

    def harmless() -> Call:
        until(lambda: settled(session))
        session.write(".claude/settings.json", '{"cleanupPeriodDays": 20}')
        until(lambda: settled(session, 2))
        return bash("touch denied")

    ran = session.run(bash("python3 off.py"), harmless, "Done.")
    assert ran.results()[1].error
    assert not session.has("denied")


def test_a_person_may_change_what_does_not_concern_us(session: Session):
    session.guard(NO_TOUCH)

    def harmless() -> Call:
        session.write(".claude/settings.json", '{"cleanupPeriodDays": 20}')
        until(lambda: settled(session))
        return bash("touch denied")

    ran = session.run(bash("mkdir before"), harmless, "Done.")
    assert TAKEN in ran.debug
    assert REFUSED not in ran.debug
    assert not session.has("denied")


@pytest.mark.parametrize("command", ["rm -r .claude", "mv .claude away", "echo {} > .claude/settings.local.json"])
def test_a_command_that_says_so_openly_is_denied(session: Session, command: str):
    session.guard()
    ran = session.run(bash(command), "Done.")
    assert ran.results()[0].error
    assert session.settings.exists()


@pytest.mark.parametrize("script", WAYS.values(), ids=WAYS)
def test_a_script_that_can_be_read_is_denied_before_it_starts(session: Session, script: str):
    session.write("off.py", script)
    session.guard(NO_TOUCH)
    before = session.settings.read_bytes()
    ran = session.run(bash("python3 off.py"), "Done.")
    assert ran.results()[0].error
    assert session.settings.read_bytes() == before
