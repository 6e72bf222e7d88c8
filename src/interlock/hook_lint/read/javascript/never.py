"""Find the function that a file does its work in, if nothing in the file calls it."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import PurePath
from typing import Any

from interlock.hook_lint.program import Span
from interlock.hook_lint.read.javascript.source import FUNCTIONS, ScriptSource, SyntaxNode, walk
from interlock.hook_lint.read.python.never import MAIN, OF_HOOKS

__all__ = ["never_run"]

_READS = ("process.stdin", "Bun.stdin", "Deno.stdin", "/dev/stdin", "readFileSync(0")
_DECLARING = frozenset({
    "import_statement", "lexical_declaration", "variable_declaration", "function_declaration", "export_statement",
    "class_declaration", "type_alias_declaration", "interface_declaration", "enum_declaration",
    "generator_function_declaration", "empty_statement",
})  # fmt: skip


def never_run(file: str, source: ScriptSource, tree: SyntaxNode, called: Container[Any]) -> Span | None:
    """Where that function begins. None if the file runs something, or is a part of something else: a test, a plugin."""
    name = PurePath(file).name
    if ".test." in name or ".spec." in name or ".config." in name or name.startswith(("_", "index.d")):
        return None
    if any(not _is_quiet(source, node) for node in tree.kids):
        return None
    idle = [(name, node) for name, node in _functions(source, tree) if node not in called and _does_work(source, node)]
    if not idle:
        return None
    names = {id(one["name"]) for one in walk(tree)}  # by which something is declared or exported
    used = {source.code(one) for one in walk(tree) if one.kind == "identifier" and id(one) not in names}
    tops = [(name, node) for name, node in idle if name not in used] or idle
    named = [node for name, node in tops if name.startswith(MAIN)]
    chosen = (named or [node for _, node in tops])[:1]
    return source.head(chosen[0]) if chosen else None


def _is_quiet(source: ScriptSource, node: SyntaxNode) -> bool:
    """Whether a statement only declares something. Others take what a file exports under a name of its own."""
    if node.kind in _DECLARING:
        return True
    return node.kind == "expression_statement" and source.code(node).startswith(
        ("module.exports", "exports.", "'use", '"use')
    )


def _functions(source: ScriptSource, tree: SyntaxNode) -> Iterator[tuple[str, SyntaxNode]]:
    for node in tree.kids:
        inner = node["declaration"] or node["value"] or node if node.kind == "export_statement" else node
        if inner.kind in FUNCTIONS:
            yield (source.code(inner["name"]) if inner["name"] is not None else "main"), inner
        if node.kind == "expression_statement":
            right = node.kids[0]["right"]
            if right is not None and right.kind in FUNCTIONS:
                yield "main", right
        for part in inner.kids if inner.kind.endswith("_declaration") else ():
            value = part["value"] if part.kind == "variable_declarator" else None
            if value is not None and value.kind in FUNCTIONS and part["name"] is not None:
                yield source.code(part["name"]), value


def _does_work(source: ScriptSource, node: SyntaxNode) -> bool:
    code = source.code(node)
    return any(word in code for word in (*OF_HOOKS, *_READS))
