"""`interlock hook`: what a host spawns for one event.

Here the exit code belongs to the host's protocol: only its dialect chooses it, and an unforeseen failure exits with
the code that blocks.
"""

from __future__ import annotations

import contextlib
import os
import sys
from functools import partial
from pathlib import Path

import click

from interlock.cli.common import policy_option
from interlock.daemon.peers import argv_of, parent_of
from interlock.errors import InterlockError, text_of
from interlock.hooks.process import DEADLINE, MEMORY, HookProcess
from interlock.hosts import HOSTS
from interlock.jsontext import MAX_BYTES
from interlock.judging.in_force import policies_in_force
from interlock.judging.projects import Projects
from interlock.service import Reply, answer_in, handle
from interlock.store.place import open_store

__all__ = ["hook"]

BLOCK_EXIT = 2  # the only exit code with which Claude Code refuses a call


@click.command()
@click.argument("host", type=click.Choice([host.name for host in HOSTS.values() if host.spawns]))
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
@click.option(
    "--memory",
    default=MEMORY >> 20,
    show_default=True,
    type=click.IntRange(min=64),
    help="Megabytes of memory that the process of the hooks may use.",
)
@click.option("--alone", is_flag=True, help="The host has no other hook that could undo a change.")
@policy_option
def hook(
    host: str, files: tuple[Path, ...], timeout: float, memory: int, alone: bool, policy_file: Path | None
) -> None:
    """Judge one event of HOST by the policies that apply in its project: its bytes on stdin, the answer on stdout.

    \b
    Examples:
      interlock hook claude-code < event.json
      interlock hook claude-code --policy team.yaml < event.json
      interlock hook flat --hooks guards.py --timeout 2 < event.json

    With --hooks and no --policy, only those hooks are asked and nothing is recorded. In Claude Code's settings:

    \b
      {"type": "command", "command": "/path/to/.venv/bin/python",
       "args": ["-I", "-m", "interlock", "hook", "claude-code"],
       "timeout": 20, "onFailure": "block"}

    `-I` keeps the agent's environment and working directory from choosing what Python imports.
    """
    code = BLOCK_EXIT
    try:
        _refuse_relative((*files, *([policy_file] if policy_file else ())))
        code = _answer(host, files, timeout, memory << 20, alone, policy_file)
    except BaseException as error:  # noqa: BLE001 - ^C and exits too: any other code would let the call through
        _complain(f"Interlock itself failed: {type(error).__name__}: {text_of(error)}\n")
    finally:
        os._exit(code)  # nothing that happens at a normal exit, such as flushing a closed stdout, may change the code


def _refuse_relative(files: tuple[Path, ...]) -> None:
    """Refuse relative paths: the agent changes its folder, and a file of that name elsewhere must not be the guard."""
    # Claude Code sets this for the programs that it starts. At a person's own prompt, a relative path is fine.
    if not os.environ.get("CLAUDECODE"):
        return
    for file in files:
        if not file.is_absolute():
            raise InterlockError(f"`{file}` depends on the folder the agent is in; give an absolute path")


def _answer(
    host: str, files: tuple[Path, ...], timeout: float, memory: int, alone: bool, policy_file: Path | None
) -> int:
    # One byte more than the limit is enough to see that the event is too long.
    raw = sys.stdin.buffer.read(MAX_BYTES + 1)
    if files and policy_file is None:
        with HookProcess(files, timeout, memory) as hooks:
            reply, printed = handle(host, raw, hooks, alone=alone), hooks.printed()
    else:
        reply, printed = _by_policy(host, raw, files, alone, policy_file)
    sys.stdout.buffer.write(reply.stdout)
    sys.stdout.buffer.flush()
    # With any other exit code the host may show stderr to the model, so what hooks printed is left out.
    _complain((printed if reply.exit_code == 0 else "") + reply.stderr + ("\n" if reply.stderr else ""))
    return reply.exit_code


def _by_policy(
    host: str, raw: bytes, files: tuple[Path, ...], alone: bool, policy_file: Path | None
) -> tuple[Reply, str]:
    named = os.environ.get("CLAUDE_PROJECT_DIR", "")

    name = "\n".join(str(file.absolute()) for file in (*([policy_file] if policy_file else ()), *files))
    with Projects(
        open_store, in_force=partial(policies_in_force, named=policy_file), alone=alone, hooks=files, name=name
    ) as projects:
        project = Path(named) if named.startswith("/") else None
        reply = answer_in(projects, host, raw, project, argv=lambda: argv_of(parent_of(os.getpid())))
        return reply, projects.printed()


def _complain(text: str) -> None:
    """Write to stderr, which may be closed or full: that must not change the answer."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()
