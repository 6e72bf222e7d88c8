"""The scripts that Cline runs: whatever becomes of the client, they print an answer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from interlock.hosts.base import commands
from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.cline.setup import SETUP

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
