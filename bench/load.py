#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
The broker under load: one agent that floods and a mail server that stalls, with
what a call of the others takes against one at rest, in turn; 200 clients at
once; and a soak, after which nothing should have grown since its first thousand
calls.  Needs root.  Prints rows of the table in bench/README.md.

    bench/load.py [--rounds N] [--calls N]
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
os.environ.setdefault("EMCLI_BIN", str(ROOT / "build" / "emcli"))

import crowd  # noqa: E402
import mail  # noqa: E402
import servers  # noqa: E402
import test_broker  # noqa: E402
import tlslab  # noqa: E402
from conftest import Site  # noqa: E402
from test_broker import A  # noqa: E402


def imap(house, name, port, ca):
    me = servers.address("agent")
    house.set_up("account", "add", name, "--password-stdin", "--backend", "imap", "--mode", "RO",
                 "--from", me, "--username", me, "--imap-host", "localhost", "--imap-port", port,
                 "--imap-security", "tls", "--ca", ca, "--process-backlog",
                 stdin=servers.password("agent"))


class Dovecot(servers.Dovecot):
    close = servers.Server.stop


@contextlib.contextmanager
def lab():
    """A house with a Maildir, an IMAP account, and one whose server says nothing."""
    with tempfile.TemporaryDirectory(prefix="emcli-bench-") as top:
        os.chmod(top, 0o755)
        certs = tlslab.make(pathlib.Path(top) / "tls")
        house = test_broker.House(pathlib.Path(top) / "house")
        os.chmod(house.folder, 0o755)
        house.init()
        site = Site(house.folder / "site")
        for i in range(20):
            site.deliver("agent", mail.message(subject=f"s{i}"))
        ca = shutil.copy(certs.ca, house.folder / "ca.pem")
        os.chmod(ca, 0o644)
        house.run_dir.mkdir()
        house.own()
        house.account_maildir(site.path, process_backlog=True)
        with contextlib.closing(Dovecot(certs.good)) as server, \
                socket.create_server(("127.0.0.1", 0)) as silent:
            for i in range(20):
                server.append("agent", mail.message(subject=f"s{i}"))
            imap(house, "imap", server.imaps, ca)
            imap(house, "silent", silent.getsockname()[1], ca)
            house.set_up("agent", "add", "scout", "--uid", A)
            house.serve()
            yield house
            house.stop()


def row(what, ours, theirs, budget):
    print(f"| {what} | {ours * 1000:.1f} | at rest: {theirs * 1000:.1f} | {ours / theirs:.2f} | "
          f"{budget} |", flush=True)


@contextlib.contextmanager
def stalled(house):
    """As many calls as one agent may have, which wait for a server."""
    with crowd.Crowd(house.socket) as waiting:
        for _ in range(8):
            waiting.begin(A, "list", account="silent", folder="INBOX")
        test_broker.until(test_broker.busy(house, 8))
        yield


# How these calls end at a server that is well.
MEANT = None, "not_found", "usage", "policy"


def tell(call):
    """The whole of a call that failed, when it does."""
    if call.code not in MEANT:
        at = time.strftime("%H:%M:%S", time.gmtime())
        print(f"{at}: after {call.took:.3f} s: {call.sent[5:].decode()}: {call.raw[5:]!r}",
              file=sys.stderr, flush=True)


def soak(house, uids, calls):
    reads = [*crowd.READS, ("list", {"account": "imap", "folder": "INBOX", "limit": 5}),
             ("get", {"account": "imap", "folder": "INBOX", "uid": 1})]
    crowd.soak(house, uids, 1000, calls=reads)
    first, since = crowd.rested(house), time.monotonic()
    codes = crowd.soak(house, uids, calls, calls=reads, ended=tell)
    took = time.monotonic() - since
    last = crowd.rested(house)
    print(f"soak: {calls} calls, {calls / took:.0f} a second, {codes}", file=sys.stderr)
    for name in sorted({*first, *last}):
        x, y = first.get(name, (0, 0, 0)), last.get(name, (0, 0, 0))
        print(f"| {name}, after {calls} calls more | {y[0]}, {y[1]} descriptors, {y[2]} KiB | "
              f"after 1,000: {x[0]}, {x[1]}, {x[2]} KiB | {y[2] / max(x[2], 1):.2f} | 1 |",
              flush=True)


def main():
    ask = argparse.ArgumentParser(description=__doc__.strip().split("\n\n", maxsplit=1)[0])
    ask.add_argument("--rounds", type=int, default=20)
    ask.add_argument("--calls", type=int, default=100000)
    args = ask.parse_args()
    with lab() as house:
        uids = crowd.agents(house, 20)
        if args.rounds > 0:
            since = time.monotonic()
            calls = crowd.at_once(house, uids, 200)
            print(f"| 200 clients of 20 agents at once | {time.monotonic() - since:.2f} s | "
                  f"{sum(c.code is None for c in calls)} served | | 200 |", flush=True)
            rest, under = crowd.compared(house, uids, crowd.Flood(house, A), args.rounds)
            row("a call while another agent floods", under, rest, 2)
            rest, under = crowd.compared(house, uids, lambda: stalled(house), args.rounds)
            row("a call while another agent's server stalls", under, rest, 2)
        if args.calls > 0:
            soak(house, uids, args.calls)


if __name__ == "__main__":
    main()
