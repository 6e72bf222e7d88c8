"""What methods do: of paths, of files, and of objects of which only the method's name is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interlock.facts.code.python.actions import ACTIONS, Action, names_of, open_file, over_paths
from interlock.facts.code.python.network import query
from interlock.facts.code.python.values import (
    ANY,
    File,
    Items,
    PathText,
    PythonCall,
    StartedProgram,
    Value,
    texts_of,
)
from interlock.facts.limits import PYTHON_ITEMS
from interlock.facts.shell import UNKNOWN

if TYPE_CHECKING:
    from interlock.facts.code.python.interpreter import Interpreter

__all__ = [
    "ON_ANYTHING",
    "ON_PATHS",
    "container_method",
    "file_method",
    "path_attribute",
    "path_method",
    "process_method",
]


# --- paths -----------------------------------------------------------------------------------------------------------


def path_attribute(path: PathText, name: str) -> Value:
    """A part of a path."""
    text = path.text
    head, _, tail = text.rstrip("/").rpartition("/")
    if name == "parent":
        return PathText(head or ("/" if text[:1] == "/" else "~/.." if text == "~" else "."))
    if name == "parents":
        return Items(PathText(head or ("/" if text[:1] == "/" else ".")))
    if name == "name":
        return tail or UNKNOWN
    if name == "path":  # of what `os.scandir` gives
        return text
    if name == "stem":
        return tail.rpartition(".")[0] or tail
    if name == "suffix":
        return "." + tail.rpartition(".")[2] if "." in tail else ""
    return ANY


def _same(text: str, run: Interpreter, call: PythonCall) -> Value:
    return PathText(text)


def _text(text: str, run: Interpreter, call: PythonCall) -> Value:
    return text


def _joinpath(text: str, run: Interpreter, call: PythonCall) -> Value:
    return over_paths(run.joined_path([text, *call.args]), PathText)


def _beside(text: str, run: Interpreter, call: PythonCall) -> Value:
    head, sign, _ = text.rpartition("/")
    return over_paths(run.joined_path([head + sign or ".", *call.args[:1]]), PathText)


def _with_suffix(text: str, run: Interpreter, call: PythonCall) -> Value:
    stem = text.rpartition(".")[0] if "." in text.rpartition("/")[2] else text
    return over_paths(call.get(0, "suffix", ANY), lambda suffix: PathText(stem + suffix))


def _children(text: str, run: Interpreter, call: PythonCall) -> Value:
    for pattern in texts_of(call.args[0]) if call.args else ():
        if ".." in pattern or pattern.startswith("/"):
            return Items(PathText(UNKNOWN))
    return Items(PathText(f"{text.rstrip('/') if text != '/' else ''}/*"))


def _walk(text: str, run: Interpreter, call: PythonCall) -> Value:
    return Items([PathText(text), Items(ANY), Items(ANY)])


def _opens(text: str, run: Interpreter, call: PythonCall) -> Value:
    return open_file(run, text, call.get(0, "mode", "r"))


def _read(text: str, run: Interpreter, call: PythonCall) -> Value:
    run.reads(text)
    return File(text, text=True)


def _write(text: str, run: Interpreter, call: PythonCall) -> Value:
    run.writes(text)
    return None


def _delete(text: str, run: Interpreter, call: PythonCall) -> Value:
    run.deletes(text)
    return None


def _rename(text: str, run: Interpreter, call: PythonCall) -> Value:
    target = call.get(0, "target", ANY)
    run.deletes(text)
    run.writes(target)
    return over_paths(target, PathText)


def _copy(text: str, run: Interpreter, call: PythonCall) -> Value:
    target = call.get(0, "target", ANY)
    run.reads(text)
    run.writes(target)
    return over_paths(target, PathText)


def _link(text: str, run: Interpreter, call: PythonCall) -> Value:
    run.writes(text)
    run.writes(call.get(0, "target", ANY))


ON_PATHS: dict[str, Callable[[str, Interpreter, PythonCall], Value]] = {
    **dict.fromkeys(["resolve", "absolute", "expanduser", "as_path", "__truediv__", "rename_to"], _same),
    **dict.fromkeys(["as_posix", "__str__", "__fspath__", "as_uri"], _text),
    **dict.fromkeys(["joinpath", "__truediv__"], _joinpath),
    "relative_to": lambda text, run, call: PathText(text),
    "with_name": _beside, "with_stem": _beside, "with_suffix": _with_suffix,
    **dict.fromkeys(["glob", "rglob", "iterdir"], _children),
    "walk": _walk,
    "open": _opens,
    **dict.fromkeys(["read_text", "read_bytes"], _read),
    **dict.fromkeys(["write_text", "write_bytes", "touch", "mkdir", "chmod", "lchmod", "symlink_to", "mkfifo"], _write),
    **dict.fromkeys(["unlink", "rmdir", "rmtree", "remove"], _delete),
    **dict.fromkeys(["rename", "replace", "move", "move_into"], _rename),
    **dict.fromkeys(["copy", "copy_into"], _copy),
    **dict.fromkeys(["hardlink_to", "link_to"], _link),
}  # fmt: skip


def path_method(path: PathText, run: Interpreter, call: PythonCall) -> Value:
    """What a method of a path does."""
    act = ON_PATHS.get(call.name)
    return ANY if act is None else act(path.text, run, call)


# --- files, processes, lists -----------------------------------------------------------------------------------------


def file_method(file: File, run: Interpreter, call: PythonCall) -> Value:
    """A file gives its text; it was noted when it was opened."""
    if not file.text and call.name in ("read", "readlines", "readline", "read1", "readall"):
        return File(file.path, text=True)
    if call.name in ("__enter__", "strip", "decode", "encode", "rstrip", "lstrip", "expandtabs"):
        return file
    return ANY


def process_method(process: StartedProgram, run: Interpreter, call: PythonCall) -> Value:
    """What a program is given while it runs, it may run."""
    given = call.get(0, "input", None) if call.name in ("communicate", "write") else None
    if given is not None:
        for line in process.lines:
            run.runs_fed(line, given)
    return process if call.name == "__enter__" else ANY


def container_method(value: Value, run: Interpreter, call: PythonCall) -> Value:
    """Methods of lists and dicts, which are followed as far as their items are known."""
    name, args = call.name, call.args
    if type(value) is list:
        if len(value) > PYTHON_ITEMS.most and name in ("append", "add", "insert", "extend", "update"):
            run.reach(PYTHON_ITEMS)
        elif name == "append" or name == "add":
            value.append(args[0] if args else ANY)
        elif name == "insert":
            value.insert(args[0] if args and type(args[0]) is int else 0, args[1] if len(args) > 1 else ANY)
        elif name in ("extend", "update"):
            more: Value = args[0] if args else ANY
            value.extend(more if type(more) in (list, tuple) else [getattr(more, "one", ANY)])
        elif name == "pop":
            return run.item(value, args[0] if args else -1)
        elif name == "copy":
            return list(value)
        elif name in ("union", "__add__"):
            return value + [one for more in args for one in (more if type(more) is list else [ANY])]
        return ANY
    if name in ("get", "pop", "setdefault", "__getitem__"):
        return run.item(value, args[0] if args else ANY)
    if name == "values":
        return list(value.values())
    if name == "keys":
        return list(value)
    if name == "items":
        return [[key, one] for key, one in value.items()]
    if name == "copy":
        return dict(value)
    if name == "update":
        for more in args:
            value.update(more if type(more) is dict else {})
        value.update(call.named)
    return ANY


# --- anything --------------------------------------------------------------------------------------------------------


def _path_of_unknown(action: Callable[[str, Interpreter, PythonCall], Value]) -> Action:
    return lambda run, call: action(UNKNOWN, run, call)


def _drops(run: Interpreter, call: PythonCall) -> Value:
    run.effects.traits.add("database/drops")
    return ANY


def _writes_table(run: Interpreter, call: PythonCall) -> Value:
    if call.args and type(call.args[0]) in (str, PathText):
        run.writes(call.args[0])
    elif "path" in call.named or "path_or_buf" in call.named or "fname" in call.named:
        run.writes(call.named.get("path", call.named.get("path_or_buf", call.named.get("fname"))))
    return ANY


def _unpack(run: Interpreter, call: PythonCall) -> Value:
    return ACTIONS["zipfile.ZipFile().extractall"](run, call)


def _network(run: Interpreter, call: PythonCall) -> Value:
    run.reaches(*call.args[:1], sends=True)
    return ANY


def _listens(run: Interpreter, call: PythonCall) -> Value:
    run.effects.traits.add("network/listens")
    return ANY


def _get(run: Interpreter, call: PythonCall) -> Value:
    """`session.get(url)`; of a dict, something else."""
    if call.args and type(call.args[0]) is str and "://" in call.args[0]:
        run.reaches(call.args[0])
    return ANY


def _posts(run: Interpreter, call: PythonCall) -> Value:
    known = call.args and type(call.args[0]) is str and "://" in call.args[0]
    if known or any(name in call.named for name in ("json", "files")):
        run.reaches(*call.args[:1], sends=True)
    return ANY


# Methods that mean one thing, whatever they are called on.
ON_ANYTHING: dict[str, Action] = {
    **names_of("unlink rmtree", _path_of_unknown(_delete)),
    **names_of("write_text write_bytes", _path_of_unknown(_write)),
    **names_of("read_text read_bytes", _path_of_unknown(_read)),
    **names_of("drop_all drop_database drop_table drop_collection flushall flushdb dropDatabase", _drops),
    **names_of("execute executemany executescript exec_driver_sql", query),
    **names_of("to_csv to_json to_parquet to_excel to_pickle to_feather to_html savefig save", _writes_table),
    "extractall": _unpack,
    **names_of("sendall sendto sendmail send_message storbinary", _network),
    "serve_forever": _listens,
    "get": _get,
    **names_of("post put patch", _posts),
}  # fmt: skip
