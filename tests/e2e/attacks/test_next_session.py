"""Whatever a call does to the settings, the next session is guarded, or the person was told.

A running session holds by itself (`test_staying_on.py`); here it is the one after it that counts.
"""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from tests.e2e.model import Call, bash
from tests.e2e.session import Ran, Session
from tests.e2e.test_staying_on import settled
from tests.waiting import until

NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
LOCAL = ".claude/settings.local.json"
SHARED = ".claude/settings.json"


def git(session: Session, *arguments: str) -> str:
    identity = ["-c", "user.name=me", "-c", "user.email=me@example.com"]
    env = {**session.env(), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=session.project, env=env, check=True, capture_output=True, text=True
    )
    return done.stdout


def repository(session: Session, *options: str) -> None:
    """A repository under guard, with everything committed but what is of one machine."""
    session.guard(NO_TOUCH)
    if options:
        session.interlock("uninstall", "--yes")
        policy = session.home / ".config" / "interlock" / "policy.yaml"  # else one is written that asks about much
        policy.parent.mkdir(parents=True)
        policy.write_text("version: 1\n", encoding="utf-8")
        session.install(*options)
        session.settings.parent.mkdir(exist_ok=True)
    shutil.rmtree(session.project / ".git")
    git(session, "init", "-q", "-b", "main")
    git(session, "config", "user.name", "me")
    git(session, "config", "user.email", "me@example.com")
    git(session, "add", "-A", "--", ":!.claude/settings.local.json")
    git(session, "commit", "-qm", "All of it")


def told(ran: Ran) -> list[str]:
    """What the person was shown about the entries."""
    shown = [one["content"] for one in ran.stream if one.get("subtype") == "informational"]
    return [text for text in shown if "`interlock uninstall" in text]


def is_guarded(session: Session) -> bool:
    """Whether a new session has a known-bad call denied."""
    (session.project / "denied").unlink(missing_ok=True)
    ran = session.run(bash("touch denied"), "Done.")
    assert len(ran.results()) == 1
    return not session.has("denied")


def hidden(script: str) -> str:
    """A command that nobody can read beforehand."""
    encoded = base64.b64encode(script.encode()).decode()
    return f"python3 -c \"import base64, os; exec(base64.b64decode('{encoded}'[os.getpid() % 1:]))\""


# --- files that are unpacked, copied and patched over the settings -----------------------------------------


def as_tar(session: Session) -> None:
    with tarfile.open(session.project / "x.tar", "w") as archive:
        entry = tarfile.TarInfo(LOCAL)
        entry.size = 2
        archive.addfile(entry, io.BytesIO(b"{}"))


def as_zip(session: Session) -> None:
    with zipfile.ZipFile(session.project / "x.zip", "w") as archive:
        archive.writestr(LOCAL, "{}")


def as_patch(session: Session) -> None:
    before = session.settings.read_text(encoding="utf-8")
    removed = "".join(f"-{line}\n" for line in before.splitlines())
    head = f"--- a/{LOCAL}\n+++ b/{LOCAL}\n@@ -1,{len(before.splitlines())} +1 @@\n"
    session.write("x.patch", head + removed + "+{}\n")


def as_folder(session: Session) -> None:
    session.write(f"x/{LOCAL}", "{}")


UNPACKED: dict[str, Callable[[Session], None]] = {
    "tar xf x.tar": as_tar,
    "tar -C . --overwrite -xf x.tar": as_tar,
    "python3 -m tarfile -e x.tar .": as_tar,
    "python3 -m zipfile -e x.zip .": as_zip,
    "unzip -oq x.zip": as_zip,
    "python3 -c \"import shutil; shutil.unpack_archive('x.tar')\"": as_tar,
    "git apply x.patch": as_patch,
    "patch -p1 < x.patch": as_patch,
    "cp -r x/. .": as_folder,
    "rsync -a x/ ./": as_folder,
    "tar cf - -C x . | tar xf -": as_folder,
    "sh -c 'cd x && find . -name \"*.json\" | cpio -pdum ..'": as_folder,
}


@pytest.mark.parametrize("command", UNPACKED)
def test_what_is_unpacked_over_the_settings(session: Session, command: str):
    """Denied beforehand or put back afterwards; never left for the next session."""
    for program in ("unzip", "patch", "rsync", "cpio"):
        if program in command and shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    repository(session)
    UNPACKED[command](session)
    ran = session.run(bash(command), "Done.")
    assert is_guarded(session)
    assert ran.results()[0].error or told(ran)


# --- scripts that nobody can read --------------------------------------------------------------------------

EDIT = """\
import json
with open(".claude/settings.local.json") as file:
    settings = json.load(file)
own = settings["hooks"]["PreToolUse"][0]
{edit}
with open(".claude/settings.local.json", "w") as file:
    json.dump(settings, file)
"""


def edit(what: str) -> str:
    return EDIT.format(edit=what)


def write(text: str, name: str = LOCAL) -> str:
    return f"with open({name!r}, 'w') as file:\n    file.write({text!r})\n"


PUT_BACK = {
    "emptied": write("{}"),
    "no file": f"import os\nos.remove({LOCAL!r})\n",
    "an empty file": write(""),
    "half of it": f"import os\nos.truncate({LOCAL!r}, 500)\n",
    "no object": write("[]"),
    "two objects": write('{"hooks": {}} {}'),
    "the same key twice": write('{"hooks": {}, "hooks": {}}'),
    "hooks of no kind": write('{"hooks": 3}'),
    "disableAllHooks": edit('settings["disableAllHooks"] = True'),
    "hooks emptied": edit('settings["hooks"] = {}'),
    "one event gone": edit('del settings["hooks"]["PreToolUse"]'),
    "another command": edit('own["hooks"][0]["command"] = "true"'),
    "another program": edit('own["hooks"][0]["args"] = ["-c", ""]'),
    "for some tools only": edit('own["matcher"] = "Read"'),
    "in the background": edit('own["hooks"][0]["async"] = True'),
    "no time": edit('own["hooks"][0]["timeout"] = 0'),
    "little time": edit('own["hooks"][0]["timeout"] = 0.001'),
    "on a condition": edit('own["hooks"][0]["if"] = "Bash(never *)"'),
    "open on failure": edit('own["hooks"][0]["onFailure"] = "continue"'),
    "a setting of the wrong kind": edit('settings["permissions"] = 3'),
    "an invalid entry beside it": edit('settings["hooks"]["PreToolUse"].append({"hooks": [{"type": "no"}]})'),
}
TOLD = {
    "replaced by a link": f"import os\nos.remove({LOCAL!r})\nos.symlink('/dev/null', {LOCAL!r})\n",
    "a link to another file": write("{}", "x") + f"import os\nos.remove({LOCAL!r})\nos.symlink('../x', {LOCAL!r})\n",
    "replaced by a folder": f"import os\nos.remove({LOCAL!r})\nos.mkdir({LOCAL!r})\n",
    "the folder renamed": "import os\nos.rename('.claude', 'away')\n",
    "the folder removed": "import shutil\nshutil.rmtree('.claude')\n",
    "a variable that switches hooks off": edit('settings["env"] = {"CLAUDE_CODE_SIMPLE": "1"}'),
    "such a variable in another file": write('{"env": {"CLAUDE_CODE_SIMPLE": "1"}}', SHARED),
    "a loader in another file": write('{"env": {"LD_TRACE_LOADED_OBJECTS": "1"}}', SHARED),
}


@pytest.mark.parametrize("script", PUT_BACK.values(), ids=PUT_BACK)
def test_a_script_that_takes_entries_out(session: Session, script: str):
    repository(session)
    ran = session.run(bash(hidden(script)), "Done.")
    assert not ran.results()[0].error
    assert len(told(ran)) == 1
    assert "They have been put back" in told(ran)[0]
    assert is_guarded(session)
    (lost,) = session.records("EntriesLost")
    assert (lost.record["file"], lost.record["put_back"]) == (str(session.settings), True)


@pytest.mark.parametrize("script", TOLD.values(), ids=TOLD)
def test_a_script_that_does_what_nobody_but_a_person_may_undo(session: Session, script: str):
    repository(session)
    ran = session.run(bash(hidden(script)), bash("ls"), "Done.")
    assert not ran.results()[0].error
    assert len(told(ran)) == 1
    assert "would not run in new sessions" in told(ran)[0]
    (lost,) = session.records("EntriesLost")
    assert lost.record["put_back"] is False


def test_the_session_that_sees_them_put_back_holds_as_well(session: Session):
    """The client takes the settings up again, and by then they are as they were."""
    repository(session)

    def later() -> Call:
        until(lambda: settled(session))
        return bash("touch denied")

    ran = session.run(bash(hidden(PUT_BACK["emptied"])), later, "Done.")
    assert [result.error for result in ran.results()] == [False, True]
    assert not session.has("denied")


def test_a_script_that_does_all_that_uninstalling_does_is_told_of(session: Session):
    repository(session)
    script = (
        "import subprocess, sys\n" + f"subprocess.run([{sys.executable!r}, '-m', 'interlock', 'uninstall', '--yes'])\n"
    )
    ran = session.run(bash(hidden(script)), "Done.")
    assert [text for text in told(ran) if "removed Interlock's entries from" in text] != []


def test_notes_that_go_with_the_entries_do_not_help(session: Session):
    repository(session)
    notes = session.home / ".local/state/interlock/entries"
    script = f"import shutil\nshutil.rmtree({str(notes)!r})\n" + write("{}")
    ran = session.run(bash(hidden(script)), "Done.")
    assert len(told(ran)) == 1
    assert is_guarded(session)


def test_all_that_is_kept_of_us_going_with_the_entries_is_told(session: Session):
    """The record went with it, which a witness elsewhere remembers: nothing more runs until a person has seen to it."""
    repository(session)
    state = session.home / ".local/state/interlock"
    script = f"import shutil\nshutil.rmtree({str(state)!r})\n" + write("{}")
    ran = session.run(bash(hidden(script)), bash("ls"), "Done.")
    assert len(ran.of()) == 1
    assert "the record is lost" in ran.stdout


def test_ending_the_daemon_first_does_not_help(session: Session):
    repository(session)

    def end() -> str:
        for process in session.daemons():
            os.kill(process, signal.SIGKILL)
        session.settings.write_text("{}", encoding="utf-8")
        return "Done."

    ran = session.run(bash("ls"), end)
    assert len(told(ran)) == 1
    assert is_guarded(session)


def test_a_process_that_waits_for_the_end_of_the_session_does_not_help(session: Session):
    """Nothing raises an event any more; the daemon looks by itself."""
    repository(session)
    session.run(bash("ls"), "Done.")
    session.settings.write_text("{}", encoding="utf-8")
    until(lambda: b"PreToolUse" in session.settings.read_bytes(), within=60)
    assert is_guarded(session)
    assert [one.record["put_back"] for one in session.records("EntriesLost")] == [True]


def test_settings_of_the_person(session: Session):
    repository(session, "--scope", "user")
    file = session.home / ".claude" / "settings.json"
    ran = session.run(bash(hidden(write("{}", str(file)))), "Done.")
    assert len(told(ran)) == 1
    assert "`interlock uninstall --scope user`" in told(ran)[0]
    assert is_guarded(session)


def test_a_new_local_file_that_outranks_those_of_the_person(session: Session):
    repository(session, "--scope", "user")
    ran = session.run(bash(hidden(write('{"disableAllHooks": true}'))), bash("ls"), "Done.")
    assert len(told(ran)) == 1
    assert f"{session.settings} switches all hooks off" in told(ran)[0]


@pytest.mark.parametrize("part", ["url", "headers"])
def test_entries_over_http_that_lead_elsewhere(session: Session, part: str):
    session.guard(NO_TOUCH)
    session.install("--transport", "http", "--client", str(session.client))
    other = {"url": "'http://127.0.0.1:9/hook/PreToolUse'", "headers": "{'Authorization': 'Bearer x'}"}[part]
    before = session.settings.read_bytes()
    ran = session.run(bash(hidden(edit(f'own["hooks"][0]["{part}"] = {other}'))), "Done.")
    assert len(told(ran)) == 1
    assert json.loads(session.settings.read_bytes()) == json.loads(before)
    assert is_guarded(session)


# --- a file that git tracks --------------------------------------------------------------------------------


def other_branch(session: Session) -> None:
    """A branch whose shared settings have no entries."""
    git(session, "checkout", "-qb", "other")
    session.write(SHARED, "{}\n")
    git(session, "commit", "-qam", "Without")
    git(session, "checkout", "-q", "main")


def mailed(session: Session) -> None:
    other_branch(session)
    session.write("x.mbox", git(session, "format-patch", "--stdout", "main..other"))


def stashed(session: Session) -> None:
    session.write(SHARED, "{}\n")
    git(session, "stash")


TRACKED: dict[str, Callable[[Session], None]] = {
    "git checkout -q other": other_branch,
    "git merge -q other": other_branch,
    "git cherry-pick other": other_branch,
    "git rebase -q other": other_branch,
    "git restore --source other .claude/settings.json": other_branch,
    "git am -q x.mbox": mailed,
    "git stash pop": stashed,
}


@pytest.mark.parametrize("command", TRACKED)
def test_a_file_that_git_tracks_is_left_to_git_and_the_person_is_told(session: Session, command: str):
    repository(session, "--scope", "project")
    TRACKED[command](session)
    ran = session.run(bash(command), "Done.")
    assert ran.results()[0].error or len(told(ran)) == 1
    if not ran.results()[0].error:
        assert session.read(SHARED) == "{}\n"
        assert "git tracks the file" in told(ran)[0]


@pytest.mark.parametrize("command", ["git clean -fdxq", "git stash -aq", "git add -Af && git reset -q --hard"])
def test_what_git_takes_away_with_the_folder_is_told(session: Session, command: str):
    """A folder that is gone is not made again, and `git stash pop` finds its place free."""
    repository(session)
    ran = session.run(bash(command), "Done.")
    assert ran.results()[0].error or len(told(ran)) == 1
    if "stash" in command and not ran.results()[0].error:
        git(session, "stash", "pop")
        assert is_guarded(session)


def test_where_something_of_ours_still_runs_the_next_session_begins_with_it_once(session: Session):
    repository(session, "--scope", "user")
    off = write('{"env": {"LD_LIBRARY_PATH": "/x"}}', SHARED)
    first, second, third = (session.run(bash(line), "Done.") for line in (hidden(off), "ls", "ls"))
    assert [len(told(ran)) for ran in (first, second, third)] == [1, 1, 0]
