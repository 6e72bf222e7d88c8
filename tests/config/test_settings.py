"""What several policies say together about the inbox and the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.config import places as config
from interlock.config.bundles import core_policy, find_pack, load_file
from interlock.config.settings import inbox_settings, personal_policies, record_settings
from interlock.errors import InterlockError, Source
from interlock.judging.in_force import policies_in_force
from interlock.policy.inbox_settings import InboxSettings, RecordSettings, Webhook
from interlock.policy.load import load_policy
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    return Project(tmp_path, monkeypatch)


def write_policy(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"version: 1\n{text}", encoding="utf-8")
    return file


def test_nothing_is_said_where_no_policy_says_it(project: Project):
    assert inbox_settings([core_policy()]) == InboxSettings()
    assert record_settings([core_policy()]) == RecordSettings()
    assert list(personal_policies()) == []


def test_the_shortest_wait_wins_whichever_layer_names_it(project: Project):
    own = write_policy(config.user_policy(), "inbox: {wait: 5m}\n")
    write_policy(config.MANAGED, "inbox: {wait: 10m}\n")
    policies = policies_in_force(project.root).policies
    assert inbox_settings(policies) == InboxSettings(wait=300.0, source=Source(str(own), 2, 15))
    shop = write_policy(project.root / "interlock.yaml", "inbox: {wait: 1m}\n")
    policies = policies_in_force(project.root).policies
    assert inbox_settings(policies) == InboxSettings(wait=60.0, source=Source(str(shop), 2, 15))


def test_the_administrator_beats_the_person_about_everything_else(project: Project):
    write_policy(
        config.user_policy(),
        "inbox: {desktop: true, webhook: {url: https://own.example, secret: /k}}\nrecord: {keep: 30d}\n",
    )
    assert inbox_settings(personal_policies()) == InboxSettings(
        desktop=True, webhook=Webhook(url="https://own.example", secret="/k")
    )
    assert record_settings(personal_policies()) == RecordSettings(keep=30 * 86_400.0)
    write_policy(
        config.MANAGED,
        "inbox: {desktop: false, webhook: {url: https://managed.example, secret: /m}}\nrecord: {keep: 365d}\n",
    )
    assert inbox_settings(personal_policies()) == InboxSettings(
        desktop=False, webhook=Webhook(url="https://managed.example", secret="/m")
    )
    assert record_settings(personal_policies()) == RecordSettings(keep=365 * 86_400.0)


@pytest.mark.parametrize("text", ["inbox: {desktop: true}\n", "record: {keep: 1d}\n"])
def test_a_project_that_says_where_calls_are_sent_is_refused(project: Project, text: str):
    file = write_policy(project.root / "interlock.yaml", text)
    with pytest.raises(InterlockError, match="in a project's policy"):
        load_file(file)
    with pytest.raises(InterlockError, match="in a project's policy"):
        policies_in_force(project.root)


def test_a_projects_settings_do_not_count_however_they_were_loaded(project: Project):
    text = "version: 1\ninbox: {desktop: true, webhook: {url: https://a.example, secret: /k}}\nrecord: {keep: 1d}\n"
    policy = load_policy(text, str(project.root / "interlock.yaml"), find_pack)
    assert inbox_settings([policy]) == InboxSettings()
    assert record_settings([policy]) == RecordSettings()
