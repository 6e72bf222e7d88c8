"""Where policies are, which layer they are, and what is trusted."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import DecodeError, Struct, json
from msgspec.structs import replace

from interlock.policy.load import Policy, load_policy
from interlock.policy.rule import Rule
from interlock.private import private_folder
from interlock.source import InterlockError, did_you_mean

__all__ = [
    "LOCAL_NAME",
    "POLICY_NAME",
    "Bundle",
    "Layer",
    "Layered",
    "Trust",
    "bundle_of",
    "candidates",
    "core_policy",
    "data_folder",
    "find_pack",
    "layers_of",
    "load_file",
    "own_files",
    "own_files_policy",
    "programs_of",
    "project_root",
    "socket_path",
    "state_folder",
    "without_trust",
]

Layer: TypeAlias = Literal["core", "managed", "user", "project", "local", "given"]
POLICY_NAME = "interlock.yaml"
LOCAL_NAME = "interlock.local.yaml"
MANAGED = Path("/etc/interlock/policy.yaml")
_PACKS = Path(__file__).parent / "packs"


class Layered(Struct, frozen=True):
    """A policy with the layer it stands in."""

    layer: Layer
    policy: Policy
    trusted: bool

    @property
    def in_force(self) -> Policy:
        """What of it acts: before a person has trusted it, deny and ask only."""
        return self.policy if self.trusted else without_trust(self.policy)


def state_folder() -> Path:
    """Where records, state and trust are kept. Not taken from the environment: a project's settings can set that."""
    return Path.home() / ".local" / "state" / "interlock"


def data_folder() -> Path:
    """Where it is remembered that there is a record, apart from the record itself."""
    return Path.home() / ".local" / "share" / "interlock"


def socket_path() -> Path:
    """Where the daemon of this installation listens. Another installation, of another version perhaps, has its own."""
    package = hashlib.sha256(str(Path(__file__).resolve().parent).encode()).hexdigest()[:12]
    return state_folder() / "run" / package / "socket"


def user_policy() -> Path:
    return Path.home() / ".config" / "interlock" / "policy.yaml"


def project_root(start: Path) -> Path:
    """The folder whose policy holds at `start`.

    Within a repository the outermost that has one, so that a policy further in cannot take its place; else the nearest
    further up, else the repository's root, or `start` itself.
    """
    start = start.resolve()
    if "�" in (named := os.fsencode(start).decode("utf-8", "replace")) and named != str(start):
        shown = os.fsencode(start).decode("utf-8", "backslashreplace")
        raise InterlockError(f"the folder `{shown}` has a name that is not valid UTF-8", help="rename the folder")
    above = (start, *start.parents)
    repository = next((folder for folder in above if (folder / ".git").exists()), None)
    if repository is not None:
        inside = [folder for folder in above if folder.is_relative_to(repository) and (folder / POLICY_NAME).exists()]
        if inside:
            return inside[-1]
    return next((folder for folder in above if (folder / POLICY_NAME).exists()), repository or start)


def find_pack(name: str, used_in: str) -> tuple[str, bytes]:
    """A pack's file and text: shipped by name, or a file beside the policy that uses it."""
    file = _own_pack(name, used_in)
    if file is None:
        file = _PACKS / f"{name}.yaml"
        if not file.is_file():
            known = sorted(path.stem for path in _PACKS.glob("*.yaml"))
            raise InterlockError(
                f"there is no pack `{name}`", help=did_you_mean(name, known, f"packs: {', '.join(known)}")
            )
    return str(file), _read(file)


_loaded: dict[str, tuple[dict[str, bytes], Policy]] = {}


def load_file(file: Path) -> Policy:
    """The policy in a file. Raises InterlockError with every error of it.

    One whose text, and that of every pack it uses, is as it was when it was last loaded here is not read again.
    """
    known = _loaded.get(str(file))
    if known is not None and all(_read(Path(name)) == text for name, text in known[0].items()):
        return known[1]
    texts = {str(file): _read(file)}

    def find(name: str, used_in: str) -> tuple[str, bytes]:
        place, text = find_pack(name, used_in)
        texts[place] = text
        return place, text

    policy = load_policy(texts[str(file)], str(file), find)
    _loaded[str(file)] = (texts, policy)
    return policy


def candidates(project: Path) -> tuple[tuple[Layer, Path], ...]:
    """Where the policies of a project may be, the lowest layer first."""
    return (
        ("local", project / LOCAL_NAME),
        ("project", project / POLICY_NAME),
        ("user", user_policy()),
        ("managed", MANAGED),
    )


def core_policy() -> Policy:
    """The built-in rules that always hold."""
    return load_file(_PACKS / "core.yaml")


@lru_cache(maxsize=256)
def own_files_policy(files: tuple[str, ...]) -> Policy:
    """A built-in policy that denies agents to write the very files that the policies in force are made of."""
    # A character that means something in a glob stands for any: one file too many is the safe mistake.
    globs = [re.sub(r"[*?\[\]{}$]", "?", file) for file in dict.fromkeys(files)]
    deny = "The policy is made of ${match.path}, among others. Say what you need changed; a person does it."
    rule = {"id": "own-files", "path": {"write": globs}, "deny": deny}
    text = json.encode({"version": 1, "rules": [rule]})
    return load_policy(text, f"{_PACKS}/core.yaml (own files)", find_pack)


def own_files(policies: Sequence[Policy]) -> tuple[str, ...]:
    """The files that policies name and run, and this package itself."""
    found = [f"{Path(__file__).resolve().parent}/"]
    for policy in policies:
        folder = Path(policy.file).parent
        found += [str((folder / name).absolute()) for name, _ in policy.hook_files]
        found += [str((folder / name).absolute()) for name in programs_of(policy)]
    return tuple(found)


def layers_of(project: Path, given: Path | None = None) -> Iterator[Layered]:
    """The policies that hold in a project, the lowest layer first. One named by a person stands alone beside `core`."""
    if given is not None:
        yield Layered("given", load_file(given), trusted=True)
    else:
        trust = Trust()
        for layer, file in candidates(project):
            if file.is_file():
                yield Layered(layer, load_file(file), trusted=layer in ("user", "managed") or trust.holds(file))
    yield Layered("core", core_policy(), trusted=True)


def without_trust(policy: Policy) -> Policy:
    """What a policy may contribute before a person has trusted it: deny and ask, no allow, no code."""
    rules = tuple((kept, language) for rule, language in policy.rules if (kept := _restricting(rule)) is not None)
    untrusted = f"{policy.digest} untrusted"
    return replace(policy, rules=rules, tools={}, hook_files=(), externals=(), brief=False, digest=untrusted)


def _restricting(rule: Rule) -> Rule | None:
    """A rule without what needs trust; one that is left with nothing still marks, for those that count it."""
    if rule.decision in ("allow", "defer") or rule.run is not None:
        return None
    bare = replace(rule, change=None, quiet=None, output=None, set=None, context=None, notify=None)
    return replace(bare, on_error="deny")


# Policies that were made of bundles in this process, so that what is read to be compared is not read twice.
_made: dict[tuple[str, frozenset[tuple[str, bytes]]], Policy] = {}
_MOST_MADE = 64


class Bundle(Struct, frozen=True):
    """A policy file with everything it brings in that is not shipped: its own packs and hook files, as they are."""

    file: str
    files: dict[str, bytes]

    def policy(self) -> Policy:
        """The policy as it was when the bundle was made, whatever the files hold now."""
        made = _made.get(self._key())
        return made if made is not None else self._keep(load_policy(self.files[self.file], self.file, self._find))

    def _key(self) -> tuple[str, frozenset[tuple[str, bytes]]]:
        return self.file, frozenset(self.files.items())

    def _keep(self, policy: Policy) -> Policy:
        while len(_made) >= _MOST_MADE:
            del _made[next(iter(_made))]
        _made[self._key()] = policy
        return policy

    def _find(self, name: str, used_in: str) -> tuple[str, bytes]:
        file = _own_pack(name, used_in)
        if file is None:
            return find_pack(name, used_in)
        if str(file) not in self.files:
            raise InterlockError(f"the pack `{file}` was not there")
        return str(file), self.files[str(file)]

    def text(self) -> str:
        """All of it as one text, for a person to read."""
        parts = [self.files[self.file].decode("utf-8", "replace")]
        for name, body in sorted(self.files.items()):
            if name != self.file:
                parts.append(f"# --- {name}\n{body.decode('utf-8', 'replace')}")
        return "\n".join(parts)


def bundle_of(file: Path) -> Bundle:
    """Read a policy file and everything it names. Raises InterlockError if it does not load."""
    file = file.absolute()
    found: dict[str, bytes] = {str(file): _read(file)}

    def find(name: str, used_in: str) -> tuple[str, bytes]:
        place, text = find_pack(name, used_in)
        if _own_pack(name, used_in) is not None:
            found[place] = text
        return place, text

    policy = load_policy(found[str(file)], str(file), find)
    for named in [hook for hook, _ in policy.hook_files] + programs_of(policy):
        path = (file.parent / named).resolve()
        found[str(path)] = _read(path)
    bundle = Bundle(str(file), found)
    bundle._keep(policy)
    return bundle


def programs_of(policy: Policy) -> list[str]:
    """The programs beside the policy that it runs: who changes them changes what it does."""
    lines = [hook.run for hook in policy.externals]
    lines += [
        rule.run.command for rule, _ in policy.rules if rule.run is not None and isinstance(rule.run.command, str)
    ]
    words = [line.split()[0] if isinstance(line, str) and line.split() else line[0] for line in lines if line]
    return [word for word in words if isinstance(word, str) and word.startswith(("./", "../"))]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InterlockError(f"cannot read `{file}`: {error.strerror}") from error


def _own_pack(name: str, used_in: str) -> Path | None:
    return (Path(used_in).parent / name).resolve() if name.startswith(("./", "../", "/")) else None


class Trust:
    """Which versions of which policy files a person has trusted, with all they brought in."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_folder() / "trusted"

    def holds(self, file: Path) -> bool:
        """Whether the file, with all it brings in, is as it was when it was trusted."""
        kept = self.kept(file)
        try:
            return kept is not None and kept == bundle_of(file)
        except InterlockError:
            return False

    def kept(self, file: Path) -> Bundle | None:
        """What was trusted last."""
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
        """Trust exactly this, and not what the files may hold by now."""
        place = self.place(Path(bundle.file))
        text = json.encode(bundle)
        try:
            if place.is_file() and place.read_bytes() == text:
                return
            private_folder(self._folder)
            new = place.with_suffix(f".{os.getpid()}")
            new.write_bytes(text)
            new.replace(place)
        except OSError as error:
            raise InterlockError(f"cannot keep what is trusted in `{place}`: {error.strerror}") from error

    def forget(self, file: Path) -> None:
        self.place(file).unlink(missing_ok=True)

    def place(self, file: Path) -> Path:
        """Where it is kept what was trusted of a file."""
        return self._folder / f"{hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:32]}.json"
