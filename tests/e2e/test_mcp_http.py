# SPDX-License-Identifier: Apache-2.0
"""emcli mcp --http: tokens, sessions, and what strangers on the network may try."""

import base64
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import time

import pytest

import cli
from conftest import Site
from test_mcp import work  # noqa: F401

META = "io.modelcontextprotocol/"
LEGACY = ["2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
BOX = {"account": "work", "folder": "INBOX"}
CONTROL = ["doctor", "list_skills", "load_skill", "unload_skill", "read_skill_resource",
           "freeze_self"]


class Server:
    """emcli mcp --http on a port of its own."""

    def __init__(self, emcli, *argv, at="127.0.0.1:0"):
        full = emcli.environment(EMCLI_KEY=emcli.agent_key)
        self.proc = subprocess.Popen(
            [emcli.binary, "mcp", "--http", at, *argv], env=full,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.proc.stderr.readline().decode()
        assert "listening on http://127.0.0.1:" in line, line
        self.port = int(line.split("127.0.0.1:")[1].split("/")[0])

    def workers(self):
        pid = self.proc.pid
        return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def settled(self, n, but=()):
        """n workers, none of `but`: the first serves before the last is there."""
        end = time.monotonic() + 60
        while (len(now := self.workers()) != n or set(now) & set(but)) and \
                time.monotonic() < end:
            time.sleep(0.05)
        assert len(now) == n and not set(now) & set(but), now
        return now

    def raw(self, data, timeout=20):
        """All that comes back for these bytes, until the server hangs up."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as s:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            got = b""
            try:
                while more := s.recv(65536):
                    got += more
            except ConnectionResetError:
                pass
            return got

    def end(self):
        self.proc.terminate()
        out, err = self.proc.communicate(timeout=20)
        assert out == b"" and self.proc.returncode == 0
        cli.no_report(err)


class Client:
    def __init__(self, server, token, revision=MODERN, client="claude-code"):
        self.server, self.token, self.revision = server, token, revision
        self.session = None
        self.ids = 0
        if revision in LEGACY:
            status, head, got = self.post("initialize", {
                "protocolVersion": revision, "capabilities": {},
                "clientInfo": {"name": client, "version": "1"}})
            assert status == 200, got
            self.session = head["Mcp-Session-Id"]
            self.hello = got["result"]
            self.post("notifications/initialized", notice=True)

    def begin(self, verb, body=None, path="/mcp", **heads):
        """A connection on which that was asked."""
        conn = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
                 "Accept": "application/json, text/event-stream"}
        if self.session:
            given["Mcp-Session-Id"] = self.session
        given.update({k.replace("_", "-"): v for k, v in heads.items()})
        conn.request(verb, path, body,
                     {k: v for k, v in given.items() if v is not None})
        return conn

    def send(self, verb, body=None, **heads):
        conn = self.begin(verb, body, **heads)
        r = conn.getresponse()
        data = r.read()
        conn.close()
        return r.status, r.headers, data

    def message(self, method, params=None, notice=False, **heads):
        """The next one, and the headers it has."""
        self.ids += not notice
        params = dict(params or {})
        msg = {"jsonrpc": "2.0", "method": method, "params": params}
        if not notice:
            msg["id"] = self.ids
        if self.revision == MODERN:
            params.setdefault("_meta", {META + "protocolVersion": MODERN,
                                        META + "clientCapabilities": {}})
            given = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method}
            name = params.get("name", params.get("uri"))
            if name is not None:
                given["Mcp_Name"] = name
            heads = {**given, **heads}
        elif self.session:
            heads.setdefault("MCP_Protocol_Version", self.revision)
        return json.dumps(msg), heads

    def open(self, method, **params):
        body, heads = self.message(method, params)
        return self.begin("POST", body, **heads)

    def post(self, method, params=None, notice=False, **heads):
        """Status, headers, and the last message; earlier ones are notices."""
        body, heads = self.message(method, params, notice, **heads)
        status, head, data = self.send("POST", body, **heads)
        if head.get("Content-Type") == "text/event-stream":
            events = [e.removeprefix("data: ") for e in data.decode().split("\n\n") if e]
            self.notices = [json.loads(e)["method"] for e in events[:-1]]
            data = events[-1]
        got = json.loads(data) if data else None
        if got and "id" in got:
            assert got["id"] == self.ids
        return status, head, got

    def ask(self, method, **params):
        status, _, got = self.post(method, params)
        assert status == 200, got
        return got["result"]

    def names(self):
        return [t["name"] for t in self.ask("tools/list")["tools"]]

    def call(self, tool, **arguments):
        return cli.envelope(self.ask("tools/call", name=tool, arguments=arguments))

    def data(self, tool, **arguments):
        got = self.call(tool, **arguments)
        assert got["error"] is False, got
        return got["data"]

    def code(self, tool, **arguments):
        return self.call(tool, **arguments)["error_detail"]["code"]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """As `work`, without an agent: of cases that change nothing."""
    folder = tmp_path_factory.mktemp("http")
    emcli = cli.Emcli(folder / "emcli")
    emcli.init()
    site = Site(folder / "site")
    site.box("agent")
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


@pytest.fixture(scope="module")
def shared(untouched, tmp_path_factory):
    """start(options): one server of many cases, and a token it knows."""
    folder = tmp_path_factory.mktemp("shared")
    emcli = cli.Emcli(folder)
    shutil.copytree(untouched.db.parent, emcli.db.parent)
    emcli.agent_key, emcli.admin_key = untouched.agent_key, untouched.admin_key
    key, made = token(emcli), {}

    def start(*argv):
        if argv not in made:
            made[argv] = Server(emcli, *argv)
        return made[argv], key

    yield start
    for one in made.values():
        one.end()


@pytest.fixture
def serve(work):
    made = []

    def start(*argv):
        made.append(Server(work, *argv))
        return made[-1]

    yield start
    for one in made:
        one.end()


def token(work, name="bot", *limits):
    return work.set_up("agent", "add", name, *limits).out.decode().strip()


@pytest.mark.parametrize("revision", LEGACY)
def test_a_legacy_session(work, serve, revision):
    c = Client(serve(), token(work), revision)
    assert c.hello["protocolVersion"] == revision
    assert c.names() == CONTROL
    assert c.code("list", **BOX) == "skill"
    c.data("load_skill", skill="mail-read")
    assert c.notices == ["notifications/tools/list_changed"], "before the answer, in its stream"
    assert "list" in c.names()
    assert len(c.data("list", **BOX)["messages"]) == 3, "the session stands for the lease"
    other = Client(c.server, c.token, revision)
    assert other.code("list", **BOX) == "skill"
    assert c.send("DELETE")[0] == 204
    assert c.post("tools/list")[0] == 404
    assert c.send("DELETE")[0] == 404
    assert other.names() == CONTROL


def test_a_load_is_answered_when_the_host_has_listed_again(work, serve):
    """On another connection: as on standard input, for a moment only."""
    server, key = serve(), token(work)
    for _ in range(20):
        c = Client(server, key, LEGACY[1])
        conn = c.open("tools/call", name="load_skill", arguments={"skill": "mail-read"})
        r = conn.getresponse()
        assert b"list_changed" in r.readline() and r.readline() == b"\n"
        with concurrent.futures.ThreadPoolExecutor() as pool:
            rest = pool.submit(lambda: (r.read(), time.monotonic()))
            names, listed = c.names(), time.monotonic()
            said, answered = rest.result()
        assert b'"lease"' in said.replace(b"\\", b"") and "list" in names
        conn.close()
        if listed < answered:
            break
    else:
        raise AssertionError("the answer came before the list")


def test_a_session_remembers_its_host(work, serve):
    """Each request is another process: what its client said is kept."""
    server, key = serve(), token(work)
    c = Client(server, key, LEGACY[1], client="codex-mcp-client")
    assert c.hello["capabilities"]["tools"] == {"listChanged": False}
    before = c.names()
    assert {"list", "send", *CONTROL} <= set(before)
    assert c.code("list", **BOX) == "skill"
    c.data("load_skill", skill="mail-read")
    assert c.names() == before and c.data("list", **BOX)["messages"]
    assert Client(server, key, LEGACY[1]).names() == CONTROL


def test_a_modern_client_has_no_session(work, serve):
    c = Client(serve(), token(work))
    found = c.ask("server/discover")
    assert found["supportedVersions"] == [MODERN] and found["resultType"] == "complete"
    before = c.ask("tools/list")["tools"]
    lease = c.data("load_skill", skill="mail-read")["lease"]
    assert c.ask("tools/list")["tools"] == before
    assert c.code("list", **BOX) == "skill"
    assert len(c.data("list", **BOX, lease=lease)["messages"]) == 3
    status, head, _ = c.post("tools/list", Mcp_Session_Id="made-up")
    assert status == 200 and "Mcp-Session-Id" not in head
    assert c.send("DELETE", MCP_Protocol_Version=MODERN)[0] == 405
    rows = json.loads(work.admin("audit", "list", "--json").out)["audit"]
    assert {r["principal"] for r in rows if r["action"] == "list"} == {"bot"}


def test_eras_share_one_endpoint(work, serve):
    server, key = serve(), token(work)
    old, new = Client(server, key, LEGACY[0]), Client(server, key)
    for _ in range(2):
        assert "resultType" not in old.ask("tools/list")
        assert new.ask("tools/list")["resultType"] == "complete"


@pytest.mark.parametrize("given", [
    None, "", "Bearer", "Bearer ", "Basic Ym90Og==", "Bearer emcli_", "Bearer emcli_xyz",
    "Bearer emcli_" + "g" * 64, "Bearer emcli_" + "0" * 64, "Bearer emcli_" + "0" * 4000,
    "TOKEN", "Bearer TOKENTOKEN", "Bearer TOKEN0"])
def test_without_a_good_token_nothing_is_told(shared, given):
    server, key = shared("--workers", "1")
    c = Client(server, key)
    if given is not None:
        given = given.replace("TOKEN", key)
    for method in "server/discover", "tools/list", "no/such":
        status, head, got = c.post(method, Authorization=given)
        assert status == 401 and head["WWW-Authenticate"].startswith("Bearer ")
        assert got["error"]["code"] == -32600


def test_a_removed_agent_is_out_at_once(work, serve):
    server = serve()
    mine, others = token(work), token(work, "other")
    c, o = Client(server, mine, LEGACY[1]), Client(server, others, LEGACY[1])
    assert work.admin("agent", "remove", "bot").rc == 0
    assert c.post("tools/list")[0] == 401
    assert o.names() == CONTROL
    c.token = token(work)
    assert c.post("tools/list")[0] == 404, "of its name, and not it"
    listed = json.loads(work.admin("agent", "list", "--json").out)["agents"]
    assert [a["name"] for a in listed] == ["bot", "other"]


def test_sessions_are_their_agents(work, serve):
    server = serve()
    c = Client(server, token(work), LEGACY[1])
    thief = Client(server, token(work, "thief"), LEGACY[1])
    for session, status in [(c.session, 404), ("0" * 32, 404), ("", 400), (None, 400),
                            ("x" * 3000, 404), ("' OR 1=1 --", 404)]:
        thief.session = session
        assert thief.post("tools/list")[0] == status
        assert thief.post("notifications/initialized", notice=True)[0] == status
        assert thief.send("DELETE")[0] == status
    assert c.names() == CONTROL
    assert c.post("tools/list", MCP_Protocol_Version="1999-01-01")[0] == 400
    assert c.post("tools/list", MCP_Protocol_Version=None)[0] == 200
    c.data("load_skill", skill="mail-read")
    assert Client(server, thief.token, LEGACY[1]).code("list", **BOX) == "skill"


def test_the_database_holds_no_token_and_no_session(work, serve):
    key = token(work)
    c = Client(serve(), key, LEGACY[1])
    kept = b"".join(p.read_bytes() for p in work.db.parent.glob("emcli.db*"))
    assert b"bot" in kept
    assert key.encode() not in kept and key[6:].encode() not in kept
    assert c.session.encode() not in kept
    assert key.encode() not in work.admin("audit", "list", "--json").out


def test_limits_of_an_agent(work, serve, site):
    work.account_maildir(site.path, name="home", process_backlog=True)
    server = serve()
    c = Client(server, token(work, "one", "--account", "home"), LEGACY[1])
    c.data("load_skill", skill="mail")
    assert c.code("folders", account="work") == "not_found"
    assert c.code("folders", account="no-such") == "not_found"
    assert c.data("folders", account="home")
    assert "work" not in json.dumps([c.call("doctor"), c.call("sources")])
    c = Client(server, token(work, "two", "--skill", "mail-read"), LEGACY[1])
    assert c.code("load_skill", skill="mail-send") == "not_found"
    assert "mail-send" not in json.dumps([c.call("list_skills"), c.ask("skills/list")])
    c.data("load_skill", skill="mail-read")
    assert "send" not in c.names()
    assert c.code("send", account="work", to=["b@lab.example"], body="b") == "policy"
    c = Client(server, token(work, "three", "--op", "folders", "--op", "list"), LEGACY[1])
    c.data("load_skill", skill="mail-read")
    assert set(c.names()) == {*CONTROL, "list", "folders"}
    assert c.data("list", **BOX)["messages"]
    refused = c.call("get", **BOX, uid=1)["error_detail"]
    assert (refused["code"], refused["reason"]) == ("policy", "op_not_permitted")
    assert c.code("load_skill", skill="mail-send") == "not_found"


@pytest.mark.parametrize("argv,rc", [
    (["add", "operator"], 2), (["add", "a b"], 2), (["add", ""], 2), (["add", "x" * 65], 2),
    (["add", "a", "--account", "nope"], 1), (["add", "a", "--skill", "nope"], 1),
    (["add", "a", "--op", "init"], 1), (["add", "a", "--op", "doctor"], 1),
    (["remove", "nope"], 1), (["add"], 2)])
def test_agents_that_cannot_be(untouched, argv, rc):
    r = untouched.admin("agent", *argv)
    assert r.rc == rc and not r.out.startswith(b"emcli_"), str(r)
    assert untouched.run("agent", *argv).rc != 0
    assert json.loads(untouched.admin("agent", "list", "--json").out)["agents"] == []


def test_an_agent_is_added_once(work):
    first = token(work)
    assert first.startswith("emcli_") and len(first) == 70
    assert work.admin("agent", "add", "bot").rc != 0
    assert work.admin("agent", "add", "BOT").rc != 0
    assert b"bot" in work.admin("agent", "list").out


@pytest.mark.parametrize("heads,status", [
    ({"Host": "127.0.0.1:PORT"}, 200), ({"Host": "localhost:PORT"}, 200),
    ({"Host": "LOCALHOST:PORT"}, 200), ({"Host": "[::1]:PORT"}, 200),
    ({"Host": "mail.example"}, 200), ({"Host": "mail.example:PORT"}, 200),
    ({"Host": "evil.example:PORT"}, 403), ({"Host": "localhost"}, 200),
    # A port of somebody's own, forwarded to ours.
    ({"Host": "localhost:1"}, 200), ({"Host": "127.0.0.1:9000"}, 200),
    ({"Host": "[::1]:65535"}, 200), ({"Host": "localhost:65536"}, 403),
    ({"Host": "localhost:"}, 403), ({"Host": "localhost9000"}, 403),
    ({"Host": "127.0.0.1:+1"}, 403), ({"Host": "mail.example:1"}, 403),
    ({"Host": "localhost:PORT.evil.example"}, 403),
    ({"Host": "127.0.0.1.evil.example:PORT"}, 403), ({"Host": "localhost.:PORT"}, 403),
    ({"Origin": "http://localhost:PORT"}, 200), ({"Origin": "http://127.0.0.1:PORT"}, 200),
    ({"Origin": "https://app.example"}, 200), ({"Origin": "http://app.example"}, 403),
    ({"Origin": "https://app.example.evil.example"}, 403), ({"Origin": "null"}, 403),
    ({"Origin": "http://localhost"}, 403), ({"Origin": "http://evil.example"}, 403),
    ({"Origin": ""}, 403), ({"Origin": "http://localhost:PORT/"}, 403)])
def test_host_and_origin(shared, heads, status):
    server, key = shared("--host", "mail.example", "--origin", "https://app.example")
    heads = {k: v.replace("PORT", str(server.port)) for k, v in heads.items()}
    c = Client(server, key)
    assert c.post("tools/list", **heads)[0] == status
    c.token = "none"
    assert c.post("tools/list", **heads)[0] == (401 if status == 200 else 403), \
        "who asks from a wrong place learns nothing of tokens"


@pytest.mark.parametrize("verb,status", [
    ("GET", 405), ("PUT", 405), ("HEAD", 405), ("OPTIONS", 405), ("PATCH", 405),
    ("TRACE", 501), ("DELETE", 400)])
def test_other_methods(shared, verb, status):
    got = Client(*shared("--workers", "1")).send(verb)
    assert got[0] == status
    if status == 405:
        assert got[1]["Allow"] == "POST, DELETE"


def test_other_types_and_places(work, serve):
    c = Client(serve(), token(work))
    assert c.post("tools/list", Content_Type="text/plain")[0] == 415
    assert c.post("tools/list", Content_Type=None)[0] == 415
    assert c.post("tools/list", Content_Type="application/json; charset=utf-8")[0] == 200
    conn = http.client.HTTPConnection("127.0.0.1", c.server.port)
    conn.request("POST", "/other", "{}", {"Authorization": f"Bearer {c.token}"})
    assert conn.getresponse().status == 404
    conn.close()
    for body, status in [(b"", 400), (b"{", 400), (b"[]", 400), (b"\xff", 400), (b"7", 400),
                         (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', 400)]:
        assert c.send("POST", body)[0] == status


def b64(text):
    return "=?base64?" + base64.b64encode(text.encode()).decode() + "?="


CALL = {"name": "doctor", "arguments": {}}


@pytest.mark.parametrize("method,params,heads,status,code", [
    ("tools/call", CALL, {}, 200, None),
    ("tools/call", CALL, {"Mcp_Name": b64("doctor")}, 200, None),
    ("tools/call", CALL, {"Mcp_Name": " doctor "}, 200, None),
    ("tools/call", CALL, {"Mcp_Name": "get"}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Name": "Doctor"}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Name": None}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Name": "=?base64?!!!?="}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Name": b64("doctor")[:-3] + "?="}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Method": None}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Method": "tools/list"}, 400, -32020),
    ("tools/call", CALL, {"Mcp_Method": "TOOLS/CALL"}, 400, -32020),
    ("tools/call", CALL, {"MCP_Protocol_Version": None}, 400, -32020),
    ("tools/call", CALL, {"MCP_Protocol_Version": LEGACY[0]}, 400, -32020),
    ("resources/read", {"uri": "skill://mail-read/SKILL.md"}, {}, 200, None),
    ("resources/read", {"uri": "skill://mail-read/SKILL.md"}, {"Mcp_Name": "x"}, 400, -32020),
    ("tools/call", {"name": "no_such"}, {}, 200, -32602),
    ("no/such", {}, {}, 404, -32601), ("initialize", {}, {}, 404, -32601),
    ("tools/list", {"_meta": {}}, {}, 400, -32602),
    ("tools/list", {"_meta": {META + "protocolVersion": MODERN}}, {}, 400, -32602),
    ("tools/list", {"_meta": {META + "protocolVersion": "2031-01-01",
                              META + "clientCapabilities": {}}}, {}, 400, -32020),
    ("tools/list", {"_meta": {META + "protocolVersion": "2031-01-01",
                              META + "clientCapabilities": {}}},
     {"MCP_Protocol_Version": "2031-01-01"}, 400, -32022)])
def test_modern_headers_say_what_the_body_says(shared, method, params, heads, status, code):
    got = Client(*shared("--workers", "1")).post(method, params, **heads)
    assert got[0] == status, got
    assert got[2].get("error", {}).get("code") == code


GOOD = b"POST /mcp HTTP/1.1\r\nHost: localhost:PORT\r\n"


@pytest.mark.parametrize("raw,status", [
    (GOOD + b"\r\n", b"401"), (GOOD + b"Content-Length: 0\r\n\r\n", b"401"),
    (b"POST /mcp HTTP/1.1\r\n\r\n", b"400"),
    (GOOD + b"Host: localhost:PORT\r\n\r\n", b"400"),
    (GOOD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", b"400"),
    (GOOD + b"Content-Length: +2\r\n\r\n{}", b"400"),
    (GOOD + b"Content-Length: 0x2\r\n\r\n{}", b"400"),
    (GOOD + b"Content-Length: 2, 2\r\n\r\n{}", b"400"),
    (GOOD + b"Content-Length: -1\r\n\r\n{}", b"400"),
    (GOOD + b"Content-Length: 99999999999999999999999\r\n\r\n", b"400"),
    (GOOD + b"Content-Length: 2097153\r\n\r\n", b"413"),
    (GOOD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"501"),
    (GOOD + b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n", b"400"),
    (GOOD.replace(b"Host:", b"Host :") + b"\r\n", b"400"),
    (GOOD + b" folded: x\r\n\r\n", b"400"), (GOOD + b"X: a\r\n\tb\r\n\r\n", b"400"),
    (GOOD + b"X: a\0b\r\n\r\n", b"400"), (GOOD + b"X: a\rb\r\n\r\n", b"400"),
    (GOOD.replace(b"\r\n", b"\n") + b"\n", b"400"), (GOOD + b"X: \x01\r\n\r\n", b"400"),
    (GOOD + b": empty\r\n\r\n", b"400"), (GOOD + b"no colon\r\n\r\n", b"400"),
    (GOOD.replace(b"/mcp", b"http://localhost:PORT/mcp") + b"\r\n", b"400"),
    (GOOD.replace(b"/mcp", b"*") + b"\r\n", b"400"),
    (GOOD.replace(b"/mcp", b"//evil/mcp") + b"\r\n", b"400"),
    (GOOD.replace(b"/mcp ", b"/mcp  ") + b"\r\n", b"400"),
    (GOOD.replace(b"1.1", b"1.0") + b"\r\n", b"505"),
    (GOOD.replace(b"1.1", b"2.0") + b"\r\n", b"505"),
    (GOOD.replace(b"HTTP/1.1", b"HTTP") + b"\r\n", b"400"),
    (b"\r\n" + GOOD + b"\r\n", b"400"), (b"\0" * 100, b"400"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", None), (b"GET /\r\n\r\n", b"400"),
    (GOOD + b"X: " + b"x" * 9000 + b"\r\n\r\n", b"431"),
    (GOOD + b"".join(b"X%d: x\r\n" % i for i in range(70)) + b"\r\n", b"431")],
    ids=lambda v: repr(v)[:40])
def test_requests_of_two_readings_are_refused(shared, raw, status):
    server, key = shared("--workers", "1")
    raw = raw.replace(b"PORT", str(server.port).encode())
    got = server.raw(raw)
    assert got.startswith(b"HTTP/1.1 " + status if status else b""), got[:200]
    assert got.count(b"HTTP/1.1 ") <= 1
    with socket.create_connection(("127.0.0.1", server.port), 20) as s:
        for byte in raw[:300]:
            try:
                s.sendall(bytes([byte]))
            except OSError:
                break
    assert Client(server, key).names(), "it goes on"


def request(server, key, body, more=b""):
    return (b"POST /mcp HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n"
            b"Content-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s" %
            (server.port, key.encode(), more, len(body), body))


HELLO = (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
         b'{"protocolVersion":"2025-11-25","capabilities":{}}}')


def test_pipelined(work, serve):
    server, key = serve("--workers", "1"), token(work)
    one = request(server, key, HELLO)
    with socket.create_connection(("127.0.0.1", server.port), 30) as s:
        s.sendall(one * 3)
        got = b""
        while got.count(b'"id":1') < 3:
            more = s.recv(65536)
            assert more, got
            got += more
        assert got.count(b"HTTP/1.1 200 OK") == 3
        s.sendall(one + b"junk junk\r\n\r\n" + one)
        rest = b""
        while more := s.recv(65536):
            rest += more
    assert rest.startswith(b"HTTP/1.1 400") and rest.count(b"HTTP/1.1") == 1
    assert Client(server, key).names()


def test_an_oversized_body_is_not_read(work, serve):
    server, key = serve("--workers", "1"), token(work)
    head = request(server, key, b"").replace(b"Content-Length: 0", b"Content-Length: 99999999")
    with socket.create_connection(("127.0.0.1", server.port), 20) as s:
        s.sendall(head)
        got = s.recv(65536)
        assert got.startswith(b"HTTP/1.1 413")
        with pytest.raises(OSError):
            for _ in range(2000):
                s.sendall(b"x" * 65536)
                time.sleep(0.002)
    big = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 2000000 + b'"}'
    assert server.raw(request(server, key, big)).startswith(b"HTTP/1.1 400")
    assert Client(server, key).names()


def test_slow_clients_keep_nobody_waiting(work, serve):
    server, key = serve("--workers", "1"), token(work)
    at = time.monotonic()
    slow = [socket.create_connection(("127.0.0.1", server.port), 30) for _ in range(60)]
    text = request(server, key, HELLO)

    def waits():
        """Is the first not told yet that it was too slow?"""
        return not select.select([slow[0]], [], [], 0)[0]

    for n in range(8):
        for s in slow:
            with contextlib.suppress(OSError):  # where eight rounds take ten seconds
                s.sendall(text[n:n + 1])
        begun, before = time.monotonic(), waits()
        assert Client(server, key).ask("server/discover")
        assert time.monotonic() - begun < 5 or waits() or not before
    last = time.monotonic()
    got = slow[0].recv(65536)
    now = time.monotonic()
    assert got.startswith(b"HTTP/1.1 408") and 9 < now - at and (now - at < 25 or now - last < 15)
    for s in slow:
        s.close()


CLIENTS = 54


def test_more_clients_than_places(work, serve):
    """Four workers have forty places, so some wait for one (HTTP_PLACES)."""
    server, key = serve("--always"), token(work)

    def one(n):
        c = Client(server, key, ([*LEGACY, MODERN])[n % 3])
        got = c.data("folders", account="work")
        return [f["name"] for f in got["folders"]]

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        for names in pool.map(one, range(CLIENTS)):
            assert "INBOX" in names
    server.settled(4)


def test_a_killed_worker_is_replaced(work, serve):
    server, key = serve("--workers", "2"), token(work)
    c = Client(server, key, LEGACY[1])
    c.data("load_skill", skill="mail-read")
    for _ in range(2):
        before = server.settled(2)
        for pid in before:
            os.kill(int(pid), signal.SIGKILL)
        server.settled(2, but=before)
        assert c.data("list", **BOX)["messages"], "sessions and grants are in the store"


@pytest.fixture
def tarpit(emcli):
    """An account whose server takes connections and never says a word."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(30)
    r = emcli.admin("account", "add", "slow", "--password-stdin", "--backend", "imap",
                    "--mode", "RO", "--from", "a@lab.example", "--username", "a",
                    "--imap-host", "127.0.0.1", "--imap-port",
                    listener.getsockname()[1], "--imap-security", "tls", stdin="x")
    assert r.rc == 0, str(r)
    yield listener
    listener.close()


def hang_up(server, key, tarpit, body, more):
    with socket.create_connection(("127.0.0.1", server.port), 20) as s:
        s.sendall(request(server, key, body, more))
        held = tarpit.accept()[0]
    held.settimeout(30)  # half of what the call would wait
    while held.recv(65536):
        pass
    held.close()


def test_hanging_up_cancels_a_modern_call(work, serve, tarpit):
    server, key = serve("--always", "--workers", "1"), token(work)
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "folders", "arguments": {"account": "slow"},
        "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}}})
    more = (f"MCP-Protocol-Version: {MODERN}\r\nMcp-Method: tools/call\r\n"
            "Mcp-Name: folders\r\n")
    hang_up(server, key, tarpit, body.encode(), more.encode())
    assert Client(server, key).data("folders", account="work")


def test_a_slow_mail_server_keeps_nobody_waiting(work, serve, tarpit):
    server, key = serve("--always", "--workers", "1"), token(work)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(Client(server, key).call, "folders", account="slow")
                 for _ in range(4)]
        held = [tarpit.accept()[0] for _ in range(4)]
        at = time.monotonic()
        assert Client(server, key).data("folders", account="work")
        assert time.monotonic() - at < 5 or not any(call.done() for call in calls)
        for s in held:
            s.close()


@pytest.mark.parametrize("argv", [
    ["0.0.0.0:0"], ["[::]:0"], ["192.0.2.1:0"], ["0.0.0.0:0", "--public"], ["127.0.0.1"],
    ["127.0.0.1:65536"], ["127.0.0.1:x"], ["mail.example:80"], [":80"], [""], ["[::1:80"],
    ["127.0.0.1:0", "--workers", "0"], ["127.0.0.1:0", "--workers", "65"]])
def test_where_it_does_not_listen(untouched, argv):
    r = untouched.run("mcp", "--http", *argv)
    assert r.rc == 2 and b"emcli: " in r.err, str(r)


@pytest.mark.parametrize("argv", [["--public"], ["--host", "x"], ["--origin", "http://x"],
                                  ["--workers", "2"]])
def test_what_is_said_of_no_server(untouched, argv):
    r = untouched.run("mcp", *argv)
    assert r.rc == 2 and b"needs --http" in r.err, str(r)


def test_without_a_key_or_a_port_it_does_not_start(work, serve):
    r = work.run("mcp", "--http", "127.0.0.1:0", env={"EMCLI_KEY": None})
    assert r.rc == 1 and b"EMCLI_KEY" in r.err, str(r)
    r = work.run("mcp", "--http", f"127.0.0.1:{serve().port}")
    assert r.rc == 1 and b"cannot listen" in r.err, str(r)
