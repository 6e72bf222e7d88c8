"""A hook for 28-own-hooks.yaml: the lines of a refund must add up, which a rule could not say as plainly."""

from collections.abc import Iterator
from typing import Any

from interlock import deny, hook


@hook("PreToolUse", tool="process_refund")
def lines_add_up(call: Any) -> Iterator[Any]:
    lines = call.input.get("lines", [])
    total = sum(line["amount"] for line in lines)
    if lines and total != call.input["amount"]:
        yield deny(f"The lines come to ${total}, the refund to ${call.input['amount']}. Correct one of them.")
    for number, line in enumerate(lines, 1):
        if line["amount"] <= 0:
            yield deny(f"Line {number} refunds ${line['amount']}. Leave it out.")
