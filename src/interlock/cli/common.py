"""What all commands share: options, which policies apply, and how errors are reported."""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import json

from interlock.config.bundles import core_policy, find_pack, load_file
from interlock.config.layers import PolicyLayer, layers_of
from interlock.config.places import project_root, state_folder
from interlock.errors import InterlockError
from interlock.files.private import private_folder
from interlock.hosts.claude_code.runtime import built_in_policies
from interlock.policy.count import count_rules
from interlock.policy.durations import seconds_of
from interlock.policy.load import Policy, load_policy

__all__ = [
    "as_json",
    "in_colour",
    "json_option",
    "named_policies",
    "policies",
    "policy_option",
    "quiet_option",
    "reporting",
    "rules_in",
    "say",
    "show_error",
    "time_of",
    "verbose_option",
    "visible",
]

F = TypeVar("F", bound=Callable[..., Any])
OUR_BUG = 3  # not 1, which is about the person's files, nor 2, with which click reports wrong usage
INTERRUPTED = 130  # what shells report for a program that ^C has ended


def policy_option(command: F) -> F:
    """`--policy FILE`: judge by that file instead of the layers that apply here."""
    return click.option(
        "--policy",
        "policy_file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Use this policy file instead of those that apply in this project.",
    )(command)


def json_option(command: F) -> F:
    """`--json`: for programs to read."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(command)


def quiet_option(help: str) -> Callable[[F], F]:
    """`-q`: less; `help` says what is left out."""
    return click.option("-q", "--quiet", is_flag=True, help=help)


def verbose_option(help: str) -> Callable[[F], F]:
    """`-v`: more; `help` says what is added."""
    return click.option("-v", "--verbose", is_flag=True, help=help)


def policies(policy_file: Path | None) -> list[PolicyLayer]:
    """The policies that apply here, or the one that was named."""
    return list(layers_of(project_root(Path.cwd()), policy_file))


def named_policies(pack: str | None, policy_file: Path | None) -> list[Policy] | None:
    """The shipped pack or the file that was named, with the built-in rules. None if neither was named."""
    if pack is not None and policy_file is not None:
        raise InterlockError("--pack and --policy cannot be used together", help="give one of them")
    if pack is not None:
        file, text = find_pack(pack, "")
        return [load_policy(text, file, find_pack), core_policy()]
    if policy_file is not None:
        return [load_file(policy_file), core_policy()]
    return None


def rules_in(one: PolicyLayer, layers: Sequence[PolicyLayer]) -> int:
    """How many rules a layer has. Those that protect Interlock's own files belong to the built-in ones, `core`.

    So the layers together have as many rules as a session, and every other command, says that are active.
    """
    built_in = built_in_policies([each.policy for each in layers], ()) if one.layer == "core" else ()
    return count_rules([one.policy, *built_in]).total


def time_of(since: str | None) -> float | None:
    """The moment that `--since` means: so long ago, or a point in time."""
    if since is None:
        return None
    seconds = seconds_of(since)
    if seconds is not None:
        return time.time() - seconds
    try:
        return datetime.fromisoformat(since).timestamp()
    except ValueError as error:
        help = "write 2h, 30d or 2026-11-16T10:00"
        raise InterlockError(f"`{since}` is neither a time nor a duration", help=help) from error


def say(text: str = "") -> None:
    click.echo(text)


def show_error(error: InterlockError) -> None:
    """Print an error for a person, on stderr; in colour if that is a terminal."""
    click.echo("\n".join(in_colour(line) for line in error.render().split("\n")), err=True)


# How the lines of an error begin → the colour of that beginning.
_ERROR_COLOURS = {
    "error:": "red",
    "case:": "red",
    "scenario:": "red",
    "warning:": "yellow",
    " --> ": "blue",
    "help:": "cyan",
}


def in_colour(line: str) -> str:
    """A line of an error, with its beginning in colour; click leaves colours out where no terminal is."""
    for start, colour in _ERROR_COLOURS.items():
        if line.startswith(start):
            return click.style(start, fg=colour, bold=True) + line[len(start) :]
    return click.style(line, fg="red") if line.endswith("^") and " | " in line else line


def visible(text: str) -> str:
    """The text with control characters written as escapes: it may come from a model or a stranger's file."""
    # Obeyed by the terminal, they could hide or rewrite what a person is asked to agree to.
    return "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode() for char in text
    )


def as_json(value: Any) -> str:
    return json.format(json.encode(value), indent=2).decode()


class reporting:  # noqa: N801 - used as `with reporting():`
    """Turn errors into messages and exit codes: 1 for the person's files, 3 for a bug in Interlock, 130 for ^C."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        # What click raises, click reports.
        if error is None or isinstance(error, click.exceptions.Exit | click.ClickException | SystemExit | click.Abort):
            return
        if isinstance(error, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        if isinstance(error, InterlockError):
            show_error(error)
            sys.exit(1)
        if isinstance(error, BrokenPipeError):
            _drop_output()
            sys.exit(0)  # `interlock log | head` has read all it wants
        click.echo(f"error: a bug in Interlock; the details are in {_write_log(error)}", err=True)
        sys.exit(OUR_BUG)


def _drop_output() -> None:
    """Send what is still buffered nowhere: Python would try to print it again when it ends, and complain."""
    with suppress(OSError, ValueError):  # a stream without a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_log(error: BaseException) -> Path:
    text = "".join(traceback.format_exception(error))
    name = f"interlock-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.log"
    # The bug may be that the state folder cannot be written, so there is a second place.
    for folder in (state_folder() / "errors", Path(tempfile.gettempdir())):
        try:
            private_folder(folder)
            (folder / name).write_text(text, encoding="utf-8")
        except OSError:
            continue
        return folder / name
    return Path("(nowhere: no log could be written)")
