"""The shape of the code: who may import whom, what is pure, how long a file may be. Seeded violations are caught."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "interlock"

# Room → (layer, pure). A module imports from a strictly lower layer, or from its own room.
# Pure: no file, socket, process, clock, log or print; what needs them is passed in.
ROOMS: dict[str, tuple[int, bool]] = {
    "client": (0, False),
    "spawn": (0, False),
    "errors": (0, True),
    "event": (0, True),
    "effect": (0, True),
    "verdict": (0, True),
    "fold": (0, True),
    "jsontext": (0, True),
    "process": (1, False),
    "framing": (1, False),
    "files": (1, False),
    "facts": (2, True),
    "policy": (3, True),
    "packs": (3, True),
    "config": (4, False),
    "hosts": (5, False),
    "store": (6, False),
    "hooks": (6, False),
    "probe": (6, False),
    "receipts": (7, False),
    "judging": (8, False),
    "service": (9, False),
    "approvals": (10, False),
    "testing": (10, False),
    "gate": (11, False),
    "daemon": (11, False),
    "driving": (11, False),
    "hook_lint": (11, False),
    "lint": (11, False),
    "demonstration": (11, False),
    "imports": (11, False),
    "replay": (11, False),
    "telemetry": (11, False),
    "binding": (12, False),
    "frameworks": (12, False),
    "doctor": (12, False),
    "page": (13, False),
    "protocol": (14, True),
    "agent_sdk": (14, False),
    "cli": (14, False),
}
# The words themselves are one room: they are defined in terms of each other.
SAME_ROOM = dict.fromkeys(("errors", "event", "effect", "verdict", "fold", "jsontext"), "words")
# Pure modules in a room that is not: what a dialect is made of only reads and writes bytes.
PURE_MODULES = {
    *(f"hosts.base.{name}" for name in ("decode", "denials", "host", "lower", "patches", "reading", "reply", "samples",
      "strict", "table", "tools")),
    *(f"hosts.claude_code.{name}" for name in ("answer", "dialect", "encode", "envelope", "events", "extras", "fail",
      "fields", "outputs", "read")),
    *(f"hosts.{file.parent.name}.dialect" for file in (PACKAGE / "hosts").glob("*/dialect.py")),
}  # fmt: skip
# The proxy is put into the configuration of Claude Code, among others, and undone with its backups. VS Code runs the
# hooks of Copilot CLI.
SHARED_PLACES = {"mcp": ("claude_code",), "vscode": ("copilot",)}
ENTRY = {"__init__", "__main__"}

PURE_IMPORTS = {
    "__future__", "ast", "base64", "binascii", "cel_expr_python", "codecs", "collections", "contextvars", "copy",
    "dataclasses", "datetime", "enum", "functools", "hashlib", "importlib", "interlock", "itertools", "json", "math",
    "msgspec", "operator", "posixpath", "re", "re2", "shlex", "threading", "types", "typing", "unicodedata", "urllib",
    "warnings", "yaml", "zlib",
}  # fmt: skip
IMPURE_CALLS = {"print", "open", "input", "exec", "eval", "breakpoint", "__import__"}
MOST_LINES = 600
GENERATED = {"facts.programs.compiled"}  # by `make programs`
MOST_DIALECT_LINES = 250


def room_of(module: str) -> str:
    return module.split(".", maxsplit=1)[0]


def imports_of(tree: ast.Module) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((("." * node.level) + (node.module or ""), node.lineno))
            if node.module == "interlock":  # `from interlock import service` names a room
                found += [(f"interlock.{alias.name}", node.lineno) for alias in node.names]
    return found


def violations(module: str, source: str) -> list[str]:
    """What one module does that its room does not permit."""
    tree = ast.parse(source)
    room = room_of(module)
    if room in ENTRY:
        return []
    if room not in ROOMS:
        return [f"{module} is in no room of the table"]
    layer, pure = ROOMS[room]
    pure = pure or module in PURE_MODULES
    found = []
    for name, line in imports_of(tree):
        if name.startswith("."):
            found.append(f"{module}:{line} imports {name} relatively")
        elif name.startswith("interlock."):
            found += _upward(module, line, layer, room_of(name.removeprefix("interlock.")))
            found += _sideways(module, line, name.removeprefix("interlock."))
        elif pure and name.split(".")[0] not in PURE_IMPORTS:
            found.append(f"{module}:{line} is pure and imports {name}")
    if pure:
        found += [
            f"{module}:{node.lineno} is pure and calls {node.func.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
        ]
    return found


def _upward(module: str, line: int, layer: int, other: str) -> list[str]:
    room = room_of(module)
    if other not in ROOMS or SAME_ROOM.get(room, room) == SAME_ROOM.get(other, other):
        return []  # the package's public names, or its own room
    return [] if ROOMS[other][0] < layer else [f"{module}:{line} imports {other}, which is not below it"]


def _sideways(module: str, line: int, name: str) -> list[str]:
    """What is wrong with an import within the same layer."""
    if room_of(module) != "hosts" or room_of(name) != "hosts" or "." not in module or "." not in name:
        return []
    own, other = module.split(".")[1], name.split(".")[1]
    if own == "base" and other != "base":
        return [f"{module}:{line} imports hosts.{other}, and a base knows no host"]
    shared = {"base", own, *SHARED_PLACES.get(own, ())}
    return [] if own == "__init__" or other in shared else [
        f"{module}:{line} imports hosts.{other}, another host's room"
    ]  # fmt: skip


def modules() -> dict[str, str]:
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts)] = file.read_text(encoding="utf-8")
    return found


MODULES = modules()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_below_and_stays_pure_where_it_must(module):
    assert violations(module, MODULES[module]) == []


@pytest.mark.parametrize("module", MODULES)
def test_a_file_is_short_and_says_its_job(module):
    lines = MODULES[module].splitlines()
    assert len(lines) <= MOST_LINES or module in GENERATED
    if module in PURE_MODULES:
        assert len(lines) <= MOST_DIALECT_LINES
    assert ast.get_docstring(ast.parse(MODULES[module])), "a module opens with what it is for"


def test_no_modules_import_each_other_in_a_circle():
    graph = {
        module: {
            name.removeprefix("interlock.")
            for name, _ in imports_of(ast.parse(source))
            if name.startswith("interlock.") and name.removeprefix("interlock.") in MODULES
        }
        for module, source in MODULES.items()
    }
    assert circle(graph) == []


def circle(graph: dict[str, set[str]]) -> list[str]:
    done: set[str] = set()

    def walk(node: str, path: list[str]) -> list[str]:
        if node in path:
            return path[path.index(node) :]
        if node in done:
            return []
        done.add(node)
        return next((found for other in sorted(graph.get(node, ())) if (found := walk(other, [*path, node]))), [])

    return next((found for node in sorted(graph) if (found := walk(node, []))), [])


@pytest.mark.parametrize(
    ("module", "source", "caught"),
    [
        (
            "hosts.flat.dialect",
            "from interlock.service import handle",
            "hosts.flat.dialect:1 imports service, which is not below it",
        ),
        ("facts.tools", "import interlock.hosts.flat.dialect", "facts.tools:1 imports hosts, which is not below it"),
        ("policy.names", "from interlock.hosts import flat", "policy.names:1 imports hosts, which is not below it"),
        ("verdict", "from interlock import service", "verdict:1 imports service, which is not below it"),
        ("verdict", "def f():\n    from interlock.hooks import run", "verdict:2 imports hooks, which is not below it"),
        ("event", "import os", "event:1 is pure and imports os"),
        ("event", "from pathlib import Path", "event:1 is pure and imports pathlib"),
        ("verdict", "import time", "verdict:1 is pure and imports time"),
        ("hosts.flat.dialect", "import logging", "hosts.flat.dialect:1 is pure and imports logging"),
        ("hosts.flat.dialect", "def f():\n    print(1)", "hosts.flat.dialect:2 is pure and calls print"),
        ("facts.tools", "open('x')", "facts.tools:1 is pure and calls open"),
        ("hosts.flat.dialect", "from . import decode", "hosts.flat.dialect:1 imports . relatively"),
        ("attic", "x = 1", "attic is in no room of the table"),
        (
            "store.sqlite",
            "from interlock.judging.guard import Guard",
            "store.sqlite:1 imports judging, which is not below it",
        ),
        (
            "receipts.watch",
            "from interlock.service import handle",
            "receipts.watch:1 imports service, which is not below it",
        ),
        (
            "judging.guard",
            "from interlock.service import answer",
            "judging.guard:1 imports service, which is not below it",
        ),
        (
            "hosts.base.lower",
            "from interlock.hosts.flat import dialect",
            "hosts.base.lower:1 imports hosts.flat, and a base knows no host",
        ),
        (
            "hosts.flat.dialect",
            "from interlock.hosts.claude_code.encode import encode",
            "hosts.flat.dialect:1 imports hosts.claude_code, another host's room",
        ),
        (
            "hosts.claude_code.encode",
            "from pathlib import Path",
            "hosts.claude_code.encode:1 is pure and imports pathlib",
        ),
        ("client", "import interlock.verdict", "client:1 imports verdict, which is not below it"),
        (
            "spawn.exchange",
            "from interlock.errors import InterlockError",
            "spawn.exchange:1 imports errors, which is not below it",
        ),
    ],
)
def test_a_seeded_violation_is_caught(module, source, caught):
    assert violations(module, source) == [caught]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("hosts.flat.dialect", "from interlock.verdict import Verdict"),
        ("hosts.claude_code.read", "from interlock.hosts.base.reading import Output"),
        ("verdict", "from interlock.errors import Source"),
        ("hooks.process", "import subprocess"),
        ("cli.demo", "print(1)"),
    ],
)
def test_near_misses_are_not(module, source):
    assert violations(module, source) == []


def test_a_seeded_circle_is_caught():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()}) == ["a", "b", "c"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
