"""`interlock inbox` at a terminal: the screen that a person sees, and what the keys do, in a real terminal."""

from __future__ import annotations

import getpass
import re
import signal
import stat
import termios
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from interlock.approvals.answers import approve, reject
from interlock.store.base import Entry
from interlock.store.place import open_store
from tests.cli.full_screen import TerminalScreen, full_screen
from tests.cli.test_inbox import ask, found
from tests.lint.project import Project

ME = getpass.getuser()
_TIMES = re.compile(r"\d+:\d\d|\d+ s ago")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def steady(lines: list[str]) -> list[str]:
    """Rows without what the clock writes into them."""
    return [_TIMES.sub(lambda found: "#" * len(found[0]), line) for line in lines]


def armed(screen: TerminalScreen) -> list[str]:
    """The screen once a yes counts."""
    return screen.until("y yes")


def editor(tmp_path: Path, script: str) -> str:
    """An editor that runs a line of shell on the file in `$1`."""
    file = tmp_path / "editor"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


def test_the_screen_shows_what_waits_and_the_selected_call_in_full():
    ask()
    ask("3f9c1c1e01", "npm install react")
    with full_screen("inbox") as screen:
        assert steady(armed(screen)) == [
            " Interlock inbox   2 waiting                                              #####",
            "",
            ">   ####  npm install left-pad                                              shop",
            "    ####  npm install react                                                 shop",
            "── 1 of 2 ──────────────────────────────────────────────────────────────────────",
            "Bash      npm install left-pad",
            "why       Install it? (installs)",
            "installs  packages",
            "runs      /home/ann/shop/postinstall.js",
            "from      /home/ann/shop, session 5e551011, asked #######",
            "waits     #### left",
            *[""] * 12,
            "y yes  n no  e edit  a allow more  x select  g grants  ? keys  q quit",
        ]
        screen.type("q")
        assert screen.ended() == 0


def test_a_larger_terminal_shows_more_and_a_resize_is_followed():
    ask()
    with full_screen("inbox", columns=120, rows=40) as screen:
        rows = steady(armed(screen))
        assert len(rows) == 40
        assert rows[2] == ">   ####  npm install left-pad" + " " * 86 + "shop"
        assert rows[-1] == "y yes  n no  e edit  a allow more  x select  g grants  Enter read  ? keys  q quit"
        screen.resize(60, 16)
        rows = steady(screen.until(lambda: screen.lines[-1].startswith("y yes")))
        assert (len(rows), rows[2]) == (16, ">   ####  npm install left-pad                          shop")
        screen.resize(30, 8)
        screen.until("This needs a terminal of 40 b…")


def test_a_yes_lets_the_call_run_and_the_next_is_selected():
    ask()
    ask("3f9c1c1e01", "npm install react")
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("y")
        rows = steady(screen.until("Yes: npm install left-pad"))
        assert rows[2:4] == [
            f"     yes  ({ME} said yes) npm install left-pad".ljust(76) + "shop",
            ">   ####  npm install react                                                 shop",
        ]
        assert (found().status, found().by, found("3f9c1c1e01").status) == ("yes", ME, "waiting")


def test_a_no_takes_a_note_that_the_model_reads():
    ask()
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("n")
        screen.until("note> _")
        screen.type("use the lockfilee\x7f")
        assert screen.until("note> use the lockfile_")[-1] == "Enter sends the no  Esc back"
        screen.type("\r")
        screen.until("No: npm install left-pad")
    assert (found().status, found().note) == ("no", "use the lockfile")


def test_escape_leaves_the_note_and_answers_nothing():
    ask()
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("n")
        screen.until("note> _")
        screen.type("y\x1b")
        armed(screen)
    assert found().status == "waiting"


def test_a_command_is_edited_in_the_persons_editor_and_shown_before_it_runs(tmp_path: Path):
    ask()
    with full_screen("inbox", EDITOR=editor(tmp_path, 'sed -i s/install.*/ci/ "$1"'), VISUAL="") as screen:
        armed(screen)
        screen.type("e")
        rows = screen.until("y run it as edited")
        assert rows[2:5] == [
            "edited    npm ci",
            "was       npm install left-pad",
            "rules     not known here: the project is elsewhere",
        ]
        screen.type("y")
        screen.until("Yes, as edited: npm install left-pad")
    assert found().edit == b'{"command":"npm ci"}'


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("true", "Nothing was changed."),
        (': > "$1"', "the command is empty; to refuse the call, press n"),
        ("exit 3", "nothing was changed: the editor ended with 3"),
    ],
)
def test_an_edit_that_changes_nothing_answers_nothing(tmp_path: Path, script: str, says: str):
    ask()
    with full_screen("inbox", EDITOR=editor(tmp_path, script), VISUAL="") as screen:
        armed(screen)
        screen.type("e")
        screen.until(says)
    assert found().status == "waiting"


def test_more_of_the_same_is_said_in_words_before_it_is_given_and_taken_back_later():
    ask()
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("a")
        screen.until("in this session")
        screen.type("jllj")
        screen.until("> times")
        screen.type("ll")
        assert screen.until("3 times")[2:11] == [
            "Yes to this call, and to more of the same",
            "",
            "  what    [calls like this one]  exactly this call",
            "  where    this session   this agent  [this project]",
            "> times    any number   1  [3]  10   50",
            "  for     [no limit]  30 min   2 h   8 h   24 h",
            "",
            "allows    `npm install` with anything behind it, in this project, 3 times",
            "",
        ]
        screen.type("\r")
        screen.until("Yes, and allowed: `npm install` with anything behind it, in this project, 3")
        screen.type("g")
        screen.until("r take it back")
        screen.type("r")
        screen.until("y take it back")
        screen.type("y")
        screen.until("No grant holds now.")
    with closing(open_store()) as store:
        (grant,) = store.grants()
    assert (grant.left, grant.revoked is not None) == (3, True)


def test_several_calls_of_one_shape_are_answered_together():
    for number in range(3):
        ask(f"3f9c1c1e0{number}", f"npm install p{number}")
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("Xjx")
        screen.until("y yes to 2")
        screen.type("y")
        assert screen.until("y yes to these 2")[2:6] == [
            "Say yes to 2 calls of the shape `npm install`:",
            "",
            "Bash      npm install p0",
            "Bash      npm install p2",
        ]
        screen.type("y")
        screen.until("Yes: 2 calls")
    assert [found(f"3f9c1c1e0{number}").status for number in range(3)] == ["yes", "waiting", "yes"]


def test_an_answer_given_elsewhere_is_seen_with_the_name_and_the_second_person_is_told():
    ask()
    with full_screen("inbox") as screen:
        armed(screen)
        with closing(open_store()) as store:
            reject(store, found(), by="ann", at=time.time(), note="wait")
        rows = screen.until("ann said no: wait")
        assert rows[2].startswith(">     no  (ann said no: wait) npm install left-pad")
        screen.type("y")
        screen.until("It is answered already: ann said no: wait.")
    assert found().by == "ann"


def test_a_call_that_comes_while_the_screen_is_open_joins_the_list():
    with full_screen("inbox") as screen:
        assert screen.until("Nothing waits for an answer.")[-1] == "g grants  ? keys  q quit"
        ask()
        armed(screen)
        ask("3f9c1c1e01", "npm install react")
        rows = screen.until("2 waiting")
        assert rows[2].startswith("> ")  # where it was


def test_a_pasted_yes_is_no_answer():
    ask()
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("\x1b[200~yyy\x1b[201~?")
        screen.until("The first answer counts.")
    assert found().status == "waiting"


def test_a_long_call_is_read_to_its_end_before_a_yes():
    ask(command="\n".join(f"echo line {number}" for number in range(60)))
    with full_screen("inbox") as screen:
        armed(screen)
        screen.type("y")
        screen.until("This call is long; there is more to read before a yes")
        screen.type("a")
        screen.until("rows are below")
        assert found().status == "waiting"
        screen.type("\x1b[F")
        screen.until("y yes")
        screen.type("y")
        screen.until("Yes: echo line 0")
    assert found().status == "yes"


def test_control_characters_and_wide_ones_are_shown_harmlessly():
    ask(command="echo \x1b[2J\x07 日本語 \u202e é" + " 日本語" * 30)
    with full_screen("inbox") as screen:
        rows = armed(screen)
        assert "echo \\x1b[2J\\x07" in screen.text
        assert "\\u202e" in screen.text
        assert rows[0].startswith(" Interlock inbox   1 waiting")
    assert b"\x1b[2J\x07" not in screen.written


def test_a_call_that_gave_up_waiting_can_still_be_approved():
    ask()
    late = replace(found(), id="3f9c1c1e09", status="open", until=time.time() - 1)
    with closing(open_store()) as store:
        store.commit(Entry(record={}, raw=b"", at=time.time(), asks=late))
        approve(store, found(), by="ann", at=time.time())
    with full_screen("inbox") as screen:
        rows = armed(screen)
        assert rows[0].startswith(" Interlock inbox   0 waiting, 1 still open")
        assert "waits     nobody answered in time; a yes lets the agent's next try run" in rows
        screen.type("y")
        screen.until("Yes, when the agent tries it again: npm install left-pad")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name)
def test_the_terminal_is_given_back_when_the_program_is_ended(number: signal.Signals):
    ask()
    with full_screen("inbox") as screen:
        armed(screen)
        assert termios.tcgetattr(screen.theirs) != screen.settings
        screen.interrupt(number)
        assert screen.ended() == {signal.SIGINT: 130}.get(number, 128 + number)
        assert termios.tcgetattr(screen.theirs) == screen.settings
        assert screen.written.endswith(b"\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l")


def test_the_terminal_is_given_back_after_a_bug(monkeypatch: pytest.MonkeyPatch, project: Project):
    broken = project.write("from interlock.cli.inbox_view import app\napp.screen_rows = None\n", "sitecustomize.py")
    ask()
    with full_screen("inbox", PYTHONPATH=str(broken.parent)) as screen:
        assert screen.ended() == 3
        assert termios.tcgetattr(screen.theirs) == screen.settings
    assert b"\x1b[?1049l" in screen.written
    assert b"error: a bug in Interlock" in screen.written


def test_a_terminal_that_cannot_be_drawn_on_gets_the_list():
    ask()
    with full_screen("inbox", TERM="dumb") as screen:
        assert screen.ended() == 0
        assert "left  npm install left-pad" in screen.text
    with full_screen("inbox", "--list") as screen:
        assert screen.ended() == 0
        assert b"\x1b[?1049h" not in screen.written
