"""What commands do to a way through the program: the builtins of a shell, and programs that matter to hooks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from interlock.facts.shell.formats import OutputTooLong, format_text, unescape
from interlock.hook_lint.read.shell.holes import Ask, Atom, Hole, has_holes
from interlock.hook_lint.read.shell.lists import behind
from interlock.hook_lint.read.shell.machine import CommandCall, ShellReader
from interlock.hook_lint.read.shell.state import ShellState, Status
from interlock.hook_lint.read.shell.tests import Truth, arithmetic, bracket, status_of

__all__ = ["BUILTINS", "Command", "failure", "file_or_input", "operands", "prints", "run_program"]


Command: TypeAlias = Callable[[ShellReader, CommandCall, ShellState], list[ShellState]]

# Programs that print nothing of interest, and whose failure says nothing about the call.
_SILENT = frozenset({
    "mkdir", "rm", "rmdir", "touch", "cp", "mv", "ln", "chmod", "chown", "sleep", "kill", "pkill", "killall", "wait",
    "disown", "umask", "ulimit", "alias", "unalias", "complete", "notify-send", "osascript", "say", "afplay", "paplay",
    "aplay", "logger", "flock", "sync", "tput", "stty", "renice", "trap", "shopt", "hash", "bind", "enable", "tee",
    "mkfifo", "sponge", "terminal-notifier", "beep", "canberra-gtk-play", "xdotool", "truncate", "setopt", "unsetopt",
    "emulate", "zmodload", "autoload",
})  # fmt: skip
# Programs that every system has, so that a hook need not check for them.
_ALWAYS = _SILENT | frozenset({
    "date", "basename", "dirname", "realpath", "readlink", "pwd", "hostname", "whoami", "id", "uname", "stat", "find",
    "ls", "diff", "cmp", "md5sum", "sha256sum", "shasum", "md5", "xargs", "env", "nice", "nohup", "timeout", "gtimeout",
    "ps", "pgrep", "df", "du", "file", "mktemp", "seq", "sudo", "cd", "pushd", "popd", "which", "curl", "open", "perl",
    "awk", "sed", "grep", "egrep", "fgrep", "cut", "tr", "head", "tail", "sort", "uniq", "wc", "cat", "tac", "rev",
    "fold", "fmt", "nl", "paste", "column", "comm", "join", "od", "xxd", "hexdump", "base64", "strings", "tty", "bc",
    "expr", "getopt", "printenv", "sh", "bash", "zsh", "dash", "test", "[", "true", "false", "yes", "dd", "lsof", "nc",
    "zip", "unzip", "tar", "gzip", "less", "more", "clear", "mail", "crontab", "split", "shuf", "iconv",
})  # fmt: skip
# Programs that only pass data on. The exit code of any other program may be what the hook asks for: do tests pass?
_PLUMBING = frozenset({
    "cat", "cd", "pushd", "popd", "mktemp", "date", "dirname", "basename", "realpath", "readlink", "mkdir", "cp", "mv",
    "touch", "rm", "source", ".", "jq", "python3", "python", "node", "yq", "tr", "cut", "sed", "head", "tail", "sort",
    "uniq", "wc", "awk", "command", "type", "which", "hash", "curl", "tee", "chmod", "flock", "ln",
})  # fmt: skip
_WRAPPERS = {
    "command": 0, "builtin": 0, "exec": 0, "nohup": 0, "time": 0, "nice": 0, "ionice": 0, "setsid": 0, "stdbuf": 0,
    "sudo": 0, "noglob": 0, "timeout": 1, "gtimeout": 1, "caffeinate": 0,
}  # fmt: skip
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)(?:=(.*))?\Z", re.DOTALL)
_NAMED_BY_GIT = frozenset({"rev-parse", "symbolic-ref", "branch", "rev-list", "describe", "config", "merge-base"})
_ESCAPES = re.compile("escape|json|quote")
_MOST_PRINTED = 20_000
_ENVIRONMENTS = ("nvm.sh", "env.sh", "config.sh", "conf.sh", "settings.sh", "secrets.sh")  # they set variables


# --- helpers --------------------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"\s*-?\d+\s*")


def prints(walk: ShellReader, state: ShellState, text: str, status: Status = 0) -> list[ShellState]:
    """The way behind a command that prints a text."""
    state.write(1, text[:_MOST_PRINTED], walk.here)
    state.status = status
    return [state]


def failure(
    call: CommandCall, *, code: int | None = None, is_failure: bool = True, atoms: tuple[Atom, ...] = ()
) -> Ask:
    """The condition that a command works, which is known only at run time."""
    return Ask(
        text=call.text,
        key="",
        span=call.span,
        code=code,
        failure=is_failure,
        atoms=atoms or (() if is_failure else (Atom("result", call.span),)),
    )


def file_or_input(walk: ShellReader, files: list[str], state: ShellState) -> str:
    """What a program reads: the files that it is given, or else its input."""
    if not files or any(one in ("-", "/dev/stdin") for one in files):
        walk.notes.reads_event = walk.notes.reads_event or _is_event(walk, state.stdin)
        return state.stdin
    return walk.holes.mark(Hole(paths=walk.holes.paths(*files), change="other"))


def _is_event(walk: ShellReader, text: str) -> bool:
    return any(hole.origins == ((),) for hole in walk.holes.of(text))


def operands(args: list[str], with_value: str = "") -> list[str]:
    """The arguments without the options. `with_value`: the letters of the options that take the next word."""
    found: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            found += rest
            break
        if len(arg) > 1 and arg[0] == "-" and not has_holes(arg[:2]):
            if not arg.startswith("--") and arg[-1] in with_value:
                next(rest, None)
            continue
        found.append(arg)
    return found


# --- leaving and going on ---------------------------------------------------------------------------------------------


def _exit(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    codes = _codes(walk, call.args[0]) if call.args else [state.status]
    found = []
    for code in codes:
        way = state.copy() if len(codes) > 1 else state
        way.status = code
        if isinstance(code, Ask):
            for one in way.split():
                if one is not None:
                    walk.leave(one, "exit", call.span)
                    found.append(one)
            continue
        walk.leave(way, "exit", call.span)
        found.append(way)
    return found


def _codes(walk: ShellReader, text: str) -> list[Status]:
    walk.judge_by(text)
    hole = walk.holes.sole(text)
    if hole is not None and hole.status is not None:
        return [hole.status]
    choices = walk.holes.choices(text)
    found: list[Status] = [int(choice) & 0xFF if _NUMBER.fullmatch(choice) else -1 for choice in choices[:4]]
    return found or [-1]


def _return(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    if call.args:
        codes = _codes(walk, call.args[0])
        state.status = codes[0] if len(codes) == 1 else failure(call, is_failure=False)
    state.flow = "return" if walk.calls else "exit"
    if state.flow == "exit":
        walk.leave(state, "exit", call.span)
    return [state]


def _break(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    state.flow = "break" if call.name == "break" else "continue"
    return [state]


def _nothing(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    state.status = 0
    return [state]


def _moves(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    state.status = failure(call, code=1) if call.args else 0
    return [state]


def _false(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    state.status = 1
    return [state]


def _set(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    options = set(state.options)
    args = iter(call.args)
    for arg in args:
        if arg == "--":
            state.positional = tuple(args)
            break
        if arg[:1] not in "-+" or len(arg) < 2:
            state.positional = (arg, *args)
            break
        names = {"errexit" if letter == "e" else letter for letter in arg[1:] if letter != "o"}
        if arg.endswith("o"):
            names.add(next(args, ""))
        options = options | names if arg[0] == "-" else options - names
    state.options = frozenset(options)
    state.status = 0
    return [state]


def _trap(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    args = operands(call.args) if call.args[:1] != ["-"] else call.args
    state.status = 0
    if len(args) > 1:
        for signal in args[1:]:
            name = signal.removeprefix("SIG")
            state.traps = {**state.traps, name: args[0]}
            if args[0] == "-":
                state.traps = {key: text for key, text in state.traps.items() if key != name}
    return [state]


# --- variables ------------------------------------------------------------------------------------------------------


def _declare(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`local`, `export`, `declare`, `readonly`: the names without a value; the others are assigned already."""
    for arg in call.args:
        found = _ASSIGNED.fullmatch(arg)
        if found is None or arg.startswith("-"):
            continue
        if found[2] is not None:
            state.set(found[1], found[2])
        elif call.name in ("local", "declare", "typeset") and found[1] not in state.variables:
            state.set(found[1], "")
    state.status = 0
    return [state]


def _unset(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    for name in operands(call.args):
        state.set(name, "")
    state.status = 0
    return [state]


def _shift(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    if state.positional is not None:
        state.positional = state.positional[int(call.args[0]) if call.args and call.args[0].isdigit() else 1 :]
    state.status = 0
    return [state]


def _read(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`read -r a b`: what a line gives to each name."""
    names: list[str] = []
    array = ""
    whole = False
    args = iter(call.args)
    for arg in args:
        if arg.startswith("-") and len(arg) > 1:
            letters = arg[1:]
            for place, letter in enumerate(letters):
                if letter in "adinNptu":
                    value = letters[place + 1 :] or next(args, "")
                    array = value if letter == "a" else array
                    whole = whole or (letter == "d" and value in ("", "\0")) or letter == "N"
                    break
        else:
            names.append(arg)
    text = file_or_input(walk, [], state)
    line, rest = (text, "") if whole else _first_line(text)
    state.stdin = rest if rest else (text if walk.holes.sole(text) else "")
    signs = state.variables.get("IFS", " \t\n")
    if array:
        state.set(array, tuple(_line_parts(walk, line, signs if isinstance(signs, str) else " ", 0)))
    else:
        parts = _line_parts(walk, line, signs if isinstance(signs, str) else " ", len(names) or 1)
        for place, name in enumerate(names or ["REPLY"]):
            state.set(name, parts[place] if place < len(parts) else "")
            hole = walk.holes.sole(parts[place]) if place < len(parts) else None
            if hole is not None and hole.origins:
                walk.notes.group(name, hole.origins)
    state.status = 0 if text and not has_holes(text) else failure(call, code=1, is_failure=False)
    return [state]


def _first_line(text: str) -> tuple[str, str]:
    line, _, rest = text.partition("\n")
    return line, rest


def _line_parts(walk: ShellReader, line: str, signs: str, most: int) -> list[str]:
    """The parts of a line; the last has the rest. Nothing is known of the parts of a hole."""
    if not signs:
        return [line]
    many = "+" if not signs.strip() else ""  # several blanks part words as one does
    found = re.split(
        f"[{re.escape(signs)}]{many}", line.strip(" \n" if "\t" in signs else " \t\n"), maxsplit=max(0, most - 1)
    )
    if len(found) == 1 and most > 1 and walk.holes.sole(found[0]):
        return [walk.holes.derive(line)] * most
    if most == 0 and len(found) == 1 and has_holes(line):
        choices = walk.holes.choices(line)
        parts = [one for choice in choices for one in re.split(f"[{re.escape(signs)}]+", choice) if one]
        return parts or [walk.holes.derive(line)]
    if most == 1:
        return [line]
    return found


def _mapfile(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = file_or_input(walk, [], state)
    names = operands(call.args, "dnOsuCc") or ["MAPFILE"]
    lines = text.rstrip("\n").split("\n") if text else []
    state.set(names[0], tuple(lines))
    state.status = 0
    return [state]


# --- printing ---------------------------------------------------------------------------------------------------------


def _echo(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    args = list(call.args)
    escapes = False
    end = "\n"
    while args and re.fullmatch("-[neE]+", args[0]):
        flags = args.pop(0)
        escapes = escapes or "e" in flags
        end = "" if "n" in flags else end
    text = " ".join(args)
    return prints(walk, state, (unescape(text, "echo") if escapes else text) + end)


def _printf(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    args = list(call.args)
    target = ""
    while args and args[0].startswith("-") and not has_holes(args[0]):
        option = args.pop(0)
        if option == "-v" and args:
            target = args.pop(0)
        elif option == "--":
            break
        elif option != "-v":
            args.insert(0, option)
            break
    text = _format(walk, args)
    if target:
        state.set(target, text)
        state.status = 0
        return [state]
    return prints(walk, state, text)


def _format(walk: ShellReader, args: list[str]) -> str:
    if not args:
        return ""
    form = args[0]
    if any(map(has_holes, args[1:])):
        form = re.sub(r"%[-+ 0#]*\d*(?:\.\d+)?[dix]", "%s", form)
        form = re.sub(r"%[-+ 0#]*\d*(?:\.\d+)?([sb])", r"%\1", form)
    try:
        if "%q" in form and any(map(has_holes, args[1:])):
            return walk.holes.derive(*args)
        found = format_text(form, tuple(args[1:]))
    except OutputTooLong:
        found = None
    return walk.holes.derive(*args) if found is None else found


def _cat(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    files = operands(call.args)
    given = [one for one in files if one not in ("-", "/dev/stdin")]
    if len(given) == 1 and not has_holes(given[0]):
        return prints(walk, state, walk.holes.mark(), failure(call, code=1))
    text = file_or_input(walk, files, state)
    return prints(walk, state, text)


# --- conditions -------------------------------------------------------------------------------------------------------


def _bracket(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    fields = call.args
    if call.name == "[" and fields[-1:] == ["]"]:
        fields = fields[:-1]
    truth = bracket(walk, fields, call.node.text, call.span, state)
    state.status = status_of(truth)
    return [state]


def _let(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    truth: Truth = True
    for arg in call.args:
        found = re.match(r"([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/%]?=(?!=))", arg)
        if found is not None:
            state.set(found[1], walk.holes.mark(Hole(is_plain=True)))
        truth = arithmetic(walk, arg, call.text, call.span, state)
    state.status = status_of(truth)
    return [state]


def _looks_for(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`command -v jq`, `which jq`, `type jq`, `hash jq`."""
    if call.name == "command" and not any(arg in ("-v", "-V") for arg in call.args):
        return _wrapper(walk, call, state)
    names = operands(call.args)
    sought = [choice for name in names for choice in walk.holes.choices(name)]
    walk.notes.checked.update(name.rpartition("/")[2] for name in sought)
    state.write(1, walk.holes.mark(), walk.here)
    if any(name in state.functions for name in sought):
        state.status = 0
    elif sought and walk.missing.issuperset(sought):
        state.status = 1
    else:
        state.status = failure(call, code=1)
    return [state]


# --- commands that run others -----------------------------------------------------------------------------------------


def _wrapper(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`exec`, `timeout 5`, `nohup`: the command behind it."""
    at = 0
    args = call.args
    while at < len(args) and (args[at].startswith("-") or re.fullmatch(r"[A-Za-z_]\w*=.*", args[at], re.DOTALL)):
        at += 2 if args[at] in ("-k", "-s", "-n", "-u", "--signal", "--kill-after", "-a", "-o", "-i", "-e") else 1
    at += _WRAPPERS.get(call.name, 0)
    if at >= len(args):
        state.status = 0
        return [state]
    found = walk.call(replace(call, name=args[at], args=args[at + 1 :]), state)
    if call.name == "exec":
        for one in found:
            if not one.flow:
                walk.leave(one, "command", one.last or call.span)
    return found


def _env(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    args = list(call.args)
    while args and (args[0].startswith("-") or "=" in args[0]):
        option = args.pop(0)
        if option in ("-u", "-C", "-S") and args:
            args.pop(0)
        found = _ASSIGNED.fullmatch(option)
        if found is not None and found[2] is not None:
            state.set(found[1], found[2])
    if not args:
        return prints(walk, state, walk.holes.mark())
    return walk.call(replace(call, name=args[0], args=args[1:]), state)


def _eval(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    text = " ".join(call.args)
    if not has_holes(text):
        return walk.text_of_program(text, state)
    if re.match(r"\s*[A-Za-z_]\w*=", text):  # what jq has made with `@sh`
        for found in re.finditer(r"([A-Za-z_]\w*)=('[^']*'|[^\s;]*)", text):
            value = found[2].strip("'\"")
            state.set(found[1], value)
            hole = walk.holes.sole(value)
            if hole is not None and hole.origins:
                walk.notes.group(found[1], hole.origins)
        state.status = 0
        return [state]
    walk.sourced = True
    return run_program(walk, call, state)


def _source(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    name = walk.holes.display(call.args[0]) if call.args else ""
    if name in ("/dev/stdin", ""):
        return _nothing(walk, call, state)
    found = walk.source_file(name, state)
    if found is not None:
        return found
    if name.endswith((".sh", ".bash", ".zsh")) and not name.endswith(_ENVIRONMENTS):
        walk.unread(f"it reads commands from {name}")
        walk.sourced = True
    state.status = failure(call, code=1)
    return [state]


def _shell(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`bash -c '…'`."""
    args = call.args
    for place, arg in enumerate(args):
        if re.fullmatch(r"-[a-z]*c[a-z]*", arg) and place + 1 < len(args):
            return _apart(walk, args[place + 1], tuple(args[place + 3 :]), state)
        if not arg.startswith("-"):
            break
    if not operands(args) and state.stdin and not has_holes(state.stdin):
        return _apart(walk, state.stdin, (), state)
    return run_program(walk, call, state)


def _apart(walk: ShellReader, text: str, positional: tuple[str, ...], state: ShellState) -> list[ShellState]:
    """The commands in a text, run by a shell of its own."""
    inner = state.copy()
    inner.positional = positional
    inner.traps = {}
    inner.options = frozenset()
    return [behind(one, state) for one in walk.apart(text, inner)]


def _xargs(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """`xargs` alone trims its input; with a command, the input becomes its arguments."""
    args = list(call.args)
    placeholder = ""
    while args and args[0].startswith("-"):
        option = args.pop(0)
        if option in ("-I", "-i") and args:
            placeholder = args.pop(0)
        elif option in ("-n", "-P", "-L", "-d", "-s", "-a", "-E") and args:
            args.pop(0)
    text = file_or_input(walk, [], state).strip()
    if not args:
        return prints(walk, state, text + "\n")
    words = [arg.replace(placeholder, text) for arg in args[1:]] if placeholder else [*args[1:], text]
    state.stdin = ""
    return walk.call(replace(call, name=args[0], args=words), state)


def run_program(walk: ShellReader, call: CommandCall, state: ShellState) -> list[ShellState]:
    """A program of which nothing else is known."""
    name = call.name.rpartition("/")[2]
    if has_holes(call.name) or "/" in call.name:
        name = walk.holes.display(call.name)
    elif name not in _ALWAYS and not walk.sourced and re.fullmatch(r"[\w.+-]+", name):
        walk.notes.use(name, call.span, tuple(walk.holes.display(arg) for arg in call.args))
    if walk.missing and name in walk.missing:
        state.status = 127
        return [state]
    paths = walk.holes.paths(*call.args, state.stdin)
    if name not in _SILENT:
        made = Hole(paths=paths, change="other", programs=(name,), is_plain=_prints_plain_text(name, call.args))
        text = walk.holes.mark(made)
        state.write(1, text, walk.here)
    if name in _PLUMBING or name in _SILENT:
        state.status = 0 if walk.checks and name in _SILENT else failure(call)
    else:
        state.status = replace(failure(call, is_failure=False), paths=paths)
        if not walk.checks:
            walk.notes.deciding.add(name)
    return [state]


def _prints_plain_text(name: str, args: list[str]) -> bool:
    """Whether what a program prints can be put between the quotes of JSON as it is: a name, a number, escaped text."""
    if name == "git":
        return any(arg in _NAMED_BY_GIT for arg in args)
    return _ESCAPES.search(name) is not None


BUILTINS: dict[str, Command] = {
    "exit": _exit, "return": _return, "break": _break, "continue": _break, ":": _nothing, "true": _nothing,
    "cd": _moves, "pushd": _moves, "popd": _moves,
    "false": _false, "set": _set, "trap": _trap, "local": _declare, "declare": _declare, "typeset": _declare,
    "export": _declare, "readonly": _declare, "unset": _unset, "shift": _shift, "read": _read, "mapfile": _mapfile,
    "readarray": _mapfile, "echo": _echo, "print": _echo, "printf": _printf, "cat": _cat, "[": _bracket,
    "test": _bracket, "let": _let, "command": _looks_for, "which": _looks_for, "type": _looks_for,
    "hash": _looks_for, "eval": _eval, "source": _source, ".": _source, "bash": _shell, "sh": _shell, "zsh": _shell,
    "dash": _shell, "xargs": _xargs, "env": _env, "shopt": _nothing, "wait": _nothing, "umask": _nothing,
    "builtin": _wrapper, "exec": _wrapper, "nohup": _wrapper, "nice": _wrapper, "setsid": _wrapper,
    "timeout": _wrapper, "gtimeout": _wrapper, "sudo": _wrapper, "stdbuf": _wrapper, "ionice": _wrapper,
}  # fmt: skip
