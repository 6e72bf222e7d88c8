"""How two policies differ about one call."""

from __future__ import annotations

import pytest

from interlock.replay.compare import difference_in
from interlock.replay.playback import Hindsight
from interlock.verdict import Opinion, Verdict, combine

CALL = {"command": "ls"}


def verdict(decision: str | None, change: str | None = None, context: str | None = None) -> Verdict:
    changed = None if change is None else {"command": change}
    return combine([Opinion(by="r", decision=decision, change=changed, context=context)], CALL)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        (None, None, None),
        (None, "deny", "newly denied"),
        ("allow", "deny", "newly denied"),
        (None, "ask", "newly asked"),
        ("allow", "defer", "newly asked"),
        ("ask", "deny", "denied instead of asked"),
        ("deny", "ask", "asked instead of denied"),
        ("ask", None, "freed"),
        ("deny", "allow", "freed"),
        (None, "allow", "changed otherwise"),
        ("ask", "defer", "changed otherwise"),
        ("deny", "deny", None),
    ],
)
def test_decisions_differ_by_what_they_mean_for_the_call(before: str, after: str, difference: str | None):
    assert difference_in(Hindsight(verdict(before)), Hindsight(verdict(after))) == difference


def test_inputs_results_and_contexts_differ_too():
    plain = Hindsight(verdict(None))
    assert difference_in(plain, Hindsight(verdict(None, change="ls -a"))) == "changed otherwise"
    assert difference_in(plain, Hindsight(verdict(None, context="x"))) == "changed otherwise"
    assert difference_in(plain, Hindsight(verdict(None), verdict(None))) == "changed otherwise"
    redacted = combine([Opinion(by="r", output={"stdout": "x"})], CALL, {"stdout": "y"})
    same = combine([Opinion(by="other", output={"stdout": "x"})], CALL, {"stdout": "y"})
    assert difference_in(Hindsight(verdict(None), verdict(None)), Hindsight(verdict(None), redacted)) == (
        "changed otherwise"
    )
    assert difference_in(Hindsight(verdict(None), same), Hindsight(verdict(None), redacted)) is None


def test_a_reason_in_other_words_is_no_difference():
    said = [combine([Opinion(by="r", decision="deny", reason=reason)], CALL) for reason in ("No.", "Never.")]
    assert difference_in(Hindsight(said[0]), Hindsight(said[1])) is None
