"""The view *Rules*: what is listed, what is noted of it, one rule whole, and a call that is only tried."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interlock.approvals.granting import Terms
from interlock.config.trust import Trust
from interlock.store.base import Entry, Note
from tests.page.history import NOON, Past
from tests.page.numbers.looking import rows_of, text_of

LONG_AGO = NOON.timestamp() - 200 * 86_400


@pytest.fixture(autouse=True)
def old_policy(past: Past) -> None:
    os.utime(past.file, (LONG_AGO, LONG_AGO))


def rewrite(past: Past, policy: str, *, trusted: bool = True) -> None:
    past.file.write_text(policy, encoding="utf-8")
    os.utime(past.file, (LONG_AGO, LONG_AGO))
    if trusted:
        Trust().add(past.file)


def own_rows(html: str) -> list[list[str]]:
    return [row for row in rows_of(html) if len(row) == 8 and "interlock.yaml" in row[2]]


def test_every_rule_of_the_project_is_listed_with_what_it_did(weeks, visit):
    rows = own_rows(visit.get("/rules").text)
    assert [row[:3] for row in rows] == [
        ["ask", "deploy Deployments are approved by a person.", "interlock.yaml:3"],
        ["ask", "install noisy This adds a dependency. Add it?", "interlock.yaml:11"],
        ["deny", "force Force pushes rewrite published history. Push a new branch.", "interlock.yaml:12"],
        ["change", "quiet", "interlock.yaml:13"],
        ["deny", "vendored Vendored code is not edited.", "interlock.yaml:14"],
    ]
    assert [row[4:] for row in rows] == [
        ["7", "4.2", "yes 4 of 7", "last hit today"],
        ["22", "13.3", "yes 22 of 22", "last hit today"],
        ["2", "1.2", "denied 2", "last hit today"],
        ["22", "13.3", "changed 22", "last hit today"],
        ["0", "0", "", "last hit never"],
    ]


def test_charts_say_in_words_what_they_show(weeks, visit):
    html = visit.get("/rules").text
    assert 'role="img" aria-label="22 hits in 30 days, by day"' in html


def test_rules_of_packs_that_did_nothing_are_only_counted_until_asked_for(past, visit):
    rewrite(past, "version: 1\npacks: [git]\n")
    html = visit.get("/rules").text
    assert "git/force-push" not in html
    assert "Show " in html
    (row,) = [row for row in rows_of(visit.get("/rules?all=1").text) if "git/force-push" in "".join(row)]
    assert (row[0], row[2].partition(":")[0]) == ("deny", "git.yaml")


def test_a_rule_that_a_policy_leaves_out_is_listed_as_left_out(past, visit):
    rewrite(past, "version: 1\npacks: [{use: git, without: [force-push]}]\n")
    (row,) = [row for row in rows_of(visit.get("/rules").text) if "git/force-push" in "".join(row)]
    assert row[1].startswith("git/force-push left out")


def test_rules_that_need_trust_are_listed_as_not_trusted(past, visit):
    rewrite(past, "version: 1\nrules:\n  - {id: reads, tool: Read, allow: true}\n", trusted=False)
    Trust().forget(past.file)
    assert [row[1] for row in own_rows(visit.get("/rules").text)] == ["reads not trusted"]


def test_a_rule_that_only_observes_says_so(past, visit):
    rewrite(past, "version: 1\nrules:\n  - {id: writes, tool: Write, deny: Never., observe: true}\n")
    assert [row[1] for row in own_rows(visit.get("/rules").text)] == ["writes observes Never."]


@pytest.mark.parametrize(
    ("first_record", "file_changed", "note"),
    [(120, 200, "dead"), (120, 10, ""), (20, 200, ""), (120, 2, "new")],
    ids=["quiet for 90 days", "its file is newer", "the record is newer", "its file changed this week"],
)
def test_a_rule_is_dead_only_if_it_could_have_fired(past, request, first_record, file_changed, note):
    past.days_ago(first_record).ran("git status")
    when = NOON.timestamp() - file_changed * 86_400
    os.utime(past.file, (when, when))
    visit = request.getfixturevalue("visit")
    (row,) = [row for row in own_rows(visit.get("/rules").text) if "vendored" in row[1]]
    assert row[1].split(" Vendored")[0] == f"vendored {note}".strip()


def test_a_rule_that_fired_long_ago_and_never_since_is_dead_whenever_its_file_changed(past, request):
    past.days_ago(120).call("git push --force origin main")
    recent = NOON.timestamp() - 20 * 86_400
    os.utime(past.file, (recent, recent))
    visit = request.getfixturevalue("visit")
    (row,) = [row for row in own_rows(visit.get("/rules").text) if row[1].startswith("force")]
    assert row[1].startswith("force dead")


FILTERS = {
    "q=deploy": ["deploy"],
    "q=PUSH+force": ["force"],
    "note=noisy": ["install"],
    "note=fired&q=npm": [],
    "layer=project": ["deploy", "install", "force", "quiet", "vendored"],
    "layer=user": [],
    "note=nonsense&q=vendor": ["vendored"],
}


def test_rules_are_filtered_by_their_text_their_layer_and_their_notes(weeks, visit):
    pages = {query: visit.get(f"/rules?{query}").text for query in FILTERS}
    assert {query: [row[1].split()[0] for row in own_rows(html)] for query, html in pages.items()} == FILTERS


def test_filters_that_nothing_passes_say_how_to_go_on(past, visit):
    assert "No rule passes these filters" in text_of(visit.get("/rules?q=zzz").text)


def test_a_project_without_a_policy_is_told_how_to_get_one(past, visit):
    past.file.unlink()
    Trust().forget(past.file)
    text = text_of(visit.get("/rules").text)
    assert "Only the built-in rules are in force here" in text
    assert "packs: [guarded]" in text


def test_a_broken_policy_is_said_and_the_rest_is_shown(past, visit):
    past.file.write_text("version: 1\nrules: [{id: x, deny: }]\n", encoding="utf-8")
    Trust().forget(past.file)
    answer = visit.get("/rules")
    assert answer.status == 200
    assert "Only reading is allowed until this is corrected" in text_of(answer.text)


def test_an_address_cannot_make_the_page_read_another_folder(past, visit, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "interlock.yaml").write_text("version: 1\nrules: [{id: secret-rule, tool: Read, deny: No.}]\n")
    assert "secret-rule" not in visit.get(f"/rules?project={other}&all=1").text


def test_a_place_opens_in_the_editor_that_the_person_chose(past, context, visit):
    assert "vscode://" not in visit.get("/rules").text
    context.editor = "vscode"
    assert f'href="vscode://file{past.file}:3"' in visit.get("/rules").text
    assert "javascript:" not in visit.get("/rules?editor=javascript:alert(1)").text


# --- one rule ---------------------------------------------------------------------------------------------------


def test_one_rule_is_shown_whole(weeks, visit):
    html = visit.get("/rules/deploy").text
    text = text_of(html)
    assert "Fired in 30 days 7 4.2 per 100 calls; was 4.2" in text
    assert "Answered yes 4 of 7 questions" in text
    assert "Answered no 3 0 not answered" in text
    assert "Median answer 30 s 3 min of waiting in all" in text
    assert "3 - id: deploy 4 about: Deployments are approved by a person. 5 command: make deploy" in text
    assert "Most often about make deploy 7" in text
    assert "Cases 3 of 3 pass" in text
    assert html.count('href="/log/') == 12


def test_a_case_that_fails_is_shown_with_why(past, visit):
    rewrite(past, "version: 1\nrules:\n  - {id: x, command: make, deny: No., cases: {catch: [npm test], pass: [ls]}}\n")
    text = text_of(visit.get("/rules/x").text)
    assert "Cases 1 of 2 pass" in text
    assert "fails npm test `x` must catch this, but does not" in text


def test_the_rule_of_a_pack_has_its_pack_its_text_and_its_cases(past, visit):
    rewrite(past, "version: 1\npacks: [git]\n")
    text = text_of(visit.get("/rules/git/force-push").text)
    assert "Pack git, git.yaml:" in text
    assert "- id: force-push" in text
    assert "pass" in text.partition("Cases ")[2][:20]


def test_a_rule_that_is_gone_leads_to_its_entries_in_the_log(past, visit):
    answer = visit.get("/rules/gone")
    assert answer.status == 404
    assert 'href="/log?q=rule%3Agone"' in answer.text


# --- a call to try ----------------------------------------------------------------------------------------------


def tried(visit, **given: str) -> str:
    answer = visit.post("/rules/try", given)
    assert answer.status == 200
    return text_of(answer.text)


def test_a_call_is_judged_and_the_trace_says_which_rules_spoke(past, visit):
    text = tried(visit, call="git push --force origin main")
    assert text.startswith("deny Force pushes rewrite published history. Push a new branch. force Read as git push")
    assert "force fired : deny git push --force origin main interlock.yaml:12" in text
    assert "looked at, of" in text


def test_what_a_rule_changes_is_shown(past, visit):
    text = tried(visit, call="npm test")
    assert text.startswith("change none No rule decides about what is left of this call")
    assert "command quiet npm test npm test --silent" in text


def test_the_input_of_any_tool_can_be_tried_as_json_or_as_its_main_field(past, visit):
    assert tried(visit, tool="Write", call='{"file_path": "vendor/x.py", "content": ""}').startswith("deny Vendored")
    assert tried(visit, tool="Write", call="vendor/x.py").startswith("deny Vendored")
    assert tried(visit, tool="Read", call="README.md").startswith("none")


def test_nothing_is_recorded_run_or_kept(past, context, visit):
    before = [record.sequence for record in past.store.records()], past.store.requests(), past.store.grants()
    marker = past.project / "ran"
    rewrite(past, f"version: 1\nrules:\n  - {{id: x, tool: Bash, run: touch {marker}, deny: No.}}\n")
    text = tried(visit, call=f"touch {marker}")
    assert "Not run, and it may decide otherwise: the `run` check of x" in text
    assert not marker.exists()
    assert before == ([record.sequence for record in past.store.records()], past.store.requests(), past.store.grants())


STATEFUL = """\
version: 1
state: {tested: {default: false}}
rules:
  - {id: note, event: PostToolUse, command: npm test, set: {tested: true}}
  - {id: deploy, command: make deploy, unless: {when: state.tested}, deny: Run the tests first.}
"""


def test_a_call_can_be_judged_in_the_state_of_a_session(tmp_path: Path, past, visit):
    rewrite(past, STATEFUL)
    past.guard = past._guard()
    past.days_ago(0).ran("npm test", "s-tested")
    assert tried(visit, call="make deploy").startswith("deny Run the tests first.")
    assert tried(visit, call="make deploy", session="s-tested").startswith("none")


def test_a_grant_of_the_session_counts_and_is_not_spent(past, visit):
    past.days_ago(0).asked("npm install a", "yes", "s-1", terms=Terms(scope="session", calls=3))
    assert tried(visit, call="npm install b").startswith("ask")
    assert tried(visit, call="npm install b", session="s-1").startswith("allow ann allowed npm install with anything")
    assert [grant.used for grant in past.store.grants()] == [0]


def test_in_a_session_that_was_stopped_nothing_would_run(past, visit):
    note = Note(session="s-bad", breach="a denied call ran")
    past.store.commit(Entry(record={}, raw=b"", at=past.now, notes=note))
    assert tried(visit, call="git status", session="s-bad").startswith("deny")
    assert "a denied call ran" in tried(visit, call="git status", session="s-bad")


MISTAKES = {
    "": "there is nothing to judge",
    '{"command": ': "the input is not JSON",
    "x" * 20_001: "this is longer than 20,000 characters",
}


@pytest.mark.parametrize("call", MISTAKES, ids=["nothing", "half", "long"])
def test_a_mistake_is_said_and_nothing_is_judged(past, visit, call):
    assert MISTAKES[call] in tried(visit, tool="Bash", call=call)


@pytest.mark.parametrize(
    ("said", "status"),
    [(b"[]", 400), (b"{", 400), ({"unknown": 1}, 400), ({"call": "x" * 70_000}, 413)],
    ids=["no object", "no JSON", "another field", "too long"],
)
def test_a_request_that_is_no_call_is_refused(past, visit, said, status):
    assert visit.post("/rules/try", said).status == status


def test_nobody_tries_a_call_without_having_signed_in(past, visit):
    assert visit.post("/rules/try", {"call": "ls"}, Cookie=None).status == 401
    assert visit.post("/rules/try", {"call": "ls"}, Interlock_Key=None).status == 403


def test_what_agents_and_policies_wrote_is_shown_and_not_obeyed(past, request):
    script = "<script>alert(1)</script>"
    rewrite(past, f"version: 1\nrules:\n  - {{id: deploy, command: make deploy, ask: '{script}', approve: inbox}}\n")
    past.guard = past._guard()
    past.days_ago(0).asked(f"make deploy '{script}'", "yes")
    visit = request.getfixturevalue("visit")
    pages = [visit.get(path).text for path in ("/rules", "/rules/deploy", "/overview", f"/rules/{script}")]
    pages.append(visit.post("/rules/try", {"call": f"make deploy '{script}'"}).text)
    assert all("<script>alert" not in page for page in pages)
    assert all("&lt;script&gt;" in page for page in (pages[0], pages[1], pages[4]))
