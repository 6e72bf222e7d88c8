"""Shells, their own commands, and the programs that run another one."""

from __future__ import annotations

import re

from interlock.facts.limits import FILLED
from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Rewrite, Special

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
    """The words behind `NAME=value`, which no pattern of a description can skip."""
    at = 0
    while at < len(words) and _ASSIGNMENT.match(words[at]):
        at += 1
    return words[at:]


def _sudo(draft: UseDraft) -> None:
    """Variables may come before the command; `-e` edits, `-s` and `-i` join the words for a shell."""
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
    """`su [-] [user [words for its shell]]`."""
    words = draft.operands[2 if draft.operands[:1] == ["-"] else 1 :]
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
    """With `-u` it takes a command as sudo does, else it is `su`."""
    if "--user" in draft.flags:
        run_argv(draft, draft.operands)
    else:
        _su(draft)


def _env(draft: UseDraft) -> None:
    """The command follows the variables; `-S` holds a whole line."""
    split = draft.value("--split-string")
    words = _after_assignments(draft, draft.operands[1:] if draft.operands[:1] == ["-"] else draft.operands)
    if split is not None:
        draft.run("shell", " ".join((split, *draft.operands)))
    elif words:
        run_argv(draft, words)
    else:
        draft.add("reads-environment")


def _xargs(draft: UseDraft) -> None:
    """The command gets words from the input, where a mark stands for them or at its end."""
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
    """A line, a script with its arguments, or the input; `-n` only checks it."""
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
    """A line takes the place of a script; without either, the input is run."""
    texts = [value for name, value in draft.values if name in {"--command", "--init-command"}]
    for text in texts:
        draft.run("shell", text)
    if not texts and draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by=draft.name)
    elif not texts:
        draft.stdin = "shell"


def _callback(draft: UseDraft) -> None:
    """`mapfile -C text`, `compgen -C text`: the text is run with words behind it that only the shell knows."""
    for name, value in draft.values:
        if name == "-C":
            draft.run("shell", f"{value} \0")
        elif name == "-W" and ("$" in value or "`" in value):  # a list of words, which is expanded
            draft.run("shell", f": {value}")


def _arch(draft: UseDraft) -> None:
    """macOS: `arch -x86_64 CMD`; elsewhere it prints the machine's name."""
    args = draft.args
    at = 0
    while at < len(args) and args[at][:1] == "-":
        at += 2 if args[at] in {"-arch", "--arch", "-e", "-d"} else 1
    draft.operands += args[at:]
    if args[at:]:
        draft.run("argv", *args[at:])


def _eval(draft: UseDraft) -> None:
    """All its words are one line; what looks like an option is a part of it."""
    words = draft.args[1:] if draft.args[:1] == ("--",) else draft.args
    draft.operands += words
    if words:
        draft.run("shell", " ".join(words))


def _cd(draft: UseDraft) -> None:
    """Where the shell stands afterwards; `-` and `+2` are places that only the shell knows."""
    draft.cd = draft.operands[0] if draft.operands else "~"
    if draft.cd == "-" or (len(draft.cd) > 1 and draft.cd[0] in "+-" and draft.cd[1:].isdigit()):
        draft.cd = "\0"


def _pushd(draft: UseDraft) -> None:
    """As `cd`; `+2` and `-2` are places of its own list."""
    word = next((word for word in draft.args if not word.startswith(("+", "-"))), None)
    draft.cd = word if word is not None else "\0"
    draft.operands += draft.args
    if "-n" in draft.args:
        draft.cd = None


def _popd(draft: UseDraft) -> None:
    """Back to a place that only the shell knows."""
    draft.cd = None if "-n" in draft.args else "\0"


def _export(draft: UseDraft) -> None:
    """Some variables decide what is remembered and which programs and libraries are found."""
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


def _alias(draft: UseDraft) -> None:
    """A word with `=` sets one, any other asks for it."""
    if any("=" in word for word in draft.operands):
        draft.add("shell-state")


def _busybox(draft: UseDraft) -> None:
    """The first word is a program, or an option of busybox itself, of which only one changes something."""
    draft.operands += draft.args
    if draft.args[:1] == ("--install",):
        draft.add("changes")
        draft.acts()
    elif draft.args and not draft.args[0].startswith("-"):
        draft.run("argv", *draft.args)


def _flock(draft: UseDraft) -> None:
    """The command may be a line, also behind the file: `flock file -c line`."""
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
    """Paths of what it runs start at the new root, unless that is the old one."""
    words = draft.operands
    same = bool(words) and not words[0].strip("/.")  # the whole system, or where the shell stands
    if words and not same:
        draft.base = words[0]
    if len(words) > 1:
        draft.run("argv", *words[1:], where="here" if same else "container")
    else:
        draft.stdin = "shell"


def _namespaces(draft: UseDraft) -> None:
    """A command, or a shell that reads the input."""
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
    """A template with one argument in the place of its marks, or at its end."""
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
    """The template and the arguments are parted by `:::`; each argument makes a command of its own."""
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


_KEYS = frozenset({"Enter", "C-m", "C-c", "Space", "Tab", "Escape"})


def _send_keys(draft: UseDraft) -> None:
    """What is typed into a terminal is run there; the names of keys are no part of it."""
    draft.run("shell", " ".join(word for word in draft.operands if word not in _KEYS))


def _script(draft: UseDraft) -> None:
    """What is shown is written to a file with a name of its own; the command is a line, words, or a shell."""
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
    """The words are joined for a shell, unless `-x` is given."""
    if draft.operands:
        if "--exec" in draft.flags:
            draft.run("argv", *draft.operands)
        else:
            draft.run("shell", " ".join(draft.operands))
            if len(draft.operands) > 1:
                draft.run("argv", *draft.operands)  # as it was meant, if not as it is run


# Options of shells that take the next word, in a bundle or alone.
_SHELL_VALUES = re.compile(r"[-+][A-Za-z]*[oO]|--(?:rcfile|init-file)")


def _shell_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a shell without options that are switched off, `+x`, and with `--` for the `-` behind them."""
    kept: list[str] = []
    at = 0
    while at < len(args) and args[at][:1] in ("-", "+"):
        word = args[at]
        if word in ("-", "--"):
            return (*kept, "--", *args[at + 1 :])
        size = 2 if _SHELL_VALUES.fullmatch(word) else 1
        if word[0] == "-":
            kept += args[at : at + size]
        elif "n" in word:  # so it does not only check
            kept = [one if one[:2] == "--" or one[:1] != "-" else one.replace("n", "") for one in kept]
            kept = [one for one in kept if one != "-"]
        at += size
    return (*kept, *args[at:]) if kept or at else args


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


READERS: dict[str, Special] = {
    "alias": _alias,
    "arch": _arch,
    "busybox": _busybox,
    "callback": _callback,
    "cd": _cd,
    "chroot": _chroot,
    "env": _env,
    "eval": _eval,
    "export": _export,
    "fish": _fish,
    "flock": _flock,
    "namespaces": _namespaces,
    "parallel": _parallel,
    "popd": _popd,
    "pushd": _pushd,
    "runuser": _runuser,
    "script": _script,
    "send_keys": _send_keys,
    "shell": _shell,
    "su": _su,
    "sudo": _sudo,
    "watch": _watch,
    "xargs": _xargs,
}


REWRITES: dict[str, Rewrite] = {
    "pairs": _pairs,
    "shell_words": _shell_words,
}
