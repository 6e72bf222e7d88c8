"""The mutation run: which changes it makes, that a seed repeats them, and that tests notice some and not others."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tools.mutate.__main__ import main
from tools.mutate.operators import Mutant, apply_all, is_another_program, mutants_of
from tools.mutate.report import as_text, diff_of, kill_rate
from tools.mutate.rooms import ROOMS, Room, files_of, mapped_tests
from tools.mutate.run import Laboratory, NotGreenError, Tried
from tools.mutate.sample import Chosen, choose

CHECKOUT = Path(__file__).parent.parent.parent
SOURCE = """\
def limit(amount, most=10):
    if amount < most and amount:
        return True
    return False
"""


def changed(source: str) -> set[str]:
    """Every mutant of a source that is another program."""
    raw = source.encode()
    found = [one for one in mutants_of("a.py", raw) if is_another_program(one, raw)]
    return {one.apply(raw).decode() for one in found}


@pytest.mark.parametrize(
    ("source", "mutant"),
    [
        ("x = a == b", "x = a != b"),
        ("x = a < b", "x = a <= b"),
        ("x = a < b", "x = a >= b"),
        ("x = a in b", "x = a not in b"),
        ("x = a is not b", "x = a is b"),
        ("x = (a) == (b)", "x = (a) != (b)"),
        ("x = a < b < c", "x = a < b <= c"),
        ("x = a and b", "x = a or b"),
        ("x = a or b or c", "x = a or b and c"),
        ("x = a and b", "x = (b)"),
        ("x = not a", "x = (a)"),
        ("x = True", "x = False"),
        ("x = 3", "x = 4"),
        ("x = a[1:]", "x = a[2:]"),
        ("x = a + b", "x = a - b"),
        ("x = a | b", "x = a & b"),
        ("x = a if b else c", "x = (c) if b else (a)"),
        ("x = {1, 2}", "x = {2}"),
        ("x = (a, b)", "x = (a,)"),
        ("x = [a, b, c]", "x = [a, b]"),
        ("x = {'a': b, 'c': d}", "x = {'c': d}"),
        ("f(a)", "pass"),
        ("raise E", "pass"),
        ("a.b = c", "pass"),
        ("x += 1", "pass"),
        ("if a: b = 1", "if False: b = 1"),
        ("if a: b = 1", "if not (a): b = 1"),
        ("x = [a for a in b if c]", "x = [a for a in b if True]"),
        ("x = any(a)", "x = all(a)"),
        ("x = a.startswith(b)", "x = a.endswith(b)"),
        ("x = f(a, b=c)", "x = f(a, )"),
        ("def f():\n    return a", "def f():\n    return None"),
        ("def f(a=True): b = 1", "def f(a=False): b = 1"),
        ("def f(*, a=1): b = c", "def f(*, a=2): b = c"),
        ("for a in b:\n    continue", "for a in b:\n    break"),
        ("for a in b:\n    break", "for a in b:\n    continue"),
        ("match a:\n  case b if c: d = e", "match a:\n  case b if False: d = e"),
        ("match a:\n  case 'b' | 'c': d = e", "match a:\n  case 'c': d = e"),
        ("try:\n  a = b\nexcept (C, D):\n  e = f", "try:\n  a = b\nexcept (D):\n  e = f"),
        ("é = 'ü'; x = a == b", "é = 'ü'; x = a != b"),
    ],
)
def test_a_change_replaces_only_its_own_characters(source, mutant):
    assert mutant in changed(source)


@pytest.mark.parametrize(
    "source",
    [
        "import a",
        '"""A text about it."""',
        "__all__ = ['a', 'b']",
        "X: TypeAlias = Literal['a', 'b']",
        "def f(a: tuple[int, str]) -> Literal[1, 2]: ...",
        "x = f'{a == b}'",
        "class A(B, frozen=True): ...",
        "x = 'a text'",
        "MOST = 10_000",
    ],
)
def test_what_decides_nothing_is_left_alone(source):
    assert changed(source) == set()


def test_a_change_that_is_no_program_is_none():
    assert not is_another_program(Mutant("a.py", 1, 1, "x", 0, 1, "("), b"a = 1\n")
    assert not is_another_program(Mutant("a.py", 1, 1, "x", 3, 4, "  "), b"a = 1\n")


def test_of_changes_that_overlap_one_is_made():
    source = b"x = a and b\ny = c == d\n"
    found = [one for one in mutants_of("a.py", source) if one.operator in ("and/or", "comparison")]
    first, second = apply_all(source, found).decode().splitlines()
    assert first in ("x = a or b", "x = (a)", "x = (b)")
    assert second == "y = c != d"


# --- the table and the sample ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROOMS)
def test_every_pattern_of_a_room_finds_files_and_every_test_is_there(name):
    room = ROOMS[name]
    for pattern in room.files:
        assert files_of(Room((pattern,), ()), CHECKOUT), pattern
    assert [test for test in mapped_tests(room, "") if not (CHECKOUT / test).exists()] == []


def test_the_tests_named_like_the_changed_file_come_first():
    room = Room((), ("receipts", "test_guard.py", "receipts/test_watch.py"))
    assert mapped_tests(room, "src/interlock/receipts/watch.py")[0] == "tests/receipts/test_watch.py"


def test_a_seed_chooses_the_same_mutants_whatever_else_is_asked_for():
    alone = choose(CHECKOUT, {"gate": ROOMS["gate"]}, 5, seed=3)
    beside = choose(CHECKOUT, {"fold": ROOMS["fold"], "gate": ROOMS["gate"]}, 10, seed=3)
    assert [one for one in beside if one.room == "gate"] == alone
    assert choose(CHECKOUT, {"gate": ROOMS["gate"]}, 5, seed=4) != alone


def test_the_rooms_share_a_sample():
    chosen = choose(CHECKOUT, {name: ROOMS[name] for name in ("fold", "gate", "verdict")}, 7, seed=1)
    assert [one.room for one in chosen] == ["fold", "gate", "verdict", "fold", "gate", "verdict", "fold"]


def test_mutants_can_be_listed_without_a_run(capsys):
    assert main(["--only", "fold", "--count", "2", "--list"]) == 0
    assert capsys.readouterr().out.count("+++ b/src/interlock/") == 2


# --- a run -----------------------------------------------------------------------------------------------------


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A checkout with one module and one test, which says nothing about an amount of zero."""
    checkout = tmp_path / "toy"
    (checkout / "src/interlock").mkdir(parents=True)
    (checkout / "src/interlock/limits.py").write_text(SOURCE)
    (checkout / "tests").mkdir()
    (checkout / "tests/test_limits.py").write_text(
        "import sys\n"
        "sys.path.insert(0, 'src/interlock')\n"
        "from limits import limit\n"
        "def test_limit():\n"
        "    assert limit(9)\n"
        "    assert not limit(10)\n"
    )
    subprocess.run(["git", "init", "-q"], cwd=checkout, check=True)
    return checkout


def mutant(toy: Path, old: str, new: str) -> Chosen:
    start = (toy / "src/interlock/limits.py").read_text().index(old)
    return Chosen("toy", Mutant("src/interlock/limits.py", 2, 2, "by hand", start, start + len(old), new))


def laboratory(toy: Path, tmp_path: Path) -> Laboratory:
    return Laboratory(toy, {"toy": Room(("*.py",), ("test_limits.py",))}, tmp_path / "copies", processes=1)


def test_a_noticed_mutant_is_killed_and_an_unnoticed_one_survives(toy, tmp_path):
    lab = laboratory(toy, tmp_path)
    lab.check_green(["toy"])
    chosen = [mutant(toy, "<", "<="), mutant(toy, " and amount", ""), mutant(toy, "<", ">=")]
    tried = lab.try_all(chosen, time.monotonic() + 600, lambda one: None)
    assert [one.outcome for one in tried] == ["killed", "survived", "killed"]
    assert tried[0].noticed_by == "tests/test_limits.py::test_limit"
    assert kill_rate(tried) == pytest.approx(2 / 3)
    assert "-    if amount < most and amount:" in as_text(tried, toy, None)
    together = lab.try_together([chosen[1], mutant(toy, "=10", "=11")])
    assert together.outcome == "killed"
    assert (toy / "src/interlock/limits.py").read_text() == SOURCE


def test_mutants_that_nobody_begins_in_time_are_skipped(toy, tmp_path):
    tried = laboratory(toy, tmp_path).try_all([mutant(toy, "<", "<=")], time.monotonic() - 1, lambda one: None)
    assert [one.outcome for one in tried] == ["skipped"]
    assert kill_rate(tried) == 1.0


def test_tests_that_fail_without_any_mutant_say_nothing(toy, tmp_path):
    (toy / "tests/test_limits.py").write_text("def test_limit(): assert False\n")
    with pytest.raises(NotGreenError, match="tests of `toy` fail"):
        laboratory(toy, tmp_path).check_green(["toy"])


def test_a_survivor_is_shown_as_a_diff_that_can_be_applied(toy):
    text = diff_of(mutant(toy, "<", "<=").mutant, toy)
    (toy / "change.diff").write_text(text)
    subprocess.run(["git", "apply", "change.diff"], cwd=toy, check=True)
    assert "amount <= most" in (toy / "src/interlock/limits.py").read_text()


def test_a_kill_rate_counts_a_time_limit_as_noticed():
    chosen = Chosen("a", Mutant("a.py", 1, 1, "x", 0, 0, ""))
    assert kill_rate([Tried(chosen, "timeout"), Tried(chosen, "survived")]) == 0.5
