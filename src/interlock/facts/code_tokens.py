"""Short programs in other languages, cut into tokens, and the names in them that stand for one constant."""

from __future__ import annotations

import re

from msgspec import Struct

from interlock.facts.shell import UNKNOWN

__all__ = ["PATHS", "Token", "each_round", "read_tokens"]

_TOKEN = re.compile(
    r"""(?P<comment>(?P<hash>\#[^\n]*)|//[^\n]*|/\*[\s\S]*?\*/)
      | (?P<tick>`(?:[^`\\]|\\.)*`)
      | (?P<text>(?P<prefix>[fFrRbBuU]{0,2})(?:"{3}(?P<a>[\s\S]*?)"{3}|'{3}(?P<b>[\s\S]*?)'{3}
            |"(?P<c>(?:[^"\\\n]|\\[\s\S])*)"|'(?P<d>(?:[^'\\\n]|\\[\s\S])*)'))
      | (?P<name>[A-Za-z_$@][\w$]*(?:(?:\.|::|->|&\.|\?\.)[A-Za-z_$][\w$]*[!?]?)*)
      | (?P<space>\s+)
      | (?P<mark>.)""",
    re.VERBOSE,
)
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
_LOOP = re.compile(r"\bfor\s+(?P<names>[\w\s,()*]+?)\s+in\b")
_LOOP_OVER = re.compile(
    r"""\bfor\s+(?P<name>\w+)\s+in\s+(?:sorted\(|list\()?(?:
        (?:pathlib\.)?Path\(\s*(['"])(?P<folder>[^'"\\]*)\2\s*\)\.(?:r?glob\(\s*(['"])(?!/|[^'"]*\.\.)[^'"\\]*\4\s*\)|iterdir\(\s*\))
        |(?:glob\.)?i?glob\(\s*(['"])(?P<pattern>[^'"\\]*)\5)""",
    re.VERBOSE,
)
_LIST = r"""(?P<list>[\[(]\s*(?:(?:'[^'\\]*'|"[^"\\]*")(?:\s*,\s*|(?=\s*[\])])))+\s*[\])])"""
_LIST_LOOP = re.compile(r"\bfor\s+(?P<name>\w+)\s+in\s+" + _LIST)
_JS_LOOPS = (
    (re.compile(r"\bfor\s*\(\s*(?:const|let|var)\s+(?P<name>\w+)\s+of\s+" + _LIST + r"\s*\)"), ""),
    (re.compile(_LIST + r"\.(?:forEach|map)\(\s*\(?(?P<name>\w+)\)?\s*=>"), "("),
)
_MOST_ROUNDS = 8
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


def each_round(kind: str, text: str) -> list[str]:
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
    texts = re.findall(r"""'[^']*'|"[^"]*\"""", loop["list"])
    if len(texts) > _MOST_ROUNDS:
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
    names = _settled(kind, text, found)
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
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        sort = match.lastgroup or "mark"
        if match["comment"] is not None:
            # `#` and `//` begin a comment in some of these languages only.
            if (match["hash"] is not None) == (kind in ("python", "perl", "ruby", "php")) or kind == "php":
                continue
            found += [Token("mark", match[0][0]), *_tokens(kind, match[0][1:])]
        elif match["text"] is not None:
            found.append(Token("text", _constant(kind, match)))
        elif match["tick"] is not None:
            found.append(Token("tick", match[0][1:-1]))
        elif sort != "space":
            found.append(Token(sort, match[0]))
    return _put_together(found) if kind in ("python", "js") else found


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


def _constant(kind: str, match: re.Match[str]) -> str:
    body = next((match[part] for part in "abcd" if match[part] is not None), "")
    prefix = match["prefix"].lower()
    double = match[0][len(match["prefix"]) : len(match["prefix"]) + 1] == '"'
    if "r" not in prefix:
        body = _ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else _PLAIN.get(one[2], one[2]), body)
    if "f" in prefix:
        body = re.sub(r"\{(\w+)\}", rf"{_VALUE}\1{_VALUE}", body)
        body = re.sub(r"\{[^{}]*\}", UNKNOWN, body)
    elif double and kind == "ruby":
        body = re.sub(r"#\{[^{}]*\}", UNKNOWN, body)
    elif double and kind in ("perl", "php"):
        body = re.sub(r"[$@]\{?\w+\}?(?:\[[^\]]*\]|->\S+)?", UNKNOWN, body)
    return body


def _settled(kind: str, text: str, tokens: list[Token]) -> dict[str, str]:
    """Names that are given a constant once and nothing else, with what they stand for."""
    found: dict[str, str | None] = {}
    loops = [name for loop in _LOOP.finditer(text) for name in re.findall(r"\w+", loop["names"])]
    if _OTHER_MEANINGS.search(re.sub(r"\bfor\b", "", text) if kind == "python" else text):
        return {}
    if kind == "python":
        found = dict.fromkeys(loops)
        for loop in _LOOP_OVER.finditer(text):
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
