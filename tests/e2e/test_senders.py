# SPDX-License-Identifier: Apache-2.0
"""
Whose mail a whitelist entry with --auth dmarc lets be seen: what a pinned mail
server says of it, or a DKIM signature.  A forged message is nowhere.
"""
import re

import pytest

import dkim
import island
from mail import message, subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")
BOSS = "boss@b.example"
ID = "mx.lab.example"
BORDER = ("Received: from mail.b.example (mail.b.example [192.0.2.9])\r\n"
          "\tby mx.lab.example (Postfix) with ESMTPS id 4X\r\n"
          "\tfor <agent@lab.example>; Sun, 21 Jun 2026 10:00:00 +0000\r\n").encode()


def said(result="pass", domain="b.example"):
    return (f"Authentication-Results: {ID};\r\n"
            f"\tdmarc={result} header.from={domain}\r\n").encode()


PASS, FAIL = said(), said("fail")
ELSE = b"Authentication-Results: mx.e.example; dmarc=pass header.from=b.example\r\n"



def field(text, who=ID):
    return f"Authentication-Results: {who};\r\n\t{text}\r\n".encode()


FROM = "header.from=b.example"

# Above a message that says it is from the boss: what the server and a stranger
# may have written, and whether it is to be believed.
HEADS = {
    "genuine": (PASS + BORDER, True),
    "genuine, below": (BORDER + PASS, True),
    "failed": (FAIL + BORDER, False),
    "not said": (BORDER, False),
    "forged below": (FAIL + BORDER + PASS, False),
    "forged beside": (BORDER + FAIL + PASS, False),
    "forged further below": (BORDER + b"Received: from a by b; d\r\n" + PASS, False),
    "forged by another": (ELSE + BORDER, False),
    # Nobody took it in from outside: the words are the server's own.
    "no trace of a border": (PASS, True),
    "a border of another": (BORDER.replace(b"mx.lab", b"mx.evil") + PASS, False),
    "another domain": (said("pass", "c.example") + BORDER, False),
    "its sub-domain": (said("pass", "a.b.example") + BORDER, False),
    "a domain around it": (said("pass", "b.example.evil.example") + BORDER, False),
    "no domain": (field("dmarc=pass") + BORDER, False),
    "other methods": (field("spf=pass smtp.mailfrom=b.example; dkim=pass header.d=b.example")
                      + BORDER, False),
    "passed in a comment": (field(f"dmarc=fail (dmarc=pass) {FROM}") + BORDER, False),
    "passed in a reason": (field(f'dmarc=fail reason="dmarc=pass {FROM}" {FROM}') + BORDER, False),
    "passed and failed": (field(f"dmarc=pass {FROM}; dmarc=fail {FROM}") + BORDER, False),
    "failed and passed": (field(f"dmarc=fail {FROM}; dmarc=pass {FROM}") + BORDER, False),
    "said for another, too": (field(f"dmarc=pass header.from=c.example; dmarc=fail {FROM}")
                              + BORDER, False),
    "a server named alike": (field(f"dmarc=pass {FROM}", "mx.lab.example.evil.example") + BORDER,
                             False),
    "a server in a comment": (field(f"dmarc=pass {FROM}", f"mx.e.example ({ID})") + BORDER, False),
    "a version to come": (field(f"dmarc=pass {FROM}", f"{ID} 2") + BORDER, False),
    "a version": (field(f"dmarc=pass {FROM}", f"{ID} 1") + BORDER, True),
    "in capitals": (field(f"DMARC=PASS {FROM.upper()}", ID.upper()) + BORDER, True),
    "two Froms": (PASS + BORDER + b"From: eve@evil.example\r\n", False),
    "two Froms alike": (PASS + BORDER + f"From: {BOSS}\r\n".encode(), False),
    "in a field named alike": (b"X-" + PASS + BORDER, False),
    "in the subject": (b"Subject: x\r\n " + PASS + BORDER, False),
}


def boss(subject, head=b"", **more):
    return head + message(sender=BOSS, subject=subject, **more)


def dmarc(emcli, *entries):
    emcli.whitelist("in", "--auth", "dmarc", *entries)


# No mailbox here has had so many messages: a server's uids go on from test to test.
ABSENT = 4000000


def hidden(visible, total):
    """The uids of the others, where the first message is seen."""
    first = min(visible)
    return sorted(set(range(first, first + total)) - visible)


def nowhere(run, uid, absent=ABSENT):
    """No operation tells the message from one that is not there."""
    for argv in (("get",), ("ack",)):
        gone, never = (run(*argv, *BOX, "--uid", n) for n in (uid, absent))
        assert gone.code == "not_found" and gone.out == never.out, argv
    to = ("send", "--account", "work", "--folder", "INBOX", "--to", BOSS,
          "--subject", "Re: x", "--body", "y", "--reply-to")
    gone, never = run(*to, uid), run(*to, absent)
    assert gone.rc != 0 and gone.code != "usage" and gone.out == never.out
    return True


# -- a pinned server

class Box:
    """A mailbox of either kind, its messages by their subjects."""

    def __init__(self, emcli, deliver):
        self.emcli, self.deliver = emcli, deliver
        self.run = emcli.run


@pytest.fixture(params=["maildir", "imap"])
def pinned(request, emcli, site, dovecot, postfix):
    flags = dict(whitelist_in="on", process_backlog=True, authserv_id=ID, mode="RW")
    if request.param == "maildir":
        emcli.account_maildir(site.path, **flags)
        box = Box(emcli, lambda raw: site.deliver("agent", raw))
    else:
        emcli.account_imap(dovecot, postfix, **flags)
        box = Box(emcli, lambda raw: dovecot.append("agent", raw))
    dmarc(emcli, BOSS)
    emcli.whitelist("in", "alice@lab.example")
    return box


def test_only_what_the_server_vouches_for_is_there(pinned):
    for name, (head, _) in HEADS.items():
        pinned.deliver(boss(name, head))
    want = [name for name, (_, good) in HEADS.items() if good]
    seen = pinned.run("list", *BOX)
    assert sorted(subjects(seen)) == sorted(want)
    for row in seen.data["messages"]:
        assert (row["sender_auth"], row["sender_auth_by"]) == ("pass", "authserv")
    assert sorted(subjects(pinned.run("search", *BOX, "--from", "boss"))) == sorted(want)
    assert sorted(subjects(pinned.run("search", *BOX, "--text", "words"))) == sorted(want)
    visible = set(uids(seen))
    for uid in visible:
        assert pinned.run("get", *BOX, "--uid", uid).data["sender_auth"] == "pass"
    # Whatever was forged, list and search agree on it; a few of them by number, too.
    for uid in hidden(visible, len(HEADS))[::6]:
        assert nowhere(pinned.run, uid)
    assert pinned.run("ack", *BOX, "--uid", min(visible)).rc == 0


def test_a_plain_entry_shows_what_the_server_said(pinned):
    for result in "pass", "fail", "none", "temperror":
        pinned.deliver(said(result, "lab.example") + BORDER + message(subject=result))
    rows = {r["subject"]: r for r in pinned.run("list", *BOX).data["messages"]}
    assert {s: r["sender_auth"] for s, r in rows.items()} == {
        "pass": "pass", "fail": "fail", "none": "none", "temperror": "none"}


def test_a_page_is_full_whatever_was_forged(pinned):
    """Refilling asks the server for the senders of either kind of entry."""
    for i in range(12):
        pinned.deliver(boss(f"good {i}", PASS + BORDER))
        for _ in range(5):
            pinned.deliver(boss("forged", BORDER))
            pinned.deliver(message(sender="x@evil.example"))
    page = pinned.run("list", *BOX, "--limit", "10")
    assert subjects(page) == [f"good {i}" for i in range(11, 1, -1)]


def test_a_domain_beyond_ascii_is_one_in_either_spelling(pinned):
    dmarc(pinned.emcli, "@b\u00fccher.example")
    head = said("pass", "xn--bcher-kva.example") + BORDER
    pinned.deliver(head + message(sender="a@b\u00fccher.example", subject="u"))
    pinned.deliver(head + message(sender="a@xn--bcher-kva.example", subject="a"))
    pinned.deliver(head + message(sender="a@bucher.example", subject="plain"))
    assert sorted(subjects(pinned.run("list", *BOX))) == ["a", "u"]


# -- signatures

@pytest.fixture(scope="module")
def keys():
    return {"k": dkim.Key("rsa", 2048), "ed": dkim.Key("ed25519"),
            "big": dkim.Key("rsa", 4096), "weak": dkim.Key("rsa", 1024),
            "small": dkim.Key("rsa", 768)}


@pytest.fixture
def signed(emcli, site, certs, tmp_path, keys):
    """signed(subject, raw) delivers; .run runs where the keys are known."""
    def strings(text):
        return [text[i:i + 200] for i in range(0, len(text), 200)]

    def name(selector, domain="b.example"):
        return f"{selector}._domainkey.{domain}"
    txt = {name(s): [strings(k.record())] for s, k in keys.items()}
    txt[name("k", "example.org")] = [strings(keys["k"].record())]
    txt[name("k", "c.example")] = [strings(keys["k"].record())]
    txt[name("k", "a.b.example")] = [strings(keys["k"].record())]
    txt[name("revoked")] = [["v=DKIM1; p="]]
    txt[name("strict")] = [strings(keys["k"].record("t=s; "))]
    place = island.Island(certs, tmp_path / "island", txt=txt, tcp=[name("big")])
    emcli.account_maildir(site.path, whitelist_in="on", process_backlog=True, mode="RW")
    dmarc(emcli, BOSS)

    class Signed:
        def __call__(self, raw):
            site.deliver("agent", raw)

        @staticmethod
        def run(*argv, at=place):
            emcli.place = at
            return emcli.run(*argv)
        asked = place.asked
    return Signed()


def variants(keys):
    """(subject, raw, good?)"""
    k = keys["k"]

    def mail(subject, **more):
        return boss(subject, **more)
    yield "rsa", k.sign(mail("rsa"), "b.example"), True
    yield "simple", k.sign(mail("simple"), "b.example", how="simple/simple"), True
    yield "mixed", k.sign(mail("mixed", body="a  b \r\n\r\n\r\n"), "b.example",
                          how="relaxed/simple"), True
    yield "lf", k.sign(mail("lf"), "b.example").replace(b"\r\n", b"\n"), True
    yield "ed25519", keys["ed"].sign(mail("ed25519"), "b.example", "ed"), True
    yield "by tcp", keys["big"].sign(mail("by tcp"), "b.example", "big"), True
    yield "1024 bits", keys["weak"].sign(mail("1024 bits"), "b.example", "weak"), True
    yield "768 bits", keys["small"].sign(mail("768 bits"), "b.example", "small"), False
    yield "oversigned", k.sign(mail("oversigned"), "b.example",
                               names="from:from:to:subject:subject:date"), True
    yield "replayed", (b"Received: from e.example by mx; d\r\nX-New: 1\r\n"
                       + k.sign(mail("replayed"), "b.example")), True
    yield "two, one bad", keys["ed"].sign(
        k.sign(mail("two, one bad"), "b.example", "ed"), "b.example", "ed"), True
    yield "i= within", k.sign(mail("i= within"), "b.example", more=" i=x@a.b.example;"), True
    yield "none", mail("none"), False
    yield "wrong key", k.sign(mail("wrong key"), "b.example", "ed"), False
    yield "no key", k.sign(mail("no key"), "b.example", "absent"), False
    yield "revoked", k.sign(mail("revoked"), "b.example", "revoked"), False
    yield "strict", k.sign(mail("strict"), "b.example", "strict",
                           more=" i=x@a.b.example;"), False
    yield "partial", k.sign(mail("partial", body="words\r\n"), "b.example",
                            more=" l=7;") + b"more\r\n", False
    yield "expired", k.sign(mail("expired"), "b.example", more=" x=1500000000;"), False
    yield "future", k.sign(mail("future"), "b.example", more=" t=99999999999;"), False
    yield "neighbour", k.sign(mail("neighbour"), "c.example"), False
    yield "sub-domain", k.sign(mail("sub-domain"), "a.b.example"), False
    yield "from not signed", k.sign(mail("from not signed"), "b.example",
                                    names="to:subject:date"), False
    yield "another body", k.sign(mail("another body"), "b.example") + b"more\r\n", False
    yield "another subject", k.sign(mail("another subjecu"), "b.example").replace(
        b"subjecu", b"subject"), False
    yield "a subject more", b"Subject: a subject more\r\n" + k.sign(
        mail("a subject more"), "b.example"), False
    yield "two froms", b"From: eve@b.example\r\n" + k.sign(mail("two froms"), "b.example"), False
    yield "two froms, signed", k.sign(b"From: eve@b.example\r\n" + mail("two froms, signed"),
                                      "b.example", names="from:from:subject"), False
    yield "moved", k.sign(message(sender="x@b.example", subject="moved"), "b.example").replace(
        b"x@b.example", BOSS.encode()), False


def test_only_what_is_signed_is_there(signed, keys):
    want, all_of_it = [], []
    for name, raw, good in variants(keys):
        signed(raw)
        all_of_it.append(name)
        want += [name] if good else []
    seen = signed.run("list", *BOX)
    assert sorted(subjects(seen)) == sorted(want)
    for row in seen.data["messages"]:
        assert (row["sender_auth"], row["sender_auth_by"]) == ("pass", "dkim")
    assert sorted(subjects(signed.run("search", *BOX, "--subject-contains", "e"))) == sorted(
        n for n in want if "e" in n)
    assert sorted(subjects(signed.run("search", *BOX, "--text", "words"))) == sorted(
        n for n in want if n != "mixed")
    visible = set(uids(seen))
    for uid in sorted(visible)[::4]:
        got = signed.run("get", *BOX, "--uid", uid).data
        assert (got["sender_auth"], got["sender_auth_by"]) == ("pass", "dkim")
    for uid in hidden(visible, len(all_of_it))[::6]:
        assert nowhere(signed.run, uid)
    assert signed.run("ack", *BOX, *(f"--uid={u}" for u in visible)).rc == 0


def test_a_key_is_asked_for_once(signed, keys):
    for i in range(5):
        signed(keys["k"].sign(boss(f"s{i}"), "b.example"))
    assert len(subjects(signed.run("list", *BOX))) == 5
    assert signed.asked() == ["TXT k._domainkey.b.example"]


def test_a_parent_domain_vouches_for_its_own(signed, keys, emcli):
    dmarc(emcli, "@news.b.example")
    signed(keys["k"].sign(message(sender="x@news.b.example", subject="n"), "b.example"))
    signed(keys["k"].sign(message(sender="x@news.c.example", subject="m"), "b.example"))
    assert subjects(signed.run("list", *BOX)) == ["n"]


def test_without_an_answer_nothing_is_seen(signed, keys, certs, tmp_path):
    signed(keys["k"].sign(boss("s"), "b.example"))
    deaf = island.Island(certs, tmp_path / "deaf", deaf=True)
    assert subjects(signed.run("list", *BOX, at=deaf)) == []
    assert subjects(signed.run("list", *BOX)) == ["s"]


def test_a_plain_entry_is_verified_when_it_is_read(signed, keys, emcli, certs, tmp_path):
    emcli.whitelist("in", BOSS)
    signed(keys["k"].sign(boss("good"), "b.example"))
    signed(keys["k"].sign(boss("bad"), "b.example") + b"more\r\n")
    signed(boss("none"))
    rows = signed.run("list", *BOX).data["messages"]
    assert {r["sender_auth"] for r in rows} == {"unchecked"}
    assert {r["sender_auth_by"] for r in rows} == {None}
    assert signed.asked() == []
    got = [signed.run("get", *BOX, "--uid", u).data for u in (1, 2, 3)]
    assert [g["sender_auth"] for g in got] == ["pass", "fail", "none"]
    deaf = island.Island(certs, tmp_path / "deaf", deaf=True)
    got = signed.run("get", *BOX, "--uid", 1, at=deaf).data
    assert got["sender_auth"] == "unchecked" and got["subject"] == "good"


def test_there_is_an_end_to_verifying(signed, emcli):
    for i in range(201):
        signed(boss(f"s{i}"))
    r = signed.run("list", *BOX)
    assert r.code == "limit" and "verify" in r.json["error_detail"]["message"]
    # What needs no proof is not asked for any, however much there is of it.
    emcli.whitelist("in", BOSS)
    assert len(subjects(signed.run("list", *BOX))) == 50


def test_a_pinned_server_is_asked_alone(signed, keys, emcli):
    r = emcli.admin("account", "edit", "work", "--authserv-id", ID)
    assert r.rc == 0, str(r)
    signed(keys["k"].sign(boss("signed"), "b.example"))
    signed(PASS + BORDER + boss("vouched"))
    assert subjects(signed.run("list", *BOX)) == ["vouched"]
    assert signed.asked() == []


def test_doctor_tells_what_verifying_costs(signed, emcli):
    def line():
        rows = emcli.run("doctor", "--account", "work").data["checks"]
        return [c for c in rows if c["check"] == "senders"][0]
    assert re.search("costs a body per message", line()["message"])
    emcli.admin("account", "edit", "work", "--authserv-id", ID)
    assert ID in line()["message"]
