"""The `interlock` command: one file per subcommand, imported when it is run."""

from __future__ import annotations

from importlib import import_module

import click

from interlock import __version__

__all__ = ["main"]

_COMMANDS = {
    "init": "Guard this project: write a policy to start from, and add Interlock's entries to the host's settings.",
    "uninstall": "Remove Interlock's entries from the host's settings.",
    "doctor": "Check whether this project is really guarded.",
    "check": "Load the policies, run their cases, and look for rules that do nothing.",
    "explain": "Judge one call and show what every rule said.",
    "test": "Run the scenarios of *.test.yaml files.",
    "score": "Measure with a corpus what a policy misses and what it stops needlessly.",
    "trust": "Let a project's policy act in full.",
    "pause": "Let everything pass for a while.",
    "lift": "Let a session continue that was stopped for a breach.",
    "log": "Show and verify the record.",
    "prompt": "Print the rules as text for a system prompt.",
    "schema": "Print a JSON Schema of the policy language.",
    "docs": "Show a page of the documentation, or what explains a word.",
    "demo": "Play a short guarded session, with every verdict explained.",
    "mcp": "Guard an MCP server with a proxy between it and its client.",
    "hook": "Judge one event: the host's bytes on stdin, its answer on stdout.",
    "client": "Pass one event to the daemon.",
    "serve": "Run the daemon in this terminal.",
    "status": "Show the daemon's status, or how a session ended.",
    "stop": "End the daemon; the next event starts a new one.",
}


class _Commands(click.Group):
    """Subcommands by name; each is in the module of that name.

    Modules are imported only when their command runs: importing all of them would make every command start slowly.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(import_module(f"interlock.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101 - a module of this package
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))  # click would import every module to find its help


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
