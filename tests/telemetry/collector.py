"""An OpenTelemetry collector on this machine: it decodes what it is sent, and refuses if it is told to."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    """What has arrived. `refusals` says how many of the next messages to each path are refused."""

    def __init__(self) -> None:
        self.url = ""
        self.spans: list[Any] = []
        self.resources: list[dict[str, Any]] = []
        self.metrics: list[Any] = []
        self.refusals: dict[str, int] = {}

    def take(self, path: str, body: bytes) -> int:
        if self.refusals.get(path, 0) > 0:
            self.refusals[path] -= 1
            return 400  # an exporter tries others again by itself
        if path == "/v1/traces":
            traces = ExportTraceServiceRequest.FromString(body)
            for group in traces.resource_spans:
                self.resources.append(values(group.resource.attributes))
                self.spans += [span for scope in group.scope_spans for span in scope.spans]
        elif path == "/v1/metrics":
            for one in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.metrics += [metric for scope in one.scope_metrics for metric in scope.metrics]
        return 200

    def points(self, name: str) -> dict[tuple[str, ...], float]:
        """The newest points of a metric: the values of its attributes → how many."""
        newest = [one for one in self.metrics if one.name == name][-1]
        data = newest.histogram if newest.HasField("histogram") else newest.sum
        return {
            tuple(str(value) for _, value in sorted(values(point.attributes).items())): (
                point.count if newest.HasField("histogram") else point.as_int
            )
            for point in data.data_points
        }


def values(attributes: Any) -> dict[str, Any]:
    return {one.key: _value(one.value) for one in attributes}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_value(one) for one in value.array_value.values] if kind == "array_value" else getattr(value, kind)


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            self.send_response(collector.take(self.path, body))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
