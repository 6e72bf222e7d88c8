"""Claude Code's rules for a settings file, as clients 2.1.325 and 2.1.197 were seen to apply them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.hosts.claude_code.settings_rules import Settings, matches_all, read_settings
from interlock.hosts.claude_code.settings_values import fits

GOOD = {"type": "command", "command": "true"}


def read(value: Any) -> Settings:
    return read_settings(json.dumps(value).encode(), "s.json")


def with_hook(event: str, handler: Any, **group: Any) -> Settings:
    """A good hook on every event, and this one beside it."""
    hooks = {name: [{"hooks": [GOOD]}] for name in ("PreToolUse", "PostToolUse", "Stop")}
    hooks.setdefault(event, []).append({**group, "hooks": [handler]})
    return read({"hooks": hooks})


FATAL = [
    "x",
    {"type": "foo", "command": "true"},
    {"command": "true"},
    {"type": "command"},
    {"type": "script", "command": "true"},
    {**GOOD, "timeout": 0},
    {**GOOD, "timeout": -1},
    {**GOOD, "timeout": "5"},
    {**GOOD, "timeout": None},
    {**GOOD, "timeout": True},
    {**GOOD, "args": "x"},
    {**GOOD, "args": [1]},
    {**GOOD, "args": None},
    {**GOOD, "onFailure": "deny"},
    {**GOOD, "onFailure": None},
    {**GOOD, "shell": "zsh"},
    {**GOOD, "async": "yes"},
    {**GOOD, "asyncRewake": 1},
    {**GOOD, "rewakeMessage": 1},
    {**GOOD, "if": 1},
    {**GOOD, "statusMessage": 1},
    {**GOOD, "once": 1},
    {"type": "http"},
    {"type": "http", "url": "nope"},
    {"type": "http", "url": "http://[::1"},
    {"type": "http", "url": "http://127.0.0.1:1/", "headers": {"a": 1}},
    {"type": "http", "url": "http://127.0.0.1:1/", "allowedEnvVars": "A"},
    {"type": "http", "url": "http://127.0.0.1:1/", "onFailure": "x"},
    {"type": "prompt"},
    {"type": "prompt", "prompt": "x", "model": 1},
    {"type": "agent"},
    {"type": "mcp_tool", "server": "a"},
    {"type": "mcp_tool", "server": "a", "tool": "b", "input": "x"},
]


@pytest.mark.parametrize("handler", FATAL, ids=json.dumps)
@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
def test_one_bad_entry_where_calls_are_guarded_makes_the_client_ignore_the_file(event: str, handler: Any):
    found = with_hook(event, handler)
    assert found.ignored is not None
    assert found.running == ()


@pytest.mark.parametrize("handler", FATAL, ids=json.dumps)
def test_elsewhere_an_older_client_ignores_the_file_and_a_newer_one_drops_the_entry(handler: Any):
    found = with_hook("PostToolUse", handler)
    only_new = isinstance(handler, dict) and "onFailure" in handler
    assert [(problem.drops, problem.clients) for problem in found.problems] == [
        ("part", "clients as new as 2.1.325") if only_new else ("file", "clients as old as 2.1.197")
    ]
    assert len(found.hooks) == 3


@pytest.mark.parametrize(
    "handler",
    [
        GOOD,
        {**GOOD, "timeout": 0.5, "onFailure": "block", "zzz": 1},
        {**GOOD, "onFailure": "continue", "args": [], "shell": "bash", "async": True, "once": False},
        {**GOOD, "command": ""},
        {"type": "http", "url": "http://127.0.0.1:1/", "headers": {"a": "b"}, "onFailure": "block"},
        {"type": "prompt", "prompt": "", "onFailure": "block"},
        {"type": "agent", "prompt": "x"},
        {"type": "mcp_tool", "server": "a", "tool": "b", "input": {}},
    ],
    ids=json.dumps,
)
def test_a_good_entry_runs(handler: Any):
    found = with_hook("PreToolUse", handler, matcher="Bash")
    assert (found.ignored, found.problems) == (None, ())
    hook = found.running[1]
    assert (hook.event, hook.matcher, hook.handler, hook.file) == ("PreToolUse", "Bash", handler, "s.json")
    assert (hook.group, hook.place) == (1, 0)


@pytest.mark.parametrize(
    "group",
    ["x", None, GOOD, {}, {"hooks": None}, {"hooks": {}}, {"hooks": [], "matcher": 1}, {"hooks": [], "matcher": None}],
)
def test_a_group_that_is_none_is_as_bad_as_an_entry(group: Any):
    found = read({"hooks": {"PreToolUse": [{"hooks": [GOOD]}, group]}})
    assert found.ignored is not None
    found = read({"hooks": {"Stop": [group]}})
    assert [problem.clients for problem in found.problems] == ["clients as old as 2.1.197"]


@pytest.mark.parametrize("value", [{"hooks": []}, "x", 1])
def test_an_event_that_is_no_array_takes_the_file_with_it_only_where_calls_are_guarded(value: Any):
    assert read({"hooks": {"PreToolUse": value}}).ignored is not None
    found = read({"hooks": {"Stop": value, "PreToolUse": [{"hooks": [GOOD]}]}})
    assert found.ignored is None
    assert [hook.event for hook in found.running] == ["PreToolUse"]
    assert [str(problem) for problem in found.problems] == ["`Stop` is not an array [s.json:1:20]"]


def test_an_event_that_is_null_or_empty_has_no_hooks_and_harms_nobody():
    found = read({"hooks": {"PreToolUse": None, "PostToolUse": [], "Stop": [{"hooks": []}]}})
    assert (found.ignored, found.problems, found.running) == (None, (), ())


@pytest.mark.parametrize("hooks", [[], None, "x"])
def test_hooks_that_are_no_object_make_the_client_ignore_the_file(hooks: Any):
    assert read({"hooks": hooks}).ignored is not None


def test_an_unknown_event_is_dropped_alone():
    found = read({"hooks": {"pretooluse": [{"hooks": ["x"]}], "Stop": [{"hooks": [GOOD]}]}})
    assert found.ignored is None
    assert [str(problem) for problem in found.problems] == ["there is no event `pretooluse` [s.json:1:26]"]
    assert [hook.event for hook in found.running] == ["Stop"]


def test_guards_outside_of_hooks_make_the_client_ignore_the_file():
    assert read({"PreToolUse": []}).ignored == (
        "`PreToolUse` stands outside `hooks` (clients as new as 2.1.325) [s.json:1:16]"
    )
    assert read({"Stop": []}).ignored is None


def test_an_http_hook_is_not_run_when_a_session_starts():
    found = read({"hooks": {"SessionStart": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:1/"}]}]}})
    assert (found.ignored, found.running) == (None, ())
    assert [problem.text for problem in found.problems] == ["SessionStart: an http hook is not run on this event"]


@pytest.mark.parametrize("raw", [b"", b" \n", b"{", b'{"a": 1,}', b"// x\n{}", b"[]", b"{}x", b'{"a": NaN}', b"null"])
def test_what_is_no_json_object_is_ignored(raw: bytes):
    found = read_settings(raw, "s.json")
    assert found.ignored is not None
    assert found.unclear == ""


@pytest.mark.parametrize(
    "raw",
    [
        b'{"hooks": {}, "hooks": {}}',
        b'{"a": ' + b"[" * 300 + b"]" * 300 + b"}",
        b'{"a": "\xff"}',
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_the_client_reads_and_we_do_not_is_unclear(raw: bytes):
    assert read_settings(raw, "s.json").unclear != ""


@pytest.mark.parametrize("text", ["\ufeff%s", "%s\r\n", " %s\n"])
def test_marks_and_blanks_around_it_do_not_matter(text: str):
    body = json.dumps({"hooks": {"Stop": [{"hooks": [GOOD]}]}}, indent=1)
    assert len(read_settings((text % body).encode(), "s.json").running) == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", 1),
        ("model", None),
        ("env", []),
        ("permissions", "x"),
        ("permissions", {"allow": "x"}),
        ("permissions", {"ask": {}}),
        ("permissions", {"defaultMode": "zzz"}),
        ("permissions", {"additionalDirectories": [1]}),
        ("disableAllHooks", "true"),
        ("disableAllHooks", None),
        ("allowedHttpHookUrls", 1),
        ("cleanupPeriodDays", 0),
        ("cleanupPeriodDays", 1.5),
        ("statusLine", {}),
        ("statusLine", {"type": "command", "command": "date", "padding": "x"}),
        ("fileSuggestion", {"type": "command"}),
        ("attribution", {"commit": 1}),
        ("spinnerVerbs", {"mode": "append"}),
        ("spinnerVerbs", {"mode": "x", "verbs": []}),
        ("worktree", {"symlinkDirectories": [1]}),
        ("worktree", {"baseRef": "x"}),
        ("pluginConfigs", {"a@b": {"options": {"x": {}}}}),
        ("sandbox", 1),
        ("sandbox", {"enabled": "x"}),
        ("sandbox", {"zzz": 1, "network": {"allowLocalBinding": 1}}),
    ],
)
def test_one_setting_of_the_wrong_kind_makes_the_client_ignore_the_file(key: str, value: Any):
    found = read({key: value, "hooks": {"PreToolUse": [{"hooks": [GOOD]}]}})
    assert found.ignored is not None
    assert found.ignored.startswith(f"`{key}` has a value of the wrong kind")
    assert found.running == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", ""),
        ("env", {"A": 1}),
        ("permissions", {"allow": [1], "deny": ["Bash("], "defaultMode": "plan"}),
        ("disableAllHooks", True),
        ("enabledPlugins", {"a@b": True}),
        ("effortLevel", 5),
        ("verbose", False),
        ("claudeMdExcludes", ["x"]),
        ("cleanupPeriodDays", 20),
        ("statusLine", {"type": "command", "command": "date", "padding": 1.5, "refreshInterval": 5}),
        ("fileSuggestion", {"type": "command", "command": "x"}),
        ("attribution", {"commit": "", "pr": "x", "sessionUrl": False}),
        ("spinnerVerbs", {"mode": "replace", "verbs": []}),
        ("worktree", {"symlinkDirectories": ["node_modules"], "baseRef": "head"}),
        ("pluginConfigs", {"a@b": {"options": {"x": "y", "z": ["s"]}, "mcpServers": {"s": {"k": "v"}}}}),
        ("extraKnownMarketplaces", {"x": {"source": {"source": "github", "repo": "a/b"}, "autoUpdate": True}}),
        ("sandbox", {"enabled": True, "excludedCommands": ["docker"], "filesystem": {"denyRead": ["~/.ssh"]}}),
        ("sandbox", {"network": {"allowedDomains": ["x"], "httpProxyPort": 8080, "allowLocalBinding": True}}),
    ],
)
def test_a_setting_that_the_client_takes_is_no_problem(key: str, value: Any):
    found = read({key: value})
    assert (found.ignored, found.problems, found.unsure) == (None, (), {})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("zzz", 1),
        ("enabledPlugins", {"a@b": "x"}),
        ("permissions", {"zzz": 1}),
        ("sandbox", {"zzz": 1}),
        ("sandbox", {"network": {"httpProxyPort": -1}}),
        ("extraKnownMarketplaces", {"x": 1}),
        ("statusLine", {"type": "command", "command": "date", "zzz": 1}),
    ],
)
def test_a_setting_that_cannot_be_judged_is_named_so(key: str, value: Any):
    found = read({key: value})
    assert (found.ignored, found.unsure) == (None, {key: value})


def test_what_an_ignored_file_switches_off_is_still_known():
    found = read({"disableAllHooks": True, "env": {"A": "b"}, "model": 1})
    assert (found.disables, found.env) == (True, {"A": "b"})


@pytest.mark.parametrize(("matcher", "all_"), [(None, True), ("", True), ("*", True), (".*", False), ("Bash", False)])
def test_a_matcher_leaves_nothing_out_only_where_the_client_says_so(matcher: str | None, all_: bool):
    assert matches_all(matcher) is all_


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_file_makes_it_fail(raw: bytes):
    assert isinstance(read_settings(raw, "s.json"), Settings)


WORDS = ["hooks", "type", "command", "args", "timeout", "matcher", "PreToolUse", "Stop", "url", "onFailure"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["PreToolUse", "Stop", "hooks", "env", "x"]), JSON, max_size=4))
def test_no_object_makes_it_fail(hooks: dict[str, Any]):
    assert isinstance(read({"hooks": hooks, **hooks}), Settings)


def test_what_is_known_of_settings_says_nothing_of_others():
    assert fits("zzz", 1) is None
    assert fits("verbose", True) is True
    assert fits("verbose", "true") is False
