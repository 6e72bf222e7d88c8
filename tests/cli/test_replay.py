"""`interlock replay`: what a person sees of the past."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock.cli import main
from interlock.config.bundles import find_pack
from interlock.config.places import user_policy
from interlock.policy.load import load_policy
from interlock.replay.playback import Scene, play
from tests.replay.transcripts import START, Transcript

SCRIPTS = """
what this cannot say
  - 1 call uses scripts or makefiles, whose text at the time is not known.
"""


@pytest.fixture
def folder(nobodys_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where transcripts are, for somebody who is in an empty project."""
    monkeypatch.setenv("COLUMNS", "80")
    project = tmp_path / "here"
    project.mkdir()
    monkeypatch.chdir(project)
    return nobodys_home / ".claude" / "projects"


def replay(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["replay", *arguments])


def output(*arguments: str) -> str:
    result = replay(*arguments)
    assert (result.stderr, result.exit_code) == ("", 0)
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    return result.stdout


def two_sessions(folder: Path) -> None:
    first = Transcript(folder / "-home-dev-shop" / "aaaaaaaa-1.jsonl")
    first.prompt("clean up")
    first.bash("ls -la")
    first.bash("git reset --hard HEAD~1")
    first.bash("cd src && git reset --hard")
    first.bash("git stash drop")
    first.refuse("Bash", {"command": "git push -f origin main"})
    first.bash("git status")
    second = Transcript(folder / "-home-dev-web" / "bbbbbbbb-2.jsonl", at=START + 90_000, cwd="/home/dev/web")
    second.bash("npm test")
    second.bash("pkill -f postgres")


def test_the_report_shows_totals_rules_with_their_calls_and_sessions(folder: Path):
    two_sessions(folder)
    assert (
        output("--pack", "guarded")
        == dedent("""\
        judged by   pack guarded, core
        read        the transcripts in ~/.claude/projects
        calls       8 in 2 sessions of 2 projects, 2026-11-16 to 2026-11-17
                    of which 1 refused by somebody

        denied           1  12.50 of 100 calls
        asked            4  50.00 of 100 calls
        changed          0  0.00 of 100 calls
        stops            5  62.50 of 100 calls
                            none in 0 of 2 sessions, at most 4 in one

        rule                                           denied    asked  changed      ran
        git/hard-reset                                      -        3        -        3
              2 × git reset --hard              git reset --hard HEAD~1
              1 × git stash drop                git stash drop
        git/force-push                                      1        -        -        0
              1 × git push -f                   git push -f origin main
        system/process-killed                               -        1        -        1
              1 × pkill postgres -f             pkill -f postgres

        ran: how many of the calls that it would have stopped really ran

        sessions with the most stops
              4 of 6 calls (66.7 of 100)      aaaaaaaa  /home/dev/shop
              1 of 2 calls (50.0 of 100)      bbbbbbbb  /home/dev/web
        """)
        + SCRIPTS
    )


def test_every_call_of_one_rule_is_shown_whole(folder: Path):
    two_sessions(folder)
    assert (
        output("--pack", "guarded", "--rule", "git/hard-reset")
        == dedent("""\
        judged by   pack guarded, core
        read        the transcripts in ~/.claude/projects
        calls       8 in 2 sessions of 2 projects, 2026-11-16 to 2026-11-17
                    of which 1 refused by somebody

        `git/hard-reset` would have caught 3 calls:
        2026-11-16 09:00  asked    ran      git reset --hard HEAD~1
        2026-11-16 09:00  asked    ran      cd src && git reset --hard
        2026-11-16 09:00  asked    ran      git stash drop
        """)
        + SCRIPTS
    )


def test_a_rule_that_no_policy_has_is_an_error(folder: Path):
    two_sessions(folder)
    result = replay("--pack", "guarded", "--rule", "hard-reset")
    assert (result.exit_code, result.stderr) == (
        1,
        "error: these policies have no rule `hard-reset`\nhelp: did you mean `git/hard-reset`?\n",
    )


def test_only_differences_from_another_policy_are_shown(folder: Path):
    two_sessions(folder)
    Path("new.yaml").write_text(
        "version: 1\npacks:\n  - {use: guarded, without: [system/process-killed]}\n"
        "rules:\n"
        "  - {id: no-stash, command: git stash drop, deny: Keep it.}\n"
        "  - {id: tests, command: npm test, ask: 'Now?'}\n"
        "  - {id: short, command: ls, change: {command: ls}}\n",
        encoding="utf-8",
    )
    assert (
        output("--policy", "new.yaml", "--against", "guarded")
        == dedent("""\
        judged by   new.yaml, core, compared with pack guarded
        read        the transcripts in ~/.claude/projects
        calls       8 in 2 sessions of 2 projects, 2026-11-16 to 2026-11-17
                    of which 1 refused by somebody

        newly asked                  1  12.50 of 100 calls
        denied instead of asked      1  12.50 of 100 calls
        freed                        1  12.50 of 100 calls
        changed otherwise            1  12.50 of 100 calls

        newly asked
              1 × npm test  [tests]

        denied instead of asked
              1 × git stash drop  [no-stash]

        freed
              1 × pkill -f postgres  [system/process-killed]

        changed otherwise
              1 × ls -la  [short]
        """)
        + SCRIPTS
    )


def test_a_policy_compared_with_itself_has_no_differences(folder: Path):
    two_sessions(folder)
    assert output("--pack", "guarded", "--against", "guarded").endswith(
        "\n\nNo call would have been answered differently.\n" + SCRIPTS
    )


def test_the_policy_of_a_git_revision_can_be_compared_with(folder: Path):
    two_sessions(folder)
    git = ["git", "-c", "user.name=dev", "-c", "user.email=dev@shop.example"]
    policy = Path("interlock.yaml")
    subprocess.run([*git, "init", "-q"], check=True)
    for text in ("rules: [{id: old, command: npm test, ask: 'Now?'}]", "rules: [{id: new, command: ls, deny: Never.}]"):
        policy.write_text(f"version: 1\n{text}\n", encoding="utf-8")
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", "x"], check=True)
    user_policy().parent.mkdir(parents=True)
    user_policy().write_text("version: 1\nrules: [{id: own, command: git, deny: Never.}]\n", encoding="utf-8")
    text = output("--against", "HEAD~1")  # of this file, so a person's own policy has no part in it
    assert text.splitlines()[0] == "judged by   interlock.yaml, core, compared with interlock.yaml at HEAD~1"
    assert text.partition("\n\n")[2] == dedent("""\
        newly denied                 1  12.50 of 100 calls
        freed                        1  12.50 of 100 calls

        newly denied
              1 × ls -la  [new]

        freed
              1 × npm test  [old]

        what this cannot say
          - 1 call uses scripts or makefiles, whose text at the time is not known.
        """)


def test_something_that_cannot_be_compared_with_is_an_error(folder: Path):
    two_sessions(folder)
    result = replay("--against", "guardd", "--pack", "strict")
    assert (result.exit_code, result.stderr) == (
        1,
        "error: `guardd` is neither a policy file nor a pack nor a git revision that contains interlock.yaml\n"
        "help: did you mean `guarded`?\n",
    )


def test_suggestions_are_measured_and_their_text_is_a_policy(folder: Path):
    session = Transcript(folder / "-home-dev-shop" / "s.jsonl")
    for _ in range(3):
        session.bash("git stash drop")
    session.bash("git reset --hard")
    session.refuse("Bash", {"command": "git stash drop"})
    for _ in range(4):
        session.bash("git push -f origin main")
    for _ in range(91):
        session.bash("ls")
    text = output("--pack", "guarded", "--suggest")
    assert text.partition("suggestions, each")[2] == dedent("""\
         measured by a replay with it

        git/hard-reset: 5 questions
          Discarding unsaved work needs a person's approval.
          This exception frees 4 calls, of which 1 was refused. 5 stops would be left,
          5.00 of 100 calls.
              4 × git stash drop                git stash drop

            version: 1
            packs:
            - use: guarded
              without: [git/hard-reset]
            rules:
            - id: hard-reset
              about: Discarding unsaved work needs a person's approval.
              does: git/discards-work
              ask: '`${match.command.text}` discards unsaved work. The work can
                be committed or stashed first. Run it anyway?'
              unless: {command: git stash drop}

        git/hard-reset: 5 questions
          Discarding unsaved work needs a person's approval.
          Leaving it out frees 5 calls, of which 1 was refused. 4 stops would be left,
          4.00 of 100 calls.
              4 × git stash drop                git stash drop
              1 × git reset --hard              git reset --hard

            version: 1
            packs:
            - use: guarded
              without: [git/hard-reset]
        """)
    # What was measured is what the text does.
    data = json.loads(replay("--pack", "guarded", "--suggest", "--json").stdout)
    for number, suggestion in enumerate(data["suggestions"]):
        file = Path(f"policy-{number}.yaml")
        file.write_text(suggestion["policy"], encoding="utf-8")
        load_policy(suggestion["policy"], str(file), find_pack)
        assert json.loads(replay("--policy", str(file), "--json").stdout)["stops"] == suggestion["stops_left"]


def test_a_persons_own_rule_gets_an_exception_and_is_never_left_out(folder: Path):
    session = Transcript(folder / "-home-dev-shop" / "s.jsonl")
    for name in ("a", "b", "c"):
        session.bash(f"rm -rf /tmp/build/{name}")
    session.bash("rm -rf /home/dev/other/x")
    Path("own.yaml").write_text(
        "version: 1\nlet: {words: [rm]}\nrules:\n  - {id: deletes, command: '${words} *', ask: 'Delete it?'}\n",
        encoding="utf-8",
    )
    data = json.loads(replay("--policy", "own.yaml", "--suggest", "--json").stdout)
    assert [(one["kind"], one["freed"], one["policy"]) for one in data["suggestions"]] == [
        (
            "unless",
            3,
            "version: 1\nlet:\n  words: [rm]\nrules:\n- id: deletes\n  command: ${words} *\n"
            "  ask: Delete it?\n  unless: {path: /tmp/build/**}\n",
        )
    ]


def test_rules_that_ask_about_the_same_call_are_left_out_together(folder: Path):
    session = Transcript(folder / "-home-dev-shop" / "s.jsonl")
    for _ in range(3):
        session.bash("docker system prune -f")
        session.bash("rm -rf /")  # five rules ask about it, too, but others deny it
    data = json.loads(replay("--pack", "guarded", "--suggest", "--json").stdout)
    assert [(one["rule"], one["freed"], one["policy"]) for one in data["suggestions"]] == [
        (
            "containers/container-removed + containers/pruned",
            3,
            "version: 1\npacks:\n- use: guarded\n  without: [containers/container-removed, containers/pruned]\n",
        )
    ]


def test_denials_are_never_reconsidered(folder: Path):
    session = Transcript(folder / "-home-dev-shop" / "s.jsonl")
    for _ in range(9):
        session.bash("git push -f origin main")
    assert output("--pack", "guarded", "--suggest").endswith(
        "\n\nNothing to suggest: no rule asks often where a small change would help.\n"
    )


def test_what_a_replay_cannot_know_and_could_not_read_is_said(folder: Path):
    session = Transcript(folder / "-home-dev-shop" / "s.jsonl")
    session.bash("./deploy.sh")
    session.raw("what?")
    Path("own.yaml").write_text(
        "version: 1\nhooks: [hooks.py]\nrules:\n"
        "  - {id: tests, command: deploy.sh, run: make test, deny: The tests fail.}\n"
        "  - {id: end, event: Stop, run: make test, deny: The tests fail.}\n",
        encoding="utf-8",
    )
    Path("hooks.py").write_text("", encoding="utf-8")
    notes = output("--policy", "own.yaml").partition("what this cannot say\n")[2]
    assert notes.splitlines() == [
        "  - 1 hook of the policy was not asked: hooks are programs.",
        "  - 1 rule was not tried, because transcripts do not show these events: Stop.",
        "  - 1 `run` check was taken to have passed.",
        "  - 1 call uses scripts or makefiles, whose text at the time is not known.",
        "  - lines that are not JSON: 1, the first at",
        "    ~/.claude/projects/-home-dev-shop/s.jsonl:3",
    ]


def test_only_calls_since_a_time_and_of_a_project_are_counted(folder: Path):
    two_sessions(folder)
    data = json.loads(replay("--pack", "guarded", "--since", "2026-11-17T00:00+00:00", "--json").stdout)
    assert (data["calls"], [one["project"] for one in data["sessions"]]) == (2, ["/home/dev/web"])
    data = json.loads(replay("--pack", "guarded", "--project", "/home/dev/shop", "--json").stdout)
    assert (data["calls"], [one["project"] for one in data["sessions"]]) == (6, ["/home/dev/shop"])
    assert replay("--since", "soon").stderr == (
        "error: `soon` is neither a time nor a duration\nhelp: write 2h, 30d or 2026-11-16T10:00\n"
    )


def test_files_and_folders_can_be_given(folder: Path, tmp_path: Path):
    two_sessions(folder)
    Transcript(tmp_path / "more" / "x.jsonl").bash("ls")
    assert json.loads(replay(str(tmp_path / "more" / "x.jsonl"), "--json").stdout)["calls"] == 1
    assert json.loads(replay(str(tmp_path / "more"), str(folder), "--json").stdout)["calls"] == 9
    assert replay(str(tmp_path / "nowhere")).stderr == (
        f"error: `{tmp_path}/nowhere` does not exist\nhelp: give transcripts (*.jsonl) or folders with them\n"
    )


def test_without_transcripts_there_is_an_error_that_says_what_to_give(folder: Path):
    assert replay().stderr == (
        f"error: there are no transcripts: `{folder}` does not exist\n"
        "help: give transcripts, or folders with transcripts\n"
    )
    folder.mkdir(parents=True)
    assert output("--pack", "guarded") == (
        "judged by   pack guarded, core\nread        the transcripts in ~/.claude/projects\n\nNo calls were found.\n"
    )


def test_the_place_where_the_client_keeps_transcripts_can_be_another_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    Transcript(tmp_path / "config" / "projects" / "-x" / "x.jsonl").bash("ls")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    assert json.loads(replay("--json").stdout)["calls"] == 1


def test_an_interrupt_shows_what_was_found_so_far(folder: Path, monkeypatch: pytest.MonkeyPatch):
    two_sessions(folder)

    def interrupted(*arguments: Any, **options: Any) -> Iterator[Scene]:
        for number, scene in enumerate(play(*arguments, **options)):
            if number == 4:
                raise KeyboardInterrupt
            yield scene

    monkeypatch.setattr("interlock.cli.replay.play", interrupted)
    result = replay("--pack", "guarded")
    assert result.exit_code == 130
    assert (
        "stopped     by ^C, so this is only a part\ncalls       3 in 1 session of 1 project, 2026-11-16\n"
        in result.stdout
    )


def test_secrets_in_calls_are_not_shown(folder: Path):
    key = "sk-ant-api03-" + "a1B2c3D4" * 8
    Transcript(folder / "-x" / "s.jsonl").bash(f"git stash drop && export KEY={key}")
    assert key not in replay("--pack", "guarded", "--rule", "git/hard-reset").stdout
    assert key not in replay("--pack", "guarded", "--json").stdout


def test_control_characters_of_a_call_do_not_reach_the_terminal(folder: Path):
    Transcript(folder / "-x" / "s.jsonl").bash("git stash drop '\x1b[2Jgone'")
    assert "\x1b" not in output("--pack", "guarded")


def test_a_call_that_could_not_be_judged_is_denied_and_the_first_reason_is_shown(folder: Path):
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"a": deep}
    session = Transcript(folder / "-x" / "s.jsonl")
    session.call("mcp__x__y", deep)
    text = output("--pack", "guarded")
    assert "denied           1  100.00 of 100 calls\n" in text
    assert text.partition("what this cannot say\n")[2] == (
        "  - 1 call could not be judged by every rule: values are nested more than 200\n"
        "    deep in `tool_input` (~/.claude/projects/-x/s.jsonl:1)\n"
    )


def test_a_progress_bar_is_shown_on_a_terminal_and_only_there(folder: Path):
    two_sessions(folder)
    command = [sys.executable, "-m", "interlock", "replay", "--pack", "guarded"]
    for quiet in ([], ["--quiet"]):
        main_end, child_end = pty.openpty()
        done = subprocess.run([*command, *quiet], stderr=child_end, stdout=subprocess.PIPE, check=True)
        os.close(child_end)
        shown = b""
        with suppress(OSError):  # a terminal whose other end was closed
            while part := os.read(main_end, 1000):
                shown += part
        os.close(main_end)
        assert (b"reading" in shown) is (not quiet)
        assert b"reading  [" not in done.stdout


def test_nothing_is_written_anywhere(folder: Path, nobodys_home: Path, tmp_path: Path):
    two_sessions(folder)
    Path("interlock.yaml").write_text("version: 1\npacks: [guarded]\n", encoding="utf-8")

    def everything() -> dict[str, bytes]:
        files = [*nobodys_home.rglob("*"), *tmp_path.rglob("*")]
        return {str(file): file.read_bytes() if file.is_file() else b"" for file in files}

    before = everything()
    for options in ([], ["--suggest"], ["--against", "strict"], ["--rule", "git/hard-reset"]):
        assert replay(*options).exit_code == 0
    assert everything() == before
