# SPDX-License-Identifier: Apache-2.0
"""The laboratory itself: what the other tests take for granted."""

import base64
import imaplib
import smtplib
import ssl

import pytest

import cli
import servers

MAIL = (b"From: bob@lab.example\r\nTo: agent@lab.example\r\nSubject: lab\r\n"
        b"Message-ID: <lab-1@lab.example>\r\n\r\nhello\r\n")


def tls(server):
    return ssl.create_default_context(cafile=server.ca)


def test_a_delivered_message_is_in_the_inbox(dovecot):
    dovecot.deliver("agent", MAIL)
    assert b"Subject: lab" in dovecot.wait_for("agent", b"<lab-1@")


def test_an_appended_message_gets_a_uid_and_clearing_takes_it(dovecot):
    uid = dovecot.append("agent", MAIL, folder="Archive")
    assert uid > 0 and len(dovecot.messages("agent", "Archive")) == 1
    dovecot.clear("agent")
    assert dovecot.messages("agent", "Archive") == []


def test_folders_have_their_special_uses(dovecot):
    c = dovecot.client("agent")
    names = b"\n".join(c.list()[1])
    c.logout()
    for use in b"\\Sent", b"\\Drafts", b"\\Trash", b"\\Junk", b"\\Archive":
        assert use in names


def test_the_second_address_forbids_login_before_tls(dovecot):
    c = imaplib.IMAP4("127.0.0.2", dovecot.imap, timeout=20)
    assert "LOGINDISABLED" in c.capabilities
    c.starttls(tls(dovecot))
    c.login(servers.address("agent"), servers.password("agent"))
    c.logout()


@pytest.mark.parametrize("mech", ["XOAUTH2", "OAUTHBEARER"])
def test_a_token_logs_in_until_it_is_revoked(dovecot, introspection, mech):
    user = servers.address("agent")
    say = {
        "XOAUTH2": f"user={user}\1auth=Bearer tok\1\1",
        "OAUTHBEARER": f"n,a={user},\1auth=Bearer tok\1\1",
    }[mech].encode()
    introspection.allow("tok", user)
    for good in True, False:
        c = imaplib.IMAP4_SSL("localhost", dovecot.imaps, ssl_context=tls(dovecot), timeout=20)
        answers = [say, b"\1"]
        if good:
            assert c.authenticate(mech, lambda _: answers.pop(0))[0] == "OK"
        else:
            with pytest.raises(imaplib.IMAP4.error):
                c.authenticate(mech, lambda _: answers.pop(0))
        c.shutdown()
        introspection.revoke("tok")


def submit(postfix, ca, to, secure=True):
    context = ssl.create_default_context(cafile=ca)
    if secure:
        c = smtplib.SMTP_SSL("localhost", postfix.submissions, context=context, timeout=20)
    else:
        c = smtplib.SMTP("localhost", postfix.submission, timeout=20)
        c.starttls(context=context)
    with c:
        c.login(servers.address("bob"), servers.password("bob"))
        return c.sendmail(servers.address("bob"), to, MAIL)


@pytest.mark.parametrize("secure", [True, False])
def test_submitted_mail_arrives(dovecot, postfix, secure):
    submit(postfix, dovecot.ca, ["agent@lab.example"], secure)
    assert b"hello" in dovecot.wait_for("agent", b"<lab-1@")


@pytest.mark.parametrize("to, code", [("defer", 451), ("reject", 550), ("drop421", 421)])
def test_some_recipients_are_refused_on_purpose(dovecot, postfix, to, code):
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        submit(postfix, dovecot.ca, [servers.address(to)])
    assert list(refused.value.recipients.values())[0][0] == code


def test_submission_without_login_is_refused(dovecot, postfix):
    with smtplib.SMTP_SSL("localhost", postfix.submissions, context=tls(dovecot), timeout=20) as c:
        c.ehlo()
        c.mail("bob@lab.example")
        assert c.rcpt("agent@lab.example")[0] == 554


def test_a_wrong_password_is_refused(dovecot):
    c = imaplib.IMAP4_SSL("localhost", dovecot.imaps, ssl_context=tls(dovecot), timeout=20)
    with pytest.raises(imaplib.IMAP4.error):
        c.login(servers.address("agent"), "wrong")
    c.shutdown()


def test_keys_are_32_bytes_of_base64(tmp_path):
    import cli
    assert len(base64.b64decode(cli.key())) == 32


def test_a_scene_is_made_once_and_only_until_somebody_asks(tmp_path, monkeypatch):
    starts = []
    admin = cli.Emcli.admin
    monkeypatch.setattr(cli.Emcli, "admin", lambda e, *argv, **more: (
        starts.append(argv), admin(e, *argv, **more))[1])
    for place, value, made in ("a", 3001, 1), ("b", 3001, 0), ("c", 3002, 1):
        e = cli.Emcli(tmp_path / place)
        e.init()
        del starts[:]
        e.setting("timeout_seconds", value)
        assert len(starts) == made
        assert str(value).encode() in admin(e, "config", "get", "timeout_seconds").out
        e.setting("timeout_seconds", 3001)
        assert len(starts) == made + 1


def test_a_scene_is_what_its_files_say(tmp_path):
    ca = tmp_path / "ca"
    argv = "account", "add", "work", "--ca", ca
    names = []
    for text in "one", "one", "two":
        ca.write_text(text)
        names.append(cli.Scenes().named((), argv, None))
    assert names[0] == names[1] != names[2]
    assert cli.Scenes().named((), ["gateway", "start"], None) is None
