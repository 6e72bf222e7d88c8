"""Talking to other machines: requests, copies, shells, connections; each has a grammar of its own."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, host_of, join, names_url
from interlock.facts.programs.readers.archives import READERS as COPIES
from interlock.facts.programs.readers.processes import is_workshop_port
from interlock.facts.programs.table import Special, words

_IN_A_ROW = re.compile(r"(?:\d{1,3}\.){2,3}\0|(?:\d{1,3}\.){3}\d{1,3}/\d")
_LOOK_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS = _LOOK_METHODS | {"POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PURGE", "LINK", "UNLINK"}


def _address(word: str) -> str:
    """A URL as curl takes it: a scheme is not needed."""
    return word if names_url(word) or "\0" in word[:1] else "http://" + word


# What a file server answers without changing anything.
_FTP_LOOKS = words(
    "CDUP CWD PWD XPWD HELP LIST NLST MLST MLSD MDTM SIZE STAT SYST FEAT NOOP PASV EPSV TYPE MODE STRU STATVFS"
)


def _curl(draft: UseDraft) -> None:
    """Data may be a text, `@file` or `name@file`; the method and the name of a saved file follow from other words."""
    flags = set(draft.flags)
    for word in draft.operands:
        draft.urls.append(_address(word))
    for name, value in draft.values:
        if name in {"--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "--form"}:
            draft.sends = True
            text = value
            if name == "--form":
                text = value.partition("=")[2]
            elif name == "--data-urlencode" and not value.startswith("@"):
                key, mark, rest = value.partition("=")
                text = rest if mark else "@" + key.partition("@")[2] if "@" in key else ""
            if text[:1] in {"@", "<"} and name != "--form-string":
                file = text[1:].partition(";")[0]
                if file == "-":
                    draft.add("sends-stdin")
                else:
                    draft.send(file)
        elif name in {"--data-raw", "--form-string"}:
            draft.sends = True
        elif name == "--upload-file":
            draft.sends = True
            if value in {"-", "."}:
                draft.add("sends-stdin")
            else:
                draft.send(value)
        elif name == "--quote" and value.lstrip("-+*").partition(" ")[0].upper() not in _FTP_LOOKS:
            draft.add("changes")
        elif name == "--header" and value.startswith("@"):
            draft.reads.append(value[1:])
        elif name == "--url":
            draft.urls.append(_address(value))
        elif name == "--proxy" or name == "--preproxy":
            draft.reach(value)
        elif name == "--write-out" and "%output{" in value:
            draft.writes.append(value.partition("%output{")[2].partition("}")[0])
    method = draft.value("--request")
    if method is not None and method.upper() not in _LOOK_METHODS:
        draft.sends = True
    _deletes(draft, (method or ("POST" if draft.sends else "GET")).upper())
    if "--get" in flags and draft.sends and method is None:
        draft.sends = bool(draft.sent)
    remote = {"--remote-name", "--remote-name-all", "--remote-header-name"} & flags
    if remote:
        base = draft.value("--output-dir") or ""
        for word in draft.operands:
            name = word.rstrip("/").rpartition("/")[2].partition("?")[0]
            draft.writes.append((base + "/" if base else "") + (name or "\0"))
        draft.writes += [] if draft.operands else ["\0"]
    if draft.writes:
        draft.add("downloads")
    for url in draft.urls:
        scheme, _, rest = url.partition("://")
        if scheme == "file":
            draft.reads.append(rest.partition("localhost")[2] or rest)
        elif scheme not in {"http", "https", "ftp", "ftps", "sftp"}:
            draft.sends = True  # gopher, dict, smtp and others put the address itself on the wire
    if any("\0" in word for word in draft.urls):
        draft.acts()


def _wget(draft: UseDraft) -> None:
    """A file is saved under the last part of its address, unless an option names it."""
    flags = set(draft.flags)
    draft.urls += [_address(word) for word in draft.operands]
    _deletes(draft, (draft.value("--method") or "GET").upper())
    for name, value in draft.values:
        if name in {"--post-file", "--body-file"}:
            draft.send(value)
        elif name in {"--post-data", "--body-data"}:
            draft.sends = True
        elif name == "--execute" and "use_askpass" in value:
            draft.run("argv", value.rpartition("=")[2])
    if draft.value("--method") not in {None, "GET", "HEAD"}:
        draft.sends = True
    if "--spider" in flags:
        draft.looks("downloads")
        return
    target = draft.value("--output-document")
    if target == "-" or target == "/dev/stdout":
        draft.looks("downloads")
        return
    if target is not None:
        draft.writes.append(target)
        return
    base = draft.value("--directory-prefix")
    for word in draft.operands:
        name = (
            word.rstrip("/").rpartition("/")[2].partition("?")[0]
            if word.count("/") > 2 or "://" not in word
            else "index.html"
        )
        draft.writes.append((base.rstrip("/") + "/" if base else "") + (name or "index.html"))
    if {"--recursive", "--mirror", "--page-requisites", "--input-file"} & flags or not draft.operands:
        draft.writes.append((base.rstrip("/") + "/" if base else "") + "\0")


# Ports where stores of data take requests; what is deleted there is gone also on this machine.
_STORES = frozenset(
    {"9200", "9201", "5984", "8500", "7700", "6333", "8086", "8123", "8529", "2379", "8983", "15672", "7474", "9090"}
)


def _deletes(draft: UseDraft, method: str) -> None:
    """A request that deletes, by its method or what the address says; a program under development may be told so."""
    for url in draft.urls:
        rest = url.partition("://")[2]
        host, _, path = rest.partition("/")
        name, _, port = host.rpartition("@")[2].partition(":")
        if name in {"localhost", "127.0.0.1", "[", "host.docker.internal"} and port not in _STORES:
            continue
        if method in {"DELETE", "PURGE"} or (
            method == "POST" and ("_delete_by_query" in path or "delete_series" in path)
        ):
            draft.add("network/deletes")


def _http(draft: UseDraft) -> None:
    """HTTPie and its kin: `[METHOD] URL [ITEM…]`."""
    words = list(draft.operands)
    method = ""
    if len(words) > 1 and words[0].upper() in _METHODS:
        method = words.pop(0).upper()
    if words:
        draft.urls.append(_address(words.pop(0)))
    _deletes(draft, method)
    sends = method not in _LOOK_METHODS and method != ""
    for word in words:
        if "@" in word and ":" not in word.partition("@")[0]:
            draft.send(word.partition("@")[2])
        elif "=@" in word:
            draft.send(word.partition("=@")[2])
        elif "==" not in word and ":" not in word.partition("=")[0] and "=" in word:
            sends = True
    if draft.value("--verify") in {"no", "false"}:
        draft.add("insecure")
    if sends or not {"--raw", "--form", "--multipart"}.isdisjoint(draft.flags):
        draft.sends = True
        draft.add(*(["sends-stdin"] if "--ignore-stdin" not in draft.flags else []))
    if draft.name in {"https"}:
        draft.urls = [url.replace("http://", "https://", 1) for url in draft.urls]
    if "--download" in draft.flags and "--output" not in draft.flags:
        draft.writes.append("\0")


def _ssh_settings(draft: UseDraft) -> None:
    """What `-o`, `-J` and `-F` say to ssh, and to the programs that start it."""
    for name, value in draft.values:
        if name == "-o":
            key, _, text = value.partition("=" if "=" in value.partition(" ")[0] else " ")
            low = key.strip().lower()
            text = text.strip()
            if low in {"proxycommand", "localcommand", "knownhostscommand", "match"} and text != "none":
                draft.aside(text.lstrip(";"))
            elif low == "remotecommand":
                draft.run("shell", text, where="host")
            elif low == "stricthostkeychecking" and text.lower() in {"no", "off"}:
                draft.add("insecure")
            elif low in {"localforward", "remoteforward", "dynamicforward"}:
                draft.add("network/tunnels")
        elif name == "-J":
            draft.hosts += [host_of(hop) for hop in value.split(",")]
        elif name == "-F" and not value.startswith(("~/.ssh/", "/etc/ssh/", "/dev/null", "none")):
            draft.run("file", value, by="ssh")


def _ssh(draft: UseDraft) -> None:
    """The words behind the host are a command there; without them, standard input is."""
    _ssh_settings(draft)
    words = draft.operands
    if not words:
        return
    draft.reach(words[0])
    command = words[1:]
    if command:
        draft.run("shell", " ".join(command), where="host")
        if any(" " in word for word in command[1:]):
            draft.run("argv", *command, where="host")  # as it was meant, if not as it is run
    elif "-N" not in draft.flags and "-W" not in draft.flags:
        draft.stdin = "shell"
        draft.add("interactive")


def _scp(draft: UseDraft) -> None:
    """Copies as rsync does, with ssh's settings."""
    COPIES["rsync_like"](draft)
    _ssh_settings(draft)


def _sshfs(draft: UseDraft) -> None:
    """Its options of ssh stand in one word, parted by commas."""
    for name, value in draft.values:
        for part in value.split(",") if name == "-o" else ():
            key, _, text = part.partition("=")
            if key.lower() in {"ssh_command", "proxycommand"}:
                draft.aside(text)
    if draft.operands:
        draft.reach(draft.operands[0])


def _mosh(draft: UseDraft) -> None:
    """The words behind the host are a command there."""
    host, *command = draft.operands or [""]
    if host:
        draft.reach(host)
    if command := command[1:] if command[:1] == ["--"] else command:
        draft.run("argv", *command, where="host")


def _nc(draft: UseDraft) -> None:
    """It listens, asks whether ports answer, or passes its input on; and can give what connects a program."""
    flags = set(draft.flags)
    words = draft.operands
    for name, value in draft.values:
        if name in {"--exec", "--sh-exec", "--lua-exec"}:
            draft.run("shell", value)
            draft.add("network/shell")
    if "--listen" in flags or "-l" in flags:
        draft.add("network/listens")
        draft.acts()
        draft.writes += words if "--unixsock" in flags else []
        return
    if words and "--unixsock" not in flags:
        draft.hosts.append(words[0])
    if {"-z"} & flags:
        draft.drop("sends-stdin")
        # One port of one machine is a question whether it answers; more is a search.
        if len(words) > 2 or any(not word.isdigit() for word in words[1:]) or any(map(_IN_A_ROW.match, words)):
            draft.add("network/scans")
    else:
        draft.acts()


def _only_read(kind: str, rest: str) -> bool:
    return "rdonly" in rest or (
        kind in {"FILE", "OPEN"} and not {"creat", "create", "trunc", "append"} & set(rest.split(","))
    )


def _socat(draft: UseDraft) -> None:
    """Two addresses, `KIND:place,options`; with `-u` data goes from the first to the second only, with `-U` back."""
    one_way = {"-u": 0, "-U": 1}
    source = next((one_way[flag] for flag in draft.flags if flag in one_way), None)
    files: list[str] = []
    for at, word in enumerate(draft.operands):
        kind, _, rest = word.partition(":")
        kind = kind.upper()
        place = rest.partition(",")[0]
        if kind in {"EXEC", "SYSTEM", "SHELL"}:
            draft.run("shell", place)
            draft.add("network/shell")
        elif "LISTEN" in kind or "RECV" in kind:
            draft.add("network/listens")
            draft.writes += [place] if kind.startswith("UNIX") else []
        elif kind.startswith(("TCP", "UDP", "OPENSSL", "SSL", "SCTP", "PROXY", "SOCKS")):
            draft.hosts.append(rest.partition(":")[0])
            draft.add("sends-stdin")
        elif kind in {"FILE", "OPEN", "GOPEN", "CREATE", "CREAT", "PIPE"}:
            draft.reads += [place] if source in {None, at} else []
            draft.writes += [place] if source != at and not _only_read(kind, rest) else []
            files += [place] if source in {None, at} else []
    if draft.hosts:
        draft.sent += files
        draft.sends = draft.sends or bool(files)


_STEP = re.compile(r"\s*(?:[;\n]|&&|\|\||&)\s*")


def transfer_steps(draft: UseDraft, text: str) -> None:
    """Lines for a program that moves files: what they send, delete elsewhere, or give to a shell behind `!`."""
    for step in _STEP.split(text):
        verb, *rest = step.split() or [""]
        verb = verb.lower()
        files = [word.strip("\"'") for word in rest if not word.startswith("-")]
        if verb.startswith("!"):
            return
        if verb in {"put", "send", "reput", "append", "mput"}:
            draft.send(*(files if verb == "mput" else files[:1]))
        elif verb == "mirror" and {"-R", "--reverse"} & set(rest):
            draft.send(*files[:1] or ["."])
        if verb in {"rm", "mrm", "rmdir", "del", "delete", "mdelete", "deltree"} or "--delete" in rest:
            draft.add("network/deletes")


def _lftp(draft: UseDraft) -> None:
    """Behind `!` in its own language stands a command of the shell."""
    for name, value in draft.values:
        if name in {"-c", "-e"}:
            transfer_steps(draft, value)
            if "!" in value:
                draft.aside(value.partition("!")[2])


def _ftp(draft: UseDraft) -> None:
    """`tftp host -c put a`, `tftp -p -l a host`, `ftp -u URL a`."""
    words = draft.operands
    if draft.name == "tftp":
        if draft.value("-c") == "put" or "put" in words:
            draft.send(*(words[words.index("put") + 1 :] if "put" in words else words[1:])[:1])
        elif "-p" in draft.flags and draft.value("-l"):
            draft.send(str(draft.value("-l")))
    elif draft.value("-u") and names_url(str(draft.value("-u"))):
        draft.send(*words)


def _smb(draft: UseDraft) -> None:
    text = draft.value("-c") or draft.value("--command")
    if text is not None:
        transfer_steps(draft, text)


def _aria(draft: UseDraft) -> None:
    """The folder and the name of a file are said apart."""
    draft.writes.append(join(draft.value("--dir") or "", draft.value("--out") or "\0"))


def _mail(draft: UseDraft) -> None:
    """A mail leaves even if no file does; behind `!` in a command for the program stands one for the shell."""
    draft.sends = True
    if (command := draft.value("--exec")) is not None and "!" in command:
        draft.aside(command.partition("!")[2])


def _ping(draft: UseDraft) -> None:
    """One machine is a question whether it answers; many are a search."""
    draft.hosts += [host_of(word) for word in draft.operands[-1:]]
    if any("\0" in word for word in draft.operands):
        draft.acts()
    # One address after another: `10.0.0.$i`, a broadcast, a range.
    wide = {"ping": "-b", "ping6": "-b", "fping": "-g"}.get(draft.name)
    if wide in draft.flags or any(_IN_A_ROW.match(word) for word in draft.operands):
        draft.add("network/scans")


def _dig(draft: UseDraft) -> None:
    """`@server` is asked; a name that is put together as it runs can carry data out."""
    for word in draft.operands:
        if word.startswith("@"):
            draft.hosts.append(word[1:])
    if any("\0" in word for word in draft.operands):
        draft.acts()
        draft.sends = True


def _grpcurl(draft: UseDraft) -> None:
    """A call may do anything; `list` and `describe` only show."""
    words = [word for word in draft.operands if word not in {"list", "describe"}]
    if words:
        draft.hosts.append(host_of(words[0]))
    if len(words) == len(draft.operands):
        draft.sends = True
    elif not draft.unknown:
        draft.looks()


def _holders(draft: UseDraft) -> None:
    """`fuser -k 3000/tcp` ends a server that somebody works on; `fuser -k /srv` ends whoever uses a place."""
    ports = [word.removesuffix("/tcp") for word in draft.operands if word.endswith("/tcp")]
    if "--kill" in draft.flags and ports and len(ports) == len(draft.operands) and all(map(is_workshop_port, ports)):
        draft.drop("kills")
        draft.add("changes")
        draft.acts()


READERS: dict[str, Special] = {
    "aria": _aria,
    "curl": _curl,
    "dig": _dig,
    "ftp": _ftp,
    "grpcurl": _grpcurl,
    "holders": _holders,
    "http": _http,
    "lftp": _lftp,
    "mail": _mail,
    "mosh": _mosh,
    "nc": _nc,
    "ping": _ping,
    "scp": _scp,
    "smb": _smb,
    "socat": _socat,
    "ssh": _ssh,
    "ssh_settings": _ssh_settings,
    "sshfs": _sshfs,
    "wget": _wget,
}
