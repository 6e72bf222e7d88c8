"""Read descriptions: each entry becomes a `Program`, with `like`, inherited options and phrases written out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from interlock.errors import Source, did_you_mean
from interlock.facts.programs.lexicon import known_programs, program_of
from interlock.facts.programs.readers import reader_of, rewrite_of
from interlock.facts.programs.table import Clause, Program, Service
from interlock.policy.positions import Node
from interlock.policy.programs.cases import ProgramCase, read_cases
from interlock.policy.programs.keys import (
    CLAUSE_CONDITIONS,
    CLAUSE_KEYS,
    ENTRY_KEYS,
    SERVICES,
    SHIPPED_KEYS,
    STDIN,
    example_of,
)
from interlock.policy.programs.phrases import Phrases, read_phrases
from interlock.policy.programs.words import flag_traits, option_words, roles, texts, trait_words
from interlock.policy.reader import Reader, value_text

__all__ = ["Description", "EntryReader", "FindProgram", "read_programs"]

FindProgram: TypeAlias = Callable[[str], Program | None]
_NAME = re.compile(r"[^\s/\0]+")
_NOTHING = Program()
# Of a service nothing is parsed but its words.
_SERVICE = ("about", "cases", "does", "like", "options", "reader", "runs-here", "service", "single-dash")


class Description(Struct, frozen=True):
    """One entry, read."""

    names: tuple[str, ...]
    program: Program
    source: Source
    family: str = ""
    about: str = ""
    cases: tuple[ProgramCase, ...] = ()


def read_programs(
    node: Node, reader: Reader, *, shipped: bool = False, family: str = "", find: FindProgram = program_of
) -> list[Description]:
    """The descriptions in a map of entries. `find` has the programs that `like` may name beside those of the map."""
    return EntryReader(node, reader, shipped=shipped, find=find).read(family)


class EntryReader:
    """Reads the entries of one map. What `like` names is read first, wherever it stands."""

    def __init__(self, node: Node, reader: Reader, *, shipped: bool, find: FindProgram) -> None:
        self._node = node
        self._reader = reader
        self._keys = {**ENTRY_KEYS, **SHIPPED_KEYS} if shipped else ENTRY_KEYS
        self._shipped = shipped
        self._find = find
        self._nodes: dict[str, tuple[str, Node]] = {}  # by each name: all names, and the entry
        self._made: dict[str, Program] = {}
        self._making: list[str] = []
        self._entries = reader.mapping(node, "`programs`")
        self._learn()

    def read(self, family: str = "") -> list[Description]:
        """Every entry of the map."""
        found = []
        for key, entry in self._entries.items():
            program = self._program(key, entry)
            parts = entry.value if isinstance(entry.value, dict) else {}
            about = self._reader.text(parts["about"], "`about`", example_of("about")) if "about" in parts else None
            cases = read_cases(self._reader, parts["cases"]) if "cases" in parts else ()
            names = tuple(key.split())
            found.append(Description(names, program, self._place(key, entry), family, about or "", cases))
        return found

    def _place(self, key: str, entry: Node) -> Source:
        return self._node.keys.get(key, entry.source)

    def _learn(self) -> None:
        """Note which entry has which names."""
        for key, entry in self._entries.items():
            place = self._place(key, entry)
            if not key.split():
                self._reader.complain("a program without a name", place, "write `ourctl: {…}`")
            for name in key.split():
                if not _NAME.fullmatch(name):
                    base = name.rstrip("/").rpartition("/")[2] or "ourctl"
                    help = f"write `{base}`: a description is for a program by its bare name"
                    self._reader.complain(f"`{name}` is a path", place, help)
                elif name in self._nodes:
                    self._reader.complain(f"`{name}` is described twice", place, "put both descriptions together")
                else:
                    self._nodes[name] = (key, entry)

    def find(self, name: str) -> Program | None:
        """A program of this map by one of its names."""
        return self._program(*self._nodes[name]) if name in self._nodes else None

    def _program(self, key: str, entry: Node) -> Program:
        if key not in self._made:
            self._making.append(key)
            self._made[key] = self._form(entry, [], f"`{_short(key)}`")
            self._making.pop()
        return self._made[key]

    # --- one entry or form -------------------------------------------------------------------------------

    def _form(self, node: Node, inherited: list[str], what: str, *, single_dash: bool = False) -> Program:
        """An entry or a form of one. `inherited`, `single_dash`: the options around it, and how they are written."""
        reader = self._reader
        parts = reader.mapping(node, f"the entry of {what}", "say what it does: `{does: read-only}`, for example")
        reader.unknown_keys(node, self._keys, f"the entry of {what}", "program")
        base = self._like(parts["like"], what) if "like" in parts else _NOTHING
        own = option_words(reader, parts["options"]) if "options" in parts else []
        if "service" in parts:
            return self._service(node, parts, own, base)
        single = (
            reader.flag(parts["single-dash"], "`single-dash`") if "single-dash" in parts else single_dash or base.long
        )
        around = [] if self._is_false(parts, "inherits") else inherited
        passed = [*around, *own]
        phrases = read_phrases(reader, parts["does"]) if "does" in parts else Phrases((), {})
        forms = self._forms(parts["forms"], passed, phrases, what, single_dash=single) if "forms" in parts else {}
        forms |= phrases.forms([*passed, "*"], single_dash=single)
        if "does" in parts and isinstance(parts["does"].value, dict) and phrases.has_bare and not (forms or base.subs):
            said = " ".join(phrases.bare)
            message = f'{what} has no subcommand, so `""` would say `{said}` of whatever it is told'
            help = f'write `does: {said}` if that is meant, or what it does with other words: `changes: ["*"]`'
            reader.complain(message, parts["does"].source, help)
        leading = option_words(reader, parts["leading"]) if "leading" in parts else []
        if leading and not forms and not base.subs:
            reader.complain(f"{what} has no subcommands", parts["leading"].source, "write `options`")
        program = replace(
            base,
            options=_join([*around, *base.options.split(), *leading, *own]),
            subs={**_without(base.subs, forms), **forms},
            long=single,
        )
        told: dict[str, Any] = {}
        if "does" in parts:
            told["traits"] = " ".join(phrases.bare)
        if "operands" in parts:
            told["operands"] = roles(reader, parts["operands"], "`operands`")
        if "stdin" in parts:
            told["stdin"] = reader.one_of(parts["stdin"], "`stdin`", STDIN) or "data"
        if "when" in parts:
            told["when"] = self._clauses(parts["when"], single_dash=single)
        for key in ("stops", "help", "brief"):
            if key in parts:
                told[key] = reader.flag(parts[key], f"`{key}`")
        return replace(program, **told, **self._readers(parts))

    def _is_false(self, parts: dict[str, Node], key: str) -> bool:
        return key in parts and not self._reader.flag(parts[key], f"`{key}`")

    def _readers(self, parts: dict[str, Node]) -> dict[str, str]:
        """The Python that a shipped entry names; it must be there."""
        found: dict[str, str] = {}
        for key in SHIPPED_KEYS if self._shipped else ():
            name = self._reader.text(parts[key], f"`{key}`") if key in parts else None
            if name is None:
                continue
            try:
                (rewrite_of if key == "rewrite" else reader_of)(name)
            except (ImportError, KeyError, AttributeError):
                place = f"facts/programs/readers/{name.partition('.')[0]}.py"
                self._reader.complain(f"there is no {key} `{name}`", parts[key].source, f"write it in {place}")
            else:
                found[key] = name
        return found

    def _like(self, node: Node, what: str) -> Program:
        text = self._reader.text(node, "`like`", example_of("like"))
        if text is None:
            return _NOTHING
        name, *path = text.split()
        key = self._nodes[name][0] if name in self._nodes else name
        own = key in self._making
        # A policy's `kubectl: {like: kubectl}` means the shipped one.
        found = self._find(name) if own and not path and not self._shipped else None
        if found is not None:
            return found
        if (own and not path) or text in self._making:
            self._reader.complain(f"{what} is like itself", node.source, "name another program")
            return _NOTHING
        self._making.append(text)
        if own:
            found = self._form_at(self._nodes[name][1], path)  # a form of the entry that is being read
        else:
            found = self.find(name) or self._find(name)
            for word in path:
                subs = found.subs if found is not None else {}
                found = next((sub for names, sub in subs.items() if word in names.split()), None)
        self._making.pop()
        if found is None:
            known = [*self._nodes, *known_programs()] if not path else []
            help = did_you_mean(name, known, "`interlock programs list` has the programs that are described")
            self._reader.complain(f"nothing is known of `{text}`", node.source, help)
        return found or _NOTHING

    def _form_at(self, node: Node, path: list[str]) -> Program | None:
        """A form by the words that lead to it, with its own options only."""
        for word in path:
            forms = node.value.get("forms") if isinstance(node.value, dict) else None
            listed = forms.value.items() if forms is not None and isinstance(forms.value, dict) else ()
            inner = next((entry for key, entry in listed if word in key.split()), None)
            if inner is None:
                return None
            node = inner
        return self._form(node, [], f"`{' '.join(path)}`")

    def _forms(
        self, node: Node, passed: list[str], phrases: Phrases, what: str, *, single_dash: bool
    ) -> dict[str, Program]:
        forms: dict[str, Program] = {}
        seen: set[str] = set()
        for key, entry in self._reader.mapping(node, "`forms`", example_of("forms")).items():
            place = node.keys.get(key, entry.source)
            for word in key.split():
                if word in seen or word in phrases.tree:
                    self._reader.complain(f"`{word}` of {what} is described twice", place, "leave one of them out")
                seen.add(word)
            if not key.split():
                self._reader.complain("a subcommand without a name", place, 'write `does: {…: [""]}` for none')
            inner = f"{what.rstrip('`')} {_short(key)}`"
            forms[" ".join(key.split())] = self._form(entry, passed, inner, single_dash=single_dash)
        return forms

    # --- clauses and services ----------------------------------------------------------------------------

    def _clauses(self, node: Node, *, single_dash: bool) -> tuple[Clause, ...]:
        listed = self._reader.sequence(node, "`when`", example_of("when"))
        return tuple(self._clause(one, single_dash=single_dash) for one in listed)

    def _clause(self, node: Node, *, single_dash: bool) -> Clause:
        reader = self._reader
        parts = reader.mapping(node, "a clause of `when`", example_of("when"))
        reader.unknown_keys(node, CLAUSE_KEYS, "a clause of `when`", "clause")
        if not any(key in parts for key in CLAUSE_KEYS if key not in CLAUSE_CONDITIONS):
            help = "say what holds then: `looks: true`, `does`, `drops`, `operands` …"
            reader.complain("a clause without an effect", node.source, help)
        told: dict[str, Any] = {}
        for key, value in parts.items():
            takes = CLAUSE_KEYS[key].takes if key in CLAUSE_KEYS else ""
            if takes == "texts":
                told[key] = self._texts(value, key)
            elif takes == "values":
                told[key] = {one: self._texts(inner, key) for one, inner in reader.mapping(value, f"`{key}`").items()}
            elif takes == "traits":
                listed = texts(reader, value, f"`{key}`")
                told[key] = tuple(trait for text, place in listed for trait in trait_words(reader, text, place))
            elif takes == "bool":
                told[key] = reader.flag(value, f"`{key}`")
            elif takes == "roles":
                told[key] = roles(reader, value, f"`{key}`")
            elif takes == "stdin":
                told[key] = reader.one_of(value, f"`{key}`", STDIN) or "data"
            elif takes == "count":
                told[key] = self._count(value, key)
        for key in ("option", "every", "without", "value", "other"):
            for text in told.get(key, ()):
                if not text.startswith("-"):
                    help = f"write `{'--' if len(text) > 1 else '-'}{text}`"
                    reader.complain(f"`{text}` is not an option as it is written", parts[key].source, help)
                elif text[1:2] != "-" and len(text) > 2 and not single_dash:
                    help = f"write `-{text}`, or `single-dash: true` beside `when`"
                    reader.complain(f"`{text}` is several options in one word", parts[key].source, help)
                elif "=" in text:
                    name, _, value = text.partition("=")
                    help = f"write `value: {{{name}: {value}}}`"
                    reader.complain(f"`{text}` is an option and its value", parts[key].source, help)
        return Clause(**told)

    def _texts(self, node: Node, key: str) -> tuple[str, ...]:
        found = texts(self._reader, node, f"`{key}`", empty=key == "first")
        return tuple(text.replace("…", "\0") for text, _ in found)

    def _count(self, node: Node, key: str) -> int:
        if isinstance(node.value, int) and not isinstance(node.value, bool) and node.value > 0:
            return node.value
        message = f"`{key}` is {value_text(node)}; expected a number from 1"
        self._reader.complain(message, node.source, f"write `{CLAUSE_KEYS[key].example}`")
        return 0

    def _service(self, node: Node, parts: dict[str, Node], own: list[str], base: Program) -> Program:
        reader = self._reader
        for key in parts:
            if key in self._keys and key not in _SERVICE:
                help = f"a service takes {', '.join(f'`{one}`' for one in _SERVICE if one in self._keys)}"
                reader.complain(f"`{key}` has no meaning beside `service`", node.keys.get(key, node.source), help)
        kind: Any = reader.one_of(parts["service"], "`service`", SERVICES) or "cloud"
        phrases = read_phrases(reader, parts["does"]) if "does" in parts else Phrases((), {})
        flags = flag_traits(own, single_dash="single-dash" in parts)
        for flag, meaning in flags.items():
            if not meaning:
                help = f"write `{flag.lstrip('-')}!forced`, or leave it out"
                reader.complain(f"`{flag}` adds no trait, which is all that an option of a service can do",
                                parts["options"].source, help)  # fmt: skip
        here = "runs-here" in parts and reader.flag(parts["runs-here"], "`runs-here`")
        if base.service is not None:
            flags = {**base.service.flags, **flags}
        service = Service(kind, phrases.listed(), {flag: meaning for flag, meaning in flags.items() if meaning}, here)
        return replace(Program(options="*", service=service, help=False), **self._readers(parts))


def _join(words: list[str]) -> str:
    """Options as one text; of a word that is there twice the last counts, as of any spelling."""
    return " ".join(reversed(dict.fromkeys(reversed(words))))


def _short(key: str) -> str:
    """The first name of an entry, for messages."""
    return (key.split() or [""])[0]


def _without(subs: dict[str, Program], own: dict[str, Program]) -> dict[str, Program]:
    """The subcommands of another entry that this one does not describe itself."""
    taken = {word for key in own for word in key.split()}
    found = {}
    for key, program in subs.items():
        left = " ".join(word for word in key.split() if word not in taken)
        if left:
            found[left] = program
    return found
