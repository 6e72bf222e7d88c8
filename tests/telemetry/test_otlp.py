"""The record reaches an OpenTelemetry collector as spans and metrics: everything once, and no secrets."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from interlock.errors import InterlockError
from interlock.store.place import open_store, store_file, witness_file
from interlock.telemetry.otlp import OtlpSender
from interlock.telemetry.tail import send_record
from tests.cli.test_log import START, entry, keep, prompt, result
from tests.lint.project import Project
from tests.telemetry.collector import Collector, collecting, values


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting() as found:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", found.url)
        yield found


def send(**options: Any) -> list[str]:
    """Send what was not sent yet; what a person is told."""
    told: list[str] = []
    with closing(open_store()) as store:
        send_record(store, OtlpSender(), say=told.append, **options)
    return told


def names(collector: Collector) -> list[str]:
    return [span.name for span in collector.spans]


def calls(collector: Collector) -> list[str]:
    found = [values(span.attributes).get("interlock.call") for span in collector.spans]
    return [one for one in found if one is not None]


def a_day() -> None:
    keep(
        entry(0, "a", "deny", "no-force", reason="Never.", command="git push -f"),
        entry(60, "a", None, command="ls -la"),
        result(61, "a", 60, duration_ms=1500),
        prompt(62, "a", "and now?"),
        entry(120, "b", "ask", "ask-mv", reason="Move?", command="mv a b"),
        entry(150, "b", "allow", "ask-mv", command="mv a b", tool_use_id="toolu_b120", more={"answer": "yes"}),
        result(151, "b", 120),
    )


def test_a_session_is_a_trace_and_a_call_is_a_span(project: Project, collector: Collector):
    a_day()
    assert send() == ["entries sent: 3"]
    assert names(collector) == [
        "session", "execute_tool Bash", "execute_tool Bash", "session", "execute_tool Bash",
    ]  # fmt: skip
    root, denied, ran, other, asked = collector.spans
    assert root.trace_id == denied.trace_id == ran.trace_id != other.trace_id == asked.trace_id
    assert (denied.parent_span_id, ran.parent_span_id, asked.parent_span_id) == (
        root.span_id, root.span_id, other.span_id,
    )  # fmt: skip
    assert values(denied.attributes) == {
        "gen_ai.conversation.id": "a",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "Bash",
        "gen_ai.tool.call.id": "toolu_a0",
        "interlock.agent": "main",
        "interlock.call": "git push -f",
        "interlock.decision": "deny",
        "interlock.entry": 1,
        "interlock.folder": "shop",
        "interlock.outcome": "denied",
        "interlock.project": str(project.root),
        "interlock.reason": "Never.",
        "interlock.rules": ["no-force"],
    }
    second = 1_000_000_000
    assert (ran.start_time_unix_nano, ran.end_time_unix_nano) == ((START + 60) * second, (START + 61) * second)
    assert values(ran.attributes)["interlock.seconds"] == 1.5
    said = values(asked.attributes)
    assert (said["interlock.asked_by"], said["interlock.answer"], said["interlock.outcome"]) == ("rule", "yes", "ran")
    assert [one.name for one in asked.events] == ["PreToolUse", "PreToolUse", "PostToolUse"]
    assert collector.resources[0]["service.name"] == "interlock"


def test_verdicts_rules_asks_and_answer_times_are_counted(project: Project, collector: Collector):
    a_day()
    send()
    assert collector.points("interlock.verdicts") == {
        ("deny", "denied", "Bash"): 1,
        ("none", "ran", "Bash"): 1,
        ("ask", "ran", "Bash"): 1,
    }
    assert collector.points("interlock.rule.hits") == {("deny", "no-force"): 1, ("ask", "ask-mv"): 1}
    assert collector.points("interlock.asks") == {("yes", "rule"): 1}
    assert collector.points("interlock.answer.duration") == {("yes",): 1}
    (point,) = next(one for one in collector.metrics if one.name == "interlock.answer.duration").histogram.data_points
    assert point.sum == 30.0


def test_nothing_is_sent_twice_and_nothing_is_left_out(project: Project, collector: Collector):
    a_day()
    keep(entry(200, "a", None, command="make"))  # runs still
    send()
    assert calls(collector) == ["git push -f", "ls -la", "mv a b"]
    keep(entry(300, "b", "deny", command="make clean"))
    assert send() == ["entries sent: 1"]
    assert send() == ["entries sent: 0"]
    keep(result(400, "a", 200))
    assert send() == ["entries sent: 1"]
    assert calls(collector) == ["git push -f", "ls -la", "mv a b", "make clean", "make"]
    assert names(collector).count("session") == 2


def test_a_call_whose_result_never_comes_is_sent_in_the_end(project: Project, collector: Collector):
    keep(entry(0, "a", None, command="sleep 1"), entry(3700, "b", "deny", command="x"))
    assert send() == ["entries sent: 2"]
    assert calls(collector) == ["sleep 1", "x"]
    keep(result(4000, "a", 0))  # too late
    assert send() == ["entries sent: 0"]


@pytest.mark.parametrize("path", ["/v1/traces", "/v1/metrics"])
def test_what_the_collector_refuses_is_sent_the_next_time(project: Project, collector: Collector, path: str):
    a_day()
    collector.refusals[path] = 1
    with pytest.raises(InterlockError, match="nothing was remembered as sent: the collector did not take the"):
        send()
    assert send() == ["entries sent: 3"]
    ids = {span.span_id for span in collector.spans}
    assert len(ids) == 5  # the same spans, even where some arrived before
    assert sum(collector.points("interlock.verdicts").values()) == 3


class InterruptError(Exception):
    """^C, while it waits."""


def test_following_tries_again_and_says_so_once(project: Project, collector: Collector):
    a_day()
    collector.refusals["/v1/traces"] = 3
    pauses: list[float] = []
    told: list[str] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if seconds == 0.5:
            raise InterruptError

    with closing(open_store()) as store, pytest.raises(InterruptError):
        send_record(store, OtlpSender(), follow=True, say=told.append, pause=pause)
    assert pauses == [1.0, 2.0, 4.0, 0.5]
    assert len(told) == 1
    assert calls(collector) == ["git push -f", "ls -la", "mv a b"]


def test_since_is_where_the_first_sending_begins(project: Project, collector: Collector):
    a_day()
    send(since=START + 100)
    assert calls(collector) == ["mv a b"]


def test_another_record_is_sent_from_its_beginning(project: Project, collector: Collector):
    a_day()
    send()
    shutil.rmtree(store_file().parent)
    witness_file().unlink()
    keep(entry(0, "c", "deny", command="new"))
    assert send()[-1] == "entries sent: 1"
    assert calls(collector)[-1] == "new"


SECRET = "AKIA" + "Q3EGRXNCAWLRT4ZP"


def test_secrets_of_inputs_do_not_reach_the_collector(project: Project, collector: Collector):
    project.policy("{id: no-deploy, command: deploy, deny: 'No: ${match.command.text}'}")
    event = {
        "session_id": "s", "transcript_path": "/t", "cwd": str(project.root), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": f"deploy --key {SECRET}"}, "tool_use_id": "t1",
    }  # fmt: skip
    ran = subprocess.run(
        [sys.executable, "-m", "interlock", "hook", "claude-code"], input=json.dumps(event).encode(), check=False,
        capture_output=True,
    )  # fmt: skip
    assert b"deny" in ran.stdout
    send()
    assert calls(collector) == ["deploy --key [redacted AWS access key]"]
    assert all(SECRET.encode() not in span.SerializeToString() for span in collector.spans)
    assert all(SECRET.encode() not in one.SerializeToString() for one in collector.metrics)


def test_the_standard_variables_are_heeded(project: Project, collector: Collector, monkeypatch: pytest.MonkeyPatch):
    a_day()
    monkeypatch.setenv("OTEL_SERVICE_NAME", "guard")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "team=shop")
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "none")
    send()
    assert (collector.resources[0]["service.name"], collector.resources[0]["team"]) == ("guard", "shop")
    assert collector.metrics == []
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    with pytest.raises(InterlockError, match="Interlock sends http/protobuf"):
        send()
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_PROTOCOL")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    with pytest.raises(InterlockError, match="nothing is sent"):
        send()


def test_two_do_not_send_at_once(project: Project, collector: Collector):
    a_day()
    with closing(open_store()) as store:

        def pause(seconds: float) -> None:
            with pytest.raises(InterlockError, match="sends the record already"):
                send()
            raise InterruptError

        with pytest.raises(InterruptError):
            send_record(store, OtlpSender(), follow=True, say=lambda _: None, pause=pause)


def test_the_command_sends_and_says_what_is_missing(
    project: Project, collector: Collector, monkeypatch: pytest.MonkeyPatch
):
    a_day()
    assert project.said("export", "--to", "otlp") == (0, "entries sent: 3\n")
    assert calls(collector) == ["git push -f", "ls -la", "mv a b"]
    blocked = project.write("import sys\nsys.modules['opentelemetry'] = None\n", "sitecustomize.py")
    monkeypatch.setenv("PYTHONPATH", str(blocked.parent))
    ran = subprocess.run(
        [sys.executable, "-m", "interlock", "export", "--to", "otlp"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[0].startswith("error: OpenTelemetry is not installed: ")
    assert ran.stderr.splitlines()[1] == "help: pip install 'interlock[otel]'"
