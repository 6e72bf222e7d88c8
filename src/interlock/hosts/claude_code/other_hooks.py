"""Hooks that run beside Interlock from a file that `init` does not change, each with the reason why it stays there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import DecodeError, json

from interlock.errors import InterlockError
from interlock.files.edit import read_bytes
from interlock.hosts.claude_code.adoption import describe
from interlock.hosts.claude_code.places import Scope
from interlock.hosts.claude_code.settings_rules import SettingsHook, read_settings
from interlock.hosts.claude_code.settings_state import SettingsState

__all__ = ["hooks_elsewhere", "hooks_of_plugins"]

_WHY: dict[Scope, str] = {
    "local": "for this project alone; `interlock init --adopt` moves hooks from there",
    "project": "the file is shared, and whoever has not trusted the policy would be left without it",
    "user": "for all your projects; `interlock init --scope user --adopt` moves hooks from there",
    "managed": "for everyone on this machine; `interlock init --scope managed --adopt` moves hooks from there",
}
_OTHER_TREE = "for the repository's main working tree; run `interlock init --adopt` there"
_PLUGIN = "part of the plugin `{name}`; switch the plugin off if you do not want it"


def hooks_elsewhere(state: SettingsState, file: Path, config: Path) -> list[str]:
    """The hooks of every other settings file and of plugins, one on each line."""
    newer = {one.path for one in state.files if one.newer}
    found = [
        describe(hook.hook, _OTHER_TREE if hook.file in newer else _WHY[hook.scope])
        for hook in state.beside
        if hook.file != str(file)
    ]
    return found + [describe(hook, _PLUGIN.format(name=name)) for name, hook in hooks_of_plugins(state, config)]


def hooks_of_plugins(state: SettingsState, config: Path) -> Iterator[tuple[str, SettingsHook]]:
    """The hooks that plugins bring which these settings enable, as far as their files can be read."""
    listed = _json_at(config / "plugins" / "installed_plugins.json", "plugins")
    for name in _plugins_on(state):
        installs = listed.get(name) if isinstance(listed, dict) else None
        for install in installs if isinstance(installs, list) else [installs]:
            path = install.get("installPath") if isinstance(install, dict) else None
            for hook in _hooks_in(Path(path) / "hooks" / "hooks.json") if isinstance(path, str) else ():
                yield name, hook


def _plugins_on(state: SettingsState) -> list[str]:
    """The plugins that are on. The files are in order of precedence, so the first one that names a plugin decides."""
    said: dict[str, Any] = {}
    for file in state.files:
        plugins = file.values.get("enabledPlugins")
        for name, value in plugins.items() if isinstance(plugins, dict) else ():
            said.setdefault(name, value)
    return [name for name, value in said.items() if value is True]


def _hooks_in(file: Path) -> Sequence[SettingsHook]:
    try:
        raw = read_bytes(file)
    except InterlockError:
        return ()
    return read_settings(raw, str(file)).hooks if raw is not None else ()


def _json_at(file: Path, key: str) -> Any:
    try:
        raw = read_bytes(file)
        value = json.decode(raw) if raw is not None else None
    except (InterlockError, DecodeError):
        return None
    return value.get(key) if isinstance(value, dict) else None
