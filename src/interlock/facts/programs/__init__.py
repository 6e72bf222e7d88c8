"""What each program does with its arguments: tables as data, one file a family, and how they are read."""

from __future__ import annotations

from interlock.facts.programs import (
    archives,
    build,
    cloud_aws,
    cloud_gcp_azure,
    cmdlets,
    coreutils,
    crypto,
    databases,
    desktop,
    dev_tools,
    disks,
    docker,
    editors,
    find,
    gh,
    git,
    hardware,
    interfaces,
    interpreters,
    kubectl,
    languages,
    launchers,
    linters,
    machines,
    macos,
    media,
    migrations,
    network,
    packages_distro,
    packages_node,
    packages_python,
    packages_system,
    processes,
    publishers,
    servers,
    services_cloud,
    services_cluster,
    services_data,
    shells_and_wrappers,
    starters,
    systemd,
    terraform,
    text,
    tracing,
    users,
    vehicles,
    viewers,
    volumes,
    windows,
)
from interlock.facts.programs.interpret import Form, compiled, interpret
from interlock.facts.programs.names import candidates
from interlock.facts.programs.table import Program, Table
from interlock.facts.programs.traits import TRAITS
from interlock.facts.programs.use import Nested, Use

__all__ = ["TRAITS", "Nested", "Use", "known_programs", "use_of_program", "usual_name"]

# Where two families have a program, the first one's table counts.
FAMILIES: dict[str, Table] = {
    module.__name__.rpartition(".")[2]: module.TABLE
    for module in (
        coreutils,
        text,
        find,
        shells_and_wrappers,
        git,
        gh,
        interpreters,
        services_cloud,
        services_cluster,
        services_data,
        migrations,
        publishers,
        packages_python,
        packages_node,
        packages_system,
        packages_distro,
        docker,
        kubectl,
        terraform,
        cloud_aws,
        cloud_gcp_azure,
        databases,
        network,
        interfaces,
        archives,
        crypto,
        processes,
        systemd,
        disks,
        volumes,
        users,
        editors,
        build,
        macos,
        media,
        windows,
        machines,
        tracing,
        hardware,
        servers,
        cmdlets,
        vehicles,
        linters,
        launchers,
        dev_tools,
        desktop,
        languages,
        starters,
        viewers,
    )
}
_PROGRAMS: dict[str, Program] = {}
for _table in FAMILIES.values():
    for _names, _program in _table.items():
        for _name in _names.split():
            _PROGRAMS.setdefault(_name, _program)
_FORMS: dict[str, Form] = {}


def known_programs() -> frozenset[str]:
    """Every program that has a table."""
    return frozenset(_PROGRAMS)


def usual_name(name: str) -> str:
    """A program's name as its table has it, where a file system without upper case would find it: `GIT`, `git.exe`."""
    if name in _PROGRAMS:
        return name
    low = name.lower()
    low = low if low in _PROGRAMS else low.removesuffix(".exe")
    return low if low in _PROGRAMS else name


def use_of_program(name: str, args: tuple[str, ...]) -> Use:
    """What a command does: its program by name or path, and its arguments. Says so where it does not know.

    Flags of a pattern can be put into the same words: `use_of_program("git", ("push", "-f")).flags`.
    """
    form = _FORMS.get(name)
    if form is not None:
        return interpret(form, name, args)
    for candidate in candidates(name) if "\0" not in name else ():
        form = _FORMS.get(candidate)
        if form is None and candidate in _PROGRAMS:
            form = _FORMS[candidate] = compiled(_PROGRAMS[candidate], top=True)
        if form is not None:
            return interpret(form, candidate, args)
    if len(args) == 1 and args[0] in _PAGES and "/" not in name and "\0" not in name:
        return Use(flags=args, traits=_LOOKS, known=False)
    return _of_nobody(name, args)


# Installed programs answer these alone with a page of text; a script that lies about may not look at its words.
_PAGES = frozenset({"--help", "--version"})
_LOOKS = frozenset({"read-only"})


_TOLD = frozenset({"told-to-delete"})
_TAKES_AWAY = frozenset({"delete", "destroy", "purge", "wipe", "nuke", "drop", "terminate", "unpublish", "erase"})


def _told_to_delete(operands: list[str]) -> bool:
    """`tool delete x`, `tool app destroy`, `tool sites:delete`, `tool delete-all`: said among the first words."""
    for word in operands[:3]:
        head, _, tail = word.replace(":", "-").partition("-")
        if head in _TAKES_AWAY or (":" in word and tail.rpartition("-")[2] in _TAKES_AWAY):
            return True
    return False


def _of_nobody(name: str, args: tuple[str, ...]) -> Use:
    """What can be said of a program without a table: its words, and that nothing is known."""
    flags: list[str] = []
    operands: list[str] = []
    mentions: list[str] = []
    for at, word in enumerate(args):
        if word == "--":
            operands += args[at + 1 :]
            mentions += args[at + 1 :]
            break
        if len(word) > 1 and word[0] == "-":
            flag, mark, value = word.partition("=")
            flags.append(flag)
            if mark:
                mentions.append(value)
        else:
            operands.append(word)
            mentions.append(word)
    told = "/" not in name and _told_to_delete(operands) and not {"--dry-run", "--help", "-h"} & set(flags)
    return Use(
        mentions=tuple(mentions),
        flags=tuple(flags),
        operands=tuple(operands),
        traits=_TOLD if told else frozenset(),
        known=False,
    )
