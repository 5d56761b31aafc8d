# SPDX-License-Identifier: Apache-2.0
"""The gateway of a session: its mailbox over HTTP, on a unix socket and on loopback with a token."""

import concurrent.futures
import contextlib
import fcntl
import http.client
import itertools
import json
import os
import pathlib
import signal
import socket
import sqlite3
import stat
import subprocess
import time

import pytest
import yaml

import ports
from test_session import Desk, until

HEAD = {"schema_version", "transport", "principal_id", "address"}
MESSAGE = {"message_ref", "thread_ref", "created_at_utc", "subject", "unread", "body_preview",
           "body_text", "sender", "to", "cc", "reply_to", "attachments"}
LATER = MESSAGE | {"read", "answered", "archived", "box", "notify_block", "notify_auth"}
steps = itertools.count()
WRITER, CI = "writer@houmao.localhost", "ci@houmao.localhost"


class Answer:
    def __init__(self, status, body, head=None):
        self.status, self.raw, self.head = status, body, head or {}

    @property
    def json(self):
        return json.loads(self.raw)

    @property
    def code(self):
        return self.status, self.json["code"]


class Unix(http.client.HTTPConnection):
    """By a folder that is the current one: a path may be too long for an address."""

    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = pathlib.Path(path)

    def connect(self):
        at = os.open(self.path.parent, os.O_RDONLY)
        try:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(60)
            self.sock.connect(f"/proc/self/fd/{at}/{self.path.name}")
        finally:
            os.close(at)


def ask(session, method, path, body=None, way="tcp", token=None, **head):
    """token: None is that of the session, "" is none."""
    gateway = session["gateway"]
    if way == "unix":
        c = Unix(gateway["unix_socket"])
    else:
        c = http.client.HTTPConnection("127.0.0.1", gateway["port"], timeout=60)
        if token is None:
            token = pathlib.Path(gateway["token_file"]).read_text().strip()
        if token:
            head["Authorization"] = f"Bearer {token}"
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    if body is not None:
        head.setdefault("Content-Type", "application/json")
    c.request(method, path, body, head)
    r = c.getresponse()
    got = Answer(r.status, r.read(), dict(r.getheaders()))
    c.close()
    return got


def good(session, path, body=None, **more):
    r = ask(session, "GET" if body is None else "POST", "/v1/mail/" + path, body, **more)
    assert r.status == 200, r.raw
    return r.json


def send(session, to=WRITER, subject="Build failed", **more):
    """The same text twice is taken for a mistake of the agent's."""
    body = f"step {next(steps)}\n"
    return good(session, "send", {"to": [to], "subject": subject, "body_content": body, **more})


class GatewayDesk(Desk):
    gateway = True

    def pair(self):
        self.writer = self.start(self.home("writer"))
        self.ci = self.start(self.home("ci"))
        return self


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    d = GatewayDesk(tmp_path_factory.mktemp("pair"))
    old = os.umask(0)
    try:
        d.pair()
    finally:
        os.umask(old)
    yield d
    d.end()


@pytest.fixture
def desk(tmp_path):
    d = GatewayDesk(tmp_path)
    yield d
    d.end()


def children(pid):
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            yield int(path.parent.name)


def waiting(session):
    """The processes that were started for requests still to come."""
    state = pathlib.Path(session["session_root"], "gateway/run/emcli.json").read_text()
    return [p for w in children(json.loads(state)["pid"]) for p in children(w)]


def test_a_process_that_waits_for_a_request_knows_what_changed(desk):
    desk.start(desk.home("ci"), "--no-gateway")
    session = desk.start(desk.home("writer"))
    assert not waiting(session)
    c = Unix(session["gateway"]["unix_socket"])

    def status():
        """By one connection, and so of one worker."""
        c.request("GET", "/v1/mail/status")
        r = c.getresponse()
        return r.status, json.loads(r.read()).get("code")

    def opened(pid):
        """Has it opened the gate?  It may end, or close a file, between two steps."""
        found = []
        with contextlib.suppress(OSError):
            for f in pathlib.Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    found.append(str(f.readlink()))
        return any(f.endswith("emcli.db") for f in found)

    def ready():
        """One that has opened the gate, and waits; that of the last request has ended."""
        there = waiting(session)
        return there if len(there) == 1 and opened(there[0]) else []

    assert status() == (200, None)
    until(ready)
    [first] = ready()
    assert status() == (200, None)
    until(lambda: not ports.alive(first))
    until(ready)
    # What an agent may do is read when the gate is opened.
    assert desk.call("agent", "add", "writer", "--account", "HOUMAO-ci").rc == 0
    assert status()[0] == 404
    assert desk.call("agent", "remove", "writer").rc == 0
    assert status() == (200, None)
    until(ready)
    [one] = ready()
    os.kill(one, signal.SIGKILL)
    until(lambda: not ports.alive(one))
    assert status() == (200, None)
    c.close()
    until(ready)
    [last] = ready()
    assert desk.call("gateway", "stop", "--session", session["session_id"]).rc == 0
    until(lambda: not ports.alive(last))


@pytest.mark.parametrize("way", ["tcp", "unix"])
def test_every_route_has_the_members_of_upstream_and_no_others(pair, way):
    def call(path, members, body=None, message=MESSAGE, session=pair.writer):
        r = good(session, path, body, way=way)
        assert set(r) == HEAD | members, path
        assert (r["schema_version"], r["transport"]) == (1, "filesystem")
        for m in r.get("messages", [r["message"]] if "message" in r else []):
            assert set(m) == message, path
        return r

    assert ask(pair.writer, "GET", "/health", way=way, token="").json == {
        "protocol_version": "v1", "status": "ok"}
    assert call("status", {"bindings_version"})["address"] == WRITER
    sent = call("send", {"operation", "message"}, session=pair.ci, body={
        "schema_version": 1, "to": [WRITER], "cc": [], "subject": "x",
        "body_content": f"over {way}", "attachments": []})
    ref = sent["message"]["message_ref"]
    page = {"message_count", "unread_count", "messages"}
    got = call("check", page | {"unread_only"}, {"unread_only": True, "limit": 5, "since": None})
    assert got["messages"][0]["message_ref"] == ref and got["messages"][0]["unread"] is True
    one = {"operation", "message"}
    assert call("peek", one, {"message_ref": ref}, LATER)["message"]["read"] is False
    assert call("read", one, {"message_ref": ref, "box": "inbox"}, LATER)["message"]["read"] is True
    got = call("state", {"message_ref", "read"}, {"message_ref": ref, "read": True})
    assert (got["message_ref"], got["read"]) == (ref, True)
    answer = call("reply", one, {"message_ref": ref, "body_content": f"yes, over {way}"})
    assert answer["message"]["subject"] == "Re: x"
    assert answer["message"]["to"][0] == {"address": CI, "display_name": None,
                                          "principal_id": "HOUMAO-ci"}
    many = {"operation", "message_count", "messages"}
    got = call("mark", many, {"message_refs": [ref], "read": False, "answered": False}, LATER)
    assert got["messages"][0]["unread"] is True
    call("move", many, {"message_refs": [ref], "destination_box": "later"}, LATER)
    got = call("list", page | {"box", "open_count"}, {"box": "later"}, LATER)
    assert [m["body_text"] for m in got["messages"]] == [None]
    call("archive", many, {"message_refs": [ref]}, LATER)
    more = good(pair.writer, "check", {"extensions": True}, way=way)
    assert {"total_count", "next_cursor"} <= set(more)


def test_an_attachment_comes_back_as_it_was(pair):
    data = bytes(range(256)) * 700
    (pair.work / "a.bin").write_bytes(data)
    (pair.work / "empty").write_bytes(b"")
    sent = send(pair.ci, attachments=[{"path": str(pair.work / "a.bin"), "label": "the file"},
                                      {"path": str(pair.work / "empty")}])
    files = sent["message"]["attachments"]
    assert [f["label"] for f in files] == ["the file", "empty"]
    at = "/v1/mail/attachment/" + files[0]["attachment_id"]
    for path in (at, at + "?message_ref=" + sent["message"]["message_ref"].replace(":", "%3A")):
        r = ask(pair.writer, "GET", path)
        assert (r.status, r.raw) == (200, data)
        assert r.head["Content-Disposition"] == "attachment"
    r = ask(pair.writer, "GET", "/v1/mail/attachment/" + files[1]["attachment_id"])
    assert (r.status, r.raw) == (200, b"")
    assert ask(pair.writer, "GET", at + "x").code == (404, "attachment_not_found")
    # Nor is there any in a mailbox that has not the message.
    other = send(pair.writer, WRITER, attachments=[{"path": str(pair.work / "a.bin")}])
    at = "/v1/mail/attachment/" + other["message"]["attachments"][0]["attachment_id"]
    assert ask(pair.writer, "GET", at).raw == data
    assert ask(pair.ci, "GET", at).code == (404, "attachment_not_found")


BAD = [
    # A name, the path, the body, the status and the code.
    ("an unknown member", "check", {"nothing": 1}, 422, "invalid_request"),
    ("another account", "check", {"account": "x"}, 422, "invalid_request"),
    ("a form of ours", "send", {"attachment_labels": []}, 422, "invalid_request"),
    ("another version", "check", {"schema_version": 2}, 422, "invalid_request"),
    ("a version of another type", "check", {"schema_version": "1"}, 422, "invalid_request"),
    ("a text that is a number", "check", {"limit": "5"}, 422, "invalid_request"),
    ("a limit of nothing", "check", {"limit": 0}, 422, "invalid_request"),
    ("a flag that is a number", "check", {"unread_only": 1}, 422, "invalid_request"),
    ("a time that is none", "check", {"since": "soon"}, 422, "invalid_request"),
    ("a cursor of nobody", "check", {"cursor": "x"}, 422, "invalid_request"),
    ("a list for a body", "check", b"[]", 422, "invalid_request"),
    ("no body", "check", b"", 422, "invalid_request"),
    ("a member twice", "check", b'{"limit":1,"limit":2}', 422, "invalid_request"),
    ("words behind it", "check", b"{} {}", 422, "invalid_request"),
    ("no recipient", "send", {"to": [], "subject": "x", "body_content": "y"}, 422,
     "invalid_request"),
    ("a blank subject", "send", {"to": [WRITER], "subject": " ", "body_content": "y"}, 422,
     "invalid_request"),
    ("a NUL", "send", b'{"to":["a@b"],"subject":"x","body_content":"\\u0000"}', 422,
     "invalid_request"),
    ("a file without a path", "send", {"to": [WRITER], "subject": "x", "body_content": "",
                                       "attachments": [{"label": "x"}]}, 422, "invalid_request"),
    ("a file elsewhere", "send", {"to": [WRITER], "subject": "x", "body_content": "",
                                  "attachments": [{"path": "/etc/passwd"}]}, 403, "policy"),
    ("a recipient of nowhere", "send", {"to": ["x@houmao.localhost"], "subject": "x",
                                        "body_content": ""}, 422, "unknown_recipient"),
    ("too many recipients", "send", {"to": [f"a{i}@b.example" for i in range(501)],
                                     "subject": "x", "body_content": ""}, 413, "too_large"),
    ("a long body", "send", {"to": [WRITER], "subject": "x", "body_content": "x" * (16 << 20) + "x"},
     413, "too_large"),
    ("a message of nowhere", "peek", {"message_ref": "filesystem:msg-none"}, 404,
     "message_not_found"),
    ("a ref of another store", "peek", {"message_ref": "stalwart:x"}, 422, "invalid_request"),
    ("a box of nowhere", "list", {"box": "nowhere"}, 404, "box_not_found"),
    ("a state that is not read", "state", {"message_ref": "x", "read": False}, 422,
     "invalid_request"),
    ("a message twice", "mark", {"message_refs": ["a", "a"], "read": True}, 422, "invalid_request"),
    ("nothing to mark", "mark", {"message_refs": ["a"]}, 422, "invalid_request"),
    ("an older binding", "check", {"if_bindings_version": "2020-01-01T00:00:00.000000Z"}, 409,
     "stale_binding"),
    ("what the operator alone may", "post", {"subject": "x", "body_content": "y"}, 403, "policy"),
    ("an unknown path", "nothing", {}, 404, "invalid_request"),
]


@pytest.mark.parametrize("path, body, status, code", [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_a_bad_request_says_what_is_wrong_and_changes_nothing(pair, path, body, status, code):
    before = good(pair.writer, "check", {"extensions": True})["total_count"]
    r = ask(pair.writer, "POST", "/v1/mail/" + path, body)
    assert r.code == (status, code), r.raw
    assert set(r.json) == {"detail", "code", "retry_safe"} and r.json["detail"]
    assert good(pair.writer, "check", {"extensions": True})["total_count"] == before


def test_a_key_names_one_message(pair):
    body = {"to": [WRITER], "subject": "once", "body_content": "x", "idempotency_key": "k-1"}
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda way: ask(pair.ci, "POST", "/v1/mail/send", body, way=way),
                            ["tcp", "unix"] * 4))
    assert {r.status for r in got} == {200}, [r.raw for r in got]
    assert len({r.json["message"]["message_ref"] for r in got}) == 1
    once = [m for m in good(pair.writer, "check", {})["messages"] if m["subject"] == "once"]
    assert len(once) == 1
    r = ask(pair.ci, "POST", "/v1/mail/send", {**body, "body_content": "other"})
    assert r.code == (409, "idempotency_conflict")


def test_a_key_names_one_message_of_several_processes(pair):
    """Each is a command of its own: some ask the gateway, some open the root themselves."""
    env = {"PATH": pair.env["PATH"], "HOME": str(pair.folder)}
    direct = pair.emcli.environment(EMCLI_KEY=pair.emcli.agent_key, **env)
    run = [pair.emcli.binary, "agents", "mail", "send", "--manifest-path",
           pair.ci["manifest_path"], "--to", WRITER, "--subject", "of many", "--body-content",
           "x", "--idempotency-key", "k-2", "--print-json"]
    sock = pathlib.Path(pair.ci["gateway"]["unix_socket"])
    record = sock.with_name("current-instance.json")
    at = [subprocess.Popen(run, env=env, stdout=subprocess.PIPE, cwd=pair.work) for _ in range(2)]
    text = record.read_text()
    try:
        at[0].wait()
        record.unlink()  # for a moment no gateway is live
        at += [subprocess.Popen(run, env=direct, stdout=subprocess.PIPE, cwd=pair.work)
               for _ in range(2)]
        got = [json.loads(p.communicate(timeout=60)[0]) for p in at]
    finally:
        record.write_text(text)
        record.chmod(0o600)
    assert len({g["message"]["message_ref"] for g in got}) == 1, got
    assert {g["execution_path"] for g in got} == {"gateway_backed", "manager_direct"}
    assert [m["subject"] for m in good(pair.writer, "check", {})["messages"]].count("of many") == 1


KEYS = ["protocol_version", "message_id", "thread_id", "in_reply_to", "references",
        "created_at_utc", "from", "to", "cc", "reply_to", "subject", "attachments", "headers"]
PERSON = ["principal_id", "address", "display_name", "manifest_path_hint", "role"]
ITEM = ["attachment_id", "kind", "path", "media_type", "sha256", "size_bytes", "label"]


def test_what_is_written_is_read_by_others(pair):
    """A message file by a YAML reader that is not emcli's, and rows and links as upstream has them."""
    root = pair.root / "team-mail"
    (pair.work / "odd.txt").write_text("file")
    bodies = {}
    for subject, body in [("yes", "---\nnot a front matter\n---\n"), ("2026-01-01", ""),
                          ("a: b # c", "\n\nleading"), ("'quoted' \"too\" \\ x", "x\r\ny\t"),
                          ("Grüße 😀 \u2028", "no line end"), ("1.0", "x" * 70000)]:
        sent = send(pair.ci, subject=subject, cc=[CI], body_content=body,
                    attachments=[{"path": str(pair.work / "odd.txt"), "label": "a 'b' 😀"}])
        bodies[sent["message"]["message_ref"].partition(":")[2]] = subject, body
    parent = "filesystem:" + list(bodies)[0]
    answer = good(pair.writer, "reply", {"message_ref": parent, "body_content": "yes"})["message"]
    answer = answer["message_ref"].partition(":")[2]
    bodies[answer] = "Re: yes", "yes"
    index = sqlite3.connect(root / "index.sqlite")
    for ref, (subject, body) in bodies.items():
        [(path, thread)] = index.execute(
            "SELECT canonical_path, thread_id FROM messages WHERE message_id = ?", (ref,))
        assert path == str(root / "messages" / f"{ref[4:8]}-{ref[8:10]}-{ref[10:12]}" / f"{ref}.md")
        text = pathlib.Path(path).read_bytes().decode()
        assert text.startswith("---\n")
        front, end, rest = text[4:].partition("\n---\n")
        assert end and (rest.removeprefix("\n") == body), ref
        m = yaml.safe_load(front + "\n")
        assert list(m) == KEYS and (m["protocol_version"], m["message_id"]) == (1, ref)
        assert m["subject"] == subject and isinstance(m["created_at_utc"], str)
        assert all(list(p) == PERSON for p in [m["from"], *m["to"], *m["cc"]])
        assert all(list(a) == ITEM for a in m["attachments"])
        assert m["thread_id"] == thread and m["headers"] == {} and m["reply_to"] == []
        if ref == answer:
            assert m["references"] == [list(bodies)[0]] and m["in_reply_to"] == m["references"][-1]
            assert m["from"]["address"] == WRITER and thread == list(bodies)[0]
            continue
        assert (m["in_reply_to"], m["references"], thread) == (None, [], ref)
        assert m["from"]["principal_id"] == "HOUMAO-ci"
        assert [p["address"] for p in m["to"] + m["cc"]] == [WRITER, CI]
        [a] = m["attachments"]
        assert (a["kind"], a["size_bytes"], a["label"]) == ("managed_copy", 4, "a 'b' 😀")
        assert (root / a["path"]).read_text() == "file"
        for address, box in (WRITER, "inbox"), (CI, "sent"), (CI, "inbox"):
            link = root / "mailboxes" / address / box / f"{ref}.md"
            assert os.readlink(link) == path
            assert index.execute("SELECT count(*) FROM mailbox_projections WHERE message_id = ? AND"
                                 " projection_path = ?", (ref, str(link))).fetchone() == (1,)
        with sqlite3.connect(root / "mailboxes" / WRITER / "mailbox.sqlite") as box:
            assert box.execute("SELECT thread_id, subject, is_archived, is_deleted FROM"
                               " message_state WHERE message_id = ?", (ref,)).fetchall() == [
                                   (ref, subject, 0, 0)]
    # Nobody but emcli needs what is emcli's own.
    assert not {t for t, in index.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} - {
        "mailbox_registrations", "messages", "message_recipients", "attachments",
        "message_attachments", "mailbox_projections", "mailbox_state", "thread_summaries"}
    index.close()


ACCESS = [
    # A name, the head, the token ("ours", "theirs" or itself), the status and the code.
    ("no token", {}, "", 401, "unauthenticated"),
    ("another token", {}, "emcli_" + "0" * 64, 401, "unauthenticated"),
    ("a token of another form", {}, "x", 401, "unauthenticated"),
    ("the token of another session", {}, "theirs", 401, "unauthenticated"),
    ("another host", {"Host": "evil.example"}, "ours", 403, "forbidden_origin"),
    ("the host of another machine", {"Host": "192.0.2.1"}, "ours", 403, "forbidden_origin"),
    ("a page", {"Origin": "http://evil.example"}, "ours", 403, "forbidden_origin"),
    ("a page of this machine", {"Origin": "http://127.0.0.1"}, "ours", 403, "forbidden_origin"),
    ("no page", {"Origin": "null"}, "ours", 403, "forbidden_origin"),
    ("another form", {"Content-Type": "text/plain"}, "ours", 415, "invalid_request"),
    ("another name of loopback", {"Host": "localhost"}, "ours", 200, None),
]


@pytest.mark.parametrize("head, token, status, code", [a[1:] for a in ACCESS],
                         ids=[a[0] for a in ACCESS])
def test_who_may_ask_over_tcp(pair, head, token, status, code):
    words = {"ours": None, "theirs": pathlib.Path(
        pair.ci["gateway"]["token_file"]).read_text().strip()}
    r = ask(pair.writer, "POST", "/v1/mail/check", {}, token=words.get(token, token), **head)
    assert r.status == status and (code is None or r.json["code"] == code), r.raw


def test_another_user_is_refused_on_the_socket(pair):
    """The modes keep it out already; the peer is asked for where they do not."""
    at = pathlib.Path(pair.writer["gateway"]["unix_socket"])
    other = """
import os, socket, sys
os.chdir(sys.argv[1])
if os.geteuid() == 0:
    os.setresuid(65534, 65534, 65534)
s = socket.socket(socket.AF_UNIX)
try:
    s.connect("gateway.sock")
except PermissionError:
    sys.exit("no permission")
s.sendall(b"GET /v1/mail/status HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
print(s.recv(4096).decode())
"""
    run = ["/usr/bin/python3", "-c", other, str(at.parent)]
    ours = os.geteuid() != 0  # then there is no other user to be
    r = subprocess.run(run, capture_output=True, text=True)
    assert ours or "no permission" in r.stderr
    at.chmod(0o666)
    at.parent.chmod(0o711)
    try:
        r = subprocess.run(run, capture_output=True, text=True)
    finally:
        at.chmod(0o600)
        at.parent.chmod(0o700)
    assert ("HTTP/1.1 200" if ours else "HTTP/1.1 403") in r.stdout, r
    assert ours or '"forbidden_origin"' in r.stdout


def test_a_body_that_is_too_long_is_refused_by_its_head(pair):
    token = pathlib.Path(pair.writer["gateway"]["token_file"]).read_text().strip()
    with socket.create_connection(("127.0.0.1", pair.writer["gateway"]["port"]), 30) as s:
        s.sendall(b"POST /v1/mail/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                  + token.encode() + b"\r\nContent-Length: 99999999\r\n\r\n")
        got = s.makefile("rb").read()
    assert got.startswith(b"HTTP/1.1 413") and b'"code":"too_large"' in got


def test_a_slow_store_delays_no_status(pair):
    """What changes a root waits for its lock, and status asks nothing of it."""
    lock = os.open(pair.root / "team-mail/locks/emcli.flock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    bodies = [{"to": [CI], "subject": "x", "body_content": f"slow {i}"} for i in range(20)]
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        try:
            slow = [pool.submit(ask, pair.writer, "POST", "/v1/mail/send", b) for b in bodies]
            time.sleep(0.5)
            assert not any(f.done() for f in slow)
            for _ in range(3):
                assert ask(pair.writer, "GET", "/v1/mail/status").status == 200
            assert not all(f.done() for f in slow)
        finally:
            os.close(lock)
        assert {f.result().status for f in slow} <= {200, 503}


def test_nothing_of_it_is_open_to_others_or_holds_a_secret(pair):
    """All of it was made with an umask of 000."""
    gateway = pathlib.Path(pair.writer["session_root"], "gateway")
    for p in [gateway, *gateway.rglob("*")]:
        want = 0o700 if p.is_dir() else 0o600
        assert stat.S_IMODE(p.stat().st_mode) == want, p
    sent = send(pair.ci, subject="PLANTED-SUBJECT", body_content="PLANTED-BODY",
                idempotency_key="PLANTED-KEY")
    assert sent["message"]["body_text"] == "PLANTED-BODY"
    token = (gateway / "run/token").read_text().strip()
    run = json.loads((gateway / "run/emcli.json").read_text())
    pid = run["pid"]
    raw = {str(p): p.read_bytes() for p in pair.root.glob("sessions/**/*")
           if p.is_file() and p.name != "token"}
    raw.update({f: pathlib.Path(f"/proc/{pid}/{f}").read_bytes() for f in ("environ", "cmdline")})
    planted = [pair.emcli.agent_key, pair.emcli.admin_key, token, "PLANTED-4711", "PLANTED-SUBJECT",
               "PLANTED-BODY", "PLANTED-KEY"]
    for word in planted:
        assert not [f for f, text in raw.items() if word.encode() in text], word
    pid = pair.writer["pid"]
    agent = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    assert token.encode() not in agent


def test_the_calls_are_recorded_as_the_agents(pair):
    good(pair.writer, "check", {})
    rows = pair.good("audit", "list", "--action", "mail_check")["audit"]
    assert rows and rows[0]["principal"] == "writer", rows[:1]
    assert {r["principal"] for r in rows} <= {"writer", "ci"}


def test_a_name_for_every_address_serves_no_mail_over_tcp(desk):
    writer = desk.start(desk.home("writer"))
    good(writer, "status")
    desk.good("gateway", "stop", "--session", writer["session_id"])
    got = desk.good("gateway", "start", "--session", writer["session_id"], "--host", "0.0.0.0")
    assert got["gateway"]["port"] == writer["gateway"]["port"]
    assert ask(got, "GET", "/health", token="").status == 200
    assert ask(got, "GET", "/v1/mail/status").code == (503, "not_loopback")
    assert ask(got, "POST", "/v1/mail/check", {}).code == (503, "not_loopback")
    assert good(got, "status", way="unix")["address"] == WRITER


def test_the_binding_of_the_manifest_counts_at_every_call(desk):
    writer = desk.start(desk.home("writer"))
    path = pathlib.Path(writer["manifest_path"])
    text = path.read_text()
    version = good(writer, "status")["bindings_version"]
    good(writer, "check", {"if_bindings_version": version})
    path.write_text(text.replace(version, "2030-01-01T00:00:00.000000Z"))
    r = ask(writer, "POST", "/v1/mail/check", {"if_bindings_version": version})
    assert r.code == (409, "stale_binding")
    manifest = json.loads(text)
    manifest["launch_plan"]["mailbox"] = None
    path.write_text(json.dumps(manifest))
    assert ask(writer, "GET", "/v1/mail/status").code == (422, "no_mailbox")
    path.write_text(text[:99])
    assert ask(writer, "GET", "/v1/mail/status").code == (422, "not_actionable")
    path.write_text(text)
    with sqlite3.connect(desk.root / "team-mail/index.sqlite") as db:
        db.execute("UPDATE mailbox_registrations SET status = 'inactive' WHERE address = ?",
                   (WRITER,))
    assert ask(writer, "POST", "/v1/mail/check", {}).code == (422, "not_actionable")
    assert good(writer, "status")["bindings_version"] == version


def test_a_refresh_is_seen_by_the_gateway_that_runs(desk):
    writer = desk.start(desk.home("writer"))
    was = good(writer, "status")["bindings_version"]
    send(writer, subject="in the first root")
    new = desk.good("session", "refresh", writer["session_id"], "--mailbox-root",
                    desk.folder / "other")
    assert good(writer, "status")["bindings_version"] == new["mailbox"]["bindings_version"] != was
    assert ask(writer, "POST", "/v1/mail/send", {
        "to": [WRITER], "subject": "x", "body_content": "y",
        "if_bindings_version": was}).code == (409, "stale_binding")
    assert good(writer, "check", {})["messages"] == []
    send(writer, subject="in the other")
    assert [m["subject"] for m in good(writer, "check", {})["messages"]] == ["in the other"]
    assert new["gateway"]["pid"] == writer["gateway"]["pid"]


def test_a_session_file_opens_no_other_account(pair):
    """The agent's user can write it, and its gateway has a key for all accounts."""
    path = pathlib.Path(pair.ci["session_root"], "session.json")
    text = path.read_text()
    path.write_text(json.dumps({**json.loads(text), "account": pair.writer["account"]}))
    try:
        assert ask(pair.ci, "POST", "/v1/mail/check", {}).code == (422, "no_mailbox")
    finally:
        path.write_text(text)
    good(pair.ci, "check", {})


def test_it_lives_and_ends_with_its_session(desk):
    first = desk.start(desk.home("writer"))
    assert first["gateway"]["host"] == "127.0.0.1"
    run = pathlib.Path(first["session_root"], "gateway/run")
    current = json.loads((run / "current-instance.json").read_text())
    assert current == {"schema_version": 1, "protocol_version": "v1", "host": "127.0.0.1",
                       "pid": first["gateway"]["pid"], "port": first["gateway"]["port"],
                       "execution_mode": "detached_process", "managed_agent_instance_epoch": 1}
    token = (run / "token").read_text()
    pid = first["gateway"]["pid"]
    stopped = desk.good("session", "stop", first["session_id"])
    assert stopped["gateway"] is None and not ports.alive(pid) and not list(run.iterdir())
    again = desk.good("session", "resume", first["session_id"])
    assert again["gateway"]["port"] == first["gateway"]["port"]
    assert (run / "token").read_text() != token
    assert json.loads((run / "current-instance.json").read_text())[
        "managed_agent_instance_epoch"] == 2
    good(again, "status")
    # A killed one is seen to be gone, and the next one is not in its way.
    os.kill(again["gateway"]["pid"], signal.SIGKILL)
    until(lambda: not ports.alive(again["gateway"]["pid"]))
    status = ["gateway", "status", "--session", first["session_id"]]
    assert desk.good(*status)["running"] is False
    r = desk.call("gateway", "start", "--session", first["session_id"], "--json")
    assert r.rc == 0 and r.json["running"] is True, str(r)
    r = desk.call("gateway", "start", "--session", first["session_id"], "--json")
    assert r.rc == 0 and b"runs already" in r.err, str(r)
    # One whose records are taken away ends by itself.
    pid = r.json["gateway"]["pid"]
    (run / "emcli.json").unlink()
    until(lambda: not ports.alive(pid))


def test_a_session_without_a_mailbox_or_that_wants_none_has_no_gateway(desk):
    home = desk.home("writer")
    got = desk.start(home, "--no-gateway")
    assert got["gateway"] is None
    assert not pathlib.Path(got["session_root"], "gateway").exists()
    desk.good("session", "stop", got["session_id"])
    assert desk.good("session", "resume", got["session_id"])["gateway"] is None
    none = desk.start(desk.home("quiet", "--mailbox-transport", "none"))
    assert none["gateway"] is None
    r = desk.call("gateway", "start", "--session", none["session_id"])
    assert r.rc != 0 and b"no mailbox" in r.err, str(r)


def test_a_gateway_that_cannot_listen_undoes_the_start(desk):
    home = desk.home("writer")
    # No other program has it before the second start.
    [free] = ports.free(1)
    with socket.create_server(("127.0.0.1", free)) as taken:
        port = str(taken.getsockname()[1])
        desk.env["HOUMAO_AGENT_GATEWAY_PORT"] = port
        r = desk.call("session", "start", "--home", home, "--workdir", str(desk.work))
        assert r.rc != 0 and b"cannot listen" in r.err, str(r)
    assert desk.sessions() == [] and desk.accounts() == [] and desk.registered() == []
    assert desk.start(home)["gateway"]["port"] == int(port)


def test_a_start_that_dies_behind_its_gateway_ends_it(desk):
    got = desk.start(desk.home("writer"))
    path = pathlib.Path(got["session_root"], "session.json")
    os.kill(got["pid"], signal.SIGKILL)
    path.write_text(json.dumps({**json.loads(path.read_text()), "step": "launch", "pid": 0}))
    assert desk.sessions() == []
    until(lambda: not ports.alive(got["gateway"]["pid"]))
    assert not list(desk.root.glob("sessions/*/*")) and desk.accounts() == []


def test_in_the_foreground_it_serves_until_it_is_told_to_stop(desk):
    got = desk.start(desk.home("writer"), "--no-gateway")
    env = desk.emcli.environment(EMCLI_KEY=desk.emcli.agent_key,
                                 EMCLI_ADMIN_KEY=desk.emcli.admin_key, **desk.env)
    run = [desk.emcli.binary, "gateway", "run", "--session", got["session_id"], "--json"]
    p = subprocess.Popen(run, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        status = ["gateway", "status", "--session", got["session_id"]]
        until(lambda: desk.good(*status)["running"])
        got = desk.good("session", "show", got["session_id"])
        assert got["gateway"]["pid"] == p.pid
        assert good(got, "status")["address"] == WRITER
        second = subprocess.run(run, env=env, capture_output=True)
        assert second.returncode != 0 and b"has a gateway already" in second.stderr
        p.send_signal(signal.SIGTERM)
        out, err = p.communicate(timeout=60)
    finally:
        p.kill()
    assert p.returncode == 0 and json.loads(out) == {"session_id": got["session_id"]}, err
    assert desk.good(*status)["running"] is False


def test_agents_mail_goes_through_it_without_a_key(pair):
    sent = send(pair.ci, subject="for the agent")["message"]["message_ref"]
    env = {"PATH": pair.env["PATH"], "HOME": str(pair.folder), "EMCLI_DB": "/nowhere",
           "HOUMAO_MANIFEST_PATH": pair.writer["manifest_path"]}
    for argv in (["check", "--limit", "1"], ["mark-read", "--message-ref", sent]):
        r = subprocess.run([pair.emcli.binary, "agents", "mail", *argv, "--print-json"], env=env,
                           capture_output=True, text=True, cwd=pair.work)
        assert r.returncode == 0, r
        got = json.loads(r.stdout)
        assert (got["execution_path"], got["authoritative"]) == ("gateway_backed", True)
        assert got.get("message_ref", sent) == sent
    assert got["read"] is True


def test_an_agent_cannot_start_or_stop_it(desk):
    got = desk.start(desk.home("writer"))
    for verb in ("start", "stop", "status", "run"):
        r = desk.emcli.run("gateway", verb, "--session", got["session_id"], env=desk.env)
        assert r.rc != 0 and b"EMCLI_ADMIN_KEY" in r.err, str(r)
    good(got, "status")
