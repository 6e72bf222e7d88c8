"""Where the hooks of a project, of a person and of an organisation are: what is looked at if nothing is named."""

from __future__ import annotations

import sys
from pathlib import Path

from interlock.hosts.claude_code.places import config_folder, settings_file

__all__ = ["usual_places"]

_MAC = Path("/Library/Application Support/ClaudeCode")
_OWN = ("settings.json", "agents", "commands", "skills")


def usual_places(root: Path, platform: str = sys.platform) -> list[Path]:
    """The project, and what is there of a person's own files and of those that an organisation manages."""
    managed = _MAC if platform == "darwin" else settings_file("managed", root).parent
    own = config_folder()
    more = [*(own / name for name in _OWN), managed / "managed-settings.json", managed / "managed-settings.d"]
    return [root, *(place for place in more if place.exists() and not place.is_relative_to(root))]
