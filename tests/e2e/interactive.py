"""The real client at a terminal, in front of a person."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from typing import Any

from tests.e2e.model import MAIN, Model, Turn
from tests.e2e.session import _QUIET, Session
from tests.screen import Screen
from tests.waiting import until

_KEY = "not-a-key"


class Interactive:
    """One session of the client at a terminal, from its first prompt on. Use it as a context."""

    def __init__(self, session: Session, *turns: Turn) -> None:
        self._session = session
        self._model = Model({MAIN: turns})

    def __enter__(self) -> Interactive:
        known = json.loads((self._session.home / ".claude.json").read_text(encoding="utf-8"))
        known |= {"theme": "dark", "customApiKeyResponses": {"approved": [_KEY], "rejected": []}}
        (self._session.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")
        self._model.__enter__()
        network = {"ANTHROPIC_BASE_URL": self._model.url, "ANTHROPIC_API_KEY": _KEY, "NO_PROXY": "127.0.0.1"}
        env = {**dict.fromkeys(_QUIET, "1"), **self._session.env(), **network}
        command = [str(self._session.client), "--model", "claude-sonnet-4-5", "--strict-mcp-config", "Do it."]
        self._screen = Screen(command, cwd=self._session.project, env=env)
        self.press = self._screen.press
        return self

    def __exit__(self, *_: Any) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._screen.process.pid, signal.SIGKILL)
        self._screen.close()
        self._model.__exit__()

    def sees(self, text: str) -> None:
        """Wait until a text has been shown."""
        until(lambda: self._screen.shows(text), within=40)
