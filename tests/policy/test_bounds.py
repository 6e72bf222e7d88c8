"""No expression makes or looks at more than a bounded amount of text, whatever the call holds; else its rule fails."""

from __future__ import annotations

import threading

import pytest
from cel_expr_python import cel
from cel_expr_python.ext import ext_strings
from hypothesis import given
from hypothesis import strategies as st

from interlock.policy import bounds
from interlock.policy.bounds import TooMuch, growth_of, joined, replaced, split
from interlock.policy.tokens import tokens
from tests.policy.builders import Session

WIDE = "a" * 20_000
TEXT = "a text would have more than 16,777,216 characters"
LOOPS = "its loops would put too much text together"


def reason(when: str, **given: object) -> str | None:
    """What a rule with this condition says of a call with these fields."""
    policy = f"let: {{word: x}}\nrules:\n  - id: r\n    tool: t\n    when: >-\n      {when}\n    deny: held\n"
    return Session(policy).call({"t": given}).reason


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ('input.a.replace("", input.a).replace("", input.a).size() > 0', TEXT),
        ('input.a.replace("a", input.a, 1000).size() > 0', TEXT),
        ('input.a.split("").join(input.a).size() > 0', TEXT),
        ('(input.a + input.a + input.a + input.a + input.a + input.a).split("").size() > 0',
         "a text would be split into more than 100,000 pieces"),
        ('sub(input.a, "", input.a) != ""', TEXT),
        ('sub(input.a, "(a)", "\\\\1" + input.a) != ""', TEXT),
        ('input.a.matches(input.a)', "a regex has more than 10,000 characters"),
        ('sub("x", input.a, "") != ""', "a regex has more than 10,000 characters"),
        ('input.l.exists(x, input.l.exists(y, (x + y + input.a).size() < 0))', LOOPS),
        ('input.l.map(x, input.l.map(y, x + y + input.a)).size() < 0', LOOPS),
        ('input.m.filter(x, input.a.replace("a", "bbbbb") != "").size() < 0',
         "its functions would make more than 268,435,456 characters"),
        ('[1, 2, 3].map(x, input.b).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).size() < 0', LOOPS),
        ('input.l.all(x, input.l.all(y, !input.b.contains(x)))', "its loops would look at too much text"),
        ('input.l.exists(x, input.m.exists(y, x == y + "c"))', "Iteration budget exceeded [INTERNAL]"),
    ],
)  # fmt: skip
def test_a_rule_that_would_make_too_much_fails_closed_and_says_why(when: str, told: str):
    fields = {"a": WIDE, "b": "b" * 4_000_000, "l": ["b"] * 20_000, "m": ["c"] * 3_000}
    found = reason(when, **{name: value for name, value in fields.items() if f"input.{name}" in when})
    assert found is not None
    assert found.startswith("rule `r` [")
    assert found.endswith(f"failed: {told}")


@pytest.mark.parametrize(
    "when",
    [
        'input.a.replace("a", "bb").size() == 40000',
        'input.a.replace("a", "", 19999) == "a"',
        '["a", "b"].join(", ") == "a, b" && ["a", "b"].join() == "ab"',
        '"a,b,c".split(",") == ["a", "b", "c"] && "a,b,c".split(",", 2) == ["a", "b,c"]',
        '"a,b".split(",", 0).size() == 0',
        '"abc".split("") == ["a", "b", "c"] && "abc".split("", 2) == ["a", "bc"] && "a".split(",", 1) == ["a"]',
        'input.l.exists(x, x + "c" == "bc")',
        'input.l.map(x, x + input.a.substring(0, 9)).size() == 2000',
        'input.l.filter(x, x.contains("b")).map(x, x + "a").map(x, x + "b").size() == 2000',
        'input.?none.orValue("x.y").split(".")[1] == "y"',
        '("%s " + input.l[0]).format([word]) == "x b"',
    ],
)  # fmt: skip
def test_what_policies_ordinarily_do_is_far_from_any_bound(when: str):
    assert reason(when, a=WIDE, l=["b"] * 2_000) == "held"


def test_a_function_of_ours_is_known_by_the_name_that_the_writer_used():
    with pytest.raises(Exception, match="`replace\\(\\)` does not take") as caught:
        Session("rules: [{id: r, tool: t, when: 'tool.replace(1, 2) == tool', deny: stop}]\n")
    assert "replac_" not in str(caught.value)


@given(st.text("ab,", max_size=12), st.text("ab,", max_size=2), st.integers(-1, 4))
def test_our_functions_do_what_cels_own_do(text: str, old: str, most: int):
    given = {"t": text, "o": old, "n": most}
    kinds = {"t": cel.Type.STRING, "o": cel.Type.STRING, "n": cel.Type.INT}
    environment = cel.NewEnv(variables=kinds, extensions=[ext_strings.ExtStrings()])

    def theirs(expression: str) -> object:
        return environment.compile(expression).eval(environment.Activation(given)).plain_value()

    assert replaced(text, old, "-x-", most) == theirs("t.replace(o, '-x-', n)")
    assert split(text, old, most) == theirs("t.split(o, n)")
    assert joined(list(text), old) == theirs("t.split('').join(o)")


@given(st.text("ab", max_size=200), st.text("ab", max_size=3), st.text("c", max_size=50))
def test_nothing_is_made_that_is_longer_than_the_bound(text: str, old: str, new: str):
    """By size, with a bound small enough to be met."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "MOST_TEXT", 500)
        bounds.made.size = 0
        try:
            assert len(replaced(text, old, new)) <= 500
        except TooMuch:
            assert len(text.replace(old, new)) > 500


def test_texts_made_in_a_loop_are_counted_together():
    bounds.made.size = 0
    for _ in range(26):
        replaced("a" * 1_000, "a", "b" * 10_000)
    with pytest.raises(TooMuch, match="its functions would make more than 268,435,456 characters"):
        replaced("a" * 1_000, "a", "b" * 10_000)
    found: list[str] = []
    other = threading.Thread(target=lambda: found.append(replaced("ab", "a", "c")))
    other.start()
    other.join()
    assert found == ["cb"]


@pytest.mark.parametrize(
    ("text", "growth"),
    [
        ("a + b", (0, 0, 0)),
        ("l.exists(x, x == 'a + b')", (1, 0, 0)),
        ("l.exists(x, x + 'a' == y) && a + b == c", (1, 1, 0)),
        ("l.map(x, l.map(y, x + y)).map(z, z + z)", (2, 2, 3)),
        ("exists(a + b) + l.size()", (0, 0, 0)),
        ("m.?l.all(x, [x + x].exists(y, y in l))", (2, 1, 0)),
    ],
)
def test_loops_and_what_they_add_are_found(text: str, growth: tuple[int, int, int]):
    found = growth_of(tokens(text))
    assert (found.depth, found.adds, found.maps) == growth
