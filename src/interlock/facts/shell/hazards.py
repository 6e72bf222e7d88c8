"""What makes a command other than it looks: unusual characters, searched directories, variables that load code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interlock.facts.shell.model import UNKNOWN

__all__ = [
    "BUILTINS", "ERASES", "EVALUATED", "HIDES", "RUNS_WHEN_EVALUATED", "RUN_AS_TEXT", "is_builtin", "loads_code",
    "runs_in_subscript", "searches", "unusual",
]  # fmt: skip

RUNS_WHEN_EVALUATED = "arithmetic that may run a text"
EVALUATED = frozenset({"HISTCMD", "OPTIND", "RANDOM", "SECONDS"})  # what they are set to is arithmetic
_SUBSCRIPT = re.compile(r"[\w\0]\[")
_RUNS_THERE = re.compile(r"\$[({]|`")

# Characters that change how the text around them is shown, or that show nothing where a person would see letters.
HIDES = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
ERASES = re.compile("[\x08\x1b\x7f\x9b]")
_UNUSUAL = re.compile(r"[^\x20-\x7e]")
# Characters that are not seen, or look like a space.
_UNSEEN = re.compile(
    "[\x01-\x08\x0b-\x1f\x7f\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufeff\uffa0]"
)

# Variables whose values other programs give to a shell.
RUN_AS_TEXT = frozenset({
    "BORG_PASSCOMMAND", "BORG_RSH", "BROWSER", "CC", "CRASHPAGER", "CVS_RSH", "CXX", "EDITOR", "GIT_ASKPASS",
    "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR", "GIT_SSH",
    "GIT_SSH_COMMAND", "KUBE_EDITOR", "LESSCLOSE", "LESSOPEN", "MANPAGER", "PAGER", "PROMPT_COMMAND",
    "RESTIC_PASSWORD_COMMAND", "RSYNC_RSH", "RUSTC_WRAPPER", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "SVN_SSH",
    "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "VISUAL",
})  # fmt: skip
# Commands of the shell itself, which no directory is searched for.
BUILTINS = frozenset({
    ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "cd", "command", "continue", "declare", "dirs", "echo",
    "eval", "exec", "exit", "export", "false", "fg", "getopts", "hash", "jobs", "kill", "let", "local", "popd",
    "printf", "pushd", "pwd", "read", "readonly", "return", "set", "shift", "shopt", "source", "test", "times", "trap",
    "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
})  # fmt: skip
# Variables that make programs load code before they do what they are asked.
_LOADERS = frozenset({
    "BASH_ENV", "DYLD_INSERT_LIBRARIES", "ENV", "GCONV_PATH", "GIT_EXEC_PATH", "LD_AUDIT", "LD_PRELOAD", "PERL5OPT",
    "PERL5DB", "PYTHONSTARTUP", "RUBYOPT", "SHELLOPTS", "VIMINIT", "EXINIT", "LUA_INIT", "ZDOTDIR",
})  # fmt: skip
_PROMPT = re.compile(r"\$\(|`|\0")
_ANYBODYS = re.compile(r"(?:^|:)(?:/tmp|/var/tmp|/dev/shm|/private/tmp)(?:/|:|$)")  # who can write there
_OPTIONS = {
    **dict.fromkeys(("PYTHONPATH", "PERL5LIB", "RUBYLIB", "NODE_PATH", "LD_LIBRARY_PATH", "CLASSPATH"), _ANYBODYS),
    "GOFLAGS": re.compile(r"-(?:tool)?exec[= ]"),
    "JAVA_TOOL_OPTIONS": re.compile(r"-(?:javaagent|agentpath)"),
    "NODE_OPTIONS": re.compile(r"(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)\b|\0"),
    "PS0": _PROMPT, "PS1": _PROMPT, "PS2": _PROMPT, "PS4": _PROMPT,
}  # fmt: skip
# Directories that others than their owner write to: a program found there first is anybody's.
_OPEN_DIRECTORY = re.compile(r"(?:/tmp|/var/tmp|/dev/shm|/private/tmp|\.\.?)(?:/.*)?|(?![/~\0]).*", re.DOTALL)


def unusual(program: str, args: list[str]) -> str:
    """Why a command may not be what it looks like, by its characters."""
    if _UNUSUAL.search(program) and _UNUSUAL.search(program.replace(UNKNOWN, "")):
        return "unusual characters in the program's name"
    for word in args:
        if word[:1] == "-" and not word.isascii() and _UNSEEN.search(word):
            return "invisible characters in an option"
    return ""


def searches(value: str) -> str:
    """Why a value of PATH may give a program's name to another one."""
    if value.strip() == "":
        return "PATH is emptied"
    if any(_OPEN_DIRECTORY.fullmatch(directory) for directory in value.split(":")):
        return "PATH has a directory that anybody writes to"
    return ""


def runs_in_subscript(text: str) -> bool:
    """Whether a text runs commands if it is evaluated as arithmetic: `a[$(…)]`."""
    found = _SUBSCRIPT.search(text)
    return found is not None and _RUNS_THERE.search(text, found.end()) is not None


def loads_code(name: str, value: str) -> bool:
    """Whether a variable makes the programs that see it load code."""
    if name in _LOADERS:
        return value != ""
    option = _OPTIONS.get(name)
    return option is not None and option.search(value) is not None


def is_builtin(words: Sequence[object]) -> bool:
    """Whether the shell itself does what the words of a command say, or what stands there without any."""
    return not words or (isinstance(words[0], str) and words[0] in BUILTINS)
