# SPDX-License-Identifier: Apache-2.0
"""The operator's signature, as another reader than ours finds it."""
import email
import email.policy

import pytest

from mail import message

SIGNATURE = "Ann Agent\n[NAME] Gr\u00fc\u00dfe Ltd\n"
BELOW = ["", "-- ", "Ann Agent", "[NAME] Gr\u00fc\u00dfe Ltd"]
TO = ("--account", "work", "--to", "bob@lab.example")
MAIL = message(subject="plan", sender="Bob <bob@lab.example>", body="the plan\r\n-- \r\nBob\r\n",
               date="Sun, 21 Jun 2026 10:00:00 +0200")


@pytest.fixture
def signed(emcli, dovecot, postfix, tmp_path):
    (tmp_path / "signature").write_text(SIGNATURE)
    emcli.account_imap(dovecot, postfix, process_backlog=True, forward="on",
                       check_unfinished="on")
    sign(emcli, tmp_path / "signature")
    return emcli


def sign(emcli, path):
    r = emcli.admin("account", "edit", "work", "--signature-file", path)
    assert r.rc == 0, str(r)


def arrived(dovecot, r):
    assert r.rc == 0, str(r)
    raw = dovecot.wait_for("bob", r.data["message_id"].encode())
    return email.message_from_bytes(raw, policy=email.policy.default)


def lines(part):
    return part.get_content().splitlines()


def plain(got):
    return lines(got.get_body(("plain",)))


def test_it_is_below_ones_own_words_and_above_those_of_others(signed, dovecot):
    dovecot.append("agent", MAIL)
    uid = str(signed.run("list", "--account", "work").data["messages"][0]["uid"])
    sent = arrived(dovecot, signed.run("send", *TO, "--subject", "s", "--body", "hello\n"))
    assert plain(sent) == ["hello", *BELOW]
    once = arrived(dovecot, signed.run("send", *TO, "--subject", "s", "--body",
                                       "once\n\n-- \n" + SIGNATURE))
    assert plain(once) == ["once", *BELOW]
    reply = arrived(dovecot, signed.run("send", *TO, "--reply-to", uid, "--quote", "--body", "Yes"))
    # Without the line "-- ": readers hide what follows it.
    assert plain(reply) == ["Yes", "", *BELOW[2:], "",
                            "On 2026-06-21 10:00 +02:00, bob@lab.example wrote:",
                            "> the plan", "> -- ", "> Bob"]
    assert reply.get_body().get_param("format") == "flowed"
    passed = arrived(dovecot, signed.run("forward", *TO, "--uid", uid))
    assert plain(passed)[:4] == [*BELOW[2:], "", "---------- Forwarded message ----------"]


def test_a_draft_has_it_and_the_text_makes_the_draft(signed, dovecot):
    ask = ("create-draft", *TO, "--subject", "s", "--body", "hello")
    made = signed.run(*ask).data
    raw, = dovecot.messages("agent", "Drafts")
    assert plain(email.message_from_bytes(raw, policy=email.policy.default)) == ["hello", *BELOW]
    sign(signed, "")
    again = signed.run(*ask).data
    assert again["again"] and again["draft_id"] == made["draft_id"]


def test_whoever_approves_sees_what_then_leaves(signed, dovecot):
    signed.set_up("account", "edit", "work", "--outbound", "approve")
    held = signed.run("send", *TO, "--subject", "s", "--body", "hello")
    n = held.json["error_detail"]["id"]
    shown = signed.admin("approve", "show", n, "--json").json
    assert shown["text"].splitlines() == ["hello", *BELOW]
    sign(signed, "")
    r = signed.admin("approve", "release", n, "--digest", shown["digest"], "--json")
    assert r.rc == 0, str(r)
    raw = dovecot.wait_for("bob", held.json["error_detail"]["message_id"].encode())
    assert plain(email.message_from_bytes(raw, policy=email.policy.default)) == ["hello", *BELOW]


def test_the_operator_sees_it_and_takes_it_away(signed, tmp_path):
    def shown():
        return signed.admin("account", "show", "work", "--json").json["signature_file"]

    assert shown() == SIGNATURE.rstrip("\n")
    (tmp_path / "bad").write_bytes(b"a\x1b[2Jb")
    r = signed.admin("account", "edit", "work", "--signature-file", tmp_path / "bad")
    assert r.rc != 0 and "control characters" in r.err.decode()
    assert shown() == SIGNATURE.rstrip("\n")
    sign(signed, "")
    assert shown() == ""
