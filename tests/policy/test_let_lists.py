"""A list of `let` inside a pattern means any of its members."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from msgspec import json

from tests.policy.builders import Session, complaints, decide, load

LET = "let: {branches: [main, master], none: [], roots: [/srv/a, /srv/b], hosts: [a.example, b.example], ports: [80]}"


def rule(condition: str, decision: str = "deny: x") -> str:
    return f"{LET}\nrules: [{{id: r, {condition}, {decision}}}]"


@pytest.mark.parametrize(
    ("condition", "caught", "passed"),
    [
        ('command: "git push * ${branches}"', ["git push origin main", "git push up master"], ["git push origin dev"]),
        ('command: "git push * ${branches} --force"', ["git push -f up master"], ["git push up master"]),
        ('command: "git diff|${branches}"', ["git diff", "git master"], ["git log"]),
        ('command: "/origin.${branches}$/"', ["git push origin main"], ["git push origin main2"]),
        ('path: "${roots}/**"', ["cat /srv/a/x", {"Write": "/srv/b/c/d"}], ["cat /srv/c/x", {"Write": "/srv/bb/x"}]),
        ('path: {write: ["${roots}/*.md", /opt/x]}', [{"Write": "/srv/a/x.md"}, {"Write": "/opt/x"}],
         [{"Write": "/srv/a/x.py"}]),
        ('url: "api.${hosts}"', ["curl https://api.b.example/x"], ["curl https://b.example/x"]),
        ('url: "https://${hosts}:${ports}/x"', ["curl https://a.example:80/x"], ["curl https://a.example:81/x"]),
        ('tool: Write, content: "in ${branches}"', [{"Write": {"file_path": "a", "content": "is in master"}}],
         [{"Write": {"file_path": "a", "content": "in dev"}}]),
        ('tool: "mcp__${branches}__x"', [{"mcp__main__x": {}}], [{"mcp__dev__x": {}}]),
        ('path: /**, unless: {path: "${roots}/**"}', ["cat /srv/c"], ["cat /srv/a/c", "cat /srv/b/c"]),
        ('command: git push, unless: {command: "git push * ${branches}"}', ["git push up x"], ["git push up main"]),
    ],
)  # fmt: skip
def test_any_member_is_meant_also_in_the_middle_of_a_pattern(condition: str, caught: list[Any], passed: list[Any]):
    assert [decide(rule(condition), call) for call in (*caught, *passed)] == ["deny"] * len(caught) + [None] * len(
        passed
    )


@pytest.mark.parametrize(
    "condition",
    [
        'command: "${none}"', 'command: "git push ${none}"', 'command: ["${none}"], does: git/publishes',
        'path: "${none}/**"', 'path: {write: "${none}"}', 'url: "${none}"', 'content: "${none}"', 'does: "${none}"',
        'tool: "${none}"', 'kind: "${none}"', 'branch: "${none}"', 'agent: "x${none}"', 'mode: "${none}"',
        'host: "${none}"', 'server: "${none}"',
    ],
)  # fmt: skip
@pytest.mark.parametrize("decision", ["deny: x", "allow: true"])
def test_an_empty_list_matches_nothing(condition: str, decision: str):
    calls: list[Any] = ["git push origin main", {"Write": {"file_path": "/srv/a", "content": "x"}}, {"mcp__a__b": {}}]
    for call in calls:
        assert decide(rule(condition, decision), call, {"branch": "main"}) is None, call


@pytest.mark.parametrize("key", ["command", "path", "url", "tool", "branch", "does"])
def test_an_empty_list_excuses_nothing(key: str):
    policy = rule(f'tool: Bash, unless: {{{key}: "${{none}}"}}')
    assert decide(policy, "git push origin main", {"branch": "main"}) == "deny"


def test_members_of_an_empty_list_do_not_hide_those_beside_it():
    policy = rule('command: ["${none}", "git ${branches}"]')
    assert [decide(policy, line) for line in ("git main", "git push")] == ["deny", None]


def test_a_member_may_say_where_the_project_is():
    policy = 'let: {roots: ["${project}/src", /opt]}\nrules: [{id: r, path: {write: "${roots}/**"}, deny: x}]'
    assert [decide(policy, {"Write": file}) for file in ("src/a", "/opt/a", "lib/a")] == ["deny", "deny", None]


def test_a_pack_gives_its_rules_a_list(tmp_path):
    given = "packs: [{use: git, with: {protected: []}}]"
    assert decide(given, "git commit -m x", {"branch": "main"}) is None
    assert decide("packs: [git]", "git commit -m x", {"branch": "main"}) == "ask"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('let: {a: [1, {b: 2}]}\nrules:\n  - {id: r, path: "x${a}", deny: x}',
         snapshot(['4:23 `a` in `path` holds a map, which is no text; give it texts or numbers'])),
        ('let: {a: [x, null]}\nrules:\n  - {id: r, tool: "${a}", deny: x}',
         snapshot(['4:22 `a` in `tool` holds nothing; give it texts or numbers'])),
        ('let: {a: ["", b]}\nrules:\n  - {id: r, path: "${a}/**", allow: true}',
         snapshot(['4:22 `a` in `path` holds an empty text; give it texts or numbers'])),
        ('let: {a: true}\nrules:\n  - {id: r, command: "git ${a}", deny: x}',
         snapshot(['4:29 `a` in `command` holds true or false, which is no text; give it texts or numbers'])),
        ("let: {a: ['${input.x}/b']}\nrules:\n  - {id: r, path: '${a}', deny: x}",
         snapshot(['4:22 `a` in `path` holds `${input.x}/b`, in which nothing but `${project}` is replaced'
                   '; give it texts or numbers'])),
        ('let: {a: [release/*]}\nrules:\n  - {id: r, command: "git push * ${a}", deny: x}',
         snapshot(['4:22 `release/*` in the command `git push * release/*` would match nothing'
                   '; `*` is one whole word; for parts of words write a /regex/'])),
        ('let: {a: [x$]}\nrules:\n  - {id: r, path: "${a}/y", deny: x}',
         snapshot(['4:19 `x$/y` looks like a regex, and paths are written as globs'
                   '; `*` stays within a name, `**` does not; a name alone matches at any depth'])),
    ],
)  # fmt: skip
def test_a_list_that_makes_no_pattern_is_refused_where_it_is_used(text: str, said: list[str]):
    assert complaints(text) == said


def test_the_product_of_several_lists_is_bounded():
    numbers = json.encode(list(range(40))).decode()
    text = f'let: {{a: {numbers}, b: {numbers}}}\nrules:\n  - {{id: r, command: "PATTERN", deny: x}}'
    assert load(text.replace("PATTERN", "git ${a}")).rules
    assert complaints(text.replace("PATTERN", "git ${a} ${b}")) == snapshot(
        ["4:22 the lists in `git ${a} ${b}` make 1,600 patterns"
                   "; a pattern may stand for 1,000; shorten a list, or use two rules"]
    )  # fmt: skip


WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=3, unique=True)


@given(WORDS, WORDS, st.sampled_from(["git {} * {}", "{} {}", "git x|{} {}"]), st.sampled_from(["deny", "allow"]))
def test_a_product_means_what_one_rule_for_each_combination_means(first, second, pattern, decision):
    """The union of single rules, each with one member of each list written out."""
    text = {"deny": "x", "allow": True}[decision]
    lists = {"one": first, "two": second}
    together = {"id": "r", "command": pattern.format("${one}", "${two}"), decision: text}
    apart = [
        {"id": f"r{number}", "command": pattern.format(*both), decision: text}
        for number, both in enumerate(product(first, second))
    ]
    sessions = [
        Session("let: " + json.encode(lists).decode() + "\nrules: " + json.encode(rules).decode())
        for rules in ([together], apart)
    ]
    for line in ("git a x b", "git b x a", "a b", "c dd", "git x c", "git dd x c", "git dd"):
        assert len({session.call(line).decision for session in sessions}) == 1, line
