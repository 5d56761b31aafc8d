# SPDX-License-Identifier: Apache-2.0
"""
Keys of DKIM at the broker's level: a worker has no network, and a wire without
an account asks the name servers for it.  The broker is on an island, whose name
server says what the test tells it.
"""

import errno
import os
import pathlib
import signal
import socket
import subprocess
import tempfile

import dkim
import island
import pytest
from conftest import Site
from mail import message, subjects
from test_broker import A, B, BOX, House, become, until
from taken import DIED, Taken
from test_broker_confined import AT_FDCWD, kernel_says

BOSS = "boss@b.example"


class Island(House):
    """Calls that have a key, and the broker, are in that network."""

    def serve(self, *way, env=None):
        env = self.environment(EMCLI_KEY=self.agent_key)
        self.broker = subprocess.Popen(
            self.place.argv([*become(B), self.binary, "serve", "--foreground",
                             "--socket", self.socket]),
            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        until(lambda: self.status().rc == 0)

    def direct(self, *argv):
        env = self.environment(EMCLI_KEY=self.agent_key, EMCLI_AGENT="scout")
        done = subprocess.run(self.place.argv([*become(B), self.binary, *argv]), env=env,
                              capture_output=True, timeout=60)
        assert done.returncode == 0, done
        return done.stdout


def name(selector):
    return f"{selector}._domainkey.b.example"


def strings(text):
    return [text[i:i + 200] for i in range(0, len(text), 200)]


@pytest.fixture(params=["answers", "deaf"])
def house(request, certs, tmp_path):
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = Island(folder)
        h.init()
        site = Site(h.folder / "site")
        site.box("agent")
        h.run_dir.mkdir()
        h.deaf = request.param == "deaf"
        key, big = dkim.Key("rsa", 2048), dkim.Key("ed25519")
        h.place = island.Island(certs, tmp_path / "island", deaf=h.deaf, txt={
            name("k"): [strings(key.record())], name("big"): [strings(big.record())]},
            tcp=[name("big")])

        def boss(subject):
            return message(sender=BOSS, subject=subject)
        site.deliver("agent", key.sign(boss("good"), "b.example"))
        site.deliver("agent", big.sign(boss("by TCP"), "b.example", "big"))
        site.deliver("agent", key.sign(boss("no key"), "b.example", "absent"))
        site.deliver("agent", key.sign(boss("forged"), "b.example") + b"more\r\n")
        site.deliver("agent", boss("unsigned"))
        h.own()
        h.account_maildir(site.path, whitelist_in="on", process_backlog=True)
        h.whitelist("in", "--auth", "dmarc", BOSS)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.serve()
        yield h
        h.stop()


def test_a_wire_asks_for_keys(house):
    def began(pid):
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]), pid

    def wires():
        """That of the mail, which began first, and that of the names."""
        return sorted((p for p, what in house.children().items() if what == "emcli wire"), key=began)

    def said():
        return house.call(["serve", "status", "--socket", house.socket], house.environment(),
                          None, 60).out.decode()
    got = house.ask("list", *BOX, "--json")
    assert subjects(got) == ([] if house.deaf else ["by TCP", "good"])
    until(lambda: "name servers, idle" in said())
    mail, pid = wires()
    assert kernel_says(pid) == (2, 1)
    if house.deaf:
        return
    # Each name once, and the one whose answer was cut off by TCP, too.
    assert sorted(house.place.asked()) == sorted(
        f"TXT {name(s)}" for s in ("k", "big", "big", "absent"))
    # The same as without a broker; and the wire is kept for the next call.
    assert house.ask("list", *BOX, "--json").out == got.out == house.direct("list", *BOX, "--json")
    assert wires() == [mail, pid]
    # Whoever takes it over has no store, and no other wire's folder.
    cache = house.db.parent / "cache"
    cache.mkdir(exist_ok=True)
    with Taken(pid) as it:
        for path in house.db, house.db.parent, cache, house.folder / "site":
            assert it.call("openat", AT_FDCWD, bytes(path), 0) == -errno.EACCES, path
        assert it.call("openat", AT_FDCWD, b"/etc/passwd", 0) == -errno.EACCES
        assert it.call("clone", signal.SIGCHLD, 0, 0, 0, 0) == -errno.ENOSYS
        assert it.call("socket", socket.AF_PACKET, socket.SOCK_RAW, 0) == -errno.ENOSYS
        assert it.call("socket", socket.AF_INET, socket.SOCK_STREAM, 0) >= 0
        assert it.call("listen", 3, 1) == DIED
    assert house.ask("list", *BOX, "--json").out == got.out
