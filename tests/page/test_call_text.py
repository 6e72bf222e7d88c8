"""How a call is shown: what changed word by word, what a rule quotes, and signs that would deceive."""

from __future__ import annotations

import pytest

from interlock.page.call_text import Piece, editable_text, input_from, pieces_of, text_of_call


def marked(pieces: list[Piece]) -> str:
    """The pieces as text: [-taken out-], [+put in+], [!quoted!]."""
    signs = {"del": "-", "ins": "+", "mark": "!"}
    return "".join(f"[{signs[one.kind]}{one.text}{signs[one.kind]}]" if one.kind else one.text for one in pieces)


@pytest.mark.parametrize(
    ("wrote", "runs", "before", "after"),
    [
        ("sudo npm install", "npm install", "[-sudo -]npm install", "npm install"),
        ("npm test", "npm test --silent", "npm test", "npm test[+ --silent+]"),
        ("rm a", "rm b", "rm [-a-]", "rm [+b+]"),
        ("same", "same", "same", "same"),
        ("", "x", "", "[+x+]"),
    ],
)
def test_what_changed_is_marked_by_word(wrote, runs, before, after):
    assert marked(pieces_of(wrote, runs, "before", [])) == before
    assert marked(pieces_of(runs, wrote, "after", [])) == after


def test_what_a_reason_quotes_is_marked_where_it_would_run():
    text = "git fetch && git reset --hard x"
    assert marked(pieces_of(text, None, "after", ["`git reset --hard x` throws away work."])) == (
        "git fetch\n  && [!git reset --hard x!]"
    )


def test_a_line_is_broken_before_what_joins_commands_and_a_text_of_several_lines_stays():
    assert marked(pieces_of("a && b | c ; d || e", None, "after", [])) == "a\n  && b\n  | c\n  ; d\n  || e"
    assert marked(pieces_of("a && b\nc", None, "after", [])) == "a && b\nc"


def test_a_very_long_text_is_not_compared_word_by_word():
    long = "word " * 5000
    assert pieces_of(long, f"{long}x", "before", []) == [Piece(long)]


def test_other_tools_are_shown_field_by_field():
    given = {"file_path": "/x", "content": "a\nb", "more": {"n": 1}}
    assert text_of_call("Write", given) == 'file_path: /x\ncontent: \na\nb\nmore: {"n":1}'
    assert text_of_call("mcp__x__y", {}) == "(no input)"


def test_signs_that_hide_or_turn_text_are_written_out():
    assert text_of_call("Bash", {"command": "echo \x1b[2K\u202eabc\u200b"}) == r"echo \x1b[2K\u202eabc\u200b"


@pytest.mark.parametrize(
    ("tool", "given", "text", "found"),
    [
        ("Bash", {"command": "a", "description": "d"}, "b", {"command": "b", "description": "d"}),
        ("Bash", {"command": "a"}, "  ", None),
        ("Bash", {"command": "a", "timeout": 5}, '{"command": "b"}', {"command": "b"}),
        ("pay", {"amount": 5}, '{"amount": 4}', {"amount": 4}),
        ("pay", {"amount": 5}, "4", None),
        ("pay", {"amount": 5}, "{", None),
        ("pay", {"amount": 5}, "[]", None),
    ],
)
def test_an_edited_text_becomes_an_input_or_nothing(tool, given, text, found):
    assert input_from(tool, given, text) == found


def test_of_a_shell_call_the_command_alone_is_edited():
    assert editable_text("Bash", {"command": "a", "description": "d"}) == ("a", False)
    assert editable_text("pay", {"amount": 5}) == ('{\n  "amount": 5\n}', True)
