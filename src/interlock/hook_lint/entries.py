"""Read a file with entries of hooks: settings, a plugin's `hooks.json`, the front matter of agents and skills."""

from __future__ import annotations

from pathlib import Path

from interlock.errors import InterlockError
from interlock.files import jsonedit
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.commands import script_of
from interlock.hook_lint.wiring import Holder, HookWire, SettingsSubject
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.settings_rules import SettingsHook, read_settings

__all__ = ["holder_of", "read_entries"]

_NAMES: dict[str, Holder] = {"settings.json": "project", "settings.local.json": "local"}


def holder_of(path: Path) -> Holder | None:
    """Whose hooks a file holds; None if it is not a file of entries."""
    if path.parent.name == ".claude":
        return _NAMES.get(path.name)
    if path.name == "hooks.json" and path.parent.name == "hooks":
        return "plugin"
    return "managed" if path.name == "managed-settings.json" else None


def root_of(path: Path, holder: Holder) -> Path:
    """The folder of the project or the plugin."""
    return path.parent if holder == "managed" else path.parent.parent


def read_entries(path: Path, raw: bytes, holder: Holder) -> SettingsSubject:
    """The entries of a file, with their places. Never raises for what is in it."""
    file = str(path)
    text = raw.decode("utf-8", "replace")
    settings = read_settings(raw, file)
    try:
        tree = jsonedit.read(text, file)
    except InterlockError:
        return SettingsSubject(file=file, text=text, holder=holder, settings=settings)
    root = root_of(path, holder)
    others = (hook for hook in settings.hooks if not is_entry(hook.event, hook.handler))
    wires = tuple(_wire(tree, hook, holder, root, path) for hook in others)
    return SettingsSubject(file=file, text=text, holder=holder, root=tree, settings=settings, wires=wires)


def _wire(tree: JsonNode, hook: SettingsHook, holder: Holder, root: Path, path: Path) -> HookWire:
    group = tree.value["hooks"].value[hook.event].value[hook.group]
    words, script = script_of(hook.handler, root)
    return HookWire(
        event=hook.event,
        holder=holder,
        matcher=hook.matcher,
        handler=hook.handler,
        file=str(path),
        node=group.value["hooks"].value[hook.place],
        matcher_node=group.value.get("matcher"),
        root=root,
        script=script,
        words=words,
    )
