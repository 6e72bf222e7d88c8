"""A policy file with everything it names: packs, hook files and programs."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from interlock.config import places
from interlock.config.places import PACKAGE, user_policy
from interlock.errors import InterlockError, did_you_mean
from interlock.policy.load import Policy, load_policy

__all__ = ["PACKS", "Bundle", "bundle_of", "core_policy", "find_pack", "is_personal", "load_file", "programs_of"]

PACKS = PACKAGE / "packs"

# Loading a policy compiles its patterns and expressions, which takes far longer than comparing the text of its files.
_loaded: dict[str, tuple[dict[str, bytes], Policy]] = {}
# Policies that this process has loaded from bundles, so that a bundle read for a comparison is not loaded twice.
_made: dict[tuple[str, frozenset[tuple[str, bytes]]], Policy] = {}
_MOST_MADE = 64  # a daemon lives long and serves many projects


def find_pack(name: str, used_in: str) -> tuple[str, bytes]:
    """A pack's file and text: a shipped pack by its name, or a file by its path from the policy that uses it."""
    file = _own_pack(name, used_in)
    if file is None:
        file = PACKS / f"{name}.yaml"
        if not file.is_file():
            known = sorted(path.stem for path in PACKS.glob("*.yaml"))
            raise InterlockError(
                f"there is no pack `{name}`", help=did_you_mean(name, known, f"packs: {', '.join(known)}")
            )
    return str(file), _read(file)


def load_file(file: Path) -> Policy:
    """The policy in a file. Raises InterlockError with all of its errors.

    If its text and the text of every pack that it uses are as they were, the policy that was loaded last is returned.
    """
    known = _loaded.get(str(file))
    if known is not None and all(_read(Path(name)) == text for name, text in known[0].items()):
        return known[1]
    texts = {str(file): _read(file)}

    def find(name: str, used_in: str) -> tuple[str, bytes]:
        place, text = find_pack(name, used_in)
        texts[place] = text
        return place, text

    policy = load_policy(texts[str(file)], str(file), find, shared=not is_personal(str(file)))
    _loaded[str(file)] = (texts, policy)
    return policy


def core_policy() -> Policy:
    """The built-in rules, which are always in force."""
    return load_file(PACKS / "core.yaml")


def is_personal(file: str) -> bool:
    """Whether a policy file is the person's own or the administrator's, and none that comes with a project."""
    return Path(file).absolute() in (user_policy(), places.MANAGED)


class Bundle(Struct, frozen=True):
    """A policy file with the content of all that it uses and that is not shipped: packs, hook files, programs."""

    file: str
    files: dict[str, bytes]

    def policy(self) -> Policy:
        """The policy as it was when the bundle was made, whatever the files contain now."""
        made = _made.get(self._key())
        return made if made is not None else self._keep(self._load())

    def _load(self) -> Policy:
        return load_policy(self.files[self.file], self.file, self._find, shared=not is_personal(self.file))

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
            raise InterlockError(f"the pack `{file}` did not exist when this policy was trusted")
        return str(file), self.files[str(file)]

    def text(self) -> str:
        """The whole bundle as one text, for a person to read."""
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
        if _own_pack(name, used_in) is not None:  # shipped packs come with the package, which a person installed
            found[place] = text
        return place, text

    policy = load_policy(found[str(file)], str(file), find, shared=not is_personal(str(file)))
    for named in [hook for hook, _ in policy.hook_files] + programs_of(policy):
        path = (file.parent / named).resolve()
        found[str(path)] = _read(path)
    bundle = Bundle(str(file), found)
    bundle._keep(policy)
    return bundle


def programs_of(policy: Policy) -> list[str]:
    """The programs beside the policy that it runs: changing one of them changes what the policy does."""
    # Only paths relative to the policy count: a program on the PATH is not part of what the policy's author wrote.
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
