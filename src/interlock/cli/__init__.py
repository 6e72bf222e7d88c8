"""The `interlock` command: one file per subcommand, imported when it is run."""

from __future__ import annotations

from importlib import import_module

import click

from interlock import __version__

__all__ = ["main"]

_COMMANDS = {
    "init": "Guard this project: a policy to start from, and our entries in the host's settings.",
    "uninstall": "Take our entries out of the host's settings.",
    "doctor": "Look whether this project is really guarded.",
    "check": "Load the policies, run their cases, look for rules that do nothing.",
    "explain": "Judge one call and show what every rule said.",
    "test": "Run the scenarios of *.test.yaml files.",
    "score": "Count what a policy misses and where it is in the way, with a corpus.",
    "trust": "Let a project's policy act in full.",
    "pause": "Let everything pass for a while.",
    "lift": "Let a session go on that was stopped for a breach.",
    "log": "Show and verify the record.",
    "prompt": "Print the rules as text for a system prompt.",
    "schema": "Print a JSON Schema of the policy language.",
    "demo": "Play a short guarded session, with every verdict explained.",
    "mcp": "Stand between an MCP client and a server.",
    "hook": "Judge one event: the host's bytes on stdin, its answer on stdout.",
    "client": "Pass one event on to the daemon.",
    "serve": "Run the daemon in this terminal.",
    "status": "Say how the daemon is.",
    "stop": "End the daemon; the next event starts a new one.",
}


class _Commands(click.Group):
    """Subcommands by name; each lives in the module of that name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(import_module(f"interlock.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101 - a module of ours
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))  # without importing any of them


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="interlock")
def main() -> None:
    """Decide what an AI agent may do, before it does it.

    \b
    Examples:
      interlock demo
      interlock init && interlock check
      interlock explain "git push -f origin main"
      interlock hook claude-code < event.json
    """
