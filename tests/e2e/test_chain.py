# SPDX-License-Identifier: Apache-2.0
"""The audit log shows that it was touched: every field, every row, either end.
So do the operator's rows."""
import base64
import ctypes
import datetime
import hashlib
import hmac
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess

import pytest

import cli
from conftest import Site
from mail import message

BOX = ("--account", "work", "--folder", "INBOX")
COLUMNS = ("ts", "principal", "account", "action", "target", "result", "reason",
           "outcome", "detail", "state")


def delivered(site):
    site.deliver("agent", message())
    site.deliver("agent", message(sender="x@evil.example"))


def scene(emcli, site):
    """Signed rows, then some that are not yet: allowed, refused, hidden."""
    emcli.account_maildir(site.path, process_backlog=True, whitelist_in="on")
    emcli.whitelist("in", "@lab.example")
    delivered(site)
    calls(emcli)
    assert verify(emcli)["whole"]
    calls(emcli)
    return emcli


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return tmp_path_factory.mktemp("played") / "store"


@pytest.fixture
def work(emcli, site, played):
    """The scene, played once; the store knows the mail by the names of its files."""
    if not played.exists():
        scene(emcli, site)
        shutil.copytree(emcli.db.parent, played)
        return emcli
    delivered(site)
    shutil.rmtree(emcli.db.parent)
    shutil.copytree(played, emcli.db.parent)
    return emcli


def calls(emcli):
    emcli.run("list", *BOX)
    emcli.run("get", *BOX, "--uid", "2")
    emcli.run("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s",
              "--body", "b", "--attach", "/etc/passwd")
    emcli.run("list", *BOX, "--limit", "0")


def verify(emcli):
    r = emcli.admin("audit", "verify", "--json")
    told = json.loads(r.out)
    assert (r.rc == 0) == told["whole"], str(r)
    if not told["whole"]:
        assert told["why"].encode() in r.err
    return told


def sql(emcli, *statements):
    db = sqlite3.connect(emcli.db, timeout=10)
    with db:
        got = [db.execute(*s) if isinstance(s, tuple) else db.execute(s)
               for s in statements][-1].fetchall()
    db.close()
    return got


class Kept:
    """The store as it was, to be put back before each attempt."""

    def __init__(self, folder):
        self.emcli, self.saved = cli.Emcli(folder / "emcli"), folder / "saved"
        self.emcli.init()
        site = Site(folder / "site")
        site.box("agent")
        scene(self.emcli, site)
        sql(self.emcli, "PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copytree(self.emcli.db.parent, self.saved)
        self.before = self.dump()

    def put_back(self):
        shutil.rmtree(self.emcli.db.parent)
        shutil.copytree(self.saved, self.emcli.db.parent)

    def tampered(self, *statements):
        self.put_back()
        sql(self.emcli, *statements)
        assert self.dump() != self.before, statements
        return verify(self.emcli)

    def dump(self):
        return [sql(self.emcli, f"SELECT *, rowid FROM {t}") for t in
                ("audit_log", "audit_link", "audit_checkpoint")]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return Kept(tmp_path_factory.mktemp("chain"))


@pytest.fixture
def kept(saved):
    saved.put_back()
    assert saved.dump() == saved.before
    return saved


def test_a_log_that_was_left_alone_is_whole(work):
    told = verify(work)
    assert told["whole"] and told["broken_row"] is None
    assert told["rows"] == told["last_row"] - told["first_row"] + 1 > 8
    assert told["links"] > 2 * told["rows"]
    assert told["rows_since"] == 0 and told["signatures"] > 2
    r = work.admin("audit", "verify")
    assert r.rc == 0 and b"the audit log is intact" in r.out
    assert r.err == b""


@pytest.mark.parametrize("table, key, columns", [
    ("audit_log", "id", COLUMNS),
    ("audit_link", "seq", ("mark", "row", "prev", "hash")),
    ("audit_checkpoint", "n", ("seq", "hash", "audit_id", "ts", "days", "taken", "mac"))])
def test_a_field_and_a_row(kept, table, key, columns):
    """One of each; each way of each of them is in tests/unit/store/chain_fields.c."""
    its = "id" if table == "audit_log" else "audit_id"
    rows = sql(kept.emcli, f"SELECT {key}, {its}, {', '.join(columns)} FROM {table}")
    number, row, *values = rows[len(rows) // 2]
    for column, value in zip(columns, values):
        other = {"result": "blocked" if value == "allowed" else "allowed",
                 "state": "asked" if value != "asked" else "done"}.get(column, value + 1 if isinstance(value, int) else f"{value}x")
        told = kept.tampered((f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (other, number)))
        assert not told["whole"], (column, value, other)
        assert table == "audit_checkpoint" or told["broken_row"] == row, (column, value, other)
    told = kept.tampered((f"DELETE FROM {table} WHERE {key} = ?", (number,)))
    assert not told["whole"] and told["broken_row"] in {
        "audit_log": (row,), "audit_link": (row, row + 1)}.get(table, range(row + 99))


def test_both_ends_cut_off(kept):
    last = sql(kept.emcli, "SELECT max(id) FROM audit_log")[0][0]
    told = kept.tampered(
        ("DELETE FROM audit_log WHERE id > ?", (last - 3,)),
        ("DELETE FROM audit_link WHERE audit_id > ?", (last - 3,)))
    assert told["broken_row"] == last - 2 and "cut off" in told["why"]
    # Also by somebody who knows of the counters; the signature tells.
    signed = sql(kept.emcli, "SELECT max(audit_id) FROM audit_checkpoint")[0][0]
    told = kept.tampered(
        ("DELETE FROM audit_log WHERE id >= ?", (signed,)),
        ("DELETE FROM audit_link WHERE audit_id >= ?", (signed,)),
        "UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM audit_log)"
        " WHERE name = 'audit_log'",
        "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM audit_link)"
        " WHERE name = 'audit_link'")
    assert told["broken_row"] == signed and "cut off" in told["why"]
    # The beginning, as a purge would: but it is too early for one.
    told = kept.tampered(
        "DELETE FROM audit_log WHERE id <= 3",
        "DELETE FROM audit_link WHERE seq < (SELECT min(seq) FROM audit_link"
        " WHERE audit_id > 3)")
    assert "before their time" in told["why"] and told["broken_row"] <= 3
    told = kept.tampered("DELETE FROM audit_log", "DELETE FROM audit_link")
    assert not told["whole"]


def test_what_is_swapped_and_put_in(kept):
    told = kept.tampered(
        "UPDATE audit_log SET id = -1 WHERE id = 4", "UPDATE audit_log SET id = 4 WHERE id = 6",
        "UPDATE audit_log SET id = 6 WHERE id = -1")
    assert told["broken_row"] == 4
    told = kept.tampered(
        "UPDATE audit_link SET seq = -1 WHERE seq = 4",
        "UPDATE audit_link SET seq = 4 WHERE seq = 6",
        "UPDATE audit_link SET seq = 6 WHERE seq = -1")
    assert not told["whole"] and told["broken_row"] > 0
    copy = ("INSERT INTO audit_log (%sts, principal, action, result, state)"
            " VALUES (%sstrftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'), 'agent', 'list',"
            " 'allowed', 'done')")
    last = sql(kept.emcli, "SELECT max(id) FROM audit_log")[0][0]
    assert kept.tampered(copy % ("", ""))["broken_row"] == last + 1
    assert kept.tampered(copy % ("id, ", "-3, "))["broken_row"] == -3


# -- somebody who knows how it is made, but has no key


def text(*values):
    return b"".join(b"-," if v is None else b"%d:%s," % (len(b), b)
                    for v in values
                    for b in [b"" if v is None else str(v).encode()])


def sha(*values):
    return hashlib.sha256(text(*values)).hexdigest()


def link(emcli, id_, mark):
    """SQL for a right link over a row as it is now."""
    row = sql(emcli, (f"SELECT id, {', '.join(COLUMNS)} FROM audit_log WHERE id = ?", (id_,)))[0]
    seq, prev = sql(emcli, "SELECT seq, hash FROM audit_link ORDER BY seq DESC LIMIT 1")[0]
    new = (seq + 1, id_, mark, sha(*row), prev)
    sql(emcli, ("INSERT INTO audit_link VALUES (?,?,?,?,?,?)", (*new, sha(*new))))


@pytest.mark.parametrize("change", ["target = 'nothing'", "detail = 'nothing'",
                                    "outcome = 'network'"])
def test_a_change_with_a_right_link_behind_it(work, change):
    sql(work, f"UPDATE audit_log SET {change} WHERE id = 5")
    link(work, 5, "done")
    assert verify(work)["broken_row"] == 5


def test_an_open_row_is_changed_and_then_closed(work):
    sql(work, "CREATE TRIGGER stop BEFORE UPDATE ON audit_log WHEN NEW.state = 'done'"
              " BEGIN SELECT RAISE(ABORT, 'no'); END")
    work.run("list", *BOX)
    sql(work, "DROP TRIGGER stop")
    assert verify(work)["whole"]
    (id_, state), = sql(work, "SELECT id, state FROM audit_log ORDER BY id DESC LIMIT 1")
    assert state == "judged"
    sql(work, ("UPDATE audit_log SET target = 'Other', state = 'done', outcome = 'ok'"
               " WHERE id = ?", (id_,)))
    link(work, id_, "done")
    assert verify(work)["broken_row"] == id_


def test_all_of_it_made_anew(work):
    """Every hash is right again; the signatures are not."""
    sql(work, "UPDATE audit_log SET target = 'nothing' WHERE id = 5")
    links = sql(work, "SELECT seq, audit_id, mark FROM audit_link ORDER BY seq")
    rows = {r[0]: r for r in sql(work, f"SELECT id, {', '.join(COLUMNS)} FROM audit_log")}
    was = dict(sql(work, "SELECT seq, row FROM audit_link"))
    prev = "0" * 64
    for seq, id_, mark in links:
        row = was[seq]
        if id_ == 5:
            r = list(rows[5])
            if mark != "done":
                r[8:10], r[10] = [None, None], mark
                r[6:8] = ["blocked", "interrupted"] if mark == "asked" else ["allowed", None]
            row = sha(*r)
        new = (row, prev, sha(seq, id_, mark, row, prev))
        sql(work, ("UPDATE audit_link SET row = ?, prev = ?, hash = ? WHERE seq = ?", (*new, seq)))
        prev = new[2]
    told = verify(work)
    assert not told["whole"] and "sign" in told["why"]


def test_a_broken_log_is_not_signed_and_every_command_says_so(work):
    signed = verify(work)["signatures"]
    sql(work, "UPDATE audit_log SET action = 'get' WHERE id = 3")
    sql(work, "DELETE FROM audit_link WHERE seq = (SELECT max(seq) FROM audit_link)")
    r = work.admin("account", "list")
    assert r.rc == 0 and b"work" in r.out
    assert b"tampered with" in r.err and b"emcli audit verify" in r.err
    assert verify(work)["signatures"] == signed


# -- what nobody but the operator can have done


def test_the_signed_past_is_not_made_older_than_the_chain(work):
    """A changed row, and nothing left that would tell."""
    sql(work, "UPDATE audit_log SET target = 'nothing' WHERE id = 5", *UNCHAINED)
    for _ in range(2):
        r = work.admin("account", "list")
        assert r.rc == 0 and b"tampered with" in r.err
        told = verify(work)
        assert not told["whole"] and told["signatures"] == 0


def test_signatures_cut_off_and_the_rest_linked_again(work):
    """Back to the first signature, which was over nothing."""
    sql(work, "UPDATE audit_log SET target = 'nothing' WHERE id = 5",
        "DELETE FROM audit_checkpoint WHERE n > 1",
        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'audit_checkpoint'")
    was = sql(work, "SELECT audit_id, mark FROM audit_link ORDER BY seq")
    row = f"SELECT id, {', '.join(COLUMNS)} FROM audit_log WHERE id = ?"
    sql(work, "DELETE FROM audit_link")
    prev = "0" * 64
    for seq, (id_, mark) in enumerate(was, 1):
        r = list(sql(work, (row, (id_,)))[0])
        if mark != "done":
            r[8:10], r[10] = [None, None], mark
            allowed = r[6] == "allowed" and mark == "judged"
            if mark == "asked" or allowed:
                r[6:8] = ["allowed", None] if allowed else ["blocked", "interrupted"]
        new = (seq, id_, mark, sha(*r), prev)
        prev = sha(*new)
        sql(work, ("INSERT INTO audit_link VALUES (?,?,?,?,?,?)", (*new, prev)))
    told = verify(work)
    assert not told["whole"] and "cut off" in told["why"]
    assert b"tampered with" in work.admin("account", "list").err


EDITS = [
    ("UPDATE accounts SET whitelist_in_enabled = 0", "account work",
     "whitelist_in_enabled was 1 and is 0"),
    ("INSERT INTO whitelist_out VALUES (1, 'eve@evil.example')",
     "whitelist out of work: eve@evil.example", "was added"),
    ("DELETE FROM whitelist_in", "whitelist in of work: @lab.example", "was removed"),
    ("UPDATE accounts SET path = '/etc\x1b[2J'", "account work", "path was "),
    ("INSERT INTO settings VALUES ('mcp_approve', 'client')", "setting mcp_approve",
     "was added"),
    ("DELETE FROM signed", "accounts, policy and settings", "signature is missing"),
    ("CREATE VIEW more AS SELECT 1", "schema: view more", "was added"),
]


@pytest.mark.parametrize("statement, where, what", EDITS)
def test_an_edit_that_bypassed_emcli_is_named(work, statement, where, what):
    sql(work, statement)
    r = work.admin("audit", "verify", "--json")
    told = json.loads(r.out)
    assert r.rc == 1 and told["edits"][0]["where"] == where, str(r)
    assert what in told["edits"][0]["what"] and len(told["edits"]) == 1
    assert b"\x1b" not in work.admin("audit", "verify").out
    if not where.startswith("schema"):
        assert b"changed without emcli" in work.admin("account", "list").err
        doctor = work.admin("doctor")
        line = [x for x in doctor.json["data"]["checks"] if x["check"] == "signed"]
        assert doctor.rc == 1 and not line[0]["ok"] and where in line[0]["message"]
    # What the operator does beside it does not make it the operator's.
    assert work.admin("whitelist", "in", "add", "--account", "work", "bob@x.example").rc == 0
    assert work.admin("audit", "verify").rc == 1


def test_an_edit_is_mended_or_accepted(work):
    assert b"nothing to accept" in work.admin("audit", "accept").out
    sql(work, "UPDATE accounts SET mode = 'RO'",
        "INSERT INTO whitelist_out VALUES (1, 'eve@evil.example')")
    r = work.admin("audit", "accept")
    assert b"mode was RW and is RO" in r.out and b"audit accept --yes" in r.out
    assert work.admin("account", "edit", "work", "--mode", "RW").rc == 0
    r = work.admin("audit", "verify")
    assert r.rc == 1 and b"mode" not in r.out and b"eve@evil.example: was added" in r.out
    assert work.admin("audit", "accept", "--yes").rc == 0
    r = work.admin("audit", "verify")
    assert r.rc == 0 and b"as emcli wrote them" in r.out
    row, = sql(work, "SELECT detail FROM audit_log WHERE action = 'audit.accept'"
                     " ORDER BY id DESC LIMIT 1")
    assert row[0] == "1 changes made without emcli were accepted"
    assert work.run("audit", "accept", "--yes").rc == 1


# -- purging, keys, older stores


def age(emcli, days, upto):
    """A store whose first rows are that old, and its chain with them."""
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
    sql(emcli, ("UPDATE audit_log SET ts = ? WHERE id <= ?",
                (at.strftime("%Y-%m-%dT%H:%M:%SZ"), upto)))
    anew(emcli)


UNCHAINED = ("DELETE FROM audit_checkpoint", "DELETE FROM audit_link",
             "DELETE FROM sqlite_sequence WHERE name IN ('audit_link', 'audit_checkpoint')")


class Gcm:
    """AES-256-GCM as a store's slots have it: nonce, ciphertext, tag."""

    def __init__(self, key):
        self.key, self.lib = key, ctypes.CDLL("libcrypto.so.3")
        for name in "EVP_CIPHER_CTX_new", "EVP_aes_256_gcm":
            getattr(self.lib, name).restype = ctypes.c_void_p

    def run(self, opening, nonce, where, text, tag):
        lib, n, out = self.lib, ctypes.c_int(), ctypes.create_string_buffer(len(text) + 16)
        c = ctypes.c_void_p(lib.EVP_CIPHER_CTX_new())
        kind = "Decrypt" if opening else "Encrypt"
        init, update, final = (getattr(lib, f"EVP_{kind}{x}") for x in
                               ("Init_ex", "Update", "Final_ex"))
        assert init(c, ctypes.c_void_p(lib.EVP_aes_256_gcm()), None, self.key, nonce) == 1
        assert update(c, None, ctypes.byref(n), where, len(where)) == 1
        assert update(c, out, ctypes.byref(n), text, len(text)) == 1
        buf = ctypes.create_string_buffer(tag, 16)
        if opening:
            assert lib.EVP_CIPHER_CTX_ctrl(c, 0x11, 16, buf) == 1
        rest = ctypes.create_string_buffer(16)
        done = final(c, rest, ctypes.byref(n)) == 1
        if not opening:
            assert lib.EVP_CIPHER_CTX_ctrl(c, 0x10, 16, buf) == 1
        lib.EVP_CIPHER_CTX_free(c)
        return done, out.raw[:len(text)], buf.raw


def anew(emcli):
    """The store as an emcli left it that knew neither chain nor signed rows."""
    gcm = Gcm(base64.b64decode(emcli.admin_key))
    sealed = base64.b64decode(sql(
        emcli, "SELECT value FROM settings WHERE key = 'dek_wrap_admin'")[0][0])
    where = b"settings/dek_wrap_admin"
    good, dek, _ = gcm.run(True, sealed[:12], where + b" signed", sealed[12:-16], sealed[-16:])
    assert good
    good, text, tag = gcm.run(False, sealed[:12], where, dek, b"")
    slot = base64.b64encode(sealed[:12] + text + tag).decode()
    sql(emcli, *UNCHAINED, "DELETE FROM signed",
        ("UPDATE settings SET value = ? WHERE key = 'dek_wrap_admin'", (slot,)))


def test_a_store_older_than_the_chain_is_taken_over_once(work):
    anew(work)
    assert work.run("list", *BOX).rc == 0
    r = work.admin("account", "list")
    assert b"older than signatures" in r.err and b"1 accounts, 1 whitelist entries" in r.err
    assert b"older than" not in work.admin("account", "list").err
    told = verify(work)
    assert told["whole"] and told["signatures"] == 1
    # From then on nothing comes in this way.
    sql(work, "INSERT INTO audit_log (id, ts, principal, action, result, state) VALUES"
              " (-1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'agent', 'list', 'allowed',"
              " 'done')")
    assert not verify(work)["whole"]


def test_taking_over_is_told_by_init_and_recorded_by_freeze(work):
    anew(work)
    r = work.admin("init", "--yes")
    assert b"older than signatures" in r.err and b"1 accounts, 1 whitelist entries" in r.err
    anew(work)
    assert work.admin("freeze", "--why", "x").rc == 0
    assert len(sql(work, "SELECT 1 FROM audit_log WHERE action = 'database' AND"
                         " detail LIKE '%1 accounts, 1 whitelist entries%'")) == 2
    assert verify(work)["whole"]


def test_what_a_purge_leaves_still_verifies(work):
    age(work, 100, 4)
    assert work.run("list", *BOX).rc == 0
    told = verify(work)
    assert told["whole"] and told["first_row"] == 5
    sql(work, "UPDATE audit_log SET target = 'x' WHERE id = 6")
    assert verify(work)["broken_row"] == 6


def test_rows_kept_for_a_shorter_time_by_somebody_else(work):
    sql(work, "UPDATE settings SET value = '1' WHERE key = 'audit_retention_days'")
    told = verify(work)
    assert not told["whole"] and "audit_retention_days" in told["why"]
    sql(work, "UPDATE settings SET value = '90' WHERE key = 'audit_retention_days'")
    assert verify(work)["whole"]
    for days in "3", "0", "90":
        assert work.admin("config", "set", "audit_retention_days", days).rc == 0
        assert verify(work)["whole"]


def test_another_admin_key_signs_what_the_old_one_signed(work):
    new = cli.key()
    before = verify(work)["signatures"]
    assert work.admin("key", "rotate", "--admin", env={"EMCLI_NEW_KEY": new}).rc == 0
    work.admin_key = new
    told = verify(work)
    assert told["whole"] and told["signatures"] >= before
    assert work.admin("key", "rewrap", "--dek").rc == 0
    assert verify(work)["whole"]


def test_a_forged_signature_does_not_become_one_by_another_key(work):
    sql(work, "UPDATE audit_checkpoint SET ts = '2026-06-21T10:00:00Z' WHERE n = 2")
    new = cli.key()
    assert work.admin("key", "rotate", "--admin", env={"EMCLI_NEW_KEY": new}).rc == 0
    work.admin_key = new
    assert not verify(work)["whole"]


def test_many_at_once_make_one_chain(work):
    argv, env = work.command(["list", *BOX], work.environment(EMCLI_KEY=work.agent_key))
    at_once = [subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL) for _ in range(24)]
    for _ in range(4):
        assert verify(work)["whole"]
    assert [p.wait() for p in at_once] == [0] * 24
    assert verify(work)["whole"]


# -- what leaves the store


def check(lines, admin_key=None):
    """The recipe of emcli(1), by somebody who has only the export."""
    rows = {x["row"]["id"]: x["row"] for x in lines if "row" in x}
    links = [x["link"] for x in lines if "link" in x]
    points = [x["checkpoint"] for x in lines if "checkpoint" in x]
    for before, this in zip(links, links[1:]):
        assert this["seq"] == before["seq"] + 1 and this["prev"] == before["hash"]
    if links and links[0]["seq"] == 1:
        assert links[0]["prev"] == "0" * 64
    newest = {}
    for x in links:
        assert x["hash"] == sha(x["seq"], x["audit_id"], x["mark"], x["row"], x["prev"])
        newest[x["audit_id"]] = x
    for id_, row in rows.items():
        assert newest[id_]["row"] == sha(id_, *(row[c] for c in COLUMNS))
        assert newest[id_]["mark"] == row["state"]
    hashes = {x["seq"]: x["hash"] for x in links}
    for p in points:
        assert hashes.get(p["seq"], "0" * 64) == p["hash"]
        if admin_key:
            prk = hmac.new(b"\0" * 32, base64.b64decode(admin_key), "sha256").digest()
            key = hmac.new(prk, b"emcli audit\1", "sha256").digest()
            said = text(*(p[c] for c in ("n", "seq", "hash", "audit_id", "ts", "days", "taken")))
            assert p["mac"] == hmac.new(key, said, "sha256").hexdigest()
    return rows, links, points


def export(emcli, *more):
    r = emcli.admin("audit", "export", *more)
    assert r.rc == 0, str(r)
    return [json.loads(x) for x in r.out.decode().split("\n")[:-1]]


def test_others_can_verify_an_export(work):
    work.run("list", "--account", "work", "--folder", "Gr\u00fc\u00dfe \"x\" \u65e5\u672c")
    work.run("list", "--account", "work", "--folder", b"\xff\xfe no utf-8")
    rows, links, points = check(export(work), work.admin_key)
    told = verify(work)
    assert (len(rows), len(links)) == (told["rows"], told["links"]) and len(points) > 2
    lines = export(work)
    for x in lines:
        if "row" in x and x["row"]["id"] == 5:
            x["row"]["target"] = "nothing"
    with pytest.raises(AssertionError):
        check(lines)


def test_part_of_an_export_verifies_too(work):
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    rows, _, _ = check(export(work, "--since", today), work.admin_key)
    assert len(rows) == verify(work)["rows"]
    assert export(work, "--before", today) == []
    age(work, 5, 4)
    assert verify(work)["whole"]
    rows, links, _ = check(export(work, "--before", today))
    assert set(rows) == {1, 2, 3, 4} and links


def test_an_export_that_cannot_be_written_fails(work):
    env = work.environment(EMCLI_ADMIN_KEY=work.admin_key)
    with open("/dev/full", "wb") as full:
        r = subprocess.run([work.binary, "audit", "export"], env=env, stdout=full,
                           stderr=subprocess.PIPE)
    assert r.returncode != 0 and b"standard output" in r.stderr


SYSLOG = """
import os, socket, subprocess, sys
folder, argv = sys.argv[1], sys.argv[2:]
subprocess.run(["/usr/bin/mount", "-t", "tmpfs", "tmpfs", "/dev/shm"], check=True)
os.mknod("/dev/shm/null", 0o666 | 0o020000, os.makedev(1, 3))
os.mknod("/dev/shm/urandom", 0o666 | 0o020000, os.makedev(1, 9))
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("/dev/shm/log")
subprocess.run(["/usr/bin/mount", "--move", "/dev/shm", "/dev"], check=True)
rc = subprocess.run(argv, stdin=0).returncode
s.setblocking(False)
try:
    while True:
        sys.stderr.write("SYSLOG " + s.recv(65536).decode() + "\\n")
except BlockingIOError:
    pass
sys.exit(rc)
"""


def with_syslog(emcli, admin, *argv):
    keys = {"EMCLI_KEY": emcli.agent_key}
    if admin:
        keys["EMCLI_ADMIN_KEY"] = emcli.admin_key
    r = subprocess.run(["/usr/bin/unshare", "-m", "/usr/bin/python3", "-c", SYSLOG,
                        str(emcli.folder), emcli.binary, *argv],
                       env=emcli.environment(**keys), capture_output=True, timeout=60)
    lines = [x[7:] for x in r.stderr.decode().split("\n") if x.startswith("SYSLOG ")]
    return r, lines


def test_rows_are_copied_to_syslog_when_asked(work):
    assert work.admin("config", "set", "audit_syslog", "maybe").rc == 2
    _, lines = with_syslog(work, False, "list", *BOX)
    assert lines == []
    assert work.admin("config", "set", "audit_syslog", "on").rc == 0
    assert work.admin("config", "get", "audit_syslog").out == b"on\n"
    r, lines = with_syslog(work, False, "list", *BOX)
    assert r.returncode == 0, r.stderr
    (line,) = lines
    head, _, body = line.partition("{")
    assert head.startswith("<86>") and "emcli[" in head  # authpriv.info
    said = json.loads("{" + body)
    assert (said["action"], said["result"], said["outcome"]) == ("list", "allowed", "ok")
    # It says what the chain will be held to.
    assert sql(work, ("SELECT hash, audit_id FROM audit_link WHERE seq = ?",
                      (said["seq"],))) == [(said["hash"], said["id"])]
    _, lines = with_syslog(work, True, "config", "set", "audit_syslog", "off")
    assert lines == []
    assert verify(work)["whole"]


def test_every_command_that_changes_policy_is_in_the_log(work):
    """From the operations themselves: what changes, and is not there, is forgotten."""
    looks, ops = set(), 0
    for path in sorted((pathlib.Path(cli.ROOT) / "src/desk").glob("*.c")):
        for op in re.findall(r"^const struct op \w+ = (?:\{|[A-Z]+\()(.*?)^(?:\};|.*\);)$",
                             path.read_text(), re.M | re.S):
            ops += 1
            if not re.search(r"NEED_(RECORD|FILES)", op):
                looks |= set(re.findall(r'\.name = "([a-z ]+)"', op)) or {path.stem}
    assert ops > 40
    # init makes the log, and writes the row of `account add` into it; freeze,
    # which needs no key, store restore, which replaces the store, and store copy, whose copy is of
    # before it, write their own; homes are files, which need no key.
    assert looks <= {
        "key generate", "account show", "account list", "account providers", "account export",
        "policy export", "config get",
        "config list", "audit list", "audit verify", "audit export", "changes list", "changes show", "outbox list",
        "outbox show", "approve list", "approve show", "canary list", "source list",
        "source explain", "source probe", "agent list", "issuer show", "model list", "skill list",
        "skill show",
        "skill validate", "skill cost", "whitelist in list", "whitelist out list", "init", "freeze",
        "home build", "home list", "home show", "mailbox accounts", "mailbox messages",
        "mailbox status", "gateway status", "gateway notifier status", "gateway run",
        "session hook", "session pane", "serve", "serve install", "serve status", "health",
        "store check", "store copy", "store info", "store restore", "store roles"}
