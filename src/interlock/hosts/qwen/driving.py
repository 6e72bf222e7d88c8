"""Qwen Code, run once without a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interlock.hosts.base.driving import PROMPT, HostDrive, ModelCall

__all__ = ["DRIVE"]

_SETTINGS = {"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": False}}


def _call(command: str) -> ModelCall:
    return ModelCall("run_shell_command", {"command": command, "description": "a step", "is_background": False})


def _words(project: Path, flags: Sequence[str]) -> Sequence[str]:
    return ["-p", PROMPT, *flags]


def _files(url: str, project: Path, home: Path) -> Mapping[Path, dict[str, Any]]:
    return {home / ".qwen" / "settings.json": _SETTINGS}


def _environ(url: str, home: Path) -> Mapping[str, str]:
    return {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "not-a-key", "OPENAI_MODEL": "scripted"}


DRIVE = HostDrive(call=_call, words=_words, files=_files, environ=_environ, flags=("--approval-mode", "yolo"))
