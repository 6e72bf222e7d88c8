"""The words of a call that did not run, and words that only look like them."""

import pytest

from interlock.receipts.refusal_words import says_it_did_not_run

# As Claude Code 2.1.325 writes them into a batch.
REFUSED = [
    "<tool_use_error>InputValidationError: Bash failed due to the following issue:\nThe required parameter `command` "
    "is missing</tool_use_error>",
    "<tool_use_error>Error: No such tool available: Bash</tool_use_error>",
    "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>\n",
    "PreToolUse:Bash hook error: No force pushes.",
    'PreToolUse:Bash hook error: [/x/client.py]: timed out; blocking because onFailure is "block"',
    "PreToolUse hook for Bash returned updatedInput that failed schema validation: Bash failed due to …",
    "Permission to use Bash with command touch p has been denied.",
    "Claude requested permissions to write to /p/w.txt, but you haven't granted it yet.",
    "The user doesn't want to proceed with this tool use.",
    "Hook PreToolUse:Bash denied this tool",
    "Blocked by hook",
    "Interlock did not answer. A person can find out why with `interlock doctor`.",
    "the store /home/dev/x.db failed: the disk is full (database or disk is full)",
]

RAN = [
    "hello",
    "",
    "Exit code 1\nPreToolUse:Bash hook error: no",
    "ran\n<tool_use_error>no</tool_use_error>",
    "<tool_use_error>no</tool_use_error> and more",
    "<tool_use_error>no</tool_use_error>done<tool_use_error>no</tool_use_error>",
    "PreToolUse:Write hook error: of another tool",
    "Permission to use Write with …",
    [{"type": "text", "text": "Blocked by hook"}],
    {"stdout": "Blocked by hook"},
    None,
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_is_known_by_its_words(text):
    assert says_it_did_not_run("Bash", text)


@pytest.mark.parametrize("response", RAN)
def test_a_result_is_no_refusal(response):
    assert not says_it_did_not_run("Bash", response)


def test_our_own_reason_is_known_whatever_the_host_puts_around_it():
    reason = "Denied: (1) No pushes.\n\n (2) Not today. Both must be resolved."
    for shown in (
        reason,
        f"PreToolUse:Write hook error: {reason}",
        "Denied: (1) No pushes. (2) Not today. Both must be resolved.  ",
    ):
        assert says_it_did_not_run("Write", shown, reason)
    assert not says_it_did_not_run("Write", "File created", reason)
    assert not says_it_did_not_run("Write", "File created", "")


def test_a_long_reason_is_known_by_its_beginning():
    reason = "No. " + "x" * 5000
    assert says_it_did_not_run("Write", reason[:1000], reason)
    assert not says_it_did_not_run("Write", reason[:100], reason)
