"""What all steps of a run of jq share: what is known of values, and the conditions on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from interlock.hook_lint.program import ANY_KEY, UNKNOWN, Path, Span
from interlock.hook_lint.read.shell.holes import PLAIN_FIELDS, Ask, Atom, Hole, Holes, has_holes
from interlock.hook_lint.read.shell.jq.grammar import Jq
from interlock.hook_lint.read.shell.jq.values import (
    HoleValue,
    Input,
    JqScope,
    Way,
    flat,
    has_unknown,
    join_ways,
    value_of,
)
from interlock.hook_lint.read.shell.notes import ShellNotes

__all__ = ["MOST_VALUES", "MOST_WAYS", "JqReader"]

MOST_WAYS = 12
MOST_VALUES = 64
MOST_STEPS = 4_000
MOST_LEVELS = 60


class JqReader:
    """One run of one program, without the steps, which build on it."""

    def __init__(
        self,
        text: str,
        holes: Holes,
        notes: ShellNotes,
        span: Callable[[int, int], Span],
        *,
        rest: Input = None,
    ) -> None:
        self.source = text
        self.holes = holes
        self.notes = notes
        self.span = span
        self.rest = rest  # what `input` gives
        self.steps = 0
        self.level = 0

    def run(self, program: Jq, given: Input, variables: Mapping[str, Input]) -> list[Way]:
        return self.ways(program, given, JqScope(variables))

    def ways(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        """What a part gives, on each way through it."""
        self.steps += 1
        if self.steps > MOST_STEPS or self.level > MOST_LEVELS:
            return [Way(values=(self.unknown(given),))]
        self.level += 1
        ways = self.step(node, given, scope)
        self.level -= 1
        return ways if len(ways) <= MOST_WAYS else [self._any_of(ways)]

    def step(self, node: Jq, given: Input, scope: JqScope) -> list[Way]:
        raise NotImplementedError

    def _any_of(self, ways: list[Way]) -> Way:
        """One way in the place of too many: what it gives is not known."""
        values = [value for way in ways for value in way.values]
        return Way(values=(self.unknown(*values),))

    def values(self, node: Jq, given: Input, scope: JqScope) -> list[Input]:
        """What a part gives on any of the ways."""
        found = [value for way in self.ways(node, given, scope) for value in way.values]
        return found[:MOST_VALUES]

    def one(self, node: Jq, given: Input, scope: JqScope) -> Input:
        """What a part gives, as one value."""
        found = self.values(node, given, scope)
        if len(found) == 1:
            return found[0]
        return self.unknown(*found) if found else None

    def then(self, ways: Iterable[Way], next_: Callable[[Input], list[Way]]) -> list[Way]:
        """Go on with each value that some ways give."""
        found: list[Way] = []
        for way in ways:
            done = [Way(way.conditions, (), way.code, way.said)]
            if way.code is None:
                for value in way.values:
                    behind = next_(value)
                    done = [
                        join_ways(one, other) for one in done for other in (behind if one.code is None else [Way()])
                    ]
                    if len(done) > MOST_WAYS:
                        done = [self._any_of(done)]
            found += done
        return found

    # What is known of values.

    def unknown(self, *values: Input, **more: Any) -> HoleValue:
        """A value that is made of others in a way that is not followed."""
        names = [name for one in flat(values) if isinstance(one, HoleValue) for name in one.hole.names]
        names += self.holes.names(*self._texts(values))
        hole = Hole(paths=self.paths(*values), names=tuple(dict.fromkeys(names)), change="other", **more)
        return HoleValue(hole)

    def _texts(self, values: Iterable[Input]) -> list[str]:
        return [one for one in flat(values) if isinstance(one, str)]

    def paths(self, *values: Input) -> tuple[Path, ...]:
        """The values of the event that these are made of."""
        found: dict[Path, None] = {}
        for one in flat(values):
            if isinstance(one, HoleValue):
                found.update(dict.fromkeys(one.hole.paths))
            elif isinstance(one, str):
                found.update(dict.fromkeys(self.holes.paths(one)))
        return tuple(found)

    def text(self, value: Input) -> str:
        """A value as a text, as `tostring` has it."""
        if isinstance(value, str):
            return value
        if isinstance(value, HoleValue):
            return self.holes.mark(value.hole)
        return self.json(value)

    def json(self, value: Input) -> str:
        """A value as JSON."""
        plain = self.plain(value)
        if isinstance(value, HoleValue):
            return self.holes.mark(replace(value.hole, is_json=True))
        if not has_unknown(value, self.holes):
            return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        names = self.holes.names(*self._texts([value]))
        return self.holes.mark(Hole(paths=self.paths(value), names=names, is_json=True, document=plain))

    def plain(self, value: Input) -> Any:
        """A value as a check sees it."""
        if isinstance(value, HoleValue):
            return UNKNOWN if value.hole.document is UNSET else value.hole.document
        if isinstance(value, str):
            return self.holes.value_of(value)
        if isinstance(value, dict):
            return {ANY_KEY if has_holes(key) else key: self.plain(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.plain(one) for one in value]
        return value

    def value_of(self, text: str) -> Input:
        """The value that a JSON text is."""
        hole = self.holes.sole(text.strip())
        if hole is not None:
            return value_of(hole.document) if hole.document is not UNSET else HoleValue(hole)
        try:
            return json.loads(text) if not has_holes(text) else self.unknown(text)
        except (ValueError, RecursionError):
            return self.unknown(text)

    def field(self, value: Input, key: Input, place: Jq, *, note: bool = True) -> Input:
        """What is at a key of a value."""
        if isinstance(value, dict):
            if isinstance(key, str) and not has_holes(key):
                return value.get(key, self.unknown(*value.values()) if ANY_KEY in value else None)
            return self.unknown(*value.values())
        if isinstance(value, list):
            if isinstance(key, int) and -len(value) <= key < len(value):
                return value[key]
            return self.unknown(*value) if not isinstance(key, int) else None
        if not isinstance(value, HoleValue):
            return None
        hole = value.hole
        if hole.origins and (hole.change == "" or hole.is_json):
            name = key if isinstance(key, str) and not has_holes(key) else ANY_KEY
            paths = tuple((*origin, name) for origin in hole.origins)
            if note:
                for path in paths:
                    self.notes.read(path, self.place(place), tuple(one for one in paths if one != path))
            plain = all(path in PLAIN_FIELDS for path in paths)
            return HoleValue(Hole(paths=paths, origins=paths, names=hole.names, is_plain=plain))
        return self.unknown(value)

    def place(self, node: Jq) -> Span:
        return self.span(node.start, node.end)

    # Conditions.

    def same(self, node: Jq, sign: bool, hole: Hole, values: tuple[str, ...]) -> HoleValue:
        """A value of the event that is compared with texts."""
        span = self.place(node)
        for origin in hole.origins:
            if hole.change == "" and origin:
                self.notes.compare(origin, values, span)
        path = hole.origins[0] if len(hole.origins) == 1 else None
        atom = Atom("match" if hole.paths else "world", span, sign, path, values[0] if len(values) == 1 else None)
        return self.flag(self.ask(node, [atom], HoleValue(hole), *values))

    def flag(self, ask: Ask) -> HoleValue:
        """A value that is true if a condition holds."""
        return HoleValue(Hole(paths=ask.paths, ask=ask, change="other", is_plain=True))

    def ask(self, node: Jq, atoms: Iterable[Atom], *values: Input) -> Ask:
        """The condition that a part is, about these values."""
        text = self.text_of(node)
        key = "\0".join((text, *(self.text(value) for value in values)))
        return Ask(text=text, key=key, span=self.place(node), atoms=tuple(atoms), paths=self.paths(*values))

    def text_of(self, node: Jq) -> str:
        """A part as it is written."""
        return " ".join(self.source[node.start : node.end].split())

    def truth(self, value: Input, node: Jq) -> bool | Ask:
        """Whether a value counts as true."""
        if isinstance(value, HoleValue):
            if value.hole.ask is not None:
                return value.hole.ask
            kind: Literal["presence", "world"] = "presence" if value.hole.paths else "world"
            path = value.hole.origins[0] if len(value.hole.origins) == 1 else None
            return self.ask(node, [Atom(kind, self.place(node), path=path)], value)
        return value is not None and value is not False

    def all_of(self, node: Jq, asks: list[Ask]) -> Ask:
        """The condition that several make."""
        atoms = dict.fromkeys(replace(atom, equal=None) for ask in asks for atom in ask.atoms)
        return self.ask(node, atoms, *(HoleValue(Hole(paths=ask.paths, ask=ask)) for ask in asks))
