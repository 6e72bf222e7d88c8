"""`interlock open`: show what waits and what happened in a browser."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

import click

from interlock.cli.agreement import at_terminal
from interlock.cli.common import as_json as to_json
from interlock.cli.common import json_option, reporting, say
from interlock.config.places import project_root
from interlock.daemon.page_client import new_link, stop_page
from interlock.errors import InterlockError
from interlock.page.door import passphrase
from interlock.page.door.door import origin_of
from interlock.page.editors import EDITORS
from interlock.page.launching import start_page
from interlock.page.options import PageOptions

__all__ = ["open"]


@click.command()
@click.option(
    "--browser", is_flag=True, help="Open the page in your browser as well, for one that is signed in already."
)
@click.option("--address", metavar="URL", help="The address by which a proxy of yours forwards to the page.")
@click.option(
    "--editor", type=click.Choice(list(EDITORS)), help="The editor in which the page opens a rule's file and line."
)
@click.option(
    "--metrics", is_flag=True, help="Let every program of this machine read the numbers at /metrics without signing in."
)
@click.option("--set-passphrase", "action", flag_value="set", help="Choose a passphrase for signing in.")
@click.option("--clear-passphrase", "action", flag_value="clear", help="Sign in without a passphrase again.")
@click.option("--stop", "action", flag_value="stop", help="End the page; open browsers are signed out.")
@json_option
def open(
    browser: bool, address: str | None, editor: str | None, metrics: bool, action: str | None, as_json: bool
) -> None:
    """Start the page, and print a link that signs your browser in.

    \b
    Examples:
      interlock open
      interlock open --browser
      interlock open --editor vscode
      interlock open --set-passphrase
      interlock open --stop

    The link works once, for ten minutes, and is shown on a terminal only: whoever has it can answer for you. A browser
    stays signed in for twelve hours, and the page stops after twelve hours without a visitor.
    """
    with reporting():
        if not at_terminal():
            # An agent has no terminal of its own, so it cannot let itself in.
            raise InterlockError("only a person at a terminal can open the page")
        if action == "stop":
            found = stop_page()
            say(
                to_json({"stopped": found}) if as_json else "The page has stopped." if found else "No page was running."
            )
        elif action is not None:
            _choose(action)
            done = "set" if action == "set" else "cleared"
            say(to_json({"passphrase": done}) if as_json else f"The passphrase is {done}.")
        else:
            public = None if address is None else origin_of(address)
            _show(browser, PageOptions(public=public, editor=editor or "", metrics=metrics), as_json)


def _show(browser: bool, options: PageOptions, as_json: bool) -> None:
    page = start_page(project_root(Path.cwd()), options)
    address = page.public or page.address
    link = new_link()
    if as_json:
        data = {"address": address, "pid": page.pid, "version": page.version}
        # Where the output goes to a file or a program, the link would be for anybody who reads that.
        say(to_json(data | ({"link": link} if sys.stdout.isatty() else {})))
    else:
        _say_on_terminal(f"Open this link in your browser. It works once, for ten minutes:\n\n  {link}\n")
        say(f"Signed in already: {address}\nEnd the page: interlock open --stop")
    if browser:
        # Without the link: a browser is given its address as an argument, which every process of this user can read.
        webbrowser.open(address)


def _say_on_terminal(text: str) -> None:
    if sys.stdout.isatty():
        say(text)
        return
    try:
        with Path("/dev/tty").open("w", encoding="utf-8") as terminal:
            terminal.write(f"{text}\n")
    except OSError as error:
        raise InterlockError("there is no terminal to show the link on", help="do not redirect the output") from error


def _choose(action: str) -> None:
    if passphrase.has_passphrase():
        current = click.prompt("Current passphrase", hide_input=True, err=True)
        if not passphrase.proves_passphrase(current):
            raise InterlockError("this is not the passphrase", help="if it is lost, remove the file of the passphrase")
    if action == "clear":
        passphrase.clear_passphrase()
    else:
        passphrase.keep_passphrase(click.prompt("New passphrase", hide_input=True, confirmation_prompt=True, err=True))
