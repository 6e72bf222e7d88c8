"""`interlock completion`: a script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from interlock.cli.common import reporting, say
from interlock.errors import InterlockError

__all__ = ["completion"]

_NAME = "interlock"
_VARIABLE = "_INTERLOCK_COMPLETE"  # click answers the script's questions if this is set


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script that completes Interlock's commands and options in SHELL.

    \b
    Examples:
      interlock completion bash >> ~/.bash_completion
      interlock completion zsh > ~/.zfunc/_interlock
      interlock completion fish > ~/.config/fish/completions/interlock.fish

    To try it in the shell that you are using, without writing a file:

    \b
      source <(interlock completion bash)
      source <(interlock completion zsh)
      interlock completion fish | source

    For zsh, the folder must be on `fpath` before `compinit` runs: put `fpath=(~/.zfunc $fpath)` above it in ~/.zshrc.
    """
    with reporting():
        found = get_completion_class(shell)
        if found is None:
            raise InterlockError(f"this version of click writes no completion for {shell}", help="update click")
        from interlock.cli import main  # noqa: PLC0415 - the whole command, which imports this one

        say(found(main, {}, _NAME, _VARIABLE).source())
