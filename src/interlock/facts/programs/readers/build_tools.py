"""Build tools, task runners and compilers: the file that they run or write where no word names it."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, join
from interlock.facts.programs.readers.migrations import judge_models
from interlock.facts.programs.roles import play, roles_of
from interlock.facts.programs.table import Rewrite, Special, words


def _make(draft: UseDraft) -> None:
    """Targets and variables are words of one kind, and the file has a usual name."""
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
    """The file has a usual name, and gets the words that are left."""
    if draft.dry:
        return
    if (command := draft.value("--command")) is not None:
        draft.run("argv", command, *draft.operands)
    else:
        draft.run("file", draft.value("--justfile") or "justfile", *draft.operands, by="just")


def _task(draft: UseDraft) -> None:
    """The file has a usual name, and gets the words that are left."""
    if not draft.dry:
        draft.run("file", draft.value("--taskfile") or "Taskfile.yml", *draft.operands, by="task")


# Options of compilers and linkers that are words with one dash, among bundles such as `-Iinclude` and `-lm`.
_ONE_DASH = words("""
    ansi arch bundle coverage dumpmachine dumpversion dynamiclib framework fsyntax-only idirafter include install_name
    iquote isysroot isystem Map MD MF MM MMD MP MQ MT no-pie nodefaultlibs nostartfiles nostdinc nostdinc++ nostdlib
    pedantic pedantic-errors pie pipe print-file-name print-search-dirs pthread rdynamic rpath save-temps shared soname
    specs static static-libgcc static-libstdc++ static-pie std stdlib sysroot target version-script wrapper
""")


def _two_dashes(args: tuple[str, ...]) -> tuple[str, ...]:
    """`-std=c++20` as `--std=c++20`: read as a bundle, `-MD main.c` would define main.c."""
    return tuple("-" + word if word[:1] == "-" and word[1:].partition("=")[0] in _ONE_DASH else word for word in args)


_ONLY_READS = words("-E -M --MM --fsyntax-only")


def _compiler(draft: UseDraft) -> None:
    """What it writes depends on how far it goes, and some options load code into it."""
    if {"--version", "-v"} & set(draft.flags) and not draft.operands:
        draft.dry = True
    draft.reads += [word[1:] if word[:2] in {"@/", "@~"} else word for word in draft.operands]
    if "-o" not in draft.flags and draft.operands and _ONLY_READS.isdisjoint(draft.flags):
        draft.writes.append("a.out" if "-c" not in draft.flags and "-S" not in draft.flags else "\0")
    for name, value in draft.values:
        if name == "--specs" or (name == "-f" and value.startswith("plugin=")):
            draft.run("file", value.removeprefix("plugin=") or "\0", by=draft.name)
        elif name == "--wrapper":
            draft.aside(value.replace(",", " "))


# The file commands of `cmake -E`, by what their words are.
_FILE_COMMANDS = {
    command: roles
    for roles, commands in {
        "delete*": "rm remove remove_directory",
        "read*": "cat compare_files md5sum sha1sum sha224sum sha256sum sha384sum sha512sum",
        "read* write": "copy copy_if_different copy_if_newer copy_directory copy_directory_if_different "
        "create_symlink create_hardlink",
        "move write": "rename",
        "create*": "make_directory touch touch_nocreate",
    }.items()
    for command in commands.split()
}


_PROGRAM_KEYS = re.compile(r"_(?:COMPILER|LAUNCHER|LINKER|MAKE_PROGRAM|TOOLCHAIN_FILE|EMULATOR)(?::|$)")


def _cmake(draft: UseDraft) -> None:
    """It has modes, each with words of its own, and only one of them runs a file that is not named."""
    if draft.args[:1] == ("-E",):
        draft.dry = False
        draft.unknown.clear()
        _file_command(draft, draft.args[1:])
    elif draft.dry or {"--build", "--install"} & set(draft.flags):
        return
    for name, value in draft.values:
        key, _, program = value.partition("=")
        if name == "-D" and "/" in program and _PROGRAM_KEYS.search(key):
            draft.run("file", program, by="cmake") if "TOOLCHAIN" in key else draft.run("argv", program)
    if draft.args[:1] == ("-E",):
        return
    if (script := draft.value("-P")) is not None:
        draft.run("file", script, by="cmake")
    else:
        source = draft.value("-S") or (draft.operands[0] if draft.operands else ".")
        draft.run("file", join(source, "CMakeLists.txt"), by="cmake")


def _file_command(draft: UseDraft, said: tuple[str, ...]) -> None:
    verb, *rest = said or ("",)
    if verb in {"env", "tar"}:
        draft.run("argv", *said)
    elif verb == "time":
        draft.run("argv", *rest)
    elif verb == "chdir":
        draft.run("argv", *rest[1:])
    else:
        play(draft, [word for word in rest if word[:1] != "-"], roles_of(_FILE_COMMANDS.get(verb, "mention*")))


def _rails(draft: UseDraft) -> None:
    """What it is told to run, and whose input is code."""
    task, rest = (draft.operands[0], draft.operands[1:]) if draft.operands else ("", [])
    if task in {"runner", "r"} and rest:
        if re.fullmatch(r"[\w./~-]+\.(?:rb|rake)|[\w.~-]*/[\w./-]+", rest[0]):
            draft.run("file", rest[0], by="ruby")
        else:
            draft.run("code:ruby", rest[0])
            judge_models(draft, rest[0])
    elif task in {"console", "c"}:
        draft.stdin = "code:ruby"
    elif task in {"dbconsole", "db"}:
        draft.add("database/writes")
        draft.stdin = "code:sql"


# Goals and tasks by which build tools hand out what they built.
_GOALS = (
    "deploy",
    "deploy:deploy-file",
    "site-deploy",
    "release:perform",
    "nexus-staging:release",
    "publish",
    "publishSigned",
)


def _goals(draft: UseDraft) -> None:
    """Names of tasks are put together, and one that ends in `Local` stays on the machine."""
    for word in draft.operands:
        goal = word.rpartition(":")[2] if draft.name != "mvn" else word
        if (
            word in _GOALS
            or goal == "publish"
            or (goal.startswith("publish") and not goal.endswith(("ToMavenLocal", "Local", "M2")))
        ):
            draft.add("publishes-package", "network")


READERS: dict[str, Special] = {
    "gradle": _goals,
    "cmake": _cmake,
    "compiler": _compiler,
    "just": _just,
    "make": _make,
    "rails": _rails,
    "task": _task,
}

REWRITES: dict[str, Rewrite] = {"two_dashes": _two_dashes}
