"""Inline shell in skills and slash commands: what the host runs is told, with its arguments in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.inline import UNKNOWN, Inline, frontmatter, inline_commands
from interlock.facts.limits import INLINE

HEAD = "---\nallowed-tools: Bash(*)\n---\n"


def commands(text: str, args: str = "", **values: str) -> list[str]:
    return [inline.command for inline in inline_commands(text, args, values)]


# --- where a command stands --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "!`touch x`",
        "words !`touch x` words",
        " - !`touch x`",
        "> !`touch x`",
        "    !`touch x`",
        "```\n!`touch x`\n```",
        "```bash\n !`touch x`\n```",
        "`` !`touch x` ``",
        "<!-- !`touch x` -->",
        "```!\ntouch x\n```",
        "```!touch x```",
        "words ```! touch x ``` words",
        "\u00a0!`touch x`",
        "x\u2028!`touch x`",
        "x\x0b!`touch x`",
        "x\ufeff!`touch x`",
        "\ufeff!`touch x`",
        "x\r!`touch x`",
        "---\nallowed-tools: Bash(*)\n---!`touch x`",
        "---\nallowed-tools: Bash(*)\n--- !`touch x`",
        "---\r\nallowed-tools: Bash(*)\r\n---\r\n!`touch x`\r\n",
        "$ARGUMENTS!`touch x`",
    ],
)
def test_a_command_that_the_host_was_seen_to_run_is_told(text: str):
    assert commands(text) == ["touch x"]


@pytest.mark.parametrize(
    "text",
    [
        "word!`touch x`",
        "(!`touch x`)",
        '"!`touch x`"',
        "\\!`touch x`",
        "|!`touch x`|",
        "! `touch x`",
        "!``touch x``",
        "!` `",
        "``` !\ntouch x\n```",
        "```bash!\ntouch x\n```",
        "~~~!\ntouch x\n~~~",
        "`touch x`",
        "```\ntouch x\n```",
        "use `vec!` and `println!` here",
        "@notes.md",
    ],
)
def test_what_only_looks_like_one_is_not(text: str):
    assert commands(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`code !`touch x` y`", "touch x"),
        ("---\ndescription: !`touch x`\n---\n", "touch x"),
        ("${CLAUDE_EFFORT}!`touch x`", "touch x"),
        ("```!bash\ntouch x\n```", "bash\ntouch x"),
    ],
)
def test_what_the_host_may_or_may_not_run_is_told(text: str, found: str):
    assert commands(text) == [found]


def test_a_fence_that_opens_above_the_body_hides_none_in_it():
    text = "---\ndescription: '```!'\n---\n```!\ntouch x\n```\n"
    assert "touch x" in commands(text)


def test_a_mark_inside_a_command_is_a_mark_too():
    assert commands("!` !`touch x`") == ["!", "touch x"]


def test_a_command_of_several_lines_is_one():
    assert commands("!`touch x\r\ntouch y`") == ["touch x\ntouch y"]


def test_commands_are_told_in_order_with_their_lines_and_each_once():
    text = HEAD + "a !`one`\n```!\ntwo\n```\n!`three` !`one`"
    assert inline_commands(text) == (Inline("one", 4), Inline("two", 5), Inline("three", 8))


def test_more_commands_than_anybody_judges_are_not_all_told():
    assert len(commands("\n".join(f"!`c{number}`" for number in range(INLINE.most + 5)))) == INLINE.most


# --- arguments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "args", "run"),
    [
        ("e $ARGUMENTS", "foo bar", "e foo bar"),
        ("e $ARGUMENTS", "x; touch y", "e x; touch y"),
        ("e $0 $1", "foo bar", "e foo bar"),
        ("e $ARGUMENTS[1]", "foo bar", "e bar"),
        ("e [$0] [$1]", "'a b' \"c d\"", "e [a b] [c d]"),
        ("e $2 $10 $ARGUMENTS[9]", "foo bar", "e $2 $10 $ARGUMENTS[9]"),
        ("e $1x ${1} $$ ${ARGUMENTS}", "foo bar", "e $1x ${1} $$ ${ARGUMENTS}"),
        ("e \\$1 \\$ARGUMENTS", "foo bar", "e $1 $ARGUMENTS"),
        ("e \\\\$1", "foo bar", "e \\\\bar"),
        ("e $ARGUMENTS", "", "e"),
        ("e $0", "", "e $0"),
    ],
)
def test_arguments_are_put_in_as_the_host_does(written: str, args: str, run: str):
    assert commands(f"!`{written}`", args) == [run]


@pytest.mark.parametrize("named", ["[first, second]", "first second", "\n- first\n- second"])
def test_named_arguments_are_put_in_by_their_place(named: str):
    text = f"---\narguments: {named}\n---\n!`e $first-$second $firstx $third`"
    assert commands(text, "foo bar") == ["e foo-bar $firstx $third"]
    assert commands(text, "foo") == ["e foo- $firstx $third"]


def test_a_name_that_is_only_hinted_at_is_the_shells():
    assert commands("---\nargument-hint: '[first]'\n---\n!`e $first`", "foo") == ["e $first"]


@pytest.mark.parametrize("args", ["x;y z", "a\\ b", "$HOME", "*.py", "it's"])
def test_arguments_that_may_be_split_otherwise_leave_something_unknown(args: str):
    (inline,) = inline_commands("!`e $0`", args)
    assert inline.unknown
    assert not inline_commands("!`e $ARGUMENTS`", args)[0].unknown


def test_names_that_cannot_be_read_leave_something_unknown():
    assert commands("---\narguments: &a [x]\nmore: *a\n---\n!`e $x`", "foo") == [f"e {UNKNOWN}"]
    assert commands("---\nmore: *a\n---\n!`e $x`", "foo") == ["e $x"]


def test_a_mark_in_the_arguments_is_told_for_hosts_that_obey_it():
    assert commands("do $ARGUMENTS", "!`touch y`") == ["touch y"]
    assert commands("do nothing", "!`touch y`") == ["touch y"]


def test_a_backtick_in_the_arguments_ends_the_command_it_stands_in():
    assert commands("do !`e $ARGUMENTS` here", "x` !`touch y`") == ["e x", "touch y"]


def test_known_values_are_put_in_and_options_of_a_plugin_are_unknown():
    text = "!`${CLAUDE_SKILL_DIR}/run ${HOME} ${user_config.token}`"
    assert commands(text, CLAUDE_SKILL_DIR="/s") == [f"/s/run ${{HOME}} {UNKNOWN}"]


def test_a_nul_in_a_file_is_nothing_unknown():
    assert commands("!`a\0b`") == ["a\ufffdb"]


# --- frontmatter -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "fields"),
    [
        ("name: w\nskills: [a, b]", {"name": "w", "skills": ["a", "b"]}),
        ("Name: w\nskills:\n- a\n", {"name": "w", "skills": ["a"]}),
        ("hooks: {a: [{skills: x}]}\nname: w", {"hooks": ["a"], "name": "w"}),
        ("", {}),
    ],
)
def test_frontmatter_is_read_as_yaml(above: str, fields: dict[str, object]):
    found = frontmatter(f"---\n{above}\n---\nbody")
    assert (found.fields, found.sure) == (fields, True)


def test_frontmatter_that_is_no_yaml_is_read_line_by_line():
    found = frontmatter("---\nname: 'w'\ndescription: Use it: now: so\nskills:\n  - a\n  - b\ntools: [x, \"y\"]\n---\n")
    listed = {"name": "w", "description": "Use it: now: so", "skills": ["a", "b"], "tools": ["x", "y"]}
    assert (found.fields, found.sure) == (listed, False)


@pytest.mark.parametrize("nested", ["[" * 30_000, "- " * 15_000, "{a: " * 8_000, "? " * 15_000, "a: &x b\nc: *x"])
def test_frontmatter_that_is_nested_without_end_or_refers_to_itself_is_not_sure(nested: str):
    assert not frontmatter(f"---\n{nested}\n---\n").sure


def test_a_text_without_frontmatter_has_none():
    assert frontmatter("body\n---\nname: x\n---\n").fields == {}


# --- any text ----------------------------------------------------------------------------------------------

pieces = st.lists(
    st.sampled_from(["!", "`", "```", "\n", " ", "x", "$0", "$ARGUMENTS", "---", "arguments: x", "\\", "\0"])
)


@given(pieces.map("".join), pieces.map("".join))
def test_any_text_can_be_read(text: str, args: str):
    assert all(inline.command.strip() for inline in inline_commands(text, args))


@given(pieces.map("".join), pieces.map("".join))
def test_nothing_before_or_behind_a_command_on_a_line_of_its_own_hides_it(before: str, behind: str):
    assert any("touch z" in command for command in commands(f"{before}\n!`touch z`\n{behind}"))
