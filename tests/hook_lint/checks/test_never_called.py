"""IL106: a guard in a function that nothing calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hook_lint.checks.linting import findings, lint_file

FOUND = "nothing calls this function, so the hook lets every call run"
GUARD = """import json
import sys


def main():
    event = json.load(sys.stdin)
    if "rm" in event["tool_input"]["command"]:
        sys.exit(2)
"""
ANSWERS = """def check(tool_name, tool_input):
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
"""


def wired(folder: Path, text: str, name: str = "guard.py") -> list[tuple[int, str]]:
    hooks = folder / ".claude" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / name).write_text(text, encoding="utf-8")
    entry = {"type": "command", "command": f"python3 .claude/hooks/{name}"}
    settings = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [entry]}]}}
    (folder / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return findings([folder], "IL106")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (GUARD, 5),
        (ANSWERS, 1),
        ("import logging\nlogging.basicConfig()\n" + GUARD, 7),
        ("try:\n    import yaml\nexcept ImportError:\n    yaml = None\n" + GUARD, 9),
        (GUARD + "\n\ndef helper():\n    return main()\n", 5),
    ],
)
def test_the_work_of_an_entry_that_nothing_calls_is_found(tmp_path: Path, text: str, line: int):
    assert wired(tmp_path, text) == ([(line, FOUND)] if "helper" not in text else [])


def test_a_program_without_an_entry_says_by_its_first_line_that_it_is_one(tmp_path: Path):
    assert lint_file(tmp_path, "#!/usr/bin/env python3\n" + GUARD, "IL106", "guard.py") == [(6, FOUND)]


@pytest.mark.parametrize(
    "text",
    [
        GUARD + "\n\nmain()\n",
        GUARD + '\n\nif __name__ == "__main__":\n    main()\n',
        GUARD + "\n\nsys.exit(main())\n",
        GUARD + '\n\nif __name__ == "main":\n    main()\n',
        GUARD.replace("def main", "@app.command()\ndef main") + "\n\napp()\n",
        GUARD + "\n\nimport asyncio\nasyncio.run(main())\n",
        GUARD + "\n\nHANDLERS = {'PreToolUse': main}\n",
        GUARD + '\n\n__all__ = ["main"]\n',
        "import pytest\n" + GUARD,
        "from . import rules\n" + GUARD,
        "def unused():\n    pass\n",
        "",
    ],
)
def test_what_runs_or_belongs_to_something_else_is_fine(tmp_path: Path, text: str):
    assert wired(tmp_path, text) == []


@pytest.mark.parametrize("name", ["test_guard.py", "_common.py", "conftest.py", "guard_test.py"])
def test_parts_and_tests_are_no_programs(tmp_path: Path, name: str):
    assert lint_file(tmp_path, "#!/usr/bin/env python3\n" + GUARD, "IL106", f".claude/hooks/{name}") == []


def test_a_module_without_an_entry_may_be_a_part(tmp_path: Path):
    assert lint_file(tmp_path, GUARD, "IL106", ".claude/hooks/common.py") == []
    assert lint_file(tmp_path, "#!/usr/bin/env python3\n" + ANSWERS, "IL106", ".claude/hooks/common.py") == []
