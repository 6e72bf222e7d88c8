"""The functions of builtins and of libraries that matter to a hook, by their full names."""

from __future__ import annotations

from collections.abc import Callable

from interlock.hook_lint.read.python import outer_calls as outer
from interlock.hook_lint.read.python import value_calls as values
from interlock.hook_lint.read.python.calls import CallArguments
from interlock.hook_lint.read.python.machine import HookReader
from interlock.hook_lint.read.python.state import WayState
from interlock.hook_lint.read.python.values import PyValue

__all__ = ["LIBRARY"]

Reader = Callable[[HookReader, CallArguments, WayState], PyValue]

LIBRARY: dict[str, Reader] = {
    **dict.fromkeys(("sys.exit", "exit", "quit", "os._exit", "SystemExit"), outer.do_exit),
    "os.abort": outer.do_exit_with_two,
    "print": outer.do_print,
    "sys.stdout.write": outer.do_write("sys.stdout"),
    "sys.stdout.writelines": outer.do_write("sys.stdout"),
    "sys.stderr.write": outer.do_write("sys.stderr"),
    "sys.stderr.writelines": outer.do_write("sys.stderr"),
    "os.write": outer.do_os_write,
    "json.dump": outer.do_dump,
    "traceback.print_exc": outer.do_traceback,
    "traceback.print_exception": outer.do_traceback,
    **dict.fromkeys(
        ("sys.stdin.read", "sys.stdin.readline", "sys.stdin.readlines", "input", "fileinput.input",
         "sys.stdin.readall"),
        outer.do_stdin,
    ),
    "os.read": outer.do_read_fd,
    "io.open": outer.do_open,
    "open": outer.do_open,
    "os.fdopen": outer.do_open,
    "io.TextIOWrapper": values.do_first,
    "codecs.getreader": values.do_first,
    "sys.stdin.isatty": values.do_false,
    "json.load": outer.do_load,
    "json.loads": outer.do_loads,
    "json.dumps": outer.do_dumps,
    "os.environ.get": outer.do_environment,
    "os.getenv": outer.do_environment,
    "re.search": outer.do_matching("regex"),
    "re.findall": outer.do_matching("regex"),
    "re.finditer": outer.do_matching("regex"),
    "re.match": outer.do_matching("match"),
    "re.fullmatch": outer.do_matching("whole"),
    "re.sub": outer.do_substitution,
    "re.subn": outer.do_substitution,
    "re.compile": outer.do_regex_of,
    "fnmatch.fnmatch": outer.do_glob,
    "fnmatch.fnmatchcase": outer.do_glob,
    **dict.fromkeys(
        ("subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
         "subprocess.getoutput", "subprocess.getstatusoutput", "os.system", "os.popen",
         "asyncio.create_subprocess_shell"),
        outer.do_run,
    ),
    "shutil.which": outer.do_which,
    "str": values.do_text,
    "repr": values.do_text,
    **dict.fromkeys(
        ("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PosixPath", "os.fspath"), values.do_path
    ),
    **dict.fromkeys(
        ("os.path.normpath", "os.path.realpath", "os.path.abspath", "os.path.expanduser", "os.path.expandvars",
         "os.path.normcase", "html.unescape", "unicodedata.normalize"),
        values.do_same,
    ),
    "typing.cast": values.do_second,
    "int": values.do_int,
    "bool": values.do_bool,
    "len": values.do_length,
    "any": values.do_any,
    "all": values.do_any,
    "next": values.do_next,
    **dict.fromkeys(("list", "set", "frozenset", "tuple", "sorted", "reversed", "iter"), values.do_new_list),
    "enumerate": values.do_pairs,
    "zip": values.do_pairs,
    "map": values.do_map,
    "filter": values.do_map,
    "itertools.chain": values.do_chain,
    "dict": values.do_dict,
    "collections.OrderedDict": values.do_dict,
    "collections.defaultdict": values.do_defaultdict,
    "copy.copy": values.do_copy,
    "copy.deepcopy": values.do_copy,
    "isinstance": values.do_isinstance,
    "getattr": values.do_getattr,
    "dataclasses.asdict": values.do_asdict,
    "vars": values.do_asdict,
    "types.SimpleNamespace": values.do_namespace,
    "argparse.Namespace": values.do_namespace,
    "functools.partial": values.do_partial,
    **dict.fromkeys(
        ("asyncio.run", "anyio.run", "asyncio.wait_for", "asyncio.create_task", "asyncio.ensure_future",
         "asyncio.shield", "asyncio.to_thread", "anyio.to_thread.run_sync", "asyncio.gather"),
        values.do_run_given,
    ),
    "textwrap.dedent": values.do_dedent,
    "sys.stdout.flush": values.do_nothing,
    "sys.stderr.flush": values.do_nothing,
    "exec": values.do_unread,
    "eval": values.do_unread,
    "runpy.run_path": values.do_unread,
    "runpy.run_module": values.do_unread,
    "super": values.do_super,
    "claude_agent_sdk.HookMatcher": outer.do_matcher,
    "claude_agent_sdk.types.HookMatcher": outer.do_matcher,
    "HookMatcher": outer.do_matcher,
    **{f"claude_agent_sdk.{part}PermissionResultAllow": outer.do_permission("allow") for part in ("", "types.")},
    **{f"claude_agent_sdk.{part}PermissionResultDeny": outer.do_permission("deny") for part in ("", "types.")},
}  # fmt: skip
