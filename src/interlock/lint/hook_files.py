"""Hook files that cannot be loaded, and programs that cannot be run: at run time, either would deny every call."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from interlock.config.places import LOCAL_NAME, POLICY_NAME
from interlock.errors import InterlockError, Source
from interlock.lint.finding import PolicyFinding, Severity
from interlock.lint.hook_signatures import check_signatures
from interlock.policy.load import Policy
from interlock.policy.rule import Check

__all__ = ["find_hook_problems"]

# First words of a shell line that are no program.
_SHELL_WORDS = frozenset({
    "!", ".", ":", "[", "[[", "{", "(", "alias", "break", "builtin", "case", "cd", "command", "continue",
    "declare", "echo", "eval", "exec", "exit", "export", "false", "for", "function", "if", "let", "local",
    "printf", "pwd", "read", "readonly", "return", "set", "shift", "source", "test", "time", "trap", "true",
    "type", "ulimit", "umask", "unset", "until", "wait", "while",
})  # fmt: skip


def find_hook_problems(policy: Policy, *, trusted: bool) -> Iterator[PolicyFinding]:
    """Problems with what a policy would run. Hook files are executed only if the policy is `trusted`."""
    yield from _hook_files(policy, trusted)
    folder = Path(policy.file).absolute().parent
    for hook in policy.externals:
        if hook.run is not None and hook.source is not None:
            program = _first_word(hook.run) if isinstance(hook.run, str) else hook.run[0]
            yield from _program(folder, hook.name, program, hook.source, sure=True)
    for rule, _ in policy.rules:
        if rule.run is not None and rule.source.file == policy.file:
            # A rule's check runs in the project, whose folder is that of the policy only if it is the project's own.
            sure = Path(policy.file).name in (POLICY_NAME, LOCAL_NAME)
            yield from _program(folder, rule.id, _program_of(rule.run), rule.source, sure=sure)


# --- Python --------------------------------------------------------------------------------------------------


def _hook_files(policy: Policy, trusted: bool) -> Iterator[PolicyFinding]:
    folder = Path(policy.file).absolute().parent
    good: list[Path] = []
    for name, source in policy.hook_files:
        file = folder / name
        try:
            text = _compile(file, name)
            if trusted:
                _load([file])
            else:
                check_signatures(text, str(file))
        except InterlockError as error:
            where = f" [{error.source}]" if error.source is not None else ""
            yield PolicyFinding(name, source, error.message + where, error.help or "correct the file", severity="error")
        else:
            good.append(file)
    if trusted and len(good) > 1:
        try:
            _load(good)  # two files may have hooks of the same name
        except InterlockError as error:
            yield PolicyFinding(policy.hook_files[0][0], policy.hook_files[0][1], error.message, error.help or "",
                                severity="error")  # fmt: skip


def _compile(file: Path, name: str) -> bytes:
    try:
        text = file.read_bytes()
        compile(text, str(file), "exec", dont_inherit=True)
    except OSError as error:
        help = "create it, or correct the path, which starts at the policy's folder"
        raise InterlockError(f"the hooks file `{name}` cannot be read: {error.strerror}", help=help) from error
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        column = getattr(error, "offset", None) or 0
        place = Source(str(file), line, column)
        why = getattr(error, "msg", None) or str(error)
        raise InterlockError(
            f"the hooks file `{name}` is not Python: {why} [{place}]", help=f"correct {place}"
        ) from error
    return text


def _load(files: list[Path]) -> None:
    """Load hook files in a worker, as a guard does."""
    from interlock.hooks.process import HookProcess  # noqa: PLC0415 - imported only if a policy has hooks

    with HookProcess(files) as process:
        try:
            process.start()
        except InterlockError as error:
            raise _in_short(error.message) from error


def _in_short(text: str) -> InterlockError:
    """What the worker reported, which is an error on several lines."""
    found = re.search(r"^error: (.*)$", text, re.MULTILINE)
    place = re.search(r"^ --> (.*)$", text, re.MULTILINE)
    help = re.search(r"^help: (.*)$", text, re.MULTILINE)
    why = found[1] if found else text.splitlines()[-1]
    where = f" [{place[1]}]" if place else ""
    cure = help[1] if help else f"correct {place[1]}" if place else "correct the file"
    return InterlockError(f"the hooks cannot be loaded: {why}{where}", help=cure)


# --- programs ------------------------------------------------------------------------------------------------


def _program_of(check: Check) -> str:
    if isinstance(check.command, str):
        return _first_word(check.command)
    tree = check.command.tree
    return tree[0] if isinstance(tree, list) and tree and isinstance(tree[0], str) else ""


def _first_word(line: str) -> str:
    """The program of a shell line, or nothing if only a shell can tell."""
    words = [word for word in line.split() if not re.match(r"\w+=", word)]
    first = words[0] if words else ""
    return "" if first in _SHELL_WORDS or re.search(r"[$'\"`(){}<>|&;*~\\]", first) else first


def _program(folder: Path, name: str, program: str, source: Source, *, sure: bool) -> Iterator[PolicyFinding]:
    """A program that cannot be run. `sure`: it is looked for where it will be."""
    if not program:
        return
    if "/" not in program:
        if shutil.which(program) is None:
            message = f"`{name}` runs `{program}`, which is not on the PATH here"
            yield PolicyFinding(name, source, message, "install it, or correct its name")
        return
    file = folder / program
    severity: Severity = "error" if sure or program.startswith("/") else "warning"
    if not file.is_file():
        message = f"`{name}` runs `{program}`, which does not exist"
        help = "create it, or correct the path, which starts at the policy's folder"
        yield PolicyFinding(name, source, message, help, severity)
    elif not os.access(file, os.X_OK):
        message = f"`{name}` runs `{program}`, which is not executable"
        yield PolicyFinding(name, source, message, f"run `chmod +x {program}`", severity)
