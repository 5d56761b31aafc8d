# SPDX-License-Identifier: Apache-2.0
"""emcli agents mail VERB: two agents with mailboxes in one root write to each other; which session
is meant, which way is taken, and what is believed of a manifest."""

import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socketserver
import sqlite3
import threading
import time

import pytest

import cli
import ports
import servers
import test_session

HEAD = ["schema_version", "operation", "authoritative", "status", "execution_path",
        "transport", "principal_id", "address"]
# Of the upstream program's models, v0.
MESSAGE = {"message_ref", "thread_ref", "created_at_utc", "subject", "unread", "body_preview",
           "body_text", "sender", "to", "cc", "reply_to", "attachments"}
STATES = {"read", "answered", "archived", "box", "notify_block", "notify_auth"}


class Pair(test_session.Desk):
    """Two agents, and their sessions by name."""

    def __init__(self, folder, gateway=False):
        super().__init__(folder)
        self.gateway = gateway
        self.at = {a: self.begin(a) for a in ("writer", "ci")}

    def begin(self, agent, *mailbox, **way):
        return self.start(self.home(agent, *mailbox), **way)

    def mail(self, agent, verb, *argv, stdin=None, key=True, **env):
        """As the agent, with a key of emcli's or without one."""
        full = {"HOUMAO_MANIFEST_PATH": self.at[agent]["manifest_path"] if agent else None,
                "HOUMAO_GLOBAL_RUNTIME_DIR": str(self.root), **env}
        if not key:
            full.update(EMCLI_KEY=None, EMCLI_DB=None)
        return self.emcli.run("agents", "mail", verb, *argv, env=full, stdin=stdin)

    def done(self, agent, verb, *argv, **how):
        r = self.mail(agent, verb, *argv, **how)
        assert r.rc == 0, str(r)
        assert list(r.json)[:5] == HEAD[:5] and set(HEAD) < set(r.json)
        assert r.json["authoritative"] is True and r.json["status"] == "verified"
        assert r.json["operation"] == verb
        return r.json

    def reason(self, agent, verb, *argv, code=None, **how):
        r = self.mail(agent, verb, *argv, **how)
        assert r.rc != 0 and r.json["error"] is True and r.json["data"] == {}, str(r)
        got = r.json["error_detail"]
        assert code in (None, got["code"]), str(r)
        return got.get("reason")


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    p = Pair(tmp_path_factory.mktemp("pair"))
    yield p
    p.end()


class Gateway:
    """A gateway that a test writes: its records in a session's folder, its socket, and answers
    by path.  What it was asked is in `asked`."""

    def __init__(self, at, tcp=False, **records):
        self.folder = pathlib.Path(at["session_root"], "gateway")
        self.run = self.folder / "run"
        for d in (self.folder, self.run):
            d.mkdir(mode=0o700, exist_ok=True)
        self.asked, self.answers = [], {}
        self.health = {"protocol_version": "v1", "status": "ok"}
        self.token = "PLANTED-token-4711"
        (self.run / "token").write_text(self.token)
        (self.run / "token").chmod(0o600)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.asked.append((self.command, self.path, self.headers,
                                    json.loads(body) if body else None))
                got = outer.health if self.path == "/health" else outer.answers[self.path]
                if callable(got):
                    got(self)
                    return
                status, model = got if isinstance(got, tuple) else (200, got)
                text = json.dumps(model).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = answer

            def address_string(self):
                return "peer"

            def log_message(self, *args):
                pass

        class Local(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
            daemon_threads = True

        if tcp:
            self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            port = self.server.server_address[1]
        else:
            here = os.open(self.run, os.O_RDONLY)
            self.server = Local(f"/proc/self/fd/{here}/gateway.sock", Handler)
            os.close(here)
            port = 1
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        me = pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        self.put("current-instance.json", schema_version=1, protocol_version="v1",
                 pid=os.getpid(), host="127.0.0.1", port=port, execution_mode="detached",
                 managed_agent_instance_epoch=1, **records)
        self.put("emcli.json", version=1, pid=os.getpid(), started=int(me[19]), boot=boot)

    def put(self, name, **members):
        path = self.run / name
        old = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(old | members))
        path.chmod(0o600)

    def mail(self):
        return [(m, p, body) for m, p, _, body in self.asked if p != "/health"]

    def end(self):
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.folder)


@pytest.fixture
def gateway(pair):
    made = []

    def make(agent="writer", **how):
        made.append(Gateway(pair.at[agent], **how))
        return made[-1]

    yield make
    for g in made:
        g.end()


def correspond(pair, path, **how):
    """A letter with a file, its answer, and its mark; nothing was in the mailboxes before."""

    def done(*argv, **more):
        got = pair.done(*argv, **how, **more)
        assert got["execution_path"] == path
        return got

    (pair.work / "report.txt").write_text("all is well\n")
    (pair.work / "body.txt").write_text("See the file.\n---\nBye.\n")
    sent = done("writer", "send", "--to", "ci@houmao.localhost", "--subject", "Build",
                     "--body-file", str(pair.work / "body.txt"), "--attach",
                     str(pair.work / "report.txt"), "--idempotency-key", "build-1")
    assert set(sent) == {*HEAD, "message"} and set(sent["message"]) == MESSAGE
    assert sent["principal_id"] == "HOUMAO-writer"
    assert sent["message"]["sender"]["address"] == "writer@houmao.localhost"
    # The same key again delivers nothing.
    again = done("writer", "send", "--to", "ci@houmao.localhost", "--subject", "Build",
                      "--body-file", str(pair.work / "body.txt"), "--attach",
                      str(pair.work / "report.txt"), "--idempotency-key", "build-1")
    assert again["message"]["message_ref"] == sent["message"]["message_ref"]
    got = done("ci", "check", "--unread-only", "--limit", "5")
    assert (got["message_count"], got["unread_count"], got["unread_only"]) == (1, 1, True)
    assert set(got) == {*HEAD, "unread_only", "message_count", "unread_count", "messages"}
    [m] = got["messages"]
    assert set(m) == MESSAGE and m["body_text"] == "See the file.\n---\nBye.\n"
    [a] = m["attachments"]
    assert a["label"] == "report.txt" and a["size_bytes"] == 12
    assert pathlib.Path(a["locator"]).read_text() == "all is well\n"
    ref = m["message_ref"]
    answer = done("ci", "reply", "--message-ref", ref, stdin="Thanks.\n")
    assert answer["message"]["subject"] == "Re: Build"
    assert answer["message"]["thread_ref"] == m["thread_ref"]
    assert [x["body_text"] for x in done("writer", "check")["messages"]] == ["Thanks.\n"]
    [mine] = done("writer", "check")["messages"]
    read = done("writer", "mark-read", "--message-ref", mine["message_ref"])
    assert set(read) == {*HEAD, "message_ref", "read"} and read["read"] is True
    assert done("writer", "check", "--unread-only")["messages"] == []
    status = done("writer", "status")
    assert set(status) == {*HEAD, "bindings_version"}
    assert status["bindings_version"] == pair.at["writer"]["mailbox"]["bindings_version"]
    # Programs write short texts, and the same one twice; no verb could insist on it.
    for _ in range(2):
        done("ci", "send", "--to", "writer@houmao.localhost", "--subject", "TODO",
             "--body-content", "TODO: [name]")
    unread = done("writer", "check", "--unread-only")["messages"]
    assert len(unread) == 2
    for m in unread:
        done("writer", "mark-read", "--message-ref", m["message_ref"])


def principals(pair):
    return {r["principal"] for r in pair.good("audit", "list")["audit"]
            if r["action"] == "mail_status"}


def test_a_letter_with_a_file_is_answered_and_marked(pair):
    correspond(pair, "manager_direct")
    # In the audit log it is the session's agent, unless the caller says who it is.
    pair.done("writer", "status", EMCLI_AGENT="scout")
    assert principals(pair) == {"writer", "scout"}


def test_the_same_over_the_gateway_of_a_session_without_a_key(tmp_path):
    p = Pair(tmp_path, gateway=True)
    try:
        correspond(p, "gateway_backed", key=False)
        assert principals(p) == {"writer"}
        # The longest text there may be goes through, line ends escaped and all.
        long = p.work / "long.txt"
        long.write_text("x\n" * (8 << 20))
        send = ("send", "--to", "ci@houmao.localhost", "--subject", "Long", "--body-file", long)
        assert p.done("writer", *send, key=False)["execution_path"] == "gateway_backed"
        assert p.done("ci", "check", key=False)["messages"][0]["body_text"] == long.read_text()
        long.write_text("x\n" * (8 << 20) + "x")
        assert p.mail("writer", *send, key=False).code == "limit"
        run = pathlib.Path(p.at["writer"]["session_root"], "gateway/run")
        live = p.mail("writer", "resolve-live", key=False).json
        assert live["gateway_available"] is True and live["gateway"]["host"] == "127.0.0.1"
        # Without its socket it is asked over TCP, with the token of its file.
        (run / "gateway.sock").unlink()
        tcp = p.done("writer", "check", key=False)
        assert tcp["execution_path"] == "gateway_backed"
        (run / "token").write_text("PLANTED-4711" * 4)
        r = p.mail("writer", "check", key=False)
        assert r.code == "auth" and r.json["error_detail"]["reason"] == "unauthenticated"
        assert b"PLANTED" not in r.out + r.err
        # When it is dead, whoever has a key goes on without it.
        pid = json.loads((run / "emcli.json").read_text())["pid"]
        os.kill(pid, signal.SIGKILL)
        test_session.until(lambda: not ports.alive(pid))
        assert p.done("writer", "check")["execution_path"] == "manager_direct"
        assert p.reason("writer", "check", key=False, code="unsupported") == "unsupported"
        assert p.mail("writer", "resolve-live", key=False).json["gateway"] is None
    finally:
        p.end()


def test_the_later_verbs(pair):
    refs = [pair.done("ci", "send", "--to", "writer@houmao.localhost", "--subject", f"S {i}",
                      "--body-content", f"x {i}")["message"]["message_ref"] for i in range(2)]
    peeked = pair.done("writer", "peek", "--message-ref", refs[0])
    assert set(peeked["message"]) == MESSAGE | STATES and peeked["message"]["unread"] is True
    assert pair.done("writer", "read", "--message-ref", refs[0])["message"]["read"] is True
    marked = pair.done("writer", "mark", "--message-ref", *refs, "--unread", "--answered")
    assert [(m["read"], m["answered"]) for m in marked["messages"]] == [(False, True)] * 2
    moved = pair.done("writer", "move", "--message-ref", refs[0], "--destination-box", "later")
    assert moved["messages"][0]["box"] == "later"
    pair.done("writer", "archive", "--message-ref", refs[1])
    listed = pair.done("writer", "list", "--box", "archive", "--include-body")
    assert [m["message_ref"] for m in listed["messages"]] == [refs[1]]
    assert listed["messages"][0]["body_text"] == "x 1"
    inbox = pair.done("writer", "list", "--read-state", "unread", "--not-archived", "--extensions")
    assert inbox["total_count"] == len(inbox["messages"]) == 0 and inbox["next_cursor"] is None


def test_what_is_wrong_is_said_in_emclis_envelope(pair):
    ref = "filesystem:msg-20260408T101112Z-00112233445566778899aabbccddeeff"
    to = ["--to", "ci@houmao.localhost", "--subject", "S"]
    for want, code, argv, how in [
        ("message_not_found", "not_found", ["peek", "--message-ref", ref], {}),
        ("box_not_found", "not_found", ["list", "--box", "nothing"], {}),
        ("unknown_recipient", None, ["send", "--to", "no@houmao.localhost", "--subject", "S",
                                     "--body-content", "x"], {}),
        ("stale_binding", "usage", ["check", "--if-bindings-version", "old"], {}),
        ("invalid_request", "usage", ["send", *to], {}),
        ("invalid_request", "usage", ["send", *to], {"stdin": b"a\0b"}),
        ("invalid_request", "usage", ["send", *to, "--body-content", "x", "--body-file", "y"], {}),
        ("invalid_request", "usage", ["send", "--subject", "S", "--body-content", "x"], {}),
        ("invalid_request", "usage", ["mark", "--message-ref", ref, "--read", "--unread"], {}),
        ("invalid_request", "usage", ["check", "--limit", "0"], {}),
        ("invalid_request", "usage", ["check", "--since", "yesterday"], {}),
        ("invalid_request", "usage", ["check", "--box", "inbox"], {}),
        ("invalid_request", "usage", ["check", "--agent-name", "a", "--agent-id", "b"], {}),
        (None, "not_found", ["check", "--agent-name", "nobody"], {}),
        (None, "config", ["send", *to, "--body-file", "/nowhere"], {}),
        (None, "config", ["send", *to, "--body-file", "/"], {}),
        ("too_large", "limit", ["send", *to, "--body-file", "-"],
         {"stdin": b"x" * ((16 << 20) + 1)}),
    ]:
        assert pair.reason("writer", *argv, code=code, **how) == want, argv
    assert pair.mail("writer", "check", "--box", "inbox").rc == 2
    assert pair.done("ci", "check", "--since", "2999-01-01T00:00:00Z")["messages"] == []


def test_resolve_live_has_upstreams_members_alone(pair):
    r = pair.mail("writer", "resolve-live", key=False)
    assert r.rc == 0, str(r)
    at, root = pair.at["writer"], pair.root / "team-mail"
    box = root / "mailboxes/writer@houmao.localhost"
    same = {"transport": "filesystem", "principal_id": "HOUMAO-writer",
            "address": "writer@houmao.localhost",
            "bindings_version": at["mailbox"]["bindings_version"]}
    assert r.json == {
        "schema_version": 1, "source": "manifest_binding", **same,
        "mailbox": {**same, "filesystem": {
            "root": str(root), "mailbox_kind": "in_root", "mailbox_path": str(box),
            "inbox_path": f"{box}/inbox", "sqlite_path": f"{root}/index.sqlite",
            "local_sqlite_path": f"{box}/mailbox.sqlite"}},
        "gateway": None, "gateway_available": False,
        "managed_agent": {"mode": "local", "agent_ref": at["agent_id"],
                          "tracked_agent_id": at["agent_id"], "agent_name": "writer",
                          "agent_id": at["agent_id"], "tmux_session_name": None}}
    assert os.path.exists(r.json["mailbox"]["filesystem"]["local_sqlite_path"])


def test_without_gateway_or_key_there_is_no_way(pair):
    for verb in ("status", "check"):
        assert pair.reason("writer", verb, key=False, code="unsupported") == "unsupported"


MODEL = {"schema_version": 1, "transport": "filesystem", "principal_id": "HOUMAO-writer",
         "address": "writer@houmao.localhost"}


def test_a_live_gateway_is_asked_first_and_without_a_key(pair, gateway):
    """Each verb is one request, in upstream's form; the socket needs no token."""
    g = gateway()
    ref = "filesystem:msg-1"
    action = MODEL | {"message": {"message_ref": ref}}
    for verb, argv, path, body, model in [
        ("status", [], "status", None, MODEL | {"bindings_version": "v"}),
        ("check", ["--unread-only", "--limit", "3", "--since", "2026-01-01T00:00:00Z"], "check",
         {"unread_only": True, "limit": 3, "since": "2026-01-01T00:00:00Z"},
         MODEL | {"unread_only": True, "message_count": 0, "unread_count": 0, "messages": []}),
        ("send", ["--to", "a@x", "b@x", "--subject", "S", "--body-content", "B", "--attach",
                  "/w/f", "--idempotency-key", "k"], "send",
         {"to": ["a@x", "b@x"], "subject": "S", "body_content": "B",
          "attachments": [{"path": "/w/f"}], "idempotency_key": "k"},
         action | {"operation": "send"}),
        ("reply", ["--message-ref", ref, "--body-content", ""], "reply",
         {"message_ref": ref, "body_content": ""}, action | {"operation": "reply"}),
        ("mark-read", ["--message-ref", ref], "state", {"message_ref": ref, "read": True},
         MODEL | {"message_ref": ref, "read": True}),
        ("list", ["--box", "sent", "--not-archived", "--include-body"], "list",
         {"box": "sent", "archived": False, "include_body": True}, MODEL | {"messages": []}),
        ("mark", ["--message-ref", ref, "--unread", "--answered"], "mark",
         {"message_refs": [ref], "read": False, "answered": True}, MODEL | {"messages": []}),
        ("move", ["--message-ref", ref, "--destination-box", "b"], "move",
         {"message_refs": [ref], "destination_box": "b"}, MODEL | {"messages": []}),
    ]:
        g.answers["/v1/mail/" + path] = model
        del g.asked[:]
        got = pair.done("writer", verb, *argv, key=False)
        assert g.mail() == [("GET" if verb == "status" else "POST", "/v1/mail/" + path, body)]
        assert all("Authorization" not in h for _, _, h, _ in g.asked)
        assert got == {"operation": verb, "authoritative": True, "status": "verified",
                       "execution_path": "gateway_backed"} | model | {"operation": verb}
    live = pair.mail("writer", "resolve-live", key=False).json
    assert live["gateway_available"] is True and live["gateway"] == {
        "source": "current_instance_record", "host": "127.0.0.1", "port": 1,
        "base_url": "http://127.0.0.1:1", "protocol_version": "v1",
        "state_path": str(g.folder / "state.json")}
    # What only the operator may do is not asked of it by the operator.
    del g.asked[:]
    g.answers["/v1/mail/post"] = (403, {"detail": "no", "code": "policy"})
    post = ["--subject", "S", "--body-content", "from above"]
    assert pair.reason("writer", "post", *post, key=False, code="policy") == "policy"
    assert [m[:2] for m in g.mail()] == [("POST", "/v1/mail/post")]
    assert pair.done("writer", "post", *post, EMCLI_ADMIN_KEY=pair.emcli.admin_key)
    assert len(g.mail()) == 1
    more = pair.mail("writer", "resolve-live", "--extensions", key=False).json["gateway"]
    assert more == live["gateway"] | {
        "auth": {"scheme": "bearer", "token_file": str(g.run / "token")},
        "unix_socket": str(g.run / "gateway.sock")}


def test_over_tcp_the_token_of_its_file_is_sent_and_never_shown(pair, gateway):
    g = gateway(tcp=True)
    g.answers["/v1/mail/status"] = MODEL | {"bindings_version": "v"}
    assert pair.done("writer", "status", key=False)["execution_path"] == "gateway_backed"
    assert [(p, h.get("Authorization")) for _, p, h, _ in g.asked] == [
        ("/health", None), ("/v1/mail/status", f"Bearer {g.token}")]
    # Another's token is refused by the gateway; one that others can read is not sent.
    (g.run / "token").write_text("PLANTED-old-0815")
    g.answers["/v1/mail/status"] = (401, {"detail": "no", "code": "unauthenticated",
                                          "retry_safe": True})
    r = pair.mail("writer", "status", key=False)
    assert r.code == "auth" and r.json["error_detail"]["reason"] == "unauthenticated"
    assert b"PLANTED" not in r.out + r.err
    for spoil in (lambda f: f.chmod(0o640), pathlib.Path.unlink,
                  lambda f: f.symlink_to(pair.at["writer"]["manifest_path"])):
        spoil(g.run / "token")
        del g.asked[:]
        assert pair.reason("writer", "status", code="auth") == "unauthenticated"
        assert g.mail() == []


def test_a_gateway_that_is_not_live_is_left_out(pair, gateway):
    """Then the mailbox is opened directly, with a key."""
    g = gateway()
    for spoil in [
        lambda: setattr(g, "health", {"protocol_version": "v2", "status": "ok"}),
        lambda: setattr(g, "health", {"protocol_version": "v1", "status": "stopping"}),
        lambda: setattr(g, "health", (500, {"protocol_version": "v1", "status": "ok"})),
        lambda: setattr(g, "health", lambda h: h.wfile.write(b"nonsense\n\n")),
        lambda: setattr(g, "health", lambda h: h.connection.close()),
        lambda: setattr(g, "health", lambda h: time.sleep(4)),
        lambda: g.put("current-instance.json", host="192.0.2.1"),
        lambda: g.put("current-instance.json", host="127.0.0.1", protocol_version="v3"),
        lambda: (g.put("current-instance.json", protocol_version="v1"),
                 g.put("emcli.json", started=1)),
        lambda: (g.run / "current-instance.json").write_text("{"),
        lambda: (g.run / "current-instance.json").unlink(),
    ]:
        spoil()
        assert pair.done("writer", "status")["execution_path"] == "manager_direct"
        assert g.mail() == []
    assert pair.reason("writer", "status", key=False, code="unsupported") == "unsupported"


def test_what_a_gateway_answers_is_not_believed_blindly(pair, gateway):
    g = gateway()
    long = "x" * 600

    def raw(text):
        return lambda h: h.wfile.write(text)

    send = ["send", "--to", "ci@houmao.localhost", "--subject", "S", "--body-content", "lost"]
    for answer, check, sent in [
        ((422, {"detail": long, "code": "unknown_recipient", "retry_safe": False}),
         ("rejected", "unknown_recipient"), ("rejected", "unknown_recipient")),
        ((429, {"detail": "later", "code": "rate_limited", "retry_safe": True, "retry_after": 7}),
         ("limit", "rate_limited"), ("limit", "rate_limited")),
        ((403, {"detail": "no", "code": "of_tomorrow"}),
         ("policy", "of_tomorrow"), ("policy", "of_tomorrow")),
        # Upstream's own errors.
        ((422, {"detail": [{"loc": ["body"]}]}),
         ("usage", "invalid_request"), ("usage", "invalid_request")),
        # It broke off: nobody knows whether a message was sent.
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
         ("network", "transport_unavailable"), ("unknown_outcome", "submission_unconfirmed")),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"),
         ("network", "transport_unavailable"), ("unknown_outcome", "submission_unconfirmed")),
        (raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20000),
         ("network", "transport_unavailable"), ("unknown_outcome", "submission_unconfirmed")),
        (lambda h: h.connection.close(),
         ("network", "transport_unavailable"), ("unknown_outcome", "submission_unconfirmed")),
        # A redirect is followed nowhere.
        (raw(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\n{}"),
         ("usage", "invalid_request"), ("usage", "invalid_request")),
    ]:
        g.answers["/v1/mail/check"] = g.answers["/v1/mail/send"] = answer
        for argv, want in ((["check"], check), (send, sent)):
            assert pair.reason("writer", *argv, code=want[0]) == want[1], (argv, want)
    g.answers["/v1/mail/check"] = (429, {"detail": long, "code": "rate_limited",
                                         "retry_safe": True, "retry_after": 7})
    detail = pair.mail("writer", "check").json["error_detail"]
    assert detail["message"] == long and detail["retry_after"] == 7
    assert detail["retry_safe"] is True and detail["next"] == "try again later"
    # Nothing of that was sent another way meanwhile.
    g.end()
    assert not [m for m in pair.done("ci", "check")["messages"] if m["body_text"] == "lost"]
    g.__init__(pair.at["writer"])


def test_which_session_is_meant(pair):
    """A selector, else the manifest of the environment, else the agent's id there."""
    ci, writer = pair.at["ci"], pair.at["writer"]

    def who(*argv, **env):
        full = {"HOUMAO_MANIFEST_PATH": None, "HOUMAO_AGENT_ID": None, **env}
        return pair.done(None, "status", *argv, **full)["principal_id"]

    ids = {"HOUMAO_AGENT_ID": ci["agent_id"]}
    assert who(**ids) == "HOUMAO-ci"
    assert who(**ids, HOUMAO_MANIFEST_PATH=writer["manifest_path"]) == "HOUMAO-writer"
    for argv in (["--agent-name", "ci"], ["--agent-id", ci["agent_id"]],
                 ["--manifest-path", ci["manifest_path"]]):
        assert who(*argv, HOUMAO_MANIFEST_PATH=writer["manifest_path"]) == "HOUMAO-ci"
    assert who("--agent-name", "ci", "--runtime-root", str(pair.root),
               HOUMAO_GLOBAL_RUNTIME_DIR="/nowhere") == "HOUMAO-ci"
    # The tmux session that the caller is in says it too, before the agent's id.
    pair.begin("pane", way="--tmux")
    at = {}
    while "TMUX" not in at:
        at = pair.seen()["env"]
    there = {n: at[n] for n in ("TMUX", "TMUX_PANE")}
    assert who(**ids, **there) == "HOUMAO-pane"
    assert who(**there, HOUMAO_MANIFEST_PATH=writer["manifest_path"]) == "HOUMAO-writer"
    assert who(**ids, TMUX="/nowhere,1,0", TMUX_PANE="%0") == "HOUMAO-ci"
    assert pair.reason(None, "status", HOUMAO_MANIFEST_PATH=None, code="usage")


def test_the_skills_name_verbs_and_options_that_are_there(pair):
    lines = {line.strip() for page in (cli.ROOT / "skills").glob("houmao-*/**/*.md")
             for line in page.read_text().splitlines() if line.startswith("emcli agents mail ")}
    assert len(lines) > 15
    help_of = {}
    for line in lines:
        verb = line.split()[3]
        if verb not in help_of:
            help_of[verb] = pair.emcli.run("agents", "mail", verb, "--help").out.decode()
        for option in re.findall(r"--[a-z-]+", line):
            assert f"\n  {option}" in help_of[verb], line


def test_the_skills_tell_the_ordinary_way():
    """Resolve; the gateway's routes if there is one, or else the commands; and then believe only
    what the mailbox confirmed."""
    skills = cli.ROOT / "skills"
    text = (skills / "houmao-agent-email-comms/SKILL.md").read_text()
    at = [text.index(words) for words in (
        "emcli agents mail resolve-live --print-json", "`gateway` is not null: use its routes",
        "`gateway` is null: use the commands", "`authoritative: false`, text was typed")]
    assert at == sorted(at)
    rounds = (skills / "houmao-process-emails-via-gateway/SKILL.md").read_text()
    assert "gateway" in rounds and "/v1/mail/check" in rounds
    for name in "houmao-agent-email-comms", "houmao-process-emails-via-gateway":
        for page in (skills / name).rglob("*.md"):
            assert not re.search(r"HOUMAO_MAILBOX_|python|pixi", page.read_text()), page


def test_people_read_text(pair):
    pair.done("ci", "send", "--to", "writer@houmao.localhost", "--subject", "For \x1b[31mpeople",
              "--body-content", "First line.\x1b[2J\n")
    r = pair.mail("writer", "check", "--print-plain")
    assert r.rc == 0 and b"FROM" in r.out and b"ci@houmao.localhost" in r.out
    ref = pair.done("writer", "check", "--limit", "1")["messages"][0]["message_ref"]
    r = pair.mail("writer", "peek", "--message-ref", ref, HOUMAO_CLI_PRINT_STYLE="plain")
    assert b"\nFrom: ci@houmao.localhost\n" in r.out and b"First line.?[2J\n" in r.out
    assert b"\x1b" not in r.out
    r = pair.mail("writer", "status", "--print-plain")
    assert b"principal_id: HOUMAO-writer\n" in r.out
    r = pair.mail("writer", "post", "--subject", "Rules", "--body-content", "Rest on Sundays.",
                  "--print-plain", EMCLI_ADMIN_KEY=pair.emcli.admin_key)
    assert b"\nTo: writer@houmao.localhost\n" in r.out and b"\n\nRest on Sundays.\n" in r.out
    r = pair.mail("writer", "peek", "--message-ref", "x", "--print-plain")
    assert r.rc == 1 and r.out == b"" and r.err.startswith(b"emcli: ")
    assert pair.mail("writer", "status", HOUMAO_CLI_PRINT_STYLE="json").json["address"]


def test_it_answers_to_upstreams_name(pair, tmp_path):
    link = tmp_path / "houmao-mgr"
    link.symlink_to(pair.emcli.binary)
    env = pair.emcli.environment(EMCLI_KEY=pair.emcli.agent_key,
                                 HOUMAO_MANIFEST_PATH=pair.at["ci"]["manifest_path"])
    r = pair.emcli.call(["agents", "mail", "status", "--print-json"], env, None, 60, str(link))
    assert r.rc == 0 and r.json["address"] == "ci@houmao.localhost"
    for argv in ([], ["--help"], ["agents", "mail", "--help"]):
        r = pair.emcli.call(argv, env, None, 60, str(link))
        assert r.rc == 0 and b"agents mail mark-read" in r.out
    r = pair.emcli.call(["list"], env, None, 60, str(link))
    assert r.rc == 2 and r.json["error_detail"]["code"] == "usage"


def test_a_manifest_is_believed_only_if_nobody_else_can_write_it(pair, tmp_path):
    real = pathlib.Path(pair.at["ci"]["manifest_path"])
    text = real.read_text()
    secret = tmp_path / "secret"
    secret.write_text("PLANTED-4711 is no manifest")

    def made(name, body=text, mode=0o600, folder=0o700):
        d = tmp_path / name
        d.mkdir(mode=folder)
        d.chmod(folder)
        path = d / "manifest.json"
        if body is not None:
            path.write_text(body)
            path.chmod(mode)
        return path

    linked = made("linked", body=None)
    linked.symlink_to(secret)
    (tmp_path / "way").symlink_to(real.parent)
    fifo = made("fifo", body=None)
    os.mkfifo(fifo)
    old = json.loads(text) | {"schema_version": 3}
    for want, path in [
        ("config", made("open", mode=0o666)),
        ("config", made("wide", folder=0o777)),
        ("config", linked),
        ("config", fifo),
        ("config", tmp_path / "way/manifest.json"),
        ("config", made("cut", body=text[:-40])),
        ("config", made("old", body=json.dumps(old))),
        ("limit", made("long", body=text + " " * (2 << 20))),
        ("usage", tmp_path / "secret"),
        ("usage", "manifest.json"),
        ("not_found", tmp_path / "absent/manifest.json"),
    ]:
        r = pair.mail(None, "status", HOUMAO_MANIFEST_PATH=str(path))
        assert r.code == want, (path, str(r))
        assert b"PLANTED" not in r.out + r.err
    # One that says another's mailbox is still no way to it without a key.
    copy = made("copy")
    assert pair.reason(None, "status", key=False, HOUMAO_MANIFEST_PATH=str(copy),
                       code="unsupported")


def test_files_of_a_session_open_no_account_of_a_person(pair, tmp_path):
    """Whoever has the agent's key can write such files, and its operations need no grant."""
    box = tmp_path / "box"
    for part in "cur", "new", "tmp":
        (box / part).mkdir(parents=True)
    (box / "new/1.x").write_text("From: a@example.org\nSubject: PLANTED-4711\n\nx\n")
    pair.emcli.account_maildir(box)
    own = json.loads(pathlib.Path(pair.at["ci"]["manifest_path"]).read_text())
    state = pathlib.Path(pair.at["ci"]["session_root"], "session.json").read_text()
    name = pair.at["writer"]["account"]
    for k, (account, address) in enumerate([
            ("work", servers.address("agent")), ("work", "ci@houmao.localhost"),
            (name, "ci@houmao.localhost")]):
        folder = tmp_path / str(k)
        folder.mkdir(mode=0o700)
        own["launch_plan"]["mailbox"] |= {"address": address, "mailbox_path": None}
        for file, text in [("manifest.json", json.dumps(own)),
                           ("session.json", json.dumps(json.loads(state) | {"account": account}))]:
            (folder / file).write_text(text)
            (folder / file).chmod(0o600)
        for argv in (["status"], ["check"], ["send", "--to", "a@example.org", "--subject", "S",
                                             "--body-content", "x"]):
            r = pair.mail(None, *argv, HOUMAO_MANIFEST_PATH=str(folder / "manifest.json"))
            assert r.json["error_detail"]["reason"] == "no_mailbox", (account, argv, str(r))
            assert b"PLANTED" not in r.out + r.err


def test_of_several_sessions_it_is_the_one_that_runs(tmp_path):
    p = Pair(tmp_path)
    try:
        first = p.at["ci"]
        p.at["ci"] = second = p.begin("ci")
        r = p.mail(None, "status", "--agent-name", "ci", HOUMAO_MANIFEST_PATH=None)
        assert r.code == "usage", str(r)
        assert first["session_id"] in r.json["error_detail"]["message"]
        assert second["session_id"] in r.json["error_detail"]["message"]
        # A start says so before anybody runs into it.
        home = p.good("home", "list")["homes"][0]
        r = p.call("session", "start", "--home", home["home_id"], "--workdir", str(p.work),
                   "--detach", "--no-gateway", "--json")
        assert r.rc == 0 and b"note: the agent has a session that runs" in r.err, str(r)
        assert r.json["agent_name"] == home["agent"]
        os.kill(r.json["pid"], signal.SIGKILL)
        os.kill(first["pid"], signal.SIGKILL)
        for pid in r.json["pid"], first["pid"]:
            test_session.until(lambda: not ports.alive(pid))
        assert p.done(None, "status", "--agent-name", "ci", HOUMAO_MANIFEST_PATH=None)
        # And a mailbox that is no one's any more is not resolved.
        with sqlite3.connect(p.root / "team-mail/index.sqlite") as db:
            db.execute("UPDATE mailbox_registrations SET status = 'inactive'"
                       " WHERE address LIKE 'ci@%'")
        assert p.reason("ci", "resolve-live", code="config") == "not_actionable"
        p.at["mute"] = p.begin("mute", "--mailbox-transport", "none")
        for verb in ("resolve-live", "status"):
            assert p.reason("mute", verb, code="config") == "no_mailbox"
    finally:
        p.end()
