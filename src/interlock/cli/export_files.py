"""Files that are written line by line: whole or not at all, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from msgspec import json

from interlock.errors import InterlockError

__all__ = ["CsvRows", "JsonLines", "output_to", "with_progress"]

T = TypeVar("T")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_EVERY = 0.5  # seconds between two lines of progress


class JsonLines:
    """One JSON object on each line."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def __call__(self, value: dict[str, Any]) -> None:
        self._file.write(json.encode(value).decode() + "\n")


class CsvRows:
    """One row each; the first object says which columns there are. Lists and objects are written as JSON."""

    def __init__(self, file: IO[str]) -> None:
        # Every text in quotes: Python leaves them out around a lone carriage return, which ends a row elsewhere.
        self._writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        self._columns: list[str] | None = None

    def __call__(self, value: dict[str, Any]) -> None:
        if self._columns is None:
            self._columns = list(value)
            self._writer.writerow(self._columns)
        self._writer.writerow([_cell(value.get(name)) for name in self._columns])


def _cell(value: Any) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else json.encode(value).decode()
    # A spreadsheet runs a cell that begins so. An agent wrote it, and a person opens the file.
    return f"'{text}" if text.startswith(_FORMULA) else text


@contextmanager
def output_to(path: Path | None, *, force: bool) -> Iterator[IO[str]]:
    """stdout, or a file that appears when everything is written. Raises InterlockError if it exists, unless `force`."""
    if path is None:
        yield sys.stdout
        return
    if not force and path.exists():
        raise _exists(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise InterlockError(f"nothing can be written beside {path}: {error}") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            yield file
        if force:
            part.replace(path)
        else:
            os.link(part, path)  # fails if somebody has made the file meanwhile
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise InterlockError(f"{path} cannot be written: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def with_progress(values: Iterable[T], name: str, *, is_shown: bool) -> Iterator[T]:
    """The same values; how many there were so far is written to the terminal now and then."""
    shown = time.monotonic()
    count = 0
    for value in values:
        yield value
        count += 1
        if is_shown and time.monotonic() - shown >= _EVERY:
            shown = time.monotonic()
            click.echo(f"\r{count:,} {name}", nl=False, err=True)
    if is_shown:
        click.echo(f"\r{count:,} {name} written", err=True)


def _exists(path: Path) -> InterlockError:
    return InterlockError(f"{path} exists", help="choose another name, or replace it with --force")
