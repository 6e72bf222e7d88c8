"""What events can do, and which way they fall."""

from inline_snapshot import snapshot

from interlock.effect import CAN, explain_misplaced, safe_direction
from interlock.event import EVENTS


def test_only_known_events_have_effects_and_directions():
    assert CAN.keys() <= EVENTS.keys()


def test_calls_about_to_run_fall_closed():
    closed = {name for name in EVENTS if safe_direction(name) == "deny"}
    assert {"PreToolUse", "PermissionRequest", "ConfigChange", "Elicitation"} <= closed


def test_where_a_denial_traps_the_agent_or_the_person_a_failure_passes():
    trapping = (
        "Stop",
        "SubagentStop",
        "UserPromptSubmit",
        "PreCompact",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
    )
    assert {safe_direction(name) for name in trapping} == {"pass"}


def test_a_failing_check_of_a_result_withholds_it():
    assert safe_direction("PostToolUse") == safe_direction("PostToolUseFailure") == "withhold"


def test_an_event_nobody_could_read_falls_the_strictest_way():
    assert safe_direction(None) == "deny"


def test_an_event_that_can_deny_nothing_never_falls_to_deny():
    for name, event in CAN.items():
        if event.safe == "deny":
            assert "deny" in event.effects, name


def test_blocking_after_the_fact_is_pointed_to_the_event_that_can():
    """S1-16 right phase."""
    assert explain_misplaced("deny", "PostToolUse") == snapshot(
        "`deny` has no effect on PostToolUse: the tool has already run; use PreToolUse"
    )
    assert explain_misplaced("output", "PreToolUse") == snapshot(
        "`output` has no effect on PreToolUse: there is no result yet; use PostToolUse"
    )
    assert explain_misplaced("deny", "SubagentStart") == snapshot(
        "`deny` has no effect on SubagentStart: a subagent that starts cannot be stopped; "
        "use PreToolUse on the tool Agent"
    )


def test_other_misplaced_effects_list_where_they_work():
    assert explain_misplaced("change", "Stop") == snapshot(
        "`change` has no effect on Stop; it works on `PreToolUse`, `PermissionRequest`"
    )
