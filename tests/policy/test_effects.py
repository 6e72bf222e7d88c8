"""What a rule does when it fires: reasons, context, notices, results; and what one does that only observes."""

import pytest
from inline_snapshot import snapshot
from msgspec import UNSET, json

from interlock.facts.results import fit
from interlock.verdict import Loss
from tests.policy.builders import Session, fired, load

# Reasons


def test_every_reason_of_the_winning_decision_is_kept_in_order_and_numbered():
    session = Session("""
        rules:
          - {id: a, tool: Bash, deny: First.}
          - {id: b, tool: Bash, ask: Not shown.}
          - {id: c, tool: Bash, deny: second}
    """)
    verdict = session.call("ls")
    assert (verdict.decision, verdict.reason) == (
        "deny",
        snapshot("Denied: (1) First. (2) second. Both must be resolved."),
    )
    assert fired(verdict) == ["a", "b", "c"]


def test_the_strictest_decision_wins_whatever_the_order():
    order = ["allow", "ask", "deny"]
    for stricter in range(1, 3):
        for weaker in range(stricter):
            pair = (order[stricter], order[weaker])
            for first, second in (pair, pair[::-1]):
                policy = f"rules: [{{id: a, tool: Bash, {first}: x}}, {{id: b, tool: Bash, {second}: x}}]"
                assert Session(policy).call("ls").decision == order[stricter]


def test_defer_stands_between_ask_and_deny_and_a_host_that_cannot_honour_it_denies():
    verdict = Session("rules: [{id: a, tool: Bash, ask: one}, {id: b, tool: Bash, defer: two}]").call("ls")
    assert (verdict.decision, verdict.reason, verdict.lowered) == snapshot(
        ("deny", "two", (Loss(effect="defer", instead="deny"),))
    )


def test_a_reason_names_rule_and_place():
    (reason,) = Session("rules:\n  - id: no-ls\n    command: ls\n    deny: stop\n").call("ls").reasons
    assert (reason.by, str(reason.source)) == ("no-ls", "interlock.yaml:3:5")


def test_nothing_said_is_an_empty_answer():
    reply = Session("rules: [{id: a, command: rm, deny: stop}]").reply("ls")
    assert (reply.stdout, reply.exit_code, reply.verdict.opinions) == (b"{}", 0, ())


def test_a_failing_part_of_a_text_shows_as_a_question_mark_and_the_decision_stands():
    verdict = Session("rules: [{id: a, tool: Bash, deny: 'x ${input.nothing} y ${1 / 0} z'}]").call("ls")
    assert (verdict.decision, verdict.reason, verdict.errors) == ("deny", "x (?) y (?) z", ())


def test_a_text_that_is_an_optional_shows_as_a_question_mark():
    verdict = Session("rules: [{id: a, tool: Bash, deny: 'x ${input.?nothing}'}]").call("ls")
    assert (verdict.decision, verdict.reason) == ("deny", "x (?)")


def test_a_map_in_a_text_is_written_the_same_every_time():
    policy = "let: {m: {z: 1, a: 2, k: 3, b: 4}}\nrules: [{id: a, tool: Bash, deny: '${m}'}]"
    assert Session(policy).call("ls").reason in ('{"z":1,"a":2,"k":3,"b":4}', '{"a":2,"b":4,"k":3,"z":1}')


def test_a_dollar_before_an_expression_is_a_dollar():
    policy = "rules: [{id: a, tool: refund, when: input.amount > 5, deny: 'Refund of $${input.amount}.'}]"
    assert Session(policy).call({"refund": {"amount": 7}}).reason == "Refund of $7."


# Context, notices, interrupt


def test_context_goes_to_the_model_and_a_notice_to_the_person():
    session = Session("rules: [{id: a, tool: Bash, context: 'ran ${input.command}', notify: 'look at ${tool}'}]")
    verdict = session.call("ls")
    assert (verdict.decision, verdict.told, verdict.notices) == (None, "ran ls", ("look at Bash",))


def test_context_can_come_with_a_prompt():
    session = Session("rules: [{id: a, event: UserPromptSubmit, prompt: deploy, context: Deploys are on Mondays.}]")
    assert session.event("UserPromptSubmit", prompt="deploy it").told == "Deploys are on Mondays."
    assert session.event("UserPromptSubmit", prompt="build it").told is None


def test_a_turn_is_ended_after_a_call_with_a_text_for_the_person():
    session = Session("""
        rules:
          - {id: lost, event: PostToolUse, tool: Bash, content: lost, interrupt: "Look at `${input.command}` first."}
          - {id: plain, event: PostToolUse, tool: Bash, content: plain, interrupt: true}
    """)
    said = {}
    for word in ("lost", "plain", "fine"):
        session.call("make x")
        reply = session.result_reply("make x", {"stdout": word, "stderr": "", "interrupted": False})
        said[word] = json.decode(reply.stdout)
    assert said == {
        "lost": {"continue": False, "stopReason": "Look at `make x` first."},
        "plain": {"continue": False, "stopReason": "the rule `plain` ended the turn"},
        "fine": {},
    }


def test_a_rule_that_only_observes_ends_no_turn():
    session = Session("rules: [{id: a, event: PostToolUse, interrupt: Enough., observe: true}]")
    session.call("ls")
    verdict = session.result("ls", "x")
    assert (verdict.interrupt, [opinion.would for opinion in verdict.opinions]) == (False, ["interrupt Enough."])


def test_the_turn_ends_although_another_rule_tells_the_agent_to_go_on():
    session = Session("rules: [{id: a, event: Stop, deny: Not yet.}, {id: b, event: Stop, interrupt: Enough.}]")
    assert json.decode(session.raw(session.payload("Stop")).stdout) == {
        "continue": False,
        "stopReason": "Enough.",
        "decision": "block",
        "reason": "Not yet.",
    }


def test_interrupt_ends_the_turn_only_if_its_deny_wins():
    session = Session("rules: [{id: a, command: rm, deny: stop, interrupt: true}, {id: b, tool: Bash, deny: x}]")
    assert session.call("rm x").interrupt is True
    assert session.call("ls").interrupt is False
    assert json.decode(session.reply("rm x").stdout)["continue"] is False


def test_a_deny_on_stop_means_not_yet_and_says_why():
    reply = Session("rules: [{id: a, event: Stop, deny: Run the tests first.}]")
    raw = reply.raw(reply.payload("Stop", stop_hook_active=False))
    assert json.decode(raw.stdout) == snapshot({"decision": "block", "reason": "Run the tests first."})


# Results

POST = "rules:\n  - {id: a, event: PostToolUse, tool: TOOL, output: OUTPUT}\n"


def output_of(tool: str, output: str, response):
    session = Session(POST.replace("TOOL", tool).replace("OUTPUT", output))
    return session.result({tool: {}}, response)


def test_a_map_merges_into_a_result_at_the_top_and_null_removes():
    response = '{"date": "1/2/2026", "secret": "x", "rest": [1]}'
    verdict = output_of("mcp__crm__get", "{date: 2026-02-01, secret: null}", response)
    assert verdict.output == {"date": "2026-02-01", "rest": [1]}


def test_anything_else_replaces_the_result():
    assert output_of("mcp__crm__get", "[1, two]", '{"a": 1}').output == [1, "two"]
    assert output_of("mcp__crm__get", "gone", '{"a": 1}').output == "gone"


def test_a_result_nobody_replaces_has_no_output():
    assert Session(POST.replace("TOOL", "Bash").replace("OUTPUT", "x")).result({"Read": "a"}, {}).output is UNSET


def test_output_rules_see_what_the_one_before_left():
    session = Session("""
        rules:
          - {id: a, event: PostToolUse, tool: mcp__x__get, output: {n: "${int(output.n) + 1}"}}
          - {id: b, event: PostToolUse, tool: mcp__x__get, output: {n: "${int(output.n) * 10}"}}
    """)
    assert session.result({"mcp__x__get": {}}, '{"n": 1}').output == {"n": 20}


def test_a_shell_result_has_stdout_and_stderr_and_keeps_its_shape():
    response = {"stdout": "key AKIAABCDEFGHIJKLMNOP", "stderr": "", "interrupted": False, "isImage": False}
    verdict = output_of("Bash", "'${redact(output)}'", response)
    assert verdict.output == {**response, "stdout": "key [redacted AWS access key]"}
    assert fit("Bash", response, verdict.output) == verdict.output


def test_an_mcp_replacement_goes_back_as_the_content_blocks_it_came_in():
    session = Session(
        POST.replace("TOOL", "mcp__crm__get").replace("OUTPUT", "{date: \"${sub(output.date, '/', '-')}\"}")
    )
    reply = session.result_reply({"mcp__crm__get": {}}, [{"type": "text", "text": '{"date": "1/2/2026", "n": 1}'}])
    assert json.decode(reply.stdout) == snapshot(
        {
            "hookSpecificOutput": {
                "hookEventName": "PostToolUse",
                "updatedToolOutput": [{"type": "text", "text": '{"date":"1-2-2026","n":1}'}],
                "updatedMCPToolOutput": [{"type": "text", "text": '{"date":"1-2-2026","n":1}'}],
            }
        }
    )


def test_response_is_the_result_as_the_host_sent_it():
    session = Session("""
        rules:
          - id: a
            event: PostToolUse
            tool: mcp__crm__get
            when: type(response) == list && response[0].type == "text" && output.n == 1
            context: both
    """)
    blocks = [{"type": "text", "text": '{"n": 1}'}]
    assert session.result({"mcp__crm__get": {}}, blocks).context == ("both",)


def test_a_failing_output_rule_withholds_the_result_and_names_the_rule():
    verdict = output_of("mcp__crm__get", "{date: '${output.nothing}'}", '{"secret": 1}')
    assert (verdict.withheld, verdict.errors) == snapshot(
        ("rule `a` [interlock.yaml:3:5] failed", ('rule `a` [interlock.yaml:3:5] failed: there is no "nothing"',))
    )


# Observe


def test_a_rule_that_observes_says_what_it_would_have_said_and_does_nothing():
    session = Session("""
        state: {n: 0}
        rules:
          - {id: a, tool: Bash, deny: Stop it., interrupt: true, notify: shown, set: {n: 5}, observe: true}
          - {id: b, tool: Bash, change: {command: pwd}, ask: Really?, observe: true}
          - {id: c, tool: Bash, context: "n is ${state.n}"}
    """)
    session.call("ls")
    verdict = session.call("ls")
    assert [(one.by, one.would, one.decision, one.change, one.set) for one in verdict.opinions] == [
        ("a", "deny Stop it.", None, None, None),
        ("b", "ask change Really?", None, None, None),
        ("c", None, None, None, None),
    ]
    assert (verdict.decision, verdict.input, verdict.told, verdict.notices) == (None, {"command": "ls"}, "n is 0", ())
    assert verdict.interrupt is False


def test_a_policy_that_observes_enforces_none_of_its_rules():
    verdict = Session("observe: true\nrules: [{id: a, tool: Bash, deny: x}, {id: b, tool: Bash, ask: why}]").call("ls")
    assert (verdict.decision, [one.would for one in verdict.opinions]) == (None, ["deny x", "ask why"])


def test_one_policy_that_observes_does_not_switch_off_another():
    watched = load("observe: true\nrules: [{id: a, tool: Bash, ask: why}]")
    strict = load("rules: [{id: b, tool: Bash, deny: x}]")
    assert Session(watched, strict).call("ls").decision == "deny"


def test_a_rule_that_observes_and_fails_denies_nothing():
    verdict = Session("rules: [{id: a, tool: refund, when: input.amount > 1, deny: x, observe: true}]").call(
        {"refund": {}}
    )
    assert (verdict.decision, verdict.errors, fired(verdict)) == (None, (), ["a"])
    assert verdict.opinions[0].would == snapshot('deny rule `a` [interlock.yaml:2:9] failed: there is no "amount"')


def test_what_a_rule_would_have_said_is_in_the_record():
    session = Session("rules: [{id: a, tool: Bash, deny: x, observe: true}]")
    session.call("ls")
    (record,) = session.store.records()
    assert json.decode(json.encode(record.record))["opinions"] == snapshot(
        [{"by": "a", "source": ["interlock.yaml", 2, 9], "would": "deny x"}]
    )


def test_a_rule_that_observes_is_not_counted_as_having_fired():
    session = Session("""
        rules:
          - {id: a, tool: Bash, deny: x, observe: true}
          - {id: b, tool: Bash, when: count("a") > 0, deny: counted}
    """)
    session.call("ls")
    assert session.call("ls").decision is None


# Brief


def test_brief_tells_the_model_every_about_when_a_session_or_a_subagent_starts():
    session = Session("""
        brief: true
        rules:
          - {id: a, tool: Bash, about: Never push over shared history., deny: x}
          - {id: b, tool: Bash, ask: why}
          - {id: c, tool: Read, about: Secrets stay unread., deny: z}
    """)
    text = snapshot("""\
These rules hold for your tool calls here:
- Never push over shared history.
- Secrets stay unread.\
""")
    assert session.event("SessionStart", source="startup").told == text
    assert session.event("SubagentStart", agent_id="a-1", agent_type="x").told == text
    assert session.call({"Glob": "x"}).told is None


def test_without_brief_nothing_is_told():
    session = Session("rules: [{id: a, tool: Bash, about: Never., deny: x}]")
    assert session.event("SessionStart", source="startup").told is None


# --- what an allow speaks for -------------------------------------------------------------------------------------


def test_an_allow_is_dropped_when_a_later_rule_makes_another_call_of_it():
    session = Session("""
        rules:
          - {id: slow, command: ls, change: {timeout: 5000}, allow: true}
          - {id: evil, command: ls, change: {command: make deploy}}
    """)
    verdict = session.call("ls")
    assert (verdict.decision, verdict.input) == (None, {"command": "make deploy", "timeout": 5000})


@pytest.mark.parametrize("alone", [True, False])
def test_an_allow_holds_when_a_later_rule_changes_another_field(alone: bool):
    session = Session(
        """
        rules:
          - {id: ci, command: npm test, change: {command: npm test --ci}, allow: true}
          - {id: slow, command: npm, change: {timeout: 5000}}
        """,
        alone=alone,
    )
    verdict = session.call("npm test")
    assert (verdict.decision, verdict.input) == ("allow", {"command": "npm test --ci", "timeout": 5000})


def test_an_allow_of_a_changed_call_is_dropped_beside_hooks_that_may_undo_the_change():
    rules = """
        rules:
          - {id: dry, command: make deploy, change: {command: make dry-run}}
          - {id: fine, command: make dry-run, allow: true}
    """
    assert Session(rules).call("make deploy").decision == "allow"
    assert Session(rules, alone=False).call("make deploy").decision is None
