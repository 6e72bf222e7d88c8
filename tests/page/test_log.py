"""The Log: search, filters, follow, one record whole, and the chain's state."""

from __future__ import annotations

import re
import sqlite3
from html import unescape

import pytest
from starlette.datastructures import QueryParams

from interlock.judging.guard import Guard
from interlock.page import log_view
from interlock.page.digest.intake import Digest, Progress
from interlock.page.entry_words import became, tool_name, verdict_of
from interlock.page.log_query import LogQuery, read_query
from interlock.service import answer
from interlock.store.asking import RequestAnswer
from interlock.testing.events import payload_for
from tests.page.test_digest import ROW
from tests.page.world import ordinary_session

SHELL = {"stdout": "ok", "stderr": "", "interrupted": False}


def rows(text: str) -> list[tuple[str, str, str]]:
    """Of each row: the verdict, the call, and what became of it (without how long that took)."""
    found = []
    for row in re.findall(r'<tr class="link" id="e-.*?</tr>', text, re.DOTALL):
        verdict = re.search(r'class="verdict (\w+)"', row)
        call = re.search(r'<code class="line">(.*?)</code>', row, re.DOTALL)
        then = re.search(r'<td class="number then">(.*?)</td>', row)
        assert verdict is not None
        assert call is not None
        assert then is not None
        found.append((verdict[1], unescape(call[1]), then[1].split(",")[0]))
    return found


def chips(text: str) -> dict[str, str]:
    found = re.findall(r'<a class="chip" href="([^"]*)"[^>]*>.*?<b>([\d,]+)</b></a>', text)
    return {unescape(address): count for address, count in found}


def test_every_call_is_listed_with_what_became_of_it(world, visit):
    ordinary_session(world)
    text = visit.get("/log").text
    assert rows(text) == [
        ("none", "git push origin fix/flaky", "ran"),
        ("deny", "git push --force origin main", "not run"),
        ("change", "npm test", "ran"),
        ("none", "git status", "ran"),
        ("allow", "README.md", "ran"),
    ]
    assert chips(text) == {
        "/log": "5",
        "/log?show=stopped": "1",
        "/log?show=deny": "1",
        "/log?show=ask": "0",
        "/log?show=change": "1",
        "/log?show=allow": "1",
    }


@pytest.mark.parametrize(
    ("query", "calls"),
    [
        ("q=PUSH+origin", ["git push origin fix/flaky", "git push --force origin main"]),
        ("q=rewrite+history", ["git push --force origin main"]),
        ("q=quiet", ["npm test"]),
        ("show=stopped", ["git push --force origin main"]),
        ("show=change", ["npm test"]),
        ("tool=Read", ["README.md"]),
        ("rule=reads", ["README.md"]),
        ("session=s-2", []),
        ("project=%2Felsewhere", []),
        ("when=hour&tool=Read", ["README.md"]),
        ("when=2020-01-01", []),
        ("show=nothing+like+it&tool=Read&when=soon&before=x", ["README.md"]),
    ],
)
def test_filters(world, visit, query, calls):
    ordinary_session(world)
    assert [call for _, call, _ in rows(visit.get(f"/log?{query}").text)] == calls


def test_what_an_agent_wrote_is_text_and_nothing_else(world, visit):
    world.ran("Bash", SHELL, command="echo '<script>alert(1)</script>' \x1b[31m \u202e")
    world.call("Bash", command="<img src=x onerror=alert(1)>")
    for path in ("/log", "/log?q=%3Cscript%3E", "/log/1", "/sessions", "/sessions/s-1"):
        text = visit.get(path).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "\x1b" not in text or path != "/log/1"


def test_older_entries_are_on_the_next_page(world, visit, monkeypatch):
    monkeypatch.setattr(log_view, "_PAGE", 2)
    ordinary_session(world)
    seen: list[str] = []
    path: str | None = "/log"
    while path is not None:
        text = visit.get(path).text
        seen += [call for _, call, _ in rows(text)]
        older = re.search(r'<a class="button" href="([^"]*)" rel="next">Older', text)
        path = unescape(older[1]) if older else None
    assert seen == [
        "git push origin fix/flaky",
        "git push --force origin main",
        "npm test",
        "git status",
        "README.md",
    ]


def test_an_empty_log_says_how_to_fill_it(visit):
    text = visit.get("/log").text
    assert "Nothing is recorded yet" in text
    assert "interlock init" in text


def test_while_it_is_counted_the_newest_calls_come_from_the_record(world, visit, monkeypatch):
    ordinary_session(world)
    monkeypatch.setattr(Digest, "freshen", lambda _: None)
    monkeypatch.setattr(Digest, "progress", lambda _: Progress(3, 11))
    text = visit.get("/log").text
    assert [call for _, call, _ in rows(text)][:2] == ["git push origin fix/flaky", "git push --force origin main"]
    assert "Counting: 3 of 11 records" in text
    assert "a search finds only what is counted" in text


# --- one record -------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """The text that a person reads in the main part of a page."""
    main = text[text.index("<main") : text.index("</main>")]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def test_a_denied_call_whole(world, visit):
    ordinary_session(world)
    text = plain(visit.get("/log/9").text)
    assert "Record 9 deny Bash · PreToolUse" in text
    assert "Not run git push --force origin main" in text
    assert "deny Force pushes rewrite published history. Push a new branch instead. force interlock.yaml:7" in text
    assert "What the agent did next in the session" in text
    assert "git push origin fix/flaky ran" in text
    assert "this guard denied, deny" in text
    before, this, after = (record.hash for record in world.store.records(after=7) if record.sequence < 11)
    assert f"before {before} this {this} after {after}" in text


def test_a_changed_call_shows_the_difference(world, visit):
    ordinary_session(world)
    page = visit.get("/log/7").text
    assert "Agent wrote npm test Ran npm test --silent Changed by quiet ." in plain(page)
    assert "<ins> --silent</ins>" in page
    assert "Result" in plain(page)


def test_a_record_leads_to_the_call_that_it_belongs_to(world, visit):
    ordinary_session(world)
    found = visit.get("/log/8")
    assert (found.status, found.headers["location"]) == (303, "/log/7#record-8")
    assert visit.get("/log/999").status == 404
    assert visit.get("/log/999999999999999999999").status == 404


def test_an_answer_is_shown_with_the_call_that_it_is_about(world, visit):
    request = world.ask("npm publish")
    world.store.answer_request(request.id, RequestAnswer(yes=False, by="ann", at=request.at + 7, note="Not today."))
    world.settle(request.id)
    text = plain(visit.get("/log/1").text)
    assert "Not run npm publish" in text
    assert "no ann answered after 7 s. “Not today.”" in text


@pytest.fixture
def call_here(world, tmp_path) -> None:
    """A call in a project that exists on this machine."""
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    guard = Guard([], world.machine, store=world.store, project=str(shop))
    fields = {"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "toolu_1"}
    answer(guard, "claude-code", payload_for("PreToolUse", {}, cwd=str(shop), **fields))
    guard.close()


def test_a_call_is_judged_again_by_the_rules_that_hold_now(call_here, visit):
    text = visit.get("/log/1/trace").text
    assert "as it was recorded" in text
    assert "rules were looked at" in text
    assert "Trace" in visit.get("/log/1").text


def test_the_trace_is_there_when_it_is_opened(call_here, tab):
    tab.goto("/log/1")
    tab.locator("#trace summary").click()
    tab.get_by_text("rules were looked at").wait_for()


def test_a_call_of_a_project_that_is_gone_is_not_judged_again(world, visit):
    world.call("Bash", command="git status")
    assert visit.get("/log/1/trace").status == 404
    assert "Trace" not in visit.get("/log/1").text


# --- the chain --------------------------------------------------------------------------------------------------------


def test_the_chain_is_verified_in_the_background(world, visit, monkeypatch):
    monkeypatch.setattr(log_view, "_FEW", 0)
    ordinary_session(world)
    assert "11 records, not verified since this page was started Verify now" in plain(visit.get("/log").text)
    assert visit.post("/log/verify", {}).json() == {"started": True}
    wait_until_verified(visit)
    assert "verified" in visit.get("/log/chain").text
    assert "to record 11" in visit.get("/log/chain").text


def wait_until_verified(visit) -> None:
    while "data-running" in visit.get("/log/chain").text:
        pass


def test_a_broken_chain_is_seen(world, visit):
    ordinary_session(world)
    visit.get("/log")
    wait_until_verified(visit)
    with sqlite3.connect(world.folder / "store" / "interlock.db") as connection:
        connection.execute("UPDATE record SET tool = 'Read' WHERE sequence = 5")
    connection.close()
    visit.post("/log/verify", {})
    wait_until_verified(visit)
    text = visit.get("/log/chain").text
    assert "not intact" in text
    assert "1 problem" in text or "problems found" in text


# --- in a browser -----------------------------------------------------------------------------------------------------


def calls_in(tab) -> list[str]:
    return tab.locator("#rows .line").all_inner_texts()


def test_new_calls_come_by_themselves_at_the_top(world, tab):
    ordinary_session(world)
    tab.goto("/log")
    world.ran("Bash", SHELL, command="make lint")
    tab.locator("#rows .line", has_text="make lint").wait_for()
    assert calls_in(tab)[:2] == ["make lint", "git push origin fix/flaky"]


def test_further_down_they_wait_until_somebody_wants_them(world, tab):
    for number in range(40):
        world.ran("Bash", SHELL, command=f"ls {number}")
    tab.goto("/log")
    tab.mouse.wheel(0, 600)
    tab.wait_for_function("window.scrollY > 200")
    place = tab.evaluate("window.scrollY")
    world.ran("Bash", SHELL, command="make lint")
    tab.locator("#news", has_text="1 new").wait_for()
    assert tab.evaluate("window.scrollY") == place
    assert calls_in(tab)[0] == "ls 39"
    tab.locator("#news").click()
    tab.locator("#rows .line", has_text="make lint").wait_for()
    assert tab.locator("#news").is_hidden()


def test_keys_search_follow_and_open(world, tab):
    ordinary_session(world)
    tab.goto("/log")
    tab.keyboard.press("f")
    assert tab.locator("#follow").is_checked()
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/log/9")
    tab.keyboard.press("k")
    tab.wait_for_url("**/log/7")
    tab.goto("/log")
    tab.keyboard.press("/")
    tab.keyboard.type("status")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**q=status**")
    assert calls_in(tab) == ["git status"]


@pytest.mark.parametrize("width", [335, 768, 1280])
def test_a_record_is_never_wider_than_the_window(world, tab, width):
    world.call("Bash", command="git push --force origin " + "x" * 400)
    world.ran("Write", "ok", file_path="/home/dev/shop/" + "y" * 200, content="z" * 3000)
    tab.set_viewport_size({"width": width, "height": 800})
    for path in ("/log", "/log/1", "/log/2"):
        tab.goto(path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


# --- words ------------------------------------------------------------------------------------------------------------


def test_the_address_says_what_is_shown():
    query = read_query(QueryParams("q=push&show=deny&when=2026-01-05&session=s-1&part=rows&before=17"))
    assert query == LogQuery(q="push", show="deny", when="2026-01-05", session="s-1", before="17")
    assert query.address(show="") == "/log?q=push&session=s-1&when=2026-01-05"
    assert query.linked_filters() == [
        ("session", "s-1", "/log?q=push&show=deny&when=2026-01-05"),
        ("day", "2026-01-05", "/log?q=push&show=deny&session=s-1"),
    ]


CALL = ROW._replace(is_call=True, decision="none", tool="Bash", answered_after=None, took=None)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (CALL._replace(outcome="ran", took=0.25), ("none", "ran, 250 ms")),
        (CALL._replace(outcome="failed"), ("none", "failed")),
        (CALL._replace(decision="deny", outcome="denied"), ("deny", "not run")),
        (CALL._replace(is_changed=True, outcome="ran", took=3.0), ("change", "ran, 3 s")),
        (CALL._replace(outcome="withheld"), ("withheld", "result withheld")),
        (CALL._replace(is_breach=True, outcome="ran"), ("breach", "ran")),
        (CALL._replace(decision="ask", is_asked=True, answer="none", outcome="open"), ("ask", "waits")),
        (CALL._replace(decision="ask", is_asked=True, answer="none", outcome="unanswered"), ("ask", "nobody answered")),
        (
            CALL._replace(decision="ask", is_asked=True, answer="yes", outcome="ran", answered_after=6.0),
            ("ask", "yes after 6 s"),
        ),
        (
            CALL._replace(decision="ask", is_asked=True, answer="edit", outcome="failed", took=1.0),
            ("ask", "yes, edited, failed, 1 s"),
        ),
        (CALL._replace(decision="ask", is_asked=True, answer="no", outcome="refused"), ("ask", "no")),
        (
            CALL._replace(decision="ask", is_asked=True, answer="yes", outcome="unanswered", answered_after=900.0),
            ("ask", "nobody answered, yes later"),
        ),
        (CALL._replace(is_call=False, event="Stop"), ("none", "")),
    ],
)
def test_what_a_list_says_of_an_entry(row, said):
    assert (verdict_of(row), became(row)) == said


def test_tools_of_mcp_servers_are_called_by_both_names():
    assert tool_name(CALL._replace(tool="mcp__github__create_issue")) == "github: create_issue"
    assert tool_name(CALL._replace(tool="mcp__odd")) == "mcp__odd"
    assert tool_name(ROW._replace(event="Stop", is_call=False)) == "Stop"
