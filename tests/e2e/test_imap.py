# SPDX-License-Identifier: Apache-2.0
"""Reading from a mail server that refuses, breaks off, lies or floods."""

import pytest

from imapd import Imapd, message
import servers

BOX = ("--account", "work", "--folder", "INBOX")
LOGIN = {servers.address("agent"): servers.password("agent")}
OWN = "me@secret.example"  # what the server's own words name


@pytest.fixture
def served(emcli, certs):
    """Starts a server and an account on it; stops it in the end."""
    running = []

    def start(fault=None, **behaviour):
        cert, key = certs.good[:2]
        server = Imapd(cert, key, users=LOGIN, fault=fault, **behaviour)
        running.append(server.start())
        emcli.set_up(
            "account", "add", "work", "--password-stdin", "--backend", "imap",
            "--mode", "RO", "--from", servers.address("agent"),
            "--username", servers.address("agent"), "--imap-host",
            "localhost", "--imap-port", server.port, "--imap-security",
            "starttls" if server.starttls else "tls", "--ca", certs.ca,
            stdin=servers.password("agent"))
        return server

    yield start
    for server in running:
        server.stop()


def untouched(server):
    """Nothing was said that changes a flag, whatever the server did."""
    said = b"\n".join(server.said())
    assert server.flags == {}
    assert b"SELECT" not in said and b"STORE" not in said


def subjects(result):
    return [m["subject"] for m in result.data["messages"]]


@pytest.mark.parametrize("behaviour", [
    {}, {"caps": "IMAP4rev1"}, {"caps": "IMAP4rev1 AUTH=PLAIN"},
    {"caps": "IMAP4rev1 LOGINDISABLED AUTH=LOGIN"}, {"starttls": True},
    {"caps": "IMAP4rev2 AUTH=PLAIN", "more_caps": "IMAP4rev2"},
    {"more_caps": "IMAP4rev1"}, {"fault": "greeting:nocaps"},
    {"fault": "greeting:preauth"}, {"fault": "greeting:drip", "slow": 0.002},
    {"fault": "login:chatter"}, {"fault": "examine:chatter"},
    {"fault": "fetch:chatter"}, {"fault": "fetch:twin"},
    {"fault": "id:bad"}, {"fault": "examine:huge"},
], ids=str)
def test_every_kind_of_server_is_read(emcli, served, behaviour):
    server = served(**behaviour)
    assert subjects(emcli.run("list", *BOX)) == ["three", "two", "one"]
    found = emcli.run("search", *BOX, "--from", "bob@example.org")
    assert subjects(found) == ["two"]
    assert emcli.run("get", *BOX, "--uid", 2).data["text"].strip() == "hello"
    untouched(server)


def test_a_thread_costs_two_questions_for_each_folder(emcli, served):
    """However long it is: what each message names, and the headers of those that matter."""
    chain = []
    for n in range(6):
        known = f"<t{n - 1}@x.example>"
        chain.append((f"From: ann@example.net\r\nSubject: t{n}\r\nMessage-ID: <t{n}@x.example>\r\n"
                      f"Date: Sun, 21 Jun 2026 1{n}:00:00 +0000\r\n" +
                      (f"References: {known}\r\n" if n else "") + "\r\nx\r\n").encode())
    server = served(folders={"INBOX": chain, "Sent": [message("other")], "Drafts": []})
    data = emcli.run("read-thread", "<t2@x.example>", "--account", "work").data
    assert [m["subject"] for m in data["messages"]] == [f"t{n}" for n in range(6)]
    asked = [line for line in server.said() if b"FETCH" in line or b"SEARCH" in line]
    assert len(asked) <= 2 * 3, asked
    untouched(server)


def test_the_pages_of_a_search_are_of_one_search(emcli, served):
    """A server looks through the whole folder each time it is asked."""
    many = [(f"From: ann@example.net\r\nSubject: t{n}\r\nMessage-ID: <t{n}@x.example>\r\n"
             "Date: Sun, 21 Jun 2026 10:00:00 +0000\r\n\r\nx\r\n").encode() for n in range(1100)]
    server = served(folders={"INBOX": many, "Sent": [], "Drafts": []})
    data = emcli.run("list-recent-threads", "--account", "work", "--since", "9000d",
                     "--limit", 500).data
    assert len(data["threads"]) == 500 and data["truncated"]
    assert sum(b"UID SEARCH" in line for line in server.said()) == 1
    untouched(server)


def test_without_a_folder_for_what_is_sent_nobody_says_that_nothing_was(emcli, served):
    served(folders={"INBOX": [message("one")]})
    assert emcli.admin("source", "set", "work", "--role", "primary").rc == 0
    source, = emcli.run("sources").data["sources"]
    assert source["supports"]["list_sent_since"] is False
    ask = "list-sent-since", "<one.ann@example.net>", "--since", "2026-06-01"
    for who in (), ("--account", "work"):
        assert emcli.run(*ask, *who).code == "unsupported"
    # An operator may name one.
    assert emcli.admin("account", "edit", "work", "--sent-folder", "INBOX").rc == 0
    assert emcli.run(*ask).data["messages"] == []


@pytest.mark.parametrize("fault, code", [
    *[(f"{step}:{what}", "network")
      for step in ("greeting", "login", "examine", "fetch")
      for what in ("close", "bye", "garbage", "cut:20", "tag", "continue")],
    *[(f"{step}:endless", "limit")
      for step in ("greeting", "login", "examine", "fetch")],
    ("login:no", "auth"), ("login:bad", "auth"),
    ("login:no:UNAVAILABLE", "network"),
    ("examine:no", "not_found"), ("examine:no:INUSE", "network"),
    ("examine:bad", "network"), ("fetch:no", "network"),
    ("fetch:bad", "network"),
    ("fetch:literal:4294967295", "limit"),
    ("fetch:literal:18446744073709551615", "limit"),
    ("fetch:literal:99999999999999999999", "limit"),
    ("fetch:literal:-1", "network"), ("fetch:literal: 5", "network"),
])
def test_a_bad_server_is_a_clean_error(emcli, served, fault, code):
    server = served(fault)
    r = emcli.run("list", *BOX)
    assert r.code == code
    assert OWN not in r.json["error_detail"]["message"]
    untouched(server)


@pytest.mark.parametrize("fault", ["fetch:deep", "fetch:wide", "fetch:bodyonly"])
def test_what_was_not_asked_is_not_there(emcli, served, fault):
    served(fault)
    assert subjects(emcli.run("list", *BOX)) == []


def test_a_body_of_another_message_is_not_taken(emcli, served):
    served("fetch:uid")
    assert emcli.run("get", *BOX, "--uid", 1).code == "not_found"


def test_nothing_is_said_before_tls(emcli, served):
    server = served("starttls:inject", starttls=True)
    assert emcli.run("list", *BOX).code == "network"
    assert not any(b"LOGIN" in x or b"AUTH" in x for x in server.said())


@pytest.mark.parametrize("behaviour", [
    {"hide_starttls": True}, {"fault": "greeting:preauth"},
    {"fault": "starttls:no"},
], ids=str)
def test_no_tls_no_login(emcli, served, behaviour):
    server = served(starttls=True, **behaviour)
    assert emcli.run("list", *BOX).code == "network"
    assert not any(b"LOGIN" in x or b"AUTH" in x for x in server.said())


def test_a_server_without_utf8_is_searched_by_header(emcli, served):
    box = [message("=?utf-8?q?Gr=C3=BC=C3=9Fe?="), message("none")]
    served("search:badcharset", folders={"INBOX": box})
    found = emcli.run("search", *BOX, "--subject-contains", "Grüße")
    assert subjects(found) == ["Grüße"]
    assert emcli.run("search", *BOX, "--text", "Grüße").code == "unsupported"


@pytest.mark.parametrize("fault", ["search:alien", "search:range"])
def test_uids_that_do_not_exist_are_passed_over(emcli, served, fault):
    served(fault)
    r = emcli.run("search", *BOX, "--from", "nobody@example.net")
    assert subjects(r) in ([], ["three", "two", "one"])


def test_a_search_of_many_is_one_long_line(emcli, served):
    """30000 uids are more than the 64 KiB of a wire's buffer."""
    server = served(folders={"INBOX": [message("same")] * 30000},
                    more_caps="IMAP4rev1")
    r = emcli.run("search", *BOX, "--subject-contains", "same")
    assert len(r.data["messages"]) == 50
    untouched(server)


def test_too_many_folders(emcli, served):
    served("list:many")
    assert emcli.run("folders", "--account", "work").code == "limit"
