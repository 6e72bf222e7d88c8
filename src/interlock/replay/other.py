"""The policy that another one is compared with: a file, a shipped pack, or the policy of a git revision."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interlock.config.bundles import PACKS, core_policy, find_pack, load_file
from interlock.errors import InterlockError, did_you_mean
from interlock.files.git import committed_text
from interlock.policy.load import Policy, load_policy

__all__ = ["other_policies"]


def other_policies(name: str, file: Path, acting: Sequence[Policy]) -> tuple[str, Sequence[Policy], Sequence[Policy]]:
    """What `name` means, its policies, and the policies to compare them with. Raises InterlockError.

    A revision is that of one file, so it is compared with this file alone and not with all policies that apply.
    """
    place = Path(name)
    if place.is_file():
        return name, [load_file(place), core_policy()], acting
    if (PACKS / f"{name}.yaml").is_file():
        pack, text = find_pack(name, "")
        return f"pack {name}", [load_policy(text, pack, find_pack), core_policy()], acting
    committed = committed_text(file, name)
    if committed is None:
        packs = sorted(path.stem for path in PACKS.glob("*.yaml"))
        help = did_you_mean(name, packs, f"packs: {', '.join(packs)}")
        message = f"`{name}` is neither a policy file nor a pack nor a git revision that contains {file.name}"
        raise InterlockError(message, help=help)
    then = load_policy(committed, str(file), find_pack)
    return f"{file.name} at {name}", [then, core_policy()], [load_file(file), core_policy()]
