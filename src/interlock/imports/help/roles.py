"""What the value of an option or an operand is: a file that is read or written, a URL, a host, a command, plain text.

Every guess is on the safe side: a file that might be written counts as written, a command that might be run as run.
"""

from __future__ import annotations

import re

from msgspec import Struct

from interlock.imports.help.verbs import Subject, VerbGuess, deletion_trait, is_deletion, set_of, verb_of, verbs_in

__all__ = ["RoleGuess", "guess_flag", "guess_operand", "guess_value"]


class RoleGuess(Struct, frozen=True):
    """The role that a value plays, the effects of giving it, and why a person should look at it."""

    role: str = "text"
    doubt: str = ""
    effects: tuple[str, ...] = ()


# The last word of a value's name or an option's → what the value is.
_KINDS = {
    word: kind
    for kind, several in {
        "plain": "int integer number num n count float decimal bool boolean duration sec secs seconds minutes port "
        "level format fmt type mode when size bytes date datetime time timestamp regex regexp pattern glob version id "
        "uuid style columns width depth user username password token secret label tag branch revision method color "
        "colour lang language encoding expr expression query selector message msg signal "
        "uint int32 int64 uint64 limit timeout",
        "file": "file files filename filenames path paths pathname pathspec archive config conf manifest kubeconfig "
        "logfile log outfile infile input output infiles",
        "folder": "dir dirs directory directories folder folders workdir cwd prefix root outdir",
        "url": "url urls uri uris endpoint webhook",
        "host": "host hosts hostname server address addr ip domain remote proxy destination",
        "command": "cmd command commands commandline shell exec hook",
        "program": "program executable binary editor pager interpreter",
        "script": "script scripts",
    }.items()
    for word in several.split()
}
# As names of options they may mean anything.
_VAGUE = set_of("log input output destination config root prefix remote hook exec")
_SAYS = (
    (
        "command",
        re.compile(
            r"(?i)\bcommands? to (?:run|execute)|\b(?:run|execute)s? (?:this|the|a|your)? ?(?:shell )?command\b"
        ),
    ),
    ("program", re.compile(r"(?i)\b(?:interpreter|executable)\b")),
    ("folder", re.compile(r"(?i)\b(?:director(?:y|ies)|folders?)\b")),
    ("file", re.compile(r"(?i)\b(?:files?|filename|paths?)\b")),
    ("url", re.compile(r"(?i)\burls?\b")),
    ("host", re.compile(r"(?i)\b(?:host ?name|(?:server|host|machine) to (?:connect|use|reach))\b")),
)
_NO_FILE = re.compile(r"(?i)\b(?:formats?|formatted|style|verbosity|one of|name of)\b")
_EITHER = re.compile(
    r"(?i)\b(?:file|path)s?(?: name)?(?: or|/) ?(?:a )?ur[li]|\bur[li]s?(?: or|/) ?(?:a )?(?:file|path)"
)
_LISTENS = re.compile(r"(?i)\b(?:listen\w*|bind(?:s|ing)? (?:to|on|address|socket|port|host)|serv(?:e|es|ing) on)\b")
_RUNS = re.compile(r"(?i)\b(?:run|runs|execut\w*|invok\w*|launch\w*)\b")
_GOES_THERE = re.compile(r"(?i)\b(?:chang\w* (?:in)?to|working dir\w*|chdir|cwd|run (?:as if|in)\b)")
_SENDS = re.compile(r"(?i)\b(?:upload\w*|sends?|posts?|attach\w*|submit\w*)\b")
_SENDS_TO_FILE = re.compile(r"(?i)\bsends? .*\bto (?:a |the |this )?(?:file|log)\b")
_WRITES = re.compile(
    r"(?i)\b(?:writ\w*|sav(?:e|es|ed|ing)|stor(?:e|es|ed)|output\w*|dump\w*|export\w*|generat\w*|creat\w*|append\w*|into"
    r"|record\w*|destination|download\w*|logs?|logged|reports?|replac\w*|overwrit\w*|updat\w*|install\w*|put|edit\w*|fix\w*)\b"
)
_READS = re.compile(
    r"(?i)\b(?:read\w*|load\w*|from|input\w*|use|uses|using|pars\w*|config\w*|template\w*|certificates?|keys?|import\w*"
    r"|contain\w*|source|include\w*|schema|values|credentials?|requirements|apply|check\w*|describ\w*|compar\w*|lint\w*)\b"
)
_WRITTEN_NAMES = set_of(
    "output out outfile outdir o dest destination log logfile save export dump report write target to"
)
_READ_NAMES = set_of(
    "input in infile config conf from source src values template key cert ca cacert kubeconfig credentials import "
    "include schema manifest requirements identity"
)

_RISKY = ("command", "script", "program", "file", "folder", "url", "host")  # of `script.js | host:port`, the first
_ENDS_OF_COPY = {
    "source": "read",
    "sources": "read",
    "src": "read",
    "dest": "edit",
    "dst": "edit",
    "destination": "edit",
}


def guess_value(names: tuple[str, ...], metavar: str, text: str) -> RoleGuess:
    """The role of an option's value."""
    long = max(names, key=len)
    parts = [_kind_of(part) for part in metavar.split("|")]
    kind = "file" if "file" in parts else _kind_of(metavar)
    listens = ("network/listens",) if _LISTENS.search(f"{long} {text}") else ()
    if kind == "plain" or (kind != "file" and re.search(r"[|,=]", metavar)):
        return RoleGuess(effects=listens)
    if not kind:
        kind = _kind_of(long)
        if kind == "plain" or (_last(long) in _VAGUE and _NO_FILE.search(text)):
            return RoleGuess(effects=listens)
        vague = kind and _last(long) in _VAGUE and not _kind_in(text)
        kind = _kind_in(text) or kind
        if vague and kind in ("file", "folder"):
            writes = _last(long) in _WRITTEN_NAMES
            return RoleGuess(
                "write" if writes else "edit", "is it a file that it writes?" if writes else "is it a file?"
            )
    return _role(kind, long, text) if kind else RoleGuess(effects=listens)


def guess_operand(metavar: str, text: str, guess: VerbGuess) -> RoleGuess:
    """The role of a word that a usage line asks for."""
    kinds = {_kind_of(part) for part in metavar.split("|")}
    kind = next((one for one in _RISKY if one in kinds), "") or _kind_of(metavar) or _kind_in(text)
    if kind in ("plain", "", "host") and _last(metavar) in _ENDS_OF_COPY:
        return RoleGuess(_ENDS_OF_COPY[_last(metavar)], "is it a file?")
    if kind in ("file", "folder") and guess.kind == "looks":
        return RoleGuess("read")
    if kind in ("file", "folder") and is_deletion(guess.kind, guess.verb):
        return RoleGuess("delete", "does it delete this?")
    return RoleGuess() if kind in ("plain", "") else _role(kind, metavar, f"{guess.verb} {text}")


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())


def _last(name: str) -> str:
    return (_words(name) or [""])[-1]


def _kind_of(name: str) -> str:
    words = _words(name)
    if not words:
        return ""
    last = words[-1]
    if last in ("js", "py", "sh", "rb", "pl") and len(words) > 1:
        last = words[-2]  # `script.js`
    if last == "or" or "url" in words[:-1]:
        return "url"
    return _KINDS.get(last) or ("folder" if last.endswith("dir") else "file" if last.endswith(("file", "path")) else "")


def _kind_in(text: str) -> str:
    """What a sentence says that a value is."""
    return "" if _NO_FILE.search(text) else next((kind for kind, pattern in _SAYS if pattern.search(text)), "")


def _role(kind: str, name: str, text: str) -> RoleGuess:
    said = f"{name} {text}"
    if kind in ("url", "file", "folder") and _EITHER.search(said):
        return RoleGuess("fetch", "a file that it reads, or a URL?")
    if kind == "url":
        return RoleGuess("url")
    if kind == "host":
        return RoleGuess(effects=("network/listens",)) if _LISTENS.search(said) else RoleGuess("host")
    if kind in ("command", "program", "script"):
        role = {"command": "shell", "program": "program", "script": "file"}[kind]
        return RoleGuess(role, "" if _RUNS.search(text) else "does it run this?")
    if kind == "folder" and _GOES_THERE.search(said):
        return RoleGuess("base")
    if _SENDS.search(said) and not _SENDS_TO_FILE.search(said):
        return RoleGuess("send", "does this leave the machine?")
    writes, reads = bool(_WRITES.search(text)), bool(_READS.search(text))
    names = set(_words(name))
    if names & _WRITTEN_NAMES:
        writes, reads = True, False
    elif names & _READ_NAMES:
        reads, writes = True, bool(re.search(r"(?i)\b(?:writ|sav|overwrit|updat|creat|stor|generat)\w*", text))
    if writes != reads:
        return RoleGuess("read" if reads else "within" if kind == "folder" else "write")
    return RoleGuess("edit", "does it read or write this?")


# --- switches ----------------------------------------------------------------------------------------------------

_DRY = re.compile(r"dry[-_]?run|just[-_]print|no[-_]?op|what[-_]?if|simulate|dry")
_REHEARSES = re.compile(r"(?i)\b(?:without|not|\w+n't|never|only|just|simulat\w*|would|no changes|preview\w*)\b|dry")
_FORCED = re.compile(
    r"force|yes|assume[-_]yes|auto[-_]approve|no[-_]?(?:confirm\w*|prompt|input|interaction)|non[-_]?interactive|confirm"
    r"|skip[-_](?:confirm\w*|prompts?|checks?|validation)|override|force[-_].+|bypass[-_].+|yes[-_].+|i[-_]am[-_]sure"
)
_DOES_NOT_ASK = re.compile(
    r"(?i)(?:forc(?:e|es|ibly)|do(?:es)? not ask|don't ask|never ask|assume yes|skip\w* confirm\w*)\b"
)
_INSECURE = re.compile(
    r"insecure.*|no[-_]verify.*|(?:skip|no|disable)[-_](?:tls|ssl|cert|check[-_]cert|verif|host[-_]key).*"
)
_ACTING = set_of("fix write in-place inplace apply save overwrite install commit push publish")
_ACTS = re.compile(
    r"(?i)(?:also |then |automatically |actually |really )*(?:writ|sav|overwrit|fix|appl|creat|edit|modif|chang|updat"
    r"|install|push|publish|send|upload|deploy)"
)

_LETS_RUN = re.compile(
    r"(?i)\b(?:execut(?:e|es|ed|ing)|runs? (?:an? |the |any )?(?:external|hooks?|commands?|scripts?))\b"
)


def guess_flag(names: tuple[str, ...], text: str, subject: Subject) -> RoleGuess:
    """The effects of an option that takes no value, or that does the same whatever its value is."""
    lower = [name.lower() for name in names]
    if any(_DRY.fullmatch(name) for name in lower) and _REHEARSES.search(f"{' '.join(names)} {text}"):
        return RoleGuess(effects=("dry",), doubt="does nothing happen with it?")
    if any(_FORCED.fullmatch(name) for name in lower) or _DOES_NOT_ASK.match(text):
        return RoleGuess(effects=("forced",))
    if any(_INSECURE.fullmatch(name) for name in lower):
        return RoleGuess(effects=("insecure",))
    if "recursive" in lower:
        return RoleGuess(effects=("recursive",))
    long = max(lower, key=len)
    if long.startswith(("no-", "without-", "skip-")):
        return RoleGuess()
    verbs = [(long, verb_of(long)), *verbs_in(text)[:1]] if len(long) > 1 else verbs_in(text)[:1]
    if any(is_deletion(kind, verb) for verb, kind in verbs):
        return RoleGuess(effects=("acts", deletion_trait(subject)), doubt="does it delete something?")
    if long in _ACTING or _ACTS.match(text) or _LETS_RUN.search(text):
        return RoleGuess(effects=("acts",), doubt="does it change something?")
    return RoleGuess()
