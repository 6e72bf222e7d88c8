"""Whether people hear of requests, if their own policy says that they want to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from interlock.approvals.desktop import notifier
from interlock.approvals.webhook import SendError, read_key
from interlock.config.places import socket_path
from interlock.config.settings import inbox_settings, personal_policies
from interlock.daemon.control import status_of
from interlock.doctor.finding import Finding, note, ok
from interlock.errors import InterlockError
from interlock.policy.inbox_settings import Webhook

__all__ = ["look"]


def look() -> Iterator[Finding]:
    """What keeps a notice or a message from reaching a person. A call waits for an answer all the same."""
    try:
        settings = inbox_settings(personal_policies())
    except InterlockError:
        return  # the policies are checked elsewhere
    if settings.desktop and notifier(os.environ) is None:
        yield note("requests", "there is no `notify-send` or `osascript` to show notices on the desktop with")
    if settings.webhook is not None:
        yield _webhook(settings.webhook)


def _webhook(webhook: Webhook) -> Finding:
    host = urlsplit(webhook.url).netloc
    try:
        read_key(webhook)
    except SendError as error:
        help = "python -c 'import secrets; print(secrets.token_hex(32))' writes a good key"
        return note("requests", f"nothing can be sent to {host}: {error.message}", help)
    if webhook.secret is not None and (file := Path(webhook.secret).expanduser()).stat().st_mode & 0o077:
        return note("requests", f"others can read the key of the webhook, {file}", f"chmod 600 {file}")
    try:
        status = status_of(socket_path())
    except InterlockError:
        status = None
    if status is not None and status.outreach is not None:
        return note("requests", f"the last message to {host} did not arrive: {status.outreach}")
    return ok("requests", f"messages about them go to {host}")
