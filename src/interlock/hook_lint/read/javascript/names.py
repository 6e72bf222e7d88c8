"""Names that programs in JavaScript have without defining them, and what is known of them."""

from __future__ import annotations

__all__ = ["GLOBALS", "INPUTS", "KEPT", "KNOWN_MODULES", "METHODS", "is_input"]

GLOBALS = frozenset({
    "process", "console", "JSON", "Bun", "Deno", "Object", "Array", "Math", "String", "Number", "Boolean", "RegExp",
    "Promise", "Buffer", "Date", "parseInt", "parseFloat", "require", "module", "exports", "setTimeout", "setInterval",
    "setImmediate", "clearTimeout", "queueMicrotask", "Error", "TypeError", "RangeError", "SyntaxError", "Set", "Map",
    "fetch", "Response", "TextDecoder", "TextEncoder", "URL", "isNaN", "structuredClone", "globalThis", "Symbol",
    "WeakMap", "AbortController", "AbortSignal", "Intl", "encodeURIComponent", "decodeURIComponent", "__dirname",
    "__filename", "$",
})  # fmt: skip
KNOWN_MODULES = GLOBALS | {
    "fs", "path", "child_process", "os", "util", "readline", "crypto", "url", "http", "https", "net", "stream",
    "stream/consumers", "events", "timers", "timers/promises", "tty", "assert", "buffer", "zlib", "worker_threads",
    "perf_hooks", "string_decoder", "fs-extra", "chalk", "minimatch", "micromatch", "picomatch", "glob", "fast-glob",
    "execa", "zx", "bun", "zod", "get-stdin", "dotenv", "dayjs", "date-fns", "lodash", "yaml", "js-yaml",
    "shell-quote", "ignore", "semver", "import", "better-sqlite3", "bun:sqlite", "node-notifier",
}  # fmt: skip

INPUTS = ("process.stdin", "Bun.stdin", "Deno.stdin", "readline.interface")


def is_input(name: str) -> bool:
    """Whether a name of a library is standard input, or something that gives it."""
    return name.startswith(INPUTS)


# A text or a path remains the same thing under these.
KEPT = frozenset({
    "trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase", "toString", "normalize", "valueOf",
    "toLocaleLowerCase", "toLocaleUpperCase",
})  # fmt: skip
METHODS = KEPT | {
    "includes", "startsWith", "endsWith", "indexOf", "lastIndexOf", "match", "matchAll", "search", "test", "exec",
    "split", "replace", "replaceAll", "slice", "substring", "substr", "concat", "join", "push", "unshift", "pop",
    "shift", "some", "every", "find", "findIndex", "findLast", "filter", "map", "flatMap", "forEach", "reduce", "sort",
    "reverse", "flat", "keys", "values", "entries", "has", "get", "set", "add", "delete", "at", "charAt", "padEnd",
    "padStart", "repeat", "then", "catch", "finally", "hasOwnProperty", "localeCompare", "codePointAt", "charCodeAt",
    "json", "text", "on", "once", "apply", "call", "bind",
}  # fmt: skip
