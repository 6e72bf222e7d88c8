"""Where `sh` reads a text otherwise than bash does. It may be bash under that name, or a shell that knows less."""

from __future__ import annotations

import re

__all__ = ["PLAIN_SHELLS", "is_read_otherwise"]

PLAIN_SHELLS = frozenset({"sh", "dash", "ash", "busybox", "posh", "yash"})
_OTHERWISE = re.compile(
    r"\$'[^']*\\'"  # ends at another quote
    r"|<<-?[ \t]*[^ \t\n;&|<>()]*\$['\"]"  # another delimiter
    r"|(?<![$\w(])\(\("  # a shell in a shell
    r"|(?<![\w$])[A-Za-z_]\w*\+="  # sets nothing
    r"|(?<![\w./-])(?:declare|typeset|let|mapfile|readarray|select)(?![\w./-])"
    r"|(?<![\w./-])(?:printf[ \t]+-v|read[ \t]+-[a-zA-Z]*[adnNu])(?![\w./-])"
)
# A variable that is set for one of these stays set.
_STAYS = re.compile(
    r"(?:^|[\s;&|(])[A-Za-z_]\w*=[^\s;&|(]*[ \t]+(?:set|shift|export|readonly|unset|trap|times|eval|:)(?![\w./-])"
)


def is_read_otherwise(text: str) -> bool:
    """Whether a plain shell may run something else than bash would; words that it only refuses do not count."""
    if _OTHERWISE.search(text) is not None or _STAYS.search(text) is not None:
        return True
    conditions = [piece.partition("]]")[0] for piece in text.split("[[")[1:]]
    return any("&&" in one or "||" in one for one in conditions)  # two commands
