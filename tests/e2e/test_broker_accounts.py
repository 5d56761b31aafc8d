# SPDX-License-Identifier: Apache-2.0
"""
Every account on a network goes by a wire: JMAP, Pony Mail, Gmail, and what logs
in with a token, which the keeper keeps and a wire makes.
"""

import concurrent.futures
import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import threading
import time
import urllib.parse

import pytest

import google
import jmapd
import ponyd
import servers
from imapd import Imapd
from mail import message
from oauthlab import Consent, google_emulator, npm  # noqa: F401
from test_broker import A, House, begin, until
from test_ponymail import DEV, mail

ME = servers.address("agent")
MAILS = [message(subject=f"m{i}") for i in range(3)]
MANY = 8


class Provider:
    """An OAuth server: its tokens are good at the servers that it knows."""

    def __init__(self, *tokens):
        self.tokens = tokens  # sets of good ones
        self.dead = False     # it honours no consent
        self.slow_s = 0
        self.told = {"expires_in": 3600}
        self.refreshes, self.given, self.n = 0, [], 0
        self.live = set()     # refresh tokens
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def handler(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def say(self, status, what):
                body = json.dumps(what).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.say(200, {"issuer": outer.base, "token_endpoint": f"{outer.base}/token",
                               "authorization_endpoint": f"{outer.base}/auth"})

            def do_POST(self):
                raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.say(*outer.grant(dict(urllib.parse.parse_qsl(raw))))

        return Handler

    def grant(self, form):
        if form["grant_type"] == "refresh_token":
            self.refreshes += 1
            time.sleep(self.slow_s)
            if self.dead or form["refresh_token"] not in self.live:
                return 400, {"error": "invalid_grant", "error_description": "revoked"}
        # Each refresh token is good once.
        self.live.discard(form.get("refresh_token"))
        self.n += 1
        fresh, access = f"refresh-planted-{self.n}", f"access-planted-{self.n}"
        self.live.add(fresh)
        self.given += [fresh, access]
        for good in self.tokens:
            good.add(access)
        return 200, {"access_token": access, "refresh_token": fresh,
                     "token_type": "Bearer", **self.told}

    def revoke(self):
        """What was given is good no more."""
        for good in self.tokens:
            good.clear()
        self.refreshes = 0


class Accounts(House):
    def add(self, name, backend, *more, stdin=None, **flags):
        given = {"backend": backend, "mode": "RW", "from": ME, "username": ME,
                 "whitelist_out": "off", "process_backlog": True, "check_unfinished": "off",
                 **flags}
        self.set_up("account", "add", name, *more, *self.options(given), stdin=stdin)

    def consent(self, name, provider):
        c = Consent(self, "--issuer", provider.base, "--client-id", "planted-client",
                    "--scope", "mail", "--no-browser", name=name)
        c.come_back(state=c.query["state"], code="c")
        rc, out, err = c.end()
        assert rc == 0, out + err
        provider.refreshes = 0

    def wires(self, account):
        return [w for w in self.status().json["wires"] if w["account"] == account]


@pytest.fixture(scope="module")
def house(certs):
    folder = tempfile.mkdtemp(prefix="emcli-accounts-")
    os.chmod(folder, 0o755)
    h = Accounts(folder)
    h.init()
    h.run_dir.mkdir()
    (h.folder / "site").mkdir(exist_ok=True)
    h.own()
    ca = shutil.copy(certs.ca, h.folder / "ca.pem")
    os.chmod(ca, 0o644)
    h.jmap = jmapd.Jmapd({"Inbox": list(MAILS), "Drafts": [], "Sent": []})
    h.imap = Imapd(*certs.good[:2], caps="IMAP4rev1 SASL-IR AUTH=XOAUTH2", tokens=set())
    h.imap.start()
    h.pony = ponyd.Ponyd()
    h.pony.add(DEV, mail("archived"), private=True)
    h.provider = Provider(h.jmap.tokens, h.imap.tokens)
    password = servers.password("agent")
    h.add("jmap", "jmap", "--password-stdin", url=h.jmap.url, stdin=password)
    h.add("jtoken", "jmap", url=h.jmap.url, auth="oauth2")
    h.add("itoken", "imap", auth="oauth2", imap_host="localhost", imap_port=h.imap.port,
          imap_security="tls", ca=ca)
    h.add("pony", "ponymail", "--password-stdin", url=h.pony.url, list=DEV, stdin=ponyd.COOKIE)
    for name in "jtoken", "itoken":
        h.consent(name, h.provider)
    h.set_up("agent", "add", "scout", "--uid", A)
    h.serve()
    yield h
    h.stop()
    h.imap.stop()
    for server in h.jmap, h.pony, h.provider:
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def at_rest(house):
    house.provider.dead, house.provider.slow_s = False, 0
    house.jmap.http.clear()
    yield
    house.jmap.http.clear()


def listing(account):
    return "list", "--account", account, "--folder", DEV if account == "pony" else "INBOX"


def owner(handler):
    """The name of the process at the other end.  Its port may be that of other connections, too."""
    ends, inode = (handler.client_address[1], handler.server.server_port), None
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        field = line.split()
        if tuple(int(x.split(":")[1], 16) for x in field[1:3]) == ends:
            inode = f"socket:[{field[9]}]"
    for fd in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.readlink(fd) == inode:
                return (fd.parents[1] / "comm").read_text().strip()
        except OSError:
            pass
    return None


@pytest.mark.parametrize("account", ["jmap", "jtoken", "itoken", "pony"])
def test_an_account_is_read_by_a_wire(house, account):
    direct = house.direct(*listing(account))
    assert direct.rc == 0, str(direct)
    for _ in range(2):
        r = house.ask(*listing(account))
        assert r.rc == 0 and r.out == direct.out, str(r)
    until(lambda: [w["state"] for w in house.wires(account)] == ["idle"])


def test_who_asks_is_a_wire_and_its_connection_is_kept(house):
    asked = []
    house.jmap.http["/api"] = lambda h: asked.append((h.client_address[1], owner(h)))
    house.jmap.log.clear()
    for _ in range(3):
        assert house.ask(*listing("jmap")).rc == 0
    assert [path for path, _, _ in house.jmap.log] == ["/api"] * 3
    assert {name for _, name in asked} == {"emcli wire"}
    assert len({port for port, _ in asked}) == 1, asked


def test_mail_is_sent_and_saved_by_a_wire(house):
    r = house.ask("send", "--account", "jmap", "--to", "bob@lab.example", "--subject", "hi",
                  "--body", "b")
    assert r.rc == 0 and r.data["state"] == "sent", str(r)
    assert len(house.jmap.sent) == 1 and len(house.jmap.inside("Sent")) == 1
    uid = str(house.ask(*listing("jmap")).data["messages"][0]["uid"])
    got = house.ask("get", "--account", "jmap", "--folder", "INBOX", "--uid", uid)
    assert got.rc == 0 and got.data["subject"] == "m2", str(got)


def at_once(house, account):
    with concurrent.futures.ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(lambda _: house.ask(*listing(account)), range(MANY)))


@pytest.mark.parametrize("account", ["jtoken", "itoken"])
def test_a_token_that_is_refused_is_made_new_once(house, account):
    assert house.ask(*listing(account)).rc == 0
    house.provider.revoke()
    house.provider.slow_s = 0.3
    if account == "itoken":
        # Connections that are logged in need no token.  A signal is not yet an end, and
        # one that dies while it is lent is its call's loss.
        wires = house.named("wire")
        for pid in wires:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not wires & set(house.children()) and house.wires(account) == [])
    for r in at_once(house, account):
        assert r.rc == 0, str(r)
    assert house.provider.refreshes == 1
    # What the keeper has is used as long as it is good.
    assert house.ask(*listing(account)).rc == 0
    assert house.provider.refreshes == 1
    # And what was stored is what a call without a broker finds.
    assert house.direct(*listing(account)).rc == 0


def test_a_dead_consent_is_told_as_without_a_broker(house):
    house.provider.revoke()
    house.provider.dead = True
    said = [house.direct(*listing("jtoken")), house.ask(*listing("jtoken"))]
    assert said[0].code == "auth" and "account consent jtoken" in said[0].out.decode()
    assert said[1].out == said[0].out
    house.provider.dead = False
    until(lambda: house.ask(*listing("jtoken")).rc == 0)


def checks(r, account):
    """What doctor says of an account; times and days of certificates are not the same."""
    return [(c["check"], c["ok"], re.sub(r"certificate for \d+", "", c["message"]), c.get("next"))
            for c in r.json["data"]["checks"] if c.get("account") == account]


@pytest.mark.parametrize("account", ["jtoken", "itoken"])
def test_doctor_makes_a_token_and_says_how_long_it_is_good(house, account):
    """Whatever the keeper has: what is tested is the consent.  No token is told."""
    assert house.ask(*listing(account)).rc == 0
    direct = house.direct("doctor", "--account", account)
    said = checks(direct, account)
    assert ("oauth.token", True, "a fresh access token, valid for 60 min; the consent is 0 days "
            "old", None) in said, str(direct)
    house.provider.refreshes = 0
    for n in 1, 2:
        r = house.ask("doctor", "--account", account)
        assert checks(r, account) == said, str(r)
        assert house.provider.refreshes == n
        assert not [t for t in house.provider.given if t in r.out.decode()]
    # It is the next login's, too.
    assert house.ask(*listing(account)).rc == 0
    assert house.provider.refreshes == 2


def test_doctor_does_not_know_what_the_provider_does_not_tell(house):
    house.provider.told = {}
    for how in house.direct, house.ask:
        said = [m for c, _, m, _ in checks(how("doctor", "--account", "jtoken"), "jtoken")
                if c == "oauth.token"]
        assert said == ["a fresh access token, valid for an unknown time; the consent is 0 days old"]
    house.provider.told = {"expires_in": 3600}


def test_doctor_tells_a_dead_consent_as_without_a_broker(house):
    house.provider.dead = True
    said = checks(house.direct("doctor", "--account", "jtoken"), "jtoken")
    assert [c for c, ok, _, _ in said if not ok] == ["oauth.token"]
    assert checks(house.ask("doctor", "--account", "jtoken"), "jtoken") == said
    house.provider.dead = False
    assert house.ask("doctor", "--account", "jtoken").rc == 0


def test_a_loop_of_doctor_is_no_loop_of_tokens(house):
    """Another account's: the tests before and after this one have their own tokens made."""
    house.provider.refreshes = 0
    for _ in range(9):
        assert house.ask("doctor", "--account", "itoken").rc == 0
    assert house.provider.refreshes < 9


def test_a_client_that_leaves_loses_no_token(house):
    assert house.ask(*listing("jtoken")).rc == 0
    house.provider.revoke()
    house.provider.slow_s = 1
    p = begin(house, *listing("jtoken"))
    until(lambda: house.provider.refreshes == 1)
    p.kill()
    p.communicate()
    house.provider.slow_s = 0
    # The old one is good no more: what came meanwhile was stored.
    until(lambda: house.ask(*listing("jtoken")).rc == 0)
    assert house.provider.refreshes == 1
    assert house.direct(*listing("jtoken")).rc == 0


def test_a_change_is_waited_for_by_a_wire_of_its_own(house):
    p = begin(house, "watch", "--account", "jmap", "--folder", "INBOX", "--timeout", "60")
    until(lambda: house.jmap.streams)
    assert house.ask(*listing("jmap")).rc == 0
    since = time.monotonic()
    house.jmap.put("Inbox", message(subject="new"))
    out, _ = p.communicate(timeout=60)
    assert p.returncode == 0 and time.monotonic() - since < 20, out
    assert len(json.loads(out)["data"]["events"]) == 1
    house.jmap.mails.pop()


def test_no_secret_is_where_others_see_it(house):
    secrets = [servers.password("agent"), ponyd.COOKIE, *house.provider.given, "planted-client"]
    seen = set()
    for pid, what in house.children().items():
        # One that is not needed any more may end at any moment.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for name in "cmdline", "environ":
                text = pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
                assert not [s for s in secrets if s.encode() in text], (pid, name)
            seen.add(what)
    assert {"emcli keeper", "emcli worker"} <= seen


def test_an_account_that_is_removed_leaves_no_folder(house):
    house.add("gone", "jmap", "--password-stdin", url=house.jmap.url + "/session",
              stdin=servers.password("agent"))
    cache = house.db.parent / "cache"
    before = set(cache.iterdir())
    assert house.ask(*listing("gone")).rc == 0
    made = set(cache.iterdir()) - before
    assert [path.suffix for path in made] == [".d"]
    house.set_up("account", "remove", "gone", "--yes")
    assert set(cache.iterdir()) == before


def test_gmail(house, google_emulator):  # noqa: F811
    g = google.Google(google_emulator.base)
    try:
        g.empty()
        g.live.add("planted-token-4711")
        for n in range(2):
            g.put(b"From: ann@example.net\r\nTo: agent@lab.example\r\nSubject: g%d\r\n"
                  b"Date: Mon, 1 Jun 2026 00:00:0%d +0000\r\nMessage-ID: <g%d@example.net>\r\n"
                  b"\r\nhello\r\n" % (n, n, n))
        house.add("gmail", "gmail", "--password-stdin", url=g.base, auth="oauth2",
                  stdin="planted-token-4711")
        direct = house.direct(*listing("gmail"))
        assert direct.rc == 0 and len(direct.data["messages"]) == 2, str(direct)
        for _ in range(2):
            assert house.ask(*listing("gmail")).out == direct.out
        until(lambda: [w["state"] for w in house.wires("gmail")] == ["idle"])
    finally:
        house.set_up("account", "remove", "gmail", "--yes")
        g.stop()
