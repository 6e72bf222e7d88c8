"""`interlock inbox`, `approve`, `reject` and `grants`: a person answers at a terminal."""

from __future__ import annotations

import getpass
import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interlock.cli import main
from interlock.store.asking import ApprovalRequest
from interlock.store.base import Entry
from interlock.store.place import open_store
from tests.cli.test_lift import at_a_terminal
from tests.lint.project import Project


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def ask(id: str = "3f9c1c1e00", command: str = "npm install left-pad", **parts: Any) -> None:
    body = {
        "input": {"command": command},
        "reasons": [{"text": "Install it?", "by": "installs", "source": None}],
        "touches": {"commands": [command], "does": ["installs-package"], "runs": ["/home/ann/shop/postinstall.js"]},
        "cwd": "/home/ann/shop",
        "agent": None,
    }
    now = time.time()
    request = ApprovalRequest(
        id=id,
        session="5e551011-0000",
        tool="Bash",
        at=now,
        until=now + 300,
        project="/home/ann/shop",
        host="claude-code",
        shape="npm install",
        body=json.dumps(body).encode(),
        **parts,
    )
    with closing(open_store()) as store:
        store.commit(Entry(record={}, raw=b"", at=now, asks=request))


def found(id: str = "3f9c1c1e00") -> ApprovalRequest:
    with closing(open_store()) as store:
        request = store.request(id)
    assert request is not None
    return request


def run(*arguments: str) -> tuple[int, str]:
    ended = CliRunner().invoke(main, arguments)
    return ended.exit_code, ended.output


def test_what_waits_is_listed_and_shown_in_full():
    assert "Nothing waits for an answer." in run("inbox")[1]
    ask()
    code, listed = run("inbox")
    assert (code, listed.startswith("3f9c1c1e00  "), listed.endswith(" left  npm install left-pad\n")) == (
        0,
        True,
        True,
    )
    whole = run("inbox", "3f9")[1].splitlines()
    assert [line.split()[0] for line in whole] == ["Bash", "why", "installs", "runs", "from", "waits"]
    assert whole[1].endswith("Install it? (installs)")
    (data,) = json.loads(run("inbox", "--json")[1])
    assert (data["id"], data["status"], data["input"]) == ("3f9c1c1e00", "waiting", {"command": "npm install left-pad"})


def test_a_person_approves_and_it_is_recorded():
    ask()
    code, said = at_a_terminal("approve", "3f9c")
    assert (code, said.splitlines()[-1]) == (0, "It may run now.")
    request = found()
    assert (request.status, request.by) == ("yes", getpass.getuser())
    code, said = at_a_terminal("reject", "3f9c1c1e00")
    assert (code, said.splitlines()[0]) == (1, f"error: request 3f9c1c1e00 is answered already: {request.by} said yes")


def test_a_person_who_says_no_at_the_question_answers_nothing():
    ask()
    assert at_a_terminal("approve", "3f9c", answer=b"n\n")[0] == 1
    assert found().status == "waiting"


def test_a_person_rejects_with_a_note():
    ask()
    assert at_a_terminal("reject", "3f9", "--note", "use the lockfile") == (0, "Request 3f9c1c1e00 is refused.\n")
    assert (found().status, found().note) == ("no", "use the lockfile")


def test_an_edit_is_kept_as_it_was_written():
    ask()
    assert at_a_terminal("approve", "3f9", "--edit", '{"command": "npm ci"}')[0] == 0
    assert found().edit == b'{"command":"npm ci"}'


def test_more_of_the_same_is_said_in_words_listed_and_taken_back():
    ask()
    code, said = at_a_terminal("approve", "3f9", "--more", "project", "--times", "5", "--json", "--yes")
    assert code == 0
    grant = json.loads(said)["grant"]
    words = "`npm install` with anything behind it, in this project, 5 times"
    assert (grant["text"], grant["left"], grant["scope"]) == (words, 5, ["project", "/home/ann/shop"])
    listed = run("grants")[1]
    assert listed.startswith(f"{grant['id']}  {words}; not used yet, given by {getpass.getuser()} ")
    assert at_a_terminal("grants", "revoke", grant["id"]) == (0, f"Grant {grant['id']} is taken back.\n")
    assert run("grants")[1] == "No grant holds now.\n"
    assert at_a_terminal("grants", "revoke", grant["id"])[0] == 1


@pytest.mark.parametrize(
    "arguments",
    [("approve", "3f9", "--yes"), ("reject", "3f9"), ("grants", "revoke", "x")],
    ids=lambda arguments: arguments[0],
)
def test_nothing_is_answered_without_a_terminal(arguments):
    ask()
    code, said = run(*arguments)
    assert (code, "only a person at a terminal" in said) == (1, True)
    assert found().status == "waiting"


MISTAKES = {
    ("approve", "zzzz"): "no request `zzzz` waits for an answer",
    ("approve", "3f9c1c1e0"): "2 requests begin with `3f9c1c1e0`",
    ("approve", "3f9c1c1e00", "--for", "1h"): "--times and --for bound what --more allows",
    ("approve", "3f9c1c1e00", "--more", "session", "--for", "soon"): "`soon` is no duration",
    ("approve", "3f9c1c1e00", "--edit", "[]"): "",
    ("approve", "3f9c1c1e00", "--edit", "{}", "--more", "session"): "cannot allow more of the same",
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=" ".join)
def test_a_mistake_answers_nothing(arguments):
    ask()
    ask("3f9c1c1e01")
    code, said = at_a_terminal(*arguments)
    assert (code, MISTAKES[arguments] in said) == (1, True)
    assert found().status == "waiting"


def test_control_characters_of_a_call_are_shown_and_not_obeyed():
    ask(command="echo \x1b[2Jhi")
    assert "\x1b" not in run("inbox")[1] + run("inbox", "3f9")[1]
