# SPDX-License-Identifier: Apache-2.0
"""Waiting for new mail: what wakes a caller, what does not, and where the next call goes on."""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time

import pytest

import jmapd
import servers
import test_jmap
from conftest import Site
from mail import message
from test_broker import A, House, become, until

WATCH = ("watch", "--account", "work", "--folder", "INBOX")
SEEN, HIDDEN = "alice@lab.example", "eve@elsewhere.example"
LISTED = {"whitelist_in": "on"}


class Box:
    """An account in which alice may be seen, and how mail comes into it."""

    ends, quick = (), True

    def __init__(self, emcli, put):
        self.emcli, self.put = emcli, put
        emcli.whitelist("in", SEEN)

    def mail(self, sender=SEEN):
        self.put(message(sender=sender))

    def run(self, *argv):
        return self.emcli.run(*WATCH, *argv)

    def start(self, *argv):
        """And when it waits: an answer is right before that, too, but is no test of it."""
        env = self.emcli.environment(EMCLI_KEY=self.emcli.agent_key)
        p = self.emcli.start([*WATCH, *argv], env)
        time.sleep(0.7)
        return p


@contextlib.contextmanager
def maildir(emcli, request):
    site = request.getfixturevalue("site")
    emcli.account_maildir(site.path, **LISTED)
    yield Box(emcli, lambda raw: site.deliver("agent", raw))


@contextlib.contextmanager
def imap(emcli, request):
    dovecot = request.getfixturevalue("dovecot")
    emcli.account_imap(dovecot, **LISTED)
    yield Box(emcli, lambda raw: dovecot.append("agent", raw))


@contextlib.contextmanager
def jmap(emcli, request):
    server = jmapd.Jmapd()
    test_jmap.add(emcli, server.url, process_backlog=False, **LISTED)
    yield Box(emcli, lambda raw: server.put("Inbox", raw))
    server.stop()


@contextlib.contextmanager
def mbox(emcli, request):
    path = request.getfixturevalue("tmp_path") / "all.mbox"
    path.write_bytes(b"")
    emcli.set_up("account", "add", "work", "--backend", "mbox", "--path", path,
                 "--whitelist-in", "on")

    def put(raw):
        with open(path, "ab") as f:
            f.write(b"From x@y.example Wed Nov  1 06:04:52 2017\n" + raw.replace(b"\r", b"") + b"\n")

    box = Box(emcli, put)
    box.quick = False
    yield box


@pytest.fixture(params=[maildir, imap, jmap, mbox], ids=lambda f: f.__name__)
def box(request, emcli):
    with request.param(emcli, request) as b:
        yield b


def told(out):
    """Of one line: the uids, and where to go on."""
    data = json.loads(out)["data"]
    assert all(e["kind"] == "new" and e["folder"] == "INBOX" for e in data["events"])
    assert data["timed_out"] == (not data["events"])
    return [e["uid"] for e in data["events"]], data["cursor"]


def test_visible_mail_wakes_and_hidden_mail_does_not(box):
    box.mail()
    first = box.run("--timeout", "0")
    events, cursor = told(first.out)
    assert events == []
    quiet = box.run("--timeout", "0", "--cursor", cursor).out
    # Hidden mail: the same bytes, and the same place for whoever begins now.
    box.mail(HIDDEN)
    assert box.run("--timeout", "0", "--cursor", cursor).out == quiet
    assert box.run("--timeout", "0").out == first.out
    # It comes while somebody waits: he waits until the time is over.
    since = time.monotonic()
    p = box.start("--timeout", "2", "--cursor", cursor)
    box.mail(HIDDEN)
    assert p.communicate(timeout=60)[0] == quiet
    assert time.monotonic() - since >= 2
    # Visible mail after it: where a store tells of changes, long before the time is over.
    p = box.start("--timeout", "50" if box.quick else "2", "--cursor", cursor)
    box.mail(HIDDEN)
    box.mail()
    since = time.monotonic()
    events, next_cursor = told(p.communicate(timeout=60)[0])
    assert len(events) == 1 and time.monotonic() - since < 30
    rows = box.emcli.run("list", *WATCH[1:]).data["messages"]
    assert rows[0]["uid"] == events[0] and rows[0]["from"][0]["address"] == SEEN
    # Nobody watched when this came; a cursor knows.
    box.mail()
    assert len(told(box.run("--cursor", cursor).out)[0]) == 2
    [uid], _ = told(box.run("--cursor", next_cursor).out)
    assert uid > events[0]


def test_a_watch_is_told_nothing_but_numbers(emcli, site):
    emcli.account_maildir(site.path)
    box = Box(emcli, lambda raw: site.deliver("agent", raw))
    _, cursor = told(box.run("--timeout", "0").out)
    box.put(message(sender=HIDDEN, subject="PLANTED"))
    r = box.run("--cursor", cursor)
    assert told(r.out)[0] == [1] and b"PLANTED" not in r.out and not r.err
    # Not acked, and not moved from new/.
    assert [m["uid"] for m in emcli.run("list", *WATCH[1:], "--new").data["messages"]] == [1]
    assert len(list(site.box("agent").glob("new/*"))) == 1
    r = box.run("--cursor", cursor[:-1] + ("1" if cursor[-1] == "0" else "0"))
    assert r.code == "usage" and "begin without a cursor" in r.json["error_detail"]["message"]
    for bad in ("--timeout", "1741"), ("--timeout", "-1"), ("--follow", "yes"):
        assert box.run(*bad).code == "usage"


def events_of(p, n):
    """So many lines that have events: their uids, in order."""
    out = []
    while len(out) < n:
        uids, _ = told(p.stdout.readline())
        out += uids
    return out


@pytest.fixture(scope="module")
def house():
    with tempfile.TemporaryDirectory(prefix="emcli-watch-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder)
        h.init()
        h.site = Site(h.folder / "site")
        h.site.box("agent")
        h.run_dir.mkdir()
        h.own()
        h.account_maildir(h.site.path, **LISTED)
        h.whitelist("in", SEEN)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.serve()
        yield h
        h.stop()


class Near:
    """The two ways of a call: by the broker's socket, and with the key."""

    def __init__(self, h, far):
        self.h, self.far = h, far

    def start(self, *argv):
        h = self.h
        env = h.agent_env() if self.far else h.environment(
            EMCLI_KEY=h.agent_key, EMCLI_AGENT="scout")
        return subprocess.Popen([*become(A if self.far else h.uid), h.binary, *WATCH, *argv],
                                env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)

    def deliver(self, sender=SEEN):
        path = pathlib.Path(self.h.site.deliver("agent", message(sender=sender)))
        os.chown(path, self.h.uid, self.h.uid)


@pytest.mark.parametrize("far", [False, True], ids=["direct", "broker"])
def test_follow_prints_a_line_for_each_call(house, far):
    near = Near(house, far)
    # From a cursor: whenever it begins to wait, it misses nothing.
    now = (house.ask if far else house.direct)(*WATCH, "--timeout", "0").data["cursor"]
    p = near.start("--follow", "--cursor", now, "--timeout", "20")
    try:
        near.deliver()
        [x] = events_of(p, 1)
        near.deliver(HIDDEN)
        near.deliver()
        [y] = events_of(p, 1)
        assert y == x + 2
        # It ends with whoever reads it: at the next line.
        p.stdout.close()
        near.deliver()
        assert p.wait(60) == 0
    finally:
        p.kill()
        p.wait()


def test_a_reply_through_the_broker_is_the_one_of_direct(house):
    for argv in (), ("--cursor", "1.2.3"), ("--timeout", "9999"), ("--help",):
        argv = (*WATCH, *argv, *(() if "--timeout" in argv else ("--timeout", "0")))
        mine, own = house.ask(*argv), house.direct(*argv)
        assert (mine.rc, mine.out, mine.err) == (own.rc, own.out, own.err)


def test_a_client_that_is_killed_leaves_its_worker_free(house):
    p = Near(house, True).start("--timeout", "600")
    until(lambda: house.status().json["calls"] == 1)
    p.kill()
    p.wait()
    until(lambda: house.status().json["calls"] == 0)


def test_an_error_ends_follow_with_its_line(house):
    r = house.ask("watch", "--account", "work", "--folder", "Nowhere", "--follow")
    assert r.code == "not_found" and r.rc != 0 and r.out.count(b"\n") == 1
