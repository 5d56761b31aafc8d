# SPDX-License-Identifier: Apache-2.0
"""Pony Mail archives through the program: lists, private ones, threads, traps."""

import copy
import json
import time

import pytest

import level
import ponyd
from mail import addresses, message, subjects, uids

DEV = "dev@lab.example"
BOX = ("--account", "work", "--folder", DEV)
DAY = 86400


def when(days_ago):
    return time.strftime("%a, %d %b %Y 10:00:00 +0000", time.gmtime(time.time() - days_ago * DAY))


def mail(subject, days_ago=1, sender="Ann <ann@lab.example>", **more):
    more.setdefault("mid", f"<{subject}@lab.example>")
    return message(sender=sender, to=DEV, subject=subject, date=when(days_ago), **more)


def reply(subject, to, days_ago=1, **more):
    return mail(subject, days_ago, extra=f"In-Reply-To: <{to}@lab.example>\r\n"
                f"References: <{to}@lab.example>\r\n", **more)


class Work:
    def __init__(self, emcli, archive):
        self.emcli, self.archive = emcli, archive

    def add(self, password=None, **flags):
        more = ("--password-stdin",) if password else ()
        given = {"backend": "ponymail", "url": self.archive.url, "process_backlog": True, **flags}
        self.emcli.set_up("account", "add", "work", *more, *self.emcli.options(given),
                          stdin=password)
        return self

    def run(self, *argv, **more):
        self.archive.forget()
        return self.emcli.run(*argv, **more)

    def list(self, *more, folder=DEV):
        return self.run("list", "--account", "work", "--folder", folder, *more)

    def asked(self):
        count = {}
        for endpoint, _ in self.archive.asked:
            count[endpoint] = count.get(endpoint, 0) + 1
        return count


@pytest.fixture
def archive():
    server = ponyd.Ponyd()
    yield server
    server.stop()


@pytest.fixture
def work(emcli, archive):
    return Work(emcli, archive)


def test_a_list_is_listed_read_searched_and_acked(work, archive):
    archive.add(DEV, mail("one", 400), mail("two", 40, body="a needle\r\n"), mail("three"))
    archive.add("users@lab.example", mail("elsewhere"))
    work.add()
    folders = work.run("folders", "--account", "work").data["folders"]
    assert [f["name"] for f in folders] == [DEV, "users@lab.example"]
    r = work.list()
    assert subjects(r) == ["three", "two", "one"] and uids(r) == [3, 2, 1]
    # Not masked, as it is everywhere but in the message itself.
    assert addresses(r.json["data"]["messages"][0], "from") == ["ann@lab.example"]
    assert work.run("get", *BOX, "--uid", 2).data["text"] == "a needle\n"

    def search(*query):
        return subjects(work.run("search", *BOX, *query))
    assert search("--text", "NEEDLE") == ["two"]
    assert search("--subject-contains", "three") == ["three"]
    assert search("--from", "ann@lab.example") == ["three", "two", "one"]
    assert search("--from", "bob") == []
    assert search("--text", '"\'-:') == []
    assert work.run("ack", *BOX, "--uid", 3).rc == 0
    assert subjects(work.list("--new")) == ["two", "one"]
    archive.add(DEV, mail("four", 0))
    assert uids(work.list("--new")) == [4, 2, 1]


def test_a_warm_list_asks_for_the_newest_month_alone(work, archive):
    archive.add(DEV, *(mail(f"m{n}", n) for n in range(1, 500, 20)))
    work.add()
    assert len(uids(work.list("--limit", 3))) == 3
    cold = work.asked()
    assert cold == {"stats": 2, "source": 3}
    work.list("--limit", 3)
    assert work.asked() == {"stats": 1}
    assert archive.asked[0][1]["d"] == time.strftime("%Y-%m", time.gmtime())
    # What comes late into a month that was known is found.
    archive.add(DEV, mail("late", 200))
    assert "late" in subjects(work.list())
    assert work.asked()["stats"] == 2
    # And what went is gone, without a new number for anybody else.
    before = uids(work.list())
    archive.mail = [m for m in archive.mail if m.subject != "late"]
    assert set(uids(work.list())) < set(before)


def test_a_month_with_more_than_the_archive_gives_is_asked_for_in_parts(work, archive):
    archive.add(DEV, message(sender="Ann <ann@lab.example>", to=DEV, subject="many",
                             date="Thu, 15 Jan 2026 12:00:00 +0000", mid="<x@lab.example>"))
    one, = archive.mail
    start, end = 1767225600, 1769904000 - 1   # the first and the last second of 2026-01
    for n in range(16000):
        m = copy.copy(one)
        m.mid, m.message_id = f"m{n}", f"<m{n}@lab.example>"
        m.epoch = start + (end - start) * n // 15999
        archive.mail.append(m)
    archive.mail.remove(one)
    archive.add(DEV, mail("new"))
    work.add()
    assert uids(work.list("--limit", 1)) == [16001]
    days = [a["d"] for _, a in archive.asked if "dfr" in a.get("d", "")]
    assert len(days) == 2 and all(d.startswith("dfr=") for d in days)
    # All of it is known now.
    assert uids(work.list("--limit", 1)) == [16001] and work.asked() == {"stats": 1}
    got = work.run("list", *BOX, "--limit", 1, "--before", 2)
    assert uids(got) == [1], str(got)


def test_a_get_reads_its_message_once(work, archive):
    archive.add(DEV, mail("one"), mail("two"))
    work.add()
    work.list()
    for uid in 1, 2:
        work.run("get", *BOX, "--uid", uid)
        assert work.asked() == {"stats": 1, "source": 1}
    archive.add(DEV, mail("three"))
    work.run("get", *BOX, "--uid", 3)
    work.list("--limit", 1)
    work.run("get", *BOX, "--uid", 3)
    assert work.asked() == {"stats": 1, "source": 1}


def test_hidden_senders_stay_hidden(work, archive):
    # Not of one second: their order would be that of their ids, which change every day.
    archive.add(DEV, mail("seen", 2), mail("hidden", sender="eve@evil.example"))
    work.add()
    work.emcli.whitelist("in", "ann@lab.example")
    work.emcli.admin("whitelist", "in", "on", "--account", "work")
    assert subjects(work.list()) == ["seen"]
    assert work.run("search", *BOX, "--from", "eve").data["messages"] == []
    assert work.run("get", *BOX, "--uid", 2).code == "not_found"


@pytest.mark.parametrize("cookie", [ponyd.COOKIE, "ponymail=" + ponyd.COOKIE])
def test_a_private_list_with_a_session(work, archive, cookie):
    archive.add(DEV, mail("secret"), private=True)
    work.add(password=cookie, list=DEV)
    assert subjects(work.list()) == ["secret"]
    assert work.run("doctor").data["ok"] is True
    shown = work.emcli.admin("account", "show", "work", "--json").out
    assert ponyd.COOKIE.encode() not in shown + work.emcli.db.read_bytes()


def test_a_private_list_without_a_session_is_not_empty(work, archive):
    archive.add(DEV, mail("secret"), private=True)
    archive.empty.add("quiet@lab.example")
    work.add()
    r = work.list()
    assert r.code == "auth" and "not visible" in r.json["error_detail"]["message"]
    assert work.list(folder="none@lab.example").json == r.json
    # One that the archive shows and that has nothing is empty.
    assert work.list(folder="quiet@lab.example").data["messages"] == []


def test_a_session_opens_the_account_s_own_list_and_no_other(work, archive):
    """Its owner may read much more than the operator gave away."""
    own, = archive.add(DEV, reply("own", "board"), private=True)
    board, = archive.add("board@lab.example", mail("board", 2), private=True)
    archive.add("users@lab.example", mail("public"))
    work.add(password=ponyd.COOKIE, list=DEV)
    assert subjects(work.list()) == ["own"]
    assert subjects(work.list(folder="users@lab.example")) == ["public"]
    assert work.list(folder="board@lab.example").code == "auth"
    folders = work.run("folders", "--account", "work").data["folders"]
    assert [f["name"] for f in folders] == [DEV, "users@lab.example"]
    # A thread across lists is told as far as it is in this one.
    for mid in own, board:
        r = work.run("read-thread", "ponymail-mid:" + mid, "--account", "work", "--form", "text")
        assert [m["subject"] for m in r.data["messages"]] == ["own"], str(r)
    assert not any(a.get("id") == board for e, a in archive.asked if e == "source")
    # Without a list of its own it opens none.
    assert work.emcli.admin("account", "edit", "work", "--list", "").rc == 0
    assert work.list().code == "auth"
    assert subjects(work.list(folder="users@lab.example")) == ["public"]
    checks = {c["check"]: c for c in work.run("doctor").json["data"]["checks"]}
    assert "opens no list" in str(checks["ponymail.login"])


def test_a_list_that_is_not_to_be_seen_is_no_source(work, archive):
    archive.add(DEV, mail("secret"), private=True)
    work.add(list=DEV)
    assert work.emcli.admin("source", "set", "work", "--role", "primary").rc == 0
    source, = work.run("sources").data["sources"]
    assert (source["available"], source["reason"]) == (False, "list_not_visible")
    archive.mail[0].private = False
    assert work.run("sources").data["sources"][0]["available"]
    checks = {c["check"]: c for c in work.run("doctor").json["data"]["checks"]}
    assert checks["ponymail.list"]["ok"]


def test_a_session_that_ends_says_so(work, archive):
    archive.add(DEV, mail("secret"), mail("more"), private=True)
    work.add(password=ponyd.COOKIE, list=DEV)
    assert len(uids(work.list())) == 2
    archive.session = "another"
    r = work.list()
    assert r.code == "auth" and "session has ended" in r.json["error_detail"]["message"]
    checks = {c["check"]: c for c in work.run("doctor").json["data"]["checks"]}
    assert checks["ponymail.login"]["ok"] is False and checks["ponymail.login"]["next"]
    # In the middle of the work too: "no such message" is not believed.
    archive.session = ponyd.COOKIE
    archive.add(DEV, mail("new"), private=True)
    archive.replies["source"] = (404, "text/plain", b"Email not found")
    archive.replies["preferences"] = b'{"login": {}, "lists": {}}'
    assert work.list().code == "auth"


@pytest.mark.parametrize("folder", ["dev", "@", "dev@", "@lab.example", "*@*", "dev@*",
                                    "d ev@lab.example", "dev@lab.example@x", "INBOX"])
def test_what_names_no_list_is_not_asked_for(work, folder):
    work.add()
    assert work.list(folder=folder).code == "not_found"
    assert work.asked() == {}


def test_one_hiccup_is_forgiven_and_no_more(work, archive):
    archive.add(DEV, mail("one"))
    work.add()
    archive.fail = [503]
    assert subjects(work.list()) == ["one"]
    archive.fail = [503, 502]
    assert work.list().code == "network"
    assert len(archive.asked) == 2
    archive.fail = [429]
    assert work.list().code == "limit"
    assert len(archive.asked) == 1
    archive.fail = [302]
    assert work.list().code == "config"


def test_threads_of_an_archive(work, archive):
    root, first, grand, other = archive.add(
        DEV, mail("root", 40), reply("first", "root", 3),
        reply("grand", "first", 2, body="the last words\r\n"), mail("other", 1))
    archive.add("users@lab.example", reply("across", "grand", 1))
    work.add(list=DEV)
    r = work.run("list-recent-threads", "--account", "work", "--since", "14d")
    threads = r.data["threads"]
    assert [(t["thread_id"]["kind"], t["thread_id"]["id"]) for t in threads] == [
        ("ponymail-mid", other), ("ponymail-mid", root)]
    assert [t["subject"] for t in threads] == ["other", "root"]
    # An account of one list has that list's threads: what is listed is read.
    r = work.run("read-thread", f"ponymail-mid:{root}", "--account", "work", "--form", "text")
    assert [m["subject"] for m in r.data["messages"]] == ["root", "first", "grand"]
    assert r.data["messages"][2]["body"] == "the last words\n"
    assert "preferences" not in work.asked() and "thread" not in work.asked()
    # By any of its messages, and by a Message-ID.
    for name in f"ponymail-mid:{grand}", "<first@lab.example>":
        r = work.run("read-thread", name, "--account", "work")
        assert len(r.data["messages"]) == 3 and r.data["thread_id"]["id"] == root
    assert work.run("read-thread", "ponymail-mid:none", "--account", "work").code == "not_found"
    assert work.run("list-drafts", "--account", "work").code == "unsupported"
    # Without a list of its own it has the archive's, which cross lists.
    assert work.emcli.admin("account", "edit", "work", "--list", "").rc == 0
    r = work.run("read-thread", f"ponymail-mid:{root}", "--account", "work")
    assert [m["subject"] for m in r.data["messages"]] == ["root", "first", "grand", "across"]
    assert work.asked()["thread"] == 1 and "preferences" not in work.asked()


def test_a_long_thread_is_no_deep_water(work, archive):
    """A hundred answers to answers: JSON two hundred levels deep."""
    mids = archive.add(DEV, mail("m0", 20), *(reply(f"m{n}", f"m{n - 1}", 19 - n / 100)
                                              for n in range(1, 100)))
    work.add(list=DEV)
    r = work.run("read-thread", f"ponymail-mid:{mids[0]}", "--account", "work", "--limit", 500)
    assert len(r.data["messages"]) == 100


def stats(emails, **more):
    month = time.strftime("%Y-%m", time.gmtime())
    return json.dumps({"active_months": {month: len(emails)}, "emails": emails, **more}).encode()


def row(mid, **more):
    return {"mid": mid, "epoch": int(time.time()) - 60, "message-id": f"<{mid}@x>", **more}


def test_ids_are_opaque(work, archive):
    ids = ["a/../b", "\n x", "é&id=secret", "%00", "x" * 400, "?#"]
    archive.replies["stats"] = stats([row(i) for i in ids])
    archive.replies["source"] = (200, "text/plain; charset=utf-8", mail("any"))
    work.add()
    assert len(uids(work.list())) == len(ids)
    assert sorted(a["id"] for e, a in archive.asked if e == "source") == sorted(ids)


HOSTILE = {
    "nothing": b"",
    "no JSON": b"<html>log in</html>",
    "an array": b"[]",
    "a scalar": b"7",
    "cut": stats([row("a")])[:-3],
    "deep": b'{"active_months":' + b"[" * 5000 + b"]" * 5000 + b"}",
    "months of other types": b'{"active_months": {"2026-01": "x", "": 3, "9999-99": 1}}',
    "a list of months": b'{"active_months": ["2026-01"]}',
    "more than there is room for": b'{"active_months": {"2026-01": 9223372036854775807}}',
    "emails that are none": stats([7, None, "x", [], {}, {"mid": 7}, {"mid": ""},
                                   row("a" * 600), row("b", epoch="x"), row("c", epoch=2**62)]),
    "other people's months": stats([row("a", epoch=1)]),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_lists(work, archive, what):
    archive.replies["stats"] = HOSTILE[what]
    work.add()
    r = work.list()
    assert r.code in ("network", "auth", "limit"), str(r)


def test_what_no_strict_reader_takes_hides_no_month(work, archive):
    """A NUL and half a surrogate pair in what a stranger wrote."""
    mid, = archive.add(DEV, mail("one"))
    said = stats([row(mid, subject="x")]).replace(b'"x"', rb'"\u0000 \ud83d \udc00 \ud83d\udc00 \\u0000"')
    archive.replies["stats"] = said
    work.add()
    assert subjects(work.list()) == ["one"]


def test_twins_are_one(work, archive):
    mid, = archive.add(DEV, mail("one"))
    archive.replies["stats"] = stats([row(mid), row(mid)])
    work.add()
    assert uids(work.list()) == [1]


def test_a_page_for_people_is_no_mail(work, archive):
    archive.add(DEV, mail("one"))
    archive.replies["source"] = (200, "text/html", b"From: ann@lab.example\r\n\r\nlog in")
    work.add()
    assert work.list().code == "network"


def kept(work):
    """A listing; what was read is kept at its end, or a broker's wire does so at its next call."""
    r = work.list()
    if level.name == "broker":
        work.list()
    return r


@pytest.mark.parametrize("end", ["", ".heads"])
def test_a_spoilt_cache_is_made_anew(work, archive, end):
    archive.add(DEV, mail("one", 100), mail("two"))
    work.add()
    kept(work)
    path, = (p for p in (work.emcli.db.parent / "cache").rglob("ponymail-*")
             if p.suffix == end)
    assert path.stat().st_mode & 0o077 == 0
    good = path.read_bytes()
    for bad in b"", good[:-5], good.replace(b"lab", b"bal"), b"\0" * 100:
        path.write_bytes(bad)
        assert subjects(kept(work)) == ["two", "one"]
        assert path.read_bytes() == good
    stamp = path.stat().st_mtime_ns
    kept(work)
    assert path.stat().st_mtime_ns == stamp


def test_what_is_kept_goes_with_the_account(work, archive):
    archive.add(DEV, mail("one", 100))
    work.add()
    kept(work)
    cache = work.emcli.db.parent / "cache"
    assert len([p for p in cache.rglob("*") if p.is_file()]) == 2
    r = work.emcli.admin("account", "remove", "work", "--yes")
    assert r.rc == 0, str(r)
    assert not list(cache.iterdir())


def test_an_address_that_is_none(emcli, archive):
    for url in "http://lists.lab.example", "https://u:p@lists.lab.example", "https://a/?b":
        emcli.admin("account", "add", "bad", "--backend", "ponymail", "--url", url)
        r = emcli.run("list", "--account", "bad", "--folder", DEV)
        assert r.code in ("config", "not_found"), str(r)
        emcli.admin("account", "remove", "bad", "--yes")


def test_sending_is_not_for_an_archive(work, archive):
    work.add(mode="RW", **{"from": "agent@lab.example"})
    r = work.run("send", "--account", "work", "--to", "ann@lab.example", "--subject", "x",
                 "--body", "x")
    assert r.rc != 0 and work.asked() == {}
