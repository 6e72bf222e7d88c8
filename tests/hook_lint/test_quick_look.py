"""A quick look at the words of a file says which files need no reading: none in which a hook would be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.hook_lint import gather as gathering
from interlock.hook_lint.finding import LintFinding
from interlock.hook_lint.gather import gather
from interlock.hook_lint.guess import may_be_a_hook
from interlock.hook_lint.read import read_programs
from interlock.hook_lint.run import lint_hooks
from tests.hook_lint.figures import judge


def _found(paths: list[Path]) -> tuple[list[tuple[str, str]], list[LintFinding]]:
    gathered = gather(paths)
    return [(one.program.file, one.program.name) for one in gathered.hooks], lint_hooks(gathered)


def test_what_is_found_is_what_reading_everything_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    judge(tmp_path)
    folders = sorted(tmp_path.rglob("settings.json")) + sorted(tmp_path.rglob("hooks"))
    scripts = [path for path in sorted(tmp_path.rglob("*")) if path.is_file() and path.suffix != ".json"]
    others = sorted(Path(gathering.__file__).parent.rglob("*.py"))[:40]
    sets = ([tmp_path], scripts, folders, others)  # with their entries, and without
    quick = [_found(list(paths)) for paths in sets]
    monkeypatch.setattr(gathering, "may_be_a_hook", lambda file, text: True)
    assert [_found(list(paths)) for paths in sets] == quick
    assert [len(hooks) > 0 for hooks, _ in quick[:3]] == [True, True, True]


def test_files_that_name_nothing_of_a_hook_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "app.py").write_text("print('hello')\n")
    (tmp_path / "guard.py").write_text("import json, sys\njson.load(sys.stdin)['tool_name']\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG" * (1 << 19))
    read: list[str] = []

    def noted(file: str, text: str) -> object:
        read.append(Path(file).name)
        return read_programs(file, text)

    monkeypatch.setattr(gathering, "read_programs", noted)
    found = gather([tmp_path])
    assert (read, found.skipped) == (["guard.py"], [])


@pytest.mark.parametrize(
    ("file", "text", "may"),
    [
        ("guard.py", "json.load(sys.stdin)['tool_input']", True),
        ("guard.py", "json.load(sys.stdin)['toolInput']", False),
        (".claude/hooks/guard.py", "json.load(sys.stdin)['toolInput']", True),
        ("/home/me/.claude/hooks/guard.py", "json.load(sys.stdin)['toolInput']", True),
        ("server.py", "jsonrpc: tool_input", False),
        ("server.py", "jsonrpc: tool_input, can_use_tool", True),
        ("server.ts", "jsonrpc: tool_input", True),
        ("agent.ts", "import { query } from '@anthropic-ai/claude-agent-sdk'", True),
        ("agent.ts", "import { query } from './sdk'", False),
        ("guard.sh", "jq -r .tool_name", True),
        ("build.sh", "make all", False),
    ],
)
def test_which_words_a_hook_has(file: str, text: str, may: bool):
    assert may_be_a_hook(file, text) is may
