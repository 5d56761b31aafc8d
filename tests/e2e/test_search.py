# SPDX-License-Identifier: Apache-2.0
"""search: what can be asked, and how it goes on."""

import json
import os

import pytest

import ports
from mail import message, subjects, uids

BOX = ("--account", "work", "--folder", "INBOX")


def filled(emcli, site, n=5):
    for i in range(n):
        to = "agent@lab.example" if i % 2 else "Carol <carol@example.org>"
        extra = "" if i % 2 else "Cc: =?utf-8?q?Zo=C3=AB?= <z@example.org>\r\n"
        site.clock = 1782000000 + 60 * i
        site.deliver("agent", message(subject=f"m{i}", to=to, extra=extra, mid=f"<s{i}@t>"))
    emcli.account_maildir(site.path, process_backlog=True)
    return lambda *argv: emcli.run("search", *BOX, *argv)


def test_by_recipient_in_to_or_cc(emcli, site):
    search = filled(emcli, site)
    assert subjects(search("--to", "CAROL")) == ["m4", "m2", "m0"]
    assert subjects(search("--to", "zo\u00eb")) == ["m4", "m2", "m0"]
    assert subjects(search("--to", "agent@lab")) == ["m3", "m1"]
    assert subjects(search("--to", "carol", "--subject-contains", "m2")) == ["m2"]
    assert subjects(search("--to", "alice")) == []


def test_by_what_was_done_with_it(emcli, site):
    for name, flags in ("a", "S"), ("b", "FS"), ("c", ""), ("d", "RS"):
        path = site.deliver("agent", message(subject=name, mid=f"<{name}@t>"))
        path.rename(site.box("agent") / "cur" / f"{path.name}:2,{flags}")
    emcli.account_maildir(site.path, process_backlog=True)

    def search(*argv):
        return subjects(emcli.run("search", *BOX, *argv))
    assert search("--unread") == ["c"]
    assert search("--flagged") == ["b"]
    assert search("--unanswered") == ["c", "b", "a"]
    assert search("--unanswered", "--flagged") == ["b"]
    assert search("--unread", "--flagged") == []


def test_by_message_id_whole(emcli, site):
    search = filled(emcli, site)
    for text in "<s3@t>", "s3@t", " <s3@t> ":
        assert subjects(search("--message-id", text)) == ["m3"]
    for text in "<s3@>", "s3", "<s33@t>", "3@t":
        assert subjects(search("--message-id", text)) == []


def test_it_says_that_it_was_cut_and_goes_on(emcli, site):
    search = filled(emcli, site)
    query = ("--text", "words", "--limit", "2")
    first = search(*query)
    assert subjects(first) == ["m4", "m3"]
    assert first.data["truncated"] is True and first.data["next_before"] == uids(first)[-1]
    told, before = subjects(first), first.data["next_before"]
    while before is not None:
        r = search(*query, "--before-uid", before)
        told += subjects(r)
        before = r.data["next_before"]
        assert r.data["truncated"] is (before is not None)
    assert told == ["m4", "m3", "m2", "m1", "m0"]
    assert search("--text", "words").data["truncated"] is False


def add_folder(site, name):
    for half in "cur", "new", "tmp":
        (site.box("agent") / name / half).mkdir(parents=True)


def test_all_folders(emcli, site):
    search = filled(emcli, site, 3)
    for i, name in enumerate((".Sent", ".Archive", ".Trash")):
        add_folder(site, name)
        path = site.box("agent") / name / "cur" / f"{1782000030 + 60 * i}.M1P1.lab:2,S"
        path.write_bytes(message(subject=name, mid=f"<f{i}@t>"))
    for path in site.box("agent").rglob("*.lab*"):
        at = int(path.name.split(".")[0])
        os.utime(path, (at, at))

    def everywhere(*argv):
        return emcli.run("search", "--account", "work", "--all-folders", *argv)
    r = everywhere()
    assert subjects(r) == ["m2", ".Archive", "m1", ".Sent", "m0"]
    assert [m["folder"] for m in r.data["messages"]] == ["INBOX", "Archive", "INBOX", "Sent",
                                                         "INBOX"]
    assert {m["account"] for m in r.data["messages"]} == {"work"}
    assert ".Trash" in subjects(everywhere("--trash-too"))
    assert subjects(everywhere("--unread")) == ["m2", "m1", "m0"]
    for m in r.data["messages"]:
        got = emcli.run("get", "--account", "work", "--folder", m["folder"], "--uid", m["uid"])
        assert got.data["subject"] == m["subject"]
    told, cursor = [], None
    while True:
        r = everywhere("--limit", "2", *(("--cursor", cursor) if cursor else ()))
        told += subjects(r)
        cursor = r.data["next_cursor"]
        assert r.data["truncated"] is (cursor is not None)
        if cursor is None:
            break
        assert everywhere("--unread", "--cursor", cursor).code == "usage"
    assert told == ["m2", ".Archive", "m1", ".Sent", "m0"]
    assert "folder" not in search().data["messages"][0]

    def heads(*argv):
        return emcli.run("search", "--human", *argv).out.decode().split("\n")[0].split()
    assert heads("--all-folders")[:3] == ["ACCOUNT", "FOLDER", "UID"]
    assert heads()[:2] == ["UID", "DATE"]


@pytest.fixture
def three(emcli, site, dovecot):
    """Files with two messages, a server with one, and a server that is off."""
    for i in range(2):
        path = site.deliver("agent", message(subject=f"spread {i}", mid=f"<spread{i}@t>"))
        os.utime(path, (1782000000 + 60 * i,) * 2)
    dovecot.append("agent", message(subject="spread far", mid="<spreadfar@t>",
                                    sender="Al <alice@lab.example>"))
    emcli.account_maildir(site.path, name="files", process_backlog=True)
    emcli.account_imap(dovecot, name="server", process_backlog=True)
    emcli.account_imap(dovecot, name="off", imap_port=ports.free(1)[0])
    return lambda *argv, **how: emcli.run("search", "--all-accounts", "--subject-contains",
                                          "spread", *argv, **how)


def places(r):
    assert r.rc == 0, str(r)
    return [(m["account"], m["subject"]) for m in r.data["messages"]]


FAR, FILES = [("server", "spread far")], [("files", "spread 1"), ("files", "spread 0")]


def test_all_accounts(emcli, three):
    r = three()
    assert places(r) == FAR + FILES
    assert r.data["warning_counts"] == {"not_searched": 1}
    (off,) = r.data["not_searched"]
    assert (off["account"], off["code"]) == ("off", "network")
    assert "emcli account edit" in off["next"]
    assert places(three("--all-folders")) == FAR + FILES
    for m in r.data["messages"]:
        got = emcli.run("get", *(f"--{k}={m[k]}" for k in ("account", "folder", "uid")))
        assert got.data["subject"] == m["subject"]
    told, cursor = [], None
    while True:
        r = three("--limit", "1", *(("--cursor", cursor) if cursor else ()))
        told += places(r)
        cursor = r.data["next_cursor"]
        if cursor is None:
            break
    assert told == FAR + FILES
    assert three("--account", "files").code == "usage"
    shown = three("--human").out.decode()
    assert "spread far" in shown and "not_searched: off: network: " in shown


def test_all_accounts_by_the_policy_of_each(emcli, three):
    emcli.set_up("account", "edit", "files", "--whitelist-in", "on")
    emcli.set_up("account", "remove", "off", "--yes")
    r = three()
    assert places(r) == FAR
    assert "not_searched" not in r.data and "warnings" not in r.data
    emcli.set_up("whitelist", "in", "add", "alice@lab.example", "--account", "files")
    assert places(three()) == FAR + FILES


def test_all_accounts_that_an_agent_has(emcli, three):
    emcli.set_up("agent", "add", "scout", "--account", "files")
    scout = {"EMCLI_AGENT": "scout"}
    r = three(env=scout)
    assert places(r) == FILES
    assert "not_searched" not in r.data
    assert not {"server", "off"} & set(r.out.decode().split('"'))


def test_all_accounts_of_a_grant(emcli, site, three):
    emcli.setting("skills", "grant")
    assert three().code == "skill"
    lease = emcli.run("load-skill", "--skill", "mail-read").data["lease"]
    emcli.account_maildir(site.path, name="late", process_backlog=True)
    r = three("--lease", lease)
    assert places(r) == FAR + FILES
    assert [x["account"] for x in r.data["not_searched"]] == ["off"]
    log = json.loads(emcli.admin("audit", "list", "--action", "search", "--json").out)["audit"]
    assert {(row["account"], row["result"], row["reason"], row["outcome"])
            for row in log[:5]} == {
        ("", "allowed", "", "ok"), ("files", "allowed", "", "ok"),
        ("server", "allowed", "", "ok"), ("off", "allowed", "", "network"),
        ("late", "blocked", "skill_not_active", "skill")}


# search-threads


def forest(emcli, site, **flags):
    """
    Two threads: a1 (alice) <- a2 (bob) <- a3 (alice), and b1 (bob) alone; the
    word is in a2 and b1.
    """
    def put(at, mid, sender, subject, parent=None, body="words\r\n", **more):
        extra = f"In-Reply-To: {parent}\r\nReferences: {parent}\r\n" if parent else ""
        site.clock = 1782000000 + 3600 * at
        date = "Sun, 21 Jun 2026 %02d:00:00 +0000" % at
        site.deliver("agent", message(subject=subject, sender=sender, mid=mid, body=body,
                                      extra=extra, date=date, **more))
    put(1, "<a1@t>", "alice@lab.example", "plan a")
    put(2, "<a2@t>", "Bob <bob@lab.example>", "Re: plan a", "<a1@t>", "a needle\r\n")
    put(3, "<b1@t>", "bob@lab.example", "plan b", body="one Needle more\r\n",
        to="carol@example.org")
    put(4, "<a3@t>", "alice@lab.example", "Re: plan a", "<a2@t>")
    emcli.account_maildir(site.path, process_backlog=True, **flags)
    return lambda *argv: emcli.run("search-threads", *argv)


def ids(r):
    assert r.rc == 0, str(r)
    return [t["thread_id"]["id"] for t in r.data["threads"]]


def test_threads_with_a_message_that_answers_all(emcli, site):
    search = forest(emcli, site)
    for argv, want in (
            (["--phrase", "NEEDLE"], ["<a1@t>", "<b1@t>"]),
            (["--phrase", "needle", "--from", "bob"], ["<a1@t>", "<b1@t>"]),
            (["--phrase", "needle", "--from", "alice"], []),
            (["--from", "alice"], ["<a1@t>"]),
            (["--not-from", "alice"], ["<a1@t>", "<b1@t>"]),
            (["--not-from", "bob"], ["<a1@t>"]),
            (["--not-from", "lab.example"], []),
            (["--to", "carol"], ["<b1@t>"]),
            (["--subject", "plan b"], ["<b1@t>"]),
            (["--phrase", "needle", "--since", "2026-06-21T02:30:00Z"], ["<b1@t>"]),
            (["--phrase", "needle", "--before", "2026-06-21"], []),
            (["--phrase", "needle", "--before", "2026-06-22"], ["<a1@t>", "<b1@t>"]),
            ([], ["<a1@t>", "<b1@t>"])):
        assert ids(search(*argv)) == want, argv


def test_a_thread_comes_whole_with_its_last_message(emcli, site):
    search = forest(emcli, site)
    r = search("--phrase", "needle", "--subject", "Re:")
    t, = r.data["threads"]
    assert t["subject"] == "plan a" and t["message_count"] == 3 and t["complete"]
    assert t["last_message"]["message_id"] == "<a3@t>"
    assert t["last_message"]["from"][0]["address"] == "alice@lab.example"
    assert r.data["resolution"]["rule"] == "sole"
    listed = emcli.run("list-recent-threads", "--since", "2026-06-01").data["threads"]
    assert t["thread_id"] in [x["thread_id"] for x in listed]
    read = emcli.run("read-thread", ":".join(t["thread_id"].values())).data
    assert read["thread_id"] == t["thread_id"]
    assert read["messages"][-1]["message_id"] == "<a3@t>"


def test_each_thread_is_on_one_page(emcli, site):
    search = forest(emcli, site)
    told, cursor = [], None
    while cursor is not None or not told:
        r = search("--phrase", "needle", "--limit", "1",
                   *(["--cursor", cursor] if cursor else []))
        told += ids(r)
        cursor = r.data["next_cursor"]
        assert r.data["truncated"] is (cursor is not None)
    assert told == ["<a1@t>", "<b1@t>"]
    cursor = search("--phrase", "needle", "--limit", "1").data["next_cursor"]
    # A cursor is of its question, and of no other.
    for other in (["--phrase", "words"], ["--phrase", "needle", "--from", "bob"], []):
        assert search(*other, "--limit", "1", "--cursor", cursor).code == "usage"
    assert emcli.run("list-recent-threads", "--since", "2026-06-01", "--cursor",
                     cursor).code == "usage"


def test_what_is_hidden_is_not_found(emcli, site):
    search = forest(emcli, site, whitelist_in="on")
    emcli.whitelist("in", "alice@lab.example")
    for argv in (["--phrase", "needle"], ["--from", "bob"], ["--to", "carol"],
                 ["--subject", "plan b"]):
        assert ids(search(*argv)) == [], argv
    # What is hidden connects nothing.
    threads = search("--not-from", "bob").data["threads"]
    assert [(t["last_message"]["message_id"], t["message_count"]) for t in threads] == [
        ("<a3@t>", 1), ("<a1@t>", 1)]
