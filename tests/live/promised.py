"""What Interlock makes of a hook program's answer, whichever host it guards: one table for all of them.

The rows are those of `tests/live/observed.py`, which says what the hosts do with the same answers by themselves: no two
of them agree, and most run some call that the hook meant to refuse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

HOOK = "because of the hook"  # how the hook's own words begin, in `rows.text_of`

CallFate: TypeAlias = Literal["refused", "made safe", "runs"]
ResultFate: TypeAlias = Literal["hidden", "told", "kept"]
PromptFate: TypeAlias = Literal["refused", "told", "passes"]


@dataclass(frozen=True)
class Promise:
    """What becomes of a call, and the words that the model reads if it is refused.

    `made safe`: only the changed call runs; where the host cannot change a call it is refused, and the model reads the
    changed one. A turn that has ended is refused, too.
    """

    fate: CallFate
    words: str = HOOK


_RUNS = Promise("runs", "")
BEFORE: dict[str, Promise] = {
    "exit 2 with a text": Promise("refused"),
    "exit 2 without a text": Promise("refused", "denied this without giving a reason"),
    "nested deny": Promise("refused"),
    "nested deny, suppressOutput": Promise("refused"),
    "nested deny, continue false": Promise("refused"),
    "nested deny, unknown key": Promise("refused", "`unheard` is not a key of a hook's answer"),
    "nested deny, no reason": Promise("refused", "denied this without giving a reason"),
    "nested deny, exit 2": Promise("refused"),
    "decision block": Promise("refused"),
    "decision deny": Promise("refused"),
    "every deny, exit 2": Promise("refused"),
    "nested ask": Promise("refused", "no one answered"),
    "continue false": Promise("refused"),
    "nested updatedInput": Promise("made safe"),
    "nested tool_input": Promise("refused", "`tool_input` is not a key of this answer"),
    "nested context": _RUNS,
    "malformed JSON": Promise("refused", "the JSON on stdout is cut off"),
    "exit 1": Promise("refused", "exit 1 without a verdict"),
    "nothing, exit 0": _RUNS,
    "time-out": Promise("refused", "did not answer within 5 s"),
    "no such program": Promise("refused", "there is no program"),
}

AFTER: dict[str, ResultFate] = {
    "decision block": "told",
    "decision deny": "hidden",
    "exit 2 with a text": "told",
    "continue false": "hidden",
    "nested updatedToolOutput": "hidden",
    "modifiedResult": "hidden",
    "nested context": "told",
    "flat context": "hidden",
    "exit 1": "hidden",
}

PROMPT: dict[str, PromptFate] = {
    "decision block": "refused",
    "decision deny": "refused",
    "exit 2 with a text": "refused",
    "continue false": "refused",
    "nested context": "told",
    "flat context": "passes",
    "plain text": "told",
}
