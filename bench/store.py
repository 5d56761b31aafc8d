#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
A store in SQLite beside one in PostgreSQL over a local socket, in turn: calls of a mailbox that is
local, many agents that ack, appends to the audit log, and a store of many rows.  Both wait for
their disk.  Prints rows of the tables in bench/README.md.

    make && bench/store.py [list] [ack] [audit] [large]
"""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import statistics
import struct
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import cli  # noqa: E402
import kept  # noqa: E402
import pgproxy  # noqa: E402
import postgres  # noqa: E402
import store_make  # noqa: E402
import test_postgresql_pool as pool  # noqa: E402

AGENTS = 32
BOX = ("--account", "work", "--folder", "INBOX")
LIST = ("list", *BOX)
# As an operator has it, not as tests do: what is committed is on the disk.
SERVER = "\n".join(("fsync = on", "full_page_writes = on", "autovacuum = on",
                    "shared_buffers = 512MB", "max_wal_size = 4GB"))
HEAD = re.compile(r"LOG:  duration: ([\d.]+) ms  (\w+)(?: ([^:]*))?: (.*)")
SETTING = " FROM settings"


def row(what, ours, theirs="", ratio="", budget=""):
    print(f"| {what} | {ours} | {theirs} | {ratio} | {budget} |", flush=True)


def spent(argv, env):
    """Milliseconds of the processor, and by the clock, of one process."""
    begun = time.monotonic()
    null = [(os.POSIX_SPAWN_OPEN, n, "/dev/null", os.O_RDWR, 0) for n in (0, 1)]
    pid = os.posix_spawn(argv[0], argv, env, file_actions=null)
    _, status, used = os.wait4(pid, 0)
    took = (time.monotonic() - begun) * 1000
    assert status == 0, argv
    return (used.ru_utime + used.ru_stime) * 1000, took


def two(times):
    return min(times), statistics.median(times)


def four(times):
    """Processor time, fastest and median, and by the clock, fastest and median."""
    return [t for v in zip(*times) for t in two(v)]


def shown(numbers, form="%.1f"):
    return " / ".join(form % n for n in numbers)


def server_cpu(server):
    """Milliseconds of the processor, of all its processes that have ended."""
    fields = pathlib.Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * 1000 / os.sysconf("SC_CLK_TCK")


class House:
    """A store, an account whose mail is a Maildir, and agents."""

    def __init__(self, folder, box, db=None):
        self.e = cli.Emcli(folder)
        if db:
            self.e.db = db
        self.e.set_up("init")
        self.e.account_maildir(box, process_backlog=True)
        self.env = self.agent(0)
        self.argv = [self.e.binary, *LIST]
        self.e.run(*LIST)  # it numbers the messages

    def agent(self, n):
        return self.e.environment(EMCLI_KEY=self.e.agent_key, EMCLI_AGENT=f"a{n}")

    def sql(self, server, text):
        """What is printed of it, from either kind."""
        if self.e.is_far():
            return server.sql(f"SET search_path = {self.e.db.rpartition('schema=')[2]}; {text}")
        with contextlib.closing(sqlite3.connect(self.e.db)) as c:
            return "\n".join("|".join(map(str, r)) for r in c.execute(text))


@contextlib.contextmanager
def logged(server):
    """Sessions of this time have each statement in the server's log; a list of them at the end."""
    out = []
    log = pathlib.Path(server.folder) / "said"
    server.sql("ALTER DATABASE emcli SET log_min_messages = log;"
               "ALTER DATABASE emcli SET log_min_duration_statement = 0")
    at = log.stat().st_size
    try:
        yield out
    finally:
        server.sql("ALTER DATABASE emcli RESET log_min_messages;"
                   "ALTER DATABASE emcli RESET log_min_duration_statement")
        time.sleep(0.5)
        with log.open(errors="replace") as f:
            f.seek(at)
            out += [(float(m[1]), m[2], m[4], m[3]) for m in map(HEAD.search, f)
                    if m and not m[4].startswith("ALTER")]


def connecting(path):
    """Milliseconds from nothing to a session that waits for a statement."""
    begun = time.monotonic()
    with socket.socket(socket.AF_UNIX) as c:
        c.connect(path)
        words = struct.pack("!I", 196608) + b"user\0emcli\0database\0emcli\0\0"
        c.sendall(struct.pack("!I", len(words) + 4) + words)
        got = b""
        while not got.endswith(b"Z\0\0\0\5I"):
            got += c.recv(1 << 16)
    return (time.monotonic() - begun) * 1000


def talk(house, server, show):
    """What one call says to the server."""
    with logged(server) as said:
        spent(house.argv, house.env)
    ran = [s for s in said if s[1] in ("execute", "statement")]
    row("statements of a `list`; of settings; prepared by a round trip; COMMIT", "; ".join(map(str, (
        len(ran), sum(SETTING in s[2] for s in ran), sum(s[1] == "parse" and s[3] != "<unnamed>" for s in said),
        sum(s[2].startswith("COMMIT") for s in ran)))))
    row("its database time: to parse; to plan; to run; BEGIN and COMMIT",
        "; ".join("%.1f" % sum(s[0] for s in said if s[1] == kind)
                  for kind in ("parse", "bind", "execute", "statement")) + " ms")
    for s in said if show else ():
        print(f"    {s[0]:7.3f} ms {s[1]:9} {s[2][:140]}")


def by_proxy(env, server, way, folder):
    """A proxy before that socket, and the environment of calls by it."""
    here = tempfile.mkdtemp(dir=folder)
    proxy = pgproxy.Proxy(server, here)
    proxy.behind = way
    return proxy, {**env, "EMCLI_DB": re.sub("host=[^&]*(&port=6432)?", f"host={here}", env["EMCLI_DB"])}


def distances(house, env, server, way, folder):
    """How often the client speaks in one call, and what a distance costs."""
    proxy, env = by_proxy(env, server, way, folder)
    spent(house.argv, env)
    row("round trips, with the connection", proxy.said)
    for delay in 0.1, 0.5, 2:
        proxy.delay = delay / 1000
        times = [spent(house.argv, env)[1] for _ in range(7)]
        row(f"`list`, each answer {delay} ms later", shown(two(times)))
    proxy.stop()


def versus(what, ours, theirs, budget, name="SQLite"):
    a, b = four(ours), four(theirs)
    row(what, shown(a), f"{name}: {shown(b)}", shown([x / y for x, y in zip(a, b)], "%.2f"), budget)


def sessions(near, far, runs):
    """Many calls of one process that stays."""
    both = [kept.Mcp(h.e.binary, h.env, os.getuid()) for h in (near, far)]
    times = [[mcp.list() * 1000 for mcp in both] for _ in range(runs + 3)][3:]
    for mcp in both:
        mcp.end()
    b, a = map(two, zip(*times))
    row("`list` in a session of `mcp`, by the clock", shown(a), f"SQLite: {shown(b)}",
        shown([x / y for x, y in zip(a, b)], "%.2f"), "1.5")


def pooled_here():
    return shutil.which("pgbouncer", path="/usr/sbin:/usr/bin") is not None


def pooled_env(house, server, p):
    return {**house.env, "EMCLI_DB": house.e.db.replace(server.uri, p.uri) + "&prepare=off"}


def lists(server, folder, o):
    store_make.box(folder / "box", o.messages)
    near = House(folder / "near", folder / "box")
    far = House(folder / "far", folder / "box", postgres.store(server.uri))
    ways = {"SQLite": near.env, "PostgreSQL": far.env}
    pooled = None
    if pooled_here():
        pooled = pool.Pool(server, 8)
        ways["pgbouncer"] = pooled_env(far, server, pooled)
    times = {name: [] for name in ways}
    for _ in range(o.runs):
        for name, env in ways.items():
            times[name].append(spent(far.argv, env))
    versus("`list`, a process and all it does", times["PostgreSQL"], times["SQLite"], "1.5")
    before = server_cpu(server)
    for _ in range(o.runs):
        spent(far.argv, far.env)
    time.sleep(0.5)
    row("the server's processor time for one `list`", "%.1f" % ((server_cpu(server) - before) / o.runs))
    here = f"{server.folder}/.s.PGSQL.5432"
    row("to connect, and no more", shown(two([connecting(here) for _ in range(o.runs)])))
    sessions(near, far, o.runs)
    talk(far, server, o.statements)
    distances(far, far.env, server, here, folder)
    if pooled:
        versus("`list` through pgbouncer, `prepare=off`", times["pgbouncer"], times["SQLite"], "1.5")
        distances(far, ways["pgbouncer"], server, f"{pooled.folder}/.s.PGSQL.6432", folder)
        pooled.stop()


def acks(server, folder, o):
    """Each agent its own seen-set, from the newest down, so that each uid is a row."""
    each = o.uids // AGENTS
    store_make.box(folder / "acked", each)
    houses = (House(folder / "acks-near", folder / "acked"),
              House(folder / "acks-far", folder / "acked", postgres.store(server.uri)))
    took = []
    for house in houses:
        def work(n, house=house):
            env = house.agent(n)
            spent([house.e.binary, *LIST], env)
            for last in range(each, 1, -o.at_once):
                first = max(last - o.at_once + 1, 2)  # the first stays: no floor moves
                spent([house.e.binary, "ack", *BOX, "--uid", f"{first}:{last}"], env)
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(AGENTS) as at_once:
            list(at_once.map(work, range(AGENTS)))
        took.append(time.monotonic() - begun)
        assert house.sql(server, "SELECT count(*) FROM acked") == str((each - 1) * AGENTS)
    done = (each - 1) * AGENTS
    near, far = took
    row(f"{AGENTS} processes ack {done:,} uids, {o.at_once} in a call",
        f"{far:.1f} s; {done / far:,.0f} a second", f"SQLite: {near:.1f} s; {done / near:,.0f} a second",
        f"{far / near:.2f}", "")


def append(house, server, writers, seconds, more=None):
    """Marks a second that calls leave which ask no mailbox: asked, judged, done."""
    count = "SELECT count(*) FROM audit_link"
    before = int(house.sql(server, count))
    begun = time.monotonic()

    def work(n):
        env = {**house.agent(n), **(more or {})}
        while time.monotonic() < begun + seconds:
            spent([house.e.binary, "changes", "--account", "work"], env)

    with concurrent.futures.ThreadPoolExecutor(writers) as at_once:
        list(at_once.map(work, range(writers)))
    return (int(house.sql(server, count)) - before) / (time.monotonic() - begun)


def audits(server, folder, o):
    store_make.box(folder / "audited", 1)
    near = House(folder / "audits-near", folder / "audited")
    far = House(folder / "audits-far", folder / "audited", postgres.store(server.uri))
    one = None
    for writers in 1, 8, 32:
        a, b = (append(h, server, writers, o.seconds) for h in (far, near))
        one = one or (a, b)
        row(f"audit marks a second, {writers} at once", f"{a:.0f}", f"SQLite: {b:.0f}", f"{a / b:.2f}",
            f"{a / one[0]:.2f} and {b / one[1]:.2f} times those of one")
    proxy, env = by_proxy(far.env, server, f"{server.folder}/.s.PGSQL.5432", folder)
    for proxy.delay in 0.0005, 0.002:
        a = append(far, server, 8, o.seconds, {"EMCLI_DB": env["EMCLI_DB"]})
        row(f"the same, 8 at once, each answer {proxy.delay * 1000} ms later", f"{a:.0f}")
    proxy.stop()


def database_time(said):
    """Without COMMIT, with it, and to run alone: milliseconds."""
    ends = sum(s[0] for s in said if s[2] == "COMMIT")
    both = sum(s[0] for s in said)
    return both - ends, both, sum(s[0] for s in said if s[1] == "execute")


def large(server, folder, o):
    store_make.box(folder / "large", o.messages)
    far = House(folder / "large-far", folder / "large", postgres.store(server.uri))
    argv = [far.e.binary, *LIST, "--new"]
    for size, what in ((0, "an empty store"), (1, f"{o.rows:,} audit rows and {o.seen:,} seen rows")):
        spent(argv, far.env)
        if size:
            far.sql(server, store_make.rows(o.rows, o.seen))
            server.sql("VACUUM ANALYZE")
        spent(argv, far.env)
        of = []
        for _ in range(o.runs):
            with logged(server) as said:
                spent(argv, far.env)
            of.append(database_time(said))
        row(f"`list --new`, {what}: database time without COMMIT; with it; to run alone",
            "; ".join(shown(two(v), "%.2f") for v in zip(*of)) + " ms", budget="5 ms")
        if pooled_here():
            with logged(server) as said:
                p = pool.Pool(server, 1)
                for _ in range(o.runs):
                    spent(argv, pooled_env(far, server, p))
                p.stop()
            row("the same through pgbouncer, mean",
                "; ".join("%.2f" % (t / o.runs) for t in database_time(said)) + " ms", budget="5 ms")


PARTS = {"list": lists, "ack": acks, "audit": audits, "large": large}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("part", nargs="*", help=f"{', '.join(PARTS)}; all if none is named")
    p.add_argument("--runs", type=int, default=21, help="of each call (21)")
    p.add_argument("--messages", type=int, default=50, help="in the Maildir that is listed (50)")
    p.add_argument("--uids", type=int, default=100000, help="to ack (100000)")
    p.add_argument("--at-once", type=int, default=100, help="uids in one call (100)")
    p.add_argument("--seconds", type=float, default=10, help="of appends, for each number of writers (10)")
    p.add_argument("--rows", type=int, default=10_000_000, help="in the audit log (10000000: 11 GB in /tmp)")
    p.add_argument("--seen", type=int, default=5_000_000, help="of what was seen (5000000)")
    p.add_argument("--statements", action="store_true", help="print each statement of a call")
    p.add_argument("--relaxed", action="store_true", help="synchronous_commit = off, as it may be for agents")
    o = p.parse_args()
    if unknown := set(o.part) - set(PARTS):
        p.error(f"no such part: {' '.join(unknown)}")
    server = postgres.Server(PGMORE=SERVER + "\nsynchronous_commit = off" * o.relaxed)
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            for name in o.part or PARTS:
                PARTS[name](server, pathlib.Path(folder), o)
                print("load %.1f on %d processors" % (os.getloadavg()[0], os.cpu_count()), flush=True)
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
