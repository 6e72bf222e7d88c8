"""Types of TypeScript, which are passed over: nothing in one is run."""

from __future__ import annotations

import re

from interlock.facts.code.javascript.scan import NAME, NUMBER, SIGN, TEXT, JsScanner, ParseFailure

__all__ = ["TypeSkipper"]

_OPENS = {"(": ")", "[": "]", "{": "}"}
_BEFORE = frozenset({"keyof", "typeof", "readonly", "unique", "infer", "asserts", "new", "abstract"})
_BETWEEN = frozenset({"|", "&", "extends", "is", "?", ":"})
# Between a function and its arguments there is no call, so what is passed over here does nothing.
_ARGUMENTS = re.compile(r"<[A-Za-z_$\[{'\"][^()=;`+*/%!^~@]{0,200}?>(?=\()")
_RETURNS = re.compile(r":[^=;`()]{1,200}?(?:\([^=;`()]{0,100}\)[^=;`()]{0,100}?)?=>")


class TypeSkipper(JsScanner):
    """A scanner that can leave out types."""

    def skip_annotation(self) -> None:
        """`: T`, `?: T` and `!: T` behind a name."""
        if self.value in ("?", "!") and self.kind == SIGN and self.peek() in (":", ",", ")", ";", "="):
            self.advance()
        if self.is_sign(":"):
            self.advance()
            self.skip_type()

    def skip_type(self) -> None:
        """One type, with all that belongs to it."""
        self.skip("|")
        self.skip("&")
        while True:
            self._skip_operand()
            if self.kind in (SIGN, NAME) and self.value in _BETWEEN and (self.kind == SIGN or not self.fresh):
                if self.value == ":":
                    return
                conditional = self.value == "?"
                self.advance()
                if conditional:
                    self.skip_type()
                    self.expect(":")
                continue
            return

    def _skip_operand(self) -> None:
        while self.kind == NAME and self.value in _BEFORE and self.peek() not in ("", ",", ")", "]", "}", ";", "="):
            self.advance()
        self.skip("-")
        grouped = self.is_sign("(")
        if self.is_sign("<"):
            self.skip_angles()
            grouped = self.is_sign("(")
        if self.kind in (NAME, NUMBER, TEXT):
            self.advance()
            while self.is_sign("."):
                self.advance()
                self.take_name()
        elif self.value in _OPENS and self.kind == SIGN:
            self.skip_group()
        else:
            raise ParseFailure
        if self.is_sign("<"):
            self.skip_angles()
        while self.is_sign("[") and not self.fresh:
            self.skip_group()
        if grouped and self.is_sign("=>"):
            self.advance()
            self.skip_type()

    def skip_group(self) -> None:
        """Brackets and all that is in them."""
        wanted = [_OPENS[self.value]]
        self.advance()
        while wanted:
            if self.kind == SIGN and self.value in _OPENS:
                wanted.append(_OPENS[self.value])
            elif self.kind == SIGN and self.value in (")", "]", "}"):
                if self.value != wanted.pop():
                    raise ParseFailure
            elif self.kind == "end" or self.is_sign("`"):
                raise ParseFailure
            self.advance()

    def skip_angles(self) -> None:
        """`<T, U>` and all that is in it."""
        depth = 0
        while True:
            if self.is_sign("<"):
                depth += 1
            elif self.kind == SIGN and self.value and not self.value.strip(">"):
                depth -= len(self.value)
            elif self.kind == SIGN and self.value in _OPENS:
                self.skip_group()
                continue
            elif self.kind == "end" or self.value in (";", "`", ")", "}", "]"):
                raise ParseFailure
            self.advance()
            if depth <= 0:
                return

    def has_type_arguments(self) -> bool:
        """Whether `<` at hand begins the types of a call."""
        return _ARGUMENTS.match(self.text, self.start) is not None

    def has_return_type(self) -> bool:
        """Whether `:` at hand begins the type of what an arrow gives."""
        return _RETURNS.match(self.text, self.start) is not None
