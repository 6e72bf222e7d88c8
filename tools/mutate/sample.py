"""A sample of mutants that a seed repeats: as many from every room, and not most of them from its longest table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from tools.mutate.operators import Mutant, is_another_program, mutants_of
from tools.mutate.rooms import Room, files_of

__all__ = ["Chosen", "choose"]


class Chosen(NamedTuple):
    """A mutant and the room that it is in."""

    room: str
    mutant: Mutant


def choose(checkout: Path, rooms: Mapping[str, Room], count: int, seed: int) -> list[Chosen]:
    """At most `count` mutants, taken from the rooms in turn."""
    streams = {name: _shuffled(checkout, name, room, seed) for name, room in rooms.items()}
    chosen: list[Chosen] = []
    while streams and len(chosen) < count:
        for name in list(streams):
            if len(chosen) == count:
                break
            found = next(streams[name], None)
            if found is None:
                del streams[name]
            else:
                chosen.append(Chosen(name, found))
    return chosen


def _shuffled(checkout: Path, name: str, room: Room, seed: int) -> Iterator[Mutant]:
    """A room's mutants in an order that the seed decides, each statement once before any of them twice."""
    sources: dict[str, bytes] = {}
    statements: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for file in files_of(room, checkout):
        path = file.relative_to(checkout).as_posix()
        sources[path] = file.read_bytes()
        for mutant in mutants_of(path, sources[path]):
            statements[path, mutant.statement].append(mutant)
    # A seed of its own for each room: what is sampled here does not depend on what else is asked for.
    random = Random(f"{seed} {name}")
    queues = list(statements.values())
    for queue in queues:
        random.shuffle(queue)
    while queues:
        random.shuffle(queues)
        for queue in queues:
            while queue:
                mutant = queue.pop()
                if is_another_program(mutant, sources[mutant.file]):
                    yield mutant
                    break
        queues = [queue for queue in queues if queue]
