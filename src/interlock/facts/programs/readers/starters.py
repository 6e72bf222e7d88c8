"""Programs that start another one with other rights, as a daemon, or once for each of many words."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.shells import run_argv
from interlock.facts.programs.table import Special


def _runcon(draft: UseDraft) -> None:
    """`runcon CONTEXT COMMAND`, or options for the context."""
    run_argv(draft, draft.operands if draft.flags else draft.operands[1:])


def _coreutils(draft: UseDraft) -> None:
    """The program is named in the same word: `--coreutils-prog=rm`."""
    name, _, program = draft.args[0].partition("=") if draft.args else ("", "", "")
    if name in {"--coreutils-prog", "--coreutils-prog-shebang"} and program:
        draft.run("argv", program, *draft.args[1:])


def _daemon(draft: UseDraft) -> None:
    """An option names the program, the operands are its arguments."""
    program = draft.value("--exec") or draft.value("--startas")
    if program is not None and not {"--stop", "--status", "--test"} & set(draft.flags):
        draft.run("argv", program, *draft.operands)


def _zargs(draft: UseDraft) -> None:
    """zsh: `zargs [options --] args -- command`."""
    words = list(draft.operands)
    at = next((at for at, word in enumerate(words) if word == "--"), len(words))
    if words[at + 1 :]:
        draft.run("argv", *words[at + 1 :], *words[:at])


def _sg(draft: UseDraft) -> None:
    """`sg GROUP [-c] COMMAND`: one word for a shell. The linter `ast-grep` goes by the same name."""
    words = draft.operands[1:]
    linter = draft.operands[:1] in (["run"], ["scan"], ["test"], ["lsp"])
    if linter and words and words[0].startswith("-") and not words[0].startswith("-c"):
        if {"-U", "--update-all", "-i", "--interactive"} & set(words):
            draft.drop("privilege", "read-only")
            draft.add("changes")
        else:
            draft.looks("privilege")
        return
    words = words[1:] if words[:1] == ["-c"] else words
    if words:
        draft.run("shell", " ".join(words))


def _capsh(draft: UseDraft) -> None:
    """What follows `--` goes to bash."""
    if "--" in draft.args:
        draft.run("argv", "bash", *draft.args[draft.args.index("--") + 1 :])


def _traced(draft: UseDraft) -> None:
    """What is traced goes to a file, or behind `|` or `!` to a command."""
    target = draft.value("--output") or ""
    if target[:1] in {"|", "!"}:
        draft.aside(target[1:].strip())
    elif target:
        draft.writes.append(target)


READERS: dict[str, Special] = {
    "traced": _traced,
    "capsh": _capsh,
    "coreutils": _coreutils,
    "daemon": _daemon,
    "runcon": _runcon,
    "sg": _sg,
    "zargs": _zargs,
}
