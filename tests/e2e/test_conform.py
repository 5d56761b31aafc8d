# SPDX-License-Identifier: Apache-2.0
"""Every backend against its one contract, on real servers: tests/conform."""

import os
import pathlib
import re
import subprocess

import pytest

import agentroot
import cli
import cyrus
import flights
import jmapd
import ponyd
import servers

MAILS = 6


@pytest.fixture(scope="session")
def suite():
    path = cli.built(sanitizers=True).parent / "tests/conform/backend"
    assert path.exists(), "run make conform, with the SAN of the program"
    return str(path)


# In this process, and in another: backend/wired.
WAYS = {}, {"CONFORM_WIRED": "1"}


def mail(suite, n):
    return subprocess.run([suite, "mail", str(n)], check=True,
                          stdout=subprocess.PIPE).stdout


def run(suite, tmp_path, backend, server, port, **more):
    """The suite must go well, and must have asked something."""
    password = tmp_path / "password"
    password.write_text(servers.password("agent"))
    env = {
        "PATH": os.environ["PATH"], "CMOCKA_MESSAGE_OUTPUT": "TAP",
        "ASAN_OPTIONS": "handle_sigill=1", "CONFORM_BACKEND": backend,
        "CONFORM_USER": servers.address("agent"),
        "CONFORM_PASSWORD_FILE": str(password), **more,
    }
    if server is not None:
        env.update(CONFORM_CA=server.ca, CONFORM_HOST="localhost", CONFORM_PORT=str(port))
    done = subprocess.run([suite], env=env, capture_output=True, timeout=120)
    said = (done.stdout + done.stderr).decode(errors="replace")
    assert done.returncode == 0, said
    assert "not ok" not in said, said
    return said


def fill(dovecot, suite):
    """INBOX as mail.h has it, behind a gap in the uids."""
    dovecot.append("agent", b"Subject: gone\r\n\r\nx\r\n")
    dovecot.clear("agent")
    for n in range(1, MAILS + 1):
        dovecot.append("agent", mail(suite, n),
                       flags=r"(\Seen)" if n % 2 else "",
                       date=f'"{19 + n}-Jun-2026 {8 + n:02}:00:00 +0000"')
    c = dovecot.client("agent")
    c.create("Empty")
    c.create("Kept")
    c.logout()


def look(server, folder="INBOX"):
    """(flags, raw) of each message: one that went and came back has another uid."""
    c = server.client("agent")
    try:
        c.select(folder, readonly=True)
        _, data = c.uid("FETCH", "1:*", "(FLAGS BODY.PEEK[])")
        return [(set(re.search(rb"FLAGS \((.*?)\)", d[0])[1].split()) - {rb"\Recent"}, d[1])
                for d in data if isinstance(d, tuple)]
    finally:
        c.logout()


def conforms(suite, tmp_path, server, port, **way):
    """The suite, and INBOX is afterwards what it was."""
    fill(server, suite)
    before = look(server)
    assert [flags for flags, _ in before] == [{rb"\Seen"}, set()] * (MAILS // 2)
    said = run(suite, tmp_path, "imap", server, port, CONFORM_MOVE="Archive", **way)
    for part in ("uids_bound_from_both_sides", "flags_are_set_found_and_cleared",
                 "labels_are_added_told_and_dropped", "what_is_moved_is_elsewhere"):
        assert f"ok {part}" in re.sub(r"ok \d+ - ", "ok ", said)
    assert look(server) == before and look(server, "Archive") == []
    assert all(flags == {rb"\Seen"} for flags, _ in look(server, "Kept"))


@pytest.mark.parametrize("way", WAYS)
def test_imap(suite, tmp_path, certs, dovecot, way):
    with flights.Flights(certs.good, dovecot.imaps) as proxy:
        conforms(suite, tmp_path, dovecot, proxy.port, **way)
        _, said = proxy.take()
    verbs = {verb for verb, _ in said}
    assert {"UID STORE", "UID MOVE"} <= verbs and "UID COPY" not in verbs
    drafts = look(dovecot, "Drafts")
    assert drafts and all(flags == {rb"\Seen", rb"\Draft"} for flags, _ in drafts)


@pytest.mark.parametrize("way", WAYS)
def test_imap_without_move(suite, tmp_path, certs, introspection, way):
    """What removes is about the messages' own uids; nothing else removes."""
    server = servers.Dovecot(certs.good, introspection.port, more=servers.WITHOUT_MOVE)
    try:
        with flights.Flights(certs.good, server.imaps) as proxy:
            conforms(suite, tmp_path, server, proxy.port, CONFORM_COPIES="1", **way)
            _, said = proxy.take()
        verbs = {verb for verb, _ in said}
        assert {"UID COPY", "UID EXPUNGE"} <= verbs
        assert not {"UID MOVE", "EXPUNGE", "CLOSE"} & verbs
    finally:
        server.stop()


def test_imap_cyrus(suite, tmp_path, certs):
    server = cyrus.Cyrus(tls=certs.good)
    try:
        conforms(suite, tmp_path, server, server.imaps, CONFORM_ONE_FROM="1")
    finally:
        server.stop()


def test_smtp(suite, tmp_path, dovecot, postfix):
    server = postfix
    server.ca = dovecot.ca
    said = run(suite, tmp_path, "smtp", server, postfix.submissions,
               CONFORM_TO=servers.address("bob"),
               CONFORM_REFUSED=servers.address("reject"))
    assert "mail_goes_to_all_or_to_none" in said
    dovecot.wait_for("bob", b"<conform-good@conform.example>")
    assert not any(b"conform-refused" in m for m in dovecot.messages("bob"))


def test_mbox(suite, tmp_path):
    """The last message has no line end: the file was left alone for a while."""
    archive = tmp_path / "archive.mbox"
    archive.write_bytes(b"\r\n".join(
        b"From ann@example.net Sat Jun 20 10:00:00 2026\r\n" + mail(suite, n)
        for n in range(1, MAILS + 1)))
    os.utime(archive, (1782345600, 1782345600))
    before = archive.stat()
    for _ in range(2):
        said = run(suite, tmp_path, "mbox", None, 0, CONFORM_PATH=str(archive),
                   CONFORM_CACHE=str(tmp_path / "cache"))
        assert "uids_bound_from_both_sides" in said
    after = archive.stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_jmap(suite, tmp_path, postfix, dovecot):
    server = cyrus.Cyrus(postfix.smtp)
    try:
        server.append("agent", b"Subject: gone\r\n\r\nx\r\n")
        server.clear("agent")
        for n in range(1, MAILS + 1):
            server.append("agent", mail(suite, n), flags=r"(\Seen)" if n % 2 else "",
                          date=f'"{n + 19}-Jun-2026 10:00:00 +0000"')
        c = server.client("agent")
        c.create("Empty")
        c.create("Kept")
        c.logout()
        server.index()

        def inbox():
            """One that went and came back is a new one to IMAP."""
            return [(re.sub(r"UID \d+", "", flags), raw)
                    for flags, raw in server.messages("agent")]
        before = inbox()
        assert len(before) == MAILS
        for _ in range(2):
            said = run(suite, tmp_path, "jmap", None, 0, CONFORM_URL=server.url,
                       CONFORM_TO=servers.address("bob"),
                       CONFORM_REFUSED=servers.address("reject"),
                       CONFORM_MOVE="Archive", CONFORM_CACHE=str(tmp_path / "cache"))
            for part in ("among_is_looked_at", "mail_goes_to_all_or_to_none",
                         "labels_are_added_told_and_dropped",
                         "flags_are_set_found_and_cleared", "what_is_moved_is_elsewhere"):
                assert part in said
        assert inbox() == before
        assert all("Seen" in flags for flags, _ in server.messages("agent", "Kept"))
        # What was sent, or was not, lies about nowhere.
        assert not any(b"conform-" in raw for _, raw in server.messages("agent", "Drafts"))
    finally:
        server.stop()
    dovecot.wait_for("bob", b"<conform-good@conform.example>")
    assert not any(b"conform-refused" in m for m in dovecot.messages("bob"))


@pytest.mark.parametrize("way", WAYS)
def test_jmap_double(suite, tmp_path, way):
    """The double that other tests spoil does what Cyrus does."""
    server = jmapd.Jmapd({"Inbox": [mail(suite, n) for n in range(1, MAILS + 1)], "Empty": [],
                          "Kept": [], "Drafts": [], "Sent": [], "Archive": []})
    for n, m in enumerate(server.mails):
        m.received = f"2026-06-{20 + n}T10:00:00Z"
    server.refused = {servers.address("reject")}
    try:
        said = run(suite, tmp_path, "jmap", None, 0, CONFORM_URL=server.url,
                   CONFORM_TO=servers.address("bob"),
                   CONFORM_REFUSED=servers.address("reject"),
                   CONFORM_MOVE="Archive", CONFORM_CACHE=str(tmp_path / "cache"), **way)
        assert "flags_are_set_found_and_cleared" in said and "what_is_moved_is" in said
        assert "labels_are_added_told_and_dropped" in said
        assert len(server.sent) == 1 and server.inside("Archive") == []
        assert "a_change_after_ready_ends_a_wait" in said and len(server.streams) == 2
    finally:
        server.stop()


def test_ponymail(suite, tmp_path):
    """Warm and cold; the password is a session's cookie."""
    archive = ponyd.Ponyd()
    archive.session = servers.password("agent")
    try:
        archive.add("conform@lab.example", *(mail(suite, n) for n in range(1, MAILS + 1)),
                    private=True)
        archive.empty.add("empty@lab.example")
        for way in WAYS:
            said = run(suite, tmp_path, "ponymail", None, 0, CONFORM_URL=archive.url,
                       CONFORM_INBOX="conform@lab.example", CONFORM_LIST="conform@lab.example",
                       CONFORM_EMPTY="empty@lab.example",
                       CONFORM_CACHE=str(tmp_path / "cache"), **way)
            assert "among_is_looked_at" in said and "a_thread_is_found_oldest_first" in said
            # Of its own list's threads it asks nothing more: stats tells who answers whom.
        assert {e for e, _ in archive.asked} == {"preferences", "source", "stats"}
    finally:
        archive.stop()


def test_agentbox(suite, tmp_path):
    """Files of the upstream program's, which it left without rows.  They keep no bytes of a
    message as it came, so what the suite asks of those is left out."""
    root = agentroot.Root(tmp_path / "root")
    me = root.register("agent@lab.example")
    root.register("bob@lab.example")
    ann, bob, stamp = "ann@example.net", "bob@example.org", "202606{}T100000Z"
    first = root.drop(ann, me, "first", "hello", stamp.format(20))
    root.drop(ann, me, "two senders", "hello", stamp.format(21))
    root.drop(bob, me, "a needle", "the Haystack-Word stands here", stamp.format(22),
              cc="carol@example.org", parent=first)
    root.drop(bob, me, "with a file", "see there", stamp.format(23))
    root.drop(ann, me, "gr\u00fc\u00df", "8 bit: \u00fc", stamp.format(24))
    root.drop(ann, me, "last", "no line end at the end", stamp.format(25))
    said = run(suite, tmp_path, "agentbox", None, 0, CONFORM_PATH=str(root.path),
               CONFORM_MADE="1", CONFORM_MOVE="archive", CONFORM_EMPTY="nowhere")
    for part in ("flags_are_set_found_and_cleared", "what_is_moved_is_elsewhere",
                 "a_thread_is_found_oldest_first", "mail_goes_to_all_or_to_none"):
        assert part in said
    assert not any("conform-refused" in f.read_text() for f in root.files())
