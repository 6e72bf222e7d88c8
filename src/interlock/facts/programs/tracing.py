"""Watching a running machine: what its kernel and its programs do, and how much of it they use."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

# They load a probe of their own and print what passes it; what they take is a filter.
_SNOOPERS = (
    "opensnoop execsnoop exitsnoop statsnoop syncsnoop killsnoop mountsnoop shmsnoop sofdsnoop dcsnoop drsnoop "
    "biosnoop "
    "biolatency biotop biopattern bitesize cachestat cachetop capable compactsnoop cpudist cpuunclaimed dbslower "
    "dbstat "
    "dcstat deadlock dirtop drsnoop ext4dist ext4slower btrfsdist btrfsslower xfsdist xfsslower zfsdist zfsslower "
    "nfsdist nfsslower fileslower filelife filetop funccount funclatency funcslower gethostlatency hardirqs icstat "
    "klockstat llcstat mdflush memleak mysqld_qslower netqtop numamove offcputime offwaketime oomkill pidpersec "
    "ppchcalls rdmaucma readahead runqlat runqlen runqslower slabratetop softirqs solisten stackcount swapin syscount "
    "tcpaccept tcpcong tcpconnect tcpconnlat tcpdrop tcplife tcppktlat tcpretrans tcprtt tcpstates tcpsubnet tcpsynbl "
    "tcptop tcptracer threadsnoop tplist undump vfscount vfsstat virtiostat wakeuptime wqlat writeback"
)
# What they print was typed or encrypted by somebody.
_LISTENERS = "bashreadline sslsniff ttysnoop"


def _also_packaged(names: str) -> str:
    """Each name, and how Debian calls it."""
    return " ".join(dict.fromkeys(form for name in names.split() for form in (name, f"{name}-bpfcc", f"{name}.bt")))


def _bpftool(draft: UseDraft) -> None:
    """`bpftool OBJECT VERB`."""
    words = draft.operands
    verb = words[1] if len(words) > 1 else "show"
    if words[:1] in (["version"], ["help"]) or (
        words[:1] not in (["batch"], ["gen"])
        and verb in {"show", "list", "dump", "tree", "help", "probe", "tracelog", "getnext", "lookup", "peek"}
    ):
        draft.looks("debugger", "kernel")


def _dtrace(draft: UseDraft) -> None:
    if {"-l", "-V"} & set(draft.flags) and not draft.runs:
        draft.looks("debugger", "kernel")


def _bpftrace(draft: UseDraft) -> None:
    if {"-l", "-V", "--info", "-h"} & set(draft.flags) and not draft.runs:
        draft.looks("debugger", "kernel")


def _packets(draft: UseDraft) -> None:
    """Packets of a file are only read."""
    if "--readfile" in draft.flags and not {"-i", "--iface", "-w", "-l"} & set(draft.flags):
        draft.drop("captures")
        draft.add("changes")


def _extrace(draft: UseDraft) -> None:
    if draft.operands:
        draft.run("argv", *draft.operands)


def _ntpq(draft: UseDraft) -> None:
    if any(value.lstrip().startswith((":", "config", "save")) for name, value in draft.values if name == "--command"):
        draft.add("system-settings")


def _recorded(draft: UseDraft) -> None:
    """What was recorded before is read from its file."""
    if "--read" in draft.flags:
        draft.drop("captures")


TABLE: Table = {
    _also_packaged(_SNOOPERS): look("*"),
    _also_packaged(_LISTENERS): act("captures", "*"),
    "bpftool": act("debugger kernel", "*", special=_bpftool),
    "bpftrace": act("debugger kernel", "e=code:other c=shell l V h!dry info p= o=write f= B= d v k q unsafe!forced "
        "usdt-file-activation", "mention*", special=_bpftrace),
    "dtrace stap": act("debugger kernel", "e=code:other n=code:other c=shell l V *", "mention*", special=_dtrace),
    "trace-cmd": look("", subs={"list report show stat hist dump check-events options": look("i=read *"),
        "*": act("kernel debugger", "o=write *", "mention*")}),
    "fatrace": look("c/current-mount C/command= f/filter= o/output=write p/ignore-pid= s/seconds= t/timestamp u/user "
        "d/dir= j/json"),
    "extrace": look("d e f l p= q t u w Q o=write", special=_extrace, stops=True),
    "snort suricata zeek tcpick tcpflow tcpxtract kismet netsniff-ng arpspoof dnsspoof mdk4 "
        "driftnet": act("captures",
        "r/readfile=read *", "mention*", special=_packets),
    "sysdig csysdig": act("captures", "l!dry L!dry cl/list-chisels!dry r/read=read w/write=write *", special=_recorded),
    "turbostat": Program("q/quiet i/interval= n/num_iterations= c/cpu= s/show= hide= S/Summary d/debug l/list "
        "e/enable= "
        "a/add= C/Cpu= J/Joules D/Dump o/out=write T/TCC= no-msr no-perf header_iterations= M N", "argv", "read-only"),
    "criu": act("changes", "*", subs={"check cpuinfo": look("*"), "dump pre-dump": act("captures debugger kills", "*"),
        "*": act("changes", "*")}),
    "i7z intel_gpu_top radeontop cpufreq-info cpufreq-aperf numatop iotop-c "
    "tlp-stat": look("*"),
    "tegrastats": look("interval= start!changes stop!changes logfile=write readall verbose"),
    "powertop": act("upkeep", "d/dump t/time? i/iteration= w/workload=program auto-tune!system-settings "
        "c/calibrate!system-settings "
        "h/html? C/csv? r/report? q/quiet debug auto-tune-dump",
            special=lambda draft: None if {"--html", "--csv", "--report", "--auto-tune", "--calibrate", "--workload"}
                & set(draft.flags) else draft.looks("upkeep")),
    "xdp-filter": Program("*", subs={"status": look("*"), "poll": look("*"), "*": act("firewall", "*")}),
    "powertop2tuned": act("system-settings", "*", "mention*"),
    "haveged": act("service", "h!dry *", "mention*"),
    "auto-cpufreq": act("system-settings", "monitor!dry stats!dry get-state!dry debug!dry v!dry *"),
    "aulast aulastlog auvirt ausyscall": look("*", "text*"),
    "ntpq": look("4/ipv4 6/ipv6 c/command= d/debug-level D= i/interactive n/numeric p/peers w/wide W=", "host*",
        "network", special=_ntpq),
}  # fmt: skip
