"""What the operator changes is in the audit log, and can be found there."""
import json
import time

import pytest

from test_admin import IMAP, PASSWORD, add, bad, good


@pytest.fixture
def work(emcli):
    good(add(emcli, "work", *IMAP))
    return emcli


def rows(emcli, *more):
    return json.loads(good(emcli.admin("audit", "list", "--json", *more)))["audit"]


CHANGES = [
    (["account", "edit", "work", "--mode", "RW", "--imap-host", "new.example"],
     "account.edit", "mode=RW imap_host",
     "mode: RO -> RW\nimap_host: imap.lab.example -> new.example\n"),
    (["whitelist", "in", "add", "--account", "work", "A@b.example", "@c.example"],
     "whitelist.in.add", "A@b.example @c.example", ""),
    (["whitelist", "out", "on", "--account", "work"], "whitelist.out.on", "", ""),
    (["account", "remove", "work", "--yes"], "account.remove", "yes", "account work"),
]


@pytest.mark.parametrize("argv, action, target, detail", CHANGES)
def test_a_change_leaves_a_row(work, argv, action, target, detail):
    before = len(rows(work))
    good(work.admin(*argv))
    row = rows(work)[0]
    assert len(rows(work)) == before + 1
    assert (row["principal"], row["account"], row["action"]) == ("operator", "work", action)
    assert (row["target"], row["result"], row["outcome"]) == (target, "allowed", "ok")
    assert row["detail"].startswith(detail)


def test_a_setting_leaves_a_row(emcli):
    good(emcli.admin("config", "set", "timeout_seconds", "5"))
    row = rows(emcli)[0]
    assert row["action"] == "config.set" and row["target"] == "timeout_seconds 5"
    assert row["detail"] == "timeout_seconds: 60 -> 5" and row["account"] == ""


def test_adding_leaves_a_row_without_the_secret(emcli, tmp_path):
    (tmp_path / "pw").write_text(PASSWORD)
    (tmp_path / "pw").chmod(0o600)
    good(emcli.admin("account", "add", "work", *IMAP, "--password-file", tmp_path / "pw",
                     "--subject-regex", "^hush"))
    row = rows(emcli)[0]
    assert row["action"] == "account.add" and row["account"] == "work"
    text = json.dumps(row)
    assert PASSWORD not in text and "hush" not in text and "imap_host" in text


def test_what_fails_is_written_too(work):
    r = work.admin("whitelist", "in", "remove", "--account", "work", "x@y.example")
    assert r.rc == 1
    row = rows(work)[0]
    assert row["action"] == "whitelist.in.remove" and row["outcome"] == "not_found"


def test_looking_leaves_none(work):
    before = len(rows(work))
    for argv in (["account", "list"], ["account", "show", "work"], ["config", "list"],
                 ["config", "get", "timeout_seconds"],
                 ["whitelist", "in", "list", "--account", "work"], ["audit", "list"]):
        good(work.admin(*argv))
    assert len(rows(work)) == before


def test_rows_are_found_by_what_they_say(work, site):
    work.account_maildir(site.box("agent"), name="box")
    work.run("list", "--account", "box", "--folder", "INBOX", env={"EMCLI_AGENT": "scout"})
    work.run("send", "--account", "work", "--to", "a@b.example", "--subject", "s",
             "--body", "b")
    pick = lambda *more: [(r["principal"], r["action"]) for r in rows(work, *more)]
    assert pick("--principal", "scout") == [("scout", "list")]
    assert pick("--principal", "operator", "--account", "box") == [
        ("operator", "account.add")]
    assert pick("--action", "account.add") == [("operator", "account.add")] * 2
    assert pick("--result", "blocked") == [("agent", "send")]
    assert pick("--action", "list", "--result", "blocked") == []
    bad(work.admin("audit", "list", "--result", "maybe"), "allowed|blocked")


def test_rows_are_found_by_time(work):
    today = time.strftime("%Y-%m-%d", time.gmtime())
    year = time.gmtime().tm_year
    assert len(rows(work, "--since", today, "--until", today)) == 1
    assert len(rows(work, "--since", f"{year + 1}-01-01")) == 0
    assert len(rows(work, "--until", f"{year - 1}-12-31")) == 0
    ts = rows(work)[0]["time"]
    assert len(rows(work, "--since", ts, "--until", ts)) == 1
    bad(work.admin("audit", "list", "--since", "yesterday"), "date")


def test_no_agent_is_called_operator(work):
    r = work.run("list", "--account", "work", "--folder", "INBOX",
                 env={"EMCLI_AGENT": "operator"})
    assert r.code == "config"
    assert len(rows(work)) == 1
