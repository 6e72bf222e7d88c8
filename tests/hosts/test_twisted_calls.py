"""Calls that a host carries out and that a careless reading would miss: they are refused, or seen as what they are.

Each begins as a call about something forbidden, as the host sends it. Then one thing in it is twisted. What holds for
every host and every tool is tried on all of them, so that a new host or tool is held to it as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import ToolEvent
from interlock.hosts import HOSTS

FORBIDDEN, FINE = "/w/secret", "/w/fine"
# A tool of policies, the field that says what it acts on, and the rest of a call.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "Bash": ("command", {}),
    "Read": ("file_path", {}),
    "Write": ("file_path", {"content": "x"}),
    "Edit": ("file_path", {"old_string": "a", "new_string": "b"}),
    "Grep": ("path", {"pattern": "x"}),
    "Glob": ("path", {"pattern": "*"}),
    "LS": ("path", {}),
    "WebFetch": ("url", {"prompt": "x"}),
}
PATHS = [tool for tool, (field, _) in CALLS.items() if field.endswith("path")]


def sent(host: str, tool: str, value: Any = FORBIDDEN) -> dict[str, Any] | None:
    """The call as the host sends it; None if it has no such tool."""
    field, rest = CALLS[tool]
    sample = HOSTS[host].sample
    raw = None if sample is None else sample(tool, {field: value, **rest}, "/w")
    return None if raw is None else json.decode(raw)


def place_of(payload: Any) -> tuple[dict[str, Any], str] | None:
    """Where in a payload the forbidden thing is the whole value of a field."""
    if isinstance(payload, dict):
        found = next((key for key, value in payload.items() if value == FORBIDDEN), None)
        if found is not None:
            return payload, found
    inside = payload.values() if isinstance(payload, dict) else payload if isinstance(payload, list) else ()
    return next((place for one in inside if (place := place_of(one)) is not None), None)


def seen(host: str, payload: dict[str, Any]) -> set[Any] | None:
    """What rules see of a call: the values of what it acts on, in all its parts. None: it is refused."""
    try:
        event = HOSTS[host].dialect.decode(json.encode(payload))
    except InterlockError:
        return None
    assert isinstance(event, ToolEvent)
    inputs = [part.tool_input for part in event.parts] if event.parts else [event.tool_input]
    values = chain.from_iterable(given.values() for given in inputs)
    return {value for value in values if isinstance(value, str)}


def known_as(host: str, field: str) -> bool:
    """Whether the host itself has this name for a field of some tool."""
    return any(field in tool.fields for tool in HOSTS[host].tools.values())


def with_a_place() -> Iterator[tuple[str, str]]:
    for host in HOSTS:
        for tool in CALLS:
            if (payload := sent(host, tool)) is not None and place_of(payload) is not None:
                yield host, tool


PLACED = list(with_a_place())


def test_nearly_every_call_of_every_host_is_tried():
    assert {host for host, _ in PLACED} == {name for name, host in HOSTS.items() if host.sample is not None}
    assert len(PLACED) > 75


@pytest.mark.parametrize(("host", "tool"), PLACED)
def test_the_call_itself_is_seen(host: str, tool: str):
    payload = sent(host, tool)
    assert payload is not None
    assert FORBIDDEN in (seen(host, payload) or ())


@pytest.mark.parametrize(("host", "tool"), PLACED)
def test_a_field_with_the_name_that_policies_use_hides_nothing(host: str, tool: str):
    payload = sent(host, tool) or {}
    given, key = place_of(payload) or ({}, "")
    field = CALLS[tool][0]
    if key == field:
        return
    given[field] = FINE
    beside = seen(host, payload)
    assert beside is None or FORBIDDEN in beside
    del given[key]
    alone = seen(host, payload)
    assert alone is None or known_as(host, field), "the host ignores it, and a rule would not"


@pytest.mark.parametrize("twisted", [[FORBIDDEN], [FINE, FORBIDDEN], {"path": FORBIDDEN}, 7, True], ids=str)
@pytest.mark.parametrize(("host", "tool"), PLACED)
def test_a_value_of_another_type_is_refused_or_seen(host: str, tool: str, twisted: Any):
    payload = sent(host, tool) or {}
    given, key = place_of(payload) or ({}, "")
    given[key] = twisted
    found = seen(host, payload)
    assert found is None or (isinstance(twisted, list) and FORBIDDEN in found)


@pytest.mark.parametrize(("host", "tool"), [one for one in PLACED if one[1] in PATHS])
def test_a_path_that_begins_with_a_tilde_is_seen_as_either_folder_that_it_may_mean(host: str, tool: str):
    """Some tools open the person's home for it, and others a folder of that name: `~/../x` is then in the project."""
    payload = sent(host, tool, "~/../secret") or {}
    assert {"~/../secret", "./~/../secret"} <= (seen(host, payload) or set())


@pytest.mark.parametrize(("host", "tool"), PLACED)
def test_a_tool_in_other_letters_is_no_other_tool(host: str, tool: str):
    """It keeps its name, so that a rule about all tools applies, and is not taken for one that it is not."""
    payload = sent(host, tool) or {}
    named = [(place, key) for place in (payload, *payload.values()) if isinstance(place, dict)
             for key in ("tool_name", "tool", "name", "toolName") if isinstance(place.get(key), str)]  # fmt: skip
    for place, key in named:
        place[key] = f"{place[key]}_"
        event = HOSTS[host].dialect.decode(json.encode(payload))
        assert isinstance(event, ToolEvent)
        assert event.tool_name.endswith("_")


@pytest.mark.parametrize(("host", "tool"), PLACED)
def test_a_field_that_is_there_twice_is_refused(host: str, tool: str):
    payload = sent(host, tool) or {}
    _, key = place_of(payload) or ({}, "")
    once = json.encode(payload)
    member = json.encode({key: FORBIDDEN})[1:-1]
    twice = once.replace(member, member.replace(FORBIDDEN.encode(), FINE.encode()) + b"," + member)
    assert twice != once
    with pytest.raises(InterlockError, match="twice"):
        HOSTS[host].dialect.decode(twice)
