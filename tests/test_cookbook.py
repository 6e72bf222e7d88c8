"""The cookbook keeps its word: every policy loads, every case and scenario holds, and the page quotes what is there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interlock.config.bundles import load_file
from interlock.judging.guard import Guard
from interlock.policy.load import Policy
from interlock.policy.positions import LocatedErrors, read_yaml
from interlock.probe.world import Machine
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.cases import CaseResult, run_cases
from interlock.testing.events import payload_for
from interlock.testing.pretend import Pretend
from interlock.testing.scenarios import ScenarioResult, policy_named_in, run_scenarios
from interlock.verdict import Verdict

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "policies"
PAGE = ROOT / "docs" / "cookbook.md"
TESTS = sorted(FOLDER.glob("*.test.yaml"))
POLICIES = sorted(set(FOLDER.glob("*.yaml")) - set(TESTS))


def loaded(file: Path) -> Policy:
    try:
        return load_file(file)
    except LocatedErrors as errors:
        pytest.fail(errors.render())


def own_cases(file: Path) -> list[CaseResult]:
    """The cases of the file's own rules: those of a pack hold for the pack's own parameters."""
    return [result for result in run_cases(loaded(file)) if Path(result.source.file) == file]


def scenarios(test: Path) -> list[ScenarioResult]:
    document = read_yaml(test.read_bytes(), str(test))
    return list(run_scenarios(document, loaded(test.parent / policy_named_in(document))))


def test_there_are_policies_and_scenarios_enough_to_learn_from():
    assert len(POLICIES) >= 25
    assert len(TESTS) >= 25


@pytest.mark.parametrize("file", POLICIES, ids=lambda file: file.stem)
def test_every_case_of_a_policy_holds(file):
    assert [f"{result.source}: {result.message}" for result in own_cases(file) if not result.ok] == []


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.removesuffix(".test.yaml"))
def test_every_scenario_passes(file):
    results = scenarios(file)
    assert results
    assert [f"{result.source}: {result.name}: {result.message}" for result in results if not result.ok] == []


@pytest.mark.parametrize("file", POLICIES, ids=lambda file: file.stem)
def test_a_policy_shows_what_it_catches_and_what_it_passes(file):
    cases = [case for rule, _ in loaded(file).rules if Path(rule.source.file) == file for case in rule.cases]
    played = (FOLDER / f"{file.stem}.test.yaml").is_file()
    assert played or {case.catch for case in cases} == {True, False}


@pytest.mark.parametrize("file", POLICIES, ids=lambda file: file.stem)
def test_a_policy_says_at_its_top_what_it_is_for(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    comment = lines[: lines.index("version: 1")]
    assert 1 <= len(comment) <= 2
    assert all(line.startswith("# ") for line in comment)


@pytest.mark.parametrize("file", POLICIES, ids=lambda file: file.stem)
def test_every_rule_that_acts_says_what_it_is_about(file):
    silent = [
        rule.id
        for rule, _ in loaded(file).rules
        if not rule.about and (rule.decision or rule.changes or rule.set or rule.context or rule.notify)
    ]
    assert silent == []


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.removesuffix(".test.yaml"))
def test_a_test_file_is_about_the_policy_beside_it(file):
    named = policy_named_in(read_yaml(file.read_bytes(), str(file)))
    assert named == file.name.replace(".test.yaml", ".yaml")


# --- the page ----------------------------------------------------------------------------------------------


def recipes() -> list[tuple[list[Path], list[str]]]:
    """Of each section of the page: the files it links to, and the lines it quotes."""
    found = []
    for section in re.split(r"^#{2,3} ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        files = [PAGE.parent / link for link in re.findall(r"\]\((\.\./examples/policies/[^)]+)\)", section)]
        lines = [line.strip() for block in re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
                 for line in block.splitlines() if line.strip()]  # fmt: skip
        if files:
            found.append((files, lines))
    return found


def test_every_file_of_the_cookbook_is_on_the_page():
    linked = {file.resolve() for files, _ in recipes() for file in files}
    beside = {file for file in FOLDER.iterdir() if file.is_file() and file not in TESTS}
    assert sorted(file.name for file in beside ^ linked) == []


RECIPES = recipes()


@pytest.mark.parametrize(("files", "lines"), RECIPES, ids=[files[0].stem for files, _ in RECIPES])
def test_the_page_quotes_what_the_files_say(files, lines):
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert lines
    assert [line for line in lines if line not in text] == []


# --- programs, which cases and scenarios only pretend to run ------------------------------------------------


def judged(policy: str, project: Path, event: str, **fields: object) -> Verdict:
    """The verdict on an event in a real project, where `run` really runs."""
    # What this environment has installed comes first, so that the formatter is the one of the tests.
    environ = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(project)}
    payload = json.loads(payload_for(event, {}, **fields)) | {"cwd": str(project)}
    world = Machine(str(project), environ)
    with Guard([loaded(FOLDER / policy)], world, MemoryStore(), project=str(project), alone=True) as guard:
        verdict = answer(guard, "claude-code", json.dumps(payload).encode()).verdict
    assert not verdict.errors
    return verdict


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("x = 1\n", "x = 1\n", ""),
        ("x=1\n", "x = 1\n", "ruff reformatted {file}. Read the file again before you edit it."),
        ("import os\n", "import os\n", "Fix what ruff reports:\n"),
        ("x = (\n", "x = (\n", "Fix what ruff reports:\n"),
    ],
)
def test_a_written_file_is_formatted_and_linted(before, after, told, tmp_path):
    file = tmp_path / "a b.py"
    file.write_text(before, encoding="utf-8")
    fields = {"tool_name": "Write", "tool_input": {"file_path": str(file), "content": before}, "tool_response": {}}
    verdict = judged("35-format-on-write.yaml", tmp_path, "PostToolUse", **fields)
    assert file.read_text(encoding="utf-8") == after
    assert (verdict.told or "").startswith(told.format(file=file))
    assert bool(verdict.told) == bool(told)


def test_a_session_starts_with_the_state_of_the_repository(tmp_path):
    assert judged("36-context-at-start.yaml", tmp_path, "SessionStart", source="startup").told is None
    subprocess.run(["git", "init", "--quiet", "--initial-branch=fix-login", tmp_path], check=True)
    (tmp_path / "new.txt").touch()
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    commit = [*identity, "commit", "--quiet", "--allow-empty", "--message=Start"]
    subprocess.run(["git", "-C", tmp_path, *commit], check=True)
    told = judged("36-context-at-start.yaml", tmp_path, "SessionStart", source="startup").told or ""
    assert re.fullmatch(r"The state of the repository:\n## fix-login\n\?\? new.txt\n[0-9a-f]+ Start", told)


def test_a_plan_is_read_again_after_a_compaction(tmp_path):
    without = judged("37-context-after-compaction.yaml", tmp_path, "SessionStart", source="compact").told or ""
    assert "PLAN.md" not in without
    (tmp_path / "PLAN.md").write_text("1. Parser\n", encoding="utf-8")
    told = judged("37-context-after-compaction.yaml", tmp_path, "SessionStart", source="compact").told or ""
    assert told == f"{without}\nPLAN.md says:\n1. Parser"


def test_a_transcript_is_saved_before_a_compaction(tmp_path):
    transcript = tmp_path / "it's $(a) transcript.jsonl"
    transcript.write_text("{}\n", encoding="utf-8")
    fields = {"trigger": "auto", "transcript_path": str(transcript)}
    assert judged("38-save-before-compaction.yaml", tmp_path, "PreCompact", **fields).opinions == ()
    (saved,) = (tmp_path / ".transcripts").iterdir()
    assert saved.read_text(encoding="utf-8") == "{}\n"
    assert saved.stat().st_mode & 0o077 == 0
    fields["transcript_path"] = "/nowhere"
    (opinion,) = judged("38-save-before-compaction.yaml", tmp_path, "PreCompact", **fields).opinions
    assert (opinion.notice or "").startswith("The transcript could not be saved before it was compacted: cp: ")


def test_every_call_is_a_line_of_the_log(tmp_path):
    for name in ("one\ntwo", "three"):
        fields = {"tool_name": "Read", "tool_input": {"file_path": name}, "tool_response": {}}
        assert judged("39-own-log.yaml", tmp_path, "PostToolUse", **fields).opinions == ()
    lines = (tmp_path / ".calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["tool_input"]["file_path"] for line in lines] == ["one\ntwo", "three"]


# --- hooks, which cases and scenarios leave out --------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "reasons"),
    [
        ("process_refund", {"amount": 5, "reason": "broken", "lines": [{"amount": 5}]}, []),
        ("process_refund", {"amount": 5, "reason": "broken", "lines": [{"amount": 6}]}, ["The lines come to $6"]),
        ("mcp__shop__process_refund", {"amount": 5, "lines": [{"amount": 5}, {"amount": 0}]},
         ["Line 2 refunds $0", "The refund has no reason"]),
        ("Bash", {"command": "git switch -c Fix"}, ["Branch names start with a small letter"]),
        ("Bash", {"command": "git switch -c fix"}, []),
    ],
)  # fmt: skip
def test_hooks_and_rules_of_one_policy_are_heard_together(tool, given, reasons):
    event = payload_for("PreToolUse", {}, tool_name=tool, tool_input=given, tool_use_id="t1")
    policy = loaded(FOLDER / "28-own-hooks.yaml")
    with Guard([policy], Pretend(), MemoryStore(), project=str(FOLDER), alone=True) as guard:
        verdict = answer(guard, "claude-code", event).verdict
    assert not verdict.errors
    assert verdict.decision == ("deny" if reasons else None)
    assert [reason for reason in reasons if reason not in (verdict.reason or "")] == []
