"""PowerShell, cmd, and programs of Windows, as they are met in shells."""

from __future__ import annotations

import binascii
import re

from interlock.facts.programs.draft import UseDraft, inside
from interlock.facts.programs.table import Special

# PowerShell's own options that take a value, as short as they may be.
_VALUED = ("w", "ex", "ep", "v", "o", "i", "conf", "psc", "se", "cu")


def _powershell(draft: UseDraft) -> None:
    """-Command takes the rest; -EncodedCommand hides it."""
    args = list(draft.args)
    draft.dry = len(args) == 1 and args[0].lower().lstrip("-/") in {"help", "?", "version", "v", "h"}
    skipped = len(args) if not draft.dry else 0
    for at, word in enumerate(args):
        low = word.lower().lstrip("-/")
        if at == skipped:
            continue
        if word[:1] in "-/" and low.startswith(_VALUED) and not low.startswith(("wai", "com")):
            skipped = at + 1
            continue
        if word == "-":
            draft.stdin = "code:powershell"
            return
        if word[:1] not in "-/" or not word[1:2]:
            draft.run("code:powershell", " ".join(args[at:]))
            return
        if low.startswith("enc") or low in {"e", "ec"}:
            draft.run("code:powershell", _decoded("".join(args[at + 1 : at + 2])))
            draft.add("encodes")
            return
        if low.startswith("c") and not low.startswith("config"):
            if args[at + 1 :] == ["-"]:
                draft.stdin = "code:powershell"
            else:
                draft.run("code:powershell", " ".join(args[at + 1 :]))
            return
        if low.startswith("f"):
            words = [on_drive(word) for word in args[at + 1 : at + 2]]
            draft.reads += words
            draft.run("file", *words, *args[at + 2 :], by="powershell")
            return
    if not draft.dry:
        draft.stdin = "code:powershell"


def _decoded(text: str) -> str:
    """What -EncodedCommand holds, or that nobody knows."""
    try:
        return binascii.a2b_base64(text, strict_mode=True).decode("utf-16-le") or "\0"
    except ValueError:
        return "\0"


def _cmd(draft: UseDraft) -> None:
    """What follows `/c` is a line."""
    args = list(draft.args)
    for at, word in enumerate(args):
        if word.lower() in {"/c", "/k", "/r"}:
            draft.run("code:cmd", " ".join(args[at + 1 :]))
            return
    draft.stdin = "code:cmd"


def on_drive(word: str) -> str:
    """A path with a drive's letter as a path of this machine; a shell may have taken its backslashes away."""
    if not _DRIVE.match(word):
        return word
    rest = word[2:].replace("\\", "/").lstrip("/")
    return f"/{word[0].lower()}/{rest}" if rest else f"/{word[0].lower()}"


_DRIVE = re.compile(r"[A-Za-z]:(?!//)")


def _copies(draft: UseDraft) -> None:
    """`robocopy a b /MIR`, `xcopy a \\\\host\\share`: the words that begin with a slash are options."""
    files = [on_drive(word) for word in draft.operands if not re.match(r"/[A-Za-z?]{1,9}(?::|$)", word)]
    options = {word.lower() for word in draft.operands}
    if len(files) < 2:
        return
    source, target = files[0], files[1] if draft.name == "robocopy" else files[-1]
    draft.reads.append(source)
    if target.startswith("\\\\") or re.match(r"\\\w", target):
        draft.send(source)
    else:
        draft.writes.append(target)
    if draft.name == "robocopy" and options & {"/mir", "/purge"}:
        draft.deletes.append(inside(target))
        draft.add("recursive")
    if options & {"/mov", "/move"}:
        draft.deletes.append(source)


def _del(draft: UseDraft) -> None:
    """Options begin with a slash, as paths do."""
    draft.deletes += [on_drive(word) for word in draft.args if not (word.startswith("/") and len(word) <= 3)]
    draft.operands += draft.args


def _script_host(draft: UseDraft) -> None:
    """`mshta URL`, `rundll32 javascript:…`, `regsvr32 /i:URL`: what is fetched or given runs."""
    if any(re.search(r"(?i)https?://|^\\\\|(?:java|vb)script:", word) for word in draft.args):
        draft.add("executes-download", "network")
    scripts = [word for word in draft.operands if re.search(r"(?i)\.(?:vbs?|vbe|jse?|ws[fh]|hta)$", word)]
    if scripts and "executes-download" not in (draft.traits or ()):
        draft.run("file", *scripts[:1], by=draft.name)


READERS: dict[str, Special] = {
    "cmd": _cmd,
    "copies": _copies,
    "del": _del,
    "powershell": _powershell,
    "script_host": _script_host,
}
