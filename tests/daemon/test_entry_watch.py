"""Entries that somebody takes out of the settings are put back, or the person is told, once."""

from __future__ import annotations

import json
import os
import shutil
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from interlock.config.places import state_folder
from interlock.daemon import entry_watch
from interlock.errors import InterlockError
from interlock.hosts.claude_code.entry_notes import notes_folder, read_notes
from interlock.hosts.claude_code.events import WIRED
from interlock.hosts.claude_code.installer import read_manifest
from interlock.hosts.claude_code.places import Scope, manifest_file
from interlock.judging.pause import Pause
from tests.daemon.watched import Watched

OTHER = {"type": "command", "command": "/bin/other"}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setattr(entry_watch, "_HALF_WRITTEN", 0.0)
    shop = Watched(tmp_path / "shop")
    shop.install()
    assert shop.event("SessionStart") == []
    return shop


def value_of(shop: Watched) -> Any:
    return json.loads(shop.file.read_text(encoding="utf-8"))


def edit(shop: Watched, change: Callable[[Any], object]) -> None:
    value = value_of(shop)
    change(value)
    shop.file.write_text(json.dumps(value), encoding="utf-8")


def put_back(shop: Watched, why: str) -> str:
    (copy,) = (Path.home() / ".local/state/interlock/backups").rglob("*-settings.local.json")
    return (
        f"Interlock's entries were lost: {why}. They have been put back; the version without them is kept in {copy}. "
        "To remove them for good, run `interlock uninstall`."
    )


# --- putting back ------------------------------------------------------------------------------------------


def test_entries_that_were_taken_out_are_put_back_told_once_and_recorded(shop: Watched):
    shop.file.write_text('{"model": "x"}', encoding="utf-8")
    text = (
        put_back(shop, f"{shop.file} does not contain them as they were written") if shop.event("Notification") else ""
    )
    assert text == "", "an event whose notices nobody reads"
    assert shop.is_guarded()
    text = put_back(shop, f"{shop.file} does not contain them as they were written")
    assert [shop.event(), shop.event(), shop.session(2)] == [[text], [], []]
    assert shop.records == [{"event": "EntriesLost", "file": str(shop.file), "put_back": True, "reason": text}]
    assert value_of(shop)["model"] == "x"


def test_everything_else_in_the_file_stays_as_it_is_and_so_do_its_rights(shop: Watched):
    text = '{\n\t"model":   "x",\n\t"hooks": {"Stop": [ {"hooks": [{"type": "command", "command": "/bin/x"}]} ]}\n}\n'
    shop.file.write_text(text, encoding="utf-8")
    shop.file.chmod(0o640)
    shop.event()
    after = shop.file.read_text(encoding="utf-8")
    assert after.startswith('{\n\t"model":   "x",\n\t"hooks": {"Stop": [ {"hooks": [{"type": "command", "command"')
    assert stat.S_IMODE(shop.file.stat().st_mode) == 0o640
    assert shop.is_guarded()


def test_a_file_that_is_gone_is_made_with_the_entries_and_nothing_else(shop: Watched):
    edit(shop, lambda value: value.update(permissions={"allow": ["Bash(x)"]}))
    assert shop.event() == []
    shop.file.unlink()
    assert len(shop.event()) == 1
    assert value_of(shop).keys() == {"disableAllHooks", "hooks"}, "what a person dropped does not come back"
    assert stat.S_IMODE(shop.file.stat().st_mode) == 0o600
    assert shop.is_guarded()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"hooks": 3}', '{"model": 3}', "{'a': 1}", '{"a": 1} x'])
def test_a_file_that_the_client_ignores_gives_way_to_its_last_good_version(shop: Watched, text: str):
    edit(shop, lambda value: value.update(permissions={"allow": ["Bash(x)"]}))
    assert shop.event() == []
    good = shop.file.read_bytes()
    shop.file.write_text(text, encoding="utf-8")
    assert len(shop.event()) == 1
    assert shop.file.read_bytes() == good
    (copy,) = (Path.home() / ".local/state/interlock/backups").rglob("*-settings.local.json")
    assert copy.read_text(encoding="utf-8") == text


def test_a_file_that_is_being_written_is_waited_for(shop: Watched, monkeypatch: pytest.MonkeyPatch):
    whole = shop.file.read_text(encoding="utf-8")
    shop.file.write_text(whole[:300], encoding="utf-8")
    monkeypatch.setattr(time, "sleep", lambda _: shop.file.write_text(whole, encoding="utf-8"))
    assert (shop.event(), shop.records) == ([], [])
    assert shop.file.read_text(encoding="utf-8") == whole


@pytest.mark.parametrize("scope", ["user", "managed", "local", "project"])
def test_every_scope_is_watched(tmp_path: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    shop = Watched(tmp_path / "shop", scope)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "interlock").touch(0o755)
    shop.install()
    shop.event("SessionStart")
    shop.file.write_text("{}", encoding="utf-8")
    (text,) = shop.event()
    option = "" if scope == "local" else f" --scope {scope}"
    assert text.endswith(f"To remove them for good, run `interlock uninstall{option}`.")
    assert shop.is_guarded()


@pytest.mark.parametrize("before", [None, True, False])
@pytest.mark.parametrize("scope", ["user", "local"])
def test_disabling_all_hooks_is_taken_back_to_what_the_file_said(
    tmp_path: Path, scope: Scope, before: bool | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    shop = Watched(tmp_path / "shop", scope)
    shop.install()
    edit(shop, lambda value: value.pop("disableAllHooks", None))
    if before is not None:
        edit(shop, lambda value: value.update(disableAllHooks=False))
    shop.event("SessionStart")
    said = value_of(shop).get("disableAllHooks")
    edit(shop, lambda value: value.update(disableAllHooks=True))
    assert len(shop.event()) == 1
    assert value_of(shop).get("disableAllHooks") is said
    assert shop.is_guarded()


# --- not putting back --------------------------------------------------------------------------------------


def link(shop: Watched) -> None:
    (shop.root / "other.json").write_text("{}", encoding="utf-8")
    shop.file.unlink()
    shop.file.symlink_to("../other.json")


def linked_folder(shop: Watched) -> None:
    shop.file.parent.rename(shop.root / "away")
    shop.file.parent.symlink_to("away")
    shop.file.write_text("{}", encoding="utf-8")


def tracked(shop: Watched) -> None:
    shop.commit(".claude/settings.local.json")
    shop.event()
    shop.file.write_text("{}", encoding="utf-8")


def tracked_by_now(shop: Watched) -> None:
    shop.file.write_text("{}", encoding="utf-8")
    shop.commit(".claude/settings.local.json")


def read_only(shop: Watched) -> None:
    shop.file.write_text("{}", encoding="utf-8")
    shop.file.chmod(0o400)


HANDS_OFF: dict[str, tuple[Callable[[Watched], object], str]] = {
    "a link": (link, "`{file}` is a symbolic link; it is left as it is"),
    "in a linked folder": (linked_folder, "`{folder}` is a symbolic link; it is left as it is"),
    "tracked by git": (tracked, "git tracks the file, here or on another branch"),
    "tracked by git since": (tracked_by_now, "git tracks the file, here or on another branch"),
    "read-only": (read_only, "`{file}` is read-only; it is left as it is"),
}


@pytest.mark.parametrize("way", HANDS_OFF)
def test_what_is_not_ours_to_write_is_told_and_left_alone(shop: Watched, way: str):
    change, why_not = HANDS_OFF[way]
    change(shop)
    (text,) = shop.event()
    why_not = why_not.format(file=shop.file, folder=shop.file.parent)
    assert text == (
        f"Interlock's entries would not run in new sessions: {shop.file} does not contain them as they were written. "
        f"They were not put back, because {why_not}. `interlock init` puts them in again; to remove them for good, run "
        "`interlock uninstall`."
    )
    assert shop.file.read_text(encoding="utf-8") == "{}"
    assert shop.event() == []
    assert [record["put_back"] for record in shop.records] == [False]


def test_a_folder_that_is_gone_is_not_made_again(shop: Watched):
    shop.file.unlink()
    shop.file.parent.rmdir()
    (text,) = shop.event()
    assert f"because the folder {shop.file.parent} is gone" in text
    assert not shop.file.parent.exists()
    shop.file.parent.mkdir()
    (text,) = shop.event()
    assert "They have been put back" in text, "as soon as there is a folder again"
    assert shop.is_guarded()


def test_a_project_that_is_gone_and_one_in_its_place_are_left_alone(shop: Watched, tmp_path: Path):
    """A project that was deleted is nobody's loss; a new clone in its place concerns who works in it."""
    shop.root.rename(tmp_path / "old")
    other = Watched(tmp_path / "other")
    other.install()
    other.watch = shop.watch
    assert other.event() == []
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    assert other.event() == []
    (shop.root / ".claude").mkdir(parents=True)
    assert other.event() == []
    (text,) = shop.event()
    assert f"because {shop.root} is another folder than the one they were put into" in text
    assert list((shop.root / ".claude").iterdir()) == []


def test_entries_whose_program_is_gone_are_not_put_back(shop: Watched, monkeypatch: pytest.MonkeyPatch):
    """Entries without it would deny every call, and whoever removed both may have meant it."""
    client = next(iter(read_notes().values())).entries["PreToolUse"]["args"][2]
    is_file = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: str(path) != client and is_file(path))
    shop.file.write_text("{}", encoding="utf-8")
    (text,) = shop.event()
    assert f"because {client} is gone" in text
    assert shop.file.read_text(encoding="utf-8") == "{}"


def test_what_another_file_says_is_told_once_and_again_when_it_is_new(shop: Watched):
    shared = shop.file.with_name("settings.json")
    shared.write_text('{"env": {"CLAUDE_CODE_SIMPLE": "1"}}', encoding="utf-8")
    (text,) = shop.event()
    assert text == (
        f"Interlock's entries in {shop.file} would not run in new sessions here: {shared} sets `CLAUDE_CODE_SIMPLE`, "
        "so the client runs no hooks. If you did not want that, remove it; `interlock doctor` shows more. To "
        "remove the entries for good, run `interlock uninstall`."
    )
    assert shop.event() == []
    assert [shop.session(2), shop.session(3)] == [[text], []], "once more when the next session begins"
    shared.unlink()
    assert shop.event() == []
    shared.write_text('{"env": {"CLAUDE_CODE_SIMPLE": "1"}}', encoding="utf-8")
    assert shop.event() == [text]
    shared.unlink()
    assert [shop.event(), shop.session(4)] == [[], []], "what is over is not told again"


def test_what_was_so_before_is_the_doctor_s_affair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    shop = Watched(tmp_path / "shop")
    (shop.root / ".claude").mkdir()
    shared = shop.root / ".claude" / "settings.json"
    shared.write_text('{"env": {"LD_LIBRARY_PATH": "/x"}}', encoding="utf-8")
    shop.install()
    assert (shop.event("SessionStart"), shop.event(), shop.records) == ([], [], [])


def test_what_is_put_back_in_one_file_is_not_told_as_an_obstacle_to_another(shop: Watched):
    shop.install("user")
    assert shop.event("SessionStart") == []
    edit(shop, lambda value: value.update(disableAllHooks=True))
    (text,) = shop.event()
    assert "They have been put back" in text
    assert shop.is_guarded()


def test_who_takes_them_out_again_and_again_is_left_to_it_and_the_person_told(
    shop: Watched, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(entry_watch, "_MOST_PUT_BACK", 3)
    for _ in range(3):
        shop.file.write_text("{}", encoding="utf-8")
        assert "They have been put back" in shop.event()[0]
    shop.file.write_text("{}", encoding="utf-8")
    assert "because they were put back 3 times within an hour" in shop.event()[0]
    assert shop.file.read_text(encoding="utf-8") == "{}"


# --- the person's own ways ---------------------------------------------------------------------------------


def test_after_uninstalling_nothing_comes_back_and_that_is_said_once(shop: Watched):
    shop.uninstall()
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    text = f"`interlock uninstall` removed Interlock's entries from {shop.file}. New sessions do not run them."
    assert shop.event() == [text], "a session that still runs hears of it: a script could have done that"
    assert (shop.event(), shop.session(2)) == ([], [])
    assert shop.records == [{"event": "Uninstall", "file": str(shop.file), "reason": text}]
    shop.restart()
    assert (shop.event(), shop.session(3)) == ([], [])
    assert not shop.file.parent.exists()


def test_uninstalling_what_is_gone_already_ends_the_notices(shop: Watched):
    link(shop)
    assert len(shop.event()) == 1
    shop.file.unlink()
    shop.uninstall()
    assert len(shop.event()) == 1
    assert [shop.event(), shop.session(2)] == [[], []]
    assert not shop.file.exists()


def test_installing_again_is_watched_again(shop: Watched):
    shop.uninstall()
    shop.event()
    shop.install()
    assert shop.event() == []
    shop.file.write_text("{}", encoding="utf-8")
    assert len(shop.event()) == 1
    assert shop.is_guarded()


def test_during_a_pause_a_person_is_at_work_and_afterwards_they_are_put_back(shop: Watched):
    Pause(until=time.time() + 600, by="me").start()
    shop.file.write_text("{}", encoding="utf-8")
    assert shop.event() == []
    assert shop.file.read_text(encoding="utf-8") == "{}"
    Pause.end()
    assert len(shop.event()) == 1
    assert shop.is_guarded()


def test_a_person_s_changes_are_none_of_our_business(shop: Watched):
    for change in (
        lambda value: value.update(permissions={"allow": ["Bash(npm test)"]}),
        lambda value: value["hooks"]["PreToolUse"].insert(0, {"matcher": "Bash", "hooks": [OTHER]}),
        lambda value: value["hooks"].update(Stop=value["hooks"].pop("Stop")),
        lambda value: value.update(env={"A": "b"}),
    ):
        edit(shop, change)
        before = shop.file.read_bytes()
        assert (shop.event(), shop.file.read_bytes()) == ([], before)
    assert shop.records == []


def test_a_dotfile_manager_may_turn_the_file_into_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """And what it links to is its own: what is lost there is told, and nothing is written through the link."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    shop = Watched(tmp_path / "shop", "user")
    shop.install()
    shop.event("SessionStart")
    dotfiles = tmp_path / "dotfiles.json"
    shop.file.rename(dotfiles)
    shop.file.symlink_to(dotfiles)
    assert (shop.event(), shop.session(2), shop.records) == ([], [], [])
    before = dotfiles.read_bytes()
    dotfiles.write_text("{}", encoding="utf-8")
    (text,) = shop.event()
    assert f"because `{shop.file}` is a symbolic link" in text
    assert (dotfiles.read_text(encoding="utf-8"), shop.file.is_symlink()) == ("{}", True)
    dotfiles.write_bytes(before)
    assert shop.event() == []


# --- who looks, and when -----------------------------------------------------------------------------------


def test_what_was_lost_is_found_after_a_call_and_not_before_one(shop: Watched):
    assert shop.event("SessionStart") == []
    shop.file.write_text("{}", encoding="utf-8")
    assert (shop.event("PreToolUse"), shop.is_guarded()) == ([], False)
    assert (len(shop.event("PostToolUse")), shop.is_guarded()) == (1, True)


def test_an_installation_without_notes_is_learnt_with_its_first_event(shop: Watched):
    for place in notes_folder().glob("*.json"):
        place.unlink()
    shop.restart()
    assert shop.event("PreToolUse") == []
    (note,) = read_notes().values()
    assert (note.file, list(note.entries)) == (str(shop.file), list(WIRED))
    shop.file.write_text("{}", encoding="utf-8")
    assert len(shop.event()) == 1
    assert shop.is_guarded()


def test_entries_of_an_earlier_version_are_learnt_as_they_are_and_put_back_so(shop: Watched):
    """It wrote another limit for one event; this version would write its own, and finds that one all the same."""
    manifest = read_manifest(shop.file)
    assert manifest is not None
    earlier = {**manifest.entries, "Stop": {**manifest.entries["Stop"], "timeout": 300}}
    manifest_file(shop.file).write_bytes(msgspec.json.encode(replace(manifest, entries=earlier)))
    edit(shop, lambda value: value["hooks"].update(Stop=[{"hooks": [earlier["Stop"]]}]))
    for place in notes_folder().glob("*.json"):
        place.unlink()
    shop.restart()
    assert shop.event() == []
    shop.file.unlink()
    assert "They have been put back" in shop.event()[0]
    assert value_of(shop)["hooks"]["Stop"] == [{"hooks": [earlier["Stop"]]}]


def test_an_older_entry_of_which_nothing_is_known_stays_where_it_is(shop: Watched):
    old = {**value_of(shop)["hooks"]["Stop"][0]["hooks"][0], "timeout": 300}
    edit(shop, lambda value: value["hooks"].update(Stop=[{"hooks": [old]}]))
    manifest_file(shop.file).unlink()
    for place in notes_folder().glob("*.json"):
        place.unlink()
    shop.restart()
    assert shop.event() == []
    edit(shop, lambda value: value["hooks"].pop("PreToolUse"))
    assert "They have been put back" in shop.event()[0]
    hooks = value_of(shop)["hooks"]
    assert (hooks["Stop"], "PreToolUse" in hooks) == ([{"hooks": [old]}], True)


def test_entries_that_teammates_committed_are_learnt_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    shop = Watched(tmp_path / "shop", "project")
    shop.install()
    for place in notes_folder().glob("*.json"):
        place.unlink()
    shop.commit(".claude/settings.json")
    assert shop.event("SessionStart") == []
    shop.file.write_text("{}", encoding="utf-8")
    (text,) = shop.event()
    assert "because git tracks the file" in text


def test_without_an_event_every_file_is_looked_at_once_it_has_settled(shop: Watched, tmp_path: Path):
    other = Watched(tmp_path / "other")
    other.install()
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    other.file.write_text("{}", encoding="utf-8")
    shop.watch.look_everywhere()
    assert other.file.read_text(encoding="utf-8") == "{}", "it may be about to change again"
    shop.watch.look_everywhere()
    assert other.is_guarded()
    (text,) = shop.event()
    assert str(other.file) in text, "the next event of any session tells it"


def test_a_new_daemon_sees_what_was_lost_while_there_was_none(shop: Watched):
    shop.file.write_text("{}", encoding="utf-8")
    shop.restart()
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    assert shop.is_guarded()
    assert len(shop.event()) == 1


def test_of_two_daemons_one_puts_back_and_one_tells(shop: Watched):
    others = [Watched(shop.root) for _ in range(4)]
    for other in others:
        other.event("SessionStart")
    shop.file.write_text("{}", encoding="utf-8")
    told: list[str] = []
    threads = [threading.Thread(target=lambda one=one: told.extend(one.event())) for one in [shop, *others]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 1
    assert sum(len(one.records) for one in [shop, *others]) == 1
    assert shop.is_guarded()


def test_nothing_is_read_while_nothing_changed(shop: Watched, monkeypatch: pytest.MonkeyPatch):
    for place in (shop.file, notes_folder()):
        os.utime(place, (2**32, 2**32))  # whatever somebody says about when it was written
    monkeypatch.setattr(entry_watch, "_UNSURE", -(10**15))  # whenever it was changed, it has settled
    shop.event()

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a file was read")

    for name in ("settings_state", "read_file", "read_notes", "notes_locked"):
        monkeypatch.setattr(entry_watch, name, fail)
    for name in WIRED:
        if name != "SessionStart":
            assert shop.event(name) == []


def test_a_person_who_removed_all_that_is_kept_of_us_gets_nothing_of_it_back(shop: Watched):
    shutil.rmtree(state_folder())
    shop.file.write_text("{}", encoding="utf-8")
    shop.watch.look_everywhere()
    shop.watch.look_everywhere()
    assert (state_folder().exists(), shop.file.read_text(encoding="utf-8")) == (False, "{}")


def test_a_session_whose_entries_nobody_knows_of_is_told_once(shop: Watched):
    shutil.rmtree(state_folder())
    shop.file.write_text("{}", encoding="utf-8")
    shop.restart()
    assert [shop.event("SessionStart"), shop.event("PreToolUse")] == [[], []], "it may just be about to be installed"
    text = (
        f"This session asks Interlock, but a new one in {shop.root} would not: no settings file contains the "
        "entries, and the notes about them are gone. If you did not remove them with `interlock uninstall`, check "
        "those files and run `interlock init`."
    )
    assert [shop.event(), shop.event("Stop")] == [[text], []]
    assert [record["reason"] for record in shop.records] == [text]


def test_a_session_with_settings_of_its_own_is_not(shop: Watched, monkeypatch: pytest.MonkeyPatch):
    shutil.rmtree(state_folder())
    shop.file.write_text("{}", encoding="utf-8")
    shop.restart()
    monkeypatch.setattr(entry_watch, "argv_of", lambda host: ["claude", "--settings", "x.json"])
    assert (shop.event(), shop.records) == ([], [])


def test_a_note_that_somebody_removed_with_the_entries_is_written_again(shop: Watched):
    for place in notes_folder().glob("*.json"):
        place.unlink()
    shop.file.write_text("{}", encoding="utf-8")
    assert len(shop.event()) == 1
    assert shop.is_guarded()
    assert read_notes().keys() == {str(shop.file)}


FORGED = {"type": "command", "command": "/tmp/x"}


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[]", b'{"file": "/x", "scope": "local", "entries": {}}', None])
def test_a_note_that_cannot_be_used_is_as_if_it_were_not_there(shop: Watched, text: bytes | None):
    """Nor one that would have something else put into the settings."""
    (place,) = notes_folder().glob("*.json")
    forged = {"file": str(shop.file), "scope": "local", "entries": {"PreToolUse": FORGED}}
    place.write_bytes(json.dumps(forged).encode() if text is None else text)
    shop.restart()
    assert shop.event("PreToolUse") == []
    shop.file.write_text("{}", encoding="utf-8")
    assert len(shop.event()) == 1
    assert shop.is_guarded()


def test_what_cannot_be_recorded_is_put_back_and_told_all_the_same(shop: Watched):
    def fail(record: object) -> None:
        raise InterlockError("the store is full")

    shop.watch._record = fail
    shop.file.write_text("{}", encoding="utf-8")
    assert len(shop.event()) == 1
    assert shop.is_guarded()


def test_where_notes_cannot_be_kept_the_session_goes_on_and_the_person_is_told(
    shop: Watched, monkeypatch: pytest.MonkeyPatch
):
    def fail() -> None:
        raise InterlockError("cannot use `lock`: No space left on device")

    monkeypatch.setattr(entry_watch, "notes_locked", fail)
    shop.file.write_text("{}", encoding="utf-8")
    assert shop.event() == [
        "Interlock cannot see whether its entries are still in the settings: cannot use `lock`: No space left on device"
    ]
    assert shop.event() == [], "once"
