"""`interlock score`: figures, the rows behind them, JSON, and what ends it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from msgspec import json

from tests.lint.project import Project

ROWS = """\
{"id": "a", "command": "rm x", "expected": "deny"}
{"id": "b", "command": "mv x y", "expected": "deny"}
{"id": "c", "command": "git push", "expected": "allow"}
{"id": "d", "command": "ls", "expected": "allow"}
{"id": "e", "command": "kill 1", "expected": "ask"}
{"id": "f", "command": "ls", "expected": null, "context": "elsewhere"}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch)
    made.policy("{id: no-rm, command: rm, deny: No rm.}", "{id: pushing, command: git push, ask: Push?}")
    made.write(ROWS, "corpus.jsonl")
    return made


def test_the_figures_are_shares_of_the_rows_they_are_about(project: Project):
    code, text = project.said("score", "corpus.jsonl")
    assert code == 0
    assert re.sub(r"[\d,]+ rows/s", "N rows/s", text) == snapshot("""\
judged by interlock.yaml (not trusted: its deny and ask), core
5 rows, 1 left out; N rows/s
misses     50.00%       1 of 2       rows to deny that pass
friction   50.00%       1 of 2       rows to allow that are stopped
silent    100.00%       1 of 1       rows to ask about that pass
ask        20.00%       1 of 5       a person is asked
deny       20.00%       1 of 5       denied
opaque      0.00%       0 of 5       cannot be known before it runs
crashes     0.00%       0 of 5       a rule failed
""")


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("misses", "none  b  mv x y\n"),
        ("friction", "ask   c  git push  [pushing]\n"),
        ("silent", "none  e  kill 1\n"),
        ("ask", "ask   c  git push  [pushing]\n"),
        ("deny", "deny  a  rm x  [no-rm]\n"),
        ("opaque", ""),
        ("crashes", ""),
    ],
)
def test_the_rows_behind_a_figure_are_shown_with_whoever_decided(project: Project, kind: str, shown: str):
    assert project.said("score", "corpus.jsonl", "--rows", kind) == (0, shown)


def test_json_holds_the_figures_and_the_rows(project: Project):
    data = json.decode(project.run("score", "corpus.jsonl", "--json").stdout)
    assert (data["rows"], data["skipped"], data["counts"]["misses"]) == (5, 1, 1)
    assert data["found"]["misses"] == [
        {"id": "b", "command": "mv x y", "expected": "deny", "decision": "none", "rules": [], "error": ""}
    ]
    assert data["shares"]["friction"] == 0.5


def test_json_holds_the_rows_that_are_asked_for(project: Project):
    data = json.decode(project.run("score", "corpus.jsonl", "--json", "--rows", "ask").stdout)
    assert {kind: [row["id"] for row in rows] for kind, rows in data["found"].items()} == {"ask": ["c"]}


def test_it_is_told_who_judged(project: Project):
    assert project.said("score", "corpus.jsonl", "--pack", "guarded")[1].startswith("judged by pack guarded, core\n")
    data = json.decode(project.run("score", "corpus.jsonl", "--pack", "strict", "--json").stdout)
    assert data["policies"] == ["pack strict", "core"]


def test_a_pack_by_name_takes_the_place_of_the_projects_policy(project: Project):
    data = json.decode(project.run("score", "corpus.jsonl", "--pack", "guarded", "--json").stdout)
    assert [row["id"] for row in data["found"]["misses"]] == ["a", "b"]


def test_a_policy_by_its_file_takes_the_place_of_the_projects_policy(project: Project):
    project.write("version: 1\nrules: [{id: all, tool: Bash, deny: No.}]\n", "other.yaml")
    data = json.decode(project.run("score", "corpus.jsonl", "--policy", "other.yaml", "--json").stdout)
    assert (data["counts"]["misses"], data["counts"]["friction"]) == (0, 2)


def test_nothing_but_the_result_is_printed_where_nobody_watches(project: Project):
    assert project.run("score", "corpus.jsonl").stderr == ""


def test_a_rule_that_fails_is_exit_one(project: Project):
    project.write("version: 1\nrules: [{id: bad, tool: Bash, when: 'int(input.command) > 1', deny: x}]\n", "bad.yaml")
    code, text = project.said("score", "corpus.jsonl", "--policy", "bad.yaml", "--rows", "crashes")
    assert (code, text.count("\n")) == (1, 5)


def test_control_characters_of_a_row_are_shown_and_not_obeyed(project: Project):
    project.write('{"command": "mv \\u001b[31m x", "expected": "deny"}\n', "odd.jsonl")
    assert project.said("score", "odd.jsonl", "--rows", "misses") == (0, "none  1  mv \\x1b[31m x\n")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("corpus.jsonl", "--pack", "gaurded"), "there is no pack `gaurded`"),
        (("corpus.jsonl", "--pack", "git", "--policy", "x.yaml"), "--pack and --policy cannot be used together"),
        (("nowhere.jsonl",), "nowhere.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_scored_is_the_persons_error(project: Project, given: tuple[str, ...], message: str):
    code, text = project.said("score", *given)
    assert (code, message in text) == (1, True)
