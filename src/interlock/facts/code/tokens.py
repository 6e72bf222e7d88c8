"""Short programs in other languages, cut into tokens, and the names in them that stand for one constant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from msgspec import Struct

from interlock.facts.limits import LOOPS, PROGRAM_STEPS, ROUNDS, Limit
from interlock.facts.shell import UNKNOWN

__all__ = ["PATHS", "Token", "each_round", "read_tokens"]

# What a text begins with at some place. Quotes and comments are looked for by `_Reader`, which knows where none ends.
_TOKEN = re.compile(
    r"""(?P<open>[fFrRbBuU]{0,2}(?:"{3}|'{3}|["'])|`)
      | (?P<name>[A-Za-z_$@][\w$]*(?:(?:\.|::|->|&\.|\?\.)[A-Za-z_$][\w$]*[!?]?)*)
      | (?P<space>\s+)
      | (?P<mark>.)""",
    re.VERBOSE,
)
# What stands in quotes, by the quote; a backslash takes the next character with it.
_BODIES = {
    '"': re.compile(r"""[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+"""),
    "'": re.compile(r"""[^'\\\n]*+(?:\\[\s\S][^'\\\n]*+)*+"""),
    "`": re.compile(r"""[^`\\]*+(?:\\.[^`\\]*+)*+"""),
}
_COMMENTS = {"python": ("#",), "perl": ("#",), "ruby": ("#",), "js": ("//", "/*"), "php": ("#", "//", "/*")}
_TOKEN_NAME = re.compile(r"[A-Za-z_$@][\w$]*")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([\s\S]))")
_CHANGES_TEXT = frozenset({"format", "replace", "translate", "join", "concat", "reverse", "decode", "split"})
_VALUE = "\x01"  # around a name that stands in a text for its value
_NAMED_VALUE = re.compile(r"\x01(\w+)\x01")
_DIRECTIVE = re.compile(r"%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]")
_FIELD = re.compile(r"\{[^{}]*\}")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "0": ""}
# Calls whose result is the path that they are given, or is made of those.
PATHS = frozenset({
    "os.path.expanduser", "os.path.expandvars", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath",
    "os.path.join", "path.expanduser", "expanduser", "Path", "PurePath", "pathlib.Path", "path.join", "path.resolve",
    "path.normalize", "File.expand_path", "File.join", "glob", "glob.glob", "glob.iglob", "bsd_glob", "Dir.glob",
})  # fmt: skip
_TEMPORARY = frozenset({
    "tempfile.mkdtemp", "mkdtemp", "tempfile.mkstemp", "tempfile.mktemp", "tempfile.gettempdir", "os.tmpdir",
    "Dir.mktmpdir", "Dir.tmpdir", "sys_get_temp_dir",
})  # fmt: skip
# Where a name can mean something else than what was last assigned to it.
_OTHER_MEANINGS = re.compile(
    r"\b(?:def|lambda|function|sub|for|foreach|each|with|except|global|exec|eval|globals|locals|setattr|import\s*\*)\b|"
    r"=>|\|\w+\||:="
)
# Python's loops give a name to one thing after the other; over what a pattern finds, to what lies there.
_LOOP_WORD = re.compile(r"\w+|[^\w\s,()*]")
_LOOP_OVER = re.compile(
    r"""\bfor\s+(?P<name>\w+)\s+in\s+(?:sorted\(|list\()?(?:
        (?:pathlib\.)?Path\(\s*(['"])(?P<folder>[^'"\\]*)\2\s*\)\.(?:r?glob\(\s*(['"])(?!/|[^'"]*\.\.)[^'"\\]*\4\s*\)|iterdir\(\s*\))
        |(?:glob\.)?i?glob\(\s*(['"])(?P<pattern>[^'"\\]*)\5)""",
    re.VERBOSE,
)
_QUOTED = r"""(?:'(?:[^'\\]|\\[\s\S])*+'|"(?:[^"\\]|\\[\s\S])*+")"""
_LIST = rf"""(?P<list>[\[(]\s*(?:{_QUOTED}(?:\s*,\s*|(?=\s*[\])])))++\s*[\])])"""
_LIST_LOOP = re.compile(r"\bfor\s+(?P<name>\w+)\s+in\s+" + _LIST)
_JS_LOOPS = (
    (re.compile(r"\bfor\s*\(\s*(?:const|let|var)\s+(?P<name>\w+)\s+of\s+" + _LIST + r"\s*\)"), ""),
    (re.compile(_LIST + r"\.(?:forEach|map)\(\s*\(?(?P<name>\w+)\)?\s*=>"), "("),
)
# Perl's and Ruby's other ways to write a command in backticks.
_TICKS = re.compile(
    r"(?<![\w$@%])(?:%x|qx\s*)(?:\((?P<a>[^()]*)\)|\{(?P<b>[^{}]*)\}|\[(?P<c>[^\[\]]*)\]|([/|!])(?P<d>.*?)\4)"
)
_CONTINUES = frozenset(
    [*"+-*/%.[({?&|<>=,", "if", "unless", "else", "or", "and", "in", "is", "not", "x", "while", "until"]
)


class Token(Struct):
    kind: str
    text: str


def each_round(kind: str, text: str, reach: Callable[[Limit], None]) -> list[str]:
    """A text with one loop over constants, as one text for each of them; empty if there is no such loop."""
    if kind == "python":
        loops = [(loop, "") for loop in _LIST_LOOP.finditer(text)]
    elif kind == "js":
        loops = [(loop, instead) for pattern, instead in _JS_LOOPS for loop in pattern.finditer(text)]
    else:
        return []
    if len(loops) != 1:
        return []
    loop, instead = loops[0]
    texts = re.findall(_QUOTED, loop["list"])
    if len(texts) > ROUNDS.most or len(texts) * len(text) > PROGRAM_STEPS.most:
        reach(ROUNDS)
        return []
    if kind == "python":
        return [f"{text[: loop.start('list')]}glob({one}){text[loop.end('list') :]}" for one in texts]
    return [f"const {loop['name']} = {one}; {text[: loop.start()]}{instead}{text[loop.end() :]}" for one in texts]


def read_tokens(kind: str, text: str) -> tuple[list[Token], dict[str, str]]:
    """The tokens of a text, and the names that stand for one constant, which are put in their places."""
    if kind in ("perl", "ruby"):
        text = _TICKS.sub(lambda one: f"`{next(filter(None, one.group('a', 'b', 'c', 'd')), '')}`", text)
    found = _tokens(kind, text)
    if kind == "js":
        found = _without_require(found)
    names = _constants(kind, text, found)
    after = [*(token.text for token in found[1:]), ""]
    return [_put_in(token, then, names) for token, then in zip(found, after, strict=False)], names


def _put_in(token: Token, then: str, names: dict[str, str]) -> Token:
    if token.kind == "name" and token.text in names and then != "=":
        return Token("text", names[token.text])
    if token.kind == "text" and _VALUE in token.text:
        return Token("text", _NAMED_VALUE.sub(lambda found: names.get(found[1], UNKNOWN), token.text))
    return token


def _without_require(found: list[Token]) -> list[Token]:
    """`require("os").homedir` is `os.homedir`."""
    kept: list[Token] = []
    for token in found:
        kept.append(token)
        last = kept[-6:]
        if (
            len(last) == 6
            and [last[0].text, last[1].text, last[3].text, last[4].text] == ["require", "(", ")", "."]
            and (last[2].kind, token.kind) == ("text", "name")
        ):
            kept[-6:] = [Token("name", f"{last[2].text.removeprefix('node:').replace('/', '.')}.{token.text}")]
    return kept


def _tokens(kind: str, text: str) -> list[Token]:
    found = list(_Reader(kind, text).tokens())
    return _put_together(found) if kind in ("python", "js") else found


class _Reader:
    """Cuts a text into tokens, from left to right, each character once."""

    def __init__(self, kind: str, text: str) -> None:
        self._kind = kind
        self._text = text
        self._comments = _COMMENTS.get(kind, ("//", "/*"))
        # For each quote, up to where no closing one is to be found: what was in vain once is not tried again.
        self._vain: dict[str, int] = {}

    def tokens(self) -> Iterator[Token]:
        text, at = self._text, 0
        while at < len(text):
            if text[at] in "#/" and (end := self._comment(at)) is not None:
                at = end
                continue
            match = _TOKEN.match(text, at)
            sort = match.lastgroup if match is not None else None
            if match is None or sort is None:  # a newline at the end, which is no mark
                at += 1
            elif sort == "open" and (quoted := self._quotation(match[0], match.end())) is not None:
                token, at = quoted
                yield token
            elif sort == "open":
                first = _TOKEN_NAME.match(text, at)  # a letter before a quote that does not close
                at = first.end() if first is not None else at + 1
                yield Token("mark", match[0][0]) if first is None else Token("name", first[0])
            else:
                at = match.end()
                if sort != "space":
                    yield Token(sort, match[0])

    def _comment(self, at: int) -> int | None:
        """Where a comment that begins here ends; None if there is none."""
        mark = next((mark for mark in self._comments if self._text.startswith(mark, at)), None)
        if mark is None:
            return None
        if mark != "/*":
            end = self._text.find("\n", at)
            return len(self._text) if end < 0 else end
        if at < self._vain.get(mark, 0):
            return None
        end = self._text.find("*/", at + 2)
        if end < 0:
            self._vain[mark] = len(self._text)
            return None
        return end + 2

    def _quotation(self, opening: str, start: int) -> tuple[Token, int] | None:
        """The text in quotes that begins at `start`, and where it ends; None if it does not."""
        text = self._text
        prefix = opening.rstrip("\"'`")
        quote = opening[len(prefix) :]
        if start <= self._vain.get(quote, 0):
            return self._empty(opening, start) if len(quote) == 3 else None
        if len(quote) == 3:
            end = text.find(quote, start)
            if end < 0:
                self._vain[quote] = len(text)
                return self._empty(opening, start)
        else:
            body = _BODIES[quote].match(text, start)
            end = body.end() if body is not None else start
            if not text.startswith(quote, end):
                self._vain[quote] = end
                return None
        if quote == "`":
            return Token("tick", text[start:end]), end + 1
        return Token("text", _constant(self._kind, prefix, quote[0], text[start:end])), end + len(quote)

    def _empty(self, opening: str, start: int) -> tuple[Token, int]:
        """Three quotes that no other three end: an empty text, and one quote that opens the next."""
        return Token("text", ""), start - 1


def _put_together(tokens: list[Token]) -> list[Token]:
    """The tokens with constants that are added as one; one that is made another by what follows it is not known."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if token.kind == "text" and len(found) > 1 and found[-1].text == "+" and found[-2].kind == "text":
            found.pop()
            token = Token("text", found.pop().text + token.text)
        elif token.text in ("[", "%") and token.kind == "mark" and found and found[-1].kind == "text":
            found[-1] = Token("text", _DIRECTIVE.sub(UNKNOWN, found[-1].text) if token.text == "%" else UNKNOWN)
        elif token.kind == "name" and token.text in _CHANGES_TEXT and place > 1 and found[-2].kind == "text":
            found[-2] = Token("text", _FIELD.sub(UNKNOWN, found[-2].text) if token.text == "format" else UNKNOWN)
        found.append(token)
    return found


def _constant(kind: str, prefix: str, quote: str, body: str) -> str:
    prefix = prefix.lower()
    double = quote == '"'
    if "r" not in prefix:
        body = _ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else _PLAIN.get(one[2], one[2]), body)
    if "f" in prefix:
        body = re.sub(r"\{(\w+)\}", rf"{_VALUE}\1{_VALUE}", body)
        body = re.sub(r"\{[^{}]*\}", UNKNOWN, body)
    elif double and kind == "ruby":
        body = re.sub(r"#\{[^{}]*\}", UNKNOWN, body)
    elif double and kind in ("perl", "php"):
        body = re.sub(r"[$@]\{?\w+\}?(?:\[[^\]]{0,80}\]|->\w+)?", UNKNOWN, body)
    return body


def _loop_names(text: str) -> Iterator[str]:
    """The names between each `for` and its `in`."""
    names: list[str] | None = None
    for found in _LOOP_WORD.finditer(text):
        word = found[0]
        if word == "in" and names is not None:
            yield from names
            names = None
        elif word == "for" and names is None:
            names = []
        elif names is not None:
            names = [*names, word] if len(names) < LOOPS.most and (word[0].isalnum() or word[0] == "_") else None


def _constants(kind: str, text: str, tokens: list[Token]) -> dict[str, str]:
    """Names that are given a constant once and nothing else, with what they stand for."""
    found: dict[str, str | None] = {}
    loops = list(_loop_names(text))
    if _OTHER_MEANINGS.search(re.sub(r"\bfor\b", "", text) if kind == "python" else text):
        return {}
    if kind == "python":
        found = dict.fromkeys(loops)
        for loop in islice(_LOOP_OVER.finditer(text), LOOPS.most):
            if loops.count(loop["name"]) == 1 and not re.search(rf"\b{loop['name']}\s*[-+*/|&]?=(?!=)", text):
                found[loop["name"]] = loop["pattern"] if loop["folder"] is None else f"{loop['folder'] or '.'}/*"
    depth = 0
    texts = [token.text if token.kind != "text" else "" for token in tokens] + [""] * 6
    for place, token in enumerate(tokens):
        if token.kind == "mark":
            depth += (token.text in "([{") - (token.text in ")]}")
            continue
        if token.kind != "name" or "=" not in texts[place + 1 : place + 3]:
            continue
        if texts[place + 1] == "=" and texts[place + 2] == "=":
            continue
        value, end = None, place + 3
        if depth == 0 and texts[place + 1] == "=" and token.text not in found:
            start = place + 2
            if start < len(tokens) and tokens[start].kind == "text":
                value = tokens[start].text
            elif texts[start] in _TEMPORARY and texts[start + 1 : start + 3] == ["(", ")"]:
                value, end = "/tmp/made-by-this-program", start + 3  # noqa: S108 nothing is written there
            elif texts[start] in PATHS and texts[start + 1] == "(" and texts[start + 3] == ")":
                value = tokens[start + 2].text if tokens[start + 2].kind == "text" else None
                end = start + 4
        goes_on = texts[end] in _CONTINUES or (end < len(tokens) and tokens[end].kind in ("text", "tick"))
        found[token.text] = None if goes_on else value
    return {name: value for name, value in found.items() if value is not None}
