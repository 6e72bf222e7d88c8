"""PowerShell's own commands, in lower case. Parameters may be cut short, as PowerShell lets them be."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, words

__all__ = ["ALIASES", "CMDLETS", "TABLE", "local_path"]

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
# What the first operands are for, and the traits → the commands.
_FAMILIES = {
    ("read", "read-only"):
        "get-childitem get-content get-item get-itemproperty get-filehash get-acl format-hex import-csv "
        "import-clixml get-authenticodesignature",
    ("text", "read-only"):
        "test-path resolve-path split-path join-path compare-object measure-object select-object where-object "
        "sort-object group-object foreach-object format-list format-table format-wide out-string out-host "
        "out-null write-output write-host write-verbose write-warning write-error write-progress "
        "convertto-json convertfrom-json convertto-csv convertfrom-csv convertto-html convertto-xml "
        "get-process get-service get-date get-location get-command get-help get-member get-alias get-variable "
        "get-module get-host get-history get-random get-unique get-culture get-psdrive get-volume get-disk "
        "get-partition get-computerinfo get-eventlog get-winevent get-hotfix get-package get-job receive-job "
        "wait-job get-netipaddress get-nettcpconnection get-netadapter get-localuser get-localgroup "
        "get-localgroupmember get-scheduledtask get-ciminstance get-wmiobject get-counter get-timezone "
        "get-uptime start-sleep clear-host read-host new-object new-timespan new-guid pop-location "
        "set-strictmode get-executionpolicy get-verb get-error get-packageprovider find-module show-command",
    ("text read", "read-only"): "select-string",
    ("cd", "read-only"): "set-location push-location",
    ("delete", ""): "remove-item",
    ("write", ""):
        "clear-content set-content add-content out-file tee-object export-csv export-clixml start-transcript "
        "clear-item",
    ("create", ""): "new-item",
    ("read write", ""): "copy-item expand-archive compress-archive",
    ("move write", ""): "move-item",
    ("move text", ""): "rename-item",
    ("write", "permissions"): "set-acl",
    ("write", "changes"): "set-itemproperty new-itemproperty remove-itemproperty clear-itemproperty",
    ("url", "read-only network"): "invoke-webrequest invoke-restmethod",
    ("host", "read-only network"): "test-connection test-netconnection resolve-dnsname",
    ("fetch write", "network downloads"): "start-bitstransfer",
    ("text", "network sends-stdin notifies"): "send-mailmessage",
    ("text", "kills"): "stop-process stop-job",
    ("text", "service"): "stop-service start-service restart-service suspend-service",
    ("text", "service autostart"): "set-service new-service remove-service",
    ("text", "reboots"): "stop-computer restart-computer suspend-computer",
    ("text", "formats-disk"): "format-volume initialize-disk remove-partition new-partition resize-partition",
    ("text", "formats-disk shreds"): "clear-disk",
    ("text", "shreds"): "clear-recyclebin",
    ("text", "log-wiped"): "clear-eventlog remove-eventlog limit-eventlog",
    ("text", "history-wiped"): "clear-history",
    ("text", "security-off"): "set-executionpolicy set-mppreference add-mppreference disable-computerrestore",
    ("text", "removes-package system-package"): "uninstall-windowsfeature disable-windowsoptionalfeature",
    ("text", "installs-package system-package"): "install-windowsfeature enable-windowsoptionalfeature",
    ("text", "firewall security-off"): "set-netfirewallprofile",
    ("text", "firewall"):
        "new-netfirewallrule set-netfirewallrule remove-netfirewallrule disable-netfirewallrule "
        "enable-netfirewallrule",
    ("text", "users"):
        "new-localuser remove-localuser set-localuser add-localgroupmember remove-localgroupmember "
        "disable-localuser enable-localuser",
    ("text", "schedules autostart"): "register-scheduledtask",
    ("text", "schedules"):
        "unregister-scheduledtask set-scheduledtask new-scheduledtask start-scheduledtask "
        "register-scheduledjob",
    ("text", "installs-package network"): "install-module install-package install-script update-module",
    ("text", "removes-package"): "uninstall-module uninstall-package remove-appxpackage",
    ("text", "publishes-package network"): "publish-module",
    ("text", "package-source"): "register-psrepository set-psrepository",
    ("text", "network downloads"): "save-module",
    ("text", "clipboard"): "set-clipboard get-clipboard",
    ("text", "reads-secret"): "convertfrom-securestring get-credential export-pfxcertificate",
    ("read", "security-off"): "import-certificate",
    ("text", "system-settings"): "set-date set-timezone rename-computer set-dnsclientserveraddress new-netipaddress",
    ("text", "shell-state"):
        "set-variable remove-variable set-alias new-alias import-module remove-module new-variable "
        "clear-variable",
    ("text", "changes"):
        "checkpoint-computer remove-job set-wmiinstance remove-wmiobject invoke-wmimethod invoke-cimmethod "
        "set-ciminstance remove-ciminstance",
    ("read", "mounts"): "mount-diskimage",
    ("text", "mounts"): "dismount-diskimage new-psdrive remove-psdrive",
    ("text", "virtual-machine"): "stop-vm remove-vm start-vm set-vm",
    ("text", "network network/shell"): "enter-pssession",
    ("text", "network"): "new-pssession",
}  # fmt: skip
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


def _roles_of(name: str) -> list[str]:
    return CMDLETS[name].split()


def _cmdlet(draft: UseDraft) -> None:
    """Read parameters with their values, and operands by their order."""
    roles = _roles_of(draft.name)
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


# Each command, and what its first operands are for.
CMDLETS = {name: roles for (roles, _), names in _FAMILIES.items() for name in names.split()}
TABLE: Table = {names: Program(traits=f"windows {traits}", parse=_cmdlet) for (_, traits), names in _FAMILIES.items()}
