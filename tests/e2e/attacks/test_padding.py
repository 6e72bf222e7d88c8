"""A command behind padding, and a secret behind a long result: what the real client runs, and what its model reads."""

from __future__ import annotations

import base64

import pytest

from tests.e2e.model import bash
from tests.e2e.session import Session

NO_TOUCH = "{id: no-touch, command: touch ran, deny: Use mkdir instead.}"
SECRET = "AKIAABCDEFGHIJKLMNOP"


def encoded(line: str, times: int) -> str:
    for _ in range(times):
        line = f"echo {base64.b64encode(line.encode()).decode()} | base64 -d | sh"
    return line


PADDED = {
    "commands": ":;" * 1_000 + "touch ran",
    "many commands": ":;" * 5_000 + "touch ran",
    "a comment": f"# {'x' * 110_000}\ntouch ran",
    "brackets": "( " * 30 + "touch ran" + " )" * 30,
    "values": "for c in " + ": " * 300 + "'touch ran'; do eval \"$c\"; done",
    "an output": "echo touch ran" + " | cat" * 70 + " | sh",
    "layers": encoded("touch ran", 8),
    "a program": "python3 - <<'E'\nimport os\n" + "a = 1\n" * 12_000 + "os.system('touch ran')\nE\n",
}


@pytest.mark.parametrize("name", PADDED)
def test_without_interlock_a_padded_command_runs(session: Session, name: str):
    """Without this the test below would prove nothing."""
    session.run(bash(PADDED[name]), "Done.")
    assert session.has("ran")


def test_no_padding_brings_a_denied_command_past_a_policy(session: Session):
    session.guard(NO_TOUCH)
    ran = session.run(*map(bash, PADDED.values()), bash("mkdir made"), "Done.")
    assert (session.has("ran"), session.has("made")) == (False, True)
    assert [result.error for result in ran.results()] == [True] * len(PADDED) + [False]
    assert "Split it into several calls, or write a script file and run that." in ran.results()[1].text
    assert (ran.exit_code, ran.final["result"]) == (0, "Done.")


def test_a_switch_of_the_guard_behind_padding_is_denied_without_a_rule(session: Session):
    session.guard("{id: other, command: nothing-like-it, deny: X.}")
    ran = session.run(bash(":;" * 5_000 + "interlock trust --yes"), "Done.")
    (result,) = ran.results()
    assert (result.error, "This call has more than" in result.text) == (True, True)


@pytest.mark.parametrize("size", [1_200_000, 10_000_000])
def test_a_secret_at_the_end_of_a_long_result_does_not_reach_the_model_and_the_turn_goes_on(
    session: Session, size: int
):
    session.guard(top="packs: [secrets]\n")
    session.write("keys", f"KEY={SECRET}\n")
    ran = session.run(bash(f"yes 'a line of a log' | head -c {size}; cat keys"), bash("mkdir made"), "Done.")
    assert not ran.reached_the_model(SECRET)
    assert (ran.exit_code, ran.final["result"], session.has("made")) == (0, "Done.", True)
