"""Help pages as one description of a program: what its options, subcommands and words seem to mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct, field

from interlock.facts.programs.roles import RESTS
from interlock.imports.help.draft_cases import sample_of
from interlock.imports.help.options import HelpOption
from interlock.imports.help.page import HelpArgument, HelpPage
from interlock.imports.help.roles import guess_flag, guess_operand, guess_value
from interlock.imports.help.verbs import Subject, VerbGuess, guess_subject, guess_verb, traits_for

__all__ = ["DraftEntry", "DraftWord", "ProgramDraft", "describe_pages"]

_OPTION = re.compile(r"[A-Za-z0-9][\w.-]*")
_GROUP = re.compile(
    r"(?i)(?:manag|work with|interact|administer|control|configur|handl)\w*\b"
    r"|(?:\w+ ){0,2}(?:sub)?commands?(?: (?:for|to|that)\b|\W*$)"
)
_SUBJECTS = {
    "cluster": "a cluster",
    "cloud": "cloud resources",
    "database": "a database",
    "forge": "a code forge",
    "container": "containers",
}
_HELP = ("help", "h", "?")
_WRAPS = re.compile(r"(?i)\b(?:run|execut|invok|launch|start)\w*\b.*\b(?:commands?|programs?|utility)\b")
_COMMAND_WORD = re.compile(r"(?i)(?:command|cmd|program|utility)s?")
_MOST_SINGLE = 2


class DraftWord(Struct, frozen=True):
    """A word of the description, what the help says of it, and why a person should look at it."""

    word: str
    says: str = ""
    doubt: str = ""


class DraftEntry(Struct):
    """A program or a subcommand, as the language describes it."""

    about: str = ""
    leading: list[DraftWord] = field(default_factory=list)
    options: list[DraftWord] = field(default_factory=list)
    operands: DraftWord | None = None
    does: dict[str, list[DraftWord]] = field(default_factory=dict)  # phrases by their traits; "" is the entry itself
    forms: dict[str, DraftEntry] = field(default_factory=dict)
    single_dash: bool = False


class _Node(Struct):
    """A command with what is known of it so far."""

    path: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    text: str = ""
    arguments: tuple[HelpArgument, ...] = ()
    is_group: bool = False
    page: HelpPage | None = None
    children: dict[str, _Node] = field(default_factory=dict)


class ProgramDraft(Struct, frozen=True):
    """The description of a program, with what a person should know of it and what was not understood."""

    entry: DraftEntry
    remarks: list[str]
    left: list[str]
    samples: list[tuple[str, ...]]  # words of commands that could be given, one for each subcommand


def describe_pages(name: str, pages: list[HelpPage]) -> ProgramDraft:
    """The description that the pages amount to."""
    root = _tree(name, pages)
    left = [line for page in pages for line in page.leftovers]
    subject = guess_subject([node.text for node in _walk(root) if node.path])
    entry = _entry(root, name, subject, {}, left)
    entry.about = next((page.about for page in pages if not page.path and page.about), "")
    _part_leading(entry)
    remarks = []
    other = next((page.calls_itself for page in pages if page.calls_itself and not page.path), "")
    if other:
        remarks.append(f"The help calls the program `{other}`.")
    if subject:
        remarks.append(f"It seems to work on {_SUBJECTS[subject]}; if not, write `changes` for `{subject}/…`.")
    return ProgramDraft(entry, remarks, left, list(_samples(root, entry)))


# --- the tree of commands --------------------------------------------------------------------------------------------


def _tree(name: str, pages: list[HelpPage]) -> _Node:
    root = _Node(())
    listed = {command.path for page in pages for command in page.commands}
    for page in pages:
        path = page.path
        if not path and (page.calls_itself,) in listed:  # `usage: x509 [options]`, from a page of `openssl x509`
            path, page.calls_itself = (page.calls_itself,), ""
        node = _place(root, path)
        if node.page is None:
            node.page = page
            node.arguments = page.arguments or page.behind_command
        else:
            node.page.options += [one for one in page.options if one not in node.page.options]
        node.text = page.purpose if page.purpose and node.page is page else node.text or page.about
        for command in page.commands:
            child = _place(root, command.path)
            child.text = command.text or child.text
            child.aliases = child.aliases or command.aliases
            child.arguments = child.arguments or command.arguments
            child.is_group = child.is_group or command.is_group
    for node in _walk(root):
        taken = set(node.children)
        for child in node.children.values():
            child.aliases = tuple(dict.fromkeys(one for one in child.aliases if one not in taken))
            taken |= set(child.aliases)
    return root


def _place(root: _Node, path: tuple[str, ...]) -> _Node:
    node = root
    for length, word in enumerate(path, 1):
        known = next((one for one in node.children.values() if word == one.path[-1] or word in one.aliases), None)
        node = known or node.children.setdefault(word, _Node(path[:length]))
    return node


def _walk(node: _Node) -> Iterator[_Node]:
    yield node
    for child in node.children.values():
        yield from _walk(child)


def _samples(root: _Node, entry: DraftEntry) -> Iterator[tuple[str, ...]]:
    rehearsed = False
    dry = next((_spellings(one.word)[-1] for one in entry.options if one.word.endswith("!dry")), "")
    for node in _walk(root):
        if node.children or (node.path and node.path[-1] == "help"):
            continue
        words = [word for argument in node.arguments for word in sample_of(argument)]
        yield (*node.path, *words)
        if len(dry) > 1 and not rehearsed and guess_verb(node.path or ("",), node.text).kind not in ("", "looks"):
            rehearsed = True
            yield (*node.path, f"--{dry}", *words)


# --- entries ------------------------------------------------------------------------------------------------------


def _entry(node: _Node, name: str, subject: Subject, above: dict[str, str], left: list[str]) -> DraftEntry:
    """A node as an entry. `above`: the options that hold here already, by each of their spellings."""
    entry = DraftEntry()
    options = node.page.options if node.page is not None else []
    entry.single_dash = _has_single_dashes(options)
    words = list(_option_words(options, subject, left, single_dash=entry.single_dash))
    entry.options = [one for one in words if above.get(_spellings(one.word)[0]) != one.word]
    below = {**above, **{spelling: one.word for one in words for spelling in _spellings(one.word)}}
    asks = node.page is not None and node.page.asks_for_command
    # A program's own name is no verb: `find` can delete.
    guess = guess_verb(node.path or ("",), node.text, is_leaf=not node.children and not asks)
    if asks and not node.children and node.page is not None and _WRAPS.search(node.text):
        # `nice [OPTION] COMMAND`: what it is for is to run a command.
        entry.does = {
            traits_for(("",), VerbGuess("runs", "run"), subject): [DraftWord("", "", "what else does it do?")]
        }
        entry.operands = _wrapper_operands(node.page.behind_command)
        return entry
    if not node.children and not asks:
        entry.does = {traits_for(node.path or (name,), guess, subject): [DraftWord("", "", guess.doubt)]}
        entry.operands = _operands(node.arguments, guess)
        return entry
    for child in node.children.values():
        _add_child(entry, node, child, name, subject, below, left)
    if not entry.does and not entry.forms:
        # Without a subcommand that is known, whatever is said of the entry would hold for every one of them.
        entry.does = {"changes told-to-delete": [DraftWord("", "", "its subcommands are not known")]}
    elif node.page is not None and node.page.runs_alone:
        traits = traits_for(node.path or (name,), VerbGuess("", name), subject)
        _phrase(entry, traits, DraftWord("", doubt="without a subcommand, what does it do?"))
    elif asks:
        _phrase(entry, "read-only", DraftWord("", "without a subcommand it shows its help"))
    entry.does = dict(sorted(entry.does.items(), key=lambda item: _rank(item[0])))
    return entry


def _rank(traits: str) -> int:
    """Looking first, taking away last."""
    if traits.startswith("read-only"):
        return 0
    return 2 if any(word in traits for word in ("delete", "drops", "removes")) else 1


def _phrase(entry: DraftEntry, traits: str, word: DraftWord) -> None:
    entry.does.setdefault(traits, []).append(word)


def _add_child(
    entry: DraftEntry, node: _Node, child: _Node, name: str, subject: Subject, above: dict[str, str], left: list[str]
) -> None:
    if child.path == (*node.path, "help"):
        return  # always known
    guess = guess_verb(child.path, child.text)
    group = child.is_group or bool(_GROUP.match(child.text))
    if group and not child.children and child.page is None:
        words = " ".join((name, *child.path))
        left.append(f"`{words}` seems to have subcommands of its own: add the text of `{words} --help`")
        return
    names = " ".join((child.path[-1], *child.aliases))
    if child.page is not None:
        entry.forms[names] = _entry(child, name, subject, above, left)
    elif child.children:
        _add_phrases(entry, len(node.path), child, subject)
    else:
        operands = _operands(child.arguments, guess)
        traits = traits_for(child.path, guess, subject)
        if operands is not None:
            form = DraftEntry(
                options=[DraftWord("*")], operands=operands, does={traits: [DraftWord("", child.text, guess.doubt)]}
            )
            entry.forms[names] = form
            return
        for word in names.split():
            _phrase(entry, traits, DraftWord(word, child.text, guess.doubt))


def _add_phrases(entry: DraftEntry, depth: int, node: _Node, subject: Subject) -> None:
    """Subcommands of a group that has no page: `env rm`."""
    for one in _walk(node):
        if one.children:
            continue
        guess = guess_verb(one.path, one.text)
        _phrase(
            entry, traits_for(one.path, guess, subject), DraftWord(" ".join(one.path[depth:]), one.text, guess.doubt)
        )


def _wrapper_operands(arguments: tuple[HelpArgument, ...]) -> DraftWord:
    """The words before a command, and the command, which takes all the rest."""
    before = list(takewhile(lambda one: not _COMMAND_WORD.fullmatch(one.metavar), arguments))
    roles = " ".join([*("text" for _ in before), "argv"])
    return DraftWord(roles, " ".join(one.metavar for one in arguments), "does it run these words?")


def _operands(arguments: tuple[HelpArgument, ...], guess: VerbGuess) -> DraftWord | None:
    """The roles of the words; None if none of them plays one."""
    roles: list[str] = []
    doubts: list[str] = []
    starred = False
    for at, argument in enumerate(arguments):
        found = guess_operand(argument.metavar, argument.text, guess)
        role = found.role
        rest = at == len(arguments) - 1 and (argument.repeats or argument.behind_dashes)
        if role == "shell" and rest:
            role = "argv"
        elif role == "file" and rest:
            role = "script"
        elif argument.repeats and not starred:
            role, starred = role + "*", True
        roles.append(role)
        doubts += [f"{argument.metavar}: {found.doubt}"] if found.doubt else []
    if roles and roles[-1] in RESTS:
        roles = [role.rstrip("*") for role in roles]  # what takes all the rest leaves nothing for a star
    if {role.rstrip("*") for role in roles} <= {"text"}:
        return None
    return DraftWord(" ".join(roles), " ".join(one.metavar for one in arguments), ", ".join(doubts))


# --- options ------------------------------------------------------------------------------------------------------


def _has_single_dashes(options: list[HelpOption]) -> bool:
    single = sum(option.single for option in options)
    double = sum(not option.single and any(len(name) > 1 for name in option.names) for option in options)
    return single >= _MOST_SINGLE and single > double


def _option_words(
    options: list[HelpOption], subject: Subject, left: list[str], *, single_dash: bool
) -> Iterator[DraftWord]:
    taken: set[str] = set()
    for option in options:
        names = tuple(name for name in option.names if _OPTION.fullmatch(name) and name not in taken)
        if option.single and not single_dash:
            left.append(f"-{option.names[0]} {option.metavar}".strip())
            continue
        if not names:
            left.append(" ".join(f"-{name}" for name in option.names))
            continue
        taken |= set(names)
        if "help" in names or (set(names) <= set(_HELP) and not option.value):
            continue  # always known
        if "version" in names and not option.value:
            # Before a subcommand `--version` is always known. A letter may mean something else behind one.
            names = tuple(name for name in names if len(name) == 1)
            if names:
                yield DraftWord(names[0], option.text)
            continue
        yield _option_word(option, names, subject)


def _option_word(option: HelpOption, names: tuple[str, ...], subject: Subject) -> DraftWord:
    spelled = "/".join(sorted(names, key=lambda name: len(name) > 1))
    flag = guess_flag(names, option.text, subject)
    if "dry" in flag.effects:
        return DraftWord(f"{spelled}!dry", option.text, flag.doubt)
    if not option.value:
        effects = "!" + ",".join(flag.effects) if flag.effects else ""
        return DraftWord(spelled + effects, option.text, option.doubt or flag.doubt)
    found = guess_value(names, option.metavar, option.text)
    several = dict.fromkeys((*found.effects, *(one for one in flag.effects if one in ("insecure", "forced"))))
    role = "" if found.role == "text" else found.role
    word = spelled + option.value + role + ("!" + ",".join(several) if several else "")
    return DraftWord(word, option.text, "; ".join(one for one in (option.doubt, found.doubt) if one))


def _spellings(word: str) -> list[str]:
    return re.split(r"[=?!]", word)[0].split("/")


def _part_leading(entry: DraftEntry) -> None:
    """Put options before the subcommand alone if a subcommand means something else by the same letters."""
    below = {
        spelling: one.word for form in _forms_in(entry) for one in form.options for spelling in _spellings(one.word)
    }
    for one in list(entry.options):
        if any(below.get(spelling, one.word) != one.word for spelling in _spellings(one.word)):
            entry.options.remove(one)
            entry.leading.append(one)


def _forms_in(entry: DraftEntry) -> Iterator[DraftEntry]:
    for form in entry.forms.values():
        yield form
        yield from _forms_in(form)
