"""PowerShell, cmd, and programs of Windows, as they are met in shells."""

from __future__ import annotations

import binascii
import re

from interlock.facts.programs.draft import UseDraft
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
        if word[:1] not in "-/" or not word[1:2]:
            draft.run("code:powershell", " ".join(args[at:]))
            return
        if low.startswith("enc") or low in {"e", "ec"}:
            draft.run("code:powershell", _decoded("".join(args[at + 1 : at + 2])))
            draft.add("encodes")
            return
        if low.startswith("c") and not low.startswith("config"):
            draft.run("code:powershell", " ".join(args[at + 1 :]))
            return
        if low.startswith("f"):
            draft.reads += args[at + 1 : at + 2]
            draft.run("file", *args[at + 1 :], by="powershell")
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


def _del(draft: UseDraft) -> None:
    """Options begin with a slash, as paths do."""
    draft.deletes += [word for word in draft.args if not (word.startswith("/") and len(word) <= 3)]
    draft.operands += draft.args


def _script_host(draft: UseDraft) -> None:
    """`mshta URL`, `rundll32 javascript:…`, `regsvr32 /i:URL`: what is fetched or given runs."""
    if any(re.search(r"(?i)https?://|^\\\\|(?:java|vb)script:", word) for word in draft.args):
        draft.add("executes-download", "network")


READERS: dict[str, Special] = {
    "cmd": _cmd,
    "del": _del,
    "powershell": _powershell,
    "script_host": _script_host,
}
