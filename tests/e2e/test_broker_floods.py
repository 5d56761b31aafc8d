# SPDX-License-Identifier: Apache-2.0
"""
The broker under floods: connections that say nothing, noise, clients that never
read, that are killed, that stall; and the broker itself killed.  Others are
served meanwhile, and nothing is sent twice.
"""

import contextlib
import json
import os
import random
import resource
import select
import socket
import subprocess
import threading
import time

import pytest

from mail import message
from test_broker import (A, B, BOX, C, STALLED, TO, begin, busy, call, detail, frame, house, until,
                         whole)
from test_broker_attacks import processes

assert house  # a fixture: a house of this module's own


@pytest.fixture
def many():
    """More descriptors than a process usually has."""
    was = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (was[1], was[1]))
    yield min(was[1] - 200, 10000)
    resource.setrlimit(resource.RLIMIT_NOFILE, was)


def served(house, uid=C, of=min):
    """
    Another agent's call, and how long it took: in the best of three, since what stops
    one stops all of them, and a machine that stands still for a while does not.
    """
    times = []
    for _ in range(3):
        begun = time.monotonic()
        assert house.ask("list", *BOX, uid=uid).rc == 0
        times.append(time.monotonic() - begun)
    return of(times)


def connected(house, n, uid=A):
    """That many connections of a user's, as far as the broker takes them."""
    out = []
    os.setresuid(uid, uid, 0)
    try:
        for _ in range(n):
            s = socket.socket(socket.AF_UNIX)
            s.setblocking(False)
            try:
                s.connect(str(house.socket))
            except BlockingIOError:
                s.close()
                time.sleep(0.001)
                continue
            out.append(s)
    finally:
        os.setresuid(0, 0, 0)
    return out


@pytest.fixture(scope="module")
def slow(house):
    """A call of which a byte comes each second, from the beginning on."""
    s = house.connect(A)

    def drip():
        with contextlib.suppress(OSError):
            for byte in frame(b"C", call()):
                s.send(bytes([byte]))
                time.sleep(1)

    threading.Thread(target=drip, daemon=True).start()
    return s


@pytest.fixture(autouse=True)
def begun(slow):
    """It is, before the first test."""


def test_silent_connections_by_the_thousand_stop_nobody(house, many):
    """Guard: LIMIT_SERVE_WAITING_OF.  Without: one user's are all that may wait."""
    for _ in range(3):
        flood = connected(house, many)
        try:
            # They are told after ten seconds, and stop nobody then: so each counts.
            took = served(house, of=max)
        finally:
            for s in flood:
                s.close()
        if took < 5:
            break
    assert took < 5
    until(lambda: house.ask("list", *BOX).rc == 0)


CALLS = [call(), call("get", uid=1), call("search", text="words"), call("folders"),
         call("send", to=["bob@lab.example"], subject="s", body="b"),
         {"v": 1, "pipe": "mcp", "argv": ["--always"]}]


def some(noise):
    """Bytes; a frame of bytes; a call of which some bytes are others."""
    kind = noise.randrange(3)
    if kind == 0:
        return noise.randbytes(noise.choice((1, 5, 64, 4096, 70000)))
    raw = noise.randbytes(noise.choice((0, 1, 64, 4096)))
    if kind == 2:
        raw = bytearray(json.dumps(noise.choice(CALLS)).encode())
        for _ in range(noise.choice((1, 1, 2, 9))):
            raw[noise.randrange(len(raw))] = noise.choice(b'"\\{}[],:-0e \x00\xff\x1f')
    return frame(noise.choice((b"C", b"O", b"X", b"I", b"S", noise.randbytes(1))), bytes(raw))


# A minute of it is tried by hand: EMCLI_NOISE_S=60, with a build under sanitizers.
NOISE_S = int(os.environ.get("EMCLI_NOISE_S", "0"))


def test_noise_ends_in_refusals(house):
    """Guard: strict reading, before anything is looked up."""
    noise, end, n, codes = random.Random(18), time.monotonic() + NOISE_S, 0, set()
    while n < 200 or time.monotonic() < end:
        n += 1
        s = house.connect(A)
        try:
            s.sendall(some(noise))
            s.shutdown(socket.SHUT_WR)
            frames = whole(s)
        except OSError:
            continue
        if len(frames) == 2 and frames[0][0] == b"R" and b'"error":true' in frames[1][1]:
            codes.add(detail(frames)["code"])
    # Some of it is a call, of what is not there.
    assert "usage" in codes and codes <= {"usage", "limit", "config", "not_found", "rejected"}, codes
    assert house.broker.poll() is None and served(house) < 5
    house.no_report()


def test_a_flood_of_frames_is_one_call(house):
    """
    Guard: a connection has one call, and a byte after one that reads is its end
    (serve_call_may_end()).  Without: each frame has a worker's time.
    """
    s = house.connect(A)
    with contextlib.suppress(OSError):
        for _ in range(1000):
            s.sendall(frame(b"C", call()))
    assert len(whole(s)) <= 2
    assert served(house) < 5


def test_a_client_that_never_reads_holds_nothing(house):
    """A reply longer than a socket takes; its worker is free again.

    Guard: such a reply is a file in memory (LIMIT_FRAME_PART); and a frame is
    sent in LIMIT_FRAME_MS.  Either is enough.
    """
    site = house.site
    site.deliver("agent", message(subject="lines", body=("y" * 70 + "\r\n") * 8000))
    subprocess.run(["chown", "-R", f"{B}:{B}", site.path], check=True)
    uid = max(m["uid"] for m in house.ask("list", *BOX).data["messages"])
    stuck = []
    for _ in range(4):
        s = house.connect(A)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        s.sendall(frame(b"C", call("get", uid=uid)))
        stuck.append(s)
    assert served(house) < 5
    until(lambda: house.status().json["calls"] == 0, 40)
    for s in stuck:
        s.close()


def test_clients_that_are_killed_send_once(house):
    """One key, many clients, each killed at some moment: one message.

    Guard: the key is in the row, which is written before the message is sent.
    """
    since, when = len(house.site.messages("bob")), random.Random(5)
    for _ in range(10):
        ps = [begin(house, "send", *TO, "--idempotency-key", "killed", "--body", "once only")
              for _ in range(10)]
        time.sleep(when.random() / 20)
        for p in ps:
            p.kill()
            p.communicate()
    until(lambda: (now := house.status().json)["calls"] == now["waiting"] == 0)
    r = house.ask("send", *TO, "--idempotency-key", "killed", "--body", "once only")
    assert r.rc == 0, str(r)
    assert sum(b"once only" in m for m in house.site.messages("bob")[since:]) == 1
    assert house.admin("audit", "verify", "--json").rc == 0


def test_stalled_calls_of_one_agent_stop_no_other(house):
    """Guard: LIMIT_SERVE_RUNNING, a part of LIMIT_SERVE_WORKERS."""
    stalled = [begin(house, *STALLED) for _ in range(12)]
    try:
        until(busy(house, 8))
        assert served(house) < 5
    finally:
        for p in stalled:
            p.kill()
            p.communicate()
    until(lambda: house.status().json["calls"] == 0)


WATCH = ("watch", *BOX, "--timeout", "600")


def test_agents_that_wait_for_mail_stop_nobody(house):
    """Guard: LIMIT_SERVE_WATCHES_OF.  Without: all of them wait."""
    waiting = [begin(house, *WATCH) for _ in range(9)]
    try:
        # One of them is told at once; so is the next, whichever of its user's agents it is.
        until(lambda: any(p.poll() is not None for p in waiting), 60)
        (late,) = [p for p in waiting if p.poll() is not None]
        assert b'"limit"' in late.communicate()[0]
        waiting.remove(late)
        r = house.ask(*WATCH, agent="second")
        assert r.code == "limit" and r.json["error_detail"]["retry_after"] > 0, str(r)
        assert served(house, uid=A) < 5
        waiting += [begin(house, *WATCH, uid=C) for _ in range(4)]
        until(busy(house, 12))
        assert served(house) < 5
    finally:
        for p in waiting:
            p.kill()
            p.communicate()
    until(lambda: house.status().json["calls"] == 0)
    assert house.ask("watch", *BOX, "--timeout", "0").rc == 0


def test_a_byte_a_second_is_no_call(house, slow):
    """Guard: LIMIT_FRAME_MS.  Most of its time has passed with the tests above."""
    assert select.select([slow], [], [], 20)[0], "it is still waited for"
    told = detail(whole(slow))
    assert told["code"] == "usage" and "10 seconds" in told["message"]


def test_a_broker_that_is_killed_sends_nothing_twice(house):
    """In the middle of a send, with all of its processes."""
    send = ("send", "--account", "slow", *TO[2:], "--idempotency-key", "cut", "--body", "b")

    def rows():
        return [r for r in house.admin("outbox", "list", "--json").json["outbox"]
                if r["account"] == "slow"]

    p = begin(house, *send)
    # It runs before it is written down: killed then, nothing would be there.
    until(rows)
    left = processes(house)
    house.broker.kill()
    house.broker.wait()
    out, _ = p.communicate(timeout=60)
    assert p.returncode != 0 and b'"code":"unknown_outcome"' in out
    until(lambda: not any(os.path.exists(f"/proc/{pid}/fd") for pid in left))
    house.serve()
    assert house.ask("list", *BOX).rc == 0
    assert house.admin("audit", "verify", "--json").rc == 0
    assert len(rows()) == 1, rows()
