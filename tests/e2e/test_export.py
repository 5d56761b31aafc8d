# SPDX-License-Identifier: Apache-2.0
"""account export and import, policy export and apply, agent token."""

import hashlib
import http.server
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import threading

import pytest
import yaml

import cli
from test_account import SETTINGS
from test_admin import IMAP, PASSWORD, add, converse, good
from test_approve import held  # noqa: F401
from mail import message, uids
from test_operate import holds
from test_organise_crowd import Files

# -- every column of the store

# Tables in which nothing of the operator's is: what happened, and what agents
# have seen.  A table that is in neither list fails the first test.
STATE_TABLES = {
    "acked", "audit_checkpoint", "audit_link", "audit_log", "claim", "correspondent",
    "folder_state", "freeze", "issuer_kept", "journal", "journal_message", "mcp_session",
    "migration", "notice", "notice_told", "outbox", "outbox_change", "outbox_recipient",
    "seen_message", "signed", "skill_grant", "sqlite_sequence", "taint", "uid_folder", "uid_map",
}
# The key of each table of the operator's, in words that mean the same in every store.
TABLES = {
    "accounts": "name", "account_op": "op", "agent": "name", "agent_uid": ("agent_id", "uid"),
    "canary": "word", "issuer": "issuer", "model": "name", "settings": "key",
    "whitelist_in": ("account_id", "address"), "whitelist_out": ("account_id", "address"),
}
# Columns that no file has, and why.
LEFT_OUT = {
    ("accounts", "id"): "each store numbers its own",
    ("accounts", "enc_password"): "secret",
    ("accounts", "enc_oauth_client_id"): "secret",
    ("accounts", "enc_oauth_client_secret"): "secret",
    ("accounts", "enc_oauth_refresh_token"): "secret",
    ("accounts", "oauth_token_url"): "the consent finds it again from the issuer",
    ("accounts", "oauth_login"): "the consent finds it again from the issuer",
    ("accounts", "oauth_consent_s"): "when there was a consent",
    ("accounts", "oauth_refresh_s"): "when a token was refreshed",
    ("accounts", "bound"): "only a session says that a mailbox is an agent's own",
    ("agent", "id"): "each store numbers its own",
    ("agent", "hash"): "of a secret",
    ("agent", "made_ms"): "when it was added",
    ("issuer", "id"): "there is one",
    ("issuer", "enc_client_secret"): "secret",
}
# Of the other kind of provider, in a test of its own.
ALONE = {("issuer", "any_type")}
# Rows of `settings` that are no settings.
OWN = ("dek_", "schema_version", "notify_mark")


def rows(emcli, table):
    """The rows by their keys; accounts and agents by their names."""
    con = sqlite3.connect(emcli.db)
    con.row_factory = sqlite3.Row
    names = {f"{t}_id": dict(con.execute(f"SELECT id, name FROM {n}"))
             for t, n in (("account", "accounts"), ("agent", "agent"))}
    out = {}
    for row in con.execute(f"SELECT * FROM {table}"):
        row = {c: names[c][v] if c in names else v for c, v in dict(row).items()
               if (table, c) not in LEFT_OUT}
        key = TABLES[table]
        key = tuple(row[k] for k in key) if isinstance(key, tuple) else row[key]
        if table != "settings" or not key.startswith(OWN):
            out[key] = row
    con.close()
    return out


def columns(emcli, table):
    con = sqlite3.connect(emcli.db)
    try:
        return {r[1] for r in con.execute(f"PRAGMA table_info({table})")}
    finally:
        con.close()


HEAD = "emcli: accounts\nversion: 1\n"
# What a consent was asked of is set by nothing but a consent and an import.
SERVICE = """
accounts:
  service:
    backend: jmap
    url: https://jmap.lab.example
    from: x@lab.example
    auth: oauth2
    oauth: {provider: google, issuer: 'https://id.lab.example', scope: a b}
"""
POLICY = """
emcli: policy
version: 1
issuer:
  issuer: https://id.example/
  resource: https://mail.example/mcp
  audience: mail
  scope: read
  ca: /etc/hostname
  client_id: emcli
agents:
  idp:
    accounts: all
    skills: all
    ops: all
    uids: [1001]
    subject: someone
    issuer: https://id.example/
"""


def apply(emcli, text, *argv):
    return emcli.admin("policy", "apply", "-", "--json", *argv, stdin=text)


def load(emcli, text, *argv):
    return emcli.admin("account", "import", "-", "--json", *argv, stdin=text)


def said(emcli, *argv):
    r = emcli.admin(*argv)
    assert r.rc == 0, str(r)
    return r.out.decode()


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A store in which each column has a value that no new row has."""
    emcli = cli.Emcli(tmp_path_factory.mktemp("scene"))
    said(emcli, "init")
    box = emcli.folder / "box"
    for part in "cur", "new", "tmp":
        (box / part).mkdir(parents=True)
    good(add(emcli, "work", *IMAP, "--mode", "RW", "--smtp-host", "smtp.lab.example"))
    good(emcli.admin("account", "edit", "work",
                     *[x for o, (v, _, _) in SETTINGS.items() if o != "auth" for x in (f"--{o}", v)]))
    emcli.account_maildir(box, name="box", organise="approve")
    r = load(emcli, HEAD + SERVICE)
    assert r.rc == 0, str(r)
    for argv in (["whitelist", "in", "add", "--account", "box", "--auth", "dmarc", "a@them.example"],
                 ["whitelist", "in", "add", "--account", "box", "--auth", "none", "@they.example"],
                 ["whitelist", "in", "add", "--account", "work", "--auth", "none", "@they.example"],
                 ["whitelist", "out", "add", "--account", "work", "b@them.example",
                  "@they.example"],
                 ["whitelist", "out", "add", "--account", "box", "b@them.example"],
                 ["source", "set", "box", "--role", "primary", "--preferred-for", "read_thread"],
                 ["source", "set", "work", "--role", "fallback", "--mandatory", "yes"],
                 ["canary", "add", "planted: word", "another-word"],
                 ["model", "add", "big", "--url", "http://127.0.0.1:9/v1", "--id", "x",
                  "--ca", "/etc/hostname"],
                 ["config", "set", "timeout_seconds", "7"],
                 ["config", "set", "notify", "/bin/true"],
                 ["config", "set", "default_model", "big"],
                 ["config", "set", "audit_syslog", "off"],
                 ["agent", "add", "bot", "--account", "box", "--op", "list", "--skill", "mail-read",
                  "--uid", "1001", "--uid", "7"]):
        said(emcli, *argv)
    key = emcli.folder / "model.key"
    key.write_text("k" * 40)
    key.chmod(0o600)
    said(emcli, "model", "add", "small", "--url", "http://127.0.0.1:8/v1", "--key-file", str(key))
    assert apply(emcli, POLICY, "--yes").json["applied"]
    return emcli


@pytest.fixture
def full(scene, tmp_path):
    """A copy of it, to be changed."""
    e = cli.Emcli(tmp_path / "full")
    e.agent_key, e.admin_key = scene.agent_key, scene.admin_key
    shutil.copytree(scene.db.parent, e.db.parent)
    return e


@pytest.fixture
def other(tmp_path):
    """Another store, with nothing in it."""
    e = cli.Emcli(tmp_path / "other")
    said(e, "init")
    return e


def carry(full, other):
    """Both files from one store into the other."""
    accounts = said(full, "account", "export")
    policy = said(full, "policy", "export", "--canaries")
    r = other.admin("account", "import", "-", "--json", stdin=accounts)
    assert r.rc == 0, str(r)
    s = apply(other, policy, "--yes")
    assert s.rc == 0, str(s)
    return r.json, s.json


def test_each_table_and_column_is_in_a_file_or_is_named_here(full, other):
    con = sqlite3.connect(full.db)
    tables = {n for (n,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    con.close()
    assert tables == STATE_TABLES | set(TABLES)
    for table in TABLES:
        found = rows(full, table).values()
        for column in columns(full, table) - {c for t, c in {*LEFT_OUT, *ALONE} if t == table}:
            values = {row[column] for row in found}
            assert values - {None, 0, ""} and len(values) > (len(found) > 1), \
                (table, column, "has no value here that could get lost")
    for table, column in LEFT_OUT:
        assert column in columns(full, table)
    carry(full, other)
    for table in TABLES:
        assert rows(other, table) == rows(full, table), table


def test_a_provider_whose_tokens_are_signed(full, other):
    text = POLICY.replace("  client_id: emcli\n", "  client_id: ~\n  any_type: on\n")
    assert apply(full, text, "--yes").json["needs"] == []
    carry(full, other)
    assert rows(full, "issuer") == rows(other, "issuer")
    assert [r["any_type"] for r in rows(other, "issuer").values()] == [1]


def test_a_store_is_made_again_from_the_two_files(full, other):
    accounts, policy = carry(full, other)
    assert accounts["needs"] == [
        {"account": "work", "secret": "password",
         "command": "emcli account edit work --password-file FILE"},
        {"account": "service", "secret": "consent", "command": "emcli account consent service"}]
    assert policy["needs"] == [
        "emcli issuer set 'https://id.example/' --resource='https://mail.example/mcp' --audience='mail' "
        "--scope='read' --ca='/etc/hostname' --client-id='emcli' --client-secret-file FILE", "emcli agent token bot", "emcli agent token idp"]
    assert other.admin("account", "edit", "work", "--password-stdin", stdin=PASSWORD).rc == 0
    for name in "work", "box", "service":
        assert said(other, "account", "show", name, "--json") == \
            said(full, "account", "show", name, "--json")
    assert said(other, "source", "list", "--json") == said(full, "source", "list", "--json")
    assert other.admin("audit", "verify").rc == 0
    # The files of the new store are those of the old one.
    for argv in ("account", "export"), ("policy", "export", "--canaries"):
        assert said(other, *argv) == said(full, *argv)


def test_what_was_exported_changes_nothing(full):
    before = {t: rows(full, t) for t in TABLES}
    r = full.admin("account", "import", "-", "--replace", stdin=said(full, "account", "export"))
    assert r.rc == 0 and r.out.startswith(b"nothing is different\n"), str(r)
    r = full.admin("policy", "apply", "-", stdin=said(full, "policy", "export"))
    assert r.rc == 0 and r.out == b"nothing is different\n", str(r)
    assert {t: rows(full, t) for t in TABLES} == before
    assert full.admin("account", "show", "work", "--json").json["has_password"]


def test_there_is_no_secret_in_the_files(full):
    con = sqlite3.connect(full.db)
    sealed = [v for row in con.execute("SELECT * FROM accounts") for v in row if isinstance(v, bytes)]
    sealed += [h.encode() for (h,) in con.execute("SELECT hash FROM agent")]
    con.close()
    assert len(sealed) == 3
    for argv in ("account", "export"), ("policy", "export"):
        text = full.admin(*argv).out
        for secret in (PASSWORD.encode(), b"k" * 40, b"planted: word", *sealed):
            assert secret not in text and secret.hex().encode() not in text
        yaml.safe_load(text)
    assert b"# 2 canaries are not in this file" in full.admin("policy", "export").out
    assert yaml.safe_load(said(full, "account", "export"))["accounts"]["work"]["secrets"] == ["password"]


def test_the_files_are_for_people(full):
    """Words of ours are without quotes, and a text has its characters."""
    said(full, "account", "edit", "box", "--signature-file", str(signature(full)))
    text = said(full, "account", "export", "box")
    assert "\n  box:\n    backend: maildir\n    mode: RW\n" in text
    assert '\n    signature: "Grüße\\nMe: #1"\n' in text
    assert "\n    organise: approve\n" in text and "\n    taint: off\n" in text


def signature(emcli):
    file = emcli.folder / "signature"
    file.write_text("Grüße\nMe: #1\n")
    return file


def test_output_is_a_file_of_ones_own(full):
    file = full.folder / "accounts.yaml"
    r = full.admin("account", "export", "work", "box", "--output", str(file))
    assert (r.rc, r.out) == (0, b"") and b"wrote" in r.err
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text() == said(full, "account", "export", "work", "box")
    # Again, over what was edited.
    file.write_text("x")
    assert full.admin("account", "export", "work", "box", "--output", str(file)).rc == 0
    assert yaml.safe_load(file.read_text())["accounts"].keys() == {"work", "box"}
    # The same text is there, and others can read it.
    file.chmod(0o644)
    assert full.admin("account", "export", "work", "box", "--output", str(file)).rc == 0
    assert file.stat().st_mode & 0o777 == 0o600
    for stdout in "-", "/dev/stdout":
        r = full.admin("account", "export", "work", "box", "--output", stdout)
        assert (r.rc, r.out, r.err) == (0, file.read_bytes(), b""), str(r)
    os.symlink("/etc/passwd", full.folder / "link")
    assert full.admin("policy", "export", "--output", str(full.folder / "link")).rc != 0


def test_a_file_comes_through_a_pipe_of_the_shell_s(full):
    """Its writer may be slow, and an editor may have written U+FEFF before it."""
    text = "\ufeff" + said(full, "account", "export")
    (full.folder / "accounts.yaml").write_text(text)
    slow = f"(sleep 0.3; cat {full.folder / 'accounts.yaml'})"
    for command in (f'"$0" account import --replace --dry-run <{slow}',
                    f'{slow} | "$0" account import --replace --dry-run /dev/stdin'):
        r = subprocess.run(["bash", "-c", command, full.binary], capture_output=True, timeout=60,
                           env={**full.environment(), "EMCLI_ADMIN_KEY": full.admin_key})
        assert r.returncode == 0 and r.stdout.startswith(b"nothing is different\n"), (command, r)


# -- account import

OPEN = """accounts:
  new:
    imap_host: i.example
    username: u
    from: n@lab.example
    mode: RW
    smtp_host: evil.example
    whitelist_out: off
    organise: on
    secrets_check: off
"""
ONE = HEAD + "accounts:\n  new:\n    backend: jmap\n    url: https://j.example\n    from: n@lab.example\n"


def names(emcli):
    return [a["name"] for a in emcli.admin("account", "list", "--json").json["accounts"]]


def test_an_account_that_exists_is_only_replaced_if_told(full):
    text = said(full, "account", "export", "work").replace("mode: RO", "mode: RW")
    r = load(full, text)
    assert r.rc == 2 and "line 7: there is an account work already" in r.err.decode()
    r = load(full, text, "--replace")
    assert r.json["changes"] == [{"change": "changed", "what": "account work", "setting": "mode",
                                  "was": "RO", "is": "RW"}]
    assert full.admin("account", "show", "work", "--json").json["mode"] == "RW"
    # What the file leaves out is as in a new account.
    r = load(full, "".join(x for x in text.splitlines(True) if "taint:" not in x), "--replace")
    assert [(c["setting"], c["is"]) for c in r.json["changes"]] == [("taint", "")]


def test_all_accounts_or_none(emcli):
    bad = ONE + "  worse:\n    backend: nonsense\n"
    r = load(emcli, bad)
    assert r.rc == 2 and "line 8: unknown backend" in r.err.decode(), str(r)
    assert names(emcli) == []
    assert load(emcli, ONE).rc == 0 and names(emcli) == ["new"]


def test_all_of_a_new_account_is_shown_that_is_not_as_in_every_new_one(emcli):
    want = [("added", "account new", None, "", ""), ("changed", "account new", "mode", "RO", "RW"),
            ("added", "account new", "smtp_host", "", "evil.example"),
            ("changed", "account new", "whitelist_out", "on", "off"),
            ("changed", "account new", "organise", "off", "on"),
            ("changed", "account new", "secrets_check", "on", "off")]
    for argv in ("--dry-run",), ():
        got = changes(load(emcli, HEAD + OPEN, *argv))
        assert got[0] == want[0] and set(want) <= set(got), got
    log = emcli.admin("audit", "list", "--json", "--action", "account.import").json["audit"][0]["detail"]
    for line in "smtp_host: evil.example", "mode: RO -> RW", "whitelist_out: on -> off":
        assert f" account new: {line}\n" in log


def test_a_dry_run_says_the_same_and_changes_nothing(emcli):
    dry = load(emcli, ONE, "--dry-run").json
    assert dry["dry_run"] is True and names(emcli) == []
    assert load(emcli, ONE).json == {**dry, "dry_run": False}


@pytest.mark.parametrize("was, now, kept", [
    ("imap_host: i.example", "imap_host: evil.example", False),
    ("smtp_port: 1587", "smtp_port: 1588", False),
    ("username: login", "username: another", False),
    ("pin:", "#pin:", False),
    ("taint: 30", "taint: 31", True),
    ("list_folder: Lists/dev", "list_folder: Lists/x", True),
])
def test_a_password_stays_only_where_it_went(full, was, now, kept):
    text = said(full, "account", "export", "work")
    assert was in text
    r = load(full, text.replace(was, now), "--replace")
    assert r.rc == 0, str(r)
    assert full.admin("account", "show", "work", "--json").json["has_password"] is kept
    assert bool(r.json["needs"]) is not kept
    lost = {"change": "removed", "what": "account work", "setting": "password", "was": "sealed",
            "is": ""}
    assert (lost in r.json["changes"]) is not kept


@pytest.mark.parametrize("was, now, kept", [
    ("from: x@", "from: y@", True),
    ("    oauth:\n      provider: google\n      issuer: https://id.lab.example\n      scope: a b\n", "", True),
    ("scope: a b", "scope: a b c", False),
    ("issuer: https://id.lab.example", "issuer: https://evil.example", False),
    ("url: https://jmap.lab.example", "url: https://evil.example", False),
    ("auth: oauth2", "auth: password", False),
], ids=range(6))
def test_a_consent_stays_only_with_whom_it_was_given(full, was, now, kept):
    con = sqlite3.connect(full.db)
    with con:
        con.execute("UPDATE accounts SET enc_oauth_refresh_token = x'00' WHERE name = 'service'")
    con.close()
    text = full.admin("account", "export", "service").out.decode()
    assert was in text and "    secrets:\n    - consent\n" in text
    r = load(full, text.replace(was, now), "--replace")
    assert r.rc == 0, str(r)
    assert full.admin("account", "show", "service", "--json").json["secrets"]["oauth_refresh_token"] is kept
    assert [n["secret"] for n in r.json["needs"]] == ([] if kept or "auth" in was else ["consent"])


def test_a_mailbox_of_a_session_is_left_out(full):
    con = sqlite3.connect(full.db)
    with con:
        con.execute("UPDATE accounts SET bound = 1 WHERE name = 'service'")
    con.close()
    r = full.admin("account", "export")
    assert b"\n  service:" not in r.out and b"left out 1 mailbox of agents' sessions" in r.err
    assert b"\n  service:" not in full.admin("policy", "export").out
    assert full.admin("account", "export", "service").rc == 2
    r = load(full, HEAD + "accounts:\n  service:\n    backend: jmap\n", "--replace")
    assert "mailbox of an agent's session" in r.err.decode()


def deep(n):
    return "accounts: " + "{a: " * n + "1" + "}" * n


@pytest.mark.parametrize("text, says", [
    ("", "the YAML is empty"),
    ("[1", "the YAML is not valid, at line 2"),
    ("accounts: {}\n", 'no line "emcli: accounts"'),
    ("emcli: policy\nversion: 1\n", 'no line "emcli: accounts"'),
    ("emcli: accounts\nversion: 2\n", "line 2: only files of version 1"),
    (HEAD, "the file has no accounts"),
    (HEAD + "accounts: []\n", "line 3: accounts takes members"),
    (HEAD + "accounts:\n  a: x\n", "line 4: a takes members"),
    (HEAD + "accounts: {}\nmore: 1\n", 'line 4: unknown key "more"'),
    (ONE + "    mdoe: RO\n", 'line 8: unknown key "mdoe": did you mean mode?'),
    (ONE + "    mode: XX\n", "line 8: mode is one of RO|RW"),
    (ONE + "    mode: [RO]\n", "line 8: mode takes one value"),
    (ONE + "    imap_port: 0x10\n", "line 8: imap_port is a number"),
    (ONE + "    limit_bytes: -1\n", "line 8: limit_bytes is a number"),
    (ONE + "    from: x\n", "the YAML has a key twice in a map, at line 8"),
    (ONE + "    ca: /nonexistent\n", "line 8: ca cannot be read"),
    (ONE + "    subject_regex: \"(\"\n", "the subject regex is not valid"),
    (ONE + "    secrets: [token]\n", "line 8: secrets is a list of password and consent"),
    (ONE + "    signature: \"a\\e[1mb\"\n", "line 8: signature contains control characters"),
    (ONE + "    list_folder: \"a\\0b\"\n", "the YAML has a NUL"),
    (HEAD + "accounts:\n  ../x:\n    backend: jmap\n", "line 4: a name has only letters"),
    (HEAD + "accounts:\n  a: &x {}\n  b: *x\n", "the YAML has an anchor, at line 4"),
    (HEAD + "accounts: !!map {}\n", "the YAML has a tag, at line 3"),
    (HEAD + deep(9), "nested deeper than 8 levels, at line 3"),
    (HEAD + "accounts: {" + "".join(f"a{i}: {{}}, " for i in range(6000)) + "}",
     "a map with more than 5000 keys"),
    (HEAD + "#" * (4 << 20), "the file is too large"),
    (b"\xff", "the YAML is not UTF-8"),
], ids=lambda x: None if len(x) > 60 else x)
def test_what_is_no_file_of_ours_is_refused_with_its_line(emcli, text, says):
    r = load(emcli, text)
    assert r.rc != 0 and says in r.err.decode(), str(r)
    assert names(emcli) == []


def test_yaml_s_own_words_mean_what_they_say(emcli):
    """A tool that rewrites the file writes true for on."""
    text = ONE + ("    whitelist_in: true\n    organise: False\n    quirk_id: yes\n    taint: no\n"
                  "    username: yes\n    subject_regex: 1.50\n    limit_organise: 0\n    list: null\n")
    assert load(emcli, text).rc == 0
    got = emcli.admin("account", "show", "new", "--json").json
    want = {"whitelist_in": True, "organise": "off", "quirk_id": "on", "taint": 0,
            "username": "yes", "subject_regex": "1.50", "limit_organise": 0, "list": ""}
    assert {k: got[k] for k in want} == want


# -- policy apply

TOP = "emcli: policy\nversion: 1\n"


def changes(r):
    assert r.rc == 0, str(r)
    return [(c["change"], c["what"], c["setting"], c["was"], c["is"]) for c in r.json["changes"]]


def test_a_list_is_the_whole_list_and_the_rest_stays(full):
    before = {t: rows(full, t) for t in TABLES}
    r = apply(full, TOP + "accounts:\n  box:\n    recipients: [c@them.example]\n"
                          "    senders: [a@them.example none]\n", "--yes")
    assert changes(r) == [
        ("removed", "account box", "senders", "@they.example none", ""),
        ("removed", "account box", "senders", "a@them.example dmarc", ""),
        ("added", "account box", "senders", "", "a@them.example none"),
        ("removed", "account box", "recipients", "b@them.example", ""),
        ("added", "account box", "recipients", "", "c@them.example")]
    assert rows(full, "whitelist_in").keys() == {("box", "a@them.example"), ("work", "@they.example")}
    assert rows(full, "whitelist_in")["box", "a@them.example"]["auth"] == "none"
    for table in set(TABLES) - {"whitelist_in", "whitelist_out"}:
        assert rows(full, table) == before[table]


def test_what_the_file_does_not_name_is_only_removed_by_prune(full):
    text = TOP + "agents:\n  bot: {uids: [7, 1001]}\nmodels: {}\n"
    r = apply(full, text)
    assert changes(r) == [] and r.json["kept"] == ["model big", "model small", "agent idp"]
    assert rows(full, "agent").keys() == {"bot", "idp"}
    r = apply(full, text, "--prune", "--yes")
    assert changes(r) == [("removed", "model big", None, "", ""),
                          ("changed", "config", "default_model", "big", "none"),
                          ("removed", "model small", None, "", ""),
                          ("removed", "agent idp", None, "", "")]
    assert rows(full, "agent").keys() == {"bot"} and rows(full, "model") == {}


def test_it_asks_once_and_a_script_says_yes(full):
    text = TOP + "config: {timeout_seconds: 9}\n"
    file = full.folder / "policy.yaml"
    file.write_text(text)
    r = full.admin("policy", "apply", str(file))
    assert r.rc == 2 and b"--yes is needed to make 1 change of policy" in r.err
    assert rows(full, "settings")["timeout_seconds"]["value"] == "7"
    argv = ("policy", "apply", str(file))
    rc, screen = converse(full, argv, b"n\n", b"Type yes: ")[:2]
    assert rc == 2 and "~ config: timeout_seconds: 7 -> 9" in screen
    assert rows(full, "settings")["timeout_seconds"]["value"] == "7"
    assert converse(full, argv, b"yes\n", b"Type yes: ")[0] == 0
    assert rows(full, "settings")["timeout_seconds"]["value"] == "9"
    assert full.admin("policy", "apply", str(file)).out.endswith(b"nothing is different\n")


def test_nothing_is_done_to_a_store_that_changed_while_it_asked(full):
    file = full.folder / "policy.yaml"
    file.write_text(TOP + "config: {timeout_seconds: 9}\n")

    def meanwhile():
        said(full, "config", "set", "timeout_seconds", "11")
        return b"yes\n"

    rc, screen = converse(full, ("policy", "apply", str(file)), meanwhile, b"Type yes: ")
    assert rc == 2 and "the store was changed meanwhile" in screen
    assert rows(full, "settings")["timeout_seconds"]["value"] == "11"


def test_all_of_a_policy_or_nothing(full):
    before = {t: rows(full, t) for t in TABLES}
    bad = TOP + ("config: {timeout_seconds: 9}\naccounts:\n  box: {mode: RO}\nmodels:\n"
                 "  new: {url: 'http://127.0.0.1:1/v1'}\nagents:\n  bot: {accounts: [none]}\n")
    r = apply(full, bad, "--yes", "--prune")
    assert r.rc != 0 and "line 9: " in r.err.decode(), str(r)
    assert {t: rows(full, t) for t in TABLES} == before
    r = apply(full, bad.replace("[none]", "[work]"), "--dry-run", "--prune")
    assert len(changes(r)) > 4 and not r.json["applied"]
    assert {t: rows(full, t) for t in TABLES} == before
    r = apply(full, bad.replace("[none]", "[work]"), "--yes")
    assert r.json["applied"] and full.admin("audit", "verify").rc == 0


def test_the_log_has_what_was_applied_but_no_canary(full):
    r = apply(full, TOP + "canaries: [swordfish-42]\nconfig: {timeout_seconds: 9}\n", "--yes")
    assert changes(r) == [("changed", "config", "timeout_seconds", "7", "9"),
                          ("removed", "canaries: 2", None, "", ""),
                          ("added", "canaries: 1", None, "", "")]
    log = full.admin("audit", "list", "--json", "--action", "policy.apply").json["audit"][0]
    assert "~ config: timeout_seconds: 7 -> 9" in log["detail"] and "swordfish" not in json.dumps(log)
    assert rows(full, "canary").keys() == {"swordfish-42"}


@pytest.mark.parametrize("text, says", [
    ("nonsense: 1\n", 'line 3: unknown key "nonsense"'),
    ("config: {timeout: 9}\n", 'line 3: unknown key "timeout"'),
    ("config: {timeout_seconds: x}\n", "line 3: timeout_seconds is a number"),
    ("accounts: {wrk: {}}\n", "line 3: there is no account wrk"),
    ("accounts: {box: {imap_host: x}}\n", 'line 3: unknown key "imap_host"'),
    ("accounts: {box: {senders: [a@b.example]}}\n", "line 3: a sender is followed by dmarc"),
    ("accounts: {box: {senders: [a@b.example none, a@b.example dmarc]}}\n",
     "line 3: a sender is there twice"),
    ("accounts: {box: {recipients: [x]}}\n", "line 3: "),
    ("sources: [{account: box, role: primary}, {account: work, role: primary}]\n",
     "line 3: box is already the primary"),
    ("sources: [{account: box, role: primary}, {account: box, role: fallback}]\n",
     "line 3: box is a source twice"),
    ("sources: [{account: box, role: none}]\n", "line 3: a source has the role"),
    ("agents: {new: {ops: all, skills: all}}\n", "line 3: a new agent has the members"),
    ("agents: {Bot: {uids: []}}\n", "line 3: the agent is spelt bot"),
    ("agents: {operator: {accounts: all, ops: all, skills: all}}\n", "line 3: an agent's name is"),
    ("agents: {bot: {subject: x}}\n", "line 3: subject and issuer go together"),
    ("agents: {bot: {uids: [-1]}}\n", "line 3: a user's number is"),
    ("agents: {bot: {subject: someone, issuer: 'https://id.example/'}}\n",
     "line 3: that subject is agent idp"),
    ("issuer: {resource: 'http://x.example/mcp'}\n", "line 3: resource takes https"),
    ("issuer: {}\nagents: []\n", "line 4: agents takes members"),
    ("models: {none: {url: 'https://x.example/v1'}}\n", "line 3: a model's name is"),
    ("models: {x: {url: 'https://x.example/v1', key_file: /none}}\n", "line 3: the file of key_file cannot"),
    ("agents:\n  new: {accounts: all, ops: all, skills: all}\n  NEW: {accounts: [], ops: [], skills: []}\n",
     "line 5: the agent is there already, at line 4, spelt otherwise"),
    ("models: {x: {url: 'http://x.example/v1'}}\n", "line 3: url takes https"),
    ("canaries: [short]\n", "line 3: a canary needs at least 8 bytes"),
])
def test_a_policy_that_is_wrong_is_refused_with_its_line(full, text, says):
    r = apply(full, TOP + text, "--yes")
    assert r.rc != 0 and says in r.err.decode(), str(r)


def test_agents_swap_their_subjects(full):
    who = "{{accounts: all, skills: all, ops: all, subject: {}, issuer: 'https://id.example/'}}"
    text = TOP + f"agents:\n  a: {who.format('s1')}\n  b: {who.format('s2')}\n"
    assert apply(full, text, "--yes").json["applied"]
    r = apply(full, TOP + "agents: {a: {subject: s2}, b: {subject: s1}}\n", "--yes")
    assert changes(r) == [("changed", "agent a", "subject", "s1", "s2"),
                          ("changed", "agent b", "subject", "s2", "s1")]
    assert [rows(full, "agent")[n]["subject"] for n in "ab"] == ["s2", "s1"]


def test_an_account_that_is_called_all_is_not_all(full):
    assert load(full, ONE.replace("  new:", "  all:")).rc == 0
    agent = TOP + "agents: {bot: {accounts: %s}}\n"
    assert changes(apply(full, agent % "[all]", "--yes"))[0][2:] == ("accounts", "box", "[all]")
    r = apply(full, agent % "all", "--yes")
    assert changes(r) == [("changed", "agent bot", "accounts", "[all]", "all")] and r.json["applied"]
    assert rows(full, "agent")["bot"]["accounts"] is None
    assert changes(apply(full, agent % "[all]", "--yes")) == [
        ("changed", "agent bot", "accounts", "all", "[all]")]


def test_values_like_the_plan_s_own_words_are_in_quotes(full):
    r = full.admin("account", "import", "-", "--dry-run", stdin=HEAD + (
        "accounts:\n  new: {imap_host: i, username: u, from: a@b.example, list_folder: nothing, "
        "drafts_folder: 'a -> \"b\"'}\n"))
    assert r.rc == 0, str(r)
    assert b'new: list_folder: "nothing"\n' in r.out and b': drafts_folder: "a -> \\"b\\""\n' in r.out, str(r)


def test_it_says_which_held_messages_can_no_longer_be_released(held):  # noqa: F811
    n = held.hold()
    r = apply(held.emcli, TOP + "accounts: {work: {taint: 5}}\n", "--dry-run")
    assert r.json["invalid"] == [n]
    # A setting that no message was judged by leaves it as it was.
    r = apply(held.emcli, TOP + "accounts: {work: {organise: on}}\n", "--yes")
    assert r.json["applied"] and r.json["invalid"] == []
    assert apply(held.emcli, TOP + "accounts: {work: {taint: 5}}\n", "--yes").json["invalid"] == [n]
    assert held.release(n).rc != 0
    # It is said once: now it could not be released before either.
    assert apply(held.emcli, TOP + "accounts: {work: {taint: 6}}\n", "--yes").json["invalid"] == []


def test_it_says_which_held_changes_can_no_longer_be_made(emcli, site):
    box = Files(emcli, site)
    box.put(message(subject="s"))
    said(emcli, "account", "edit", "work", "--organise", "approve")
    uid, = uids(emcli.run("list", "--account", "work", "--folder", "INBOX"))
    r = emcli.run("move", "--account", "work", "--folder", "INBOX", "--uid", str(uid), "--to", "Archive")
    n = r.json["error_detail"]["id"]
    rule = TOP + "accounts: {work: {organise_folders: '%s'}}\n"
    for folders, lost in ("INBOX,Archive", []), ("INBOX", [n]), ("Archive", [n]):
        assert apply(emcli, rule % folders, "--dry-run").json["invalid"] == lost, folders


def test_nothing_is_done_if_other_messages_would_be_lost(held):  # noqa: F811
    file = held.emcli.folder / "policy.yaml"
    file.write_text(TOP + "accounts: {work: {taint: 5}}\n")

    def meanwhile():
        held.hold()
        return b"yes\n"

    rc, screen = converse(held.emcli, ("policy", "apply", str(file)), meanwhile, b"Type yes: ")
    assert rc == 2 and "the store was changed meanwhile" in screen


class Provider(http.server.BaseHTTPRequestHandler):
    """An identity provider that knows no token."""

    def log_message(self, *_):
        pass

    def answer(self, what):
        body = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        at = f"http://127.0.0.1:{self.server.server_port}"
        self.answer({"issuer": at, "introspection_endpoint": at + "/ask", "jwks_uri": at + "/keys",
                     "token_endpoint": at + "/token", "authorization_endpoint": at + "/auth"})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer({"active": False})


def test_the_secret_of_a_client_stays_only_with_its_provider(full):
    def secret():
        con = sqlite3.connect(full.db)
        try:
            return con.execute("SELECT enc_client_secret FROM issuer").fetchone()[0]
        finally:
            con.close()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        at = f"http://127.0.0.1:{server.server_port}"
        r = full.admin("issuer", "set", at, "--resource", "http://127.0.0.1:2/mcp", "--client-id", "asks",
                       "--client-secret-stdin", stdin="hush-hush")
        assert r.rc == 0, str(r)
        server.shutdown()
    text = said(full, "policy", "export")
    assert "client_id: asks" in text and "hush" not in text and secret()
    assert apply(full, text.replace("client_id: asks", "client_id: asks\n  scope: mail"), "--yes").json["needs"] == []
    assert secret() and full.admin("store", "check").rc == 0
    r = apply(full, text.replace("client_id: asks", "client_id: other"), "--yes")
    assert r.json["needs"] == [f"emcli issuer set '{at}' --resource='http://127.0.0.1:2/mcp' --scope='mail' "
                               "--client-id='other' --client-secret-file FILE"]
    assert secret() is None


def test_the_secret_of_a_client_is_not_shown_to_other_authorities(full):
    con = sqlite3.connect(full.db)
    with con:
        con.execute("UPDATE issuer SET enc_client_secret = x'00'")
    con.close()
    r = apply(full, TOP + "issuer: {ca: /etc/passwd}\n", "--dry-run")
    assert changes(r) == [("changed", "issuer", "ca", "/etc/hostname", "/etc/passwd")]
    assert len(r.json["needs"]) == 1


def test_a_command_that_is_printed_is_words_for_a_shell(full):
    client = "x;touch $(id) 'y' #"
    need = apply(full, TOP + f"issuer: {{client_id: {json.dumps(client)}}}\n", "--dry-run").json["needs"][0]
    assert shlex.split(need, comments=True) == [
        "emcli", "issuer", "set", "https://id.example/", "--resource=https://mail.example/mcp",
        "--audience=mail", "--scope=read", "--ca=/etc/hostname", f"--client-id={client}",
        "--client-secret-file", "FILE"]


# -- the key of a model

def models(emcli):
    return {n: (m["url"], m["key_file"]) for n, m in rows(emcli, "model").items()}


def test_a_model_s_key_stays_only_where_it_went(full):
    old, key = models(full)["small"]
    assert key.endswith("/model.key")
    new = "http://127.0.0.1:6/v1"
    # The same server: all of it stays.
    assert changes(apply(full, TOP + "models: {small: {id: y}}\n", "--yes")) == \
        [("changed", "model small", "id", "small", "y")]
    assert models(full)["small"] == (old, key)
    # Another one, or other authorities for it, and the file does not speak of the key.
    for text, change in (("ca: /etc/hostname", ("ca", "", "/etc/hostname")),
                         (f"url: '{new}'", ("url", old, new))):
        r = apply(full, TOP + f"models: {{small: {{{text}}}}}\n", "--dry-run")
        assert sorted(changes(r)) == sorted([("changed", "model small", *change),
                                             ("changed", "model small", "key_file", key, "")])
    # The file says it again: then the plan says what that means.
    text = TOP + f"models: {{small: {{url: '{new}', key_file: '{key}'}}}}\n"
    r = full.admin("policy", "apply", "-", "--yes", stdin=text)
    assert r.rc == 0 and f"\n+ model small: key_file {key}: now sent to {new}\n" in r.out.decode(), str(r)
    assert models(full)["small"] == (new, key)
    assert apply(full, TOP + f"models: {{small: {{url: '{old}'}}}}\n", "--yes").json["applied"]
    assert models(full)["small"] == (old, None)


def test_all_of_a_new_model_is_shown(full):
    key = models(full)["small"][1]
    r = apply(full, TOP + f"models: {{new: {{url: 'http://127.0.0.1:5/v1', id: i, key_file: '{key}', "
                          "ca: /etc/hostname}}\n", "--dry-run")
    assert changes(r) == [("added", "model new", None, "", "")] + [
        ("added", "model new", setting, "", value) for setting, value in
        (("url", "http://127.0.0.1:5/v1"), ("id", "i"), ("key_file", key), ("ca", "/etc/hostname"))]


# -- a plan is shown whole

def many(n):
    return ", ".join(f"a{i}@b.example" for i in range(n))


def test_a_plan_that_cannot_be_shown_whole_is_refused(full):
    name = "A" * 64
    good(add(full, name, *IMAP))
    text = TOP + f"accounts:\n  {name}:\n    recipients: ["
    text += ", ".join(f"a{i}@b" for i in range(230000)) + "]\nagents:\n  evil: {accounts: all, skills: all, ops: all}\n"
    for argv in ("--dry-run",), ("--yes",):
        r = apply(full, text, *argv)
        assert r.rc != 0 and "too long to be shown whole" in r.err.decode(), str(r)[:500]
    assert "evil" not in rows(full, "agent")


def test_an_import_that_cannot_be_shown_whole_is_refused(emcli):
    """Characters that cannot be seen are shown in more bytes."""
    row = "imap_host: i.example, username: u, from: a@b.example"
    r = load(emcli, HEAD + "accounts: {" + ", ".join(
        f"{'A' * 60}{i}: {{{row}, list_folder: '{chr(0xad) * 450}'}}" for i in range(4000)) + "}\n")
    assert r.rc != 0 and "too long to be shown whole" in r.err.decode(), str(r)[:500]
    assert names(emcli) == []


def test_the_log_has_entries_of_lists_last(full):
    """However many or long they are, they hide nothing else."""
    text = TOP + (f"accounts:\n  box:\n    subject_regex: {'x' * 300}\n    recipients: [{many(2000)}]\n"
                  "agents:\n  evil: {accounts: all, skills: all, ops: all, uids: [0]}\n")
    assert apply(full, text, "--yes").json["applied"]
    log = full.admin("audit", "list", "--json", "--action", "policy.apply").json["audit"][0]["detail"]
    assert "+ agent evil: uids: 0\n" in log and "+ account box: recipients: a0@b.example\n" in log
    assert log.index("agent evil") < log.index("a0@b.example") and "x" * 200 + "...\n" in log
    assert len(log) < 20000 and log.endswith("changes)")


# -- agent token

def test_a_new_token_ends_the_old_one(full):
    def hashed():
        con = sqlite3.connect(full.db)
        try:
            return con.execute("SELECT hash FROM agent WHERE name = 'bot'").fetchone()[0]
        finally:
            con.close()

    old, rights = hashed(), rows(full, "agent")
    r = full.admin("agent", "token", "bot")
    token = r.out.strip()
    assert token.startswith(b"emcli_") and b"shown only once" in r.err
    assert hashed() == hashlib.sha256(token).hexdigest() != old
    assert rows(full, "agent") == rights
    r = full.admin("agent", "token", "nobody")
    assert r.rc == 1 and b"there is no such agent" in r.err and r.out == b""


# -- replies

def test_replies_are_what_the_schema_says(full):
    for argv, text in ((["account", "import", "-", "--replace", "--dry-run"],
                        said(full, "account", "export")),
                       (["policy", "apply", "-", "--dry-run"], POLICY + "canaries: [swordfish-42]\n")):
        r = full.admin(*argv, "--json", stdin=text)
        assert r.rc == 0, str(r)
        holds(full, " ".join(argv[:2]), r.json)
