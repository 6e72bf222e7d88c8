"""Comparing two checkouts: each difference is named with its row and its part, and equal answers are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tools.compare import HERE, Difference, compare, compare_files, differences, find_goldens, main, render


def lines(file: Path, *answers: tuple[str, object]) -> Path:
    file.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, ["a.c"]),
        ({"a": 1}, {}, ["a"]),
        ({}, {"b": 1}, ["b"]),
        ({"a": [1, 2]}, {"a": [2, 1]}, ["a"]),
        ({"a": {}}, {"a": []}, ["a"]),
    ],
)
def test_answers_differ_in_the_deepest_part_that_is_not_the_same(before, after, parts):
    assert [one.part for one in differences(before, after)] == parts


def test_files_of_answers_are_compared_line_by_line(tmp_path):
    before = lines(tmp_path / "a", ("x", {"d": 1}), ("y", {"d": 1}))
    after = lines(tmp_path / "b", ("x", {"d": 1}), ("y", {"d": 2}))
    assert compare_files(before, after) == (2, [Difference("y", "d", 1, 2)])


def test_a_checkout_that_answers_less_is_not_the_same(tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        compare_files(lines(tmp_path / "a", ("x", {})), lines(tmp_path / "b", ("x", {}), ("y", {})))
    assert caught.value.code == 2
    assert "answered less" in capsys.readouterr().err


def test_the_differences_of_one_row_are_shown_together():
    found = [Difference("x", "a", 1, 2), Difference("x", "b", 1, 2), Difference("y", "a", 1, 2)]
    assert render(found).count("x") == 1


def test_a_folder_that_is_no_checkout_is_refused(tmp_path):
    with pytest.raises(SystemExit) as caught:
        main([str(tmp_path)])
    assert caught.value.code == 2


def test_a_changed_rule_shows_in_its_rows_and_nowhere_else(tmp_path):
    """The copy has one rule that asks instead of denying; two rows are about it, two are not."""
    other = tmp_path / "before"
    shutil.copytree(HERE / "src", other / "src", ignore=shutil.ignore_patterns("__pycache__"))
    pack = other / "src/interlock/packs/git.yaml"
    text = pack.read_text(encoding="utf-8")
    pack.write_text(text.replace("    deny:", "    ask:", 1), encoding="utf-8")
    this = tmp_path / "after"
    this.mkdir()
    (this / "src").symlink_to(HERE / "src")
    goldens = this / "tests/golden/events"
    goldens.mkdir(parents=True)
    for name in ("PreToolUse.Bash.json", "PostToolUse.Bash.json"):
        shutil.copy(find_goldens(HERE) / name, goldens)
    corpora = tmp_path / "corpora"
    corpora.mkdir()
    rows = ["git push -f origin main", "git push", "git push --force origin main", "cat notes.txt"]
    (corpora / "rows.jsonl").write_text("".join(json.dumps({"command": row}) + "\n" for row in rows))
    count, found = compare(other, this, corpora)
    assert count == 4 + 4
    forced = ["rows.jsonl:1 git push -f origin main", "rows.jsonl:3 git push --force origin main"]
    assert sorted({one.key for one in found}) == forced
    assert Difference(forced[0], "guarded.decision", "ask", "deny") in found
