# SPDX-License-Identifier: Apache-2.0
"""
Nothing that policy hides can be told by any operation.

Each test reads one mailbox twice: first with hidden messages in it, then, with
a new database, after they were removed.  Every operation is asked much, in one
order, and says the same both times: bytes, exit status, mail that left.  What
differs between any two runs (times, random Message-IDs of ours) is put aside.

These may differ, and no test looks at them:

- How long a call takes.  Judging a hidden header costs what judging a seen one
  does, and a `list` from which much was hidden may take another question to the
  server; no question about words does (test_cost.py).  A hidden body is not read; but where no server is pinned, mail that claims a
  sender who must sign is read to verify it, and over 200 such in one call are
  refused (test_senders.py holds to that).
- What lies beyond the house's limits: a folder of so many messages that a
  server's answer passes them.

And these are the same, though they look as if they told something: numbers that
are passed over (so they are where mail was deleted), and the References of a
message that is seen, which are its author's words.  None is looked up, so an id
that belongs to hidden mail reads as one that belongs to none.
"""
import base64
import itertools
import os
import random
import re
import shutil

import pytest

import cli
import dkim
import island
import servers
from mail import message, uids
from smtpd import Smtpd

ID = "mx.lab.example"
ME, BOB, ALICE = "agent@lab.example", "bob@lab.example", "alice@lab.example"
EVE = "eve@evil.example"
BORDER = ("Received: from mail.b.example (mail.b.example [192.0.2.9])\r\n"
          f"\tby {ID} (Postfix) with ESMTPS id 4X\r\n"
          "\tfor <agent@lab.example>; Sun, 21 Jun 2026 10:00:00 +0000\r\n").encode()


def said(result, domain, who=ID):
    return (f"Authentication-Results: {who};\r\n"
            f"\tdmarc={result} header.from={domain}\r\n").encode()


def vouched(raw, domain="lab.example"):
    return said("pass", domain) + BORDER + raw


# Spellings of the one address; a server that searches may not know them all.
SPELLED = (ALICE, "Alice <ALICE@lab.example>", '"al\\ice"@lab.example',
           '"alice"@LAB.example', "=?utf-8?q?=C3=80?= <alice@lab.example>",
           "(of) alice@lab.example (here)", "alice@lab.example.")
STRANGE = (EVE, '"alice@lab.example" <eve@evil.example>', "alice@lab.example, eve@evil.example",
           "list: alice@lab.example;", "alice@sub.lab.example", "alice@lab.example.evil.example",
           "eve@evil.example (alice@lab.example)", "", "malice@lab.example",
           '"alice@lab.example"@evil.example', "=?utf-8?q?alice=40lab=2Eexample?=",
           "alice@lab.example\r\nFrom: alice@lab.example")
SUBJECTS = ("plan", "Re: plan", "invoice", "re: invoice", "gr\u00fcn", "lunch")


class Policy:
    """Flags and entries, and how mail is made that passes it or does not."""
    regex = None
    subjects = SUBJECTS
    others = SUBJECTS
    senders = SPELLED
    strangers = STRANGE
    listed = ("in", ALICE),
    flags = dict(whitelist_in="on")

    def good(self, raw, rng):
        return raw

    def bad(self, raw, rng):
        return raw


class Listed(Policy):
    """A plain whitelist, and mail that has to wait for what was read."""
    flags = dict(whitelist_in="on", taint="30")


class Subject(Policy):
    """A subject rule alone: anybody may write, about that."""
    flags = dict(subject_regex="plan|t-[0-9]+")
    listed = ()
    senders = strangers = (ALICE, EVE, BOB)
    subjects = ("plan", "Re: Plan", "T-7", "=?utf-8?q?pl=61n?=")
    others = ("invoice", "p l a n", "pla\u0274", "", "=?utf-8?q?inv?=",
              "plan\r\nSubject: plan")


class Pinned(Policy):
    """Only what a pinned server vouches for; everybody else claims it."""
    flags = dict(whitelist_in="on", authserv_id=ID)
    listed = ("in", "--auth", "dmarc", ALICE),
    strangers = SPELLED + STRANGE[:3]

    def good(self, raw, rng):
        return vouched(raw)

    def bad(self, raw, rng):
        return rng.choice((
            b"", BORDER, said("fail", "lab.example") + BORDER,
            said("pass", "lab.example", "mx.e.example") + BORDER,
            said("pass", "evil.example") + BORDER,
            BORDER.replace(b"mx.lab", b"mx.evil") + said("pass", "lab.example"),
            said("fail", "lab.example") + BORDER + said("pass", "lab.example"))) + raw


class Mixed(Pinned):
    """All of it, and an account that only answers."""
    flags = dict(whitelist_in="on", authserv_id=ID, subject_regex="plan", scope="thread",
                 whitelist_out="on", limit_messages="9")
    listed = (("in", "--auth", "dmarc", ALICE), ("in", BOB), ("out", ALICE), ("out", BOB))
    subjects = ("plan", "Re: plan")


class Signed(Policy):
    """No server is pinned: signatures are verified here."""
    listed = ("in", "--auth", "dmarc", ALICE),
    senders = (ALICE, "Alice <alice@lab.example>")
    strangers = (ALICE, EVE, "Alice <alice@lab.example>")

    def __init__(self):
        self.key, self.wrong = dkim.Key("ed25519"), dkim.Key("ed25519")

    def good(self, raw, rng):
        return self.key.sign(raw, "lab.example")

    def bad(self, raw, rng):
        how = rng.randrange(4)
        if how == 0:
            return raw
        if how == 1:
            return self.wrong.sign(raw, "lab.example")
        if how == 2:
            return self.key.sign(raw, "lab.example") + b"more\r\n"
        return self.key.sign(raw, "lab.example", "absent")


# -- mail

def files(rng, subject, size):
    """A message in parts: HTML beside text, and a file or two."""
    b64 = base64.encodebytes(rng.randbytes(size)).decode().replace("\n", "\r\n")
    html = rng.choice(("<p>words</p>", f"<p>words</p><div style='display:none'>{subject}</div>",
                       "<a href='http://evil.example'>http://lab.example</a>"))
    return ("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=B\r\n",
            "--B\r\nContent-Type: multipart/alternative; boundary=C\r\n\r\n"
            "--C\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nwords\r\n"
            f"--C\r\nContent-Type: text/html\r\n\r\n{html}\r\n--C--\r\n"
            "--B\r\nContent-Type: application/pdf; name=a.pdf\r\n"
            "Content-Disposition: attachment; filename=a.pdf\r\n"
            f"Content-Transfer-Encoding: base64\r\n\r\n{b64}\r\n--B--\r\n")


def thread(rng, known):
    """In-Reply-To and References to anything there is, and to nothing."""
    ids = rng.sample(known, min(len(known), rng.randrange(4))) + ["<nowhere@tests.example>"]
    rng.shuffle(ids)
    return f"In-Reply-To: {ids[0]}\r\nReferences: {' '.join(ids)}\r\n"


def one(policy, rng, hidden, known):
    pick = rng.choice
    subject = pick(policy.others if hidden else policy.subjects)
    extra, body = "", pick(("words\r\n", "the needle\r\n", "plan: gr\u00fcn\r\n"))
    if rng.random() < 0.4:
        extra, body = files(rng, subject, 200000 if hidden else 300)
    elif hidden and rng.random() < 0.3:
        body += "needle " * 40000 + "\r\n"
    if hidden and rng.random() < 0.2:
        extra += "X-Big: " + ("x" * 900 + "\r\n ") * 200 + "x\r\n"
    if rng.random() < 0.7:
        extra += thread(rng, known)
    if rng.random() < 0.2:
        extra += pick(("Auto-Submitted: auto-replied\r\n", "Precedence: bulk\r\n",
                       "Reply-To: bob@lab.example\r\n"))
    # Sometimes another's id: what is hidden may be a copy of what is seen.
    mid = pick(known) if known and rng.random() < 0.3 else f"<m{rng.randrange(10 ** 6)}@t.example>"
    known.append(mid)
    raw = message(sender=pick(policy.strangers if hidden else policy.senders), subject=subject,
                  body=body, extra=extra, mid=mid, to=pick((ME, ME + ", " + BOB)),
                  date=f"Sun, {rng.randrange(1, 29)} Jun 2026 10:00:00 +0000")
    return (policy.bad if hidden else policy.good)(raw, rng)


def mailbox(policy, rng, n):
    """[(raw, hidden)], each kind more than once, the newest of either kind."""
    kinds = [True] * (n * 2 // 3) + [False] * (n - n * 2 // 3)
    rng.shuffle(kinds)
    known = []
    return [(one(policy, rng, hidden, known), hidden) for hidden in kinds]


def names(mail):
    """Message-IDs that hidden mail alone has, and those that seen mail has."""
    ids = [(re.search(rb"\nMessage-ID: (<[^>]*>)", raw), gone) for raw, gone in mail]
    seen = {m[1].decode() for m, gone in ids if m and not gone}
    return sorted({m[1].decode() for m, gone in ids if m} - seen), sorted(seen)


# -- what is asked

class Asking:
    """
    An agent that tries everything, and keeps what it was told.  Each kind of
    question is asked about what is hidden, what is seen and what is nowhere.
    """

    def __init__(self, run, left, folder, rng, hidden, n, few=False):
        self.ask, self.left, self.rng, self.n, self.few = run, left, rng, n, few
        self.box = ("--account", "work", "--folder", folder)
        self.hidden = hidden
        self.seen = sorted(set(range(1, n + 1)) - set(hidden))
        self.names, self.drafts = ([], []), False
        self.told = []

    def run(self, *argv, agent=None):
        r = self.ask(*map(str, argv), env={"EMCLI_AGENT": agent})
        self.told.append((argv, agent, r.rc, plain(r.out), r.err, self.left()))
        return r

    def pages(self, limit, *more):
        before = ()
        for _ in range(self.n + 2):
            r = self.run("list", *self.box, "--limit", limit, *before, *more)
            if r.rc != 0 or r.json["data"]["next_before"] is None:
                return
            before = "--before", r.json["data"]["next_before"]
        raise AssertionError("pages without an end")

    def lists(self):
        for more in (), ("--new",), ("--new", "--limit", 2):
            self.run("list", *self.box, *more)
        for limit in (2,) if self.few else (1, 3):
            self.pages(limit)
        self.pages(2, "--new", "--since", self.rng.randrange(1, self.n))
        for uid in self.rng.choice(self.hidden), self.rng.choice(self.seen):
            self.run("list", *self.box, "--before", uid, "--limit", 1)
            self.run("list", *self.box, "--since", uid)

    def searches(self):
        for key, words in (("from", ("alice", "eve", "lab.example", ".", "\u00c0")),
                           ("to", ("agent", "alice", "evil.example", "", "t")),
                           ("message-id", ("<m1@tests.example>", "<nowhere@tests.example>")),
                           ("subject-contains", ("plan", "invoice", "", "gr\u00fcn", "T-")),
                           ("text", ("needle", "words", "nowhere@tests", "evil", "m", "X-Big"))):
            for word in self.rng.sample(words, 1 if self.few else 2):
                self.run("search", *self.box, f"--{key}", word, *self.some_limit())
        if self.few:
            return
        self.run("search", *self.box, "--since", "2026-06-10", *self.some_limit())
        self.run("search", *self.box, "--before", "2026-06-20", "--text", "needle")
        self.run("search", *self.box, "--from", "alice", "--text", "words", "--limit", 1)

    def some_limit(self):
        return self.rng.choice(((), ("--limit", 1), ("--limit", 3)))

    def gets(self):
        """Each message once; of the hidden and of the seen by every option in turn."""
        options = [(), ("--raw",), ("--part", "plain"),
                   ("--part", "html", "--attachments", "meta"), ("--max-body", 4),
                   ("--offset", 9, "--attachments", "meta"), ("--attachments", "kept")]
        self.rng.shuffle(options)
        for uids in self.hidden, self.seen, (self.n + 1, 4294967295):
            for uid, more in zip(uids, itertools.cycle(options)):
                self.run("get", *self.box, "--uid", uid, *more)

    def sends(self):
        """Answers to anything; what is hidden is refused as what is absent."""
        some = [*self.rng.sample(self.hidden, 2), *self.rng.sample(self.seen, 2), self.n + 1]
        for i, uid in enumerate(some):
            key = ("--idempotency-key", f"k{i}") if i % 2 else ()
            argv = ("send", *self.box, "--to", BOB, "--body", "b", "--reply-to", uid, *key)
            self.run(*argv)
            if key:
                self.run(*argv)
                self.run("send-status", "--account", "work", *key)
        self.run("send", "--account", "work", "--to", BOB, "--subject", "s", "--body", "b")
        for i in 1, 3:
            self.run("send-status", "--account", "work", "--id", i)

    def innocent(self):
        """Who has only asked for what is hidden has read nothing."""
        who = "innocent"
        for uid in self.rng.sample(self.hidden, 2):
            self.run("get", *self.box, "--uid", uid, agent=who)
            self.run("ack", *self.box, "--uid", uid, agent=who)
        self.run("send", *self.box, "--to", BOB, "--body", "b", "--reply-to", self.hidden[0],
                 agent=who)
        self.run("search", *self.box, "--from", "evil.example", "--subject-contains", "invoice",
                 agent=who)
        self.run("send", "--account", "work", "--to", BOB, "--subject", "s", "--body", "b",
                 agent=who)

    def acks(self):
        first, last = self.seen[0], self.seen[-1]
        for which in ((self.hidden[0],), (first, self.hidden[0]), (self.hidden[-1], first),
                      (f"1:{self.n}",), (self.n + 1,), (first, first), (last,)):
            self.run("ack", *self.box, "--uid", ",".join(map(str, which)))
            # One that is refused marks nothing: the next list would tell.
            if first in which or last in which:
                self.run("list", *self.box, "--new", "--limit", 3)

    def claims(self):
        for limit in 1, 2, 50:
            self.run("list", *self.box, "--new", "--claim", 600, "--limit", limit)
        self.run("list", *self.box, "--new", "--claim", 600, "--limit", 2, agent="other")
        self.run("ack", *self.box, "--uid", self.seen[1])
        self.run("list", *self.box, "--new", "--claim", 600)

    def threads(self):
        """By ids of the hidden and of what answers them."""
        work = "--account", "work"
        for since, *more in (("2026-06-01",), ("2026-06-14", "--limit", 1),
                             ("2026-06-01", "--list", ME), ("2026-06-27T10:00:00Z",)):
            self.run("list-recent-threads", *work, "--since", since, *more)
        some = [name for ids in self.names for name in self.rng.sample(ids, min(len(ids), 2))]
        some.append("<none@tests.example>")
        for name, form in zip(some, itertools.cycle(("envelope", "text", "raw"))):
            self.run("read-thread", name, *work, "--form", form)
        for name in some[1:]:
            self.run("read-thread", name, *work, "--limit", 1, "--offset", 1)
            self.run("list-sent-since", name, *work, "--since", "2026-06-01")
            self.run("thread-url", name, *work)
            self.run("list-drafts", name, *work)
        for name in some[1:] if self.drafts else ():
            self.run("create-draft", *work, "--thread", name, "--body", "b")
            self.run("create-draft", *work, "--thread", name, "--body", "c")
            self.run("list-drafts", name, *work)
        self.run("list-drafts", *work)
        self.run("sources")

    def all(self):
        self.innocent()
        asked = [self.sends, self.lists, self.searches, self.gets, self.acks, self.claims,
                 self.threads]
        for what in asked[1:3] if self.few else asked:
            what()
        self.run("folders", "--account", "work")
        self.run("doctor", "--account", "work")
        self.run("get", "--account", "work", "--folder", "None", "--uid", self.hidden[0])
        return self.told


def plain(out):
    """Without what is another in any two runs."""
    out = re.sub(rb'"ms":\d+', b'"ms":0', out)
    out = re.sub(rb'"(claimed_until|expires)":"[^"]*"', rb'"\1":""', out)
    # Drafts: files named by the moment, and dated.
    out = re.sub(rb'"(draft_id|backend_id)":"[^"]*"', rb'"\1":""', out)
    out = re.sub(rb'"draft_ids":\[[^\]]*\]', rb'"draft_ids":[]', out)
    out = re.sub(rb'"date":"(?!2026-06-)[^"]*"', b'"date":""', out)
    out = re.sub(rb'"last_message_date":"(?!2026-06-)[^"]*"', b'"last_message_date":""', out)
    # compose_message_id(): 32 hexadecimal digits of chance.
    return re.sub(rb"<[0-9a-f]{32}@lab\.example>", b"<ours@lab.example>", out)


def same(with_hidden, without):
    for here, gone in zip(with_hidden, without):
        assert here == gone, "told apart by: " + " ".join(map(str, here[0]))
    assert len(with_hidden) == len(without)


def install(policy, e, **account):
    """A new installation under a policy, its account made by `account`."""
    e.init()
    account["make"](process_backlog=True, attach_dir=e.folder, **policy.flags)
    for which, *entry in policy.listed:
        e.whitelist(which, *entry)
    return e


def not_in_vain(policy, asking, told):
    """The hidden were hidden, the others seen, and something was sent."""
    full = [r for argv, _, rc, r, *_ in told if argv[0] == "list" and "--limit" not in argv]
    assert full and sorted(map(int, re.findall(rb'"uid":(\d+)', full[0]))) == asking.seen
    # An account that only answers may have had nothing to answer to.
    assert told[-1][-1] > 0 or "scope" in policy.flags or asking.few


# -- Maildir

POLICIES = {"listed": Listed, "subject": Subject, "pinned": Pinned, "mixed": Mixed}
SEEDS = range(int(os.environ.get("EMCLI_SEEDS", "1")))


def on_maildir(policy, site, tmp_path, seed, runner=lambda e: e.run, n=14,
               few=False):
    rng = random.Random(seed)
    mail = mailbox(policy, rng, n)
    paths = [site.deliver("agent", raw) for raw, _ in mail]
    hidden = [i + 1 for i, (_, gone) in enumerate(mail) if gone]
    told = []
    for which in "with", "without":
        e = cli.Emcli(tmp_path / which)
        install(policy, e, make=lambda **flags: e.account_maildir(site.path, **flags))
        # Numbers are given at the first look; the agents' own begins later.
        run = runner(e)
        run("list", "--account", "work", "--folder", "INBOX", env={"EMCLI_AGENT": "first"})
        if which == "without":
            for uid in hidden:
                paths[uid - 1].unlink()
        start = len(site.messages("bob"))
        asking = Asking(run, lambda: len(site.messages("bob")) - start, "INBOX",
                        random.Random(seed), hidden, n, few)
        asking.names, asking.drafts = names(mail), True
        waiting = site.box("agent") / ".Drafts"
        shutil.rmtree(waiting, ignore_errors=True)
        for half in "cur", "new", "tmp":
            (waiting / half).mkdir(parents=True)
        told.append(asking.all())
    same(*told)
    not_in_vain(policy, asking, told[0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", POLICIES)
def test_on_a_maildir(site, tmp_path, name, seed):
    on_maildir(POLICIES[name](), site, tmp_path, f"{name} {seed}")


@pytest.fixture(scope="module")
def signing():
    return Signed()


def test_signatures_on_a_maildir(site, tmp_path, certs, signing):
    """In a network of its own, where a name server knows the key."""
    txt = {"k._domainkey.lab.example": [[signing.key.record()]]}
    place = island.Island(certs, tmp_path / "island", txt=txt)

    def runner(e):
        e.place = place
        return e.run
    on_maildir(signing, site, tmp_path, "signed", runner, n=6, few=True)


# -- Dovecot

@pytest.fixture
def folder(dovecot):
    """A folder that was not there before: its numbers begin at 1."""
    name = "Unseen"
    dovecot.doveadm("mailbox", "create", "-u", ME, name)
    yield name
    dovecot.doveadm("mailbox", "delete", "-u", ME, name)


def expunge(dovecot, folder, numbers):
    c = dovecot.client("agent")
    c.select(folder)
    c.uid("STORE", ",".join(map(str, numbers)), "+FLAGS", "(\\Deleted)")
    c.expunge()
    c.logout()


def greetings(server):
    """How many sessions there were, mail or not."""
    return sum(who == "C" and line.startswith(b"EHLO") for who, line in list(server.log))


def on_dovecot(policy, dovecot, server, folder, tmp_path, seed, n=14):
    rng = random.Random(seed)
    mail = mailbox(policy, rng, n)
    given = [dovecot.append("agent", raw, folder) for raw, _ in mail]
    assert given == [*range(1, n + 1)]
    hidden = [i + 1 for i, (_, gone) in enumerate(mail) if gone]
    told = []
    for which in "with", "without":
        e = cli.Emcli(tmp_path / which)
        install(policy, e, make=lambda **flags: e.account_imap(
            dovecot, list_folder=folder, sent_copy="off", smtp_host="localhost",
            smtp_port=server.port, smtp_security="tls", **flags))
        if which == "without":
            expunge(dovecot, folder, hidden)
        start = greetings(server)
        asking = Asking(e.run, lambda: greetings(server) - start, folder,
                        random.Random(seed), hidden, n)
        asking.names = names(mail)
        told.append(asking.all())
    same(*told)
    not_in_vain(policy, asking, told[0])


@pytest.mark.parametrize("name", ["listed", "mixed"])
def test_on_dovecot(dovecot, folder, certs, tmp_path, name):
    login = {servers.address("agent"): servers.password("agent")}
    with Smtpd(certs.good[0], certs.good[1], users=login) as server:
        on_dovecot(POLICIES[name](), dovecot, server, folder, tmp_path, name)


HEADS = {
    **{s: f"From: {s}" for s in SPELLED},
    "space": "From : alice@lab.example",
    "capitals": "FROM: ALICE@LAB.EXAMPLE",
    "folded": "From:\r\n Alice\r\n\t<alice@lab.example>",
    "long": "From: " + "x " * 300 + "<alice@lab.example>",
    "tabs": "From:\talice@lab.example\t",
    "quoted": 'From: "a b"@all.example',
    "escaped": 'From: "a\\\"b"@all.example',
    "comment": "From: x@all.example (it's mine)",
    "utf-8": "From: \u00fc@all.example",
}


def test_a_page_that_is_refilled_knows_every_spelling(emcli, dovecot, folder):
    """What a server finds when it is asked for the senders is what there is."""
    emcli.account_imap(dovecot, whitelist_in="on")
    emcli.whitelist("in", ALICE, "@all.example")
    for head in HEADS.values():
        raw = message(sender="@").replace(
            b"From: @", head.encode("utf-8", "surrogateescape"))
        dovecot.append("agent", raw, folder)
        for _ in range(2):
            dovecot.append("agent", message(sender=EVE), folder)
    asked = "list", "--account", "work", "--folder", folder
    assert uids(emcli.run(*asked)) == [*range(3 * len(HEADS) - 2, 0, -3)]
    for before in range(3 * len(HEADS), 0, -3):
        page = emcli.run(*asked, "--limit", 1, "--before", before + 1)
        assert uids(page) == [before - 2], list(HEADS)[before // 3 - 1]
