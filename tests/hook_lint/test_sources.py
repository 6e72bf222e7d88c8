"""Where hooks are found besides a project's settings: front matter, managed settings, and a person's own files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks
from interlock.hook_lint.usual_places import usual_places

AGENT = """\
---
name: cleaner
description: Use this agent when: something is to be removed 💥
hooks:
  # only what is below `hooks` is read
  PreToolUse:
    - matcher: Bash(rm *)
      hooks:
        - type: command
          command: $CLAUDE_PROJECT_DIR/guard.sh
          timeout: 60000
model: opus
---
hooks: this is text
"""
GUARD = """\
#!/bin/bash
command=$(jq -r '.tool_input.command')
if [[ "$command" == *"rm -rf"* ]]; then
  echo "Blocked: rm -rf" >&2
  exit 1
fi
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return file


def found(*places: Path) -> list[str]:
    """Where each finding is: `file:line:column code`, without those that hold of nearly every guard."""
    listed = [one for one in lint_hooks(gather(places)) if one.code not in ("IL501", "IL503")]
    return [f"{Path(one.source.file).name}:{one.source.line}:{one.source.column} {one.code}" for one in listed]


def skill(*commands: str, event: str = "PreToolUse") -> str:
    entries = "".join(f"    - type: command\n      command: {one}\n" for one in commands)
    return f"---\nname: x\nhooks:\n  {event}:\n  - matcher: Bash\n    hooks:\n{entries}---\n"


def settings(command: str, event: str = "PreToolUse") -> str:
    return json.dumps({"hooks": {event: [{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]}})


# --- front matter ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        ".claude/agents/cleaner.md",
        ".claude/agents/deep/down/cleaner.md",
        ".claude/commands/cleaner.md",
        ".claude/skills/cleaner/SKILL.md",
    ],
)
def test_hooks_in_front_matter_are_found_at_their_places(project: Path, name: str):
    file = write(project, name, AGENT)
    assert found(project) == found(file) == [
        f"{file.name}:7:16 IL408",
        f"{file.name}:10:20 IL402",
        f"{file.name}:10:20 IL405",
        f"{file.name}:11:20 IL502",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["agents/cleaner.md", "commands/cleaner.md", "skills/cleaner/SKILL.md"])
def test_a_plugin_has_them_too_and_another_folder_of_that_name_has_not(project: Path, name: str):
    file = write(project, f"tidy/{name}", AGENT)
    assert found(project) == []
    (project / "tidy/.claude-plugin").mkdir()
    assert [line.partition(" ")[2] for line in found(project)] == ["IL408", "IL405", "IL502"]
    assert found(file) == found(project)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".claude/skills/cleaner/notes.md", AGENT),
        (".claude/agents/cleaner.txt", AGENT),
        (".claude/notes/cleaner.md", AGENT),
        (".claude/agents/cleaner.md", "# No front matter\n" + AGENT),
        (".claude/agents/cleaner.md", AGENT.replace("hooks:\n  #", "webhooks:\n  #")),
        (".claude/agents/cleaner.md", "---\nname: x\n---\nhooks:\n  pre-tool-use: []\n"),
        (".claude/agents/cleaner.md", AGENT.replace("Bash(rm *)", "*shared")),
        (".claude/agents/cleaner.md", AGENT.replace("Bash(rm *)", '"Bash')),
        (".claude/agents/cleaner.md", "---\nhooks: &a {PreToolUse: [*a]}\n---\n"),
        (".claude/agents/cleaner.md", f"---\nhooks: {'[' * 999}{']' * 999}\n---\n"),
        (".claude/agents/cleaner.md", "---\nhooks:\n---\n"),
    ],
)
def test_what_is_no_front_matter_with_hooks_or_cannot_be_understood_is_left_alone(project: Path, name: str, text: str):
    write(project, name, text)
    assert [code for code in found(project) if "IL413" not in code] == []


def test_windows_line_endings_and_a_byte_order_mark_change_no_place(project: Path):
    plain = found(write(project, ".claude/agents/plain.md", AGENT))
    other = found(write(project, ".claude/agents/other.md", "\ufeff" + AGENT.replace("\n", "\r\n")))
    assert other == [line.replace("plain", "other") for line in plain]


def test_a_script_that_front_matter_starts_is_judged_wherever_it_is(project: Path):
    write(project, ".claude/skills/x/scripts/guard.sh", GUARD)
    write(project, "tools/guard.sh", GUARD)
    write(project, ".claude/skills/x/SKILL.md", skill("./scripts/guard.sh", "tools/guard.sh"))
    assert found(project) == ["guard.sh:5:3 IL201", "guard.sh:5:3 IL201"]


def test_a_relative_script_of_a_skill_is_not_called_missing_or_relative(project: Path):
    """The client's own documentation writes them so."""
    write(project, ".claude/skills/x/SKILL.md", skill("./scripts/guard.sh"))
    assert found(project) == []


def test_commands_on_several_lines_are_programs(project: Path):
    lines = "|\n" + "".join(f"          {line}\n" for line in GUARD.splitlines()[1:])
    write(project, ".claude/skills/x/SKILL.md", skill(lines))
    assert [line.partition(" ")[2] for line in found(project)] == ["IL505", "IL201"]


def test_an_agent_ends_as_a_subagent(project: Path):
    answer = json.dumps({"hookSpecificOutput": {"hookEventName": "SubagentStop", "additionalContext": "x"}})
    for kind in ("agents/x.md", "commands/x.md"):
        write(project, f".claude/{kind}", skill(f"|\n        echo '{answer}'", event="Stop"))
    [(kind, line)] = [(Path(one.source.file).parent.name, one.message) for one in lint_hooks(gather([project]))]
    assert (kind, line) == ("commands", "this hook runs on Stop, but its answer names `SubagentStop`, so it is dropped")


def test_a_bad_entry_stops_the_hooks_of_its_file(project: Path):
    file = write(project, ".claude/agents/x.md", "---\nhooks:\n  PreToolUse:\n  - hooks:\n    - command: true\n---\n")
    [one] = lint_hooks(gather([file]))
    assert one.message == "an entry of PreToolUse has no `type`: the client runs no hook of this file"


def test_nothing_is_corrected_in_yaml_but_its_script_is(project: Path):
    write(
        project,
        ".claude/agents/x.md",
        AGENT.replace("$CLAUDE_PROJECT_DIR/guard.sh", "$CLAUDE_PROJECT_DIR/g.sh; exit 1"),
    )
    write(project, ".claude/agents/y.md", AGENT)
    guard = write(project, "guard.sh", GUARD)
    guard.chmod(0o644)
    fixes = {one.code: (one.fix.what, one.fix.file) for one in lint_hooks(gather([project])) if one.fix is not None}
    assert fixes == {"IL201": ("end with exit code 2", str(guard)), "IL401": ("make it executable", str(guard))}


def test_a_comment_in_front_matter_says_that_something_is_meant(project: Path):
    from interlock.cli.lint import _line_of
    from interlock.hook_lint.ignores import without_ignored

    text = AGENT.replace("timeout: 60000", "timeout: 60000  # interlock: ignore[IL502] a build")
    file = write(project, ".claude/agents/x.md", text)
    assert "IL502" not in [one.code for one in without_ignored(lint_hooks(gather([file])), _line_of)]


# --- managed settings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["managed-settings.json", "managed-settings.d/20-hooks.json"])
def test_managed_settings_are_read_and_a_project_is_no_place_of_theirs(tmp_path: Path, name: str):
    guard = write(tmp_path, "opt/guard.sh", GUARD)
    write(tmp_path, f"etc/{name}", settings(f"{guard}"))
    assert found(tmp_path / "etc") == ["guard.sh:5:3 IL201"]
    write(tmp_path, f"etc/{name}", settings('"$CLAUDE_PROJECT_DIR"/gone.sh'))
    assert found(tmp_path / "etc") == []


def test_a_bad_entry_of_managed_settings_is_not_run_and_the_rest_is_in_force(tmp_path: Path):
    file = write(tmp_path, "managed-settings.json", '{"hooks": {"PreToolUse": [{"hooks": [{"type": "shell"}]}]}}')
    [one] = lint_hooks(gather([file]))
    assert one.message == "an entry of PreToolUse has the type `shell`, which there is not: the client does not run it"
    write(tmp_path, "managed-settings.json", '{"model": 5}')
    assert found(file) == []


# --- a person's own files --------------------------------------------------------------------------------------------


def test_a_persons_own_settings_may_name_their_own_home(nobodys_home: Path, monkeypatch: pytest.MonkeyPatch):
    text = settings("/home/ann/guard.sh")
    assert found(write(nobodys_home, ".claude/settings.json", text)) == []
    assert found(write(nobodys_home, "shop/.claude/settings.json", text)) == ["settings.json:1:88 IL403"]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(nobodys_home / "elsewhere"))
    assert found(write(nobodys_home, "elsewhere/settings.json", text)) == []
    assert found(write(nobodys_home, ".claude/settings.json", text)) == ["settings.json:1:88 IL403"]


@pytest.mark.parametrize("command", ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/gone.sh', ".claude/hooks/gone.sh"])
def test_a_projects_script_is_not_looked_for_in_a_persons_home(nobodys_home: Path, command: str):
    write(nobodys_home, ".claude/hooks/guard.sh", GUARD)
    assert found(write(nobodys_home, ".claude/settings.json", settings(command))) == []
    assert found(write(nobodys_home, ".claude/agents/x.md", skill(command))) == []


def test_a_script_in_a_persons_home_is_found_and_missed(nobodys_home: Path):
    write(nobodys_home, ".claude/hooks/guard.sh", GUARD)
    file = write(nobodys_home, ".claude/settings.json", settings("~/.claude/hooks/guard.sh"))
    assert found(file) == ["guard.sh:5:3 IL201"]
    write(nobodys_home, ".claude/settings.json", settings("~/.claude/hooks/gaurd.sh"))
    assert found(file) == ["settings.json:1:88 IL402"]


# --- what is looked at if nothing is named -------------------------------------------------------------------------


def test_the_usual_places_are_those_that_exist(nobodys_home: Path):
    root = nobodys_home / "shop"
    assert usual_places(root) == [root]
    etc, own = nobodys_home / "etc/claude-code", nobodys_home / ".claude"
    for name in ("managed-settings.json", "managed-settings.d/1.json"):
        write(etc, name, "{}")
    for name in ("settings.json", "agents/a.md", "skills/s/SKILL.md", "history.jsonl"):
        write(own, name, "{}")
    own_places = [own / "settings.json", own / "agents", own / "skills"]
    assert usual_places(root) == [root, *own_places, etc / "managed-settings.json", etc / "managed-settings.d"]
    assert usual_places(root, "darwin") == [root, *own_places]
    assert usual_places(nobodys_home) == [nobodys_home]


def test_scripts_are_found_from_a_relative_path_too(project: Path, monkeypatch: pytest.MonkeyPatch):
    write(project, "shop/guard.sh", GUARD)
    write(project, "shop/.claude/settings.json", settings('"$CLAUDE_PROJECT_DIR"/guard.sh'))
    write(project, "shop/tidy/hooks/hooks.json", settings('"${CLAUDE_PLUGIN_ROOT}"/../guard.sh'))
    expected = ["guard.sh:5:3 IL201"]
    monkeypatch.chdir(project)
    assert found(Path("shop")) == found(Path("shop/.claude/settings.json")) == found(Path("shop/tidy")) == expected
    monkeypatch.chdir(project / "shop" / ".claude")
    assert found(Path("settings.json")) == found(Path("..")) == expected


@pytest.mark.parametrize(
    ("name", "is_read"),
    [
        ("settings.example.json", True),
        (".claude/settings.json.json", True),
        ("templates/project-settings.json", True),
        ("my-hooks.json", True),
        (".claude-plugin/plugin.json", True),
        ("package.json", False),
        ("tests/settings.json", False),
        ("fixtures/hooks.json", False),
        ("settings.jsonc", False),
    ],
)
def test_settings_under_another_name_are_read_unless_they_are_made_for_tests(project: Path, name: str, is_read: bool):
    guard = write(project, ".claude/hooks/guard.sh", GUARD)
    hooks = {"PostToolUse": [{"hooks": [{"type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh"}]}]}
    file = write(project, name, json.dumps({"name": "x", "hooks": hooks}, indent=2))
    # Under PostToolUse an exit code refuses nothing anyway.
    quotes = [one for one in found(project) if not one.endswith("IL412")]
    assert quotes == ([f"{file.name}:9:24 IL405"] if is_read else ["guard.sh:5:3 IL201"])
    assert guard.is_file()


def test_a_script_that_is_not_beside_an_example_is_not_called_missing(project: Path):
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/.claude/hooks/no.sh'}]}]}
    write(project, ".claude/hooks/other.sh", GUARD)
    write(project, "settings.example.json", json.dumps({"hooks": hooks}))
    assert "IL402" not in str(found(project))
    write(project, ".claude/settings.json", json.dumps({"hooks": hooks}))
    assert "IL402" in str(found(project))
