"""A daemon that ends answers everybody whose request it has read, first of all whoever told it to end."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from interlock.daemon import control
from interlock.daemon.frames import read_answer
from interlock.daemon.server import Server
from interlock.spawn.exchange import request
from tests.daemon.test_web import RAW, Judges


@pytest.mark.parametrize("asked", [control.STOP, "PreToolUse"])
def test_a_daemon_does_not_end_before_an_answer_is_sent(asked: str, tmp_path: Path):
    is_left: list[bool] = []

    class Ending(Server):
        def _answer(self, *arguments: object) -> None:
            self.stop()
            running.join(0.2)  # as long as this thread is held up here, the process has to wait for it
            is_left.append(not running.is_alive())
            super()._answer(*arguments)  # type: ignore[arg-type]  # whatever they are

    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as link:
        listener.bind(str(path))
        listener.listen(8)
        ending = Ending(listener, path, Judges([]))
        running = threading.Thread(target=ending.run)
        running.start()
        link.settimeout(30)
        link.connect(str(path))
        link.sendall(request(asked, "/", RAW))
        assert read_answer(link) == b"{}"
        running.join(30)
    assert (is_left, running.is_alive()) == ([False], False)
