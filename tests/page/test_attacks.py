"""What the page must withstand: strangers' pages, other servers on this machine, and the agent itself."""

from __future__ import annotations

import http.server
import socket
import sqlite3
import threading
import time
from contextlib import closing

import pytest
from msgspec.structs import replace

from interlock.page.door.headers import HEADERS
from interlock.store.asking import ApprovalRequest
from interlock.store.asking_rows import keep_request
from tests.page.visit import Visit

HOSTILE = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title = 'owned'\">"


@pytest.fixture
def request_id(world) -> str:
    return world.ask("make deploy").id


@pytest.fixture
def unanswered(world, request_id):
    """The attack has not answered the request."""
    yield
    assert world.store.request(request_id).status == "waiting"


class Neighbour(http.server.BaseHTTPRequestHandler):
    """Another server on this machine: it shows any page, and keeps what browsers send it."""

    page = b""
    seen: list[str]

    def do_GET(self) -> None:
        self.seen.append(self.headers.get("Cookie", ""))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def neighbour():
    handler = type("_Neighbour", (Neighbour,), {"seen": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield handler, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def victim(browser_context):
    """A tab of the browser in which the person is signed in. Its console may say what it wants."""
    return browser_context.new_page()


# --- pages of strangers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_on_another_page_answers_nothing(victim, neighbour, address, request_id, unanswered, encoding):
    handler, elsewhere = neighbour
    handler.page = f"""<form method="post" enctype="{encoding}" action="{address}/inbox/{request_id}/answer">
        <input name='{{"yes": true, "x": "' value='"}}'></form><script>document.forms[0].submit()</script>""".encode()
    with victim.expect_response(f"{address}/inbox/*/answer") as answer:
        victim.goto(elsewhere)
    assert answer.value.status == 403


def test_a_script_on_another_page_neither_answers_nor_reads(victim, neighbour, address, request_id, unanswered):
    handler, elsewhere = neighbour
    handler.page = b"<title>elsewhere</title>"
    victim.goto(elsewhere)
    script = """async ([url, init]) => {
        try { const answer = await fetch(url, init); return answer.type + answer.status + (await answer.text()); }
        catch (error) { return "refused"; } }"""
    json_body = {"method": "POST", "credentials": "include", "body": '{"yes": true}'}
    answers = f"{address}/inbox/{request_id}/answer"
    for init in (
        {**json_body, "headers": {"Content-Type": "application/json", "Interlock-Key": "x"}},
        {**json_body, "headers": {"Content-Type": "text/plain"}},
    ):
        assert victim.evaluate(script, [answers, init]) == "refused"
    assert victim.evaluate(script, [answers, {**json_body, "mode": "no-cors"}]) in ("opaque0", "refused")
    assert victim.evaluate(script, [f"{address}/inbox", {"credentials": "include"}]) == "refused"


def test_another_page_cannot_show_the_page_inside_itself(victim, neighbour, address):
    handler, elsewhere = neighbour
    handler.page = f'<iframe src="{address}/inbox"></iframe>'.encode()
    victim.goto(elsewhere)
    inner = victim.frames[1]
    inner.wait_for_load_state()
    assert "Interlock" not in (inner.title() or "")


def test_a_name_that_leads_here_is_not_our_address(visit, address, request_id, unanswered):
    port = address.rpartition(":")[2]
    for host in (f"rebound.example:{port}", "rebound.example", f"localhost:{port}", f"127.0.0.1.nip.io:{port}", ""):
        assert visit.get("/inbox", Host=host).status in (400, 421), host
        assert visit.post(f"/inbox/{request_id}/answer", {"yes": True}, Host=host).status in (400, 421), host


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://stranger.example"},
        {"Origin": "null"},
        {"Origin": None},
        {"Origin": "http://127.0.0.1:3000"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
        {"Content_Type": "text/plain"},
        {"Content_Type": None},
        {"Interlock_Key": None},
        {"Interlock_Key": ""},
        {"Interlock_Key": "x" * 43},
        {"Cookie": None},
    ],
    ids=str,
)
def test_an_answer_needs_everything_that_our_own_page_sends(visit, request_id, unanswered, headers):
    assert visit.post(f"/inbox/{request_id}/answer", {"yes": True}, **headers).status in (401, 403, 415)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "NONSENSE"])
def test_other_methods_are_refused(visit, request_id, unanswered, method):
    assert visit.ask(method, f"/inbox/{request_id}/answer", None, {"Origin": visit.address}).status in (400, 405)


@pytest.mark.parametrize("path", ["/inbox", "/enter", "/static/x/page.css", "/nothing", "/grants", "/events-not"])
def test_every_response_forbids_frames_inline_scripts_and_guessing(visit, path):
    headers = visit.get(path).headers
    assert {name: headers.get(name.lower()) for name in HEADERS} == HEADERS


# --- other servers on this machine, and the agent ---------------------------------------------------------------


def test_a_server_on_another_port_is_sent_the_cookie_but_cannot_answer_with_it(
    victim, neighbour, address, request_id, unanswered
):
    handler, elsewhere = neighbour
    victim.goto("/inbox")
    victim.goto(elsewhere)
    stolen = next(cookie for cookie in handler.seen if "interlock-" in cookie)
    thief = Visit(address, {"Cookie": stolen})
    assert thief.get(f"/inbox/{request_id}").status == 200, "browsers do send it: the cookie must not be enough"
    assert thief.post(f"/inbox/{request_id}/answer", {"yes": True}).status == 403
    assert thief.post("/inbox/answers", {"ids": [request_id], "yes": True}).status == 403
    assert thief.post("/grants/x/revoke", {}).status == 403


def test_the_key_is_in_no_page_and_no_stream(visit, admission, request_id):
    for path in ("/inbox", f"/inbox/{request_id}", f"/inbox/{request_id}/desk", "/grants", "/enter"):
        assert admission.key not in visit.get(path).text


def test_the_agents_own_curl_is_refused(address, request_id, unanswered):
    stranger = Visit(address)
    assert stranger.get("/inbox").status == 401
    assert stranger.get(f"/inbox/{request_id}").status == 401
    assert stranger.get("/events").status == 401
    assert stranger.post(f"/inbox/{request_id}/answer", {"yes": True}).status == 401


def test_a_link_that_was_used_lets_nobody_in(address, door):
    secret = door.keeper.mint()
    stranger = Visit(address)
    assert stranger.post("/enter", {"secret": secret}).status == 200
    assert stranger.post("/enter", {"secret": secret}).status == 403


def test_guessing_links_is_slowed_down(address, door):
    stranger = Visit(address)
    tries = [stranger.post("/enter", {"secret": f"{number:043}"}) for number in range(14)]
    assert {one.status for one in tries[:10]} == {403}
    assert {one.status for one in tries[11:]} == {429}
    assert int(tries[-1].headers["retry-after"]) >= 1


@pytest.mark.parametrize("secret", ["", None, 7, ["x"], {"a": 1}, "x" * 5000, "☃"])
def test_what_is_not_a_secret_lets_nobody_in(address, secret):
    assert Visit(address).post("/enter", {"secret": secret}).status == 403


def test_a_guessed_request_is_not_there(visit):
    for id in ("0000000000", "..", "%2e%2e", "1' OR 1=1", "a" * 500):
        assert visit.get(f"/inbox/{id}".replace(" ", "%20")).status == 404
        assert visit.post(f"/inbox/{id}/answer".replace(" ", "%20"), {"yes": True}).status == 404


def test_too_many_requests_of_strangers_do_not_keep_the_person_out(visit, address):
    stranger = Visit(address)
    statuses = {stranger.get("/inbox").status for _ in range(600)}
    assert statuses == {401, 429} or statuses == {401}, statuses
    assert visit.get("/inbox").status == 200


def test_answers_are_limited(visit, request_id, unanswered):
    answers = [visit.post("/inbox/0000000000/answer", {"yes": True}) for _ in range(120)]
    late = [one for one in answers if one.status == 429]
    assert late, "an answer in a loop is not a person's"
    assert int(late[0].headers["retry-after"]) >= 1


# --- what tools and agents write -----------------------------------------------------------------------------


def test_what_an_agent_writes_is_text_everywhere(world, tab):
    world.guard.close()
    hostile = world.call("process_refund", session=f"s-{HOSTILE}", amount=HOSTILE, **{HOSTILE: HOSTILE})
    line = world.ask(f"make deploy NAME='{HOSTILE}'")
    for id in (hostile.request, line.id):
        tab.goto(f"/inbox/{id}")
        assert HOSTILE in tab.locator("#desk .diff").inner_text()
        assert tab.title() == "(2) Inbox · Interlock"
        assert tab.locator("#main script, #main img").count() == 0


def test_signs_that_turn_text_round_are_shown_as_what_they_are(world, tab):
    request = world.ask("make deploy # \u202e txt.exe \u200b\x1b[2K")
    tab.goto(f"/inbox/{request.id}")
    assert r"\u202e txt.exe \u200b\x1b[2K" in tab.locator("#desk .diff").inner_text()


def test_the_list_stays_short_and_the_count_true_with_ten_thousand_requests(world, visit, address):
    first = world.ask("make deploy")
    fill(world, first, 9_999)
    visit.get("/inbox")
    began = time.perf_counter()
    answer = visit.get("/inbox")
    took = time.perf_counter() - began
    assert "10,000 waiting" in answer.text
    assert answer.text.count('class="row waiting"') == 200
    assert len(answer.body) < 400_000
    assert took < 5, "bounded, however slow the machine: the benchmark has the figure"
    assert visit.post(f"/inbox/{first.id}/answer", {"yes": True}).json()["outcome"] == "yes"


def fill(world, like: ApprovalRequest, count: int) -> None:
    """So many more requests like this one, written at once: 10,000 commits would take longer than all other tests."""
    with closing(sqlite3.connect(world.folder / "store" / "interlock.db")) as connection, connection:
        for number in range(count):
            one = replace(like, id=f"{number:010x}", at=like.at + number / 1000, shape=f"make {number % 7}")
            keep_request(connection, one)


# --- bodies and paths ---------------------------------------------------------------------------------------------


def test_a_body_that_is_too_long_is_refused(visit, request_id, unanswered):
    answer = visit.post(f"/inbox/{request_id}/answer", b'{"yes": true, "note": "' + b"x" * (1 << 20) + b'"}')
    assert answer.status == 413


def test_a_body_that_never_ends_holds_nobody_else_up(visit, address, request_id, unanswered):
    host, port = address.partition("://")[2].split(":")
    with socket.create_connection((host, int(port))) as slow:
        head = f"POST /inbox/{request_id}/answer HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {address}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: 100\r\nCookie: {visit.headers['Cookie']}\r\n"
        slow.sendall(f"{head}Interlock-Key: {visit.key}\r\n\r\n{{".encode())
        assert visit.get("/inbox").status == 200


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b'{"yes": 1}', b'{"yes": "true"}', b"{", b"\xff", b'{"ids": []}']
)
def test_what_is_not_an_answer_is_refused(visit, request_id, unanswered, body):
    assert visit.post(f"/inbox/{request_id}/answer", body).status == 400
    assert visit.post("/inbox/answers", body).status == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/../app.py",
        "/static/x/%2e%2e/app.py",
        "/static/x/..%2fapp.py",
        "/static/x//etc/passwd",
        "/static/../../../../../etc/passwd",
        "/static/x/",
        "/static/",
        "/static/x/%00",
    ],
)
def test_only_the_pages_own_files_are_served(address, path):
    answer = Visit(address).get(path)
    assert answer.status in (401, 404), answer.text
    assert "root:" not in answer.text
    assert "import" not in answer.text
