"""Pairs of hooks as strangers write them: what surely has no effect is found, and what looks like it is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.hook_lint.commands import script_of
from tests.hook_lint.checks.linting import findings, lint_file
from tests.hook_lint.looking import codes_of, codes_of_command

_COMMAND = "#!/bin/bash\nC=$(jq -r '.tool_input.command')\n"
_NODE = "const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"


# --- fields and variables that nobody sends ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matcher", "field", "codes"),
    [
        ("Bash|Glob", "file_path", {"IL101"}),
        ("Write", "command", {"IL101"}),
        ("Bash|Write", "file_path", set()),
        ("Bash|mcp__files__.*", "file_path", set()),
        (None, "file_path", set()),
        ("Bash", "something_new", set()),
    ],
)
def test_a_field_of_tools_that_the_matcher_keeps_out(tmp_path: Path, matcher: str | None, field: str, codes: set[str]):
    refusal = "[[ $F == *secret* ]] && { echo 'no secrets' >&2; exit 2; }\nexit 0\n"
    text = f"#!/bin/bash\nF=$(jq -r '.tool_input.{field}')\n{refusal}"
    assert codes_of(tmp_path, text, "sh", matcher=matcher) - {"IL605"} == codes


def test_a_hook_for_several_entries_may_read_what_only_some_have(tmp_path: Path):
    text = """\
        #!/bin/bash
        INPUT=$(cat)
        F=$(jq -r '.tool_input.file_path // empty' <<< "$INPUT")
        C=$(jq -r '.tool_input.command // empty' <<< "$INPUT")
        [[ $F$C == *secret* ]] && { echo 'no secrets' >&2; exit 2; }
        exit 0
    """
    assert codes_of(tmp_path, text, "sh") == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('[[ $C == *commit* ]] && exec "$PROJECT_DIR/check.sh"\nexit 0\n', {"IL102"}),
        ('[[ $C == *commit* ]] && exec "${PROJECT_DIR:-.}/check.sh"\nexit 0\n', set()),
        ('PROJECT_DIR=$(pwd)\n[[ $C == *commit* ]] && exec "$PROJECT_DIR/check.sh"\nexit 0\n', set()),
        ('[[ $C == *commit* ]] && exec "$PROJECT_ROOT/check.sh"\nexit 0\n', set()),
        ('echo "$C" >> "/tmp/$CLAUDE_SESSION_ID"\nexit 0\n', {"IL102"}),
        ('echo "$C" >> "/tmp/$CLAUDE_CODE_SESSION_ID"\nexit 0\n', set()),
    ],
)
def test_a_variable_that_only_sounds_like_one_of_the_client(tmp_path: Path, text: str, codes: set[str]):
    assert codes_of(tmp_path, _COMMAND + text, "sh") == codes


def test_a_variable_beside_the_field_of_the_event_is_a_fallback(tmp_path: Path):
    text = (
        f"{_NODE}const id = event.session_id || process.env.CLAUDE_SESSION_ID;\nrequire('fs').writeFileSync(id, '');\n"
    )
    assert codes_of(tmp_path, text, "js") == set()


def test_what_has_no_tool_has_other_fields_of_these_names(tmp_path: Path):
    text = f"{_NODE}let text = event.content;\nif (text === undefined) text = 'x';\nconsole.log(text);\n"
    assert codes_of(tmp_path, text, "js", event="InstructionsLoaded", matcher=None) == set()


# --- programs without an entry -----------------------------------------------------------------------------------

_BY_ARGUMENT = '#!/bin/bash\nTOOL="$1"\nif [ "$TOOL" = "Bash" ]; then\n  echo "BLOCKED: no Bash"\n  exit 1\nfi\n'


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("hooks/pre-tool-use.sh", True),
        (".claude/hooks/PreToolUse.sh", True),
        ("hooks/commit-msg", False),
        ("scripts/pre-tool-use.sh", False),
        ("hooks/lib.sh", False),
    ],
)
def test_a_file_that_is_called_after_an_event_gets_no_arguments(tmp_path: Path, name: str, found: bool):
    lint_file(tmp_path, _BY_ARGUMENT, "IL103", name)
    assert bool(findings([tmp_path], "IL103")) is found


def test_a_helper_that_has_nothing_to_do_with_tools_is_not_taken_for_a_guard(tmp_path: Path):
    text = f"{_NODE}if (event.path) require('child_process').execSync('npm ci', {{ cwd: event.path }});\n"
    lint_file(tmp_path, text, "IL101", ".claude/hooks/worktree-setup.js")
    assert findings([tmp_path], "IL101") == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (".claude/hooks/guard.sh", True),
        (".claude/hooks/tests/guard.sh", False),
        (".claude/hooks/test-guard.sh", False),
        (".claude/hooks/guard.test.sh", False),
        (".claude/hooks/cursor-hook.sh", False),
        (".claude/hooks/contest.sh", True),
        (".claude/hooks/cursors.sh", True),
    ],
)
def test_a_test_of_a_hook_and_a_hook_of_another_agent_are_left_alone(tmp_path: Path, name: str, found: bool):
    # Words of the Agent SDK make a file worth a look, and this is still a script for another agent.
    text = f"{_COMMAND}# can_use_tool canUseTool\n[[ $C == *rm* ]] && {{ echo 'BLOCKED: rm' >&2; exit 1; }}\nexit 0\n"
    lint_file(tmp_path, text, "IL201", name)
    assert bool(findings([tmp_path], "IL201")) is found


def test_a_list_of_hooks_beside_the_scripts_of_a_project_is_not_a_plugin(tmp_path: Path):
    entry = '{"type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh"}'
    text = f'{{"hooks": {{"PreToolUse": [{{"hooks": [{entry}]}}]}}}}'
    lint_file(tmp_path, text, "IL412", ".claude/hooks/hooks.json")
    assert findings([tmp_path], "IL412") == []
    lint_file(tmp_path, text, "IL412", "hooks/hooks.json")
    assert len(findings([tmp_path], "IL412")) == 1


@pytest.mark.parametrize(
    ("test", "codes"),
    [
        ('[ "${1:-}" = "--selftest" ]', set()),
        ('[[ "$1" == --self-test ]]', set()),
        ('[ "$1" = "Bash" ]', {"IL103"}),
        ('[ "$1" = "-" ]', {"IL103"}),
    ],
)
def test_an_option_is_given_by_a_person(tmp_path: Path, test: str, codes: set[str]):
    text = f"#!/bin/bash\nif {test}; then\n  echo 'no' >&2\n  exit 2\nfi\nexit 0\n"
    assert codes_of(tmp_path, text, "sh") & {"IL103"} == codes


# --- words that nobody hears -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ('[[ $C == *push* ]] && echo "WARNING: this publishes the branch" >&2', {"IL301"}),
        ('[[ $C == *push* ]] && echo "⚠️ 检测到 git push" >&2', {"IL301"}),
        ('[[ $C == *push* ]] && echo "[guard] warning: a push" >&2', {"IL301"}),
        ('[[ $C == *push* ]] && echo "saw a push" >&2', set()),
        ('echo "WARNING: started" >&2', set()),
        ('[[ -n $C ]] && echo "Warning: no linter is installed" >&2', set()),
    ],
)
def test_a_warning_of_the_call_is_heard_by_nobody(tmp_path: Path, said: str, codes: set[str]):
    assert codes_of(tmp_path, f"{_COMMAND}{said}\nexit 0\n", "sh") == codes


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ('{"additionalContext": "run the tests"}', {"IL205"}),
        ('{"continue": true, "additionalContext": "run the tests"}', {"IL205"}),
        ('{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "run the tests"}}', set()),
    ],
)
def test_context_at_the_top_of_an_answer_is_lost(tmp_path: Path, answer: str, codes: set[str]):
    assert codes_of(tmp_path, f"cat <<'EOF'\n{answer}\nEOF\n", "sh", event="UserPromptSubmit", matcher=None) == codes


def test_a_guard_that_only_warns_in_some_places_says_so(tmp_path: Path):
    text = f"""{_COMMAND}
warn() {{ echo "This is warning instead of blocking: $1" >&2; exit 0; }}
[[ $C == *reset* ]] && warn "git reset"
exit 0
"""
    assert "IL203" not in codes_of(tmp_path, text, "sh")


def test_rules_for_the_model_forbid_things_and_refuse_no_call(tmp_path: Path):
    rules = "You are one of several agents. " * 10 + "Reading one file after the other is forbidden."
    assert "IL203" not in codes_of(tmp_path, f"{_COMMAND}[[ -n $C ]] && echo '{rules}'\nexit 0\n", "sh")
    refusal = "Reading one file after the other is forbidden."
    other = tmp_path / "other"
    assert "IL203" in codes_of(other, f"{_COMMAND}[[ -n $C ]] && echo '{refusal}'\nexit 0\n", "sh")


_STOP = "print(json.dumps({'continue': False, 'stopReason': 'x'}))"


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        ("event['hook_event_name'] == 'InstructionsLoaded'", set()),
        ("not event['hook_event_name'] != 'InstructionsLoaded'", set()),
        ("event['hook_event_name'] != 'PreToolUse'", set()),
        ("event['hook_event_name'] == 'PreToolUse'", {"IL209"}),
        ("event['hook_event_name'] != 'InstructionsLoaded'", {"IL209"}),
        ("event['session_id'] == 'x'", {"IL209"}),
    ],
)
def test_a_hook_for_several_events_asks_which_one_it_is(tmp_path: Path, condition: str, codes: set[str]):
    text = f"import json, sys\nevent = json.load(sys.stdin)\nif {condition}:\n    {_STOP}\n"
    lint_file(tmp_path, text, "IL209", ".claude/hooks/guard.py")
    entry = {"hooks": [{"type": "command", "command": 'python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.py'}]}
    settings = json.dumps({"hooks": {"PreToolUse": [entry], "InstructionsLoaded": [entry]}})
    lint_file(tmp_path, settings, "IL209", ".claude/settings.json")
    assert {"IL209" for _ in findings([tmp_path], "IL209")} == codes


# --- patterns of what is let through -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("const readOnly = /^git status/;\nif (!readOnly.test(c)) { console.error('no'); process.exit(2); }\n", set()),
        ("if (c.length < 9 && !/^ls/.test(c)) note();\nif (/rm/.test(c)) { console.error('no'); process.exit(2); }\n",
         set()),
        ("const refused = /^git push/;\nif (refused.test(c)) { console.error('no'); process.exit(2); }\n", {"IL601"}),
        ("const unsafe = /^git push/;\nif (unsafe.test(c)) { console.error('no'); process.exit(2); }\n", {"IL601"}),
    ],
)  # fmt: skip
def test_the_beginning_of_a_command_that_is_let_through_may_be_anchored(tmp_path: Path, text: str, codes: set[str]):
    text = f"{_NODE}const c = event.tool_input.command;\nfunction note() {{}}\n{text}"
    assert codes_of(tmp_path, text, "js") == codes


def test_where_a_command_goes_first_is_not_what_is_refused(tmp_path: Path):
    text = (
        f'{_COMMAND}work=.\n[[ $C =~ ^cd[[:space:]]+([^ ]+) ]] && work="${{BASH_REMATCH[1]}}"\n'
        'if [ "$(git -C "$work" branch)" = main ]; then echo \'no\' >&2; exit 2; fi\nexit 0\n'
    )
    assert codes_of(tmp_path, text, "sh") == set()


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        ("case 'Edit': case 'edit_file': case 'glob':", set()),
        ("case 'Edit': case 'glob':", {"IL104"}),
    ],
)
def test_names_of_another_agent_beside_its_right_ones(tmp_path: Path, names: str, codes: set[str]):
    text = f"{_NODE}switch (event.tool_name) {{\n  {names}\n    console.error('no');\n    process.exit(2);\n}}\n"
    assert codes_of(tmp_path, text, "js", matcher=None) == codes


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        ("new Set(['Bash', 'NotebookEdit']).has(tool)", set()),
        ("new Set(['Write', 'NotebookEdit']).has(tool)", {"IL105"}),
    ],
)
def test_a_notebook_that_is_judged_by_the_name_of_its_tool(tmp_path: Path, condition: str, codes: set[str]):
    text = (
        f"{_NODE}const tool = event.tool_name;\nconst file = event.tool_input.file_path || '';\n"
        f"if (file.endsWith('.env')) {{ console.error('no'); process.exit(2); }}\n"
        f"if ({condition}) {{ console.error('no'); process.exit(2); }}\n"
    )
    assert codes_of(tmp_path, text, "js", matcher=None) == codes


# --- lines of the shell ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        (r"""tr ' ;`$' '\n' <<EOF""", set()),
        (r"""tr ' "'"'"';`$' '\n' <<EOF""", set()),
        (r"""tr $'\t' ' ' <<EOF""", {"IL505"}),
        (r"""tr " "$'\t' ' ' <<EOF""", {"IL505"}),
    ],
)
def test_a_dollar_at_the_end_of_quotes_is_only_a_dollar(tmp_path: Path, line: str, codes: set[str]):
    assert codes_of(tmp_path, f"{_COMMAND.replace('bash', 'sh')}{line}\n$C\nEOF\nexit 0\n", "sh") == codes


@pytest.mark.parametrize(
    ("command", "codes"),
    [
        ("/bin/bash .claude/hooks/guard.sh", {"IL404"}),
        ("/usr/bin/env python3 .claude/hooks/guard.py", {"IL404"}),
        ("/bin/bash /opt/hooks/guard.sh", set()),
    ],
)
def test_an_interpreter_may_be_named_by_its_path(tmp_path: Path, command: str, codes: set[str]):
    assert codes_of_command(tmp_path, command) - {"IL402", "IL403"} == codes


def test_the_values_of_a_list_are_not_the_script(tmp_path: Path):
    command = 'sounds=(a/one.wav a/two.wav); play "${sounds[0]}"'
    assert script_of({"type": "command", "command": command}, tmp_path)[1] is None


_LOOP = "while read -r part; do\n  [[ $part == *'rm -rf'* ]] && { echo 'Blocked: rm -rf' >&2; exit 2; }\ndone"
_CHECK = "check() { if [[ $1 == *'rm -rf'* ]]; then echo 'Blocked: rm -rf' >&2; exit 2; fi; echo ok; }\n"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f'echo "$C" | {_LOOP}\nexit 0\n', {"IL203"}),
        (f'echo "$C" | {_LOOP}\necho done >&2\n', {"IL203"}),
        (f'echo "$C" | {_LOOP}\n', set()),  # the last exit code is that of the program
        (f'set -e\necho "$C" | {_LOOP}\nexit 0\n', set()),
        (f'set -e\necho "$C" | {_LOOP} || true\nexit 0\n', {"IL203"}),
        (f'{_LOOP} < <(echo "$C")\nexit 0\n', set()),
        (f'{_LOOP} <<< "$C"\nexit 0\n', set()),
        ("[[ $C == *rm* ]] && (echo 'Blocked: rm' >&2; exit 2)\nexit 0\n", {"IL203"}),
        ("set -e\nif [[ $C == *rm* ]]; then (echo 'Blocked: rm' >&2; exit 2); fi\nexit 0\n", set()),
        (f'{_CHECK}found=$(check "$C")\nexit 0\n', {"IL203"}),
        (f'{_CHECK}echo "$(check "$C")" > /dev/null || exit 2\nexit 0\n', {"IL203"}),
        (f'{_CHECK}found=$(check "$C") || exit $?\nexit 0\n', set()),
        (f'{_CHECK}if ! found=$(check "$C"); then exit 2; fi\nexit 0\n', set()),
        (f'set -e\n{_CHECK}found=$(check "$C")\nexit 0\n', set()),
        ("[[ $C == *rm* ]] && { echo 'Blocked: rm' >&2; exit -1; }\nexit 0\n", {"IL201"}),
    ],
)
def test_exit_leaves_only_the_shell_that_it_is_in(tmp_path: Path, text: str, codes: set[str]):
    assert codes_of(tmp_path, _COMMAND + text, "sh") == codes


# --- callbacks that are registered somewhere else ----------------------------------------------------------------

_DENY = "{ if (name === 'Bash') return { hookSpecificOutput: { permissionDecision: 'deny' } }; return {}; }"


@pytest.mark.parametrize(
    "code",
    [
        "export const guard: HookCallback = async (input, id) => BODY",
        "export function makeGuard(): HookCallback { return async (input, id) => BODY }",
        "export const makeGuard = (): HookCallback => async (input, id) => BODY",
        "export async function guard(input: HookInput): Promise<HookJSONOutput> BODY",
    ],
)
def test_a_callback_is_known_by_its_type(tmp_path: Path, code: str):
    body = _DENY.replace("name", "input.tool_name")
    text = f"import type {{ HookCallback }} from '@anthropic-ai/claude-agent-sdk';\n{code.replace('BODY', body)}\n"
    assert [line for line, _ in lint_file(tmp_path, text, "IL206", "guard.ts")] == [2]


@pytest.mark.parametrize(
    "code",
    [
        "export const guard = async (input, id) => BODY",
        "export function makeGuard(config: HookConfig): HookCallback BODY",
        "function show(input: HookInput): string BODY",
    ],
)
def test_other_functions_are_not_callbacks(tmp_path: Path, code: str):
    body = _DENY.replace("name", "input.tool_name")
    text = f"import type {{ HookCallback }} from '@anthropic-ai/claude-agent-sdk';\n{code.replace('BODY', body)}\n"
    assert lint_file(tmp_path, text, "IL206", "guard.ts") == []


@pytest.mark.parametrize(
    "code",
    ["options.canUseTool = async (name, input) => BODY;", "class Host { async canUseTool(name, input) BODY }"],
)
def test_a_callback_for_permissions_is_known_by_its_name(tmp_path: Path, code: str):
    body = "{ return name === 'bash' ? { behavior: 'deny', message: 'no' } : { behavior: 'allow' }; }"
    assert len(lint_file(tmp_path, code.replace("BODY", body) + "\n", "IL104", "agent.ts")) == 1


def test_a_program_that_runs_an_agent_is_not_a_hook(tmp_path: Path):
    text = """
        import { query } from '@anthropic-ai/claude-agent-sdk';
        const wanted = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        for await (const message of query({ prompt: wanted.prompt })) {
          if (message.tool_name) console.log(JSON.stringify({ status: 'denied', error: 'x' }));
        }
    """
    assert lint_file(tmp_path, text, "IL204", "src/index.ts") == []


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('{"continue_": False, "stopReason": "no"}', True),
        ('{"continue_": True}', False),
        ('{"continue_": False, "decision": "block", "reason": "no"}', False),
    ],
)
def test_words_of_python_are_sent_by_their_real_names(tmp_path: Path, answer: str, found: bool):
    text = (
        "from claude_agent_sdk import ClaudeAgentOptions, HookMatcher\n"
        "async def guard(input_data, tool_use_id, context):\n"
        f'    if "rm" in input_data["tool_input"]["command"]:\n        return {answer}\n    return {{}}\n'
        'options = ClaudeAgentOptions(hooks={"PreToolUse": [HookMatcher(matcher="Bash", hooks=[guard])]})\n'
    )
    assert bool(lint_file(tmp_path, text, "IL209")) is found


@pytest.mark.parametrize(
    ("last", "codes"),
    [
        ("""node -e 'if (1) { console.error("Blocked: rm"); process.exit(1) }'""", {"IL201"}),
        ("""node -e 'if (1) { console.error("Blocked: rm"); process.exit(2) }'""", set()),
        ("[[ $C == *rm* ]] && { echo 'Blocked: rm' >&2; false; }", {"IL201"}),
        ("[[ $C == *rm* ]] && { echo 'saw rm' >&2; false; }", set()),
        ("[[ $C == *rm* ]] && echo 'saw rm' >&2", set()),
    ],
)
def test_the_last_command_gives_the_program_its_code(tmp_path: Path, last: str, codes: set[str]):
    assert codes_of(tmp_path, f"{_COMMAND}{last}\n", "sh") == codes
