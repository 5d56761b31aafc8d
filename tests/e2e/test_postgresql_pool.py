# SPDX-License-Identifier: Apache-2.0
"""A store in PostgreSQL behind pgbouncer, which gives a connection to others after each transaction."""

import concurrent.futures
import os
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

import cli
import postgres
from mail import message, uids

BOX = ("--account", "work", "--folder", "INBOX")
SEND = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body", "b")


class Pool:
    """So many connections, each of which is anybody's."""

    def __init__(self, server, size, more=""):
        self.folder = tempfile.mkdtemp(prefix="emcli-pool-")
        owner = os.stat(server.folder)
        os.chown(self.folder, owner.st_uid, owner.st_gid)
        with open(f"{self.folder}/users", "w") as f:
            f.write('"emcli" ""\n')
        with open(f"{self.folder}/ini", "w") as f:
            f.write(f"[databases]\nemcli = host={server.folder}\n[pgbouncer]\n{more}\n"
                    f"unix_socket_dir = {self.folder}\nlisten_addr =\nauth_type = trust\n"
                    f"auth_file = {self.folder}/users\npool_mode = transaction\n"
                    f"default_pool_size = {size}\nmax_client_conn = 200\n")
        os.chmod(f"{self.folder}/ini", 0o644)
        os.chmod(f"{self.folder}/users", 0o644)
        self.process = subprocess.Popen(
            [shutil.which("pgbouncer") or "/usr/sbin/pgbouncer", "-q", f"{self.folder}/ini"],
            user=owner.st_uid, group=owner.st_gid, extra_groups=[], stderr=subprocess.DEVNULL)
        self.uri = f"postgresql:///emcli?host={self.folder}&port=6432&user=emcli"
        end = time.monotonic() + 30
        while not self.listens():
            assert time.monotonic() < end and self.process.poll() is None
            time.sleep(0.05)

    def listens(self):
        with socket.socket(socket.AF_UNIX) as s:
            return s.connect_ex(f"{self.folder}/.s.PGSQL.6432") == 0

    def sql(self, text):
        return subprocess.run(["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", self.uri, "-c", text],
                              check=True, capture_output=True, text=True, timeout=60).stdout.strip()

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder)


@pytest.fixture(scope="module")
def server():
    s = postgres.Server()
    yield s
    s.stop()


@pytest.fixture
def pool(server):
    p = Pool(server, 6)
    yield p
    p.stop()


def pooled(tmp_path, pool):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.Uri(postgres.store(pool.uri) + "&prepare=off")
    return e


@pytest.fixture
def box(tmp_path, pool, site):
    e = pooled(tmp_path, pool)
    e.init()
    e.account_maildir(site.path, process_backlog=True)
    for i in range(6):
        site.deliver("agent", message(subject=f"m{i}"))
    return e


def test_the_main_job(box, site):
    assert uids(box.run("list", *BOX)) == [6, 5, 4, 3, 2, 1]
    assert box.run("ack", *BOX, "--uid", "1", "--uid", "3").data["acked"] == [1, 3]
    assert uids(box.run("list", *BOX, "--new")) == [6, 5, 4, 2]
    assert "m1" in box.run("get", *BOX, "--uid", "2").out.decode()
    assert box.run(*SEND).data["state"] == "sent" and len(site.messages("bob")) == 1
    for words in (("account", "edit", "work", "--mode", "RO"), ("account", "list"), ("outbox", "list"),
                  ("audit", "list"), ("whitelist", "in", "add", "--account", "work", "ann@lab.example"),
                  ("account", "add", "other", "--backend", "maildir", "--path", site.path,
                   "--from", "alice@lab.example"), ("account", "remove", "other", "--yes"), ("audit", "verify"), ("store", "check")):
        r = box.admin(*words)
        assert r.rc == 0, str(r)
    assert box.run(*SEND).code == "policy"
    r = box.admin("doctor", "--json")
    [line] = [x for x in r.json["data"]["checks"] if x["check"] == "store"]
    assert "prepare=off" in line["message"]


def test_many_at_once(box, site):
    """More than there are connections: they wait, and one sends."""
    with concurrent.futures.ThreadPoolExecutor(12) as at_once:
        acks = [at_once.submit(box.run, "ack", *BOX, "--uid", str(1 + i % 6)) for i in range(18)]
        sends = [at_once.submit(box.run, *SEND, "--idempotency-key", "k") for _ in range(6)]
        other = [at_once.submit(box.admin, "config", "set", "timeout_seconds", str(20 + i)) for i in range(4)]
    for r in (f.result() for f in acks + other):
        assert r.rc == 0, str(r)
    assert any(f.result().rc == 0 for f in sends) and len(site.messages("bob")) == 1
    assert uids(box.run("list", *BOX, "--new")) == []
    assert box.admin("audit", "verify").rc == 0


# What pgbouncer itself sets, as its client has it.
LEFT = ("BEGIN; SELECT (SELECT count(*) FROM pg_settings WHERE source = 'session' AND name NOT IN"
        " ('client_encoding', 'application_name', 'DateStyle', 'TimeZone', 'IntervalStyle',"
        " 'standard_conforming_strings', 'transaction_isolation', 'transaction_read_only',"
        " 'transaction_deferrable'))"
        " + (SELECT count(*) FROM pg_prepared_statements), pg_backend_pid(), pg_sleep(1); COMMIT")


def test_others_have_no_settings_of_ours(box, pool):
    """Whoever has a connection next finds it as the server gives it."""
    with concurrent.futures.ThreadPoolExecutor(6) as at_once:
        list(at_once.map(lambda i: box.run("ack", *BOX, "--uid", str(1 + i)), range(6)))
        list(at_once.map(lambda i: box.admin("account", "list"), range(3)))
        rows = [r.split("|") for r in at_once.map(lambda i: pool.sql(LEFT), range(6))]
    assert len({pid for _, pid, _ in rows}) > 1
    assert {n for n, _, _ in rows} == {"0"}
    pool.sql("SET work_mem = 4096")
    assert any(pool.sql(LEFT).split("|")[0] == "1" for _ in range(6))


@pytest.mark.parametrize("more", ["", "ignore_startup_parameters = options"])
def test_prepare_is_on(tmp_path, server, site, more):
    """It is said what is missing, and nothing is made."""
    p = Pool(server, 2, more)
    try:
        e = cli.Emcli(tmp_path / "emcli")
        e.db = postgres.store(p.uri)
        schema = e.db.rpartition("schema=")[2]
        for r in e.admin("init"), e.admin("account", "list"):
            assert r.rc != 0 and b"behind a pool" in r.err and b"prepare=off" in r.err, str(r)
        r = e.run("list", *BOX)
        assert r.code == "config" and "prepare=off" in str(r.json["error_detail"])
        assert server.sql(f"SELECT count(*) FROM pg_namespace WHERE nspname = '{schema}'") == "0"
    finally:
        p.stop()


def test_the_pool_is_full(tmp_path, server, site):
    """A sender has a connection more, for its lock: with one it waits, and says so."""
    p = Pool(server, 1)
    try:
        e = pooled(tmp_path, p)
        e.init()
        e.account_maildir(site.path, process_backlog=True)
        begun = time.monotonic()
        r = e.run(*SEND)
        assert r.code == "db" and time.monotonic() - begun < 40 and site.messages("bob") == []
        # Nothing of it holds up others.
        assert e.run("list", *BOX).rc == 0
    finally:
        p.stop()
