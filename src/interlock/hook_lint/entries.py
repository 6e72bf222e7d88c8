"""Read a JSON file with entries of hooks: settings, or a plugin's `hooks.json`."""

from __future__ import annotations

import re
from pathlib import Path

from interlock.errors import InterlockError
from interlock.event import EVENTS
from interlock.files import jsonedit
from interlock.files.jsonedit import JsonNode
from interlock.hook_lint.commands import script_of
from interlock.hook_lint.wiring import Holder, HookWire, SettingsSubject
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.places import config_folder
from interlock.hosts.claude_code.settings_rules import Settings, SettingsHook, read_settings

__all__ = ["holder_of", "read_entries", "wires_in"]

_NAMES: dict[str, Holder] = {"settings.json": "project", "settings.local.json": "local"}
# Settings under another name: an example, a template, hooks that stand in the description of a plugin.
_HOOKS = re.compile(rf'"hooks"\s*:\s*\{{\s*"(?:{"|".join(EVENTS)})"\s*:\s*\[')
_CALLED = re.compile(r"settings|hook|plugin", re.IGNORECASE)
_TESTS = frozenset({"test", "tests", "testdata", "fixtures", "__fixtures__"})
_EVERYWHERE = ("user", "managed")  # they hold in every project, so what is in a project has no place of its own


def holder_of(path: Path, text: str) -> Holder | None:
    """Whose hooks a file holds; None if it is not a file of entries."""
    if path.suffix != ".json":
        return None
    path = path.absolute()
    if path.name == "settings.json" and path.parent == config_folder():
        return "user"
    if path.parent.name == ".claude" and path.name in _NAMES:
        return _NAMES[path.name]
    if path.name == "hooks.json" and path.parent.name == "hooks" and path.parent.parent.name != ".claude":
        return "plugin"
    if path.name == "managed-settings.json" or path.parent.name == "managed-settings.d":
        return "managed"
    if not _CALLED.search(path.name) or not _TESTS.isdisjoint(path.parts) or not _HOOKS.search(text):
        return None
    return "plugin" if path.parent.name == ".claude-plugin" else "example"


def root_of(path: Path, holder: Holder) -> Path:
    """The folder of the project, of the plugin or of the person."""
    folder = path.absolute().parent  # a script is then found from here too
    if holder != "example":
        return folder if holder == "managed" else folder.parent
    # It is to be copied to where its scripts are: next to it, or in the project that it is part of.
    return next((one for one in (folder, *folder.parents) if (one / ".claude").is_dir()), folder)


def read_entries(path: Path, raw: bytes, holder: Holder) -> SettingsSubject:
    """The entries of a file, with their places. Never raises for what is in it."""
    file = str(path)
    text = raw.decode("utf-8", "replace")
    settings = read_settings(raw, file)
    try:
        tree = jsonedit.read(text, file)
    except InterlockError:
        return SettingsSubject(file=file, text=text, holder=holder, settings=settings)
    wires = wires_in(tree, settings, holder, root_of(path, holder))
    return SettingsSubject(file=file, text=text, holder=holder, root=tree, settings=settings, wires=wires)


def wires_in(tree: JsonNode, settings: Settings, holder: Holder, root: Path) -> tuple[HookWire, ...]:
    """The entries that are not Interlock's own."""
    others = (hook for hook in settings.hooks if not is_entry(hook.event, hook.handler))
    return tuple(_wire(tree, hook, holder, root) for hook in others)


def _wire(tree: JsonNode, hook: SettingsHook, holder: Holder, root: Path) -> HookWire:
    group = tree.value["hooks"].value[hook.event].value[hook.group]
    words, script = script_of(hook.handler, Path() if holder in _EVERYWHERE else root)
    return HookWire(
        event=hook.event,
        holder=holder,
        matcher=hook.matcher,
        handler=hook.handler,
        file=hook.file,
        node=group.value["hooks"].value[hook.place],
        matcher_node=group.value.get("matcher"),
        root=root,
        script=script if script is not None and (script.is_absolute() or holder not in _EVERYWHERE) else None,
        words=words,
    )
