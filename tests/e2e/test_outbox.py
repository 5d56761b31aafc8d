# SPDX-License-Identifier: Apache-2.0
"""Sending at most once: keys, rows, copies in Sent, and what the operator sees."""

import json
import threading
import time

import pytest

import servers
from imapd import Imapd
from mail import message
from smtpd import Smtpd

TO = "bob@lab.example"
FAR = "bob@them.example"


class Box:
    """An account on a Maildir site, and ways to send from it."""

    def __init__(self, emcli, site):
        self.emcli, self.site = emcli, site

    def send(self, *more, to=TO, body="words", subject="hi", agent=None):
        return self.emcli.run("send", "--account", "work", "--to", to, "--subject", subject,
                              "--body", body, *more, env={"EMCLI_AGENT": agent})

    def status(self, *more, agent=None):
        return self.emcli.run("send-status", "--account", "work", *more,
                              env={"EMCLI_AGENT": agent})

    def rows(self, *more):
        r = self.emcli.admin("outbox", "list", "--json", *more)
        assert r.rc == 0, str(r)
        return r.json["outbox"]

    def row(self, n):
        return self.emcli.admin("outbox", "show", n, "--json").json["outbox"][0]

    def got(self, user="bob"):
        return self.site.messages(user)

    def kept(self):
        return sorted(self.sent.glob("cur/*"))

    @property
    def sent(self):
        return self.site.box("agent") / ".Sent"


def with_sent(site):
    for half in "cur", "new", "tmp":
        (site.box("agent") / ".Sent" / half).mkdir(parents=True)


@pytest.fixture
def box(emcli, site):
    with_sent(site)
    emcli.account_maildir(site.path)
    return Box(emcli, site)


def detail(r):
    return r.json["error_detail"]


# -- keys

def test_a_dry_run_sends_nothing_and_says_what_would_happen(box):
    r = box.send("--dry-run", "--idempotency-key", "k")
    assert r.rc == 0, str(r)
    d = r.data
    assert (d["state"], d["verdict"], d["reasons"]) == ("dry_run", "send", [])
    assert d["recipients"] == [{"address": TO, "status": "not sent"}]
    assert d["bytes"] > 100 and len(d["digest"]) == 64
    assert "id" not in d and "message_id" not in d
    box.emcli.set_up("account", "edit", "work", "--outbound", "approve")
    assert box.send("--dry-run").data["verdict"] == "hold"
    assert box.rows() == [] and box.got() == [] and box.kept() == []
    assert box.emcli.admin("approve", "list", "--json").json["held"] == []


def test_a_send_is_written_down(box):
    d = box.send().data
    assert d["state"] == "sent" and d["again"] is False and d["id"] > 0
    (row,) = box.rows()
    assert row["id"] == d["id"] and row["message_id"] == d["message_id"]
    assert row["state"] == "sent" and row["copy"] == "saved"
    assert row["account"] == "work" and row["principal"] == "agent"
    assert [x["address"] for x in row["recipients"]] == [TO]


def test_a_key_sends_once(box):
    first = box.send("--idempotency-key", "k").data
    again = box.send("--idempotency-key", "k").data
    assert len(box.got()) == 1 and len(box.kept()) == 1
    assert again["again"] is True
    for name in "id", "state", "message_id", "recipients":
        assert again[name] == first[name]
    assert box.send("--idempotency-key", "l").data["again"] is False
    assert box.send().data["again"] is False
    assert len(box.got()) == 3


@pytest.mark.parametrize("change", [
    {"to": "alice@lab.example"}, {"body": "other"}, {"subject": "other"},
    {"more": ("--cc", "alice@lab.example")}, {"more": ("--bcc", "alice@lab.example")},
])
def test_a_key_is_for_one_request(box, change):
    box.send("--idempotency-key", "k").data
    more = change.get("more", ())
    change = {k: v for k, v in change.items() if k != "more"}
    assert box.send("--idempotency-key", "k", *more, **change).code == "usage"
    assert len(box.got()) == 1 and box.got("alice") == []


def test_attachments_are_part_of_the_request(emcli, site, tmp_path):
    with_sent(site)
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.txt").write_text("one")
    emcli.account_maildir(site.path, attach_dir=out)
    box = Box(emcli, site)
    argv = ("--attach", "a.txt", "--idempotency-key", "k")
    assert box.send(*argv).data["again"] is False
    assert box.send(*argv).data["again"] is True
    (out / "a.txt").write_text("two")
    assert box.send(*argv).code == "usage"
    assert len(box.got()) == 1


def test_a_key_is_one_agents(box):
    box.send("--idempotency-key", "k", agent="ann").data
    assert box.send("--idempotency-key", "k", agent="eve").data["again"] is False
    assert len(box.got()) == 2


@pytest.mark.parametrize("key, code", [
    ("k" * 200, None), ("k" * 201, "usage"), ("ключ", None),
])
def test_what_a_key_may_be(box, key, code):
    r = box.send("--idempotency-key", key)
    assert (r.data["again"] is False) if code is None else (r.code == code)


def test_a_key_is_of_one_account(box):
    box.emcli.account_maildir(box.site.path, name="other")
    box.send("--idempotency-key", "k").data
    r = box.emcli.run("send", "--account", "other", "--to", TO, "--subject", "hi",
                      "--body", "words", "--idempotency-key", "k")
    assert r.data["again"] is False


def test_many_with_one_key_send_once(box):
    env = box.emcli.environment(EMCLI_KEY=box.emcli.agent_key)
    argv = ["send", "--account", "work", "--to", TO, "--subject", "x", "--body", "y",
            "--idempotency-key", "k"]
    crowd = [box.emcli.start(argv, env) for _ in range(12)]
    said = [p.communicate(timeout=60) for p in crowd]
    assert [p.returncode for p in crowd] == [0] * 12, said
    assert len(box.got()) == 1 and len(box.rows()) == 1
    assert sum(b'"again":false' in out for out, _ in said) == 1


def test_an_answer_to_what_is_gone_is_still_known(box):
    path = box.site.deliver("agent", message())
    argv = ("--reply-to", "1", "--idempotency-key", "k")
    first = box.send(*argv).data
    path.unlink()
    again = box.send(*argv).data
    assert again["again"] is True and again["id"] == first["id"]
    assert box.send("--reply-to", "1", "--idempotency-key", "l").code == "not_found"
    assert len(box.got()) == 1


def test_nothing_was_sent_may_be_tried_again(box):
    argv = ("--idempotency-key", "k")
    r = box.send(*argv, to="nobody@lab.example")
    assert r.code == "rejected" and detail(r)["state"] == "rejected"
    first = detail(r)["id"]
    for half in "cur", "new", "tmp":
        (box.site.path / "nobody@lab.example" / half).mkdir(parents=True)
    d = box.send(*argv, to="nobody@lab.example").data
    assert d["again"] is False and d["id"] != first
    assert box.send(*argv, to="nobody@lab.example").data["again"] is True
    assert [x["state"] for x in box.rows()] == ["sent", "rejected"]
    # And the name stays this request's, whatever became of it.
    assert box.send("--idempotency-key", "m", to="away@lab.example").code == "rejected"
    assert box.send("--idempotency-key", "m").code == "usage"


def test_what_policy_refuses_leaves_no_row(box):
    box.emcli.whitelist("out", "alice@lab.example")
    assert box.emcli.admin("whitelist", "out", "on", "--account", "work").rc == 0
    assert box.send("--idempotency-key", "k").code == "policy"
    assert box.rows() == [] and box.got() == []


def test_a_sent_key_tells_nothing_once_policy_refuses(box):
    box.send("--idempotency-key", "k").data
    box.emcli.whitelist("out", "alice@lab.example")
    assert box.emcli.admin("whitelist", "out", "on", "--account", "work").rc == 0
    assert box.send("--idempotency-key", "k").code == "policy"


# -- state

def test_a_state_is_for_who_sent(box):
    d = box.send("--idempotency-key", "k", agent="ann").data
    for how in ("--id", str(d["id"])), ("--idempotency-key", "k"):
        s = box.status(*how, agent="ann").data
        assert s["state"] == "sent" and s["copy"] == "saved" and s["reason"] is None
        assert s["id"] == d["id"] and s["message_id"] == d["message_id"]
        assert s["recipients"] == [{"address": TO, "status": "accepted"}]
        other, none = box.status(*how, agent="eve"), box.status("--id", "999", agent="eve")
        assert other.code == "not_found" and other.out == none.out


def test_a_state_of_another_account_is_not_found(box):
    box.emcli.account_maildir(box.site.path, name="other")
    d = box.send().data
    r = box.emcli.run("send-status", "--account", "other", "--id", d["id"])
    assert r.code == "not_found"


@pytest.mark.parametrize("how", [(), ("--id", "1", "--idempotency-key", "k"), ("--id", "0"),
                                 ("--idempotency-key", "")])
def test_a_state_needs_one_name(box, how):
    assert box.status(*how).code == "usage"


def test_what_waits_for_approval_stays_here(emcli, site):
    with_sent(site)
    emcli.account_maildir(site.path, outbound="approve")
    box = Box(emcli, site)
    r = box.send("--idempotency-key", "k")
    assert r.code == "approval"
    d = detail(r)
    assert d["state"] == "held" and d["id"] > 0 and d["message_id"].startswith("<")
    again = box.send("--idempotency-key", "k")
    assert again.code == "approval" and detail(again)["id"] == d["id"]
    assert detail(again)["again"] is True
    s = box.status("--id", str(d["id"])).data
    assert s["state"] == "held" and s["reason"] == "approval"
    assert box.got() == [] and box.kept() == []
    (row,) = box.rows("--state", "held")
    assert row["id"] == d["id"] and row["expires"] > row["created"]
    assert len(row["digest"]) == 64


# -- limits

@pytest.mark.parametrize("limit, good, bad", [
    ({"limit_messages": 2}, 2, ()),
    ({"limit_recipients": 1}, 0, ("--cc", "alice@lab.example")),
    ({"limit_new_recipients": 1}, 1, ("--cc", "alice@lab.example")),
    ({"limit_bytes": 300}, 0, ("--bcc", "alice@lab.example")),
])
def test_a_limit_is_counted(emcli, site, limit, good, bad):
    with_sent(site)
    emcli.account_maildir(site.path, **limit)
    box = Box(emcli, site)
    for _ in range(good):
        box.send().data
    body = "x" * 400 if "limit_bytes" in limit else "words"
    assert box.send(*bad, body=body).code == "limit"
    assert len(box.got()) == good and box.got("alice") == []
    assert len(box.rows()) == good


def test_limits_are_of_each_agent(emcli, site):
    with_sent(site)
    emcli.account_maildir(site.path, limit_messages=1)
    box = Box(emcli, site)
    box.send(agent="ann").data
    assert box.send(agent="ann").code == "limit"
    box.send(agent="eve").data
    # What was never sent counts for nothing.
    assert box.send(agent="joe", to="nobody@lab.example").code == "rejected"
    box.send(agent="joe").data


def test_a_crowd_does_not_pass_a_limit(emcli, site):
    with_sent(site)
    emcli.account_maildir(site.path, limit_messages=3)
    env = emcli.environment(EMCLI_KEY=emcli.agent_key)
    crowd = [emcli.start(["send", "--account", "work", "--to", TO, "--subject", "x",
                          "--body", str(i)], env) for i in range(12)]
    codes = [(p.communicate(timeout=60), p.returncode)[1] for p in crowd]
    assert codes.count(0) == 3
    assert len(site.messages("bob")) == 3


# -- the copy

def test_the_copy_is_what_was_sent(box):
    box.send("--bcc", "alice@lab.example").data
    (path,) = box.kept()
    assert path.name.endswith(":2,S") and path.stat().st_mode & 0o777 == 0o600
    (got,) = box.got()
    assert got.endswith(path.read_bytes()) and b"alice" not in path.read_bytes()
    assert list((box.sent / "tmp").iterdir()) == []


def test_a_copy_that_fails_is_a_warning(emcli, site):
    emcli.account_maildir(site.path)
    box = Box(emcli, site)
    d = box.send("--idempotency-key", "k").data
    assert d["state"] == "sent" and d["warnings"] == ["copy_failed"]
    assert box.send("--idempotency-key", "k").data["again"] is True
    assert len(box.got()) == 1
    (row,) = box.rows()
    assert row["state"] == "sent" and row["copy"] == "failed"
    # It can still be read by the operator, and why is in the log.
    assert box.row(row["id"])["text"].strip() == "words"
    (log,) = [x for x in emcli.admin("audit", "list", "--json", "--action", "send").json["audit"]
              if "the copy was not saved" in x["detail"]]
    assert log["outcome"] == "ok"


def test_no_copy_where_the_server_makes_it(emcli, site):
    with_sent(site)
    emcli.account_maildir(site.path, sent_copy="off")
    box = Box(emcli, site)
    assert "warnings" not in box.send().data
    assert box.kept() == [] and box.rows()[0]["copy"] == "none"


def test_bytes_are_forgotten_when_they_were_kept(box):
    d = box.send().data
    assert "text" not in box.row(d["id"])
    r = box.emcli.admin("outbox", "show", d["id"])
    assert b"no longer kept" in r.out


def serve(certs, **behaviour):
    login = {servers.address("agent"): servers.password("agent")}
    return Smtpd(certs.good[0], certs.good[1], users=login, **behaviour)


def on_imap(emcli, dovecot, server, **flags):
    emcli.account_imap(dovecot, smtp_host="localhost", smtp_port=server.port,
                       smtp_security="tls", **flags)
    return Box(emcli, None)


def test_a_copy_by_imap(emcli, dovecot, certs):
    with serve(certs) as server:
        box = on_imap(emcli, dovecot, server)
        d = box.send(to=FAR, body="größe\n.\n" + "x" * 100000).data
        assert "warnings" not in d
        (sent,) = dovecot.messages("agent", "Sent")
        assert sent == server.messages[0]["data"]
        assert "Seen" in dovecot.flags("agent", uid_of(dovecot, "Sent"), "Sent")
        assert box.rows()[0]["copy"] == "saved"


def uid_of(dovecot, folder):
    c = dovecot.client("agent")
    try:
        c.select(folder, readonly=True)
        return c.uid("SEARCH", "ALL")[1][0].split()[-1].decode()
    finally:
        c.logout()


class Here:
    """Where an Imapd stands, for account_imap()."""

    def __init__(self, server, certs):
        self.host, self.imaps, self.ca = "localhost", server.port, certs.good[2]


@pytest.mark.parametrize("fault", [
    None, "connect:close", "login:no", "list:stall", "list:close", "list:no", "list:garbage",
])
def test_a_server_that_keeps_no_copy_changes_nothing(emcli, certs, fault):
    """None: it knows no APPEND."""
    login = {servers.address("agent"): servers.password("agent")}
    # As long as it may take to send; one of these servers never answers.
    assert emcli.admin("config", "set", "timeout_seconds", "10").rc == 0
    with Imapd(certs.good[0], certs.good[1], users=login,
               fault=fault) as box_server, serve(certs) as server:
        box = on_imap(emcli, Here(box_server, certs), server)
        d = box.send("--idempotency-key", "k", to=FAR).data
        assert d["state"] == "sent" and d["warnings"] == ["copy_failed"]
        assert box.send("--idempotency-key", "k", to=FAR).data["again"] is True
        assert len(server.messages) == 1
        assert box.rows()[0]["copy"] == "failed"


# -- what nobody knows

@pytest.fixture
def lost(emcli, dovecot, certs):
    """A message that was handed over and never answered for."""
    with serve(certs) as server:
        box = on_imap(emcli, dovecot, server)
        box.server = server
        box.to = "dropafter@them.example"
        r = box.send("--idempotency-key", "k", to=box.to)
        assert r.code == "unknown_outcome"
        box.first = detail(r)
        yield box


def test_the_unknown_is_never_sent_again(lost):
    assert lost.first["state"] == "unknown_outcome" and lost.first["again"] is False
    for _ in range(2):
        r = lost.send("--idempotency-key", "k", to=lost.to)
        assert r.code == "unknown_outcome" and detail(r)["again"] is True
        assert detail(r)["message_id"] == lost.first["message_id"]
    assert len(lost.server.messages) == 1
    s = lost.status("--idempotency-key", "k").data
    assert s["state"] == "unknown_outcome" and s["recipients"][0]["status"] == "unknown"


def test_not_in_sent_needs_the_operators_word(lost):
    n = lost.first["id"]
    r = lost.emcli.admin("outbox", "resolve", n)
    assert r.rc != 0 and b"not in the account's Sent" in r.out
    assert lost.row(n)["state"] == "unknown_outcome"
    assert lost.emcli.admin("outbox", "resolve", n, "--sent", "--not-sent").rc == 2
    assert lost.emcli.admin("outbox", "resolve", n, "--sent").rc == 0
    assert lost.send("--idempotency-key", "k", to=lost.to).data["again"] is True
    assert lost.emcli.admin("outbox", "resolve", n, "--not-sent").rc == 2
    assert len(lost.server.messages) == 1


def test_what_was_not_sent_can_be_sent(lost):
    assert lost.emcli.admin("outbox", "resolve", lost.first["id"], "--not-sent").rc == 0
    assert len(lost.server.messages) == 1  # by nobody but the agent
    assert lost.status("--id", str(lost.first["id"])).data["state"] == "failed"
    assert lost.send("--idempotency-key", "k", to=lost.to).code == "unknown_outcome"
    assert len(lost.server.messages) == 2


def test_what_is_in_sent_was_sent(lost, dovecot):
    n = lost.first["id"]
    # Another with that Message-ID only in its text says nothing.
    mid = lost.first["message_id"]
    dovecot.append("agent", message(extra="References: %s\r\n" % mid, body=mid), "Sent")
    assert lost.emcli.admin("outbox", "resolve", n).rc != 0
    dovecot.append("agent", lost.server.messages[0]["data"], "Sent")
    assert lost.emcli.admin("outbox", "resolve", n, "--not-sent").rc == 2
    r = lost.emcli.admin("outbox", "resolve", n)
    assert r.rc == 0 and b"is in Sent" in r.out
    assert lost.status("--id", str(n)).data["state"] == "sent"
    assert lost.send("--idempotency-key", "k", to=lost.to).data["again"] is True
    assert len(lost.server.messages) == 1


def test_resolving_is_written_down(lost):
    n = lost.first["id"]
    assert lost.emcli.admin("outbox", "resolve", n, "--sent").rc == 0
    (row,) = lost.emcli.admin("audit", "list", "--json", "--action",
                              "outbox.resolve").json["audit"]
    assert row["outcome"] == "ok" and str(n) in row["target"] and "as the operator says" in row["detail"]


def test_sent_that_cannot_be_looked_at(emcli, certs):
    login = {servers.address("agent"): servers.password("agent")}
    with Imapd(certs.good[0], certs.good[1], users=login,
               fault="list:no") as away, serve(certs) as server:
        box = on_imap(emcli, Here(away, certs), server)
        assert box.send(to="dropafter@them.example").code == "unknown_outcome"
        r = emcli.admin("outbox", "resolve", "1")
        assert r.rc != 0 and b"could not be searched" in r.out
        assert box.row(1)["state"] == "unknown_outcome"


def test_a_sender_who_died_is_unknown(box):
    """The row says `sending`; nobody holds its lock."""
    import sqlite3
    box.send("--idempotency-key", "k").data
    with sqlite3.connect(box.emcli.db) as db:
        db.execute("UPDATE outbox SET state = 'sending'")
    assert box.status("--idempotency-key", "k").data["state"] == "unknown_outcome"
    assert box.send("--idempotency-key", "k").code == "unknown_outcome"
    assert len(box.got()) == 1


def test_a_sender_who_lives_is_waited_for(emcli, dovecot, certs):
    asked, go_on = threading.Event(), threading.Event()

    def slowly(session):
        asked.set()
        go_on.wait(60)
        session.to.append("slow@them.example")
        session.reply(250, "2.1.5 ok")

    with serve(certs, fault=("rcpt", slowly)) as server:
        box = on_imap(emcli, dovecot, server)
        env = emcli.environment(EMCLI_KEY=emcli.agent_key)
        argv = ["send", "--account", "work", "--to", "slow@them.example", "--subject", "hi",
                "--body", "words", "--idempotency-key", "k"]
        first = emcli.start(argv, env)
        assert asked.wait(60)
        assert box.status("--idempotency-key", "k").data["state"] == "sending"
        second = emcli.start(argv, env)
        time.sleep(1)
        assert second.poll() is None and first.poll() is None
        go_on.set()
        d = json.loads(second.communicate(timeout=60)[0])["data"]
        assert d["again"] is True and d["state"] == "sent"
        first.communicate(timeout=60)
        assert first.returncode == 0 and len(server.messages) == 1


# -- the operator's view

def test_show_is_fit_for_a_terminal(emcli, site):
    emcli.account_maildir(site.path, outbound="approve")
    box = Box(emcli, site)
    assert box.send(body="a\x1b[31mb\u202ec\u200bd", subject="x\u202ey").code == "approval"
    r = emcli.admin("outbox", "show", "1")
    assert r.rc == 0 and b"\x1b" not in r.out and "\u202e".encode() not in r.out
    assert b"invisible characters" in r.out and b"Subject: x" in r.out
    assert b"held" in emcli.admin("outbox", "list").out
    assert box.row(1)["unseen"] == 3


def test_an_agent_cannot_see_the_outbox(box):
    box.send().data
    for argv in ("list",), ("show", "1"), ("resolve", "1", "--sent"):
        r = box.emcli.run("outbox", *argv)
        assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err


def test_old_rows_go_with_the_log(box):
    import sqlite3
    box.send().data
    with sqlite3.connect(box.emcli.db) as db:
        db.execute("UPDATE outbox SET created_s = created_s - 91 * 86400")
    assert box.rows() == []
