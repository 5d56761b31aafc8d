# SPDX-License-Identifier: Apache-2.0
"""Sending through a mail server that refuses, breaks off, lies or waits."""

import pytest

import servers
from smtpd import Smtpd
from test_broker import until
import tlslab

TO = "bob@them.example"
PASSWORD = "lab-password-of-the-agent"
STEPS = ("greeting", "ehlo", "starttls", "ehlo2", "auth", "mail", "rcpt",
         "data")


class Sender:
    """An account whose mail leaves by the scripted server."""

    def __init__(self, emcli, dovecot):
        self.emcli, self.dovecot = emcli, dovecot

    def account(self, server, **flags):
        given = {"smtp_host": "localhost", "smtp_port": server.port,
                 "smtp_security": "starttls" if server.starttls else "tls"}
        given.update(flags)
        self.emcli.account_imap(self.dovecot, **given)

    def send(self, *to, body="hello\n.dot\n"):
        args = [x for t in to or (TO,) for x in ("--to", t)]
        return self.emcli.run("send", "--account", "work", *args,
                              "--subject", "x", "--body", body)


@pytest.fixture
def sender(emcli, dovecot):
    return Sender(emcli, dovecot)


def serve(certs, cert=None, **behaviour):
    login = {servers.address("agent"): servers.password("agent")}
    cert = cert or certs.good
    return Smtpd(cert[0], cert[1], users=login, **behaviour)


@pytest.mark.parametrize("starttls", [False, True])
def test_a_message_is_accepted(sender, certs, starttls):
    with serve(certs, starttls=starttls) as server:
        sender.account(server)
        assert sender.send().data
        (got,) = server.messages
        assert got["to"] == [TO]
        assert b"\r\n.dot\r\n" in got["data"]


@pytest.mark.parametrize("given, sent", [
    ("jo\u0308rg@them.example", "j\u00f6rg@them.example"),  # decomposed, as some keyboards write
    ("BOB@Them.Example.", "bob@them.example"),
    ('"bob"@them.example', "bob@them.example"),
    ("bob@b\u00fccher.example", "bob@xn--bcher-kva.example"),
])
def test_what_was_judged_is_what_is_sent(sender, certs, given, sent):
    """In the envelope and in the header, byte for byte, as the list has it."""
    with serve(certs) as server:
        sender.account(server, whitelist_out="on")
        sender.emcli.whitelist("out", sent)
        r = sender.send(given)
        assert r.rc == 0, str(r)
        (got,) = server.messages
        assert got["to"] == [sent]
        assert f"To: {sent}\r\n".encode() in got["data"]


def test_one_refusal_and_nothing_is_sent(sender, certs):
    with serve(certs) as server:
        sender.account(server)
        r = sender.send(TO, "reject@them.example", "defer@them.example")
        assert r.code == "rejected"
        assert "2 of 3" in r.json["error_detail"]["message"]
        assert server.messages == []
        assert b"DATA" not in server.said()


@pytest.mark.parametrize("local, code, kept", [
    ("dataerr", "rejected", 0),
    # RFC 5321 section 4.2.1: 4yz is no verdict, and 421 none on the message.
    ("tempdata", "network", 0),
    ("defer", "network", 0),
    ("bye", "network", 0),
    ("dropbefore", "unknown_outcome", 0),
    ("dropafter", "unknown_outcome", 1),
    ("garbage", "unknown_outcome", 1),
])
def test_what_became_of_it_is_said(sender, certs, local, code, kept):
    with serve(certs) as server:
        sender.account(server)
        assert sender.send(f"{local}@them.example").code == code
        assert len(server.messages) == kept


def test_what_may_be_tried_later_says_so(sender, certs):
    with serve(certs) as server:
        sender.account(server)
        r = sender.send(TO, "defer@them.example")
        assert r.code == "network"
        assert r.json["error_detail"]["message"] == \
            "the server does not accept 1 of 2 recipients now; nothing was sent"
        assert r.json["error_detail"]["next"].startswith("try again later")
        # Later there are as many of them.
        r = sender.send(TO, "many@them.example")
        assert r.code == "limit" and "accepts 1 recipients at once, not 2" in \
            r.json["error_detail"]["message"]
        assert server.messages == []


@pytest.mark.parametrize("step", [s for s in STEPS if s != "starttls"])
def test_a_server_that_is_closing_down_refuses_nothing_for_good(sender, certs, step):
    with serve(certs, starttls=step == "ehlo2", fault=(step, "bye")) as server:
        sender.account(server)
        assert sender.send().code == "network"
        assert server.messages == []


@pytest.mark.parametrize("what", ["close", "endless", "lines", "garbage"])
@pytest.mark.parametrize("step", STEPS)
def test_a_fault_before_the_dot_sends_nothing(sender, certs, step, what):
    starttls = step in ("starttls", "ehlo2")
    with serve(certs, starttls=starttls, fault=(step, what)) as server:
        sender.account(server)
        assert sender.send().code == "network"
        assert server.messages == []


def test_plain_text_behind_starttls_is_an_attack(sender, certs):
    with serve(certs, starttls=True, fault=("starttls", "inject")) as server:
        sender.account(server)
        assert sender.send().code == "network"
        assert not any(x.startswith(b"AUTH") for x in server.said())


def test_starttls_that_is_hidden_is_not_done_without(sender, certs):
    with serve(certs, starttls=True, hide_starttls=True) as server:
        sender.account(server)
        assert sender.send().code == "network"
        # Its last word is still on its way when emcli has ended.
        until(lambda: [x.split()[0] for x in server.said()] == [b"EHLO", b"QUIT"])


def test_refused_credentials_are_not_repeated(sender, certs):
    with serve(certs, echo=True) as server:
        sender.account(server, password=PASSWORD)
        r = sender.send()
        assert r.code == "auth"
        assert PASSWORD.encode() not in r.out + r.err


@pytest.mark.parametrize("name, words", [
    ("wronghost", "does not match its name"),
    ("expired", "has expired"),
    ("future", "not valid yet"),
    ("selfsigned", "not signed by a known authority"),
    ("untrusted", "not signed by a known authority"),
])
def test_a_certificate_that_proves_nothing(sender, certs, name, words):
    with serve(certs, getattr(certs, name)) as server:
        sender.account(server)
        r = sender.send()
        assert r.code == "network"
        assert words in r.json["error_detail"]["message"]
        assert server.said() == []


@pytest.mark.parametrize("name, good", [
    ("selfsigned", True), ("untrusted", True), ("wronghost", False),
    ("expired", False),
])
def test_a_pin_stands_for_the_authority_only(sender, certs, name, good):
    cert = getattr(certs, name)
    with serve(certs, cert) as server:
        sender.account(server, pin=tlslab.pin(cert[0]))
        if good:
            assert sender.send().data
        else:
            assert sender.send().code == "network"


def test_anothers_pin_is_no_use(sender, certs):
    with serve(certs, certs.untrusted) as server:
        sender.account(server, pin=tlslab.pin(certs.selfsigned[0]))
        r = sender.send()
        assert r.code == "network"
        assert "not the pinned one" in r.json["error_detail"]["message"]
        assert server.said() == []
