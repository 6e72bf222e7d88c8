"""Copilot CLI, run once without a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interlock.hosts.base.driving import PROMPT, HostDrive, ModelCall

__all__ = ["DRIVE"]


def _call(command: str) -> ModelCall:
    return ModelCall("bash", {"command": command, "description": "a step"})


def _words(project: Path, flags: Sequence[str]) -> Sequence[str]:
    return ["-p", PROMPT, *flags]


def _files(url: str, project: Path, home: Path) -> Mapping[Path, dict[str, Any]]:
    # Hooks of a project are loaded without a person only in a folder that a person has trusted.
    return {home / ".copilot" / "config.json": {"trustedFolders": [str(project)]}}


def _environ(url: str, home: Path) -> Mapping[str, str]:
    return {
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": "not-a-key",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    }


DRIVE = HostDrive(call=_call, words=_words, files=_files, environ=_environ, flags=("--allow-all-tools",))
