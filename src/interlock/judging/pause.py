"""The pause, with which a person lets everything pass for a while."""

from __future__ import annotations

import os
import time
from pathlib import Path

from msgspec import DecodeError, Struct, json

from interlock.config.places import state_folder
from interlock.files.atomic import write_atomically
from interlock.fold import Answers, Round
from interlock.policy.situation import Situation
from interlock.verdict import Opinion

__all__ = ["LONGEST_PAUSE", "Pause"]

LONGEST_PAUSE = 8 * 3600.0  # a working day: a forgotten pause must end without anyone thinking of it
_OTHERS_WRITE = 0o022


class Pause(Struct):
    """Until when everything passes, and who said so."""

    until: float
    by: str

    @staticmethod
    def file() -> Path:
        return state_folder() / "pause.json"

    @classmethod
    def now(cls) -> Pause | None:
        """The pause in force now, if any. A file that cannot be read, or that others may write, does not count."""
        try:
            with cls.file().open("rb") as file:
                about = os.fstat(file.fileno())
                # Another user of the machine must not be able to pause this person's guard.
                if about.st_uid not in (os.getuid(), 0) or about.st_mode & _OTHERS_WRITE:
                    return None
                found = json.decode(file.read(), type=cls)
        except (OSError, DecodeError):
            return None
        return found if 0 < found.until - time.time() <= LONGEST_PAUSE else None

    def start(self) -> None:
        write_atomically(self.file(), json.encode(self))

    @classmethod
    def end(cls) -> None:
        cls.file().unlink(missing_ok=True)

    def ask(self, situation: Situation, round_: Round) -> Answers:
        left = max(1, round((self.until - time.time()) / 60))
        return {0: (Opinion(by="pause", notice=f"Interlock is paused by {self.by} for {left} more minutes."),)}
