"""The shapes of settings that are objects: which members the client takes, and of which kind.

A shape says True if the client keeps the file, False if it ignores all of it, None where that is not known. Seen with
2.1.325 and 2.1.197 by giving each member good and bad values; a member that is not here cannot be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

__all__ = ["SHAPES", "Shape", "are_texts"]

Shape: TypeAlias = Callable[[Any], bool | None]


def are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _port(value: Any) -> bool | None:
    """Other numbers than ports were not tried."""
    return True if isinstance(value, int) and _number(value) and 0 < value < 1 << 16 else _number(value) and None


def _anything(value: Any) -> bool:
    return True


def _one_of(*words: str) -> Shape:
    return lambda value: isinstance(value, str) and value in words


def _either(*shapes: Shape) -> Shape:
    return lambda value: any(shape(value) for shape in shapes)


def _all(found: Sequence[bool | None]) -> bool | None:
    """What is surely bad in one part is so for the whole; what is unknown in one part leaves it unknown."""
    if any(one is False for one in found):
        return False
    return None if None in found else True


def _members(needed: Mapping[str, Shape], more: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these members. Of one that is not named here it is not known what another client makes of it."""
    known = {**needed, **(more or {})}

    def fits(value: Any) -> bool | None:
        if not isinstance(value, dict) or not needed.keys() <= value.keys():
            return False
        return _all([known[name](part) if name in known else None for name, part in value.items()])

    return fits


def _map_of(shape: Shape) -> Shape:
    def fits(value: Any) -> bool | None:
        return _all([shape(part) for part in value.values()]) if isinstance(value, dict) else False

    return fits


def _unless_bad(shape: Shape) -> Shape:
    """Where clients disagree about a bad value, only that it is not known can be said."""
    return lambda value: shape(value) or None


_COMMAND: dict[str, Shape] = {"type": _one_of("command"), "command": _text}
_SOURCE = _either(
    _members({"source": _one_of("github"), "repo": _text}, {"ref": _text}),
    _members({"source": _one_of("git"), "url": _text}),
    _members({"source": _one_of("directory"), "path": _text}),
)
_OPTION = _either(_text, _flag, _number, are_texts)
_SANDBOX: dict[str, Shape] = {
    **dict.fromkeys(
        ("enabled", "autoAllowBashIfSandboxed", "allowUnsandboxedCommands", "enableWeakerNestedSandbox",
         "failIfUnavailable", "enableWeakerNetworkIsolation", "allowAppleEvents"), _flag
    ),
    "excludedCommands": are_texts,
    "network": _members({}, {
        **dict.fromkeys(("allowUnixSockets", "allowedDomains", "deniedDomains"), are_texts),
        **dict.fromkeys(("allowLocalBinding", "allowAllUnixSockets"), _flag),
        **dict.fromkeys(("httpProxyPort", "socksProxyPort"), _port),
    }),
    "filesystem": _members({}, dict.fromkeys(("allowWrite", "denyWrite", "allowRead", "denyRead"), are_texts)),
    "ignoreViolations": _map_of(_unless_bad(are_texts)),
}  # fmt: skip

SHAPES: dict[str, Shape] = {
    "attribution": _members({}, {"commit": _text, "pr": _text, "sessionUrl": _flag}),
    "enabledPlugins": _unless_bad(_map_of(_flag)),
    "extraKnownMarketplaces": _unless_bad(_map_of(_members({"source": _SOURCE}, {"autoUpdate": _flag}))),
    "fileSuggestion": _members(_COMMAND),
    "pluginConfigs": _map_of(
        _members({}, {"options": _map_of(_OPTION), "mcpServers": _map_of(_unless_bad(_map_of(_OPTION)))})
    ),
    "sandbox": _members({}, _SANDBOX),
    "spinnerVerbs": _members({"mode": _one_of("append", "replace"), "verbs": are_texts}),
    "statusLine": _members(_COMMAND, {"padding": _number, "hideVimModeIndicator": _flag, "refreshInterval": _anything}),
    "worktree": _members(
        {},
        {
            "symlinkDirectories": are_texts,
            "sparsePaths": are_texts,
            "baseRef": _one_of("fresh", "head"),
            "bgIsolation": _anything,
        },
    ),
}
