# SPDX-License-Identifier: Apache-2.0
"""
Mail in files, in the broker: a wire reads it that has these files and no
network; a worker has none of them.
"""

import errno
import os
import shutil
import socket
import struct

import pytest

import servers
from conftest import Site
from mail import message
from taken import DIED, Taken
from test_broker import house, until
from test_broker_confined import AT_FDCWD, BOTH, free_process, kernel_says, own

assert house  # a fixture: a house of this module's own
RAW = (b"From a@b Sun Jun 21 10:00:00 2026\n" + message(subject="old").replace(b"\r\n", b"\n") +
       b"\n")


@pytest.fixture(scope="module")
def archive(house):
    """An archive, of an account that sends over the network."""
    path = house.folder / "list.mbox"
    path.write_bytes(RAW)
    own(house, path)
    port = house.stall.getsockname()[1]
    house.set_up("account", "add", "archive", "--backend", "mbox", "--path", path,
                 "--process-backlog")
    house.set_up("account", "edit", "archive", "--mode", "RW", "--from", "agent@lab.example",
                 "--smtp-host", "localhost", "--smtp-port", port, "--smtp-security", "tls",
                 "--username", "agent", "--password-stdin", stdin="secret")
    return path


def listed(house, account):
    r = house.ask("list", "--account", account, "--folder", "INBOX")
    assert r.rc == 0, r
    return [m["subject"] for m in r.data["messages"]]


def wire_of(house, account):
    """A wire's process that has answered for that account alone."""
    house.kill(house.named("wire"))
    until(lambda: house.ask("list", "--account", account, "--folder", "INBOX").rc == 0)
    (pid,) = house.named("wire")
    until(lambda: [w["state"] for w in house.status().json["wires"]] == ["idle"])
    return pid


def test_the_same_mail_by_a_wire_as_in_direct(house, archive):
    for account in "work", "archive":
        there = ("list", "--account", account, "--folder", "INBOX")
        # The numbering of an archive is the same, whoever read it first.
        here = house.direct(*there)
        assert here.rc == 0 and house.ask(*there).out == here.out
    assert house.status().json["confined"]["wire"] == BOTH
    assert {"work", "archive"} <= {w["account"] for w in house.status().json["wires"]}


def beyond(house):
    """What no wire of files gets, whosoever."""
    return {
        "the store": (("openat", AT_FDCWD, bytes(house.db), 0), -errno.EACCES),
        "files to send": (("openat", AT_FDCWD, bytes(house.attach), 0), -errno.EACCES),
        "all folders": (("openat", AT_FDCWD, b"/", 0), -errno.EACCES),
        "users": (("openat", AT_FDCWD, b"/etc/passwd", 0), -errno.EACCES),
        "a connection": (("socket", socket.AF_INET, socket.SOCK_STREAM, 0), -errno.ENOSYS),
        "the same by IPv6": (("socket", socket.AF_INET6, socket.SOCK_STREAM, 0), -errno.ENOSYS),
        "names": (("socket", socket.AF_INET, socket.SOCK_DGRAM, 0), -errno.ENOSYS),
        "a socket of this machine": (("socket", socket.AF_UNIX, socket.SOCK_STREAM, 0),
                                     -errno.ENOSYS),
        "an end for a socket": (("connect", 3, 0, 0), -errno.ENOSYS),
        "a child": (("clone", 17, 0, 0, 0, 0), -errno.ENOSYS),
        "a signal": (("kill", house.broker.pid, 15), -errno.ENOSYS),
        "a program": (("execve", b"/nowhere", 0, 0), DIED),
    }


def test_a_wire_of_files_that_was_taken_over_has_these_alone(house, archive):
    box, other = house.site.box("agent"), Site(house.folder / "other")
    other.box("bob")
    own(house, other.path)
    house.account_maildir(other.path, name="other", user="bob")
    new = os.O_CREAT | os.O_WRONLY
    theirs = {
        "work": {
            "its Maildir": (("openat", AT_FDCWD, bytes(box / "new"), 0), None),
            "a message of its own": (("openat", AT_FDCWD, bytes(box / "tmp" / "x"), new, 0o600),
                                     None),
            "another's Maildir": (("openat", AT_FDCWD, bytes(other.path), 0), -errno.EACCES),
            "an archive": (("openat", AT_FDCWD, bytes(archive), 0), -errno.EACCES),
        },
        "archive": {
            "its archive": (("openat", AT_FDCWD, bytes(archive), 0), None),
            "writing it": (("openat", AT_FDCWD, bytes(archive), 1), -errno.EACCES),
            "another's Maildir": (("openat", AT_FDCWD, bytes(box), 0), -errno.EACCES),
        },
    }
    for account, table in theirs.items():
        pid = wire_of(house, account)
        assert kernel_says(pid) == (2, 1)
        table.update(beyond(house))
        with Taken(pid) as it:
            for why, (what, gets) in table.items():
                got = it.call(*what)
                assert (got >= 0 if gets is None else got == gets), (account, why, got)
        until(lambda: listed(house, account))
    (box / "tmp" / "x").unlink()
    # Where nothing is in force, each of them gets something else.
    free = free_process()
    free.stdout.readline()
    with Taken(free.pid) as it:
        for why, (what, gets) in {**theirs["work"], **theirs["archive"]}.items():
            if gets is not None and what[0] not in ("clone", "kill"):
                assert it.call(*what) != gets, why
    free.wait()
    free.stdout.close()


def test_a_worker_that_was_taken_over_has_no_mail(house, archive):
    for account in "work", "archive":
        assert listed(house, account)
    until(lambda: house.spare() <= house.confined())
    with Taken(min(house.workers())) as it:
        for path in house.site.box("agent") / "new", house.site.path, archive:
            assert it.call("openat", AT_FDCWD, bytes(path), 0) == -errno.EACCES, path
        assert it.call("openat", AT_FDCWD, bytes(house.db), 0) >= 0


def test_a_wire_of_files_gets_no_password(house, archive):
    """Its account sends by a wire of its own, which logs in."""
    pid = wire_of(house, "archive")
    with Taken(pid) as it:
        ask = struct.pack("=4sIqq", b"s\0\0\0", 0, 0, 0)
        # Its socket to the keeper.
        assert it.call("sendto", 3, ask, len(ask), 0, 0, 0) == len(ask)
        said = it.answer(3, len(ask))
    # SERVE_ASK_GIVEN, and SERVE_ABSENT: no descriptor came with it.
    assert (said[0], said[2]) == (ord("S"), 2)


def test_a_maildir_that_is_made_again_is_found(house):
    site = Site(house.folder / "again")
    site.deliver("agent", message(subject="one"))
    own(house, site.path)
    house.account_maildir(site.path, name="again", process_backlog=True)
    assert listed(house, "again") == ["one"]
    workers, (pid, *_) = house.spare(), house.named("wire")
    site.path.rename(house.folder / "away")
    assert house.ask("list", "--account", "again", "--folder", "INBOX").code == "config"
    site.deliver("agent", message(subject="two"))
    own(house, site.path)
    assert listed(house, "again") == ["two"]
    assert workers <= house.workers(), (pid, workers)
    shutil.rmtree(site.path)
    (house.folder / "away").rename(site.path)
    assert listed(house, "again") == ["one"]


def test_a_wire_of_files_that_dies_costs_nothing(house):
    for pid in house.named("wire"):
        os.kill(pid, 9)
    assert listed(house, "work")
    sent = house.ask("send", "--account", "work", "--to", servers.address("bob"), "--subject",
                     "hi", "--body", "b")
    assert sent.rc == 0, sent

