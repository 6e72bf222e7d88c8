"""JavaScript: package managers, runners, checkers and bundlers."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.interpreters import run_fetched
from interlock.facts.programs.table import Special

_SOURCES = (".js", ".ts", ".tsx", ".jsx", ".mjs")


def _run_script(draft: UseDraft) -> None:
    """A script of package.json; bun also runs a file by its name."""
    word = draft.operands[0]
    if draft.name == "bun" and word == "-":
        draft.stdin = "code:js"
    elif draft.name == "bun" and run_fetched(draft):
        return
    elif draft.name == "bun" and ("/" in word or word.endswith(_SOURCES)):
        draft.reads.append(word)
        draft.run("file", *draft.operands, by="bun")
    else:
        draft.run("file", "package.json", *draft.operands, by=draft.name)


def _script(draft: UseDraft) -> None:
    """`npm run T`; without a name it lists the scripts."""
    if draft.operands:
        _run_script(draft)
    else:
        draft.looks("runs-project")


def _lifecycle(draft: UseDraft) -> None:
    """`npm test`: the subcommand is the script's name."""
    draft.run("file", "package.json", *draft.words, *draft.operands, by=draft.name)


def _exec(draft: UseDraft) -> None:
    """A package's program: installed, or fetched and run."""
    call = draft.value("--call")
    if call is not None:
        draft.run("shell", call)
        return
    words = list(draft.operands)
    if not words:
        return
    name = words[0]
    rest = name.rpartition("/")[2] if name.startswith("@") else name
    words[0] = rest.partition("@")[0] or name
    draft.run("argv", *words)


def _install(draft: UseDraft) -> None:
    """A package may be a name, a URL or a path."""
    for word in draft.operands:
        if "://" in word or word.startswith("git@"):
            draft.reach(word)
        elif word.startswith((".", "/", "~")):
            draft.reads.append(word)


def _other_word(draft: UseDraft) -> None:
    """`yarn NAME`: a word that is no subcommand is a script."""
    if not draft.known and draft.unknown and draft.unknown[-1] == (draft.operands or [""])[0]:
        draft.unknown.pop()
        draft.known = True
        draft.drop("changes")
        draft.add("runs-project")
        if draft.name == "bun" and draft.value("--eval") is not None:  # the words are for the text that it runs
            draft.reads += draft.operands
        else:
            _run_script(draft)


# Settings that say how much is printed and how a project's own file is written; nothing of where packages come from.
_MILD = (
    "audit-level", "color", "engine-strict", "fetch-retr", "fetch-timeout", "fund", "init-author", "init-license",
    "init-version", "init.author", "init.license", "init.version", "legacy-peer-deps", "loglevel", "maxsockets",
    "package-lock", "prefer-offline", "progress", "save", "tag-version-prefix", "timing", "unicode", "update-notifier",
)  # fmt: skip


def _config(draft: UseDraft) -> None:
    """Keys decide: some say where packages come from, some hold secrets."""
    words = draft.operands
    if words[:1] in (["set"], ["delete"], ["edit"], ["rm"], ["fix"], ["unset"]):
        keys = words[1::2] if words[0] == "set" and "=" not in "".join(words[1:2]) else words[1:]
        mild = keys and all(key.partition("=")[0].startswith(_MILD) for key in keys)
        draft.add("changes" if mild or words[0] == "fix" else "package-source")
        draft.acts()
    elif words[:1] == ["get"] and any("token" in word.lower() or "auth" in word.lower() for word in words[1:]):
        draft.add("reads-secret")


def _pkg(draft: UseDraft) -> None:
    """package.json is changed; what its scripts are to run is a shell's text."""
    if draft.operands[:1] in (["set"], ["delete"], ["fix"]):
        draft.writes.append("package.json")
        for word in draft.operands[1:]:
            name, mark, text = word.partition("=")
            if mark and name.startswith("scripts"):
                draft.run("shell", text)


READERS: dict[str, Special] = {
    "config": _config,
    "exec": _exec,
    "install": _install,
    "lifecycle": _lifecycle,
    "pkg": _pkg,
    "script": _script,
    "other_word": _other_word,
}
