"""The scripts that sed and awk take as arguments: files they write and commands they run."""

from __future__ import annotations

import re

from msgspec import Struct


class Effects(Struct):
    """What a script does beside printing."""

    reads: list[str] = []
    writes: list[str] = []
    shell: list[str] = []  # commands it runs; `\\0` where they are not plain
    sure: bool = True  # every part of it was read


_ADDRESS = re.compile(r"(?:\d+(?:~\d+)?|\$|[+~]\d+)")
_PLAIN_SED = frozenset("=dDgGhHnNpPxzF")
_NUMBERED_SED = frozenset("qQlL")
_SED_FLAGS = frozenset("gpiImM0123456789e")


def sed_effects(script: str) -> Effects:
    """Read a sed script. What cannot be read makes it unsure."""
    effects = Effects()
    at, end = 0, len(script)
    while at < end:
        if script[at] in " \t\n;{}":
            at += 1
            continue
        at = _sed_addresses(script, at)
        at = _sed_command(script, at, effects)
        if at < 0:
            effects.sure = False
            break
    return effects


def _sed_addresses(script: str, at: int) -> int:
    while at < len(script):
        sign = script[at]
        if sign in " \t,!":
            at += 1
        elif sign == "/" or (sign == "\\" and at + 1 < len(script)):
            mark = sign if sign == "/" else script[at + 1]
            at = _sed_part(script, at + (1 if sign == "/" else 2), mark, regex=True)
            while 0 <= at < len(script) and script[at] in "IM":
                at += 1
            if at < 0:
                return len(script) + 1
        else:
            found = _ADDRESS.match(script, at)
            if found is None:
                return at
            at = found.end()
    return at


def _sed_part(script: str, at: int, mark: str, *, regex: bool) -> int:
    """Just behind the next mark that is neither escaped nor in brackets; -1 if there is none."""
    inside = False
    while at < len(script):
        sign = script[at]
        if sign == "\\":
            at += 2
            continue
        if inside:
            inside = sign != "]"
        elif sign == mark:
            return at + 1
        elif regex and sign == "[" and mark != "[":
            inside = True
            if script[at + 1 : at + 2] == "^":
                at += 1
            if script[at + 1 : at + 2] == "]":
                at += 1
        at += 1
    return -1


def _line_end(script: str, at: int) -> int:
    found = script.find("\n", at)
    return len(script) if found < 0 else found


def _sed_command(script: str, at: int, effects: Effects) -> int:
    if at >= len(script):
        return -1 if at > len(script) else at
    sign = script[at]
    at += 1
    if sign in _PLAIN_SED or sign in "{}":
        return at
    if sign in _NUMBERED_SED:
        while at < len(script) and script[at] in " 0123456789":
            at += 1
        return at
    if sign in ":btT":
        while at < len(script) and script[at] not in ";\n}":
            at += 1
        return at
    if sign == "#":
        return _line_end(script, at)
    if sign in "aic":
        end = _line_end(script, at)
        while end < len(script) and script[end - 1] == "\\":
            end = _line_end(script, end + 1)
        return end
    if sign in "rRwWe":
        end = _line_end(script, at)
        _sed_file(sign, script[at:end].strip(), effects)
        return end
    return _sed_exchange(script, at, sign, effects) if sign in "sy" else -1


def _sed_file(sign: str, word: str, effects: Effects) -> None:
    if sign == "e":
        effects.shell.append(word or "\0")
    elif word not in {"/dev/stdout", "/dev/stderr", "/dev/stdin"}:
        (effects.reads if sign in "rR" else effects.writes).append(word or "\0")


def _sed_exchange(script: str, at: int, sign: str, effects: Effects) -> int:
    if at >= len(script):
        return -1
    mark = script[at]
    middle = _sed_part(script, at + 1, mark, regex=sign == "s")
    end = _sed_part(script, middle, mark, regex=False) if middle >= 0 else -1
    if end < 0 or sign == "y":
        return end
    while end < len(script) and script[end] in _SED_FLAGS:
        if script[end] == "e":
            # What is run is the whole line after the exchange: the new text, and whatever stood around it.
            effects.shell += [script[middle:end].partition(mark)[0], "\0"]
        end += 1
    if end < len(script) and script[end] == "w":
        stop = _line_end(script, end)
        _sed_file("w", script[end + 1 : stop].strip(), effects)
        return stop
    return end


_AWK_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|\|\||\|&|>>|>=|&&|==|!~|[^\s]|\n', re.DOTALL)
_BEFORE_REGEX = frozenset("(,{};!&|~\n")
_AWK_REGEX = re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\])+/")


def _awk_tokens(script: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    while at < len(script):
        if script[at] in " \t\r":
            at += 1
            continue
        if script[at] == "#":
            at = _line_end(script, at)
            continue
        if script[at] == "/" and (not tokens or tokens[-1][-1] in _BEFORE_REGEX or tokens[-1] in {"return", "in"}):
            regex = _AWK_REGEX.match(script, at)
            if regex:
                tokens.append("//")
                at = regex.end()
                continue
        found = _AWK_TOKEN.match(script, at)
        if found is None:
            at += 1
            continue
        tokens.append(found[0])
        at = found.end()
    return tokens


def awk_effects(script: str) -> Effects:
    """Read an awk program: redirected output, pipes, `system` and `getline`."""
    effects = Effects(sure="\0" not in script)
    tokens = _awk_tokens(script)
    depth = 0
    printing: int | None = None  # the depth at which a print statement stands
    for at, sign in enumerate(tokens):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if printing is not None and depth < printing:
                printing = None
        elif sign in {";", "\n"}:
            printing = None
        elif sign in {"print", "printf"}:
            printing = depth
        elif sign == "system":
            effects.shell.append(_awk_text(tokens, at + 2))
        elif sign == "@":
            effects.sure = False
        elif sign == "getline" and tokens[at + 1 : at + 2] != ["<"] and (at == 0 or tokens[at - 1] not in {"|", "|&"}):
            if "<" in tokens[at + 1 : at + 4]:
                effects.reads.append(_awk_text(tokens, tokens.index("<", at) + 1))
        elif sign == "getline" and tokens[at + 1 : at + 2] == ["<"]:
            effects.reads.append(_awk_text(tokens, at + 2))
        elif sign in {"|", "|&"}:
            before = at > 0 and tokens[at - 1][:1] == '"' and not _joined(tokens, at - 1)
            if tokens[at + 1 : at + 2] == ["getline"]:
                effects.shell.append(_unquoted(tokens[at - 1]) if before else "\0")
            else:
                effects.shell.append(_awk_text(tokens, at + 1))
        elif sign in {">", ">>"} and (printing is not None and depth == printing):
            target = _awk_text(tokens, at + 1)
            if target not in {"/dev/stdout", "/dev/stderr"}:
                effects.writes.append(target)
    return effects


def _joined(tokens: list[str], at: int) -> bool:
    """Whether a text has something joined on before it."""
    return at > 0 and tokens[at - 1] not in {";", "\n", "{", "}", "(", "while", "&&", "||", "!"}


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unquoted(token: str) -> str:
    def plain(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1], 16))
        return chr(int(found[2], 8) & 0xFF) if found[2] else _LETTERS.get(found[3], found[3])

    return _ESCAPE.sub(plain, token[1:-1])


def _awk_text(tokens: list[str], at: int) -> str:
    """The text that stands at a place, with `\\0` for what is joined to it."""
    word = tokens[at] if at < len(tokens) else ""
    if word[:1] != '"':
        return "\0"
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    return _unquoted(word) + ("" if after in {"", ";", "\n", "}", ")", "|"} else "\0")
