# SPDX-License-Identifier: Apache-2.0
"""
Each process of the broker killed at the steps of ack, send, get, watch, a login
and a session: by strace(1), as it enters its N-th system call.  No ack is lost,
nothing is sent twice, the next call works, and the log is whole.

Of the calls of one undisturbed run some are taken; EMCLI_STEPS says how many.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

import killsteps
import ports
import servers
import test_kill_send
from imapd import MORE, Imapd, message
from test_broker import A, begin, frame, until, whole
from test_broker_attacks import processes
from test_broker_pipes import far, its_session
from test_broker_wires import ME, Wired
from test_mcp import MODERN

BOX = ("--account", "work", "--folder", "INBOX")
SEND = test_kill_send.ARGV
WHERE = {"account": "work", "folder": "INBOX"}
HTML = b"MIME-Version: 1.0\r\nContent-Type: text/html\r\nSubject:"
SOME = int(os.environ.get("EMCLI_STEPS", "3"))


class Reply:
    def __init__(self, frames):
        """Of a call whose broker died there are none."""
        text = b"".join(raw for kind, raw in frames if kind == b"B") or b"{}"
        self.json = json.loads(text)
        self.rc = int(self.json.get("error") is not False)
        self.data = self.json.get("data")
        self.code = self.json.get("error_detail", {}).get("code")

class Killed(Wired):
    """A broker whose account is at two servers of ours; each process by its name."""

    def newest(self):
        return len(self.imap.folders["INBOX"])

    def arrives(self):
        box = self.imap.folders["INBOX"]
        self.imap.folders = {**self.imap.folders, "INBOX": [*box, message(f"s{len(box)}")]}
        return self.newest()

    def say(self, uid, kind, payload):
        """A call without a process of its own: there are thousands."""
        s = self.connect(uid)
        s.sendall(frame(kind, payload))
        return Reply(whole(s))

    def tell(self, op, **args):
        return self.say(A, b"C", {"v": 1, "op": op, "args": {"account": "work", **args}})

    def news(self):
        r = works(self, "list", folder="INBOX", new=True)
        return [m["uid"] for m in r.data["messages"]]

    def at(self):
        return self.say(0, b"S", {"v": 1}).data

    def warm(self):
        """A wire, or two, with nothing to do."""
        until(lambda: self.tell("list", folder="INBOX", limit=1).rc == 0)
        until(lambda: {w["state"] for w in self.at()["wires"]} == {"idle"})

    def cold(self):
        for pid in self.named("wire"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not self.named("wire") and self.at()["wires"] == [])

    def reader(self, pid):
        """The worker may have just begun."""
        found = []

        def there():
            with contextlib.suppress(ValueError, OSError):
                found.append(self.next_reader(pid))
            return found
        until(there)
        return found[0]

    def alive(self, who):
        if who == "monitor":
            return {self.broker.pid}
        if who == "session":
            return {its_session(self)[1]}
        if who == "reader":
            # One that died at rest is replaced when one is asked for: other workers have others.
            old = self.workers()
            os.kill(self.broker.pid, signal.SIGHUP)
            until(lambda: len(self.workers()) >= 2 and not old & self.workers())
            return {self.reader(pid) for pid in self.workers()}
        return self.workers() if who == "worker" else self.named(who)

    def again(self):
        """After its monitor's death: all of its processes end by themselves."""
        if self.broker.poll() is None:
            return
        until(lambda: not any(map(ports.alive, self.left)))
        self.serve()


@pytest.fixture(scope="module")
def house(certs):
    cert, key = certs.good[:2]
    users = {ME: servers.password("agent")}
    with tempfile.TemporaryDirectory(prefix="emcli-killed-") as folder:
        os.chmod(folder, 0o755)
        h = Killed(folder)
        h.init()
        (h.folder / "site").mkdir()
        h.run_dir.mkdir()
        h.ca = shutil.copy(certs.ca, h.folder / "ca.pem")
        os.chmod(h.ca, 0o644)
        h.own()
        h.imap = Imapd(cert, key, users=users, more_caps=MORE + " IDLE",
                       folders={"INBOX": [message("first").replace(b"Subject:", HTML)]})
        h.smtp = test_kill_send.Server(cert, key, users=users)
        with h.imap, h.smtp:
            h.add("work", h.imap.port)
            h.set_up("account", "edit", "work", "--sent-copy", "off")
            h.set_up("agent", "add", "scout", "--uid", A)
            h.serve()
            assert h.ask("ack", *BOX, "--uid", "1").rc == 0
            yield h
            if h.broker.poll() is None:
                h.stop()


def works(h, op, **args):
    """
    At once; but of a keeper that has ended a call may hear, until there is another.  A worker
    that is killed after it has answered may be given one call more, which then has no answer.
    """
    r = h.tell(op, **args)
    end = time.monotonic() + 20
    if h.tried == "worker" and r.rc != 0 and not r.json:
        r = h.tell(op, **args)
    while r.rc != 0 and r.code == "config" and h.tried == "keeper" and time.monotonic() < end:
        r = h.tell(op, **args)
    assert r.rc == 0, (h.step, r.json)
    return r


# -- what is called, and what must hold afterwards: run(h) does it once, and gives
#    its exit status and output; held(h, rc, out) looks.

def ended(p):
    out, _ = p.communicate(timeout=60)
    return p.returncode, out


class Ack:
    def ready(self, h):
        self.uid = h.arrives()
        h.warm()

    def run(self, h):
        return ended(begin(h, "ack", *BOX, "--uid", str(self.uid)))

    def held(self, h, rc, _):
        left = h.news()
        assert left in ([], [self.uid]), h.step
        assert rc != 0 or left == [], h.step
        works(h, "ack", folder="INBOX", uid=[self.uid])
        assert h.news() == [], h.step


class Get:
    def ready(self, h):
        h.warm()

    def run(self, h):
        return ended(begin(h, "get", *BOX, "--uid", "1"))

    def held(self, h, rc, out):
        assert rc != 0 or b"hello" in out, h.step
        assert "hello" in works(h, "get", folder="INBOX", uid=1).data["text"], h.step


class Asking(test_kill_send.Victim):
    def __init__(self, h):
        self.seen, self.delivered, self.emcli, self.h = set(), h.smtp.delivered, self, h

    def run(self, *argv):
        r = self.h.ask(*argv)
        assert r.rc == 0 or r.code not in ("internal", "network"), (self.h.step, str(r))
        return r


class Send:
    """As a send of `direct` that is killed."""

    n = 0

    def ready(self, h):
        h.warm()
        h.smtp.fresh()
        self.n += 1
        self.key = f"{h.tried}-{self.n}"

    def run(self, h):
        return ended(begin(h, *SEND, self.key))

    def held(self, h, _, out):
        h.smtp.quiet()
        works(h, "list", folder="INBOX", new=True)
        Asking(h).check(self.key, out, h.step)


class Watch:
    def ready(self, h):
        h.warm()
        self.cursor = works(h, "watch", folder="INBOX", timeout=0).data["cursor"]

    def run(self, h):
        p = begin(h, "watch", *BOX, "--cursor", self.cursor, "--timeout", "20")
        until(lambda: h.imap.idling or p.poll() is not None or h.gone())
        self.uid = h.arrives()
        return ended(p)

    def held(self, h, rc, out):
        data = json.loads(out)["data"] if rc == 0 else {"cursor": self.cursor, "events": []}
        again = works(h, "watch", folder="INBOX", cursor=data["cursor"], timeout=0).data
        uids = [x["uid"] for x in data["events"] + again["events"]]
        assert uids == [self.uid], h.step
        works(h, "ack", folder="INBOX", uid=[self.uid])


class Login(Get):
    """The first call of an account; its wire is met as it begins to log in."""

    def ready(self, h):
        h.cold()


class Session(Ack):
    """Of `emcli mcp`, whose process is another than its worker."""

    client = None

    def ready(self, h):
        # One that a failure has left would be a second session.
        if self.client is not None:
            self.client.proc.kill()
        super().ready(h)
        self.client = far(h, "--always", revision=MODERN)
        self.client.tools()

    def run(self, h):
        args = {"name": "ack", "arguments": {**WHERE, "uid": [self.uid]}}
        # It may be gone before it is asked.
        with contextlib.suppress(BrokenPipeError):
            self.client.send("tools/call", **args)
        line = self.client.line()
        with contextlib.suppress(BrokenPipeError):
            self.client.proc.stdin.close()
        self.client.proc.wait(20)
        good = line is not None and b'"isError":false' in line.replace(b" ", b"")
        return (0 if good else 1), line or b""


OPS = {"ack": Ack(), "get": Get(), "send": Send(), "watch": Watch(), "login": Login(),
       "session": Session()}
# What an interrupted call says; 0: it was finished.  A monitor that is gone has no answer, and a
# wire that is gone is a connection that broke.  The keeper ends with the monitor, sometimes before
# the worker has finished.
SAYS = {"worker": {"internal", "unknown_outcome"}, "session": {None},
        "keeper": {"config", "unknown_outcome"}, "wire": {"network", "unknown_outcome"},
        "monitor": {"internal", "unknown_outcome", "network", "config"}, "reader": {"internal"}}


# -- strace

class Traced:
    """Processes of that name under strace, from now on."""

    def __init__(self, h, who, *options):
        self.trace, self.pids = h.folder / "trace", h.alive(who)
        follow = ["-f"] if who == "session" else []
        self.p = subprocess.Popen(
            ["strace", *follow, "-o", self.trace, *options, *(f"-p{pid}" for pid in self.pids)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: all(self.held(pid) for pid in self.pids))
        except AssertionError:
            self.p.terminate()
            raise

    @staticmethod
    def held(pid):
        with contextlib.suppress(OSError):
            rows = pathlib.Path(f"/proc/{pid}/status").read_text()
            return "TracerPid:\t0\n" not in rows
        return True

    def gone(self):
        return not all(map(ports.alive, self.pids))

    def end(self):
        self.p.terminate()
        self.p.wait(20)
        return self.trace.read_text(errors="replace")


def met(h, op, who, *options):
    """Runs it once with that process traced; its exit status and output, and the trace."""
    x = OPS[op]
    x.ready(h)
    h.left = processes(h)
    held = []

    def trace():
        held.append(Traced(h, who, *options))
        h.gone = held[0].gone

    def greet(session, data):
        trace()
        session.send(data)

    # Whatever fails, no process is left with a tracer: it could not get another.
    try:
        if (op, who) == ("login", "wire"):
            h.imap.fault = ("greeting", greet)
        else:
            trace()
        rc, out = x.run(h)
    finally:
        h.imap.fault = (None, None)
        traces = [t.end() for t in held]
    return rc, out, traces[0]


def code(out):
    with contextlib.suppress(ValueError, KeyError):
        return json.loads(out)["error_detail"].get("code")
    return None


TODO = [(op, who) for op in OPS for who in ("monitor", "keeper", "worker", "wire", "session")
        if (op == "session") == (who == "session")] + [("get", "reader")]


@pytest.mark.parametrize("op, who", [pytest.param(*x, id="-".join(x)) for x in TODO])
def test_killed_at_its_steps(house, op, who):
    h, h.tried, h.step = house, who, None
    h.again()
    rc, out, trace = met(h, op, who, "-e", "trace=all")
    assert rc == 0, out
    OPS[op].held(h, rc, out)
    steps = killsteps.spread(trace, SOME)
    assert steps or who == "keeper", trace
    for step in steps:
        h.step = (op, who, step)
        rc, out, _ = met(h, op, who, "-e", "trace=%s" % step[0],
                         "-e", "inject=%s:signal=KILL:when=%d" % step)
        assert rc == 0 or code(out) in SAYS[who], (h.step, out)
        assert code(out) != "unknown_outcome" or op == "send", h.step
        h.again()
        OPS[op].held(h, rc, out)
    verified = h.admin("audit", "verify", "--json")
    assert verified.rc == 0, str(verified)
