"""Small programs under node, with recorders in place of what acts: every event is in the facts, or they are opaque."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from interlock.facts.code.javascript.read import javascript_effects

NODE = shutil.which("node")
PROGRAMS = 330  # ten of each act

# Nothing of these runs: each is replaced by a function that notes what it is given.
_RECORDERS = """
const fs = require('fs'), cp = require('child_process'), events = [];
let current = 0;
const note = (kind, what) => { events.push([current, kind, String(what)]) };
const answer = rest => { const f = rest.pop(); if (typeof f == 'function') f(null, '') };
const files = {rm: 'deletes', unlink: 'deletes', writeFile: 'writes', appendFile: 'writes', mkdir: 'writes'};
for (const [name, kind] of Object.entries(files)) {
  fs[name + 'Sync'] = path => note(kind, path);
  fs[name] = (path, ...rest) => { note(kind, path); answer(rest) };
  fs.promises[name] = async path => note(kind, path);
}
cp.execSync = line => { note('shell', line); return '' };
cp.exec = (line, ...rest) => { note('shell', line); answer(rest) };
for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync'])
  cp[name] = (program, words) => { note('shell', [program, ...(words || [])].join(' ')); return {on() {}, stdout: ''} };
"""
_RUNS = """
(async () => {
  for (current = 0; current < MANY; current++) {
    try { require('./p' + current + '.js') } catch (e) { }
    await new Promise(done => setTimeout(done, 8));
  }
  process.stdout.write(JSON.stringify(events));
})();
process.on('unhandledRejection', () => {});
"""

_TEXTS = [
    "'one'",
    "`two${1 + 1}`",
    "'th' + 'ree'",
    "['fo', 'ur'].join('')",
    "String.fromCharCode(102, 105, 118, 101)",
    "Buffer.from('c2l4', 'base64').toString()",
    "atob('c2V2ZW4=')",
    "'EIGHT'.toLowerCase()",
    "'enin'.split('').reverse().join('')",
    "[...'ten'].map(c => c).join('')",
    "((a, b = 'n') => a + b)('eleve')",
    "({k: 'twelve'})['k']",
    "`${['x', 'y'][1]}z`",
    "'abcdef'.slice(1, 3)",
    "'a-b'.replace('-', '_')",
    "[1, 2, 3].map(n => n * 2).join('')",
    "[['k', 'v']].map(([a, b]) => b + a)[0]",
    "decodeURIComponent('a%62c')",
    "'a'.concat('b', 'c')",
    "JSON.parse('[\"d\"]')[0]",
    "Object.keys({e: 1})[0]",
    "[3, 4].reduce((a, b) => a + b, 'f')",
    "'gg'.padEnd(2)",
    "(() => { let s = ''; for (let i = 0; i < 3; i++) s += i; return s })()",
    "(() => { const [a, ...r] = ['h', 'i']; return r + a })()",
    "process.argv.length > 99 ? 'j' : 'k'",
    "(null ?? 'l')",
    "('' || 'm')",
    "(() => { switch (2) { case 2: return 'n'; default: return 'o' } })()",
    "(() => { try { throw 1 } catch { return 'p' } })()",
    "new Map([['q', 'r']]).get('q')",
    "[...new Set(['s'])][0]",
    "'t'.repeat(3)",
    "(x => x?.y?.z ?? 'u')({y: {z: 'v'}})",
]
_ACTS = [
    "require('fs').rmSync({0})",
    "require('node:fs').unlinkSync({0})",
    "const {{rmSync: r}} = require('fs'); r({0})",
    "require('fs')['write' + 'FileSync']({0}, 'x')",
    "require('fs').promises.rm({0})",
    "require('child_process').execSync({0})",
    "require('fs').rm({0}, () => require('child_process').exec({1}))",
    "[{0}, {1}].forEach(p => require('fs').unlinkSync(p))",
    "for (const p of [{0}, {1}]) require('fs').rmSync(p)",
    "require('child_process').spawn({0}, [{1}])",
    "(async () => {{ const f = await import('fs'); f.default.rmSync({0}) }})()",
    "eval(\"require('fs').rmSync('\" + {0} + \"')\")",
    "new Function('f', 'p', 'f(p)')(require('fs').rmSync, {0})",
    "Promise.resolve({0}).then(p => require('fs').rmSync(p))",
    "setTimeout(() => require('fs').rmSync({0}), 1)",
    "process.nextTick(p => require('fs').rmSync(p), {0})",
    "function go(f, ...a) {{ return f(...a) }} go(require('fs').rmSync, {0})",
    "const o = {{go: require('fs').rmSync}}; o.go({0})",
    "class A {{ #p; constructor(p) {{ this.#p = p }} go() {{ require('fs').rmSync(this.#p) }} }} new A({0}).go()",
    "require('fs').rmSync.bind(null, {0})()",
    "Reflect.apply(require('fs').rmSync, null, [{0}])",
    "process.mainModule ? process.mainModule.require('fs').rmSync({0}) : require('fs').rmSync({0})",
    "(0, require('fs').rmSync)({0})",
    "[].constructor.constructor('f', 'p', 'f(p)')(require('fs').rmSync, {0})",
    "let p = {0}; p += {1}; require('fs').rmSync(p)",
    "new Promise(y => y({0})).then(require('fs').unlinkSync)",
    "const t = (s, v) => require('fs').rmSync(s[0] + v); t`a${{ {0} }}`",
    "function* g() {{ yield {0} }} for (const p of g()) require('fs').rmSync(p)",
    "var {{a = {0}}} = {{}}; require('fs').rmSync(a)",
    "label: for (;;) {{ require('fs').rmSync({0}); break label }}",
    "if ({0} == {1}) {{}} else require('fs').rmSync({0})",
    "const m = new Map([['a', require('fs').rmSync]]); m.get('a')({0})",
    "Object.values({{a: require('fs').rmSync}})[0]({0})",
]


def _events(programs: list[str], folder: Path) -> list[list[list[str]]]:
    """What each program would have done, as the recorders note it. One process runs them all, one after the other."""
    for number, program in enumerate(programs):
        Path(folder, f"p{number}.js").write_text(program, encoding="utf-8")
    runner = folder / "runner.js"
    runner.write_text(_RECORDERS + _RUNS.replace("MANY", str(len(programs))), encoding="utf-8")
    done = subprocess.run(
        [NODE or "node", str(runner)], cwd=folder, env={"PATH": ""}, capture_output=True, timeout=30, check=True
    )
    found: list[list[list[str]]] = [[] for _ in programs]
    for number, kind, what in json.loads(done.stdout):
        found[number].append([kind, what])
    return found


def _is_found(event: list[str], found: Any) -> bool:
    kind, what = event
    texts = getattr(found, kind)
    if kind == "shell":
        return any(text.replace("'", "") == what.replace("'", "") for text in texts)
    return what in texts


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_what_node_does_is_in_the_facts_or_they_are_opaque(tmp_path: Path):
    chance = random.Random(15)  # the same programs each time
    programs = []
    for number in range(PROGRAMS):
        act = _ACTS[number % len(_ACTS)]
        programs.append(act.format(chance.choice(_TEXTS), chance.choice(_TEXTS)))
    events = 0
    for program, seen in zip(programs, _events(programs, tmp_path), strict=True):
        found = javascript_effects(program)
        assert found is not None, program
        for event in seen:
            events += 1
            unknown = found.opaque or any("\0" in text for text in getattr(found, event[0]))
            assert unknown or _is_found(event, found), (program, event)
    assert events >= PROGRAMS * 0.9
