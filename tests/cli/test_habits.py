"""What `interlock grants` and `interlock replay` say about what people approve again and again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import main
from interlock.store.place import open_store
from tests.page.history import Past

SUGGESTED = """, each measured on the record

install: approved 6 times
  `npm install left-pad` was approved 6 times in 6 sessions, and never refused.
  With this exception, 6 of 6 questions in these sessions would not have been
  asked.

    version: 1
    rules:
    - id: install
      command: npm install
      ask: This adds a dependency. Add it?
      approve: inbox
      unless:
        command: [/^npm install left-pad$/]
"""


@pytest.fixture
def past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Past]:
    made = Past(tmp_path, store=open_store())
    monkeypatch.chdir(made.project)
    monkeypatch.setenv("COLUMNS", "80")
    yield made
    made.close()


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, arguments)
    assert (result.stderr, result.exit_code) == ("", 0)
    return result.stdout


def approve_often(past: Past) -> None:
    for number in range(6):
        past.days_ago(10 - number).asked("npm install left-pad", "yes", f"s-{number}")


def test_grants_says_in_one_line_that_a_rule_could_spare_questions(past: Past):
    approve_often(past)
    assert run("grants") == (
        "No grant holds now.\n"
        "`npm install left-pad` was approved 6 times and never refused: `interlock replay --suggest` proposes a rule.\n"
    )
    assert json.loads(run("grants", "--json")) == []


def test_grants_says_nothing_of_what_is_not_a_habit(past: Past):
    past.days_ago(1).asked("npm install left-pad", "yes")
    assert run("grants") == "No grant holds now.\n"


def test_replay_proposes_a_rule_from_what_people_approved(past: Past):
    approve_often(past)
    shown = run("replay", "--log", "--suggest", "--quiet")
    assert shown.partition("suggestions from what people approved")[2] == SUGGESTED
    (one,) = json.loads(run("replay", "--log", "--suggest", "--json"))["habits"]
    assert {name: one[name] for name in ("rules", "what", "approved", "kind", "freed", "questions")} == {
        "rules": ["install"],
        "what": "`npm install left-pad`",
        "approved": 6,
        "kind": "unless",
        "freed": 6,
        "questions": 6,
    }
