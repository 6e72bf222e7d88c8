"""Errors that point at what a person wrote."""

from inline_snapshot import snapshot

from interlock.errors import InterlockError, Source, suggest


def test_an_error_shows_what_where_the_line_and_the_cure():
    error = InterlockError(
        "unknown key `whne` in rule `git.force-push`",
        Source("interlock.yaml", 5, 5),
        help="did you mean `when`?",
        line="    whne: input.x > 1",
    )
    assert error.render() == snapshot("""\
error: unknown key `whne` in rule `git.force-push`
 --> interlock.yaml:5:5
  |
5 |     whne: input.x > 1
  |     ^
help: did you mean `when`?\
""")
    assert error.in_one_line() == snapshot(
        "unknown key `whne` in rule `git.force-push` [interlock.yaml:5:5]; did you mean `when`?"
    )


def test_parts_that_are_not_known_are_left_out():
    assert InterlockError("no policy").render() == "error: no policy"
    assert InterlockError("no policy", Source("a.yaml", 3)).render() == "error: no policy\n --> a.yaml:3"
    assert InterlockError("no policy").in_one_line() == "no policy"


def test_the_caret_stands_under_its_column_behind_a_tab():
    error = InterlockError("tab", Source("a.yaml", 10, 2), line="\tx: 1")
    assert error.render().splitlines()[2:] == ["   |", "10 | \tx: 1", "   | \t^"]


def test_a_near_word_is_suggested_and_a_far_one_is_not():
    known = ["when", "unless", "deny"]
    assert suggest("whne", known) == "when"
    assert suggest("Deny", known) == "deny"
    assert suggest("unles", known) == "unless"
    assert suggest("banana", known) is None
    assert suggest("x", []) is None
