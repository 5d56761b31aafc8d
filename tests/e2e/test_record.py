# SPDX-License-Identifier: Apache-2.0
"""What the operator changes is in the audit log, and can be found there."""
import datetime
import json
import sqlite3
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
    bad(work.admin("audit", "list", "--since", "yesterday"), "takes a day, a time, or how long ago")


def test_no_agent_is_called_operator(work):
    r = work.run("list", "--account", "work", "--folder", "INBOX",
                 env={"EMCLI_AGENT": "operator"})
    assert r.code == "config"
    assert len(rows(work)) == 1


def test_rows_of_the_last_hour_or_days(work):
    """As threads take it: 1h, 2d, 3w; a day and a time go on working."""
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=60)
    old = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    good(work.admin("whitelist", "out", "on", "--account", "work"))
    with sqlite3.connect(work.db) as db:
        db.execute("UPDATE audit_log SET ts = ? WHERE id = 1", (old,))
    db.close()

    def times(*argv):
        r = work.admin("audit", "list", "--json", "--limit", "10000", *argv)
        assert r.rc == 0, str(r)
        return [x["time"] for x in json.loads(r.out)["audit"]]

    assert old in times()
    for since in "1h", "2d", "3w":
        got = times("--since", since)
        assert got and old not in got
        assert times("--until", since) == [old]
    assert times("--until", old[:10]) == [old] == times("--until", old)
    assert work.admin("audit", "export", "--since", "1h").rc == 0
    for wrong in "1x", "h", "0h", "-1h", "yesterday", "2026-13-01":
        r = work.admin("audit", "list", f"--since={wrong}")
        assert r.rc == 2 and b"1h, 2d, 3w" in r.err, str(r)
        assert work.admin("audit", "export", f"--before={wrong}").rc == 2


def test_rows_of_no_account_are_a_mistake(work):
    r = work.admin("audit", "list", "--account", "wrok")
    assert r.rc == 1 and b'no such account as "wrok": did you mean work?' in r.err
    # Of one that is gone the rows are there.
    assert work.admin("account", "remove", "work", "--yes").rc == 0
    r = work.admin("audit", "list", "--account", "work")
    assert r.rc == 0 and b"account.remove" in r.out
