"""YAML with a place for every value, and what is refused, in words that name the cure."""

import pytest
from inline_snapshot import snapshot

from interlock.errors import InterlockError, Source
from interlock.policy.positions import MOST_ERRORS, Document, LocatedErrors, Node, read_yaml


def read(text: bytes | str) -> Document:
    return read_yaml(text, "p.yaml")


def plain(text: bytes | str):
    return read(text).root.plain()


def errors(text: bytes | str) -> LocatedErrors:
    with pytest.raises(LocatedErrors) as caught:
        read(text)
    return caught.value


def refusal(text: bytes | str) -> str:
    return errors(text).render()


def brief(text: bytes | str) -> list[str | None]:
    """Each error as its place and message, then its cure, for tables."""
    found: list[str | None] = []
    for error in errors(text).errors:
        assert error.source is not None
        found += [f"{error.source.line}:{error.source.column} {error.message}", error.help]
    return found


# Values


def test_plain_scalars_mean_what_yaml_1_2_says():
    text = """\
    bools: [true, True, TRUE, false, False, FALSE]
    nulls: [null, Null, NULL, ~]
    empty:
    ints: [0, -1, +7, 010, 0o17, 0xfF]
    floats: [1.5, -.5, 1e3, 2.]
    texts: [1_000, 12:30:45, 2026-11-16, 2026-11-16T10:00:00Z, 0b1, 1.2.3, tRue, -x, ...]
    """
    assert plain(text) == {
        "bools": [True, True, True, False, False, False],
        "nulls": [None] * 4,
        "empty": None,
        "ints": [0, -1, 7, 10, 15, 255],
        "floats": [1.5, -0.5, 1000.0, 2.0],
        "texts": ["1_000", "12:30:45", "2026-11-16", "2026-11-16T10:00:00Z", "0b1", "1.2.3", "tRue", "-x", "..."],
    }


def test_every_key_is_the_text_that_was_written():
    assert plain("1: a\ntrue: b\nnull: c\nyes: d\n2026-11-16: e\n'<<': f\n\"${x}\": g") == {
        "1": "a", "true": "b", "null": "c", "yes": "d", "2026-11-16": "e", "<<": "f", "${x}": "g",
    }  # fmt: skip


def test_a_scalar_tells_how_it_was_written():
    root = read("- a\n- 'a'\n- \"a\"\n- |\n  a\n- >\n  a\n- [a]\n- yes it is\n- 'yes'").root
    assert [node.style for node in root.value] == [
        "plain", "quoted", "quoted", "block", "block", "", "plain", "quoted",
    ]  # fmt: skip


def test_block_texts_comments_and_one_document_marker_are_fine():
    assert plain("---\na: |\n  one\n  # two\n\nb: x # a comment\nc: 5 #five\nd: a#b\n...\n") == {
        "a": "one\n# two\n", "b": "x", "c": 5, "d": "a#b",
    }  # fmt: skip


# Places


def test_values_and_keys_know_their_line_and_column():
    root = read("a: 1\nb:\n  - c: x\n    d: [w, {e: z}]\n").root
    rule = root.value["b"].value[0]
    assert root.keys == {"a": Source("p.yaml", 1, 1), "b": Source("p.yaml", 2, 1)}
    assert rule.source == Source("p.yaml", 3, 5)
    assert rule.keys["d"] == Source("p.yaml", 4, 5)
    assert rule.value["d"].value[1].value["e"].source == Source("p.yaml", 4, 16)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_count_characters_whatever_the_bytes_and_line_ends(newline):
    text = newline.join(["é😀: é x", 'b: {"😀é": ü}', "c: |", "  é😀z", "d: yes"])
    found = errors(text.encode()).errors[0]
    assert (found.source, found.line) == (Source("p.yaml", 5, 4), "d: yes")
    document = read(text.replace("yes", "'yes'").encode())
    assert document.root.value["é😀"].source == Source("p.yaml", 1, 5)
    assert document.root.value["b"].value["😀é"].source == Source("p.yaml", 2, 11)
    assert document.root.value["c"].offset(2) == Source("p.yaml", 4, 5)
    assert document.lines == ("é😀: é x", 'b: {"😀é": ü}', "c: |", "  é😀z", "d: 'yes'")


OFFSETS = {
    "plain": "k: one two",
    "single-quoted": "k: 'one two'",
    "a doubled quote": "k: 'it''s two'",
    "double-quoted": 'k: "one two"',
    "escapes": r'k: "a\n\"two\" \\ \t/"',
    "plain over lines": "k: one\n   and\n\n\n  two",
    "quoted over lines": 'k: "one  \n   and\n\n\n  two"',
    "literal": "k: |\n    one\n      more\n\n    two\n",
    "literal with an indicator": "k: |2-\n    one\n   two",
    "folded": "k: >-\n  one\n  and\n\n  two",
    "in a list": "- k: [one two]",
}


@pytest.mark.parametrize("name", OFFSETS)
def test_a_place_inside_a_text_is_the_place_of_that_character(name):
    document = read(OFFSETS[name])
    node = document.root
    while not isinstance(node.value, str):
        node = node.value["k"] if isinstance(node.value, dict) else node.value[0]
    for at, char in enumerate(node.value):
        _, line, column = node.offset(at)
        here = document.lines[line - 1][column - 1 : column]
        assert here in (char, "\\") or char in " \n", (at, char, here)
        assert (line, column) != node.source[1:] or at == 0


def test_a_place_that_is_hidden_is_the_start_of_the_text():
    node = read(r'k: "\x41 b"').root.value["k"]
    assert node.offset(2) == node.source
    assert read("k: 5").root.value["k"].offset(3) == Source("p.yaml", 1, 4)
    assert Node("text", Source("p.yaml", 9, 9), "quoted").offset(2) == Source("p.yaml", 9, 9)
    assert node.offset(99) == node.offset(-1) == node.source


def test_a_document_makes_errors_that_show_its_lines():
    document = read("version: 1\nrlues: []\n")
    assert document.error(
        "unknown key `rlues`", document.root.keys["rlues"], "did you mean `rules`?"
    ).render() == snapshot("""\
error: unknown key `rlues`
 --> p.yaml:2:1
  |
2 | rlues: []
  | ^
help: did you mean `rules`?\
""")


# Errors as a whole


def test_all_errors_of_a_file_come_in_one_run_sorted_by_line():
    text = 'a: yes\nb: &x 1\nc: Not now: later\nd: {e: ${f}, g: ${h["i"]}/j}\ntool: *\nwhen: !x && y\na: 2\ni: %j\n'
    assert refusal(text) == snapshot("""\
error: `yes` is text in YAML 1.2
 --> p.yaml:1:4
  |
1 | a: yes
  |    ^
help: write `true`, or quote it: `"yes"`

error: `&x` is an anchor, and anchors are not read
 --> p.yaml:2:4
  |
2 | b: &x 1
  |    ^
help: write the value out where it is used, or quote it if it is text

error: `: ` inside a plain text starts a new key
 --> p.yaml:3:11
  |
3 | c: Not now: later
  |           ^
help: quote it: `c: "Not now: later"`

error: `${…}` unquoted between brackets: YAML takes its `{` for a map
 --> p.yaml:4:8
  |
4 | d: {e: ${f}, g: ${h["i"]}/j}
  |        ^
help: quote it: `"${f}"`

error: `${…}` unquoted between brackets: YAML takes its `{` for a map
 --> p.yaml:4:17
  |
4 | d: {e: ${f}, g: ${h["i"]}/j}
  |                 ^
help: quote it: `'${h["i"]}/j'`

error: a plain text cannot start with `*`: YAML reads `*` as an alias
 --> p.yaml:5:7
  |
5 | tool: *
  |       ^
help: quote it: `tool: "*"`

error: a plain text cannot start with `!`: YAML reads `!x` as a tag
 --> p.yaml:6:7
  |
6 | when: !x && y
  |       ^
help: quote it: `when: "!x && y"`

error: duplicate key `a`: it already stands on line 1
 --> p.yaml:7:1
  |
7 | a: 2
  | ^
help: remove one of the two

error: a plain text cannot start with `%`
 --> p.yaml:8:4
  |
8 | i: %j
  |    ^
help: quote it: `i: "%j"`

9 errors\
""")


def test_one_error_stands_alone_and_several_are_counted():
    assert refusal("a: yes") == snapshot("""\
error: `yes` is text in YAML 1.2
 --> p.yaml:1:4
  |
1 | a: yes
  |    ^
help: write `true`, or quote it: `"yes"`\
""")
    both = errors("a: yes\nb: no\n")
    assert both.render().endswith("\n\n2 errors")
    assert (
        both.in_one_line() == '`yes` is text in YAML 1.2 [p.yaml:1:4]; write `true`, or quote it: `"yes"` (and 1 more)'
    )


def test_errors_of_several_files_stay_together():
    places = [Source("b", 9), Source("a", 2), Source("b", 1)]
    listed = LocatedErrors([InterlockError("x", place) for place in places])
    assert [error.source for error in listed.errors] == [Source("b", 1), Source("b", 9), Source("a", 2)]


def test_a_hopeless_file_is_left_after_fifty_errors():
    found = errors("- yes\n" * 1000)
    assert len(found.errors) == MOST_ERRORS
    assert found.render().endswith("not all of the file could be read; 50 errors")


def test_a_very_long_line_is_shown_cut_or_not_at_all():
    assert errors("a: yes" + " " * 1000).errors[0].line == "a: yes" + " " * 234 + "…"
    assert errors("a: " + " " * 1000 + "yes").errors[0].line is None


# The traps


TRAPS = {
    "not": "when: !x",
    "not, and": "- when: !x && y",
    "not, or": "when: !x || y  # z",
    "not, called": 'when: !has(x["y"])',
    "star": "tool: *",
    "star path": "path: **/x",
    "star key": "*.py: x",
    "star in a list": "[a, *, b]",
    "colon": "deny: Not now: later",
    "colon after a dash": "- deny: a: b # c",
    "colon in a map": "{deny: Not now: later}",
    "colon in a list": "catch: [ls, echo a: b]",
    "hash": "deny: Push to #main",
    "hash alone": "notify: #ops",
    "hash in a list": "[a #b\n]",
    "placeholder in a map": "{a: ${x}}",
    "placeholder in a list": 'a: [b, c/${x["y"]}/d, e]',
    "percent": "a: %x",
    "at": "a: @x y",
    "backtick": "a: `x` is closed",
    "bar": "a: |x",
    "ampersands": "a: && b",
    "question": "a: ? b",
    "dash": "a: - b",
    "bracket": "a: ]",
    "text after a quote": 'when: "x" in [1, 2]',
    "apostrophe": "deny: 'don't'",
    "text after a list": "when: [1].exists(x, x > 1)",
    "open quote": 'a: "x\nb: 1',
    "open quote, closed later": 'a: "x\nb: "y"',
    "escape": r'a: "\d+"',
    "open list": "a: [b, c\nd: e",
    "open map": "a: {b: c",
    "wrong bracket": "a: [b}",
    "no space after a colon": "version: 1\ndeny:no",
    "no colon": "version: 1\nrules\n",
    "no colon above a list": "rules\n  - id: x",
    "indented under a value": "a: b\n  c: d",
    "out of line": "a:\n    b: 1\n  c: 2",
    "key among items": "- a\nb: 1",
    "braces": "deny: {{x}}",
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_of_yaml_is_named_with_its_cure(name):
    assert brief(TRAPS[name]) == EXPECTED_TRAPS[name]


EXPECTED_TRAPS = snapshot(
    {
        "not": ["1:7 a plain text cannot start with `!`: YAML reads `!x` as a tag", 'quote it: `when: "!x"`'],
        "not, and": ["1:9 a plain text cannot start with `!`: YAML reads `!x` as a tag", 'quote it: `when: "!x && y"`'],
        "not, or": ["1:7 a plain text cannot start with `!`: YAML reads `!x` as a tag", 'quote it: `when: "!x || y"`'],
        "not, called": [
            "1:7 a plain text cannot start with `!`: YAML reads `!has(x` as a tag",
            "quote it: `when: '!has(x[\"y\"])'`",
        ],
        "star": ["1:7 a plain text cannot start with `*`: YAML reads `*` as an alias", 'quote it: `tool: "*"`'],
        "star path": [
            "1:7 a plain text cannot start with `*`: YAML reads `**/x` as an alias",
            'quote it: `path: "**/x"`',
        ],
        "star key": ["1:1 a plain text cannot start with `*`: YAML reads `*.py` as an alias", 'quote it: `"*.py"`'],
        "star in a list": ["1:5 a plain text cannot start with `*`: YAML reads `*` as an alias", 'quote it: `"*"`'],
        "colon": ["1:14 `: ` inside a plain text starts a new key", 'quote it: `deny: "Not now: later"`'],
        "colon after a dash": ["1:10 `: ` inside a plain text starts a new key", 'quote it: `deny: "a: b"`'],
        "colon in a map": ["1:15 `: ` inside a plain text starts a new key", 'quote it: `"Not now: later"`'],
        "colon in a list": [
            "1:19 `: ` inside a plain text makes this list item a map",
            'quote it: `"echo a: b"`, or write `{key: value}` for a map',
        ],
        "hash": [
            "1:15 YAML reads `#main` as a comment",
            'quote it: `deny: "Push to #main"`, or put a space after the `#` of a comment',
        ],
        "hash alone": [
            "1:9 YAML reads `#ops` as a comment, so the value is empty",
            'quote it: `notify: "#ops"`, or put a space after the `#` of a comment',
        ],
        "hash in a list": [
            "1:4 YAML reads `#b` as a comment",
            "put the text in quotes, or put a space after the `#` of a comment",
        ],
        "placeholder in a map": [
            "1:5 `${…}` unquoted between brackets: YAML takes its `{` for a map",
            'quote it: `"${x}"`',
        ],
        "placeholder in a list": [
            "1:10 `${…}` unquoted between brackets: YAML takes its `{` for a map",
            "quote it: `'c/${x[\"y\"]}/d'`",
        ],
        "percent": ["1:4 a plain text cannot start with `%`", 'quote it: `a: "%x"`'],
        "at": ["1:4 a plain text cannot start with `@`", 'quote it: `a: "@x y"`'],
        "backtick": ["1:4 a plain text cannot start with a backtick", 'quote it: `a: "`x` is closed"`'],
        "bar": ["1:4 a plain text cannot start with `|`: YAML reads it as a block of text", 'quote it: `a: "|x"`'],
        "ampersands": ["1:4 a plain text cannot start with `&`: YAML reads `&&` as an anchor", 'quote it: `a: "&& b"`'],
        "question": ["1:4 a plain text cannot start with `?`: YAML reads it as a key", 'quote it: `a: "? b"`'],
        "dash": ["1:4 a list cannot start on its key's line", "put each `- ` on a line of its own, or quote the text"],
        "bracket": ["1:4 a plain text cannot start with `]`", 'quote it: `a: "]"`'],
        "text after a quote": ["1:11 text goes on after the closing quote", "quote it: `when: '\"x\" in [1, 2]'`"],
        "apostrophe": ["1:12 text goes on after the closing quote", 'quote it: `deny: "don\'t"`'],
        "text after a list": ["1:10 text goes on after the closing `]`", "quote it if it is text"],
        "open quote": ["1:4 the quote opened here is never closed", 'close it with `"`'],
        "open quote, closed later": [
            "1:4 the quote opened here closes only on line 2, before other text",
            "close it where its text ends",
        ],
        "escape": [
            "1:5 `\\d` does not start an escape that YAML knows",
            "double the backslash, or use single quotes, where it means itself",
        ],
        "open list": ["1:4 the `[` opened here is not closed", "close it with `]`"],
        "open map": ["1:4 the `{` opened here is not closed", "close it with `}`"],
        "wrong bracket": ["1:6 `}` closes the `[` of line 1", "close it with `]`"],
        "no space after a colon": ["2:1 a space is missing after `deny:`", "write `deny: no`"],
        "no colon": [
            "2:1 `rules` is neither a key nor a list item",
            "write `rules:`, or indent it deeper if it continues the text above",
        ],
        "no colon above a list": [
            "1:1 `rules` is neither a key nor a list item",
            "write `rules:`, or indent it deeper if it continues the text above",
        ],
        "indented under a value": [
            "2:3 `c:` cannot stand here: the value above it is not finished",
            "indent it like the keys around it, or quote the text above if it goes on here",
        ],
        "out of line": ["3:3 `c: 2` does not line up with the lines above it", "indent it exactly like one of them"],
        "key among items": [
            "2:1 `b: 1` stands among list items but is none",
            "indent it deeper, or make it one of the list items that start on line 1",
        ],
        "braces": ["1:8 a list or map cannot be a key", "quote it if it is text"],
    }
)


def test_the_traps_are_shown_with_line_and_caret():
    assert refusal("when: !x") == snapshot("""\
error: a plain text cannot start with `!`: YAML reads `!x` as a tag
 --> p.yaml:1:7
  |
1 | when: !x
  |       ^
help: quote it: `when: "!x"`\
""")
    assert refusal("deny: Push to #main") == snapshot("""\
error: YAML reads `#main` as a comment
 --> p.yaml:1:15
  |
1 | deny: Push to #main
  |               ^
help: quote it: `deny: "Push to #main"`, or put a space after the `#` of a comment\
""")
    assert refusal("{a: ${x}}") == snapshot("""\
error: `${…}` unquoted between brackets: YAML takes its `{` for a map
 --> p.yaml:1:5
  |
1 | {a: ${x}}
  |     ^
help: quote it: `"${x}"`\
""")


@pytest.mark.parametrize("word", ["yes", "No", "ON", "off", "y", "N"])
def test_a_former_boolean_is_refused_as_a_plain_value_only(word):
    cure = "true" if word.lower() in ("yes", "on", "y") else "false"
    assert brief(f"a: {word}") == [f"1:4 `{word}` is text in YAML 1.2", f'write `{cure}`, or quote it: `"{word}"`']
    assert plain(f"{word}: '{word}'\nb: {word} then") == {word: word, "b": f"{word} then"}


def test_a_comment_with_a_space_behind_its_hash_is_one():
    assert plain("a: x # y\nb: [z, # w\n  v]\nc: #\n") == {"a": "x", "b": ["z", "v"], "c": None}
