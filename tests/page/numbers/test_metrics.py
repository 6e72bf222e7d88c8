"""`/metrics`: what a real parser reads from it, and who may read it."""

from __future__ import annotations

import re

import pytest

from interlock.daemon.page_client import stop_page
from interlock.errors import InterlockError
from interlock.page.door.door import Door
from interlock.page.launching import start_page
from interlock.page.metrics import Metric, RisingTotals, exposition
from interlock.page.options import PageOptions
from tests.page.visit import Visit

Sample = tuple[str, tuple[tuple[str, str], ...]]
_SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (-?\d+(?:\.\d+)?)')
_LABEL = re.compile(r'([a-z]+)="((?:[^"\\\n]|\\["\\n])*)"')
_ESCAPES = {"\\\\": "\\", "\\n": "\n", '\\"': '"'}


def parse(text: str) -> tuple[dict[str, str], dict[Sample, float]]:
    """The types of the metrics, and every sample. Strict: a line that the format does not have is an error."""
    types: dict[str, str] = {}
    found: dict[Sample, float] = {}
    assert text.endswith("\n")
    lines = text.splitlines()
    while lines:
        name = re.fullmatch(r"# HELP ([a-z_]+) \S.*", lines.pop(0))
        kind = re.fullmatch(r"# TYPE ([a-z_]+) (counter|gauge)", lines.pop(0))
        assert name
        assert kind
        assert name[1] == kind[1]
        assert name[1] not in types
        types[name[1]] = kind[2]
        while lines and not lines[0].startswith("#"):
            sample = _SAMPLE.fullmatch(lines.pop(0))
            assert sample
            assert sample[1] == name[1]
            labels = tuple((one[1], unescape(one[2])) for one in _LABEL.finditer(sample[2] or ""))
            assert (sample[1], labels) not in found
            found[sample[1], labels] = float(sample[3])
    return types, found


def unescape(text: str) -> str:
    return re.sub(r"\\.", lambda match: _ESCAPES[match[0]], text)


def samples(text: str) -> dict[Sample, float]:
    return parse(text)[1]


def test_every_metric_has_its_type_and_help(visit):
    answer = visit.get("/metrics")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert parse(answer.text)[0] == {
        "interlock_calls_total": "counter",
        "interlock_changed_calls_total": "counter",
        "interlock_breaches_total": "counter",
        "interlock_answers_total": "counter",
        "interlock_waiting_requests": "gauge",
        "interlock_open_requests": "gauge",
        "interlock_oldest_waiting_seconds": "gauge",
        "interlock_records": "gauge",
        "interlock_records_counted": "gauge",
    }


def test_prometheus_own_parser_reads_the_same(visit):
    parser = pytest.importorskip("prometheus_client.parser", reason="prometheus-client is not installed")
    text = visit.get("/metrics").text
    theirs = {
        (sample.name, tuple(sample.labels.items())): sample.value
        for family in parser.text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert theirs == samples(text)


def test_counters_count_what_happened_since_they_were_first_read(past, context, visit):
    past.days_ago(1).ran("git status")
    context.digest.catch_up()
    visit.get("/metrics")
    past.days_ago(0)
    past.ran("git log")
    past.ran("npm test")
    past.call("git push --force origin main")
    past.asked("make deploy", "yes")
    past.asked("make deploy", "no")
    past.asked("npm install x", "none")
    context.digest.catch_up()
    found = samples(visit.get("/metrics").text)
    assert {labels[0][1]: value for (name, labels), value in found.items() if name == "interlock_calls_total"} == {
        "allow": 0,
        "ask": 3,
        "deny": 1,
        "none": 2,
    }
    assert {labels[0][1]: value for (name, labels), value in found.items() if name == "interlock_answers_total"} == {
        "yes": 1,
        "edited": 0,
        "no": 1,
        "none": 1,
    }
    assert found["interlock_changed_calls_total", ()] == 1
    assert found["interlock_open_requests", ()] == 1
    assert found["interlock_records", ()] == found["interlock_records_counted", ()]


def test_a_call_that_waits_is_seen_with_its_age(past, context, visit):
    past.days_ago(0).call("make deploy")
    found = samples(visit.get("/metrics").text)
    assert (found["interlock_waiting_requests", ()], found["interlock_oldest_waiting_seconds", ()]) == (1, 59)


def test_a_total_that_falls_never_makes_a_counter_fall():
    rising = RisingTotals()
    seen = [rising.take({"calls": total})["calls"] for total in (100, 130, 40, 45)]
    assert seen == [0, 30, 30, 35]


def test_the_past_is_not_counted_as_if_it_happened_now():
    rising = RisingTotals()
    assert rising.latest() == {}
    assert rising.take({"calls": 1_000_000}) == {"calls": 0}


def test_values_and_help_are_escaped():
    text = exposition([Metric("x", "gauge", "a\\b\nc", [({"name": 'say "hi"\\\n'}, 1.5)])])
    assert text == '# HELP x a\\\\b\\nc\n# TYPE x gauge\nx{name="say \\"hi\\"\\\\\\n"} 1.5\n'
    assert list(samples(text)) == [("x", (("name", 'say "hi"\\\n'),))]


def test_nobody_reads_them_without_signing_in(address):
    assert Visit(address).get("/metrics").status == 401


class TestOpenToThisMachine:
    @pytest.fixture
    def door(self, listener) -> Door:
        return Door(listener.getsockname()[1], open_paths=("/metrics",))

    def test_everybody_on_the_machine_reads_them_and_nothing_else(self, address):
        stranger = Visit(address)
        assert stranger.get("/metrics").status == 200
        assert [stranger.get(path).status for path in ("/metrics/", "/overview", "/rules", "/metricsx")] == [401] * 4

    def test_another_page_in_a_browser_does_not(self, address):
        answer = Visit(address).get("/metrics", Origin="https://example.org", Sec_Fetch_Site="cross-site")
        assert answer.status == 403
        assert Visit(address).get("/metrics", Host="example.org").status == 421


# The page's process is meant to outlive the one that started it.
@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
def test_what_a_person_chose_reaches_the_page_that_is_started(tmp_path):
    try:
        page = start_page(tmp_path, PageOptions(metrics=True, editor="zed"))
        assert (page.metrics, page.editor) == (True, "zed")
        stranger = Visit(page.address)
        assert [stranger.get(path).status for path in ("/metrics", "/overview")] == [200, 401]
        assert start_page(tmp_path).pid == page.pid
        with pytest.raises(InterlockError, match="the page runs already"):
            start_page(tmp_path, PageOptions(editor="vscode"))
    finally:
        stop_page()
