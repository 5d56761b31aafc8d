# SPDX-License-Identifier: Apache-2.0
"""
The server of a store is lost while processes send and ack: its replica is
promoted, and they go on with the same EMCLI_DB.  $EMCLI_FAILOVERS says how
often; once if it does not.
"""

import collections
import concurrent.futures
import email
import os
import random
import threading
import time

import pytest

import cli
import postgres
import servers
from mail import message, uids
from postgres_pair import Pair
from smtpd import Smtpd
from test_mcp import LEGACY, Host

TIMES = int(os.environ.get("EMCLI_FAILOVERS", "1"))
PROCESSES, ROUNDS, PATIENCE = 32, 3, 60


@pytest.fixture
def pair():
    p = Pair()
    yield p
    p.stop()


@pytest.fixture
def sink(certs):
    login = {servers.address("agent"): servers.password("agent")}
    with Smtpd(certs.good[0], certs.good[1], users=login) as server:
        yield server


@pytest.fixture
def fleet(tmp_path, pair, sink, site, certs):
    """An account that sends to the sink, and one with mail to ack."""
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(pair.uri)
    e.init()
    e.account_imap(Imap(certs), name="post", smtp_host="localhost",
                   smtp_port=sink.port, smtp_security="tls", sent_copy="off", limit_messages="0")
    e.account_maildir(site.path, name="work", process_backlog=True)
    for i in range(PROCESSES * ROUNDS):
        site.deliver("agent", message(subject=f"m{i}"))
    assert len(uids(e.run("list", "--account", "work", "--folder", "INBOX", "--limit", "200"))) == \
        PROCESSES * ROUNDS
    return e


class Imap:
    """Nobody connects to it."""

    def __init__(self, certs):
        self.host, self.imaps, self.ca = "localhost", 1, certs.good[2]


class Commands:
    """A process for each call."""

    def __init__(self, emcli):
        self.emcli = emcli

    def send(self, key):
        return self.emcli.run("send", "--account", "post", "--to", "bob@lab.example", "--subject", key,
                              "--body", key, "--idempotency-key", key, timeout=120).json

    def ack(self, uid):
        return self.emcli.run("ack", "--account", "work", "--folder", "INBOX", "--uid", str(uid),
                              timeout=120).json

    def end(self):
        pass


class Session:
    """One process for all."""

    def __init__(self, emcli):
        self.host = Host(emcli, "--always", revision=LEGACY[1])

    def send(self, key):
        return self.host.call("send", account="post", to=["bob@lab.example"], subject=key, body=key,
                              idempotency_key=key)

    def ack(self, uid):
        return self.host.call("ack", account="work", folder="INBOX", uid=[uid])

    def end(self):
        assert self.host.end()[0] == 0


class Worker:
    def __init__(self, emcli, n):
        self.n = n
        self.calls = (Session if n % 2 else Commands)(emcli)
        self.sent, self.unknown, self.acked = [], [], []
        self.failed = collections.Counter()

    def until(self, call, what):
        """Again until it is answered, as a caller does who is told to."""
        end = time.monotonic() + PATIENCE
        while True:
            got = call(what)
            code = got["error_detail"]["code"] if got["error"] else None
            if code != "db":
                return code, got
            self.failed[got["error_detail"]["message"]] += 1
            assert time.monotonic() < end, got
            time.sleep(0.2)

    def round(self, i):
        key = f"k{self.n}-{i}"
        code, got = self.until(self.calls.send, key)
        assert code in (None, "unknown_outcome"), got
        (self.unknown if code else self.sent).append(key)
        if code:
            self.failed[got["error_detail"]["message"]] += 1
        uid = 1 + self.n * ROUNDS + i
        code, got = self.until(self.calls.ack, uid)
        assert code is None, got
        self.acked.append(uid)

    def work(self, done):
        for i in range(ROUNDS):
            self.round(i)
            done.release()
        self.calls.end()


def lose_the_first(pair, done):
    """In the middle."""
    for _ in range(PROCESSES):
        assert done.acquire(timeout=120)
    time.sleep(random.uniform(0, 0.3))
    pair.kill()
    time.sleep(0.5)
    pair.promote()


@pytest.mark.parametrize("time_of", range(TIMES))
def test_the_first_server_is_lost(fleet, pair, sink, time_of):
    done = threading.Semaphore(0)
    workers = [Worker(fleet, n) for n in range(PROCESSES)]
    with concurrent.futures.ThreadPoolExecutor(PROCESSES + 1) as pool:
        runs = [pool.submit(w.work, done) for w in workers]
        lose_the_first(pair, done)
        for run in runs:
            run.result()
    check(fleet, sink, workers)


def check(fleet, sink, workers):
    ids, subjects = collections.Counter(), collections.Counter()
    for m in sink.messages:
        head = email.message_from_bytes(m["data"])
        ids[head["Message-ID"]] += 1
        subjects[head["Subject"]] += 1
    assert max(ids.values()) == 1 and max(subjects.values()) == 1
    failed = sum((w.failed for w in workers), collections.Counter())
    print("told:", dict(failed))
    # The server was missed, and all went on.
    assert failed
    for w in workers:
        assert len(w.sent) + len(w.unknown) == len(w.acked) == ROUNDS
        assert all(subjects[key] == 1 for key in w.sent)
    new = uids(fleet.run("list", "--account", "work", "--folder", "INBOX", "--new", "--limit", "200"))
    assert new == []
    rows = fleet.admin("outbox", "list", "--limit", "1000", "--json").json["outbox"]
    assert len({r["message_id"] for r in rows}) == len(rows)
    for what in ("audit", "verify"), ("store", "check"):
        r = fleet.admin(*what)
        assert r.rc == 0, str(r)
