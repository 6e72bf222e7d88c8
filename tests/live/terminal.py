"""A host at a terminal, in front of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interlock.driving.model import Model, Turn
from tests.live.drive import Host, environment
from tests.live.world import World
from tests.screen import Screen
from tests.waiting import until


class Terminal:
    """One session of a host, from its first prompt on. Use it as a context, at whose end the host ends, too."""

    def __init__(self, host: Host, world: World, *turns: Turn, careful: bool = False) -> None:
        self._host = host
        self._careful = careful
        self._world = world
        self._model = Model(turns)

    def __enter__(self) -> Terminal:
        self._model.__enter__()
        self._host.prepare(self._world, self._model.url)
        command = self._host.at_terminal(self._world, careful=self._careful)
        env = environment(self._host, self._world, self._model.url)
        self._screen = Screen(command, cwd=self._world.project, env=env)
        self.shows, self.press = self._screen.shows, self._screen.press
        return self

    def __exit__(self, *_: Any) -> None:
        self._world.end_processes()
        self._screen.close()
        self._model.__exit__()

    def first(self, **conditions: Callable[[], object]) -> str:
        """Wait until one of these comes about, and say which."""
        try:
            found: str = until(lambda: next((name for name, holds in conditions.items() if holds()), None), within=60)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self._screen.text[-2000:]}") from error
        return found
