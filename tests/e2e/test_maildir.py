# SPDX-License-Identifier: Apache-2.0
"""The Maildir backend through the program, beside other users of the mailbox."""

import os
import threading
import time

import pytest

from mail import message, subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


def test_numbers_follow_arrival_and_stay(work, site):
    files = [site.deliver("agent", message(subject=f"s{i}")) for i in range(4)]
    first = work.run("list", *BOX)
    assert subjects(first) == ["s3", "s2", "s1", "s0"]
    assert uids(first) == [4, 3, 2, 1]
    files[1].unlink()
    seen = files[2].parent.parent / "cur" / (files[2].name + ":2,S")
    files[2].rename(seen)
    site.deliver("agent", message(subject="s4"))
    second = work.run("list", *BOX)
    assert dict(zip(subjects(second), uids(second))) == {"s4": 5, "s3": 4, "s2": 3, "s0": 1}


def test_reading_leaves_every_file_where_it_was(work, site):
    path = site.deliver("agent", message(subject="plan"))
    before = path.stat()
    assert work.run("get", *BOX, "--uid", 1).data["subject"] == "plan"
    assert work.run("search", *BOX, "--text", "words").data["messages"]
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_message_that_went_is_as_one_that_never_was(work, site):
    path = site.deliver("agent", message())
    work.run("list", *BOX)
    path.unlink()
    gone, never = work.run("get", *BOX, "--uid", 1), work.run("get", *BOX, "--uid", 99)
    assert gone.code == "not_found" and gone.out == never.out


def test_nothing_is_lost_or_renumbered_while_flags_change(work, site):
    n = 60
    files = [site.deliver("agent", message(subject=f"s{i}")) for i in range(n)]
    cur = files[0].parent.parent / "cur"
    want = uids(work.run("list", *BOX, "--limit", n))
    assert len(want) == n
    stop = threading.Event()

    def stir():
        """Another client sets and clears flags as fast as it can."""
        paths = [f.rename(cur / (f.name + ":2,")) for f in files]
        while not stop.is_set():
            for i, p in enumerate(paths):
                flag = "S" if p.name.endswith(",") else ""
                paths[i] = p.rename(cur / (p.name.partition(":")[0] + ":2," + flag))
            time.sleep(0.001)

    other = threading.Thread(target=stir)
    other.start()
    try:
        for _ in range(10):
            got = uids(work.run("list", *BOX, "--limit", n))
            assert set(got) <= set(want), "a message was numbered anew"
            assert len(got) >= n - 2, "messages were passed over"
    finally:
        stop.set()
        other.join()
    assert uids(work.run("list", *BOX, "--limit", n)) == want


def test_sent_mail_is_in_the_other_mailbox(work, site):
    r = work.run("send", "--account", "work", "--to", "bob@lab.example", "alice@lab.example",
                 "--bcc", "agent@lab.example", "--subject", "hi", "--body", "hello")
    assert {x["status"] for x in r.data["recipients"]} == {"accepted"}
    for user in "alice", "bob", "agent":
        (raw,) = site.messages(user)
        assert b"Subject: hi" in raw and b"hello" in raw
        assert b"agent" not in raw.split(b"To:")[2].split(b"\r\n")[0]
        assert f"Delivered-To: {user}@lab.example".encode() in raw


def test_one_unknown_mailbox_and_nobody_gets_it(work, site):
    r = work.run("send", "--account", "work", "--to", "bob@lab.example", "nobody@lab.example",
                 "--subject", "hi", "--body", "hello")
    assert r.code == "rejected"
    assert site.messages("bob") == []
    assert os.listdir(site.box("bob") / "tmp") == []


def test_folders_are_maildirs_below_with_a_dot(work, site):
    for name in ".Sent", ".Archive.2026":
        for half in "cur", "new", "tmp":
            (site.box("agent") / name / half).mkdir(parents=True)
    rows = work.run("folders", "--account", "work").data["folders"]
    assert [r["name"] for r in rows] == ["INBOX", "Archive.2026", "Sent"]
    assert work.run("list", "--account", "work", "--folder", "Sent").data["messages"] == []


@pytest.mark.parametrize("folder", ["../bob@lab.example", "..", "Nothing", "/etc", "a/b"])
def test_no_folder_leads_out_of_the_mailbox(work, site, folder):
    site.deliver("bob", message())
    assert work.run("list", "--account", "work", "--folder", folder).code in ("not_found", "usage")


def test_a_link_in_the_mailbox_is_no_message(work, site):
    os.symlink("/etc/passwd", site.box("agent") / "new" / "1782000000.evil")
    assert work.run("list", *BOX).data["messages"] == []


def test_doctor_says_whether_the_mailbox_is_there(work, site):
    checks = work.run("doctor", "--account", "work").data["checks"]
    assert [c["ok"] for c in checks if c["check"] == "maildir.path"] == [True]
    site.box("agent").rename(site.path / "elsewhere")
    r = work.run("doctor", "--account", "work")
    assert str(site.path) not in r.out.decode()
    assert b'"maildir.path","ok":false' in r.out


def test_the_first_day_of_unix_time_is_a_day(work, site):
    """Its second 0 once asked for nothing: all mail came before it."""
    site.deliver("agent", message(subject="late"))
    site.deliver("agent", message(subject="early",
                                  date="Wed, 31 Dec 1969 10:00:00 +0000"))
    day = "1970-01-01"
    assert subjects(work.run("search", *BOX, "--before", day)) == ["early"]
    assert subjects(work.run("search", *BOX, "--since", day)) == ["late"]


def names(emcli):
    """What is kept of a large folder's files, to be told by its name."""
    return list((emcli.db.parent / "cache").rglob("*.names"))


@pytest.fixture
def large(emcli, site):
    """600 messages, one in seven to be seen, in a folder nobody is busy with."""
    emcli.account_maildir(site.path, process_backlog=True, whitelist_in="on")
    emcli.whitelist("in", "alice@lab.example")
    for i in range(600):
        sender = "alice" if i % 7 == 0 else "mallory"
        (site.box("agent") / "cur" / f"{1000 + i}.m:2,S").write_bytes(
            message(sender=f"{sender}@lab.example", subject=f"s{i}"))
    time.sleep(2.1)
    assert len(uids(emcli.run("list", *BOX, "--limit", 5))) == 5
    assert names(emcli)
    return emcli


def test_uids_near_each_other_and_far_are_what_they_name(large):
    """Those that are near are read at once."""
    for some in (596, 589, 582), (1, 575), (8, 15, 22):
        assert large.run("ack", *BOX, "--uid", *some).rc == 0
    for some in (568, 569), (29, 601), (0, 36):
        assert large.run("ack", *BOX, "--uid", *some).rc != 0
    want = [uid for uid in range(568, 22, -1) if uid % 7 == 1]
    assert uids(large.run("list", *BOX, "--new", "--limit", 200)) == want


ASKED = [("list", "--limit", 50), ("list", "--limit", 3, "--before", 200),
         ("list", "--limit", 200), ("list", "--since", 590), ("list", "--before", 2),
         ("list", "--new", "--limit", 20), ("search", "--subject-contains", "s49"),
         ("search", "--text", "words", "--limit", 4), ("get", "--uid", 596), ("get", "--uid", 597),
         ("get", "--uid", 601), ("list-recent-threads", "--since", "9000d", "--limit", 200)]


def test_a_folder_known_from_before_reads_as_one_read_anew(large):
    """What is kept only saves the reading: no reply may show a difference."""
    def replies():
        for op, *args in ASKED:
            folder = () if op.endswith("threads") else BOX[2:]
            yield large.run(op, *BOX[:2], *folder, *args).json

    assert large.run("ack", *BOX, "--uid", 1, 589, 596).rc == 0
    kept = list(replies())
    assert len(kept[0]["data"]["messages"]) == 50
    assert len(kept[2]["data"]["messages"]) == 86
    for name in names(large):
        name.unlink()
        name.mkdir()  # nothing can be kept under that name
    assert list(replies()) == kept


def test_a_known_folder_does_not_hide_what_changed(large, site):
    cur = site.box("agent") / "cur"
    (cur / "2000.m:2,S").write_bytes(message(subject="late"))
    assert subjects(large.run("list", *BOX, "--limit", 1)) == ["late"]
    (cur / "2000.m:2,S").rename(cur / "2000.m:2,FS")
    assert large.run("get", *BOX, "--uid", 601).data["subject"] == "late"
    (cur / "2000.m:2,FS").unlink()
    assert subjects(large.run("list", *BOX, "--limit", 1)) == ["s595"]
    assert large.run("get", *BOX, "--uid", 601).code == "not_found"
