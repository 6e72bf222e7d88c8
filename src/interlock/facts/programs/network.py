"""Talking to other machines: fetching, sending, shells, names, ports, and what a machine's own network is."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, host_of, join, names_url
from interlock.facts.programs.processes import is_workshop_port
from interlock.facts.programs.table import Program, Table, act, look, words

__all__ = ["TABLE"]

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


# Words that ask a tunnel's program about itself.
_TUNNEL_LOOKS = frozenset({"verify", "completion", "version", "status", "help", "list", "validate", "check", "info"})


def _tunnel(draft: UseDraft) -> None:
    """What only lists, checks or explains opens nothing."""
    if draft.args in {("-h",), ("--help",), ("--version",)} or draft.args[-1:] == ("-h",):
        draft.dry = draft.name not in {"lt", "localtunnel"}
    said = draft.operands
    verb = said[1:2] if said[:1] in (["tunnel"], ["config"]) else said[:1]
    if verb and verb[0] in _TUNNEL_LOOKS:
        draft.looks("network/tunnels")
    elif said[:2] == ["tunnel", "delete"] or said[:2] == ["tunnel", "cleanup"]:
        draft.add("cloud/deletes")
        draft.drop("network/tunnels")


# Ports where stores of data take requests; what is deleted there is gone also on this machine.
_STORES = frozenset(
    {"9200", "9201", "5984", "8500", "7700", "6333", "8086", "8123", "8529", "2379", "8983", "15672", "7474"}
)


def _deletes(draft: UseDraft, method: str) -> None:
    """A request that deletes, by its method or what the address says; a program under development may be told so."""
    for url in draft.urls:
        rest = url.partition("://")[2]
        host, _, path = rest.partition("/")
        name, _, port = host.rpartition("@")[2].partition(":")
        if name in {"localhost", "127.0.0.1", "[", "host.docker.internal"} and port not in _STORES:
            continue
        if method == "DELETE" or (method == "POST" and ("_delete_by_query" in path or "delete_series" in path)):
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


def _ssh(draft: UseDraft) -> None:
    words = draft.operands
    host = words[0] if words else ""
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
    if not words:
        return
    draft.reach(host)
    command = words[1:]
    if command:
        draft.run("shell", " ".join(command), where="host")
        if any(" " in word for word in command[1:]):
            draft.run("argv", *command, where="host")  # as it was meant, if not as it is run
    elif "-N" not in draft.flags and "-W" not in draft.flags:
        draft.stdin = "shell"
        draft.add("interactive")


def _sshfs(draft: UseDraft) -> None:
    for name, value in draft.values:
        for part in value.split(",") if name == "-o" else ():
            key, _, text = part.partition("=")
            if key.lower() in {"ssh_command", "proxycommand"}:
                draft.aside(text)
    if draft.operands:
        draft.reach(draft.operands[0])


def _mosh(draft: UseDraft) -> None:
    words = draft.operands
    if words:
        draft.reach(words[0])
    if len(words) > 1:
        draft.run("argv", *words[1:], where="host")


def _nc(draft: UseDraft) -> None:
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


def _socat(draft: UseDraft) -> None:
    for word in draft.operands:
        kind, _, rest = word.partition(":")
        kind = kind.upper()
        if kind in {"EXEC", "SYSTEM", "SHELL"}:
            draft.run("shell", rest.partition(",")[0])
            draft.add("network/shell")
        elif "LISTEN" in kind or "RECV" in kind:
            draft.add("network/listens")
            draft.writes += [rest.partition(",")[0]] if kind.startswith("UNIX") else []
        elif kind.startswith(("TCP", "UDP", "OPENSSL", "SSL", "SCTP", "PROXY", "SOCKS")):
            draft.hosts.append(rest.partition(":")[0])
            draft.add("sends-stdin")
        elif kind in {"FILE", "OPEN", "GOPEN", "CREATE", "CREAT", "PIPE"}:
            draft.reads.append(rest.partition(",")[0])
            draft.writes.append(rest.partition(",")[0])


def _connections(draft: UseDraft) -> None:
    """Who is connected with whom, by which programs; which ports are open here is another question."""
    flags = set(draft.flags)
    if flags.isdisjoint({"--listening", "--route", "--info", "--summary", "--groups", "-I"}) and (
        not draft.args or "--processes" in flags or draft.name == "sockstat"
    ):
        draft.add("network/maps")


def _sftp(draft: UseDraft) -> None:
    for word in draft.operands[:1]:
        draft.hosts.append(host_of(word.partition("://")[2] or word))
    draft.writes += draft.operands[1:2]
    if (batch := draft.value("-b")) is not None and batch != "-":
        draft.reads.append(batch)


def _lftp(draft: UseDraft) -> None:
    for word in draft.operands:
        draft.reach(word)
    for name, value in draft.values:
        if name in {"-c", "-e"}:
            draft.mentions.append(value)
            if "!" in value:
                draft.aside(value.partition("!")[2])


def _listing_filter(draft: UseDraft) -> None:
    """iptables -L, -S and nft list only show."""
    if {"--list", "--list-rules", "-S", "--check"} & set(draft.flags) and not {
        "--append", "--delete", "--insert", "--flush", "--policy", "--replace", "--zero", "--new-chain",
            "--delete-chain"
    } & set(draft.flags):  # fmt: skip
        draft.looks("firewall")


def _aria(draft: UseDraft) -> None:
    draft.writes.append(join(draft.value("--dir") or "", draft.value("--out") or "\0"))


def _tcpdump(draft: UseDraft) -> None:
    """Packets of a file are only read."""
    if "-r" in draft.flags and not {"-i", "-w"} & set(draft.flags):
        draft.looks("captures")
    if (command := draft.value("-z")) is not None:
        draft.run("argv", command, "\0", aside=True)


def _openvpn(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name in {"--up", "--down", "--route-up"}:
            draft.aside(value)
    if "--genkey" in draft.flags:
        draft.drop("network", "system-settings")
        draft.add("changes")
        draft.writes += draft.operands[-1:]


def _mail(draft: UseDraft) -> None:
    draft.sends = True
    if (command := draft.value("--exec")) is not None and "!" in command:
        draft.aside(command.partition("!")[2])


def _ping(draft: UseDraft) -> None:
    draft.hosts += [host_of(word) for word in draft.operands[-1:]]
    if any("\0" in word for word in draft.operands):
        draft.acts()
    # One address after another: `10.0.0.$i`, a broadcast, a range.
    wide = {"ping": "-b", "ping6": "-b", "fping": "-g"}.get(draft.name)
    if wide in draft.flags or any(_IN_A_ROW.match(word) for word in draft.operands):
        draft.add("network/scans")


def _dig(draft: UseDraft) -> None:
    for word in draft.operands:
        if word.startswith("@"):
            draft.hosts.append(word[1:])
    # A name that is computed can carry data out.
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


def _probes_nothing(draft: UseDraft) -> None:
    """Lists of what a scanner can do, its own update, and the reading of an earlier result."""
    asked = {
        "-list", "--list", "-L", "-tl", "-ut", "-update-templates", "--readscan", "-h", "-help", "--help", "--options",
        "--list-modules", "--script-help", "--script-updatedb",
    }  # fmt: skip
    words = set(draft.args)
    if (words & asked or words == {"--update"}) and not draft.hosts and not draft.urls and "-d" not in words:
        draft.drop("network/scans")


def _firewall(draft: UseDraft) -> None:
    shows = {"status", "list", "show", "app", "version", "-sr", "-s", "-sn"}
    if draft.name == "nft":
        shows |= {"monitor"}
    if draft.name == "ipset":
        shows |= {"save", "test"}
    if draft.operands[:1] == ["app"] and draft.operands[1:2] not in (["list"], ["info"]):
        return
    first = next((word for word in draft.args if not word.startswith("-") or word in shows), "")
    listing = any(word.startswith(("--list", "--get", "--query", "--state", "--info")) for word in draft.args)
    if first in shows or (draft.name == "firewall-cmd" and listing):
        draft.looks("firewall")


_CURL = (
    "abstract-unix-socket=read alt-svc=write anyauth a/append aws-sigv4= basic ca-native cacert=read capath=read "
    "E/cert=read cert-status cert-type= ciphers= compressed compressed-ssh K/config=read!changes "
    "connect-timeout= connect-to= C/continue-at= b/cookie= "
    "c/cookie-jar=write create-dirs!changes create-file-mode= crlf crlfile=read curves= d/data= data-ascii= "
    "data-binary= data-raw= data-urlencode= delegation= digest q/disable disable-eprt disable-epsv "
    "disallow-username-in-url dns-interface= dns-servers= doh-url=url "
    "doh-insecure D/dump-header=write egd-file= engine= etag-compare=read etag-save=write expect100-timeout= f/fail "
    "fail-early fail-with-body false-start F/form= form-escape form-string= ftp-account= ftp-create-dirs!changes "
    "P/ftp-port= ftp-pasv ftp-method= ftp-ssl-control G/get g/globoff "
    "happy-eyeballs-timeout-ms= haproxy-protocol I/head H/header= h/help?!dry hostpubmd5= hostpubsha256= hsts=write "
    "http0.9 0/http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length "
    "k/insecure!insecure i/include/show-headers interface= "
    "ipfs-gateway= 4/ipv4 6/ipv6 json= j/junk-session-cookies keepalive-time= key=read key-type= krb= libcurl=write "
    "limit-rate= l/list-only local-port= L/location location-trusted login-options= mail-auth= "
    "mail-from=text!notifies mail-rcpt=text!notifies M/manual max-filesize= max-redirs= "
    "m/max-time= metalink negotiate n/netrc netrc-file=read netrc-optional next no-alpn N/no-buffer no-keepalive "
    "no-npn no-progress-meter no-sessionid noproxy= ntlm ntlm-wb oauth2-bearer= o/output=write output-dir= "
    "Z/parallel parallel-immediate parallel-max= "
    "pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= #/progress-bar proto= proto-default= "
    "proto-redir= x/proxy= proxy-anyauth proxy-basic proxy-cacert=read proxy-header= proxy-insecure!insecure "
    "proxy-user/U= p/proxytunnel pubkey=read Q/quote= "
    "random-file= r/range= rate= raw e/referer= J/remote-header-name O/remote-name remote-name-all R/remote-time "
    "remove-on-error X/request= request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= "
    "retry-max-time= sasl-authzid= sasl-ir "
    "s/silent S/show-error socks4= socks4a= socks5= socks5-basic socks5-hostname= Y/speed-limit= y/speed-time= ssl "
    "ssl-reqd 2/sslv2 3/sslv3 stderr=write styled-output suppress-connect-headers tcp-fastopen tcp-nodelay "
    "t/telnet-option= tftp-blksize= z/time-cond= tls-max= "
    "tls13-ciphers= 1/tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace=write trace-ascii=write trace-time "
    "unix-socket=read T/upload-file= url= url-query= B/use-ascii u/user= A/user-agent= v/verbose V!dry "
    "w/write-out= xattr variable="
)
_WGET = (
    "V b/background e/execute= o/output-file=write a/append-output=write d/debug q/quiet v/verbose nv/no-verbose "
    "report-speed= i/input-file=read F/force-html B/base= config=read rejected-log=write t/tries= "
    "retry-connrefused retry-on-http-error= O/output-document= no-clobber "
    "no-netrc c/continue start-pos= progress= show-progress N/timestamping no-if-modified-since "
    "no-use-server-timestamps S/server-response spider T/timeout= dns-timeout= connect-timeout= read-timeout= "
    "w/wait= waitretry= random-wait no-proxy Q/quota= "
    "bind-address= limit-rate= no-dns-cache restrict-file-names= ignore-case 4/inet4-only 6/inet6-only "
    "prefer-family= user= password= ask-password use-askpass=program no-iri local-encoding= remote-encoding= "
    "unlink xattr no-directories force-directories "
    "no-host-directories protocol-directories P/directory-prefix= cut-dirs= default-page= E/adjust-extension "
    "http-user= http-password= no-cache ignore-length header= compression= max-redirect= proxy-user= "
    "proxy-password= referer= save-headers U/user-agent= "
    "no-http-keep-alive no-cookies load-cookies=read save-cookies=write keep-session-cookies post-data= post-file= "
    "method= body-data= body-file= content-disposition content-on-error trust-server-names auth-no-challenge "
    "secure-protocol= https-only "
    "no-check-certificate!insecure certificate=read certificate-type= private-key=read ca-certificate=read "
    "ca-directory= crl-file=read no-hsts ftp-user= r/recursive l/level= delete-after k/convert-links "
    "convert-file-only K/backup-converted m/mirror p/page-requisites "
    "A/accept= R/reject= accept-regex= reject-regex= regex-type= D/domains= exclude-domains= follow-ftp follow-tags= "
    "ignore-tags= H/span-hosts L/relative I/include-directories= X/exclude-directories= np/no-parent n x"
)
_SSH = (
    "4 6 A a C f G g K k M N n q s T t V!dry v X x Y y B= b= c= D=text!network/tunnels E=write e= F=read I=file i= "
    "J= L=text!network/tunnels l= m= O= o= P= p= Q= R=text!network/tunnels S= W=text!network/tunnels "
    "w=text!network/tunnels"
)


def _holders(draft: UseDraft) -> None:
    """`fuser -k 3000/tcp` ends a server that somebody works on; `fuser -k /srv` ends whoever uses a place."""
    ports = [word.removesuffix("/tcp") for word in draft.operands if word.endswith("/tcp")]
    if "--kill" in draft.flags and ports and len(ports) == len(draft.operands) and all(map(is_workshop_port, ports)):
        draft.drop("kills")
        draft.add("changes")
        draft.acts()


TABLE: Table = {
    "curl nscurl": look(_CURL, "text*", "network", special=_curl),
    "wget wget2": Program(_WGET, "text*", "network downloads", special=_wget),
    "http https xh xhs httpie curlie": look("j/json f/form multipart boundary= raw= x/compress pretty= s/style= "
        "p/print= h/headers b/body m/meta v/verbose all S/stream o/output=write d/download c/continue q/quiet "
        "session= a/auth= A/auth-type= ignore-netrc offline proxy= F/follow max-redirects= timeout= "
        "check-status verify= ssl= cert=read cert-key=read I/ignore-stdin "
        "default-scheme= debug k/insecure!insecure http-version= resolve= bearer= "
        "curl unsorted response-charset=", traits="network", special=_http),
    "aria2c axel": act("network downloads", "d/dir= o/out/output= i/input-file=read s/split= "
        "x/max-connection-per-server= c/continue T/torrent-file=read M/metalink-file=read j= n= q a "
        "on-download-complete=program on-download-error=program on-download-start=program "
        "on-download-stop=program on-download-pause=program on-bt-download-complete=program U/user-agent= header= "
        "max-concurrent-downloads= k= check-certificate? allow-overwrite? conf-path=read "
        "enable-rpc?!network/listens", "url*", special=_aria),
    "yt-dlp youtube-dl gallery-dl you-get lux instaloader streamlink httrack monolith": act(
        "network downloads", "x F f= o/output=write a/batch-file=read exec=shell j J g e *", "url*",
            special=lambda draft: draft.writes.append("\0")),
    "ssh autossh slogin dbclient": act("network sends-stdin", _SSH + " M=", special=_ssh, stops=True),
    "sshpass": Program("p= f=read d= e P= v", "argv", "reads-environment"),
    "mosh et": act("network", "client= server=shell predict= p/port= ssh=shell a n 4 6", special=_mosh, stops=True),
    "ssh-copy-id": act("network users", "i=read f n!dry p= o= s t=", "host"),
    "ssh-add": act("writes-secret", "l!dry L!dry d D x X t= K k c s=file a= A h= q v e= T=", "read*"),
    "ssh-keyscan": look("4 6 c D H O= p= q T= t= v f=read", "host*", "network"),
    "sftp": act("network interactive",
        "4 6 A a C f N p q r v B= b= c= D=shell F=read i= J= l= o= P= R= S=program s= X=",
        special=_sftp),
    "ftp tftp ncftp ncftpget ncftpput lftp": act("network sends-stdin interactive",
        "a d e= f=read g i n p u= v V P= c= s= m R",
        special=_lftp),
    "nc ncat netcat nc.traditional nc.openbsd": act("network sends-stdin", "4 6 b C D d F h I= i/idle-timeout= "
        "k/keep-open l/listen M= m= N n O= o/output=write P= p/source-port= q= r S s/source= T= t/telnet U/unixsock "
        "u/udp V= v/verbose W= w/wait= X= x/proxy= Z= z e/exec= c/sh-exec= lua-exec= ssl broker chat allow= "
        "deny= ssl-cert=read ssl-key=read ssl-verify proxy-type= "
        "sctp send-only recv-only no-shutdown crlf L= A= g= G= B=",
            special=_nc),
    "socat": act("network", "u U d D v x b= s t= T= L=create W=create ly lf=write g 4 6 V!dry h", special=_socat,
        long=True),
    "telnet": act("network sends-stdin interactive", "4 6 8 E L a b= d e= f F k= l= n=write r x X", "host text*"),
    "websocat wscat": act("network sends-stdin", "c/connect=url l/listen=text!network/listens x/execute= H/header= "
        "n/no-check t b 1 E s k o= P w= exec=shell s/server-mode!network/listens", "host*"),
    "grpcurl evans": Program("plaintext insecure!insecure d= H= proto=read import-path=read v vv cacert=read "
        "cert=read key=read max-time= format= authority= protoset=read use-reflection emit-defaults", "text*",
            "network", long=True, special=_grpcurl),
    "smbclient smbget smbmap rpcclient": act("network interactive", "*", "host*"),
    "ping ping6 arping traceroute traceroute6 tracepath tracert mtr": look(
        "4 6 a A B b c= D d e= F/filename=read f h= I= "
        "i= L l= M= m= N= n O P= p= Q= q R r S= s= T= t= U V v W= w= C= G= g= H K k o x z= X report no-dns count= "
        "raw "
        "tcp udp show-ips interval= report-wide json", traits="network", special=_ping),
    "fping": look("4 6 a A b= B= c= C= d D e f=read g H= i= I= l m M n N o O= p= P q Q= r= R s S= t= T= u v x= X=",
        traits="network",
        special=_ping),
    "avahi-browse mdns-scan nbtstat smbtree arp-scan netdiscover p0f": look("*", "text*", "network network/maps"),
    "dig host nslookup drill whois delv kdig dog doggo avahi-resolve ldns-dig finger": look(
        "4 6 a A B b= C c= d f=read h= i k=read l m M N= n p= q= r R= s= S t= T u U v V w W= x= y= H type= query= "
        "debug timeout= port= class= verbose J", traits="network", special=_dig, help=False),
    "netstat ss sockstat": look("a/all l/listening n/numeric o/options/timers e/extended m/memory "
        "p/processes/programs i/info/interfaces s/summary/statistics Z/context z/contexts N/net= b/bpf 4/ipv4 6/ipv6 "
        "0/packet t/tcp M/mptcp S/sctp u/udp d/dccp w/raw x/unix vsock xdp f/family= A/query/socket= "
        "D/diag=write F/filter=read H/no-header O/oneline E/events K/kill!kills "
        "r/route/resolve g/groups v/verbose W/wide C/cache c/continuous tipc "
        "numeric-hosts numeric-ports T/threads I= L R q B bound-inactive tos cgroup",
            "text*", special=_connections),
    "lsof fuser": look("a b C c= D= d= E F? f g? h i? K? k/kill!kills l L? M m/mount n/namespace= N o P p= R r? s? "
        "S? T? t u= U V v/verbose w X x? Z? +D= +d= +L? 4 6 I/ismountpoint A/all interactive silent", "mention*",
            special=_holders),
    "iptables ip6tables iptables-nft ebtables arptables": act("firewall", "A/append D/delete I/insert R/replace "
        "L/list S/list-rules F/flush Z/zero N/new-chain X/delete-chain P/policy E/rename-chain C/check t/table= "
        "v/verbose n/numeric x/exact line-numbers w/wait? p/protocol= s/source= d/destination= j/jump= g/goto= "
        "i/in-interface= o/out-interface= f/fragment c m/match= "
        "dport= sport= state= ctstate= to-destination= "
        "to-port= to-ports= log-prefix= comment= *",
            special=_listing_filter),
    "iptables-save ip6tables-save arptables-save ebtables-save": look("c t= f=write M="),
    "iptables-restore ip6tables-restore ufw firewall-cmd nft pfctl ipset ipfw netfilter-persistent": act("firewall",
        "dry-run!dry *", "mention*", special=_firewall),
    "macof yersinia wifite bully slowloris goldeneye t50": act(
        "captures network/scans network", "*"),
    "tcpdump tshark dumpcap wireshark ngrep termshark ettercap bettercap dsniff": act("captures",
        "A b B= c= C= d D!dry e E= f F=read G= h H i= I j= J k K l L m= M= n N O p q Q= r=read R s= S t T= u U v "
        "V=read w=write W= x X y= z= Z= Y= a= o= P g version!dry", special=_tcpdump),
    "nmap masscan zmap rustscan nping hping3 nikto gobuster ffuf feroxbuster dirb wfuzz sqlmap hydra medusa nuclei "
    "amass subfinder dnsx httpx wpscan zap naabu katana theHarvester dnsenum dnsrecon enum4linux nbtscan "
    "onesixtyone nxc crackmapexec responder": act(
        "network network/scans", "oN=write oX=write oG=write oA=write iL=read p= script=file sV sS sT sU sn Pn A O "
            "T0 T1 T2 T3 T4 T5 v u=url url=url w=read o=write host=host *", "host*", long=True,
            special=_probes_nothing),
    "hashid": look("e/extended m/mode j/john o/outfile=write", "mention*"),
    "john hashcat": act("captures", "list=text!dry example-hashes!dry I/backend-info!dry *", "read*"),
    "aircrack-ng airmon-ng airodump-ng reaver hcxdumptool ophcrack": act("captures", "*", "read*"),
    "openvpn openconnect vpnc zerotier-one": act(
        "network system-settings", "up=shell down=shell route-up=shell config=file script-security= dev= genkey *",
            special=_openvpn),
    "caddy": Program("", "text*", "network/listens", subs={
        "fmt": Program("overwrite!acts w!acts d/diff", "read*", "read-only"), "validate adapt version list-modules "
            "build-info environ help hash-password":
            look("c/config=read a/adapter= p/pretty validate envfile=read *"),
        "stop reload": act("service", "*"), "trust untrust": act("security-off privilege", "*"),
            "respond": act("network/listens", "*"),
        "upgrade add-package remove-package": act("installs-package network", "*"), "*": act("network/listens", "*",
            "mention*")}),
    "ngrok cloudflared localtunnel lt bore chisel frpc frps devtunnel serveo zrok pagekite": act(
        "network network/tunnels", "v!dry *", special=_tunnel),
    "mail sendmail mutt s-nail swaks msmtp ssmtp neomutt himalaya": act("notifies network sends-stdin",
        "s= c= b= a=send A=send r= t v n i e E H N T u= S= f= F=file exec= attach=send", special=_mail),
    "http-server serve live-server miniserve darkhttpd": act("network/serves recursive", "l/listen= p/port= a= d/debug "
        "s/single/silent c/config= n/no-clipboard S/ssl C/cert=read K/key=read P/proxy= o? i g b e/ext= t= cors? "
        "L/no-port-switching host= no-browser open? watch= ignore= wait= index= auth= u U", "read*",
        special=lambda draft: draft.reads.append("." if not draft.operands else draft.operands[0])),
    "burpsuite": act("interactive network", "config-file=read project-file=write *"),
    "tor privoxy": act("network/listens network/tunnels", "*"),
    "ab wrk siege vegeta k6 locust hey bombardier iperf iperf3 speedtest speedtest-cli fast": act("network", "*",
        "mention*"),
    "wait4x waitforit wait-for-it dockerize": Program("t/timeout= s/strict q/quiet", "host argv",
    "read-only network"),
    "lynx w3m links elinks browsh carbonyl": look(
        "editor=program dump source listonly dump_source width= T= cols= o= O= I=",
        "fetch*", "network interactive", long=True),
    "xdg-open sensible-browser firefox google-chrome chromium chromium-browser brave microsoft-edge safari chrome "
    "opera vivaldi librewolf": act("interactive", "*", "fetch*"),
    "sshfs curlftpfs davfs2": act("mounts network", "o= *", "text create", special=_sshfs),
    "ldapsearch ldapwhoami": look("*", traits="network"),
    "ldapmodify ldapadd ldapdelete ldappasswd": act("users network", "*"),
    "snmpwalk snmpget snmpbulkwalk": look("*", traits="network"),
    "snmpset": act("system-settings network", "*"),
    "mosquitto_pub kcat kafkacat amqp-publish": act("network sends-stdin", "*"),
    "mosquitto_sub": look("*", traits="network"),
}  # fmt: skip
