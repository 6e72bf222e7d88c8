"""What a push goes to, held against git itself: real repositories, real settings, `git push --porcelain --dry-run`."""

from __future__ import annotations

import os
import shlex
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.event import event_from
from interlock.facts.gather import Facts
from interlock.facts.paths import Places
from interlock.facts.push import Destination, may_be_both
from interlock.policy.pushes import Pushes
from interlock.probe.world import Machine
from tests.builders import call

HERE = {"PATH": os.environ.get("PATH", "/usr/bin:/bin")}
BRANCHES = ("main", "feature", "release/1", "both", "heads/odd")


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**HERE, "HOME": str(folder.parent), "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    return subprocess.run(
        ["git", *words],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two remotes that have some of its branches and tags."""
    folder = tmp_path_factory.mktemp("pushes") / "work"
    folder.mkdir()
    for name in ("one", "two"):
        git(folder.parent, "init", "-q", "--bare", "-b", "main", f"{name}.git")
    steps = [
        "init -q -b main .", "config user.email a@b.example", "config user.name x", "commit -q --allow-empty -m a",
        "remote add origin ../one.git", "remote add up ../two.git", *(f"branch {name}" for name in BRANCHES[1:]),
        "tag v1", "tag both", "tag -a -m x v2", "push -q origin main feature release/1 refs/tags/both",
        "push -q up main refs/heads/both v1", "commit -q --allow-empty -m b", "checkout -q feature",
        "commit -q --allow-empty -m c",
    ]  # fmt: skip
    for step in steps:
        assert git(folder, *step.split()).returncode == 0, step
    return folder


def reported(text: str) -> list[tuple[str, str]]:
    """Each reference that git says it would touch, with its flag."""
    lines = [line.split("\t") for line in text.splitlines() if line.count("\t") == 2]
    return [(flag, names.rpartition(":")[2]) for flag, names, _ in lines]


def destination(line: str, folder: Path) -> Destination:
    machine = Machine(str(folder), {**HERE, "HOME": str(folder.parent)})
    places = Places(str(folder), str(folder), str(folder.parent))
    tool_input: dict[str, Any] = {"command": line}
    facts = Facts(event_from(call("Bash", **tool_input)), tool_input, places, machine)
    push = next(command for command in facts.all_commands if command.use.push is not None)
    found = Pushes(facts, places, machine).destination(push)
    assert found is not None
    return found


NAMES = [
    "main", "feature", "release/1", "both", "v1", "v2", "new", "HEAD", "@", "heads/main", "tags/v1", "heads/odd",
    "refs/heads/main", "refs/tags/v1", "refs/heads/new", "HEAD~1", "refs/notes/x",
]  # fmt: skip
SPECS = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from(NAMES).map("+{}".format),
    st.builds("{}:{}".format, st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.builds("+{}:{}".format, st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.sampled_from(NAMES).map(":{}".format),
    st.sampled_from([
        ":", "+:", "refs/heads/*:refs/heads/*", "refs/heads/*:refs/heads/copy/*", "refs/heads/re*:refs/heads/x*",
        "refs/tags/*", "refs/heads/*", "main:+main",
    ]),
)  # fmt: skip
OPTIONS = st.lists(
    st.sampled_from([
        "--all", "--tags", "--follow-tags", "-f", "--force", "--force-with-lease", "-u", "--delete", "--mirror",
        "--prune", "--repo=up", "--no-verify", "--atomic",
    ]), max_size=2, unique=True)  # fmt: skip
SETTINGS = st.fixed_dictionaries({}, optional={
    "push.default": st.sampled_from(["simple", "current", "upstream", "tracking", "matching", "nothing"]),
    "push.followTags": st.sampled_from(["true", "false"]),
    "remote.pushDefault": st.sampled_from(["origin", "up"]),
    "branch.feature.remote": st.sampled_from(["origin", "up"]),
    "branch.feature.pushRemote": st.sampled_from(["origin", "up"]),
    "branch.feature.merge": st.sampled_from(["refs/heads/main", "refs/heads/feature", "refs/heads/other"]),
    "branch.main.merge": st.sampled_from(["refs/heads/trunk", "refs/heads/main"]),
    "branch.main.remote": st.just("origin"),
    "remote.origin.push": st.sampled_from(
        ["refs/heads/*:refs/heads/me/*", "+refs/heads/main:refs/heads/prod", "HEAD", "main"]
    ),
    "remote.up.mirror": st.just("true"),
    "push.autoSetupRemote": st.just("true"),
})  # fmt: skip


@settings(max_examples=100)
@given(
    head=st.sampled_from(["feature", "main", "release/1"]),
    kept=SETTINGS,
    given_=st.booleans(),
    options=OPTIONS,
    remote=st.sampled_from(["", "origin", "up", "../one.git"]),
    specs=st.lists(SPECS, max_size=3),
    tag=st.booleans(),
)
def test_git_touches_nothing_that_was_not_foreseen(work, head, kept, given_, options, remote, specs, tag):
    """Whatever git reports is among the targets, with its deletion and its force."""
    text = (work / ".git/config").read_text()
    try:
        (work / ".git/HEAD").write_text(f"ref: refs/heads/{head}\n")
        line = []
        for key, value in kept.items():
            if given_:
                line += ["-c", f"{key}={value}"]
            else:
                assert git(work, "config", key, value).returncode == 0
        words = [remote] if remote else []
        words += (["tag", "v2"] if tag and remote else []) + (specs if remote else [])
        arguments = [*line, "push", *options, *words]
        found = destination(shlex.join(["git", *arguments]), work)
        said = git(work, *line, "push", "--porcelain", "--dry-run", *options, *words)
    finally:
        (work / ".git/config").write_text(text)
    for flag, ref in reported(said.stdout):
        fits = [
            target
            for target in found.targets
            if any(may_be_both(ref, one) for one in (target.ref, *target.instead))
            and (flag != "-" or target.delete or "--prune" in options)
            and (flag != "+" or target.force)
        ]
        assert fits, (arguments, kept, ref, flag, found, said.stdout, said.stderr)


@pytest.mark.parametrize(
    ("line", "head", "refs"),
    [
        ("git push", "feature", ["refs/heads/feature"]),
        ("git push origin", "main", ["refs/heads/main"]),
        ("git push origin HEAD", "feature", ["refs/heads/feature"]),
        ("git push origin HEAD:refs/heads/main", "feature", ["refs/heads/main"]),
        ("git push origin feature:main", "feature", ["refs/heads/main"]),
        ("git push origin v1", "feature", ["refs/tags/v1"]),
        ("git push origin heads/main", "feature", ["refs/heads/main"]),
        ("git push origin :main", "feature", ["refs/heads/main"]),
        ("git push --delete origin main", "feature", ["refs/heads/main"]),
        ("git push --all origin", "feature", [f"refs/heads/{name}" for name in sorted(BRANCHES)]),
        ("git push origin tag v1", "feature", ["refs/tags/v1"]),
        ("git push --tags", "feature", ["refs/tags/*"]),
        ("git push --mirror", "feature", ["*"]),
        ("git -c push.default=upstream -c branch.feature.merge=refs/heads/main push origin feature", "feature",
         ["refs/heads/main"]),
        ("git checkout main && git push", "feature", ["refs/heads/main"]),
        ("git checkout main; git push", "feature", ["refs/heads/feature", "refs/heads/main"]),
        ("git switch -c x && npm test && git push -u origin HEAD", "main", ["refs/heads/x"]),
        ("git checkout README.md && git push", "main", ["refs/heads/main", "refs/heads/README.md"]),
        ("git branch -m x && git push", "main", ["refs/heads/x"]),
        ("git checkout - && git push", "feature", ["*"]),
        ("gh pr checkout 5 && git push", "feature", ["*"]),
        ("git push origin \"$(git rev-parse --abbrev-ref HEAD)\"", "feature", ["refs/heads/feature"]),
        ("git push origin HEAD:$(git branch --show-current)", "feature", ["refs/heads/feature"]),
        ("git push origin $B", "feature", ["*"]),
        ("git push origin me/$B", "feature", ["refs/heads/me/*"]),
        ("git push $X", "feature", ["*"]),
        ("GIT_DIR=../x/.git git push", "feature", ["*"]),
        ("export GIT_DIR=../x/.git; git push", "feature", ["*"]),
        ("git --git-dir=../x/.git push", "feature", ["*"]),
        ("cd /nowhere && git push", "feature", ["*"]),
        ("git -C /nowhere push origin main", "feature", ["refs/heads/main"]),
        ("git config push.default matching && git push", "feature", ["*"]),
        ("git push --some-new-option origin x", "feature", ["*"]),
        ("git tag rel/1 && git push origin rel/1", "feature", ["refs/tags/rel/1"]),
        ("git send-pack ../one.git main", "feature", ["refs/heads/main"]),
        ("git subtree push --prefix dist origin pages", "feature", ["refs/heads/pages"]),
    ],
)  # fmt: skip
def test_a_push_goes_to(work: Path, line: str, head: str, refs: list[str]):
    (work / ".git/HEAD").write_text(f"ref: refs/heads/{head}\n")
    assert [target.ref for target in destination(line, work).targets] == refs


@pytest.mark.parametrize(
    ("line", "names", "sure"),
    [
        ("git push", ("origin",), True),
        ("git push up", ("up",), True),
        ("git push ../two.git main", ("../two.git", "up"), False),
        ("git push git@host.example:a/b.git main", ("git@host.example:a/b.git",), False),
        ("git -c remote.pushDefault=up push", ("up",), True),
        ("git -C /nowhere push", (), False),
    ],
)
def test_a_remote_has_the_names_that_the_settings_give_it(work: Path, line: str, names: tuple[str, ...], sure: bool):
    (work / ".git/HEAD").write_text("ref: refs/heads/feature\n")
    found = destination(line, work)
    assert (found.remotes, found.named) == (names, sure)


GLOBS = st.text(alphabet="ab*?/", max_size=6)


@given(GLOBS, GLOBS, st.text(alphabet="ab/", max_size=6))
def test_patterns_that_fit_one_text_may_be_both(first, second, text):

    if fnmatchcase(text, first) and fnmatchcase(text, second):
        assert may_be_both(first, second)
        assert may_be_both(second, first)


@given(st.text(alphabet="ab/", max_size=6), GLOBS)
def test_a_plain_text_may_be_what_fits_it_and_nothing_else(text, glob):

    assert may_be_both(text, glob) == fnmatchcase(text, glob)
