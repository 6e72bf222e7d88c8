"""What expressions can call and see."""

import pytest
from inline_snapshot import snapshot

from tests.policy.builders import Session, complaints, load


def test_sub_replaces_in_strings_lists_and_maps():
    policy = r"""
rules:
  - id: r
    event: PostToolUse
    tool: mcp__x__get
    output: '${sub(output, "(\\d+)/(\\d+)/(\\d+)", "\\3-\\1-\\2")}'
"""
    session = Session(policy)
    assert session.result({"mcp__x__get": {}}, '{"a": "1/2/2026", "b": ["3/4/2027", 5], "1/2/3": true}').output == {
        "a": "2026-1-2", "b": ["2027-3-4", 5], "1/2/3": True,
    }  # fmt: skip
    assert Session(policy).result({"mcp__x__get": {}}, "on 1/2/2026").output == "on 2026-1-2"


@pytest.mark.parametrize("to", ["…", "ä\\\\1ö", "日本", "🙂", "plain"])
def test_what_sub_puts_in_may_be_any_characters(to: str):
    output = f"""'${{sub(output, "k(.)", "{to}")}}'"""
    policy = f"rules:\n  - {{id: r, event: PostToolUse, tool: mcp__x__get, output: {output}}}\n"
    found = Session(policy).result({"mcp__x__get": {}}, "é kä 🙂").output
    assert found == f"é {to.replace(chr(92) * 2 + '1', 'ä')} 🙂"


def test_a_bad_regex_in_sub_is_refused_at_load_and_fails_the_rule_when_it_is_computed():
    policy = "rules:\n  - {id: r, tool: refund, change: {x: '${sub(input.x, PATTERN, \"\")}'}}\n"
    assert complaints(policy.replace("PATTERN", '"("')) == snapshot(
        ["3:55 `/(/` is not a regex: a `(` is not closed; close it, or write `\\(` for the mark itself"]
    )
    verdict = Session(policy.replace("PATTERN", "input.y")).call({"refund": {"x": "a", "y": "("}})
    assert (verdict.decision, verdict.reason) == (
        "deny",
        snapshot("rule `r` [interlock.yaml:3:5] failed: `(` is not a regex: a `(` is not closed"),
    )


def test_redact_takes_secrets_out_of_strings_lists_and_maps():
    session = Session("rules:\n  - {id: r, event: PostToolUse, tool: mcp__x__get, output: '${redact(output)}'}\n")
    found = session.result({"mcp__x__get": {}}, '{"a": ["AKIAABCDEFGHIJKLMNOP", 5], "b": {"c": "plain"}}')
    assert found.output == {"a": ["[redacted AWS access key]", 5], "b": {"c": "plain"}}


def test_variables_are_what_the_language_says():
    shown = "${tool}|${kind}|${agent}|${mode}|${host}|${branch}|${project}|${session.id}|${session.cwd}|${session.user}"
    shown += "|${now}|${event.name}|${opaque}|${commands[0].args}"
    policy = f"rules:\n  - {{id: r, tool: Bash, deny: '{shown}'}}\n"
    given = {"branch": "main", "agent": "x", "mode": "plan", "now": "2026-11-16T10:00:00Z"}
    assert Session(policy, given=given).call("ls -l").reason == snapshot(
        'Bash|shell|x|plan|claude-code|main|/proj|test|/proj|dev|2026-11-16T10:00:00Z|PreToolUse|false|["-l"]'
    )


def test_reads_writes_creates_urls_and_secrets_are_lists():
    shown = "${reads}|${writes}|${creates}|${deletes}|${urls}|${secrets}"
    policy = f"rules:\n  - {{id: r, kind: [edit, read, fetch], deny: '{shown}'}}\n"
    session = Session(policy)
    assert session.call({"Read": "a"}).reason == '["/proj/a"]|[]|[]|[]|[]|[]'
    written = {"file_path": "b", "content": "AKIAABCDEFGHIJKLMNOP"}
    found = '[{"form":"issued","kind":"AWS access key","place":"content"}]'
    assert session.call({"Write": written}).reason == f'[]|["/proj/b"]|["/proj/b"]|[]|[]|{found}'
    assert session.call({"Write": "package.json"}).reason == '[]|["/proj/package.json"]|[]|[]|[]|[]'


def test_redacting_a_result_keeps_its_null_fields():
    session = Session("rules:\n  - {id: r, event: PostToolUse, tool: mcp__x__get, output: '${redact(output)}'}\n")
    assert session.result({"mcp__x__get": {}}, '{"a": "AKIAABCDEFGHIJKLMNOP", "b": null}').output == {
        "a": "[redacted AWS access key]", "b": None,
    }  # fmt: skip


COUNTED = """
rules:
  - {id: push, command: git push, context: pushed}
  - {id: often, tool: Bash, when: 'WHEN', deny: stop}
"""


def asking(when: str) -> Session:
    return Session(COUNTED.replace("WHEN", when))


def test_count_says_how_often_a_rule_fired_before_this_event():
    session = asking('count("push") >= 2')
    assert [session.call("git push").decision for _ in range(4)] == [None, None, "deny", "deny"]


def test_count_in_a_window_forgets_what_lies_before_it():
    session = asking('count("push", "1h") >= 2')
    decisions = []
    for wait in (0, 1800, 1700, 200, 3601):
        session.world.wait(wait)
        decisions.append(session.call("git push").decision)
    # The first push is an hour and 100 s old when the fourth comes, and the denied one was no push.
    assert decisions == [None, None, "deny", None, None]


def test_since_is_the_time_since_a_rule_fired_last_and_very_long_if_never():
    session = asking('since("push") < duration("10m")')
    assert session.call("ls").decision is None
    session.call("git push")
    session.world.wait(599)
    assert session.call("ls").decision == "deny"
    session.world.wait(2)
    assert session.call("ls").decision is None


def test_never_is_a_hundred_years():
    assert asking('since("push") > duration("875999h")').call("ls").decision == "deny"
    assert asking('since("push") > duration("876001h")').call("ls").decision is None


def test_counts_are_of_the_session_unless_a_scope_is_named():
    policy = COUNTED.replace("WHEN", 'count("push", "1h", "SCOPE") > 0')
    for scope, in_other_session, in_subagent in (
        ("session", None, "deny"), ("agent", None, None), ("project", "deny", "deny"), ("user", "deny", "deny"),
    ):  # fmt: skip
        session = Session(policy.replace("SCOPE", scope))
        session.call("git push")
        assert session.call("ls").decision == "deny"
        other = Session(policy.replace("SCOPE", scope), store=session.store, id="other")
        assert other.call("ls").decision == in_other_session, scope
        assert session.call("ls", agent_id="a-1", agent_type="x").decision == in_subagent, scope


@pytest.mark.parametrize("name", ['("pu" + "sh")', "input.?rule.orValue('push')", "['push'][0]"])
@pytest.mark.parametrize(
    ("when", "before", "after"),
    [
        ("count({}) >= 1", None, "deny"),
        ('count({}, "1h", "project") == 0', "deny", None),
        ('since({}) < duration("1h")', None, "deny"),
    ],
)
def test_a_rule_is_asked_about_by_a_computed_name_too(name, when, before, after):
    session = Session(
        COUNTED.replace("tool: Bash", "command: ls").replace("WHEN", when.format(name).replace("'", "''"))
    )
    assert session.call("ls").decision == before
    session.call("git push")
    assert session.call("ls").decision == after


def test_a_computed_name_means_the_rules_of_its_own_policy():
    """Another policy's rule of the same name has fired; the one that is asked about has not."""
    other = load("rules: [{id: push, command: git push, context: pushed}]", "other.yaml")
    mine = """
        rules:
          - {id: push, command: svn commit}
          - {id: often, tool: Bash, when: 'count(("pu" + "sh")) > 0', deny: stop}
    """
    session = Session(mine, other)
    session.call("git push")
    assert session.call("ls").decision is None
    session.call("svn commit")
    assert session.call("ls").decision == "deny"
