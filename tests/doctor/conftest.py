"""A project with our entries in it, and nothing left running afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interlock.config.places import socket_path
from interlock.daemon.control import stop
from interlock.doctor.finding import Finding
from interlock.hosts.claude_code.installer import apply, plan_install
from interlock.hosts.claude_code.places import settings_file


class Shop:
    """A project in which entries stand, and settings are changed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        (self.root / ".git").mkdir(parents=True)

    def install(self, **more: Any) -> None:
        apply(plan_install(self.root, **more))

    def change(self, scope: Any, **values: Any) -> Path:
        """Put values into a settings file, beside what is there."""
        file = settings_file(scope, self.root)
        file.parent.mkdir(parents=True, exist_ok=True)
        there = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**there, **values}), encoding="utf-8")
        return file

    def folder(self, name: str) -> Path:
        made = self.root / name
        made.mkdir(parents=True)
        return made


def told(found: Iterator[Finding]) -> list[tuple[str, str]]:
    """How bad each finding is, and what it says."""
    return [(finding.level, finding.text) for finding in found]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in ("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"):
        monkeypatch.delenv(name, raising=False)
    shop = Shop(tmp_path)
    monkeypatch.chdir(shop.root)
    yield shop
    stop(socket_path())
