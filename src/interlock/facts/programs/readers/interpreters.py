"""Languages: what is run from a text, a file, a module or standard input."""

from __future__ import annotations

import re
from typing import cast

from interlock.facts.programs.draft import UseDraft, names_url
from interlock.facts.programs.table import Rewrite, Special
from interlock.facts.programs.use import Kind, Stdin

# `python -m …`: modules that are programs of their own; the rest is code that was not read.
_MODULES = {"pip": "pip", "pytest": "pytest", "venv": "venv", "virtualenv": "virtualenv", "mypy": "mypy",
    "ruff": "ruff", "black": "black",
            "isort": "isort", "flake8": "flake8", "pylint": "pylint", "twine": "twine", "poetry": "poetry",
                "uv": "uv", "pipx": "pipx",
            "tox": "tox", "nox": "nox", "coverage": "coverage", "pre_commit": "pre-commit", "bandit": "bandit",
                "unittest": "unittest",
            "json.tool": "json.tool", "http.server": "http.server", "build": "pyproject-build",
                "ensurepip": "ensurepip", "conda": "conda",
            "py_compile": "py_compile", "compileall": "compileall", "timeit": "timeit", "pdb": "pdb",
                "cProfile": "cProfile",
            "zipfile": "zipfile", "tarfile": "tarfile", "jupyter": "jupyter", "pipenv": "pipenv", "pydoc": "pydoc",
                "site": "site", "code": "python", "IPython": "ipython", "asyncio": "python",
            "platform": "platform", "sysconfig": "sysconfig", "calendar": "calendar", "this": "this",
                "webbrowser": "webbrowser",
            "pyftpdlib": "http.server", "SimpleHTTPServer": "http.server",
            "trace": "cProfile", "profile": "cProfile", "dis": "dis", "tokenize": "dis", "ast": "dis",
                "tabnanny": "dis"}  # fmt: skip


# Files that are programs under a name of their own, whatever runs them: `php artisan`, `java -jar jenkins-cli.jar`.
_PROGRAM_FILES = {
    "artisan": "artisan", "manage.py": "manage.py", "rails": "rails", "rake": "rake", "occ": "occ", "wp": "wp",
    "wp-cli.phar": "wp", "drush": "drush", "drush.phar": "drush", "composer.phar": "composer", "composer": "composer",
    "console": "symfony", "magento": "magento", "jenkins-cli.jar": "jenkins-cli", "bfg.jar": "bfg",
    "liquibase.jar": "liquibase",
}  # fmt: skip
_VERSION = re.compile(r"-\d[\w.]*(?=\.(?:jar|phar)$)")


def run_as_program(draft: UseDraft, words: list[str]) -> None:
    """A file that is known as a program is read as that program too."""
    name = _PROGRAM_FILES.get(_VERSION.sub("", words[0].rpartition("/")[2]))
    if name is not None:
        draft.run("argv", name, *words[1:])


def _python(draft: UseDraft) -> None:
    """Modules are programs of their own, or code that was not read."""
    words = draft.operands
    code = draft.value("-c")
    module = draft.value("-m")
    if code is not None:
        draft.run("code:python", code)
        for line in code.split("\n") if draft.name == "ipython" else ():
            if line.lstrip().startswith("!"):
                draft.run("shell", line.lstrip().lstrip("!"))
    elif module is not None:
        program = _MODULES.get(module)
        if program is not None:
            draft.run("argv", program, *words)
        else:
            draft.run("file", module, *words, by="python -m")
    elif words and words[0] != "-":
        draft.reads.append(words[0])
        draft.run("file", *words, by="python")
        run_as_program(draft, words)
    elif not draft.dry:
        draft.stdin = "code:python"
        if not draft.args:
            draft.add("interactive")


def _python_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """What follows -c CODE or -m MODULE belongs to the code."""
    at = 0
    while at < len(args):
        word = args[at]
        if word[:1] != "-" or word in {"-", "--"} or word[:2] == "--":
            return args
        for place, letter in enumerate(word[1:], 1):
            if letter in "cm":
                given = word[place + 1 :]
                end = at + 1 if given else at + 2
                return (*args[:at], *(("-" + word[1:place],) if place > 1 else ()), "-" + letter,
                        *((given,) if given else args[at + 1 : at + 2]), "--", *args[end:])  # fmt: skip
            if letter in "WXQ":
                at += 0 if word[place + 1 :] else 1
                break
        at += 1
    return args


def _code(kind: str, *names: str) -> Special:
    """An interpreter whose options give code; else it runs a file, else its input."""
    language = cast("Kind", "code:" + kind)

    def of(draft: UseDraft) -> None:
        texts = [value for name, value in draft.values if name in names]
        for text in texts:
            draft.run(language, text)
        if texts:
            if "-i" in draft.flags and kind in {"perl", "ruby"}:
                draft.writes += draft.operands
            draft.reads += draft.operands if kind in {"perl", "ruby"} else []
        elif draft.operands and draft.operands[0] != "-":
            for words in (draft.operands, draft.operands[1:] if draft.doubtful else []):
                if words:
                    draft.reads.append(words[0])
                    draft.run("file", *words, by=draft.name)
                    run_as_program(draft, words)
        elif draft.args in (("-v",), ("-V",), ("--version",)):
            draft.dry = True
        elif not draft.dry:
            draft.stdin = cast("Stdin", language)

    return of


def _checks(draft: UseDraft) -> None:
    """perl -c and ruby -c check the syntax, but run BEGIN blocks."""
    _load_from(draft, draft.value("-I") or "")
    _code("perl", "-e", "-E")(draft)


_LOADED = frozenset({"auto_prepend_file", "auto_append_file", "extension", "zend_extension"})


def _php(draft: UseDraft) -> None:
    """A server, a page of facts, a check, or code; settings can name files that are run."""
    for name, value in draft.values:
        key, _, file = value.partition("=")
        if name == "--define" and file and key in _LOADED:
            draft.run("file", file, by="php")
    if "--server" in draft.flags:
        draft.add("network/listens")
        draft.acts()
        return
    if {"--info", "--modules", "--ini", "--rf", "--rc", "--syntax-check"} & set(draft.flags):
        draft.reads += draft.operands
        return
    _code("php", "--run", "--process-code", "--process-begin", "--process-end")(draft)


def _node(draft: UseDraft) -> None:
    """A debugger may listen; tests and scripts of the package are run by options."""
    given = [value for name, value in draft.values if name.startswith("--inspect")]
    if any("." in value and not value.startswith("127.") for value in given):
        draft.add("network/listens")  # a debugger waits on this machine's own address, unless it is given another
    if "--check" in draft.flags:
        draft.reads += draft.operands
        return
    if "--test" in draft.flags:
        draft.add("runs-project")
        draft.acts()
        return
    script = draft.value("--run")
    if script is not None:
        draft.run("file", "package.json", script, by="node")
        return
    _code("js", "--eval", "--print")(draft)


def _node_words(args: tuple[str, ...]) -> tuple[str, ...]:
    """`-pe CODE` is -p and -e, not -p with the code `e`."""
    return tuple("-e" if word == "-pe" else word for word in args)


def _first_of(draft: UseDraft, by: str) -> None:
    """The first operand is a script, the rest are its arguments."""
    if draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by=by)


_ANYBODYS = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/")  # noqa: S108 who can write there


def _load_from(draft: UseDraft, folders: str) -> None:
    """Note folders that code is looked for in, where anybody can put some."""
    for folder in folders.split(":"):
        if (folder + "/").startswith(_ANYBODYS):
            draft.run("file", folder, by=draft.name)


def _java(draft: UseDraft) -> None:
    """A jar, a class, agents, and folders where classes are looked for."""
    _load_from(draft, draft.value("--classpath") or draft.value("--cp") or "")
    for word in draft.args:
        if word.startswith(("-javaagent:", "-agentpath:")):
            draft.run("file", word.partition(":")[2].partition("=")[0], by="java")
    jar = draft.value("--jar")
    if jar is not None:
        draft.reads.append(jar)
        draft.run("file", jar, *draft.operands, by="java")
        run_as_program(draft, [jar, *draft.operands])
    elif draft.operands:
        draft.run("file", *draft.operands, by="java")
    elif {"--version", "--help"} & set(draft.flags) or "-version" in draft.marks():
        draft.dry = True


_NOTICE = (
    r"\s*(?:display notification \"[^\"\\]*\"(?:\s+(?:with title|subtitle|sound name) \"[^\"\\]*\")*|beep(?: \d+)?|"
    r"set volume (?:output (?:volume|muted) )?\w+|say \"[^\"\\]*\")\s*"
)


def _osascript(draft: UseDraft) -> None:
    """AppleScript can start a shell; a notice alone does nothing else."""
    for name, value in draft.values:
        if name == "-e":
            start = value.find("do shell script")
            if start >= 0:
                text = value[start + 15 :].strip()
                quoted = text[1:].partition('"')[0] if text[:1] == '"' else "\0"
                draft.run("shell", quoted)
                if "administrator privileges" in value:
                    draft.add("privilege")
            if not re.fullmatch(_NOTICE, value):
                draft.run("code:other", value)
    if draft.operands and "-e" not in draft.flags:
        _first_of(draft, "osascript")
    elif "-e" not in draft.flags:
        draft.stdin = "code:other"


_GIVEN_CODE = ("-e", "-E", "--eval", "--print", "-c", "-x", "--run", "-s")
_GIVEN_FILES = frozenset({"--file", "--load", "--script", "-f", "-r", "-t", "-u"})
_LOADERS = frozenset({"R", "guile", "julia", "racket", "sbcl"})  # they run the files that options name

_BOTH = frozenset({"expect", "lua", "luajit", "luau"})  # they run a script after the code


def _other(draft: UseDraft) -> None:
    """An interpreter of a language that is not read: code from options, files from options, a script, or its input."""
    files = [value for name, value in draft.values if name in _GIVEN_FILES] if draft.name in _LOADERS else []
    for file in files:
        draft.reads.append(file)
        draft.run("file", file, by=draft.name)
    if draft.name == "erl":
        draft.operands = []  # they are for the program that options name
    _code("other", *_GIVEN_CODE)(draft)
    if draft.operands and draft.name in _BOTH and any(name in _GIVEN_CODE for name, _ in draft.values):
        _first_of(draft, draft.name)
    elif files and not draft.operands:
        draft.stdin = "data"


def run_fetched(draft: UseDraft) -> bool:
    """Whether an address is run as a file would be."""
    for word in draft.operands[:1]:
        if names_url(word) and not word.startswith("file:"):
            draft.urls.append(word)
            draft.add("executes-download", "network")
            return True
    return False


def _fetched(draft: UseDraft) -> None:
    """deno runs an address as it runs a file, and `-` is its input."""
    if draft.operands[:1] == ["-"]:
        draft.stdin = "code:js"
    else:
        run_fetched(draft)


def _httpd(draft: UseDraft) -> None:
    """`ruby -run -e httpd`: the library `un` has commands of its own."""
    for name, value in draft.values:
        if name == "-r" and value.startswith(("/", "~", ".")):
            draft.run("file", value, by="ruby")
    if draft.value("-r") == "un":
        command = draft.value("-e") or ""
        if command == "httpd":
            draft.add("network/listens")
            draft.acts()
        elif command:
            draft.run("argv", command, *draft.operands)
        return
    _code("ruby", "-e")(draft)


_DEBUG_FILES = re.compile(r"(?:dump|append|save|restore|generate-core-file|gcore)\b.*?([~/.\w-]*[/.][\w./-]+)")


def _debug(draft: UseDraft, text: str) -> None:
    """A command of gdb or lldb: most look at the program; some start a shell, run code or write files."""
    plain = text.strip()
    word, _, rest = plain.partition(" ")
    if plain.startswith("!"):
        draft.aside(plain[1:].strip() or "sh")
    elif word in {"shell", "make", "platform", "pipe"}:
        draft.aside(rest.removeprefix("shell ").strip() if word != "make" else plain)
    elif word in {"python", "py", "script", "pi", "python-interactive"}:
        draft.run("code:python", rest)
    elif word in {"source", "command"}:
        draft.run("file", rest.rpartition(" ")[2] or "\0", by=draft.name)
    elif word in {"attach", "target", "process"} and rest:
        draft.add("captures")
    elif "system" in plain or "exec" in plain or "popen" in plain:
        draft.run("code:other", plain)
    elif found := _DEBUG_FILES.match(plain):
        draft.writes.append(found[1])


def _debugger(draft: UseDraft) -> None:
    """Commands of a debugger come as options; the operands are the program."""
    for name, value in draft.values:
        if name in {"--ex", "--iex", "--one-line", "-O"}:
            _debug(draft, value)
    if draft.operands:
        draft.run("argv", *draft.operands)


def _profiled(draft: UseDraft) -> None:
    """Code from options, or a script under the profiler."""
    told = [value for name, value in draft.values if name in {"-c", "-s"}]
    if draft.name == "timeit":
        told += draft.operands
    for text in told:
        draft.run("code:python", text)
    if draft.operands and draft.name != "timeit":
        draft.run("argv", "python", *draft.operands)


READERS: dict[str, Special] = {
    "checks": _checks,
    "debugger": _debugger,
    "fetched": _fetched,
    "httpd": _httpd,
    "java": _java,
    "node": _node,
    "osascript": _osascript,
    "other": _other,
    "php": _php,
    "profiled": _profiled,
    "python": _python,
    "ts_node": _code("js", "--eval", "--print"),
}


REWRITES: dict[str, Rewrite] = {
    "node_words": _node_words,
    "python_words": _python_words,
}
