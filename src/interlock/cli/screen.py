"""What `init` and `uninstall` put on the screen before they write: a few lines to read, everything on request."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import click

from interlock.cli.common import say, visible
from interlock.files.edit import FileChange
from interlock.hosts.claude_code.entries import is_entry
from interlock.hosts.claude_code.installer import Plan
from interlock.hosts.claude_code.settings_rules import read_settings
from interlock.hosts.claude_code.settings_state import label

__all__ = [
    "MOST_LINES",
    "RACING",
    "Row",
    "beside_row",
    "lines_of_moves",
    "rows_of",
    "say_kept",
    "short",
    "show_details",
    "show_list",
    "show_rows",
]

Row: TypeAlias = tuple[str, str]  # a word for what it is about, and the text

MOST_LINES = 8  # that a person must read before the question
_NARROWEST = 40
_FEW = 2
_LONGEST = 60
RACING = "other hooks run beside Interlock; if two change a call, the last one wins (--adopt moves those of --scope):"


def show_rows(headline: str, rows: Sequence[Row], *, most: int | None = None) -> None:
    """Print a headline and rows, no wider than the terminal; `most` limits the lines, and counts the rows left out."""
    wrapped = [_wrap(word, text) for word, text in rows]
    lines = _wrap_headline(headline) if headline else []
    kept = list(wrapped)
    while most is not None and len(lines) + sum(map(len, kept)) + (len(kept) < len(wrapped)) > most and kept:
        kept.pop()
    for block in kept:
        lines += block
    if left := len(wrapped) - len(kept):
        lines += _wrap("more", f"{left} more {'note' if left == 1 else 'notes'}: answer `d` to read them")
    for line in lines:
        say(line)


def _wrap_headline(text: str) -> list[str]:
    return textwrap.wrap(visible(text), _width(), subsequent_indent="  ")


def show_list(headline: str, items: Sequence[str]) -> None:
    """Print a headline and numbered items, no wider than the terminal."""
    lines = _wrap_headline(headline)
    for number, text in enumerate(items, 1):
        lines += _wrap_after(f"  {number}. ", text)
    for line in lines:
        say(line)


def _wrap(word: str, text: str) -> list[str]:
    return _wrap_after(f"  {word:<8} ", text)


def _wrap_after(lead: str, text: str) -> list[str]:
    blank = " " * len(lead)
    return textwrap.wrap(visible(text), _width(), initial_indent=lead, subsequent_indent=blank, break_on_hyphens=False)


def _width() -> int:
    """How wide a line may be: as the terminal, or without a limit if the text goes somewhere else."""
    if not sys.stdout.isatty():
        return sys.maxsize
    return max(shutil.get_terminal_size().columns, _NARROWEST)


def short(path: Path | str, root: Path) -> str:
    """A path as a person would write it: from the project's folder, or from their home."""
    path = Path(path)
    for folder, lead in ((root, ""), (Path.home(), "~/")):
        if path != folder and path.is_relative_to(folder):
            return f"{lead}{path.relative_to(folder)}"
    return str(path)


def rows_of(plan: Plan, root: Path, starts_with: str = "") -> list[Row]:
    """The rows about one plan: which files change and how, what keeps the entries from running, which hooks move.

    `starts_with` says what a new policy is.
    """
    rows = [_row_of(change, plan, root, starts_with) for change in plan.changes]
    rows += [
        ("problem", with_short_paths(f"Interlock's entries would not all run: {why}", root)) for why in plan.hindered
    ]
    moves = lines_of_moves(plan)
    if moves:
        where = " into the policy, where they run in order" if plan.installs else ", into the settings"
        rows.append(("moved" if plan.installs else "put back", f"{_count(moves, 'hook')}{where}: {_few(moves)}"))
    rows += [("stays", with_short_paths(line, root)) for line in _by_reason(plan.stays)]
    return rows


def _by_reason(stays: Sequence[str]) -> list[str]:
    """Hooks that stay in the same file for the same reason, on one line."""
    groups: dict[str, list[str]] = {}
    for line in stays:
        hook, _, why = line.partition(" stays in ")
        groups.setdefault(why, []).append(hook)
    return [
        f"{hooks[0]} stays in {why}" if len(hooks) == 1 else f"{_count(hooks, 'hook')} stay in {why}"
        for why, hooks in groups.items()
    ]


def with_short_paths(text: str, root: Path) -> str:
    """A text with the paths in it as a person would write them."""
    return text.replace(f"{root}/", "").replace(f"{Path.home()}/", "~/")


def _row_of(change: FileChange, plan: Plan, root: Path, starts_with: str) -> Row:
    name = short(change.path, root)
    if change.after is None:
        return "removed", f"{name}: nothing is left in it"
    if change.path != plan.settings:
        return ("new" if change.before is None else "changed"), f"{name}{_about_policy(change, plan, starts_with)}"
    was, now = _entries_in(change.before, name), _entries_in(change.after, name)
    if plan.installs:
        what = _count(now - was, "entry") if now - was else "without the hooks that move"
    else:
        what = f"without {_count(was - now, 'entry')}"
    if change.before is None:
        return "new", f"{name}: {what} for Claude Code"
    return "changed", f"{name}: {what}; the rest stays as it is"


def _about_policy(change: FileChange, plan: Plan, starts_with: str) -> str:
    if _is_put_aside(change.path):
        return ": the policy that was there"
    if not plan.installs:
        return ": without the hooks that were adopted"
    starts = change.before is None or any(_is_put_aside(other.path) for other in plan.changes)
    return f": {starts_with}" if starts else ": with the hooks that move"


def _is_put_aside(path: Path) -> bool:
    return ".before" in path.suffixes


def _entries_in(raw: bytes | None, file: str) -> frozenset[str]:
    hooks = read_settings(raw, file).hooks if raw is not None else ()
    return frozenset(f"{hook.event} {hook.handler}" for hook in hooks if is_entry(hook.event, hook.handler))


def _count(things: Sequence[object] | frozenset[str], noun: str) -> str:
    plural = {"entry": "entries"}.get(noun, f"{noun}s")
    return f"{len(things)} {noun if len(things) == 1 else plural}"


def _few(lines: Sequence[str]) -> str:
    """The first of some lines, each cut short."""
    cut = [line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…" for line in lines[:_FEW]]
    return "; ".join(cut) + ("; …" if len(lines) > _FEW else "")


def beside_row(plan: Plan, adopt: bool) -> list[Row]:
    """The hooks of other programs that would run at the same time."""
    found = [str(hook).rpartition(" [")[0] for hook in plan.afterwards.beside]
    if not found:
        return []
    offer = "" if adopt else " (--adopt moves hooks into the policy)"
    return [("beside", f"{_count(found, 'other hook')}{offer}: {_few(found)}")]


def say_kept(copies: Iterable[Path], root: Path) -> None:
    """Say in which folder the earlier versions of files are. The whole paths would not fit on a line."""
    for folder in dict.fromkeys(short(copy.parent.parent, root) for copy in copies):
        say(visible(f"kept the previous version under {folder}"))


def show_details(plan: Plan, notes: Iterable[str]) -> None:
    """Print everything about a plan: each line that changes, each hook, and each note."""
    for line in plan.diff().splitlines():
        click.echo(click.style(visible(line), fg={"+": "green", "-": "red"}.get(line[:1])))
    if plan.installs:
        _print_list("adopted into the policy:", lines_of_moves(plan))
        _print_list("not adopted:", plan.stays)
        _print_list(RACING, [str(hook) for hook in plan.afterwards.beside])
    else:
        _print_list("put back:", lines_of_moves(plan))
    for note in notes:
        say(visible(f"note: {note}"))
    for why in plan.hindered:
        say(visible(f"note: Interlock's entries would not all run: {why}"))


def lines_of_moves(plan: Plan) -> list[str]:
    """The hooks that move, one on each line."""
    return [f"{hook.event}: {label(hook.handler)}" for hook in plan.adopted]


def _print_list(title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        say(title)
        for line in found:
            say(visible(f"  {line}"))
