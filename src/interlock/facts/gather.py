"""Gather what a call means: the commands, paths, URLs and texts in its input or its result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from interlock.event import Event, PostToolUse, ToolEvent, UserPromptExpansion
from interlock.facts.fields import ToolUse, use_of
from interlock.facts.paths import Places, resolve
from interlock.facts.secrets import Secret, find_secrets
from interlock.facts.shell import Command, read_shell
from interlock.facts.urls import Url, read_url

__all__ = ["Facts", "PathUse", "gather"]

JsonObject: TypeAlias = dict[str, Any]
NO_FACTS: Facts


class PathUse(Struct, frozen=True):
    """One path that a call touches, resolved, and how."""

    path: str
    read: bool = False
    write: bool = False
    create: bool = False
    delete: bool = False


class Facts(Struct, frozen=True):
    """What a call means."""

    commands: tuple[Command, ...] = ()
    paths: tuple[PathUse, ...] = ()
    urls: tuple[Url, ...] = ()
    texts: tuple[str, ...] = ()
    opaque: bool = False
    searched: str = ""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """Credential-shaped strings in commands, contents and results."""
        return find_secrets(self.searched) if self.searched else ()


NO_FACTS = Facts()


def gather(
    event: Event,
    given: JsonObject,
    places: Places,
    exists: Callable[[str], bool],
    declared: dict[str, ToolUse] | None = None,
) -> Facts:
    """The facts of an event whose call would run with `given`. `exists` says whether a path is there already."""
    if isinstance(event, ToolEvent):
        return _of_call(event, given, places, exists, use_of(event.tool_name, declared))
    if isinstance(event, UserPromptExpansion):
        return Facts(texts=(event.prompt,), searched=event.prompt)
    return NO_FACTS


def _of_call(event: ToolEvent, given: JsonObject, places: Places, exists: Callable[[str], bool], use: ToolUse) -> Facts:
    commands: list[Command] = []
    opaque = False
    lines = list(_texts_at(given, use.command))
    if use.command and not lines and any(field.split(".")[0] in given for field in use.command):
        opaque = True  # a command that is no text is not no command
    for line in lines:
        shell = read_shell(line)
        commands += shell.commands
        opaque = opaque or shell.opaque
    paths = [PathUse(resolve(path, places), read=True) for path in _texts_at(given, use.read)]
    paths += [_written(resolve(path, places), exists) for path in _texts_at(given, use.write)]
    addresses = [read_url(text) for text in _texts_at(given, use.url)]
    opaque = opaque or None in addresses or event.tool_name == "PowerShell"  # not read is not harmless
    urls = [url for url in addresses if url is not None]
    urls += [url for command in commands for url in _urls_in(command)]
    texts = tuple(_texts_at(given, use.content))
    if isinstance(event, PostToolUse):
        texts = tuple(_strings(event.tool_response))
    searched = "\n".join((*lines, *texts))
    return Facts(tuple(commands), tuple(paths), tuple(urls), texts, opaque, searched)


def _written(path: str, exists: Callable[[str], bool]) -> PathUse:
    return PathUse(path, write=True, create=not exists(path))


def _urls_in(command: Command) -> Iterator[Url]:
    """Addresses among a command's words: with a scheme, or as the word of a program that only takes addresses."""
    fetches = command.name in ("curl", "wget", "http", "https", "xh")
    for word in command.args:
        address = word.partition("=")[2] if word.startswith("-") and "://" in word else word
        if "://" in address or (fetches and not address.startswith("-") and re.search(r"[.:]|localhost", address)):
            url = read_url(address)
            if url is not None:
                yield url


def _texts_at(given: Any, fields: tuple[str, ...]) -> Iterator[str]:
    for field in fields:
        yield from _at(given, field)


def _at(value: Any, field: str) -> Iterator[str]:
    """The strings at a dotted field, through lists."""
    if isinstance(value, list):
        for item in value:
            yield from _at(item, field)
        return
    if not field:
        if isinstance(value, str):
            yield value
        return
    step, _, rest = field.partition(".")
    if isinstance(value, dict) and step in value:
        yield from _at(value[step], rest)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
