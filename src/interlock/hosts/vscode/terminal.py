"""What the terminal tools of VS Code type into an interactive shell, and how that shell reads it.

To the shell, a control character is a key: one of them deletes the rest of the line, another completes a word. And `!`
recalls a line that was typed before. Such lines are refused, so that the line that is judged is the line that runs.
"""

from __future__ import annotations

import re

from interlock.errors import InterlockError
from interlock.hosts.base.tools import JsonObject, Part

__all__ = ["run", "send"]

_KEYS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_SIGNALS = ("\x03", "\x04", "\x1c")  # sent alone, they end what is running
_AT_START = re.compile(r"^[ \t]*![^\s=(]|\A[ \t]*\^", re.MULTILINE)
_SPACE = " \t\r\n"
_LITERAL = " \t\n=("  # before these, `!` is only itself
_NAMES = ("$", "${", "[")  # and after these it is part of a name or of a pattern


def run(given: JsonObject) -> list[Part] | None:
    """A command that is run in a terminal."""
    line = given.get("command")
    typed = _as_shell_reads(line, "run_in_terminal") if isinstance(line, str) else line
    return None if typed == line else [("Bash", {**given, "command": typed})]


def send(given: JsonObject) -> list[Part] | None:
    """A text that is typed into a terminal where something runs already, most of the time a shell."""
    text = given.get("command")
    if not isinstance(text, str):
        return None
    if text.strip(_SPACE) in _SIGNALS:
        return [("TaskStop", {"task_id": given.get("id")})]
    typed = _as_shell_reads(text, "send_to_terminal")
    # Some versions make one line of it. Either way of reading it may be the one that counts.
    forms = dict.fromkeys((typed, typed.replace("\n", " ").strip(_SPACE)))
    return None if list(forms) == [text] else [("Bash", {"command": form}) for form in forms]


def _as_shell_reads(text: str, tool: str) -> str:
    """The text with the ends of lines that it is typed with. Raises InterlockError if it does more than a text does."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _KEYS.search(text):
        raise InterlockError(f"the input of {tool} contains a control character, which acts as a key in a terminal")
    if "\t" in text and "\n" not in text.strip(_SPACE):
        raise InterlockError(
            f"the input of {tool} contains a tab, which completes words in a terminal", help="use spaces, or `\\t`"
        )
    if _recalls(text):
        raise InterlockError(
            f"the input of {tool} contains `!` or `^` where an interactive shell would insert an earlier line",
            help="put it in single quotes, or into a file",
        )
    return text


def _recalls(text: str) -> bool:
    """Whether an interactive shell would replace a part of this by what was typed before."""
    if _AT_START.search(text):
        return True
    place, quoted = 0, False  # in double quotes
    while place < len(text):
        char, before, after = text[place], text[max(0, place - 2) : place], text[place + 1 : place + 2]
        if char == "\\":
            place += 1
        elif char == '"':
            quoted = not quoted
        elif char == "'" and not quoted:
            place = _end_of_quote(text, place)
        elif char == "#" and not quoted and before[-1:] in ("", " ", "\t", "\n", ";"):
            place = _end_of_line(text, place)
        elif char == "!" and after not in ("", *_LITERAL, '"' if quoted else "") and not before.endswith(_NAMES):
            return True
        place += 1
    return False


def _end_of_quote(text: str, start: int) -> int:
    ansi = text[start - 1 : start] == "$"
    found = re.compile(r"(?:\\.|[^\\'])*'" if ansi else "[^']*'", re.DOTALL).match(text, start + 1)
    return len(text) if found is None else found.end() - 1


def _end_of_line(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found
