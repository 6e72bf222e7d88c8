"""Which versions of which policy files a person has trusted, and what a policy may do before that."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from msgspec import DecodeError, json
from msgspec.structs import replace

from interlock.config.bundles import Bundle, bundle_of
from interlock.config.places import state_folder
from interlock.errors import InterlockError
from interlock.files.atomic import write_atomically
from interlock.policy.load import Policy
from interlock.policy.rule import Rule

__all__ = ["Trust", "without_trust"]


class Trust:
    """The versions of policy files that a person has trusted, each with all the files it uses."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_folder() / "trusted"

    def holds(self, file: Path) -> bool:
        """Whether the file and everything it uses are as they were when it was trusted."""
        kept = self.kept(file)
        try:
            return kept is not None and kept == bundle_of(file)
        except InterlockError:
            return False

    def kept(self, file: Path) -> Bundle | None:
        """The version that was trusted last."""
        place = self.place(file)
        try:
            return json.decode(place.read_bytes(), type=Bundle)
        except FileNotFoundError:
            return None
        except (OSError, DecodeError) as error:
            raise InterlockError(f"cannot read what was trusted in `{place}`: {error}") from error

    def add(self, file: Path) -> None:
        """Trust a file as it is now."""
        self.keep(bundle_of(file))

    def keep(self, bundle: Bundle) -> None:
        """Trust exactly this bundle, and not what the files may contain by now."""
        place = self.place(Path(bundle.file))
        text = json.encode(bundle)
        try:
            if place.is_file() and place.read_bytes() == text:
                return
            write_atomically(place, text)
        except OSError as error:
            raise InterlockError(f"cannot keep what is trusted in `{place}`: {error.strerror}") from error

    def forget(self, file: Path) -> None:
        self.place(file).unlink(missing_ok=True)

    def place(self, file: Path) -> Path:
        """Where the trusted version of a file is kept."""
        # A digest, because a path may be longer than a file name is allowed to be.
        return self._folder / f"{hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:32]}.json"


def without_trust(policy: Policy) -> Policy:
    """The part of a policy that may act before a person has trusted it: deny and ask, no allow, no code."""
    rules = tuple((kept, language) for rule, language in policy.rules if (kept := _restricting(rule)) is not None)
    untrusted = f"{policy.digest} untrusted"
    return replace(
        policy, rules=rules, tools={}, programs={}, hook_files=(), externals=(), brief=False, digest=untrusted
    )


def _restricting(rule: Rule) -> Rule | None:
    """A rule without the parts that need trust. If no effect is left, it stays as a marker that others may count."""
    if rule.decision in ("allow", "defer") or rule.run is not None:
        return None
    bare = replace(rule, change=None, quiet=None, output=None, set=None, context=None, notify=None)
    return replace(bare, on_error="deny")  # `ignore` would let a clone's rule look like protection and do nothing
