"""Run an installed agent with the entries that a person has, and look what becomes of one command."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from interlock.driving.model import Model
from interlock.driving.scratch import Scratch, put
from interlock.files.edit import read_bytes
from interlock.hosts.base.driving import HostDrive, HostInquiry, JsonObject
from interlock.hosts.base.entry_lists import Keys, read_lists
from interlock.hosts.base.installing import HostSpot
from interlock.hosts.base.setup import EntryFile, OwnFile
from interlock.hosts.base.starting import installed_items
from interlock.process import Ran

__all__ = ["Driven", "copy_entries", "drive", "point_at"]

_STUB = "#!/bin/sh\n: >>{mark}\necho this ran\n"
_TAIL = 300  # characters of what an agent printed last


class Driven(Struct, frozen=True, kw_only=True):
    """What became of the command: whether it ran or would have, and what the model was told, if it was called."""

    ran: bool
    told: str | None
    said: str = ""  # by the agent, at its end
    late: bool = False


def drive(spot: HostSpot, program: str, words: str, *, path: str, limit: float) -> Driven:
    """Have an agent run `interlock` with these words. In its place is a program that does nothing but leave a mark.

    Raises InterlockError if the agent cannot be started, or the entries cannot be read.
    """
    how = spot.host.drive
    scratch = Scratch(Path(tempfile.mkdtemp(prefix="interlock-")).resolve(), path)
    try:
        mark = scratch.folder / "ran"
        stub = put(scratch.folder / "bin" / "interlock", _STUB.format(mark=mark))
        stub.chmod(0o755)
        command = f"{stub} {words}"
        copy_entries(spot, scratch)
        if isinstance(how, HostInquiry):
            ran = scratch.run([program, *how.words(command)], scratch.env(), limit=limit)
            refuses, why = how.read(ran.stdout) or (None, "")
            told = None if refuses is None else why
            return Driven(ran=refuses is False, told=told, said=_tail(ran), late=ran.late)
        assert how is not None  # noqa: S101 - the caller looks at it first
        with Model([how.call(command), "Done."]) as model:
            point_at(how, model.url, scratch)
            # Whatever would leave the machine is refused by the model's server.
            env = {**scratch.env(), "HTTPS_PROXY": model.url, **how.environ(model.url, scratch.home)}
            ran = scratch.run([program, *how.words(scratch.project, how.flags)], env, limit=limit)
            results = model.with_turns[-1].results if model.with_turns else []
        told = results[-1] if results else None
        return Driven(ran=mark.exists(), told=told, said=_tail(ran), late=ran.late)
    finally:
        scratch.close()


def point_at(how: HostDrive, url: str, scratch: Scratch) -> None:
    """Write what makes an agent talk to the model, beside what is in its files."""
    for file, content in how.files(url, scratch.project, scratch.home).items():
        put(file, content if isinstance(content, str) else _merge(file, content))


def _merge(file: Path, values: Mapping[str, object]) -> str:
    there: JsonObject = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return json.dumps({**there, **values}, indent=2)


def copy_entries(spot: HostSpot, scratch: Scratch) -> None:
    """Interlock's entries as they are in the person's files; nothing else, unless it may decide before them."""
    there = HostSpot(host=spot.host, scope=spot.scope, root=scratch.project, home=scratch.home)
    for file, copy in zip(spot.files(), there.files(), strict=True):
        raw = read_bytes(file.path)
        if raw is None:
            continue
        if isinstance(file, OwnFile):
            copy.path.parent.mkdir(parents=True, exist_ok=True)
            copy.path.write_bytes(raw)
            copy.path.chmod(file.mode)
        else:
            put(copy.path, _entries_text(spot, file, raw))


def _entries_text(spot: HostSpot, file: EntryFile, raw: bytes) -> str:
    text: JsonObject = dict(file.start)
    for keys, item in _items_that_count(spot, file, raw):
        holder = text
        for key in keys[:-1]:
            holder = holder.setdefault(key, {})
        holder.setdefault(keys[-1], []).append(item)
    return json.dumps(text, indent=2)


def _items_that_count(spot: HostSpot, file: EntryFile, raw: bytes) -> Iterator[tuple[Keys, Any]]:
    """Interlock's entries; where an agent takes the first that fits, also those beside them."""
    if not file.first:
        yield from installed_items(spot, file, raw)
        return
    there = read_lists(raw.decode("utf-8", "replace"), file).plain()
    for keys in dict.fromkeys(keys for keys, _ in file.entries):
        listed: Any = there
        for key in keys:
            listed = listed.get(key) if isinstance(listed, dict) else None
        yield from ((keys, item) for item in listed or ())


def _tail(ran: Ran) -> str:
    """The last that an agent said: what went wrong, if it ended before it called anything."""
    said = (ran.stderr.strip() or ran.stdout.decode("utf-8", "replace").strip())[-_TAIL:]
    return " ".join(said.split())
