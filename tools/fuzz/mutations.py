"""Small changes of lines: pieces of two put together, left out, doubled, quoted, or run by something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

__all__ = ["mutate"]

_PIECE = re.compile(r"[A-Za-z0-9_]+|\s|.", re.DOTALL)
_SPRINKLED = (
    "'", '"', "\\", "$", "`", "(", ")", "{", "}", ";", "&", "|", "<", ">", "\n", " ", "#", "$(", "<(", "<<", "$'", '$"',
    "${", "$((", "\\\n", "=", "[", "]", "!", "~", "*", "-", "x", "z7", "&&", "||", "<<<", "''", "\t", ",", "..",
)  # fmt: skip


def mutate(lines: Sequence[str], chance: random.Random) -> str:
    """One line made from some of the others."""
    line = chance.choice(lines)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3))):
        line = chance.choice(_WAYS)(line, lines, chance)
    return line.replace("\0", "")


def _pieces(line: str) -> list[str]:
    return _PIECE.findall(line)


def _drop(line: str, lines: Sequence[str], chance: random.Random) -> str:
    pieces = _pieces(line)
    if not pieces:
        return line
    at = chance.randrange(len(pieces))
    del pieces[at : at + chance.choice((1, 1, 2, 4))]
    return "".join(pieces)


def _sprinkle(line: str, lines: Sequence[str], chance: random.Random) -> str:
    pieces = _pieces(line)
    pieces.insert(chance.randint(0, len(pieces)), chance.choice(_SPRINKLED))
    return "".join(pieces)


def _double(line: str, lines: Sequence[str], chance: random.Random) -> str:
    pieces = _pieces(line)
    at = chance.randint(0, len(pieces))
    size = chance.randint(1, 6)
    return "".join([*pieces[: at + size], *pieces[at:]])


def _swap(line: str, lines: Sequence[str], chance: random.Random) -> str:
    pieces = _pieces(line)
    if len(pieces) < 2:
        return line
    one, other = chance.sample(range(len(pieces)), 2)
    pieces[one], pieces[other] = pieces[other], pieces[one]
    return "".join(pieces)


def _splice(line: str, lines: Sequence[str], chance: random.Random) -> str:
    other = _pieces(chance.choice(lines))
    mine = _pieces(line)
    return "".join([*mine[: chance.randint(0, len(mine))], *other[chance.randint(0, len(other)) :]])


def _join(line: str, lines: Sequence[str], chance: random.Random) -> str:
    return line + chance.choice(("; ", "\n", " && ", " | ", " || ", " & ")) + chance.choice(lines)


def _wrap(line: str, lines: Sequence[str], chance: random.Random) -> str:
    quoted = "'" + line.replace("'", "'\\''") + "'"
    doubled = '"' + re.sub(r'([\\"$`])', r"\\\1", line) + '"'
    form = chance.choice((
        "eval {q}", "bash -c {q}", "eval {d}", "( {l}\n)", "{{ {l}\n}}", "f() {{ {l}\n}}; f", "x={q}; eval \"$x\"",
        "echo \"$({l}\n)\"", "if true; then {l}\nfi", "for i in 1; do {l}\ndone", "bash <<'EOT'\n{l}\nEOT\n",
        "trap {q} EXIT", "echo {q} | bash", "cat <({l}\n)", "{l} | cat", "! {l}", "case a in a) {l}\n;; esac",
        "bash <<< {q}", "while :; do {l}\nbreak; done", "x=$({l}\n)", "printf '%s\\n' {q} | sh", "sh -c {q}",
        "cat <<EOT\n$({l}\n)\nEOT\n", "echo {q} > f9; . ./f9", "coproc {{ {l}\n}}; wait", "set -- {q}; eval \"$1\"",
    ))  # fmt: skip
    return form.format(q=quoted, d=doubled, l=line)


def _rename(line: str, lines: Sequence[str], chance: random.Random) -> str:
    """Let one word be written like another."""
    words = list(dict.fromkeys(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", line)))
    if len(words) < 2:
        return line
    old, new = chance.sample(words, 2)
    return re.sub(rf"\b{old}\b", new, line, count=chance.choice((0, 1)))


_WAYS: tuple[Callable[[str, Sequence[str], random.Random], str], ...] = (
    _drop, _drop, _sprinkle, _sprinkle, _sprinkle, _double, _swap, _splice, _splice, _join, _wrap, _wrap, _rename,
)  # fmt: skip
