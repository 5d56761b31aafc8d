# SPDX-License-Identifier: Apache-2.0
"""The gateway's tables, cell by cell: each route with who may ask it, each code with a call that
gets it, and both transports.  One gateway answers them all."""

import concurrent.futures
import fcntl
import os
import pathlib
import threading

import pytest

import stalwartd
import test_stalwart
from test_gateway import CI, HEAD, LATER, MESSAGE, WRITER, ask, good, pair, send  # noqa: F401

MINE, THEIRS = "writer", "ci"
NOWHERE = "filesystem:msg-20260101T000000Z-" + "0" * 32
OLD = {"if_bindings_version": "2020-01-01T00:00:00.000000Z"}

# A body that each route takes but for what a test puts into it.
ROUTES = {
    ("GET", "/v1/mail/status"): None,
    ("POST", "/v1/mail/check"): {},
    ("POST", "/v1/mail/send"): {"to": [CI], "subject": "cells", "body_content": "x"},
    ("POST", "/v1/mail/post"): {"subject": "cells", "body_content": "x"},
    ("POST", "/v1/mail/reply"): {"message_ref": NOWHERE, "body_content": "x"},
    ("POST", "/v1/mail/state"): {"message_ref": NOWHERE, "read": True},
    ("POST", "/v1/mail/list"): {},
    ("POST", "/v1/mail/peek"): {"message_ref": NOWHERE},
    ("POST", "/v1/mail/read"): {"message_ref": NOWHERE},
    ("POST", "/v1/mail/mark"): {"message_refs": [NOWHERE], "read": True},
    ("POST", "/v1/mail/move"): {"message_refs": [NOWHERE], "destination_box": "later"},
    ("POST", "/v1/mail/archive"): {"message_refs": [NOWHERE]},
    ("GET", "/v1/mail/attachment/att-000000000000"): None,
    ("GET", "/v1/mail-notifier"): None,
    ("PUT", "/v1/mail-notifier"): {"enabled": True, "interval_seconds": 60},
    ("DELETE", "/v1/mail-notifier"): None,
}
POSTS = [path for method, path in ROUTES if method == "POST"]
OPERATORS = "/v1/mail/post"  # an agent's gateway refuses it before it reads on
WITH_REF = [path for path in POSTS if {"message_ref", "message_refs"} & set(ROUTES["POST", path])]

ACCESS = [
    # The token (None: the session's), the head, the status and the code.
    ("", {}, 401, "unauthenticated"),
    ("emcli_" + "0" * 64, {}, 401, "unauthenticated"),
    (None, {"Host": "evil.example"}, 403, "forbidden_origin"),
    (None, {"Origin": "http://127.0.0.1"}, 403, "forbidden_origin"),
]


def total(session):
    return good(session, "list", {"extensions": True})["total_count"]


def test_every_route_asks_who_calls(pair):
    """And nothing of it is done."""
    before = total(pair.ci)
    for (method, path), body in ROUTES.items():
        for token, head, status, code in ACCESS:
            r = ask(pair.writer, method, path, body, token=token, **head)
            assert r.code == (status, code), (method, path, token, head, r.raw)
        # Another method is none of this path.
        r = ask(pair.writer, "PATCH", path, body)
        assert (r.status, r.json["code"]) == (405, "invalid_request"), (path, r.raw)
    # The one that upstream's resolver asks has no token, and is no page's either.
    assert ask(pair.writer, "GET", "/health", token="").status == 200
    for _, head, status, code in ACCESS[2:]:
        assert ask(pair.writer, "GET", "/health", token="", **head).code == (status, code)
    assert total(pair.ci) == before
    assert ask(pair.writer, "GET", "/v1/mail-notifier").json["enabled"] is False


def test_every_route_is_strict(pair):
    def right(path):
        return {(422, "invalid_request")} | ({(403, "policy")} if path == OPERATORS else set())

    before = total(pair.ci)
    for path in POSTS:
        body = ROUTES["POST", path]
        for bad in ({**body, "nothing": 1}, {**body, "schema_version": 2},
                    {**body, "extensions": "yes"}, [body]):
            r = ask(pair.writer, "POST", path, bad)
            assert r.code in right(path), (path, bad, r.raw)
        for name in body:
            less = {k: v for k, v in body.items() if k != name}
            r = ask(pair.writer, "POST", path, less)
            assert r.code in right(path), (path, less, r.raw)
            assert name in r.json["detail"] or path in (OPERATORS, "/v1/mail/mark"), r.raw
    assert total(pair.ci) == before


def test_every_route_compares_the_binding(pair):
    for path in POSTS:
        r = ask(pair.writer, "POST", path, {**ROUTES["POST", path], **OLD})
        want = (403, "policy") if path == OPERATORS else (409, "stale_binding")
        assert r.code == want, (path, r.raw)


def test_a_message_of_nowhere_and_of_another_mailbox_are_the_same(pair):
    theirs = send(pair.ci, to=CI)["message"]["message_ref"]
    for path in WITH_REF:
        texts = set()
        for ref in NOWHERE, theirs:
            body = {k: ref if k == "message_ref" else [ref] if k == "message_refs" else v
                    for k, v in ROUTES["POST", path].items()}
            r = ask(pair.writer, "POST", path, body)
            assert r.code == (404, "message_not_found"), (path, ref, r.raw)
            texts.add(r.raw)
        assert len(texts) == 1, path
    for path in "peek", "read":
        mine = good(pair.writer, "list", {"box": "sent"})["messages"]
        mine = mine or [send(pair.writer, to=CI)["message"]]
        r = ask(pair.writer, "POST", "/v1/mail/" + path,
                {"message_ref": mine[0]["message_ref"], "box": "inbox"})
        assert r.code == (404, "message_not_found"), r.raw


def cell_unknown_recipient(d):
    """A name alone is answered with the address that was meant."""
    r = ask(d.writer, "POST", "/v1/mail/send", {"to": ["ci"], "subject": "x", "body_content": "y"})
    assert CI in r.json["detail"]
    return r


def cell_inactive_recipient(d):
    root = str(d.root / "team-mail")
    who = ["--root", root, "--address", "gone@houmao.localhost"]
    d.good("mailbox", "register", *who, "--principal-id", "HOUMAO-gone")
    d.good("mailbox", "unregister", *who, "--yes")
    return ask(d.writer, "POST", "/v1/mail/send", {"to": [CI, "gone@houmao.localhost"],
                                                   "subject": "x", "body_content": "gone"})


def cell_reply_not_allowed(d):
    r = d.call("agents", "mail", "post", "--manifest-path", d.writer["manifest_path"],
               "--subject", "Rules", "--body-content", "x", "--reply-policy", "none",
               "--print-json")
    assert r.rc == 0, str(r)
    return ask(d.writer, "POST", "/v1/mail/reply", {
        "message_ref": r.json["message"]["message_ref"], "body_content": "but"})


def cell_rate_limited(d):
    d.good("account", "edit", d.writer["account"], "--limit-messages", "1")
    try:
        for i in range(3):
            r = ask(d.writer, "POST", "/v1/mail/send", {"to": [CI], "subject": "x",
                                                        "body_content": f"limit {i}"})
    finally:
        d.good("account", "edit", d.writer["account"], "--limit-messages", "0")
    assert r.json["retry_after"] > 0
    return r


def cell_idempotency_conflict(d):
    ref = send(d.ci)["message"]["message_ref"]
    for text in "one", "two":
        r = ask(d.writer, "POST", "/v1/mail/reply", {"message_ref": ref, "body_content": text,
                                                     "idempotency_key": "cell"})
    return r


def cell_too_large_files(d):
    (d.work / "small").write_bytes(b"x")
    return ask(d.writer, "POST", "/v1/mail/send", {
        "to": [CI], "subject": "x", "body_content": "33",
        "attachments": [{"path": str(d.work / "small")}] * 33})


def cell_too_large_file(d):
    with open(d.work / "large", "wb") as f:
        f.truncate((25 << 20) + 1)
    return ask(d.writer, "POST", "/v1/mail/reply", {
        "message_ref": send(d.ci)["message"]["message_ref"], "body_content": "25 MiB",
        "attachments": [{"path": str(d.work / "large")}]})


def cell_locked(d):
    d.good("config", "set", "timeout_seconds", "1")
    lock = os.open(d.root / "team-mail/locks/emcli.flock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        r = ask(d.writer, "POST", "/v1/mail/send", {"to": [CI], "subject": "x",
                                                    "body_content": "locked"})
    finally:
        os.close(lock)
        d.good("config", "set", "timeout_seconds", "60")
    assert r.json["retry_after"] > 0
    return r


def cell_frozen(d):
    d.good("freeze", "--agent=writer")
    try:
        return ask(d.writer, "POST", "/v1/mail/send", {"to": [CI], "subject": "x",
                                                       "body_content": "frozen"})
    finally:
        d.good("thaw", "--agent=writer")


def cell_approval(d):
    d.good("account", "edit", d.writer["account"], "--outbound", "approve")
    try:
        return ask(d.writer, "POST", "/v1/mail/send", {"to": [CI], "subject": "x",
                                                       "body_content": "held"})
    finally:
        d.good("account", "edit", d.writer["account"], "--outbound", "send")


CELLS = [
    # A call, the status, the code, and whether a repetition does no harm.
    (cell_unknown_recipient, 422, "unknown_recipient", True),
    (cell_inactive_recipient, 422, "inactive_recipient", True),
    (cell_reply_not_allowed, 422, "reply_not_allowed", True),
    (cell_rate_limited, 429, "rate_limited", True),
    (cell_idempotency_conflict, 409, "idempotency_conflict", True),
    (cell_too_large_files, 413, "too_large", True),
    (cell_too_large_file, 413, "too_large", True),
    (cell_locked, 503, "locked", True),
    (cell_frozen, 403, "policy", True),
    (cell_approval, 403, "approval", False),
]


@pytest.mark.parametrize("cell, status, code, safe", CELLS, ids=[c[0].__name__ for c in CELLS])
def test_a_code_is_got_over_http(pair, cell, status, code, safe):
    r = cell(pair)
    assert r.code == (status, code), r.raw
    assert r.json["retry_safe"] is safe and r.json["detail"]
    assert set(r.json) <= {"detail", "code", "retry_safe", "retry_after"}


# -- the other transport -------------------------------------------------------------------------

ME, OTHER = "HOUMAO-writer@agents.example.test", "ci@agents.example.test"


class ServedOffice(test_stalwart.Office):
    gateway = True


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    server = stalwartd.Stalwartd("0.16")
    o = ServedOffice(tmp_path_factory.mktemp("office"), server)
    server.add(OTHER, "x")
    o.writer = o.start(o.stalwart())
    o.box = server.accounts[ME.lower()].box
    yield o
    o.end()
    server.stop()
    assert server.wrong == []


def letter(office, subject):
    office.box.put("Inbox", f"From: {OTHER}\r\nTo: {ME}\r\nSubject: {subject}\r\nMessage-ID: "
                   f"<{subject}@x.test>\r\nDate: Mon, 22 Jun 2026 10:00:00 +0000\r\n"
                   "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
                   "--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: "
                   "application/octet-stream\r\nContent-Disposition: attachment; filename=a.bin\r\n"
                   "\r\n0123\r\n--b--\r\n".encode())
    [m] = [m for m in good(office.writer, "check", {})["messages"] if m["subject"] == subject]
    return m


@pytest.mark.parametrize("way", ["tcp", "unix"])
def test_every_route_over_a_mail_server(office, way):
    """The same members of the same routes; what differs are refs, and who has a principal."""
    def call(path, members, body=None, message=MESSAGE):
        r = good(office.writer, path, body, way=way)
        assert set(r) == HEAD | members, path
        assert (r["transport"], r["address"]) == ("stalwart", ME)
        for m in r.get("messages", [r["message"]] if "message" in r else []):
            assert set(m) == message, path
            assert m["message_ref"].startswith("stalwart:") and m["sender"]["principal_id"] is None
            assert m["thread_ref"] is None or m["thread_ref"].startswith("stalwart-thread:")
        return r

    call("status", {"bindings_version"})
    m = letter(office, f"by-{way}")
    ref = m["message_ref"]
    assert m["thread_ref"] and m["unread"] and m["body_text"].strip() == "hello"
    [f] = m["attachments"]
    assert (f["kind"], f["label"], f["size_bytes"]) == ("transport_owned", "a.bin", 4)
    r = ask(office.writer, "GET", "/v1/mail/attachment/" + f["attachment_id"] + "?message_ref="
            + ref.replace(":", "%3A"), way=way)
    assert (r.status, r.raw) == (200, b"0123"), r.raw
    page, one = {"message_count", "unread_count", "messages"}, {"operation", "message"}
    many = {"operation", "message_count", "messages"}
    call("check", page | {"unread_only"}, {"unread_only": True, "limit": 5})
    assert call("peek", one, {"message_ref": ref}, LATER)["message"]["read"] is False
    assert call("read", one, {"message_ref": ref, "box": "inbox"}, LATER)["message"]["read"] is True
    call("mark", many, {"message_refs": [ref], "read": False}, LATER)
    call("state", {"message_ref", "read"}, {"message_ref": ref, "read": True})
    (office.work / "log").write_text(way)
    call("send", one, {"to": [OTHER], "cc": [], "subject": "x", "body_content": way,
                       "attachments": [{"path": str(office.work / "log")}]})
    answer = call("reply", one, {"message_ref": ref, "body_content": "yes, by " + way})
    assert answer["message"]["subject"] == "Re: by-" + way
    got = call("list", page | {"box", "open_count"}, {"answered_state": "answered"}, LATER)
    assert ref in [m["message_ref"] for m in got["messages"]]
    call("archive", many, {"message_refs": [ref]}, LATER)
    call("move", many, {"message_refs": [ref], "destination_box": "inbox"}, LATER)
    r = ask(office.writer, "POST", "/v1/mail/post", {"subject": "x", "body_content": "y"}, way=way)
    assert r.code == (403, "policy")


def test_the_codes_of_a_mail_server(office):
    """Each fault of a server has its code, and says whether the call may be made again."""
    server, box, n = office.server, office.box, iter(range(99))

    def sending():
        return ask(office.writer, "POST", "/v1/mail/send", {
            "to": [OTHER], "subject": "x", "body_content": f"fault {next(n)}"})

    def checking():
        return ask(office.writer, "POST", "/v1/mail/check", {})

    def refuse(args):
        return {"notCreated": {k: {"type": "forbiddenToSend"} for k in args["create"]},
                "newState": "t"}

    ask(office.writer, "POST", "/v1/mail/check", {})
    for name, spoil, mend, call, want, safe in [
        ("the server refuses", {"EmailSubmission/set": refuse}, None, sending,
         (502, "submission_rejected"), True),
        ("it does not say", {"EmailSubmission/set": lambda args: {"newState": "t"}}, None, sending,
         (502, "submission_unconfirmed"), False),
        ("another password", server.accounts[ME.lower()], "password", checking,
         (502, "transport_failed"), True),
    ]:
        if mend:
            was, spoil.password = spoil.password, "other"
        else:
            box.method.update(spoil)
        try:
            r = call()
        finally:
            if mend:
                spoil.password = was
            else:
                for key in spoil:
                    del box.method[key]
        assert r.code == want and r.json["retry_safe"] is safe, (name, r.raw)
    r = ask(office.writer, "POST", "/v1/mail/check", {})
    assert r.status == 200
    for path, body, want in [
        ("list", {"box": "nowhere"}, (404, "box_not_found")),
        ("peek", {"message_ref": "stalwart:nowhere"}, (404, "message_not_found")),
        ("peek", {"message_ref": NOWHERE}, (422, "invalid_request")),
        ("send", {"to": ["eve@elsewhere.test"], "subject": "x", "body_content": "y"},
         (403, "policy")),
        ("check", OLD, (409, "stale_binding")),
    ]:
        r = ask(office.writer, "POST", "/v1/mail/" + path, body)
        assert r.code == want, (path, r.raw)


def test_a_server_that_stalls_delays_no_status(office):
    asked, go = threading.Event(), threading.Event()
    real = office.box.Email_query

    def stall(args):
        asked.set()
        assert go.wait(60)
        return real(args)
    office.box.method["Email/query"] = stall
    try:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            slow = pool.submit(ask, office.writer, "POST", "/v1/mail/check", {})
            assert asked.wait(60)
            for way in "tcp", "unix":
                assert ask(office.writer, "GET", "/v1/mail/status", way=way).status == 200
                assert ask(office.writer, "GET", "/health", way=way).status == 200
            assert not slow.done()
            go.set()
            assert slow.result().status == 200
    finally:
        go.set()
        del office.box.method["Email/query"]


def test_a_resumed_session_has_the_password_of_today(office):
    """Its gateway too: what was rotated while it was stopped is handed on by resume."""
    at = office.writer
    office.good("session", "stop", at["session_id"])
    office.good("credential", "rotate", at["mailbox"]["credential_ref"], "--yes")
    office.writer = office.good("session", "resume", at["session_id"])
    assert office.writer["mailbox"] == at["mailbox"]
    good(office.writer, "check", {})
    live = office.call("agents", "mail", "resolve-live", "--agent-name", "writer", "--print-json")
    box = live.json["mailbox"]["stalwart"]
    [copy] = office.copies(at)
    assert box == {"jmap_url": office.server.url + "/jmap",
                   "management_url": office.server.url + "/api", "login_identity": ME,
                   "credential_ref": at["mailbox"]["credential_ref"],
                   "credential_file": str(copy)}
    manifest = pathlib.Path(at["manifest_path"]).read_text()
    assert office.password() not in manifest + live.out.decode()


def test_a_server_that_is_gone_is_said_and_delays_no_status(tmp_path):
    server = stalwartd.Stalwartd("0.16")
    office = ServedOffice(tmp_path, server)
    try:
        at = office.start(office.stalwart())
        good(at, "check", {})
        server.stop()
        r = ask(at, "POST", "/v1/mail/check", {})
        assert r.code == (503, "transport_unavailable") and r.json["retry_after"] > 0, r.raw
        assert good(at, "status")["address"] == ME
        for path in pathlib.Path(at["session_root"], "mailbox-secrets").iterdir():
            path.unlink()
        r = office.call("agents", "mail", "resolve-live", "--agent-name", "writer", "--print-json")
        assert r.json["error_detail"]["reason"] == "not_actionable", str(r)
    finally:
        office.end()
