"""`programs` of a policy: the programs that it describes itself, by their names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from interlock.facts.programs import program_of
from interlock.facts.programs.table import Program
from interlock.facts.shell.hazards import BUILTINS
from interlock.policy.positions import Node
from interlock.policy.programs.entries import Description, read_programs
from interlock.policy.reader import Reader

__all__ = ["read_own_programs"]

_NAME = re.compile(r"\w[\w.+@-]*")
_WORDS_OF_SHELLS = BUILTINS | {
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select", "then",
    "until", "while",
}  # fmt: skip
# What only Interlock itself can find out about a command.
_INEFFECTIVE = {
    "does": (re.compile(r"(?<![\w/-])elsewhere(?![\w/-])"), "`elsewhere` is found by Interlock itself",
             "leave it out; what the program runs there is told by its words: `operands: host argv`"),
    "options": (re.compile(r"[=?]cd(?=[!<\s]|$)"), "no program changes the folder of the shell that runs it",
                "for the folder that a program works in, write `C/directory=base`"),
    "operands": (re.compile(r"(?:^|\s)cd\*?(?=\s|$)"), "no program changes the folder of the shell that runs it",
                 "for the folder that a program works in, write `base`"),
}  # fmt: skip


def read_own_programs(node: Node, reader: Reader, packed: Mapping[str, Description]) -> dict[str, Description]:
    """The descriptions under `programs`, by name. `packed` are those that packs bring, which `like` may name."""

    def find(name: str) -> Program | None:
        return packed[name].program if name in packed else program_of(name)

    found: dict[str, Description] = {}
    for one in read_programs(node, reader, find=find):
        entry = next((inner for key, inner in node.value.items() if tuple(key.split()) == one.names), None)
        if entry is not None and entry.value == {}:
            help = "say what it does: `{does: read-only}`, for example"
            reader.complain(f"the entry of `{one.names[0]}` says nothing", entry.source, help)
        for name in one.names:
            if "/" not in name:  # a path has been complained about
                _check_name(name, one, reader)
            found[name] = one
    _check_effects(node, reader)
    return found


def _check_name(name: str, one: Description, reader: Reader) -> None:
    if name == "interlock":
        reader.complain("`interlock` is Interlock itself, which no policy describes", one.source, "remove it")
    elif name in _WORDS_OF_SHELLS:
        help = "describe programs of your own; functions of the shell are read where they are defined"
        reader.complain(f"`{name}` is a word of the shell itself, and no program", one.source, help)
    elif not _NAME.fullmatch(name):
        help = "write the name by which it is called, as in `ourctl:`; several names are parted by spaces"
        reader.complain(f"`{name}` is not the name of a program", one.source, help)


def _check_effects(node: Node, reader: Reader, key: str = "") -> None:
    """Complain about what has no effect in a policy's description."""
    if isinstance(node.value, dict):
        for name, inner in node.value.items():
            if key == "does" and isinstance(name, str):
                _check_text(name, key, Node(name, node.keys.get(name, node.source)), reader)
            elif name not in ("about", "cases"):
                _check_effects(inner, reader, "options" if name == "leading" else name)
    elif isinstance(node.value, list):
        for inner in node.value:
            _check_effects(inner, reader, key)
    elif isinstance(node.value, str):
        _check_text(node.value, key, node, reader)


def _check_text(text: str, key: str, node: Node, reader: Reader) -> None:
    found = _INEFFECTIVE.get(key)
    if found is not None and found[0].search(text):
        reader.complain(found[1], node.source, found[2])
