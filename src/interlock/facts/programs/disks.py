"""Disks, partitions, file systems and volumes."""

from __future__ import annotations

from interlock.facts.programs.draft import Draft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _mount(draft: Draft) -> None:
    if not draft.operands and not {"--all", "--bind", "--move", "--source", "--target"} & set(draft.flags):
        draft.looks("mounts")
    draft.reads += draft.operands[:1]


def _parted(draft: Draft) -> None:
    words = draft.operands[1:]
    if "--list" in draft.flags or words[:1] in (["print"], ["p"]):
        draft.looks("formats-disk")
    draft.writes += draft.operands[:1]


def _fdisk(draft: Draft) -> None:
    if {"--list", "--print", "--getsz", "--info", "--dump", "-s", "-i"} & set(draft.flags):
        draft.looks("formats-disk")
        draft.reads += draft.operands
    else:
        draft.writes += draft.operands


def _writes_all(draft: Draft) -> None:
    draft.writes += draft.operands


def _wipefs(draft: Draft) -> None:
    if {"--all", "--offset"} & set(draft.flags):
        draft.writes += draft.operands
    else:
        draft.looks("formats-disk")
        draft.reads += draft.operands


def _fsck(draft: Draft) -> None:
    if {"-n", "-N"} & set(draft.flags):
        draft.looks("formats-disk")


def _hdparm(draft: Draft) -> None:
    if any(
        "security-erase" in word or word.startswith(("--trim", "--write-sector", "--make-bad", "--dco", "--yes-i"))
        for word in draft.args
    ):
        draft.add("formats-disk")
    elif set(draft.flags) <= {"-I", "-i", "-t", "-T", "-g", "-C", "-v"}:
        draft.looks("device")


_ZFS: Table = {
    "list get status iostat history events diff holds version userspace groupspace": look("*"),
        "destroy": act("formats-disk shreds", "n/dryrun!dry *"),
            "create add attach replace labelclear split": act("formats-disk", "n/dryrun!dry *"),
                "rollback": act("shreds", "*"), "export import mount unmount": act("mounts", "*"),
    "send": look("*"), "*": act("changes", "*"),
}  # fmt: skip

TABLE: Table = {
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs "
    "mkntfs mkdosfs newfs newfs_apfs newfs_hfs mkfs.minix mkfs.cramfs mkfs.erofs mkfs.jfs mkfs.reiserfs mkswap":
            act("formats-disk", "n!dry N!dry *", special=_writes_all),
    "fdisk sfdisk gdisk sgdisk cfdisk cgdisk": act("formats-disk", "l/list p/print getsz s i/info d/dump b= t= u? n= "
        "z/zap Z/zap-all o/clear O/backup= N= J/json V/verify A= B= C= H= S= L= x w= W= F X= R a= f/force!forced c= "
        "D delete= relocate= part-type= no-act!dry *", special=_fdisk),
    "parted gparted partprobe kpartx partx growpart addpart delpart resizepart": act("formats-disk",
        "l/list s/script m/machine a/align= f/fix j/json", special=_parted),
    "wipefs": act("formats-disk", "a/all o/offset= b/backup f/force!forced n/no-act!dry q t/types= i p/parsable "
        "J/json O/output= noheadings lock?", special=_wipefs),
    "blkdiscard badblocks nvme hdparm sdparm sg_raw sg_format": act("device", "*",
        special=lambda draft: draft.add("formats-disk") if draft.name in {"blkdiscard",
            "sg_format"} or "-w" in draft.args or {"format", "sanitize",
                "write-zeroes"} & set(draft.args) else _hdparm(draft) if draft.name == "hdparm" else None),
    "fsck e2fsck fsck.ext4 xfs_repair btrfsck dosfsck ntfsfix fsck_apfs fsck_hfs": act("formats-disk", "n N *",
        special=_fsck),
    "tune2fs resize2fs xfs_growfs xfs_admin btrfstune e2label fatlabel swaplabel debugfs e2image dumpe2fs xfs_info":
        act("formats-disk", "l!dry h!dry *",
            special=lambda draft: draft.looks("formats-disk") if draft.name in {"dumpe2fs", "xfs_info"} else None),
    "mount": act("mounts", "a/all B/bind c f/fake!dry F/fork i l/show-labels L/label= M/move m/mkdir? N= n "
        "o/options= O= r/read-only/rw R s source= target= target-prefix= T=read t/types= U/uuid= v/verbose w "
        "make-shared make-private make-slave rbind rmove options-mode= onlyonce", special=_mount),
    "umount fusermount fusermount3 guestmount udisksctl ntfs-3g mount_nfs mount_smbfs losetup": act("mounts",
        "a/all l/list!dry f/force!forced *", "mention*"),
    "findmnt blkid mountpoint quota repquota filefrag": look("a/all b c d/device e f/fstab i J/json k l L/label= m "
        "n/noheadings o/output= O= p P/pairs q r/raw R s/match-tag= t/types= T/target= S/source= U/uuid= u v w x y "
        "D/df real pseudo shadowed tree verify s= g", "read*"),
    "cryptsetup veracrypt": Program("*", "text*", "formats-disk encrypts", subs={"status luksDump isLuks luksUUID "
        "benchmark": look("*"),
            "luksFormat erase luksErase reencrypt luksKillSlot luksRemoveKey": act("formats-disk encrypts", "*"),
                "*": act("encrypts mounts", "*")}),
    "pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan": look("*"),
    "pvcreate pvremove vgcreate vgremove vgreduce lvcreate lvremove lvreduce lvresize lvextend vgextend lvconvert "
    "lvrename vgrename pvresize pvmove vgchange lvchange dmsetup lvm mdadm": act("formats-disk",
            "t/test!dry D/detail!dry Q/query!dry *"),
    "zfs zpool": Program("*", "text*", "", subs=_ZFS),
    "btrfs bcachefs": Program("*", "text*", "", subs={"subvolume": Program("*",
        subs={"list show get-default find-new": look("*"), "delete": act("shreds", "*", "delete*"),
            "*": act("changes", "*", "mention*")}), "filesystem fi": Program("*", subs={"show df usage du": look("*"),
                "*": act("formats-disk", "*")}), "device balance scrub check rescue restore replace quota send "
                    "receive property": act("formats-disk", "*"), "inspect-internal version help": look("*")}),
    "smartctl": look("i/info a/all x/xall H/health c/capabilities A/attributes l/log= d/device= j/json? "
        "s/smart=text!device t/test=text!device X/abort!device o=text!device S=text!device scan q= n= f= g/get= b= "
        "r= C B= T= P= v= F= set=text!device"),
    "testdisk photorec extundelete foremost scalpel ext4magic": act("changes", "*", "mention*"),
    "fstrim blockdev": act("device", "n/dry-run!dry getsize64!dry getsz!dry report!dry getro!dry getss!dry "
        "getbsz!dry *"),
    "mkbootimg grub-mkrescue woeusb ventoy balena-etcher usbimager": act("formats-disk", "*"),
}  # fmt: skip
