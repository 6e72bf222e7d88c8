"""Processes: looking at them, ending them, and the machine they run on."""

from __future__ import annotations

import re
from itertools import pairwise

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look, words

__all__ = ["TABLE", "is_workshop_port"]

# Servers and runners of a project's own code, which are started again with one command.
_WORKSHOP = words("""
    vite vitest next nuxt astro remix gatsby webpack webpack-dev-server rollup parcel turbo nodemon ts-node tsx
    react-scripts storybook start-storybook expo metro ng vue-cli-service svelte-kit jest mocha cypress playwright
    chromedriver uvicorn gunicorn hypercorn flask fastapi runserver manage.py streamlit gradio celery http.server
    pytest rails puma sidekiq rackup jekyll hugo mkdocs artisan bootRun spring-boot:run json-server live-server
    http-server wrangler miniflare
""")
_SOURCE = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".rb", ".php", ".go", ".jar", ".exs")
# Where a machine's own services listen, whoever works on what.
_KEPT_PORTS = words("3306 5432 5433 27017 6379 9200 11211 5672 2375 2376 2379 6443 8500 33060 1433 1521 5900 3389")


def _kill(draft: UseDraft) -> None:
    given = draft.args
    draft.operands += [word for word in given if not word.startswith("-") or word.lstrip("-").isdigit()]
    draft.flags += [word for word in given if word.startswith("-")]
    if given and given[0] in {"-l", "-L", "--list", "--table", "-0", "-s0"}:
        draft.looks("kills")
    elif given and given[0].lstrip("-").removeprefix("SIG") == "CONT":
        draft.drop("kills")  # what was stopped goes on
        draft.add("changes")
    elif "-1" in given[1:] or given == ("-1",):
        draft.add("forced")
    elif _are_own(_targets(given)):
        draft.drop("kills")
        draft.add("changes")


def _targets(given: tuple[str, ...]) -> list[str]:
    """What `kill` is to end, without the signal."""
    found = list(given)
    if found[:1] and found[0] in {"-s", "-n", "--signal"}:
        del found[:2]
    elif found[:1] and found[0].startswith("-") and not found[0].startswith("-%") and found[0] != "--":
        del found[0]
    return found[1:] if found[:1] == ["--"] else found


def _are_own(targets: list[str]) -> bool:
    """Whether all are jobs of the shell itself (`%1`), or have a port on which people develop (`%:3000`)."""
    return bool(targets) and all(
        is_workshop_port(one[2:]) if one.startswith("%:") else re.fullmatch("-?%.+", one) for one in targets
    )


def is_workshop_port(port: str) -> bool:
    """Whether no service of the machine usually listens there."""
    return port.isdigit() and len(port) < 6 and int(port) >= 1024 and port not in _KEPT_PORTS


def _pkill(draft: UseDraft) -> None:
    """By the line it was started with, a server of the project is told from everybody else's processes."""
    pattern = " ".join(draft.operands)
    if {"-CONT", "-SIGCONT", "--signal=CONT"} & set(draft.args):
        draft.drop("kills")
        draft.add("changes")
    elif "--full" in draft.flags and draft.name == "pkill" and re.fullmatch(r"[\w ./:@=-]+", pattern):
        parts = [part.rpartition("/")[2] for part in pattern.split()]
        if any(part in _WORKSHOP or part.endswith(_SOURCE) for part in parts):
            draft.drop("kills")
            draft.add("changes")


def _top(draft: UseDraft) -> None:
    if "-b" not in draft.flags and "-l" not in draft.flags:
        draft.add("interactive")


def _ps(args: tuple[str, ...]) -> tuple[str, ...]:
    """`ps aux`: letters need no dash."""
    if args and args[0][:1].isalpha() and args[0].isalnum():
        return ("-" + args[0], *args[1:])
    return args


def _dmesg(draft: UseDraft) -> None:
    if {"--clear", "--read-clear"} & set(draft.flags):
        draft.add("log-wiped")


def _auditctl(draft: UseDraft) -> None:
    """Rules that are added watch more; rules taken away, or a switch, watch less."""
    flags = set(draft.flags)
    if {"-D", "-d", "-W", "-e", "-R", "-r", "-f", "--reset-lost"} & flags:
        draft.drop("system-settings")
        draft.add("security-off", "log-wiped")
    elif {"-l", "-s", "-v", "-h"} & flags and not {"-a", "-A", "-w", "-b", "-m"} & flags:
        draft.looks("system-settings")


def _shutdown(draft: UseDraft) -> None:
    """A shutdown that is called off, and init reading its table again."""
    if (draft.name == "shutdown" and "-c" in draft.flags) or draft.operands in (["q"], ["Q"]):
        draft.drop("reboots")
        draft.add("changes")


_PARTS = frozenset({
    "memory", "processor", "cpu", "cache", "slot", "connector", "disk", "storage", "volume", "network", "display",
    "multimedia", "input", "printer", "power", "communication", "disk,storage",
})  # fmt: skip


def _parts_only(draft: UseDraft) -> None:
    """`lshw -c disk`, `dmidecode -t memory`, `hwinfo --cpu`: nothing of the machine as a whole is asked for."""
    words = draft.args
    if draft.name == "hwinfo":
        asked = [word.lstrip("-") for word in words if word not in {"--short", "--help"}]
    else:
        asked = [value for option, value in pairwise(words) if option in {"-t", "--type", "-c", "-C", "-class"}]
        asked += ["all"] if any(word in {"-s", "--string"} for word in words) else []
    if (asked and _PARTS.issuperset(asked)) or words == ("--help",):
        draft.drop("fingerprints")


def _sysctl(draft: UseDraft) -> None:
    if (
        "--write" in draft.flags
        or "--load" in draft.flags
        or "--system" in draft.flags
        or any("=" in word for word in draft.operands)
    ):
        draft.add("kernel")
    elif any(word.startswith(_TELLING) for word in draft.operands):
        draft.add("fingerprints")


# Names of the kernel that say which machine this is, and whether it is a real one.
_TELLING = ("hw.model", "hw.hv_", "hw.serial", "kern.hv_", "kern.uuid", "kern.vm_guest", "machdep.hypervisor")
_SHUTDOWN = (
    "H/halt P/poweroff p r/reboot h k!dry c no-wall f/force!forced n d w/wtmp-only!changes i t= reboot-argument="
)
_HARDWARE = (
    "a/all b/online/bytes B C/class= c/cpu d/discard/device= e? E= f/fs F= h i/id= I= J/json k l L/listing "
    "m/modules M n N o/output= O/output-all p/paths P/pairs q/query/quiet r/release s/short S/scsi "
    "t/topology/type= T/tree? u v/vendor/verbose V w/width= x y z Z X numeric class= businfo sanitize "
    "html xml nodeps noheadings list "
    "query-gpu= format= query-compute-apps= field= set= dump parse? extended? full"
)

TABLE: Table = {
    "ps": look("A a d e f F g= G= H j k= l L M m n N o/format= O= p= q= r s= t= T u U= V v w x X y Z c C= S pid= "
        "ppid= sid= user= User= group= Group= tty= sort= cols= columns= forest headers no-headers rows= width= "
        "deselect cumulative context quick-pid= info h E",
               "text*", rewrite=_ps),
    "top htop btop atop iotop glances nmon bashtop gtop nvtop bpytop iftop nethogs bandwhich slabtop": look(
        "b c d= E= e= H h i n= o= O p= s= S t u= U= w? 1 l= R r F f= a A P B C k q delay= user= sort-key= tree "
        "no-color pid= filter= only batch iter= accumulated processes version",
        "text*", special=_top),
    "pgrep pidof pstree pmap pwdx vmstat iostat mpstat dstat procs lsns lsipc ipcs numastat tload jps "
    "jstat": look(
        "a c d= e f F= g= G= i l n o P= s= t= u= U= v w x A h p r T= S N k m D z Z y j H I= 1 C= V q X B b O R W E "
        "delimiter= list-name list-full count newest oldest parent= full exact human-readable dec hex json "
        "show-pids unicode ascii inverse older= runstates= active timestamp wide", "mention*"),
    "kill": Program(traits="kills", parse=_kill, help=False),
    "killall pkill xkill skill snice slay killall5": act("kills", "e/exact I/ignore-case g/process-group y= o= "
        "i/interactive l!dry n= q/quiet r/regexp s/signal= u/user= U= v/verbose w/wait Z= V!dry f/full x P= t= c d= "
        "a N ns= nslist= G= F= L A h 0 1 2 3 4 5 6 7 8 9 O Q signal= *", special=_pkill),
    "renice": act("upkeep", "n/priority= p/pid g/pgrp u/user"),
    "ipcrm ipcmk": act("changes", "*"),
    "lscpu lsmem lsblk lspci lsusb inxi modinfo hwloc-ls lstopo lsscsi lsinitramfs "
    "lsb_release acpi upower iasl cpuid x86info lsgpio lsirq": look(_HARDWARE),
    "lsmod kldstat modstat biosdecode systemd-detect-virt virt-what hostid": look(
        _HARDWARE, traits="fingerprints"),
    # Single parts of a machine are as good as `lscpu`; its maker and number are not.
    "dmidecode lshw hwinfo": look(_HARDWARE, traits="fingerprints", special=_parts_only),
    "pidstat": look("C= d G= h H I l p= r R s t T= u U? v V w e=program"),
    "sar sadf": look("A b B d f=read F H h i= m= n= o=write P= p q r R S s? e? t u v W w x= X= y z j= 1", "text*"),
    "nvidia-smi rocm-smi": look("L q x d= i= f=write l= lms= query-gpu= query-compute-apps= format= h list-gpus",
        long=True),
    "sensors": look("A u j f c=read bus-list"),
    "dmesg": look("C/clear c/read-clear D/console-off!changes E/console-on!changes n/console-level=text!changes "
        "F/file=read f/facility= H/human k/kernel K= L/color? l/level= P/nopager p/force-prefix r/raw S/syslog "
        "s/buffer-size= T/ctime t/notime time-format= u/userspace w/follow W/follow-new x/decode d/show-delta "
        "e/reltime J/json noescape since= until=", special=_dmesg),
    "sysctl": look("a/A/all d/deprecated e/ignore n/values N/names b/binary w/write p/f/load? q/quiet system "
        "r/pattern= X o h i l t x", special=_sysctl),
    "shutdown halt poweroff reboot init telinit": act("reboots", _SHUTDOWN + " show!dry", special=_shutdown),
    "systemd-inhibit inhibit": Program("what= who= why= mode= list no-pager", "argv", "read-only"),
    "pm-suspend pm-hibernate zzz": act("reboots", "*"),
    "insmod rmmod modprobe depmod kexec": act("kernel", "n/dry-run/show!dry a r/remove D/show-depends!dry "
        "c/showconfig!dry f/force!forced q v l i/install *", "mention*"),
    "swapon swapoff": act("mounts", "s/summary!dry show?!dry a/all noheadings p/priority= v/verbose L= U= d? e o= f",
        "mention*", special=lambda draft: None if draft.args or draft.name != "swapon" else draft.looks("mounts")),
    "auditctl": act("system-settings", "*", special=_auditctl),
    "ausearch aureport": look("i/interpret *", "text*",
        special=lambda draft: draft.reads.append("/var/log/audit/audit.log")),
    "setenforce aa-disable aa-complain aa-teardown semodule setsebool semanage": act("security-off", "l!dry *"),
    "getenforce sestatus getsebool aa-status apparmor_status": look("*"),
    "aa-enforce": act("system-settings", "*"),
    "coredumpctl": look("", subs={"list info": look("*"), "dump debug gdb": act("debugger", "o/output=write *")}),
    "gcore memdump procdump": act("captures debugger", "*"),
    "pm2": act("runs-project service", "*", "mention*", subs={
        "list ls ps status l jlist prettylist show describe desc info logs monit env id pid ping report conf get "
        "sysmonit display": look("*"), "kill delete del": act("service kills", "*"),
            "save dump resurrect": act("service", "*"),
            "startup unstartup": act("service autostart", "*"), "*": act("runs-project service", "*", "mention*")}),
    "nodemon": act("runs-project service", "x/exec=shell *", "mention*"),
    "foreman honcho overmind": Program("*", "text*", "runs-project service", subs={
        "run": act("runs-project", "e/env=read f/procfile=read d/root=base", "argv"),
        "*": act("runs-project service", "*", "mention*")}),
    "supervisord forever hivemind": act("runs-project service", "*", "mention*"),
    "supervisorctl": look("c/configuration=read s= u= p= i",
        subs={"status avail pid version tail maintail fg": look("*"), "start stop restart reload reread update add "
            "remove clear shutdown signal": act("service", "*")}),
    "sysbench stress stress-ng memtester fio": act("changes", "*", "mention*"),
    "wall": act("notifies", "n/nobanner t/timeout= g/group=", "mention*"),
    "logger write mesg notify-send": act("notifies", "f/file=read *"),
    "logrotate": act("log-wiped", "d/debug!dry f/force v/verbose s/state=write m/mail=program l/log=write", "read*"),
    "lastcomm ac": look("*"),
    # A queue of the person's own: what is added runs as if it were called, and lists of what is done are tidied.
    "pueue": act("changes", "", subs={"status log follow format-status help": look("*"),
        "add": Program("a/after= g/group= d/delay= p/print-task-id w/working-directory=base i/immediate l/label= "
            "s/stashed o/priority= e/escape", "shell+", "changes"), "kill reset shutdown": act("kills", "*"),
        "remove clean start pause restart enqueue stash switch edit group parallel": act("changes", "*"),
        "completions": Program("", "text within")}),
}  # fmt: skip
