# SPDX-License-Identifier: Apache-2.0
"""account add with nothing but an address: known providers, autoconfig, SRV."""
import ctypes
import json
import os
import pty
import select
import time

import pytest

import island
from test_admin import PASSWORD, accounts, bad, good

ME = "me@lab.example"
ANN = "ann@mail.lab.example"  # https://mail.lab.example has a certificate too
ADD = ("account", "add", "work", "--password-stdin")


def config(imap="imap.lab.example", port=993, socket="SSL", user="%EMAILADDRESS%",
           how="password-cleartext", smtp="smtp.lab.example"):
    server = lambda tag, kind, host, p: (
        f"<{tag} type='{kind}'><hostname>{host}</hostname><port>{p}</port>"
        f"<socketType>{socket}</socketType><username>{user}</username>"
        f"<authentication>{how}</authentication></{tag}>")
    return ("<?xml version='1.0'?><clientConfig version='1.1'><emailProvider id='x'>"
            + server("incomingServer", "imap", imap, port)
            + server("outgoingServer", "smtp", smtp, 465)
            + "</emailProvider></clientConfig>")


OWN = "autoconfig.lab.example/mail/config-v1.1.xml"
WELL_KNOWN = "mail.lab.example/.well-known/autoconfig/mail/config-v1.1.xml"
SRV = {"_imaps._tcp.lab.example": [[20, 1, 993, "far.lab.example"],
                                   [10, 1, 1993, "near.lab.example"]],
       "_submissions._tcp.lab.example": [[10, 1, 465, "out.lab.example"]]}


@pytest.fixture
def lands(emcli, certs, tmp_path):
    """lands(**what the island says)(argv...) is a run of emcli there."""
    def make(**says):
        place = island.Island(certs, tmp_path / "island", **says)

        def run(*argv, env=None, stdin=PASSWORD):
            full = emcli.environment(**{"EMCLI_ADMIN_KEY": emcli.admin_key,
                                        "SSL_CERT_FILE": certs.ca, **(env or {})})
            here = emcli.binary
            try:
                emcli.binary, *rest = place.argv([os.path.abspath(here), *argv])
                return emcli.call(rest, full, stdin, 60)
            finally:
                emcli.binary = here
        run.place = place
        return run
    return make


# -- the table

def test_a_known_domain_needs_no_network(emcli):
    out = good(emcli.admin(*ADD, "--username", "me@gmail.com", "--yes", stdin=PASSWORD))
    assert "Servers found: Gmail, as known on 2" in out
    assert "IMAP  imap.gmail.com, port 993, TLS" in out
    assert "app password, or --auth oauth2" in out and "apppasswords" in out
    a = accounts(emcli)["work"]
    assert (a["imap_host"], a["imap_port"], a["imap_security"]) == (
        "imap.gmail.com", 993, "tls")
    assert (a["smtp_host"], a["smtp_port"], a["smtp_security"]) == (
        "smtp.gmail.com", 465, "tls")
    assert (a["username"], a["from"], a["auth"]) == (
        "me@gmail.com", "me@gmail.com", "password")
    assert a["sent_copy"] is False and a["quirk_id"] == "auto" and a["has_password"]


def test_quirks_become_settings(emcli):
    good(emcli.admin(*ADD, "--from", "me@163.com", "--yes", stdin=PASSWORD))
    a = accounts(emcli)["work"]
    assert a["quirk_id"] == "on" and a["username"] == "me@163.com"


def test_an_account_that_takes_no_password_waits_for_consent(emcli):
    out = good(emcli.admin("account", "add", "work", "--from", "me@hotmail.de", "--yes"))
    a = accounts(emcli)["work"]
    assert a["auth"] == "oauth2" and a["has_password"] is False
    assert a["smtp_security"] == "starttls" and a["smtp_port"] == 587
    assert "account consent work" in out


@pytest.mark.parametrize("argv", [
    ("--from", "joe@hotmail.com", "--yes"),
    ("--from", "joe@lab.example", "--username", "joe", "--imap-host", "outlook.office365.com"),
])
def test_a_password_is_not_kept_as_a_token(emcli, argv):
    """Where a provider takes none; whoever has a token says that it is one."""
    r = emcli.admin(*ADD, *argv, stdin=PASSWORD)
    assert r.rc == 2 and b"takes no passwords" in r.err, str(r)
    assert b"emcli account consent work" in r.err and b"--auth oauth2" in r.err
    assert accounts(emcli) == {}
    out = good(emcli.admin(*ADD, *argv, "--auth", "oauth2", stdin="a-token"))
    assert "the access token will not be refreshed" in out
    r = emcli.admin("account", "edit", "work", "--password-stdin", stdin=PASSWORD)
    assert r.rc == 2 and b"takes no passwords" in r.err
    good(emcli.admin("account", "edit", "work", "--password-stdin", "--auth", "oauth2", stdin="b"))


def test_what_is_given_stays(emcli):
    good(emcli.admin(*ADD, "--from", "me@163.com", "--yes", "--username", "login",
                     "--imap-port", "1993", "--smtp-host", "s.example", "--quirk-id", "off",
                     "--sent-copy", "off", stdin=PASSWORD))
    a = accounts(emcli)["work"]
    assert (a["username"], a["imap_host"], a["imap_port"]) == ("login", "imap.163.com", 1993)
    assert (a["smtp_host"], a["smtp_port"], a["quirk_id"], a["sent_copy"]) == (
        "s.example", 465, "off", False)


def test_another_kind_of_tls_has_another_port(emcli):
    good(emcli.admin(*ADD, "--from", "me@163.com", "--yes", "--imap-security", "starttls",
                     stdin=PASSWORD))
    a = accounts(emcli)["work"]
    assert (a["imap_port"], a["imap_security"]) == (143, "starttls")


def test_a_provider_can_be_named(emcli):
    good(emcli.admin(*ADD, "--from", "me@own.example", "--provider", "fastmail", "--yes",
                     stdin=PASSWORD))
    a = accounts(emcli)["work"]
    assert a["imap_host"] == "imap.fastmail.com" and a["username"] == "me@own.example"
    good(emcli.admin("account", "add", "c", "--password-stdin", "--username", "login",
                     "--provider", "ionos", "--yes", stdin=PASSWORD))
    c = accounts(emcli)["c"]
    assert (c["username"], c["imap_host"], c["from"]) == ("login", "imap.ionos.de", "")
    bad(emcli.admin("account", "add", "b", "--from", "me@own.example", "--yes",
                    "--provider", "fastmial"), "did you mean fastmail?")


def test_nothing_is_taken_without_a_yes(emcli):
    bad(emcli.admin(*ADD, "--from", "me@gmail.com", stdin=PASSWORD), "--yes")
    assert accounts(emcli) == {}


def test_servers_that_are_given_ask_nobody(lands, emcli):
    run = lands()
    good(run(*ADD, "--username", ME, "--imap-host", "i.example"))
    assert run.place.asked() == [] and accounts(emcli)["work"]["smtp_host"] == ""


def test_providers_are_listed(emcli):
    lines = good(emcli.admin("account", "providers")).splitlines()
    assert lines[0].split()[0] == "NAME" and len(lines) > 20
    told = json.loads(good(emcli.admin("account", "providers", "--json")))["providers"]
    by_name = {p["name"]: p for p in told}
    for name in "gmail", "google", "outlook", "microsoft", "icloud", "yahoo", "aol", \
            "fastmail", "gmx", "web.de", "proton", "163", "126", "qq", "zoho", \
            "mailbox.org", "posteo", "yandex", "t-online", "ionos":
        assert by_name[name]["checked"] >= "2026-01-01"
    assert by_name["163"]["quirk_id"] == "on"
    assert "login" in by_name["gmail"] and "gmail.com" in by_name["gmail"]["domains"]


# -- what the domain says

def test_autoconfig_of_the_domain(lands, emcli):
    run = lands(a=["autoconfig.lab.example"], pages={OWN: config(user="%EMAILLOCALPART%")})
    out = good(run(*ADD, "--from", ME, "--yes"))
    assert f"Servers found: https://{OWN}\n" in out
    assert "IMAP  imap.lab.example, port 993, TLS" in out and "login as me," in out
    a = accounts(emcli)["work"]
    assert (a["imap_host"], a["smtp_host"], a["username"], a["from"]) == (
        "imap.lab.example", "smtp.lab.example", "me", ME)
    asked = run.place.asked()
    assert f"GET {OWN}?emailaddress=me%40lab.example" in asked
    assert not [x for x in asked if x.startswith("SRV")]


def test_openssl_s_configuration_is_not_the_caller_s(lands, emcli, tmp_path):
    """It may name code to load.  The domain is asked before the store is there."""
    run = lands(a=["autoconfig.lab.example"], pages={OWN: config()})
    conf = tmp_path / "openssl.cnf"
    conf.write_text("")
    libc = ctypes.CDLL(None)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    assert libc.inotify_add_watch(watch, os.fsencode(conf), 0x20) > 0  # IN_OPEN
    said = run("init", "--from", ME, "--password-stdin", "--yes",
               env={"EMCLI_KEY": emcli.agent_key, "OPENSSL_CONF": str(conf),
                    "EMCLI_DB": str(tmp_path / "new" / "emcli.db")})
    assert f"GET {OWN}" in "".join(run.place.asked()), str(said)
    with pytest.raises(BlockingIOError):
        os.read(watch, 4096)
    os.close(watch)


def test_well_known_place(lands, emcli):
    run = lands(a=["mail.lab.example"], pages={WELL_KNOWN: config(how="OAuth2")})
    good(run("account", "add", "work", "--from", ANN, "--yes"))
    a = accounts(emcli)["work"]
    assert a["imap_host"] == "imap.lab.example" and a["auth"] == "oauth2"


def test_a_redirect_is_followed_by_https_alone(lands, emcli):
    here = "autoconfig.lab.example"
    run = lands(a=[here, "mail.lab.example"],
                pages={OWN: "-> https://mail.lab.example/x", "mail.lab.example/x": config()})
    good(run(*ADD, "--from", ME, "--yes"))
    good(emcli.admin("account", "remove", "work", "--yes"))
    run = lands(a=[here, "mail.lab.example"],
                pages={OWN: "-> http://mail.lab.example/x", "mail.lab.example/x": config()})
    bad(run(*ADD, "--from", ME, "--yes"), "no servers were found")
    assert accounts(emcli) == {}


# By names, since a test's own is in the environment of all it starts.
BAD_PAGES = {
    "none": 404, "failed": 500, "html": "<html><p>not here</html>", "empty": "",
    "doctype": "<!DOCTYPE a><clientConfig/>", "plain": config(socket="plain"),
    "path": config(imap="imap.lab.example/evil"), "port": config(port=0),
    "mechanism": config(how="GSSAPI"), "behind": config() + "x",
    "entity": config(imap="a&b;"), "deep": "<a>" * 50,
    "long": "<clientConfig>" + " " * 200000 + "</clientConfig>",
}


@pytest.mark.parametrize("page", BAD_PAGES)
def test_a_bad_page_is_no_page(lands, emcli, page):
    run = lands(a=["autoconfig.lab.example"], pages={OWN: BAD_PAGES[page]})
    bad(run(*ADD, "--from", ME, "--yes"), "no servers were found")
    assert accounts(emcli) == {}


def test_a_certificate_nobody_signed_is_no_answer(lands, emcli):
    run = lands(a=["autoconfig.lab.example"], pages={OWN: config()})
    bad(run(*ADD, "--from", ME, "--yes", env={"SSL_CERT_FILE": None}),
        "no servers were found")
    assert f"GET {OWN}" not in "".join(run.place.asked())


def test_srv_records(lands, emcli):
    out = good(lands(srv=SRV)(*ADD, "--from", ME, "--yes"))
    assert "Servers found: SRV records of lab.example\n" in out and "warning" not in out
    a = accounts(emcli)["work"]
    assert (a["imap_host"], a["imap_port"], a["imap_security"]) == (
        "near.lab.example", 1993, "tls")
    assert (a["smtp_host"], a["smtp_port"], a["username"]) == ("out.lab.example", 465, ME)


def test_srv_by_starttls(lands, emcli):
    srv = {"_imaps._tcp.lab.example": [[0, 0, 0, "."]],
           "_imap._tcp.lab.example": [[0, 1, 143, "i.lab.example"]],
           "_submission._tcp.lab.example": [[0, 1, 587, "s.lab.example"]]}
    good(lands(srv=srv)(*ADD, "--from", ME, "--yes"))
    a = accounts(emcli)["work"]
    assert (a["imap_port"], a["imap_security"]) == (143, "starttls")
    assert (a["smtp_port"], a["smtp_security"]) == (587, "starttls")


def test_srv_elsewhere_is_warned_of(lands, emcli):
    srv = {"_imaps._tcp.lab.example": [[0, 1, 993, "imap.evil-lab.example"]],
           "_submissions._tcp.lab.example": [[0, 1, 465, "s.lab.example"]]}
    out = good(lands(srv=srv)(*ADD, "--from", ME, "--yes"))
    assert "warning: the IMAP server imap.evil-lab.example is outside lab.example" in out
    assert out.count("warning") == 1


def test_a_page_comes_before_srv(lands, emcli):
    good(lands(a=["autoconfig.lab.example"], pages={OWN: config()}, srv=SRV)(
        *ADD, "--from", ME, "--yes"))
    assert accounts(emcli)["work"]["imap_host"] == "imap.lab.example"


def test_where_the_mail_goes(lands, emcli):
    run = lands(mx={"lab.example": [[10, "lab-example.mail.protection.outlook.com"]]})
    out = good(run("account", "add", "work", "--from", ME, "--yes"))
    assert "Microsoft 365, where mail for lab.example is delivered (MX record)" in out
    assert accounts(emcli)["work"]["imap_host"] == "outlook.office365.com"


def test_the_database_is_asked_only_when_allowed(lands, emcli):
    run = lands(a=["autoconfig.thunderbird.net"])
    bad(run(*ADD, "--from", ME, "--yes"), "no servers were found")
    assert not [x for x in run.place.asked() if "thunderbird" in x]
    bad(run(*ADD, "--from", ME, "--yes", "--ispdb"), "no servers were found")
    assert "A autoconfig.thunderbird.net" in run.place.asked()
    assert not [x for x in run.place.asked() if "thunderbird" in x and "me" in x.split("/")[-1]]


def test_a_name_server_that_is_deaf_ends_in_time(lands, emcli):
    good(emcli.admin("config", "set", "timeout_seconds", "3"))
    begun = time.time()
    bad(lands(deaf=True)(*ADD, "--from", ME, "--yes"), "no servers were found")
    assert time.time() - begun < 15
    assert accounts(emcli) == {}


# -- a person is asked

def talk(argv, env, turns):
    """Answers one question after another at a terminal; rc and all it showed."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(argv[0], argv, env)
    seen, said, end = b"", 0, time.time() + 120
    while time.time() < end:
        if not select.select([fd], [], [], 0.5)[0]:
            continue
        try:
            chunk = os.read(fd, 4096)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
        if turns and turns[0][0] in seen[said:]:
            said = len(seen)
            os.write(fd, turns.pop(0)[1])
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode()


def person(emcli, run, turns, *argv):
    env = emcli.environment(EMCLI_ADMIN_KEY=emcli.admin_key,
                            SSL_CERT_FILE=os.path.dirname(run.place.folder) + "/none")
    command = run.place.argv([os.path.abspath(emcli.binary), "account", "add", "work",
                              *argv])
    return talk(command, env, turns)


def test_a_no_leads_to_the_next_answer(lands, emcli):
    run = lands(srv=SRV, mx={"lab.example": [[1, "aspmx.l.google.com"]]})
    rc, seen = person(emcli, run, [(b"Type yes: ", b"no\n"), (b"Type yes: ", b"yes\n"),
                                   (b"Password: ", PASSWORD.encode() + b"\n")],
                      "--from", ME)
    assert rc == 0, seen
    assert seen.index("SRV records of lab.example") < seen.index("Google Workspace")
    assert accounts(emcli)["work"]["imap_host"] == "imap.gmail.com"


def test_a_no_to_all_adds_nothing(lands, emcli):
    rc, seen = person(emcli, lands(srv=SRV), [(b"Type yes: ", b"no\n")], "--from", ME)
    assert rc == 2 and "no servers were accepted" in seen
    rc, seen = person(emcli, lands(), [(b"Type yes: ", b"n\n")], "--from", "me@gmx.de")
    assert rc == 2 and "imap.gmx.net" in seen
    assert accounts(emcli) == {}
