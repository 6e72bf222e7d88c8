"""`interlock lint`: what it prints for people and for programs, what it corrects, and how it ends."""

# ruff: noqa: E501 - lines are asserted as they are printed

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest
from inline_snapshot import snapshot

from tests.cli.lint_project import GUARD, QUOTED, SCRIPT, SETTINGS, hook, made, said
from tests.cli.test_check_files import SARIF
from tests.lint.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return made(tmp_path, monkeypatch)


# --- for people ------------------------------------------------------------


def test_a_finding_shows_its_line_and_what_to_do(project: Project):
    hook(project, QUOTED)
    assert said(project, "--ignore", "IL5") == snapshot(
        (
            1,
            """\
.claude/hooks/guard.sh:4:43 IL201 exit code 1 does not stop anything: the call runs
  |   *"rm -rf"*) echo "Blocked: rm -rf" >&2; exit 1 ;;
  |                                           ^^^^^^
  = exit with 2, and say why on stderr  [--fix]

1 problem in 1 hook and 1 settings file; `interlock lint --fix` corrects 1
""",
        )
    )


def test_nothing_found_and_nothing_there_end_well_and_say_so(project: Project):
    assert said(project) == snapshot((0, "no hooks were found here\n"))
    hook(project, QUOTED, script="    #!/bin/sh\n    exit 0\n")
    assert said(project) == snapshot((0, "no problems found in 1 hook and 1 settings file\n"))


def test_a_long_line_is_cut_around_the_mistake(project: Project):
    looks = "jq -r .tool_input.command | grep -q sudo && { echo 'Blocked: sudo' >&2; exit 1; }"
    hook(project, f"{'true; ' * 40}{looks}; {'true; ' * 40}")
    assert said(project, "--select", "IL201") == snapshot(
        (
            1,
            """\
.claude/hooks/guard.sh:4:43 IL201 exit code 1 does not stop anything: the call runs
  |   *"rm -rf"*) echo "Blocked: rm -rf" >&2; exit 1 ;;
  |                                           ^^^^^^
  = exit with 2, and say why on stderr  [--fix]

.claude/settings.json:9:337 IL201 exit code 1 does not stop anything: the call runs
  | …command | grep -q sudo && { echo 'Blocked: sudo' >&2; exit 1; }; true; true; true; true; true; true; true; true; t…
  |                                                        ^^^^^^
  = exit with 2, and say why on stderr  [--fix]

2 problems in 2 hooks and 1 settings file; `interlock lint --fix` corrects 2
""",
        )
    )


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (60, ["  | …| grep -q sudo && { echo 'Blocked: sudo' >&2; exit 1; }", "  |" + " " * 48 + "^^^^^^"]),
        (
            72,
            ["  | …put.command | grep -q sudo && { echo 'Blocked: sudo' >&2; exit 1; }", "  |" + " " * 60 + "^^^^^^"],
        ),
    ],
)
def test_a_line_is_cut_to_the_terminal(
    project: Project, monkeypatch: pytest.MonkeyPatch, columns: int, shown: list[str]
):
    monkeypatch.setenv("COLUMNS", str(columns))
    sudo = "jq -r .tool_input.command | grep -q sudo && { echo 'Blocked: sudo' >&2; exit 1; }"
    hook(project, QUOTED, script=f"#!/bin/sh\n{sudo}\n")
    _, text = said(project, "--select", "IL201")
    lines = text.splitlines()[1:3]
    assert lines == shown
    assert max(map(len, lines)) <= columns


def test_control_characters_of_a_script_do_not_reach_the_terminal(project: Project):
    hook(project, QUOTED, script="#!/bin/sh\necho 'Blocked: \x1b[2J' >&2; exit 1\n")
    _, text = said(project, "--select", "IL201")
    assert text.splitlines()[1:3] == ["  | echo 'Blocked: �[2J' >&2; exit 1", "  |" + " " * 27 + "^^^^^^"]


def test_a_file_that_cannot_be_read_is_named_and_hides_no_other(project: Project):
    hook(project, QUOTED)
    project.write("x" * (1 << 20) + "x", "huge.py")
    (project.root / "gone.py").symlink_to(project.root / "nowhere.py")
    assert said(project, "--select", "IL201") == snapshot(
        (
            1,
            """\
.claude/hooks/guard.sh:4:43 IL201 exit code 1 does not stop anything: the call runs
  |   *"rm -rf"*) echo "Blocked: rm -rf" >&2; exit 1 ;;
  |                                           ^^^^^^
  = exit with 2, and say why on stderr  [--fix]

not read: gone.py: No such file or directory
not read: huge.py: it is larger than 1 MB
1 problem in 1 hook and 1 settings file; `interlock lint --fix` corrects 1
""",
        )
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_must_not_be_read_is_named(project: Project):
    project.write("{}", SETTINGS).chmod(0)
    assert said(project) == (0, "not read: .claude/settings.json: Permission denied\nno hooks were found here\n")


# --- for programs ------------------------------------------------------------


def test_json_says_everything(project: Project):
    hook(project, "bash .claude/hooks/guard.sh", onFailure="block")
    code, text = said(project, "--format", "json", "--ignore", "IL501")
    assert (code, json.loads(text)) == snapshot(
        (
            1,
            {
                "ok": False,
                "findings": [
                    {
                        "code": "IL201",
                        "name": "exit-one",
                        "severity": "error",
                        "message": "exit code 1 does not stop anything: the call runs",
                        "file": ".claude/hooks/guard.sh",
                        "line": 4,
                        "column": 43,
                        "length": 6,
                        "help": "exit with 2, and say why on stderr",
                        "fix": "exit with 2",
                    },
                    {
                        "code": "IL404",
                        "name": "relative-path",
                        "severity": "warning",
                        "message": "`.claude/hooks/guard.sh` is looked for in the session's current folder, which `cd` changes",
                        "file": ".claude/settings.json",
                        "line": 9,
                        "column": 24,
                        "length": 29,
                        "help": 'write "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
                        "fix": "begin the path with the project's folder",
                    },
                ],
                "looked_at": {"hooks": 1, "settings": 1, "outputs": 0, "policies": 0, "skipped": 0, "unfinished": 0},
            },
        )
    )
    assert json.loads(said(project, "--format", "json", "--select", "IL8")[1])["ok"] is True


def test_github_shows_findings_beside_the_lines(project: Project):
    hook(project, QUOTED)
    assert said(project, "--format", "github", "--select", "IL2,IL503") == snapshot(
        (
            1,
            """\
::error file=.claude/hooks/guard.sh,line=4,col=43,title=interlock lint IL201::exit code 1 does not stop anything: the call runs%0Ahelp: exit with 2, and say why on stderr
::warning file=.claude/settings.json,line=9,col=24,title=interlock lint IL503::if this guard crashes or is too slow, the call runs%0Ahelp: add "onFailure": "block"
""",
        )
    )
    assert said(project, "--format", "github", "--select", "IL8") == (0, "\n")


def test_sarif_is_sarif(project: Project):
    hook(project, QUOTED)
    project.policy("{id: a, tool: WebFetch, deyn: x}")
    code, text = said(project, "--format", "sarif", "--select", "IL201,policy")
    report = json.loads(text)
    jsonschema.validate(report, SARIF)
    run = report["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    shown = [(one["ruleId"], rules[one["ruleIndex"]]["shortDescription"]["text"], one["locations"][0]["physicalLocation"])
             for one in run["results"]]  # fmt: skip
    assert (code, shown) == snapshot(
        (
            1,
            [
                (
                    "IL201",
                    "A hook says no, but its exit code does not block.",
                    {
                        "artifactLocation": {"uri": ".claude/hooks/guard.sh"},
                        "region": {"startLine": 4, "startColumn": 43},
                    },
                ),
                (
                    "policy",
                    "A policy file, a test file or a hook file has an error.",
                    {"artifactLocation": {"uri": "interlock.yaml"}, "region": {"startLine": 3, "startColumn": 29}},
                ),
            ],
        )
    )


# --- which checks ------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ([], ["IL501", "IL201", "IL404", "IL503"]),
        (["--select", "IL4"], ["IL404"]),
        (["--select", "il404,IL2"], ["IL201", "IL404"]),
        (["--select", "IL404", "--select", "IL501"], ["IL501", "IL404"]),
        (["--ignore", "IL5"], ["IL201", "IL404"]),
        (["--select", "IL4,IL5", "--ignore", "IL501"], ["IL404", "IL503"]),
        (["--select", "lint"], []),
    ],
)
def test_checks_are_chosen_by_code_and_by_group(project: Project, options: list[str], codes: list[str]):
    hook(project, "bash .claude/hooks/guard.sh")
    code, text = said(project, "--format", "json", *options)
    assert ([one["code"] for one in json.loads(text)["findings"]], code) == (codes, 1 if codes else 0)


def test_a_mistyped_word_is_an_error_of_its_own(project: Project):
    lines = ["--select IL999", "--ignore IL2O1", "--explain IL2O1", "--explain exit-on", "--explain weather",
             "--format xml", "--output PreTool", "nowhere.json", "-"]  # fmt: skip
    told = {line: said(project, *line.split()) for line in lines}
    assert {line: (code, text.partition("Error: ")[2] or text) for line, (code, text) in told.items()} == snapshot(
        {
            "--select IL999": (2, "Invalid value for '--select': there is no check `IL999`; did you mean `IL209`?\n"),
            "--ignore IL2O1": (2, "Invalid value for '--ignore': there is no check `IL2O1`; did you mean `IL201`?\n"),
            "--explain IL2O1": (
                1,
                """\
error: there is no check `IL2O1`
help: did you mean `IL201`?
""",
            ),
            "--explain exit-on": (
                1,
                """\
error: there is no check `exit-on`
help: did you mean `exit-one`?
""",
            ),
            "--explain weather": (
                1,
                """\
error: there is no check `weather`
help: see `interlock lint --list`
""",
            ),
            "--format xml": (
                2,
                "Invalid value for '--format': 'xml' is not one of 'text', 'json', 'github', 'sarif'.\n",
            ),
            "--output PreTool": (
                2,
                "Invalid value for '--output': there is no event `PreTool`; did you mean `PreToolUse`?\n",
            ),
            "nowhere.json": (2, "Invalid value for '[PATHS]...': Path 'nowhere.json' does not exist.\n"),
            "-": (2, "say with --output which event the output on stdin is for\n"),
        }
    )


def test_one_check_is_explained_by_code_and_by_name(project: Project):
    first = said(project, "--explain", "IL208")
    assert first == said(project, "--explain", "ask-with-exit-two") == said(project, "--explain", "il208")
    assert first == snapshot(
        (
            0,
            """\
IL208 ask-with-exit-two
Exit code 2 turns a question into a refusal.

What
A hook answers `ask` in JSON and exits with 2.

Why
Exit code 2 always refuses, whatever is on stdout. Nobody is asked, and the
model reads stderr.

Example
    echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'
    exit 2

Fix
    echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'
    exit 0
""",
        )
    )


def test_all_checks_are_listed_in_their_groups(project: Project):
    code, text = said(project, "--list")
    lines = text.splitlines()
    assert (code, lines[:3], lines[-3:]) == snapshot(
        (
            0,
            [
                "IL1  reads what is not there",
                "  IL101 wrong-input-field        A field that the event does not have is always empty",
                "  IL102 made-up-variable         Claude Code does not set this variable",
            ],
            [
                "  IL802 returns-nothing          A callback that returns None counts as a failed hook",
                "  IL803 blocking-callback        A blocking call in a callback stops the whole program",
                "  IL804 shadowed-permission      `can_use_tool` is never asked about a tool that is already allowed",
            ],
        )
    )


# --- what is meant ------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("exit 1 # interlock: ignore[IL201] the wrapper turns this into 2", []),
        ("exit 1 # interlock: ignore[IL201]", []),
        ("# interlock: ignore[IL201, IL202] the line below\nexit 1", []),
        ("# interlock: ignore[IL201] too far above\n\nexit 1", ["IL201"]),
        ("exit 1 # interlock: ignore[IL202] another check", ["IL201"]),
        ("exit 1 # interlock: ignore", ["IL201"]),
        ("echo 'interlock: ignore[IL201]'; exit 1", ["IL201"]),
    ],
)
def test_a_comment_says_that_something_is_meant(project: Project, line: str, codes: list[str]):
    script = f"#!/bin/sh\njq -r .tool_input.command | grep -q rm || exit 0\necho 'Blocked: rm' >&2\n{line}\n"
    hook(project, QUOTED, script=script)
    code, text = said(project, "--format", "json", "--select", "IL201")
    assert ([one["code"] for one in json.loads(text)["findings"]], code) == (codes, 1 if codes else 0)


# --- correcting ------------------------------------------------------------


def test_the_difference_is_shown_and_nothing_is_written(project: Project):
    hook(project, "bash .claude/hooks/guard.sh", QUOTED, timeout=60000)
    (project.root / SCRIPT).chmod(0o644)
    before = (project.root / SETTINGS).read_bytes()
    assert said(project, "--diff", "--select", "IL4,IL502") == snapshot(
        (
            1,
            """\
--- .claude/settings.json
+++ .claude/settings.json
@@ -6,13 +6,13 @@
         "hooks": [
           {
             "type": "command",
-            "command": "bash .claude/hooks/guard.sh",
-            "timeout": 60000
+            "command": "bash \\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh",
+            "timeout": 60
           },
           {
             "type": "command",
             "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh",
-            "timeout": 60000
+            "timeout": 60
           }
         ]
       }
chmod +x .claude/hooks/guard.sh
""",
        )
    )
    assert (project.root / SETTINGS).read_bytes() == before
    assert said(project, "--diff", "--select", "IL501") == snapshot((1, "nothing to correct\n"))


def test_what_is_safe_is_corrected_and_the_earlier_version_kept(project: Project):
    hook(project, "bash .claude/hooks/guard.sh", QUOTED, timeout=60000)
    (project.root / SCRIPT).chmod(0o644)
    before = (project.root / SETTINGS).read_bytes()
    code, text = said(project, "--fix", "--select", "IL201,IL4,IL502")
    script, kept = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith("the earlier version")]
    assert (code, text.replace(kept, "COPY").replace(script, "COPY OF THE SCRIPT")) == snapshot(
        (
            0,
            """\
corrected .claude/hooks/guard.sh:4 IL201: exit with 2
corrected .claude/settings.json:14 IL401: make it executable
corrected .claude/settings.json:9 IL404: begin the path with the project's folder
corrected .claude/settings.json:10 IL502: write 60
corrected .claude/settings.json:15 IL502: write 60
the earlier version is kept in COPY OF THE SCRIPT
the earlier version is kept in COPY
no problems found in 1 hook and 1 settings file
""",
        )
    )
    assert (project.home / kept.removeprefix("~/")).read_bytes() == before
    assert (project.root / SCRIPT).stat().st_mode & 0o777 == 0o755
    handlers = json.loads((project.root / SETTINGS).read_text())["hooks"]["PreToolUse"][0]["hooks"]
    assert handlers == snapshot(
        [
            {"type": "command", "command": 'bash "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', "timeout": 60},
            {"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', "timeout": 60},
        ]
    )
    assert said(project, "--fix", "--select", "IL4,IL502") == snapshot(
        (0, "no problems found in 1 hook and 1 settings file\n")
    )


# --- proof ------------------------------------------------------------


def test_a_hook_is_run_and_it_is_said_what_the_client_would_do(project: Project):
    script = '#!/bin/sh\ncase "$(cat)" in\n*"rm -rf"*) echo no >&2; exit 2 ;;\n*push*) echo no >&2; exit 1 ;;\nesac\n'
    hook(project, QUOTED, script=script + "touch ran\n")
    assert said(project, "--prove") == snapshot(
        (
            0,
            """\
running .claude/hooks/guard.sh …
guard.sh  PreToolUse
  Bash: ls -la                        no objection
  Bash: rm -rf /                      refused: no
  Bash: git push --force origin main  exit code 1 has no effect; the call runs
  Bash: cat .env                      no objection

ran 4 made-up events
""",
        )
    )
    assert not (project.root / "ran").exists()
    code, text = said(project, "--prove", "--format", "json")
    assert (code, [one["is_refused"] for one in json.loads(text)]) == (0, [False, True, False, False])


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("sh ~/.claude/hooks/guard.sh", ".claude/hooks/guard.sh"),
        ('sh "$HOME/.claude/hooks/guard.sh"', ".claude/hooks/guard.sh"),
        ('sh "$CLAUDE_PROJECT_DIR"/tools/hooks/guard.sh', "tools/hooks/guard.sh"),
    ],
)
def test_a_hook_is_run_wherever_in_the_project_it_is(project: Project, command: str, place: str):
    project.write("#!/bin/sh\necho no >&2\nexit 2\n", place)
    entry = {"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}
    project.write(json.dumps({"hooks": {"PreToolUse": [entry]}}), SETTINGS)
    assert "rm -rf /                      refused: no" in said(project, "--prove")[1]


def test_a_hook_in_a_home_is_not_taken_for_one_that_refuses(project: Project):
    entry = {"matcher": "Bash", "hooks": [{"type": "command", "command": "python3 ~/.claude/hooks/guard.py"}]}
    project.write(json.dumps({"hooks": {"PreToolUse": [entry]}}), SETTINGS)
    assert "refused" not in said(project, "--prove")[1]


def test_without_an_entry_nothing_is_run(project: Project):
    project.write(GUARD, SCRIPT)
    assert said(project, "--prove") == (0, "no hook with an entry was found here\n")


# --- captured output ------------------------------------------------------------


def test_what_a_hook_prints_is_judged_from_a_pipe(project: Project):
    answer = '{"hookSpecificOutput": {"permissionDecision": "deny"}}\n'
    assert said(project, "--output", "PreToolUse", stdin=answer) == snapshot(
        (
            1,
            """\
-:1:1 IL206 `hookSpecificOutput` without `hookEventName`: the client drops the whole answer
  | {"hookSpecificOutput": {"permissionDecision": "deny"}}
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = add "hookEventName": "PreToolUse"

1 problem in 1 captured output
""",
        )
    )
    assert said(project, "--output", "PreToolUse", "-", stdin=answer) == said(
        project, "--output", "PreToolUse", stdin=answer
    )
    assert said(project, "--output", "PreToolUse", stdin="") == snapshot(
        (0, "no problems found in 1 captured output\n")
    )
