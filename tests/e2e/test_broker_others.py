# SPDX-License-Identifier: Apache-2.0
"""
The attack table's rows about others: an agent uses what is another's, its
connections, sends, claims and cursors; writes into the log that the operator
reads; and fills the disk.

Each says what guards it.
"""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import tempfile

import pytest

from conftest import Site
from mail import message
from test_broker import (A, B, BOX, C, D, STALLED, TO, House, become, begin, busy, frame, house,
                         until, whole)

assert house  # a fixture: a house of this module's own
WORK = {"account": "work", "folder": "INBOX"}
HELD = {"account": "held", "to": ["bob@lab.example"], "subject": "s"}


@pytest.fixture(scope="module", autouse=True)
def more(house):
    """Another user's agent, and an account whose mail waits."""
    house.set_up("agent", "add", "third", "--uid", D)
    house.account_maildir(house.site.path, name="held", outbound="approve")


def reply(s):
    (head, first), *parts = whole(s)
    assert head == b"R", first
    return json.loads(b"".join(part for _, part in parts))


def said(house, op, who=A, agent=None, **args):
    """By a frame: a process would take its time."""
    s = house.connect(who)
    s.sendall(frame(b"C", {"v": 1, "op": op, "args": args, **({"agent": agent} if agent else {})}))
    return reply(s)


def rows(house, n=1):
    """The newest of the log, newest first."""
    got = house.admin("audit", "list", "--limit", n, "--json").json["audit"]
    return sorted(got, key=lambda row: -row["id"])


# -- connections

RELAY = """
import os, socket, sys
s = socket.socket(fileno=int(sys.argv[1]))
s.setblocking(True)
s.sendall(bytes.fromhex(sys.argv[2]))
while part := s.recv(65536):
    os.write(1, part)
"""


def used_by(uid, s, call):
    """What a process of that user gets on a connection that it was given."""
    with s:
        done = subprocess.run(
            [*become(uid), "/usr/bin/python3", "-c", RELAY, str(s.fileno()), frame(b"C", call).hex()],
            pass_fds=[s.fileno()], capture_output=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout


LIST = {"v": 1, "op": "list", "args": WORK}


@pytest.mark.parametrize("uid", [0, B])
def test_a_connection_of_the_operator_s_calls_nothing(house, uid):
    """Guard: no agent is root or the broker.  Without: it would be an agent's."""
    for more in {}, {"agent": "scout"}, {"agent": "third"}:
        got = used_by(A, house.connect(uid), {**LIST, **more})
        assert b'"code":"config"' in got and b"this user is no agent here" in got


def test_a_connection_that_is_passed_on_is_its_maker_s(house):
    """Guard: SO_PEERCRED, of whoever connected."""
    assert b'"error":false' in used_by(C, house.connect(A), LIST)
    row = rows(house)[0]
    assert row["principal"] == "scout" and f"uid {A}" in row["detail"]
    got = used_by(C, house.connect(A), {**LIST, "agent": "mole"})
    assert b"this user is no agent here" in got


class CloneArgs(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in (
        "flags", "pidfd", "child_tid", "parent_tid", "exit_signal", "stack", "stack_size", "tls",
        "set_tid", "set_tid_size", "cgroup")]


def process_of(pid):
    """One with that number, which waits."""
    number = (ctypes.c_int * 1)(pid)
    args = CloneArgs(exit_signal=signal.SIGCHLD, set_tid=ctypes.addressof(number), set_tid_size=1)
    got = ctypes.CDLL(None, use_errno=True).syscall(435, ctypes.byref(args), ctypes.sizeof(args))
    if got == 0:
        while True:
            signal.pause()
    assert got == pid, os.strerror(ctypes.get_errno())


def test_a_process_that_has_the_number_of_another_is_not_it(house):
    """Guard: a pidfd of whoever connected.  Without: the call is run as A's."""
    s = socket.socket(socket.AF_UNIX)
    there, go = os.pipe()
    connected, say = os.pipe()
    maker = os.fork()
    if maker == 0:
        os.close(go)
        os.setresuid(A, A, A)
        s.connect(str(house.socket))
        os.write(say, b"x")
        os.read(there, 1)
        os._exit(0)
    # What connects later is looked at later: where the kernel has no descriptor of
    # who has connected (before Linux 6.5), its number is looked up then.
    os.close(there)
    os.close(say)
    assert os.read(connected, 1) == b"x" and house.status().rc == 0
    os.close(connected)
    os.close(go)
    os.waitpid(maker, 0)
    process_of(maker)
    try:
        with contextlib.suppress(OSError):
            s.sendall(frame(b"C", LIST))
        s.settimeout(20)
        assert whole(s) == []
    finally:
        os.kill(maker, signal.SIGKILL)
        os.waitpid(maker, 0)


def test_a_cancel_ends_no_call_of_another(house):
    """Guard: a connection has one call, and no frame names another's."""
    p = begin(house, *STALLED)
    until(busy(house))
    for uid in C, A:
        for raw in (frame(b"X", b""), frame(b"X", b"{}"), frame(b"C", {**LIST, "cancel": 1}),
                    frame(b"C", {**LIST, "id": 1})):
            s = house.connect(uid)
            s.sendall(raw)
            assert reply(s)["error_detail"]["code"] == "usage"
    # A worker says that it is free when its answer is read already.
    until(lambda: house.status().json["calls"] == 1)
    assert p.poll() is None
    p.kill()
    p.communicate()
    until(lambda: house.status().json["calls"] == 0)


# -- what another agent has

def test_a_message_that_waits_is_its_agent_s(house):
    """Guard: outbox rows are asked for with their principal."""
    key = {"idempotency_key": "of-scout"}
    mine = said(house, "send", **HELD, **key, body="scout's")["error_detail"]
    assert mine["code"] == "approval"
    none = said(house, "send_status", who=D, account="held", id=999999)
    assert none["error_detail"]["code"] == "not_found"
    for ask in {"id": mine["id"]}, key:
        assert said(house, "send_status", account="held", **ask)["data"]["state"] == "held"
        got = said(house, "send_status", who=D, account="held", **ask)
        assert got["error_detail"]["code"] == "not_found"
    theirs = said(house, "send", who=D, **HELD, **key, body="third's")["error_detail"]
    assert theirs["code"] == "approval" and theirs["id"] != mine["id"]
    # Nor is there an account of another's agent.
    assert said(house, "send", who=C, **HELD, body="b")["error_detail"]["code"] == "not_found"


def uids(got):
    return [m["uid"] for m in got["data"]["messages"]]


def test_claims_and_acks_are_their_user_s(house):
    """Guard: rows of the store have the user's agents, and no other's."""
    new = {**WORK, "new": True}
    all_of = uids(said(house, "list", **new))
    assert uids(said(house, "list", **new, claim=60)) == all_of
    # Of the same user it is taken, whatever name it calls itself.
    assert uids(said(house, "list", agent="second", **new, claim=60)) == []
    assert uids(said(house, "list", who=D, **new, claim=60)) == all_of
    assert said(house, "ack", who=D, **WORK, uid=all_of[0])["error"] is False
    assert uids(said(house, "list", **new)) == all_of
    assert uids(said(house, "list", who=D, **new)) == all_of[1:]


def test_a_cursor_of_another_shows_nothing_more(house):
    """
    Guard: a mark over account, agent, folder and place (watch_cursor_read()).
    Without: it is anybody's, and begins where its caller likes.
    """
    wait = {**WORK, "timeout": 0}
    cursor = said(house, "watch", **wait)["data"]["cursor"]
    validity, _, mark = cursor.split(".")
    others = [{"who": uid} for uid in (C, D)]
    forged = [{"cursor": text} for text in (
        f"{validity}.0.{mark}", f"{validity}.0.", cursor[::-1], cursor + "0", "0", "w" * 300,
        cursor.upper() + "-", "../" + cursor, "999999999999999999999", "' OR 1=1 --")]
    for more in *others, *forged, {"account": "held"}:
        got = said(house, "watch", **{**wait, "cursor": cursor, **more})
        assert got["error"] and got["error_detail"]["code"] == "usage", (more, got)
    assert said(house, "watch", **wait, cursor=cursor)["data"]["events"] == []
    got = said(house, "watch", who=C, account="held", folder="INBOX", timeout=0, cursor=cursor)
    assert got["error_detail"]["code"] == "not_found"


# -- what the operator reads

# A column shows the beginning of a text.
FORGED = ("\x1b[2J\x07\x9b31m\u202e\u2028\u2066"
          "\n1  2026-06-21T10:00:00Z  operator  account.edit  allowed\r\n"
          '"}\n{"id":1,"action":"account.edit","principal":"operator","result":"allowed"}\n')


def calls_of_texts():
    for name in "account", "folder":
        yield "list", {**WORK, name: FORGED}
    for name in "text", "from", "subject_contains", "message_id":
        yield "search", {**WORK, name: FORGED}
    for name in "subject", "body", "idempotency_key":
        yield "send", {**HELD, "body": "b", name: FORGED}
    yield "send", {**HELD, "body": "b", "to": [FORGED]}
    yield "send", {**HELD, "body": "b", "to": [f'"{FORGED}" <bob@lab.example>']}
    yield "send_status", {"account": "held", "idempotency_key": FORGED}
    yield "load_skill", {"skill": FORGED}
    yield "list", {**WORK, "lease": FORGED}
    yield "watch", {**WORK, "cursor": FORGED, "timeout": 0}
    yield "read_thread", {"id": FORGED, "account": "work"}
    yield "freeze_self", {"why": FORGED}


def test_no_text_of_an_agent_s_forges_the_log(house):
    """Guard: out_line() where lines are shown, and the escapes of JSON."""
    calls = list(calls_of_texts())
    for op, args in calls:
        said(house, op, **args)
    assert said(house, "list", agent=FORGED, **WORK)["error"]
    newest = rows(house, 60)
    assert "account.edit" not in {row["action"] for row in newest[:len(calls)]}
    for argv in (("audit", "list", "--limit", "60"), ("outbox", "list"), ("approve", "list"),
                 ("config", "list"), ("agent", "list"), ("audit", "list", "--limit", "60", "--json")):
        out = house.admin(*argv).out
        text = out.decode()
        assert not {"\x1b", "\x07", "\x9b", "\r", "\u202e", "\u2028", "\u2066"} & set(text), argv
        for line in text.splitlines():
            assert not line.startswith(('{"id":1,"action"', "1  2026-06-21")), argv
    assert house.admin("audit", "verify", "--json").rc == 0


def test_the_log_is_no_agent_s(house):
    """
    Guard: an operation of the operator's is in no table of a frame's, and the
    gate runs it for no agent (operate_begin()); the mode of the database's folder.
    """
    for op in "audit list", "audit verify", "audit_list", "audit.list", "outbox list", "approve":
        got = said(house, op)
        assert got["error"] and got["error_detail"]["code"] == "usage", (op, got)
    for uid in A, C, D:
        r = house.ask("audit", "list", uid=uid, EMCLI_DB=str(house.db), EMCLI_ADMIN_KEY=house.admin_key)
        assert r.rc != 0 and b"principal" not in r.out, "it has the key, and no right to the file"


def test_doctor_tells_an_agent_no_secret_and_no_place(house):
    """Guard: paths are in details, which no agent's reply has."""
    r = house.ask("doctor", "--account", "work", EMCLI_DB=str(house.db), EMCLI_KEY=house.agent_key)
    text = r.out.decode() + r.err.decode()
    for word in (str(house.db), str(house.site.path), str(house.attach), house.agent_key,
                 house.admin_key, '"detail"', str(house.broker.pid)):
        assert word not in text, word
    assert r.json["data"]["isolation"] == "broker"


# -- a disk that is full

@pytest.fixture
def small():
    """A broker whose database has a disk of its own."""
    with tempfile.TemporaryDirectory(prefix="emcli-small-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder)
        h.db.parent.mkdir(mode=0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=2m,mode=700,uid={B},gid={B}", "none",
                        h.db.parent], check=True)
        try:
            h.set_up("init")
            site = h.site = Site(h.folder / "site")
            site.deliver("agent", message(subject="there"))
            h.run_dir.mkdir()
            h.own()
            h.account_maildir(site.path, name="held", outbound="approve", process_backlog=True)
            h.set_up("agent", "add", "scout", "--uid", A)
            h.set_up("agent", "add", "third", "--uid", D)
            h.serve()
            yield h
            h.stop()
        finally:
            subprocess.run(["umount", "-l", h.db.parent], check=True)


def holds(h, uid, body):
    return said(h, "send", who=uid, **HELD, body=body, as_is=True)["error_detail"]["code"]


def test_messages_that_wait_stop_at_their_cap(small):
    """Guard: LIMIT_HELD.  Without: the disk is the cap."""
    codes = [holds(small, A, f"{n}") for n in range(102)]
    assert codes == ["approval"] * 100 + ["limit"] * 2
    assert holds(small, D, "another's") == "approval"


def test_a_full_disk_fails_closed_and_loses_nothing(small):
    """Guard: the row and its record are one transaction."""
    codes = []
    while not codes or codes[-1] == "approval":
        codes.append(holds(small, A, "word\n" * 40000))
        assert len(codes) < 30
    assert codes[-1] == "db"
    assert said(small, "list", who=D, account="held", folder="INBOX")["error"] in (True, False)
    subprocess.run(["mount", "-o", "remount,size=64m", small.db.parent], check=True)
    assert said(small, "list", who=D, account="held", folder="INBOX")["error"] is False
    held = small.admin("outbox", "list", "--json").json["outbox"]
    assert [row["state"] for row in held] == ["held"] * codes.count("approval")
    assert small.admin("audit", "verify", "--json").rc == 0
    assert holds(small, A, "again") == "approval"
