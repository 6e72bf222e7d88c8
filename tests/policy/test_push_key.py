"""`push` in a rule: which pushes it restricts, and which it may trust."""

import pytest
from inline_snapshot import snapshot

from tests.policy.builders import Session, complaints, decide


def said(push: str, *lines: str, effect: str = "deny: x", **given: object) -> list[str | None]:
    session = Session(f"rules: [{{id: r, push: {push}, {effect}}}]", given=given)
    return [session.call(line).decision for line in lines]


@pytest.mark.parametrize(
    ("push", "caught", "passed"),
    [
        ("main", ["git push origin main", "git push up x:main", "sudo git push --all"], ["git push origin mai", "ls"]),
        ("[main, release/*]", ["git push origin release/1"], ["git push origin release"]),
        ("{to: main, remote: origin}", ["git push origin main", "git push $R main"], ["git push fork main"]),
        ("{to: main, remote: origin}", ["git push git@x.example:a/b.git main"], []),
        ("{remote: fork}", ["git push fork x", "git push --all fork"], ["git push origin x", "git push"]),
        ("{force: true}", ["git push -f origin x", "git push origin +x", "git push --mirror"], ["git push origin x"]),
        ("{to: main, force: false}", ["git push origin main"], ["git push -f origin main"]),
        ("{delete: true}", ["git push origin :x", "git push -d origin x"], ["git push origin x:y"]),
        ("refs/tags/*", ["git push --tags", "git push origin v1:refs/tags/v1"], ["git push origin refs/heads/v1"]),
        ("/^(main|rel)/", ["git push origin main", "git push origin $B"], ["git push origin x"]),
        ("'*'", ["git push", "git push origin x"], ["git push --tags", "git push -n origin main", "git pull"]),
        ("'?ain'", ["git push origin rain"], ["git push origin train"]),
        (
            "{to: main, certain: true}",
            ["git push origin main", "git checkout main && git push", "git push --all"],
            ["git push", "git push origin $B", "git checkout main; git push", "git push origin HEAD"],
        ),
        (
            "{to: main, certain: false}",
            ["git push origin $B", "git checkout main; git push", "cd /else && git push"],
            ["git push origin main", "git push origin x"],
        ),
    ],
)
def test_a_rule_that_restricts_means_every_push_that_may_go_there(push: str, caught: list[str], passed: list[str]):
    assert said(push, *caught, *passed) == ["deny"] * len(caught) + [None] * len(passed)


@pytest.mark.parametrize(
    ("push", "allowed", "not_allowed"),
    [
        ("me/*", ["git push origin me/x", "git push -u origin HEAD:me/x"],
         ["git push origin main", "git push origin me/x main", "git push origin $B", "git push origin me/x && ls",
          "git push --all", "git -C /else push", "A=b git push origin me/x", "git push origin me/x > out"]),
        ("{to: me/*, remote: fork}", ["git push fork me/x"], ["git push origin me/x", "git push $R me/x"]),
        ("{to: me/*, force: false}", ["git push fork me/x"], ["git push -f fork me/x"]),
        ("{to: work, remote: origin}", ["git push", "git push origin HEAD"], ["cd /else && git push"]),
        ("{to: [me/*, 'refs/tags/*']}", ["git push --tags"], ["git push --mirror"]),
    ],
)  # fmt: skip
def test_an_allow_means_only_pushes_that_surely_go_there(push: str, allowed: list[str], not_allowed: list[str]):
    effect = "allow: true"
    assert said(push, *allowed, *not_allowed, effect=effect) == ["allow"] * len(allowed) + [None] * len(not_allowed)


def test_an_excuse_means_only_pushes_that_surely_go_there():
    policy = "rules: [{id: r, command: git push, unless: {push: me/*}, deny: x}]"
    lines = ("git push origin me/x", "git push origin x", "git push origin $B", "git push")
    assert [decide(policy, line) for line in lines] == [None, "deny", "deny", "deny"]


def test_a_push_and_a_command_are_about_the_same_command():
    policy = "rules: [{id: r, command: git push --force-with-lease, push: main, deny: x}]"
    lines = ("git push --force-with-lease origin main", "git push --force-with-lease origin x && git push origin main")
    assert [decide(policy, line) for line in lines] == ["deny", None]


def test_a_list_of_let_names_branches_and_an_empty_one_none():
    policy = "let: {shared: [main], none: []}\nrules: [{id: r, push: {to: ['${shared}', '${none}']}, deny: x}]"
    assert [decide(policy, f"git push origin {branch}") for branch in ("main", "x")] == ["deny", None]
    assert decide(policy.replace("'${shared}', ", ""), "git push origin main") is None


@pytest.mark.parametrize(
    ("push", "complaint"),
    [
        ("{}", snapshot(['3:19 `push` is empty; write `push: "*"` for every branch'])),
        (
            "{branch: main}",
            snapshot(["3:20 unknown key `branch` in `push`; use one of `to`, `remote`, `force`, `delete`, `certain`"]),
        ),
        (
            "{to: main, force: maybe}",
            snapshot(["3:37 `push.force` is a text; expected true or false; write `force: true`, or leave it out"]),
        ),
        (
            "[]",
            snapshot(
                [
                    "3:19 `push` is an empty list, which matches nothing; "
                    "write `push: {to: [main, release/*], remote: origin}`, for example"
                ]
            ),
        ),
        ("a|b", snapshot(["3:19 `a|b` holds a `|`, which no name has; write a list: `[a, b]`"])),
    ],
)
def test_a_push_that_means_nothing_is_refused(push: str, complaint: list[str]):
    assert complaints(f"rules:\n  - {{id: r, push: {push}, deny: x}}") == complaint
