"""Codex, run once without a person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from interlock.hosts.base.driving import PROMPT, HostDrive, ModelCall

__all__ = ["DRIVE", "config_text"]

_MODEL = "gpt-5.5"  # Codex gives each model other tools
_CONFIG = """\
model = {model}
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[projects.{project}]
trust_level = "trusted"
[features]
plugins = false
"""


def config_text(url: str, project: Path, model: str = _MODEL) -> str:
    """Its configuration."""
    return _CONFIG.format(model=json.dumps(model), url=url, project=json.dumps(str(project)))


def _call(command: str) -> ModelCall:
    return ModelCall("exec_command", {"cmd": command})


def _words(project: Path, flags: Sequence[str]) -> Sequence[str]:
    unasked = "--dangerously-bypass-approvals-and-sandbox"
    return ["exec", "--skip-git-repo-check", "-C", str(project), unasked, *flags, PROMPT]


def _files(url: str, project: Path, home: Path) -> Mapping[Path, str]:
    return {home / ".codex" / "config.toml": config_text(url, project)}


def _environ(url: str, home: Path) -> Mapping[str, str]:
    return {"CODEX_HOME": str(home / ".codex"), "SCRIPTED_KEY": "not-a-key"}


# Whether it trusts a person's entries is asked of it by itself: it knows them by their place, which is another here.
DRIVE = HostDrive(call=_call, words=_words, files=_files, environ=_environ, flags=("--dangerously-bypass-hook-trust",))
