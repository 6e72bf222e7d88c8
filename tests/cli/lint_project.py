"""A project with hooks of Claude Code, for the tests of `interlock lint`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lint.project import Project

__all__ = ["GUARD", "QUOTED", "SCRIPT", "SETTINGS", "hook", "made", "said"]

GUARD = """\
    #!/bin/sh
    command=$(jq -r '.tool_input.command')
    case "$command" in
      *"rm -rf"*) echo "Blocked: rm -rf" >&2; exit 1 ;;
    esac
    """
SCRIPT = ".claude/hooks/guard.sh"
SETTINGS = ".claude/settings.json"
QUOTED = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh'


def made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project without hooks, in a folder of its own."""
    project = Project(folder, monkeypatch)
    (project.root / ".git").mkdir()
    return project


def hook(project: Project, *commands: str, event: str = "PreToolUse", script: str = GUARD, **more: object) -> None:
    """A project with these entries, and the script that one of them may start."""
    handlers = [{"type": "command", "command": command, **more} for command in commands]
    text = json.dumps({"hooks": {event: [{"matcher": "Bash", "hooks": handlers}]}}, indent=2)
    project.write(text + "\n", SETTINGS)
    project.write(script, SCRIPT).chmod(0o755)


def said(project: Project, *arguments: str | Path, stdin: str | None = None) -> tuple[int, str]:
    """The exit code, and all that is printed."""
    ended = project.run("lint", *arguments, stdin=stdin)
    return ended.exit_code, project.short(ended.output)
