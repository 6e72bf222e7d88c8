"""docs/ci.md and .pre-commit-hooks.yaml: hooks that exist, for the files they are about, with commands that work.

They are about policies, or about the hooks of agents, which `interlock lint` looks at.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from interlock.cli import main
from tests.lint.project import Project

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
SHARED, LOCAL, *WORKFLOWS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]
FILES = ["interlock.yaml", "interlock.test.yaml"]
# What each hook is about: a policy, or the hooks of agents.
ABOUT_HOOKS = {"interlock-lint"}
GUARD = """\
#!/usr/bin/env python3
import json, sys

command = json.load(sys.stdin)["tool_input"].get("command", "")
if "sudo" in command:
    print("Blocked: sudo", file=sys.stderr)
    sys.exit(2)
"""


def test_the_page_names_every_hook():
    assert [hook["id"] for hook in SHARED["repos"][0]["hooks"]] == list(HOOKS)


def test_the_local_hook_is_the_shared_one():
    (local,) = LOCAL["repos"][0]["hooks"]
    shared = {key: value for key, value in HOOKS[local["id"]].items() if key != "description"}
    assert local == shared | {"language": "system"}


@pytest.mark.parametrize("hook", [name for name in HOOKS if name not in ABOUT_HOOKS])
@pytest.mark.parametrize(
    ("file", "runs"),
    [
        ("interlock.yaml", True),
        ("web/interlock.yaml", True),
        ("interlock.local.yaml", True),
        ("tests/refunds.test.yaml", True),
        ("my-interlock.yaml", False),
        ("interlock.yaml.orig", False),
        ("src/latest.yaml", False),
    ],
)
def test_a_hook_runs_for_the_files_it_is_about(hook: str, file: str, runs: bool):
    assert bool(re.search(HOOKS[hook]["files"], file)) == runs


@pytest.mark.parametrize("hook", sorted(ABOUT_HOOKS))
@pytest.mark.parametrize(
    ("file", "runs"),
    [
        (".claude/settings.json", True),
        ("shop/.claude/settings.local.json", True),
        (".claude/hooks/lib/common.sh", True),
        (".claude/agents/reviewer.md", True),
        (".claude/skills/deploy/SKILL.md", True),
        (".claude/commands/git/push.md", True),
        ("plugins/tidy/hooks/hooks.json", True),
        ("plugins/tidy/hooks/guard.mts", True),
        (".claude/settings.json.orig", False),
        (".claude/plans/one.md", False),
        ("docs/hooks/page.md", False),
        ("src/webhooks/main.py", False),
        ("my.claude/settings.json", False),
        ("interlock.yaml", False),
    ],
)
def test_a_hook_for_hooks_runs_for_those(hook: str, file: str, runs: bool):
    assert bool(re.search(HOOKS[hook]["files"], file)) == runs


def commands() -> list[list[str]]:
    """What the hooks and the workflows run, as pre-commit and a shell would, without a redirection."""
    found = [hook["entry"].split() + (FILES if hook.get("pass_filenames", True) else []) for hook in HOOKS.values()]
    for workflow in WORKFLOWS:
        for job in workflow["jobs"].values():
            steps: list[dict[str, Any]] = job["steps"]
            lines = [step["run"] for step in steps if step.get("run", "").startswith("interlock ")]
            found += [line.partition(">")[0].split() for line in lines]
    return found


def test_the_page_shows_annotations_and_sarif():
    assert ["interlock", "check", "--format", "sarif"] in commands()
    assert ["interlock", "check", "--strict", "--format", "github"] in commands()
    assert ["interlock", "lint", "--format", "sarif"] in commands()
    assert ["interlock", "lint", "--format", "github"] in commands()


@pytest.mark.parametrize("words", [words for words in commands() if "lint" not in words], ids=" ".join)
@pytest.mark.parametrize("rule", ["{id: a, tool: WebFetch, deny: x}", "{id: a, tool: WebFetch, deyn: x}"])
def test_a_command_tells_a_good_policy_from_a_bad_one(
    words: list[str], rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    project = Project(tmp_path, monkeypatch)
    project.policy(rule)
    scenario = "  - steps: [{call: {WebFetch: 'https://example.com'}, expect: deny}]\n"
    project.write(f"policy: interlock.yaml\nscenarios:\n{scenario}", "interlock.test.yaml")
    ended = CliRunner().invoke(main, words[1:])
    assert ended.exit_code == (0 if "deny" in rule else 1)


@pytest.mark.parametrize("words", [words for words in commands() if "lint" in words], ids=" ".join)
@pytest.mark.parametrize("code", [2, 1])
def test_a_command_tells_a_good_hook_from_a_bad_one(
    words: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    project = Project(tmp_path, monkeypatch)
    command = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.py'
    entry = {"type": "command", "command": command, "onFailure": "block"}
    project.write(json.dumps({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}), ".claude/settings.json")
    project.write(GUARD.replace("exit(2)", f"exit({code})"), ".claude/hooks/guard.py").chmod(0o755)
    ended = CliRunner().invoke(main, words[1:])
    assert ended.exit_code == (0 if code == 2 else 1)
