"""docs/packs.md is true: its table of rules is what is shipped, its policy loads.

`python -m tests.packs.test_page` writes the table anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from interlock.config.bundles import find_pack
from interlock.policy.load import load_policy
from tests.packs.shipped import PACKS, READY, pack

PAGE = Path(__file__).parent.parent.parent / "docs" / "packs.md"
_BLOCK = re.compile(r"(<!-- \[\[\[packs\]\]\].*?-->\n)(.*?)(<!-- \[\[\[end\]\]\] -->)", re.DOTALL)


def table() -> str:
    """Every rule of every pack, in order; of a ready policy those that it adds."""
    rows = []
    for name in (*PACKS, *READY):
        rows += [f"### `{name}`\n", "| rule | does | about |", "|---|---|---|"]
        for rule, _ in pack(name).rules:
            if rule.source.file == pack(name).file:
                decided = rule.decision or ("changes the result" if rule.output is not None else "marks")
                rows.append(f"| `{rule.id}` | {decided} | {rule.about} |")
        rows.append("")
    return "\n".join(rows)


def test_the_table_of_rules_is_what_is_shipped():
    found = _BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[2] == table()


def test_the_policy_on_the_page_loads():
    for text in re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        load_policy(text, "interlock.yaml", find_pack)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_BLOCK.sub(lambda found: found[1] + table() + found[3], text), encoding="utf-8")
