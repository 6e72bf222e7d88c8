"""What a call touches, as a person reads it before they decide."""

from __future__ import annotations

from interlock.approvals.touches import _DEEDS, _LOUD_DEEDS, Touch, touches_of
from interlock.facts.programs.traits import TRAITS


def test_what_cannot_be_taken_back_comes_first():
    shown = {
        "does": ["git/changes", "git/discards-work", "git/publishes", "network"],
        "hosts": ["github.example"],
        "reads": ["/p/a"],
        "deletes": ["/p/b"],
    }
    assert touches_of(shown) == [
        Touch("deletes", ("/p/b",), is_loud=True),
        Touch("discards", ("unsaved work",), is_loud=True),
        Touch("publishes", ("commits",)),
        Touch("reaches", ("github.example",)),
        Touch("reads", ("/p/a",)),
    ]


def test_two_deeds_with_one_verb_are_one_line():
    shown = {"does": ["cloud/deletes", "cluster/deletes"]}
    assert touches_of(shown) == [Touch("deletes", ("cloud resources", "objects of the cluster"), is_loud=True)]


def test_a_call_that_touches_nothing_says_nothing():
    assert touches_of({}) == []
    assert touches_of({"does": ["read-only"], "reads": []}) == []


def test_every_deed_is_a_trait_that_commands_have():
    assert (_LOUD_DEEDS.keys() | _DEEDS.keys()) - TRAITS.keys() == set()
    assert _LOUD_DEEDS.keys() & _DEEDS.keys() == set()
