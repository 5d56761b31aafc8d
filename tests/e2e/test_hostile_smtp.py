# SPDX-License-Identifier: Apache-2.0
"""
An SMTP server that waits, dribbles, mumbles and overruns.

test_smtp.py has the refusals and the plain breaks; here is the rest, for send
and for doctor, with the same promises as of a hostile IMAP server.
"""

import pytest

import cli
import hostile
from hostile import MAIL
from imapd import Imapd
import servers
from smtpd import Hangup, Smtpd

LOGIN = {servers.address("agent"): servers.password("agent")}
STEPS = ("greeting", "ehlo", "auth", "mail", "rcpt", "data", "dot")
PROBED = ("connect", "greeting", "ehlo", "auth")
ROWS = []
PATIENCE = 20  # seconds, where a run must come as far as the fault


def row(name, step, what, ends="network", commands=None):
    """At the dot nobody can know what became of the message."""
    if step == "dot" and ends == "network":
        ends = "unknown_outcome"
    commands = commands or ["send"] + ["doctor"] * (step in PROBED)
    ROWS.append((name, (step, what), commands, set(ends.split())))


def trickle(data):
    """A byte each second: not done before any command's time is."""
    assert len(data) > PATIENCE

    def spoil(session):
        for i in range(len(data)):
            if session.server.stopping.wait(1):
                raise Hangup
            session.sock.sendall(data[i:i + 1])
    return spoil


def then_close(data):
    def spoil(session):
        session.send(data)
        raise Hangup
    return spoil


def then_stall(data):
    def spoil(session):
        session.send(data)
        session.wait()
        raise Hangup
    return spoil


def endlessly(data):
    def spoil(session):
        while not session.server.stopping.is_set():
            session.sock.sendall(data)
        raise Hangup
    return spoil


def ask_forever(session):
    while True:
        session.send(b"334 VXNlcm5hbWU6\r\n")
        session.line()


def offers(*lines):
    return b"".join(b"250-%s\r\n" % x for x in lines) + b"250 HELP\r\n"


row("stall", "connect", "stall")
row("close", "connect", "close")
row("plain-text", "connect", b"220 hello\r\n")
for step in STEPS:
    row("stall", step, "stall")
    row("drip", step, trickle(b"250-one\r\n250-two\r\n250 three\r\n"))
    row("half-line-close", step, then_close(b"250"))
    row("half-line-stall", step, then_stall(b"250 o"))
    row("half-reply-close", step, then_close(b"250-more\r\n"))
    row("half-reply-stall", step, then_stall(b"250-more\r\n"))
    row("continued-forever", step, endlessly(b"250-x\r\n" * 10000))
    row("long-line", step, b"250 " + b"x" * 100000 + b"\r\n")
    row("mixed", step, "mixed")
    row("two-digits", step, b"25 x\r\n")
    row("four-digits", step, b"2500 x\r\n")
    row("code-000", step, b"000 x\r\n")
    row("code-999", step, b"999 x\r\n")
    row("minus", step, b"-250 x\r\n")
    row("empty-line", step, b"\r\n")
    row("nul", step, b"\x00\x00\x00 x\r\n")
    row("8bit-first", step, b"\xb2\xb5\xb0 x\r\n")
    row("imap", step, b"* OK hello\r\n")
    row("asks", step, b"334 \r\n")
    row("goes-on", step, b"354 go\r\n",
        "network unknown_outcome" + " rejected" * (step == "data"))
    row("refusal", step, b"550 \xff\xfe\x1b[2J\x00 no\r\n",
        "rejected network auth")
row("forever", "auth", ask_forever)
row("garbage-challenge", "auth", b"334 !!!!\r\n")
row("no-auth", "ehlo", offers(b"PIPELINING"), "auth ok")
row("odd-auth", "ehlo", offers(b"AUTH", b"AUTH=PLAIN", b"AUTH "), "auth ok")
row("many-auth", "ehlo", offers(b"AUTH " + b"X " * 1900 + b"PLAIN"),
    "ok auth network")
row("size-overflow", "ehlo",
    offers(b"SIZE 99999999999999999999999", b"AUTH PLAIN"), "ok")
row("size-1", "ehlo", offers(b"SIZE 1", b"AUTH PLAIN"), "limit ok")
row("size-text", "ehlo", offers(b"SIZE -1", b"SIZE x", b"AUTH PLAIN"), "ok")
row("starttls-again", "ehlo", offers(b"STARTTLS", b"AUTH PLAIN"), "ok")
row("extra-replies", "ehlo", offers(b"AUTH PLAIN") + b"250 more\r\n" * 3,
    "network auth")
# Everything up to the last 250, before a word was asked.
row("all-answers-ahead", "greeting",
    b"220 x\r\n" + offers(b"AUTH PLAIN") + b"235 in\r\n250 ok\r\n250 ok\r\n"
    b"354 go\r\n250 queued\r\n")
row("all-answers-ahead", "ehlo", offers(b"AUTH PLAIN") + b"235 in\r\n"
    b"250 ok\r\n250 ok\r\n354 go\r\n250 queued\r\n")
row("all-answers-ahead", "auth",
    b"235 in\r\n250 ok\r\n250 ok\r\n354 go\r\n250 queued\r\n",
    commands=["send"])
row("all-answers-ahead", "data", b"354 go\r\n250 queued\r\n")
row("refused-before-the-dot", "data", b"354 go\r\n552 too big\r\n",
    "rejected")
row("welcome-unasked", "greeting", b"220 x\r\n235 in\r\n", "network auth")


@pytest.fixture(scope="module")
def runs(certs, tmp_path_factory, request):
    mailbox = Imapd(certs.good[0], certs.good[1], users=LOGIN,
                    folders=MAIL).start()

    def start(_):
        server = Smtpd(certs.good[0], certs.good[1], users=LOGIN).start()
        server.flags = {}
        return server

    def field(lanes, timeout):
        emcli = cli.Emcli(tmp_path_factory.mktemp("smtp") / "emcli")
        emcli.init()
        return hostile.Field(emcli, start, lambda server: {
            "imap_port": mailbox.port, "ca": certs.ca, "smtp_host": "localhost",
            "smtp_port": server.port, "smtp_security": "tls"}, lanes, timeout=timeout)

    # Of a command that was given little time one end is always "network".
    quick, patient = field(4, hostile.TIMEOUT), field(3, PATIENCE)
    yield {**quick.hear(request, lambda ends: "network" in ends),
           **patient.hear(request, lambda ends: "network" not in ends)}
    quick.stop()
    patient.stop()
    mailbox.stop()


@pytest.mark.parametrize("row", ROWS, ids=[f"{r[1][0]}-{r[0]}" for r in ROWS])
def test_fault(runs, row, request):
    _, (step, _), _, ends = row
    for command, future in runs[request.node.name]:
        r = future.result()
        hostile.audit(r, servers.password("agent"))
        want = ends | {"config"} if command == "doctor" and ends != {"ok"} \
            else ends
        assert r.outcome in want, f"{command}: {r}"
        assert b"\x1b" not in r.out and b"\\u001b" not in r.out
        assert "limit" not in ends or command != "send" or \
            r.outcome == "limit"
        if command == "doctor" or r.outcome not in ("ok", "unknown_outcome"):
            assert step == "dot" or r.messages == [], f"{command}: {r}"
