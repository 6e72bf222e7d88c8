"""Packing and unpacking."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, inside, join, names_url
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]

_TAR_VALUED = frozenset("fCTXbgIKLNVHF")
_TAR_KEYS = tuple("cxturAdvzjf")
_TAR_LONG = (
    "A/catenate/concatenate c/create d/diff/compare delete r/append t/list test-label u/update x/extract/get "
    "show-defaults check-device g/listed-incremental=write G/incremental hole-detection= ignore-failed-read "
    "level= n/seek "
    "no-check-device no-seek occurrence? sparse-version= S/sparse add-file=read C/directory= exclude= "
    "exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-ignore= exclude-tag= "
    "exclude-vcs exclude-vcs-ignores "
    "h/dereference hard-dereference K/starting-file= N/newer/after-date= newer-mtime= no-null no-recursion "
    "no-unquote no-verbatim-files-from null one-file-system P/absolute-names recursion suffix= T/files-from=read "
    "unquote "
    "verbatim-files-from X/exclude-from=read anchored ignore-case no-anchored no-ignore-case no-wildcards "
    "no-wildcards-match-slash wildcards wildcards-match-slash keep-directory-symlink k/keep-old-files "
    "keep-newer-files no-overwrite-dir "
    "one-top-level? overwrite overwrite-dir recursive-unlink!forced remove-files skip-old-files U/unlink-first "
    "W/verify atime-preserve? clamp-mtime delay-directory-restore group= group-map= mode= mtime= m/touch "
    "no-delay-directory-restore "
    "no-same-owner no-same-permissions numeric-owner owner= owner-map= p/preserve-permissions/same-permissions "
    "same-owner s/preserve-order/same-order sort= acls no-acls no-selinux no-xattrs selinux xattrs "
    "xattrs-exclude= xattrs-include= "
    "f/file= F/info-script/new-volume-script=shell force-local L/tape-length= M/multi-volume rmt-command=shell "
    "rsh-command=shell volno-file=write b/blocking-factor= B/read-full-records i/ignore-zeros record-size= "
    "H/format= old-archive/portability "
    "pax-option= posix V/label= a/auto-compress I/use-compress-program=shell j/bzip2 J/xz lzip lzma lzop "
    "no-auto-compress z/gzip/gunzip/ungzip Z/compress/uncompress zstd backup? checkpoint? checkpoint-action= "
    "full-time index-file=write no-quote-chars= "
    "quote-chars= quoting-style= R/block-number restrict show-omitted-dirs show-snapshot-field-ranges "
    "show-transformed-names totals? transform/xform= utc v/verbose warning= w/interactive/confirmation "
    "O/to-stdout to-command=shell o l strip-components/strip= "
    "no-same-owner no-mac-metadata options= passphrase= y insecure safe-writes cd= 0 1 2 3 4 5 6 7"
)


def _tar(draft: UseDraft) -> None:
    flags = set(draft.flags)
    base = draft.value("--directory") or draft.value("--cd") or ""
    archive = draft.value("--file")
    for name, value in draft.values:
        if name == "--checkpoint-action" and value.startswith("exec="):
            draft.aside(value[5:])
            draft.acts()
        elif name == "--transform" and len(value) > 3 and value[0] == "s":
            named = value[2:].split(value[1])[1:2]
            draft.writes += [word for word in named if word.startswith(("/", "~"))]
    members = [join(base, word) for word in draft.operands]
    if archive is not None and archive != "-" and ":" in archive and "/" not in archive.partition(":")[0]:
        draft.hosts.append(archive.partition(":")[0].rpartition("@")[2])
    if {"--create", "--append", "--update", "--catenate"} & flags:
        draft.acts()
        draft.reads += members
        if archive not in {None, "-"}:
            draft.writes.append(str(archive))
        if "--remove-files" in flags:
            draft.deletes += members
    elif "--delete" in flags:
        draft.acts()
        if archive is not None:
            draft.writes.append(archive)
    elif "--extract" in flags:
        if archive not in {None, "-"}:
            draft.reads.append(str(archive))
        if "--to-stdout" not in flags and "--to-command" not in flags:
            draft.acts()
            draft.writes.append(inside(base))
            if "--absolute-names" in flags:
                draft.writes.append("/\0")
    elif "--list" in flags or "--diff" in flags or "--test-label" in flags:
        if archive not in {None, "-"}:
            draft.reads.append(str(archive))
    elif not draft.dry:
        draft.acts()


def _tar_bundle(args: tuple[str, ...]) -> tuple[str, ...]:
    """`tar xzf file`: the first word may be a bundle without its dash; values follow in order."""
    if not args or args[0][:1] not in _TAR_KEYS or "\0" in args[0]:
        return args
    words, rest = [], list(args[1:])
    for letter in args[0]:
        words.append("-" + letter)
        if letter in _TAR_VALUED and rest:
            words.append(rest.pop(0))
    return (*words, *rest)


def _unzip(draft: UseDraft) -> None:
    draft.reads += draft.operands[:1]
    if {"-l", "-t", "-p", "-c", "-Z", "-z", "-v"} & set(draft.flags) or draft.name == "zipinfo":
        return
    draft.acts()
    base = draft.value("-d")
    draft.writes.append(inside(base or ""))


def _zip_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`-TT CMD` is one option, not two."""
    return tuple("--unzip-command" if word == "-TT" else word for word in args)


def _zip(draft: UseDraft) -> None:
    draft.writes += draft.operands[:1]
    draft.reads += draft.operands[1:]
    if "--move" in draft.flags:
        draft.deletes += draft.operands[1:]
    if (command := draft.value("--unzip-command")) is not None:
        draft.aside(command)
    if {"--encrypt", "--password"} & set(draft.flags) or (draft.name == "zipcloak" and "--delete" not in draft.flags):
        draft.add("locks")


def _pack(suffix: str) -> Special:
    def of(draft: UseDraft) -> None:
        flags = set(draft.flags)
        files = [word for word in draft.operands if word != "-"]
        draft.reads += files
        if {"--stdout", "--test", "--list"} & flags or not files:
            return
        draft.acts()
        unpacks = (
            "--decompress" in flags or draft.name.startswith("un") or draft.name == "gunzip" or draft.name == "bunzip2"
        )
        for word in files:
            draft.writes.append((word.rpartition(".")[0] or word) if unpacks else word + suffix)
        if "--keep" not in flags and not (
            draft.name in {"zstd", "unzstd", "pzstd", "lz4", "brotli"} and "--rm" not in flags
        ):
            draft.deletes += files

    return of


def _seven(draft: UseDraft) -> None:
    words = draft.operands
    command = words[0] if words else ""
    archive, files = words[1:2], words[2:]
    if command in {"l", "t", "i", "h", "b", "v"}:
        draft.reads += words[1:]
        return
    draft.acts()
    if not command and not draft.flags:
        draft.looks()
        return
    if command in {"a", "u", "rn", "c", "m"}:
        draft.writes += archive
        draft.reads += files
        if any(word.startswith(("-p", "-hp")) for word in draft.args):
            draft.add("locks")
        if "-sdel" in draft.args or command == "m":
            draft.deletes += files
    elif command == "d":
        draft.writes += archive
    else:
        draft.reads += archive
        base = next((word[2:] for word in draft.args if word.startswith("-o")), "")
        if "-so" not in draft.args:
            draft.writes.append(inside(base or ""))


def _cpio(draft: UseDraft) -> None:
    flags = set(draft.flags)
    base = draft.value("--directory") or ""
    if draft.name == "pax" and "-w" in flags and draft.operands:
        draft.reads += draft.operands
    elif "--create" in flags or "-w" in flags:
        draft.stdin = "args"
    elif "--pass-through" in flags:
        draft.stdin = "args"
        draft.acts()
        draft.writes += draft.operands[-1:]
    elif "--extract" in flags and not {"--list", "--to-stdout"} & flags:
        draft.acts()
        draft.writes.append(inside(base or ""))


def _ar(draft: UseDraft) -> None:
    words = list(draft.args)
    draft.operands += words
    if not words:
        return
    keys = words[0].lstrip("-")
    if keys[:1] in {"t", "p"}:
        draft.reads += words[1:2]
        return
    draft.acts()
    if keys[:1] == "x":
        draft.reads += words[1:2]
        draft.writes.append("\0")
    else:
        draft.writes += words[1:2]
        draft.reads += words[2:]


def _rsync_like(draft: UseDraft) -> None:
    """Operands of rsync, scp and rclone: any may be on another machine."""
    words = draft.operands
    draft.mentions += [words[at] for at in draft.doubtful if at < len(words)]
    if not words:
        return
    sources, target = words[:-1], words[-1]
    if len(words) == 1:
        sources, target = words, ""
    remote = [word for word in words if is_remote(word)]
    for word in remote:
        reach_remote(draft, word)
    local = [word for word in sources if not is_remote(word)]
    if remote:
        draft.add("network")
    draft.reads += local
    if target and is_remote(target):
        draft.sends = True
        draft.sent += local
    elif target:
        draft.writes.append(target)
        draft.acts()
    elif draft.name == "rsync":
        draft.looks()
    if {
        "--delete",
        "--delete-before",
        "--delete-after",
        "--delete-during",
        "--delete-delay",
        "--delete-excluded",
    } & set(draft.flags) and target:
        if not is_remote(target):
            draft.deletes.append(inside(target))
        draft.add("recursive")
    if "--remove-source-files" in draft.flags:
        draft.deletes += local


def is_remote(word: str) -> bool:
    """Whether a word is `host:path` or a URL."""
    head, mark, _ = word.partition(":")
    return names_url(word) or bool(mark and head and "/" not in head)


def reach_remote(draft: UseDraft, word: str) -> None:
    """Note the machine of `host:path` or a URL."""
    if names_url(word):
        draft.urls.append(word)
    else:
        draft.hosts.append(word.partition(":")[0].rpartition("@")[2].strip("[]"))


_GZIP = (
    "a/ascii c/stdout/to-stdout d/decompress/uncompress f/force k/keep l/list n/no-name N/name q/quiet "
    "r/recursive!recursive rsyncable synchronous S/suffix= t/test v/verbose 1/fast 2 3 4 5 6 7 8 9/best "
    "i/independent p/processes= b= 0 11 Y/synchronous R z Z"
)
_XZ = (
    "z/compress d/decompress/uncompress t/test l/list k/keep f/force c/stdout/to-stdout single-stream no-sparse "
    "S/suffix= files?read files0?read F/format= C/check= 0 1 2 3 4 5 6 7 8/ 9 e/extreme T/threads= block-size= "
    "memlimit= M/memory= q/quiet v/verbose Q/no-warn robot "
    "H long-help V best fast rm o=write D=read ultra long? n r!recursive output-dir-flat=write no-progress adapt "
    "stream-size= train maxdict= b e B= m/multiple favor-decSpeed content-size s/small"
).replace("8/ ", "8 ")

TABLE: Table = {
    "tar gtar bsdtar star": look(_TAR_LONG, special=_tar, rewrite=_tar_bundle),
    "unzip funzip zipinfo": look("Z A a b B C D E F f h!dry i I= J j K k L l M m n N O= o P= p q s t T u U v V W X x= "
        "Y "
        "z / : ^ 1 2 c d=", special=_unzip),
    "zip zipcloak zipnote zipsplit": Program("r/R/recurse-paths!recursive u/update f/freshen d/delete m/move "
        "j/junk-paths x/exclude= i/include= e/encrypt P/password= q/quiet v/verbose y/symlinks T/test "
        "unzip-command/TT= s/split-size= 0 1 2 3 4 5 6 7 8 9 D/no-dir-entries X/no-extra o l c z @ F/fix FF=/ FS "
        "A b= n= O/output-file=write sf".replace(" FF=/", ""), special=_zip, rewrite=_zip_words),
    "gzip gunzip pigz unpigz zopfli": look(_GZIP, special=_pack(".gz")),
    "zcat gzcat bzcat xzcat zstdcat lzcat lz4cat": look("f/force q/quiet v/verbose c d k S=", "read*"),
    "bzip2 bunzip2 pbzip2 lbzip2": look("c/stdout d/decompress z/compress t/test k/keep f/force q/quiet v/verbose "
        "s/small L/license V 1 2 3 4 5 6 7 8 9 fast best p? n=", special=_pack(".bz2")),
    "xz unxz lzma unlzma pixz": look(_XZ, special=_pack(".xz")),
    "zstd unzstd pzstd zstdmt lz4 unlz4 brotli lzip lunzip lzop compress uncompress bzip3 snzip": look(_XZ,
        special=_pack(".zst")),
    "7z 7za 7zr 7zz p7zip": look("*", special=_seven),
    "rar unrar unar lsar unace arj lha zoo": look("*", special=_seven),
    "atool aunpack apack als acat arepack ouch": act("changes", "*", "mention*"),
    "cpio pax": look("o/create i/extract p/pass-through t/list d/make-directories v/verbose "
        "m/preserve-modification-time u/unconditional A/append 0/null a/reset-access-time B b c C= D/directory= "
        "E/pattern-file=read f/nonmatching F/file= H/format= I=read k l/link L/dereference M= n/numeric-uid-gid "
        "O=write quiet r/rename R/owner= rsh-command=shell s/swap-bytes S sparse to-stdout V/dot w x z "
        "no-absolute-filenames absolute-filenames no-preserve-owner device-independent",
                             special=_cpio),
    "ar ranlib": Program(traits="read-only", parse=_ar),
    "rpm2cpio rpm2archive": look("", "read*"),
    "dpkg-deb": Program("b/build I/info!dry f/field!dry c/contents!dry x/extract X/vextract R/raw-extract e/control "
        "W/show!dry Z= z= root-owner-group", "read write*"),
    "mksquashfs genisoimage mkisofs xorrisofs": act("changes", "*", "read* write"),
    "unsquashfs": act("changes", "l ll s d=write f i ls stat force dest=write", "read*", long=True),
    "rsync": Program(
        "v/verbose info= debug= stderr= q/quiet no-motd c/checksum a/archive no-OPTION r/recursive!recursive "
        "R/relative no-implied-dirs b/backup backup-dir=write suffix= u/update inplace append append-verify "
        "d/dirs old-dirs mkpath l/links L/copy-links "
        "copy-unsafe-links safe-links munge-links k/copy-dirlinks K/keep-dirlinks H/hard-links p/perms "
        "E/executability chmod= A/acls X/xattrs o/owner g/group devices copy-devices write-devices specials D "
        "t/times U/atimes open-noatime N/crtimes O/omit-dir-times "
        "J/omit-link-times super fake-super S/sparse preallocate n/dry-run!dry W/whole-file checksum-choice= "
        "x/one-file-system B/block-size= e/rsh=shell rsync-path=shell existing ignore-existing "
        "remove-source-files delete delete-before delete-during/del delete-delay "
        "delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors force!forced max-delete= "
        "max-size= min-size= max-alloc= partial partial-dir= delay-updates m/prune-empty-dirs numeric-ids "
        "usermap= groupmap= chown= timeout= "
        "contimeout= I/ignore-times size-only @/modify-window= T/temp-dir= y/fuzzy compare-dest= copy-dest= "
        "link-dest= z/compress compress-choice= compress-level= skip-compress= C/cvs-exclude f/filter= F "
        "exclude= exclude-from=read include= include-from=read "
        "files-from=read 0/from0 old-args s/secluded-args/protect-args trust-sender copy-as= address= port= "
        "sockopts= blocking-io outbuf= stats 8/8-bit-output h/human-readable progress P i/itemize-changes "
        "M/remote-option= out-format= log-file=write log-file-format= "
        "password-file=read early-input= list-only!dry bwlimit= stop-after= stop-at= fsync write-batch=write "
        "only-write-batch=write read-batch=read protocol= iconv= checksum-seed= 4/ipv4 6/ipv6 "
        "daemon!network/listens config=read no-detach no-perms no-owner no-group no-times",
        special=_rsync_like),
    "scp": Program("3 4 6 A B C O p q R r!recursive s T v c= D=shell F=read i= J=host l= o= P= S=program X=",
        special=_rsync_like, traits="network"),
    "rclone": Program("password-command=shell "
        "P/progress v/verbose n/dry-run!dry i/interactive config=read transfers= checkers= bwlimit= "
        "include= exclude= filter= q/quiet log-file=write u/update max-age= min-age= fast-list size-only c/checksum",
            "text*", "network", subs={
        "ls lsl lsd lsf lsjson size tree check cryptcheck md5sum sha1sum hashsum cat about version listremotes ncdu "
        "help cryptdecode checksum link": look("*", "text*", "network"),
        "copy copyto sync": act("network", "n/dry-run!dry *", special=_rsync_like),
        "move moveto": act("network cloud/deletes", "n/dry-run!dry *", special=_rsync_like),
        "delete deletefile purge rmdir rmdirs cleanup dedupe": act("cloud/deletes network", "n/dry-run!dry *",
            "delete*"),
        "serve rcd": act("network/listens", "*"),
        "mount": act("mounts network", "*", "text create"),
        "rcat": act("network sends-stdin", "*", special=lambda draft: draft.send()),
        "copyurl": act("network downloads", "*", "url write"),
        "config": act("writes-secret", "*"),
        "mkdir touch settier obscure bisync backend selfupdate": act("cloud/changes network", "*"),
    }),
}  # fmt: skip
