"""The program that Amp asks, run as Amp runs it, with a client that says what it was told."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.hosts import in_envelope
from interlock.hosts.amp import delegate
from interlock.hosts.amp.setup import SETUP
from interlock.hosts.base import commands
from interlock.hosts.base.commands import COULD_NOT_RUN
from interlock.hosts.base.setup import EntryFile, OwnFile

CLIENT = "import json, sys; print(json.dumps([sys.argv[1:], sys.stdin.read()]))"
LISTED = '[{"tool": "Read", "action": "allow"}, {"tool": "Bash", "action": "ask"}]'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with the program, an Amp that shows its rules, and a client."""
    folder = tmp_path / "home" / ".config" / "amp"
    folder.mkdir(parents=True)
    amp = tmp_path / "amp"
    amp.write_text(
        f"#!/bin/sh\ntest \"$*\" = 'permissions list --builtin --json' && echo '{LISTED}'\n", encoding="utf-8"
    )
    amp.chmod(0o755)
    (tmp_path / "client.py").write_text(CLIENT, encoding="utf-8")
    monkeypatch.setattr(commands, "client_file", lambda: tmp_path / "client.py")
    monkeypatch.setattr("shutil.which", lambda name: str(amp))
    delegate._built_in.cache_clear()
    for file in SETUP.files("user", tmp_path, tmp_path / "home"):
        if isinstance(file, OwnFile):
            file.path.write_bytes(file.content)
            file.path.chmod(file.mode)
        else:
            file.path.write_text(
                json.dumps({"amp.permissions": [entry for _, entry in file.entries]}), encoding="utf-8"
            )
    yield tmp_path / "home"
    delegate._built_in.cache_clear()


def program(home: Path) -> Path:
    return home / ".config" / "amp" / "interlock-delegate"


def run(home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    environ = {"AGENT": "amp", "AGENT_TOOL_NAME": "Bash", "PATH": "/usr/bin:/bin", **env}
    return subprocess.run(
        [program(home)], input='{"cmd": "ls"}', env=environ, cwd=home, capture_output=True, text=True, check=False
    )


def test_the_client_is_given_what_amp_says_in_the_environment(home: Path):
    words, stdin = json.loads(run(home, AMP_THREAD_ID="T-1").stdout)
    assert (words[0], words[2:]) == ("amp:PreToolUse", [str(home), str(home), "Bash", "T-1", str(program(home))])
    assert stdin == '{"cmd": "ls"}'
    assert json.loads(run(home).stdout)[0][5].startswith("process-")


def test_without_its_client_every_call_is_refused_with_a_reason(home: Path, tmp_path: Path):
    (tmp_path / "client.py").unlink()
    done = run(home)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", COULD_NOT_RUN + "\n")


def test_an_event_has_what_amp_would_have_said_by_itself(home: Path):
    def own(tool: str) -> str:
        said = json.loads(in_envelope("amp", b'{"cmd": "ls"}', ["/w", tool, "T-1", str(program(home))]))
        assert (said["session_id"], said["cwd"], said["tool_input"]) == ("T-1", "/w", {"cmd": "ls"})
        return str(said["amp_permission"])

    assert (own("Read"), own("Bash"), own("frobnicate")) == ("allow", "ask", "ask")
    (home / ".config" / "amp" / "settings.json").write_text("{", encoding="utf-8")
    assert own("Read") == "ask"


def test_settings_with_comments_are_read_as_amp_reads_them(home: Path):
    settings = home / ".config" / "amp" / "settings.json"
    settings.write_text('{ // mine\n"amp.permissions": [{"tool": "Read", "action": "reject"},],}', encoding="utf-8")
    words = ["/w", "Read", "T-1", str(program(home))]
    assert json.loads(in_envelope("amp", b"{}", words))["amp_permission"] == "reject"
    settings.rename(settings.with_suffix(".jsonc"))
    assert json.loads(in_envelope("amp", b"{}", words))["amp_permission"] == "reject"


def test_a_persons_settings_of_the_other_name_are_not_put_out_of_force(home: Path):
    settings = home / ".config" / "amp" / "settings.json"
    assert [file.path for file in SETUP.files("user", home, home)][1] == settings
    settings.rename(settings.with_suffix(".jsonc"))
    assert [file.path for file in SETUP.files("user", home, home)][1] == settings.with_suffix(".jsonc")
    settings.write_text("{}", encoding="utf-8")
    assert [file.path for file in SETUP.files("user", home, home)][1] == settings, "Amp prefers it"


@pytest.mark.parametrize(("raw", "words"), [(b"{}", ["/w", "Bash", "T-1"]), (b"[]", ["/w", "Bash", "T-1", "/p"])])
def test_what_cannot_be_read_becomes_no_event(raw: bytes, words: list[str]):
    with pytest.raises(InterlockError):
        in_envelope("amp", raw, words)


def test_the_entry_comes_before_every_other(home: Path):
    (file,) = [file for file in SETUP.files("user", home, home) if isinstance(file, EntryFile)]
    assert file.first


def test_where_amp_is_not_on_the_path_its_rules_stay_as_they_were(home: Path, monkeypatch: pytest.MonkeyPatch):
    """A doctor that is run elsewhere would call the program old, and `init` would forget what Amp allows."""
    written = program(home).read_bytes()
    monkeypatch.setattr("shutil.which", lambda name: None)
    delegate._built_in.cache_clear()
    (file,) = (one for one in SETUP.files("user", home, home) if isinstance(one, OwnFile))
    assert file.content == written
    program(home).unlink()
    (file,) = (one for one in SETUP.files("user", home, home) if isinstance(one, OwnFile))
    assert file.content == written.replace(json.dumps(json.loads(LISTED), separators=(",", ":")).encode(), b"[]")
