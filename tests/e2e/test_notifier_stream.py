# SPDX-License-Identifier: Apache-2.0
"""The notifier of a session whose mailbox is on a server, which tells it of changes over a stream
of events (RFC 8620 section 7.3).  The server is stalwartd.py: Debian's Cyrus names an address for
events and answers 204 there (test_conform.py)."""

import pathlib
import threading
import time

import pytest

import ports
import stalwartd
from test_gateway import ask
from test_notifier import Told
from test_session import until
from test_stalwart import ADDRESS, Office


class Pushed(Told, Office):
    def put(self, subject):
        self.box.put("Inbox", f"From: ci@agents.example.test\r\nTo: {ADDRESS}\r\nSubject: {subject}"
                     f"\r\nMessage-ID: <{subject}@x.test>\r\n\r\nhello\r\n".encode())

    def children(self):
        """The processes of the gateway, and theirs."""
        found, look = [], [self.writer["gateway"]["pid"]]
        while look:
            pid = look.pop()
            found.append(pid)
            try:
                text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
            except OSError:
                continue
            look += [int(p) for p in text.split()]
        return found

    def log(self):
        return (self.at / "gateway/logs/gateway.log").read_text()


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    server = stalwartd.Stalwartd("0.16")
    d = Pushed(tmp_path_factory.mktemp("pushed"), server)
    d.sit(d.stalwart())
    d.box = server.accounts[ADDRESS.lower()].box
    yield d
    d.end()
    server.stop()


def test_the_server_tells_and_the_agent_is_woken(pushed):
    """The interval is an hour: only the server can have told."""
    pushed.notifier("on", "--interval", "3600")
    pushed.until_row("empty", 0)
    for n in 1, 2:
        until(lambda: len(pushed.box.streams) == n)
        pushed.until_idle()
        since = len(pushed.rows())
        pushed.put(f"PLANTED-{n}")
        [row] = pushed.until_row("enqueued", since)
        assert row["unread_count"] == n
        until(lambda: len(pushed.prompts()) == n)
    assert pushed.box.streams[0]["types"] == "Email,Mailbox"
    assert "PLANTED" not in "".join(pushed.prompts()) + pushed.log()
    waits = pushed.good("audit", "list", "--action", "mail_wait")["audit"]
    assert [w["outcome"] for w in waits].count("ok") == 2
    # It is read elsewhere: the server tells that too, and nobody is woken.
    until(lambda: len(pushed.box.streams) == 3)
    since = len(pushed.rows())
    for m in pushed.box.inside("Inbox"):
        m.keywords.add("$seen")
    pushed.box.tell()
    pushed.until_row("empty", since)
    assert len(pushed.prompts()) == 2


def test_a_server_that_hangs_delays_nobody(pushed):
    """Not the gateway's answers, and not its end."""
    hang, asked = threading.Event(), threading.Event()

    def hangs(_):
        asked.set()
        return hang.wait()
    until(lambda: len(pushed.box.streams) == 4)
    pushed.box.http["/events/"] = hangs
    try:
        since = len(pushed.rows())
        pushed.put("third")
        assert asked.wait(30)
        begin = time.monotonic()
        # What it was told of last is looked for meanwhile.
        pushed.until_row("enqueued", since)
        assert ask(pushed.writer, "GET", "/v1/mail/status").status == 200
        assert pushed.notifier("status")["last_error"] is None
        everybody = pushed.children()
        assert len(everybody) > 4  # itself, two workers, the notifier, and who waits
        pushed.good("gateway", "stop", "--session", pushed.writer["session_id"])
        until(lambda: not any(ports.alive(p) for p in everybody))
        assert time.monotonic() - begin < 50  # it would have waited a minute
    finally:
        hang.set()
        del pushed.box.http["/events/"]


def test_without_a_stream_it_looks_from_time_to_time(pushed):
    """The address that is known from before is asked for once more, and then the session."""
    pushed.box.pushes = False
    argv = ["--session", pushed.writer["session_id"]]
    pushed.writer = {**pushed.writer, **pushed.good("gateway", "start", *argv)}
    pushed.notifier("on", "--interval", "1")
    until(lambda: "from time to time: the mail server offers no stream of events" in pushed.log())
    pushed.until_idle()
    since = len(pushed.rows())
    pushed.put("fourth")
    pushed.until_row("enqueued", since)
    assert pushed.log().count("from time to time") == 1
