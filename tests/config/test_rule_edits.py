"""A rule is added and removed, and every other byte of the file stays."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.config.rule_edits import add_rule, remove_rule, rule_lines
from interlock.errors import InterlockError
from interlock.policy.positions import read_yaml

NEW: dict[str, Any] = {"id": "new", "command": "npm install *", "deny": "No: `${match.command.text}` #1"}
LINES = ["- id: new\n", '  command: "npm install *"\n', '  deny: "No: `${match.command.text}` #1"\n']


def block(indent: str = "  ") -> str:
    return "".join(indent + line for line in LINES)


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("", f"version: 1\nrules:\n{block()}", 3),
        ("version: 1\n", f"version: 1\n\nrules:\n{block()}", 4),
        ("version: 1", f"version: 1\n\nrules:\n{block()}", 4),
        ("version: 1\nrules: []\nbrief: true\n", f"version: 1\nrules:\n{block()}brief: true\n", 3),
        ("version: 1\nrules: [] # none\n", f"version: 1\nrules: # none\n{block()}", 3),
        ("version: 1\nrules:\n- {id: a}\nbrief: true\n", f"version: 1\nrules:\n- {{id: a}}\n{block('')}brief: true\n", 4),  # noqa: E501
        ("rules:\n    - id: a # x\n\n# end\nversion: 1\n", f"rules:\n    - id: a # x\n{block('    ')}\n# end\nversion: 1\n", 3),  # noqa: E501
        ("version: 1\nrules:\n  - id: a\n\n  - id: b\n", f"version: 1\nrules:\n  - id: a\n\n  - id: b\n\n{block()}", 7),
        ("version: 1\nrules:\n  - id: a\n    deny: |\n      x\n\n      # y\n", f"version: 1\nrules:\n  - id: a\n    deny: |\n      x\n\n      # y\n{block()}", 8),  # noqa: E501
        ("version: 1\nrules:\n  - id: a\n  # about b\n", f"version: 1\nrules:\n  - id: a\n  # about b\n{block()}", 5),
    ],
)  # fmt: skip
def test_a_rule_goes_behind_the_last_one(before: str, after: str, line: int):
    edit = add_rule(before, "p.yaml", NEW)
    assert (edit.text, edit.line) == (after, line)


def test_a_list_in_brackets_stays_one():
    edit = add_rule("version: 1\nrules: [{id: a, when: 'x[0] == 1'}] # y\nlet: {b: [1]}\n", "p.yaml", NEW)
    inside = ", ".join(rule_lines(NEW))
    assert remove_rule(edit.text, "p.yaml", "new").text == edit.text.replace(f", {{{inside}}}", "")
    assert remove_rule(edit.text, "p.yaml", "a").text == f"version: 1\nrules: [{{{inside}}}] # y\nlet: {{b: [1]}}\n"
    assert edit.text == f"version: 1\nrules: [{{id: a, when: 'x[0] == 1'}}, {{{inside}}}] # y\nlet: {{b: [1]}}\n"


def test_line_ends_of_windows_stay():
    edit = add_rule("version: 1\r\nrules:\r\n  - id: a\r\n", "p.yaml", NEW)
    assert edit.text == "version: 1\r\nrules:\r\n  - id: a\r\n" + block().replace("\n", "\r\n")


@pytest.mark.parametrize("text", ["rules: x\n", "- a\n", "rules: {a: 1}\n"])
def test_a_file_that_is_no_policy_is_left_alone(text: str):
    with pytest.raises(InterlockError):
        add_rule(text, "p.yaml", NEW)


def test_a_removed_rule_takes_nothing_else_along():
    text = "version: 1 # v\nrules:\n  # one\n  - id: a # a\n    deny: x\n\n  # two\n  - id: b\n    deny: |\n      y\n  # end\nlet: {}\n"  # noqa: E501
    assert remove_rule(text, "p.yaml", "a").text == text.replace("  - id: a # a\n    deny: x\n", "")
    assert remove_rule(text, "p.yaml", "b").text == text.replace("  - id: b\n    deny: |\n      y\n", "")


def test_the_last_rule_leaves_an_empty_list():
    assert remove_rule("version: 1\nrules:\n  - id: a\n    deny: x\n", "p.yaml", "a").text == "version: 1\nrules: []\n"


def test_a_rule_that_is_not_there_is_said():
    with pytest.raises(InterlockError, match=r"there is no rule `x` in `p\.yaml`"):
        remove_rule("version: 1\nrules: []\n", "p.yaml", "x")


TOPS = st.lists(
    st.sampled_from(["# comment\n", "\n", "brief: true\n", "let: {a: [1, 2]}\n", "state:\n  n: 0\n"]),
    max_size=3,
    unique=True,
)
ITEMS = st.lists(
    st.sampled_from([
        "  - id: {}\n    deny: x\n", "  - {{id: {}, deny: 'x # y'}}\n", "  - id: {} # why\n    deny: >\n      a\n\n      b\n",  # noqa: E501
        "  # about\n  - id: {}\n    unless:\n      - tool: Read\n      - tool: Write\n",
    ]), max_size=4)  # fmt: skip


@given(TOPS, ITEMS, st.sampled_from(["", "\n"]), TOPS, st.sampled_from(["\n", "\r\n"]))
def test_what_was_added_can_be_removed_and_nothing_else_has_changed(above, items, gap, below, newline):
    rules = gap.join(item.format(f"r{number}") for number, item in enumerate(items))
    below = [one for one in below if one not in above]
    text = "".join(["version: 1\n", *above, "rules:\n" + rules if items else "rules: []\n", *below]).replace(
        "\n", newline
    )
    before = read_yaml(text, "p.yaml").root.plain()
    added = add_rule(text, "p.yaml", NEW).text
    assert [one["id"] for one in read_yaml(added, "p.yaml").root.plain()["rules"]] == [
        *(one["id"] for one in before["rules"]), "new",
    ]  # fmt: skip
    assert remove_rule(added, "p.yaml", "new").text == text
