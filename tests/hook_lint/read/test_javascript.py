"""What the reader of JavaScript and TypeScript makes of hooks in the styles that people write."""

from __future__ import annotations

import time

import pytest

from interlock.hook_lint.program import UNKNOWN, Ending, HookProgram, Span
from interlock.hook_lint.read.javascript import read_javascript

_RM = """
if (/rm\\s+-rf/.test(input.tool_input.command)) {
  console.error('no');
  process.exit(2);
}
"""


def read(text: str, *, typescript: bool = False) -> HookProgram:
    (program,) = read_javascript("hook.js", text, typescript=typescript)
    return program


def callbacks(text: str) -> list[HookProgram]:
    return read_javascript("agent.ts", text, typescript=True)


def paths(program: HookProgram) -> list[tuple[str, ...]]:
    return [one.path for one in program.reads if one.is_last]


def ways(program: HookProgram) -> list[tuple[str, int | None]]:
    return [(ending.how, ending.code) for ending in program.endings]


def said(program: HookProgram, stream: str = "stdout") -> list[object]:
    return [
        one.value if not one.text else one.text
        for ending in program.endings
        for one in ending.said
        if one.stream == stream
    ]


def ending(program: HookProgram, code: int) -> Ending:
    return next(one for one in program.endings if one.code == code)


READING = {
    "fs by number": "const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));",
    "fs by path": "const fs = require('node:fs'); const input = JSON.parse(fs.readFileSync('/dev/stdin').toString());",
    "fs by descriptor": "import * as fs from 'fs'; const input = JSON.parse(fs.readFileSync(process.stdin.fd));",
    "named import": "import { readFileSync as slurp } from 'node:fs';\nconst input = JSON.parse(slurp(0).trim());",
    "for await": "let s = ''; for await (const chunk of process.stdin) s += chunk;\nconst input = JSON.parse(s);",
    "chunks": (
        "const chunks = []; for await (const c of process.stdin) chunks.push(c);\n"
        "const input = JSON.parse(Buffer.concat(chunks).toString('utf8'));"
    ),
    "promise": (
        "const text = await new Promise((resolve, reject) => { let d = ''; process.stdin.setEncoding('utf8');"
        " process.stdin.on('data', (c) => { d += c; }); process.stdin.on('end', () => resolve(d));"
        " process.stdin.on('error', reject); });\nconst input = JSON.parse(text);"
    ),
    "helper": (
        "async function readStdin() { const parts = []; for await (const c of process.stdin) parts.push(c);"
        " return parts.join(''); }\nconst input = JSON.parse(await readStdin());"
    ),
    "bun json": "const input = await Bun.stdin.json();",
    "bun text": "const input = JSON.parse(await Bun.stdin.text());",
    "deno": "const input = await new Response(Deno.stdin.readable).json();",
    "consumers": "import { json } from 'node:stream/consumers';\nconst input = await json(process.stdin);",
    "default": "const input = JSON.parse(require('fs').readFileSync(0, 'utf8') || '{}');",
}


@pytest.mark.parametrize("style", READING)
def test_the_event_is_found_however_standard_input_is_read(style: str) -> None:
    program = read(READING[style] + _RM)
    assert program.unread == ""
    assert program.reads_event
    assert paths(program) == [("tool_input", "command")]
    assert [(one.path, one.text, one.how) for one in program.patterns] == [
        (("tool_input", "command"), "rm\\s+-rf", "regex")
    ]
    assert ("exit", 2) in ways(program)
    assert ("end", 0) in ways(program)
    assert ending(program, 2).paths == (("tool_input", "command"),)


def test_a_file_that_is_not_standard_input_is_not_the_event() -> None:
    program = read("const input = JSON.parse(require('fs').readFileSync('rules.json', 'utf8'));" + _RM)
    assert not program.reads_event
    assert program.reads == ()
    assert program.patterns == ()


def test_handlers_of_standard_input_run_after_the_file() -> None:
    program = read("""
let raw = '';
process.stdin.on('end', () => {
  const { tool_input: { file_path: path = '' } = {} } = JSON.parse(raw);
  if (path.endsWith('.env')) { process.stderr.write('no'); process.exit(2); }
  process.exit(0);
});
process.stdin.on('data', chunk => raw += chunk);
""")
    assert paths(program) == [("tool_input", "file_path")]
    assert ways(program) == [("exit", 2), ("exit", 0)]
    assert said(program, "stderr") == ["no"]


TAKING = {
    "const { tool_name, tool_input } = input; f(tool_name, tool_input.command);": [
        ("tool_name",), ("tool_input", "command"),
    ],
    "const { tool_input: { command: c = '' } = {} } = input;": [("tool_input", "command")],
    "const c = input?.tool_input?.command ?? '';": [("tool_input", "command")],
    "const c = input['tool_input']['command'];": [("tool_input", "command")],
    "const c = (input.tool_input || {}).command;": [("tool_input", "command")],
    "const c = input.tool_input.command.trim().toLowerCase().length;": [("tool_input", "command")],
    "let c; ({ cwd: c } = input);": [("cwd",)],
    "for (const edit of input.tool_input.edits) { f(edit.new_string); }": [("tool_input", "edits", "*", "new_string")],
    "const get = (i) => i.session_id; get(input);": [("session_id",)],
}  # fmt: skip


@pytest.mark.parametrize("code", TAKING)
def test_fields_are_found_however_they_are_taken(code: str) -> None:
    program = read(f"const input = await Bun.stdin.json();\nconst f = (...all) => all;\n{code}")
    assert paths(program) == TAKING[code]


def test_fields_that_are_read_in_the_place_of_one_another_are_linked() -> None:
    program = read("const i = await Bun.stdin.json(); const p = i.tool_input.file_path || i.tool_input.path || '';")
    beside = {one.path: one.beside for one in program.reads if one.is_last}
    first, second = ("tool_input", "file_path"), ("tool_input", "path")
    assert beside == {first: (second,), second: (first,)}


@pytest.mark.parametrize(
    "question",
    [
        "tool_name === 'Bash'",
        "'Bash' == tool_name",
        "['Bash'].includes(tool_name)",
        "new Set(['Bash']).has(tool_name)",
        "!(tool_name !== 'Bash')",
    ],
)
def test_names_of_tools_are_compared(question: str) -> None:
    program = read(f"const {{ tool_name }} = await Bun.stdin.json(); if ({question}) process.exit(2);")
    assert [(one.path, one.values) for one in program.comparisons] == [(("tool_name",), ("Bash",))]
    assert ending(program, 2).tools == ("Bash",)


def test_a_switch_tells_the_tools_apart() -> None:
    program = read("""
const { tool_name } = await Bun.stdin.json();
switch (tool_name) {
  case 'Bash':
  case 'Write': console.error('no'); process.exit(2);
  case 'Read': process.exit(3);
  default: break;
}
""")
    assert ways(program) == [("exit", 2), ("exit", 3), ("end", 0)]
    assert ending(program, 2).tools == ("Bash", "Write")
    assert ending(program, 3).tools == ("Read",)


@pytest.mark.parametrize(
    ("code", "uses"),
    [
        ("if (c.includes('rm -rf')) process.exit(2)", [("rm -rf", "contains")]),
        ("if (c.startsWith('sudo')) process.exit(2)", [("sudo", "starts")]),
        ("if (c.match(/^rm/)) process.exit(2)", [("^rm", "regex")]),
        ("if (new RegExp('^git').test(c)) process.exit(2)", [("^git", "regex")]),
        ("if (c.indexOf('curl') !== -1) process.exit(2)", [("curl", "contains")]),
        ("if ([/a/, /b\\/c/].some(p => p.test(c))) process.exit(2)", [("a", "regex"), ("b/c", "regex")]),
        ("for (const [p, why] of [[/a/, 'x'], [/b/, 'y']]) { if (p.test(c)) process.exit(2) }",
         [("a", "regex"), ("b", "regex")]),
        ("const hit = [{ re: /a/, why: 'x' }].find(r => r.re.test(c)); if (hit) process.exit(2)", [("a", "regex")]),
        ("const bad = ['a', 'b'].filter(w => c.includes(w)); if (bad.length > 0) process.exit(2)",
         [("a", "contains"), ("b", "contains")]),
    ],
)  # fmt: skip
def test_searches_are_found_and_lead_to_the_refusal(code: str, uses: list[tuple[str, str]]) -> None:
    program = read(f"const c = (await Bun.stdin.json()).tool_input.command;\n{code};")
    assert [(one.text, one.how) for one in program.patterns] == uses
    assert ways(program) == [("exit", 2), ("end", 0)]
    assert not ending(program, 2).is_default
    assert ending(program, 0).is_default


ANSWERS = {
    "console.log(JSON.stringify({ decision: 'block', reason: why }));": {"decision": "block", "reason": UNKNOWN},
    "process.stdout.write(JSON.stringify({ decision: 'block' }) + '\\n');": {"decision": "block"},
    "const out = {}; out.decision = 'block'; console.log(JSON.stringify(out, null, 2));": {"decision": "block"},
    "const a = { a: 1 }; console.log(JSON.stringify({ ...a, decision: 'block' }));": {"a": 1, "decision": "block"},
    "console.log(JSON.stringify({ updatedInput: { ...input.tool_input, command: 'ls' } }));": {
        "updatedInput": {"command": "ls", "*": UNKNOWN}
    },
    "console.log(`{\"decision\": \"block\", \"reason\": \"no ${why}\"}`);": {"decision": "block", "reason": "no …"},
    "console.log('hello', why);": "hello …",
    "console.log({ decision: 'block' });": "{'decision': 'block'}",
    "console.log(`Blocked: ${why}`);": "Blocked: …",
}  # fmt: skip


@pytest.mark.parametrize("code", ANSWERS)
def test_answers_are_read_with_what_is_known_of_them(code: str) -> None:
    program = read(f"const input = await Bun.stdin.json(); const why = input.tool_input.command;\n{code}")
    assert said(program) == [ANSWERS[code]]


def test_json_that_is_put_together_by_text_is_marked() -> None:
    whole = read("const { cwd } = await Bun.stdin.json(); console.log(JSON.stringify({ reason: cwd }));")
    parts = read('const { cwd } = await Bun.stdin.json(); console.log(`{"reason": "${cwd}"}`);')
    assert [one.by_parts for one in whole.endings[0].said] == [False]
    assert [one.by_parts for one in parts.endings[0].said] == [True]


def test_an_end_says_which_patterns_fit_on_the_way_to_it() -> None:
    text = """
const c = (await Bun.stdin.json()).tool_input.command;
if (/a/.test(c)) process.exit(2);
if (c.toLowerCase().includes('b')) process.exit(3);
if (c.replace(/x/, '').startsWith('c')) process.exit(4);
"""
    program = read(text)
    assert [(one.text, one.change) for one in program.patterns] == [("a", ""), ("b", "lower"), ("c", "other")]
    found = {one.code: [text[span.start : span.end] for span in one.found] for one in program.endings}
    assert found == {2: ["/a/"], 3: ["'b'"], 4: ["'c'"], 0: []}


def test_a_function_that_refuses_ends_the_program_where_it_is_called() -> None:
    program = read("""
const deny = (reason) => {
  console.log(JSON.stringify({ decision: 'block', reason }));
  process.exit(0);
};
const input = JSON.parse(require('fs').readFileSync(0));
if (input.tool_input.command.includes('rm')) deny('no rm');
console.log('fine');
""")
    assert ways(program) == [("exit", 0), ("end", 0)]
    assert said(program) == [{"decision": "block", "reason": "no rm"}, "fine"]


ENDS = {
    "process.exit(1)": [("exit", 1)],
    "process.exit()": [("exit", 0)],
    "process.exitCode = 2": [("end", 2)],
    "process.exitCode = 2; process.exit()": [("exit", 2)],
    "process.exit(Number(process.env.CODE))": [("exit", None)],
    "throw new Error('no')": [("raise", 1)],
    "async function main() { throw new Error('no'); } main()": [("raise", 1)],
    "async function main() { throw new Error('no'); } main().catch(() => process.exit(0))": [("exit", 0)],
    "(async () => { process.exit(2); })()": [("exit", 2)],
    "try { throw new Error('no'); } catch (e) { process.exit(2); }": [("exit", 2)],
    "try { process.exit(2); } finally { console.error('x'); }": [("exit", 2)],
    "process.on('uncaughtException', () => process.exit(0)); throw new Error('x')": [("exit", 0)],
    "const bad = true; bad && process.exit(2)": [("exit", 2)],
    "if (require.main === module) process.exit(3)": [("exit", 3)],
    "if (import.meta.main) process.exit(3)": [("exit", 3)],
}  # fmt: skip


@pytest.mark.parametrize("code", ENDS)
def test_ends_have_their_exit_codes(code: str) -> None:
    assert ways(read(code)) == ENDS[code]


def test_what_fails_leads_into_the_handler_and_is_marked() -> None:
    program = read("""
try {
  const input = JSON.parse(require('fs').readFileSync(0, 'utf8'));
  if (input.tool_name === 'Bash') process.exit(2);
} catch { process.exit(0); }
""")
    assert [(one.how, one.code, one.on_error) for one in program.endings] == [
        ("exit", 2, False), ("exit", 0, True), ("end", 0, False),
    ]  # fmt: skip


def test_variables_and_arguments_are_noted() -> None:
    program = read("""
const file = process.env.CLAUDE_FILE_PATHS;
const mode = process.env['MODE'] || 'strict';
const { HOME } = process.env;
const tool = process.argv[2];
if (file === 'a.txt' && tool) process.exit(2);
""")
    assert [(one.kind, one.name, one.has_default, one.decides) for one in program.names] == [
        ("environment", "CLAUDE_FILE_PATHS", False, True),
        ("environment", "MODE", True, False),
        ("environment", "HOME", False, False),
        ("argument", "1", False, False),
    ]


@pytest.mark.parametrize(
    ("code", "name", "arguments"),
    [
        ("require('child_process').execSync('jq -r .x')", "jq", ("-r", ".x")),
        ("const { execFileSync } = require('child_process'); execFileSync('git', ['status'])", "git", ("status",)),
        ("Bun.spawnSync(['bunx', 'tsc'])", "bunx", ("tsc",)),
        ("import { $ } from 'bun'; await Bun.$`node x.js`", "node", ("x.js",)),
    ],
)
def test_programs_that_are_run_are_noted(code: str, name: str, arguments: tuple[str, ...]) -> None:
    assert [(one.name, one.arguments) for one in read(code).uses] == [(name, arguments)]


def test_places_count_characters() -> None:
    text = (
        "const é = '漢字🚫'; const { tool_name } = await Bun.stdin.json();\nif (tool_name === 'Bash') process.exit(2);"
    )
    program = read(text)
    (found,) = program.reads
    assert text[found.span.start : found.span.end] == "tool_name"
    assert (found.span.line, found.span.column) == (1, text.index("tool_name") + 1)
    end = ending(program, 2).span
    assert text[end.start : end.end] == "process.exit(2)"
    assert (end.line, end.column) == (2, 27)


def test_types_change_nothing() -> None:
    program = read(
        """
interface HookInput { tool_name: string; tool_input?: { command?: string } }
type Decision = 'deny' | 'allow';
enum Code { Fine, Refused = 2 }
function isBad(command: string, strict = true): boolean { return /rm/.test(command); }
const input = JSON.parse(await Bun.stdin.text()) as HookInput;
const command: string = input.tool_input!.command ?? '';
if (isBad(command)) { console.error('no' satisfies string); process.exit(Code.Refused); }
""",
        typescript=True,
    )
    assert program.unread == ""
    assert paths(program) == [("tool_input", "command")]
    assert ways(program) == [("exit", 2), ("end", 0)]


def test_typescript_behind_the_name_of_node_is_read() -> None:
    text = "#!/usr/bin/env node\nconst input: any = await Bun.stdin.json(); if (input.cwd) process.exit(2);"
    assert read(text).unread == ""
    assert ways(read(text)) == [("exit", 2), ("end", 0)]


def test_a_field_that_is_taken_away_is_not_read() -> None:
    assert paths(read("const i = await Bun.stdin.json(); delete i.tool_input.extra;")) == []


def test_methods_of_classes_are_followed() -> None:
    program = read("""
class Guard {
  rules = [/rm/];
  constructor(input) { this.input = input; }
  check() { return this.rules.some((r) => r.test(this.input.tool_input.command)); }
  static async main() { const g = new Guard(await Bun.stdin.json()); if (g.check()) process.exit(2); }
}
Guard.main();
""")
    assert [(one.path, one.text) for one in program.patterns] == [(("tool_input", "command"), "rm")]
    assert ways(program) == [("exit", 2), ("end", 0)]


_WORK = "const i = JSON.parse(require('fs').readFileSync(0)); if (i.tool_name === 'Bash') process.exit(2);"


@pytest.mark.parametrize(
    "text",
    [
        f"function main() {{ {_WORK} }}",
        f"const main = async () => {{ {_WORK} }};\nmodule.exports = {{ main }};",
        f"export default async function () {{ {_WORK} }}",
        f"module.exports = async () => {{ {_WORK} }};",
    ],
)
def test_work_that_nothing_calls_is_noticed(text: str) -> None:
    assert read(text).never_run is not None


@pytest.mark.parametrize(
    "text",
    [
        f"function main() {{ {_WORK} }}\nmain();",
        f"(async () => {{ {_WORK} }})();",
        f"const main = async () => {{ {_WORK} }};\nmain().catch(() => process.exit(0));",
        f"function main() {{ {_WORK} }}\nif (require.main === module) {{ main(); }}",
        f"function main() {{ {_WORK} }}\nsetImmediate(main);",
        "export function add(a, b) { return a + b; }",
        "export const plugin = { 'tool.execute.before': async (input) => { throw new Error('no'); } };",
        "import { run } from './lib.js';\nrun();",
    ],
)
def test_work_that_is_called_and_parts_of_other_programs_are_not(text: str) -> None:
    assert read(text).never_run is None


def test_callbacks_are_found_with_what_they_are_registered_for() -> None:
    text = """
import { query, type HookCallback } from '@anthropic-ai/claude-agent-sdk';
const guard: HookCallback = async (input, toolUseID, { signal }) => {
  const path = (input as any).tool_input.file_path as string;
  if (path.endsWith('.env')) return { decision: 'block' as const };
  return {};
};
async function main() {
  for await (const m of query({ prompt: 'x', options: {
    hooks: { PreToolUse: [{ matcher: 'Write|Edit', hooks: [guard], timeout: 5 }], Stop: [{ hooks: [guard] }] },
  } })) console.log(m);
}
main();
"""
    (program,) = callbacks(text)
    assert (program.mode, program.is_async, program.unread) == ("callback", True, "")
    assert [(one.event, one.matcher, one.timeout) for one in program.registered] == [
        ("PreToolUse", "Write|Edit", 5), ("Stop", None, None),
    ]  # fmt: skip
    assert paths(program) == [("tool_input", "file_path")]
    assert said(program, "return") == [{"decision": "block"}, {}]
    assert text[program.entry.start :].startswith("async (input, toolUseID")


def test_a_permission_callback_is_found_with_what_is_allowed_beside_it() -> None:
    (program,) = callbacks("""
const options = {
  allowedTools: ['Bash'],
  permissionMode: 'bypassPermissions',
  canUseTool: async (toolName: string, input: Record<string, unknown>) => {
    if (toolName === 'Bash') return { behavior: 'deny', message: 'no' };
    return { behavior: 'allow', updatedInput: input };
  },
};
""")
    assert program.mode == "permission"
    assert [(one.allowed_tools, one.permission_mode) for one in program.registered] == [
        (("Bash",), "bypassPermissions")
    ]
    assert [(one.path, one.values) for one in program.comparisons] == [(("tool_name",), ("Bash",))]
    assert said(program, "return") == [
        {"behavior": "deny", "message": "no"}, {"behavior": "allow", "updatedInput": UNKNOWN},
    ]  # fmt: skip


def test_hooks_of_other_libraries_are_no_callbacks() -> None:
    text = "import { useState } from 'react';\nexport const x = { hooks: { onClick: [() => 1], PreToolUse: [] } };"
    (program,) = callbacks(text)
    assert (program.mode, program.registered) == ("command", ())


def test_what_another_file_does_is_not_known() -> None:
    program = read("const { deny } = require('./lib'); deny('no');")
    assert program.unread == "it calls `lib.deny`, which is in another file"


def test_a_file_that_cannot_be_read_says_where() -> None:
    assert read("const a = 1;\nif (a { process.exit(2)").unread.startswith("line ")
    assert read("x" * 400_001).unread == "it is too long"
    assert read("").endings == (Ending(how="end", span=Span(0, 0, 1, 1)),)


@pytest.mark.parametrize("text", ["(" * 3000 + ")" * 3000, "f(" * 2000 + ")" * 2000, "a?" * 2000 + "b" + ":c" * 2000])
def test_deep_nesting_is_said_and_not_raised(text: str) -> None:
    assert read(text).unread != ""


def test_a_program_with_very_many_ways_is_given_up_in_bounded_time() -> None:
    many = "\n".join(f"if (input.tool_input.a{n} === 'x{n}') {{ out.v{n} = 'w{n}'; }}" for n in range(300))
    before = time.process_time()
    read(f"const input = await Bun.stdin.json(); const out = {{}};\n{many}\nconsole.log(JSON.stringify(out));")
    assert time.process_time() - before < 10
