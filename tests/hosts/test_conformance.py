"""Every host does what a host must, and a host that does not is found."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from interlock.hosts import HOSTS
from interlock.hosts.base.host import HostEvent
from interlock.testing.host_conformance import CHECKS, Check, HostCase, run_host_conformance
from tests.hosts.goldens import EVENT_FILES, event_files

PAYLOADS = [file.read_bytes() for file in EVENT_FILES]
CLAUDE_CODE = HOSTS["claude-code"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("host", HOSTS)
def test_a_host(host: str, check: Check):
    check(HostCase(HOSTS[host], [file.read_bytes() for file in event_files(host)]))


def test_the_suite_runs_without_a_test_runner():
    assert run_host_conformance(CLAUDE_CODE, PAYLOADS) == [check.__name__ for check in CHECKS]


class _Dialect:
    """Claude Code's dialect with one function replaced."""

    def __init__(self, **other):
        self._other = other

    def __getattr__(self, name):
        return self._other.get(name) or getattr(CLAUDE_CODE.dialect, name)


def nested(code, stdout, stderr):
    return "Too risky for today." if b"deny" in stdout or b"context" in stdout.lower() else None


def by_any_code(code, stdout, stderr):
    assert CLAUDE_CODE.denied is not None
    return CLAUDE_CODE.denied(code, stdout, stderr) or ("No word." if code else None)


def with_event(name: str, event: HostEvent):
    return replace(CLAUDE_CODE, events={**CLAUDE_CODE.events, name: event})


def deaf(event, verdict):
    return replace(CLAUDE_CODE.dialect.encode(event, verdict), verdict=replace(verdict, decision=None))


@pytest.mark.parametrize(
    ("host", "complaint"),
    [
        (with_event("Stop", HostEvent(seconds=60)), "Stop waits only 60 s"),
        (with_event("Stop", HostEvent()), "Stop needs a time limit or a reason"),
        (with_event("PreToolUse", HostEvent(seconds=600)), "PreToolUse: `notice`, and the answer is otherwise"),
        (replace(CLAUDE_CODE, events={}), "is not in the host's table"),
        (replace(CLAUDE_CODE, dialect=_Dialect(honours=lambda name: frozenset({"output"}))), "said to honour"),
        (replace(CLAUDE_CODE, dialect=_Dialect(encode=deaf)), "became None"),
        (replace(CLAUDE_CODE, dialect=_Dialect(restore=lambda stdout, verdict: replace(verdict, decision=None))),
         "came back as None"),
        (replace(CLAUDE_CODE, denied=None, setup=HOSTS["codex"].setup), "`denied` does not say how it reads"),
        (replace(CLAUDE_CODE, denied=lambda code, stdout, stderr: None), "its own denial is read as None"),
        (replace(CLAUDE_CODE, denied=nested), "None is read as a denial"),
        (replace(CLAUDE_CODE, denied=by_any_code), "exit 1 with b'' is read as a denial"),
    ],
)  # fmt: skip
def test_a_host_that_falls_short_is_named(host, complaint):
    with pytest.raises(AssertionError, match=complaint):
        run_host_conformance(host, PAYLOADS)
