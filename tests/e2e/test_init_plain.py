# SPDX-License-Identifier: Apache-2.0
"""emcli init by lines and by options, and what is left when it is killed."""

import fcntl
import os
import shutil
import subprocess

import pytest

import cli
import killsteps
from firstrun import ADDRESS, PASSWORD, First, finish, flags, keys, plain, to_login
from firstrun import to_servers, to_who
from firstrun import first  # noqa: F401


# -- plain prompts


PLAIN = {
    "dumb": {"TERM": "dumb"},
    # What a terminal looks like where there is no terminfo for it.
    "unknown": {"TERM": "no-such-terminal"},
    "none": {"TERM": None},
    "asked for": {"argv": ["--no-tui"]},
}


@pytest.mark.parametrize("how", PLAIN)
def test_first_run_by_lines(first, dovecot, how):
    env = dict(PLAIN[how])
    with first.screen(*env.pop("argv", []), **env) as s:
        plain(first, dovecot, s, wrong=how == "dumb")
    assert first.healthy()


def test_lines_go_back_and_can_be_given_up(first):
    with first.screen(TERM="dumb") as s:
        s.wait(r"Make the keys now[^\n]*:$")
        s.press("Enter")
        s.wait(r"put away[^\n]*:$")
        s.type("y")
        s.press("Enter")
        s.wait(r"Mail is kept by[^\n]*:$")
        s.press("Enter")
        s.wait(r"Mail address[^\n]*:$")
        s.type("no address")
        s.press("Enter")
        s.wait(r"! [^\n]*\nMail address[^\n]*:$")
        s.type("<")
        s.press("Enter")
        s.wait(r"put away[^\n]*:$")
        s.press("C-c")
        assert s.end() != 0
    assert first.nothing()


# -- options alone


def test_first_run_by_flags(first, dovecot):
    r = flags(first, dovecot)
    assert r.rc == 0 and r.out.startswith(b"made "), str(r)
    assert b"added lab" in r.out and PASSWORD.encode() not in r.out
    assert first.healthy()


def test_the_same_comes_of_every_face(tmp_path, dovecot):
    done = []
    for face in "forms", "lines", "flags":
        first = First(tmp_path / face / "home")
        if face == "flags":
            assert flags(first, dovecot).rc == 0
        else:
            with first.screen(TERM="dumb" if face == "lines" else "xterm") as s:
                if face == "lines":
                    plain(first, dovecot, s)
                else:
                    to_who(first, s)
                    to_servers(s)
                    to_login(dovecot, s)
                    assert finish(s) == 0
        done.append(first.rows())
    assert done[0] == done[1] == done[2]


@pytest.mark.parametrize("left_out, says", [
    ("--from", "--from is missing"),
    ("--imap-host", "--imap-host is missing"),
    ("--password-stdin", "--password-file or --password-stdin is missing"),
])
def test_what_no_flag_says_is_named(first, dovecot, left_out, says):
    argv = ["init", "--from", ADDRESS, "--imap-host", "localhost", "--imap-port",
            str(dovecot.imaps), "--ca", dovecot.ca, "--password-stdin"]
    at = argv.index(left_out)
    del argv[at:at + (1 if left_out == "--password-stdin" else 2)]
    r = first.admin(*argv, stdin=PASSWORD, env={"EMCLI_DB": str(first.db)})
    assert r.rc == 2 and says in r.err.decode(), str(r)
    assert first.nothing()


@pytest.mark.parametrize("flag, value", [
    ("--mode", "XX"), ("--imap-port", "0"), ("--account", "a b"),
    ("--allow-in", "everybody"), ("--ca", "/nonexistent"),
    ("--whitelist-in", "maybe"),
])
def test_bad_flags_change_nothing(first, dovecot, flag, value):
    r = flags(first, dovecot, f"{flag}={value}")
    assert r.rc == 2 and r.out == b"", str(r)
    assert first.nothing()


def test_flags_that_do_not_work_are_not_kept(first, dovecot):
    r = flags(first, dovecot, stdin="wrong")
    assert r.rc == 1 and b"imap.login" in r.err, str(r)
    assert first.nothing()
    r = flags(first, dovecot, "--no-test", stdin="wrong")
    assert r.rc == 0, str(r)
    r = first.run("doctor", env={"EMCLI_DB": str(first.db)})
    assert r.rc == 1 and r.json["data"]["ok"] is False


def test_flags_for_sending_and_lists(first, dovecot):
    r = flags(first, dovecot, "--mode", "RW", "--no-test", "--smtp-host", "localhost",
              "--account", "work", "--whitelist-in", "on", "--allow-in",
              "Boss@Them.example", "@us.example", "--allow-out", "@us.example")
    assert r.rc == 0, str(r)
    accounts, lists, _ = first.rows()
    a = accounts[0]
    assert (a["name"], a["mode"], a["smtp_port"], a["smtp_security"]) == (
        "work", "RW", 465, "tls")
    assert a["whitelist_in_enabled"] == a["whitelist_out_enabled"] == 1
    assert lists == [[("@us.example",), ("boss@them.example",)], [("@us.example",)]]


def test_known_servers_want_a_yes(first):
    argv = ["init", "--from", "me@gmail.com", "--password-stdin", "--no-test"]
    env = {"EMCLI_DB": str(first.db)}
    r = first.admin(*argv, stdin="x", env=env)
    assert r.rc == 2 and b"--imap-host is missing" in r.err, str(r)
    assert first.nothing()
    r = first.admin(*argv, "--yes", stdin="x", env=env)
    assert r.rc == 0 and b"imap.gmail.com, port 993" in r.out, str(r)
    a = first.rows()[0][0]
    assert (a["imap_host"], a["imap_port"], a["username"]) == (
        "imap.gmail.com", 993, "me@gmail.com")
    # Google's servers fill Sent themselves: a switch of the account.
    assert a["sent_copy"] == 0


SEND = ("--from", "somebody@icloud.com", "--mode", "RW", "--password-stdin", "--yes", "--no-test")


@pytest.mark.parametrize("given, columns", [
    ((), ("imap.mail.me.com", "smtp.mail.me.com", 587, "starttls")),
    # What is assumed anyway was given all the same.
    (("--smtp-security", "tls"), ("imap.mail.me.com", "smtp.mail.me.com", 465, "tls")),
    # Another's server is not to be sent this one's password.
    (("--imap-host", "imap.example"), ("imap.example", None, 0, None)),
    (("--imap-host", "imap.example", "--smtp-host", "smtp.example"),
     ("imap.example", "smtp.example", 465, "tls")),
])
def test_what_was_given_is_not_replaced(first, given, columns):
    env = {"EMCLI_DB": str(first.db)}
    r = first.admin("init", *SEND, *given, stdin=PASSWORD, env=env)
    assert r.rc == 0, str(r)
    [account] = first.rows()[0]
    names = "imap_host", "smtp_host", "smtp_port", "smtp_security"
    assert tuple(account[k] for k in names) == columns


@pytest.mark.parametrize("argv", [(), SEND])
def test_nothing_comes_back_of_a_store_that_was_removed(first, argv):
    """Agents leave the log of the database behind; it is of no other one."""
    env = {"EMCLI_DB": str(first.db)}
    assert first.admin("init", env=env).rc == 0
    first.run("list", "--account", "old", "--folder", "INBOX", env=env)
    assert (first.db.parent / "emcli.db-wal").stat().st_size > 0
    first.db.unlink()
    first.agent_key, first.admin_key = cli.key(), cli.key()
    r = first.admin("init", *argv, stdin=PASSWORD, env=env)
    assert r.rc == 0, str(r)
    assert first.admin("account", "list", env=env).rc == 0
    assert [row for row in first.rows()[2] if row[1] == "old"] == []
    assert len(first.rows()[0]) == len(first.rows()[2]) == (1 if argv else 0)


def test_who_holds_the_folder_does_not_hold_us_up(first):
    first.db.parent.mkdir(parents=True)
    fd = os.open(first.db.parent, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    env = {"EMCLI_DB": str(first.db)}
    r = first.admin("init", *SEND, stdin=PASSWORD, env=env)
    assert r.rc == 1 and b"another process is creating a database" in r.err, str(r)
    assert first.nothing()
    os.close(fd)
    assert first.admin("init", *SEND, stdin=PASSWORD, env=env).rc == 0


def test_keys_are_not_made_for_nobody(first):
    for left_out, says in [("EMCLI_ADMIN_KEY", "EMCLI_ADMIN_KEY"),
                           ("EMCLI_KEY", "EMCLI_KEY is not set")]:
        r = first.admin("init", env={left_out: None, "EMCLI_DB": str(first.db)})
        assert r.rc == 1 and says in r.err.decode(), str(r)
    assert first.nothing()


# Everything by which something comes to be on the disk.
WRITES = ("pwrite64", "ftruncate", "fsync", "fdatasync", "link", "linkat", "unlink", "unlinkat")


def traced(first, argv, env, *options):
    return subprocess.run(["strace", "-f", "-qq", "-o", first.folder.parent / "trace", "-e",
                           "trace=" + ",".join(WRITES), *options, *argv],
                          env=env, input=PASSWORD.encode(), capture_output=True, timeout=60)


def scene(folder, saved):
    """As it was before."""
    shutil.rmtree(folder, ignore_errors=True)
    if saved.exists():
        shutil.copytree(saved, folder)


@pytest.mark.parametrize("before", ["nothing", "a store"])
def test_killed_while_writing_leaves_all_or_nothing(first, tmp_path, before):
    folder, saved = first.db.parent, tmp_path / "saved"
    argv = [first.binary, "init", "--from", ADDRESS, "--imap-host", "localhost",
            "--password-stdin", "--no-test", "--whitelist-in", "on",
            "--allow-in", "a@x.example", "@y.example"]
    env = first.env(**keys(first), ASAN_OPTIONS="detect_leaks=0")
    if before == "a store":
        assert first.admin("init", env={"EMCLI_DB": str(first.db)}).rc == 0
        shutil.copytree(folder, saved)
    assert traced(first, argv, env).returncode == 0
    todo = killsteps.chosen((first.folder.parent / "trace").read_text(errors="replace"), WRITES)
    seen = set()
    for call, n in [*todo, ("pwrite64", 60000)]:
        scene(folder, saved)
        done = traced(first, argv, env, "-e", f"inject={call}:signal=KILL:when={n}")
        killed = done.returncode in (-9, 137)
        assert killed or done.returncode == 0, done.stderr
        if not first.db.exists():
            assert before == "nothing" and killed
            seen.add("none")
        else:
            accounts, lists, audit = first.rows()
            if accounts:
                assert [a["name"] for a in accounts] == ["lab"] and len(lists[0]) == 2
                assert audit[-1] == ("operator", "lab", "account.add", "allowed", "ok")
            else:
                # Half of one would be a new store without its account.
                assert before == "a store" and lists == [[], []] and killed
            seen.add("all" if accounts else "none")
            # Which the same keys go on opening.
            env2 = {"EMCLI_DB": str(first.db)}
            assert first.admin("account", "list", env=env2).rc == 0
    assert not killed and len(todo) > 10 and seen == {"none", "all"}
