# SPDX-License-Identifier: Apache-2.0
"""
The broker's wires: connections to mail servers, each in a process of its own,
kept from one call to the next; and the keeper, which alone unseals for them.
"""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import tempfile
import threading

import pytest

import servers
from imapd import MORE, Imapd, message
from listener import Hangup
from smtpd import Smtpd
from test_broker import A, B, House, become, begin, busy, until
from test_mcp import MODERN, Host

BOX = ("--account", "mail", "--folder", "INBOX")
TO = ("--account", "mail", "--to", "bob@lab.example", "--subject", "hi", "--body", "b")
ME = servers.address("agent")


class Wired(House):
    """A broker with an account on scripted servers."""

    def wires(self):
        return self.status().json["wires"]

    def rest(self):
        """
        No call has a wire.  A client has its answer before the wire has said that
        the call is over, and until then another worker's call begins another wire.
        """
        until(lambda: all(w["state"] == "idle" for w in self.wires()))

    def logins(self):
        """Until now, and the next call finds a wire that rests."""
        self.rest()
        return sum(b"AUTHENTICATE" in line or b"LOGIN " in line for line in self.imap.said())


@pytest.fixture(scope="module")
def wired(certs):
    cert, key = certs.good[:2]
    users = {ME: servers.password("agent")}
    with tempfile.TemporaryDirectory(prefix="emcli-wires-") as folder:
        os.chmod(folder, 0o755)
        h = Wired(folder)
        h.init()
        (h.folder / "site").mkdir()
        h.run_dir.mkdir()
        # Wherever the authority is, other users may not look.
        h.ca = shutil.copy(certs.ca, h.folder / "ca.pem")
        os.chmod(h.ca, 0o644)
        h.own()
        h.imap = Imapd(cert, key, users=users)
        h.smtp = Smtpd(cert, key, users=users)
        h.imap.start()
        h.smtp.start()
        h.add("mail", h.imap.port)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.serve()
        yield h
        h.stop()
        h.imap.stop()
        h.smtp.stop()


def add(self, name, port):
    self.set_up("account", "add", name, "--password-stdin", "--backend", "imap", "--mode", "RW",
                "--from", ME, "--username", ME, "--imap-host", "localhost",
                "--imap-port", port, "--imap-security", "tls", "--smtp-host", "localhost",
                "--smtp-port", self.smtp.port, "--smtp-security", "tls", "--ca", self.ca,
                "--whitelist-out", "off", "--process-backlog", "--check-unfinished", "off",
                stdin=servers.password("agent"))


Wired.add = add


@pytest.fixture(autouse=True)
def at_rest(wired):
    wired.imap.fault = (None, None)
    yield
    wired.imap.fault = (None, None)


def listed(h, *more):
    r = h.ask("list", *BOX, *more)
    assert r.rc == 0, str(r)
    return [m["subject"] for m in r.data["messages"]]


def test_two_calls_make_one_login(wired):
    direct = wired.direct("list", *BOX)
    assert direct.rc == 0, str(direct)
    before = wired.logins()
    first = wired.ask("list", *BOX)
    assert first.out == direct.out and first.rc == 0, str(first)
    assert wired.logins() == before + 1
    # Mail that came meanwhile is seen on the same connection.  The call before it is over.
    box = wired.imap.folders["INBOX"]
    wired.imap.folders = {**wired.imap.folders, "INBOX": [*box, box[0]]}
    try:
        assert len(listed(wired)) == len(box) + 1
    finally:
        wired.imap.folders = {**wired.imap.folders, "INBOX": box}
    wired.rest()
    assert wired.ask("get", *BOX, "--uid", "1").rc == 0
    assert wired.logins() == before + 1
    until(lambda: [(w["account"], w["state"]) for w in wired.wires()] == [("mail", "idle")])
    assert len(wired.named("wire")) == len(wired.named("keeper")) == 1


def test_a_session_has_the_connections_of_the_broker(wired):
    wired.ask("list", *BOX)
    before = wired.logins()
    env = {"EMCLI_KEY": None, "EMCLI_DB": None, "EMCLI_SOCKET": str(wired.socket),
           "EMCLI_AGENT": None}
    host = Host(wired, "--always", revision=MODERN, env=env, become=become(A))
    box = {"account": "mail", "folder": "INBOX"}
    rows = host.data("list", **box)
    for _ in range(8):
        wired.rest()
        assert host.data("list", **box) == rows
    wired.rest()
    assert host.data("watch", **box, timeout=0)["events"] == []
    assert wired.logins() == before
    (keeper,) = wired.named("keeper")
    os.kill(keeper, signal.SIGKILL)
    until(lambda: keeper not in wired.children())
    until(lambda: host.call("list", **box)["error"] is False)
    assert host.data("list", **box) == rows, "it finds the next keeper by itself"
    assert host.end()[0] == 0


def test_what_is_sent_goes_by_a_wire(wired):
    before = len(wired.smtp.messages)
    listed(wired)
    logins = wired.logins()
    r = wired.ask("send", *TO)
    assert r.rc == 0 and r.data["state"] == "sent", str(r)
    assert len(wired.smtp.messages) == before + 1
    assert wired.logins() == logins, "the copy has the connection that is kept"
    lost = wired.ask("send", *TO[:-1], "lost", "--to", "dropafter@lab.example")
    assert lost.code == "unknown_outcome", str(lost)


def test_mail_in_files_is_read_and_answered_by_two_wires(wired):
    """One has the archive and no network, the other the network and no archive."""
    path = wired.folder / "list.mbox"
    raw = message("asked", "ann@example.net").replace(b"\r\n", b"\n")
    path.write_bytes(b"From a@b Sun Jun 21 10:00:00 2026\n" + raw + b"\n")
    os.chown(path, B, B)
    wired.set_up("account", "add", "archive", "--password-stdin", "--backend", "mbox",
                 "--path", path, "--mode", "RW", "--from", ME, "--username", ME,
                 "--smtp-host", "localhost", "--smtp-port", wired.smtp.port,
                 "--smtp-security", "tls", "--ca", wired.ca, "--whitelist-out", "off",
                 "--process-backlog", "--check-unfinished", "off",
                 stdin=servers.password("agent"))
    before = len(wired.smtp.messages)
    archive = ("--account", "archive")
    (row,) = wired.ask("list", *archive, "--folder", "INBOX").data["messages"]
    for i in range(2):
        wired.rest()
        r = wired.ask("send", *archive, "--to", "ann@example.net", "--subject", f"Re: {i}",
                      "--body", "b", "--folder", "INBOX", "--reply-to", row["uid"])
        assert r.rc == 0 and r.data["state"] == "sent", str(r)
    assert len(wired.smtp.messages) == before + 2
    assert [w["account"] for w in wired.wires()].count("archive") == 2
    wired.set_up("account", "remove", "archive", "--yes")
    wired.kill(wired.named("wire"))
    until(lambda: not wired.wires())


def one_wire(h):
    """There is one, and it rests."""
    h.kill(h.named("wire"))
    until(lambda: not h.wires())
    listed(h)
    h.rest()
    (wire,) = h.named("wire")
    return wire


def test_an_account_that_was_changed_has_no_old_connection(wired):
    wire = one_wire(wired)
    before = wired.logins()
    wired.set_up("account", "edit", "mail", "--password-stdin", stdin=servers.password("agent"))
    listed(wired)
    assert wired.logins() == before + 1
    until(lambda: wire not in wired.named("wire"))
    # A wrong password is not tried on a connection that had the right one.
    wired.set_up("account", "edit", "mail", "--password-stdin", stdin="wrong")
    assert wired.ask("list", *BOX).code == "auth"
    wired.set_up("account", "edit", "mail", "--password-stdin", stdin=servers.password("agent"))
    listed(wired)


def test_doctor_says_that_a_password_does_not_unseal(wired):
    """As in direct; the keeper is asked."""
    wired.add("spoilt", wired.imap.port)
    with contextlib.closing(sqlite3.connect(wired.db)) as db:
        db.execute("UPDATE accounts SET enc_password = zeroblob(60) WHERE name = 'spoilt'")
        db.commit()

    def lines(r):
        return [{k: c.get(k) for k in ("check", "ok", "message", "next")}
                for c in r.json["data"]["checks"] if c.get("account") == "spoilt"]

    said = lines(wired.ask("doctor", "--account", "spoilt"))
    assert said == lines(wired.direct("doctor", "--account", "spoilt"))
    assert [c["check"] for c in said if not c["ok"]] == ["credentials"], said
    wired.set_up("account", "remove", "spoilt", "--yes")


def verdict(r):
    """What doctor says of the account's servers, without times."""
    return [(c["check"], c["ok"], re.sub(r"\d+ days", "", c["message"]))
            for c in r.json["data"]["checks"] if c["check"].startswith(("imap", "smtp"))]


def test_doctor_waits_for_no_call_of_others(wired):
    """The server leaves two calls without an answer, and answers doctor."""
    calls = [stalled(wired, "examine", "list", *BOX)]
    calls.append(begin(wired, "list", *BOX))
    until(lambda: [w["state"] for w in wired.wires()].count("lent") == 2)
    r = wired.ask("doctor", "--account", "mail")
    assert all(p.poll() is None for p in calls), "they wait still"
    assert r.rc == 0 and verdict(r) == verdict(wired.direct("doctor", "--account", "mail"))
    for p in calls:
        p.kill()
        p.communicate()
    wired.imap.fault = (None, None)
    until(lambda: all(w["state"] == "idle" for w in wired.wires()))


def test_doctor_tries_a_server_that_failed(wired):
    """A call does not, so soon, if it would have to wait for longer than it may."""
    wired.kill(wired.named("wire"))
    until(lambda: not wired.wires())
    wired.imap.fault = ("login", "close")
    # As long as one test of a server may take; the waits are 1, 2, 4 and 8 seconds.
    wired.set_up("config", "set", "timeout_seconds", 6)
    until(lambda: "failed before" in wired.ask("list", *BOX).out.decode())
    bad = wired.ask("doctor", "--account", "mail")
    assert verdict(bad) == verdict(wired.direct("doctor", "--account", "mail"))
    assert [c for c, ok, _ in verdict(bad) if not ok] == ["imap.login"]
    wired.imap.fault = (None, None)
    assert wired.ask("doctor", "--account", "mail").rc == 0
    wired.set_up("config", "set", "timeout_seconds", 60)
    until(lambda: wired.ask("list", *BOX).rc == 0)


def test_a_loop_of_doctor_is_no_loop_of_logins(wired, certs):
    """Guard: a server bars an account whose logins fail, and so all of its agents."""
    with Imapd(*certs.good[:2], users={ME: "another password"}) as server:
        wired.add("wrong", server.port)
        wired.set_up("config", "set", "timeout_seconds", 10)
        for _ in range(9):
            r = wired.ask("doctor", "--account", "wrong")
        assert ("imap.login", False) not in [v[:2] for v in verdict(r)], str(r)
        assert "failed before" in r.out.decode()
        assert 0 < sum(b"LOGIN " in line or b"AUTHENTICATE" in line for line in server.said()) < 9
        wired.set_up("config", "set", "timeout_seconds", 60)
        wired.set_up("account", "remove", "wrong", "--yes")


def answer_and_close(session, data):
    session.send(data)
    raise Hangup


def test_a_connection_that_the_server_closed_is_opened_again(wired):
    before = wired.logins()
    wired.imap.fault = ("fetch", answer_and_close)
    listed(wired)
    wired.imap.fault = (None, None)
    wired.rest()
    listed(wired)
    wired.rest()
    listed(wired)
    assert 1 <= wired.logins() - before <= 2


READS = [("examine", "list", *BOX), ("fetch", "list", *BOX), ("search", "list", *BOX),
         ("search", "search", *BOX, "--subject-contains", "two"),
         ("fetch", "search", *BOX, "--subject-contains", "two"),
         ("examine", "get", *BOX, "--uid", "1"), ("fetch", "get", *BOX, "--uid", "1"),
         ("list", "folders", "--account", "mail")]


@pytest.mark.parametrize("how", ["close", "bye", "half"])
@pytest.mark.parametrize("step, call", [(r[0], r[1:]) for r in READS])
def test_a_kept_connection_that_ends_is_replaced(wired, step, call, how):
    """Once, at whatever step, and no call hears of it."""
    good = wired.ask(*call)
    assert good.rc == 0, str(good)
    before, hit = wired.logins(), []

    def end(session, data):
        wired.imap.fault = (None, None)
        hit.append(step)
        if how != "close":
            session.send(b"* BYE for now\r\n" if how == "bye" else data[:len(data) // 2])
        raise Hangup

    wired.imap.fault = (step, end)
    r = wired.ask(*call)
    assert (r.rc, r.out) == (0, good.out), str(r)
    assert wired.logins() - before == len(hit)


def test_a_wire_that_ends_as_it_is_lent_is_replaced(wired):
    wire = one_wire(wired)
    good = wired.ask("list", *BOX)
    wired.rest()
    os.kill(wire, signal.SIGSTOP)
    p = begin(wired, "list", *BOX)
    until(lambda: any(w["state"] == "lent" for w in wired.wires()))
    os.kill(wire, signal.SIGKILL)
    out, _ = p.communicate(timeout=60)
    assert (p.returncode, out) == (0, good.out)


@pytest.mark.parametrize("who", ["wire", "keeper"])
def test_a_process_that_dies_at_rest_costs_nothing(wired, who):
    listed(wired)
    wired.kill(wired.named(who))
    until(lambda: wired.named("keeper"))
    until(lambda: wired.ask("list", *BOX).rc == 0)


def stall(session, _):
    session.server.stopping.wait()
    raise Hangup


def stalled(h, step, *argv, what=stall):
    """A call that waits for the server, at that step: what was lent before is no sign of it."""
    there = threading.Event()

    def wait(session, data):
        there.set()
        what(session, data)

    h.imap.fault = (step, wait)
    p = begin(h, *argv)
    assert there.wait(60)
    until(busy(h))
    until(lambda: any(w["state"] == "lent" for w in h.wires()))
    return p


def code(p):
    out, _ = p.communicate(timeout=60)
    assert p.returncode != 0, out
    return json.loads(out)["error_detail"]["code"]


def test_a_wire_that_dies_in_a_read_fails_that_call(wired):
    listed(wired)
    p = stalled(wired, "examine", "list", *BOX)
    wired.kill(wired.named("wire"))
    assert code(p) == "network"
    wired.imap.fault = (None, None)
    listed(wired)


def test_a_keeper_that_dies_in_a_read_does_not_disturb_it(wired):
    listed(wired)
    goes_on = threading.Event()

    def wait(session, data):
        goes_on.wait(60)
        session.send(data)

    p = stalled(wired, "examine", "list", *BOX, what=wait)
    for pid in wired.named("keeper"):
        os.kill(pid, signal.SIGKILL)
    goes_on.set()
    out, _ = p.communicate(timeout=60)
    assert p.returncode == 0, out
    until(lambda: wired.ask("list", *BOX).rc == 0)


def test_a_wire_that_dies_in_a_send_leaves_it_unknown(wired):
    before = len(wired.smtp.messages)
    key = ("--idempotency-key", "wire-dies")
    argv = ("send", "--account", "mail", "--to", "stall@lab.example", "--subject", "once",
            "--body", "b", *key)
    p = begin(wired, *argv)
    until(lambda: len(wired.smtp.messages) == before + 1)
    wired.kill(wired.named("wire"))
    assert code(p) == "unknown_outcome"
    # It is not sent again, whoever asks.
    assert wired.ask(*argv).code == "unknown_outcome"
    assert len(wired.smtp.messages) == before + 1


def test_a_client_that_leaves_takes_its_wire_along(wired):
    listed(wired)
    p = stalled(wired, "examine", "list", *BOX)
    p.kill()
    p.communicate()
    wired.imap.fault = (None, None)
    until(lambda: all(w["state"] == "idle" for w in wired.wires()))
    listed(wired)


def test_a_server_that_stalls_holds_up_its_own_account(wired, certs):
    with Imapd(*certs.good[:2], users={ME: servers.password("agent")}) as other:
        wired.add("other", other.port)
        calls = [stalled(wired, "examine", "list", *BOX) for _ in range(2)]
        until(lambda: len(wired.named("wire")) >= 2)
        r = wired.ask("list", "--account", "other", "--folder", "INBOX")
        assert r.rc == 0, str(r)
        for p in calls:
            p.kill()
            p.communicate()
        wired.imap.fault = (None, None)
        until(lambda: wired.ask("list", *BOX).rc == 0)
        wired.set_up("account", "remove", "other", "--yes")
        assert wired.ask("list", "--account", "other", "--folder", "INBOX").code == "not_found"


def test_a_watch_tells_while_other_calls_have_all_connections(wired, certs):
    """What heard of the mail reads it."""
    cert, key = certs.good[:2]
    with Imapd(cert, key, users={ME: servers.password("agent")}, more_caps=f"{MORE} IDLE") as other:
        wired.add("other", other.port)
        box = ("--account", "other", "--folder", "INBOX")

        def lent(n):
            return [w["state"] for w in wired.wires() if w["account"] == "other"].count("lent") == n

        p = begin(wired, "watch", *box, "--timeout", "600")
        until(lambda: other.idling == 1 and lent(1))
        other.fault = ("examine", "stall")
        calls = [begin(wired, "list", *box) for _ in range(2)]
        try:
            until(lambda: lent(3))
            old = other.folders["INBOX"]
            other.folders = {**other.folders, "INBOX": [*old, old[0]]}
            out, _ = p.communicate(timeout=60)
            assert [e["uid"] for e in json.loads(out)["data"]["events"]] == [len(old) + 1], out
            until(lambda: not lent(3))
            assert lent(2), "it left them theirs"
        finally:
            for p in [p, *calls]:
                p.kill()
                p.communicate()
            wired.set_up("account", "remove", "other", "--yes")


EVE = "eve@example.net"  # of a listed domain: the server finds it
# All of them are tried by hand: they take a minute.
SEARCHES = int(os.environ.get("EMCLI_SEARCHES", "60"))


def test_a_thousand_searches_tell_nothing_of_hidden_mail(wired, certs):
    """
    Guard: a question that finds nothing asks as often (query.even).  What an
    agent could time is counted: trips to the server.
    """
    dice = random.Random(18)
    words = [f"w{dice.getrandbits(40):010x}" for _ in range(SEARCHES)]
    hidden = set(words[::2])
    box = [message("seen", "ann@example.net")]
    box += [message(f"gone{i}", EVE, body=" ".join(words[2 * i::10]) + "\n") for i in range(5)]
    box += [message("seen too", "ann@example.net")]
    with Imapd(*certs.good[:2], users={ME: servers.password("agent")},
               folders={"INBOX": box}) as server:
        wired.add("hides", server.port)
        wired.set_up("account", "edit", "hides", "--whitelist-in", "on")
        wired.set_up("whitelist", "in", "add", "--account", "hides", "ann@example.net")
        env = {"EMCLI_KEY": None, "EMCLI_DB": None, "EMCLI_SOCKET": str(wired.socket),
               "EMCLI_AGENT": None}
        host = Host(wired, "--always", revision=MODERN, env=env, become=become(A))
        where = {"account": "hides", "folder": "INBOX"}
        assert len(host.data("search", **where, text="seen")["messages"]) == 2
        costs = {}
        for word in sorted(words):
            mark = len(server.log)
            got = json.dumps(host.call("search", **where, text=word))
            asked = [line.split(b" ")[1] for who, line in server.log[mark:] if who == "C" and b" " in line]
            # A connection that was opened again begins with others.
            trips = sum(verb in (b"EXAMINE", b"UID") for verb in asked)
            cost = trips, got.replace(word, "WORD")
            costs.setdefault(cost, set()).add(word in hidden)
        assert host.end()[0] == 0
        assert list(costs.values()) == [{True, False}], costs
