"""A proxy for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.binding.mcp.world import World


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., World]]:
    made: list[World] = []

    def build(*given: Any, **more: Any) -> World:
        made.append(World(tmp_path / "pins", *given, **more))
        return made[-1]

    yield build
    for world in made:
        world.guard.close()


@pytest.fixture
def world(make: Callable[..., World]) -> World:
    return make()
