"""The machine's packages, and other languages' package managers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

# Only the lists of what there is are fetched anew.
_LISTS = "upkeep network"
_IN, _OUT, _LOOK = "installs-package system-package network", "removes-package system-package", "system-package network"


def _apt(draft: UseDraft) -> None:
    """`-o APT::Update::Pre-Invoke::=CMD`: settings that name commands."""
    for name, value in draft.values:
        if name == "--option" and any(
            word in value for word in ("Invoke", "Pre-Install", "Post-", "Methods", "Proxy-Auto")
        ):
            draft.run("shell", value.partition("=")[2])


def _dpkg(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--install", "--unpack", "--configure"} & flags:
        draft.add("installs-package")
        draft.reads += draft.operands
    elif {"--remove", "--purge"} & flags:
        draft.add("removes-package")
    elif {
        "--list",
        "--status",
        "--listfiles",
        "--search",
        "--print-avail",
        "--info",
        "--contents",
        "--get-selections",
        "--audit",
        "--verify",
        "--print-architecture",
        "--compare-versions",
    } & flags:
        draft.looks()
    else:
        draft.add("installs-package")


def _rpm(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--query", "--verify", "--checksig", "--showrc", "--querytags"} & flags:
        draft.looks()
    elif "--erase" in flags:
        draft.add("removes-package")
    elif not draft.dry:
        draft.add("installs-package")
        for word in draft.operands:
            draft.reach(word) if "://" in word else draft.reads.append(word)


def _pacman(draft: UseDraft) -> None:
    """The first letter is the operation; the rest belongs to it."""
    if {"--print", "--help", "--getpkgbuild"} & set(draft.flags) or any(
        word[:1] == "-" and word[1:2] in {"S", "R", "U"} and {"p", "h"} & set(word[2:])
        for word in draft.args
        if word[:2] != "--"
    ):
        draft.dry = True
    letters = "".join(word[1:] for word in draft.args if word[:1] == "-" and word[:2] != "--")
    longs = set(draft.flags)
    if "S" in letters or "--sync" in longs:
        if set(letters) & {"s", "i", "l", "g"} and not set(letters) & {"u", "y"}:
            draft.looks()
        elif "c" in letters:
            draft.add("upkeep")
        else:
            draft.add("installs-package")
    elif "R" in letters or "--remove" in longs:
        draft.add("removes-package")
    elif "U" in letters or "--upgrade" in longs:
        draft.add("installs-package")
        draft.reads += draft.operands
    elif (set(letters) & {"Q", "F", "T"} and not ("F" in letters and "y" in letters)) or {
        "--query",
        "--files",
        "--deptest",
    } & longs:
        draft.unknown.clear()
        draft.looks()
    elif "D" in letters:
        draft.add("upkeep")
    elif not letters and draft.name in {"yay", "paru"}:
        draft.add("installs-package")


def _entities(draft: UseDraft) -> None:
    if draft.operands[:2] == ["database", "drop"]:
        draft.add("database/deletes")


_ASKING = frozenset({
    "list", "ls", "show", "showall", "info", "count", "status", "help", "read", "search", "check", "summary",
        "updateinfo", "provides", "query",
    "candidates", "dump-tlpdb", "auxtrees", "debug", "depends", "executes", "files", "runfiles", "all", "texmf", "news",
})  # fmt: skip


def _asks_only(draft: UseDraft) -> None:
    """Forms that only list, by the word that follows or an option that says so."""
    words = draft.operands
    if {"--dump", "--list", "--help-cmd", "--help", "-l", "--json"} & set(draft.args) and not words[1:2]:
        draft.looks("package-source", "system-settings", "upkeep", "installs-package")
        return
    verb = words[1:2] if draft.name == "eselect" else words[:1]
    if (not verb or verb[0] in _ASKING) and (draft.name != "tlmgr" or len(words) < 3):
        draft.looks("package-source", "system-settings", "upkeep", "installs-package")


def _by_name(draft: UseDraft) -> None:
    """Programs that remove by their name, and options that do instead of a verb."""
    given = set(draft.args)
    if draft.name in {"xbps-remove", "pkg_delete"}:
        draft.drop("installs-package")
        cache = given <= {"-O", "-OO", "-y", "-v", "--clean-cache", "--yes", "--verbose"} and bool(given)
        draft.add(*(["upkeep"] if cache else ["removes-package", "system-package"]))


def _tlmgr_option(draft: UseDraft) -> None:
    """A name alone shows its value; only one of them says where packages come from."""
    words = draft.operands
    if len(words) < 2:
        draft.looks("package-source")
    elif words[0] not in {"repository", "location"}:
        draft.drop("package-source")
        draft.add("upkeep")


def _emerge(draft: UseDraft) -> None:
    flags = set(draft.flags)
    if {"--depclean", "--unmerge", "--prune"} & flags:
        draft.add("removes-package")
    elif {"--sync", "--metadata", "--regen"} & flags:
        draft.add("upkeep")
    else:
        draft.add("installs-package")


def _lists_only(draft: UseDraft) -> None:
    """Where `update` fetches lists and `upgrade` installs."""
    if draft.name in {"opkg", "pkg", "pkgin", "slackpkg"}:
        draft.drop("installs-package", "system-package")
        draft.add("upkeep")


def _brew_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`brew --prefix x`: a subcommand written like an option."""
    if args[:1] == ("-S",):
        return ("search", *args[1:])
    return (args[0][2:], *args[1:]) if args and args[0] in _BREW_OPTIONS else args


_BREW_OPTIONS = frozenset(
    {"--prefix", "--cellar", "--repository", "--repo", "--cache", "--config", "--env", "--caskroom", "--taps"}
)


def _brew_services(draft: UseDraft) -> None:
    if draft.operands[:1] in ([], ["list"], ["info"]):
        draft.looks("service", "autostart")
    elif draft.operands[:1] in (["cleanup"], ["run"], ["restart"]):
        draft.drop("autostart")


def _linked(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name == "-C" and value.startswith("linker="):
            draft.run("argv", value.partition("=")[2], aside=True)


def _without_toolchain(args: tuple[str, ...]) -> tuple[str, ...]:
    """`cargo +nightly build`: which compiler, before everything else."""
    return args[1:] if args and args[0][:1] == "+" else args


def _cargo_run(draft: UseDraft) -> None:
    draft.run("file", draft.value("--manifest-path") or "Cargo.toml", *draft.operands, by="cargo run")


def _go_run(draft: UseDraft) -> None:
    if draft.operands and "@" in draft.operands[0]:
        draft.add("runs-package", "network")
    elif draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by="go run")


def _nix_shell(draft: UseDraft) -> None:
    for name, value in draft.values:
        if name in {"--run", "--command"}:
            draft.run("shell", value)


def _nix_command(draft: UseDraft) -> None:
    args = draft.args
    for mark in ("-c", "--command"):
        if mark in args:
            draft.run("argv", *args[args.index(mark) + 1 :])
            return


_APT = (
    "y/yes/assume-yes!forced q/quiet s/simulate/just-print/dry-run/recon/no-act!dry d/download-only f/fix-broken "
    "m/ignore-missing V/verbose-versions o/option=text!changes c/config-file=read!changes "
    "t/target-release/default-release= "
    "reinstall no-install-recommends install-recommends no-install-suggests install-suggests "
    "allow-downgrades allow-remove-essential!forced allow-change-held-packages "
    "allow-unauthenticated!insecure force-yes!forced purge auto-remove autoremove only-upgrade "
    "no-upgrade b/compile print-uris!dry no-remove trivial-only "
    "allow-insecure-repositories!insecure a/all-versions n/names-only i/important installed "
    "upgradable upgradeable f/full names-only recurse no-all-versions manual-installed "
    "assume-no!dry no-download show-progress with-new-pkgs h!dry v!dry"
)
_CARGO = (
    "v/verbose q/quiet color= frozen locked offline config= Z= p/package= workspace all exclude= lib bins bin= "
    "examples example= tests test= benches bench= all-targets F/features= all-features no-default-features "
    "r/release profile= target= target-dir= manifest-path=read message-format= j/jobs= keep-going "
    "ignore-rust-version e/edges= i/invert= prune= depth= no-dedupe "
    "d/duplicates charset= f/format= no-deps format-version= filter-platform= l/list explain= limit= index= "
    "registry= future-incompat-report timings? unit-graph build-plan document-private-items open"
)
_BREW = (
    (
        "v/verbose q/quiet d/debug h!dry formula/formulae cask/casks json? installed full-name versions multiple "
        "pinned l 1 r t leaves eval-all desc s/search n/name d/description include-build include-optional "
        "include-test topological union tree graph dot direct missing recursive "
        "skip-recommended analytics days= category= github fetch-HEAD greedy formulae casks prefix no-deps "
        "all open closed pull-request archived macports fedora debian ubuntu arch repology hide= "
        "greedy-auto-updates greedy-latest g oneline stat p/patch max-count= list-checks D audit-debug include-aliases "
        "built-from-source poured-from-bottle unbrewed build-from-source force-bottle HEAD bottle-tag= compact "
        "command= "
        "cellar outdated-only installed-on-request installed-as-dependency annotate for-each declared os= arch= "
        "skip-style"
    )
    .replace(" d/description", " description")
    .replace("include-test topological", "include-test n topological")
    .replace(" n/name", " name")
)

_BREW_LOOK = look(_BREW, "text*", "network")
_LANG: Table = {
    "list ls search info show outdated query version versions help env check view audit which why licenses status "
    "deps tree path fund browse suggests depends prohibits diagnose validate about home contents dependency "
    "specification sources stale": look("*", "text*", "network"),
    "install add update upgrade require create-project global get fetch restore i up bump pristine create": act(
        "installs-package network", "*"),
    "remove uninstall rm cleanup prune clean": act("removes-package", "*"),
    "publish push release upload yank owner delete": act("publishes-package network", "dry-run!dry *"),
    "exec": Program("", "argv", "read-only"),
    "run run-script test build t": act("runs-project", "*"),
    "init new config login logout signin cert key self-update dump-autoload pack package unpack "
    "generate_index server lock pin unpin plugin platform console open": act("changes network", "e/editor=shell *"),
}  # fmt: skip

TABLE: Table = {
    "apt apt-get aptitude apt-fast nala": Program(_APT, special=_apt, subs={
        "install reinstall upgrade dist-upgrade full-upgrade safe-upgrade build-dep source satisfy": act(_IN, _APT),
            "update": act(_LISTS, _APT),
                "remove purge autoremove autopurge": act(_OUT, _APT),
        "list search show policy depends rdepends showsrc changelog help moo check why why-not madison pkgnames "
        "dotty showpkg stats unmet dump": look(_APT, "text*", _LOOK),
                "clean autoclean": act("upkeep", _APT), "download edit-sources": act("changes", _APT),
                    "hold unhold markauto unmarkauto": act("upkeep", _APT),
    }),
    "apt-cache apt-file apt-config apt-show-versions dpkg-query dpkg-architecture debconf-show apt-rdepends": look(
        _APT + " W/show S/search L/listfiles p l/list s/status showformat= x/regexp F", "text*", "system-package"),
    "apt-mark": Program("", "text*", "system-package", subs={"showmanual showauto showhold showinstall showremove "
        "showpurge":
        look("f/file=read"), "*": act("upkeep system-package", "*")}),
    # Which of the installed programs a name stands for; to offer a new one is to choose what others run.
    "update-alternatives alternatives": act("system-settings", "install!package-source remove!package-source "
        "remove-all!package-source slave l/list!dry display!dry query!dry get-selections!dry config set auto all "
        "set-selections!package-source force!forced altdir=text!package-source admindir=text!package-source *"),
    "apt-key add-apt-repository apt-add-repository software-properties-gtk "
    "debconf-set-selections": act("package-source system-package", "y r/remove P/ppa n l/list!dry display!dry "
            "query!dry get-selections!dry config=text!changes *",
            special=lambda draft: draft.looks("package-source") if draft.name == "apt-key" and draft.operands[:1]
                in (["list"], ["finger"], ["export"], ["exportall"]) else None),
    "dpkg dpkg-reconfigure": Program("i/install unpack configure r/remove P/purge l/list s/status L/listfiles "
        "S/search p/print-avail I/info c/contents get-selections set-selections!changes C/audit V/verify "
        "force-all!forced no-act/simulate/dry-run!dry a/pending R/recursive G E A add-architecture=text!changes "
        "remove-architecture=text!changes print-architecture print-foreign-architectures compare-versions "
        "x=text!changes e= W b= root= admindir= force-depends!forced f=", "text*",
            "system-package", special=_dpkg),
    "rpmbuild": act("runs-project", "b= t= define= target= D= clean nodeps rebuild=read recompile=read *", "read*"),
    "rpm": Program("i/install U/upgrade F/freshen e/erase q/query V/verify K/checksig import!package-source "
        "eval=code:other showrc querytags v/verbose h/hash nodeps!forced force!forced test!dry replacepkgs "
        "replacefiles "
        "oldpackage noscripts a/all f/file p/package l/list c/configfiles d/docfiles R/requires provides "
        "changelog scripts s/state info queryformat/qf= last root= dbpath= initdb!changes rebuilddb!changes "
        "define=text!changes b? pipe=shell "
        "whatprovides whatrequires nosignature!insecure nodigest!insecure percent recommends "
        "conflicts obsoletes", "text*", "system-package", special=_rpm),
    "urpmi": act(_IN, "test!dry auto-select auto-update parallel= *"), "urpme": act(_OUT, "test!dry *"),
    "dnf yum microdnf dnf5 tdnf zypper": Program("y/assumeyes!forced q/quiet v/verbose C/cacheonly enablerepo= "
        "disablerepo= repo= nogpgcheck!insecure skip-broken setopt= releasever= installroot= best allowerasing "
        "x/exclude= refresh downloadonly c/config=read n/non-interactive no-gpg-checks!insecure "
        "gpg-auto-import-keys!package-source h!dry assumeno!dry color= showduplicates debuglevel= R=", subs={
        "install in upgrade update up dup dist-upgrade downgrade reinstall localinstall groupinstall groupupdate "
        "system-upgrade distro-sync swap builddep patch offline-upgrade needs-restarting": act(_IN,
                "dry-run!dry *"), "remove erase rm autoremove groupremove": act(_OUT, "dry-run!dry *"),
        "list search info provides whatprovides repolist repoquery check-update grouplist groupinfo deplist "
        "check updateinfo lr ls se if wp pchk list-updates lu help version repos patches products packages "
        "leaves": look("*", "text*", _LOOK),
        "history": look("*", "text*", _LOOK,
            special=lambda draft: draft.add("installs-package") if draft.operands[:1] in (
            ["undo"], ["redo"], ["rollback"], ["replay"], ["store"]) else None),
        "alias": look("*", special=lambda draft: draft.acts() if draft.operands[:1] in (["add"], ["delete"]) else None),
        "clean makecache refresh ref": act(_LISTS, "*"),
        # Other versions of what the same sources hold.
        "module": Program("*", "text*", _IN, special=_asks_only),
        "group advisory repo copr config-manager": Program("*", "text*", "package-source "
            "system-package network",
            special=_asks_only),
        # Which of the packages stay as they are, and which were asked for.
        "versionlock mark addlock al removelock rl": Program("*", "text*", "upkeep system-package",
            special=_asks_only),
        "locks ll": look("*", "text*", _LOOK),
        "addrepo ar rr mr shell plugins rs": act("package-source system-package network", "*"),
    }),
    "pacman yay paru pamac trizen aura pikaur aurman": Program("*", "text*", _LOOK, special=_pacman, help=True),
    "makepkg": act("runs-project installs-package", "*"),
    "apk": Program("p/root= X/repository=url q/quiet v/verbose U/update-cache f/force!forced no-cache s/simulate!dry "
        "allow-untrusted!insecure no-network t/virtual= u/upgrade l/latest print-arch",
            subs={"update": act(_LISTS, "*"), "add upgrade fix": act(_IN, "no-cache t/virtual= s/simulate!dry *"),
                "del": act(_OUT,
                "s/simulate!dry *"), "info list search policy version stats dot audit verify query": look("*",
                    "text*", _LOOK), "cache fetch index manifest": act("changes network", "*")}),
    "snap flatpak": Program("user system v/verbose", subs={"list find search info version connections interfaces "
        "changes remotes history ps ls known tasks warnings remote-ls services logs": look("*", "text*", _LOOK),
            "install refresh update upgrade": act(_IN, "*"), "remove uninstall": act(_OUT, "*"),
                "run enter": Program("", "argv", "only-runs"),
                             "remote-add remote-delete remote-modify connect disconnect enable disable set unset "
                             "alias unalias revert login logout start stop restart override permission-reset "
                             "repair config mask pin kill switch try save restore forget download build push "
                             "publish": act("system-settings", "*"), "get": look("*")}),
    "equery xbps-query epkginfo": look("*", "text*", _LOOK),
    "eselect": Program("*", "text*", "system-settings", special=_asks_only),
    # A file of the project's own is built; only the last steps put it on the machine.
    "ebuild": Program("*", "read text*", "runs-project", special=lambda draft: draft.add("installs-package",
        "system-package")
        if {"merge", "qmerge", "install"} & set(draft.operands[1:]) else draft.add("removes-package", "system-package")
            if "unmerge" in draft.operands else None),
    "tlmgr": Program("usermode repository= verify-repo= v q gui no-execute-actions package-logfile= pin-file=",
        "text*", _LOOK, special=_asks_only,
        subs={"list info search show version help check candidates dump-tlpdb arch conf": Program("*", "text*", _LOOK,
            special=_asks_only),
            "backup generate paper pdftex xdvi dvips dvipdfmx": act("upkeep", "*"),
            "print-platform print-platform-info": look("*"),
            "key postaction": Program("*", "text*", "changes", special=_asks_only),
            "option": Program("*", "text*", "package-source system-package", special=_tlmgr_option),
            "repository pinning platform": Program("*", "text*", "package-source system-package",
                special=_asks_only),
            "remove uninstall": act(_OUT, "dry-run!dry n!dry *"), "restore shell gui": act(_IN, "dry-run!dry n!dry *"),
            "*": act(_IN, "dry-run!dry n!dry list!dry *")}),
    "guix": Program("*", "text*", "", subs={
        "search show describe size graph lint refresh hash gc-list processes weather challenge": look("*", "text*",
            _LOOK),
        "shell environment": Program("*", "text*", "only-runs installs-package", special=_nix_command),
            "build": act("runs-project", "n/dry-run!dry *"),
        # What a person installs for themselves; an earlier generation brings the old state back.
        "install upgrade pull": act("installs-package network", "n/dry-run!dry *"), "remove": act("removes-package",
            "n/dry-run!dry *"),
        "package": Program("i/install=text!installs-package r/remove=text!removes-package "
            "u/upgrade?!installs-package s/search= I/list-installed? "
            "A/list-available? l/list-generations? roll-back!changes d/delete-generations?!shreds show= S= m= p= "
                "n/dry-run!dry", "text*", "read-only"),
        "gc": act("shreds", "n list-dead!dry list-live!dry *"), "system home deploy": act("infra/applies "
            "system-package", "n/dry-run!dry *"),
        "*": act("changes network", "*")}),
    "emerge": act("system-package network", "sync metadata regen p/pretend!dry s/search!dry S/searchdesc!dry info!dry "
        "c/depclean C/unmerge P/prune n a/ask v/verbose u/update D/deep N/newuse 1/oneshot resume skipfirst q/quiet "
        "r clean list-sets!dry k/usepkg g/getbinpkg b/buildpkg f/fetchonly O/nodeps *", special=_emerge),
    "portage xbps-install xbps-remove opkg pkg pkg_add pkg_delete pkgin port "
    "slackpkg swupd eopkg pisi": Program("*", "text*", "", special=_by_name, subs={
        "search info list query show version help files which belongs depends uses installed contents deps "
            "check-update bundle-list "
        "echo outdated dependents variants notes bundle-info os-info hashdump diagnose list-installed whatdepends "
            "audit": look("*", "text*", _LOOK),
                "update": act(_IN, "*", special=_lists_only), "remove delete uninstall autoremove del clean "
                    "deinstall": act(_OUT, "*"), "*": act(_IN,
                    "p/pretend!dry a/ask *")}),
    "brew linuxbrew": Program(_BREW + "", traits="read-only", rewrite=_brew_words, subs={
        "list ls info abv search desc home homepage deps uses leaves outdated config doctor dr missing cat formula "
        "log options commands casks formulae prefix cellar repository repo docs cache env caskroom taps help "
        "which-formula "
        "livecheck tap-info  which formulas shellenv command source": _BREW_LOOK,
        "migrate": act("installs-package system-package", _BREW + " f/force!forced n/dry-run!dry"),
        "analytics": look(_BREW, special=lambda draft: draft.add("system-settings") if draft.operands not in ([],
            ["state"]) else None),
        # In a folder that the person owns, and undone by one command: no package of the machine's own.
        # Even a rehearsal brings brew itself up to date first.
        "install reinstall upgrade update up update-reset postinstall fetch": act(
            "installs-package network", _BREW + " f/force!forced n/dry-run "
                "s overwrite only-dependencies ignore-dependencies *"),
        "uninstall rm remove autoremove": act("removes-package system-package",
            _BREW + " f/force!forced zap ignore-dependencies n/dry-run!dry *"),
        "cleanup": act("upkeep", _BREW + " prune= n/dry-run!dry s scrub prune-prefix"),
            "tap": act("package-source network", _BREW + " *",
                special=lambda draft: draft.looks("package-source") if not draft.operands and not draft.flags
                    else None), "untap": act("package-source", "*"),
        "services": act("service autostart", _BREW + " all file= sudo-service-user=", special=_brew_services),
            "bundle": act("installs-package network", "*",
                special=lambda draft: draft.looks("installs-package") if draft.operands[:1] in (["list"],
                    ["check"]) else None),
        "link ln unlink pin unpin edit create audit test style bump completions developer alias unalias "
        "gist-logs extract tap-new bump-formula-pr bump-cask-pr pr-pull readall sh ruby irb tests typecheck "
        "unpack rubocop vendor-gems generate-formula-api contributions dispatch-build-bottle bottle linkage "
        "prof mirror rubydoc release setup-ruby determine-test-runners": act("changes", "*"),
    }),
    "mas softwareupdate xcodes": Program("l/list!dry schedule=text!security-off *", "text*", _IN, subs={
        "list search outdated info version "
        "account": look("*", "text*", _LOOK), "uninstall": act(_OUT, "*"), "*": act(_IN, "l/list!dry *")}),
    "nix nix-env nix-store nix-channel nix-build nix-instantiate nix-collect-garbage nix-shell nix-prefetch-url":
        Program("run= command= p/packages= pure I= A= i/install!installs-package e/uninstall!removes-package q/query "
            "u/upgrade!installs-package d/delete-old!shreds delete-older-than=text!shreds dry-run!dry "
            "extra-experimental-features= option= *", "text*", "installs-package", special=_nix_shell, subs={
        "search show-config eval path-info why-depends derivation log doctor hash": look("*", "text*", "network"),
            "run": act("runs-package network", "*"), "shell develop": Program("*", "text*",
                "only-runs installs-package", special=_nix_command),
        "build profile flake store upgrade-nix copy daemon edit bundle print-dev-env fmt": act(
            "installs-package network", "dry-run!dry *"), "*": Program("run= command= *", "text*", "installs-package",
                special=_nix_shell)}),
    "cargo": Program(_CARGO.replace(" l/list", " l/list!dry") + " V!dry C=base", rewrite=_without_toolchain, subs={
        "tree metadata search info version help locate-project pkgid verify-project read-manifest report audit deny "
        "outdated machete": look(_CARGO.replace("config=", "config=text!acts") + " fix!changes *", "text*", "network",
            special=lambda draft: draft.acts() if draft.words == ["audit"] and draft.operands[:1] == ["fix"] else None),
        "check c build b test t bench doc d clippy rustc rustdoc nextest miri llvm-cov tarpaulin expand watch hack "
        "geiger bloat llvm-lines udeps semver-checks criterion flamegraph asm":
            act("runs-project", _CARGO + " no-run fix!changes *"), "run r": Program(_CARGO, "text*", "runs-project",
                special=_cargo_run, stops=True),
        "fmt": Program(_CARGO + " check!dry *", "text*", "changes"), "fix": act("changes runs-project", "*"),
            "install update add fetch vendor upgrade binstall": act("installs-package network",
                "dry-run!dry l/list!dry *"), "remove rm uninstall": act("removes-package", "*"),
                    "publish": act("publishes-package network runs-project", "n/dry-run *", special=lambda draft:
                        draft.drop("publishes-package") if "--dry-run" in draft.flags else None),
                    "yank owner": act("publishes-package network", "l/list *", special=lambda draft:
                        draft.looks("publishes-package") if {"--list"} == set(draft.flags) else None),
        "clean": act("changes", "dry-run!dry *",
            special=lambda draft: draft.deletes.append(draft.value("--target-dir") or "target")),
                "new init generate": act("changes", "*", "create*"), "login logout": act("signs-in writes-secret",
                    "*"), "package generate-lockfile": act("changes", "*"),
    }),
    "rustup": Program("v/verbose q/quiet", subs={"show which doc help check man": look("*"), "run": Program("install",
        "text argv", "read-only"),
            "update install toolchain component target default override self set completions": act(
                "installs-package network", "*",
                    special=lambda draft: draft.looks("installs-package") if draft.operands[:1] == ["list"]
                        else None)}),
    "rustc rustfmt rustdoc": Program("o=write O g L= l= C= A= W= D= F= crate-type= crate-name= edition= emit= "
        "print=!dry target= out-dir=write check!dry V!dry v explain=!dry cfg= extern= test", "read*", "changes",
            special=_linked),
    "go": Program("C=base", subs={
        "tool": act("changes", "*", long=True,
            special=lambda draft: draft.looks("changes") if (draft.operands[:1] in (["nm"],
            ["objdump"], ["buildid"], ["addr2line"],
                []) or (draft.operands[:1] == ["cover"] and any(word.startswith("-func")
                for word in draft.args))) and not any(word.startswith(("-w", "-o",
                    "-http")) for word in draft.args) else None),
        "version env list doc vet help": look("m json f= u deps compiled e find test export tags= mod= versions "
            "retracted all src short c cmd changed w=text!changes u=text!changes v n x vettool=program".replace(
                " u deps", " deps"), "mention*", long=True, special=lambda draft: draft.acts() if {"-w",
                    "-u"} & set(draft.flags) and draft.words == ["env"] else None),
        "build test bench generate fix": act("runs-project", "o=write C=base exec=shell toolexec=shell *",
            "mention*", long=True), "run": Program("C=base exec=shell race tags= mod= ldflags= v x work a n "
                "modfile= overlay=", "text*", "runs-project", long=True, special=_go_run, stops=True),
        "fmt": act("changes", "*"), "get install": act("installs-package network", "*"), "clean": act("changes",
            "n!dry *"), "work bug telemetry": act("changes", "*"),
        "mod": Program(subs={"graph why verify": look("*"), "tidy download init edit vendor": act("changes network",
            "*")}),
    }),
    "gofmt goimports gofumpt golangci-lint staticcheck golint govulncheck revive": look(
        "w!changes d l e s r= cpuprofile=write fix!changes c/config= *", "read*"),
    "gem bundle bundler cpanm composer pecl pear cabal stack opam luarocks rebar3 nuget paket dub nimble "
    "shards pub raco mvnd conan vcpkg spack alr gleam": Program("*", "text*", "installs-package network",
            subs=_LANG),
    # Its own shell runs what follows a `!` as Perl.
    "cpan": Program("*", "text*", "installs-package network", subs=_LANG, stdin="code:perl"),
    "dotnet": Program("info!dry version!dry list-sdks!dry list-runtimes!dry d/diagnostics",
        subs={"list help --info --version --list-sdks": look("*"), "run test build publish pack watch msbuild format "
            "exec vstest": act("runs-project", "*"),
                "fsi": act("runs-project", "exec load=file use=file *", "file"),
                "add restore tool workload new": act("installs-package network",
                "*"), "remove clean": act("changes", "*"),
                "nuget": Program("*", subs={"push delete": act("publishes-package network", "*"),
                    "list locals verify why": look("*", "text*", "network"),
                    "add remove update enable disable trust sign config": act("package-source", "*")}),
                "ef": act("runs-project", "*", "mention*", special=_entities),
                    "sln dev-certs user-secrets": act("changes", "*")}),
    "omz zinit antigen zplug fisher": act("installs-package network", "*"),
    # Lists are built anew from what is set up; other settings or another root are a change of the system.
    "ldconfig": act("upkeep", "p/print-cache!dry V!dry v n N X f=read!kernel C=write!kernel r=text!kernel l",
        "mention*"),
    "locale-gen": act("system-settings", "h!dry *"),
    "grub-mkconfig": look("o/output=write!kernel v/version"),
    "update-ca-certificates update-initramfs update-grub grub-install": act(
        "system-settings kernel", "h!dry ?!dry *"),
}  # fmt: skip
