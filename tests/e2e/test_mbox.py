# SPDX-License-Identifier: Apache-2.0
"""Archives through the program: what they are, how they grow, what is kept."""

import gzip
import hashlib
import lzma
import mailbox
import os
import pathlib
import random
import subprocess

import pytest

from mail import subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")
LINE = b"From ann@example.net Wed Nov  1 06:04:52 2017\n"
LONG_AGO = 1500000000


def message(subject, body=b"words\n", **more):
    fields = {"From": "Ann <ann@example.net>", "To": "dev@lab.example", "Subject": subject,
              "Date": "Wed, 1 Nov 2017 06:04:52 +0000",
              "Message-ID": f"<{subject}@lab.example>", **more}
    head = "".join(f"{k}: {v}\n" for k, v in fields.items()).encode()
    return head + b"\n" + body


def mbox(*messages):
    return b"".join(LINE + m + b"\n" for m in messages)


class Archive:
    def __init__(self, emcli, path):
        self.emcli, self.path = emcli, pathlib.Path(path)
        self.cache = emcli.db.parent / "cache"

    def add(self, **flags):
        self.emcli.set_up("account", "add", "work", *self.emcli.options(
            {"backend": "mbox", "path": self.path, "process_backlog": True, **flags}))
        return self

    def write(self, data, age=LONG_AGO):
        self.path.write_bytes(data)
        if age:
            os.utime(self.path, (age, age))
        return self

    def append(self, data):
        with open(self.path, "ab") as f:
            f.write(data)

    def list(self, *more):
        return self.emcli.run("list", *BOX, *more)

    def subjects(self):
        return subjects(self.list())

    def text(self, uid):
        return self.emcli.run("get", *BOX, "--uid", uid).data["text"]

    def index(self):
        (path,) = self.cache.rglob("*.index")
        return path

    def kept(self):
        """Beside the store; through a broker, in a folder of the account's own."""
        return {f for f in self.cache.rglob("*") if f.is_file()}


@pytest.fixture
def archive(emcli, tmp_path):
    return Archive(emcli, tmp_path / "dev.mbox")


def test_an_archive_is_listed_searched_and_read(archive):
    archive.write(mbox(message("one"), message("two", b"a needle\n"), message("three"))).add()
    r = archive.list()
    assert subjects(r) == ["three", "two", "one"] and uids(r) == [3, 2, 1]
    assert archive.text(2) == "a needle\n"

    def search(*query):
        return subjects(archive.emcli.run("search", *BOX, *query))

    assert search("--subject-contains", "TWO") == ["two"]
    assert search("--text", "Needle") == ["two"]
    assert search("--from", "bob") == []
    assert search("--before", "2017-11-01") == []
    rows = archive.emcli.run("folders", "--account", "work").data["folders"]
    assert [f["name"] for f in rows] == ["INBOX"]
    assert archive.emcli.run("list", "--account", "work", "--folder", "Sent").code == "not_found"


def test_what_was_dealt_with_stays_so_while_the_archive_grows(archive):
    archive.write(mbox(message("one"), message("two"))).add()
    assert archive.emcli.run("ack", *BOX, "--uid", 1).rc == 0
    archive.append(mbox(message("three")))
    r = archive.list("--new")
    assert subjects(r) == ["three", "two"] and uids(r) == [3, 2]
    assert "warnings" not in r.data


def test_an_archive_is_never_written_or_locked(archive, tmp_path):
    archive.write(mbox(message("one"), message("two"))).add()
    before = archive.path.stat(), hashlib.sha256(archive.path.read_bytes()).digest()
    trace = tmp_path / "trace"
    env = archive.emcli.environment(EMCLI_KEY=archive.emcli.agent_key,
                                    ASAN_OPTIONS="detect_leaks=0")
    for args in ("list", *BOX), ("get", *BOX, "--uid", "1"), ("search", *BOX, "--text", "x"):
        done = subprocess.run(["strace", "-f", "-o", trace, "-y", archive.emcli.binary, *args],
                              env=env, capture_output=True, timeout=60)
        assert done.returncode == 0, done
        calls = [line for line in trace.read_text().splitlines() if "dev.mbox" in line]
        assert any("O_RDONLY" in c for c in calls)
        for c in calls:
            assert "O_RDWR" not in c and "O_WRONLY" not in c and "lock" not in c, c
            assert not any(f" {bad}" in c for bad in ("write", "unlink", "rename", "utime")), c
    after = archive.path.stat(), hashlib.sha256(archive.path.read_bytes()).digest()
    assert before[0].st_mtime_ns == after[0].st_mtime_ns and before[1] == after[1]
    assert os.listdir(archive.path.parent).count("dev.mbox.lock") == 0


def test_the_index_is_for_nobody_else(archive):
    archive.write(mbox(message("one"))).add()
    os.umask(0)
    try:
        archive.subjects()
    finally:
        os.umask(0o22)
    assert {f.parent.stat().st_mode & 0o777 for f in archive.kept()} == {0o700}
    assert {f.stat().st_mode & 0o777 for f in archive.kept()} == {0o600}


def test_the_index_goes_with_the_last_account_that_has_it(archive):
    archive.write(mbox(message("one"))).add()
    other = "other", "--backend", "mbox", "--path", archive.path
    assert archive.emcli.admin("account", "add", *other).rc == 0
    assert archive.subjects() == ["one"]
    kept = archive.kept()
    assert len(kept) > 1
    (archive.cache / "mbox-else.index").write_bytes(b"another's")
    for name, left in ("work", kept), ("other", set()):
        r = archive.emcli.admin("account", "remove", name, "--yes")
        assert r.rc == 0, str(r)
        assert archive.kept() == left | {archive.cache / "mbox-else.index"}


def test_a_message_that_is_being_written_comes_when_it_is_whole(archive):
    archive.write(mbox(message("one")) + LINE + message("two")[:40], age=0).add()
    assert archive.subjects() == ["one"]
    archive.append(message("two")[40:] + b"\n")
    assert archive.subjects() == ["two", "one"]
    assert archive.text(2) == "words\n"


def test_the_end_of_an_old_file_is_its_end(archive):
    archive.write(mbox(message("one")) + LINE + message("two", b"cut off")).add()
    assert archive.subjects() == ["two", "one"]
    assert archive.text(2) == "cut off"


def test_a_body_that_grew_is_read_to_its_new_end(archive):
    archive.write(mbox(message("one"), message("two", b"begins\n")), age=0).add()
    assert archive.text(2) == "begins\n"
    archive.append(b"goes on\n")
    r = archive.list()
    assert uids(r) == [2, 1] and archive.text(2) == "begins\n\ngoes on\n"
    archive.append(b"\n" + mbox(message("three")))
    assert uids(archive.list()) == [3, 2, 1] and archive.text(2) == "begins\n\ngoes on\n"


def test_an_archive_that_was_changed_is_another(archive):
    archive.write(mbox(message("one"), message("two"), message("three"))).add()
    assert archive.emcli.run("ack", *BOX, "--uid", 1).rc == 0
    archive.write(mbox(message("two"), message("three")), LONG_AGO + 1)
    r = archive.list()
    assert subjects(r) == ["three", "two"] and uids(r) == [2, 1]
    assert r.data["warnings"] == ["uidvalidity_changed"]


def test_a_change_that_leaves_size_and_time_alone_shows(archive):
    archive.write(mbox(message("one"), message("two"))).add()
    archive.subjects()
    archive.write(mbox(message("uno"), message("due")))
    assert archive.subjects() == ["due", "uno"]


def test_the_same_archive_fetched_again_keeps_its_numbers(archive):
    archive.write(mbox(message("one"), message("two"))).add()
    assert archive.emcli.run("ack", *BOX, "--uid", 1).rc == 0
    archive.write(mbox(message("one"), message("two"), message("three")), LONG_AGO + 5)
    archive.index().unlink()
    r = archive.list("--new")
    assert subjects(r) == ["three", "two"] and "warnings" not in r.data


def test_a_spoilt_index_is_made_again(archive):
    archive.write(mbox(*(message(f"s{i}") for i in range(5)))).add()
    want = archive.list()
    index = archive.index()
    good = index.read_bytes()
    rng = random.Random(1)
    # Of its head each 12th byte, and of the rest some.
    places = sorted({*range(0, 96, 12), *(rng.randrange(len(good)) for _ in range(16))})
    for at in places:
        index.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1:])
        assert archive.list().data == want.data, at
        assert archive.text(3) == "words\n"
    for data in b"", good[:50], good[:-1], good + b"x", os.urandom(5000):
        index.write_bytes(data)
        assert archive.list().data == want.data


def test_months_are_one_archive(emcli, tmp_path):
    folder = tmp_path / "months"
    folder.mkdir()
    a = Archive(emcli, folder)
    (folder / "2017-02.mbox").write_bytes(mbox(message("c")))
    (folder / "2017-01.mbox").write_bytes(mbox(message("a"), message("b")))
    (folder / "README").write_text("hello\n")
    (folder / ".hidden").write_bytes(mbox(message("hidden")))
    os.symlink("/etc/passwd", folder / "2017-03.mbox")
    a.add()
    assert a.subjects() == ["c", "b", "a"]
    (folder / "2017-04.mbox").write_bytes(mbox(message("d")))
    with open(folder / "2017-01.mbox", "ab") as f:
        f.write(mbox(message("late")))
    r = a.list()
    assert sorted(subjects(r)) == ["a", "b", "c", "d", "late"]
    assert uids(r) == [5, 4, 3, 2, 1] and subjects(r)[2:] == ["c", "b", "a"]
    assert "warnings" not in r.data
    for uid, row in zip(uids(r), subjects(r)):
        got = emcli.run("get", *BOX, "--uid", uid)
        assert got.data["subject"] == row


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_archives(archive, pack):
    archive.write(pack(mbox(message("one"), message("two", b"body\n" * 1000)))).add()
    assert archive.subjects() == ["two", "one"]
    assert archive.text(2) == "body\n" * 1000
    for raw in archive.cache.rglob("*.raw"):
        assert raw.stat().st_mode & 0o777 == 0o600
        raw.unlink()
    assert archive.text(1) == "words\n"


def test_two_gzip_members_are_one_file(archive):
    archive.write(gzip.compress(mbox(message("one"))) + gzip.compress(mbox(message("two")))).add()
    assert archive.subjects() == ["two", "one"]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_file_that_breaks_off_is_read_as_far_as_it_goes(archive, pack):
    rng = random.Random(2)
    noise = bytes(rng.choice(b"abcdefghijklmnop \n") for _ in range(200000))
    whole = pack(mbox(message("one"), message("two", noise)))
    archive.write(whole[:len(whole) // 2]).add()
    assert archive.subjects()[-1:] == ["one"]
    assert "is truncated" in str(archive.emcli.run("doctor", "--account", "work").data)


@pytest.mark.parametrize("data, says", [
    (b"hello\n", "not an mbox"), (b"BZh91AY&SY", "not supported"), (b"\x01\x01\x01\x01\nFrom: x\n", "not an mbox"),
    (gzip.compress(b"hello\n", mtime=0), "not an mbox")])
def test_what_is_no_archive_is_said_to_be_none(archive, data, says):
    """It became another after it was added: account add looks at it."""
    archive.write(b"").add()
    archive.write(data)
    r = archive.list()
    assert r.code in ("config", "unsupported") and says in r.json["error_detail"]["message"]
    assert str(archive.path) not in r.out.decode()


def test_an_empty_file_is_an_empty_archive(archive):
    archive.write(b"").add()
    assert archive.subjects() == []
    archive.write(mbox(message("one")), LONG_AGO + 1)
    assert archive.subjects() == ["one"]


FROM = b"From bob@example.org Wed Nov  1 06:04:52 2017\n"


@pytest.mark.parametrize("file, body", [
    # mboxo: only what has one mark was quoted.
    (b">From here\n", "From here\n"),
    # mboxrd: every mark is one more.
    (b">From here\n>>From there\n", "From here\n>From there\n"),
])
def test_quoting_is_taken_out(archive, file, body):
    archive.write(mbox(message("one", file), message("two"))).add()
    assert archive.text(1) == body


def test_lengths_say_where_unquoted_bodies_end(archive):
    body = b"see:\n\n" + FROM + b"Subject: inner\n\n>From there\n"

    def with_length(subject, text):
        return message(subject, text, **{"Content-Length": str(len(text))})

    archive.write(mbox(with_length("one", body), with_length("two", b"x\n"))).add()
    assert archive.subjects() == ["two", "one"]
    assert archive.text(1) == body.decode()


def test_a_stranger_s_length_hides_nobody_s_mail(archive):
    hidden = mbox(message("victim", b"secret\n"))
    lie = message("lie", b"x\n", **{"Content-Length": str(len(b"x\n" + b"\n" + hidden) - 1)})
    archive.write(mbox(lie, message("victim", b"secret\n"), message("last"))).add()
    assert archive.subjects() == ["last", "victim", "lie"]


def netscape(*messages, wrong=0):
    """Lengths, and no empty line behind a body; the first ones are wrong."""
    out = b""
    for i, raw in enumerate(messages):
        head, body = raw.split(b"\n\n", 1)
        length = len(body) + (7 if i < wrong else 0)
        out += LINE + head + f"\nContent-Length: {length}\n\n".encode() + body
    return out


@pytest.mark.parametrize("wrong", [0, 1, 10])
def test_lengths_that_are_wrong_merge_nothing(archive, wrong):
    names = [f"s{i}" for i in range(29)]
    archive.write(netscape(*map(message, names), wrong=wrong)).add()
    r = archive.list("--limit", "100")
    assert subjects(r) == names[::-1]
    # An end and the beginning behind it are told of.
    assert r.data.get("warning_counts", {}) == ({"mbox_ambiguous": wrong + 1} if wrong else {})
    for uid in 1, wrong, wrong + 1, wrong + 2, 29:
        got = archive.emcli.run("get", *BOX, "--uid", uid or 1).data
        assert got["text"] == "words\n"
        assert got.get("warnings", []) == (["mbox_ambiguous"] if wrong and uid <= wrong + 1 else [])


def forged(line):
    """A body that holds a message in another's name, with the server's word for it."""
    return b"see:\n" + line + FROM + message(
        "forged", b"pay\n", **{
            "Authentication-Results": "mx.lab.example; dmarc=pass header.from=example.net",
            "Received": "from x.example (x.example [192.0.2.9]) by mx.lab.example with ESMTPS; "
                        "Sun, 21 Jun 2026 10:00:00 +0000"})


@pytest.mark.parametrize("line", [b"", b"\n"])
def test_a_body_makes_no_message_where_lengths_lead_through(archive, line):
    archive.write(netscape(message("one", forged(line)), message("two"))).add()
    r = archive.list()
    assert subjects(r) == ["two", "one"]
    # With an empty line the other rule would have begun one there.
    assert r.data.get("warnings", []) == (["mbox_ambiguous"] if line else [])


@pytest.mark.parametrize("line", [b"", b"\n"])
def test_a_message_that_a_body_may_have_made_proves_nothing(archive, line):
    """One wrong length, and the file is cut at dated lines: nobody vouches for what comes of it."""
    archive.write(netscape(message("lie"), message("one", forged(line)), message("two"), wrong=1))
    archive.add(authserv_id="mx.lab.example")
    r = archive.list()
    assert subjects(r) == ["two", "forged", "one", "lie"]
    assert [m["sender_auth"] for m in r.data["messages"]] == ["none"] * 4
    assert archive.emcli.run("get", *BOX, "--uid", 3).data["warnings"] == ["mbox_ambiguous"]
    archive.emcli.set_up("account", "edit", "work", "--whitelist-in", "on")
    archive.emcli.set_up("whitelist", "in", "add", "ann@example.net", "--account", "work",
                         "--auth", "dmarc")
    assert archive.subjects() == []
    assert archive.emcli.run("get", *BOX, "--uid", 3).code == "not_found"


def test_a_sender_s_own_length_proves_nothing(archive):
    """In a file of somebody else's rule: the length fits a line that the sender wrote below it."""
    text = forged(b"")
    lie = message("one", text, **{"Content-Length": str(len(b"see:\n"))})
    archive.write(mbox(lie, message("two"))).add(authserv_id="mx.lab.example")
    r = archive.list()
    assert subjects(r) == ["two", "forged", "one"]
    assert [m["sender_auth"] for m in r.data["messages"]] == ["none"] * 3


def test_a_young_archive_s_last_message_needs_no_empty_line(archive):
    archive.write(mbox(message("one")) + LINE + message("two"), age=0).add()
    assert archive.subjects() == ["two", "one"]
    archive.append(b"more\n\n" + LINE + message("three"))
    r = archive.list()
    assert subjects(r) == ["three", "two", "one"] and uids(r) == [3, 2, 1]
    assert archive.text(2) == "words\nmore\n"
    assert "warnings" not in r.data


def test_what_is_read_bit_by_bit_is_read_alike(archive):
    """A wrong length in the middle: numbers and warnings do not depend on when one looked."""
    whole = netscape(*(message(f"s{i}") for i in range(6)), wrong=3)
    ends = [i for i in range(len(whole)) if whole.startswith(LINE, i)][1:] + [len(whole)]
    archive.write(whole[:ends[0]]).add()
    archive.subjects()
    for begin, end in zip(ends, ends[1:]):
        archive.append(whole[begin:end])
        os.utime(archive.path, (LONG_AGO + end, LONG_AGO + end))
        by_bits = archive.list()
    archive.index().unlink()
    anew = archive.list()
    assert by_bits.data == anew.data and len(uids(anew)) == 6


def test_odd_bytes(archive):
    crlf = mbox(message("one", b"nul \0 byte\n"), message("two", b"\xff\xfe 8 bit\n")).replace(b"\n", b"\r\n")
    archive.write(crlf).add()
    assert archive.subjects() == ["two", "one"]
    assert "8 bit" in archive.text(2) and "byte" in archive.text(1)


def test_a_long_line_is_no_trouble(archive):
    long = b"x" * 3000000 + b"\n"
    archive.write(mbox(message("one", long), message("two"))).add()
    assert archive.subjects() == ["two", "one"]
    assert len(archive.text(1)) == len(long)


def test_what_python_writes_is_read(archive):
    box = mailbox.mbox(archive.path)
    for i in range(20):
        box.add(message(f"s{i}", b"From the top\n\nFrom here\n" * i + b"end\n"))
    box.flush()
    os.utime(archive.path, (LONG_AGO, LONG_AGO))
    archive.add()
    assert archive.subjects() == [f"s{i}" for i in reversed(range(20))]


def test_it_is_read_while_it_grows(archive):
    archive.write(mbox(message("s0")), age=0).add()
    writer = subprocess.Popen(["/usr/bin/python3", "-c", """
import sys, time
line, path = sys.argv[1].encode(), sys.argv[2]
for i in range(1, 60):
    m = line + f"From: a@b.example\\nSubject: s{i}\\n\\n".encode() + b"words\\n" * 200 + b"\\n"
    with open(path, "ab", buffering=0) as f:
        f.write(m[:700]); time.sleep(0.005); f.write(m[700:])
""", LINE.decode(), str(archive.path)])
    seen = {}
    while writer.poll() is None:
        for uid, subject in zip(uids(r := archive.list("--limit", "100")), subjects(r)):
            assert seen.setdefault(uid, subject) == subject
        assert "warnings" not in r.data
    assert uids(archive.list("--limit", "100")) == list(range(60, 0, -1))
    assert archive.text(30) == "words\n" * 200


def test_accounts_take_files_and_folders(emcli, tmp_path):
    (tmp_path / "x.mbox").write_bytes(mbox(message("one")))

    def add(name, *more):
        return emcli.admin("account", "add", name, *more)

    assert add("a", "--backend", "mbox", "--path", tmp_path / "x.mbox").rc == 0
    assert add("b", "--backend", "mbox", "--path", tmp_path).rc == 0
    assert add("c", "--backend", "maildir", "--path", tmp_path / "x.mbox").rc != 0
    assert add("d", "--backend", "mbox").rc != 0
    assert add("e", "--backend", "mbox", "--path", tmp_path / "none").rc != 0
