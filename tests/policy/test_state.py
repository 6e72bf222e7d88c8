"""State: what an event reads is what was there when it came, what it leaves applies after the verdict."""

import json
from concurrent.futures import ThreadPoolExecutor

from inline_snapshot import snapshot

from interlock.store.memory import MemoryStore
from tests.policy.builders import Session, load

SHOW = "  - {id: show, command: show, deny: '${state.n}'}\n"


def shown(session: Session, **fields) -> object:
    reason = session.call("show", **fields).reason
    assert reason is not None
    return json.loads(reason)


# Reading and setting


def test_a_variable_has_its_default_until_it_is_set():
    session = Session("state: {n: {a: 1}}\nrules:\n" + SHOW)
    assert shown(session) == {"a": 1}


def test_rules_see_the_state_as_it_was_when_the_event_came():
    session = Session("""
        state: {n: 0}
        rules:
          - {id: up, command: up, set: {n: "${state.n + 1}"}}
          - {id: see, command: up, context: "n is ${state.n}"}
    """)
    assert [session.call("up").told for _ in range(3)] == ["n is 0", "n is 1", "n is 2"]


def test_two_sets_of_one_event_read_the_same_state_and_the_later_wins():
    session = Session("""
        state: {n: 1}
        rules:
          - {id: a, command: up, set: {n: "${state.n + 10}"}}
          - {id: b, command: up, set: {n: "${state.n + 100}"}}
          - {id: show, command: show, deny: "${state.n}"}
    """)
    session.call("up")
    assert shown(session) == 101


def test_set_merges_maps_into_maps_and_replaces_everything_else():
    session = Session("""
        state: {n: {}, other: [1]}
        rules:
          - {id: a, tool: put, set: {n: {"${input.key}": "${input.value}"}, other: [2]}}
          - {id: show, command: show, deny: "${state.n}"}
          - {id: more, command: more, deny: "${state.other}"}
    """)
    session.call({"put": {"key": "b", "value": {"x": 1}}})
    session.call({"put": {"key": "a", "value": 2}})
    session.call({"put": {"key": "b", "value": {"y": 2}}})
    assert shown(session) == {"a": 2, "b": {"y": 2}}
    assert session.call("more").reason == "[2]"


def test_a_map_set_over_its_default_keeps_the_keys_of_the_default():
    session = Session("""
        state: {n: {a: 1}}
        rules:
          - {id: set, command: up, set: {n: {b: 2}}}
          - {id: show, command: show, deny: "${state.n}"}
    """)
    session.call("up")
    assert shown(session) == {"a": 1, "b": 2}


def test_a_denied_call_sets_nothing_but_what_its_deniers_set():
    session = Session("""
        state: {n: 0, denied: 0}
        rules:
          - {id: a, tool: Bash, command: up, set: {n: "${state.n + 1}"}}
          - {id: b, command: up --bad, deny: stop, set: {denied: "${state.denied + 1}"}}
          - {id: c, command: up, ask: really, set: {n: "${state.n + 1}"}}
          - {id: show, command: show, deny: "[${state.n}, ${state.denied}]"}
    """)
    session.call("up --bad")
    assert shown(session) == [0, 1]
    session.call("up")
    assert shown(session) == [1, 1]


def test_a_set_that_cannot_be_computed_denies_and_sets_nothing():
    session = Session("state: {n: 0}\nrules:\n  - {id: a, tool: put, set: {n: '${input.x}'}}\n" + SHOW)
    verdict = session.call({"put": {}})
    assert (verdict.decision, verdict.reason) == (
        "deny",
        snapshot('rule `a` [interlock.yaml:4:5] failed: there is no "x"'),
    )
    assert shown(session) == 0


def test_a_number_that_json_cannot_write_is_not_kept():
    session = Session("state: {n: 1.0}\nrules:\n  - {id: a, command: up, set: {n: '${1.0 / 0.0}'}}\n" + SHOW)
    assert session.call("up").decision == "deny"
    assert shown(session) == 1.0


def test_state_can_be_set_on_events_without_a_call():
    session = Session("""
        state: {n: false}
        rules:
          - {id: a, event: UserPromptSubmit, prompt: go ahead, set: {n: true}}
          - {id: b, tool: Write, when: "!state.n", deny: Ask first.}
    """)
    assert session.call({"Write": "a"}).decision == "deny"
    session.event("UserPromptSubmit", prompt="please go ahead")
    assert session.call({"Write": "a"}).decision is None


# Scopes


def test_scopes_say_who_shares_a_variable():
    policy = "state: {n: {default: 0, scope: SCOPE}}\nrules:\n  - {id: up, command: up, set: {n: '${state.n + 1}'}}\n"
    for scope, other_session, subagent in (("session", 0, 1), ("agent", 0, 0), ("project", 1, 1), ("user", 1, 1)):
        text = policy.replace("SCOPE", scope) + SHOW
        session = Session(text)
        session.call("up")
        assert shown(session) == 1, scope
        assert shown(Session(text, store=session.store, id="other")) == other_session, scope
        assert shown(session, agent_id="a-1", agent_type="x") == subagent, scope


# The same event twice


def test_the_same_event_twice_counts_once_and_is_answered_the_same():
    session = Session("""
        state: {n: 0}
        rules:
          - {id: up, command: up, set: {n: "${state.n + 1}"}, context: "n is ${state.n}"}
          - {id: show, command: show, deny: "[${state.n}, ${count('up')}]"}
    """)
    raw = session.payload("PreToolUse", tool_name="Bash", tool_input={"command": "up"}, tool_use_id="t-1")
    first, again = session.raw(raw), session.raw(raw)
    assert (first.stdout, first.exit_code) == (again.stdout, again.exit_code)
    assert shown(session) == [1, 1]
    session.call("up", tool_use_id="t-2")
    assert shown(session) == [2, 2]


# Unknown

LOOKUP = """
state: {tenure: {}, last: ""}
rules:
  - id: known
    event: PostToolUse
    tool: mcp__crm__get_customer
    set: {tenure: {"${input.id}": "${output.tenure}"}, last: "${output.tenure}"}
  - {id: ask, tool: refund, when: "state.tenure[?input.id].orValue('new') == 'vip'", ask: really}
  - {id: last, tool: last, when: "state.last == 'vip'", ask: really}
  - {id: other, tool: other, when: "tool == 'other'", ask: free}
"""
CUSTOMER = {"mcp__crm__get_customer": {"id": "c-1"}}


def test_a_failed_result_makes_what_it_would_have_set_unknown_and_reading_it_denies():
    session = Session(LOOKUP)
    session.call(CUSTOMER)
    session.event(
        "PostToolUseFailure",
        tool_name="mcp__crm__get_customer",
        tool_input={"id": "c-1"},
        tool_use_id="test-1",
        error="x",
    )
    verdict = session.call({"refund": {"id": "c-1"}})
    assert (verdict.decision, verdict.reason) == (
        "deny",
        snapshot(
            "rule `ask` [interlock.yaml:9:5] failed: `tenure` is unknown: "
            "a result that would have set it failed or never came"
        ),
    )
    assert session.call({"last": {}}).decision == "deny"
    assert session.call({"other": {}}).decision == "ask"


def test_a_result_that_never_comes_makes_it_unknown_when_the_turn_ends():
    session = Session(LOOKUP)
    session.call(CUSTOMER)
    assert session.call({"refund": {"id": "c-1"}}).decision is None
    session.event("Stop", stop_hook_active=False)
    assert session.call({"refund": {"id": "c-1"}}).decision == "deny"


def test_a_good_result_makes_it_known_again():
    session = Session(LOOKUP)
    session.call(CUSTOMER)
    session.event("Stop", stop_hook_active=False)
    assert session.call({"refund": {"id": "c-1"}}).decision == "deny"
    session.call(CUSTOMER, tool_use_id="t-9")
    session.result(CUSTOMER, '{"tenure": "vip"}', tool_use_id="t-9")
    assert session.call({"refund": {"id": "c-1"}}).decision == "ask"
    assert session.call({"last": {}}).decision == "ask"


def test_a_denied_call_leaves_nothing_unknown():
    session = Session(
        LOOKUP + "  - {id: stop, tool: mcp__crm__get_customer, when: 'input.id == \"c-2\"', deny: stop}\n"
    )
    assert session.call({"mcp__crm__get_customer": {"id": "c-2"}}).decision == "deny"
    session.event("Stop", stop_hook_active=False)
    assert session.call({"refund": {"id": "c-2"}}).decision is None


def test_a_result_without_a_call_of_ours_still_sets():
    session = Session(LOOKUP)
    session.result(CUSTOMER, '{"tenure": "vip"}', tool_use_id="t-1")
    assert session.call({"refund": {"id": "c-1"}}).decision in ("ask", None)


# Many at once


def test_64_parallel_calls_against_a_limit_of_10_let_exactly_10_through():
    session = Session("""
        state: {n: 0}
        rules:
          - {id: limit, tool: refund, when: state.n >= 10, deny: Ten are enough.}
          - {id: count, tool: refund, set: {n: "${state.n + 1}"}}
          - {id: show, command: show, deny: "${state.n}"}
    """)
    with ThreadPoolExecutor(16) as pool:
        decisions = list(
            pool.map(lambda n: session.call({"refund": {"n": n}}, tool_use_id=f"t-{n}").decision, range(64))
        )
    assert (decisions.count(None), decisions.count("deny")) == (10, 54)
    assert shown(session) == 10


def test_64_parallel_calls_against_a_count_of_10_let_exactly_10_through():
    session = Session("""
        rules:
          - {id: limit, tool: refund, when: "count('passed') >= 10", deny: Ten are enough.}
          - {id: passed, tool: refund, when: "count('passed') < 10", context: passed}
    """)
    with ThreadPoolExecutor(16) as pool:
        decisions = list(
            pool.map(lambda n: session.call({"refund": {"n": n}}, tool_use_id=f"t-{n}").decision, range(64))
        )
    assert (decisions.count(None), decisions.count("deny")) == (10, 54)


# Refunds by tenure

REFUNDS = """
let: {limits: {new: 100, regular: 300, vip: 1000}}
state: {tenure: {}}
rules:
  - id: customer-known
    event: PostToolUse
    tool: mcp__crm__get_customer
    set: {tenure: {"${input.customer_id}": "${output.tenure}"}}
  - id: refund-over-limit
    tool: process_refund
    when: input.amount > limits[?state.tenure[?input.customer_id].orValue("new")].orValue(100)
    deny: Refund of $${input.amount} is over this customer's limit. Use escalate_to_human.
"""


def test_refunds_are_limited_by_the_tenure_of_each_customer():
    """S1-15: a result stores the tenure of one customer, a later call of another customer does not see it."""
    session = Session(REFUNDS)

    def look_up(customer: str, tenure: str) -> None:
        written = {"mcp__crm__get_customer": {"customer_id": customer}}
        session.call(written, tool_use_id=customer)
        session.result(written, json.dumps({"tenure": tenure}), tool_use_id=customer)

    def refund(customer: str, amount: float) -> str | None:
        return session.call({"mcp__payments__process_refund": {"customer_id": customer, "amount": amount}}).decision

    assert (refund("ann", 100), refund("ann", 101)) == (None, "deny")
    look_up("ann", "vip")
    look_up("bob", "regular")
    assert (refund("ann", 1000), refund("ann", 1001)) == (None, "deny")
    assert (refund("bob", 300), refund("bob", 301)) == (None, "deny")
    assert (refund("eve", 100), refund("eve", 101)) == (None, "deny")
    look_up("eve", "platinum")
    assert (refund("eve", 100), refund("eve", 100.5)) == (None, "deny")


# Layers


def test_a_lower_layer_does_not_set_the_variable_of_a_higher_one():
    low = load("state: {verified: false}\nrules:\n  - {id: x, command: ls, set: {verified: true}}\n")
    high = load("state: {verified: false}\nrules:\n  - {id: v, tool: refund, when: '!state.verified', deny: Verify.}\n")
    session = Session(low, high)
    session.call("ls")
    assert session.call({"refund": {}}).decision == "deny"


def test_what_an_event_leaves_is_one_record_with_its_opinions():
    store = MemoryStore()
    session = Session("state: {n: 0}\nrules:\n  - {id: up, command: up, set: {n: 1}}\n", store=store)
    session.call("up")
    assert [record.rules for record in store.records()] == [("up",)]
