"""What lint says of one hook: a program under an entry, in a project of its own."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks

__all__ = ["codes_of", "codes_of_command"]

_STARTS = {"py": "python3 ", "sh": "", "js": "node ", "ts": "npx tsx "}


def codes_of(
    folder: Path, text: str, language: str = "py", *, event: str = "PreToolUse", matcher: str | None = "Bash"
) -> set[str]:
    """The codes for a script, without those that hold of nearly every guard."""
    script = folder / ".claude" / "hooks" / f"guard.{language}"
    script.parent.mkdir(parents=True)
    script.write_text(dedent(text), encoding="utf-8")
    script.chmod(0o755)
    command = f'{_STARTS[language]}"$CLAUDE_PROJECT_DIR"/.claude/hooks/{script.name}'
    return codes_of_command(folder, command, event=event, matcher=matcher)


def codes_of_command(
    folder: Path, command: str, *, event: str = "PreToolUse", matcher: str | None = "Bash", **handler: Any
) -> set[str]:
    """The codes for a command of the settings."""
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": command, **handler}]}
    if matcher is not None:
        group["matcher"] = matcher
    (folder / ".git").mkdir(exist_ok=True)
    settings = folder / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"hooks": {event: [group]}}), encoding="utf-8")
    return {one.code for one in lint_hooks(gather([folder]))} - {"IL501", "IL503"}
