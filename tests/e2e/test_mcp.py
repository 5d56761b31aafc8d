# SPDX-License-Identifier: Apache-2.0
"""emcli mcp over stdio: whole sessions in three revisions, as a host sees them."""

import contextlib
import hashlib
import json
import os
import select
import subprocess
import time

import jsonschema
import pytest

import cli
import level
from mail import message

META = "io.modelcontextprotocol/"
LEGACY = ["2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
BOX = {"account": "work", "folder": "INBOX"}


class Host:
    """A client of one process: what it writes, and what comes back."""

    def __init__(self, emcli, *argv, revision=None, env=None, client="claude-code", become=()):
        argv = ["mcp", *map(str, argv)]
        full = emcli.environment(**{"EMCLI_KEY": emcli.agent_key, **(env or {})})
        program, full = level.agent(emcli, argv, full)
        self.proc = subprocess.Popen([*(program or [*become, emcli.binary]), *argv], env=full,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE)
        self.revision = revision
        self.held = b""
        self.ids = 0
        self.notices = []
        if revision in LEGACY:
            self.hello = self.ask("initialize", protocolVersion=revision,
                                  capabilities={},
                                  clientInfo={"name": client, "version": "1"})["result"]
            self.note("notifications/initialized")

    def raw(self, data):
        self.proc.stdin.write(data)
        self.proc.stdin.flush()

    def write(self, msg):
        self.raw(json.dumps(msg).encode() + b"\n")

    def note(self, method, **params):
        self.write({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, method, **params):
        self.ids += 1
        if self.revision == MODERN:
            params.setdefault("_meta", {}).update({
                META + "protocolVersion": MODERN, META + "clientCapabilities": {}})
        self.write({"jsonrpc": "2.0", "id": self.ids, "method": method,
                    "params": params})
        return self.ids

    def line(self, timeout=60):
        """The next line as it stands, or None behind the last."""
        end = time.monotonic() + timeout
        while b"\n" not in self.held:
            left = end - time.monotonic()
            assert left > 0, f"no answer; held {self.held[:300]!r}"
            if not select.select([self.proc.stdout], [], [], left)[0]:
                continue
            more = os.read(self.proc.stdout.fileno(), 1 << 16)
            if not more:
                assert self.held == b""
                return None
            self.held += more
        one, self.held = self.held.split(b"\n", 1)
        return one

    def read(self, timeout=60):
        line = self.line(timeout)
        msg = json.loads(line)
        assert msg["jsonrpc"] == "2.0"
        return msg

    def ask(self, method, **params):
        wanted = self.send(method, **params)
        while True:
            msg = self.read()
            if "method" in msg:
                assert "id" not in msg, "a server asks nothing"
                self.notices.append(msg)
                continue
            assert msg.get("id") == wanted, msg
            if "result" in msg and self.revision == MODERN:
                assert msg["result"]["resultType"] == "complete"
                info = msg["result"]["_meta"][META + "serverInfo"]
                assert info["name"] == "emcli"
            return msg

    def tools(self):
        return self.ask("tools/list")["result"]["tools"]

    def call(self, tool, **arguments):
        """The envelope of a tool's answer."""
        return cli.envelope(self.ask("tools/call", name=tool, arguments=arguments)["result"])

    def data(self, tool, **arguments):
        got = self.call(tool, **arguments)
        assert got["error"] is False, got
        return got["data"]

    def end(self, timeout=60):
        """Ends input; the exit status, all that was still said."""
        self.proc.stdin.close()
        rest = self.held + self.proc.stdout.read()
        err = self.proc.stderr.read()
        assert self.proc.wait(timeout) is not None
        cli.no_report(err)
        return self.proc.returncode, rest


@pytest.fixture
def work(emcli, site):
    for n in range(3):
        site.deliver("agent", message(subject=f"note {n}", mid=f"<{n}@tests.example>",
                                      sender="Al <alice@lab.example>"))
    emcli.account_maildir(site.path, process_backlog=True, whitelist_out="on")
    emcli.whitelist("out", "@lab.example")
    return emcli


@contextlib.contextmanager
def sessions(emcli, *always):
    """make(): a session, which ends with the test."""
    made = []

    def make(*argv, **more):
        made.append(Host(emcli, *always, *argv, **more))
        return made[-1]

    yield make
    for one in made:
        one.proc.kill()
        one.proc.wait()


@pytest.fixture
def host(work):
    with sessions(work) as make:
        yield make


@pytest.mark.one_level
@pytest.mark.parametrize("revision", LEGACY)
def test_legacy_handshake_echoes_the_revision(host, revision):
    h = host(revision=revision)
    assert h.hello["protocolVersion"] == revision
    assert h.hello["serverInfo"]["name"] == "emcli"
    assert "resultType" not in h.hello
    assert h.ask("ping")["result"] == {}
    assert h.end() == (0, b"")


@pytest.mark.one_level
def test_unknown_legacy_revision_is_offered_our_newest(host):
    h = host()
    got = h.ask("initialize", protocolVersion="2024-11-05", capabilities={})
    assert got["result"]["protocolVersion"] == "2025-11-25"


def test_modern_discovers_without_a_handshake(host):
    h = host(revision=MODERN)
    got = h.ask("server/discover")["result"]
    assert got["supportedVersions"] == [MODERN]
    assert got["ttlMs"] > 0 and got["cacheScope"] == "private"
    assert "tools" in got["capabilities"]
    assert h.ask("ping")["error"]["code"] == -32601


def test_eras_share_one_process(host):
    h = host(revision=LEGACY[1])
    assert "resultType" not in h.ask("tools/list")["result"]
    h.revision = MODERN
    assert h.ask("tools/list")["result"]["resultType"] == "complete"
    h.revision = LEGACY[1]
    assert h.ask("ping")["result"] == {}


MALFORMED = [
    (b"{", -32700, None), (b"nonsense", -32700, None), (b"\xff\xfe", -32700, None),
    (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700, None),
    (b"[" * 5000, -32600, None),
    (b"7", -32600, None), (b'"ping"', -32600, None), (b" null\r", -32600, None),
    (b"true", -32600, None), (b"1 2", -32700, None), (b"1,2", -32700, None),
    (b"1],[2", -32700, None), (b"\"a", -32700, None), (b"//7", -32700, None),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
    (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600, None),
    (b'{"jsonrpc":"2.0","id":"' + b"x" * 201 + b'","method":"ping"}', -32600, None),
    (b'{"jsonrpc":"2.0","id":"a","method":7}', -32600, "a"),
    (b'{"jsonrpc":"2.0","id":3}', -32600, 3),
    (b'{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}', -32602, 4),
    (b'{"jsonrpc":"2.0","id":5,"method":"nonsense"}', -32602, 5),
    (b'{"jsonrpc":"2.0","id":5,"method":"tools/list"}', -32602, 5),
    (b'{"jsonrpc":"2.0","id":6,"method":"initialize"}', -32602, 6),
    (b'{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":1}}',
     -32602, 6),
]


@pytest.mark.one_level
@pytest.mark.parametrize("line,code,id", MALFORMED, ids=lambda v: str(v)[:40])
def test_malformed_lines_get_one_error_each(host, line, code, id):
    h = host()
    h.raw(line + b"\n")
    got = h.read()
    assert got["error"]["code"] == code, got
    assert got.get("id") == id and ("id" in got) == (id is not None)
    assert h.ask("ping")["result"] == {}, "it goes on"
    assert h.end() == (0, b"")


@pytest.mark.one_level
@pytest.mark.parametrize("meta,code", [
    ({META + "protocolVersion": MODERN}, -32602),
    ({META + "protocolVersion": 7, META + "clientCapabilities": {}}, -32602),
    ({META + "protocolVersion": MODERN, META + "clientCapabilities": []}, -32602),
    ({META + "clientCapabilities": {}}, -32602),
    ({META + "protocolVersion": "2031-01-01", META + "clientCapabilities": {}}, -32022),
    ({META + "protocolVersion": LEGACY[0], META + "clientCapabilities": {}}, -32022),
])
def test_modern_meta_is_checked_before_the_method(host, meta, code):
    h = host()
    got = h.ask("no/such", _meta=meta)
    assert got["error"]["code"] == code
    if code == -32022:
        assert got["error"]["data"] == {
            "supported": [MODERN], "requested": meta[META + "protocolVersion"]}


@pytest.mark.one_level
@pytest.mark.parametrize("method", ["nonsense", "initialize", "ping", "logging/setLevel",
                                    "resources/subscribe", "", "tools/list/"])
def test_unknown_and_removed_methods(host, method):
    h = host(revision=MODERN)
    assert h.ask(method)["error"]["code"] == -32601


def test_giant_lines_are_left_out(host):
    h = host()
    h.raw(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (9 << 20))
    h.raw(b"y" * (9 << 20) + b'"}\n')
    assert h.read()["error"]["code"] == -32600
    assert h.ask("ping")["result"] == {}
    status = open(f"/proc/{h.proc.pid}/status").read() if os.getuid() == 0 else ""
    assert h.end() == (0, b""), status


def test_a_last_line_without_its_end_counts(host):
    h = host()
    h.raw(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    rc, rest = h.end()
    assert rc == 0 and json.loads(rest)["id"] == 1


@pytest.mark.one_level
def test_ids_come_back_as_they_went(host):
    h = host()
    for id in [0, -5, 2**53, "", "7", "\u00fc\n\"", "x" * 200]:
        h.write({"jsonrpc": "2.0", "id": id, "method": "ping"})
        assert h.read()["id"] == id


HINTS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False,
         "openWorldHint": True}


@pytest.mark.one_level
def test_tools_have_names_schemas_and_hints_unlike_the_defaults(host):
    h = host(revision=MODERN)
    tools = {t["name"]: t for t in h.tools()}
    for tool in tools.values():
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        assert "outputSchema" not in tool
        assert tool["inputSchema"]["additionalProperties"] is False
        assert tool["annotations"] and not set(tool["annotations"]) - set(HINTS)
    hints = {n: HINTS | t["annotations"] for n, t in tools.items()}
    for name in "get", "read_thread", "list_drafts":
        assert hints[name]["readOnlyHint"] and hints[name]["openWorldHint"]
    assert list(hints["list_skills"].values())[::3] == [True, False]
    assert list(hints["ack"].values()) == [False, False, True, False]
    assert list(hints["create_draft"].values()) == [False, False, False, True]
    assert list(hints["send"].values()) == [False, True, False, True]


# Read-only, destructive, idempotent, open to the world.
ORGANISE_HINTS = {"mark": [False, False, True, True], "move": [False, False, False, True],
                  "archive": [False, False, False, True], "trash": [False, True, False, True]}


@pytest.mark.one_level
def test_a_change_of_mail_is_no_read_and_destroys_nothing_but_trash_may(host, work):
    work.set_up("account", "edit", "work", "--organise", "on")
    hints = {t["name"]: HINTS | t["annotations"] for t in host(revision=MODERN).tools()}
    assert {n: list(hints[n].values()) for n in ORGANISE_HINTS} == ORGANISE_HINTS
    assert hints["labels"]["readOnlyHint"] and hints["changes"]["readOnlyHint"]


@pytest.mark.one_level
def test_tools_list_has_one_page(host):
    h = host(revision=MODERN)
    first = h.ask("tools/list")["result"]
    assert "nextCursor" not in first
    assert h.ask("tools/list", cursor="")["result"]["tools"] == first["tools"]
    assert h.ask("tools/list", cursor="2")["error"]["code"] == -32602
    assert h.ask("tools/list", cursor=7)["error"]["code"] == -32602


@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
def test_a_whole_session(host, work, revision):
    h = host("--always", revision=revision)
    shown = {t["name"] for t in h.ask("tools/list")["result"]["tools"]}
    # Nothing that deals in skills, and still what stops the agent.
    assert "freeze_self" in shown and "load_skill" not in shown
    rows = h.data("list", **BOX, new=True)["messages"]
    assert [r["subject"] for r in rows] == ["note 2", "note 1", "note 0"]
    mail = h.call("get", **BOX, uid=rows[0]["uid"])
    assert mail["data"]["subject"] == "note 2"
    assert h.data("ack", **BOX, uid=[r["uid"] for r in rows])
    assert h.data("list", **BOX, new=True)["messages"] == []
    sent = h.data("send", account="work", to=["bob@lab.example"], subject="s", body="b")
    assert sent["state"] == "sent"
    refused = h.call("send", account="work", to=["x@evil.example"], subject="s", body="b")
    assert refused["error_detail"]["code"] == "policy"
    assert h.end() == (0, b"")
    rows = json.loads(work.admin("audit", "list", "--json").out)["audit"]
    done = [(r["action"], r["outcome"]) for r in rows]
    assert ("list", "ok") in done and ("send", "policy") in done


@pytest.mark.one_level
@pytest.mark.parametrize("arguments,word", [
    (BOX, "uid is missing"), ({**BOX, "uid": 1, "bogus": 1}, "bogus"),
    ({**BOX, "uid": {}}, "uid"), ({**BOX, "uid": "x"}, "uid"),
    ({**BOX, "uid": 1, "raw": "yes"}, "raw"), ({**BOX, "uid": [1]}, "uid"),
    ({**BOX, "uid": 1, "acount": "x"}, "account"),
    ({**BOX, "uid": 1, "max_body": -1}, "max_body"),
])
def test_bad_values_are_refusals_that_can_be_mended(host, arguments, word):
    got = host("--always", revision=MODERN).call("get", **arguments)
    assert got["error_detail"]["code"] == "usage"
    assert word in got["error_detail"]["message"]


@pytest.mark.one_level
def test_null_stands_for_nothing_and_digits_for_a_number(host):
    h = host("--always", revision=MODERN)
    assert h.data("get", **BOX, uid="1", part=None, raw=None)["uid"] == 1


@pytest.mark.one_level
@pytest.mark.parametrize("params", [
    {"name": "no_such"}, {"name": "send-status"}, {"name": "init"}, {"name": 7}, {},
    {"name": "list", "arguments": []}, {"name": "list", "arguments": "x"},
    {"name": "list", "arguments": {}, "requestState": "forged"},
])
def test_a_call_of_the_wrong_shape_is_a_protocol_error(host, params):
    assert host(revision=MODERN).ask("tools/call", **params)["error"]["code"] == -32602


def test_mail_is_fenced_by_a_word_of_its_own(host, site):
    h = host("--always", revision=MODERN)
    seen = set()
    for _ in range(2):
        got = h.ask("tools/call", name="get", arguments={**BOX, "uid": 1})["result"]
        [block] = got["content"]
        begin, body, end = block["text"].split("\n")
        word = end.removeprefix("end ")
        assert f'"end {word}"' in begin and len(word) == 32
        assert word not in body
        seen.add(word)
    assert len(seen) == 2
    for name, arguments in [("ack", {**BOX, "uid": [1]}), ("get", {**BOX, "uid": 99})]:
        plain = h.ask("tools/call", name=name, arguments=arguments)["result"]
        assert "\n" not in plain["content"][0]["text"], "what is ours alone is no mail"


def test_what_a_draft_takes_from_mail_is_fenced(host, site):
    """Its subject is the thread's, and so a stranger's."""
    for half in "cur", "new", "tmp":
        (site.box("agent") / ".Drafts" / half).mkdir(parents=True, exist_ok=True)
    h = host("--always", revision=MODERN)
    got = h.ask("tools/call", name="create_draft", arguments={
        "account": "work", "thread": "<1@tests.example>", "body": "b"})["result"]
    assert got["isError"] is False, got
    begin, body, end = got["content"][0]["text"].split("\n")
    assert f'"{end}"' in begin and cli.envelope(got)["data"]["subject"].endswith("note 1")


@pytest.mark.one_level
@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
def test_mail_is_fenced_in_the_structured_form_too(host, revision):
    """For programs that read nothing else, and then hand it to a model."""
    h = host("--always", "--structured", revision=revision)
    schemas = {t["name"]: t["outputSchema"] for t in h.tools()}
    got = h.ask("tools/call", name="list", arguments=BOX)["result"]
    jsonschema.validate(got["structuredContent"], schemas["list"])
    text = got["structuredContent"]["data"]["untrusted"]
    assert got["content"] == [{"type": "text", "text": text}]
    begin, body, end = text.split("\n")
    assert f'"{end}"' in begin and "note 2" in body
    assert "note 2" not in json.dumps(got).replace(json.dumps(body)[1:-1], ""), \
        "and it stands nowhere else"
    plain = h.ask("tools/call", name="ack", arguments={**BOX, "uid": [1]})["result"]
    assert plain["structuredContent"] == json.loads(plain["content"][0]["text"])


def test_without_a_key_it_starts_and_says_why(work):
    h = Host(work, "--always", revision=MODERN, env={"EMCLI_KEY": None})
    got = h.ask("server/discover")["error"]
    assert got["code"] == -32603 and "EMCLI_KEY is not set" in got["message"]
    assert h.tools()
    assert h.call("folders", account="work")["error_detail"]["code"] == "config"
    assert h.end() == (0, b"")


@pytest.mark.parametrize("key,word", [(None, "EMCLI_KEY is not set"), ("0" * 64, "key"),
                                      ("x", "EMCLI_KEY")])
@pytest.mark.parametrize("revision", LEGACY)
def test_a_key_that_is_not_there_is_said_at_initialize(work, revision, key, word):
    """To whoever sets the host up, and not to its model at the first load."""
    h = Host(work, env={"EMCLI_KEY": key})
    got = h.ask("initialize", protocolVersion=revision, capabilities={})["error"]
    assert got["code"] == -32603 and word in got["message"], got
    assert "emcli mcp install" in got["message"]
    assert h.ask("tools/list")["error"]["code"] == -32602, "nothing has begun"
    assert h.ask("initialize", protocolVersion=revision, capabilities={})["error"] == got
    assert h.end() == (0, b"")


def test_what_was_asked_before_the_end_is_answered(host):
    """If that is soon: so on a busy machine not each time all of it."""
    for _ in range(20):
        h = host("--always", revision=MODERN)
        wanted = [h.send("tools/call", name="folders", arguments={"account": "work"})
                  for _ in range(5)]
        rc, rest = h.end()
        assert rc == 0
        got = [json.loads(line)["id"] for line in rest.splitlines()]
        assert got == wanted[:len(got)]
        if got == wanted:
            break
    else:
        raise AssertionError("it ended before it had answered")


@pytest.fixture
def tarpit(emcli):
    """An account whose server takes connections and never says a word."""
    import socket
    listener = socket.create_server(("127.0.0.1", 0))
    r = emcli.admin("account", "add", "slow", "--password-stdin", "--backend", "imap",
                    "--mode", "RO", "--from", "a@lab.example", "--username", "a",
                    "--imap-host", "127.0.0.1", "--imap-port",
                    listener.getsockname()[1], "--imap-security", "tls", stdin="x")
    assert r.rc == 0, str(r)
    yield listener
    listener.close()


SLOW = {"name": "folders", "arguments": {"account": "slow"}}


def test_pings_are_answered_beside_a_slow_call(host, tarpit):
    h = host("--always", revision=LEGACY[1])
    h.send("tools/call", **SLOW)
    held = tarpit.accept()
    assert h.ask("ping")["result"] == {}, "and the slow one has no answer yet"
    held[0].close()


def test_cancelled_calls_are_never_answered(host, tarpit):
    h = host("--always", revision=MODERN)
    running, waiting = h.send("tools/call", **SLOW), h.send("tools/call", **SLOW)
    tarpit.settimeout(60)
    held = tarpit.accept()
    h.note("notifications/cancelled", requestId=waiting, reason="no longer wanted")
    h.note("notifications/cancelled", requestId=99)
    h.note("notifications/cancelled", requestId="x")
    h.note("notifications/cancelled")
    h.note("notifications/cancelled", requestId=running)
    assert h.call("folders", account="work")["error"] is False
    assert h.end() == (0, b"")
    held[0].close()


def test_the_end_of_input_ends_a_slow_call(host, tarpit):
    h = host("--always", revision=MODERN)
    h.send("tools/call", **SLOW)
    held = tarpit.accept()
    at = time.monotonic()
    assert h.end() == (0, b"")
    assert time.monotonic() - at < 30, "it would have waited a minute"
    held[0].close()


def test_nobody_reads(work):
    h = Host(work, revision=MODERN)
    h.proc.stdout.close()
    h.send("tools/list")
    assert h.proc.wait(60) == 1
    h.proc.stdin.close()
    cli.no_report(h.proc.stderr.read())


def test_the_process_holds_no_key_where_it_can_be_read(work):
    h = Host(work, revision=MODERN)
    assert h.tools()
    if os.getuid() == 0:
        environ = open(f"/proc/{h.proc.pid}/environ", "rb").read()
        assert work.agent_key.encode() not in environ
    h.end()


@pytest.mark.one_level
def test_help(work):
    r = work.run("mcp", "--help")
    assert r.rc == 0 and b"--legacy-tools" in r.out
    assert work.run("mcp", "--bogus").rc == 2
    assert b"mcp" in work.run("help").out
    assert work.run("help", "mcp").out == r.out
    assert b"--legacy-tools" in work.run("completion", "bash").out


def listed(h):
    """tools/list as it stands: its bytes, and the names."""
    h.send("tools/list")
    line = h.line()
    while b'"method"' in line[:60]:
        line = h.line()
    tools = json.loads(line)["result"]["tools"]
    return len(line), json.dumps(tools).encode(), [t["name"] for t in tools]


def heal(h, refused):
    """Makes the very call that a refusal asks for; its data."""
    assert refused["error_detail"]["code"] == "skill", refused
    fix = refused["error_detail"]["fix"]
    return h.data(fix["tool"], **fix["arguments"])


CONTROL = ["doctor", "list_skills", "load_skill", "unload_skill", "read_skill_resource",
           "freeze_self"]


@pytest.mark.one_level
@pytest.mark.parametrize("revision", LEGACY)
def test_legacy_lists_follow_what_is_loaded(host, revision):
    h = host(revision=revision)
    assert h.hello["capabilities"]["tools"] == {"listChanged": True}
    size, before, names = listed(h)
    assert names == CONTROL and size <= 4096
    refused = h.call("list", **BOX)
    heal(h, refused)
    assert [n["method"] for n in h.notices] == ["notifications/tools/list_changed"]
    size, loaded, names = listed(h)
    assert "list" in names and "get" in names and "send" not in names and size <= 8192
    assert h.data("list", **BOX)["messages"], "the session stands for the lease"
    heal(h, h.call("send", account="work", to=["bob@lab.example"], body="b"))
    size, _, names = listed(h)
    assert "send" in names and size <= 20480
    h.data("load_skill", skill="mail-read")
    assert len(h.notices) == 2, "what changes nothing is not told"
    h.data("unload_skill", skill="mail-send")
    assert listed(h)[1] == loaded and len(h.notices) == 3
    h.data("unload_skill", skill="mail-read")
    assert listed(h)[1] == before
    assert h.call("list", **BOX)["error_detail"]["reason"] == "skill_not_active"


@pytest.mark.one_level
def test_modern_lists_never_change(host):
    h = host(revision=MODERN)
    size, before, names = listed(h)
    assert {"list", "send", *CONTROL} <= set(names) and size <= 20480
    lease = heal(h, h.call("list", **BOX))["lease"]
    assert h.notices == []
    assert listed(h)[1] == before
    assert listed(host(revision=MODERN))[1] == before
    assert h.call("list", **BOX)["error_detail"]["code"] == "skill", \
        "nothing is inferred from the connection"
    assert h.data("list", **BOX, lease=lease)["messages"]
    assert h.call("send", account="work", to=["bob@lab.example"], body="b",
                  lease=lease)["error_detail"]["code"] == "skill"


def order(h, *more):
    """In which order what follows a load is said: methods, and ids from 1 on."""
    h.ids = 0
    h.send("tools/call", name="load_skill", arguments={"skill": "mail-read"})
    for method, params in more:
        h.send(method, **params)
    said = []
    while len([s for s in said if s in range(10)]) <= len(more):
        msg = h.read()
        said.append(msg.get("id", msg.get("method")))
    return said


CHANGED = "notifications/tools/list_changed"
LIST = ("tools/list", {})
CALL = ("tools/call", {"name": "list", "arguments": BOX})


def test_a_load_is_answered_when_the_host_has_listed_again(host):
    """Else its model is asked at once, with the tools it had.  For a moment only:
    so on a busy machine not each time, and where nothing waits never."""
    for _ in range(20):
        if order(host(revision=LEGACY[1]), LIST) == [CHANGED, 2, 1]:
            break
    else:
        raise AssertionError("the answer came before the list")


def test_a_load_is_answered_without_a_list_too(host):
    h = host(revision=LEGACY[1])
    assert order(h) == [CHANGED, 1]
    assert order(h) == [1], "what changes nothing waits for nothing"
    assert order(host(revision=LEGACY[1]), CALL) == [CHANGED, 1, 2], "nor who calls on"
    assert order(host(revision=LEGACY[1], client="codex-mcp-client"), LIST) == [1, 2]
    h = host(revision=LEGACY[1])
    h.send("tools/call", name="load_skill", arguments={"skill": "mail-read"})
    assert h.read()["method"] == CHANGED
    rc, rest = h.end()
    assert rc == 0 and [json.loads(line)["id"] for line in rest.splitlines()] == [2]


def test_a_load_that_is_held_can_be_cancelled(host):
    for _ in range(20):
        h = host(revision=LEGACY[1])
        wanted = h.send("tools/call", name="load_skill", arguments={"skill": "mail-read"})
        assert h.read()["method"] == CHANGED
        h.note("notifications/cancelled", requestId=wanted)
        rc, rest = h.end()
        assert rc == 0
        if rest == b"":
            break
    else:
        raise AssertionError("it was answered all the same")


ONCE = ["codex-mcp-client", "qwen-cli-mcp-client-emcli", "continue-cli-client",
        "@cline/core", "@langchain/mcp-adapters", "claude-code2", "no-such-host", "", "x" * 5000, None]


@pytest.mark.one_level
@pytest.mark.parametrize("client", ONCE, ids=lambda c: str(c)[:30])
def test_hosts_that_list_once_see_all_from_the_start(host, client):
    """And so does one that nobody knows: what may run is the lease's to say."""
    h = host(revision=LEGACY[1], client=client)
    assert h.hello["capabilities"]["tools"] == {"listChanged": False}
    before = listed(h)
    assert any(n.endswith("list") for n in before[2])
    heal(h, h.call("list", **BOX))
    assert listed(h) == before and h.notices == []


@pytest.mark.parametrize("client", ["claude-code", "gemini-cli-mcp-client",
                                    "gemini-cli-mcp-client-emcli-1", "opencode"])
def test_hosts_that_list_again_see_what_is_loaded(host, client):
    h = host(revision=LEGACY[1], client=client)
    assert h.hello["capabilities"]["tools"] == {"listChanged": True}
    assert listed(h)[2] == CONTROL


def test_the_operator_can_say_what_is_shown(host):
    h = host("--legacy-tools", "filter", revision=LEGACY[1], client="no-such-host")
    assert listed(h)[2] == CONTROL
    h = host("--legacy-tools", "all", revision=LEGACY[1])
    assert h.hello["capabilities"]["tools"] == {"listChanged": False}
    before = listed(h)
    heal(h, h.call("list", **BOX))
    assert listed(h) == before and h.notices == []
    assert h.data("list", **BOX)["messages"]


def test_sessions_do_not_share_what_is_loaded(host):
    one, two = host(revision=LEGACY[1]), host(revision=LEGACY[1])
    heal(one, one.call("list", **BOX))
    assert two.call("list", **BOX)["error_detail"]["code"] == "skill"


def test_load_and_call_without_waiting_go_in_order(host):
    h = host(revision=LEGACY[1])
    ids = [h.send("tools/call", name="load_skill", arguments={"skill": "mail-read"}),
           h.send("tools/call", name="list", arguments=BOX)]
    got = [m for m in (h.read() for _ in range(3)) if "id" in m]
    assert [m["id"] for m in got] == ids
    assert not any(m["result"]["isError"] for m in got)


def test_always_offers_no_skills(host):
    size, _, names = listed(host("--always", revision=LEGACY[1]))
    assert not set(names) & {"list_skills", "load_skill", "unload_skill"}
    assert "send" in names and size <= 20480


def test_what_may_not_be_loaded_is_not_there(host, work):
    assert work.admin("account", "edit", "work", "--mode", "RO").rc == 0
    h = host(revision=MODERN)
    assert "send" not in listed(h)[2]
    uris = [s["uri"] for s in h.ask("skills/list")["result"]["skills"]]
    assert "skill://mail-read/SKILL.md" in uris
    assert "skill://mail-send/SKILL.md" not in uris
    for method in "skills/get", "resources/read":
        got = h.ask(method, uri="skill://mail-send/SKILL.md")
        assert got["error"]["code"] == -32602


@pytest.mark.one_level
def test_skills_are_resources_with_digests_of_the_very_bytes(host):
    h = host(revision=MODERN)
    caps = h.ask("server/discover")["result"]["capabilities"]
    assert "io.modelcontextprotocol/skills" in caps["extensions"]
    skills = h.ask("skills/list")["result"]
    assert skills["ttlMs"] > 0 and "nextCursor" not in skills
    offered = {r["uri"] for r in h.ask("resources/list")["result"]["resources"]}
    for skill in skills["skills"]:
        assert h.ask("skills/get", uri=skill["uri"])["result"]["skill"] == skill
        name = skill["uri"].split("/")[2]
        assert skill["frontmatter"]["name"] == name
        for file in skill["resources"]:
            assert file["uri"] in offered
            got = h.ask("resources/read", uri=file["uri"])["result"]["contents"][0]
            raw = got["text"].encode()
            assert len(raw) == file["size"]
            assert "sha256:" + hashlib.sha256(raw).hexdigest() == file["digest"]
    loaded = h.data("load_skill", skill="mail-read")
    assert loaded["digest"] == skills["skills"][0]["resources"][0]["digest"]


@pytest.mark.one_level
@pytest.mark.parametrize("revision", [*LEGACY, MODERN])
def test_folders_of_a_skill_are_read_one_by_one(host, revision):
    h = host(revision=revision)
    if revision == MODERN:
        caps = h.ask("server/discover")["result"]["capabilities"]
        assert caps["extensions"]["io.modelcontextprotocol/skills"]["directoryRead"] is True
    found, folders = {}, ["skill://mail-read"]
    for uri in folders:
        got = h.ask("resources/directory/read", uri=uri)["result"]
        assert got["resources"] and "nextCursor" not in got
        assert ("ttlMs" in got) is (revision == MODERN)
        for r in got["resources"]:
            assert "/" not in r["uri"].removeprefix(uri + "/"), "not a direct child"
            if r["mimeType"] == "inode/directory":
                folders.append(r["uri"])
            else:
                found[r["uri"]] = r
    assert folders == ["skill://mail-read", "skill://mail-read/references"]
    every = h.ask("resources/list")["result"]["resources"]
    assert found == {r["uri"]: r for r in every if r["uri"].startswith("skill://mail-read/")}


@pytest.mark.one_level
@pytest.mark.parametrize("uri", [
    "skill://mail-read/", "skill://mail-read/SKILL.md", "skill://mail-read/references/",
    "skill://mail-read/ref", "skill://mail-read//references", "skill://mail-read/..",
    "skill://mail-read/references/..", "skill://no-such", "skill://", "skill:", "",
    "skill://mail-send",
])
def test_what_is_no_folder_is_not_read_as_one(host, work, uri):
    assert work.admin("account", "edit", "work", "--mode", "RO").rc == 0
    h = host(revision=MODERN)
    assert h.ask("resources/directory/read", uri=uri)["error"]["code"] == -32602


@pytest.mark.one_level
@pytest.mark.parametrize("uri", [
    "skill://mail-read", "skill://mail-read/", "skill://mail-read/../mail-send/SKILL.md",
    "skill://mail-read/references/../SKILL.md", "skill://mail-read/references/%2e%2e/x",
    "skill://MAIL-READ/SKILL.md", "skill:///SKILL.md", "file:///etc/passwd", "",
    "skill://no-such/SKILL.md", "skill://mail-read/SKILL.md/", "x" * 5000,
])
def test_no_other_resources(host, uri):
    h = host(revision=MODERN)
    got = h.ask("resources/read", uri=uri)["error"]
    assert got["code"] == -32602 and got["data"]["uri"] == uri[:200]
    h.revision = None
    h.ask("initialize", protocolVersion=LEGACY[0], capabilities={})
    assert h.ask("resources/read", uri=uri)["error"]["code"] == -32002
