"""The checks, one file each. The hundreds of their codes say what kind of mistake they find."""

from __future__ import annotations

from interlock.hook_lint.check import Check, check_of
from interlock.hook_lint.checks import (
    allow_by_default,
    ask_with_exit_two,
    continue_false,
    custom_answer,
    empty_after_no,
    endless_stop,
    event_name,
    exit_one,
    exit_two_ignored,
    lossy_change,
    made_up_argument,
    made_up_variable,
    notebook_path,
    raised,
    too_late,
    top_level_decision,
    unknown_event,
    unknown_tool,
    warned_and_allowed,
    wrong_input_field,
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

# In the order of their codes.
CHECKS: tuple[Check, ...] = tuple(check_of(module) for module in (
    wrong_input_field,
    made_up_variable,
    made_up_argument,
    unknown_tool,
    notebook_path,
    exit_one,
    raised,
    empty_after_no,
    custom_answer,
    top_level_decision,
    event_name,
    wrong_value,
    ask_with_exit_two,
    continue_false,
    exit_two_ignored,
    too_late,
    lossy_change,
    unknown_event,
    allow_by_default,
    warned_and_allowed,
    endless_stop,
))  # fmt: skip
