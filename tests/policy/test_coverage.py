"""Who permits must mean all of a call: every item behind the first, every folder above an anchored pattern."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policy.builders import Session, decide

STATUS = "rules: [{id: r, command: git status, allow: true}]"
LOOKING = "rules: [{id: r, does: read-only, path: '${project}/**', allow: true}]"


# --- trust refused behind an allowed first item ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("git status; git status -s", "allow"),
        ("git status; ./git status", None),
        ("./git status; git status", None),
        ("git status && /tmp/git status", None),
        ("git status | ./git status", None),
        ("git status; X=1 git status", None),
        ("git status; git -C elsewhere status", None),
        ("git status; git status > out", None),
        ("git status; env git status", None),
        ("git status; bash -c 'git status'", None),
        ("git status; $G status", None),
    ],
)
def test_an_allow_that_covers_the_first_command_covers_no_lesser_one_behind_it(line, decision):
    assert decide(STATUS, line) == decision


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("cat a; wc -l b", "allow"),
        ("cat a; ./wc -l b", None),
        ("cat a; wc -l /etc/passwd", None),
        ("cat a; cat ../b", None),
        ("cat a; cat $B", None),
        ("cat a; nobody-knows-this b", None),
    ],
)
def test_an_allow_by_what_commands_do_covers_the_program_and_path_of_each(line, decision):
    assert decide(LOOKING, line) == decision


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("curl https://ok.org/a https://api.ok.org/b", "allow"),
        ("curl https://ok.org/a https://bad.org/b", None),
        ("curl https://ok.org/a https://ok.org.bad.org/b", None),
        ("curl https://ok.org/a https://$H/b", None),
    ],
)
def test_an_allow_by_host_covers_every_address(line, decision):
    assert decide("rules: [{id: r, command: curl, url: '*.ok.org', allow: true}]", line) == decision


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("git push; git push --dry-run", "deny"),
        ("git push --dry-run; git push", "deny"),
        ("git push --dry-run; ./git push --dry-run", "deny"),
        ("git push --dry-run; git push --dry-run origin", None),
    ],
)
def test_an_excuse_of_the_first_command_excuses_no_other(line, decision):
    policy = "rules: [{id: r, command: git push, unless: {command: git push --dry-run}, deny: stop}]"
    assert decide(policy, line) == decision


def test_an_excuse_by_another_key_must_be_plain_for_every_command():
    policy = "rules: [{id: r, tool: Bash, unless: {command: git status}, deny: stop}]"
    assert decide(policy, "git status; git status") is None
    assert decide(policy, "git status; ./git status") == "deny"


# --- every folder above an anchored pattern ---------------------------------------------------------------------


NAMES = st.lists(st.sampled_from(["etc", "ssh", "srv", "a", "b.d", "keys"]), min_size=2, max_size=5)
TAILS = st.sampled_from(["/**", "/", "/*", "/x.key"])


@given(names=NAMES, tail=TAILS, how=st.sampled_from(["rm -rf", "grep -r x", "mv {} /tmp/away", "cp -r {} /tmp/copy"]))
def test_a_tree_that_holds_what_an_anchored_pattern_means_is_caught_at_every_height(names, tail, how):
    pattern = "/" + "/".join(names) + tail
    session = Session(f"rules: [{{id: r, path: '{pattern}', deny: stop}}]")
    for height in range(len(names) + 1):
        folder = "/" + "/".join(names[:height])
        line = how.format(folder) if "{}" in how else f"{how} {folder}"
        assert session.call(line).decision == "deny", line


@given(names=NAMES, tail=TAILS)
def test_a_tree_beside_what_an_anchored_pattern_means_is_not_caught(names, tail):
    pattern = "/" + "/".join(names) + tail
    session = Session(f"rules: [{{id: r, path: '{pattern}', deny: stop}}]")
    for height in range(1, len(names) + 1):
        folder = "/" + "/".join(names[:height])
        assert session.call(f"rm -rf {folder}x").decision is None
        assert session.call(f"rm -rf {folder[:-1]}").decision is None or len(names[height - 1]) == 1


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("rm -rf /etc", "deny"),
        ("rm -rf /", "deny"),
        ("rm -rf /etc/ssh", "deny"),
        ("rm -rf /etc/ssh/keys", "deny"),
        ("cd /etc && rm -rf .", "deny"),
        ("rm /etc", None),  # without -r nothing below it goes
        ("rm -rf /etc/ssl", None),
        ("rm -rf /opt/etc", None),
        ("ls /etc", None),
    ],
)
def test_deleting_etc_is_caught_by_a_rule_on_etc_ssh(line, decision):
    assert decide("rules: [{id: r, path: {write: /etc/ssh/**}, deny: stop}]", line) == decision


@pytest.mark.parametrize(
    ("excuse", "excused", "caught"),
    [
        (
            "git clean -n",
            ["git clean -n", "git clean -nfd", "git clean -fdn", "git clean --dry-run -f", "git clean -xdfn src"],
            [
                "git clean -fd",
                "git clean -e n -f",
                "git clean -f -e -n",
                "git clean -f -- -n",
                "git clean -nf --unheard-of",
            ],
        ),
        (
            "curl -s",
            ["curl -s u", "curl -fsSL u", "curl -L -s u"],
            ["curl -o s u", "curl -os u", "curl -o -s u", "curl u"],
        ),
        (
            "docker run --rm",
            ["docker run --rm a", "docker run -it --rm a"],
            ["docker run a --rm", "docker run -e --rm a"],
        ),
        ("ourtool -n", ["ourtool -n"], ["ourtool -nf", "ourtool -f -n"]),
    ],
)
def test_an_excuse_finds_its_option_in_a_bundle_of_a_program_that_is_described(
    excuse: str, excused: list[str], caught: list[str]
):
    program = excuse.partition(" ")[0]
    policy = f"rules: [{{id: r, command: {program}, unless: {{command: {excuse}}}, deny: x}}]"
    assert [decide(policy, line) for line in (*excused, *caught)] == [None] * len(excused) + ["deny"] * len(caught)
