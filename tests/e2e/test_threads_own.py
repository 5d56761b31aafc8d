# SPDX-License-Identifier: Apache-2.0
"""
Threads of stores that have their own: pages of them, what a page costs, and
that a list and a reading say the same of each.

The same random forest is put into each store: answers to answers, roots that
are nowhere, branches that grow at the same time.
"""

import base64
import copy
import random
import time

import pytest

import google as gmail
import jmapd
import ponyd
from mail import message
from oauthlab import google_emulator, npm  # noqa: F401
import test_gmail as on_gmail
import test_jmap as on_jmap
from test_jmap import cyrus_server, real  # noqa: F401

LIST = "dev@lab.example"
DAY = 86400
NOW = int(time.time())
ANN, EVE = "ann@lab.example", "eve@evil.example"


class Node:
    """A message of the forest; `up` is the number of the one it answers."""

    def __init__(self, n, up, at, sender=ANN):
        self.n, self.up, self.at, self.sender = n, up, at, sender
        self.id = f"<n{n}@lab.example>"

    def raw(self):
        extra = f"List-Id: <{LIST.replace('@', '.')}>\r\n"
        if self.up is not None:
            extra += f"In-Reply-To: <n{self.up}@lab.example>\r\n"
        return message(sender=self.sender, to=LIST, subject=f"s{self.n}", mid=self.id, extra=extra,
                       date=time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(self.at)))


def forest(seed, n, days=60, missing=0.1):
    """Oldest first, some of them in the same second; a tenth is not there."""
    r = random.Random(seed)
    at = sorted(NOW - r.randrange(DAY // 100, days * DAY) // 3600 * 3600 for _ in range(n))
    up = [r.randrange(i) if i and r.random() < 0.7 else None for i in range(n)]
    gone = {i for i in range(n) if r.random() < missing}
    return [Node(i, up[i], at[i]) for i in range(n) if i not in gone]


def trees(nodes):
    """{id of a message: the ids of all in its thread}, what is not there joins."""
    head = {}

    def find(x):
        while head.setdefault(x, x) != x:
            x = head[x]
        return x
    for m in nodes:
        find(m.id)
        if m.up is not None:
            head[find(m.id)] = find(f"<n{m.up}@lab.example>")
    all_of = {}
    for m in nodes:
        all_of.setdefault(find(m.id), set()).add(m.id)
    return {m.id: all_of[find(m.id)] for m in nodes}


def name(thread):
    return f"{thread['thread_id']['kind']}:{thread['thread_id']['id']}"


def pages(run, since, limit):
    out, cursor = [], ()
    while True:
        data = run("list-recent-threads", "--account", "work", "--since", since, "--limit", limit,
                   *cursor).data
        assert len(data["threads"]) <= limit
        out.append(data["threads"])
        if data["next_cursor"] is None:
            assert data["truncated"] is False
            return out
        assert len(data["threads"]) == limit and data["truncated"]
        cursor = "--cursor", data["next_cursor"]


def read(run, thread):
    out, offset = [], 0
    while offset is not None:
        data = run("read-thread", thread, "--account", "work", "--limit", 500, "--offset",
                   offset).data
        out += data["messages"]
        offset = data["next_offset"]
    return data, out


def agree(run, nodes, windows, limits):
    """Lists and readings, against each other and against the forest."""
    want = trees(nodes)
    known = {}
    for since in windows:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(since))
        met = {want[m.id] and frozenset(want[m.id]) for m in nodes if m.at > since}
        for limit in limits:
            got = [t for page in pages(run, moment, limit) for t in page]
            assert len({name(t) for t in got}) == len(got) == len(met), (since, limit)
            for t in got:
                if name(t) not in known:
                    data, messages = read(run, name(t))
                    assert data["thread_id"] == t["thread_id"]
                    known[name(t)] = data, frozenset(m["message_id"] for m in messages)
                data, members = known[name(t)]
                assert members in met
                assert t["message_count"] == len(members)
                for key in "subject", "root_message_id":
                    assert t[key] == data[key], t
            newest = [max(m.at for m in nodes if m.id in known[name(t)][1] and m.at > since)
                      for t in got]
            assert newest == sorted(newest, reverse=True)
    # The id is the same whatever the window was, and whoever is asked about.
    assert len({members for _, members in known.values()}) == len(known)
    for data, members in list(known.values())[:5]:
        for id in sorted(members)[::4]:
            assert run("read-thread", id, "--account", "work").data["thread_id"] == \
                data["thread_id"]


# Pony Mail


class Pony:
    def __init__(self, emcli, archive, nodes=()):
        self.emcli, self.archive = emcli, archive
        self.mids = dict(zip((m.id for m in nodes), archive.add(LIST, *(m.raw() for m in nodes))))

    def add(self, **flags):
        self.emcli.set_up("account", "add", "work", *self.emcli.options({
            "backend": "ponymail", "url": self.archive.url, "list": LIST,
            "process_backlog": True, **flags}))
        return self

    def run(self, *argv):
        self.archive.forget()
        return self.emcli.run(*argv)

    def asked(self):
        return [e for e, _ in self.archive.asked]


@pytest.fixture
def archive():
    server = ponyd.Ponyd()
    yield server
    server.stop()


@pytest.mark.parametrize("flags", [{}, {"whitelist_in": "on"}], ids=["open", "listed"])
def test_ponymail_pages_agree_with_readings(emcli, archive, flags):
    nodes = forest(7, 40)
    work = Pony(emcli, archive, nodes).add(**flags)
    if flags:
        work.emcli.whitelist("in", ANN)
    agree(work.run, nodes, [NOW - 9 * DAY, NOW - 30 * DAY, NOW - 70 * DAY], [3, 500])


def test_answers_to_a_root_that_the_archive_never_had(emcli, archive):
    """One thread, called by the oldest of them, in every window."""
    nodes = [Node(n, 0, NOW - (30 - n) * DAY) for n in range(1, 26)]
    work = Pony(emcli, archive, nodes).add()
    for since in "40d", "15d", "7d":
        t, = work.run("list-recent-threads", "--account", "work", "--since", since).data["threads"]
        assert t["thread_id"] == {"kind": "ponymail-mid", "id": work.mids[nodes[0].id]}
        assert (t["subject"], t["message_count"]) == ("s1", 25)
        assert t["root_message_id"] == "<n0@lab.example>"
    for m in nodes[0], nodes[12]:
        r = work.run("read-thread", "ponymail-mid:" + work.mids[m.id], "--account", "work").data
        assert r["thread_id"] == t["thread_id"] and len(r["messages"]) == 25
        assert r["complete"] is False and r["missing_ids"] == ["<n0@lab.example>"]


def test_five_threads_of_an_archive_cost_few_requests(emcli, archive):
    """However long the threads are, and however many there are behind them."""
    nodes = [Node(t * 10 + i, t * 10 if i else None, NOW - t * 3600 - (10 - i) * 60)
             for t in range(167) for i in range(10)]
    work = Pony(emcli, archive, nodes).add()
    r = work.run("list-recent-threads", "--account", "work", "--since", "30d", "--limit", 5)
    assert [t["message_count"] for t in r.data["threads"]] == [10] * 5
    assert len(work.asked()) < 10 and "preferences" not in work.asked(), work.asked()
    cursor = r.data["next_cursor"]
    r = work.run("list-recent-threads", "--account", "work", "--since", "30d", "--limit", 5,
                 "--cursor", cursor)
    assert len(r.data["threads"]) == 5 and len(work.asked()) < 10
    # What was read once is known.
    work.run("list-recent-threads", "--account", "work", "--since", "30d", "--limit", 5)
    assert work.asked() == ["stats"]


def test_a_long_thread_of_an_archive_is_read_to_its_end(emcli, archive):
    """A part of it costs what it shows."""
    Pony(emcli, archive, [Node(0, None, NOW - DAY)])
    one, = archive.mail
    archive.mail.clear()
    for n in range(2500):
        m = copy.copy(one)
        m.mid, m.message_id, m.irt = f"m{n:04}", f"<m{n}@lab.example>", f"<m{n - 1}@lab.example>"
        m.epoch = NOW - 30 * DAY + n
        archive.mail.append(m)
    work = Pony(emcli, archive).add()
    t, = work.run("list-recent-threads", "--account", "work", "--since", "40d").data["threads"]
    assert t["message_count"] == 2500 and len(work.asked()) < 10
    for offset in 0, 1000, 2495:
        r = work.run("read-thread", name(t), "--account", "work", "--limit", 5, "--offset", offset)
        assert [m["backend_id"] for m in r.data["messages"]] == [
            f"m{n:04}" for n in range(offset, offset + 5)]
        assert [m["from"][0]["address"] for m in r.data["messages"]] == [ANN] * 5
        assert len(work.asked()) < 10, work.asked()
        assert r.data["next_offset"] == (None if offset == 2495 else offset + 5)


def test_what_is_hidden_names_no_thread_and_costs_nothing_more(emcli, archive):
    nodes = [Node(1, None, NOW - 9 * DAY, EVE), Node(2, 1, NOW - 8 * DAY), Node(3, 2, NOW - 7 * DAY),
             Node(4, 3, NOW - 6 * DAY, EVE), Node(5, None, NOW - 5 * DAY, EVE)]
    work = Pony(emcli, archive, nodes).add(whitelist_in="on")
    work.emcli.whitelist("in", ANN)
    t, = work.run("list-recent-threads", "--account", "work", "--since", "30d").data["threads"]
    assert t["thread_id"]["id"] == work.mids[nodes[1].id]
    assert (t["subject"], t["message_count"]) == ("s2", 2)
    found, = work.run("search-threads", "--account", "work", "--since", "30d", "--subject",
                      "s3").data["threads"]
    assert found["thread_id"] == t["thread_id"]
    # By a name that is hidden nothing is found, nor by one that is nowhere.
    told = {}
    for hidden in work.mids[nodes[4].id], "0" * 32, nodes[4].id, "<nowhere@lab.example>":
        r = work.run("read-thread", hidden if "@" in hidden else "ponymail-mid:" + hidden,
                     "--account", "work")
        assert r.code == "not_found", str(r)
        told.setdefault("@" in hidden, set()).add(
            (r.out.replace(hidden.encode(), b""), len(work.asked())))
    assert [len(x) for x in told.values()] == [1, 1], told
    r = work.run("read-thread", "ponymail-mid:" + work.mids[nodes[0].id], "--account", "work")
    assert r.code == "not_found"


def opened(cursor):
    """All that base64 shows of it, however often it was applied."""
    out, parts = b"", [cursor.encode()]
    while parts:
        raw = parts.pop()
        out += raw + b" "
        for part in raw.split(b".") if b"." in raw else ():
            try:
                parts.append(base64.b64decode(part, validate=True))
            except ValueError:
                pass
    return out


def test_a_cursor_tells_nothing_of_what_is_hidden(emcli, archive):
    """Neither what it is called nor that it came."""
    nodes = [Node(1, None, NOW - 9 * DAY, EVE), Node(2, 1, NOW - 2 * DAY),
             Node(3, None, NOW - 5 * DAY), Node(4, None, NOW - 6 * DAY)]
    work = Pony(emcli, archive, nodes).add(whitelist_in="on")
    work.emcli.whitelist("in", ANN)
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW - 30 * DAY))

    def cursors():
        return [work.run(op, "--account", "work", "--since", since, "--limit", 1)
                .data["next_cursor"] for op in ("list-recent-threads", "search-threads")]
    before = cursors()
    for c in before:
        assert work.mids[nodes[0].id].encode() not in opened(c)
    archive.add(LIST, Node(5, None, NOW - DAY, EVE).raw())
    assert cursors() == before


def test_a_long_archive_is_reached_to_its_end(emcli, archive):
    """Seven hundred threads of two: no cap ends the list."""
    Pony(emcli, archive, [Node(0, None, NOW - DAY)])
    one, = archive.mail
    archive.mail.clear()
    for n in range(1400):
        m = copy.copy(one)
        m.mid, m.message_id = f"m{n}", f"<m{n}@lab.example>"
        m.irt = f"<m{n - 700}@lab.example>" if n >= 700 else ""
        m.epoch = NOW - 50 * DAY + n * 600
        archive.mail.append(m)
    work = Pony(emcli, archive).add()
    got = pages(work.run, "60d", 240)
    assert [t["thread_id"]["id"] for page in got for t in page] == \
        [f"m{n}" for n in reversed(range(700))]


# JMAP


def jmap_site(nodes):
    server = jmapd.Jmapd({"Inbox": [], "Drafts": [], "Sent": []})
    want = trees(nodes)
    for m in nodes:
        mail = server.put("Inbox", m.raw())
        mail.thread = "T" + min(want[m.id])[2:].split("@")[0]
        mail.received = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(m.at))
    return server


def test_jmap_pages_agree_with_readings(emcli):
    nodes = forest(8, 40)
    server = jmap_site(nodes)
    try:
        on_jmap.add(emcli, server.url, list=LIST)
        agree(emcli.run, nodes, [NOW - 9 * DAY, NOW - 30 * DAY, NOW - 70 * DAY], [3, 500])
    finally:
        server.stop()


def test_jmap_is_asked_for_what_the_page_shows(emcli):
    nodes = [Node(t * 10 + i, t * 10 if i else None, NOW - t * 3600 - (10 - i) * 60)
             for t in range(60) for i in range(10)]
    server = jmap_site(nodes)
    try:
        on_jmap.add(emcli, server.url)
        argv = "list-recent-threads", "--account", "work", "--since", "30d", "--limit", 5
        cursor = emcli.run(*argv).data["next_cursor"]
        for more in (), ("--cursor", cursor):
            server.log.clear()
            r = emcli.run(*argv, *more)
            assert [t["message_count"] for t in r.data["threads"]] == [10] * 5
            assert len(server.log) < 10, server.log
            asked = [m for _, _, methods in server.log for m in methods]
            assert asked.count("Thread/get") <= 3
    finally:
        server.stop()


def test_a_thousand_in_one_second_and_no_order(emcli):
    """A page that ends within a second goes on within it."""
    server = jmap_site([Node(0, None, NOW - DAY)])
    one = server.mails.pop()
    for n in range(1200):
        m = copy.copy(one)
        m.id, m.thread = f"Mx{n * 7919 % 1200:04}", f"T{n // 2}"
        server.mails.append(m)
    try:
        on_jmap.add(emcli, server.url)
        got = pages(emcli.run, "30d", 130)
        assert sorted(t["thread_id"]["id"] for page in got for t in page) == \
            sorted(f"T{n}" for n in range(600))
    finally:
        server.stop()


def test_no_page_before_the_last_is_empty(emcli):
    """A hundred threads that all grow at once: five thousand older messages
    begin no other."""
    server = jmap_site([Node(0, None, NOW - DAY)])
    one = server.mails.pop()
    for n in range(5200):
        m = copy.copy(one)
        m.id, m.thread = f"M{n:04}", f"T{n % 100}"
        m.received = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW - 9 * DAY + n))
        server.mails.append(m)
    try:
        on_jmap.add(emcli, server.url)
        # Half of it may be spent on a page that is empty so far.
        emcli.set_up("config", "set", "timeout_seconds", 3600)
        first, *rest = pages(emcli.run, "30d", 100)
        assert [t["thread_id"]["id"] for t in first] == [f"T{n}" for n in reversed(range(100))]
        assert rest in ([], [[]])
    finally:
        server.stop()


def test_the_message_that_a_page_ended_with_is_gone(emcli):
    """That costs two questions more, however many messages come after it."""
    server = jmap_site([Node(n, None, NOW - n * 3600) for n in range(1, 31)])
    old = server.mails.pop()
    for n in range(3000):
        m = copy.copy(old)
        m.id, m.thread = f"Mold{n}", f"Told{n}"
        m.received = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW - 20 * DAY + n))
        server.mails.append(m)
    try:
        on_jmap.add(emcli, server.url)
        argv = "list-recent-threads", "--account", "work", "--since", "30d", "--limit", 9
        first = emcli.run(*argv).data
        gone = first["threads"][-1]["root_message_id"]
        server.mails = [m for m in server.mails if m.parsed["Message-ID"] != gone]
        server.log.clear()
        second = emcli.run(*argv, "--cursor", first["next_cursor"]).data["threads"]
        assert [t["subject"] for t in second] == [f"s{n}" for n in range(10, 19)]
        assert len(server.log) < 12, len(server.log)
    finally:
        server.stop()


def test_a_long_jmap_thread_is_read_to_its_end(emcli):
    server = jmap_site([Node(0, None, NOW - DAY)])
    one = server.mails.pop()
    for n in range(1300):
        m = copy.copy(one)
        m.id, m.thread = f"M{n:05}", "Tlong"
        m.received = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW - 2 * DAY + n))
        m.parsed = copy.copy(one.parsed)
        m.parsed.replace_header("Message-ID", f"<long{n}@lab.example>")
        server.mails.append(m)
    try:
        on_jmap.add(emcli, server.url)
        t, = emcli.run("list-recent-threads", "--account", "work", "--since", "9d").data["threads"]
        assert t["message_count"] == 1300
        data, messages = read(emcli.run, name(t))
        assert [m["backend_id"] for m in messages] == [f"M{n:05}" for n in range(1300)]
        assert data["truncated"] is False
    finally:
        server.stop()


def test_cyrus_pages_agree_with_readings(emcli, real):  # noqa: F811
    """Pages that end within a second, in the server's own order."""
    for n in range(24):
        m = Node(n, n % 6 if n > 5 else None, NOW - 40 * DAY + n // 6 * 20 * DAY // 2)
        raw = m.raw().replace(f"Subject: s{n}\r\n".encode(), f"Subject: s{n % 6}\r\n".encode())
        real.append("agent", raw, date=time.strftime('"%d-%b-%Y %H:%M:%S +0000"', time.gmtime(m.at)))
    on_jmap.add(emcli, real.url, list=LIST)
    for since, count in ("45d", 4), ("15d", 4), ("5d", 0):
        for limit in 1, 4, 500:
            got = [t for page in pages(emcli.run, since, limit) for t in page]
            assert sorted(t["subject"] for t in got) == [f"s{n}" for n in range(6)] * (count > 0)
            assert [t["message_count"] for t in got] == [count] * len(got)
    for t in pages(emcli.run, "45d", 500)[0]:
        data, messages = read(emcli.run, name(t))
        assert data["thread_id"] == t["thread_id"] and len(messages) == 4


# Gmail


@pytest.fixture
def google(google_emulator):  # noqa: F811
    g = gmail.Google(google_emulator.base)
    g.live.add(on_gmail.TOKEN)
    g.empty()
    yield g
    g.stop()


def fill(google, nodes):
    want, threads = trees(nodes), {}
    for m in nodes:
        of = frozenset(want[m.id])
        threads[of] = google.put(m.raw(), thread=threads.get(of))["threadId"]


def test_gmail_pages_agree_with_readings(emcli, google):
    nodes = forest(9, 20)
    fill(google, nodes)
    on_gmail.account(emcli, google, "--password-stdin", list=LIST)
    agree(emcli.run, nodes, [NOW - 25 * DAY, NOW - 70 * DAY], [3, 500])


def test_gmail_is_asked_for_what_the_page_shows(emcli, google):
    nodes = [Node(t * 3 + i, t * 3 if i else None, NOW - t * 3600 - (3 - i) * 60)
             for t in range(12) for i in range(3)]
    fill(google, nodes)
    on_gmail.account(emcli, google, "--password-stdin")
    argv = "list-recent-threads", "--account", "work", "--since", "30d", "--limit", 5
    cursor = emcli.run(*argv).data["next_cursor"]
    for more in (), ("--cursor", cursor):
        google.forget()
        r = emcli.run(*argv, *more)
        assert [t["message_count"] for t in r.data["threads"]] == [3] * 5
        assert google.count() < 10, google.asked
        assert sum("/threads/" in p for _, p in google.asked + google.inner) <= 8
