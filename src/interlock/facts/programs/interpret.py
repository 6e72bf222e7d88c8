"""Reading a command's words by its program's table: options, values, subcommands, operands and their roles."""

from __future__ import annotations

from msgspec import Struct

from interlock.facts.programs.clauses import clauses
from interlock.facts.programs.draft import ASIDE, ROLES, SINKS, Role, UseDraft, names_disk
from interlock.facts.programs.package_names import mistyped_packages
from interlock.facts.programs.readers import reader_of, rewrite_of
from interlock.facts.programs.roles import RESTS, Roles, play, roles_of
from interlock.facts.programs.table import Program, Rewrite, Special, Table
from interlock.facts.programs.traits import HARMLESS
from interlock.facts.programs.use import Stdin, Use

__all__ = ["ACTING_ROLES", "Form", "interpret", "make_form", "read_words"]

_NONE, _NEEDED, _OPTIONAL = 0, 1, 2
_DRY, _HELP = 1, 2  # nothing is done; nothing is done if it stands before every operand
_HELPS = frozenset({"-h", "-help", "--help"})  # alone, and not described otherwise
_HELP_PAGE = Program(options="*", traits="read-only")
_TAKES_AWAY = frozenset({"delete", "destroy", "purge", "wipe", "nuke", "drop", "terminate", "unpublish", "erase"})
_TOLD = frozenset({"fingerprints", "network/maps"})  # a page of help says nothing of the machine
_FALSE = frozenset({"false", "none", "no", "0", "off"})
_PASSIVE = ("data", "args")
# They take no value in any program that has them.
_SWITCHES = frozenset(
    {
        "--all",
        "--debug",
        "--force",
        "--json",
        "--quiet",
        "--recursive",
        "--silent",
        "--verbose",
        "--yes",
        "-f",
        "-q",
        "-r",
        "-v",
        "-y",
    }
)
_JUDGED = ("argv", "shell", "code:sql")  # commands of their own; queries, which the tables judge
ACTING_ROLES = frozenset(
    {"write", "within", "edit", "create", "delete", "move", "exec", "send", "shell", "line", "file", "program", "ref"}
)


_RESTS = tuple([rest] for rest in RESTS)
_WRITING = (ROLES["write"], ROLES["edit"])


class Option(Struct, frozen=True):
    """One option of a form."""

    name: str
    value: int
    role: Role
    traits: tuple[str, ...]
    first: bool  # stands for the first operand
    dry: int
    acts: bool


class Form(Struct, frozen=True):
    """A program or subcommand, made ready for use."""

    long: dict[str, Option]
    short: dict[str, Option]
    any: bool
    roles: Roles  # of its operands
    stops: bool
    single: bool
    traits: frozenset[str]
    read_only: bool
    hazard: bool  # some option makes it do more than look
    subs: dict[str, Program]
    patterns: tuple[tuple[str, Program], ...]
    forms: dict[str, Form]
    brief: bool
    stdin: Stdin
    role_names: tuple[str, ...]
    special: Special | None
    parse: Special | None
    rewrite: Rewrite | None


def make_form(program: Program, *, top: bool = False) -> Form:
    """A table entry as a form; `top` for a program, not a subcommand of one."""
    long, short, every = _options(program, top=top)
    roles = roles_of(program.operands)
    role_names = tuple(program.operands.split())
    operands = (program.operands, *(clause.operands for clause in program.when))
    traits = frozenset(program.traits.split())
    subs, patterns = _subs(program.subs)
    special = _special(
        program, {_spelled(name, program): option.name for name, option in (*long.items(), *short.items())}
    )
    hazard = (
        any(option.acts or not HARMLESS.issuperset(option.traits) for option in (*long.values(), *short.values()))
        or roles.rest != ""
        or not ACTING_ROLES.isdisjoint(role.removesuffix("*") for role in role_names)
        or special is not None
        or bool(subs)
    )
    return Form(
        long=long,
        short=short,
        any=every,
        roles=roles,
        stops=program.stops or bool(subs) or any(one.split()[-1:] in _RESTS for one in operands),
        single=program.long,
        traits=traits,
        read_only="read-only" in traits,
        hazard=hazard,
        subs=subs,
        patterns=patterns,
        forms={},
        brief=program.brief,
        stdin=program.stdin,
        role_names=role_names,
        special=special,
        parse=reader_of(program.parser) if program.parser else None,
        rewrite=rewrite_of(program.rewrite) if program.rewrite else None,
    )


def _spelled(name: str, program: Program) -> str:
    return ("-" if program.long or len(name) == 1 else "--") + name


def _special(program: Program, names: dict[str, str]) -> Special | None:
    """Everything that looks at what was parsed, in order: a service's words, clauses, a reader of its own."""
    steps: list[Special] = []
    if program.service is not None:
        from interlock.facts.programs.service import service  # noqa: PLC0415 - few sessions meet one, and it reads SQL

        steps.append(service(program.service))
    if program.when:
        steps.append(clauses(program.when, frozenset(program.traits.split()), names))
    if program.reader:
        steps.append(reader_of(program.reader))
    if len(steps) < 2:
        return steps[0] if steps else None

    def each(draft: UseDraft) -> None:
        for step in steps:
            step(draft)

    return each


def _options(program: Program, *, top: bool) -> tuple[dict[str, Option], dict[str, Option], bool]:
    long: dict[str, Option] = {}
    short: dict[str, Option] = {}
    words = program.options.split()
    for word in words:
        if word == "*":
            continue
        spelled, _, effects = word.partition("!")
        first = spelled.endswith("<")
        names, value, role = _value(spelled.rstrip("<"))
        spellings = names.split("/")
        name = next((spelling for spelling in spellings if len(spelling) > 1), spellings[0])
        traits = tuple(effect for effect in effects.split(",") if effect and effect not in {"dry", "acts"})
        option = Option(
            name="--" + name if len(name) > 1 else "-" + name,
            value=value,
            role=ASIDE.get(role) or ROLES[role],
            traits=traits,
            first=first,
            dry=_DRY if "dry" in effects.split(",") else 0,
            acts="acts" in effects.split(",") or role in ACTING_ROLES or role.startswith("code:"),
        )
        for spelling in spellings:
            (long if len(spelling) > 1 else short)[spelling] = option
    if program.help:
        # A subcommand's `--version` more often takes a version.
        for name in ("help", "version") if top else ("help",):
            long.setdefault(name, Option("--" + name, _NONE, ROLES["text"], (), False, _HELP, False))
    return long, short, "*" in words


def _value(spelled: str) -> tuple[str, int, str]:
    for mark, value in (("=", _NEEDED), ("?", _OPTIONAL)):
        names, found, role = spelled.partition(mark)
        if found and names:
            return names, value, role or "text"
    return spelled, _NONE, "text"


def _subs(table: Table) -> tuple[dict[str, Program], tuple[tuple[str, Program], ...]]:
    exact: dict[str, Program] = {}
    patterns: list[tuple[str, Program]] = []
    for names, program in table.items():
        for name in names.split():
            if name.endswith("*"):
                patterns.append((name[:-1], program))
            else:
                exact[name] = program
    if table:
        exact.setdefault("help", _HELP_PAGE)
    # The longest beginning says most about a word.
    return exact, tuple(sorted(patterns, key=lambda one: -len(one[0])))


def interpret(form: Form, name: str, args: tuple[str, ...]) -> Use:
    """What a command does, by its form."""
    draft = UseDraft(name, args)
    traits = _walk(form, draft, args)
    return _finished(draft, traits)


def _walk(form: Form, draft: UseDraft, args: tuple[str, ...]) -> frozenset[str]:
    """Read words by a form, and by those of its subcommands; the traits that its table gives."""
    if len(args) == 1 and args[0] in _HELPS and "help" in form.long and args[0][1:] not in form.short:
        draft.flags.append("--help")
        draft.dry = True
        return form.traits
    if form.parse is not None:
        draft.stdin = form.stdin
        draft.read_only = form.read_only
        draft.roles = form.role_names
        form.parse(draft)
        return form.traits
    shift = read_words(form, draft, args if form.rewrite is None else form.rewrite(args))
    if form.subs or form.patterns:
        if draft.operands:
            traits = _subcommand(form, draft)
            if form.special is not None:
                form.special(draft)
            return traits
        draft.read_only = form.read_only and draft.read_only
        draft.stdin = form.stdin
        if form.special is not None:
            form.special(draft)
        return form.traits
    if draft.vague and form.hazard:
        draft.read_only = False
    draft.stdin = form.stdin
    if not form.read_only:
        draft.read_only = False
    play(draft, draft.operands, form.roles, shift)
    if draft.doubtful:
        _doubt(form, draft, shift)
    if form.special is not None:
        form.special(draft)
    return form.traits


def _doubt(form: Form, draft: UseDraft, shift: int) -> None:
    """A word after an unknown option may be its value: then the others move up."""
    doubtful = set(draft.doubtful)
    play(draft, [word for at, word in enumerate(draft.operands) if at not in doubtful], form.roles, shift)


def _subcommand(form: Form, draft: UseDraft) -> frozenset[str]:
    operands = draft.operands
    found = _form_of(form, operands[0])
    if found is None and not operands[0].islower():
        found = _form_of(form, operands[0].lower())  # where upper case is nothing to a file system
    at = 0
    if found is None and draft.doubtful and len(operands) > 1:
        found, at = _form_of(form, operands[1]), 1
    if found is None:
        draft.known = False
        draft.read_only = False
        draft.unknown.append(operands[0])
        draft.mentions += [word for word in operands if word[:1] != "-"]
        if draft.dry:
            return frozenset()
        return frozenset(("changes", "told-to-delete") if _TAKES_AWAY.intersection(operands[:3]) else ("changes",))
    draft.words.append(operands[at])
    draft.outer = len(draft.flags)
    draft.operands = []
    draft.doubtful = []
    return _walk(found, draft, tuple(operands[at + 1 :]))


def _form_of(form: Form, word: str) -> Form | None:
    found = form.forms.get(word)
    if found is not None:
        return found
    program = form.subs.get(word)
    key = word
    if program is None and form.brief and word and "\0" not in word:
        key = next((name for name in form.subs if name.startswith(word)), word)
        program = form.subs.get(key)
        found = form.forms.get(key)
    if program is None and "\0" not in word:
        # Kept by the pattern: names are without number here.
        for prefix, candidate in form.patterns:
            if word.startswith(prefix):
                program, key = candidate, prefix + "*"
                found = form.forms.get(key)
                break
    if found is None and program is not None:
        found = form.forms[key] = make_form(program)
    return found


def read_words(form: Form, draft: UseDraft, args: tuple[str, ...]) -> int:
    """Part a command's words into options and operands. The number of operands that options stood for."""
    operands = draft.operands
    shift = at = 0
    count = len(args)
    while at < count:
        word = args[at]
        at += 1
        if word[:1] != "-" or word == "-":
            if word[:1] == "\0":
                draft.vague = True
            operands.append(word)
            if form.stops:
                operands += args[at:]
                break
            continue
        if word[1] == "-" or form.single:
            if word == "--":
                operands += args[at:]
                break
            shift, at = _long(form, draft, args, at, word, shift)
            continue
        # One word of short options: `-rf`, `-ofile`, `-n5`.
        place, last = 1, len(word)
        while place < last:
            option = form.short.get(word[place])
            place += 1
            if option is None:
                if not form.any:
                    draft.unknown.append(word)
                draft.flags.append("-" + word[place - 1])
                if place == 2 and at < count:
                    draft.doubtful.append(len(operands))
                if form.any and place == last and "-" + word[place - 1] not in _SWITCHES:
                    draft.swallows = at
                continue
            if option.value and place < last:
                shift += _take(draft, option, word[place + 1 :] if word[place] == "=" else word[place:])
                break
            if option.value == _NEEDED:
                if at < count:
                    shift += _take(draft, option, args[at])
                    at += 1
                else:
                    shift += _take(draft, option, None)
                break
            shift += _take(draft, option, None)
    return shift


def _long(form: Form, draft: UseDraft, args: tuple[str, ...], at: int, word: str, shift: int) -> tuple[int, int]:
    name, mark, value = word.lstrip("-").partition("=")
    option = form.long.get(name)
    if option is None and word[1] != "-":
        option = form.short.get(name)
    if option is None:
        option = _abbreviated(form, name)
        if option is not None and option.dry and not name.startswith("dry"):
            option = None  # not every program reads a beginning as the whole: `--output` is no `--outputs`
    if option is None:
        draft.flags.append(word.partition("=")[0])
        if not form.any:
            draft.unknown.append(word)
        if mark:
            draft.mentions.append(value)
        elif at < len(args) and args[at][:1] != "-":
            draft.doubtful.append(len(draft.operands))
        elif form.any and word not in _SWITCHES:
            draft.swallows = at  # it may take the next word for its value
        return shift, at
    if option.dry and draft.swallows == at - 1:
        draft.flags.append(option.name)
        return shift, at
    if mark:
        return shift + _take(draft, option, value), at
    if option.value == _NEEDED and at < len(args):
        return shift + _take(draft, option, args[at]), at + 1
    return shift + _take(draft, option, None), at


def _abbreviated(form: Form, name: str) -> Option | None:
    """The option that a long name is the beginning of, if there is just one."""
    if len(name) < 2 or "\0" in name:
        return None
    found = {option.name: option for long, option in form.long.items() if long.startswith(name)}
    return next(iter(found.values())) if len(found) == 1 else None


def _take(draft: UseDraft, option: Option, value: str | None) -> int:
    draft.flags.append(option.name)
    if value is not None:
        draft.values.append((option.name, value))
        if option.value == _NONE or option.dry:
            if value in _FALSE:
                return 0
        else:
            option.role(draft, value)
    if option.dry == _DRY or (option.dry == _HELP and not draft.operands and value is None):
        draft.dry = True
    if option.acts and not (value in SINKS and option.role in _WRITING):
        draft.read_only = False
    if option.traits:
        draft.add(*option.traits)
    return 1 if option.first else 0


_MISTYPED = frozenset({"mistyped-package"})


def _finished(draft: UseDraft, table: frozenset[str]) -> Use:
    traits = table
    if "formats-disk" in table:
        # `-f /dev/sdb1`: where programs share a description, an option of one may take a value and not that of another.
        draft.writes += [value for _, value in draft.values if names_disk(value) and value not in draft.writes]
    for word in draft.writes:
        if word[:5] == "/dev/" and names_disk(word):
            draft.add("formats-disk")
    if draft.traits is not None:
        noted = draft.traits
        traits = frozenset([trait for trait in (*table, *noted) if trait[0] != "-" and "-" + trait not in noted])
    if "installs-package" in traits and mistyped_packages(draft.name, draft.words, draft.operands):
        traits |= _MISTYPED
    if draft.dry and not (draft.unknown or draft.vague):
        # A rehearsal or a page of help.
        draft.writes = draft.creates = draft.deletes = draft.executable = draft.sent = []
        draft.sends = False
        draft.push = None
        draft.stdin = "data"
        traits = (traits & HARMLESS - _TOLD) | {"read-only"}
    elif not draft.read_only or (
        draft.writes or draft.creates or draft.deletes or draft.executable or draft.sends or draft.unknown
    ):
        return _use(draft, traits - {"read-only"} if "read-only" in traits else traits)
    if not HARMLESS.issuperset(traits):
        traits = traits - {"read-only"}
    elif draft.stdin not in _PASSIVE or any(nested.kind not in _JUDGED for nested in draft.runs):
        traits = (traits - {"read-only"}) | {"only-runs"}
    return _use(draft, traits)


def _use(draft: UseDraft, traits: frozenset[str]) -> Use:
    return Use(
        tuple(draft.reads),
        tuple(draft.writes),
        tuple(draft.creates),
        tuple(draft.deletes),
        tuple(draft.executable),
        tuple(draft.mentions),
        tuple(draft.urls),
        tuple(draft.hosts),
        draft.sends,
        tuple(draft.sent),
        tuple(draft.refs),
        tuple(draft.runs),
        draft.stdin,
        draft.cd,
        draft.base,
        tuple(draft.flags),
        (*draft.words, *draft.operands),
        traits,
        draft.known,
        tuple(draft.unknown),
        reached=draft.reached,
        push=draft.push,
    )
