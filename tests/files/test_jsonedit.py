"""Edits of a JSON text: what is put in and taken out, and every other byte as it was."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.files.jsonedit import insert_item, insert_member, read, remove

BLANK = st.text(" \t\r\n", max_size=3)
KEYS = st.text(max_size=4)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-99, 99), st.floats(allow_nan=False, allow_infinity=False), KEYS
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody might have typed it."""
    pad = lambda: draw(BLANK)  # noqa: E731
    if isinstance(value, dict):
        members = [
            f"{pad()}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{pad()}:{pad()}{draw(written(item))}{pad()}"
            for key, item in value.items()
        ]
        return "{" + (",".join(members) if members else pad()) + "}"
    if isinstance(value, list):
        items = [pad() + draw(written(item)) + pad() for item in value]
        return "[" + (",".join(items) if items else pad()) + "]"
    return json.dumps(value)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """An object with some formatting, a byte order mark or not, and blanks around it."""
    value = draw(OBJECTS)
    tidy = st.sampled_from([None, 0, 1, 2, 4, "\t"]).map(lambda indent: json.dumps(value, indent=indent))
    body = draw(written(value) | tidy)
    body = body.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + draw(BLANK) + body + draw(BLANK)


def paths(value: Any, kind: type, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where in a value the objects, or the arrays, are."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [path] if isinstance(value, kind) else []
    return found + [at for key, item in inside for at in paths(item, kind, (*path, key))]


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@given(documents())
def test_a_text_is_read_as_every_other_reader_reads_it(text: str):
    assert read(text).plain() == json.loads(text.removeprefix("\ufeff"))


@given(documents(), st.data())
def test_a_member_put_in_and_taken_out_leaves_every_byte_as_it_was(text: str, data: st.DataObject):
    before = read(text).plain()
    path = data.draw(st.sampled_from(paths(before, dict)))
    key = data.draw(KEYS.filter(lambda key: key not in at(before, path)))
    value = data.draw(VALUES)
    after = insert_member(text, path, key, value)
    wanted = copy.deepcopy(before)
    at(wanted, path)[key] = value
    assert read(after).plain() == json.loads(after.removeprefix("\ufeff")) == wanted
    assert remove(after, (*path, key)) == text


@given(documents(), st.data())
def test_an_item_put_in_and_taken_out_leaves_every_byte_as_it_was(text: str, data: st.DataObject):
    text = insert_member(text, (), "list", data.draw(st.lists(VALUES, max_size=3))) if '"list"' not in text else text
    before = read(text).plain()
    found = paths(before, list)
    if not found:
        return
    path = data.draw(st.sampled_from(found))
    index = data.draw(st.none() | st.integers(0, len(at(before, path))))
    value = data.draw(VALUES)
    after = insert_item(text, path, value, index)
    wanted = copy.deepcopy(before)
    place = len(at(wanted, path)) if index is None else index
    at(wanted, path).insert(place, value)
    assert read(after).plain() == wanted
    assert remove(after, (*path, place)) == text


@given(documents(), st.data())
def test_what_is_taken_out_is_only_that(text: str, data: st.DataObject):
    before = read(text).plain()
    holders = [path for path in paths(before, dict) + paths(before, list) if at(before, path)]
    if not holders:
        return
    path = data.draw(st.sampled_from(holders))
    holder = at(before, path)
    step = data.draw(st.sampled_from(list(holder) if isinstance(holder, dict) else list(range(len(holder)))))
    wanted = copy.deepcopy(before)
    del at(wanted, path)[step]
    assert read(remove(text, (*path, step))).plain() == wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}\n", '{\n  "hooks": 1\n}\n'),
        ('{"a": 1}', '{"a": 1, "hooks": 1}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"hooks": 1\n}\n'),
        ('{\r\n    "a": 1\r\n}\r\n', '{\r\n    "a": 1,\r\n    "hooks": 1\r\n}\r\n'),
        ('{\n\n  "a": 1\n}', '{\n\n  "a": 1,\n  "hooks": 1\n}'),
        ('\ufeff{\n  "a": 1\n}', '\ufeff{\n  "a": 1,\n  "hooks": 1\n}'),
    ],
)
def test_a_member_is_written_as_its_neighbours_are(before: str, after: str):
    assert insert_member(before, (), "hooks", 1) == after


def test_a_member_of_an_empty_object_is_one_step_further_in():
    text = '{\n    "a": 1,\n    "hooks": {}\n}\n'
    wanted = '{\n    "a": 1,\n    "hooks": {\n        "Stop": [{"b": "ü"}]\n    }\n}\n'
    assert insert_member(text, ("hooks",), "Stop", [{"b": "ü"}]) == wanted


def test_half_a_surrogate_pair_is_kept_as_it_can_be_written():
    text = insert_member("{}", (), "a", "\ud800")
    assert text.encode("utf-8")
    assert read(text).plain() == {"a": "\ud800"}


@pytest.mark.parametrize(
    ("text", "why", "line", "column"),
    [
        ("", "it ends too early", 1, 1),
        ('{"a": 1', "it ends too early", 1, 8),
        ('{"a": 1,}', "there is a comma before the closing `}`", 1, 8),
        ('{"a": 1,\n \n}', "there is a comma before the closing `}`", 1, 8),
        ('{"a": [1, 2 , ]}', "there is a comma before the closing `]`", 1, 13),
        ('{"a": [1, 2, }', "a value is missing", 1, 14),
        ("{,}", "a key in double quotes is missing", 1, 2),
        ('{\n  "a": 1,\n  // no\n}', "it contains a comment, which JSON does not allow", 3, 3),
        ('{"a": 1 /* no */}', "it contains a comment, which JSON does not allow", 1, 9),
        ('# no\n{"a": 1}', "it contains a comment, which JSON does not allow", 1, 1),
        ('{"a": 1}\n// no', "it contains a comment, which JSON does not allow", 2, 1),
        ('{"a": /1}', "a value is missing", 1, 7),
        ('{\r\n  "a": tru\r\n}', "a value is missing", 2, 8),
        ('{"a": 1 "b": 2}', "`,` is missing", 1, 9),
        ('{"a" 1}', "`:` is missing", 1, 6),
        ('{"a": 1, "a": 2}', "the key `a` appears twice in one object", 1, 10),
        ('{"a": 1, "\\u0061": 2}', "the key `a` appears twice in one object", 1, 10),
        ('{"a": "x}', "a string is not closed, or contains a raw control character or an unknown escape", 1, 7),
        ('["\\x"]', "a string is not closed, or contains a raw control character or an unknown escape", 1, 2),
        ("[01]", "`,` is missing", 1, 3),
        ("[NaN]", "a value is missing", 1, 2),
        ("{} x", "there is more text after the end of the value", 1, 4),
        ("\ufeff[1,]", "there is a comma before the closing `]`", 1, 3),
        ("[" * 201, "values are nested more than 200 deep", 1, 201),
        ("[" + "9" * 5000 + "]", "a number has too many digits", 1, 2),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str, why: str, line: int, column: int):
    with pytest.raises(InterlockError) as found:
        read(text, "settings.json")
    error = found.value
    assert (error.message, error.source) == (f"not valid JSON: {why}", ("settings.json", line, column))


def test_an_error_shows_the_line():
    with pytest.raises(InterlockError) as found:
        read('{\n  "a": [1,\n}', "settings.json")
    assert found.value.render() == (
        "error: not valid JSON: a value is missing\n --> settings.json:3:1\n  |\n3 | }\n  | ^\nhelp: correct it by hand"
    )


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str):
    try:
        found = read(text).plain()
    except InterlockError:
        return
    assert found == json.loads(text.removeprefix("\ufeff"))


def test_a_member_that_is_there_is_not_put_in_twice():
    with pytest.raises(InterlockError, match="`a` cannot be added at the top"):
        insert_member('{"a": 1}', (), "a", 2)
    with pytest.raises(InterlockError, match="`a` is not an array"):
        insert_item('{"a": 1}', ("a",), 2)


def test_every_value_knows_its_line_and_column():
    node = read('{\r\n  "a": [\r\n    true\r\n  ]\r\n}').value["a"].value[0]
    assert (node.line, node.column) == (3, 5)


# --- files with comments -----------------------------------------------------------------------------------


COMMENTS = st.sampled_from(["", " ", "\n", "// a, b\n", "/* {x}, */", "\n  // one\r\n  /* two\n*/ "])


@st.composite
def commented(draw: st.DrawFn, value: Any) -> str:
    """A value with comments wherever they may be, and a comma after the last value here and there."""
    pad = lambda: draw(COMMENTS)  # noqa: E731
    if isinstance(value, dict):
        parts = [
            f"{pad()}{json.dumps(key)}{pad()}:{pad()}{draw(commented(item))}{pad()}" for key, item in value.items()
        ]
    elif isinstance(value, list):
        parts = [pad() + draw(commented(item)) + pad() for item in value]
    else:
        return json.dumps(value)
    signs = "{}" if isinstance(value, dict) else "[]"
    last = draw(st.sampled_from(["", ","])) if parts else ""
    return signs[0] + (",".join(parts) + last if parts else "") + pad() + signs[1]


def comments(text: str) -> list[int]:
    return [text.count(mark) for mark in ("// a, b\n", "/* {x}, */", "// one\r\n", "/* two\n*/")]


@given(OBJECTS.flatmap(lambda value: st.tuples(st.just(value), commented(value))), st.data())
def test_an_edit_beside_comments_changes_nothing_else_and_loses_none(found: tuple[Any, str], data: st.DataObject):
    value, text = found
    assert read(text, jsonc=True).plain() == value
    path = data.draw(st.sampled_from(paths(value, list) or [()]))
    if isinstance(at(value, path), list):
        index = data.draw(st.integers(0, len(at(value, path))))
        added = insert_item(text, path, "ours", index, jsonc=True)
        place: tuple[str | int, ...] = (*path, index)
    else:
        added = insert_member(text, path, "a new key", "ours", jsonc=True)
        place = (*path, "a new key")
    assert at(read(added, jsonc=True).plain(), place) == "ours"
    assert comments(added) == comments(text)
    without = remove(added, place, jsonc=True)
    assert read(without, jsonc=True).plain() == value
    assert comments(without) == comments(text)


@given(OBJECTS.filter(bool).flatmap(commented), st.data())
def test_whatever_is_taken_out_no_comment_beside_it_goes(text: str, data: st.DataObject):
    value = read(text, jsonc=True).plain()
    key = data.draw(st.sampled_from(sorted(value)))
    node = read(text, jsonc=True).value[key]
    inside = text[node.key_start : node.end]
    without = remove(text, (key,), jsonc=True)
    assert read(without, jsonc=True).plain() == {other: value[other] for other in value if other != key}
    assert comments(without) == [all_of - part for all_of, part in zip(comments(text), comments(inside), strict=True)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{\n  // mine\n  "a": 1 // one\n}\n', '{\n  // mine\n  "a": 1,\n  "b": 2 // one\n}\n'),
        ('{\n  "a": 1,\n}\n', '{\n  "a": 1,\n  "b": 2,\n}\n'),
    ],
)
def test_a_member_is_written_among_comments_as_its_neighbours_are(before: str, after: str):
    assert insert_member(before, (), "b", 2, jsonc=True) == after
    assert remove(after, ("b",), jsonc=True) == before


def test_without_leave_a_comment_is_refused():
    with pytest.raises(InterlockError, match="it contains a comment"):
        read('{"a": 1 /* one */}')
    with pytest.raises(InterlockError, match="it contains a comment"):
        read('{"a": 1 # one\n}', jsonc=True)
