"""docs/policy.md and docs/guide.md are true: tables come from the code, policies load, cases hold, the error is real.

`python -m tests.test_policy_page` writes the tables anew.
"""

import re
from pathlib import Path

import pytest

from interlock.config.bundles import find_pack
from interlock.facts.programs.traits import TRAITS
from interlock.policy.expressions import VARIABLES
from interlock.policy.load import Policy, load_policy
from interlock.policy.positions import LocatedErrors, read_yaml
from interlock.policy.schema import KEYS, UNLESS_KEYS, Key
from interlock.testing.cases import run_cases
from interlock.testing.scenarios import run_scenarios

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "policy.md"
GUIDE = DOCS / "guide.md"
FILE = "interlock.yaml"

# What the example of a rule's key needs beside it, so that it makes a rule; `.` needs no more than an effect.
NEEDS = {
    "id": "deny: x",
    "about": ".",
    "on_error": ".",
    "observe": ".",
    "approve": "command: ls\nask: Run it?",
    "event": "deny: x",
    "tool": ".",
    "kind": ".",
    "agent": ".",
    "mode": ".",
    "host": ".",
    "branch": ".",
    "server": ".",
    "prompt": "event: UserPromptSubmit\ndeny: x",
    "command": ".",
    "does": ".",
    "push": ".",
    "path": ".",
    "url": ".",
    "content": ".",
    "when": "tool: process_refund\ndeny: x",
    "unless": ".",
    "run": ".",
    "timeout": "run: make test\ndeny: x",
    "max_lines": "run: make test\ndeny: x",
    "deny": "tool: Bash",
    "ask": "command: ls",
    "allow": "tool: Read",
    "defer": "tool: Read",
    "change": "tool: Write\npath: /**",
    "quiet": "tool: Write\nchange: {content: x}",
    "output": "event: PostToolUse",
    "context": "tool: Read",
    "notify": "event: Stop",
    "set": "event: PostToolUse\ntool: mcp__crm__get_customer",
    "interrupt": "deny: x",
    "cases": "command: git push --force|-f\ndeny: x",
}
STATE = "state: {tenure: {}}\n"


# --- tables ------------------------------------------------------------------------------------------------


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def keys_table() -> str:
    rows = ["| key | where | takes | means | example |", "|---|---|---|---|---|"]
    for key in KEYS:
        where = ", ".join(place for place in ("top", "rule", "unless") if place in key.where)
        rows.append(f"| `{key.name}` | {where} | {key.takes} | {cell(key.means)} | `{cell(key.example)}` |")
    return "\n".join(rows) + "\n"


def variables_table() -> str:
    rows = ["| variable | type | is |", "|---|---|---|"]
    for name, (kind, means) in VARIABLES.items():
        rows.append(f"| `{name}` | {type_name(kind)} | {cell(means)} |")
    return "\n".join(rows) + "\n"


def does_table() -> str:
    rows = ["| name | a command that has it |", "|---|---|"]
    rows += [f"| `{name}` | {cell(means)} |" for name, means in TRAITS.items()]
    return "\n".join(rows) + "\n"


def type_name(kind) -> str:
    name = str(kind.name()).lower()
    return {"dyn": "any"}.get(name, name.split("<")[0])


TABLES = {"keys": keys_table, "does": does_table, "variables": variables_table}
PLACE = r"(<!-- \[\[\[{}\]\]\].*?-->\n)(.*?)(<!-- \[\[\[end\]\]\] -->)"


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_of_the_page_is_fresh(name):
    found = re.search(PLACE.format(name), PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"docs/policy.md has no place for the table `{name}`"
    assert found[2] == TABLES[name](), "run `python -m tests.test_policy_page`"


def test_every_function_of_expressions_is_explained():
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in ("count", "since", "fired", "sub", "redact") if f"| `{name}(" not in page] == []


# --- the examples of the keys ------------------------------------------------------------------------------


def rule_with(*parts: str) -> str:
    lines = [line for part in parts for line in part.splitlines()]
    return f"version: 1\n{STATE}rules:\n  - " + "\n    ".join(lines) + "\n"


def policy_for(key: Key, where: str) -> str:
    """The smallest policy that holds the key's example where it may stand."""
    if where == "top":
        return key.example + "\n" if key.name == "version" else f"version: 1\n{key.example}\n"
    if where == "unless":
        needs = NEEDS[key.name] if NEEDS[key.name] != "." else "deny: x"
        return rule_with("id: x", needs, f"unless:\n  {key.example}")
    needs = "deny: x" if NEEDS[key.name] == "." else NEEDS[key.name]
    return rule_with(key.example, needs) if key.name == "id" else rule_with("id: x", needs, key.example)


def loaded(text: str) -> Policy:
    try:
        return load_policy(text, FILE, find_pack)
    except LocatedErrors as errors:
        pytest.fail(f"{text}\n{errors.render()}")


def failing(policy: Policy) -> list[str]:
    return [f"{result.source}: {result.message}" for result in run_cases(policy) if not result.ok]


PLACES = [(key, where) for key in KEYS for where in sorted(key.where)]


@pytest.mark.parametrize(("key", "where"), PLACES, ids=[f"{key.name}-{where}" for key, where in PLACES])
def test_the_example_of_a_key_makes_a_policy(key, where):
    policy = loaded(policy_for(key, where))
    if where != "top":
        assert len(policy.rules) == 1
    if key.name == "cases":
        assert len(policy.rules[0][0].cases) == 2
        assert failing(policy) == []


def test_no_key_is_left_out_of_the_examples():
    assert set(NEEDS) == {key.name for key in KEYS if "rule" in key.where}
    assert set(UNLESS_KEYS) <= set(NEEDS)


# --- what the page shows -----------------------------------------------------------------------------------


def blocks(language: str, *pages: Path) -> list[str]:
    texts = [page.read_text(encoding="utf-8") for page in pages or (GUIDE, PAGE)]
    return [block for text in texts for block in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)]


# The policy with the mistakes starts with a comment that is only its file's name.
BROKEN = f"# {FILE}\n"
POLICIES = [block for block in blocks("yaml") if re.match(r"(#.{20,}\n)?version: 1", block)]


@pytest.mark.parametrize("text", POLICIES, ids=[f"policy-{number}" for number, _ in enumerate(POLICIES, 1)])
def test_a_policy_on_a_page_loads_and_its_cases_hold(text):
    assert failing(loaded(text)) == []


def test_the_scenario_in_the_guide_passes_for_the_policy_it_is_about():
    (test,) = [block for block in blocks("yaml") if block.startswith("policy: ")]
    (policy,) = [block for block in POLICIES if "deploy-twice" in block]
    results = list(run_scenarios(read_yaml(test, "interlock.test.yaml"), loaded(policy)))
    assert results
    assert [f"{result.source}: {result.message}" for result in results if not result.ok] == []


def test_no_yaml_on_a_page_goes_untested():
    left = [block for block in blocks("yaml") if block not in POLICIES and not block.startswith(("policy: ", BROKEN))]
    assert left == []


def test_the_quickstart_is_short_and_comes_first():
    first = re.search(r"^## (.*?)\n(.*?)^## ", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert first
    assert first[1] == "Quickstart"
    assert (
        len([line for block in re.findall(r"```\w+\n(.*?)```", first[2], re.DOTALL) for line in block.splitlines()])
        <= 12
    )


def shown_errors() -> str:
    (broken,) = [block for block in blocks("yaml") if block.startswith(BROKEN)]
    with pytest.raises(LocatedErrors) as raised:
        load_policy(broken, FILE, find_pack)
    return raised.value.render() + "\n"


def test_the_error_in_the_guide_is_what_the_loader_says():
    (shown,) = blocks("text")
    assert shown == shown_errors()


TRAPS = (
    "when: !state.ok",
    "url: *",
    "deny: Try this: x",
    "deny: See issue #12",
    "set: {n: ${input.n}}",
    "deny: `x` is closed",
)


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_on_the_page_is_refused_with_a_cure(trap):
    assert re.search(rf"^\| `+ ?{re.escape(trap)} ?`+ \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    with pytest.raises(LocatedErrors) as raised:
        load_policy(f"version: 1\nstate: {{ok: true, n: 0}}\nrules:\n  - id: x\n    {trap}\n", FILE, find_pack)
    assert all(error.help for error in raised.value.errors)


def write_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        found = re.search(PLACE.format(name), page, re.DOTALL)
        assert found, name
        page = page[: found.start(2)] + table() + page[found.end(2) :]
    PAGE.write_text(page, encoding="utf-8")
    guide = GUIDE.read_text(encoding="utf-8")
    guide = re.sub(r"(```text\n).*?(```)", lambda found: found[1] + shown_errors() + found[2], guide, flags=re.DOTALL)
    GUIDE.write_text(guide, encoding="utf-8")


if __name__ == "__main__":
    write_tables()
