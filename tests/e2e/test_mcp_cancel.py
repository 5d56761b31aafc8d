# SPDX-License-Identifier: Apache-2.0
"""Calls over HTTP that are not wanted any more, and streams that say nothing."""

import contextlib
import http.client
import json
import os
import pathlib
import signal
import time

import pytest

import servers
from smtpd import Smtpd
from test_mcp import work  # noqa: F401
from test_mcp_http import (LEGACY, META, MODERN, Client, serve, tarpit,  # noqa: F401
                           token)


def during(c, tarpit):
    """A slow call of that client, under way: a connection, its id, the mail server's end."""
    conn = c.open("tools/call", name="folders", arguments={"account": "slow"})
    return conn, c.ids, tarpit.accept()[0]


def cancel(c, *which):
    status, _, got = c.post("notifications/cancelled", {"requestId": w for w in which},
                            notice=True)
    assert status == 202 and got is None


def ended(held, seconds=30):
    """Is the call that holds it gone, within that time?  By itself it is after a minute."""
    held.settimeout(seconds)
    try:
        while held.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    held.close()
    return True


def unanswered(conn):
    """Its stream ended, and there was nothing in it."""
    r = conn.getresponse()
    got = r.status, r.headers["Content-Type"], r.read()
    conn.close()
    return got == (200, "text/event-stream", b"")


@pytest.mark.parametrize("revision", LEGACY)
def test_a_cancelled_call_ends(work, serve, tarpit, revision):
    server, key = serve("--always", "--workers", "3"), token(work)
    c, sister = Client(server, key, revision), Client(server, key, revision)
    stranger = Client(server, token(work, "other"), revision)
    conn, running, held = during(c, tarpit)
    for who in sister, stranger:
        for _ in range(3):
            cancel(who, running)
    for wrong in running + 1, str(running), None, [running], {}, "x" * 300, -running:
        cancel(c, wrong)
    cancel(c)
    assert not ended(held, 1), "none of these is the call"
    cancel(c, running)
    assert ended(held) and unanswered(conn)
    # What is done already is no matter, and the session goes on.
    cancel(c, running)
    assert c.data("folders", account="work")


def test_a_call_named_by_a_text_is_cancelled(work, serve, tarpit):
    c = Client(serve("--always", "--workers", "2"), token(work), LEGACY[1])
    body, heads = c.message("tools/call", {"name": "folders", "arguments": {"account": "slow"}})
    name = "caf\u00e9 1\n2"
    conn = c.begin("POST", json.dumps({**json.loads(body), "id": name}), **heads)
    held = tarpit.accept()[0]
    cancel(c, "caf\u00e9 1")
    assert not ended(held, 1)
    cancel(c, name)
    assert ended(held) and unanswered(conn)


def test_calls_are_cancelled_after_a_worker_died(work, serve, tarpit):
    server, key = serve("--always", "--workers", "1"), token(work)
    c = Client(server, key, LEGACY[1])
    conn, first, held = during(c, tarpit)
    before = server.settled(1)
    os.kill(int(before[0]), signal.SIGKILL)
    server.settled(1, but=before)
    assert ended(held), "a read does not outlive its worker"
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        conn.getresponse()
    conn, second, held = during(c, tarpit)
    cancel(c, first)
    assert not ended(held, 1)
    cancel(c, second)
    assert ended(held) and unanswered(conn)


def test_hanging_up_alone_cancels_a_modern_call(work, serve, tarpit):
    c = Client(serve("--always", "--workers", "1"), token(work))
    conn, running, held = during(c, tarpit)
    cancel(c, running)
    assert not ended(held, 1)
    conn.close()
    assert ended(held)


def test_hanging_up_at_any_moment_cancels(work, serve, tarpit):
    """Also while its process is on its way to who is called."""
    c = Client(serve("--always", "--workers", "1"), token(work))
    tarpit.settimeout(0.5)
    for ms in range(0, 40, 3):
        conn = c.open("tools/call", name="folders", arguments={"account": "slow"})
        time.sleep(ms / 1000)
        conn.close()
        try:
            held = tarpit.accept()[0]
        except TimeoutError:
            continue
        assert ended(held), ms


def test_hanging_up_cancels_no_legacy_call(work, serve, tarpit):
    c = Client(serve("--always", "--workers", "1"), token(work), LEGACY[0])
    conn, running, held = during(c, tarpit)
    conn.close()
    assert not ended(held, 1)
    cancel(c, running)
    assert ended(held)


@pytest.fixture
def smtp(work, dovecot, certs):
    """The server of the account `out`; it takes its time for one recipient."""
    login = {servers.address("agent"): servers.password("agent")}
    with Smtpd(certs.good[0], certs.good[1], users=login, slow=2) as server:
        work.account_imap(dovecot, name="out", smtp_host="localhost", smtp_port=server.port,
                          smtp_security="tls")
        yield server


def letter(to):
    return {"name": "send", "arguments": {"account": "out", "to": [to], "subject": "x",
                                          "body": "y", "idempotency_key": "k"}}


def settled(c):
    """The one worker has seen what was sent to it before: these came later, and are answered."""
    for _ in range(3):
        cancel(c)


def wait(true, seconds=60):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    assert true()


def is_sent(c):
    got = c.call("send_status", account="out", idempotency_key="k")
    return got["data"].get("state") == "sent"


@pytest.mark.parametrize("revision", [LEGACY[1], MODERN])
def test_a_send_is_not_cut_off(work, serve, smtp, revision):
    c = Client(serve("--always", "--workers", "2"), token(work), revision)
    conn = c.open("tools/call", **letter("slow@them.example"))
    wait(lambda: any(line.startswith(b"RCPT ") for line in smtp.said()))
    if revision == MODERN:
        conn.close()
    else:
        cancel(c, c.ids)
        assert unanswered(conn)
    wait(lambda: is_sent(c))
    assert len(smtp.messages) == 1


@pytest.mark.parametrize("revision", [LEGACY[1], MODERN])
def test_a_send_whose_client_left_before_its_turn(work, serve, smtp, tarpit, revision):
    c = Client(serve("--always", "--workers", "1"), token(work), revision)
    slow = [during(c, tarpit) for _ in range(8)]
    # This one has to wait, and by the modern revision to hang up is to cancel.
    c.open("tools/call", **letter("them@them.example")).close()
    settled(c)
    assert smtp.said() == []
    for conn, _, held in slow:
        held.close()
        assert conn.getresponse().status == 200
    if revision == MODERN:
        assert c.call("folders", account="work")["error"] is False, "others have their turn"
        assert not is_sent(c) and smtp.said() == []
    else:
        wait(lambda: is_sent(c))


def test_cancelling_does_not_wait_for_what_it_cancels(work, serve, tarpit):
    c = Client(serve("--always", "--workers", "1"), token(work), LEGACY[1])
    slow = [during(c, tarpit) for _ in range(8)]
    at = time.monotonic()
    for conn, running, held in slow:
        cancel(c, running)
        assert ended(held) and unanswered(conn)
    assert time.monotonic() - at < 30, "the calls would have ended after a minute"


def test_what_was_cancelled_before_its_turn_is_not_begun(work, serve, smtp, tarpit):
    c = Client(serve("--always", "--workers", "1"), token(work), LEGACY[1])
    slow = [during(c, tarpit) for _ in range(8)]
    conn = c.open("tools/call", **letter("them@them.example"))
    settled(c)
    cancel(c, c.ids)
    for one, _, held in slow:
        held.close()
        assert one.getresponse().status == 200
    assert unanswered(conn) and smtp.said() == []
    # A client that uses its numbers again is heard.
    c.ids -= 1
    assert c.call("folders", account="work")["error"] is False
    assert not is_sent(c)


# -- streams


@pytest.fixture
def vast(emcli, tmp_path):
    """An archive that takes a while to read, and a call that says how far it got."""
    path = tmp_path / "vast.mbox"
    path.write_bytes(b"From a@lab.example Sun Jun 21 00:00:00 2026\nSubject: x\n\n")
    os.truncate(path, 8 << 30)
    r = emcli.admin("account", "add", "vast", "--backend", "mbox", "--path", path,
                    "--process-backlog")
    assert r.rc == 0, str(r)
    return {"name": "list", "arguments": {"account": "vast", "folder": "INBOX"}}


class Stream:
    """That call's, whose process stands still once the first event came."""

    def __init__(self, c, vast):
        meta = {"progressToken": "p"}
        if c.revision == MODERN:
            meta.update({META + "protocolVersion": MODERN, META + "clientCapabilities": {}})
        self.conn = c.open("tools/call", **vast, _meta=meta)
        self.r = self.conn.getresponse()
        assert self.r.status == 200 and self.r.headers["Content-Type"] == "text/event-stream"
        assert self.r.headers["X-Accel-Buffering"] == "no"
        event = self.event()
        (self.worker,) = c.server.settled(1)
        (self.pid,) = self.calls()
        os.kill(int(self.pid), signal.SIGSTOP)
        assert b"notifications/progress" in event

    def calls(self):
        return pathlib.Path(f"/proc/{self.worker}/task/{self.worker}/children") \
            .read_text().split()

    def event(self):
        got = b""
        while not got.endswith(b"\n\n"):
            line = self.r.readline()
            if not line:
                break
            got += line
        return got

    def ends(self):
        """
        Before it can have come to its own end?  It runs for a moment, again and
        again, and whoever ends it has as long as a busy machine needs.
        """
        for _ in range(30):
            time.sleep(1)
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(self.pid), signal.SIGCONT)
                time.sleep(0.05)
                os.kill(int(self.pid), signal.SIGSTOP)
            if self.pid not in self.calls():
                return True
        return False


def test_closing_its_stream_cancels_a_modern_call(work, serve, vast):
    c = Client(serve("--always", "--workers", "1"), token(work))
    s = Stream(c, vast)
    s.r.close()
    s.conn.close()
    assert s.ends()


def test_the_stream_of_a_cancelled_call_ends(work, serve, vast):
    c = Client(serve("--always", "--workers", "1"), token(work), LEGACY[1])
    s = Stream(c, vast)
    cancel(c, c.ids)
    assert s.ends()
    # Events that were on their way by then may still come; no answer does.
    while got := s.event():
        assert b"notifications/progress" in got
    assert c.data("folders", account="work")


def test_a_quiet_stream_says_something(work, serve, vast, tmp_path):
    os.truncate(tmp_path / "vast.mbox", 2 << 30)
    c = Client(serve("--always", "--workers", "1"), token(work))
    s = Stream(c, vast)
    at = time.monotonic()
    while b"notifications/progress" in (got := s.event()):
        pass
    assert got == b":\n\n" and time.monotonic() - at < 30
    os.kill(int(s.pid), signal.SIGCONT)
    while b"notifications/progress" in (got := s.event()):
        pass
    assert json.loads(got.removeprefix(b"data: "))["result"]["isError"] is False
    assert s.event() == b""
