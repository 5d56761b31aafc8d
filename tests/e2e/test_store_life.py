# SPDX-License-Identifier: Apache-2.0
"""emcli store check and store backup, and the copy kept before a migration."""

import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading

import pytest

import cli
import killsteps
import servers
from mail import message
from test_crash import killed, steps

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, check_unfinished="off",
                          whitelist_out="off")
    for i in range(3):
        site.deliver("agent", message(subject=f"s{i}"))
    emcli.copy = emcli.folder / "copy.db"
    return emcli


def backup(emcli, copy=None):
    return emcli.admin("store", "backup", str(copy or emcli.copy), "--json")


def check(emcli, db=None, **env):
    return emcli.admin("store", "check", "--json",
                       env={**({"EMCLI_DB": str(db)} if db else {}), **env})


def sql(db, text):
    con = sqlite3.connect(db)
    try:
        with con:
            return con.execute(text).fetchall()
    finally:
        con.close()


def drafts(folder):
    return [p.name for p in folder.iterdir() if ".new." in p.name]


# -- store check


def test_a_sound_store_and_its_numbers(work):
    said = check(work).json
    assert said["sound"] is True and said["faults"] == [] and said["rows"] > 0
    verified = work.admin("audit", "verify", "--json").json
    assert said["signatures"] in (verified["signatures"], verified["signatures"] - 1)
    shown = work.admin("store", "check")
    assert shown.rc == 0 and b"the database is sound" in shown.out
    # The operator's key, and no other.
    assert check(work, EMCLI_KEY=None).rc == 0
    r = check(work, EMCLI_ADMIN_KEY=None)
    assert r.rc != 0 and b"requires EMCLI_ADMIN_KEY" in r.err
    r = check(work, EMCLI_ADMIN_KEY=cli.key())
    assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err
    assert check(work, work.folder / "none.db").rc != 0


def edited(db):
    sql(db, "UPDATE accounts SET mode = 'RO'")


def unlogged(db):
    sql(db, "DELETE FROM audit_log WHERE id = 2")


def orphaned(db):
    sql(db, "INSERT INTO whitelist_out (account_id, address) VALUES (99, 'a@b.example')")


def triggered(db):
    sql(db, "CREATE TRIGGER t AFTER INSERT ON freeze BEGIN DELETE FROM freeze; END")


def torn(db, table="audit_link"):
    sql(db, "PRAGMA wal_checkpoint(TRUNCATE)")
    (page,), = sql(db, f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'")
    with open(db, "r+b") as f:
        f.seek((page - 1) * 4096)
        f.write(b"\xff" * 4096)


def cut(db):
    sql(db, "PRAGMA wal_checkpoint(TRUNCATE)")
    os.truncate(db, db.stat().st_size // 2)


def newer(db):
    sql(db, "INSERT INTO migration VALUES (999, 'x', '2030-01-01T00:00:00Z')")


def no_store(db):
    db.write_bytes(b"no database\n" * 1000)


def linked(db):
    db.rename(db.parent / "real.db")
    db.symlink_to(db.parent / "real.db")


FAULTS = {
    edited: "changed without emcli: account work: mode", unlogged: "the audit log, row 2",
    orphaned: "a row of whitelist_out refers to one of accounts that does not exist",
    triggered: "changed without emcli: schema: trigger t", torn: "the file: ",
    cut: "damaged", newer: "newer than this emcli", no_store: "damaged or not a store",
    linked: "not a regular file",
}


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda f: f.__name__)
def test_a_fault_is_told(work, spoil):
    for _ in range(3):
        assert work.run("list", *BOX).rc == 0
    spoil(work.db)
    r = check(work)
    assert r.rc != 0 and FAULTS[spoil] in (r.out + r.err).decode(), str(r)


def test_a_damaged_file_is_not_written(work):
    assert work.run("list", *BOX).rc == 0
    torn(work.db, "whitelist_out")
    # What is newest is in the log, and stays there.
    work.run("list", *BOX)
    log = pathlib.Path(f"{work.db}-wal")
    before = work.db.read_bytes()
    assert log.stat().st_size > 0
    r = check(work)
    assert r.rc != 0 and r.json["sound"] is False and r.json["version"] is None
    assert "Copies of a store" in r.err.decode()
    assert work.db.read_bytes() == before and log.stat().st_size > 0


# -- store backup


def test_each_copy_is_sound_while_eight_others_write(work):
    over, failed, done = threading.Event(), [], []
    assert work.run("list", *BOX).rc == 0

    def write(i):
        argv = [("mark", *BOX, "--uid", "1", "--read"),
                ("send", "--account", "work", "--to", servers.address("agent"), "--subject", "s", "--body",
                 "text")][i % 2]
        while not over.is_set():
            r = work.run(*argv)
            done.append(argv[0])
            # A limit is what an account may have; a busy store is not.
            if r.rc != 0 and r.json["error_detail"]["code"] not in ("limit", "policy"):
                failed.append(str(r))

    writers = [threading.Thread(target=write, args=(i,)) for i in range(8)]
    for w in writers:
        w.start()
    try:
        copies = [work.folder / f"copy{i}.db" for i in range(3)]
        for copy in copies:
            r = backup(work, copy)
            assert r.rc == 0 and r.json["bytes"] == copy.stat().st_size, str(r)
            assert copy.stat().st_mode & 0o777 == 0o600
    finally:
        over.set()
        for w in writers:
            w.join()
    assert failed == [] and set(done) == {"mark", "send"}
    assert drafts(work.folder) == []
    sizes = []
    for copy in copies:
        said = check(work, copy)
        assert said.rc == 0, str(said)
        sizes.append(said.json["rows"])
    assert sizes == sorted(sizes)
    rows = work.admin("audit", "list", "--action", "store.backup", "--json").json["audit"]
    assert [r["target"] for r in rows] == [str(c) for c in copies[::-1]]
    assert {r["principal"] for r in rows} == {"operator"}


def a_file(at):
    at.write_bytes(b"mine")


def a_link(at):
    at.symlink_to(at.parent / "elsewhere.db")


def a_log(at):
    (at.parent / (at.name + "-wal")).write_bytes(b"mine")


def a_journal(at):
    (at.parent / (at.name + "-journal")).write_bytes(b"mine")


@pytest.mark.parametrize("make", [a_file, a_link, a_log, a_journal, os.mkdir, os.mkfifo],
                         ids=lambda f: f.__name__)
def test_what_has_the_name_stays(work, make):
    make(work.copy)
    before = sorted((p.name, p.lstat().st_ino, p.lstat().st_size) for p in work.folder.iterdir()
                    if p.name.startswith("copy"))
    r = backup(work)
    assert r.rc == 2 and b"name a new file" in r.err, str(r)
    assert before == sorted((p.name, p.lstat().st_ino, p.lstat().st_size)
                            for p in work.folder.iterdir() if p.name.startswith("copy"))
    assert not (work.folder / "elsewhere.db").exists() and drafts(work.folder) == []


def test_a_folder_that_is_not_ones_own(work, tmp_path):
    place = tmp_path / "place"
    r = backup(work, place / "copy.db")
    assert r.rc != 0 and b"its folder must exist" in r.err and not place.exists()
    place.mkdir()
    os.chmod(place, 0o777)
    r = backup(work, place / "copy.db")
    assert r.rc != 0 and b"replace files in it" in r.err and list(place.iterdir()) == []
    # Where each may replace its own alone, as in /tmp, it does no harm.
    os.chmod(place, 0o1777)
    assert backup(work, place / "copy.db").rc == 0 and [p.name for p in place.iterdir()] == ["copy.db"]


@pytest.mark.skipif(os.getuid() != 0, reason="mounts")
@pytest.mark.parametrize("option, says", [("size=64k", "disk is full"), ("ro", "Read-only")])
def test_a_disk_that_takes_no_copy(work, tmp_path, option, says):
    place = tmp_path / "place"
    place.mkdir()
    script = ('mount -t tmpfs -o mode=700,"$3" none "$1" && '
              '"$2" store backup "$1/copy.db"; r=$?; ls -A "$1"; exit $r')
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", place, work.binary, option],
                          env=work.environment(EMCLI_ADMIN_KEY=work.admin_key),
                          capture_output=True, timeout=60)
    assert done.returncode not in (0, 32) and done.stdout == b"", done
    last = work.admin("audit", "list", "--limit", "5", "--json").json["audit"]
    row = next(r for r in last if r["action"] == "store.backup")
    assert row["outcome"] == "config" and says in row["detail"], row


def test_killed_it_leaves_no_copy_or_all_of_it(work):
    argv = ["store", "backup", str(work.copy)]
    seen = set()
    for step in killsteps.evenly(steps(work, argv, admin=True, each=1000), 24):
        work.copy.unlink(missing_ok=True)
        killed(work, step, argv, admin=True)
        there = work.copy.exists()
        assert not there or check(work, work.copy).rc == 0, step
        assert check(work).rc == 0, step
        # What it left goes with the next one, whether that finds the name free or not.
        assert backup(work).rc == (2 if there else 0) and drafts(work.folder) == [], step
        seen.add(there)
    assert seen == {True, False}


# -- the copy before a migration


def make_older(db):
    """As the emcli before the newest migration left it."""
    (newest,), = sql(db, "SELECT max(version) FROM migration")
    assert newest == 32, "take back what the newest migration does here"
    sql(db, "DROP TABLE notice")
    sql(db, "DROP TABLE notice_told")
    sql(db, "DELETE FROM migration WHERE version = 32")
    sql(db, "UPDATE settings SET value = '31' WHERE key = 'schema_version'")
    return newest


def kept(emcli):
    return sorted(p.name for p in emcli.db.parent.iterdir() if ".before-" in p.name)


def test_a_copy_is_kept_before_the_schema_changes(work):
    assert kept(work) == []
    make_older(work.db)
    old = work.db.parent / "emcli.db.before-012"
    old.write_bytes(b"of an earlier one")
    for part in "-wal", "-shm", "-journal":
        (work.db.parent / f"emcli.db.before-012{part}").write_bytes(b"")
    mine = work.db.parent / "emcli.db.before-lunch"
    mine.write_bytes(b"mine")
    # Of those that begin at once, one changes it.
    env = work.environment(EMCLI_KEY=work.agent_key)
    started = [subprocess.Popen([work.binary, "list", *BOX], env=env, stdout=subprocess.DEVNULL)
               for _ in range(4)]
    assert [p.wait(60) for p in started] == [0] * 4
    assert kept(work) == ["emcli.db.before-031", mine.name] and mine.read_bytes() == b"mine"
    copy = work.db.parent / "emcli.db.before-031"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert sql(copy, "SELECT max(version) FROM migration") == [(31,)]
    assert sql(copy, "SELECT name FROM accounts") == [("work",)]
    assert sql(copy, "PRAGMA integrity_check") == [("ok",)]
    assert sql(work.db, "SELECT max(version) FROM migration") == [(32,)]
    # Nothing is copied again.
    before = copy.stat().st_ino
    assert work.run("list", *BOX).rc == 0 and copy.stat().st_ino == before


def test_killed_while_it_is_made_the_store_is_of_before_or_after(work):
    make_older(work.db)
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    older = work.db.read_bytes()
    argv = ["account", "list"]
    versions = set()
    found = killsteps.evenly(steps(work, argv, admin=True, each=1000), 16)
    for step in found:
        for old in work.db.parent.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        work.db.write_bytes(older)
        work.db.chmod(0o600)
        killed(work, step, argv, admin=True)
        (version,), = sql(work.db, "SELECT max(version) FROM migration")
        versions.add(version)
        # Changed only with a whole copy of before.
        assert version == 31 or kept(work) == ["emcli.db.before-031"], step
        assert work.admin(*argv).rc == 0, step
        assert kept(work) == ["emcli.db.before-031"], step
        copy = work.db.parent / "emcli.db.before-031"
        assert sql(copy, "SELECT max(version) FROM migration") == [(31,)], step
        assert sql(copy, "PRAGMA integrity_check") == [("ok",)], step
    assert versions == {31, 32}


def test_a_key_that_is_replaced_names_it(work):
    new, newer = cli.key(), cli.key()
    r = work.admin("key", "rotate", "--agent", env={"EMCLI_NEW_KEY": new})
    assert r.rc == 0 and b".before-" not in r.err
    make_older(work.db)
    agent = {"EMCLI_KEY": new}
    assert work.run("list", *BOX, env=agent).rc == 0
    copy = work.db.parent / "emcli.db.before-031"
    named = f"{copy}, the copy of the database".encode()
    r = work.admin("key", "rewrap", "--dek", env=agent)
    assert r.rc == 0 and named in r.err, str(r)
    r = work.admin("key", "rotate", "--admin", env={"EMCLI_NEW_KEY": newer})
    assert r.rc == 0 and named in r.err, str(r)
    # It is why they say so: the old key opens nothing but the copy.
    assert work.admin("account", "list").rc != 0
    copied = {"EMCLI_DB": str(copy)}
    assert work.admin("account", "list", env=copied).rc == 0
    copy.unlink()
    r = work.admin("key", "rewrap", "--dek", env={**agent, "EMCLI_ADMIN_KEY": newer})
    assert r.rc == 0 and b"the copy of the database as" not in r.err


# In a mount namespace: $1 as a copy of itself on a disk that has 40 blocks left.
FULL = (
    'cp -a "$1" "$1.full" && mount -t tmpfs -o size=2m,mode=700 none "$1.full" && '
    'cp -a "$1"/* "$1.full" && export EMCLI_DB="$1.full/emcli.db" && '
    'dd if=/dev/zero of="$EMCLI_DB.fill" bs=4k count=$((($(stat -f -c %a "$EMCLI_DB") - 40))) '
    '2>/dev/null && ')


@pytest.mark.skipif(os.getuid() != 0, reason="mounts")
def test_without_room_for_it_nothing_changes(work):
    make_older(work.db)
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    script = (
        FULL + 'shift && "$@"; echo "status $?"; ls -A "$(dirname "$EMCLI_DB")"; '
        'rm "$EMCLI_DB.fill"; "$@" >/dev/null 2>&1; echo "then $?"; ls -A "$(dirname "$EMCLI_DB")"')
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", work.db.parent, work.binary, "account", "list"],
        env=work.environment(EMCLI_ADMIN_KEY=work.admin_key), capture_output=True, timeout=60)
    first, _, then = done.stdout.decode().partition("then ")
    assert "status 1" in first and "before-" not in first and ".new." not in first, done
    assert b"older than this emcli, and was not changed" in done.stderr, done
    assert b"make room" in done.stderr
    assert then.startswith("0") and "emcli.db.before-031" in then, done


@pytest.mark.skipif(os.getuid() != 0, reason="mounts")
@pytest.mark.parametrize("keyed", [True, False])
def test_without_room_for_it_agents_can_be_stopped(work, keyed):
    make_older(work.db)
    sql(work.db, "PRAGMA wal_checkpoint(TRUNCATE)")
    script = FULL + 'shift; "$@"; echo "status $?"; cp "$EMCLI_DB"* "$BACK"'
    back = work.folder / "back"
    back.mkdir(mode=0o700)
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", work.db.parent, work.binary, "freeze", "--agent", "bob"],
        env=work.environment(BACK=str(back), **({"EMCLI_ADMIN_KEY": work.admin_key} if keyed else {})),
        capture_output=True, timeout=60)
    assert b"status 0" in done.stdout and done.stderr == b"", done
    db = back / "emcli.db"
    assert sql(db, "SELECT agent FROM freeze") == [("bob",)]
    assert sql(db, "SELECT max(version) FROM migration") == [(31,)]
    # It is still so for whoever changes the schema.
    assert work.admin("audit", "verify", env={"EMCLI_DB": str(db)}).rc == 0
    assert kept(work) == [] and sql(db, "SELECT agent FROM freeze") == [("bob",)]
    assert sql(db, "SELECT max(version) FROM migration") == [(32,)]


@pytest.mark.skipif(os.getuid() != 0, reason="is another user")
def test_in_a_folder_that_takes_no_file_nothing_changes(work):
    make_older(work.db)
    # pytest's own folders are root's alone.
    with tempfile.TemporaryDirectory(prefix="emcli-life-") as top:
        os.chmod(top, 0o755)
        binary, folder = shutil.copy(work.binary, top), pathlib.Path(top) / "store"
        folder.mkdir()
        db = pathlib.Path(shutil.copy(work.db, folder))
        # Its log and the log's index are there, as beside a store in use.
        with contextlib.closing(sqlite3.connect(db)) as held:
            held.execute("SELECT count(*) FROM accounts").fetchall()
            for part in [*folder.iterdir(), folder]:
                os.chown(part, 65534, 65534)
            folder.chmod(0o500)
            r = subprocess.run([binary, "account", "list"], capture_output=True, timeout=60,
                               env=work.environment(EMCLI_ADMIN_KEY=work.admin_key, EMCLI_DB=db),
                               user=65534, group=65534, extra_groups=[])
            assert r.returncode == 1 and b"was not changed" in r.stderr, r
            assert b"a folder that this user can write to" in r.stderr
        assert sql(db, "SELECT max(version) FROM migration") == [(31,)]


def test_an_agent_s_command_keeps_it_too(work):
    make_older(work.db)
    assert work.run("list", *BOX).rc == 0
    assert kept(work) == ["emcli.db.before-031"]
    copy = work.db.parent / "emcli.db.before-031"
    assert copy.stat().st_uid == work.db.stat().st_uid
