"""Editors and viewers that people drive."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special

# Commands of vi that stay within the text.
_EDITS = re.compile(
    r"(?:\d+|\$|/[^|]*|%?s/[^|]*|(?:w|wq|q|x|wa|wqa|qa|q!|qa!|x!|wq!)|syntax \w+|norm(?:al)? [^|]*|colorscheme \S+|"
    r"checkhealth[ \w.]*|version|scriptnames|messages|help [\w:-]+|"
    r"set (?!sh|mak|gr|form|eq|keywordp|inde)[^|]*)"
)


_BY_LINES = frozenset({"-e", "-E", "-es"})


def _commands(draft: UseDraft) -> None:
    """vim -c '!cmd': commands that a shell gets, and code in other languages."""
    texts = [value for name, value in draft.values if name in {"-c", "--cmd"}]
    texts += [word[1:] for word in draft.operands if word.startswith("+")]
    for text in texts:
        plain = text.lstrip(": ")
        at = plain.find("!")
        if at >= 0:
            draft.aside(plain[at + 1 :])
        elif not _EDITS.fullmatch(plain):
            draft.run("code:other", plain)
    if draft.name == "ex" or not _BY_LINES.isdisjoint(draft.flags):
        draft.stdin = "code:other"  # commands, one on each line
    files = [word for word in draft.operands if not word.startswith("+")]
    draft.reads += files
    if "-R" not in draft.flags and draft.name != "view":
        draft.writes += files


# Functions of Emacs that work on the files they are given.
_BATCH = frozenset({
    "batch-byte-compile", "org-html-export-to-html", "org-latex-export-to-pdf", "ert-run-tests-batch-and-exit",
    "checkdoc-file", "package-lint-batch-and-exit",
})  # fmt: skip


def _emacs(draft: UseDraft) -> None:
    """Lisp from options is run; a few functions only work on the files."""
    for name, value in draft.values:
        if name in {"--eval", "--funcall"} and value not in _BATCH:
            draft.run("code:other", value)
    draft.writes += draft.operands
    draft.reads += draft.operands


READERS: dict[str, Special] = {
    "commands": _commands,
    "emacs": _emacs,
}
