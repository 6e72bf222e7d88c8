"""The table: which files are one room, and which tests must notice a change in them.

Files are patterns below `src/interlock`; tests are files or folders below `tests`, those that notice most first.
When a module moves, this table is the only thing to change. A test checks that every pattern finds something.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = ["ROOMS", "Room", "files_of", "mapped_tests"]

_PACKAGE = "src/interlock"
_DIALECT = ("answer", "encode", "envelope", "events", "extras", "fail", "fields", "outputs", "read")


class Room(NamedTuple):
    """Files that belong together, and the tests that must notice a change in any of them."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS: dict[str, Room] = {
    "verdict": Room(
        ("verdict.py", "effect.py"),
        (
            "test_verdict.py",
            "test_effect.py",
            "judging/test_two_speakers.py",
            "fold",
            "test_service.py",
            "hosts",
            "judging",
        ),
    ),
    "fold": Room(
        ("fold/*.py",),
        (
            "fold",
            "judging/test_two_speakers.py",
            "hooks/test_rounds.py",
            "policy/test_changes.py",
            "policy/test_effects.py",
            "judging/test_guard.py",
        ),
    ),
    "judging": Room(
        ("judging/*.py", "service.py", "config/*.py"),
        (
            "judging",
            "config",
            "test_service.py",
            "receipts/test_repeated_events.py",
            "policy/test_functions.py",
            "policy/test_state.py",
            "hooks/test_state_and_rules.py",
            "cli/test_pause.py",
            "cli/test_trust.py",
            "cli/test_lift.py",
            "daemon/test_folders.py",
        ),
    ),
    "receipts": Room(
        ("receipts/*.py",),
        ("receipts", "judging/test_races.py", "test_service.py", "policy/test_state.py", "policy/test_functions.py"),
    ),
    "store": Room(("store/*.py",), ("store", "receipts", "cli/test_log.py", "cli/test_lift.py")),
    "hosts": Room(
        (
            "hosts/base/*.py",
            "hosts/flat/*.py",
            "hosts/mcp/dialect.py",
            *(f"hosts/claude_code/{name}.py" for name in _DIALECT),
        ),
        ("hosts", "spawn/test_late.py", "hooks", "test_service.py", "binding/test_agent_sdk_goldens.py"),
    ),
    "install": Room(
        ("hosts/claude_code/*.py", "hosts/mcp/installer.py", "files/*.py"),
        (
            "hosts/claude_code",
            "files",
            "cli/test_init.py",
            "cli/test_uninstall.py",
            "daemon/test_entry_changes.py",
            "daemon/test_settings_watch.py",
            "judging/test_skills_through_projects.py",
            "binding/mcp/test_wrap.py",
        ),
    ),
    "hooks": Room(("hooks/*.py",), ("hooks", "judging/test_guard.py", "fold/test_redaction.py")),
    "gate": Room(("gate/*.py", "approvals/*.py"), ("gate",)),
    "bindings": Room(
        ("binding/*.py", "binding/mcp/*.py"),
        ("binding",),
    ),
    "paths": Room(
        ("facts/paths.py", "facts/touch.py", "policy/patterns.py", "policy/match.py"),
        ("facts/test_paths.py", "facts/test_gather.py", "facts/test_found.py", "policy", "packs/test_cases.py"),
    ),
    "shell": Room(("facts/shell/*.py",), ("facts/shell", "facts/test_gather.py", "packs/test_cases.py", "facts")),
}


def files_of(room: Room, checkout: Path) -> list[Path]:
    """The files of a room, in a fixed order."""
    package = checkout / _PACKAGE
    return sorted({file for pattern in room.files for file in package.glob(pattern) if file.name != "__init__.py"})


def mapped_tests(room: Room, file: str) -> list[str]:
    """The tests of a room, with those that have a changed file's name first: they are likely to notice soonest."""
    stem = Path(file).stem
    tests = [f"tests/{test}" for test in room.tests]
    return sorted(tests, key=lambda test: stem not in test)
