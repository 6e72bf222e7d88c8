"""Names that one command finds and hands to another: what the second one does to them is known."""

from __future__ import annotations

import pytest

from tests.policy.builders import decide

KEYS = "rules: [{id: r, path: {delete: /etc/ssh/**}, deny: stop}]"
FINDERS = {
    "find /etc/ssh": "deny",
    "find /etc/ssh -type f": "deny",
    "find /etc": "deny",
    "find /": "deny",
    "find /etc/ssh/keys": "deny",
    "find /etc/ssh -name '*.key'": "deny",
    "find /srv": None,
    "find /etc/ssl": None,
    "find /etc/sshd -type f": None,
    "find .": None,
}


@pytest.mark.parametrize(("finder", "decision"), FINDERS.items())
@pytest.mark.parametrize(
    "line",
    [
        "{} | xargs rm",
        "{} | xargs -0 rm -f",
        "{} | xargs -I{{}} rm {{}}",
        "{} | sort | xargs rm",
        "{} | while read f; do rm $f; done",
        "rm $({})",
        "for f in $({}); do rm $f; done",
        "{} -delete",
        "{} -exec rm {{}} \\;",
        "{} -exec rm {{}} +",
    ],
)
def test_what_is_found_and_deleted_is_caught_by_a_rule_on_its_folder(line: str, finder: str, decision: str | None):
    assert decide(KEYS, line.format(finder)) == decision


@pytest.mark.parametrize("line", ["find /etc/ssh | xargs cat", "find /etc/ssh | xargs ls -l", "find /etc/ssh | wc -l"])
def test_what_is_found_and_only_looked_at_is_not_deleted(line: str):
    assert decide(KEYS, line) is None
