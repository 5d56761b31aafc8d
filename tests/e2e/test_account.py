# SPDX-License-Identifier: Apache-2.0
"""account show, account edit: every setting, one at a time, all or nothing."""
import base64
import json
import re
import sqlite3

import pytest

from test_admin import IMAP, PASSWORD, accounts, add, bad, converse, good

PIN = base64.b64encode(bytes(32)).decode()
HOSTNAME = open("/etc/hostname", encoding="ascii").read().strip()
OUT = ("--mode", "RW", "--smtp-host", "smtp.lab.example")
# What add takes that is no setting: it says where settings come from.
ONCE = {"yes", "provider", "ispdb", "no-tui", "json", "color", "no-pager", "help"}


@pytest.fixture
def work(emcli):
    good(add(emcli, "work", *IMAP, *OUT))
    return emcli


def edit(emcli, *argv, stdin=None):
    return emcli.admin("account", "edit", "work", *argv, stdin=stdin)


def show(emcli, name="work"):
    return json.loads(good(emcli.admin("account", "show", name, "--json")))


def options(emcli, command):
    out = good(emcli.admin("account", command, "--help"))
    return set(re.findall(r"^  --([a-z-]+)", out, re.M))


# -- every setting

SETTINGS = {
    "mode": ("RO", "mode", "RO"),
    "from": ("Other@Lab.Example", "from", "other@lab.example"),
    "username": ("login", "username", "login"),
    "auth": ("oauth2", "auth", "oauth2"),
    "imap-host": ("i.example", "imap_host", "i.example"),
    # A port that tells the kind of TLS changes that, too: test_options.
    "imap-port": ("1143", "imap_port", 1143),
    "imap-security": ("starttls", "imap_security", "starttls"),
    "smtp-host": ("s.example", "smtp_host", "s.example"),
    "smtp-port": ("1587", "smtp_port", 1587),
    "smtp-security": ("starttls", "smtp_security", "starttls"),
    "ca": ("/etc/hostname", "ca", "/etc/hostname"),
    "pin": (PIN, "pin", PIN),
    "whitelist-in": ("on", "whitelist_in", True),
    "whitelist-auth": ("dmarc", "whitelist_auth", "dmarc"),
    "whitelist-out": ("off", "whitelist_out", False),
    "subject-regex": ("^ticket", "subject_regex", "^ticket"),
    "authserv-id": ("mx.Lab.Example", "authserv_id", "mx.Lab.Example"),
    "process-backlog": ("on", "process_backlog", True),
    "organise": ("on", "organise", "on"),
    "organise-folders": ("INBOX, Old", "organise_folders", "INBOX,Old"),
    "limit-organise": ("7", "limit_organise", 7),
    "forward": ("on", "forward", True),
    "html-copy": ("on", "html_copy", True),
    "signature-file": ("/etc/hostname", "signature_file", HOSTNAME),
    "attach-dir": ("/tmp", "attach_dir", "/tmp"),
    "list": ("Dev@Lists.Example", "list", "dev@lists.example"),
    "list-folder": ("Lists/dev", "list_folder", "Lists/dev"),
    "drafts-folder": ("Drafts", "drafts_folder", "Drafts"),
    "sent-folder": ("Sent", "sent_folder", "Sent"),
    "thread-url": ("https://a.example/<id>?<list>", "thread_url",
                   "https://a.example/<id>?<list>"),
    "quirk-id": ("on", "quirk_id", "on"),
    "quirk-sasl-ir": ("off", "quirk_sasl_ir", False),
    "sent-copy": ("off", "sent_copy", False),
    "outbound": ("approve", "outbound", "approve"),
    "scope": ("thread", "scope", "thread"),
    "taint": ("30", "taint", 30),
    "secrets-check": ("off", "secrets_check", False),
    "check-unfinished": ("off", "check_unfinished", False),
    "limit-messages": ("7", "limit_messages", 7),
    "limit-new-recipients": ("3", "limit_new_recipients", 3),
    "limit-bytes": ("4000000000", "limit_bytes", 4000000000),
    "limit-recipients": ("2", "limit_recipients", 2),
}
# Changed by tests of their own: they do not stand alone.
ELSEWHERE = {"backend", "path", "url", "password-file", "password-stdin", "password-command"}


def test_edit_takes_all_that_add_takes(emcli):
    assert options(emcli, "add") - ONCE <= options(emcli, "edit")
    assert options(emcli, "add") - ONCE == set(SETTINGS) | ELSEWHERE


def test_the_table_has_no_column_that_cannot_be_edited(work):
    """A migration that adds a setting must add its option."""
    columns = {r[1] for r in sqlite3.connect(work.db).execute(
        "PRAGMA table_info(accounts)")}
    ours = {"from": "from_addr", "auth": "auth_type", "ca": "ca_file", "pin": "tls_pin",
            "whitelist-in": "whitelist_in_enabled",
            "whitelist-out": "whitelist_out_enabled", "taint": "taint_minutes",
            "signature-file": "signature"}
    known = {ours.get(o, o.replace("-", "_")) for o in (*SETTINGS, "backend", "path", "url")}
    # Neither add nor edit sets these: consent does, and a later stage.
    others = {c for c in columns if c.startswith(("enc_", "oauth_"))}
    others |= {"role", "position", "mandatory"}  # source set does
    others |= {"bound"}  # a session does
    assert columns - others - {"id", "name"} == known


@pytest.mark.parametrize("option", SETTINGS)
def test_one_setting_changes_and_nothing_else(work, option):
    value, member, want = SETTINGS[option]
    before = show(work)
    out = good(edit(work, f"--{option}", value))
    after = show(work)
    assert before[member] != want and after[member] == want
    assert f"{member}: " in out and " -> " in out
    changed = {k for k in after if after[k] != before[k]}
    # A password is no token: another way to log in takes it away.
    assert changed == ({"auth", "has_password", "secrets"} if option == "auth"
                       else {member})


@pytest.mark.parametrize("option", ["from", "ca", "pin", "subject-regex", "attach-dir",
                                    "smtp-host"])
def test_an_empty_value_clears(work, option):
    good(edit(work, "--mode", "RO"))
    good(edit(work, f"--{option}", SETTINGS[option][0]))
    good(edit(work, f"--{option}", ""))
    a = show(work)
    assert a[SETTINGS[option][1]] == ""
    if option == "smtp-host":
        assert a["smtp_port"] == 0 and a["smtp_security"] == ""


def test_many_at_once_are_one_change(work):
    good(edit(work, "--mode", "RO", "--imap-port", "1143", "--whitelist-in", "on"))
    a = show(work)
    assert (a["mode"], a["imap_port"], a["whitelist_in"]) == ("RO", 1143, True)
    before = show(work)
    bad(edit(work, "--mode", "RW", "--imap-port", "99", "--pin", "abc"), "--pin")
    assert show(work) == before


def test_changes_at_the_same_time_all_happen(work):
    wanted = [o for o in SETTINGS if o != "auth"]
    env = work.environment(EMCLI_ADMIN_KEY=work.admin_key)
    runs = [work.start(["account", "edit", "work", f"--{o}", SETTINGS[o][0]], env)
            for o in wanted]
    for run in runs:
        out, err = run.communicate(timeout=60)
        assert run.returncode == 0, (out, err)
    a = show(work)
    assert {o: a[SETTINGS[o][1]] for o in wanted} == {o: SETTINGS[o][2] for o in wanted}


def test_the_backend_changes_with_all_that_belongs_to_it(work, site):
    box = site.box("agent")
    bad(edit(work, "--backend", "maildir", "--path", box), "--imap-host does not go with")
    good(edit(work, "--backend", "maildir", "--path", box, "--imap-host", ""))
    a = show(work)
    assert (a["backend"], a["path"], a["imap_host"], a["imap_port"]) == (
        "maildir", str(box), "", 0)
    bad(edit(work, "--backend", "imap", "--imap-host", "h.example"), "clear it with --path")
    good(edit(work, "--backend", "imap", "--imap-host", "h.example", "--path", ""))
    assert show(work)["imap_port"] == 993


@pytest.mark.parametrize("argv, part", [
    ((), "no change was given"),
    (("--imap-host", ""), "--imap-host is missing"),
    (("--username", ""), "--username is missing"),
    (("--from", ""), "--from is missing"),
    (("--imap-host", "a b"), "not a host name"),
    (("--imap-port", ""), "--imap-port"),
    (("--mode", ""), "mode"),
    (("--subject-regex", "("), "subject regex"),
    (("--rename", "a b"), "letters"),
    (("--ca", "/nonexistent"), "--ca cannot be read"),
    (("--backend", "pop3"), "unknown backend"),
    (("--password", "x"), "unknown option"),
    (("--password-stdin", "--password-file", "/etc/hostname"), "exclude"),
])
def test_what_makes_no_sense_changes_nothing(work, argv, part):
    before = show(work)
    bad(edit(work, *argv), part)
    assert show(work) == before


def test_no_such_account(emcli):
    for argv in ["show", "x"], ["edit", "x", "--mode", "RO"]:
        bad(emcli.admin("account", *argv), "no such account", 1)


def test_what_was_so_already_is_said(work):
    assert "nothing changed" in good(edit(work, "--mode", "RW"))


def test_rename_keeps_what_hangs_on_it(work):
    work.whitelist("in", "a@b.example")
    good(add(work, "other", *IMAP))
    bad(edit(work, "--rename", "other"), "with that name exists")
    assert "name: work -> home" in good(edit(work, "--rename", "home"))
    assert show(work, "home")["has_password"]
    assert "a@b.example" in good(work.admin("whitelist", "in", "list", "--account", "home"))
    assert set(accounts(work)) == {"home", "other"}


# -- secrets

def sealed(emcli):
    return sqlite3.connect(emcli.db).execute(
        "SELECT enc_password FROM accounts WHERE name = 'work'").fetchone()[0]


def test_the_password_is_replaced(work, tmp_path):
    before = sealed(work)
    assert "password: replaced" in good(edit(work, "--password-stdin", stdin="new one"))
    second = sealed(work)
    (tmp_path / "pw").write_text("another\n")
    r = edit(work, "--password-file", tmp_path / "pw")
    assert r.rc == 1 and b"chmod 600" in r.err and sealed(work) == second
    (tmp_path / "pw").chmod(0o600)
    good(edit(work, "--password-file", tmp_path / "pw"))
    assert len({before, second, sealed(work)}) == 3
    assert len(sealed(work)) == 12 + len("another") + 16


def test_the_password_is_what_a_program_prints(work, tmp_path):
    good(edit(work, "--password-command", "echo  three words here"))
    assert len(sealed(work)) == 12 + len("three words here") + 16
    # What it leaves behind may hold the pipe.
    leaves = tmp_path / "leaves"
    leaves.write_text("#!/bin/sh\necho short\nsleep 30 &\n")
    leaves.chmod(0o700)
    good(edit(work, "--password-command", leaves))
    assert len(sealed(work)) == 12 + len("short") + 16
    before = sealed(work)
    r = edit(work, "--password-command", "ls /nonexistent")
    assert r.rc == 1 and b"the program of --password-command failed (status 2)" in r.err
    bad(edit(work, "--password-command", "echo x", "--password-stdin", stdin="y"),
        "exclude each other")
    assert sealed(work) == before


def test_the_password_is_asked_for_without_echo(work):
    before = sealed(work)
    rc, seen = converse(work, ["account", "edit", "work", "--password-ask"],
                        b"typed one\n", b"New password: ")
    assert rc == 0 and "typed one" not in seen
    assert sealed(work) != before
    bad(edit(work, "--password-ask"), "give --password-file")


def test_the_password_is_taken_away(work):
    assert "password: removed" in good(edit(work, "--password-file", ""))
    assert sealed(work) is None
    assert "password: replaced" in good(edit(work, "--password-stdin", stdin="p"))


def test_a_password_never_becomes_a_token(work):
    out = good(edit(work, "--auth", "oauth2"))
    assert "password: removed" in out and sealed(work) is None
    out = good(edit(work, "--auth", "password", "--password-stdin", stdin="p"))
    assert "password: replaced" in out and sealed(work) is not None


def test_tokens_go_with_the_consent(work):
    good(edit(work, "--auth", "oauth2"))
    kept = ("enc_oauth_client_id", "enc_oauth_client_secret", "enc_oauth_refresh_token")
    with sqlite3.connect(work.db) as db:
        db.execute("update accounts set oauth_issuer = 'https://x.example', "
                   + ", ".join(f"{c} = x'00'" for c in kept))
    assert work.admin("audit", "accept", "--yes").rc == 0  # it was us
    assert "consent" not in good(edit(work, "--mode", "RO"))
    assert True in show(work)["secrets"].values()
    out = good(edit(work, "--auth", "password", "--password-stdin", stdin="p"))
    assert "consent: removed" in out
    a = show(work)
    assert a["oauth_issuer"] == ""
    assert [k for k, there in a["secrets"].items() if there] == ["password"]


def test_a_password_that_goes_elsewhere_is_told_of(work):
    assert "sent to the new server" in good(edit(work, "--imap-host", "other.example"))
    assert "sent to the new server" not in good(edit(work, "--mode", "RO"))
    assert "sent to the new server" not in good(
        edit(work, "--imap-host", "third.example", "--password-stdin", stdin="p"))


def test_tokens_that_go_elsewhere_are_told_of(work):
    says = "its tokens are sent to the new server"
    assert says not in good(edit(work, "--auth", "oauth2", "--imap-host", "other.example"))
    with sqlite3.connect(work.db) as db:
        db.execute("update accounts set enc_oauth_refresh_token = x'00'")
    assert says in good(edit(work, "--imap-host", "third.example"))
    assert says in good(edit(work, "--smtp-host", "third.example"))
    assert says not in good(edit(work, "--mode", "RO"))


def test_an_odd_port_is_told_of(work):
    out = good(edit(work, "--imap-security", "starttls"))
    assert "port 993 is not the usual one with starttls" in out
    assert "not the usual" not in good(edit(work, "--imap-port", "143"))
    out = good(edit(work, "--imap-port", "143", "--imap-security", "tls"))
    assert "imap_security: starttls -> tls" in out


def test_show_names_secrets_and_shows_none(work):
    out = good(work.admin("account", "show", "work"))
    assert re.search(r"^password +set, sealed$", out, re.M)
    assert re.search(r"^oauth_refresh_token +not set$", out, re.M)
    assert re.search(r"^imap_host +imap.lab.example$", out, re.M)
    assert re.search(r"^ca +-$", out, re.M)
    assert show(work)["secrets"] == {
        "password": True, "oauth_client_id": False, "oauth_client_secret": False,
        "oauth_refresh_token": False}
    assert PASSWORD not in out


def test_an_oauth_account_waits_for_consent(emcli):
    out = good(emcli.admin("account", "add", "work", *IMAP, "--auth", "oauth2"))
    assert "account consent work" in out
    assert show(emcli)["has_password"] is False


# -- for programs


def test_what_is_added_and_changed_as_json(emcli):
    added = json.loads(good(add(emcli, "work", *IMAP, *OUT, "--json")))
    notes, next_ = added.pop("notes"), added.pop("next")
    assert added == {m: v for m, v in show(emcli).items() if m in added}
    assert added["imap_host"] == "imap.lab.example" and added["has_password"] is True
    assert notes[-1].startswith("agents may write to nobody until emcli whitelist out add")
    assert next_ == "emcli doctor --account work"
    assert json.loads(good(edit(emcli, "--mode", "RO", "--rename", "home", "--json"))) == {
        "account": "home", "password": None, "consent": None, "notes": [],
        "changes": [{"setting": "name", "was": "work", "is": "home"},
                    {"setting": "mode", "was": "RW", "is": "RO"}]}
    gone = json.loads(good(emcli.admin("account", "edit", "home", "--password-file", "",
                                       "--json")))
    assert gone["password"] == "removed" and gone["changes"] == []


def test_what_init_made_as_json(emcli, tmp_path):
    r = emcli.admin("init", "--json", env={"EMCLI_DB": str(tmp_path / "new.db")})
    assert json.loads(good(r)) == {
        "made": True, "database": str(tmp_path / "new.db"), "account": None, "notes": [],
        "next": "emcli account add --help"}
    (tmp_path / "box").mkdir()
    for name in "cur", "new", "tmp":
        (tmp_path / "box" / name).mkdir()
    said = json.loads(good(emcli.admin(
        "init", "--json", "--backend", "maildir", "--path", tmp_path / "box",
        "--from", "me@lab.example", "--account", "box")))
    assert (said["made"], said["account"]) == (False, "box")
    assert said["notes"] == ["whitelist in is off: agents see mail from anybody"]
