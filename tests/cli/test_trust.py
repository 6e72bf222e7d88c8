"""`interlock trust`: a person looks at what changed, and lets it act."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.project import Project

OLD = "{id: no-rm, command: rm, deny: No rm.}"
NEW = "{id: yes-ls, command: ls, allow: true}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def at_terminal(project: Project, answer: bytes, *arguments: str) -> tuple[int, str]:
    """The command as a person runs it at a terminal: its exit code and all it showed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "interlock", *arguments]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=project.root, env=project.environ(), close_fds=True
    )
    os.close(theirs)
    os.write(ours, answer)
    shown = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    return process.wait(30), shown.decode()


def trusted(project: Project) -> bool:
    found: bool = project.data("check")["layers"][0]["trusted"]
    return found


def test_a_dry_run_shows_the_change_and_trusts_and_forgets_nothing(project: Project):
    file = project.policy(OLD)
    result = project.run("trust", "--dry-run")
    assert (result.exit_code, project.short(result.stdout)) == (0, "interlock.yaml: would be trusted\n")
    assert "+++ interlock.yaml" in project.short(result.stderr)
    assert not trusted(project)
    project.trust()
    file.unlink()
    result = project.run("trust", "--forget", "--dry-run")
    assert (result.exit_code, project.short(result.stdout)) == (0, "interlock.yaml: would be forgotten\n")
    assert project.run("trust", "--forget", "--yes").exit_code == 0


def test_the_first_time_the_whole_policy_is_shown(project: Project):
    project.policy(OLD)
    result = project.run("trust", "--yes")
    assert (result.exit_code, project.short(result.stdout)) == (0, "interlock.yaml: trusted\n")
    assert project.short(result.stderr).splitlines() == [
        "--- trusted before",
        "+++ interlock.yaml",
        "@@ -0,0 +1,3 @@",
        "+version: 1",
        "+rules:",
        f"+  - {OLD}",
    ]
    assert trusted(project)


def test_later_only_what_changed_is_shown(project: Project):
    project.policy(OLD)
    project.run("trust", "--yes")
    project.policy(NEW)
    assert not trusted(project)
    result = project.run("trust", "--yes")
    assert project.short(result.stderr).splitlines() == [
        "--- trusted before",
        "+++ interlock.yaml",
        "@@ -1,3 +1,3 @@",
        " version: 1",
        " rules:",
        f"-  - {OLD}",
        f"+  - {NEW}",
    ]
    assert trusted(project)


def test_what_is_trusted_already_is_not_asked_about(project: Project):
    project.policy(OLD)
    project.run("trust", "--yes")
    result = project.run("trust")
    assert (result.exit_code, project.short(result.output)) == (0, "interlock.yaml: trusted already\n")
    assert project.data("trust") == {"file": str(project.root / "interlock.yaml"), "status": "trusted already"}


def test_without_a_terminal_nobody_can_say_yes(project: Project):
    project.policy(OLD)
    result = project.run("trust", stdin="y\n")
    assert result.exit_code == 1
    expected = "error: only a person at a terminal can give or withdraw trust\nhelp: look at the change and add --yes\n"
    assert result.stderr.endswith(expected)
    assert not trusted(project)


def test_at_a_terminal_a_person_says_yes_or_no(project: Project):
    project.policy(OLD)
    code, shown = at_terminal(project, b"n\n", "trust")
    assert (code, trusted(project)) == (1, False)
    assert f"Let {project.root}/interlock.yaml act in full? [y/N]" in shown
    assert f"error:\x1b[0m `{project.root}/interlock.yaml` is not trusted" in shown
    code, shown = at_terminal(project, b"y\n", "trust")
    assert (code, trusted(project)) == (0, True)


def test_a_policy_that_does_not_load_is_not_trusted(project: Project):
    project.write("version: 1\nrulez: []\n")
    code, text = project.said("trust", "--yes")
    assert code == 1
    assert text.startswith("error: unknown key `rulez` in the policy\n --> interlock.yaml:2:1\n")
    assert not (project.state / "trusted").exists()


def test_the_local_policy_is_trusted_with_the_project_s(project: Project):
    project.policy(OLD)
    project.policy(NEW, name="interlock.local.yaml")
    result = project.run("trust", "--yes")
    assert project.short(result.stdout) == "interlock.yaml: trusted\ninterlock.local.yaml: trusted\n"
    assert [one["trusted"] for one in project.data("check")["layers"]] == [True, True, True]


def test_without_a_policy_there_is_nothing_to_trust(project: Project):
    text = "error: there is no interlock.yaml in shop\nhelp: start one with `interlock init`\n"
    assert project.said("trust", "--yes") == (1, text)


def test_a_policy_is_trusted_from_a_folder_inside_the_project(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.policy(OLD)
    (project.root / "src").mkdir()
    monkeypatch.chdir(project.root / "src")
    assert project.run("trust", "--yes").exit_code == 0
    assert trusted(project)


@pytest.mark.parametrize("name", ["guards.py", "team.yaml"])
def test_a_change_of_what_the_policy_brings_in_is_shown_and_needs_trust(project: Project, name: str):
    project.policy(OLD, name="team.yaml")
    project.write("# old\n", "guards.py")
    project.policy(top="packs: [./team.yaml]\nhooks: [./guards.py]\n")
    project.run("trust", "--yes")
    assert trusted(project)
    part = project.root / name
    part.write_text(part.read_text(encoding="utf-8") + "# new\n", encoding="utf-8")
    assert not trusted(project)
    result = project.run("trust", "--yes")
    assert [line for line in result.stderr.splitlines() if line[0] in "+-"][2:] == ["+# new"]
    assert trusted(project)


def test_the_diff_cannot_hide_lines_behind_what_a_terminal_does(project: Project):
    """What the agent wrote must not be able to erase itself from the screen."""
    project.write("import os  # \x1b[2K\x1b[1A\r# nothing to see\n", "guards.py")
    project.policy(OLD, top="hooks: [./guards.py]\n")
    _, shown = at_terminal(project, b"n\n", "trust")
    assert ("import os" in shown, "\x1b[2K" in shown) == (True, False)


def test_what_changes_while_the_person_reads_is_not_trusted(project: Project, monkeypatch: pytest.MonkeyPatch):
    """Trusted is what was shown."""
    project.policy(OLD)

    def slowly(*_: object, **__: object) -> bool:
        project.policy(NEW)
        return True

    monkeypatch.setattr("interlock.cli.trust._confirm", slowly)
    project.run("trust")
    assert not trusted(project)
    project.policy(OLD)
    assert trusted(project)


@pytest.mark.parametrize("named", [("--policy", "interlock.yaml"), ("interlock.yaml",), ("../shop/interlock.yaml",)])
def test_a_policy_that_is_named_is_trusted(project: Project, named: tuple[str, ...]):
    """As it is then found by the project's layers."""
    project.write("# nothing\n", "guards.py")
    project.policy(OLD, top="hooks: [./guards.py]\n")
    assert project.run("trust", "--yes", *named).exit_code == 0
    assert trusted(project)


# --- forgetting --------------------------------------------------------------------------------------------


def kept(project: Project) -> list[str]:
    """What is trusted in this home, of whichever project."""
    return sorted(file.name for file in (project.state / "trusted").glob("*.json"))


def user_policy(project: Project, *rules: str) -> Path:
    file = project.home / ".config" / "interlock" / "policy.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("version: 1\nrules:\n" + "".join(f"  - {rule}\n" for rule in rules), encoding="utf-8")
    return file


def test_forgetting_drops_the_last_good_version(project: Project):
    file = project.policy(OLD)
    project.run("trust", "--yes")
    raw = project.call("Bash", "rm x")
    assert project.hook(raw).returncode == 2
    file.unlink()
    assert project.hook(project.call("Bash", "rm x", "c2")).returncode == 2
    result = project.run("trust", "--forget", "--yes")
    assert (result.exit_code, project.short(result.stdout)) == (0, "interlock.yaml: forgotten\n")
    assert result.stderr.splitlines() == [
        "--- still in force",
        "+++ (the file is gone)",
        "@@ -1,3 +0,0 @@",
        "-version: 1",
        "-rules:",
        f"-  - {OLD}",
    ]
    assert project.hook(project.call("Bash", "rm x", "c3")).returncode == 0


def test_a_version_that_was_met_and_never_trusted_is_dropped_too(project: Project):
    file = project.policy(OLD)
    assert project.hook(project.call("Bash", "rm x")).returncode == 2
    file.unlink()
    assert project.hook(project.call("Bash", "rm x", "c2")).returncode == 2
    assert project.run("trust", "--forget", "--yes").exit_code == 0
    assert project.hook(project.call("Bash", "rm x", "c3")).returncode == 0


def test_a_user_policy_that_is_gone_is_dropped_by_its_own_option_and_by_its_name(project: Project):
    for number, named in enumerate(("--user", str(project.home / ".config/interlock/policy.yaml"))):
        file = user_policy(project, OLD)
        assert project.hook(project.call("Bash", "rm x", f"a{number}")).returncode == 2
        file.unlink()
        assert project.hook(project.call("Bash", "rm x", f"b{number}")).returncode == 2
        assert project.run("trust", "--forget", named, "--yes").exit_code == 0
        assert project.hook(project.call("Bash", "rm x", f"c{number}")).returncode == 0


def test_forgetting_the_user_policy_leaves_the_project_s_trust_alone(project: Project):
    project.policy(NEW)
    project.run("trust", "--yes")
    file = user_policy(project, OLD)
    project.hook(project.call("Bash", "rm x"))
    file.unlink()
    assert len(kept(project)) == 2
    assert project.run("trust", "--forget", "--user", "--yes").exit_code == 0
    assert len(kept(project)) == 1
    assert trusted(project)


def test_without_a_file_only_policies_that_are_gone_are_forgotten(project: Project):
    """In a project whose policy is there, nothing is revoked, and the person learns what they may mean."""
    project.policy(NEW)
    project.run("trust", "--yes")
    nothing = "error: no policy that is gone from shop is in force\nhelp: "
    by_name = "name the file whose trust you want to withdraw: `interlock trust --forget FILE`\n"
    assert project.said("trust", "--forget", "--yes") == (1, nothing + by_name)
    assert trusted(project)
    file = user_policy(project, OLD)
    project.hook(project.call("Bash", "rm x"))
    file.unlink()
    by_option = "`interlock trust --forget --user` drops ~/.config/interlock/policy.yaml\n"
    assert project.said("trust", "--forget", "--yes") == (1, nothing + by_option)
    assert trusted(project)


def test_the_local_policy_that_is_gone_is_forgotten_and_the_other_one_stays_trusted(project: Project):
    project.policy(NEW)
    local = project.policy(OLD, name="interlock.local.yaml")
    project.run("trust", "--yes")
    local.unlink()
    result = project.run("trust", "--forget", "--yes")
    assert (result.exit_code, project.short(result.stdout)) == (0, "interlock.local.yaml: forgotten\n")
    assert [one["trusted"] for one in project.data("check")["layers"]] == [True, True]


def test_naming_a_file_that_is_there_takes_its_trust_back_and_that_of_no_other(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    project.policy(NEW)
    project.run("trust", "--yes")
    other = project.home / "other"
    other.mkdir()
    (other / "interlock.yaml").write_text("version: 1\nrules: []\n", encoding="utf-8")
    monkeypatch.chdir(other)
    project.run("trust", "--yes")
    assert len(kept(project)) == 2
    result = project.run("trust", "--forget", "../../shop/interlock.yaml", "--yes")
    assert (result.exit_code, project.short(result.stdout)) == (0, "interlock.yaml: forgotten\n")
    assert trusted(project), "the other project's"
    monkeypatch.chdir(project.root)
    assert not trusted(project)


def test_forgetting_asks_and_without_a_terminal_forgets_nothing(project: Project):
    file = project.policy(OLD)
    project.run("trust", "--yes")
    file.unlink()
    result = project.run("trust", "--forget", stdin="y\n")
    assert result.exit_code == 1
    assert result.stderr.endswith(
        "error: only a person at a terminal can give or withdraw trust\nhelp: look at the change and add --yes\n"
    )
    assert len(kept(project)) == 1
    code, shown = at_terminal(project, b"n\n", "trust", "--forget")
    assert (code, len(kept(project))) == (1, 1)
    assert f"Drop the last good version of {file}? None of its rules will apply any more. [y/N]" in shown
    code, _ = at_terminal(project, b"y\n", "trust", "--forget")
    assert (code, kept(project)) == (0, [])


def test_what_holds_without_trust_cannot_be_forgotten_while_it_is_there(project: Project):
    user_policy(project, OLD)
    project.hook(project.call("Bash", "rm x"))
    code, text = project.said("trust", "--forget", "--user", "--yes")
    assert (code, text) == (
        1,
        "error: `~/.config/interlock/policy.yaml` still exists, and applies without being trusted\n"
        "help: remove the file first, then run this\n",
    )


def test_a_file_of_which_nothing_is_kept_is_named(project: Project):
    file = str(project.root / "interlock.yaml")
    assert project.data("trust", "--forget", "interlock.yaml") == {"file": file, "status": "nothing is kept of it"}


@pytest.mark.parametrize(
    "arguments",
    [("--user",), ("--user", "--forget", "interlock.yaml"), ("interlock.yaml", "--policy", "interlock.yaml")],
)
def test_options_that_contradict_each_other_are_refused(project: Project, arguments: tuple[str, ...]):
    assert project.run("trust", *arguments).exit_code == 2
