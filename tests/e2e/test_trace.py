# SPDX-License-Identifier: Apache-2.0
"""A trace shows protocol, and neither a secret nor a message; to the operator alone."""

import base64
import json
import os
import re

import pytest

import cli
import imapd
import jmapd
import ponyd
import servers
import smtpd
from mail import message
from test_broker import until
from test_jmap import add as add_jmap
from test_secrets import spellings

PASSWORD = "hunter2-planted-Zq9-and-long-enough"
TOKEN = "ya29.planted-token-7Kw-and-long-enough"
BODY = "planted-body-x71 of a message"
SUBJECT = "planted-subject-x72"
BOX = ("--account", "work", "--folder", "INBOX")


def traced(emcli, *argv, **more):
    """One command with a trace of its own: its result, and the lines."""
    path = emcli.folder / "trace"
    path.unlink(missing_ok=True)
    r = emcli.admin(*argv, env={"EMCLI_TRACE": str(path)}, **more)
    text = path.read_bytes() if path.exists() else b""
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    lines = text.decode("ascii").splitlines()
    assert lines[0].startswith("# emcli trace ")
    for line in lines[1:]:
        assert re.match(r" *\d+ \d+ \S+ [<>=] ", line), line
    return r, [line.split(" ", 2)[-1] for line in map(str.strip, lines[1:])]


def clean(lines, *planted):
    text = "\n".join(lines).encode()
    for secret in planted:
        for spelling in spellings(secret.encode()):
            assert spelling not in text, spelling
    return text.decode()


def account(emcli, certs, server, smtp=None, secret=PASSWORD, **flags):
    given = {"backend": "imap", "mode": "RW", "from": "me@lab.example", "username": "me",
             "imap_host": "127.0.0.1", "imap_port": server.port, "imap_security": "tls",
             "ca": certs.ca, "process_backlog": True, "check_unfinished": "off",
             "whitelist_out": "off", "sent_copy": "off", **flags}
    if smtp:
        given.update(smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_security="tls")
    emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options(given),
                 stdin=secret)


FOLDERS = {"INBOX": [imapd.message(SUBJECT, body=BODY + "\n")], "Sent": []}


@pytest.mark.parametrize("caps, auth", [
    ("IMAP4rev1", "LOGIN <"),
    ("IMAP4rev1 SASL-IR LITERAL+ AUTH=PLAIN LOGINDISABLED", "AUTHENTICATE PLAIN <"),
    ("IMAP4rev1 AUTH=PLAIN LOGINDISABLED", "AUTHENTICATE PLAIN"),
])
def test_imap(emcli, certs, caps, auth):
    with imapd.Imapd(*certs.good[:2], users={"me": PASSWORD}, caps=caps,
                     folders=FOLDERS) as server:
        account(emcli, certs, server)
        said = []
        for argv in (("list", *BOX), ("get", *BOX, "--uid", "1"),
                     ("search", *BOX, "--text", BODY[:12]), ("folders", "--account", "work")):
            r, lines = traced(emcli, *argv)
            assert r.rc == 0, str(r)
            said += lines
    text = clean(said, PASSWORD, BODY, SUBJECT, BODY[:12])
    where = f"127.0.0.1:{server.port}"
    assert re.search(rf"^{where} = connected$", text, re.M)
    assert re.search(rf"^{where} = TLS TLSv1\.", text, re.M)
    assert re.search(rf"^{where} > e\d+ {auth}", text, re.M)
    assert re.search(rf'^{where} > e\d+ EXAMINE "?INBOX"?$', text, re.M)
    assert re.search(rf"^{where} > e\d+ UID FETCH 1 \(", text, re.M)
    assert re.search(rf"^{where} < \* 1 FETCH \(.*<\d+ bytes>", text, re.M)
    assert re.search(rf"^{where} < e\d+ OK", text, re.M)
    assert re.search(r'^imap/work = find in "INBOX", at most \d+: 1 rows', text, re.M)
    assert re.search(r'^imap/work = body in "INBOX" of uid 1: \d+ bytes: done', text, re.M)


def test_a_server_that_repeats_the_login(emcli, certs):
    """In every place that a server has for words."""
    plain = base64.b64encode(f"\0me\0{PASSWORD}".encode())
    words = f"LOGIN me {PASSWORD}".encode()

    def echo(session, _):
        session.send(b"* OK [" + words + b"] " + words + b"\r\n* " + words + b"\r\n"
                     b"* LIST () \"/\" \"" + words + b"\"\r\n* 1 FETCH (UID " + words + b")\r\n" +
                     session.tag + b" NO [" + plain + b"] " + plain + b"\r\n")

    with imapd.Imapd(*certs.good[:2], users={"me": PASSWORD}, fault=("login", echo)) as server:
        account(emcli, certs, server)
        r, lines = traced(emcli, "list", *BOX)
    assert r.rc != 0
    text = clean(lines, PASSWORD, plain.decode())
    assert re.search(r"< e\d+ NO <\d+ bytes><\d+ bytes>$", text, re.M)


@pytest.mark.parametrize("auths", ["PLAIN", "LOGIN"])
def test_smtp(emcli, certs, auths):
    with imapd.Imapd(*certs.good[:2], users={"me": PASSWORD}, folders=FOLDERS) as server, \
            smtpd.Smtpd(*certs.good[:2], users={"me": PASSWORD}, auths=auths) as smtp:
        account(emcli, certs, server, smtp)
        r, lines = traced(emcli, "send", "--account", "work", "--to", "bob@lab.example",
                          "--subject", SUBJECT, "--body", f"{BODY}\n.\n{BODY}")
        assert r.rc == 0, str(r)
    text = clean(lines, PASSWORD, BODY, SUBJECT)
    assert re.search(r"> EHLO \[127\.0\.0\.1\]$", text, re.M)
    assert re.search(r"> MAIL FROM:<me@lab\.example>", text, re.M)
    assert re.search(r"> RCPT TO:<bob@lab\.example>$", text, re.M)
    assert re.search(rf"> AUTH {auths}", text, re.M)
    assert re.search(r"< 235 <\d+ bytes>$", text, re.M)
    assert re.search(r"> DATA$.*^\S+ < 354.*^\S+ > <\d+ bytes>$.*^\S+ > \.$.*^\S+ < 250",
                     text, re.M | re.S)
    assert re.search(r"^imap/work = submit to 1, \d+ bytes: done", text, re.M) or \
        re.search(r"^smtp/work = submit to 1, \d+ bytes: done", text, re.M)


@pytest.mark.parametrize("mech", ["XOAUTH2", "OAUTHBEARER"])
@pytest.mark.parametrize("good", [True, False])
def test_a_token(emcli, certs, mech, good):
    with imapd.Imapd(*certs.good[:2], users={}, tokens=[TOKEN] if good else [],
                     caps=f"IMAP4rev1 SASL-IR AUTH={mech}", folders=FOLDERS) as server, \
            smtpd.Smtpd(*certs.good[:2], users={}, tokens=[TOKEN] if good else [],
                        auths=mech, echo=True) as smtp:
        account(emcli, certs, server, smtp, secret=TOKEN, auth="oauth2")
        r, lines = traced(emcli, "doctor", "--account", "work")
    text = clean(lines, TOKEN)
    assert re.search(rf"> e\d+ AUTHENTICATE {mech} <\d+ bytes>$", text, re.M)
    assert re.search(rf"> AUTH {mech} <\d+ bytes>$", text, re.M)
    assert bool(re.search(r"< 235 <", text)) is good


def test_a_copy_and_a_draft(emcli, dovecot, postfix):
    """Literals that we send."""
    emcli.account_imap(dovecot, postfix)
    r, lines = traced(emcli, "send", "--account", "work", "--to", servers.address("bob"),
                      "--subject", SUBJECT, "--body", BODY)
    assert r.rc == 0, str(r)
    text = clean(lines, BODY, SUBJECT, servers.password("agent"))
    assert re.search(r'> e\d+ APPEND "Sent" \(\\Seen\) \{\d+\+?\}$', text, re.M)
    assert re.search(r"= append to \"Sent\", \d+ bytes: done", text)


def test_the_web(emcli, certs):
    jmap = jmapd.Jmapd({"Inbox": [message(subject=SUBJECT, body=BODY)], "Drafts": [], "Sent": []})
    pony = ponyd.Ponyd()
    try:
        pony.add("dev@lab.example", message(subject=SUBJECT, body=BODY))
        add_jmap(emcli, jmap.url)
        emcli.set_up("account", "add", "lists", "--password-stdin", *emcli.options(
            {"backend": "ponymail", "url": pony.url, "process_backlog": True}), stdin=PASSWORD)
        r, lines = traced(emcli, "get", *BOX, "--uid", "1")
        assert r.rc == 0, str(r)
        more, also = traced(emcli, "search", "--account", "lists", "--folder", "dev@lab.example",
                            "--text", BODY[:12])
        _, third = traced(emcli, "list", "--account", "lists", "--folder", "dev@lab.example")
    finally:
        jmap.stop()
        pony.stop()
    text = clean(lines + also + third, BODY, SUBJECT, BODY[:12], PASSWORD,
                 servers.password("agent"),
                 base64.b64encode(f"{servers.address('agent')}:{servers.password('agent')}"
                                  .encode()).decode())
    assert re.search(r"^http://\S+ > GET http://\S+/\.well-known/jmap$", text, re.M)
    assert re.search(r"^http://\S+ > POST http://\S+/api <\d+ bytes>$", text, re.M)
    assert re.search(r"^http://\S+ < 200 application/json\S* <\d+ bytes>$", text, re.M)
    assert "list=dev&domain=lab.example" in text
    assert "uthorization" not in text and "ookie" not in text


def test_doctor_shows_one(emcli, certs):
    with imapd.Imapd(*certs.good[:2], users={"me": PASSWORD}, folders=FOLDERS) as server:
        account(emcli, certs, server)
        r = emcli.admin("doctor", "--trace")
        lines = r.json["data"]["trace"]
        assert any("EXAMINE" in x or "LIST" in x for x in lines)
        clean(lines, PASSWORD)
        shown = emcli.admin("doctor", "--trace", "--text").out.decode()
        assert re.search(r"^ *\d+ \d+ 127\.0\.0\.1:\d+ > e1 ", shown, re.M)
        assert "trace" not in emcli.admin("doctor").json["data"]
        # The last one says goodbye, and waits for no answer.
        until(lambda: not any(t.is_alive() for t in server.threads[1:]))
        before = len(server.log)
        r = emcli.run("doctor", "--trace")
        assert r.code == "config" and "EMCLI_ADMIN_KEY" in r.json["error_detail"]["message"]
        assert len(server.log) == before


def box(emcli, site):
    site.deliver("agent", message())
    emcli.account_maildir(site.box("agent"), process_backlog=True)


@pytest.mark.parametrize("key", [None, "wrong"])
def test_an_agent_gets_none(emcli, site, tmp_path, key):
    """The variable counts for nothing, and nothing is made."""
    box(emcli, site)
    path = tmp_path / "trace"
    env = {"EMCLI_TRACE": str(path), "EMCLI_ADMIN_KEY": key and cli.key()}
    assert emcli.run("list", *BOX, env=env).rc == 0
    assert not path.exists()
    path.write_text("# emcli trace of somebody's\n")
    path.chmod(0o600)
    assert emcli.run("list", *BOX, env=env).rc == 0
    assert path.read_text() == "# emcli trace of somebody's\n"


def test_what_is_no_trace_is_left_alone(emcli, site, tmp_path):
    box(emcli, site)
    there = tmp_path / "there"
    there.write_text("mine\n")
    there.chmod(0o600)
    link, hard, pipe, wide = (tmp_path / x for x in ("link", "hard", "pipe", "wide"))
    link.symlink_to(tmp_path / "nowhere")
    os.mkfifo(pipe, 0o600)
    wide.write_text("# emcli trace \n")
    wide.chmod(0o644)
    hard.write_text("# emcli trace \n")
    hard.chmod(0o600)
    os.link(hard, tmp_path / "other")
    for path in there, link, pipe, wide, hard, tmp_path, tmp_path / "no" / "folder":
        for command in ("list", *BOX), ("account", "list"):
            r = emcli.admin(*command, env={"EMCLI_TRACE": str(path)})
            assert r.rc != 0 and b"EMCLI_TRACE: " in r.out + r.err, str(r)
    assert there.read_text() == "mine\n" and wide.read_text() == hard.read_text()
    assert not (tmp_path / "nowhere").exists()


def test_one_file_for_many_commands(emcli, site, tmp_path):
    box(emcli, site)
    path = tmp_path / "trace"
    for _ in range(2):
        assert emcli.admin("list", *BOX, env={"EMCLI_TRACE": str(path)}).rc == 0
    lines = path.read_text().splitlines()
    assert len([x for x in lines if x.startswith("# emcli trace ")]) == 2
    assert len([x for x in lines if "maildir/work = find in" in x]) == 2
