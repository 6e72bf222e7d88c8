"""Searching, cutting, sorting and rewriting text."""

from __future__ import annotations

import re

from interlock.facts.programs.draft import SINKS, UseDraft
from interlock.facts.programs.readers.little_scripts import Effects, awk_effects, sed_effects
from interlock.facts.programs.table import Special


def _apply(draft: UseDraft, effects: Effects) -> None:
    """Note what a script of sed or awk does beside printing."""
    draft.reads += effects.reads
    written = [word for word in effects.writes if word not in SINKS]
    draft.writes += written
    for text in effects.shell:
        draft.aside(text)
    if written or effects.shell or not effects.sure:
        draft.acts()


def _reads_script(draft: UseDraft) -> None:
    """A script that comes in on the standard input is not known before it runs."""
    if any(name == "--file" and value in {"-", "/dev/stdin"} for name, value in draft.values):
        draft.run("shell", "\0")


def _sed(draft: UseDraft) -> None:
    """The script is an option or the first word; it is read for what it writes and runs."""
    files = draft.operands
    _reads_script(draft)
    scripts = [value for name, value in draft.values if name == "--expression"]
    if not scripts and "--file" not in draft.flags:
        scripts, files = files[:1], files[1:]
        if draft.doubtful:
            scripts, files = draft.operands[:2], draft.operands[1:]
    for script in scripts:
        _apply(draft, sed_effects(script) if "\0" not in script else Effects(sure=False))
    if "--in-place" in draft.flags:
        # BSD's -i takes the next word, so what we took for the script may be a file.
        draft.writes += files
    draft.reads += files


def _awk(draft: UseDraft) -> None:
    """As sed; `name=value` among the files is a variable."""
    files = draft.operands
    _reads_script(draft)
    scripts = [value for name, value in draft.values if name == "--source"]
    if draft.value("--include") == "inplace":
        draft.writes += files[0 if "--file" in draft.flags else 1 :]
    if not scripts and "--file" not in draft.flags:
        scripts, files = files[:1], files[1:]
    for script in scripts:
        _apply(draft, awk_effects(script))
    if "--include" in draft.flags or "--load" in draft.flags:
        draft.acts()
    for name, value in draft.values:
        if name == "--load" and "/" in value:
            draft.run("file", value, by="awk")
    draft.reads += [word for word in files if "=" not in word or "/" in word.partition("=")[0]]


def _yq(draft: UseDraft) -> None:
    """The expression is an option or a word, which a subcommand may precede; it can ask for variables."""
    files = draft.operands if "--from-file" in draft.flags or "--expression" in draft.flags else draft.operands[1:]
    if draft.operands and draft.operands[0] in {"e", "ea", "eval", "eval-all"}:
        files = draft.operands[2:]
    draft.reads += files
    if "--inplace" in draft.flags:
        draft.writes += files
    if "--split-exp" in draft.flags:
        draft.writes.append("\0")
    if any("env(" in word or "$ENV" in word or "strenv" in word for word in draft.operands[:2]):
        draft.add("reads-environment")


def _jq(draft: UseDraft) -> None:
    """A filter can ask for the environment."""
    if any("$ENV" in word or word == "env" or "env." in word for word in draft.operands[:1]):
        draft.add("reads-environment")


def _split(draft: UseDraft) -> None:
    """The names of the parts begin with a word of the command."""
    draft.reads += [word for word in draft.operands[:1] if word != "-"]
    draft.writes.append((draft.operands[1] if len(draft.operands) > 1 else "x") + "\0")


def _reckon(draft: UseDraft) -> None:
    """dc: a line that starts with `!` is a shell's."""
    for name, value in draft.values:
        if name == "--expression" and "!" in value:
            draft.aside(value.partition("!")[2])
    if draft.values:
        draft.stdin = "data"


def _pager(draft: UseDraft) -> None:
    """`less +!cmd`: the first command can be a shell's."""
    for word in draft.operands:
        if word.startswith("+") and "!" in word:
            draft.aside(word.partition("!")[2])


def _preview(draft: UseDraft) -> None:
    """fzf runs what its bindings and preview say."""
    for name, value in draft.values:
        if name in {"--preview", "--with-shell"}:
            draft.run("shell", value)
        elif name == "--bind" and (found := _RUNNING.search(value)):
            inner = found[2].partition("(")[2].rpartition(")")[0] if found[2][:1] == "(" else found[2][1:]
            draft.aside(inner or "\0")


# The actions of a binding that are given a command: `ctrl-e:execute(vi {})`, `enter:become:cat {}`, `f1:preview[ls]`.
_RUNNING = re.compile(
    r"(?:^|[:+,])(execute(?:-silent|-multi)?|reload(?:-sync)?|become|preview|transform(?:-[a-z-]+)?|bg-transform(?:-[a-z-]+)?"
    r"|change-preview)(?=[^a-z-])([\s\S]*)"
)


READERS: dict[str, Special] = {
    "awk": _awk,
    "jq": _jq,
    "pager": _pager,
    "preview": _preview,
    "reckon": _reckon,
    "sed": _sed,
    "split": _split,
    "yq": _yq,
}
