"""`interlock mcp`: a proxy between an MCP client and a server."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import DecodeError, json

from interlock.cli.agreement import agree, dry_run_option, yes_option
from interlock.cli.common import policy_option, reporting, say, visible
from interlock.errors import InterlockError

if TYPE_CHECKING:
    from interlock.hosts.mcp.installer import Rewrite

__all__ = ["mcp"]

_only = click.option("--only", multiple=True, metavar="NAME", help="Only this server. May be given several times.")
_file = click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))


class _Mcp(click.Group):
    """Subcommands by name; anything else is a server to run."""

    # So that people can write `interlock mcp -- SERVER`, and put these words in front of a server in any configuration.
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] in self.commands or args[0] in ("-h", "--help"):
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, ["run", *args])


@click.group(cls=_Mcp, context_settings={"help_option_names": ["-h", "--help"]})
def mcp() -> None:
    """Guard an MCP server with a proxy that judges calls and results and passes on everything else unchanged.

    \b
    Examples:
      interlock mcp -- npx -y @modelcontextprotocol/server-filesystem ~/notes
      interlock mcp --name crm --url https://crm.example.com/mcp
      interlock mcp wrap .mcp.json
      interlock mcp unwrap .mcp.json
      interlock mcp approve crm
    """


@mcp.command(context_settings={"ignore_unknown_options": False, "allow_interspersed_args": False})
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--url", default="", help="A server that speaks Streamable HTTP, instead of a command.")
@click.option("--name", default="", help="The name of the server in the names of its tools: mcp__NAME__tool.")
@policy_option
@click.option(
    "--project", type=click.Path(path_type=Path, file_okay=False, exists=True), help="The folder whose policy applies."
)
@click.option("--hide-denied", is_flag=True, help="Do not list tools that a rule denies by name.")
@click.option(
    "--pins",
    type=click.Choice(["deny", "report", "off"]),
    default="deny",
    show_default=True,
    help="What to do about a tool whose description has changed.",
)
@click.option("--max-bytes", type=click.IntRange(1024), default=64 * 1024 * 1024, show_default=True,
              help="The largest message.")  # fmt: skip
@click.option("--record", type=click.Choice(["on", "off"]), default="on", show_default=True,
              help="Whether events are recorded; if not, state lasts as long as the proxy.")  # fmt: skip
def run(
    command: tuple[str, ...],
    url: str,
    name: str,
    policy_file: Path | None,
    project: Path | None,
    hide_denied: bool,
    pins: str,
    max_bytes: int,
    record: str,
) -> None:
    """Run a server behind the policy, and exit with the server's exit code.

    \b
    Examples:
      interlock mcp -- mcp-server-git --repository .
      interlock mcp --name files --policy team.yaml --hide-denied -- mcp-server-filesystem ~/notes
      interlock mcp --url http://127.0.0.1:8000/mcp
    """
    if bool(command) == bool(url):
        raise click.UsageError("give either a command after `--` or a --url")
    with reporting():
        from interlock.binding.mcp.run import Options, leave  # noqa: PLC0415
        from interlock.binding.mcp.run import run as run_proxy  # noqa: PLC0415
        from interlock.hosts.mcp.installer import HEADERS  # noqa: PLC0415 - the other subcommands need none of it

        options = Options(
            command=command,
            url=url,
            headers=_headers(os.environ.get(HEADERS, "")),
            name=name,
            policy=policy_file.absolute() if policy_file else None,
            project=project,
            hide_denied=hide_denied,
            pins=pins,  # type: ignore[arg-type]
            most=max_bytes,
            record=record == "on",
        )
        leave(run_proxy(options))


def _headers(text: str) -> dict[str, str]:
    if not text:
        return {}
    try:
        return json.decode(text, type=dict[str, str])
    except DecodeError as error:
        raise InterlockError("INTERLOCK_MCP_HEADERS is not a JSON object whose values are texts") from error


@mcp.command()
@_file
@_only
@policy_option
@click.option("--hide-denied", is_flag=True, help="The proxy does not list tools that a rule denies by name.")
@yes_option
@dry_run_option
def wrap(
    file: Path | None, only: tuple[str, ...], policy_file: Path | None, hide_denied: bool, yes: bool, dry_run: bool
) -> None:
    """Put the proxy in front of the servers in a client's configuration FILE (.mcp.json by default).

    Knows the files of Claude Code, Claude Desktop, Cursor and VS Code. Shows the change and asks. Everything else in
    the file stays as it is, byte for byte.

    \b
    Examples:
      interlock mcp wrap
      interlock mcp wrap ~/.claude.json --only github
      interlock mcp wrap .vscode/mcp.json --policy ~/team.yaml --yes
    """
    with reporting():
        from interlock.hosts.mcp.installer import plan_wrap  # noqa: PLC0415 - needed here only

        more = ["--policy", str(policy_file.absolute())] if policy_file else []
        more += ["--hide-denied"] if hide_denied else []
        _change(plan_wrap(_client_file(file), only, more), yes, dry_run)


@mcp.command()
@_file
@_only
@yes_option
@dry_run_option
def unwrap(file: Path | None, only: tuple[str, ...], yes: bool, dry_run: bool) -> None:
    """Remove the proxy from a client's configuration FILE.

    \b
    Examples:
      interlock mcp unwrap
      interlock mcp unwrap .cursor/mcp.json --only files
    """
    with reporting():
        from interlock.hosts.mcp.installer import plan_unwrap  # noqa: PLC0415 - needed here only

        _change(plan_unwrap(_client_file(file), only), yes, dry_run)


@mcp.command()
@click.argument("name")
@click.option("--tool", "tools", multiple=True, help="Only this tool. May be given several times.")
@yes_option
@dry_run_option
def approve(name: str, tools: tuple[str, ...], yes: bool, dry_run: bool) -> None:
    """Show how the descriptions of server NAME's tools have changed, and let the tools be called again.

    \b
    Examples:
      interlock mcp approve files
      interlock mcp approve files --tool read_file
    """
    with reporting():
        from interlock.binding.mcp.pins import all_pins, difference  # noqa: PLC0415 - needed here only

        waiting = [pins for pins in all_pins(name) if _waiting(pins.read().changed, tools)]
        if not waiting:
            say(f"no tool of `{visible(name)}` is waiting for approval")
            return
        # The model reads these descriptions, so a person must see what changed before the tool may be called again.
        for pins in waiting:
            kept = pins.read()
            say(visible(f"{kept.name}: {kept.source}"))
            for tool in _waiting(kept.changed, tools):
                say(f"\n{visible(tool)}")
                for line in difference(kept.tools[tool], kept.changed[tool]).splitlines():
                    say(visible(line))
        if dry_run:
            return
        agree(yes, "Let these tools be called again?", refusal="nothing was approved")
        for pins in waiting:
            for tool in pins.approve(tools):
                say(f"approved {visible(tool)}")


def _waiting(changed: Iterable[str], tools: tuple[str, ...]) -> list[str]:
    return [tool for tool in changed if not tools or tool in tools]


def _client_file(file: Path | None) -> Path:
    if file is not None:
        return file
    here = Path(".mcp.json")
    if here.is_file():
        return here
    from interlock.hosts.mcp.installer import known_files  # noqa: PLC0415 - needed here only

    found = [str(place) for place in known_files(Path.cwd(), Path.home())]
    raise InterlockError(
        "there is no .mcp.json here", help=f"name the file: {', '.join(found)}" if found else "name the file"
    )


def _change(rewrite: Rewrite, yes: bool, dry_run: bool) -> None:
    from interlock.hosts.mcp.installer import write  # noqa: PLC0415 - needed here only

    for line in rewrite.diff().splitlines():
        click.echo(click.style(visible(line), fg={"+": "green", "-": "red"}.get(line[:1])))
    for entry in rewrite.left:
        say(visible(f"note: {entry.name} is left as it is: {entry.left}"))
    if rewrite.is_empty:
        say("nothing to change")
        return
    if dry_run:
        return
    agree(yes)
    for copy in write(rewrite):
        say(f"kept the previous version in {copy}")
    say(f"wrote {rewrite.file}; restart the client")
