# SPDX-License-Identifier: Apache-2.0
"""
What confines the broker's processes, as the kernel shows it, and that all
operations of each kind of account still work: files, names, authorities and
libraries are loaded by a worker that is confined already.
"""

import contextlib
import errno
import lzma
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile

import pytest

import agentroot
import jmapd
import servers
from conftest import Site
from mail import message
from taken import DIED, Taken, libc
from test_broker import A, B, BOX, House, become, filters, house, there, until
from test_http_op import Web, children, request

assert house  # a fixture: a house of this module's own
BOTH = "seccomp and Landlock"
AT_FDCWD, CLONE_NEWUSER = -100, 0x10000000


def kernel_says(pid):
    rows = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    all_of = dict(row.split(":", 1) for row in rows)
    return tuple(int(all_of[name]) for name in ("Seccomp", "NoNewPrivs"))


def test_the_kernel_shows_each_process_confined(house):
    # A worker's own filter is there when it has said so.
    until(lambda: house.status().json["confined"]["worker"] == BOTH)
    until(lambda: house.named("keeper") and len(house.workers()) >= 2)
    # One that has just begun still has the spawner's name.
    until(lambda: len(house.named("spawner")) == 1)
    (spawner,) = house.named("spawner")
    # It starts the operator's program: it gains nothing by that, and has two sockets, for those that ask and for
    # the monitor.
    (teller,) = house.named("teller")
    assert there(kernel_says, teller) == (0, 1)
    assert sorted(os.listdir(f"/proc/{teller}/fd")) == ["0", "1", "2", "3", "4"]
    pids = {house.broker.pid} | set(house.children()) - {teller}
    said = {pid: there(kernel_says, pid) for pid in pids}
    assert all(got in (None, (2, 1)) for got in said.values()) and said[spawner] and said[house.broker.pid], said
    # Each adds a filter to those of the spawner.
    until(lambda: all(there(filters, pid) in (None, [1] if pid == spawner else [2]) for pid in pids))


def test_status_and_doctor_say_what_is_in_force(house):
    names = ("monitor", "spawner", "keeper", "worker")
    # Each says so when it has begun, and a worker may be there before the keeper.
    until(lambda: {house.status().json["confined"][name] for name in names} == {BOTH})
    assert house.status().json["teller"] == {"running": True, "last": None, "since_s": None}
    checks = house.ask("doctor", "--account", "work").json["data"]["checks"]
    (line,) = [c for c in checks if c["check"] == "isolation"]
    assert BOTH in line["message"] and line["ok"] is True


def own(house, *paths):
    subprocess.run(["chown", "-R", f"{B}:{B}", *paths], check=True)


def test_a_path_that_is_named_later_is_used_at_once(house):
    """
    And one that is made, or is replaced by another of its name: by another wire,
    and for a folder of files to send by other workers.
    """
    before = house.spare()
    late = Site(house.folder / "late")
    late.box("agent")
    late.deliver("agent", message(subject="late"))
    own(house, late.path)
    house.account_maildir(late.path, name="late")
    there = ("list", "--account", "late", "--folder", "INBOX")
    r = house.ask(*there)
    assert [m["subject"] for m in r.data["messages"]] == ["late"], r
    wires = set(house.named("wire"))
    shutil.rmtree(late.path)
    gone = house.ask(*there)
    assert (gone.rc, gone.out) == (house.direct(*there).rc, house.direct(*there).out)
    late = Site(late.path)
    late.deliver("agent", message(subject="new"))
    own(house, late.path)
    assert [m["subject"] for m in house.ask(*there).data["messages"]] == ["new"]
    # The old one ends when it sees that nobody lends it any more.
    until(lambda: wires - house.named("wire"))
    assert before <= house.workers()
    kept = house.named("wire")
    assert house.ask(*there).rc == 0 and house.named("wire") <= kept
    files = house.folder / "files"
    files.mkdir()
    own(house, files)
    house.set_up("account", "edit", "late", "--attach-dir", files)
    assert house.ask(*there).rc == 0
    until(lambda: not before & house.workers())
    kept = house.spare()
    assert house.ask(*there).rc == 0 and kept <= house.workers()


# A kernel that lacks something, played by a filter of ours that is there before.
LACKS = """
import ctypes, os, sys
lib = ctypes.CDLL("libseccomp.so.2")
lib.seccomp_init.restype = ctypes.c_void_p
ctx = ctypes.c_void_p(lib.seccomp_init(0x7fff0000))
class Is(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64),
                ("b", ctypes.c_uint64)]
for name in sys.argv[1].split():
    name, _, first = name.partition("=")
    number = lib.seccomp_syscall_resolve_name(name.encode())
    when = [Is(0, 4, int(first), 0)] if first else []
    rules = (Is * 1)(*when)
    assert lib.seccomp_rule_add_array(ctx, 0x50026, number, len(when), rules) == 0
assert lib.seccomp_load(ctx) == 0
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.parametrize("lacks, says", [
    ("landlock_create_ruleset", "seccomp; this kernel has no Landlock"),
    # 22 and 21: PR_SET_SECCOMP, PR_GET_SECCOMP.
    ("seccomp prctl=22", "Landlock; this kernel has no seccomp filter"),
    ("landlock_create_ruleset seccomp prctl=22",
     "not confined: this kernel has neither seccomp nor Landlock")])
def test_what_a_kernel_lacks_is_told(lacks, says):
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder)
        h.init()
        site = Site(h.folder / "site")
        site.deliver("agent", message(subject="there"))
        h.run_dir.mkdir()
        h.own()
        h.account_maildir(site.path, process_backlog=True)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.serve("/usr/bin/python3", "-c", LACKS, lacks)
        try:
            assert h.ask("list", *BOX).data["messages"]
            confined = h.status().json["confined"]
            assert (confined["monitor"], confined["worker"]) == (says, says)
            checks = h.ask("doctor", "--account", "work").json["data"]["checks"]
            (line,) = [c for c in checks if c["check"] == "isolation"]
            assert says in line["message"] and "use a kernel" in line["next"]
        finally:
            h.stop()


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
    checks = house.ask("doctor", "--account", name).json["data"]["checks"]
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


def test_a_mailbox_root_works_and_its_private_folders_say_so(house):
    root = agentroot.Root(house.folder / "root")
    names = [root.register(f"{n}@agents.example.test") for n in ("one", "two", "three")]
    with sqlite3.connect(root.path / "index.sqlite") as db:
        moved = house.folder / "private"
        link = root.path / "mailboxes" / names[2]
        link.rename(moved)
        link.symlink_to(moved)
        db.execute("UPDATE mailbox_registrations SET mailbox_kind = 'symlink', mailbox_path = ?"
                   " WHERE address = ?", (str(moved), names[2]))
    own(house, root.path, moved)
    for name, address in zip(("one", "two", "three"), names):
        house.set_up("account", "add", name, "--backend", "agentbox", "--path", root.path,
                     "--from", address, "--mode", "RW", "--whitelist-out", "off",
                     "--check-unfinished", "off", "--process-backlog")
    sent = house.ask("send", "--account", "one", "--to", names[1], "--subject", "hi", "--body", "b")
    assert sent.rc == 0, sent
    two = ("list", "--account", "two", "--folder", "INBOX")
    assert [m["subject"] for m in house.ask(*two).data["messages"]] == ["hi"]
    three = ("list", "--account", "three", "--folder", "INBOX")
    assert house.direct(*three).rc == 0
    r = house.ask(*three)
    assert r.code == "unsupported" and "outside the mailbox root" in str(r.json)


def key_in_a_file(h, keys):
    own(h, keys)
    return {"EMCLI_KEY_FILE": str(keys / "key")}, keys


def program(h, keys):
    """Of root's, as a broker wants it."""
    (keys / "show").write_text(f"#!/bin/sh\necho {h.agent_key}\n")
    for at in keys, keys / "show":
        os.chmod(at, 0o755)
    return str(keys / "show")


def key_of_a_program(h, keys):
    return {"EMCLI_KEY_COMMAND": program(h, keys)}, keys


def key_of_a_script(h, keys):
    return {"EMCLI_KEY_COMMAND": f"/bin/sh {program(h, keys)}"}, keys


def key_of_a_program_by_a_link(h, keys):
    """The link may be replaced, too."""
    links = h.folder / "links"
    links.mkdir(mode=0o755)
    (links / "show").symlink_to(program(h, keys))
    return {"EMCLI_KEY_COMMAND": str(links / "show")}, links


@pytest.mark.parametrize("way", [key_in_a_file, key_of_a_program, key_of_a_script,
                                 key_of_a_program_by_a_link], ids=lambda f: f.__name__)
def test_the_key_s_folder_is_no_worker_s(way):
    """Whatever the store says, which a worker that was taken over can write."""
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder)
        h.init()
        keys, plain = h.folder / "etc", h.folder / "plain"
        for at in keys, plain:
            at.mkdir(mode=0o700)
            (at / "key").write_text(h.agent_key)
            os.chmod(at / "key", 0o600)
        env, shut = way(h, keys)
        h.run_dir.mkdir()
        site = Site(h.folder / "site")
        site.box("agent")
        own(h, plain, site.path, h.run_dir)
        h.account_maildir(site.path, attach_dir=plain)
        h.account_maildir(site.path, name="more", attach_dir=shut)
        h.account_maildir(site.path, name="most", attach_dir=keys)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.serve(env={"EMCLI_KEY": None, **env})
        until(h.confined)
        with Taken(min(h.confined())) as it:
            assert it.call("openat", AT_FDCWD, bytes(plain / "key"), 0) >= 0
            for at in shut, keys:
                for flags in 0, os.O_DIRECTORY:
                    path = next(at.iterdir()) if flags == 0 else at
                    assert it.call("openat", AT_FDCWD, bytes(path), flags) == -errno.EACCES
        h.stop()


# -- the server of HTTP

def below(pid):
    """Its children, by name."""
    found = {}
    for child in children(pid):
        with contextlib.suppress(OSError):
            name = pathlib.Path(f"/proc/{child}/comm").read_text().strip()
            found.setdefault(name, []).append(int(child))
    return found


def test_what_speaks_http_has_no_file_and_its_calls_no_key():
    """Whatever accounts name; a path that is named later is a call's at once."""
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = Web(folder)
        h.init()
        keys = h.folder / "etc"
        keys.mkdir(mode=0o700)
        (keys / "key").write_text(h.agent_key)
        os.chmod(keys / "key", 0o600)
        h.run_dir.mkdir()
        site = Site(h.folder / "site")
        site.deliver("agent", message(subject="there"))
        own(h, keys, site.path, h.run_dir)
        h.account_maildir(site.path, process_backlog=True, attach_dir=keys)
        stall = socket.create_server(("127.0.0.1", 0))
        h.set_up("account", "add", "slow", "--password-stdin", "--backend", "imap",
                 "--from", "agent@lab.example", "--username", "agent",
                 "--imap-host", "localhost", "--imap-port", stall.getsockname()[1], stdin="secret")
        h.token = h.set_up("agent", "add", "bot").out.decode().strip()
        h.serve(env={"EMCLI_KEY": None, "EMCLI_KEY_FILE": str(keys / "key")})
        until(lambda: h.http() and len(below(h.http()).get("emcli http", ())) == 4)
        until(lambda: h.status().json["confined"].get("http") == BOTH)
        speak = below(h.http())["emcli http"]
        assert {pid: kernel_says(pid) for pid in speak} == {pid: (2, 1) for pid in speak}
        until(lambda: all(filters(pid) == [2] for pid in speak))
        late = Site(h.folder / "late")
        late.deliver("agent", message(subject="late"))
        own(h, late.path)
        h.account_maildir(late.path, name="late")
        for name, subject in ("work", "there"), ("late", "late"):
            status, got, _ = h.op("list", {"account": name, "folder": "INBOX"})
            assert status == 200 and [m["subject"] for m in got["data"]["messages"]] == [subject]
        # Half a call: that of its process is confined when the mail server is asked.
        with socket.create_connection(("127.0.0.1", h.port), 20) as s:
            s.sendall(request("list", {"account": "slow", "folder": "INBOX"},
                              f"Authorization: Bearer {h.token}").replace(b"Host: any", b"Host: localhost"))
            def calls():
                all_of = [pid for w in speak for pid in below(w).get("emcli http", ())]
                return [pid for pid in all_of if there(filters, pid) == [2]]
            until(calls)
            with Taken(calls()[0]) as it:
                assert it.call("openat", AT_FDCWD, bytes(h.db), 0) >= 0
                assert it.call("openat", AT_FDCWD, bytes(keys / "key"), 0) == -errno.EACCES
        tries = [(("openat", AT_FDCWD, bytes(path), 0), -errno.EACCES)
                 for path in (keys / "key", h.db, "/".encode(), "/etc/passwd".encode())]
        tries += [(("kill", h.broker.pid, 0), -errno.ENOSYS),
                  (("socket", socket.AF_INET, socket.SOCK_STREAM, 0), -errno.ENOSYS),
                  (("connect", 4, 0, 0), -errno.ENOSYS),
                  (("clone", signal.SIGCHLD, 0, 0, 0, 0), -errno.ENOSYS),
                  (("execve", b"/nowhere", 0, 0), DIED)]
        with Taken(speak[0]) as it:
            assert [it.call(*args) for args, _ in tries] == [want for _, want in tries]
        until(lambda: len(set(below(h.http()).get("emcli http", ())) - {speak[0]}) == 4)
        assert h.op("list", {"account": "work", "folder": "INBOX"})[0] == 200
        h.stop()


# -- a worker that was taken over

def attempts(house):
    """What to call, and what a worker gets for it; None: what it asks for."""
    hidden = bytes(house.folder / "hidden")
    return {
        "its own file": (("openat", AT_FDCWD, bytes(house.db), 0), None),
        "a file of the same user": (("openat", AT_FDCWD, hidden, 0), -errno.EACCES),
        "writing it": (("openat", AT_FDCWD, hidden, 1), -errno.EACCES),
        "all folders": (("openat", AT_FDCWD, b"/", 0), -errno.EACCES),
        "users": (("openat", AT_FDCWD, b"/etc/passwd", 0), -errno.EACCES),
        "a new file": (("openat", AT_FDCWD, bytes(house.run_dir / "new"), os.O_CREAT | os.O_WRONLY,
                        0o600), -errno.EACCES),
        "a new folder": (("mkdirat", AT_FDCWD, bytes(house.run_dir / "dir"), 0o700),
                         -errno.EACCES),
        "the end of the broker": (("kill", house.broker.pid, 0), -errno.EPERM),
        "a world of its own": (("clone", CLONE_NEWUSER | signal.SIGCHLD, 0, 0, 0, 0),
                               -errno.ENOSYS),
        "a connection": (("socket", socket.AF_INET, socket.SOCK_STREAM, 0), -errno.ENOSYS),
        "the same by IPv6": (("socket", socket.AF_INET6, socket.SOCK_STREAM, 0), -errno.ENOSYS),
        "a datagram": (("socket", socket.AF_INET, socket.SOCK_DGRAM, 0), -errno.ENOSYS),
        "routes": (("socket", socket.AF_NETLINK, socket.SOCK_RAW, 0), -errno.ENOSYS),
        "packets": (("socket", socket.AF_PACKET, socket.SOCK_RAW, 0), -errno.ENOSYS),
        "a socket of this machine": (("socket", socket.AF_UNIX, socket.SOCK_STREAM, 0),
                                     -errno.ENOSYS),
        "an end for a socket": (("connect", 4, 0, 0), -errno.ENOSYS),
        "a name for a socket": (("bind", 4, 0, 0), -errno.ENOSYS),
        "the kernel's ciphers": (("socket", socket.AF_ALG, socket.SOCK_SEQPACKET, 0),
                                 -errno.ENOSYS),
        "a program": (("execve", b"/nowhere", 0, 0), DIED),
        # Of no process: under sanitizers, which leave it dumpable, it would stop the broker.
        "a debugger": (("ptrace", 16, 0, 0, 0), DIED),
        "another's memory": (("process_vm_readv", house.broker.pid, 0, 0, 0, 0, 0), DIED),
        "another's descriptors": (("pidfd_getfd", -1, 0, 0), DIED),
        "a namespace": (("unshare", 0), DIED),
        "another namespace": (("setns", -1, 0), DIED),
        "a mount": (("mount", 0, 0, 0, 0, 0), DIED),
        "BPF": (("bpf", 0, 0, 0), DIED),
        "io_uring": (("io_uring_setup", 1, 0), DIED),
        "a keyring": (("keyctl", 0, 0, 0), DIED),
        "a socket that listens": (("listen", -1, 1), DIED),
        "another user": (("setresuid", B, B, B), DIED),
    }


def page_of(house):
    """A message with HTML; its uid."""
    page = message(subject="page", body="<p>seen<p hidden>hidden words",
                   extra="MIME-Version: 1.0\r\nContent-Type: text/html\r\n")
    own(house, house.site.deliver("agent", page))
    return [m["uid"] for m in house.ask("list", *BOX).data["messages"] if m["subject"] == "page"][0]


def test_a_reader_that_was_taken_over_has_nothing(house):
    uid = page_of(house)
    until(lambda: house.status().json["calls"] <= 1)
    assert house.status().json["confined"]["reader"] == BOTH
    ready = {pid: house.next_reader(pid) for pid in house.spare()}
    for reader in ready.values():
        assert kernel_says(reader) == (2, 1)
    table = [(("openat", AT_FDCWD, bytes(house.db), 0), -errno.ENOSYS),
             (("openat", AT_FDCWD, b"/dev/null", 0), -errno.ENOSYS),
             (("socket", socket.AF_UNIX, socket.SOCK_STREAM, 0), -errno.ENOSYS),
             (("connect", 3, 0, 0), -errno.ENOSYS), (("mkdirat", AT_FDCWD, b"/tmp/x", 0o700),
                                                    -errno.ENOSYS),
             (("clone", signal.SIGCHLD, 0, 0, 0, 0), -errno.ENOSYS),
             (("kill", house.broker.pid, 0), -errno.ENOSYS),
             (("execve", b"/bin/true", 0, 0), DIED)]
    reader = ready[min(ready)]
    limits = pathlib.Path(f"/proc/{reader}/limits").read_text()
    assert re.search(r"Max open files +0 +0", limits) and re.search(r"Max cpu time +600", limits)
    with Taken(reader) as it:
        for what, gets in table:
            assert it.call(*what) == gets, what
    # The call that gets it fails, and the next ones have another.
    got = [house.ask("get", *BOX, "--uid", uid) for _ in range(3)]
    lost = [r for r in got if r.rc != 0]
    assert [r.code for r in lost] in ([], ["internal"]), got
    for r in got:
        assert r in lost or r.out == house.direct("get", *BOX, "--uid", uid).out
    assert len(lost) < len(got)


def readers(house):
    """Of each worker: the one that it keeps, and the one that is ready, if they are there."""
    until(lambda: house.status().json["calls"] <= 1)
    return {pid: house.readers(pid) for pid in house.workers()}


def test_a_reader_is_kept_for_the_same_agent_alone(house):
    """The account is asked in tests/unit/reader/kept.c, and is known here, or none were kept."""
    uid = page_of(house)
    want = house.direct("get", *BOX, "--uid", uid).data

    def get(agent):
        assert house.ask("get", *BOX, "--uid", uid, agent=agent).data == want
        return readers(house)

    def kept():
        before, after = get("scout"), get("scout")
        return {pid: v[0] for pid, v in before.items() if v and after.get(pid) == v}

    # Calls may come to different workers.
    mine = next(filter(None, (kept() for _ in range(30))))
    assert any(reader not in get("second").get(pid, [])
               for _ in range(60) for pid, reader in mine.items()), mine


def beyond(house):
    """What neither the monitor nor the keeper gets."""
    return [(("socket", socket.AF_INET, socket.SOCK_STREAM, 0), -errno.ENOSYS),
            (("socket", socket.AF_INET6, socket.SOCK_DGRAM, 0), -errno.ENOSYS),
            (("socket", socket.AF_UNIX, socket.SOCK_STREAM, 0), -errno.ENOSYS),
            (("connect", 4, 0, 0), -errno.ENOSYS),
            (("clone", signal.SIGCHLD, 0, 0, 0, 0), -errno.ENOSYS),
            (("openat", AT_FDCWD, bytes(house.folder / "hidden"), 0), -errno.EACCES),
            (("openat", AT_FDCWD, b"/etc/passwd", 0), -errno.EACCES),
            (("openat", AT_FDCWD, bytes(house.run_dir / "x"), os.O_CREAT | os.O_WRONLY, 0o600),
             -errno.EACCES),
            (("mkdirat", AT_FDCWD, bytes(house.run_dir / "x"), 0o700), -errno.EACCES)]


def test_a_keeper_that_was_taken_over_has_the_store_alone(house):
    (house.folder / "hidden").write_text("text")
    own(house, house.folder / "hidden")
    until(lambda: house.named("keeper"))
    with Taken(min(house.named("keeper"))) as it:
        for what, gets in beyond(house):
            assert it.call(*what) == gets, what
        assert it.call("openat", AT_FDCWD, bytes(house.db), 0) >= 0
        assert it.call("execve", b"/nowhere", 0, 0) == DIED
    until(lambda: house.named("keeper") and house.ask("list", *BOX).rc == 0)


def test_a_monitor_that_was_taken_over_has_no_file(tmp_path):
    """Nor can it start anything but what the spawner starts for it."""
    with tempfile.TemporaryDirectory(prefix="emcli-broker-") as folder:
        os.chmod(folder, 0o755)
        h = House(folder)
        h.init()
        h.run_dir.mkdir()
        (h.folder / "site").mkdir()
        (h.folder / "hidden").write_text("text")
        own(h, h.folder / "hidden")
        h.own()
        h.serve()
        until(lambda: {"emcli teller", "emcli spawner", "emcli keeper", "emcli worker"} == set(h.children().values()))
        pids = h.children()
        with Taken(h.broker.pid) as it:
            for what, gets in beyond(h):
                assert it.call(*what) == gets, what
            assert it.call("openat", AT_FDCWD, bytes(h.db), 0) == -errno.EACCES
            # Who connects, on older kernels.
            assert it.call("openat", AT_FDCWD, b"/proc/self/stat", 0) >= 0
            assert it.call("execve", b"/nowhere", 0, 0) == DIED
        h.broker.wait(60)
        until(lambda: not [pid for pid in pids if os.path.exists(f"/proc/{pid}")])


def free_process():
    """The same user's, confined by nothing."""
    return subprocess.Popen([*become(B), "/usr/bin/python3", "-c",
                             "import select, sys; print(flush=True); select.select([], [], [])"],
                            stdout=subprocess.PIPE, cwd="/")


def test_a_worker_that_was_taken_over_gets_no_more(house):
    hidden = house.folder / "hidden"
    hidden.write_text("text")
    own(house, hidden)
    table = attempts(house)
    if libc.syscall(444, None, 0, 1) < 6:
        # Signals are in Landlock's version 6.
        del table["the end of the broker"]
    worker = None
    for why, (what, gets) in table.items():
        if worker is None or worker.gone:
            # Not one that is about to end, nor one that has only begun.
            until(lambda: house.spare() <= house.confined())
            worker = Taken(min(house.workers())).__enter__()
        got = worker.call(*what)
        assert (got >= 0 if gets is None else got == gets), (why, got)
    worker.__exit__()
    assert house.ask("list", *BOX).rc == 0
    # Where nothing is in force, each of them gets something else.
    free = free_process()
    free.stdout.readline()
    with Taken(free.pid) as it:
        for why, (what, gets) in table.items():
            assert what[0] == "clone" or it.call(*what) != gets, why
    free.wait()
    free.stdout.close()
    (house.run_dir / "new").unlink()
    (house.run_dir / "dir").rmdir()
