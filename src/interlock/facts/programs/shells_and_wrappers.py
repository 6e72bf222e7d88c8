"""Shells, their own commands, and the programs that run another one."""

from __future__ import annotations

import re

from interlock.facts.limits import FILLED
from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, look, words

__all__ = ["TABLE", "run_argv"]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
# Shells that only check what they are given with -n.
_CHECKS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_SHELL_SIGNS = frozenset(";|&$`<>()\n\"'\\ \t*?[]{}~#")


def run_argv(draft: UseDraft, words: list[str]) -> None:
    """Note a program and its arguments, if there is one; once more without a word that may be an option's value."""
    if words:
        draft.run("argv", *words)
    if draft.doubtful and len(words) > 1:
        draft.run("argv", *words[1:])


def _after_assignments(draft: UseDraft, words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    return words[at:]


def _sudo(draft: UseDraft) -> None:
    words = _after_assignments(draft, draft.operands)
    if "--edit" in draft.flags:
        draft.reads += words
        draft.writes += words
        draft.add("interactive")
    elif "--shell" in draft.flags or "--login" in draft.flags:
        draft.add("interactive")
        if words:
            draft.run("shell", " ".join(words))
        else:
            draft.stdin = "shell"
    elif words:
        run_argv(draft, words)
    elif {"--list", "--validate"} & set(draft.flags):
        draft.drop("privilege")


def _su(draft: UseDraft) -> None:
    words = draft.operands[1:] if draft.operands else []
    command = draft.value("--command") or draft.value("--session-command")
    if command is not None:
        draft.run("shell", command)
    elif words and words[0] == "-c" and len(words) > 1:
        draft.run("shell", words[1])
    elif words:
        draft.run("argv", *words)
    else:
        draft.stdin = "shell"


def _runuser(draft: UseDraft) -> None:
    if "--user" in draft.flags:
        run_argv(draft, draft.operands)
    else:
        _su(draft)


def _env(draft: UseDraft) -> None:
    split = draft.value("--split-string")
    words = _after_assignments(draft, draft.operands[1:] if draft.operands[:1] == ["-"] else draft.operands)
    if split is not None:
        draft.run("shell", " ".join((split, *draft.operands)))
    elif words:
        run_argv(draft, words)
    else:
        draft.add("reads-environment")


def _xargs(draft: UseDraft) -> None:
    words = list(draft.operands) or ["echo"]
    marks = [value for name, value in draft.values if name in {"--replace", "-I", "-J"}]
    if "--replace" in draft.flags:
        marks = [mark or "{}" for mark in marks] or ["{}"]
    if "--arg-file" in draft.flags:
        draft.stdin = "data"  # the words come from that file, and the command reads what is piped in
    if {"--interactive", "--open-tty"} & set(draft.flags):
        draft.add("interactive")
    replaced = words
    for mark in marks:
        replaced = [word.replace(mark, "\0") for word in replaced] if mark else replaced
    if replaced == words and draft.value("--arg-file") != "/dev/null":
        replaced = [*words, "\0"]
    run_argv(draft, replaced)


def _shell(draft: UseDraft) -> None:
    words = draft.operands
    if (
        draft.name in _CHECKS
        and "-n" in draft.flags
        and "-i" not in draft.flags
        and words[:1]
        and words[0][:1] not in "+\0"
    ):
        draft.reads += words[:1] if "-c" not in draft.flags else []
        return
    if "-c" in draft.flags:
        if words:
            draft.run("shell", words[0])
    elif words and "-s" not in draft.flags:
        draft.reads.append(words[0])
        draft.run("file", *words, by=draft.name)
    else:
        draft.stdin = "shell"


def _fish(draft: UseDraft) -> None:
    texts = [value for name, value in draft.values if name in {"--command", "--init-command"}]
    for text in texts:
        draft.run("shell", text)
    if not texts and draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by=draft.name)
    elif not texts:
        draft.stdin = "shell"


def _arch(draft: UseDraft) -> None:
    """macOS: `arch -x86_64 CMD`; elsewhere it prints the machine's name."""
    args = draft.args
    at = 0
    while at < len(args) and args[at][:1] == "-":
        at += 2 if args[at] in {"-arch", "--arch", "-e", "-d"} else 1
    draft.operands += args[at:]
    if args[at:]:
        draft.run("argv", *args[at:])


def _source(draft: UseDraft) -> None:
    if draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by=draft.name)


def _eval(draft: UseDraft) -> None:
    words = draft.args[1:] if draft.args[:1] == ("--",) else draft.args
    draft.operands += words
    if words:
        draft.run("shell", " ".join(words))


def _command(draft: UseDraft) -> None:
    if "-v" not in draft.flags and "-V" not in draft.flags:
        run_argv(draft, draft.operands)


def _trap(draft: UseDraft) -> None:
    if len(draft.operands) > 1 and draft.operands[0] not in {"", "-"}:
        draft.run("shell", draft.operands[0])


def _cd(draft: UseDraft) -> None:
    draft.cd = draft.operands[0] if draft.operands else "~"
    if draft.cd == "-" or (len(draft.cd) > 1 and draft.cd[0] in "+-" and draft.cd[1:].isdigit()):
        draft.cd = "\0"


def _pushd(draft: UseDraft) -> None:
    word = next((word for word in draft.args if not word.startswith(("+", "-"))), None)
    draft.cd = word if word is not None else "\0"
    draft.operands += draft.args
    if "-n" in draft.args:
        draft.cd = None


def _popd(draft: UseDraft) -> None:
    draft.cd = None if "-n" in draft.args else "\0"


def _history(draft: UseDraft) -> None:
    if {"-c", "-d"} & set(draft.flags):
        draft.add("history-wiped")
    files = draft.operands or ["~/.bash_history"]
    if {"-a", "-w"} & set(draft.flags):
        draft.writes += files
    elif {"-r", "-n"} & set(draft.flags):
        draft.reads += files


def _export(draft: UseDraft) -> None:
    if not draft.operands:
        draft.drop("shell-state")
        draft.add("reads-environment")
        return
    draft.acts()
    for word in draft.operands:
        name, _, value = word.partition("=")
        if name in {"HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "HISTIGNORE"}:
            if value in {"", "0", "/dev/null", "*"} or name == "HISTIGNORE":
                draft.add("history-wiped")
            elif name == "HISTCONTROL" and {"ignoreboth", "ignorespace"} & set(value.split(":")):
                draft.add("hides")
        elif name in {"PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "PYTHONPATH", "NODE_OPTIONS"}:
            draft.add("changes")


def _unset(draft: UseDraft) -> None:
    if {"HISTFILE", "HISTSIZE", "HISTFILESIZE"} & set(draft.operands):
        draft.add("history-wiped")


def _set(draft: UseDraft) -> None:
    if not draft.args:
        draft.drop("shell-state")
        draft.add("reads-environment")
    else:
        draft.operands += draft.args
        if "history" in draft.args and "+o" in draft.args:
            draft.add("history-wiped")


def _alias(draft: UseDraft) -> None:
    if any("=" in word for word in draft.operands):
        draft.add("shell-state")


def _time(draft: UseDraft) -> None:
    run_argv(draft, draft.operands)


def _busybox(draft: UseDraft) -> None:
    draft.operands += draft.args
    if draft.args and not draft.args[0].startswith("-"):
        draft.run("argv", *draft.args)


def _flock(draft: UseDraft) -> None:
    words = draft.operands
    if words:
        draft.creates.append(words[0])
    command = draft.value("--command")
    if command is not None:
        draft.run("shell", command)
    elif len(words) > 2 and words[1] in {"-c", "--command"}:
        draft.run("shell", words[2])
    elif len(words) > 1:
        draft.run("argv", *words[1:])


def _chroot(draft: UseDraft) -> None:
    words = draft.operands
    same = bool(words) and not words[0].strip("/.")  # the whole system, or where the shell stands
    if words and not same:
        draft.base = words[0]
    if len(words) > 1:
        draft.run("argv", *words[1:], where="here" if same else "container")
    else:
        draft.stdin = "shell"


def _namespaces(draft: UseDraft) -> None:
    if draft.operands:
        run_argv(draft, draft.operands)
    else:
        draft.stdin = "shell"


def quoted(word: str) -> str:
    """A word as a shell would have to read it to get it back."""
    if word and not _SHELL_SIGNS & set(word):
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _filled(template: list[str], argument: str, *, adds: bool = True) -> list[str]:
    marks = ("{}", "{.}", "{/}", "{//}", "{/.}", "{1}")
    filled = []
    found = False
    for word in template:
        for mark in marks:
            if mark in word:
                word, found = word.replace(mark, argument), True
        filled.append(word)
    return filled if found or not adds else [*filled, argument]


def _parallel(draft: UseDraft) -> None:
    words = draft.operands
    at = next((at for at, word in enumerate(words) if word.startswith(":::")), len(words))
    template, given = words[:at], words[at:]
    sources: list[list[str]] = []
    for word in given:
        if word.startswith(":::"):
            sources.append([])
            if word.startswith("::::"):
                sources[-1].append("\0")
        elif sources[-1][:1] == ["\0"]:
            draft.reads.append(word)
        else:
            sources[-1].append(word)
    if not sources:
        draft.stdin = "args" if template else "shell"
        if not template and draft.value("--arg-file") is not None:
            draft.run("shell", "\0")
        sources = [["\0"]] if template else []
    adds = draft.value("--max-args") != "0"
    arguments = sources[0] if len(sources) == 1 else ["\0"] if sources else []
    if len(arguments) * (len(template) + 1) > FILLED.most:
        arguments, draft.reached = ["\0"], FILLED
    for argument in arguments:
        if not template:
            draft.run("shell", argument)
        elif any(_SHELL_SIGNS & set(word) - set("{}\0") for word in template):
            draft.run("shell", " ".join(_filled(template, quoted(argument), adds=adds)))
            draft.run("argv", *_filled(template, argument, adds=adds))  # as it was meant, if not as it is run
        else:
            draft.run("argv", *_filled(template, argument, adds=adds))


_TMUX_RUNS = words(
    "new new-session neww new-window splitw split-window run run-shell respawn-pane respawnp popup display-popup "
    "if-shell if pipe-pane"
)


def _tmux(draft: UseDraft) -> None:
    """Shell texts of `new`, `split-window`, `send-keys` and others are run in a terminal of their own."""
    words = list(draft.operands)
    if not words:
        draft.add("interactive", "runs-shell")
        draft.acts()
        return
    command = words[0]
    looks = {"ls", "list-sessions", "list-windows", "lsw", "list-panes", "lsp", "show-options", "show", "info",
        "has-session",
             "has", "capture-pane", "capturep", "display-message", "list-keys", "lsk", "list-commands",
             "list-buffers",
             "show-buffer", "show-environment", "list-clients", "lsc"}  # fmt: skip
    if command in looks:
        return
    draft.acts()
    valued = {"-s", "-n", "-t", "-c", "-F", "-x", "-y", "-e", "-l", "-b", "-p", "-N"}
    at = 1
    rest: list[str] = []
    while at < len(words):
        if words[at] in valued:
            at += 2
            continue
        if words[at][:1] != "-":
            rest = words[at:]
            break
        at += 1
    if command.startswith("kill"):
        # One session that is named was started for the work; `-a` and the server end all others.
        named = command in {"kill-session", "kill-window", "kill-pane", "killw", "killp"} and "-t" in words
        draft.add("upkeep" if named and "-a" not in words else "kills")
    elif command in {"send-keys", "send"}:
        keys = {"Enter", "C-m", "C-c", "Space", "Tab", "Escape"}
        draft.run("shell", " ".join(word for word in rest if word not in keys))
    elif rest and command in _TMUX_RUNS:
        draft.run("shell", " ".join(rest))
    elif rest and command in {"source", "source-file"}:
        draft.reads += rest


def _screen(draft: UseDraft) -> None:
    if "-X" in draft.flags:
        words = draft.operands
        if words[:1] == ["stuff"]:
            draft.run("shell", " ".join(words[1:]))
        elif words[:1] == ["exec"] or words[:1] == ["screen"]:
            run_argv(draft, words[1:])
        elif words[:1] in (["quit"], ["kill"]):
            draft.add("kills")
    else:
        run_argv(draft, draft.operands)


def _script(draft: UseDraft) -> None:
    command = draft.value("--command")
    words = draft.operands
    if words[:1] != ["/dev/null"]:
        draft.writes += words[:1] or (["typescript"] if "--log-out" not in draft.flags else [])
    if command is not None:
        draft.run("shell", command)
    elif len(words) > 1:
        draft.run("argv", *words[1:])
    else:
        draft.stdin = "shell"
        draft.add("runs-shell")


def _watch(draft: UseDraft) -> None:
    if draft.operands:
        if "--exec" in draft.flags:
            draft.run("argv", *draft.operands)
        else:
            draft.run("shell", " ".join(draft.operands))
            if len(draft.operands) > 1:
                draft.run("argv", *draft.operands)  # as it was meant, if not as it is run


def _read(draft: UseDraft) -> None:
    """The shell's `read` fills variables from its input."""


_SH = (
    "a b C e f h i k l m n o= O= p r/restricted s t u v x c B E H P D dump-strings dump-po-strings login noprofile "
    "norc posix verbose rcfile=file init-file=file"
)

_TAKE_TWO = frozenset({
    "--ro-bind", "--bind", "--dev-bind", "--ro-bind-try", "--bind-try", "--dev-bind-try", "--ro-bind-data",
    "--bind-data", "--symlink", "--file", "--setenv", "--chmod",
})  # fmt: skip


def _pairs(args: tuple[str, ...]) -> tuple[str, ...]:
    """The words of `bwrap` with one value for each option that takes two, so that the program behind them is found."""
    kept: list[str] = []
    at = 0
    while at < len(args):
        kept.append(args[at])
        at += 1
        if kept[-1] in _TAKE_TWO:
            kept += args[at : at + 1]
            at += 2
    return tuple(kept)


TABLE: Table = {
    "sudo": Program("A/askpass b/background B/bell C/close-from= D/chdir=base E/preserve-env? e/edit g/group= "
        "H/set-home h/host= i/login K/remove-timestamp "
        "k/reset-timestamp l/list n/non-interactive P/preserve-groups p/prompt= R/chroot= r/role= "
        "S/stdin s/shell t/type= T/command-timeout= "
        "U/other-user= u/user= v/validate", "text*", "read-only privilege", special=_sudo, stops=True),
    "doas": Program("L n s/shell a= C=read u/user=", "text*", "read-only privilege", special=_sudo, stops=True),
    "sudoedit": Program("A B C= g= h= k n p= R= r= S T= U= u=", "edit*", "privilege interactive"),
    "pkexec dzdo calife run0": Program("u/user= disable-internal-agent keep-cwd g/group= E H n", "text*",
        "read-only privilege", special=_sudo, stops=True),
    "gosu su-exec setuidgid chpst": Program("u= U= b= e=base /= n= l= L= m= d= o= p= f= c= t= P 0 1 2 v", "text argv",
        "read-only privilege"),
    "su": Program("c/command= f/fast g/group= G/supp-group= l/login m/p/preserve-environment P/pty s/shell=program "
        "session-command= T/no-pty w/whitelist-environment=",
                  "text*", "read-only privilege", special=_su),
    "runuser": Program("c/command= f/fast g/group= G/supp-group= l/login m/p/preserve-environment P/pty "
        "s/shell=program session-command= u/user= w=",
                       "text*", "read-only privilege", special=_runuser, stops=True),
    "arch": Program(traits="read-only", parse=_arch),
    "env": Program("i/ignore-environment 0/null u/unset= C/chdir=base S/split-string= block-signal? default-signal? "
        "ignore-signal? list-signal-handling v/debug P= argv0= a= L= U=",
                   "text*", "read-only", special=_env, stops=True),
    "printenv": look("0/null", "text*", "reads-environment"),
    "time": Program("a/append f/format= o/output=write p/portability q/quiet v/verbose l h", "argv", "read-only"),
    "timeout gtimeout": Program("foreground k/kill-after= p/preserve-status s/signal= v/verbose f", "text argv",
        "read-only"),
    "nice": Program("n/adjustment= 0 1 2 3 4 5 6 7 8 9", "argv", "read-only"),
    "ionice": Program("c/class= n/classdata= p/pid=!changes P/pgid=!changes t/ignore u/uid=!changes", "argv",
        "read-only"),
    "chrt": Program("a/all-tasks b/batch d/deadline f/fifo i/idle m/max o/other p/pid!changes r/rr R/reset-on-fork "
        "v/verbose T= P= D=", "text argv", "read-only"),
    "taskset": Program("a/all-tasks c/cpu-list p/pid!changes", "text argv", "read-only"),
    "numactl": Program("a/all i/interleave= p/preferred= m/membind= N/cpunodebind= C/physcpubind= l/localalloc "
        "s/show H/hardware", "argv", "read-only"),
    "prlimit": Program("p/pid=!changes o/output= noheadings raw verbose c? d? e? f? i? l? m? n? q? r? s? t? u? v? x? "
        "y? core? data? nice? fsize? sigpending? memlock? rss? nofile? "
        "msgqueue? rtprio? stack? cpu? nproc? as? locks? rttime?", "argv", "read-only"),
    "choom": Program("p/pid=!changes n/adjust=", "argv", "read-only"),
    "stdbuf unbuffer": Program("i/input= o/output= e/error= p", "argv", "read-only"),
    "setarch linux32 linux64 i386 x86_64": Program("R/addr-no-randomize B/32bit F/fdpic-funcptrs I/short-inode "
        "L/addr-compat-layout S/whole-seconds T/sticky-timeouts "
        "X/read-implies-exec Z/mmap-page-zero 3/3gb v/verbose "
        "list show?", "argv", "read-only"),
    "catchsegv faketime fakeroot eatmydata proxychains proxychains4 torsocks torify tsocks cgexec "
    "dbus-run-session aoss softlimit envdir chronic ifne winpty aa-exec tini dumb-init": Program(
        "d i m s t= u w= f= l= o= a= g= p= q v c= b= P= r= F= H= S= A N R", "argv", "read-only"),
    "hyperfine poop": Program("w/warmup= m/min-runs= M/max-runs= r/runs= s/setup=line p/prepare=line "
        "C/conclude=line c/cleanup=line P/parameter-scan= D/parameter-step-size= "
        "L/parameter-list= S/shell= N i/ignore-failure style= sort= u/time-unit= "
        "export-asciidoc=write export-csv=write export-json=write export-markdown=write "
        "export-orgmode=write show-output output= input=read n/command-name= reference=line",
                                  "shell*", "read-only"),
    "xargs gxargs": Program("0/null a/arg-file=read d/delimiter= E= e? eof? I= i/replace? L/max-lines= l? "
        "n/max-args= o/open-tty!interactive P/max-procs= p/interactive!interactive r/no-run-if-empty "
        "R= S= s/max-chars= t/verbose x/exit show-limits process-slot-var= J=", "text*",
                                "read-only", special=_xargs, stops=True, stdin="args"),
    "parallel": Program("j/jobs/P= k/keep-order a/arg-file=read 0/null d/delimiter= n/max-args/N= m X q/quote "
        "S/sshlogin=host sshloginfile=read slf=read retries= joblog=write "
        "resume resume-failed dry-run/dryrun halt= timeout= delay= progress eta bar v/verbose t pipe "
        "pipepart block= recstart= recend= tag tagstring= "
        "results=write tmpdir= tempdir= will-cite citation line-buffer/lb ungroup/u group colsep/C= "
        "header= I= plus xapply link shuf nice= memfree= load= "
        "r/no-run-if-empty bg fg semaphore id= env= workdir/wd= transferfile= return= cleanup "
        "basefile= trc= trim= files L= l? i? s/max-chars= "
        "rpl= no-notice silent gnu onall nonall shellquote number-of-cores ctrlc noswap", "text*",
                            "read-only", special=_parallel, stops=True),
    "watch": Program("b/beep c/color C/no-color d/differences? e/errexit g/chgexit n/interval= p/precise q/equexit= "
        "r/no-rerun s/shotsdir= t/no-title w/no-wrap x/exec v",
                     "text*", "read-only", special=_watch, stops=True),
    "rlwrap": Program("a? A b= c C= D= f=read g= H=write i l=write m? M= n N o O= p? P= q= r R s= S= t= U v w= W? X "
        "z=program", "argv",
        "read-only"),
    "logsave": Program("a s v", "write argv"),
    "setlock": Program("n N x X", "create argv"),
    "cpulimit": Program("l/limit= p/pid=!changes e/exe= P/path= b/background f/foreground z/lazy i/include-children "
        "m/monitor-forks v/verbose k/kill!kills c/cpu= s= r= q", "argv", "read-only"),
    "openvt": Program("c/console= e/exec f/force l/login u/user s/switch w/wait v/verbose", "argv", "read-only"),
    "ssh-agent grc multitime pexec genie xvfb-run dbus-launch ld-linux-x86-64.so.2 ld-linux.so.2 "
        "ld-linux-aarch64.so.1 ld-musl-x86_64.so.1": Program(
        "a/auto-servernum s n= e= q r= c k d D t= pty colour= stdout stderr exit-with-session "
        "library-path= preload= argv0= list verify P=", "argv", "read-only"),
    "ksu": Program("n= c= k r= p= z Z q e a= l= D", "argv", "read-only privilege"),
    "run-parts": Program("test!dry list!dry v/verbose report reverse exit-on-error umask= lsbsysinit "
        "new-session regex= a/arg=", "file*", "only-runs"),
    "entr": Program("a c d n p r s x z", "argv", "read-only"),
    "watchexec": Program("w/watch=read c/clear? o/on-busy-update= r/restart s/signal= e/exts= f/filter= i/ignore= n "
        "shell= no-shell p/postpone d/debounce= delay-run= poll? "
        "no-vcs-ignore no-project-ignore no-default-ignore 1 q/quiet timings N/notify E/env= "
        "stop-signal= stop-timeout= project-origin= workdir=base", "shell+", "read-only"),
    "bash sh zsh dash ksh ash rbash mksh yash posh ksh93 csh tcsh elvish xonsh rksh sash rc": Program(_SH, "text*",
        "read-only", special=_shell, stops=True),
    "fish nu": Program("c/command/commands= C/init-command= d/debug= o/debug-output=write i/interactive l/login "
        "n/no-execute p/profile=write P/private N/no-config features= v e/execute= "
        "config=file env-config=file stdin", "text*", "read-only", special=_fish, stops=True),
    "source .": Program("", "text*", "read-only", special=_source, stops=True),
    "eval": Program(traits="read-only", parse=_eval),
    "exec": Program("a= c l", "argv", "read-only"),
    "command": Program("p v V", "text*", "read-only", special=_command, stops=True),
    "builtin noglob nocorrect": Program("", "argv", "read-only"),
    "coproc": Program("", "argv", "read-only"),
    "trap": Program("l p P", "text*", "read-only", special=_trap, stops=True),
    "cd chdir": Program("L P e @ q s", "text*", "read-only", special=_cd, help=False),
    "pushd": Program(traits="read-only", parse=_pushd),
    "popd": Program(traits="read-only", parse=_popd),
    "dirs": look("c l p v"),
    "history": look("c d= a n r w p s E D f i", "text*", "reads-environment", special=_history),
    "fc": Program("e=program l n r s", "text*", "only-runs"),
    "export": Program("f n p", "text*", "shell-state", special=_export),
    "declare typeset local readonly": Program("a A f F g i I l n p r t u x T U H L R Z", "text*", "shell-state",
        special=_export),
    "unset unsetenv": Program("f v n", "text*", "shell-state", special=_unset),
    "set": Program(traits="shell-state", parse=_set),
    "shopt setopt unsetopt": Program("o p q s u", "text*", "shell-state"),
    "alias": look("p g s L", special=_alias),
    "unalias": Program("a", "text*", "shell-state"),
    "function": Program("", "text*", "shell-state"),
    "read mapfile readarray": Program("a/A= d= e i= n/N= p= r s t= u= c= C=line O= k q z", "text*", "read-only",
        special=_read),
    "shift return exit break continue times wait jobs logout caller fg bg suspend": look("*"),
    "getopts let hash enable bind complete compopt ulimit disown bindkey": Program("*", "text*", "shell-state"),
    "compgen": look("a b c d e f g j k s u v o= A= G= W= F=line C=line P= S= X="),
    "busybox toybox": Program(traits="read-only", parse=_busybox),
    "flock lockf": Program("c/command= E/conflict-exit-code= e/x/exclusive F/no-fork n/nb/nonblock o/close s/shared "
        "u/unlock verbose w/timeout= k", "text*", special=_flock, stops=True),
    "chroot": Program("groups= userspec= skip-chdir u= g= G=", "text*", "privilege", special=_chroot, stops=True),
    "unshare": Program("m/mount? u/uts? i/ipc? n/net? p/pid? U/user? C/cgroup? T/time? f/fork kill-child? "
        "mount-proc? r/map-root-user c/map-current-user map-user= map-group= map-auto "
        "map-users= map-groups= propagation= setgroups= R/root= w/wd= S/setuid= G/setgid= keep-caps "
        "monotonic= boottime=", "text*", "privilege", special=_namespaces, stops=True),
    "nsenter": Program("a/all t/target= m/mount? u/uts? i/ipc? n/net? p/pid? U/user? C/cgroup? T/time? S/setuid? "
        "G/setgid? preserve-credentials r/root? w/wd? W/wdns? F/no-fork Z e/env",
                       "text*", "privilege", special=_namespaces, stops=True),
    "bwrap": Program("ro-bind= bind= dev-bind= ro-bind-try= bind-try= dev-bind-try= ro-bind-data= bind-data= "
        "remount-ro= overlay-src= overlay= tmp-overlay= ro-overlay= symlink= file= setenv= unsetenv= clearenv dev= "
        "proc= tmpfs= mqueue= dir= chdir= chmod= perms= size= uid= gid= hostname= args= argv0= lock-file= sync-fd= "
        "block-fd= userns= userns2= userns-block-fd= pidns= info-fd= json-status-fd= seccomp= add-seccomp-fd= "
        "exec-label= file-label= cap-add= cap-drop= as-pid-1 new-session die-with-parent unshare-all share-net "
        "unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup "
        "unshare-cgroup-try level-prefix disable-userns assert-userns-disabled",
            "argv", "only-runs", long=True, rewrite=_pairs),
    "firejail sandbox-exec": Program("ro-bind= bind= dev-bind= f= n= p= D= quiet private? net= noprofile "
        "profile= dev= proc= tmpfs= chdir= unshare-all share-net die-with-parent",
            "argv", "only-runs", long=True),
    "tmux byobu tmate": Program("2 C c=line D f=file L= l N S= T= u V v", "text*", "read-only", special=_tmux,
    stops=True),
    "screen": Program("4 6 a A c=file D d? e= f h= i L list ls l m O p= q R? r? S= s= T= t= U v wipe x X Q", "text*",
        "only-runs", special=_screen, stops=True),
    "zellij": Program("s/session= l/layout=read c/config=read config-dir= data-dir= d/debug max-panes=", "text*",
        "interactive changes"),
    "script": Program("a/append c/command= e/return E/echo= f/flush F force I/log-in=write B/log-io=write "
        "O/log-out=write T/log-timing=write t? m/logging-format= o/output-limit= q/quiet r d p k",
                      "text*", "read-only", special=_script, stops=True),
    "scriptreplay": look("t/timing=read I/log-in=read O/log-out=read B/log-io=read s/typescript=read summary "
        "d/divisor= m/maxdelay= x/stream= c/cr-mode=", "read*"),
    "asciinema": Program("q y/yes", "text*", "changes", subs={
        "rec record": Program("a/append stdin raw overwrite!forced c/command=line e/env= i/idle-time-limit= "
            "t/title= q/quiet y cols= rows=", "write", "captures"),
        "play cat": look("i= s/speed= l/loop m", "fetch*"),
        "upload": Program("", "send*", "publishes-package network"),
        "auth": Program("", "", "signs-in network"),
    }),
}  # fmt: skip
