# SPDX-License-Identifier: Apache-2.0
"""Leases: workers of one agent share its new mail, and nothing is worked on twice."""
import datetime
import json
import sqlite3
import time

import pytest

from mail import message, subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


def fill(site, n, **kw):
    for i in range(n):
        site.deliver("agent", message(subject="s%d" % i, **kw))


def claim(emcli, seconds, *more, **kw):
    return emcli.run("list", *BOX, "--new", "--claim", str(seconds), *more, **kw)


def rows(emcli, sql):
    db = sqlite3.connect(emcli.db)
    got = db.execute(sql).fetchall()
    db.close()
    return got


def left(r, since=None):
    """Seconds until others may have what was taken, or up to one more."""
    until = datetime.datetime.fromisoformat(r.data["claimed_until"].replace("Z", "+00:00"))
    return until.timestamp() - (time.time() if since is None else since)


def test_what_one_takes_nobody_else_gets(work, site):
    fill(site, 5)
    since = time.time()
    r = claim(work, 60, "--limit", "2")
    assert uids(r) == [5, 4] and r.data["next_before"] == 4
    assert 55 < left(r, since) and left(r) <= 60
    # A page is full as long as there is something left to take.
    assert uids(claim(work, 60, "--limit", "2")) == [3, 2]
    assert uids(claim(work, 60, "--limit", "2")) == [1]
    assert uids(claim(work, 60)) == []
    # Looking takes nothing, and shows what is taken; another agent has its own.
    assert uids(work.run("list", *BOX, "--new")) == [5, 4, 3, 2, 1]
    assert uids(claim(work, 60, env={"EMCLI_AGENT": "second"})) == [5, 4, 3, 2, 1]
    assert "claimed_until" not in work.run("list", *BOX, "--new").data


def test_a_lease_that_ran_out_returns(work, site):
    fill(site, 2)
    for seconds in 5, 15, 60:
        r = claim(work, seconds)
        assert uids(r) == [2, 1]
        others = uids(claim(work, 5))
        if left(r) > 0:  # it had not run out before another asked
            break
        time.sleep(5 + 2.2)
    assert others == []
    time.sleep(left(r) + 1.2)
    assert uids(claim(work, 60)) == [2, 1]


def test_ack_ends_a_lease(work, site):
    fill(site, 3)
    assert uids(claim(work, 60)) == [3, 2, 1]
    assert work.run("ack", *BOX, "--uid", "2").rc == 0
    assert rows(work, "SELECT uid FROM claim ORDER BY uid") == [(1,), (3,)]
    assert uids(work.run("list", *BOX, "--new")) == [3, 1]
    # What was acked is not taken again, lease or none.
    db = sqlite3.connect(work.db)
    with db:
        db.execute("DELETE FROM claim")
    db.close()
    assert uids(claim(work, 60)) == [3, 1]


@pytest.mark.parametrize("argv", [
    ("--claim", "60"), ("--new", "--claim", "0"), ("--new", "--claim", "86401"),
    ("--new", "--claim", "x"), ("--new", "--claim")])
def test_what_is_no_claim(work, site, argv):
    fill(site, 1)
    assert work.run("list", *BOX, *argv).code == "usage"
    assert rows(work, "SELECT * FROM claim") == []


def test_hidden_mail_is_never_taken(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, whitelist_in="on")
    emcli.whitelist("in", "@lab.example")
    for i in range(40):
        site.deliver("agent", message(subject="spam", sender="x@evil.example"))
        if i % 10 == 0:
            site.deliver("agent", message(subject="s%d" % i))
    r = claim(emcli, 60, "--limit", "3")
    assert subjects(r) == ["s30", "s20", "s10"]
    assert subjects(claim(emcli, 60, "--limit", "3")) == ["s0"]
    assert sorted(rows(emcli, "SELECT uid FROM claim")) == sorted(
        (u,) for u in uids(emcli.run("list", *BOX)))


def test_a_claim_from_before_the_clock_was_put_back_holds_nothing(work, site):
    fill(site, 1)
    assert uids(claim(work, 60)) == [1]
    db = sqlite3.connect(work.db)
    with db:
        db.execute("UPDATE claim SET until_ms = until_ms + 100 * 86400000")
    db.close()
    assert uids(claim(work, 60)) == [1]


def test_what_was_acked_in_between_is_not_given_out(work, site):
    """Between one's look at what is new and its claim, another claims and acks."""
    fill(site, 3)
    work.run("list", *BOX, "--new")
    db = sqlite3.connect(work.db)
    with db:
        db.execute("CREATE TRIGGER other AFTER INSERT ON claim WHEN NEW.uid = 3"
                   " BEGIN INSERT INTO acked VALUES (NEW.account_id, 'agent',"
                   " 'INBOX', NEW.uidvalidity, 2); END")
    db.close()
    assert uids(claim(work, 60)) == [3, 1]


WORKERS, MESSAGES = 32, 200


def test_many_workers_take_each_message_once(work, site):
    fill(site, MESSAGES)
    work.run("list", *BOX, "--new", "--limit", "1")
    env = work.environment(EMCLI_KEY=work.agent_key)
    taken = []
    while True:
        at_once = [work.start(["list", *BOX, "--new", "--claim", "600", "--limit", "7"], env)
                   for _ in range(WORKERS)]
        pages = [json.loads(p.communicate(timeout=60)[0]) for p in at_once]
        assert not any(page["error"] for page in pages), pages
        got = [m["uid"] for page in pages for m in page["data"]["messages"]]
        if not got:
            break
        taken += got
    assert len(taken) == MESSAGES and set(taken) == set(range(1, MESSAGES + 1))


# -- the operator's way back


def new(emcli, **kw):
    return sorted(uids(emcli.run("list", *BOX, "--new", **kw)))


def unack(emcli, *more, box=BOX):
    return emcli.admin("unack", *box, "--uid", *more)


def test_unack_makes_messages_new_again(work, site):
    fill(site, 6)
    assert new(work) == [1, 2, 3, 4, 5, 6]
    assert work.run("ack", *BOX, "--uid", "1:4", "6").rc == 0
    assert new(work) == [5]
    assert unack(work, "6").rc == 0
    assert new(work) == [5, 6]
    # Below the floor: what lay between stays acked.
    r = unack(work, "2,3")
    assert r.rc == 0 and b"2 messages are new again" in r.out
    assert new(work) == [2, 3, 5, 6]
    assert work.run("ack", *BOX, "--uid", "1:6").rc == 0
    assert new(work) == []
    row = json.loads(work.admin("audit", "list", "--action", "unack", "--json").out)["audit"][0]
    assert row["account"] == "work" and "INBOX" in row["detail"] and "2 3" in row["detail"]


def test_unack_is_for_one_agent_and_ends_claims(work, site):
    fill(site, 2)
    other = {"EMCLI_AGENT": "second"}
    for env in {}, other:
        new(work, env=env)
        work.run("ack", *BOX, "--uid", "1", env=env)
        assert uids(claim(work, 60, env=env)) == [2]
    assert work.admin("unack", *BOX, "--uid", "1", "2", "--agent", "second").rc == 0
    assert uids(claim(work, 60, env=other)) == [2, 1]
    assert new(work) == [2] and uids(claim(work, 60)) == []


def test_what_unack_refuses(work, site):
    fill(site, 1)
    assert b"never listed" in unack(work, "1").err
    new(work)
    assert b"no such account" in unack(
        work, "1", box=("--account", "x", "--folder", "INBOX")).err
    assert b"never listed" in unack(
        work, "1", box=("--account", "work", "--folder", "other")).err
    for bad in "0", "x", "5:2":
        assert unack(work, bad).rc == 2
    db = sqlite3.connect(work.db)
    with db:
        db.execute("UPDATE folder_state SET floor_uid = 4294967295")
    db.close()
    r = unack(work, "1")
    assert r.rc != 0 and b"more than 10000" in r.err
    assert work.run("unack", *BOX, "--uid", "1").rc != 0
