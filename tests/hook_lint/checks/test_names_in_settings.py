"""Names in settings that Claude Code does not know: what is suggested instead, and what is corrected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.hook_lint.checks import CHECKS
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks


def found(folder: Path, code: str, hooks: object) -> list[tuple[str, str, str | None]]:
    """The message, the help and the fix of each finding."""
    file = folder / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    checks = [check for check in CHECKS if check.code == code]
    findings = lint_hooks(gather([folder]), checks)
    return [(one.message, one.help, one.fix.edits[0].text if one.fix is not None else None) for one in findings]


def under(matcher: str) -> object:
    return {"PreToolUse": [{"matcher": matcher, "hooks": [{"type": "command", "command": "./guard.sh"}]}]}


@pytest.mark.parametrize(
    ("matcher", "called", "meant", "new"),
    [
        ("bash", "`bash`", "`Bash`", '"Bash"'),
        ("write|edit", "`write` or `edit`", "`Write|Edit`", '"Write|Edit"'),
        ("bash|bash", "`bash` or `bash`", "`Bash`", '"Bash"'),
        ("bahs", "`bahs`", "`Bash`", None),
        ("write|edti", "`write` or `edti`", "`Write|Edit`", None),
    ],
)
def test_every_name_of_a_matcher_is_corrected(tmp_path: Path, matcher: str, called: str, meant: str, new: str | None):
    """Only if nothing but the case of its letters is wrong."""
    message = f"no tool is called {called}, so this hook never runs"
    assert found(tmp_path, "IL409", under(matcher)) == [(message, f"did you mean {meant}?", new)]


@pytest.mark.parametrize("matcher", ["Bash", "bash|Edit", "Write|Edit", "mcp__x__y", ""])
def test_a_matcher_with_one_right_name_is_left_alone(tmp_path: Path, matcher: str):
    assert found(tmp_path, "IL409", under(matcher)) == []


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("pre-tool-use", "write `PreToolUse`"),
        ("PreToolUses", "did you mean `PreToolUse`?"),
        ("BeforeEveryCall", "`interlock docs protocol#events` lists all events"),
    ],
)
def test_an_event_that_does_not_exist_gets_a_name_or_the_place_of_the_list(tmp_path: Path, name: str, help: str):
    hooks = {name: [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]}
    assert [one[:2] for one in found(tmp_path, "IL406", hooks)] == [
        (f"there is no event `{name}`, so its hooks never run", help)
    ]
