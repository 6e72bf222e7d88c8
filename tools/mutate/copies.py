"""A copy of the checkout in which files can be changed, with an environment that imports the copy.

`PYTHONPATH` would not do: Interlock starts isolated interpreters (`-I`), which import what is installed. So the copy
gets an environment of its own, made of links to the installed packages, in which Interlock is installed from the copy.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

__all__ = ["Copy", "make_copy"]

_FIRST_TIME = 1_000_000_000


class Copy:
    """One copy of a checkout, for one change at a time."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder = folder
        self.python = python
        self._changes = 0

    def write(self, file: str, source: bytes) -> None:
        """Change a file. Its time is never one that it had before, or a cached bytecode could pass for it."""
        self._changes += 1
        target = self.folder / file
        target.write_bytes(source)
        moment = _FIRST_TIME + self._changes * 10
        os.utime(target, (moment, moment))

    def run_tests(self, tests: list[str], seconds: float, options: list[str]) -> tuple[int | None, str]:
        """Run tests until one fails; their exit code, or None if they took too long, and what they printed."""
        command = [str(self.python), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *options]
        basetemp = self.folder.parent / f"{self.folder.name}-tests"
        with subprocess.Popen(
            [*command, f"--basetemp={basetemp}", *tests],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "VIRTUAL_ENV": str(self.python.parent.parent), "PYTHONPATH": ""},
        ) as process:
            try:
                output, _ = process.communicate(timeout=seconds)
                code: int | None = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                code = None
        self._end_processes()
        shutil.rmtree(basetemp, ignore_errors=True)
        return code, output.decode("utf-8", "replace")

    def _end_processes(self) -> None:
        """End what a broken mutant left running: only programs that were started from this copy."""
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
                if str(self.folder) in words:
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                continue


def make_copy(checkout: Path, folder: Path) -> Copy:
    """Copy the files of a checkout that belong to the project, and make an environment for them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=checkout,
        capture_output=True,
        check=True,
    ).stdout
    for name in listed.decode().split("\0"):
        source = checkout / name
        if name and source.is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return Copy(folder, _link_environment(checkout, folder))


def _link_environment(checkout: Path, folder: Path) -> Path:
    """An environment with the packages of the one that runs this, but with Interlock from the copy."""
    installed = Path(sysconfig.get_path("purelib"))
    packages = folder / ".venv" / installed.relative_to(sys.prefix)
    packages.mkdir(parents=True)
    for entry in installed.iterdir():
        if entry.suffix == ".pth" and str(checkout) in entry.read_text(encoding="utf-8"):
            text = entry.read_text(encoding="utf-8")
            (packages / entry.name).write_text(text.replace(str(checkout), str(folder)), encoding="utf-8")
        else:
            (packages / entry.name).symlink_to(entry)
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", folder / ".venv")
    programs = folder / ".venv/bin"
    programs.mkdir()
    for entry in (Path(sys.prefix) / "bin").iterdir():
        if entry.name.startswith("python"):
            (programs / entry.name).symlink_to(entry.resolve())
        elif entry.is_file() and (start := entry.read_bytes()).startswith(b"#!"):
            (programs / entry.name).write_bytes(start.replace(sys.prefix.encode(), str(folder / ".venv").encode(), 1))
            (programs / entry.name).chmod(0o755)
    return programs / "python"
