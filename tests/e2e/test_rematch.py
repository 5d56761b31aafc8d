# SPDX-License-Identifier: Apache-2.0
"""A folder the server numbers anew: what was dealt with stays so, what was new stays new."""
import sqlite3

import pytest

from mail import message, subjects, uids

ME = "agent@lab.example"
BOX = ("--account", "work", "--folder", "Changing")


@pytest.fixture
def box(emcli, dovecot):
    b = Box(emcli, dovecot)
    yield b
    b.client.delete("Changing")
    b.client.logout()


class Box:
    def __init__(self, emcli, dovecot):
        self.emcli, self.dovecot = emcli, dovecot
        self.raw = {}
        # Somebody else's, who stays logged in.
        self.client = dovecot.client(ME)
        self.create()

    def append(self, *raws):
        """All of them by one command, RFC 3502 and RFC 7888."""
        self.client.send(b"all APPEND Changing" + b"".join(
            b" {%d+}\r\n%s" % (len(raw), raw) for raw in raws) + b"\r\n")
        while not (line := self.client.readline()).startswith(b"all "):
            assert line
        assert line.startswith(b"all OK"), line

    def deliver(self, *names, **kw):
        self.raw |= {n: message(subject=n, **kw) for n in names}
        self.append(*(self.raw[n] for n in names))

    def renumber(self, names):
        """The folder with these, in this order, under another UIDVALIDITY."""
        assert self.client.delete("Changing")[0] == "OK"
        self.create(names)

    def create(self, names=()):
        assert self.client.create("Changing")[0] == "OK"
        if names:
            self.append(*(self.raw.setdefault(n, message(subject=n)) for n in names))

    def new(self):
        r = self.emcli.run("list", *BOX, "--new")
        return subjects(r)[::-1], r.data

    def ack(self, *names):
        r = self.emcli.run("list", *BOX, "--limit", "500")
        by = dict(zip(subjects(r), uids(r)))
        assert self.emcli.run("ack", *BOX, "--uid", *(str(by[n]) for n in names)).rc == 0


def changed(data, found, lost):
    want = ["uidvalidity_changed"] + (["uidvalidity_rematched"] if found else [])
    assert data.get("warnings") == want
    assert data["warning_counts"].get("uidvalidity_rematched", 0) == found
    assert data["rematch"] == {"found": found, "lost": lost}


@pytest.mark.parametrize("backlog", [True, False])
def test_what_was_acked_stays_acked_and_the_rest_new(box, backlog):
    box.emcli.account_imap(box.dovecot, process_backlog=backlog)
    assert box.new()[0] == []
    box.deliver("a", "b", "c", "d", "e")
    assert box.new()[0] == ["a", "b", "c", "d", "e"]
    box.ack("a", "b", "d")
    assert box.new()[0] == ["c", "e"]
    # One that was acked is gone, one came in between; the numbers are others.
    box.renumber(["b", "c", "d", "e", "f"])
    left, data = box.new()
    assert left == ["c", "e", "f"]
    changed(data, 2, 1)
    left, data = box.new()
    assert left == ["c", "e", "f"] and "warnings" not in data and "rematch" not in data
    box.ack("c", "e", "f")
    assert box.new()[0] == []
    # And once more.
    box.renumber(["b", "c", "d", "e", "f", "g"])
    assert box.new()[0] == ["g"]


def test_mail_from_before_the_agent_does_not_become_new(box):
    box.raw["bare"] = message(subject="bare").replace(b"Message-ID", b"X-Other")
    box.renumber(["old1", "bare", "old2", "old3"])
    box.emcli.account_imap(box.dovecot)
    assert box.new()[0] == []
    box.deliver("a", "b")
    box.ack("b")
    assert box.new()[0] == ["a"]
    # The newest of the old is gone; another tells where the floor was.
    box.renumber(["old1", "bare", "old2", "a", "b", "c"])
    left, data = box.new()
    assert left == ["a", "c"]
    # What only lay at the floor was never acked, and is not counted.
    changed(data, 1, 0)


def test_nothing_left_of_the_floor(box):
    """What is older than all that is known does not count as new."""
    box.deliver("old")
    box.emcli.account_imap(box.dovecot)
    box.new()
    box.deliver("a", "b", "c")
    box.ack("b")
    box.renumber(["older", "b", "c", "d"])
    left, data = box.new()
    assert left == ["c", "d"]
    changed(data, 1, 0)


@pytest.mark.parametrize("backlog, left", [(True, ["x", "c"]), (False, ["c"])])
def test_another_order(box, backlog, left):
    box.emcli.account_imap(box.dovecot, process_backlog=backlog)
    box.new()
    box.deliver("a", "b")
    box.ack("a", "b")
    box.renumber(["b", "x", "a", "c"])
    assert box.new()[0] == left


@pytest.mark.parametrize("backlog, left", [(True, ["x", "y"]), (False, [])])
def test_another_folder_by_that_name_starts_over(box, backlog, left):
    box.emcli.account_imap(box.dovecot, process_backlog=backlog)
    box.new()
    box.deliver("a", "b")
    box.ack("a")
    box.renumber(["x", "y"])
    got, data = box.new()
    assert got == left
    changed(data, 0, 1)


def test_numbers_of_before_name_nothing_after(box):
    box.emcli.account_imap(box.dovecot, process_backlog=True)
    box.deliver("a", "b")
    assert box.new()[0] == ["a", "b"]
    for op in ("ack",), ("get",):
        box.renumber(["b", "a"])
        r = box.emcli.run(*op, *BOX, "--uid", "1")
        assert r.code == "not_found" and "list it again" in r.json["error_detail"]["message"]
        assert box.new()[0] == ["b", "a"]


def test_another_message_with_the_same_message_id_is_another(box):
    """Who knows a Message-ID cannot have it taken for one that was dealt with."""
    box.emcli.account_imap(box.dovecot, process_backlog=True)
    box.new()
    box.raw["bait"] = message(subject="bait", sender="x@evil.example", mid="<same@id>")
    box.append(box.raw["bait"])
    box.ack("bait")
    box.raw["real"] = message(subject="real", mid="<same@id>")
    box.renumber(["bait", "real"])
    assert box.new()[0] == ["real"]


def test_hidden_mail_is_not_counted(box):
    box.emcli.account_imap(box.dovecot, process_backlog=True)
    box.new()
    box.deliver("a")
    box.deliver("spam", sender="x@evil.example")
    box.ack("a", "spam")
    assert box.emcli.admin("whitelist", "in", "on", "--account", "work").rc == 0
    box.emcli.whitelist("in", "@lab.example")
    box.renumber(["a", "spam", "b"])
    left, data = box.new()
    assert left == ["b"]
    # As if it were gone.
    changed(data, 1, 1)


def test_without_a_message_id_it_cannot_be_found(box):
    box.emcli.account_imap(box.dovecot, process_backlog=True)
    box.deliver("x")
    box.new()
    box.raw["bare"] = message(subject="bare").replace(b"Message-ID", b"X-Other")
    box.append(box.raw["bare"])
    box.deliver("a")
    box.ack("bare", "a")
    box.renumber(["x", "bare", "a"])
    left, data = box.new()
    assert left == ["x", "bare"]
    changed(data, 1, 1)


def test_claims_end_and_unacked_mail_stays_new(box):
    box.emcli.account_imap(box.dovecot, process_backlog=True)
    box.deliver("a", "b", "c")
    box.new()
    box.ack("a", "b")
    r = box.emcli.run("list", *BOX, "--new", "--claim", "600")
    assert subjects(r) == ["c"]
    first = uids(r)[0] - 2
    assert box.emcli.admin("unack", *BOX, "--uid", str(first)).rc == 0
    box.renumber(["a", "b", "c"])
    assert box.new()[0] == ["a", "c"]
    assert subjects(box.emcli.run("list", *BOX, "--new", "--claim", "600")) == ["c", "a"]
    db = sqlite3.connect(box.emcli.db)
    assert db.execute("SELECT count(*) FROM claim").fetchone() == (2,)
    db.close()


def test_more_than_a_page(box):
    box.emcli.account_imap(box.dovecot, process_backlog=True)
    box.new()
    names = ["m%d" % i for i in range(520)]
    box.renumber(names)
    left = uids(box.emcli.run("list", *BOX, "--new", "--limit", "500"))
    for part in left, uids(box.emcli.run("list", *BOX, "--limit", "500", "--before",
                                         str(left[-1]))):
        keep = [str(u) for u in part if u != left[7]]
        assert box.emcli.run("ack", *BOX, "--uid", *keep).rc == 0
    want = box.new()[0]
    assert len(want) == 1
    box.renumber(names)
    got, data = box.new()
    assert got == want
    changed(data, 519, 0)


def is_seen(box):
    """Only alice may be read from now on; what is hidden stays where it is."""
    for argv in (("account", "edit", "work", "--whitelist-in", "on"),
                 ("whitelist", "in", "add", "--account", "work", "alice@lab.example")):
        assert box.emcli.admin(*argv).rc == 0


@pytest.mark.parametrize("hidden", [True, False])
def test_hidden_mail_marks_no_floor(box, hidden):
    """Nor does it matter whether it is there when the folder is numbered anew."""
    box.emcli.account_imap(box.dovecot)
    is_seen(box)
    box.deliver("old")
    box.deliver("h1", "h2", sender="eve@evil.example")
    assert box.new()[0] == []
    box.deliver("a", "b")
    box.ack("b")
    # A message without an id came in between; whether it is new must not hang
    # on what lay, hidden, behind it.
    box.raw["bare"] = message(subject="bare").replace(b"Message-ID", b"X-Other")
    box.renumber(["old", "bare", *(["h1", "h2"] if hidden else []), "a", "b"])
    left, data = box.new()
    assert left == ["bare", "a"]
    changed(data, 1, 0)


def test_a_floor_is_known_by_what_is_seen_below_hidden_mail(box):
    box.emcli.account_imap(box.dovecot)
    is_seen(box)
    box.deliver("old")
    box.deliver(*(f"h{i}" for i in range(25)), sender="eve@evil.example")
    assert box.new()[0] == []
    box.deliver("a")
    box.renumber(["old", *(f"h{i}" for i in range(25)), "a"])
    assert box.new()[0] == ["a"]


@pytest.mark.parametrize("subject", ["old", "copy"])
def test_a_copy_of_an_old_message_lifts_no_floor(box, subject):
    """Or whoever has the old one could make new mail old by sending it again."""
    box.emcli.account_imap(box.dovecot)
    box.deliver("old")
    assert box.new()[0] == []
    box.deliver("a", "b")
    box.raw["copy"] = box.raw["old"].replace(b"Subject: old", b"Subject: " + subject.encode())
    box.renumber(["old", "a", "b", "copy"])
    left, _ = box.new()
    assert left[:2] == ["a", "b"]


def test_a_hidden_copy_is_as_none(box):
    box.emcli.account_imap(box.dovecot)
    assert box.emcli.admin("account", "edit", "work", "--subject-regex", "old|^.$").rc == 0
    box.deliver("old")
    assert box.new()[0] == []
    box.deliver("a", "b")
    box.raw["copy"] = box.raw["old"].replace(b"Subject: old", b"Subject: copy")
    box.renumber(["old", "a", "b", "copy"])
    assert box.new()[0] == ["a", "b"]
