"""Names that a reader of Python must know: of builtins, of methods, and of libraries that say and end nothing."""

from __future__ import annotations

import builtins
import re
import sys

__all__ = [
    "ALIASES", "BLOCKING", "BUILTINS", "DEBUGGING", "DICT_METHODS", "EXCEPTIONS", "HARMLESS", "KEPT", "KNOWN_MODULES",
    "LIST_METHODS", "LOG_LIKE", "PATH_PARTS", "REFUSALS", "TEXT_METHODS",
]  # fmt: skip

BUILTINS = frozenset(dir(builtins))
EXCEPTIONS: dict[str, tuple[str, ...]] = {
    name: tuple(base.__name__ for base in found.__mro__ if base is not object)
    for name, found in vars(builtins).items()
    if isinstance(found, type) and issubclass(found, BaseException)
}
EXCEPTIONS["json.JSONDecodeError"] = ("JSONDecodeError", "ValueError", "Exception", "BaseException")
EXCEPTIONS["subprocess.TimeoutExpired"] = ("TimeoutExpired", "SubprocessError", "Exception", "BaseException")
EXCEPTIONS["subprocess.CalledProcessError"] = ("CalledProcessError", "SubprocessError", "Exception", "BaseException")

# Of other libraries that do the same.
ALIASES = {
    "orjson": "json", "ujson": "json", "simplejson": "json", "rapidjson": "json", "regex": "re", "re2": "re",
    "posixpath": "os.path", "ntpath": "os.path", "claude_code_sdk": "claude_agent_sdk",
}  # fmt: skip
# Libraries from the package index whose functions neither answer nor end the program.
KNOWN_MODULES = frozenset(sys.stdlib_module_names) | {
    "aiofiles", "aiohttp", "aiosqlite", "anthropic", "anyio", "attr", "attrs", "bashlex", "black", "boto3", "bs4",
    "chromadb", "claude_agent_sdk", "claude_code_sdk", "click", "colorama", "dateutil", "detect_secrets", "docker",
    "dotenv", "elevenlabs", "filelock", "git", "google", "httpx", "jinja2", "json5", "jsonschema", "keyring",
    "langfuse", "litellm", "loguru", "markdown", "msgspec", "networkx", "numpy", "ollama", "openai", "opentelemetry",
    "orjson", "packaging", "pandas", "pathspec", "platformdirs", "plyer", "psutil", "psycopg", "psycopg2", "pydantic",
    "pydantic_settings", "pygments", "pytest", "pyttsx3", "pytz", "rapidjson", "re2", "redis", "regex", "requests",
    "rich", "ruamel", "semver", "sentry_sdk", "setproctitle", "simplejson", "slack_sdk", "sqlalchemy", "sqlparse",
    "structlog", "tabulate", "tenacity", "termcolor", "tiktoken", "toml", "tomli", "tomlkit", "tqdm", "tree_sitter",
    "typer", "typing_extensions", "ujson", "urllib3", "watchdog", "websockets", "win32api", "yaml",
}  # fmt: skip
# A function of another file with such a name says nothing to the client.
LOG_LIKE = ("log", "debug", "record", "track", "save", "write_", "store", "audit", "notify", "setup", "init",
            "load", "config", "append", "update", "ensure", "add_", "register", "trace", "metric", "speak",
            "announce")  # fmt: skip

DICT_METHODS = frozenset({"get", "items", "keys", "values", "copy", "pop", "setdefault", "update"})
LIST_METHODS = frozenset({"append", "extend", "insert", "pop", "copy", "clear", "sort", "add", "remove", "discard",
                          "index", "count", "update", "reverse"})  # fmt: skip
TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))
# A text or a path remains the same thing under these.
KEPT = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "casefold", "decode", "encode", "expandtabs", "as_posix", "resolve",
    "absolute", "expanduser", "model_dump", "dict", "copy", "deepcopy", "title", "swapcase", "_asdict", "__str__",
})  # fmt: skip
PATH_PARTS = frozenset({"name", "suffix", "stem", "parts", "parent", "parents", "anchor", "suffixes"})
METHODS_OF_PATHS = frozenset({
    "exists", "is_file", "is_dir", "is_absolute", "is_relative_to", "is_symlink", "relative_to", "match", "full_match",
    "read_text", "read_bytes", "open", "with_suffix", "with_name", "joinpath", "stat", "glob", "rglob", "iterdir",
    "write_text", "write_bytes", "unlink", "mkdir", "touch", "samefile",
})  # fmt: skip
METHODS_OF_OTHERS = frozenset({
    "write", "writelines", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "communicate",
    "wait", "read", "readline", "run", "submit", "run_until_complete", "run_in_executor", "search", "fullmatch",
    "finditer", "findall", "sub", "group", "model_validate", "model_validate_json", "parse_obj", "parse_raw",
})  # fmt: skip
# Names that are never taken for a field of the event or of an object.
HARMLESS = TEXT_METHODS | DICT_METHODS | LIST_METHODS | KEPT | METHODS_OF_PATHS | METHODS_OF_OTHERS

# Calls that stop the event loop of the program that waits for a callback.
BLOCKING = frozenset({
    "time.sleep", "input", "os.system", "os.popen", "urllib.request.urlopen", "urllib.request.urlretrieve",
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.getoutput",
    "subprocess.getstatusoutput",
    *(f"{library}.{verb}" for library in ("requests", "httpx")
      for verb in ("get", "post", "put", "patch", "delete", "head", "options", "request")),
})  # fmt: skip

# What a log may say of a call; anything else that is logged tells nothing about the answer.
REFUSALS = re.compile(
    r"block|den(?:y|ied)|reject|refus|forbid|prevent|not (?:allowed|permitted)|disallow|abort|stopp|[🚫⛔❌🛑]",
    re.IGNORECASE,
)
DEBUGGING = re.compile(r"DEBUG|VERBOSE|TRACE(?!PARENT)")
