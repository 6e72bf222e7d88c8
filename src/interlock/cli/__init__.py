"""The `interlock` command: one file per subcommand, imported when it is run."""

from __future__ import annotations

import os
from importlib import import_module
from keyword import iskeyword
from typing import IO, Any

import click
from click.shell_completion import CompletionItem

from interlock import __version__
from interlock.errors import suggest

__all__ = ["main"]

# In the order in which people need them.
_SECTIONS = {
    "Start": {
        "init": "Guard this project: write a policy to start from, and add Interlock's entries to the host's settings.",
        "import": "Turn the configuration of conclaude, Claude Code's permissions, or hookify into a policy.",
        "doctor": "Check whether this project is really guarded.",
        "uninstall": "Remove Interlock's entries from the host's settings.",
        "demo": "Play a short guarded session, with every verdict explained.",
        "docs": "Show a page of the documentation, or what explains a word.",
    },
    "Write a policy": {
        "check": "Load the policies, run their cases, and look for rules that do nothing.",
        "explain": "Judge one call and show the verdict, what would change, and why.",
        "rule": "Add a one-line rule to a policy, list the rules, or remove one.",
        "programs": "Show what Interlock knows of programs, or draft a description of your own.",
        "test": "Run the scenarios of *.test.yaml files.",
        "replay": "Show what a policy would have done in past sessions.",
        "score": "Measure with a corpus what a policy misses and what it stops needlessly.",
        "trust": "Let a project's policy act in full.",
        "schema": "Print a JSON Schema of the policy language.",
        "prompt": "Print the rules as text for a system prompt.",
    },
    "Every day": {
        "open": "Show what waits and what happened on a page in your browser.",
        "inbox": "Show the calls that wait for a person's answer.",
        "approve": "Let a call run that waits for an answer.",
        "reject": "Refuse a call that waits for an answer.",
        "grants": "List what people have allowed beyond single calls, and take it back.",
        "lint": "Find mistakes in hooks: denials without effect, fields that do not exist, hooks that never run.",
        "log": "Show what ran, what was stopped and who said yes; verify the record.",
        "export": "Write the record, requests or grants as JSON Lines or CSV, or send it to OpenTelemetry.",
        "prune": "Remove old records.",
        "status": "Show the daemon's status, or how a session ended.",
        "pause": "Let everything pass for a while.",
        "lift": "Let a session continue that was stopped for a breach.",
        "completion": "Print a script that lets your shell complete commands and options.",
    },
    "Between programs": {
        "mcp": "Guard an MCP server with a proxy between it and its client.",
        "hook": "Judge one event: the host's bytes on stdin, its answer on stdout.",
        "client": "Pass one event to the daemon.",
        "serve": "Run the daemon in this terminal.",
        "stop": "End the daemon; the next event starts a new one.",
    },
}
_COMMANDS = {name: text for section in _SECTIONS.values() for name, text in section.items()}


class _WrongWord(click.UsageError):
    """A command or an option that does not exist, with the one that was probably meant."""

    def __init__(self, what: str, word: str, known: list[str], ctx: click.Context) -> None:
        is_letter = word.startswith("-") and len(word) == 2  # every letter is near every other
        meant = None if is_letter else suggest(word, known)
        guess = f"; did you mean `{meant}`?" if meant else ""
        super().__init__(f"there is no {what} `{word}`{guess}", ctx)
        self._help = f"`{ctx.command_path} --help` lists all of them"

    def show(self, file: IO[Any] | None = None) -> None:
        for label, colour, text in (("error:", "red", self.message), ("help:", "cyan", self._help)):
            coloured = click.style(label, fg=colour, bold=True)
            click.echo(f"{coloured} {text}", file=file, err=file is None, color=self.ctx.color if self.ctx else None)


def _wrong_option(error: click.NoSuchOption, group: click.Context) -> _WrongWord:
    ctx = error.ctx or group
    known = [name for parameter in ctx.command.get_params(ctx) for name in (*parameter.opts, *parameter.secondary_opts)]
    return _WrongWord("option", error.option_name, [name for name in known if name.startswith("-")], ctx)


class _Commands(click.Group):
    """Subcommands by name; each is in the module of that name.

    Modules are imported only when their command runs: importing all of them would make every command start slowly.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if os.environ.get("NO_COLOR"):
            extra["color"] = False  # for this command and all below it; see https://no-color.org
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and ctx.parent is None and import_module("interlock.cli.client").has_event():
            args = ["client"]  # a host that leaves out the arguments of an entry
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise _wrong_option(error, ctx) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS:
            raise _WrongWord("command", args[0], list(_COMMANDS), ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            raise _wrong_option(error, ctx) from error

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        # As in `format_commands`: click would import every module to find its help, while a person waits for a word.
        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=text) for name, text in _COMMANDS.items() if name.startswith(incomplete)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = getattr(import_module(f"interlock.cli.{name}"), name)
        assert isinstance(command, click.Command)  # noqa: S101 - a module of this package
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _COMMANDS))
        for title, commands in _SECTIONS.items():
            with formatter.section(title):  # click would import every module to find its help
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])


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
