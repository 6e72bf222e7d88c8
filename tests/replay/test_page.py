"""docs/replay.md: every command on the page prints what the page says.

`python -m tests.replay.test_page` writes what they print into the page.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import main
from tests.replay.transcripts import START, Transcript

PAGE = Path(__file__).parent.parent.parent / "docs" / "replay.md"
BLOCK = re.compile(r"```console\n\$ (interlock [^\n]*)\n(.*?)```", re.DOTALL)


def past(folder: Path) -> None:
    """Two sessions in two projects."""
    shop = Transcript(folder / "-home-dev-shop" / "5c1d2e7a-shop.jsonl")
    shop.prompt("Bring the branch up to date")
    for command in ("git status", "git stash drop", "git fetch", "git stash drop", "git rebase main", "git stash drop",
                    "cd src && git reset --hard HEAD~1", "npm test", "git log --oneline -5", "ls -la"):  # fmt: skip
        shop.bash(command)
    shop.refuse("Bash", {"command": "git push -f origin main"})
    web = Transcript(folder / "-home-dev-web" / "b81f04c3-web.jsonl", at=START + 90_000, cwd="/home/dev/web")
    web.prompt("Restart the server")
    for command in ("lsof -ti:3000 | xargs kill", "pkill -f postgres", "npm run dev", "curl -s localhost:3000/health"):
        web.bash(command)


def printed(line: str) -> str:
    return CliRunner().invoke(main, shlex.split(line)[1:], env={"COLUMNS": "80"}).output


@pytest.mark.parametrize(("line", "shown"), BLOCK.findall(PAGE.read_text(encoding="utf-8")))
def test_a_command_on_the_page_prints_what_the_page_says(
    line: str, shown: str, nobodys_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    past(nobodys_home / ".claude" / "projects")
    monkeypatch.chdir(tmp_path)
    text = printed(line)
    assert text == shown
    assert all(len(row) <= 80 for row in text.splitlines())


def test_the_page_shows_commands():
    assert len(BLOCK.findall(PAGE.read_text(encoding="utf-8"))) == 4


def write_page() -> None:
    """Write what the commands print into the page."""
    text = PAGE.read_text(encoding="utf-8")
    text = BLOCK.sub(lambda block: f"```console\n$ {block[1]}\n{printed(block[1])}```", text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        past(Path(home) / ".claude" / "projects")
        (Path(home) / "here").mkdir()
        os.chdir(Path(home) / "here")
        write_page()
