"""Whether a text says no to a call: real spellings do, ordinary logs of hooks do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.hooks.denial import NO_CALL, SaidNo, names_in_call, said_no

HERE = Path(__file__).parent
ORDINARY = (HERE / "ordinary_logs.txt").read_text(encoding="utf-8").splitlines()
DENIALS = (HERE / "said_no.txt").read_text(encoding="utf-8").replace(r"\x1b", "\x1b").splitlines()
CALLS = {
    "npm": names_in_call("Bash", {"command": "npm test", "description": "Run the tests"}),
    "push": names_in_call("Bash", {"command": "git push origin main"}),
    "write": names_in_call("Write", {"file_path": "/home/dev/shop/src/app.py", "content": "denied = []"}),
    "edit": names_in_call("Edit", {"file_path": "src/app.py", "old_string": "blocked", "new_string": "denied"}),
    "delete": names_in_call("mcp__crm__delete_account", {"customer_id": "C-1042"}),
    "fetch": names_in_call("WebFetch", {"url": "https://lists.example/blocked.txt", "prompt": "Which are blocked?"}),
    "nothing": NO_CALL,
}


def denies(text: str, call: str = "delete") -> bool | None:
    """Whether a text denies the call; None if it is not even worth a notice."""
    found = said_no(text, CALLS[call])
    return None if found is None else found.denies


def test_there_are_enough_of_both():
    assert len(set(ORDINARY)) >= 200
    assert len(set(DENIALS)) >= 60


@pytest.mark.parametrize("call", CALLS)
def test_no_ordinary_log_denies_a_call(call: str):
    """S1-04 Near misses: formatters, linters, test runners, scanners, git, and hooks that report on themselves."""
    assert [line for line in ORDINARY if denies(line, call)] == []
    whole = "\n".join(ORDINARY)
    assert not denies(whole, call)


def test_few_ordinary_logs_are_worth_a_notice():
    assert len([line for line in ORDINARY if denies(line, "nothing") is not None]) < len(ORDINARY) / 20


@pytest.mark.parametrize("line", DENIALS)
def test_every_spelling_of_a_denial_denies(line: str):
    """S1-04"""
    assert denies(line)


@pytest.mark.parametrize("line", DENIALS)
@pytest.mark.parametrize("form", ["{}\n", "checked\n{}\ndone\n", "checked\r\n{}", "\t{}  ", "> {}"])
def test_a_denial_denies_wherever_its_line_is(line: str, form: str):
    if line.startswith("{") and form[0] not in "{c":
        return  # JSON behind a sign is a line of text
    assert denies(form.format(line))


@pytest.mark.parametrize(
    "prefix",
    ["2026-11-15 21:04:15,123 INFO guard: ", "[guard] ", "💬 ", "\x1b[2m", "WARN ", "hook: ", "> ", "x - INFO - "],
)
def test_a_prefix_does_not_make_a_denial_of_an_ordinary_line(prefix: str):
    assert [line for line in ORDINARY if denies(prefix + line, "nothing")] == []


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str):
    found = said_no(text, CALLS["delete"])
    assert found is None or found.line.isprintable()


@pytest.mark.parametrize(
    "text",
    ["a " * 50_000, "[" * 50_000, "(" * 9_999 + "blocked", "denied" * 9_999, "not " * 9_999, "{" * 9_999 + "}" * 9_999,
     "1 " * 50_000, ": " * 50_000, "x:" * 50_000, "no blocked " * 9_999, "\x1b[" * 9_999, "\n" * 99_999],
    ids=lambda text: text[:6].strip() or "lines",
)  # fmt: skip
def test_long_and_crooked_texts_are_judged_at_once(text: str):
    """A pattern that ran away would hold up every call."""
    said_no(text, CALLS["push"])


def test_a_denial_at_the_end_of_a_very_long_text_is_read():
    assert denies("fine\n" * 100_000 + "Blocked delete_account\n")


@pytest.mark.parametrize(
    ("line", "call", "found"),
    [
        # A line that names the call: its tool, its command, its file.
        ("hook: delete_account is blocked", "delete", True),
        ("hook: delete_account is blocked", "npm", False),
        ("sorry, C-1042 cannot be deleted: denied", "delete", True),
        ("sorry, C-1043 cannot be deleted: denied", "delete", False),
        ("hook says npm test is denied here", "npm", True),
        ("hook says npm tests are denied here", "npm", False),
        ("hook says git push is forbidden today", "push", True),
        ("hook says git pull is forbidden today", "push", False),
        ("hook says app.py is read-only: write denied", "write", True),
        ("hook says app.pyc is read-only: write denied", "write", False),
        ("saw Write, which is denied", "write", True),
        ("saw a write, which is denied", "write", False),
        ("https://lists.example/blocked.txt was rejected", "fetch", True),
        # A linter's finding names the file too.
        ("src/app.py:3:1 imports from `legacy` are not allowed", "edit", None),
        ("/home/dev/shop/src/app.py(12): error: use of `any` is forbidden", "write", None),
        # An error of another program is about the call only if it names it.
        ("PolicyError: delete_account is blocked", "delete", True),
        ("PolicyError: get_account is blocked", "delete", None),
        ("cat: /home/dev/shop/src/app.py: Permission denied", "write", True),
        ("cat: /home/dev/shop/src/other.py: Permission denied", "write", None),
        # What did not happen, or may.
        ("delete_account would be blocked on Fridays", "delete", False),
        ("delete_account is never blocked", "delete", None),
        ("if delete_account is blocked, tell somebody", "delete", None),
        ("nothing of delete_account was denied", "delete", None),
        # Words that say no only of what they name.
        ("Stopped delete_account", "delete", True),
        ("Stopped the server", "delete", None),
        ("🚫 delete_account", "delete", True),
        ("🚫 smoking", "delete", None),
        # Numbers.
        ("blocked: 3", "delete", False),
        ("blocked: 0", "delete", None),
        ("Blocked 192.0.2.7", "delete", True),
        ("Denied 1 of 5 requests", "delete", False),
        # Answers that were printed, and other objects.
        ("{'hookSpecificOutput': {'permissionDecision': 'deny'}}", "delete", True),
        ("{'hookSpecificOutput': {'permissionDecision': 'allow'}}", "delete", None),
        ('{"tool_input": {"decision": "deny"}}', "delete", None),
        ('returning {"permissionDecision": "deny"}', "delete", None),
    ],
)
def test_what_a_line_is_about_decides(line: str, call: str, found: bool | None):
    assert denies(line, call) is found


@pytest.mark.parametrize("line", ["access was denied somewhere", "deny", "it is forbidden", "would be blocked"])
def test_on_the_stdout_of_a_python_hook_all_that_sounds_like_a_denial_is_one(line: str):
    assert said_no(line, own=True) == SaidNo(line, denies=True)


def test_the_line_that_denies_is_shown_before_one_that_only_sounds_like_it():
    assert said_no("port 80 is blocked\n\x1b[31mDenied\x1b[0m: no ticket\n") == SaidNo("Denied: no ticket", denies=True)
