"""The tables of functions against Python itself: what a module can do is in them, or known to do nothing."""

from __future__ import annotations

import ast
import builtins
import os
import pathlib
import shutil
import subprocess
import types

import pytest

from interlock.facts.code.python import expressions, methods, reader
from interlock.facts.code.python.constants import FUNCTIONS
from interlock.facts.code.python.modules import BUILTINS, HARMLESS, RISKY, full_name
from interlock.facts.code.python.reader import PythonReader

# Methods of a path that only look.
LOOKING = """
    as_posix as_uri cwd exists full_match group home is_absolute is_block_device is_char_device is_dir is_fifo
    is_file is_junction is_mount is_relative_to is_reserved is_socket is_symlink lstat match owner readlink samefile
    stat from_uri with_segments is_char
"""
# Functions of these modules that look, reckon, or change only the process itself or what is open already.
NOTHING_DONE = {
    os: """
        WCOREDUMP WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG WTERMSIG abort access close
        closerange confstr copy_file_range cpu_count ctermid device_encoding dup dup2 eventfd eventfd_read
        eventfd_write fchdir fchmod fchown fdatasync fdopen fpathconf fstat fstatvfs fsync ftruncate
        get_blocking get_exec_path get_inheritable get_terminal_size getegid geteuid getgid getgrouplist getgroups
        getloadavg getlogin getpgid getpgrp getppid getpriority getrandom getresgid getresuid getsid getuid initgroups
        isatty listdir listxattr lockf login_tty lseek lstat major makedev memfd_create minor nice openpty
        pathconf pidfd_open pipe pipe2 posix_fadvise posix_fallocate posix_openpt grantpt ptsname unlockpt pread preadv
        process_cpu_count putenv pwrite pwritev read readlink readv register_at_fork
        sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler
        sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler sched_yield sendfile set_blocking
        set_inheritable setpgrp setegid seteuid setgid setgroups setns setpgid setpriority setregid setresgid setresuid
        setreuid setsid setuid splice stat statvfs strerror sync sysconf tcgetpgrp tcsetpgrp tee times ttyname umask
        uname unsetenv unshare urandom wait wait3 wait4 waitid waitpid waitstatus_to_exitcode write writev _exit
        timerfd_create timerfd_gettime timerfd_gettime_ns timerfd_settime timerfd_settime_ns reload_environ
        fspath fsencode fsdecode get_handle_inheritable set_handle_inheritable plock posix_fadvise listdrives
        listmounts listvolumes add_dll_directory
    """,
    shutil: """
        copyfileobj disk_usage get_archive_formats get_terminal_size get_unpack_formats ignore_patterns
        register_archive_format register_unpack_format unregister_archive_format unregister_unpack_format which
    """,
    subprocess: "list2cmdline",
}


@pytest.mark.parametrize("module", NOTHING_DONE, ids=lambda module: module.__name__)
def test_every_function_of_a_module_that_acts_is_in_a_table_or_known_to_do_nothing(module: types.ModuleType):
    known = {*PythonReader.table, *FUNCTIONS}
    functions = {
        name for name, value in vars(module).items()
        if not name.startswith("__") and isinstance(value, (types.FunctionType, types.BuiltinFunctionType))
        and getattr(value, "__module__", "") in (module.__name__, "posix", "nt") and (name[0] != "_" or name == "_exit")
    }  # fmt: skip
    strange = {name for name in functions if full_name(f"{module.__name__}.{name}") not in known}
    assert strange - set(NOTHING_DONE[module].split()) == set()


def test_every_method_of_a_path_that_acts_is_read():
    """A path's own methods are those of the newest Python too."""
    named = {name for name in dir(pathlib.Path) if name[0] != "_" and callable(getattr(pathlib.Path, name))}
    assert named - set(LOOKING.split()) - set(methods.ON_PATHS) == set()


def test_every_builtin_is_known():
    assert {name for name in dir(builtins) if name[0] != "_"} - BUILTINS - {"True", "False", "None"} == set()
    assert {"open", "exec", "eval", "compile", "__import__", "getattr", "setattr", "globals", "vars", "map"} <= set(
        PythonReader.table
    )


def test_every_statement_and_expression_is_gone_through_or_has_nothing_in_it():
    inert = {ast.Pass, ast.Break, ast.Continue, ast.Expr, ast.Constant, ast.Name, ast.FormattedValue}
    kinds = {
        kind for kind in vars(ast).values()
        if isinstance(kind, type) and issubclass(kind, (ast.stmt, ast.expr)) and kind not in (ast.stmt, ast.expr)
        and not issubclass(kind, ast.Constant) and kind.__name__ not in ("Index", "ExtSlice", "TypeAlias")
    }  # fmt: skip
    assert kinds - inert == {*expressions.WAYS, *reader.STATEMENTS} - inert


def test_a_module_is_either_harmless_or_risky():
    assert {"ctypes", "boto3", "sh"} <= RISKY
    assert set() == RISKY & HARMLESS


def test_every_name_that_stands_for_another_leads_to_one_that_is_known():
    for name in PythonReader.table:
        assert full_name(name) == name or full_name(name) in PythonReader.table, name
