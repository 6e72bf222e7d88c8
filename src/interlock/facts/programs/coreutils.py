"""Files and directories: listing, copying, moving, removing, permissions, and what prints a little text."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft, join, names_disk
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]


def _into(target: str, source: str) -> str | None:
    """Where a source lands below a directory; None if that is the directory itself."""
    name = source.rstrip("/").rpartition("/")[2]
    if name in {"", ".", ".."}:
        return None
    return f"{target.rstrip('/')}/{name}" if source != "\0" else join(target.rstrip("/") or "/", name)


def place(draft: UseDraft, sources: list[str], target: str, *, directory: bool) -> None:
    """Note what copying, moving or linking sources to a target writes."""
    surely = directory or len(sources) > 1 or target.endswith("/") or target in {".", "..", "~"}
    surely = surely or target.endswith(("/.", "/.."))
    if not surely:
        draft.writes.append(target)
    if "--no-target-directory" in draft.flags:
        return
    for source in sources:
        landed = _into(target, source)
        if landed is not None:
            draft.writes.append(landed)
        elif surely:
            draft.writes.append(target)


def _sources_and_target(draft: UseDraft) -> tuple[list[str], str | None, bool]:
    directory = draft.value("--target-directory")
    if directory is not None:
        return draft.operands, directory, True
    if len(draft.operands) < 2:
        return draft.operands, None, False
    return draft.operands[:-1], draft.operands[-1], False


def _copy(draft: UseDraft) -> None:
    sources, target, directory = _sources_and_target(draft)
    draft.reads += sources
    if target is not None:
        place(draft, sources, target, directory=directory)
    if draft.doubtful:
        draft.writes += draft.operands


def _move(draft: UseDraft) -> None:
    sources, target, directory = _sources_and_target(draft)
    draft.reads += sources
    draft.deletes += sources
    if target is not None:
        place(draft, sources, target, directory=directory)
    if draft.doubtful:
        draft.deletes += draft.operands[-1:]


def _link(draft: UseDraft) -> None:
    sources, target, directory = _sources_and_target(draft)
    if target is None and sources:
        target, directory = ".", True
    draft.reads += sources
    if target is None:
        return
    before = len(draft.writes)
    place(draft, sources, target, directory=directory)
    if "--force" not in draft.flags:
        draft.creates += draft.writes[before:]
        del draft.writes[before:]


def _install(draft: UseDraft) -> None:
    if "--directory" in draft.flags:
        draft.creates += draft.operands
        return
    before = len(draft.writes)
    _copy(draft)
    mode = draft.value("--mode")
    if mode is None or adds_execution(mode):
        draft.executable += draft.writes[before:]
    if mode is not None:
        _mode_traits(draft, mode)


def adds_execution(mode: str) -> bool:
    """Whether a mode of chmod may let somebody run the file."""
    if "\0" in mode:
        return True
    if mode.isdigit():
        return any(int(digit) & 1 for digit in mode[-3:])
    return any("x" in part.partition(sign)[2] for part in mode.split(",") for sign in "+=" if sign in part)


def _mode_traits(draft: UseDraft, mode: str) -> None:
    if mode.isdigit():
        if int(mode[-1]) & 2:
            draft.add("world-writable")
        if len(mode) > 3 and int(mode[-4]) & 6:
            draft.add("set-user-id")
        return
    for part in mode.split(","):
        for sign in "+=":
            who, found, what = part.partition(sign)
            if not found:
                continue
            if "w" in what and ("o" in who or "a" in who):
                draft.add("world-writable")
            if "s" in what and "o" not in who:
                draft.add("set-user-id")


def _chmod(draft: UseDraft) -> None:
    files = list(draft.operands)
    modes = []
    # `-x`, `-w,o=r`: a mode that looks like options.
    for word in draft.args:
        if len(word) > 1 and word[0] == "-" and word[1] in "rwxst" and set(word) <= set("-+=,rwxstugoa"):
            modes.append(word)
    draft.unknown = [word for word in draft.unknown if word not in modes]
    if not modes and "--reference" not in draft.flags and files:
        modes.append(files.pop(0))
    for mode in modes:
        _mode_traits(draft, mode)
        if adds_execution(mode):
            draft.executable += files
    draft.writes += files


def _chown(draft: UseDraft) -> None:
    files = draft.operands
    if "--reference" not in draft.flags and files:
        owner = files[0].partition(":")[0].partition(".")[0]
        if owner in {"root", "0"}:
            draft.add("users")
        files = files[1:]
    draft.writes += files


def _touch(draft: UseDraft) -> None:
    draft.creates += draft.operands
    if any(flag in draft.flags for flag in ("--date", "--reference", "-t", "--time")):
        draft.add("hides")


def _dd(draft: UseDraft) -> None:
    """Operands such as `if=…`, `of=…`."""
    for word in draft.args:
        name, mark, value = word.partition("=")
        if name == "if":
            draft.reads.append(value)
        elif name == "of":
            draft.writes.append(value)
        elif not mark and word not in {"--help", "--version"}:
            draft.unknown.append(word)
            if "\0" in word:
                draft.writes.append(word)
        draft.operands.append(word)
    draft.dry = draft.args in {("--help",), ("--version",)}


def _truncate(draft: UseDraft) -> None:
    # A project's own logs are its own; where a word leads from here, rules about paths know.
    if any(word.startswith(("/", "~")) and ("/log/" in word or word.endswith(".log")) for word in draft.operands):
        draft.add("log-wiped")
    if any("history" in word for word in draft.operands):
        draft.add("history-wiped")


def _ddrescue(draft: UseDraft) -> None:
    if any(names_disk(word) for word in draft.operands[1:2]):
        draft.add("formats-disk")


def _shred(draft: UseDraft) -> None:
    if not draft.operands:
        draft.looks("shreds")  # it only complains
    draft.writes += draft.operands
    if "--remove" in draft.flags:
        draft.deletes += draft.operands
    if any(word.startswith("/dev/") for word in draft.operands):
        draft.add("formats-disk")


def _mktemp(draft: UseDraft) -> None:
    if not draft.operands:
        draft.creates.append("/tmp/tmp.\0")  # noqa: S108 the program's own choice
    for word in draft.operands:
        directory = draft.value("--tmpdir") or ("/tmp" if "-t" in draft.flags else "")  # noqa: S108
        draft.creates.append(join(directory, word.rstrip("X") + "\0"))


def _rename(draft: UseDraft) -> None:
    """Perl's takes code first, util-linux's two texts; both rename what follows."""
    draft.writes += draft.operands[1:]
    draft.deletes += draft.operands[1:]
    if draft.operands and "/" in draft.operands[0]:
        draft.run("code:perl", draft.operands[0])


def _tee(draft: UseDraft) -> None:
    if "--append" in draft.flags:
        draft.reads += draft.operands


def _date(draft: UseDraft) -> None:
    if any(word[:1] not in {"+", ""} for word in draft.operands) and not {"--date", "-j"} & set(draft.flags):
        draft.add("system-settings")
        draft.acts()


def _hostname(draft: UseDraft) -> None:
    if draft.operands:
        draft.add("system-settings")


_RM = (
    "f/force!forced i I interactive? r/R/recursive!recursive d/dir v/verbose one-file-system P W x "
    "no-preserve-root!forced preserve-root?"
)
_SUM = (
    "b/binary c/check l/length= tag t/text z/zero ignore-missing quiet status strict w/warn a/algorithm= r q s= p 0 1"
)


def _marks(draft: UseDraft) -> None:
    """What a person notes at a file is theirs; the system's own marks decide who may do what with it."""
    names = [value for name, value in draft.values if name in {"--name", "--remove"}]
    if any(not name.startswith("user.") for name in names):
        draft.add("hides")


TABLE: Table = {
    "ls dir vdir": look(
        "a/all A/almost-all author b/escape block-size= B/ignore-backups c C color? d/directory D/dired f F/classify? "
        "file-type format= full-time g group-directories-first G/no-group h/human-readable si H "
        "dereference-command-line hide= hyperlink? indicator-style= i/inode I/ignore= k/kibibytes l L/dereference m "
        "n/numeric-uid-gid N/literal o p q/hide-control-chars show-control-chars Q/quote-name quoting-style= r/reverse "
        "R/recursive!recursive s/size S sort= time= time-style= t T= u U v w/width= x X Z/context zero 1 e O @ W",
        "read*",
    ),
    "eza exa lsd ll la l": look(
        "a/all A/almost-all l/long 1/oneline G/grid x/across R/recurse!recursive T/tree d/list-dirs D/only-dirs "
        "f/only-files L/level= "
        "r/reverse s/sort= group-directories-first I/ignore-glob= git-ignore b/binary B/bytes g/group h/header "
        "H/links i/inode "
        "m/modified M S/blocks t/time= u/accessed U/created changed time-style= no-permissions no-filesize no-user "
        "no-time git "
        "git-repos @/extended F/classify? icons? color/colour? color-scale? hyperlink o/octal-permissions n/numeric "
        "Z/context "
        "no-git stdin absolute? width= w= depth= date= size= blocks total-size",
        "read*",
    ),
    "cat tac": look("A/show-all b/number-nonblank/before e E/show-ends n/number s/squeeze-blank/separator= t "
        "T/show-tabs u v/show-nonprinting r/regex l",
                    "read*"),
    "bat batcat": look(
        "A/show-all p/plain P l/language= H/highlight-line= file-name= d/diff diff-context= tabs= wrap= "
        "S/chop-long-lines "
        "terminal-width= n/number color= italic-text= decorations= f/force-colorization paging= pager=shell "
        "m/map-syntax= theme= "
        "theme-light= theme-dark= list-themes s/squeeze-blank squeeze-limit= style= r/line-range= L/list-languages "
        "u/unbuffered "
        "diagnostic acknowledgements strip-ansi= nonprintable-notation= binary= h ignored-suffix= no-config "
        "no-custom-assets",
        "read*", subs={}),
    "head tail": look("c/bytes= n/lines= q/quiet/silent v/verbose z/zero-terminated f/follow? F pid= retry "
        "s/sleep-interval= max-unchanged-stats= r "
        "0 1 2 3 4 5 6 7 8 9", "read*"),
    "wc": look("c/bytes m/chars l/lines L/max-line-length w/words files0-from=read total=", "read*"),
    "stat": look("L/dereference f/file-system c/format= printf= t/terse cached= F l n q r s x", "read*"),
    "file": look("b/brief c/checking-printout C/compile!acts d debug E e/exclude= exclude-quiet= extension "
        "F/separator= f/files-from=read h/no-dereference "
        "i/mime I mime-type mime-encoding k/keep-going l/list L/dereference m/magic-file=read N/no-pad "
        "n/no-buffer p/preserve-date!acts "
        "P/parameter= r/raw s/special-files S/no-sandbox v z/uncompress Z/uncompress-noreport 0/print0",
                     "read*"),
    "du": look("0/null a/all apparent-size B/block-size= b/bytes c/total D/dereference-args d/max-depth= "
        "files0-from=read H h/human-readable "
        "inodes k L/dereference l/count-links m P/no-dereference S/separate-dirs si s/summarize t/threshold= "
        "time? time-style= "
        "X/exclude-from=read exclude= x/one-file-system A I= g n r", "read*", "recursive"),
    "df": look("a/all B/block-size= H/si h/human-readable i/inodes k l/local no-sync output? P/portability sync "
        "total t/type= T/print-type "
        "x/exclude-type= v b c g m n Y I", "read*"),
    "ncdu gdu": look("x e r/reverse q f= X= 0 1 2 o=write si disk-usage n a c/no-color p/no-progress s", "read*",
        "recursive interactive"),
    "dust duf dua": look("x e r/reverse q si disk-usage h/human-readable d/depth= n= a s b f= X/ignore= all "
        "c/no-color p/no-progress o=write "
        "json sort= output= hide= only= theme= width= inodes g/show-disk-usage", "read*",
                                      "recursive"),
    "pwd": look("L/logical P/physical", ""),
    "tree": look("a d l f x L= P= I= gitignore gitfile=read ignore-case matchdirs metafirst prune info infofile=read "
        "noreport charset= filelimit= o=write q N Q p u g "
        "s h si D timefmt= F inodes device v t c U r dirsfirst filesfirst sort= i A S n C X J H= T= "
        "R!recursive hintro=read houtro=read du fromfile fromtabfile nolinks",
                 "read*", "recursive"),
    "basename": look("a/multiple s/suffix= z/zero"),
    "dirname": look("z/zero"),
    "realpath readlink": look("e/canonicalize-existing m/canonicalize-missing f/canonicalize L/logical P/physical "
        "q/quiet s/silent/strip/no-symlinks z/zero "
        "relative-to= relative-base= n/no-newline v/verbose", "read*"),
    "pathchk": look("p P portability"),
    "echo": look("*", help=False),
    "printf": look("v=text!shell-state", help=False, stops=True),
    "yes": look(),
    "true false :": look("*", help=False),
    "test [": look(parse=lambda draft: draft.operands.extend(draft.args)),
    "[[": look(parse=lambda draft: draft.operands.extend(draft.args)),
    "expr": look(stops=True),
    "seq": look("f/format= s/separator= w/equal-width t= 0 1 2 3 4 5 6 7 8 9 ."),
    "factor numfmt": look("h/exponents d/delimiter= field= format= from= from-unit= grouping header? invalid= "
        "padding= round= suffix= to= to-unit= z/zero-terminated debug"),
    "sleep usleep": look(),
    "date": look("d/date= debug f/file=read I/iso-8601? R/rfc-email rfc-3339= r/reference= "
        "s/set=text!system-settings u/utc/universal j v= n z= resolution",
                 special=_date),
    "cal ncal": look("1 3 A= B= C H= J M N S b d= h j m= n= o p s= w y Y sunday monday week? reform= iso",
        special=None),
    "hostname": look("a/alias A/all-fqdns b/boot!system-settings d/domain f/fqdn/long F/file=read!system-settings "
        "i/ip-address I/all-ip-addresses s/short y/yp/nis n/node v",
                     special=_hostname),
    "domainname nisdomainname ypdomainname dnsdomainname": look("", special=_hostname),
    "uname nproc tty logname whoami groups users": look(
        "a/all s/kernel-name n/nodename r/kernel-release v/kernel-version m/machine p/processor i/hardware-platform "
        "o/operating-system ignore= quiet silent"),
    "id": look("a Z/context g/group G/groups n/name r/real u/user z/zero F P A c p"),
    "last lastb": look("a d f/file=read F/fulltimes i n/limit= p/present= R s/since= t/until= T w x y time-format= 0 "
        "1 2 3 4 5 6 7 8 9", "mention*"),
    "who w lastlog": look("a/all b/boot d/dead H/heading l/login lookup m p/process q/count r/runlevel "
        "s/short t/time T/mesg u/users "
        "f/from n/lines= F/fulltimes i/ip o/old-style w/fullnames x/system R y present= "
        "since= until= 0 1 2 3 4 5 6 7 8 9 limit= time-format= file="),
    "uptime free": look("p/pretty s/since= r/raw b/bytes k/kibi m/mebi g/gibi tebi pebi kilo mega giga tera peta "
        "h/human c/count= l/lohi si t/total v/committed w/wide L/line"),
    "getconf locale": look("a/all-locales m/charmaps k/keyword-name c/category-name v="),
    "getent": look("i/no-idn s/service= A/no-addrconfig", special=lambda draft: draft.reads.extend(
        f"/etc/{word}" for word in draft.operands[:1] if word in {"shadow", "gshadow"})),
    "nohup setsid": Program("c/ctty f/fork w/wait", "argv", "read-only"),
    "cp": Program(
        "a/archive!recursive attributes-only b/backup? copy-contents d debug f/force!forced i/interactive H l/link "
        "L/dereference n/no-clobber N "
        "P/no-dereference p/preserve? no-preserve= parents R/r/recursive!recursive reflink? "
        "remove-destination!forced sparse= strip-trailing-slashes "
        "s/symbolic-link S/suffix= t/target-directory= T/no-target-directory u/update? v/verbose x/one-file-system "
        "Z/context? c X keep-directory-symlink",
        special=_copy),
    "mv": Program("b/backup? debug f/force!forced i/interactive n/no-clobber no-copy strip-trailing-slashes "
        "S/suffix= t/target-directory= "
        "T/no-target-directory u/update? v/verbose Z/context h exchange", special=_move),
    "rm": Program(_RM, "delete*"),
    "grm trash trash-put rmtrash": Program(_RM + " F a l s y/yes restore!dry trash-dir=", "delete*",
            special=lambda draft: draft.add("changes") if draft.flags else None),
    "trash-empty": act("shreds", "f v/verbose trash-dir= all-users interactive print-time dry-run!dry i", "text*",
                       special=lambda draft: draft.deletes.append("~/.local/share/Trash")),
    "trash-list": look("trash-dirs size files all-users python trash-dir= volumes"),
    "trash-restore": act("changes", "overwrite!forced sort= trash-dir=", "write*"),
    "trash-rm": act("shreds", "v/verbose", "text*"),
    "rmdir": Program("ignore-fail-on-non-empty p/parents v/verbose", "delete*"),
    "unlink": Program("", "delete*"),
    "mkdir": Program("m/mode= p/parents v/verbose Z/context?", "create*"),
    "mkfifo": Program("m/mode= Z/context?", "create*"),
    "mknod": act("device", "m/mode= Z/context?", "create text*"),
    "mktemp": Program("d/directory u/dry-run!dry q/quiet suffix= p/tmpdir= t", special=_mktemp),
    "touch": Program("a c/no-create d/date= f h/no-dereference m r/reference=read t= time= A=", special=_touch),
    "ln": Program("b/backup? d/F/directory f/force!forced i/interactive L/logical n/h/no-dereference P/physical "
        "r/relative s/symbolic S/suffix= "
        "t/target-directory= T/no-target-directory v/verbose w", special=_link),
    "link": Program("", "read create"),
    "install ginstall": Program("b/backup? c C/compare d/directory D g/group= m/mode= o/owner= p/preserve-timestamps "
        "s/strip strip-program=program S/suffix= "
        "t/target-directory= T/no-target-directory v/verbose preserve-context Z/context? "
        "debug", special=_install),
    "chmod": act("permissions", "c/changes f/silent/quiet v/verbose no-preserve-root!forced preserve-root "
        "reference=read R/recursive!recursive h H L P E C N",
                 special=_chmod),
    "chown chgrp": act("ownership", "c/changes f/silent/quiet v/verbose dereference h/no-dereference from= "
        "no-preserve-root!forced preserve-root "
        "reference=read R/recursive!recursive H L P n x", special=_chown),
    "setfacl": act("permissions", "b/remove-all k/remove-default d/default m/modify= M/modify-file=read x/remove= "
        "X/remove-file=read set= set-file=read restore=read "
        "R/recursive!recursive n/no-mask mask L/logical P/physical test!dry", "write*"),
    "getfacl lsattr getcap getfattr": look("a/access d/default c/omit-header e/all-effective E/no-effective "
        "s/skip-base R/recursive!recursive L/logical P/physical t/tabular "
        "p/absolute-names n/numeric v V l r D m/match= name= only-values "
        "h/no-dereference dump encoding= one-file-system", "read*", help=True),
    "chattr": act("permissions hides", "R!recursive V f v= p=", "text write*", help=False),
    "setfattr": act("changes", "n/name= v/value= x/remove= h/no-dereference restore=read!hides", "write*",
        special=_marks),
    "chcon restorecon setfiles": act("permissions", "h/no-dereference R/r/recursive!recursive u/user= l/range= "
        "t/type= reference=read v n!dry F p D i e= f=read", "write*"),
    "umask": Program("S p", "text*", "read-only",
                     special=lambda draft: draft.add("shell-state") if draft.operands else None),
    "truncate": Program("c/no-create o/io-blocks r/reference=read s/size=", "write*", special=_truncate),
    "fallocate": Program("c/collapse-range d/dig-holes i/insert-range k/keep-size l/length= n o/offset= p/punch-hole "
        "v/verbose x/posix z/zero-range", "write*"),
    "shred srm": act("shreds", "f/force!forced n/iterations= random-source=read s/size= u/remove? v/verbose x/exact "
        "z/zero r/R!recursive", special=_shred),
    "wipe": act("shreds", "f i r!recursive q Q= s c k", "delete*"),
    "tee": Program("a/append i/ignore-interrupts p output-error?", "write*", special=_tee),
    "sponge": Program("a/append", "write*"),
    "dd": Program(parse=_dd),
    "ddrescue": act("changes", "f/force!forced n/no-scrape d/idirect r/retry-passes= R/reverse S/sparse "
        "v/verbose b/sector-size= s/size= i= o= D", "read write write", special=_ddrescue),
    "rename prename perl-rename mmv zmv": Program("v/verbose n/just-print/no-act!dry f/force!forced i/interactive "
        "s/symlink o/no-overwrite e=code:perl E=code:perl a/all l/last u",
            special=_rename),
    "sync": look("d/data f/file-system"),
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 sha1 sha256 sha512 b3sum "
    "xxhsum crc32": look(_SUM, "read*"),
    "which whereis type whatis apropos where": look("a/all i/read-alias skip-alias read-functions skip-functions "
        "skip-dot skip-tilde show-dot show-tilde tty-only "
        "b B= m M= s S= f u g t p P w l r v d/debug e/exact wildcard and "
        "sections= locale= k"),
    "locate plocate mlocate slocate": look("A/all b/basename c/count d/database=read e/existing i/ignore-case p "
        "l/limit= n= N/literal 0/null S/statistics q/quiet r/regexp= regex w/wholename P H L"),
    "updatedb": act("upkeep", "*", ""),
    "mdfind": look("0 live count onlyin=read name= literal interpret attr= s=", long=True),
    "tput clear reset tset": look("S T= x V", "text*"),
    "stty": look("a/all g/save F/file=read", "text*"),
    "dircolors": look("b/sh c/csh p/print-database print-ls-colors", "read*"),
}  # fmt: skip
