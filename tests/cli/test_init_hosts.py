"""`init` and `uninstall` for agents other than Claude Code: found, shown, written, and taken out exactly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import agreement, main
from tests.hosts.codex.pretended import put_codex
from tests.lint.project import Project

POLICY = "interlock.yaml: pack `guarded`, disasters are denied, risky calls are asked about\n"
CODEX = "~/.codex/hooks.json: 7 entries for Codex\n"
TRUST = "  trust    Codex is told to trust them, and records that in ~/.codex/config.toml\n"
STEP = (
    "Before these agents ask Interlock, do this:\n"
    "  1. Codex: start `codex` and trust the new hooks in `/hooks`: until then, it skips them and does not say so\n"
)
MINE = b'# mine\nmodel = "x"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    return Project(tmp_path, monkeypatch)


@pytest.fixture
def with_codex(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    (project.home / ".codex").mkdir()
    (project.home / ".codex" / "config.toml").write_bytes(MINE)
    monkeypatch.setenv("PATH", str(put_codex(tmp_path / "bin", project.home)))
    return project


def files_of(home: Path) -> dict[str, bytes]:
    return {str(file.relative_to(home)): file.read_bytes() for file in sorted(home.rglob(".codex/*"))}


def test_an_agent_is_set_up_trusted_and_taken_out_without_a_trace(with_codex: Project):
    project = with_codex
    before = files_of(project.home)
    assert project.said("init", "--host", "codex", "--yes") == (
        0,
        "Interlock will judge every call of Codex in all your projects:\n"
        f"  new      {POLICY}  new      {CODEX}{TRUST}"
        "wrote interlock.yaml and trusted it\nwrote ~/.codex/hooks.json\nCodex trusts the entries\n"
        "Every call is judged from the next session on. To see it work: interlock doctor --host codex\n",
    )
    assert (project.root / ".claude").exists() is False
    assert project.said("init", "--host", "codex", "--yes") == (0, "everything is in place\n")
    assert project.said("uninstall", "--host", "codex", "--yes") == (
        0,
        "Interlock will no longer be asked:\n"
        "  removed  ~/.codex/hooks.json: it contains nothing else\n"
        "  trust    what Codex recorded about them in ~/.codex/config.toml is removed too\n"
        "removed ~/.codex/hooks.json\nkept the previous version under ~/.local/state/interlock/backups\n"
        "Interlock is no longer asked. Sessions that are running may need a restart.\n",
    )
    assert files_of(project.home) == before
    assert project.said("uninstall", "--host", "codex") == (0, "Interlock has no entries here\n")


def test_trust_that_was_lost_is_offered_again(with_codex: Project):
    with_codex.said("init", "--host", "codex", "--yes")
    (with_codex.home / ".codex" / "config.toml").write_bytes(MINE)
    code, text = with_codex.said("init", "--host", "codex", "--yes")
    assert (code, TRUST in text, "Codex trusts the entries\n" in text) == (0, True, True)


def test_what_codex_notes_goes_by_its_own_program_if_its_file_has_changed_since(with_codex: Project):
    with_codex.said("init", "--host", "codex", "--yes")
    config = with_codex.home / ".codex" / "config.toml"
    config.write_bytes(config.read_bytes() + b"\n[tui]\n")
    assert with_codex.said("uninstall", "--host", "codex", "--yes")[0] == 0
    assert b"hooks.json" not in config.read_bytes()
    assert b"[tui]" in config.read_bytes()


def test_without_its_program_the_step_is_left_to_a_person(project: Project):
    code, text = project.said("init", "--host", "codex", "--yes")
    then = "After that, every call is judged from the next session on. To see it work: interlock doctor --host codex\n"
    assert (code, text.endswith(f"wrote ~/.codex/hooks.json\n{STEP}{then}"), "trust  " in text) == (0, True, False)


def test_nobody_is_set_up_unasked_but_told_of(with_codex: Project):
    code, text = with_codex.said("init", "--yes")
    assert (code, "  note     Codex can be guarded too: interlock init --host codex\n" in text) == (0, True)
    assert not (with_codex.home / ".codex" / "hooks.json").exists()
    found = with_codex.data("init", "--yes")
    assert found["others"]["notices"] == ["Codex can be guarded too: interlock init --host codex"]


def test_at_a_terminal_one_yes_sets_up_what_is_found(with_codex: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    monkeypatch.setattr("interlock.cli.init.at_terminal", lambda: True)
    result = CliRunner().invoke(main, ["init"], input="y\n")
    assert (result.exit_code, result.stderr) == (0, "Write this? [y/N, d shows every line]: y\n")
    assert with_codex.short(result.stdout) == (
        "Interlock will judge every call of Claude Code in shop:\n"
        f"  new      {POLICY}"
        "  new      .claude/settings.local.json: 30 entries for Claude Code\n"
        "  client   Claude Code was not found; the entries wait until it is installed\n"
        "And every call of Codex in all your projects:\n"
        f"  new      {CODEX}{TRUST}"
        "wrote interlock.yaml and trusted it\nwrote .claude/settings.local.json\n"
        "wrote ~/.codex/hooks.json\nCodex trusts the entries\n"
        "Every call is judged from the next session on. To see it work: interlock doctor\n"
    )
    assert with_codex.said("uninstall", "--yes")[1].endswith("may need a restart.\n")
    assert with_codex.said("uninstall") == (
        0,
        "Interlock has no entries here\nCodex still asks Interlock; `interlock uninstall --host codex` ends that\n",
    )


def test_an_agent_that_was_only_found_and_cannot_be_edited_is_left_out(with_codex: Project, monkeypatch):
    (with_codex.home / ".codex" / "hooks.json").write_text("{} // mine")
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    monkeypatch.setattr("interlock.cli.init.at_terminal", lambda: True)
    result = CliRunner().invoke(main, ["init"], input="n\n")
    said = "  note     Codex is left out: cannot edit `~/.codex/hooks.json`: it contains a comment"
    assert said in with_codex.short(result.stdout)
    code, text = with_codex.said("init", "--host", "codex", "--yes")
    assert (code, text) == (
        1,
        "error: cannot edit `~/.codex/hooks.json`: it contains a comment, which JSON does not allow\n"
        " --> ~/.codex/hooks.json:1:4\n  |\n1 | {} // mine\n  |    ^\n"
        "help: remove the comment, then run this again; the file is left as it is\n",
    )


def test_all_takes_out_every_agent_everywhere(with_codex: Project):
    before = files_of(with_codex.home)
    with_codex.said("init", "--host", "all", "--yes")
    with_codex.said("init", "--host", "codex", "--scope", "project", "--yes")
    assert (with_codex.root / ".codex" / "hooks.json").is_file()
    assert with_codex.said("uninstall", "--all", "--yes")[0] == 0
    assert files_of(with_codex.home) == before
    assert [path.name for path in with_codex.root.iterdir()] == ["interlock.yaml"]


def test_a_file_of_the_project_that_git_would_commit_is_named(project: Project, monkeypatch: pytest.MonkeyPatch):
    (project.root / ".git").mkdir()
    monkeypatch.setattr("interlock.cli.host_setup.is_ignored", lambda root, file: False)
    text = project.said("init", "--host", "codex", "--scope", "local", "--dry-run")[1]
    told = "git does not ignore .codex/hooks.json, which contains paths of this machine: do not commit it"
    assert f"  note     {told}\n" in text


@pytest.mark.parametrize("command", ["init", "uninstall"])
def test_an_agent_that_does_not_exist_is_refused(project: Project, command: str):
    code, text = project.said(command, "--host", "codx", "--yes")
    assert (code, text.startswith("error: unknown agent `codx`; expected `claude-code`, "), "`codex`" in text) == (
        1,
        True,
        True,
    )


@pytest.mark.parametrize("command", ["init --yes", "uninstall --yes", "doctor", "check"])
@pytest.mark.parametrize("named", ["", " , "])
def test_a_variable_without_a_value_is_no_agent_and_not_a_success(project: Project, command: str, named: str):
    said = "error: --host names no agent\nhelp: name one, or `all`\n"
    assert project.said(*command.split(), "--host", named) == (1, said)
    assert not (project.root / "interlock.yaml").exists()


def test_programs_are_told_what_is_written_and_what_is_left_to_do(project: Project):
    found = project.data("init", "--host", "codex", "--yes")
    assert found["others"].pop("diff").startswith("--- (no file)\n")
    file = str(project.home / ".codex" / "hooks.json")
    step = "start `codex` and trust the new hooks in `/hooks`: until then, it skips them and does not say so"
    assert found == {
        "policy": [str(project.root / "interlock.yaml")],
        "others": {
            "hosts": [{"host": "codex", "scope": "user", "files": [file], "steps": [step]}],
            "changes": [file],
            "notices": [],
            "steps": [f"Codex: {step}"],
        },
        "written": True,
    }
    assert json.loads(Path(file).read_bytes())["hooks"].keys() == {
        "PreToolUse", "PermissionRequest", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop", "SessionEnd",
    }  # fmt: skip
