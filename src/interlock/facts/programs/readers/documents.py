"""Typesetters whose documents can run commands, and makers of manual pages."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _tex(draft: UseDraft) -> None:
    """TeX: `\\write18{…}` is a command where that is allowed; a text may be given in place of a file."""
    allowed = {"--shell-escape", "-shell-escape", "--enable-write18", "-enable-write18"} & {*draft.flags, *draft.args}
    for word in draft.operands:
        if "\\" not in word:
            draft.reads.append(word)
            continue
        if "directlua{" in word:
            draft.run("code:other", word.partition("directlua{")[2])
        at = word.find("write18{")
        if at >= 0 and allowed:
            draft.aside(word[at + 8 :].partition("}")[0])
        elif at >= 0:
            draft.add("runs-shell")
        draft.mentions += re.findall(r"\{([^{}\\]*/[^{}\\]*)\}", word)
    for name, value in draft.values:
        if name in {"--pdflatex", "--latex", "--xelatex", "--lualatex", "--dvips", "--bibtex"}:
            draft.aside(value)
        elif name == "-e":
            draft.run("code:perl", value)


def _help2man(draft: UseDraft) -> None:
    """help2man asks the program itself."""
    for word in draft.operands[:1]:
        draft.run("argv", word, "--help")


READERS: dict[str, Special] = {
    "help2man": _help2man,
    "tex": _tex,
}
