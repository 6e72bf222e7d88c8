"""What a policy file may not hold, and that any text is read or refused in words."""

import json
import re

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock.policy.positions import MOST_BYTES, Document, LocatedErrors, Node
from tests.policy.test_positions import brief, errors, plain, read, refusal

# What is refused


REFUSED: dict[str, bytes | str] = {
    "anchor": "a: &x 1",
    "anchor on a map": "a: &x\n  b: 1",
    "alias": "a: *x",
    "merge": "a:\n  <<: {b: 1}",
    "tag": "a: !!str 1",
    "tag on a list": "a: !!set [b]",
    "duplicate": "a: 1\nb: 2\na: 3",
    "duplicate by text": "1: a\n'1': b",
    "list as a key": "? [a]\n: b",
    "tab": "a:\n\tb: 1",
    "tab after a dash": "-\ta",
    "mark": "\ufeffa: yes",
    "mark in bytes": b"\xef\xbb\xbfa: 1",
    "utf-16": "a: 1".encode("utf-16"),
    "nul": "a: x\0y\nb: yes",
    "escape character": "a: \x1b[31m",
    "separator": "a: x\u2028b: y",
    "not utf-8": b"a: \xe9\nb: caf\xc3\xa9\nc: yes",
    "surrogate": "a: \ud83d",
    "escaped surrogate": r'a: "\ud83d"',
    "documents": "a: 1\n---\nb: 2",
    "documents without a marker": "a: 1\n...\nb: 2",
    "directive": "# x\n%YAML 1.2\n---\na: yes",
    "late directive": "a: 1\n%TAG ! x",
    "empty": "",
    "only a comment": "# x\n\n",
    "only a marker": "---\n",
    "infinite": "a: -.inf",
    "no number": "a: .nan",
    "too large": "a: 1e999",
    "over 64 bits": "a: 9223372036854775808",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_policy_does_not_need_is_refused_with_a_sentence(name):
    assert brief(REFUSED[name]) == EXPECTED_REFUSALS[name]


EXPECTED_REFUSALS = snapshot(
    {
        "anchor": [
            "1:4 `&x` is an anchor, and anchors are not read",
            "write the value out where it is used, or quote it if it is text",
        ],
        "anchor on a map": [
            "1:4 `&x` is an anchor, and anchors are not read",
            "write the value out where it is used, or quote it if it is text",
        ],
        "alias": ["1:4 a plain text cannot start with `*`: YAML reads `*x` as an alias", 'quote it: `a: "*x"`'],
        "merge": ["2:3 merge keys (`<<`) are not read", "write the keys out"],
        "tag": ["1:4 `!!str` is a tag, and tags are not read", "remove it; quotes make a value text"],
        "tag on a list": ["1:4 `!!set` is a tag, and tags are not read", "remove it; quotes make a value text"],
        "duplicate": ["3:1 duplicate key `a`: it already stands on line 1", "remove one of the two"],
        "duplicate by text": ["2:1 duplicate key `1`: it already stands on line 1", "remove one of the two"],
        "list as a key": ["1:3 a list or map cannot be a key", "quote it if it is text"],
        "tab": ["2:1 a tab indents this line", "use spaces: YAML takes no tabs there"],
        "tab after a dash": ["1:2 a tab stands where YAML wants a space", "use spaces: YAML takes no tabs there"],
        "mark": [
            "1:1 the file starts with a byte order mark",
            "save it as UTF-8 without BOM (VS Code: `UTF-8`)",
            "1:5 `yes` is text in YAML 1.2",
            'write `true`, or quote it: `"yes"`',
        ],
        "mark in bytes": [
            "1:1 the file starts with a byte order mark",
            "save it as UTF-8 without BOM (VS Code: `UTF-8`)",
        ],
        "utf-16": ["1:1 the file is UTF-16", "save it as UTF-8"],
        "nul": [
            "1:5 the control character U+0000 may not stand in the file",
            "delete it, or write `\\x00` in a double-quoted text",
            "2:4 `yes` is text in YAML 1.2",
            'write `true`, or quote it: `"yes"`',
        ],
        "escape character": [
            "1:4 the control character U+001B may not stand in the file",
            "delete it, or write `\\x1b` in a double-quoted text",
        ],
        "separator": [
            "1:5 the line separator U+2028 may not stand in the file",
            "delete it, or write `\\u2028` in a double-quoted text",
            "1:7 `: ` inside a plain text starts a new key",
            'quote it: `a: "xxb: y"`',
        ],
        "not utf-8": [
            "1:4 the byte 0xe9 is not UTF-8",
            "save the file as UTF-8",
            "3:4 `yes` is text in YAML 1.2",
            'write `true`, or quote it: `"yes"`',
        ],
        "surrogate": ["1:4 U+D83D is half a character", "delete it"],
        "escaped surrogate": [
            "1:5 `\\ud83d` is not the code of a character",
            "double the backslash, or use single quotes, where it means itself",
        ],
        "documents": ["2:1 a second document starts here", "keep one document in a file: remove the `---` or `...`"],
        "documents without a marker": [
            "3:1 a second document starts here",
            "keep one document in a file: remove the `---` or `...`",
        ],
        "directive": [
            "2:1 directives (`%…`) are not read",
            "remove the line: the file is YAML 1.2",
            "4:4 `yes` is text in YAML 1.2",
            'write `true`, or quote it: `"yes"`',
        ],
        "late directive": ["2:1 directives (`%…`) are not read", "remove the line: the file is YAML 1.2"],
        "empty": ["1:1 the file is empty", "write at least `version: 1`"],
        "only a comment": ["1:1 the file is empty", "write at least `version: 1`"],
        "only a marker": ["1:1 the file is empty", "write at least `version: 1`"],
        "infinite": ["1:4 `-.inf` is not a number a policy can use", "quote it if it is text"],
        "no number": ["1:4 `.nan` is not a number a policy can use", "quote it if it is text"],
        "too large": ["1:4 the number is too large", "quote it if it is text"],
        "over 64 bits": ["1:4 the number does not fit into 64 bits", "quote it if it is text"],
    }
)


def test_a_character_that_may_not_stand_in_a_file_does_not_reach_the_terminal():
    assert refusal("a: \x1b[31mred\ud800") == snapshot("""\
error: the control character U+001B may not stand in the file
 --> p.yaml:1:4
  |
1 | a: �[31mred�
  |    ^
help: delete it, or write `\\x1b` in a double-quoted text\
""")


def test_ten_megabytes_are_refused_unread_and_one_is_read():
    assert refusal(b"\xff" * 10_000_000) == snapshot("""\
error: the file is larger than 1 MiB
 --> p.yaml:1:1
help: split it: a pack is a file of its own, named under `packs`\
""")
    assert errors("é" * 600_000).message == "the file is larger than 1 MiB"
    assert plain("a: " + "x" * (MOST_BYTES - 3)) == {"a": "x" * (MOST_BYTES - 3)}


def test_nesting_ends_at_sixty_four():
    assert plain("[" * 64 + "]" * 64) is not None
    assert brief("[" * 100_000) == ["1:65 lists and maps are nested more than 64 deep", "use fewer levels"]
    assert brief("- " * 65)[0] == "1:129 lists and maps are nested more than 64 deep"


def test_too_many_values_are_refused():
    assert "more than 200,000 keys and values" in errors("[" + "a," * 300_000 + "]").message


def test_an_alias_bomb_is_refused_without_being_followed():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    found = errors(bomb)
    assert found.errors[0].message == "`&a` is an anchor, and anchors are not read"
    assert len(found.errors) == 9 + 8 * 3


def test_many_directives_cost_no_more_than_one():
    many = "".join(f"%TAG !a{n}! b\n" for n in range(60_000))
    assert errors(many + "---\na: 1").message == errors("a: 1\n" + many).message == "directives (`%…`) are not read"


def test_a_parser_in_python_alone_is_refused(monkeypatch):
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    assert refusal("a: 1") == snapshot("""\
error: PyYAML was installed without its C parser
help: run `pip install --force-reinstall --only-binary :all: PyYAML`\
""")


# Any text


MARKS = (
    """a : - " ' [ ] { } , # &x *x * !x ! > % @ ` ? --- ... é 😀 \\ \\n \\x ${ ${x} yes << 1 0x .inf ~ | || && %TAG"""
)
BLANKS = [
    " ",
    "\n",
    "\n  ",
    "\t",
    "\r\n",
    "\r",
    "\0",
    "\ufeff",
    "\u2028",
    "\x85",
    "\ud800",
    ": ",
    "- ",
    " #x",
    "|\n",
    "\n---\n",
]
PIECES = st.sampled_from(MARKS.split() + BLANKS)
TEXTS = st.lists(PIECES, max_size=30).map("".join)


def holds(text: bytes | str) -> None:
    """The text is read, or refused with errors that all point into it."""
    try:
        document = read(text)
    except LocatedErrors as refused:
        shown = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
        lines = re.split(r"\r\n|\r|\n", shown)
        assert refused.errors
        for error in refused.errors:
            assert error.source is not None
            assert 1 <= error.source.line <= len(lines)
            assert 1 <= error.source.column <= len(lines[error.source.line - 1]) + 1
            assert "\n" not in error.message
            assert "yaml" not in error.message  # theirs is lower case, the language's name is not
        refused.render().encode()
    else:
        points_inside(document, document.root)


def points_inside(document: Document, node: Node) -> None:
    places = [node.source, *node.keys.values()]
    if isinstance(node.value, str):
        places += [node.offset(at) for at in range(min(len(node.value), 300) + 1)]
    for place in places:
        assert 1 <= place.line <= len(document.lines)
        assert 1 <= place.column <= len(document.lines[place.line - 1]) + 1
    children = (
        node.value.values() if isinstance(node.value, dict) else node.value if isinstance(node.value, list) else ()
    )
    for child in children:
        points_inside(document, child)


@settings(max_examples=1500, deadline=1000)
@given(TEXTS)
@example("-")
@example("? ")
@example("a: |\n")
def test_any_text_is_read_or_refused_with_places_inside_it(text):
    holds(text)


@settings(max_examples=300, deadline=1000)
@given(st.text() | st.binary() | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused_with_places_inside_them(text):
    holds(text)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(categories=["L", "N"])), inner, max_size=4)
    ),
    max_leaves=12,
).filter(lambda value: value is not None)


@settings(max_examples=300, deadline=1000)
@given(VALUES)
def test_json_is_read_as_the_values_it_holds(value):
    assert plain(json.dumps(value, ensure_ascii=False)) == value


HEAVY = [
    "- \n",
    "- yes\n",
    "[a,",
    "{a: ",
    "- *\n",
    "\0\n",
    "a: b: c\n",
    "- a: \n",
    '"',
    "%TAG !a! b\n",
    "\n",
    "- a #b\n",
    "${",
]


@pytest.mark.parametrize("piece", HEAVY)
def test_a_megabyte_of_anything_is_read_or_refused(piece):
    holds(piece * (MOST_BYTES // len(piece)))
