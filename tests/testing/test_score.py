"""Scoring: rows read strictly, judged like first calls of a session, and counted by what they were expected to be."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.config.bundles import core_policy
from interlock.errors import InterlockError
from interlock.testing.score import KINDS, Corpus, Row, RowResult, judge_rows, read_corpus, score_of, workers_for
from tests.policy.builders import load

POLICY = """
    rules:
      - {id: no-rm, command: rm, deny: No rm.}
      - {id: pushing, command: git push, ask: Push?}
      - {id: looking, command: ls, allow: true}
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "corpus.jsonl"
    file.write_text(text, encoding="utf-8")
    return file


def test_rows_are_read_with_their_ids_or_their_line_numbers(tmp_path: Path):
    file = written(
        tmp_path,
        '{"id": "a-1", "command": "ls", "expected": "allow", "source": "x"}\n\n{"command": "rm x"}\n',
    )
    assert read_corpus(file) == Corpus((Row("a-1", "ls", "allow"), Row("3", "rm x")))


def test_a_row_whose_label_needs_more_than_the_command_is_left_out_and_counted(tmp_path: Path):
    file = written(
        tmp_path,
        '{"command": "a", "context": "in /tmp"}\n{"command": "b", "conflict": true}\n'
        '{"command": "c", "context": null, "conflict": false}\n',
    )
    assert read_corpus(file) == Corpus((Row("3", "c"),), skipped=2)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ('{"command": "ls"}\nnot json\n', "the line is not a JSON object", 2),
        ('["ls"]\n', "the line is not a JSON object", 1),
        ('{"command": 5}\n', "the row has no `command`", 1),
        ('{"expected": "deny"}\n', "the row has no `command`", 1),
        ('{"command": "ls", "expected": "block"}\n', '`expected` is "block"', 1),
        ('{"command": "ls", "expected": 1}\n', "`expected` is 1", 1),
    ],
)
def test_a_row_that_says_nothing_is_refused_with_its_line(tmp_path: Path, text: str, message: str, line: int):
    with pytest.raises(InterlockError) as caught:
        read_corpus(written(tmp_path, text))
    assert caught.value.message.startswith(message)
    assert caught.value.source is not None
    assert caught.value.source.line == line


@pytest.mark.parametrize("text", ["", "\n\n", '{"command": "a", "context": "x"}\n'])
def test_a_corpus_without_rows_is_refused(tmp_path: Path, text: str):
    with pytest.raises(InterlockError, match="contains no rows"):
        read_corpus(written(tmp_path, text))


def test_a_file_whose_rows_are_all_left_out_says_so(tmp_path):
    file = tmp_path / "c.jsonl"
    file.write_text('{"command": "ls", "context": "elsewhere"}\n')
    with pytest.raises(InterlockError, match="which are left out"):
        read_corpus(file)


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path):
    file = tmp_path / "c.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"command": "ls"}\r\n')
    assert [row.command for row in read_corpus(file).rows] == ["ls"]


def test_a_corpus_that_is_not_there_is_the_persons_error(tmp_path: Path):
    with pytest.raises(InterlockError, match="cannot be read"):
        read_corpus(tmp_path / "nowhere.jsonl")


def test_each_row_gets_the_decision_of_the_policy_and_whoever_made_it():
    rows = [Row("1", "rm x", "deny"), Row("2", "git push", "allow"), Row("3", "ls", "ask"), Row("4", "make", "deny")]
    assert list(judge_rows(rows, [load(POLICY)])) == [
        RowResult("1", "rm x", "deny", "deny", ("no-rm",)),
        RowResult("2", "git push", "allow", "ask", ("pushing",)),
        RowResult("3", "ls", "ask", "allow", ("looking",)),
        RowResult("4", "make", "deny", "none"),
    ]


def test_several_workers_give_what_one_gives_in_the_same_order():
    rows = [Row(str(number), command) for number, command in enumerate(["rm x", "git push", "ls", "$X"] * 40)]
    policies = [load(POLICY)]
    assert list(judge_rows(rows, policies, workers=2)) == list(judge_rows(rows, policies))


def test_a_row_may_say_more_about_its_situation(tmp_path: Path):
    file = written(
        tmp_path,
        '{"command": "ls", "cwd": "src", "branch": "main", "files": ["a"], "wrote": {"/tmp/t": "built"}}\n'
        '{"command": "ls", "files": {"a": "text", "b": null}, "wrote": ["/tmp/t"], "cwd": null}\n',
    )
    assert read_corpus(file).rows == (
        Row("1", "ls", cwd="src", branch="main", files={"a": None}, wrote={"/tmp/t": "built"}),
        Row("2", "ls", files={"a": "text", "b": None}, wrote={"/tmp/t": "written"}),
    )


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ('"cwd": 5', "`cwd` is not a text"),
        ('"branch": []', "`branch` is not a text"),
        ('"files": "a"', "`files` is not a list or an object of texts"),
        ('"files": {"a": 1}', "`files` is not a list or an object of texts"),
        ('"wrote": [1]', "`wrote` is not a list or an object of texts"),
        ('"wrote": {"a": "made"}', "`wrote` says `made`; it may be `built`, `written`, `downloaded`"),
    ],
)
def test_a_situation_that_cannot_be_read_is_refused(tmp_path: Path, field: str, message: str):
    with pytest.raises(InterlockError) as caught:
        read_corpus(written(tmp_path, f'{{"command": "ls", {field}}}\n'))
    assert caught.value.message == message


SITUATED = """
    rules:
      - {id: on-main, command: git commit, when: branch == "main", ask: On main?}
      - {id: outside, path: {write: /**}, unless: {path: {write: "${project}/**"}}, deny: Outside.}
      - {id: fetched, when: 'fresh.exists(f, f.how == "downloaded")', ask: Fetched?}
      - {id: no-rm, command: rm, deny: No rm.}
"""


def test_rows_are_judged_in_the_situation_that_they_describe():
    rows = [
        Row("1", "git commit -m x", branch="main"), Row("2", "git commit -m x", branch="work"),
        Row("3", "git commit -m x"),
        Row("4", "touch a", cwd="/tmp/x"), Row("5", "touch a", cwd="src"), Row("6", "touch a"),
        Row("7", "./t", wrote={"t": "downloaded"}), Row("8", "./t", wrote={"t": "built"}), Row("9", "./t"),
        Row("10", "sh a.sh", files={"a.sh": "rm x"}), Row("11", "sh a.sh", files={"a.sh": "ls"}), Row("12", "sh a.sh"),
        Row("13", "sh /tmp/a.sh", files={"/tmp/a.sh": "rm x"}, wrote={"/tmp/a.sh": "written"}),
    ]  # fmt: skip
    decisions = ["ask", "none", "none", "deny", "none", "none", "ask", "none", "none", "deny", "none", "none", "deny"]
    assert [row.decision for row in judge_rows(rows, [load(SITUATED)])] == decisions


def test_a_branch_for_all_rows_holds_where_a_row_has_none():
    rows = [Row("1", "git commit -m x"), Row("2", "git commit -m x", branch="work"), Row("3", "git commit -m x")]
    judged = judge_rows(rows, [load(SITUATED)], branch="main")
    assert [row.decision for row in judged] == ["ask", "none", "ask"]


def test_a_small_corpus_is_not_worth_a_second_worker():
    assert workers_for(10) == 1


def test_rows_do_not_know_of_each_other():
    policy = load("rules: [{id: twice, tool: Bash, when: 'count(\"twice\") > 0', deny: Once.}]")
    assert [row.decision for row in judge_rows([Row("1", "ls"), Row("2", "ls")], [policy])] == ["none", "none"]


def test_a_row_that_cannot_be_read_is_opaque_and_one_that_can_is_not():
    rows = [Row("1", "$X y"), Row("2", "ls"), Row("3", "rm 'unended")]
    assert [row.opaque for row in judge_rows(rows, [load(POLICY)])] == [True, False, True]


def test_a_rule_of_that_name_in_the_policy_does_not_make_rows_opaque():
    policy = load("rules: [{id: opaque, command: ls, ask: Look?}]")
    assert [row.opaque for row in judge_rows([Row("1", "ls")], [policy])] == [False]


def test_a_rule_that_fails_is_a_crash_and_counts_as_stopped():
    policy = load("rules: [{id: broken, tool: Bash, when: 'int(input.command) > 1', deny: x}]")
    (row,) = judge_rows([Row("1", "ls", "allow")], [policy])
    assert (row.decision, bool(row.error), row.friction) == ("deny", True, True)


def test_what_is_counted_is_a_share_of_the_rows_it_is_about():
    judged = [
        RowResult("1", "a", "deny", "none"),
        RowResult("2", "b", "deny", "ask"),
        RowResult("3", "c", "allow", "deny"),
        RowResult("4", "d", "ask", "allow", opaque=True),
        RowResult("5", "e", None, "ask"),
    ]
    score = score_of(judged)
    assert (score.rows, score.expected) == (5, {"allow": 1, "ask": 1, "deny": 2})
    assert score.counts == {"misses": 1, "friction": 1, "silent": 1, "ask": 2, "deny": 1, "opaque": 1, "crashes": 0}
    assert {kind: score.share(kind) for kind in KINDS} == {
        "misses": 0.5, "friction": 1, "silent": 1, "ask": 0.4, "deny": 0.2, "opaque": 0.2, "crashes": 0,
    }  # fmt: skip


def test_a_share_of_nothing_is_none():
    score = score_of([RowResult("1", "a", None, "none")])
    assert (score.share("misses"), score.share("ask")) == (None, 0)


LINES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)


@given(st.lists(LINES, min_size=1, max_size=4))
def test_any_command_is_judged_without_a_crash(commands: list[str]):
    rows = [Row(str(number), command) for number, command in enumerate(commands)]
    judged = list(judge_rows(rows, [load(POLICY), core_policy()]))
    assert [(row.command, row.error) for row in judged] == [(command, "") for command in commands]
