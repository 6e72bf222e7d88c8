"""docs/import.md is true: each configuration on it becomes the policy below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interlock.imports.files import import_files
from interlock.imports.write import new_policy

PAGE = (Path(__file__).parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"```\w+ from=(\S+)\n(.*?)```\n\n```yaml to\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_has_an_example_for_each_tool():
    assert [name for name, _, _ in PAIRS] == [
        ".conclaude.yaml", ".claude/settings.json", ".claude/hookify.no-force.local.md",
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "written", "policy"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_an_example_becomes_the_policy_below_it(
    name: str, written: str, policy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(written, encoding="utf-8")
    assert new_policy(import_files([Path(name)])) == policy
