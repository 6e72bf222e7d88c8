"""Every layer and everything that can happen to its file: what a policy denied stays denied, and a person is told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.layers import LAYERS, MISHAPS, Machine, machine_for, take_files_for_settled
from tests.lint.project import Project

NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
NO_MV = "{id: no-mv, command: mv, deny: No mv.}"
YES_LS = "{id: yes-ls, command: ls, allow: true}"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A machine whose guards are used again until a file changes, so that each change must be seen."""
    take_files_for_settled(monkeypatch)
    with machine_for(Project(tmp_path, monkeypatch)) as made:
        yield made


@pytest.mark.parametrize("layer", LAYERS)
def test_a_file_that_changes_twice_at_once_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layer: str):
    """Files that changed just now may change again and look the same, so their guard is not used again."""
    with machine_for(Project(tmp_path, monkeypatch)) as machine:
        for word in ("one", "two", "six"):  # files of one length
            machine.put(layer, f"{{id: no-word, command: {word}, deny: Not {word}.}}", trusted=False)
            assert machine.judge(word).reason == f"Not {word}."


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("mishap", MISHAPS)
def test_a_policy_that_can_no_longer_be_read_stays_in_force_and_is_told_of(machine: Machine, layer: str, mishap: str):
    file = machine.put(layer, NO_RM, YES_LS)
    assert machine.judge("rm x").decision == "deny"
    assert machine.notices() == ()
    MISHAPS[mishap](file)
    assert machine.judge("rm x").reason == "No rm."
    assert machine.judge("ls").decision == "allow"
    assert machine.judge("mv a b").decision is None
    (notice,) = machine.notices()
    assert "its last good version is in force" in notice


@pytest.mark.parametrize("layer", ["project", "local"])
@pytest.mark.parametrize("mishap", MISHAPS)
def test_what_an_untrusted_policy_denied_stays_denied(machine: Machine, layer: str, mishap: str):
    file = machine.put(layer, NO_RM, YES_LS, trusted=False)
    assert machine.judge("rm x").decision == "deny"
    MISHAPS[mishap](file)
    assert machine.judge("rm x").reason == "No rm."
    assert machine.judge("ls").decision is None


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("mishap", ["broken", "emptied", "garbled"])
def test_a_policy_that_could_never_be_read_lets_only_reading_pass(machine: Machine, layer: str, mishap: str):
    file = machine.put(layer, trusted=False)
    MISHAPS[mishap](file)
    verdict = machine.judge("ls")
    assert verdict.decision == "deny"
    assert "the policy is broken" in (verdict.reason or "")


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("mishap", MISHAPS)
def test_a_policy_of_another_layer_goes_on_as_it_was(machine: Machine, layer: str, mishap: str):
    for other in LAYERS:
        if other != layer:
            machine.put(other, f"{{id: no-{other}, command: {other}, deny: Not {other}.}}")
    file = machine.put(layer, NO_RM)
    assert machine.judge("rm x").decision == "deny"
    MISHAPS[mishap](file)
    for other in LAYERS:
        assert machine.judge(other).decision == (None if other == layer else "deny")
    assert machine.judge("rm x").decision == "deny"


@pytest.mark.parametrize(
    ("layer", "after"), [("managed", None), ("user", None), ("project", "deny"), ("local", "deny")]
)
def test_a_rule_taken_out_of_a_file_goes_at_once_only_where_a_person_wrote_the_file(
    machine: Machine, layer: str, after: str | None
):
    machine.put(layer, NO_RM, YES_LS)
    assert machine.judge("rm x").decision == "deny"
    machine.put(layer, YES_LS, trusted=False)
    assert machine.judge("rm x").decision == after
    assert bool(machine.notices()) == (after is not None)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_rule_added_to_a_file_holds_at_once(machine: Machine, layer: str):
    machine.put(layer, NO_RM)
    assert machine.judge("mv a b").decision is None
    machine.put(layer, NO_RM, NO_MV, trusted=False)
    assert machine.judge("mv a b").reason == "No mv."


@pytest.mark.parametrize("layer", LAYERS)
def test_a_policy_that_comes_while_a_session_runs_holds_from_the_next_call(machine: Machine, layer: str):
    assert machine.judge("rm x").decision is None
    machine.put(layer, NO_RM, trusted=False)
    assert machine.judge("rm x").decision == "deny"


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("mishap", ["deleted", "broken", "garbled"])
def test_a_policy_whose_pack_can_no_longer_be_read_keeps_its_rules(machine: Machine, layer: str, mishap: str):
    pack = machine.file(layer).with_name("pack.yaml")
    pack.parent.mkdir(parents=True, exist_ok=True)
    pack.write_text(f"version: 1\nrules: [{NO_RM}]\n", encoding="utf-8")
    machine.put(layer, NO_MV, top="packs: [./pack.yaml]\n")
    assert machine.judge("rm x").decision == "deny"
    MISHAPS[mishap](pack)
    assert [machine.judge(command).decision for command in ("rm x", "mv a b")] == ["deny", "deny"]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_rule_added_to_a_pack_holds_at_once(machine: Machine, layer: str):
    pack = machine.file(layer).with_name("pack.yaml")
    pack.parent.mkdir(parents=True, exist_ok=True)
    pack.write_text(f"version: 1\nrules: [{NO_RM}]\n", encoding="utf-8")
    machine.put(layer, top="packs: [./pack.yaml]\n")
    assert machine.judge("mv a b").decision is None
    pack.write_text(f"version: 1\nrules: [{NO_RM}, {NO_MV}]\n", encoding="utf-8")
    assert [machine.judge(command).decision for command in ("rm x", "mv a b")] == ["deny", "deny"]


HOOK = """
from interlock import deny, hook

@hook("PreToolUse", tool="Bash")
def no_WORD(call):
    if "WORD" in call.input["command"]:
        return deny("Not WORD.")
"""


def put_with_hooks(machine: Machine, layer: str) -> tuple[Path, Path]:
    """A policy with two hooks, and the first of these."""
    folder = machine.file(layer).parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, word in (("first.py", "deploy"), ("second.py", "publish")):
        (folder / name).write_text(HOOK.replace("WORD", word), encoding="utf-8")
    return machine.put(layer, NO_RM, top="hooks: [./first.py, ./second.py]\n"), folder / "first.py"


def decisions(machine: Machine) -> list[str | None]:
    return [machine.judge(command).decision for command in ("deploy", "publish", "rm x", "ls")]


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("mishap", ["deleted", "broken"])
def test_the_hooks_of_a_policy_that_can_no_longer_be_read_stay_in_force(machine: Machine, layer: str, mishap: str):
    file, _ = put_with_hooks(machine, layer)
    assert decisions(machine) == ["deny", "deny", "deny", None]
    MISHAPS[mishap](file)
    assert decisions(machine) == ["deny", "deny", "deny", None]


@pytest.mark.parametrize("mishap", ["deleted", "broken"])
def test_hook_files_of_one_name_in_two_folders_stay_apart(machine: Machine, mishap: str):
    machine.write("a/guard.py", HOOK.replace("WORD", "deploy"))
    machine.write("b/guard.py", HOOK.replace("WORD", "publish"))
    file = machine.put("project", NO_RM, top="hooks: [./a/guard.py, ./b/guard.py]\n")
    assert decisions(machine) == ["deny", "deny", "deny", None]
    MISHAPS[mishap](file)
    assert decisions(machine) == ["deny", "deny", "deny", None]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_hook_whose_file_is_deleted_stays_in_force(machine: Machine, layer: str):
    _, hook = put_with_hooks(machine, layer)
    assert decisions(machine) == ["deny", "deny", "deny", None]
    hook.unlink()
    assert decisions(machine) == ["deny", "deny", "deny", None]


@pytest.mark.parametrize("layer", ["project", "local"])
@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_a_hook_that_is_changed_holds_as_it_was_trusted(machine: Machine, layer: str, text: str):
    _, hook = put_with_hooks(machine, layer)
    assert decisions(machine) == ["deny", "deny", "deny", None]
    hook.write_text(text, encoding="utf-8")
    assert decisions(machine) == ["deny", "deny", "deny", None]


@pytest.mark.skipif(os.getuid() == 0, reason="root reads every file")
@pytest.mark.parametrize("layer", LAYERS)
def test_a_policy_that_may_not_be_read_stays_in_force(machine: Machine, layer: str):
    file = machine.put(layer, NO_RM)
    assert machine.judge("rm x").decision == "deny"
    file.chmod(0)
    assert machine.judge("rm x").decision == "deny"
