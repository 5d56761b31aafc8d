# SPDX-License-Identifier: Apache-2.0
"""
What a call costs tells nothing of what policy hides.

An agent that cannot see a message could still ask a server whether a word is in
it, if the answer took one round trip more.  So every question is asked twice,
of a mailbox with hidden mail and of the same without, and of words that hidden
mail holds and of words that no mail does: the trips to the server are counted,
by a proxy or by the server, and are as many.
"""

import itertools
import json
import re

import pytest

import cli
import flights
import google as gmail
import jmapd
from mail import message, uids
from oauthlab import google_emulator, npm  # noqa: F401
import servers
import test_gmail as on_gmail
import test_jmap as on_jmap

ALICE, BOB = "alice@lab.example", "bob@lab.example"
EVE = "eve@evil.example"
ID = "mx.lab.example"

# Each word is in the header and the body of hidden mail of one kind alone.
HIDDEN = {
    "walrus": EVE,
    "ocelot": BOB,  # of the listed sender's own domain
    "jackal": f'"{ALICE}" <{EVE}>',
    "badger": f"{ALICE}\r\nFrom: {EVE}",
    "ferret": "",
}
WORDS = (*HIDDEN, "nowhere", "plan")
FEW = ("walrus", "nowhere", "plan")


def mails(policy):
    """[(raw, hidden)]: three that are seen, and around them what is hidden."""
    out = []
    for i in range(3):
        out.append((policy.good(message(sender=ALICE, subject=f"plan {i}", mid=f"<seen{i}@t>")),
                    False))
        for k, (word, sender) in enumerate(HIDDEN.items()):
            out.append((policy.bad(message(
                sender=sender.replace("<", f"{word} <") if "<" in sender else sender,
                subject=f"plan {word}", body=f"{word} words\r\n", mid=f"<{word}{i}@t>",
                extra=f"References: <seen{i}@t>\r\nCc: {word} <{word}@t>\r\n")), True))
    return out


class Listed:
    flags = {"whitelist_in": "on"}
    entries = (ALICE,),

    def good(self, raw):
        return raw

    bad = good


class Many(Listed):
    """More domains than fit into a command."""
    entries = (ALICE, *(f"@d{i}.a-rather-long-name-of-a-domain.example" for i in range(300))),


class Beyond(Listed):
    """A domain in two spellings, of which the end is one."""
    entries = (ALICE, "@b\u00fccher.example"),


class Pinned(Listed):
    flags = {"whitelist_in": "on", "authserv_id": ID}
    entries = ("--auth", "dmarc", ALICE),

    def good(self, raw):
        return (f"Authentication-Results: {ID}; dmarc=pass header.from=lab.example\r\n"
                f"Received: from b by {ID} with ESMTPS; Sun, 21 Jun 2026 10:00:00 +0000\r\n"
                ).encode() + raw


class Subject(Listed):
    """No list at all, and a rule that a server cannot be asked for."""
    flags = {"subject_regex": "^plan [0-9]$"}
    entries = ()


POLICIES = {p.__name__.lower(): p for p in (Listed, Many, Beyond, Pinned, Subject)}
BOX = ("--account", "work", "--folder")


def questions(folder, words=WORDS):
    """
    A text search for each word, and of every other kind of question one for a
    word that hidden mail holds.  With all the words each kind is also asked for
    a word that no mail holds.
    """
    box = (*BOX, folder)
    for word in words:
        yield "search", *box, "--text", word
    hidden = itertools.cycle(words[:-2])
    for kind in (
            lambda word: ("search", *box, "--from", word),
            lambda word: ("search", *box, "--to", word),
            lambda word: ("search", "--account", "work", "--all-folders", "--to", word),
            lambda word: ("search", *box, "--subject-contains", word),
            lambda word: ("search", *box, "--message-id", f"<{word}0@t>"),
            lambda word: ("search", *box, "--text", word, "--limit", "1", "--since", "2026-06-01"),
            lambda word: ("read-thread", f"<{word}0@t>", "--account", "work"),
            lambda word: ("search-threads", "--phrase", word, "--account", "work"),
            lambda word: ("search-threads", "--to", word, "--account", "work")):
        yield kind(next(hidden))
        if words == WORDS:
            yield kind("nowhere")


def ask(emcli, count, what):
    """{question: what it cost, what was said}"""
    out = {}
    for argv in what:
        if not out:  # what is only learned by a first call
            emcli.run(*argv)
            count()
        r = emcli.run(*argv)
        assert r.rc == 0 or r.code in ("not_found", "unsupported"), str(r)
        out[argv] = count(), r.out
    return out


def without_nowhere(what):
    """A word that no mail holds is one more like those that none holds any longer."""
    return [argv for argv in what if not any("nowhere" in a for a in argv)]


def of_one_kind(told):
    """What one kind of question cost, whatever the word was."""
    kinds = {}
    for (verb, *argv), (cost, out) in told.items():
        word = next((w for w in WORDS for a in argv if w in a), None)
        if word in (None, "plan"):  # that one is seen
            continue
        kind = verb, tuple(a.replace(word, "WORD") for a in argv)
        kinds.setdefault(kind, {}).setdefault((cost, out.replace(word.encode(), b"WORD")),
                                              []).append(word)
    return kinds


def set_up(emcli, policy, add):
    add(emcli, process_backlog=True, **policy.flags)
    for entry in policy.entries:
        emcli.whitelist("in", *entry)


def same(with_hidden, without):
    for kind, costs in of_one_kind(with_hidden).items():
        assert len(costs) == 1, f"{kind}: {costs}"
    assert without
    for argv, told in without.items():
        assert with_hidden[argv] == told, argv
    seen = [out for argv, (_, out) in with_hidden.items() if "plan" in argv]
    assert any(b'"plan 0"' in out for out in seen), "nothing was found"


def cli_at(tmp_path, which):
    e = cli.Emcli(tmp_path / which)
    e.init()
    return e


# IMAP


@pytest.mark.parametrize("name", POLICIES)
def test_imap(dovecot, certs, tmp_path, name):
    policy = POLICIES[name]()
    # Every kind of hidden mail where a sender's list hides it, and where a server's word does.
    words = WORDS if name in ("listed", "pinned") else FEW
    c = dovecot.client("agent")
    dovecot.doveadm("mailbox", "create", "-u", servers.address("agent"), "Cost")
    told = []
    try:
        hidden = [dovecot.append("agent", raw, "Cost") for raw, gone in mails(policy) if gone or
                  not dovecot.append("agent", raw, "Cost")]
        with flights.Flights(certs.good, dovecot.imaps) as proxy:
            for which in "with", "without":
                if which == "without":
                    c.select("Cost")
                    c.uid("STORE", ",".join(map(str, hidden)), "+FLAGS", "(\\Deleted)")
                    c.expunge()
                e = cli_at(tmp_path, which)
                set_up(e, policy, lambda e, **flags: e.account_imap(
                    dovecot, imap_port=proxy.port, list_folder="Cost", **flags))
                asked = [
                    *questions("Cost", words), ("list", *BOX, "Cost", "--before", "4"),
                    ("read-thread", "<seen1@t>", "--account", "work"),
                    ("list-recent-threads", "--account", "work", "--since", "90d"),
                    *(() if name == "subject" else [("list", *BOX, "Cost"),
                                                    ("list", *BOX, "Cost", "--limit", "1")])]
                told.append(ask(e, lambda: proxy.take()[0], asked if which == "with" else
                                without_nowhere(asked)))
    finally:
        c.logout()
        dovecot.doveadm("mailbox", "delete", "-u", servers.address("agent"), "Cost")
    same(*told)


def test_imap_is_asked_for_listed_senders_alone(emcli, dovecot, certs):
    """In every question, from the first page on, and in few commands."""
    dovecot.append("agent", message(sender=ALICE), "INBOX")
    with flights.Flights(certs.good, dovecot.imaps) as proxy:
        set_up(emcli, Listed, lambda e, **f: e.account_imap(dovecot, imap_port=proxy.port, **f))
        for argv in (("search", *BOX, "INBOX", "--text", "x"), ("list", *BOX, "INBOX"),
                     ("list", *BOX, "INBOX", "--new"),
                     ("list-recent-threads", "--account", "work", "--since", "9000d")):
            emcli.run(*argv)
            asked = [rest for verb, rest in proxy.take()[1] if verb == "UID SEARCH"]
            hinted = ['HEADER From "lab.example"' in a for a in asked]
            assert hinted and all(hinted), (argv, asked)
        emcli.whitelist("in", *Many.entries[0])
        told = uids(emcli.run("search", *BOX, "INBOX", "--text", "words"))
        asked = [rest for verb, rest in proxy.take()[1] if verb == "UID SEARCH"]
        assert told and 2 <= len(asked) <= 16
        assert sum(a.count("HEADER From") for a in asked) == 301
        assert all(len(a) < 8000 and "TEXT" in a for a in asked)


def test_imap_is_asked_for_all_folders_at_once(emcli, dovecot, certs):
    """Fifty folders cost as many flights as four do, and two more at most."""
    user = servers.address("agent")
    names = [f"Across{i}" for i in range(50)]
    flown, made = {}, []
    with flights.Flights(certs.good, dovecot.imaps) as proxy:
        emcli.account_imap(dovecot, imap_port=proxy.port, process_backlog=True)
        try:
            for n in 4, 50:
                dovecot.doveadm("mailbox", "create", "-u", user, *names[len(made):n])
                made = names[:n]
                dovecot.append("agent", message(subject=f"far {n}", mid=f"<far{n}@t>"),
                               names[n - 1])
                ask_all = "search", "--account", "work", "--all-folders", "--subject-contains"
                emcli.run(*ask_all, "far")
                proxy.take()
                r = emcli.run(*ask_all, f"far {n}")
                assert [m["folder"] for m in r.data["messages"]] == [names[n - 1]]
                flown[n] = proxy.take()[0]
        finally:
            dovecot.doveadm("mailbox", "delete", "-u", user, *made)
    assert flown[50] <= flown[4] + 2, flown


# JMAP and Gmail: their servers count.


def asked_of(which, words):
    what = list(questions("INBOX", words))
    return what if which == "with" else without_nowhere(what)


@pytest.mark.parametrize("name", ["listed", "subject"])
def test_jmap(tmp_path, name):
    policy, told = POLICIES[name](), []
    words = FEW if name == "subject" else WORDS
    for which in "with", "without":
        server = jmapd.Jmapd({"Inbox": [], "Drafts": [], "Sent": []})
        try:
            for raw, gone in mails(policy):
                if which == "with" or not gone:
                    server.put("Inbox", raw)
            e = cli_at(tmp_path, which)
            set_up(e, policy, lambda e, **flags: on_jmap.add(
                e, server.url, **flags))
            told.append(ask(e, lambda: len(on_jmap.paths(server)), asked_of(which, words)))
        finally:
            server.stop()
    renumbered(told)
    same(*told)


@pytest.mark.parametrize("name", ["listed", "subject"])
def test_gmail(tmp_path, google_emulator, name):  # noqa: F811
    policy, told = POLICIES[name](), []
    google = gmail.Google(google_emulator.base)
    google.live.add(on_gmail.TOKEN)
    try:
        for which in "with", "without":
            google.empty()
            for raw, gone in mails(policy):
                if which == "with" or not gone:
                    google.put(raw)
            e = cli_at(tmp_path, which)
            set_up(e, policy, lambda e, **flags: on_gmail.account(
                e, google, "--password-stdin", **flags))

            def count():
                n = google.count()
                google.forget()
                return n
            told.append(ask(e, count, asked_of(which, FEW)))
    finally:
        google.stop()
    renumbered(told)
    same(*told)


def renumbered(told):
    """
    Our numbers count hidden mail as well: they are put aside, as is the order
    of threads of one second, which is that of the server's ids.
    """
    for one in told:
        for argv, (cost, out) in one.items():
            if argv[0] == "search-threads":
                reply = json.loads(out)
                reply["data"]["threads"].sort(key=lambda t: t["root_message_id"])
                out = json.dumps(reply, separators=(",", ":")).encode()
            out = re.sub(rb'"(uid|next_before)":\d+', rb'"\1":0', out)
            one[argv] = cost, re.sub(rb'"(thread_id|backend_id|id|web_url|url)":"[^"]*"', rb'"\1":""', out)
