"""The daemon's process: started by the client with a socket that is already listening, or by `interlock serve`."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
from pathlib import Path

from interlock.daemon.entry_watch import EntryWatch
from interlock.daemon.log import say
from interlock.daemon.server import Server
from interlock.daemon.sessions import Sessions
from interlock.daemon.settings_watch import SettingsWatch
from interlock.daemon.upkeep import Upkeep
from interlock.daemon.web import serving
from interlock.errors import InterlockError
from interlock.hosts.base.launcher import write_launcher
from interlock.judging.projects import Projects
from interlock.store.no_record import UnrecordedStore
from interlock.store.place import open_store

__all__ = ["main", "serve"]

_MOST_LOG = 1 << 20
_TIDIES = 1.0  # seconds after the start, when the first clients have their answers


def main() -> None:
    """`interlock.daemon.main SOCKET LISTENER`: serve a listening socket inherited from the client."""
    path, number = Path(sys.argv[1]), int(sys.argv[2])
    _tidy_log()
    serve(socket.socket(fileno=number), path)


def serve(listener: socket.socket, path: Path, *, record: bool = True) -> None:
    """Serve until stopped, then end the process."""
    (path.parent / "pid").write_text(str(os.getpid()), encoding="ascii")
    with Projects(open_store if record else UnrecordedStore, whole=True) as projects:
        watch = EntryWatch(projects.record)
        sessions = Sessions(projects, SettingsWatch().beside, watch.beside)  # the first sees settings as the host did
        server = Server(listener, path, sessions)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: server.stop())
        # Imported modules stay; searching them for garbage would only delay the first answer.
        gc.freeze()
        gc.enable()
        tidying = threading.Timer(_TIDIES, sessions.tidy)
        tidying.daemon = True
        tidying.start()
        _restore_launcher()
        with serving(path.parent, sessions), watch.running(), Upkeep(projects.store).running():
            server.run()


def _restore_launcher() -> None:
    """Put back what Claude Code's entries start, should it be gone: a prompt starts the daemon without it."""
    try:
        write_launcher()
    except InterlockError as error:
        say(f"calls of Claude Code may be denied: {error.in_one_line()}")


def _tidy_log() -> None:
    if os.fstat(2).st_size > _MOST_LOG:
        os.ftruncate(2, 0)
