"""The words a hook answers with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, json

import interlock
from interlock import allow, ask, change, context, defer, deny, interrupt, notify, output, set_state
from interlock.errors import InterlockError
from interlock.hooks.opinions import is_json, listen, stop_listening
from interlock.verdict import Opinion

# --- each word ---------------------------------------------------------------------------------------------


def test_each_word_builds_exactly_the_opinion_it_names():
    assert deny("no") == Opinion(decision="deny", reason="no")
    assert deny("no", interrupt=True) == Opinion(decision="deny", reason="no", interrupt=True)
    assert interrupt("enough") == Opinion(interrupt=True, reason="enough")
    assert ask("sure?") == Opinion(decision="ask", reason="sure?")
    assert allow() == Opinion(decision="allow")
    assert allow("fine") == Opinion(decision="allow", reason="fine")
    assert defer() == Opinion(decision="defer")
    assert defer("later") == Opinion(decision="defer", reason="later")
    assert change(command="ls") == Opinion(change={"command": "ls"})
    assert change({"a-b": 1}, quiet="same meaning") == Opinion(change={"a-b": 1}, quiet="same meaning")
    assert output("text") == Opinion(output="text")
    assert context("look") == Opinion(context="look")
    assert notify("look") == Opinion(notice="look")
    assert set_state(tenure="vip") == Opinion(set={"tenure": "vip"})
    assert set_state({"a b": 1}) == Opinion(set={"a b": 1})


def test_fields_by_name_win_over_the_dictionary_beside_them():
    assert change({"a": 1, "b": 1}, b=2).change == {"a": 1, "b": 2}
    assert set_state({"a": 1, "b": 1}, b=2).set == {"a": 1, "b": 2}


def test_fields_named_like_the_first_parameter_are_fields():
    assert change(fields=1).change == {"fields": 1}
    assert set_state(values=1).set == {"values": 1}


def test_none_removes_a_field_and_is_no_missing_change():
    assert change(timeout=None).change == {"timeout": None}


def test_an_output_of_null_is_an_output():
    assert output(None).output is None
    assert deny("no").output is UNSET


def test_a_reason_is_kept_to_the_letter():
    """S1-09 A reason names the tool to use instead, with values from the call, and arrives as written."""
    text = "  Refund of $500 is over the limit.\n\tUse `escalate_to_human` with {'id': 7} — über 💶 \x00 "
    assert deny(text).reason == text


def test_every_public_word_is_reachable_from_the_package():
    words = {"allow", "ask", "change", "context", "defer", "deny", "hook", "interrupt", "notify", "output", "set_state"}
    assert set(interlock.__all__) == words | {"Gate"}
    assert words <= set(dir(interlock))
    assert all(callable(getattr(interlock, word)) for word in words)


# --- texts -------------------------------------------------------------------------------------------------

TEXTS: list[tuple[str, Callable[[Any], Opinion]]] = [
    ("deny", deny), ("ask", ask), ("allow", allow), ("defer", defer), ("context", context), ("notify", notify),
    ("interrupt", interrupt),
    ("quiet", lambda text: change(a=1, quiet=text)),
]  # fmt: skip


@pytest.mark.parametrize(("word", "build"), TEXTS)
def test_a_text_of_another_type_is_refused_by_name(word: str, build: Callable[[Any], Opinion]):
    for value, kind in (
        (b"no", "bytes"),
        (5, "int"),
        (True, "bool"),
        (["no"], "list"),
        (ValueError("no"), "ValueError"),
    ):
        with pytest.raises(InterlockError) as caught:
            build(value)
        assert caught.value.render() == f"error: {word}() takes a text, not {kind}"


@pytest.mark.parametrize(("word", "build"), TEXTS)
def test_an_empty_or_blank_text_is_refused(word: str, build: Callable[[Any], Opinion]):
    """S1-01 A deny without a reason is called out."""
    for blank in ("", " ", "\n\t\u00a0"):
        with pytest.raises(InterlockError) as caught:
            build(blank)
        assert caught.value.message == f"{word}() needs a text"


@pytest.mark.parametrize(("word", "build"), TEXTS)
def test_half_a_surrogate_pair_is_refused(word: str, build: Callable[[Any], Opinion]):
    for text in ("\ud800", "x\udfffy", "\udc00\ud800"):
        with pytest.raises(InterlockError) as caught:
            build(text)
        assert caught.value.render() == f"error: {word}() was given half a surrogate pair, which no host can read"
    assert build("\U0001f600") is not None


def test_the_help_for_an_empty_reason_says_what_to_write():
    with pytest.raises(InterlockError) as caught:
        deny("")
    assert caught.value.render() == "error: deny() needs a text\nhelp: say what is wrong and what to do instead"


@pytest.mark.parametrize("build", [deny, ask, context, notify])
def test_a_missing_text_is_refused(build: Callable[..., Opinion]):
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        build()
    with pytest.raises(InterlockError, match=r"takes a text, not NoneType"):
        build(None)


@pytest.mark.parametrize("build", [allow, defer])
def test_only_allow_and_defer_may_go_without_a_text(build: Callable[..., Opinion]):
    assert build().reason is None
    assert build(None).reason is None


@pytest.mark.parametrize("value", [1, 0, "yes", None])
def test_interrupt_is_true_or_false_and_nothing_else(value: Any):
    with pytest.raises(InterlockError) as caught:
        deny("no", interrupt=value)
    assert caught.value.render() == "error: `interrupt` must be True or False"


# --- values ------------------------------------------------------------------------------------------------


class Text(str):
    """A text of another type, as template libraries return."""

    __slots__ = ()


class Number(float):
    """A number of another type, as numpy returns."""


NOT_JSON = [
    float("nan"), float("inf"), float("-inf"), b"x", bytearray(b"x"), (1, 2), {1, 2}, frozenset((1,)), 1j, UNSET,
    Decimal(1), object(), "\ud800", {1: "a"}, {None: 1}, {True: 1}, {b"a": 1}, {"\udfff": 1}, range(2),
]  # fmt: skip

VALUES: list[tuple[str, Callable[[Any], Opinion]]] = [
    ("change", lambda value: change(field=value)),
    ("output", output),
    ("set_state", lambda value: set_state(name=value)),
]


@pytest.mark.parametrize(("word", "build"), VALUES)
@pytest.mark.parametrize("value", NOT_JSON, ids=lambda value: repr(value).partition(" at 0x")[0])
def test_a_value_json_cannot_carry_is_refused_however_deep_it_lies(
    word: str, build: Callable[[Any], Opinion], value: Any
):
    for wrapped in (value, [value], {"a": value}, [1, {"a": [None, value]}]):
        with pytest.raises(InterlockError) as caught:
            build(wrapped)
        assert caught.value.render() == f"error: {word}() holds a value that JSON cannot carry exactly"


@pytest.mark.parametrize("value", [Text("x"), Number(1.5), OrderedDict(a=1)], ids=["str", "float", "dict"])
def test_a_subclass_of_what_json_has_is_refused_when_built(value: Any):
    with pytest.raises(InterlockError, match="cannot carry exactly"):
        output({"a": value})


@pytest.mark.parametrize("value", [{"": ""}, [], {}, 2**70, -0.0, 5e-324, "\x00\u2028"], ids=repr)
def test_odd_values_that_json_does_carry_are_accepted(value: Any):
    assert json.decode(json.encode(output(value).output)) == value


def test_keys_that_are_no_text_are_refused_at_the_top_too():
    keys: Any = {1: "x"}
    with pytest.raises(InterlockError, match=r"change\(\) holds"):
        change(keys)
    with pytest.raises(InterlockError, match=r"set_state\(\) holds"):
        set_state(keys)


def test_a_change_without_fields_is_refused():
    nothing: list[dict[str, Any] | None] = [None, {}]
    for fields in nothing:
        with pytest.raises(InterlockError) as caught:
            change(fields, quiet="nothing to tell")
        expected = "error: change() names no field\nhelp: give the fields that change: change(command='ls')"
        assert caught.value.render() == expected


def test_a_state_update_without_names_is_refused():
    nothing: list[dict[str, Any] | None] = [None, {}]
    for values in nothing:
        with pytest.raises(InterlockError) as caught:
            set_state(values)
        assert caught.value.render() == "error: set_state() names nothing to remember"


@pytest.mark.parametrize("fields", ["ls", [("command", "ls")], 5, {"command"}])
def test_a_change_that_is_no_dictionary_is_refused(fields: Any):
    with pytest.raises(InterlockError) as caught:
        change(fields)
    expected = "error: change takes a dictionary of fields, or fields by name: change(command='ls')"
    assert caught.value.render() == expected


@pytest.mark.parametrize("values", ["vip", [("tenure", "vip")], 5])
def test_a_state_update_that_is_no_dictionary_is_refused(values: Any):
    with pytest.raises(InterlockError, match="dictionary"):
        set_state(values)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(st.text() | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


def same(left: Any, right: Any) -> bool:
    """Equal to a tool, to which 1, 1.0 and true are three things."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return repr(left) == repr(right)


@given(JSON)
def test_everything_json_can_carry_survives_with_its_type(value: Any):
    """S0-12 Types survive a round trip uncoerced, through the very bytes an opinion travels in."""
    sent = Opinion(by="h", output=value, change={"field": value}, set={"name": value})
    built = (output(value), change(field=value), set_state(name=value))
    came = json.decode(json.encode(sent), type=Opinion)
    assert same(came.output, built[0].output)
    assert same(came.change, built[1].change)
    assert same(came.set, built[2].set)


@given(ANYTHING)
def test_what_is_accepted_survives_json_and_what_does_not_survive_is_refused(value: Any):
    if is_json(value):
        assert same(json.decode(json.encode(value)), value)
    else:
        with pytest.raises(InterlockError):
            output(value)


# --- remembering what was built ----------------------------------------------------------------------------


@contextmanager
def listening(built):
    token = listen(built)
    try:
        yield
    finally:
        stop_listening(token)


def test_listening_hears_what_is_built_inside_its_block_only():
    before = deny("before")
    outer: list[Opinion] = []
    inner: list[Opinion] = []
    with listening(outer):
        first = deny("first")
        with listening(inner):
            second = allow()
        third = notify("third")
    after = deny("after")
    assert [one.reason for one in (before, after)] == ["before", "after"]
    assert outer == [first, third]
    assert inner == [second]


def test_a_word_that_is_refused_leaves_nothing_behind():
    built: list[Opinion] = []
    with listening(built), pytest.raises(InterlockError):
        deny("")
    assert built == []
