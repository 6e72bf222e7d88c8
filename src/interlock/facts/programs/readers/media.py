"""Pictures, sound, films, documents, printing and the desktop."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


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
    if any(word in {"x11grab", "avfoundation", "pulse", "alsa", "dshow", "gdigrab"} for word in draft.args):
        draft.add("captures")


def _convert(draft: UseDraft) -> None:
    files = draft.operands
    draft.reads += files[:-1]
    draft.writes += files[-1:]
    if any(word.startswith("|") or ":|" in word for word in draft.args):
        draft.aside(next(word for word in draft.args if "|" in word).partition("|")[2])


_POINTED = {"scrot": "s", "maim": "s", "screencapture": "iwW"}


def _pointed_at(draft: UseDraft) -> None:
    """A person marks what is taken, with a pointer that waits for them."""
    letters = "".join(word[1:] for word in draft.args if word[:1] == "-" and word[1:].isalpha())
    if "--select" in draft.args or set(_POINTED.get(draft.name, "")) & set(letters):
        draft.add("interactive")


def _exiftool(draft: UseDraft) -> None:
    draft.reads += draft.operands
    for option, text in zip(draft.args, draft.args[1:], strict=False):
        if option == "-config":
            draft.run("file", text, by="exiftool")
        elif option == "-if" and ("(" in text or "`" in text):
            draft.run("code:perl", text)
    if any("=" in word and word.startswith("-") and not word.startswith(("-if", "-d=")) for word in draft.args) or {
        "-overwrite_original",
        "-TagsFromFile",
    } & set(draft.args):
        draft.writes += draft.operands
        # Dates of the file itself; what a picture says of itself is its content.
        if any(
            word.lower().startswith(("-filemodifydate", "-filecreatedate", "-filename", "-fileaccessdate"))
            for word in draft.args
        ):
            draft.add("hides")
    else:
        draft.unknown.clear()
        draft.looks("changes")


def _paste(draft: UseDraft) -> None:
    if {"-o", "--output", "-out"} & set(draft.flags) or {"-o", "-out", "--output", "-b-o"} & set(draft.args):
        draft.add("clipboard")


READERS: dict[str, Special] = {
    "adb_shell": (lambda draft: draft.run("shell", " ".join(draft.operands), where="host") if draft.operands else None),
    "convert": _convert,
    "exiftool": _exiftool,
    "ffmpeg": _ffmpeg,
    "paste": _paste,
    "pointed_at": _pointed_at,
}
