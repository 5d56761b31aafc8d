# SPDX-License-Identifier: Apache-2.0
"""A store in PostgreSQL: EMCLI_DB is a URI, and everything else as ever."""

import concurrent.futures
import contextlib
import json
import socket
import subprocess
import time

import pytest

import cli
import postgres
import test_chain
from mail import message, uids

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture(scope="module")
def server():
    s = postgres.Server()
    yield s
    s.stop()


@pytest.fixture
def fleet(tmp_path, server):
    """emcli with a store of its own in the server."""
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(server.uri)
    e.init()
    return e


@pytest.fixture
def box(fleet, site):
    fleet.account_maildir(site.path, process_backlog=True)
    for i in range(3):
        site.deliver("agent", message(subject=f"m{i}"))
    return fleet


def schema_of(emcli):
    return emcli.db.rpartition("schema=")[2]


def test_the_main_job(box, site):
    assert uids(box.run("list", *BOX)) == [3, 2, 1]
    assert box.run("ack", *BOX, "--uid", "1", "--uid", "3").data["acked"] == [1, 3]
    assert uids(box.run("list", *BOX, "--new")) == [2]
    assert "m1" in box.run("get", *BOX, "--uid", "2").out.decode()
    assert box.admin("audit", "verify").rc == 0
    rows, links, points = test_chain.check(test_chain.export(box), box.admin_key)
    assert len(links) > len(rows) > 4 and len(points) > 1
    check = box.admin("store", "check")
    assert check.rc == 0, str(check)


def test_it_is_told_what_is_in_force(box, server):
    r = box.admin("doctor", "--json")
    [line] = [x for x in r.json["data"]["checks"] if x["check"] == "store"]
    assert "PostgreSQL" in line["message"] and "the socket of this machine" in line["message"]
    assert "synchronous_commit on" in line["message"] and schema_of(box) in line["message"]
    assert box.admin("health").rc == 0


def test_a_message_goes_once(fleet, site):
    """Whichever process it was begun in."""
    fleet.account_maildir(site.path)
    send = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body", "b",
            "--idempotency-key", "k")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda i: fleet.run(*send), range(16)))
    assert len(site.messages("bob")) == 1
    # Meanwhile others are told that it is being sent.
    assert any(r.rc == 0 for r in runs)
    assert fleet.run(*send).rc == 0 and len(site.messages("bob")) == 1
    [row] = fleet.admin("outbox", "list", "--json").json["outbox"]
    assert row["state"] == "sent"
    assert fleet.admin("audit", "verify").rc == 0


def test_twenty_ack_at_once(box, server):
    """Writers wait for one lock, as those of a file do, but calls are recorded at once."""
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        all_of = list(pool.map(lambda i: box.run("ack", *BOX, "--uid", str(1 + i % 3)), range(40)))
    assert all(r.rc == 0 for r in all_of), [str(r) for r in all_of if r.rc][0]
    assert uids(box.run("list", *BOX, "--new")) == []
    schema = schema_of(box)
    # The floor is above what was acked.
    assert server.sql(f"SELECT floor_uid FROM {schema}.folder_state") == "3"
    # No number of the audit is missing or given twice.
    chains = f"SELECT count(*) AS rows, max(id % 1000000000000) AS top FROM {schema}.audit_log GROUP BY id / 1000000000000"
    assert server.sql(f"SELECT bool_and(rows = top) FROM ({chains}) x") == "t"
    assert box.admin("audit", "verify").rc == 0


def test_calls_at_once_have_several_chains(box, server, tmp_path):
    """The operator's commands sign all of them meanwhile; a copy in a file has them, too."""
    with concurrent.futures.ThreadPoolExecutor(17) as pool:
        signs = pool.submit(lambda: [box.admin("audit", "verify") for i in range(4)])
        runs = list(pool.map(lambda i: box.run("list", *BOX), range(96)))
    assert all(r.rc == 0 for r in runs), [str(r) for r in runs if r.rc][0]
    assert all(r.rc == 0 for r in signs.result()), [str(r) for r in signs.result() if r.rc][0]
    chains = f"SELECT count(DISTINCT id / 1000000000000) FROM {schema_of(box)}.audit_log"
    assert int(server.sql(chains)) > 1
    r = box.admin("audit", "verify", "--json")
    assert r.rc == 0 and r.json["whole"] is True, str(r)
    assert r.json["last_row"] > 1000000000000
    rows = [json.loads(line) for line in box.admin("audit", "export").out.splitlines()]
    links = [x["link"] for x in rows if "link" in x]
    for a, b in zip(links, links[1:]):
        first = a["seq"] // 1000000000000 != b["seq"] // 1000000000000
        assert b["prev"] == ("0" * 64 if first else a["hash"])
        assert b["seq"] == (b["seq"] // 1000000000000 * 1000000000000 if first else a["seq"]) + 1
    times = [x["time"] for x in box.admin("audit", "list", "--json").json["audit"]]
    assert times == sorted(times, reverse=True)
    check = box.admin("store", "check")
    assert check.rc == 0, str(check)
    # In a file they are as they were; it goes on with the first.
    heads = box.admin("store", "info", "--json").json["heads"]
    assert len(heads) > 1
    file = tmp_path / "there.db"
    there = box.admin("store", "copy", "--to", str(file), "--json")
    assert there.rc == 0 and [h["link"] // 10 ** 12 for h in there.json["heads"]] == \
        [h["link"] // 10 ** 12 for h in heads], str(there)
    box.db, far = file, box.db
    assert box.run("list", *BOX).rc == 0
    assert box.admin("store", "backup", str(tmp_path / "copy.db")).rc == 0
    assert box.run("list", *BOX).rc == 0
    for command in ("store", "restore", str(tmp_path / "copy.db")), ("audit", "verify"), ("store", "check"):
        r = box.admin(*command)
        assert r.rc == 0, str(r)
    box.db = far


def test_two_make_the_store_at_once(tmp_path, server):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(server.uri)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        made = list(pool.map(lambda i: e.admin("init"), range(6)))
    assert all(r.rc == 0 for r in made), [str(r) for r in made if r.rc][0]
    assert sum(b"made " in r.out for r in made) == 1
    assert e.admin("audit", "verify").rc == 0


@pytest.mark.parametrize("name", ["INBOX.caf\udce9", "INBOX.\x01\x02", "INBOX.\U0010ffa9"])
def test_a_folder_of_any_bytes(fleet, site, name):
    """PostgreSQL takes valid UTF-8 alone; a folder's name is what the server says."""
    fleet.account_maildir(site.path, process_backlog=True)
    r = fleet.run("list", "--account", "work", "--folder", name)
    assert r.code in ("not_found", "usage"), str(r)
    assert fleet.admin("audit", "verify").rc == 0


def test_foreign_code_stops_the_operator(box, server):
    """Its effects would be signed as the operator's."""
    schema = schema_of(box)
    server.sql(f"CREATE FUNCTION {schema}.own() RETURNS trigger LANGUAGE plpgsql AS"
               f" $$ BEGIN NEW.mode := 'RW'; RETURN NEW; END $$;"
               f"CREATE TRIGGER own BEFORE UPDATE ON {schema}.accounts FOR EACH ROW"
               f" EXECUTE FUNCTION {schema}.own()")
    r = box.admin("account", "list")
    assert r.rc != 0 and b"code that emcli did not put there: function own" in r.err
    server.sql(f"DROP FUNCTION {schema}.own() CASCADE")
    assert box.admin("account", "list").rc == 0


@pytest.mark.parametrize("change, what", [
    ("ALTER TABLE {s}.accounts ADD CHECK ({o}.f(mode) <> '')", "function {o}.f(text)"),
    ("ALTER TABLE {s}.accounts ALTER mode SET DEFAULT {o}.f('x')", "function {o}.f(text)"),
    ("CREATE INDEX own ON {s}.accounts ({o}.f(mode))", "function {o}.f(text)"),
    ("CREATE TABLE {o}.child () INHERITS ({s}.accounts)", "table {o}.child"),
])
def test_foreign_code_of_another_schema(box, server, change, what):
    """What the tables call is elsewhere, or rows of elsewhere are read with theirs."""
    names = {"s": schema_of(box), "o": schema_of(box) + "_other"}
    server.sql("CREATE SCHEMA {o}; CREATE FUNCTION {o}.f(text) RETURNS text LANGUAGE sql IMMUTABLE"
               " AS 'SELECT $1'; ".format(**names) + change.format(**names))
    r = box.admin("account", "list")
    said = "code that emcli did not put there: " + what.format(**names)
    assert r.rc != 0 and said in r.err.decode(), str(r)
    server.sql("DROP SCHEMA {o} CASCADE".format(**names))
    assert box.admin("account", "list").rc == 0


def test_a_changed_row_is_told(box, server):
    server.sql(f"UPDATE {schema_of(box)}.accounts SET outbound = 'none'")
    r = box.admin("audit", "verify")
    assert r.rc != 0 and b"outbound" in r.out + r.err


def test_a_changed_schema_is_told(box, server):
    server.sql(f"CREATE INDEX own ON {schema_of(box)}.accounts (mode)")
    r = box.admin("audit", "verify")
    assert r.rc != 0 and b"index own" in r.out + r.err


def test_a_lock_that_psql_holds(box, server):
    """It is waited for, and then said."""
    schema = schema_of(box)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        held = pool.submit(server.sql, f"BEGIN; LOCK {schema}.audit_log; SELECT pg_sleep(3); COMMIT")
        time.sleep(0.5)
        begun = time.monotonic()
        assert box.run("list", *BOX).rc == 0
        assert time.monotonic() - begun > 1
        held.result()


def test_a_schema_from_the_future(box, server):
    server.sql(f"INSERT INTO {schema_of(box)}.migration VALUES (999, 'x', 'x')")
    r = box.run("list", *BOX)
    assert r.code == "config" and "newer than this emcli" in r.json["error_detail"]["message"]


def test_a_schema_that_is_not_emclis(tmp_path, server):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(server.uri)
    schema = schema_of(e)
    server.sql(f"CREATE SCHEMA {schema} AUTHORIZATION emcli; CREATE TABLE {schema}.other (a int)")
    r = e.admin("init")
    assert r.rc != 0 and b"was not made by emcli" in r.err


def test_a_password(tmp_path, server):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(server.as_user("locked"))
    server.sql("GRANT CREATE ON DATABASE emcli TO locked")
    e.past = None
    r = e.admin("init")
    assert r.rc != 0 and b"wants a password" in r.err
    passwords = tmp_path / "pass"
    passwords.write_text("*:*:*:*:wrong\n")
    passwords.chmod(0o600)
    r = e.admin("init", env={"PGPASSFILE": str(passwords)})
    assert r.rc != 0 and b"refused the password" in r.err and b"wrong" not in r.err
    # What may be anybody's is not read.
    assert b"wants a password" in e.admin("init", env={"PGPASSWORD": "open sesame"}).err
    passwords.write_text("*:*:*:*:open sesame\n")
    assert e.admin("init", env={"PGPASSFILE": str(passwords)}).rc == 0


def test_a_password_in_the_uri_is_refused(tmp_path, server):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = "postgresql://emcli:hunter22@db.example/emcli"
    r = e.admin("init")
    assert r.rc != 0 and b"there is a password in EMCLI_DB" in r.err
    assert b"hunter22" not in r.out + r.err


def test_no_server(tmp_path):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = "postgresql:///emcli?host=/nowhere/at/all"
    r = e.run("list", *BOX)
    assert r.code == "db" and "does not answer" in r.json["error_detail"]["message"]


@pytest.mark.parametrize("silent", [1, 3])
def test_a_silent_host(box, server, silent):
    """Each has its share of the ten seconds, so that the last is reached."""
    with contextlib.ExitStack() as all_of:
        mute = [all_of.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(silent)]
        hosts = ",".join(["127.0.0.1"] * silent + [server.folder])
        ports = ",".join([*(str(m.getsockname()[1]) for m in mute), "5432"])
        uri = str(box.db).replace(f"host={server.folder}", f"host={hosts}&port={ports}")
        begun = time.monotonic()
        r = box.run("list", *BOX, env={"EMCLI_DB": uri})
        took = time.monotonic() - begun
    assert uids(r) == [3, 2, 1] and took > 4, took


def test_a_host_that_refuses_costs_nothing(box, server, tmp_path):
    uri = str(box.db).replace("host=", f"host={tmp_path},127.0.0.1,").replace("&user", "&port=5432,1,5432&user")
    begun = time.monotonic()
    assert uids(box.run("list", *BOX, env={"EMCLI_DB": uri})) == [3, 2, 1]
    assert time.monotonic() - begun < 5
    # What was said of each host is told.
    r = box.run("list", *BOX, env={"EMCLI_DB": uri.replace(server.folder, str(tmp_path))})
    assert r.code == "db" and "does not answer" in r.json["error_detail"]["message"]


def test_what_writes_files_is_recorded(fleet, tmp_path):
    """The store is there, though it is no file."""
    r = fleet.admin("mcp", "install", "--client", "codex", "--write", "--file", tmp_path / "config.toml",
                    env={"EMCLI_KEY": fleet.agent_key})
    assert r.rc == 0 and b"there is no database" not in r.err, str(r)
    assert b"mcp.install" in fleet.admin("audit", "list", "--json").out


def test_what_is_for_a_file(box, tmp_path):
    r = box.admin("store", "restore", tmp_path / "copy")
    assert r.rc != 0 and b"is for a store in a file" in r.err, str(r)
    r = box.admin("serve", env={"EMCLI_ADMIN_KEY": None})
    assert r.rc != 0 and b"is for a store in a file" in r.err, str(r)


def test_behind_a_pool(tmp_path, server, site):
    """Nothing is prepared, and each transaction says its own settings."""
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.Uri(postgres.store(server.uri) + "&prepare=off")
    e.init()
    e.account_maildir(site.path, process_backlog=True)
    site.deliver("agent", message(subject="one"))
    assert uids(e.run("list", *BOX)) == [1]
    assert e.run("ack", *BOX, "--uid", "1").rc == 0
    assert e.admin("audit", "verify").rc == 0


def ended(process, server, wait, end="terminate"):
    """Cuts off whoever waits for that at a commit, until the process has ended."""
    cut = 0
    while process.poll() is None:
        time.sleep(0.05)
        cut += len(server.sql(f"SELECT pg_{end}_backend(pid) FROM pg_stat_activity"
                              f" WHERE {wait}").splitlines())
    return cut, cli.Result([], process_result(process))


def process_result(process):
    out, err = process.communicate(timeout=30)
    return subprocess.CompletedProcess([], process.returncode, out, err)


WAITS = "wait_event = 'SyncRep'"


def until(server, query):
    """A row comes of it."""
    end = time.monotonic() + 30
    while not server.sql(query):
        assert time.monotonic() < end, query
        time.sleep(0.05)


def replica(server, name):
    """Each commit waits for one of that name from now on; None: for none."""
    server.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'" if name
               else "ALTER SYSTEM RESET synchronous_standby_names")
    server.sql("SELECT pg_reload_conf()")
    until(server, f"SELECT 1 WHERE current_setting('synchronous_standby_names') = '{name or ''}'")
    time.sleep(0.2)


@pytest.fixture
def own():
    """A server of the test's own, which it may stop or set otherwise."""
    s = postgres.Server()
    yield s
    s.stop()


@pytest.fixture
def alone(tmp_path, site, own):
    e = cli.Emcli(tmp_path / "emcli")
    e.db = postgres.store(own.uri)
    e.init()
    e.account_maildir(site.path, process_backlog=True)
    site.deliver("agent", message(subject="one"))
    site.deliver("agent", message(subject="two"))
    assert uids(e.run("list", *BOX)) == [2, 1]
    return e


def test_a_commit_whose_answer_is_lost(alone, own):
    """It was written, or it was not: the server is asked, and nothing assumed."""
    env = alone.environment(EMCLI_KEY=alone.agent_key)
    # On the disk, but cut off while it waits for a replica, which is there again then.
    replica(own, "nobody")
    process = alone.start(["ack", *BOX, "--uid", "1"], env)
    until(own, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {WAITS}")
    time.sleep(0.2)
    replica(own, None)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and b'"acked":[1]' in out, out + err
    assert uids(alone.run("list", *BOX, "--new")) == [2]
    # This one is cut off before it is written.
    schema = schema_of(alone)
    own.sql(f"CREATE FUNCTION {schema}.cut() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
            f"CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON {schema}.acked DEFERRABLE INITIALLY DEFERRED"
            f" FOR EACH ROW EXECUTE FUNCTION {schema}.cut()")
    r = alone.run("ack", *BOX, "--uid", "2")
    assert r.code == "db" and "does not answer" in r.json["error_detail"]["message"]
    own.sql(f"DROP FUNCTION {schema}.cut() CASCADE")
    assert uids(alone.run("list", *BOX, "--new")) == [2]
    assert alone.admin("audit", "verify").rc == 0


def test_a_number_that_a_crash_may_have_given_again(alone, own):
    """After a checkpoint, which a recovery makes, too, it may be another's transaction."""
    replica(own, "nobody")
    process = alone.start(["ack", *BOX, "--uid", "1"], alone.environment(EMCLI_KEY=alone.agent_key))
    until(own, f"SELECT 1 FROM pg_stat_activity WHERE {WAITS}")
    own.sql("CHECKPOINT")
    cut, r = ended(process, own, WAITS)
    assert r.code == "db" and "cannot be found out" in r.json["error_detail"]["message"], str(r)
    replica(own, None)


@pytest.mark.parametrize("end", ["cancel", "terminate"])
def test_no_replica_has_the_message(alone, own, site, end):
    """Its row is on the server's disk, where others see it: that is not enough to send it."""
    send = ["send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body", "b",
            "--idempotency-key", "k"]
    schema = schema_of(alone)
    # What comes before the row is written as ever.
    held = subprocess.Popen(["psql", "-qXAt", own.as_user("postgres")], stdin=subprocess.PIPE, text=True)
    held.stdin.write(f"BEGIN; LOCK {schema}.outbox IN EXCLUSIVE MODE;\n")
    held.stdin.flush()
    until(own, "SELECT 1 FROM pg_locks WHERE mode = 'ExclusiveLock' AND locktype = 'relation' AND granted")
    process = alone.start(send, alone.environment(EMCLI_KEY=alone.agent_key))
    until(own, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'relation'")
    replica(own, "nobody")
    held.stdin.close()
    cut, r = ended(process, own, WAITS, end)
    held.wait(30)
    assert cut >= 2 and r.code == "db" and site.messages("bob") == [], str(r)
    replica(own, None)
    # Nothing was sent, and that is known.
    r = alone.run(*send)
    assert r.data["state"] == "sent" and len(site.messages("bob")) == 1
    assert alone.admin("audit", "verify").rc == 0


def test_the_server_is_killed(alone, own):
    """What was answered is there afterwards; meanwhile calls say what is wrong."""
    assert alone.run("ack", *BOX, "--uid", "1").rc == 0
    own.kill()
    time.sleep(0.2)
    assert alone.run("list", *BOX).code == "db"
