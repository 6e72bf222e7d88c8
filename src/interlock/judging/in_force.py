"""Which policies apply to a session: if a file is broken, its last good version stays in force."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct, json
from msgspec.structs import replace

from interlock.config.bundles import Bundle, bundle_of, core_policy, load_file
from interlock.config.layers import Layer, candidates
from interlock.config.places import state_folder
from interlock.config.trust import Trust, without_trust
from interlock.errors import InterlockError, Source
from interlock.files.atomic import write_atomically
from interlock.judging.versions import SeenVersions, forget_command
from interlock.policy.load import Policy

__all__ = ["InForce", "policies_in_force"]


class InForce(Struct, frozen=True):
    """The policies that act, the lowest layer first, and what a person should know about them."""

    policies: tuple[Policy, ...]
    notices: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()  # every file that was looked for, including those that do not exist yet


def policies_in_force(project: Path, *, named: Path | None = None, remember: bool = True) -> InForce:
    """The policies of a project now. Raises InterlockError if a file is broken and no good version of it is known.

    With `remember`, a version that is seen for the first time is kept. Commands that only show policies keep nothing.

    A policy that a person `named` is in force alone, with the built-in rules.
    """
    if named is not None:
        return InForce((load_file(named), core_policy()))
    acting: list[Policy] = []
    notices: list[str] = []
    depends: list[str] = []
    for layer, file in candidates(project):
        for policy, notice in _of_layer(layer, file, remember, depends):
            acting.append(policy)
            notices += [notice] if notice else []
    return InForce((*acting, core_policy()), tuple(notices), tuple(depends))


def _of_layer(layer: Layer, file: Path, remember: bool, depends: list[str]) -> list[tuple[Policy, str]]:
    trust, seen = Trust(), SeenVersions(file)
    depends += [str(file), str(trust.place(file)), str(seen.folder)]
    good = trust.kept(file)
    # Once a version is trusted, a person has read the rules, so untrusted versions from before no longer count.
    before = seen.all() if good is None else []
    if not file.is_file():
        why = f"{file} is gone; its last good version is in force (`{forget_command(layer, file)}` drops it)"
        return _earlier(good, before, why)
    try:
        now = bundle_of(file)
    except InterlockError as error:
        why = f"{file} is broken ({error.in_one_line()}); its last good version is in force. Run `interlock check`."
        kept = _earlier(good, before, why)
        if not kept:
            raise
        return kept
    depends += now.files
    if layer in ("user", "managed"):
        # These are the person's own file and the administrator's; neither comes with a clone.
        if remember:
            trust.keep(now)
        return [(now.policy(), "")]
    if good == now:
        return [(now.policy(), "")]
    others = [one for one in before if one != now]
    if remember and good is None and len(others) == len(before):
        seen.keep(now)
    # Stricter rules take effect at once; looser ones wait until a person trusts the change.
    changed = good is not None or bool(others)
    notice = f"{file} changed; until `interlock trust`, only its new deny and ask rules take effect" if changed else ""
    return [*_earlier(good, others, ""), (without_trust(now.policy()), notice)]


def _earlier(good: Bundle | None, before: list[Bundle], notice: str) -> list[tuple[Policy, str]]:
    """What applies from earlier versions: the trusted one, or else deny and ask of every version that was seen."""
    if good is not None:
        return [(_with_kept_hooks(good), notice)]
    return [(without_trust(one.policy()), notice if place == 0 else "") for place, one in enumerate(before)]


def _with_kept_hooks(bundle: Bundle) -> Policy:
    """The trusted policy with copies of its hook files as they were when it was trusted."""
    policy = bundle.policy()
    folder = state_folder() / "hooks" / hashlib.sha256(json.encode(bundle)).hexdigest()[:32]
    laid: list[tuple[str, Source]] = []
    for number, (hook, source) in enumerate(policy.hook_files):
        body = bundle.files[str((Path(bundle.file).parent / hook).resolve())]
        copy = folder / Path(hook).name
        if str(copy) in [place for place, _ in laid]:  # two folders may each have a hook file of this name
            copy = folder / str(number) / copy.name
        if not copy.is_file() or copy.read_bytes() != body:
            write_atomically(copy, body)
        laid.append((str(copy), source))
    return replace(policy, hook_files=tuple(laid))
