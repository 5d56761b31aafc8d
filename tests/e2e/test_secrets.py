"""Planted secrets turn up nowhere: no output, no database page, no /proc."""
import os
import pathlib
import time

from mail import message

SECRET = "hunter2-planted-Zq9"
BOX = ("--account", "work", "--folder", "INBOX")


def everything(emcli):
    """What every command says, well or badly."""
    runs = [
        emcli.run("list", *BOX), emcli.run("get", *BOX, "--uid", "1"),
        emcli.run("search", *BOX, "--text", "x"),
        emcli.run("ack", *BOX, "--uid", "1"), emcli.run("doctor"),
        emcli.run("folders", "--account", "work"),
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
    return [SECRET.encode(), emcli.agent_key.encode(), emcli.admin_key.encode()]


def test_no_output_and_no_file_shows_a_secret(emcli, dovecot, postfix):
    dovecot.deliver("agent", message())
    emcli.account_imap(dovecot, postfix, password=SECRET)
    said = everything(emcli)
    files = [p for p in emcli.folder.rglob("*") if p.is_file()]
    assert emcli.db in files
    for secret in planted(emcli):
        assert secret not in said
        for f in files:
            assert secret not in f.read_bytes(), f
            assert secret.rstrip(b"=") not in f.read_bytes(), f


def test_a_command_that_runs_hides_its_keys(emcli, dovecot):
    """The one that waits is looked at: environment, arguments, its dump."""
    import socket
    with socket.create_server(("127.0.0.1", 0)) as quiet:
        emcli.account_imap(dovecot, password=SECRET,
                           imap_port=quiet.getsockname()[1])
        emcli.admin("config", "set", "timeout_seconds", "5")
        env = emcli.environment(EMCLI_KEY=emcli.agent_key)
        p = emcli.start(["list", *BOX], env)
        peer, _ = quiet.accept()
        time.sleep(0.3)
        proc = pathlib.Path("/proc/%d" % p.pid)
        shown = (proc / "cmdline").read_bytes()
        if os.getuid() == 0:
            shown += (proc / "environ").read_bytes()
        p.communicate(timeout=60)
        peer.close()
    for secret in planted(emcli):
        assert secret not in shown


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
