"""Every test runs as somebody who has nothing: no policies, no store, no host around it."""

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("interlock", deadline=None)
settings.load_profile("interlock")


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    # No test may read, or worse write, what this machine's own administrators have laid down.
    monkeypatch.setattr("interlock.config.places.MANAGED", home / "etc/interlock/policy.yaml")
    monkeypatch.setattr("interlock.hosts.claude_code.places.MANAGED", home / "etc/claude-code/managed-settings.json")
    return home
