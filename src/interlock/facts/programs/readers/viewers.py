"""Showing and asking: files, differences, logs, structured data, pictures in a terminal, disks, machines and names.

Only what is known to write nothing takes every option; the rest names those that write.
"""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.table import Special


def _verb_edits(*verbs: str) -> Special:
    """A filter that edits its files when its first word says so."""
    edits = frozenset(verbs)

    def of(draft: UseDraft) -> None:
        if draft.operands[:1] and draft.operands[0] in edits:
            draft.acts()

    return of


def _mlr(draft: UseDraft) -> None:
    """Its verbs and its own language can write files and run commands; what looks like it may."""
    for word in draft.operands:
        sent = ">" in word and any(verb in word for verb in ("tee", "emit", "print", "dump"))
        if sent or word in {"tee", "split", "case"} or "system" in word or "exec" in word or '| "' in word:
            draft.acts()


def _zoxide(draft: UseDraft) -> None:
    """The shell's jump: where it ends is not known."""
    draft.cd = "\0"


READERS: dict[str, Special] = {
    "atuin_history": (lambda draft: draft.looks() if draft.operands[:1] in (["list"], ["last"]) else draft.acts()),
    "csvtk": (_verb_edits("split", "splitxlsx", "genautocomplete", "plot")),
    "hoogle": (_verb_edits("generate", "server", "replay", "test")),
    "jsonnet": (lambda draft: draft.reads.extend(draft.operands) if "--exec" not in draft.flags else None),
    "mlr": _mlr,
    "parquet_tools": (_verb_edits("merge", "split", "transform", "convert", "rewrite")),
    "silicon": (
        lambda draft: (
            draft.looks("changes") if draft.name in {"aha", "ansi2html", "ansi2txt"} and not draft.writes else None
        )
    ),
    "xpath": (lambda draft: draft.acts() if draft.name == "xsltproc" else None),
    "zoxide": _zoxide,
    "zq": (lambda draft: draft.reads.extend(draft.operands[1:])),
}
