"""Texts that would be taken for what they say, and never match: a regex without slashes, an address with a path, a mode
that no host has. Each is refused with what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from interlock.errors import InterlockError, misspelt, suggest
from interlock.facts.fields import FIELDS, known_fields

__all__ = ["HOST_NAMES", "MATCH_FIELDS", "MODES", "field_problem", "path_problem", "text_problem"]

MODES = ("default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto")
HOST_NAMES = ("claude-code", "agent-sdk", "flat", "mcp", "gate", "amp", "cline", "codex", "copilot", "cursor", "droid",
              "gemini", "kiro", "opencode", "qwen", "vscode", "windsurf")  # fmt: skip
MATCH_FIELDS = ("command", "path", "kind", "url", "text")
_MODE_WORDS = {"bypass": "bypassPermissions", "yolo": "bypassPermissions", "normal": "default", "accept": "acceptEdits",
               "edit": "acceptEdits", "planning": "plan"}  # fmt: skip
_HOST_WORDS = {"claude": "claude-code", "cc": "claude-code", "sdk": "agent-sdk", "proxy": "mcp", "cli": "claude-code",
               "code": "vscode", "vs-code": "vscode", "factory": "droid", "cascade": "windsurf",
               "githubcopilot": "copilot", "copilotcli": "copilot", "geminicli": "gemini", "qwencode": "qwen",
               "codexcli": "codex", "ampcode": "amp"}  # fmt: skip

# Signs that a text was meant as a regex: each of them is rare in code and prose.
_REGEX_SIGN = re.compile(
    r"""\[[^\]\s]*[A-Za-z0-9]-[A-Za-z0-9][^\]\s]*\]   # [a-z]
      | [\])\w.]\{\d+(?:,\d*)?\}                      # x{16}
      | \\[dwsbDWSB](?![A-Za-z])                      # \d
      | \(\?[:i=!<]                                   # (?:
      | \.[*+](?![.\w/])                              # .*
      | \[\^[^\]]+\]                                  # [^…]
      | ^\^ | [^\s$]\$$
    """,
    re.VERBOSE,
)
_REGEX_COMMAND = re.compile(r"^\^|\$$|\.[*+]|\\[bsdwBSDW.]|\(\?|\[[a-zA-Z0-9]-[a-zA-Z0-9]\]")


def text_problem(key: str, text: str) -> InterlockError | None:
    """What is wrong with one text under a key, if it looks like something that it is not."""
    check = _CHECKS.get(key)
    return check(text) if check is not None and not text.startswith("/") else None


def _content(text: str) -> InterlockError | None:
    if not _REGEX_SIGN.search(text) or "\n" in text:
        return None
    return InterlockError(
        f"`{text}` looks like a regex, and is searched for as it is written",
        help=f"write `{_as_regex(text)}`; marks that mean themselves get a backslash there",
    )


def _as_regex(text: str) -> str:
    return f"/{text.replace('/', chr(92) + '/')}/"


def _command(text: str) -> InterlockError | None:
    if re.search(r"(?:^|\s)(?:&&|\|\||;|>|<)(?:\s|$)|;\s", text):
        return InterlockError(
            f"`{text}` is more than one command, and each command of a call is looked at by itself",
            help="name one command, or several in a list: `[git push, rm -rf]`",
        )
    if re.search(r"\([^()]*\|[^()]*\)", text) and not _REGEX_COMMAND.search(text):
        without = text.replace("(", "").replace(")", "")
        return InterlockError(f"`{text}` has parentheses, and alternatives are written without them",
                              help=f"write `{without}`")  # fmt: skip
    plain = re.sub(r":\*$|\s\*$|\*$", "", text)
    if plain != text and re.fullmatch(r"[\w./ -]+", plain) and plain.strip() and not plain.endswith(" "):
        if text.endswith(" *"):
            return None  # one word more, which is what `*` means
        return InterlockError(f"`{text}` would match nothing: `*` is one whole word",
                              help=f"write `{plain}`; further words may follow")  # fmt: skip
    if not _REGEX_COMMAND.search(text):
        return None
    words = re.sub(r"^\^|\$$|\\b|\s*\.[*+]\$?$", "", text)
    words = re.sub(r"\\s[+*]?", " ", words).strip()
    plain_words = re.fullmatch(r"[\w/ -]+(?: [\w/ .-]+)*", words)
    help = f"write `{words}`; further words may follow" if plain_words else f"write `{_as_regex(text)}`"
    return InterlockError(f"`{text}` looks like a regex, and a command is written in words", help=help)


def _url(text: str) -> InterlockError | None:
    if "://" in text:
        return None
    if "/" in text:
        if slip := re.match(r"(https?):?/{1,2}(?=[^/])", text):
            return InterlockError(f"`{text}` lacks part of `://`, so it matches no address",
                                  help=f"write `{slip[1]}://{text[slip.end() :]}`")  # fmt: skip
        host = text.partition("/")[0]
        help = f"write `https://{text.rstrip('*')}*`, or `{host}` for the whole host" if host else "name a host"
        return InterlockError(f"`{text}` has a path and no scheme, so it matches no address", help=help)
    if re.fullmatch(r"[\w.*-]+:\d+", text):
        host = text.partition(":")[0]
        return InterlockError(f"`{text}` has a port and no scheme, so it matches no address",
                              help=f"write `*://{text}`, or `{host}` for every port")  # fmt: skip
    if _REGEX_COMMAND.search(text) or "\\" in text:
        plain = re.sub(r"[^A-Za-z0-9.-]", "", text.replace(".*", "")).strip(".")
        message = f"`{text}` looks like a regex, and a host is written as it is"
        return InterlockError(message, help=f"write `{plain}`, or `{_as_regex(text)}`")
    return None


def _name_problem(key: str, text: str, known: tuple[str, ...], words: Mapping[str, str]) -> InterlockError | None:
    if text in known or set(text) & set("*?["):
        return None
    bare = re.sub(r"[-_ ]", "", text).lower()
    meant = words.get(bare) or next((one for one in known if re.sub("[-_]", "", one).lower() == bare), None)
    meant = meant or misspelt(text, known) or (suggest(text, known) if len(text) > 4 else None)
    if meant is None:
        return None
    return InterlockError(f"there is no {key} called `{text}`", help=f"write `{key}: {meant}`")


def _mode(text: str) -> InterlockError | None:
    return _name_problem("mode", text, MODES, _MODE_WORDS)


def _host(text: str) -> InterlockError | None:
    return _name_problem("host", text, HOST_NAMES, _HOST_WORDS)


_CHECKS = {"content": _content, "prompt": _content, "command": _command, "url": _url, "mode": _mode, "host": _host}


def path_problem(glob: str) -> InterlockError | None:
    """What is wrong with a glob for paths."""
    if drive := re.match(r"([A-Za-z]):[\\/](.*)", glob, re.DOTALL):
        rest = re.sub(r"[\\/]+", "/", drive[2])
        return InterlockError(f"`{glob}` is a path of Windows, and paths here start with `/`",
                              help=f"write `/mnt/{drive[1].lower()}/{rest}`, as WSL shows that drive")  # fmt: skip
    if re.search(r"\\(?![\\.*])", glob) and not re.search(r"\\[dwsb]", glob):
        cure = glob.replace("\\", "/")
        return InterlockError(f"`{glob}` has backslashes, and folders here are parted by `/`", help=f"write `{cure}`")
    return None


_FIELD_WORDS = {"cmd": "command", "filename": "file_path", "text": "content", "body": "content", "link": "url"}


def field_problem(tools: Iterable[str] | None, field: str, declared: Collection[str]) -> InterlockError | None:
    """What a field was meant to be that none of these tools has; None if it may be right. No tools: any at all.

    Hosts add fields, so one that resembles nothing is left alone.
    """
    listed = list(FIELDS) if tools is None else list(tools)
    tables = [known_fields(tool) for tool in listed]
    if not listed or any(table is None for table in tables) or any(tool in declared for tool in listed):
        return None
    names = list(dict.fromkeys(name for table in tables for name in table or ()))
    if field in names:
        return None
    if tools is None:
        meant = misspelt(field, names)
        return (
            InterlockError(f"no known tool has a field `{field}`", help=f"did you mean `{meant}`?") if meant else None
        )
    meant = suggest(field, names) or _part_of_field(field, names)
    if meant is None:
        return None
    of = listed[0] if len(listed) == 1 else ", ".join(listed)
    return InterlockError(
        f"{of} {'has' if len(listed) == 1 else 'have'} no field `{field}`", help=f"did you mean `{meant}`?"
    )


def _part_of_field(field: str, names: list[str]) -> str | None:
    """`path` → `file_path`, `filePath` → `file_path`."""
    bare = re.sub(r"[-_]", "", field).lower()
    alike = [name for name in names if re.sub(r"[-_]", "", name).lower() == bare or field in name.split("_")]
    other = _FIELD_WORDS.get(field)
    return alike[0] if alike else other if other in names else None
