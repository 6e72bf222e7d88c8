"""OpenCode, run once without a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interlock.hosts.base.driving import PROMPT, HostDrive, ModelCall

__all__ = ["DRIVE"]

_MODELS = ("scripted", "gpt-5.5")


def _call(command: str) -> ModelCall:
    return ModelCall("bash", {"command": command, "description": "a step"})


def _words(project: Path, flags: Sequence[str]) -> Sequence[str]:
    return ["run", *flags, PROMPT]


def _files(url: str, project: Path, home: Path) -> Mapping[Path, dict[str, Any]]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "models": {name: {"name": name} for name in _MODELS},
        "options": {"baseURL": f"{url}/v1", "apiKey": "not-a-key"},
    }
    model = {"provider": {"scripted": provider}, "model": "scripted/scripted", "small_model": "scripted/scripted"}
    return {home / ".config" / "opencode" / "opencode.json": {**model, "autoupdate": False, "share": "disabled"}}


def _environ(url: str, home: Path) -> Mapping[str, str]:
    names = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    return {f"OPENCODE_DISABLE_{name}": "1" for name in names}


DRIVE = HostDrive(call=_call, words=_words, files=_files, environ=_environ)
