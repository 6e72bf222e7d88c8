"""How `interlock init` chooses between a process for each call and HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.config import places as config
from interlock.hosts.claude_code import places
from interlock.hosts.claude_code.events import WEB_EVENTS
from tests.lint.project import Project

OVER_HTTP = "; calls go over HTTP on this machine\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(places, "MANAGED", tmp_path / "etc" / "managed-settings.json")
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return Project(tmp_path, monkeypatch)


def client(tmp_path: Path, version: str) -> str:
    program = tmp_path / "claude"
    program.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def sent_over_http(project: Project, name: str = "settings.local.json") -> set[str]:
    hooks = json.loads((project.root / ".claude" / name).read_text(encoding="utf-8"))["hooks"]
    return {event for event, [group] in hooks.items() if group["hooks"][0]["type"] == "http"}


def test_a_client_that_refuses_when_an_entry_fails_is_reached_over_http(project: Project, tmp_path: Path):
    code, text = project.said("init", "--yes", "--client", client(tmp_path, "2.1.325"))
    assert (code, OVER_HTTP in text, sent_over_http(project)) == (0, True, set(WEB_EVENTS))


def test_where_no_client_is_found_each_call_starts_a_process(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code, text = project.said("init", "--yes")
    assert (code, "starts a process" in text, sent_over_http(project)) == (0, False, set())


def test_an_older_client_is_spawned_for_and_the_reason_given(project: Project, tmp_path: Path):
    code, text = project.said("init", "--yes", "--client", client(tmp_path, "2.1.294"))
    assert (code, sent_over_http(project)) == (0, set())
    assert "; each call starts a process: Claude Code 2.1.294 lets a call pass when an HTTP hook fails" in text


@pytest.mark.parametrize("where", ["environment", "settings"])
def test_a_proxy_is_never_sent_a_call(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str):
    if where == "environment":
        monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    else:
        project.write(json.dumps({"env": {"HTTPS_PROXY": "http://proxy.example"}}), ".claude/settings.json")
    code, text = project.said("init", "--yes", "--client", client(tmp_path, "2.1.325"))
    assert (code, sent_over_http(project)) == (0, set())
    assert "; each call starts a process: HTTP" in text


def test_where_settings_would_keep_http_entries_from_running_each_call_starts_a_process(
    project: Project, tmp_path: Path
):
    project.write(json.dumps({"allowedHttpHookUrls": ["https://hooks.corp.example/*"]}), ".claude/settings.json")
    code, text = project.said("init", "--yes", "--client", client(tmp_path, "2.1.325"))
    assert (code, sent_over_http(project), OVER_HTTP in text) == (0, set(), False)
    assert "; each call starts a process: " in text
    assert "allowedHttpHookUrls" in text


def test_a_shared_file_never_gets_a_port_or_a_token(project: Project, tmp_path: Path):
    code, text = project.said("init", "--yes", "--scope", "project", "--client", client(tmp_path, "2.1.325"))
    assert (code, "process" in text, sent_over_http(project, "settings.json")) == (0, False, set())


def test_a_person_may_insist_on_either(project: Project, tmp_path: Path):
    new = client(tmp_path, "2.1.325")
    assert project.said("init", "--yes", "--transport", "spawn", "--client", new)[0] == 0
    assert sent_over_http(project) == set()
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\n", encoding="utf-8")
    silent.chmod(0o755)
    code, text = project.said("init", "--yes", "--transport", "http", "--client", silent)
    assert (code, sent_over_http(project)) == (1, set())
    assert "the version of Claude Code is not known" in text
    assert project.said("init", "--yes", "--transport", "http", "--client", new)[0] == 0
    assert sent_over_http(project) == set(WEB_EVENTS)
