"""Servers that a machine runs and their control programs, what audits the machine, and who may log in there."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]

_SHOW = look("*")
_SERVICE = act("service", "*")
_SET = act("system-settings", "*", "mention*")


def _if(shows: str, *instead_of: str, bare: bool = False) -> Special:
    """Looks if one of these options is there, or if there is nothing at all and `bare`."""
    wanted = frozenset(shows.split())

    def judge(draft: UseDraft) -> None:
        if wanted & set(draft.flags) or (bare and not draft.args):
            draft.looks(*instead_of)

    return judge


def _apachectl(draft: UseDraft) -> None:
    """`-D` and `-f` say with what it would start."""
    shows = {"-t", "-S", "-M", "-l", "-L", "-V", "-v", "-h"}
    flags = set(draft.flags)
    if draft.operands[:1] in (["configtest"], ["status"], ["fullstatus"]) or (shows & flags and "-k" not in flags):
        draft.looks("service")


def _postconf(draft: UseDraft) -> None:
    if {"-e", "-X", "-#", "-b"} & set(draft.flags) or any("=" in word for word in draft.operands):
        draft.add("system-settings")


def _exim(draft: UseDraft) -> None:
    """`exim -bp`, `-bt`, `-bV`: the queue, an address, the version."""
    if draft.args and draft.args[0] in {"-bp", "-bpc", "-bpr", "-bpru", "-bt", "-bv", "-bV", "-bP", "-bh"}:
        draft.looks("notifies", "network")


_CEPH_SHOWS = frozenset({
    "status", "stat", "df", "tree", "ls", "dump", "stats", "perf", "detail", "list", "get", "find", "metadata",
    "versions", "metrics", "blocked-by", "ls-tree", "query", "count-metadata", "lspools", "export",
})  # fmt: skip


def _ceph(draft: UseDraft) -> None:
    """`ceph -s`, `ceph osd tree`: the second word says what is shown."""
    words = draft.operands
    alone = {"status", "health", "df", "version", "versions", "report", "fsid", "features", "quorum_status", "time"}
    second = "".join(words[2:3] if words[1:2] in (["pool"], ["module"]) else words[1:2])
    if words[:1] == ["auth"] and second != "caps":
        draft.add("reads-secret")
    elif second in {"delete", "rm", "purge", "destroy", "zap"}:
        draft.add("database/drops")
    elif second in _CEPH_SHOWS or (words and words[0] in alone) or (not words and "--status" in draft.flags):
        draft.looks("changes")


def _sysrc(draft: UseDraft) -> None:
    if "-x" not in draft.flags and not any("=" in word for word in draft.operands):
        draft.looks("service", "autostart")


def _pihole(draft: UseDraft) -> None:
    """Its verbs may be options."""
    if draft.args[:1] in ((), ("status",), ("version",), ("query",), ("tail",), ("-q",), ("-v",), ("-t",), ("-c",)):
        draft.looks("service", "system-settings")


def _listed(draft: UseDraft) -> None:
    if draft.flags == ["--list"]:
        draft.looks("service", "autostart")


def _clam(draft: UseDraft) -> None:
    if {"--remove", "--move", "--copy"} & set(draft.flags):
        draft.add("changes")


def _needrestart(draft: UseDraft) -> None:
    if draft.value("-r") == "l" or {"-b", "-p"} & set(draft.flags):
        draft.looks("service")


def _pdbedit(draft: UseDraft) -> None:
    if "--smbpasswd-style" in draft.flags:
        draft.add("reads-secret")
    elif "--list" in draft.flags and not {"--create", "--delete", "--modify", "--import"} & set(draft.flags):
        draft.looks("users")


def _faillock(draft: UseDraft) -> None:
    if "--reset" not in draft.flags:
        draft.looks("users")


def _chcat(draft: UseDraft) -> None:
    if {"-L", "-l"} & set(draft.flags) and "-d" not in draft.flags and not draft.operands:
        draft.looks("permissions")


def _module(draft: UseDraft) -> None:
    """A module is two files here, the policy and its source."""
    for name, value in draft.values:
        if name == "-M":
            draft.writes += [value + ".te", value + ".pp"]


def _aide(draft: UseDraft) -> None:
    if not {"--init", "--update"} & set(draft.flags):
        draft.looks("changes")


def _removes_profile(draft: UseDraft) -> None:
    if {"-R", "--remove", "-C", "--Complain"} & set(draft.flags):
        draft.add("security-off")
    elif {"-Q", "-p", "-N", "-S", "--skip-kernel-load", "--preprocess", "--names", "--stdout"} & set(draft.flags):
        draft.looks("system-settings")


def _no_server(draft: UseDraft) -> None:
    if "--no-server" in draft.flags and "--client-replay" not in draft.flags:
        draft.drop("network/listens", "network/tunnels")


def _signalled(draft: UseDraft) -> None:
    """`nginx -s reload`: a word to the server that runs already."""
    if draft.name == "nginx" and draft.value("-s"):
        draft.drop("network/listens")


def _squid(draft: UseDraft) -> None:
    if draft.value("-k") in {"parse", "check"}:
        draft.looks("network/listens", "network/tunnels")
    elif draft.value("-k") in {"rotate", "reconfigure"}:
        draft.drop("network/listens", "network/tunnels")
        draft.add("service")


TABLE: Table = {
    "mitmproxy mitmdump mitmweb": act("network/listens network/tunnels", "n/no-server r/rfile=read c/C/client-replay= "
        "w/save-stream-file=write s/scripts=file p/listen-port= listen-host= m/mode= set= *", special=_no_server),
    "nginx apache2 httpd lighttpd php-fpm webfs": act("network/listens", "t!dry T!dry V!dry s=text!service *",
        "mention*", special=_signalled),
    "squid": act("network/listens network/tunnels", "k= f=read N d= v!dry h!dry *", special=_squid),
    "gitlab-ctl": look("*", subs={"status tail show-config service-list check-config diff-config help": _SHOW,
        "kill": act("service kills", "*"), "cleanse uninstall remove-accounts": act("service shreds", "*"),
        "*": _SERVICE}),
    "gitlab-runner": look("*", subs={"status list": _SHOW, "verify": look("delete!changes *", "text*", "network"),
        "start stop restart install uninstall run": _SERVICE, "*": act("changes network", "*")}),
    "gitlab-backup": Program("*", subs={"create": act("database/dumps", "*"),
        "restore": act("database/restores", "*")}),
    "prosodyctl ejabberdctl": Program("*", "text*", "service", subs={"status about check version help": _SHOW,
        "adduser deluser passwd register unregister change_password": act("users", "*"), "*": _SERVICE}),
    "postfix": Program("c= D v", "text*", "service", subs={"status check": _SHOW, "*": _SERVICE}),
    "postconf": look("a A b C= c=read d D e E f F h H l m M n o= P p t T= v x X #", special=_postconf),
    "postqueue": act("changes network", "c=read p!dry j!dry f i= s= v"),
    "postsuper": act("changes", "*"),
    "postcat": look("b c=read d e f h n o q v", "read*"),
    "postmap postalias newaliases": act("changes", "*", "mention*"),
    "mailq mailstats exiqgrep eximstats pflogsumm doveconf": _SHOW,
    "exim exim4": act("notifies network", "*", special=_exim),
    "doveadm": Program("*", "text*", "service", subs={"who stats help": _SHOW, "*": act("changes", "*")}),
    "apachectl apache2ctl": act("service", "t S M l L V v h D= f= k=", special=_apachectl),
    "a2query phpquery": _SHOW,
    "a2enmod a2dismod a2ensite a2dissite a2enconf a2disconf phpenmod phpdismod lighty-enable-mod lighty-disable-mod "
    "lighttpd-enable-mod lighttpd-disable-mod": act("system-settings service", "*"),
    "named-checkconf named-checkzone unbound-checkconf dnssec-verify": look("*",
        "read*"),
    "rndc": Program("*", subs={"status": _SHOW, "*": _SERVICE}),
    "unbound-control": Program("c=read s= q", subs={"status stats_noreset list_* get_option dump_* lookup": _SHOW,
        "*": _SERVICE}),
    "pihole": act("service system-settings", "*", special=_pihole),
    "pivpn": look("*", subs={"clients list -c -l -d debug help": _SHOW, "*": act("users system-settings", "*")}),
    "ceph": act("changes network", "s/status w h!dry v!dry c=read f/format= n/name= k/keyring=read cluster= *",
        special=_ceph),
    "cephadm": Program("*", "text*", "service", subs={"ls version list-networks check-host inspect-image gather-facts":
        _SHOW, "shell enter": act("container/runs", "*"), "*": act("service container/changes", "*")}),
    "rados rbd": Program("*", "text*", "changes network", subs={"ls lspools df list info du status showmapped stat":
        look("*", "text*", "network"), "rm remove purge rmpool": act("shreds network", "*"),
        "map mount unmap": act("mounts network", "*"), "*": act("changes network", "*")}),
    "postgresql-setup mariadb-install-db mysql_install_db": act("changes", "*", "mention*"),
    # Audits, which write no more than their own log.
    "audit2why sealert sesearch seinfo sechecker matchpathcon selinuxexeccon aa-unconfined aa-decode aa-easyprof "
    "chkrootkit spectre-meltdown-checker needs-restarting checkrestart hardening-check debsecan "
    "dracut-list?": look("i/input=read *", "mention*"),
    "audit2allow": look("a/all b/boot d/dmesg D/dontaudit e/explain i/input=read l/lastreload m/module= M= "
        "o/output=write r/requires R/reference N/noreference v/verbose w/why t/type= p/policy=read x/xperms",
            special=_module),
    "lynis": look("*", subs={"audit show update": look("*"), "generate configure upload-only": act("changes", "*")}),
    "rkhunter": look("c/check sk/skip-keypress rwo/report-warnings-only l/list? versioncheck C/config-check q/quiet "
        "nocolors noappend-log l/logfile? enable= disable= nolog update!upkeep propupd!changes summary unlock!changes "
        "display-logfile x X cronjob vl/verbose-logging configfile=read"),
    "aide": act("changes", "i/init u/update C/check E/compare D/config-check n/dry-init p/path-check l/limit= "
        "c/config=read B/before= A/after= r/report= L/log-level= W/workers=", special=_aide),
    "tripwire": act("changes", "m= check!dry *"),
    "clamscan clamdscan": look("r/recursive remove? move= copy= i/infected o l/log=write d/database=read "
        "f/file-list=read "
        "exclude= exclude-dir= include= include-dir= max-filesize= max-scansize= bell m/multiscan fdpass no-summary "
        "quiet verbose stdout *", "read*", special=_clam),
    "freshclam": act("changes network", "*"),
    "oscap": look("v", subs={"info version": _SHOW, "*": act("changes", "*", "mention*")}),
    "needrestart": act("service", "v q m= n c=read r= b p u= k l w", special=_needrestart),
    "togglesebool": act("security-off", "*"),
    "chcat": act("permissions", "L l d", special=_chcat),
    "restorecond": act("service permissions", "*"),
    "aa-genprof aa-logprof aa-mergeprof aa-autodep aa-update-browser": _SET,
    # What is written down more, and a profile that says the same in fewer words.
    "aa-audit": act("upkeep", "r/remove!system-settings d/dir= f/force no-reload *"),
    "aa-cleanprof": act("upkeep", "*"),
    "aa-remove-unknown": act("security-off", "n!dry h!dry"),
    "apparmor_parser": act("system-settings", "*", "mention*", special=_removes_profile),
    "run_init": Program("", "argv", "privilege service"),
    # What starts with the machine, and who may log in.
    "update-rc.d": act("service autostart", "n!dry *"),
    "chkconfig": act("service autostart", "l/list *", special=_listed),
    "sysrc": act("service autostart", "*", special=_sysrc),
    "authselect": Program("*", subs={"current list list-features show requirements check test backup-list": _SHOW,
        "*": act("system-settings users", "*")}),
    "authconfig": act("system-settings users", "test!dry probe!dry *"),
    "lid": _SHOW,
    "lchage": act("users", "l/list!dry d/date= E/expire= m/mindays= M/maxdays= W/warndays= I/inactive= i/interactive"),
    "chage": act("users", "l/list!dry d/lastday= E/expiredate= m/mindays= M/maxdays= W/warndays= I/inactive= i/iso8601 "
        "R/root="),
    "faillock": act("users", "user= dir= reset legacy-output *", special=_faillock),
    "pdbedit": act("users", "L/list v/verbose w/smbpasswd-style u/user= a/create x/delete z r/modify t f/fullname= "
        "h/homedir= D/drive= S/script= p/profile= I/domain= i/import= e/export= b= g= m/machine c= C= P= d= y "
        "account-desc= K/kickoff-time= N", special=_pdbedit),
    "mkhomedir_helper": act("changes", "*"),
    "luserdel lusermod lgroupadd lgroupdel lgroupmod lpasswd lnewusers": act("users", "*"),
    "pwck grpck": act("users", "r/read-only!dry q s R="),
    "sa": look("a b c d D f F i j k K l m n r s!changes t u v= p separate-times no-summary-files user-summary "
        "print-users other-usracct-file=read"),
    "unshadow": act("reads-secret", "", "read*"),
    "sulogin": act("privilege interactive", "*"),
}  # fmt: skip
