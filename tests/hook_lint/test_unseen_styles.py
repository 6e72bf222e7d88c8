"""Pairs of hooks as strangers write them: what surely has no effect is found, and what looks like it is left alone."""

from __future__ import annotations

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
