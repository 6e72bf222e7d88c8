"""Send spans and metrics to an OpenTelemetry collector over HTTP, as the OTEL_* variables say."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Sequence

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, MetricExportResult, MetricsData
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace.export import SpanExportResult

from interlock import __version__
from interlock.errors import InterlockError
from interlock.receipts.logbook import LogEntry
from interlock.telemetry.spans import spans_of

__all__ = ["OtlpSender"]

_DEFAULT = "http://localhost:4318"


class OtlpSender:
    """Takes entries of the record and passes them on."""

    def __init__(self) -> None:
        _refuse_other_settings()
        self.name = _name_of_target()
        self._problems = _Problems()
        logger = logging.getLogger("opentelemetry")
        logger.addHandler(self._problems)
        logger.propagate = False  # what went wrong is said once, in our words
        resource = Resource.create()
        if str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
            resource = resource.merge(Resource({SERVICE_NAME: "interlock"}))
        self._resource = resource.merge(Resource({SERVICE_VERSION: __version__}))
        self._spans = OTLPSpanExporter() if _is_wanted("TRACES") else None
        self._metrics = OTLPMetricExporter() if _is_wanted("METRICS") else None
        self._counts = None if self._metrics is None else _Counts(self._metrics, self._resource)
        self._unsent: MetricsData | None = None

    def send_spans(self, entries: Sequence[LogEntry], is_first: Callable[[LogEntry], bool]) -> str | None:
        """Send the spans of these entries; return why they did not arrive, or None."""
        if self._spans is None:
            return None
        spans = [span for one in entries for span in spans_of(one, self._resource, is_first=is_first(one))]
        if not spans or self._spans.export(spans) is SpanExportResult.SUCCESS:
            return None
        return self._problems.take("the collector did not take the spans")

    def count(self, entries: Sequence[LogEntry]) -> None:
        """Count entries, once each."""
        if self._counts is not None:
            for one in entries:
                self._counts.add(one)

    def send_metrics(self) -> str | None:
        """Send the counts; return why they did not arrive, or None."""
        if self._counts is None or self._metrics is None:
            return None
        # Counts since the last time are counted from zero again once they are read, so they are kept until they arrive.
        self._unsent = self._unsent or self._counts.read()
        if self._unsent is not None and self._metrics.export(self._unsent) is not MetricExportResult.SUCCESS:
            return self._problems.take("the collector did not take the metrics")
        self._unsent = None
        return None


class _Counts:
    """Verdicts, rules, questions and how long people took to answer."""

    def __init__(self, exporter: OTLPMetricExporter, resource: Resource) -> None:
        temporality = exporter._preferred_temporality
        self._reader = InMemoryMetricReader(preferred_temporality=temporality)
        meter = MeterProvider([self._reader], resource=resource, shutdown_on_exit=False).get_meter(
            "interlock", __version__
        )
        self._verdicts = meter.create_counter("interlock.verdicts", "{call}", "Calls by tool, decision and outcome")
        self._rules = meter.create_counter("interlock.rule.hits", "{call}", "Calls on which a rule had an opinion")
        self._asks = meter.create_counter("interlock.asks", "{call}", "Calls that a person was asked about")
        self._waits = meter.create_histogram("interlock.answer.duration", "s", "How long a person took to answer")

    def add(self, entry: LogEntry) -> None:
        if not entry.is_call:
            return
        decision = entry.decision or "none"
        self._verdicts.add(1, {"tool": entry.tool or "", "decision": decision, "outcome": entry.outcome or ""})
        for rule in entry.rules:
            self._rules.add(1, {"rule": rule, "decision": decision})
        if entry.asked_by is not None:
            self._asks.add(1, {"asked_by": entry.asked_by, "answer": entry.answer or "none"})
            answered = next((one.at for one in entry.records if one.record.get("answer")), None)
            if answered is not None:
                self._waits.record(max(0.0, answered - entry.at), {"answer": entry.answer or "none"})

    def read(self) -> MetricsData | None:
        return self._reader.get_metrics_data()


class _Problems(logging.Handler):
    """What the exporters say about a failure; the last of it is what a person is told."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._last = ""

    def emit(self, record: logging.LogRecord) -> None:
        self._last = record.getMessage().partition("\n")[0]

    def take(self, otherwise: str) -> str:
        last, self._last = self._last, ""
        return f"{otherwise}: {last}" if last else otherwise


def _is_wanted(signal: str) -> bool:
    return os.environ.get(f"OTEL_{signal}_EXPORTER", "otlp").strip().lower() != "none"


def _refuse_other_settings() -> None:
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        raise InterlockError("OTEL_SDK_DISABLED is set, so nothing is sent", help="unset it")
    for name in ("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"):
        protocol = os.environ.get(name, "").strip() or "http/protobuf"
        if protocol != "http/protobuf":
            raise InterlockError(f"{name} is `{protocol}`; Interlock sends http/protobuf", help=f"unset {name}")


def _name_of_target() -> str:
    """A name for the place that is sent to: for each, it is remembered how far the record was sent."""
    names = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    target = next((os.environ[name] for name in names if os.environ.get(name)), _DEFAULT)
    return "otlp-" + hashlib.sha256(target.encode("utf-8", "surrogateescape")).hexdigest()[:16]
