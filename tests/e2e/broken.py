# SPDX-License-Identifier: Apache-2.0
"""Set-ups that are broken in one place each, and what doctor says of them.

    for case in broken.cases():
        case.id       "imap-starttls-cert-expired"
        case.bad      {check: (part of message, part of next)}: these and no others
        case.notes    the same for checks that are notes

A case describes an account and the servers behind it; test_doctor.py makes and
runs them.  The rows are made out of dimensions: protocol, security, step,
fault.
"""

import dataclasses
import os
import sqlite3
import time

CERTS = {
    "expired": ("has expired", "clock"),
    "future": ("not valid yet", "clock"),
    "wronghost": ("does not match its name", "--imap-host"),
    "selfsigned": ("not signed by a known authority", "--ca or --pin"),
    "untrusted": ("not signed by a known authority", "--ca or --pin"),
}
BOTH = ("imap", "smtp")
SECURITY = ("tls", "starttls")
LATER = "try again later"
PASSWORD = "app password"
PLANTED = "pw-Zq9-planted"
SILENT = ("did not answer in time", LATER)


@dataclasses.dataclass
class Case:
    id: str
    bad: dict
    notes: dict = dataclasses.field(default_factory=dict)
    imap: dict = dataclasses.field(default_factory=dict)  # for Imapd
    smtp: dict = dataclasses.field(default_factory=dict)  # for Smtpd, or how
    # to make a value when the server starts
    cert: dict = dataclasses.field(default_factory=dict)  # {"imap": "expired"}
    flags: dict = dataclasses.field(default_factory=dict)  # of account add
    security: str = "tls"
    password: str = PLANTED
    spoil: object = None  # spoil(lab, name): after the account was added
    env: dict = dataclasses.field(default_factory=dict)
    maildir: object = None  # a function that makes the path's contents
    slow: object = False  # the server is silent; "hasty": emcli has no time to try TLS


def case(proto, security, what, check, said, **more):
    """One in which one check of one server is bad."""
    return Case(f"{proto}-{security}-{what}", {f"{proto}.{check}": said},
                security=security, **more)


def _certificates():
    for p in BOTH:
        for s in SECURITY:
            for name, said in CERTS.items():
                yield case(p, s, f"cert-{name}", "tls", said, cert={p: name})
    # A known authority does not make up for it.
    for s in SECURITY:
        said = ("is not the pinned one", "--pin")
        yield Case(f"{s}-pin-wrong", {f"{p}.tls": said for p in BOTH}, security=s,
                   flags={"pin": "A" * 43 + "="})


def _ways():
    """Names and ports."""
    for p in BOTH:
        for s in SECURITY:
            yield case(p, s, "port-closed", "tcp", ("connection refused",
                       "check host and port"), flags={f"{p}_port": "CLOSED"})
            yield case(p, s, "host-unknown", "dns", ("", "the spelling of the host"),
                       flags={f"{p}_host": "no-such-host.invalid"})
            yield case(p, s, "host-label-long", "dns", ("", ""),
                       flags={f"{p}_host": "x" * 70 + ".invalid"})
            yield case(p, s, "other-security", "tls" if s == "tls" else "greeting",
                       ("does not speak TLS", "security") if s == "tls" else SILENT,
                       slow="hasty" if s == "starttls" else False,
                       **{p: {"starttls": s == "tls"}})


def _logins():
    no_login = {"imap": ("no usable login", "--auth"),
                "smtp": ("no login that fits", "--auth")}
    for p in BOTH:
        none = ({"caps": "IMAP4rev1 LOGINDISABLED AUTH=GSSAPI"} if p == "imap"
                else {"auths": "GSSAPI"})
        oauth = ({"caps": "IMAP4rev1 SASL-IR AUTH=%s"} if p == "imap"
                 else {"auths": "%s"})
        for s in SECURITY:
            yield case(p, s, "no-mechanism", "login", no_login[p], **{p: none})
            yield case(p, s, "password-wrong", "login", ("refused the credentials",
                       PASSWORD), **{p: {"users": {"me": "another"}}})
            yield case(p, s, "user-unknown", "login", ("refused the credentials",
                       PASSWORD), **{p: {"users": {}}})
            for mech in "XOAUTH2", "OAUTHBEARER":
                kw = {k: v % mech for k, v in oauth.items()}
                other = "smtp" if p == "imap" else "imap"
                good = ({"caps": f"IMAP4rev1 SASL-IR AUTH={mech}"}
                        if other == "imap" else {"auths": mech})
                yield case(p, s, f"token-refused-{mech.lower()}", "login",
                           ("refused the credentials", PASSWORD),
                           notes={"token": ("not known", "consent")},
                           flags={"auth": "oauth2"},
                           **{p: {**kw, "tokens": ("another",)},
                              other: {**good, "tokens": (PLANTED,)}})
    yield Case("both-password-wrong", {
        "imap.login": ("refused", PASSWORD), "smtp.login": ("refused", PASSWORD)},
        password="wrong one")
    for p in BOTH:
        said = {"imap": ("no password", "account edit"),
                "smtp": ("no password", "account edit")}
        yield Case(f"{p}-password-gone", {"imap.login": said["imap"],
                                          "smtp.login": said["smtp"]},
                   security="tls" if p == "imap" else "starttls",
                   spoil=sql("update accounts set enc_password = null"))


def _starttls():
    yield case("imap", "starttls", "not-offered", "tls", ("no STARTTLS",
               "--imap-port 993"), imap={"hide_starttls": True})
    yield case("smtp", "starttls", "not-offered", "tls", ("not offer STARTTLS",
               "--smtp-port 465"), smtp={"hide_starttls": True})
    yield case("imap", "starttls", "preauth", "tls", ("no STARTTLS", "993"),
               imap={"fault": ("greeting", "preauth")})
    for p in BOTH:
        yield case(p, "starttls", "inject", "tls", ("in the clear before TLS", ""),
                   **{p: {"fault": ("starttls", "inject")}})
        for what in "close", "garbage":
            yield case(p, "starttls", f"starttls-{what}", "tls", ("", LATER),
                       **{p: {"fault": ("starttls", what)}})
        yield case(p, "starttls", "starttls-stall", "tls", SILENT, slow=True,
                   **{p: {"fault": ("starttls", "stall")}})
    for what in "no", "bad", "tag", "twice":
        # Twice: the second answer is bytes that came before TLS did.
        yield case("imap", "starttls", f"starttls-{what}", "tls", ("", ""),
                   slow=what == "tag", imap={"fault": ("starttls", what)})
    for what in b"454 4.7.0 no TLS now\r\n", b"502 5.5.1 what?\r\n":
        yield case("smtp", "starttls", f"starttls-{what[:3].decode()}", "tls",
                   ("", LATER), smtp={"fault": ("starttls", what)})


def _faults():
    """A step that goes wrong, in each way that step can."""
    steps = {
        # step: (check under tls, check under starttls, faults)
        ("imap", "greeting"): ("greeting", "greeting", (
            "stall", "close", "garbage", "bye", "endless", "cut:5")),
        ("imap", "login"): ("login", "login", (
            "stall", "close", "garbage", "bye", "no", "bad", "endless")),
        ("imap", "list"): ("folders", "folders", (
            "stall", "close", "garbage", "bye", "no", "cut:9")),
        ("imap", "id"): ("login", "login", ("close", "bye")),
        ("smtp", "greeting"): ("greeting", "greeting", (
            "stall", "close", "garbage", "bye", "endless", "lines", "mixed")),
        ("smtp", "auth"): ("login", "login", (
            "stall", "close", "garbage", "bye", "endless", "mixed")),
    }
    for (p, at), (tls, starttls, faults) in steps.items():
        for s, check in zip(SECURITY, (tls, starttls)):
            for what in faults:
                said = SILENT if what == "stall" else ("", "")
                if what in ("no", "bad") and at == "login":
                    said = ("refused the credentials", PASSWORD)
                yield case(p, s, f"{at}-{what.replace(':', '')}", check, said,
                           slow=what == "stall", **{p: {"fault": (at, what)}})
    for s, at in ("tls", "ehlo"), ("starttls", "ehlo2"):
        for what in "stall", "close", "garbage", "bye", "lines", "mixed":
            said = SILENT if what == "stall" else ("", LATER)
            yield case("smtp", s, f"ehlo-{what}", "ehlo", said,
                       slow=what == "stall", smtp={"fault": (at, what)})
    for p in BOTH:
        for what in "stall", "close":
            yield case(p, "tls", f"connect-{what}", "tls",
                       SILENT if what == "stall" else ("closed", ""),
                       slow=what == "stall", **{p: {"fault": ("connect", what)}})


def _files():
    gone = ("cannot be read", "account edit --ca")
    both = {"ca": gone, "imap.tls": gone, "smtp.tls": gone}

    def ca(change):
        def spoil(lab, name):
            change(lab.folder / f"{name}.ca")
        return spoil

    yield Case("ca-gone", both, flags={"ca": "OWN"}, spoil=ca(os.unlink))
    yield Case("ca-empty", {"imap.tls": gone, "smtp.tls": gone},
               flags={"ca": "OWN"}, spoil=ca(lambda p: p.write_text("")))
    yield Case("ca-garbage", {"imap.tls": gone, "smtp.tls": gone},
               flags={"ca": "OWN"}, spoil=ca(lambda p: p.write_text("no PEM\n")))
    yield Case("ca-a-folder", both, flags={"ca": "OWN"},
               spoil=ca(lambda p: (p.unlink(), p.mkdir())))
    for mode in 0o666, 0o664, 0o646:
        yield Case(f"ca-mode-{mode:o}", {"ca": ("others may write", "chmod 644")},
                   flags={"ca": "OWN"}, spoil=ca(lambda p, m=mode: p.chmod(m)))

    def attach(change):
        def spoil(lab, name):
            change(lab.folder / f"{name}.out")
        return spoil

    said = {"attach_dir": ("cannot be read", "--attach-dir")}
    yield Case("attach-gone", said, flags={"attach_dir": "OWN"},
               spoil=attach(os.rmdir))
    yield Case("attach-a-file", said, flags={"attach_dir": "OWN"},
               spoil=attach(lambda p: (p.rmdir(), p.touch())))
    yield Case("attach-open", {}, flags={"attach_dir": "OWN"},
               notes={"attach_dir": ("anybody", "chmod o-w")},
               spoil=attach(lambda p: p.chmod(0o777)))


def sql(text):
    def spoil(lab, name):
        with sqlite3.connect(lab.emcli.db, timeout=20) as db:
            db.execute(text + " where name = ?", (name,))
        db.close()
    return spoil


def _rows():
    """What somebody else did to the database."""
    wont = {"credentials": ("cannot be unsealed", "--password-file")}
    yield Case("sealed-garbage", wont,
               spoil=sql("update accounts set enc_password = randomblob(40)"))
    yield Case("sealed-short", wont,
               spoil=sql("update accounts set enc_password = x'00'"))
    yield Case("backend-unknown", {"account": ("not valid", "account edit")},
               spoil=sql("update accounts set backend = 'pop3'"))
    for column, check in (("imap_host", "imap.dns"), ("smtp_host", "smtp.dns")):
        yield Case(f"{column}-nonsense", {check: ("not valid", "account edit")},
                   spoil=sql(f"update accounts set {column} = 'a b/c'"))
    for p in BOTH:
        yield Case(f"{p}-pin-nonsense", {"imap.dns": ("pin", "account edit"),
                                         "smtp.dns": ("pin", "account edit")},
                   security="tls" if p == "imap" else "starttls",
                   spoil=sql("update accounts set tls_pin = 'short'"))


def _maildirs():
    def make(*parts):
        def fill(path):
            for part in parts:
                (path / part).mkdir(parents=True)
        return fill

    halves = ("cur", "new", "tmp")
    said = {"maildir.path": ("", "cur, new and tmp")}

    def spoil(change):
        return lambda lab, name: change(lab.folder / f"{name}.mail")

    yield Case("maildir-gone", said, maildir=make(*halves),
               spoil=spoil(lambda p: p.rename(p.with_suffix(".away"))))
    yield Case("maildir-a-file", said, maildir=make(),
               spoil=spoil(lambda p: (p.rmdir(), p.touch())))
    yield Case("maildir-empty", said, maildir=make())
    for half in halves:
        yield Case(f"maildir-no-{half}", said,
                   maildir=make(*[h for h in halves if h != half]))
    yield Case("maildir-site-of-others", said,
               maildir=make(*[f"bob@lab.example/{h}" for h in halves]))

    def linked(path):
        for half in halves:
            (path / half).symlink_to("/etc")
    yield Case("maildir-links", said, maildir=linked)


def _notes():
    """What works, and might work better."""
    more = "IMAP4rev1 LITERAL+ ID ENABLE ESEARCH LIST-EXTENDED SPECIAL-USE UIDPLUS"
    for cap in "ESEARCH", "SPECIAL-USE", "UIDPLUS", "LITERAL+":
        yield Case(f"imap-no-{cap.lower().strip('+')}", {},
                   notes={"imap.capabilities": (f"no {cap}:", "")},
                   imap={"more_caps": more.replace(" " + cap, "")})
    yield Case("imap-all-capabilities", {}, imap={"more_caps": more})
    for name, kw in (("PIPELINING", {"pipelining": False}),
                     ("8BITMIME", {"eightbit": False}),
                     ("SMTPUTF8", {"utf8": False}), ("SIZE", {"size": None})):
        yield Case(f"smtp-no-{name.lower()}", {}, smtp=kw,
                   notes={"smtp.ehlo": (f"no {name}", "")})
    for name, off, said in (("ahead", -7200, "ahead of the server's"),
                            ("behind", 7200, "behind the server's"),
                            ("right", 0, None), ("zone", 0, None)):
        def greeting(off=off, name=name):
            clock = time.strftime("%a, %d %b %Y %H:%M:%S",
                                  time.gmtime(time.time() + off))
            zone = "GMT" if name == "zone" else "+0000"
            return "greeting", f"220 mx ESMTP; {clock} {zone}\r\n".encode()
        yield Case(f"smtp-clock-{name}", {}, smtp={"fault": greeting},
                   notes={"smtp.clock": (said, "timedatectl")} if said else {})
    yield Case("smtp-clock-nonsense", {}, smtp={
        "fault": ("greeting", b"220 mx Mon, 99 Foo 2026 25:61:61 +0000\r\n")})
    yield Case("all-good", {})
    yield Case("all-good-starttls", {}, security="starttls")


def _proxies():
    refused = ("connection refused", "check host and port")
    unread = ("proxy", "")
    yield Case("proxy-closed", {"imap.tcp": refused, "smtp.tcp": refused},
               flags={"imap_host": "h.lab.example", "smtp_host": "h.lab.example"},
               env={"ALL_PROXY": "socks5h://127.0.0.1:CLOSED"})
    yield Case("proxy-nonsense", {"imap.dns": unread, "smtp.dns": unread},
               flags={"imap_host": "h.lab.example", "smtp_host": "h.lab.example"},
               env={"ALL_PROXY": "gopher://nowhere"})


def cases():
    out = []
    for make in (_certificates, _ways, _logins, _starttls, _faults, _files, _rows,
                 _maildirs, _notes, _proxies):
        out += list(make())
    assert len({c.id for c in out}) == len(out)
    return out
