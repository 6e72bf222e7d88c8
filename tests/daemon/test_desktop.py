"""Notices on the desktop: shown after the answer, by a program that gets the text as one argument."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json

from interlock.approvals.desktop import Desktop, notifier
from interlock.daemon.log import say
from interlock.verdict import Opinion, Verdict
from tests.daemon.spawned import CLIENT, Home, event, until
from tests.policy.builders import complaints, load

RECORDS = f"""\
#!{sys.executable}
import json, sys
with open({{file!r}}, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
"""


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file to which a `notify-send` that is first on the PATH writes its arguments."""
    file = tmp_path / "shown"
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("notify-send", "osascript"):
        (folder / name).write_text(RECORDS.format(file=str(file)), "utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return file


def lines(file: Path) -> list[list[str]]:
    return [json.decode(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def show(desktop: Desktop, *texts: str) -> None:
    desktop.show(Verdict(opinions=tuple(Opinion(by="r", notice=text, desktop=True) for text in texts)))
    desktop.finish()


def test_a_notice_is_one_argument_and_nothing_in_it_acts(shown: Path):
    key = "AKIA" + "Q3EGRXNCAWLRT4ZP"
    show(Desktop(), "Done.", "-u critical", "$(id) `id`; 'x'\n\x1b[31mred\x07\u202eabc", "a <b>&</b>", f"key {key}")
    head = ["--app-name=Interlock", "--", "Interlock"]
    assert lines(shown) == [
        [*head, "Done."],
        [*head, "-u critical"],
        [*head, "$(id) `id`; 'x' [31mredabc"],
        [*head, "a &lt;b&gt;&amp;&lt;/b&gt;"],
        [*head, "key [redacted AWS access key]"],
    ]


def test_a_long_notice_is_cut(shown: Path):
    show(Desktop(), "x" * 501, "y" * 500)
    assert [line[-1] for line in lines(shown)] == ["x" * 499 + "…", "y" * 500]


def test_on_macos_the_text_is_an_argument_of_a_constant_script(shown: Path):
    show(Desktop(platform="darwin"), 'Done." & (do shell script "id")')
    script = ["on run argv", 'display notification (item 1 of argv) with title "Interlock"', "end run"]
    assert lines(shown) == [
        [*(word for line in script for word in ("-e", line)), "--", 'Done." & (do shell script "id")']
    ]


def test_notices_that_are_not_for_the_desktop_are_not_shown_there(shown: Path):
    desktop = Desktop()
    desktop.show(Verdict(opinions=(Opinion(by="r", notice="Only here."), Opinion(by="s", desktop=True))))
    show(desktop, "Last.")
    assert [line[-1] for line in lines(shown)] == ["Last."]


def test_without_a_program_the_log_says_so_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    environ = {"PATH": str(tmp_path)}
    assert notifier(environ) is None
    show(Desktop(environ, say=say), "a", "b")
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[2] for line in said] == [
        "a policy wants a notice on the desktop, but there is no `notify-send` or `osascript` here"
    ]


def test_a_desktop_that_refuses_is_logged_once(shown: Path, capsys: pytest.CaptureFixture[str]):
    program = shown.parent / "bin" / "notify-send"
    program.write_text("#!/bin/sh\necho no bus >&2\nexit 1\n", "utf-8")
    show(Desktop(say=say), "a", "b")
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[2] for line in said] == ["a desktop notice could not be shown: no bus"]


def test_more_notices_than_anybody_reads_are_dropped_and_delay_nothing(shown: Path):
    desktop = Desktop()
    gate = shown.parent / "gate"
    program = shown.parent / "bin" / "notify-send"
    program.write_text(program.read_text("utf-8").replace(
        "import json, sys", f"import json, sys, os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.01)"
    ), "utf-8")  # fmt: skip
    many = Verdict(opinions=tuple(Opinion(by="r", notice=f"n{one}", desktop=True) for one in range(100)))
    desktop.show(many)  # returns though nothing is shown yet
    gate.touch()
    desktop.finish()
    found = [line[-1] for line in lines(shown)]
    assert found[:20] == [f"n{one}" for one in range(20)]
    assert len(found) <= 22  # the thread may take one while others are still put, whenever it gets to it


def test_the_daemon_shows_it_after_its_answer(home: Home, shown: Path):
    home.policy("{id: no-rm, command: rm, deny: No rm., notify: {text: 'Denied: ${input.command}', desktop: true}}")
    trust = [sys.executable, "-m", "interlock", "trust", "--yes"]
    subprocess.run(trust, cwd=home.project, env={**os.environ, "HOME": str(home.home)}, check=True, capture_output=True)
    # A daemon takes the environment of the host that its client was started by, which is this shell here.
    client = [sys.executable, "-I", "-S", str(CLIENT), "PreToolUse", str(home.socket), str(home.project)]
    host = ["/bin/sh", "-c", '"$@"; exit $?', "sh", *client]
    answer = subprocess.run(host, input=event(tool_input={"command": "rm x"}), capture_output=True, check=False)
    assert json.decode(answer.stdout)["systemMessage"] == "Denied: rm x"
    until(lambda: lines(shown))
    assert [line[-1] for line in lines(shown)] == ["Denied: rm x"]


def test_a_notice_is_written_as_a_text_or_with_where_it_is_shown():
    rules = "rules: [{id: a, event: Stop, notify: %s}]"
    for written, desktop in (("Done.", False), ("{text: Done.}", False), ("{text: Done., desktop: true}", True)):
        rule = load(rules % written).rules[0][0]
        assert (rule.notify.parts if rule.notify else None, rule.desktop) == (("Done.",), desktop)
    assert complaints(rules % "{desktop: true}") == [
        "2:38 `notify` has no `text`; write notify: {text: Done., desktop: true}"
    ]
    assert complaints(rules % "{text: x, desktop: sure}") == [
        "2:57 `notify.desktop` is a text; expected true or false; write `desktop: true`, or leave it out"
    ]
    unknown = "2:48 unknown key `desk` in `notify`; did you mean `desktop`?"
    assert complaints(rules % "{text: x, desk: true}") == [unknown]
