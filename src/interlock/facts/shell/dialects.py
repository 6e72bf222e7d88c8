"""Where `sh` reads a text otherwise than bash does. It may be bash under that name, or a shell that knows less."""

from __future__ import annotations

import re

__all__ = ["PLAIN_SHELLS", "is_read_otherwise"]

PLAIN_SHELLS = frozenset({"sh", "dash", "ash", "busybox", "posh", "yash"})
_OTHERWISE = re.compile(
    r"\$'[^']*\\'"  # ends at another quote
    r"|<<-?[ \t]*[^ \t\n;&|<>()]*\$['\"]"  # another delimiter
    r"|(?<![$\w(])\(\("  # a shell in a shell
    r"|\[\[[^\n;]*(?:&&|\|\|)"  # two commands
    r"|(?<![\w$])[A-Za-z_]\w*\+="  # sets nothing
    r"|(?<![\w./-])(?:declare|typeset|let|mapfile|readarray|select)(?![\w./-])"
    r"|(?<![\w./-])(?:printf[ \t]+-v|read[ \t]+-[a-zA-Z]*[adnNu])(?![\w./-])"
)


def is_read_otherwise(text: str) -> bool:
    """Whether a plain shell may run something else than bash would; words that it only refuses do not count."""
    return _OTHERWISE.search(text) is not None
