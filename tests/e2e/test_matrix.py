# SPDX-License-Identifier: Apache-2.0
"""
The capability matrix, held to its word: what `emcli sources` says a source can
is done on a live server, and what it says it cannot is refused as unsupported.
"""

import base64
import re

import pytest

import cli
import cyrus
import ponyd
import servers
from mail import message
from oauthlab import google_emulator, npm  # noqa: F401
from test_contract import ALICE, BOB, LIST, ME, folder, put
from test_gmail import TOKEN, google  # noqa: F401
from test_mbox import LINE
from test_sources import OPS, good

# As the contract has it, in the order of OPS; d: depends.  An archive may be
# told whose mail in it was sent, and where its threads can be seen; and an IMAP
# server may have no folder for what is sent (test_imap.py).
CONTRACT = {"gmail": "YYYYYYY", "ponymail": "YYNNNYY", "imap": "YYdddYY", "mbox": "YYNdNdY",
            "jmap": "YYddddY", "maildir": "YYddddY"}
KINDS = {"gmail": "gmail-thread-id", "ponymail": "ponymail-mid", "jmap": "jmap-thread-id"}
URL = "https://archive.example/<list>/<id>"


def mail(n, day, sender=ALICE, to=LIST, refs=()):
    extra = "List-Id: <security.lab.example>\r\n"
    if refs:
        extra += (f"In-Reply-To: <{refs[-1]}@lab.example>\r\nReferences: " +
                  " ".join(f"<{r}@lab.example>" for r in refs) + "\r\n")
    return message(sender=sender, to=to, subject="Re: report" if refs else "report",
                   mid=f"<{n}@lab.example>", date=f"Wed, {day} Jul 2026 10:00:00 +0000",
                   extra=extra)


ROOT, REPLY = mail("a1", 1), mail("a2", 2, BOB, refs=["a1"])
SENT = mail("s1", 3, ME, refs=["a1", "a2"])
DRAFT = mail("d1", 4, ME, refs=["a1", "a2"])


def add(emcli, backend, *argv, stdin=None, **flags):
    given = {"backend": backend, "mode": "RW", "whitelist_out": "off",
             "from": ME, "process_backlog": True,
             "list": LIST, **flags}
    good(emcli.admin("account", "add", "work", *argv, *emcli.options(given), stdin=stdin))


# Each fills its store and adds the account; flags are the account's.

@pytest.fixture
def imap(emcli, dovecot):
    def deploy(**flags):
        for raw in ROOT, REPLY:
            dovecot.append("agent", raw)
        dovecot.append("agent", SENT, "Sent")
        dovecot.append("agent", DRAFT, "Drafts", "\\Draft")
        emcli.account_imap(dovecot, process_backlog=True, list=LIST, **flags)
    return deploy


@pytest.fixture
def maildir(emcli, site):
    def deploy(folders=("Sent", "Drafts"), **flags):
        box = site.box("agent")
        for raw in ROOT, REPLY:
            site.deliver("agent", raw)
        if "Sent" in folders:
            put(folder(box, "Sent"), SENT, "100.M1")
        if "Drafts" in folders:
            put(folder(box, "Drafts"), DRAFT, "101.M1", "DS")
        add(emcli, "maildir", path=site.path, **flags)
    return deploy


@pytest.fixture
def mbox(emcli, tmp_path):
    def deploy(**flags):
        path = tmp_path / "security.mbox"
        path.write_bytes(b"".join(LINE + raw + b"\r\n" for raw in (ROOT, REPLY, SENT)))
        add(emcli, "mbox", path=path, **flags)
    return deploy


@pytest.fixture(scope="module")
def cyrus_server():
    server = cyrus.Cyrus()
    yield server
    server.stop()


@pytest.fixture
def jmap(emcli, cyrus_server):
    cyrus_server.clear("agent")

    def deploy(**flags):
        for raw in ROOT, REPLY:
            cyrus_server.append("agent", raw)
        cyrus_server.append("agent", SENT, folder="Sent")
        cyrus_server.append("agent", DRAFT, "Drafts", "(\\Draft)")
        cyrus_server.index()
        add(emcli, "jmap", "--password-stdin", stdin=servers.password("agent"),
            url=cyrus_server.url, username=ME, **flags)
    return deploy


@pytest.fixture
def gmail(emcli, google):  # noqa: F811
    def deploy(**flags):
        thread = google.put(ROOT)["threadId"]
        google.put(REPLY, thread=thread)
        google.put(SENT, "SENT", thread=thread)
        google.ask("POST", "/drafts", {"message": {
            "raw": base64.urlsafe_b64encode(DRAFT).decode(), "threadId": thread}})
        add(emcli, "gmail", "--password-stdin", stdin=TOKEN, auth="oauth2", username=ME,
            url=google.base, **flags)
    return deploy


@pytest.fixture
def ponymail(emcli):
    archive = ponyd.Ponyd()

    def deploy(**flags):
        archive.add(LIST, ROOT, REPLY, SENT)
        add(emcli, "ponymail", url=archive.url, **flags)
    yield deploy
    archive.stop()


def ids(rows):
    return [r["message_id"].strip("<>").partition("@")[0] for r in rows]


def recent(data, _):
    t, = data["threads"]
    assert t["subject"] == "report" and t["root_message_id"] == "<a1@lab.example>"


def whole(data, can):
    """What was sent, and a draft, are in a thread where they are to be found."""
    got = ids(data["messages"])
    assert got[:2] == ["a1", "a2"] and data["complete"]
    assert all(m["body"] == "words\n" for m in data["messages"])
    assert ("s1" in got[2:]) >= can["list_sent_since"]
    assert ("d1" in got[2:]) >= can["list_drafts"]


def drafts(data, _):
    assert ids(data["drafts"]) == ["d1"] and data["drafts"][0]["draft_id"]


def sent(data, _):
    assert ids(data["messages"]) == ["s1"]


def draft(data, _):
    assert data["attached"] and data["to"] == [ALICE] and data["draft_id"]


def found(data, _):
    """The same threads as are listed, whole."""
    assert data["threads"] and not data["truncated"]
    assert all(t["last_message"]["from"] and t["message_count"] for t in data["threads"])


def url(data, _):
    assert data["url"].partition("://")[0] in ("https", "http", "imap")


# In the order of OPS: what is asked of the thread, and what must be answered.
ASK = [
    (lambda t: ["list-recent-threads", "--since", "2026-06-01"], recent),
    (lambda t: ["read-thread", t, "--form", "text"], whole),
    (lambda t: ["list-drafts", t], drafts),
    (lambda t: ["list-sent-since", t, "--since", "2026-06-01"], sent),
    (lambda t: ["create-draft", "--thread", t, "--body", "words", "--another", "a test"], draft),
    (lambda t: ["thread-url", t], url),
    (lambda t: ["search-threads"], found),
]


@pytest.mark.parametrize("backend, flags, cells", [
    ("gmail", {}, "YYYYYYY"),
    ("imap", {}, "YYYYYYY"),
    ("imap", {"drafts_folder": "Nowhere"}, "YYNYNYY"),
    ("jmap", {}, "YYYYYNY"),
    ("jmap", {"thread_url": URL}, "YYYYYYY"),
    ("jmap", {"drafts_folder": "Nowhere"}, "YYNYNNY"),
    ("maildir", {}, "YYYYYNY"),
    ("maildir", {"folders": ("Drafts",), "thread_url": URL}, "YYYNYYY"),
    ("maildir", {"folders": ()}, "YYNNNNY"),
    ("mbox", {}, "YYNNNNY"),
    ("mbox", {"sent_folder": "INBOX", "thread_url": URL}, "YYNYNYY"),
    ("ponymail", {}, "YYNNNYY"),
])
def test_what_the_matrix_says_is_so(request, emcli, backend, flags, cells):
    assert all(c in (k, "Y" if k == "d" else k, "N" if k == "d" else k)
               for c, k in zip(cells, CONTRACT[backend]))
    request.getfixturevalue(backend)(**flags)
    good(emcli.admin("source", "set", "work", "--role", "primary"))
    source, = emcli.run("sources").data["sources"]
    kind = KINDS.get(backend, "rfc5322-message-id")
    assert source["available"] and source["thread_id_kind"] == kind
    can = source["supports"]
    assert "".join("NY"[can[op]] for op in OPS) == cells
    assert set(source["why_not"]) == {op for op in OPS if not can[op]}
    t = emcli.run("list-recent-threads", "--since", "2026-06-01").data["threads"][0]
    assert t["thread_id"]["kind"] == kind
    thread = ":".join(t["thread_id"].values())
    for op, (argv, answers) in zip(OPS, ASK):
        # By its role, and as the account that was named.
        r = emcli.run(*argv(thread))
        named = emcli.run(*argv(thread), "--account", "work")
        if can[op]:
            assert r.data["thread_id_kind"] == kind and named.data
            answers(r.data, can)
        else:
            assert (op, r.code, named.code) == (op, "unsupported", "unsupported")


@pytest.mark.parametrize("backend, place", [
    ("gmail", ()), ("ponymail", ("--url", "https://archive.example")), ("mbox", ("--path", "/"))])
def test_a_folder_for_drafts_is_not_for_who_has_none_to_choose(emcli, backend, place):
    """Gmail has one, an archive none: a setting that could only break a cell."""
    r = emcli.admin("account", "add", "work", "--backend", backend, *place, "--mode", "RO",
                    "--drafts-folder", "Drafts")
    assert r.rc == 2 and b"--drafts-folder does not go with --backend " in r.err, str(r)


# -- what may be changed -------------------------------------------------------

PAGE = (cli.ROOT / "doc" / "backends" / "README.md").read_text()
HEAD, _, *ROWS = [[cell.strip() for cell in line.strip("|").split("|")]
                  for line in re.search(r"\| source \|.*\n(\|.*\n)+", PAGE)[0].splitlines()]
# An agent's own mailbox is changed by operations of its own: test_agentbox.py.
CHANGED = {row[0]: dict(zip(HEAD, row)) for row in ROWS if row[0] != "agentbox"}
# "archived" is a flag of such mailboxes alone.
CHANGE = {"read": ["mark", "--read"], "answered": ["mark", "--answered"],
          "flagged": ["mark", "--flag"], "labels": ["mark", "--label", "work"],
          "move": ["move", "--to", "Kept"]}


@pytest.mark.parametrize("backend", CHANGED)
def test_what_the_page_says_can_be_changed_is_and_the_rest_is_refused(request, emcli, backend):
    cells = CHANGED[backend]
    assert {"source", "archived", *CHANGE} == set(cells) and "Y" in "".join(
        cells["read"] for cells in CHANGED.values())
    request.getfixturevalue(backend)(**({"organise": "on"} if "Y" in cells.values() else {}))
    makes = {"imap": lambda s: s.doveadm("mailbox", "create", "-u", ME, "Kept"),
             "maildir": lambda s: folder(s.box("agent"), "Kept"),
             "gmail": lambda s: (setattr(s, "organised", True), s.label("Kept")),
             "jmap": lambda s: s.append("agent", DRAFT, folder="Kept")}
    servers_of = {"imap": "dovecot", "maildir": "site", "gmail": "google", "jmap": "cyrus_server"}
    if backend in makes:
        makes[backend](request.getfixturevalue(servers_of[backend]))
    else:
        emcli.admin("account", "edit", "work", "--organise", "on")
    where = LIST if backend == "ponymail" else "INBOX"
    uid = emcli.run("list", "--folder", where).data["messages"][0]["uid"]
    for what, (verb, *argv) in CHANGE.items():
        r = emcli.run(verb, "--folder", where, "--uid", uid, *argv)
        if cells[what] == "Y":
            assert r.data["count"] == 1 and "not_done" not in r.data, what
            assert emcli.run("changes").data["changes"][0]["state"] == "done"
        else:
            assert (what, r.code) == (what, "unsupported"), str(r)
    r = emcli.run("labels", "--folder", where)
    assert r.data if cells["labels"] == "Y" else r.code == "unsupported"
    if cells["move"] == "N":
        for verb in "archive", "trash":
            assert emcli.run(verb, "--folder", where, "--uid", uid).code == "unsupported"


# -- a search of all folders ---------------------------------------------------

# mbox and Pony Mail have no folder for drafts.
EVERYWHERE = {"imap": "a1 a2 d1 s1", "maildir": "a1 a2 d1 s1", "jmap": "a1 a2 d1 s1",
              "gmail": "a1 a2 d1 s1", "mbox": "a1 a2 s1", "ponymail": "a1 a2 s1"}


def every_page(emcli, *argv):
    """The rows of a search, two at a time."""
    rows, cursor = [], ()
    while True:
        data = emcli.run("search", "--all-folders", *argv, "--limit", "2", *cursor).data
        rows += data["messages"]
        if data["next_cursor"] is None:
            return rows
        cursor = "--cursor", data["next_cursor"]


@pytest.mark.parametrize("backend", EVERYWHERE)
def test_a_search_of_all_folders_finds_each_message_once(request, emcli, backend):
    request.getfixturevalue(backend)()
    found = [emcli.run("get", "--folder", r["folder"], "--uid", r["uid"]).data
             for r in every_page(emcli)]
    assert sorted(ids(found)) == EVERYWHERE[backend].split()
    assert every_page(emcli, "--subject-contains", "nowhere") == []


@pytest.mark.parametrize("backend", ["imap", "maildir", "jmap", "gmail"])
def test_a_search_of_all_folders_leaves_trash_out(request, emcli, backend):
    request.getfixturevalue(backend)(organise="on")
    if backend == "maildir":
        folder(request.getfixturevalue("site").box("agent"), "Trash")
    elif backend == "gmail":
        request.getfixturevalue("google").organised = True
    uid = emcli.run("list", "--folder", "INBOX").data["messages"][0]["uid"]
    assert emcli.run("trash", "--folder", "INBOX", "--uid", uid).rc == 0
    assert len(every_page(emcli)) == 3
    assert len(every_page(emcli, "--trash-too")) == 4
