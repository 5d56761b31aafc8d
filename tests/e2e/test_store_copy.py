"""emcli store backup, restore and check: copies of a store that is in use."""

import json
import os
import shutil
import sqlite3
import threading

import pytest

import killsteps
from mail import message
from test_crash import killed, rows, steps
from test_mcp import MODERN, Host

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    for i in range(3):
        site.deliver("agent", message(subject=f"s{i}"))
    emcli.copy = emcli.folder / "copy.db"
    return emcli


def accounts(emcli):
    return [a["name"] for a in emcli.admin("account", "list", "--json").json["accounts"]]


def restore(emcli, copy=None):
    return emcli.admin("store", "restore", str(copy or emcli.copy), "--json")


def beside(emcli):
    return sorted(p.name for p in emcli.db.parent.iterdir() if "before" in p.name or "new" in p.name)


def test_a_copy_is_of_one_moment_while_others_write(work):
    over = threading.Event()

    def write():
        n = 0
        while not over.is_set():
            n += 1
            assert work.admin("config", "set", "approval_hours", str(n % 90 + 1)).rc == 0

    writers = [threading.Thread(target=write) for _ in range(3)]
    for w in writers:
        w.start()
    try:
        copies = [work.folder / f"copy{i}.db" for i in range(4)]
        for copy in copies:
            r = work.admin("store", "backup", str(copy), "--json")
            assert r.rc == 0 and r.json["bytes"] == copy.stat().st_size
            assert copy.stat().st_mode & 0o777 == 0o600
    finally:
        over.set()
        for w in writers:
            w.join()
    for copy in copies:
        said = work.admin("store", "check", "--json", env={"EMCLI_DB": str(copy)}).json
        assert said == {"sound": True, "faults": []}
    assert work.admin("store", "backup", str(copies[0])).rc != 0


def test_what_was_is_again_and_every_agent_is_stopped(work):
    assert work.admin("agent", "add", "gone").rc == 0
    assert work.run("ack", *BOX, "--uid", "1").rc == 0
    assert work.admin("store", "backup", str(work.copy)).rc == 0
    assert work.run("ack", *BOX, "--uid", "2").rc == 0
    assert work.admin("agent", "remove", "gone").rc == 0
    assert work.admin("account", "edit", "work", "--rename", "other").rc == 0
    # A host that runs goes on with what is there then.
    host = Host(work, "--always", revision=MODERN)
    assert host.call("list", account="other", folder="INBOX")["error"] is False
    done = restore(work).json
    assert accounts(work) == ["work"] and done["taken"] < "9"
    frozen = host.call("list", account="work", folder="INBOX")
    assert frozen["error_detail"]["reason"] == "frozen"
    assert work.run("list", *BOX).json["error_detail"]["reason"] == "frozen"
    # Its token opens again, which is why.
    assert "gone" in [a["name"] for a in work.admin("agent", "list", "--json").json["agents"]]
    assert work.admin("thaw").rc == 0
    assert host.call("list", account="work", folder="INBOX")["error"] is False
    host.end()
    assert {m["uid"] for m in work.run("list", *BOX, "--new").data["messages"]} == {2, 3}
    log = work.admin("audit", "list", "--limit", "20", "--json").json["audit"]
    assert [(r["principal"], r["target"]) for r in log if r["action"] == "store.restore"] == \
        [("operator", str(work.copy))]
    assert work.admin("audit", "verify").rc == 0 and work.admin("store", "check").rc == 0
    # What was there is beside it, and can be had again.
    assert [str(work.db.parent / n) for n in beside(work)] == [done["before"]]
    assert restore(work, done["before"]).rc == 0 and accounts(work) == ["other"]


def test_a_folder_of_everybody_s_gets_no_copy(work, tmp_path):
    (tmp_path / "open").mkdir()
    os.chmod(tmp_path / "open", 0o777)
    r = work.admin("store", "backup", str(tmp_path / "open" / "copy.db"))
    assert r.rc != 0 and b"others can replace files in that folder" in r.err
    assert list((tmp_path / "open").iterdir()) == []
    # Where each may replace its own alone, it does no harm.
    os.chmod(tmp_path / "open", 0o1777)
    assert work.admin("store", "backup", str(tmp_path / "open" / "copy.db")).rc == 0


def test_where_there_is_none_it_makes_one(work):
    assert work.admin("store", "backup", str(work.copy)).rc == 0
    shutil.rmtree(work.db.parent)
    assert restore(work).json["before"] is None
    assert accounts(work) == ["work"] and work.admin("store", "check").rc == 0
    assert os.stat(work.db).st_mode & 0o777 == 0o600


def edited(work):
    with sqlite3.connect(work.copy) as db:
        db.execute("UPDATE accounts SET mode = 'RW'")
    db.close()


def unlogged(work):
    with sqlite3.connect(work.copy) as db:
        db.execute("DELETE FROM audit_log WHERE id = 2")
    db.close()


def broken(work):
    raw = bytearray(work.copy.read_bytes())
    for at in range(4096 * 3, len(raw) - 4096, 4096):
        raw[at:at + 8] = b"\xff" * 8
    work.copy.write_bytes(raw)


def another(work):
    db = sqlite3.connect(work.folder / "another.db")
    db.execute("CREATE TABLE t (x)")
    db.commit()
    db.close()
    shutil.copy(work.folder / "another.db", work.copy)


def linked(work):
    work.copy.rename(work.folder / "real.db")
    work.copy.symlink_to(work.folder / "real.db")


BAD = {
    edited: "is not as emcli wrote it", unlogged: "is not as emcli wrote it", broken: "",
    another: "no database of emcli", linked: "not a regular file",
    lambda w: w.copy.write_bytes(b"not one\n" * 1000): "not a store",
    lambda w: w.copy.unlink(): "no such file",
    lambda w: w.copy.chmod(0o666): "others can write",
}


@pytest.mark.parametrize("spoil", BAD, ids=lambda f: f.__name__)
def test_what_is_no_sound_copy_changes_nothing(work, spoil):
    assert work.admin("account", "edit", "work", "--mode", "RO").rc == 0
    assert work.admin("store", "backup", str(work.copy)).rc == 0
    spoil(work)
    before = work.admin("account", "show", "work").out
    r = restore(work)
    assert r.rc != 0 and BAD[spoil] in r.err.decode() + r.out.decode(), r
    assert work.admin("account", "show", "work").out == before
    assert work.run("list", *BOX).rc == 0 and beside(work) == []


def test_another_store_s_copy_does_not_open(work, tmp_path):
    assert work.admin("store", "backup", str(work.copy)).rc == 0
    other = work.admin("key", "generate").out.decode().strip()
    r = work.admin("store", "restore", str(work.copy), env={"EMCLI_ADMIN_KEY": other})
    assert r.rc != 0 and b"does not open" in r.err
    r = work.admin("store", "restore", str(work.copy), env={"EMCLI_ADMIN_KEY": None})
    assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err
    assert work.run("list", *BOX).rc == 0


def test_killed_at_any_step_it_is_the_one_or_the_other(work):
    assert work.admin("store", "backup", str(work.copy)).rc == 0
    assert work.admin("account", "edit", "work", "--rename", "other").rc == 0
    assert work.admin("store", "backup", str(work.folder / "now.db")).rc == 0
    argv = ["store", "restore", str(work.copy)]
    seen = set()
    for step in killsteps.evenly(steps(work, argv, admin=True, each=1000), 30):
        # The one of now, whatever the last one has made of it.
        shutil.rmtree(work.db.parent)
        assert restore(work, work.folder / "now.db").rc == 0
        assert work.admin("thaw").rc == 0
        killed(work, step, argv, admin=True)
        name, = accounts(work)
        assert work.admin("store", "check").rc == 0, step
        frozen = rows(work, "SELECT 1 FROM freeze") != []
        assert (name, frozen) in [("work", True), ("other", False)], step
        seen.add(name)
    assert seen == {"work", "other"}


def test_faults_are_told(work):
    with sqlite3.connect(work.db) as db:
        db.execute("UPDATE accounts SET mode = 'RW', from_addr = 'x@evil.example'")
    db.close()
    r = work.admin("store", "check", "--json")
    told = json.loads(r.out)
    assert r.rc != 0 and told["sound"] is False
    assert any("changed without emcli: account work" in f for f in told["faults"]), told
