"""Whether Codex runs Interlock's entries: it skips every hook that a person has not trusted, without a word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interlock.errors import InterlockError
from interlock.hosts.base.commands import is_hook_command
from interlock.hosts.base.places import host_folder
from interlock.hosts.base.setup import HostScope, HostTrust

if TYPE_CHECKING:
    from interlock.hosts.codex.app_server import AppServer, KnownHook

__all__ = ["TRUST", "codex_folder"]

_FILE = "hooks.json"


def codex_folder(scope: HostScope, root: Path, home: Path) -> Path:
    """The folder with Codex's files: of a project, or of a person, where CODEX_HOME says."""
    return root / ".codex" if scope == "project" else host_folder("CODEX_HOME", home, ".codex")


def _connect(root: Path, home: Path) -> AppServer:
    from interlock.hosts.codex.app_server import AppServer  # noqa: PLC0415 - the daemon has no use for it

    return AppServer(root, home)


def _ours(server: AppServer, scope: HostScope, root: Path, home: Path) -> list[KnownHook]:
    file = str((codex_folder(scope, root, home) / _FILE).resolve())
    return [
        hook
        for hook in server.hooks()
        if str(Path(hook.source_path).resolve()) == file and is_hook_command("codex", hook.command)
    ]


def _hindrances(scope: HostScope, root: Path, home: Path) -> Sequence[str]:
    with _connect(root, home) as server:
        found = _ours(server, scope, root, home)
    if not found:
        return [_unseen(server, scope, root, home)]
    off = [hook for hook in found if not hook.runs]
    return [f"Codex does not trust {len(off)} of its {len(found)} entries, and skips them"] if off else []


def _unseen(server: AppServer, scope: HostScope, root: Path, home: Path) -> str:
    file = str(codex_folder(scope, root, home) / _FILE)
    warning = next((text for text in server.warnings if file in text), None)
    if warning is not None:
        return f"Codex does not read the entries: {warning}"
    if scope == "project":
        return "Codex does not trust this project, so it reads none of the project's hooks"
    return "Codex does not see the entries"


def _grant(scope: HostScope, root: Path, home: Path) -> None:
    with _connect(root, home) as server:
        found = _ours(server, scope, root, home)
        if not found:
            raise InterlockError(_unseen(server, scope, root, home))
        server.trust(found)
        left = [hook for hook in _ours(server, scope, root, home) if not hook.runs]
    if left:
        raise InterlockError(f"Codex still does not trust {len(left)} of the entries")


def _withdraw(scope: HostScope, root: Path, home: Path) -> None:
    """Before the entries go: Codex knows them by their place."""
    with _connect(root, home) as server:
        server.forget([hook.key for hook in _ours(server, scope, root, home)])


TRUST = HostTrust(
    hindrances=_hindrances,
    grant=_grant,
    withdraw=_withdraw,
    file=lambda home: codex_folder("user", home, home) / "config.toml",
)
