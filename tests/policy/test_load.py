"""What the loader refuses, and the words it does it in: file, line, column, the line, a caret, a cure."""

import pytest
from inline_snapshot import snapshot

from tests.policy.builders import complaints, errors_of, refusal


def in_rule(keys: str) -> list[str]:
    return complaints(f"state: {{limit: 5}}\nrules:\n  - id: r\n    {keys}\n")


# Whole texts


def test_an_unknown_key_at_the_top_is_pointed_at_with_the_right_one():
    assert refusal("version: 1\nruls: []\n") == snapshot("""\
error: unknown key `ruls` in the policy
 --> interlock.yaml:2:1
  |
2 | ruls: []
  | ^
help: did you mean `rules`?\
""")


def test_an_unknown_key_of_a_rule_names_the_rule():
    assert refusal("version: 1\nrules:\n  - id: force-push\n    whne: true\n    deny: x\n") == snapshot("""\
error: unknown key `whne` in rule `force-push`
 --> interlock.yaml:4:5
  |
4 |     whne: true
  |     ^
help: did you mean `when`?\
""")


def test_an_unknown_key_with_no_near_one_lists_what_there_is():
    assert refusal("version: 1\nrules:\n  - id: a\n    path: {zzzzzzz: x}\n") == snapshot("""\
error: unknown key `zzzzzzz` in `path`
 --> interlock.yaml:4:12
  |
4 |     path: {zzzzzzz: x}
  |            ^
help: use one of `read`, `write`, `create`, `delete`, `send`\
""")


def test_a_caret_stands_inside_the_expression():
    assert refusal(
        "version: 1\nrules:\n  - id: a\n    tool: Bash\n    when: size(input.comand) > 1\n    deny: x\n"
    ) == (
        snapshot("""\
error: Bash has no `comand`, so the condition would fail on it
 --> interlock.yaml:5:16
  |
5 |     when: size(input.comand) > 1
  |                ^
help: did you mean `command`?\
""")
    )


def test_all_errors_of_a_file_come_in_one_run_in_the_order_of_its_lines():
    assert refusal("""\
        version: 1
        packs: [gti]
        state: {limit: {default: 5, scop: user}}
        rules:
          - id: a
            tool: bash
            deny: true
          - id: a
            event: PostTolUse
            ask: really
          - tool: Bash
            when: state.limt > 1
        brief: 3
        """) == snapshot("""\
error: there is no pack `gti`
 --> interlock.yaml:2:9
  |
2 | packs: [gti]
  |         ^
help: did you mean `git`?

error: unknown key `scop` in state `limit`
 --> interlock.yaml:3:29
  |
3 | state: {limit: {default: 5, scop: user}}
  |                             ^
help: did you mean `scope`?

error: there is no tool called `bash`
 --> interlock.yaml:6:11
  |
6 |     tool: bash
  |           ^
help: did you mean `Bash`?

error: `deny` needs a text
 --> interlock.yaml:7:11
  |
7 |     deny: true
  |           ^
help: say why, and what to do instead: `deny: Use the staging copy.`

error: two rules are called `a` (lines 5 and 8)
 --> interlock.yaml:8:9
  |
8 |   - id: a
  |         ^
help: rename one: `id: a-2`

error: unknown event `PostTolUse`
 --> interlock.yaml:9:12
  |
9 |     event: PostTolUse
  |            ^
help: did you mean `PostToolUse`?

error: a rule has no `id`
 --> interlock.yaml:11:5
   |
11 |   - tool: Bash
   |     ^
help: name what it catches: `id: force-push`

error: nothing is called `state.limt`
 --> interlock.yaml:12:11
   |
12 |     when: state.limt > 1
   |           ^
help: did you mean `state.limit`?

error: `brief` is a number; expected true or false
 --> interlock.yaml:13:8
   |
13 | brief: 3
   |        ^
help: write `brief: true`, or leave it out

9 errors\
""")


def test_errors_of_a_pack_are_told_beside_those_of_the_file(tmp_path):
    (tmp_path / "own.yaml").write_text("version: 1\nrules:\n  - {id: a, tol: Bash}\n", encoding="utf-8")
    file = str(tmp_path / "interlock.yaml")
    found = errors_of("version: 1\npacks: [./own.yaml]\nrules:\n  - {id: b, tool: bash}\n", file).errors
    places = [(error.source.file, error.source.line, error.message) for error in found if error.source]
    assert sorted(places) == [
        (file, 4, "there is no tool called `bash`"),
        (str(tmp_path / "own.yaml"), 3, "unknown key `tol` in rule `a`"),
    ]


# One line each


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", snapshot(["(1, 1) the policy names no version; start with `version: 1`"])),
        ("version: 2", snapshot(["(1, 10) there is no version 2 of the policy language; write `version: 1`"])),
        ("version: true", snapshot(["(1, 10) there is no version true of the policy language; write `version: 1`"])),
        ("version: '1'", snapshot(["(1, 10) `version` is a text, and a number is expected; write `version: 1`"])),
        (
            "version: 1\nrules: {}",
            snapshot(
                [
                    "(2, 1) `rules` is empty; "
                    'list the rules: `rules: [{id: force-push, command: git push -f, deny: "Push to a branch."}]`'
                ]
            ),
        ),
        (
            "version: 1\nrules: [x]",
            snapshot(
                [
                    "(2, 9) a rule is a text; expected a map of its keys; "
                    'write `- {id: force-push, command: git push -f, deny: "Push to a branch."}`, for example'
                ]
            ),
        ),
        (
            "version: 1\nlet: []",
            snapshot(
                [
                    "(2, 6) `let` is a list; expected a map; "
                    "write `let: {limits: {new: 100}, weekend: '${now.getDayOfWeek() in [0, 6]}'}`, for example"
                ]
            ),
        ),
        (
            "version: 1\nstate: 5",
            snapshot(
                [
                    "(2, 8) `state` is a number; expected a map; "
                    "write `state: {tenure: {}, refunds: {default: 0, scope: project}}`, for example"
                ]
            ),
        ),
        (
            "version: 1\nstate: {a: {scope: user}}",
            snapshot(["(2, 12) state `a` has no default; add one: `{default: 0}`"]),
        ),
        (
            "version: 1\nstate: {a: {default: 1, scope: team}}",
            snapshot(
                [
                    "(2, 32) `scope` is `team`; expected one of `session`, `agent`, `project`, `user`; "
                    "write `scope: session`, for example"
                ]
            ),
        ),
        (
            "version: 1\nobserve: 1",
            snapshot(["(2, 10) `observe` is a number; expected true or false; write `observe: true`, or leave it out"]),
        ),
        (
            "version: 1\ntools: {x: {kind: shel}}",
            snapshot(
                [
                    "(2, 19) `kind` is `shel`; expected one of `shell`, `edit`, `read`, `fetch`, `agent`, `skill`; "
                    "did you mean `shell`?"
                ]
            ),
        ),
        (
            "version: 1\ntools: {x: {writes: at}}",
            snapshot(["(2, 13) unknown key `writes` in tool `x`; did you mean `write`?"]),
        ),
        ("version: 1\ntools: {x: target}", snapshot(["(2, 12) tool `x` is a text; expected a map; None"])),
        (
            "- a",
            snapshot(
                [
                    "(1, 1) the policy is a list; expected a map; "
                    "start with `version: 1`, and list the rules under `rules`",
                    "(1, 1) the policy names no version; start with `version: 1`",
                ]
            ),
        ),
        ("", snapshot(["(1, 1) the file is empty; write at least `version: 1`"])),
    ],
)
def test_the_top_is_checked(text, told):
    found = errors_of(text).errors
    assert [f"{one.source and one.source[1:]} {one.message}; {one.help}" for one in found] == told


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("id2: x", snapshot(["5:5 unknown key `id2` in rule `r`; did you mean `id`?"])),
        ("tool: bash\n    deny: x", snapshot(["5:11 there is no tool called `bash`; did you mean `Bash`?"])),
        (
            "tool: mcp__pay\n    deny: x",
            snapshot(["5:11 `mcp__pay` names a server and no tool; write `mcp__pay__*` for all of its tools"]),
        ),
        (
            "tool: Write|Edit\n    deny: x",
            snapshot(["5:11 `Write|Edit` holds a `|`, which no name has; write a list: `[Write, Edit]`"]),
        ),
        (
            "tool: [Write, 5, true]\n    deny: x",
            snapshot(
                ["5:22 `tool` is true or false; expected a text; write `tool: [Write, mcp__files__*]`, for example"]
            ),
        ),
        (
            "tool: {a: b}\n    deny: x",
            snapshot(["5:11 `tool` is a map; expected a text; write `tool: [Write, mcp__files__*]`, for example"]),
        ),
        (
            "tool: []\n    deny: x",
            snapshot(
                [
                    "5:11 `tool` is an empty list, which matches nothing; "
                    "write `tool: [Write, mcp__files__*]`, for example"
                ]
            ),
        ),
        (
            "tool: /[/\n    deny: x",
            snapshot(["5:11 `/[/` is not a regex: a `[` is not closed; close it, or write `\\[` for the mark itself"]),
        ),
        (
            "kind: edits\n    deny: x",
            snapshot(
                [
                    "5:11 `kind` is `edits`; expected one of `shell`, `edit`, `read`, `fetch`, `agent`, `skill`; "
                    "did you mean `edit`?"
                ]
            ),
        ),
        ("event: PreTolUse\n    deny: x", snapshot(["5:12 unknown event `PreTolUse`; did you mean `PreToolUse`?"])),
        (
            "event: WorktreeCreate\n    deny: x",
            snapshot(["5:12 WorktreeCreate has no rules: its host takes any answer as a path; remove it"]),
        ),
        (
            "command: --force\n    deny: x",
            snapshot(["5:14 the command `--force` names no program; start with the program's name"]),
        ),
        ("content: /a\n    deny: x", snapshot(["5:14 `/a` starts a regex and does not end it; write `/a/`"])),
        (
            "content: ''\n    deny: x",
            snapshot(["5:14 `content` is empty; expected a text; write `content: /BEGIN PRIVATE KEY/`, for example"]),
        ),
        ("path: {raed: x}\n    deny: x", snapshot(["5:12 unknown key `raed` in `path`; did you mean `read`?"])),
        (
            "path: '${nowhere}/x'\n    deny: x",
            snapshot(["5:14 `nowhere` in `path` is not a constant; a pattern takes names of `let`, and `project`"]),
        ),
        ("tool: '${unclosed'\n    deny: x", snapshot(["5:12 `${` is not closed; write ${…}"])),
        ("unless: {tol: Bash}\n    deny: x", snapshot(["5:14 unknown key `tol` in `unless`; did you mean `tool`?"])),
        (
            "unless: {event: Stop}\n    deny: x",
            snapshot(
                [
                    "5:14 unknown key `event` in `unless`; an exception holds for every event of its rule; "
                    "write another rule instead"
                ]
            ),
        ),
        (
            "unless: {}\n    deny: x",
            snapshot(["5:13 an empty `unless` would excuse everything; write `unless: {branch: me/*}`, for example"]),
        ),
        (
            "unless: Bash\n    deny: x",
            snapshot(["5:13 `unless` is a text; expected a map; write `unless: {branch: me/*}`, for example"]),
        ),
        (
            "when: 5\n    deny: x",
            snapshot(["5:11 `when` is a number; expected a text; write `when: input.amount > 100`, for example"]),
        ),
        ("when: input.size()\n    deny: x", snapshot(["5:11 the condition is a number, not true or false"])),
        (
            "when: 1 +\n    deny: x",
            snapshot(["5:14 the expression ends after `+`, where a value must follow; add the value"]),
        ),
        (
            "on_error: dney\n    deny: x",
            snapshot(["5:15 `on_error` is `dney`; expected one of `deny`, `ask`, `ignore`; did you mean `deny`?"]),
        ),
        ("set: {limt: 5}", snapshot(["5:11 nothing in `state` is called `limt`; did you mean `limit`?"])),
        (
            "set: limit",
            snapshot(
                [
                    "5:10 `set` is a text; expected a map; "
                    "write `set: {tenure: {'${input.customer_id}': '${output.tenure}'}}`, for example"
                ]
            ),
        ),
        ("cases: {catches: [x]}", snapshot(["5:13 unknown key `catches` in `cases`; use `catch`"])),
        ("cases: {catch: x}", snapshot(["5:20 `cases.catch` is a text; expected a list; write `catch: [x]`"])),
        (
            "about: 5",
            snapshot(
                [
                    "5:12 `about` is a number; expected a text; "
                    "say it in a sentence: `about: Never push over shared history.`"
                ]
            ),
        ),
    ],
)
def test_a_rule_that_is_misspelt_is_refused(keys, told):
    assert in_rule(keys) == told
