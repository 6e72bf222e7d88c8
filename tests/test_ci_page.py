"""docs/ci.md and .pre-commit-hooks.yaml: hooks that exist, for the files they are about, with commands that work."""

from __future__ import annotations

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
SHARED, LOCAL, WORKFLOW = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]


def test_the_page_names_every_hook():
    assert [hook["id"] for hook in SHARED["repos"][0]["hooks"]] == list(HOOKS)


def test_the_local_hook_is_the_shared_one():
    (local,) = LOCAL["repos"][0]["hooks"]
    shared = {key: value for key, value in HOOKS[local["id"]].items() if key != "description"}
    assert local == shared | {"language": "system"}


@pytest.mark.parametrize(
    ("hook", "file", "runs"),
    [
        ("interlock-check", "interlock.yaml", True),
        ("interlock-check", "web/interlock.yaml", True),
        ("interlock-check", "interlock.local.yaml", True),
        ("interlock-check", "interlock.test.yaml", False),
        ("interlock-check", "my-interlock.yaml", False),
        ("interlock-check", "interlock.yaml.orig", False),
        ("interlock-test", "interlock.yaml", True),
        ("interlock-test", "tests/refunds.test.yaml", True),
        ("interlock-test", "src/latest.yaml", False),
    ],
)
def test_a_hook_runs_for_the_files_it_is_about(hook: str, file: str, runs: bool):
    assert bool(re.search(HOOKS[hook]["files"], file)) == runs


def commands() -> list[str]:
    steps: list[dict[str, Any]] = WORKFLOW["jobs"]["check"]["steps"]
    return [step["run"] for step in steps if step.get("run", "").startswith("interlock ")]


@pytest.mark.parametrize("command", [*(hook["entry"] for hook in HOOKS.values()), *commands()])
@pytest.mark.parametrize("rule", ["{id: a, tool: WebFetch, deny: x}", "{id: a, tool: WebFetch, deyn: x}"])
def test_a_command_tells_a_good_policy_from_a_bad_one(
    command: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    project = Project(tmp_path, monkeypatch)
    project.policy(rule)
    scenario = "  - steps: [{call: {WebFetch: 'https://example.com'}, expect: deny}]\n"
    project.write(f"policy: interlock.yaml\nscenarios:\n{scenario}", "interlock.test.yaml")
    ended = CliRunner().invoke(main, command.split()[1:])
    assert ended.exit_code == (0 if "deny" in rule else 1)
