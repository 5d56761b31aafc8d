# SPDX-License-Identifier: Apache-2.0
"""emcli store copy: from a file into PostgreSQL and back, and store info, check and backup on both."""

import concurrent.futures
import contextlib
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

import cli
import killsteps
import postgres
from mail import message, uids
from test_crash import killed, strace

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture(scope="module")
def server():
    s = postgres.Server()
    yield s
    s.stop()


@pytest.fixture
def work(tmp_path, site):
    """A store in a file, with something of most kinds in it."""
    e = cli.Emcli(tmp_path / "emcli")
    e.db = e.folder / "store" / "emcli.db"
    e.init()
    e.account_maildir(site.path, process_backlog=True, outbound="approve", organise="on")
    for i in range(3):
        site.deliver("agent", message(subject=f"m{i}"))
    assert uids(e.run("list", *BOX)) == [3, 2, 1]
    e.run("ack", *BOX, "--uid", "2")
    e.run("mark", *BOX, "--uid", "1", "--read")
    e.admin("canary", "add", "swordfish-42")
    e.admin("whitelist", "in", "add", "b\u00fccher@lab.example", "--account", "work")
    e.admin("agent", "add", "bob")
    e.run("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body", "b",
          "--idempotency-key", "k")
    return e


def on(emcli, db, *argv, **env):
    return emcli.admin(*argv, env={"EMCLI_DB": str(db), **env})


def copy(emcli, db, to):
    return on(emcli, db, "store", "copy", "--to", str(to), "--json")


def tables(con):
    return [n for (n,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]


def dump(path):
    """Every row of every table, with the type of each value."""
    with contextlib.closing(sqlite3.connect(path)) as con:
        con.text_factory = bytes
        names = [n.decode() for n in tables(con)]
        return {n: sorted(repr(r) for r in con.execute(f'SELECT * FROM "{n}"')) for n in names}


def is_empty(server, uri):
    schema = uri.rpartition("schema=")[2]
    return server.sql(f"SELECT count(*) FROM pg_namespace WHERE nspname = '{schema}'") == "0"


def test_there_and_back_is_the_same(work, server, site):
    """Every table, and the head of the audit log."""
    far, back = postgres.store(server.uri), work.folder / "back.db"
    was = dump(work.db)
    assert all(was[t] for t in ("accounts", "acked", "agent", "audit_link", "canary", "journal",
                                "outbox", "outbox_recipient", "settings", "signed", "sqlite_sequence",
                                "uid_map", "whitelist_in"))
    there = copy(work, work.db, far)
    assert there.rc == 0, str(there)
    here = copy(work, far, back)
    assert here.rc == 0, str(here)
    assert dump(back) == was
    assert there.json["heads"] == here.json["heads"] and len(here.json["heads"]) == 1
    assert there.json["tables"] == here.json["tables"]
    assert {t["table"]: t["rows"] for t in here.json["tables"]} == {t: len(r) for t, r in was.items()}
    assert back.stat().st_mode & 0o777 == 0o600
    # The call is in the log of the one that was copied, with where it went and the head.
    for db, place in (work.db, "PostgreSQL"), (far, str(back)):
        rows = on(work, db, "audit", "list", "--action", "store.copy", "--json").json["audit"]
        assert [(r["outcome"], place in r["detail"], there.json["heads"][0]["hash"] in r["detail"])
                for r in rows] == [("ok", True, True)], rows
        assert rows[0]["target"] == str(far if db == work.db else back)
    for db in work.db, far, back:
        assert on(work, db, "audit", "verify").rc == 0
        r = on(work, db, "store", "check")
        assert r.rc == 0, str(r)
    # It is a store like any: what is held is held, and what was acked stays so.
    work.db = far
    assert uids(work.run("list", *BOX, "--new")) == [3, 1]
    [held] = work.admin("approve", "list", "--json").json["held"]
    digest = work.admin("approve", "show", str(held["id"]), "--json").json["digest"]
    r = work.admin("approve", "release", str(held["id"]), "--digest", digest)
    assert r.rc == 0, str(r)
    assert len(site.messages("bob")) == 1


def test_info_check_and_backup_on_both(work, server):
    far, file = postgres.store(server.uri), work.folder / "backup.db"
    copied = copy(work, work.db, far).json
    here, there = (on(work, db, "store", "info", "--json").json for db in (work.db, far))
    assert (here["driver"], here["place"]) == ("sqlite", str(work.db))
    assert there["driver"] == "postgresql" and far.rpartition("=")[2] in there["place"]
    assert there["version"] == here["version"] and there["bytes"] > 0
    assert here["bytes"] % 4096 == 0 and here["heads"][0]["link"] > copied["heads"][0]["link"] == there["heads"][0]["link"]
    assert there["heads"] == copied["heads"] and there["rows"] >= copied["rows"]
    shown = on(work, far, "store", "info").out.decode()
    assert copied["heads"][0]["hash"] in shown and "audit_log" in shown
    r = on(work, far, "store", "backup", str(file), "--json")
    assert r.rc == 0 and r.json["bytes"] == file.stat().st_size, str(r)
    assert on(work, file, "store", "check").rc == 0
    # What can be restored is a file; what else can be done is said.
    r = on(work, far, "store", "restore", str(file))
    assert r.rc != 0 and b"store copy --to" in r.err
    r = on(work, far, "store", "backup", far)
    assert r.rc == 2 and b"store backup writes a file" in r.err
    # A backup becomes a store in the server again.
    again = postgres.store(server.uri)
    assert copy(work, file, again).rc == 0 and on(work, again, "store", "check").rc == 0


def test_one_moment_while_agents_write(work, server):
    over, failed = threading.Event(), []

    def write(i):
        argv = [("mark", *BOX, "--uid", "1", "--read"), ("ack", *BOX, "--uid", str(1 + i % 3))][i % 2]
        while not over.is_set():
            r = work.run(*argv)
            # A limit is what an account may have; a busy store is not.
            if r.rc != 0 and r.code != "limit":
                failed.append(str(r))

    assert work.run("list", *BOX).rc == 0
    writers = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for w in writers:
        w.start()
    try:
        far = [postgres.store(server.uri) for _ in range(3)]
        for f in far:
            r = copy(work, work.db, f)
            assert r.rc == 0, str(r)
    finally:
        over.set()
        for w in writers:
            w.join()
    assert failed == []
    for f in far:
        r = on(work, f, "store", "check")
        assert r.rc == 0, str(r)


def test_a_target_that_is_not_empty(work, server):
    far, file = postgres.store(server.uri), work.folder / "other.db"
    assert copy(work, work.db, far).rc == 0
    rows = server.sql(f"SELECT count(*) FROM {far.rpartition('=')[2]}.audit_log")
    r = copy(work, work.db, far)
    assert r.rc == 2 and b"the target is not empty: there is a store already" in r.err, str(r)
    assert server.sql(f"SELECT count(*) FROM {far.rpartition('=')[2]}.audit_log") == rows
    other = postgres.store(server.uri)
    schema = other.rpartition("=")[2]
    server.sql(f"CREATE SCHEMA {schema} AUTHORIZATION emcli; CREATE SEQUENCE {schema}.mine")
    r = copy(work, work.db, other)
    assert r.rc == 2 and b"its schema has something in it" in r.err and b"mine" in r.err, str(r)
    # A schema that was made for it is empty.
    server.sql(f"DROP SEQUENCE {schema}.mine")
    assert copy(work, work.db, other).rc == 0
    file.write_bytes(b"mine")
    r = copy(work, work.db, file)
    assert r.rc == 2 and b"name a new file" in r.err and file.read_bytes() == b"mine"
    r = copy(work, work.db, work.db)
    assert r.rc == 2 and b"name a new file" in r.err


def test_of_several_at_once_one_makes_it(work, server):
    far, file = postgres.store(server.uri), work.folder / "copy.db"
    for to in far, file:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda i: copy(work, work.db, to), range(4)))
        assert [r.rc for r in made].count(0) == 1, [str(r) for r in made]
        assert on(work, to, "store", "check").rc == 0


@pytest.mark.parametrize("to, says", [
    ("postgresql://emcli:secret@127.0.0.1:1/emcli", "there is a password in --to"),
    ("postgresql://127.0.0.1:1/emcli?sslmode=require", "sslmode in --to must be verify-full"),
    ("postgresql://127.0.0.1:1/emcli?passfile=x", "--to may not have the parameter passfile"),
    ("postgresql://[x", "--to is no valid URI"),
    ("postgresql://127.0.0.1:1/emcli", "the target"),
])
def test_a_uri_that_is_refused(work, to, says):
    was = dump(work.db)
    r = copy(work, work.db, to)
    assert r.rc != 0 and says in r.err.decode() and b"secret" not in r.err + r.out, str(r)
    assert b"EMCLI_DB" not in r.err and dump(work.db) == was


def test_a_role_that_may_not(work, server):
    """No schema can be made, or it may not write."""
    far = postgres.store(server.as_user("locked"))
    passwords = work.folder / "pass"
    passwords.write_text("*:*:*:*:open sesame\n")
    passwords.chmod(0o600)
    r = on(work, work.db, "store", "copy", "--to", far, PGPASSFILE=str(passwords))
    assert r.rc != 0 and b"cannot be created in the database" in r.err, str(r)
    schema = far.rpartition("=")[2]
    server.sql(f"CREATE SCHEMA {schema} AUTHORIZATION locked;"
               "ALTER ROLE locked SET default_transaction_read_only = on")
    try:
        r = on(work, work.db, "store", "copy", "--to", far, PGPASSFILE=str(passwords))
        assert r.rc != 0, str(r)
    finally:
        server.sql("ALTER ROLE locked RESET default_transaction_read_only")
    assert server.sql(f"SELECT count(*) FROM pg_class WHERE relnamespace = '{schema}'::regnamespace") == "0"
    # What was asked and failed is in the log.
    rows = on(work, work.db, "audit", "list", "--action", "store.copy", "--json").json["audit"]
    assert rows and all(row["outcome"] not in ("ok", "") for row in rows), rows


def test_a_folder_that_takes_no_copy(work, tmp_path):
    place = tmp_path / "place"
    r = copy(work, work.db, place / "copy.db")
    assert r.rc != 0 and b"its folder must exist" in r.err
    place.mkdir()
    os.chmod(place, 0o777)
    r = copy(work, work.db, place / "copy.db")
    assert r.rc != 0 and b"replace files in it" in r.err and list(place.iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="mounts")
@pytest.mark.parametrize("option, says", [("size=200k", b"disk is full"), ("ro", b"Read-only")])
def test_a_disk_that_takes_no_copy(work, tmp_path, option, says):
    place = tmp_path / "place"
    place.mkdir()
    script = ('mount -t tmpfs -o mode=700,"$3" none "$1" && '
              '"$2" store copy --to "$1/copy.db"; r=$?; ls -A "$1"; exit $r')
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", place, work.binary, option],
                          env=work.environment(EMCLI_ADMIN_KEY=work.admin_key),
                          capture_output=True, timeout=60)
    assert done.returncode not in (0, 32) and done.stdout == b"" and says in done.stderr, done
    assert on(work, work.db, "store", "check").rc == 0


def test_a_store_that_was_changed_is_not_copied(work, server):
    far = postgres.store(server.uri)
    with contextlib.closing(sqlite3.connect(work.db)) as con, con:
        con.execute("UPDATE accounts SET mode = 'RO'")
    r = copy(work, work.db, far)
    assert r.rc != 0 and b"the database is not as emcli wrote it" in r.err and b"mode" in r.err, str(r)
    assert is_empty(server, far)
    assert on(work, work.db, "audit", "accept", "--yes").rc == 0
    assert copy(work, work.db, far).rc == 0


def test_only_the_operator(work, server):
    far = postgres.store(server.uri)
    r = work.run("store", "copy", "--to", far)
    assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err and is_empty(server, far)
    r = on(work, work.db, "store", "copy", "--to", far, EMCLI_ADMIN_KEY=cli.key())
    assert r.rc != 0 and is_empty(server, far)


def test_killed_it_leaves_nothing_or_all_of_it(work, server):
    """Of a server: a transaction that was not committed."""
    seen = set()
    argv = ["store", "copy", "--to", postgres.store(server.uri)]
    assert strace(work, ["-e", "trace=sendto,read,write,fdatasync"], argv, admin=True).returncode == 0
    trace = (work.folder / "trace").read_text(errors="replace")
    at = killsteps.evenly([s for s in killsteps.numbered(trace) if s[0] == "sendto"], 16)
    for step in at:
        far = postgres.store(server.uri)
        killed(work, step, [*argv[:3], far], admin=True)
        end = time.monotonic() + 20
        there = False
        while time.monotonic() < end:
            there = on(work, far, "store", "check").rc == 0
            if there or is_empty(server, far):
                break
        assert there or is_empty(server, far), step
        assert on(work, work.db, "store", "check").rc == 0, step
        # The place can be used, and another is made.
        r = copy(work, work.db, far)
        assert r.rc == (2 if there else 0), str(r)
        seen.add(there)
    assert False in seen


def test_killed_it_leaves_no_file_or_all_of_it(work):
    argv = ["store", "copy", "--to"]
    first = work.folder / "first.db"
    assert strace(work, ["-e", "trace=pwrite64,fdatasync,fsync,renameat2,unlink,unlinkat"],
                  [*argv, str(first)], admin=True).returncode == 0
    trace = (work.folder / "trace").read_text(errors="replace")
    seen = set()
    for step in killsteps.spread(trace, 20):
        to = work.folder / "copy.db"
        to.unlink(missing_ok=True)
        killed(work, step, [*argv, str(to)], admin=True)
        there = to.exists()
        assert not there or on(work, to, "store", "check").rc == 0, step
        r = copy(work, work.db, to)
        assert r.rc == (2 if there else 0), str(r)
        assert [p.name for p in work.folder.iterdir() if ".new." in p.name] == [], step
        seen.add(there)
    assert seen == {True, False}


def test_a_server_that_is_lost(work, tmp_path):
    """In the middle of it: nothing is there, and the store is as it was."""
    own = postgres.Server()
    try:
        far = postgres.store(own.uri)
        with contextlib.closing(sqlite3.connect(work.db)) as con, con:
            con.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000)"
                        " INSERT INTO taint SELECT 'agent' || i, i FROM n")
        env = work.environment(EMCLI_KEY=work.agent_key, EMCLI_ADMIN_KEY=work.admin_key)
        running = subprocess.Popen([work.binary, "store", "copy", "--to", far], env=env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1)
        assert running.poll() is None
        os.kill(own.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
        assert running.returncode == 1 and out == b"" and b"the target" in err, err
    finally:
        with contextlib.suppress(Exception):
            own.stop()
    [row] = on(work, work.db, "audit", "list", "--action", "store.copy", "--json").json["audit"]
    assert row["outcome"] == "db", row
    assert on(work, work.db, "store", "check").rc == 0


def test_a_large_one_is_not_held_in_memory(work, server):
    """Three hundred thousand rows, each way."""
    far, back = postgres.store(server.uri), work.folder / "back.db"
    with contextlib.closing(sqlite3.connect(work.db)) as con, con:
        con.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000)"
                    " INSERT INTO taint SELECT printf('%0150d', i), i FROM n")
    for db, to in (work.db, far), (far, back):
        env = work.environment(EMCLI_DB=str(db), EMCLI_ADMIN_KEY=work.admin_key)
        running = subprocess.Popen([work.binary, "store", "copy", "--to", str(to)], env=env)
        most = 0
        while running.poll() is None:
            with contextlib.suppress(OSError, TypeError):  # it has just ended
                status = pathlib.Path(f"/proc/{running.pid}/status").read_text()
                most = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
            time.sleep(0.01)
        assert running.returncode == 0 and 5 << 10 < most < 40 << 10, most
    assert dump(back)["taint"] == dump(work.db)["taint"]
