"""What the policies in force say together about the inbox and the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interlock.config import places
from interlock.config.bundles import is_personal, load_file
from interlock.config.places import user_policy
from interlock.policy.inbox_settings import InboxSettings, RecordSettings
from interlock.policy.load import Policy

__all__ = ["inbox_settings", "personal_policies", "record_settings"]


def personal_policies() -> Iterator[Policy]:
    """The person's own policy and the administrator's, as far as they exist. Raises InterlockError if one is broken."""
    # The administrator's comes last: it beats the person's own.
    for file in (user_policy(), places.MANAGED):
        if file.is_file():
            yield load_file(file)


def inbox_settings(policies: Iterable[Policy]) -> InboxSettings:
    """The shortest wait that any policy names, and whom the person's own policy or the administrator's tells."""
    wait, desktop, webhook, source = None, None, None, None
    for policy in policies:
        said = policy.inbox
        if said is None:
            continue
        if said.wait is not None and (wait is None or said.wait < wait):
            wait, source = said.wait, said.source
        # The loader refuses these in a project's file. Here they do not count either, however the file was loaded.
        if is_personal(policy.file):
            desktop = desktop if said.desktop is None else said.desktop
            webhook = webhook if said.webhook is None else said.webhook
    return InboxSettings(wait=wait, desktop=desktop, webhook=webhook, source=source)


def record_settings(policies: Iterable[Policy]) -> RecordSettings:
    """How long the person's own policy or the administrator's has records kept."""
    keep = None
    for policy in policies:
        if policy.record is not None and policy.record.keep is not None and is_personal(policy.file):
            keep = policy.record.keep
    return RecordSettings(keep=keep)
