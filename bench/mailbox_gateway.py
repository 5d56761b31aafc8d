#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
A session's gateway and its notifier: requests over one connection that stays
open, next to an empty exchange, and the time from a message to the notifier's
row, next to a program that only echoes what inotify says.  Needs tmux.  Prints
rows of the table in bench/README.md.

    bench/mailbox_gateway.py [--runs N] [--messages N] [--wakes N]
"""
import argparse
import ctypes
import json
import os
import pathlib
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

import mailbox_make  # noqa: E402
import test_gateway  # noqa: E402
import test_notifier  # noqa: E402

ME = "writer@houmao.localhost"
CHECK = json.dumps({"schema_version": 1, "unread_only": False, "limit": 50}).encode()
ASKED = {"empty": ("GET", "/nothing", None, 404), "health": ("GET", "/health", None, 200),
         "status": ("GET", "/v1/mail/status", None, 200),
         "check": ("POST", "/v1/mail/check", CHECK, 200)}


def ms(times):
    return " / ".join(f"{f(times) * 1000:.2f}" for f in (min, statistics.median))


def ratio(x, y):
    return " / ".join(f"{f(x) / f(y):.1f}" for f in (min, statistics.median))


def row(what, ours, against, theirs, budget):
    print(f"| {what} | {ms(ours)} | {against}: {ms(theirs)} | {ratio(ours, theirs)} | {budget} |",
          flush=True)


def exchanges(session, runs):
    """Seconds of each kind of request, in turn, over one connection."""
    c = test_gateway.Unix(session["gateway"]["unix_socket"])
    found = {name: [] for name in ASKED}
    for i in range(runs + 1):
        for name, (method, path, body, status) in ASKED.items():
            since = time.monotonic()
            c.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            r = c.getresponse()
            text = r.read()
            assert r.status == status, text
            if i > 0:
                found[name].append(time.monotonic() - since)
            time.sleep(0.05)
    c.close()
    return found


class Watch:
    """inotify of this process."""

    def __init__(self, path, mask):
        self.libc = ctypes.CDLL(None)
        self.fd = self.libc.inotify_init1(0o2000000)
        assert self.libc.inotify_add_watch(self.fd, os.fsencode(path), mask) >= 0

    def wait(self):
        os.read(self.fd, 4096)
        return time.monotonic()

    def close(self):
        os.close(self.fd)


def echoes(folder, runs):
    """From a rename to the row of a process that waits for it."""
    made, log = folder / "made", folder / "log"
    made.mkdir()
    log.touch()
    echo = subprocess.Popen(
        [sys.executable, "-c", "import ctypes, os, sys\n"
         "fd = ctypes.CDLL(None).inotify_init1(0)\n"
         "ctypes.CDLL(None).inotify_add_watch(fd, os.fsencode(sys.argv[1]), 0x80)\n"
         "out = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND)\n"
         "print('ready', flush=True)\n"
         "while True:\n    os.read(fd, 4096)\n    os.write(out, b'row\\n')\n",
         str(made), str(log)], stdout=subprocess.PIPE)
    echo.stdout.readline()
    watch, found = Watch(log, 0x2), []
    for i in range(runs):
        (folder / "one").touch()
        since = time.monotonic()
        os.rename(folder / "one", made / str(i))
        found.append(watch.wait() - since)
    echo.kill()
    echo.wait()
    watch.close()
    return found


def wakes(told, runs):
    """
    From the rename of a message's file to the notifier's row.  It is told to wait, so that it
    decides and types nothing: looking at the terminal takes 2 s of rest, by design.
    """
    told.notifier("on", "--interval", "3600", "--snooze-until", "2099-01-01")
    test_gateway.send(told.ci)
    told.until_row("dedup_skip", 0)
    day = told.root / "team-mail/messages" / time.strftime("%Y-%m-%d", time.gmtime())
    found = []
    for _ in range(runs):
        time.sleep(1.5)  # between two polls the notifier waits a second
        mail, rows = Watch(day, 0x80), Watch(told.at / "gateway/notifier-audit.jsonl", 0x2)
        sent = threading.Thread(target=test_gateway.send, args=(told.ci,))
        sent.start()
        since = mail.wait()
        found.append(rows.wait() - since)
        sent.join()
        mail.close()
        rows.close()
    assert told.rows()[-1]["outcome"] == "dedup_skip"
    return found


def main():
    ask = argparse.ArgumentParser(description=__doc__.strip().split("\n\n", maxsplit=1)[0])
    ask.add_argument("--runs", type=int, default=31)
    ask.add_argument("--messages", type=int, default=10000)
    ask.add_argument("--wakes", type=int, default=7)
    args = ask.parse_args()
    with tempfile.TemporaryDirectory() as top:
        told = test_notifier.Told(pathlib.Path(top))
        try:
            told.ci = told.start(told.home("ci"))
            told.sit(told.home("writer"))
            rung = wakes(told, args.wakes)
            echo = echoes(pathlib.Path(top), args.runs)
            mailbox_make.fill(told.root / "team-mail", ME, args.messages)
            test_gateway.good(told.writer, "status")  # the mailbox is numbered
            found = exchanges(told.writer, args.runs)
        finally:
            told.end()
    for name, budget in ("status", 3), ("check", 20):
        shown = {"status": "`GET /v1/mail/status`",
                 "check": f"`check` of 50, {args.messages:,} messages"}[name]
        row(shown, found[name], "`GET /health`", found["health"], budget)
        row("the same", found[name], "an answer without a process, 404", found["empty"], budget)
    row("a message's rename to the notifier's row, nothing typed", rung,
        "inotify to a row in a bare program", echo, 20)


if __name__ == "__main__":
    main()
