"""The scripts that Cline runs: whatever becomes of the client, they print an answer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from interlock.hosts.base import commands
from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.cline.setup import SETUP, script_text

CANCEL = {"cancel": True, "errorMessage": COULD_NOT_RUN}


@pytest.mark.parametrize(
    ("client", "answer"),
    [
        ("print('{\"cancel\": false}')", {"cancel": False}),
        ("raise SystemExit(2)", CANCEL),
        ("import os; os.kill(os.getpid(), 9)", CANCEL),
        (None, CANCEL),
    ],
)
def test_a_script_prints_the_answer_of_the_client_or_a_refusal(
    client: str | None, answer: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    place = tmp_path / "client.py"
    if client is not None:
        place.write_text(client, encoding="utf-8")
    monkeypatch.setattr(commands, "client_file", lambda: place)
    for file in SETUP.files("project", tmp_path, tmp_path):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_bytes(file.content)  # type: ignore[union-attr]  # every file of Cline is Interlock's own
        file.path.chmod(0o755)
        done = subprocess.run([file.path], input="{}", capture_output=True, text=True, check=False)
        assert json.loads(done.stdout) == answer


def test_a_script_says_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    place = tmp_path / "client.py"
    place.write_text("import json, sys; print(json.dumps({'cancel': False, 'words': sys.argv[3:]}))", encoding="utf-8")
    monkeypatch.setattr(commands, "client_file", lambda: place)
    script = tmp_path / "PreToolUse"
    script.write_text(script_text("PreToolUse"), encoding="utf-8")
    done = subprocess.run(["sh", script], input="{}", capture_output=True, text=True, check=False, cwd=tmp_path)
    assert json.loads(done.stdout)["words"] == [str(tmp_path)] * 2


@pytest.mark.parametrize(
    ("settings", "other"),
    [
        ('XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n', "Dokumente"),
        ('XDG_DESKTOP_DIR="$HOME/Desktop"\nXDG_DOCUMENTS_DIR="$HOME/Documents"\n', None),
        ("", "."),
        (None, "."),
    ],
)
def test_a_persons_scripts_are_where_the_sdk_and_the_extension_look(
    settings: str | None, other: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("interlock.hosts.cline.setup.sys.platform", "linux")
    monkeypatch.setattr("interlock.hosts.cline.setup.shutil.which", lambda name: f"/usr/bin/{name}")
    if settings is not None:
        (tmp_path / ".config").mkdir()
        (tmp_path / ".config" / "user-dirs.dirs").write_text(settings, encoding="utf-8")
    found = {file.path.parent for file in SETUP.files("user", tmp_path, tmp_path)}
    expected = {tmp_path / "Documents" / "Cline" / "Hooks"}
    assert found == expected | ({tmp_path / other / "Cline" / "Hooks"} if other else set())


def test_without_the_desktops_program_there_is_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("interlock.hosts.cline.setup.shutil.which", lambda name: None)
    found = {file.path.parent for file in SETUP.files("user", tmp_path, tmp_path)}
    assert found == {tmp_path / "Documents" / "Cline" / "Hooks"}
