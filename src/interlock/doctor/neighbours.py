"""Worktrees and nested repositories, in which a session may be guarded differently from the project around them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from interlock.config.places import POLICY_NAME, project_root
from interlock.doctor.finding import Finding, note, problem
from interlock.hosts.claude_code.settings_files import main_folder, worktrees_of
from interlock.hosts.claude_code.settings_state import settings_state

__all__ = ["look"]

_MOST_FOLDERS = 5_000  # searched for repositories
_MOST_NAMED = 5
_HELP = "`interlock init --scope user` guards all of your folders"


def look(start: Path, root: Path) -> Iterator[Finding]:
    """Worktrees and nested repositories that are not guarded, including this folder if it is a worktree."""
    main = main_folder(start)
    if main is not None and _lacks_policy(root, main):
        text = f"this is a worktree of {main}, whose policy does not apply here"
        yield problem("worktree", text, f"commit {POLICY_NAME}, or use one policy for everything: {_HELP}")
    if settings_state(start).missing:
        return  # another check reports that already, and the folders around here are in the same state
    trees = worktrees_of(main) if main is not None else []
    for folder in trees:
        if not start.resolve().is_relative_to(folder):
            yield from _look_at(folder, "worktree", main)
    nested = [folder for folder in _repositories_in(root) if folder not in trees]
    bad = [finding for folder in nested for finding in _look_at(folder, "nested repository", None)]
    yield from bad[:_MOST_NAMED]
    if len(bad) > _MOST_NAMED:
        yield note("nested repository", f"and {len(bad) - _MOST_NAMED} more", _HELP)


def _look_at(folder: Path, what: str, main: Path | None) -> Iterator[Finding]:
    if settings_state(folder).missing:
        yield note(what, f"a session started in {folder} is not guarded: Interlock's entries would not all run", _HELP)
    elif main is not None and _lacks_policy(project_root(folder), main):
        yield note(what, f"the policy of {main} does not apply to a session started in {folder}", _HELP)


def _lacks_policy(root: Path, main: Path) -> bool:
    return root != main and (main / POLICY_NAME).exists() and not (root / POLICY_NAME).exists()


def _repositories_in(root: Path) -> Iterator[Path]:
    """Repositories inside a folder, the nearest first, among the folders that can be searched quickly."""
    waiting, seen = deque([root]), 0
    while waiting and seen < _MOST_FOLDERS:
        folder = waiting.popleft()
        seen += 1
        if folder != root and os.path.lexists(folder / ".git"):
            yield folder
            continue  # a session started deeper in has this repository's settings, which are reported once
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:  # this user may not read the folder, so they do not start a session there either
            continue
        waiting.extend(folder / name for name in inside if name not in (".git", "node_modules"))
