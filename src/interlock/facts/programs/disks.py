"""Disks, partitions, file systems and volumes."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Table, act, look

__all__ = ["TABLE"]


def _mount(draft: UseDraft) -> None:
    if not draft.operands and not {"--all", "--bind", "--move", "--source", "--target"} & set(draft.flags):
        draft.looks("mounts")
    draft.reads += draft.operands[:1]


def _parted(draft: UseDraft) -> None:
    words = draft.operands[1:]
    if "--list" in draft.flags or words[:1] in (["print"], ["p"]):
        draft.looks("formats-disk")
    draft.writes += draft.operands[:1]


def _fdisk(draft: UseDraft) -> None:
    if {"--list", "--list-details", "--getsz"} & set(draft.flags):
        draft.looks("formats-disk")
        draft.reads += draft.operands
    else:
        draft.writes += draft.operands


def _sfdisk(draft: UseDraft) -> None:
    """A change of one partition names the disk first; without the last value it shows it."""
    flags = set(draft.flags)
    shows = {"--list", "--dump", "--json", "--show-size", "--list-free", "--show-geometry", "--show-pt-geometry",
             "--verify", "--list-types"}  # fmt: skip
    if shows & flags and not {"--delete", "--activate", "--reorder"} & flags:
        draft.looks("formats-disk")
        draft.reads += draft.operands
    elif (flags & {"--part-type", "--part-uuid", "--part-label", "--part-attrs"} and len(draft.operands) == 2) or (
        "--disk-id" in flags and len(draft.operands) == 1
    ):
        draft.looks("formats-disk")
        draft.reads += draft.operands[:1]
    else:
        draft.writes += draft.operands[:1]


def _sgdisk(draft: UseDraft) -> None:
    shows = {"--print", "--info", "--verify", "--list-types", "--backup", "--print-mbr", "--end-of-largest",
             "--first-in-largest", "--first-aligned-in-largest", "--display-alignment"}  # fmt: skip
    if shows.issuperset(draft.flags) and not draft.unknown:
        draft.looks("formats-disk")
        draft.reads += draft.operands
    else:
        draft.writes += draft.operands


def _writes_all(draft: UseDraft) -> None:
    draft.writes += draft.operands


def _wipefs(draft: UseDraft) -> None:
    if {"--all", "--offset"} & set(draft.flags):
        draft.writes += draft.operands
    else:
        draft.looks("formats-disk")
        draft.reads += draft.operands


def _fsck(draft: UseDraft) -> None:
    if {"-n", "-N"} & set(draft.flags):
        draft.looks("formats-disk")


TABLE: Table = {
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs "
    "mkntfs mkdosfs newfs newfs_apfs newfs_hfs mkfs.minix mkfs.cramfs mkfs.erofs mkfs.jfs mkfs.reiserfs mkswap":
            act("formats-disk", "n!dry N!dry *", special=_writes_all),
    "fdisk": act("formats-disk", "l/list x/list-details s/getsz b/sector-size= C= H= S= t/type= u/units? o/output= "
        "bytes L/color? w/wipe= W/wipe-partitions= B/protect-boot c/compatibility? lock? n/noauto-pt *",
            special=_fdisk),
    "sfdisk": act("formats-disk", "l/list d/dump J/json s/show-size F/list-free g/show-geometry G/show-pt-geometry "
        "V/verify T/list-types n/no-act!dry A/activate B/backup-pt-sectors b/backup O/backup-file=write N/partno= "
        "a/append f/force!forced delete part-type part-uuid part-label part-attrs disk-id reorder relocate= "
        "move-data? w/wipe= W/wipe-partitions= X/label= Y/label-nested= o/output= bytes q/quiet u/unit= lock? "
        "no-reread no-tell-kernel color? *", special=_sfdisk),
    "sgdisk": act("formats-disk", "p/print i/info= v/verify L/list-types P/pretend!dry b/backup=write O/print-mbr "
        "E/end-of-largest F/first-in-largest f/first-aligned-in-largest D/display-alignment d/delete= n/new= "
        "t/typecode= c/change-name= A/attributes= z/zap Z/zap-all o/clear l/load-backup=read s/sort r/transpose= "
        "R/replicate= u/partition-guid= U/disk-guid= G/randomize-guids e/move-second-header a/set-alignment= "
        "N/largest-new= h/hybrid= m/gpttombr= g/mbrtogpt", special=_sgdisk),
    "gdisk": act("formats-disk", "l/list", special=_fdisk),
    "cfdisk cgdisk": act("formats-disk", "r/read-only!dry *", special=_writes_all),
    "parted gparted growpart": act("formats-disk",
        "l/list s/script m/machine a/align= f/fix j/json", special=_parted),
    "wipefs": act("formats-disk", "a/all o/offset= b/backup f/force!forced n/no-act!dry q t/types= i p/parsable "
        "J/json O/output= noheadings lock?", special=_wipefs),
    "blkdiscard sg_format": act("formats-disk device", "*", special=_writes_all),
    "sg_raw": act("device", "*"),
    "fsck e2fsck fsck.ext4 xfs_repair btrfsck dosfsck ntfsfix fsck_apfs fsck_hfs": act("formats-disk", "n N *",
        special=_fsck),
    "tune2fs resize2fs xfs_growfs xfs_admin btrfstune e2label fatlabel swaplabel debugfs e2image dumpe2fs xfs_info":
        act("formats-disk", "l!dry h!dry *",
            special=lambda draft: draft.looks("formats-disk") if draft.name in {"dumpe2fs", "xfs_info"} else None),
    "mount": act("mounts", "a/all B/bind c f/fake!dry F/fork i l/show-labels L/label= M/move m/mkdir? N= n "
        "o/options= O= r/read-only/rw R s source= target= target-prefix= T=read t/types= U/uuid= v/verbose w "
        "make-shared make-private make-slave rbind rmove options-mode= onlyonce", special=_mount),
    "umount fusermount fusermount3 guestmount ntfs-3g mount_nfs mount_smbfs": act("mounts",
        "a/all l/lazy f/force!forced *", "mention*"),
    "findmnt blkid mountpoint quota repquota filefrag": look("a/all b c d/device e f/fstab i J/json k l L/label= m "
        "n/noheadings o/output= O= p P/pairs q r/raw R s/match-tag= t/types= T/target= S/source= U/uuid= u v w x y "
        "D/df real pseudo shadowed tree verify s= g", "read*"),
    "smartctl": look("i/info a/all x/xall H/health c/capabilities A/attributes l/log= d/device= j/json? "
        "s/smart=text!device t/test=text!device X/abort!device o=text!device S=text!device scan q= n= f= g/get= b= "
        "r= C B= T= P= v= F= set=text!device"),
    "testdisk": act("changes", "*", "mention*", special=lambda draft: draft.looks("changes")
        if draft.args[:1] == ("/list",) else None),
    # What was deleted is looked for, and put into a folder.
    "photorec extundelete foremost scalpel ext4magic": act("upkeep", "o=write d=write output-dir=write *", "mention*"),
    "mkbootimg grub-mkrescue woeusb ventoy balena-etcher usbimager": act("formats-disk", "*"),
}  # fmt: skip
