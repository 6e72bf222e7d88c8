"""`interlock hook`: what a host spawns for one event.

The exit code belongs to the host's protocol here: only its dialect chooses it, and anything unforeseen is the
exit code that blocks.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from interlock.hooks.process import DEADLINE, HookProcess
from interlock.service import Reply, handle
from interlock.wire import DIALECTS
from interlock.wire.jsontext import MAX_BYTES

__all__ = ["hook"]

BLOCK_EXIT = 2


@click.command()
@click.argument("host", type=click.Choice(list(DIALECTS)))
@click.option(
    "--hooks",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A Python file with @hook functions. May be given several times; they run in that order.",
)
@click.option(
    "--timeout",
    default=DEADLINE,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds the hooks have to answer; keep it below the host's own limit.",
)
@click.option("--alone", is_flag=True, help="No other hook stands beside this one that could undo a change.")
def hook(host: str, files: tuple[Path, ...], timeout: float, alone: bool) -> None:
    """Judge one event of HOST: its bytes on stdin, the answer on stdout.

    \b
    Examples:
      interlock hook claude-code --hooks guards.py < event.json
      interlock hook flat --hooks guards.py --timeout 2 < event.json

    In Claude Code's settings:

    \b
      {"type": "command", "command": "/path/to/interlock",
       "args": ["hook", "claude-code", "--hooks", "/path/to/guards.py"], "onFailure": "block"}
    """
    try:
        code = _answer(host, files, timeout, alone)
    except BaseException as error:  # noqa: BLE001 - ^C and exits too: any other code would let the call through
        sys.stderr.write(f"Interlock itself failed: {type(error).__name__}: {error}\n")
        code = BLOCK_EXIT
    sys.stderr.flush()
    os._exit(code)


def _answer(host: str, files: tuple[Path, ...], timeout: float, alone: bool) -> int:
    # One byte more than is read suffices to refuse the rest.
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    with HookProcess(files, timeout) as hooks:
        reply = handle(host, raw, hooks if files else None, alone=alone)
        printed = hooks.printed()
    # With another exit code the host may show stderr to the model, so hooks' own words stay out of it.
    _write(reply, printed if reply.exit_code == 0 else "")
    return reply.exit_code


def _write(reply: Reply, printed: str) -> None:
    sys.stderr.write(printed + reply.stderr + ("\n" if reply.stderr else ""))
    sys.stdout.buffer.write(reply.stdout)
    sys.stdout.buffer.flush()
