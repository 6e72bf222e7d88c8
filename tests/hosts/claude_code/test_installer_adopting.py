"""Hooks of the settings go into a policy and back, with everything that they said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interlock.config.bundles import load_file
from interlock.config.trust import Trust
from interlock.errors import InterlockError
from interlock.files.edit import FileChange, apply_changes
from interlock.hosts.claude_code import installer
from interlock.hosts.claude_code.installer import apply, plan_install, plan_uninstall
from interlock.hosts.claude_code.places import settings_file
from interlock.hosts.claude_code.settings_rules import read_settings
from interlock.hosts.claude_code.settings_state import settings_state
from tests.hosts.claude_code.test_installer import OTHER, install, local, shop_in, uninstall


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return shop_in(tmp_path, monkeypatch)


STARTER = "version: 1\n# mine\n"
MIXED = {
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [OTHER, {"type": "prompt", "prompt": "ok?"}]},
            {"matcher": "Edit.*", "hooks": [{**OTHER, "args": ["x"], "timeout": 3}]},
        ],
        "Stop": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:1/"}]}],
    }
}
HOOKS = """
hooks:
  - {run: "/bin/other", event: PreToolUse, tool: "/^(?:Bash)$/", timeout: 500s}
  - {run: ["/bin/other", "x"], event: PreToolUse, tool: "/Edit.*/", timeout: 3s}
  - {url: "http://127.0.0.1:1/", event: Stop, timeout: 500s}
"""


@pytest.mark.parametrize("indent", [None, 2])
def test_hooks_move_into_the_policy_in_order_and_back(project: Path, indent: int | None):
    text = json.dumps(MIXED, indent=indent)
    file = local(project, text)
    plan = install(project, adopt=True, starter=STARTER)
    policy = project / "interlock.yaml"
    assert policy.read_text(encoding="utf-8") == STARTER + HOOKS
    assert [hook.event for hook in plan.adopted] == ["PreToolUse", "PreToolUse", "Stop"]
    assert plan.stays == (f"PreToolUse: a prompt hook stays in {file}: it is of the type `prompt`",)
    found = settings_state(project)
    assert [str(hook) for hook in found.beside] == [f"PreToolUse (Bash): a prompt hook [{file}]"]
    assert found.missing == ()
    uninstall(project)
    assert file.read_text(encoding="utf-8") == text
    assert policy.read_text(encoding="utf-8") == STARTER


def test_adopted_hooks_are_put_back_also_when_the_settings_were_edited_since(project: Path):
    file = local(project, json.dumps(MIXED))
    install(project, adopt=True, starter=STARTER)
    value = json.loads(file.read_text(encoding="utf-8"))
    value["mine"] = 1
    file.write_text(json.dumps(value), encoding="utf-8")
    uninstall(project)
    after = read_settings(file.read_bytes(), str(file))
    assert after.values == {"mine": 1}
    was = read_settings(json.dumps(MIXED).encode(), str(file))
    key = str
    assert sorted(key((h.event, h.matcher, h.handler)) for h in after.hooks) == sorted(
        key((h.event, h.matcher, h.handler)) for h in was.hooks
    )


def test_hooks_that_came_later_are_adopted_by_a_second_run_and_all_go_back(project: Path):
    file = local(project, json.dumps(MIXED))
    install(project, adopt=True, starter=STARTER)
    value = json.loads(file.read_text(encoding="utf-8"))
    value["hooks"]["Notification"].insert(0, {"hooks": [OTHER]})
    file.write_text(json.dumps(value), encoding="utf-8")
    install(project, adopt=True, starter=STARTER)
    assert len(load_file(project / "interlock.yaml").externals) == 4
    uninstall(project)
    hooks = json.loads(file.read_text(encoding="utf-8"))["hooks"]
    assert hooks["Notification"] == [{"hooks": [OTHER]}]
    assert hooks["Stop"] == MIXED["hooks"]["Stop"]
    assert (project / "interlock.yaml").read_text(encoding="utf-8") == STARTER


def test_a_policy_that_was_trusted_stays_so_since_a_person_agreed_to_the_change(project: Path):
    policy = project / "interlock.yaml"
    policy.write_text(STARTER, encoding="utf-8")
    file = local(project, json.dumps(MIXED))
    with pytest.raises(InterlockError, match="would not run, since it is not trusted"):
        plan_install(project, adopt=True)
    assert plan_install(project).changes, "what is not adopted needs no trust"
    Trust().add(policy)
    install(project, adopt=True)
    assert Trust().holds(policy)
    uninstall(project)
    assert Trust().holds(policy)
    assert json.loads(file.read_text(encoding="utf-8")) == MIXED


def test_a_policy_that_is_new_is_trusted_as_it_was_shown_or_nobody_would_run_its_hooks(project: Path):
    local(project, json.dumps(MIXED))
    install(project, adopt=True, starter=STARTER)
    assert Trust().holds(project / "interlock.yaml")


def test_a_policy_that_is_started_is_trusted_and_one_that_was_there_is_not(project: Path):
    install(project, adopt=True, starter=STARTER)
    assert Trust().holds(project / "interlock.yaml")
    plan_uninstall(project)
    (project / "interlock.yaml").write_text("version: 1\n", encoding="utf-8")
    install(project, starter=STARTER)
    assert not Trust().holds(project / "interlock.yaml")
    install(project, starter=STARTER, start_over=True)
    assert Trust().holds(project / "interlock.yaml")


def test_a_policy_that_is_started_where_no_layer_reads_it_is_not_trusted(project: Path):
    install(project, policy=project / "team.yaml", starter=STARTER)
    assert not Trust().holds(project / "team.yaml")


def test_a_policy_that_changes_while_it_is_written_is_not_trusted(project: Path, monkeypatch: pytest.MonkeyPatch):
    def tamper(changes: list[FileChange], folder: Any) -> list[Path]:
        kept = apply_changes(changes, folder)
        with (project / "interlock.yaml").open("a", encoding="utf-8") as file:
            file.write("rules: [{id: all, allow: true}]\n")
        return kept

    monkeypatch.setattr(installer, "apply_changes", tamper)
    install(project, starter=STARTER)
    assert not Trust().holds(project / "interlock.yaml")


def test_what_else_changed_meanwhile_is_not_trusted_with_it(project: Path):
    policy, pack = project / "interlock.yaml", project / "pack.yaml"
    pack.write_text("version: 1\n", encoding="utf-8")
    policy.write_text("version: 1\npacks: [./pack.yaml]\n", encoding="utf-8")
    Trust().add(policy)
    local(project, json.dumps(MIXED))
    plan = plan_install(project, adopt=True)
    pack.write_text("version: 1\nlet: {x: 1}\n", encoding="utf-8")
    apply(plan)
    assert not Trust().holds(policy)


def test_a_policy_that_somebody_changes_at_that_moment_is_not_trusted(project: Path, monkeypatch: pytest.MonkeyPatch):
    local(project, json.dumps(MIXED))
    policy = project / "interlock.yaml"

    def meddled(changes: list[FileChange], folder: Any) -> list[Path]:
        kept = apply_changes(changes, folder)
        policy.write_text(policy.read_text(encoding="utf-8") + "# and more\n", encoding="utf-8")
        return kept

    monkeypatch.setattr(installer, "apply_changes", meddled)
    install(project, adopt=True, starter=STARTER)
    assert not Trust().holds(policy)


def test_a_policy_that_need_not_change_may_be_a_link(project: Path, tmp_path: Path):
    (tmp_path / "shared.yaml").write_text(STARTER, encoding="utf-8")
    (project / "interlock.yaml").symlink_to(tmp_path / "shared.yaml")
    install(project, starter=STARTER)
    local(project, json.dumps(MIXED))
    Trust().add(project / "interlock.yaml")
    with pytest.raises(InterlockError, match="is a symbolic link"):
        plan_install(project, adopt=True, starter=STARTER)


def test_entries_in_several_files_are_named(project: Path):
    install(project)
    plan = plan_install(project, scope="project")
    files = f"{project}/.claude/settings.json, {project}/.claude/settings.local.json"
    assert plan.notices == (f"Interlock's entries are in several files, though one is enough: {files}",)


def test_hooks_of_a_person_go_into_that_persons_policy(project: Path, nobodys_home: Path):
    file = settings_file("user", project)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(MIXED), encoding="utf-8")
    install(project, scope="user", adopt=True)
    policy = nobodys_home / ".config" / "interlock" / "policy.yaml"
    assert policy.read_text(encoding="utf-8") == "version: 1\n" + HOOKS
    assert not (project / "interlock.yaml").exists()


def test_a_policy_that_cannot_take_them_keeps_them_in_the_settings(project: Path):
    text = json.dumps(MIXED)
    file = local(project, text)
    (project / "interlock.yaml").write_text("{version: 1}", encoding="utf-8")
    Trust().add(project / "interlock.yaml")
    with pytest.raises(InterlockError, match="cannot be added to"):
        plan_install(project, adopt=True)
    assert file.read_text(encoding="utf-8") == text


def test_a_policy_that_is_gone_is_said(project: Path):
    local(project, json.dumps(MIXED))
    install(project, adopt=True, starter=STARTER)
    (project / "interlock.yaml").unlink()
    plan = uninstall(project)
    assert plan.notices == (f"{project / 'interlock.yaml'} is gone, and with it the adopted hooks",)
    assert not (project / "interlock.yaml").exists()


def test_without_adopting_others_stay_and_are_named(project: Path):
    file = local(project, json.dumps(MIXED))
    plan = install(project)
    assert [str(hook) for hook in plan.afterwards.beside][:2] == [
        f"PreToolUse (Bash): /bin/other [{file}]",
        f"PreToolUse (Bash): a prompt hook [{file}]",
    ]
