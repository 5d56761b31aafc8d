# SPDX-License-Identifier: Apache-2.0
"""
What goes wrong between emcli and a provider: other people's answers, broken
ones, none; tokens that are refused; processes that are stopped; certificates.
"""

import contextlib
import json
import os
import pty
import signal
import socket
import ssl
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import flights
import level
import ports
import servers
from oauthlab import Consent, account, listed
from oauthlab import mock, mock_server, npm  # noqa: F401
from test_broker import until

ASK = ["--client-id", "planted-client", "--scope", "mail"]


def begin(emcli, mock, *argv, **more):
    return Consent(emcli, "--issuer", mock.base, *ASK, *argv, **more)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def answer_of(c):
    """What the provider sends the browser back with: it asks nobody."""
    try:
        urllib.request.build_opener(NoRedirect).open(c.url, timeout=20)
    except urllib.error.HTTPError as e:
        where = urllib.parse.urlsplit(e.headers["Location"])
        return dict(urllib.parse.parse_qsl(where.query))
    raise AssertionError("no redirect")


def consent(emcli, mock, *argv):
    c = begin(emcli, mock, *argv)
    answer = c.come_back(**answer_of(c))
    return answer, c.end()


@pytest.fixture
def ready(emcli, dovecot, mock):
    """An account with a consent of the mock, its counters at nought."""
    account(emcli, dovecot)
    answer, (rc, out, err) = consent(emcli, mock)
    assert rc == 0 and "close this tab" in answer, out + err
    mock.set(refreshes=0, codes=0)
    return emcli


def refresh_token(emcli):
    with sqlite3.connect(emcli.db) as db:
        return db.execute("SELECT enc_oauth_refresh_token FROM accounts").fetchone()[0]


@pytest.mark.parametrize("pieces", [1, 7, 200])
def test_the_answer_may_come_in_pieces(emcli, dovecot, mock, pieces):
    account(emcli, dovecot)
    c = begin(emcli, mock)
    query = answer_of(c)
    answer = c.come_back(pieces=pieces, **query)
    assert answer.startswith("HTTP/1.1 200 ") and "You may close this tab" in answer
    assert "Content-Security-Policy: default-src 'none'" in answer
    assert query["code"] not in answer
    assert c.end()[0] == 0


def test_a_program_gets_json_and_the_person_an_address(emcli, dovecot, mock):
    account(emcli, dovecot)
    _, (rc, out, err) = consent(emcli, mock, "--json")
    assert rc == 0 and "Open this address and allow access:\n\n  http" in err
    assert json.loads(out) == {"account": "work", "notes": [],
                               "next": "emcli doctor --account work"}


def test_an_answer_with_another_state_is_waited_past(emcli, dovecot, mock):
    account(emcli, dovecot)
    c = begin(emcli, mock)
    for bad in {"state": "x" * 43, "code": "evil"}, {"code": "evil"}, \
            {"error": "access_denied"}, {"state": "", "error": "access_denied"}:
        answer = c.come_back(**bad)
        assert answer.startswith("HTTP/1.1 400 ") and "not the answer" in answer
    answer = c.come_back(**answer_of(c))
    assert answer.startswith("HTTP/1.1 200 ")
    assert c.end()[0] == 0
    assert mock.state["codes"] == 1


def test_hundreds_of_strangers_change_nothing(emcli, dovecot, mock):
    account(emcli, dovecot)
    c = begin(emcli, mock)
    good = answer_of(c)
    for i in range(300):
        bad = {"state": f"{i:043}", "code": "evil"}
        if i % 3 == 1:
            bad = {"state": good["state"][:-1], "error": "access_denied"}
        elif i % 3 == 2:
            bad = {"error": "access_denied", "code": good["code"]}
        assert c.come_back(**bad).startswith("HTTP/1.1 400 ")
    assert c.come_back(**good).startswith("HTTP/1.1 200 ")
    assert c.end()[0] == 0
    assert mock.state["codes"] == 1 and refresh_token(emcli) is not None


def sealed(emcli):
    """How many bytes the client's id and secret have; 28 go to sealing."""
    with sqlite3.connect(emcli.db) as db:
        return [n and n - 28 for n in db.execute(
            "SELECT length(enc_oauth_client_id), length(enc_oauth_client_secret) FROM accounts"
        ).fetchone()]


def downloaded(tmp_path, kind="installed", **more):
    """client_secret.json, as Google offers it."""
    path = tmp_path / "client_secret.json"
    path.write_text(json.dumps({kind: {
        "client_id": "planted-client", "project_id": "p", "client_secret": "GOCSPX-planted",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth",
        "redirect_uris": ["http://localhost"], **more}}))
    path.chmod(0o600)
    return path


def test_the_file_that_google_offers_is_read(emcli, dovecot, mock, tmp_path):
    account(emcli, dovecot)
    c = Consent(emcli, "--issuer", mock.base, "--scope", "mail", "--client-secret-file",
                downloaded(tmp_path))
    assert c.query["client_id"] == "planted-client"
    c.come_back(**answer_of(c))
    assert c.end()[0] == 0
    assert sealed(emcli) == [len("planted-client"), len("GOCSPX-planted")]
    # The id may be said as well, when it is the same.
    for argv, words in ((["--client-id", "another"], "two clients"), ([], None)):
        c = Consent(emcli, *argv, "--issuer", mock.base, "--scope", "mail",
                    "--client-secret-file", downloaded(tmp_path))
        if words is None:
            c.come_back(**answer_of(c))
        rc, _, err = c.end()
        assert (rc == 0) == (words is None) and (words or "") in err


def test_a_web_client_goes_back_to_where_it_was_registered(emcli, dovecot, mock, tmp_path):
    port = ports.free(1)[0]
    back = f"http://127.0.0.1:{port}/oauth/back"
    account(emcli, dovecot)
    path = downloaded(tmp_path, "web", redirect_uris=["https://x.example/", back])
    c = Consent(emcli, "--issuer", mock.base, "--scope", "mail", "--client-secret-file", path)
    assert c.query["redirect_uri"] == back and c.port == port
    assert c.come_back(**answer_of(c)).startswith("HTTP/1.1 200 ")
    assert c.end()[0] == 0


@pytest.mark.parametrize("text, words", [
    ('{"installed": {"client_secret": "x"}}', "no client_id"),
    ('{"web": {"client_id": "x", "redirect_uris": ["https://x.example/"]}}', "web client"),
    ('{"type": "service_account"}', "neither"),
    ('{"installed": ', "valid JSON"),
])
def test_a_file_that_is_no_client_is_not_taken_for_its_secret(emcli, dovecot, tmp_path, text,
                                                              words):
    account(emcli, dovecot)
    (tmp_path / "c").write_text(text)
    r = emcli.admin("account", "consent", "work", "--provider", "google",
                    "--client-secret-file", tmp_path / "c")
    assert r.rc == 2 and words.encode() in r.err, str(r)
    assert sealed(emcli) == [None, None]


def test_a_redirect_with_a_port_and_a_path(emcli, dovecot, mock):
    port = ports.free(1)[0]
    back = f"http://localhost:{port}/cb"
    account(emcli, dovecot)
    for _ in range(2):  # at once again: the port is free
        c = begin(emcli, mock, "--redirect", back)
        good = answer_of(c)
        assert c.query["redirect_uri"] == back
        with socket.create_connection(("127.0.0.1", port), 20) as s:
            s.sendall(f"GET /?code=a&state=b HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            assert s.recv(100).startswith(b"HTTP/1.1 404 ")
        assert c.come_back(**good).startswith("HTTP/1.1 200 ")
        assert c.end()[0] == 0
    with socket.create_server(("127.0.0.1", port)):
        r = emcli.admin("account", "consent", "work", "--redirect", back)
        assert r.rc == 1 and f"port {port}".encode() in r.err
    for bad in "http://evil.example/", "https://127.0.0.1/", back + "?x":
        r = emcli.admin("account", "consent", "work", "--redirect", bad)
        assert r.rc == 2 and b"give --redirect as http://127.0.0.1" in r.err


def test_only_strangers_came(emcli, dovecot, mock):
    account(emcli, dovecot)
    for seconds in 2, 10, 30:
        c = begin(emcli, mock, "--timeout", seconds)
        with contextlib.suppress(OSError):  # its time was over before anybody came
            c.come_back(state="other", code="evil")
        rc, _, err = c.end()
        assert rc == 1 and "in time" in err
        if "another state" in err:
            break
    assert "another state" in err
    assert mock.state["codes"] == 0 and refresh_token(emcli) is None


def test_another_provider_answers(emcli, dovecot, mock):
    account(emcli, dovecot)
    c = begin(emcli, mock)
    answer = c.come_back(state=c.query["state"], code="evil", iss="https://evil.example")
    assert "was not given access" in answer
    rc, _, err = c.end()
    assert rc == 1 and "another provider" in err
    assert mock.state["codes"] == 0 and refresh_token(emcli) is None


def test_silent_connections_hold_nobody_up(emcli, dovecot, mock):
    account(emcli, dovecot)
    c = begin(emcli, mock)
    idle = [socket.create_connection(("127.0.0.1", c.port)) for _ in range(20)]
    answer = c.come_back(**answer_of(c))
    assert answer.startswith("HTTP/1.1 200 ")
    assert c.end()[0] == 0
    for s in idle:
        s.close()


def test_the_address_can_be_pasted(emcli, dovecot, mock):
    account(emcli, dovecot)
    ours, theirs = pty.openpty()
    c = begin(emcli, mock, stdin=theirs, env={"SSH_CONNECTION": "1 2 3 4"})
    query = urllib.parse.urlencode(answer_of(c))
    assert "paste the address" in c.out and "another machine" in c.out
    os.write(ours, b"what?\nhttp://127.0.0.1:%d/?code=a&state=wrong\n" % c.port)
    os.write(ours, f"http://127.0.0.1:{c.port}/?{query}\n".encode())
    rc, out, err = c.end()
    os.close(ours)
    os.close(theirs)
    assert rc == 0, out + err


@pytest.mark.parametrize("env, opened", [
    ({"DISPLAY": ":9"}, True), ({"WAYLAND_DISPLAY": "w"}, True), ({}, False),
    ({"DISPLAY": ":9", "SSH_CONNECTION": "1 2 3 4"}, False)])
def test_a_browser_is_opened_where_there_is_a_display(emcli, dovecot, mock, tmp_path, env, opened):
    account(emcli, dovecot)
    seen = tmp_path / "seen"
    (tmp_path / "xdg-open").write_text(f'#!/bin/sh\necho "$1" > {seen}.part\nenv >> {seen}.part\n'
                                       f"mv {seen}.part {seen}\n")
    (tmp_path / "xdg-open").chmod(0o755)
    c = begin(emcli, mock, env={**env, "PATH": f"{tmp_path}:/usr/bin:/bin"})
    url = c.url
    end = time.monotonic() + (60 if opened else 0.5)
    while time.monotonic() < end and not seen.exists():
        time.sleep(0.02)
    assert seen.exists() == opened
    if opened:
        text = seen.read_text()
        assert text.splitlines()[0] == url
        assert emcli.admin_key not in text and emcli.agent_key not in text
    c.come_back(state=c.query["state"], error="access_denied")
    assert c.end()[0] == 1


@pytest.mark.parametrize("answer, words", [
    ({"status": 400, "body": {"error": "invalid_grant"}}, "try again"),
    ({"status": 401, "body": {"error": "invalid_client"}}, "its id or its secret is wrong"),
    ({"status": 500, "body": {}}, "try again later"),
    ({"status": 200, "body": {"token_type": "Bearer"}}, "not valid OAuth 2"),
    ({"status": 200, "body": {"access_token": "a b\u0001", "token_type": "Bearer"}}, "not valid OAuth 2"),
    ({"status": 200, "body": {"access_token": "a", "token_type": "Bearer"}}, "no refresh token"),
    ({"status": 200, "body": {"access_token": "a", "token_type": "Bearer", "refresh_token": "r",
                              "scope": "profile"}}, "but not for mail: allow mail"),
])
def test_a_code_that_brings_nothing(emcli, dovecot, mock, answer, words):
    account(emcli, dovecot)
    mock.set(next=[answer])
    _, (rc, _, err) = consent(emcli, mock)
    assert rc == 1 and words in err, err
    assert refresh_token(emcli) is None


def test_a_refused_token_is_replaced_once(ready, mock, dovecot, postfix):
    mock.set(stillborn=1)
    assert listed(ready).rc == 0
    assert mock.state["refreshes"] == 2
    mock.set(stillborn=9, refreshes=0)
    r = listed(ready)
    assert r.code == "auth"
    # One for the command, one more for the refusal, and no third.
    assert mock.state["refreshes"] == 2
    audit = ready.admin("audit", "list", "--json").out.decode()
    assert "invalid" in audit or "401" in audit  # the server's own words


def test_a_refused_token_is_replaced_once_for_smtp(emcli, dovecot, postfix, mock):
    account(emcli, dovecot, postfix)
    assert consent(emcli, mock)[1][0] == 0
    mock.set(stillborn=1, refreshes=0)
    r = emcli.run("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s",
                  "--body", "second token")
    assert r.rc == 0, str(r)
    assert mock.state["refreshes"] == 2
    assert dovecot.wait_for("bob", b"second token")


def test_a_password_account_is_not_tried_twice(emcli, dovecot, certs):
    with flights.Flights(certs.good, dovecot.imaps) as proxy:
        emcli.account_imap(dovecot, imap_port=proxy.port, password="wrong")
        proxy.take()
        assert listed(emcli).code == "auth"
        assert [verb for verb, _ in proxy.take()[1]].count("AUTHENTICATE") == 1


def test_a_stopped_process_keeps_the_new_token(ready, mock):
    """From the request to the commit no signal ends emcli."""
    mock.set(rotate=True, delay_ms=3000, refreshes=0)
    before, asked = refresh_token(ready), len(mock.events("refresh"))
    env = ready.environment(EMCLI_KEY=ready.agent_key)
    p = ready.start(["list", "--account", "work", "--folder", "INBOX"], env)
    until(lambda: len(mock.events("refresh")) > asked or p.poll() is not None, 60)
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=30)
    assert p.returncode == -signal.SIGTERM
    if level.name == "broker":
        # Another process has the token, and goes on.
        until(lambda: refresh_token(ready) != before, 60)
    assert mock.state["refreshes"] == 1 and refresh_token(ready) != before
    mock.set(delay_ms=0)
    assert listed(ready).rc == 0 and mock.state["reused"] == 0


def test_a_deadline_does_not_lose_the_new_token(ready, mock):
    """A provider slower than the command may take has replaced it all the same."""
    with sqlite3.connect(ready.db) as db:
        db.execute("INSERT OR REPLACE INTO settings (key, value) VALUES ('timeout_seconds', '2')")
    mock.set(rotate=True, delay_ms=2500)  # half of what a refresh has at least
    before = refresh_token(ready)
    listed(ready)
    assert mock.state["refreshes"] == 1 and refresh_token(ready) != before
    mock.set(delay_ms=0)
    assert listed(ready).rc == 0 and mock.state["reused"] == 0


def test_a_client_is_not_told_to_another_provider(ready, mock, tmp_path):
    """The id and secret that were kept are those of the provider they were kept for."""
    (tmp_path / "s").write_text("planted-client-secret")
    assert consent(ready, mock, "--client-secret-file", tmp_path / "s")[1][0] == 0
    other = mock.base.replace("localhost", "127.0.0.1")
    assert other != mock.base
    for argv in (["--issuer", other, "--scope", "mail"], ["--provider", "google"]):
        rc, _, err = Consent(ready, *argv, "--timeout", "1").end()
        assert rc == 2 and "--client-id is missing" in err, err
    c = Consent(ready, "--issuer", mock.base + "/", "--scope", "mail")
    c.come_back(**answer_of(c))
    assert c.end()[0] == 0


def test_a_killed_process_lets_the_lock_go(ready, mock):
    mock.set(delay_ms=2000)
    env = ready.environment(EMCLI_KEY=ready.agent_key)
    p = ready.start(["list", "--account", "work", "--folder", "INBOX"], env)
    time.sleep(0.5)
    p.kill()
    p.communicate(timeout=30)
    mock.set(delay_ms=0)
    assert listed(ready).rc == 0


def test_a_provider_that_is_down(ready, mock_server):
    with sqlite3.connect(ready.db) as db:
        db.execute("UPDATE accounts SET oauth_token_url = 'http://127.0.0.1:9/token'")
    r = listed(ready)
    assert r.code == "network"


def test_a_provider_that_echoes_secrets(ready, mock):
    """What it says goes to the audit log, and must not carry the token along."""
    token = "planted-rt-%d" % mock.state["gen"]
    mock.set(next=[{"status": 400, "body": {
        "error": "invalid_grant", "error_description": f"bad token {token}, sorry"}}])
    r = listed(ready)
    audit = ready.admin("audit", "list", "--json").out + ready.admin("audit", "list").out
    assert r.code == "auth" and token.encode() not in audit + r.out + r.err


def test_secrets_are_nowhere(ready, mock, tmp_path):
    (tmp_path / "s").write_text("planted-client-secret")
    assert consent(ready, mock, "--client-secret-file", tmp_path / "s")[1][0] == 0
    mock.set(rotate=True)
    for _ in range(3):
        listed(ready)
    said = b"".join(r.out + r.err for r in (
        listed(ready), ready.run("doctor", "--json"), ready.admin("audit", "list", "--json"),
        ready.admin("account", "show", "work"), ready.admin("account", "list", "--json")))
    files = b"".join(p.read_bytes() for p in ready.db.parent.iterdir())
    for secret in b"planted-rt", b"planted-at", b"planted-client":
        assert secret not in files
        assert secret not in said or secret == b"planted-client"
    assert b"planted-client-secret" not in said
    assert all(p.stat().st_mode & 0o077 == 0 for p in ready.db.parent.iterdir())


def test_a_token_handed_in_still_works(emcli, dovecot, introspection):
    introspection.allow("raw", servers.address("agent"))
    emcli.account_imap(dovecot, auth="oauth2", password="raw")
    assert listed(emcli).rc == 0


def test_reading_local_mail_asks_for_no_token(emcli, site, dovecot, postfix, mock):
    r = emcli.admin("account", "add", "work", *emcli.options({
        "backend": "maildir", "path": site.box("agent"), "mode": "RW", "whitelist_out": "off",
        "auth": "oauth2",
        "from": servers.address("agent"), "username": servers.address("agent"),
        "smtp_host": postfix.host, "smtp_port": postfix.submissions, "ca": dovecot.ca}))
    assert r.rc == 0, str(r)
    assert consent(emcli, mock)[1][0] == 0
    mock.set(refreshes=0)
    assert listed(emcli).rc == 0 and mock.state["refreshes"] == 0


@pytest.mark.parametrize("argv, words", [
    ([], "--provider or --issuer is missing"),
    (["--issuer", "https://127.0.0.1:1"], "--client-id is missing"),
    (["--issuer", "http://login.example", "--client-id", "x"], "not an https address"),
    (["--provider", "yahoo", "--client-id", "x"], "google|microsoft"),
    (["--provider", "google", "--client-id", "x", "--client-secret-file", "/nonexistent"],
     "cannot be read"),
])
def test_what_is_missing_is_told(emcli, dovecot, argv, words):
    account(emcli, dovecot)
    rc, _, err = Consent(emcli, *argv).end()
    assert rc != 0 and words.replace("|", " or ") in err.replace("|", " or "), err


def test_no_scope_is_told(emcli, dovecot, mock):
    account(emcli, dovecot)
    rc, _, err = Consent(emcli, "--issuer", mock.base, "--client-id", "x").end()
    assert rc == 2 and "--scope is missing" in err


def test_an_agent_cannot_consent(emcli, dovecot):
    account(emcli, dovecot)
    r = emcli.run("account", "consent", "work")
    assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err


def test_a_password_account_has_no_consent(emcli, dovecot):
    emcli.account_imap(dovecot)
    rc, _, err = Consent(emcli, "--provider", "google", "--client-id", "x").end()
    assert rc == 2 and "account edit --auth oauth2" in err


class Tls:
    """A provider that has only its document, behind TLS."""

    def __init__(self, cert, key):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = ('{"issuer":"%s","authorization_endpoint":"%s/a",'
                        '"token_endpoint":"%s/t"}' % ((outer.base,) * 3)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.base = f"https://localhost:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def test_show_tells_where_tokens_come_from(ready, mock):
    shown = ready.admin("account", "show", "work", "--json").json
    assert shown["oauth_issuer"] == mock.base and shown["oauth_scope"] == "mail"
    assert shown["oauth_consented"][:2] == "20" and shown["oauth_refreshed"] >= shown["oauth_consented"]
    assert shown["secrets"]["oauth_refresh_token"] and not shown["secrets"]["password"]
    text = ready.admin("account", "show", "work").out.decode()
    assert mock.base in text and "oauth_provider" not in text


@pytest.mark.parametrize("which, private, good", [
    ("good", True, True), ("good", False, False), ("wronghost", True, False),
    ("expired", True, False), ("untrusted", True, False)])
def test_certificates_of_a_provider(emcli, certs, which, private, good):
    cert, key, _ = getattr(certs, which)
    tls = Tls(cert, key)
    r = emcli.admin("account", "add", "work", *emcli.options({
        "auth": "oauth2", "username": "a@lab.example", "imap_host": "localhost",
        **({"ca": certs.good[2]} if private else {})}))
    assert r.rc == 0, str(r)
    c = Consent(emcli, "--issuer", tls.base, *ASK, "--timeout", "1")
    rc, out, err = c.end()
    tls.server.shutdown()
    assert rc == 1
    assert ("Open this address" in out) == good
    assert ("certificate cannot be verified" in err) != good, err
