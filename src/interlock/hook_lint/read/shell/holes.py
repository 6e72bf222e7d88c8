"""Texts of which a part is known only at run time.

A text is an ordinary string in which a character of a private range stands for such a part: a hole. Texts are joined,
cut and searched as they are, and what is known of a hole goes with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Path, Span

__all__ = [
    "EVENT",
    "KEYS",
    "NO_HOLE",
    "PLAIN_FIELDS",
    "Ask",
    "Atom",
    "Change",
    "Hole",
    "Holes",
    "has_holes",
    "path_of_key",
]

Change: TypeAlias = Literal["", "case", "other"]

# Values of the event that have no quotes in them.
PLAIN_FIELDS: frozenset[Path] = frozenset({
    ("tool_name",), ("session_id",), ("hook_event_name",), ("permission_mode",), ("stop_hook_active",),
    ("tool_use_id",), ("agent_id",), ("agent_type",), ("cwd",), ("transcript_path",), ("source",), ("prompt_id",),
    ("tool_input", "subagent_type"), ("tool_input", "timeout"), ("tool_input", "run_in_background"),
})  # fmt: skip
_TOP = frozenset({
    "tool_name", "tool_input", "session_id", "cwd", "hook_event_name", "transcript_path", "prompt", "permission_mode",
    "tool_response", "tool_use_id", "stop_hook_active", "message", "source", "reason", "trigger", "agent_id",
    "agent_type", "prompt_id",
})  # fmt: skip
_IN_INPUT = frozenset({
    "command", "file_path", "content", "new_string", "old_string", "notebook_path", "new_source", "path", "pattern",
    "url", "description", "query", "subagent_type", "skill", "edits", "run_in_background", "timeout",
})  # fmt: skip
KEYS = _TOP | _IN_INPUT  # the keys that the JSON of an event has
_FIRST = 0xF0000
_LAST = 0xFFFFD
_HOLE = re.compile("[\U000f0000-\U000ffffd]")
_RUN = re.compile("[\U000f0000-\U000ffffd]+")
_IN_JSON = re.compile('[^"\\\\\U000f0000-\U000ffffd]+')
_MARK = "\ue000"  # in front of a hole that is a value of its own in a JSON text
_MOST_VALUES = 64


class Atom(Struct, frozen=True):
    """One thing that a condition looks at: what has to be found (`sign`) if the condition holds.

    `match`: a value of the event is searched or compared; `presence`: whether a value is there; `flag`: what the
    program has noted itself; `result`: how another program ends; `world`: anything else, such as files.
    """

    kind: Literal["match", "presence", "flag", "result", "world"]
    span: Span
    sign: bool = True
    path: Path | None = None
    equal: str | None = None  # the text that the value is then


class Ask(Struct, frozen=True, kw_only=True):
    """A condition that is decided only at run time.

    `key`: the same for the same question. `failure`: if it does not hold, a command that the rest relies on has failed.
    `code`: the exit code if it does not hold; None if that is not known. `inverted`: it is behind a `!`.
    """

    text: str
    key: str
    span: Span
    atoms: tuple[Atom, ...] = ()
    paths: tuple[Path, ...] = ()
    failure: bool = False
    code: int | None = 1
    inverted: bool = False

    def negation(self) -> Ask:
        """The condition that holds if this one does not."""
        text = self.text[2:] if self.text.startswith("! ") else f"! {self.text}"
        atoms = tuple(replace(atom, sign=not atom.sign) for atom in self.atoms)
        return replace(self, text=text, atoms=atoms, inverted=not self.inverted, code=1)


class Hole(Struct, frozen=True, kw_only=True):
    """What is known of a part of a text."""

    paths: tuple[Path, ...] = ()  # the values of the event that it depends on
    origins: tuple[Path, ...] = ()  # the values of the event that it may be,
    change: Change = ""  # how that was changed
    by_text: bool = False  # that was cut out of the JSON text
    values: tuple[str, ...] = ()  # the texts that it may be; empty if they are not known
    ask: Ask | None = None  # if this holds, it is not empty and not 0; otherwise it is
    status: Ask | None = None  # it is the exit code of this condition
    is_plain: bool = False  # it has no character that JSON would have to escape
    is_json: bool = False  # it is JSON
    document: Any = UNSET  # that JSON
    names: tuple[str, ...] = ()  # the variables of the environment that it comes from
    programs: tuple[str, ...] = ()  # the programs that have printed it


NO_HOLE = Hole()
EVENT = Hole(origins=((),), paths=((),), is_json=True)


def has_holes(text: str) -> bool:
    return not text.isascii() and _HOLE.search(text) is not None


def path_of_key(origin: Path, key: str) -> Path:
    """The value that has a key in the JSON text of another: most are in `tool_input`."""
    if origin == () and key not in _TOP and key in _IN_INPUT:
        return ("tool_input", key)
    return (*origin, key)


class Holes:
    """The holes of one program."""

    def __init__(self) -> None:
        self._all: list[Hole] = []
        self._marks: dict[Any, str] = {}

    def mark(self, hole: Hole = NO_HOLE) -> str:
        """The character that stands for a hole."""
        key: Any = hole if hole.document is UNSET else (replace(hole, document=UNSET), repr(hole.document))
        found = self._marks.get(key)
        if found is None:
            if len(self._all) > _LAST - _FIRST:
                return chr(_LAST)
            found = self._marks[key] = chr(_FIRST + len(self._all))
            self._all.append(hole)
        return found

    def hole(self, mark: str) -> Hole:
        place = ord(mark) - _FIRST
        return self._all[place] if place < len(self._all) else NO_HOLE

    def of(self, text: str) -> list[Hole]:
        """The holes in a text."""
        return [] if text.isascii() else [self.hole(mark) for mark in _HOLE.findall(text)]

    def sole(self, text: str) -> Hole | None:
        """The hole that a text is, if it is nothing else."""
        return self.hole(text) if len(text) == 1 and not text.isascii() and _HOLE.match(text) else None

    def display(self, text: str) -> str:
        """A text as a check reads it: with `…` for what is not known."""
        return text if text.isascii() else _RUN.sub("…", text)

    def paths(self, *texts: str) -> tuple[Path, ...]:
        """The values of the event that texts depend on."""
        return tuple(dict.fromkeys(path for text in texts for hole in self.of(text) for path in hole.paths))

    def names(self, *texts: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for text in texts for hole in self.of(text) for name in hole.names))

    def programs(self, *texts: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for text in texts for hole in self.of(text) for name in hole.programs))

    def choices(self, text: str) -> tuple[str, ...]:
        """The texts that a text may be; empty if they are not known."""
        if not has_holes(text):
            return (text,)
        marks = list(dict.fromkeys(_HOLE.findall(text)))
        found = [text]
        for mark in marks:
            values = self.hole(mark).values
            if not values or len(found) * len(values) > _MOST_VALUES:
                return ()
            found = [one.replace(mark, value) for one in found for value in values]
        return tuple(found)

    def derive(self, *texts: str, **more: Any) -> str:
        """A text that is made from others in a way that is not followed."""
        if texts and not any(has_holes(text) for text in texts) and not more:
            return self.mark(NO_HOLE)
        hole = Hole(
            paths=self.paths(*texts), names=self.names(*texts), programs=self.programs(*texts), change="other", **more
        )
        return self.mark(hole)

    def with_change(self, text: str, change: Change) -> str:
        """A text that is another one with its case changed, or cut."""
        hole = self.sole(text)
        if hole is None:
            return self.derive(text)
        if change == "case" and hole.change == "":
            return self.mark(replace(hole, change="case", values=(), ask=None, document=UNSET))
        return self.mark(replace(hole, change="other", values=(), document=UNSET))

    def one_of(self, texts: Iterable[str], paths: tuple[Path, ...] = ()) -> str:
        """A text that is one of several. `paths`: the values of the event that decide which."""
        some = list(dict.fromkeys(texts))
        if len(some) == 1:
            return some[0]
        known = [one for text in some for one in self.choices(text)]
        whole = all(self.choices(text) for text in some)
        values = tuple(dict.fromkeys(known))[:_MOST_VALUES]
        said = [text for text in some if text.strip() not in ("", "null")]
        if len(said) == 1 and has_holes(said[0]) and self.sole(said[0]) is not None:
            return said[0]
        holes = [self.sole(text) for text in said]
        origins: tuple[Path, ...] = ()
        if holes and all(hole is not None and hole.origins for hole in holes):
            origins = tuple(dict.fromkeys(path for hole in holes if hole is not None for path in hole.origins))
        changes = {hole.change for hole in holes if hole is not None}
        hole = Hole(
            paths=tuple(dict.fromkeys((*self.paths(*some), *paths))),
            origins=origins,
            change=changes.pop() if len(changes) == 1 else "other",
            by_text=bool(origins) and all(hole is not None and hole.by_text for hole in holes),
            values=values if whole else (),
            is_plain=all(self.is_plain(text) for text in some),
            names=self.names(*some),
            programs=self.programs(*some),
        )
        return self.mark(hole)

    def is_plain(self, text: str) -> bool:
        """Whether a text can be put between the quotes of JSON as it is."""
        if any(sign in text for sign in '"\\\n'):
            return False
        for hole in self.of(text):
            if hole.is_plain:
                continue
            if not hole.values or any(sign in value for value in hole.values for sign in '"\\\n'):
                return False
        return True

    # JSON.

    def json_in(self, text: str) -> tuple[Any, bool] | None:
        """The JSON that a text is, and whether pieces that may break it are put together in it; None if it is not JSON.

        A value that is known only at run time is UNKNOWN. So is the whole text if it may or may not be JSON.
        """
        stripped = text.strip()
        if not stripped:
            return None
        hole = self.sole(stripped)
        if hole is not None:
            return None if hole.document is UNSET else (hole.document, False)
        if stripped[0] not in "{[":
            return None
        if stripped.isascii() or not has_holes(stripped):
            try:
                return json.loads(stripped), False
            except (ValueError, RecursionError):
                return None
        marked, by_parts = self._mark_holes(stripped)
        try:
            return self._plain(json.loads(marked)), by_parts
        except (ValueError, RecursionError):
            return (UNKNOWN, by_parts) if stripped[0] == "{" and self._may_be_json(stripped) else None

    def _may_be_json(self, text: str) -> bool:
        """Whether a hole is where JSON would have more than one value: `{"a": 1 …}`."""
        return text.rstrip()[-1:] == "}" or _HOLE.match(text.rstrip()[-1:]) is not None

    def _mark_holes(self, text: str) -> tuple[str, bool]:
        """A JSON text in which each hole is a value, or a part of one."""
        parts: list[str] = []
        inside = by_parts = False
        at = 0
        while at < len(text):
            if found := _IN_JSON.match(text, at):
                parts.append(found[0])
                at = found.end()
                continue
            sign = text[at]
            at += 1
            if sign == '"':
                inside = not inside
            elif sign == "\\":
                sign = text[at - 1 : at + 1]
                at += 1
            elif inside:
                by_parts = by_parts or not self.is_plain(sign)
            else:
                sign = f'"{_MARK}{sign}"'
            parts.append(sign)
        return "".join(parts), by_parts

    def _plain(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {self._key(key): self._plain(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._plain(one) for one in value]
        if isinstance(value, str):
            if value.startswith(_MARK):
                hole = self.sole(value[1:])
                return UNKNOWN if hole is None or hole.document is UNSET else hole.document
            return self.value_of(value)
        return value

    def _key(self, key: str) -> str:
        return ANY_KEY if has_holes(key) else key

    def value_of(self, text: str) -> Any:
        """A text as a value of JSON."""
        if text.isascii():
            return text
        if not has_holes(text):
            return text
        choices = self.choices(text)
        if len(choices) == 1:
            return choices[0]
        return UNKNOWN if _RUN.fullmatch(text.strip()) else self.display(text)
