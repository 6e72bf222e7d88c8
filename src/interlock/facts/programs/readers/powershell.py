"""PowerShell's own commands, in lower case. Parameters may be cut short, as PowerShell lets them be."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special, words

# What each parameter's value is for. A name that is none of these takes a value that is text.
_ROLES = {
    "path": "path", "literalpath": "path", "filepath": "path", "fullname": "path", "pspath": "path",
    "destination": "write", "destinationpath": "write", "outfile": "write", "outputpath": "write",
    "infile": "send", "body": "send", "form": "send", "uri": "url", "source": "fetch",
}  # fmt: skip
_TEXTS = words(
    "activity after algorithm argumentlist arguments backgroundcolor before child childpath class classname "
    "commandtype compressionlevel computername contenttype count credential delimiter depth ea encoding "
    "erroraction errorvariable exclude filter first foregroundcolor format group headers id include index "
    "inputobject itemtype last leaf logname maximum membertype message method milliseconds minimum module name "
    "namespace newest newname object option outvariable parent pattern property query readcount scope seconds "
    "separator session skip stream tail timeoutsec totalcount type uformat user useragent value verb version "
    "warningaction width windowstyle workingdirectory"
)
# In the order in which a short form is looked up.
_SWITCHES = (
    "recurse force confirm verbose debug file directory hidden readonly system asjob wait passthru nonewline "
    "append usebasicparsing raw casesensitive simplematch quiet list allmatches notmatch noprofile nologo "
    "noninteractive unique descending ascending noclobber autosize wrap summary whatif clean all "
    "skipcertificatecheck resume norestart permanent online"
)
_IN_ORDER = tuple(_SWITCHES.split())
ALIASES = {
    alias: name
    for name, aliases in {
        "get-childitem": "ls gci dir",
        "get-content": "cat gc type",
        "remove-item": "rm ri del erase rd rmdir",
        "copy-item": "cp copy cpi xcopy robocopy",
        "move-item": "mv move mi",
        "rename-item": "ren rni",
        "new-item": "ni md mkdir",
        "write-output": "echo write",
        "invoke-webrequest": "iwr curl wget",
        "invoke-restmethod": "irm",
        "invoke-expression": "iex",
        "select-string": "sls findstr",
        "get-process": "ps gps tasklist",
        "stop-process": "kill spps taskkill",
        "start-process": "start saps",
        "set-location": "cd chdir sl",
        "push-location": "pushd",
        "pop-location": "popd",
        "get-location": "pwd gl",
        "set-content": "sc",
        "add-content": "ac",
        "clear-content": "clc",
        "foreach-object": "foreach %",
        "where-object": "where ?",
        "select-object": "select",
        "sort-object": "sort",
        "group-object": "group",
        "measure-object": "measure",
        "compare-object": "compare diff",
        "format-table": "ft",
        "format-list": "fl",
        "get-member": "gm",
        "get-command": "gcm",
        "get-help": "man help",
        "get-history": "history h",
        "clear-history": "clhy",
        "clear-host": "cls clear",
        "get-service": "gsv",
        "stop-service": "spsv",
        "start-service": "sasv",
        "get-item": "gi",
        "get-itemproperty": "gp",
        "set-itemproperty": "sp",
        "invoke-command": "icm",
        "get-wmiobject": "gwmi",
        "tee-object": "tee",
        "start-sleep": "sleep",
        "get-variable": "gv",
        "set-alias": "sal",
        "import-module": "ipmo",
        "expand-archive": "expand",
    }.items()
    for alias in aliases.split()
}
_PROFILE = "~/.config/powershell/profile.ps1"
_HOMES = ("$home", "$env:userprofile", "$env:home", "%userprofile%", "%homepath%", "${env:userprofile}")
_TEMPS = ("$env:temp", "$env:tmp", "%temp%", "%tmp%")
_SYSTEMS = {
    "$env:systemroot": "/Windows", "$env:windir": "/Windows", "%systemroot%": "/Windows", "%windir%": "/Windows",
    "$env:systemdrive": "", "%systemdrive%": "", "$env:programfiles": "/Program Files",
    "%programfiles%": "/Program Files", "$pwd": ".", "%cd%": ".", "$psscriptroot": ".",
}  # fmt: skip


def local_path(word: str) -> str:
    """A path of Windows in our words: drive C is the root, and another drive a folder of it."""
    low = word.lower()
    for name, place in (*((one, "~") for one in _HOMES), *((one, "/tmp") for one in _TEMPS), *_SYSTEMS.items()):  # noqa: S108
        if low.startswith(name):
            return local_path(place + word[len(name) :]) if place + word[len(name) :] else "/"
    if low.startswith("$profile"):
        return _PROFILE
    word = word.replace("\\", "/")
    if word[1:2] == ":" and word[:1].isalpha():
        drive, rest = word[0].lower(), word[2:]
        root = "" if drive == "c" else f"/{drive}"
        return f"{root}/{rest.lstrip('/')}" if rest or drive == "c" else root
    return word


def _operand(draft: UseDraft, role: str, word: str) -> None:
    """Give one value its role."""
    parts = [local_path(part.strip()) for part in word.split(",") if part.strip()] or [word]
    match role:
        case "read":
            draft.reads += parts
        case "write":
            draft.writes += parts
        case "create":
            draft.creates += parts
        case "delete":
            draft.deletes += parts
        case "move":
            draft.reads += parts
            draft.deletes += parts
        case "url" | "host":
            draft.reach(word)
        case "fetch":
            draft.reach(word) if "://" in word else draft.reads.extend(parts)
        case "send":
            draft.sends = True
        case "cd":
            draft.cd = parts[0]


def _full(flag: str) -> str:
    """A parameter's whole name."""
    name = flag.lstrip("-").rstrip(":").lower()
    found = [known for known in (*_IN_ORDER, *_ROLES) if known.startswith(name)]
    return name if name in _ROLES or name in _IN_ORDER or not found else found[0]


def _cmdlet(draft: UseDraft) -> None:
    """Read parameters with their values, and operands by their order."""
    roles = list(draft.roles)
    args = [word for word in draft.args if not _is_switch(word)]
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if not (word[:1] == "-" and word[1:2].isalpha()):
            draft.operands.append(word)
            continue
        flag, mark, value = word.partition(":")
        name = _full(flag)
        draft.flags.append("-" + name)
        if not mark and name not in _IN_ORDER and at < len(args) and not args[at].startswith("-"):
            value, at = args[at], at + 1
        role = _ROLES.get(name, "text")
        if value:
            draft.values.append(("-" + name, value))
            # What a parameter that nobody has described stands for may be what the command is about.
            unknown = name not in _ROLES and name not in _TEXTS
            _operand(draft, roles[0] if role == "path" or unknown else role, value)
            if role == "path" and roles[1:]:
                roles = roles[1:]
    for number, word in enumerate(draft.operands):
        _operand(draft, roles[min(number, len(roles) - 1)], word)
    flags = set(draft.flags)
    if "-whatif" in flags:
        draft.dry = True
    if "-recurse" in flags:
        draft.add("recursive")
    if "-force" in flags:
        draft.add("forced")
    if "-outfile" in flags:
        draft.add("downloads")
        draft.acts()
    if {"-body", "-infile", "-form"} & flags or (draft.value("-method") or "get").lower() not in {
        "get",
        "head",
        "options",
    }:
        draft.acts()
    if any(word.upper().startswith(("HKLM:", "HKCU:", "HKEY_", "REGISTRY::")) for word in draft.args) and draft.deletes:
        draft.add("system-settings")


def _is_switch(word: str) -> bool:
    """`/s`, as cmd's commands take them."""
    return word[:1] == "/" and 1 < len(word) <= 4 and word[1:].replace(":", "").isalnum()


READERS: dict[str, Special] = {
    "cmdlet": _cmdlet,
}
