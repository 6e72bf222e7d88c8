"""Ask a person before something is written; the options by which they have agreed already, or only want to look."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from interlock.errors import InterlockError

__all__ = ["agree", "at_terminal", "dry_run_option", "show_diff_option", "yes_option"]

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
show_diff_option = click.option("--show-diff", is_flag=True, help="Show every line that would change.")


def agree(
    yes: bool,
    question: str = "Write this?",
    details: Callable[[], None] | None = None,
    refusal: str = "nothing was written",
) -> None:
    """Ask a person whether to go on. Raises InterlockError, with the `refusal` as its text, unless they agree.

    The question is asked on stderr: with --json, stdout must contain nothing but JSON. `details` shows the whole
    change, for a person who wants to see it before they answer.
    """
    if yes:
        return
    if not at_terminal():
        raise InterlockError(f"{refusal}: there is no terminal to ask at", help="look at the change and add --yes")
    if not (click.confirm(question, err=True) if details is None else _agreed_after_a_look(question, details)):
        raise InterlockError(refusal)


def _agreed_after_a_look(question: str, details: Callable[[], None]) -> bool:
    while True:
        said = click.prompt(f"{question} [y/N, d shows every line]", default="n", show_default=False, err=True)
        said = said.strip().lower()
        if said not in ("d", "diff"):
            return said in ("y", "yes")
        details()


def at_terminal() -> bool:
    return sys.stdin.isatty()
