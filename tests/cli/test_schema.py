"""`interlock schema`: a JSON Schema that has every key of the language and accepts what we ship."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from interlock.cli.init import STARTER
from interlock.config import places as config
from interlock.policy.positions import read_yaml
from interlock.policy.schema import KEYS, json_schema
from tests.lint.project import Project

PACKS = sorted((config.PACKAGE / "packs").glob("*.yaml"))
EXAMPLES = sorted(
    file
    for file in (Path(__file__).parents[2] / "examples" / "policies").glob("*.yaml")
    if not file.name.endswith(".test.yaml")
)
SCHEMA = json_schema()
UNDERSTOOD = {
    "$schema", "$defs", "$ref", "title", "description", "examples", "type", "const", "enum", "anyOf", "pattern",
    "items", "minItems", "minimum", "properties", "additionalProperties", "required",
}  # fmt: skip
TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}


def wrong(schema: Any, value: Any, at: str = "$") -> list[str]:
    """What the subset of JSON Schema that we use has against a value."""
    if schema is True or schema is False:
        return [] if schema else [f"{at}: not expected"]
    if "$ref" in schema:
        schema = {**SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], **schema}
    found = []
    if "type" in schema and not isinstance(value, TYPES[schema["type"]]):
        found.append(f"{at}: not of type {schema['type']}")
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        found.append(f"{at}: not {schema['const']}")
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        found.append(f"{at}: less than {schema['minimum']}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: not one of {schema['enum']}")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        found.append(f"{at}: does not look like {schema['pattern']}")
    if "anyOf" in schema and all(wrong(one, value, at) for one in schema["anyOf"]):
        found.append(f"{at}: none of {len(schema['anyOf'])} shapes")
    if isinstance(value, list):
        found += [f"{at}: too short"] if len(value) < schema.get("minItems", 0) else []
        for number, item in enumerate(value):
            found += wrong(schema.get("items", True), item, f"{at}[{number}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{at}.{name}: missing" for name in schema.get("required", ()) if name not in value]
        for name, item in value.items():
            rest = schema.get("additionalProperties", True)
            found += wrong(known.get(name, rest), item, f"{at}.{name}")
    return found


def plain(text: bytes | str, file: str = "p.yaml") -> Any:
    return read_yaml(text, file).root.plain()


def test_the_command_prints_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = Project(tmp_path, monkeypatch)
    assert project.data("schema") == SCHEMA
    assert project.run("schema").stdout == project.run("schema", "--json").stdout


def test_every_key_of_the_language_is_in_it_where_it_may_stand():
    places = {"top": SCHEMA, "rule": SCHEMA["$defs"]["rule"], "unless": SCHEMA["$defs"]["unless"]}
    for where, schema in places.items():
        assert set(schema["properties"]) == {key.name for key in KEYS if where in key.where}
        assert schema["additionalProperties"] is False


def test_every_key_has_a_description_and_an_example():
    for where in (SCHEMA, SCHEMA["$defs"]["rule"]):
        for name, shape in where["properties"].items():
            assert shape["description"], name
            assert shape["examples"], name


def test_it_uses_only_words_of_json_schema():
    def words(schema: Any) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(words, schema), set())
        if not isinstance(schema, dict):
            return set()
        inner: set[str] = set()
        for key, value in schema.items():
            if key in ("properties", "$defs"):
                inner |= set().union(*map(words, value.values()))
            elif key not in ("examples", "enum", "const"):
                inner |= words(value)
        return set(schema) | inner

    assert words(SCHEMA) <= UNDERSTOOD


def test_every_reference_leads_somewhere():
    found = re.findall(r"#/\$defs/(\w+)", repr(SCHEMA))
    assert set(found) <= set(SCHEMA["$defs"])


@pytest.mark.parametrize("file", [*PACKS, *EXAMPLES], ids=lambda file: file.name)
def test_what_we_ship_is_accepted(file: Path):
    assert wrong(SCHEMA, plain(file.read_bytes(), str(file))) == []


def test_the_starter_is_accepted():
    assert wrong(SCHEMA, plain(STARTER)) == []


@pytest.mark.parametrize("key", [key for key in KEYS if "top" in key.where], ids=lambda key: key.name)
def test_the_example_of_every_key_of_a_policy_is_accepted(key: Any):
    assert wrong(SCHEMA, {"version": 1, **plain(key.example)}) == []


@pytest.mark.parametrize("key", [key for key in KEYS if "rule" in key.where], ids=lambda key: key.name)
def test_the_example_of_every_key_of_a_rule_is_accepted(key: Any):
    assert wrong(SCHEMA, {"version": 1, "rules": [{"id": "a", **plain(key.example)}]}) == []


@pytest.mark.parametrize("timeout", ["300s", "5m", "1.5s", "1h30m"])
def test_a_duration_that_the_loader_takes_is_accepted(timeout: str):
    text = f'version: 1\nrules: [{{id: a, event: Stop, run: "true", timeout: {timeout}, deny: X.}}]\n'
    from interlock.errors import InterlockError
    from interlock.policy.load import load_policy

    try:
        load_policy(text, "p.yaml")
    except InterlockError:
        return  # what the loader refuses the schema may refuse
    assert wrong(SCHEMA, plain(text)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: []", "$.version: missing"),
        ("version: 2", "$.version: not 1"),
        ("{version: 1, rulez: []}", "$.rulez: not expected"),
        ("{version: 1, rules: [{deny: x}]}", "$.rules[0].id: missing"),
        ("{version: 1, rules: [{id: a, comand: x}]}", "$.rules[0].comand: not expected"),
        ("{version: 1, rules: [{id: a, event: Strop}]}", "$.rules[0].event: none of 2 shapes"),
        ("{version: 1, rules: [{id: a, on_error: pass}]}", "$.rules[0].on_error: not one of ['deny', 'ask', 'ignore']"),
        ("{version: 1, rules: [{id: a, unless: {run: x}}]}", "$.rules[0].unless: none of 2 shapes"),
    ],
)
def test_what_the_loader_refuses_is_refused(text: str, message: str):
    assert wrong(SCHEMA, plain(text)) == [message]
