# SPDX-License-Identifier: Apache-2.0
"""
Servers that repeat what they were given: a password is in no reply, no file.

The tables have a row for each way by which a server's words become a text of
ours; tests/unit/base/said.c has every spelling.
"""

import base64
import http.server
import json
import threading
import urllib.parse

import pytest

import servers
from imapd import Imapd
from smtpd import Smtpd
from test_secrets import spellings

SECRET = 'Pa%ss"wo rd/7+\\Kq<9'
TOKEN = "ya29.repeated-7Kw-and-long-enough"
USER = servers.address("agent")


def as_sent(secret):
    """What a server sees of it: raw, quoted, percent-encoded, in SASL's base64."""
    yield secret
    yield base64.b64encode(f"\0{USER}\0{secret}".encode()).decode()
    yield urllib.parse.quote(secret, safe="")


def is_clean(emcli, secret, *runs, told=True):
    """
    Nothing of it in what was said, nor in the audit or any other file; with
    `told` the audit says why the server's words are missing.
    """
    runs += emcli.admin("audit", "list", "--json"),
    said = b"".join(r.out + r.err for r in runs)
    for text in {t for s in as_sent(secret) for t in [s.encode(), json.dumps(s)[1:-1].encode()]} | \
            set(spellings(secret.encode())):
        assert text not in said, (text, said)
        for f in emcli.folder.rglob("*"):
            assert not f.is_file() or text not in f.read_bytes(), (f, text)
    assert not told or b"words that repeat a secret" in said, said


def imap(emcli, server, certs, secret, **flags):
    given = {"backend": "imap", "mode": "RO", "from": USER, "username": USER,
             "imap_host": "localhost", "imap_port": server.port, "imap_security": "tls",
             "ca": certs.ca, **flags}
    emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options(given), stdin=secret)


# Where an IMAP server may say it, with the capabilities that bring us there.
IMAP = {
    "login": ("login", b"@TAG@ NO [AUTHENTICATIONFAILED] wrong password for you: %s\r\n", "", {}),
    "authenticate": ("login", b"@TAG@ NO wrong: %s\r\n", "AUTH=PLAIN LOGINDISABLED", {}),
    "at-once": ("login", b"@TAG@ NO wrong: %s\r\n", "AUTH=PLAIN LOGINDISABLED SASL-IR", {}),
    "code": ("login", b"@TAG@ NO [%s] wrong\r\n", "", {}),
    "bye": ("login", b"* BYE you said %s\r\n", "", {}),
    "bad": ("examine", b"@TAG@ BAD what is %s\r\n", "", {}),
    "folder": ("list", b"@TAG@ NO not for %s\r\n", "", {}),
    "xoauth2": ("login", b"@TAG@ NO wrong: %s\r\n", "AUTH=XOAUTH2 SASL-IR", {"auth": "oauth2"}),
    "oauthbearer": ("login", b"@TAG@ NO wrong: %s\r\n", "AUTH=OAUTHBEARER SASL-IR",
                    {"auth": "oauth2"}),
}


@pytest.mark.parametrize("row", IMAP)
def test_imap(emcli, certs, row):
    step, answer, caps, flags = IMAP[row]
    secret = TOKEN if "auth" in flags else SECRET
    with Imapd(certs.good[0], certs.good[1], users={USER: SECRET}, tokens=[TOKEN],
               caps=f"IMAP4rev1 ID ENABLE {caps}") as server:
        imap(emcli, server, certs, secret, **flags)
        runs = []
        for text in as_sent(secret):
            server.fault = step, answer.replace(b"%s", text.encode())
            runs.append(emcli.run(*("folders",) if row == "folder" else
                                  ("list", "--folder", "INBOX")))
        runs.append(emcli.admin("doctor", "--json"))
        assert any(r.rc != 0 for r in runs)
        is_clean(emcli, secret, *runs)


@pytest.mark.parametrize("step", ["auth", "mail", "rcpt", "data", "dot"])
def test_smtp(emcli, certs, step):
    with Smtpd(certs.good[0], certs.good[1], users={USER: SECRET}) as server:
        emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options({
            "backend": "imap", "mode": "RW", "from": USER, "username": USER,
            "whitelist_out": "off", "imap_host": "localhost", "imap_port": server.port,
            "smtp_host": "localhost", "smtp_port": server.port, "smtp_security": "tls",
            "ca": certs.ca, "check_unfinished": "off", "sent_copy": "off"}), stdin=SECRET)
        runs = []
        for text in as_sent(SECRET):
            server.fault = step, b"550-5.7.1 you said\r\n550 5.7.1 " + text.encode() + b"\r\n"
            runs.append(emcli.run("send", "--to", "bob@example.org", "--subject", "s",
                                  "--body", text[:2]))
        assert all(r.rc != 0 for r in runs), str(runs[0])
        is_clean(emcli, SECRET, *runs, emcli.admin("doctor", "--json"))


class Parrot:
    """HTTP that answers everything with what `answer` makes of the secret."""

    def __init__(self):
        self.answer, self.spelling = None, ""
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, body, *more = outer.answer(self.path, outer.spelling)
                self.send_response(status)
                for name, value in more:
                    self.send_header(name, value)
                if not more:
                    self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do

            def log_message(self, *_):
                pass

        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.httpd.server_address[1]}"
        threading.Thread(target=self.httpd.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture
def parrot():
    p = Parrot()
    yield p
    p.httpd.shutdown()
    p.httpd.server_close()


def as_json(value):
    return json.dumps(value).encode()


def session(parrot, **more):
    core, mail = "urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"
    return as_json({"capabilities": {core: {}, mail: {}}, "accounts": {}, "primaryAccounts":
                    {mail: "a"}, "apiUrl": parrot.url + "/api", "downloadUrl": parrot.url + "/d",
                    "uploadUrl": parrot.url + "/u", "state": "s", **more})


def jmap_method(said):
    return as_json({"methodResponses": [["error", {"type": said}, f"c{i}"] for i in range(8)],
                    "sessionState": "s"})


WEB = {
    "jmap-type": ("jmap", lambda p, path, said: (200, jmap_method(said))
                  if path == "/api" else (200, session(p))),
    "jmap-url": ("jmap", lambda p, path, said: (200, session(
        p, apiUrl="https://other.example/" + said))),
    "jmap-problem": ("jmap", lambda p, path, said: (400, as_json({"type": said, "detail": said}))),
    "jmap-no-json": ("jmap", lambda p, path, said: (200, b'{"a": ' + said.encode() + b"}")),
    "jmap-redirect": ("jmap", lambda p, path, said: (
        302, b"", ("Location", "https://x.invalid/" + urllib.parse.quote(said)))),
    "gmail-message": ("gmail", lambda p, path, said: (403, as_json(
        {"error": {"message": said, "errors": [{"reason": "other"}]}}))),
    "gmail-reason": ("gmail", lambda p, path, said: (403, as_json(
        {"error": {"message": "no", "errors": [{"reason": said}]}}))),
    "gmail-401": ("gmail", lambda p, path, said: (401, as_json({"error": {"message": said}}))),
    "gmail-no-json": ("gmail", lambda p, path, said: (200, b'{"a": ' + said.encode() + b"}")),
    "pony-no-json": ("ponymail", lambda p, path, said: (200, b'{"a": ' + said.encode() + b"}")),
    "pony-status": ("ponymail", lambda p, path, said: (403, said.encode())),
}
# The server's words are no text of ours there: only its status is.
WORDLESS = {"jmap-problem", "jmap-redirect", "jmap-no-json", "gmail-no-json", "pony-no-json",
            "pony-status"}


@pytest.mark.parametrize("row", WEB)
def test_web(emcli, parrot, row):
    backend, answer = WEB[row]
    secret = TOKEN if backend == "gmail" else SECRET if backend == "jmap" else "cookie-8Kq-value-x"
    flags = {"gmail": {"auth": "oauth2", "username": USER}, "jmap": {"username": USER},
             "ponymail": {"list": "dev@lab.example"}}[backend]
    emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options({
        "backend": backend, "url": parrot.url + "/", "mode": "RO", "from": USER, **flags}),
        stdin=secret)
    parrot.answer = lambda path, said: answer(parrot, path, said)
    runs = []
    for text in as_sent(secret):
        parrot.spelling = text
        runs.append(emcli.run("folders"))
    assert any(r.rc != 0 for r in runs), str(runs[0])
    is_clean(emcli, secret, *runs, emcli.admin("doctor", "--json"), told=row not in WORDLESS)
