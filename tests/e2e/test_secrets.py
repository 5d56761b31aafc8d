# SPDX-License-Identifier: Apache-2.0
"""Planted secrets turn up nowhere: no output, no database page, no /proc."""
import base64
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

import pytest

import cli
import imapd
from mail import message

SECRET = "hunter2-planted-Zq9-and-long-enough"
TOKEN = "ya29.planted-token-7Kw-and-long-enough"
BOX = ("--account", "work", "--folder", "INBOX")


def everything(emcli):
    """What every command says, well or badly."""
    runs = [
        emcli.run("list", *BOX), emcli.run("get", *BOX, "--uid", "1"),
        emcli.run("search", *BOX, "--text", "x"),
        emcli.run("ack", *BOX, "--uid", "1"), emcli.run("doctor"),
        emcli.run("folders", "--account", "work"), emcli.admin("doctor"),
        emcli.run("folders", "--account", "token"),
        emcli.run("send", "--account", "work", "--to", "bob@lab.example",
                  "--subject", "s", "--body", "b"),
        emcli.run("list", "--nonsense"), emcli.run("account", "list"),
        emcli.admin("account", "list"), emcli.admin("audit", "list"),
        emcli.admin("account", "list", "--json"),
        emcli.admin("audit", "list", "--json"),
        emcli.admin("config", "list"), emcli.admin("help"),
    ]
    return b"".join(r.out + r.err for r in runs)


def planted(emcli):
    return [SECRET.encode(), TOKEN.encode(), emcli.agent_key.encode(),
            emcli.admin_key.encode()]


def spellings(secret):
    """As it is, and as it would look in base64 at any offset, or in hex."""
    yield secret
    yield secret.rstrip(b"=")
    yield secret.hex().encode()
    for pad in range(3):
        coded = base64.b64encode(b"x" * pad + secret).rstrip(b"=")
        # What shares a character with its neighbours differs; the rest is it.
        yield coded[4:-4] if pad else coded[:-4]


def test_no_output_and_no_file_shows_a_secret(emcli, dovecot, postfix, tmp_path):
    """Every page of the database, its log, and all that any command says."""
    dovecot.deliver("agent", message())
    emcli.account_imap(dovecot, postfix, password=SECRET)
    emcli.account_imap(dovecot, postfix, name="token", password=TOKEN,
                       auth="oauth2")
    said = everything(emcli)
    secrets = planted(emcli)
    new = cli.key()
    r = emcli.admin("key", "rotate", "--agent", env={"EMCLI_NEW_KEY": new})
    said += r.out + r.err
    emcli.agent_key = new
    r = emcli.admin("key", "rewrap", "--dek")
    assert r.rc == 0, str(r)
    path = tmp_path / "key"
    path.write_text(new + "\n")
    path.chmod(0o644)
    for env in ({"EMCLI_KEY_FILE": str(path)}, {"EMCLI_KEY": "x" + new},
                {"EMCLI_ADMIN_KEY": new}):
        r = emcli.run("doctor", env={"EMCLI_KEY": None, **env})
        assert r.rc != 0
        said += r.out + r.err
    said += r.out + r.err + everything(emcli)
    files = [p for p in emcli.folder.rglob("*") if p.is_file()]
    assert emcli.db in files
    for secret in (*secrets, new.encode()):
        for text in spellings(secret):
            assert text not in said
            for f in files:
                assert text not in f.read_bytes(), (f, text)


# -- a command at work


def plain_binary():
    """One without sanitizers, which lock no memory and dump on purpose."""
    for name in (os.environ.get("EMCLI_PLAIN"), cli.built(), cli.ROOT / "build" / "emcli"):
        if name and os.path.exists(name):
            if b"__asan_init" not in pathlib.Path(name).read_bytes():
                return str(cli.reachable(pathlib.Path(name).resolve()))
    raise RuntimeError("no emcli without sanitizers: run make")


class Waiting:
    """emcli, in the middle of a login at a server that says nothing more."""

    def __init__(self, emcli, server, argv, env):
        emcli.binary = plain_binary()
        # As much core as may be had here, and where it would be seen.
        def before():
            most = resource.getrlimit(resource.RLIMIT_CORE)[1]
            resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        self.folder = emcli.folder / "cwd"
        self.folder.mkdir(exist_ok=True)
        self.p = subprocess.Popen(
            [emcli.binary, *argv], env=emcli.environment(**env),
            cwd=self.folder, preexec_fn=before, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 20
        while not any(b"AUTHENTICATE" in x or b"LOGIN" in x
                      for x in server.said()):
            assert time.monotonic() < end and self.p.poll() is None
            time.sleep(0.02)
        self.proc = pathlib.Path(f"/proc/{self.p.pid}")

    def kill(self, sig):
        self.p.send_signal(sig)
        self.p.communicate(timeout=20)


@pytest.fixture
def silent(emcli, certs):
    with imapd.Imapd(*certs.good[:2], fault=("login", "stall")) as server:
        r = emcli.admin("account", "add", "work", "--imap-host", "localhost",
                        "--imap-port", server.port, "--username", "me", "--ca",
                        certs.ca, "--password-stdin", stdin=SECRET)
        assert r.rc == 0, str(r)
        assert emcli.admin("config", "set", "timeout_seconds", "30").rc == 0
        yield emcli, server


def key_places(emcli, tmp_path):
    """The three places a key can come from, as environments."""
    path = tmp_path / "emcli-key"
    path.write_text(emcli.agent_key + "\n")
    path.chmod(0o600)
    return {"variable": {"EMCLI_KEY": emcli.agent_key},
            "file": {"EMCLI_KEY_FILE": str(path)},
            "credential": {"CREDENTIALS_DIRECTORY": str(tmp_path)},
            "all": {"EMCLI_KEY": emcli.agent_key, "EMCLI_NEW_KEY": emcli.admin_key,
                    "EMCLI_ADMIN_KEY": emcli.admin_key}}


@pytest.mark.parametrize("place", ["variable", "file", "credential", "all"])
def test_environment_and_arguments_show_no_key(silent, tmp_path, place):
    emcli, server = silent
    w = Waiting(emcli, server, ["list", *BOX], key_places(emcli, tmp_path)[place])
    shown = b"".join((w.proc / name).read_bytes()
                     for name in ("environ", "cmdline", "status", "maps"))
    w.kill(signal.SIGKILL)
    assert b"EMCLI_DB=" in shown, "it is the environment that was read"
    for secret in planted(emcli):
        for text in spellings(secret):
            assert text not in shown


def regions(proc):
    """(first, last, flags) of every mapping."""
    at = None
    for line in (proc / "smaps").read_text().splitlines():
        if m := re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line):
            at = int(m[1], 16), int(m[2], 16)
        elif re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            at = None
        elif line.startswith("VmFlags:") and at:
            yield (*at, line.split()[1:])


@pytest.mark.parametrize("argv", [["list", *BOX], ["doctor"]], ids=["list", "doctor"])
def test_secrets_lie_in_locked_memory_alone(silent, argv):
    """The whole memory is searched: with doctor that of the child too."""
    emcli, server = silent
    w = Waiting(emcli, server, argv, {"EMCLI_KEY": emcli.agent_key})
    kids = (w.proc / "task" / str(w.p.pid) / "children").read_text().split()
    assert len(kids) == (1 if argv == ["doctor"] else 0)
    found = {}
    for proc in [w.proc, *[pathlib.Path("/proc") / k for k in kids]]:
        locked = re.search(r"VmLck:\s+(\d+) kB", (proc / "status").read_text())
        assert int(locked[1]) > 0
        with open(proc / "mem", "rb", 0) as mem:
            for first, last, flags in regions(proc):
                try:
                    mem.seek(first)
                    text = mem.read(last - first)
                except (OSError, OverflowError):
                    continue  # vvar and its like
                for secret in planted(emcli):
                    if secret in text:
                        assert "lo" in flags and "dd" in flags, (
                            proc, hex(first), flags, secret)
                        found.setdefault(str(proc), set()).add(secret)
    w.kill(signal.SIGKILL)
    password, key = SECRET.encode(), emcli.agent_key.encode()
    if kids:
        assert found == {str(w.proc): {key}, f"/proc/{kids[0]}": {password}}
    else:
        assert found == {str(w.proc): {key, password}}


@pytest.mark.parametrize("sig", [signal.SIGSEGV, signal.SIGABRT, signal.SIGQUIT])
def test_a_crash_leaves_no_core(silent, sig):
    emcli, server = silent
    w = Waiting(emcli, server, ["list", *BOX], {"EMCLI_KEY": emcli.agent_key})
    limits = (w.proc / "limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits)
    os.kill(w.p.pid, sig)
    _, status = os.waitpid(w.p.pid, 0)
    assert os.WTERMSIG(status) == sig and not os.WCOREDUMP(status)
    w.p.returncode = -sig
    for pipe in w.p.stdout, w.p.stderr:
        pipe.close()
    assert list(w.folder.iterdir()) == []


def test_memory_that_cannot_be_locked_is_told(emcli, site):
    """Nobody is refused for it: a note, with what to do."""
    emcli.account_maildir(site.box("agent"))
    def before():
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))

    emcli.binary = plain_binary()
    env = emcli.environment(EMCLI_KEY=emcli.agent_key)
    # Root may lock what it likes, so root gives that right up first.
    done = subprocess.run(["setpriv", "--bounding-set=-ipc_lock",
                           "--inh-caps=-ipc_lock", emcli.binary, "doctor"],
                          env=env, preexec_fn=before, capture_output=True, timeout=60)
    checks = {c["check"]: c for c in json.loads(done.stdout)["data"]["checks"]}
    assert checks["memory"]["note"] and "ulimit -l" in checks["memory"]["next"]
    done = subprocess.run([emcli.binary, "doctor"], env=env, capture_output=True,
                          timeout=60)
    checks = {c["check"]: c for c in json.loads(done.stdout)["data"]["checks"]}
    assert "note" not in checks["memory"]


def test_the_database_is_for_its_owner_alone(emcli, tmp_path):
    assert emcli.db.stat().st_mode & 0o777 == 0o600
    deep = tmp_path / "made" / "by" / "init.db"
    assert emcli.admin("init", env={"EMCLI_DB": str(deep)}).rc == 0
    assert deep.parent.stat().st_mode & 0o777 == 0o700
    assert deep.stat().st_mode & 0o777 == 0o600
    for tail in ("-wal", "-shm"):
        side = pathlib.Path(str(emcli.db) + tail)
        if side.exists():
            assert side.stat().st_mode & 0o777 == 0o600


def test_agents_key_opens_no_operator_command(emcli):
    for argv in (["account", "list"], ["whitelist", "in", "list", "--account",
                 "work"], ["config", "get", "timeout_seconds"],
                 ["audit", "list"], ["account", "remove", "work", "--yes"]):
        r = emcli.run(*argv)
        assert r.rc != 0 and r.out == b""
        assert r.err.decode() == ("emcli: this command requires "
                                  "EMCLI_ADMIN_KEY (admin privilege)\n"), argv


def test_keys_fail_closed(emcli, site):
    emcli.account_maildir(site.path)
    for value in (None, "", "short", "A" * 44, emcli.agent_key + "\n",
                  emcli.agent_key[:-1]):
        r = emcli.call(["list", *BOX], emcli.environment(EMCLI_KEY=value),
                       None, 60)
        assert r.code == "config", value
    r = emcli.call(["list", *BOX], emcli.environment(), None, 60)
    assert r.json["error_detail"]["message"] == "EMCLI_KEY is not set"
    other = emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key)
    assert emcli.call(["list", *BOX], other, None, 60).rc == 0


def test_a_sealed_value_moved_to_another_account_is_refused(emcli, dovecot):
    import sqlite3
    emcli.account_imap(dovecot, name="a")
    emcli.account_imap(dovecot, name="b", password="another")
    with sqlite3.connect(emcli.db) as db:
        db.execute("update accounts set enc_password = (select enc_password "
                   "from accounts where name = 'a') where name = 'b'")
    db.close()
    r = emcli.run("list", "--account", "b", "--folder", "INBOX")
    assert r.code == "config"
