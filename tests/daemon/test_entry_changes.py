"""Whatever becomes of a settings file, the next session is guarded or the person told."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interlock.daemon.peers import Process
from interlock.hosts.claude_code.settings_state import settings_state
from tests.daemon.test_entry_watch import edit, shop, value_of
from tests.daemon.watched import Watched

__all__ = ["shop"]  # a fixture

_plain = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "*", "Read", "true", "block"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["hooks", "type", "if"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found += places_in(child, (*path, key))
    return found


def changed(value: Any, place: int, how: str, key: str, new: Any) -> Any:
    """The value with something in it removed, replaced, or added beside it."""
    known = places_in(value)[1:]
    if not known:
        return new
    *path, last = known[place % len(known)]
    holder = value
    for step in path:
        holder = holder[step]
    if how == "remove":
        del holder[last]
    elif how == "add" and isinstance(holder, dict):
        holder[key] = new
    else:
        holder[last] = new
    return value


_change = st.tuples(
    st.integers(0, 1000),
    st.sampled_from(["remove", "replace", "add"]),
    st.sampled_from(["disableAllHooks", "matcher", "async", "if", "timeout", "env", "args", "model", "onFailure"]),
    _plain | st.just({"CLAUDE_CODE_SIMPLE": "1"}),
)


@given(changes=st.lists(_change, max_size=3), other=st.none() | st.binary(max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_whatever_is_changed_in_the_file_the_next_session_is_guarded_or_the_person_told(
    shop: Watched, changes: list[Any], other: bytes | None
):
    """Any value removed, replaced or added, some times over; or any bytes at all."""
    shop.file.unlink()
    shop.install()
    shop.restart()
    shop.event("SessionStart")
    value = value_of(shop)
    for change in changes:
        value = changed(value, *change)
    shop.file.write_bytes(json.dumps(value).encode() if other is None else other)
    told = shop.event()
    assert settings_state(shop.root).missing == () or "would not run in new sessions" in told[-1]
    assert shop.event("PreToolUse", Process(os.getpid(), 9)) == [], "once"


def test_a_mistake_in_another_hook_that_only_old_clients_mind_is_told_and_stays(shop: Watched):
    """A new client drops that hook alone; to take the whole edit back would cost the person more than it gains."""
    edit(shop, lambda value: value["hooks"]["Stop"].append({"hooks": [{"type": "command"}]}))
    before = shop.file.read_bytes()
    (text,) = shop.event()
    assert "would not run in new sessions: the client ignores" in text
    assert "clients as old as 2.1.197" in text
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("value", [3, None, {}, "x"])
def test_what_stands_in_an_entry_s_place_and_is_no_entry_is_replaced(shop: Watched, value: object):
    edit(shop, lambda settings: settings["hooks"].update(Stop=value))
    assert "They have been put back" in shop.event()[0]
    assert shop.is_guarded()


def test_a_mistake_in_an_entry_of_ours_is_mended_whichever_client_minds(shop: Watched):
    edit(shop, lambda value: value["hooks"]["PostToolUse"][0]["hooks"][0].update(args=3))
    (text,) = shop.event()
    assert "They have been put back" in text
    assert shop.is_guarded()
