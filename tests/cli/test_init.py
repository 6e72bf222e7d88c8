"""`interlock init`: a policy that holds from the first minute, and our entries in the host's settings."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import init as module
from interlock.cli import main
from interlock.cli.init import RACING, STARTER
from interlock.config import places as config
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.settings_state import settings_state
from tests.lint.project import Project

NEXT = "next: interlock check, then interlock trust, then interlock doctor\n"
NO_HOST = (
    "note: Claude Code was not found: no program `claude`, no folder .claude; the entries work once it is installed\n"
)
SETTINGS = ".claude/settings.local.json"
ASK = "error: nothing was written: there is no terminal to ask at\nhelp: look at the change and add --yes\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "managed-settings.json")
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    return Project(tmp_path, monkeypatch)


def settings(project: Project) -> Path:
    return project.root / ".claude" / "settings.local.json"


def put(project: Project, value: object) -> Path:
    file = settings(project)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


def without_diff(text: str) -> str:
    """What is said around the diff."""
    lines = text.splitlines(keepends=True)
    last = max((number for number, line in enumerate(lines) if line[0] in "+-@"), default=-1)
    return "".join(line for line in lines[last + 1 :] if line.strip() != "}")


def test_a_project_is_guarded_and_the_next_steps_named(project: Project):
    code, text = project.said("init", "--yes")
    root = project.root
    assert code == 0
    assert without_diff(text) == f"{NO_HOST}wrote interlock.yaml\nwrote {SETTINGS}\n{NEXT}"
    assert text.startswith("--- (no file)\n+++ interlock.yaml\n@@ -0,0 +1,14 @@\n+# What agents may do")
    assert (root / "interlock.yaml").read_text(encoding="utf-8") == STARTER
    assert settings_state(root).missing == ()


def test_the_root_is_guarded_from_wherever_one_is(project: Project, monkeypatch: pytest.MonkeyPatch):
    (project.root / ".git").mkdir()
    (project.root / "src").mkdir()
    monkeypatch.chdir(project.root / "src")
    assert project.run("init", "--yes").exit_code == 0
    assert settings(project).is_file()
    assert (project.root / "interlock.yaml").is_file()


def test_twice_is_once(project: Project):
    project.run("init", "--yes")
    code, text = project.said("init")
    assert (code, text) == (0, "note: found Claude Code: .claude\neverything is in place\n")


def test_without_a_terminal_and_without_a_yes_the_change_is_shown_and_nothing_written(project: Project):
    result = project.run("init")
    assert (result.exit_code, result.stderr) == (1, ASK)
    assert f"+++ {settings(project)}\n" in result.stdout
    assert list(project.root.iterdir()) == []


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
def test_a_person_is_asked(project: Project, monkeypatch: pytest.MonkeyPatch, answer: str, code: int):
    monkeypatch.setattr(module, "_at_terminal", lambda: True)
    result = project.run("init", stdin=answer)
    assert result.exit_code == code
    assert "Write this? [y/N]: " in result.stdout
    assert settings(project).exists() is (code == 0)
    assert result.stderr == ("error: nothing was written\n" if code else "")


def test_a_dry_run_shows_all_and_writes_nothing(project: Project):
    code, text = project.said("init", "--dry-run")
    assert code == 0
    assert without_diff(text) == NO_HOST
    assert list(project.root.iterdir()) == []


def test_programs_are_told_the_same(project: Project):
    found = project.data("init", "--yes")
    diff = found.pop("diff")
    assert f"+++ {settings(project)}\n" in diff
    assert found == {
        "scope": "local",
        "settings": str(settings(project)),
        "changes": [str(project.root / "interlock.yaml"), str(settings(project))],
        "events": list(WIRED),
        "missing": [],
        "beside": [],
        "adopted": [],
        "stays": [],
        "problems": [],
        "policy": str(project.root / "interlock.yaml"),
        "notices": [NO_HOST.removeprefix("note: ").strip()],
        "written": True,
    }
    result = project.run("init", "--scope", "user", "--json")
    assert (result.exit_code, json.loads(result.stdout)["written"]) == (1, False)
    assert result.stderr == "error: nothing was written\nhelp: look at the change and add --yes\n"
    assert project.data("init", "--scope", "user", "--dry-run")["written"] is False


@pytest.mark.parametrize("scope", ["project", "user", "managed"])
def test_every_scope_has_its_own_file(project: Project, scope: str):
    assert project.run("init", "--scope", scope, "--yes").exit_code == 0
    files = {
        "project": project.root / ".claude" / "settings.json",
        "user": project.home / ".claude" / "settings.json",
        "managed": places.MANAGED,
    }
    assert [name for name, file in files.items() if file.exists()] == [scope]
    policies = {
        "project": project.root / "interlock.yaml",
        "user": project.home / ".config" / "interlock" / "policy.yaml",
        "managed": config.MANAGED,
    }
    assert [name for name, file in policies.items() if file.exists()] == [scope]
    assert settings_state(project.root).missing == ()


def test_a_file_for_everybody_holds_no_path_of_this_machine(project: Project):
    code, text = project.said("init", "--scope", "project", "--yes")
    assert code == 0
    assert "note: everyone who works here needs `interlock` on their PATH, or every call is denied\n" in text
    written = (project.root / ".claude" / "settings.json").read_text(encoding="utf-8")
    assert '"command": "interlock", "args": ["client", "Stop", "${CLAUDE_PROJECT_DIR}"]' in written
    for place in (project.home, project.root, places.python(), places.client_file()):
        assert str(place) not in written


def test_what_was_found_of_the_host_is_said(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    (project.home / ".claude").mkdir()
    text = project.said("init", "--dry-run")[1]
    assert f"note: found Claude Code: the program {program}, ~/.claude\n" in text


def test_settings_that_git_does_not_ignore_are_named(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    subprocess.run(["git", "init", "-q", str(project.root)], check=True, env={"HOME": str(project.home)})
    note = f"note: git does not ignore {SETTINGS}, which contains paths of this machine\n"
    assert note in project.said("init", "--dry-run")[1]
    (project.root / ".gitignore").write_text("settings.local.json\n", encoding="utf-8")
    assert note not in project.said("init", "--dry-run")[1]


def test_hooks_that_race_with_ours_are_named(project: Project):
    put(project, {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}})
    code, text = project.said("init", "--yes")
    assert code == 0
    assert (f"{RACING}\n  PreToolUse (Bash): x [{SETTINGS}]\n") in text


def test_hooks_are_adopted_and_the_rest_is_named(project: Project):
    hooks = [{"type": "command", "command": "/bin/x"}, {"type": "prompt", "prompt": "ok?"}]
    put(project, {"hooks": {"Stop": [{"hooks": hooks}]}})
    code, text = project.said("init", "--adopt", "--yes")
    kept = next((project.state / "backups").rglob("*-settings.local.json")).relative_to(project.home)
    assert code == 0
    assert without_diff(text) == (
        "adopted into the policy:\n"
        "  Stop: /bin/x\n"
        "not adopted:\n"
        f"  Stop: a prompt hook stays in {SETTINGS}: it is of the type `prompt`\n"
        f"{RACING}\n"
        f"  Stop: a prompt hook [{SETTINGS}]\n"
        "note: found Claude Code: .claude\n"
        f"wrote interlock.yaml\nwrote {SETTINGS}\nkept the previous version in ~/{kept}\n"
        "The policy is trusted as it was shown; otherwise the adopted hooks would not run.\n"
        "next: interlock check, then interlock doctor\n"
    )
    policy = (project.root / "interlock.yaml").read_text(encoding="utf-8")
    assert project.data("check")["layers"][0]["trusted"] is True
    assert policy == STARTER + '\nhooks:\n  - {run: "/bin/x", event: Stop, timeout: 500s}\n'


def test_hooks_of_the_shared_file_stay_in_it(project: Project):
    """Teammates who have not run `interlock trust` would otherwise be left without the hooks they had."""
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/bin/x"}]}]}}, indent=2)
    file = project.write(text, ".claude/settings.json")
    code, said = project.said("init", "--adopt", "--scope", "project", "--yes")
    assert code == 0
    assert without_diff(said).startswith(
        "not adopted:\n"
        "  Stop: /bin/x stays in .claude/settings.json: the file is shared, and whoever has not trusted the policy "
        "would be left without it\n"
    )
    assert json.loads(file.read_text(encoding="utf-8"))["hooks"]["Stop"][0] == json.loads(text)["hooks"]["Stop"][0]
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == STARTER
    assert "trusted as it was shown" not in said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "hooks adopted into `interlock.yaml` would not run, since it is not trusted"),
        (("--policy", "team.yaml"), "hooks adopted into `team.yaml` would not run"),
    ],
)
def test_hooks_are_not_moved_where_nobody_would_run_them(project: Project, options: tuple[str, ...], why: str):
    file = put(project, {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/bin/x"}]}]}})
    project.write("version: 1\n")
    before = file.read_bytes()
    code, text = project.said("init", "--adopt", "--yes", *options)
    assert (code, text.splitlines()[0]) == (1, f"error: {why}")
    assert file.read_bytes() == before


def test_settings_that_are_not_json_get_a_clear_error_and_are_left_alone(project: Project):
    file = settings(project)
    file.parent.mkdir()
    file.write_text('{"a": 1,}', encoding="utf-8")
    assert project.said("init", "--yes") == (
        1,
        f'error: Claude Code ignores `{SETTINGS}`: not valid JSON: a key in `"` is missing [{SETTINGS}:1:9]\n'
        "help: correct that first; the file is left as it is\n",
    )
    assert file.read_text(encoding="utf-8") == '{"a": 1,}'
    assert not (project.root / "interlock.yaml").exists()


def test_what_a_strangers_file_holds_cannot_steer_the_terminal(project: Project):
    put(project, {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x\u001b[2J"}]}]}})
    text = project.said("init", "--dry-run")[1]
    assert "\u001b[2J" not in text
    assert "  Stop: x\\x1b[2J [" in text


# --- the policy ----------------------------------------------------------------------------------------------


def test_the_policy_is_written_where_one_says(project: Project):
    (project.root / "team").mkdir()
    found = project.data("init", "--yes", "--policy", "team/policy.yaml")
    assert found["policy"] == "team/policy.yaml"
    assert (project.root / "team" / "policy.yaml").read_text(encoding="utf-8") == STARTER
    assert not (project.root / "interlock.yaml").exists()


def test_a_policy_that_is_there_is_not_overwritten(project: Project):
    file = project.write("version: 1\n# mine\n")
    assert project.run("init", "--yes").exit_code == 0
    assert file.read_text(encoding="utf-8") == "version: 1\n# mine\n"
    assert settings(project).is_file()


def test_force_keeps_what_was_there(project: Project):
    file = project.write("version: 1\n# mine\n")
    assert project.run("init", "--yes", "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == STARTER
    assert (project.root / "interlock.yaml.before").read_text(encoding="utf-8") == "version: 1\n# mine\n"


def test_force_twice_does_not_lose_what_a_person_wrote(project: Project):
    project.write("version: 1\n# mine\n")
    for _ in range(2):
        project.run("init", "--yes", "--force")
    kept = [file.read_text(encoding="utf-8") for file in project.root.glob("interlock.yaml*")]
    assert "version: 1\n# mine\n" in kept


def test_what_is_written_passes_check_with_every_case_and_no_warning(project: Project):
    project.run("init", "--yes")
    found = project.data("check", "--strict")
    assert (found["ok"], found["failed"], found["findings"]) == (True, [], [])
    assert found["layers"][0]["rules"] >= 7
    assert found["cases"] >= 23


@pytest.mark.parametrize(
    ("arguments", "decision"),
    [
        (("--tool", "Write", "dist/app.js"), "deny"),
        (("npm publish",), "ask"),
        (("git push -f",), "deny"),
        (("npm test",), None),
    ],
)
def test_what_is_written_decides_as_its_comments_say(
    project: Project, arguments: tuple[str, ...], decision: str | None
):
    project.run("init", "--yes")
    assert project.data("explain", *arguments)["decision"] == decision


def test_init_trusts_nothing_by_itself(project: Project):
    project.run("init", "--yes")
    assert project.data("check")["layers"][0]["trusted"] is False


def test_help_says_what_it_does_and_shows_how():
    text = CliRunner().invoke(main, ["init", "--help"]).stdout
    for part in ("--scope", "--adopt", "--yes", "--dry-run", "--json", "--policy", "--force", "interlock init --adopt"):
        assert part in text
