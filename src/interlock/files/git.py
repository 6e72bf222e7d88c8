"""What git knows of a settings file, asked so that nothing the repository names is run."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

__all__ = ["is_as_committed", "is_in_a_stash", "is_looked_after", "is_tracked"]

_SECONDS = 10
_MOST_STASHES, _MOST_REFS = 50, 5000
# A repository's own configuration names programs that git starts while it looks, and places it fetches from.
_NO_PROGRAMS = (
    "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "protocol.allow=never",
)  # fmt: skip


def is_tracked(file: Path) -> bool:
    """Whether git tracks a file. Taken to be so where a repository has files and does not say."""
    tree = _working_tree(file)
    if tree is None or not _index(tree).exists():
        return False
    found = _git(tree, "ls-files", "-z", "--error-unmatch", "--", str(file.relative_to(tree)))
    return found is None or found.returncode != 1


def is_looked_after(file: Path) -> bool:
    """Whether git tracks a file, or would bring or expect it when another branch is checked out.

    Taken to be so where a repository does not say.
    """
    if is_tracked(file):
        return True
    tree = _working_tree(file)
    if tree is None or not _index(tree).exists():
        return False
    refs = _git(tree, "for-each-ref", f"--count={_MOST_REFS}", "--format=%(objectname)")
    if refs is None or refs.returncode != 0:
        return True
    name = file.relative_to(tree).as_posix()
    asked = "".join(f"{commit}:{name}\n" for commit in ["HEAD", *refs.stdout.split()])
    found = _git(tree, "cat-file", "--batch-check=%(objecttype)", said=asked)
    return found is None or any(line in ("blob", "tree") for line in found.stdout.splitlines())


def is_as_committed(file: Path, raw: bytes | None) -> bool:
    """Whether a file (None: no file) is what the commit has that is checked out, byte for byte."""
    tree = _working_tree(file)
    if tree is None:
        return False
    found = _git(tree, "rev-parse", "--verify", "--quiet", f"HEAD:{file.relative_to(tree).as_posix()}")
    if found is None or found.returncode not in (0, 1):
        return False
    name = found.stdout.strip()
    return name == "" if raw is None else name in _blob_names(raw)


def _blob_names(raw: bytes) -> list[str]:
    """What git calls a file of this content, in repositories of either kind."""
    whole = b"blob %d\0" % len(raw) + raw
    return [hashlib.sha1(whole, usedforsecurity=False).hexdigest(), hashlib.sha256(whole).hexdigest()]


def is_in_a_stash(file: Path) -> bool:
    """Whether `git stash -u` has put an untracked file away: one in its place would keep `git stash pop` from it."""
    tree = _working_tree(file)
    if tree is None:
        return False
    stashes = _git(tree, "log", "--walk-reflogs", "--format=%H", f"--max-count={_MOST_STASHES}", "refs/stash", "--")
    if stashes is None or stashes.returncode != 0:
        return False
    name = file.relative_to(tree).as_posix()
    held = (_git(tree, "cat-file", "-e", f"{commit}^3:{name}") for commit in stashes.stdout.split())
    return any(found is not None and found.returncode == 0 for found in held)


def _working_tree(file: Path) -> Path | None:
    return next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)


def _index(tree: Path) -> Path:
    """Where the names of the tracked files are kept; a folder without it has none, whatever else is in it."""
    git = tree / ".git"
    if git.is_dir():
        return git / "index"
    try:
        named = git.read_text(encoding="utf-8", errors="surrogateescape").removeprefix("gitdir:").strip()
    except (OSError, ValueError):
        return git  # something is there that cannot be read, so git has to say
    return tree / named / "index"


def _git(tree: Path, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str] | None:
    """What git says; None if it cannot be asked."""
    import subprocess  # noqa: PLC0415 - only where entries were lost

    program = shutil.which("git")
    if program is None:
        return None
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603 - git itself, with nothing of the repository's to run
            [program, *_NO_PROGRAMS, *arguments], cwd=tree, env=environment, input=said,
            capture_output=True, text=True, errors="surrogateescape", timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
