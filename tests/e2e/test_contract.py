# SPDX-License-Identifier: Apache-2.0
"""The contract of mail sources: threads, what was sent in them, drafts."""

import base64
import email.policy
import json

import pytest

import level
import servers
from mail import message

ME, ALICE, BOB, EVE = ("agent@lab.example", "alice@lab.example", "bob@lab.example",
                       "eve@evil.example")
LIST = "security@lab.example"
WORK = "--account", "work"


def reply(parent, n, sender=ALICE, refs=(), day=2, subject="Re: report", **more):
    refs = [*refs, parent]
    extra = f"In-Reply-To: {parent}\r\nReferences: {' '.join(refs)}\r\n" + more.pop("extra", "")
    return mail(n, sender, day, subject, extra=extra, **more)


def mail(n, sender=ALICE, day=1, subject="report", **more):
    return message(sender=sender, subject=subject, mid=f"<{n}@lab.example>",
                   date=f"Wed, {day} Jul 2026 10:00:00 +0000", **more)


def folder(box, name):
    """A Maildir++ folder."""
    for half in "cur", "new", "tmp":
        (box / f".{name}" / half).mkdir(parents=True, exist_ok=True)
    return box / f".{name}"


def put(where, raw, name, flags="S"):
    (where / "cur" / f"{name}.lab:2,{flags}").write_bytes(raw)


@pytest.fixture
def box(emcli, site):
    """A Maildir account with Sent and Drafts; emcli.box is the folder."""
    emcli.account_maildir(site.path, process_backlog=True, list=LIST)
    emcli.box = site.box("agent")
    emcli.sent, emcli.drafts = folder(emcli.box, "Sent"), folder(emcli.box, "Drafts")
    emcli.deliver = lambda raw: site.deliver("agent", raw)
    return emcli


def threads(e, *argv, since="2026-06-01", who=WORK):
    return e.run("list-recent-threads", *who, "--since", since, *argv).data


def read(e, thread, *argv, who=WORK):
    return e.run("read-thread", thread, *who, *argv).data


def ids(data):
    return [m["message_id"].strip("<>").partition("@")[0] for m in data["messages"]]


# -- threads

def test_threads_newest_first_by_their_last_message(box):
    box.deliver(mail("a1", day=1))
    box.deliver(mail("b1", day=2, subject="other"))
    box.deliver(reply("<a1@lab.example>", "a2", sender=BOB, day=3))
    data = threads(box, "--list", ME)
    first, second = data["threads"]
    assert first == {
        "thread_id": {"kind": "rfc5322-message-id", "id": "<a1@lab.example>"},
        "list": ME, "subject": "report", "message_count": 2,
        "first_message_date": "2026-07-01T10:00:00Z",
        "last_message_date": "2026-07-03T10:00:00Z",
        "root_message_id": "<a1@lab.example>", "permalink": None, "date_unknown": False,
        "complete": True}
    assert second["subject"] == "other"
    assert data["thread_id_kind"] == "rfc5322-message-id"
    assert data["resolution"]["backend"] == "work" and data["resolution"]["rule"] == "override"
    page = threads(box, "--list", ME, "--limit", 1)
    assert page["truncated"] and page["threads"] == [first]
    rest = threads(box, "--list", ME, "--limit", 1, "--cursor", page["next_cursor"])
    assert rest["threads"] == [second]
    assert not rest["truncated"] and rest["next_cursor"] is None


def test_new_mail_moves_nothing_between_pages(box):
    for i in range(4):
        box.deliver(mail(f"a{i}", day=1 + i))
    page = threads(box, "--list", ME, "--limit", 2)
    box.deliver(mail("new", day=9))
    box.deliver(reply("<a3@lab.example>", "r", sender=BOB, day=9))
    rest = threads(box, "--list", ME, "--limit", 2, "--cursor", page["next_cursor"])
    got = [t["root_message_id"] for t in page["threads"] + rest["threads"]]
    assert got == [f"<a{i}@lab.example>" for i in (3, 2, 1, 0)]


def test_a_cursor_is_of_one_listing(box, site):
    for i in range(3):
        box.deliver(mail(f"a{i}", day=1 + i))
    mine = threads(box, "--list", ME, "--limit", 1)["next_cursor"]
    box.account_maildir(site.path, name="other", process_backlog=True)

    def code(cursor, account="work", to=ME, since="2026-06-01"):
        return box.run("list-recent-threads", "--account", account, "--list", to,
                       "--since", since, "--cursor", cursor).code
    assert len(threads(box, "--list", ME, "--cursor", mine)["threads"]) == 2
    assert code(mine, account="other") == "usage"
    assert code(mine, to=LIST) == "usage"
    assert code(mine, since="2026-06-02") == "usage"
    for at in range(0, len(mine), 7):
        other = "0" if mine[at] != "0" else "1"
        assert code(mine[:at] + other + mine[at + 1:]) == "usage"
    for bad in ".", "....", mine + ".", mine[:-1], mine * 99, " ", "\n":
        assert code(bad) == "usage", bad


def test_since_is_strict_and_has_its_words(box):
    box.deliver(mail("a1", day=1))
    def count(since):
        return len(threads(box, "--list", ME, since=since)["threads"])
    assert count("2026-07-01T09:59:59Z") == 1
    assert count("2026-07-01T10:00:00Z") == 0
    assert count("2026-07-01") == 1
    assert count("100000h") in (0, 1)
    for bad in "yesterday", "0d", "14", "":
        r = box.run("list-recent-threads", *WORK, "--since", bad)
        assert r.code == "usage"
    assert box.run("list-recent-threads", *WORK).code == "usage"


def test_a_list_is_told_by_list_id_or_by_whom_it_goes_to(box):
    box.deliver(mail("a1", extra="List-Id: Security <security.lab.example>\r\n"))
    box.deliver(mail("b1", to=LIST))
    box.deliver(mail("c1", to=LIST, extra="List-Id: <other.lab.example>\r\n"))
    box.deliver(mail("d1"))
    got = {t["root_message_id"][1:3] for t in threads(box)["threads"]}
    assert got == {"a1", "b1"}
    r = box.admin("account", "edit", "work", "--list", "")
    assert r.rc == 0, str(r)
    assert len(threads(box)["threads"]) == 4


def test_in_a_folder_of_the_lists_own_all_but_other_lists_is_the_lists(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, list=LIST, list_folder="Security")
    own = folder(site.box("agent"), "Security")
    put(own, mail("named", extra=f"List-Id: <{LIST.replace('@', '.')}>\r\n"), "1")
    put(own, mail("nameless"), "2")
    put(own, mail("other", extra="List-Id: <dev.lab.example>\r\n"), "3")
    def found(*argv):
        return {t["root_message_id"].strip("<>").partition("@")[0]
                for t in threads(emcli, *argv)["threads"]}
    assert found() == {"named", "nameless"}
    # It was given to one list, and no other.
    assert found("--list", "dev@lab.example") == {"other"}


def test_a_thread_is_read_across_folders_and_by_any_of_its_ids(box):
    box.deliver(mail("a1", day=1))
    put(box.sent, reply("<a1@lab.example>", "a2", sender=ME, day=2), "100.M1")
    # Cites only its parent, which is what we sent.
    box.deliver(reply("<a2@lab.example>", "a3", day=3))
    box.deliver(mail("z1", day=3, subject="report"))
    for name in ("<a1@lab.example>", "a3@lab.example",
                 "rfc5322-message-id:<a2@lab.example>"):
        data = read(box, name)
        assert ids(data) == ["a1", "a2", "a3"]
        assert data["thread_id"]["id"] == "<a1@lab.example>"
        assert data["complete"] and not data["truncated"] and "missing_ids" not in data
        assert data["participants"] == [ALICE, ME]
        assert [m["flags"] for m in data["messages"]] == [[], ["sent"], []]
    first = data["messages"][0]
    assert "body" not in first and "raw_b64" not in first
    got = box.run("get", *WORK, "--folder", first["folder"], "--uid", first["uid"]).data
    assert got["message_id"] == "<a1@lab.example>"


def test_forms_of_a_thread(box):
    raw = mail("a1", body="what was found\r\n")
    box.deliver(raw)
    text = read(box, "<a1@lab.example>", "--form", "text")["messages"][0]
    assert text["body"].strip() == "what was found" and text["body_truncated"] is False
    assert text["attachments"] == []
    bytes_ = read(box, "<a1@lab.example>", "--form", "raw")["messages"][0]["raw_b64"]
    assert base64.b64decode(bytes_) == raw


def test_what_is_missing_is_told(box):
    box.deliver(reply("<gone@lab.example>", "a2"))
    data = read(box, "<a2@lab.example>")
    assert data["thread_id"]["id"] == "<gone@lab.example>" == data["root_message_id"]
    assert not data["complete"] and data["missing_ids"] == ["<gone@lab.example>"]
    assert ids(read(box, "<gone@lab.example>")) == ["a2"]


def test_a_message_without_an_id_is_a_thread_by_its_bytes(box):
    raw = mail("x").replace(b"Message-ID: <x@lab.example>\r\n", b"")
    box.deliver(raw)
    t = threads(box, "--list", ME)["threads"][0]
    assert t["thread_id"]["kind"] == "sha256-raw" and t["root_message_id"] is None
    name = "sha256-raw:" + t["thread_id"]["id"]
    assert read(box, name, "--form", "raw")["messages"][0]["raw_b64"] == \
        base64.b64encode(raw).decode()
    other = "sha256-raw:" + "0" * 64
    assert box.run("read-thread", other, *WORK).code == "not_found"


@pytest.mark.parametrize("name, code", [
    ("<none@lab.example>", "not_found"),
    ("gmail-thread-id:19dc8d4675dfc1f1", "usage"),
    ("sha256-raw:12", "usage"),
    ("", "usage"),
])
def test_what_is_no_thread(box, name, code):
    box.deliver(mail("a1"))
    for op in ("read-thread", name), ("list-sent-since", name, "--since", "1d"):
        assert box.run(*op, *WORK).code == code


def test_hidden_messages_are_in_no_thread(emcli, site):
    emcli.account_maildir(site.path, whitelist_in="on", process_backlog=True)
    emcli.whitelist("in", ALICE)
    site.deliver("agent", mail("a1", day=1))
    site.deliver("agent", reply("<a1@lab.example>", "e2", sender=EVE, day=2))
    site.deliver("agent", reply("<e2@lab.example>", "a3", refs=["<a1@lab.example>"], day=3))
    site.deliver("agent", reply("<a1@lab.example>", "e4", sender=EVE, day=28))
    site.deliver("agent", mail("e5", sender=EVE, day=28))
    t, = threads(emcli)["threads"]
    assert t["message_count"] == 2 and t["last_message_date"] == "2026-07-03T10:00:00Z"
    assert ids(read(emcli, "<a1@lab.example>")) == ["a1", "a3"]
    hidden = emcli.run("read-thread", "<e5@lab.example>", *WORK)
    absent = emcli.run("read-thread", "<none@lab.example>", *WORK)
    assert hidden.code == "not_found" and hidden.out == absent.out


# -- whose turn it is

def test_what_was_sent_in_a_thread(box):
    box.deliver(mail("a1", day=1))
    put(box.sent, reply("<a1@lab.example>", "a2", sender=ME, day=2), "100.M1")
    box.deliver(reply("<a2@lab.example>", "a3", day=3))
    put(box.sent, reply("<a3@lab.example>", "a4", sender=ME, day=4), "101.M1")
    put(box.sent, mail("z1", sender=ME, day=4), "102.M1")
    # Says that it is ours, and is not.
    box.deliver(reply("<a3@lab.example>", "f5", sender=ME, day=5))
    def sent(since):
        return ids(box.run("list-sent-since", "<a3@lab.example>", *WORK, "--since", since).data)
    assert sent("2026-06-01") == ["a2", "a4"]
    assert sent("2026-07-02T10:00:00Z") == ["a4"]
    assert sent("2026-07-28") == []


def test_our_own_mail_is_seen_where_only_we_write(emcli, site):
    """whitelist_in is for others; what we wrote to whom it hides stays hidden."""
    emcli.account_maildir(site.path, whitelist_in="on", process_backlog=True)
    emcli.whitelist("in", ALICE)
    sent = folder(site.box("agent"), "Sent")
    site.deliver("agent", mail("a1"))
    put(sent, reply("<a1@lab.example>", "a2", sender=ME, to=ALICE), "100.M1")
    put(sent, reply("<a1@lab.example>", "e3", sender=ME, to=EVE), "101.M1")
    site.deliver("agent", reply("<a1@lab.example>", "f4", sender=ME, to=ALICE))
    put(sent, reply("<a1@lab.example>", "e5", sender=EVE, to=ALICE), "102.M1")
    data = emcli.run("list-sent-since", "<a1@lab.example>", *WORK, "--since", "2026-06-01").data
    assert ids(data) == ["a2"]
    assert ids(read(emcli, "<a1@lab.example>")) == ["a1", "a2"]


# -- drafts

def draft(e, *argv, body="Thank you.", who=WORK):
    return e.run("create-draft", *who, "--body", body, *argv)


def files(where):
    return sorted(p for half in ("new", "cur") for p in (where / half).iterdir())


@pytest.fixture
def thread(box):
    """a1 by alice, a2 by bob; box.a is the thread's name."""
    box.deliver(mail("a1", day=1, to=ME))
    box.deliver(reply("<a1@lab.example>", "a2", sender=BOB, day=2,
                      subject="Re: something else"))
    box.a = "rfc5322-message-id:<a1@lab.example>"
    return box


def test_a_draft_answers_the_last_message_under_the_first_subject(thread):
    made = draft(thread, "--thread", thread.a, "--bcc", "carol@lab.example").data
    assert made["attached"] and made["attach_method"] == "reply-header"
    assert made["attach_reason"] is None and not made["again"]
    assert made["thread_id"] == {"kind": "rfc5322-message-id", "id": "<a1@lab.example>"}
    assert (made["to"], made["cc"]) == ([ALICE], [LIST])
    path, = files(thread.drafts)
    assert "D" in path.name.partition(":2,")[2]
    text = path.read_text()
    assert "\nSubject: Re: report\n" in text.replace("\r\n", "\n")
    got = thread.run("list-drafts", thread.a, *WORK).data
    listed, = got["drafts"]
    assert listed["draft_id"] == made["draft_id"]
    assert listed["message_id"] == made["message_id"]
    assert listed["in_reply_to"] == "<a2@lab.example>"
    assert listed["references"] == ["<a1@lab.example>", "<a2@lab.example>"]
    assert [d["draft_id"] for d in thread.run("list-drafts", *WORK).data["drafts"]] == \
        [made["draft_id"]]
    last = read(thread, thread.a)["messages"][-1]
    assert last["flags"] == ["draft"] and last["message_id"] == made["message_id"]
    assert "carol@lab.example" in text
    # A draft is not the last message that a next one answers.
    more = draft(thread, "--thread", thread.a, "--another", "a correction", body="No.").data
    assert more["message_id"] != made["message_id"]
    both = thread.run("list-drafts", thread.a, *WORK).data["drafts"]
    assert [d["in_reply_to"] for d in both] == ["<a2@lab.example>"] * 2


def test_the_same_call_makes_one_draft(thread):
    first = draft(thread, "--thread", thread.a).data
    again = draft(thread, "--thread", "<a2@lab.example>", body="Thank you.  \r\n\n").data
    assert again["again"] and again["draft_id"] == first["draft_id"]
    assert len(files(thread.drafts)) == 1


def test_the_same_text_to_all_is_another_draft(thread):
    first = draft(thread, "--thread", thread.a).data
    r = draft(thread, "--thread", thread.a, "--reply-all")
    assert r.code == "policy" and r.json["error_detail"]["draft_ids"] == [first["draft_id"]]
    more = draft(thread, "--thread", thread.a, "--reply-all", "--another", "to all").data
    assert not more["again"] and more["to"] == [BOB] != first["to"]


def test_a_draft_quotes_the_last_message(thread):
    thread.deliver(reply("<a2@lab.example>", "a3", sender=BOB, day=3,
                         body="<p>A line<p hidden>Not seen",
                         extra="MIME-Version: 1.0\r\nContent-Type: text/html\r\n"))
    made = draft(thread, "--thread", thread.a, "--quote").data
    path, = files(thread.drafts)
    got = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert got["Content-Type"].params["format"] == "flowed"
    assert got.get_content().split() == \
        "Thank you. On 2026-07-03 10:00 +00:00, bob@lab.example wrote: > A line".split()
    # It is another draft than one without a quote, and the same as itself.
    assert draft(thread, "--thread", thread.a, "--quote").data["draft_id"] == made["draft_id"]
    assert draft(thread, "--thread", thread.a).code == "policy"
    alone = draft(thread, "--to", BOB, "--subject", "s", "--quote")
    assert alone.code == "usage" and "quote needs a thread" in \
        alone.json["error_detail"]["message"]


def test_no_second_draft_while_one_waits(thread):
    first = draft(thread, "--thread", thread.a).data
    r = draft(thread, "--thread", thread.a, body="Something else.")
    assert r.code == "policy"
    detail = r.json["error_detail"]
    assert detail["reason"] == "draft_pending"
    assert detail["draft_ids"] == [first["draft_id"]]
    assert detail["resolution"]["backend"] == "work"
    assert draft(thread, "--thread", thread.a, "--another", " ", body="x").code == "usage"
    assert len(files(thread.drafts)) == 1
    more = draft(thread, "--thread", thread.a, "--another", "the first is wrong", body="x")
    assert not more.data["again"] and len(files(thread.drafts)) == 2


@pytest.mark.parametrize("where", ["drafts", "box"])
def test_a_draft_that_somebody_else_wrote_counts(thread, where):
    """In the folder for drafts, or with its flag in the thread itself."""
    other = reply("<a2@lab.example>", "d1", sender=ME, day=3)
    put(getattr(thread, where), other, "900.M1", "DS")
    r = draft(thread, "--thread", thread.a)
    assert r.code == "policy" and r.json["error_detail"]["reason"] == "draft_pending"


def test_a_draft_that_was_sent_is_not_made_again(thread):
    made = draft(thread, "--thread", thread.a).data
    path, = files(thread.drafts)
    path.rename(thread.sent / "cur" / "950.M1.lab:2,S")
    r = draft(thread, "--thread", thread.a)
    assert r.code == "policy" and r.json["error_detail"]["reason"] == "draft_sent"
    sent = thread.run("list-sent-since", thread.a, *WORK, "--since", "1d").data
    assert [m["message_id"] for m in sent["messages"]] == [made["message_id"]]


def test_a_draft_in_no_thread(box):
    argv = "--to", BOB, "--subject", "hello there"
    made = draft(box, *argv).data
    assert not made["attached"] and made["attach_method"] == "subject-fallback"
    assert made["attach_reason"] == "no_thread" and made["subject"] == "hello there"
    assert draft(box, *argv).data["again"]
    r = draft(box, *argv, body="another text")
    assert r.json["error_detail"]["reason"] == "draft_pending"
    # About something else, or to somebody else, is no second one.
    assert draft(box, "--to", BOB, "--subject", "other words", body="z").rc == 0
    assert draft(box, "--to", ALICE, "--subject", "hello there", body="z").rc == 0


@pytest.mark.parametrize("argv, code", [
    (("--subject", "s"), "usage"),
    (("--to", BOB), "usage"),
    (("--to", BOB, "--subject", "Re: "), "usage"),
    (("--thread", "<a1@lab.example>", "--subject", "mine"), "usage"),
    (("--thread", "<none@lab.example>",), "not_found"),
    (("--to", BOB, "--subject", "a\nBcc: eve@evil.example"), "usage"),
    (("--to", "bob@lab.example\nBcc: eve@evil.example", "--subject", "s"), "usage"),
])
def test_no_draft_of_what_is_not_clear(thread, argv, code):
    assert draft(thread, *argv).code == code
    assert files(thread.drafts) == []


def test_an_answer_to_a_message_without_an_id_says_so(box):
    raw = mail("x").replace(b"Message-ID: <x@lab.example>\r\n", b"")
    box.deliver(raw)
    t = threads(box, "--list", ME)["threads"][0]["thread_id"]
    made = draft(box, "--thread", f"{t['kind']}:{t['id']}").data
    assert not made["attached"] and made["attach_reason"] == "no_message_id"
    assert set(made["warnings"]) == {"no_message_id", "draft_unattached"}


@pytest.mark.parametrize("flags, reason", [
    (dict(mode="RO"), "ro_mode"),
    (dict(whitelist_out="on"), "whitelist_out"),
    (dict(outbound="draft"), None),
    (dict(outbound="approve"), None),
])
def test_policy_of_drafts(emcli, site, flags, reason):
    emcli.account_maildir(site.path, process_backlog=True, **flags)
    drafts = folder(site.box("agent"), "Drafts")
    site.deliver("agent", mail("a1"))
    for argv in (("--thread", "<a1@lab.example>"),
                 ("--thread", "<a1@lab.example>", "--to", EVE)):
        r = draft(emcli, *argv, body=" ".join(argv))
        if reason is None:
            assert r.rc == 0 or r.json["error_detail"]["reason"] == "draft_pending"
        else:
            assert r.json["error_detail"]["reason"] == reason
    assert len(files(drafts)) == (reason is None)


def test_whom_a_draft_goes_to_is_judged_when_it_is_known(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, whitelist_out="on")
    emcli.whitelist("out", BOB)
    drafts = folder(site.box("agent"), "Drafts")
    site.deliver("agent", mail("a1"))
    r = draft(emcli, "--thread", "<a1@lab.example>")
    assert r.json["error_detail"]["reason"] == "whitelist_out" and files(drafts) == []
    assert draft(emcli, "--thread", "<a1@lab.example>", "--to", BOB).rc == 0


def test_a_draft_carries_no_secret(thread):
    r = draft(thread, "--thread", thread.a, body="key AKIAIOSFODNN7EXAMPLE and "
              "ghp_0123456789abcdefghijABCDEFGHIJ012345")
    assert r.code == "policy" and r.json["error_detail"]["reason"] == "secret"
    assert files(thread.drafts) == []


def test_an_account_that_only_answers_drafts_to_the_thread_alone(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, scope="thread")
    folder(site.box("agent"), "Drafts")
    site.deliver("agent", mail("a1"))
    for argv in (("--thread", "<a1@lab.example>", "--to", BOB),
                 ("--to", ALICE, "--subject", "something")):
        r = draft(emcli, *argv)
        assert r.json["error_detail"]["reason"] == "scope_thread"
    assert draft(emcli, "--thread", "<a1@lab.example>").rc == 0


def test_without_a_folder_for_drafts_there_are_none(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    site.deliver("agent", mail("a1"))
    for r in (draft(emcli, "--thread", "<a1@lab.example>"),
              emcli.run("list-drafts", *WORK)):
        assert r.code == "unsupported"
        assert "no writable folder for drafts" in r.json["error_detail"]["message"]


def test_drafts_on_imap(emcli, dovecot):
    emcli.account_imap(dovecot, process_backlog=True, drafts_folder="Drafts")
    dovecot.append("agent", mail("a1"))
    dovecot.append("agent", reply("<a1@lab.example>", "a2", sender=BOB))
    dovecot.append("agent", mail("s1", sender=ME), "Drafts", "\\Draft")
    made = draft(emcli, "--thread", "<a1@lab.example>").data
    assert made["attached"] and made["folder"] == "Drafts"
    got = emcli.run("list-drafts", "<a1@lab.example>", *WORK).data["drafts"]
    assert [d["draft_id"] for d in got] == [made["draft_id"]]
    assert got[0]["references"] == ["<a1@lab.example>", "<a2@lab.example>"]
    assert len(emcli.run("list-drafts", *WORK).data["drafts"]) == 2
    assert draft(emcli, "--thread", "<a2@lab.example>").data["again"]
    assert draft(emcli, "--thread", "<a2@lab.example>", body="x").code == "policy"


# -- addresses

def url(e, thread, who=WORK):
    return e.run("thread-url", thread, *who)


def test_an_address_is_the_operators_template_filled_in(box):
    box.deliver(mail("a/1?x", to=LIST))
    def template(text):
        r = box.admin("account", "edit", "work", "--thread-url", text)
        assert r.rc == 0, str(r)
    assert url(box, "<a/1?x@lab.example>").code == "unsupported"
    template("https://archive.example/<list>/<id>")
    data = url(box, "<a/1?x@lab.example>").data
    assert data["url"] == f"https://archive.example/{LIST}/a%2F1%3Fx@lab.example"
    assert data["url_kind"] == "archive"
    assert threads(box)["threads"][0]["permalink"] == data["url"]
    assert url(box, "<none@lab.example>").code == "not_found"
    # What an archive calls it is worked out from the message.
    template("https://archive.example/thread/<hash>?<list>")
    data = url(box, "<a/1?x@lab.example>").data
    head, _, rest = data["url"].partition("/thread/")
    assert data["url_kind"] == "computed" and rest.endswith(f"?{LIST}")
    assert len(rest) == 32 + 1 + len(LIST) and head == "https://archive.example"
    assert threads(box)["threads"][0]["permalink"] is None


def test_the_address_of_an_imap_message_is_the_best_there_is(emcli, dovecot):
    emcli.account_imap(dovecot, process_backlog=True)
    dovecot.append("agent", mail("a1"))
    uid = read(emcli, "<a1@lab.example>")["messages"][0]["uid"]
    data = url(emcli, "<a1@lab.example>").data
    assert data["url"] == f"imap://localhost/INBOX;UID={uid}" and data["url_kind"] == "imap"


# -- who serves it

def role(e, name, *argv):
    r = e.admin("source", "set", name, *argv)
    assert r.rc == 0, str(r)


def recent(e, *argv):
    return e.run("list-recent-threads", "--since", "2026-06-01", *argv)


@pytest.fixture
def two(emcli, site):
    """Two sources: `in`, where mail is, is the primary; `out` has Drafts."""
    emcli.account_maildir(site.path, name="in", process_backlog=True)
    emcli.account_maildir(site.path, name="out", user="bob", process_backlog=True)
    folder(site.box("bob"), "Drafts")
    site.deliver("agent", mail("a1"))
    site.deliver("bob", mail("b1"))
    role(emcli, "in", "--role", "primary")
    role(emcli, "out", "--role", "fallback")
    return emcli


def test_roles_choose_the_source(two):
    data = recent(two).data
    assert data["threads"][0]["root_message_id"] == "<a1@lab.example>"
    assert data["resolution"] == {
        "schema_version": 1, "op": "list_recent_threads", "outcome": "chosen",
        "backend": "in", "rule": "primary", "step": 2, "override_reason": None,
        "thread_id_kind": "rfc5322-message-id", "skipped": [], "note": None}
    # The primary has no folder for drafts.
    data = draft(two, "--thread", "<b1@lab.example>", who=()).data
    assert data["resolution"]["backend"] == "out" and data["resolution"]["step"] == 3
    assert data["resolution"]["skipped"] == [
        {"backend": "in", "step": 2, "cause": "unsupported", "reason": None}]
    rows = json.loads(two.admin("audit", "list", "--json").out)["audit"]
    assert [(r["action"], r["account"]) for r in rows
            if r["action"] in ("create_draft", "list_recent_threads")] == \
        [("create_draft", "out"), ("list_recent_threads", "in")]
    last = next(r for r in rows if r["action"] == "create_draft")
    assert level.plain(last["detail"]) == "create_draft: out (step 3, fallback; in unsupported)"
    r = two.admin("audit", "verify")
    assert r.rc == 0, str(r)


def test_a_source_is_named_with_a_reason_or_not_at_all(two):
    r = recent(two, "--source", "out", "--reason", "a paired check")
    assert r.data["resolution"]["rule"] == "override"
    assert r.data["resolution"]["override_reason"] == "a paired check"
    assert r.data["threads"][0]["root_message_id"] == "<b1@lab.example>"
    assert recent(two, "--source", "out").code == "usage"
    assert recent(two, "--reason", "x").code == "usage"
    assert recent(two, "--source", "out", "--reason", "x", "--account", "in").code == "usage"
    for who in ("--source", "no", "--reason", "x"), ("--account", "no"):
        assert recent(two, *who).code == "not_found"
    r = draft(two, "--thread", "<a1@lab.example>", who=("--source", "in", "--reason", "x"))
    assert r.code == "unsupported"


# -- nothing is declared


def refused(r, code, message):
    assert r.code == code and r.json["error_detail"]["message"] == message, str(r)
    return r.json["error_detail"].get("resolution")


def test_without_roles_the_only_account_that_can_serves(emcli, site):
    refused(recent(emcli), "unsupported", "no backend available for list_recent_threads: there "
            "is no account yet: emcli account add NAME")
    emcli.account_maildir(site.path, process_backlog=True)
    site.deliver("agent", mail("a1"))
    data = recent(emcli).data
    assert data["threads"][0]["root_message_id"] == "<a1@lab.example>"
    assert data["resolution"] == {
        "schema_version": 1, "op": "list_recent_threads", "outcome": "chosen",
        "backend": "work", "rule": "sole", "step": None, "override_reason": None,
        "thread_id_kind": "rfc5322-message-id", "skipped": [], "note": None}
    last = json.loads(emcli.admin("audit", "list", "--json").out)["audit"][0]
    assert (last["account"], last["outcome"], level.plain(last["detail"])) == \
        ("work", "ok", "list_recent_threads: work (sole)")
    # What it cannot: why, and the command that mends it, which does.
    record = refused(
        draft(emcli, "--thread", "<a1@lab.example>", who=()), "unsupported",
        "no backend available for create_draft: work: there is no writable folder for drafts: emcli account edit work --drafts-folder FOLDER")
    assert record["outcome"] == "skipped" and record["skipped"] == [
        {"backend": "work", "step": None, "cause": "unsupported", "reason": None}]
    folder(site.box("agent"), "Concepts")
    emcli.set_up("account", "edit", "work", "--drafts-folder", "Concepts")
    assert draft(emcli, "--thread", "<a1@lab.example>", who=()).data["resolution"]["rule"] == "sole"


def test_of_several_none_is_guessed_and_they_are_named(emcli, site):
    emcli.account_maildir(site.path, name="in", process_backlog=True)
    emcli.account_maildir(site.path, name="out", user="bob", process_backlog=True)
    folder(site.box("bob"), "Drafts")
    site.deliver("agent", mail("a1"))
    site.deliver("bob", mail("b1"))
    record = refused(
        recent(emcli), "usage", "2 accounts can serve list_recent_threads: in, out: name one "
        "(--account), or let the operator choose: emcli source set in --role primary")
    assert record["outcome"] == "ambiguous" and record["backend"] is None
    assert [(s["backend"], s["cause"]) for s in record["skipped"]] == \
        [("in", "one_of_many"), ("out", "one_of_many")]
    assert recent(emcli, "--account", "out").data["resolution"]["rule"] == "override"
    # One of them alone keeps drafts, and nobody has ids of Gmail's.
    made = draft(emcli, "--thread", "<b1@lab.example>", who=()).data["resolution"]
    assert (made["backend"], made["rule"]) == ("out", "sole")
    assert made["skipped"] == [
        {"backend": "in", "step": None, "cause": "unsupported", "reason": None}]
    r = emcli.run("read-thread", "gmail-thread-id:19dc8d4675dfc1f1")
    assert r.code == "usage" and "in has rfc5322-message-id" in r.json["error_detail"]["message"]
    # `sources` says the same, and the command above settles it.
    shown = emcli.run("sources").data
    assert [s["name"] for s in shown["sources"]] == ["in", "out"]
    assert {o["op"]: (o["outcome"], o["rule"]) for o in shown["operations"]}["create_draft"] == \
        ("chosen", "sole")
    assert "out: it could: emcli source set out --role primary" in \
        emcli.admin("source", "explain", "read-thread").out.decode()
    role(emcli, "in", "--role", "primary")
    assert recent(emcli).data["resolution"]["rule"] == "primary"
    refused(draft(emcli, "--thread", "<a1@lab.example>", who=()), "unsupported",
            "no backend available for create_draft: no role says so, but out can: name it, or "
            "emcli source set out --role fallback")


def test_an_agent_of_one_account_has_no_choice(emcli, site):
    emcli.account_maildir(site.path, name="in", process_backlog=True)
    emcli.account_maildir(site.path, name="out", user="bob", process_backlog=True)
    site.deliver("bob", mail("b1"))
    emcli.set_up("agent", "add", "helper", "--account", "out")
    r = emcli.run("list-recent-threads", "--since", "2026-06-01", env={"EMCLI_AGENT": "helper"})
    assert r.data["resolution"]["backend"] == "out"
    assert r.data["resolution"]["skipped"] == [] and b'"in"' not in r.out


def test_an_unavailable_source_is_passed_over_unless_it_is_mandatory(two, site):
    site.box("agent").rename(site.path / "away")
    data = recent(two).data
    assert data["resolution"]["backend"] == "out"
    assert data["resolution"]["skipped"][0]["cause"] == "unavailable"
    role(two, "in", "--role", "primary", "--mandatory", "yes")
    r = recent(two)
    assert r.rc != 0 and r.json["error_detail"]["message"] == \
        "mandatory backend in unavailable: path_missing; run aborted; to see what is wrong: " \
        "emcli doctor --account in"
    # An error in the middle of work changes no source.
    role(two, "in", "--role", "primary", "--mandatory", "no")
    assert two.run("read-thread", "<a1@lab.example>").code == "not_found"


def test_each_account_keeps_its_own_policy(two):
    r = two.admin("account", "edit", "out", "--mode", "RO")
    assert r.rc == 0, str(r)
    r = draft(two, "--thread", "<b1@lab.example>", who=())
    assert r.json["error_detail"]["reason"] == "ro_mode"
    rows = json.loads(two.admin("audit", "list", "--json").out)["audit"]
    row = next(r for r in rows if r["action"] == "create_draft")
    assert (row["account"], row["result"], row["reason"]) == ("out", "blocked", "ro_mode")
    assert two.admin("audit", "verify").rc == 0


def test_sources_shows_the_matrix_as_it_is(two, site):
    data = two.run("sources").data
    first, second = data["sources"]
    assert (first["name"], first["role"], first["available"]) == ("in", "primary", True)
    can = {"list_recent_threads": True, "read_thread": True, "list_drafts": False,
           "list_sent_since": False, "create_draft": False, "thread_url": False,
           "search_threads": True}
    assert first["supports"] == can
    assert set(first["why_not"]) == {op for op, yes in can.items() if not yes}
    assert second["supports"] == {**can, "list_drafts": True, "create_draft": True}
    served = {r["op"]: r["backend"] for r in data["operations"]}
    assert served == {"list_recent_threads": "in", "read_thread": "in", "list_drafts": "out",
                      "list_sent_since": None, "create_draft": "out", "thread_url": None,
                      "search_threads": "in"}
    folder(site.box("agent"), "Sent")
    site.box("bob").rename(site.path / "away")
    data = two.run("sources").data
    assert data["sources"][0]["supports"]["list_sent_since"]
    assert data["sources"][1]["reason"] == "path_missing"
    served = {r["op"]: r["backend"] for r in data["operations"]}
    assert served["create_draft"] is None and served["list_sent_since"] == "in"


def test_without_roles_every_account_is_shown(emcli, site):
    data = emcli.run("sources").data
    assert data["sources"] == [] and len(data["operations"]) == 7
    emcli.account_maildir(site.path)
    data = emcli.run("sources").data
    assert [(s["name"], s["role"]) for s in data["sources"]] == [("work", "none")]
    assert data["operations"][0]["rule"] == "sole"


# -- nothing of the contract sends

def test_no_file_of_the_contract_reaches_what_submits():
    import pathlib
    import re
    import subprocess

    import cli
    root = cli.built().resolve().parent
    objects = [p for p in root.glob("src/**/*.o") if re.search(
        r"/gate/(draft|thread|mailbox_thread|resolve|sources)|/backend/\w+/draft|"
        r"/op/(create_draft|list_|read_thread|search_threads|thread_url|sources)|/source/(url|roster|choose)",
        str(p))]
    assert len(objects) > 20
    for path in objects:
        names = subprocess.run(["nm", "-u", path], capture_output=True, text=True, check=True)
        assert not re.search(r"submit|outbox_(send|dispatch|release)|smtp", names.stdout), path
        source = pathlib.Path(cli.ROOT) / path.relative_to(root).with_suffix(".c")
        assert not re.search(r"(->|\.)submit\b", source.read_text()), source
