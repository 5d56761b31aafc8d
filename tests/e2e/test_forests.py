# SPDX-License-Identifier: Apache-2.0
"""
A thread is the same thread in every window, on every page, and read by any of
its messages: random forests with missing roots, folded ids, copies, circles,
answers in other folders, and hidden mail that would join what it names.
"""

import imaplib
import os
import pathlib
import random
import time

import pytest

import servers
from mail import message
from test_contract import folder, put

ME, ALICE, BOB, EVE = ("agent@lab.example", "alice@lab.example", "bob@lab.example",
                       "eve@evil.example")
WORK = "--account", "work"
START = 1780272000  # 2026-06-01
DAY = 86400


class Letter:
    def __init__(self, r, n, place, hidden, when):
        self.id = f"<m{n}.{r.choice('abc') * r.choice((1, 30))}@lab.example>"
        self.n, self.place, self.hidden = n, place, hidden
        self.subject = f"s{n}"
        self.when = self.date = when
        self.refs, self.answers = [], None

    def raw(self, r):
        def fold(x):
            at = r.randrange(1, len(x) - 1)
            return x[:at] + "\r\n " + x[at:] if r.random() < 0.25 else x
        extra = ""
        if self.refs:
            extra += "References: " + "\r\n\t".join(map(fold, self.refs)) + "\r\n"
        if self.answers:
            extra += f"In-Reply-To: {fold(self.answers)}\r\n"
        sender = ME if self.place in ("Sent", "Drafts") else EVE if self.hidden else ALICE
        # What is short is written on one line.
        mid = fold(self.id) if len(self.id) > 24 else self.id or "<>"
        self.folded = "\r\n" in mid
        raw = message(sender=sender, to=ALICE if sender == ME else ME, extra=extra,
                      subject=self.subject, mid=mid,
                      date=time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(self.date)))
        return raw if self.id else raw.replace(b"Message-ID: <>\r\n", b"")


def forest(seed, n, places):
    """Letters in their order of arrival, which is not always that of their dates."""
    r = random.Random(seed)
    out = []
    for i in range(n):
        place = r.choices(places, (8, 1, 1)[:len(places)])[0]
        x = Letter(r, i, place, place == "INBOX" and r.random() < 0.15,
                   START + i * 40 * DAY // n + r.randrange(3 * DAY))
        kind = r.random()
        if out and kind < 0.75:
            up = r.choice(out[-12:])
            chain = [*up.refs, *([up.answers] if up.answers and not up.refs else []),
                     up.id or f"<none{i}@lab.example>"]
            if kind < 0.25:
                x.answers = chain[-1]
            elif kind < 0.6:
                x.refs = chain[-6:]
            else:
                x.refs = [c for c in chain if r.random() < 0.6] or chain[-1:]
        elif kind < 0.85:
            x.refs = [f"<lost{r.randrange(3)}@lab.example>"]
        elif kind < 0.9:  # it answers somebody who is to come
            x.answers = f"<m{i + 2}.a@lab.example>"
        if r.random() < 0.06:
            x.id = ""
        elif out and r.random() < 0.08:  # a copy, or somebody's claim to be one
            x.id = r.choice(out).id or x.id
        out.append(x)
    # Circles: who was answered answers.
    for x, y in zip(r.sample(out, 3), r.sample(out, 3)):
        if not x.refs and y.id:
            x.answers = y.id
    return r, out


def maildir(emcli, site, _, letters, r):
    emcli.account_maildir(site.path, process_backlog=True, whitelist_in="on")
    box = site.box("agent")
    where = {"INBOX": box, **{f: folder(box, f) for f in ("Sent", "Drafts")}}
    for i, x in enumerate(letters):
        put(where[x.place], x.raw(r), f"{START + i}.M{i}P1")


def mbox(emcli, site, _, letters, r):
    path = site.path / "archive.mbox"
    line = b"From ann@example.net Mon Jun  1 10:00:00 2026\n"
    path.write_bytes(b"".join(line + x.raw(r).replace(b"\r\n", b"\n") + b"\n" for x in letters))
    os.utime(path, (START, START))
    emcli.set_up("account", "add", "work", "--backend", "mbox", "--path", path,
                 "--process-backlog", "--whitelist-in", "on", "--from", ME)


def imap(emcli, _, dovecot, letters, r):
    emcli.account_imap(dovecot, process_backlog=True, whitelist_in="on")
    c = dovecot.client("agent")
    try:
        for name in "Sent", "Drafts":
            c.create(name)
        for x in letters:
            flags = "(\\Draft)" if x.place == "Drafts" else ""
            kind, data = c.append(x.place, flags, imaplib.Time2Internaldate(x.when), x.raw(r))
            assert kind == "OK", data
    finally:
        c.logout()


def pages(emcli, since, limit):
    """Every thread of every page; none is empty before the last."""
    out, cursor = [], ()
    while True:
        data = emcli.run("list-recent-threads", *WORK, "--since", since, "--limit", limit,
                         *cursor).data
        assert len(data["threads"]) <= limit
        out += data["threads"]
        if data["next_cursor"] is None:
            assert not data["truncated"]
            return out
        assert data["truncated"] and len(data["threads"]) == limit
        assert data["next_cursor"] not in cursor
        cursor = "--cursor", data["next_cursor"]


def name(thread):
    return f"{thread['thread_id']['kind']}:{thread['thread_id']['id']}"


def same_of(listed, read):
    keys = "thread_id", "subject", "root_message_id", "complete"
    assert {k: listed[k] for k in keys} == {k: read[k] for k in keys}
    assert listed["message_count"] == len(read["messages"])


def where(m):
    return m["folder"], m["uid"], m["backend_id"]


def newest(letters, thread):
    """Of what is listed of a thread when it came last."""
    there = {m["subject"] for m in thread["messages"]}
    return max(x.when for x in letters if x.subject in there and x.place == "INBOX")


def check(emcli, letters, r, own=False, unasked=()):
    """own: the store has threads of its own, listed by their newest in INBOX.
    unasked: ids that it does not look for."""
    full = pages(emcli, "2026-05-01", 50)
    read = {}
    for t in full:
        read[name(t)] = emcli.run("read-thread", name(t), *WORK, "--limit", 500).data
        same_of(t, read[name(t)])
    assert len(read) == len(full)
    assert full == sorted(full, reverse=True, key=lambda t: (
        newest(letters, read[name(t)]) if own else t["last_message_date"]))
    # No message is in two threads, and none that is hidden is in any.
    seen = [where(m) for t in read.values() for m in t["messages"]]
    assert len(seen) == len(set(seen))
    there = {m["message_id"] for t in read.values() for m in t["messages"]}
    for t in read.values():
        mine = {m["message_id"] for m in t["messages"]} if own else there
        assert not mine & set(t.get("missing_ids", ()))
    subjects = {m["subject"] for t in read.values() for m in t["messages"]}
    assert not subjects & {x.subject for x in letters if x.hidden}
    # By any of its messages, and by ids that their writer folded.
    folded = {x.id for x in letters if x.folded}
    by = [(m["message_id"], t) for t in read.values() for m in t["messages"]
          if m["message_id"] and m["message_id"] not in unasked]
    hard = [x for x in by if x[0] in folded]
    for mid, t in r.sample(by, min(4, len(by))) + r.sample(hard, min(4, len(hard))):
        assert emcli.run("read-thread", mid, *WORK, "--limit", 500).data == t
    for back, limit in ((30, 50), (12, 4), (5, 1), (20, 3)):
        moment = START + (43 - back) * DAY
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
        listed = pages(emcli, since, limit)
        assert len({name(t) for t in listed}) == len(listed)
        for t in listed:
            same_of(t, read[name(t)])
        got = {m["subject"] for t in listed for m in read[name(t)]["messages"]}
        ids = {m["message_id"] for t in listed for m in read[name(t)]["messages"]}
        for x in letters:
            if x.when > moment and x.place == "INBOX" and not x.hidden:
                # A copy may stand for another.
                assert x.subject in got or x.id in ids, (since, x.n)
        new = {x.subject for x in letters if x.when > moment} | {
            x.id for x in letters if x.when > moment}
        for t in listed:
            assert any(new & {m["subject"], m["message_id"]} for m in read[name(t)]["messages"])
    return full


# Of each store one forest that has every kind: a copy, a missing root, no id, an id that
# its writer folded, an answer that came first, and one to what is hidden.
@pytest.mark.parametrize("fill, seed, n", [(maildir, 3, 60), (mbox, 5, 40), (imap, 7, 30)],
                         ids=lambda x: getattr(x, "__name__", str(x)))
def test_a_thread_is_the_same_in_every_window_and_on_every_page(emcli, site, request, fill,
                                                                seed, n):
    dovecot = request.getfixturevalue("dovecot") if fill is imap else None
    r, letters = forest(seed, n, ("INBOX",) if fill is mbox else ("INBOX", "Sent", "Drafts"))
    fill(emcli, site, dovecot, letters, r)
    emcli.whitelist("in", ALICE)
    check(emcli, letters, r)


# -- what is long ------------------------------------------------------------

def letter(i, up):
    when = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(START + 60 * i))
    return (f"From: {ALICE}\nTo: {ME}\nSubject: s{i}\nDate: {when}\n"
            f"Message-ID: <m{i}@lab.example>\n" +
            (f"In-Reply-To: <m{up}@lab.example>\n" if up is not None else "") + "\nx\n").encode()


def long_mbox(emcli, path, _, letters):
    path.write_bytes(b"".join(b"From ann@example.net Mon Jun  1 10:00:00 2026\n" + x + b"\n"
                              for x in letters))
    os.utime(path, (START, START))
    emcli.set_up("account", "add", "work", "--backend", "mbox", "--path", path,
                 "--process-backlog", "--from", ME)


def into(box, letters):
    for half in "cur", "new", "tmp":
        (box / half).mkdir(parents=True, exist_ok=True)
    for i, x in enumerate(letters):
        at = box / "cur" / f"{START + i}.M{i}P1.lab:2,S"
        at.write_bytes(x)
        os.utime(at, (START + 60 * i, START + 60 * i))


def long_maildir(emcli, path, _, letters):
    into(path / ME, letters)
    emcli.account_maildir(path, process_backlog=True)


def long_imap(emcli, _, dovecot, letters):
    """Straight into the server's own Maildir: what is appended takes its time."""
    dovecot.append("agent", b"Subject: first\r\n\r\nx\r\n")
    dovecot.clear("agent")
    box = pathlib.Path(dovecot.run) / "home" / ME / "Maildir"
    into(box, letters)
    owner = box.stat()
    for at in (box / "cur").iterdir():
        os.chown(at, owner.st_uid, owner.st_gid)
    emcli.account_imap(dovecot, process_backlog=True)


def filled(emcli, tmp_path, request, fill, letters):
    dovecot = request.getfixturevalue("dovecot") if fill is long_imap else None
    fill(emcli, tmp_path / "mail", dovecot, letters)


# More than the 5,000 that are found, or looked at for a page.
@pytest.mark.parametrize("fill, n", [(long_mbox, 5500), (long_maildir, 5500), (long_imap, 5500)],
                         ids=lambda x: getattr(x, "__name__", str(x)))
def test_a_long_chain_has_its_root_and_its_end(emcli, tmp_path, request, fill, n):
    """Each names its parent alone."""
    filled(emcli, tmp_path, request, fill, [letter(i, i - 1 if i else None) for i in range(n)])
    last = emcli.run("read-thread", f"<m{n - 1}@lab.example>", *WORK, "--limit", 500,
                     "--offset", max(0, n - 500)).data
    assert last["thread_id"]["id"] == last["root_message_id"] == "<m0@lab.example>"
    assert last["complete"] and last["subject"] == "s0" and last["next_offset"] is None
    assert [m["subject"] for m in last["messages"]] == [f"s{i}" for i in range(max(0, n - 500), n)]
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + 60 * (n - 5)))
    listed, = pages(emcli, since, 50)
    assert listed["thread_id"] == last["thread_id"] and listed["message_count"] == n


def test_a_page_may_end_with_a_very_long_id(emcli, tmp_path, request):
    letters = [letter(i, None) for i in range(4)]
    for i in 1, 2:
        letters[i] = letters[i].replace(b"<m", b"<" + b"long" * 2200 + b"m")
    filled(emcli, tmp_path, request, long_maildir, letters)
    assert [t["subject"] for t in pages(emcli, "2026-05-01", 1)] == ["s3", "s2", "s1", "s0"]


def test_the_last_of_many_threads_is_on_a_page(emcli, tmp_path, request):
    n, threads = 5500, 1100
    filled(emcli, tmp_path, request, long_mbox,
           [letter(i, i - threads if i >= threads else None) for i in range(n)])
    listed = pages(emcli, "2026-05-01", 500)
    assert len(listed) == threads
    assert {t["root_message_id"] for t in listed} == {f"<m{i}@lab.example>"
                                                      for i in range(threads)}
    assert sum(t["message_count"] for t in listed) == n
    assert all(t["complete"] for t in listed)
