"""docs/security.md: every claim in bold has tests, and every test that it is held by exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "security.md"
# A bold phrase of the page → tests that fail when it is not true. None: it says what is not claimed.
CLAIMS: dict[str, tuple[str, ...] | None] = {
    "not a sandbox": None,
    "The gate fails": (
        "test_on_a_full_disk_nothing_runs_and_with_room_again_everything_goes_on",
        "test_a_daemon_killed_while_it_judges_denies_and_the_next_call_has_a_new_one",
        "test_its_constant_answers_are_those_of_the_dialect",
        "test_a_call_that_a_fault_denies_is_heard_of_by_the_model",
        "test_a_breach_is_seen_by_the_person_and_the_caller",
    ),
    "The call is too long to read": (
        "test_no_padding_brings_a_denied_command_past_a_policy",
        "test_a_switch_of_the_guard_behind_padding_is_denied_without_a_rule",
        "test_a_secret_at_the_end_of_a_long_result_does_not_reach_the_model_and_the_turn_goes_on",
    ),
    "Another participant answers for it": (
        "test_no_text_that_any_participant_removes_is_in_the_answer",
        "test_nothing_is_allowed_that_no_rule_allows",
        "test_what_a_hook_and_a_pack_remove_is_told_by_nobody",
        "test_an_allow_of_a_changed_call_does_not_let_the_original_run",
        "test_a_second_policy_never_answers_with_the_first_one_s_verdict",
        "test_what_only_the_second_entry_denies_does_not_run",
        "test_a_program_that_says_no_and_exits_0",
        "test_a_stop_hook_ends_the_turn_as_it_does_without_interlock",
    ),
    "The host does not ask Interlock": (
        "test_a_script_cannot_switch_us_off",
        "test_a_script_cannot_switch_us_off_a_little",
        "test_what_another_file_says_counts_less_than_what_ours_says",
    ),
    "The next session is unguarded": (
        "test_what_is_unpacked_over_the_settings",
        "test_a_script_that_takes_entries_out",
        "test_a_file_that_git_tracks_is_left_to_git_and_the_person_is_told",
        "test_settings_of_one_machine_outlast_the_day_unnoticed",
        "test_after_adopting_in_the_shared_scope_a_clone_that_trusted_nothing_is_guarded_as_before",
    ),
    "Interlock is deleted": (
        "test_a_prompt_is_answered_with_the_file_and_the_two_ways_back",
        "test_over_http_it_is_the_same",
        "test_a_call_in_the_middle_of_a_turn_is_denied_by_the_client_itself",
    ),
    "The host asks but does not obey": (
        "test_a_call_that_ran_against_our_word_stops_the_session",
        "test_a_call_that_any_guard_denied_is_a_breach_when_it_has_a_result",
    ),
    "breach": ("test_a_breach_is_remembered_when_the_session_is_taken_up_again",),
    "Something else starts": (
        "test_the_hooks_of_an_agent_are_judged_before_it_starts",
        "test_agents_given_on_the_command_line_are_judged",
        "test_an_agent_that_would_not_be_guarded_is_not_started",
        "test_an_agent_started_in_the_same_project_is_guarded_too",
        "test_a_link_from_an_earlier_call_hides_nothing",
    ),
    "Another program answers": (
        "test_a_socket_that_others_may_write_to_is_not_used",
        "test_somebody_else_who_listens_on_our_socket_is_not_believed",
        "test_nobody_else_listens_on_the_socket",
    ),
    "Another program asks": (
        "test_a_made_up_result_teaches_us_nothing",
        "test_a_made_up_result_does_not_close_the_receipt_of_another_tools_call",
        "test_another_process_cannot_speak_for_the_session_even_with_the_token",
    ),
    "The policy is changed": (
        "test_a_policy_that_breaks_or_goes_in_the_middle_holds_on",
        "test_a_policy_of_the_person_that_is_gone_can_be_dropped_by_the_command_that_is_named",
    ),
    "The guard itself is changed": (
        "test_the_interpreter_and_what_it_loads_stay_as_they_are",
        "test_a_script_cannot_replace_them_either",
        "test_a_package_manager_works_in_the_same_environment",
        "test_no_agent_uses_the_switches_of_a_person",
    ),
    "A hook disturbs the next one": ("test_what_a_hook_does_to_its_process_does_not_reach_the_next_call",),
    "A stranger's page in your browser": (
        "test_a_form_on_another_page_answers_nothing",
        "test_a_script_on_another_page_neither_answers_nor_reads",
        "test_another_page_cannot_show_the_page_inside_itself",
        "test_a_name_that_leads_here_is_not_our_address",
        "test_an_answer_needs_everything_that_our_own_page_sends",
        "test_every_response_forbids_frames_inline_scripts_and_guessing",
    ),
    "Another server on your machine": (
        "test_a_server_on_another_port_is_sent_the_cookie_but_cannot_answer_with_it",
        "test_the_key_is_in_no_page_and_no_stream",
    ),
    "The agent's own request": (
        "test_the_agents_own_curl_is_refused",
        "test_the_cases_of_a_pack_hold",
        "test_without_a_terminal_there_is_no_page_and_no_link",
    ),
    "The link": (
        "test_a_link_signs_a_browser_in_and_leaves_no_secret_in_any_address",
        "test_a_link_that_was_used_lets_nobody_in",
        "test_guessing_links_is_slowed_down",
        "test_what_an_agents_session_has_started_gets_no_link_though_it_has_a_terminal",
        "test_a_link_for_one_request_opens_that_one_alone",
    ),
    "What tools and agents write": (
        "test_what_an_agent_writes_is_text_everywhere",
        "test_signs_that_turn_text_round_are_shown_as_what_they_are",
    ),
    "an edit of any of them is detected": (
        "test_an_edit_beside_the_records_is_found_and_stays_found",
        "test_whatever_is_put_into_any_cell_beside_the_records_is_found",
        "test_every_table_is_held_against_the_records",
    ),
    "Another user cannot crowd the owner out": ("test_a_real_daemon_crowded_by_another_user_answers_its_owner",),
    "An impostor on the socket": None,
}


def bold_phrases() -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return [re.sub(r"\s+", " ", found).rstrip(".") for found in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL)]


def names_of_tests() -> set[str]:
    here = Path(__file__).parent
    texts = (file.read_text(encoding="utf-8") for file in here.rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE)}


def test_every_claim_of_the_page_is_listed_here_and_every_one_listed_is_on_the_page():
    assert sorted(bold_phrases()) == sorted(CLAIMS)


@pytest.mark.parametrize("claim", [claim for claim, tests in CLAIMS.items() if tests is not None])
def test_a_claim_is_held_by_tests_that_exist(claim: str):
    tests = CLAIMS[claim]
    assert tests
    assert set(tests) - names_of_tests() == set()
