"""`interlock programs`: what Interlock knows of programs, and a first description of one that it does not know."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interlock.cli.common import reporting, say
from interlock.errors import InterlockError
from interlock.imports.help.draft import bare_name, draft_program

__all__ = ["programs"]

_MOST = 4 * 1024 * 1024


@click.group(name="programs")
def programs() -> None:
    """Show what Interlock knows of programs, or draft a description of your own.

    \b
    Examples:
      interlock programs draft ourctl < help.txt
    """


@programs.command()
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--help-text",
    "named",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file with the help text instead of stdin. More FILES may follow: the pages of subcommands.",
)
def draft(name: str, files: tuple[Path, ...], named: tuple[Path, ...]) -> None:
    """Draft a description of the program NAME from the text that its --help prints.

    \b
    Examples:
      ourctl --help 2>&1 | interlock programs draft ourctl
      interlock programs draft ourctl --help-text ourctl.txt ourctl-env.txt ourctl-env-rm.txt
      interlock programs draft ourctl < help.txt > ourctl.yaml

    The program is never run. The draft goes to stdout as a policy that loads: correct it, above all the lines with
    `# ?`, and copy it into the `programs` of your policy. Subcommands that it is not sure of count as changes.
    """
    with reporting():
        say(draft_program(bare_name(name), _texts(name, [*named, *files])).rstrip("\n"))


def _texts(name: str, files: list[Path]) -> list[str]:
    if files:
        return [_read(file) for file in files]
    example = f"{name} --help 2>&1 | interlock programs draft {name}"
    if sys.stdin.isatty():
        raise InterlockError("there is no help text to read", help=f"pass it on: {example}")
    text = sys.stdin.buffer.read(_MOST).decode("utf-8", errors="replace")
    if not text.strip():
        raise InterlockError("the help text on stdin is empty", help=f"some programs print it on stderr: {example}")
    return [text]


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST).decode("utf-8", errors="replace")
    except OSError as error:
        raise InterlockError(f"cannot read `{file}`: {(error.strerror or str(error)).lower()}") from error
