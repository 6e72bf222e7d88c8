"""What a `git push` goes to: the references of the other repository that it may create, move or delete.

Where git itself would give up, this names what git would have meant: a push that fails does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from interlock.facts.programs.use import Push

__all__ = ["ANY", "Destination", "Repository", "Target", "destination_of", "may_be_both"]

_BRANCHES, _TAGS = "refs/heads/", "refs/tags/"
_CURRENT = frozenset({"HEAD", "@"})
_YES = frozenset({"true", "yes", "on", "1", ""})


class Repository(Struct, frozen=True):
    """What git knows of one repository of this machine.

    `settings` has each key as `git config --list` writes it, with all its values. `refs` are the full names of its
    branches, tags and other references; None if they are not known.
    """

    branch: str = ""  # that is checked out; empty if none is, or nobody knows which
    settings: Mapping[str, tuple[str, ...]] = {}
    refs: frozenset[str] | None = None


class Target(Struct, frozen=True):
    """One reference of the other repository; in `ref`, `*` stands for anything.

    `instead` are other references that may be the one, since git takes a short name for what the other repository has.
    `certain` is false if the push may go somewhere else instead, as when nobody knows which branch is checked out.
    """

    ref: str
    force: bool = False
    delete: bool = False
    instead: tuple[str, ...] = ()
    certain: bool = True


ANY = Target("*", certain=False)


class Destination(Struct, frozen=True):
    """Where a push goes: the names of the other repository, if they are known, and all that it may change there."""

    remotes: tuple[str, ...]
    targets: tuple[Target, ...]
    named: bool = True  # whether `remotes` are all the names that the other repository can have


def destination_of(push: Push, repository: Repository | None, branches: tuple[str, ...] = ()) -> Destination:
    """Where a push goes. `branches` are those that may be checked out by then; none means that nobody knows."""
    return _Reading(push, repository, branches).destination()


class _Reading:
    """One push, read with what is known of its repository."""

    def __init__(self, push: Push, repository: Repository | None, branches: tuple[str, ...]) -> None:
        self._push = push
        self._known = repository is not None and not any("\0" in key for key, _ in push.settings)
        self._refs = repository.refs if repository is not None else None
        self._branches = branches
        self._settings: dict[str, list[str]] = {}
        for key, values in repository.settings.items() if repository is not None else ():
            self._settings.setdefault(key.lower(), []).extend(values)
        for key, value in push.settings:
            self._settings.setdefault(key, []).append(value)
            if key.startswith("include"):
                self._known = False

    def destination(self) -> Destination:
        if self._push.unsure:
            return Destination((), (Target("*", force=True, delete=True, certain=False),), named=False)
        remotes = self._remotes()
        found = dict.fromkeys(target for remote in remotes or ("",) for target in self._targets(remote))
        targets = tuple(target if "*" not in target.ref else replace(target, certain=False) for target in found)
        return Destination(self._names_of(remotes), targets, self._is_named(remotes))

    # --- the other repository --------------------------------------------------------------------------------------

    def _remotes(self) -> tuple[str, ...]:
        """The remote as it is written, or the one that git takes for each branch that may be checked out."""
        if self._push.remote:
            return (self._push.remote,)
        if not self._known or not self._branches:
            return ()
        return tuple(dict.fromkeys(self._remote_of(branch) for branch in self._branches))

    def _remote_of(self, branch: str) -> str:
        for key in (f"branch.{branch}.pushremote", "remote.pushdefault", f"branch.{branch}.remote"):
            if value := self._last(key):
                return value
        names = {key.split(".", 1)[1].rpartition(".")[0] for key in self._settings if key.startswith("remote.")}
        names.discard("")
        return names.pop() if len(names) == 1 else "origin"

    def _names_of(self, remotes: tuple[str, ...]) -> tuple[str, ...]:
        """The remotes by every name that the settings give them."""
        found = dict.fromkeys(remotes)
        for key, values in self._settings.items():
            name, _, last = key.removeprefix("remote.").rpartition(".")
            if key.startswith("remote.") and last in ("url", "pushurl") and set(values) & set(remotes):
                found[name] = None
        return tuple(found)

    def _is_named(self, remotes: tuple[str, ...]) -> bool:
        """An address may be that of any remote; a plain name is one."""
        return bool(remotes) and not any("\0" in one or "/" in one or ":" in one for one in remotes)

    # --- its references --------------------------------------------------------------------------------------------

    def _targets(self, remote: str) -> Iterator[Target]:
        push = self._push
        if push.mirror or self._is_on(f"remote.{remote}.mirror"):
            yield Target("*", force=True, delete=True)
            return
        if push.all:
            yield from self._local_branches(push.force)
        if push.tags or push.follow_tags or self._is_on("push.followtags"):
            yield Target(f"{_TAGS}*", push.force)
        yield from self._words(remote)
        if not (push.refspecs or push.all or push.tags):
            yield from self._default(remote)

    def _words(self, remote: str) -> Iterator[Target]:
        words = iter(self._push.refspecs)
        for word in words:
            if word == "tag":
                yield from self._read(f"{_TAGS}{next(words, chr(0))}", remote)
            else:
                yield from self._read(word, remote)

    def _default(self, remote: str) -> Iterator[Target]:
        """What git pushes if it is told nothing: as the settings say, else the current branch."""
        if not self._known or not self._branches:
            yield Target(ANY.ref, self._push.force)
            return
        given = self._settings.get(f"remote.{remote}.push".lower())
        if given:
            for word in given:
                yield from self._read(word, remote, mapped=True)
            return
        default = (self._last("push.default") or "simple").lower()
        for branch in self._branches:
            if default in ("upstream", "tracking"):
                yield from self._upstream_of(branch)
            elif default == "matching":
                yield from self._local_branches(self._push.force)
            elif default in ("simple", "current", "nothing"):
                yield Target(_BRANCHES + branch, self._push.force, certain=len(self._branches) == 1)
            else:
                yield Target(ANY.ref, self._push.force)

    def _upstream_of(self, branch: str) -> Iterator[Target]:
        for ref in self._settings.get(f"branch.{branch}.merge".lower()) or (_BRANCHES + branch,):
            yield Target(ref, self._push.force, certain=len(self._branches) == 1)

    def _local_branches(self, force: bool) -> Iterator[Target]:
        if self._refs is None:
            yield Target(f"{_BRANCHES}*", force)
            return
        local = {ref for ref in self._refs if ref.startswith(_BRANCHES)} | {_BRANCHES + one for one in self._branches}
        for ref in sorted(local):
            yield Target(ref, force)

    def _read(self, word: str, remote: str, *, mapped: bool = False) -> Iterator[Target]:
        """What one refspec stands for. `mapped`: it is one of the settings, which nothing maps again."""
        plain = word.removeprefix("+")
        force = self._push.force or plain != word
        source, mark, target = plain.partition(":")
        if word.startswith("^"):
            return  # it only leaves something out
        if self._push.delete:
            yield _target(plain, force, delete=True)
        elif not mark:
            yield from self._read_name(source, remote, force, mapped=mapped or plain != word)
        elif not source and not target:
            yield from self._local_branches(force)
        else:
            yield _target(target or source, force, delete=source in ("", "\0"))
            if target.startswith("+"):  # a branch of that very name, and hardly what was meant
                yield _target(target[1:], True, delete=not source)

    def _read_name(self, name: str, remote: str, force: bool, *, mapped: bool) -> Iterator[Target]:
        """A reference by its name alone: it goes to the one of the same name, or where the settings send it."""
        if name in _CURRENT:
            for branch in self._branches or ("*",):
                yield Target(_BRANCHES + branch, force, certain=len(self._branches) == 1)
            return
        found = self._local(name)
        if len(found) == 1 and not mapped:
            sent = list(self._sent_to(found[0], remote, force)) if self._known else []
            if sent:
                yield from sent
                return
        for ref in found:
            yield Target(ref, force)
        if not found:
            yield _target(name, force)

    def _local(self, name: str) -> list[str]:
        """The references of this repository that a name may stand for."""
        if self._refs is None or "\0" in name or "*" in name:
            return []
        forms = dict.fromkeys((name, f"refs/{name}", _TAGS + name, _BRANCHES + name, f"refs/remotes/{name}"))
        return [form for form in forms if form in self._refs]

    def _sent_to(self, ref: str, remote: str, force: bool) -> Iterator[Target]:
        for spec in self._settings.get(f"remote.{remote}.push".lower(), ()):
            source, mark, target = spec.removeprefix("+").partition(":")
            if not mark or not target:
                continue
            head, star, tail = source.partition("*")
            if source == ref or (star and ref.startswith(head) and ref.endswith(tail)):
                middle = ref[len(head) : len(ref) - len(tail)] if star else ""
                yield Target(target.replace("*", middle), force or spec.startswith("+"))
                return
        default = (self._last("push.default") or "").lower()
        if default in ("upstream", "tracking") and ref.startswith(_BRANCHES):
            merged = self._settings.get(f"branch.{ref.removeprefix(_BRANCHES)}.merge".lower(), ())
            if len(merged) == 1:
                yield Target(merged[0], force)

    # --- settings --------------------------------------------------------------------------------------------------

    def _last(self, key: str) -> str:
        values = self._settings.get(key.lower())
        return values[-1] if values else ""

    def _is_on(self, key: str) -> bool:
        return key.lower() in self._settings and self._last(key).lower() in _YES


def _target(name: str, force: bool, *, delete: bool = False) -> Target:
    """The reference that a name means in the other repository. A short one is a branch, unless that has another."""
    ref = name.replace("\0", "*")
    if ref.startswith("refs/"):
        return Target(ref, force, delete)
    if ref in _CURRENT or ref.startswith("*"):
        return Target("*", force, delete)  # HEAD is whatever branch the other repository has checked out
    return Target(_BRANCHES + ref, force, delete, (f"refs/{ref}", _TAGS + ref))


@lru_cache(maxsize=4096)
def may_be_both(first: str, second: str) -> bool:
    """Whether some text fits both patterns: `*` is any run of characters, `?` one."""
    reached = {0}  # places in `second` that can be reached with what was read of `first`
    reached = _past_stars(second, reached)
    for character in first:
        if character == "*":
            reached = set(range(min(reached), len(second) + 1)) if reached else set()
        else:
            stepped = set()
            for place in reached:
                if place < len(second):
                    if second[place] == "*":
                        stepped.add(place)
                    elif character == "?" or second[place] in ("?", character):
                        stepped.add(place + 1)
            reached = _past_stars(second, stepped)
    return len(second) in reached


def _past_stars(pattern: str, places: set[int]) -> set[int]:
    found = set(places)
    for place in places:
        while place < len(pattern) and pattern[place] == "*":
            place += 1
            found.add(place)
    return found
