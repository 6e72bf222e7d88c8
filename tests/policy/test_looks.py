"""Which lists must not be empty for an expression to hold."""

from __future__ import annotations

import pytest

from interlock.policy.looks import is_root, needs_of
from interlock.policy.tokens import tokens


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("urls.exists(u, u.host == 'x')", ("urls",)),
        ("urls.size() > 0", ("urls",)),
        ("urls.size() >= 1 && secrets.exists(s, true)", ("urls", "secrets")),
        ("tool == 'Bash' && deletes.exists(d, d == '/')", ("deletes",)),
        # It may hold although the list is empty.
        ("urls.size() >= 0", ()),
        ("urls.size() == 0", ()),
        ("!urls.exists(u, true)", ()),
        ("urls.exists(u, true) == false", ()),
        ("urls.exists(u, true) || tool == 'x'", ()),
        ("urls.exists(u, true) ? false : true", ()),
        ("urls.all(u, true)", ()),
        ("(urls.exists(u, true) || true) && tool == 'x'", ()),
        ("input.urls.exists(u, true)", ()),
        ("commands.exists(c, true)", ()),
    ],
)
def test_a_list_is_needed_only_where_nothing_else_can_make_it_hold(text: str, needs: tuple[str, ...]):
    assert needs_of(list(tokens(text))) == needs


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("input.name == name", ["input", "name"]),
        (".name == 1", ["name"]),
        ("a.b.c", ["a"]),
        ("x in list.items", ["x", "list"]),
        ("f(a).b", ["f", "a"]),
        ("[a].b", ["a"]),
        ("'text'.size() > n", ["n"]),
    ],
)
def test_a_field_is_no_variable(text: str, roots: list[str]):
    words = list(tokens(text))
    found = [word.text for place, word in enumerate(words) if is_root(words, place) and word.text != "in"]
    assert found == roots
