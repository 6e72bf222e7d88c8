"""Where the real clients are: the one that claude-agent-sdk brings, and an older one from npm."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

OLDER = "2.1.197"
_CHECKOUT = Path(__file__).parent.parent.parent
_FROM_NPM = Path("node_modules/@anthropic-ai/claude-code-linux-x64/claude")


def current() -> Path:
    """The client in this environment, or the one that INTERLOCK_CLIENT names."""
    named = os.environ.get("INTERLOCK_CLIENT")
    found = Path(named) if named else _of_package("claude_agent_sdk", "_bundled/claude")
    if found is None or not found.is_file():
        pytest.skip("needs claude-agent-sdk: pip install 'interlock[e2e]'")
    return found


def older() -> Path:
    """A client that does not know `onFailure`, from the checkout's .clients folder or INTERLOCK_OLD_CLIENT."""
    named = os.environ.get("INTERLOCK_OLD_CLIENT")
    found = Path(named) if named else _CHECKOUT / ".clients" / _FROM_NPM
    if not found.is_file():
        pytest.skip(f"needs the older client: npm install --prefix .clients @anthropic-ai/claude-code@{OLDER}")
    return found


def mcp_python() -> Path:
    """A Python that has the `mcp` package: this one, or the one beside the client that was named."""
    if find_spec("mcp") is not None:
        return Path(sys.executable)
    for folder in current().parents:
        if (folder / "bin" / "python").is_file():
            return folder / "bin" / "python"
    pytest.skip("needs mcp: pip install 'interlock[e2e]'")


def _of_package(package: str, name: str) -> Path | None:
    spec = find_spec(package)
    return Path(spec.origin).parent / name if spec is not None and spec.origin else None
