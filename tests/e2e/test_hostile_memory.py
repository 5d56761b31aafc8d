# SPDX-License-Identifier: Apache-2.0
"""
What a server may cost in memory.

Each row is measured with the plain build and a deadline that a flood on the
loopback does not reach: what ends it must be a limit.  The cap is one for all,
and what the agent asked for is small.
"""

import pytest

import cli
import hostile
from hostile import MAIL, MIB
from imapd import Hangup, Imapd
import servers

LOGIN = {servers.address("agent"): servers.password("agent")}
PATIENCE = 180  # seconds a command has here: half a minute of them are its own
CAP = 200 * MIB
HEAD = b"BODY[HEADER.FIELDS (FROM)]"
ANN = b"From: ann@example.net\r\nX: "
EVE = b"From: eve@evil.example\r\nX: "


def fetch(n, uid, name, data):
    return b"* %d FETCH (UID %d %s {%d}\r\n%s)\r\n" % (n, uid, name, len(data),
                                                     data)


def flood(chunk, first=b"", times=0):
    """The same again and again, until the client has had enough."""
    def spoil(session, _):
        for _ in range(times):
            session.sock.sendall(first)
        big = chunk * (1 + 200000 // len(chunk))
        while not session.server.stopping.is_set():
            session.sock.sendall(big)
        raise Hangup
    return spoil


# As many as together were over the cap; then what is cheap to read.
def costly(response):
    return flood(NOTICE, response, 6)


def bodies(size):
    """Headers as they are; then the message again and again."""
    again = flood(fetch(1, 1, b"BODY[]", b"b" * size))

    def spoil(session, data):
        last = [x for who, x in session.server.log if who == "C"][-1]
        if b"BODY.PEEK[]" not in last:
            return session.send(data)
        again(session, data)
    return spoil


def heads(n, head):
    """A folder of n messages with this header, whatever was asked for."""
    def spoil(session, _):
        for i in range(1, n + 1):
            session.sock.sendall(fetch(i, i, HEAD, head))
        session.send(session.tag + b" OK done\r\n")
    return spoil


def to(size):
    """A header with as many addresses as fit into so many bytes."""
    one = b"=?utf-8?q?a=C3=A9?= <a@b.example>,\r\n "
    return ANN + b"x\r\nTo: " + one * (size // len(one)) + b"c@d.example\r\n\r\n"


def odd(n):
    return b" ".join(b"%d" % (i % 10) for i in range(1, n, 2))


NOTICE = b"* OK " + b"x" * 8000000 + b"\r\n"
BIG = ANN + b"x" * 500000 + b"\r\n\r\n"
LIST = ("list", "--folder", "INBOX")
PAGE = LIST + ("--limit", "500")
SINCE = LIST + ("--since", "1")
GET = ("get", "--folder", "INBOX", "--uid", "1")

# name, command, fault, what it may end in, how many messages there are
ROWS = [
    ("uids", SINCE, ("search", flood(b"* SEARCH " + odd(4000000) + b"\r\n")),
     "limit", 4),
    ("sets", SINCE, ("search", flood(b'* ESEARCH (TAG "x") UID ALL ' +
                                     odd(4000000).replace(b" ", b",") +
                                     b"\r\n")), "limit", 4),
    ("same-header", LIST, ("fetch", flood(fetch(1, 1, HEAD, BIG))), "limit",
     4),
    ("quoted-header", LIST, ("fetch", flood(
        b"* 1 FETCH (UID 1 " + HEAD + b' "' + b"\\a" * 3000000 + b'")\r\n')),
     "limit", 4),
    ("literals", LIST, ("fetch", flood(b"* X {500000}\r\n" + b"b" * 500000 +
                                       b"\r\n")), "limit", 4),
    ("empty-literals", LIST, ("fetch", flood(
        b"* 1 FETCH (" + b"{0}\r\n" * 120000 + b")\r\n")), "limit", 4),
    ("nodes", LIST, ("fetch", costly(b"* 1 FETCH (" + b"()" * 1100000 +
                                     b")\r\n")), "limit", 4),
    ("most-nodes", LIST, ("fetch", costly(b"* 1 FETCH (UID 1 X (" +
                                          b"()" * 999900 + b"))\r\n")),
     "limit network", 4),
    ("small-bodies", GET, ("fetch", bodies(100000)), "limit", 4),
    ("big-bodies", GET, ("fetch", bodies(60 * MIB)), "limit", 4),
    ("bodies-unasked", LIST, ("fetch", bodies(60 * MIB)), "ok", 4),
    ("bad-names", ("folders",), ("list", flood(
        b'* LIST () "/" "\xff' + b"a" * 1000 + b'"\r\n')), "limit", 4),
    ("long-names", ("folders",), ("list", flood(
        b'* LIST () "/" "' + b"&AOk-" * 200 + b'"\r\n')), "limit", 4),
    ("long-line", LIST, ("fetch", "endless"), "limit", 4),
    ("notices", LIST, ("fetch", flood(NOTICE)),
     "limit", 4),
    ("capabilities", LIST, ("login", flood(b"* CAPABILITY" + b" XXXXXXX" * 900000 +
                                           b"\r\n")), "limit", 4),
    ("hidden", PAGE, ("fetch", heads(500, EVE + b"x" * 250000 + b"\r\n\r\n")),
     "ok limit", 500),
    ("addresses", PAGE, ("fetch", heads(500, to(250000))), "ok limit", 500),
    ("long-headers", PAGE, ("fetch", heads(500, BIG)), "ok limit", 500),
]


@pytest.fixture(scope="module")
def lane(certs, tmp_path_factory):
    emcli = cli.Emcli(tmp_path_factory.mktemp("memory") / "emcli")
    emcli.init()

    def start(_):
        server = Imapd(certs.good[0], certs.good[1], users=LOGIN,
                       folders=dict(MAIL)).start()
        server.messages = []
        return server

    field = hostile.Field(emcli, start, lambda server: {
        "imap_port": server.port, "ca": certs.ca}, 1)
    emcli.admin("config", "set", "timeout_seconds", PATIENCE)
    yield field
    field.stop()


@pytest.mark.parametrize("row", ROWS, ids=[r[0] for r in ROWS])
def test_memory_has_an_end(lane, row):
    name, command, fault, ends, n = row
    at = lane.lanes[0]
    at.server.log.clear()
    at.server.fault = fault
    at.server.folders["INBOX"] = (MAIL["INBOX"] * n)[:n]
    r = hostile.measure(at.emcli, command[0], "--account", at.name,
                        *command[1:])
    hostile.audit(r, servers.password("agent"), PATIENCE)
    assert r.outcome in ends.split(), str(r)
    assert r.peak < CAP, f"{r.peak // MIB} MiB: {r}"
    print(f"{name}: {r.peak // MIB} MiB, {r.seconds:.1f} s, {r.outcome}")
