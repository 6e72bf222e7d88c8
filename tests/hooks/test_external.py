"""Hooks that other people wrote: real programs and a real server on loopback, asked in order and read strictly."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError, Source
from interlock.fold import Draft, Round
from interlock.hooks.external import External, ExternalSet
from interlock.hosts import dialect_of
from interlock.policy.names import ToolPattern
from interlock.policy.situation import Situation
from interlock.service import handle
from interlock.verdict import Opinion
from tests.hooks.events import denial, event, post, pre, said, shell_result
from tests.test_process import ends

AMPLE = 60.0  # no test waits for it unless it is broken
SHORT = 0.4  # and here every one does
EVENTS = ("PreToolUse", "PostToolUse", "PermissionRequest", "Stop", "SessionStart")
SOURCE = Source("interlock.yaml", 3)


def external(run: str | list[str] | None = None, **given: Any) -> External:
    tool = given.pop("tool", None)
    given = {"name": "guard", "events": EVENTS, "timeout": AMPLE, "source": SOURCE, **given}
    command = tuple(run) if isinstance(run, list) else run
    return External(run=command, tool=None if tool is None else ToolPattern(tool), **given)


def panel(*externals: External, **given: Any) -> ExternalSet:
    return ExternalSet(externals, **{"cwd": "/", "environ": {"PATH": os.environ["PATH"]}, **given})


def ask(to: ExternalSet | External, raw: bytes, round_: Round | None = None) -> dict[int, tuple[Opinion, ...]]:
    """The answers to one round; the first, unless told otherwise."""
    situation = Situation(event=dialect_of("claude-code").decode(raw), host="claude-code", raw=raw)
    judges = panel(to) if isinstance(to, External) else to
    return dict(judges.ask(situation, round_ or Round(Draft(getattr(situation.event, "tool_input", {})))))


def one(to: ExternalSet | External, raw: bytes, round_: Round | None = None) -> Opinion:
    [(opinion,)] = ask(to, raw, round_).values()
    return opinion


def saying(document: Any, then: str = "") -> str:
    """A command that prints a document."""
    text = document if isinstance(document, str) else json.encode(document).decode()
    return f"cat >/dev/null; printf %s {shlex.quote(text)}; {then}"


def specific(event_name: str = "PreToolUse", **parts: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event_name, **parts}}


def python(code: str) -> list[str]:
    """A command that runs `code` with the event in `e` and `say` to answer."""
    head = "import json, os, sys; e = json.load(sys.stdin); say = lambda x: print(json.dumps(x))\n"
    return [sys.executable, "-I", "-S", "-c", head + code]


def changing(expression: str) -> list[str]:
    """A hook that rewrites a command; `c` is the one it sees."""
    return python(
        "c = e['tool_input']['command']; say({'hookSpecificOutput': {'hookEventName': 'PreToolUse',"
        f"'permissionDecision': 'allow', 'updatedInput': {{'command': {expression}}}}}}})"
    )


DENY = saying(specific(permissionDecision="deny", permissionDecisionReason="No."))
ALLOW = saying(specific(permissionDecision="allow"))

# --- what it is told ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        pre("Bash", command="ls", timeout=5, big=2**70, exact=1.0),
        post("Bash", {"command": "ls"}, shell_result("a\n")),
        event("PostToolUse", tool_name="T", tool_input={}, tool_use_id="c", tool_response=None),
        event("Stop", stop_hook_active=False, novelty={"a": [None]}),
    ],
    ids=["PreToolUse", "PostToolUse", "null result", "Stop with a field nobody knows"],
)
def test_it_reads_the_event_as_the_host_sent_it(raw: bytes, tmp_path: Path):
    assert ask(external(f"cat > {tmp_path}/told"), raw) == {}
    told = (tmp_path / "told").read_bytes()
    assert json.decode(told) == json.decode(raw)
    assert (told[-2:], told.count(b"\n")) == (b"}\n", 1)


def test_it_works_in_the_events_folder_or_in_the_given_one_if_that_is_gone(tmp_path: Path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    judges = panel(external("pwd >&2; exit 2"), cwd=str(there))
    assert one(judges, event("Stop", stop_hook_active=False, cwd=str(here))).reason == str(here)
    assert one(judges, event("Stop", stop_hook_active=False, cwd=str(tmp_path / "gone"))).reason == str(there)


def test_its_environment_holds_no_credentials_and_nothing_that_loads_code():
    environ = {"PATH": os.environ["PATH"], "HOME": "/h", "GITHUB_TOKEN": "x", "LD_PRELOAD": "/x.so", "CLAUDECODE": "1"}
    given = {**environ, "CLAUDE_PROJECT_DIR": "/p"}
    judges = panel(external(["sh", "-c", "env >&2; exit 2"]), environ=given)
    told = dict(line.split("=", 1) for line in (one(judges, pre()).reason or "").splitlines())
    kept = {"PATH": os.environ["PATH"], "HOME": "/h", "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/p"}
    assert {name: told.get(name) for name in given if name in told} == kept


def test_the_project_is_told_where_the_host_did_not():
    judges = panel(external('echo "$CLAUDE_PROJECT_DIR" >&2; exit 2'), project="/p")
    assert one(judges, pre()).reason == "/p"


@pytest.mark.parametrize("command", ["./guard.sh said", ["./guard.sh", "said"], "../my 'guards/guard.sh said"])
def test_a_relative_program_is_not_looked_for_where_the_agent_works(command: str | list[str], tmp_path: Path):
    policy, agents = tmp_path / "my 'guards", tmp_path / "agents"
    for folder, reason in ((policy, "ours"), (agents, "theirs")):
        folder.mkdir()
        (folder / "guard.sh").write_text(f'#!/bin/sh\necho "{reason} $1" >&2; exit 2\n', encoding="utf-8")
        (folder / "guard.sh").chmod(0o755)
    if isinstance(command, str) and command.startswith(".."):
        command = f"../{shlex.quote(policy.name)}/guard.sh said"
    judges = panel(external(command), cwd=str(policy))
    assert one(judges, event("Stop", stop_hook_active=False, cwd=str(agents))).reason == "ours said"


def test_it_need_not_read_what_it_is_told():
    raw = pre("Write", content="x" * 5_000_000)
    assert one(external("echo No. >&2; exit 2"), raw).reason == "No."


# --- in order ----------------------------------------------------------------------------------------------

CHAIN = (
    external(changing("c + 'a'"), name="first"),
    external("true", name="silent"),
    external(changing("c + 'b'"), name="second"),
    external(python("print(e['tool_input'], file=sys.stderr); sys.exit(2)"), name="last"),
)


def test_each_sees_what_the_one_before_left():
    answers = ask(panel(*CHAIN), pre("Bash", command="x", timeout=5))
    assert list(answers) == [0, 2, 3]
    assert answers[0] == (Opinion(by="first", source=SOURCE, decision="allow", change={"command": "xa"}),)
    assert answers[2] == (Opinion(by="second", source=SOURCE, decision="allow", change={"command": "xab"}),)
    assert answers[3][0].reason == "{'command': 'xab', 'timeout': 5}"


def test_in_a_round_without_changes_all_see_its_input_and_what_they_would_change_is_kept():
    answers = ask(panel(*CHAIN), pre("Bash", command="x"), Round(Draft({"command": "y"}), "judge"))
    assert list(answers) == [0, 2, 3]
    assert (answers[0][0].change, answers[2][0].change) == ({"command": "ya"}, {"command": "yb"})
    assert answers[3][0].reason == "{'command': 'y'}"


def test_whoever_is_not_asked_is_not_started(tmp_path: Path):
    judges = panel(*(external(f"touch {tmp_path}/{number}") for number in range(3)))
    assert ask(judges, pre(), Round(Draft({}), "judge", start=1, stop=2)) == {}
    assert [file.name for file in tmp_path.iterdir()] == ["1"]


def test_those_that_apply_are_numbered_in_order():
    judges = panel(
        external(DENY, name="a", events=("Stop",)),
        external(DENY, name="b", tool="Write"),
        external(DENY, name="c", tool=["Bash", "Read"]),
        external(DENY, name="d"),
    )
    answers = ask(judges, pre("Bash"), Round(Draft({}), "judge", start=1))
    assert {number: mine[0].by for number, mine in answers.items()} == {1: "d"}
    assert {number: mine[0].by for number, mine in ask(judges, pre("Write")).items()} == {0: "b", 1: "d"}


def test_a_chain_is_judged_as_a_whole():
    judge = external(python("sys.exit('b' in e['tool_input']['command'] and (print('No b.', file=sys.stderr) or 2))"))
    judges = panel(external(changing("c.replace('a', 'b')"), name="first"), judge)
    assert denial(handle("claude-code", pre("Bash", command="a"), judges, alone=True)) == "No b."
    reply = handle("claude-code", pre("Bash", command="c", timeout=5), panel(CHAIN[0]), alone=True)
    assert said(reply)["hookSpecificOutput"]["updatedInput"] == {"command": "ca", "timeout": 5}


def test_every_reason_is_kept_in_order():
    judges = panel(*(external(f"echo {word}. >&2; exit 2", name=word) for word in ("One", "Two")))
    assert denial(handle("claude-code", pre(), judges)) == "Denied: (1) One. (2) Two. Both must be resolved."


# --- what it says ------------------------------------------------------------------------------------------

STOP = event("Stop", stop_hook_active=False)
START = event("SessionStart", source="startup")
RESULT = post("Bash", {}, shell_result("s"))
BLOCK = saying({"decision": "block", "reason": "Not yet."})
SAID: dict[str, tuple[str, str, bytes, dict[str, Any]]] = {
    "deny": ("claude-code", DENY, pre(), {"decision": "deny", "reason": "No."}),
    "allow": ("claude-code", ALLOW, pre(), {"decision": "allow"}),
    "exit 2": ("claude-code", "echo No. >&2; exit 2", pre(), {"decision": "deny", "reason": "No."}),
    "block": ("claude-code", BLOCK, STOP, {"decision": "deny", "reason": "Not yet."}),
    "block of what has run": ("claude-code", BLOCK, RESULT, {"context": "Not yet."}),
    "text": ("claude-code", saying("Use tabs."), START, {"context": "Use tabs."}),
    "output": ("claude-code", saying(specific("PostToolUse", updatedToolOutput=[1])), RESULT, {"output": [1]}),
    "flat ask": ("flat", saying({"decision": "ask", "message": "Sure?", "updated_input": {"a": 1}}), pre(),
                 {"decision": "ask", "reason": "Sure?", "change": {"a": 1}}),
    "flat deny": ("flat", saying({"blocked": True, "message": "No.", "system_prompt": "Hint."}), pre(),
                  {"decision": "deny", "reason": "No.", "context": "Hint."}),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_it_says_becomes_its_opinion(name: str):
    dialect, command, raw, parts = SAID[name]
    assert one(external(command, dialect=dialect), raw) == Opinion(by="guard", source=SOURCE, **parts)


def test_silence_is_no_opinion():
    assert ask(panel(external("true"), external("cat >/dev/null", dialect="flat")), pre()) == {}


def test_a_mistake_that_is_not_fatal_is_told_to_the_person():
    command = saying({"systemMessage": "Hi.", **specific(permissionDecision="deny", updatedInput={"a": 1})})
    opinion = one(external(command), pre())
    assert opinion.decision == "deny"
    assert opinion.notice == (
        "Hi.\n"
        "hook `guard` (interlock.yaml:3): `updatedInput` beside `deny`; the change is dropped\n"
        "hook `guard` (interlock.yaml:3): a deny without a reason; still a deny; say what to do instead"
    )


@pytest.mark.parametrize(
    ("tool", "decision"),
    [("process_refund", None), ("mcp__pay__*", None), ("mcp__pay__process_refund", "allow"), (None, "allow")],
)
def test_an_allow_counts_only_for_the_tool_it_names(tool: str | None, decision: str | None):
    answer = {"systemMessage": "Hi.", **specific(permissionDecision="allow", updatedInput={"a": 1})}
    opinion = one(external(saying(answer), tool=tool), pre("mcp__pay__process_refund"))
    assert (opinion.decision, opinion.change) == (decision, {"a": 1})
    note = "hook `guard` (interlock.yaml:3) matches this tool only by a short name or a pattern; name it in full to"
    assert opinion.notice == ("Hi." if decision else f"Hi.\n{note} allow it or to set state")


def test_a_short_name_is_enough_to_deny():
    opinion = one(external(DENY, tool="process_refund"), pre("mcp__pay__process_refund"))
    assert (opinion.decision, opinion.notice) == ("deny", None)


# --- when it fails -----------------------------------------------------------------------------------------

LATE = "did not answer within 0.4 s and was ended: make it faster, or raise its `timeout`"
SHELL = "could not be run: {}; correct the path, or run `chmod +x` on it"
HELD = "left a process behind that holds its stdout, so more might have come: start that process with `>/dev/null 2>&1`"
CUT = "printed more than 1,048,576 bytes and was ended: print one JSON object only"
FAILURES: dict[str, tuple[str | list[str], str]] = {
    "late": ("sleep 100", LATE),
    "late after an allow": (saying(specific(permissionDecision="allow"), "sleep 100"), LATE),
    "trickling": ("while :; do printf ' '; sleep 0.01; done", LATE),
    "deaf to SIGTERM": ("trap '' TERM; while :; do sleep 100; done", LATE),
    "5 MB": (python("sys.stdout.write('x' * 5_000_000)"), CUT),
    "5 MB of complaints": (python("sys.stderr.write('x' * 5_000_000)"), CUT),
    "no program": (["no-such"], "could not be run: there is no program `no-such`; install it, or write its full path"),
    "no program, says the shell": ("no-such", SHELL.format("/bin/sh: 1: no-such: not found")),
    "not executable": (
        ["/etc/passwd"],
        "could not be run: `/etc/passwd` is not executable; run `chmod +x /etc/passwd`",
    ),
    "not executable, says the shell": ("/etc/passwd", SHELL.format("/bin/sh: 1: /etc/passwd: Permission denied")),
    "exit 127 without a word": ("exit 127", SHELL.format("exit 127")),
    "open end": ("sleep 1000 & true", HELD),
    "open end of an allow": (ALLOW + "sleep 1000 &", HELD),
}


def failed(opinion: Opinion, error: str) -> None:
    """It is the failure of a call that is about to run."""
    assert opinion == Opinion(by="guard", source=SOURCE, decision="deny", reason=error, error=error)


@pytest.mark.parametrize("name", FAILURES)
def test_a_hook_that_fails_denies_and_says_how_to_mend_it(name: str):
    command, message = FAILURES[name]
    opinion = one(external(command, timeout=SHORT if message == LATE else AMPLE), pre())
    failed(opinion, f"hook `guard` (interlock.yaml:3) {message}")


@pytest.mark.parametrize(
    ("command", "mistake"),
    [
        ("kill -KILL $$", "no-verdict): exit -9 without a verdict"),
        (saying(specific(permissionDecision="allow"), "kill -TERM $$"), "no-verdict): exit -15 with JSON"),
        ("exit 1", "no-verdict): exit 1 without a verdict"),
        ("echo fine", "plain-text): stdout contains text"),
        ("printf '{\"a'", "truncated-json): the JSON on stdout is cut off"),
    ],
)
def test_what_the_reader_refuses_denies(command: str, mistake: str):
    opinion = one(external(command), pre())
    assert (opinion.decision, opinion.source, opinion.notice) == ("deny", SOURCE, None)
    assert (opinion.error or "").startswith(f"guard failed ({mistake}")


def test_a_failure_falls_the_way_of_its_event():
    broken = external(["/no/such"])
    error = (
        "hook `guard` (interlock.yaml:3) could not be run: "
        "there is no program `/no/such`; correct its path; it starts in `/`"
    )
    assert one(broken, STOP) == Opinion(by="guard", source=SOURCE, notice=error, error=error)
    withheld = one(broken, post("Bash", {}, shell_result("s")))
    assert (withheld.decision, withheld.withhold) == (None, "hook `guard` (interlock.yaml:3) could not be run")
    assert one(broken, event("PermissionRequest", tool_name="T", tool_input={})).decision == "deny"


def test_one_that_fails_does_not_keep_the_others_from_being_asked():
    answers = ask(panel(external("exit 1"), external(DENY, name="next")), pre())
    assert [answers[number][0].by for number in (0, 1)] == ["guard", "next"]


def test_a_hook_without_a_place_is_named_all_the_same():
    assert (one(external("sleep 9", timeout=SHORT, source=None), pre()).reason or "").startswith("hook `guard` did not")


@pytest.mark.parametrize("then", ["wait", "exit 0"], ids=["late", "in time"])
def test_what_it_started_ends_with_it(then: str, tmp_path: Path):
    command = f"(trap '' TERM; exec sleep 1000) >/dev/null 2>&1 & echo $! >{tmp_path}/pid; {then}"
    ask(external(command, timeout=SHORT), pre())
    assert ends(int((tmp_path / "pid").read_text(encoding="utf-8")))


def test_a_deny_counts_also_if_a_daemon_holds_the_output_open(tmp_path: Path):
    daemon = "import subprocess; p = subprocess.Popen(['sleep', '1000'], start_new_session=True)"
    told = f"open('{tmp_path}/pid', 'w').write(str(p.pid)); print('No.', file=sys.stderr); sys.exit(2)"
    command = python(f"{daemon}\n{told}")
    try:
        assert one(external(command, timeout=1000), pre()).reason == "No."
    finally:
        os.kill(int((tmp_path / "pid").read_text(encoding="utf-8")), signal.SIGKILL)


# --- what is refused when it is made -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message", "help"),
    [
        ({}, "there is nothing to run", "give it a `run` or a `url`"),
        ({"run": ""}, "there is nothing to run", "give it a `run` or a `url`"),
        ({"run": "x", "url": "https://a"}, "it has a `run` and a `url`", "give it one of them"),
        ({"run": "x", "timeout": 0}, "`timeout` is 0", "write a time such as 60s"),
        ({"run": "x", "timeout": float("inf")}, "`timeout` is inf", "write a time such as 60s"),
        ({"run": "x", "dialect": "flt"}, "unknown host `flt`; expected one of `claude-code`, `flat`",
         "did you mean `flat`?"),
        ({"run": "x", "events": ("PreTolUse",)}, "unknown event `PreTolUse`", "did you mean `PreToolUse`?"),
        ({"url": "http://a.io/"}, "`http://a.io/` sends every call in the clear to another machine", "use https"),
        ({"url": "https://me:pw@a/"}, "its `url` holds a user name or a password", "remove it; it would not be sent"),
    ],
)  # fmt: skip
def test_a_hook_that_cannot_work_is_refused_when_it_is_made(given: dict[str, Any], message: str, help: str):
    with pytest.raises(InterlockError) as caught:
        external(given.pop("run", None), **given)
    assert caught.value.in_one_line() == f"hook `guard`: {message} [interlock.yaml:3]; {help}"


@pytest.mark.parametrize(
    "url",
    ["example.com", "ftp://127.0.0.1/", "http://", "http:///x", "http://[::1", "http://127.0.0.1:99999/",
     "http://127.0.0.1/a b", "http://127.0.0.1/\n", "https://exämple.com/", "file:///etc/passwd",
     "http://0.0.0.0/", "http://127.0.0.1.example.com/", "http://127.0.0.1@example.com/", "http://10.0.0.1/",
     "http://localhost.example.com/", "http://[::2]/", "http://169.254.169.254/"],
)  # fmt: skip
def test_a_url_that_is_none_or_leads_elsewhere_in_the_clear_is_refused(url: str):
    with pytest.raises(InterlockError):
        external(url=url)


@pytest.mark.parametrize(
    "url",
    ["http://localhost/", "http://127.0.0.1:8080", "http://127.9.9.9/x", "http://[::1]:80/", "https://example.com"],
)
def test_a_url_on_this_machine_or_over_tls_is_taken(url: str):
    assert external(url=url).url == url


# --- what is carried ---------------------------------------------------------------------------------------


def test_a_hook_sees_what_the_one_before_it_left_to_be_shown():
    """Otherwise the second would show the whole text again, and with it what the first took out of it."""
    hide = "say({'hookSpecificOutput': {'hookEventName': 'MessageDisplay', 'displayContent': %s}})"
    first = external(
        python(hide % "e['delta'].replace('hunter2', '[hidden]')"), name="hides", events=("MessageDisplay",)
    )
    second = external(python(hide % "e['delta'].upper()"), name="shouts", events=("MessageDisplay",))
    raw = event("MessageDisplay", turn_id="t", message_id="m", index=0, final=True, delta="it is hunter2")
    reply = handle("claude-code", raw, panel(first, second))
    assert said(reply) == specific("MessageDisplay", displayContent="IT IS [HIDDEN]")


def test_a_hook_sees_what_the_one_before_it_answered_a_server():
    answers = {"hookEventName": "ElicitationResult", "action": "cancel"}
    first = external(saying({"hookSpecificOutput": answers}), name="cancels", events=("ElicitationResult",))
    second = external("cat >&2; exit 2", name="looks", events=("ElicitationResult",))
    raw = event("ElicitationResult", mcp_server_name="s", action="accept", content={"seat": "12A"})
    seen = json.decode(one_by(panel(first, second), raw, 1).reason or "")
    assert (seen["action"], seen.get("content")) == ("cancel", None)


def one_by(to: ExternalSet, raw: bytes, number: int) -> Opinion:
    (opinion,) = ask(to, raw)[number]
    return opinion
