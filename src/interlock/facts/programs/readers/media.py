"""Pictures and films: which words are files, and which of them are written."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Rewrite, Special, words

_SPECIFIED = re.compile(r"-[a-z]+(?:_[a-z]+)*:[a-z0-9:]+")
_CAPTURES = words("x11grab avfoundation pulse alsa dshow gdigrab")


def _ffmpeg(draft: UseDraft) -> None:
    """Inputs follow -i; every other operand is written."""
    for name, value in draft.values:
        if name == "-i":
            draft.urls.append(value) if "://" in value else draft.reads.append(value)
    for word in draft.operands:
        if "://" in word:
            draft.urls.append(word)
            draft.sends = True
        elif word != "-":
            draft.writes.append(word)
    if not _CAPTURES.isdisjoint(draft.args):
        draft.add("captures")


def _without_specifiers(args: tuple[str, ...]) -> tuple[str, ...]:
    """`-c:v` as `-c`: any option may say which streams it is for."""
    return tuple(word.partition(":")[0] if _SPECIFIED.fullmatch(word) else word for word in args)


def _convert(draft: UseDraft) -> None:
    """Any word may be a command behind `|`, with or without a format before it; the first may be another tool."""
    files = draft.operands
    tool = files[0] if files and draft.name in {"magick", "gm"} else ""
    if any(word.startswith("|") or ":|" in word for word in draft.args):
        draft.aside(next(word for word in draft.args if "|" in word).partition("|")[2])
    if tool == "identify":
        draft.reads += files[1:]
        draft.looks("changes")
    elif tool == "mogrify":
        draft.writes += files[1:]
    else:
        draft.reads += files[:-1]
        draft.writes += files[-1:]


_FILE_TAGS = ("-filemodifydate", "-filecreatedate", "-filename", "-fileaccessdate")


def _exiftool(draft: UseDraft) -> None:
    """Every tag is an option: `-Artist` shows it, `-Artist=Ann` sets it."""
    draft.reads += draft.operands
    for option, text in zip(draft.args, draft.args[1:], strict=False):
        if option == "-config":
            draft.run("file", text, by="exiftool")
        elif option == "-if" and ("(" in text or "`" in text):
            draft.run("code:perl", text)
    sets = any("=" in word and word.startswith("-") and not word.startswith(("-if", "-d=")) for word in draft.args)
    if sets or {"-overwrite_original", "-TagsFromFile"} & set(draft.args):
        draft.writes += draft.operands
        # Dates of the file itself; what a picture says of itself is its content.
        if any(word.lower().startswith(_FILE_TAGS) for word in draft.args):
            draft.add("hides")
    else:
        draft.unknown.clear()
        draft.looks("changes")


READERS: dict[str, Special] = {
    "convert": _convert,
    "exiftool": _exiftool,
    "ffmpeg": _ffmpeg,
}

REWRITES: dict[str, Rewrite] = {"without_specifiers": _without_specifiers}
