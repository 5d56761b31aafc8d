# SPDX-License-Identifier: Apache-2.0
"""Changes of mail that the operator is asked about first: on a Maildir, on Dovecot, over MCP."""
import re
import sqlite3
import time

import pytest

from mail import message, uids
from test_crash import rows
from test_mcp_approve import YES, Stdio
from test_organise_crowd import Files, Imap

BOX = ("--account", "work", "--folder", "INBOX")
EDIT = ("account", "edit", "work")


class Desk:
    def __init__(self, emcli, mail):
        self.emcli, self.mail = emcli, mail

    def hold(self, *argv, **how):
        r = self.emcli.run(*argv[:1], *BOX, *argv[1:], **how)
        assert r.code == "approval", str(r)
        detail = r.json["error_detail"]
        assert detail["state"] == "held" and detail["reason"] == "approval"
        return detail["id"]

    def sql(self, text, *values):
        db = sqlite3.connect(self.emcli.db)
        with db:
            db.execute(text, values)
        db.close()

    def list(self):
        return self.emcli.admin("approve", "list", "--json").json["held"]

    def show(self, n):
        r = self.emcli.admin("approve", "show", str(n), "--json")
        assert r.rc == 0, str(r)
        return r.json

    def release(self, n, digest=None):
        return self.emcli.admin("approve", "release", str(n), "--digest",
                                digest or self.show(n)["digest"], "--json")

    def held(self):
        return self.emcli.run("changes", "--account", "work").data.get("held", [])

    def untouched(self):
        """Nothing but the folder's own messages, without a flag."""
        assert not rows(self.emcli, "SELECT * FROM journal")
        return all(at in ([("", False)], [("INBOX", False)]) for at in self.mail.look().values())

    def there(self, subject):
        (folder, flagged), = self.mail.look()[subject]
        return folder.strip("."), flagged


@pytest.fixture(params=["maildir", "dovecot"])
def desk(emcli, request):
    mail = (Files(emcli, request.getfixturevalue("site")) if request.param == "maildir"
            else Imap(emcli, request.getfixturevalue("dovecot")))
    for n in range(12):
        mail.put(message(subject=f"s{n}"))
    assert emcli.admin(*EDIT, "--organise", "approve").rc == 0
    made = Desk(emcli, mail)
    made.uid = sorted(uids(emcli.run("list", *BOX)))
    assert len(made.uid) == 12
    return made


def test_a_change_is_one_item_and_made_once_by_the_operator(desk):
    n = desk.hold("move", "--uid", *map(str, desk.uid), "--to", "Archive")
    assert desk.untouched()
    item, = desk.list()
    assert (item["id"], item["agent"], item["reason"]) == (n, "agent", "approval")
    assert item["change"] == 'move 12 messages from "INBOX" to "Archive"'
    shown = desk.show(n)
    assert (shown["kind"], shown["folder"], shown["to"], shown["messages"]) == (
        "move", "INBOX", "Archive", 12)
    assert shown["subjects"] == [f"s{k}" for k in range(10)] and shown["refused"] is None
    text = desk.emcli.admin("approve", "show", str(n)).out.decode()
    assert "s9" in text and "s10" not in text and "and 2 more" in text
    assert desk.release(n, "0" * 64).rc != 0 and desk.untouched()
    waiting, = desk.held()
    assert (waiting["id"], waiting["state"], waiting["change"]) == (n, "held", None)
    r = desk.release(n)
    assert r.rc == 0 and r.json["count"] == 12, str(r)
    assert desk.there("s0") == desk.there("s11") == ("Archive", False)
    row, = rows(desk.emcli, "SELECT id, principal, state, messages FROM journal")
    assert row == (r.json["change"], "agent", "done", 12)
    got = desk.emcli.run("changes", "--account", "work").data
    assert (got["held"][0]["state"], got["held"][0]["change"]) == ("done", row[0])
    assert got["changes"][0]["change"] == row[0]
    # Once.
    assert desk.release(n, shown["digest"]).rc != 0 and desk.list() == []
    assert len(rows(desk.emcli, "SELECT * FROM journal")) == 1


def test_what_would_be_done_is_shown_last(desk):
    desk.mail.put(message(subject="word " * 200))
    u = max(uids(desk.emcli.run("list", *BOX)))
    n = desk.hold("mark", "--uid", str(u), "--flag")
    text = desk.emcli.admin("approve", "show", str(n)).out.decode()
    names = [line.split()[0] for line in text.splitlines()]
    assert names[-4:] == ["subject", "change", "set", "digest"], text
    assert len(text.splitlines()[-4]) < 220


def test_changes_do_not_push_messages_out_of_the_outbox(desk):
    uid = ("--uid", str(desk.uid[0]), "--flag")
    desk.hold("mark", *uid)
    desk.sql("INSERT INTO outbox (account_id, principal, request, message_id, sender,"
             " bytes, digest, policy, state, reason, created_s, changed_s, expires_s)"
             " SELECT account_id, principal, '', '', '', 1, digest, '', 'held', reason,"
             " created_s, changed_s, expires_s FROM outbox")
    n = desk.hold("mark", *uid)
    rows = desk.emcli.admin("outbox", "list", "--limit", "1", "--json").json["outbox"]
    assert [row["id"] for row in rows] == [n - 1]


def test_denied_and_expired_changes_are_never_made(desk):
    first, second = (desk.hold("mark", "--uid", str(u), "--flag") for u in desk.uid[:2])
    digest = desk.show(first)["digest"]
    assert desk.show(second)["set"] == "flagged"
    assert desk.emcli.admin("approve", "deny", str(first)).rc == 0
    desk.sql("UPDATE outbox SET expires_s = ? WHERE id = ?", int(time.time()) - 1, second)
    assert desk.release(first, digest).rc != 0 and desk.release(second).rc != 0
    assert [(h["id"], h["state"]) for h in desk.held()] == [(second, "expired"),
                                                            (first, "denied")]
    assert desk.list() == [] and desk.untouched()


@pytest.mark.parametrize("what", ["gone", "hidden", "off", "folders", "frozen"])
def test_what_changed_since_touches_nothing(desk, what):
    n = desk.hold("mark", "--uid", *map(str, desk.uid[:2]), "--flag")
    if what == "gone":
        assert desk.emcli.admin(*EDIT, "--organise", "on").rc == 0
        assert desk.emcli.run("move", *BOX, "--uid", str(desk.uid[1]), "--to", "Archive").rc == 0
    elif what == "hidden":
        assert desk.emcli.admin(*EDIT, "--subject-regex", "s0").rc == 0
    elif what == "off":
        assert desk.emcli.admin(*EDIT, "--organise", "off").rc == 0
    elif what == "folders":
        assert desk.emcli.admin(*EDIT, "--organise-folders", "Archive").rc == 0
    else:
        assert desk.emcli.admin("freeze", "--agent", "agent").rc == 0
    r = desk.release(n)
    assert r.rc != 0 and {"gone": b"not there any more", "hidden": b"not there any more",
                          "off": b"organise_off", "folders": b"organise_folders",
                          "frozen": b"frozen"}[what] in (r.out + r.err).replace(
                              b"stopped", b"frozen"), str(r)
    assert desk.there("s0")[1] is False
    assert [h["id"] for h in desk.list()] == [n]


def test_a_dry_run_holds_nothing_and_a_hidden_message_neither(desk):
    assert desk.emcli.admin(*EDIT, "--subject-regex", "s[0-4]$").rc == 0
    some = ("--subject-contains", "s", "--to", "Archive")
    got = desk.emcli.run("move", *BOX, *some, "--dry-run").data
    assert (got["change"], got["count"]) == (None, 5)
    assert desk.emcli.run("mark", *BOX, "--uid", str(desk.uid[0]), str(desk.uid[9]),
                          "--flag").code == "not_found"
    assert desk.list() == []
    # What the agent is told of its own item, and the operator of it, counts visible ones.
    n = desk.hold("move", *some)
    assert desk.held()[0]["what"] == desk.show(n)["change"] == (
        'move 5 messages from "INBOX" to "Archive"')
    assert desk.untouched()


def test_a_queue_of_changes_is_full_too(desk):
    uid = ("--uid", str(desk.uid[0]), "--flag")
    desk.hold("mark", *uid)
    for _ in range(99):
        desk.sql("INSERT INTO outbox (account_id, principal, request, message_id, sender,"
                 " bytes, digest, policy, state, reason, created_s, changed_s, expires_s)"
                 " SELECT account_id, principal, '', '', '', 1, digest, '', 'held', reason,"
                 " created_s, changed_s, expires_s FROM outbox LIMIT 1")
    r = desk.emcli.run("mark", *BOX, *uid)
    assert r.code == "limit" and r.json["error_detail"]["reason"] == "rate_limited", str(r)


def test_the_clients_user_is_asked_and_may_agree(desk):
    assert desk.emcli.admin("config", "set", "mcp_approve", "client").rc == 0
    talk = Stdio(desk.emcli)
    try:
        call = {"account": "work", "folder": "INBOX", "uid": [str(u) for u in desk.uid[:2]], "flag": True}
        said, state = talk.ask(call, tool="mark")
        assert re.match(r"Change \d+ is held and has not been made\. ", said)
        # What would be done comes after the subjects, which are not ours.
        assert said.endswith('subject: s0\nsubject: s1\nchange: mark 2 messages in "INBOX"\n'
                             "set: flagged\nclear: \n"), said
        assert desk.untouched()
        got = talk.data(call, tool="mark", state=state, answer=YES)
        assert (got["count"], got["uids"]) == (2, desk.uid[:2])
        assert desk.there("s1")[1] is True
        # The same answer again makes no other change.
        again = talk.data(call, tool="mark", state=state, answer=YES)
        assert again["change"] == got["change"]
        assert len(rows(desk.emcli, "SELECT * FROM journal")) == 1
    finally:
        talk.stop()
