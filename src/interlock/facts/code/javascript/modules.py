"""The libraries that JavaScript finds: their names, and which calls touch files, programs or other machines."""

from __future__ import annotations

from interlock.facts.code.javascript.values import LibraryPart, List, TextValue, Value
from interlock.facts.programs.table import words
from interlock.facts.shell import UNKNOWN

__all__ = [
    "ACTING", "AGENTS", "CLIENTS", "EVALUATES", "FILES", "HARMLESS", "LISTENS", "OTHER_NAMES", "PARTS", "QUIET",
    "REGISTRIES", "SENDING", "SOCKETS", "globals_of", "module_name",
]  # fmt: skip

_BUILTIN = words("""
    assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events
    fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream
    string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib test sqlite sea
""")
# Modules under another name, or that do what another does.
OTHER_NAMES = {
    "fs/promises": "fs", "fs-extra": "fs", "graceful-fs": "fs", "original-fs": "fs", "memfs": "memfs", "bun": "Bun",
    "path/posix": "path", "path/win32": "path", "timers/promises": "timers", "stream/promises": "stream",
    "util/types": "util", "dns/promises": "dns", "readline/promises": "readline", "assert/strict": "assert",
    "node-fetch": "fetch", "cross-fetch": "fetch", "isomorphic-fetch": "fetch", "undici": "undici", "zx": "zx",
    "child-process-promise": "child_process", "upath": "path", "pathe": "path", "del-cli": "del",
    "globby": "glob", "fast-glob": "glob", "tiny-glob": "glob", "tinyglobby": "glob",
}  # fmt: skip
# Packages whose calls are known; those of all others are not read.
_KNOWN = words("""
    rimraf del trash execa cross-spawn shelljs node-pty axios got needle request superagent ky undici zx glob ws
    socket.io-client memfs
""")
_GLOBALS = words("""
    Array ArrayBuffer AbortController AggregateError Atomics BigInt BigInt64Array Blob Boolean Buffer BroadcastChannel
    CompressionStream CustomEvent DataView Date DecompressionStream Deno Bun Error EvalError Event EventTarget File
    FinalizationRegistry Float32Array Float64Array FormData Function Headers Infinity Int16Array Int32Array Int8Array
    Intl Iterator JSON Map Math MessageChannel NaN Number Object Performance Promise Proxy RangeError ReferenceError
    Reflect RegExp Request Response Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TypeError
    URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
    WebAssembly WebSocket Worker XMLHttpRequest EventSource atob btoa clearImmediate clearInterval clearTimeout console
    crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval exports fetch global globalThis
    import import.meta isFinite isNaN location module navigator parseFloat parseInt performance process prompt
    queueMicrotask require self setImmediate setInterval setTimeout structuredClone unescape window alert confirm
    arguments print printjson load
""")
# Parts that are something else than their name says.
PARTS = {
    "fs.promises": "fs", "fs.default": "fs", "buffer.Buffer": "Buffer", "util.TextDecoder": "TextDecoder",
    "url.URL": "URL", "url.URLSearchParams": "URLSearchParams", "process.mainModule": "module",
    "require.main": "module",
    "module.require": "require", "process.getBuiltinModule": "require", "module.Module": "module",
    "module._load": "require", "Function._load": "require", "module.createRequire": "createRequire",
    "Function.createRequire": "createRequire", "import.meta.require": "require", "worker_threads.Worker": "Worker",
    "zx.$": "Bun.$", "zx.fs": "fs", "zx.path": "path", "zx.os": "os", "zx.glob": "glob", "zx.fetch": "fetch",
    "path.posix": "path", "path.win32": "path", "undici.fetch": "fetch", "process.process": "process",
    "ws.WebSocket": "WebSocket", "dns.promises": "dns", "module.constructor": "module",
    "Bun.fetch": "fetch", "Bun.spawnSync": "Bun.spawn", "axios.axios": "axios", "Buffer.alloc": "data",
    **{f"timers.{name}": name for name in ("setTimeout", "setInterval", "setImmediate")},
}  # fmt: skip

# What happens to the paths that calls are given: r read, w written, d deleted, m moved, l linked hard, - nothing.
_FILE_CALLS = """
    d: rm unlink rmdir remove emptyDir emptydir removeSync
    w: writeFile appendFile createWriteStream mkdir mkdtemp truncate chmod chown lchown lchmod utimes lutimes outputFile
       outputJson outputJSON writeJson writeJSON ensureDir ensureFile mkdirp mkdirs createFile writeTextFile create
       ensureLink ensureSymlink
    r: readFile createReadStream readJson readJSON readTextFile openAsBlob
    rw: copyFile cp copy symlink
    mw: rename move
    lw: link
    -: exists stat lstat access readlink watch watchFile unwatchFile opendir fstat close read write fsync fdatasync
       ftruncate fchmod fchown futimes statfs lstatSync pathExists realPath readLink statSync isatty Stats Dirent
       constants readv writev readDir constructor toString
"""


def _table(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    role = ""
    for word in text.split():
        if word.endswith(":"):
            role = word[:-1]
        else:
            found[word] = role
    return found


FILES = _table(_FILE_CALLS)
# Roots whose unknown parts may act.
ACTING = words("""
    fs child_process vm worker_threads cluster inspector module process Deno Bun wasi v8 repl sqlite shelljs execa
    cross-spawn rimraf del trash node-pty zx
""")
# Calls of those that do nothing to anybody.
HARMLESS = words("""
    process.cwd process.on process.once process.off process.exit process.uptime process.hrtime process.memoryUsage
    process.nextTick process.emitWarning process.version process.getuid process.geteuid process.getgid process.umask
    process.resourceUsage process.cpuUsage process.removeListener process.removeAllListeners process.addListener
    process.emit process.stdout process.stderr process.stdin process.argv process.report process.setMaxListeners
    process.listeners process.features process.config process.release process.versions process.abort
    process.constrainedMemory process.availableMemory process.loadEnvFile process.hasUncaughtExceptionCaptureCallback
    module.builtinModules module.isBuiltin module.findPackageJSON module.exports
    v8.getHeapStatistics v8.serialize v8.deserialize v8.getHeapSpaceStatistics vm.createContext vm.isContext
    worker_threads.parentPort worker_threads.isMainThread worker_threads.workerData cluster.isMaster cluster.isPrimary
    Deno.exit Deno.env Deno.args Deno.version Deno.build Deno.stat Deno.lstat Deno.cwd Deno.hostname Deno.osRelease
    Deno.memoryUsage Deno.inspect Deno.stdin Deno.stdout Deno.stderr Deno.test Deno.readDir Deno.uid Deno.gid
    Deno.loadavg Deno.systemMemoryInfo Deno.execPath Deno.mainModule Deno.pid Deno.isatty Deno.consoleSize Deno.noColor
    Deno.realPath Deno.errors Deno.permissions Deno.addSignalListener Deno.removeSignalListener Deno.close Deno.bench
    Bun.version Bun.env Bun.argv Bun.which Bun.sleep Bun.inspect Bun.hash Bun.password Bun.gzip Bun.gunzip Bun.deflate
    Bun.inflate Bun.escapeHTML Bun.nanoseconds Bun.peek Bun.resolve Bun.main Bun.revision Bun.stdin Bun.stdout
    Bun.stderr Bun.semver Bun.stringWidth Bun.deepEquals Bun.randomUUIDv7 Bun.Glob Bun.Transpiler Bun.color Bun.TOML
    Bun.YAML Bun.CryptoHasher Bun.gc Bun.fileURLToPath Bun.pathToFileURL Bun.concatArrayBuffers Bun.zstdCompress
    Bun.readableStreamToText Bun.readableStreamToJSON Bun.indexOfLine Bun.markdown Bun.JSON5 Bun.stripANSI Bun.build
""")
# Calls that give nothing back which could be called.
QUIET = words("""
    console.log console.error console.warn console.info console.debug console.table console.dir console.assert
    console.time console.timeEnd console.trace console.group console.groupEnd JSON.stringify util.inspect
    setTimeout setInterval setImmediate queueMicrotask process.nextTick process.on process.once Object.keys
    Object.getOwnPropertyNames Object.defineProperty clearTimeout
""")
EVALUATES = words("""
    eval Function vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction
    vm.SourceTextModule AsyncFunction GeneratorFunction repl.start
""")
# Clients of the network; of their parts, those that send what they are given.
CLIENTS = words("""
    fetch axios got needle request superagent ky http https http2 undici XMLHttpRequest EventSource navigator
""")
SENDING = words("post put patch postForm putForm patchForm sendBeacon")
SOCKETS = words("""
    net.connect net.createConnection net.Socket tls.connect WebSocket ws socket.io-client dgram.createSocket
    Deno.connect Deno.connectTls Bun.connect http2.connect Bun.udpSocket
""")
LISTENS = words("""
    net.createServer http.createServer https.createServer http2.createServer http2.createSecureServer tls.createServer
    Deno.serve Deno.listen Deno.listenTls Bun.serve Bun.listen ws.Server ws.WebSocketServer net.Server http.Server
    inspector.open
""")
AGENTS = words("@anthropic-ai/claude-agent-sdk @anthropic-ai/claude-code @openai/codex-sdk")
# Where packages are published; code from elsewhere is anybody's.
REGISTRIES = ("https://deno.land/", "https://esm.sh/", "https://jsr.io/", "https://cdn.jsdelivr.net/npm/",
              "https://unpkg.com/", "https://cdn.skypack.dev/", "https://esm.run/")  # fmt: skip


def module_name(written: str) -> str | None:
    """What a module is called here; None if it is not one of the libraries."""
    name = written.removeprefix("node:").removeprefix("npm:")
    name = OTHER_NAMES.get(name, name)
    if name in _BUILTIN or name in _KNOWN or name in ("fetch", "Bun"):
        return name
    return None


def globals_of(name: str) -> Value | None:
    """What a name stands for that the text does not declare."""
    if name in _GLOBALS or name in _BUILTIN:  # code on a command line has node's modules under their names
        return LibraryPart(name)
    if name in ("__dirname", "__filename"):
        return TextValue("." if name == "__dirname" else "./script")
    if name in ("db", "rs", "sh"):
        return TextValue(UNKNOWN)  # a database's shell, whose description looks for what deletes
    if name in ("args", "scriptArgs", "argv"):
        return List([TextValue(UNKNOWN)], open=True)
    return None
