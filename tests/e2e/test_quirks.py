# SPDX-License-Identifier: Apache-2.0
"""An account's switches against servers that need them."""
import pytest

import imapd
from test_smtp import Sender, serve

PASSWORD = "secret"


class Suspicious(imapd.Session):
    """Lets nobody at a folder who has not said ID, as 163.com does."""

    def do_id(self, rest):
        self.known = b'"name"' in rest and b'"version"' in rest
        return super().do_id(rest)

    def do_examine(self, rest):
        if not getattr(self, "known", False):
            return self.done("NO", "EXAMINE Unsafe Login. Please contact us")
        return super().do_examine(rest)


@pytest.fixture
def suspicious(certs, monkeypatch):
    monkeypatch.setattr(imapd.Imapd, "session", Suspicious)
    # ID is understood and not told of.
    with imapd.Imapd(certs.good[0], certs.good[1],
                     caps="IMAP4rev1 SASL-IR AUTH=PLAIN", more_caps="IMAP4rev1") as server:
        yield server


def account(emcli, server, certs, **flags):
    given = {"username": "me", "imap_host": "localhost", "imap_port": server.port,
             "ca": certs.ca, **flags}
    r = emcli.admin("account", "add", "work", "--password-stdin", *emcli.options(given),
                    stdin=PASSWORD)
    assert r.rc == 0, str(r)


def subjects(emcli):
    return emcli.run("list", "--account", "work", "--folder", "INBOX")


def test_id_can_be_switched_on_for_an_account_that_is_there(emcli, suspicious, certs):
    account(emcli, suspicious, certs)
    assert subjects(emcli).code == "not_found"
    r = emcli.admin("account", "edit", "work", "--quirk-id", "on")
    assert r.rc == 0, str(r)
    assert len(subjects(emcli).data["messages"]) == 3


def test_id_can_be_switched_off(emcli, certs):
    with imapd.Imapd(certs.good[0], certs.good[1]) as server:
        account(emcli, server, certs)
        assert len(subjects(emcli).data["messages"]) == 3
        assert any(b" ID (" in line for line in server.said())
        server.log.clear()
        emcli.admin("account", "edit", "work", "--quirk-id", "off")
        assert len(subjects(emcli).data["messages"]) == 3
        assert not any(b" ID (" in line for line in server.said())


def test_imap_login_waits_to_be_asked(emcli, certs):
    with imapd.Imapd(certs.good[0], certs.good[1]) as server:
        account(emcli, server, certs, quirk_sasl_ir="off")
        assert len(subjects(emcli).data["messages"]) == 3
        assert [line for line in server.said() if line.endswith(b" AUTHENTICATE PLAIN")]


@pytest.mark.parametrize("ir", ["on", "off"])
def test_smtp_login_waits_to_be_asked(emcli, dovecot, certs, ir):
    with serve(certs, auths="PLAIN") as server:
        sender = Sender(emcli, dovecot)
        sender.account(server, quirk_sasl_ir=ir)
        assert sender.send().data and len(server.messages) == 1
        said = [line for who, line in server.log if who == "C" and line.startswith(b"AUTH")]
        assert len(said) == 1 and (said[0].strip() == b"AUTH PLAIN") == (ir == "off")
