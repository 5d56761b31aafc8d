# SPDX-License-Identifier: Apache-2.0
"""The operator's commands: who may run them, what they check, what they keep."""
import base64
import json
import os
import pathlib
import pty
import re
import select
import shutil
import sqlite3
import stat
import subprocess
import time

import pytest

import cli

NEEDS_ADMIN = b"emcli: this command requires EMCLI_ADMIN_KEY (admin privilege)\n"
PASSWORD = "correct horse battery staple"
IMAP = ("--imap-host", "imap.lab.example", "--username", "me@lab.example")


def good(r):
    assert r.rc == 0 and r.err == b"", str(r)
    return r.out.decode()


def bad(r, part, rc=2):
    assert r.rc == rc and r.out == b"", str(r)
    line = r.err.decode()
    assert line.startswith("emcli: ") and line.count("\n") == 1, line
    assert part in line, line


def accounts(emcli):
    r = emcli.admin("account", "list", "--json")
    return {a["name"]: a for a in json.loads(good(r))["accounts"]}


def add(emcli, name, *argv, stdin=PASSWORD):
    return emcli.admin("account", "add", name, "--password-stdin", *argv,
                       stdin=stdin)


@pytest.fixture
def work(emcli):
    good(add(emcli, "work", *IMAP))
    return emcli


# -- keys and init


def test_key_is_32_bytes_and_new_each_time(tmp_path):
    e = cli.Emcli(tmp_path)
    keys = [e.call(["key", "generate"], {}, None, 10) for _ in range(2)]
    assert keys[0].out != keys[1].out
    for k in keys:
        assert k.rc == 0 and k.out.count(b"\n") == 1
        assert len(base64.b64decode(k.out.strip(), validate=True)) == 32


def test_init_makes_a_private_database_and_prints_no_key(tmp_path):
    e = cli.Emcli(tmp_path / "home")
    e.db = tmp_path / "home" / "deep" / "emcli.db"
    out = good(e.admin("init"))
    assert str(e.db) in out and "EMCLI_KEY" in out and "EMCLI_DB" in out
    assert e.admin_key not in out and e.agent_key not in out
    assert stat.S_IMODE(e.db.stat().st_mode) == 0o600
    assert stat.S_IMODE(e.db.parent.stat().st_mode) == 0o700


def test_init_twice_keeps_the_key_and_the_accounts(work):
    db = sqlite3.connect(work.db)
    wraps = "SELECT key, value FROM settings WHERE key LIKE 'dek%'"
    before = sorted(db.execute(wraps))
    again = good(work.admin("init"))
    assert again.startswith("kept") and "Next: emcli doctor" in again
    assert sorted(db.execute(wraps)) == before and len(before) == 2
    assert list(accounts(work)) == ["work"]


def test_init_needs_both_keys(tmp_path):
    e = cli.Emcli(tmp_path)
    bad(e.admin("init", env={"EMCLI_KEY": None}), "EMCLI_KEY is not set", 1)
    assert e.run("init").err == NEEDS_ADMIN
    assert not e.db.exists()


def test_init_with_other_keys_is_refused(emcli):
    bad(emcli.admin("init", env={"EMCLI_ADMIN_KEY": cli.key()}), "", 1)


@pytest.mark.parametrize("command", [
    "init", "account add x", "account add", "account list", "account remove x --yes",
    "whitelist in add --account x a@b.example", "whitelist out list --account x",
    "whitelist in off --account x", "config set timeout_seconds 5",
    "config get timeout_seconds", "config list", "audit list", "audit list --nope",
])
def test_the_agents_key_opens_no_operator_command(emcli, command):
    r = emcli.run(*command.split())
    assert r.rc == 1 and r.out == b"" and r.err == NEEDS_ADMIN


def test_the_agents_key_in_the_admins_place_opens_nothing(emcli):
    env = {"EMCLI_ADMIN_KEY": emcli.agent_key, "EMCLI_KEY": None}
    assert emcli.run("account", "list", env=env).rc == 1


def test_an_agents_try_is_in_the_audit_log(emcli):
    emcli.run("whitelist", "in", "off", "--account", "work")
    row = json.loads(good(emcli.admin("audit", "list", "--json")))["audit"][0]
    assert row["action"] == "whitelist.in.off" and row["result"] == "blocked"


@pytest.mark.parametrize("command", ["account list", "whitelist in off --account x", "init"])
@pytest.mark.parametrize("given", ["another store's", "no key", "the agent's"])
def test_a_try_with_a_wrong_admin_key_is_in_the_audit_log(emcli, command, given):
    wrong = {"another store's": cli.key(), "no key": "x", "the agent's": emcli.agent_key}[given]
    # Without the agents' key there is nothing that may write.
    for agent, rows in (None, 0), (cli.key(), 0), (emcli.agent_key, 1):
        r = emcli.run(*command.split(), env={"EMCLI_ADMIN_KEY": wrong, "EMCLI_KEY": agent})
        assert r.rc == 1 and r.out == b"", str(r)
        audit = json.loads(good(emcli.admin("audit", "list", "--json")))["audit"]
        tries = [row for row in audit if row["action"] == "operator"]
        assert len(tries) == rows
    assert tries[0]["principal"] == "unknown" and tries[0]["result"] == "blocked"


def test_many_tries_with_a_wrong_admin_key_leave_few_rows(emcli):
    began = time.time()
    for _ in range(30):
        emcli.run("account", "list", env={"EMCLI_ADMIN_KEY": cli.key()})
    audit = json.loads(good(emcli.admin("audit", "list", "--json")))["audit"]
    tries = [row["time"] for row in audit if row["action"] == "operator"]
    assert 0 < len(tries) <= time.time() - began + 2
    assert len(set(tries)) == len(tries)


def test_half_a_command_is_told_what_is_missing(emcli):
    bad(emcli.admin("whitelist", "in"), "needs another word")
    bad(emcli.admin("account"), "needs another word")


# -- account add


def test_account_has_the_defaults_that_are_documented(work):
    a = accounts(work)["work"]
    assert a["backend"] == "imap" and a["mode"] == "RO" and a["auth"] == "password"
    assert (a["imap_port"], a["imap_security"]) == (993, "tls")
    assert a["from"] == "me@lab.example" and a["has_password"] is True
    assert not a["whitelist_in"] and a["whitelist_out"]
    assert not a["process_backlog"] and a["smtp_host"] == ""


@pytest.mark.parametrize("security, imap, smtp", [
    ("tls", 993, 465), ("starttls", 143, 587)])
def test_ports_follow_the_security(emcli, security, imap, smtp):
    good(add(emcli, "a", *IMAP, "--imap-security", security, "--smtp-host", "s.example",
             "--smtp-security", security, "--mode", "RW"))
    a = accounts(emcli)["a"]
    assert (a["imap_port"], a["smtp_port"]) == (imap, smtp)


def test_all_settings_are_kept(emcli, tmp_path):
    ca = tmp_path / "ca.pem"
    ca.write_text("x")
    pin = base64.b64encode(bytes(32)).decode()
    (tmp_path / "out").mkdir()
    r = emcli.call(
        ["account", "add", "a", "--mode", "RW", "--username", "login",
         "--from", "Me@Lab.Example", "--imap-host", "i.example", "--imap-port", "1143",
         "--smtp-host", "s.example", "--smtp-port", "1587", "--ca", str(ca),
         "--pin", pin, "--whitelist-in", "on", "--whitelist-out", "on",
         "--subject-regex", "^ticket", "--process-backlog", "--attach-dir",
         os.path.relpath(tmp_path / "out"), "--auth", "oauth2", "--password-stdin"],
        emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key), "token", 10)
    assert "will not be refreshed" in good(r)
    a = accounts(emcli)["a"]
    assert a == {
        "name": "a", "backend": "imap", "mode": "RW", "from": "me@lab.example",
        "username": "login", "auth": "oauth2", "imap_host": "i.example",
        "imap_port": 1143, "imap_security": "tls", "smtp_host": "s.example",
        "smtp_port": 1587, "smtp_security": "tls", "ca": str(ca), "pin": pin,
        "path": "", "attach_dir": str(tmp_path / "out"), "url": "", "list": "",
        "list_folder": "", "drafts_folder": "", "sent_folder": "", "thread_url": "",
        "whitelist_in": True, "whitelist_auth": "none",
        "whitelist_out": True, "subject_regex": "^ticket", "authserv_id": "",
        "process_backlog": True,
        "quirk_id": "auto", "quirk_sasl_ir": True, "sent_copy": True,
        "outbound": "send", "organise": "off", "organise_folders": "", "limit_organise": 2000, "scope": "any", "forward": False, "signature_file": "", "html_copy": False, "taint": 0, "secrets_check": True,
        "check_unfinished": True,
        "limit_messages": 0, "limit_new_recipients": 0, "limit_bytes": 0,
        "limit_recipients": 0, "has_password": True,
            "mail": "i.example:1143", "smtp": "s.example:1587"}


@pytest.mark.parametrize("argv, part", [
    (("--imap-host", "h"), "--username is missing"),
    (("--username", "u"), "--imap-host is missing"),
    (("--backend", "pop3"), "unknown backend \"pop3\""),
    (("--backend", "maildir"), "--path is missing"),
    (("--backend", "maildir", "--path", "/", "--imap-port", "1"),
     "--imap-port does not go with --backend maildir"),
    ((*IMAP, "--path", "/"), "--path does not go with --backend imap"),
    ((*IMAP, "--mode", "rw"), "RO|RW"),
    ((*IMAP, "--imap-port", "0"), "1 to 65535"),
    ((*IMAP, "--imap-port", "65536"), "1 to 65535"),
    ((*IMAP, "--smtp-port", "25"), "--smtp-host is missing"),
    ((*IMAP, "--imap-security", "none"), "tls|starttls"),
    (("--imap-host", "a b", "--username", "u"), "--imap-host is not a host name"),
    (("--imap-host", "h\r\nX", "--username", "u"), "--imap-host is not a host name"),
    (("--imap-host", "h", "--username", "u", "--mode", "RW"), "--from is missing"),
    ((*IMAP, "--from", "nobody"), "mail address"),
    ((*IMAP, "--ca", "/nonexistent/ca.pem"), "--ca cannot be read"),
    ((*IMAP, "--ca", "/"), "--ca is not a file"),
    ((*IMAP, "--attach-dir", "/nonexistent"), "--attach-dir cannot be read"),
    ((*IMAP, "--attach-dir", "/etc/passwd"), "--attach-dir is not a folder"),
    ((*IMAP, "--pin", "abc"), "--pin"),
    ((*IMAP, "--subject-regex", "("), "subject regex"),
    ((*IMAP, "--whitelist-in", "yes"), "on|off"),
    ((*IMAP, "--password", "x"), "unknown option"),
    ((*IMAP, "--password-file", "/etc/hostname"), "exclude each other"),
    ((*IMAP, "--password-command", "echo x"), "exclude each other"),
])
def test_settings_are_checked(emcli, argv, part):
    bad(add(emcli, "a", *argv), part)
    assert accounts(emcli) == {}


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a" * 65, "\u00e9", "a\x1b[0m"])
def test_names_are_plain(emcli, name):
    assert add(emcli, name, *IMAP).rc == 2
    assert accounts(emcli) == {}


def test_a_name_is_taken_once(work):
    bad(add(work, "work", *IMAP), "already")


def test_empty_password_is_refused(emcli):
    bad(add(emcli, "a", *IMAP, stdin="\n"), "empty", 1)


def test_without_a_terminal_the_password_must_come_from_somewhere(emcli):
    bad(emcli.admin("account", "add", "a", *IMAP), "--password-file")


def test_maildir_path_is_made_absolute(emcli, site):
    box = site.box("agent")
    good(emcli.admin("account", "add", "a", "--backend", "maildir", "--path",
                     os.path.relpath(box), "--from", "me@lab.example"))
    assert accounts(emcli)["a"]["path"] == str(box)


def test_what_the_policy_lets_through_is_said(emcli):
    out = good(add(emcli, "a", *IMAP, "--mode", "RW", "--smtp-host", "s.example"))
    assert "whitelist in is off" in out and "may write to nobody until" in out
    out = good(add(emcli, "o", *IMAP, "--mode", "RW", "--smtp-host", "s.example",
                   "--whitelist-out", "off"))
    assert "whitelist out is off" in out
    out = good(add(emcli, "b", *IMAP, "--mode", "RW", "--whitelist-in", "on"))
    assert "whitelist in add" in out and "no --smtp-host" in out


def test_password_is_sealed_and_never_shown(emcli, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(PASSWORD + "\n")
    secret.chmod(0o600)
    r = emcli.admin("account", "add", "work", *IMAP, "--password-file", secret)
    shown = good(r)
    for argv in (["account", "list"], ["account", "list", "--json"], ["audit", "list"],
                 ["config", "list"]):
        shown += good(emcli.admin(*argv))
    assert PASSWORD not in shown
    for f in pathlib.Path(emcli.folder).glob("emcli.db*"):
        assert PASSWORD.encode() not in f.read_bytes()


def converse(emcli, argv, answer, until):
    """Types the answer, or what it returns, at the prompt of a terminal; rc and all it showed."""
    pid, fd = pty.fork()
    if pid == 0:
        env = emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key)
        os.execve(emcli.binary, [emcli.binary, *argv], env)
    seen, deadline, typed = b"", time.time() + 20, False
    while time.time() < deadline:
        if not select.select([fd], [], [], 0.5)[0]:
            continue
        try:
            chunk = os.read(fd, 4096)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
        if until in seen and not typed:
            typed = True
            os.write(fd, answer() if callable(answer) else answer)
    os.close(fd)
    status = os.waitpid(pid, 0)[1]
    return os.waitstatus_to_exitcode(status), seen.decode()


def test_password_is_asked_for_without_echo(emcli):
    rc, seen = converse(emcli, ["account", "add", "a", *IMAP],
                        PASSWORD.encode() + b"\n", b"Password: ")
    assert rc == 0, seen
    assert PASSWORD not in seen
    assert accounts(emcli)["a"]["has_password"] is True


def test_interrupt_at_the_prompt_adds_nothing(emcli):
    rc, _ = converse(emcli, ["account", "add", "a", *IMAP], b"\x03", b"Password: ")
    assert rc != 0
    assert accounts(emcli) == {}


# -- account list, remove


def test_list_is_an_aligned_table(work):
    good(add(work, "another", *IMAP))
    lines = good(work.admin("account", "list")).splitlines()
    assert lines[0].startswith("NAME") and len(lines) == 3
    column = lines[0].index("BACKEND")
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)


def test_remove_wants_yes(work):
    bad(work.admin("account", "remove", "work"), "--yes is needed")
    assert "work" in accounts(work)
    out = good(work.admin("account", "remove", "work", "--yes"))
    assert "sealed credentials" in out and "audit log stays" in out
    assert accounts(work) == {}
    bad(work.admin("account", "remove", "work", "--yes"), "no such account", 1)


def test_remove_asks_at_a_terminal(work):
    argv = ["account", "remove", "work"]
    assert converse(work, argv, b"y\n", b"Type yes: ")[0] == 2
    assert "work" in accounts(work)
    assert converse(work, argv, b"yes\n", b"Type yes: ")[0] == 0
    assert accounts(work) == {}


# -- whitelist


def entries(emcli, which):
    out = good(emcli.admin("whitelist", which, "list", "--account", "work"))
    return [line for line in out.splitlines() if not line.startswith("note:")]


def test_entries_are_kept_in_canonical_form(work):
    wl = ("--account", "work")
    out = good(work.admin("whitelist", "in", "add", *wl, "Bob@B.Example", "@C.example."))
    assert "added bob@b.example" in out and "added @c.example" in out
    assert sorted(entries(work, "in")) == ["@c.example", "bob@b.example"]
    assert entries(work, "out") == []
    good(work.admin("whitelist", "in", "remove", *wl, "BOB@b.example"))
    assert entries(work, "in") == ["@c.example"]
    bad(work.admin("whitelist", "in", "remove", *wl, "x@y.example"), "", 1)


def test_one_bad_entry_and_nothing_is_added(work):
    for entry in "nonsense", "a@b@c", "@", "Bob <bob@b.example>", "a@b.example,c@d.example":
        r = work.admin("whitelist", "out", "add", "--account", "work", "ok@b.example", entry)
        assert r.rc == 2, str(r)
    assert entries(work, "out") == []


def test_an_entry_may_want_an_authenticated_sender(work):
    wl = ("--account", "work")
    out = good(work.admin("whitelist", "in", "add", *wl, "--auth", "dmarc", "z@b.example",
                          "c@b.example"))
    assert "added z@b.example (dmarc)" in out
    assert "costs a body per message" in out
    good(work.admin("whitelist", "in", "add", *wl, "d@b.example"))
    out = good(work.admin("whitelist", "in", "list", *wl))
    assert out.startswith("c@b.example dmarc\nd@b.example\nz@b.example dmarc\n")
    told = json.loads(good(work.admin("whitelist", "in", "list", "--json", *wl)))
    assert told["entries"] == ["c@b.example", "d@b.example", "z@b.example"]
    assert told["dmarc"] == ["c@b.example", "z@b.example"]
    # An entry is of one kind, and that it is weakened is said.
    out = good(work.admin("whitelist", "in", "add", *wl, "z@b.example"))
    assert "no longer requires dmarc" in out
    good(work.admin("whitelist", "in", "remove", *wl, "c@b.example", "z@b.example"))
    good(work.admin("account", "edit", "work", "--authserv-id", "mx.lab.example"))
    out = good(work.admin("whitelist", "in", "add", *wl, "--auth", "dmarc", "d@b.example"))
    assert "costs a body" not in out
    assert work.admin("whitelist", "out", "add", *wl, "--auth", "dmarc", "d@b.example").rc == 2


@pytest.mark.parametrize("value", ["mx;x", "a b", "@x", ".x", "x.", "\"mx\"", "x" * 254])
def test_an_authserv_id_is_a_name(work, value):
    r = work.admin("account", "edit", "work", "--authserv-id", value)
    assert r.rc == 2 and "--authserv-id" in r.err.decode()


def test_a_list_out_of_force_says_so(work):
    wl = ("--account", "work")
    out = good(work.admin("whitelist", "in", "add", *wl, "a@b.example"))
    assert "whitelist in is off for this account" in out
    good(work.admin("whitelist", "in", "on", *wl))
    assert accounts(work)["work"]["whitelist_in"] is True
    # One list is not the other.
    assert accounts(work)["work"]["whitelist_out"] is True
    assert "whitelist in is on" in good(work.admin("whitelist", "in", "list", *wl))
    assert "may write to nobody" in good(work.admin("whitelist", "out", "list", *wl))
    good(work.admin("whitelist", "out", "off", *wl))
    assert accounts(work)["work"]["whitelist_in"] is True
    assert "whitelist out is off" in good(work.admin("whitelist", "out", "list", *wl))
    told = json.loads(good(work.admin("whitelist", "in", "list", "--json", *wl)))
    assert told == {"account": "work", "list": "in", "in_force": True,
                    "entries": ["a@b.example"], "dmarc": []}
    assert "allows nobody" in good(work.admin("whitelist", "out", "on", *wl))
    good(work.admin("whitelist", "in", "off", *wl))
    assert accounts(work)["work"]["whitelist_in"] is False
    assert accounts(work)["work"]["whitelist_out"] is True


def test_whitelist_of_no_account(work):
    bad(work.admin("whitelist", "in", "add", "--account", "nope", "a@b.example"),
        "no such account", 1)
    good(work.admin("account", "remove", "work", "--yes"))
    bad(work.admin("whitelist", "in", "add", "a@b.example"), "emcli account add NAME", 1)


@pytest.mark.parametrize("entry, said", [
    ("*@x.example", "for a whole domain write @x.example"),
    ("x.example", "for a whole domain write @x.example"),
    ("Bob <bob@x.example>", "write only bob@x.example"),
    ("bob", '"bob" is not a mail address'),
])
def test_an_entry_that_is_none_is_told_how_to_write_it(work, entry, said):
    bad(work.admin("whitelist", "in", "add", entry), said)
    # One from before can go.
    assert work.admin("whitelist", "in", "remove", "*@x.example").rc != 2


# -- config


def test_settings_have_bounds_and_defaults(emcli):
    get = lambda k: good(emcli.admin("config", "get", k))
    assert get("audit_retention_days") == "90\n" and get("timeout_seconds") == "60\n"
    good(emcli.admin("config", "set", "audit_retention_days", "0"))
    good(emcli.admin("config", "set", "timeout_seconds", "0010"))
    assert get("audit_retention_days") == "0\n" and get("timeout_seconds") == "10\n"
    rows = {r[0]: r for r in (line.split(None, 4) for line in good(
        emcli.admin("config", "list")).splitlines())}
    assert rows["timeout_seconds"][1:4] == ["10", "60", "1-3600"]
    assert rows["audit_retention_days"][1:4] == ["0", "90", "0-36500"]
    assert all(len(r) == 5 for r in rows.values())
    told = json.loads(good(emcli.admin("config", "list", "--json")))["settings"]
    assert {"key": "timeout_seconds", "value": 10, "default": 60, "min": 1, "max": 3600,
            "range": "1-3600", "means": "seconds an operation may take"} in told
    for value in "0", "3601", "-1", "1.5", "ten", "":
        bad(emcli.admin("config", "set", "timeout_seconds", value), "")
    assert get("timeout_seconds") == "10\n"


def test_a_mistyped_setting_is_guessed(emcli):
    bad(emcli.admin("config", "set", "timeout_second", "5"), "did you mean timeout_seconds?")


def test_the_page_of_list_and_search_can_be_set(emcli, site):
    for n in range(3):
        site.deliver("agent", f"From: a@b.example\nSubject: {n}\n\nx\n".encode())
    emcli.account_maildir(site.box("agent"))
    for op in "list", "search":
        count = lambda *more: len(emcli.run(op, "--account", "work", "--folder", "INBOX",
                                            *more).data["messages"])
        good(emcli.admin("config", "set", "list_limit_default", "50"))
        assert count() == 3
        good(emcli.admin("config", "set", "list_limit_default", "2"))
        assert count() == 2 and count("--limit", "3") == 3
    for value in "0", "501":
        bad(emcli.admin("config", "set", "list_limit_default", value), "from 1 to 500")


@pytest.mark.parametrize("key", ["dek_wrap_admin", "dek_wrap_agent", "schema_version", "x"])
def test_the_stores_own_settings_are_nobodys(emcli, key):
    bad(emcli.admin("config", "set", key, "1"), "unknown setting")
    bad(emcli.admin("config", "get", key), "unknown setting")


# -- audit


def test_audit_is_a_table_newest_first(emcli, site):
    emcli.account_maildir(site.box("agent"))
    emcli.run("list", "--account", "work", "--folder", "INBOX")
    emcli.run("ack", "--account", "work", "--folder", "INBOX", "--uid", "7")
    lines = good(emcli.admin("audit", "list")).splitlines()
    assert lines[0].split() == ["TIME", "PRINCIPAL", "ACCOUNT", "ACTION", "TARGET",
                                "RESULT", "REASON", "OUTCOME"]
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ +agent +work +ack ", lines[1])
    assert " list " in lines[2] and " allowed " in lines[2]
    assert len(good(emcli.admin("audit", "list", "--limit", "1")).splitlines()) == 2


def test_audit_of_one_account(emcli, site):
    emcli.account_maildir(site.box("agent"), name="one")
    emcli.account_maildir(site.box("bob"), name="two", user="bob")
    for name in "one", "two":
        emcli.run("list", "--account", name, "--folder", "INBOX")
    rows = json.loads(good(emcli.admin("audit", "list", "--json", "--account", "two")))
    assert {r["account"] for r in rows["audit"]} == {"two"}


def test_an_agents_words_cannot_drive_the_operators_terminal(emcli, site):
    emcli.account_maildir(site.box("agent"))
    evil = "\x1b]0;owned\x07\x1b[2J\rINBOX\u202e"
    emcli.run("list", "--account", "work", "--folder", evil)
    emcli.run("list", "--account", evil, "--folder", "x")
    out = good(emcli.admin("audit", "list"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out)
    assert "owned" in out


def test_no_json_drives_a_terminal_or_turns_a_line(emcli, site):
    """What JSON lets stand as it is: DEL, C1, and the direction marks of UAX 9."""
    marks = "\x7f\x80\x9b31m\x9f\u061c\u200e\u200f\u202a\u202e\u2066\u2069"
    emcli.account_maildir(site.box("agent"))
    run = emcli.run("list", "--account", "work", "--folder", "box" + marks)
    told = [run.out, emcli.run("search", "--account", f"a{marks}", "--text", marks).out,
            emcli.run("load-skill", "--name", marks).out]
    good(emcli.admin("account", "edit", "work", "--subject-regex", "a" + marks))
    for argv in (("audit", "list", "--json"), ("audit", "export"),
                 ("account", "show", "work", "--json"), ("account", "list", "--json")):
        told.append(good(emcli.admin(*argv)).encode())
    for out in told:
        assert not set(out.decode()) & set(marks) - set("31m"), out
    assert marks in json.loads(told[5])["subject_regex"]


def test_stdout_that_cannot_be_written_fails(emcli):
    with open("/dev/full", "wb") as full:
        env = emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key)
        for argv in ["account", "list"], ["key", "generate"], ["help"], ["schema"]:
            done = subprocess.run([emcli.binary, *argv], stdout=full, env=env,
                                  stderr=subprocess.PIPE)
            assert done.returncode == 1 and b"emcli: " in done.stderr, argv


def test_a_copy_is_put_back_as_the_manual_says(work, tmp_path):
    """Taken while the store is open, in WAL mode, and put over one that is lost."""
    copy = tmp_path / "copy.db"
    busy = sqlite3.connect(work.db)
    busy.execute("SELECT * FROM accounts").fetchall()
    good(work.admin("whitelist", "out", "add", "--account", "work", "kept@x.example"))
    db = sqlite3.connect(work.db)
    db.execute("VACUUM INTO ?", (str(copy),))
    db.close()
    good(work.admin("whitelist", "out", "add", "--account", "work", "late@x.example"))
    busy.close()
    for name in "-wal", "-shm":
        work.db.with_name(work.db.name + name).unlink(missing_ok=True)
    shutil.copyfile(copy, work.db)
    assert good(work.admin("audit", "verify"))
    listed = good(work.admin("whitelist", "out", "list", "--account", "work"))
    assert "kept@x.example" in listed and "late@x.example" not in listed


def test_without_the_admin_key_the_plain_tables_can_be_read(work):
    """And nothing that is sealed is among them."""
    good(work.admin("whitelist", "out", "add", "--account", "work", "kept@x.example"))
    db = sqlite3.connect(f"file:{work.db}?mode=ro", uri=True)
    assert db.execute("SELECT name FROM accounts").fetchall() == [("work",)]
    assert ("kept@x.example",) in db.execute("SELECT address FROM whitelist_out").fetchall()
    whole = "\n".join(db.iterdump())
    db.close()
    assert PASSWORD not in whole and work.admin_key not in whole
    assert work.run("key", "rotate", "--admin", "--generate").rc == 1
