#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
move of 1,000 messages on Dovecot, and imapflow's messageMove of the same messages back, in one
run; the undo of such a move; round trips, with MOVE and without.  Prints rows of the table in
bench/README.md.

    bench/move.py [--runs N]
"""
import argparse
import contextlib
import json
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from imap import ROOT, fill, ms, row

import cli  # imap.py has said where they are
import flights
import introspect
import servers
import tlslab

MANY = 1000
PEER = ROOT / "build-npm-move" / "move.mjs"


def timed(e, env, *argv):
    """How long a command about all of them took, and the number of its change."""
    begun = time.monotonic()
    done = subprocess.run([e.binary, *argv], env=env, capture_output=True)
    took = time.monotonic() - begun
    assert done.returncode == 0, done.stdout
    data = json.loads(done.stdout)["data"]
    assert data["count"] == MANY, data
    return took, str(data["change"])


def ours(e, env, dovecot, name="work"):
    """Every message of INBOX into Archive, by its uid."""
    c = dovecot.client("agent")
    upto = int(re.search(rb"UIDNEXT (\d+)", c.status("INBOX", "(UIDNEXT)")[1][0])[1]) - 1
    c.logout()
    return timed(e, env, "move", "--account", name, "--folder", "INBOX", "--uid",
                 f"{upto - MANY + 1}:{upto}", "--to", "Archive")


def theirs(dovecot):
    """And back: with the connection, and without."""
    done = subprocess.run(["node", PEER, str(dovecot.imaps), dovecot.ca,
                           servers.address("agent"), "Archive", "INBOX"],
                          input=servers.password("agent").encode(), capture_output=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["n"] == MANY, said
    return said["all"] / 1000, said["move"] / 1000


@contextlib.contextmanager
def place(folder, certs, more=""):
    """A Dovecot with the messages, and emcli with an account there, by a proxy and without."""
    server = introspect.Introspection()
    dovecot = servers.Dovecot(certs.good, server.port, more=more)
    try:
        fill(dovecot, MANY - 1)
        e = cli.Emcli(pathlib.Path(folder))
        e.init()
        with flights.Flights(certs.good, dovecot.imaps) as proxy:
            for name, port in ("work", dovecot.imaps), ("counted", proxy.port):
                e.account_imap(dovecot, name=name, imap_port=port)
                e.set_up("account", "edit", name, "--organise", "on", "--limit-organise", "0")
            # What the first call to a folder costs is no part of it.
            e.run("list", "--account", "counted", "--folder", "INBOX")
            proxy.take()
            yield dovecot, e, e.environment(EMCLI_KEY=e.agent_key), proxy
    finally:
        dovecot.stop()
        server.stop()


def undone(e, env, dovecot, runs):
    """Moved and taken back, in turn."""
    a, b = [], []
    for _ in range(runs):
        took, change = ours(e, env, dovecot)
        a.append(took)
        b.append(timed(e, env, "undo", change, "--account", "work")[0])
    row(f"`undo` of a move of {MANY:,}", f"{ms(min(b))} / {ms(statistics.median(b))}",
        f"that move: {ms(min(a))} / {ms(statistics.median(a))}",
        "%.2f / %.2f" % (min(b) / min(a), statistics.median(b) / statistics.median(a)), "2")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    subprocess.run([ROOT / "tests/e2e/npm/install", "move"], check=True,
                   stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        certs = tlslab.make(pathlib.Path(folder) / "tls")
        with place(f"{folder}/with", certs) as (dovecot, e, env, proxy):
            a, b = [], []
            for _ in range(runs):
                a.append(ours(e, env, dovecot)[0])
                b.append(theirs(dovecot))
            whole = [t for t, _ in b]
            row(f"`move` of {MANY:,}, a process and all it does", f"{ms(min(a))} / "
                f"{ms(statistics.median(a))}", "imapflow from its connection on: "
                f"{ms(min(whole))} / {ms(statistics.median(whole))}",
                "%.2f / %.2f" % (min(a) / min(whole), statistics.median(a) /
                                 statistics.median(whole)), "1.3")
            row("of these, its messageMove alone", "", ms(min(t for _, t in b)), "", "")
            undone(e, env, dovecot, runs)
            _, change = ours(e, env, dovecot, "counted")
            row("round trips, with the login", proxy.take()[0], "", "", "8")
            timed(e, env, "undo", change, "--account", "counted")
            row("round trips of the undo", proxy.take()[0], "", "", "")
        with place(f"{folder}/without", certs, servers.WITHOUT_MOVE) as (dovecot, e, env, proxy):
            ours(e, env, dovecot, "counted")
            row("the same without MOVE", proxy.take()[0], "", "", "")


if __name__ == "__main__":
    main()
