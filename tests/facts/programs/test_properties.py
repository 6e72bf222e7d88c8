"""What holds for every command."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from interlock.facts.programs import TRAITS, known_programs, use_of_program
from tests.facts.programs.reading import use

NAMES = sorted(known_programs())
WORDS = st.one_of(
    st.sampled_from([
        "-r", "-f", "-rf", "--force", "--recursive", "--", "-", "", "\0", "a\0", "\0b", "x", "./x", "/etc/passwd",
            "~", "*.txt", "a=b", "of=/dev/sda", "-o", "--output=x",
        "{}", ";", "+", "-exec", "push", "run", "exec", "install", "s3", "cp", "rm", "get", "delete", "-c", "-e",
            "-n", "--dry-run", "--help", "https://a.b/c", "h:p", ":::", "+x", "-C", "-X", "POST",
    ]),
    st.text(max_size=8),
)  # fmt: skip
ARGS = st.lists(WORDS, max_size=7).map(tuple)


@given(st.sampled_from(NAMES) | st.text(max_size=6), ARGS)
@example("git", ("-c", "alias.", "x"))
@example("tar", ("f",))
@example("tmux", ("send-keys",))
def test_nothing_makes_it_fail(name, args):
    found = use_of_program(name, args)
    assert found.traits <= set(TRAITS)
    assert all(
        isinstance(word, str) for words in (found.reads, found.writes, found.deletes, found.operands) for word in words
    )
    assert all(nested.words for nested in found.runs)


@given(st.sampled_from(NAMES), ARGS, st.integers(0, 7))
def test_an_unknown_option_never_makes_a_form_read_only(name, args, at):
    before = use_of_program(name, args)
    after = use_of_program(name, (*args[:at], "--frobnicate-qqq", *args[at:]))
    if "read-only" not in before.traits and "--frobnicate-qqq" in after.unknown:
        assert "read-only" not in after.traits


DELETERS = st.sampled_from(
    ["rm", "rm -rf", "rm -r --force", "rmdir", "unlink", "trash", "git rm -f", "git worktree remove", "rm -fv"]
)
PATHS = st.lists(st.sampled_from(["x", "./x", "/", "~/a", "../b", "*.o", "a b", "\0", "a\0b"]), min_size=1, max_size=4)


@given(DELETERS, PATHS)
def test_every_operand_of_a_deleting_program_is_deleted(command, paths):
    name, *args = command.split()
    assert set(paths) <= set(use_of_program(name, (*args, *paths)).deletes)


@given(st.permutations(["-r", "-f", "-v", "x", "y"]))
def test_the_order_of_options_and_operands_does_not_matter(words):
    found = use_of_program("rm", tuple(words))
    assert set(found.deletes) == {"x", "y"}
    assert set(found.flags) == {"--recursive", "--force", "--verbose"}


@given(ARGS)
def test_a_command_is_never_dropped_behind_a_wrapper(args):
    for wrapper in (("sudo",), ("env", "A=b"), ("nohup",), ("timeout", "5"), ("nice", "-n", "5"), ("time",)):
        found = use_of_program(wrapper[0], (*wrapper[1:], "rm", *args))
        assert ("rm", *args) in [nested.words for nested in found.runs]


def test_a_long_command_is_read_in_one_pass():
    found = use("rm " + "x " * 20_000)
    assert len(found.deletes) == 20_000
