"""Where the reading of a Python text stands: names and what they may mean, what was found, what may still be spent."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from interlock.facts.code.python.values import (
    ANY,
    HIDDEN,
    Choice,
    Class,
    Func,
    Ref,
    StartedProgram,
    Value,
    alternatives,
    elements,
    join,
    path_text,
    paths_of,
    texts_of,
)
from interlock.facts.effects import CodeEffects
from interlock.facts.limits import INLINED, ROUNDS, VALUE, Limit
from interlock.facts.shell import UNKNOWN

__all__ = ["FOLDER", "MISSING", "Frame", "ReadingState"]

MISSING = object()
FOLDER = ""  # the name under which the folder stands that the program has gone to
_VALUE = "${PYTHON_VALUE}"  # a shell's way to write what nobody knows
_WEB = re.compile(r"(?i)(?:https?|ftps?|wss?)://[^\s'\"`\\<>]+")
_NUMBERS = frozenset({int, float, bool, type(None)})
UNKNOWN_PROGRAM = "runs a program that is not known before it runs"
UNKNOWN_TEXT = "evaluates a text that is not known before it runs"


class Frame:
    """The names of a module, a class or a function, and of what is around it."""

    __slots__ = ("names", "of", "outer", "owner", "results", "shared", "yields")

    def __init__(self, outer: Frame | None, owner: Class | None = None) -> None:
        self.names: dict[str, Value] = {}
        self.outer = outer
        self.owner = owner  # the class whose body this is
        self.of: Class | None = None  # the class whose method this is
        self.shared: dict[str, Frame] = {}  # names that `global` and `nonlocal` give to another frame
        self.results: list[Value] = []
        self.yields: list[Value] = []


class ReadingState:
    """What is known while a text is read."""

    def __init__(self, text: str, effects: CodeEffects) -> None:
        self.effects = effects
        self.text = text
        self.top = Frame(None)
        self.frame = self.top
        self.stars: list[str] = []  # modules whose names are all taken in
        self.patched: dict[str, Value] = {}  # what was put into modules
        self.loose: dict[str, Value] = {}  # what was put into objects that are not known, by its name there
        self.functions: dict[ast.AST, Func] = {}
        self.depth = 0
        self.endless = 0  # loops around here that nothing ends
        self.rounds = 0  # of loops that are gone through one by one
        self.version = 0  # how often a name of the module got a value that matters
        self.missed = False  # a name was read that has no value yet
        self._log: list[tuple[dict[str, Value], str, Value]] | None = None
        self._left = INLINED.most
        self._lost: set[str] = set()

    # --- what is spent -----------------------------------------------------------------------------------------------

    def spend(self, steps: int = 1) -> bool:
        """Whether something may be gone through once more."""
        self._left -= steps
        if self._left < 0:
            self.reach(INLINED)
            return False
        return True

    def can_unroll(self, steps: int) -> bool:
        """Whether there is enough left to go through each round of a loop apart: together, nothing is missed either."""
        return self._left > INLINED.most // 2 + steps and self.spend(steps)

    def reach(self, limit: Limit) -> None:
        """Note a limit once."""
        if limit.name not in self._lost:
            self._lost.add(limit.name)
            self.effects.reach(limit)

    def too_many(self) -> None:
        """Note that a value has more forms than are kept apart."""
        self.reach(ROUNDS)

    def one_item(self, value: Value) -> Value:
        """What each item of a value is."""
        found = elements(value)
        if found is None:
            self.too_many()
            return ANY
        return found

    def too_long(self) -> None:
        """Note that a value is longer than is worked out."""
        self.reach(VALUE)

    def opaque(self, why: str) -> None:
        """Note why the text cannot be read, if nothing else said so before."""
        if not self.effects.opaque:
            self.effects.opaque = why

    # --- names -------------------------------------------------------------------------------------------------------

    def bind(self, name: str, value: Value) -> None:
        """Give a name of this frame a value."""
        frame = self.frame
        if frame.shared and name in frame.shared:
            frame = frame.shared[name]
        self.put(frame.names, name, value)

    def put(self, names: dict[str, Value], name: str, value: Value) -> None:
        """Give a name of some frame a value."""
        if names is self.top.names and value is not ANY and type(value) not in _NUMBERS:
            self.version += 1
        if self._log is not None:
            self._log.append((names, name, names.get(name, MISSING)))
        names[name] = value

    def look_up(self, name: str) -> Value:
        """What a name stands for; MISSING if nothing in the text says so."""
        frame: Frame | None = self.frame
        while frame is not None:
            found = frame.names.get(name, MISSING)
            if found is not MISSING and (frame.owner is None or frame is self.frame):
                return found
            if frame.shared and name in frame.shared:
                return frame.shared[name].names.get(name, MISSING)
            frame = frame.outer
        return MISSING

    def one_of(self, blocks: Iterable[Callable[[], None]], *, one_runs: bool) -> None:
        """Go through blocks of which one runs, or perhaps none: afterwards a name may mean what any of them made it."""
        outer = self._log
        found: dict[tuple[int, str], tuple[dict[str, Value], str, Value, list[Value]]] = {}
        number = 0
        for block in blocks:
            number += 1
            log: list[tuple[dict[str, Value], str, Value]] = []
            self._log = log
            block()
            firsts: dict[tuple[int, str], tuple[dict[str, Value], str, Value]] = {}
            for change in log:
                firsts.setdefault((id(change[0]), change[1]), change)
            for key, (names, name, old) in firsts.items():
                found.setdefault(key, (names, name, old, []))[3].append(names.get(name, MISSING))
                if old is MISSING:
                    names.pop(name, None)
                else:
                    names[name] = old
        self._log = outer
        for names, name, old, finals in found.values():
            if len(finals) < number or not one_runs:
                finals.append(old)
            known = [value for value in finals if value is not MISSING]
            if known:
                value = known[0]
                for other in known[1:]:
                    value = join(value, other, self.too_many)
                self.put(names, name, value)

    def perhaps(self, block: Callable[[], None]) -> list[Value]:
        """Go through a block that may stop anywhere; every name may then have any value it had. Returns new values."""
        outer, self._log = self._log, []
        block()
        log, self._log = self._log, outer
        values: dict[tuple[int, str], tuple[dict[str, Value], str, Value]] = {}
        first: dict[tuple[int, str], Value] = {}
        for names, name, old in log:
            key = (id(names), name)
            first.setdefault(key, old)
            value = names.get(name, MISSING) if key not in values else values[key][2]
            if old is not MISSING:
                value = old if value is MISSING else join(value, old, self.too_many)
            values[key] = (names, name, value)
        changed = []
        for key, (names, name, value) in values.items():
            if first[key] is MISSING:
                names.pop(name, None)
            else:
                names[name] = first[key]
            if value is not MISSING:
                self.put(names, name, value)
                if first[key] is not MISSING and _matters(value):
                    changed.append((names, name, value))
        return changed

    def widen(self, changed: list[Value]) -> None:
        """Say of names that go on changing that nobody knows what they are."""
        for names, name, before in changed:
            now = names.get(name, MISSING)
            if now is not before and now is not MISSING and len(alternatives(now)) > len(alternatives(before)):
                self.put(names, name, join(now, ANY))

    # --- what is found -----------------------------------------------------------------------------------------------

    def place(self, paths: list[str]) -> list[str]:
        """Paths as they are seen from where the program has gone to."""
        folder = self.top.names.get(FOLDER)
        if folder is None:
            return paths
        return [
            path if path.startswith(("/", "~", UNKNOWN)) else f"{base.rstrip('/')}/{path}"
            for path in paths for base in paths_of(folder)
        ]  # fmt: skip

    def reads(self, value: Value) -> None:
        for path in self.place(paths_of(value)):
            if found := _WEB.match(path):
                self.reaches(found[0])
            else:
                self.effects.reads.append(path)

    def writes(self, value: Value) -> None:
        self.effects.writes += self.place(paths_of(value))

    def deletes(self, value: Value) -> None:
        self.effects.deletes += self.place(paths_of(value))

    def reaches(self, *values: Value, sends: bool = False) -> None:
        """Note that an address is reached, and whether something goes there."""
        self.effects.traits.add("network")
        for value in values:
            for text in texts_of(value):
                urls = _WEB.findall(text)
                self.effects.urls += urls
                # What is put into an address goes there as well.
                sends = sends or any(UNKNOWN in url for url in urls)
        self.effects.sends = self.effects.sends or sends

    def runs_text(self, value: Value, folder: Value = None, given: Value = None) -> StartedProgram:
        """Note that a shell is given a text."""
        lines = []
        for text in texts_of(value):
            if UNKNOWN in text:
                self.opaque(UNKNOWN_PROGRAM)
            if text.strip(UNKNOWN + " "):
                lines.append(text.replace(UNKNOWN, _VALUE))
        return self._start(lines, folder, given)

    def runs_words(
        self, words: Value, folder: Value = None, given: Value = None, env: Value = None, program: Value = None
    ) -> StartedProgram:
        """Note that a program is started with its words; `program` is the file, if that is said apart."""
        ways: list[list[str]] = []
        for one in alternatives(words):
            if type(one) in (list, tuple) and one:
                ways += self._each_way([program, *one[1:]] if program is not None else list(one))
            elif program is not None:
                ways += [[path, UNKNOWN] for path in texts_of(program)]
            else:
                ways += [[text] for text in texts_of(one)]
        before = _settings(env)
        lines = []
        for way in ways:
            if UNKNOWN in way[0]:
                self.opaque(UNKNOWN_PROGRAM)
            elif way[0]:
                lines.append(before + " ".join(map(quote, way)))
        return self._start(lines, folder, given)

    def _each_way(self, words: list[Value]) -> list[list[str]]:
        ways: list[list[str]] = [[]]
        for word in words:
            texts = _words(word)
            if len(ways) * len(texts) > ROUNDS.most:
                self.too_many()
                texts = [UNKNOWN]
            ways = [[*way, text] for way in ways for text in texts]
        return ways

    def _start(self, lines: list[str], folder: Value, given: Value) -> StartedProgram:
        feeds = [""] if given is None else [f" <<< {quote(text)}" for text in texts_of(given)]
        lines = [line + feed for line in lines for feed in feeds]
        inner = self.place(paths_of(folder)) if folder is not None and folder is not ANY else []
        folders = inner or ([] if self.top.names.get(FOLDER) is None else paths_of(self.top.names[FOLDER]))
        if folders:
            lines = [f"cd {quote(where)} && {line}" for line in lines for where in folders]
        self.effects.shell += lines
        return StartedProgram(lines)


def _matters(value: Value) -> bool:
    """Whether it could be a path, a command or something to call."""
    return any(type(one) not in (int, float, bool, type(None)) and one is not ANY for one in alternatives(value))


def _words(value: Value) -> list[str]:
    kind = type(value)
    if kind is int or kind is float:
        return [str(value)]
    if kind is Ref and value is not HIDDEN:
        return [{"sys.executable": "python3"}.get(value.name, UNKNOWN)]
    return texts_of(value) if kind is Choice else [path_text(value)]


def _settings(env: Value) -> str:
    """Variables that a program is given, as a shell sets them."""
    if type(env) is not dict:
        return ""
    return "".join(
        f"{name}={quote(path_text(value))} "
        for name, value in env.items()
        if type(name) is str and name.isidentifier() and value is not ANY
    )


def quote(word: str) -> str:
    """A word as a shell reads it back."""
    if UNKNOWN in word:
        return "".join(
            f'"{_VALUE}"' if part == UNKNOWN else quote(part) for part in re.split(f"({UNKNOWN})", word) if part
        )
    if word.startswith("~/"):
        return "~/" + quote(word[2:]) if word[2:] else word
    return word if re.fullmatch(r"[\w./:=@%+-]+", word) else "'" + word.replace("'", "'\\''") + "'"
