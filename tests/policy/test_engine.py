"""Which calls a rule is about: every key hits what it means, and passes the near miss beside it."""

from typing import Any

import pytest

from interlock.policy.situation import CheckOutcome
from tests.policy.builders import Session, decide, fired


def rule(keys: str) -> str:
    return f"rules:\n  - {{id: r, {keys}, deny: stop}}\n"


def on_call(keys: str, written: Any, given: dict[str, Any] | None = None, **fields: Any) -> bool:
    return decide(rule(keys), written, given, **fields) == "deny"


# Names


@pytest.mark.parametrize(
    ("keys", "hit", "miss"),
    [
        ("tool: Write", {"Write": "a"}, {"Edit": "a"}),
        ("tool: [Write, Edit]", {"Edit": "a"}, {"MultiEdit": "a"}),
        ("tool: Web*", {"WebFetch": "https://x.org"}, {"Write": "a"}),
        ("tool: mcp__pay__*", {"mcp__pay__refund": {}}, {"mcp__pays__refund": {}}),
        ("tool: /^(Read|Grep)$/", {"Grep": "x"}, {"ReadMcpResourceTool": {}}),
        ("kind: edit", {"NotebookEdit": "a.ipynb"}, {"Read": "a"}),
        ("kind: [read, fetch]", {"WebSearch": "x"}, {"Write": "a"}),
        ("kind: shell", "ls", {"mcp__x__go": {"command": "ls"}}),
    ],
)
def test_tool_and_kind_mean_names_globs_and_regexes(keys, hit, miss):
    assert (on_call(keys, hit), on_call(keys, miss)) == (True, False)


@pytest.mark.parametrize(
    ("keys", "hit", "miss"),
    [
        ("agent: reviewer", {"agent": "reviewer"}, {"agent": "reviewers"}),
        ("agent: main", {}, {"agent": "reviewer"}),
        ("agent: [review*, /^test/]", {"agent": "tester"}, {"agent": "main"}),
        ("mode: plan", {"mode": "plan"}, {"mode": "acceptEdits"}),
        ("mode: default", {}, {"mode": "plan"}),
        ("branch: main", {"branch": "main"}, {"branch": "maintain"}),
        ("branch: release/*", {"branch": "release/1.0"}, {"branch": "release"}),
        ("branch: /^hot.?fix/", {"branch": "hot-fix/7"}, {"branch": "a/hotfix"}),
    ],
)
def test_agent_mode_and_branch_are_what_the_session_says(keys, hit, miss):
    assert (on_call(keys, "ls", hit), on_call(keys, "ls", miss)) == (True, False)


def test_host_is_the_agent_program_that_raised_the_event():
    policy = rule("host: claude-*")
    assert Session(policy, host="claude-code").call("ls").decision == "deny"
    assert Session(policy, host="codex").call("ls").decision is None


def test_server_goes_by_the_source_the_host_reports_and_not_by_the_name():
    assert on_call("server: project", {"mcp__pay__refund": {}}, {"server": "project"})
    assert not on_call("server: project", {"mcp__pay__refund": {}}, {"server": "user"})
    assert not on_call("server: pay", {"mcp__pay__refund": {}}, {"server": "user"})
    assert not on_call("server: project", "ls", {"server": "project"})


@pytest.mark.parametrize(
    ("pattern", "hit", "miss"),
    [
        ("deploy", "please deploy it", "please Deploy it"),
        ("/deploy/i", "please Deploy it", "please depl oy it"),
        ("[now, today]", "do it today", "do it tomorrow"),
        ("/^stop$/", "stop", "stop it"),
    ],
)
def test_prompt_is_contained_or_found(pattern, hit, miss):
    session = Session(rule(f"event: UserPromptSubmit, prompt: {pattern}"))
    assert session.event("UserPromptSubmit", prompt=hit).decision == "deny"
    assert session.event("UserPromptSubmit", prompt=miss).decision is None


def test_a_rule_without_an_event_is_about_pre_tool_use_alone():
    session = Session("rules: [{id: r, deny: stop}]")
    assert session.call("ls").decision == "deny"
    assert session.event("Stop", stop_hook_active=False).decision is None
    assert session.event("UserPromptSubmit", prompt="go").decision is None


def test_a_list_of_events_means_any_of_them():
    session = Session("rules: [{id: r, event: [Stop, SubagentStop], deny: not yet}]")
    assert session.event("Stop", stop_hook_active=False).decision == "deny"
    assert session.event("SubagentStop", stop_hook_active=False, agent_id="a", agent_type="x").decision == "deny"
    assert session.call("ls").decision is None


def test_a_permission_request_is_judged_by_rules_for_it_alone():
    session = Session(
        "rules: [{id: r, event: PermissionRequest, command: ls, allow: true}, {id: s, command: ls, ask: x}]"
    )
    asked = session.event("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"})
    assert (asked.decision, fired(asked)) == ("allow", ["r"])
    other = session.event("PermissionRequest", tool_name="Bash", tool_input={"command": "ls; rm x"})
    assert (other.decision, fired(other)) == (None, [])


# Commands


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        (
            "git push",
            ["git push", "git push origin main", "/usr/bin/git push", "git -C sub push", "git --no-pager push"],
            ["git pull", "echo git push", "git", "git stash push", "gitt push"],
        ),
        (
            "git push --force|-f",
            ["git push -f", "git push --force origin x", "git push origin x -f", "git push -uf"],
            ["git push", "git push --force-with-lease", "git push origin f", "git pull -f"],
        ),
        ("rm -rf", ["rm -rf x", "rm -fr x", "rm -r -f x", "rm x -rf", "rm -rfv x"], ["rm -r x", "rm -f x", "rm rf"]),
        ("npm *", ["npm test", "npm run build"], ["npm", "npm --version"]),
        ("git * origin", ["git push origin", "git pull origin x"], ["git origin", "git push upstream"]),
        ("curl|wget", ["curl x.org", "wget x.org"], ["curly x"]),
        ("git push|pull", ["git push", "git pull"], ["git fetch"]),
        (
            "docker run --privileged",
            ["docker run --privileged x", "docker run --privileged=true x"],
            ["docker run x", "docker exec --privileged x"],
        ),
        (r"'/\bprod\b/'", ["deploy prod", "deploy --to prod now"], ["deploy production"]),
        ("/DROP TABLE/i", ["psql -c 'drop table x'"], ["psql -c 'drop index x'"]),
    ],
)
def test_command_means_program_first_words_and_flags(pattern, hits, misses):
    assert [line for line in hits if not on_call(f"command: {pattern}", line)] == []
    assert [line for line in misses if on_call(f"command: {pattern}", line)] == []


def test_a_list_of_commands_means_any_of_them():
    keys = "command: [git push, rm -rf]"
    assert [on_call(keys, line) for line in ("git push", "rm -rf x", "git pull", "rm x")] == [True, True, False, False]


def test_a_pipe_pattern_matches_no_single_command():
    assert not on_call("command: curl|wget | sh|bash", "curl x.org")


# Paths


@pytest.mark.parametrize(
    ("keys", "hit", "miss"),
    [
        ("path: .env", {"Read": "a/b/.env"}, {"Read": "a/b/.envrc"}),
        ("path: .env*", {"Write": ".env.local"}, {"Write": "env.local"}),
        ("path: src/", {"Edit": "src/a/b.py"}, {"Edit": "lib/src/b.py"}),
        ("path: src/*.py", {"Edit": "/proj/src/b.py"}, {"Edit": "src/a/b.py"}),
        ("path: ./*", {"Write": "new.txt"}, {"Write": "docs/new.txt"}),
        ("path: ~/.ssh/", {"Read": "~/.ssh/id_rsa"}, {"Read": "/home/other/.ssh/id_rsa"}),
        ("path: /etc/**", {"Read": "/proj/../etc/passwd"}, {"Read": "/proj/etc/passwd"}),
        ("path: {read: '*.key'}", {"Read": "a.key"}, {"Write": "a.key"}),
        ("path: {write: '*.key'}", {"Write": "a.key"}, {"Read": "a.key"}),
        ("path: {create: '*.json'}", {"Write": "new.json"}, {"Write": "package.json"}),
        ("path: {write: '*.json'}", {"Write": "package.json"}, {"Write": "package.yaml"}),
        ("path: {read: a.txt, write: b.txt}", {"Write": "b.txt"}, {"Write": "a.txt"}),
        ("path: {delete: '*'}", None, {"Write": "a"}),
        ("path: '${project}/**'", {"Write": "a/b"}, {"Write": "/projects/a"}),
    ],
)
def test_path_means_resolved_paths_by_the_sort_of_use(keys, hit, miss):
    assert hit is None or on_call(keys, hit)
    assert not on_call(keys, miss)


# URLs and contents


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        (
            "example.com",
            ["https://example.com/x", "https://EXAMPLE.com:8080", "http://example.com./"],
            [
                "https://www.example.com",
                "https://example.com.evil.org",
                "https://evil.org/?u=example.com",
                "https://example.com@evil.org/",
            ],
        ),
        ("'*.example.com'", ["https://example.com", "https://a.b.example.com/x"], ["https://notexample.com"]),
        ("'*'", ["https://anything.org"], []),
        (
            "https://example.com/api/*",
            ["https://example.com/api/x/y"],
            ["https://example.com/apis", "http://example.com/api/x"],
        ),
        ("'/[.](zip|mov)(/|$)/'", ["https://a.zip/x"], ["https://a.zipper/x"]),
    ],
)
def test_url_means_a_host_or_with_a_scheme_the_whole_address(pattern, hits, misses):
    assert [url for url in hits if not on_call(f"url: {pattern}", {"WebFetch": {"url": url, "prompt": "x"}})] == []
    assert [url for url in misses if on_call(f"url: {pattern}", {"WebFetch": {"url": url, "prompt": "x"}})] == []


def test_url_sees_the_address_in_a_simple_command():
    assert on_call("url: example.com", "curl https://example.com/x")
    assert not on_call("url: example.com", "curl https://example.org/example.com")


@pytest.mark.parametrize(
    ("written", "caught"),
    [
        ({"Write": {"file_path": "a", "content": "a TODO b"}}, True),
        ({"Edit": {"file_path": "a", "old_string": "x", "new_string": "TODO"}}, True),
        ({"Edit": {"file_path": "a", "old_string": "TODO", "new_string": "x"}}, False),
        ({"MultiEdit": {"file_path": "a", "edits": [{"new_string": "x"}, {"new_string": "TODO"}]}}, True),
        ({"NotebookEdit": {"notebook_path": "a", "new_source": "# TODO"}}, True),
        ({"Write": {"file_path": "TODO", "content": "x"}}, False),
        ({"Read": "TODO"}, False),
    ],
)
def test_content_is_the_text_going_into_files(written, caught):
    assert on_call("content: TODO", written) is caught


def test_content_is_what_comes_back_after_a_call():
    session = Session("rules: [{id: r, event: PostToolUse, content: '/tok_[0-9]+/', context: seen}]")
    assert session.result("ls", {"stdout": "tok_12", "stderr": ""}).context == ("seen",)
    assert session.result("echo tok_12", {"stdout": "tok_", "stderr": ""}).context == ()


# Conditions, and all of it together


def test_when_is_true_or_false_of_the_call():
    keys = "tool: Bash, when: input.command.size() > 3"
    assert (on_call(keys, "ls -l"), on_call(keys, "ls")) == (True, False)


def test_all_keys_must_hold():
    keys = "tool: Write, path: {write: src/}, branch: main, agent: main, when: input.content.size() > 2"
    full = {"Write": {"file_path": "src/a", "content": "long"}}
    assert on_call(keys, full, {"branch": "main"})
    assert not on_call(keys, full, {"branch": "dev"})
    assert not on_call(keys, full, {"branch": "main", "agent": "x"})
    assert not on_call(keys, {"Write": {"file_path": "lib/a", "content": "long"}}, {"branch": "main"})
    assert not on_call(keys, {"Write": {"file_path": "src/a", "content": "no"}}, {"branch": "main"})
    assert not on_call(keys, {"Edit": {"file_path": "src/a", "new_string": "long"}}, {"branch": "main"})


@pytest.mark.parametrize(
    ("unless", "excused", "not_excused"),
    [
        ("{branch: me/*}", {"branch": "me/x"}, {"branch": "you/x"}),
        ("{agent: deployer}", {"agent": "deployer"}, {"agent": "main"}),
        ("{mode: plan}", {"mode": "plan"}, {}),
        ("{branch: me/*, agent: main}", {"branch": "me/x"}, {"branch": "me/x", "agent": "y"}),
        ("[{branch: me/*}, {agent: deployer}]", {"agent": "deployer"}, {"agent": "builder"}),
        ("{when: branch == 'x'}", {"branch": "x"}, {"branch": "y"}),
        ("{tool: Bash}", {}, None),
        ("{tool: Write}", None, {}),
        ("{kind: shell}", {}, None),
    ],
)
def test_unless_takes_the_same_keys_and_any_of_a_list_excuses(unless, excused, not_excused):
    keys = f"command: git push, unless: {unless}"
    assert excused is None or not on_call(keys, "git push", excused)
    assert not_excused is None or on_call(keys, "git push", not_excused)


def test_a_run_check_holds_when_it_exits_non_zero():
    policy = 'rules: [{id: r, event: Stop, run: npm test, deny: "Tests fail: ${run.out}"}]'
    failing = Session(policy, given={"run": {"code": 1, "out": "2 failed"}}).event("Stop", stop_hook_active=False)
    assert (failing.decision, failing.reason) == ("deny", "Tests fail: 2 failed")
    assert Session(policy, given={"run": 0}).event("Stop", stop_hook_active=False).decision is None


def test_a_condition_on_run_says_itself_when_the_check_holds():
    policy = "rules: [{id: r, event: Stop, run: git diff --quiet, when: run.code == 0, deny: nothing changed}]"
    assert Session(policy, given={"run": 0}).event("Stop", stop_hook_active=False).decision == "deny"
    assert Session(policy, given={"run": 1}).event("Stop", stop_hook_active=False).decision is None


def test_a_rule_with_no_effect_only_marks():
    asking = "{id: later, tool: Bash, when: count('mark') > 0, deny: x}"
    verdict = Session(f"rules: [{{id: mark, path: {{read: .env}}}}, {asking}]").call({"Read": ".env"})
    assert (verdict.decision, fired(verdict), verdict.told) == (None, ["mark"], None)


def test_what_a_check_prints_is_known_apart_and_together():
    policy = (
        'rules: [{id: r, event: Stop, run: make, deny: "${run.code}|${run.stdout}|${run.stderr}|${run.out}", '
        "max_lines: 2}]"
    )
    given = {"run": {"code": 2, "stdout": "1\n2\n3\n4\n", "stderr": "warning"}}
    verdict = Session(policy, given=given).event("Stop", stop_hook_active=False)
    assert verdict.reason == "2|… 2 lines left out\n3\n4|warning|… 3 lines left out\n4\nwarning"


@pytest.mark.parametrize(
    ("lines", "most", "kept"),
    [
        (3, 3, "1\n2\n3"),
        (4, 3, "… 1 line left out\n2\n3\n4"),
        (0, 1, ""),
        (1_500, 1, "… 1,499 lines left out\n1500"),
        (2, None, "1\n2"),
    ],
)
def test_max_lines_keeps_the_end_and_says_how_much_is_missing(lines: int, most: int | None, kept: str):
    text = "\n".join(str(number) for number in range(1, lines + 1))
    assert CheckOutcome(0, text).variables(most)["out"] == kept
