"""Virtual machines and system containers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_SHOW = look("*")
_CHANGE = act("virtual-machine", "*", "mention*")
_REMOVE = act("virtual-machine container/removes", "*")


def _attach(draft: UseDraft) -> None:
    """A name, unless an option gave it, and a command to run inside; without one, a shell."""
    words = draft.operands if draft.value("--name") is not None else draft.operands[1:]
    if words:
        draft.run("argv", *words, where="container")
    else:
        draft.stdin = "shell"


def _group(draft: UseDraft) -> None:
    """A state object alone is read; with a value it is set."""
    given = len(draft.operands) + (draft.value("--name") is not None)
    if given > 2:
        draft.add("container/changes")
        draft.acts()


_LXC = "n/name= P/lxcpath= o/logfile=write l/logpriority= q/quiet rcfile=read"
_IMAGE = "a/add=edit d/domain= c/connect= format= q/quiet v/verbose x"
_IMAGE_READ = "a/add=read d/domain= c/connect= format= q/quiet v/verbose x *"

_VIRSH: Table = {
    "list capabilities domcapabilities version sysinfo uri hostname nodeinfo nodecpumap nodecpustats nodememstats "
    "freecell freepages cpu-models cpu-compare cpu-baseline maxvcpus help echo pwd "
    "domblkerror domblkinfo domblklist domblkstat domcontrol domdisplay domfsinfo domhostname domid domif-getlink "
    "domifaddr domiflist domifstat dominfo domjobinfo dommemstat domname domstate domstats domuuid domxml-from-native "
    "domxml-to-native dumpxml guestinfo guestvcpus vcpucount vncdisplay ttyconsole iothreadinfo "
    "net-list net-info net-dumpxml net-name net-uuid net-dhcp-leases net-event net-port-list net-port-dumpxml "
    "pool-list pool-info pool-dumpxml pool-name pool-uuid pool-capabilities pool-event find-storage-pool-sources "
    "vol-list vol-info vol-dumpxml vol-key vol-name vol-path vol-pool iface-list iface-dumpxml iface-mac iface-name "
    "nodedev-list nodedev-dumpxml nodedev-info nodedev-event nwfilter-list nwfilter-dumpxml nwfilter-binding-list "
    "secret-list secret-dumpxml secret-event snapshot-list snapshot-info snapshot-dumpxml snapshot-current "
    "snapshot-parent checkpoint-list checkpoint-info checkpoint-dumpxml event backup-dumpxml save-image-dumpxml":
        look("security-info!reads-secret *"),
    "secret-get-value": act("reads-secret", "*"),
    "screenshot": act("captures", "*"),
    "destroy undefine vol-delete vol-wipe pool-delete pool-destroy pool-undefine net-destroy net-undefine "
    "snapshot-delete checkpoint-delete managedsave-remove": _REMOVE,
    "console": act("virtual-machine container/enters interactive", "*"),
    "qemu-agent-command qemu-monitor-command lxc-enter-namespace": act("virtual-machine container/runs", "*"),
    # What describes a machine or a network may name programs of the host.
    "create define net-create net-define pool-create pool-define": act("virtual-machine", "validate *", "file"),
    "*": _CHANGE,
}  # fmt: skip
_PVE = "list status config pending showcmd listsnapshot help cpusets df"

TABLE: Table = {
    "virsh": look("c/connect= d/debug= k= K= l/log=write q/quiet r/readonly t/timing e/escape= v", subs=_VIRSH),
    "virt-df virt-ls virt-cat virt-filesystems virt-inspector virt-log virt-tail virt-diff virt-alignment-scan "
    "virt-host-validate virt-qemu-sev-validate virt-top virt-viewer": look(_IMAGE_READ, "text*"),
    "virt-get-kernel virt-copy-out virt-tar-out": act("changes", _IMAGE_READ + " o/output=write"),
    "virt-sysprep virt-customize virt-edit virt-copy-in virt-tar-in virt-rescue virt-win-reg": act("virtual-machine",
        _IMAGE + " n/dry-run!dry *"),
    "virt-clone virt-xml virt-resize virt-sparsify virt-make-fs virt-builder virt-v2v virt-p2v virt-format "
        "virt-manager "
    "guestfish": _CHANGE,
    "qm pct": Program("*", "text*", "virtual-machine", subs={_PVE: _SHOW, "destroy delsnapshot unlink": _REMOVE,
        "exec": act("virtual-machine container/runs", "keep-env=", "text argv"),
        "enter terminal monitor console": act("virtual-machine container/enters interactive", "*"),
        "guest": act("virtual-machine container/runs", "*"), "*": _CHANGE}, brief=True),
    "pvesh": Program("*", subs={"get ls usage help": _SHOW, "delete": _REMOVE, "*": _CHANGE}),
    "pveversion pveperf": _SHOW,
    "pvecm pvesm": Program("*", subs={"status nodes list path scan help": _SHOW, "free remove delnode": _REMOVE,
        "*": _CHANGE}),
    "lxc-ls lxc-info lxc-top lxc-monitor lxc-checkconfig lxc-config lxc-wait": look(_LXC + " *"),
    "lxc-cgroup": look(_LXC, special=_group),
    "lxc-attach": act("container/enters", _LXC + " e/elevated-privileges? a/arch= s/namespaces= R/remount-sys-proc "
        "clear-env keep-env L/pty-log=write v/set-var= keep-var= f/rcfile=read u/uid= g/gid= c/context=",
            special=_attach),
    "lxc-start lxc-execute lxc-unshare": act("container/runs", _LXC + " *"),
    "lxc-destroy": act("container/removes", "*"),
    "lxc-stop lxc-create lxc-copy lxc-clone lxc-snapshot lxc-freeze lxc-unfreeze lxc-device lxc-checkpoint "
    "lxc-update-config": act("container/changes", "*"),
    "lxc-console": act("container/enters interactive", "*"),
    "waydroid": look("*", subs={"status log help": _SHOW, "shell": act("container/runs", "*"),
        "prop": Program("", subs={"get": _SHOW, "*": act("container/changes", "*")}),
        "*": act("container/changes", "*")}),
    "nixos-container": look("*", subs={"list status show-ip show-host-key": _SHOW,
        "run": act("container/runs", "", "text argv"), "root-login login": act("container/runs interactive", "*"),
        "destroy": act("container/removes", "*"), "*": act("container/changes", "*")}),
}  # fmt: skip
