# SPDX-License-Identifier: Apache-2.0
"""
The broker: one user holds the key, another calls, and the kernel says who.

The operator and the broker are user B, agents are users A and C, and nobody is
D; the tests are root, and become each of them.
"""

import base64
import contextlib
import json
import os
import pathlib
import pwd
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

import pytest

import cli
import ports
from conftest import Site
from mail import message

A, B, C, D = 61001, 61002, 61003, 61004
BOX = ("--account", "work", "--folder", "INBOX")
TO = ("--account", "work", "--to", "bob@lab.example", "--subject", "hi")


def become(uid):
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--"]


class House(cli.Emcli):
    """A store of user B's, or of another, and a broker on it."""

    def __init__(self, folder, uid=B):
        super().__init__(folder)
        self.uid = uid
        # Wherever the sources are, other users may not look.
        for name in "binary", "scene":
            shutil.copy(getattr(self, name), self.folder / name)
            setattr(self, name, str(self.folder / name))
        self.attach = self.folder / "attach"
        self.run_dir = self.folder / "run"
        self.socket = self.run_dir / "emcli.sock"
        self.broker = None
        # What its processes say.  A sanitizer's report in a file of its own
        # would never be: most of them may open none.
        self.said = self.folder / "said"
        self.said.touch(mode=0o600)

    def init(self):
        self.db.parent.mkdir(mode=0o700)
        os.chown(self.db.parent, self.uid, self.uid)
        self.set_up("init")

    def own(self):
        for path in self.folder / "site", self.run_dir:
            subprocess.run(["chown", "-R", f"{self.uid}:{self.uid}", path], check=True)

    def call(self, argv, env, stdin, timeout, program=None, uid=None, cwd=None):
        argv = [str(a) for a in argv]
        done = subprocess.run([*become(self.uid if uid is None else uid), program or self.binary, *argv], env=env,
                              timeout=timeout, input=(stdin or "").encode(), cwd=cwd,
                              capture_output=True)
        cli.no_report(done.stderr)
        return cli.Result(argv, done)

    def agent_env(self, **more):
        return self.environment(**{"EMCLI_DB": None, "EMCLI_SOCKET": str(self.socket), **more})

    def ask(self, *argv, uid=A, agent=None, stdin=None, cwd=None, **more):
        """As an agent does: it has a socket, and no key."""
        return self.call(argv, self.agent_env(EMCLI_AGENT=agent, **more), stdin, 60,
                         uid=uid, cwd=cwd)

    def direct(self, *argv, agent="scout", stdin=None, cwd=None):
        env = self.environment(EMCLI_KEY=self.agent_key, EMCLI_AGENT=agent,
                               EMCLI_SOCKET="none")
        return self.call(argv, env, stdin, 60, cwd=cwd)

    def serve(self, *way, env=None):
        env = self.environment(**{"EMCLI_KEY": self.agent_key, **(env or {})})
        with self.said.open("ab") as said:
            self.broker = subprocess.Popen(
                [*become(B), *way, self.binary, "serve", "--foreground", "--socket", self.socket],
                env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        until(lambda: self.status().rc == 0)

    def status(self, uid=None):
        return self.call(["serve", "status", "--json", "--socket", self.socket],
                         self.environment(), None, 60, uid=uid)

    def stop(self):
        self.broker.terminate()
        assert self.broker.wait(60) == 0
        assert not self.socket.exists()
        self.no_report()

    def no_report(self):
        """Of a sanitizer, by any process of the broker until now."""
        cli.no_report(self.said.read_bytes())

    def children(self):
        """By what the kernel says of the monitor: each with its name."""
        path = f"/proc/{self.broker.pid}/task/{self.broker.pid}/children"
        found = {}
        for pid in map(int, pathlib.Path(path).read_text().split()):
            with contextlib.suppress(OSError):
                found[pid] = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        return found

    def named(self, name):
        return {pid for pid, got in self.children().items() if got == f"emcli {name}"}

    def workers(self):
        return self.named("worker")

    def kill(self, pids):
        """And they are gone: one that is about to die is still given calls."""
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not set(pids) & set(self.children()))

    def spare(self):
        """
        Two workers, when no call runs.  If one had not yet said that its call was
        over, the next call has begun another, which ends ten seconds later.
        """
        def plain():
            found = self.workers()
            return found if len(found) == 2 and not any(map(self.is_behind, found)) else None

        until(lambda: plain() and self.status().json["calls"] == 0 and plain())
        return self.workers()

    def is_behind(self, pid):
        """Is it one for the other calls of a user that has one already?"""
        with contextlib.suppress(ProcessLookupError):
            return os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, self.broker.pid)
        return True

    def confined(self):
        """The workers that have begun: a new one adds its filter to those of the spawner."""
        return {pid for pid in self.workers() if there(filters, pid) == [2]}

    def readers(self, pid):
        """Those of a worker, the oldest first: below what forks them."""
        def below(pid):
            path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
            return list(map(int, path.read_text().split()))

        # It may have ended, or just begun.
        with contextlib.suppress(OSError, ValueError):
            (nursery,) = [p for p in below(pid)
                          if pathlib.Path(f"/proc/{p}/comm").read_text() == "emcli nursery\n"]
            return below(nursery)
        return []

    def next_reader(self, pid):
        """The one that is ready for a call; the worker may have kept another."""
        found = []

        def ready():
            with contextlib.suppress(OSError):
                found[:] = self.readers(pid)[-1:]
                # The last thing that it does before it is ready.
                return [p for p in found if re.search(
                    r"Max address space +\d", pathlib.Path(f"/proc/{p}/limits").read_text())]

        until(ready)
        return found[0]

    def connect(self, uid):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        os.setresuid(uid, uid, 0)
        try:
            s.connect(str(self.socket))
        finally:
            os.setresuid(0, 0, 0)
        s.settimeout(60)
        return s


def there(says, pid):
    """None: it has ended.  A worker beyond two does so by itself."""
    with contextlib.suppress(OSError):
        return says(pid)


def filters(pid):
    """The kernel's count, where it has one."""
    rows = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return [int(row.split(":")[1]) for row in rows if row.startswith("Seccomp_filters")]


def until(there, seconds=60):
    """Each look may begin a process, and a busy machine takes seconds for one."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.05)


def frame(kind, payload):
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return struct.pack(">I", len(raw)) + kind + raw


def whole(s):
    """All that comes until the end: a list of types and payloads."""
    raw = b""
    try:
        while part := s.recv(65536):
            raw += part
    except ConnectionResetError:
        pass
    s.close()
    out = []
    while raw:
        (n,) = struct.unpack(">I", raw[:4])
        out.append((raw[4:5], raw[5:5 + n]))
        raw = raw[5 + n:]
    return out


def detail(frames):
    """The error of a reply that came as frames: its head, and one part."""
    (head, first), (part, second) = frames
    assert (head, part) == (b"R", b"B")
    assert json.loads(first)["bytes"] == len(second)
    return json.loads(second)["error_detail"]


def call(op="list", **args):
    return {"v": 1, "op": op, "args": {"account": "work", "folder": "INBOX", **args}}


@pytest.fixture(scope="module")
def house():
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder)
        h.init()
        site = h.site = Site(h.folder / "site")
        for user in "agent", "bob":
            site.box(user)
        for name in ".Drafts", ".Sent":
            for half in "cur", "new", "tmp":
                (site.box("agent") / name / half).mkdir(parents=True)
        for i in range(3):
            site.deliver("agent", message(subject=f"s{i}", body=f"words {i} é\r\n"))
        site.deliver("agent", message(subject="long", body="x" * 70000 + "\r\n"))
        h.run_dir.mkdir()
        h.attach.mkdir()
        os.chown(h.attach, A, A)
        h.own()
        h.account_maildir(site.path, process_backlog=True, attach_dir=h.attach)
        h.stall, h.heard = socket.create_server(("127.0.0.1", 0)), []
        port = h.stall.getsockname()[1]
        h.set_up("account", "add", "slow", "--password-stdin", "--backend", "imap", "--mode", "RW",
                 "--from", "agent@lab.example", "--username", "agent", "--imap-host", "localhost",
                 "--imap-port", port, "--smtp-host", "localhost", "--smtp-port", port,
                 "--whitelist-out", "off", "--check-unfinished", "off", stdin="secret")
        # A call of a server that never answers is there as long as a test needs it.
        h.set_up("config", "set", "timeout_seconds", 600)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.set_up("agent", "add", "mole", "--uid", C, "--account", "work")
        h.set_up("agent", "add", "second", "--uid", A, "--uid", C)
        h.serve()
        h.silent = [(time.monotonic(), h.connect(A))]
        yield h
        h.stop()


# -- the same replies

def fenced(text):
    """What a person reads of others is between two lines with a random number."""
    return re.sub(rb'id="[0-9a-f]{32}"', b'id="R"', text)


def same(x, y):
    assert (x.rc, fenced(x.out), x.err) == (y.rc, fenced(y.out), y.err), f"{x}\n{y}"


SAME = [
    ("list", *BOX), ("list", *BOX, "--new"), ("list", *BOX, "--limit", "2"),
    ("get", *BOX, "--uid", "1"), ("get", *BOX, "--uid", "4", "--raw"),
    ("get", *BOX, "--uid", "99"), ("search", *BOX, "--subject-contains", "s1"),
    ("folders", "--account", "work"), ("list-skills",),
    ("list", *BOX, "--human"), ("get", *BOX, "--uid", "2", "--human"),
    ("get", *BOX, "--uid", "99", "--human"),
    ("list", "--account", "wrok", "--folder", "INBOX"), ("list", "--folder", "INBOX"),
    ("list", *BOX, "--limit", "many"), ("list", *BOX, "--uid", "1"), ("list",),
    ("get", *BOX, "--uid", "0"), ("send", *TO[:2]), ("read-thread", "no such"),
    ("list-drafts", "--account", "work"), ("account",), ("list", "--help"),
]


@pytest.mark.parametrize("argv", SAME, ids=" ".join)
def test_a_reply_is_the_one_of_direct(house, argv):
    same(house.ask(*argv), house.direct(*argv))


def unlike(text):
    """What differs from one message to the next."""
    text = re.sub(rb"<[^<>@\"]+@[^<>\"]+>", b"<ID>", text)
    text = re.sub(rb'"(id|uid)":\d+', rb'"\1":N', text)
    text = re.sub(rb'"draft_id":"[^"]*"', b'"draft_id":"D"', text)
    return re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"TIME", text)


def written(house, argv, **more):
    mine = house.ask(*argv, **more)
    ours = house.direct(*argv, **more)
    assert (mine.rc, unlike(mine.out), mine.err) == (ours.rc, unlike(ours.out), ours.err), \
        f"{mine}\n{ours}"
    return mine


def test_what_changes_something_answers_as_direct(house):
    before = len(house.site.messages("bob"))
    written(house, ("send", *TO, "--body", "word for word"))
    written(house, ("send", *TO, "--body-file", "-"), stdin="from a pipe")
    # A key is one key, whichever way it came.
    once = ("send", *TO, "--idempotency-key", "k1", "--body", "once")
    mine, ours = house.ask(*once).data, house.direct(*once).data
    assert (mine.pop("again"), ours.pop("again")) == (False, True) and mine == ours
    got = house.site.messages("bob")[before:]
    assert len(got) == 5 and sum(b"once" in m for m in got) == 1
    drafted = ("create-draft", "--account", "work", "--to", "bob@lab.example", "--subject", "d",
               "--another", "a test", "--body")
    mine, ours = house.ask(*drafted, "one"), house.direct(*drafted, "two")
    assert mine.rc == 0 and unlike(mine.out) == unlike(ours.out), f"{mine}\n{ours}"
    written(house, ("ack", *BOX, "--uid", "1"))
    same(house.ask("list", *BOX, "--new"), house.direct("list", *BOX, "--new"))


def test_an_account_of_the_environment_is_the_caller_s(house):
    mine = house.ask("list", "--folder", "INBOX", EMCLI_ACCOUNT="work")
    assert mine.rc == 0 and mine.out == house.ask("list", *BOX).out
    assert house.ask("list", "--folder", "INBOX", EMCLI_ACCOUNT="no").code == "not_found"


# -- who calls

def refused(r):
    assert r.code == "config"
    return r.json["error_detail"]["message"]


def test_a_caller_is_who_the_kernel_says(house):
    scout, mole = house.ask("list", *BOX), house.ask("list", *BOX, uid=C)
    assert scout.rc == mole.rc == 0
    assert house.ask("list", *BOX, agent="SECOND").rc == 0
    assert house.ask("list", *BOX, uid=C, agent="second").rc == 0
    # Nobody, root, the broker itself; another user's name; no agent's.
    text = {refused(house.ask("list", *BOX, uid=uid)) for uid in (D, 0, B)}
    text |= {refused(house.ask("list", *BOX, uid=uid, agent=name))
             for uid, name in ((A, "mole"), (C, "scout"), (A, "nobody"), (D, "scout"))}
    assert len(text) == 1
    # Its limits come with its name, and a key or a token changes nothing.
    assert house.ask("folders", "--account", "slow", uid=C).code == "not_found"
    r = house.ask("list", *BOX, uid=D, EMCLI_KEY=house.agent_key)
    assert "this user is no agent" in refused(r)


def test_the_log_has_the_agent_and_the_user(house):
    house.ask("list", *BOX, uid=C, agent="second")
    rows = house.admin("audit", "list", "--limit", "1", "--json").json["audit"]
    assert rows[0]["principal"] == "second" and f"uid {C}" in rows[0]["detail"]
    shown = {a["name"]: a["uids"] for a in house.admin("agent", "list", "--json").json["agents"]}
    assert shown == {"scout": [A], "mole": [C], "second": [A, C]}
    verified = house.admin("audit", "verify", "--json")
    assert verified.rc == 0, str(verified)


def test_the_key_and_the_store_are_another_user_s(house):
    pids = house.workers() | {house.broker.pid}
    files = [house.db, house.db.parent, f"{house.db}-wal"]
    files += [f"/proc/{pid}/{name}" for pid in pids for name in ("environ", "mem", "maps", "fd/0")]
    tried = subprocess.run([*become(A), "/usr/bin/python3", "-c", """
import os, sys
for path in sys.argv[1:]:
    try:
        os.open(path, os.O_RDONLY)
    except OSError:
        continue
    print(path)
""", *map(str, files)], capture_output=True)
    assert (tried.returncode, tried.stdout) == (0, b""), tried


def test_doctor_says_what_it_observes(house):
    here = house.direct("doctor", "--account", "work").json["data"]
    there = house.ask("doctor", "--account", "work").json["data"]
    assert (here["isolation"], there["isolation"]) == ("direct", "broker")
    (line,) = [c for c in there["checks"] if c["check"] == "isolation"]
    assert line["message"].startswith(f"broker at {house.socket}: ")

    def refuted(uid=A, agent=None):
        r = house.ask("doctor", "--account", "work", uid=uid, agent=agent)
        (line,) = [c for c in r.json["data"]["checks"] if c["check"] == "isolation"]
        assert r.json["data"]["isolation"] == "direct" and line["ok"] is False and r.rc != 0

    # Others can come to the database; could read it until it was opened; or are
    # its owner, or root, who read the broker's processes too.
    os.chmod(house.db.parent, 0o755)
    refuted()
    os.chmod(house.db.parent, 0o700)
    os.chmod(house.db, 0o644)
    refuted()
    house.set_up("agent", "add", "inside", "--uid", B, "--uid", 0)
    for uid in B, 0:
        refuted(uid, "inside")
    house.set_up("agent", "remove", "inside")
    assert house.ask("doctor", "--account", "work").json["data"]["isolation"] == "broker"


def test_status_is_for_the_operator(house):
    # The wire of the last call says that it is over, and its client does not wait for that.
    until(lambda: all(w["state"] == "idle" for w in house.status().json["wires"]))
    for uid in B, 0:
        got = house.status(uid).json
        assert got["level"] == "broker" and got["uid"] == B
        assert {w["account"] for w in got["wires"]} <= {"work"}
        assert got["confined"]["worker"] == "seccomp and Landlock"
        assert got["confined"]["keeper"] == "seccomp and Landlock"
        assert got["socket"] == str(house.socket) and got["workers"] >= 2
        assert got["http"] is None
    assert house.status(A).rc != 0
    shown = house.call(["serve", "status"], house.environment(EMCLI_SOCKET=str(house.socket)), None, 60)
    rows = dict(line.split(None, 1) for line in shown.out.decode().splitlines())
    assert list(rows)[:4] == ["level", "socket", "uid", "pid"] and rows["socket"] == str(house.socket)
    assert rows["worker"] == got["confined"]["worker"]


# -- finding it

def fake(path, answer, uid=0):
    """A broker of that user's that gives that answer to whatever it is asked."""
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    os.setresuid(uid, uid, 0)
    s.bind(str(path))
    os.chmod(path, 0o666)
    s.listen()
    os.setresuid(0, 0, 0)
    s.settimeout(60)

    def serve():
        with s, contextlib.suppress(OSError):
            c, _ = s.accept()
            with c:
                c.recv(65536)
                c.sendall(answer)

    # A process of its own would outlive a test that never asks it, and hold the output.
    threading.Thread(target=serve, daemon=True).start()


def test_a_socket_that_is_not_trusted_is_not_used(house):
    place = house.folder / "elsewhere"
    place.mkdir()
    at = place / "s"
    # There is a key, and it is not used: a socket was named.
    key = {"EMCLI_KEY": house.agent_key, "EMCLI_DB": str(house.db)}
    r = house.ask("list", *BOX, **key, EMCLI_SOCKET=str(at), uid=B)
    assert r.code == "network"
    fake(at, b"")
    os.chmod(place, 0o777)
    r = house.ask("list", *BOX, EMCLI_SOCKET=str(at))
    assert "others can write" in refused(r)
    os.chmod(place, 0o755)
    os.unlink(at)
    # User C listens in a folder that is not C's.
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    s.bind(str(at))
    os.chmod(at, 0o666)
    os.setresuid(C, C, 0)
    s.listen()
    os.setresuid(0, 0, 0)
    r = house.ask("list", *BOX, EMCLI_SOCKET=str(at))
    assert "neither root's nor" in refused(r)
    s.close()
    os.unlink(at)
    assert house.call(["list", *BOX], house.environment(EMCLI_SOCKET="none", **key), None, 60).rc == 0


def test_another_version_is_told_on_either_side(house):
    s = house.connect(A)
    s.sendall(frame(b"C", {**call(), "v": 2, "new": {}}))
    told = detail(whole(s))
    assert told["code"] == "config" and told["message"] == "this emcli speaks 1"
    at = house.folder / "elsewhere" / "two"
    for answer in (frame(b"R", {"v": 2, "exit": 0, "bytes": 2, "person": []}) + frame(b"B", b"{}"),
                   frame(b"Z", b"{}"), frame(b"R", b"[")):
        fake(at, answer)
        r = house.ask("list", *BOX, EMCLI_SOCKET=str(at))
        assert "does not speak as this emcli does" in refused(r)
        os.unlink(at)
    # One that dies: a send may have happened.
    for argv, code in ((("list", *BOX), "internal"),
                       (("send", *TO, "--body", "b"), "unknown_outcome")):
        fake(at, b"")
        assert house.ask(*argv, EMCLI_SOCKET=str(at)).code == code
        os.unlink(at)


# -- bad input

BAD = {
    "too long": (struct.pack(">I", 2**20 + 1) + b"C", "longer than"),
    "2^31": (struct.pack(">I", 2**31) + b"C{}", "longer than"),
    "2^32-1": (b"\xff" * 4 + b"C{}", "longer than"),
    "empty": (frame(b"C", b""), "strict JSON"),
    "an unknown type": (frame(b"Q", b"{}"), "unknown type"),
    "an unknown member": (frame(b"C", {**call(), "fd": 1}), "fd"),
    "an unknown argument": (frame(b"C", call(foldr="x")), "foldr"),
    "an operator's command": (frame(b"C", {"v": 1, "op": "account list", "args": {}}),
                              "unknown operation"),
    "deep": (frame(b"C", b"[" * 100000), "strict JSON"),
    "status of an agent": (frame(b"S", b'{"v":1}'), "unknown type"),
}


@pytest.mark.parametrize("why", BAD)
def test_a_bad_frame_gets_one_answer(house, why):
    raw, says = BAD[why]
    s = house.connect(A)
    s.sendall(raw)
    told = detail(whole(s))
    assert told["code"] == "usage" and says in told["message"]


def test_bytes_one_by_one_are_a_call(house):
    s = house.connect(A)
    for byte in frame(b"C", call()):
        s.send(bytes([byte]))
    (head, first), _ = whole(s)
    assert head == b"R" and json.loads(first)["exit"] == 0


def descriptors(at):
    """By what they are: the name of a file, and descriptors of it."""
    (at / "folder").mkdir(parents=True)
    os.mkfifo(at / "fifo")
    # The broker can read it; the agent can name it, and write to it.
    (at / "unread").write_text("text of the broker's")
    os.chmod(at / "unread", 0o622)
    for path in at, at / "unread":
        os.chown(path, B, B)
    unread = str(at / "unread")
    return {
        "a path alone": ("unread", [os.open(unread, os.O_PATH)]),
        "for writing": ("unread", [os.open(unread, os.O_WRONLY)]),
        "for both": ("unread", [os.open(unread, os.O_RDWR)]),
        "a folder": ("folder", [os.open(at / "folder", os.O_RDONLY)]),
        "a pipe": ("fifo", [os.open(at / "fifo", os.O_RDONLY | os.O_NONBLOCK)]),
        "a device": ("unread", [os.open("/dev/zero", os.O_RDONLY)]),
        "a socket": ("unread", [socket.socket(socket.AF_UNIX).detach()]),
        "none": ("unread", []), "one more": ("unread", [os.open("/etc/passwd", os.O_RDONLY)] * 2),
        "excess": ("unread", [os.open("/", os.O_RDONLY)] * 200),
    }


def test_descriptors_of_the_wrong_kind_are_refused(house):
    """Guard: ipc_pass_file().  Without: a file that its agent cannot read is sent."""
    since = len(house.site.messages("bob"))

    def held():
        """How many each worker has; that of no call yet has fewer than the others."""
        found = {}
        for w in house.workers():
            with contextlib.suppress(OSError):
                found[w] = len(os.listdir(f"/proc/{w}/fd"))
        return found

    before = held()
    for why, (name, fds) in descriptors(house.attach / "kinds").items():
        s = house.connect(A)
        raw = frame(b"C", {"v": 1, "op": "send",
                           "args": {"account": "work", "to": ["bob@lab.example"], "subject": "s",
                                    "body": "b", "attach": [f"kinds/{name}"]},
                           "files": [{"arg": "attach", "at": 0}]})
        socket.send_fds(s, [raw], fds) if fds else s.sendall(raw)
        got = json.loads(whole(s)[-1][1])
        assert got["error"] and got["error_detail"]["code"] == "usage", (why, got)
    assert house.site.messages("bob")[since:] == []
    until(lambda: house.status().json["calls"] == 0)
    until(lambda: all(n <= max(before.values()) + 1 for n in held().values()))


# -- files

def test_a_file_leaves_only_if_both_may(house):
    mine, others = house.attach / "mine.txt", house.attach / "others.txt"
    for path, uid in (mine, A), (others, B):
        path.write_text("text of " + path.name)
        os.chown(path, uid, uid)
    os.chmod(others, 0o600)
    os.chmod(mine, 0o644)
    (house.attach / "link.txt").symlink_to(mine)
    os.mkfifo(house.attach / "fifo")
    os.chmod(house.attach / "fifo", 0o666)
    outside = house.folder / "outside.txt"
    outside.write_text("text of outside")

    def send(path, option="--attach", **more):
        more.setdefault("cwd", house.attach)
        body = ("--body", "b") if option == "--attach" else ()
        return house.ask("send", *TO, *body, option, path, **more)

    before = len(house.site.messages("bob"))
    assert send("mine.txt").rc == 0
    assert send(mine, cwd="/").rc == 0
    assert send("mine.txt", option="--body-file").rc == 0
    # The broker could read it, and the agent cannot: as if there were none.
    assert send("others.txt").json == send("missing.txt").json
    assert send("others.txt").code == "not_found"
    for path in "link.txt", outside, "../outside.txt", "/proc/self/fd/0", house.db:
        assert send(path).code == "policy", path
    assert send("fifo").code in ("policy", "not_found")
    # The path is the same, and the file is not.
    s = house.connect(A)
    raw = frame(b"C", {"v": 1, "op": "send",
                       "args": {"account": "work", "to": ["bob@lab.example"], "subject": "s",
                                "body": "b", "attach": ["others.txt"]},
                       "files": [{"arg": "attach", "at": 0}]})
    fd = os.open(mine, os.O_RDONLY)
    socket.send_fds(s, [raw], [fd])
    os.close(fd)
    assert detail(whole(s))["reason"] == "attach_dir"
    got = house.site.messages("bob")[before:]
    assert len(got) == 3 and not any(b"others" in m or b"outside" in m for m in got)


# -- how it begins

def test_root_begins_it_as_another_user():
    """In the background, in the user's own folders, and once."""
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder, pwd.getpwnam("nobody").pw_uid)
        h.init()
        h.set_up("agent", "add", "scout", "--user", "daemon")
        env = h.environment(EMCLI_KEY=h.agent_key)
        serve = [h.binary, "serve", "--user", "nobody", "--socket", str(h.socket)]

        def run(**more):
            return subprocess.run(serve, env={**env, **more}, capture_output=True)

        refusal = run(EMCLI_ADMIN_KEY=h.admin_key)
        assert b"must not have the operator's key" in refusal.stderr
        wrong = run(EMCLI_KEY=base64.b64encode(bytes(32)).decode())
        assert wrong.returncode == 1 and h.run_dir.is_dir(), wrong
        assert not h.socket.exists(), "a start that fails leaves its socket"
        first = run()
        assert first.returncode == 0 and first.stdout == b"the broker listens\n", first
        got = h.status().json
        try:
            assert got["uid"] == h.uid
            assert h.run_dir.stat().st_uid == h.uid
            again = run()
            assert again.returncode == 1 and b"a broker has that folder already" in again.stderr
            assert h.socket.exists(), "and one that is another's stays"
            assert h.ask("list-skills", uid=pwd.getpwnam("daemon").pw_uid).rc == 0
            assert h.ask("list-skills").code == "config"
        finally:
            assert b"serve" in pathlib.Path(f"/proc/{got['pid']}/cmdline").read_bytes()
            os.kill(got["pid"], signal.SIGTERM)
        until(lambda: not h.socket.exists() and not ports.alive(got["pid"]))


# -- the operator is root

def owners(folder):
    return {path.name: path.lstat().st_uid for path in [folder, *folder.rglob("*")]}


def test_root_is_the_owner_of_the_database_it_changes(house, tmp_path):
    """No file beside it becomes root's, or the broker could not use it any more."""
    env = house.environment(EMCLI_KEY=house.agent_key, EMCLI_ADMIN_KEY=house.admin_key)
    assert house.direct("list", *BOX).rc == 0  # leaves what is not in the database yet
    assert house.db.with_name("emcli.db-wal").exists()
    for argv in (("account", "edit", "work", "--limit-bytes", "1000000"), ("whitelist", "in", "list", "--account", "work"),
                 ("freeze", "--agent", "nobody"), ("thaw", "--agent", "nobody")):
        r = house.call(argv, env, None, 60, uid=0)
        assert r.rc == 0, str(r)
        assert set(owners(house.db.parent).values()) == {B}
    rows = house.admin("audit", "list", "--limit", "9", "--json").json["audit"]
    assert ("account.edit", "operator", "allowed") in [(r["action"], r["principal"], r["result"]) for r in rows]
    # One that is made is its folder's owner's.
    place = house.folder / "new"
    place.mkdir(mode=0o700)
    os.chown(place, D, D)
    r = house.call(["init"], {**env, "EMCLI_DB": f"{place}/emcli.db"}, None, 60, uid=0)
    assert r.rc == 0 and set(owners(place).values()) == {D}, str(r)
    # What is written elsewhere is root's, and root does not write into that database.
    r = house.call(["skill", "export", f"{tmp_path}/skills"], env, None, 60, uid=0)
    assert r.rc != 0 and b"belongs to another user" in r.err


# -- processes that end

def busy(house, n=1):
    """Also by a call that has its answer, until its worker has said so."""
    return lambda: house.status().json["calls"] >= n


def begin(house, *argv, uid=A):
    return subprocess.Popen([*become(uid), house.binary, *argv], env=house.agent_env(),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)


STALLED = ("list", "--account", "slow", "--folder", "INBOX")


def stalled(house, *argv):
    """A call that has come to the server that never answers."""
    def came(seconds):
        house.stall.settimeout(seconds)
        try:
            house.heard.append(house.stall.accept()[0])
        except (TimeoutError, BlockingIOError):
            return False
        return True

    while came(0):
        pass
    p = begin(house, *argv)
    assert came(60)
    until(busy(house))
    return p


def test_a_read_ends_with_its_client(house):
    before = house.spare()
    p = stalled(house, *STALLED)
    p.kill()
    p.communicate()
    until(lambda: house.status().json["calls"] == 0)
    assert len(before - house.workers()) == 1
    assert house.ask("list", *BOX).rc == 0


def test_a_hangup_replaces_the_workers(house):
    before = house.workers()
    p = stalled(house, *STALLED)
    os.kill(house.broker.pid, signal.SIGHUP)
    until(lambda: len(before & house.workers()) <= 1 and house.ask("list", *BOX).rc == 0)
    assert p.poll() is None
    p.kill()
    p.communicate()
    until(lambda: not before & house.workers() and len(house.workers()) >= 2)
    assert house.ask("list", *BOX).rc == 0


@pytest.mark.parametrize("argv, code", [
    (STALLED, "internal"),
    (("send", "--account", "slow", *TO[2:], "--body", "b"), "unknown_outcome"),
    (("send", "--account", "slow", *TO[2:], "--body", "b", "--reply-to", "1", "--dry-run"),
     "internal")],
    ids=["read", "send", "dry_run"])
def test_a_worker_that_dies_fails_one_call(house, argv, code):
    p = stalled(house, *argv)
    house.kill(house.workers())
    out, _ = p.communicate(timeout=60)
    assert p.returncode != 0 and json.loads(out)["error_detail"]["code"] == code
    assert house.ask("list", *BOX).rc == 0


def test_a_flood_of_one_user_stops_no_other(house):
    flood = [house.connect(A) for _ in range(60)]
    until(lambda: len(select.select(flood, [], [], 0)[0]) >= 20, 9)
    said = select.select(flood, [], [], 0)[0]
    told = detail(whole(said[0]))
    assert told["code"] == "limit" and told["retry_after"] == 1
    assert house.ask("list", *BOX, uid=C).rc == 0
    # It did not wait for them: those that say nothing are told so after ten seconds.
    still = [s for s in flood if s.fileno() >= 0]
    assert len(select.select(still, [], [], 0)[0]) < len(still)
    for s in flood:
        s.close()
    until(lambda: house.ask("list", *BOX).rc == 0)


def test_a_connection_outlives_nobody(house):
    """Its maker has ended: whoever has it now is somebody else."""
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    maker = os.fork()
    if maker == 0:
        os.setresuid(A, A, A)
        s.connect(str(house.socket))
        os._exit(0)
    os.waitpid(maker, 0)
    try:
        s.sendall(frame(b"C", call()))
    except OSError:
        pass
    assert whole(s) == []


def test_a_silent_client_is_told_once(house):
    since, s = house.silent[0]
    s.settimeout(max(1, 60 - (time.monotonic() - since)))
    told = detail(whole(s))
    assert told["code"] == "usage" and "10 seconds" in told["message"]


def test_a_program_that_a_broker_does_not_run_is_named_when_it_is_set(house):
    """A worker runs as that user; without a broker it would be run."""
    program = house.folder / "tell"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    def lines():
        checks = house.admin("doctor", "--account", "work", "--json").json["data"]["checks"]
        return [(c["ok"], "a broker does not run it" in c["message"]) for c in checks if c["check"] == "notify"]

    for owner, said in (B, True), (0, False):
        os.chown(program, owner, owner)
        r = house.admin("config", "set", "notify", program, "--json")
        assert r.rc == 0 and ["a broker does not run it" in n for n in r.json["notes"]] == [True] * said, str(r)
        assert lines() == [(True, said)]
    os.chown(program, A, A)
    r = house.admin("config", "set", "notify", program)
    assert r.rc == 2 and "others than root and the user" in r.err.decode(), str(r)
    r = house.admin("config", "set", "notify", "off")
    assert r.rc == 0 and not r.out and not r.err, str(r)
    program.unlink()
