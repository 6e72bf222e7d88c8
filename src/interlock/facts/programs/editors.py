"""Editors and viewers that people drive."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Program, Table, act, look

__all__ = ["TABLE"]

# Commands of vi that stay within the text.
_EDITS = re.compile(
    r"(?:\d+|\$|/[^|]*|%?s/[^|]*|(?:w|wq|q|x|wa|wqa|qa|q!|qa!|x!|wq!)|syntax \w+|norm(?:al)? [^|]*|colorscheme \S+|"
    r"checkhealth[ \w.]*|version|scriptnames|messages|help [\w:-]+|"
    r"set (?!sh|mak|gr|form|eq|keywordp|inde)[^|]*)"
)


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
    for name, value in draft.values:
        if name in {"--eval", "--funcall"} and value not in _BATCH:
            draft.run("code:other", value)
    draft.writes += draft.operands
    draft.reads += draft.operands


def _ed(draft: UseDraft) -> None:
    """ed and ex run what they read."""
    draft.writes += draft.operands
    draft.reads += draft.operands
    draft.stdin = "code:other"


def _extensions(draft: UseDraft) -> None:
    if {"--install-extension", "--uninstall-extension"} & set(draft.flags):
        draft.add("installs-package")
    elif draft.operands[:1] in (["tunnel"], ["serve-web"]):
        draft.add("network", "network/tunnels")
    elif {"--list-extensions", "--status", "--version"} & set(draft.flags):
        draft.looks("interactive")


TABLE: Table = {
    "vim vi nvim gvim mvim view ex vimr nvi rvim rview vim.tiny vim.basic": act(
        "interactive",
        "R b c= cmd= d e E s S=file u=file U= n L r=read t= q=read T= V? w=write W=write x y Z m M N "
        "C D A H F l=file o? "
        "O? p? nofork noplugin clean headless embed listen= startuptime=write remote= "
        "remote-send= servername= es "
        "i=read", special=_commands),
    "emacs emacsclient xemacs mg": act("interactive", "batch q/no-init-file Q/quick nw/no-window-system "
        "eval/execute= l/load=file f/funcall= script=file daemon t c/create-frame n/no-wait d= a=program u= "
        "insert=read L=", special=_emacs, long=True),
    "nano pico micro joe ne jed kak hx helix mcedit tilde zile gedit kate xed mousepad leafpad kwrite pluma "
    "featherpad textedit bbedit mate notepad notepad++": act("interactive", "*", "edit*"),
    "code code-insiders codium cursor windsurf subl zed atom idea pycharm webstorm goland clion rider studio "
    "lapce fleet": act("interactive", "n/new-window r/reuse-window d/diff g/goto w/wait a/add m/merge "
            "list-extensions install-extension= uninstall-extension= force status extensions-dir= user-data-dir= "
            "disable-extensions locale= v verbose log= profile= show-versions b", "edit*", special=_extensions),
    "ed red": Program("p= s v G l r E", "text*", special=_ed),
    "hexedit bvi dhex ghex": act("interactive", "*", "edit*"),
    "ranger nnn lf vifm yazi lazygit lazydocker gitui tig": act("interactive", "*", "mention*"),
    "zathura evince okular mupdf feh fbi sxiv imv eog xpdf gwenview djview": look("*", "read*", "interactive"),
}  # fmt: skip
