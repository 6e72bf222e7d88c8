"""Every field of a foreign hook's answer × every event: it is in Interlock's answer, or the verdict names it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from interlock.event import EVENTS
from interlock.hosts import dialect_of
from interlock.hosts.claude_code.envelope import _TOP
from interlock.hosts.claude_code.fields import CARRIED, FIELDS, Field
from interlock.hosts.claude_code.outputs import OUTPUTS, PermissionAllow, PermissionDeny
from interlock.verdict import Loss, Opinion, combine
from tests.hosts.claude_code.foreign import RAW, answer_to, fields_of, lost, said, specific, words

RULES = [{"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"}]
# A value for each field, with what it needs beside it to mean anything.
TOP: dict[str, dict[str, Any]] = {
    "continue": {"continue": False},
    "stopReason": {"continue": False, "stopReason": "WHY-STOP"},
    "decision": {"decision": "block", "reason": "WHY"},
    "reason": {"decision": "block", "reason": "WHY"},
    "systemMessage": {"systemMessage": "LOOK"},
    "terminalSequence": {"terminalSequence": "\x1b]9;done\x07"},
    "suppressOutput": {"suppressOutput": True},
    "metrics": {"metrics": {"took": 1}},
    "rewakeSummary": {"rewakeSummary": "AWAKE"},
}
SPECIFIC: dict[str, dict[str, Any]] = {
    "permissionDecision": {"permissionDecision": "deny", "permissionDecisionReason": "WHY"},
    "permissionDecisionReason": {"permissionDecision": "deny", "permissionDecisionReason": "WHY"},
    "updatedInput": {"permissionDecision": "allow", "updatedInput": {"command": "ls"}},
    "additionalContext": {"additionalContext": "HINT"},
    "updatedToolOutput": {"updatedToolOutput": "NEW"},
    "updatedMCPToolOutput": {"updatedMCPToolOutput": "NEW"},
    "classifierContext": {"classifierContext": "CLASS"},
    "retry": {"retry": True},
    "sessionTitle": {"sessionTitle": "TITLE"},
    "suppressOriginalPrompt": {"suppressOriginalPrompt": True},
    "initialUserMessage": {"initialUserMessage": "BEGIN"},
    "watchPaths": {"watchPaths": ["/etc/hosts"]},
    "reloadSkills": {"reloadSkills": True},
    "action": {"action": "accept"},
    "content": {"action": "accept", "content": {"name": "x"}},
    "displayContent": {"displayContent": "SHOWN"},
    "worktreePath": {"worktreePath": "/w"},
}
DECISION: dict[str, dict[str, Any]] = {
    "behavior": {"behavior": "allow"},
    "message": {"behavior": "deny", "message": "WHY"},
    "interrupt": {"behavior": "deny", "message": "WHY", "interrupt": True},
    "updatedInput": {"behavior": "allow", "updatedInput": {"command": "ls"}},
    "updatedPermissions": {"behavior": "allow", "updatedPermissions": RULES},
}


def example_of(field: Field, event: str) -> dict[str, Any]:
    if field.place == "top":
        return TOP[field.name]
    if field.place == "decision":
        return specific(event, decision=DECISION[field.name])
    return specific(event, **SPECIFIC[field.name])


IN_JSON = {one.name + one.place: one for one in FIELDS if one.place != "text"}.values()
EVERYTHING = [(event, field) for event in EVENTS for field in IN_JSON]


@pytest.mark.parametrize(("event", "field"), EVERYTHING, ids=[f"{event}-{field.name}" for event, field in EVERYTHING])
def test_a_field_is_passed_on_or_named(event: str, field: Field):
    answer = example_of(field, event)
    reply = answer_to(event, answer)
    assert lost(answer, reply) == []
    rows = [one for one in FIELDS if (one.name, one.place) == (field.name, field.place)]
    assert len([one for one in rows if event in one.events and not one.carried]) <= 1, "a row for each event, or none"
    if field.carried and event in field.events and field.name != "stopReason":
        assert field.name in dict(fields_of(said(reply))), "it is carried as it was"
        assert reply.verdict.lowered == ()
        assert reply.verdict.notices == ()


def test_the_table_has_every_field_that_an_answer_may_have():
    """Held against the types that answers are read with."""
    top = set(_TOP) - {"hookSpecificOutput"}
    assert {one.name for one in FIELDS if one.place == "top"} == top
    inside = {name for kind in OUTPUTS.values() for name in kind.__struct_encode_fields__} - {"decision"}
    assert {one.name for one in FIELDS if one.place == "specific"} == inside
    within = {*PermissionAllow.__struct_encode_fields__, *PermissionDeny.__struct_encode_fields__, "behavior"}
    assert {one.name for one in FIELDS if one.place == "decision"} == within


def test_the_table_gives_each_event_the_fields_that_its_type_has():
    for event, kind in OUTPUTS.items():
        have = set(kind.__struct_encode_fields__) - {"decision", "worktreePath"}
        assert {one.name for one in FIELDS if one.place == "specific" and event in one.events} == have, event


def test_the_table_says_how_the_values_of_several_hooks_become_one():
    assert [one.name for one in FIELDS if one.carried != (one.several is not None)] == []


# --- ending the turn ---------------------------------------------------------------------------------------

STOP = {"continue": False, "stopReason": "Enough."}
BLOCK = {"decision": "block", "reason": "Go on."}


@pytest.mark.parametrize("event", ["Stop", "SubagentStop", "TeammateIdle", "TaskCompleted", "PostToolBatch"])
def test_a_hook_that_ends_the_turn_ends_it(event: str):
    reply = answer_to(event, STOP)
    assert (said(reply), reply.exit_code) == ({"continue": False, "stopReason": "Enough."}, 0)
    assert (reply.verdict.decision, reply.verdict.interrupt, reply.verdict.notices) == (None, True, ())


@pytest.mark.parametrize("event", ["Stop", "SubagentStop", "TeammateIdle", "TaskCompleted", "PostToolBatch"])
@pytest.mark.parametrize("answers", [[STOP, BLOCK], [BLOCK, STOP], [{**STOP, **BLOCK}]], ids=["first", "last", "both"])
def test_beside_a_block_both_are_passed_on_as_the_client_would_hear_them(event: str, answers: list[dict[str, Any]]):
    reply = answer_to(event, *answers)
    shown = {"systemMessage": "Go on."} if event == "PostToolBatch" else {}  # else a headless run shows it to nobody
    assert said(reply) == {"continue": False, "stopReason": "Enough.", "decision": "block", "reason": "Go on.", **shown}


@pytest.mark.parametrize("event", ["UserPromptSubmit", "UserPromptExpansion"])
def test_a_prompt_that_is_stopped_is_refused_since_the_client_would_keep_it_for_later(event: str):
    reply = answer_to(event, STOP)
    assert said(reply)["decision"] == "block"
    assert "continue" not in said(reply)
    assert "`continue: false` leaves the prompt in the conversation" in words(reply)


def test_where_nothing_can_be_stopped_it_is_said_so():
    reply = answer_to("SessionStart", STOP)
    assert said(reply) == {
        "systemMessage": "Enough.\nhook `hook0`: `continue: false` on SessionStart; nothing can be stopped there"
    }


def test_exit_2_beside_an_end_of_the_turn_is_both():
    reply = answer_to("Stop", STOP, exit_code=2)
    assert (said(reply)["continue"], said(reply)["stopReason"], said(reply)["decision"]) == (False, "Enough.", "block")


# --- text --------------------------------------------------------------------------------------------------


def test_before_a_summary_nothing_is_printed_but_what_hooks_print_for_it():
    """The client hands the model whatever is printed then, JSON included."""
    assert answer_to("PreCompact", {}).stdout == b""
    assert answer_to("PreCompact", "Keep the plan.", {}, "Keep the names.").stdout == b"Keep the plan.\nKeep the names."
    blocked = answer_to("PreCompact", "Keep the plan.", {"decision": "block", "reason": "Not now."})
    assert said(blocked) == {"decision": "block", "reason": "Not now."}
    assert blocked.verdict.lowered == (Loss("stdout of hook0", "dropped: the event is denied"),)


def test_text_for_a_summary_that_cannot_go_with_a_notice_is_named():
    reply = answer_to("PreCompact", "Keep the plan.", {"systemMessage": "Look."})
    assert said(reply) == {
        "systemMessage": "Look.\nwhat hooks printed for the summary is dropped, because it cannot go with anything else"
    }
    assert reply.verdict.lowered == (Loss("stdout", "the rest of the answer"),)


# --- several hooks -----------------------------------------------------------------------------------------


def test_lists_flags_and_texts_of_several_hooks():
    first = specific("SessionStart", watchPaths=["/a", "/b"], reloadSkills=False, sessionTitle="One")
    second = specific("SessionStart", watchPaths=["/b", "/c"], reloadSkills=True, sessionTitle="Two")
    reply = answer_to("SessionStart", {**first, "terminalSequence": "\x07"}, {**second, "terminalSequence": "\x07"})
    assert said(reply) == {
        "systemMessage": "`sessionTitle` of hook0 is dropped, because hook1 gives another one",
        "terminalSequence": "\x07\x07",
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "watchPaths": ["/a", "/b", "/c"],
            "reloadSkills": True,
            "sessionTitle": "Two",
        },
    }
    assert reply.verdict.lowered == (Loss("sessionTitle of hook0", "that of hook1"),)


def test_the_same_value_twice_is_no_conflict():
    title = specific("SessionStart", sessionTitle="One")
    assert said(answer_to("SessionStart", title, title)) == title


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({"action": "accept", "content": {"a": 1}}, {"action": "cancel"}, {"action": "cancel"}),
        ({"action": "cancel"}, {"action": "accept", "content": {"a": 1}}, {"action": "cancel"}),
        (
            {"action": "accept", "content": {"a": 1}},
            {"action": "accept", "content": {"a": 2}},
            {"action": "accept", "content": {"a": 2}},
        ),
    ],
)
@pytest.mark.parametrize("event", ["Elicitation", "ElicitationResult"])
def test_the_strictest_answer_to_a_server_wins_with_its_own_content(event, first, second, kept):
    reply = answer_to(event, specific(event, **first), specific(event, **second))
    assert said(reply)["hookSpecificOutput"] == {"hookEventName": event, **kept}
    assert "`action` of hook" in words(reply)


def test_a_declined_question_is_declined_whatever_others_answer():
    accept = specific("Elicitation", action="accept", content={"a": 1})
    reply = answer_to("Elicitation", accept, specific("Elicitation", action="decline"))
    assert said(reply) == {"decision": "block", "reason": "the hook answered `decline`"}
    assert reply.verdict.lowered == tuple(
        Loss(f"{name} of hook0", "dropped: the event is denied") for name in ("action", "content")
    )


# --- trust -------------------------------------------------------------------------------------------------

WIDENS = specific("PermissionRequest", decision={"behavior": "allow", "updatedPermissions": RULES})
ALLOWS = specific("PermissionRequest", decision={"behavior": "allow"})
DENIES = specific("PermissionRequest", decision={"behavior": "deny", "message": "No."})


def test_permissions_are_widened_where_the_call_is_allowed():
    decision = said(answer_to("PermissionRequest", ALLOWS, WIDENS))["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "allow", "updatedPermissions": RULES}


@pytest.mark.parametrize("answers", [[WIDENS, DENIES], [DENIES, WIDENS]])
def test_a_deny_of_anybody_keeps_permissions_as_they_are(answers):
    reply = answer_to("PermissionRequest", *answers)
    assert b"updatedPermissions" not in reply.stdout
    (loss,) = reply.verdict.lowered
    assert loss.effect.startswith("updatedPermissions of hook")


def test_of_two_hooks_that_widen_permissions_the_first_is_heard_as_in_the_client():
    other = specific("PermissionRequest", decision={"behavior": "allow", "updatedPermissions": [{"type": "setMode"}]})
    reply = answer_to("PermissionRequest", WIDENS, other)
    assert said(reply)["hookSpecificOutput"]["decision"]["updatedPermissions"] == RULES
    assert "`updatedPermissions` of hook1 is dropped, because hook0 gives another one" in words(reply)


def test_permissions_do_not_come_from_a_hook_whose_allow_does_not_count():
    """One that is meant only by a short name: its allow is taken from it, and this with it."""
    event = dialect_of("claude-code").decode(RAW["PermissionRequest"])
    widened = Opinion(by="short", decision=None, carried={"updatedPermissions": RULES})
    reply = dialect_of("claude-code").encode(event, combine([widened, Opinion(by="rule", decision="allow")]))
    assert said(reply) == ALLOWS
    assert reply.verdict.lowered[0].effect == "updatedPermissions of short"


def test_a_word_for_the_classifier_is_dropped_where_somebody_else_takes_something_out_of_the_result():
    speaks = specific("PostToolUse", classifierContext="It said hunter2.")
    hides = specific("PostToolUse", updatedToolOutput="[redacted]")
    assert b"hunter2" in answer_to("PostToolUse", speaks).stdout
    for answers in ([speaks, hides], [hides, speaks]):
        reply = answer_to("PostToolUse", *answers)
        assert b"hunter2" not in reply.stdout
        assert any(loss.effect.startswith("classifierContext of ") for loss in reply.verdict.lowered)


def test_no_text_beside_a_result_brings_back_what_somebody_else_takes_out_of_it():
    speaks = {"terminalSequence": "\x1b]9;hunter2\x07", **specific("PostToolUse", classifierContext="hunter2")}
    reply = answer_to("PostToolUse", speaks, specific("PostToolUse", updatedToolOutput="[redacted]"))
    assert b"hunter2" not in reply.stdout
    assert [loss.effect for loss in reply.verdict.lowered] == [
        "classifierContext of hook0",
        "terminalSequence of hook0",
    ]


def test_a_flat_host_is_not_told_and_the_person_is():
    reply = answer_to("SessionStart", specific("SessionStart", sessionTitle="One"), host="flat")
    assert b"One" not in reply.stdout
    assert reply.stderr == "`sessionTitle` of hook0 is dropped: the flat form has no place for it"
    assert reply.verdict.lowered == (Loss("sessionTitle of hook0", "dropped: the flat form has no place for it"),)


# --- nothing is lost without a word ------------------------------------------------------------------------

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "continue": st.booleans(),
    "decision": st.sampled_from(["block", "block", "approve"]),
    "suppressOutput": st.booleans(),
    "terminalSequence": st.just("\x07"),
    "metrics": st.just({"a": 1}),
    "permissionDecision": st.sampled_from(["allow", "deny", "ask"]),
    "updatedInput": st.fixed_dictionaries({"command": TEXTS}),
    "updatedPermissions": st.just(RULES),
    "behavior": st.sampled_from(["allow", "deny"]),
    "interrupt": st.booleans(),
    "retry": st.booleans(),
    "suppressOriginalPrompt": st.booleans(),
    "reloadSkills": st.booleans(),
    "watchPaths": st.lists(TEXTS, max_size=3),
    "action": st.sampled_from(["accept", "decline", "cancel"]),
    "content": st.dictionaries(TEXTS, TEXTS, max_size=2),
}


def documents(event: str) -> st.SearchStrategy[dict[str, Any]]:
    """Answers of any fields, mostly such as the event has, now and then one that nobody knows."""
    top = {name: VALUES.get(name, TEXTS) for name in TOP}
    kind = OUTPUTS.get(event)
    inside: dict[str, Any] = {}
    if kind is not None:
        inside = {name: VALUES.get(name, TEXTS) for name in kind.__struct_encode_fields__ if name != "decision"}
    required: dict[str, Any] = {"hookEventName": st.just(event)}
    if event == "PermissionRequest":
        allow = {"updatedInput": VALUES["updatedInput"], "updatedPermissions": VALUES["updatedPermissions"]}
        deny = {"message": TEXTS, "interrupt": st.booleans()}
        required["decision"] = st.fixed_dictionaries(
            {"behavior": st.just("allow")}, optional=allow
        ) | st.fixed_dictionaries({"behavior": st.just("deny")}, optional=deny)
    if event == "WorktreeCreate":
        required["worktreePath"] = TEXTS
    part = st.fixed_dictionaries(required, optional=inside)
    unknown = st.dictionaries(TEXTS, TEXTS, max_size=1)
    whole = st.fixed_dictionaries(
        {}, optional={**top, "hookSpecificOutput": part if kind is not None else st.nothing()}
    )
    if kind is None:
        whole = st.fixed_dictionaries({}, optional=top)
    odd = st.tuples(whole, unknown).map(lambda both: {**both[1], **both[0]})
    return st.one_of(whole, whole, odd)


ANSWERED = st.sampled_from(sorted(set(EVENTS) - {"WorktreeCreate"})).flatmap(
    lambda event: st.tuples(st.just(event), documents(event))
)


@given(ANSWERED, st.sampled_from([0, 0, 0, 2]))
@example(("PostToolUse", {**BLOCK, **specific("PostToolUse", additionalContext="Hint.")}), 0)
@example(("PreToolUse", {"reason": "Because.", **specific("PreToolUse", permissionDecision="deny")}), 0)
@example(("PreModelSwitch", specific("PreModelSwitch", permissionDecisionReason="Because.")), 0)
def test_no_field_of_a_foreign_answer_is_lost_without_a_word(answered: tuple[str, dict[str, Any]], exit_code: int):
    event, answer = answered
    reply = answer_to(event, answer, exit_code=exit_code)
    assert lost(answer, reply) == [], (answer, reply.stdout, words(reply))


@given(
    st.sampled_from(
        sorted({event for field in CARRIED.values() for event in field.events} - {"WorktreeCreate"})
    ).flatmap(lambda event: st.tuples(st.just(event), st.lists(documents(event), min_size=2, max_size=3)))
)
def test_of_several_answers_a_carried_field_is_kept_or_named_for_each(answered: tuple[str, list[dict[str, Any]]]):
    event, answers = answered
    reply = answer_to(event, *answers)
    told = words(reply)
    ours = dict(fields_of(said(reply)))
    for number, answer in enumerate(answers):
        opinion = reply.verdict.opinions[number] if len(reply.verdict.opinions) == len(answers) else None
        if opinion is None or opinion.error is not None:
            continue
        for name, value in (opinion.carried or {}).items():
            if CARRIED[name].several == "chain":
                continue  # the next hook was shown it
            if f"{name} of hook{number}:" in told or f"`{name}` of hook{number} " in told:
                continue
            kept = {key: ours.get(key) for key in value} if name == "action" else ours.get(name)
            whole = value if not isinstance(value, list) else [one for one in value if one in (kept or [])]
            assert kept is not None, (name, answer, reply.stdout)
            assert value in (kept, False) or whole == value or str(value) in str(kept), (name, value, kept)
