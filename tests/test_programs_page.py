"""docs/programs.md is true: its tables come from the code, and its descriptions are read and their cases hold.

`python -m tests.test_programs_page` writes the tables anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interlock.facts.programs.draft import ROLES
from interlock.facts.programs.lexicon import entries
from interlock.facts.programs.roles import RESTS
from interlock.policy.positions import read_yaml
from interlock.policy.programs.cases import case_errors
from interlock.policy.programs.families import reading
from interlock.policy.programs.keys import (
    CLAUSE_CONDITIONS,
    CLAUSE_KEYS,
    ENTRY_KEYS,
    ROLE_MEANINGS,
    SHIPPED_KEYS,
    EntryKey,
)
from tests.policy.programs.reading import complaints, described
from tests.test_policy_page import PLACE, cell

PAGE = Path(__file__).parent.parent / "docs" / "programs.md"


def keys_table(keys: dict[str, EntryKey]) -> str:
    rows = ["| key | means | example |", "|---|---|---|"]
    rows += [f"| `{name}` | {cell(key.means)} | `{cell(key.example)}` |" for name, key in keys.items()]
    return "\n".join(rows) + "\n"


def roles_table() -> str:
    rows = ["| role | the word is |", "|---|---|"]
    return "\n".join(rows + [f"| `{name}` | {cell(means)} |" for name, means in ROLE_MEANINGS.items()]) + "\n"


TABLES = {
    "keys": lambda: keys_table(ENTRY_KEYS),
    "clauses": lambda: keys_table(CLAUSE_KEYS),
    "roles": roles_table,
}


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_of_the_page_is_fresh(name):
    found = re.search(PLACE.format(name), PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"docs/programs.md has no place for the table `{name}`"
    assert found[2] == TABLES[name](), "run `python -m tests.test_programs_page`"


def test_every_role_is_explained():
    explained = {role for name, means in ROLE_MEANINGS.items() for role in (name, *re.findall(r"`(code:\w+)`", means))}
    assert explained == {*ROLES, *RESTS}


BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", BLOCKS, ids=[f"block-{number}" for number, _ in enumerate(BLOCKS, 1)])
def test_a_description_on_the_page_is_read_and_its_cases_hold(text):
    programs = read_yaml(text, "interlock.yaml").root.plain()["programs"]
    found = described(json.dumps(programs))
    assert [len(one.cases) > 1 for one in found] == [True]
    assert [str(error) for one in found for case in one.cases for error in case_errors(case, reading(found))] == []


@pytest.mark.parametrize(("name", "key"), [*ENTRY_KEYS.items(), *SHIPPED_KEYS.items()], ids=str)
def test_the_example_of_a_key_can_be_read(name, key):
    """As far as one key by itself makes sense."""
    beside = {"leading": "does: {changes: [x]}", "runs-here": "service: cloud"}.get(name, "")
    assert complaints(f"ourctl:\n  {key.example}\n  {beside}\n", shipped=True) == []


@pytest.mark.parametrize(("name", "key"), CLAUSE_KEYS.items(), ids=str)
def test_the_example_of_a_clauses_key_can_be_read(name, key):
    beside = "looks: true" if name in CLAUSE_CONDITIONS else "any: y"
    assert complaints(f"ourctl:\n  when:\n    - {key.example}\n      {beside}\n".replace("y\n", '"y"\n')) == []


def test_the_readme_says_how_many_programs_are_described_with_cases():
    readme = (PAGE.parent.parent / "README.md").read_text(encoding="utf-8")
    said = re.search(r"More than ([\d,]+) programs are described with cases: ([\d,]+) commands", readme)
    assert said
    names, cases = (int(number.replace(",", "")) for number in said.groups())
    found = [entry for entry in entries() if entry.cases]
    assert names <= sum(len(entry.names.split()) for entry in found) < names + 500
    assert cases <= sum(entry.cases for entry in found) < cases + 500


def write_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        found = re.search(PLACE.format(name), page, re.DOTALL)
        assert found, name
        page = page[: found.start(2)] + table() + page[found.end(2) :]
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write_tables()
