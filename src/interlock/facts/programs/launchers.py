"""Programs that start another one: with variables, in a terminal, again, later, or on many machines."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Special, Table, act, look

__all__ = ["TABLE"]


def _after_dashes(draft: UseDraft) -> None:
    """The command follows `--`, else the options and their own words."""
    args = draft.args
    words = args[args.index("--") + 1 :] if "--" in args else tuple(draft.operands)
    if words:
        draft.run("argv", *words)
    else:
        draft.acts()


def _variables(draft: UseDraft) -> None:
    """`cross-env A=b command`: as `env` does it."""
    if draft.operands:
        draft.run("argv", "env", *draft.operands)


def _dotenv(draft: UseDraft) -> None:
    verb = draft.operands[:1]
    if verb in (["list"], ["get"]):
        draft.add("reads-secret")
    elif verb in (["set"], ["unset"]):
        draft.writes.append(draft.value("--file") or ".env")
    else:
        words = [word for word in draft.operands[1 if verb == ["run"] else 0 :] if word != "--"]
        draft.run("argv", *words) if words else draft.acts()


_RTK_SHOWS = frozenset({"gain", "discover", "version", "help", "cc-economics", "session"})
_RTK_CHANGES = frozenset({"init", "hook", "trust", "untrust", "verify", "learn", "telemetry", "config"})


def _rtk(draft: UseDraft) -> None:
    """Shortens what another program prints: `rtk git status`."""
    words = draft.operands
    if words and words[0] in _RTK_CHANGES:
        draft.acts()
    elif words and words[0] not in _RTK_SHOWS:
        draft.run("argv", *words[1 if words[0] in {"proxy", "err", "test", "summary", "run"} else 0 :])


def _terminal(*flags: str, shell: bool = False) -> Special:
    """A terminal: what follows one of these options, to the end, is run in it."""

    def of(draft: UseDraft) -> None:
        args = draft.args
        at = next((place for place, word in enumerate(args) if word in flags), None)
        if at is None:
            draft.add("interactive")
            draft.acts()
            if "--" in args:
                draft.run("argv", *args[args.index("--") + 1 :])
            return
        words = args[at + 1 :]
        if len(words) == 1 or shell:
            draft.run("shell", words[0] if words else "\0")
        elif words:
            draft.run("argv", *words)

    return of


def _subcommand_runs(*verbs: str) -> Special:
    """`tool exec -- command`; its other subcommands are no wrappers."""

    def of(draft: UseDraft) -> None:
        if draft.operands[:1] and draft.operands[0] in verbs:
            args = draft.args
            words = args[args.index("--") + 1 :] if "--" in args else tuple(draft.operands[1:])
            if words:
                draft.run("argv", *words)
        else:
            draft.add("changes")
            draft.acts()

    return of


def _elsewhere(draft: UseDraft) -> None:
    """A job of a batch system: it runs on another machine."""
    if draft.operands:
        draft.run("argv", *draft.operands, where="host")


def _shells(draft: UseDraft) -> None:
    """Every operand is a command line."""
    for word in draft.operands:
        draft.run("shell", word)


def _served(draft: UseDraft) -> None:
    """A command, a shell above all, behind a web page."""
    draft.add("network/listens")
    draft.acts()
    if draft.operands:
        name = draft.operands[0].rpartition("/")[2]
        if name in {"bash", "sh", "zsh", "fish", "login", "dash", "ksh", "tmux", "screen", "su", "sudo"}:
            draft.add("network/shell")
        draft.run("argv", *draft.operands)


_WRAP = "*"
_BATCH = (
    "J/job-name= N/nodes= n/ntasks= c/cpus-per-task= t/time= p/partition= A/account= o/output=write e/error=write "
    "mem= gres= D/chdir=base wrap=shell array= dependency= mail-type= mail-user= exclusive w= q= l= j= V M= P= R= W= "
    "I K x= pty mpi= label np= host= hostfile=read oversubscribe bind-to= map-by= mca= allow-run-as-root"
)

TABLE: Table = {
    # with other variables
    "cross-env cross-env-shell": Program("", "text*", "read-only", special=_variables, stops=True),
    "env-cmd": Program("f/file=read r/rc-file=read e/environments= x/expand-envs fallback no-override silent "
        "use-shell verbose recursive", "argv", "read-only"),
    "dotenv dotenv-cli": Program("e=read f/file=read c? v= p= o/override q/quote= export d/debug i/ignore cascade",
        "text*",
        "read-only", special=_dotenv, stops=True),
    "envchain summon with-contenv": Program("s/set!writes-secret l/list unset!writes-secret n/no-noecho f/file=read "
        "p= e= "
        "D= yaml=", "text*", "reads-secret", special=lambda draft: draft.run("argv",
            *draft.operands[1 if draft.name == "envchain" else 0 :]) if len(draft.operands) > 1 else None, stops=True),
    "envuidgid": Program("u= U= e=read m= d= o= p= f= c= r= t= "
        "/= b= n= l= L= v P 0 1 2", "text argv", "privilege"),
    # again, together, or with a message at the end
    "retry": Program("t/times= d/delay= m= u/until= w= b f/fail= e", "argv", "read-only"),
    "noti": Program("t/title= m/message= b/banner s/speech p= w/pwatch= k? v d e/slack", "argv",
        "notifies"),
    "viddy hwatch": Program("n/interval= d/differences t/no-title p/precise x/exec s/shell= shell-options= debug pty c "
        "b/beep e/errexit g/chgexit r= l? o/output= A= E/exec-on-change=shell B W", "text*", "read-only",
            special=lambda draft: draft.run("shell", " ".join(draft.operands)) if draft.operands else None, stops=True),
    "gargs": Program("p= n= s= r v d e l=", "shell+", "read-only", stdin="args"),
    "tsp task-spooler nq fq": Program("K!kills C!changes l t= c= p= o= i= s= r= w= k= T= u= U= h B V n f m d D= L= S= "
        "q",
        "argv", "schedules"),
    "pee zrun cronic mispipe": Program(_WRAP, "text*", "read-only", special=lambda draft: _shells(draft)
        if draft.name in {"pee", "mispipe"} else draft.run("argv", *draft.operands) if draft.operands else None,
            stops=True),
    "daemonize daemon catatonit": Program("a c=base e=write E= o=write p=write l=write u= v n/name= "
        "r/respawn "
        "D=base i/inherit f/foreground S U running!dry restart stop!kills", "argv", "service"),
    "dtach abduco": Program("a A c n p N E r= z e= f l q v", "text*", "interactive",
        special=lambda draft: draft.run("argv",
        *draft.operands[1:]) if len(draft.operands) > 1 else None, stops=True),
    # Modules of a cluster's machines: what they set is the shell's own.
    "module ml": act("shell-state", "*", subs={"avail av list li show display help whatis keyword spider overview "
        "is-loaded is-avail search": look("*"), "*": act("shell-state", "*")}),
    "reptyr": act("debugger", "*"),
    "reflex modd air cargo-watch bacon watchman-make watchman-wait chokidar onchange ghcid "
    "gow wgo CompileDaemon fresh realize": act("runs-project", "c/command=shell *", "mention*"),
    # recorded while it runs
    "bear intercept-build compiledb": Program("o/output/cdb=write a/append v/verbose force-wrapper force-preload "
        "config=read n/no-build f p=", "text*", "changes", special=_after_dashes, stops=True),
    "scan-build icecc icerun": Program("o=write v V k t= use-cc= use-analyzer= enable-checker= disable-checker= "
        "status-bugs "
        "keep-going html-title= exclude= analyze-headers", "argv", "changes"),
    "rr": Program("", "text*", "debugger", subs={"record": Program("n h a u o/output-trace-dir=write *", "argv",
        "debugger"),
        "ps ls dump sources traceinfo": look("*"), "*": act("debugger", "*")}),
    "py-spy samply memray scalene austin pyinstrument viztracer flamegraph cargo-flamegraph magic-trace blackfire "
    "hotspot": act("debugger runs-project", "o/output=write p/pid= d/duration= r/rate= *", "mention*",
        special=lambda draft: draft.run("argv",
            *draft.args[draft.args.index("--") + 1 :]) if "--" in draft.args[:-1] else None),
    "gcov lcov genhtml gcovr llvm-cov llvm-profdata": act("changes", "o/output/output-file=write d/directory=read *",
        "read*"),
    "gamemoderun mangohud prime-run optirun primusrun gamescope pasuspender pw-jack": Program(
        "dlsym f W= H= w= h= r= e", "argv", "read-only"),
    # in a batch or on many machines
    "mpirun mpiexec orterun": Program(_BATCH + " c= n= x=", "argv", "read-only", long=True),
    "srun salloc sattach": Program(_BATCH, "text*", "network", special=_elsewhere, stops=True),
    "sbatch qsub msub": act("runs-project network", _BATCH, "file"),
    "bsub": Program(_BATCH, "text*", "network", special=_elsewhere, stops=True),
    "scrontab": act("schedules", "l!dry u/user= e r *", "read*"),
    "squeue sinfo sacct sstat sprio sshare sdiag sreport qstat bjobs bqueues bhosts showq pestat": look("*",
        "text*",
        "cluster/reads"),
    "scancel qdel bkill qhold qrls bstop bresume": act("kills network", "*"),
    "scontrol sacctmgr qmgr badmin": Program("*", "text*", "", subs={"show list ping version help": look("*", "text*",
        "cluster/reads"), "*": act("changes network", "*")}),
    "pssh parallel-ssh pdsh clush dsh": Program("h/hosts=read H/host=host l/user= p/par= "
        "o/outdir=write "
        "e/errdir=write t/timeout= O= v A/askpass x= X= i/inline P I g= w= a f= R= b n= c=", "text*", "cloud/runs "
        "network",
            special=lambda draft: draft.run("shell", " ".join(draft.operands),
                where="host") if draft.operands else None,
                stops=True),
    "mssh csshX cssh clusterssh tmux-cssh": act("interactive network", "*", "host*"),
    "prsync pslurp pnuke parallel-scp rpdcp pdcp": act("network", "h=read H=host l= *", "send* text"),
    # environments of development
    "devbox flox devenv lando ddev kool devpod devcontainer dda herd": Program("*", "text*", "", subs={
        "list info status version ps logs describe search show providers": look("*", "text*", "network"),
        "run shell exec enter activate ssh start up": Program("*", "text*", "runs-project",
            special=lambda draft: _after_dashes(draft) if "--" in draft.args else None),
        "delete rm remove destroy uninstall": act("changes", "*"), "*": act("changes network", "*")}),
    "mirrord": Program("", "text*", "network", special=_subcommand_runs("exec")),
    "x11docker distrobox-enter distrobox-host-exec": Program("n/name= e H/no-workdir T v *", "text*",
        "container/enters",
        special=_after_dashes),
    "distrobox-create distrobox-rm distrobox-stop distrobox-upgrade distrobox-export distrobox-assemble "
    "distrobox-ephemeral": act(
        "container/changes", "*"),
    "distrobox-list": look("n/no-color r/root v/verbose"),
    "rtk": Program("v/verbose u/ultra-compact skip-env V!dry", "text*", "read-only", special=_rtk, stops=True),
    # in a window of its own
    "lxterm urxvtc aterm eterm roxterm cool-retro-term sakura "
    "termite": Program("*", "text*",
        "interactive", special=_terminal("-e")),
    "guake gnome-console "
    "yakuake deepin-terminal terminology rio contour hyper tabby": Program("*", "text*",
        "interactive", special=_terminal("-e", "-x", "--command", "--execute")),
    "footclient": Program("T/title= a/app-id= c/config=read o/override= d/directory=base hold 1 e F m w= "
        "W= *",
        "argv", "interactive"),
    "xdg-terminal-exec cosmic-term": Program("*", "text*", "interactive", special=lambda draft:
        draft.run("argv", *[word for word in draft.args if word != "-e"]) if draft.args else None),
    "gtk-launch dex exo-open kioclient5 handlr mimeopen": act(
        "interactive", "*", "mention*"),
    "ttyd gotty wetty shellinabox shellinaboxd upterm sshx": Program("p/port= i/interface= c/credential= u/uid= "
        "g/gid= "
        "W/writable O/check-origin t/client-option= m/max-clients= o/once T/terminal-type= b/base-path= s/signal= "
        "S/ssl w "
        "permit-write a/address= once a= t= r/reconnect", "text*", "", special=_served, stops=True),
}  # fmt: skip
