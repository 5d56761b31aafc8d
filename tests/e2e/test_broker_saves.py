# SPDX-License-Identifier: Apache-2.0
"""
Attachments through the broker: the agent's process saves them, by the rules and
with the names and replies of direct; and large ones arrive whole.
"""

import base64
import ctypes
import email.message
import json
import os
import shutil
import socket
import subprocess
import threading

import pytest

from test_broker import A, B, BOX, become, detail, frame, house, same, until, whole

assert house  # a fixture: a house of this module's own
BIG = 50_000_000
LIBC = ctypes.CDLL(None, use_errno=True)


def mail(subject, files):
    m = email.message.EmailMessage()
    m["From"], m["To"], m["Subject"] = "alice@lab.example", "agent@lab.example", subject
    m["Message-ID"] = f"<{subject}@tests.example>"
    m["Date"] = "Mon, 01 Jan 2024 10:00:00 +0000"
    m.set_content("see the files\n")
    for name, data in files:
        m.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return m.as_bytes()


FILES = [("a.txt", b"one"), ("a.txt", b"two"), ("empty.bin", b""), ("../../x y;.sh", b"three"),
         (".hidden", b"four"), ("é" * 150 + ".txt", b"five"), ("big.bin", bytes(range(256)) * 1000)]


@pytest.fixture(scope="module")
def uid(house):
    large = os.urandom(BIG)
    for subject, files in ("files", FILES), ("large", [("large.bin", large)]):
        house.site.deliver("agent", mail(subject, files))
    rows = house.direct("list", *BOX).data["messages"]
    return {"bytes": large, **{m["subject"]: str(m["uid"]) for m in rows}}


@pytest.fixture
def folder(house):
    path = house.attach / "in"
    path.mkdir()
    os.chmod(path, 0o777)
    yield path
    shutil.rmtree(path)


def saved(folder):
    return {p.name: os.readlink(p) if p.is_symlink() else p.read_bytes() for p in folder.iterdir()}


def save(house, uid, to="in", **more):
    more.setdefault("cwd", house.attach)
    return house.ask("get", *BOX, "--uid", uid, "--attachments", to, **more)


def test_the_same_files_and_the_same_reply(house, uid, folder):
    def run(ask, to):
        # One name is taken, and one by a link to nothing.
        for p in folder.iterdir():
            p.unlink()
        (folder / "a.txt").write_bytes(b"old")
        (folder / "a-2.txt").symlink_to("/nowhere")
        r = ask("get", *BOX, "--uid", uid["files"], "--attachments", to, cwd=house.attach)
        return r, saved(folder)

    for to in "in", str(folder), "./in/":
        (mine, files), (ours, theirs) = run(house.ask, to), run(house.direct, to)
        same(mine, ours)
        assert mine.rc == 0 and files == theirs
    assert len(files) == 2 + len(FILES) and files["a.txt"] == b"old"
    assert {files["a-3.txt"], files["a-4.txt"]} == {b"one", b"two"}
    assert files["empty.bin"] == b"" and files["big.bin"] == FILES[-1][1]
    run(house.ask, "in")
    made = folder / "a-3.txt"
    assert made.stat().st_uid == A and made.stat().st_mode & 0o777 == 0o600


def test_what_direct_refuses_is_refused(house, uid, folder):
    outside = house.folder / "outside"
    outside.mkdir()
    os.chmod(outside, 0o777)
    link = house.attach / "link"
    link.symlink_to(outside)
    (house.attach / "file").write_text("")
    for to in "link", outside, "../outside", "missing", "file", "/proc/self/cwd", "/", house.db.parent:
        mine = save(house, uid["files"], to)
        same(mine, house.direct("get", *BOX, "--uid", uid["files"], "--attachments", to,
                                cwd=house.attach))
        assert mine.code in ("policy", "not_found"), to
    assert saved(outside) == {}
    # Another folder has that name where the caller is.
    (outside / "in").mkdir()
    r = save(house, uid["files"], cwd=outside)
    assert r.code == "policy" and r.json["error_detail"]["reason"] == "attach_dir"
    assert save(house, uid["files"], cwd="/").code == "not_found"
    assert saved(folder) == {} and saved(outside / "in") == {}
    link.unlink()


def test_what_cannot_be_written_leaves_nothing(house, uid, folder):
    os.chmod(folder, 0o755)
    r = save(house, uid["files"])
    assert r.code == "config" and "cannot be written" in r.json["error_detail"]["message"]
    os.chmod(folder, 0o777)
    # The last of them is too long for a limit of the caller's own process.
    limit = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "sh"]
    done = subprocess.run(
        [*become(A), *limit, house.binary, "get", *BOX, "--uid", uid["files"], "--attachments",
         "in"], env=house.agent_env(), cwd=house.attach, stdin=subprocess.DEVNULL,
        capture_output=True)
    assert json.loads(done.stdout)["error_detail"]["code"] == "config"
    assert saved(folder) == {}


def test_a_race_of_links_leads_nowhere(house, uid, folder):
    """The folder and a link to another are exchanged all the time."""
    outside = house.folder / "elsewhere"
    outside.mkdir()
    os.chmod(outside, 0o777)
    link = house.attach / "other"
    link.symlink_to(outside)
    done = threading.Event()

    def exchange():
        while not done.is_set():
            LIBC.renameat2(-100, bytes(link), -100, bytes(folder), 2)

    racer = threading.Thread(target=exchange)
    racer.start()
    try:
        codes = {r.rc == 0 or r.code for r in (save(house, uid["files"]) for _ in range(12))}
    finally:
        done.set()
        racer.join()
    assert codes <= {True, "policy", "not_found"}
    assert saved(outside) == {}
    if link.is_dir() and not link.is_symlink():
        LIBC.renameat2(-100, bytes(link), -100, bytes(folder), 2)
    link.unlink()


def begun(house, uid, folder, **more):
    """A client of our own has got its first file."""
    s = house.connect(A)
    st = os.stat(folder)
    dev = os.major(st.st_dev) << 32 | os.minor(st.st_dev)
    s.sendall(frame(b"C", {"v": 1, "op": "get", "args": {
        "account": "work", "folder": "INBOX", "uid": int(uid), "attachments": "in"},
        "files": [{"arg": "attachments", "at": 0, "device": dev, "inode": st.st_ino, **more}]}))
    raw, fds, _, _ = socket.recv_fds(s, 5, 4)
    while len(raw) < 5 + int.from_bytes(raw[:4]):
        raw += s.recv(5 + int.from_bytes(raw[:4]) - len(raw))
    return s, raw, fds


def test_a_client_that_answers_nonsense(house, uid, folder):
    for answer in (frame(b"A", {"n": "x"}), frame(b"A", {"n": -2}), frame(b"A", b"["),
                   frame(b"C", {}), b"\xff" * 9, b""):
        s, raw, fds = begun(house, uid["files"], folder)
        assert raw[4:5] == b"F" and len(fds) == 1
        assert os.pread(fds[0], 100, 0) == b"one"
        with pytest.raises(OSError):
            os.pwrite(fds[0], b"x", 0)
        os.close(fds[0])
        s.sendall(answer)
        s.shutdown(socket.SHUT_WR)
        assert detail([f for f in whole(s) if f[0] != b"F"])["code"] in ("network", "usage")
    # The wrong folder; and a descriptor of one.
    s, raw, fds = begun(house, uid["files"], house.attach)
    assert raw[4:5] == b"R" and not fds
    s.close()
    s = house.connect(A)
    fd = os.open(folder, os.O_RDONLY)
    socket.send_fds(s, [frame(b"C", {"v": 1, "op": "get", "args": {
        "account": "work", "folder": "INBOX", "uid": 1, "attachments": "in"},
        "files": [{"arg": "attachments", "at": 0, "device": 1, "inode": 1}]})], [fd])
    os.close(fd)
    assert s.recv(1 << 16)[4:5] == b"R"
    s.close()
    until(lambda: house.status().json["calls"] == 0)
    assert saved(folder) == {} and save(house, uid["files"]).rc == 0


@pytest.mark.parametrize("how", ["inline", "in"])
def test_a_large_attachment(house, uid, folder, how):
    before = list(folder.iterdir())
    mine = house.ask("get", *BOX, "--uid", uid["large"], "--attachments", how, cwd=house.attach)
    (row,) = mine.data["attachments"]
    assert before == [] and row["size"] == BIG
    want = uid["bytes"]
    if how == "in":
        assert (folder / "large.bin").read_bytes() == want
    else:
        assert base64.b64decode(row["content_b64"]) == want
