# SPDX-License-Identifier: Apache-2.0
"""Asking back: a send that waits, before the user of the agent's host."""

import concurrent.futures
import copy
import re
import time

import pytest

import cli
import test_mcp
import test_mcp_http
from test_approve import BCC, CC, TO, Held
from test_approve import held as waiting  # noqa: F401
from test_mcp import META, MODERN

CALL = {"account": "work", "to": [TO], "subject": "plan", "body": "hello there\n"}
FORMS = {"elicitation": {}}
YES = {"approval": {"action": "accept", "content": {"approve": True}}}
DONE = {"approval": {"action": "accept", "content": {}}}
NO = {"approval": {"action": "decline"}}


class Talk:
    """tools/call by 2026-07-28, whatever carries it."""

    def params(self, arguments, caps=FORMS, state=None, answer=None, tool="send"):
        got = {"name": tool, "arguments": arguments,
               "_meta": {META + "protocolVersion": MODERN, META + "clientCapabilities": caps}}
        if state is not None:
            got["requestState"] = state
        if answer is not None:
            got["inputResponses"] = answer
        return got

    def ask(self, arguments=CALL, **how):
        """(message, state) of a call that is asked back."""
        got = self.call(arguments, **how)["result"]
        assert got["resultType"] == "input_required", got
        assert set(got) == {"resultType", "inputRequests", "requestState", "_meta"}
        (key, wanted), = got["inputRequests"].items()
        assert key == "approval" and wanted["method"] == "elicitation/create"
        form = wanted["params"]
        assert form["mode"] == "form" and form["requestedSchema"]["type"] == "object"
        self.form = form
        return form["message"], got["requestState"]

    def end(self, arguments=CALL, **how):
        """The envelope of a call that came to its end."""
        got = self.call(arguments, **how)["result"]
        assert got["resultType"] == "complete", got
        return cli.envelope(got)

    def data(self, arguments=CALL, **how):
        got = self.end(arguments, **how)
        assert got["error"] is False, got
        return got["data"]

    def code(self, arguments=CALL, **how):
        return self.end(arguments, **how)["error_detail"]["code"]

    def fault(self, arguments=CALL, **how):
        return self.call(arguments, **how)["error"]["code"]


class Stdio(Talk):
    agent = "agent"

    def __init__(self, emcli, *argv, **env):
        self.host = test_mcp.Host(emcli, *argv, "--always", env=env)

    def call(self, arguments, **how):
        self.host.ids += 1
        self.host.write({"jsonrpc": "2.0", "id": self.host.ids, "method": "tools/call",
                         "params": self.params(arguments, **how)})
        got = self.host.read()
        assert got["id"] == self.host.ids
        return got

    def stop(self):
        status, rest = self.host.end()
        assert (status, rest) == (0, b"")


class Http(Talk):
    def __init__(self, emcli, agent="bot", server=None):
        self.agent, self.own = agent, server is None
        self.server = server or test_mcp_http.Server(emcli, "--always")
        self.token = test_mcp_http.token(emcli, agent)

    def call(self, arguments, **how):
        # One connection, and one set of ids, for each: they may run at once.
        client = test_mcp_http.Client(self.server, self.token)
        status, _, got = client.post("tools/call", self.params(arguments, **how))
        assert status == 200, got
        return got

    def stop(self):
        if self.own:
            self.server.end()


class Waits(Held):
    def client(self):
        assert self.emcli.admin("config", "set", "mcp_approve", "client").rc == 0

    def rows(self):
        return self.sql("SELECT id, state FROM outbox ORDER BY id")

    def audit(self, action):
        rows = self.emcli.admin("audit", "list", "--action", action, "--json").json["audit"]
        return rows


@pytest.fixture
def held(waiting):  # noqa: F811
    return Waits(waiting.emcli, waiting.server)


@pytest.fixture
def opened(held):
    made = []

    def make(kind, *more, **env):
        made.append(kind(held.emcli, *more, **env))
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture(params=[Stdio, Http], ids=["stdio", "http"])
def talk(request, opened):
    return opened(request.param)


@pytest.fixture
def stdio(opened):
    return opened(Stdio)


def test_the_form_says_what_would_leave_and_who_lets_it(held, talk, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.pdf").write_bytes(b"%PDF-1.4 bytes")
    held.emcli.admin("account", "edit", "work", "--attach-dir", tmp_path / "out")
    call = {**CALL, "cc": [CC], "bcc": [BCC], "attach": ["a.pdf"],
            "body": "one\nMessage 9 is sent\x1b[31m\u202e\n" + "x" * 4000}
    said, _ = talk.ask(call)
    for part in (f"to: {TO}\n", f"cc: {CC}\n", f"bcc: {BCC}\n", "subject: plan\n",
                 "attachment: a.pdf (application/pdf, 14 bytes)\n", "account: work\n",
                 f"agent: {talk.agent}\n", "emcli approve release 1", "\n  | one\n  | Message 9",
                 "bytes more)", "warning: unseen_removed"):
        assert part in said, (part, said)
    assert "\x1b" not in said and "\u202e" not in said and len(said) < 3000
    assert talk.form["requestedSchema"] == {"type": "object", "properties": {}}
    assert held.rows() == [(1, "held")] and held.untouched()


def test_released_by_the_operator_meanwhile(held, talk):
    _, state = talk.ask()
    assert held.release(1).rc == 0
    got = talk.data(state=state, answer=DONE)
    assert got["state"] == "sent" and got["id"] == 1 and got["message_id"].startswith("<")
    assert [r["address"] for r in got["recipients"]] == [TO]
    assert set(got) == {"id", "state", "again", "message_id", "recipients"}
    # And for whoever comes once more.
    assert talk.data(state=state, answer=DONE) == got
    assert len(held.server.messages) == 1 and held.rows() == [(1, "sent")]


def test_nothing_the_client_says_releases_what_is_the_operator_s(held, talk):
    _, state = talk.ask()
    seen = {state}
    for answer in (YES, DONE, {"approval": {"action": "accept"}}, {}):
        _, state = talk.ask(state=state, answer=answer)
        seen.add(state)
    # Five forms, each with a state of its own; then it is as without them.
    assert len(seen) == 5
    last = talk.end(state=state, answer=YES)["error_detail"]
    assert (last["code"], last["id"], last["state"]) == ("approval", 1, "held")
    assert "message_id" in last and last["expires"].endswith("Z")
    assert held.rows() == [(1, "held")] and held.untouched()
    (row, *_) = held.audit("approve.look")
    assert (row["principal"], row["outcome"]) == (talk.agent, "approval")
    assert "message 1" in row["detail"] and not held.audit("approve.release")


def test_denied_and_expired_are_told(held, talk):
    _, denied = talk.ask()
    _, expired = talk.ask({**CALL, "subject": "late"})
    assert held.emcli.admin("approve", "deny", 1).rc == 0
    held.sql("UPDATE outbox SET expires_s = ? WHERE id = 2", int(time.time()) - 1)
    for state, call, reason in ((denied, CALL, "denied"),
                                (expired, {**CALL, "subject": "late"}, "expired")):
        got = talk.end(call, state=state, answer=YES)["error_detail"]
        assert (got["code"], got["reason"]) == ("policy", reason)
    assert held.untouched() and [s for _, s in held.rows()] == ["denied", "expired"]


def test_a_client_s_user_lets_it_go(held, talk):
    held.client()
    said, state = talk.ask({**CALL, "bcc": [BCC]})
    assert talk.form["requestedSchema"]["required"] == ["approve"]
    assert talk.form["requestedSchema"]["properties"]["approve"]["type"] == "boolean"
    assert "emcli approve" not in said and held.untouched()
    ((kept,),) = held.sql("SELECT message FROM outbox")
    got = talk.data({**CALL, "bcc": [BCC]}, state=state, answer=YES)
    assert got["state"] == "sent" and got["again"] is False
    (mail,) = held.server.messages
    assert mail["to"] == [TO, BCC] and mail["data"].rstrip() == kept.rstrip()
    again = talk.data({**CALL, "bcc": [BCC]}, state=state, answer=YES)
    assert again == {**got, "again": True}
    assert len(held.server.messages) == 1 and held.rows() == [(1, "sent")]
    rows = held.audit("approve.release")
    first = rows[-1]
    assert (first["principal"], first["account"], first["outcome"]) == (talk.agent, "work", "ok")
    assert "the MCP client's user approved" in first["detail"]
    assert got["message_id"] in first["detail"]
    assert held.emcli.admin("audit", "verify").rc == 0


@pytest.mark.parametrize("answer", [
    NO, {"approval": {"action": "cancel"}},
    {"approval": {"action": "accept", "content": {"approve": False}}}])
def test_declined_it_waits_for_the_operator(held, stdio, answer):
    held.client()
    _, state = stdio.ask()
    got = stdio.end(state=state, answer=answer)["error_detail"]
    assert (got["code"], got["id"], got["state"]) == ("approval", 1, "held")
    assert held.rows() == [(1, "held")] and held.untouched()
    assert "declined" in held.audit("approve.look")[0]["detail"]
    assert held.release(1).rc == 0 and len(held.server.messages) == 1


def altered(state):
    id, rounds, until, digest, mark = state.split(".")
    yield ""
    yield state[:-1]
    yield state + "0"
    yield state + ".0"
    yield " " + state
    yield state.upper()
    yield "0" + state
    yield "x" * 100000
    yield ".".join(["2", rounds, until, digest, mark])
    yield ".".join([id, "0", until, digest, mark])
    yield ".".join([id, rounds, str(int(until) + 1), digest, mark])
    yield ".".join([id, rounds, until, "0" * 64, mark])
    yield ".".join([id, rounds, until, digest, "0" * 64])
    yield ".".join([id, rounds, until, digest])


def test_a_state_that_is_not_as_it_was_given_is_none(held, talk):
    held.client()
    _, state = talk.ask()
    for bad in altered(state):
        assert talk.fault(state=bad, answer=YES) == -32602, bad
    for bad in (7, None, True, [state], {"state": state}):
        how = talk.params(CALL, answer=YES)
        how["requestState"] = bad
        talk.params = lambda *_, how=how, **__: how
        assert talk.fault() == -32602, bad
        del talk.params
    assert held.rows() == [(1, "held")] and held.untouched()
    assert held.audit("send")[0]["outcome"] == "usage"
    assert talk.data(state=state, answer=YES)["state"] == "sent"


def test_a_state_holds_for_its_very_call(held, stdio):
    held.client()
    _, state = stdio.ask()
    others = [{**CALL, "to": ["eve@them.example"]}, {**CALL, "body": "other\n"},
              {**CALL, "cc": [CC]}, {**CALL, "to": [TO, TO]}, {**CALL, "subject": ""},
              {**CALL, "idempotency_key": "k"}, {**CALL, "nonsense": 1}, {}]
    for other in others:
        assert stdio.fault(other, state=state, answer=YES) == -32602, other
    status = {"account": "work", "id": 1}
    assert stdio.fault(status, state=state, answer=YES, tool="send_status") == -32602
    assert stdio.fault(CALL, state=state, answer=YES, tool="create_draft") == -32602
    assert held.rows() == [(1, "held")] and held.untouched()
    # In which order the arguments come is nobody's matter.
    turned = dict(reversed(CALL.items()))
    assert stdio.data(turned, state=state, answer=YES)["state"] == "sent"


def test_a_state_holds_for_its_agent(held, opened):
    held.client()
    first = opened(Http)
    other = opened(Http, "eve", first.server)
    _, state = first.ask()
    assert other.fault(state=state, answer=YES) == -32602
    assert held.untouched()
    assert first.data(state=state, answer=YES)["state"] == "sent"


@pytest.mark.parametrize("limits, code, reason", [
    (["--op", "list"], "policy", "op_not_permitted"),
    (["--skill", "mail-read"], "policy", "skill_not_permitted"),
    (["--account", "home"], "not_found", None)])
def test_who_may_no_longer_send_lets_nothing_go(held, opened, site, limits, code, reason):
    held.client()
    held.emcli.account_maildir(site.path, name="home")
    talk = opened(Http)
    _, state = talk.ask()
    assert held.emcli.admin("agent", "remove", "bot").rc == 0
    talk.token = test_mcp_http.token(held.emcli, "bot", *limits)
    got = talk.end(state=state, answer=YES)["error_detail"]
    assert (got["code"], got.get("reason")) == (code, reason)
    assert held.untouched() and held.rows() == [(1, "held")]


def test_two_messages_of_one_call_have_each_their_state(held, stdio):
    held.client()
    _, one = stdio.ask()
    _, two = stdio.ask()
    assert [n for n, _ in held.rows()] == [1, 2] and one != two
    mixed = ".".join([two.split(".")[0], *one.split(".")[1:]])
    assert stdio.fault(state=mixed, answer=YES) == -32602
    assert stdio.data(state=two, answer=YES)["id"] == 2
    assert held.rows() == [(1, "held"), (2, "sent")]


def test_the_mailbox_may_be_named_either_way(held, stdio, site):
    held.client()
    held.emcli.account_maildir(site.path, name="second", user="bob", outbound="approve")
    bare = {k: v for k, v in CALL.items() if k != "account"}
    call = {**bare, "mailbox": "agent@lab.example"}
    _, state = stdio.ask(call)
    for other in (bare, {**bare, "mailbox": "bob@lab.example"}, {**bare, "account": "second"},
                  {**bare, "mailbox": "eve@lab.example"}):
        assert stdio.fault(other, state=state, answer=YES) == -32602, other
    assert held.untouched()
    _, state = stdio.ask(call, state=state)
    assert stdio.data(CALL, state=state, answer=YES)["state"] == "sent"
    assert held.rows() == [(1, "sent")]


def test_many_at_once_send_once(held, opened):
    """Who comes while it is on its way waits for what becomes of it."""
    held.client()
    held.server.slow = 1
    talk = opened(Http)
    call = {**CALL, "to": ["slow@them.example"]}
    _, state = talk.ask(call)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: talk.data(call, state=state, answer=YES), range(8)))
    assert len(held.server.messages) == 1 and held.rows() == [(1, "sent")]
    assert {d["message_id"] for d in done} == {done[0]["message_id"]}
    assert sum(not d["again"] for d in done) == 1


def test_the_operator_and_the_user_at_once_send_once(held, opened):
    held.client()
    talk = opened(Http)
    _, state = talk.ask()
    digest = held.show(1)["digest"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        user = pool.submit(talk.data, state=state, answer=YES)
        operator = pool.submit(held.release, 1, digest)
    assert user.result()["state"] == "sent"
    assert user.result()["again"] is (operator.result().rc == 0)
    assert len(held.server.messages) == 1


@pytest.mark.parametrize("caps", [{}, {"elicitation": {"url": {}}}, {"sampling": {}},
                                  {"elicitation": None}, {"elicitation": True}])
def test_without_forms_it_is_as_ever(held, stdio, caps):
    held.client()
    got = stdio.end(caps=caps)["error_detail"]
    assert got["code"] == "approval" and got["id"] == 1
    assert held.rows() == [(1, "held")]


def test_with_forms_among_others_it_is_asked(held, stdio):
    stdio.ask(caps={"elicitation": {"url": {}, "form": {}}, "sampling": {}})


def test_older_revisions_are_not_asked(held, opened):
    for revision in test_mcp.LEGACY:
        h = test_mcp.Host(held.emcli, "--always", revision=revision)
        got = h.ask("tools/call", name="send", arguments=CALL)["result"]
        assert cli.envelope(got)["error_detail"]["code"] == "approval"
        assert "resultType" not in got and "inputRequests" not in got
        bad = h.ask("tools/call", name="send", arguments=CALL, requestState="x",
                    inputResponses=YES)
        assert bad["error"]["code"] == -32602
        assert h.end() == (0, b"")


def test_what_is_missing_is_asked_again_and_what_is_more_ignored(held, stdio):
    held.client()
    _, state = stdio.ask()
    for answer in (None, {}, {"other": {"action": "accept"}}, {"approval": {"action": "accept"}}):
        said, state = stdio.ask(state=state, answer=answer)
    assert "approve" in stdio.form["requestedSchema"]["properties"]
    more = {**copy.deepcopy(YES), "other": 7}
    more["approval"]["content"]["more"] = ["x"]
    more["approval"]["_meta"] = {}
    assert stdio.data(state=state, answer=more)["state"] == "sent"


@pytest.mark.parametrize("answer", [
    [], "yes", 7, {"approval": None}, {"approval": "accept"}, {"approval": []}, {"approval": {}},
    {"approval": {"action": "yes"}}, {"approval": {"action": 1}},
    {"approval": {"action": "accept", "content": [True]}},
    {"approval": {"action": "accept", "content": "yes"}}])
def test_answers_of_the_wrong_shape_are_faults(held, stdio, answer):
    held.client()
    _, state = stdio.ask()
    assert stdio.fault(state=state, answer=answer) == -32602
    assert stdio.fault(answer=answer) == -32602
    assert held.rows() == [(1, "held")] and held.untouched()


def test_an_answer_without_its_state_sends_nothing(held, stdio):
    held.client()
    assert stdio.fault(answer=YES) == -32602
    assert held.rows() == []


@pytest.mark.parametrize("value", ["yes", 1, None, {"approve": True}])
def test_what_is_neither_yes_nor_no_is_asked_again(held, stdio, value):
    held.client()
    _, state = stdio.ask()
    stdio.ask(state=state, answer={"approval": {"action": "accept",
                                                "content": {"approve": value}}})
    assert held.untouched()


def test_a_secret_stays_the_operator_s(held, stdio):
    held.client()
    held.emcli.admin("canary", "add", "Blue-Heron-42")
    call = {**CALL, "body": "the word is blue-heron-42\n"}
    said, state = stdio.ask(call)
    assert "why it waits: secret\n" in said and "emcli approve release 1" in said
    assert "canary" not in said and stdio.form["requestedSchema"]["properties"] == {}
    stdio.ask(call, state=state, answer=YES)
    assert held.untouched()


def test_a_secret_known_since_stays_the_operator_s(held, stdio):
    held.client()
    call = {**CALL, "body": "the word is blue-heron-42\n"}
    said, state = stdio.ask(call)
    assert "approve" in stdio.form["requestedSchema"]["properties"]
    held.emcli.admin("canary", "add", "Blue-Heron-42")
    said, state = stdio.ask(call, state=state, answer=YES)
    assert "why it waits: approval\n" in said and "emcli approve release 1" in said
    assert "canary" not in said and stdio.form["requestedSchema"]["properties"] == {}
    stdio.ask(call, state=state, answer=YES)
    assert held.untouched() and held.rows() == [(1, "held")]


def test_what_changed_is_not_let_go(held, stdio):
    held.client()
    for n, change in enumerate((
            lambda n: held.sql("UPDATE outbox SET message = 'To: x\r\n\r\n' WHERE id = ?", n),
            lambda n: held.sql("UPDATE outbox_recipient SET address = 'eve@evil.example'"
                               " WHERE outbox_id = ?", n),
            lambda n: held.sql("UPDATE outbox SET digest = ? WHERE id = ?", "0" * 64, n),
            lambda n: held.sql("UPDATE outbox SET expires_s = expires_s + 9 WHERE id = ?", n),
            lambda n: held.emcli.admin("account", "edit", "work", "--limit-messages", "99"),
    ), 1):
        _, state = stdio.ask()
        change(n)
        got = stdio.end(state=state, answer=YES)["error_detail"]
        assert (got["code"], got["reason"]) == ("policy", "changed"), n
    assert held.untouched()
    held.emcli.admin("account", "edit", "work", "--mode", "RO")
    assert stdio.end(state=state, answer=YES)["error"] is True
    assert held.untouched()


def test_back_with_the_operator_before_the_yes(held, stdio):
    held.client()
    _, state = stdio.ask()
    held.emcli.setting("mcp_approve", "operator")
    said, _ = stdio.ask(state=state, answer=YES)
    assert "emcli approve release 1" in said and held.untouched()


def test_the_operator_s_key_in_the_environment_changes_nothing(held, opened):
    talk = opened(Stdio, EMCLI_ADMIN_KEY=held.emcli.admin_key)
    _, state = talk.ask()
    talk.ask(state=state, answer=YES)
    assert held.untouched()


def test_a_server_s_refusal_is_told_as_of_any_send(held, stdio):
    held.client()
    call = {**CALL, "to": ["reject@them.example"]}
    _, state = stdio.ask(call)
    got = stdio.end(call, state=state, answer=YES)["error_detail"]
    assert (got["code"], got["state"], got["id"]) == ("rejected", "rejected", 1)
    assert stdio.code(call, state=state, answer=YES) == "rejected"
    assert held.server.messages == []


def test_the_same_key_is_asked_for_the_same_message(held, stdio):
    held.client()
    call = {**CALL, "idempotency_key": "k1"}
    _, first = stdio.ask(call)
    _, again = stdio.ask(call)
    assert held.rows() == [(1, "held")]
    assert stdio.data(call, state=again, answer=YES)["again"] is False
    assert stdio.data(call)["again"] is True
    assert stdio.data(call, state=first, answer=YES)["state"] == "sent"
    assert len(held.server.messages) == 1


def test_only_sends_that_wait_are_asked_about(held, stdio):
    held.emcli.admin("account", "edit", "work", "--outbound", "send")
    assert stdio.data()["state"] == "sent"
    held.emcli.admin("account", "edit", "work", "--mode", "RO")
    assert stdio.code() == "policy"
    assert stdio.code({**CALL, "to": ["no address"]}) == "usage"


def test_a_lease_is_needed_to_send_and_not_to_answer(held):
    held.client()
    h = Stdio.__new__(Stdio)
    h.host = test_mcp.Host(held.emcli)
    try:
        assert h.code() == "skill"
        lease = h.data({"skill": "mail-send"}, tool="load_skill")["lease"]
        call = {**CALL, "lease": lease}
        _, state = h.ask(call)
        h.data({"skill": "mail-send", "lease": lease}, tool="unload_skill")
        assert h.data(call, state=state, answer=YES)["state"] == "sent"
    finally:
        h.stop()


def test_the_setting(held):
    a = held.emcli.admin
    assert a("config", "get", "mcp_approve").out == b"operator\n"
    assert a("config", "set", "mcp_approve", "everybody").rc == 2
    assert held.emcli.run("config", "set", "mcp_approve", "client").rc != 0
    assert re.search(rb"mcp_approve +operator", a("config", "list").out)
