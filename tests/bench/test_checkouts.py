"""Another commit is checked out with an interpreter that imports its package, and removed afterwards."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bench import checkouts
from bench.child import PROTOCOL

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def _git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    ran = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A project whose package tells which commit it is of; its first bench spoke no protocol."""
    root = tmp_path / "project"
    package, bench = root / "src" / "interlock", root / "bench"
    package.mkdir(parents=True)
    bench.mkdir()
    _git(tmp_path, "init", "--quiet", str(root))
    for number, child in enumerate(("", f"\nPROTOCOL = {PROTOCOL}\n", "\nPROTOCOL = 0\n")):
        (package / "__init__.py").write_text(f"NUMBER = {number}\n", encoding="utf-8")
        (bench / "child.py").write_text(child, encoding="utf-8")
        _git(root, "add", ".")
        _git(root, "commit", "--quiet", "-m", "a commit")
    monkeypatch.setattr(checkouts, "ROOT", root)
    return root


def _number(python: Path) -> str:
    code = "import interlock, msgspec; print(interlock.NUMBER, end='')"
    return subprocess.run([str(python), "-I", "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("commit", "number"), [("HEAD", "2"), ("HEAD~1", "1"), ("HEAD~2", "0")])
def test_an_isolated_interpreter_imports_the_package_of_that_commit(repository, commit, number):
    with checkouts.another(commit) as found:
        assert _number(found.python) == number


def test_nothing_is_left_of_it(repository):
    with checkouts.another("HEAD~1") as found:
        assert found.root.is_dir()
    assert sorted(file.name for file in repository.iterdir()) == [".git", "bench", "src"]
    assert len(_git(repository, "worktree", "list").splitlines()) == 1


def test_its_own_bench_is_used_only_if_it_speaks_this_protocol(repository):
    ours = (repository, ("--older-names",))
    with checkouts.another("HEAD") as found:
        assert found.benches == (ours,)
    with checkouts.another("HEAD~1") as found:
        assert found.benches == ((found.root, ()), ours)


def test_a_commit_that_does_not_exist_is_reported(repository):
    with pytest.raises(SystemExit, match="git worktree add failed"), checkouts.another("nonsense"):
        pass
