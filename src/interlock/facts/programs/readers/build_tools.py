"""Compilers, build tools, test runners and documentation."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, join
from interlock.facts.programs.table import Special


def _make(draft: UseDraft) -> None:
    if draft.dry:
        return
    file = draft.value("--file") or "Makefile"
    targets = [word for word in draft.operands if "=" not in word]
    if file == "-":
        draft.stdin = "code:other"
    else:
        draft.run("file", file, *targets, by="make")
    for name, value in draft.values:
        if name == "--eval":
            draft.run("code:other", value)
    for word in draft.operands:
        name, mark, value = word.partition("=")
        if mark and name in _TOOLS and value.rpartition("/")[2] not in _MAKE_SHELLS:
            draft.aside(value)


# Variables of a makefile that name the programs it runs; any of the usual shells may be its shell.
_TOOLS = frozenset({"SHELL", "CC", "CXX", "LD", "AR", "AS", "CPP", "PYTHON", "GO", "CARGO", "NPM"})
_MAKE_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})


def _just(draft: UseDraft) -> None:
    if draft.dry:
        return
    if {"--list", "--summary", "--show", "--dump", "--evaluate", "--variables", "--groups"} & set(draft.flags):
        draft.looks("runs-project")
        return
    if (command := draft.value("--command")) is not None:
        draft.run("argv", command, *draft.operands)
        return
    draft.run("file", draft.value("--justfile") or "justfile", *draft.operands, by="just")


def _compiler(draft: UseDraft) -> None:
    if {"--version", "-v"} & set(draft.flags) and not draft.operands:
        draft.dry = True
    draft.reads += [word[1:] if word[:2] in {"@/", "@~"} else word for word in draft.operands]
    if "-o" not in draft.flags and draft.operands and not {"-E", "--fsyntax-only"} & set(draft.flags):
        draft.writes.append("a.out" if "-c" not in draft.flags and "-S" not in draft.flags else "\0")
    for at, word in enumerate(draft.args):
        if word.startswith(("-fplugin=", "-specs=")):
            draft.run("file", word.partition("=")[2] or "\0", by=draft.name)
        elif word == "-wrapper":
            draft.aside(" ".join(draft.args[at + 1 : at + 2]).replace(",", " ") or "\0")


def _cmake(draft: UseDraft) -> None:
    if draft.dry:
        return
    flags = set(draft.flags)
    if "-E" in flags:
        words = draft.operands
        if words[:1] in (["remove"], ["rm"], ["remove_directory"]):
            draft.deletes += words[1:]
        elif words[:1] and words[0] in {"cat", "md5sum", "sha256sum", "compare_files"}:
            draft.reads += words[1:]
        elif words[:1] == ["env"] or words[:1] == ["time"]:
            draft.run("argv", *words[1:])
        elif words[:1] and words[0].startswith(("copy", "rename", "touch", "make_directory", "create_symlink")):
            draft.writes += words[1:]
        return
    if "--build" in flags or "--install" in flags:
        return
    if (script := draft.value("-P")) is not None:
        draft.run("file", script, by="cmake")
    elif not draft.dry:
        draft.run(
            "file",
            join(draft.value("-S") or (draft.operands[0] if draft.operands else "."), "CMakeLists.txt"),
            by="cmake",
        )


def _rails(draft: UseDraft) -> None:
    """What it is told to run, and whose input is code."""
    task, rest = (draft.operands[0], draft.operands[1:]) if draft.operands else ("", [])
    if task in {"runner", "r"} and rest:
        draft.run("code:ruby", rest[0]) if re.search(r"[\s()]", rest[0]) else draft.run("file", rest[0], by="ruby")
    elif task in {"console", "c"}:
        draft.stdin = "code:ruby"
    elif task in {"dbconsole", "db"}:
        draft.add("database/writes")
        draft.stdin = "code:sql"


READERS: dict[str, Special] = {
    "cmake": _cmake,
    "compiler": _compiler,
    "just": _just,
    "make": _make,
    "ninja": (
        lambda draft: (
            draft.looks("runs-project")
            if draft.value("-t")
            in {
                "list",
                "targets",
                "query",
                "commands",
                "deps",
                "graph",
                "rules",
                "compdb",
                "compdb-targets",
                "missingdeps",
                "inputs",
                "multi-inputs",
                "msvc",
            }
            else None
        )
    ),
    "objcopy": (
        lambda draft: (
            draft.looks("changes")
            if draft.name == "lipo" and {"-info", "-archs", "-detailed_info", "-verify_arch"} & set(draft.args)
            else draft.writes.extend(draft.operands)
        )
    ),
    "rails": _rails,
    "task": (
        lambda draft: (
            None
            if draft.dry
            else draft.run("file", draft.value("--taskfile") or "Taskfile.yml", *draft.operands, by="task")
        )
    ),
}
