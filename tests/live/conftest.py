"""Worlds for the real hosts, each closed with everything that was started in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.live.world import World


@pytest.fixture
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], World]]:
    """Makes worlds. Their names are short: sockets live in the home, and the path of a socket has at most 107 bytes."""
    made: list[World] = []

    def world() -> World:
        made.append(World(tmp_path_factory.mktemp("w")))
        return made[-1]

    yield world
    for one in made:
        one.close()


@pytest.fixture
def world(worlds: Callable[[], World]) -> World:
    return worlds()
