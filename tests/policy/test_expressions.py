"""Conditions and values: what is refused before anything runs, and which way a failure falls when it does run."""

import pytest
from inline_snapshot import snapshot

from interlock.policy.expressions import ExpressionError, Language
from tests.policy.builders import Session, complaints, decide, load


def with_condition(when: str, keys: str = "tool: Bash") -> str:
    """A policy whose condition starts at column 11 of line 7."""
    head = "state: {limit: 5, tenure: {}, name: ''}\nlet: {limits: {new: 100}, word: x}\nrules:\n  - id: r\n"
    return f"{head}    {keys}\n    when: {when}\n    deny: x\n"


def refused(when: str, keys: str = "tool: Bash") -> list[str]:
    return complaints(with_condition(when, keys))


# At load


@pytest.mark.parametrize(
    ("when", "told"),
    [
        (
            "input.comand == 'x'",
            snapshot(["7:11 Bash has no `comand`, so the condition would fail on it; did you mean `command`?"]),
        ),
        (
            "size(input.command) > 1 && input.comand == 'x'",
            snapshot(["7:38 Bash has no `comand`, so the condition would fail on it; did you mean `command`?"]),
        ),
        ("state.limt > 1", snapshot(["7:11 nothing is called `state.limt`; did you mean `state.limit`?"])),
        ("true || state.limt > 1", snapshot(["7:19 nothing is called `state.limt`; did you mean `state.limit`?"])),
        (
            "state.limit == 'x'",
            snapshot(
                [
                    "7:23 `==` does not go with a number and a text; "
                    "both sides must be of one kind; `int(…)` and `string(…)` convert"
                ]
            ),
        ),
        (
            "state.limit > 1.5",
            snapshot(
                [
                    "7:23 `>` does not go with a number and a number with a point; "
                    "both sides must be of one kind; `int(…)` and `string(…)` convert"
                ]
            ),
        ),
        (
            "input.command > 5",
            snapshot(["7:25 `>` does not go with a text and a number; write `input.command.size() > 5`"]),
        ),
        (
            "1 < 2 && tool == 5",
            snapshot(['7:25 `==` does not go with a text and a number; write `1 < 2 && tool == "5"`']),
        ),
        (
            "limits.new == 'x'",
            snapshot(
                [
                    "7:22 `==` does not go with a number and a text; "
                    "both sides must be of one kind; `int(…)` and `string(…)` convert"
                ]
            ),
        ),
        ("word > 1", snapshot(["7:16 `>` does not go with a text and a number; write `word.size() > 1`"])),
        ("wrod == 'x'", snapshot(["7:11 nothing is called `wrod`; did you mean `word`?"])),
        ("inptu.command == 'x'", snapshot(["7:11 nothing is called `inptu.command`; did you mean `input`?"])),
        (
            "input.command.startswith('x')",
            snapshot(["7:25 CEL has no `.startswith()`; write `input.command.startsWith('x')`"]),
        ),
        ("coutn('r') > 1", snapshot(["7:11 there is no function `coutn()`; did you mean `count`?"])),
        (
            "count(5) > 1",
            snapshot(
                ["7:16 `count()` does not take a number; `interlock docs policy` shows how each function is called"]
            ),
        ),
        ("tool", snapshot(["7:11 the condition is a text, not true or false"])),
        ("state.limit", snapshot(["7:11 the condition is a number, not true or false"])),
        ("has(state.limit)", snapshot(["7:11 has(state.limit) is always true: state has a default"])),
        ("true && has(state.limit)", snapshot(["7:19 has(state.limit) is always true: state has a default"])),
        ("state == 5", snapshot(["7:11 `state` is not a value by itself; name a variable: state.limit"])),
        ("tool ==", snapshot(["7:18 the expression ends after `==`, where a value must follow; add the value"])),
        ("tool = 'x'", snapshot(["7:16 `=` compares nothing in CEL; write `tool == 'x'`"])),
        ("event.nmae == 'x'", snapshot(["7:11 PreToolUse has no `nmae`; write event.?nmae.orValue(…)"])),
        (
            "event.agent_id == 'x'",
            snapshot(["7:11 PreToolUse may come without `agent_id`; write event.?agent_id.orValue(…)"]),
        ),
        ("server.name == 5", snapshot(['7:23 `==` does not go with a text and a number; write `server.name == "5"`'])),
        ("now > 5", snapshot(["7:15 `>` does not go with a time and a number; write `now.getHours() > 5`"])),
    ],
)
def test_a_condition_that_cannot_be_right_is_refused_where_it_is_wrong(when, told):
    assert refused(when) == told


def test_the_place_is_right_in_quotes_blocks_and_dollar_braces():
    wrong = 'tool == "Bash" && state.limt > 1'
    for written, place in (
        (f"'{wrong}'", (6, 30)),
        (f"${{{wrong}}}", (6, 31)),
        (f"|\n      {wrong}", (7, 25)),
        (f">\n      tool == 'x' ||\n      {wrong}", (8, 25)),
    ):
        (complaint,) = complaints(
            f"state: {{limit: 5}}\nrules:\n  - id: r\n    tool: Bash\n    when: {written}\n    deny: x\n"
        )
        assert complaint.split()[0] == f"{place[0]}:{place[1]}", written


# A deny storm


def may_lack(place: str, tool: str, field: str) -> str:
    cure = f"write input.?{field}.orValue(…), or has(input.{field}) && …"
    return f"{place} {tool} may come without `{field}`, and would then be denied; {cure}"


def lacks(place: str, tool: str, field: str) -> str:
    cure = f"write input.?{field}.orValue(…), or name the tools"
    return f"{place} {tool} has no `{field}`, so the condition would fail on it; {cure}"


@pytest.mark.parametrize(
    ("when", "keys", "told"),
    [
        ("input.timeout > 5", "tool: Bash", may_lack("7:11", "Bash", "timeout")),
        ("input['timeout'] > 5", "tool: Bash", may_lack("7:11", "Bash", "timeout")),
        ("input.timeout > 5", "command: ls", may_lack("7:11", "Bash", "timeout")),
        ("has(input.command) && input.timeout > 5", "tool: Bash", may_lack("7:33", "Bash", "timeout")),
        ("input.description == 'x'", "tool: [Bash, Agent]", may_lack("7:11", "Bash", "description")),
        ("input.content == 'x'", "tool: [Write, Edit]", lacks("7:11", "Edit", "content")),
        ("input.file_path == 'x'", "kind: edit", lacks("7:11", "NotebookEdit", "file_path")),
        ("input.url == 'x'", "tool: '*'", lacks("7:11", "Bash", "url")),
        ("input.command == 'x'", "agent: main", may_lack("7:11", "Monitor", "command")),
    ],
)
def test_a_condition_that_would_fail_on_calls_it_need_not_match_is_refused(when, keys, told):
    assert refused(when, keys) == [told]


def test_the_condition_of_an_unless_is_held_to_the_same():
    text = "rules:\n  - id: r\n    tool: Bash\n    unless: {when: input.timeout > 5}\n    deny: x\n"
    assert complaints(text) == [may_lack("5:20", "Bash", "timeout")]


@pytest.mark.parametrize(
    ("when", "keys"),
    [
        ("input.?timeout.orValue(0) > 5", "tool: Bash"),
        ("has(input.timeout) && input.timeout > 5", "tool: Bash"),
        ("true && 'timeout' in input && input.timeout > 5", "tool: Bash"),
        ("input[?'timeout'].orValue(0) > 5", "tool: Bash"),
        ("input.command == 'x'", "tool: Bash"),
        ("input.command == 'x'", "command: ls"),
        ("input.command == 'x'", "tool: [Bash, PowerShell]"),
        ("input.file_path == 'x'", "tool: [Write, Edit, Read]"),
        ("input.?file_path.orValue('') == 'x'", "agent: main"),
        ("input.anything > 5", "tool: process_refund"),
        ("input.anything > 5", "tool: mcp__pay__*"),
        ("state.limit > 1 && state.name == 'x'", "tool: Bash"),
        ("has(state.tenure.a)", "tool: Bash"),
        ("state.tenure[?'a'].orValue('b') == 'c'", "tool: Bash"),
        ("limits[?'b'].orValue(1) > 1", "tool: Bash"),
        ("commands.exists(c, c.program == 'ls')", "tool: Bash"),
        ("event.session_id == 'x' && event.name == 'PreToolUse'", "tool: Bash"),
        ("event.?agent_id.orValue('') == 'x'", "tool: Bash"),
        ("size(input.command) > 1", "tool: Bash"),
        ("double(state.limit) > 1.5", "tool: Bash"),
    ],
)
def test_a_guarded_or_certain_field_is_accepted(when, keys):
    assert len(load(with_condition(when, keys)).rules) == 1


# Conditions of let

LET = """
let:
  limits: {new: 100}
  big: ${size(input.?command.orValue("")) > 5}
  weekend: ${now.getDayOfWeek() in [0, 6]}
  risky: ${big && !weekend}
rules:
  - {id: r, tool: Bash, when: risky || tool == "never", deny: x}
"""


def test_conditions_of_let_are_evaluated_on_use_and_may_use_each_other():
    monday, sunday = "2026-11-16T10:00:00Z", "2026-11-15T10:00:00Z"
    assert decide(LET, "ls -la /tmp", {"now": monday}) == "deny"
    assert decide(LET, "ls", {"now": monday}) is None
    assert decide(LET, "ls -la /tmp", {"now": sunday}) is None


def test_an_error_in_a_condition_of_let_stands_where_it_stands_and_only_there():
    text = "let:\n  a: ${tool == 5}\n  b: ${a && mode == 'x'}\nrules:\n  - {id: r, when: b, deny: x}\n"
    assert complaints(text) == snapshot(['3:13 `==` does not go with a text and a number; write `tool == "5"`'])


def test_a_condition_of_let_uses_only_those_above_it():
    text = "let:\n  a: ${b && tool == 'Bash'}\n  b: ${mode == 'plan'}\n"
    assert complaints(text)[0].startswith("3:8 nothing is called `b`")


def test_conditions_of_let_that_need_each_other_are_refused():
    assert len(complaints("let:\n  a: ${!b}\n  b: ${!a}\n")) >= 1
    assert len(complaints("let:\n  a: ${!a}\n")) == 1


def test_an_unguarded_field_is_refused_through_a_name_too():
    text = "let: {slow: '${input.timeout > 5}'}\nrules:\n  - {id: r, tool: Bash, when: slow, deny: x}\n"
    assert complaints(text) == [may_lack("4:32", "Bash", "timeout")]


# When it runs


def test_a_failure_denies_and_names_the_rule_and_what_failed():
    verdict = Session("rules:\n  - {id: limit, tool: refund, when: input.amount > 5, deny: x}\n").call({"refund": {}})
    assert (verdict.decision, verdict.reason) == (
        "deny",
        snapshot('rule `limit` [interlock.yaml:3:5] failed: there is no "amount"'),
    )
    assert verdict.errors == (verdict.reason,)


@pytest.mark.parametrize("amount", ["5", None, [1], {"a": 1}, True, 2**64, 2**200, -(2**64)])
def test_a_value_of_the_wrong_kind_denies_and_never_passes_for_true_or_false(amount):
    policy = "rules:\n  - {id: limit, tool: refund, when: input.amount == 5 || input.amount > 5, ask: really}\n"
    verdict = Session(policy).call({"refund": {"amount": amount}})
    assert (verdict.decision, len(verdict.errors)) == ("deny", 1)
    assert "`limit`" in (verdict.reason or "")


@pytest.mark.parametrize(
    ("amount", "decision"), [(6, "ask"), (5.5, "ask"), (2**63 - 1, "ask"), (2**63, "ask"), (1e308, "ask"), (4.9, None)]
)
def test_numbers_compare_whatever_their_size_and_sort(amount, decision):
    assert decide(
        "rules:\n  - {id: r, tool: refund, when: input.amount > 5, ask: x}\n", {"refund": {"amount": amount}}
    ) == (decision)


def test_a_big_integer_anywhere_fails_only_the_rules_that_look_at_it():
    session = Session("""
        rules:
          - {id: a, tool: refund, when: tool == "never", deny: x}
          - {id: b, tool: refund, ask: really}
    """)
    assert session.call({"refund": {"id": 2**70, "amount": 1}}).decision in ("ask", "deny")


def test_lone_surrogates_fail_closed():
    session = Session("rules: [{id: a, tool: refund, when: input.x == 'y', allow: true}]")
    raw = session.payload("PreToolUse", tool_name="refund", tool_input={"x": "SURROGATE"}, tool_use_id="t")
    assert session.raw(raw.replace(b"SURROGATE", b"\\ud800")).verdict.decision == "deny"


@pytest.mark.parametrize(("on_error", "decision"), [("deny", "deny"), ("ask", "ask"), ("ignore", None)])
def test_on_error_is_a_choice_a_person_wrote_down(on_error, decision):
    policy = f"rules:\n  - {{id: r, tool: refund, when: input.amount > 5, deny: x, on_error: {on_error}}}\n"
    verdict = Session(policy).call({"refund": {}})
    assert verdict.decision == decision
    assert verdict.errors == ('rule `r` [interlock.yaml:3:5] failed: there is no "amount"',)
    assert Session(policy).call({"refund": {"amount": 9}}).decision == "deny"


def test_a_failure_on_stop_passes_with_a_notice():
    verdict = Session("rules:\n  - {id: r, event: Stop, when: 1 / int(mode.size() - 7) > 0, deny: x}\n").event(
        "Stop", stop_hook_active=False
    )
    assert (verdict.decision, verdict.notices) == (
        None,
        snapshot(("rule `r` [interlock.yaml:3:5] failed: divide by zero",)),
    )


def test_a_failure_in_unless_does_not_excuse():
    policy = "rules:\n  - {id: r, tool: refund, unless: {when: input.amount < 5}, deny: x}\n"
    verdict = Session(policy).call({"refund": {}})
    assert (verdict.decision, len(verdict.errors)) == ("deny", 1)


def test_a_failing_allow_denies():
    policy = "rules:\n  - {id: r, tool: refund, when: input.amount < 5, allow: true}\n"
    assert decide(policy, {"refund": {}}) == "deny"
    assert decide(policy, {"refund": {"amount": 1}}) == "allow"


def test_a_huge_comprehension_fails_closed_before_its_end():
    """Unbounded it would take minutes."""
    numbers = ", ".join("1" for _ in range(400))
    nested = f"[{numbers}].all(a, [{numbers}].all(b, [{numbers}].all(c, a + b + c > 0)))"
    session = Session(f"rules:\n  - {{id: r, tool: Bash, when: '{nested}', ask: why}}\n")
    verdict = session.call("ls")
    assert (verdict.decision, len(verdict.errors)) == ("deny", 1)


def test_a_long_list_from_the_model_fails_closed():
    session = Session("rules:\n  - {id: r, tool: refund, when: 'input.ids.exists(i, i == 7)', allow: true}\n")
    assert session.call({"refund": {"ids": [1, 7]}}).decision == "allow"
    assert session.call({"refund": {"ids": [1] * 20_000 + [7]}}).decision == "deny"


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ('unread.exists(u, u.by == "x")', ("unread",)),
        ('fresh.exists(f, unread.exists(u, u.file == f.file)) && tool == "Bash"', ("fresh",)),
        ("sends.exists(s, true) && (urls.exists(u, true) || opaque)", ("sends",)),
        ("unread.exists(u, true) || opaque", ()),
        ("opaque ? unread.exists(u, true) : true", ()),
        ("!unread.exists(u, true)", ()),
        ("unread.exists(u, true) == false", ()),
        ("unread.size() == 0", ()),
        ("(unread.exists(u, true))", ()),
        ('tool == "unread.exists(u, true)"', ()),
    ],
)
def test_a_list_that_must_not_be_empty_is_known_before_a_condition_is_evaluated(text, needs):
    assert Language({}, {}).compile(text, condition=True).needs == needs


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('tool.matches("^B.sh$")', True),
        ('tool.matches("^b.sh$")', False),
        ('["Bash"].exists(name, name.matches("as"))', True),
        ('input.x.matches("^a+$")', True),
        ('input.x == ".matches("', False),
        ('".matches(" == ".matches("', True),
        ('matches(tool, "Ba")', True),
    ],
)
def test_regexes_in_conditions_match_anywhere_in_a_text(text, holds):
    language = Language({}, {})
    data = {"tool": "Bash", "input": {"x": "aaa"}}
    assert language.compile(text, condition=True).holds(language.activation(data)) is holds


@pytest.mark.parametrize("pattern", ['"("', "input.x"])
def test_a_regex_that_is_none_fails_the_condition(pattern):
    language = Language({}, {})
    with pytest.raises(ExpressionError):
        language.compile(f"tool.matches({pattern})", condition=True).holds(
            language.activation({"tool": "Bash", "input": {"x": 5 if pattern == "input.x" else ""}})
        )
