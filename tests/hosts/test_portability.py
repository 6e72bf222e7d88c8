"""A policy means the same on every host: the calls of all shipped cases, as each host sends them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from interlock.config.bundles import PACKS, find_pack
from interlock.event import ToolEvent
from interlock.facts.fields import sure_fields
from interlock.hosts import HOSTS
from interlock.policy.load import Policy, load_policy
from interlock.testing.cases import run_cases_on
from interlock.testing.events import call_of
from interlock.testing.pretend import PROJECT

OTHERS = [name for name, host in HOSTS.items() if host.sample is not None]
EVERYWHERE = ("Bash",)  # tools that every host has in some form


@cache
def shipped() -> list[Policy]:
    return [load_policy(file.read_bytes(), str(file), find_pack) for file in sorted(PACKS.glob("*.yaml"))]


@cache
def calls() -> list[tuple[str, dict[str, Any]]]:
    """The calls in the cases of all packs, with every field that the tool needs."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for policy in shipped():
        for rule, _ in policy.rules:
            for case in rule.cases if rule.events[0] == "PreToolUse" else ():
                given = case.given
                if isinstance(given, dict) and "given" in given:
                    given = {key: value for key, value in given.items() if key != "given"}
                if not given or (isinstance(given, dict) and given.keys() & {"event", "prompt"}):
                    continue
                tool, given = call_of(given)
                filled = {**dict.fromkeys(sure_fields(tool), ""), **given}
                found[f"{tool} {filled}"] = (tool, filled)
    return list(found.values())


def played(host: str) -> Iterator[tuple[tuple[str, dict[str, Any]], list[tuple[str, dict[str, Any]]]]]:
    """Each call that the host can make, and what it is read as."""
    sample = HOSTS[host].sample
    assert sample is not None
    for tool, given in calls():
        raw = sample(tool, given, PROJECT)
        if raw is None:
            continue
        event = HOSTS[host].dialect.decode(raw)
        assert isinstance(event, ToolEvent)
        parts = event.parts
        read = [(event.tool_name, event.tool_input)] if parts is None else [(p.tool_name, p.tool_input) for p in parts]
        yield (tool, given), read


def acting(given: dict[str, Any]) -> dict[str, Any]:
    """The fields that say what a call does. A patch does not tell whether a file ends with a new line."""
    kept = {name: value for name, value in given.items() if name not in ("description", "timeout")}
    return {name: value.rstrip("\n") if isinstance(value, str) else value for name, value in kept.items()}


@pytest.mark.parametrize("host", OTHERS)
def test_a_call_of_a_host_is_the_call_that_policies_know(host: str):
    seen = set()
    for (tool, given), read in played(host):
        seen.add(tool)
        assert [name for name, _ in read] == [tool]
        assert {**acting(given), **acting(read[0][1])} == acting(read[0][1])
    assert seen >= set(EVERYWHERE)


@pytest.mark.parametrize("host", OTHERS)
def test_the_cases_that_protect_interlock_hold_on_every_host(host: str):
    core = next(policy for policy in shipped() if policy.file.endswith("/core.yaml"))
    results = list(run_cases_on(core, host))
    assert len(results) > 100
    assert [result.message for result in results if not result.ok] == []
