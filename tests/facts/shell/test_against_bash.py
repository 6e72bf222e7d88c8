"""What bash itself runs is what was read: every command, with the very words it gets."""

import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings

from interlock.facts.shell import read_shell
from tests.facts.shell.lines import LINES, SETTING

BASH = shutil.which("bash") or ""
# Nothing can be found, so every command that bash runs goes to this function, which writes down its words.
TELL = """command_not_found_handle() { { printf '%s\\001' "$@"; printf '\\002'; } >&9; }
exec 9>"$OUT"
PATH=
"""


def run_in_bash(line, place):
    out = place / "out"
    out.write_text("")
    done = subprocess.run(
        [BASH, "--norc", "-c", TELL + line],
        env={"OUT": str(out), "HOME": "/home/u", "PATH": ""},
        cwd=place,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=20,
        check=False,
    )
    ran = [command.split("\1")[:-1] for command in out.read_text(errors="replace").split("\2")[:-1]]
    return ran, b"syntax error" not in done.stderr and b"unexpected EOF" not in done.stderr


def agrees(ran, read):
    """Whether the words are those; an unknown part of a word may be anything, an unknown word any number of words."""
    pattern = "".join(f"(?:{'.*'.join(map(re.escape, word.split(chr(0))))}\1)" for word in read)
    pattern = pattern.replace("(?:.*\1)", "(?:.*\1)?")
    return re.fullmatch(pattern, "".join(word + "\1" for word in ran), re.DOTALL) is not None


@pytest.mark.skipif(not BASH, reason="bash is not installed")
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(LINES)
def test_every_command_that_bash_runs_was_read(tmp_path, line):
    ran, valid = run_in_bash(SETTING + line, tmp_path)
    shell = read_shell(SETTING + line)
    if valid:
        read = [[one.program, *one.args] for one in shell.commands]
        assert [words for words in ran if not any(agrees(words, one) for one in read)] == []
        assert shell.reasons == () or "the program is not known" in shell.reasons[0]
