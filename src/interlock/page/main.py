"""The page's process: `interlock open` starts it, and it ends by itself once nobody has used it for half a day."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from msgspec import json

from interlock import __version__
from interlock.config.places import state_folder
from interlock.config.settings import inbox_settings, personal_policies
from interlock.daemon.page_client import PageState
from interlock.errors import InterlockError
from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.control import Control
from interlock.page.digest.following import DigestFollower
from interlock.page.door.door import Door
from interlock.page.door.keeper import Doorkeeper
from interlock.page.door.passphrase import proof
from interlock.page.options import PageOptions
from interlock.page.serving import listen, server_of
from interlock.store.place import open_store

__all__ = ["IDLE_SECONDS", "main"]

IDLE_SECONDS = 12 * 3600.0


def main() -> None:
    """`interlock.page.main READY PROJECT OPTIONS`: serve, and say on the descriptor READY how that went."""
    ready, project = int(sys.argv[1]), Path(sys.argv[2])
    options = json.decode(sys.argv[3], type=PageOptions)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(message)s")
    try:
        serve(project, options, lambda: _say(ready, "ready"))
    except InterlockError as error:
        _say(ready, error.render())
        sys.exit(1)


def serve(project: Path, options: PageOptions, tell: Callable[[], None]) -> None:
    """Serve the page until it is told to stop."""
    with listen() as listener, closing(open_store()) as store:
        webhook = inbox_settings(personal_policies()).webhook
        also = [] if webhook is None or webhook.page is None else [webhook.page]
        door = Door(listener.getsockname()[1], Doorkeeper(proof), options.public, also, options.open_paths)
        context = PageContext(store=store, folder=state_folder() / "page", project=project, editor=options.editor)
        server = server_of(build_app(context, door))

        def stop() -> None:
            server.should_exit = True

        state = PageState(
            version=__version__,
            pid=os.getpid(),
            address=door.address,
            public=door.public,
            editor=options.editor,
            metrics=options.metrics,
            started=time.time(),
        )
        follower = DigestFollower(context.digest).start()
        with Control(state, door.link, stop).listening(lambda: door.visits.idle() > IDLE_SECONDS):
            tell()
            server.run(sockets=[listener])
        follower.stop()
        context.digest.close()
        context.requests.close()


def _say(ready: int, text: str) -> None:
    """Tell whoever waits for this process, once."""
    try:
        os.write(ready, text.encode("utf-8", "replace"))
        os.close(ready)
    except OSError:
        return
