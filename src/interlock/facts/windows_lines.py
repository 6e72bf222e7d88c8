"""What a line for PowerShell or cmd evidently does: its commands, looked up in the tables of programs.

Statements, pipelines, blocks and quoting are read. Whatever only the run will tell (a variable as the command, a .NET
call, a command nobody has described) makes the line opaque, with what could be read out of it still there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.facts.effects import CodeEffects
from interlock.facts.limits import PROGRAM, PROGRAM_NESTING, WINDOWS_COMMANDS
from interlock.facts.own_programs import ProgramReader
from interlock.facts.programs import program_of, use_of_program
from interlock.facts.programs.readers.powershell import ALIASES, local_path
from interlock.facts.shell import UNKNOWN

__all__ = ["as_shell_line", "read_windows"]

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*|<\#[\s\S]*?(?:\#>|\Z))
      | (?P<here>@(?P<mark>['"])\r?\n(?P<body>[\s\S]*?)(?:\r?\n(?P=mark)@|\Z))
      | (?P<literal>'(?:[^']|'')*')
      | (?P<text>"(?:[^"`]|`[\s\S]|"")*")
      | (?P<redirect>[\d*]?>>?(?:&\d)?)
      | (?P<open>\$\(|@\(|@\{|\(|\{)
      | (?P<close>[)}])
      | (?P<stop>\|\||&&|[|;\n&])
      | (?P<space>[ \t\r]+|`\r?\n)
      | (?P<word>(?:[^\s"'`|;&<>(){}#]|`[^\n]|\#(?<=\S\#)|\$\{[^}]*(?:\}|\Z))+)
      | (?P<other>[\s\S])""",
    re.VERBOSE,
)
_CMD_TOKEN = re.compile(
    r"""(?P<text>"[^"\n]*"?)
      | (?P<redirect>\d?>>?(?:&\d)?|<)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<stop>\|\||&&|[|&\n])
      | (?P<space>[ \t\r]+|\^\r?\n)
      | (?P<word>(?:[^\s"|&<>()^]|\^[^\n])+)
      | (?P<other>[\s\S])""",
    re.VERBOSE,
)
_KEYWORDS = frozenset({
    "if", "elseif", "else", "while", "do", "until", "switch", "try", "catch", "finally", "return", "throw", "begin",
    "process", "end", "for", "foreach", "in", "not", "exist", "defined", "errorlevel", "/i", "call",
    "@echo", "@call", "/d", "data", "trap",
})  # fmt: skip
_ALONE = frozenset({"exit", "break", "continue", "rem", "@rem", "pause", "setlocal", "endlocal", "title", "off", "on"})
_EXPRESSION = ("'", '"', "$", "[", "@", "-", "+", "!", "(", UNKNOWN)
_VARIABLE = re.compile(r"\$\{[^}]*\}|\$(?:env:|global:|script:)?[\w?]+|%[\w~:.-]+%|%%?~?\w\b|!\w+!", re.IGNORECASE)
_METHODS = re.compile(
    r"\.(?!(?:tostring|trim\w*|split|replace|substring|tolower|toupper|contains|startswith|endswith|equals|format|"
    r"indexof|padleft|padright|gettype|add|count|length|join)\b)[a-z]\w*$",
    re.IGNORECASE,
)
_FETCHES = re.compile(r"(?i)\bnet\.(?:web|http|sockets)|\.download(?:string|file|data)|\bwinhttp|\bxmlhttp")
_VARIES = re.compile(r"[$%]|!\w+!")
_AT_LOGIN = re.compile(r"(?i)[\\/]currentversion[\\/](?:run|runonce|policies[\\/]explorer[\\/]run)\b|winlogon")
_NARROWS = ("-fi", "-i", "-ex", "-n")  # options by which names are chosen
_PLAIN = re.compile(r"[\w./:=@%+-]+", re.ASCII)
# An alias on Windows; elsewhere the program itself.
_BOTH = frozenset({"cat", "cp", "curl", "diff", "kill", "ls", "man", "mv", "ps", "rm", "rmdir", "sort", "tee", "wget"})
_RUNNERS = frozenset({"invoke-expression", "invoke-command", "start-process", "&"})


def read_windows(kind: str, text: str, own: ProgramReader | None = None) -> CodeEffects:
    """The evident effects of a line: `kind` is "powershell" or "cmd". `own` reads programs that policies describe."""
    found = CodeEffects()
    if len(text) > PROGRAM.most:
        found.reach(PROGRAM)
        text = text[: PROGRAM.most]
    _Reader(kind, found, own).read(text)
    return found


def as_shell_line(text: str) -> str:
    """A line for PowerShell as a line for a shell that has PowerShell run it."""
    return f"pwsh -Command {_quote(text)}"


class _Reader:
    """Reads one text, and the texts that it runs."""

    def __init__(
        self, kind: str, found: CodeEffects, own: ProgramReader | None, depth: int = 0, left: list[int] | None = None
    ) -> None:
        self._kind = kind
        self._own = own
        self._use_of = use_of_program if own is None else own.use_of
        self._found = found
        self._depth = depth
        self._left = left if left is not None else [WINDOWS_COMMANDS.most]
        self._listed: list[str] = []  # what the pipeline hands on, where that is files

    def read(self, text: str) -> None:
        tokens = _Tokens(self._kind, text)
        while self._statements(tokens, self._depth):
            self._unclear("a bracket that was never opened")

    def _unclear(self, why: str) -> None:
        self._found.opaque = self._found.opaque or why

    # --- structure -----------------------------------------------------------------------------------------------

    def _statements(self, tokens: Iterator[tuple[str, str]], depth: int) -> bool:
        """Read until a bracket closes; whether one did."""
        if depth > PROGRAM_NESTING.most:
            self._found.reach(PROGRAM_NESTING)
            return False
        words: list[str] = []
        glued = False  # whether the next piece belongs to the last word
        fed = False  # whether what comes before in the pipeline is the input
        target = ""
        for kind, piece in tokens:
            if kind == "close":
                self._command(words, fed)
                return True
            if kind == "space":
                glued = False
            elif piece == "&" and not words and self._kind == "powershell":
                words = ["&"]
            elif kind == "stop":
                self._command(words, fed)
                fed = piece == "|"
                words, glued, target = [], False, ""
            elif kind == "redirect":
                target, glued = "" if piece.endswith(tuple("0123456789<")) else ">", False
                continue
            elif kind == "open" and self._kind == "cmd" and words and words[-1].lower() == "in":
                if any(word.lower() == "/f" for word in words):
                    self._unclear("runs what another command prints")
                while (token := next(tokens, None)) and token[0] != "close":
                    pass  # the names that a loop goes through
            elif kind == "open":
                self._statements(tokens, depth + 1)
                if piece != "{" and not (self._kind == "cmd" and not words):
                    words, glued = _put(words, UNKNOWN, glued), True
            elif kind == "other":
                self._unclear("a sign that has no place there")
            elif target == ">":
                if piece.lower() not in ("$null", "nul"):
                    self._found.writes.append(local_path(piece))
                target = ""
            else:
                if kind == "quoted" and "$(" in piece and self._kind == "powershell":
                    piece = self._expand(piece, depth)
                # A quoted text at the start is a value, not a command.
                value = kind == "quoted" and not words and self._kind == "powershell"
                words, glued = _put(words, "'" + piece if value else piece, glued), True
        self._command(words, fed)
        return False

    def _expand(self, text: str, depth: int) -> str:
        """A text in double quotes, in which `$(…)` is run. One in single quotes is read so too; it costs little."""
        kept = ""
        while "$(" in text and self._left[0] > 0:
            before, _, rest = text.partition("$(")
            tokens = _Tokens(self._kind, rest)
            if not self._statements(tokens, depth + 1):
                self._unclear("a bracket that is never closed")
            text = rest[tokens.at :]
            kept += before + UNKNOWN
            self._left[0] -= 1
        if "$(" in text:
            self._found.reach(WINDOWS_COMMANDS)
        return kept + text

    def _command(self, words: list[str], fed: bool) -> None:
        while words and words[0].lower() in _KEYWORDS:
            words = self._behind(words)
        if not words:
            return
        self._left[0] -= 1
        if self._left[0] < 0:
            self._found.reach(WINDOWS_COMMANDS)
            return
        first = words[0]
        if first in ("&", ".") and words[1:]:
            words, first = words[1:], words[1]
            if UNKNOWN in _fill(first):
                self._unclear("the program is not known before it runs")
                return
        elif self._kind == "powershell" and first.startswith(_EXPRESSION):
            self._expression(words, fed)
            return
        name = _fill(first).lower().removesuffix(".exe")
        if name in _ALONE or name.startswith((":", "::")):
            return
        if UNKNOWN in name:
            self._unclear("the program is not known before it runs")
            return
        args = [_fill(word) for word in words[1:]]
        if name in _BOTH and self._kind == "powershell":
            self._other(name, args, fed)
        self._judge(ALIASES.get(name, name), args, fed)

    def _behind(self, words: list[str]) -> list[str]:
        """What stands behind a keyword and its condition."""
        word, rest = words[0].lower(), words[1:]
        if self._kind == "cmd" and word == "for" and "do" in rest:
            return rest[rest.index("do") + 1 :]
        if self._kind == "cmd" and word in ("exist", "defined", "errorlevel"):
            return rest[1:]
        if self._kind == "cmd" and word == "if" and rest and "==" in rest[0]:
            return rest[1:]
        return rest

    def _expression(self, words: list[str], fed: bool) -> None:
        """A value, perhaps given to a variable, or a call of a method."""
        if len(words) > 1 and words[1] in ("=", "+=", "-=", "in"):
            self._command(words[2:], fed)
            return
        if any(_FETCHES.search(word) for word in words):
            self._found.traits.add("network")
        if any("::" in word or _METHODS.search(word.rstrip(UNKNOWN)) for word in words if word[:1] not in ("'", '"')):
            self._unclear("a call that the tables do not have")

    # --- what a command does ---------------------------------------------------------------------------------------

    def _judge(self, name: str, args: list[str], fed: bool) -> None:
        if any(_FETCHES.search(word) for word in args):
            self._found.traits.add("network")
        if name in _RUNNERS:
            self._run(name, args, fed)
            return
        if name.endswith((".ps1", ".bat", ".cmd", ".vbs")):
            self._unclear("runs a script")
            return
        found = self._found
        if not _is_cmdlet(name):
            self._other(name, args, fed)
            return
        use = self._use_of(name, tuple(args))
        if self._own is not None and self._own.beside(name, tuple(args), use):
            found.shell.append(" ".join(map(_quote, (name, *args))))  # where descriptions are read
        if name == "get-childitem" and not fed:
            chosen = any(word.lower().startswith(_NARROWS) for word in args)
            self._listed = [f"{local_path(word)}/{'…' if chosen else '*'}" for word in use.reads or (".",)]
        elif name.startswith("where") and fed:
            self._listed = [f"{place.rpartition('/')[0]}/…" for place in self._listed]
        elif name == "remove-item" and fed and not use.deletes:
            found.deletes += self._listed or [UNKNOWN]
        if "read-only" not in use.traits and any(_AT_LOGIN.search(word) for word in args):
            found.traits.add("autostart")
        found.reads += [local_path(word) for word in use.reads]
        found.writes += [local_path(word) for word in (*use.writes, *use.creates)]
        found.deletes += [local_path(word) for word in use.deletes]
        found.urls += [*use.urls, *use.hosts]
        found.sends = found.sends or use.sends
        found.traits |= use.traits - {"read-only", "windows"}
        if "read-only" not in use.traits:
            found.traits.add("changes")

    def _other(self, name: str, args: list[str], fed: bool) -> None:
        """A program like any other: a shell's line of it is judged as such."""
        self._found.shell.append(" ".join(map(_quote, (name, *args))))
        if fed and self._use_of(name, tuple(args)).stdin not in ("data", "args"):
            self._unclear("runs what another command prints")

    def _run(self, name: str, args: list[str], fed: bool) -> None:
        """Commands that run a text or a program they are given."""
        given = [word for word in args if not word.startswith("-")]
        low = [word.lower() for word in args]
        if name == "start-process" and (options := [word for word in low if word.startswith("-a")]):
            at = low.index(options[0])
            given = [*(word for word in args[:at] if word[:1] != "-"), *",".join(args[at + 1 : at + 2]).split(",")]
        if fed or not given or any(UNKNOWN in word for word in given):
            if name == "invoke-expression" and "network" in self._found.traits:
                self._found.traits.add("executes-download")
            if name != "invoke-command":
                self._unclear("runs a text that is not known before it runs")
            return
        if any(word.lower() == "runas" for word in given):
            self._found.traits.add("privilege")
        if name == "invoke-expression":
            _Reader("powershell", self._found, self._own, self._depth + 1, self._left).read(" ".join(given))
        elif name == "start-process":
            self._command(given, fed)


def _put(words: list[str], piece: str, glued: bool) -> list[str]:
    if glued and words:
        words[-1] += piece
    else:
        words.append(piece)
    return words


def _quote(word: str) -> str:
    """A word for a shell; its unknown parts are unknown there too."""
    if UNKNOWN in word:
        return '"' + re.sub(r'[\\"`$]', "", word).replace(UNKNOWN, "${value}") + '"'
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\\''") + "'"


class _Tokens:
    """The pieces of a text: literal ones without their quotes, unknown parts as such. `at`: how far it was read."""

    def __init__(self, kind: str, text: str) -> None:
        self.at = 0
        self._kind = kind
        self._matches = (_CMD_TOKEN if kind == "cmd" else _TOKEN).finditer(text)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return self

    def __next__(self) -> tuple[str, str]:
        one = next(self._matches)
        while one.lastgroup == "comment":
            one = next(self._matches)
        self.at = one.end()
        sort, piece = one.lastgroup or "other", one[0]
        match sort:
            case "mark" | "body" | "here":
                return "quoted", one["body"]
            case "literal":
                return "quoted", piece[1:-1].replace("''", "'")
            case "text":
                return "quoted", piece.strip('"') if self._kind == "cmd" else re.sub(r"`(.)", r"\1", piece[1:-1])
            case "word":
                return "word", re.sub(r"[`^](.)", r"\1", piece)
            case _:
                return sort, piece


def _fill(word: str) -> str:
    """A word with its variables as far as they are known."""
    return _VARIABLE.sub(lambda one: one[0] if _is_known(one[0]) else UNKNOWN, word) if _VARIES.search(word) else word


def _is_cmdlet(name: str) -> bool:
    found = program_of(name)
    return found is not None and found.parser == "powershell.cmdlet"


def _is_known(variable: str) -> bool:
    return local_path(variable) != variable
