# SPDX-License-Identifier: Apache-2.0
"""Changes of mail are taken back: on Dovecot, with a second client, and on a Maildir that is
killed at every step."""
import contextlib
import fcntl
import json
import os
import sqlite3
import struct

import pytest

import killsteps
import servers
import test_organise
from mail import message, uids
from test_human import at_terminal
from test_crash import again, killed, rows, sound, strace
from test_organise import CALLS, SUBJECTS, box, files, work  # noqa: F401

ME = servers.address("agent")
WORK = ("--account", "work")
BOX = (*WORK, "--folder", "Home")
INBOX = (*WORK, "--folder", "INBOX")
F_OFD_SETLK = 37  # fcntl(2)
FOLDERS = ("Home", "Old", "Gone", "Archive", "Trash")


class Server:
    """A mailbox on Dovecot, and a person's mail program beside emcli."""

    def __init__(self, emcli, dovecot):
        self.emcli, self.dovecot = emcli, dovecot

    def person(self, folder="Home"):
        c = self.dovecot.client("agent")
        c.select(folder)
        return c

    def there(self, folder="Home"):
        """Subjects and flags."""
        got = {}
        with contextlib.closing(self.person(folder)) as c:
            if c.search(None, "ALL")[1] == [b""]:
                return got
            for row in c.fetch("1:*", "(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1]:
                if isinstance(row, tuple):
                    flags = row[0].decode().split("FLAGS (")[1].split(")")[0].split()
                    got[row[1].decode().split(":")[1].strip()] = set(flags) - {"\\Recent"}
        return got

    def undo(self, change, *argv, env=None):
        return self.emcli.run("undo", str(change), *WORK, *argv, env=env)

    def change(self, *argv):
        r = self.emcli.run(argv[0], *BOX, *argv[1:])
        assert r.rc == 0, str(r)
        return r.data["change"]


@pytest.fixture
def mail(emcli, dovecot):
    emcli.account_imap(dovecot, organise="on", process_backlog=True)
    # Another module of the same worker may have left one of them, with its uids.
    there = set(dovecot.doveadm("mailbox", "list", "-u", ME).splitlines()) & set(FOLDERS)
    for folder in there:
        with contextlib.suppress(RuntimeError):  # one that is made when it is first used
            dovecot.doveadm("mailbox", "delete", "-u", ME, folder)
    for folder in FOLDERS:
        dovecot.doveadm("mailbox", "create", "-u", ME, folder)
    for subject in SUBJECTS:
        dovecot.append("agent", message(subject=subject), "Home")
    assert uids(emcli.run("list", *BOX)) == [4, 3, 2, 1]
    yield Server(emcli, dovecot)
    for folder in FOLDERS:
        with contextlib.suppress(Exception):
            dovecot.doveadm("mailbox", "delete", "-u", ME, folder)


def admin(emcli, *argv):
    r = emcli.admin(*argv, "--json")
    assert r.rc == 0, str(r)
    return json.loads(r.out)


def words(r):
    return [left["reason"] for left in r.data["not_restored"]]


# What is put back.


def test_a_mark_is_put_back_as_far_as_it_changed_anything(mail):
    with contextlib.closing(mail.person()) as c:
        c.uid("STORE", "1", "+FLAGS", "(\\Seen)")
        c.uid("STORE", "2", "+FLAGS", "(\\Flagged todo)")
    before = mail.there()
    n = mail.change("mark", "--uid", "1:3", "--read", "--unflag", "--label", "x", "--unlabel",
                    "todo")
    assert mail.there() != before
    dry = mail.undo(n, "--dry-run").data
    assert (dry["change"], dry["count"], dry["uids"]) == (None, 3, [1, 2, 3])
    assert mail.there() != before
    got = mail.undo(n).data
    assert (got["undoes"], got["count"], got["state"]) == (n, 3, "undone")
    assert got["not_restored"] == [] and mail.there() == before
    # Once more does nothing, and says so.
    got = mail.undo(n).data
    assert (got["change"], got["count"], got["restored_before"]) == (None, 0, 3)
    assert mail.there() == before


@pytest.mark.parametrize("argv,to", [(("move", "--uid", "1:3", "--to", "Old"), "Old"),
                                     (("archive", "--uid", "1:3"), "Archive"),
                                     (("trash", "--uid", "1:3"), "Trash")])
def test_a_move_is_put_back_and_forth(mail, argv, to):
    assert mail.emcli.run("ack", *BOX, "--uid", "1").rc == 0
    n = mail.change(*argv)
    assert sorted(mail.there()) == ["s3"]
    got = mail.undo(n).data
    assert (got["count"], got["folder"], got["uids"]) == (3, "Home", [1, 2, 3])
    assert sorted(mail.there()) == SUBJECTS and mail.there(to) == {}
    # What was acked there is not new, though the folder it was in is not known.
    assert set(uids(mail.emcli.run("list", *BOX, "--new"))) == {4, *got["new_uids"][1:]}
    # The undo is undone, and that too; then all of it at once.
    again_ = mail.undo(got["change"]).data
    assert sorted(mail.there(to)) == ["s0", "s1", "s2"] and again_["folder"] == to
    assert [c["state"] for c in changes(mail.emcli)][:3] == ["done", "undone", "done"]
    assert mail.undo(again_["change"]).data["count"] == 3
    assert sorted(mail.there()) == SUBJECTS
    assert [c["undone"] for c in changes(mail.emcli)] == [0, 3, 0, 3]


@pytest.mark.parametrize("folder", ["Old", "Archive"])
def test_what_was_handled_is_not_new_again(emcli, mail, folder):
    """Also for an agent that never looked where it was meanwhile; and a claim comes back."""
    assert emcli.admin("account", "edit", "work", "--process-backlog", "off").rc == 0
    other = {"EMCLI_AGENT": "other"}
    emcli.run("list", *BOX, env=other)
    for subject in ("s4", "s5", "s6"):
        mail.dovecot.append("agent", message(subject=subject), "Home")
    assert emcli.run("ack", *BOX, "--uid", "5", env=other).rc == 0
    mail.change("move", "--uid", "5:6", "--to", folder)
    assert mail.undo(1).data["new_uids"] == [8, 9]
    assert uids(emcli.run("list", *BOX, "--new", env=other)) == [9, 7]


def changes(emcli):
    return emcli.run("changes", *WORK).data["changes"]


# A person in between.


def test_what_a_person_changed_since_stays(mail):
    n = mail.change("mark", "--uid", "1:3", "--read", "--flag")
    with contextlib.closing(mail.person()) as c:
        c.uid("STORE", "1", "-FLAGS", "(\\Seen)")
        c.uid("STORE", "2", "-FLAGS", "(\\Seen \\Flagged)")
        c.uid("STORE", "3", "+FLAGS", "(\\Answered)")
    got = mail.undo(n)
    assert words(got) == ["changed", "changed"] and got.data["uids"] == [1, 3]
    assert [left["uid"] for left in got.data["not_restored"]] == [1, 2]
    assert mail.there() == {"s0": set(), "s1": set(), "s2": {"\\Answered"}, "s3": set()}
    assert got.data["state"] == "done"


def test_moved_on_and_gone(mail):
    n = mail.change("move", "--uid", "1:4", "--to", "Old")
    with contextlib.closing(mail.person("Old")) as c:
        c.uid("MOVE", "1", "Gone")
        c.uid("MOVE", "3", "Home")
        c.uid("STORE", "2", "+FLAGS", "(\\Deleted)")
        c.expunge()
    got = mail.undo(n)
    assert got.data["uids"] == [4] and words(got) == ["moved", "gone", "moved"]
    assert sorted(mail.there()) == ["s2", "s3"] and sorted(mail.there("Gone")) == ["s0"]
    # Another undo finds what came back meanwhile.
    with contextlib.closing(mail.person("Gone")) as c:
        c.uid("MOVE", "1", "Old")
    assert mail.undo(n).data["uids"] == [1]
    assert sorted(mail.there()) == ["s0", "s2", "s3"]


@pytest.mark.parametrize("argv,folder", [(("mark", "--uid", "1", "--read"), "Home"),
                                         (("move", "--uid", "1", "--to", "Old"), "Old")])
def test_a_renumbered_folder(mail, argv, folder):
    n = mail.change(*argv)
    mail.dovecot.append("agent", message(subject="other"), folder)
    mail.dovecot.doveadm("mailbox", "update", "-u", ME, "--uid-validity", "4711", folder)
    got = mail.undo(n)
    assert (got.data["count"], words(got)) == (1, [])
    assert mail.there()["s0"] == set() and set(mail.there()) >= set(SUBJECTS)


@pytest.mark.parametrize("folder", ["Gone", "Old"])
def test_a_folder_that_is_gone(mail, folder):
    mail.dovecot.append("agent", message(subject="there"), "Gone")
    n = mail.emcli.run("move", *WORK, "--folder", "Gone", "--uid", "1", "--to", "Old").data["change"]
    mail.dovecot.doveadm("mailbox", "delete", "-u", ME, folder)
    got = mail.undo(n)
    assert words(got) == ["folder_gone"] and got.data["change"] is None
    if folder == "Gone":
        assert mail.there("Old") == {"there": set()}
    else:
        # What was in it is gone with it, and is not made again.
        assert mail.there("Gone") == {}


# Whose it is.


def test_another_agents_change_is_not_there(mail):
    n = mail.change("mark", "--uid", "1", "--read")
    other = {"EMCLI_AGENT": "other"}
    for argv in ((), ("--dry-run",)):
        theirs, none = mail.undo(n, *argv, env=other), mail.undo(99, *argv, env=other)
        assert theirs.code == none.code == "not_found"
        assert theirs.json["error_detail"]["message"] == none.json["error_detail"]["message"]
    assert mail.there()["s0"] == {"\\Seen"}


def test_a_hidden_message_is_as_one_that_is_gone(mail):
    n = mail.change("move", "--uid", "1:2", "--to", "Old")
    hide = mail.emcli.admin("account", "edit", "work", "--whitelist-in", "on")
    assert hide.rc == 0, str(hide)
    got = mail.undo(n)
    assert (got.data["count"], words(got)) == (0, ["gone", "gone"])
    assert len(mail.there("Old")) == 2
    # The operator sees it.
    assert admin(mail.emcli, "undo", str(n))["undone"][0]["count"] == 2
    assert sorted(mail.there()) == SUBJECTS


def test_the_operator_takes_back_all_of_an_agent(mail):
    start = mail.there()
    mail.change("mark", "--uid", "1:2", "--read")
    mail.change("move", "--uid", "1:3", "--to", "Old")
    mail.emcli.run("mark", *BOX, "--uid", "4", "--flag", env={"EMCLI_AGENT": "other"})
    mail.emcli.run("mark", *WORK, "--folder", "Old", "--uid", "1", "--flag")
    # Whatever agents may now.
    mail.emcli.admin("account", "edit", "work", "--organise", "off", "--mode", "RO")
    mail.emcli.admin("freeze")
    assert mail.emcli.run("undo", "1", *WORK).code == "policy"
    dry = admin(mail.emcli, "undo", "--agent", "agent", "--since", "1h", "--dry-run")["undone"]
    assert [u["undoes"] for u in dry] == [4, 2, 1] and mail.there() != start
    got = admin(mail.emcli, "undo", "--agent", "agent", "--since", "1h")["undone"]
    assert [(u["undoes"], u["count"], u["state"]) for u in got] == [
        (4, 1, "undone"), (2, 3, "undone"), (1, 2, "undone")]
    assert mail.there() == {**start, "s3": {"\\Flagged"}}
    assert admin(mail.emcli, "undo", "--agent", "agent", "--since", "1h")["undone"] == []
    listed = admin(mail.emcli, "changes", "list")["changes"]
    assert [(c["change"], c["agent"], c["undoes"]) for c in listed] == [
        (7, "operator", 1), (6, "operator", 2), (5, "operator", 4), (4, "agent", 0),
        (3, "other", 0), (2, "agent", 0), (1, "agent", 0)]
    only = admin(mail.emcli, "changes", "list", "--agent", "agent", "--account", "work",
                 "--since", "1h", "--limit", "2")["changes"]
    assert [c["change"] for c in only] == [4, 2]
    shown = admin(mail.emcli, "changes", "show", "2")
    assert [m["uid"] for m in shown["list"]] == [1, 2, 3] and shown["state"] == "undone"
    for argv in ("changes", "list"), ("changes", "show", "2"), ("undo", "1"):
        status, shown = at_terminal(mail.emcli, *argv, key="EMCLI_ADMIN_KEY", TERM="dumb")
        table = [line for line in shown.split("\n") if line]
        assert status == 0 and len(table) > 1 and max(map(len, table)) <= 80, shown
        assert len(table) < 10, shown
    # Each is in the audit log.
    done = rows(mail.emcli, "SELECT principal, action, outcome FROM audit_log"
                            " WHERE action = 'undo' ORDER BY id")
    assert done[0][0] == "agent" and ("operator", "undo", "ok") in done
    assert rows(mail.emcli, "SELECT count(DISTINCT audit_id) FROM journal WHERE undoes > 0") == [(1,)]


def test_all_that_is_taken_back_stays_so(mail):
    """An agent's undo is undone in its turn; the operator's undos are younger than the time too."""
    start = mail.there()
    mail.change("mark", "--uid", "1:2", "--read")
    mail.change("mark", "--uid", "3", "--flag")
    assert mail.undo(2).data["count"] == 1
    got = admin(mail.emcli, "undo", *WORK, "--since", "1h")["undone"]
    assert [u["undoes"] for u in got] == [3, 2, 1] and mail.there() == start
    assert admin(mail.emcli, "undo", *WORK, "--since", "1h")["undone"] == []
    assert mail.there() == start


def test_one_that_is_not_over_holds_up_no_other(mail):
    start = mail.there()
    mail.change("mark", "--uid", "1:2", "--read")
    mail.change("mark", "--uid", "3", "--flag")
    with sqlite3.connect(mail.emcli.db) as db:
        db.execute("UPDATE journal SET state = 'begun' WHERE id = 2")
    db.close()
    with open(f"{mail.emcli.db}-outbox", "r+b") as lock:
        # Whoever makes that change holds its byte: store/journal_row.h.
        byte = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, (1 << 40) + 2, 1, 0)
        fcntl.fcntl(lock, F_OFD_SETLK, byte)
        got = admin(mail.emcli, "undo", *WORK, "--since", "1h")["undone"]
    assert [(u["undoes"], u["count"], u["state"]) for u in got] == [
        (2, 0, "begun"), (1, 2, "undone")]
    assert [m["reason"] for m in got[0]["not_restored"]] == ["begun"]
    assert mail.there() == {**start, "s2": {"\\Flagged"}}


def test_an_account_out_of_reach_holds_up_no_other(mail):
    start = mail.there()
    mail.emcli.account_imap(mail.dovecot, name="away", organise="on", process_backlog=True)
    mail.change("mark", "--uid", "1", "--read")
    for uid in "2", "3":
        r = mail.emcli.run("mark", "--account", "away", "--folder", "Home", "--uid", uid, "--flag")
        assert r.rc == 0, str(r)
    assert mail.emcli.admin("account", "edit", "away", "--imap-port", "1").rc == 0
    r = mail.emcli.admin("undo", "--agent", "agent", "--since", "1h", "--json")
    assert r.rc != 0
    assert [u["undoes"] for u in json.loads(r.out)["undone"]] == [1], str(r)
    assert mail.there() == {**start, "s1": {"\\Flagged"}, "s2": {"\\Flagged"}}


@pytest.mark.parametrize("argv", [(), ("--agent", "agent"), ("--since", "1h"),
                                  ("1", "--since", "1h"), ("--agent", "agent", "--since", "soon")])
def test_the_operator_says_which(mail, argv):
    r = mail.emcli.admin("undo", *argv)
    assert r.rc == 2 and not r.out


def test_changes_list_needs_the_key(mail):
    assert mail.emcli.run("changes", "list").rc != 0
    assert mail.emcli.run("changes", "show", "1").rc != 0


# Killed.


def test_the_operators_list_asks_no_server(box):  # noqa: F811
    assert box.admin("account", "edit", "work", "--organise", "on").rc == 0
    killed(box, ("renameat2", 2), ("move", *INBOX, "--uid", "1:3", "--to", "Old"))
    assert len(files(box, ".Old")) == 1
    for _ in range(2):
        (got,) = admin(box, "changes", "list")["changes"]
        assert (got["state"], got["done"]) == ("begun", 0)
        assert admin(box, "changes", "show", "1")["state"] == "begun"
    # Whoever asks for his own changes has it settled.
    box.run("changes", *WORK)
    (got,) = admin(box, "changes", "list")["changes"]
    assert (got["state"], got["done"]) == ("partly", 1)
    # So has an undo, which puts back what was done.
    assert admin(box, "undo", "1")["undone"][0]["count"] == 1
    assert sorted(files(box)) == SUBJECTS


@pytest.mark.parametrize("argv", [("move", *INBOX, "--uid", "1:3", "--to", "Old"),
                                  ("mark", *INBOX, "--uid", "1:3", "--read")])
@pytest.mark.parametrize("agent", [True, False])
def test_killed_at_any_step_it_is_undone_once(box, argv, agent):  # noqa: F811
    assert box.admin("account", "edit", "work", "--organise", "on").rc == 0
    assert box.run(*argv).data["change"] == 1
    test_organise.keep(box)
    undo = ("undo", "1", *(WORK if agent else ()))
    traced = strace(box, ["-e", "trace=" + ",".join(CALLS)], undo, not agent)
    assert traced.returncode == 0, traced.stderr
    trace = (box.folder / "trace").read_text(errors="replace")
    todo = killsteps.chosen(trace, CALLS, 4)
    assert len(todo) > 10
    states = set()
    for step in todo:
        again(box)
        killed(box, step, undo, not agent)
        sound(box)
        here, there = files(box), files(box, ".Old")
        # The next call finds out what became of it, and does nothing itself.
        seen = {c["change"]: c for c in box.run("changes", *WORK).data["changes"]}
        assert (files(box), files(box, ".Old")) == (here, there), step
        assert sorted([*here, *there]) == SUBJECTS, step
        assert all(len(f) == 1 for f in [*here.values(), *there.values()]), step
        if argv[0] == "move":
            back = len(here) - 1
        else:
            back = 3 - sum("S" in f[0].name.partition(":2,")[2] for f in here.values())
        assert seen[1]["undone"] == back, step
        assert seen[1]["state"] == ("undone" if back == 3 else "done"), step
        states.add(back)
        # And the next undo does the rest, once.
        got = box.run("undo", "1", *WORK).data
        assert (got["count"], got["restored_before"], got["state"]) == (3 - back, back, "undone")
        assert sorted(files(box)) == SUBJECTS and not files(box, ".Old"), step
        assert all("S" not in f[0].name.partition(":2,")[2] for f in files(box).values()), step
    assert {0, 3} <= states
