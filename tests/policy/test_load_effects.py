"""Rules that cannot do what they say, and packs and hooks that are not there, are refused at load."""

import pytest
from inline_snapshot import snapshot

from interlock.effect import can
from interlock.event import EVENTS
from interlock.policy.positions import LocatedErrors
from tests.policy.builders import complaints, load


def in_rule(keys: str) -> list[str]:
    return complaints(f"state: {{limit: 5}}\nrules:\n  - id: r\n    {keys}\n")


AN_HOUR = "checks may take up to 1h on Stop, SubagentStop, TeammateIdle, TaskCompleted"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            "deny: x\n    ask: why",
            snapshot(
                [
                    "6:5 `deny` and `ask` in one rule; a rule decides once; "
                    "keep one, and write a second rule for the calls that shall be decided otherwise"
                ]
            ),
        ),
        (
            "deny: true",
            snapshot(["5:11 `deny` needs a text; say why, and what to do instead: `deny: Use the staging copy.`"]),
        ),
        (
            "ask: true",
            snapshot(["5:10 `ask` needs a text; say why, and what to do instead: `ask: Run ${match.command.text}?`"]),
        ),
        (
            "deny: ''",
            snapshot(["5:11 `deny` is empty; expected a text; write `deny: Use the staging copy.`, for example"]),
        ),
        (
            "deny:",
            snapshot(["5:10 `deny` is empty; expected a text; write `deny: Use the staging copy.`, for example"]),
        ),
        ("allow: false", snapshot(["5:12 `allow` needs a text; write `allow: true`, or remove it"])),
        (
            "change: x",
            snapshot(
                [
                    "5:13 `change` is a text; expected a map; "
                    "write `change: {file_path: '/sandbox${match.path}'}`, for example"
                ]
            ),
        ),
        (
            "tool: Bash\n    allow: true\n    interrupt: true",
            snapshot(
                ['7:5 `interrupt` goes with `deny` on PreToolUse; add the reason: `deny: "Say what to do instead."`']
            ),
        ),
        (
            "interrupt: Enough.",
            snapshot(
                ['5:5 `interrupt` goes with `deny` on PreToolUse; add the reason: `deny: "Say what to do instead."`']
            ),
        ),
        (
            "deny: x\n    interrupt: 1",
            snapshot(["6:16 `interrupt` is `1`; expected true, or a text for the person; write `interrupt: true`"]),
        ),
        (
            "event: PostToolUse\n    interrupt: 'no'",
            snapshot(["6:16 `interrupt` is `no`; expected true, or a text for the person; write `interrupt: true`"]),
        ),
        ("deny: x\n    interrupt: Enough.", snapshot(["6:5 `deny` has the text already; write `interrupt: true`"])),
        (
            "event: Stop\n    deny: x\n    interrupt: true",
            snapshot(
                ["7:5 on Stop a `deny` tells the agent to go on, and `interrupt` ends its turn; keep one of them"]
            ),
        ),
        (
            "event: SessionStart\n    interrupt: Enough.",
            snapshot(
                [
                    "6:5 `interrupt` has no effect on SessionStart; "
                    "it works on `PreToolUse`, `PermissionRequest`, `PostToolUse`, `PostToolBatch`, `Stop`, "
                    "`SubagentStop`, `TeammateIdle`, `TaskCompleted`; write `event: PreToolUse`, or remove `interrupt`"
                ]
            ),
        ),
        (
            "event: PostToolBatch\n    interrupt: Saw ${output}.",
            snapshot(["6:22 `output` exists only on PostToolUse; write `event: PostToolUse`"]),
        ),
        ("deny: x\n    quiet: said", snapshot(["6:5 `quiet` goes with `change`; add `change`, or remove `quiet`"])),
        (
            "event: PostToolUse\n    deny: x",
            snapshot(
                [
                    "6:5 `deny` has no effect on PostToolUse: the tool has already run; use PreToolUse; "
                    "write `event: PreToolUse`, or remove `deny`"
                ]
            ),
        ),
        (
            "event: PostToolUse\n    change: {a: 1}",
            snapshot(
                [
                    "6:5 `change` has no effect on PostToolUse: the tool has already run; use PreToolUse; "
                    "write `event: PreToolUse`, or remove `change`"
                ]
            ),
        ),
        (
            "event: [PreToolUse, PostToolUse]\n    ask: why",
            snapshot(
                [
                    "6:5 `ask` has no effect on PostToolUse: the tool has already run; use PreToolUse; "
                    "write `event: PreToolUse`, or remove `ask`"
                ]
            ),
        ),
        (
            "output: x",
            snapshot(
                [
                    "5:5 `output` has no effect on PreToolUse: there is no result yet; use PostToolUse; "
                    "write `event: PostToolUse`, or remove `output`"
                ]
            ),
        ),
        (
            "event: Stop\n    allow: true",
            snapshot(
                [
                    "6:5 `allow` has no effect on Stop; "
                    "it works on `PreToolUse`, `PermissionRequest`, `PreModelSwitch`; "
                    "write `event: PreToolUse`, or remove `allow`"
                ]
            ),
        ),
        (
            "event: SessionStart\n    deny: x",
            snapshot(
                [
                    "6:5 `deny` has no effect on SessionStart: a session that starts cannot be stopped; "
                    "use UserPromptSubmit; write `event: UserPromptSubmit`, or remove `deny`"
                ]
            ),
        ),
        (
            "event: Notification\n    context: x",
            snapshot(
                [
                    "6:5 `context` has no effect on Notification; "
                    "it works on `PreToolUse`, `PostToolUse`, `PostToolUseFailure`, `PostToolBatch`, "
                    "`UserPromptSubmit`, `UserPromptExpansion`, `SessionStart`, `Setup`, `Stop`, `SubagentStart`, "
                    "`SubagentStop`, `PostModelSwitch`; write `event: PreToolUse`, or remove `context`"
                ]
            ),
        ),
        (
            "event: Stop\n    tool: Bash\n    deny: x",
            snapshot(
                ["6:5 `tool` never matches on Stop, which carries no call; remove `tool`, or write `event: PreToolUse`"]
            ),
        ),
        (
            "event: UserPromptSubmit\n    path: x\n    deny: x",
            snapshot(
                [
                    "6:5 `path` never matches on UserPromptSubmit, which carries no call; "
                    "remove `path`, or write `event: PreToolUse`"
                ]
            ),
        ),
        (
            "run: npm test ${input.command}\n    deny: x",
            snapshot(
                [
                    "5:10 a `run` line for the shell may have no ${…}; "
                    "give a list of arguments, each of which may have ${…}: `run: [./check.sh, '${match.path}']`"
                ]
            ),
        ),
        (
            "run: npm test\n    timeout: 20m\n    deny: x",
            [f"6:14 `timeout` is longer than the host waits on PreToolUse; at most 500s; {AN_HOUR}"],
        ),
        (
            "run: npm test\n    timeout: soon\n    deny: x",
            snapshot(["6:14 `timeout` is `soon`; expected a duration; write 90s, 5m or 1h"]),
        ),
        (
            "timeout: 5s\n    deny: x",
            snapshot(["5:14 `timeout` goes with `run`; add `run: npm test --silent`, for example"]),
        ),
        (
            "tool: Read\n    deny: 'not ${match.path}'",
            snapshot(["6:18 `match.path` needs the rule to have `path`; add `path`, or name something else"]),
        ),
        (
            "path: x\n    deny: 'not ${match.url.host}'",
            snapshot(["6:18 `match.url` needs the rule to have `url`; add `url`, or name something else"]),
        ),
        (
            "deny: '${run.out}'",
            snapshot(["5:14 `run` has no value without a `run` check; add `run: npm test --silent`, for example"]),
        ),
        ("deny: '${output.x}'", snapshot(["5:14 `output` exists only on PostToolUse; write `event: PostToolUse`"])),
        (
            "event: Stop\n    deny: '${input.command}'",
            snapshot(
                [
                    "6:14 `input` exists only on events that carry a call; "
                    "write `event: PreToolUse`, or use `event.` with a field of this event"
                ]
            ),
        ),
        (
            "event: Stop\n    when: input.command == 'x'\n    deny: x",
            snapshot(
                [
                    "6:11 `input` exists only on events that carry a call; "
                    "write `event: PreToolUse`, or use `event.` with a field of this event"
                ]
            ),
        ),
        (
            "deny: 'a ${nothing} b'",
            snapshot(
                ["5:16 nothing is called `nothing`; put it in quotes if it is a text, or name a value under `let`"]
            ),
        ),
        (
            "deny: 'a ${1 +} b'",
            snapshot(["5:19 the expression ends after `+`, where a value must follow; add the value"]),
        ),
    ],
)
def test_a_rule_that_cannot_do_what_it_says_is_refused(keys, told):
    assert in_rule(keys) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rules:\n  - {deny: x}", snapshot(["3:5 a rule has no `id`; name what it catches: `id: force-push`"])),
        (
            "rules:\n  - {id: 'a b', deny: x}",
            snapshot(["3:10 `a b` cannot be an id: it takes letters, digits, `-`, `.` and `_`; write `id: a-b`"]),
        ),
        (
            "rules:\n  - {id: 5, deny: x}",
            snapshot(["3:10 `id` is a number; expected a text; write `id: force-push`, for example"]),
        ),
        (
            "rules:\n  - {id: a, deny: x}\n  - {id: a, ask: why}",
            snapshot(["4:10 two rules are called `a` (lines 3 and 4); rename one: `id: a-2`"]),
        ),
        (
            "rules:\n  - {id: a, tool: Bash, when: 'count(\"forse-push\") > 1', deny: x}\n  - {id: force-push}",
            snapshot(['3:38 count("forse-push") asks about a rule that does not exist; did you mean `force-push`?']),
        ),
        (
            "rules:\n  - {id: a, tool: Bash, deny: 'for ${since(\"b\")}'}",
            snapshot(['3:44 since("b") asks about a rule that does not exist; the rules here are `a`']),
        ),
        ("packs: [gti]", snapshot(["2:9 there is no pack `gti`; did you mean `git`?"])),
        ("packs: [{with: {}}]", snapshot(["2:9 a pack has no `use`; name it: `{use: git}`"])),
        ("packs: [{use: git, wiht: {}}]", snapshot(["2:20 unknown key `wiht` in a pack; did you mean `with`?"])),
        (
            "packs: [{use: git, with: {protect: [x]}}]",
            snapshot(["2:27 the pack `git` has no parameter `protect`; did you mean `protected`?"]),
        ),
        (
            "packs: [{use: git, without: [force-psh]}]",
            snapshot(["2:30 the pack `git` has no rule `force-psh`; did you mean `force-push`?"]),
        ),
        (
            "packs: [/nowhere/x.yaml]",
            snapshot(["2:9 cannot read `/nowhere/x.yaml`: No such file or directory"]),
        ),
        ("packs: git", snapshot(["2:8 `packs` is a text; expected a list; write `packs: [git]`"])),
        ("hooks: [{}]", snapshot(["2:9 a hook has either `run` or `url`; write `run: ./check.sh`, for example"])),
        (
            "hooks: [{run: a, url: b}]",
            snapshot(["2:9 a hook has either `run` or `url`; write `run: ./check.sh`, for example"]),
        ),
        (
            "hooks: [{run: a, event: PreTool}]",
            snapshot(["2:25 unknown event `PreTool`; did you mean `PreToolUse`?"]),
        ),
        (
            "hooks: [{run: a, dialect: claude}]",
            snapshot(
                ["2:27 `dialect` is `claude`; expected one of `claude-code`, `flat`; did you mean `claude-code`?"]
            ),
        ),
        (
            "hooks: [{run: a, timeout: 1h}]",
            [f"2:27 `timeout` is longer than the host waits on PreToolUse; at most 500s; {AN_HOUR}"],
        ),
        ("hooks: [{run: a, tool: bash}]", snapshot(["2:24 there is no tool called `bash`; did you mean `Bash`?"])),
        ("hooks: [{run: a, tols: x}]", snapshot(["2:18 unknown key `tols` in a hook; did you mean `tool`?"])),
        ("hooks: [5]", snapshot(["2:9 a hook is a number; expected a text"])),
    ],
)
def test_ids_packs_and_hooks_are_checked(text, told):
    assert complaints(text) == told


# What would fail or mislead only when it runs


@pytest.mark.parametrize(
    "text",
    [
        "rules: [{id: a, tool: Bash, when: \"count('a', '1x') > 1\", deny: x}]",
        "rules: [{id: a, tool: Bash, when: \"count('a', '1h', 'team') > 1\", deny: x}]",
        "rules: [{id: a, tool: Bash, when: \"since('a', 'team') > duration('1h')\", deny: x}]",
    ],
)
def test_a_window_or_scope_that_does_not_exist_is_refused(text):
    assert len(complaints(text)) == 1


def test_parameters_that_are_no_map_are_refused():
    assert len(complaints("packs: [{use: git, with: [x]}]")) == 1


def test_a_hook_that_runs_nothing_is_refused():
    assert len(complaints("hooks: [{run: []}]")) == 1


@pytest.mark.parametrize("name", ["input", "tool", "now", "state", "match", "count", "true", "a-b", "in"])
def test_a_name_of_let_that_means_something_else_is_refused(name):
    assert complaints(f"let: {{{name}: 5}}") != []


@pytest.mark.parametrize("name", ["a-b", "a.b", "in", "5"])
def test_a_name_of_state_no_expression_could_use_is_refused(name):
    assert complaints(f"state: {{{name}: 5}}") != []


@pytest.mark.parametrize("value", ["text", "[1]", "{a: 1}", "true", "'${tool}'", "1.5"])
def test_setting_a_number_to_something_else_is_refused(value):
    assert len(in_rule(f"tool: Bash\n    set: {{limit: {value}}}")) == 1


@pytest.mark.parametrize("event", sorted(EVENTS.keys() - {"WorktreeCreate"}))
def test_a_check_may_take_as_long_as_the_host_waits_on_its_event(event: str):
    def errors(seconds: float) -> list[str]:
        try:
            load(f"rules: [{{id: r, event: {event}, run: make, timeout: {seconds:g}s, notify: x}}]")
        except LocatedErrors as found:
            return [one.message for one in found.errors]
        return []

    most = can(event).seconds
    assert errors(most) == []
    assert errors(most + 1) == [f"`timeout` is longer than the host waits on {event}; at most {most:g}s"]
