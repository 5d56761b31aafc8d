# SPDX-License-Identifier: Apache-2.0
"""
A send killed at its system calls and at every step of the server, and then
tried again under the same key: delivered at most once, never called sent when
it was not, and what is not known to have left is sent by the second try.
"""

import os
import random
import signal
import socket
import struct
import subprocess
import threading
import time

import pytest

import level
import servers
from smtpd import Smtpd

ARGV = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "hi",
        "--body", "whole\n" * 500, "--idempotency-key")
# At each of these something is written down, sent or locked.
EVERY = ("fsync", "fdatasync", "sendto", "sendmsg", "renameat", "linkat", "unlinkat")
# Of these every twelfth; the first one is drawn.
SOME = ("pwrite64", "write", "openat", "fcntl", "read", "recvfrom", "close", "connect")
STEPS = ("connect", "greeting", "ehlo", "auth", "mail", "rcpt", "data", "dot", "quit")


class Victim:
    """Kills sends, and holds what is said against what was delivered."""

    def __init__(self, emcli, delivered):
        self.emcli, self.delivered = emcli, delivered
        self.n = 0
        self.seen = set()  # (state, delivered) that were met
        # No leak checker: it is a tracer too, and there can be only one.
        self.env = emcli.environment(EMCLI_KEY=emcli.agent_key,
                                     ASAN_OPTIONS="detect_leaks=0")

    def key(self):
        self.n += 1
        return "k%d" % self.n

    def strace(self, options, key):
        trace = str(self.emcli.folder / "trace")
        return subprocess.run(["strace", "-f", "-o", trace, *options, self.emcli.binary,
                               *ARGV, key], env=self.env, input=b"", capture_output=True,
                              timeout=60)

    def steps(self):
        """(call, N) to be killed at, of one undisturbed run."""
        self.strace(["-e", "trace=none"], self.key())  # so that the next is like the rest
        done = self.strace(["-e", "trace=" + ",".join(EVERY + SOME)], self.key())
        assert done.returncode == 0, done.stdout
        lines = (self.emcli.folder / "trace").read_text(errors="replace").splitlines()
        names = [line.split("(")[0].split()[-1] for line in lines if "(" in line]
        rng = random.Random(11)
        out = [(c, n + 1) for c in EVERY for n in range(names.count(c))]
        for c in SOME:
            out += [(c, n) for n in range(rng.randint(1, 12), names.count(c) + 1, 12)]
        return out

    def state(self, key):
        """What send-status tells; None: there is no such send."""
        r = self.emcli.run("send-status", "--account", "work", "--idempotency-key", key)
        if r.rc != 0:
            assert r.code == "not_found", str(r)
            return None
        return r.data["state"]

    def check(self, key, out, where):
        """After the first try ended, whatever it was that ended it."""
        had = self.delivered(key)
        state = self.state(key)
        self.seen.add((state, had))
        assert had <= 1, where
        assert state in (None, "sent", "rejected", "failed", "unknown_outcome"), where
        if state == "sent":
            assert had == 1, where
        if state in (None, "rejected", "failed"):
            assert had == 0, where
        if b'"error":false' in out:
            assert had == 1 and state == "sent", where
        r = self.emcli.run(*ARGV, key)
        total = self.delivered(key)
        assert total <= 1, where
        if state == "unknown_outcome":
            assert r.code == "unknown_outcome" and total == had, where
            assert self.state(key) == "unknown_outcome", where
        else:
            # Nothing is lost: this call sends it, or knows that it is sent.
            assert r.data["again"] is (state == "sent"), where
            assert total == 1 and self.state(key) == "sent", where


def sweep(victim):
    todo = victim.steps()
    assert len(todo) > 30
    for step in todo:
        key = victim.key()
        done = victim.strace(["-e", "inject=%s:signal=KILL:when=%d" % step], key)
        assert done.returncode in (0, 137, -signal.SIGKILL), done.stderr
        victim.check(key, done.stdout, step)


@pytest.fixture
def maildir(emcli, site):
    """Delivery and copy are files, counted where they come to lie."""
    for half in "cur", "new", "tmp":
        (site.box("agent") / ".Sent" / half).mkdir(parents=True)
    emcli.account_maildir(site.path)
    last = [set()]

    def delivered(key):
        # Only one key is tried at a time: what came since the last is its.
        now = {p.name for p in (site.box("bob") / "new").iterdir()}
        if delivered.key != key:
            delivered.key, last[0] = key, delivered.before
        delivered.before = now
        return len(now - last[0])
    delivered.key, delivered.before = None, set()
    return Victim(emcli, delivered)


def test_delivery_killed_at_its_calls(maildir):
    victim = maildir
    real = victim.key

    def key():
        # What is there by now belongs to the keys before.
        victim.delivered("")
        return real()
    victim.key = key
    sweep(victim)
    assert {(None, 0), ("unknown_outcome", 0), ("unknown_outcome", 1),
            ("sent", 1)} <= victim.seen


class Server(Smtpd):
    """Counts what it accepted; can tell when nobody talks to it any more."""

    def quiet(self):
        end = time.monotonic() + 60
        while any(t.is_alive() for t in self.threads[1:]):
            assert time.monotonic() < end
            time.sleep(0.002)

    def delivered(self, _):
        self.quiet()
        return len(self.messages)

    def fresh(self):
        self.quiet()
        self.messages.clear()
        self.log.clear()
        del self.threads[1:], self.socks[:]


@pytest.fixture
def smtp(emcli, certs):
    login = {servers.address("agent"): servers.password("agent")}
    with Server(certs.good[0], certs.good[1], users=login) as server:
        r = emcli.admin(
            "account", "add", "work", "--password-stdin", "--mode", "RW", "--whitelist-out", "off",
            "--check-unfinished", "off",
            "--from",
            servers.address("agent"), "--username", servers.address("agent"),
            "--imap-host", "localhost", "--imap-port", "1", "--smtp-host", "localhost",
            "--smtp-port", server.port, "--smtp-security", "tls", "--ca", certs.good[2],
            "--sent-copy", "off", stdin=servers.password("agent"))
        assert r.rc == 0, str(r)
        victim = Victim(emcli, server.delivered)
        victim.server = server
        real = victim.key

        def key():
            server.fresh()
            return real()
        victim.key = key
        yield victim


def test_a_submission_killed_at_its_calls(smtp):
    sweep(smtp)
    assert {(None, 0), ("unknown_outcome", 0), ("unknown_outcome", 1),
            ("sent", 1)} <= smtp.seen


def reset(session):
    """The connection ends as if the cable did."""
    session.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    session.sock.close()
    raise OSError


# The server keeps what it answers at the dot: a refusal there would be a lie.
@pytest.mark.parametrize("step, how", [
    (s, h) for s in STEPS for h in ("close", "reset", "garbage", "bye")
    if (s, h) != ("dot", "bye")])
def test_a_server_that_breaks_off(smtp, step, how):
    key = smtp.key()
    smtp.server.fault = (step, reset if how == "reset" else how)
    r = smtp.emcli.run(*ARGV, key)
    smtp.server.fault = None
    smtp.check(key, r.out, (step, how))
    if step == "dot" and how in ("close", "reset", "garbage"):
        assert smtp.seen == {("unknown_outcome", 1)}
    elif step == "quit":
        assert smtp.seen == {("sent", 1)}


@pytest.mark.parametrize("step", STEPS)
def test_killed_while_the_server_thinks(smtp, step):
    asked, over = threading.Event(), threading.Event()

    def think(session):
        asked.set()
        over.wait(60)
        raise OSError

    key = smtp.key()
    smtp.server.fault = (step, think)
    p = smtp.emcli.start([*ARGV, key], smtp.env)
    assert asked.wait(60)
    os.kill(p.pid, signal.SIGKILL) if step != "quit" else p.wait(60)
    out, _ = p.communicate(timeout=60)
    over.set()
    smtp.server.fault = None
    smtp.check(key, out, step)
    # Once the row is there, a death before the dot and one after look alike; a
    # broker goes on without its caller, and sees how the connection ends.
    before = "failed" if level.name == "broker" else "unknown_outcome"
    want = {"dot": ("unknown_outcome", 1), "quit": ("sent", 1)}
    assert smtp.seen == {want.get(step, (before, 0))}


@pytest.mark.parametrize("step", STEPS)
def test_a_server_that_never_answers(smtp, step):
    want = {"dot": ("unknown_outcome", 1), "quit": ("sent", 1)}
    # Those that have to come far may take longer to, and on a busy machine seconds.
    patience = "10" if step in want else "1"
    assert smtp.emcli.admin("config", "set", "timeout_seconds", patience).rc == 0
    over = threading.Event()

    def stall(session):
        over.wait(60)
        raise OSError

    key = smtp.key()
    smtp.server.fault = (step, stall)
    r = smtp.emcli.run(*ARGV, key)
    over.set()
    smtp.server.fault = None
    assert smtp.emcli.admin("config", "set", "timeout_seconds", "20").rc == 0
    smtp.check(key, r.out, step)
    assert smtp.seen == {want.get(step, ("failed", 0))}


def test_killed_between_two_who_want_the_same(smtp):
    """One waits for the other, who dies: nobody sends it again."""
    asked, over = threading.Event(), threading.Event()

    def think(session):
        asked.set()
        over.wait(60)
        raise OSError

    key = smtp.key()
    smtp.server.fault = ("dot", think)
    first = smtp.emcli.start([*ARGV, key], smtp.env)
    assert asked.wait(60)
    second = smtp.emcli.start([*ARGV, key], smtp.env)
    time.sleep(0.3)
    assert second.poll() is None
    first.kill()
    first.communicate(timeout=60)
    out, _ = second.communicate(timeout=60)
    assert second.returncode != 0 and b'"unknown_outcome"' in out
    over.set()
    assert smtp.server.delivered(key) == 1
