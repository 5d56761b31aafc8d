# SPDX-License-Identifier: Apache-2.0
"""
The forests of test_forests.py in stores that have threads of their own: missing
roots, folded ids, copies, circles, drafts and what was sent, and hidden mail.
What belongs together is the store's word; that a list and a reading say the
same of it, in every window and on every page, is ours.
"""

import imaplib
import time
import zlib

import pytest

import google as gmail
import jmapd
import ponyd
import test_gmail as on_gmail
import test_jmap as on_jmap
from oauthlab import google_emulator, npm  # noqa: F401
from test_forests import (
    ALICE, DAY, START, WORK, check, forest, letter, pages)
from test_jmap import cyrus_server, real  # noqa: F401
from test_threads_own import LIST, archive, google  # noqa: F401

OPEN = {"process_backlog": True, "whitelist_in": "on"}


def stamp(s):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(s))


def together(letters):
    """For each letter the number of its thread: by every id it names."""
    head = {}

    def top(x):
        while head.setdefault(x, x) != x:
            x = head[x]
        return x
    for x in letters:
        own = x.id or f"~{x.n}"
        for id in (*x.refs, *([x.answers] if x.answers else [])):
            head[top(id)] = top(own)
    return [top(x.id or f"~{x.n}") for x in letters]


def wrong_clocks(letters, r):
    """A server goes by when a message came, whatever its Date says."""
    for x in letters:
        if r.random() < 0.2:
            x.date += r.randrange(-9, 9) * DAY


def in_gmail(emcli, request, letters, r):
    """Its search knows whole ids: what it makes of a folded one is not told."""
    server = request.getfixturevalue("google")
    label = {"INBOX": "INBOX", "Sent": "SENT", "Drafts": "DRAFT"}
    threads = {}
    for x, of in zip(letters, together(letters)):
        threads[of] = server.put(x.raw(r), label[x.place], thread=threads.get(of))["threadId"]
    on_gmail.account(emcli, server, "--password-stdin", **OPEN)
    return {x.id for x in letters if x.folded}


@pytest.fixture
def double():
    server = jmapd.Jmapd({"Inbox": [], "Drafts": [], "Sent": []})
    yield server
    server.stop()


def in_jmap(emcli, request, letters, r):
    server = request.getfixturevalue("double")
    wrong_clocks(letters, r)
    for x, of in zip(letters, together(letters)):
        mail = server.put(x.place.replace("INBOX", "Inbox"), x.raw(r),
                          ["$draft"] if x.place == "Drafts" else [])
        mail.thread = f"T{zlib.crc32(of.encode())}"
        mail.received = stamp(x.when)
    on_jmap.add(emcli, server.url, **OPEN)


def in_cyrus(emcli, request, letters, r):
    """It joins those of one subject, but for what is in brackets."""
    for x in letters:
        x.subject = f"[{x.subject}] plan"
    server = request.getfixturevalue("real")
    c = server.client("agent")
    wrong_clocks(letters, r)
    try:
        for x in letters:
            flags = "(\\Draft)" if x.place == "Drafts" else ""
            kind, data = c.append(x.place, flags, imaplib.Time2Internaldate(x.when), x.raw(r))
            assert kind == "OK", data
    finally:
        c.logout()
    on_jmap.add(emcli, server.url, **OPEN)


def in_archive(emcli, request, letters, r):
    server = request.getfixturevalue("archive")
    server.add(LIST, *(x.raw(r) for x in letters))
    emcli.set_up("account", "add", "work", *emcli.options({
        "backend": "ponymail", "url": server.url, "list": LIST, "from": "agent@lab.example",
        **OPEN}))


@pytest.mark.parametrize("fill, seed, n", [
    (in_gmail, 11, 24), (in_jmap, 13, 36), (in_cyrus, 14, 24), (in_archive, 16, 36)],
    ids=lambda x: getattr(x, "__name__", str(x)))
def test_a_thread_is_the_same_in_every_window_and_on_every_page(emcli, request, fill, seed, n):
    places = ("INBOX",) if fill is in_archive else ("INBOX", "Sent", "Drafts")
    r, letters = forest(seed, n, places)
    unasked = fill(emcli, request, letters, r) or ()
    emcli.whitelist("in", ALICE)
    check(emcli, letters, r, own=True, unasked=unasked)


# -- what is long ------------------------------------------------------------

def chain_in_gmail(emcli, request, letters):
    server = request.getfixturevalue("google")
    thread = None
    for x in letters:
        thread = server.put(x, thread=thread)["threadId"]
    on_gmail.account(emcli, server, "--password-stdin")


def chain_in_jmap(emcli, request, letters):
    server = request.getfixturevalue("double")
    for i, x in enumerate(letters):
        mail = server.put("Inbox", x)
        mail.thread, mail.received = "T0", stamp(START + 60 * i)
    on_jmap.add(emcli, server.url)


def chain_in_archive(emcli, request, letters):
    server = request.getfixturevalue("archive")
    server.add(LIST, *letters)
    emcli.set_up("account", "add", "work", *emcli.options({
        "backend": "ponymail", "url": server.url, "list": LIST, "process_backlog": True}))


@pytest.mark.parametrize("fill, n", [(chain_in_gmail, 100), (chain_in_jmap, 5500),
                                     (chain_in_archive, 10000)],
                         ids=lambda x: getattr(x, "__name__", str(x)))
def test_a_long_chain_has_its_root_and_its_end(emcli, request, fill, n):
    """
    Each names its parent alone.  Gmail splits a thread after 100 messages; a
    JMAP search finds 5,000, and an archive's thread has 10,000.
    """
    fill(emcli, request, [letter(i, i - 1 if i else None) for i in range(n)])
    at = max(0, n - 500)
    listed, = pages(emcli, stamp(START + 60 * (n - 5)), 50)
    last = emcli.run("read-thread", f"<m{n - 1}@lab.example>", *WORK, "--limit", 500,
                     "--offset", at).data
    assert last["root_message_id"] == "<m0@lab.example>" and last["complete"]
    assert last["subject"] == "s0" and last["next_offset"] is None
    assert [m["subject"] for m in last["messages"]] == [f"s{i}" for i in range(at, n)]
    assert listed["message_count"] == n
    for key in "thread_id", "subject", "root_message_id", "complete":
        assert listed[key] == last[key]
