"""What a host starts for a call because of what is in its files: Interlock's entries as they are installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interlock.errors import InterlockError
from interlock.files.edit import read_bytes
from interlock.hosts.base.commands import is_hook_command
from interlock.hosts.base.denials import object_in, text_of
from interlock.hosts.base.entry_lists import Keys, Place, entries_in, read_lists, texts_in
from interlock.hosts.base.installing import HostSpot
from interlock.hosts.base.samples import named_anew
from interlock.hosts.base.setup import EntryFile, EntryStart, SetupFile

__all__ = ["installed_items", "sample_for", "starts_of"]


def sample_for(spot: HostSpot, tool: str, given: dict[str, str], name: str) -> bytes:
    """A call as the host would send it from the project's folder, under a name of its own."""
    host = spot.host
    raw = host.sample(tool, given, str(spot.root)) if host.sample is not None else None
    if raw is None:
        raise InterlockError(f"{host.title} has no tool that is called {tool} in policies")
    return named_anew(raw, name)


def starts_of(spot: HostSpot, event: bytes) -> list[EntryStart]:
    """What the host would start for this call, each once. Raises InterlockError for a file that cannot be read."""
    found: list[EntryStart] = []
    for file in spot.files():
        raw = read_bytes(file.path)
        if raw is None:
            continue
        if spot.setup.starts is not None:
            found += spot.setup.starts(file, raw, event, spot.root)
        else:
            marks = spot.setup.marks(spot.root)
            for command in _commands_in(spot, file, raw):
                found.append(_start_of(spot, file, command, event, marks))
    return found


def _start_of(spot: HostSpot, file: SetupFile, command: str, event: bytes, marks: Mapping[str, str]) -> EntryStart:
    """A command in the shell of the host, which may write the event behind it."""
    ends = spot.host.ends_event
    if ends:
        command, event = f"{command} <<'{ends}'\n{event.decode()}\n{ends}", b""
    return EntryStart(file=file.path, words=(*spot.setup.run_by(), command), stdin=event, environ=marks)


def _commands_in(spot: HostSpot, file: SetupFile, raw: bytes) -> list[str]:
    """The commands of the entries for calls, wherever in an entry this host has them."""
    if isinstance(file, EntryFile):
        items: Iterable[Any] = (item for _, item in installed_items(spot, file, raw))
    else:
        items = [object_in(text_of(raw))]
    names = (spot.host.name, *spot.setup.entries_with)
    texts = [text for item in items for text in texts_in(item)]
    return list(
        dict.fromkeys(text for text in texts if any(is_hook_command(name, text, "PreToolUse") for name in names))
    )


def installed_items(spot: HostSpot, file: EntryFile, raw: bytes) -> Iterator[tuple[Keys, Any]]:
    """Interlock's entries in a file of the host: the keys that lead to the list, and what of an item is Interlock's."""
    root = read_lists(raw.decode("utf-8", "replace"), file)
    inside: dict[tuple[Keys, int], list[Place]] = {}
    for place, _ in entries_in(root, (keys for keys, _ in file.entries), spot.is_ours):
        at = next(number for number, step in enumerate(place) if isinstance(step, int))
        keys = tuple(str(step) for step in place[:at])
        inside.setdefault((keys, int(place[at])), []).append(place[at + 1 :])
    for (keys, number), places in inside.items():
        listed = root.plain()
        for key in keys:
            listed = listed[key]
        yield keys, _only(listed[number], places)


def _only(value: Any, places: list[Place]) -> Any:
    """A value without the items of its lists that are at none of these places."""
    if () in places:
        return value
    at = {step: [place[1:] for place in places if place[0] == step] for step in (place[0] for place in places)}
    if isinstance(value, list):
        return [_only(value[step], rest) for step, rest in at.items() if isinstance(step, int)]
    return {key: _only(one, at[key]) if key in at else one for key, one in value.items()}
