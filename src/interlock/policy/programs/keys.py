"""Every key of a description: what it takes and what it means. Errors, docs and schema use it."""

from __future__ import annotations

from typing import Any, get_args

from msgspec import Struct

from interlock.facts.programs.draft import ROLES
from interlock.facts.programs.roles import RESTS
from interlock.facts.programs.table import ServiceKind
from interlock.facts.programs.traits import TRAITS
from interlock.facts.programs.use import Stdin
from interlock.policy.positions import read_yaml

__all__ = [
    "CASE_VERBS",
    "CLAUSE_CONDITIONS",
    "CLAUSE_KEYS",
    "ENTRY_KEYS",
    "ROLE_MEANINGS",
    "SERVICES",
    "SHIPPED_KEYS",
    "STDIN",
    "EntryKey",
    "example_of",
    "schema",
]


class EntryKey(Struct, frozen=True):
    """One key of an entry or of a clause."""

    takes: str
    means: str
    example: str


# What a word, or the value of an option, is to the program.
ROLE_MEANINGS: dict[str, str] = {
    "text": "nothing that Interlock looks at",
    "read": "a file or folder that is read",
    "write": "a file that is written; what was in it is lost",
    "edit": "a file that is read and written",
    "create": "a file or folder that is made if it is missing",
    "within": "a folder in which files are written",
    "delete": "a file or folder that is deleted",
    "move": "a file that is read, and gone from its place afterwards",
    "exec": "a file that is written and made executable",
    "mention": "something that may be a path",
    "send": "a file that leaves this machine",
    "url": "an address that is reached",
    "host": "a machine that is reached, or a URL",
    "fetch": "a URL that is reached, or else a file that is read",
    "ref": "a branch or tag",
    "base": "the folder in which the command works",
    "cd": "the folder in which the shell is afterwards",
    "shell": "a line for a shell, which runs beside what the program is for",
    "line": "a line for a shell, which is what the program is for",
    "program": "a program that is run, by its name",
    "file": "a file that is run as code",
    "code:python": "code; also `code:js`, `code:perl`, `code:ruby`, `code:php`, `code:sql`, `code:awk`, `code:other`",
    "argv": "from here on a command with its arguments, which is run; only as the last",
    "shell+": "from here on a line for a shell, in several words; only as the last",
    "script": "a file that is run, and its arguments; only as the last",
}
SERVICES: tuple[str, ...] = get_args(ServiceKind)
STDIN: tuple[str, ...] = get_args(Stdin)
CASE_VERBS = ("reads", "writes", "creates", "deletes", "sends", "runs", "url", "host")

ENTRY_KEYS: dict[str, EntryKey] = {
    "about": EntryKey("text", "What the program is, in one sentence.", "about: Deploys our services."),
    "like": EntryKey(
        "form",
        "Another entry, or a subcommand of one, to start from: its options and forms are joined with these.",
        "like: kubectl",
    ),
    "options": EntryKey(
        "words",
        "Its options. They are understood before its subcommands and after them.",
        "options: [n/namespace=, o/output=write, dry-run!dry]",
    ),
    "leading": EntryKey("words", "Options that are only understood before the subcommand.", "leading: [C=base]"),
    "operands": EntryKey("roles", "What its other words are, in order.", "operands: text read*"),
    "does": EntryKey(
        "does",
        "What it does: traits, or a map of traits to the subcommands that have them.",
        "does: {read-only: [get, list], cluster/deletes: [destroy, env rm]}",
    ),
    "forms": EntryKey(
        "forms",
        "Subcommands that need more than their traits: an entry for each.",
        "forms: {apply: {options: [f/file=read], does: cluster/changes}}",
    ),
    "when": EntryKey(
        "clauses",
        "What holds under conditions on its words; the first clause that fits counts.",
        "when: [{first: [ls, list], looks: true}]",
    ),
    "service": EntryKey(
        "service",
        "Its words are groups, a verb and names, as those of most services are. Verbs are understood by themselves; "
        "`does` says only which words mean something else.",
        "service: cloud",
    ),
    "stdin": EntryKey("stdin", "What it does with its input, if that is more than data.", "stdin: shell"),
    "stops": EntryKey("bool", "Options end at the first other word.", "stops: true"),
    "single-dash": EntryKey("bool", "Long options have one dash: `-name` is one option.", "single-dash: true"),
    "help": EntryKey("bool", "Whether `--help` shows a page of help; true unless you say `false`.", "help: false"),
    "brief": EntryKey("bool", "Subcommands may be cut short: `a` for `address`.", "brief: true"),
    "inherits": EntryKey(
        "bool", "Whether the options of the entry around it count here; true unless you say `false`.", "inherits: false"
    ),
    "runs-here": EntryKey("bool", "A service: a command behind `--` runs on this machine.", "runs-here: true"),
    "cases": EntryKey(
        "cases",
        "Commands, and what is to be found in each.",
        "cases: {ourctl get pods: read-only, ourctl destroy web: cluster/deletes}",
    ),
}
# A reader is Python of ours, so only shipped descriptions can name one.
SHIPPED_KEYS: dict[str, EntryKey] = {
    "reader": EntryKey("reader", "A function that looks at the parsed words, and adds to them.", "reader: files.copy"),
    "parser": EntryKey("reader", "A function that reads all the words itself.", "parser: find.find"),
    "rewrite": EntryKey(
        "reader", "A function that puts older spellings into the usual one.", "rewrite: archives.tar_bundle"
    ),
}
CLAUSE_KEYS: dict[str, EntryKey] = {
    "name": EntryKey("texts", "It is called by one of these names.", "name: dropdb"),
    "first": EntryKey("texts", 'Its first operand is one of these; "" if it has none.', 'first: [list, get-*, ""]'),
    "any": EntryKey("texts", "One of its operands is one of these.", "any: [drop, purge]"),
    "words": EntryKey("count", "It has at least this many operands.", "words: 2"),
    "option": EntryKey("texts", "It has one of these options.", "option: [--list, -l]"),
    "every": EntryKey("texts", "It has each of these options.", "every: [--reset, --hard]"),
    "without": EntryKey("texts", "It has none of these options.", "without: --write"),
    "value": EntryKey("values", "An option has one of these values.", "value: {--mode: [show, list]}"),
    "other": EntryKey(
        "values", "An option has another value than these.", 'other: {--host: [localhost, 127.0.0.1, "::1"]}'
    ),
    "looks": EntryKey("bool", "Then it only looks.", "looks: true"),
    "does": EntryKey("traits", "Then it has these traits as well.", "does: database/drops"),
    "drops": EntryKey("traits", "Then it does not have these.", "drops: network"),
    "operands": EntryKey("roles", "Then its operands play these roles as well.", "operands: write*"),
    "stdin": EntryKey("stdin", "Then this is what it does with its input.", "stdin: shell"),
    "reads": EntryKey(
        "texts", "Then it reads these files, whatever its words are; `…` is unknown.", "reads: Cargo.toml"
    ),
    "writes": EntryKey("texts", "Then it writes these files.", "writes: dist/…"),
    "creates": EntryKey("texts", "Then it makes these files where they are missing.", "creates: out.txt"),
    "deletes": EntryKey("texts", "Then it deletes these files.", "deletes: target"),
    "refs": EntryKey("texts", "Then it moves these branches or tags.", "refs: HEAD"),
}
CLAUSE_CONDITIONS = ("name", "first", "any", "words", "option", "every", "without", "value", "other")


def example_of(key: str) -> str:
    """A cure for a key of an entry with a value of the wrong sort."""
    return f"write `{ENTRY_KEYS[key].example}`, for example"


_TEXT: dict[str, Any] = {"type": "string", "pattern": r"\S"}
# `1` is an option like any other, and YAML takes it for a number.
_WORD: dict[str, Any] = {"type": ["string", "number"]}
_TEXTS: dict[str, Any] = {"anyOf": [_WORD, {"type": "array", "items": _WORD}]}
_TRAIT: dict[str, Any] = {"anyOf": [{"enum": list(TRAITS)}, {"type": "string"}]}  # or several, parted by spaces
_TRAITS: dict[str, Any] = {"anyOf": [_TRAIT, {"type": "array", "items": _TRAIT}]}
_ROLES = [*ROLES, *(f"{role}*" for role in ROLES), *RESTS]
_SHAPES: dict[str, Any] = {
    "text": _TEXT,
    "bool": {"type": "boolean"},
    "form": _TEXT,
    "words": _TEXTS,
    "roles": {"anyOf": [{"enum": _ROLES}, {"type": "string"}]},  # or several, parted by spaces
    "texts": _TEXTS,
    "count": {"type": "integer", "minimum": 1},
    "values": {"type": "object", "additionalProperties": _TEXTS},
    "traits": _TRAITS,
    "does": {
        "anyOf": [
            *_TRAITS["anyOf"],
            {"type": "object", "properties": dict.fromkeys(TRAITS, _TEXTS), "additionalProperties": _TEXTS},
        ]
    },
    "forms": {"type": "object", "additionalProperties": {"$ref": "#/$defs/program"}},
    "clauses": {"type": "array", "items": {"$ref": "#/$defs/clause"}},
    "service": {"enum": list(SERVICES)},
    "stdin": {"enum": list(STDIN)},
    "reader": _TEXT,
    "cases": {"type": "object", "additionalProperties": {"anyOf": [_TRAIT, {"type": "array", "items": _TRAIT}]}},
}


def schema(*, shipped: bool = False) -> dict[str, Any]:
    """Definitions for a JSON Schema: `program`, an entry or a form of one, and `clause`, one of its `when`."""
    keys = {**ENTRY_KEYS, **(SHIPPED_KEYS if shipped else {})}
    return {"program": _object(keys), "clause": _object(CLAUSE_KEYS)}


def _object(keys: dict[str, EntryKey]) -> dict[str, Any]:
    properties = {
        name: {
            "description": key.means,
            "examples": [read_yaml(key.example, name).root.plain()[name]],
            **_SHAPES[key.takes],
        }
        for name, key in keys.items()
    }
    return {"type": "object", "additionalProperties": False, "properties": properties}
