"""What a few programs print, where that is written in the line: `echo`, `printf`, `base64 -d` and their like.

Anything that is not certain is None. What only the run tells, but is of a known sort, has a name that stands for it:
a new file in /tmp, or a process as `kill` could be told of it (`%!` the shell's own job, `%:3000` who has that port).
"""

from __future__ import annotations

import binascii
import posixpath
import re
from collections import deque
from collections.abc import Callable

from interlock.facts.limits import OUTPUT, Limit
from interlock.facts.shell.formats import OutputTooLong, cut, format_text, unescape

__all__ = ["JOB", "output"]

JOB = "%!"  # a process that the shell itself started

_DIRECTIVE = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?(?:[ABCT].|[a-zA-Z]))")
_PRINTS = frozenset({"-print", "-print0", "-ls", "-exec", "-execdir", "-ok", "-okdir"})
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"
)


def output(
    name: str, args: tuple[str, ...], stdin: Callable[[], str | None], reach: Callable[[Limit], None]
) -> str | None:
    """What the program prints, if that can be known from its arguments and its input."""
    known = _PRINTERS.get(name)
    try:
        text = known(args, stdin) if known is not None else None
        return text if text is None else _bound(text)
    except OutputTooLong:
        reach(OUTPUT)
        return None


def _bound(text: str) -> str:
    if len(text) > OUTPUT.most:
        raise OutputTooLong
    return text


def _echo(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    end, escapes = "\n", False
    words = deque(args)
    while words and re.fullmatch(r"-[neE]+", words[0]):
        option = words.popleft()
        end = "" if "n" in option else end
        escapes = escapes if option.rfind("e") == option.rfind("E") else option.rfind("e") > option.rfind("E")
    text = " ".join(words)
    if not escapes:
        return text + end
    text, ends = cut(text)
    return unescape(text, "echo") + ("" if ends else end)


def _printf(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    words = args[1:] if args[:1] == ("--",) else args
    if not words or (words is args and words[0].startswith("-")):
        return None
    return format_text(words[0], words[1:])


def _cat(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    return stdin() if all(word == "-" or re.fullmatch("-[u]+", word) for word in args) else None


def _base64(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    options = [word for word in args if word not in ("-i", "--ignore-garbage", "-")]
    if not options or any(option not in ("-d", "-D", "--decode", "-di", "-id") for option in options):
        return None
    text = _certain(stdin)
    return None if text is None else _decode(lambda: binascii.a2b_base64(text))


def _openssl(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    if args[:1] == ("base64",) or args[:2] == ("enc", "-base64"):
        rest = [word for word in args[1:] if word not in ("-base64", "-A", "-a")]
        return _base64(("-d",), stdin) if rest == ["-d"] else None
    return None


def _xxd(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    if sorted("".join(word.lstrip("-") for word in args)) not in (["p", "r"], sorted("rps"), sorted("plainr")):
        return None
    text = _certain(stdin)
    return None if text is None else _decode(lambda: binascii.unhexlify("".join(text.split())))


def _rev(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    text = stdin() if not args else None
    return None if text is None else "\n".join(line[::-1] for line in text.split("\n"))


def _tr(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    text = _certain(stdin)
    if text is None or len(args) != 2:
        return None
    if args[0] == "-d" and re.fullmatch(r"[^\\\[\]-]+", args[1]):
        return text.translate(dict.fromkeys(map(ord, args[1])))
    if args in (("A-Za-z", "N-ZA-Mn-za-m"), ("a-zA-Z", "n-za-mN-ZA-M"), ("[A-Za-z]", "[N-ZA-Mn-za-m]")):
        return text.translate(_ROT13)
    if len(args[0]) == len(args[1]) and not re.search(r"[\\\[\]-]", args[0] + args[1]):
        return text.translate(str.maketrans(args[0], args[1]))
    return None


def _which(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    return args[0] + "\n" if len(args) == 1 and not args[0].startswith("-") else None


def _command(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    return _which(args[1:], stdin) if args[:1] == ("-v",) else None


_TEMPLATE = re.compile(r"[\w.@+-]*X{3,}[\w.@+-]*")


def _mktemp(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    """A name in the folder for such files; no other program has it, whatever stands for the Xs."""
    words = deque(args)
    folder, below, templates = "/tmp", False, []  # noqa: S108 where it mostly is
    while words:
        word = words.popleft()
        if word in ("-p", "--tmpdir") or word.startswith("--tmpdir="):
            below = True
            if word.startswith("--tmpdir=") or (word == "-p" and words):
                folder = word.partition("=")[2] or words.popleft()
        elif word == "-t":
            below = True
            if words and not words[0].startswith("-"):
                templates.append(words.popleft())
        elif not word.startswith("-"):
            templates.append(word)
        elif not re.fullmatch(r"-[dqu]+|--(?:directory|quiet|dry-run)", word):
            return None
    if len(templates) > 1 or "\0" in folder or any("\0" in one or ".." in one for one in templates):
        return None
    name = templates[0] if templates else "tmp.XXXXXXXXXX"
    return f"{folder}/{name}\n" if below or not templates else f"{name}\n"


def _jobs(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    return JOB + "\n" if args and all(re.fullmatch("-[prs]*p[prs]*", word) for word in args) else None


def _lsof(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    """The processes that have one port: `lsof -ti:3000`, `lsof -t -i tcp:3000 -sTCP:LISTEN`."""
    words = [word for word in args if not re.fullmatch(r"-sTCP:LISTEN|-[nP]+", word, re.IGNORECASE)]
    found = re.fullmatch(r"(?:-t -?i|-[nP]*ti) ?(?:tcp|TCP)?:(\d+)|-i ?(?:tcp|TCP)?:(\d+) -t", " ".join(words))
    return f"%:{found[1] or found[2]}\n" if found else None


# Programs that print, for a shell to take in, what sets their own variables and functions; by their first word.
_SETS_UP = {
    "pyenv": "init virtualenv-init", "rbenv": "init", "nodenv": "init", "goenv": "init", "jenv": "init",
    "plenv": "init", "zoxide": "init", "starship": "init", "atuin": "init", "fnm": "env", "opam": "env",
    "luarocks": "path", "direnv": "hook", "mise": "activate hook-env", "rtx": "activate", "brew": "shellenv",
    "conda": "shell.bash shell.zsh shell.posix", "mamba": "shell", "micromamba": "shell", "ssh-agent": "- -s -c",
    "dircolors": "-b --sh", "minikube": "docker-env", "docker-machine": "env", "kubectl": "completion",
    "helm": "completion", "gh": "completion", "npm": "completion", "poetry": "completions env",
    "docker": "completion", "kind": "completion", "k3d": "completion", "argocd": "completion", "flux": "completion",
    "doctl": "completion", "ng": "completion", "pnpm": "completion", "deno": "completions", "rustup": "completions",
    "uv": "generate-shell-completion", "uvx": "--generate-shell-completion", "just": "--completions",
    "oh-my-posh": "init", "thefuck": "--alias", "keychain": "--eval", "mcfly": "init", "sheldon": "source",
}  # fmt: skip


def _set_up(first: str) -> Callable[[tuple[str, ...], Callable[[], str | None]], str | None]:
    words = frozenset(first.split())

    def known(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
        first = args[0] if args else "-"  # `-`: without a word
        return ":\n" if first in words and all(re.fullmatch(r"[\w.=-]+", arg) for arg in args) else None

    return known


def _certain(stdin: Callable[[], str | None]) -> str | None:
    text = stdin()
    return None if text is None or "\0" in text else text


def _decode(decode: Callable[[], bytes]) -> str | None:
    try:
        text = decode().decode()
        return None if "\0" in text else text
    except ValueError:  # binascii.Error and UnicodeDecodeError are ValueErrors
        return None


def _find(args: tuple[str, ...], stdin: Callable[[], str | None]) -> str | None:
    """The form in which each name is printed: once, with what is not known of it."""
    if args.count("-printf") != 1 or args[-2] != "-printf" or not _PRINTS.isdisjoint(args):
        return None
    return unescape(_DIRECTIVE.sub(lambda found: "%" if found[0] == "%%" else "\0", args[-1]))


def _is_path(args: tuple[str, ...]) -> bool:
    return len(args) == 1 and args[0] != "" and not args[0].startswith("-") and "\0" not in args[0]


_PRINTERS: dict[str, Callable[[tuple[str, ...], Callable[[], str | None]], str | None]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "base64": _base64,
    "openssl": _openssl,
    "xxd": _xxd,
    "rev": _rev,
    "tr": _tr,
    "which": _which,
    "command": _command,
    "find": _find,
    "dirname": lambda args, stdin: (posixpath.dirname(args[0].rstrip("/") or "/") or ".") if _is_path(args) else None,
    "basename": lambda args, stdin: posixpath.basename(args[0].rstrip("/")) or "/" if _is_path(args) else None,
    ":": lambda args, stdin: "",
    "true": lambda args, stdin: "",
    "mktemp": _mktemp,
    "jobs": _jobs,
    "lsof": _lsof,
    **{name: _set_up(first) for name, first in _SETS_UP.items()},
}
