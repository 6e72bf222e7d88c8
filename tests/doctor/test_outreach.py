"""The doctor says why people do not hear of requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.doctor.finding import Finding, note, ok
from interlock.doctor.outreach import look
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("PATH", str(tmp_path))
    return Project(tmp_path, monkeypatch)


def found(project: Project, inbox: str, key: bytes | None = None, mode: int = 0o600) -> list[Finding]:
    folder = project.home / ".config" / "interlock"
    folder.mkdir(parents=True)
    (folder / "policy.yaml").write_text(f"version: 1\n{inbox}\n", encoding="utf-8")
    if key is not None:
        (folder / "key").write_bytes(key)
        (folder / "key").chmod(mode)
    return list(look())


WEBHOOK = "inbox: {webhook: {url: 'https://hooks.example/x', secret: ~/.config/interlock/key}}"
HELP = "python -c 'import secrets; print(secrets.token_hex(32))' writes a good key"


def test_nothing_is_said_where_nobody_wants_to_be_told(project: Project):
    assert list(look()) == []
    assert found(project, "inbox: {wait: 5m}") == []


def test_a_webhook_with_a_good_key(project: Project):
    assert found(project, WEBHOOK, b"k" * 32) == [ok("requests", "messages about them go to hooks.example")]


def test_a_key_that_is_missing(project: Project):
    (finding,) = found(project, WEBHOOK)
    assert (finding.level, finding.help) == ("note", HELP)
    assert finding.text.startswith("nothing can be sent to hooks.example: the webhook's key cannot be read: ")


def test_a_key_that_others_can_read(project: Project):
    key = project.home / ".config/interlock/key"
    assert found(project, WEBHOOK, b"k" * 32, 0o644) == [
        note("requests", f"others can read the key of the webhook, {key}", f"chmod 600 {key}")
    ]


def test_a_desktop_that_cannot_show_notices(project: Project):
    text = "there is no `notify-send` or `osascript` to show notices on the desktop with"
    assert found(project, "inbox: {desktop: true}") == [note("requests", text)]


def test_a_policy_that_does_not_load_is_said_elsewhere(project: Project):
    assert found(project, "inboxx: 1") == []
