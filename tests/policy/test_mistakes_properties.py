"""Whatever is wrong with a policy: each error has a place and a cure, in words that a person knows."""

import re
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.policy.expressions import Language
from interlock.policy.foreign_words import _WORDS
from interlock.policy.lookalikes import HOST_NAMES, MODES
from interlock.policy.reader import KEYS
from tests.policy.builders import load
from tests.policy.mistakes import JARGON, check_form, errors_in

POLICY = """\
version: 1
packs: [{use: git, with: {protected: [main]}, without: [force-push]}]
let: {limits: {new: 100}, late: '${now.getHours() > 18}'}
state: {seen: {default: 0, scope: user}, tenure: {}}
tools: {mcp__files__save: {write: target, content: body}}
rules:
  - id: no-push
    about: Never push over shared history.
    tool: [Bash, mcp__x__*]
    command: git push --force|-f
    unless: {branch: me/*, mode: plan}
    when: late && input.command.size() > 5 || state.seen > limits.new
    deny: "Do not run ${match.command.text} at ${now}."
    cases: {catch: [git push -f], pass: [git push]}
  - id: moved
    path: {write: [/etc/**, '*.lock']}
    change: {file_path: '/sandbox${match.path}'}
    set: {seen: '${state.seen + 1}'}
  - {id: later, event: Stop, run: npm test, timeout: 90s, when: 'count("moved", "1h") > 0', deny: Wait.}
"""
WORDS = [
    "tool", "opaque", "input", "now", "reads", '"x"', "'it", "5", "1h", "x", "and", "not", "in", "is", "==", "=", ">",
    "&&", "|", "!", "(", ")", "[", "]", ".", ",", ".size()", ".lower()", "len(", "count(", "?", ":", "null", "None",
    "${", "}", "`", "“", "#", ";", "state.seen", "if", "\\", "b'a'", "-", "1.5", "{",
]  # fmt: skip


def test_the_policy_that_is_mutated_is_right():
    assert errors_in(POLICY) == []


@given(
    st.integers(0, len(POLICY) - 1),
    st.sampled_from(["", "x", " ", ":", "'", '"', "{", "]", "#", "&", "\t", "$", "-", "\n"]),
)
def test_one_slip_anywhere_is_answered_with_a_place_and_a_cure(at: int, instead: str):
    for error in errors_in(POLICY[:at] + instead + POLICY[at + 1 :]):
        check_form(error)


@given(st.data())
def test_lines_that_are_moved_or_lost_are_answered_with_places_and_cures(data: st.DataObject):
    lines = POLICY.split("\n")
    first = data.draw(st.integers(1, len(lines) - 2))
    second = data.draw(st.integers(1, len(lines) - 2))
    lines[first], lines[second] = lines[second], lines[first]
    del lines[data.draw(st.integers(0, len(lines) - 2))]
    for error in errors_in("\n".join(lines)):
        check_form(error)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7), st.booleans())
@example(["tool", "==", "None", "and", "not", "x"], True)
def test_no_expression_is_answered_in_the_words_of_the_library(words: list[str], apart: bool):
    expression = (" " if apart else "").join(words)
    try:
        Language({"seen": 0}, {}).compile(expression, condition=True)
    except InterlockError as error:
        assert not JARGON.search(f"{error.message} {error.help}"), (expression, error.message, error.help)
        assert 0 <= error.at <= len(expression)
        if advised := re.match(r"write `([^`]*)`$", error.help or ""):
            Language({"seen": 0}, {}).compile(advised[1])


# --- tables ------------------------------------------------------------------------------------------------


def test_every_word_of_another_tool_leads_to_a_key_or_a_sentence_and_is_no_key_itself():
    for where, known in (("rule", "rule"), ("unless", "unless"), ("top", "top")):
        keys = {name for name, key in KEYS.items() if known in key.where}
        for word, cure in _WORDS[where].items():
            assert word not in keys or where == "unless", (where, word)
            assert not cure.isidentifier() or cure in KEYS, (where, word, cure)


def test_every_example_of_a_key_loads_where_a_cure_shows_it():
    top = "let: {limit: 5}\nstate: {tenure: {}, refunds: 0}\n"
    for name, key in KEYS.items():
        if "rule" not in key.where or name in ("id", "about", "quiet", "timeout", "max_lines", "cases", "interrupt"):
            continue
        needs = {
            "ask": "command: ls\n    ",
            "change": "path: x\n    ",
            "output": "event: PostToolUse\n    ",
            "set": "event: PostToolUse\n    tool: get\n    ",
            "prompt": "event: UserPromptSubmit\n    ",
            "when": "tool: pay\n    ",
        }
        effect = "" if key.takes in ("text", "text or true", "map", "any") else "\n    deny: x"
        load(f"{top}rules:\n  - id: r\n    {needs.get(name, '')}{key.example}{effect}\n")


def test_modes_and_hosts_are_those_that_there_are():
    from interlock.hosts import HOSTS
    from interlock.hosts.claude_code import settings_values

    assert settings_values._MODES == MODES
    assert set(HOSTS) <= set(HOST_NAMES)


def test_no_message_in_the_source_names_the_library_underneath():
    """Messages are in our words; the patterns that read the library's are in two modules."""
    folder = Path(__file__).parents[2] / "src" / "interlock" / "policy"
    for file in sorted(folder.glob("*.py")):
        for found in re.findall(r"complain\(\s*f?\"([^\"]*)\"", file.read_text(encoding="utf-8")):
            assert not JARGON.search(found), (file.name, found)
