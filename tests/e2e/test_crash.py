# SPDX-License-Identifier: Apache-2.0
"""
Killed at every step: strace(1) kills emcli as it enters its N-th call of a
kind, for the N that killsteps chooses; then the store and the mailboxes are looked at.  A
kill at the next call is the kill after this one, so both sides are met.
"""
import contextlib
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

import cli
import killsteps
import level
from mail import message

BOX = ("--account", "work", "--folder", "INBOX")
# What changes a file, or makes what was changed last.
CALLS = ("write", "pwrite64", "fsync", "fdatasync", "ftruncate", "unlink",
         "unlinkat", "renameat", "mkdir", "fchmod")
WORDS = "whole\n" * 3000


@pytest.fixture
def work(emcli, site):
    """Two accounts' mailboxes, three messages, and a copy to begin from."""
    emcli.account_maildir(site.path, process_backlog=True)
    for i in range(3):
        site.deliver("agent", message(subject="s%d" % i))
    assert len(emcli.run("list", *BOX, "--new").data["messages"]) == 3
    emcli.site = site
    for folder in emcli.db.parent, site.path:
        shutil.copytree(folder, str(folder) + ".first")
    return emcli


def again(emcli):
    """As if nothing had happened yet."""
    for folder in emcli.db.parent, emcli.site.path:
        shutil.rmtree(folder)
        shutil.copytree(str(folder) + ".first", folder)


def environment(emcli, admin=False):
    # No leak checker: it is a tracer too, and there can be only one.
    more = {"EMCLI_KEY": emcli.agent_key, "ASAN_OPTIONS": "detect_leaks=0"}
    if admin:
        more["EMCLI_ADMIN_KEY"] = emcli.admin_key
    return emcli.environment(**more)


def strace(emcli, options, argv, admin=False):
    return subprocess.run(["strace", "-f", "-o", str(emcli.folder / "trace"), *options,
                           emcli.binary, *argv], env=environment(emcli, admin),
                          input=b"", capture_output=True, timeout=60)


def steps(emcli, argv, admin=False, each=7):
    """(call, N) of one undisturbed run."""
    done = strace(emcli, ["-e", "trace=" + ",".join(CALLS)], argv, admin)
    assert done.returncode == 0, done.stderr
    trace = (emcli.folder / "trace").read_text(errors="replace")
    return killsteps.chosen(trace, CALLS, each)


def killed(emcli, step, argv, admin=False):
    """Runs until that step; stdout and whether it ended by itself."""
    done = strace(emcli, ["-e", "inject=%s:signal=KILL:when=%d" % step], argv, admin)
    assert done.returncode in (0, 137, -signal.SIGKILL), done.stderr
    return done.stdout, done.returncode == 0


def rows(emcli, sql):
    with contextlib.closing(sqlite3.connect(emcli.db, timeout=10)) as db:
        return db.execute(sql).fetchall()


def sound(emcli):
    assert rows(emcli, "PRAGMA integrity_check") == [("ok",)]
    assert rows(emcli, "PRAGMA foreign_key_check") == []


def dealt_with(emcli):
    ((floor,),) = rows(emcli, "SELECT floor_uid FROM folder_state")
    return set(range(1, floor + 1)) | {u for (u,) in rows(emcli, "SELECT uid FROM acked")}


def allowed(emcli, action):
    """Calls written down as allowed: before they did anything."""
    return rows(emcli, "SELECT count(*) FROM audit_log WHERE result = 'allowed'"
                       " AND state IN ('judged', 'done') AND action = '%s'" % action)[0][0]


def test_an_ack_is_whole_or_absent(work):
    argv = ("ack", *BOX, "--uid", "1", "3")
    todo = steps(work, argv, each=4)
    # Without a call between: pages of the log, of which some end what belongs together.
    assert len(todo) > 10
    for step in todo:
        again(work)
        out, ended = killed(work, step, argv)
        sound(work)
        got = dealt_with(work)
        assert got in (set(), {1, 3}), step
        assert allowed(work, "ack") or not got, step
        assert got or not (ended or out), step
        # And work goes on from there.
        assert work.run("ack", *BOX, "--uid", "1:3").rc == 0, step
        assert dealt_with(work) == {1, 2, 3}, step


def check_mail(emcli, step, ended):
    """Each mailbox has the message once, whole, or not at all."""
    got = 0
    for user in "bob", "alice":
        files = [p.read_bytes() for p in (emcli.site.box(user) / "new").iterdir()]
        assert len(files) <= 1, step
        for raw in files:
            assert b"Subject: hi" in raw and raw.count(b"whole") == WORDS.count("whole"), step
        got += len(files)
    assert allowed(emcli, "send") == 1 or got == 0, step
    assert got == 2 or not ended, step
    return got


def test_a_delivery_is_whole_or_absent_and_written_down_before(work):
    argv = ("send", "--account", "work", "--to", "bob@lab.example", "alice@lab.example",
            "--subject", "hi", "--body", WORDS)
    todo, seen = steps(work, argv), set()
    assert len(todo) > 15
    for step in todo:
        again(work)
        _, ended = killed(work, step, argv)
        sound(work)
        seen.add(check_mail(work, step, ended))
        assert work.run("list", *BOX).rc == 0, step
    assert seen == {0, 1, 2}  # between the two renames there is a moment


def slots(emcli):
    """The wrapped data keys; none when there is no such table yet."""
    if not emcli.db.exists() or not rows(emcli, "SELECT 1 FROM sqlite_master"):
        return []
    return rows(emcli, "SELECT value FROM settings WHERE key LIKE 'dek_wrap_%' ORDER BY key")


def test_a_first_init_is_whole_or_comes_again(tmp_path):
    e = cli.Emcli(tmp_path / "emcli")
    todo = steps(e, ("init",), admin=True, each=24)
    assert len(todo) > 30
    for step in todo:
        level.replaced(e)
        shutil.rmtree(e.db.parent)
        killed(e, step, ("init",), admin=True)
        if e.db.exists():
            sound(e)
        before = slots(e)
        assert len(before) in (0, 2), step
        assert e.admin("init").rc == 0, step
        after = slots(e)
        assert len(after) == 2 and before in ([], after), step
        assert e.db.stat().st_mode & 0o777 == 0o600, step
        # Both keys open it.
        assert e.run("folders", "--account", "none").code == "not_found", step


def test_an_account_is_added_with_its_password_or_not_at_all(work):
    folder = work.folder / "pw"
    folder.write_text("secret")
    folder.chmod(0o600)
    argv = ("account", "add", "other", "--backend", "imap", "--mode", "RO", "--from", "a@b.example",
            "--username", "u", "--password-file", str(folder), "--imap-host", "localhost",
            "--imap-port", "1", "--imap-security", "tls")
    for step in steps(work, argv, admin=True):
        again(work)
        killed(work, step, argv, admin=True)
        sound(work)
        got = rows(work, "SELECT enc_password IS NOT NULL FROM accounts WHERE name = 'other'")
        assert got in ([], [(1,)]), step
        # It opens: what is missing is the server, and no longer the password.
        if got:
            assert work.run("list", "--account", "other", "--folder", "INBOX").code == "network"


def test_what_was_answered_outlives_its_neighbours_deaths(work, site):
    """Two dozen at once, half of them killed at some moment."""
    rng = random.Random(5)
    n = 24
    for i in range(3, n):
        site.deliver("agent", message(subject="s%d" % i))
    assert len(work.run("list", *BOX, "--limit", "100").data["messages"]) == n
    env = environment(work)
    crowd = [work.start(["ack", *BOX, "--uid", str(u)], env) for u in range(1, n + 1)]
    for p in rng.sample(crowd, n // 2):
        time.sleep(rng.uniform(0, 0.02))
        p.kill()
    answered = set()
    for uid, p in enumerate(crowd, 1):
        out, err = p.communicate(timeout=60)
        assert p.returncode in (0, -signal.SIGKILL), (out, err)
        if out:
            assert json.loads(out)["error"] is False, out
            answered.add(uid)
        assert out or p.returncode != 0
    sound(work)
    assert answered <= dealt_with(work)
    assert len(answered) >= n // 2
    left = {m["uid"] for m in work.run("list", *BOX, "--new").data["messages"]}
    assert left == set(range(1, n + 1)) - dealt_with(work)
    assert allowed(work, "ack") >= len(dealt_with(work))


def test_send_killed_at_random_moments(work):
    rng = random.Random(7)
    argv = ["send", "--account", "work", "--to", "bob@lab.example", "alice@lab.example",
            "--subject", "hi", "--body", WORDS]
    start = time.monotonic()
    assert work.start(argv, environment(work)).wait(60) == 0
    whole = time.monotonic() - start
    for _ in range(15):
        again(work)
        p = work.start(argv, environment(work))
        time.sleep(rng.uniform(0, whole))
        p.kill()
        out, _ = p.communicate(timeout=60)
        sound(work)
        check_mail(work, "random", p.returncode == 0)
        assert work.run("list", *BOX).rc == 0
