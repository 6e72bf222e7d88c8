"""What git knows about a settings file, asked in a way that runs no program that the repository names."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

__all__ = ["committed_text", "is_as_committed", "is_ignored", "is_in_a_stash", "is_looked_after", "is_tracked"]

_SECONDS = 10
_MOST_STASHES, _MOST_REFS = 50, 5000
# A repository's own configuration can name programs that git starts while it looks, and servers it fetches from.
_NO_PROGRAMS = (
    "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "protocol.allow=never",
)  # fmt: skip


def is_tracked(file: Path) -> bool:
    """Whether git tracks a file. If the repository tracks files but git cannot tell, the answer is yes."""
    tree = _working_tree(file)
    if tree is None or not _index(tree).exists():
        return False
    found = _git(tree, "ls-files", "-z", "--error-unmatch", "--", str(file.relative_to(tree)))
    return found is None or found.returncode != 1


def is_ignored(root: Path, file: Path) -> bool:
    """Whether git would not offer to commit a file of a project. Without git, nobody commits anything."""
    if not (root / ".git").exists():
        return True
    found = _git(root, "check-ignore", "-q", "--", str(file), literal=False)  # it refuses to take names literally
    return found is None or found.returncode != 1


def is_looked_after(file: Path) -> bool:
    """Whether git tracks a file here, or any branch or tag has it, so that a checkout would write it.

    If git cannot tell, the answer is yes.
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
    """Whether a file's content (None: no file) is, byte for byte, that of the commit that is checked out."""
    tree = _working_tree(file)
    if tree is None:
        return False
    found = _git(tree, "rev-parse", "--verify", "--quiet", f"HEAD:{file.relative_to(tree).as_posix()}")
    if found is None or found.returncode not in (0, 1):
        return False
    name = found.stdout.strip()
    return name == "" if raw is None else name in _blob_names(raw)


def committed_text(file: Path, revision: str) -> bytes | None:
    """What a file contains in a revision; None if there is no such revision, or the file is not in it."""
    file = file.absolute()
    tree = _working_tree(file)
    if tree is None or not revision or revision.startswith("-"):
        return None
    found = _git(tree, "cat-file", "blob", f"{revision}:{file.relative_to(tree).as_posix()}")
    return found.stdout.encode("utf-8", "surrogateescape") if found is not None and found.returncode == 0 else None


def _blob_names(raw: bytes) -> list[str]:
    """The ids that git gives a file of this content, with SHA-1 and with SHA-256."""
    whole = b"blob %d\0" % len(raw) + raw
    return [hashlib.sha1(whole, usedforsecurity=False).hexdigest(), hashlib.sha256(whole).hexdigest()]


def is_in_a_stash(file: Path) -> bool:
    """Whether `git stash -u` has stored an untracked file: a new one in its place would make `git stash pop` fail."""
    tree = _working_tree(file)
    if tree is None:
        return False
    stashes = _git(tree, "log", "--walk-reflogs", "--format=%H", f"--max-count={_MOST_STASHES}", "refs/stash", "--")
    if stashes is None or stashes.returncode != 0:
        return False
    name = file.relative_to(tree).as_posix()
    # The third parent of a stash commit contains its untracked files.
    held = (_git(tree, "cat-file", "-e", f"{commit}^3:{name}") for commit in stashes.stdout.split())
    return any(found is not None and found.returncode == 0 for found in held)


def _working_tree(file: Path) -> Path | None:
    return next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)


def _index(tree: Path) -> Path:
    """The file in which git lists the tracked files. A repository without it tracks nothing."""
    git = tree / ".git"
    if git.is_dir():
        return git / "index"
    try:
        named = git.read_text(encoding="utf-8", errors="surrogateescape").removeprefix("gitdir:").strip()
    except (OSError, ValueError):
        return git  # it exists but cannot be read, so ask git
    return tree / named / "index"


def _git(tree: Path, *arguments: str, said: str = "", literal: bool = True) -> subprocess.CompletedProcess[str] | None:
    """Git's answer; None if it cannot be asked."""
    import subprocess  # noqa: PLC0415 - only where entries were lost

    program = shutil.which("git")
    if program is None:
        return None
    # GIT_* variables could point git at another repository, or name programs for it to run.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603 - git itself, which runs nothing that the repository names
            [program, *_NO_PROGRAMS, *(["--literal-pathspecs"] if literal else []), *arguments],
            cwd=tree, env=environment, input=said, capture_output=True, text=True, errors="surrogateescape",
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
