"""Which parts of Interlock an agent's code must not reach: every room of the package is one or the other."""

from __future__ import annotations

import pytest

from interlock.facts.code.words import GUARD_MODULES
from tests.test_layers import MODULES, ROOMS

# What somebody may write against, or what only computes: code that uses it switches nothing off.
HARMLESS = {
    "errors", "event", "effect", "verdict", "fold", "jsontext", "process", "framing", "facts", "policy", "packs",
    "hooks", "probe", "service", "approvals", "testing", "gate", "lint", "replay", "binding", "doctor", "protocol",
    "agent_sdk", "store", "imports", "demonstration", "telemetry", "frameworks",
}  # fmt: skip
EARLIER = {"hot", "cold", "inforce", "install", "projects"}


def rooms_in(names: frozenset[str]) -> set[str]:
    return {name for name in names if "." not in name}


def test_every_room_is_either_guarded_or_known_to_be_harmless():
    assert rooms_in(GUARD_MODULES) - EARLIER - {"__main__"} == ROOMS.keys() - HARMLESS


def test_every_part_that_is_guarded_is_there():
    parts = {name for name in GUARD_MODULES if "." in name}
    assert parts <= MODULES.keys()
    answering = {"approvals.answers", "approvals.granting", "approvals.inbox"}
    assert parts == {"store.sqlite", "store.place", *answering}


@pytest.mark.parametrize("name", sorted(EARLIER))
def test_names_of_earlier_versions_stay_guarded_and_are_no_rooms_any_more(name: str):
    assert name in GUARD_MODULES
    assert name not in ROOMS
