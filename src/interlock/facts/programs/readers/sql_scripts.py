"""What a script for a database client does beside asking the database: files it reads and writes, commands it runs."""

from __future__ import annotations

import re
from collections.abc import Callable

from interlock.facts.programs.readers.little_scripts import Effects

# Signs of anything that this module looks for: most queries have none of them.
_SIGNS = re.compile(
    r"(?im)^\s*(?:\.[a-z]|\\[!a-z]|system\s|source\s|tee\s)|\\!|"
    r"load_file|read_(?:binary_)?file|readfile|lo_(?:im|ex)port|writefile|outfile|dumpfile|\bcopy\b|bulk\s+insert|"
    r"xp_cmdshell|sys_(?:exec|eval)|load_extension|read_text|read_blob"
)
_CALLS = re.compile(
    r"(?i)\b(?P<name>load_file|pg_read_(?:binary_)?file|readfile|lo_import|read_text|read_blob|writefile|lo_export|"
    r"sys_exec|sys_eval|load_extension)\s*\(\s*(?:\d+\s*,\s*)?'(?P<text>(?:[^']|'')*)'"
)
_INTO = re.compile(r"(?i)\binto\s+(?:out|dump)file\s+['\"](?P<text>[^'\"]*)['\"]")
_COPY = re.compile(
    r"(?is)(?:\bcopy\b|\\copy\b)[^;]*?\b(?P<way>from|to)\s+(?P<program>program\s+)?'(?P<text>(?:[^']|'')*)'"
)
_BULK = re.compile(r"(?i)\bbulk\s+insert\s+\S+\s+from\s+'(?P<text>[^']*)'")
_SHELLS = re.compile(r"(?i)\bxp_cmdshell\s*\(?\s*N?'(?P<text>(?:[^']|'')*)'")
_LINE = re.compile(r"(?m)^\s*(?P<name>\.[a-z]+|\\!|\\[a-z]+|system(?=\s)|source(?=\s)|tee(?=\s))[ \t]*(?P<rest>[^\n]*)")
_WRITING_CALLS = frozenset({"writefile", "lo_export"})
_RUNNING_CALLS = frozenset({"sys_exec", "sys_eval", "load_extension"})


def _reads(effects: Effects, rest: str) -> None:
    _file(effects, rest, effects.reads)


def _writes(effects: Effects, rest: str) -> None:
    _file(effects, rest, effects.writes)


def _file(effects: Effects, rest: str, into: list[str]) -> None:
    text = rest.strip().rstrip(";").strip()
    if text.startswith("|"):
        effects.shell.append(text[1:].strip())
        return
    words = [word for word in text.split() if not word.startswith("-")]
    into += [word.strip("'\"") for word in words[:1]]


def _runs(effects: Effects, rest: str) -> None:
    effects.shell.append(rest.strip().rstrip(";"))


# What sqlite3, psql and mysql take beside SQL.
_COMMANDS: dict[str, Callable[[Effects, str], None]] = {
    **dict.fromkeys((".shell", ".system", ".sh", ".sys", "\\!", "system"), _runs),
    **dict.fromkeys((".output", ".once", ".backup", ".save", ".clone", ".log", ".trace", ".excel"), _writes),
    **dict.fromkeys((".import", ".read", ".restore", ".load", ".open", "source", "\\i", "\\ir", "\\include"), _reads),
    **dict.fromkeys(("tee", "\\o", "\\w", "\\out", "\\write", "\\g", "\\gx", "\\T"), _writes),
}


def sql_effects(text: str) -> Effects:
    """Read a script: the client's own commands, and the functions and statements that touch files or run programs."""
    effects = Effects()
    if _SIGNS.search(text) is None:
        return effects
    for line in _LINE.finditer(text):
        command = _COMMANDS.get(line["name"]) or _COMMANDS.get(line["name"].lower())
        if command is not None and (line["rest"].strip() or line["name"] == "\\!"):
            command(effects, line["rest"])
    for call in _CALLS.finditer(text):
        name = call["name"].lower()
        if name in _RUNNING_CALLS:
            effects.shell.append(call["text"])
        else:
            (effects.writes if name in _WRITING_CALLS else effects.reads).append(call["text"])
    for copy in _COPY.finditer(text):
        if copy["program"]:
            effects.shell.append(copy["text"].replace("''", "'"))
        else:
            (effects.writes if copy["way"].lower() == "to" else effects.reads).append(copy["text"])
    effects.writes += [found["text"] for found in _INTO.finditer(text)]
    effects.reads += [found["text"] for found in _BULK.finditer(text)]
    effects.shell += [found["text"].replace("''", "'") for found in _SHELLS.finditer(text)]
    return effects
