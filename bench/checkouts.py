"""The checkouts that are measured: this one, and another commit in a temporary worktree."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.child import PROTOCOL

__all__ = ["ROOT", "Checkout", "another", "this_one"]

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Checkout:
    """One version of the project, with an interpreter that imports its package and no other.

    The interpreter and not PYTHONPATH decides, because clients and daemons are spawned with `-I`.
    """

    root: Path
    python: Path
    benches: tuple[tuple[Path, tuple[str, ...]], ...]  # folders with bench code to try in turn, and its options

    @property
    def package(self) -> Path:
        return self.root / "src" / "interlock"


def this_one() -> Checkout:
    return Checkout(ROOT, Path(sys.executable), ((ROOT, ()),))


@contextmanager
def another(commit: str) -> Iterator[Checkout]:
    """Check a commit out, on the same disk as this checkout, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=ROOT) as folder:
        root = Path(folder, "base")
        _git("worktree", "add", "--quiet", "--detach", str(root), commit)
        try:
            python = _interpreter(Path(folder, "venv"), root / "src")
            ours = (ROOT, ("--older-names",))
            yield Checkout(root, python, ((root, ()), ours) if _speaks(root) else (ours,))
        finally:
            _git("worktree", "remove", "--force", str(root))


def _git(*arguments: str) -> None:
    ran = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"git {arguments[0]} {arguments[1]} failed: {ran.stderr.strip()}")


def _interpreter(folder: Path, source: Path) -> Path:
    """An environment of its own with that source, which borrows the dependencies that are installed for this one.

    Folders that a `.pth` file names are searched, but `.pth` files in them are not read: the link to this checkout's
    own source, by which it is installed, does not count there.
    """
    venv.create(folder, symlinks=True, with_pip=False)
    site = folder / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    borrowed = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    (site / "bench.pth").write_text("\n".join([str(source), *borrowed, ""]), encoding="utf-8")
    return folder / "bin" / "python"


def _speaks(root: Path) -> bool:
    """Whether the bench of a checkout can be asked as this one can."""
    child = root / "bench" / "child.py"
    return child.is_file() and f"\nPROTOCOL = {PROTOCOL}\n" in child.read_text(encoding="utf-8")
