"""JavaScript cut into tokens, one at a time: only the parser knows whether `/` divides or begins an expression."""

from __future__ import annotations

import re

from interlock.facts.limits import Limit

__all__ = ["NAME", "NUMBER", "SIGN", "TEXT", "JsScanner", "ParseFailure", "TooDeep"]

NAME, NUMBER, TEXT, SIGN, END = "name", "number", "text", "sign", "end"

# Two more signs end a line in JavaScript than elsewhere, and a comment with it.
_BLANK = re.compile(r"(?:[\s\ufeff]++|//[^\n\r\u2028\u2029]*+|/\*(?:[^*]|\*(?!/))*+\*/)++")
_LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_TOKEN = re.compile(
    r"""(?P<name>\#?(?:[^\W\d]|[$\0]|\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\}))(?:\w|[$\0\u200c\u200d]|\\u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\}))*+)
      | (?P<number>0[xX][0-9a-fA-F_]++n?|0[oO][0-7_]++n?|0[bB][01_]++n?
          |(?:\d[\d_]*+\.?(?:\d[\d_]*+)?|\.\d[\d_]*+)(?:[eE][+-]?\d++)?n?)
      | (?P<text>"(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*+"|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*+')
      | (?P<sign>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--
          |\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|\*\*|[-+*/%=<>!&|^~?:;,.(){}\[\]@`])""",
    re.VERBOSE,
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*+\])++/\w*+")
_CHUNK = re.compile(r"(?:[^`\\$]|\\[\s\S]|\$(?!\{))*+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([0-7]{1,3})|(\r\n|[\s\S]))")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_LINE_ENDS = frozenset({"\n", "\r", "\r\n", "\u2028", "\u2029"})
_PREFIXES = {"0x": 16, "0o": 8, "0b": 2}


class ParseFailure(Exception):  # noqa: N818 not an error of anybody's
    """The text is not JavaScript, or in a form that is not known here."""


class TooDeep(Exception):  # noqa: N818 not an error of anybody's
    """The text nests deeper than is read."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.name)
        self.limit = limit


class JsScanner:
    """The token at hand, and where it ends. `fresh`: a line ended before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.kind = ""
        self.value = ""
        self.fresh = False
        self.start = 0
        self.end = 0
        if text.startswith("#!"):
            found = _LINE_END.search(text)
            self.end = found.end() if found else len(text)
        self.advance()

    def advance(self) -> None:
        """Take the next token."""
        text, at = self.text, self.end
        self.fresh = False
        blank = _BLANK.match(text, at)
        if blank is not None:
            at = blank.end()
            self.fresh = _LINE_END.search(text, blank.start(), at) is not None
        self.start = at
        found = _TOKEN.match(text, at)
        if found is None:
            if at < len(text):
                raise ParseFailure
            self.kind, self.value, self.end = END, "", at
            return
        self.kind = found.lastgroup or SIGN
        self.value = found[0]
        self.end = found.end()
        if self.kind == NAME and "\\" in self.value:
            self.value = plain_text(self.value)
        elif self.kind == SIGN and (text.startswith("<!--", at) or (text.startswith("-->", at) and self.fresh)):
            raise ParseFailure  # a comment in a script, and not in a module

    def is_sign(self, sign: str) -> bool:
        return self.kind == SIGN and self.value == sign

    def is_name(self, name: str) -> bool:
        return self.kind == NAME and self.value == name

    def skip(self, sign: str) -> bool:
        """Take a sign or a word if it is at hand."""
        if self.value == sign and self.kind in (SIGN, NAME):
            self.advance()
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.skip(sign):
            raise ParseFailure

    def take_name(self) -> str:
        if self.kind != NAME:
            raise ParseFailure
        name = self.value
        self.advance()
        return name

    def take_text(self) -> str:
        """The value of the constant text at hand."""
        body = self.value[1:-1]
        self.advance()
        return plain_text(body) if "\\" in body else body

    def take_number(self) -> float:
        written = self.value.replace("_", "").rstrip("n") if self.value[:2] not in ("0x", "0X") else self.value[:]
        written = written.replace("_", "").rstrip("n").lower()
        self.advance()
        base = _PREFIXES.get(written[:2])
        if base is not None:
            return int(written, base)
        if len(written) > 1 and written[0] == "0" and written.isdigit() and not set(written) & {"8", "9"}:
            return int(written, 8)
        return float(written)

    def take_regex(self) -> str:
        """The regular expression that begins where a sign of division is at hand."""
        found = _REGEX.match(self.text, self.start)
        if found is None:
            raise ParseFailure
        self.end = found.end()
        self.advance()
        return found[0]

    def take_chunk(self, at: int) -> tuple[str, bool]:
        """The text of a template from a place on, and whether a value follows; the token at hand is what comes then."""
        found = _CHUNK.match(self.text, at)
        end = found.end() if found is not None else at
        text = self.text[at:end]
        goes_on = self.text.startswith("${", end)
        if not goes_on and not self.text.startswith("`", end):
            raise ParseFailure
        self.end = end + (2 if goes_on else 1)
        self.advance()
        return (plain_text(text) if "\\" in text else text), goes_on

    def peek(self) -> str:
        """The first character behind the token at hand, without blanks."""
        blank = _BLANK.match(self.text, self.end)
        at = blank.end() if blank is not None else self.end
        return self.text[at : at + 1]

    def ends_statement(self) -> bool:
        return self.fresh or self.kind == END or self.value in (";", "}")


def plain_text(body: str) -> str:
    """A text with its escapes worked out."""
    return _ESCAPE.sub(_unescape, body)


def character(number: int) -> str:
    try:
        return chr(number)
    except (ValueError, OverflowError):
        return "\ufffd"


def _unescape(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        number = int(code, 16)
        return character(number)
    if found[4]:
        return chr(int(found[4], 8) & 0xFF)
    return "" if found[5] in _LINE_ENDS else _LETTERS.get(found[5], found[5])
