# SPDX-License-Identifier: Apache-2.0
"""emcli mailbox: the commands on mailbox roots, over a fresh root and over roots of the upstream
program; what they ask before they remove, and the modes of what they make."""

import os
import sqlite3
import stat
import tarfile
import time

import pytest

import agentroot
import cli

WRITER, CI = "writer@agents.example.test", "ci@agents.example.test"
OPERATOR = "HOUMAO-operator@houmao.localhost"


class Desk:
    """A root, and the commands on it."""

    def __init__(self, emcli, path):
        self.emcli = emcli
        self.path = path

    def call(self, verb, *argv, root=None):
        return self.emcli.admin("mailbox", verb, "--root", root or self.path, *argv)

    def good(self, verb, *argv, root=None):
        r = self.call(verb, "--json", *argv, root=root)
        assert r.rc == 0, str(r)
        return r.json

    def bad(self, part, verb, *argv, root=None):
        r = self.call(verb, *argv, root=root)
        assert r.rc != 0 and part.encode() in r.err, str(r)

    def register(self, address, *argv):
        local = address.split("@")[0]
        return self.good("register", "--address", address, "--principal-id", f"HOUMAO-{local}",
                         *argv)

    def rows(self, address, *argv, root=None):
        return self.good("messages", "--address", address, *argv, root=root)["messages"]

    def states(self):
        return {a["address"]: a["status"] for a in self.good("accounts")["accounts"]}

    def account(self, name, address):
        self.emcli.set_up("account", "add", name, "--backend", "agentbox", "--path", self.path,
                          "--from", address, "--mode", "RW", "--whitelist-out", "off",
                          "--check-unfinished", "off", "--process-backlog")

    def send(self, name, to, subject):
        r = self.emcli.run("send", "--account", name, "--to", to, "--subject", subject,
                           "--body", "the body stays where it is")
        assert r.rc == 0, str(r)


@pytest.fixture
def desk(emcli, tmp_path):
    return Desk(emcli, tmp_path / "team" / "root")


@pytest.fixture
def both(desk):
    desk.good("init")
    desk.register(WRITER)
    desk.register(CI)
    return desk


@pytest.fixture
def theirs(tmp_path):
    def unpack(version):
        name = f"houmao-{version}"
        with tarfile.open(cli.ROOT / "tests/agentbox" / f"{version}.tar.xz") as tar:
            tar.extractall(tmp_path)
        return tmp_path / name / "root"
    return unpack


def test_a_fresh_root_has_the_operator_and_nothing_wrong(desk):
    got = desk.good("init")
    assert got == {"root": str(desk.path), "registrations": 1}
    assert desk.good("init") == got
    assert desk.good("status") == {
        "protocol": 1, "active": 1, "inactive": 0, "stashed": 0, "messages": 0, "unfinished": 0,
        "staged": 0, "quarantined": 0, "locks": [], "damaged": [], "missing_links": 0,
        "missing_rows": 0, "moved": False}
    [one] = desk.good("accounts")["accounts"]
    assert (one["address"], one["principal_id"]) == (OPERATOR, "HOUMAO-operator")
    assert (one["status"], one["kind"], one["role"]) == ("active", "in_root", "system_operator")


def test_an_address_is_registered_once(both, tmp_path):
    again = both.register(WRITER)
    assert again["reused"] is True and again["replaced"] is None
    assert again["mailbox_path"] == str(both.path / "mailboxes" / WRITER)
    both.bad("another registration", "register", "--address", WRITER, "--principal-id", "HOUMAO-x")
    own = both.register("own@agents.example.test", "--account-dir", tmp_path / "own")
    assert own["kind"] == "symlink" and (tmp_path / "own" / "inbox").is_dir()


def test_messages_are_listed_without_their_text(both):
    both.account("writer", WRITER)
    both.account("ci", CI)
    for i in range(3):
        both.send("ci", WRITER, f"build {i}")
        time.sleep(1.01 if i == 1 else 0)
    r = both.call("messages", "--address", WRITER, "--json", "--limit", "2")
    rows = r.json["messages"]
    assert r.json["total"] == 3 and len(rows) == 2 and rows[0]["subject"] == "build 2"
    assert b"the body stays" not in r.out
    assert rows[0]["sender"] == {"address": CI, "principal_id": "HOUMAO-ci"}
    assert rows[0]["to"] == [{"address": WRITER, "principal_id": "HOUMAO-writer"}]
    assert (rows[0]["sender_auth"], rows[0]["read"], rows[0]["box"]) == ("pass", False, "inbox")
    assert len(both.rows(CI, "--box", "sent")) == 3 and both.rows(CI, "--box", "inbox") == []
    assert both.rows(CI, "--unread") == []
    # One whose file is gone is listed, and says so.
    [path] = [p for p in both.path.glob("messages/*/*.md") if rows[0]["message_id"] in p.name]
    path.unlink()
    assert [m["damaged"] for m in both.rows(WRITER)] == [True, False, False]
    assert both.good("status")["damaged"] == [str(path.relative_to(both.path))]
    both.bad("no active registration", "messages", "--address", "nobody@agents.example.test")
    shown = both.call("messages", "--address", WRITER)
    assert shown.rc == 0 and b"build 1" in shown.out and b"SENT" in shown.out


def test_what_removes_a_mailbox_asks_first(both):
    force = ["--address", WRITER, "--principal-id", "HOUMAO-new", "--mode", "force"]
    purge = ["--address", CI, "--mode", "purge"]
    both.bad("--yes is needed", "register", *force)
    both.bad("--yes is needed", "unregister", *purge)
    assert both.states() == {OPERATOR: "active", WRITER: "active", CI: "active"}
    got = both.good("register", "--yes", *force)
    assert got["replaced"] is not None and got["principal_id"] == "HOUMAO-new"
    assert both.good("unregister", "--yes", *purge) == {"address": CI, "purged": True}
    assert CI not in both.states() and not (both.path / "mailboxes" / CI).exists()
    both.bad("stays registered", "unregister", "--address", OPERATOR)
    both.bad("no active registration", "unregister", "--address", CI)


def test_cleanup_removes_what_it_names_and_nothing_else(both):
    both.account("writer", WRITER)
    both.account("ci", CI)
    both.send("ci", WRITER, "stays")
    both.good("register", "--address", WRITER, "--principal-id", "HOUMAO-new", "--mode", "stash")
    both.good("unregister", "--address", CI)
    assert both.states()[CI] == "inactive"
    left = both.path / "staging" / "emcli-msg-left.md"
    left.write_text("nobody finished this")
    assert both.good("status")["staged"] == 1
    [aside] = [p.name for p in (both.path / "mailboxes").iterdir() if "--" in p.name]
    both.bad("--yes is needed", "cleanup")
    assert both.good("status")["quarantined"] == 1
    assert both.good("cleanup", "--yes") == {"quarantined": 1, "locks": 0, "mailboxes": []}
    assert both.good("status")["quarantined"] == 0
    # Nothing to ask about.
    assert both.good("cleanup") == {"quarantined": 0, "locks": 0, "mailboxes": []}
    both.bad("--yes is needed", "cleanup", "--inactive", "--stashed")
    assert both.good("cleanup", "--inactive", "--stashed", "--yes")["mailboxes"] == [CI, aside]
    assert both.states() == {OPERATOR: "active", WRITER: "active"}
    assert sorted(p.name for p in (both.path / "mailboxes").iterdir()) == [OPERATOR, WRITER]
    got = both.good("status")
    assert (got["messages"], got["damaged"], got["unfinished"]) == (1, [], 0)


def test_clear_messages_empties_what_it_names_and_keeps_the_mailboxes(both):
    both.account("writer", WRITER)
    both.account("ci", CI)
    for subject in "one", "two":
        both.send("ci", WRITER, subject)
    both.send("writer", WRITER, "mine")
    clear = "clear-messages", "--address", WRITER
    both.bad("--yes is needed to remove 3 messages of " + WRITER +
             ", of which other mailboxes keep 2", *clear)
    assert both.good(*clear, "--yes") == {
        "address": WRITER, "mailboxes": 1, "messages": 3, "removed": 1}
    assert both.rows(WRITER) == [] and len(both.rows(CI)) == 2
    both.bad("remove 2 messages of all mailboxes (3)", "clear-messages")
    assert both.good("clear-messages", "--yes") == {
        "address": None, "mailboxes": 3, "messages": 2, "removed": 2}
    # Nothing to ask about, and all goes on.
    assert both.good("clear-messages")["messages"] == 0
    assert set(both.states().values()) == {"active"} and both.good("status")["messages"] == 0
    assert list((both.path / "messages").iterdir()) == []
    both.send("ci", WRITER, "three")
    assert [m["subject"] for m in both.rows(WRITER)] == ["three"]
    both.bad("no active registration", "clear-messages", "--address", "x@y.test")


def test_repair_says_what_it_did_and_keeps_what_was_read(both):
    both.account("writer", WRITER)
    both.account("ci", CI)
    both.send("ci", WRITER, "one")
    with sqlite3.connect(both.path / "mailboxes" / WRITER / "mailbox.sqlite") as db:
        db.execute("UPDATE message_state SET is_read = 1")
    [link] = (both.path / "mailboxes" / WRITER / "inbox").iterdir()
    link.unlink()
    (both.path / "locks" / "index.lock").write_text("pid=999999 acquired_at_utc=2026-04-08T10:11:12+00:00\n")
    (both.path / "locks/addresses" / f"{CI}.lock").write_text("pid=999999 acquired_at_utc=2026-04-08T10:11:12+00:00\n")
    got = both.good("status")
    assert got["locks"] == ["locks/index.lock", f"locks/addresses/{CI}.lock"]
    assert (got["missing_links"], got["moved"]) == (1, False)
    got = both.good("repair")
    assert (got["messages"], got["active"], got["links"], got["locks"]) == (1, 3, 1, 1)
    assert link.is_symlink() and both.rows(WRITER)[0]["read"] is True
    # An unreadable database is kept beside the new one.
    (both.path / "index.sqlite").write_bytes(b"no database" * 100)
    both.bad("", "accounts")
    [aside] = both.good("repair")["set_aside"]
    assert (both.path / aside).read_bytes().startswith(b"no database")
    assert both.rows(WRITER)[0]["read"] is True
    moved = both.path.with_name("elsewhere")
    both.path.rename(moved)
    both.path = moved
    assert both.good("status")["moved"] is True
    assert both.good("repair")["moved"] is True and both.good("status")["moved"] is False


def test_modes_are_ours_whatever_the_umask_is(both, tmp_path):
    old = os.umask(0)
    try:
        desk = Desk(both.emcli, tmp_path / "open")
        desk.good("init")
        desk.register(WRITER)
        desk.register(CI)
        desk.account("mode", CI)
        desk.send("mode", WRITER, "secret")
        desk.good("repair")
        desk.good("export", "--to", tmp_path / "out")
    finally:
        os.umask(old)
    for top in desk.path, tmp_path / "out":
        for p in [top, *top.rglob("*")]:
            mode = p.lstat().st_mode
            if not stat.S_ISLNK(mode):
                assert not mode & 0o077, (p, oct(mode))


@pytest.mark.parametrize("version, protocol", [("v0.6.6", 1), ("v2.1.0", 3)])
def test_roots_of_the_upstream_program(desk, theirs, tmp_path, version, protocol):
    root = theirs(version)
    got = desk.good("status", root=root)
    assert (got["protocol"], got["active"], got["messages"]) == (protocol, 4, 12)
    desk.good("init")
    got = desk.good("import", "--from", root)
    assert got == {"protocol": protocol, "registrations": 3, "messages": 12, "known": 0,
                   "damaged": []}
    assert desk.good("import", "--from", root)["known"] == 12
    rows = desk.rows(WRITER)
    assert {m["read"] for m in rows} == {True, False} and {m["sender_auth"] for m in rows} == {"unchecked"}
    assert [m["created_at"] for m in rows] == sorted((m["created_at"] for m in rows), reverse=True)
    if protocol == 1:
        assert [m["message_id"] for m in desk.rows(WRITER, root=root)] == [m["message_id"] for m in rows]
    else:
        desk.bad("protocol 3", "accounts", root=root)
    for other in 1, 3:
        to = tmp_path / f"out{other}"
        assert desk.good("export", "--to", to, "--protocol", other)["messages"] == 12
        assert desk.good("status", root=to)["protocol"] == other
        desk.bad("name a new folder", "export", "--to", to)
    back = Desk(desk.emcli, tmp_path / "back")
    back.good("init")
    back.good("import", "--from", tmp_path / "out3")
    want = [{**m, "sender_auth": None} for m in rows]
    assert [{**m, "sender_auth": None} for m in back.rows(WRITER)] == want


def test_a_root_of_upstreams_is_used_where_it_is(desk, tmp_path):
    root = agentroot.Root(tmp_path / "theirs")
    desk.path = root.path
    root.register(WRITER)
    root.register(CI)
    root.drop(CI, WRITER, "by hand", "text\n")
    [m] = desk.rows(WRITER)
    assert (m["subject"], m["sender_auth"]) == ("by hand", "unchecked")


def test_what_is_no_root_is_refused(desk, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    desk.bad("there is no mailbox root", "status")
    desk.bad("no mailbox root", "status", root=folder)
    desk.good("init")
    link = tmp_path / "link"
    link.symlink_to(desk.path)
    for verb in "init", "status", "repair", "accounts":
        desk.bad("is a link", verb, root=link)
    (desk.path / "protocol-version.txt").write_text("9\n")
    desk.bad("does not know", "status")
    (desk.path / "protocol-version.txt").write_text("1\n")
    desk.bad("address", "register", "--address", "a b", "--principal-id", "x")
    (desk.path / "mailboxes" / "stray").mkdir()
    desk.bad("no mailboxes", "accounts")


def test_they_are_the_operators(desk):
    desk.good("init")
    for verb in "init", "status", "accounts", "repair", "cleanup":
        r = desk.emcli.run("mailbox", verb, "--root", desk.path)
        assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err + r.out, str(r)
