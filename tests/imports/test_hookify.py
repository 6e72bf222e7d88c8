"""Rules of hookify: the same calls are caught, with the same message."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError
from interlock.imports.draft import Import, settle, yaml_of
from interlock.imports.hookify import read_rule
from interlock.imports.samples import sample_of
from interlock.imports.write import new_policy
from interlock.policy.load import Policy, load_policy
from interlock.testing.cases import run_cases
from tests.policy.builders import Session


def rule(keys: str, message: str = "Think twice.") -> str:
    return f"---\nname: r\nenabled: true\n{keys}\n---\n\n{message}\n"


def imported(keys: str, message: str = "Think twice.") -> Import:
    return settle(read_rule(rule(keys, message), "h.md"))


def policy_of(found: Import) -> Policy:
    return load_policy(new_policy(found), "interlock.yaml", find_pack)


def test_a_rule_that_blocks_denies_with_its_message():
    found = imported("event: bash\npattern: rm\\s+-rf\naction: block", "No **rm**, not with ${x}.")
    assert "".join(map(yaml_of, found.rules)) == snapshot("""\
  - id: r
    tool: Bash
    when: 'input.command.matches("(?i)rm\\\\s+-rf")'
    deny: 'No **rm**, not with ${"$"}{x}.'
    cases:
      catch: [{Bash: {command: rm -rf}}]
      pass: [{Bash: {command: interlock import}}]
""")
    session = Session(policy_of(found))
    assert session.call("sudo RM  -RF x").reason == "No **rm**, not with ${x}."
    assert session.call("rm -r x").decision is None


def test_a_rule_that_warns_tells_the_model_and_the_person():
    found = imported("event: file\npattern: console\\.log")
    verdict = Session(policy_of(found)).call({"Write": {"file_path": "a.js", "content": "console.log(1)"}})
    assert (verdict.decision, verdict.context, verdict.notices) == (None, ("Think twice.",), ("Think twice.",))


def test_all_conditions_must_hold_and_each_operator_means_what_it_meant():
    keys = "event: file\naction: block\nconditions:\n"
    keys += "  - field: file_path\n    operator: ends_with\n    pattern: .tsx\n"
    keys += "  - field: new_text\n    operator: contains\n    pattern: style=\n"
    keys += "  - field: new_text\n    operator: not_contains\n    pattern: ok\n"
    session = Session(policy_of(imported(keys)))

    def edit(path: str, text: str) -> str | None:
        return session.call({"Edit": {"file_path": path, "old_string": "x", "new_string": text}}).decision

    assert edit("a.tsx", "<p style={}>") == "deny"
    assert [edit("a.ts", "style="), edit("a.tsx", "Style="), edit("a.tsx", "style= ok")] == [None, None, None]


def test_what_stands_in_quotes_is_taken_as_hookify_takes_it():
    found = imported('event: bash\npattern: "rm\\s+x"\naction: "block"')
    assert Session(policy_of(found)).call("rm x").decision == "deny"


def test_a_stop_rule_for_every_stop_fires_at_every_stop():
    found = imported("event: stop\npattern: .*\naction: block", "Run the tests.")
    assert Session(policy_of(found)).event("Stop", stop_hook_active=False).reason == "Run the tests."


def test_a_prompt_rule_is_about_the_prompt():
    found = imported("event: prompt\naction: block\nconditions:\n  - field: user_prompt\n    pattern: deploy")
    session = Session(policy_of(found))
    assert session.event("UserPromptSubmit", prompt="Deploy it").decision == "deny"
    assert session.event("UserPromptSubmit", prompt="Test it").decision is None


@pytest.mark.parametrize(("field", "ids"), [("command", ["r-bash"]), ("description", ["r-bash", "r-file"])])
def test_a_rule_about_all_events_becomes_one_for_each_that_has_the_field(field: str, ids: list[str]):
    found = imported(f"event: all\nconditions:\n  - field: {field}\n    pattern: x\naction: block")
    assert ([one.id for one in found.rules], found.left) == (ids, [])
    assert [str(one) for one in found.remarks] == [
        "h.md:1: r: it was about all events; it is carried for commands and files"
    ]


NOT_IN_RE2 = "uses a lookaround or a reference, which RE2 regexes do not have"


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("event: bash\npattern: (?!x)rm", f"h.md:5: r: `(?!x)rm` {NOT_IN_RE2}"),
        ("event: bash\npattern: (a)\\1", f"h.md:5: r: `(a)\\1` {NOT_IN_RE2}"),
        (
            "event: bash\npattern: a**",
            "h.md:5: r: `a**` is not a regex (multiple repeat at position 2), so it never matched",
        ),
        (
            "event: stop\nconditions:\n  - field: transcript\n    operator: not_contains\n    pattern: npm test",
            "h.md:6: r: no rule reads the transcript; count what happened with `count(…)`",
        ),
        ("event: stop\npattern: x", "h.md:5: r: `content` has no value on this event, so it never matched"),
        ("event: bash", "h.md:1: r: it has neither `pattern` nor `conditions`, so it never matches"),
        ("enabled: false\nevent: bash\npattern: x", "h.md:4: r: it is switched off"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_carried_is_listed_with_its_line(keys: str, left: str):
    found = imported(keys)
    assert ([str(one) for one in found.left], found.rules) == ([left], [])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no front", "a hookify rule begins with `---`, its keys and another `---` [h.md:1:1]; add them"),
        (rule("event: shell"), "`event` is `shell` [h.md:4:1]; hookify knows bash, file, stop, prompt, all"),
        (rule("event: bash\naction: deny"), "`action` is `deny` [h.md:5:1]; hookify knows warn, block, ask"),
        (rule("event bash"), "`event bash` has no colon [h.md:4:1]; write key: value"),
        (rule("event: bash\n  - field: x"), "this line belongs to no list [h.md:5:1]; write it below a key"),
        (rule("event: bash\nconditions: x"), "`conditions` is not a list [h.md:5:1]; write `- field: …` below it"),
        (
            rule("event: bash\nconditions:\n  - field: command\n    operator: like"),
            "`operator` is `like` [h.md:6:1]; hookify knows regex_match, contains, equals, not_contains, starts_with, "
            "ends_with",
        ),
    ],
)
def test_a_file_that_is_wrong_is_an_error_at_its_line(text: str, complaint: str):
    with pytest.raises(InterlockError) as caught:
        read_rule(text, "h.md")
    assert caught.value.in_one_line() == complaint


REGEXES = st.lists(
    st.sampled_from(
        ["rm", r"\s+", "-rf", "(a|b)", "[^x]", r"\d{2}", ".*", "git", r"\bpush\b", "x?", r"\w+", "[0-9a-f]+"]
    ),
    min_size=1,
    max_size=5,
).map("".join)


@settings(max_examples=60)
@given(REGEXES)
def test_a_sample_of_a_regex_is_found_by_it(pattern: str):
    sample = sample_of(pattern)
    assert sample is None or re.search(pattern, sample, re.IGNORECASE)


@settings(max_examples=25)
@given(REGEXES, st.sampled_from(["rm -rf a", "git push", "x", "a12 rm", ""]))
def test_a_command_is_caught_if_hookify_would_catch_it(pattern: str, command: str):
    found = imported(f"event: bash\npattern: {pattern}\naction: block")
    if not found.rules:
        return
    assert [result.message for result in run_cases(policy_of(found)) if not result.ok] == []
    caught = Session(policy_of(found)).call({"Bash": {"command": command}}).decision == "deny"
    assert caught == (re.search(pattern.strip(), command, re.IGNORECASE) is not None)
