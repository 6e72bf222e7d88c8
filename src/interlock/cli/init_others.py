"""`interlock init --host …` where Claude Code is not among them: a policy if there is none, and the agents' entries."""

from __future__ import annotations

from pathlib import Path

from interlock.cli.agreement import agree
from interlock.cli.common import as_json as to_json
from interlock.cli.common import say
from interlock.cli.host_setup import HostsPart, show_steps
from interlock.cli.screen import rows_of, say_kept, short, show_details, show_rows
from interlock.config.trust import Trust
from interlock.errors import InterlockError
from interlock.hosts.claude_code.installer import Plan, apply_policy

__all__ = ["init_others"]


def init_others(
    others: HostsPart, policy: Plan, root: Path, about: str, *, yes: bool, dry_run: bool, show_diff: bool, as_json: bool
) -> None:
    """`about`: what a new policy is."""
    is_empty = others.is_empty and policy.is_empty
    if as_json:
        goes_on = not dry_run and (is_empty or yes)
        steps: list[str] = []
        if goes_on:
            apply_policy(policy)
            steps = others.write(root, quiet=True)[0]
        changes = [str(change.path) for change in policy.changes]
        say(to_json({"policy": changes, "others": {**others.describe(), "steps": steps}, "written": goes_on}))
        if not goes_on and not dry_run:
            raise InterlockError("nothing was written", help="look at the change and add --yes")
        return
    if is_empty:
        say("everything is in place")
        show_rows("", others.rows(root))
        if not dry_run:
            show_steps(others.write(root)[0])
        return
    if show_diff:
        _show_all(others, policy)
    show_rows(
        f"Interlock will judge every call of {others.whom()}:", [*rows_of(policy, root, about), *others.rows(root)]
    )
    if dry_run:
        return
    agree(yes, details=None if show_diff else lambda: _show_all(others, policy))
    kept = apply_policy(policy)
    trusted = {file for file in policy.trusted if Trust().holds(file)}
    for change in policy.changes:
        say(f"wrote {short(change.path, root)}{' and trusted it' if change.path in trusted else ''}")
    say_kept(kept, root)
    steps = others.write(root)[0]
    show_steps(steps)
    then = "After that, every" if steps else "Every"
    names = ",".join(host.name for host in others.hosts)
    show_rows(f"{then} call is judged from the next session on. To see it work: interlock doctor --host {names}", [])


def _show_all(others: HostsPart, policy: Plan) -> None:
    show_details(policy, ())
    others.show_details()
