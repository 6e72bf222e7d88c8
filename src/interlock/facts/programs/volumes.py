"""Volumes: file systems with many devices, logical volumes, arrays, encrypted volumes, snapshots, remote disks."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

_SHOW = look("*")
_CHANGE = act("upkeep", "*", "mention*")
_FORMAT = act("formats-disk", "*", "mention*")
_MOUNT = act("mounts", "*", "mention*")


def _check(draft: UseDraft) -> None:
    """A check reads, unless it is to repair."""
    if not {"--repair", "--init-csum-tree", "--init-extent-tree", "--clear-space-cache", "--clear-ino-cache"} & set(
        draft.flags
    ):
        draft.looks("formats-disk")


def _label(draft: UseDraft) -> None:
    if len(draft.operands) < 2:
        draft.looks("changes", "upkeep")


def _restore(draft: UseDraft) -> None:
    if {"--dry-run", "--list-roots"} & set(draft.flags):
        draft.looks("changes", "upkeep")
    else:
        draft.writes += draft.operands[1:2]


def _snapshots(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--list", "--list-snapshots", "--list-devices"} & flags and not {
        "--create", "--cr", "--check", "--restore", "--del", "--delete", "--delete-all", "--clean"
    } & flags:  # fmt: skip
        draft.looks("changes", "upkeep")


_BTRFS = "q/quiet v/verbose log= format= dry-run"
_INSPECTS = (
    "dump-super dump-tree inode-resolve logical-resolve subvolid-resolve rootid min-dev-size tree-stats "
    "map-swapfile list-chunks"
)


def _verbs(subs: Table, rest: Program) -> Program:
    return Program("*", "text*", "", subs={**subs, "*": rest}, brief=True)


def _named(draft: UseDraft) -> None:
    if not draft.operands:
        draft.looks("mounts")


_ZFS: Table = {
    "list get status iostat history events diff holds version userspace groupspace projectspace wait help bookmarks":
        look("*"),
    "destroy": act("formats-disk shreds", "n/dryrun!dry *"),
    "create add attach replace labelclear split": act("formats-disk", "n/dryrun!dry *"),
    "rollback": act("shreds", "*"),
    "export unmount": _MOUNT,
    "import mount": act("mounts", "*", "mention*", special=_named),
    "scrub trim resilver": act("upkeep", "n/dryrun!dry *"),
    "send": look("*"), "*": act("changes", "*"),
}  # fmt: skip


def _dump(draft: UseDraft) -> None:
    """`pvck --dump` shows or saves metadata; the rest repairs."""
    if "--dump" in draft.flags:
        draft.looks("formats-disk")
        draft.writes += [value for name, value in draft.values if name == "--file"]
    elif not {"--repair", "--repairtype"} & set(draft.flags):
        draft.looks("formats-disk")


def _lists(draft: UseDraft) -> None:
    if "--list" in draft.flags:
        draft.looks("formats-disk", "upkeep")


def _devices(draft: UseDraft) -> None:
    if not any(name.startswith(("--add", "--del", "--update", "--import")) for name in draft.flags):
        draft.looks("changes", "upkeep")


def _dmsetup(draft: UseDraft) -> None:
    if "--showkeys" in draft.flags:
        draft.add("reads-secret")


_LVM_SHOWS = "pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan lvmconfig lvmsadc lvmsar vgck"
_LVM_FORMATS = (
    "pvcreate pvremove vgcreate vgremove vgreduce lvcreate lvremove lvreduce lvresize lvextend vgextend lvconvert "
    "pvresize pvmove vgsplit vgmerge"
)
_LVM_CHANGES = "lvrename vgrename vgchange lvchange pvchange vgimport vgexport vgimportclone vgmknodes vgcfgbackup"
_LVM_TEST = "t/test!dry *"
_LVM: Table = {
    _LVM_SHOWS: _SHOW,
    _LVM_FORMATS: act("formats-disk", _LVM_TEST),
    _LVM_CHANGES: act("mounts", _LVM_TEST, "mention*"),
    "vgcfgrestore": act("formats-disk", "t/test!dry l/list f/file=read *", special=_lists),
    "pvck": act("formats-disk", "dump= f/file= repair repairtype= settings= t/test!dry *", special=_dump),
    "lvmdevices": act("upkeep", "*", special=_devices),
}  # fmt: skip


def _mdadm(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--detail", "--query", "--examine", "--examine-bitmap", "--detail-platform"} & flags and not {
        "--create", "--build", "--grow", "--zero-superblock", "--fail", "--remove", "--add", "--stop", "--assemble"
    } & flags:  # fmt: skip
        draft.looks("formats-disk")
    elif not flags & {"--create", "--grow", "--zero-superblock", "--build"}:
        draft.drop("formats-disk")
        draft.add("mounts")


def _iscsi(draft: UseDraft) -> None:
    """Without an operation, a record is shown; a discovery keeps what a portal offers."""
    flags = set(draft.flags)
    if {"--type", "--portal", "--discover"} & flags and (draft.value("--mode") or "").startswith("discovery"):
        return
    if not {"--login", "--logout", "--rescan", "--logoutall", "--loginall"} & flags and draft.value("--op") in {
        None,
        "show",
    }:
        draft.looks("mounts")


def _losetup(draft: UseDraft) -> None:
    flags = set(draft.flags)
    lists = {"--all", "--list", "--associated"} & flags and "--detach" not in flags
    if lists or (not flags and len(draft.operands) < 2):
        draft.looks("mounts")


def _zram(draft: UseDraft) -> None:
    if not {"--find", "--reset", "--size"} & set(draft.flags):
        draft.looks("mounts")


def _parts(draft: UseDraft) -> None:
    if {"--list", "--show"} & set(draft.flags) and not {"--add", "--delete", "--update"} & set(draft.flags):
        draft.looks("mounts")
    draft.reads += draft.operands


def _hdparm(draft: UseDraft) -> None:
    """A letter alone shows; with a number it sets."""
    known = "iItTgCvHq"  # these never set
    gets = "aABcdkKmMNQRruW"
    words = [*draft.args, ""]
    erases = ("--security-erase", "--trim", "--write-sector", "--make-bad", "--dco-r", "--yes-i")
    if any(word.startswith(erases) for word in words):
        draft.add("formats-disk")
        return
    for at, word in enumerate(words[:-1]):
        if word.startswith("--"):
            if word not in {"--direct", "--verbose", "--Istdout", "--fibmap", "--read-sector", "--dco-identify"}:
                return
        elif word.startswith("-"):
            for letter in word[1:]:
                last = letter == word[-1]
                if letter in gets and not (last and words[at + 1][:1] not in {"", "-", "/"}):
                    continue
                if letter not in known:
                    return
    draft.looks("device")


_NVME: Table = {
    "list list-subsys id-ctrl id-ns list-ns smart-log error-log fw-log get-feature get-log self-test-log effects-log "
    "list-ctrl list-ps show-regs version help get-ns-id ns-descs endurance-log ana-log telemetry-log discover read "
    "compare nvm-id-ctrl primary-ctrl-caps list-secondary id-uuid id-iocs show-topology": look(
        "d/data=write *", "read*"),
    "format sanitize write write-zeroes write-uncor dsm delete-ns create-ns detach-ns copy sanitize-ns": act(
        "formats-disk", "*", "write*"),
    "fw-download fw-commit": act("kernel device", "*", "mention*"),
    "connect connect-all disconnect disconnect-all": act("mounts network", "*"),
    "*": act("device", "*", "mention*"),
}  # fmt: skip

TABLE: Table = {
    "btrfs": look(_BTRFS, subs={
        "subvolume": _verbs({"list show get-default find-new": look("*", "read*"), "delete": act("shreds", "*",
            "delete*")}, _CHANGE),
        "filesystem": _verbs({"show df usage du": look("*", "read*"), "resize": _FORMAT,
            "label": act("upkeep", "*", "mention*", special=_label)}, _CHANGE),
        "balance": _verbs({"status": _SHOW}, _CHANGE),
        "device": _verbs({"stats": look("z/reset!changes *"), "usage ready": _SHOW, "scan": _MOUNT}, _FORMAT),
        "scrub": _verbs({"status": _SHOW}, _CHANGE),
        "check": act("formats-disk", "p/progress r/tree-root= b/backup s/super= repair init-csum-tree init-extent-tree "
            "clear-space-cache= clear-ino-cache readonly force check-data-csum Q/qgroup-report= E/subvol-extents= "
            "chunk-root= mode=", "read*", special=_check),
        "rescue": _FORMAT,
        "restore": act("changes", "D/dry-run l/list-roots s/snapshots x/xattr m/metadata S/symlink v/verbose "
            "i/ignore-errors o/overwrite t= f= u/super= r/root= d path-regex= c", "read text", special=_restore),
        "inspect-internal": _verbs({_INSPECTS: look("*", "read*")}, _SHOW),
        "property": _verbs({"get list": look("*", "read*")}, _CHANGE),
        "send": look("e p= c= f=write no-data q v proto= compressed-data", "read*"),
        "receive": act("changes", "f=read e C E= m= dump!dry force-decompress q v", "create*"),
        "quota": _verbs({"status": _SHOW}, _CHANGE),
        "qgroup": _verbs({"show": look("*", "read*")}, _CHANGE),
        "replace": _verbs({"status": _SHOW}, _FORMAT),
        "version help": _SHOW,
        "*": _CHANGE,
    }, brief=True),
    "bcachefs": look("*", subs={"fs": look("*", subs={"usage": _SHOW, "*": _CHANGE}), "show-super list list_journal "
        "dump version help": _SHOW, "mount": _MOUNT, "format device fsck set-passphrase remove-passphrase": _FORMAT,
        "*": _CHANGE}),
    "compsize": look("b/bytes x/one-file-system", "read*"),
    "zfs zpool": Program("*", "text*", "", subs=_ZFS),
    "zdb": _SHOW,
    **_LVM,
    "lvm": look("", subs={**_LVM, "devtypes fullreport lastlog version help formats segtypes tags": _SHOW}),
    "dmsetup": Program("*", "text*", "formats-disk", subs={"ls info table status deps targets version splitname "
        "udevcookies help": look("*", special=_dmsetup), "*": act("formats-disk", "*")}),
    "mdadm": act("formats-disk", "C/create A/assemble B/build G/grow D/detail Q/query E/examine X/examine-bitmap "
        "S/stop f/fail r/remove a/add zero-superblock detail-platform F/monitor s/scan v/verbose b/brief l/level= "
        "n/raid-devices= R/run o/readonly w/readwrite W/wait t/test Y/export *", "mention*", special=_mdadm),
    "stratis": look("propagate", subs={
        "pool": _verbs({"list explain is-encrypted is-bound is-stopped": _SHOW, "create init-cache add-data add-cache "
            "destroy": _FORMAT}, _CHANGE),
        "filesystem fs": Program("*", subs={"list": _SHOW, "destroy": act("formats-disk shreds", "*"), "*": _CHANGE}),
        "blockdev": Program("*", subs={"list": _SHOW, "*": _CHANGE}), "report version": _SHOW, "*": _CHANGE}),
    "cryptsetup veracrypt": Program("*", "text*", "formats-disk encrypts", subs={"status luksDump isLuks luksUUID "
        "benchmark isLuks2 tcryptDump bitlkDump fvault2Dump": look("dump-master-key!reads-secret "
            "dump-volume-key!reads-secret *"),
            "luksFormat erase luksErase reencrypt luksKillSlot luksRemoveKey": act("formats-disk encrypts", "*"),
                "*": act("encrypts mounts", "*")}),
    "partx kpartx": act("mounts", "l/list s/show a/add d/delete u/update b/bytes g/noheadings n/nr= o/output= P/pairs "
        "r/raw S/sector-size= t/type= v/verbose output-all p= f", special=_parts),
    "partprobe addpart delpart resizepart": act("mounts", "s/summary d/dry-run!dry"),
    "losetup": act("mounts", "a/all l/list j/associated= d/detach D/detach-all f/find c P r o/offset= sizelimit= "
        "b/sector-size= O/output= n/noheadings J/json raw show L/nooverlap direct-io? output-all v", "mention*",
            special=_losetup),
    "zramctl": act("mounts", "f/find r/reset s/size= a/algorithm= p= t/streams= b/bytes n/noheadings o/output= "
        "output-all raw", special=_zram),
    "udisksctl": look("", subs={"status info dump monitor help": _SHOW, "*": _MOUNT}),
    "nvme": look("*", subs=_NVME),
    "hdparm": act("device", "*", special=_hdparm),
    "sdparm": act("device", "*"),
    "badblocks": look("b= c= e= d= f i=read o=write p= s t= v X B n!device w!formats-disk", "read text*"),
    "blockdev": look("q v report getsize getsize64 getsz getss getpbsz getbsz getro getra getfra getalignoff "
        "getiomin getioopt getmaxsect getdiskseq getzonesz getdiscardzeroes setro!device setrw!device "
        "setra=text!device setfra=text!device setbsz=text!device flushbufs!device rereadpt!device", "read*"),
    "fstrim": act("device", "n/dry-run!dry *"),
    "f3read": look("*", "read*"),
    "f3write": act("changes", "*", "write*"),
    "f3probe f3fix f3brew": act("formats-disk", "*", "write*"),
    "nwipe scrub": act("formats-disk shreds", "*", "write*"),
    "iscsiadm": act("mounts network", "m/mode= o/op= l/login u/logout R/rescan L/loginall= U/logoutall= T/targetname= "
        "p/portal= t/type= n/name= v/value= P/print= I/interface= S/show D/discover d/debug= r/sid=", special=_iscsi),
    "partclone.ext2 partclone.ext3 partclone.ext4 partclone.xfs partclone.btrfs partclone.fat partclone.ntfs "
    "partclone.dd partclone.restore": act("changes", "c/clone r/restore b/dev-to-dev s/source=read o/O/output=write "
        "d L/logfile=write q C F B N I w X=", "text*"),
    "partclone.info partclone.chkimg": look("*", "read*"),
    "btrbk": look("c/config= n/dry-run!dry p/preserve v/verbose q/quiet l/loglevel= t/table S print-schedule progress "
        "format= pretty raw single-column s", subs={"list stats usage ls config dryrun extents origin diff":
            look("*"), "snapshot": _CHANGE, "run resume prune clean archive": act("changes", "*", "mention*")}),
    "snapper": look("q/quiet v/verbose utc iso t/table-style= c/config= no-dbus r/root= csvout jsonout "
        "machine-readable= separator=", subs={"list ls list-configs get-config diff status xadiff": look("*"),
            "delete remove rm delete-config undochange rollback": act("shreds", "*"), "*": _CHANGE}),
    "timeshift": act("upkeep", "list list-snapshots list-devices create check restore!shreds delete!shreds "
        "delete-all!shreds snapshot= snapshot-device= comments= tags= *", special=_snapshots),
    "rusnapshot": act("upkeep", "c/config=read l/list cr d/del!shreds r/rw id= k/keep= kind= clean!shreds",
        special=_snapshots),
    "bindfs mergerfs unionfs": _MOUNT,
    "quotacheck quotaon quotaoff setquota edquota convertquota": act("system-settings", "*"),
    "ledctl": act("device", "L/list-controllers!dry P/list-slots!dry G/get-slot!dry h!dry v!dry *"),
}  # fmt: skip
