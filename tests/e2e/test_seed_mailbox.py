"""What agents' mailboxes are meant to do, sentence by sentence, and the tests that show it.

A row is what the contract says of building, starting, refreshing, resuming and reaching a
mailbox, and where it is tried: "FILE::TEST" of tests/e2e, or "ROOM/FILE: ROW" of
tests/unit.  A test that is renamed or goes is missed here.
"""

import pathlib
import re

import pytest

TESTS = pathlib.Path(__file__).parents[1]

BUILD = {
    "both mailbox skills are in every home, with a mailbox or without": [
        "test_home::test_both_skills_are_there_without_a_mailbox_and_whole"],
    "Claude Code has them in skills/ of its own folder of settings": [
        "test_home::test_a_home_has_all_in_the_places_of_its_program"],
    "Codex has them in skills/ too": [
        "test_home::test_a_home_has_all_in_the_places_of_its_program",
        "test_home::test_codex_is_told_how_a_skill_is_shown"],
    "Gemini has them in .gemini/skills/": [
        "test_home::test_a_home_has_all_in_the_places_of_its_program"],
    "a prompt names Gemini's skill, and no path": ["runtime/prompt_text: gemini: by name, and no path"],
    "the project's own folders are not touched": [
        "test_home::test_the_folder_one_works_in_is_not_touched"],
}

START = {
    "the declaration is read from the home's manifest when there is one": [
        "test_home::test_a_declaration_is_there_only_when_it_was_made",
        "runtime/declaration: filesystem", "runtime/declaration: stalwart",
        "test_session::test_a_home_without_a_mailbox_starts_without_one"],
    "options go before it": ["runtime/effective: what is given goes before all"],
    "what is missing has a default": [
        "runtime/effective: filesystem, and all the rest by default",
        "runtime/effective: stalwart by its base in the environment"],
    "the transport is made ready": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on"],
    "filesystem: the root is made or checked, and the address registered": [
        "test_session::test_a_session_has_its_program_its_mailbox_and_its_account",
        "test_session::test_an_address_of_somebody_else_undoes_the_start",
        "test_agentbox::test_a_path_that_is_no_root_is_refused"],
    "filesystem: the manifest has the root's path and who it is": [
        "runtime/binding: filesystem"],
    "stalwart: domain and account are there, made if they have to be": [
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on",
        "test_stalwart::test_a_second_start_changes_nothing_on_the_server",
        "test_stalwart::test_somebody_elses_account_is_never_touched"],
    "stalwart: the durable credential is written or used again, and a session has a copy": [
        "test_stalwart::test_start_makes_an_account_and_hands_its_password_on",
        "test_stalwart::test_a_start_that_ends_between_file_and_account"],
    "stalwart: the manifest has the URLs, the login, the name of the credential and who it is": [
        "runtime/binding: stalwart"],
    "no variable of the environment publishes the mailbox": [
        "test_session::test_no_key_reaches_the_program_or_a_file"],
    "the binding is checked before it is kept": [
        "test_session::test_resume_wants_the_registration_of_the_manifest"],
    "the manifest has the binding without a secret": [
        "runtime/binding: a secret is not carried on",
        "runtime/manifest: a secret in the mailbox",
        "test_session::test_no_key_reaches_the_program_or_a_file"],
    "a start that fails or is killed is undone": [
        "test_session::test_what_cannot_be_started_leaves_nothing",
        "test_session::test_a_start_killed_at_any_moment_is_whole_or_nothing"],
}

REFRESH = {
    "a running session takes another root, with the same principal and address": [
        "test_session_refresh::test_refresh_takes_another_root_and_leaves_the_program_alone"],
    "the binding has a new version": [
        "test_session_refresh::test_mail_stays_and_versions_only_rise",
        "runtime/version: the clock has not moved"],
    "the new root is made ready first": [
        "test_session_refresh::test_an_address_of_anothers_in_the_new_root_changes_nothing"],
    "the manifest is replaced whole": [
        "test_session_refresh::test_a_refresh_killed_at_any_moment_is_whole_or_nothing"],
    "a session gets a mailbox late": [
        "test_session_refresh::test_a_session_gets_a_mailbox_late_and_gives_it_back"],
}

RESUME = {
    "the mailbox comes from the manifest, and is the same": [
        "test_session::test_stop_ends_it_and_resume_finds_the_same_mailbox"],
    "stalwart: the session's copy of the credential is made again": [
        "test_stalwart::test_resume_asks_no_server_and_takes_the_durable_password"],
}

AGENTS_MAIL = {
    "the session is the one that was named, or the caller's own": [
        "test_agents_mail::test_which_session_is_meant",
        "runtime/find: a selector is before the environment",
        "runtime/find: the environment's manifest is before its id"],
    "resolve-live prints the binding, and the address of a live gateway": [
        "test_agents_mail::test_resolve_live_has_upstreams_members_alone",
        "test_agents_mail::test_a_live_gateway_is_asked_first_and_without_a_key"],
    "a gateway goes before the mailbox itself": [
        "test_agents_mail::test_a_live_gateway_is_asked_first_and_without_a_key",
        "test_agents_mail::test_a_gateway_that_is_not_live_is_left_out"],
    "status, check, send, reply and mark-read are answered with authority": [
        "test_agents_mail::test_a_letter_with_a_file_is_answered_and_marked"],
    "the prompt turn is the last way, and says that it is no authority": [
        "test_prompt_turn::test_a_request_is_typed_as_one_paste_and_its_result_is_a_preview",
        "test_prompt_turn::test_reply_and_mark_read_are_typed_too"],
    "it is not typed to an agent that is not ready": [
        "test_prompt_turn::test_a_result_is_not_waited_for_and_a_busy_agent_is_not_typed_to"],
    "its result is read between two lines, and must answer the request": [
        "test_prompt_turn::test_what_an_agent_writes"],
    "whoever acts on a path says which version of the binding it knows": [
        "test_gateway::test_the_binding_of_the_manifest_counts_at_every_call"],
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
            text = (TESTS / "e2e" / f"{module}.py").read_text()
            assert re.search(rf"^def {name}\(", text, re.M), place
        else:
            file, row = place.split(": ", 1)
            text = (TESTS / "unit" / f"{file}.c").read_text()
            assert f'"{row}"' in text, place
