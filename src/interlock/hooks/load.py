"""Load hooks from a Python file."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, ModuleType

from interlock.errors import InterlockError, Source, text_of
from interlock.hooks.registry import Hook, collecting, hooks_of

__all__ = ["load_hooks", "unique_hooks"]


def load_hooks(files: Iterable[Path]) -> tuple[Hook, ...]:
    """Every hook in the files, in the order in which they are written. Raises InterlockError if anything fails."""
    return unique_hooks([hook for file in files for hook in _load(file)])


def unique_hooks(hooks: Iterable[Hook]) -> tuple[Hook, ...]:
    """The hooks in order, each once. Two functions may not share a name, because verdicts name hooks."""
    found: list[Hook] = []
    named: dict[str, Hook] = {}
    for hook in hooks:
        known = named.setdefault(hook.name, hook)
        if known.function is not hook.function:
            raise InterlockError(
                f"two hooks are named `{hook.name}`; the other is at {known.source}",
                hook.source,
                help="rename one, or give it a name: @hook(..., name='other')",
            )
        if not any(hook is one for one in found):
            found.append(hook)
    return tuple(found)


def _load(file: Path) -> list[Hook]:
    try:
        code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    except OSError as error:
        raise InterlockError(f"cannot read the hooks file `{file}`: {error.strerror}") from error
    except SyntaxError as error:
        where = Source(str(file), error.lineno or 1, error.offset or 0)
        raise InterlockError(f"syntax error: {error.msg}", where, line=(error.text or "").rstrip("\n")) from error
    except ValueError as error:  # a NUL byte
        raise InterlockError(f"cannot compile the hooks file `{file}`: {error}") from error
    return _run(file, code)


def _run(file: Path, code: CodeType) -> list[Hook]:
    module = ModuleType(f"interlock_hooks_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # dataclasses and pickling look the module up by name
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # a hooks file may import its neighbours; appended, so that they shadow nothing
    found: list[Hook] = []
    token = collecting.set(found)
    try:
        exec(code, module.__dict__)  # noqa: S102 - hooks are the user's own code
    except InterlockError:
        raise
    except (Exception, SystemExit) as error:
        raise InterlockError(
            f"loading failed: {type(error).__name__}: {text_of(error)}", _line_in(file, error)
        ) from error
    finally:
        collecting.reset(token)
    imported = [hook for value in vars(module).values() for hook in hooks_of(value)]
    if not found and not imported:
        raise InterlockError(f"`{file}` registers no hook", help='decorate a function with @hook("PreToolUse")')
    return [*found, *imported]


def _line_in(file: Path, error: BaseException) -> Source:
    line = 1
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return Source(str(file), line)
