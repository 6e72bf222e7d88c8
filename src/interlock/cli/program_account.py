"""What Interlock knows of a program, in words: what its subcommands do, which options matter, what its words are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from interlock.facts.programs.readers import reader_of, rewrite_of
from interlock.facts.programs.table import Clause, Program, Service
from interlock.facts.programs.traits import HARMLESS, TRAITS

__all__ = ["DoesGroup", "OptionGroup", "ProgramAccount", "account_of", "find_form", "form_names"]

ALONE = "(no subcommand)"
OTHERS = "(any other)"
_MOST_NAMED = 5  # subcommands that one note is about


class DoesGroup(Struct, frozen=True):
    """One trait, what it means, and the subcommands that have it. `closer`: those that are looked at more closely.

    The trait is empty for subcommands of which only their options and words say what they do.
    """

    trait: str
    means: str
    forms: tuple[str, ...]  # none for a program without subcommands
    closer: tuple[str, ...] = ()


class OptionGroup(Struct, frozen=True):
    """Options with the same effect, and the subcommands that have each; none if all have it."""

    effect: str
    options: dict[str, tuple[str, ...]]


class ProgramAccount(Struct, frozen=True):
    """Everything that is said of a program or of one of its subcommands."""

    does: tuple[DoesGroup, ...]
    options: tuple[OptionGroup, ...] = ()
    words: str = ""
    input: str = ""
    conditions: tuple[str, ...] = ()
    closer: tuple[str, ...] = ()  # what a closer look finds, in sentences
    is_closer: bool = False  # its own words are looked at more closely
    service: str = ""
    notes: tuple[str, ...] = ()
    other_options: int = 0  # known options that add nothing
    any_option: Literal["all", "some", "none"] = "none"  # which forms take any other option


class _Form(Struct, frozen=True):
    path: str
    program: Program


def find_form(program: Program, path: list[str]) -> Program | None:
    """The form that subcommand words lead to; None if there is none."""
    found: Program | None = program
    for word in path:
        found = _sub(found, word) if found is not None else None
    return found


def _sub(program: Program, word: str) -> Program | None:
    patterns: Program | None = None
    for names, sub in program.subs.items():
        for name in names.split():
            if name == word:
                return sub
            if name.endswith("*") and word.startswith(name[:-1]) and patterns is None:
                patterns = sub
    return patterns


def form_names(program: Program) -> list[str]:
    """The subcommands of a form, as they can be asked for."""
    return [name for names in program.subs for name in names.split() if not name.endswith("*")]


def _forms(program: Program, path: str = "") -> Iterator[_Form]:
    """A program and all its subcommands, with what is written to get there."""
    if program.subs:
        if program.traits or program.reader or program.parser:
            yield _Form(path or ALONE, program)
    else:
        yield _Form(path, program)
    for names, sub in program.subs.items():
        for name in names.split():
            word = name if name != "*" else OTHERS
            yield from _forms(sub, f"{path} {_ending(word)}".strip())


def _ending(name: str) -> str:
    return name[:-1] + "…" if name.endswith("*") else name


def account_of(program: Program) -> ProgramAccount:
    """The account of a program, or of one of its subcommands."""
    forms = list(_forms(program))
    options, others = _options(program, forms)
    return ProgramAccount(
        does=tuple(_does(forms)),
        options=tuple(options),
        words=_words(program.operands) if not program.subs and program.service is None else "",
        input=_input(program.stdin),
        conditions=tuple(_condition(clause) for clause in program.when),
        closer=tuple(_closer(program, forms)),
        is_closer=bool(program.reader or program.parser),
        service=_service(program.service),
        notes=tuple(_notes(program)),
        other_options=others,
        any_option=_any_option(program, forms),
    )


# --- what it does ----------------------------------------------------------------------------------------------------


def _does(forms: list[_Form]) -> Iterator[DoesGroup]:
    groups: dict[str, list[_Form]] = {}
    for form in _meanings(forms):
        for trait in dict.fromkeys(form.program.traits.split()) or [""]:
            groups.setdefault(trait, []).append(form)
    for trait in sorted(groups, key=_rank):
        members = sorted((one for one in groups[trait] if one.path), key=lambda one: " " in one.path.replace(ALONE, ""))
        paths = tuple(one.path for one in members)
        closer = tuple(one.path for one in members if _is_closer(one.program))
        yield DoesGroup(trait, _MEANS.get(trait) or TRAITS[trait], paths, closer)


def _is_closer(program: Program) -> bool:
    return bool(program.reader or program.parser or program.when)


def _meanings(forms: list[_Form]) -> Iterator[_Form]:
    """The forms, and the phrases of services."""
    for form in forms:
        if form.program.service is None:
            yield form
            continue
        for traits, phrases in form.program.service.phrases.items():
            yield from (_Form(phrase or ALONE, Program(traits=traits)) for phrase in phrases)


_MEANS = {"": "Its options and words decide what it does.", "read-only": "It only looks."}
_ORDER = list(TRAITS)


def _rank(trait: str) -> tuple[int, int]:
    """Looking first, then what acts, then what says how it looks; last what depends on words."""
    if not trait:
        return 3, 0
    place = 0 if trait in ("read-only", "only-runs") else 2 if trait in HARMLESS else 1
    return place, _ORDER.index(trait)


# --- options ---------------------------------------------------------------------------------------------------------

_VALUES = {
    "write": "writes the file",
    "exec": "writes the file and makes it executable",
    "within": "writes into the folder",
    "create": "creates the file or folder",
    "edit": "reads and writes the file",
    "delete": "deletes the file",
    "move": "moves the file away",
    "send": "sends the file",
    "shell": "runs the command",
    "line": "runs the command",
    "program": "runs the program",
    "file": "runs the file",
    "url": "reaches the URL",
    "host": "reaches the machine",
    "fetch": "reads the file, or reaches the URL",
    "read": "reads the file",
    "base": "works in the folder",
    "cd": "works in the folder",
    "ref": "names a branch, tag or commit",
    "mention": "names something that may be a file",
}
_DRY = "only rehearses, or shows a text"
_ACTS = "makes it do more than look"
_NEARLY_ALL = 0.8  # of the subcommands
_TEXTS = frozenset(
    ("-h", "--help", "-help", "-V", "--version", "-version", "-?")
)  # they show a text, as everybody knows
_LANGUAGES = {"js": "JavaScript", "sql": "SQL", "php": "PHP", "cmd": "Windows batch", "powershell": "PowerShell"}


def _language(role: str) -> str:
    name = role.partition(":")[2]
    return _LANGUAGES.get(name, name.capitalize() if name != "other" else "program")


def _options(program: Program, forms: list[_Form]) -> tuple[list[OptionGroup], int]:
    """The options that matter, by their effect, and how many others are known."""
    found: dict[str, dict[str, list[str]]] = {}
    plain: set[str] = set()
    root = [_Form(ALONE, program)] if program.subs and program.service is None else []
    below = [form for form in forms if form.path != ALONE]
    for form in [*root, *below]:
        service = form.program.service
        for option, effect in _flags(service) if service is not None else _effects(form.program):
            if effect:
                found.setdefault(effect, {}).setdefault(option, []).append(form.path)
            else:
                plain.add(option)
    groups = [
        OptionGroup(effect, {option: _holders(paths, len(below)) for option, paths in options.items()})
        for effect, options in sorted(found.items(), key=lambda item: _option_rank(item[0]))
    ]
    mattering = {option for options in found.values() for option in options}
    return groups, len(plain - mattering)


def _holders(paths: list[str], count: int) -> tuple[str, ...]:
    """The subcommands that have an option; none if it is understood before them and by most of them."""
    inner = tuple(dict.fromkeys(path for path in paths if path != ALONE))
    if paths[0] == ALONE:
        return (ALONE,) if not inner else () if len(inner) * 2 >= count else inner
    return () if len(inner) >= count * _NEARLY_ALL else inner


def _any_option(program: Program, forms: list[_Form]) -> Literal["all", "some", "none"]:
    taken = ["*" in form.program.options.split() for form in forms if form.program is not program or not program.subs]
    return "all" if taken and all(taken) else "some" if any(taken) else "none"


def _option_rank(effect: str) -> int:
    known = [*_VALUES.values(), _ACTS]
    if effect == _DRY:
        return -1
    return known.index(effect) if effect in known else 3


def _flags(service: Service) -> Iterator[tuple[str, str]]:
    for option, traits in service.flags.items():
        for trait in traits.split():
            yield option, _trait_effect(trait)


def _effects(program: Program) -> Iterator[tuple[str, str]]:
    """Each option as it is written, with each of its effects; an empty one if it has none."""
    for word in program.options.split():
        if word == "*":
            continue
        spelled, _, effects = word.partition("!")
        names, role = spelled.rstrip("<"), ""
        for mark in "=?":
            before, there, after = names.partition(mark)
            if there and before:
                names, role = before, after or "text"
                break
        option = "/".join(_dashes(name, single=program.long) for name in names.split("/"))
        said = [
            _DRY if one == "dry" else _ACTS if one == "acts" else _trait_effect(one)
            for one in effects.split(",")
            if one
        ]
        if role.startswith("code:"):
            said.append(f"runs the {_language(role)} code")
        elif role in _VALUES:
            said.append(_VALUES[role])
        if said == [_DRY] and _TEXTS.issuperset(option.split("/")):
            said = []
        for one in said or [""]:
            yield option, one


def _dashes(name: str, *, single: bool) -> str:
    return ("-" if single or len(name) == 1 else "--") + name


def _trait_effect(trait: str) -> str:
    """A trait's sentence as the end of `with this option, it …`."""
    text = TRAITS[trait].rstrip(".").split(";")[0]
    return text.removeprefix("It ") if text.startswith("It ") else f"has this effect: {text[0].lower()}{text[1:]}"


# --- words -----------------------------------------------------------------------------------------------------------

_NOUNS = {
    "text": ("a plain word", "plain words"),
    "read": ("a file that it reads", "files that it reads"),
    "write": ("a file that it writes", "files that it writes"),
    "edit": ("a file that it reads and writes", "files that it reads and writes"),
    "within": ("a folder that it writes into", "folders that it writes into"),
    "create": ("a file or folder that it creates", "files or folders that it creates"),
    "delete": ("a file or folder that it deletes", "files or folders that it deletes"),
    "move": ("a file that it moves away", "files that it moves away"),
    "exec": ("a file that it makes executable", "files that it makes executable"),
    "mention": ("something that may be a file", "words that may be files"),
    "url": ("a URL that it reaches", "URLs that it reaches"),
    "host": ("a machine that it reaches", "machines that it reaches"),
    "fetch": ("a file that it reads, or a URL that it reaches", "files that it reads, or URLs that it reaches"),
    "send": ("a file that it sends", "files that it sends"),
    "ref": ("a branch, tag or commit", "branches, tags or commits"),
    "base": ("the folder that it works in", "folders that it works in"),
    "cd": ("the folder that it changes into", "folders that it changes into"),
    "shell": ("a shell command that it runs", "shell commands that it runs"),
    "line": ("a shell command that it runs", "shell commands that it runs"),
    "program": ("a program that it runs", "programs that it runs"),
    "file": ("a file that it runs", "files that it runs"),
}
_RESTS = {
    "argv": "a command that it runs",
    "shell+": "a shell command that it runs",
    "script": "a script that it runs, and the script's arguments",
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_INPUT = {
    "data": "",
    "args": "It takes more words from its input.",
    "shell": "It runs its input as shell commands.",
}


def _input(stdin: str) -> str:
    return _INPUT[stdin] if stdin in _INPUT else f"It runs its input as {_language(stdin)} code."


def _noun(role: str, *, several: bool) -> str:
    if role.startswith("code:"):
        return f"{_language(role)} code that it runs"
    return _NOUNS[role][several]


def _words(operands: str) -> str:
    """What the words of a command are, in order; nothing if they are only words."""
    roles = operands.split()
    if not roles:
        return "It takes no words."
    if {role.rstrip("*") for role in roles} == {"text"}:
        return ""
    if len(roles) == 1:
        role = roles[0]
        if role in _RESTS:
            return f"Its words are {_RESTS[role]}."
        several = role.endswith("*")
        return f"Its {'words are' if several else 'word is'} {_noun(role.rstrip('*'), several=several)}."
    star = next((at for at, role in enumerate(roles) if role.endswith("*")), len(roles))
    parts = []
    for at, role in enumerate(roles):
        if role in _RESTS:
            parts.append(f"the rest is {_RESTS[role]}")
        elif role.endswith("*"):
            parts.append(f"{'the others are' if len(roles) > 1 else 'they are'} {_noun(role[:-1], several=True)}")
        else:
            place = (
                _ORDINALS[at] if at < star else "last" if at == len(roles) - 1 else f"last but {len(roles) - 1 - at}"
            )
            parts.append(f"the {place} is {_noun(role, several=False)}")
    return f"Of its words, {'; '.join(parts)}."


# --- conditions, services, closer looks ------------------------------------------------------------------------------


def _any_of(words: tuple[str, ...], joint: str = "or") -> str:
    shown = [f"`{word}`" for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {joint} {shown[-1]}"


def _condition(clause: Clause) -> str:
    """A clause as one sentence."""
    text = f"{', '.join(_given(clause))}: {'; '.join(_then(clause))}."
    return text[0].upper() + text[1:]


def _given(clause: Clause) -> Iterator[str]:
    if clause.name:
        yield f"called {_any_of(clause.name)}"
    if clause.first:
        named = tuple(word for word in clause.first if word)
        first = f"with {_any_of(named)} as its first word" if named else ""
        yield " or ".join(one for one in (first, "without a word" if "" in clause.first else "") if one)
    if clause.any:
        yield f"with {_any_of(clause.any)} among its words"
    if clause.words:
        yield f"with at least {clause.words} word{'s' * (clause.words > 1)}"
    if clause.option:
        yield f"with {_any_of(clause.option)}"
    if clause.every:
        yield f"with {_any_of(clause.every, 'and')}"
    if clause.without:
        yield f"without {_any_of(clause.without)}"
    for option, values in clause.value.items():
        yield f"if the value of `{option}` is {_any_of(values)}"
    for option, values in clause.other.items():
        yield f"if the value of `{option}` is not {_any_of(values)}"


def _then(clause: Clause) -> Iterator[str]:
    if clause.looks:
        yield "it only looks"
    yield from (f"it {_trait_effect(trait)}" for trait in clause.does if trait != "read-only")
    if clause.drops:
        yield f"it does not count as {_any_of(clause.drops)}"
    words = _words(clause.operands) if clause.operands else ""
    if words:
        yield words[0].lower() + words[1:].rstrip(".")
    if clause.stdin != "data":
        text = _input(clause.stdin)
        yield text[0].lower() + text[1:].rstrip(".")
    for verb in ("reads", "writes", "creates", "deletes"):
        files = getattr(clause, verb)
        if files:
            yield f"it {verb} {_any_of(tuple(_known_part(file) for file in files), 'and')}"
    if clause.refs:
        yield f"it names {_any_of(tuple(_known_part(ref) for ref in clause.refs), 'and')}"


def _known_part(file: str) -> str:
    return file.replace("\0", "…")


_SERVICES = {
    "cloud": "cloud resources",
    "cluster": "a cluster",
    "database": "a database",
    "forge": "a code forge",
    "machine": "virtual machines",
    "local": "things on this machine",
}


def _service(service: Service | None) -> str:
    if service is None:
        return ""
    text = (
        f"Its words are groups, a verb and names, and its verbs are understood by themselves: `list` or `show` only "
        f"looks, `create` or `update` changes and `delete` deletes {_SERVICES[service.kind]}. Only words that mean "
        f"something else are listed below."
    )
    return text + (" A command behind `--` runs on this machine." if service.here else "")


def _notes(program: Program) -> Iterator[str]:
    if program.brief:
        yield "Its subcommands may be cut short: the beginning of a name is enough."
    if program.stops and not program.subs:
        yield "Its options end at the first word that is not an option."
    if not program.help and program.service is None:
        yield "Even with `--help`, its other words count."


def _closer(program: Program, forms: list[_Form]) -> Iterator[str]:
    """What the functions that look closer say of themselves, with the subcommands that they are for."""
    found: dict[str, list[str]] = {}
    for form in [_Form("", program), *(one for one in forms if one.program is not program)]:
        one = form.program
        for text in (_about(one.reader), _about(one.parser), _about(one.rewrite, rewrites=True)):
            if text:
                found.setdefault(text, []).append(form.path)
    for text, paths in found.items():
        named = [path for path in dict.fromkeys(paths) if path and path != ALONE]
        left = len(named) - _MOST_NAMED
        shown = ", ".join(named[:_MOST_NAMED]) + (f" and {left} more" if left > 0 else "")
        yield f"{shown}: {text}" if named else text


# How a function is told to work says nothing to a person who reads about a program.
_FOR_PROGRAMMERS = re.compile(r"(?:Read|Return|Parse|Note|Give|Put) |.*\b(?:tables?|draft|None)\b")


def _about(name: str, *, rewrites: bool = False) -> str:
    """The first line of a function's description, if it is about the program."""
    if not name:
        return ""
    text = ((rewrite_of(name) if rewrites else reader_of(name)).__doc__ or "").strip().partition("\n")[0]
    return "" if _FOR_PROGRAMMERS.match(text) else re.sub(r"\boperand(s?)\b", r"word\1", text)
