# SPDX-License-Identifier: Apache-2.0
"""
What no server may bring about, whatever it says.

    with Field(emcli, certs, Server, lanes=4) as field:
        futures = {row: field.submit(fault, command) for ...}

A lane is a scripted server and an account on it; a run takes one, sets the
server's fault, and gives it back.  Runs that wait for a silent server do so
side by side.  audit(run) holds every reply to what emcli promises for all of
them; what this fault should have led to is the test's to say.
"""

import concurrent.futures
import copy
import json
import os
import queue
import subprocess
import sys
import tempfile
import time

import level
from cli import ROOT, Result, no_report
from imapd import FOLDERS, message
import servers

TIMEOUT = 4   # what the operator gave a command, in seconds: a sanitized send may take 2
SLACK = 18    # for the start and the end of a sanitized build under load
MIB = 1 << 20

CODES = {"usage", "config", "not_found", "policy", "approval", "skill",
         "unsupported", "limit", "auth", "rejected", "network",
         "unknown_outcome", "db", "internal"}
CANARY = "canary-5b1e"
BOX = ("--account", "work", "--folder", "INBOX")
MAIL = dict(FOLDERS, INBOX=[
    message("one"), message("two", "bob@example.org"),
    message(CANARY, "eve@evil.example", f"{CANARY}\n"),
    message("Gr\u00fc\u00dfe", body="gr\u00fc\u00dfe\n")])

COMMANDS = {
    "list": ("list", "--folder", "INBOX"),
    "since": ("list", "--folder", "INBOX", "--since", "1"),
    "new": ("list", "--folder", "INBOX", "--new"),
    "get": ("get", "--folder", "INBOX", "--uid", "1"),
    "search": ("search", "--folder", "INBOX", "--text", "hello"),
    "search8": ("search", "--folder", "INBOX", "--subject-contains",
                "Gr\u00fc\u00dfe"),
    "ack": ("ack", "--folder", "INBOX", "--uid", "1"),
    "folders": ("folders",),
    "reply": ("send", "--to", "bob@example.org", "--subject", "x", "--body",
              "y", "--reply-to", "1"),
    "send": ("send", "--to", "bob@example.org", "--subject", "x", "--body",
             "y"),
    "doctor": ("doctor",),
}


def plain():
    """The build to measure: sanitizers take memory of their own."""
    path = ROOT / os.environ.get("EMCLI_PLAIN", "build/emcli")
    assert path.exists(), "no plain build to measure: run make"
    return str(path)


class Run(Result):
    """One run of emcli with the seconds it took and its peak memory."""

    timeout = TIMEOUT
    seconds = 0.0
    peak = 0  # bytes

    @property
    def outcome(self):
        """"ok", or the error's code."""
        return "ok" if self.rc == 0 else self.code


def run(emcli, *argv, binary=None, limit=TIMEOUT + SLACK + 5):
    """Runs it as an agent does."""
    env = emcli.environment(EMCLI_KEY=emcli.agent_key)
    argv = list(map(str, argv))
    command, env = ([binary, *argv], env) if binary else emcli.command(argv, env)
    since = time.monotonic()
    p = subprocess.run(command, env=env,
                       stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=limit)
    done = Run(argv, p)
    done.seconds = time.monotonic() - since
    return done


# A process starts with the peak of the one it was forked from, and ours is
# big: this one is small.  Its own errors would be no number.
MEASURE = """
import os, subprocess, sys
p = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(p.pid, 0)
with open(sys.argv[1], "w") as f:
    f.write(str(used.ru_maxrss * 1024))
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""


def measure(emcli, *argv, limit=300):
    """The plain build, and the most memory it had in use."""
    with tempfile.NamedTemporaryFile() as note:
        env = emcli.environment(EMCLI_KEY=emcli.agent_key)
        since = time.monotonic()
        p = subprocess.run([sys.executable, "-SIc", MEASURE, note.name,
                            plain(), *map(str, argv)], env=env,
                           stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=limit)
        done = Run(list(map(str, argv)), p)
        done.seconds = time.monotonic() - since
        done.peak = int(note.read())
    return done


def audit(r, secret, timeout=None):
    """What holds for every reply, whoever is at the other end."""
    timeout = timeout or r.timeout
    no_report(r.err)
    assert b"emcli: " not in r.err, str(r)
    assert r.rc in (0, 1), str(r)
    assert r.out.count(b"\n") == 1 and r.out.endswith(b"}\n"), str(r)
    reply = json.loads(r.out)
    assert list(reply) == ["error", "error_detail", "data"], str(r)
    assert reply["error"] is (r.rc != 0), str(r)
    if r.rc == 0:
        assert reply["error_detail"] == {}, str(r)
    else:
        assert reply["error_detail"]["code"] in CODES - {"internal"}, str(r)
    assert r.seconds < timeout + SLACK, f"{r.seconds:.1f} s: {r}"
    for word in CANARY, "evil.example", secret:
        assert word.encode() not in r.out + r.err, str(r)


class Lane:
    def __init__(self, name, server, emcli):
        self.name, self.server = name, server
        # The same store, with a broker of its own.
        self.emcli = copy.copy(emcli)
        level.lasting.add(self.emcli)
        level.adding.add(self.emcli)


class Field:
    """
    `start(n)` starts the n-th server; `account` says what an account on it
    needs besides a password; `timeout` is what a command is given.
    """

    def __init__(self, emcli, start, account, lanes=4, prepare=(), timeout=TIMEOUT):
        self.timeout = timeout
        self.secret = servers.password("agent")
        self.free = queue.Queue()
        self.lanes = [Lane(f"lane{i}", start(i), emcli) for i in range(lanes)]
        r = emcli.admin("config", "set", "timeout_seconds", timeout)
        assert r.rc == 0, str(r)
        for lane in self.lanes:
            r = emcli.admin(
                "account", "add", lane.name, "--password-stdin",
                *emcli.options({
                    "backend": "imap", "mode": "RW", "whitelist_out": "off",
                    # Each script sends the same text to the same people.
                    "check_unfinished": "off",
                    "from": servers.address("agent"),
                    "username": servers.address("agent"),
                    "imap_security": "tls", "imap_host": "localhost",
                    "whitelist_in": "on", "process_backlog": True,
                    **account(lane.server)}), stdin=self.secret)
            assert r.rc == 0, str(r)
            emcli.whitelist("in", "ann@example.net", "bob@example.org",
                            account=lane.name)
            for command in prepare:
                assert self.once(lane, command).rc == 0
            self.free.put(lane)
        self.pool = concurrent.futures.ThreadPoolExecutor(lanes)

    def once(self, lane, command):
        """A broker knows a server that failed, and keeps its connections: the next run has another."""
        name, *rest = COMMANDS[command]
        r = run(lane.emcli, name, "--account", lane.name, *rest,
                limit=self.timeout + SLACK + 5)
        r.timeout = self.timeout
        level.replaced(lane.emcli)
        return r

    def work(self, fault, command):
        lane = self.free.get()
        try:
            server = lane.server
            server.fault = fault
            server.log.clear()
            server.flags.clear()
            server.messages.clear()
            r = self.once(lane, command)
            r.said = server.said()
            r.flags = dict(server.flags)
            r.messages = list(server.messages)
            if fault[0] == "examine":
                # The account's next run must not meet another numbering, and
                # an answer that names none is another.
                server.fault = None, None
                assert self.once(lane, "list").rc == 0
            return r
        finally:
            self.free.put(lane)

    def submit(self, fault, command):
        return self.pool.submit(self.work, fault, command)

    def hear(self, request, its=lambda ends: True):
        """
        The rows of a module's test that were selected are under way at once;
        {test's name: [(command, future of its run)]}.  its() says of a row's
        ends if they are for this field.
        """
        jobs = {}
        for item in request.session.items:
            if (item.module is request.module and
                    request.fixturename in item.fixturenames):
                _, fault, commands, ends = item.callspec.params["row"]
                if its(ends):
                    jobs[item.name] = [(c, self.submit(fault, c))
                                       for c in commands]
        return jobs

    def stop(self):
        self.pool.shutdown(cancel_futures=True)
        for lane in self.lanes:
            lane.server.stop()
