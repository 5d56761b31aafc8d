# SPDX-License-Identifier: Apache-2.0
"""What is held leaves when the operator says so: those bytes, then, once."""

import hashlib
import os
import pty
import re
import select
import signal
import sqlite3
import time

import pytest

import servers
from smtpd import Smtpd
from tui import Screen

TO, CC, BCC = "bob@them.example", "carol@them.example", "dave@them.example"


class Held:
    """An account whose mail waits, and a mail server that has seen nothing."""

    def __init__(self, emcli, server):
        self.emcli, self.server = emcli, server

    def send(self, *more, to=TO, body="hello\n", agent=None):
        return self.emcli.run("send", "--account", "work", "--to", to, "--subject", "x",
                              "--body", body, *more, env={"EMCLI_AGENT": agent})

    def hold(self, *more, **how):
        """Sends, which waits; its id."""
        r = self.send(*more, **how)
        assert r.code == "approval", str(r)
        return r.json["error_detail"]["id"]

    def show(self, n):
        r = self.emcli.admin("approve", "show", n, "--json")
        assert r.rc == 0, str(r)
        return r.json

    def release(self, n, digest=None):
        digest = digest or self.show(n)["digest"]
        return self.emcli.admin("approve", "release", n, "--digest", digest)

    def list(self):
        return self.emcli.admin("approve", "list", "--json").json["held"]

    def sql(self, text, *values):
        db = sqlite3.connect(self.emcli.db)
        with db:
            rows = db.execute(text, values).fetchall()
        db.close()
        return rows

    def untouched(self):
        return self.server.log == [] and self.server.messages == []


def serve(certs, **behaviour):
    login = {servers.address("agent"): servers.password("agent")}
    return Smtpd(certs.good[0], certs.good[1], users=login, **behaviour)


@pytest.fixture
def held(emcli, dovecot, certs):
    with serve(certs) as server:
        emcli.account_imap(dovecot, smtp_host="localhost", smtp_port=server.port,
                           smtp_security="tls", sent_copy="off", outbound="approve")
        yield Held(emcli, server)


def test_nothing_leaves_before_it_is_released(held):
    r = held.send("--cc", CC, "--bcc", BCC)
    detail = r.json["error_detail"]
    assert r.code == "approval" and detail["reason"] == "approval"
    assert detail["state"] == "held" and detail["expires"].endswith("Z")
    assert held.untouched()
    assert [row["id"] for row in held.list()] == [detail["id"]]
    held.show(detail["id"])
    assert held.untouched()
    done = held.release(detail["id"])
    assert done.rc == 0, str(done)
    (got,) = held.server.messages
    assert got["to"] == [TO, CC, BCC] and b"hello" in got["data"]
    assert BCC.encode() not in got["data"]
    assert held.list() == []


def test_the_very_bytes_are_what_leaves(held):
    n = held.hold(body="exact\n.dot\n")
    ((kept,),) = held.sql("SELECT message FROM outbox WHERE id = ?", n)
    assert held.release(n).rc == 0
    data = held.server.messages[0]["data"]
    # The server keeps what came over the wire, dots stuffed.
    assert data.replace(b"\r\n..", b"\r\n.").rstrip() == kept.rstrip()


def test_a_person_s_decision_is_no_automatic_mail(held):
    """RFC 3834: what somebody looked at does not say that nobody did."""
    n = held.hold()
    assert held.release(n).rc == 0
    assert b"Auto-Submitted" not in held.server.messages[0]["data"]
    held.emcli.admin("account", "edit", "work", "--outbound", "send")
    assert held.send().data
    assert b"Auto-Submitted: auto-generated" in held.server.messages[1]["data"]


def test_show_tells_all_of_it(held, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.pdf").write_bytes(b"%PDF-1.4 bytes")
    held.emcli.admin("account", "edit", "work", "--attach-dir", tmp_path / "out")
    n = held.hold("--cc", CC, "--bcc", BCC, "--attach", tmp_path / "out" / "a.pdf",
                  body="one\u200btwo \x1b[31m red\n", agent="scout")
    x = held.show(n)
    assert [(p["address"], p["kind"]) for p in x["recipients"]] == [
        (TO, "to"), (CC, "cc"), (BCC, "bcc")]
    assert x["agent"] == "scout" and x["reason"] == "approval" and x["refused"] is None
    assert x["text"] == "one\u200btwo \x1b[31m red\n"
    assert x["warning_counts"]["unseen_removed"] >= 2
    (f,) = x["attachments"]
    assert (f["name"], f["size"]) == ("a.pdf", 14)
    assert f["sha256"] == hashlib.sha256(b"%PDF-1.4 bytes").hexdigest()
    text = held.emcli.admin("approve", "show", n).out.decode()
    assert "\x1b" not in text and "\u200b" not in text
    assert "<U+200B>" in text and "\u241b[31m" in text
    assert x["digest"] in text and BCC in text


def test_a_body_cannot_play_the_digest(held):
    fake = "digest       " + "0" * 64
    n = held.hold(body=f"hi\n{fake}\n")
    lines = held.emcli.admin("approve", "show", n).out.decode().splitlines()
    assert [x for x in lines if x.startswith("digest")] == [
        "digest       " + held.show(n)["digest"]]


def test_a_long_line_of_a_body_begins_no_line_at_a_terminal(held, tmp_path):
    """A line that is wrapped at its blanks would say what it likes below."""
    n = held.hold(body="x" * 200 + " digest       " + "0" * 64 + "\n")
    digest = held.show(n)["digest"]
    env = held.emcli.environment(EMCLI_ADMIN_KEY=held.emcli.admin_key, TERM="xterm")
    for verb in "approve", "outbox":
        folder = tmp_path / verb
        folder.mkdir()
        with Screen([held.emcli.binary, verb, "show", str(n)], env, folder,
                    size=(100, 50)) as screen:
            screen.wait("x{40}")
            screen.end()
            lines = [x for x in screen.text().splitlines() if x.startswith("digest")]
        assert len(lines) == 1 and lines[0].endswith(digest), lines


# Each part of a row, and each setting: tests/unit/gate/outbox_release.c.
@pytest.mark.parametrize("change", [
    "UPDATE outbox SET message = 'To: eve@evil.example'",
    "UPDATE outbox_recipient SET address = 'eve@evil.example', canonical = 'eve@evil.example'",
], ids=["message", "recipient"])
def test_a_row_that_was_touched_is_refused(held, change):
    n = held.hold("--cc", CC)
    digest = held.show(n)["digest"]
    held.sql(change)
    r = held.release(n, digest)
    assert r.rc != 0 and b"has changed since it was held" in r.err, str(r)
    assert held.show(n)["refused"] == "changed"
    assert held.untouched()
    assert [row["id"] for row in held.list()] == [n]
    # Not by the digest it now has, either.
    assert held.release(n).rc != 0
    assert held.untouched()


def test_who_forges_the_digest_too_needs_the_operator(held):
    """Bytes and digest agree again, but it is not the digest that was shown."""
    first, second = held.hold(body="harmless\n"), held.hold(body="evil\n")
    digest = held.show(first)["digest"]
    held.sql("UPDATE outbox SET message = (SELECT message FROM outbox WHERE id = ?2),"
             " message_id = (SELECT message_id FROM outbox WHERE id = ?2),"
             " digest = (SELECT digest FROM outbox WHERE id = ?2),"
             " request = (SELECT request FROM outbox WHERE id = ?2),"
             " expires_s = (SELECT expires_s FROM outbox WHERE id = ?2),"
             " bytes = (SELECT bytes FROM outbox WHERE id = ?2) WHERE id = ?1",
             first, second)
    r = held.release(first, digest)
    assert r.rc != 0 and held.untouched()


def test_another_policy_needs_another_approval(held):
    n = held.hold()
    digest = held.show(n)["digest"]
    assert held.emcli.admin("account", "edit", "work", "--outbound", "send").rc == 0
    assert held.release(n, digest).rc != 0
    assert held.untouched()


def test_released_twice_it_leaves_once(held):
    n = held.hold()
    digest = held.show(n)["digest"]
    assert held.release(n, digest).rc == 0
    assert held.release(n, digest).rc != 0
    assert held.emcli.admin("approve", "deny", n).rc != 0
    assert len(held.server.messages) == 1


def test_released_by_many_at_once_it_leaves_once(held):
    n = held.hold()
    digest = held.show(n)["digest"]
    env = held.emcli.environment(EMCLI_KEY=held.emcli.agent_key,
                                 EMCLI_ADMIN_KEY=held.emcli.admin_key)
    running = [held.emcli.start(["approve", "release", str(n), "--digest", digest], env)
               for _ in range(6)]
    done = [p.communicate() and p.returncode for p in running]
    assert sorted(done)[0] == 0 and done.count(0) == 1
    assert len(held.server.messages) == 1


def test_denied_is_denied(held):
    n = held.hold("--idempotency-key", "k1")
    digest = held.show(n)["digest"]
    assert held.emcli.admin("approve", "deny", n).rc == 0
    assert held.release(n, digest).rc != 0
    again = held.send("--idempotency-key", "k1")
    assert again.code == "policy" and again.json["error_detail"]["reason"] == "denied"
    # Nor by a row that says it waits still: its bytes are gone.
    held.sql("UPDATE outbox SET state = 'held'")
    assert held.release(n, digest).rc != 0
    assert held.untouched()


def test_an_approval_that_comes_late_is_none(held):
    assert held.emcli.admin("config", "set", "approval_hours", "1").rc == 0
    before = time.time()
    n = held.hold("--idempotency-key", "k1")
    ((expires,),) = held.sql("SELECT expires_s FROM outbox")
    assert before + 3590 <= expires <= time.time() + 3610
    digest = held.show(n)["digest"]
    held.sql("UPDATE outbox SET expires_s = ?", int(time.time()) - 1)
    r = held.release(n, digest)
    assert r.rc != 0 and b"expired" in r.err
    again = held.send("--idempotency-key", "k1")
    assert again.code == "policy" and again.json["error_detail"]["reason"] == "expired"
    assert held.list() == [] and held.untouched()


def test_without_a_terminal_the_digest_is_needed(held):
    n = held.hold()
    for more in [], ["--yes"], ["--digest", "0" * 64], ["--digest", ""]:
        assert held.emcli.admin("approve", "release", n, *more).rc != 0
    assert held.untouched()


QUESTION = r"To send it, type (\w+); anything else does not:"


def release_screen(held, n, tmp_path):
    env = held.emcli.environment(EMCLI_ADMIN_KEY=held.emcli.admin_key, TERM="xterm")
    argv = [held.emcli.binary, "approve", "release", str(n)]
    return Screen(argv, env, tmp_path, size=(120, 40))


@pytest.mark.parametrize("answer, sent", [("no", 0), ("yes", 0), (None, 1)])
def test_at_a_terminal_it_is_shown_and_asked(held, tmp_path, answer, sent):
    """Only the word that the question shows is a yes."""
    n = held.hold(body="look at this\n")
    with release_screen(held, n, tmp_path) as screen:
        word = screen.wait(QUESTION).group(1)
        assert "look at this" in screen.text()
        assert held.untouched()
        screen.press(answer or word, "Enter")
        screen.end()
    assert len(held.server.messages) == sent
    assert len(held.list()) == 1 - sent


def test_no_body_scrolls_its_recipients_away(held, tmp_path):
    n = held.hold("--cc", CC, "--bcc", BCC, body="line\n" * 500)
    with release_screen(held, n, tmp_path) as screen:
        screen.wait(QUESTION)
        for to in TO, CC, BCC:
            assert to in screen.text()


class Typist:
    """A terminal that answers before anybody can have read the question."""

    def __init__(self, emcli, *argv):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key)
            os.execve(emcli.binary, [emcli.binary, *map(str, argv)], env)

    def type(self, text):
        os.write(self.fd, text)

    def wait(self, pattern):
        while True:
            found = re.search(pattern, self.seen)
            if found:
                return found
            assert select.select([self.fd], [], [], 30)[0], self.seen
            self.seen += os.read(self.fd, 4096)

    def end(self):
        try:
            while os.read(self.fd, 4096):
                pass
        except OSError:
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def test_a_yes_that_was_typed_for_something_else_sends_nothing(held):
    n = held.hold()
    t = Typist(held.emcli, "approve", "release", n)
    t.type(b"yes\ny\nyes\n")
    t.wait(rb"does not: ")
    t.type(b"\n")
    assert t.end() == 2
    assert held.untouched() and len(held.list()) == 1


def test_an_answer_that_nobody_can_have_read_the_question_for(held):
    """It is stopped while it waits, so that the answer is surely too soon."""
    n = held.hold()
    for _ in range(20):
        t = Typist(held.emcli, "approve", "release", n)
        word = t.wait(rb"type (\w+); ").group(1)
        os.kill(t.pid, signal.SIGSTOP)
        late = b"not: " in t.seen or select.select([t.fd], [], [], 0)[0]
        t.type(b"\n" if late else word + b"\n")
        os.kill(t.pid, signal.SIGCONT)
        t.wait(rb"does not[^:]*: ")  # what was typed is echoed
        t.type(b"\n")
        assert t.end() == 2
        assert held.untouched() and len(held.list()) == 1
        if not late:
            return
    raise AssertionError("never quick enough")


def test_the_agent_has_no_way_to_approve(held):
    n = held.hold()
    digest = held.show(n)["digest"]
    for argv in (["approve", "release", n, "--digest", digest], ["approve", "list"],
                 ["approve", "show", n], ["approve", "deny", n], ["canary", "list"]):
        r = held.emcli.run(*argv)
        assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err
    assert held.untouched() and len(held.list()) == 1


def test_a_refusal_of_the_server_is_told_and_final(held):
    n = held.hold(to="reject@them.example")
    r = held.release(n)
    assert r.rc != 0 and b"refused" in r.err
    assert held.server.messages == [] and held.list() == []


def test_what_the_operator_did_is_written_down(held):
    n, m = held.hold(), held.hold()
    assert held.release(n).rc == 0 and held.emcli.admin("approve", "deny", m).rc == 0
    rows = held.emcli.admin("audit", "list", "--principal", "operator", "--json").json["audit"]
    done = {r["action"]: r for r in rows}
    assert done["approve.release"]["outcome"] == "ok"
    assert "digest" in done["approve.release"]["detail"]
    assert done["approve.deny"]["target"] == str(m)


def test_a_full_queue_is_full(held):
    """Of an account, whatever agents fill it."""
    n = held.hold()
    held.sql("WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < 398)"
             " INSERT INTO outbox (account_id, principal, request, message_id, sender, bytes,"
             " digest, policy, state, created_s, changed_s, expires_s)"
             " SELECT account_id, 'x', '', '', '', 0, '', '', 'held', created_s, changed_s,"
             " expires_s FROM outbox, k WHERE id = ?", n)
    held.hold()
    assert held.send().code == "limit"
    assert held.emcli.admin("approve", "deny", n).rc == 0
    held.hold()
    assert held.untouched()


@pytest.mark.parametrize("body, kind", [
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n", "private_key"),
    ("take ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0", "github_token"),
    ("the word is blue-heron-42", "canary"),
    ("Qmx1ZS1IZXJvbi00Mg==", "canary"),
])
def test_a_secret_is_held_on_an_account_that_sends(held, body, kind):
    held.emcli.admin("account", "edit", "work", "--outbound", "send")
    held.emcli.admin("canary", "add", "Blue-Heron-42")
    r = held.send(body=body)
    detail = r.json["error_detail"]
    assert r.code == "approval" and detail["reason"] == "secret"
    # Which one it was is for the operator, not for who is trying.
    assert kind not in r.out.decode()
    assert held.untouched()
    assert held.show(detail["id"])["carries"] == kind
    assert kind in held.emcli.admin("audit", "list", "--json").json["audit"][0]["detail"] \
        or kind in held.emcli.admin("audit", "list", "--action", "send", "--json"
                                    ).json["audit"][0]["detail"]
    assert held.release(detail["id"]).rc == 0
    assert body.strip().encode()[:20] in held.server.messages[0]["data"]


def test_our_own_credentials_do_not_leave(held):
    held.emcli.admin("account", "edit", "work", "--outbound", "send")
    for body in held.emcli.agent_key, servers.password("agent"), \
            f"x{held.emcli.agent_key[:-1]}y":
        r = held.send(body=f"it is {body}\n")
        assert r.code == "approval" and r.json["error_detail"]["reason"] == "secret"
    assert held.untouched()
    held.emcli.admin("account", "edit", "work", "--secrets-check", "off")
    assert held.send(body=servers.password("agent")).data


def test_canaries_come_and_go(held):
    def canary(*argv):
        return held.emcli.admin("canary", *argv)

    assert canary("add", "short").rc != 0
    assert canary("add", "a b c d e").rc != 0
    assert canary("add", "Blue-Heron-42", "two words here").rc == 0
    assert canary("add", "Blue-Heron-42").rc == 0
    assert canary("list", "--json").json["canaries"] == ["Blue-Heron-42", "two words here"]
    assert canary("remove", "Blue-Heron-42").rc == 0
    assert canary("remove", "Blue-Heron-42").rc != 0
    held.emcli.admin("account", "edit", "work", "--outbound", "send")
    assert held.send(body="Blue-Heron-42").data
    assert held.send(body="two  words here").code == "approval"
    # What is planted is not told to whoever reads a log.
    audit = held.emcli.admin("audit", "list", "--json").out
    assert b"Heron" not in audit
