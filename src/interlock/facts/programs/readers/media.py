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


def _sound(draft: UseDraft) -> None:
    lists = {"-l", "-L", "--list-devices", "--list-pcms"} & set(draft.flags)
    if lists and draft.name in {"aplay", "arecord"}:
        draft.looks("changes")
    elif draft.name in {"rec", "arecord", "parecord"}:
        draft.add("captures")


_ACTING = ("key", "type", "click", "mouse", "window", "set_", "exec", "behave", "select")


def _xdotool(draft: UseDraft) -> None:
    """Words that ask about windows; one that acts may follow them."""
    if draft.operands and not any(word.startswith(_ACTING) for word in draft.operands):
        draft.looks("captures", "changes")


def _xinput(draft: UseDraft) -> None:
    verb = draft.operands[0].lstrip("-") if draft.operands else "list"
    if "--list-props" in draft.flags or verb in {
        "list",
        "list-props",
        "get-button-map",
        "get-feedbacks",
        "watch-props",
    }:
        draft.looks("system-settings")
    elif verb.startswith(("test", "query-state")):
        draft.add("captures")


def _windows(draft: UseDraft) -> None:
    if draft.flags and {"-l", "-p", "-G", "-x", "-d", "-m", "-h", "-u", "-v"}.issuperset(draft.flags):
        draft.looks("changes")


READERS: dict[str, Special] = {
    "adb_shell": (lambda draft: draft.run("shell", " ".join(draft.operands), where="host") if draft.operands else None),
    "convert": (lambda draft: draft.writes.extend(draft.operands) if draft.name == "mogrify" else _convert(draft)),
    "exiftool": _exiftool,
    "exiv2": (
        lambda draft: (
            draft.acts()
            if draft.operands[:1]
            in (
                ["ad"],
                ["adjust"],
                ["rm"],
                ["delete"],
                ["in"],
                ["insert"],
                ["ex"],
                ["extract"],
                ["mv"],
                ["rename"],
                ["mo"],
                ["modify"],
                ["fi"],
                ["fixiso"],
                ["fc"],
                ["fixcom"],
            )
            else None
        )
    ),
    "ffmpeg": _ffmpeg,
    "paste": _paste,
    "pointed_at": _pointed_at,
    "sound": _sound,
    "windows": _windows,
    "xdg_mime": (
        lambda draft: (
            draft.looks("system-settings")
            if draft.operands[:1] in (["query"], ["get"], ["check"])
            or (draft.name == "xdg-user-dir" and "".join(draft.operands).isalpha())
            else None
        )
    ),
    "xdotool": _xdotool,
    "xinput": _xinput,
}
