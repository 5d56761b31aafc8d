# SPDX-License-Identifier: Apache-2.0
"""
Operations over HTTP: the envelope of the command line, and a status that
repeats it.

As in test_broker, the broker is user B, and agents are users A and C.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import time

import jsonschema
import pytest

from conftest import Site
from mail import message
from test_broker import A, B, BOX, C, D, House, become, until

WORK = {"account": "work", "folder": "INBOX"}
TO = {"account": "work", "to": ["bob@lab.example"], "subject": "hi", "body": "b"}


class Web(House):
    """A broker that also speaks HTTP."""

    def serve(self, env=None):
        env = self.environment(**{"EMCLI_KEY": self.agent_key, **(env or {})})
        self.web = self.run_dir / "http.sock"
        self.broker = subprocess.Popen(
            [*become(B), self.binary, "serve", "--foreground", "--socket", self.socket,
             "--http", "127.0.0.1:0", "--http-socket", self.web],
            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        line = self.broker.stderr.readline().decode()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/v1/op/, 4 workers", line)[1])
        until(lambda: self.status().rc == 0)

    def http(self):
        """The process that starts those that listen; None: it is not there yet."""
        return self.status().json["http"]["pid"]

    def raw(self, data, shut=True):
        """All that comes back for these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), 20) as s:
            s.sendall(data)
            if shut:
                s.shutdown(socket.SHUT_WR)
            got = b""
            with contextlib.suppress(ConnectionResetError):
                while more := s.recv(65536):
                    got += more
            return got

    def send(self, verb, path, body=None, timeout=60, **heads):
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
                 **{k.replace("_", "-"): v for k, v in heads.items()}}
        conn = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        conn.request(verb, path, body, {k: v for k, v in given.items() if v is not None})
        r = conn.getresponse()
        data = r.read()
        conn.close()
        return r.status, r.headers, data

    def op(self, name, given, **heads):
        status, head, data = self.send("POST", f"/v1/op/{name}", json.dumps(given), **heads)
        assert head["Content-Type"] == "application/json" and data.endswith(b"}\n")
        return status, json.loads(data), data

    def local(self, uid, request, wait=True):
        """The same over the unix socket, as that user: the status and the body."""
        s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        os.setresuid(uid, uid, 0)
        try:
            s.connect(str(self.web))
        finally:
            os.setresuid(0, 0, 0)
        s.settimeout(60)
        s.sendall(request)
        return answer(s) if wait else s


def children(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{pid}/children") as f:
        return f.read().split()
    return []


def answer(s):
    r = http.client.HTTPResponse(s)
    r.begin()
    data = r.read()
    s.close()
    return r.status, data


def request(name, given, *heads):
    body = json.dumps(given).encode()
    lines = [f"POST /v1/op/{name} HTTP/1.1", "Host: any", "Content-Type: application/json",
             f"Content-Length: {len(body)}", "Connection: close", *heads, "", ""]
    return "\r\n".join(lines).encode() + body


def code(got):
    return got["error_detail"]["code"]


@pytest.fixture(scope="module")
def web():
    with tempfile.TemporaryDirectory(prefix="emcli-web-") as folder:
        os.chmod(folder, 0o755)
        h = Web(folder)
        h.init()
        site = h.site = Site(h.folder / "site")
        for user in "agent", "bob":
            site.box(user)
        for name in ".Drafts", ".Sent":
            for half in "cur", "new", "tmp":
                (site.box("agent") / name / half).mkdir(parents=True)
        for i in range(3):
            site.deliver("agent", message(subject=f"s{i}", body=f"words {i} é\r\n"))
        site.deliver("agent", message(subject="long", body="x" * 70000 + "\r\n"))
        h.run_dir.mkdir()
        h.own()
        h.account_maildir(site.path, process_backlog=True)
        h.account_maildir(site.path, name="shut", whitelist_out="on")
        h.account_maildir(site.path, name="held", outbound="approve")
        h.stall = socket.create_server(("127.0.0.1", 0))
        port = h.stall.getsockname()[1]
        for name, at in ("slow", port), ("down", 9):
            h.set_up("account", "add", name, "--password-stdin", "--backend", "imap", "--mode", "RW",
                     "--from", "agent@lab.example", "--username", "agent",
                     "--imap-host", "localhost", "--imap-port", at, stdin="secret")
        quick = "--account", "work", "shut", "held", "down"
        h.token = h.set_up("agent", "add", "bot", *quick).out.decode().strip()
        h.set_up("agent", "add", "scout", "--uid", A, *quick)
        h.set_up("agent", "add", "mole", "--uid", C, "--account", "work", "slow")
        h.others = [h.set_up("agent", "add", f"n{i}", "--account", "work", "slow").out.decode().strip()
                    for i in range(3)]
        h.serve()
        yield h
        h.stop()
        assert not h.web.exists() and b"Sanitizer" not in h.broker.stderr.read()


# -- the same replies

ID = "imap:1:INBOX:1"
READS = [
    ("list", WORK), ("list", {**WORK, "new": True}), ("list", {**WORK, "limit": 2}),
    ("list", {**WORK, "limit": "2", "new": False, "before": None}),
    ("get", {**WORK, "uid": 1}), ("get", {**WORK, "uid": 4, "raw": True}),
    ("get", {**WORK, "uid": 99}), ("search", {**WORK, "subject_contains": "s1"}),
    ("search", {**WORK, "text": "words", "limit": 1}), ("folders", {"account": "work"}),
    ("send_status", {"account": "work", "id": 1}), ("sources", {}),
    ("list_recent_threads", {"account": "work", "since": "2026-01-01"}),
    ("search-threads", {"account": "work", "phrase": "words"}),
    ("read_thread", {"account": "work", "id": ID}),
    ("list_sent_since", {"account": "work", "id": ID, "since": "2026-01-01"}),
    ("list_drafts", {"account": "work"}), ("draft_status", {"account": "work", "id": "no"}),
    ("thread_url", {"account": "work", "id": ID}), ("doctor", {"account": "work"}),
    ("watch", {**WORK, "timeout": 0}), ("labels", WORK), ("changes", {"account": "work"}),
    ("list_skills", {}),
    ("read_skill_resource", {"skill": "mail-read", "path": "references/warnings.md"}),
    # What is wrong in the same way.
    ("list", {**WORK, "account": "wrok"}), ("list", {"folder": "INBOX"}),
    ("get", {**WORK, "uid": 0}), ("list", {**WORK, "limit": "many"}), ("get", WORK),
    ("list", {**WORK, "lease": "no"}),
]
CHANGES = {"ack", "send", "forward", "create_draft", "load_skill", "unload_skill", "freeze_self", "mark", "move",
           "archive", "trash", "undo"}


def line(name, given):
    """The same on a command line."""
    out = [name.replace("_", "-")]
    for key, value in given.items():
        if key == "id" and name in ("read_thread", "list_sent_since", "draft_status", "thread_url"):
            out.insert(1, value)
        elif value is True:
            out.append("--" + key.replace("_", "-"))
        elif value is not None and value is not False:
            out += ["--" + key.replace("_", "-"), str(value)]
    return out


def untimed(text):
    return re.sub(rb'"ms":\d+', b'"ms":0', text)


def keyless(text):
    """Where the key is differs: a worker asks the keeper."""
    text = re.sub(rb'("check":"key.agent","ok":true,"message":")[^"]*', rb"\1", untimed(text))
    return re.sub(rb"inside, the process that reads mail [^;]*;", b"", text)


@pytest.mark.parametrize("name, given", READS, ids=str)
def test_a_reply_is_the_one_of_the_command_line(web, name, given):
    cli = web.direct(*line(name, given), agent="bot")
    status, got, data = web.op(name, given)
    assert keyless(data) == keyless(cli.out), f"{data}\n{cli}"
    assert (status == 200) == (cli.rc == 0) == (got["error"] is False)
    jsonschema.Draft202012Validator(schema(web)[name.replace("-", "_")]["reply"]).validate(got)
    # By the user of the process, and by a token all the same.
    cli = web.ask(*line(name, given))
    is_, said = web.local(A, request(name, given))
    assert (is_, keyless(said)) == (status, keyless(cli.out))
    if name != "doctor":
        heads = [f"Authorization: Bearer {web.token}"]
        assert web.local(D, request(name, given, *heads)) == (status, data)


def schema(web):
    if not hasattr(web, "schema"):
        status, _, data = web.send("GET", "/v1/schema")
        assert status == 200
        web.schema = json.loads(data)
    return web.schema


def test_the_schema_has_every_operation(web):
    ours = json.loads(web.direct("schema").out)
    assert ours["send"]["arguments"]["properties"].pop("attach"), "no file goes over HTTP"
    assert schema(web) == ours
    assert {name.replace("-", "_") for name, _ in READS} == set(ours) - CHANGES
    for one in ours.values():
        for half in "arguments", "reply":
            jsonschema.Draft202012Validator.check_schema(one[half])
    assert web.send("GET", "/v1/schema", Authorization=None)[0] == 401


def test_health_needs_no_token(web):
    status, head, data = web.send("GET", "/health", Authorization=None)
    assert (status, data) == (200, b'{"status":"ok"}\n') and head["Cache-Control"] == "no-store"
    assert web.local(D, b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0] == 200


# -- statuses

STATUSES = {
    "sent": ("send", TO, 200, None),
    "a wrong value": ("list", {**WORK, "limit": "x"}, 400, "usage"),
    "a wrong type": ("list", {**WORK, "limit": {}}, 400, "usage"),
    "an unknown argument": ("list", {**WORK, "foldr": "INBOX"}, 400, "usage"),
    "an unknown operation": ("nothing", {}, 400, "usage"),
    "an operator's command": ("account%20list", {}, 400, "usage"),
    "an operator's argument": ("doctor", {"account": "work", "trace": True}, 503, "config"),
    "an agent's own mailbox": ("mail_list", {}, 400, "usage"),
    "a file of the caller's": ("send", {**TO, "attach": ["a.txt"]}, 400, "usage"),
    "a file as a body": ("send", {**TO, "body_file": "a.txt"}, 400, "usage"),
    "no message": ("get", {**WORK, "uid": 99}, 404, "not_found"),
    "another's account": ("list", {**WORK, "account": "slow"}, 404, "not_found"),
    "a rule": ("send", {**TO, "account": "shut"}, 403, "policy"),
    "held": ("send", {**TO, "account": "held"}, 403, "approval"),
    "too many": ("send", {**TO, "to": [f"a{i}@lab.example" for i in range(900)]}, 429, "limit"),
    "no server": ("list", {**WORK, "account": "down"}, 503, "network"),
    "a folder of ours": ("get", {**WORK, "uid": 1, "attachments": "in"}, 502, "unsupported"),
}


@pytest.mark.parametrize("why", STATUSES)
def test_the_status_repeats_the_code(web, why):
    name, given, status, says = STATUSES[why]
    before = len(web.site.messages("bob"))
    is_, got, _ = web.op(name, given)
    assert is_ == status and (says is None or code(got) == says), got
    assert len(web.site.messages("bob")) == before + (status == 200)
    if status == 429:
        assert web.send("POST", f"/v1/op/{name}", json.dumps(given))[1]["Retry-After"] == "60"


def test_two_hundred_clients_at_once_have_an_answer(web):
    """Guard: the caps of a token.  Without: whoever comes next waits for all of them."""
    raw = head(*but(0, "POST /v1/op/list HTTP/1.1"), body=json.dumps(WORK).encode())
    clients = [socket.create_connection(("127.0.0.1", web.port), 60) for _ in range(200)]
    for s in clients:
        s.sendall(raw.replace(b"TOKEN", web.token.encode()))
    assert web.op("list", WORK, Authorization=f"Bearer {web.others[0]}")[0] == 200
    said = [answer(s)[0] for s in clients]
    assert set(said) == {200, 429} and said.count(200) >= 8, said
    assert web.op("list", WORK)[0] == 200


def test_a_grant_is_asked_for_as_elsewhere(web):
    web.setting("skills", "grant")
    try:
        status, got, data = web.op("list", WORK)
        assert (status, code(got)) == (403, "skill")
        assert data == web.direct("list", *BOX, agent="bot").out
        lease = web.op("load_skill", {"skill": "mail-read"})[1]["data"]["lease"]
        assert web.op("list", {**WORK, "lease": lease})[0] == 200
    finally:
        web.setting("skills", "always")


# -- what is no call

def head(*lines, body=b"{}", length=None):
    """A whole request, with those lines in its head."""
    length = [] if length == "" else [f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, *length, "", ""]).encode() + body


CALL = ["POST /v1/op/list_skills HTTP/1.1", "Host: localhost", "Authorization: Bearer TOKEN",
        "Content-Type: application/json", "Connection: close"]


def but(i, *lines):
    return [*CALL[:i], *lines, *CALL[i + 1:]]


STRICT = {
    "as it must be": (200, head(*CALL)),
    "another port of ours": (200, head(*but(1, "Host: 127.0.0.1:1"))),
    "a page's name for us": (403, head(*but(1, "Host: evil.example"))),
    "the same with a port": (403, head(*but(1, "Host: evil.example:8723"))),
    "two hosts": (400, head(*CALL, "Host: evil.example")),
    "no host": (400, head(*but(1))),
    "a page": (403, head(*CALL, "Origin: http://evil.example")),
    "a page of no origin": (403, head(*CALL, "Origin: null")),
    "no type": (415, head(*but(3))),
    "a form": (415, head(*but(3, "Content-Type: application/x-www-form-urlencoded"))),
    "a text, as a page may send it": (415, head(*but(3, "Content-Type: text/plain"))),
    "in pieces": (501, head(*CALL, "Transfer-Encoding: chunked", body=b"2\r\n{}\r\n0\r\n\r\n", length="")),
    "two lengths": (400, head(*CALL, "Content-Length: 3")),
    "too long": (413, head(*CALL, length=2**20 + 1)),
    "a long head": (431, head(*CALL, "X: " + "y" * 9000)),
    "HTTP/1.0": (505, head(*but(0, "POST /v1/op/list_skills HTTP/1.0"))),
    "folded": (400, head(*CALL, "X: a", " b")),
    "GET": (405, head(*but(0, "GET /v1/op/list_skills HTTP/1.1"))),
    "no name": (404, head(*but(0, "POST /v1/op/ HTTP/1.1"))),
    "another path": (404, head(*but(0, "POST /mcp HTTP/1.1"))),
    "a query": (400, head(*but(0, "POST /v1/op/list_skills?limit=1 HTTP/1.1"))),
    "no body": (400, head(*CALL, body=b"")),
    "no object": (400, head(*CALL, body=b"[]")),
    "no JSON": (400, head(*CALL, body=b"{")),
    "more after the body": (400, head(*CALL, body=b"{}{}")),
    "a member twice": (400, head(*but(0, "POST /v1/op/list HTTP/1.1"),
                                 body=b'{"folder":"INBOX","folder":"INBOX"}')),
    "an unknown member": (400, head(*CALL, body=b'{"agent":"other"}')),
    "deep": (400, head(*CALL, body=b"[" * 100000)),
    "no UTF-8": (400, head(*CALL, body=b'{"a":"\xff"}')),
}


@pytest.mark.parametrize("why", STRICT)
def test_only_one_reading_is_accepted(web, why):
    status, raw = STRICT[why]
    got = web.raw(raw.replace(b"TOKEN", web.token.encode()), shut=False)
    top, _, body = got.partition(b"\r\n\r\n")
    assert top.startswith(b"HTTP/1.1 %d " % status), got
    jsonschema.Draft202012Validator(schema(web)["list_skills"]["reply"]).validate(json.loads(body))


def test_long_bodies_are_read_by_their_own_connection(web):
    """One after the other, each on the descriptor of the one before."""
    body = json.dumps({"skill": "x" * 100000}).encode()
    raw = head(*but(0, "POST /v1/op/load_skill HTTP/1.1"), body=body)
    for _ in range(12):
        got = web.raw(raw.replace(b"TOKEN", web.token.encode()), shut=False)
        assert got.startswith(b"HTTP/1.1 4"), got


@pytest.mark.parametrize("where", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0", "x.example:0", "127.0.0.1"])
def test_others_cannot_reach_it(web, where):
    r = web.call(["serve", "--foreground", "--socket", web.run_dir / "n" / "s", "--http", where],
                 web.environment(EMCLI_KEY=web.agent_key), None, 20)
    assert r.rc == 2 and b"--http" in r.err


# -- whose call it is

def test_a_call_needs_an_agent(web):
    """One answer for all that are none."""
    gone = web.set_up("agent", "add", "gone").out.decode().strip()
    assert web.send("POST", "/v1/op/list", json.dumps(WORK), Authorization=f"Bearer {gone}")[0] == 200
    web.set_up("agent", "remove", "gone")
    no = {f"Bearer {gone}", "Bearer emcli_" + "0" * 64, f"Bearer {web.token}0", "Bearer ", None,
          f"Basic {web.token}"}
    got = {web.send("POST", "/v1/op/list", json.dumps(WORK), Authorization=x)[::2] for x in no}
    # A user that is no agent, root, and the broker itself; a wrong token is never another's.
    got |= {web.local(uid, request("list", WORK)) for uid in (D, 0, B)}
    got |= {web.local(uid, request("list", WORK, f"Authorization: {x}")) for uid in (A, D)
            for x in no if x}
    assert len(got) == 1
    status, data = got.pop()
    assert status == 401 and code(json.loads(data)) == "config"


def test_an_agent_has_its_own_limits(web):
    for name, status in ("work", 200), ("shut", 404):
        key = f"Bearer {web.others[0]}"
        assert web.op("folders", {"account": name}, Authorization=key)[0] == status
        assert web.local(C, request("folders", {"account": name}))[0] == status


def test_the_log_has_the_agent_and_the_user(web):
    def last():
        return web.admin("audit", "list", "--limit", "1", "--json").json["audit"][0]

    web.op("folders", {"account": "work"})
    assert (last()["principal"], last()["action"]) == ("bot", "folders")
    assert "uid" not in last()["detail"]
    web.local(A, request("folders", {"account": "work"}))
    assert last()["principal"] == "scout" and f"uid {A}" in last()["detail"]
    web.local(A, request("folders", {"account": "work"}, f"Authorization: Bearer {web.token}"))
    assert last()["principal"] == "bot" and f"uid {A}" in last()["detail"]
    web.op("list", {"foldr": 1})
    assert (last()["principal"], last()["action"]) == ("bot", "list")
    assert web.admin("audit", "verify").rc == 0


def test_a_connection_outlives_nobody(web):
    """Its maker has ended: whoever has it now is somebody else."""
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    maker = os.fork()
    if maker == 0:
        os.setresuid(A, A, A)
        s.connect(str(web.web))
        os._exit(0)
    os.waitpid(maker, 0)
    s.settimeout(20)
    s.sendall(request("list", WORK))
    assert answer(s)[0] == 403


# -- many

STALLED = {"account": "slow", "folder": "INBOX"}


def stalled(web, key, n):
    raw = head(*but(0, "POST /v1/op/list HTTP/1.1"), body=json.dumps(STALLED).encode())
    out = [socket.create_connection(("127.0.0.1", web.port), 20) for _ in range(n)]
    for s in out:
        s.sendall(raw.replace(b"TOKEN", key.encode()))
    return out


def test_a_flood_of_one_agent_stops_no_other(web):
    """Behind a mail server that stalls."""
    flood = stalled(web, web.others[1], 120)
    try:
        until(lambda: len(select.select(flood, [], [], 0)[0]) >= 120 - 8 - 4 * 8, 60)
        told = select.select(flood, [], [], 0)[0]
        rest = [s for s in flood if s not in told]
        said = [answer(s) for s in told]
        many = [json.loads(data)["error_detail"] for code, data in said if code == 429]
        assert many and {detail["retry_after"] for detail in many} == {1}
        # On a slow machine the first have waited for the mail server long enough.
        assert {code for code, _ in said} <= {429, 503}
        for key in web.token, web.others[0]:
            begun = time.monotonic()
            assert web.op("list", WORK, Authorization=f"Bearer {key}")[0] == 200
            # Behind them it would come when one of them has ended.
            assert time.monotonic() - begun < 2 or not select.select(rest, [], [], 0)[0]
    finally:
        for s in flood:
            s.close()
    until(lambda: web.op("list", WORK, Authorization=f"Bearer {web.others[1]}")[0] == 200)


def test_200_clients_have_an_answer_each(web):
    raw = head(*CALL)
    keys = [web.token] * 19 + [web.others[0]]
    clients = [socket.create_connection(("127.0.0.1", web.port), 60) for _ in range(200)]
    for i, s in enumerate(clients):
        s.sendall(raw.replace(b"TOKEN", keys[i % 20].encode()))
    got = [answer(s)[0] for s in clients]
    assert set(got) == {200, 429} and got.count(200) >= 8, got
    assert set(got[19::20]) == {200}, "few of an agent's are not too many"
    assert web.op("list", WORK)[0] == 200


# -- processes that end

def test_the_status_says_where_it_listens(web):
    until(lambda: web.status().json["http"]["pid"])
    got = web.status().json["http"]
    assert got.pop("pid") in web.children()
    assert got == {"address": f"127.0.0.1:{web.port}", "socket": str(web.web)}
    said = web.call(["serve", "status", "--socket", web.socket], web.environment(), None, 60).out
    assert f"127.0.0.1:{web.port}, {web.web}\n".encode() in said


def test_what_listens_begins_again(web):
    before = web.http()
    for pid in (before, web.broker.pid):
        assert pid
    os.kill(before, signal.SIGKILL)
    until(lambda: web.http() not in (None, before))

    def serves():
        with contextlib.suppress(OSError):
            return web.op("list", WORK)[0] == 200
        return False

    until(serves)
    assert web.local(A, request("list", WORK))[0] == 200 and web.ask("list", *BOX).rc == 0


def sockets(web):
    """Of each process of a call: how many it has."""
    found = {}
    for worker in children(web.http()):
        for pid in children(worker):
            with contextlib.suppress(OSError):
                if "nursery" in pathlib.Path(f"/proc/{worker}/comm").read_text():
                    continue
                if "fork" in pathlib.Path(f"/proc/{pid}/comm").read_text():
                    continue
                names = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
                found[int(pid)] = sum(n.startswith("socket:") for n in names)
    return found


def test_a_call_that_dies_fails_alone(web):
    def rests():
        before = sockets(web)
        time.sleep(0.3)  # one that begins or ends has some of its sockets only
        return before and sockets(web) == before

    # One that waits for a call has fewer.
    until(rests)
    before = sockets(web)
    least = min(before.values())
    (one,) = stalled(web, web.others[2], 1)

    def busy():
        return [pid for pid, n in sockets(web).items() if n > before.get(pid, least)]

    until(busy)
    for pid in busy():
        os.kill(pid, signal.SIGKILL)
    status, data = answer(one)
    assert status == 502 and code(json.loads(data)) == "internal"
    assert web.op("list", WORK)[0] == 200
