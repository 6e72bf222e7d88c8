"""`interlock lint`: find mistakes in the hooks that people have already."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interlock.cli.common import reporting, say
from interlock.errors import InterlockError
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks

__all__ = ["lint"]


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
def lint(paths: tuple[Path, ...]) -> None:
    """Find mistakes in hooks: denials that have no effect, fields that do not exist, hooks that never run.

    \b
    Examples:
      interlock lint
      interlock lint .claude/hooks/guard.py
    """
    with reporting():
        found = lint_hooks(gather(paths or [Path.cwd()]))
        for one in found:
            lines = Path(one.source.file).read_text(encoding="utf-8", errors="replace").splitlines()
            line = lines[one.source.line - 1] if one.source.line <= len(lines) else None
            text = InterlockError(one.message, one.source, one.help or None, line).render()
            say(text.replace("error:", f"{one.code}:", 1))
        sys.exit(1 if found else 0)
