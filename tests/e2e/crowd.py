# SPDX-License-Identifier: Apache-2.0
"""
Many clients of a broker in one process: each call is a connection of some
user's, and what comes back is read until its end.  As root, since it connects
as each of them.

    with Crowd(socket) as crowd:
        call = crowd.begin(uid, "list", account="work", folder="INBOX")
        crowd.finish()
        call.took, call.reply
"""

import contextlib
import json
import os
import pathlib
import random
import select
import selectors
import socket
import statistics
import struct
import subprocess
import sys
import time

FIRST_UID = 61200
BOX = {"account": "work", "folder": "INBOX"}
READS = [("list", {**BOX, "limit": 20}), ("get", {**BOX, "uid": 1}), ("list", {**BOX, "new": True}),
         ("folders", {"account": "work"}), ("search", {**BOX, "subject_contains": "s1"}),
         ("get", {**BOX, "uid": 9999}), ("ack", {**BOX, "uid": [2]}), ("no_such", {})]


def frame(kind, payload):
    raw = json.dumps(payload).encode()
    return struct.pack(">I", len(raw)) + kind + raw


class Call:
    def __init__(self, uid, raw):
        self.uid, self.sent, self.raw = uid, raw, b""
        self.begun, self.took, self.s = time.monotonic(), None, None

    @property
    def reply(self):
        """None: the connection ended without one, or it is in memory that was passed."""
        rest, parts = self.raw, []
        while len(rest) >= 5:
            (n,) = struct.unpack(">I", rest[:4])
            if rest[4:5] == b"B":
                parts.append(rest[5:5 + n])
            rest = rest[5 + n:]
        return json.loads(b"".join(parts)) if parts else None

    @property
    def code(self):
        r = self.reply
        return "none" if r is None else r["error_detail"].get("code") if r["error"] else None


class Crowd:
    def __init__(self, path):
        self.path, self.selector, self.waiting = str(path), selectors.DefaultSelector(), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for call in [key.data for key in self.selector.get_map().values()]:
            self.over(call)
        self.selector.close()

    def begin(self, user, op, **args):
        call = Call(user, frame(b"C", {"v": 1, "op": op, "args": args}))
        self.connect(call)
        return call

    def connect(self, call):
        """The queue of a socket that listens may be full: then again, later."""
        call.s = socket.socket(socket.AF_UNIX)
        call.s.setblocking(False)
        os.setresuid(call.uid, call.uid, 0)
        try:
            call.s.connect(self.path)
        except BlockingIOError:
            call.s.close()
            self.waiting.append(call)
            return
        finally:
            os.setresuid(0, 0, 0)
        # A broker at its cap has answered and closed by now.
        with contextlib.suppress(BrokenPipeError):
            call.s.send(call.sent)
        self.selector.register(call.s, selectors.EVENT_READ, call)

    def over(self, call):
        self.selector.unregister(call.s)
        call.s.close()
        call.took = time.monotonic() - call.begun

    def busy(self):
        return len(self.selector.get_map()) + len(self.waiting)

    def pump(self, timeout):
        """Hears what there is; the calls that are over."""
        ended, again, self.waiting = [], self.waiting, []
        for call in again:
            self.connect(call)
        if not self.selector.get_map():
            select.select([], [], [], 0.001 if self.waiting else timeout)
            return ended
        for key, _ in self.selector.select(0.001 if self.waiting else timeout):
            part = b""
            with contextlib.suppress(ConnectionResetError):
                part = key.fileobj.recv(1 << 18)
            key.data.raw += part
            if not part:
                self.over(key.data)
                ended.append(key.data)
        return ended

    def finish(self, seconds=120):
        end = time.monotonic() + seconds
        while self.busy():
            assert time.monotonic() < end, f"{self.busy()} calls have no end"
            self.pump(1)

    def ask(self, user, op, **args):
        """One call, whatever the others do meanwhile."""
        call = self.begin(user, op, **args)
        while call.took is None:
            self.pump(1)
        return call


# -- loads of a house, which is a broker as test_broker has it

def agents(house, n):
    """So many more agents, each a user of its own."""
    uids = range(FIRST_UID, FIRST_UID + n)
    for uid in uids:
        house.set_up("agent", "add", f"one{uid}", "--uid", uid)
    return list(uids)


def at_once(house, uids, n):
    """So many clients; their calls."""
    with Crowd(house.socket) as crowd:
        calls = [crowd.begin(uids[i % len(uids)], "list", **BOX) for i in range(n)]
        crowd.finish()
    return calls


def times(house, uids):
    """Of one call of each, one after the other."""
    with Crowd(house.socket) as crowd:
        calls = [crowd.ask(uid, "list", **BOX) for uid in uids]
    assert {c.code for c in calls} == {None}
    return [c.took for c in calls]


def compared(house, uids, load, rounds):
    """Medians of a call at rest and under that load, in turn; load() makes it."""
    rest, under = [], []
    for _ in range(rounds):
        rest += times(house, uids)
        with load():
            under += times(house, uids)
    return statistics.median(rest), statistics.median(under)


class Flood:
    """A process in which one user has that many calls under way, whatever it is told."""

    def __init__(self, house, uid, width=64):
        self.house, self.argv = house, [sys.executable, __file__, house.socket, str(uid), str(width)]
        self.codes, self.took = {}, []

    def __call__(self):
        return self

    def __enter__(self):
        self.p = subprocess.Popen(self.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.p.stdout.readline()

    def __exit__(self, *_):
        out, _ = self.p.communicate(timeout=120)
        for code, took in json.loads(out):
            self.codes[code] = self.codes.get(code, 0) + 1
            self.took += [took] if code is None else []


def flood(path, uid, width):
    """Until its input ends; then how its calls ended, and what each took."""
    ended, told = [], False
    with Crowd(path) as crowd:
        while not select.select([0], [], [], 0)[0]:
            while crowd.busy() < width:
                crowd.begin(uid, "list", **BOX)
            ended += [(call.code, call.took) for call in crowd.pump(1)]
            if ended and not told:
                told = print("begun", flush=True) is None
        while crowd.busy():
            ended += [(call.code, call.took) for call in crowd.pump(1)]
    print(json.dumps(ended), flush=True)


# -- what grows

def kept(house, pids):
    """Of the broker at rest, by the name of a process: how many, descriptors, private KiB."""
    out = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            at = pathlib.Path(f"/proc/{pid}")
            rows = (at / "smaps_rollup").read_text().splitlines()
            own = sum(int(row.split()[1]) for row in rows if row.startswith("Private_"))
            name = "monitor" if pid == house.broker.pid else (at / "comm").read_text().strip()
            n, fds, kib = out.get(name, (0, 0, 0))
            out[name] = (n + 1, fds + len(os.listdir(at / "fd")), kib + own)
    return out


def least(house, pids, looks=3):
    """The look with the fewest descriptors: one's connection may be about to be closed."""
    found = []
    for _ in range(looks):
        time.sleep(0.1)
        found.append(kept(house, pids))
    return min(found, key=lambda look: sum(fds for _, fds, _ in look.values()))


def rested(house):
    """When it has no call and no more workers than it keeps."""
    end = time.monotonic() + 60
    while True:
        status, pids = house.status().json, [house.broker.pid, *house.children()]
        if (status["calls"], status["waiting"], status["workers"]) == (0, 0, 2):
            return least(house, pids)
        assert time.monotonic() < end, status
        time.sleep(0.2)


def soak(house, uids, n, width=6, calls=READS, ended=lambda call: None):
    """So many calls of many kinds, width at once; how they ended.  ended() is told of each."""
    chance, codes = random.Random(n), {}
    with Crowd(house.socket) as crowd:
        while n > 0 or crowd.busy():
            while n > 0 and crowd.busy() < width:
                op, args = chance.choice(calls)
                crowd.begin(chance.choice(uids), op, **args)
                n -= 1
            for call in crowd.pump(1):
                codes[str(call.code)] = codes.get(str(call.code), 0) + 1
                ended(call)
    return codes


if __name__ == "__main__":
    flood(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
