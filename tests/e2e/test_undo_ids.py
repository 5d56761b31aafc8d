# SPDX-License-Identifier: Apache-2.0
"""Changes are taken back on stores whose messages keep an id: Cyrus by JMAP, and Gmail."""
import contextlib

import pytest

import servers
import test_gmail
import test_jmap
from mail import message
from test_gmail import google, google_emulator, npm  # noqa: F401
from test_jmap import cyrus_server, real  # noqa: F401

WORK = ("--account", "work")
BOX = (*WORK, "--folder", "INBOX")
SUBJECTS = ["s0", "s1", "s2", "s3"]


class Jmap:
    """Cyrus, and a person's IMAP client beside emcli."""

    def __init__(self, emcli, request):
        self.server = request.getfixturevalue("real")
        with self.client() as c:
            for folder in "Old", "Other":
                c.create(folder)
        test_jmap.add(emcli, self.server.url, organise="on")

    @contextlib.contextmanager
    def client(self):
        c = self.server.client("agent")
        yield c
        c.logout()

    def put(self, raw):
        self.server.append("agent", raw)

    def rows(self, c, folder):
        assert c.select(folder)[0] == "OK"
        for said, raw in (row for row in c.uid("FETCH", "1:*", "(UID FLAGS BODY.PEEK[])")[1] or []
                          if isinstance(row, tuple)):
            words = said.decode().replace("(", " ").replace(")", " ").split()
            yield (raw.split(b"Subject: ")[1].split(b"\r\n")[0].decode(),
                   words[words.index("UID") + 1],
                   {w.lstrip("\\$").lower() for w in words} & {"seen", "flagged", "plan"})

    def there(self, folder="INBOX"):
        with self.client() as c:
            return {subject: flags for subject, _, flags in self.rows(c, folder)}

    def move(self, subject, folder, to):
        with self.client() as c:
            uid = next(u for s, u, _ in self.rows(c, folder) if s == subject)
            assert c.uid("MOVE", uid, to)[0] == "OK"

    def unread(self, subject):
        with self.client() as c:
            uid = next(u for s, u, _ in self.rows(c, "INBOX") if s == subject)
            assert c.uid("STORE", uid, "-FLAGS", r"(\Seen)")[0] == "OK"


class Gmail:
    """The emulator, and whatever else changes labels there."""

    def __init__(self, emcli, request):
        self.server = request.getfixturevalue("google")
        self.server.organised = True
        self.label = {n: self.server.label(n) for n in ("Old", "Other", "plan")}
        test_gmail.account(emcli, self.server, "--password-stdin", organise="on")

    def put(self, raw):
        self.server.put(raw, "INBOX", "UNREAD")

    def all(self):
        for m in self.server.ask("GET", "/messages?maxResults=500&includeSpamTrash=true").get(
                "messages", []):
            whole = self.server.ask("GET", f"/messages/{m['id']}?format=metadata")
            yield (next(h["value"] for h in whole["payload"]["headers"]
                        if h["name"] == "Subject"), m["id"], set(whole.get("labelIds", [])))

    def there(self, folder="INBOX"):
        """What is archived has no label of a place."""
        places = {"INBOX": "INBOX", "Trash": "TRASH",
                  **{n: self.label[n] for n in ("Old", "Other")}}
        got = {}
        for subject, _, labels in self.all():
            here = labels & set(places.values())
            if (not here if folder == "Archive" else places[folder] in here):
                got[subject] = {word for word, has in (
                    ("seen", "UNREAD" not in labels), ("flagged", "STARRED" in labels),
                    ("plan", self.label["plan"] in labels)) if has}
        return got

    def modify(self, subject, **change):
        found = next(i for s, i, _ in self.all() if s == subject)
        self.server.ask("POST", f"/messages/{found}/modify", change)

    def move(self, subject, folder, to):
        ids = {**self.label, "INBOX": "INBOX"}
        self.modify(subject, removeLabelIds=[ids[folder]], addLabelIds=[ids[to]])

    def unread(self, subject):
        self.modify(subject, addLabelIds=["UNREAD"])


@pytest.fixture(params=[Jmap, Gmail])
def place(request, emcli):
    there = request.param(emcli, request)
    for subject in SUBJECTS:
        there.put(message(subject=subject, mid=f"<{subject}.undo@tests.example>"))
    there.emcli = emcli
    there.uid = {m["subject"]: m["uid"] for m in emcli.run("list", *BOX).data["messages"]}
    assert sorted(there.uid) == SUBJECTS
    return there


def change(place, op, *argv):
    r = place.emcli.run(op, *BOX, "--uid", *(str(place.uid[s]) for s in SUBJECTS[:3]), *argv)
    assert r.rc == 0 and r.data["count"] == 3, str(r)
    return r.data["change"]


def undo(place, n):
    r = place.emcli.run("undo", str(n), *WORK)
    assert r.rc == 0, str(r)
    return r.data


def test_a_mark_is_put_back_but_for_what_a_person_changed(place):
    first = place.there()
    n = change(place, "mark", "--read", "--flag", "--label", "plan")
    marked = place.there()
    assert marked["s0"] == {"seen", "flagged", "plan"} and marked["s3"] == first["s3"]
    got = undo(place, n)
    assert (got["count"], got["not_restored"], got["state"]) == (3, [], "undone")
    assert place.there() == first
    # The undo is taken back, and that too, after a person's change.
    again = undo(place, got["change"])
    assert place.there() == marked
    place.unread("s1")
    got = undo(place, again["change"])
    assert [m["reason"] for m in got["not_restored"]] == ["changed"]
    assert place.there() == first


@pytest.mark.parametrize("argv,to", [(("move", "--to", "Old"), "Old"), (("archive",), "Archive"),
                                     (("trash",), "Trash")])
def test_a_move_is_put_back_and_forth(place, argv, to):
    assert place.emcli.run("ack", *BOX, "--uid", str(place.uid["s0"])).rc == 0
    n = change(place, *argv)
    assert sorted(place.there(to)) == SUBJECTS[:3] and sorted(place.there()) == ["s3"]
    got = undo(place, n)
    assert (got["count"], got["folder"], got["state"]) == (3, "INBOX", "undone")
    assert sorted(place.there()) == SUBJECTS and place.there(to) == {}
    new = place.emcli.run("list", *BOX, "--new").data["messages"]
    assert sorted(m["subject"] for m in new) == SUBJECTS[1:]
    again = undo(place, got["change"])
    assert sorted(place.there(to)) == SUBJECTS[:3] and sorted(place.there()) == ["s3"]
    assert undo(place, again["change"])["count"] == 3
    assert sorted(place.there()) == SUBJECTS and place.there(to) == {}


def test_what_a_person_moved_on_stays_there(place):
    n = change(place, "move", "--to", "Old")
    place.move("s0", "Old", "INBOX")
    place.move("s1", "Old", "Other")
    got = undo(place, n)
    assert [m["reason"] for m in got["not_restored"]] == ["moved", "moved"]
    assert (got["uids"], got["state"]) == ([place.uid["s2"]], "done")
    assert sorted(place.there()) == ["s0", "s2", "s3"] and sorted(place.there("Other")) == ["s1"]


def test_the_operator_takes_all_of_it_back_but_for_what_a_person_did(place):
    first = place.there()
    change(place, "mark", "--read", "--label", "plan")
    change(place, "move", "--to", "Old")
    place.move("s1", "Old", "Other")
    r = place.emcli.admin("undo", *WORK, "--since", "1h", "--json")
    assert r.rc == 0, str(r)
    assert [(u["undoes"], u["count"], u["left"]) for u in r.json["undone"]] == [
        (2, 2, 1), (1, 2, 1)]
    assert place.there() == {s: first[s] for s in ("s0", "s2", "s3")}
    assert place.there("Other") == {"s1": {"seen", "plan"}}
