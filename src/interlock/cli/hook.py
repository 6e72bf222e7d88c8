"""`interlock hook`: what a host spawns for one event.

The exit code belongs to the host's protocol here: only its dialect chooses it, and anything unforeseen is the
exit code that blocks.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click

from interlock.hooks.process import DEADLINE, HookProcess
from interlock.jsontext import MAX_BYTES
from interlock.service import handle
from interlock.source import InterlockError, shown
from interlock.wire import DIALECTS

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
      {"type": "command", "command": "/path/to/.venv/bin/python",
       "args": ["-I", "-m", "interlock", "hook", "claude-code", "--hooks", "/path/to/guards.py"],
       "timeout": 20, "onFailure": "block"}

    \b
    `-I` keeps the agent's environment and working directory from choosing what Python imports.
    """
    code = BLOCK_EXIT
    try:
        _refuse_relative(files)
        code = _answer(host, files, timeout, alone)
    except BaseException as error:  # noqa: BLE001 - ^C and exits too: any other code would let the call through
        _complain(f"Interlock itself failed: {type(error).__name__}: {shown(error)}\n")
    finally:
        os._exit(code)


def _refuse_relative(files: tuple[Path, ...]) -> None:
    """An agent moves about, and a file of the same name elsewhere must not take a guard's place."""
    if not os.environ.get("CLAUDECODE"):
        return
    for file in files:
        if not file.is_absolute():
            raise InterlockError(f"`--hooks {file}` depends on where the agent stands; give an absolute path")


def _answer(host: str, files: tuple[Path, ...], timeout: float, alone: bool) -> int:
    # One byte more than is read suffices to refuse the rest.
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    with HookProcess(files, timeout) as hooks:
        reply = handle(host, raw, hooks if files else None, alone=alone)
        printed = hooks.printed()
    sys.stdout.buffer.write(reply.stdout)
    sys.stdout.buffer.flush()
    # With another exit code the host may show stderr to the model, so hooks' own words stay out of it.
    _complain((printed if reply.exit_code == 0 else "") + reply.stderr + ("\n" if reply.stderr else ""))
    return reply.exit_code


def _complain(text: str) -> None:
    """Write to stderr, which may be closed or full: that must not change the answer."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()
