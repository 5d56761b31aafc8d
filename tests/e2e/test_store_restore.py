# SPDX-License-Identifier: Apache-2.0
"""emcli store restore: the operator's part of a copy, and all that happened since."""

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import threading

import pytest

import cli
import killsteps
import servers
from mail import message
from smtpd import Smtpd
from test_chain import anew
from test_crash import killed, steps
from test_mcp import MODERN, Host
from test_store_life import backup, check, drafts, make_older, sql, torn, work  # noqa: F401

F_OFD_SETLK = 37

BOX = ("--account", "work", "--folder", "INBOX")
SEND = ("send", "--account", "work", "--to", servers.address("bob"), "--subject", "s", "--body", "text")


def restore(emcli, copy=None, **env):
    return emcli.admin("store", "restore", str(copy or emcli.copy), "--json", env=env)


def restored(emcli, copy=None):
    r = restore(emcli, copy)
    assert r.rc == 0, str(r)
    return r.json


def accounts(emcli):
    return [a["name"] for a in emcli.admin("account", "list", "--json").json["accounts"]]


def beside(emcli):
    return sorted(p.name for p in emcli.db.parent.iterdir()
                  if ".before-" in p.name or ".new." in p.name)


def links(emcli, db=None):
    out = emcli.admin("audit", "export", env={"EMCLI_DB": str(db)} if db else {}).out
    lines = [json.loads(line) for line in out.splitlines()]
    return {(x["link"]["seq"], x["link"]["hash"]) for x in lines if "link" in x}


def subjects_of(raws):
    return [re.search(rb"^Subject: (.*?)\r?$", raw, re.M)[1].decode() for raw in raws]


def verified(emcli):
    r = emcli.admin("audit", "verify", "--json")
    assert r.rc == 0 and r.json["whole"] and r.json["edits"] == [], str(r)
    assert check(emcli).rc == 0
    return r.json["restored"]


def waits_for(process, name):
    """Until it has the file open: nothing else is done before its lock is there."""
    fds = pathlib.Path(f"/proc/{process.pid}/fd")
    while process.poll() is None:
        with contextlib.suppress(OSError):
            if any(os.readlink(fd) == name for fd in fds.iterdir()):
                return


def frozen(r):
    return r.json["error_detail"] is not None and r.json["error_detail"]["reason"] == "frozen"


# -- what is the copy's, and what stays


def test_policy_is_the_copy_s_and_what_happened_stays(work, site):  # noqa: F811
    work.set_up("agent", "add", "gone")
    work.set_up("canary", "add", "swordfish-1")
    assert work.run("ack", *BOX, "--uid", "1").rc == 0
    assert backup(work).rc == 0
    assert work.run("ack", *BOX, "--uid", "2").rc == 0
    first = work.run(*SEND, "--idempotency-key", "k").data
    assert first["state"] == "sent" and len(site.messages("bob")) == 1
    work.set_up("agent", "remove", "gone")
    work.set_up("canary", "add", "swordfish-2")
    work.set_up("account", "edit", "work", "--mode", "RO")
    assert work.admin("freeze", "--agent", "thief", env={"EMCLI_ADMIN_KEY": None}).rc == 0
    anchors = links(work)
    # A host that runs goes on with what is there then.
    host = Host(work, "--always", revision=MODERN)
    assert host.call("list", account="work", folder="INBOX")["error"] is False
    done = restored(work)
    assert done["sha256"] == hashlib.sha256(work.copy.read_bytes()).hexdigest()
    assert done["log_stays"] and done["freezes"] == 1 and done["unknown"] == 0 and done["keys"] == []
    # At the broker's level an agent has a user of the machine, too.
    edits = {x["where"]: x["what"] for x in done["edits"] if "user" not in x["where"]}
    assert edits == {"account work": "mode was RO and is RW", "agent gone": "was added",
                     "canary swordfish-2": "was removed"}
    # Nobody does anything until the operator has looked; the thief not then either.
    assert frozen(work.run("list", *BOX))
    assert host.call("list", account="work", folder="INBOX")["error_detail"]["reason"] == "frozen"
    shown = work.admin("thaw", "--json").json["frozen"]
    assert ["thief" in x["who"] for x in shown] == [True]
    assert host.call("list", account="work", folder="INBOX")["error"] is False
    host.end()
    # What an agent has dealt with is not new again, and what was sent is not sent again.
    assert {m["uid"] for m in work.run("list", *BOX, "--new").data["messages"]} == {3}
    again = work.run(*SEND, "--idempotency-key", "k").data
    assert (again["state"], again["id"]) == ("sent", first["id"]) and len(site.messages("bob")) == 1
    assert work.run(*SEND).data["id"] > first["id"]
    # The log goes on: whoever holds a link of before finds it.
    said, = verified(work)
    assert done["sha256"] in said and "the audit log goes on after link" in said
    assert anchors <= links(work)
    log = work.admin("audit", "list", "--action", "store.restore", "--json").json["audit"]
    assert [(r["principal"], r["target"], r["outcome"]) for r in log] == [
        ("operator", str(work.copy), "ok")]
    assert beside(work) == [pathlib.Path(done["before"]).name]


def test_verify_prints_the_operator_s_restores(work):  # noqa: F811
    assert backup(work).rc == 0
    restored(work)
    assert work.admin("audit", "verify", "--json").json["more_restored"] is False
    sql(work.db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 25)"
                 " INSERT INTO audit_log (ts, principal, action, result, outcome, detail, state)"
                 " SELECT '2099-11-27T08:00:00Z', iif(i = 25, 'agent', 'operator'), 'store.restore',"
                 " 'allowed', 'ok', 'row ' || i, 'done' FROM n")
    r = work.admin("audit", "verify", "--json")
    assert r.rc != 0 and r.json["more_restored"]
    assert r.json["restored"] == [f"2099-11-27T08:00:00Z: row {i}" for i in range(24, 4, -1)]


def test_a_restore_can_be_undone(work):  # noqa: F811
    assert backup(work).rc == 0
    work.set_up("account", "edit", "work", "--rename", "other")
    before = restored(work)["before"]
    assert accounts(work) == ["work"]
    assert os.stat(before).st_mode & 0o777 == 0o600
    assert restored(work, before)["log_stays"] and accounts(work) == ["other"]
    assert len(verified(work)) == 2
    # Both open with the keys of then, and a change of keys says so.
    r = work.admin("key", "rotate", "--agent", env={"EMCLI_NEW_KEY": cli.key()})
    assert r.rc == 0 and r.err.count(b".before-restore-") == 2


def test_an_account_that_was_made_again_sends_nothing_twice(work, site):  # noqa: F811
    assert work.run("list", *BOX).rc == 0 and backup(work).rc == 0
    assert work.admin("account", "remove", "work", "--yes").rc == 0
    work.account_maildir(site.path, process_backlog=True, check_unfinished="off", whitelist_out="off")
    first = work.run(*SEND, "--idempotency-key", "k").data
    work.set_up("account", "edit", "work", "--outbound", "approve")
    held = work.run(*SEND, "--idempotency-key", "h").json["error_detail"]["id"]
    work.account_maildir(site.path, name="two", process_backlog=True, check_unfinished="off",
                         whitelist_out="off", outbound="approve")
    there = work.run("send", "--account", "two", *SEND[3:]).json["error_detail"]["id"]
    digests = {n: work.admin("approve", "show", str(n), "--json").json["digest"] for n in (held, there)}
    done = restored(work)
    assert done["left"] == 1 and done["unknown"] == 0
    work.set_up("thaw")
    again = work.run(*SEND, "--idempotency-key", "k").data
    assert (again["state"], again["id"]) == ("sent", first["id"]) and len(site.messages("bob")) == 1
    # Nobody approved it for the mailbox that it would leave through now.
    assert work.admin("approve", "list", "--json").json["held"] == []
    assert work.admin("approve", "release", str(held), "--digest", digests[held]).rc != 0
    # As it was: nothing happened since.
    assert restored(work, done["before"])["unknown"] == 0
    work.set_up("thaw")
    assert {h["id"] for h in work.admin("approve", "list", "--json").json["held"]} == {held, there}
    for n in held, there:
        assert work.admin("approve", "release", str(n), "--digest", digests[n]).rc == 0
    assert len(site.messages("bob")) == 3
    again = work.run(*SEND, "--idempotency-key", "k").data
    assert again["id"] == first["id"] and len(site.messages("bob")) == 3


def test_what_was_released_is_not_held_again(work, site):  # noqa: F811
    work.set_up("account", "edit", "work", "--outbound", "approve")
    ids = [work.run(*SEND[:-1], text).json["error_detail"]["id"] for text in ("one", "two", "three")]
    assert backup(work).rc == 0
    digest = work.admin("approve", "show", str(ids[0]), "--json").json["digest"]
    assert work.admin("approve", "release", str(ids[0]), "--digest", digest).rc == 0
    assert work.admin("approve", "deny", str(ids[1])).rc == 0
    restored(work)
    work.set_up("thaw")
    held = work.admin("approve", "list", "--json").json["held"]
    assert [h["id"] for h in held] == [ids[2]] and len(site.messages("bob")) == 1
    assert work.admin("approve", "release", str(ids[0]), "--digest", digest).rc != 0


def test_without_the_store_nobody_knows_what_was_sent(work, site):  # noqa: F811
    work.set_up("account", "edit", "work", "--outbound", "approve")
    n = str(work.run(*SEND).json["error_detail"]["id"])
    assert work.run("ack", *BOX, "--uid", "2").rc == 0
    assert backup(work).rc == 0
    digest = work.admin("approve", "show", n, "--json").json["digest"]
    assert work.admin("approve", "release", n, "--digest", digest).rc == 0
    shutil.rmtree(work.db.parent)
    done = restored(work)
    assert done["before"] is None and not done["log_stays"] and done["unknown"] == 1
    work.set_up("thaw")
    assert work.admin("approve", "release", n, "--digest", digest).rc != 0 and len(site.messages("bob")) == 1
    assert work.admin("outbox", "resolve", n, "--sent").rc == 0
    assert "there was no database" in verified(work)[0]
    # What was seen then is, and numbers that may have been given since are not given again.
    assert {m["uid"] for m in work.run("list", *BOX, "--new").data["messages"]} == {1, 3}
    site.deliver("agent", message(subject="later"))
    assert max(m["uid"] for m in work.run("list", *BOX, "--new").data["messages"]) > 1000000
    assert work.run(*SEND).json["error_detail"]["id"] > 10000
    assert os.stat(work.db).st_mode & 0o777 == 0o600
    assert os.stat(work.db.parent).st_mode & 0o777 == 0o700


def test_a_log_that_was_changed_is_cut_and_says_where(work):  # noqa: F811
    assert backup(work).rc == 0
    for _ in range(3):
        assert work.run("list", *BOX).rc == 0
    work.set_up("canary", "add", "swordfish-2")
    anchors = links(work)
    sql(work.db, "UPDATE audit_log SET target = 'nothing' WHERE action = 'list'")
    assert work.admin("audit", "verify").rc != 0
    done = restored(work)
    assert not done["log_stays"]
    said, = verified(work)
    # The restore itself was written down in the one that was replaced.
    seq, head = max(links(work, done["before"]))
    assert f"the audit log is the copy's; the replaced one ended at link {seq} {head}" in said
    assert not anchors <= links(work) and anchors <= links(work, done["before"])


def test_a_log_that_is_changed_while_the_restore_waits(work):  # noqa: F811
    assert backup(work).rc == 0
    assert work.run("list", *BOX).rc == 0
    verified(work)
    # As a process that refreshes a token.
    with open(f"{work.db}-lock", "a+b") as lock:
        fcntl.fcntl(lock, F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
        p = subprocess.Popen([work.binary, "store", "restore", str(work.copy), "--json"],
                             env=work.environment(EMCLI_ADMIN_KEY=work.admin_key), stdout=subprocess.PIPE)
        waits_for(p, f"{work.db}-lock")
        sql(work.db, "UPDATE audit_log SET target = 'nothing' WHERE action = 'list'")
    out, _ = p.communicate(timeout=60)
    assert p.returncode == 0 and not json.loads(out)["log_stays"]
    assert len(verified(work)) == 1


# -- what stops it


def test_while_a_message_is_sent_nothing_is_replaced(emcli, dovecot, certs):
    tries = []

    def meanwhile(session):
        tries.append(restore(emcli, emcli.folder / "copy.db"))
        session.reply(354, "go on")
        session.read_message()
        session.server.messages.append(b"")
        session.reply(250, "2.0.0 taken")

    login = {servers.address("agent"): servers.password("agent")}
    with Smtpd(certs.good[0], certs.good[1], users=login, pipelining=False) as server:
        emcli.account_imap(dovecot, smtp_host="localhost", smtp_port=server.port, smtp_security="tls",
                           sent_copy="off", whitelist_out="off", check_unfinished="off")
        assert emcli.run("list", *BOX).rc == 0
        assert backup(emcli, emcli.folder / "copy.db").rc == 0
        server.fault = ("data", meanwhile)
        sent = emcli.run(*SEND, "--idempotency-key", "k")
        assert sent.rc == 0 and sent.data["state"] == "sent", str(sent)
        r, = tries
        assert r.rc != 0 and b"being sent" in r.err and b"try again" in r.err
        assert beside(emcli) == []
        row = emcli.admin("audit", "list", "--action", "store.restore", "--json").json["audit"][0]
        assert row["outcome"] == "limit"
        server.fault = None
        restored(emcli, emcli.folder / "copy.db")
        emcli.set_up("thaw")
        assert emcli.run(*SEND, "--idempotency-key", "k").data["state"] == "sent"
        assert len(server.messages) == 1


def test_while_agents_send_nothing_leaves_twice(work, site):  # noqa: F811
    """A restore waits for no lull: each call ends before it, after it, or is refused."""
    assert work.run("list", *BOX).rc == 0 and backup(work).rc == 0
    over, said = threading.Event(), {}

    def write(who):
        for n in itertools.count():
            if over.is_set():
                return
            key = f"k{who}-{n}"
            r = work.run(*SEND[:-3], key, "--body", "text", "--idempotency-key", key)
            said[key] = r.json["error_detail"] or {"code": "sent"}

    writers = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for w in writers:
        w.start()
    done = 0
    try:
        while done < 4:
            r = restore(work)
            done += r.rc == 0
            assert r.rc == 0 or b"being sent" in r.err, str(r)
            # As the hint says: what is under way ends, and nothing begins.
            work.admin("thaw" if r.rc == 0 else "freeze")
    finally:
        over.set()
        for w in writers:
            w.join()
    sent = sorted(k for k in said if said[k]["code"] == "sent")
    assert sent and {said[k].get("reason") for k in said if k not in sent} <= {"frozen"}, said
    verified(work)
    work.admin("thaw")
    for key in sent:
        again = work.run(*SEND[:-3], key, "--body", "text", "--idempotency-key", key)
        assert again.data["state"] == "sent", key
    assert sorted(subjects_of(site.messages("bob"))) == sent


def test_several_restores_at_once_lose_nothing(work):  # noqa: F811
    """Each takes over what the one before it left, and freezes that are put meanwhile."""
    assert backup(work).rc == 0
    env = work.environment(EMCLI_KEY=work.agent_key, EMCLI_ADMIN_KEY=work.admin_key)
    todo = [["store", "restore", str(work.copy)]] * 4 + [["freeze", "--agent", f"thief{i}"] for i in range(4)]
    for _ in range(2):
        started = [subprocess.Popen([work.binary, *argv], env=env, stdout=subprocess.DEVNULL) for argv in todo]
        assert [p.wait(120) for p in started] == [0] * 8
    assert len(verified(work)) == 8 and drafts(work.db.parent) == []
    work.set_up("thaw")
    assert {a for a, in sql(work.db, "SELECT agent FROM freeze")} == {f"thief{i}" for i in range(4)}
    kept = [n for n in beside(work) if ".before-restore-" in n]
    assert len(kept) == 8
    assert {check(work, work.db.parent / n).rc for n in kept} == {0}


def test_what_is_refused_is_in_the_log_and_changes_nothing(work):  # noqa: F811
    assert backup(work).rc == 0
    sql(work.copy, "UPDATE accounts SET mode = 'RO'")
    work.set_up("account", "edit", "work", "--rename", "other")
    r = restore(work)
    assert r.rc != 0 and b"not as emcli wrote it" in r.err
    row = work.admin("audit", "list", "--action", "store.restore", "--json").json["audit"][0]
    assert (row["principal"], row["outcome"]) == ("operator", "config") and "mode" in row["detail"]
    # A key that is none of this store's.
    r = restore(work, EMCLI_ADMIN_KEY=cli.key())
    assert r.rc != 0 and b"EMCLI_ADMIN_KEY does not open this store" in r.err and b"aside" not in r.err
    row = work.admin("audit", "list", "--principal", "unknown", "--json").json["audit"][0]
    assert (row["action"], row["outcome"]) == ("operator", "config")
    r = restore(work, EMCLI_ADMIN_KEY=None)
    assert r.rc != 0 and b"requires EMCLI_ADMIN_KEY" in r.err
    assert accounts(work) == ["other"] and beside(work) == [] and verified(work) == []
    assert work.run("list", "--account", "other", "--folder", "INBOX").rc == 0


def test_a_copy_of_before_another_operator_s_key(work):  # noqa: F811
    """The manual's way: the copy gets the key of today first."""
    old, new = work.admin_key, cli.key()
    assert backup(work).rc == 0
    assert work.admin("key", "rotate", "--admin", env={"EMCLI_NEW_KEY": new}).rc == 0
    r = restore(work, EMCLI_ADMIN_KEY=new)
    assert r.rc != 0 and b"does not open that copy" in r.err and b"key rotate --admin" in r.err
    r = work.admin("key", "rotate", "--admin",
                   env={"EMCLI_DB": str(work.copy), "EMCLI_ADMIN_KEY": old, "EMCLI_NEW_KEY": new})
    assert r.rc == 0, str(r)
    work.admin_key = new
    assert restored(work)["log_stays"]
    assert len(verified(work)) == 1


def test_a_store_that_is_damaged_is_moved_aside(work):  # noqa: F811
    assert backup(work).rc == 0
    work.db.write_bytes(b"no database\n" * 1000)
    for part in "-wal", "-shm":
        pathlib.Path(f"{work.db}{part}").unlink(missing_ok=True)
    r = restore(work)
    assert r.rc != 0 and b"move the database aside" in r.err
    aside = work.folder / "aside"
    aside.mkdir()
    for part in work.db.parent.glob("emcli.db*"):
        part.rename(aside / part.name)
    assert restored(work)["before"] is None and accounts(work) == ["work"]


def test_one_table_of_it_is_damaged(work):  # noqa: F811
    assert backup(work).rc == 0
    for _ in range(3):
        assert work.run("list", *BOX).rc == 0
    torn(work.db, "folder_state")
    r = restore(work)
    assert r.rc != 0 and b"move the database aside" in r.err and beside(work) == []


def test_a_copy_of_an_older_emcli(work):  # noqa: F811
    make_older(work.db)
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(work.db, work.copy)
    work.copy.chmod(0o600)
    work.set_up("account", "edit", "work", "--rename", "other")
    kept = work.db.parent / "emcli.db.before-031"
    assert kept.exists()
    done = restored(work)
    assert accounts(work) == ["work"]
    assert sql(work.db, "SELECT max(version) FROM migration") == [(32,)]
    # The file that the operator keeps is as it was.
    assert sql(work.copy, "SELECT max(version) FROM migration") == [(31,)]
    assert beside(work) == sorted([kept.name, pathlib.Path(done["before"]).name])
    verified(work)
    # And the one that emcli kept.
    restored(work, kept)
    verified(work)


def test_a_copy_older_than_signatures(work):  # noqa: F811
    anew(work)
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(work.db, work.copy)
    assert b"older than signatures" in work.admin("account", "list").err
    assert b"older than" not in work.admin("account", "list").err
    r = restore(work)
    assert r.rc == 0 and b"older than signatures" in r.err, str(r)
    assert "older than signatures and signed as it was" in verified(work)[0]


def test_a_data_key_that_was_replaced(emcli, dovecot):
    """Processes that have the other one in memory go on with the copy's."""
    emcli.account_imap(dovecot)
    box = {"account": "work", "folder": "INBOX"}
    assert emcli.run("list", *BOX).rc == 0
    copy = emcli.folder / "copy.db"
    assert backup(emcli, copy).rc == 0
    r = emcli.admin("key", "rewrap", "--dek")
    assert r.rc == 0, str(r)
    host = Host(emcli, "--always", revision=MODERN)
    assert host.call("list", **box)["error"] is False
    done = restored(emcli, copy)
    assert len(done["keys"]) == 2 and "key rewrap" in done["keys"][0]
    emcli.set_up("thaw")
    assert host.call("list", **box)["error"] is False
    host.end()
    assert emcli.run("list", *BOX).rc == 0 and len(verified(emcli)) == 1


# -- all or nothing


def test_killed_at_any_step_it_is_the_one_or_the_other(work):  # noqa: F811
    assert backup(work).rc == 0
    work.set_up("account", "edit", "work", "--rename", "other")
    assert work.admin("freeze", "--agent", "thief").rc == 0
    first = work.folder / "first"
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(work.db.parent, first)
    argv = ["store", "restore", str(work.copy)]
    seen = set()

    def again():
        shutil.rmtree(work.db.parent)
        shutil.copytree(first, work.db.parent)

    todo = killsteps.evenly(steps(work, argv, admin=True, each=1000), 40)
    for step in todo:
        again()
        killed(work, step, argv, admin=True)
        name, = accounts(work)
        assert check(work).rc == 0, step
        agents = {a for a, in sql(work.db, "SELECT agent FROM freeze")}
        assert (name, agents) in [("work", {"", "thief"}), ("other", {"thief"})], step
        # The one that was there is kept whole wherever it was replaced.
        kept = [p for p in work.db.parent.iterdir() if ".before-restore-" in p.name]
        for p in kept:
            assert sql(p, "SELECT name FROM accounts") == [("other",)], step
            assert sql(p, "PRAGMA integrity_check") == [("ok",)], step
        assert kept or name == "other", step
        seen.add(name)
        # And what it left beside it goes with the next one.
        restored(work)
        assert drafts(work.db.parent) == [], step
    assert seen == {"work", "other"}


@pytest.mark.skipif(os.getuid() != 0, reason="mounts")
def test_a_disk_that_is_full_at_any_moment(work):  # noqa: F811
    """It fails, keeps nothing, and the store is what it was; or there is room for all."""
    # Rows that are carried are written once more.
    sql(work.db, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000)"
                 " INSERT INTO acked SELECT 1, 'agent', 'INBOX', 1, i FROM n")
    assert backup(work).rc == 0
    work.set_up("account", "edit", "work", "--rename", "other")
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    script = (
        'cp -a "$1" "$1.full" && mount -t tmpfs -o size=64m,mode=700 none "$1.full" && '
        'cp -a "$1"/* "$1.full" && export EMCLI_DB="$1.full/emcli.db" && '
        'dd if=/dev/zero of="$EMCLI_DB.fill" bs=4k count=$((($(stat -f -c %a "$EMCLI_DB") - $4))) '
        '2>/dev/null && "$2" store restore "$3" >/dev/null 2>&1; echo "status $?"; '
        'rm "$EMCLI_DB.fill"; ls -A "$1.full"; "$2" account list; "$2" store check')
    pages = work.db.stat().st_size // 4096
    ended = set()
    for room in (16, pages // 2, pages + 20, 2 * pages + 24, 2 * pages + 60, 3 * pages + 100):
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", work.db.parent, work.binary, work.copy, str(room)],
            env=work.environment(EMCLI_ADMIN_KEY=work.admin_key), capture_output=True, timeout=60)
        out = done.stdout.decode()
        good = "status 0" in out
        assert done.returncode == 0 and "is sound" in out, (room, done)
        assert (".before-" in out, "other" in out) == (good, not good), (room, done)
        assert ".new." not in out, (room, done)
        ended.add(good)
        shutil.rmtree(f"{work.db.parent}.full")
    # The manual's room.
    assert ended == {True, False} and good


# -- the manual


def lines_of(start):
    """The next lines of the manual that are to be typed."""
    text = (pathlib.Path(cli.ROOT) / "doc/emcli.1.in").read_text()
    return re.compile(r"\.Bd .*?\n(.*?)\.Ed", re.S).search(text, text.index(start))[1].replace("\\e\n", "\\\n")


def typed(emcli, script, folder, **more):
    """As the operator types it, in the folder where keys and copies are."""
    env = emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key, **more)
    env["PATH"] = f"{pathlib.Path(emcli.binary).parent}:{env.get('PATH', '/usr/bin:/bin')}"
    script = script.replace("/backup/emcli.db", str(emcli.copy)).replace(
        "~/.config/emcli", str(emcli.db.parent))
    done = subprocess.run(["sh", "-ec", script], env=env, cwd=folder, capture_output=True, timeout=60)
    assert done.returncode == 0, done


def test_the_manual_s_lines_put_a_copy_back(work):  # noqa: F811
    made, rest = lines_of("To back up and restore:").split("\n", 1)
    assert work.run("list", *BOX).rc == 0
    typed(work, made, work.folder)
    work.set_up("account", "edit", "work", "--rename", "other")
    typed(work, rest, work.folder)
    assert accounts(work) == ["work"] and work.run("list", *BOX).rc == 0
    # And where the database cannot be opened any more.
    os.truncate(work.db, 5000)
    typed(work, lines_of("that cannot be opened is moved aside"), work.folder)
    assert accounts(work) == ["work"] and frozen(work.run("list", *BOX))


def test_the_manual_s_lines_give_a_copy_the_present_key(work):  # noqa: F811
    new = cli.key()
    assert backup(work).rc == 0
    for name, text in ("old.key", work.admin_key), ("present.key", new):
        (work.folder / name).write_text(text + "\n")
        (work.folder / name).chmod(0o600)
    assert work.admin("key", "rotate", "--admin", env={"EMCLI_NEW_KEY": new}).rc == 0
    work.admin_key = new
    typed(work, "K=$EMCLI_ADMIN_KEY; unset EMCLI_ADMIN_KEY\n" + lines_of("give the present key to a").replace(
        "emcli store restore", "EMCLI_ADMIN_KEY=$K emcli store restore"), work.folder)
    assert len(verified(work)) == 1 and not (work.folder / "old.db").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="is another user")
def test_the_manual_s_lines_for_another_machine(work):  # noqa: F811
    assert backup(work).rc == 0
    # pytest's own folders are root's alone.
    with tempfile.TemporaryDirectory(prefix="emcli-restore-") as top:
        os.chmod(top, 0o755)
        place = pathlib.Path(top) / "lib"
        shutil.copy(work.copy, pathlib.Path(top) / "emcli.db")
        script = lines_of("for a broker's user:").replace("-o emcli -g emcli", "-o nobody -g nogroup").replace(
            "/var/lib/emcli", str(place))
        typed(work, script, top)
        assert {p.stat().st_uid for p in [place, *place.iterdir()]} == {65534}
        r = subprocess.run([work.binary, "account", "list"], capture_output=True, timeout=60,
                           env=work.environment(EMCLI_ADMIN_KEY=work.admin_key, EMCLI_DB=str(place / "emcli.db")))
        assert r.returncode == 0 and b"work" in r.stdout, r
