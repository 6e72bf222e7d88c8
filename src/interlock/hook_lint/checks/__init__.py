"""The checks, one file each. The hundreds of their codes say what kind of mistake they find."""

from __future__ import annotations

from interlock.hook_lint.check import Check, check_of
from interlock.hook_lint.checks import (
    ask_with_exit_two,
    continue_false,
    custom_answer,
    empty_after_no,
    event_name,
    exit_one,
    exit_two_ignored,
    lossy_change,
    raised,
    too_late,
    top_level_decision,
    unknown_event,
    wrong_value,
)

__all__ = ["CHECKS", "GROUPS"]

GROUPS = {
    "IL1": "reads what is not there",
    "IL2": "says no without effect",
    "IL3": "speaks where the model does not listen",
    "IL4": "never runs",
    "IL5": "opens when something is missing",
    "IL6": "is easily passed",
    "IL7": "allows too much",
    "IL8": "mistakes with the Agent SDK",
}

CHECKS: tuple[Check, ...] = tuple(check_of(module) for module in (
    ask_with_exit_two,
    continue_false,
    custom_answer,
    empty_after_no,
    event_name,
    exit_one,
    exit_two_ignored,
    lossy_change,
    raised,
    too_late,
    top_level_decision,
    unknown_event,
    wrong_value,
))  # fmt: skip
