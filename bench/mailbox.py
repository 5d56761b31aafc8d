#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
An agent's mailbox in a mailbox root: a page of it at several sizes, a message
sent and a home built, next to what the upstream program cannot do without
(bench/mailbox_peer.py, and the start of Python with pydantic and PyYAML).
Whole processes, everything in turn; the fastest and the median, of processor
time and by the clock.  Prints rows of the table in bench/README.md.

    bench/mailbox.py [--sizes 1000,10000,100000] [--runs N] [--python PYTHON]

PYTHON is an interpreter that has both packages (apt-get install
python3-pydantic python3-yaml); the first python3 on PATH if none is given.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
sys.path.insert(0, str(ROOT / "bench"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import mailbox_make  # noqa: E402
import test_session  # noqa: E402

ME = "writer@houmao.localhost"


def spent(argv, env):
    """Processor time and time by the clock of one command, which must go well."""
    since = time.monotonic()
    p = subprocess.Popen([str(a) for a in argv], env=env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL)
    _, status, r = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    assert p.returncode == 0, argv
    return r.ru_utime + r.ru_stime, time.monotonic() - since


class Lab:
    """Two agents, of whom one has a mailbox of that size."""

    def __init__(self, folder, size):
        self.desk = test_session.Desk(folder)
        self.at = {}
        for agent in "writer", "ci":
            self.at[agent] = self.desk.start(self.desk.home(agent))
        self.desk.end()
        self.root = self.desk.root / "team-mail"
        mailbox_make.fill(self.root, ME, size)

    def mail(self, agent, *argv):
        env = self.desk.emcli.environment(
            EMCLI_KEY=self.desk.emcli.agent_key,
            HOUMAO_MANIFEST_PATH=self.at[agent]["manifest_path"],
            HOUMAO_GLOBAL_RUNTIME_DIR=str(self.desk.root))
        env.pop("ASAN_OPTIONS", None)
        return spent([self.desk.emcli.binary, "agents", "mail", *argv], env)

    def check(self, *argv):
        return self.mail("writer", "check", "--limit", "50", *argv)

    def send(self):
        return self.mail("ci", "send", "--to", ME, "--subject", "One more",
                         "--body-content", f"x {os.urandom(8).hex()}")

    def build(self):
        d = self.desk
        env = d.emcli.environment(EMCLI_KEY=d.emcli.agent_key,
                                  EMCLI_ADMIN_KEY=d.emcli.admin_key, **d.env)
        return spent([d.emcli.binary, "home", "build", "--tool", "claude", "--agent",
                      f"a{os.urandom(4).hex()}", *test_session.MAILBOX], env)


class Peer:
    """A warm process of Python."""

    def __init__(self, python, folder):
        self.python = subprocess.check_output(
            [python, "-c", "import sys; print(sys.executable)"], text=True).strip()
        self.p = subprocess.Popen([self.python, ROOT / "bench/mailbox_peer.py", folder],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        print(*words, file=self.p.stdin, flush=True)
        return tuple(float(x) for x in self.p.stdout.readline().split())

    def start(self):
        return spent([self.python, "-c", "import pydantic, yaml"], None)


def shown(runs):
    """Fastest and median, of both times."""
    return [f(x[i] for x in runs) for i in (0, 1) for f in (min, statistics.median)]


def row(what, ours, against, theirs, budget):
    a, b = shown(ours), shown(theirs)
    print(f"| {what} | {' / '.join(f'{x * 1000:.1f}' for x in a)} | {against}: "
          f"{' / '.join(f'{x * 1000:.1f}' for x in b)} | "
          f"{' / '.join(f'{x / y:.2f}' for x, y in zip(a, b))} | {budget} |", flush=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__.strip().split("\n\n", maxsplit=1)[0])
    ask.add_argument("--sizes", default="1000,10000,100000")
    ask.add_argument("--runs", type=int, default=15)
    ask.add_argument("--python", default="python3")
    args = ask.parse_args()
    sizes = [int(n) for n in args.sizes.split(",")]
    with tempfile.TemporaryDirectory() as top:
        labs = {}
        for n in sizes:
            folder = pathlib.Path(top, str(n))
            folder.mkdir()
            labs[n] = Lab(folder, n)
            first = labs[n].check()
            print(f"the first `check` of {n:,} messages: {first[0]:.2f} s", file=sys.stderr)
        peer = Peer(args.python, pathlib.Path(top, "peer"))
        some, many = labs[sizes[len(sizes) // 2]], labs[sizes[-1]]
        jobs = {"start": peer.start, "deliver": lambda: peer.ask("deliver"),
                "page": lambda: peer.ask("page", some.root), "build": some.build,
                "unread": lambda: many.check("--unread-only")}
        for n, lab in labs.items():
            jobs[n], jobs["send", n], jobs["again", n] = lab.check, lab.send, lab.check
        found = {name: [] for name in jobs}
        for i in range(args.runs + 1):
            for name, job in jobs.items():
                got = job()
                if i > 0:
                    found[name].append(got)
        least, middle, most = sizes[0], sizes[len(sizes) // 2], sizes[-1]
        row(f"`check --limit 50`, {middle:,} messages", found[middle],
            "PyYAML, 50 heads, warm", found["page"], "0.33")
        for n in sizes[1:]:
            row(f"the same, {n:,} messages", found[n], f"of {least:,}", found[least],
                "2" if n == most else "")
            row("the same after one more message", found["again", n], f"of {least:,}",
                found[least], "")
        row("the same, `--unread-only`", found["unread"], f"of {least:,}", found[least], "")
        row(f"`send`, {middle:,} messages", found["send", middle],
            "Python's start with pydantic and PyYAML", found["start"], "0.1")
        row("the same", found["send", middle], "a delivery in Python, warm, unsynced",
            found["deliver"], "1.5")
        row("`home build`", found["build"], "Python's start with both", found["start"], "0.1")
        peer.p.stdin.close()
        peer.p.wait()


if __name__ == "__main__":
    main()
