# SPDX-License-Identifier: Apache-2.0
"""Gmail by its REST API: the emulator, and google.py before it."""

import re
import subprocess
import time

import pytest

import google as gmail
import servers
from oauthlab import Consent, browse, google_emulator, npm  # noqa: F401
from test_conform import MAILS, mail, suite  # noqa: F401

TOKEN = "planted-token-4711"
CLIENT = "lab-client.apps.googleusercontent.com"


@pytest.fixture
def google(google_emulator):  # noqa: F811
    g = gmail.Google(google_emulator.base)
    g.empty()
    g.live.add(TOKEN)
    g.organised = False
    yield g
    g.stop()
    assert_harmless(g)


def assert_harmless(g):
    """Whatever was tested: what was asked only reads, or makes a draft; or it changes labels,
    where that was tested."""
    posts = ["/batch/gmail/v1", "/gmail/v1/users/me/drafts"]
    if g.organised:
        posts += ["/gmail/v1/users/me/labels", "/gmail/v1/users/me/messages/batchModify"]
    for method, path in g.asked + g.inner:
        bare = path.split("?")[0]
        assert method == "GET" and re.fullmatch(
            r"/gmail/v1/users/me/(profile|drafts|labels(/[\w-]+)?|messages(/[\w-]+)?|"
            r"threads/[\w-]+|history)", bare) or \
            method == "POST" and bare in posts, path
    assert all(method == "GET" for method, _ in g.inner)


def account(emcli, google, *argv, **flags):
    given = {"backend": "gmail", "mode": "RW", "whitelist_out": "off",
             "auth": "oauth2", "from": "agent@lab.example",
             "username": "agent@lab.example", "url": google.base, "process_backlog": True}
    given.update(flags)
    emcli.set_up("account", "add", "work", *argv, *emcli.options(given),
                 stdin=TOKEN if "--password-stdin" in argv else None)
    google.forget()


@pytest.fixture
def work(emcli, google):
    account(emcli, google, "--password-stdin")
    return emcli


def consented(emcli, google, tmp_path, **flags):
    account(emcli, google, **flags)
    (tmp_path / "secret").write_text("lab-client-secret\n")
    c = Consent(emcli, "--provider", "google", "--issuer", google.base, "--client-id", CLIENT,
                "--client-secret-file", tmp_path / "secret")
    browse(c.url)
    rc, out, err = c.end()
    assert rc == 0, out + err
    google.forget()
    return emcli


def raw(n, subject=None, sender="ann@example.net", body="hello", **more):
    fields = "".join(f"{k.replace('_', '-')}: {v}\r\n" for k, v in more.items())
    day = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1782000000 + n * 60))
    return (f"From: {sender}\r\nTo: agent@lab.example\r\nSubject: {subject or f'mail {n}'}\r\n"
            f"Date: {day}\r\nMessage-ID: <g{n}@example.net>\r\n{fields}\r\n{body}\r\n").encode()


def listed(emcli, *argv, folder="INBOX"):
    return emcli.run("list", "--account", "work", "--folder", folder, *argv)


def subjects(r):
    return [m["subject"] for m in r.data["messages"]]


def test_the_contract(suite, tmp_path, google):  # noqa: F811
    for name in "Empty", "Kept", "Archive":
        google.label(name)
    google.organised = True
    for n in range(1, MAILS + 1):
        google.put(mail(suite, n), "INBOX", *([] if n % 2 else ["UNREAD"]))
    (tmp_path / "token").write_text(TOKEN)
    env = {"PATH": "/usr/bin:/bin", "CONFORM_BACKEND": "gmail", "CONFORM_URL": google.base,
           "CONFORM_OAUTH": "1", "CONFORM_USER": "agent@lab.example",
           "CONFORM_PASSWORD_FILE": str(tmp_path / "token"),
           "CONFORM_MOVE": "Archive", "CONFORM_CACHE": str(tmp_path / "cache"),
           "CMOCKA_MESSAGE_OUTPUT": "TAP"}
    for batches, way in (True, {}), (False, {}), (True, {"CONFORM_WIRED": "1"}):
        google.batches = batches
        done = subprocess.run([suite], env={**env, **way}, capture_output=True, timeout=120)
        said = (done.stdout + done.stderr).decode(errors="replace")
        assert done.returncode == 0 and "not ok" not in said, said
        for part in ("a_scan_is_every_id_and_stays_so", "flags_are_set_found_and_cleared",
                     "labels_are_added_told", "what_is_moved_is_elsewhere"):
            assert part in said
    assert google.inner


def lost(_):
    raise ConnectionResetError


def test_what_leaves_no_folder_is_known_to_be_where_it_went(work, google):
    """All Mail has a message wherever else that is put."""
    google.organised = True
    google.label("Old")
    google.put(raw(1), "STARRED")
    assert work.admin("account", "edit", "work", "--organise", "on").rc == 0
    assert subjects(listed(work, folder="All Mail")) == ["mail 1"]
    google.changes["batchModify"] = lost
    move = ("move", "--account", "work", "--folder", "All Mail", "--uid", "1", "--to", "Old")
    assert work.run(*move).code in ("network", "unknown_outcome")
    google.changes.clear()
    got = work.run("changes", "--account", "work").data["changes"][0]
    assert (got["state"], got["done"]) == ("done", 1)
    assert subjects(listed(work, folder="Old")) == ["mail 1"]


def test_list_get_search_ack(work, google):
    google.label("Projects/emcli")
    for n in range(3):
        google.put(raw(n, body=f"the word number-{n} stands here"))
    google.put(raw(3, "elsewhere"), google.label("Other"))
    r = listed(work)
    assert subjects(r) == ["mail 2", "mail 1", "mail 0"]
    uid = r.data["messages"][0]["uid"]
    got = work.run("get", "--account", "work", "--folder", "INBOX", "--uid", str(uid)).data
    assert got["text"].strip() == "the word number-2 stands here"
    found = work.run("search", "--account", "work", "--folder", "INBOX", "--subject-contains", "MAIL 1")
    assert subjects(found) == ["mail 1"]
    found = work.run("search", "--account", "work", "--folder", "INBOX", "--text", "number-0")
    assert subjects(found) == ["mail 0"]
    assert work.run("ack", "--account", "work", "--folder", "INBOX", "--uid", str(uid)).rc == 0
    assert subjects(listed(work, "--new")) == ["mail 1", "mail 0"]
    assert subjects(listed(work, folder="Other")) == ["elsewhere"]
    assert subjects(listed(work, folder="All Mail"))[0] == "elsewhere"
    names = {f["name"]: f.get("role") for f in work.run("folders", "--account", "work").data["folders"]}
    assert names["SENT"] == "sent" and names["DRAFT"] == "drafts" and names["All Mail"] == "all"
    assert "Projects/emcli" in names and "UNREAD" not in names
    assert listed(work, folder="Nowhere").code == "not_found"
    # Nobody was told that it was read: no flag was touched.
    assert google.raw(google.ids({"labelIds": ["INBOX"]})[0]["id"]) == raw(2, body="the word number-2 stands here")


def test_fifty_cost_two_requests(work, google):
    for n in range(60):
        google.put(raw(n))
    for _ in range(2):
        google.forget()
        assert len(listed(work, "--limit", "50").data["messages"]) == 50
        assert google.count() <= 2, google.asked
    assert {m for m, _ in google.inner} == {"GET"}


def test_a_search_is_gmails_own(work, google):
    for n in range(120):
        google.put(raw(n, body="the needle" if n in (3, 70) else "hay"))
    google.forget()
    found = work.run("search", "--account", "work", "--folder", "INBOX", "--text", "NEEDLE",
                     "--from", "ann@")
    assert subjects(found) == ["mail 70", "mail 3"]
    # The ids, those that fit, and their rows with the labels' names; no body comes here.
    assert google.count() == 3 and len(google.inner) == 3, google.asked


def test_a_long_folder_is_read_once(work, google):
    for n in range(501):
        google.put(raw(n))
    assert subjects(listed(work, "--limit", "2")) == ["mail 500", "mail 499"]
    google.forget()
    assert subjects(listed(work, "--limit", "2")) == ["mail 500", "mail 499"]
    assert google.count() == 2 and "/history?" in google.asked[0][1], google.asked
    # What came, what left, what came back.
    here = [m["id"] for m in google.ids({"labelIds": ["INBOX"]})]
    google.put(raw(501))
    google.ask("POST", f"/messages/{here[0]}/modify", {"removeLabelIds": ["INBOX"]})
    google.ask("POST", f"/messages/{here[1]}/trash")
    google.ask("DELETE", f"/messages/{here[2]}")
    google.ask("POST", f"/messages/{here[3]}/modify", {"removeLabelIds": ["INBOX"]})
    google.ask("POST", f"/messages/{here[3]}/modify", {"addLabelIds": ["INBOX"]})
    google.forget()
    assert subjects(listed(work, "--limit", "3")) == ["mail 501", "mail 497", "mail 496"]
    assert google.count() == 2, google.asked
    # Too long ago: everything once more, and the same.
    last = google.ask("GET", "/history?startHistoryId=0&maxResults=1")["historyId"]
    google.floor = int(last) + 1
    assert subjects(listed(work, "--limit", "3")) == ["mail 501", "mail 497", "mail 496"]


def test_a_first_reading_goes_on_with_the_next_call(work, google):
    for n in range(1201):
        google.put(raw(n))
    assert work.admin("config", "set", "timeout_seconds", "4").rc == 0
    google.slow = {"pageToken=500": 6}
    assert listed(work, "--limit", "1").code in ("limit", "network")
    google.slow = {"pageToken=1000": 6}
    for _ in range(5):  # four seconds may be over before it has come so far
        google.forget()
        r = listed(work, "--limit", "1")
        if any("pageToken=1000" in path for _, path in google.asked):
            break
    assert r.code == "limit" and "call again" in r.json["error_detail"]["message"], str(r)
    google.slow = {}
    assert work.admin("config", "set", "timeout_seconds", "30").rc == 0
    google.forget()
    assert subjects(listed(work, "--limit", "1")) == ["mail 1200"]
    # The last page, what happened since, and the row.
    assert google.count() == 3 and "pageToken=1000" in google.asked[0][1], google.asked
    assert len(work.run("list", "--account", "work", "--folder", "INBOX", "--limit", "500",
                        "--before", "3").data["messages"]) == 2


def test_a_quota_is_told_and_not_tried_again(work, google):
    google.put(raw(1))
    for status, reason in (429, "rateLimitExceeded"), (403, "userRateLimitExceeded"):
        google.forget()
        google.fail = [{"path": "/messages", "status": status, "headers": {"Retry-After": "37"},
                        "body": gmail.error(status, reason)}]
        r = listed(work)
        assert r.code == "limit" and "37 s" in r.json["error_detail"]["message"], str(r)
        assert google.count() == 1, google.asked
    # Inside a batch: one refused is all refused, and nothing half is shown.
    google.put(raw(2))
    google.forget()
    google.fail = [{"path": "/messages/", "status": 429, "headers": {"Retry-After": "5"},
                    "body": gmail.error(429, "rateLimitExceeded")}]
    r = listed(work)
    assert r.code == "limit" and "5 s" in r.json["error_detail"]["message"], str(r)
    assert google.count() == 2, google.asked
    google.fail = [{"path": "/messages", "status": 503, "headers": {"Retry-After": "9"}}]
    r = listed(work)
    assert r.code == "network" and "9 s" in r.json["error_detail"]["message"], str(r)
    assert subjects(listed(work)) == ["mail 2", "mail 1"]


def test_a_refused_token_is_refreshed_once(emcli, google, tmp_path):
    consented(emcli, google, tmp_path)
    google.put(raw(1))
    assert subjects(listed(emcli)) == ["mail 1"]
    # Google no longer wants the first it is shown.
    google.forget()
    google.fail = [{"path": "/gmail/", "status": 401, "body": gmail.error(401, "authError")}]
    assert subjects(listed(emcli)) == ["mail 1"]
    assert len(set(google.tokens)) == 2
    # Or none: then it is said, after one more.
    google.forget()
    google.fail = [{"path": "/gmail/", "status": 401, "times": 99,
                    "body": gmail.error(401, "authError")}]
    assert listed(emcli).code == "auth"
    assert google.count() == 2
    # A token that ended, inside a batch, where the outside was let in.
    google.put(raw(2))
    google.fail = [{"path": "/messages/", "status": 401, "body": gmail.error(401, "authError")}]
    assert subjects(listed(emcli)) == ["mail 2", "mail 1"]


def test_a_token_that_ended(work, google):
    google.put(raw(1))
    google.expires[TOKEN] = time.time() - 1
    r = listed(work)
    assert r.code == "auth" and TOKEN not in str(r)
    assert google.count() == 1
    audit = work.admin("audit", "list", "--json").out.decode()
    assert "authError" in audit and TOKEN not in audit


def test_a_whitelist_reads_what_the_message_says(work, google):
    """Gmail decodes what stands in a header; an address must not come of it."""
    work.whitelist("in", "ann@good.example")
    assert work.admin("account", "edit", "work", "--whitelist-in", "on").rc == 0
    evil = "=?utf-8?q?ann=40good=2Eexample_=28?= <eve@evil.example> (=?utf-8?q?=29?=)"
    google.put(raw(1, "spoofed", evil))
    evil = "=?utf-8?q?ann=40good=2Eexample_=28?= <eve@evil.example> =?utf-8?q?=29?="
    google.put(raw(7, "spoofed by a comment", evil))
    google.put(raw(2, "a comment", "ann@good.example (Ann)"))
    google.put(raw(3, "a name", "=?utf-8?q?Ann=2C_Good?= <ann@good.example>"))
    google.put(raw(4, "two", "ann@good.example>, <eve@evil.example"))
    google.put(raw(5, "umlauts", "=?utf-8?q?Ann_Gr=C3=BCn?= <ann@good.example>"))
    google.forget()
    assert subjects(listed(work)) == ["umlauts", "a name", "a comment"]
    # One more request for those whose header could not be told.
    assert google.count() == 3, google.asked
    # Too big to look at: then it has no sender.
    google.put(raw(6, "big", "=?utf-8?q?Ann=2C_Good?= <ann@good.example>", "x" * 300000))
    assert "big" not in subjects(listed(work))


@pytest.mark.parametrize("pattern, change", [
    ("/messages[?]", lambda a: {"messages": [{"id": "../drafts/send"}]}),
    ("/messages[?]", lambda a: {"messages": [{"id": 7}]}),
    ("/messages[?]", lambda a: {"messages": [{}] * 501}),
    ("/messages[?]", lambda a: {"messages": [], "nextPageToken": "same"}),
    ("/messages[?]", lambda a: {**a, "nextPageToken": "x" * 5000}),
    ("/messages/", lambda a: {**a, "id": "other"}),
    ("/messages/", lambda a: {**a, "threadId": "a/b"}),
    ("/messages/", lambda a: []),
], ids=range(8))
def test_answers_that_are_none(work, google, pattern, change):
    google.put(raw(1))
    google.put(raw(2))
    google.changes = {pattern: change}
    r = listed(work)
    assert r.code == "network" and "understood" in r.json["error_detail"]["message"], str(r)
    assert google.count() <= 4


def test_header_values_end_no_line(work, google):
    google.put(raw(1))

    def change(a):
        for f in a["payload"]["headers"]:
            if f["name"] == "Subject":
                f.update(name="sUbJeCt", value="one\r\nFrom: eve@evil.example\r\n\r\nbody")
        return a
    google.changes = {"/messages/.*full": change}
    got, = listed(work).data["messages"]
    assert [f["address"] for f in got["from"]] == ["ann@example.net"] and \
        got["subject"].startswith("one")


def test_doctor(work, google):
    r = work.run("doctor", "--account", "work")
    names = {c["check"]: c for c in r.data.get("checks", [])} if "checks" in r.data else str(r.data)
    for what in "gmail.login", "gmail.list", "gmail.labels":
        assert what in str(names), str(r)
    google.expires[TOKEN] = 0
    assert "refused the token" in str(work.run("doctor", "--account", "work"))


def test_who_has_no_mail_of_the_list_is_no_source_of_it(work, google):
    google.put(raw(1, List_Id="<sec.lists.example>"))
    for name, there in ("sec@lists.example", True), ("dev@lists.example", False):
        assert work.admin("account", "edit", "work", "--list", name).rc == 0
        assert work.admin("source", "set", "work", "--role", "primary").rc == 0
        source, = work.run("sources").data["sources"]
        assert (source["available"], source["reason"]) == (
            there, None if there else "list_not_visible")


def test_the_operator_says_where(emcli, google):
    for url in "http://gmail.googleapis.com", "https://gmail.googleapis.com/other":
        r = emcli.admin("account", "add", "work", "--password-stdin", *emcli.options({
            "backend": "gmail", "mode": "RO", "auth": "oauth2", "from": "agent@lab.example",
            "url": url}), stdin=TOKEN)
        if r.rc == 0:
            assert listed(emcli).code == "config"
            assert emcli.admin("account", "remove", "work", "--yes").rc == 0
    assert servers.address("agent") == "agent@lab.example"


@pytest.fixture
def talk(work, google):
    """A thread of three, one of them ours, and mail that is not of it."""
    first = google.put(raw(1, "possible overflow", List_Id="<sec.lists.example>"))
    thread = first["threadId"]
    google.put(raw(2, "Re: possible overflow", "agent@lab.example",
                   In_Reply_To="<g1@example.net>", References="<g1@example.net>"),
               "SENT", thread=thread)
    google.put(raw(3, "Re: possible overflow", In_Reply_To="<g2@example.net>",
                   References="<g1@example.net> <g2@example.net>"), thread=thread)
    google.put(raw(4, "something else"))
    google.forget()
    return "gmail-thread-id:" + thread


def test_threads_are_gmails_own(work, google, talk):
    threads = work.run("list-recent-threads", "--account", "work", "--since",
                       "2026-06-01").data["threads"]
    assert {f"{t['thread_id']['kind']}:{t['thread_id']['id']}" for t in threads} >= {talk}
    google.forget()
    read = work.run("read-thread", talk, "--account", "work").data
    assert [m["message_id"] for m in read["messages"]] == [f"<g{n}@example.net>" for n in (1, 2, 3)]
    asked = [p for _, p in google.asked + google.inner if "/threads/" in p]
    assert len(asked) == 1, google.asked
    # Neither is there; and one that could never be is not even asked for.
    for id in "19dc8d4675dfc1f1", "a/b", "../drafts/send":
        r = work.run("read-thread", "gmail-thread-id:" + id, "--account", "work")
        assert r.code in ("not_found", "usage"), str(r)
    sent = work.run("list-sent-since", talk, "--since", "2026-06-01", "--account", "work").data
    assert "<g2@example.net>" in str(sent) and "<g3@example.net>" not in str(sent)


def test_a_draft_goes_into_its_thread(work, google, talk):
    assert "draft" not in str(work.run("list-drafts", talk, "--account", "work").data["drafts"])
    made = work.run("create-draft", "--account", "work", "--thread", talk,
                    "--body", "We look into it.")
    assert made.rc == 0, str(made)
    draft, = google.drafts()
    assert draft["message"]["threadId"] == talk.split(":")[1]
    assert made.data["draft_id"] == draft["id"] and made.data["attached"]
    written = google.raw(draft["message"]["id"]).decode()
    assert "\r\nSubject: Re: possible overflow\r\n" in written
    assert "\r\nIn-Reply-To: <g3@example.net>\r\n" in written
    posts = [p for m, p in google.asked if m == "POST" and "batch" not in p]
    assert posts == ["/gmail/v1/users/me/drafts"]
    # Pending, and no second one beside it.
    def waiting():
        drafts = work.run("list-drafts", talk, "--account", "work").data["drafts"]
        return [d["draft_id"] for d in drafts]
    assert waiting() == [draft["id"]]
    again = work.run("create-draft", "--account", "work", "--thread", talk, "--body", "More.")
    assert again.code == "policy", str(again)
    assert again.json["error_detail"]["draft_ids"] == [draft["id"]]
    assert len(google.drafts()) == 1


def test_a_new_draft_that_no_search_finds_yet_is_read_by_its_name(work, google, talk):
    """What was answered says which one it is; Gmail indexes when it likes to."""
    google.changes = {"rfc822msgid": lambda _: {"resultSizeEstimate": 0}}
    made = work.run("create-draft", "--account", "work", "--thread", talk, "--body", "Soon.")
    assert made.rc == 0, str(made)
    draft, = google.drafts()
    assert made.data["draft_id"] == draft["id"] and made.data["attached"]
    again = work.run("create-draft", "--account", "work", "--thread", talk, "--body", "Soon.")
    assert again.code == "policy", str(again)
    assert len(google.drafts()) == 1


def test_a_draft_that_is_refused_is_not_made_twice(work, google, talk):
    for status, reason, code in (429, "rateLimitExceeded", "limit"), (500, "", "network"):
        google.fail = [{"path": "/drafts$", "status": status, "headers": {"Retry-After": "8"},
                        "body": gmail.error(status, reason)}]
        google.forget()
        r = work.run("create-draft", "--account", "work", "--thread", talk, "--body", "x")
        assert r.code == code and "8 s" in r.json["error_detail"]["message"], str(r)
        assert [p for m, p in google.asked if p.endswith("/drafts")] == \
            ["/gmail/v1/users/me/drafts"]
    assert google.drafts() == []


def test_what_is_sent_goes_by_smtp(emcli, google, dovecot, postfix, introspection, tmp_path):
    """With the token that reads; Gmail itself hears nothing of it."""
    account_smtp = {"smtp_host": postfix.host, "smtp_port": postfix.submissions,
                    "smtp_security": "tls", "ca": dovecot.ca}
    consented(emcli, google, tmp_path, **account_smtp)
    introspection.upstreams.append(google.introspect)
    try:
        google.put(raw(1))
        assert subjects(listed(emcli)) == ["mail 1"]
        google.forget()
        r = emcli.run("send", "--account", "work", "--to", "bob@lab.example",
                      "--subject", "not by gmail", "--body", "x")
        assert r.rc == 0, str(r)
        dovecot.wait_for("bob", b"not by gmail")
        assert all(method == "GET" for method, _ in google.asked)
    finally:
        introspection.upstreams.remove(google.introspect)
