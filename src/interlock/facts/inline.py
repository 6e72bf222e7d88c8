"""The shell commands written into a skill or slash command, which the host runs when it reads the file.

Read a little more widely than the host does: a command it would not run costs a needless question, one that is missed
runs unjudged. What stands in a code span, in a comment or in the frontmatter counts; so does every pairing of marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

import yaml
from msgspec import Struct

from interlock.facts.limits import FRONTMATTER, FRONTMATTER_DEPTH, INLINE

__all__ = ["UNKNOWN", "Frontmatter", "Inline", "frontmatter", "head_of", "inline_commands"]

Fields: TypeAlias = dict[str, str | list[str]]

UNKNOWN = "\0"  # stands for a part of a command that cannot be known here

_FRONTMATTER = re.compile(r"\A[\s\ufeff]*---[^\S\n]*\n(.*?)\n?---", re.DOTALL)
_FIELD = re.compile(r"([\w'\"-]+)[ \t]*:(?:[ \t]+(.*)|)\Z")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)\Z")
_SPACE = r"\s\ufeff"
# The host takes the mark at the start of a line or behind white space. The body may start right behind the `---` that
# ends the frontmatter, and a part that the host puts in may be empty or end in white space.
_MARK = re.compile(rf"(?:\A|(?<=[{_SPACE}\0}}-]))!`([^`]+)`")
_FENCE = re.compile(rf"```![{_SPACE}]*(.*?)```", re.DOTALL)
_OPTION = re.compile(r"\$\{user_config\.[^}]*\}")
_VALUE = re.compile(r"\$\{(\w+)\}")
# A word as the host splits arguments, if nothing in it is an operator, an expansion or an escape.
_WORD = re.compile(r"""(?:[^\s'"\\;&|<>()$`*?\[\]{}#~!]|'[^'\\$`]*'|"[^"\\$`]*")+""")
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")


class Frontmatter(Struct, frozen=True):
    """The texts and lists of texts above a file's body, by name in lower case. Not `sure`: the host may read others."""

    fields: Fields
    sure: bool

    def listed(self, name: str) -> list[str]:
        """A field that is a list, or a text of several words."""
        value = self.fields.get(name, "")
        words = value.replace(",", " ").split() if isinstance(value, str) else value
        return [word for word in words if word.strip()]


class Inline(Struct, frozen=True):
    """One command that reading a file would run, and the line it starts on."""

    command: str
    line: int

    @property
    def unknown(self) -> bool:
        """Whether a part of it cannot be known before it runs."""
        return UNKNOWN in self.command


def inline_commands(text: str, args: str = "", values: Mapping[str, str] | None = None) -> tuple[Inline, ...]:
    """Every command that the host might run while it reads `text`, with its arguments put in as the host does.

    `values` are the `${…}` that the host replaces and that are known. Arguments go in twice, as they are and with the
    marks in them broken: newer hosts break them, older ones do not.
    """
    names = _argument_names(text)
    text = _OPTION.sub(UNKNOWN, text.replace(UNKNOWN, "\ufffd"))
    text = _VALUE.sub(lambda found: (values or {}).get(found[1], found[0]), text)
    found: dict[str, Inline] = {}
    for given in dict.fromkeys((_defuse(args), args)):
        filled = _fill(text, given, names)
        for command, at in _marks(f"{filled}\n\nARGUMENTS: {given}" if given else filled):
            if command not in found:
                found[command] = Inline(command, filled.count("\n", 0, at) + 1)
            if len(found) >= INLINE.most:
                break
    return tuple(sorted(found.values(), key=lambda one: one.line))


def frontmatter(text: str) -> Frontmatter:
    """What stands above a file's body, as YAML, or line by line where it is none: hosts take both."""
    head = head_of(text)
    if head is None:
        return Frontmatter({}, sure=True)
    try:
        fields = _fields(head) if len(head) <= FRONTMATTER.most else None
    except (yaml.YAMLError, ValueError):
        fields = None
    return Frontmatter(_lines(head), sure=False) if fields is None else Frontmatter(fields, sure=True)


def head_of(text: str) -> str | None:
    """The lines above a file's body, without the marks around them; None if it has none."""
    found = _FRONTMATTER.match(text.replace("\r\n", "\n"))
    return None if found is None else found[1]


def _fields(text: str) -> Fields | None:
    """The fields of a YAML map, read event by event: building a tree of what a stranger nested ends the process."""
    fields: Fields = {}
    depth, key = 0, None
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        scalar = event.value if isinstance(event, yaml.ScalarEvent) else None
        opens = isinstance(event, yaml.CollectionStartEvent)
        strange = depth == 0 and (scalar is not None or opens) and not isinstance(event, yaml.MappingStartEvent)
        if strange or depth > FRONTMATTER_DEPTH.most or isinstance(event, yaml.AliasEvent):
            return None
        if depth == 1 and (opens or scalar is not None):
            if key is None:
                key = (scalar or "").lower()
            else:
                fields[key], key = [] if opens else scalar or "", key if opens else None
        elif depth == 2 and scalar is not None and key is not None:
            listed = fields[key]
            if isinstance(listed, list):
                listed.append(scalar)
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            key = None if depth == 1 else key
        depth += opens
    return fields


def _lines(text: str) -> Fields:
    fields: Fields = {}
    listed: list[str] = []
    for line in text.splitlines():
        if field := _FIELD.match(line):
            value = (field[2] or "").strip()
            listed = [_bare(part) for part in value.strip("[]").split(",")] if value.startswith("[") else []
            fields[_bare(field[1]).lower()] = _bare(value) if value and not value.startswith("[") else listed
        elif item := _ITEM.match(line):
            listed.append(_bare(item[1]))
    return fields


def _bare(text: str) -> str:
    return text.strip().strip("'\"")


def _marks(text: str) -> Iterator[tuple[str, int]]:
    """Each command and where it stands, from every mark there is: which of them the host pairs up is its business."""
    for pattern, mark in ((_MARK, "!`"), (_FENCE, "```!")):
        at = text.find(mark)
        while at >= 0:
            found = pattern.match(text, at)
            if found is not None and found[1].strip():
                yield found[1].strip().replace("\r\n", "\n"), at
            at = text.find(mark, at + 1)


def _defuse(args: str) -> str:
    """Arguments in which no mark is left that would start a command."""
    apart = args.replace("`!", "` !").replace("!`", "! `")
    return re.sub(rf"(^|[{_SPACE}])!", r"\1\\!", apart, flags=re.MULTILINE)


def _argument_names(text: str) -> tuple[str, ...] | None:
    """The names that the frontmatter gives to arguments; None if they cannot be read."""
    above = frontmatter(text)
    return tuple(above.listed("arguments")) if above.sure or "arguments" not in text.lower() else None


def _fill(text: str, args: str, names: tuple[str, ...] | None) -> str:
    """The text with its arguments in place. One that is not there is left to the shell, as the host leaves it."""
    words, sure = _words(args)

    def word(number: int, otherwise: str) -> str:
        if number >= len(words):
            return otherwise if sure else UNKNOWN
        return words[number] if sure else words[number] + UNKNOWN

    def value(found: re.Match[str]) -> str:
        name, index, number = found["name"], found["index"], found["number"]
        if found["escaped"]:
            return "$"
        if name:
            return UNKNOWN if names is None else word(names.index(name), "")
        if index or number:
            return word(int(index or number), found[0])
        return args

    named = sorted((re.escape(name) for name in names or ()), key=len, reverse=True)
    choice = rf"(?:{'|'.join(named)})(?![\[\w])" if named else r"(?!)"
    if names is None:  # any of them may be an argument
        choice = r"(?!ARGUMENTS\b)[A-Za-z_]\w*"
    pattern = (
        rf"(?P<escaped>(?<!\\)\\\$(?=\d|ARGUMENTS|{choice}))"
        rf"|\$(?:(?P<name>{choice})|ARGUMENTS\[(?P<index>\d{{1,6}})\]|(?P<number>\d{{1,6}})(?!\w)|ARGUMENTS)"
    )
    return re.sub(pattern, value, text)


def _words(args: str) -> tuple[list[str], bool]:
    """The single arguments, and whether that is surely how the host splits them."""
    plain = [_QUOTED.sub(lambda part: part[1] or part[2] or "", word) for word in _WORD.findall(args)]
    sure = not _WORD.sub("", args).strip()
    return (plain, True) if sure else (args.split(), False)
