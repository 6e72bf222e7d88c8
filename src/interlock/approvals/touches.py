"""What a call touches, in the words of the person who decides: what cannot be taken back comes first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import Struct

__all__ = ["Touch", "touches_of"]

JsonObject: TypeAlias = dict[str, Any]


class Touch(Struct, frozen=True):
    """Things that a call touches in one way. `is_loud`: it cannot be taken back."""

    kind: str
    values: tuple[str, ...]
    is_loud: bool = False


# By what a command does: a verb, and what it is done to. Traits that only describe how a command works are not here.
_LOUD_DEEDS = {
    "git/discards-work": ("discards", "unsaved work"),
    "git/rewrites-history": ("rewrites", "history"),
    "git/force-publishes": ("overwrites", "published history"),
    "git/deletes-remote": ("deletes", "a branch or tag on the server"),
    "git/deletes-branch": ("deletes", "a branch, tag or stash"),
    "git/expires": ("deletes", "what could restore lost work"),
    "shreds": ("shreds", "data"),
    "formats-disk": ("overwrites", "a disk"),
    "database/drops": ("drops", "tables or databases"),
    "database/deletes": ("deletes", "rows"),
    "database/restores": ("overwrites", "a database"),
    "publishes-package": ("publishes", "a package"),
    "infra/destroys": ("destroys", "infrastructure"),
    "cloud/deletes": ("deletes", "cloud resources"),
    "cluster/deletes": ("deletes", "objects of the cluster"),
    "forge/deletes": ("deletes", "something in the forge"),
    "container/prunes": ("removes", "everything not in use"),
    "network/deletes": ("deletes", "something in a service"),
    "log-wiped": ("deletes", "logs"),
    "sends-stdin": ("sends", "its input"),
    "reads-secret": ("shows", "a credential"),
}
_DEEDS = {
    "git/publishes": ("publishes", "commits"),
    "forge/merges": ("merges", "a pull request"),
    "forge/writes": ("changes", "the forge"),
    "infra/applies": ("changes", "infrastructure"),
    "cloud/deploys": ("deploys", "to the cloud"),
    "cloud/changes": ("changes", "cloud resources"),
    "cloud/access": ("changes", "who may do what"),
    "cluster/changes": ("changes", "the cluster"),
    "container/removes": ("removes", "containers or images"),
    "database/writes": ("writes", "to a database"),
    "installs-package": ("installs", "packages"),
    "removes-package": ("removes", "packages"),
    "privilege": ("acts as", "another user"),
    "kills": ("ends", "processes"),
    "security-off": ("weakens", "a protection"),
    "executes-download": ("runs", "what it downloads"),
}
_LOUD_THINGS = {"deletes": "deletes", "sends": "sends"}
_THINGS = {"writes": "writes", "creates": "creates", "hosts": "reaches", "runs": "runs", "reads": "reads"}


def touches_of(shown: JsonObject) -> list[Touch]:
    """What a request's `touches` say, in the order in which a person should read it."""
    traits = shown.get("does") or ()
    return [
        *_things(shown, _LOUD_THINGS, is_loud=True),
        *_deeds(traits, _LOUD_DEEDS, is_loud=True),
        *_deeds(traits, _DEEDS),
        *_things(shown, _THINGS),
    ]


def _things(shown: JsonObject, kinds: dict[str, str], *, is_loud: bool = False) -> Iterable[Touch]:
    for name, label in kinds.items():
        if values := shown.get(name):
            yield Touch(label, tuple(str(one) for one in values), is_loud)


def _deeds(traits: Iterable[str], deeds: dict[str, tuple[str, str]], *, is_loud: bool = False) -> Iterable[Touch]:
    objects: dict[str, list[str]] = {}
    for trait, (verb, what) in deeds.items():
        if trait in traits:
            objects.setdefault(verb, []).append(what)
    return (Touch(verb, tuple(what), is_loud) for verb, what in objects.items())
