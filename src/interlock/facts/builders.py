"""Tools that make programs of sources: where they put what they make, and of what they make it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from msgspec import Struct

from interlock.facts.programs.table import words
from interlock.facts.shell import Command

__all__ = ["Build", "build_of", "is_builder", "is_source"]

_SOURCE_ENDINGS = words("""
    c cc cpp cxx h hh hpp hxx m mm go rs swift java kt kts scala cs fs zig nim d hs ml f90 f pas cr v s asm
    ts tsx mts cts js jsx mjs cjs py
""")


class Build(Struct, frozen=True):
    """What a command builds. Words are as written; a folder of sources is one too."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()  # all that lies in them is made by the build
    sources: tuple[str, ...] = ()
    fetched: bool = False  # of sources that it fetches itself


class _Tool(Struct, frozen=True):
    """How a tool is told where to put what it makes. Without `verbs` it builds whatever it is told."""

    verbs: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()  # options before a file
    folders: frozenset[str] = frozenset()  # options before a folder
    variable: str = ""  # it names the folder too
    usual: str = ""  # the folder if nobody says, below that of the sources
    listed: bool = True  # the sources are words of the command; else those of the folder it stands in


_COMPILER = _Tool(files=words("-o --output"))
_BUNDLER = _Tool(
    files=words("--outfile --out-file -o"), folders=words("--outdir --outDir --out-dir -d --dist-dir --dir")
)
_TOOLS: dict[str, _Tool] = {
    **dict.fromkeys(
        words("""
            gcc cc g++ c++ clang clang++ tcc gfortran rustc swiftc ghc dmd ldc2 crystal fpc nasm yasm as ld lld ocamlopt
            ocamlfind mcs csc nvcc emcc em++ musl-gcc
        """),
        _COMPILER,
    ),
    "go": _Tool(words("build test install"), files=words("-o --o"), variable="GOBIN"),
    "zig": _Tool(words("build-exe build-lib build-obj cc c++ test"), files=words("-o -femit-bin")),
    "nim": _Tool(words("c cc cpp compile js"), files=words("-o --out"), folders=words("--outdir")),
    "cargo": _Tool(
        words("build b test t run r bench rustc check c"),
        folders=words("--target-dir --artifact-dir"), variable="CARGO_TARGET_DIR", usual="target", listed=False,
    ),
    "swift": _Tool(
        words("build test run"), folders=words("--build-path --scratch-path"), usual=".build", listed=False
    ),
    "dotnet": _Tool(words("build publish pack"), folders=words("-o --output --artifacts-path"), listed=False),
    "javac": _Tool(folders=words("-d")),
    "scalac": _Tool(folders=words("-d")),
    "kotlinc": _Tool(files=words("-d"), folders=words("-d")),
    "tsc": _Tool(files=words("--outFile"), folders=words("--outDir"), listed=False),
    "swc": _Tool(files=words("-o --out-file"), folders=words("-d --out-dir")),
    "babel": _Tool(files=words("-o --out-file"), folders=words("-d --out-dir")),
    "bun": _Tool(words("build"), files=words("--outfile"), folders=words("--outdir")),
    "deno": _Tool(words("compile bundle"), files=words("-o --output")),
    **dict.fromkeys(("esbuild", "tsup", "rollup", "ncc", "pkg", "parcel", "microbundle"), _BUNDLER),
    **dict.fromkeys(
        ("vite", "webpack", "next", "astro"), _Tool(folders=words("--outDir --output-path -o"), listed=False)
    ),
    "pyinstaller": _Tool(folders=words("--distpath")),
    "nuitka": _Tool(folders=words("--output-dir")),
    # Without a table of its own: the folder that it builds in is the one that it was configured for.
    "cmake": _Tool(folders=words("--build -B"), listed=False),
    "meson": _Tool(words("setup compile"), folders=words("-C"), listed=False),
    **dict.fromkeys(("make", "gmake", "ninja"), _Tool(folders=words("-C --directory"), listed=False)),
}  # fmt: skip
_JOINED = re.compile(r"(-femit-bin=|-o:|--out:|--outdir:)(.+)", re.DOTALL)
_SHORT = re.compile(r"(-[oCBd])([^-=:].*)", re.DOTALL)
_CONFIGURES = frozenset({"cmake", "meson"})


def is_source(path: str) -> bool:
    """Whether a file is one that programs are built of, by its name."""
    name, dot, ending = posixpath.basename(path).rpartition(".")
    return bool(name and dot) and ending in _SOURCE_ENDINGS


def is_builder(name: str) -> bool:
    return name in _TOOLS


def build_of(command: Command) -> Build | None:
    """What a command builds, if its program is a tool for that."""
    tool = _TOOLS.get(command.name)
    if tool is None or (tool.verbs and not tool.verbs.intersection(command.args[:3])):
        return None
    files: list[str] = []
    folders: list[str] = []
    for option, value in _options(command.args):
        place = "." if value == command.use.base else value  # where the command stands, all words are seen from there
        files += [place] if option in tool.files else []
        folders += [place] if option in tool.folders else []
    if not files and not folders and tool.variable:
        folders += [command.env[tool.variable]] if tool.variable in command.env else []
    base = _manifest_folder(command) or "."
    if tool.usual and not folders:
        folders.append(posixpath.join(base, tool.usual))
    if command.name == "meson" and "setup" in command.args:
        folders += command.use.operands[1:2]
    made = {*files, *folders}
    files += [word for word in command.use.writes if word not in made and "\0" not in word]
    if not tool.listed:
        return Build(tuple(files), tuple(folders), tuple(_project_of(command, folders, base)))
    if command.name == "go":
        packages = [word for word in command.use.operands if word not in tool.verbs] or ["."]
        if not files and not folders and "install" not in command.args:
            folders.append(".")
        local = [word for word in packages if word.startswith((".", "/", "~")) or word.endswith(".go")]
        # A package by its own name is one that the project's go.mod lists, unless a version is asked for.
        fetched = any("@" in word for word in packages)
        return Build(tuple(files), tuple(folders), tuple(word.removesuffix("/...") for word in local), fetched)
    sources = command.use.reads or tuple(word for word in command.use.operands if word not in tool.verbs | made)
    return Build(tuple(files), tuple(folders), tuple(dict.fromkeys(sources)))


def _project_of(command: Command, folders: list[str], base: str) -> Iterator[str]:
    """The folders of which a tool builds all that it is configured for."""
    if command.name not in _CONFIGURES and command.name not in ("make", "gmake", "ninja"):
        yield base
        return
    given = dict(_options(command.args))
    if command.name == "cmake" and "--build" not in given:
        words = [word for word in command.use.operands if word not in folders]
        yield given.get("-S") or (words[0] if words else ".")
    elif command.name == "meson" and "setup" in command.args:
        yield next(iter(command.use.operands[2:3]), ".")
    else:
        yield from folders or [base]


def _manifest_folder(command: Command) -> str:
    file = dict(_options(command.args)).get("--manifest-path", "")
    return posixpath.dirname(file) if file else ""


def _options(args: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each option with the word that may be its value: `-o x`, `-ox`, `--out=x`, `-o:x`."""
    for number, word in enumerate(args):
        if not word.startswith("-") or word == "-":
            continue
        joined = _JOINED.fullmatch(word)
        if joined is not None:
            yield joined[1].rstrip("=:"), joined[2]
            continue
        name, mark, value = word.partition("=")
        if mark:
            yield name, value
            continue
        if number + 1 < len(args) and not args[number + 1].startswith("-"):
            yield word, args[number + 1]
        short = _SHORT.fullmatch(word)
        if short is not None:
            yield short[1], short[2]
