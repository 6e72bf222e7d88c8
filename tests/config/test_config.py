"""Where policies are, which layer they are, and what of them acts before a person has trusted them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.config import places as config
from interlock.config.bundles import find_pack, load_file
from interlock.config.layers import layers_of
from interlock.config.places import project_root
from interlock.config.trust import Trust, without_trust
from interlock.errors import InterlockError
from tests.lint.project import Project

ONE = "version: 1\nrules: [{id: one, tool: Bash, deny: One.}]\n"

PACKS = ", ".join(sorted(file.stem for file in (config.PACKAGE / "packs").glob("*.yaml")))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    return Project(tmp_path, monkeypatch)


def written(file: Path, text: str = ONE) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


# --- layers ------------------------------------------------------------------------------------------------


def test_layers_come_lowest_first_and_core_last(project: Project):
    for file in (
        project.root / "interlock.yaml",
        project.root / "interlock.local.yaml",
        project.home / ".config" / "interlock" / "policy.yaml",
        config.MANAGED,
    ):
        written(file)
    found = [(one.layer, one.trusted) for one in layers_of(project.root)]
    assert found == [("local", False), ("project", False), ("user", True), ("managed", True), ("core", True)]


def test_layers_that_have_no_file_are_left_out(project: Project):
    assert [one.layer for one in layers_of(project.root)] == ["core"]


def test_a_policy_that_a_person_named_is_trusted_and_stands_alone_beside_core(project: Project):
    written(project.root / "interlock.yaml")
    named = written(project.root / "other.yaml")
    found = [(one.layer, one.policy.file, one.trusted) for one in layers_of(project.root, named)]
    assert found[0] == ("given", str(named), True)
    assert [layer for layer, _, _ in found] == ["given", "core"]


def test_a_trusted_project_policy_acts_in_full(project: Project):
    file = written(project.root / "interlock.yaml", "version: 1\nrules: [{id: yes-ls, tool: Bash, allow: true}]\n")
    before, _ = layers_of(project.root)
    assert (before.trusted, before.in_force.rules) == (False, ())
    Trust().add(file)
    after, _ = layers_of(project.root)
    assert (after.trusted, after.in_force) == (True, after.policy)


def test_a_policy_that_is_not_there_cannot_be_read(project: Project):
    with pytest.raises(InterlockError) as caught:
        load_file(project.root / "gone.yaml")
    assert project.short(caught.value.message) == "cannot read `gone.yaml`: No such file or directory"


# --- the project's root ------------------------------------------------------------------------------------


def test_the_root_is_the_nearest_folder_with_a_policy(project: Project):
    written(project.root / "interlock.yaml")
    inner = project.root / "a" / "b"
    inner.mkdir(parents=True)
    assert project_root(inner) == project.root
    written(project.root / "a" / "interlock.yaml")
    assert project_root(inner) == project.root / "a"


def test_a_policy_further_up_beats_a_repository_nearer_by(project: Project):
    """A nested repository does not leave the policy it stands under."""
    written(project.root / "interlock.yaml")
    (project.root / "vendored" / ".git").mkdir(parents=True)
    assert project_root(project.root / "vendored") == project.root


def test_without_a_policy_the_root_is_the_repository(project: Project):
    (project.root / ".git").mkdir()
    (project.root / "src").mkdir()
    assert project_root(project.root / "src") == project.root


def test_a_worktree_is_a_repository_too(project: Project):
    written(project.root / ".git", "gitdir: /elsewhere\n")
    (project.root / "src").mkdir()
    assert project_root(project.root / "src") == project.root


def test_without_policy_and_repository_the_root_is_where_one_stands(project: Project):
    inner = project.root / "src"
    inner.mkdir()
    assert project_root(inner) == inner
    assert project_root(inner / ".." / "src") == inner


def test_a_symlink_is_followed_to_the_root_it_leads_to(project: Project):
    written(project.root / "interlock.yaml")
    link = project.home / "link"
    link.symlink_to(project.root)
    assert project_root(link) == project.root


# --- packs -------------------------------------------------------------------------------------------------


def test_a_shipped_pack_is_found_by_name():
    file, text = find_pack("git", "/anywhere/interlock.yaml")
    assert Path(file).name == "git.yaml"
    assert text.startswith(b"# Keeps shared history")


@pytest.mark.parametrize("name", ["./team.yaml", "../shop/team.yaml"])
def test_an_own_pack_is_found_beside_the_policy_that_uses_it(project: Project, name: str):
    written(project.root / "team.yaml")
    found = find_pack(name, str(project.root / "interlock.yaml"))
    assert found == (str(project.root / "team.yaml"), ONE.encode())


@pytest.mark.parametrize(
    ("name", "message", "help"),
    [
        ("gti", "there is no pack `gti`", "did you mean `git`?"),
        ("kubernetes", "there is no pack `kubernetes`", f"packs: {PACKS}"),
    ],
)
def test_a_pack_that_is_not_shipped_is_refused_with_those_that_are(name: str, message: str, help: str):
    with pytest.raises(InterlockError) as caught:
        find_pack(name, "/interlock.yaml")
    assert caught.value.message == message
    assert (caught.value.help or "").startswith(help)


def test_an_own_pack_that_is_not_there_is_refused_by_name(project: Project):
    with pytest.raises(InterlockError) as caught:
        find_pack("./gone.yaml", str(project.root / "interlock.yaml"))
    assert project.short(caught.value.message) == "cannot read `gone.yaml`: No such file or directory"


# --- before trust ------------------------------------------------------------------------------------------

MIXED = """
version: 1
brief: true
state: {seen: 0}
hooks: [./guards.py, {run: ./check.sh}]
rules:
  - {id: no-rm, command: rm, deny: No rm.}
  - {id: ask-mv, command: mv, ask: "Move?"}
  - {id: yes-ls, command: ls, allow: true}
  - {id: later, command: at, defer: true}
  - {id: quieter, tool: Bash, change: {timeout: 5}}
  - {id: both, tool: Write, change: {file_path: /tmp/x}, ask: "Moved."}
  - {id: remember, tool: Bash, set: {seen: "${state.seen + 1}"}}
  - {id: deny-and-set, command: dd, deny: No dd., set: {seen: 9}}
  - {id: checked, event: Stop, run: "true", deny: Not yet.}
  - {id: tell, event: UserPromptSubmit, context: Hello.}
  - {id: hide, event: PostToolUse, tool: Bash, output: hidden}
  - {id: watched, command: cp, deny: No cp., observe: true}
  - {id: lenient, command: ln, deny: No ln., on_error: ignore}
  - {id: ping, tool: Bash, command: curl, deny: No curl., notify: Tried curl., context: Be good.}
"""


def test_untrusted_only_what_denies_or_asks_decides(project: Project):
    policy = load_file(written(project.root / "interlock.yaml", MIXED))
    left = without_trust(policy)
    decisions = {rule.id: rule.decision for rule, _ in left.rules if rule.decision is not None}
    assert decisions == {
        "no-rm": "deny",
        "ask-mv": "ask",
        "both": "ask",
        "deny-and-set": "deny",
        "watched": "deny",
        "lenient": "deny",
        "ping": "deny",
    }
    assert (left.hook_files, left.externals, left.brief) == ((), (), False)


def test_untrusted_a_rule_that_is_left_only_decides_or_marks(project: Project):
    policy = load_file(written(project.root / "interlock.yaml", MIXED))
    for rule, _ in without_trust(policy).rules:
        effects = (rule.change, rule.output, rule.set, rule.context, rule.notify, rule.run)
        assert effects == (None,) * 6, rule.id
        assert rule.on_error == "deny", rule.id


def test_untrusted_a_mark_that_a_deny_counts_on_still_counts(project: Project):
    """A rule without effect loosens nothing and runs nothing; without it the deny that asks for it is lost."""
    text = """
version: 1
rules:
  - {id: secret-read, path: {read: .env}}
  - {id: network-after-secret, url: "*", when: 'count("secret-read") > 0', deny: Closed.}
"""
    policy = load_file(written(project.root / "interlock.yaml", text))
    assert [rule.id for rule, _ in without_trust(policy).rules] == ["secret-read", "network-after-secret"]


# --- what is trusted ---------------------------------------------------------------------------------------


def test_trust_is_by_content_and_not_by_time(project: Project):
    file = written(project.root / "interlock.yaml")
    Trust().add(file)
    assert Trust().holds(file)
    written(file, ONE + "# more\n")
    assert not Trust().holds(file)
    written(file, ONE)
    assert Trust().holds(file)


def test_the_same_text_in_another_project_is_not_trusted(project: Project):
    Trust().add(written(project.root / "interlock.yaml"))
    assert not Trust().holds(written(project.root / "other" / "interlock.yaml"))


def test_a_file_that_is_gone_is_not_trusted(project: Project):
    file = written(project.root / "interlock.yaml")
    Trust().add(file)
    file.unlink()
    assert not Trust().holds(file)


BRINGS = "version: 1\nhooks: [./guards.py]\npacks: [./team.yaml, git]\nrules: []\n"


@pytest.mark.parametrize("name", ["guards.py", "team.yaml"])
def test_what_a_policy_brings_in_is_part_of_what_is_trusted(project: Project, name: str):
    written(project.root / "guards.py", "# nothing\n")
    written(project.root / "team.yaml")
    file = written(project.root / "interlock.yaml", BRINGS)
    Trust().add(file)
    assert Trust().holds(file)
    part = project.root / name
    part.write_text(part.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert not Trust().holds(file)


def test_a_policy_whose_hooks_file_is_missing_cannot_be_trusted(project: Project):
    """Whatever appeared in its place later would be trusted unseen."""
    file = written(project.root / "interlock.yaml", "version: 1\nhooks: [./guards.py]\n")
    with pytest.raises(InterlockError, match="guards"):
        Trust().add(file)
    assert not Trust().holds(file)


def test_a_pack_without_rules_is_part_of_what_is_trusted(project: Project):
    """What it says of tools changes what rules see."""
    written(project.root / "tools.yaml", "version: 1\ntools: {mcp__files__save: {write: target}}\n")
    file = written(project.root / "interlock.yaml", "version: 1\npacks: [./tools.yaml]\n")
    Trust().add(file)
    written(project.root / "tools.yaml", "version: 1\ntools: {mcp__files__save: {read: target}}\n")
    assert not Trust().holds(file)


def test_a_pack_whose_rules_are_all_dropped_is_part_of_what_is_trusted(project: Project):
    written(project.root / "team.yaml")
    text = "version: 1\npacks: [{use: ./team.yaml, without: [one]}]\n"
    file = written(project.root / "interlock.yaml", text)
    Trust().add(file)
    written(project.root / "team.yaml", ONE + "tools: {mcp__files__save: {read: target}}\n")
    assert not Trust().holds(file)


def test_trust_does_not_depend_on_how_the_file_was_named(project: Project):
    written(project.root / "guards.py", "# nothing\n")
    written(project.root / "team.yaml")
    file = written(project.root / "interlock.yaml", BRINGS)
    Trust().add(Path("interlock.yaml"))
    assert Trust().holds(file)
