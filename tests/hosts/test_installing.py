"""The setup of any host: written beside what is there, and taken out exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from interlock.errors import InterlockError
from interlock.hosts import HOSTS
from interlock.hosts.base.commands import hook_command
from interlock.hosts.base.host import Host
from interlock.hosts.base.installing import HostSpot, SetupState, apply_setup, plan_removal, plan_setup
from interlock.hosts.base.setup import EntryFile, HostScope, HostSetup, OwnFile, SetupFile
from interlock.hosts.base.setup_notes import read_setup_notes

COMMAND = hook_command("codex", "PreToolUse", refuses=True)
ENTRY = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 600}]}
LAST = {"hooks": [{"type": "command", "command": hook_command("codex", "SessionEnd", refuses=False)}]}
THEIRS = {"hooks": [{"type": "command", "command": "/usr/bin/true"}]}
WHERE = ("hooks", "PreToolUse")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def pretend(*files: SetupFile, name: str = "codex") -> Host:
    def listed(scope: HostScope, root: Path, home: Path) -> list[SetupFile]:
        return list(files)

    return replace(HOSTS["codex"], name=name, setup=HostSetup(files=listed))


def spot(host: Host, home: Path, scope: HostScope = "user") -> HostSpot:
    return HostSpot(host=host, scope=scope, root=home.parent / "shop", home=home)


def entry_file(home: Path, **fields: Any) -> EntryFile:
    entries = fields.pop("entries", [(WHERE, ENTRY), (("hooks", "SessionEnd"), LAST)])
    return EntryFile(path=home / ".agent" / "hooks.json", entries=entries, **fields)


def put(file: SetupFile, text: str) -> bytes:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_text(text, encoding="utf-8")
    return file.path.read_bytes()


def install(here: HostSpot) -> None:
    apply_setup(plan_setup([here]))


def level(here: HostSpot) -> str:
    return SetupState.of(here).level


@pytest.mark.parametrize(
    "text",
    [
        '{\n\t"model": "x",\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"hooks": [ ]}\n\t\t]\n\t}\n}\n',
        '{"hooks":{"PreToolUse":[]}}',
        '{\r\n  "a": [1, 2]\r\n}',
        "{}",
        "",
    ],
)
def test_a_file_that_nobody_touched_comes_back_byte_for_byte(home, text):
    here = spot(pretend(file := entry_file(home)), home)
    before = put(file, text)
    install(here)
    assert level(here) == "complete"
    assert ENTRY in json.loads(file.path.read_text("utf-8-sig"))["hooks"]["PreToolUse"]
    apply_setup(plan_removal([here]))
    assert file.path.read_bytes() == before
    assert (level(here), read_setup_notes()) == ("none", [])


def test_a_file_with_a_byte_order_mark_is_edited_only_where_the_agent_reads_it(home):
    text = '\ufeff{\r\n  "a": [1, 2]\r\n}'
    here = spot(pretend(file := replace(entry_file(home), bom=True)), home)
    before = put(file, text)
    install(here)
    assert ENTRY in json.loads(file.path.read_text("utf-8-sig"))["hooks"]["PreToolUse"]
    apply_setup(plan_removal([here]))
    assert file.path.read_bytes() == before
    with pytest.raises(InterlockError, match="does not read it with a byte order mark"):
        install(spot(pretend(entry_file(home)), home))
    assert file.path.read_bytes() == before


def test_entries_behind_a_byte_order_mark_do_not_count(home):
    here = spot(pretend(file := entry_file(home)), home)
    install(here)
    put(file, "\ufeff" + file.path.read_text(encoding="utf-8"))
    assert level(here) == "unreadable"


def test_a_new_file_goes_with_the_folders_that_were_made_for_it(home):
    file = EntryFile(path=home / "a" / "b" / "hooks.json", entries=[(WHERE, ENTRY)], start={"version": 1})
    home.mkdir()
    here = spot(pretend(file), home)
    install(here)
    assert json.loads(file.path.read_bytes()) == {"version": 1, "hooks": {"PreToolUse": [ENTRY]}}
    apply_setup(plan_removal([here]))
    assert list(home.iterdir()) == []


def test_what_others_wrote_meanwhile_stays_and_only_our_part_goes(home):
    here = spot(pretend(file := entry_file(home)), home)
    put(file, "{}\n")
    install(here)
    found = json.loads(file.path.read_bytes())
    found["hooks"]["PreToolUse"].insert(0, THEIRS)
    found["hooks"]["SessionEnd"][0]["hooks"].append({"type": "command", "command": "/usr/bin/true"})
    put(file, json.dumps(found, indent=4))
    apply_setup(plan_removal([here]))
    assert json.loads(file.path.read_bytes()) == {"hooks": {"PreToolUse": [THEIRS], "SessionEnd": [THEIRS]}}


def test_installing_twice_writes_nothing_the_second_time(home):
    here = spot(pretend(file := entry_file(home)), home)
    put(file, "{}\n")
    install(here)
    assert plan_setup([here]).is_empty
    install(here)
    apply_setup(plan_removal([here]))
    assert file.path.read_bytes() == b"{}\n"


def test_entries_whose_note_is_lost_are_found_by_what_they_run(home):
    here = spot(pretend(file := entry_file(home)), home)
    put(file, json.dumps({"hooks": {"PreToolUse": [ENTRY], "SessionEnd": [LAST]}, "x": 1}))
    install(here)  # nothing is missing, and nobody knows any more what was there before
    apply_setup(plan_removal([here]))
    assert json.loads(file.path.read_bytes()) == {"x": 1}


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ([ENTRY], "partly"),
        ([{"hooks": [{**ENTRY["hooks"][0], "timeout": 1}]}], "older"),
        ([{"hooks": [{"type": "command", "command": "/old/interlock/client.py codex:PreToolUse /s"}]}], "other"),
        ([THEIRS], "none"),
    ],
)
def test_what_is_not_as_this_version_writes_it_is_told_apart_and_made_so(home, there, expected):
    here = spot(pretend(file := entry_file(home)), home)
    put(file, json.dumps({"hooks": {"PreToolUse": there}}))
    assert level(here) == expected
    install(here)
    listed = json.loads(file.path.read_bytes())["hooks"]["PreToolUse"]
    assert (level(here), listed) == ("complete", [*(one for one in there if one == THEIRS), ENTRY])


def test_entries_of_another_installation_stay_and_are_named(home):
    here = spot(pretend(file := entry_file(home)), home)
    before = put(file, '{"hooks": {"PreToolUse": [{"run": "/old/interlock/client.py codex:PreToolUse /s"}]}}')
    plan = plan_removal([here])
    assert (plan.is_empty, plan.left) == (True, (f"entries of another installation of Interlock in {file.path}",))
    apply_setup(plan)
    assert file.path.read_bytes() == before


def test_an_entry_that_must_come_first_is_put_there_again(home):
    rule = {"tool": "*", "to": COMMAND}
    here = spot(pretend(file := entry_file(home, entries=[(("rules",), rule)], first=True)), home)
    put(file, json.dumps({"rules": [{"tool": "Bash", "action": "allow"}]}))
    install(here)
    put(file, json.dumps({"rules": [{"tool": "Read"}, *json.loads(file.path.read_bytes())["rules"]]}))
    assert level(here) == "older"
    install(here)
    assert json.loads(file.path.read_bytes())["rules"] == [rule, {"tool": "Read"}, {"tool": "Bash", "action": "allow"}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}\n', "it contains a comment, which JSON does not allow"),
        ("[]", "it is not a JSON object"),
        ('{"hooks": {"PreToolUse": {}}}', "`hooks.PreToolUse` is not an array"),
        ('{"hooks": 3}', "`hooks` is not an object"),
        ('{"a": 1, "a": 2}', "the key `a` appears twice"),
    ],
)
def test_a_file_that_cannot_be_edited_without_loss_is_left_alone(home, text, why):
    here = spot(pretend(file := entry_file(home)), home)
    before = put(file, text)
    with pytest.raises(InterlockError, match=r"left as it is|cannot edit") as raised:
        plan_setup([here])
    assert why in raised.value.message
    assert file.path.read_bytes() == before


def test_a_file_of_our_own_is_removed_and_another_in_its_place_is_not(home):
    own = OwnFile(path=home / ".agent" / "plugin.js", content=b"// /x/interlock/client.py\n", mode=0o755)
    here = spot(pretend(own), home)
    home.mkdir()
    install(here)
    assert (own.path.stat().st_mode & 0o777, level(here)) == (0o755, "complete")
    apply_setup(plan_removal([here]))
    assert list(home.iterdir()) == []
    put(own, "// somebody else's\n")
    with pytest.raises(InterlockError, match="is not Interlock's"):
        plan_setup([here])
    assert plan_removal([here]).is_empty


def test_two_hosts_that_share_a_file_each_take_out_their_own_part(home):
    file = entry_file(home, entries=[(WHERE, ENTRY)])
    other = replace(file, entries=[(WHERE, {"run": hook_command("flat", "PreToolUse", refuses=True)})])
    first, second = spot(pretend(file), home), spot(pretend(other, name="flat"), home)
    before = put(file, '{"x":1}')
    apply_setup(plan_setup([first, second]))
    assert [level(first), level(second)] == ["complete", "complete"]
    apply_setup(plan_removal([first]))
    assert [level(first), level(second)] == ["none", "complete"]
    apply_setup(plan_removal([second]))
    assert file.path.read_bytes() == before


def test_a_link_in_the_place_of_a_file_is_refused(home, tmp_path):
    file = entry_file(home)
    file.path.parent.mkdir(parents=True)
    (tmp_path / "real.json").write_text("{}")
    file.path.symlink_to(tmp_path / "real.json")
    with pytest.raises(InterlockError, match="symbolic link"):
        plan_setup([spot(pretend(file), home)])


@pytest.mark.parametrize(
    "text",
    [
        '{\n  // mine\n  "hooks": {"PreToolUse": [/* none */]},\n}\n',
        '// mine\n{"a": 1, // one\n "b": 2 /* two */}',
        "{ // nothing yet\n}\n",
    ],
)
def test_comments_stay_where_the_host_takes_them(home, text):
    here = spot(pretend(file := entry_file(home, jsonc=True)), home)
    before = put(file, text)
    install(here)
    assert (level(here), plan_setup([here]).is_empty) == ("complete", True)
    assert all(comment in file.path.read_text() for comment in text.split("\n") if comment.strip().startswith("//"))
    apply_setup(plan_removal([here]))
    assert file.path.read_bytes() == before


def test_comments_stay_if_the_file_has_changed_since(home):
    here = spot(pretend(file := entry_file(home, jsonc=True)), home)
    install(here)
    put(file, "// mine\n" + file.path.read_text())
    apply_setup(plan_removal([here]))
    assert file.path.read_text() == "// mine\n{}\n", "the file was made for the entries, and has become a person's"


def test_a_program_of_ours_that_lost_its_mode_gets_it_back(home):
    own = OwnFile(path=home / ".agent" / "hook", content=b"# /x/interlock/client.py\n", mode=0o755)
    here = spot(pretend(own), home)
    install(here)
    own.path.chmod(0o644)
    (state,) = SetupState.of(here).files
    assert (state.level, state.why) == ("partly", "it is not executable, so it never runs")
    (change,) = plan_setup([here]).changes
    assert change.before == change.after == own.content
    install(here)
    assert (own.path.stat().st_mode & 0o777, level(here)) == (0o755, "complete")
    own.path.chmod(0o644)
    put(own, "# an older one of /x/interlock/client.py\n")
    install(here)
    assert (own.path.stat().st_mode & 0o777, level(here)) == (0o755, "complete")
