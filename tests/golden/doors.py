# SPDX-License-Identifier: Apache-2.0
"""The doors that stay open for a while: MCP on stdio and on HTTP."""

import http.client
import json
import re
import select
import signal
import socket
import sqlite3
import subprocess

import script
import words

META = "io.modelcontextprotocol/"
LEGACY = ["2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
DEADLINE_S = 60

BOX = {"account": "work", "folder": "INBOX"}

# A call of each tool, and a few that are refused.
CALLS = [
    ("list", {}), ("list", BOX | {"new": True}), ("list", {"account": "nobody"}),
    ("list", {"limit": "2"}), ("list", {"bogus": 1}), ("list", {"limit": 0}),
    ("get", {"uid": 1}), ("get", {"uid": 99}), ("get", {"uid": []}), ("get", {}),
    ("get", {"uid": 2, "attachments": "meta"}), ("get", {"uid": 1, "raw": True}),
    ("get", {"uid": 4}), ("get", {"uid": 4, "max_body": 200}), ("get", {"uid": 4, "raw": True}),
    ("search", {"text": "release"}), ("folders", {}),
    ("ack", {"uid": [1]}), ("ack", {"uid": "x"}),
    ("send", {"to": ["bob@lab.example"], "subject": "Lunch", "body": "At noon."}),
    ("send", {"to": ["x@evil.example"], "subject": "s", "body": "b"}),
    ("send", {"to": "bob@lab.example", "subject": "s", "body": 7}),
    ("send_status", {"id": 1}),
    ("list_recent_threads", {"since": "2019-01-01"}),
    ("search_threads", {"phrase": "release"}),
    ("read_thread", {"id": "<release-1@lab.example>", "form": "text"}),
    ("list_sent_since", {"id": "<release-1@lab.example>", "since": "2019-01-01"}),
    ("list_drafts", {}),
    ("create_draft", {"thread": "<release-1@lab.example>", "body": "A draft."}),
    ("draft_status", {"id": "<nothing@lab.example>"}),
    ("thread_url", {"id": "<release-1@lab.example>"}),
    ("sources", {}), ("doctor", {}), ("list_skills", {}), ("load_skill", {"skill": "mail-read"}),
    ("read_skill_resource", {"skill": "mail-read", "path": "references/warnings.md"}),
    ("unload_skill", {"skill": "mail-read"}), ("bogus", {}), ("init", {}), ("account list", {}),
]

MALFORMED = [
    b"{", b"7", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":3}', b'{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}',
    b'{"jsonrpc":"2.0","id":5,"method":"nonsense"}',
    b'{"jsonrpc":"2.0","id":6,"method":"initialize"}',
]


class Host:
    """A client of emcli mcp on stdio: a message, and all up to its answer."""

    def __init__(self, w, *argv, revision=None, client="claude-code", who="agent", **env):
        self.w, self.revision, self.ids = w, revision, 0
        w.say(f"{who}$ emcli mcp {' '.join(argv)} # {revision} {client}\n")
        self.proc = subprocess.Popen([w.binary, "mcp", *argv], env=w.environment(who, **env),
                                     cwd=w.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        if revision in LEGACY:
            self.ask("initialize", protocolVersion=revision, capabilities={},
                     clientInfo={"name": client, "version": "1"})
            self.write({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})

    def raw(self, line):
        self.proc.stdin.write(line + b"\n")
        self.proc.stdin.flush()

    def write(self, msg):
        self.raw(json.dumps(msg).encode())

    def read(self):
        if not select.select([self.proc.stdout], [], [], DEADLINE_S)[0]:
            raise TimeoutError("no answer")
        line = self.proc.stdout.readline()
        self.w.say(self.w.block("reply", line))
        return json.loads(line) if line else None

    def ask(self, method, **params):
        self.ids += 1
        if self.revision == MODERN:
            params.setdefault("_meta", {META + "protocolVersion": MODERN,
                                        META + "clientCapabilities": {}})
        shown = {k: v for k, v in params.items() if k != "_meta"}
        self.w.say(self.w.fixed(f"> {method} {json.dumps(shown)}\n"))
        self.write({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        while True:
            got = self.read()
            if got is None or got.get("id") == self.ids:
                self.w.say(self.w.audited() + "\n")
                return got

    def call(self, tool, arguments):
        got = self.ask("tools/call", name=tool, arguments=arguments)
        return json.dumps(got)

    def end(self):
        self.proc.stdin.close()
        rest, err = self.proc.stdout.read(), self.proc.stderr.read()
        self.w.say(f"-- status {self.proc.wait(DEADLINE_S)}\n" + self.w.block("stdout", rest) +
                   self.w.block("stderr", err) + "\n")


def furnish(w):
    """The account that all of them work on."""
    s = script.Script(w)
    for line in ("mail box/agent@lab.example plain.eml",
                 "mail box/agent@lab.example attachment.eml",
                 "mail box/agent@lab.example thread-1.eml",
                 "mail box/agent@lab.example links.eml", "maildir box/bob@lab.example",
                 "maildir box/agent@lab.example/.Drafts", "maildir box/agent@lab.example/.Sent",
                 "operator account add work --backend maildir --path $HOME/box --mode RW "
                 "--from agent@lab.example --process-backlog --list dev@lists.example "
                 "--thread-url https://lists.example/<id>".replace("<id>", "'<id>'"),
                 "operator whitelist out add @lab.example"):
        s.line(line)


def lists(h):
    for method in ("ping", "tools/list", "resources/list", "resources/templates/list",
                   "prompts/list", "server/discover", "skills/list", "logging/setLevel"):
        h.ask(method)


def session(revision, *argv, client="claude-code"):
    def scene(w):
        furnish(w)
        h = Host(w, *argv, revision=revision, client=client)
        lists(h)
        for tool, arguments in CALLS:
            h.call(tool, arguments)
        h.ask("resources/read", uri="skill://mail-read/SKILL.md")
        h.ask("resources/read", uri="skill://nothing")
        h.ask("resources/directory/read", uri="skill://mail-read")
        h.ask("skills/get", name="mail-read")
        h.ask("skills/get", name="nothing")
        h.ask("prompts/get", name="mail-read")
        h.end()
    return scene


def shown(revision, *argv, client="claude-code"):
    """What there is alone: tools, resources, skills."""
    def scene(w):
        furnish(w)
        h = Host(w, *argv, revision=revision, client=client)
        lists(h)
        h.end()
    return scene


def chosen(*argv):
    """Among several mailboxes."""
    def scene(w):
        furnish(w)
        s = script.Script(w)
        s.line("maildir box/home@lab.example")
        s.line("operator account add home --backend maildir --path $HOME/box "
               "--from home@lab.example")
        w.run("operator", ["config", "set", "skills", "grant"])
        h = Host(w, *argv, revision=LEGACY[1])
        h.ask("tools/list")
        h.call("load_skill", {"skill": "mail"})
        h.ask("tools/list")
        for given in ({}, {"mailbox": "home@lab.example"}, {"mailbox": "home"}, {"mailbox": "x"},
                      {"account": "home"}):
            h.call("list", given)
        h.end()
    return scene


def granted(revision):
    """Tools that come with a skill."""
    def scene(w):
        furnish(w)
        w.run("operator", ["config", "set", "skills", "grant"])
        h = Host(w, revision=revision)
        h.ask("tools/list")
        h.call("list", {})
        h.call("load_skill", {"skill": "mail-read"})
        h.ask("tools/list")
        h.call("list", {})
        h.call("send", {"to": ["bob@lab.example"], "subject": "s", "body": "b"})
        h.call("load_skill", {"skill": "nothing"})
        h.call("list_skills", {})
        h.call("unload_skill", {"skill": "mail-read"})
        h.call("list", {})
        h.call("freeze_self", {"why": "enough"})
        h.call("list", {})
        h.end()
    return scene


SEND = {"to": ["bob@lab.example"], "subject": "Lunch", "body": "At noon, then."}
ANSWERS = [{"result": {"action": "decline"}}, {"result": {"action": "cancel"}},
           {"result": {"action": "accept", "content": {"approve": False}}},
           {"result": {"action": "accept", "content": {}}}, {"result": {"action": "maybe"}},
           {"error": {"code": -1, "message": "no"}},
           {"result": {"action": "accept", "content": {"approve": True}}}]


def approved_legacy(w):
    """The server asks the client's user, by a request of its own."""
    hold(w)
    h = Host(w, "--always")
    h.ask("initialize", protocolVersion=LEGACY[1], capabilities={"elicitation": {}},
          clientInfo={"name": "claude-code", "version": "1"})
    for n, answer in enumerate(ANSWERS):
        h.ids += 1
        h.write({"jsonrpc": "2.0", "id": h.ids, "method": "tools/call",
                 "params": {"name": "send", "arguments": SEND | {"body": f"At {n}, then."}}})
        asked = h.read()
        if asked and "method" in asked:
            w.say(f"> {json.dumps(answer)}\n")
            h.write({"jsonrpc": "2.0", "id": asked["id"], **answer})
            h.read()
        w.say(w.audited() + "\n")
    h.end()


def approved_modern(w):
    """The call comes back with a question, and goes again with the answer."""
    hold(w)
    h = Host(w, "--always", revision=MODERN)
    meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": {"elicitation": {}}}
    for n, answer in enumerate(ANSWERS):
        call = {"name": "send", "arguments": SEND | {"body": f"At {n}, then."}, "_meta": meta}
        got = h.ask("tools/call", **call)
        state = got.get("result", {}).get("requestState")
        if state is None:
            continue
        w.known.append((state, "<state>"))
        h.ask("tools/call", requestState=state,
              inputResponses={"approval": answer.get("result", {})}, **call)
    h.end()


def hold(w):
    furnish(w)
    w.run("operator", ["account", "edit", "work", "--outbound", "approve"])
    w.run("operator", ["config", "set", "mcp_approve", "client"])


def malformed(w):
    h = Host(w)
    for line in MALFORMED:
        w.say(w.block("sent", line))
        h.raw(line)
        h.read()
    h.end()


def keyless(w):
    """Without what it needs it starts, and says so."""
    for env in ({"EMCLI_KEY": None}, {"EMCLI_KEY": "x"}, {"EMCLI_KEY": words.key(9)},
                {"EMCLI_DB": str(w.home / "none")}):
        for revision in LEGACY[1], MODERN:
            h = Host(w, revision=revision, **env)
            h.ask("tools/list")
            h.call("list", {})
            h.end()


class Server:
    """emcli mcp --http on a port that the kernel chose."""

    def __init__(self, w, *argv):
        self.w = w
        w.say(f"agent$ emcli mcp --http 127.0.0.1:0 {' '.join(argv)}\n")
        self.proc = subprocess.Popen(
            [w.binary, "mcp", "--http", "127.0.0.1:0", *argv], env=w.environment("agent"),
            cwd=w.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.proc.stderr.readline().decode()
        self.port = re.search(r"127\.0\.0\.1:(\d+)", line)[1]
        w.known.append((f":{self.port}", ":<port>"))
        w.say(w.block("stderr", line.encode()) + "\n")
        self.session = None

    def ask(self, verb, path="/mcp", body=None, **heads):
        shown = {k: v for k, v in heads.items() if v is not None}
        self.w.say(self.w.fixed(f"> {verb} {path} {json.dumps(shown)}\n"))
        conn = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=DEADLINE_S)
        if isinstance(body, dict):
            body = json.dumps(body)
        if body:
            self.w.say(self.w.block("body", body.encode()))
        conn.request(verb, path, body, {k.replace("_", "-"): v for k, v in heads.items()
                                        if v is not None})
        r = conn.getresponse()
        data = r.read()
        conn.close()
        self.session = r.headers.get("Mcp-Session-Id", self.session)
        heads = "".join(f"{k}: {v}\n" for k, v in r.getheaders())
        self.w.say(f"-- status {r.status} {r.reason}\n" + self.w.fixed(heads) +
                   self.w.block("reply", data) + self.w.audited() + "\n")
        return data

    def raw(self, data):
        """All that comes back for these bytes."""
        self.w.say(f"> {data[:120]!r}\n")
        got = b""
        with socket.create_connection(("127.0.0.1", int(self.port)), DEADLINE_S) as s:
            try:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                while more := s.recv(65536):
                    got += more
            except OSError:
                pass
        self.w.say(self.w.block("reply", got.replace(b"\r\n", b"\n")) + "\n")

    def end(self):
        self.proc.send_signal(signal.SIGTERM)
        out, err = self.proc.communicate(timeout=DEADLINE_S)
        self.w.say(f"-- status {self.proc.returncode}\n" + self.w.block("stdout", out) +
                   self.w.block("stderr", err) + "\n")


def told(w):
    """The newest token that "agent add" printed."""
    done = w.run("operator", ["agent", "add", "web"])
    return re.search(rb"emcli_[0-9a-f]{64}", done.stdout)[0].decode()


def request(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def over_http(w):
    furnish(w)
    token = told(w)
    s = Server(w, "--workers", "1")
    given = {"Authorization": f"Bearer {token}", "Content_Type": "application/json",
             "Accept": "application/json, text/event-stream"}
    hello = request("initialize", protocolVersion=LEGACY[1], capabilities={},
                    clientInfo={"name": "claude-code", "version": "1"})
    for verb, path, body, heads in [
            ("GET", "/", None, {}), ("GET", "/mcp", None, {}), ("POST", "/mcp", hello, {}),
            ("POST", "/other", hello, given), ("PUT", "/mcp", hello, given),
            ("DELETE", "/mcp", None, given), ("OPTIONS", "/mcp", None, {}),
            ("GET", "/mcp", None, given), ("HEAD", "/mcp", None, {}),
            ("POST", "/mcp", hello, given | {"Authorization": "Bearer wrong"}),
            ("POST", "/mcp", hello, given | {"Authorization": "Basic eDp5"}),
            ("POST", "/mcp", hello, given | {"Host": "evil.example"}),
            ("POST", "/mcp", hello, given | {"Origin": "https://evil.example"}),
            ("POST", "/mcp", hello, given | {"Content_Type": "text/plain"}),
            ("POST", "/mcp", hello, given | {"Accept": "text/html"}),
            ("POST", "/mcp", "{", given), ("POST", "/mcp", "", given),
            ("POST", "/mcp", request("tools/list"), given),
            ("POST", "/mcp", hello, given)]:
        s.ask(verb, path, body, **heads)
    live = given | {"Mcp_Session_Id": s.session, "MCP_Protocol_Version": LEGACY[1]}
    w.known.append((s.session, "<session>"))
    s.ask("POST", body={"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}},
          **live)
    for method, params in [("ping", {}), ("tools/list", {}),
                           ("tools/call", {"name": "list", "arguments": {}}),
                           ("tools/call", {"name": "load_skill", "arguments": {"skill": "mail"}}),
                           ("tools/call", {"name": "list", "arguments": {}}),
                           ("tools/call", {"name": "list", "arguments": {"x": 1}}),
                           ("tools/call", {"name": "bogus"}), ("nonsense", {})]:
        s.ask("POST", body=request(method, **params), **live)
    s.ask("POST", body=request("ping"), **live | {"Mcp_Session_Id": "wrong"})
    s.ask("POST", body=request("ping"), **live | {"MCP_Protocol_Version": "2031-01-01"})
    s.ask("DELETE", **live)
    s.ask("POST", body=request("ping"), **live)
    meta = {"_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}}
    modern = given | {"MCP_Protocol_Version": MODERN}
    for method, params in [("server/discover", {}), ("tools/list", {}),
                           ("tools/call", {"name": "list", "arguments": {}})]:
        heads = modern | {"Mcp_Method": method, "Mcp_Name": params.get("name")}
        s.ask("POST", body=request(method, **params, **meta), **heads)
        s.ask("POST", body=request(method, **params, **meta), **heads | {"Mcp_Method": "x"})
    for data in RAW:
        s.raw(data)
    s.end()
    w.run("operator", ["audit", "list", "--json"])


HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n"
RAW = [b"\r\n", b"nonsense\r\n\r\n", b"GET /mcp\r\n\r\n", b"GET /mcp HTTP/2.0\r\n\r\n",
       b"GET /mcp HTTP/1.1\r\n\r\n", b"GET http://127.0.0.1/mcp HTTP/1.1\r\nHost: x\r\n\r\n",
       HEAD + b"Content-Length: x\r\n\r\n", HEAD + b"Content-Length: 99999999999\r\n\r\n",
       HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
       HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       HEAD + b"Expect: 100-continue\r\n\r\n",
       HEAD + b"Host: y\r\n\r\n", HEAD + b" folded: x\r\n\r\n",
       b"BREW /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"]


def refused_http(w):
    for argv in (["--http", "0.0.0.0:0"], ["--http", "nonsense"], ["--http", "127.0.0.1"],
                 ["--host", "x"], ["--workers", "2"], ["--http", "127.0.0.1:99999"],
                 ["--tool-prefix", "a b"], ["--selector", "x"], ["stray"]):
        w.run("agent", ["mcp", *argv])


def scenes():
    for revision in [*LEGACY, MODERN]:
        yield f"mcp/always-{revision}", session(revision, "--always"), True
        yield f"mcp/grant-{revision}", granted(revision), True
        yield f"mcp/plain-{revision}", session(revision), True
    for name, argv in [("prefix", ["--tool-prefix", "mail_"]), ("structured", ["--structured"]),
                       ("alias", ["--selector", "alias", "--selector-always"]),
                       ("all", ["--legacy-tools", "all"]),
                       ("filter", ["--legacy-tools", "filter"])]:
        yield f"mcp/shown-{name}", shown(LEGACY[1], *argv), True
    for client in "codex-mcp-client", "nova", "somebody":
        yield f"mcp/client-{client}", shown(LEGACY[1], client=client), True
    yield "mcp/structured", session(MODERN, "--always", "--structured"), True
    for name, argv in [("address", []), ("alias", ["--selector", "alias"]),
                       ("prefix", ["--tool-prefix", "mail_"])]:
        yield f"mcp/chosen-{name}", chosen(*argv), True
    yield "mcp/approve-legacy", approved_legacy, True
    yield "mcp/approve-modern", approved_modern, True
    yield "mcp/malformed", malformed, True
    yield "mcp/keyless", keyless, True
    yield "mcp/http", over_http, True
    yield "mcp/http-refused", refused_http, True
    yield "schema/new", schema, True


def schema(w):
    """What a new store has: tables, migrations, settings."""
    with sqlite3.connect(f"file:{w.db}?mode=ro", uri=True) as db:
        for pragma in "user_version", "application_id", "journal_mode", "foreign_keys":
            w.say(f"{pragma} {db.execute(f'PRAGMA {pragma}').fetchone()[0]}\n")
        for version, checksum in db.execute("SELECT version, checksum FROM migration "
                                            "ORDER BY version"):
            w.say(f"migration {version} {checksum}\n")
        for kind, name, sql in db.execute("SELECT type, name, sql FROM sqlite_master "
                                          "ORDER BY type, name"):
            w.say(f"{kind} {name}\n{sql or ''}\n\n")
    db.close()
    w.tables()
