# SPDX-License-Identifier: Apache-2.0
"""One command stops every agent, from its next call on and at every door."""

import email
import json
import random
import sqlite3
import subprocess
import threading

import pytest

import cli
from mail import message
from modeld import Server
import servers
from smtpd import Smtpd

BOX = ("--account", "work", "--folder", "INBOX")
SEND = ("send", "--account", "work", "--to", "bob@them.example", "--subject", "s")


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, whitelist_out="off")
    return emcli


def freeze(emcli, *argv, env=None, rc=0):
    """At a shell that has no key at all."""
    r = emcli.run("freeze", *argv, env={"EMCLI_KEY": None, **(env or {})})
    assert r.rc == rc, str(r)
    return r


def frozen(r):
    return r.rc != 0 and (r.json["error_detail"]["code"],
                          r.json["error_detail"].get("reason")) == ("policy", "frozen")


def rows(emcli, text, *values):
    db = sqlite3.connect(emcli.db)
    out = db.execute(text, values).fetchall()
    db.close()
    return out


# -- what it stops

OPERATIONS = [
    ("list", *BOX), ("get", *BOX, "--uid", "1"), ("search", *BOX, "--text", "x"),
    ("ack", *BOX, "--uid", "1"), ("folders", "--account", "work"), (*SEND, "--body", "b"),
    ("send-status", "--account", "work", "--id", "1"), ("sources",), ("list-skills",),
    ("load-skill", "--skill", "mail-read"), ("list-drafts", "--account", "work"),
    ("list-recent-threads", "--account", "work", "--since", "1d"),
    ("create-draft", "--account", "work", "--to", "bob@them.example", "--subject", "s",
     "--body", "b"),
    ("list", "--account", "nosuch", "--folder", "INBOX"),
]


@pytest.mark.parametrize("argv", OPERATIONS, ids=lambda a: " ".join(a)[:40])
def test_no_operation_is_left(work, argv):
    freeze(work)
    r = work.run(*argv)
    assert frozen(r) and "emcli thaw" in r.json["error_detail"]["next"], str(r)
    # The operator's key makes no agent of its holder that may.
    assert frozen(work.admin(*argv))


def test_no_key_stops_and_the_admin_key_starts(work):
    assert freeze(work, "--why", "it answers spam").out == \
        b"frozen: every agent; emcli thaw ends it\n"
    assert frozen(work.run("list", *BOX))
    for env in {"EMCLI_ADMIN_KEY": None}, {"EMCLI_ADMIN_KEY": work.agent_key}:
        assert work.admin("thaw", env=env).rc == 1
    assert frozen(work.run("list", *BOX))
    assert work.admin("thaw").out == b"thawed: every agent\n"
    assert work.run("list", *BOX).rc == 0
    r = work.admin("thaw")
    assert r.rc == 1 and b"not frozen" in r.err


@pytest.mark.parametrize("env", [
    {"EMCLI_ADMIN_KEY": "nonsense"}, {"EMCLI_KEY": "nonsense"},
    {"EMCLI_KEY_FILE": "/nosuch"}, {"EMCLI_AGENT": "no name"}])
def test_what_is_wrong_with_the_environment_stops_nobody_from_it(work, env):
    freeze(work, env=env)
    assert frozen(work.run("list", *BOX))


def test_without_a_database_nothing_is_made(tmp_path):
    bare = cli.Emcli(tmp_path / "bare")
    r = freeze(bare, rc=1)
    assert b"EMCLI_DB" in r.err and b"freeze-self" in r.err and not bare.db.exists()


def test_one_agent_or_one_account_alone(work, site):
    work.account_maildir(site.path, name="other", user="bob", process_backlog=True)
    there = ("list", "--account", "other", "--folder", "INBOX")

    def state(agent):
        env = {"EMCLI_AGENT": agent}
        return [frozen(work.run(*argv, env=env)) for argv in (("list", *BOX), there)]

    freeze(work, "--agent", "a")
    assert (state("a"), state("A"), state("b")) == ([True] * 2, [True] * 2, [False] * 2)
    freeze(work, "--account", "other")
    assert state("b") == [False, True]
    freeze(work, "--agent", "c", "--account", "work")
    assert state("c") == [True, True]
    r = work.admin("thaw", "--agent", "c")
    assert r.rc == 1 and b"still frozen: agent c on account work" in r.out
    assert work.admin("thaw", "--account", "other").rc == 0
    assert (state("b"), state("c")) == ([False, False], [True, False])
    r = work.admin("thaw", "--agent", "c", "--account", "work")
    assert r.rc == 0 and b"still frozen: agent a, since" in r.out
    # A new name does not get an account out of it.
    freeze(work, "--account", "work")
    work.set_up("account", "edit", "work", "--rename", "renamed")
    assert frozen(work.run("list", "--account", "renamed", "--folder", "INBOX"))
    for argv, code in ((["--account", "nosuch"], 1), (["--agent", "no name"], 2),
                       (["--agent", "operator"], 2), (["--why", "a\nb"], 2),
                       (["--why", "x" * 201], 2)):
        freeze(work, *argv, rc=code)


def test_it_is_in_the_audit_and_first_in_doctor(work):
    freeze(work, "--why", "it answers spam")
    work.admin("freeze", "--agent", "bot")
    r = work.run("doctor")
    first = r.json["data"]["checks"][0]
    assert first["check"] == "freeze" and first["ok"] is False
    assert "every agent is frozen since" in first["message"]
    assert first["message"].endswith(": it answers spam") and "emcli thaw" in first["next"]
    # Of another agent's an agent is told nothing.
    assert [c["check"] for c in r.json["data"]["checks"]].count("freeze") == 1
    assert work.admin("doctor").out.count(b'"freeze"') == 2
    work.set_up("thaw")
    work.set_up("thaw", "--agent", "bot")
    assert b'"freeze"' not in work.run("doctor").out
    log = json.loads(work.admin("audit", "list", "--json").out)["audit"][::-1]
    said = [(r["principal"], r["action"], r["target"], r["result"], r["outcome"], r["detail"])
            for r in log if r["action"] in ("freeze", "thaw")]
    assert said == [
        ("unknown", "freeze", "all agents", "allowed", "ok", "it answers spam"),
        ("operator", "freeze", "agent=bot", "allowed", "ok", ""),
        ("operator", "thaw", "", "allowed", "ok", ""),
        ("operator", "thaw", "agent", "allowed", "ok", "")]
    assert json.loads(work.admin("audit", "verify", "--json").out)["whole"] is True


def test_an_agent_stops_itself_and_nobody_else(work):
    r = work.run("freeze-self", "--why", "two mails contradict each other",
                 env={"EMCLI_AGENT": "bot"})
    assert r.data == {"status": "frozen"}
    assert frozen(work.run("list", *BOX, env={"EMCLI_AGENT": "bot"}))
    assert work.run("list", *BOX).rc == 0
    # It has no word to name another by.
    for option in "--agent", "--account":
        assert work.run("freeze-self", option, "x").code == "usage"
    assert work.run("freeze-self", "--why", "a\nb").code == "usage"
    assert rows(work, "SELECT agent, account_id, why FROM freeze") == [
        ("bot", 0, "two mails contradict each other")]


def test_a_full_table_is_emptied_at_once(work):
    db = sqlite3.connect(work.db)
    with db:
        db.executemany("INSERT INTO freeze VALUES (?, 0, '', 1)",
                       [(f"f{n}",) for n in range(1000)])
    db.close()
    assert b"emcli thaw --all" in freeze(work, "--agent", "x", rc=1).err
    # Whoever has a key is not kept out.
    assert work.run("freeze-self").data == {"status": "frozen"}
    assert frozen(work.run("list", *BOX))
    assert work.admin("freeze", "--agent", "x").rc == 0
    # An agent is told of its own; the operator of some, and how many more.
    said = [c["message"] for c in work.run("doctor").json["data"]["checks"]
            if c["check"] == "freeze"]
    assert len(said) == 1 and said[0].startswith("agent agent is frozen")
    said = [c for c in json.loads(work.admin("doctor").out)["data"]["checks"]
            if c["check"] == "freeze"]
    assert len(said) == 21 and said[-1]["message"] == "and 982 more freezes"
    r = work.admin("thaw")
    assert r.rc == 1 and r.out.count(b"still frozen: ") == 20
    assert b"and 982 more; emcli thaw --all" in r.out
    assert work.admin("thaw", "--all", "--agent", "x").rc == 2
    assert work.admin("thaw", "--all", env={"EMCLI_ADMIN_KEY": None}).rc == 1
    assert work.admin("thaw", "--all").out == b"thawed: every freeze (1002)\n"
    assert work.run("list", *BOX).rc == 0
    assert work.admin("thaw", "--all").rc == 1
    log = json.loads(work.admin("audit", "list", "--json").out)["audit"]
    assert [r["detail"] for r in log if r["action"] == "thaw" and r["target"] == "all"
            and r["outcome"] == "ok"] == ["1002 lifted"]


# -- doors and processes that are open already

def mcp_call(p, n, name, arguments):
    p.stdin.write(json.dumps({"jsonrpc": "2.0", "id": n, "method": "tools/call",
                              "params": {"name": name, "arguments": arguments}}).encode() + b"\n")
    p.stdin.flush()
    while True:
        got = json.loads(p.stdout.readline())
        if got.get("id") == n:
            return json.dumps(got)


def test_a_session_that_is_open_is_stopped(work):
    p = work.start(["mcp", "--always"], work.environment(EMCLI_KEY=work.agent_key))
    try:
        p.stdin.write(json.dumps({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                       "clientInfo": {"name": "t", "version": "1"}}}).encode() + b"\n")
        p.stdin.flush()
        p.stdout.readline()
        ask = {"folder": "INBOX"}
        assert "frozen" not in mcp_call(p, 1, "list", ask)
        freeze(work)
        assert "frozen" in mcp_call(p, 2, "list", ask)
        work.set_up("thaw")
        assert "frozen" not in mcp_call(p, 3, "list", ask)
        assert "frozen" in mcp_call(p, 4, "freeze_self", {})
        assert "refused by policy: frozen" in mcp_call(p, 5, "list", ask)
    finally:
        p.communicate(timeout=20)


def test_a_conversation_that_runs_is_stopped(work, site):
    """Nothing more is carried to the model, and no call of its is made."""
    site.deliver("agent", message(subject="hello"))
    model = Server()
    work.set_up("model", "add", "m", "--url", model.url)

    def stop(_):
        freeze(work)
        return {"calls": [{"id": "c", "type": "function",
                           "function": {"name": "load_skill",
                                        "arguments": '{"skill": "mail-read"}'}}]}

    try:
        model.play = [stop, {"text": "never asked for"}]
        r = work.run("ask", "what is new?", "--json")
        assert frozen(r) and len(model.asked) == 1
        assert r.json["data"]["calls"] == [{"tool": "load_skill", "result": "policy"}]
    finally:
        model.stop()


# -- what leaves

def serve(certs, **behaviour):
    login = {servers.address("agent"): servers.password("agent")}
    return Smtpd(certs.good[0], certs.good[1], users=login, **behaviour)


def account(emcli, dovecot, server, **flags):
    emcli.account_imap(dovecot, smtp_host="localhost", smtp_port=server.port,
                       smtp_security="tls", sent_copy="off", whitelist_out="off", **flags)


def test_it_holds_while_a_server_lets_us_in(emcli, dovecot, certs):
    """The row is written, the envelope accepted: the last look is before DATA."""
    def stop(session):
        freeze(emcli)
        session.from_ = servers.address("agent")
        session.reply(250, "2.1.0 fine")

    with serve(certs, pipelining=False, fault=("mail", stop)) as server:
        account(emcli, dovecot, server)
        r = emcli.run(*SEND, "--body", "b", "--idempotency-key", "k")
        assert frozen(r) and server.messages == []
        assert r.json["error_detail"]["state"] == "failed"
        said = [line for who, line in server.log if who == "C"]
        assert any(b"RCPT" in line for line in said) and b"DATA" not in said
        server.fault = None
        emcli.set_up("thaw")
        assert emcli.run(*SEND, "--body", "b", "--idempotency-key", "k").data["state"] == "sent"


def test_what_is_held_stays_held(emcli, dovecot, certs):
    with serve(certs) as server:
        account(emcli, dovecot, server, outbound="approve")
        r = emcli.run(*SEND, "--body", "b")
        n = r.json["error_detail"]["id"]
        digest = json.loads(emcli.admin("approve", "show", n, "--json").out)["digest"]
        freeze(emcli)
        r = emcli.admin("approve", "release", n, "--digest", digest)
        assert r.rc == 1 and b"frozen" in r.err and server.log == []
        assert [h["id"] for h in json.loads(emcli.admin("approve", "list", "--json").out)["held"]
                ] == [n]
        # A night that is longer than approvals last costs it nothing.
        db = sqlite3.connect(emcli.db)
        with db:
            db.execute("UPDATE freeze SET at_s = at_s - 1000000")
            db.execute("UPDATE outbox SET created_s = created_s - 1000000")
        db.close()
        emcli.set_up("thaw")
        assert rows(emcli, "SELECT frozen_s / 1000000 FROM outbox") == [(1,)]
        r = emcli.admin("approve", "release", n, "--digest", digest)
        assert r.rc == 0 and len(server.messages) == 1, str(r)


def test_time_stands_still_for_what_is_frozen(emcli, dovecot, certs):
    with serve(certs) as server:
        account(emcli, dovecot, server, outbound="approve")
        emcli.setting("approval_hours", "1")
        n = emcli.run(*SEND, "--body", "b").json["error_detail"]["id"]
        other = emcli.run(*SEND, "--body", "c", env={"EMCLI_AGENT": "b"}).json["error_detail"]["id"]
        freeze(emcli, "--agent", "agent")
        db = sqlite3.connect(emcli.db)
        with db:
            for column in "created_s", "expires_s":
                db.execute(f"UPDATE outbox SET {column} = {column} - 7200")
            db.execute("UPDATE freeze SET at_s = at_s - 7200")
        db.close()

        def states():
            emcli.admin("outbox", "list")
            return dict(rows(emcli, "SELECT id, state FROM outbox"))

        assert states() == {n: "held", other: "expired"}
        emcli.set_up("thaw", "--agent", "agent")
        assert states()[n] == "held"


class Race:
    """Workers that send until they are stopped, and a moment at which they are."""

    WORKERS = 32

    def __init__(self, emcli, server):
        self.emcli, self.server = emcli, server
        self.replies, self.lock = [], threading.Lock()
        self.env = emcli.environment(EMCLI_KEY=emcli.agent_key)

    def work(self, i):
        for n in range(100):
            argv, env = self.emcli.command([*SEND, "--body", f"{self.round} {i} {n}"], self.env)
            done = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=300)
            assert done.stdout, done
            reply = json.loads(done.stdout)
            if reply["error"] and "retry_after" in reply["error_detail"]:
                # As many of a user wait for a broker as may: it is asked again.
                self.server.stopping.wait(0.2)
                continue
            with self.lock:
                self.replies.append(reply)
            if reply["error"]:
                return
        raise AssertionError("nothing stopped it")

    def ids(self):
        """Message-IDs of the outbox, by how each stands."""
        return dict(rows(self.emcli, "SELECT message_id, state FROM outbox"))

    def sink(self):
        return [email.message_from_bytes(m["data"])["Message-ID"] for m in self.server.messages]

    def run(self, number, after):
        """Stops them when so many messages have arrived; what was past the border."""
        self.round = number
        arrived = len(self.server.messages) + after
        workers = [threading.Thread(target=self.work, args=(i,)) for i in range(self.WORKERS)]
        for w in workers:
            w.start()
        while len(self.server.messages) < arrived and any(w.is_alive() for w in workers):
            self.server.stopping.wait(0.001)
        freeze(self.emcli, "--why", f"round {number}")
        past = set(self.ids())
        for w in workers:
            w.join(300)
            assert not w.is_alive()
        self.emcli.set_up("thaw")
        return past


def test_of_many_that_send_nothing_is_past_the_border_but_what_was(emcli, dovecot, certs):
    rounds, rng = 6, random.Random(20)
    with serve(certs) as server:
        account(emcli, dovecot, server)
        # On a busy machine a server's word may come late: it is waited for.
        assert emcli.admin("config", "set", "timeout_seconds", "110").rc == 0
        race = Race(emcli, server)
        for number in range(rounds):
            before = len(race.replies)
            past = race.run(number, rng.randint(0, 40))
            now = race.ids()
            # Nothing was written down after the freeze, so nothing left that
            # was not on its way; each is in the sink once, or surely not.
            assert set(now) == past
            assert sorted(race.sink()) == sorted(i for i, s in now.items() if s == "sent")
            assert set(now.values()) <= {"sent", "failed"}
            assert len(race.replies) - before >= race.WORKERS
        good = [r["data"]["message_id"] for r in race.replies if not r["error"]]
        bad = [r["error_detail"] for r in race.replies if r["error"]]
        assert sorted(good) == sorted(race.sink())
        assert len(bad) == rounds * race.WORKERS
        assert {(d["code"], d["reason"]) for d in bad} == {("policy", "frozen")}
        # Every row says what became of it.
        said = rows(emcli, "SELECT state, outcome, reason, count(*) FROM audit_log"
                    " WHERE action = 'send' GROUP BY 1, 2, 3")
        assert sorted(said, key=str) == sorted(
            [("done", "policy", "frozen", len(bad))]
            + [("done", "ok", None, len(good))] * (len(good) > 0), key=str)
        assert json.loads(emcli.admin("audit", "verify", "--json").out)["whole"] is True
