"""What a short program in a compiled language evidently does: Go, Rust, C, C++, Java, Swift, C#, Zig, Nim.

The text is not parsed: names that act are looked for, wherever they stand. A call with constant arguments is read; a
call that runs or deletes what only the run will tell is opaque, and so is a name that acts and is not called where it
stands (`#define S system`). What has no such name only reckons and prints, or calls into libraries that are not read.
"""

from __future__ import annotations

import re

from msgspec import Struct

from interlock.facts.effects import CodeEffects
from interlock.facts.limits import ARGUMENTS, CALLS, PROGRAM
from interlock.facts.programs.table import words
from interlock.facts.shell import UNKNOWN

__all__ = ["source_effects"]

_TOKEN = re.compile(
    r"""(?sx)
    (?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)
    |(?P<text>(?:b|c|u8|[LuU@$])?"(?:[^"\\\n]|\\.)*+"?|`[^`]*+`?)
    |(?P<raw>\bb?r(?:"[^"]*+"?|\#"(?:[^"]|"(?!\#))*+(?:"\#)?|\#\#"(?:[^"]|"(?!\#\#))*+(?:"\#\#)?))
    |(?P<sign>'(?:[^'\\\n]|\\.[^'\n]{0,8})')
    |(?P<name>[A-Za-z_]\w*+(?:(?:\.|::|->)[A-Za-z_]\w*+)*+!?)
    |(?P<mark>\#\#|[^\s\w])
    """
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": UNKNOWN, "x": UNKNOWN, "u": UNKNOWN, "U": UNKNOWN}
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_WEB = re.compile(r"(?:https?|ftp|wss?)://[^\s'\"`\\<>]+")
# Names of values that lie in a folder for passing things.
_TEMPORARY = re.compile(r"(?i)te?mp|scratch")
# They make a constant into another type, or put constants together.
_FORMATS = words("""
    CString::new Path::new PathBuf::from String::from Path.of Paths.get File URL Uri NSURL filepath.Join path.Join
    std::filesystem::path fs::path OsStr::new URL.init List.of Arrays.asList vec!
""")


class _Token(Struct):
    kind: str  # "text", "name" or "mark"
    value: str
    end: int = 0  # of a bracket that opens, where its other half is


class _Act(Struct, frozen=True):
    """What a call does with its arguments."""

    does: str
    at: int = 0  # the first argument that counts
    only: int = 0  # with another number of arguments it is something else


def _acts(does: str, names: str, at: int = 0, only: int = 0) -> dict[str, _Act]:
    return dict.fromkeys(names.split(), _Act(does, at, only))


# By the end of the name that is called: `std::fs::remove_file` is `fs::remove_file`.
_ACTS: dict[str, _Act] = {
    **_acts("shell", "system popen _popen _wsystem wsystem execShellCmd execCmd execCmdEx shellExec"),
    **_acts("words", "exec.Command Command::new ProcessBuilder execProcess startProcess Process.run"),
    **_acts("words", "exec.CommandContext", at=1),
    **_acts("line", "Process.Start"),
    **_acts("program", """
        execl execlp execle execv execve execvp execvpe execveat fexecve syscall.Exec os.StartProcess unix.Exec
    """),
    **_acts("program", "posix_spawn posix_spawnp", at=1),
    **_acts("deletes", """
        os.Remove os.RemoveAll unlink rmdir fs::remove_file fs::remove_dir fs::remove_dir_all filesystem::remove_all
        filesystem::remove fs::remove_all Files.delete Files.deleteIfExists File.Delete Directory.Delete
        FileUtils.deleteDirectory removeItem fs::remove os.remove removeFile removeDir deleteFile deleteTree
        syscall.Unlink truncate os.Truncate
    """),
    **_acts("deletes", "remove", only=1),
    **_acts("deletes", "unlinkat", at=1),
    **_acts("moves", """
        rename os.Rename fs::rename filesystem::rename Files.move File.Move Directory.Move moveItem syscall.Rename
    """),
    **_acts("writes", """
        os.WriteFile os.Create os.MkdirAll os.Mkdir ioutil.WriteFile fs::write File::create File::create_new
        std::ofstream ofstream Files.write Files.writeString Files.createFile FileWriter FileOutputStream PrintWriter
        File.WriteAllText File.WriteAllBytes File.Create writeFile creat os.Chmod chmod
    """),
    **_acts("writes", """
        os.Symlink os.Link symlink link fs::hard_link Files.copy File.Copy filesystem::copy fs::copy
    """, at=1),
    **_acts("opens", "fopen freopen open openat os.OpenFile OpenOptions"),
    **_acts("reads", """
        os.ReadFile os.Open ioutil.ReadFile fs::read_to_string fs::read File::open std::ifstream ifstream
        Files.readString Files.readAllBytes Files.readAllLines FileReader FileInputStream File.ReadAllText readFile
        os.ReadDir fs::read_dir contentsOfFile
    """),
    **_acts("fetches", """
        http.Get http.Head reqwest::get ureq::get URLSession HttpClient URL.openConnection openStream curl_easy_init
        minreq::get
    """),
    **_acts("sends", """
        http.Post http.PostForm http.NewRequest http.NewRequestWithContext net.Dial net.DialTimeout tls.Dial
        TcpStream::connect UdpSocket::bind socket Socket DatagramSocket reqwest::Client::new Client::new
        Client::builder ureq::post TcpClient
    """),
    **_acts("listens", "net.Listen http.ListenAndServe TcpListener::bind ServerSocket listen"),
    **_acts("kills", "kill syscall.Kill killpg unix.Kill"),
    **_acts("hidden", """
        dlopen dlsym LoadLibrary LoadLibraryA plugin.Open Class.forName syscall syscall.Syscall syscall.RawSyscall
        unix.Syscall ptrace asm! asm __asm__ __asm global_asm! libloading::Library NSTask Process Child.init Child.run
        std.process.Child ManagementFactory System.load System.loadLibrary Unsafe mprotect include!
    """),
}  # fmt: skip
_LAST = {name.rpartition(".")[2].rpartition("::")[2]: name for name in _ACTS}
# These act by whatever name they are reached; others share their last name with much that is harmless.
_BARE = words("""
    system popen _popen execl execlp execle execv execve execvp execvpe execveat fexecve posix_spawn posix_spawnp unlink
    unlinkat RemoveAll remove_dir_all remove_file removeItem deleteDirectory deleteRecursively dlopen dlsym syscall
    ptrace asm __asm__ __asm execShellCmd ProcessBuilder getRuntime
""")
_WORD_ACTS = frozenset({"deleteRecursively", "deleteOnExit", "toFile.delete", "deleteIfExists"})
_ALIAS = re.compile(r'(?m)^\s*(?:import\s+)?([A-Za-z_.]\w*)\s+"((?:[\w.-]+/)*)([\w-]+)"\s*$')
_PACKAGES = frozenset({"os", "exec", "syscall", "unix", "net", "http", "ioutil", "plugin", "unsafe", "tls"})
_HIDDEN = re.compile(
    r'(?m)^\s*import\s+"C"|^\s*"C"\s*$|\bextern\s+"C"\s*(?:unsafe\s*)?\{\s*fn|\bimport\s+static\b'
    r'|^\s*#\s*include\s*["<](?:~|\.\./|/(?:[^">]*/)?(?:tmp|shm|Downloads)/)|#\s*\[\s*path\s*='
)
_RENAMED = re.compile(r"\b(?:Command|process|fs|remove_dir_all|remove_file)\s+as\s+\w+")
_MODE = re.compile(r"[wa+]")
_FLAGS = re.compile(r"WRONLY|RDWR|CREAT|TRUNC|APPEND|write|create|append")


def source_effects(text: str) -> CodeEffects:
    """The evident effects of a program text in a compiled language."""
    effects = CodeEffects()
    if len(text) > PROGRAM.most:
        effects.reach(PROGRAM)
        text = text[: PROGRAM.most]
    tokens = _tokens(text)
    effects.urls += list(
        dict.fromkeys(found for one in tokens if one.kind == "text" for found in _WEB.findall(one.value))
    )
    if UNKNOWN in text:
        effects.opaque = "a program that is not known before it runs"
    elif _HIDDEN.search(text) or _RENAMED.search(text) or any(one.value == "##" for one in tokens):
        effects.opaque = _OPAQUE
    _Reader(tokens, _aliases(text), effects).read()
    effects.urls = effects.urls if effects.traits & {"network"} else []
    return effects


_OPAQUE = "a program that acts in a way that is not read"


def _aliases(text: str) -> dict[str, str]:
    """Other names under which Go's packages are imported."""
    return {found[1]: found[3] for found in _ALIAS.finditer(text) if found[3] in _PACKAGES and found[1] != "_"}


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    open_: list[int] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if match["text"] is not None:
            found.append(_Token("text", _unescape(match["text"])))
        elif match["raw"] is not None:
            found.append(_Token("text", match["raw"].split('"', 1)[1].rpartition('"')[0]))
        elif kind in ("name", "mark"):
            found.append(_Token(kind, match[kind]))
            if match[kind] in _OPEN:
                open_.append(len(found) - 1)
            elif match[kind] in _CLOSE and open_:
                found[open_.pop()].end = len(found) - 1
    return found


def _unescape(written: str) -> str:
    if written.startswith("`"):
        return written.strip("`")
    body = written[written.index('"') + 1 :].removesuffix('"')
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), body) if "\\" in body else body


class _Reader:
    """Goes through the names of a text."""

    def __init__(self, tokens: list[_Token], aliases: dict[str, str], effects: CodeEffects) -> None:
        self._tokens = tokens
        self._aliases = aliases
        self._effects = effects
        self._values: dict[str, str | None] = {}  # of names that are given a constant; None: in a temporary folder

    def read(self) -> None:
        calls = 0
        for at, token in enumerate(self._tokens):
            if token.kind != "name":
                continue
            if self._value_given(at):
                continue
            act, name = self._act_of(token.value)
            if act is None:
                continue
            calls += 1
            if calls > CALLS.most:
                self._effects.reach(CALLS)
                return
            following = self._tokens[at + 1] if at + 1 < len(self._tokens) else None
            if following is None or following.value not in ("(", "{", "[") or not following.end:
                typed = name[:1].isupper() and following is not None and following.kind == "name"  # `Type value`
                if not typed and self._acts_by_name(act, name, at):
                    self._effects.opaque = self._effects.opaque or _OPAQUE
                continue
            if name in _BARE and self._is_declared(at):
                continue
            self._do(act, self._arguments(at + 1, following.end), at, following.end)

    def _value_given(self, at: int) -> bool:
        """Keep what a name is given: `p := "/tmp/x"`, `dir, err := os.MkdirTemp(…)`."""
        tokens = self._tokens
        place = at + 1
        while place < min(at + 6, len(tokens)) and tokens[place].kind == "mark" and tokens[place].value in ":=,":
            place += 1
        marks = "".join(one.value for one in tokens[at + 1 : place])
        if "=" not in marks and not (marks == "," and self._is_pair(at)):
            return False
        until = min(place + 12, len(tokens))
        value = next((one for one in tokens[place:until] if one.kind == "text"), None)
        names = " ".join(one.value for one in tokens[place:until] if one.kind == "name")
        name = tokens[at].value
        if _TEMPORARY.search(names):
            self._values[name] = None
        elif value is not None and tokens[place] is value:
            self._values[name] = value.value if name not in self._values else UNKNOWN
        elif name in self._values:
            self._values[name] = UNKNOWN
        return False

    def _is_pair(self, at: int) -> bool:
        """Whether a name is the first of two that get values: `dir, err := …`."""
        rest = [one.value for one in self._tokens[at + 1 : at + 5]]
        if rest[:1] == [","] and "=" in rest[2:]:
            names = " ".join(one.value for one in self._tokens[at + 5 : at + 9] if one.kind == "name")
            if _TEMPORARY.search(names):
                self._values[self._tokens[at].value] = None
        return False

    def _act_of(self, written: str) -> tuple[_Act | None, str]:
        """What calling a name does, by its end."""
        name = written.replace("->", ".")
        first, dot, rest = name.partition(".")
        if dot and first in self._aliases:
            name = f"{self._aliases[first]}.{rest}"
        elif "." in self._aliases and f"{self._aliases['.']}.{name}" in _ACTS:
            name = f"{self._aliases['.']}.{name}"
        steps = re.split(r"\.|::", name)
        for start in range(max(0, len(steps) - 3), len(steps)):
            for joint in (".", "::"):
                found = _ACTS.get(joint.join(steps[start:]))
                if found is not None:
                    return found, joint.join(steps[start:])
        last = steps[-1]
        if last in _BARE:
            return _ACTS.get(_LAST.get(last, ""), _Act("hidden")), last
        return (_Act("hidden"), last) if last in _WORD_ACTS else (None, "")

    def _acts_by_name(self, act: _Act, name: str, at: int) -> bool:
        """Whether naming something without calling it hands on that it acts."""
        if act.only or self._is_import(at):
            return False
        return name in _BARE or ("." in name and act.does in ("words", "deletes", "program"))

    def _is_import(self, at: int) -> bool:
        """Whether a name stands in a list of what is imported: `use std::fs::remove_file;`."""
        before = [one.value for one in self._tokens[max(0, at - 8) : at]]
        return "use" in before or "import" in before or "using" in before

    def _is_declared(self, at: int) -> bool:
        """Whether a name is given a meaning here: `int system(const char *)`, `func (r *R) exec(…)`."""
        before = self._tokens[at - 1].value if at else ""
        return before in ("func", "fn", "def", "void", "proc")

    def _arguments(self, start: int, end: int) -> list[str]:
        """The arguments between two brackets; one that is not known is `\\0`."""
        if end - start > ARGUMENTS.most:
            return [UNKNOWN]
        found: list[str] = []
        at = begun = start + 1
        while at <= end:
            token = self._tokens[at]
            if at == end or (token.value == "," and token.kind == "mark"):
                if at > begun:
                    found += self._argument(begun, at)
                begun = at + 1
            elif token.kind == "mark" and token.value in _OPEN and token.end:
                at = token.end
            at += 1
        return found

    def _argument(self, start: int, end: int) -> list[str]:
        tokens = self._tokens[start:end]
        while tokens and tokens[0].kind == "mark" and tokens[0].value in "&*@.":
            start, tokens = start + 1, tokens[1:]
        if len(tokens) == 1:
            one = tokens[0]
            if one.kind == "text":
                return [one.value]
            if one.value in ("NULL", "nullptr", "nil", "null"):
                return []
            return [_TEMP if (value := self._values.get(one.value, UNKNOWN)) is None else value]
        # A list of words, or a constant that is only made into another type.
        for place, token in enumerate(tokens):
            if token.kind == "mark" and token.value in _OPEN and token.end and token.end < end + 1:
                wrapped = place == 0 or tokens[place - 1].value in _FORMATS or token.value in "{["
                inner = self._arguments(start + place, token.end) if wrapped else []
                if inner and token.end - start >= len(tokens) - 4:
                    return inner
                break
        return [_TEMP] if any(_TEMPORARY.search(one.value) for one in tokens if one.kind == "name") else [UNKNOWN]

    # --- what calls do -------------------------------------------------------------------------------------------

    def _do(self, act: _Act, args: list[str], at: int, end: int) -> None:
        if act.only and len(args) != act.only:
            return
        effects, args = self._effects, args[act.at :] or [UNKNOWN]
        if act.does == "words":
            self._runs([*args, *self._further_words(end)])
        elif act.does == "program":
            self._runs(args)
            if UNKNOWN in "".join(args):  # the words that it is given are all in one value
                effects.opaque = effects.opaque or _RUNS_UNKNOWN
        elif act.does == "line":
            self._runs_text(UNKNOWN if UNKNOWN in "".join(args) else " ".join(args))
        elif act.does == "shell":
            self._runs_text(args[0])
        elif act.does in ("deletes", "moves"):
            self._deletes(args[0])
            if act.does == "moves":
                effects.writes += [word for word in args[1:2] if word != _TEMP]
        elif act.does == "opens":
            modes = " ".join(token.value for token in self._tokens[at:end])
            writes = any(_MODE.fullmatch(word[:1]) for word in args[1:2]) or _FLAGS.search(modes) is not None
            self._touches("writes" if writes else "reads", args[0])
        elif act.does in ("writes", "reads"):
            self._touches(act.does, args[0])
        elif act.does == "hidden":
            effects.opaque = effects.opaque or _OPAQUE
        else:
            effects.traits |= _TRAITS[act.does]  # what of all that it reads is sent, nobody can say

    def _touches(self, how: str, word: str) -> None:
        if word not in (UNKNOWN, _TEMP):
            (self._effects.writes if how == "writes" else self._effects.reads).append(word)

    def _deletes(self, word: str) -> None:
        if word == _TEMP:
            return
        self._effects.deletes.append(word)
        if UNKNOWN in word:
            self._effects.opaque = self._effects.opaque or "deletes what is not known before it runs"

    def _runs_text(self, text: str) -> None:
        if text in (UNKNOWN, _TEMP):
            self._effects.opaque = self._effects.opaque or _RUNS_UNKNOWN
        else:
            self._effects.shell.append(text.replace(UNKNOWN, "$VALUE"))

    def _runs(self, argv: list[str]) -> None:
        if not argv or argv[0] in (UNKNOWN, _TEMP):
            self._effects.opaque = self._effects.opaque or _RUNS_UNKNOWN
            return
        self._effects.shell.append(" ".join(map(_quote, argv)))

    def _further_words(self, end: int) -> list[str]:
        """The words that a program is given in calls behind the one that names it: `.arg("x").args(["y"])`."""
        found: list[str] = []
        at = end + 1
        while at + 2 < len(self._tokens) and self._tokens[at].value == ".":
            name, bracket = self._tokens[at + 1], self._tokens[at + 2]
            if name.kind != "name" or not bracket.end:
                break
            if name.value in ("arg", "args"):
                found += self._arguments(at + 2, bracket.end)
            at = bracket.end + 1
        return found


_TEMP = "\0tmp"  # stands for a path in a temporary folder
_RUNS_UNKNOWN = "runs what is not known before it runs"
_TRAITS: dict[str, set[str]] = {
    "fetches": {"network"}, "sends": {"network"}, "listens": {"network/listens"}, "kills": {"kills"},
}  # fmt: skip


def _quote(word: str) -> str:
    return '"$VALUE"' if UNKNOWN in word else "'" + word.replace("'", "'\\''") + "'"
