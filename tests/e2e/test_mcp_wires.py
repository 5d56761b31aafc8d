# SPDX-License-Identifier: Apache-2.0
"""
A session of `emcli mcp` keeps its connections: a process of its own holds them,
and its calls borrow them.
"""

import contextlib
import os
import pathlib
import signal
import threading

import pytest

import flights
import ports
import servers
from imapd import Imapd
from listener import Hangup
from mail import message
from test_broker import until
from test_mcp import MODERN, Host, sessions

BOX = {"account": "mail", "folder": "INBOX"}
ME = servers.address("agent")


@pytest.fixture
def imap(certs):
    server = Imapd(*certs.good[:2], users={ME: servers.password("agent")})
    server.start()
    yield server
    server.stop()


@pytest.fixture
def session(emcli, imap, certs):
    """begin(): a session of its own."""
    emcli.set_up("account", "add", "mail", "--password-stdin", "--backend", "imap", "--mode", "RW",
                 "--from", ME, "--username", ME, "--imap-host", "localhost",
                 "--imap-port", imap.port, "--imap-security", "tls", "--ca", certs.good[2],
                 "--process-backlog", stdin=servers.password("agent"))
    with sessions(emcli, "--always") as make:
        yield lambda: make(revision=MODERN)


@pytest.fixture
def host(session):
    return session()


def logins(imap):
    return sum(b"AUTHENTICATE" in line or b"LOGIN " in line for line in imap.said())


def processes(host, name):
    """Those of the session with that name."""
    children = pathlib.Path(f"/proc/{host.proc.pid}/task/{host.proc.pid}/children")
    found = []
    for pid in map(int, children.read_text().split()):
        with contextlib.suppress(OSError):  # a call's, which has just ended
            if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == f"emcli {name}":
                found.append(pid)
    return found


def subjects(host):
    return [m["subject"] for m in host.data("list", **BOX)["messages"]]


def test_sixteen_calls_make_one_login(session, imap, emcli):
    # A wire that has not said yet that it is free is not lent: then it is another,
    # and another session is tried.
    for n in range(1, 6):
        host = session()
        alone = emcli.run("list", "--account", "mail", "--folder", "INBOX").data
        before = logins(imap)
        for _ in range(14):
            assert host.data("list", **BOX) == alone
        # Mail that came meanwhile is seen, and other calls have the same connection.
        box = imap.folders["INBOX"]
        imap.folders = {**imap.folders, "INBOX": [*box, box[0]]}
        assert len(subjects(host)) == len(box) + 1
        assert host.data("get", **BOX, uid=1)["subject"] == "one"
        assert host.data("ack", **BOX, uid=[n])["acked"] == [n]
        made = logins(imap) - before, len(processes(host, "wire")), len(processes(host, "keeper"))
        pids = processes(host, "keeper") + processes(host, "wire")
        assert host.end()[0] == 0
        until(lambda pids=pids: not any(os.path.exists(f"/proc/{pid}") for pid in pids), 60)
        if made == (1, 1, 1):
            break
    assert made == (1, 1, 1)


def close_it(session, data):
    session.send(data)
    raise Hangup


def test_a_connection_that_was_lost_is_made_again(host, imap, emcli):
    rows = subjects(host)
    imap.fault = ("fetch", close_it)
    assert subjects(host) == rows
    imap.fault = (None, None)
    before = logins(imap)
    for who in "wire", "keeper":
        for pid in processes(host, who):
            with contextlib.suppress(ProcessLookupError):  # that of the lost connection
                os.kill(pid, signal.SIGKILL)
            until(lambda pid=pid: not ports.alive(pid))
        # For a moment after its death the keeper is not started again.
        assert subjects(host) == rows and subjects(host) == rows, who
    assert logins(imap) > before
    emcli.set_up("account", "edit", "mail", "--password-stdin", stdin="wrong")
    assert host.call("list", **BOX)["error_detail"]["code"] == "auth"


def test_a_cancelled_call_leaves_nothing(host, imap):
    rows = subjects(host)
    waits, go_on = threading.Event(), threading.Event()

    def wait(session, data):
        waits.set()
        go_on.wait(30)
        raise Hangup

    imap.fault = ("fetch", wait)
    wanted = host.send("tools/call", name="list", arguments=BOX)
    assert waits.wait(20)
    imap.fault = (None, None)
    # It would end by itself, a moment later.
    for pid in processes(host, "wire"):
        os.kill(pid, signal.SIGSTOP)
    host.note("notifications/cancelled", requestId=wanted)
    assert subjects(host) == rows
    go_on.set()
    assert subjects(host) == rows


def test_a_warm_call_is_two_round_trips(emcli, dovecot, certs):
    """At most; one, for what is new."""
    dovecot.append("agent", message(subject="old"), "INBOX")
    with flights.Flights(certs.good, dovecot.imaps) as proxy:
        emcli.account_imap(dovecot, imap_port=proxy.port, name="mail")
        host = Host(emcli, "--always", revision=MODERN)
        # What is new begins above a uid, whatever the server's uids begin with.
        host.data("list", **BOX)
        uids = [dovecot.append("agent", message(subject=f"note {n}"), "INBOX") for n in range(6)]
        proxy.take(kept=True)

        def made(trips, tool, **more):
            """A wire that has not said yet that it is free is not lent: then it is another."""
            for _ in range(5):
                got = host.data(tool, **BOX, **more)
                told, said = proxy.take(kept=True)
                if told == trips:
                    return got
            raise AssertionError((told, tool, more, said))

        for trips, tool, more in ((2, "list", {}), (2, "list", {"limit": 2}),
                                  (1, "list", {"new": True}), (2, "search", {"text": "note"}),
                                  (2, "get", {"uid": uids[0]}), (1, "ack", {"uid": uids[:5]}),
                                  (1, "list", {"new": True}), (1, "list", {"new": True})):
            got = made(trips, tool, **more)
        assert [m["uid"] for m in got["messages"]] == uids[5:]
        more = dovecot.append("agent", message(subject="more"), "INBOX")
        got = made(1, "list", new=True)
        assert [m["uid"] for m in got["messages"]] == [more, uids[5]]
        assert host.end()[0] == 0
