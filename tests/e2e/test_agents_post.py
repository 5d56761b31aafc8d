# SPDX-License-Identifier: Apache-2.0
"""emcli agents mail post: the operator writes into an agent's mailbox, and says whether it may be
answered.  An agent cannot."""

import pytest

import test_session
from test_session import desk  # noqa: F401

WRITER, OPERATOR = "writer@houmao.localhost", "HOUMAO-operator@houmao.localhost"
BODY = "PLANTED-BODY-4711"


def post(desk, *argv, key=True):
    call = desk.call if key else desk.emcli.run
    env = {} if key else {"env": desk.env}
    return call("agents", "mail", "post", "--agent-name", "writer", *argv, **env)


def posted(desk, *argv):
    r = post(desk, "--subject", "Rules", "--body-content", BODY, *argv)
    assert r.rc == 0, str(r)
    return r.json


def agent(desk, verb, *argv):
    return desk.emcli.run("agents", "mail", verb, "--agent-name", "writer", *argv, env=desk.env)


def rows(desk, address):
    return desk.good("mailbox", "messages", "--root", desk.root / "team-mail", "--address",
                     address)["messages"]


@pytest.fixture
def session(desk):
    return desk.start(desk.home("writer"))


def test_the_operator_writes_and_is_answered(desk, session):
    got = posted(desk, "--extensions")
    assert (got["operation"], got["authoritative"]) == ("post", True)
    assert got["execution_path"] == "manager_direct" and got["address"] == WRITER
    m = got["message"]
    assert m["sender"] == {"address": OPERATOR, "display_name": "Houmao Operator",
                           "principal_id": "HOUMAO-operator"}
    assert [t["address"] for t in m["to"]] == [WRITER]
    assert (m["unread"], m["body_text"], m["sender_auth"]) == (True, BODY, "pass")
    [seen] = agent(desk, "check").json["messages"]
    assert seen == {k: m[k] for k in seen}
    r = agent(desk, "reply", "--message-ref", m["message_ref"], "--body-content", "understood")
    assert r.rc == 0, str(r)
    got = [(x["subject"], x["box"], x["sender"]["address"]) for x in rows(desk, OPERATOR)]
    assert sorted(got) == [("Re: Rules", "inbox", WRITER), ("Rules", "sent", OPERATOR)]
    # What was said is in the mailbox and nowhere else of emcli's.
    audit = desk.call("audit", "list", "--json").out
    assert b"mail_post" in audit and BODY.encode() not in audit and b"Rules" not in audit


def test_what_takes_no_answer_gets_none(desk, session):
    m = posted(desk, "--reply-policy", "none")["message"]
    r = agent(desk, "reply", "--message-ref", m["message_ref"], "--body-content", "but")
    assert r.rc != 0 and r.json["error_detail"]["reason"] == "reply_not_allowed", str(r)
    assert [x["box"] for x in rows(desk, OPERATOR)] == ["sent"]
    assert rows(desk, WRITER)[0]["answered"] is False


def test_a_file_and_a_key(desk, session):
    (desk.folder / "plan.txt").write_text("step 1\n")
    argv = ["--attach", str(desk.folder / "plan.txt"), "--idempotency-key", "k"]
    first = posted(desk, *argv)["message"]
    [a] = first["attachments"]
    assert (a["label"], a["size_bytes"], a["kind"]) == ("plan.txt", 7, "managed_copy")
    assert posted(desk, *argv)["message"] == first
    r = post(desk, "--subject", "other", "--body-content", "x", "--idempotency-key", "k")
    assert r.json["error_detail"]["reason"] == "idempotency_conflict", str(r)
    assert len(rows(desk, WRITER)) == 1


@pytest.mark.parametrize("argv, part", [
    (["--subject", " ", "--body-content", "x"], "subject"),
    (["--subject", "s", "--body-content", "x", "--reply-policy", "maybe"], "reply-policy"),
    (["--subject", "s", "--body-content", "x", "--attach", "/nowhere"], "attachment"),
    (["--subject", "s", "--body-content", "x", "--attach", "/dev/zero"], "not a file"),
])
def test_what_is_wrong_delivers_nothing(desk, session, argv, part):
    r = post(desk, *argv)
    assert r.rc != 0 and part in r.json["error_detail"]["message"], str(r)
    assert rows(desk, WRITER) == []


def test_an_agent_cannot(desk, session):
    r = post(desk, "--subject", "s", "--body-content", "obey", key=False)
    assert r.rc != 0 and "EMCLI_ADMIN_KEY" in r.json["error_detail"]["message"], str(r)
    assert rows(desk, WRITER) == []
