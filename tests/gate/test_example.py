"""The plain function of the examples, run as anybody would run it, with a person at its terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.store.place import open_store

MAIL = Path(__file__).parent.parent.parent / "examples" / "function_tool" / "mail.py"
# A process in a session of its own gets the first terminal that it opens.
AT_TERMINAL = (
    "import os, sys; os.open(sys.argv[1], os.O_RDWR); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
)
HELLO = ("ann@example.org", "Hello", "How are you?")


def send(*words: str, typed: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """The exit code, what the function printed and what is on the terminal."""
    end, theirs = os.openpty()
    command = [sys.executable, "-c", AT_TERMINAL, os.ttyname(theirs), str(MAIL), *words]
    screen = ""
    try:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        ) as process:  # fmt: skip
            for text in typed:
                asked = screen.count(": ", screen.rfind("Run it?"))
                while screen.count(": ", screen.rfind("Run it?")) <= asked or not screen.endswith(": "):
                    screen += os.read(end, 4096).decode()
                os.write(end, f"{text}\n".encode())
                screen += "\n"
            out, _ = process.communicate(timeout=30)
    finally:
        os.close(end)
        os.close(theirs)
    return process.returncode, out, screen.replace("\r\n", "\n")


def test_mail_inside_the_house_goes_out_unasked():
    assert send("bob@example.com", "Hello", "How are you?")[:2] == (
        0,
        "To: bob@example.com\nSubject: Hello\n\nHow are you?\n{'sent': 'bob@example.com'}\n",
    )


def test_mail_to_others_is_signed_shown_and_sent_on_yes():
    """S0-01, S0-02"""
    code, out, screen = send(*HELLO, typed=("y",))
    assert (code, out) == (
        0,
        "To: ann@example.org\nSubject: Hello\n\nHow are you?\n-- \nExample Ltd\n{'sent': 'ann@example.org'}\n",
    )
    assert screen.splitlines()[:8] == [
        "Interlock asks about send_email",
        "  why   This mail leaves the company.",
        '  runs  to = "ann@example.org"',
        '  runs  subject = "Hello"',
        '  runs  body = "How are you?\\n-- \\nExample Ltd"',
        "  changed from what the model wrote:",
        '  - body = "How are you?"',
        '  + body = "How are you?\\n-- \\nExample Ltd"   (outside)',
    ]


def test_no_sends_nothing():
    """S0-02"""
    assert send(*HELLO, typed=("n not today",))[:2] == (
        1,
        "not sent: the person did not approve this call: not today\n",
    )


def test_an_edit_with_a_password_is_sent_by_nobody():
    edit = '{"to": "bob@example.com", "subject": "x", "body": "your password is y"}'
    code, out, _ = send(*HELLO, typed=("e", edit))
    assert (code, out) == (
        1,
        "not sent: A mail must not contain a password. Send a link to reset it instead.\n",
    )


def test_without_a_terminal_nothing_is_sent():
    ran = subprocess.run(
        [sys.executable, str(MAIL), *HELLO], capture_output=True, text=True, start_new_session=True, check=False
    )
    assert ran.returncode == 1
    assert "there is no terminal to ask at" in ran.stderr


@pytest.fixture(autouse=True)
def kept():
    """Each call of the example is in the person's record."""
    yield
    store = open_store()
    assert next(record.event for record in store.records()) == "PreToolUse"
    store.close()
