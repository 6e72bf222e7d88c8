"""`interlock demo --page`: the page, with an agent that does not exist playing into it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import click

import interlock.demonstration
from interlock.cli.common import visible
from interlock.cli.layout import cut, flat, paint, text_width
from interlock.config.places import state_folder
from interlock.config.trust import Trust
from interlock.demonstration.player import DemoMoment, Player
from interlock.demonstration.story import StorySession, read_story
from interlock.errors import InterlockError
from interlock.facts.shapes import line_of_call
from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.digest.following import DigestFollower
from interlock.page.door.door import Door
from interlock.page.serving import listen, serving
from interlock.process import run_program
from interlock.store.place import open_store

__all__ = ["play_page"]

_DAYS = 30  # of sessions that lie behind the one that plays
_REST = 15.0  # seconds between two sessions
_LOOK = 0.5  # seconds; a signal that arrives just before a wait does not end the wait
_COLOURS = {"deny": "red", "ask": "yellow", "allow": "green", "none": "bright_black"}
_WORDS = {"ask": "waits for you", "deny": "denied", "allow": "runs", "none": "runs"}
_HELLO = """\
Interlock's page, with an agent that does not exist. Open this link in your browser; it works once:

  {link}

Two sessions play there, judged by the shipped pack `guarded`, and wait for your answers in the Inbox. Nothing of it is
ever run, and it is kept in a folder of its own that ^C removes. The short demonstration in a terminal:
make run DEMO=once
"""


def play_page() -> None:
    """Serve the page and play into it until ^C."""
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: over.set())
    with _home() as project, closing(open_store()) as store, listen() as listener:
        door = Door(listener.getsockname()[1])
        context = PageContext(store=store, folder=state_folder() / "page", project=project)
        player = Player(project, store, _show)
        story = read_story()
        for then, told in story.history(datetime.now().astimezone(), _DAYS):
            player.remember(told, then)
        follower = DigestFollower(context.digest).start()
        with serving(build_app(context, door), listener):
            click.echo(_HELLO.format(link=door.link()))
            threads = [threading.Thread(target=_play, args=(player, one, over), daemon=True) for one in story.live]
            for thread in threads:
                thread.start()
            if sys.stdin.isatty():
                click.echo("Enter prints another link.\n")
                threading.Thread(target=_more_links, args=(door,), daemon=True).start()
            while not over.wait(_LOOK):
                pass
            player.close()
        for thread in threads:
            thread.join()
        follower.stop()
        context.digest.close()
        context.requests.close()
    click.echo("\nThe demonstration is over.")


def _play(player: Player, told: StorySession, over: threading.Event) -> None:
    while not over.is_set():
        player.play(told)
        over.wait(_REST)


def _more_links(door: Door) -> None:
    for _ in sys.stdin:
        click.echo(f"  {door.link()}\n")


@contextmanager
def _home() -> Iterator[Path]:
    """A home of its own with the project of the story: the person's record and policies are left alone."""
    before = os.environ.get("HOME")
    with tempfile.TemporaryDirectory(prefix="interlock-demo-", ignore_cleanup_errors=True) as folder:
        os.environ["HOME"] = folder
        try:
            project = Path(folder) / "shop"
            (project / ".git").mkdir(parents=True)
            policy = project / "interlock.yaml"
            shutil.copy(Path(interlock.demonstration.__file__).with_name(policy.name), policy)
            Trust().add(policy)  # in the home of the demonstration
            _guard(project)
            yield project
        finally:
            if before is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = before


def _guard(project: Path) -> None:
    """Set the project up as a person would, so that the page finds it guarded."""
    command = [sys.executable, "-m", "interlock", "init", "--yes"]
    ran = run_program(command, stdin=b"", cwd=str(project), env=dict(os.environ), timeout=60.0)
    if ran.code != 0:
        raise InterlockError(f"the demonstration could not be set up: {ran.stderr.strip()}")


def _show(moment: DemoMoment) -> None:
    """One line for what just happened."""
    call = flat(visible(line_of_call(moment.call.tool, moment.call.input)))
    head = f"{moment.at.astimezone():%H:%M:%S}  {_WORDS[moment.verdict]:<13}  "
    click.echo(paint(head, _COLOURS[moment.verdict]) + cut(call, text_width() - len(head)))
