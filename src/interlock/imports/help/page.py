"""Help pages: which command each is about, its usage, options, arguments and subcommands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, field, structs

from interlock.imports.help.lines import (
    HelpEntry,
    HelpLine,
    HelpSection,
    clean_lines,
    entries_in,
    looks_like_option,
    sections_of,
    usage_of,
)
from interlock.imports.help.options import HelpOption, option_of_entry, options_of_spec, words_of
from interlock.imports.help.verbs import set_of, verb_of

__all__ = ["HelpArgument", "HelpCommand", "HelpPage", "read_pages"]

_NAME = re.compile(r"[A-Za-z0-9][\w.:+-]*")
_COMMAND = re.compile(r"[a-z0-9][\w.:+-]*")
_PLACEHOLDER = re.compile(
    r"(?:sub-?)?(?:commands?|cmd|topic|action|verb|task|operation|group|options?|opts?|flags?|switches|args?|arguments?"
    r"|parameters?|params?)"
)
# Small letters that BSD's usage lines write for a value, where a subcommand could be too.
_NOUNS = set_of(
    "file files filename path paths pathname dir directory folder source target dest destination src dst name names "
    "url host hostname user pattern expression program string text value number id key input output message query "
    "utility command script"
)
_COMMAND_WORDS = re.compile(r"(?i)[<\[({ ]?(?:(?:sub-?)?(?:commands?|cmd)|topic|action|verb|group)\b")
_GROUPS = re.compile(r"(?i)(?:groups|topics|management commands)\b")
_CLICK = re.compile(r"\[OPTIONS\]|Show this message and exit")
_MOST_WORDS = 7  # of a line that is not a sentence
_HELP = set_of("h help V version")
# Sentences that lead to another page, and say nothing of what the command does.
_POINTER = re.compile(
    r"(?i)the (?:available|following)\b|(?:use|run|try|type) (?:[`'\"\u201c]|\S+ (?:-h|--help|help)\b)"
    r"|(?:see|report|usage)\b|for (?:more|help|usage|details|a list)\b|more\b|full\b|notes?\b"
)


class HelpArgument(Struct, frozen=True):
    """A word that a usage line asks for."""

    metavar: str
    repeats: bool = False
    text: str = ""
    behind_dashes: bool = False  # `-- COMMAND`


class HelpCommand(Struct, frozen=True):
    """A subcommand that a page mentions."""

    path: tuple[str, ...]  # from the program on
    aliases: tuple[str, ...] = ()
    arguments: tuple[HelpArgument, ...] = ()
    text: str = ""
    is_group: bool = False  # it has subcommands of its own


class HelpPage(Struct):
    """What one page of help says of one command."""

    path: tuple[str, ...] = ()
    about: str = ""  # one sentence
    purpose: str = ""  # the paragraph that begins with it
    options: list[HelpOption] = field(default_factory=list)
    arguments: tuple[HelpArgument, ...] = ()
    commands: list[HelpCommand] = field(default_factory=list)
    asks_for_command: bool = False  # usage names a subcommand
    behind_command: tuple[HelpArgument, ...] = ()  # the arguments of that line: `nice [OPTION] COMMAND [ARG]...`
    runs_alone: bool = False  # a line of the usage has none
    leftovers: list[str] = field(default_factory=list)
    calls_itself: str = ""  # the program's name in the usage, if it is another


def read_pages(name: str, text: str) -> list[HelpPage]:
    """Every page in a text; several may follow each other."""
    return [_read_page(name, lines) for lines in _split_pages(name, clean_lines(text))]


# --- where a page begins -----------------------------------------------------------------------------------------


def _split_pages(name: str, lines: list[HelpLine]) -> Iterator[list[HelpLine]]:
    starts = [0]
    last: tuple[str, ...] | None = None
    for at, line in enumerate(lines):
        if usage_of(line) is None:
            continue
        path = _common([_path_of(name, usage)[0] for usage in _usages(name, lines[at:])])
        if last is not None and path != last:
            starts.append(_start_of_paragraph(lines, at))
        last = path
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        if any(line.body for line in lines[start:end]):
            yield lines[start:end]


def _start_of_paragraph(lines: list[HelpLine], at: int) -> int:
    """Where the sentences right above a usage line begin; those that point elsewhere end the page before."""
    start = at
    while start > 0 and not lines[start - 1].body:
        start -= 1
    if start == 0 or lines[start - 1].indent or _POINTER.match(lines[start - 1].body):
        return at
    while start > 0 and lines[start - 1].body and lines[start - 1].indent == 0:
        start -= 1
    return start


# --- usage -----------------------------------------------------------------------------------------------------------


def _usages(name: str, lines: list[HelpLine]) -> list[str]:
    """The usage lines at the start of these lines, each whole; what explains one behind a gap is left out."""
    found: list[str] = []
    for number, line in enumerate(lines):
        body = usage_of(line) if number == 0 else line.body
        if body is None:
            break
        if not body:
            if found:
                break
            continue
        if looks_like_entry(line) and number:
            break
        body = re.sub(r"^(?i:or):\s*|^[$%>] ", "", body)
        head = re.split(r" {2,}", body)[0] if number else body  # `npm test   run the tests`
        if not found or _is_program(name, body.split()[0]):
            if number and line.indent == 0 and not _is_program(name, body.split()[0]):
                break
            found.append(head)
        elif line.indent == 0:
            break
        else:
            found[-1] += " " + body
    return [" ".join(one.split()) for one in found]


def looks_like_entry(line: HelpLine) -> bool:
    """Whether a line explains an option, with no empty line between it and the usage."""
    return line.body.startswith("-")


def _is_program(name: str, word: str) -> bool:
    plain = re.split(r"[\\/]", word)[-1].lower()
    return plain.removesuffix(".exe").removesuffix(".py") == name.lower()


def _path_of(name: str, usage: str) -> tuple[tuple[str, ...], list[str]]:
    """The subcommand that a usage line is about, and the words behind it."""
    words = words_of(usage)
    if words[:2] == ["python", "-m"] or words[:2] == ["python3", "-m"]:
        words = words[2:]
    words = words[1:]
    path: list[str] = []
    for word in words:
        if not _COMMAND.fullmatch(word) or _PLACEHOLDER.fullmatch(word) or (word in _NOUNS and not verb_of(word)):
            break
        path.append(word)
    return tuple(path), words[len(path) :]


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    found = paths[0] if paths else ()
    for path in paths[1:]:
        while found != path[: len(found)]:
            found = found[:-1]
    return found


def _choices(word: str) -> list[str]:
    """The subcommands in `{start,stop}`, `(start|stop)` or `start|stop`."""
    if word[:1] not in "{(" and ("|" not in word or not word[:1].isalpha()):
        return []
    parts = [part.strip() for part in re.split(r"[|,]", word.strip("{}()"))]
    return parts if len(parts) > 1 and all(_COMMAND.fullmatch(part) for part in parts) else []


def _read_usage(page: HelpPage, name: str, usages: list[str]) -> None:
    lines = [_path_of(name, usage) for usage in usages if usage]
    page.path = _common([path for path, _ in lines])
    first = usages[0].split()[0] if usages and usages[0].split() else ""
    if first and not _is_program(name, first) and _NAME.fullmatch(first):
        page.calls_itself = first
    best: tuple[HelpArgument, ...] = ()
    for path, words in lines:
        arguments, options, command, choices = _read_words(words)
        if not path and not arguments and options and all(_HELP & set(option.names) for option in options):
            continue  # `ourctl --help | --version`
        if path != page.path:
            page.commands.append(HelpCommand(path, arguments=arguments, is_group=command))
            page.asks_for_command = True
        elif command or choices:
            page.asks_for_command = True
            page.behind_command = max(page.behind_command, arguments, key=len)
            page.commands += [HelpCommand((*path, choice)) for choice in choices]
        else:
            page.runs_alone = True
            best = max(best, arguments, key=len)
        page.options += options
    page.arguments = best


def _read_words(words: list[str]) -> tuple[tuple[HelpArgument, ...], list[HelpOption], bool, list[str]]:
    """The arguments and options of a usage line, whether it asks for a subcommand, and which."""
    arguments: list[HelpArgument] = []
    options: list[HelpOption] = []
    command, dashes = False, False
    choices: list[str] = []
    for at, word in enumerate(words):
        inner = word[1:-1] if word[0] in "[(" and word[-1:] in "])" else word.strip("[]()")
        plain = inner.strip("<>[](){} ").rstrip(".…").strip("<>[](){} ")
        if inner.lstrip("[(").startswith("-") and plain not in ("", "-", "--"):
            if word[0] in "[(":
                options += options_of_spec(inner)
            else:
                # In `tag -d NAME` the name may be the option's value or the next operand: as that, it stays visible.
                doubt = "does it take a value?" if at + 1 < len(words) and words[at + 1][0] not in "-[(" else ""
                options += [structs.replace(one, doubt=one.doubt or doubt) for one in options_of_spec(word)]
            continue
        if at and words[at - 1].startswith("-") and "=" not in words[at - 1] and word[0] not in "[(":
            continue  # the value of the option before it
        if plain.startswith("+"):
            continue  # `+toolchain`
        if plain in ("-", "--", "", "|"):
            dashes = dashes or plain == "--"
            if inner.strip(" []") in ("...", "…") and arguments:
                arguments[-1] = HelpArgument(arguments[-1].metavar, True, behind_dashes=dashes)
            continue
        if not arguments and not choices and (found := _choices(word)):
            choices = found
            continue
        if plain.split()[0] == "--":
            dashes, plain = True, plain[2:].strip(" <>[]") or "--"
        lower = plain.lower().split()[0].rstrip(".…").strip("[]<>")
        if " " in plain and "option" in plain.lower() and word[0] == "[":
            continue  # `[more options; see below]`
        if re.fullmatch(r"(?:global[ -]?)?(?:options?|opts?|flags?|switches)", plain.lower().rstrip(".…")):
            continue
        repeats = "..." in word or "…" in word or (at + 1 < len(words) and words[at + 1] in ("...", "…"))
        if not arguments and not dashes and _COMMAND_WORDS.fullmatch(lower):
            command = True
        if arguments and (arguments[-1].metavar.lower() == lower or lower in ("args", "arg", "arguments")):
            last = arguments[-1]
            arguments[-1] = HelpArgument(last.metavar, True, behind_dashes=last.behind_dashes)
            continue
        metavar = plain.replace(" ", "-") if word.lstrip("[")[:1] == "<" else plain.split()[0]
        arguments.append(HelpArgument(metavar.strip("[]<>.…|"), repeats, behind_dashes=dashes))
    return tuple(one for one in arguments if one.metavar), options, command or bool(choices), choices


# --- the page --------------------------------------------------------------------------------------------------------


def _read_page(name: str, lines: list[HelpLine]) -> HelpPage:
    page = HelpPage()
    sections = sections_of(lines)
    usages = [usage for section in sections if section.kind == "usage" for usage in _usages_in(name, section, sections)]
    if usages:
        _read_usage(page, name, usages)
    page.about, page.purpose = _about(name, sections)
    choices_needed = any(_CLICK.search(line.body) for line in lines)
    has_commands = page.asks_for_command or any(section.kind == "commands" for section in sections)
    for section in sections:
        _read_section(page, name, section, choices_needed=choices_needed, has_commands=has_commands)
    page.options = _without_repeats(_letters_apart(page.options))
    return page


def _letters_apart(options: list[HelpOption]) -> Iterator[HelpOption]:
    """The letters of `[-abC]`, which usage lines write in one word, where no option of the page has a single dash."""
    single = any(option.single and option.text for option in options)
    for option in options:
        name = option.names[0]
        letters = sorted(name, key=str.lower) == list(name) or not (name.islower() or name.isupper())
        if not single and option.single and not option.value and name.isalnum() and letters:
            yield from (HelpOption((letter,)) for letter in dict.fromkeys(name))
        else:
            yield option


def _usages_in(name: str, section: HelpSection, sections: list[HelpSection]) -> list[str]:
    """The usage lines of a section; some pages put them behind an empty line."""
    lines = section.lines
    if not any(line.body for line in lines):
        after = sections.index(section) + 1
        lines = [HelpLine(0, ""), *(sections[after].lines if after < len(sections) else [])]
    return _usages(name, [HelpLine(0, "usage: " + lines[0].body), *lines[1:]])


def _about(name: str, sections: list[HelpSection]) -> tuple[str, str]:
    """The first sentence that says what the command is for, and its paragraph."""
    usage = next((at for at, section in enumerate(sections) if section.kind == "usage"), None)
    places = [sections[0], *(sections[usage + 1 : usage + 2] if usage is not None else [])]
    places += [section for section in sections if section.title.lower() in ("name", "description")]
    for section in places:
        if section.kind not in ("", "aside") or (
            section.title and section.title.lower() not in ("name", "description")
        ):
            continue
        paragraph: list[str] = []
        for line in section.lines:
            if (not line.body and paragraph) or looks_like_option(line.body):
                break
            if line.body and "  " not in line.body and not re.match(rf"{re.escape(name)} [<\[]", line.body):
                paragraph.append(line.body)
        text = " ".join(paragraph)
        text = re.sub(rf"(?i)^{re.escape(name)}[\w-]*(?: v?\d[\w.]*)?\s*(?:[-–—:]+\s+|$)", "", text)
        sentence = re.split(r"(?<=[.!?])\s", text)[0].strip()
        if len(sentence.split()) > 1 and not _POINTER.match(sentence) and not re.search(r"\d\.\d", sentence):
            return sentence, text
    return "", ""


def _read_section(page: HelpPage, name: str, section: HelpSection, *, choices_needed: bool, has_commands: bool) -> None:
    if section.kind in ("aside", "usage") and not any(
        looks_like_entry(line) and section.kind == "usage" for line in section.lines
    ):
        return
    listed: set[str] = set()
    for entry in entries_in(section.lines):
        if re.match(r"\[-[^\]]*\]+(?: \[-|$)", entry.body):
            page.options += _read_words(words_of(entry.body))[1]  # `[--json] [-w|--workspace <name>]`, as usage has it
        elif looks_like_option(entry.body):
            found = option_of_entry(entry, choices_needed=choices_needed)
            page.options += found
            if not found:
                page.leftovers.append(entry.body)
        elif section.kind == "usage":
            continue
        elif entry.body.startswith("{") and _choices(entry.body.split("  ")[0]):
            listed |= set(_choices(entry.body.split("  ")[0]))
            page.commands += [HelpCommand((*page.path, word)) for word in _choices(entry.body.split("  ")[0])]
            page.asks_for_command = True
        elif section.kind == "commands" or entry.head.split()[0] in listed:
            found_commands = list(_commands_of(page, name, entry))
            if _GROUPS.match(section.title):
                found_commands = [structs.replace(one, is_group=True) for one in found_commands]
            page.commands += found_commands
            if not found_commands and entry.body[:1].isalnum() and not _is_prose(entry.body):
                page.leftovers.append(entry.body)
        elif section.kind == "arguments":
            _explain(page, entry)
        elif (
            section.kind == ""
            and entry.text
            and (
                (has_commands and section.title) or (_is_program(name, entry.head.split()[0]) and "#" in entry.text[:1])
            )
        ):
            page.commands += _commands_of(page, name, entry)


def _is_prose(line: str) -> bool:
    return line.endswith(".") or "://" in line or (len(line.split()) > _MOST_WORDS and "  " not in line)


def _explain(page: HelpPage, entry: HelpEntry) -> None:
    metavar = entry.head.strip("<>[]{}").rstrip(".…").strip("<>[]")
    known = [one.metavar for one in page.arguments]
    if metavar in known:
        page.arguments = tuple(
            HelpArgument(one.metavar, one.repeats, entry.text, one.behind_dashes) if one.metavar == metavar else one
            for one in page.arguments
        )
    elif metavar and " " not in metavar and not _PLACEHOLDER.fullmatch(metavar.lower()):
        page.arguments = (*page.arguments, HelpArgument(metavar, "..." in entry.head, entry.text))


def _commands_of(page: HelpPage, name: str, entry: HelpEntry) -> Iterator[HelpCommand]:
    """The subcommands that an entry names: one with its aliases and arguments, or a list of several."""
    head, text = entry.head, entry.text
    if " - " in head and not text:
        head, _, text = head.partition(" - ")
    head = re.sub(r"^(?:[o*•·] |[$%>] )", "", head.strip()).strip()
    listing = head if not text else ""
    parts = [part for part in re.split(r"[,\s]+", f"{listing} {entry.below if listing else ''}") if part]
    columns = entry.body.split()
    if "," in listing and len(parts) > 2 and all(_COMMAND.fullmatch(part) for part in parts):
        yield from (HelpCommand((*page.path, part)) for part in parts)
        return
    if len(columns) > 2 and re.search(r"\S {2,}\S+ {2,}\S", entry.body) and all(map(_COMMAND.fullmatch, columns)):
        yield from (HelpCommand((*page.path, part)) for part in columns)  # words in columns, without explanations
        return
    words = words_of(head.replace(", ", ",").replace(" | ", "|"))
    if words and _is_program(name, words[0]):
        words = words[1:]
        if tuple(words[: len(page.path)]) == page.path:
            words = words[len(page.path) :]
    if not words:
        return
    first, *rest = words
    names = [part.strip("()*:") for part in re.split(r"[,|]", first)]
    names = [part for part in names if part]
    if not names or not all(_COMMAND.fullmatch(part) for part in names):
        return
    path = [names[0]]
    while rest and _COMMAND.fullmatch(rest[0].rstrip("*:")) and not _PLACEHOLDER.fullmatch(rest[0]):
        path.append(rest.pop(0).rstrip("*:"))
    explained = " - " in entry.head or entry.text != entry.below
    if len(path) > 3 or (len(path) > 1 and not explained):
        return  # a sentence
    plain = next((at for at, word in enumerate(rest) if word[0].isalpha() and not word.isupper()), len(rest))
    # `get NAME Get one`: where the column is too narrow, one space is left.
    rest, text = rest[:plain], " ".join([*rest[plain:], text])
    arguments, _, command, choices = _read_words(rest)
    text = " ".join(text.lstrip("#-–: ").split())
    # `list|ls` is one command, `start|stop` is two.
    aliases = [one for one in names[1:] if verb_of(one) in ("", verb_of(names[0]))]
    for one in [names[0], *(one for one in names[1:] if one not in aliases)]:
        whole = (*page.path, one, *path[1:])
        mine = tuple(aliases) if one == names[0] else ()
        yield HelpCommand(whole, mine, arguments, text, command or bool(choices))
        yield from (HelpCommand((*whole, choice)) for choice in choices)


def _without_repeats(options: Iterable[HelpOption]) -> list[HelpOption]:
    """Each option once. What explains one counts before what only mentions it, and the first before later ones."""
    found: dict[str, HelpOption] = {}
    for option in sorted(options, key=lambda one: not one.text):
        names = tuple(name for name in option.names if name not in found)
        known = next((found[name] for name in option.names if name in found), None)
        if known is None or (names and option.text):
            found.update(dict.fromkeys(names, structs.replace(option, names=names)))
        elif names:  # `[-n NAME | --name NAME]`, of which only the second is explained
            both = structs.replace(known, names=(*known.names, *names))
            found.update(dict.fromkeys(both.names, both))
        if known is not None and not known.value and option.value and not option.text:
            whole = next(found[name] for name in option.names if name in found)
            valued = structs.replace(whole, value=option.value, metavar=option.metavar)
            found.update(dict.fromkeys(whole.names, valued))
    return list(dict.fromkeys(found.values()))
