# SPDX-License-Identifier: Apache-2.0
"""Asking back by the older revisions: a request of the server's own, while the rest goes on."""

import http.client
import json

import pytest

import cli
import servers
import test_mcp
import test_mcp_http
from mail import uids
from test_approve import CC, TO
from test_approve import held as waiting  # noqa: F401
from test_mbox import mbox, message
from test_mcp import LEGACY
from test_mcp_approve import CALL, Waits, held, opened  # noqa: F401

FORMS = [{"elicitation": {}}, {"elicitation": {"form": {}, "url": {}}}]
YES = {"action": "accept", "content": {"approve": True}}
DONE = {"action": "accept", "content": {}}


class Stdio:
    """A host whose user is asked; `revision` and `caps` as it says at initialize."""

    agent = "agent"

    def __init__(self, emcli, revision=LEGACY[1], caps=FORMS[0]):
        self.host = test_mcp.Host(emcli, "--always")
        got = self.host.ask("initialize", protocolVersion=revision, capabilities=caps,
                            clientInfo={"name": "claude-code", "version": "1"})
        assert got["result"]["protocolVersion"] == revision

    def begin(self, arguments=CALL):
        """A call that comes back as a question: what is asked."""
        self.wanted = self.host.send("tools/call", name="send", arguments=arguments)
        return self.question()

    def question(self):
        asked = self.host.read()
        assert asked["method"] == "elicitation/create", asked
        assert set(asked["params"]) == {"message", "requestedSchema"}
        return asked

    def reply(self, asked, **answer):
        self.host.write({"jsonrpc": "2.0", "id": asked["id"], **answer})

    def end(self):
        got = self.host.read()
        assert got["id"] == self.wanted, got
        return cli.envelope(got["result"])

    def beside(self):
        """Another call of the session, while a person decides."""
        return self.host.data("folders", account="work")["folders"]

    def cancel(self):
        self.host.note("notifications/cancelled", requestId=self.wanted)
        got = self.host.read()
        assert got["method"] == "notifications/cancelled"
        return got["params"]["requestId"]

    def plain(self, arguments=CALL):
        """A call that is not asked about."""
        return self.host.call("send", **arguments)

    def stop(self):
        assert self.host.end() == (0, b"")


class Http:
    agent = "bot"

    def __init__(self, emcli, revision=LEGACY[1], caps=FORMS[0]):
        self.server = test_mcp_http.Server(emcli, "--always", "--workers", "2")
        self.client = test_mcp_http.Client.__new__(test_mcp_http.Client)
        c = self.client
        c.server, c.token, c.revision = self.server, test_mcp_http.token(emcli), revision
        c.session, c.ids = None, 0
        status, head, _ = c.post("initialize", {
            "protocolVersion": revision, "capabilities": caps,
            "clientInfo": {"name": "claude-code", "version": "1"}})
        assert status == 200
        c.session = head["Mcp-Session-Id"]

    def event(self):
        while True:
            line = self.stream.readline()
            assert line, "the stream is over"
            if line.startswith(b"data: "):
                return json.loads(line[6:])

    def begin(self, arguments=CALL):
        self.conn = self.client.open("tools/call", name="send", arguments=arguments)
        self.wanted = self.client.ids
        self.stream = self.conn.getresponse()
        assert self.stream.headers["Content-Type"] == "text/event-stream"
        return self.question()

    def question(self):
        asked = self.event()
        assert asked["method"] == "elicitation/create", asked
        assert set(asked["params"]) == {"message", "requestedSchema"}
        return asked

    def reply(self, asked, client=None, **answer):
        status, _, data = (client or self.client).send(
            "POST", json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}))
        assert (status, data) == (202, b"")

    def end(self):
        got = self.event()
        assert got["id"] == self.wanted, got
        self.conn.close()
        return cli.envelope(got["result"])

    def beside(self):
        return [self.client.data("folders", account="work")["folders"] for _ in range(4)][-1]

    def cancel(self):
        self.client.post("notifications/cancelled", {"requestId": self.wanted}, notice=True)
        try:
            rest = self.stream.read()
        except http.client.IncompleteRead:
            rest = b""
        assert b"data: " not in rest
        self.conn.close()

    def plain(self, arguments=CALL):
        return self.client.call("send", **arguments)

    def stop(self):
        self.server.end()


WAYS = pytest.mark.parametrize("kind", [Stdio, Http], ids=["stdio", "http"])


@WAYS
@pytest.mark.parametrize("revision", LEGACY)
@pytest.mark.parametrize("caps", FORMS, ids=["any", "form"])
def test_a_held_send_asks_the_clients_user(held, opened, kind, revision, caps):  # noqa: F811
    held.client()
    talk = opened(kind, revision, caps)
    asked = talk.begin()
    said = asked["params"]["message"]
    assert f"to: {TO}\n" in said and "  | hello there" in said and held.untouched()
    assert asked["params"]["requestedSchema"]["required"] == ["approve"]
    assert any(f["name"] == "INBOX" for f in talk.beside()), "the session goes on"
    talk.reply(asked, result=YES)
    got = talk.end()["data"]
    assert got["state"] == "sent"
    assert len(held.server.messages) == 1 and held.rows() == [(1, "sent")]
    row = held.audit("approve.release")[-1]
    assert (row["principal"], row["outcome"]) == (talk.agent, "ok")


@WAYS
def test_the_operator_s_own_are_only_told_of(held, opened, kind):  # noqa: F811
    talk = opened(kind)
    asked = talk.begin()
    assert asked["params"]["requestedSchema"] == {"type": "object", "properties": {}}
    talk.reply(asked, result=YES)
    again = talk.question()
    assert again["id"] != asked["id"] and held.rows() == [(1, "held")] and held.untouched()
    assert held.release(1).rc == 0
    talk.reply(again, result=DONE)
    assert talk.end()["data"]["state"] == "sent" and len(held.server.messages) == 1


@WAYS
@pytest.mark.parametrize("answer", [
    {"result": {"action": "decline"}}, {"result": {"action": "cancel"}},
    {"result": {"action": "accept", "content": {"approve": False}}},
    {"error": {"code": -32601, "message": "no"}}])
def test_who_does_not_agree_sends_nothing(held, opened, kind, answer):  # noqa: F811
    held.client()
    talk = opened(kind)
    talk.reply(talk.begin(), **answer)
    got = talk.end()["error_detail"]
    assert (got["code"], got["id"], got["state"]) == ("approval", 1, "held")
    assert held.rows() == [(1, "held")] and held.untouched()


@WAYS
@pytest.mark.parametrize("answer", [{}, {"action": 7}, {"action": "yes"}, {"content": {}},
                                    {"action": "accept", "content": "approve"}])
def test_what_is_no_answer_is_asked_again(held, opened, kind, answer):  # noqa: F811
    held.client()
    talk = opened(kind)
    asked = talk.begin()
    talk.reply(asked, result=answer)
    again = talk.question()
    talk.reply(asked, result=YES)
    assert held.untouched(), "an answer to what was asked before is none"
    talk.reply(again, result=YES)
    assert talk.end()["data"]["state"] == "sent"


@WAYS
def test_an_answer_to_nothing_is_none(held, opened, kind):  # noqa: F811
    held.client()
    talk = opened(kind)
    asked = talk.begin()
    for id in asked["id"][:-1], asked["id"].upper() + "x", "", 1, "0" * 32:
        talk.reply({"id": id}, result=YES)
    assert talk.beside() and held.untouched()
    talk.reply(asked, result=YES)
    assert talk.end()["data"]["state"] == "sent"
    talk.reply(asked, result=YES)
    assert talk.beside() and len(held.server.messages) == 1


@WAYS
def test_a_cancelled_call_is_asked_about_no_more(held, opened, kind):  # noqa: F811
    held.client()
    talk = opened(kind)
    asked = talk.begin()
    assert talk.cancel() in (asked["id"], None)
    talk.reply(asked, result=YES)
    assert talk.beside()
    assert held.rows() == [(1, "held")] and held.untouched()


@WAYS
@pytest.mark.parametrize("caps", [{}, {"elicitation": None}, {"elicitation": {"url": {}}},
                                  {"sampling": {}}])
def test_who_shows_no_forms_is_not_asked(held, opened, kind, caps):  # noqa: F811
    assert opened(kind, LEGACY[1], caps).plain()["error_detail"]["code"] == "approval"
    assert held.untouched()


def test_a_call_that_told_its_progress_is_asked_about(held, opened, dovecot, tmp_path):  # noqa: F811
    """A reply to what is in an archive that is read first."""
    path = tmp_path / "old.mbox"
    path.write_bytes(mbox(message("one")))
    flags = {"backend": "mbox", "path": path, "process_backlog": True, "outbound": "approve",
             "from": servers.address("agent"), "username": servers.address("agent"),
             "check_unfinished": "off", "whitelist_out": "off", "sent_copy": "off",
             "mode": "RW", "smtp_host": "localhost", "smtp_port": held.server.port,
             "smtp_security": "tls", "ca": dovecot.ca}
    held.emcli.set_up("account", "add", "old", "--password-stdin",
                      *held.emcli.options(flags), stdin=servers.password("agent"))
    held.client()
    (uid,) = uids(held.emcli.run("list", "--account", "old", "--folder", "INBOX"))
    with open(path, "ab") as f:
        f.write(mbox(message("two", b"words\n" * 100000)))
    talk = opened(Stdio)
    talk.wanted = talk.host.send(
        "tools/call", name="send", _meta={"progressToken": "\nask 1 2\n"},
        arguments={"account": "old", "folder": "INBOX", "reply_to": uid, "to": [TO],
                   "body": "ask 1 2\n\nask 1 2\n"})
    told = [talk.host.read()]
    while told[-1]["method"] == "notifications/progress":
        assert told[-1]["params"]["progressToken"] == "\nask 1 2\n"
        told.append(talk.host.read())
    asked = told.pop()
    assert told and asked["method"] == "elicitation/create" and held.untouched()
    talk.reply(asked, result=YES)
    assert talk.end()["data"]["state"] == "sent" and len(held.server.messages) == 1


def test_the_end_of_input_ends_what_waits(held):  # noqa: F811
    talk = Stdio(held.emcli)
    talk.begin()
    talk.stop()
    assert held.rows() == [(1, "held")] and held.untouched()


def test_behind_the_end_of_input_nobody_is_asked(held):  # noqa: F811
    """What was asked before it is answered, and with nothing but messages."""
    talk = Stdio(held.emcli)
    wanted = talk.host.send("tools/call", name="send", arguments=CALL)
    rc, rest = talk.host.end()
    said = [json.loads(line) for line in rest.splitlines()]
    assert rc == 0 and len(said) == 1
    if "method" in said[0]:  # on a busy machine the end came after the question
        assert said[0]["method"] == "elicitation/create"
    else:
        assert said[0]["id"] == wanted
        assert cli.envelope(said[0]["result"])["error_detail"]["code"] == "approval"


def test_one_session_does_not_answer_for_another(held, opened):  # noqa: F811
    held.client()
    talk = opened(Http)
    asked = talk.begin()
    token = test_mcp_http.token(held.emcli, "thief")
    for who in token, talk.client.token:
        other = test_mcp_http.Client(talk.server, who, LEGACY[1])
        talk.reply(asked, other, result=YES)
    assert talk.beside() and held.untouched()
    talk.reply(asked, result=YES)
    assert talk.end()["data"]["state"] == "sent"


def test_only_so_many_wait_at_once(held):  # noqa: F811
    """A person has one screen; and the rest hears at once that it is held."""
    talk = Stdio(held.emcli)
    for n in range(8):
        talk.begin({**CALL, "subject": str(n), "cc": [CC]})
    assert talk.plain()["error_detail"]["code"] == "approval"
    talk.stop()
    assert held.untouched()
