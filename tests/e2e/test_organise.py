# SPDX-License-Identifier: Apache-2.0
"""Marking and moving by uid, on a Maildir: what is on disk afterwards, and after a kill."""
import contextlib
import shutil

import pytest

import killsteps
import test_crash
from mail import message, uids
from test_crash import again, killed, rows, sound, strace

BOX = ("--account", "work", "--folder", "INBOX")
OLD = ("--account", "work", "--folder", "Old")
CALLS = (*test_crash.CALLS, "rename", "renameat2", "link", "linkat")
SUBJECTS = ["s0", "s1", "s2", "s3"]


@pytest.fixture
def box(emcli, site):
    """Four messages, a folder, and a copy to begin from."""
    emcli.account_maildir(site.path, process_backlog=True)
    for subject in SUBJECTS:
        site.deliver("agent", message(subject=subject))
    for half in "cur", "new", "tmp":
        (site.box("agent") / ".Old" / half).mkdir(parents=True)
    assert uids(emcli.run("list", *BOX)) == [4, 3, 2, 1]
    emcli.site = site
    return emcli


def keep(emcli):
    """To begin from again."""
    for folder in emcli.db.parent, emcli.site.path:
        shutil.copytree(folder, str(folder) + ".first")


@pytest.fixture
def work(box):
    assert box.admin("account", "edit", "work", "--organise", "on").rc == 0
    keep(box)
    return box


def files(emcli, folder="."):
    """The files of messages, by their subjects; one that is there twice has two."""
    top = emcli.site.box("agent") / folder
    got = {}
    for path in [*top.glob("new/*"), *top.glob("cur/*")]:
        subject = path.read_bytes().split(b"Subject: ")[1].split(b"\r\n")[0].strip().decode()
        got.setdefault(subject.split("\n")[0], []).append(path)
    return got


def change(emcli):
    return emcli.run("changes", "--account", "work").data["changes"][0]


CHANGES = [("mark", "--uid", "1", "--read"), ("move", "--uid", "1", "--to", "Old"),
           ("archive", "--uid", "1"), ("trash", "--from", "outside"),
           ("mark", "--before", "2100-01-01", "--flag")]


def test_off_nothing_on_disk_changes(box):
    def disk():
        return {p: (p.stat().st_ino, p.stat().st_mtime_ns)
                for p in box.site.box("agent").rglob("*") if p.is_file()}
    before = disk()
    for argv in CHANGES:
        for dry in (), ("--dry-run",):
            assert box.run(argv[0], *BOX, *argv[1:], *dry).code == "policy"
    assert box.run("get", *BOX, "--uid", "1").rc == 0
    assert box.run("load-skill", "--skill", "mail-organize").code == "not_found"
    assert disk() == before


def test_a_message_is_marked_and_moved(work):
    got = work.run("mark", *BOX, "--uid", "1", "2", "--read", "--flag").data
    assert (got["count"], got["uids"]) == (2, [1, 2])
    assert [files(work)[s][0].name.split(":2,")[1] for s in ("s0", "s1")] == ["FS", "FS"]
    assert work.run("ack", *BOX, "--uid", "1").rc == 0
    got = work.run("move", *BOX, "--uid", "1:3", "--to", "Old").data
    assert (got["to"], got["uids"]) == ("Old", [1, 2, 3])
    assert sorted(files(work)) == ["s3"] and sorted(files(work, ".Old")) == ["s0", "s1", "s2"]
    assert sorted(got["new_uids"]) == sorted(uids(work.run("list", *OLD)))
    # What was acked is not new in its new folder.
    assert got["new_uids"][0] not in uids(work.run("list", *OLD, "--new"))
    assert set(got["new_uids"][1:]) == set(uids(work.run("list", *OLD, "--new")))


def test_a_dry_run_changes_nothing(work):
    got = work.run("move", *BOX, "--subject-contains", "s", "--to", "Old", "--dry-run").data
    assert (got["change"], got["count"]) == (None, 4)
    assert [m["subject"] for m in got["messages"]] == SUBJECTS
    assert sorted(files(work)) == SUBJECTS and not rows(work, "SELECT * FROM journal")


def test_only_in_the_folders_that_the_operator_names(work):
    edit = ("account", "edit", "work", "--organise-folders")
    assert work.admin(*edit, "inbox,Old", "--organise-folders", "Bin").rc == 0
    assert work.admin("account", "show", "work", "--json").json["organise_folders"] == "inbox,Old,Bin"
    assert work.run("move", *BOX, "--uid", "1", "--to", "Old").data["count"] == 1
    assert work.admin(*edit, "INBOX").rc == 0
    for argv in (("move", *BOX, "--uid", "2", "--to", "Old"),
                 ("mark", *OLD, "--uid", "1", "--read"),
                 ("move", *OLD, "--uid", "1", "--to", "INBOX", "--dry-run")):
        got = work.run(*argv)
        assert (got.code, got.json["error_detail"]["reason"]) == ("policy", "organise_folders"), argv
    assert sorted(files(work)) == ["s1", "s2", "s3"] and sorted(files(work, ".Old")) == ["s0"]
    assert work.run("mark", *BOX, "--uid", "2", "--read").data["count"] == 1
    assert work.admin(*edit, "").rc == 0
    assert work.run("mark", *OLD, "--uid", "1", "--read").data["count"] == 1


@pytest.mark.parametrize("argv", [("move", *BOX, "--uid", "1:3", "--to", "Old"),
                                  ("mark", *BOX, "--uid", "1:3", "--read")])
def test_killed_at_any_step_nothing_is_lost_or_doubled(work, argv):
    traced = strace(work, ["-e", "trace=" + ",".join(CALLS)], argv)
    assert traced.returncode == 0, traced.stderr
    trace = (work.folder / "trace").read_text(errors="replace")
    todo = killsteps.chosen(trace, CALLS, 4)
    assert len(todo) > 10
    states = set()
    for step in todo:
        again(work)
        out, ended = killed(work, step, argv)
        sound(work)
        # The next call finds out what became of it, and does nothing itself.
        here, there = files(work), files(work, ".Old")
        now = None
        with contextlib.suppress(IndexError):
            now = change(work)
        assert (files(work), files(work, ".Old")) == (here, there), step
        assert sorted([*here, *there]) == SUBJECTS, step
        assert all(len(f) == 1 for f in [*here.values(), *there.values()]), step
        if argv[0] == "move":
            done = len(there)
        else:
            done = sum("S" in f[0].name.partition(":2,")[2] for f in here.values())
        if now is None:
            assert done == 0, step
        else:
            assert now["state"] == {0: "failed", 3: "done"}.get(done, "partly"), step
            assert now["done"] == done, step
            states.add(now["state"])
        # Whoever got an answer got what was written down.
        assert not (ended or out) or change(work)["state"] == "done", step
    assert {"done", "failed"} <= states


@pytest.mark.parametrize("verb", ["hold", "release"])
def test_killed_at_any_step_a_change_is_made_once_or_waits(work, verb):
    assert work.admin("account", "edit", "work", "--organise", "approve").rc == 0
    argv = ("move", *BOX, "--uid", "1:3", "--to", "Old")
    if verb == "release":
        assert work.run(*argv).code == "approval"
        shown = work.admin("approve", "show", "1", "--json").json
        argv = ("approve", "release", "1", "--digest", shown["digest"])
    for folder in work.db.parent, work.site.path:
        shutil.rmtree(str(folder) + ".first")
        shutil.copytree(folder, str(folder) + ".first")
    traced = strace(work, ["-e", "trace=" + ",".join(CALLS)], argv, admin=verb == "release")
    assert b"held" in traced.stdout or traced.returncode == 0, traced.stderr
    trace = (work.folder / "trace").read_text(errors="replace")
    todo, ends = killsteps.chosen(trace, CALLS, 4), set()
    assert len(todo) > 10
    for step in todo:
        again(work)
        # A call that is held ends with an error.
        strace(work, ["-e", "inject=%s:signal=KILL:when=%d" % step], argv, admin=verb == "release")
        sound(work)
        held = work.admin("approve", "list", "--json").json["held"]
        changes = work.run("changes", "--account", "work").data
        there = files(work, ".Old")
        assert sorted([*files(work), *there]) == SUBJECTS, step
        if verb == "hold":
            assert not changes["changes"] and not there and len(held) <= 1, step
            ends.add(len(held))
            continue
        # It waits on, or it is a change that says what was done.
        done = sum(ch["done"] for ch in changes["changes"])
        assert len(held) + len(changes["changes"]) == 1 and done == len(there), step
        ends.add(changes["held"][0]["state"])
        r = work.admin(*argv)
        assert (r.rc == 0) == bool(held) and len(files(work, ".Old")) in (done, 3), step
        assert len(rows(work, "SELECT * FROM journal")) == 1, step
    assert {0, 1} <= ends if verb == "hold" else {"held", "done", "failed"} <= ends, ends
