#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
list and get on a Dovecot box of 10,000 messages, next to curl, in one run.
Prints rows of the table in bench/README.md.

    bench/imap.py [--messages N] [--runs N]
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
sys.path.insert(0, str(ROOT / "bench"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import cli  # noqa: E402
import introspect  # noqa: E402
import servers  # noqa: E402
import tlslab  # noqa: E402
from proxy import Proxy  # noqa: E402


def fill(dovecot, n):
    """Straight into the Maildir, a second apart; Dovecot indexes it once."""
    cur = pathlib.Path(dovecot.run) / "home" / "agent@lab.example/Maildir/cur"
    dovecot.append("agent", b"From: a@lab.example\r\n\r\nfirst\r\n")
    owner = cur.stat()
    words = "lorem ipsum dolor sit amet " * 40
    for i in range(n):
        path = cur / ("%d.M1P1.bench:2," % (1700000000 + i))
        path.write_bytes((
            "From: Sender %d <s%d@lab.example>\r\nTo: agent@lab.example\r\n"
            "Subject: message %d\r\nDate: Sun, 21 Jun 2026 10:00:00 +0000\r\n"
            "Message-ID: <m%d@bench.example>\r\n\r\n%s\r\n"
            % (i % 97, i % 97, i, i, words)).encode())
        os.chown(path, owner.st_uid, owner.st_gid)
    c = dovecot.client("agent")
    c.select("INBOX", readonly=True)
    c.uid("FETCH", "1:*", "(RFC822.SIZE ENVELOPE)")
    c.logout()


def timed(argv, env):
    t = time.monotonic()
    r = subprocess.run(argv, env=env, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    assert r.returncode == 0, (argv, r.stdout[-500:], r.stderr[-500:])
    return time.monotonic() - t


def peak(argv, env):
    """Peak resident memory of one command, bytes."""
    pid = os.fork()
    if pid == 0:
        with open(os.devnull, "w") as null:
            os.dup2(null.fileno(), 1)
        os.execve(argv[0], argv, env)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, argv
    return usage.ru_maxrss * 1024


def row(what, got, against, ratio, budget):
    print("| %s | %s | %s | %s | %s |" % (what, got, against, ratio, budget),
          flush=True)


def ms(seconds):
    return "%.1f ms" % (seconds * 1000)


def account(e, name, dovecot, port):
    e.account_imap(dovecot, name=name, mode="RO", imap_port=port)
    return [e.binary, "list", "--account", name, "--folder", "INBOX",
            "--limit", "50"]


def compare_with_curl(e, env, dovecot, runs):
    ours = account(e, "direct", dovecot, dovecot.imaps)
    curl = ["curl", "-s", "--cacert", dovecot.ca, "-u",
            "agent@lab.example:" + servers.password("agent"),
            "imaps://localhost:%d/INBOX;MAILINDEX=1;"
            "SECTION=HEADER.FIELDS%%20(SUBJECT)" % dovecot.imaps]
    a, b = [], []
    timed(ours, env), timed(curl, env)
    for _ in range(runs):
        a.append(timed(ours, env))
        b.append(timed(curl, env))
    x, y = statistics.median(a), statistics.median(b)
    row("`list --limit 50`, cold process", ms(x),
        "curl, one header field of one message: " + ms(y),
        "%.2f" % (x / y), "1.15")
    row("the same, fastest of %d" % runs, ms(min(a)), ms(min(b)),
        "%.2f" % (min(a) / min(b)), "")


def round_trips(e, env, dovecot):
    p = Proxy("127.0.0.1", dovecot.imaps)
    argv = account(e, "counted", dovecot, p.port)
    timed(argv, env)
    turns = p.turns
    p.close()
    row("round trips of it, TLS 1.3, TCP's included", turns, "", "", "6")
    p = Proxy("127.0.0.1", dovecot.imaps, 0.025)
    argv = account(e, "far", dovecot, p.port)
    best = min(timed(argv, env) for _ in range(5))
    p.turns = 0
    timed(argv, env)
    floor = p.turns * 0.05
    p.close()
    row("the same at 50 ms round trip", ms(best),
        "%d x 50 ms = %s" % (turns, ms(floor)), "%.2f" % (best / floor), "1.10")


def first_byte(e, env, dovecot, runs):
    p = Proxy("127.0.0.1", dovecot.imaps)
    argv = account(e, "first", dovecot, p.port)
    times = []
    for _ in range(runs):
        t = time.monotonic()
        timed(argv, env)
        times.append(p.first_byte - t)
    p.close()
    row("process start to first byte on the wire",
        ms(statistics.median(times)), "fastest " + ms(min(times)), "", "10 ms")


def big(e, env, dovecot, mib):
    body = b"A" * 76 + b"\r\n"
    n = mib * 1048576 // len(body)
    raw = (b"From: s@lab.example\r\nSubject: big\r\nMIME-Version: 1.0\r\n"
           b"Content-Type: application/octet-stream; name=big.bin\r\n"
           b"Content-Transfer-Encoding: base64\r\n\r\n" + body * n)
    uid = dovecot.append("agent", raw, "Big")
    e.account_imap(dovecot, name="big", mode="RO")
    argv = [e.binary, "get", "--account", "big", "--folder", "Big", "--uid",
            str(uid)]
    used = peak(argv, env)
    allowed = 3 * len(raw) + (16 << 20)
    row("peak memory of `get`, %d MiB message" % mib,
        "%.0f MiB" % (used / 1048576), "3n + 16 MiB = %.0f MiB" %
        (allowed / 1048576), "%.2f" % (used / allowed), "1.00")


def options(messages, runs):
    p = argparse.ArgumentParser()
    p.add_argument("--messages", type=int, default=messages)
    p.add_argument("--runs", type=int, default=runs)
    return p.parse_args()


@contextlib.contextmanager
def lab(messages):
    """emcli, a Dovecot with so many messages, and a folder of the run's own."""
    folder = tempfile.mkdtemp(prefix="emcli-bench-")
    certs = tlslab.make(pathlib.Path(folder) / "tls")
    intro = introspect.Introspection()
    dovecot = servers.Dovecot(certs.good, intro.port, served=1)
    try:
        fill(dovecot, messages)
        e = cli.Emcli(folder + "/emcli")
        e.init()
        yield e, dovecot, folder
    finally:
        dovecot.stop()
        intro.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    o = options(10000, 31)
    with lab(o.messages) as (e, dovecot, _):
        env = e.environment(EMCLI_KEY=e.agent_key)
        compare_with_curl(e, env, dovecot, o.runs)
        round_trips(e, env, dovecot)
        first_byte(e, env, dovecot, o.runs)
        big(e, env, dovecot, 50)


if __name__ == "__main__":
    sys.exit(main())
