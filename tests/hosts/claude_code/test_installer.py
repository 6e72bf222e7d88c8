"""Our entries go into Claude Code's settings and out again, and every other byte stays as it was."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interlock.config import places as config
from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.hosts.claude_code import installer, places
from interlock.hosts.claude_code.entries import entries_for, entry
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.installer import Plan, apply, plan_install, plan_uninstall, read_manifest
from interlock.hosts.claude_code.places import SCOPES, Scope, settings_file
from interlock.hosts.claude_code.settings_state import settings_state

SWITCHED = ".claude/settings.local.json"
OTHER = {"type": "command", "command": "/bin/other"}
TIDY = """\
{
    "permissions": {"allow": [ "Bash(ls)" ] },
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "/bin/other"}]}
        ],

        "Stop": []
    },
    "model": "x"
}
"""


def shop_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project on a machine that has no settings yet."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "managed-settings.json")
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    root = tmp_path / "shop"
    root.mkdir()
    return root


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return shop_in(tmp_path, monkeypatch)


def local(project: Path, text: str | None = None) -> Path:
    file = project / ".claude" / "settings.local.json"
    if text is not None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text.encode())
    return file


def install(project: Path, **more: Any) -> Plan:
    plan = plan_install(project, **more)
    apply(plan)
    return plan


def uninstall(project: Path, scope: Scope = "local") -> Plan:
    plan = plan_uninstall(project, scope)
    apply(plan)
    return plan


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        str(found.relative_to(folder)): found.read_bytes() if found.is_file() else None
        for found in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("scope", SCOPES)
def test_every_event_is_guarded_in_every_scope_and_nothing_is_left_afterwards(
    project: Path, scope: Scope, nobodys_home: Path
):
    before = everything(project.parent)
    install(project, scope=scope)
    found = settings_state(project)
    assert (found.missing, found.problems, found.off) == ((), (), ())
    assert found.running["PreToolUse"] == (str(settings_file(scope, project)),)
    uninstall(project, scope)
    left = everything(project.parent)
    assert {name: body for name, body in left.items() if name not in before} == {}
    assert not (nobodys_home / ".claude").exists()
    assert read_manifest(settings_file(scope, project)) is None


def test_a_new_file_holds_one_line_for_each_event(project: Path):
    install(project)
    lines = local(project).read_text(encoding="utf-8").splitlines()
    handler = json.dumps([{"hooks": [entries_for("local")["PreToolUse"]]}])
    assert lines[:4] == ["{", '  "disableAllHooks": false,', '  "hooks": {', f'    "PreToolUse": {handler},']
    assert len(lines) == len(WIRED) + 5
    assert stat.S_IMODE(local(project).stat().st_mode) == 0o600


def test_what_else_is_in_the_file_stays_byte_for_byte(project: Path):
    file = local(project, TIDY)
    install(project)
    text = file.read_text(encoding="utf-8")
    ours = json.dumps({"hooks": [entries_for("local")["PreToolUse"]]})
    other = '            {"matcher": "Bash", "hooks": [{"type": "command", "command": "/bin/other"}]}'
    assert text.startswith(
        '{\n    "permissions": {"allow": [ "Bash(ls)" ] },\n    "hooks": {\n        "PreToolUse": [\n'
        f'{other},\n            {ours}\n        ],\n\n        "Stop": [\n'
    )
    assert text.endswith('    },\n    "model": "x",\n    "disableAllHooks": false\n}\n')
    uninstall(project)
    assert file.read_text(encoding="utf-8") == TIDY


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        "{ }",
        "{\n}\n",
        '{"a": 1}',
        '{"hooks": {}}',
        '{"hooks": {"Stop": null, "PreToolUse": []}}',
        '\ufeff{\r\n\t"a": 1\r\n}\r\n',
        TIDY,
        TIDY.replace("\n", "\r\n"),
    ],
)
def test_out_again_is_byte_for_byte_as_it_was(project: Path, text: str):
    file = local(project, text)
    install(project)
    assert settings_state(project).missing == ()
    uninstall(project)
    assert file.read_bytes() == text.encode()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
GROUPS = st.lists(st.fixed_dictionaries({"hooks": st.lists(st.just(OTHER), max_size=2)}), max_size=2)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(st.sampled_from(["PreToolUse", "Stop", "Nope"]), GROUPS, max_size=3),
        "x": VALUES,
        "y": VALUES,
    },
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(SETTINGS, st.sampled_from([None, 1, 2, "\t"]), st.booleans())
def test_whatever_was_there_is_there_afterwards(project: Path, value: Any, indent: Any, edited: bool):
    text = json.dumps(value, indent=indent)
    file = local(project, text)
    install(project)
    inside = json.loads(file.read_text(encoding="utf-8"))
    for event, groups in value.get("hooks", {}).items():
        assert inside["hooks"][event][: len(groups)] == groups
    if edited:
        inside["mine"] = 1
        file.write_text(json.dumps(inside), encoding="utf-8")
    uninstall(project)
    after = file.read_text(encoding="utf-8")
    if edited:
        assert json.loads(after) == {**value, "mine": 1}
    else:
        assert after == text


def test_twice_is_once(project: Path):
    install(project)
    before = everything(project)
    again = plan_install(project)
    assert (again.is_empty, again.diff()) == (True, "")
    apply(again)
    assert everything(project) == before
    uninstall(project)
    assert everything(project) == {}
    assert plan_uninstall(project).is_empty


def test_without_a_manifest_what_is_exactly_ours_is_taken_out(project: Path):
    file = local(project, '{\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/bin/other"}]}]}\n}\n')
    before = file.read_bytes()
    install(project)
    for kept in (state_folder() / "installs").iterdir():
        kept.unlink()
    uninstall(project)
    assert file.read_bytes() == before


def test_a_manifest_that_cannot_be_read_is_said(project: Path):
    install(project)
    kept = next((state_folder() / "installs").iterdir())
    kept.write_bytes(b"{")
    with pytest.raises(InterlockError, match="cannot read what was installed in") as found:
        plan_uninstall(project)
    assert found.value.help == "remove that file; entries that are exactly as Interlock wrote them are found without it"


def test_an_entry_of_an_older_installation_is_replaced(project: Path):
    old = entry("Stop", Path("/old/python"), Path("/old/interlock/client.py"), Path("/old/socket"))
    weak = {**entries_for("local")["PreToolUse"], "timeout": 1}
    file = local(project, json.dumps({"hooks": {"Stop": [{"hooks": [old, OTHER]}], "PreToolUse": [{"hooks": [weak]}]}}))
    plan = install(project)
    assert plan.notices == ("Interlock's entries that were not current are replaced: 2",)
    hooks = json.loads(file.read_text(encoding="utf-8"))["hooks"]
    assert hooks["Stop"] == [{"hooks": [OTHER]}, {"hooks": [entries_for("local")["Stop"]]}]
    assert hooks["PreToolUse"] == [{"hooks": [entries_for("local")["PreToolUse"]]}]
    assert settings_state(project).missing == ()


def test_an_entry_of_another_installation_is_not_taken_out_with_ours(project: Path):
    install(project)
    file = local(project)
    old = entry("Stop", Path("/old/python"), Path("/old/interlock/client.py"), Path("/old/socket"))
    value = json.loads(file.read_text(encoding="utf-8"))
    value["hooks"]["Stop"].append({"hooks": [old]})
    file.write_text(json.dumps(value), encoding="utf-8")
    plan = uninstall(project)
    assert plan.notices == (f"entries of another installation of Interlock stay in {file}",)
    assert json.loads(file.read_text(encoding="utf-8")) == {"hooks": {"Stop": [{"hooks": [old]}]}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("[]", "it is not a JSON object"),
        ('{"a": 1, "a": 2}', "not valid JSON: the key `a` appears twice in one object"),
        ('{"hooks": []}', "`hooks` is not an object"),
        ('{"hooks": {"PreToolUse": {}}}', "`PreToolUse` is not an array"),
        ('{"hooks": {"PreToolUse": [{"hooks": [{"type": "foo"}]}]}}', "an entry of PreToolUse has the type `foo`"),
        ('{"model": 1}', "`model` has a value of the wrong kind"),
    ],
)
def test_a_file_that_the_client_ignores_is_refused_and_left_alone(project: Path, text: str, why: str):
    file = local(project, text)
    with pytest.raises(InterlockError) as found:
        plan_install(project)
    assert found.value.message.startswith(f"Claude Code ignores `{file}`: {why}")
    assert found.value.help == "correct that first; the file is left as it is"
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("text", "message", "line", "cure"),
    [
        ("{", "not valid JSON: it ends too early", 1, "correct it by hand"),
        (
            '{\n  // mine\n  "model": "x"\n}',
            "not valid JSON: it contains a comment, which JSON does not allow",
            2,
            "remove the comment",
        ),
        (
            '{\n  "model": "x",\n}',
            "not valid JSON: there is a comma before the closing `}`",
            2,
            "remove that comma",
        ),
    ],
)
def test_what_keeps_a_file_from_being_json_is_shown_with_its_line(
    project: Path, text: str, message: str, line: int, cure: str
):
    file = local(project, text)
    with pytest.raises(InterlockError) as found:
        plan_install(project)
    assert found.value.message == f"Claude Code ignores `{file}`: {message}"
    assert found.value.source is not None
    assert (found.value.source.file, found.value.source.line) == (str(file), line)
    assert found.value.line == text.split("\n")[line - 1]
    assert found.value.help == f"{cure}; until then, Claude Code reads none of its settings"
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_broke_since_is_not_edited_on_the_way_out(project: Path):
    install(project)
    local(project, "{")
    with pytest.raises(InterlockError, match="cannot edit"):
        plan_uninstall(project)


def test_a_stop_that_is_no_array_cannot_hold_our_entry(project: Path):
    file = local(project, '{"hooks": {"Stop": 1}}')
    with pytest.raises(InterlockError) as found:
        plan_install(project)
    assert found.value.render() == (
        f"error: `Stop` is not an array; the file is left as it is\n --> {file}:1:20\nhelp: make it one"
    )


def test_what_the_client_would_not_run_is_not_written(project: Path, monkeypatch: pytest.MonkeyPatch):
    bad = {"PreToolUse": {**entries_for("local")["PreToolUse"], "timeout": 0}}
    monkeypatch.setattr(installer, "entries_for", lambda scope, address: bad)
    with pytest.raises(InterlockError, match="entries do not fit into"):
        plan_install(project)


def test_a_symlinked_settings_file_is_left_alone(project: Path, tmp_path: Path):
    real = tmp_path / "dotfiles.json"
    real.write_bytes(b"{}")
    local(project).parent.mkdir()
    local(project).symlink_to(real)
    for plan in (plan_install, plan_uninstall):
        with pytest.raises(InterlockError, match="is a symbolic link"):
            plan(project)
    assert real.read_bytes() == b"{}"


def test_a_file_that_changed_between_the_look_and_the_yes_is_left_alone(project: Path):
    file = local(project, "{}")
    plan = plan_install(project)
    file.write_bytes(b'{"a": 1}')
    with pytest.raises(InterlockError, match="has changed in the meantime; nothing was written"):
        apply(plan)
    assert file.read_bytes() == b'{"a": 1}'
    assert read_manifest(file) is None


def test_a_file_or_folder_of_ours_that_others_use_by_now_stays(project: Path):
    install(project)
    (project / ".claude" / "mine.md").touch()
    uninstall(project)
    assert everything(project) == {".claude": None, ".claude/mine.md": b""}


def test_the_diff_shows_what_changes(project: Path):
    file = local(project, '{\n  "a": 1\n}\n')
    lines = plan_install(project).diff().splitlines()
    assert lines[:6] == [
        f"--- {file}",
        f"+++ {file}",
        f"@@ -1,3 +1,{len(WIRED) + 6} @@",
        " {",
        '-  "a": 1',
        '+  "a": 1,',
    ]
    assert plan_install(project, "user").diff().startswith("--- (no file)\n")


def test_a_person_who_switched_hooks_off_is_told(project: Path):
    local(project, '{"disableAllHooks": true}')
    plan = plan_install(project)
    assert plan.hindered == (f"{local(project)} switches all hooks off (`disableAllHooks`)",)
    assert '"disableAllHooks": false' not in plan.diff(), "it is that person's word"


@pytest.mark.parametrize("text", [None, "{}", '{"model": "x"}', '{\n\t"hooks": {}\n}', TIDY])
def test_settings_that_come_with_the_project_cannot_switch_us_off(project: Path, text: str | None):
    """The local file outranks them, and so says that hooks stay on."""
    committed = project / ".claude" / "settings.json"
    committed.parent.mkdir()
    committed.write_text('{"disableAllHooks": true}', encoding="utf-8")
    before = everything(project) if text is None else {**everything(project), SWITCHED: text.encode()}
    if text is not None:
        local(project, text)
    plan = install(project)
    assert '"disableAllHooks": false' in plan.diff()
    found = settings_state(project)
    assert (plan.hindered, found.missing, found.off) == ((), (), ())
    assert install(project).is_empty
    uninstall(project)
    assert everything(project) == before


def test_a_word_about_hooks_that_was_there_before_us_stays_afterwards(project: Path):
    file = local(project, '{"disableAllHooks": false}')
    install(project)
    value = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**value, "mine": 1}), encoding="utf-8")
    uninstall(project)
    assert json.loads(file.read_text(encoding="utf-8")) == {"disableAllHooks": False, "mine": 1}


def test_a_word_of_ours_that_a_person_turned_round_is_theirs(project: Path):
    install(project)
    value = json.loads(local(project).read_text(encoding="utf-8"))
    local(project, json.dumps({**value, "disableAllHooks": True}))
    uninstall(project)
    assert json.loads(local(project).read_text(encoding="utf-8")) == {"disableAllHooks": True}


@pytest.mark.parametrize("scope", ["user", "project", "managed"])
def test_only_the_local_file_speaks_for_one_project(project: Path, scope: Scope):
    assert "disableAllHooks" not in install(project, scope=scope).diff()


def test_a_path_that_is_no_text_is_refused_and_shown(project: Path):
    odd = project / os.fsdecode(b"odd\xff")
    odd.mkdir()
    for plan in (plan_install, plan_uninstall):
        with pytest.raises(InterlockError) as found:
            plan(odd)
        assert found.value.message == (
            f"the path `{project}/odd\\xff/.claude/settings.local.json` is not valid UTF-8, so nothing can be "
            "installed there"
        )
        assert found.value.help == "rename the folder, or use `--scope user`"
    assert list(odd.iterdir()) == []
    assert plan_install(odd, "user").changes, "what is written there does not name the project"
