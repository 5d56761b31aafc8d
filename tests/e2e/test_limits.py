# SPDX-License-Identifier: Apache-2.0
"""How much an agent may send, to whom it may answer, and whom it never answers."""

import sqlite3

import pytest

from mail import message

BOB, ALICE, FAR = "bob@lab.example", "alice@lab.example", "far@lab.example"


class Box:
    def __init__(self, emcli, site):
        self.emcli, self.site = emcli, site

    def edit(self, *options):
        r = self.emcli.admin("account", "edit", "work", *options)
        assert r.rc == 0, str(r)

    def send(self, *more, to=BOB, body="words", agent=None, account="work"):
        to = [to] if isinstance(to, str) else to
        return self.emcli.run("send", "--account", account,
                              *(x for t in to for x in ("--to", t)), "--subject", "x",
                              "--body", body, *more, env={"EMCLI_AGENT": agent})

    def newest(self, account="work"):
        r = self.emcli.run("list", "--account", account, "--folder", "INBOX")
        return r.data["messages"][0]["uid"]

    def reply(self, raw, *more, to=ALICE):
        """Answers a message that was just delivered."""
        self.site.deliver("agent", raw)
        uid = self.newest()
        return self.send("--reply-to", uid, *more, to=to)

    def count(self, user="bob"):
        return len(self.site.messages(user))


@pytest.fixture
def box(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    return Box(emcli, site)


def reason(r):
    return r.json["error_detail"].get("reason")


def test_messages_a_day_are_each_agent_s_own(box):
    box.edit("--limit-messages", "2")
    assert box.send().data and box.send().data
    assert box.send().code == "limit"
    assert box.send(agent="other").data
    assert box.count() == 3


def test_what_was_sent_the_day_before_does_not_count(box):
    box.edit("--limit-messages", "1")
    assert box.send().data
    assert box.send().code == "limit"
    db = sqlite3.connect(box.emcli.db)
    with db:
        db.execute("UPDATE outbox SET created_s = created_s - 86340")
    assert box.send().code == "limit"
    with db:
        db.execute("UPDATE outbox SET created_s = created_s - 70")
    assert box.send().data


def test_what_was_refused_does_not_count(box):
    box.edit("--limit-messages", "1")
    assert box.send(to="nobody@lab.example").code != "limit"
    assert box.send().data
    assert box.send().code == "limit"


def test_what_waits_counts(box):
    """Or else a queue of thousands would be let go at once."""
    box.edit("--limit-messages", "1", "--outbound", "approve")
    assert box.send().code == "approval"
    assert box.send().code == "limit"
    assert box.emcli.admin("approve", "deny", "1").rc == 0
    assert box.send().code == "approval"


@pytest.mark.parametrize("limit, sends", [("2", True), ("1", False)])
def test_recipients_of_a_message(box, limit, sends):
    box.edit("--limit-recipients", limit)
    r = box.send("--bcc", ALICE)
    assert (r.rc == 0) == sends
    if not sends:
        assert r.code == "limit" and box.count() == box.count("alice") == 0


def test_people_never_written_to_before(box):
    box.edit("--limit-new-recipients", "1")
    assert box.send().data
    assert box.send(to=ALICE).code == "limit"
    assert box.send(to=[BOB, ALICE]).code == "limit"
    # Who is known is known, in any spelling; the next day another may be new.
    assert box.send(to="Bob@LAB.example").data
    db = sqlite3.connect(box.emcli.db)
    with db:
        db.execute("UPDATE outbox SET created_s = created_s - 86410")
        db.execute("UPDATE correspondent SET first_s = first_s - 86410")
    assert box.send(to=[BOB, ALICE]).data


def test_bytes_a_day(box):
    box.edit("--limit-bytes", "4000")
    assert box.send(body="x" * 60 + "\n").data
    assert box.send(body=("x" * 60 + "\n") * 100).code == "limit"
    assert box.send(body="x").data
    db = sqlite3.connect(box.emcli.db)
    ((used,),) = db.execute("SELECT sum(bytes) FROM outbox").fetchall()
    box.edit("--limit-bytes", str(used))
    assert box.send(body="x").code == "limit"


def test_two_at_once_do_not_pass_a_limit_together(box):
    box.edit("--limit-messages", "3")
    env = box.emcli.environment(EMCLI_KEY=box.emcli.agent_key)
    argv = ["send", "--account", "work", "--to", BOB, "--subject", "x", "--body", "y"]
    running = [box.emcli.start(argv, env) for _ in range(8)]
    done = [p.communicate() and p.returncode for p in running]
    assert done.count(0) == 3 and box.count() == 3


# -- only answers --------------------------------------------------------

def test_an_account_that_answers_begins_nothing(box):
    box.edit("--scope", "thread")
    r = box.send()
    assert r.code == "policy" and reason(r) == "scope_thread"
    assert box.count() == 0


THREAD = message(sender="Alice <alice@lab.example>", to="agent@lab.example, Bob@lab.example",
                 extra="Cc: carol@lab.example\r\nReply-To: list@lab.example\r\n")


@pytest.mark.parametrize("to", [
    ["alice@lab.example"], ["bob@lab.example"], ["list@lab.example"], ["agent@lab.example"],
    ["ALICE@lab.example", "bob@lab.example", "carol@lab.example"],
])
def test_it_answers_the_people_of_the_thread(box, to):
    for t in to:
        box.site.box("agent").parent.joinpath(t.lower()).mkdir(exist_ok=True)
        for half in "cur", "new", "tmp":
            box.site.path.joinpath(t.lower(), half).mkdir(exist_ok=True)
    box.edit("--scope", "thread")
    assert box.reply(THREAD, to=to).data


@pytest.mark.parametrize("to", [
    ["far@lab.example"], ["alice@lab.example", "far@lab.example"], ["alice@lab.example.evil"],
    ["alice+x@lab.example"], ["alice@sub.lab.example"],
])
def test_it_answers_nobody_else(box, to):
    box.edit("--scope", "thread")
    r = box.reply(THREAD, to=to)
    assert r.code == "policy" and reason(r) == "scope_thread"
    assert box.count("alice") == 0


@pytest.mark.parametrize("option", ["--cc", "--bcc"])
def test_nor_by_a_copy(box, option):
    box.edit("--scope", "thread")
    r = box.reply(THREAD, option, FAR)
    assert r.code == "policy" and reason(r) == "scope_thread"


def test_the_whitelist_holds_in_a_thread_too(box):
    box.edit("--scope", "thread", "--whitelist-out", "on")
    box.emcli.whitelist("out", ALICE)
    assert reason(box.reply(THREAD, to=BOB)) == "whitelist_out"
    assert box.reply(THREAD, to=ALICE).data


def test_hidden_mail_is_no_thread(box):
    box.edit("--scope", "thread")
    box.site.deliver("agent", THREAD)
    uid = box.newest()
    box.edit("--whitelist-in", "on")
    hidden = box.send("--reply-to", uid, to=ALICE)
    absent = box.send("--reply-to", "999", to=ALICE)
    assert hidden.json == absent.json and hidden.code == "not_found"


# -- RFC 3834 -------------------------------------------------------------

@pytest.mark.parametrize("extra", [
    "Auto-Submitted: auto-replied\r\n",
    "auto-submitted: AUTO-GENERATED; x=y\r\n",
    "Auto-Submitted: no\r\nAuto-Submitted: auto-replied\r\n",
    "Return-Path: <>\r\n",
    "Precedence: auto_reply\r\n",
    "Precedence: junk\r\n",
    "List-Id: <l.lab.example>\r\n",
    "List-Unsubscribe: <mailto:x@lab.example>\r\n",
    "Precedence: bulk\r\n",
])
def test_programs_and_lists_are_not_answered(box, extra):
    r = box.reply(message(extra=extra))
    assert r.code == "policy" and reason(r) == "loop"
    assert box.count("alice") == 0
    # Writing to them without answering is no loop.
    assert box.send(to=ALICE).data


@pytest.mark.parametrize("extra, waits", [
    ("List-Id: <l.lab.example>\r\n", True),
    ("Auto-Submitted: auto-replied\r\n", False),
])
def test_an_operator_may_answer_a_list_but_no_program(box, extra, waits):
    box.edit("--outbound", "approve")
    r = box.reply(message(extra=extra))
    assert r.code == ("approval" if waits else "policy")


@pytest.mark.parametrize("extra", [
    "Auto-Submitted: no\r\n", "Return-Path: <alice@lab.example>\r\n",
    "Precedence: first-class\r\n", "",
])
def test_people_are_answered(box, extra):
    assert box.reply(message(extra=extra)).data
    (got,) = box.site.messages("alice")
    assert b"\r\nAuto-Submitted: auto-replied\r\n" in got


def test_our_own_mail_is_not_answered(box):
    """What comes back to us, however it came."""
    mid = box.send(to="agent@lab.example").data["message_id"]
    uid = box.newest()
    r = box.send("--reply-to", uid, to=ALICE)
    assert r.code == "policy" and reason(r) == "loop"
    r = box.reply(message(mid=mid))
    assert r.code == "policy" and reason(r) == "loop"


def test_two_agents_do_not_talk_for_ever(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    emcli.account_maildir(site.path, name="peer", user="alice", process_backlog=True)
    box = Box(emcli, site)
    assert box.send(to=ALICE).data
    uid = box.newest("peer")
    r = box.send("--reply-to", uid, to="agent@lab.example", account="peer")
    assert r.code == "policy" and reason(r) == "loop"
