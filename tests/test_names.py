"""Names: one public class name for one thing, and no past participle where a reader would have to guess."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.test_layers import MODULES

# Where the words are those of a host, of Python, of CEL or of the table of programs, which is to become data.
_ELSEWHERE = ("event", "facts.programs", "testing.store_conformance")
_IRREGULAR = {
    "told", "led", "shown", "housed", "kept", "said", "seen", "held", "taken", "written", "heard", "gone", "laid",
    "drawn", "sent", "begun", "broken", "chosen", "spoken", "stood", "meant", "thrown", "torn",
}  # fmt: skip
_NOT_PARTICIPLES = frozenset(
    ["need", "speed", "feed", "seed", "shed", "red", "bed", "sed", "exceed", "proceed", "embed"]
)
# What its callers say of it, and public names that have been promised.
_ALLOWED = {
    "Denied", "Quoted", "Closed", "RecordLost", "Stopped", "Forked", "told", "denied", "carried", "ignored", "missed",
    "printed", "stopped", "resolved", "downloaded", "replaced", "joined", "guarded", "listed", "enclosed", "paired",
    "quoted", "answered", "filled", "written", "held", "kept", "untouched", "named", "said", "notes_locked",
}  # fmt: skip


def is_participle(word: str) -> bool:
    return word in _IRREGULAR or (word.endswith("ed") and len(word) > 3 and word not in _NOT_PARTICIPLES)


def definitions(module: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(MODULES[module])):
        if isinstance(node, ast.ClassDef):
            yield "class", node.name
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield "function", node.name


def is_a_guess(name: str) -> bool:
    """Whether a name is nothing but a participle: `_told`, `Kept`."""
    words = [word.lower() for word in re.split(r"_|(?<=[a-z])(?=[A-Z])", name.strip("_")) if word]
    return len(words) == 1 and is_participle(words[0])


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith(_ELSEWHERE)])
def test_no_name_is_only_a_past_participle(module: str):
    found = [name for _, name in definitions(module) if is_a_guess(name) and name not in _ALLOWED]
    assert found == []
    assert not is_a_guess(module.rpartition(".")[2])


def test_no_public_class_name_is_given_twice():
    places: dict[str, list[str]] = defaultdict(list)
    for module in MODULES:
        for kind, name in definitions(module):
            if kind == "class" and not name.startswith("_"):
                places[name].append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", ["_told", "_shown", "Kept", "_Housed", "_unsettled"])
def test_a_name_that_makes_readers_guess_would_be_found(name: str):
    assert is_a_guess(name)


@pytest.mark.parametrize("name", ["notices_for", "known_files", "UnrecordedStore", "_feed", "deny_stopped"])
def test_a_name_that_says_what_it_is_is_not(name: str):
    assert not is_a_guess(name)
