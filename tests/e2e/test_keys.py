# SPDX-License-Identifier: Apache-2.0
"""Changing keys: what opens afterwards, and that a kill leaves old or new."""
import base64
import os
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

import cli

CALLS = "pwrite64,write,fdatasync,fsync,ftruncate,unlink"
PASSWORDS = ("pw of the first, planted", "pw of the second, planted")
ROTATE = {"agent": ("key", "rotate", "--agent"),
          "admin": ("key", "rotate", "--admin")}
REWRAP = ("key", "rewrap", "--dek")


@pytest.fixture
def work(emcli, site):
    for name, password in zip(("one", "two"), PASSWORDS):
        r = emcli.admin("account", "add", name, "--imap-host", "h.example",
                        "--username", "me@lab.example", "--password-stdin",
                        stdin=password)
        assert r.rc == 0, str(r)
    emcli.account_maildir(site.box("agent"))
    return emcli


def run(emcli, argv, agent=None, admin=None, **more):
    env = emcli.environment(EMCLI_KEY=agent, EMCLI_ADMIN_KEY=admin, **more)
    return emcli.call(list(argv), env, None, 60)


def agent_opens(emcli, key):
    r = run(emcli, ["folders", "--account", "work"], agent=key)
    assert r.rc == 0 or b"does not open this store" in r.out, str(r)
    return r.rc == 0


def admin_opens(emcli, key):
    r = run(emcli, ["account", "list"], admin=key)
    assert r.rc == 0 or b"does not open this store" in r.err, str(r)
    return r.rc == 0


def unseals(emcli, agent, admin):
    """Every secret: a rewrapping opens them all, or says that it cannot."""
    r = run(emcli, REWRAP, agent=agent, admin=admin)
    assert r.rc == 0 and b"2 sealed values" in r.out, str(r)


def files(emcli):
    return b"".join(p.read_bytes() for p in sorted(emcli.db.parent.iterdir()))


# -- what it does


@pytest.mark.parametrize("which", ["agent", "admin"])
def test_generated_key_replaces_the_old_one(work, which):
    r = work.admin(*ROTATE[which], "--generate")
    assert r.rc == 0 and r.out.count(b"\n") == 1, str(r)
    # And what is stale now; the key itself is on standard output alone.
    name = b"EMCLI_KEY" if which == "agent" else b"EMCLI_ADMIN_KEY"
    assert b"old" in r.err and name + b"_FILE" in r.err and r.out.strip() not in r.err
    new = r.out.decode().strip()
    assert len(base64.b64decode(new, validate=True)) == 32
    old = {"agent": work.agent_key, "admin": work.admin_key}
    opens = agent_opens if which == "agent" else admin_opens
    assert opens(work, new) and not opens(work, old[which])
    now = {**old, which: new}
    unseals(work, now["agent"], now["admin"])
    assert agent_opens(work, now["agent"]) and admin_opens(work, now["admin"])


def test_key_from_variable_or_file(work, tmp_path):
    first, second = cli.key(), cli.key()
    r = work.admin(*ROTATE["agent"], env={"EMCLI_NEW_KEY": first})
    assert r.rc == 0 and first.encode() not in r.out, str(r)
    assert agent_opens(work, first) and not agent_opens(work, work.agent_key)
    path = tmp_path / "new"
    path.write_text(second + "\n")
    path.chmod(0o600)
    r = run(work, ROTATE["agent"], admin=work.admin_key,
            EMCLI_NEW_KEY_FILE=str(path))
    assert r.rc == 0, str(r)
    assert agent_opens(work, second) and not agent_opens(work, first)


def test_what_is_refused_changes_nothing(work):
    a, k = work.admin, ROTATE["agent"]
    tries = [
        (a(*k), "--generate"), (a("key", "rotate", "--generate"), "--admin"),
        (a(*k, "--admin", "--generate"), "--admin"),
        (a(*k, "--generate", env={"EMCLI_NEW_KEY": cli.key()}), "exclude"),
        (a(*k, env={"EMCLI_NEW_KEY": "short"}), "not a base64"),
        (a(*k, env={"EMCLI_NEW_KEY": work.agent_key}), "already"),
        (a(*k, env={"EMCLI_NEW_KEY": work.admin_key}), "already"),
        (a(*ROTATE["admin"], env={"EMCLI_NEW_KEY": work.agent_key}), "already"),
        (work.run(*k, "--generate"), "requires EMCLI_ADMIN_KEY"),
        (a("key", "rewrap"), "--dek"), (a(*REWRAP, env={"EMCLI_KEY": None}), "both"),
        (a(*REWRAP, env={"EMCLI_KEY": cli.key()}), "does not open"),
    ]
    for r, part in tries:
        assert r.rc != 0 and r.out == b"" and part in r.err.decode(), str(r)
    assert agent_opens(work, work.agent_key)
    assert admin_opens(work, work.admin_key)


def test_a_key_that_cannot_be_printed_is_not_put_in_force(work):
    env = work.environment(EMCLI_ADMIN_KEY=work.admin_key)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([work.binary, *ROTATE["agent"], "--generate"],
                              stdout=full, stderr=subprocess.PIPE, env=env)
    assert done.returncode != 0 and b"cannot be written" in done.stderr
    assert agent_opens(work, work.agent_key)


def wrapped(emcli):
    """The wrappings that are in force."""
    import sqlite3

    with sqlite3.connect(emcli.db) as db:
        rows = db.execute("select value from settings where key like 'dek_wrap_%'").fetchall()
    db.close()
    return {row[0].encode() for row in rows}


def left(emcli, wrappings):
    """Those that still stand in the files, in force or not."""
    return {x for x in wrappings if x in files(emcli)}


def test_old_wrappings_leave_the_files(work):
    before = wrapped(work)
    assert len(before) == 2 == len(left(work, before))
    assert work.admin(*ROTATE["agent"], "--generate").rc == 0
    assert left(work, before) == before & wrapped(work)
    assert len(left(work, before)) == 1
    r = work.admin("init")
    assert r.rc != 0 and b"EMCLI_KEY does not open" in r.err


def test_rewrapping_leaves_nothing_of_the_old_seals(work):
    import sqlite3

    def sealed():
        with sqlite3.connect(work.db) as db:
            rows = db.execute("select enc_password from accounts"
                              " where enc_password is not null").fetchall()
        db.close()
        return [row[0] for row in rows]

    old, keys = sealed(), wrapped(work)
    assert len(old) == 2 and all(x in files(work) for x in old)
    r = work.admin(*REWRAP)
    assert r.rc == 0 and b"2 sealed values" in r.out, str(r)
    assert not any(x in files(work) for x in old)
    assert not left(work, keys)
    unseals(work, work.agent_key, work.admin_key)


# -- killed on the way


class Lab:
    """A store that is put back before every attempt."""

    def __init__(self, emcli, tmp_path):
        self.emcli, self.saved = emcli, tmp_path / "saved"
        # Leaves frames in the log, as an agent at work does.
        assert agent_opens(emcli, emcli.agent_key)
        shutil.copytree(emcli.db.parent, self.saved)
        self.log = tmp_path / "strace"

    def restore(self):
        shutil.rmtree(self.emcli.db.parent)
        shutil.copytree(self.saved, self.emcli.db.parent)

    def attempt(self, argv, inject=None, **env):
        self.restore()
        full = self.emcli.environment(
            EMCLI_KEY=self.emcli.agent_key, EMCLI_ADMIN_KEY=self.emcli.admin_key,
            ASAN_OPTIONS="detect_leaks=0", **env)
        done = subprocess.run(
            ["strace", "-f", "-qq", "-o", self.log, "-e", f"trace={CALLS}",
             *(["-e", f"inject={inject}"] if inject else []), self.emcli.binary, *argv],
            env=full, capture_output=True, timeout=60)
        log = self.log.read_text(errors="replace")
        return done, "INJECTED" in log or "killed by SIGKILL" in log

    def steps(self, argv, **env):
        """
        Which calls are spoilt, each as (name, the how manieth of that name): of each
        kind (what it does, to which file) the first and the last, and every tenth of
        all.  The rest are pages and frames of the database, one after the other.
        """
        done, hit = self.attempt(argv, **env)
        assert done.returncode == 0 and not hit, done
        kinds = re.findall(r"(?m)^\d+ +((\w+)\([^,)]*)", self.log.read_text(errors="replace"))
        first_or_last = {f(i for i, k in enumerate(kinds) if k == kind)
                         for kind in kinds for f in (min, max)}
        names = [name for _, name in kinds]
        return [(names[i], names[:i + 1].count(names[i]))
                for i in sorted(first_or_last | set(range(0, len(kinds), 10)))]

    def sound(self, which, new):
        """Exactly the old or exactly the new key opens, and all unseals."""
        e = self.emcli
        opens = agent_opens if which == "agent" else admin_opens
        old = e.agent_key if which == "agent" else e.admin_key
        is_new = new is not None and opens(e, new)
        assert not (is_new and opens(e, old))
        # And that the one in force opens.
        keys = {"agent": e.agent_key, "admin": e.admin_key}
        keys[which] = new if is_new else old
        unseals(e, keys["agent"], keys["admin"])
        return is_new


@pytest.fixture
def lab(work, tmp_path):
    return Lab(work, tmp_path)


def sweep(lab, argv, inject, check, **env):
    """Spoils one call at a time; how often that was done."""
    steps = lab.steps(argv, **env)
    for name, n in steps:
        done, hit = lab.attempt(argv, f"{name}:{inject}:when={n}", **env)
        assert hit, (name, n)
        check(done)
    return len(steps)


@pytest.mark.parametrize("which, inject", [
    ("admin", "signal=KILL"), ("agent", "error=EIO")])
def test_rotation_spoilt_at_any_write(lab, which, inject):
    new, fates = cli.key(), set()

    def check(done):
        is_new = lab.sound(which, new)
        fates.add(is_new)
        if done.returncode == 0:
            assert is_new

    assert sweep(lab, ROTATE[which], inject, check, EMCLI_NEW_KEY=new) > 5
    assert fates == {False, True}


def test_generated_key_is_known_whenever_it_is_in_force(lab):
    def check(done):
        said = done.stdout.decode().strip()
        lab.sound("agent", said or None)

    assert sweep(lab, (*ROTATE["agent"], "--generate"), "signal=KILL", check) > 5


@pytest.mark.parametrize("inject", ["signal=KILL", "error=ENOSPC"])
def test_rewrapping_spoilt_at_any_write(lab, inject):
    def check(done):
        unseals(lab.emcli, lab.emcli.agent_key, lab.emcli.admin_key)

    assert sweep(lab, REWRAP, inject, check) > 5


def test_rotation_killed_at_any_time(lab):
    """No step chosen: the kill comes when it comes."""
    for _ in range(8):
        lab.restore()
        new = cli.key()
        env = lab.emcli.environment(EMCLI_ADMIN_KEY=lab.emcli.admin_key,
                                    EMCLI_NEW_KEY=new)
        p = subprocess.Popen([lab.emcli.binary, *ROTATE["agent"]], env=env,
                             stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 0.1))
        p.send_signal(signal.SIGKILL)
        p.wait()
        lab.sound("agent", new)


def test_rotations_at_the_same_time_leave_one_key(work):
    keys = [cli.key() for _ in range(6)]
    env = [work.environment(EMCLI_ADMIN_KEY=work.admin_key, EMCLI_NEW_KEY=k)
           for k in keys]
    at_once = [subprocess.Popen([work.binary, *ROTATE["agent"]], env=v,
                                stdout=subprocess.DEVNULL) for v in env]
    assert [p.wait() for p in at_once] == [0] * len(keys)
    opening = [k for k in keys if agent_opens(work, k)]
    assert len(opening) == 1 and not agent_opens(work, work.agent_key)
    unseals(work, opening[0], work.admin_key)


# -- where keys come from


def test_keys_from_files_and_credentials(work, tmp_path):
    agent, admin = tmp_path / "emcli-key", tmp_path / "emcli-admin-key"
    agent.write_text(work.agent_key + "\n")
    admin.write_text(work.admin_key)
    for p in agent, admin:
        p.chmod(0o400)
    box = ["folders", "--account", "work"]
    assert run(work, box, EMCLI_KEY_FILE=str(agent)).rc == 0
    assert run(work, ["account", "list"], EMCLI_ADMIN_KEY_FILE=str(admin)).rc == 0
    both = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert run(work, box, **both).rc == 0
    assert run(work, ["account", "list"], **both).rc == 0
    # The variable goes first, and a wrong one is not helped by the rest.
    wrong = run(work, box, agent=cli.key(), EMCLI_KEY_FILE=str(agent), **both)
    assert wrong.code == "config"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_key_file_open_to_others_is_refused(work, tmp_path, mode):
    path = tmp_path / "key"
    path.write_text(work.agent_key)
    path.chmod(mode)
    r = run(work, ["folders", "--account", "work"], EMCLI_KEY_FILE=str(path))
    assert r.code == "config"
    said = r.json["error_detail"]["message"]
    assert "chmod 600" in said and str(tmp_path) not in r.out.decode()
    r = run(work, ["account", "list"], EMCLI_ADMIN_KEY_FILE=str(path))
    assert r.rc != 0 and b"chmod 600" in r.err
    # What needs no key works all the same.
    assert run(work, ["version"], EMCLI_KEY_FILE=str(path)).rc == 0


@pytest.mark.parametrize("make, part", [
    (lambda p: p.mkdir(), "not a regular file"),
    (lambda p: os.mkfifo(p, 0o600), "not a regular file"),
    (lambda p: p.touch(0o600), "has no key"),
    (lambda p: None, "cannot be read"),
])
def test_what_is_no_key_file(work, tmp_path, make, part):
    path = tmp_path / "key"
    make(path)
    r = run(work, ["folders", "--account", "work"], EMCLI_KEY_FILE=str(path))
    assert r.code == "config" and part in r.json["error_detail"]["message"]
