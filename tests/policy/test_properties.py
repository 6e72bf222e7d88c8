"""Properties: more rules never loosen, order does not matter, no trust no loosening, no allow without cover."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from interlock.config.trust import without_trust
from interlock.policy.load import Policy
from interlock.verdict import STRICTNESS
from tests.policy.builders import Session, load

TOOLS = "tools: {mcp__fs__copy: {read: from, write: to, url: links}}\nstate: {n: 0}\n"
PATTERNS: dict[str, list[Any]] = {
    "tool": ["Bash", "Write", "mcp__fs__copy", "copy", "*", ["Read", "Write"], "/^W/", "Monitor"],
    "kind": ["shell", "edit", "read"],
    "agent": ["main", "x"],
    "mode": ["plan", "default"],
    "branch": ["main", "me/*"],
    "server": ["user", "project"],
    "command": ["git push", "git push --force|-f", "ls", "rm -rf", "/push/"],
    "push": ["main", ["x", "me/*"], {"remote": "origin"}, {"to": "x", "force": True}],
    "path": ["docs/", {"write": "/**"}, {"read": "*.txt"}, {"create": "docs/"}, "*"],
    "url": ["ok.org", "*.org", "*"],
    "content": ["secret", "/x+/"],
    "when": [
        "input.?command.orValue('') != ''",
        "state.n == 0",
        "opaque",
        "1 / size(commands) == 5",
        "size(commands) > 0",
    ],
}
CALLS: list[Any] = [
    "git push origin me/a main", "git push origin $B",
    "git push", "git push -f origin x", "ls docs", "rm -rf /", "git push; rm x", "curl https://ok.org/x",
    "sudo git push", "curl https://evil.com", {"Write": {"file_path": "docs/a.txt", "content": "secret"}},
    {"Write": {"file_path": "/etc/x", "content": "xx"}}, {"Read": "docs/a.txt"}, {"Read": "~/.ssh/id"},
    {"mcp__fs__copy": {"from": "docs/a.txt", "to": "docs/b", "links": ["https://ok.org", "https://no.com"]}},
    {"mcp__fs__copy": {"from": "docs/a.txt", "to": "/etc/b"}}, {"mcp__evil__Bash": {"command": "ls"}},
    {"PowerShell": "ls"}, {"Monitor": {"description": "d"}}, {"WebFetch": {"url": "https://a.ok.org", "prompt": "p"}},
]  # fmt: skip

conditions = st.dictionaries(st.sampled_from(list(PATTERNS)), st.integers(0, 100), max_size=3).map(
    lambda chosen: {key: PATTERNS[key][number % len(PATTERNS[key])] for key, number in chosen.items()}
)
decisions = st.sampled_from(["deny", "ask", "allow"])
changes = st.sampled_from([{"command": "ls"}, {"file_path": "docs/z"}, {"extra": 1}])
givens = st.fixed_dictionaries(
    {},
    optional={
        "agent": st.just("x"), "mode": st.just("plan"), "branch": st.sampled_from(["main", "me/x"]),
        "server": st.just("project"),
    },
)  # fmt: skip


@st.composite
def rules(draw: Any, decide: Any = decisions, change: bool = True) -> dict[str, Any]:
    rule: dict[str, Any] = draw(conditions)
    excuse = draw(conditions)
    if excuse and draw(st.booleans()):
        rule["unless"] = excuse
    if change and draw(st.integers(0, 4)) == 0:
        rule["change"] = draw(changes)
    if "change" not in rule or draw(st.booleans()):
        rule[draw(decide)] = "x"
    if draw(st.integers(0, 9)) == 0:
        rule["on_error"] = draw(st.sampled_from(["ask", "ignore"]))
    return rule


def policy_of(listed: list[dict[str, Any]], prefix: str = "r", more: str = "") -> Policy:
    named = [{"id": f"{prefix}{number}", **rule} for number, rule in enumerate(listed)]
    return load(TOOLS + more + "rules: " + json.encode(named).decode())


def strictness(policies: list[Policy], call: Any, given_: dict[str, Any], alone: bool = True) -> int:
    verdict = Session(policies[0], *policies[1:], given=given_, alone=alone).call(call)
    return STRICTNESS[verdict.decision]


calls = st.sampled_from(CALLS)
quick = settings(max_examples=200, deadline=None)


@quick
@given(
    st.lists(rules(), max_size=4), rules(st.just("deny"), change=False), st.integers(0, 4), calls, givens, st.booleans()
)
def test_adding_a_deny_rule_never_loosens(listed, denying, place, call, given_, alone):
    before = strictness([policy_of(listed)], call, given_, alone)
    after = strictness([policy_of([*listed[:place], denying, *listed[place:]])], call, given_, alone)
    assert after >= before


@quick
@given(st.lists(rules(change=False), min_size=2, max_size=5), st.randoms(use_true_random=False), calls, givens)
def test_the_order_of_deciding_rules_does_not_change_the_decision(listed, random, call, given_):
    shuffled = list(listed)
    random.shuffle(shuffled)
    assert strictness([policy_of(listed)], call, given_) == strictness([policy_of(shuffled)], call, given_)


@quick
@given(st.lists(rules(change=False), max_size=4), rules(), st.integers(0, 4), calls, givens)
def test_a_decider_may_stand_on_either_side_of_a_change(listed, changing, place, call, given_):
    changing.pop("on_error", None)
    first = strictness([policy_of([changing, *listed])], call, given_)
    assert strictness([policy_of([*listed, changing])], call, given_) == first
    assert strictness([policy_of([*listed[:place], changing, *listed[place:]])], call, given_) == first


LOOSE = ["", "observe: true\n", "brief: true\n", "hooks: [./x.py]\n"]
lists = st.lists(rules(), max_size=3)


@quick
@given(lists, lists, st.sampled_from(LOOSE), calls, givens)
def test_an_untrusted_policy_never_loosens(listed, untrusted, more, call, given_):
    high, low = policy_of(listed, "high"), without_trust(policy_of(untrusted, "low", more))
    assert strictness([low, high], call, given_) >= strictness([high], call, given_)


def test_an_untrusted_policy_does_not_blind_the_rules_of_others_by_declaring_tools():
    high = load("tools: {save: {write: target}}\nrules: [{id: a, path: /etc/, deny: x}]")
    low = without_trust(load("tools: {save: {read: other}}"))
    for policies in ([low, high], [high, low]):
        assert strictness(policies, {"save": {"target": "/etc/x"}}, {}) == STRICTNESS["deny"]


def test_a_lower_policy_does_not_blind_the_rules_of_a_higher_one_by_declaring_tools():
    high = load("tools: {save: {write: target}}\nrules: [{id: a, path: /etc/, deny: x}]")
    low = load("tools: {save: {read: other}}")
    assert strictness([low, high], {"save": {"target": "/etc/x"}}, {}) == STRICTNESS["deny"]


def test_an_untrusted_policy_does_not_fire_the_rules_that_others_count():
    high = load("""
        rules:
          - {id: looked, path: {read: a.txt}}
          - {id: blind, tool: Write, when: count("looked") == 0, deny: Read it first.}
    """)
    session = Session(without_trust(load("rules: [{id: looked, command: ls, notify: Seen.}]")), high)
    session.call("ls")
    assert session.call({"Write": "a.txt"}).decision == "deny"


def test_an_untrusted_policy_contributes_no_allow_change_set_context_notice_or_code():
    text = """
        brief: true
        hooks: [./x.py, {run: ./y.sh}]
        state: {n: 0}
        rules:
          - {id: a, tool: Bash, allow: true}
          - {id: b, tool: Bash, change: {command: rm}, ask: really, context: told, notify: shown, set: {n: 1}}
          - {id: c, tool: Bash, run: ./z.sh, deny: x}
          - {id: d, tool: refund, when: input.x > 1, on_error: ignore, deny: stop}
    """
    low = without_trust(load(text))
    verdict = Session(low, given={"run": 1}).call("ls")
    assert (verdict.decision, verdict.input, verdict.told, verdict.notices) == ("ask", {"command": "ls"}, None, ())
    assert [(opinion.by, opinion.set) for opinion in verdict.opinions] == [("b", None)]
    assert (low.hook_files, low.externals, low.brief) == ((), (), False)
    assert Session(low).call({"refund": {}}).decision == "deny"


@quick
@given(
    st.sampled_from(["command: [git push, ls, curl]", "path: docs/", "url: ok.org", "path: docs/\n    url: ok.org",
                     "command: curl\n    url: ok.org", "content: x"]),
    calls,
)  # fmt: skip
def test_an_allow_never_applies_to_a_call_with_an_item_it_does_not_cover(keys, call):
    facts = "size(commands), size(reads) + size(writes), size(urls), opaque ? 1 : 0"
    rules_ = f"rules:\n  - id: r\n    {keys}\n    allow: true\n  - {{id: all, context: '${{[{facts}]}}'}}\n"
    session = Session(TOOLS + rules_)
    verdict = session.call(call)
    if verdict.decision != "allow":
        return
    ran, touched, reached, opaque = json.decode(verdict.context[0])
    assert not opaque
    assert not ran or "command" in keys
    assert not touched or "path" in keys
    assert not reached or "url" in keys
