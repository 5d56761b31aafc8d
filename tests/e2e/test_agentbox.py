# SPDX-License-Identifier: Apache-2.0
"""Agents' own mailboxes in one root: two accounts write to each other by the
operations that serve every account."""

import json
import time

import pytest

import agentroot

WRITER, CI = "Writer@agents.example.test", "ci@agents.example.test"


@pytest.fixture
def root(tmp_path):
    r = agentroot.Root(tmp_path / "root")
    r.register(WRITER)
    r.register(CI)
    return r


def account(emcli, root, name, address, **flags):
    given = {"backend": "agentbox", "path": root.path, "from": address, "mode": "RW",
             "whitelist_out": "off", "check_unfinished": "off", "process_backlog": True}
    given.update(flags)
    return emcli.set_up("account", "add", name, *emcli.options(given))


@pytest.fixture
def both(emcli, root):
    account(emcli, root, "writer", WRITER)
    account(emcli, root, "ci", CI)
    return emcli


def send(emcli, name, to, subject="Build failed", body="step 3\n", *more):
    return emcli.run("send", "--account", name, "--to", to, "--subject", subject, "--body", body, *more)


def rows(emcli, name, folder="INBOX"):
    r = emcli.run("list", "--account", name, "--folder", folder)
    assert r.rc == 0, str(r)
    return r.data["messages"]


def test_one_agent_writes_and_the_other_answers(both, root):
    assert rows(both, "writer") == []
    sent = send(both, "ci", WRITER, body=" three\n\n  lines \n")
    assert sent.rc == 0, str(sent)
    assert sent.data["recipients"] == [{"address": WRITER.lower(), "status": "accepted"}]
    (row,) = rows(both, "writer")
    assert row["subject"] == "Build failed"
    assert row["from"] == [{"name": "", "address": CI}]
    assert row["message_id"] == sent.data["message_id"]
    assert (row["sender_auth"], row["sender_auth_by"]) == ("pass", "mailbox")
    got = both.run("get", "--account", "writer", "--uid", row["uid"])
    assert got.data["text"].rstrip("\n") == " three\n\n  lines "
    (copy,) = rows(both, "ci", "sent")
    assert copy["message_id"] == row["message_id"]

    answer = both.run("send", "--account", "writer", "--to", CI, "--reply-to", row["uid"],
                  "--body", "mended")
    assert answer.rc == 0, str(answer)
    (back,) = rows(both, "ci")
    assert back["subject"] == "Re: Build failed"
    whole = both.run("get", "--account", "ci", "--uid", back["uid"])
    assert whole.data["in_reply_to"] == [row["message_id"]]
    thread = both.run("read-thread", "--account", "ci", row["message_id"])
    assert thread.rc == 0, str(thread)
    assert len(thread.data["messages"]) == 2
    assert len(root.files()) == 2


def test_a_search_looks_at_headers_and_bodies(both):
    for i, word in enumerate(("alpha", "beta", "gamma")):
        assert send(both, "ci", WRITER, f"about {word}", f"the {word} stands here").rc == 0
    r = both.run("search", "--account", "writer", "--text", "BETA STANDS")
    assert [m["subject"] for m in r.data["messages"]] == ["about beta"], str(r)
    r = both.run("search", "--account", "writer", "--subject-contains", "gamma")
    assert [m["subject"] for m in r.data["messages"]] == ["about gamma"], str(r)
    assert [m["subject"] for m in rows(both, "writer")] == ["about gamma", "about beta",
                                                           "about alpha"]


def test_one_recipient_without_a_mailbox_and_nothing_is_sent(both, root):
    r = send(both, "ci", WRITER, "x", "y", "--cc", "nobody@agents.example.test")
    assert (r.code, r.json["error_detail"]["reason"]) == ("rejected", "unknown_recipient"), str(r)
    assert root.files() == []
    assert rows(both, "writer") == []


def test_there_is_no_bcc(both, root):
    r = send(both, "ci", CI, "x", "y", "--bcc", WRITER)
    assert r.code == "rejected", str(r)
    assert root.files() == []


def test_mail_of_another_program_is_of_no_certain_sender(both, root):
    root.drop(CI, WRITER, "planted", "Do as I say.\n")
    (row,) = rows(both, "writer")
    assert row["subject"] == "planted"
    assert row["sender_auth"] == "unchecked"
    # Nor is it one that a list of believed senders lets through.
    both.set_up("account", "edit", "writer", "--whitelist-in", "on", "--whitelist-auth", "dmarc")
    both.whitelist("in", CI, account="writer")
    assert rows(both, "writer") == []
    assert send(both, "ci", WRITER, "genuine").rc == 0
    assert [m["subject"] for m in rows(both, "writer")] == ["genuine"]


def test_what_is_hidden_is_not_there(both):
    assert send(both, "ci", WRITER, "seen").rc == 0
    both.set_up("account", "edit", "writer", "--whitelist-in", "on")
    assert rows(both, "writer") == []
    r = both.run("get", "--account", "writer", "--uid", "1")
    none = both.run("get", "--account", "writer", "--uid", "99")
    assert r.json["error_detail"] == none.json["error_detail"]


def test_an_address_that_is_not_registered_has_no_mailbox(emcli, root):
    account(emcli, root, "eve", "eve@agents.example.test")
    r = emcli.run("list", "--account", "eve")
    assert (r.code, r.json["error_detail"]["reason"]) == ("config", "not_actionable"), str(r)


def test_a_path_that_is_no_root_is_refused(emcli, tmp_path):
    r = emcli.admin("account", "add", "x", "--backend", "agentbox", "--path", tmp_path,
                       "--from", CI, "--mode", "RW")
    assert r.rc != 0 and b"no root of agents' mailboxes" in r.err, str(r)


def test_doctor_tries_the_root(both):
    r = both.run("doctor", "--account", "writer")
    assert "agentbox.root" in str(r.json), str(r)


def test_a_delivery_ends_a_wait(both):
    watch = ("watch", "--account", "writer", "--folder", "INBOX")
    cursor = both.run(*watch, "--timeout", "0").data["cursor"]
    env = both.environment(EMCLI_KEY=both.agent_key)
    p = both.start([*watch, "--timeout", "50", "--cursor", cursor], env)
    time.sleep(0.7)  # an answer is right before it waits, too, but is no test of it
    since = time.monotonic()
    assert send(both, "ci", WRITER).rc == 0
    data = json.loads(p.communicate(timeout=60)[0])["data"]
    assert [e["kind"] for e in data["events"]] == ["new"]
    assert time.monotonic() - since < 30, "it looks once a minute where nothing tells"
