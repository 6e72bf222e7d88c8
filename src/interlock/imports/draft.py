"""Rules on their way into a policy: with where they came from, cases that show what they catch, and what was left."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.config.bundles import find_pack
from interlock.errors import InterlockError, Source
from interlock.policy.load import load_policy
from interlock.policy.positions import LocatedErrors
from interlock.testing.cases import run_cases

__all__ = ["DraftRule", "Import", "NotCarried", "cel_text", "id_of", "plain_text", "problem_of", "settle", "yaml_of"]

JsonObject: TypeAlias = dict[str, Any]
# Words that YAML or the policy language would not take for a text.
_NOT_PLAIN = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_PLAIN = re.compile(r"\d+s|[A-Za-z](?:[A-Za-z0-9_./-]| (?=[A-Za-z0-9_./-]))*")
_LINE = 100  # a list that is longer gets a line for each of its items


class NotCarried(Struct, frozen=True):
    """Something that could not be carried over: where it is, what it says, and why."""

    source: Source
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.source.file}:{self.source.line}: {self.what}: {self.why}"


class DraftRule(Struct, frozen=True):
    """One rule with the calls that it must catch and let pass, as the tool that it comes from would judge them."""

    id: str
    source: Source
    what: str  # what it was written as there
    keys: JsonObject
    catch: tuple[Any, ...] = ()
    passes: tuple[Any, ...] = ()


class Import(Struct):
    """What was found in the files: rules, what could not be carried, and remarks on what was carried differently."""

    rules: list[DraftRule] = []
    left: list[NotCarried] = []
    remarks: list[NotCarried] = []


def settle(found: Import) -> Import:
    """Only the rules that load and whose cases hold. The others are listed with what is wrong with them."""
    kept: list[DraftRule] = []
    left = list(found.left)
    taken: set[str] = set()
    for one in found.rules:
        rule = replace(one, id=_free(one.id, taken))
        why = problem_of(rule, kept if "fired(" in str(rule.keys.get("when")) else [])
        if why:
            left.append(NotCarried(rule.source, rule.what, why))
        else:
            taken.add(rule.id)
            kept.append(rule)
    return Import(kept, sorted(left, key=_place), sorted(found.remarks, key=_place))


def _place(one: NotCarried) -> tuple[str, int, str]:
    return one.source.file, one.source.line, one.what


def _free(name: str, taken: set[str]) -> str:
    number = 2
    free = name
    while free in taken:
        free = f"{name}-{number}"
        number += 1
    return free


def problem_of(rule: DraftRule, beside: Sequence[DraftRule] = ()) -> str:
    """Why a rule does not load, or which of its cases does not hold; `beside` are those that it may ask about."""
    try:
        text = "".join(yaml_of(one) for one in (*beside, rule))
        policy = load_policy(f"version: 1\nrules:\n{text}", "interlock.yaml", find_pack)
    except LocatedErrors as errors:
        return f"no rule can say it: {errors.errors[0].message}"
    except InterlockError as error:
        return f"no rule can say it: {error.message}"
    failed = next((result for result in run_cases(policy) if result.rule == rule.id and not result.ok), None)
    return f"a rule would judge it differently: {failed.message}" if failed is not None else ""


def id_of(text: str, otherwise: str = "rule") -> str:
    """A rule's id made from any text."""
    found = re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-._")
    return found[:60].rstrip("-._") or otherwise


def plain_text(text: str) -> str:
    """A text for a person or a model in which nothing is an expression."""
    return text.replace("${", '${"$"}{')


def cel_text(text: str) -> str:
    """A text as CEL writes it."""
    return json.dumps(text, ensure_ascii=False)


# --- YAML ------------------------------------------------------------------------------------------------------


def yaml_of(rule: DraftRule) -> str:
    """The rule as an item of a policy's `rules`."""
    lines = [f"  - id: {_scalar(rule.id)}"]
    for key, value in rule.keys.items():
        lines += _member(key, value, 4)
    cases = {"catch": list(rule.catch), "pass": list(rule.passes)}
    listed = {key: values for key, values in cases.items() if values}
    if listed:
        lines.append("    cases:")
        for key, values in listed.items():
            lines += _member(key, values, 6)
    return "\n".join(lines) + "\n"


def _member(key: str, value: Any, indent: int) -> list[str]:
    head = " " * indent + f"{key}:"
    if isinstance(value, list) and len(head) + len(_flow(value)) > _LINE:
        return [head, *(" " * (indent + 2) + f"- {_flow(item)}" for item in value)]
    if key == "when" and len(head) + len(value) > _LINE and value.isprintable() and "  " not in value:
        parts = value.replace(" && ", " &&\n").replace(" || ", " ||\n").split("\n")
        return [f"{head} >-", *(" " * (indent + 2) + part for part in parts)]
    return [f"{head} {_flow(value)}"]


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN
        if not plain and '"' in value and value.isprintable():
            return "'" + value.replace("'", "''") + "'"
        return value if plain else _in_quotes(value)
    return json.dumps(value)


def _in_quotes(text: str) -> str:
    return "".join(
        char if char.isprintable() else f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
        for char in json.dumps(text, ensure_ascii=False)
    )
