"""Programs that are for something else, and can be made to run another one: consoles, daemons, plugins."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft, inside
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]

_MACRO = re.compile(r"%\((.*)\)", re.DOTALL)
_EXECUTED = re.compile(r"(?:^|,)path=([^,;]*)((?:,argv\d+=[^,;]*)*)")


def _terminal(draft: UseDraft) -> None:
    """A window with a shell in it, or with the command that follows `-e`, `-x` or `--`."""
    args = draft.args
    draft.operands += args
    for at, word in enumerate(args):
        if word in {"-e", "-x", "--", "--execute", "-c", "--command"}:
            rest = args[at + 1 :]
            if len(rest) == 1:
                draft.run("shell", rest[0])
            elif rest:
                draft.run("argv", *rest)
            return
        if word.startswith("--command="):
            draft.run("shell", word.partition("=")[2])
            return
    draft.add("interactive")


def _banned(draft: UseDraft) -> None:
    """fail2ban: what an action does is a command."""
    words = draft.operands
    for at, word in enumerate(words[:-1]):
        if word in {"actionstart", "actionstop", "actionban", "actionunban", "actioncheck", "actionflush"}:
            draft.aside(" ".join(words[at + 1 :]))


def _macros(draft: UseDraft) -> None:
    """rpm: `%(…)` in what is evaluated or defined is a command."""
    for name, value in draft.values:
        found = _MACRO.search(value) if name in {"--eval", "--define"} else None
        if found is not None:
            draft.aside(found[1])


def _bus(draft: UseDraft) -> None:
    """An address `unixexec:path=…` is a program that is started."""
    for word in (*(value for _, value in draft.values), *draft.operands):
        if "unixexec:" in word:
            found = _EXECUTED.search(word.partition("unixexec:")[2])
            words = [found[1], *(part.partition("=")[2] for part in found[2].split(",")[1:])] if found else ["\0"]
            draft.run("argv", *words, aside=True)
    looks = {"list", "status", "monitor", "tree", "introspect", "get-property", "capture"}
    if draft.operands[:1] and draft.operands[0] in looks and not draft.runs:
        draft.looks("changes")


def _dos(draft: UseDraft) -> None:
    """dosbox: a folder that is mounted can be read and written from inside."""
    for name, value in draft.values:
        words = value.split()
        if name == "-c" and len(words) > 2 and words[0].lower() in {"mount", "imgmount"}:
            folder = words[2].strip("\"'")
            draft.reads.append(inside(folder))
            draft.writes.append(inside(folder))


def _typeset(draft: UseDraft) -> None:
    """TeX: `\\write18{…}` is a command where that is allowed; a text may be given in place of a file."""
    allowed = {"--shell-escape", "-shell-escape", "--enable-write18", "-enable-write18"} & {*draft.flags, *draft.args}
    for word in draft.operands:
        if "\\" not in word:
            draft.reads.append(word)
            continue
        if "directlua{" in word:
            draft.run("code:other", word.partition("directlua{")[2])
        at = word.find("write18{")
        if at >= 0 and allowed:
            draft.aside(word[at + 8 :].partition("}")[0])
        elif at >= 0:
            draft.add("runs-shell")
        draft.mentions += re.findall(r"\{([^{}\\]*/[^{}\\]*)\}", word)
    for name, value in draft.values:
        if name in {"--pdflatex", "--latex", "--xelatex", "--lualatex", "--dvips", "--bibtex"}:
            draft.aside(value)
        elif name == "-e":
            draft.run("code:perl", value)


def _specials(draft: UseDraft) -> None:
    """dvips -R0 lets a document run commands."""
    if draft.value("-R") == "0":
        draft.add("runs-shell")


def _filter(draft: UseDraft) -> None:
    """msgfilter, msgexec: the operands are a command that gets each message."""
    if draft.operands:
        draft.run("argv", *draft.operands, aside=True)


def _pictures(draft: UseDraft) -> None:
    """pic -U runs the `sh` lines of what it reads."""
    draft.reads += draft.operands
    if "-U" in draft.flags:
        draft.acts()
        for word in draft.operands:
            draft.run("file", word, by=draft.name)
        if not draft.operands:
            draft.stdin = "code:other"


def _socket(draft: UseDraft) -> None:
    """socket: as nc, with a program on the other end of the wire."""
    program = draft.value("-p")
    if program is not None:
        draft.run("shell", program)
        draft.add("network/shell")
    if "-s" in draft.flags:
        draft.add("network/listens")
    elif draft.operands:
        draft.reach(draft.operands[0])


def _served(draft: UseDraft) -> None:
    """tcpserver and its like: each connection gets the command."""
    words = draft.operands
    if len(words) > 2:
        draft.run("argv", *words[2:])
        draft.add("network/shell")


def _by_ssh(draft: UseDraft) -> None:
    for name, value in draft.values:
        key, _, text = value.replace("=", " ", 1).partition(" ")
        if name == "-o" and key.lower() in {"proxycommand", "localcommand", "knownhostscommand"}:
            draft.aside(text)
        elif name == "-C":
            draft.run("shell", value, where="host")


def _folder_of_code(option: str) -> Special:
    def of(draft: UseDraft) -> None:
        for name, value in draft.values:
            if name == option:
                draft.run("file", inside(value), by=draft.name)

    return of


def _compiled(draft: UseDraft) -> None:
    """cobc -j runs what it has compiled."""
    draft.reads += draft.operands
    if "--job" in draft.flags and draft.operands:
        draft.run("file", *draft.operands, by=draft.name)


def _tunnel(draft: UseDraft) -> None:
    """wg-quick: a file of settings has commands in it; a bare name is one of the machine's own."""
    if len(draft.operands) > 1 and draft.operands[0] in {"up", "down"} and "/" in draft.operands[1]:
        draft.run("file", draft.operands[1], by=draft.name)


def _mapped(draft: UseDraft) -> None:
    """xdg-user-dir hands its word to a shell as it is."""
    for word in draft.operands:
        if not word.replace("_", "").replace("-", "").isalnum():
            draft.aside(word.lstrip("};"))


_TEX = (
    "interaction= halt-on-error file-line-error output-directory=write output-format= jobname= recorder synctex= "
    "shell-escape enable-write18 no-shell-escape shell-restricted draftmode ini etex enc cnf-line= fmt= "
    "parse-first-line translate-file= src-specials pdf pdfdvi pdfxe pdflua pdflatex= latex= xelatex= lualatex= dvips= "
    "bibtex= c C cd f g pvc view= outdir=write auxdir=write r=file e= use-make quiet silent verbose dvi ps bibtex-cond"
)
_GETTEXT = "o/output-file=write i/input=read D/directory= P/properties-input w/width= s/sort-output F no-wrap *"

TABLE: Table = {
    "xterm uxterm urxvt rxvt alacritty kitty konsole gnome-terminal xfce4-terminal mate-terminal foot wezterm "
    "terminator tilix lxterminal qterminal mlterm x-terminal-emulator st ghostty ptyxis kgx": Program(
        traits="", parse=_terminal),
    "agetty getty mingetty mgetty": act("privilege interactive", "l/login-program=program a/autologin= n/skip-login "
        "o/login-options= t/timeout= f/issue-file=read r/chroot= p/login-pause *"),
    # --- consoles: what is typed into them can start a shell
    "asterisk bconsole ginsh jtag scanmem tasksh tdbtool crash msfconsole apport-cli ksshell perlbug byebug "
    "sc-im visidata vd slrn tin trn irssi weechat nmtui rtorrent alpine pine ispell": act(
        "interactive", "c=read F=read x=line f=read r? e=shell interactive *", "mention*"),
    "psftp pscp plink": act("network interactive", "P= l= pw= i= b=file bc be m=file batch load= *", "host*"),
    "rlogin rsh remsh rexec": act("network sends-stdin interactive insecure", "l= p= e= 8 E L d K x n", "host shell+"),
    "mailx bsd-mailx heirloom-mailx nmh": act("notifies network sends-stdin interactive",
        "s= c= b= r= a=send A= f? u= q=read S= exec= e H N n i v t *"),
    "nsupdate": act("cloud/changes cloud/deploys network interactive",
        "k=read y= v d D l g o p= r= t= u= T P L=", "read*"),
    "ansible-test": act("runs-project", "v/verbose color? *", subs={
        "shell": act("runs-shell container/runs", "*"), "*": act("runs-project", "*", "mention*")}),
    "dosbox dosbox-x": act("interactive", "c= conf=file noconsole exit fullscreen userconf machine= *", "mention*",
        long=True, special=_dos),
    # --- daemons and their helpers: settings name programs
    "dnsmasq": act("network/listens service", "conf-script=shell dhcp-script=shell dhcp-luascript=file "
        "C/conf-file=read test!dry d/no-daemon k/keep-in-foreground p/port= i/interface= a/listen-address= *"),
    "dhclient dhcpcd udhcpc": act("system-settings network", "sf=program script=program c/script=program cf=file "
        "lf=write pf=write s=program f=file r x v q d n p= *", "text*", long=True),
    "rsyslogd syslogd syslog-ng": act("service", "f=file n d i=write N= D v!dry V!dry u= C cfgfile=file *"),
    "fail2ban-client fail2ban-server": look("c/conf=file s= p= x b f d t!dry i v q", subs={
        "status ping version banned get help echo": look("*"),
        "set unban": act("service firewall", "*", special=_banned),
        "*": act("service", "*")}),
    "sshd ftpd vsftpd in.ftpd telnetd inetd xinetd thttpd webfsd starman hypnotoad thin mosquitto uwsgi": act(
        "network/listens", "f/config=file c=file p/port= D d q exec=shell t!dry T!dry attach-daemon=shell *",
            "mention*"),
    "tcpserver tcpsvd udpsvd ucspi-tcp": act("network/listens",
        "v q Q h H p P r R l= b= c= g= u= U x= X B= t= 1 d D o O",
        special=_served, stops=True),
    "twistd": act("network/listens",
        "y/python=file f/file=file s/source=file n/nodaemon l/logfile=write pidfile=write *"),
    "xinit startx": act("interactive", "*", "argv"),
    "monit": act("service", "c=file t!dry g= v I *"),
    "runsv svscan s6-svscan s6-supervise": act("service", "P c= d= t= *", "file*"),
    "s6-setuidgid s6-softlimit s6-envdir": Program("u= g= i I h H m= d= s=", "text argv", "read-only privilege"),
    "incrontab fcrontab": act("schedules", "l!dry r e u= d i n t= *", "read*"),
    "procmail maildrop": act("only-runs", "m!runs-project d a= f= t p o Y *", "file*"),
    "sshuttle": act("network/tunnels privilege", "r/remote=host e/ssh-cmd=shell x/exclude= X=read N H dns D/daemon "
        "l/listen= v s=read python=program *"),
    "plymouth": act("system-settings", "", subs={
        "ask-for-password ask-question watch-keystroke": act("interactive",
            "prompt= command=shell number-of-tries= dont-pause-progress keys="),
        "*": act("system-settings", "*")}),
    "wg-quick": act("system-settings network/tunnels", "", special=_tunnel),
    "certbot letsencrypt": act("writes-secret network", "n/non-interactive d/domains= standalone webroot nginx apache "
        "pre-hook=shell post-hook=shell deploy-hook=shell renew-hook=shell manual-auth-hook=shell "
        "manual-cleanup-hook=shell config-dir= work-dir= logs-dir= email= agree-tos m= w= dry-run *",
        special=lambda draft: draft.drop("writes-secret") if "--dry-run" in draft.flags
            or draft.operands[:1] in (["certificates"], ["plugins"], ["show_account"]) else None),
    "easyrsa": act("writes-secret", "vars=file pki-dir= batch days= req-cn= *", "mention*"),
    "facter": look("custom-dir= external-dir= c/config=read j/json y/yaml d/debug p *",
        special=_folder_of_code("--custom-dir")),
    "busctl": act("changes", "address= user system H/host= M/machine= list json= verbose no-pager match= "
        "e/session y d/dest= o/object-path= m/method= a=", special=_bus),
    # --- monitoring plugins
    "check_by_ssh": act("network", "H= o= C= l= i= p= s= n= E? S? t= u= O= f *", special=_by_ssh),
    "check_log check_statusfile check_memory check_raid check_cups": look("F=read O=write q= extra-opts=read w= c= *",
        "read*"),
    "check_ssl_cert": look("grep-bin=program curl-bin=program openssl=program nmap-bin=program file-bin=program "
        "date-bin=program H/host= p/port= f/file=read r/rootcert=read C=read w= c= *", "text*", "network"),
    # --- documents
    "tex latex pdftex pdflatex xetex xelatex luatex lualatex latexmk": act("changes", _TEX, special=_typeset,
        long=True),
    "dvips": act("changes", "o=write R? f q p= l= t= D= T= E *", "read*", special=_specials),
    "pic eqn tbl soelim zsoelim preconv groff troff nroff": look("U n C S T= m= o= P= M= F= r= d= K= I= *",
        special=_pictures),
    "enscript a2ps": act("device", "I=shell p/o/output=write d= P= q B r E? *", "read*"),
    "msgattrib msgcat msgcomm msgconv msguniq msgen": act("", _GETTEXT, "read*"),
    "msgfilter msgexec": act("", "o/output-file=write i/input=read D= P/properties-input w/width= keep-header",
        special=_filter, stops=True),
    "highlight pygmentize redcarpet atobm basez xmore xpad yelp cupsfilter efax ascii-xfr tic infotocap "
    "volatility vol.py varnishlog": look("o/out=write O=write w=write i=read f=read d=read l= *",
            "read*"),
    "varnishncsa": act("", "w=write a A D P=write q= F= f=read n= g= *"),
    "csvtool": act("", "t= u= z= o=write", subs={
        "call": Program("o=write", "shell read*", "changes"), "*": act("", "o=write u= t= z=", "mention*")}),
    # --- compiling and testing
    "ghc": act("changes", "e=code:other o/outputdir=write c M O? make i? package= threaded fno-code Wall *", "read*"),
    "cobc": act("changes", "x F m j/job? o=write I= std= frelax-syntax-checks free *", special=_compiled),
    "gtester": act("runs-project", "o=write k/keep-going l/list p= s= m= seed= q/quiet verbose *", "program*"),
    "acr runscript": act("only-runs", "r= *", "file*"),
    "slsh": Program("e=code:other g n q i l= t v", "script", "only-runs"),
    "zic": act("changes", "y=program d=write L=read l= p= b= r= v s", "read*"),
    "rpmkeys": look("list import!package-source delete!package-source erase!package-source K/checksig root= dbpath= "
        "D/define=text!changes E/eval=text!changes rcfile=read!changes load=read!changes pipe=shell v/verbose q/quiet",
        "mention*"),
    "rpmdb rpmquery rpmverify rpmsign": act("", "eval= E/define= D= a q i l f p V v pipe=shell root= dbpath= "
        "initdb rebuilddb *", "mention*", special=_macros),
    "cdist": act("network", "v d", subs={"shell": act("interactive", "s/shell=program *"), "*": act("network", "*")}),
    "xdg-user-dir": look("", special=_mapped),
    "cowsay cowthink": look("b d g p s t w y e= f=file l n T= W= C r"),
    "neofetch fastfetch screenfetch": look("config=file source=read c=read load-config=file ascii=read *", "text*"),
    # --- other worlds
    "runc crun": act("container/runs privilege", "root= *"),
    "proot fakechroot": Program("r= R= b= w= q=program 0 v= k= S= s= *", "argv", "read-only"),
    "kvm qemu-nbd nbd-client": act("virtual-machine mounts", "*", "mention*"),
    "socket": act("network sends-stdin", "s l v q r w p= b c f t", special=_socket),
    "lwp-request GET HEAD POST lwp-mirror lwp-download urlget": act("network downloads", "m= b= t= i= c= a p= C= H= "
        "u U s S e E d o= f x v", "fetch write"),
    "rdesktop xfreerdp vncviewer remmina": act("network interactive", "r= u= p= d= g= *", "host*"),
    "run-mailcap see": look("action= debug", "read*", "interactive"),
    "irqbalance uml_console mdk3 aireplay-ng": act("system-settings", "*"),
}  # fmt: skip
