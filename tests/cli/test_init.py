"""`interlock init`: a policy that holds from the first minute, and our entries in the host's settings."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from interlock.cli import agreement, main
from interlock.cli.init import STARTER
from interlock.cli.screen import RACING
from interlock.config import places as config
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.settings_state import settings_state
from interlock.replay.sources import own_folder
from tests.lint.project import Project
from tests.replay.transcripts import Transcript

NEXT = "Every call is judged from the next session on. To see it work: interlock doctor\n"
TRUST = "Your policy can only deny and ask until you trust it. Next: interlock trust\n"
NO_HOST = "Claude Code was not found; the entries wait until it is installed"
HEAD = "Interlock will judge every call of Claude Code in shop:\n"
POLICY = "interlock.yaml: pack `guarded`, disasters are denied, risky calls are asked about\n"
BACKUPS = "~/.local/state/interlock/backups"
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


def test_the_last_line_says_what_the_policy_would_have_done_with_the_last_calls(project: Project):
    session = Transcript(own_folder(project.root) / "s.jsonl", cwd=str(project.root))
    for command in ("ls", "git push -f origin main", "git stash drop", "npm test"):
        session.bash(command)
    code, text = project.said("init", "--yes")
    assert (code, text.splitlines()[-1]) == (
        0,
        "Of your last 4 calls in this project, `guarded` would have asked about 1 and denied 1: interlock replay",
    )


def test_a_project_is_guarded_and_one_next_step_named(project: Project):
    assert project.said("init", "--yes") == (
        0,
        HEAD
        + f"  new      {POLICY}"
        + f"  new      {SETTINGS}: 30 entries for Claude Code\n"
        + f"  client   {NO_HOST}\n"
        + f"wrote interlock.yaml and trusted it\nwrote {SETTINGS}\n{NEXT}",
    )
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == STARTER
    assert settings_state(project.root).missing == ()


def test_every_line_that_changes_is_shown_on_request(project: Project):
    code, text = project.said("init", "--show-diff", "--dry-run")
    assert code == 0
    assert text.startswith("--- (no file)\n+++ interlock.yaml\n@@ -0,0 +1,15 @@\n+# What agents may do")
    assert f"\n+++ {SETTINGS}\n" in text
    assert without_diff(text).startswith(f"note: {NO_HOST}\n{HEAD}")


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
    assert (code, text) == (0, "everything is in place\n")


def test_without_a_terminal_and_without_a_yes_the_change_is_shown_and_nothing_written(project: Project):
    result = project.run("init")
    assert (result.exit_code, result.stderr) == (1, ASK)
    assert f"  new      {SETTINGS}: 30 entries for Claude Code\n" in result.stdout
    assert list(project.root.iterdir()) == []


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("YES\n", 0), ("n\n", 1), ("\n", 1), ("x\n", 1), ("", 1)])
def test_a_person_is_asked(project: Project, monkeypatch: pytest.MonkeyPatch, answer: str, code: int):
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    result = project.run("init", stdin=answer)
    assert result.exit_code == code
    assert result.stderr.startswith("Write this? [y/N, d shows every line]: ")
    assert settings(project).exists() is (code == 0)
    assert ("error: nothing was written\n" in result.stderr or "Aborted!" in result.stderr) is (code == 1)


def test_a_person_may_look_at_every_line_and_is_asked_again(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    result = project.run("init", stdin="d\ny\n")
    assert (result.exit_code, result.stderr.count("Write this?")) == (0, 2)
    assert result.output.index(HEAD.split(maxsplit=1)[0]) < result.output.index(f"+++ {settings(project)}\n")
    assert settings(project).exists()


def test_at_most_eight_lines_are_read_before_the_question_however_much_there_is_to_say(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(agreement, "at_terminal", lambda: True)
    hooks = [{"type": "prompt", "prompt": "ok?"}, *({"type": "command", "command": f"/bin/x{n}"} for n in range(9))]
    put(project, {"hooks": {"Stop": [{"hooks": hooks}], "Setup": [{"hooks": hooks}]}})
    plugins = {"enabledPlugins": {f"p{n}": True for n in range(9)}}
    project.write(json.dumps(plugins), ".claude/settings.json")
    project.write("{", "../home/.claude/settings.json")
    project.run("init", "--scope", "project", "--yes")
    result = project.run("init", "--adopt", stdin="n\n")
    lines = result.stdout.splitlines()
    assert len(lines) == 8
    left = re.fullmatch(r"  more     (\d+) more notes: answer `d` to read them", lines[-1])
    assert left
    told = project.run("init", "--adopt", "--dry-run").stdout
    assert len(told.splitlines()) == 7 + int(left[1]), "where nobody is asked, all of it is said"


def test_a_dry_run_shows_all_and_writes_nothing(project: Project):
    code, text = project.said("init", "--dry-run")
    assert code == 0
    assert text.endswith(f"  client   {NO_HOST}\n")
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
        "client": NO_HOST,
        "notices": [],
        "written": True,
        "others": {"hosts": [], "changes": [], "diff": "", "notices": [], "steps": []},
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
    assert "  note     everyone who works here needs `interlock` on their PATH, or every call is denied\n" in text
    written = (project.root / ".claude" / "settings.json").read_text(encoding="utf-8")
    assert '"command": "interlock", "args": ["client", "Stop", "${CLAUDE_PROJECT_DIR}"]' in written
    for place in (project.home, project.root, places.python(), places.client_file()):
        assert str(place) not in written


def test_the_client_that_will_use_the_entries_is_named(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho '2.1.197 (Claude Code)'\n", encoding="utf-8")
    program.chmod(0o755)
    assert (
        f"  client   Claude Code ({program})\n"
        in project.said("init", "--dry-run", "--transport", "spawn", "--client", program)[1]
    )
    assert (
        f"  client   Claude Code 2.1.197 ({program}); each" in project.said("init", "--dry-run", "--client", program)[1]
    )
    monkeypatch.setenv("PATH", str(program.parent))
    assert f"  client   Claude Code 2.1.197 ({program}); each" in project.said("init", "--dry-run")[1]


def test_a_client_that_is_not_there_is_an_error(project: Project):
    assert project.said("init", "--client", "/nowhere/claude", "--yes") == (
        1,
        "error: there is no program `/nowhere/claude`\nhelp: give the path of Claude Code, or leave out --client\n",
    )
    assert not settings(project).exists()


def test_settings_that_git_does_not_ignore_are_named(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/usr/local/bin:/usr/bin:/bin")
    subprocess.run(["git", "init", "-q", str(project.root)], check=True, env={"HOME": str(project.home)})
    note = f"  note     git does not ignore {SETTINGS}, which contains paths of this machine\n"
    assert note in project.said("init", "--dry-run")[1]
    (project.root / ".gitignore").write_text("settings.local.json\n", encoding="utf-8")
    assert note not in project.said("init", "--dry-run")[1]


def test_hooks_that_race_with_ours_are_named(project: Project):
    put(project, {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}})
    code, text = project.said("init", "--yes")
    assert code == 0
    assert "  beside   1 other hook (--adopt moves hooks into the policy): PreToolUse (Bash): x\n" in text
    assert (
        f"{RACING}\n  PreToolUse (Bash): x [{SETTINGS}]\n"
        in project.said("init", "--force", "--show-diff", "--dry-run")[1]
    )


def test_hooks_are_adopted_and_the_rest_is_named(project: Project):
    hooks = [{"type": "command", "command": "/bin/x"}, {"type": "prompt", "prompt": "ok?"}]
    put(project, {"hooks": {"Stop": [{"hooks": hooks}]}})
    code, text = project.said("init", "--adopt", "--yes")
    assert code == 0
    assert text == (
        HEAD
        + f"  new      {POLICY}"
        + f"  changed  {SETTINGS}: 30 entries; the rest stays as it is\n"
        + "  moved    1 hook into the policy, where they run in order: Stop: /bin/x\n"
        + f"  stays    Stop: a prompt hook stays in {SETTINGS}: it is of the type `prompt`\n"
        + "  beside   1 other hook: Stop: a prompt hook\n"
        + f"  client   {NO_HOST}\n"
        + f"wrote interlock.yaml and trusted it\nwrote {SETTINGS}\nkept the previous version under {BACKUPS}\n"
        + NEXT
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
    assert (
        "  stays    Stop: /bin/x stays in .claude/settings.json: the file is shared, and whoever has not trusted the "
        "policy would be left without it\n"
    ) in said
    assert json.loads(file.read_text(encoding="utf-8"))["hooks"]["Stop"][0] == json.loads(text)["hooks"]["Stop"][0]
    assert (project.root / "interlock.yaml").read_text(encoding="utf-8") == STARTER


def test_hooks_that_stay_for_the_same_reason_are_one_line(project: Project):
    hooks = [{"type": "command", "command": f"/bin/x{n}"} for n in range(3)]
    (project.home / ".claude").mkdir()
    (project.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": hooks}]}}))
    text = project.said("init", "--adopt", "--yes")[1]
    assert (
        "  stays    3 hooks stay in ~/.claude/settings.json: for all your projects; `interlock init --scope user "
        "--adopt` moves hooks from there\n"
    ) in text


def test_hooks_in_every_other_file_are_found_and_the_reason_given_why_they_stay(project: Project):
    def hook(name: str) -> dict[str, object]:
        return {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": f"/bin/{name}"}]}]}}

    put(project, hook("mine"))
    project.write(json.dumps(hook("ours")), ".claude/settings.json")
    places.MANAGED.parent.mkdir()
    places.MANAGED.write_text(json.dumps(hook("theirs")), encoding="utf-8")
    plugin = project.home / ".claude" / "plugins" / "fmt"
    (plugin / "hooks").mkdir(parents=True)
    (plugin / "hooks" / "hooks.json").write_text(json.dumps(hook("plugged")), encoding="utf-8")
    (plugin.parent / "installed_plugins.json").write_text(
        json.dumps({"plugins": {"fmt@market": [{"installPath": str(plugin)}], "off@market": [{"installPath": "/"}]}}),
        encoding="utf-8",
    )
    enabled = {"enabledPlugins": {"fmt@market": True, "off@market": False}}
    (project.home / ".claude" / "settings.json").write_text(json.dumps({**hook("always"), **enabled}), encoding="utf-8")
    found = project.data("init", "--adopt", "--dry-run")
    assert found["adopted"] == ["Stop: /bin/mine"]
    assert [project.short(line) for line in found["stays"]] == [
        f"Stop: /bin/theirs stays in {places.MANAGED}: for everyone on this machine; `interlock init --scope managed "
        "--adopt` moves hooks from there",
        "Stop: /bin/ours stays in .claude/settings.json: the file is shared, and whoever has not trusted the policy "
        "would be left without it",
        "Stop: /bin/always stays in ~/.claude/settings.json: for all your projects; `interlock init --scope user "
        "--adopt` moves hooks from there",
        "Stop: /bin/plugged stays in ~/.claude/plugins/fmt/hooks/hooks.json: part of the plugin `fmt@market`; switch "
        "the plugin off if you do not want it",
    ]
    found = project.data("init", "--adopt", "--scope", "user", "--dry-run")
    assert found["adopted"] == ["Stop: /bin/always"]
    assert project.short(found["stays"][1]) == (
        f"Stop: /bin/mine stays in {SETTINGS}: for this project alone; `interlock init --adopt` moves hooks from there"
    )


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
        f"error: Claude Code ignores `{SETTINGS}`: not valid JSON: there is a comma before the closing `}}`\n"
        f' --> {SETTINGS}:1:8\n  |\n1 | {{"a": 1,}}\n  |        ^\n'
        "help: remove that comma; until then, Claude Code reads none of its settings\n",
    )
    assert file.read_text(encoding="utf-8") == '{"a": 1,}'
    assert not (project.root / "interlock.yaml").exists()


def test_what_a_strangers_file_holds_cannot_steer_the_terminal(project: Project):
    put(project, {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x\u001b[2J"}]}]}})
    text = project.said("init", "--dry-run")[1]
    assert "\u001b[2J" not in text
    assert "Stop: x\\x1b[2J\n" in text


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
        (("git push -f origin main",), "deny"),
        (("npm test",), None),
    ],
)
def test_what_is_written_decides_as_its_comments_say(
    project: Project, arguments: tuple[str, ...], decision: str | None
):
    project.run("init", "--yes")
    assert project.data("explain", *arguments)["decision"] == decision


def test_a_policy_that_the_command_wrote_itself_is_trusted_as_it_was_written(project: Project):
    project.run("init", "--yes")
    assert project.data("check")["layers"][0]["trusted"] is True
    policy = project.root / "interlock.yaml"
    policy.write_text(STARTER + "  - {id: all, allow: true}\n", encoding="utf-8")
    assert project.data("check")["layers"][0]["trusted"] is False


def test_a_policy_that_was_there_is_not_trusted_by_init(project: Project):
    project.write("version: 1\nrules: [{id: all, allow: true}]\n")
    code, text = project.said("init", "--yes")
    assert (code, text.endswith(f"wrote {SETTINGS}\n{TRUST}")) == (0, True)
    assert "  policy   interlock.yaml stays as it is\n" in text
    assert project.data("check")["layers"][0]["trusted"] is False


def test_a_ready_policy_is_not_laid_over_one_that_is_there(project: Project):
    text = "version: 1\npacks: [guarded]\n"
    file = project.write(text)
    assert project.said("init", "--start", "strict", "--yes") == (
        1,
        "error: `interlock.yaml` is there already, so `--start strict` changes nothing\n"
        " --> interlock.yaml:2\n"
        "help: change that line to `packs: [strict]`, or start a new policy with --force\n",
    )
    assert file.read_text(encoding="utf-8") == text
    assert not settings(project).exists()
    assert project.run("init", "--start", "guarded", "--yes").exit_code == 0, "that is the one it uses"
    file.write_text("version: 1\n", encoding="utf-8")
    code, said = project.said("init", "--start", "autonomous", "--yes")
    assert (code, said.splitlines()[-1]) == (
        1,
        "help: add the line `packs: [autonomous]`, or start a new policy with --force",
    )
    assert project.run("init", "--start", "strict", "--force", "--yes").exit_code == 0
    assert "packs: [strict]" in file.read_text(encoding="utf-8")


def test_help_says_what_it_does_and_shows_how():
    text = CliRunner().invoke(main, ["init", "--help"]).stdout
    for part in ("--scope", "--adopt", "--yes", "--dry-run", "--json", "--policy", "--force", "interlock init --adopt"):
        assert part in text
