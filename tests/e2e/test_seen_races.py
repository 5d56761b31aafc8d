# SPDX-License-Identifier: Apache-2.0
"""
What another process does between two steps of ours, played by triggers: SQLite
runs them in the very moment.
"""
import sqlite3

import pytest

from mail import message, subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


def behind(emcli, sql):
    """Runs SQL in the store, as somebody else would."""
    with sqlite3.connect(emcli.db, timeout=10) as db:
        db.executescript(sql)
    db.close()


def test_acks_that_rise_into_the_floor_during_a_list_stay_dealt_with(work, site):
    for i in range(1, 4):
        site.deliver("agent", message(subject="s%d" % i))
    assert uids(work.run("list", *BOX, "--new")) == [3, 2, 1]
    assert work.run("ack", *BOX, "--uid", "3").rc == 0
    # While the next list numbers s4, somebody acks 1 and 2: the floor is 3.
    behind(work, "CREATE TRIGGER other AFTER INSERT ON uid_map BEGIN"
                 " UPDATE folder_state SET floor_uid = 3; DELETE FROM acked; END")
    site.deliver("agent", message(subject="s4"))
    assert subjects(work.run("list", *BOX, "--new")) == ["s4"]


def test_uids_seen_before_a_renumbering_ack_nothing_after_it(work, site):
    site.deliver("agent", message())
    # As soon as the ack's own look at the folder is written down, it is reset.
    behind(work, "CREATE TRIGGER other AFTER INSERT ON folder_state BEGIN"
                 " UPDATE folder_state SET uidvalidity = NEW.uidvalidity + 1; END")
    assert work.run("ack", *BOX, "--uid", "1").code == "not_found"
    behind(work, "DROP TRIGGER other")
    db = sqlite3.connect(work.db)
    assert db.execute("SELECT count(*) FROM acked").fetchone() == (0,)
    assert db.execute("SELECT floor_uid FROM folder_state").fetchone() == (0,)
    db.close()


def test_a_send_that_cannot_be_written_down_says_that_it_went(work, site):
    behind(work, "CREATE TRIGGER other BEFORE UPDATE ON audit_log WHEN NEW.state = 'done'"
                 " BEGIN SELECT RAISE(ABORT, 'no room'); END")
    r = work.run("send", "--account", "work", "--to", "bob@lab.example",
                 "--subject", "hi", "--body", "x")
    assert len(site.messages("bob")) == 1
    assert r.code == "unknown_outcome"
    detail = r.json["error_detail"]
    assert "was sent" in detail["message"]
    assert detail["message_id"].encode() in site.messages("bob")[0]
    # What changes nothing outside may simply be tried again.
    site.deliver("agent", message())
    assert work.run("ack", *BOX, "--uid", "1").code == "db"
