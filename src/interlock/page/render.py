"""The templates, and the few functions by which they show times, calls and numbers."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from interlock.config.places import PACKAGE
from interlock.facts.shapes import line_of_call

__all__ = ["FOLDER", "call_lines", "render", "static_address"]

FOLDER = Path(__file__).parent
_STATIC = FOLDER / "static"
_PACKS = f"{PACKAGE / 'packs'}/"
_BREAKS = re.compile(r"\s+(?=(?:&&|\|\||\||;)\s)")
_COLUMN = re.compile(r"(:\d+):\d+\Z")
_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"))


def render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    # Everything that a tool or an agent wrote is escaped: no template marks it as safe.
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    made.filters |= {
        "ago": ago,
        "clock": clock_time,
        "moment": moment,
        "iso": iso,
        "lasting": lasting,
        "call_lines": call_lines,
        "short_path": short_path,
        "number": number,
        "code": code,
        "place": place,
    }
    made.globals |= {"static": static_address, "line_of_call": line_of_call, "views": VIEWS}
    return made


VIEWS = (
    ("inbox", "Inbox", "i"),
    ("sessions", "Sessions", "s"),
    ("log", "Log", "l"),
    ("rules", "Rules", "r"),
    ("overview", "Overview", "o"),
)
"""The views: their path, their name, and the key that opens them after `g`."""


def static_address(name: str) -> str:
    """The address of a file. It changes with the files, so a browser may keep them."""
    return f"/static/{_static_version()}/{name}"


@cache
def _static_version() -> str:
    # One for all files, in the path: scripts import each other by their names, and a script that is known by two
    # addresses runs twice.
    contents = (file.read_bytes() for file in sorted(_STATIC.iterdir()) if file.is_file())
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:10]


def call_lines(text: str) -> list[str]:
    """A command, broken before each `&&`, `||`, `|` and `;` so that it can be read. Quoted ones are not told apart."""
    return [part for line in text.splitlines() or [""] for part in _BREAKS.split(line)]


def code(text: str) -> Markup:
    """A sentence whose parts in backticks are code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one that is not closed is only a character
        return Markup.escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else part for place, part in enumerate(parts)
    )


def place(source: str) -> str:
    """A place in a file, as people name it: the file and the line."""
    return short_path(_COLUMN.sub(r"\1", source))


def number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


# --- times -----------------------------------------------------------------------------------------------------


def ago(moment: float, now: float) -> str:
    """How long ago: `12 s ago`, `3 min ago`."""
    seconds = max(0, round(now - moment))
    return f"{_in_units(seconds)} ago"


def lasting(seconds: float) -> str:
    """A time span: `340 ms`, `12 s`, `4 min`."""
    return f"{round(seconds * 1000)} ms" if seconds < 1 else _in_units(round(seconds))


def _in_units(seconds: int) -> str:
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def clock_time(moment: float) -> str:
    return f"{_local(moment):%H:%M:%S}"


def moment(at: float, now: float) -> str:
    """A moment as people write it: the time alone if it is today, the day too if it is not."""
    then = _local(at)
    return f"{then:%H:%M}" if then.date() == _local(now).date() else f"{then:%-d %b %H:%M}"


def iso(moment: float) -> str:
    return _local(moment).isoformat(timespec="seconds")


def _local(moment: float) -> datetime:
    return datetime.fromtimestamp(moment).astimezone()


def short_path(path: str) -> str:
    """A path as people write it: `~` for the home folder, and `packs/` for what is shipped with Interlock."""
    if path.startswith(_PACKS):
        return f"packs/{path.removeprefix(_PACKS)}"
    home = str(Path.home())
    return f"~{path.removeprefix(home)}" if path == home or path.startswith(f"{home}/") else path
