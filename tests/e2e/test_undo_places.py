# SPDX-License-Identifier: Apache-2.0
"""What is in several folders at once is again in all that it was in: Gmail's emulator and Cyrus."""
import contextlib

import pytest

import cyrus
import servers
from mail import message
from oauthlab import google_emulator, npm  # noqa: F401
from test_gmail import google, lost, raw, work  # noqa: F401

WORK = ("--account", "work")


def first(emcli, folder):
    (row,) = emcli.run("list", *WORK, "--folder", folder).data["messages"]
    return ("--folder", folder, "--uid", str(row["uid"]))


def undo(emcli, n):
    got = emcli.run("undo", str(n), *WORK).data
    assert (got["count"], got["state"], got["not_restored"]) == (1, "undone", [])
    return got["change"]


class Mailbox:
    """Gmail's, with a message of these labels."""

    def __init__(self, emcli, google, labels):  # noqa: F811
        google.organised = True
        self.google, self.name = google, {}
        for name in "Old", "Kept":
            self.name[google.label(name)] = name
        ids = {v: k for k, v in self.name.items()}
        self.id = google.put(raw(1), *(ids.get(x, x) for x in labels))["id"]
        assert emcli.admin("account", "edit", "work", "--organise", "on").rc == 0

    def labels(self):
        got = self.google.ask("GET", f"/messages/{self.id}?format=minimal")
        return {self.name.get(x, x) for x in got["labelIds"]}

    def person(self, add=(), remove=()):
        ids = {v: k for k, v in self.name.items()}
        self.google.ask("POST", "/messages/batchModify", {
            "ids": [self.id], "addLabelIds": [ids.get(x, x) for x in add],
            "removeLabelIds": [ids.get(x, x) for x in remove]})


MOVES = [
    # Into the trash a message leaves INBOX, too.
    (["INBOX", "Kept"], "Kept", ["trash"], {"TRASH"}),
    (["INBOX", "Kept"], "All Mail", ["trash"], {"TRASH", "Kept"}),
    (["INBOX", "STARRED"], "STARRED", ["trash"], {"TRASH", "STARRED"}),
    # A person had put it there before.
    (["INBOX", "Old"], "INBOX", ["move", "--to", "Old"], {"Old"}),
    (["INBOX", "Old"], "INBOX", ["archive"], {"Old"}),
    (["Kept"], "All Mail", ["move", "--to", "Old"], {"Old", "Kept"}),
]


@pytest.mark.parametrize("labels,folder,argv,after", MOVES)
def test_labels(work, google, labels, folder, argv, after):  # noqa: F811
    box = Mailbox(work, google, labels)
    n = work.run(argv[0], *WORK, *first(work, folder), *argv[1:]).data["change"]
    assert box.labels() == after
    back = undo(work, n)
    assert box.labels() == set(labels)
    undo(work, back)
    assert box.labels() == after


def test_an_undo_whose_answer_was_lost(work, google):  # noqa: F811
    """It is in both folders then, as it was."""
    box = Mailbox(work, google, ["INBOX", "Old"])
    n = work.run("move", *WORK, *first(work, "INBOX"), "--to", "Old").data["change"]
    google.changes["batchModify"] = lost
    assert work.run("undo", str(n), *WORK).code in ("network", "unknown_outcome")
    google.changes.clear()
    assert box.labels() == {"INBOX", "Old"}
    got = work.run("changes", *WORK).data["changes"]
    assert [c["state"] for c in got] == ["done", "undone"]


def test_what_a_person_did_since_stays(work, google):  # noqa: F811
    box = Mailbox(work, google, ["INBOX"])
    n = work.run("trash", *WORK, *first(work, "INBOX")).data["change"]
    box.person(add=["Kept"])
    undo(work, n)
    assert box.labels() == {"INBOX", "Kept"}


class Site(contextlib.AbstractContextManager):
    """Cyrus, with a message in some of its folders."""

    def __init__(self, emcli, folders):
        self.server = cyrus.Cyrus()
        self.client = self.server.client("agent")
        for folder in {"Old", "Kept"}:
            self.client.create(folder)
        assert self.client.append(folders[0], None, None, message(subject="s"))[0] == "OK"
        self.client.select(folders[0])
        for folder in folders[1:]:
            assert self.client.copy("1", folder)[0] == "OK"
        emcli.set_up("account", "add", "work", "--backend", "jmap", "--mode", "RW",
                     "--url", self.server.url, "--from", servers.address("agent"), "--username",
                     servers.address("agent"), "--process-backlog", "--password-stdin",
                     stdin=servers.password("agent"))
        assert emcli.admin("account", "edit", "work", "--organise", "on").rc == 0

    def __exit__(self, *_):
        self.client.logout()
        self.server.stop()

    def there(self):
        """By another client's eyes."""
        out = set()
        for folder in "INBOX", "Old", "Kept", "Trash", "Archive":
            assert self.client.select(folder, readonly=True)[0] == "OK"
            if self.client.search(None, "ALL")[1] != [b""]:
                out.add(folder)
        return out


@pytest.mark.parametrize("folders,folder,argv,after", [
    (["INBOX", "Old"], "INBOX", ["move", "--to", "Old"], {"Old"}),
    (["INBOX", "Kept"], "Kept", ["trash"], {"INBOX", "Trash"}),
    (["INBOX", "Archive"], "INBOX", ["archive"], {"Archive"}),
])
def test_mailboxes(emcli, folders, folder, argv, after):
    with Site(emcli, folders) as site:
        n = emcli.run(argv[0], *WORK, *first(emcli, folder), *argv[1:]).data["change"]
        assert site.there() == after
        back = undo(emcli, n)
        assert site.there() == set(folders)
        undo(emcli, back)
        assert site.there() == after
