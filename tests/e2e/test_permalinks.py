# SPDX-License-Identifier: Apache-2.0
"""
Addresses of threads in the place of their ids: what thread_url told, and what
an archive's readers copied.  They are read, held against what the accounts say
of themselves, and never asked for.
"""

import pytest

import ponyd
from oauthlab import google_emulator, npm  # noqa: F401
from test_contract import ALICE, LIST, ME, folder, mail, reply
from test_gmail import google  # noqa: F401
from test_matrix import (cyrus_server, gmail, imap, jmap, maildir, mbox,  # noqa: F401
                         ponymail)
from test_roles import Submitter
from test_sources import good

URL = "https://archive.example/<list>/<id>"
SINCE = "--since", "2026-06-01"


@pytest.mark.parametrize("backend, flags, begins", [
    ("gmail", {}, "https://mail.google.com/mail/?authuser="),
    ("imap", {}, "imap://"),
    ("imap", {"thread_url": URL}, "https://archive.example/"),
    ("jmap", {"thread_url": URL}, "https://archive.example/"),
    ("maildir", {"thread_url": URL}, "https://archive.example/"),
    ("mbox", {"thread_url": URL}, "https://archive.example/"),
    ("ponymail", {}, "http://"),
    ("ponymail", {"thread_url": "https://lists.example/thread/<hash>?<list>"},
     "https://lists.example/thread/"),
])
def test_what_thread_url_told_is_a_name_of_the_thread(request, emcli, backend, flags, begins):
    request.getfixturevalue(backend)(**flags)
    t = emcli.run("list-recent-threads", *SINCE).data["threads"][0]
    name = ":".join(t["thread_id"].values())
    url = emcli.run("thread-url", name).data["url"]
    assert url.startswith(begins)
    by_id, by_url = (emcli.run("read-thread", n).data for n in (name, url))
    assert by_url == by_id
    assert emcli.run("thread-url", url).data["url"] == url
    assert emcli.run("list-sent-since", url, *SINCE).code if backend == "ponymail" else \
        emcli.run("read-thread", url, "--account", "work").data["messages"] == by_id["messages"]


def test_a_draft_answers_the_thread_at_an_address(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, list=LIST, thread_url=URL)
    folder(site.box("agent"), "Drafts")
    site.deliver("agent", mail("a1", to=LIST))
    url = emcli.run("thread-url", "<a1@lab.example>").data["url"]
    made = emcli.run("create-draft", "--thread", url, "--body", "words").data
    assert made["thread_id"]["id"] == "<a1@lab.example>" and made["attached"]
    assert [d["draft_id"] for d in emcli.run("list-drafts", url).data["drafts"]] == \
        [made["draft_id"]]


@pytest.fixture
def archive():
    server = ponyd.Ponyd()
    server.add(LIST, mail("a1", to=LIST), reply("<a1@lab.example>", "a2", day=2, to=LIST))
    yield server
    server.stop()


def test_an_address_says_itself_which_source_it_is_of(emcli, site, archive):
    """Though another is the primary, and could read no id of that kind."""
    emcli.account_maildir(site.path, name="box", process_backlog=True, list=LIST, thread_url=URL)
    site.deliver("agent", mail("b1", to=LIST))
    good(emcli.admin("account", "add", "list", "--backend", "ponymail", "--url", archive.url,
                     "--mode", "RO", "--list", LIST, "--process-backlog"))
    for declared in False, True:
        if declared:
            good(emcli.admin("source", "set", "box", "--role", "primary"))
            good(emcli.admin("source", "set", "list", "--role", "fallback"))
        t = emcli.run("list-recent-threads", "--account", "list", *SINCE).data["threads"][0]
        kept = f"{archive.url}/thread/{t['thread_id']['id']}?{LIST}"
        read = emcli.run("read-thread", kept).data
        assert read["resolution"]["backend"] == "list" and len(read["messages"]) == 2
        assert read["resolution"]["skipped"][0]["cause"] == "other_kind"
        own = emcli.run("read-thread", f"https://archive.example/{LIST}/b1@lab.example").data
        assert own["resolution"]["backend"] == "box"
    r = emcli.run("read-thread", kept, "--account", "box")
    assert r.code == "usage" and "not the address of a thread of this source" in r.json["error_detail"]["message"]


def test_there_is_no_way_back_from_an_archives_hash(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, list=LIST,
                          thread_url="https://archive.example/thread/<hash>?<list>")
    site.deliver("agent", mail("a1", to=LIST))
    url = emcli.run("thread-url", "<a1@lab.example>").data["url"]
    r = emcli.run("read-thread", url, "--account", "work")
    assert r.code == "unsupported", str(r)
    assert emcli.run("read-thread", url).code == "unsupported"


def test_an_address_of_hidden_mail_is_that_of_none(emcli, dovecot):
    for raw in mail("a1", ALICE), mail("b1", "eve@evil.example"):
        dovecot.append("agent", raw)
    emcli.account_imap(dovecot, process_backlog=True, whitelist_in="on")
    emcli.set_up("whitelist", "in", "add", "--account", "work", "--auth", "none", ALICE)
    place = f"imap://{dovecot.host}/INBOX;UID="
    uid = emcli.run("list", "--folder", "INBOX").data["messages"][0]["uid"]
    assert len(emcli.run("read-thread", f"{place}{uid}").data["messages"]) == 1
    hidden, absent = (emcli.run("read-thread", f"{place}{uid + n}") for n in (1, 9))
    assert hidden.code == "not_found" and hidden.out == absent.out
    assert emcli.run("read-thread", f"imap://{dovecot.host}/Nowhere;UID=1").out == absent.out


HOSTILE = [
    "https://127.0.0.1:{port}/thread/a1@lab.example",
    "http://127.0.0.1:{port}/{list}/a1@lab.example",
    "https://archive.example@127.0.0.1:{port}/{list}/a1@lab.example",
    "https://archive.example:{port}/{list}/a1@lab.example",
    "https://archive.example/{list}/../{list}/a1@lab.example",
    "https://archive.example/{list}/a1@lab.example?x=http://127.0.0.1:{port}/",
    "https://archive.example/{list}/a1@lab.example%0d%0aHost:%20x",
    "https://archive.example/other@lab.example/a1@lab.example",
    "https://archive.example/{list}/",
    "imap://127.0.0.1:{port}/INBOX;UID=1",
    "file:///etc/passwd#a1@lab.example",
    "https://" + "x" * 9000,
]


def test_no_address_is_asked_for_because_it_was_named(emcli, site):
    with Submitter(None, None, "127.0.0.1") as server:
        emcli.account_maildir(site.path, process_backlog=True, list=LIST, thread_url=URL)
        folder(site.box("agent"), "Drafts")
        site.deliver("agent", mail("a1", to=LIST))
        for form in HOSTILE:
            url = form.replace("{port}", str(server.port)).replace("{list}", LIST)
            for argv in (["read-thread", url], ["create-draft", "--thread", url, "--body", "x",
                                                "--to", ME, "--account", "work"]):
                r = emcli.run(*argv)
                assert r.code == "usage", str(r)
            assert server.calls == 0
