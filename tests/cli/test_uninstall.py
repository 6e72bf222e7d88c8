"""`interlock uninstall`: what `init` put in is taken out, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import agreement, main
from interlock.cli.init import STARTER
from interlock.config import places as config
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.settings_state import settings_state
from tests.cli.test_init import BACKUPS, SETTINGS, without_diff
from tests.lint.project import Project

HEAD = "Interlock will no longer be asked:\n"
GONE = "Interlock is no longer asked. Sessions that are running may need a restart.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "managed-settings.json")
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    return Project(tmp_path, monkeypatch)


def test_the_settings_are_as_they_were_and_the_policy_stays(project: Project):
    file = project.write('{\n  "model": "x"\n}\n', ".claude/settings.local.json")
    project.run("init", "--yes")
    code, text = project.said("uninstall", "--yes")
    changed = f"  changed  {SETTINGS}: without 30 entries; the rest stays as it is\n"
    assert (code, text) == (0, f"{HEAD}{changed}wrote {SETTINGS}\nkept the previous version under {BACKUPS}\n{GONE}")
    assert file.read_text(encoding="utf-8") == '{\n  "model": "x"\n}\n'
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == STARTER


def test_a_file_and_a_folder_that_we_made_are_removed(project: Project):
    project.run("init", "--yes")
    code, text = project.said("uninstall", "--yes")
    file = project.root / ".claude" / "settings.local.json"
    assert code == 0
    assert f"\nremoved {SETTINGS}\n" in text
    assert not file.parent.exists()


def test_where_nothing_is_nothing_is_done(project: Project):
    assert project.said("uninstall") == (0, "Interlock has no entries here\n")
    others = {"hosts": [], "changes": [], "diff": "", "notices": []}
    assert project.data("uninstall") == {"plans": [], "others": others, "left": [], "written": True}


def test_entries_that_stand_elsewhere_are_named(project: Project):
    project.run("init", "--scope", "user", "--yes")
    elsewhere = "~/.claude/settings.json has entries of Interlock; `interlock uninstall --scope user` removes them\n"
    assert project.said("uninstall", "--yes") == (0, f"Interlock has no entries here\n{elsewhere}")
    assert project.said("uninstall", "--scope", "managed") == (0, f"Interlock has no entries here\n{elsewhere}")
    assert project.run("uninstall", "--scope", "user", "--yes").exit_code == 0
    assert project.said("uninstall") == (0, "Interlock has no entries here\n")


def test_adopted_hooks_are_put_back(project: Project):
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/bin/x"}]}]}})
    file = project.write(text, ".claude/settings.local.json")
    project.run("init", "--adopt", "--yes")
    code, shown = project.said("uninstall", "--yes")
    assert code == 0
    assert shown.startswith(
        f"{HEAD}  changed  {SETTINGS}: without 30 entries; the rest stays as it is\n"
        "  changed  interlock.yaml: without the hooks that were adopted\n"
        f"  put back 1 hook, into the settings: Stop: /bin/x\nwrote {SETTINGS}\nwrote interlock.yaml\n"
    )
    assert file.read_text(encoding="utf-8") == text
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == STARTER


def test_without_a_terminal_and_without_a_yes_nothing_is_written(project: Project):
    project.run("init", "--yes")
    result = project.run("uninstall")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: nothing was written: there is no terminal to ask at\nhelp: look at the change and add --yes\n"
    )
    assert settings_state(project.root).missing == ()
    result = project.run("uninstall", "--json")
    assert (result.exit_code, json.loads(result.stdout)["written"]) == (1, False)
    assert project.run("uninstall", "--dry-run").exit_code == 0
    assert settings_state(project.root).missing == ()


def test_a_person_is_asked(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.run("init", "--yes")
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    assert project.run("uninstall", stdin="n\n").exit_code == 1
    assert settings_state(project.root).missing == ()
    assert project.run("uninstall", stdin="y\n").exit_code == 0
    assert settings_state(project.root).running == {}


def test_only_the_scope_that_was_named_is_left(project: Project):
    for scope in ("local", "user", "project"):
        project.run("init", "--scope", scope, "--yes")
    project.run("uninstall", "--scope", "local", "--yes")
    files = {path for paths in settings_state(project.root).running.values() for path in paths}
    assert files == {str(project.root / ".claude/settings.json"), str(project.home / ".claude/settings.json")}
    project.run("uninstall", "--yes")
    files = {path for paths in settings_state(project.root).running.values() for path in paths}
    assert files == {str(project.home / ".claude/settings.json")}, "without a scope, those of this project"
    found = project.data("uninstall", "--all", "--yes")
    assert ([plan["scope"] for plan in found["plans"]], found["written"]) == (["user"], True)
    assert settings_state(project.root).running == {}


def test_a_user_policy_that_stays_is_named_with_what_ends_it(project: Project):
    project.run("init", "--scope", "user", "--yes")
    policy = project.home / ".config" / "interlock" / "policy.yaml"
    _, text = project.said("uninstall", "--scope", "user", "--yes")
    assert (
        "  note     ~/.config/interlock/policy.yaml stays in force in projects that have their own entries; "
        "to end that, remove it and run `interlock trust --forget --user`\n"
    ) in text
    assert policy.is_file()


def test_a_user_policy_that_is_gone_is_dropped_with_its_entries(project: Project):
    project.run("init", "--scope", "user", "--yes")
    policy = project.home / ".config" / "interlock" / "policy.yaml"
    policy.write_text("version: 1\nrules: [{id: no-rm, command: rm, deny: No rm.}]\n", encoding="utf-8")
    assert project.hook(project.call("Bash", "rm x")).returncode == 2
    policy.unlink()
    assert project.hook(project.call("Bash", "rm x", "c2")).returncode == 2
    note = "~/.config/interlock/policy.yaml is gone; its last good version, which is still in force, is dropped too"
    assert f"  note     {note}\n" in project.said("uninstall", "--scope", "user", "--dry-run")[1]
    assert project.hook(project.call("Bash", "rm x", "c3")).returncode == 2
    assert f"  note     {note}\n" in project.said("uninstall", "--scope", "user", "--yes")[1]
    assert project.hook(project.call("Bash", "rm x", "c4")).returncode == 0


def test_where_only_the_kept_version_of_a_policy_is_left_its_command_is_named(project: Project):
    project.run("init", "--scope", "user", "--yes")
    policy = project.home / ".config" / "interlock" / "policy.yaml"
    project.hook(project.call("Bash", "ls"))
    project.run("uninstall", "--scope", "user", "--yes")
    policy.unlink()
    gone = "~/.config/interlock/policy.yaml is gone, and its last good version is still in force; "
    command = "`interlock trust --forget --user` drops it"
    assert project.said("uninstall", "--scope", "user") == (0, f"Interlock has no entries here\n{gone}{command}\n")
    assert project.run("trust", "--forget", "--user", "--yes").exit_code == 0
    assert project.said("uninstall", "--scope", "user") == (0, "Interlock has no entries here\n")


def test_every_line_that_changes_is_shown_on_request(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.run("init", "--yes")
    text = project.said("uninstall", "--show-diff", "--dry-run")[1]
    assert text.startswith(f"--- {SETTINGS}\n+++ (no file)\n@@ -1,35 +0,0 @@\n-{{\n")
    assert without_diff(text) == f"{HEAD}  removed  {SETTINGS}: nothing is left in it\n"
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    result = project.run("uninstall", stdin="d\nn\n")
    assert (result.exit_code, "+++ (no file)" in result.stdout, result.stderr.count("Write this?")) == (1, True, 2)
    assert settings_state(project.root).missing == ()


# --- everywhere --------------------------------------------------------------------------------------------------


def elsewhere(project: Project, monkeypatch: pytest.MonkeyPatch, name: str) -> Path:
    """Another project that is guarded; gives its settings."""
    folder = project.root.parent / name
    folder.mkdir()
    monkeypatch.chdir(folder)
    project.run("init", "--yes")
    monkeypatch.chdir(project.root)
    return folder / ".claude" / "settings.local.json"


def test_all_takes_the_entries_out_of_every_project_where_they_were_put(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    other = elsewhere(project, monkeypatch, "bank")
    project.run("init", "--yes")
    project.run("init", "--scope", "user", "--yes")
    code, text = project.said("uninstall", "--all", "--yes")
    assert (code, text.endswith(GONE)) == (0, True)
    user = project.home / ".claude" / "settings.json"
    assert [file.exists() for file in (other, user, project.root / SETTINGS)] == [False, False, False]
    assert project.said("uninstall", "--all") == (0, "Interlock has no entries here\n")


def test_all_does_what_it_can_and_reports_the_rest(project: Project, monkeypatch: pytest.MonkeyPatch):
    broken = elsewhere(project, monkeypatch, "bank")
    broken.write_text("{", encoding="utf-8")
    locked = elsewhere(project, monkeypatch, "club")
    locked.chmod(0o444)
    gone = elsewhere(project, monkeypatch, "dojo")
    shutil.rmtree(gone.parent.parent)
    project.run("init", "--yes")
    why = (
        f"`{locked}` is read-only; it is left as it is",
        f"cannot edit `{broken}`: not valid JSON: it ends too early [{broken}:1:2]",
    )
    shown = project.run("uninstall", "--all", "--dry-run").stdout
    assert all(f"  left     {one}\n" in shown for one in why)
    result = project.run("uninstall", "--all", "--yes")
    assert result.exit_code == 1
    assert all(one in result.stderr for one in ("error: entries of Interlock are left: ", *why))
    assert (project.root / SETTINGS).exists() is False
    found = project.run("uninstall", "--all", "--json")
    assert (found.exit_code, sorted(json.loads(found.stdout)["left"])) == (1, sorted(why))


def test_all_is_not_bothered_by_a_broken_file_in_which_nothing_was_ever_put(project: Project):
    project.run("init", "--yes")
    project.write("{ // ours\n}", ".claude/settings.json")
    assert project.said("uninstall", "--all", "--yes")[0] == 0
    project.write('{ // theirs\n "hooks": {"Stop": [{"command": "interlock"}]}}', ".claude/settings.json")
    assert project.said("uninstall", "--all", "--yes")[0] == 1


def test_all_says_that_entries_of_another_installation_are_left(project: Project):
    project.run("init", "--yes")
    file = project.root / SETTINGS
    text = file.read_text(encoding="utf-8").replace(str(places.python()), "/opt/other/bin/python")
    file.write_text(text, encoding="utf-8")
    for manifest in (project.state / "installs").iterdir():
        manifest.unlink()
    result = project.run("uninstall", "--all", "--yes")
    assert (result.exit_code, f"those of another installation in {SETTINGS}" in result.stderr) == (1, True)


def test_a_scope_and_all_exclude_each_other(project: Project):
    code, text = project.said("uninstall", "--all", "--scope", "user")
    assert code == 2
    assert "Error: --scope and --all cannot be used together" in text


def test_help_says_what_it_does_and_shows_how():
    text = CliRunner().invoke(main, ["uninstall", "--help"]).stdout
    for part in ("--scope", "--all", "--yes", "--dry-run", "--json", "interlock uninstall --all --yes"):
        assert part in text
