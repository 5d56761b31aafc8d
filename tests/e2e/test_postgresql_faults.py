# SPDX-License-Identifier: Apache-2.0
"""A store in PostgreSQL when something is wrong: certificates, a slow server, a full disk, locks
of others, processes that are killed.  What works is in test_postgresql."""

import concurrent.futures
import contextlib
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import threading
import time

import pytest

import cli
import killsteps
import postgres
import tlslab
from mail import message, uids
from pgproxy import Proxy
from test_mcp import Host
from test_postgresql import replica, until

BOX = ("--account", "work", "--folder", "INBOX")
SEND = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body")
# Of the whole machine's servers, whose ports are the same, none has this one.
ADDRESS = f"127.{random.randrange(1, 250)}.{random.randrange(256)}.{random.randrange(2, 250)}"
STORE = pathlib.Path(cli.ROOT / "src/store/migrations")


@pytest.fixture(scope="module")
def server():
    s = postgres.Server(PGMORE=f"listen_addresses = '{ADDRESS}'\nlog_min_messages = log")
    yield s
    s.stop()


@pytest.fixture(scope="module", autouse=True)
def quiet(server, tmp_path_factory):
    """A call in the middle of one of whose answers there is silence: test_silence has its end."""
    folder = tmp_path_factory.mktemp("quiet")
    (folder / "p").mkdir()
    p = Proxy(server, folder / "p")
    e = made(folder / "emcli", server)
    p.stall = 20
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        yield pool.submit(timed, e, ("sources",), through(e, p))
    assert p.stalled.is_set()
    p.stop()


def made(folder, server, uri=None):
    e = cli.Emcli(folder)
    e.db = postgres.store(uri or server.uri)
    e.init()
    return e


@pytest.fixture
def fleet(tmp_path, server):
    return made(tmp_path / "emcli", server)


@pytest.fixture
def box(fleet, site):
    fleet.account_maildir(site.path, process_backlog=True)
    for i in range(3):
        site.deliver("agent", message(subject=f"m{i}"))
    return fleet


@pytest.fixture
def proxy(server, tmp_path):
    folder = tmp_path / "p"
    folder.mkdir()
    p = Proxy(server, folder)
    yield p
    p.stop()


def schema_of(emcli):
    return emcli.file.rpartition("schema=")[2]


def through(emcli, proxy):
    """The environment of a call to the same store, by the proxy."""
    return {"EMCLI_DB": f"{proxy.uri}&schema={schema_of(emcli)}"}


def detail(r):
    assert r.rc != 0
    return r.json["error_detail"]


def is_whole(emcli):
    """Nothing is half: the audit log, the signed rows and the schema are as they should be."""
    for words in ("audit", "verify"), ("store", "check"):
        r = emcli.admin(*words)
        assert r.rc == 0, str(r)


# -- certificates


@pytest.fixture(scope="module")
def certs(tmp_path_factory):
    return tlslab.make(tmp_path_factory.mktemp("tls"))


def serve_with(server, cert):
    """From now on new connections see that certificate, or no TLS."""
    folder = pathlib.Path(server.folder)
    owner = folder.stat()
    if cert is not None:
        for source, name in zip(cert[:2], ("server.crt", "server.key")):
            to = folder / "data" / name
            shutil.copy(source, to)
            to.chmod(0o600)
            os.chown(to, owner.st_uid, owner.st_gid)
    server.sql(f"ALTER SYSTEM SET ssl = {'on' if cert else 'off'}")
    server.sql("SELECT pg_reload_conf()")
    end = time.monotonic() + 20
    while server.sql("SHOW ssl") != ("on" if cert else "off"):
        assert time.monotonic() < end
    time.sleep(0.3)  # whoever accepts has read it, too


@pytest.mark.parametrize("which, name, ca, said", [
    ("good", "db.lab.example", "ca", None),
    ("good", "db.other.example", "ca", "certificate of the database server is not valid"),
    ("wronghost", "db.lab.example", "ca", "certificate of the database server is not valid"),
    ("expired", "db.lab.example", "ca", "certificate of the database server is not valid"),
    ("untrusted", "db.lab.example", "ca", "certificate of the database server is not valid"),
    ("good", "db.lab.example", None, "certificate of the database server cannot be checked"),
    (None, "db.lab.example", "ca", "the database server has no TLS"),
])
def test_a_certificate(tmp_path, server, certs, which, name, ca, said):
    """verify-full, whatever is asked for: one server is spoken with, or none."""
    serve_with(server, which and getattr(certs, which))
    e = cli.Emcli(tmp_path / "emcli")
    root = f"&sslrootcert={getattr(certs, ca)}" if ca else ""
    e.db = postgres.store(f"postgresql://emcli@{name}/emcli?hostaddr={ADDRESS}{root}")
    e.past = None
    r = e.admin("init")
    if said is None:
        assert r.rc == 0, str(r)
        r = e.admin("doctor", "--json")
        [line] = [x for x in r.json["data"]["checks"] if x["check"] == "store"]
        assert f"PostgreSQL" in line["message"] and "TLSv1.3" in line["message"]
    else:
        assert r.rc != 0 and said.encode() in r.err, str(r)
        assert server.sql(f"SELECT count(*) FROM pg_namespace WHERE nspname = '{schema_of(e)}'") == "0"


# -- a name with several addresses


@contextlib.contextmanager
def mute():
    """An address of this machine where somebody listens and never says a word."""
    for _ in range(20):
        address = f"127.0.0.{random.randrange(2, 250)}"
        with contextlib.suppress(OSError), socket.create_server((address, 5432)):
            yield address
            return
    pytest.fail("no address is free")


@pytest.mark.skipif(os.geteuid() != 0, reason="it mounts /etc/hosts")
def test_a_silent_address(tmp_path, server, certs):
    """Each address of one name has its share of the time, and the certificate is of the name."""
    serve_with(server, certs.good)
    e = made(tmp_path / "emcli", server)
    with mute() as silent:
        hosts = tmp_path / "hosts"
        hosts.write_text(f"{silent} db.lab.example\n{ADDRESS} db.lab.example\n")
        uri = (f"postgresql://emcli@db.lab.example/emcli?sslrootcert={certs.ca}&schema={schema_of(e)}")
        env = e.environment(EMCLI_KEY=e.agent_key, EMCLI_DB=uri)
        program = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', hosts, e.binary]
        begun = time.monotonic()
        r = e.call(["sources"], env, None, 60, program)
        took = time.monotonic() - begun
    assert r.rc == 0, str(r)
    assert 4 < took < 9, took


# -- passwords


def test_a_password_is_seen_nowhere(tmp_path, server, proxy):
    """Right or wrong: not in an error, /proc, a trace, the server's log or the store."""
    server.sql("GRANT CREATE ON DATABASE emcli TO locked")
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(proxy.uri.replace("user=emcli", "user=locked"))
    e.past = None
    passwords = tmp_path / "pass"
    seen = b""
    for password, works in (("wr0ng-passw0rd", False), ("open sesame", True)):
        passwords.write_text(f"*:*:*:*:{password}\n")
        passwords.chmod(0o600)
        proxy.delay = 0.005
        trace = tmp_path / f"trace-{works}"
        env = e.environment(PGPASSFILE=str(passwords), EMCLI_KEY=e.agent_key, EMCLI_TRACE=str(trace),
                            EMCLI_ADMIN_KEY=e.admin_key)
        p = subprocess.Popen([e.binary, "init"], env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while p.poll() is None:
            with contextlib.suppress(OSError):
                for name in "cmdline", "environ", "comm":
                    seen += pathlib.Path(f"/proc/{p.pid}/{name}").read_bytes()
            time.sleep(0.02)
        out, err = p.communicate()
        assert (p.returncode == 0) == works, err
        seen += out + err + (trace.read_bytes() if trace.exists() else b"")
    assert b"PGPASSFILE" in seen  # it was looked at
    proxy.delay = 0
    env = {"PGPASSFILE": str(passwords)}
    r = e.admin("audit", "list", "--json", env=env)
    assert r.rc == 0, str(r)
    seen += r.out + (pathlib.Path(server.folder) / "said").read_bytes()
    assert b"sesame" not in seen and b"wr0ng" not in seen


@pytest.mark.parametrize("mode", [0o400, 0o440])
def test_a_password_of_systemd(tmp_path, server, mode):
    """The credential is taken, whatever its mode is, unless PGPASSFILE is set."""
    server.sql("GRANT CREATE ON DATABASE emcli TO locked")
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(server.as_user("locked"))
    e.past = None
    given = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert b"wants a password" in e.admin("init", env=given).err
    credential = tmp_path / "emcli-pgpass"
    credential.write_text("elsewhere:*:*:*:no\n*:*:*:locked:open sesame\n")
    credential.chmod(mode)
    (tmp_path / "other").write_text("*:*:*:*:wrong\n")
    (tmp_path / "other").chmod(0o600)
    r = e.admin("init", env={**given, "PGPASSFILE": str(tmp_path / "other")})
    assert r.rc != 0 and b"refused the password" in r.err
    assert e.admin("init", env=given).rc == 0
    assert e.run("sources", env=given).rc == 0


@pytest.mark.parametrize("make, said", [
    (os.mkdir, "not a regular file"), (os.mkfifo, "not a regular file"),
    (lambda p: p.write_bytes(b"#" * (65 << 10)), "more than 64 KB"),
])
def test_what_is_no_credential(tmp_path, server, make, said):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(server.as_user("locked"))
    e.past = None
    make(tmp_path / "emcli-pgpass")
    r = e.admin("init", env={"CREDENTIALS_DIRECTORY": str(tmp_path)})
    assert r.rc != 0 and said.encode() in r.err, str(r)


# -- a server that is slow


def test_a_slow_server(box, proxy):
    """Each answer takes its time; what is asked at once is answered at once."""
    assert uids(box.run("list", *BOX, env=through(box, proxy))) == [3, 2, 1]
    before = proxy.said
    proxy.delay = 0.03
    begun = time.monotonic()
    assert uids(box.run("list", *BOX, env=through(box, proxy))) == [3, 2, 1]
    took = time.monotonic() - begun
    assert took > 0.03 * (proxy.said - before) * 0.5
    r = box.run("ack", *BOX, "--uid", "2", env=through(box, proxy))
    assert r.data["acked"] == [2]
    is_whole(box)


def hash_of(schema):
    sum = 0xcbf29ce484222325
    for byte in schema.encode():
        sum = (sum ^ byte) * 0x100000001b3 % 2**64
    return sum


def signed(n):
    """As PostgreSQL has an integer of 32 bits."""
    return (n + 2**31) % 2**32 - 2**31


# What somebody holds in psql, and what an agent does meanwhile.
HELD = [
    ("SELECT 1 FROM {s}.folder_state FOR UPDATE", ("ack", *BOX, "--uid", "1")),
    ("LOCK {s}.audit_log", ("list", *BOX)),
    ("SELECT pg_advisory_xact_lock({c}, {o})", (*SEND, "b")),
]


@contextlib.contextmanager
def held(server, sql):
    """By somebody's psql, which does nothing else."""
    p = subprocess.Popen(["psql", "-qXAt", server.as_user("postgres")], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    p.stdin.write(f"BEGIN; {sql}; SELECT 'it is held';\n")
    p.stdin.flush()
    while p.stdout.readline() != "it is held\n":
        assert p.poll() is None
    yield
    p.stdin.write("ROLLBACK;\n")
    p.communicate()


def timed(emcli, words, env=None):
    """(result, seconds)"""
    begun = time.monotonic()
    r = emcli.run(*words, env=env, timeout=150)
    return r, time.monotonic() - begun


def test_what_somebody_holds(tmp_path, server, site):
    """A row, a table or all writers' lock: the call ends, says what to do, and has done nothing."""
    fleets = []
    for i, (hold, words) in enumerate(HELD):
        e = made(tmp_path / str(i), server)
        e.account_maildir(site.path, process_backlog=True)
        fleets.append((e, hold.format(s=schema_of(e), c=0x656d636c, o=signed(hash_of(schema_of(e)))), words))
    site.deliver("agent", message(subject="one"))
    site.deliver("agent", message(subject="two"))
    assert fleets[0][0].run("ack", *BOX, "--uid", "2").rc == 0  # there is a row
    with contextlib.ExitStack() as all_held, concurrent.futures.ThreadPoolExecutor(3) as pool:
        for _, hold, _ in fleets:
            all_held.enter_context(held(server, hold))
        for r, took in pool.map(lambda f: timed(f[0], f[2]), fleets):
            assert detail(r)["message"] == "the store is busy" and detail(r)["code"] == "db"
            assert "try again" in detail(r)["next"] and "holds a lock" in detail(r)["next"]
            assert 9 < took < 25
    assert site.messages("bob") == []
    for e, _, words in fleets:
        assert e.run(*words).rc == 0
        is_whole(e)
    assert len(site.messages("bob")) == 1


# -- a replica that is dead


@pytest.fixture
def own():
    """A server of the test's own, which it may set otherwise."""
    s = postgres.Server()
    yield s
    s.stop()


@pytest.mark.parametrize("when", ["before", "at the row", "at the row, without a word"])
def test_a_dead_replica(tmp_path, own, site, when):
    """No commit is confirmed: the call ends within its time, and has sent nothing."""
    e = made(tmp_path / "emcli", own)
    e.account_maildir(site.path)
    if "without" in when:
        # Else the server warns of a commit that no replica has.
        own.sql("ALTER ROLE emcli SET client_min_messages = error")
    assert e.admin("config", "set", "timeout_seconds", "12").rc == 0
    send = (*SEND, "b", "--idempotency-key", "k")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        if when == "before":
            replica(own, "nobody")
            call = pool.submit(timed, e, send)
        else:
            # What comes before the row is written as ever.
            with held(own, f"LOCK {schema_of(e)}.outbox IN EXCLUSIVE MODE"):
                call = pool.submit(timed, e, send)
                until(own, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'relation'")
                replica(own, "nobody")
        r, took = call.result()
    assert detail(r)["code"] == "db" and "try again" in detail(r)["next"], str(r)
    assert "its replica has not said" in detail(r)["message"], str(r)
    assert 4 < took < 12.5, took
    assert site.messages("bob") == []
    replica(own, None)
    # Nothing was sent, and that is known.
    assert e.run(*send).data["state"] == "sent"
    assert len(site.messages("bob")) == 1
    is_whole(e)


def test_what_is_tidied_first_is_in_the_call_s_time(tmp_path, own, site):
    e = made(tmp_path / "emcli", own)
    e.account_maildir(site.path)
    assert e.admin("config", "set", "timeout_seconds", "12").rc == 0
    assert e.run(*SEND, "b").rc == 0
    own.sql(f"UPDATE {schema_of(e)}.outbox SET created_s = 1000")
    replica(own, "nobody")
    r, took = timed(e, ("sources",))
    replica(own, None)
    assert detail(r)["code"] == "db" and took < 12.5, (str(r), took)


def test_a_release_whose_answer_is_lost(tmp_path, own, site):
    """What became of its commit cannot be asked; nothing was sent, and the message waits again."""
    e = made(tmp_path / "emcli", own)
    e.account_maildir(site.path, outbound="approve")
    n = detail(e.run(*SEND, "b"))["id"]
    digest = e.admin("approve", "show", n, "--json").json["digest"]
    release = ("approve", "release", n, "--digest", digest)
    waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with held(own, f"LOCK {schema_of(e)}.outbox IN EXCLUSIVE MODE"):
            call = pool.submit(e.admin, *release)
            until(own, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'relation'")
            replica(own, "nobody")
        until(own, f"SELECT 1 {waits}")
        # From now on its number may be another's.
        own.sql("CHECKPOINT")
        own.sql(f"SELECT pg_terminate_backend(pid, 5000) {waits}")
        replica(own, None)
        r = call.result()
    assert r.rc != 0 and b"cannot be found out" in r.err, str(r)
    assert b"nothing was sent, and the message still waits: approve it again" in r.err, str(r)
    assert site.messages("bob") == []
    [row] = e.admin("outbox", "list", "--json").json["outbox"]
    assert row["state"] == "held", row
    assert e.admin(*release).rc == 0
    assert len(site.messages("bob")) == 1
    is_whole(e)


# -- a full disk


def as_owner(server):
    owner = os.stat(server.folder)
    return owner.st_uid, owner.st_gid


@pytest.fixture
def small(server, tmp_path_factory):
    """A tablespace of a few megabytes."""
    folder = pathlib.Path(f"{server.folder}/small")
    uid, gid = as_owner(server)
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size=16m,mode=700,uid={uid},gid={gid}", "none",
                    folder], check=True)
    server.sql(f"CREATE TABLESPACE small LOCATION '{folder}'")
    yield folder
    server.sql("ALTER ROLE emcli RESET default_tablespace; DROP SCHEMA filled CASCADE;")
    server.sql("DROP TABLESPACE small")
    subprocess.run(["umount", folder], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk is mounted")
def test_a_full_disk(tmp_path, server, site, small):
    """It is said to be full, and nothing is sent; when there is room, all goes on."""
    server.sql("GRANT CREATE ON TABLESPACE small TO emcli;"
               "ALTER ROLE emcli SET default_tablespace = small")
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.Uri(f"{server.uri}&schema=filled")
    e.init()
    e.account_maildir(site.path)
    body = tmp_path / "body"
    body.write_text("".join(random.choices("abcdefghijklmnop", k=200000)))
    send = (*SEND[:-1], "--body-file", str(body))
    ballast = small / "ballast"
    with open(ballast, "wb") as f, contextlib.suppress(OSError):
        while True:
            f.write(os.urandom(1 << 16))
            f.flush()
    r = e.run(*send)
    assert detail(r)["code"] == "db" and "the disk is full" in detail(r)["message"]
    assert "make room" in detail(r)["next"]
    assert site.messages("bob") == []
    ballast.unlink()
    assert e.run(*send).rc == 0 and len(site.messages("bob")) == 1
    is_whole(e)


# -- killed in the middle


def killed_at(emcli, proxy, words, n, after):
    """Runs it as the operator, until it has spoken n times; true: it was killed."""
    proxy.said = 0
    env = emcli.environment(EMCLI_KEY=emcli.agent_key, EMCLI_ADMIN_KEY=emcli.admin_key,
                            **through(emcli, proxy))
    p = subprocess.Popen([emcli.binary, *words], env=env, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    proxy.kill = (n, after, p) if n else None
    p.communicate(timeout=60)
    proxy.kill = None
    return p.returncode == -9


def points(most, some):
    """So many, but of the last few, which are not always as many: before and after the server has what is said."""
    return list(zip(killsteps.evenly(list(range(1, most - 9)), some), [False, True] * most))


def test_init_is_killed(tmp_path, server, proxy):
    """Wherever that is: the next one makes the store, and nothing is half."""
    e = cli.Emcli(tmp_path / "0")
    e.db = postgres.store(server.uri)
    e.past = None
    assert not killed_at(e, proxy, ["init"], 0, False)
    for n, after in points(proxy.said, 7):
        e = cli.Emcli(tmp_path / f"{n}{after}")
        e.db = postgres.store(server.uri)
        e.past = None
        assert killed_at(e, proxy, ["init"], n, after)
        r = e.admin("init")
        assert r.rc == 0, f"killed at {n}, {after}: {r}"
        assert e.run("sources").rc == 0
        is_whole(e)


def undone(server, emcli, some):
    """As an emcli of before the last migrations has left the store."""
    s = schema_of(emcli)
    sql = []
    for file in sorted(STORE.glob("*.sql"))[:-some - 1:-1]:
        text = file.read_text()
        sql += [f"DROP TABLE {s}.{t}; DELETE FROM {s}.given WHERE name = '{t}'"
                for t in re.findall(r"^CREATE TABLE (\w+)", text, re.M)]
        sql += [f"ALTER TABLE {s}.{t} DROP COLUMN {c}"
                for t, c in re.findall(r"^ALTER TABLE (\w+) ADD COLUMN (\w+)", text, re.M)]
    server.sql("; ".join([*sql, f"DELETE FROM {s}.migration WHERE version IN (SELECT version FROM"
                                f" {s}.migration ORDER BY version DESC LIMIT {some})",
                          f"UPDATE {s}.settings SET value = (SELECT max(version) FROM {s}.migration)"
                          " WHERE key = 'schema_version'"]))


def test_a_migration_is_killed(box, server, proxy):
    """It is done wholly or not at all, and the next process does it."""
    s = schema_of(box)
    newest = server.sql(f"SELECT max(version) FROM {s}.migration")
    undone(server, box, 3)
    assert not killed_at(box, proxy, ["account", "list"], 0, False)
    assert server.sql(f"SELECT max(version) FROM {s}.migration") == newest
    for n, after in points(proxy.said, 7):
        undone(server, box, 3)
        assert killed_at(box, proxy, ["account", "list"], n, after)
        assert server.sql(f"SELECT count(*) FROM {s}.migration WHERE version > {newest} - 3") in "03"
        assert uids(box.run("list", *BOX)) == [3, 2, 1]
        assert server.sql(f"SELECT max(version) FROM {s}.migration") == newest
        is_whole(box)


# -- begun again


def test_the_server_is_begun_again(tmp_path, site):
    """Between two calls of one session, which is none the wiser."""
    s = postgres.Server()
    host = None
    try:
        e = made(tmp_path / "emcli", s)
        e.account_maildir(site.path, process_backlog=True)
        site.deliver("agent", message(subject="one"))
        host = Host(e, "--always", revision="2025-11-25")
        where = {"account": "work", "folder": "INBOX"}
        assert [m["uid"] for m in host.data("list", **where)["messages"]] == [1]
        s.control("-m", "fast", "restart")
        assert host.data("ack", **where, uid=[1])["acked"] == [1]
        assert host.data("list", **where, new=True)["messages"] == []
        s.control("-m", "fast", "stop")
        assert host.call("list", **where)["error_detail"]["code"] == "db"
        assert host.end()[0] == 0
    finally:
        if host:
            host.proc.kill()
            host.proc.wait()
        s.stop()


# -- whatever language the server is set to


def test_a_turkish_database(tmp_path, server, site):
    """Where the small letter of I is another: a freeze is for the agent that it names."""
    server.sql("CREATE DATABASE turkish OWNER emcli TEMPLATE template0 LOCALE 'C.UTF-8'"
               " LOCALE_PROVIDER icu ICU_LOCALE 'tr'")
    e = made(tmp_path / "emcli", server, server.uri.replace("/emcli?", "/turkish?"))
    there = ["psql", "-qXAt", server.as_user("postgres").replace("/emcli?", "/turkish?"), "-c"]
    assert subprocess.run([*there, "SELECT lower('I')"], capture_output=True, text=True,
                          check=True).stdout == "\u0131\n"
    e.account_maildir(site.path, process_backlog=True)
    site.deliver("agent", message(subject="one"))
    names = ["AIDA", "aida", "Aida"]
    for frozen in names:
        r = e.run("freeze", "--agent", frozen, env={"EMCLI_KEY": None})
        assert r.rc == 0, str(r)
        for name in names:
            r = e.run("list", *BOX, env={"EMCLI_AGENT": name})
            assert detail(r).get("reason") == "frozen", (frozen, name)
            r = e.run(*SEND, "b", env={"EMCLI_AGENT": name})
            assert detail(r).get("reason") == "frozen", (frozen, name)
        assert e.run("list", *BOX, env={"EMCLI_AGENT": "eve"}).rc == 0
        r = e.admin("thaw", "--agent", "aIDA")
        assert r.rc == 0, str(r)
        assert e.run("list", *BOX, env={"EMCLI_AGENT": frozen}).rc == 0
    is_whole(e)


# -- silence: the last, for it takes as long as an answer may


def test_silence(box, quiet, tmp_path, server):
    """At the connection and in the middle of an answer: the call ends in its time, and says what to do."""
    folder = tmp_path / "q"
    folder.mkdir()
    p = Proxy(server, folder)
    p.stall = 1
    r, took = timed(box, ("list", *BOX), through(box, p))
    assert p.stalled.is_set() and 9 < took < 15
    p.stop()
    for r, took in ((r, took), quiet.result()):
        assert detail(r)["code"] == "db"
        assert detail(r)["message"] == "the database server does not answer"
        assert "try again" in detail(r)["next"]
    assert 45 < took < 61, took
    is_whole(box)
