# SPDX-License-Identifier: Apache-2.0
"""
Consents and tokens against real providers, and the mail they open: the Google
emulator, oidc-provider, and Chromium pressing the buttons.
"""

import concurrent.futures
import re
import shutil
import sqlite3

import pytest

from oauthlab import Consent, account, browse, listed
from oauthlab import google, google_emulator, npm, oidc  # noqa: F401
from told import Told

MAIL = (b"From: bob@lab.example\r\nTo: agent@lab.example\r\nSubject: token\r\n"
        b"Message-ID: <oauth-1@lab.example>\r\n\r\nhello\r\n")
CLIENT = "lab-client.apps.googleusercontent.com"


GMAIL = "https://www.googleapis.com/auth/gmail."


@pytest.mark.parametrize("flags, argv, scope", [
    ({"backend": "gmail", "mode": "RO"}, (), GMAIL + "readonly"),
    ({"backend": "gmail", "mode": "RW"}, (), f"{GMAIL}readonly {GMAIL}compose"),
    ({"backend": "gmail", "mode": "RW", "organise": "on"}, (), GMAIL + "modify"),
    ({"backend": "gmail", "mode": "RO", "organise": "on"}, (), GMAIL + "readonly"),
    ({"backend": "gmail", "mode": "RW"}, ("--scope", GMAIL + "metadata"), GMAIL + "metadata"),
    ({"backend": "gmail", "mode": "RW", "smtp_host": "smtp.gmail.com"}, (),
     "https://mail.google.com/"),
    ({"backend": "imap", "mode": "RO", "imap_host": "imap.gmail.com"}, (),
     "https://mail.google.com/"),
    ({"backend": "imap", "mode": "RO", "imap_host": "outlook.office365.com"},
     ("--provider", "microsoft"),
     "https://outlook.office.com/IMAP.AccessAsUser.All offline_access"),
])
def test_the_least_that_the_account_needs_is_asked_for(emcli, flags, argv, scope):
    """And shown before anybody is sent anywhere."""
    emcli.set_up("account", "add", "work", *emcli.options({
        "auth": "oauth2", "from": "agent@lab.example", "username": "agent@lab.example", **flags}))
    c = Consent(emcli, "--client-id", "x", "--no-browser", "--timeout", "1",
                *(argv if "--provider" in argv else ("--provider", "google", *argv)))
    assert c.query["scope"] == scope
    assert c.out.index(f"Requested scope: {scope}\n") < c.out.index("Open this address")
    c.end()


def consent_google(emcli, google, tmp_path):
    (tmp_path / "client-secret").write_text("lab-client-secret\n")
    c = Consent(emcli, "--provider", "google", "--issuer", google.base,
                "--client-id", CLIENT, "--client-secret-file", tmp_path / "client-secret")
    page = browse(c.url)
    rc, out, err = c.end()
    assert rc == 0, out + err
    return page, out


def consent_oidc(emcli, oidc, *argv, will="yes"):
    c = Consent(emcli, "--issuer", oidc.base, "--client-id", "native",
                "--scope", "openid offline_access mail", *argv)
    page = browse(c.url, will)
    return page, c.end()


def test_google_from_consent_to_sent_mail(emcli, dovecot, postfix, google, tmp_path):
    added = account(emcli, dovecot, postfix)
    assert "Next: emcli account consent work" in added.out.decode()
    dovecot.deliver("agent", MAIL)
    dovecot.wait_for("agent", b"<oauth-1@")
    page, out = consent_google(emcli, google, tmp_path)
    assert "You may close this tab" in page
    assert "Next: emcli doctor --account work" in out
    # PKCE from end to end, and what makes Google give a refresh token.
    asked, form = google.authorize[0], google.token[0]
    assert asked["code_challenge_method"] == "S256" and len(asked["code_challenge"]) == 43
    assert asked["access_type"] == "offline" and asked["prompt"] == "consent"
    assert asked["scope"] == "https://mail.google.com/" and len(asked["state"]) == 43
    assert re.match(r"http://127\.0\.0\.1:\d+/$", asked["redirect_uri"])
    assert len(form["code_verifier"]) == 43
    assert [m["subject"] for m in listed(emcli).data["messages"]] == ["token"]
    assert google.token[-1]["grant_type"] == "refresh_token"
    r = emcli.run("send", "--account", "work", "--to", "bob@lab.example",
                  "--subject", "by token", "--body", "x")
    assert r.rc == 0, str(r)
    assert b"by token" in dovecot.wait_for("bob", b"by token")


def test_google_consent_withdrawn(emcli, dovecot, google, tmp_path):
    account(emcli, dovecot)
    consent_google(emcli, google, tmp_path)
    assert listed(emcli).rc == 0
    google.withdrawn = True
    r = listed(emcli)
    assert r.code == "auth"
    assert "emcli account consent work" in r.json["error_detail"]["message"]
    audit = emcli.admin("audit", "list", "--json").out.decode()
    assert "Token has been expired or revoked." in audit


def test_the_operator_hears_of_a_dead_token_once(emcli, dovecot, google, tmp_path):
    told = Told(emcli, tmp_path / "told")
    account(emcli, dovecot)
    consent_google(emcli, google, tmp_path)
    told.on()
    assert listed(emcli).rc == 0
    google.withdrawn = True
    for _ in range(2):
        assert listed(emcli).code == "auth"
    (said,) = told.all(1)
    assert (said["kind"], said["count"], said["accounts"]) == ("token", 1, ["work"])
    told.later()
    assert listed(emcli).code == "auth"
    assert told.waits() == [("token", 1)]
    # A new consent helps.
    google.withdrawn = False
    consent_google(emcli, google, tmp_path)
    assert listed(emcli).rc == 0
    assert told.waits() == []


def test_without_a_consent_the_next_step_is_told(emcli, dovecot):
    account(emcli, dovecot)
    r = listed(emcli)
    assert r.code == "auth"
    assert "emcli account consent work" in r.json["error_detail"]["message"]


def test_rotation_and_reuse(emcli, dovecot, oidc):
    account(emcli, dovecot)
    page, (rc, out, err) = consent_oidc(emcli, oidc)
    assert rc == 0 and "close this tab" in page, out + err
    before = len(oidc.events("grant"))
    for _ in range(3):
        assert listed(emcli).rc == 0
    assert len(oidc.events("grant")) == before + 3
    # A thief, or a backup that was put back, uses an old one.
    db = sqlite3.connect(emcli.db)
    old, = db.execute("SELECT enc_oauth_refresh_token FROM accounts").fetchone()
    assert listed(emcli).rc == 0
    new, = db.execute("SELECT enc_oauth_refresh_token FROM accounts").fetchone()
    assert old != new and not oidc.events("revoked")
    db.execute("UPDATE accounts SET enc_oauth_refresh_token = ?", (old,))
    db.commit()
    r = listed(emcli)
    assert r.code == "auth" and "account consent work" in r.json["error_detail"]["message"]
    assert oidc.events("revoked")
    # The whole family is dead; only a new consent helps, and does.
    db.execute("UPDATE accounts SET enc_oauth_refresh_token = ?", (new,))
    db.commit()
    assert listed(emcli).code == "auth"
    c = Consent(emcli)  # as before: nothing has to be said again
    browse(c.url)
    assert c.end()[0] == 0
    assert listed(emcli).rc == 0


def test_many_at_once_never_use_a_token_twice(emcli, dovecot, oidc):
    account(emcli, dovecot)
    assert consent_oidc(emcli, oidc)[1][0] == 0
    revoked, refused = len(oidc.events("revoked")), len(oidc.events("refused"))
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda _: listed(emcli, fresh=False), range(12)))
    assert [r.rc for r in results] == [0] * 12, [str(r) for r in results]
    assert len(oidc.events("revoked")) == revoked
    assert len(oidc.events("refused")) == refused


def test_consent_denied(emcli, dovecot, oidc):
    account(emcli, dovecot)
    page, (rc, out, err) = consent_oidc(emcli, oidc, will="no")
    assert rc == 1 and "consent was denied" in err
    assert "was not given access" in page
    db = sqlite3.connect(emcli.db)
    assert db.execute("SELECT enc_oauth_refresh_token, oauth_issuer FROM accounts").fetchone() == (None, None)


def test_device_flow(emcli, dovecot, oidc):
    account(emcli, dovecot)
    c = Consent(emcli, "--device", "--issuer", oidc.base, "--client-id", "native",
                "--scope", "openid offline_access mail")
    url, code = c.url, c.wait_for(r"enter the code\n\n  (\S+)\n")
    browse(url, "yes", code)
    rc, out, err = c.end()
    assert rc == 0, out + err
    assert listed(emcli).rc == 0


def test_device_flow_denied_or_late(emcli, dovecot, oidc):
    account(emcli, dovecot)
    base = ["--device", "--issuer", oidc.base, "--client-id", "native", "--scope", "mail"]
    c = Consent(emcli, *base)
    browse(c.url, "no", c.wait_for(r"enter the code\n\n  (\S+)\n"))
    rc, _, err = c.end()
    assert rc == 1 and "denied" in err
    rc, _, err = Consent(emcli, *base, "--timeout", "6").end()
    assert rc == 1 and "not entered in time" in err


def test_google_has_no_device_flow_for_mail(emcli, dovecot):
    account(emcli, dovecot)
    rc, _, err = Consent(emcli, "--device", "--provider", "google", "--client-id", "x").end()
    assert rc == 1 and "no device flow" in err


def test_confidential_client_logs_in_by_basic(emcli, dovecot, oidc, tmp_path):
    account(emcli, dovecot)
    (tmp_path / "s").write_text("lab-client-secret")
    c = Consent(emcli, "--issuer", oidc.base, "--client-id", "lab-client", "--client-secret-file",
                tmp_path / "s", "--scope", "openid offline_access mail")
    browse(c.url)
    rc, out, err = c.end()
    assert rc == 0, out + err
    assert listed(emcli).rc == 0
    (tmp_path / "s").write_text("wrong")
    c = Consent(emcli, "--client-secret-file", tmp_path / "s")
    browse(c.url)
    rc, out, err = c.end()
    assert rc == 1 and "id or its secret is wrong" in err
    # What was there still works.
    assert listed(emcli).rc == 0


def test_rewrapped_keys_open_the_consent(emcli, dovecot, oidc):
    account(emcli, dovecot)
    assert consent_oidc(emcli, oidc)[1][0] == 0
    r = emcli.admin("key", "rewrap", "--dek")
    assert r.rc == 0, str(r)
    assert listed(emcli).rc == 0


def test_doctor_gets_a_token(emcli, dovecot, postfix, oidc):
    account(emcli, dovecot, postfix)
    r = emcli.run("doctor", "--json")
    assert r.rc != 0 and "oauth.token" in r.out.decode()
    assert consent_oidc(emcli, oidc)[1][0] == 0
    r = emcli.run("doctor", "--json")
    assert "a fresh access token" in r.out.decode(), str(r)
    assert r.rc == 0, str(r)
