"""Programs that search or change a text: grep, sed, awk, cut and their like."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from interlock.hook_lint.read.shell.commands import Command, file_or_input, operands, prints
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.machine import CommandCall, ShellReader
from interlock.hook_lint.read.shell.state import ShellState, Write
from interlock.hook_lint.read.shell.tests import Truth, negation_of, search, status_of

__all__ = ["FILTERS"]

_LONG_WITH_VALUE = frozenset({
    "regexp", "file", "max-count", "after-context", "before-context", "context", "color", "colour", "include",
    "exclude", "exclude-dir", "label", "binary-files", "type", "glob",
})  # fmt: skip
_LONG = _LONG_WITH_VALUE | frozenset({
    "extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp", "pcre2", "ignore-case", "no-ignore-case",
    "word-regexp", "line-regexp", "invert-match", "count", "files-with-matches", "files-without-match", "only-matching",
    "quiet", "silent", "no-messages", "null", "line-number", "with-filename", "no-filename", "recursive",
    "null-data", "text", "line-buffered", "help", "version", "multiline", "no-heading", "hidden", "json",
})  # fmt: skip
_WITH_VALUE = "efmABC"
_LETTERS = frozenset("EFGPivwxclLqsonHhrRzaIUybuTZefmABCdD0123456789")


# --- grep -------------------------------------------------------------------------------------------------------------


class _Grep:
    """The arguments of grep."""

    def __init__(self, args: list[str]) -> None:
        self.patterns: list[str] = []
        self.files: list[str] = []
        self.flags: set[str] = set()
        self.taken: list[str] = []  # what was meant as a pattern, but grep takes it for an option
        rest = list(args)
        others: list[str] = []
        while rest:
            arg = rest.pop(0)
            if arg == "--":
                others += rest
                break
            if arg.startswith("--"):
                self._long(arg, rest)
            elif len(arg) > 1 and arg[0] == "-":
                self._short(arg, rest)
            else:
                others.append(arg)
        if not self.patterns and others:
            self.patterns.append(others.pop(0))
        elif not self.patterns and self.taken:
            self.patterns = self.taken[-1:]
        self.files = others

    def is_basic(self, name: str) -> bool:
        """Whether the pattern is a basic regular expression."""
        return name in ("grep", "ggrep") and not {"E", "P", "F"} & self.flags

    def _long(self, arg: str, rest: list[str]) -> None:
        name, sign, value = arg[2:].partition("=")
        if name not in _LONG:
            self.taken.append(arg)
        elif name in _LONG_WITH_VALUE and name not in ("color", "colour"):
            found = value if sign or not rest else rest.pop(0)
            self.patterns += [found] if name == "regexp" else []
        letters = {"extended-regexp": "E", "fixed-strings": "F", "perl-regexp": "P", "invert-match": "v",
                   "word-regexp": "w", "line-regexp": "x", "count": "c", "only-matching": "o", "quiet": "q",
                   "silent": "q", "ignore-case": "i", "null-data": "z"}  # fmt: skip
        self.flags.update(letters.get(name, ""))

    def _short(self, arg: str, rest: list[str]) -> None:
        for place, letter in enumerate(arg[1:], 1):
            if letter not in _LETTERS:
                self.taken.append(arg)
                return
            self.flags.add(letter)
            if letter not in _WITH_VALUE:
                continue
            value = arg[place + 1 :] or (rest.pop(0) if rest else "")
            if letter == "e":
                self.patterns.append(value)
            elif letter == "f" and (not value or " " in value):
                self.taken.append(arg)  # `-rf /` was not meant as `-r -f " /"`
            elif letter == "f":
                self.patterns.append("…")
            return


def _grep(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    given = _Grep(call.args)
    if call.name == "fgrep":
        given.flags.add("F")
    source = _source_of(walk, call)
    text = file_or_input(walk, given.files, state)
    if not given.patterns:
        return prints(walk, state, walk.holes.derive(text), Ask(text=source, key="", span=call.span))
    cut = _cut_by(walk, given, text)
    if cut is not None:
        atom = Atom("presence", call.span)
        found = Ask(text=source, key="", span=call.span, atoms=(atom,), paths=walk.holes.paths(cut))
        return prints(walk, state, cut + "\n", found)
    truth = _truth_of(walk, call, given, source, text.rstrip("\n"))
    status = status_of(truth)
    if "q" in given.flags:
        state.status = status
        return [state]
    return prints(walk, state, _found(walk, text, given, truth), status)


def _cut_by(walk: ShellReader, given: _Grep, text: str) -> str | None:
    """The value that `grep -o` cuts out of JSON; None if it does something else."""
    hole = walk.holes.sole(text.rstrip("\n"))
    if "o" in given.flags and hole is not None and hole.is_json and hole.origins:
        return walk.cut_out(hole, given.patterns[0])
    return None


def _truth_of(walk: ShellReader, call: CommandCall, given: _Grep, source: str, text: str) -> Truth:
    """Whether grep finds something, judged by its first pattern; all of them are noted."""
    how: Literal["regex", "contains", "whole"] = (
        "whole" if "x" in given.flags else "contains" if "F" in given.flags else "regex"
    )
    patterns = [_extended_regex(pattern) if given.is_basic(call.name) else pattern for pattern in given.patterns]
    takes_options = "--" not in call.args and "e" not in given.flags
    truths = [
        search(
            walk, text, pattern, how, source, call.span,
            is_by_line="z" not in given.flags, option_like=takes_options,
        )
        for pattern in patterns
    ]  # fmt: skip
    truth = negation_of(truths[0]) if "v" in given.flags else truths[0]
    return replace(truth, text=source) if isinstance(truth, Ask) else truth


_BASIC = re.compile(r"\\([(){}|+?])|([(){}|+?])|(\[\^?\]?(?:\[:\w+:\]|[^\]])*\])|\\.", re.DOTALL)


def _extended_regex(pattern: str) -> str:
    """A basic regular expression of grep as an extended one."""
    return _BASIC.sub(lambda found: found[1] or (f"\\{found[2]}" if found[2] else found[0]), pattern)


def _found(walk: ShellReader, text: str, given: _Grep, truth: Truth) -> str:
    """What grep prints."""
    ask = truth if isinstance(truth, Ask) else None
    if isinstance(truth, bool) and not truth:
        return "0\n" if "c" in given.flags else ""
    if "c" in given.flags:
        return walk.holes.mark(Hole(paths=walk.holes.paths(text), ask=ask, is_plain=True, change="other")) + "\n"
    names, programs = walk.holes.names(text), walk.holes.programs(text)
    made = Hole(paths=walk.holes.paths(text), ask=ask, change="other", names=names, programs=programs)
    return walk.holes.mark(made) + "\n"


def _source_of(walk: ShellReader, call: CommandCall) -> str:
    """The whole pipeline that a search ends, as it is written."""
    start = walk.source.rfind("\n", 0, call.node.start) + 1
    line = walk.source[start : call.node.end]
    if walk.source[call.node.start : call.node.end] != call.node.text:
        return call.text
    for sign in ("if ", "elif ", "while ", "&& ", "|| ", "; ", "$(", "! ", "then ", "( "):
        _, found, rest = line.rpartition(sign)
        if found and call.text[:8] in " ".join(rest.split()):
            line = rest
    return " ".join(line.split())


# --- programs that change a text --------------------------------------------------------------------------------------

_TRIMS = re.compile(r"s(.)\^?(?:\[\[:space:\]\]|\\s|\[ \\t\]| )[*+]?\$?\1\1g?")
_LOWER: dict[tuple[str, ...], Callable[[str], str]] = {
    ("A-Z", "a-z"): str.lower, ("[:upper:]", "[:lower:]"): str.lower, ("[A-Z]", "[a-z]"): str.lower,
    ("a-z", "A-Z"): str.upper, ("[:lower:]", "[:upper:]"): str.upper,
}  # fmt: skip


def _sed(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    scripts = _scripts(call.args, "e", "Eri")
    files = scripts[1]
    text = file_or_input(walk, files, state)
    script = "; ".join(scripts[0])
    hole = walk.holes.sole(text.rstrip("\n"))
    if hole is not None and hole.is_json and hole.origins and (found := walk.cut_out(hole, script)) is not None:
        return prints(walk, state, found + "\n")
    if hole is not None and (hole.by_text or all(_TRIMS.fullmatch(one.strip()) for one in scripts[0])):
        return prints(walk, state, text)
    escapes = '\\"' in script or '\\\\"' in script
    return prints(walk, state, _derive(walk, text, is_plain=escapes))


def _scripts(args: list[str], option: str, flags: str) -> tuple[list[str], list[str]]:
    """The programs that are given to sed or awk, and the files."""
    scripts: list[str] = []
    others: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg in (f"-{option}", "--expression") and rest:
            scripts.append(rest.pop(0))
        elif arg in ("-F", "-v") and rest and option == "f":
            rest.pop(0)
        elif arg == "-f" and rest:
            scripts.append(rest.pop(0))
        elif len(arg) > 1 and arg[0] == "-" and not has_holes(arg):
            if not arg.startswith("--") and arg[-1] == option and len(arg) > 2 and rest:
                scripts.append(rest.pop(0))
        else:
            others.append(arg)
    if not scripts and others:
        scripts.append(others.pop(0))
    return scripts, others


def _derive(walk: ShellReader, text: str, *, is_plain: bool = False) -> str:
    """A text that a filter has made of another."""
    hole = walk.holes.sole(text.rstrip("\n"))
    if hole is not None and hole.ask is not None:
        return walk.holes.mark(replace(hole, document=UNSET)) + "\n"
    if not has_holes(text):
        return walk.holes.mark(Hole(is_plain=is_plain)) + "\n" if text.strip() else ""
    return walk.holes.derive(text, is_plain=is_plain or walk.holes.is_plain(text.rstrip("\n"))) + "\n"


def _awk(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    _, files = _scripts(call.args, "f", "")
    text = file_or_input(walk, files, state)
    hole = walk.holes.sole(text.rstrip("\n"))
    if hole is not None and hole.is_json and hole.origins:
        cut = walk.cut_out(hole, " ".join(call.args))
        if cut is not None:
            return prints(walk, state, cut + "\n")
    if hole is not None and hole.by_text:
        return prints(walk, state, text)
    return prints(walk, state, _derive(walk, text))


def _cut(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, operands(call.args, "dfcb"), state)
    hole = walk.holes.sole(text.rstrip("\n"))
    if hole is not None and hole.by_text:
        return prints(walk, state, text)
    args = " ".join(call.args)
    if re.search(r"-c\s*1-", args):
        return prints(walk, state, text)  # its beginning
    return prints(walk, state, _derive(walk, text))


def _tr(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, [], state)
    sets = operands(call.args)
    stripped = text.rstrip("\n")
    if (change := _LOWER.get(tuple(sets))) is not None:
        values = walk.holes.choices(stripped)
        if values:
            return prints(walk, state, walk.holes.one_of([change(value) for value in values]) + "\n")
        if walk.holes.sole(stripped) is not None:
            return prints(walk, state, walk.holes.with_change(stripped, "case") + "\n")
    if any(arg.startswith("-") and "d" in arg for arg in call.args):
        if sets and set(sets[0]) <= set("\\nr\n\r\"' "):
            hole = walk.holes.sole(stripped)
            if hole is not None and '"' in sets[0]:
                return prints(walk, state, walk.holes.mark(replace(hole, is_plain=True)))
            return prints(walk, state, stripped)
        return prints(walk, state, _derive(walk, text, is_plain=bool(sets) and '"' in sets[0]))
    return prints(walk, state, _derive(walk, text))


def _first_lines(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, operands(call.args, "nc"), state)
    return prints(walk, state, text if has_holes(text) else text.partition("\n")[0] + "\n" if text else "")


def _other_filter(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, operands(call.args, "nkt"), state)
    return prints(walk, state, _derive(walk, text))


def _count(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, operands(call.args), state)
    hole = walk.holes.sole(text.strip())
    ask = hole.ask if hole is not None else None
    return prints(walk, state, walk.holes.mark(Hole(paths=walk.holes.paths(text), ask=ask, is_plain=True)) + "\n")


def _tee(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, [], state)
    if "/dev/stderr" in call.args:
        state.write(2, text, walk.here)
    else:
        state.writes = (*state.writes, Write("log", text, walk.here))
    return prints(walk, state, text)


def _base(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`basename`, `dirname`, `realpath`: of a path that is given."""
    given = operands(call.args, "s")
    if given and not any(map(has_holes, given)):
        text = given[0].rstrip("/")
        if call.name == "basename":
            return prints(walk, state, text.rpartition("/")[2] + "\n")
        if call.name == "dirname":
            return prints(walk, state, (text.rpartition("/")[0] or ("/" if text.startswith("/") else ".")) + "\n")
    if call.name in ("realpath", "readlink") and not any(arg.startswith("--relative") for arg in call.args):
        hole = walk.holes.sole(given[-1]) if given else None
        if hole is not None:
            return prints(walk, state, walk.holes.mark(replace(hole, values=())) + "\n")
    return prints(walk, state, walk.holes.derive(*given) + "\n")


def _date(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    return prints(walk, state, walk.holes.mark(Hole(is_plain=True)) + "\n")


FILTERS: dict[str, Command] = {
    "grep": _grep, "egrep": _grep, "fgrep": _grep, "ggrep": _grep, "rg": _grep, "sed": _sed, "gsed": _sed,
    "awk": _awk, "gawk": _awk, "mawk": _awk, "cut": _cut, "tr": _tr, "head": _first_lines, "tail": _other_filter,
    "sort": _other_filter, "uniq": _other_filter, "rev": _other_filter, "fold": _other_filter, "tac": _other_filter,
    "base64": _date, "wc": _count, "tee": _tee, "basename": _base, "dirname": _base, "realpath": _base,
    "readlink": _base, "date": _date, "md5sum": _date, "shasum": _date, "sha256sum": _date, "hostname": _date,
    "whoami": _date, "id": _date, "uname": _date, "pwd": _date,
}  # fmt: skip
