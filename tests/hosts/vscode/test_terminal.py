"""What is typed into a terminal: judged as what the interactive shell there makes of it."""

from __future__ import annotations

import pytest

from interlock.errors import InterlockError
from tests.hosts.vscode.reading import judged


def run(command: str) -> list[str]:
    return [given["command"] for _, given in judged("run_in_terminal", {"command": command})]


def send(text: str) -> list[str]:
    return [given["command"] for _, given in judged("send_to_terminal", {"id": "1", "command": text})]


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "git commit -m 'fix!important'",
        'echo "done!"',
        "test ! -f x && [ a != b ]",
        "echo $! ${!name} [!a-z]*",
        "echo it\\'s 'a!b' $'it\\'s !c'",
        "ls # don't",
        "echo a^b",
        "grep -E '\n^a' b",
        "cat <<'E'\n\tif x != 1:\n\t\tprint('!x')\nE",
        "shopt -s extglob; ls !(a)",
    ],
)
def test_a_command_is_judged_as_it_is(command: str):
    assert run(command) == [command]
    assert judged("run_in_terminal", {"command": command, "explanation": "e", "isBackground": True}) == [
        ("Bash", {"command": command, "description": "e", "run_in_background": True})
    ]


def test_the_end_of_a_line_is_one_however_it_is_written():
    assert run("echo a\rrm -rf b\r\nls") == ["echo a\nrm -rf b\nls"]


@pytest.mark.parametrize("key", ["\x03", "\x15", "\x16", "\x1b[A", "\x08", "\x7f", "\x0b", "\x0c"])
def test_a_key_in_a_command_is_refused(key: str):
    for tool in (run, send):
        with pytest.raises(InterlockError, match="control character"):
            tool(f"echo a {key}rm -rf b")


def test_a_tab_is_refused_where_it_completes_a_word():
    with pytest.raises(InterlockError, match="contains a tab"):
        run("rm -rf /ho\t")
    assert run("make -f - <<E\nall:\n\ttrue\nE") == ["make -f - <<E\nall:\n\ttrue\nE"]


@pytest.mark.parametrize(
    "command",
    [
        "!!",
        "!rm",
        "true; !rm",
        'echo "$(!rm)"',
        "echo a!rm",
        "echo {!rm}",
        "^ls^rm -rf",
        "true\n  !rm",
        "true # it's\n!rm",
        "echo $'\\'' !rm",
        "echo 'a' !rm 'b'",
    ],
)
def test_a_line_that_recalls_an_earlier_one_is_refused(command: str):
    with pytest.raises(InterlockError, match="would insert an earlier line"):
        run(command)


def test_what_is_typed_is_judged_in_both_ways_in_which_it_may_be_typed():
    assert send("y") == ["y"]
    assert send("") == [""]
    assert send("rm\n-rf /") == ["rm\n-rf /", "rm -rf /"]
    assert send("ls\n") == ["ls\n", "ls"]


@pytest.mark.parametrize("signal", ["\x03", "\x04", "\x1c", " \x03\n"])
def test_a_signal_alone_stops_what_is_running(signal: str):
    assert judged("send_to_terminal", {"id": "1", "command": signal}) == [("TaskStop", {"task_id": "1"})]
