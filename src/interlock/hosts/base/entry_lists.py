"""Put entries into the lists of a host's JSON file and take them out, without touching any other byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from interlock.errors import InterlockError
from interlock.files import jsonedit
from interlock.files.jsonedit import JsonNode, Step
from interlock.hosts.base.setup import EntryFile

__all__ = ["Keys", "Place", "add_entries", "entries_in", "new_text", "read_lists", "take_entries", "texts_in"]

Keys: TypeAlias = tuple[str, ...]
Place: TypeAlias = tuple[Step, ...]
IsOurs: TypeAlias = Callable[[Any], bool]


def read_lists(text: str, file: EntryFile) -> JsonNode:
    """The content of a host's file. Raises InterlockError for what cannot be edited without losing something.

    And for what the host would not read: Codex drops a file with a byte order mark, and runs every call.
    """
    if text.startswith(jsonedit.BOM) and not file.bom:
        help = "save it as UTF-8 without that mark, then run this again; the file is left as it is"
        raise InterlockError(f"cannot edit `{file.path}`: the agent does not read it with a byte order mark", help=help)
    try:
        root = jsonedit.read(text, str(file.path), jsonc=file.jsonc)
    except InterlockError as error:
        why = error.message.removeprefix("not valid JSON: ")
        help = f"{error.help}, then run this again; the file is left as it is"
        raise InterlockError(f"cannot edit `{file.path}`: {why}", error.source, help, error.line) from error
    if not isinstance(root.value, dict):
        help = "correct it by hand, then run this again; the file is left as it is"
        raise InterlockError(f"cannot edit `{file.path}`: it is not a JSON object", help=help)
    return root


def new_text(file: EntryFile) -> str:
    """A file that has nothing but what every such file has."""
    text = "{}\n"
    for key, value in file.start.items():
        text = jsonedit.insert_member(text, (), key, value)
    return text


def add_entries(text: str, file: EntryFile) -> tuple[str, tuple[Keys, ...]]:
    """The text with all entries that are missing, and the keys that were created for them."""
    made: list[Keys] = []
    for keys, item in file.entries:
        for depth in range(1, len(keys)):
            text, new = _with_key(text, file, keys[:depth], {})
            made += [keys[:depth]] if new else []
        text, new = _with_key(text, file, keys, [])
        made += [keys] if new else []
        listed = _at(read_lists(text, file), keys).plain()
        if item not in listed:
            text = jsonedit.insert_item(text, keys, item, 0 if file.first else None, jsonc=file.jsonc)
    return text, tuple(made)


def _with_key(text: str, file: EntryFile, keys: Keys, empty: dict[str, Any] | list[Any]) -> tuple[str, bool]:
    """The text with an object or a list under these keys, and whether it is new."""
    holder = _at(read_lists(text, file), keys[:-1])
    found = holder.value.get(keys[-1])
    if found is None:
        return jsonedit.insert_member(text, keys[:-1], keys[-1], empty, jsonc=file.jsonc), True
    if not isinstance(found.value, type(empty)):
        kind = "an array" if isinstance(empty, list) else "an object"
        raise InterlockError(
            f"`{'.'.join(keys)}` is not {kind}; the file is left as it is",
            found.source(str(file.path)),
            f"make it {kind}, then run this again",
        )
    return text, False


def _at(node: JsonNode, keys: Iterable[Step]) -> JsonNode:
    for key in keys:
        node = node.value[key]
    return node


def entries_in(root: JsonNode, lists: Iterable[Keys], is_ours: IsOurs) -> list[tuple[Place, Any]]:
    """Interlock's items in these lists: where each is, and what it says. A list that is not there has none.

    A person may have put their own beside one of Interlock's in the same group: then only that part is Interlock's.
    """
    found: list[tuple[Place, Any]] = []
    for keys in dict.fromkeys(lists):
        node: JsonNode | None = root
        for key in keys:
            node = node.value.get(key) if node is not None and isinstance(node.value, dict) else None
        if node is not None and isinstance(node.value, list):
            found += _ours_in(node, keys, is_ours)
    return found


def _ours_in(listed: JsonNode, place: Place, is_ours: IsOurs) -> Iterator[tuple[Place, Any]]:
    for number, item in enumerate(listed.value):
        here = (*place, number)
        if is_ours(_without_lists(item)):
            yield here, item.plain()
            continue
        parts = list(_lists_under(item, here))
        inside = [one for path, node in parts for one in _ours_in(node, path, is_ours)]
        if inside and len(inside) == sum(len(node.value) for _, node in parts):
            yield here, item.plain()  # nothing of another is in it
        else:
            yield from inside


def _without_lists(node: JsonNode) -> Any:
    if isinstance(node.value, dict):
        return {key: _without_lists(one) for key, one in node.value.items() if not isinstance(one.value, list)}
    return node.plain() if not isinstance(node.value, list) else None


def _lists_under(node: JsonNode, place: Place) -> Iterator[tuple[Place, JsonNode]]:
    if isinstance(node.value, list):
        yield place, node
    elif isinstance(node.value, dict):
        for key, one in node.value.items():
            yield from _lists_under(one, (*place, key))


def take_entries(text: str, file: EntryFile, places: Sequence[Place], drops: Callable[[Keys], bool]) -> str:
    """The text without the items at these places, and without empty lists and objects whose keys `drops` names."""
    for place in sorted(places, key=_order, reverse=True):
        text = jsonedit.remove(text, place, jsonc=file.jsonc)
    lists = dict.fromkeys(_keys_of(place) for place in places)
    for keys in lists:
        for depth in range(len(keys), 0, -1):
            held = _at(jsonedit.read(text, jsonc=file.jsonc), keys[: depth - 1]).value
            if keys[depth - 1] not in held or held[keys[depth - 1]].value or not drops(keys[:depth]):
                break
            text = jsonedit.remove(text, keys[:depth], jsonc=file.jsonc)
    return text


def _order(place: Place) -> tuple[tuple[str, int], ...]:
    return tuple(("", step) if isinstance(step, int) else (step, 0) for step in place)


def _keys_of(place: Place) -> Keys:
    """The keys that lead to the outermost list."""
    keys: list[str] = []
    for step in place:
        if isinstance(step, int):
            break
        keys.append(step)
    return tuple(keys)


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)
