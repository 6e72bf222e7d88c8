"""Short programs in languages that are not read: whether they do more than reckon and print.

Lua, Julia, R, Tcl, Lisp, Haskell, Elixir and others as they stand on a command line. A call that runs a constant text
is read. A text is harmless only if every word of it is known to be: there are too many ways to spell the rest.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from interlock.facts.limits import PROGRAM
from interlock.facts.programs.table import words
from interlock.facts.shell import UNKNOWN

__all__ = ["OtherEffects", "other_effects"]


class OtherEffects(Struct):
    """What is evident of such a program."""

    shell: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    deletes: list[str] = field(default_factory=list)
    harmless: bool = False
    cut: bool = False  # it was not read to its end


# Calls in any of these languages that give a text to a shell: `system("x")`, `os.execute 'x'`, `(system "x")`.
_RUN = re.compile(
    r"""(?x)\b(?:system2?|os\.execute|io\.popen|popen|shell|shell_exec|run-shell-command|callCommand|runCommand|
        call-process-shell-command|shell-command|exec|spawn|term|os:cmd|System\.cmd|do\ shell\ script|do\ script|
        write\ text)
        [(\[\s]*+(?P<quote>["'])(?P<text>(?:(?!(?P=quote))[^\\]|\\.)*+)(?P=quote)"""
)
# In Tcl, and so in expect, a command's words need no quotes: `spawn ssh host`, `exec ls $dir`.
_TCL_RUN = re.compile(r"(?:^|[;\[{\n])[ \t]*+(?:spawn|exec|system)[ \t]++(?P<text>[^;\[\]{}\n]++)")
_TCL_VALUE = re.compile(r"\$\w+")
_DELETING = words("""
    os.remove file.remove unlink rm rmdir removeFile removeDirectory removeDirectoryRecursive File.rm File.rm_rf
    File.rmdir delete-file delete-directory rmtree file:delete os.rename Base.rm
""")
_WRITING = words("file.create dir.create File.write File.mkdir_p writeFile appendFile spit mkpath mkdir touch")
_READING = words("read.csv read.table read.delim readLines readRDS File.read readFile slurp io.open io.lines open File")
_NAMES = "|".join(re.escape(name) for name in sorted(_DELETING | _WRITING | _READING, key=len, reverse=True))
# A call whose first argument is a constant: `os.remove("x")`, `(delete-file "x")`, `new File("x").delete()`.
_FILE_CALL = re.compile(
    rf"""(?x)(?<![\w.:-])(?P<name>{_NAMES})!?[(\s]\s{{0,4}}(?:"(?P<double>[^"\\\n]*+)"|'(?P<plain>[^'\\\n]*+)')
        (?:\s{{0,4}},\s{{0,4}}["'](?P<mode>[rwab+]+)["']|\)\.(?P<method>\w+))?"""
)
# With or without its end: a text that does not end is passed over whole, so that no character is looked at twice.
_TEXT = re.compile(r"\"(?:[^\"\\#$\[{]|\\.|[#$](?![({]))*+(?P<end>\"?)|'[^'\\]*+(?P<end_of_plain>'?)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
# Numbers, `\x41` and the like mean something else in each language, so what they stand for is unknown.
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\n": "\n", "\\": "\\", '"': '"', "'": "'", "/": "/", "$": "$", " ": " "}
_WORD = re.compile(r"[A-Za-z_][\w.:?-]*")
_NAMED = re.compile(r"\b(?:local|let|var|val|def|for|\\|fn)?\s*([a-z_]\w*)\s*(?:=(?!=)|<-|in\b|->)")
_MARKS = re.compile(r"[`!|\0@#]|<<|>>|\.\.\s*[\"']|\]\s*\(|\)\s*\(")
_KNOWN = words("""
    disp print println printf puts display newline cat paste paste0 format sprintf show string.format string.upper
    string.rep string.lower string.len string.reverse tostring tonumber toString type typeof class length len size
    nchar str summary head tail sum mean median sd var min max range seq rev sort sorted order unique table round
    floor ceil ceiling abs sqrt exp log log2 log10 sin cos tan pi e mod div rem gcd lcm pow math.pi math.floor
    math.ceil math.sqrt math.max math.min math.abs math.huge c list vector matrix array zeros ones rand randn rnorm
    runif sample map filter reduce fold foldl foldr zip enumerate each sapply lapply Enum.sum Enum.map Enum.sort
    IO.puts IO.inspect io:format io.write std.debug.print erlang:display String.upcase String.length sys.version
    VERSION _VERSION version versioninfo R.version.string R.version R.Version sessionInfo System.version typeOf true
    false TRUE FALSE nil null None NULL if then else elseif elif end for in to while do done return function local
    let var val def fn lambda and or not of where case when begin const Int Float String Double Integer Char Bool
    putStrLn pairs ipairs next select unpack table.concat table.insert table.remove table.sort string.sub string.gsub
    string.find string.match string.byte string.char os.time os.date os.clock math.random print.default nrow ncol dim
    colnames names str_length rownames is.na which read.csv read.table read.delim readLines readRDS
    x y z i j k n a b s f t v
""")


def other_effects(text: str) -> OtherEffects:
    """The evident effects of a program text; neither a command nor harmless: it cannot be read."""
    if len(text) > PROGRAM.most:
        return _with_files(OtherEffects(_shells(text[: PROGRAM.most]), cut=True), text[: PROGRAM.most])
    bare = _TEXT.sub(lambda found: '""' if found["end"] or found["end_of_plain"] else found[0], text)
    named = _KNOWN | set(_NAMED.findall(bare))
    plain = '"' not in bare.replace('""', "") and "'" not in bare and _MARKS.search(bare) is None
    if plain and all(word.rstrip(".:-") in named for word in _WORD.findall(bare)):
        return _with_files(OtherEffects(harmless="://" not in text), text)
    return _with_files(OtherEffects(_shells(text)), text)


def _with_files(effects: OtherEffects, text: str) -> OtherEffects:
    """The effects, with the files of constant names that calls read, write or delete."""
    for call in _FILE_CALL.finditer(text):
        path = call["double"] if call["double"] is not None else call["plain"] or ""
        name = call["name"].rstrip("!")
        if name in _DELETING or (name == "File" and (call["method"] or "").startswith("delete")):
            effects.deletes.append(path)
        elif name in _WRITING or (call["mode"] or "r")[0] in "wa":
            effects.writes.append(path)
        elif name != "File":
            effects.reads.append(path)
    return effects


def _shells(text: str) -> list[str]:
    """The texts that are given to a shell. One with escapes is given as written too: not every language reads them."""
    found: list[str] = []
    for call in _RUN.finditer(text):
        written = call["text"].replace('\\"', '"')
        found.append(written)
        if "\\" in written:
            found.append(_ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], UNKNOWN), call["text"]))
    for command in _TCL_RUN.finditer(text):
        words = command["text"].split()
        while words and words[0].startswith("-"):  # of the command that starts it: `spawn -noecho`
            words.pop(0)
        line = _TCL_VALUE.sub(UNKNOWN, " ".join(words))
        found += [line] if line and line not in found else []
    return found
