# SPDX-License-Identifier: Apache-2.0
"""Whom to believe: what init and the forms see in the newest mail, what they propose for it, and
what a list is worth where nothing tells who sent a message."""
import json
import os
import subprocess

import pytest

import cli
import dkim
import island
import tui
from firstrun import First
from mail import message
from test_admin import good
from test_senders import BORDER, ELSE, FAIL, ID, PASS, said

ME = "agent@lab.example"
BOSS = "boss@b.example"


@pytest.fixture
def first(tmp_path):
    return First(tmp_path / "home")


def init(first, site, *argv, folder=None):
    return first.admin("init", "--backend", "maildir", "--path", folder or site.box("agent"),
                       "--from", ME, "--account", "work", "--whitelist-in", "on", "--allow-in",
                       BOSS, *argv, env={"EMCLI_DB": str(first.db)})


def deliver(site, *heads):
    for i, head in enumerate(heads):
        site.deliver("agent", head + message(sender=BOSS, subject=f"m{i}"))


def row(first):
    [account], _, _ = first.rows()
    return account["authserv_id"], account["whitelist_auth"]


def entries(first, account="work"):
    out = good(first.admin("whitelist", "in", "list", "--account", account, "--json",
                           env={"EMCLI_DB": str(first.db)}))
    return json.loads(out)["dmarc"]


def seen(first, account="work"):
    r = first.run("list", "--account", account, "--folder", "INBOX",
                  env={"EMCLI_DB": str(first.db)})
    return sorted(m["subject"] for m in r.data["messages"])


# Heads of the newest mail, newest last, and the server that is proposed.
BOXES = {
    "all of it": ([PASS + BORDER] * 3, ID),
    "whatever it says": ([FAIL + BORDER, said("none") + BORDER, PASS + BORDER], ID),
    "half of it": ([PASS + BORDER, BORDER] * 2, ID),
    "less than half": ([PASS + BORDER, BORDER, BORDER], None),
    "one forged message of three": ([ELSE, BORDER, BORDER], None),
    "forged below the border": ([BORDER + b"X: y\r\n" + ELSE] * 3, None),
    "its own beside what was forged": ([PASS + BORDER + ELSE] * 3, ID),
    "no server": ([BORDER] * 3, None),
    "only the newest twenty": ([BORDER] * 30 + [PASS + BORDER] * 20, ID),
    "nothing at all": ([], None),
}


@pytest.mark.parametrize("box", BOXES)
def test_what_the_newest_mail_tells_is_taken_with_a_yes(first, site, box):
    heads, want = BOXES[box]
    deliver(site, *heads)
    out = good(init(first, site, "--yes"))
    assert row(first) == (want, "dmarc" if want else "none")
    assert entries(first) == [BOSS] * bool(want)
    assert (f"{ID} authenticates" in out) == bool(want)
    assert ("only the From line of listed" in out) == (not want)
    if box == "all of it":
        site.deliver("agent", BORDER + message(sender=BOSS, subject="forged"))
        assert seen(first) == ["m0", "m1", "m2"]


def test_without_a_yes_nothing_is_taken_and_that_is_said(first, site):
    deliver(site, PASS + BORDER)
    out = good(init(first, site))
    assert row(first) == (None, "none") and entries(first) == []
    assert "only the From line of listed senders is compared, which anybody can write" in out
    assert "emcli account edit work" in out


@pytest.mark.parametrize("argv, want, list_", [
    (("--whitelist-auth", "none"), (None, "none"), []),
    (("--authserv-id", "mx.else.example"), ("mx.else.example", "none"), []),
    (("--whitelist-auth", "dmarc", "--authserv-id", ID, "--no-test"), (ID, "dmarc"), [BOSS]),
])
def test_what_was_said_is_not_looked_for(first, site, argv, want, list_):
    deliver(site, PASS + BORDER)
    out = good(init(first, site, "--yes", *argv))
    assert "newest" not in out
    assert row(first) == want and entries(first) == list_


@pytest.mark.parametrize("answer, want", [("", (ID, "dmarc")), ("none", (ID, "none"))])
def test_the_forms_propose_it(first, site, answer, want):
    deliver(site, PASS + BORDER, PASS + BORDER)
    argv = ("--backend", "maildir", "--path", site.box("agent"), "--from", ME, "--account", "work")
    env = {"EMCLI_KEY": first.agent_key, "EMCLI_ADMIN_KEY": first.admin_key}
    with first.screen(*[str(a) for a in argv], **env) as s:
        s.wait("Mail address")
        s.press("Enter")
        s.wait("Maildir")
        s.press("Enter")
        s.wait("Only listed senders")
        s.press("Enter")
        s.wait(rf"{ID} authenticates 2 of the newest[\s\S]*Senders vouched by +{ID}\n"
               r" +Proof of senders +dmarc")
        if answer:
            s.choose("Proof of senders", "none")
        s.press("Enter")
        s.wait(f"0 entries{'' if answer else f', authenticated by {ID}'}\n"
               r"[\s\S]*Write it down")
        s.press("Enter")
        assert s.end() == 0
    assert row(first) == want


def test_where_nothing_tells_the_form_says_what_that_means(first, site):
    deliver(site, BORDER)
    env = {"EMCLI_KEY": first.agent_key, "EMCLI_ADMIN_KEY": first.admin_key}
    with first.screen("--backend", "maildir", "--path", str(site.box("agent")), "--from", ME,
                      "--allow-in", BOSS, **env) as s:
        for page in "Mail address", "Maildir", "Only listed senders +on":
            s.wait(page)
            s.press("Enter")
        s.wait(r"None of your servers[\s\S]*only the From line[\s\S]*Proof of senders +none")
        s.press("Enter")
        s.wait(r"1 entry, compared by the From line only\n[\s\S]*Write it down")
        s.press("C-c")
        assert s.end() == 2


def test_signatures_do_where_no_server_tells(first, site, certs, tmp_path):
    key = dkim.Key("ed25519")
    place = island.Island(certs, tmp_path / "island",
                          txt={"k._domainkey.b.example": [[key.record()]]})
    for i in range(3):
        raw = message(sender=BOSS, subject=f"m{i}")
        site.deliver("agent", key.sign(raw, "b.example") if i else raw)
    env = first.environment(EMCLI_KEY=first.agent_key, EMCLI_ADMIN_KEY=first.admin_key,
                            EMCLI_DB=str(first.db))
    argv = place.argv([first.binary, "init", "--backend", "maildir", "--path",
                       str(site.box("agent")), "--from", ME, "--account", "work", "--yes"])
    done = subprocess.run(argv, env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    cli.no_report(done.stderr)
    assert done.returncode == 0, done
    assert b"DKIM signatures of 2 of the newest 3" in done.stdout
    assert row(first) == (None, "dmarc")


# -- an account that is there

@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, whitelist_in="on", process_backlog=True)
    return emcli


def edit(emcli):
    env = {"EMCLI_ADMIN_KEY": emcli.admin_key, "TERM": "xterm-256color"}
    return tui.Screen([emcli.binary, "account", "edit", "work"], emcli.environment(**env),
                      emcli.folder)


def show(emcli):
    a = json.loads(good(emcli.admin("account", "show", "work", "--json")))
    return a["authserv_id"], a["whitelist_auth"]


def test_the_form_of_an_account_proposes_it(work, site):
    deliver(site, PASS + BORDER)
    assert show(work) == ("", "none")
    with edit(work) as s:
        for page in ("Mail is kept by", "Maildir", "Only listed senders", "limit|any",
                     "User name", "Send ID after login", "Mailing list"):
            s.wait(page)
            s.press("Enter")
        s.wait(rf"{ID} authenticates 1[\s\S]*Senders vouched by +{ID}\n +Proof of senders +dmarc")
        s.press("Enter")
        s.wait(rf"Senders vouched by: nothing -> {ID}\n +Proof of senders: none -> dmarc")
        assert show(work) == ("", "none")
        s.press("Enter")
        assert s.end() == 0
    assert show(work) == (ID, "dmarc")


def test_what_keeps_from_looking_keeps_from_nothing_else(work, site):
    os.rename(site.box("agent"), f"{site.box('agent')}.away")
    with edit(work) as s:
        for page in ("Mail is kept by", "Maildir", "Only listed senders", "limit|any",
                     "User name", "Send ID after login", "Mailing list"):
            s.wait(page)
            s.press("Enter")
        s.wait(r"could not be read[\s\S]*Proof of senders +none")
        s.press("Enter")
        s.wait("Nothing was changed")
        s.press("Enter")
        assert s.end() == 0


def test_an_entry_asks_what_the_account_asks_and_says_so(work):
    add = ("whitelist", "in", "add", "--account", "work")
    out = good(work.admin(*add, "a@b.example"))
    assert "added a@b.example\n" in out and "--auth none, the account's default" in out
    assert "only the From line is compared" in out
    good(work.admin("account", "edit", "work", "--whitelist-auth", "dmarc", "--authserv-id", ID))
    # What is there stays as it was.
    assert "a@b.example\n" in good(work.admin("whitelist", "in", "list", "--account", "work"))
    out = good(work.admin(*add, "c@b.example"))
    assert "added c@b.example (dmarc)" in out and "--auth dmarc, the account's default" in out
    out = good(work.admin(*add, "--auth", "none", "d@b.example"))
    assert "the account's default" not in out and "only the From line is compared" in out
    listed = good(work.admin("whitelist", "in", "list", "--account", "work"))
    assert listed.startswith("a@b.example\nc@b.example dmarc\nd@b.example\n")
    # Recipients are asked for nothing.
    out = good(work.admin("whitelist", "out", "add", "--account", "work", "a@b.example"))
    assert "--auth" not in out


def checks(emcli):
    return {c["check"]: c for c in emcli.run("doctor").json["data"]["checks"]
            if c["check"].startswith("senders")}


def test_doctor_notes_a_list_that_trusts_the_from_line(work):
    assert checks(work) == {}
    work.whitelist("in", BOSS)
    found = checks(work)
    assert set(found) == {"senders.from"} and found["senders.from"]["ok"]
    assert "which anybody can write" in found["senders.from"]["message"]
    good(work.admin("whitelist", "in", "add", "--account", "work", "--auth", "dmarc", BOSS))
    assert set(checks(work)) == {"senders"}
    good(work.admin("whitelist", "in", "add", "--account", "work", "--auth", "none", "@c.example"))
    good(work.admin("whitelist", "in", "off", "--account", "work"))
    assert set(checks(work)) == {"senders"}
