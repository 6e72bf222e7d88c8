"""The differential run: what the box shows and keeps in, how lines are made, and how they are judged and shortened."""

from __future__ import annotations

import os
import random
from itertools import islice
from pathlib import Path

import pytest

from tools.fuzz.__main__ import main
from tools.fuzz.box import HOME, Box, Ran, Started, why_not
from tools.fuzz.judge import judge, read
from tools.fuzz.lines import entries, load_grammar, make_line
from tools.fuzz.mutations import mutate
from tools.fuzz.session import Hole, Session, lines_of, shorten

REASON = why_not()
in_a_box = pytest.mark.skipif(bool(REASON), reason=REASON or "there is a box")


@pytest.fixture(scope="module")
def box():
    with Box() as made:
        yield made


def started(box: Box, line: str, **more: bool) -> list[tuple[str, ...]]:
    return [one.words for one in box.run(line, **more).started]


@in_a_box
def test_the_box_tells_every_program_with_its_words(box):
    assert started(box, "z1 a 'b c' ''") == [("z1", "a", "b c", "")]
    assert sorted(started(box, "z1 $(z2) < <(z3)")) == [("z1",), ("z2",), ("z3",)]


@in_a_box
def test_shells_and_programs_that_run_others_are_real_and_told_too(box):
    assert started(box, "env x=z1 bash -c '$x a'")[-1] == ("z1", "a")
    assert started(box, "xargs z2 <<< 'a b'") == [("xargs", "z2"), ("z2", "a", "b")]


@in_a_box
def test_a_script_with_an_interpreter_is_told_by_both(box):
    line = "printf '#!/bin/bash\\nz1\\n' > f; chmod +x f; ./f"
    assert started(box, line)[-2:] == [("/bin/bash", "./f"), ("z1",)]


@in_a_box
def test_sh_is_dash_or_bash_as_asked(box):
    line = "sh -c '{z1,a}; z2'"
    assert ("z1", "a") in started(box, line)
    assert ("z1", "a") not in started(box, line, dash=True)


@in_a_box
def test_nothing_can_be_written_but_what_the_next_line_does_not_find(box):
    assert "Read-only" in box.run("echo > /bin/a").errors
    assert started(box, "echo z1 > f; echo z1 > /tmp/f; bash f")[-1] == ("z1",)
    assert started(box, "test -e f -o -e /tmp/f && z2") == []


@in_a_box
def test_nothing_of_the_machine_is_seen_and_nobody_is_root(box):
    line = f"[ -e {Path(__file__).resolve()} ] && z1; [ -e /etc/passwd ] && z2; for i in /*; do z3 $i; done"
    assert {words[-1] for words in started(box, line)} == {"/bin", "/dev", "/home", "/proc", "/tmp", "/usr"} | {
        words[-1] for words in started(box, "for i in /lib*; do z3 $i; done")
    }
    status = box.run("while read -r a b; do case $a in CapEff:) z1 $b;; esac; done < /proc/self/status").started
    assert [one.words for one in status] == [("z1", "0" * 16)]


@in_a_box
def test_a_line_that_does_not_end_is_stopped(box):
    ran = box.run("while :; do :; done")
    assert ran.late
    assert started(box, "z1") == [("z1",)]


@in_a_box
def test_what_bash_refuses_is_told(box):
    assert box.run("if then").refused
    assert not box.run("if z1; then z2; fi").refused


@in_a_box
def test_a_box_ends_with_whoever_made_it():
    with Box() as made:
        child = made._child
    with pytest.raises(ChildProcessError):
        os.waitpid(child, 0)


def ran(*started: tuple[str, ...]) -> Ran:
    return Ran(tuple(Started(f"/bin/{words[0]}", words) for words in started), False, False, "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("z1 a", ("z1", "a")),
        ("z1 $HOME ~/a", ("z1", HOME, f"{HOME}/a")),
        ("z1 *.c", ("z1", "a.c", "b.c")),
        ("z1 $x", ("z1",)),
        ("z1 $x", ("z1", "b", "c")),
        ("z1 a$x", ("z1", "ab", "c")),
        ("eval $(z2)", ("z9", "of a line that cannot be read")),
    ],
)
def test_a_program_that_was_read_is_no_hole(line, words):
    assert judge(read(line), ran(words)) == ((), ())


def test_a_program_that_was_not_read_is_missed_and_other_words_are_told():
    found = judge(read("z1 a"), ran(("z2", "a"), ("z1", "b")))
    assert [one.name for one in found.missed] == ["z2"]
    assert [one.words for one in found.changed] == [("z1", "b")]


def test_the_same_seed_gives_the_same_lines():
    assert list(islice(lines_of(3), 50)) == list(islice(lines_of(3), 50))
    assert list(islice(lines_of(3), 50)) != list(islice(lines_of(4), 50))


def test_every_part_that_the_grammar_names_is_there():
    grammar = load_grammar()
    for number in range(300):
        assert make_line(grammar, random.Random(number))
    with pytest.raises(KeyError):
        load_grammar("line\n  «nobody»\n")


def test_a_way_may_be_likelier_and_signs_stand_for_what_cannot_be_seen():
    grammar = load_grammar("line\n  3× a⏎⇥b\n  «p»\n")
    assert [way.pieces for way in grammar["line"]] == [("a\n\tb",)] * 3 + [("", "p", "")]


def test_programs_of_one_line_have_different_names():
    grammar = load_grammar("line\n  «p» «p» «p» «same»\n")
    one, other, third, again = make_line(grammar, random.Random(1)).split()
    assert len({one, other, third}) == 3
    assert again == third


def test_mutations_are_made_from_the_lines_that_are_given():
    chance = random.Random(1)
    assert len({mutate(["z1 a; z2 $(z3)"], chance) for _ in range(100)}) > 50


def test_a_line_is_shortened_as_long_as_it_shows_the_same():
    assert shorten("z1 a; z2 b; z3 $x 'c d'", lambda line: "$x" in line) == "$x"


def test_kept_lines_have_names_of_their_own():
    assert entries("usual.txt")["a build"].startswith("cd app")
    assert all(line for file in ("holes.txt", "usual.txt") for line in entries(file).values())


@in_a_box
def test_a_hole_is_found_and_shortened(box, monkeypatch):
    monkeypatch.setattr("tools.fuzz.session.read", lambda line: read(line.replace("z7", "")))
    session = Session(box)
    [hole] = session.hold("z1 a; z7 b; z2", dash=False)
    assert session.shorten(hole) == Hole("z7", False, "missed", "z7")
    assert "1 lines" in session.tally.as_text()


@in_a_box
def test_a_run_says_what_share_could_not_be_read(capsys):
    assert main(["--kept"]) == 0
    assert "opaque" in capsys.readouterr().err
