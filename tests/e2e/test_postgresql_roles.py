# SPDX-License-Identifier: Apache-2.0
"""
Roles of a store in PostgreSQL: agents' calls are made as the gate's role, the operator's commands
as another, and whoever has the gate's URI in hand changes no policy with it.
"""

import json
import subprocess
import time
import types

import pytest

import cli
import postgres
from mail import message, uids

BOX = ("--account", "work", "--folder", "INBOX")
# What must be quoted wherever it is.
PREFIX = """Acme's "mail" $emcli$ \\%I"""


def printed():
    """The one list of rights, as the program has it."""
    done = subprocess.run([cli.binary(False), "store", "roles", "--json"], capture_output=True, check=True,
                          env={"HOME": "/", "PATH": "/usr/bin:/bin"})
    return json.loads(done.stdout)["tables"]


TABLES = printed()
DENIED = "42501"


def words(columns):
    return [c.strip() for c in columns.split(",") if c.strip()]


@pytest.fixture(scope="module")
def server():
    s = postgres.Server()
    yield s
    s.stop()


# The login of each role.
USERS = {"ann": "operator", "guard": "gate", "eye": "audit"}


def group(role):
    return '"' + f"{PREFIX}_{role}".replace('"', '""') + '"'


@pytest.fixture(scope="module")
def users(server):
    """The roles, on an empty database, and somebody who logs in as each."""
    postgres.give_roles(cli.binary(False), server.uri, "--prefix", PREFIX)
    for user, role in USERS.items():
        server.sql(f"CREATE ROLE {user} LOGIN; GRANT {group(role)} TO {user}")


class Fleet:
    """emcli with a store of its own in the server; each of the users has a URI of its own."""

    def __init__(self, folder, server, first=True):
        self.server = server
        self.emcli = e = cli.Emcli(folder / "emcli")
        uri = postgres.store(server.uri)
        self.schema = uri.rpartition("schema=")[2]
        e.db = postgres.Uri(postgres.as_user(uri, "ann"))
        if first:
            self.give()
            e.init()
        else:
            # By whoever owns the database, as before there were roles.
            assert e.admin("init", env={"EMCLI_DB": uri}).rc == 0
            self.give()
        self.gate = postgres.as_user(uri, "guard")

    def give(self, user="postgres"):
        postgres.give_roles(self.emcli.binary, self.emcli.db, "--prefix", PREFIX, user=user)

    def agent(self, *argv, **more):
        return self.emcli.run(*argv, env={"EMCLI_DB": self.gate, **more})

    def sql(self, text, user="postgres"):
        return self.server.sql(text.format(s=self.schema), user)

    def states(self, user, statements):
        """What came of each, as its SQLSTATE."""
        text = "".join(f"{x};\n\\echo :SQLSTATE\n" for x in statements)
        done = subprocess.run(["psql", "-qXAt", self.server.as_user(user)], input=text.format(s=self.schema),
                              capture_output=True, text=True)
        got = done.stdout.split()
        assert len(got) == len(statements), done.stdout + done.stderr
        return dict(zip(statements, got))


@pytest.fixture(params=["roles first", "store first"])
def fleet(request, tmp_path, server, users):
    return Fleet(tmp_path, server, first=request.param == "roles first")


@pytest.fixture(scope="module")
def lasting(tmp_path_factory, server, users):
    """What is only tried, and refused, needs no store of its own."""
    return Fleet(tmp_path_factory.mktemp("lasting"), server)


def fill(fleet, site):
    fleet.emcli.account_maildir(site.path, process_backlog=True)
    for i in range(3):
        site.deliver("agent", message(subject=f"m{i}"))


def line(result):
    """What doctor says of the role."""
    [x] = [x for x in result.json["data"]["checks"] if x["check"] == "store.role"]
    return types.SimpleNamespace(**{"note": False, "next": "", **x})


def test_the_main_job(fleet, site):
    fill(fleet, site)
    e = fleet.emcli
    assert uids(fleet.agent("list", *BOX)) == [3, 2, 1]
    assert fleet.agent("ack", *BOX, "--uid", "1", "--uid", "3").data["acked"] == [1, 3]
    assert uids(fleet.agent("list", *BOX, "--new")) == [2]
    assert uids(fleet.agent("list", *BOX, "--new", "--claim", "60")) == [2]
    assert fleet.agent("unack", *BOX, "--uid", "1").rc in (0, 1, 2)
    assert "m1" in fleet.agent("get", *BOX, "--uid", "2").out.decode()
    send = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body", "b",
            "--idempotency-key", "k")
    assert fleet.agent(*send).rc == 0 and fleet.agent(*send).rc == 0
    assert len(site.messages("bob")) == 1
    # A stop is anybody's to make, and the operator's to lift.
    assert fleet.agent("freeze", "--agent", "me").rc == 0
    assert e.admin("thaw", "--all").rc == 0
    for argv in ("audit", "verify"), ("store", "check"):
        r = e.admin(*argv)
        assert r.rc == 0, str(r)
    assert fleet.sql("SELECT count(*) FROM pg_tables WHERE schemaname = '{s}'"
                     " AND tableowner NOT LIKE '%_operator'") == "0"


def test_who_is_told_what_by_doctor(fleet):
    e = fleet.emcli
    is_ = line(fleet.agent("doctor"))
    assert is_.ok and not is_.note and is_.message == "guard does what agents need, and no more"
    is_ = line(e.admin("doctor", "--json"))
    assert is_.ok and not is_.note and is_.message == "ann owns the store"
    # An agent with the operator's URI, and an operator with the gate's.
    is_ = line(e.run("doctor"))
    assert is_.note and "may change policy" in is_.message and "emcli store roles" in is_.next
    is_ = line(e.admin("doctor", "--json", env={"EMCLI_DB": fleet.gate}))
    assert is_.note and "may not change policy" in is_.message
    # Rights that somebody gave, or took.
    fleet.sql("GRANT UPDATE (mode) ON {s}.accounts TO guard; GRANT DELETE ON {s}.audit_log TO guard")
    is_ = line(fleet.agent("doctor"))
    assert is_.note and is_.message.endswith("work needs: accounts, audit_log")
    fleet.sql("REVOKE ALL ON {s}.accounts FROM guard; REVOKE ALL ON {s}.audit_log FROM guard")
    # Code that the owner would run; and the owner itself, by SET ROLE.
    for give, take in (("GRANT CREATE ON SCHEMA {s} TO guard", "REVOKE CREATE ON SCHEMA {s} FROM guard"),
                       (f"CREATE ROLE mid NOINHERIT; GRANT {group('operator')} TO mid; GRANT mid TO guard",
                        "DROP ROLE mid")):
        fleet.sql(give)
        is_ = line(fleet.agent("doctor"))
        assert is_.note and is_.message.endswith("work needs: the schema"), is_
        fleet.sql(take)
    fleet.sql(f"REVOKE INSERT ON {{s}}.acked FROM {group('gate')}; REVOKE UPDATE ON {{s}}.outbox FROM {group('gate')}")
    r = fleet.agent("doctor")
    assert r.rc != 0 and not line(r).ok and line(r).message == "guard lacks rights that agents need: acked, outbox"
    # The owner may give what is the store's.
    fleet.give("ann")
    is_ = line(fleet.agent("doctor"))
    assert is_.ok and not is_.note


def test_an_operators_command_by_the_gates_role(fleet):
    """With the operator's key, too."""
    r = fleet.emcli.admin("config", "set", "timeout_seconds", "30", env={"EMCLI_DB": fleet.gate})
    assert r.rc != 0 and b"this role may not do that" in r.err and b"the operator's role in EMCLI_DB" in r.err
    assert fleet.sql("SELECT count(*) FROM {s}.settings WHERE key = 'timeout_seconds'") == "0"


def test_the_operator_is_told_of_a_held_message(fleet, site, tmp_path):
    """There is no folder of a database that the program might be in."""
    e, program = fleet.emcli, tmp_path / "tell"
    fill(fleet, site)
    program.write_text(f"#!/bin/sh\ncat >>{tmp_path}/told\n")
    program.chmod(0o755)
    assert e.admin("account", "edit", "work", "--outbound", "approve").rc == 0
    r = e.admin("config", "set", "notify", program)
    assert r.rc == 0, str(r)
    [said] = [x for x in e.admin("doctor", "--json").json["data"]["checks"] if x["check"] == "notify"]
    assert said["ok"], said
    assert fleet.agent("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s",
                       "--body", "b").code == "approval"
    end = time.monotonic() + 20
    while not (tmp_path / "told").exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert '"held"' in (tmp_path / "told").read_text()


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t["table"])
def test_each_table(lasting, table):
    """With the gate's URI in hand: what it may is what the list says, and no more."""
    name = f"{{s}}.{table['table']}"
    columns = lasting.sql("SELECT attname FROM pg_attribute WHERE attrelid = '{s}."
                          + table["table"] + "'::regclass AND attnum > 0").split()
    assert columns
    never = [f"TRUNCATE {name}", f"DROP TABLE {name}", f"ALTER TABLE {name} ADD own int",
             f"ALTER TABLE {name} DISABLE TRIGGER ALL", f"ALTER TABLE {name} OWNER TO guard",
             f"CREATE TRIGGER own BEFORE UPDATE ON {name} FOR EACH ROW EXECUTE FUNCTION {{s}}.given_id()",
             f"CREATE RULE own AS ON INSERT TO {name} DO NOTHING",
             f"CREATE INDEX own ON {name} ({columns[0]})"]
    may = {f"SELECT 1 FROM {name} LIMIT 0": table["reads"],
           f"INSERT INTO {name} DEFAULT VALUES": table["inserts"] != "",
           f"DELETE FROM {name} WHERE false": table["deletes"]}
    # The numbers of rows are the triggers' alone.
    if table["inserts"][:1] == "-":
        may[f"INSERT INTO {name} ({table['inserts'][1:]}) VALUES (7)"] = False
    for c in columns:
        may[f"UPDATE {name} SET {c} = NULL WHERE false"] = c in words(table["updates"])
    got = lasting.states("guard", [*may, *never])
    assert {k for k, v in got.items() if v != DENIED} == {k for k, v in may.items() if v}


def test_a_link_uses_up_no_numbers(lasting):
    """It says its own; after the last number that there is, nobody could write to the store."""
    link = "INSERT INTO {s}.audit_link (seq, audit_id, mark, row, prev, hash) VALUES (%s, 1, '', '', '', '')"
    given = "SELECT coalesce(max(seq), 0) FROM {s}.given WHERE name = 'audit_link'"
    newest = int(lasting.sql(given))
    # Nor does one of another chain begin before its first.
    for n in -1, 0, newest, newest + 2, 10 ** 12, 10 ** 12 + 2, 31 * 10 ** 12, 2 ** 62, 2 ** 63 - 1:
        assert set(lasting.states("guard", [link % n]).values()) == {DENIED}, n
    assert lasting.sql(given) == str(newest)
    assert lasting.emcli.admin("config", "set", "timeout_seconds", "30").rc == 0


def test_the_time_of_a_row_is_the_server_s(fleet, site):
    """An agent's process that says another one would have its rows purged, or listed last."""
    fill(fleet, site)
    row = ("INSERT INTO {s}.audit_log (ts, principal, action, result, reason, state)"
           " VALUES ('2001-01-01T00:00:00Z', 'agent', 'get', 'blocked', 'interrupted', 'asked')")
    before = int(fleet.sql("SELECT max(id) FROM {s}.audit_log"))
    fleet.states("guard", [row])
    chain = "SET emcli.chain = 9; " + row
    fleet.states("guard", [chain])
    times = fleet.sql(f"SELECT ts FROM {{s}}.audit_log WHERE id > {before} ORDER BY id").split()
    assert len(times) == 2 and all(t > "2026-" for t in times), times


def test_what_is_no_table(lasting):
    got = lasting.states("guard", [
        "CREATE TABLE {s}.own (a int)", "CREATE FUNCTION {s}.own() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE SCHEMA own", "CREATE TEMP TABLE own (a int)", "DROP SCHEMA {s} CASCADE", "SELECT {s}.given_id()",
        "ALTER FUNCTION {s}.given_id() RESET ALL", "DROP FUNCTION {s}.least_of(bigint, bigint)",
        f"SET ROLE {group('operator')}", "SET ROLE postgres", "CREATE ROLE own",
        "COMMENT ON SCHEMA {s} IS 'emcli roles: own'", "ALTER DATABASE emcli SET search_path = own"])
    assert set(got.values()) == {DENIED}, got


def test_a_superuser_runs_no_code_of_the_gates(lasting):
    """Up to PostgreSQL 14 everybody may create functions in public, where a superuser's names are looked up."""
    lasting.sql("GRANT CREATE ON SCHEMA public TO PUBLIC")
    try:
        for more in "name", "text", "text, text", "text, text, text":
            lasting.sql(f"CREATE FUNCTION public.format(text, {more}) RETURNS text LANGUAGE plpgsql AS"
                        " $$ BEGIN EXECUTE 'ALTER ROLE guard SUPERUSER'; RETURN 'SELECT 1'; END $$", "guard")
        lasting.give()
        assert lasting.sql("SELECT rolsuper FROM pg_roles WHERE rolname = 'guard'") == "f"
    finally:
        lasting.sql("ALTER ROLE guard NOSUPERUSER; REVOKE CREATE ON SCHEMA public FROM PUBLIC; DROP OWNED BY guard")


def test_the_reader_of_the_audit(lasting):
    """The log, and no more: no mail, no addresses, nothing sealed."""
    read = {f"SELECT 1 FROM {{s}}.{t['table']} LIMIT 0": t["audited"] for t in TABLES}
    got = lasting.states("eye", list(read))
    assert {k for k, v in got.items() if v == "00000"} == {k for k, v in read.items() if v}
    assert sum(read.values()) == 3 and set(got.values()) == {"00000", DENIED}
    got = lasting.states("eye", [f"{x} {{s}}.{t['table']} {y}" for t in TABLES for x, y in (
        ("INSERT INTO", "DEFAULT VALUES"), ("DELETE FROM", "WHERE false"), ("TRUNCATE", ""))])
    assert set(got.values()) == {DENIED}
    assert int(lasting.sql("SELECT count(*) FROM {s}.audit_log", "eye")) >= 0


def test_others_have_nothing(users, server):
    """A login that is in none of the roles cannot connect."""
    server.sql("CREATE ROLE nobody LOGIN")
    with pytest.raises(subprocess.CalledProcessError) as e:
        server.sql("SELECT 1", "nobody")
    assert "permission denied for database" in e.value.stderr
    server.sql("DROP ROLE nobody")


def test_an_older_schema(fleet, site):
    """The gate changes none; it says whose it is to do so."""
    fill(fleet, site)
    newest = fleet.sql("DELETE FROM {s}.migration WHERE version = (SELECT max(version) FROM {s}.migration)"
                       " RETURNING version || ', ''' || checksum || ''', ''' || applied || ''''")
    for argv in ("list", *BOX), ("doctor",):
        r = fleet.agent(*argv)
        assert r.code == "config", str(r)
        said = r.json["error_detail"]
        assert said["message"] == "the database is older than this emcli, and this role may not change it"
        assert "any command by the operator's role" in said["next"]
    fleet.sql(f"INSERT INTO {{s}}.migration VALUES ({newest})")
    assert fleet.agent("list", *BOX).rc == 0


def test_what_is_old_is_purged_by_the_owner(fleet, site):
    fill(fleet, site)
    e = fleet.emcli
    assert e.admin("config", "set", "audit_retention_days", "30").rc == 0
    assert fleet.agent("list", *BOX).rc == 0
    fleet.sql("UPDATE {s}.audit_log SET ts = '2001-01-01T00:00:00Z' WHERE id = 1")
    assert fleet.agent("list", *BOX).rc == 0
    assert fleet.sql("SELECT min(id) FROM {s}.audit_log") == "1"
    assert e.admin("account", "list").rc == 0
    assert fleet.sql("SELECT min(id) FROM {s}.audit_log") != "1"


@pytest.mark.parametrize("schema", ["Odd", 'a"b', "a'b", "a b", "a$emcli$b", "a\\b"])
def test_a_schema_of_any_name(tmp_path, server, users, schema):
    """emcli takes plain ones, and the SQL any."""
    e = cli.Emcli(tmp_path / "emcli")
    sql = e.run("store", "roles", env={"EMCLI_DB": server.uri}).out.decode()
    quoted, name = schema.replace("'", "''"), schema.replace('"', '""')
    server.sql(f'CREATE SCHEMA "{name}"; CREATE TABLE "{name}".outbox (id bigint, state text);'
               f' CREATE TABLE "{name}".other (a int)')
    for _ in range(2):
        server.sql(sql.replace("SET LOCAL emcli.schema = 'emcli';", f"SET LOCAL emcli.schema = '{quoted}';"))
    # fake/postgres has roles of this prefix.
    assert server.sql(f"""SELECT has_table_privilege('emcli_gate', '"{name.replace("'", "''")}".outbox', 'SELECT'),
                      has_any_column_privilege('emcli_gate', '"{name.replace("'", "''")}".other', 'SELECT')""") == "t|f"
    server.sql(f'DROP SCHEMA "{name}" CASCADE')


def test_it_needs_no_database_and_no_key(tmp_path):
    e = cli.Emcli(tmp_path / "emcli")
    none = {"EMCLI_KEY": None, "EMCLI_DB": "postgresql:///none?host=/nowhere&schema=other"}
    r = e.run("store", "roles", env=none)
    assert r.rc == 0 and b"\nSET LOCAL emcli.schema = 'other';\n" in r.out and r.err == b""
    r = e.run("store", "roles", env={**none, "EMCLI_DB": "postgresql:///none?schema=Other"})
    assert r.rc != 0 and b"the schema in EMCLI_DB" in r.err + r.out
    assert e.run("store", "roles", "--prefix", "pg_x", env=none).rc == 2
