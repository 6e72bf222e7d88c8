"""IL601, IL602 and IL603: patterns that do not find what they are for."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.hook_lint.checks import CHECKS, anchored_pattern, pattern_as_option, relative_pattern
from interlock.hook_lint.gather import gather
from interlock.hook_lint.run import lint_hooks
from tests.hook_lint.checks.asking import findings, lines

_COMMAND = "C=$(jq -r .tool_input.command)\n"
_FILE = "F=$(jq -r .tool_input.file_path)\n"
_REFUSE = "{ echo no >&2; exit 2; }"
_PYTHON = "import json, re, sys\np = json.load(sys.stdin)['tool_input']['file_path']\n"


@pytest.mark.parametrize(
    "text",
    [
        f"echo \"$C\" | grep -qE '^\\s*git push' && {_REFUSE}",
        f"echo \"$C\" | grep -qE '^rm ' && {_REFUSE}",
        f"[[ $C =~ ^git[[:space:]]+commit ]] && {_REFUSE}",
        f'[[ "$C" =~ ^[[:space:]]*(rm|mv) ]] && {_REFUSE}',
        f"[[ $C =~ ^(git push|git reset) ]] && {_REFUSE}",
        f"[[ $C =~ ^sudo ]] && {_REFUSE}",
        f'[[ $C == "rm -rf"* ]] && {_REFUSE}',
        f"case $C in git\\ push*|rm*) {_REFUSE} ;; esac",
        f"echo $C | grep -qE '^rm|^mv' && {_REFUSE}",
        f"echo $C | grep -q '^\\(rm\\|mv\\) ' && {_REFUSE}",
        "if ! echo \"$C\" | grep -q '^git commit'; then exit 0; fi\nnpm test || exit 2",
        f"for p in '^rm' '^mkfs'; do echo \"$C\" | grep -qE \"$p\" && {_REFUSE}; done",
        "[[ $C =~ ^git ]] && { echo 'Blocked: git' >&2; exit 1; }",
        '[[ $C =~ ^git ]] && jq -n \'{decision: "block", reason: "no"}\'',
        f'jq -e \'.tool_input.command | test("^git push")\' <<< "$I" && {_REFUSE}'.replace('<<< "$I" ', ""),
        f"jq -e '.tool_input.command | startswith(\"git push\")' && {_REFUSE}",
    ],
)
def test_a_pattern_at_the_beginning_of_the_command_is_passed_by_a_chain(text):
    assert len(lines(anchored_pattern, _COMMAND + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"echo \"$C\" | grep -qE '(^|[;&|])\\s*git push' && {_REFUSE}",
        f"echo \"$C\" | grep -qE '\\bgit push' && {_REFUSE}",
        f"[[ $C =~ (^|[[:space:]])rm ]] && {_REFUSE}",
        f"[[ $C =~ ^(.*[;&|])?[[:space:]]*git ]] && {_REFUSE}",
        f"[[ $C =~ ^.*git ]] && {_REFUSE}",
        f"[[ $C =~ ^(cd .* && )?git ]] && {_REFUSE}",
        f"[[ $C =~ ^git || $C =~ [\\;\\&]\\ *git ]] && {_REFUSE}",
        f'[[ $C == *"rm -rf"* ]] && {_REFUSE}',
        f"[[ $C =~ ^$ ]] && {_REFUSE}",
        f"[[ $C =~ ^- ]] && {_REFUSE}",
        # What is found is let through, or nothing is refused.
        "[[ $C =~ ^git ]] && exit 0\nexit 2",
        "[[ $C =~ ^(ls|cat) ]] && jq -n '{decision: \"approve\"}'",
        "[[ $C =~ ^git ]] && echo 'git!' >> log.txt",
        # What is searched is no longer the whole command.
        f'IFS=\';\' read -ra P <<< "$C"; for p in "${{P[@]}}"; do [[ $p =~ ^git ]] && {_REFUSE}; done',
        f"echo \"$C\" | tr ';&|' '\\n' | grep -qE '^\\s*git' && {_REFUSE}",
        f"echo \"$C\" | sed 's/&&/\\n/g' | grep -q '^git' && {_REFUSE}",
        f"W=$(echo \"$C\" | awk '{{print $1}}'); [[ $W =~ ^git ]] && {_REFUSE}",
        # Other fields.
        f"F=$(jq -r .tool_input.file_path); [[ $F =~ ^/etc ]] && {_REFUSE}",
        f"T=$(jq -r .tool_name); [[ $T =~ ^mcp__ ]] && {_REFUSE}",
    ],
)
def test_other_patterns_are_left_alone(text):
    assert lines(anchored_pattern, _COMMAND + text) == []


def test_the_message_shows_what_passes():
    assert findings(anchored_pattern, f"{_COMMAND}[[ $C =~ ^git\\ push ]] && exit 2\n") == [
        (2, "`^git push` matches only at the start: `cd app && git …` gets through")
    ]


@pytest.mark.parametrize("event", ["PostToolUse", "SessionStart"])
def test_what_cannot_be_refused_any_more_is_no_matter(event):
    text = f"{_COMMAND}[[ $C =~ ^git ]] && exit 2\n"
    assert lines(anchored_pattern, text, event=event) == []


@pytest.mark.parametrize(
    "text",
    [
        f"[[ $F =~ ^\\.git/ ]] && {_REFUSE}",
        f"[[ $F =~ ^src/ ]] && {_REFUSE}",
        f"echo \"$F\" | grep -qE '^(src|lib)/' && {_REFUSE}",
        f"[[ $F == .env* ]] && {_REFUSE}",
        f"[[ $F == migrations/* ]] && {_REFUSE}",
        f'case "$F" in .git/*|secrets/*) {_REFUSE} ;; esac',
        f'[ "$F" = package-lock.json ] && {_REFUSE}',
        f"case $F in .env|.env.local) {_REFUSE} ;; esac",
        "[[ $F != src/* ]] && exit 0\nexit 2",
        f'for p in .git/ dist/; do [[ $F == "$p"* ]] && {_REFUSE}; done',
    ],
)
def test_a_relative_path_never_fits(text):
    assert len(lines(relative_pattern, _FILE + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"[[ $F =~ (^|/)\\.git/ ]] && {_REFUSE}",
        f"[[ $F =~ \\.env$ ]] && {_REFUSE}",
        f"[[ $F == *.env ]] && {_REFUSE}",
        f"[[ $F == */.git/* ]] && {_REFUSE}",
        f'case "$F" in .env|*/.env) {_REFUSE} ;; esac',
        f'case "$F" in node_modules/*|*/node_modules/*) {_REFUSE} ;; esac',
        f"[[ $F == /etc/* ]] && {_REFUSE}",
        f"[[ $F == ~/* ]] && {_REFUSE}",
        f'[[ $F == "$HOME"/.ssh/* ]] && {_REFUSE}',
        f'[[ $F == "$CLAUDE_PROJECT_DIR"/src/* ]] && {_REFUSE}',
        f"[[ $F == C:* ]] && {_REFUSE}",
        f"[[ $F =~ ^(/|\\./)?src/ ]] && {_REFUSE}",
        f'[ "$F" = null ] && {_REFUSE}',
        f'[ "$F" = /etc/passwd ] && {_REFUSE}',
        f'B=$(basename "$F"); [[ $B == .env* ]] && {_REFUSE}',
        f"[[ ${{F##*/}} == .env* ]] && {_REFUSE}",
        f'R=${{F#"$PWD"/}}; [[ $R == src/* ]] && {_REFUSE}',
        f'R=$(realpath --relative-to=. "$F"); [[ $R =~ ^src/ ]] && {_REFUSE}',
        "[[ $F == docs/* ]] && exit 0\n[[ $F == *.md ]] && exit 2",
        f"P=$(jq -r .tool_input.path); [[ $P == src/* ]] && {_REFUSE}",
    ],
)
def test_a_path_that_may_fit_is_left_alone(text):
    assert lines(relative_pattern, _FILE + text) == []


def test_the_message_shows_the_path():
    assert findings(relative_pattern, f'{_FILE}[[ $F == .git/* ]] && exit 2\n[ "$F" = x.lock ] && exit 2\n') == [
        (2, "`.git/` never matches: the path in the event is absolute"),
        (3, "`x.lock` never matches: the path in the event is absolute"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"echo \"$C\" | grep -q '--force' && {_REFUSE}",
        f'echo "$C" | grep -qE "--no-verify|-n" && {_REFUSE}',
        f"for p in 'rm -rf' '--force'; do echo \"$C\" | grep -qF \"$p\" && {_REFUSE}; done",
        'P=(a --no-verify)\nfor p in "${P[@]}"; do if echo "$C" | grep -q "$p"; then exit 2; fi; done',
    ],
)
def test_a_pattern_that_is_an_option_is_never_found(text):
    assert len(lines(pattern_as_option, _COMMAND + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"echo \"$C\" | grep -q -- '--force' && {_REFUSE}",
        f"echo \"$C\" | grep -qe '--force' && {_REFUSE}",
        f"echo \"$C\" | grep -qE '\\s--force' && {_REFUSE}",
        f"echo \"$C\" | grep -q '[-]-force' && {_REFUSE}",
        f"for p in 'rm -rf' 'git push'; do echo \"$C\" | grep -qF \"$p\" && {_REFUSE}; done",
        f"for p in '--force' '-rf'; do echo \"$C\" | grep -qF -- \"$p\" && {_REFUSE}; done",
        f'for p in --force -f; do [[ " $C " == *" $p "* ]] && {_REFUSE}; done',
        f"[[ $C == *--force* ]] && {_REFUSE}",
        f'while read -r p; do echo "$C" | grep -q "$p" && {_REFUSE}; done < patterns.txt',
        "grep -rn --include='*.py' todo . && exit 2",
    ],
)
def test_a_pattern_that_grep_can_read_is_left_alone(text):
    assert lines(pattern_as_option, _COMMAND + text) == []


def test_the_message_names_the_pattern():
    text = _COMMAND + "echo \"$C\" | grep -q '--force' && exit 2\n"
    assert findings(pattern_as_option, text) == [(2, "grep takes `--force` for an option, so it is never found")]


@pytest.mark.parametrize(
    ("text", "name", "help"),
    [
        (f"{_FILE}[[ $F =~ ^src/ ]] && {_REFUSE}", "guard.sh", "begin it with (^|/)"),
        (f"{_FILE}[[ $F == src/* ]] && {_REFUSE}", "guard.sh", "begin it with */"),
        (f"{_FILE}case $F in .env*) {_REFUSE} ;; esac", "guard.sh", "begin it with */"),
        (_PYTHON + "if p.startswith('.env'): sys.exit(2)\n", "guard.py", "look for `/.env` anywhere in the path"),
        (_PYTHON + "if re.match('src/', p): sys.exit(2)\n", "guard.py", "begin it with (^|/)"),
    ],
)
def test_the_help_for_a_relative_path_is_in_the_words_of_its_program(tmp_path: Path, text: str, name: str, help: str):
    (tmp_path / name).write_text(text)
    checks = [check for check in CHECKS if check.code == "IL602"]
    assert [one.help for one in lint_hooks(gather([tmp_path / name]), checks)] == [help]


def test_a_path_that_is_compared_from_its_end_as_well_may_be_relative():
    text = (
        "import json, os, sys\npath = json.load(sys.stdin)['tool_input']['file_path']\n"
        "if path == 'config.yaml' or path.endswith(os.sep + 'config.yaml'):\n    sys.exit(2)\n"
    )
    assert lines(relative_pattern, text, name="guard.py") == []
    alone = text.replace(" or path.endswith(os.sep + 'config.yaml')", "")
    assert lines(relative_pattern, alone, name="guard.py") == [3]
