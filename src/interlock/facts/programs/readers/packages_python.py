"""Python: packages, environments, checkers and runners."""

from __future__ import annotations

from interlock.facts.programs.draft import UseDraft
from interlock.facts.programs.readers.interpreters import run_fetched
from interlock.facts.programs.table import Special


def _requirements(draft: UseDraft) -> None:
    """A requirement may be a name, a file, a directory or a URL; files and directories run their own code."""
    for word in draft.operands:
        if "://" in word:
            draft.urls.append(word.removeprefix("git+"))
        elif word.startswith((".", "/", "~")) or word.endswith((".whl", ".tar.gz", ".zip")):
            draft.reads.append(word)
            draft.add("runs-project")


def _run_argv(draft: UseDraft) -> None:
    """`poetry run app.py` runs a file with Python, `poetry run pytest` a program."""
    words = draft.operands
    if words and words[0].endswith(".py"):
        draft.reads.append(words[0])
        draft.run("file", *words, by="python")
    elif words:
        draft.run("argv", *words)


def _uv_run(draft: UseDraft) -> None:
    """A module, a script, code on its input, or a program."""
    if "--module" in draft.flags:
        draft.run("argv", "python", "-m", *draft.operands)
    elif "--script" in draft.flags and draft.operands:
        draft.reads.append(draft.operands[0])
        draft.run("file", *draft.operands, by="python")
    elif draft.operands == ["-"]:
        draft.stdin = "code:python"
    elif not run_fetched(draft):
        _run_argv(draft)


def _tool(draft: UseDraft) -> None:
    """A package that is fetched if need be, and run."""
    words = list(draft.operands)
    if not words:
        return
    words[0] = words[0].partition("@")[0].partition("==")[0] or words[0]
    draft.run("argv", *words)


def _pytest(draft: UseDraft) -> None:
    """`file::test` names a test in a file."""
    files = [word.partition("::")[0] for word in draft.operands]
    draft.reads += files
    for file in files:
        if file.startswith(("/", "~")):
            draft.run("file", file, by=draft.name)
    if {"--collect-only", "--fixtures", "--markers"} & set(draft.flags):
        draft.acts()


# Which index is asked, whom it is believed to be, and what pip runs or reads besides.
_PIP_SOURCES = (
    "index", "extra", "find-links", "no-index", "trusted", "cert", "client-cert", "proxy", "constraint", "requirement",
    "keyring", "python", "target", "root", "prefix", "editor", "config", "build", "global-option", "install-option",
    "src", "hash", "require", "only", "no-binary", "pre", "isolated", "use",
)  # fmt: skip


def _pip_setting(draft: UseDraft) -> None:
    """`pip config set global.timeout 60` says nothing of where packages come from."""
    key = draft.operands[0].rpartition(".")[2] if draft.operands else ""
    if key and "\0" not in key and not key.startswith(_PIP_SOURCES):
        draft.drop("package-source")
        draft.add("changes")


READERS: dict[str, Special] = {
    "pip_setting": _pip_setting,
    "pytest": _pytest,
    "requirements": _requirements,
    "run_argv": _run_argv,
    "tool": _tool,
    "uv_run": _uv_run,
}
