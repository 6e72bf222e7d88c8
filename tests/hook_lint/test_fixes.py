"""What `--fix` writes: the mistake is gone, nothing else is found that was not there, and the rest is as it was."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from interlock.hook_lint.checks import CHECKS
from interlock.hook_lint.fixing import make_executable, plan_fixes
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks
from interlock.jsontext import read_object
from tests.hook_lint.figures import OF_EVERY_GUARD, build_corpus

STARTS = {"py": "python3 ", "sh": "", "js": "node ", "ts": "npx tsx "}


def fix(folder: Path) -> set[str]:
    """Correct what can be corrected, and tell the codes that were settled by it."""
    plan = plan_fixes(lint_hooks(gather([folder])))
    for change in plan.changes:
        assert change.after is not None
        change.path.write_bytes(change.after)
    for path in plan.executable:
        make_executable(path)
    return {one.code for one in plan.fixed}


def write_settings(folder: Path, hooks: dict[str, Any]) -> Path:
    (folder / ".git").mkdir(exist_ok=True)
    file = folder / ".claude" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    return file


def fixed(folder: Path, text: str, language: str = "py", *, start: str | None = None) -> tuple[str, set[str]]:
    """A guard after `--fix`, and the codes that were settled."""
    script = folder / ".claude" / "hooks" / f"guard.{language}"
    script.parent.mkdir(parents=True)
    script.write_text(dedent(text), encoding="utf-8")
    script.chmod(0o755)
    command = f'{STARTS[language] if start is None else start}"$CLAUDE_PROJECT_DIR"/.claude/hooks/{script.name}'
    handler = {"type": "command", "command": command, "onFailure": "block"}
    write_settings(folder, {"PreToolUse": [{"matcher": "*", "hooks": [handler]}]})
    codes = fix(folder)
    return script.read_text(encoding="utf-8"), codes


PYTHON = "import json\nimport sys\n\nevent = json.load(sys.stdin)\ncommand = event['tool_input']['command']\n"
IN_COMMAND = "if (event.tool_input.command.includes('rm'))"
SCRIPT = "const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"


@pytest.mark.parametrize(
    ("language", "text", "was", "now"),
    [
        (
            "py", PYTHON + "if 'rm' in command:\n    print('Blocked', file=sys.stderr)\n    sys.exit(1)\n",
            "exit(1)", "exit(2)",
        ),
        ("sh", "#!/bin/bash\nif grep -q rm; then echo Blocked >&2; exit 1; fi\n", "exit 1", "exit 2"),
        (
            "js", SCRIPT + IN_COMMAND + " {\n  console.error('Blocked');\n  process.exit(1);\n}\n",
            "exit(1)", "exit(2)",
        ),
        (
            "py", PYTHON.replace("tool_input", "toolInput") + "if 'rm' in command:\n    sys.exit(2)\n",
            "'toolInput'", "'tool_input'",
        ),
        (
            "sh", "#!/bin/bash\nif jq -r '.parameters.command' | grep -q rm; then echo no >&2; exit 2; fi\n",
            ".parameters.command", ".tool_input.command",
        ),
        (
            "sh", "#!/bin/bash\nif jq -r .file_path | grep -q env; then echo no >&2; exit 2; fi\n",
            ".file_path", ".tool_input.file_path",
        ),
        (
            "js", SCRIPT + "if (event.toolName === 'Bash') {\n  console.error('no');\n  process.exit(2);\n}\n",
            "event.toolName", "event.tool_name",
        ),
        ("py", PYTHON + "if event['tool_name'] == 'bash':\n    sys.exit(2)\n", "'bash'", "'Bash'"),
        (
            "sh", '#!/bin/bash\ncase "$(jq -r .tool_name)" in\n  write_file) echo no >&2; exit 2 ;;\nesac\n',
            "write_file)", "Write)",
        ),
        ("py", PYTHON + "print(json.dumps({'decision': 'deny', 'reason': 'no'}))\n", "'deny'", "'block'"),
        (
            "sh", "#!/bin/sh\necho '{\"decision\": \"deny\", \"reason\": \"deny\"}'\n",
            '"decision": "deny"', '"decision": "block"',
        ),
        (
            "js", SCRIPT + "console.log(JSON.stringify({hookSpecificOutput: {permissionDecision: 'deny'}}));\n",
            "{permissionDecision", '{hookEventName: "PreToolUse", permissionDecision',
        ),
        (
            "sh", "#!/bin/sh\necho \"{\\\"hookSpecificOutput\\\": {\\\"permissionDecision\\\": \\\"deny\\\"}}\"\n",
            '{\\"permissionDecision', '{\\"hookEventName\\": \\"PreToolUse\\", \\"permissionDecision',
        ),
        (
            "py", PYTHON + "print(json.dumps({'hookSpecificOutput': {'hookEventName': 'PostToolUse', "
            "'permissionDecision': 'deny', 'permissionDecisionReason': 'no'}}))\n",
            "'PostToolUse'", "'PreToolUse'",
        ),
        ("sh", '#!/bin/sh\nif [[ "$(cat)" == *rm* ]]; then echo no >&2; exit 2; fi\n', "#!/bin/sh", "#!/bin/bash"),
        ("sh", "#!/bin/sh\nif grep -q rm; then\n  echo 'Blocked: rm'\n  exit 2\nfi\n", "rm'\n", "rm' >&2\n"),
        (
            "py", PYTHON + "if 'rm' in command:\n    print('Blocked: rm')\n    sys.exit(2)\n",
            "rm')", "rm', file=sys.stderr)",
        ),
        (
            "js", SCRIPT + IN_COMMAND + " {\n  console.log('Blocked: rm');\n  process.exit(2);\n}\n",
            "console.log", "console.error",
        ),
    ],
)  # fmt: skip
def test_one_word_is_written_right_and_nothing_else_changes(
    tmp_path: Path, language: str, text: str, was: str, now: str
):
    assert text.count(was) == 1
    after, codes = fixed(tmp_path, text, language)
    assert (after, len(codes)) == (text.replace(was, now), 1)
    assert {one.code for one in lint_hooks(gather([tmp_path]))} <= {"IL501"}


@pytest.mark.parametrize(
    ("language", "text", "start"),
    [
        ("py", PYTHON + "def no(code):\n    print('Blocked', file=sys.stderr)\n    sys.exit(code)\n\nno(1)\n", None),
        ("py", PYTHON + "word = 'deny'\nprint(json.dumps({'decision': word, 'reason': 'no'}))\n", None),
        ("js", SCRIPT + "const { toolName } = event;\nif (toolName === 'Bash') {\n  process.exit(2);\n}\n", None),
        ("ts", SCRIPT + "if (event.toolName === 'Bash') {\n  process.exit(2);\n}\n", None),
        ("py", PYTHON + "if 'env' in event['file_path']:\n    sys.exit(2)\n", None),
        ("sh", '#!/bin/sh\nif [[ "$(cat)" == *rm* ]]; then echo no >&2; exit 2; fi\n', "sh "),
        ("sh", "#!/bin/sh\nif grep -q rm; then\n  cat <<'END'\nBlocked: this is rm\nEND\n  exit 2\nfi\n", None),
    ],
)
def test_a_place_that_is_not_plain_is_left_to_a_person(tmp_path: Path, language: str, text: str, start: str | None):
    after, codes = fixed(tmp_path, text, language, start=start)
    assert (after, codes) == (text, set())
    assert {one.code for one in lint_hooks(gather([tmp_path]))} - {"IL501"}


def test_a_field_is_renamed_in_every_place_that_reads_it(tmp_path: Path):
    text = PYTHON + "if event.get('toolName') == 'Write' or event['toolName'] == 'Edit':\n    sys.exit(2)\n"
    assert fixed(tmp_path, text) == (text.replace("toolName", "tool_name"), {"IL101"})


def test_a_command_in_the_settings_is_corrected_where_it_is_written(tmp_path: Path):
    command = 'jq -r .toolInput.command | grep -q \'rm "\' && { echo "Blocked: rm" >&2; exit 1; }; true'
    handler = {"type": "command", "command": command, "onFailure": "block"}
    file = write_settings(tmp_path, {"PreToolUse": [{"matcher": "Bash", "hooks": [handler]}]})
    assert fix(tmp_path) == {"IL101", "IL201"}
    written = json.loads(file.read_text(encoding="utf-8"))["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    assert written == command.replace(".toolInput", ".tool_input").replace("exit 1", "exit 2")


def test_a_name_is_not_renamed_to_one_that_the_file_has_already(tmp_path: Path):
    """Of two lists under one name, the client reads the last: the guard in the first would be gone."""
    guard = [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo no >&2; exit 2", "onFailure": "block"}]}
    ]
    file = write_settings(tmp_path, {"PreToolUse": guard, "preToolUse": [], "pre_tool_use": []})
    before = file.read_bytes()
    assert (fix(tmp_path), file.read_bytes()) == (set(), before)
    found = [one for one in lint_hooks(gather([tmp_path])) if one.code == "IL406"]
    assert [one.help for one in found] == ["move its hooks to the list of `PreToolUse`"] * 2


def test_another_hook_in_the_settings_says_nothing_about_this_one(tmp_path: Path):
    """A Stop hook that remembers nothing is not excused by an `rm` in the matcher of another one."""
    stop = {"hooks": [{"type": "command", "command": "npm test || exit 2"}]}
    other = {"matcher": "Bash", "hooks": [{"type": "command", "command": "rm -f /tmp/x; echo stop_hook_active"}]}
    for hooks in ({"Stop": [stop]}, {"PostToolUse": [other], "Stop": [stop]}):
        write_settings(tmp_path, hooks)
        assert [one.code for one in lint_hooks(gather([tmp_path]))] == ["IL704"]


def test_every_fix_of_the_corpus_settles_its_finding_and_brings_no_other(tmp_path: Path):
    fixable = {check.code for check in CHECKS if check.fixes}
    settled = set()
    for name, project in build_corpus(tmp_path):
        before = {one.code for one in lint_hooks(gather([project]))}
        codes = fix(project)
        for file in project.rglob("settings.json"):
            read_object(file.read_bytes())
        after = {one.code for one in lint_hooks(gather([project]))}
        # What refuses at last is a guard like any other, which can be walked around.
        assert (name, codes - fixable, after - before - OF_EVERY_GUARD - {"IL605"}) == (name, set(), set())
        settled |= codes - after
    assert settled >= {"IL101", "IL104", "IL201", "IL206", "IL207", "IL404", "IL405", "IL503", "IL505"}


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ('{"decision": "allow"}', set()),
        ('{"decision": "Allowed", "reason": "fine"}', set()),
        ('{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "approve"}}', set()),
        ('{"decision": "deny", "reason": "no"}', {"IL207"}),
        ('{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "block"}}', {"IL207"}),
    ],
)
def test_no_fix_turns_an_answer_that_was_dropped_into_one_that_allows(tmp_path: Path, answer: str, codes: set[str]):
    text, settled = fixed(tmp_path, f"#!/bin/bash\nif grep -q rm; then echo '{answer}'; fi\n", "sh")
    assert settled == codes
    assert ("approve" in text, '"allow"' in text) == ("approve" in answer, '"allow"' in answer)
