"""Gemini CLI, run once without a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interlock.hosts.base.driving import PROMPT, HostDrive, ModelCall

__all__ = ["DRIVE"]

_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}


def _call(command: str) -> ModelCall:
    return ModelCall("run_shell_command", {"command": command, "description": "a step"})


def _words(project: Path, flags: Sequence[str]) -> Sequence[str]:
    return ["-m", "gemini-2.5-flash", "-p", PROMPT, *flags]


def _files(url: str, project: Path, home: Path) -> Mapping[Path, dict[str, Any]]:
    folder = home / ".gemini"
    return {folder / "settings.json": _SETTINGS, folder / "trustedFolders.json": {str(project): "TRUST_FOLDER"}}


def _environ(url: str, home: Path) -> Mapping[str, str]:
    return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "not-a-key"}


DRIVE = HostDrive(call=_call, words=_words, files=_files, environ=_environ, flags=("--yolo",))
