"""Hooks behind a URL: the same contract over HTTP."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from msgspec import json

from interlock.fold import Draft, Round
from interlock.hooks.external import External
from interlock.verdict import Opinion
from tests.hooks.events import pre
from tests.hooks.test_external import (
    AMPLE,
    CHAIN,
    LATE,
    SHORT,
    SOURCE,
    ask,
    external,
    failed,
    one,
    panel,
    specific,
)

Request: TypeAlias = Any  # a BaseHTTPRequestHandler, and the body it was `told`
Answer = Callable[[Request], None]
Serve = Callable[..., str]


def answering(body: Any = b"", status: int = 200, **headers: str) -> Answer:
    """A server's answer, with its length unless `length` says otherwise."""
    raw = body if isinstance(body, bytes) else json.encode(body)
    length = headers.pop("length", str(len(raw)))

    def answer(request: Request) -> None:
        request.send_response(status)
        for name, value in {"Content-Length": length, **headers}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(raw)

    return answer


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve answers on loopback; the URL, without its scheme."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Answer, tls: ssl.SSLContext | None = None) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.told = self.rfile.read(int(self.headers["Content-Length"]))
                answer(self)

            def log_message(self, *_: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return f"127.0.0.1:{server.server_port}/hook?x=1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def by_url(address: str, **given: Any) -> External:
    return external(url=f"http://{address}", **given)


def test_a_url_is_posted_the_event(serve: Serve, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    told = []

    def answer(request: Request) -> None:
        told.append((request.command, request.path, request.headers["Content-Type"], request.told))
        answering(specific(permissionDecision="deny", permissionDecisionReason="No."))(request)

    raw = pre("Bash", command="x")
    opinion = one(by_url(serve(answer)), raw, Round(Draft({"command": "y"})))
    assert opinion == Opinion(by="guard", source=SOURCE, decision="deny", reason="No.")
    [(method, path, kind, body)] = told
    assert (method, path, kind, body[-1:]) == ("POST", "/hook?x=1", "application/json", b"\n")
    assert json.decode(body) == {**json.decode(raw), "tool_input": {"command": "y"}}


def test_programs_and_urls_stand_in_one_order(serve: Serve):
    def answer(request: Request) -> None:
        command = json.decode(request.told)["tool_input"]["command"] + "u"
        answering({"decision": "allow", "updated_input": {"command": command}})(request)

    judges = panel(CHAIN[0], by_url(serve(answer), dialect="flat"), CHAIN[2])
    changes = [mine[0].change for mine in ask(judges, pre("Bash", command="x")).values()]
    assert changes == [{"command": "xa"}, {"command": "xau"}, {"command": "xaub"}]


@pytest.mark.parametrize("answer", [answering(), answering(status=204), answering(b" \n", 202), answering(b"{}", 201)])
def test_a_url_that_has_nothing_to_say_has_no_opinion(answer: Answer, serve: Serve):
    assert ask(by_url(serve(answer)), pre()) == {}


@pytest.mark.parametrize(
    "body",
    [
        {"reason": "Blocked delete_account"},
        {"stopReason": "delete_account is forbidden"},
        specific(permissionDecisionReason="Denied: no ticket"),
        b"Blocked delete_account",
    ],
)
def test_a_url_that_says_no_and_decides_nothing_denies(body: Any, serve: Serve):
    """S1-04"""
    opinion = one(by_url(serve(answering(body))), pre("delete_account", customer="C-1042"))
    assert opinion.decision == "deny"


@pytest.mark.parametrize("body", [{}, {"reason": "0 blocked"}, {"reason": "checked against the deny list"}])
def test_a_url_that_reports_is_left_alone(body: Any, serve: Serve):
    said = ask(by_url(serve(answering(body))), pre("delete_account", customer="C-1042")).get(0, (Opinion(),))[0]
    assert (said.decision, said.error) == (None, None)
    assert ("Claude Code does not read it" in (said.notice or "")) == bool(body)


def test_a_url_may_answer_without_a_length_or_in_chunks(serve: Serve):
    def chunked(request: Request) -> None:
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        request.wfile.write(b"10\r\n" + b'{"blocked": true' + b"\r\n1\r\n}\r\n0\r\n\r\n")

    def open_ended(request: Request) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(b'{"blocked": true}')

    for answer in (chunked, open_ended):
        assert one(by_url(serve(answer), dialect="flat"), pre()).decision == "deny"


NO_JSON = "answered something that is not a JSON object: answer with one, or with nothing"
LONG = "answered more than 1,048,576 bytes: answer with one JSON object only"
SILENT = "could not be reached: Remote end closed connection without response; start its server, or correct its `url`"
URL_FAILURES: dict[str, tuple[Answer, str]] = {
    "error": (answering({}, 500), "answered 500: look into its server's log"),
    "redirect": (answering(status=302), "answered 302, a redirect: write the final address as `url`"),
    "text": (answering(b"fine"), NO_JSON),
    "array": (answering([]), NO_JSON),
    "too much": (answering(b"{" + b" " * 1_048_576), LONG),
    "broken off": (answering(b"{}", length="9"), "broke off its answer: look into its server's log"),
    "not even begun": (answering(b"", length="9"), "broke off its answer: look into its server's log"),
    "silent": (lambda request: None, SILENT),
}


@pytest.mark.parametrize("name", URL_FAILURES)
def test_a_url_that_fails_denies_and_says_how_to_mend_it(name: str, serve: Serve):
    answer, message = URL_FAILURES[name]
    failed(one(by_url(serve(answer)), pre()), f"hook `guard` (interlock.yaml:3) {message}")


def test_a_redirect_is_not_followed(serve: Serve):
    visited = []
    there = serve(lambda request: visited.append(request.path))
    assert one(by_url(serve(answering(status=307, Location=f"http://{there}"))), pre()).decision == "deny"
    assert visited == []


def test_a_broken_document_is_read_strictly(serve: Serve):
    opinion = one(by_url(serve(answering(b'{"continue": tru}'))), pre())
    assert (opinion.error or "").startswith("guard failed (invalid-json): ")


def test_a_url_that_nobody_serves_denies():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    error = "could not be reached: [Errno 111] Connection refused; start its server, or correct its `url`"
    failed(one(by_url(address), pre()), f"hook `guard` (interlock.yaml:3) {error}")


def test_a_peer_that_does_not_speak_http_denies():
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_greet, args=(server, b"220 smtp ready\r\n"), daemon=True).start()
        opinion = one(by_url(f"127.0.0.1:{server.getsockname()[1]}"), pre())
    assert (opinion.error or "").startswith("hook `guard` (interlock.yaml:3) did not answer in HTTP: BadStatusLine")


def _greet(server: socket.socket, greeting: bytes) -> None:
    peer, _ = server.accept()
    with peer:
        peer.recv(65536)
        peer.sendall(greeting)


def _trickle(server: socket.socket, head: bytes, done: threading.Event) -> None:
    """Send a byte now and then until the peer has enough."""
    peer, _ = server.accept()
    with peer:
        try:
            peer.sendall(head)
            while not done.wait(0.02):
                peer.sendall(b" ")
        except OSError:
            return


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nX:", b"HTTP/1.1 200 OK\r\n\r\n{"])
def test_a_url_that_trickles_past_the_deadline_denies_and_its_thread_ends(head: bytes):
    done = threading.Event()
    before = set(threading.enumerate())
    with socket.create_server(("127.0.0.1", 0)) as server:
        server_thread = threading.Thread(target=_trickle, args=(server, head, done), daemon=True)
        server_thread.start()
        opinion = one(by_url(f"127.0.0.1:{server.getsockname()[1]}", timeout=SHORT), pre())
        for thread in set(threading.enumerate()) - before - {server_thread}:
            thread.join(AMPLE)
        assert set(threading.enumerate()) <= before | {server_thread}
        done.set()
        server_thread.join(AMPLE)
    failed(opinion, f"hook `guard` (interlock.yaml:3) {LATE}")


def test_a_name_that_is_never_resolved_denies_in_time(monkeypatch: pytest.MonkeyPatch):
    done = threading.Event()

    def hang(*_: Any, **__: Any) -> Any:
        done.wait(AMPLE)
        raise socket.gaierror("gave up")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    try:
        opinion = one(external(url="https://guard.invalid/", timeout=SHORT), pre())
        failed(opinion, f"hook `guard` (interlock.yaml:3) {LATE}")
    finally:
        done.set()


def test_localhost_that_is_another_machine_is_told_nothing(serve: Serve, monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []
    port = serve(lambda request: told.append(request.path)).split(":")[1]
    monkeypatch.setattr("interlock.hooks.external._is_loopback", lambda address: False)
    opinion = one(external(url=f"http://localhost:{port}"), pre())
    assert (opinion.reason or "").endswith("is on another machine, and its `url` is not encrypted: use https")
    assert told == []


def test_thirty_requests_leave_no_file_open(serve: Serve):
    address = serve(answering(b"{}"))
    nobody = external(url="http://127.0.0.1:1")
    ask(by_url(address), pre())
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(15):
        ask(panel(by_url(address), nobody), pre())
    # The server lives in this process and closes its side when it likes: a leak would be thirty, not two.
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 2


@pytest.fixture
def tls(tmp_path: Path) -> tuple[ssl.SSLContext, str]:
    """A server's side of TLS, and the file with the certificate that is to be trusted."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


def test_https_needs_a_certificate_that_is_trusted(
    serve: Serve, tls: tuple[ssl.SSLContext, str], monkeypatch: pytest.MonkeyPatch
):
    context, certificate = tls
    url = f"https://{serve(answering({'blocked': True, 'message': 'No.'}), context)}"
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    assert "certificate verify failed" in (one(external(url=url, dialect="flat"), pre()).error or "")
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    assert one(external(url=url, dialect="flat"), pre()) == Opinion(
        by="guard", source=SOURCE, decision="deny", reason="No."
    )
