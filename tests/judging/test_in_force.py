"""Which policies hold for a session: pinned roots, last good versions, what tightens at once, pauses."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from pathlib import Path

import pytest
from msgspec import json

from interlock.config import places as config
from interlock.errors import InterlockError
from interlock.judging.guard import Guard
from interlock.judging.in_force import InForce, policies_in_force
from interlock.judging.pause import Pause
from interlock.judging.roots import fix_root
from interlock.judging.stand_ins import BrokenPolicy
from interlock.judging.versions import forget
from interlock.probe.world import Machine
from interlock.service import Reply, answer, handle
from interlock.store.memory import MemoryStore
from tests.lint.project import Project

NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
NO_MV = "{id: no-mv, command: mv, deny: No mv.}"
YES_LS = "{id: yes-ls, command: ls, allow: true}"
BROKEN = "version: 1\nrules: [{id: no-rm, comand: rm, deny: No.}]\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr(config, "MANAGED", tmp_path / "etc" / "policy.yaml")
    return Project(tmp_path, monkeypatch)


def force(project: Project) -> InForce:
    return policies_in_force(project.root)


def ids(found: InForce) -> list[list[str]]:
    """The rules of every policy in force, but for the built-in ones."""
    return [[rule.id for rule, _ in policy.rules] for policy in found.policies[:-1]]


def notices(project: Project, found: InForce) -> list[str]:
    return [project.short(text) for text in found.notices]


def judged(project: Project, found: InForce, tool: str, given: object) -> Reply:
    store = MemoryStore()
    with Guard(found.policies, Machine(str(project.root)), store, project=str(project.root)) as guard:
        return answer(guard, "claude-code", project.call(tool, given))


def decided(project: Project, command: str) -> str | None:
    return judged(project, force(project), "Bash", command).verdict.decision


def decisions(project: Project, *commands: str) -> list[str | None]:
    """What is decided of calls one after the other in one session."""
    store = MemoryStore()
    root = str(project.root)
    with Guard(force(project).policies, Machine(root), store, project=root) as guard:
        calls = [project.call("Bash", command, f"c{number}") for number, command in enumerate(commands)]
        return [answer(guard, "claude-code", raw).verdict.decision for raw in calls]


def managed(*rules: str, top: str = "") -> None:
    """The managed policy of this machine."""
    config.MANAGED.parent.mkdir()
    listed = "".join(f"  - {rule}\n" for rule in rules)
    config.MANAGED.write_text(f"version: 1\n{top}rules:\n{listed}", encoding="utf-8")


# --- trust -------------------------------------------------------------------------------------------------


def test_without_files_only_the_built_in_rules_hold(project: Project):
    found = force(project)
    assert [Path(policy.file).name for policy in found.policies] == ["core.yaml"]
    assert found.notices == ()


def test_untrusted_a_policy_denies_and_does_not_allow(project: Project):
    project.policy(NO_RM, YES_LS)
    assert (decided(project, "rm x"), decided(project, "ls")) == ("deny", None)


def test_trusted_a_policy_acts_in_full(project: Project):
    project.policy(NO_RM, YES_LS)
    project.trust()
    assert (decided(project, "rm x"), decided(project, "ls")) == ("deny", "allow")


def test_a_change_tightens_at_once_and_loosens_only_after_trust(project: Project):
    project.policy(NO_RM, YES_LS)
    project.trust()
    force(project)
    project.policy(NO_MV, "{id: yes-date, command: date, allow: true}")
    commands = ("rm x", "mv x y", "ls", "date")
    assert [decided(project, command) for command in commands] == ["deny", "deny", "allow", None]
    assert notices(project, force(project)) == [
        "interlock.yaml changed; until `interlock trust`, only its new deny and ask rules take effect"
    ]
    project.trust()
    assert [decided(project, command) for command in commands] == [None, "deny", None, "allow"]
    assert force(project).notices == ()


def test_a_change_taken_back_needs_no_trust(project: Project):
    file = project.policy(NO_RM)
    project.trust()
    force(project)
    text = file.read_bytes()
    project.policy(NO_MV)
    file.write_bytes(text)
    assert (ids(force(project)), force(project).notices) == ([["no-rm"]], ())


def test_what_an_untrusted_policy_denies_stays_denied_when_the_agent_takes_it_out(project: Project):
    """A changed file loosens only after trust, also one that was never trusted."""
    project.policy(NO_RM)
    assert decided(project, "rm x") == "deny"
    project.policy(NO_MV)
    assert decided(project, "rm x") == "deny"


def test_what_an_untrusted_version_added_stays_when_the_first_version_comes_back(project: Project):
    file = project.policy(NO_RM)
    first = file.read_bytes()
    assert decided(project, "mv x y") is None
    file = project.policy(NO_MV)
    assert decided(project, "mv x y") == "deny"
    file.write_bytes(first)
    assert decided(project, "mv x y") == "deny"


def test_what_an_untrusted_policy_denies_stays_denied_when_the_file_is_deleted(project: Project):
    file = project.policy(NO_RM)
    assert decided(project, "rm x") == "deny"
    file.unlink()
    assert decided(project, "rm x") == "deny"


def test_a_changed_pack_loosens_only_after_trust(project: Project):
    """The last good version of a policy is that of everything it brought in."""
    project.policy(NO_RM, name="team.yaml")
    project.policy(top="packs: [./team.yaml]\n", name="interlock.yaml")
    project.trust()
    assert decided(project, "rm x") == "deny"
    project.policy(YES_LS, name="team.yaml")
    assert (decided(project, "rm x"), decided(project, "ls")) == ("deny", None)


def test_a_changed_hooks_file_is_not_run_before_trust(project: Project):
    marker = project.root / "ran"
    project.write("# nothing\n", "guards.py")
    project.policy(NO_RM, top="hooks: [./guards.py]\n")
    project.trust()
    force(project)
    project.write(f"open({str(marker)!r}, 'w')\n", "guards.py")
    judged(project, force(project), "Bash", "ls")
    assert not marker.exists()


def test_a_policy_that_breaks_with_its_pack_keeps_its_last_good_rules(project: Project):
    project.policy(NO_RM, name="team.yaml")
    project.policy(top="packs: [./team.yaml]\n", name="interlock.yaml")
    project.trust()
    assert decided(project, "rm x") == "deny"
    project.write("version: 1\nrulez: []\n", "team.yaml")
    assert decided(project, "rm x") == "deny"


# --- broken and missing ------------------------------------------------------------------------------------


def test_a_policy_that_breaks_leaves_its_last_good_version_in_force(project: Project):
    project.policy(NO_RM, YES_LS)
    project.trust()
    force(project)
    project.write(BROKEN)
    found = force(project)
    assert ids(found) == [["no-rm", "yes-ls"]]
    assert notices(project, found) == [
        "interlock.yaml is broken (unknown key `comand` in rule `no-rm` [interlock.yaml:2:21]; "
        "did you mean `command`?); its last good version is in force. Run `interlock check`."
    ]


def test_a_policy_that_is_deleted_stays_in_force(project: Project):
    file = project.policy(NO_RM, YES_LS)
    project.trust()
    force(project)
    file.unlink()
    found = force(project)
    assert ids(found) == [["no-rm", "yes-ls"]]
    assert notices(project, found) == [
        "interlock.yaml is gone; its last good version is in force (`interlock trust --forget interlock.yaml` drops it)"
    ]
    forget(file)
    assert (ids(force(project)), force(project).notices) == ([], ())


@pytest.mark.parametrize(("layer", "named"), [("user", "--user"), ("managed", "{file}")])
def test_the_notice_names_the_command_that_drops_a_policy_of_every_project(project: Project, layer: str, named: str):
    file = {"user": config.user_policy(), "managed": config.MANAGED}[layer]
    file.parent.mkdir(parents=True)
    file.write_text(f"version: 1\nrules: [{NO_RM}]\n", encoding="utf-8")
    force(project)
    file.unlink()
    command = f"interlock trust --forget {named.format(file=file)}"
    assert force(project).notices == (f"{file} is gone; its last good version is in force (`{command}` drops it)",)
    assert project.run(*command.split()[1:], "--yes").exit_code == 0
    assert (ids(force(project)), force(project).notices) == ([], ())


def test_a_broken_policy_of_which_no_good_version_is_known_is_an_error(project: Project):
    project.write(BROKEN)
    with pytest.raises(InterlockError, match="unknown key `comand`"):
        force(project)


def test_a_policy_replaced_by_a_folder_stays_in_force(project: Project):
    file = project.policy(NO_RM)
    project.trust()
    force(project)
    file.unlink()
    file.mkdir()
    assert ids(force(project)) == [["no-rm"]]


def test_a_policy_replaced_by_a_pipe_is_not_waited_for(project: Project):
    """Reading it would hang every event."""
    file = project.policy(NO_RM)
    project.trust()
    force(project)
    file.unlink()
    os.mkfifo(file)
    assert ids(force(project)) == [["no-rm"]]


@pytest.mark.parametrize(
    ("event", "fields", "code", "decision"),
    [
        ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "c"}, 2, "deny"),
        ("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "x"}, "tool_use_id": "c"}, 0, None),
        ("PreToolUse", {"tool_name": "mcp__x__Read", "tool_input": {}, "tool_use_id": "c"}, 2, "deny"),
        ("PermissionRequest", {"tool_name": "Bash", "tool_input": {"command": "ls"}}, 0, "deny"),
        ("Stop", {"stop_hook_active": False}, 0, None),
        ("UserPromptSubmit", {"prompt": "hello"}, 0, None),
    ],
    ids=["call", "read", "mcp named read", "request", "stop", "prompt"],
)
def test_a_broken_policy_lets_only_reading_pass_and_neither_traps_nor_locks_out(
    project: Project, event: str, fields: dict[str, object], code: int, decision: str | None
):
    project.write(BROKEN)
    with pytest.raises(InterlockError) as caught:
        force(project)
    reply = handle("claude-code", project.event(event, **fields), BrokenPolicy(caught.value))
    assert (reply.exit_code, reply.verdict.decision) == (code, decision)
    if decision == "deny":
        said = project.short(reply.verdict.reason or "")
        assert said.startswith("the policy is broken: unknown key `comand` in rule `no-rm` [interlock.yaml:2:21]")
        assert said.endswith("Run `interlock check`.")


# --- layers ------------------------------------------------------------------------------------------------


def test_policies_hold_lowest_layer_first(project: Project):
    project.policy("{id: local, command: rm, deny: Local.}", name="interlock.local.yaml")
    project.policy("{id: project, command: rm, deny: Project.}")
    for file, name in ((config.user_policy(), "user"), (config.MANAGED, "managed")):
        file.parent.mkdir(parents=True)
        file.write_text(f"version: 1\nrules: [{{id: {name}, command: rm, deny: {name.title()}.}}]\n", encoding="utf-8")
    found = force(project)
    assert ids(found) == [["local"], ["project"], ["user"], ["managed"]]
    reply = judged(project, found, "Bash", "rm x")
    reason = "Denied: (1) Local. (2) Project. (3) User. (4) Managed. All must be resolved."
    assert reply.verdict.reason == reason


@pytest.mark.parametrize("trusted", [False, True], ids=["untrusted", "trusted"])
def test_a_lower_layer_cannot_make_a_higher_one_only_observe(project: Project, trusted: bool):
    """Here: that the agent may not edit the guard's own policy."""
    project.policy(top="observe: true\n")
    if trusted:
        project.trust()
    given = {"file_path": str(project.root / "interlock.yaml"), "content": "x"}
    assert judged(project, force(project), "Write", given).verdict.decision == "deny"


def test_what_a_built_in_tool_does_is_not_for_a_policy_to_say(project: Project):
    """Else a project could have the built-in rules look the other way."""
    project.policy(top="tools: {Write: {kind: read, read: file_path}}\n")
    with pytest.raises(InterlockError, match="what Write does is known already"):
        force(project)


def test_what_a_higher_layer_says_of_a_tool_stands(project: Project):
    closed = "{id: closed, path: {write: /etc/**}, deny: Closed.}"
    managed(closed, top="tools: {mcp__files__save: {write: target}}\n")
    project.policy(top="tools: {mcp__files__save: {read: target}}\n")
    project.trust()
    assert judged(project, force(project), "mcp__files__save", {"target": "/etc/x"}).verdict.decision == "deny"


def test_observe_on_one_layer_observes_the_rules_of_that_layer(project: Project):
    project.policy(NO_RM, top="observe: true\n")
    project.trust()
    verdict = judged(project, force(project), "Bash", "rm x").verdict
    assert (verdict.decision, [opinion.would for opinion in verdict.opinions]) == (None, ["deny No rm."])


def test_a_lower_layer_cannot_give_the_state_of_a_higher_one_another_default(project: Project):
    managed("{id: locked, tool: Bash, when: state.locked, deny: Locked.}", top="state: {locked: true}\n")
    project.policy(top="state: {locked: false}\n")
    project.trust()
    assert decided(project, "ls") == "deny"


@pytest.mark.parametrize("trusted", [False, True], ids=["untrusted", "trusted"])
def test_a_lower_layer_cannot_fire_a_rule_that_a_higher_one_counts(project: Project, trusted: bool):
    """A rule of the same name is another rule."""
    managed(
        "{id: tests-ran, command: npm test}",
        "{id: untested, command: git push, when: 'count(\"tests-ran\") == 0', deny: Run the tests.}",
    )
    project.policy("{id: tests-ran, command: ls}")
    if trusted:
        project.trust()
    assert decisions(project, "ls", "git push") == [None, "deny"]
    assert decisions(project, "npm test", "git push") == [None, None]


def test_a_lower_layer_cannot_set_what_a_higher_one_decides_by(project: Project):
    managed("{id: locked, command: git push, when: state.locked, deny: Locked.}", top="state: {locked: true}\n")
    project.policy("{id: unlock, command: ls, set: {locked: false}}", top="state: {locked: true}\n")
    project.trust()
    assert decisions(project, "ls", "git push") == [None, "deny"]


# --- the session's root ------------------------------------------------------------------------------------


def test_a_session_keeps_the_root_of_its_first_event(project: Project):
    assert fix_root("s1", project.root) == project.root
    assert fix_root("s1", project.root / "nested") == project.root
    assert fix_root("s2", project.root / "nested") == project.root / "nested"


def test_a_session_may_be_called_anything(project: Project):
    for name in ("../../etc/passwd", "a/b", "x" * 5000, "\u202e", "\ud800".encode("utf-8", "replace").decode()):
        assert fix_root(name, project.root) == project.root
    assert all(file.parent == project.state / "sessions" for file in (project.state / "sessions").rglob("*"))


def test_a_root_that_cannot_be_kept_is_an_error(project: Project):
    project.state.mkdir(parents=True)
    (project.state / "sessions").write_text("in the way", encoding="utf-8")
    with pytest.raises(InterlockError, match="cannot keep the session's root"):
        fix_root("s1", project.root)


def test_a_root_that_another_process_has_not_finished_writing_is_not_taken_for_the_working_directory(
    project: Project,
):
    kept = project.state / "sessions" / hashlib.sha256(b"s1").hexdigest()[:32]
    kept.parent.mkdir(parents=True)
    kept.touch()
    try:
        found = fix_root("s1", project.root)
    except InterlockError:
        return
    assert found == project.root


def test_first_events_at_the_same_moment_agree_on_one_root(project: Project):
    folder = project.state / "sessions"
    for attempt in range(30):
        found: list[Path] = []
        gate = threading.Barrier(4)

        def pin(number: int, name: str, found: list[Path] = found, gate: threading.Barrier = gate) -> None:
            gate.wait()
            found.append(fix_root(name, project.root / str(number), folder))

        threads = [threading.Thread(target=pin, args=(number, f"s{attempt}")) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(found)) == 1
        assert found[0].parent == project.root


# --- pauses ------------------------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as a list of one that a test may set."""
    now = [1000.0]
    monkeypatch.setattr("interlock.judging.pause.time.time", lambda: now[0])
    return now


def test_a_pause_ends_by_itself(project: Project, clock: list[float]):
    assert Pause.now() is None
    Pause(clock[0] + 900, "kim").start()
    assert Pause.now() == Pause(1900.0, "kim")
    clock[0] = 1899.9
    assert Pause.now() is not None
    clock[0] = 1900.0
    assert Pause.now() is None


def test_a_pause_can_be_ended(project: Project, clock: list[float]):
    Pause(clock[0] + 900, "kim").start()
    Pause.end()
    Pause.end()
    assert Pause.now() is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"until": "late", "by": "x"}', '{"until": 9e99}', "\x00"])
def test_a_pause_that_cannot_be_read_is_none(project: Project, clock: list[float], text: str):
    Pause.file().parent.mkdir(parents=True)
    Pause.file().write_text(text, encoding="utf-8")
    assert Pause.now() is None


def test_paused_everything_passes_and_the_person_is_told(project: Project, clock: list[float]):
    reply = handle("claude-code", project.call("Bash", "rm x"), Pause(clock[0] + 900, "kim"))
    message = "Interlock is paused by kim for 15 more minutes."
    assert (json.decode(reply.stdout), reply.exit_code) == ({"systemMessage": message}, 0)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_pause_that_others_may_write_is_none(project: Project, mode: int):
    Pause(time.time() + 60, "me").start()
    assert Pause.now() is not None
    Pause.file().chmod(mode)
    assert Pause.now() is None


@pytest.mark.parametrize("seconds", [8 * 3600 + 60, 9e18, -1])
def test_a_pause_longer_than_a_person_can_ask_for_is_none(project: Project, seconds: float):
    Pause(time.time() + seconds, "me").start()
    assert Pause.now() is None
