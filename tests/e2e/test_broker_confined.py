"""
What confines the broker's processes, as the kernel shows it, and that all
operations of each kind of account still work: files, names, authorities and
libraries are loaded by a worker that is confined already.
"""

import lzma
import os
import pathlib
import shutil
import subprocess

import jmapd
import servers
from conftest import Site
from mail import message
from test_broker import B, house, until

assert house  # a fixture: a house of this module's own
BOTH = "seccomp and Landlock"


def kernel_says(pid):
    rows = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    all_of = dict(row.split(":", 1) for row in rows)
    return tuple(int(all_of[name]) for name in ("Seccomp", "NoNewPrivs"))


def test_the_kernel_shows_each_process_confined(house):
    pids = {house.broker.pid} | house.workers()
    assert len(pids) >= 3
    # The workers' own filter is there when they have said so.
    until(lambda: house.status().json["confined"]["worker"] == BOTH)
    assert {pid: kernel_says(pid) for pid in pids} == {pid: (2, 1) for pid in pids}
    # Each child adds a filter to those of the monitor.
    count = [int(next(row.split(":")[1] for row in
                      pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
                      if row.startswith("Seccomp_filters"))) for pid in sorted(pids)]
    assert count == [1] + [2] * (len(pids) - 1)


def test_status_and_doctor_say_what_is_in_force(house):
    confined = house.status().json["confined"]
    assert (confined["monitor"], confined["worker"]) == (BOTH, BOTH)
    checks = house.ask("doctor", "--account", "work").json["data"]["checks"]
    (line,) = [c for c in checks if c["check"] == "isolation"]
    assert BOTH in line["message"] and line["ok"] is True


def own(house, *paths):
    subprocess.run(["chown", "-R", f"{B}:{B}", *paths], check=True)


def test_a_path_that_is_named_later_is_used_at_once(house):
    """And one that is made, or is replaced by another of its name."""
    before = house.workers()
    late = Site(house.folder / "late")
    late.box("agent")
    late.deliver("agent", message(subject="late"))
    own(house, late.path)
    house.account_maildir(late.path, name="late")
    there = ("list", "--account", "late", "--folder", "INBOX")
    r = house.ask(*there)
    assert [m["subject"] for m in r.data["messages"]] == ["late"], r
    assert not before & house.workers()
    shutil.rmtree(late.path)
    gone = house.ask(*there)
    assert (gone.rc, gone.out) == (house.direct(*there).rc, house.direct(*there).out)
    late = Site(late.path)
    late.deliver("agent", message(subject="new"))
    own(house, late.path)
    assert [m["subject"] for m in house.ask(*there).data["messages"]] == ["new"]
    kept = house.workers()
    assert house.ask(*there).rc == 0 and house.workers() == kept


# -- each kind of account

def imap(house, dovecot, postfix):
    ca = house.folder / "ca.pem"
    shutil.copy(dovecot.ca, ca)
    os.chmod(ca, 0o644)
    dovecot.deliver("agent", message(subject="first", body="words\r\n"))
    house.account_imap(dovecot, postfix, name="imap", ca=ca)


def jmap(house):
    server = jmapd.Jmapd({"Inbox": [message(subject="first", body="words\r\n")], "Drafts": [],
                          "Sent": []})
    house.set_up("account", "add", "jmap", "--password-stdin", "--backend", "jmap",
                 "--url", server.url, "--mode", "RW", "--whitelist-out", "off",
                 "--check-unfinished", "off",
                 "--from", servers.address("agent"), "--username", servers.address("agent"),
                 stdin=servers.password("agent"))
    return server


def everything(house, name, folder):
    """list, search, get, send, create-draft, folders and doctor of an account."""
    box = ("--account", name, "--folder", folder)
    listed = house.ask("list", *box)
    assert listed.rc == 0, listed
    uid = [m["uid"] for m in listed.data["messages"] if m["subject"] == "first"][0]
    assert "words" in house.ask("get", *box, "--uid", uid).data["text"]
    assert house.ask("search", *box, "--subject-contains", "first").data["messages"]
    assert house.ask("folders", "--account", name).rc == 0
    to = ("--account", name, "--to", servers.address("bob"))
    sent = house.ask("send", *to, "--subject", "hi", "--body", "b")
    assert sent.rc == 0, sent
    draft = house.ask("create-draft", *to, "--subject", "d", "--body", "b", "--another", "a test")
    assert draft.rc == 0, draft
    checks = house.ask("doctor", "--account", name).data["checks"]
    assert [c for c in checks if not c["ok"] and c.get("account") == name] == []


def test_all_operations_of_an_imap_account_work(house, dovecot, postfix):
    imap(house, dovecot, postfix)
    everything(house, "imap", "INBOX")


def test_all_operations_of_a_jmap_account_work(house):
    server = jmap(house)
    try:
        everything(house, "jmap", "Inbox")
    finally:
        server.stop()


def test_libraries_and_tables_are_loaded_by_a_confined_worker(house):
    """Character sets by iconv, time zones, and xz."""
    raw = message(subject="first", body="BODY\r\n", extra="MIME-Version: 1.0\r\n"
                  "Content-Type: text/plain; charset=gb18030\r\n"
                  "Content-Transfer-Encoding: 8bit\r\n")
    raw = raw.replace(b"BODY", "слова words 語".encode("gb18030"))
    site = Site(house.folder / "sets")
    site.box("agent")
    site.deliver("agent", raw)
    for half in ".Drafts", ".Sent":
        for part in "cur", "new", "tmp":
            (site.box("agent") / half / part).mkdir(parents=True)
    site.box("bob")
    archive = house.folder / "list.mbox.xz"
    archive.write_bytes(lzma.compress(b"From a@b Sun Jun 21 10:00:00 2026\n" +
                                      raw.replace(b"\r\n", b"\n") + b"\n"))
    own(house, site.path, archive)
    house.account_maildir(site.path, name="sets")
    house.set_up("account", "add", "archive", "--backend", "mbox", "--path", archive,
                 "--process-backlog")
    everything(house, "sets", "INBOX")
    got = house.ask("get", "--account", "sets", "--folder", "INBOX", "--uid", "1").data
    assert "слова words 語" in got["text"]
    r = house.ask("list", "--account", "archive", "--folder", "INBOX")
    assert r.rc == 0 and r.data["messages"], r
