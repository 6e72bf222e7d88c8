"""How a command's words are parted into options, values and operands."""

from __future__ import annotations

import pytest

from interlock.facts.programs import Nested, Use, use_of_program
from tests.facts.programs.reading import looks, runs, said, use


def test_a_command_is_told_whole():
    assert use("rm -rf build") == Use(
        deletes=("build",),
        flags=("--recursive", "--force"),
        operands=("build",),
        traits=frozenset({"recursive", "forced"}),
    )


def test_a_program_without_a_table_is_unknown_and_its_words_may_be_paths():
    assert use("frobnicate -x in.txt --out=there -- -y") == Use(
        mentions=("in.txt", "there", "-y"), flags=("-x", "--out"), operands=("in.txt", "-y"), known=False
    )


@pytest.mark.parametrize(
    "line",
    ["rm -Rf x", "rm -r -f x", "rm -fr x", "rm --recursive --force x", "rm --recurs --forc x", "rm x -rf",
        "/bin/rm -rf x",
     "RM -rf x", "grm -rf x", "rm -rf -- x"],
)  # fmt: skip
def test_spellings_of_one_command_are_one_command(line):
    found = use(line)
    assert found.deletes == ("x",)
    assert set(found.flags) == {"--recursive", "--force"}


def test_after_two_dashes_everything_is_an_operand():
    assert said("rm -- -rf", "deletes", "flags") == {"deletes": ("-rf",)}


def test_a_value_may_stand_in_the_same_word_or_the_next():
    for line in ("sort -o out in", "sort -oout in", "sort --output=out in", "sort --output out in", "sort -uo out in"):
        assert said(line, "reads", "writes") == {"reads": ("in",), "writes": ("out",)}, line


def test_an_optional_value_stands_only_in_the_same_word():
    assert said("sed -i.bak s/a/b/ f", "writes") == {"writes": ("f",)}
    assert said("grep --color never f", "reads") == {"reads": ("f",)}


def test_an_ambiguous_abbreviation_is_unknown():
    assert use("rm --i x").unknown == ("--i",)
    assert use("cp --no a b").unknown == ("--no",)


def test_dashes_alone_mean_a_stream():
    assert said("cat - a", "reads") == {"reads": ("a",)}


def test_an_unknown_option_leaves_no_form_read_only():
    assert looks("ls -la src")
    assert not looks("ls --frobnicate src")
    assert use("ls --frobnicate src").unknown == ("--frobnicate",)


def test_the_word_after_an_unknown_option_is_both_value_and_operand():
    assert said("grep --frobnicate x pattern file", "reads") == {"reads": ("pattern", "file", "file")}
    assert runs("sudo --frobnicate x rm y") == [("argv", "x", "rm", "y"), ("argv", "rm", "y")]
    assert use("git --frobnicate x push -f").operands == ("push",)


def test_an_unknown_word_may_be_an_option():
    assert looks("cat §")  # none of cat's options does anything
    assert not looks("sort §")
    assert looks("sort -- §")
    assert looks("sort x§")
    assert not looks("git § x")


def test_an_unknown_subcommand_is_not_known():
    found = use("git frobnicate ./x")
    assert (found.known, found.unknown, found.mentions) == (False, ("frobnicate",), ("frobnicate", "./x"))


def test_help_does_nothing_unless_something_stands_before_it():
    assert looks("rm --help")
    assert looks("git push --help")
    assert use("rm -rf x --help").deletes == ("x",)
    assert not looks("sudo rm --help x")  # what sudo runs is judged on its own, and sudo is no looking


def test_a_rehearsal_changes_nothing_unless_it_is_switched_off():
    assert said("kubectl apply -f x.yaml --dry-run=client", "traits") == {"traits": frozenset({"read-only", "network"})}
    assert "cluster/changes" in use("kubectl apply -f x.yaml --dry-run=none").traits
    assert use("git clean -nfd").deletes == ()
    assert use("git clean -fd").deletes == (".",)


def test_a_rehearsal_with_an_unknown_option_is_none():
    assert use("git clean -n --frobnicate -fd").deletes == (".",)


def test_flags_have_their_longest_names():
    assert use("git push -f").flags == use("git push --force").flags == ("--force",)
    assert use("git -C x push -fu origin main").flags == ("-C", "--force", "--set-upstream")


def test_options_are_left_out_of_the_operands():
    assert use("git -C /r -c a.b=c push --repo=x origin main").operands == ("push", "origin", "main")
    assert use("docker --host ssh://h container rm -f web").operands == ("container", "rm", "web")


def test_a_flag_that_is_given_as_false_counts_for_nothing():
    assert "git/force-publishes" not in use("git push --force=false").traits


@pytest.mark.parametrize(
    "name", ["python3.11", "python3", "/usr/bin/python", "pypy3", "python.exe", "C:\\Python\\python.exe"]
)
def test_versions_directories_and_suffixes_are_no_part_of_a_name(name):
    assert use_of_program(name, ("-c", "x")).runs == (Nested("code:python", ("x",)),)


def test_a_name_that_is_not_known_in_full_is_no_program():
    assert not use_of_program("\0rm", ("x",)).known
    assert not use_of_program("r\0", ("x",)).known


@pytest.mark.parametrize(
    ("command", "acts"),
    [
        ("heroku apps:destroy -a prod", True),
        ("heroku apps:destroy -a prod -- --dry-run", True),
        ("heroku apps:destroy -a prod -- --help", True),
        ("heroku apps:destroy -a --dry-run", True),
        ("heroku apps:destroy -a prod --dry-run", False),
        ("puppet agent --environment --noop", True),
        ("puppet agent --noop", False),
        ("puppet agent --test --noop", False),
        ("puppet agent --verbose --noop", False),
        ("cog bump --hook-profile --dry-run", True),
        ("cog bump --auto --dry-run", False),
        ("puppet agent -x --noop", True),
    ],
)
def test_a_rehearsal_counts_only_where_it_cannot_be_another_word(command, acts):
    """Behind `--`, and as the value of an option before it, `--dry-run` is a word like any other."""
    assert ("read-only" not in use(command).traits) == acts


@pytest.mark.parametrize(
    "command", ["mkfs.fat -n /dev/sdb1", "mkfs.ext4 -L /dev/sdb1", "mkswap -L /dev/sdb1 /dev/sdc1"]
)
def test_a_disk_is_written_by_what_formats_disks_also_as_the_value_of_an_option(command):
    assert "/dev/sdb1" in use(command).writes


def test_a_disk_as_a_value_is_not_written_by_other_programs():
    assert use("lsblk -o /dev/sdb1").writes == ()
