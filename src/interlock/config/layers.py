"""The layers, where the policy of each one is, and which files the policies in force are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct, json

from interlock.config import places
from interlock.config.bundles import PACKS, core_policy, find_pack, load_file, programs_of
from interlock.config.places import LOCAL_NAME, PACKAGE, POLICY_NAME, user_policy
from interlock.config.trust import Trust, without_trust
from interlock.policy.load import Policy, load_policy

__all__ = ["Layer", "PolicyLayer", "candidates", "layers_of", "own_files", "own_files_policy"]

Layer: TypeAlias = Literal["core", "managed", "user", "project", "local", "given"]


class PolicyLayer(Struct, frozen=True):
    """A policy and the layer it belongs to."""

    layer: Layer
    policy: Policy
    trusted: bool

    @property
    def in_force(self) -> Policy:
        """The part of the policy that acts: only deny and ask until a person has trusted it."""
        return self.policy if self.trusted else without_trust(self.policy)


def candidates(project: Path) -> tuple[tuple[Layer, Path], ...]:
    """Where the policies of a project may be, the lowest layer first."""
    # All of them are in force at once: a layer can only make things stricter, so a low one cannot weaken a higher one.
    return (
        ("local", project / LOCAL_NAME),
        ("project", project / POLICY_NAME),
        ("user", user_policy()),
        ("managed", places.MANAGED),
    )


def layers_of(project: Path, given: Path | None = None) -> Iterator[PolicyLayer]:
    """The policies that apply in a project, the lowest layer first. One that a person names replaces all but `core`."""
    if given is not None:
        yield PolicyLayer("given", load_file(given), trusted=True)
    else:
        trust = Trust()
        for layer, file in candidates(project):
            if file.is_file():
                yield PolicyLayer(layer, load_file(file), trusted=layer in ("user", "managed") or trust.holds(file))
    yield PolicyLayer("core", core_policy(), trusted=True)


@lru_cache(maxsize=256)
def own_files_policy(files: tuple[str, ...]) -> Policy:
    """A built-in policy that keeps agents from writing the files that the policies in force are made of."""
    # A character with a meaning in globs is replaced by `?`: protecting one file too many is the safe mistake.
    globs = [re.sub(r"[*?\[\]{}$]", "?", file) for file in dict.fromkeys(files)]
    deny = (
        "The policy in force uses ${match.path}, and only people may change it. "
        "Ask the user to make the change you need."
    )
    rule = {"id": "own-files", "path": {"write": globs}, "deny": deny}
    text = json.encode({"version": 1, "rules": [rule]})
    return load_policy(text, f"{PACKS}/core.yaml (own files)", find_pack)


def own_files(policies: Sequence[Policy]) -> tuple[str, ...]:
    """The files that policies name or run, and this package itself."""
    found = [f"{PACKAGE.resolve()}/"]
    for policy in policies:
        folder = Path(policy.file).parent
        found += [str((folder / name).absolute()) for name, _ in policy.hook_files]
        found += [str((folder / name).absolute()) for name in programs_of(policy)]
    return tuple(found)
