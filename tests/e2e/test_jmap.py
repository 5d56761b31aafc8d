# SPDX-License-Identifier: Apache-2.0
"""JMAP through the program: on Cyrus, and on a server that does as it is told."""

import json

import pytest

import cyrus
import guard
import jmapd
import servers
from mail import message, subjects
from test_mcp import MODERN, Host

BOX = ("--account", "work", "--folder", "INBOX")
LIST = ("list", *BOX)
SEND = ("send", "--account", "work", "--to", servers.address("bob"), "--subject", "hi",
        "--body", "words")


def add(emcli, url, name="work", secret=None, **flags):
    given = {"backend": "jmap", "url": url, "mode": "RW", "whitelist_out": "off",
             "process_backlog": True,
             "from": servers.address("agent"), "username": servers.address("agent"), **flags}
    emcli.set_up("account", "add", name, "--password-stdin", *emcli.options(given),
                 stdin=secret or servers.password("agent"))
    return emcli


def mails(n):
    return [message(subject=f"m{i}") for i in range(n)]


@pytest.fixture
def server():
    s = jmapd.Jmapd({"Inbox": mails(3), "Drafts": [], "Sent": [], "Archive": [],
                     "Archive/2026": mails(1)})
    yield s
    s.stop()


@pytest.fixture
def work(emcli, server):
    return add(emcli, server.url)


def paths(server):
    """What was asked since the last time."""
    out = [p for p, _, _ in server.log]
    server.log.clear()
    return out


@pytest.mark.parametrize("goes_back,code,state,done", [(True, "auth", "failed", 0),
                                                       (False, "unknown_outcome", "partly", 1)])
def test_what_a_server_changes_in_part_is_changed_back_or_unknown(emcli, server, goes_back, code,
                                                                  state, done):
    work = add(emcli, server.url, organise="on")
    whole = server.Email_set

    def set_(args):
        todo = args["update"]
        kept = list(todo)[:1] if goes_back or "ifInState" in args else []
        got = whole({**args, "update": {i: todo[i] for i in kept}})
        no = {i: {"type": "forbidden"} for i in todo if i not in kept}
        return {**got, "notUpdated": no or None}
    server.method["Email/set"] = set_
    told = work.run("mark", *BOX, "--uid", "1:3", "--read")
    got = work.run("changes", "--account", "work").data["changes"][0]
    assert (told.code, told.json["error_detail"]["change"]) == (code, got["change"])
    assert (got["state"], got["done"]) == (state, done)
    assert sum("$seen" in m.keywords for m in server.mails) == done


# Requests.


def test_a_list_is_one_request_when_the_session_is_kept(work, server):
    assert subjects(work.run(*LIST)) == ["m2", "m1", "m0"]
    cold = paths(server)
    assert cold == ["/.well-known/jmap", "/session", "/api"]
    assert subjects(work.run(*LIST)) == ["m2", "m1", "m0"]
    assert paths(server) == ["/api"]
    assert work.run("get", *BOX, "--uid", "2").data
    assert len(paths(server)) == 2


def kept_files(emcli):
    """At the broker's level they are in the account's own folder."""
    return [p for p in (emcli.db.parent / "cache").rglob("jmap-*") if p.is_file()]


def forget(emcli):
    for kept in kept_files(emcli):
        kept.unlink()


@pytest.mark.parametrize("folder,want", [("INBOX", ["m2", "m1", "m0"]), ("Archive/2026", ["m0"]),
                                         ("Archive", [])])
def test_of_an_unknown_server_a_list_is_two_requests(emcli, server, folder, want):
    """The session, and all else at once: folders, which one, what is in it."""
    add(emcli, server.url + "/session")
    for _ in range(2):  # with and without numbers of ours
        forget(emcli)
        paths(server)
        assert subjects(emcli.run("list", *BOX[:2], "--folder", folder)) == want
        assert paths(server) == ["/session", "/api"]


def another(server, **found):
    return lambda a: {"ids": [server.folder("Archive").id], **found}


@pytest.mark.parametrize("spoil", [
    lambda s: s.method.update({"Core/echo": lambda a: ("error", {"type": "unknownMethod"})}),
    lambda s: s.method.update({"Core/echo": lambda a: ("Core/echo", {"inMailbox": 7})}),
    lambda s: s.method.update({"Mailbox/query": another(s)}),
    lambda s: s.method.update({"Mailbox/query": another(s, ids=[])}),
    lambda s: s.method.update({"Mailbox/query": lambda a: ("error", {"type": "unsupportedFilter"})}),
    lambda s: s.method.update({"Email/query": lambda a: s.Email_query(a) if s.known() else {
        "ids": [m.id for m in s.mails]}}),
    lambda s: setattr(s, "session", lambda x: {**x, "capabilities": {
        **x["capabilities"], jmapd.CORE: {"maxCallsInRequest": 4}}}),
], ids=["no echo", "no id", "another folder", "no folder", "no such question", "all folders' mail",
        "few calls"])
def test_where_folders_cannot_be_looked_up_on_the_way(emcli, server, spoil):
    """One request more, and the same mail."""
    server.known = lambda: len(server.log) > 2
    spoil(server)
    add(emcli, server.url + "/session")
    assert subjects(emcli.run(*LIST)) == ["m2", "m1", "m0"]
    assert paths(server) == ["/session", "/api", "/api"]


def test_what_is_kept_holds_no_secret_and_is_ours_alone(work):
    work.run(*LIST)
    kept, = kept_files(work)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert servers.password("agent") not in kept.read_text()
    assert servers.password("agent") not in str(json.loads(kept.read_text()))


def test_a_kept_session_that_moved_is_asked_for_once(work, server):
    work.run(*LIST)
    server.http["/api"] = lambda h: h.reply(404) or True
    server.session = lambda s: {**s, "apiUrl": "/api2"}
    paths(server)
    r = work.run(*LIST)
    # /api2 is not there either: asked once more, and no oftener.
    assert r.code == "network"
    assert paths(server).count("/session") == 1


def test_a_new_state_costs_the_next_call_a_session(work, server):
    work.run(*LIST)
    server.state = "s1"
    assert len(work.run(*LIST).data["messages"]) == 3
    paths(server)
    work.run(*LIST)
    assert "/session" in paths(server)
    work.run(*LIST)
    assert paths(server) == ["/api"]


def test_a_folder_that_became_another_is_not_mistaken(work, server):
    archive = ("list", "--account", "work", "--folder", "Archive/2026")
    assert subjects(work.run(*archive)) == ["m0"]
    server.folder("2026").name = "old"
    server.box("Archive/2026")
    assert subjects(work.run(*archive)) == []
    assert subjects(work.run("list", "--account", "work", "--folder", "Archive/old")) == ["m0"]
    assert work.run("list", "--account", "work", "--folder", "2026").code == "not_found"


def test_broken_cache_files_cost_nothing_but_requests(work):
    for text in "", "{", "[]", '{"version":1}', "x" * 100000:
        work.run(*LIST)
        kept, = kept_files(work)
        kept.write_text(text)
        assert len(work.run(*LIST).data["messages"]) == 3


# Credentials and addresses.


def test_wrong_passwords_and_tokens(emcli, server):
    add(emcli, server.url, secret="wrong")
    assert emcli.run(*LIST).code == "auth"


def test_credentials_stay_with_the_operators_host(emcli, server):
    other = jmapd.Jmapd()
    try:
        server.http["/.well-known/jmap"] = lambda h: h.reply(
            302, Location=other.url.replace("127.0.0.1", "localhost") + "/session") or True
        add(emcli, server.url)
        assert emcli.run(*LIST).rc != 0
        assert all(auth is None for _, auth, _ in other.log) and other.log
    finally:
        other.stop()


@pytest.mark.parametrize("key", ["apiUrl", "downloadUrl", "uploadUrl"])
def test_a_session_cannot_send_them_elsewhere(emcli, server, key):
    other = jmapd.Jmapd()
    try:
        path = {"apiUrl": "/api", "downloadUrl": "/down/{accountId}/{blobId}/{name}",
                "uploadUrl": "/up/{accountId}/"}[key]
        server.session = lambda s: {**s, key: other.url + path}
        add(emcli, server.url)
        emcli.run(*LIST)
        emcli.run("get", *BOX, "--uid", "1")
        emcli.admin("whitelist", "out", "off", "--account", "work")
        r = emcli.run(*SEND)
        assert key == "downloadUrl" or r.rc != 0
        assert other.log == []
    finally:
        other.stop()


@pytest.mark.parametrize("base", ["", "http://127.0.0.1:PORT", "//127.0.0.1:PORT"])
def test_addresses_of_every_form(emcli, server, base):
    base = base.replace("PORT", server.url.rpartition(":")[2])
    server.session = lambda s: {**s, **{k: base + s[k] for k in
                                        ("apiUrl", "downloadUrl", "uploadUrl")}}
    add(emcli, server.url)
    assert emcli.run("get", *BOX, "--uid", "1").rc == 0


def test_a_session_by_its_own_address(emcli, server):
    server.session = lambda s: {**s, "apiUrl": "api"}
    add(emcli, server.url + "/session")
    assert len(emcli.run(*LIST).data["messages"]) == 3


# Servers that say what is not so.


def spoil(server, what):
    """One part of a list's answer becomes something else."""
    def f(responses):
        return [[n, what(n, a), t] for n, a, t in responses]
    server.answer = f


WRONG = [None, 7, [[7]], {"x": 1}]


@pytest.fixture
def outcome(work):
    """What a tool of one long-lived process ends in: None, or its error's code."""
    host = Host(work, "--always", revision=MODERN)

    def call(tool, **arguments):
        got = host.call(tool, account="work", folder="INBOX", **arguments)
        return got["error_detail"].get("code")

    yield call
    assert host.end()[0] == 0


@pytest.mark.parametrize("member", ["ids", "list"])
def test_members_of_a_wrong_type(outcome, server, member):
    for value in WRONG:
        spoil(server, lambda n, a: {**a, member: value} if member in a else a)
        assert outcome("list") in (None, "network", "not_found", "limit"), value


@pytest.mark.parametrize("key", ["id", "mailboxIds", "headers", "size", "receivedAt",
                                 "keywords", "threadId", "blobId", "hasAttachment"])
def test_properties_of_a_wrong_type(outcome, server, key):
    for value in WRONG:
        spoil(server, lambda n, a: {**a, "list": [{**m, key: value} for m in a["list"]]}
              if n == "Email/get" else a)
        assert outcome("list") is None, value
        assert outcome("get", uid=1) in (None, "network", "not_found"), value


@pytest.mark.parametrize("answer", [
    b"", b"{", b"[]", b"null", b'{"methodResponses":7}', b'{"methodResponses":[]}',
    b'{"methodResponses":[["error"]]}', b'{"methodResponses":[["Email/query",{},"c9"]]}',
    b'{"methodResponses":[[[[[]]]]]}', b"[" * 100000, b"\xff\xfe"])
def test_answers_that_are_none(work, server, answer):
    server.http["/api"] = lambda h: h.reply(200, answer) or True
    assert work.run(*LIST).code in ("network", "limit")


def test_an_answer_without_an_end(work, server):
    def endless(h):
        h.send_response(200)
        h.end_headers()
        try:
            while True:
                h.wfile.write(b" " * 65536)
        except OSError:
            return True
    server.http["/api"] = endless
    assert work.run(*LIST).code == "limit"


def test_pages_without_an_end(work, server):
    """A server with a limit of its own, that always has one more."""
    n = iter(range(1 << 30))
    server.method["Email/query"] = lambda a: {
        "ids": [f"x{next(n)}" for _ in range(50000)], "limit": 50000}
    assert work.run(*LIST).code == "limit"


def test_pages_are_put_together(work, server):
    whole = server.Email_query

    def paged(args):
        out = whole(args)
        return {**out, "ids": out["ids"][:2], "limit": 2}
    server.method["Email/query"] = paged
    assert subjects(work.run(*LIST)) == ["m2", "m1", "m0"]


@pytest.mark.parametrize("kind,code", [
    ("unknownMethod", "unsupported"), ("accountNotFound", "config"), ("forbidden", "auth"),
    ("requestTooLarge", "limit"), ("serverFail", "network"), ("serverUnavailable", "network"),
    ("accountReadOnly", "auth"), ("neverHeardOf", "network")])
def test_errors_of_a_method(work, server, kind, code):
    server.method["Email/query"] = lambda a: ("error", {"type": kind})
    assert work.run(*LIST).code == code


def test_a_login_without_a_mailbox_is_told_so(work, server):
    """Nobody knows whether there ever was one."""
    server.method["Email/query"] = lambda a: ("error", {"type": "accountNotFound"})
    assert work.run(*LIST).json["error_detail"]["message"] == \
        "the mail server has no mailbox for this login"


@pytest.mark.parametrize("status,code", [(403, "auth"), (413, "limit"), (429, "limit"),
                                         (500, "network"), (503, "network"), (400, "network")])
def test_statuses(work, server, status, code):
    server.http["/api"] = lambda h: h.reply(status) or True
    assert work.run(*LIST).code == code


def test_another_accounts_mail_is_refused(work, server):
    spoil(server, lambda n, a: {**a, "accountId": "B2"})
    assert work.run(*LIST).code == "network"


def test_a_header_cannot_be_forged_by_its_value(work, server):
    spoil(server, lambda n, a: {**a, "list": [
        {**m, "headers": [*m["headers"],
                          {"name": "X", "value": " y\r\nSubject: forged\nFrom: eve@evil.example"},
                          {"name": "Subject: forged\r\nX", "value": " y"}]}
        for m in a["list"]]} if n == "Email/get" else a)
    assert subjects(work.run(*LIST)) == ["m2", "m1", "m0"]


def test_folders_in_circles_and_without_parents(work, server):
    a, b = server.box("a"), server.box("b")
    a.parent, b.parent = b.id, a.id
    server.box("c").parent = "gone"
    server.box("again").name = "INBOX"
    server.box("d").name = "e\nf"
    names = [f["name"] for f in work.run("folders", "--account", "work").data["folders"]]
    assert {"a", "b", "c", "INBOX", "Archive/2026"} <= set(names)
    assert len(names) == len(set(names)) and not any("\n" in n for n in names)


LONG = "<a-long-part.of-an-id.that-is-folded@lab.example>"


@pytest.mark.parametrize("mid, nested, found", [
    (LONG, True, True), (LONG, False, True), (LONG.replace("-an", "\r\n -an"), True, True),
    (LONG.replace("-an", "\r\n -an"), False, False)],
    ids=["whole", "whole, flat filters", "folded", "folded, flat filters"])
def test_a_message_is_found_by_an_id_that_is_folded(emcli, server, mid, nested, found):
    """Where the server takes a filter within a filter; else as it ever was."""
    server.put("Inbox", message(subject="it", mid=mid))
    server.method["Email/query"] = lambda args: server.Email_query(args) \
        if nested or "operator" not in args["filter"] else ("error", {"type": "unsupportedFilter"})
    add(emcli, server.url)
    r = emcli.run("read-thread", LONG, "--account", "work")
    if found:
        assert [m["subject"] for m in r.data["messages"]] == ["it"]
    else:
        assert r.code == "not_found"


# Sending.


@pytest.fixture
def sender(work):
    work.admin("whitelist", "out", "off", "--account", "work")
    return work


def test_a_new_draft_that_no_search_finds_yet_is_read_by_its_name(work, server):
    """Email/import answered with its id; an index comes when it likes to."""
    query = server.Email_query
    server.method["Email/query"] = lambda args: {**query(args), **(
        {"ids": []} if "header" in str(args["filter"]) else {})}
    made = work.run("create-draft", "--account", "work", "--to", "bob@lab.example",
                    "--subject", "soon", "--body", "x")
    assert made.rc == 0, str(made)
    draft, = server.inside("Drafts")
    assert made.data["draft_id"] == draft.id


def test_send(sender, server):
    assert sender.run(*SEND).rc == 0
    (envelope, raw), = server.sent
    assert envelope["mailFrom"]["email"] == servers.address("agent")
    assert [t["email"] for t in envelope["rcptTo"]] == [servers.address("bob")]
    assert b"Subject: hi" in raw
    assert server.inside("Drafts") == []
    copy, = server.inside("Sent")
    assert copy.raw == raw and copy.keywords == {"$seen"}


@pytest.mark.parametrize("refusal,code", [
    ({"type": "invalidRecipients", "invalidRecipients": [servers.address("bob")]}, "rejected"),
    ({"type": "forbiddenToSend"}, "rejected"), ({"type": "forbiddenFrom"}, "rejected"),
    ({"type": "tooLarge"}, "rejected"), ({"type": "rateLimit"}, "limit"), ({}, "network")])
def test_what_is_not_created_was_not_sent(sender, server, refusal, code):
    server.method["EmailSubmission/set"] = lambda a: {"created": None,
                                                      "notCreated": {"s": refusal}}
    r = sender.run(*SEND)
    assert r.code == code
    assert server.inside("Drafts") == [] and server.inside("Sent") == []


@pytest.mark.parametrize("answer", [
    lambda h: h.connection.shutdown(2) or True, lambda h: h.reply(500) or True,
    lambda h: h.reply(200, b"{") or True,
    lambda h: h.reply(200, b'{"methodResponses":[]}') or True,
    lambda h: h.reply(200, b'{"methodResponses":[["EmailSubmission/set",{},"c0"]]}') or True,
    lambda h: h.reply(200, b'{"methodResponses":[["error",{"type":"serverPartialFail"},"c0"]]}')
    or True], ids=["hung up", "500", "no JSON", "no answer", "neither", "partly"])
def test_a_reply_that_is_lost_is_an_unknown_outcome(sender, server, answer):
    def f(h):
        return answer(h) if "EmailSubmission/set" in server.log[-1][2] else None
    server.http["/api"] = f
    r = sender.run(*SEND)
    assert r.code == "unknown_outcome"
    asked = [m for _, _, methods in server.log for m in methods]
    assert asked.count("EmailSubmission/set") == 1


def test_nothing_is_sent_before_everything_is_there(sender, server):
    server.http["/up/A1/"] = lambda h: h.reply(500) or True
    assert sender.run(*SEND).code == "network"
    server.http.clear()
    server.method["Email/import"] = lambda a: {"notCreated": {"m": {"type": "overQuota"}}}
    assert sender.run(*SEND).code == "limit"
    server.method.clear()
    server.method["Identity/get"] = lambda a: {"list": [{"id": "I", "email": "x@y.example"}]}
    r = sender.run(*SEND)
    assert r.code == "config" and "no identity" in str(r.json)
    assert server.sent == []


# Cyrus.


@pytest.fixture(scope="module")
def cyrus_server(postfix):
    s = cyrus.Cyrus(postfix.smtp)
    yield s
    s.stop()


@pytest.fixture
def real(cyrus_server):
    cyrus_server.clear("agent")
    return cyrus_server


def fill(real, n=3):
    for i in range(n):
        real.append("agent", mails(n)[i], date=f'"20-Jun-2026 10:{i:02}:00 +0000"')


def test_cyrus_read_search_ack(emcli, real):
    fill(real)
    add(emcli, real.url)
    assert subjects(emcli.run(*LIST)) == ["m2", "m1", "m0"]
    before = real.messages("agent")
    got = emcli.run("get", *BOX, "--uid", "2").data
    assert "m1" in json.dumps(got)
    assert subjects(emcli.run("search", *BOX, "--subject-contains", "M1")) == ["m1"]
    real.index()
    assert len(emcli.run("search", *BOX, "--text", "m1").data["messages"]) >= 1
    assert emcli.run("ack", *BOX, "--uid", "1", "2").rc == 0
    assert subjects(emcli.run(*LIST, "--new")) == ["m2"]
    assert real.messages("agent") == before


class Counting(guard.Guard):
    """Before the server: what it was asked."""

    def serve(self, h, body):
        self.asked.append(h.path)
        status, headers, answer = self.pass_on(h, h.path, body)
        self.say(h, status, answer, {"Content-Type": headers.get("Content-Type") or "x/y",
                                     **({"Location": headers["Location"]}
                                        if headers.get("Location") else {})})


@pytest.fixture
def counted(real):
    g = Counting(real.url)
    g.asked = []
    yield g
    g.stop()


@pytest.mark.parametrize("folder", ["INBOX", "Sent"])
def test_cyrus_is_asked_twice_and_then_once(emcli, real, counted, folder):
    for i in range(3):
        real.append("agent", mails(3)[i], folder=folder)
    add(emcli, counted.base + "/jmap/")
    for want in (["/jmap/", "/jmap/"], ["/jmap/"]):
        counted.asked.clear()
        assert len(subjects(emcli.run(*LIST[:-1], folder))) == 3
        assert counted.asked == want


def test_cyrus_folders_and_doctor(emcli, real):
    add(emcli, real.url)
    found = {f["name"]: f for f in emcli.run("folders", "--account", "work").data["folders"]}
    assert {"INBOX", "Drafts", "Sent"} <= set(found)
    r = emcli.run("doctor", "--account", "work")
    text = json.dumps(r.json)
    for line in "jmap.dns", "jmap.tcp", "jmap.login", "jmap.folders":
        assert line in text
    assert r.rc == 0, str(r)


def test_cyrus_send(emcli, real, dovecot):
    add(emcli, real.url)
    emcli.admin("whitelist", "out", "off", "--account", "work")
    r = emcli.run(*SEND)
    assert r.rc == 0, str(r)
    raw = dovecot.wait_for("bob", r.data["message_id"].encode())
    assert b"Subject: hi" in raw and b"words" in raw
    (flags, copy), = real.messages("agent", "Sent")
    assert b"Subject: hi" in copy and "Seen" in flags
    assert real.messages("agent", "Drafts") == []
    r = emcli.run(*("reject@lab.example" if a == servers.address("bob") else a for a in SEND))
    assert r.code == "rejected"
    assert real.messages("agent", "Drafts") == []
