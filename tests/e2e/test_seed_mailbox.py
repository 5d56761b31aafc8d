# SPDX-License-Identifier: Apache-2.0
"""What agents' mailboxes are meant to do, sentence by sentence, and the tests that show it.

A row is what the contract says of building, starting, refreshing, resuming and reaching a
mailbox, and where it is tried: "FILE::TEST" of tests/e2e, or "ROOM/FILE::TEST" or
"ROOM/FILE: ROW" of tests/unit.  A test that is renamed or goes is missed here.
"""

import pathlib
import re

import pytest

TESTS = pathlib.Path(__file__).parents[1]

BUILD = {
    "both mailbox skills are in every home, with a mailbox or without, visible and whole": [
        "test_home::test_both_skills_are_there_without_a_mailbox_and_whole",
        "test_home::test_the_validator_of_skills_agrees"],
    "Claude Code has them at the top of skills/ of its own folder of settings": [
        "test_home::test_a_home_has_all_in_the_places_of_its_program",
        "judges_homes::test_a_host_lists_both_skills_and_reads_the_role"],
    "Codex has them at the top of skills/ too": [
        "test_home::test_a_home_has_all_in_the_places_of_its_program",
        "test_home::test_codex_is_told_how_a_skill_is_shown",
        "judges_homes::test_a_host_lists_both_skills_and_reads_the_role"],
    "Gemini has them at the top of .gemini/skills/, in no folder of another name": [
        "test_home::test_a_home_has_all_in_the_places_of_its_program",
        "judges_homes::test_a_host_lists_both_skills_and_reads_the_role"],
    "no role and no setup has to bring them": [
        "test_home::test_both_skills_are_there_without_a_mailbox_and_whole"],
    "a prompt names Gemini's skill, and no path": [
        "runtime/prompt_text: gemini: by name, and no path",
        "runtime/prompt_text: gemini by name"],
    "a home is not the folder one works in, whose own folders are not touched": [
        "test_home::test_the_folder_one_works_in_is_not_touched"],
}

START = {
    "the mailbox is made before the program runs": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account"],
    "1. the declaration is read from the home's manifest when there is one": [
        "test_home::test_a_declaration_is_there_only_when_it_was_made",
        "runtime/declaration: filesystem", "runtime/declaration: stalwart",
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_session::test_a_home_without_a_mailbox_starts_without_one"],
    "2. options go before it: transport, root, principal and address": [
        "test_session::test_options_go_before_the_declaration",
        "runtime/effective: what is given goes before all"],
    "3. what is missing has a default": [
        "runtime/effective: filesystem, and all the rest by default",
        "test_mailboxes_page::test_the_page_is_typed_and_does_what_it_says"],
    "3. and so have a server's endpoints, which have options too": [
        "runtime/effective: stalwart by its base in the environment",
        "runtime/effective: URLs, declared and given"],
    "4. the transport is made ready": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on"],
    "4. filesystem: the root is made": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account"],
    "4. filesystem: or checked": [
        "test_session::test_options_go_before_the_declaration",
        "test_agentbox::test_a_path_that_is_no_root_is_refused",
        "test_mailbox_commands::test_what_is_no_root_is_refused"],
    "4. filesystem: and the active address registered": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_session::test_an_address_of_somebody_else_undoes_the_start"],
    "4. filesystem: the manifest has the root's path and who it is": [
        "runtime/binding: filesystem",
        "test_session_refresh::test_refresh_takes_another_root_and_leaves_the_program_alone"],
    "4. stalwart: domain and account are there, made if they have to be": [
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on",
        "test_stalwart::test_a_second_start_changes_nothing_on_the_server",
        "test_stalwart::test_somebody_elses_account_is_never_touched"],
    "4. stalwart: the durable credential is written, or used again": [
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on",
        "test_stalwart::test_a_second_start_changes_nothing_on_the_server",
        "test_stalwart::test_a_start_that_ends_between_file_and_account"],
    "4. stalwart: the session has a copy of it": [
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on",
        "test_stalwart::test_modes_are_closed_whatever_the_umask"],
    "4. stalwart: the manifest has the URLs, the login, the name of the credential and who it is": [
        "runtime/binding: stalwart",
        "test_gateway_cells::test_a_resumed_session_has_the_password_of_today"],
    "the binding is checked before it is kept": [
        "test_session::test_an_address_of_somebody_else_undoes_the_start",
        "test_session::test_resume_wants_the_registration_of_the_manifest"],
    "5. the launch plan has the binding, and no variable publishes the mailbox": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_session::test_no_key_reaches_the_program_or_a_file",
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on"],
    "6. the manifest has the binding without a secret": [
        "runtime/binding: a secret is not carried on",
        "runtime/manifest: a secret in the mailbox",
        "test_session::test_no_key_reaches_the_program_or_a_file",
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on"],
    "a start that fails or is killed is undone": [
        "test_session::test_what_cannot_be_started_leaves_nothing",
        "test_session::test_a_start_killed_at_any_moment_is_whole_or_nothing",
        "runtime/session_crash::of_a_start_is_finished_or_undone"],
}

REFRESH = {
    "a running session takes another root, with the same principal and address": [
        "test_session_refresh::test_refresh_takes_another_root_and_leaves_the_program_alone"],
    "1. the binding has a new version": [
        "test_session_refresh::test_mail_stays_and_versions_only_rise",
        "runtime/version: the clock has not moved"],
    "2. the new root is made ready first": [
        "test_session_refresh::test_refresh_takes_another_root_and_leaves_the_program_alone",
        "test_session_refresh::test_an_address_of_anothers_in_the_new_root_changes_nothing"],
    "3. the launch plan has it, and whatever runs takes it from there": [
        "test_session_refresh::test_refresh_takes_another_root_and_leaves_the_program_alone",
        "test_gateway::test_a_refresh_is_seen_by_the_gateway_that_runs"],
    "4. the manifest is replaced whole": [
        "test_session_refresh::test_a_refresh_killed_at_any_moment_is_whole_or_nothing"],
    "whoever acts on a path says which version of the binding it knows": [
        "test_gateway::test_the_binding_of_the_manifest_counts_at_every_call",
        "test_gateway::test_a_refresh_is_seen_by_the_gateway_that_runs",
        "test_gateway_cells::test_every_route_compares_the_binding",
        "test_agents_mail::test_what_is_wrong_is_said_in_emclis_envelope"],
    "the binding is resolved when it is needed, whatever a program's environment said at its start": [
        "test_gateway::test_a_refresh_is_seen_by_the_gateway_that_runs",
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_agents_mail::test_the_skills_tell_the_ordinary_way"],
    "a session gets a mailbox late": [
        "test_session_refresh::test_a_session_gets_a_mailbox_late_and_gives_it_back"],
}

RESUME = {
    "the mailbox comes from the manifest": [
        "test_session::test_stop_ends_it_and_resume_finds_the_same_mailbox",
        "test_session::test_resume_wants_the_registration_of_the_manifest"],
    "it is the same, whatever the caller's environment says": [
        "test_session::test_stop_ends_it_and_resume_finds_the_same_mailbox",
        "test_session_refresh::test_refresh_takes_another_root_and_leaves_the_program_alone",
        "test_stalwart::test_resume_asks_no_server_and_takes_the_durable_password"],
    "stalwart: the session's copy of the credential is made again": [
        "test_stalwart::test_resume_asks_no_server_and_takes_the_durable_password"],
    "stalwart: before anybody uses the mailbox, directly or over the gateway": [
        "test_gateway_cells::test_a_resumed_session_has_the_password_of_today"],
    "stalwart: the manifest stays without a secret": [
        "test_gateway_cells::test_a_resumed_session_has_the_password_of_today"],
}

AGENTS_MAIL = {
    "the session is the one that was named, or the caller's own by its manifest": [
        "test_agents_mail::test_which_session_is_meant",
        "runtime/find: a selector is before the environment",
        "runtime/find: the environment's manifest is before its id"],
    "resolve-live prints the binding of both transports": [
        "test_agents_mail::test_resolve_live_has_upstreams_members_alone",
        "test_gateway_cells::test_a_resumed_session_has_the_password_of_today"],
    "and the address of a live gateway": [
        "test_agents_mail::test_a_live_gateway_is_asked_first_and_without_a_key"],
    "a live gateway goes before all": [
        "test_agents_mail::test_a_live_gateway_is_asked_first_and_without_a_key",
        "test_agents_mail::test_the_same_over_the_gateway_of_a_session_without_a_key"],
    "without one, the mailbox itself goes before the prompt": [
        "test_agents_mail::test_a_gateway_that_is_not_live_is_left_out"],
    "status, check, send, reply and mark-read are answered with authority": [
        "test_agents_mail::test_a_letter_with_a_file_is_answered_and_marked",
        "test_stalwart::test_mail_through_it"],
    "the prompt turn is the last way, and says that it is no authority": [
        "test_prompt_turn::test_a_request_is_typed_as_one_paste_and_its_result_is_a_preview",
        "test_prompt_turn::test_reply_and_mark_read_are_typed_too"],
    "it is not typed to an agent that is not ready": [
        "test_prompt_turn::test_a_result_is_not_waited_for_and_a_busy_agent_is_not_typed_to",
        "test_prompt_turn::test_what_is_refused_before_it_is_typed"],
    "the request has one form, for each program": [
        "test_prompt_turn::test_a_request_is_typed_as_one_paste_and_its_result_is_a_preview",
        "runtime/prompt_text: claude: the skill's own command begins it",
        "runtime/prompt_text: codex: its own too"],
    "the prompt is run in the session's terminal, and ends without a result too": [
        "test_prompt_turn::test_what_an_agent_writes",
        "test_prompt_turn::test_a_program_that_ends_is_interrupted_and_then_has_no_terminal"],
    "its result is read between two lines, and must answer the request": [
        "test_prompt_turn::test_what_an_agent_writes"],
    "the ordinary way: resolve, the gateway's routes, else the commands": [
        "test_agents_mail::test_the_skills_tell_the_ordinary_way",
        "test_agents_mail::test_the_skills_name_verbs_and_options_that_are_there"],
    "and what has no authority is looked up before it is believed": [
        "test_agents_mail::test_the_skills_tell_the_ordinary_way",
        "test_prompt_turn::test_a_request_is_typed_as_one_paste_and_its_result_is_a_preview"],
    "it is the same on both transports": [
        "test_gateway::test_every_route_has_the_members_of_upstream_and_no_others",
        "test_gateway_cells::test_every_route_over_a_mail_server"],
    "the envelopes and the routes are those of upstream": [
        "test_agents_mail::test_a_live_gateway_is_asked_first_and_without_a_key",
        "test_gateway::test_every_route_has_the_members_of_upstream_and_no_others"],
}

ROWS = [(part, says, where)
        for part, rows in (("build", BUILD), ("start", START), ("refresh", REFRESH),
                           ("resume", RESUME), ("agents mail", AGENTS_MAIL))
        for says, where in rows.items()]


@pytest.mark.parametrize("part, says, where", ROWS, ids=[f"{p}: {s}" for p, s, _ in ROWS])
def test_a_sentence_has_its_tests(part, says, where):
    assert where
    for place in where:
        if "::" in place:
            module, name = place.split("::")
            unit = "/" in module
            text = (TESTS / (f"unit/{module}.c" if unit else f"e2e/{module}.py")).read_text()
            assert re.search(rf"^{'' if unit else 'def '}{name}\(", text, re.M), place
        else:
            file, row = place.split(": ", 1)
            text = (TESTS / "unit" / f"{file}.c").read_text()
            assert f'"{row}"' in text, place
