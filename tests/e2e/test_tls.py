# SPDX-License-Identifier: Apache-2.0
"""Certificates that prove nothing, and what a CA and a pin make of them."""

import ssl

import pytest

from imapd import Imapd
import servers
from smtpd import Smtpd
import tlslab

FAULTS = [
    ("wronghost", "does not match its name"),
    ("expired", "has expired"),
    ("future", "is not valid yet"),
    ("selfsigned", "is not signed by a known authority"),
    ("untrusted", "is not signed by a known authority"),
]
LOGIN = {servers.address("agent"): servers.password("agent")}
BOX = ("--account", "work", "--folder", "INBOX")


def imap(cert, **behaviour):
    return Imapd(cert[0], cert[1], users=LOGIN, **behaviour)


def smtp(cert, **behaviour):
    return Smtpd(cert[0], cert[1], users=LOGIN, **behaviour)


def account(emcli, certs, imapd, smtpd=None, **flags):
    """An account on the scripted servers; each flag that is None is left out."""
    given = {
        "backend": "imap", "mode": "RW", "whitelist_out": "off", "from": servers.address("agent"),
        "username": servers.address("agent"), "imap_host": "localhost",
        "imap_port": imapd.port if imapd else 1,
        "imap_security": "starttls" if imapd and imapd.starttls else "tls",
        "ca": certs.ca,
    }
    if smtpd is not None:
        given.update(smtp_host="localhost", smtp_port=smtpd.port,
                     smtp_security="starttls" if smtpd.starttls else "tls")
    given.update(flags)
    emcli.set_up("account", "add", "work", "--password-stdin",
                 *emcli.options(given), stdin=servers.password("agent"))


def send(emcli):
    return emcli.run("send", "--account", "work", "--to", "bob@them.example",
                     "--subject", "x", "--body", "y")


def assert_refused(r, words):
    assert r.code == "network", str(r)
    assert words in r.json["error_detail"]["message"], str(r)
    assert servers.password("agent").encode() not in r.out + r.err


def nothing_secret(server):
    """No credential was offered: STARTTLS is all that was asked for."""
    verbs = [w.upper() for line in server.said() for w in line.split()]
    return not {b"LOGIN", b"AUTH", b"AUTHENTICATE"} & set(verbs)


@pytest.mark.parametrize("starttls", [False, True], ids=["tls", "starttls"])
@pytest.mark.parametrize("name, words", FAULTS)
def test_imap_certificate(emcli, certs, name, words, starttls):
    with imap(getattr(certs, name), starttls=starttls) as server:
        account(emcli, certs, server)
        assert_refused(emcli.run("list", *BOX), words)
        assert nothing_secret(server)
        assert starttls or server.log == []


@pytest.mark.parametrize("name, words", FAULTS)
def test_smtp_certificate_after_starttls(emcli, certs, name, words):
    """Implicit TLS is test_smtp's; here the way up to the handshake is ours."""
    with smtp(getattr(certs, name), starttls=True) as server:
        account(emcli, certs, None, server)
        assert_refused(send(emcli), words)
        assert nothing_secret(server)
        assert server.messages == []


def test_doctor_names_the_fault_for_both(emcli, certs):
    with imap(certs.expired) as i, smtp(certs.wronghost) as s:
        account(emcli, certs, i, s)
        r = emcli.run("doctor", "--account", "work")
        assert r.rc != 0
        said = {c["check"]: c for c in r.json["data"]["checks"]}
        assert "has expired" in said["imap.tls"]["message"]
        assert "does not match its name" in said["smtp.tls"]["message"]
        assert not said["imap.tls"]["ok"] and not said["smtp.tls"]["ok"]
        assert "imap.login" not in said and "smtp.login" not in said
        assert i.said() == [] and s.said() == []


@pytest.mark.parametrize("starttls", [False, True], ids=["tls", "starttls"])
def test_the_right_authority_is_enough(emcli, certs, starttls):
    with imap(certs.good, starttls=starttls) as i, \
            smtp(certs.good, starttls=starttls) as s:
        account(emcli, certs, i, s)
        assert len(emcli.run("list", *BOX).data["messages"]) == 3
        assert send(emcli).data
        assert emcli.run("doctor", "--account", "work").data["ok"]


def test_the_systems_authorities_know_no_private_one(emcli, certs):
    with imap(certs.good) as server:
        account(emcli, certs, server, ca=None)
        assert_refused(emcli.run("list", *BOX), FAULTS[-1][1])
        assert server.log == []


def test_one_authority_is_not_another(emcli, certs):
    with imap(certs.good) as server:
        account(emcli, certs, server, ca=certs.otherca)
        assert_refused(emcli.run("list", *BOX), FAULTS[-1][1])


@pytest.mark.parametrize("name, words", [
    ("selfsigned", None),
    ("untrusted", None),
    ("wronghost", "does not match its name"),
    ("expired", "has expired"),
    ("future", "is not valid yet"),
])
@pytest.mark.parametrize("ca", [False, True], ids=["alone", "with-ca"])
def test_a_pin_stands_for_the_authority_only(emcli, certs, name, words, ca):
    cert = getattr(certs, name)
    with imap(cert) as server:
        account(emcli, certs, server, pin=tlslab.pin(cert[0]),
                ca=certs.ca if ca else None)
        r = emcli.run("list", *BOX)
        if words is None:
            assert len(r.data["messages"]) == 3
        else:
            assert_refused(r, words)
            assert server.log == []


def test_anothers_pin_is_no_use(emcli, certs):
    with imap(certs.selfsigned) as server:
        account(emcli, certs, server, pin=tlslab.pin(certs.good[0]))
        assert_refused(emcli.run("list", *BOX), "is not the pinned one")
        assert server.log == []


def test_an_authority_does_not_make_up_for_a_pin(emcli, certs):
    """RFC 7469 section 2.6: the chain is good, and the key is not the pinned one."""
    with imap(certs.good) as i, smtp(certs.good) as s:
        other, own = tlslab.pin(certs.selfsigned[0]), tlslab.pin(certs.good[0])
        account(emcli, certs, i, s, pin=other)
        assert_refused(emcli.run("list", *BOX), "is not the pinned one")
        assert_refused(send(emcli), "is not the pinned one")
        assert nothing_secret(i) and nothing_secret(s)
        emcli.set_up("account", "edit", "work", "--pin", f"{other},{own}")
        assert len(emcli.run("list", *BOX).data["messages"]) == 3
        assert send(emcli).data


def test_a_pin_does_not_go_where_it_would_not_be_looked_at(emcli, certs):
    r = emcli.admin("account", "add", "web", "--backend", "jmap", "--mode", "RO", "--username",
                    "a@b.example", "--url", "https://mail.example/jmap", "--pin",
                    tlslab.pin(certs.good[0]), "--password-stdin", stdin="x")
    assert r.rc != 0 and b"--pin does not go with --backend jmap" in r.out + r.err


def test_a_pin_that_is_none_is_refused_where_it_is_set(emcli, certs):
    good = tlslab.pin(certs.good[0])
    for bad in ("nonsense", "A" * 44, "QUJD", good[:-1], good + ",", "," + good, good + " " + good,
                ",".join([good] * 5)):
        r = emcli.admin("account", "add", "bad", "--password-stdin",
                        *emcli.options({
                            "backend": "imap", "mode": "RO",
                            "from": "a@b.example", "username": "a",
                            "imap_host": "localhost", "imap_port": 993,
                            "imap_security": "tls", "pin": bad}), stdin="x")
        assert r.rc != 0, f"{bad}: {r}"


class Old:
    """A certificate's server that speaks TLS 1.1 and no later."""

    def start_tls(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server.cert, self.server.key)
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
        self.sock = context.wrap_socket(self.sock, server_side=True)
        self.tls = True


@pytest.mark.parametrize("starttls", [False, True], ids=["tls", "starttls"])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_old_tls_is_refused(emcli, certs, starttls, monkeypatch):
    import imapd
    monkeypatch.setattr(imapd.Session, "start_tls", Old.start_tls)
    with imap(certs.good, starttls=starttls) as i, \
            smtp(certs.good, starttls=starttls,
                 tls_max=ssl.TLSVersion.TLSv1_1) as s:
        account(emcli, certs, i, s)
        assert_refused(emcli.run("list", *BOX), "TLS is too old")
        assert_refused(send(emcli), "TLS is too old")
        assert nothing_secret(i) and nothing_secret(s)
        assert s.messages == []


def test_what_is_no_tls_is_said_so(emcli, certs):
    """The wrong port: a server that greets in the clear."""
    with imap(certs.good, starttls=True) as server:
        account(emcli, certs, server, imap_security="tls")
        assert_refused(emcli.run("list", *BOX),
                       "does not speak TLS on this port")
        assert nothing_secret(server)
