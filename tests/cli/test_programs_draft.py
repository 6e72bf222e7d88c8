"""`interlock programs draft`: a description from help text, on stdout, without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.project import Project

HELP = """\
usage: ourctl [-h] [-o FILE] {list,destroy} ...

Looks after our shop.

positional arguments:
  {list,destroy}
    list          List the shelves
    destroy       Destroy a shelf

options:
  -h, --help      show this help message and exit
  -o FILE         write the list to FILE
"""
DESTROY = "usage: ourctl destroy [-f] NAME\n\nDestroy a shelf.\n\noptions:\n  -f, --force  do not ask\n"
DRAFT = """\
# A first description of `ourctl`, drafted from its help text. The program was not run.
# Correct it, above all where a line says `# ?`. Then copy it into the `programs` of your policy
# and run `interlock check`, which tries the cases.
version: 1
programs:
  ourctl:
    about: Looks after our shop.
    options:
      - o=write                     # write the list to FILE
    does:
      read-only:
        - list                      # List the shelves
        - ""                        # without a subcommand it shows its help
      changes told-to-delete:
        - destroy                   # Destroy a shelf
    cases:
      ourctl list: read-only
      ourctl destroy: changes, told-to-delete
"""
WITH_PAGE = """\
        - ""                        # without a subcommand it shows its help
    forms:
      destroy:
        options:
          - f/force!forced          # do not ask
        does: changes told-to-delete
    cases:
      ourctl list: read-only
      ourctl destroy x: changes, told-to-delete
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def test_a_help_text_on_stdin_becomes_a_draft_on_stdout(project: Project):
    result = project.run("programs", "draft", "ourctl", stdin=HELP)
    assert (result.exit_code, result.stdout, result.stderr) == (0, DRAFT, "")


@pytest.mark.parametrize("words", [("--help-text", "all.txt"), ("all.txt",)], ids=" ".join)
def test_a_help_text_in_a_file_becomes_the_same_draft(project: Project, words: tuple[str, ...]):
    project.write(HELP, "all.txt")
    assert project.run("programs", "draft", "ourctl", *words).stdout == DRAFT


def test_pages_of_subcommands_may_follow(project: Project):
    project.write(HELP, "all.txt")
    project.write(DESTROY, "destroy.txt")
    named = project.run("programs", "draft", "ourctl", "--help-text", "all.txt", "destroy.txt").stdout
    assert named == DRAFT.partition('        - "" ')[0] + WITH_PAGE
    assert project.run("programs", "draft", "ourctl", stdin=HELP + "\n" + DESTROY).stdout == named


def test_the_program_is_never_run(project: Project, monkeypatch: pytest.MonkeyPatch):
    folder = project.home / "bin"
    folder.mkdir()
    program = folder / "ourctl"
    program.write_text(f"#!/bin/sh\ntouch {project.home}/ran\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    assert project.run("programs", "draft", "ourctl", stdin=HELP).exit_code == 0
    assert not (project.home / "ran").exists()


def test_a_program_that_interlock_knows_is_said_to_be_known(project: Project):
    lines = project.run("programs", "draft", "kubectl", stdin=HELP.replace("ourctl", "kubectl")).stdout.splitlines()
    assert lines[3] == "# Interlock knows `kubectl` already: a description can add to that and take nothing away."


@pytest.mark.parametrize(
    ("words", "stdin", "stderr"),
    [
        (
            ("ourctl",),
            " \n",
            "error: the help text on stdin is empty\n"
            "help: some programs print it on stderr: ourctl --help 2>&1 | interlock programs draft ourctl\n",
        ),
        (("ourctl", "gone.txt"), None, "error: cannot read `gone.txt`: no such file or directory\n"),
        (
            ("./bin/ourctl",),
            HELP,
            "error: `./bin/ourctl` is not the bare name of a program\nhelp: write `ourctl`\n",
        ),
    ],
)
def test_what_cannot_be_read_is_said(project: Project, words: tuple[str, ...], stdin: str | None, stderr: str):
    result = project.run("programs", "draft", *words, stdin=stdin)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", stderr)
