"""The keys `inbox` and `record`: what they take, and what is said about a mistake in them."""

from textwrap import dedent

import pytest

from interlock.config.bundles import find_pack
from interlock.errors import Source
from interlock.policy.inbox_settings import InboxSettings, RecordSettings, Webhook
from interlock.policy.load import load_policy
from interlock.policy.positions import LocatedErrors
from tests.policy.builders import complaints, load, refusal


def test_everything_that_the_keys_take_is_read():
    policy = load(
        """
        inbox:
          wait: 90s
          desktop: true
          webhook:
            url: https://hooks.example.com/x
            secret: ~/.config/interlock/webhook.key
            message: slack
            page: https://approve.example.com/
        record: {keep: 90d}
        """
    )
    assert policy.inbox == InboxSettings(
        wait=90.0,
        desktop=True,
        webhook=Webhook(
            url="https://hooks.example.com/x",
            secret="~/.config/interlock/webhook.key",
            message="slack",
            page="https://approve.example.com/",
        ),
        source=Source("interlock.yaml", 4, 9),
    )
    assert policy.record == RecordSettings(keep=90 * 86_400.0)


def test_what_is_not_said_is_none():
    policy = load("inbox: {}\nrecord: {}\n")
    assert (policy.inbox, policy.record) == (InboxSettings(), RecordSettings())
    assert (load("").inbox, load("").record) == (None, None)


@pytest.mark.parametrize("address", ["https://a.example", "http://127.0.0.1:9/x", "http://localhost", "http://[::1]:8"])
def test_requests_may_be_sent_encrypted_or_to_this_machine(address: str):
    policy = load(f"inbox: {{webhook: {{url: '{address}', secret: /k}}}}")
    assert policy.inbox is not None
    assert policy.inbox.webhook == Webhook(url=address, secret="/k")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("inbox: 5m", "2:8 `inbox` is a text; expected a map; write `inbox: {wait: 5m, desktop: true}`, for example"),
        ("inbox: {wiat: 5m}", "2:9 unknown key `wiat` in `inbox`; did you mean `wait`?"),
        ("inbox: {wait: 5}", "2:15 `wait` is `5`; expected a duration; write `wait: 5s`"),
        ("inbox: {wait: soon}", "2:15 `wait` is `soon`; expected a duration; write 90s, 5m or 1h"),
        ("inbox: {wait: 100ms}", "2:15 `wait` is `100ms`; expected 1s to 24h; write `wait: 8m`, for example"),
        ("inbox: {wait: 25h}", "2:15 `wait` is `25h`; expected 1s to 24h; write `wait: 8m`, for example"),
        (
            "inbox: {desktop: 'yes'}",
            "2:18 `desktop` is a text; expected true or false; write `desktop: true`, or leave it out",
        ),
        (
            "inbox: {webhook: https://a.example}",
            "2:18 `webhook` is a text; expected a map; write `webhook: {url: 'https://…', secret: '~/…'}`",
        ),
        (
            "inbox: {webhook: {secret: /k}}",
            "2:18 `webhook` has no `url`; say where requests are sent: `url: https://…`",
        ),
        (
            "inbox: {webhook: {url: https://a.example}}",
            "2:18 `webhook` has no `secret` to sign its messages with; add `secret: ~/.config/interlock/webhook.key`, "
            "a file with the key",
        ),
        (
            "inbox: {webhook: {url: http://a.example, secret: /k}}",
            "2:24 `url` is not encrypted; http is only for this machine; write `url: https://…`",
        ),
        (
            "inbox: {webhook: {url: http://127.0.0.1.example, secret: /k}}",
            "2:24 `url` is not encrypted; http is only for this machine; write `url: https://…`",
        ),
        (
            "inbox: {webhook: {url: 'https://a:b@c.example', secret: /k}}",
            "2:24 `url` is an address with a password in it, which every proxy on the way writes down; "
            "write `url: https://…`",
        ),
        (
            "inbox: {webhook: {url: 'file:///etc/passwd', secret: /k}}",
            "2:24 `url` is `file:///etc/passwd`; expected an address with https; write `url: https://…`",
        ),
        (
            "inbox: {webhook: {url: 'https://a.example:port', secret: /k}}",
            "2:24 `url` is `https://a.example:port`, which is not an address; write `url: https://…`",
        ),
        (
            "inbox: {webhook: {url: https://a.example, secret: /k, page: shop}}",
            "2:61 `page` is `shop`; expected an address with https; write `page: https://…`",
        ),
        (
            "inbox: {webhook: {url: https://a.example, secret: key.txt}}",
            "2:51 `secret` is `key.txt`; expected the whole path of a file; "
            "write `secret: ~/.config/interlock/webhook.key`, for example",
        ),
        (
            "inbox: {webhook: {url: https://a.example, secret: /k, message: teams}}",
            "2:64 `message` is `teams`; expected one of `json`, `slack`; write `message: json`, for example",
        ),
        ("record: 90d", "2:9 `record` is a text; expected a map; write `record: {keep: 90d}`, for example"),
        ("record: {keep: 5m}", "2:16 `keep` is shorter than a day; write `keep: 90d`, for example"),
        ("record: {keeps: 90d}", "2:10 unknown key `keeps` in `record`; did you mean `keep`?"),
    ],
)
def test_a_mistake_is_named_at_its_place(text: str, told: str):
    assert complaints(text) == [told]


def test_a_message_for_slack_needs_no_key():
    policy = load("inbox: {webhook: {url: https://hooks.example, message: slack}}")
    assert policy.inbox is not None
    assert policy.inbox.webhook == Webhook(url="https://hooks.example", message="slack")


SHARED = """\
version: 1
inbox:
  wait: 5m
  desktop: true
  webhook: {url: https://a.example, secret: /k}
record: {keep: 1d}
"""


def test_a_project_may_say_how_long_calls_wait_and_nothing_else():
    with pytest.raises(LocatedErrors) as caught:
        load_policy(SHARED, "interlock.yaml", find_pack, shared=True)
    assert caught.value.render() == dedent(
        """\
        error: `inbox.desktop` in a project's policy: a project may not choose where calls are sent
         --> interlock.yaml:4:3
          |
        4 |   desktop: true
          |   ^
        help: move it to your own policy, `~/.config/interlock/policy.yaml`

        error: `inbox.webhook` in a project's policy: a project may not choose where calls are sent
         --> interlock.yaml:5:3
          |
        5 |   webhook: {url: https://a.example, secret: /k}
          |   ^
        help: move it to your own policy, `~/.config/interlock/policy.yaml`

        error: `record.keep` in a project's policy: a project may not choose how long the record is kept
         --> interlock.yaml:6:10
          |
        6 | record: {keep: 1d}
          |          ^
        help: move it to your own policy, `~/.config/interlock/policy.yaml`

        3 errors"""
    )


def test_a_pack_has_neither_key(tmp_path):
    (tmp_path / "team.yaml").write_text("version: 1\ninbox: {wait: 1s}\n", encoding="utf-8")
    text = f"version: 1\npacks: [{tmp_path}/team.yaml]\n"
    assert "the pack `team` has the key `inbox`, which only a policy itself may have" in refusal(text)
