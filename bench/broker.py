#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
Calls through the broker next to the same calls in `direct`, on a Dovecot box of
10,000 messages and on a Maildir, in one run: whole processes in turn, the
fastest and the median by the clock.  Then calls on a connection that is kept,
next to IMAP by hand, and `watch`.  Needs root, since the agent and the broker
are two users.  Prints rows of the table in bench/README.md.

    bench/broker.py [--messages N] [--runs N] [--old emcli-of-another-commit]
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
sys.path.insert(0, str(ROOT / "bench"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import flights  # noqa: E402
import imap  # noqa: E402
import introspect  # noqa: E402
import kept  # noqa: E402
import level  # noqa: E402
import mail  # noqa: E402
import servers  # noqa: E402
import test_broker  # noqa: E402
import test_http_op  # noqa: E402
import tlslab  # noqa: E402
from conftest import Site  # noqa: E402
from test_broker import A, B, frame, whole  # noqa: E402

LIST = ("list", "--account", "work", "--folder", "INBOX", "--limit", "50")
FOLDERS = ("folders", "--account", "files")


@contextlib.contextmanager
def lab(messages):
    """A house with two accounts, its broker, and a Dovecot with so many messages."""
    top = pathlib.Path(tempfile.mkdtemp(prefix="emcli-bench-"))
    os.chmod(top, 0o755)
    intro = introspect.Introspection()
    certs = tlslab.make(top / "tls")
    dovecot = servers.Dovecot(certs.good, intro.port, served=1)
    house = test_http_op.Web(top / "house")
    try:
        os.chmod(top / "house", 0o755)
        imap.fill(dovecot, messages)
        house.init()
        site = Site(house.folder / "site")
        site.deliver("agent", mail.message())
        ca = house.folder / "ca.pem"
        shutil.copy(dovecot.ca, ca)
        os.chmod(ca, 0o644)
        house.run_dir.mkdir()
        house.own()
        house.proxy = flights.Flights(certs.good, dovecot.imaps)
        house.tap = kept.Tap(certs.good, dovecot.imaps)
        with house.proxy, house.tap:
            house.account_imap(dovecot, mode="RO", ca=ca, process_backlog=True)
            for name, port in ("counted", house.proxy.port), ("tapped", house.tap.port):
                house.account_imap(dovecot, name=name, mode="RO", ca=ca, imap_port=port)
            house.account_maildir(site.path, name="files", mode="RO")
            house.set_up("agent", "add", "scout", "--uid", A)
            house.token = house.set_up("agent", "add", "bot").out.decode().strip()
            test_broker.House.serve(house)
            yield house, dovecot
            house.stop()
    finally:
        dovecot.stop()
        intro.stop()
        shutil.rmtree(top, ignore_errors=True)


def spent(argv, env, uid):
    """Seconds of one command of that user's, which must go well."""
    since = time.monotonic()
    done = subprocess.run([str(a) for a in argv], env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, user=uid, group=uid, extra_groups=[])
    took = time.monotonic() - since
    assert done.returncode == 0, (argv, done.stdout[-500:])
    return took


class Canned:
    """A broker of root's that answers at once, and always the same."""

    def __init__(self, path):
        reply = b'{"error":false,"error_detail":{},"data":{}}\n'
        head = {"v": 1, "exit": 0, "bytes": len(reply), "person": []}
        self.answer = frame(b"R", head) + frame(b"B", reply)
        self.s = socket.socket(socket.AF_UNIX)
        self.s.bind(str(path))
        os.chmod(path, 0o666)
        self.s.listen(64)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            c, _ = self.s.accept()
            with c:
                if c.recv(65536):
                    c.sendall(self.answer)


def exchange(path, raw):
    """One connection of user A's: what is sent, and all that comes."""
    s = socket.socket(socket.AF_UNIX)
    since = time.monotonic()
    s.connect(str(path))
    s.sendall(raw)
    whole(s)
    return time.monotonic() - since


def shown(times):
    return " / ".join(f"{f(times) * 1000:.1f}" for f in (min, statistics.median))


def ratio(x, y):
    return " / ".join(f"{f(x) / f(y):.2f}" for f in (min, statistics.median))


def row(what, ours, against, theirs, budget):
    print(f"| {what} | {shown(ours)} | {against}: {shown(theirs)} | {ratio(ours, theirs)} | "
          f"{budget} |", flush=True)


def processes(house):
    return level.below(house.broker.pid)


def memory(house, *names):
    """KiB of those kinds, of all processes of the broker together."""
    n = 0
    for pid in processes(house):
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            n += int(line.split()[1]) if line.split(":")[0] in names else 0
    return n


def commands(house, runs):
    at = house.folder / "canned"
    at.mkdir()
    Canned(at / "s")
    direct = house.environment(EMCLI_KEY=house.agent_key, EMCLI_AGENT="scout")
    canned = house.agent_env(EMCLI_SOCKET=str(at / "s"))
    jobs = {
        "warm": (LIST, house.agent_env(), A), "cold": (LIST, direct, B),
        "client": (LIST, canned, A), "version": (("version",), canned, A),
        "folders": (FOLDERS, house.agent_env(), A), "here": (FOLDERS, direct, B),
    }
    found = {name: [] for name in jobs}
    for i in range(runs + 1):
        for name, (argv, env, uid) in jobs.items():
            took = spent([house.binary, *argv], env, uid)
            if i > 0:
                found[name].append(took)
    row("`list --limit 50` on IMAP, warm", found["warm"], "`direct`, cold", found["cold"], "0.2")
    row("the client's own part", found["client"], "`emcli version`", found["version"], "2")
    row("`folders` of a Maildir", found["folders"], "`direct`", found["here"], "1.3")


def calls(house, runs):
    """A call from a process that is there already, and an empty exchange."""
    asked = frame(b"C", {"v": 1, "op": "folders", "args": {"account": "files"}})
    empty = house.folder / "canned" / "s"
    os.setresuid(A, A, 0)
    try:
        ours = [exchange(house.socket, asked) for _ in range(runs * 10)]
        theirs = [exchange(empty, asked) for _ in range(runs * 10)]
    finally:
        os.setresuid(0, 0, 0)
    row("a warm call's own time (`folders`)", ours, "an exchange with a server that is there",
        theirs, "1 ms; 30")


def round_trips(house, dovecot):
    """Of a connection that is kept; the second time, so that the floor is known."""
    def call(*argv):
        done = subprocess.run([house.binary, argv[0], "--account", "counted", *LIST[3:5], *argv[1:]],
                              env=house.agent_env(), stdout=subprocess.PIPE, user=A, group=A,
                              extra_groups=[])
        assert done.returncode == 0, done.stdout
        return json.loads(done.stdout)["data"]

    # What was there before is not new.
    call("list", "--new")
    dovecot.append("agent", mail.message())
    for what, argv, budget in (("a warm `list` of 50", ("list", "--limit", "50"), 2),
                               ("a warm `list --new` above a known floor", ("list", "--new"), 1)):
        call(*argv)
        house.proxy.take(kept=True)
        call(*argv)
        trips, said = house.proxy.take(kept=True)
        print(f"| round trips of {what} | {trips} | "
              f"{', '.join(verb for verb, _ in said)} | | {budget} |", flush=True)


def on_kept(house, dovecot, runs):
    """`list` of 50 in a session and over HTTP, next to the same said by hand."""
    direct = house.environment(EMCLI_KEY=house.agent_key, EMCLI_AGENT="scout")
    raw, web = kept.Raw(dovecot), kept.Web(house.port, house.token)
    near = kept.Mcp(house.binary, direct, B)
    far = kept.Mcp(house.binary, house.agent_env(), A)
    found = {who: [] for who in (raw, near, far, web)}
    for i in range(runs + 1):
        for who, times in found.items():
            took = who.list()
            if i > 0:
                times.append(took)
    near.end()
    far.end()
    for what, who in (("`list` of 50 in a session of `mcp`, `direct`", near),
                      ("the same through the broker", far),
                      ("the same by `POST /v1/op/list`", web)):
        row(what, found[who], "EXAMINE and FETCH by hand", found[raw], "1.5")


def news(house, dovecot, runs):
    direct = house.environment(EMCLI_KEY=house.agent_key, EMCLI_AGENT="scout")
    for what, env, uid in (("direct", direct, B), ("the broker", house.agent_env(), A)):
        def start(env=env, uid=uid):
            return subprocess.Popen(
                [house.binary, "watch", "--account", "tapped", "--folder", "INBOX", "--follow"],
                env=env, stdout=subprocess.PIPE, user=uid, group=uid, extra_groups=[])
        times = kept.watched(start, house.tap, lambda: dovecot.append("agent", mail.message()), runs)
        print(f"| `watch`, {what}: from the server's EXISTS to the line | {shown(times)} | | | "
              "20 ms |", flush=True)


def cold(house, old, runs):
    """`direct`, of two programs in turn."""
    direct = house.environment(EMCLI_KEY=house.agent_key, EMCLI_AGENT="scout")
    found = {house.binary: [], old: []}
    for i in range(runs + 1):
        for binary, times in found.items():
            took = spent([binary, *LIST], direct, B)
            if i > 0:
                times.append(took)
    row("`list --limit 50`, `direct`, cold", found[house.binary], "the program before",
        found[old], "1")


def together(pids):
    """
    KiB of all of them at this moment: what several have is counted once (Pss,
    proc_pid_smaps(5)), and so is a file in memory that they pass on, mapped or
    not.
    """
    used, mapped, files = 0, 0, {}
    for pid in pids:
        at = pathlib.Path(f"/proc/{pid}")
        with contextlib.suppress(OSError, IndexError):
            rows = (at / "smaps_rollup").read_text().splitlines()[1:]
            kib = {row.split(":")[0]: int(row.split()[1]) for row in rows}
            used += kib["Pss_Anon"] + kib["Pss_File"]
            mapped += kib["Pss_Shmem"]
            for fd in (at / "fd").iterdir():
                if os.readlink(fd).startswith("/memfd:"):
                    there = fd.stat()
                    files[there.st_ino] = there.st_blocks // 2
    return used + max(mapped, sum(files.values()))


def big(house, dovecot, mib, runs=5):
    """The most that all processes have at once, the client's too, in calls for one message."""
    line = b"A" * 76 + b"\r\n"
    raw = (b"From: s@lab.example\r\nSubject: big\r\nMIME-Version: 1.0\r\n"
           b"Content-Type: application/octet-stream; name=big.bin\r\n"
           b"Content-Transfer-Encoding: base64\r\n\r\n" + line * (mib * 1048576 // len(line)))
    uid, size, used = dovecot.append("agent", raw, "Big"), len(raw), 0
    argv = [house.binary, "get", "--account", "work", "--folder", "Big", "--uid", str(uid)]
    for _ in range(runs):
        client = subprocess.Popen(argv, env=house.agent_env(), stdout=subprocess.DEVNULL,
                                  user=A, group=A, extra_groups=[])
        while client.poll() is None:
            used = max(used, together([*processes(house), client.pid]))
        assert client.returncode == 0
    allowed = (3 * size + (32 << 20)) >> 10
    print(f"| peak memory of `get`, {mib} MiB message, all processes | {used >> 10} MiB | "
          f"3n + 32 MiB = {allowed >> 10} MiB | {used / allowed:.2f} | 1.00 |", flush=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__.strip().split("\n\n", maxsplit=1)[0])
    ask.add_argument("--messages", type=int, default=10000)
    ask.add_argument("--runs", type=int, default=21)
    ask.add_argument("--old", help="another build of emcli, for the cold list")
    args = ask.parse_args()
    with lab(args.messages) as (house, dovecot):
        idle = memory(house, "Private_Clean", "Private_Dirty")
        print(f"| the idle broker, all that is not shared | {idle / 1024:.1f} MiB | | | 10 MiB |")
        commands(house, args.runs)
        calls(house, args.runs)
        round_trips(house, dovecot)
        if args.old:
            cold(house, args.old, args.runs)
        news(house, dovecot, args.runs)
        big(house, dovecot, 50)
        house.stop()
        house.serve()
        on_kept(house, dovecot, args.runs)
        print(json.dumps(house.status().json), file=sys.stderr)


if __name__ == "__main__":
    main()
