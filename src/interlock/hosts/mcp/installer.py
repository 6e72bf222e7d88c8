"""Rewrite a client's MCP configuration so that its servers run behind the proxy, and back, byte for byte."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import DecodeError, Struct, json

from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.files.edit import FileChange, apply_changes, may_edit
from interlock.files.jsonedit import JsonNode, insert_item, insert_member, read
from interlock.hosts.claude_code.places import backup_folder, python

__all__ = ["Rewrite", "ServerEntry", "known_files", "plan_unwrap", "plan_wrap", "write"]

HEADERS = "INTERLOCK_MCP_HEADERS"  # where a rewritten configuration keeps them: every user can read a command line

JsonObject: TypeAlias = dict[str, Any]
Path_: TypeAlias = tuple[str, ...]

_MARK = ("-I", "-m", "interlock", "mcp")
# Where the clients keep their servers, each as a map from name to entry; `*` is any key.
_PLACES: tuple[Path_, ...] = (
    ("mcpServers",),  # Claude Code's .mcp.json and ~/.claude.json, Claude Desktop, Cursor, Windsurf
    ("projects", "*", "mcpServers"),  # ~/.claude.json
    ("servers",),  # VS Code's .vscode/mcp.json
    ("mcp", "servers"),  # VS Code's settings.json
)


class ServerEntry(Struct, frozen=True):
    """What happens to one server: its place, and why it is left alone, if it is."""

    path: Path_
    name: str
    left: str = ""


class Rewrite(Struct, frozen=True, kw_only=True):
    """A configuration file as it is and as it would be."""

    file: Path
    before: bytes
    after: bytes
    done: tuple[ServerEntry, ...] = ()
    left: tuple[ServerEntry, ...] = ()
    kept: Mapping[str, tuple[str, str]] = {}  # pointer → the entry as it was, and as we wrote it

    @property
    def is_empty(self) -> bool:
        return self.before == self.after

    def diff(self) -> str:
        before, after = (text.decode("utf-8", "replace").splitlines() for text in (self.before, self.after))
        import difflib  # noqa: PLC0415 - for a person who installs, not for the daemon

        return "\n".join(difflib.unified_diff(before, after, str(self.file), str(self.file), lineterm=""))


def known_files(folder: Path, home: Path) -> list[Path]:
    """The clients' configuration files that exist."""
    places = [
        folder / ".mcp.json",
        folder / ".cursor" / "mcp.json",
        folder / ".vscode" / "mcp.json",
        home / ".claude.json",
        home / ".cursor" / "mcp.json",
        home / ".config" / "Claude" / "claude_desktop_config.json",
        home / "Library" / "Application Support" / "Claude" / "claude_desktop_config.json",
    ]
    return [place for place in places if place.is_file()]


def plan_wrap(file: Path, only: Sequence[str] = (), more: Sequence[str] = ()) -> Rewrite:
    """Put the proxy in front of every server in a file, or of those named. `more` are options for the proxy."""
    text, found = _servers(file, only)
    left = [ServerEntry(path, path[-1], why) for path, node in found if (why := _why_left(node.plain()))]
    taken = [(path, node) for path, node in found if not _why_left(node.plain())]
    new = text
    for path, node in taken:
        new = _wrap(new, path, node.plain(), more)
    root = read(new, str(file))
    kept = {_pointer(path): (_text_of(text, node), _text_of(new, _find(root, path))) for path, node in taken}
    done = tuple(ServerEntry(path, path[-1]) for path, _ in taken)
    return Rewrite(file=file, before=text.encode(), after=new.encode(), done=done, left=tuple(left), kept=kept)


def plan_unwrap(file: Path, only: Sequence[str] = ()) -> Rewrite:
    """Remove the proxy: restore each entry as it was if that is still known, or else rebuild it from its words."""
    text, found = _servers(file, only)
    known = _Originals(file).read()
    new = text
    done: list[ServerEntry] = []
    for path, node in found:
        entry = node.plain()
        if not _is_ours(entry):
            continue
        before, after = known.get(_pointer(path), ("", ""))
        as_we_left_it = bool(before) and _text_of(text, node) == after
        new = _replace(new, path, before if as_we_left_it else _entry_text(text, node, _unwrap(entry)))
        done.append(ServerEntry(path, path[-1]))
    return Rewrite(file=file, before=text.encode(), after=new.encode(), done=tuple(done))


def write(rewrite: Rewrite) -> list[Path]:
    """Write what was planned, and return where the earlier version is kept. Raises InterlockError."""
    if rewrite.is_empty:
        return []
    kept = _Originals(rewrite.file)
    if rewrite.kept:
        kept.write({**kept.read(), **rewrite.kept})
    return apply_changes([FileChange(rewrite.file, rewrite.before, rewrite.after)], backup_folder)


# --- entries -----------------------------------------------------------------------------------------------


def _is_ours(entry: Any) -> bool:
    arguments = entry.get("args") if isinstance(entry, dict) else None
    return isinstance(arguments, list) and tuple(arguments[: len(_MARK)]) == _MARK


def _why_left(entry: Any) -> str:
    if not isinstance(entry, dict):
        return "it is not an object"
    if _is_ours(entry):
        return "it is behind the proxy already"
    if isinstance(entry.get("command"), str):
        arguments = entry.get("args", [])
        if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
            return "its `args` are not a list of texts"
        return ""
    if entry.get("type") == "sse":
        return "it speaks the older HTTP+SSE transport, which the proxy does not"
    if not isinstance(entry.get("url"), str):
        return "it has neither a `command` nor a `url`"
    headers = entry.get("headers", {})
    if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
        return "its `headers` are not a map of texts"
    return ""


def _wrap(text: str, path: Path_, entry: JsonObject, more: Sequence[str]) -> str:
    """The text with one server behind the proxy; of one that is a command, only `command` and `args` change."""
    ours = [*_MARK, "--name", path[-1], *more]
    if "command" not in entry:
        node = _find(read(text), path)
        return _replace(text, path, _entry_text(text, node, _wrapped_url(entry, ours)))
    words = [*ours, "--", entry["command"]]
    text = _replace(text, (*path, "command"), json.encode(str(python())).decode())
    if "args" not in entry:
        return insert_member(text, path, "args", words)
    for index, word in enumerate(words):
        text = insert_item(text, (*path, "args"), word, index)
    return text


def _wrapped_url(entry: JsonObject, ours: Sequence[str]) -> JsonObject:
    kept = {key: value for key, value in entry.items() if key not in ("url", "headers", "type", "env")}
    typed = {"type": "stdio"} if "type" in entry else {}
    secret = {HEADERS: json.encode(entry["headers"]).decode()} if entry.get("headers") else {}
    environment = {**entry.get("env", {}), **secret}
    given = {"env": environment} if environment else {}
    return {**typed, "command": str(python()), "args": [*ours, "--url", entry["url"]], **kept, **given}


def _unwrap(entry: JsonObject) -> JsonObject:
    words: list[str] = entry["args"][len(_MARK) :]
    kept = {key: value for key, value in entry.items() if key not in ("command", "args")}
    if "--" in words:
        command, *arguments = words[words.index("--") + 1 :]
        return {"command": command, "args": arguments, **kept}
    if "--url" not in words[:-1]:
        raise InterlockError(
            "an entry behind the proxy names neither a command nor an address", help="correct it by hand"
        )
    environment = dict(kept.pop("env", {}))
    headers = environment.pop(HEADERS, "")
    new: JsonObject = {**kept, "type": "http", "url": words[words.index("--url") + 1]}
    if headers:
        new["headers"] = json.decode(headers, type=dict[str, str])
    return {**new, "env": environment} if environment else new


# --- the file ----------------------------------------------------------------------------------------------


def _servers(file: Path, only: Sequence[str]) -> tuple[str, list[tuple[Path_, JsonNode]]]:
    body = may_edit(file)
    if body is None:
        raise InterlockError(f"there is no file `{file}`")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InterlockError(f"`{file}` is not UTF-8 text; it is left as it is") from error
    root = read(text, str(file))
    found = [hit for place in _PLACES for hit in _at(root, place, ())]
    if not found:
        raise InterlockError(f"`{file}` names no MCP servers", help="expected `mcpServers` or `servers`")
    names = [path[-1] for path, _ in found]
    for name in only:
        if name not in names:
            raise InterlockError(f"`{file}` names no server `{name}`", help=f"servers: {', '.join(names)}")
    return text, [hit for hit in found if not only or hit[0][-1] in only]


def _at(node: JsonNode, place: Path_, path: Path_) -> Iterator[tuple[Path_, JsonNode]]:
    if not isinstance(node.value, dict):
        return
    if not place:
        yield from (((*path, name), entry) for name, entry in node.value.items())
        return
    for key in list(node.value) if place[0] == "*" else [place[0]]:
        if key in node.value:
            yield from _at(node.value[key], place[1:], (*path, key))


def _find(node: JsonNode, path: Path_) -> JsonNode:
    for step in path:
        node = node.value[step]
    return node


def _text_of(text: str, node: JsonNode) -> str:
    return text[node.start : node.end]


def _replace(text: str, path: Path_, new: str) -> str:
    node = _find(read(text), path)
    return text[: node.start] + new + text[node.end :]


def _entry_text(text: str, node: JsonNode, entry: JsonObject) -> str:
    """An entry as text, indented like the one it replaces."""
    if "\n" not in _text_of(text, node) or not node.children:
        return json.format(json.encode(entry), indent=0).decode()
    margin = _margin(text, node.start)
    step = len(_margin(text, node.children[0].first)) - len(margin)
    written = json.format(json.encode(entry), indent=step if step > 0 else 2).decode()
    return written.replace("\n", f"\n{margin}")


def _margin(text: str, at: int) -> str:
    """The white space at the beginning of the line that `at` is in."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _pointer(path: Path_) -> str:
    return "/".join(step.replace("~", "~0").replace("/", "~1") for step in path)


class _Originals:
    """What a file contained before, so that it can be restored."""

    def __init__(self, file: Path) -> None:
        name = hashlib.sha256(str(file.absolute()).encode()).hexdigest()[:32]
        self._file = state_folder() / "mcp" / "wrapped" / f"{name}.json"

    def read(self) -> dict[str, tuple[str, str]]:
        try:
            return json.decode(self._file.read_bytes(), type=dict[str, tuple[str, str]])
        except (FileNotFoundError, DecodeError):
            return {}
        except OSError as error:
            raise InterlockError(f"cannot read `{self._file}`: {error.strerror}") from error

    def write(self, kept: Mapping[str, tuple[str, str]]) -> None:
        try:
            write_atomically(self._file, json.encode(kept))
        except OSError as error:
            raise InterlockError(f"cannot keep what was there in `{self._file}`: {error.strerror}") from error
