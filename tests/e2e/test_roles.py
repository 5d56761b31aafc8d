# SPDX-License-Identifier: Apache-2.0
"""What accounts may do by their roles, and what no role leads to."""

import pytest

from listener import Hangup, Listener
from mail import uids
from test_contract import LIST, ME, folder, mail, reply
from test_mbox import LINE
from test_sources import good

TALK = [mail("a1", day=1, extra="List-Id: <security.lab.example>\r\n"),
        reply("<a1@lab.example>", "a2", day=2, extra="List-Id: <security.lab.example>\r\n")]
SENT = reply("<a2@lab.example>", "a3", sender=ME, day=3)


class Counted:
    """Somebody is there, and was called; that is all."""

    def __init__(self, server, sock):
        self.sock = sock
        server.calls += 1

    def run(self):
        raise Hangup


class Submitter(Listener):
    session = Counted
    calls = 0


@pytest.fixture
def submitter():
    with Submitter(None, None, "127.0.0.1") as server:
        yield server


# -- no read opens a connection to a submission server

@pytest.fixture
def imap(emcli, dovecot, submitter):
    for raw in TALK:
        dovecot.append("agent", raw)
    dovecot.append("agent", SENT, "Sent")
    emcli.account_imap(dovecot, process_backlog=True, list=LIST, smtp_host="127.0.0.1",
                       smtp_port=submitter.port)
    return emcli


@pytest.fixture
def mbox(emcli, tmp_path, submitter):
    path = tmp_path / "list.mbox"
    path.write_bytes(b"".join(LINE + raw + b"\r\n" for raw in (*TALK, SENT)))
    emcli.account_maildir(path, backend="mbox", process_backlog=True, list=LIST,
                          sent_folder="INBOX", thread_url="https://a.example/<id>",
                          smtp_host="127.0.0.1", smtp_port=submitter.port)
    return emcli


UID = "any that is there"
READS = [
    ["list", "--folder", "INBOX"], ["get", "--folder", "INBOX", "--uid", UID],
    ["search", "--folder", "INBOX", "--text", "report"], ["folders"],
    ["list-recent-threads", "--since", "2026-06-01"], ["read-thread", "<a2@lab.example>"],
    ["list-sent-since", "<a1@lab.example>", "--since", "2026-06-01"],
    ["thread-url", "<a1@lab.example>"], ["sources"],
]
DRAFTS = [
    ["create-draft", "--thread", "<a1@lab.example>", "--body", "words"],
    ["list-drafts"], ["list-drafts", "<a1@lab.example>"],
]


@pytest.mark.parametrize("backend", ["imap", "mbox"])
def test_no_role_leads_to_the_submission_server(request, submitter, backend):
    """Choosing a source once logged in where its mail would leave by."""
    emcli = request.getfixturevalue(backend)
    good(emcli.admin("source", "set", "work", "--role", "primary", "--mandatory", "yes"))
    uid = uids(emcli.run("list", "--folder", "INBOX"))[0]
    for argv in READS + (DRAFTS if backend == "imap" else []):
        argv = [str(uid) if word == UID else word for word in argv]
        assert emcli.run(*argv).data is not None
        if "thread" in argv[0]:
            why = ["--source", "work", "--reason", "a test"]
            assert emcli.run(*argv, *why).data["resolution"]["rule"] == "override"
        assert submitter.calls == 0, argv
    # Nor do the operator's commands about sources.
    for argv in (["probe"], ["list"], ["explain", "create_draft"]):
        good(emcli.admin("source", *argv))
    assert submitter.calls == 0
    # Whoever asks about sending gets an answer.
    r = emcli.run("doctor")
    assert submitter.calls > 0 and r.code == "config"
    assert any(c["check"].startswith("smtp.") and not c["ok"] for c in r.json["data"]["checks"])


# -- what policy refuses is nothing that a source can

@pytest.fixture
def two(emcli, site):
    """`ro` is the primary, `rw` the fallback; both have a folder for drafts."""
    for name, user in ("ro", "agent"), ("rw", "bob"):
        emcli.account_maildir(site.path, name=name, user=user, process_backlog=True)
        folder(site.box(user), "Drafts")
        site.deliver(user, mail("a1"))
    good(emcli.admin("source", "set", "ro", "--role", "primary"))
    good(emcli.admin("source", "set", "rw", "--role", "fallback"))
    return emcli


DRAFT = "create-draft", "--thread", "<a1@lab.example>", "--body", "words"


def can(emcli, name):
    source, = [s for s in emcli.run("sources").data["sources"] if s["name"] == name]
    return source["supports"], source["why_not"]


@pytest.mark.parametrize("option, reason, why", [
    (("--mode", "RO"), "ro_mode", "the account's mode is RO: nothing may be written"),
    (("--outbound", "none"), "no_outbound", "the account's outbound level is none"),
])
def test_who_may_not_draft_is_no_source_of_drafts(two, site, option, reason, why):
    """It said that it can, was chosen, and refused; the next was never asked."""
    assert two.run(*DRAFT).data["resolution"]["backend"] == "ro"
    good(two.admin("account", "edit", "ro", *option))
    supports, why_not = can(two, "ro")
    assert supports["create_draft"] is False and why_not["create_draft"] == why
    assert supports["list_drafts"] is True and "list_drafts" not in why_not
    record, = [o for o in two.run("sources").data["operations"] if o["op"] == "create_draft"]
    assert (record["backend"], record["rule"]) == ("rw", "fallback")
    made = two.run(*DRAFT).data
    assert made["resolution"]["backend"] == "rw"
    assert made["resolution"]["skipped"] == [
        {"backend": "ro", "step": 2, "cause": "unsupported", "reason": None}]
    assert len([*(site.box("bob") / ".Drafts" / "cur").iterdir()]) == 1
    assert f"ro: cannot: {why}" in good(two.admin("source", "explain", "create_draft"))
    # Whoever names it hears the rule, and so does whoever has no other.
    for argv in ("--account", "ro"), ("--source", "ro", "--reason", "a test"):
        r = two.run(*DRAFT, *argv)
        assert (r.code, r.json["error_detail"]["reason"]) == ("policy", reason)
    good(two.admin("account", "remove", "rw", "--yes"))
    r = two.run(*DRAFT)
    assert (r.code, r.json["error_detail"]["reason"]) == ("policy", reason)
    assert r.json["error_detail"]["message"] == \
        f"no backend available for create_draft: ro: refused by policy: {reason}"
    assert "emcli account edit NAME " + " ".join(option)[:6] in r.json["error_detail"]["next"]


def test_what_nobody_could_ask_is_not_known(two, site):
    """A source that is away was said to do whatever its kind may do."""
    site.box("agent").rename(site.path / "away")
    supports, why_not = can(two, "ro")
    unknown = {"list_drafts", "list_sent_since", "create_draft"}
    assert {op for op, yes in supports.items() if yes is None} == unknown
    assert {op for op, why in why_not.items() if why.startswith("unknown: ")} == unknown
    assert supports["read_thread"] is True and supports["thread_url"] is False
    good(two.admin("account", "edit", "ro", "--mode", "RO", "--sent-folder", "Sent"))
    supports, why_not = can(two, "ro")
    # What the operator said is known wherever the mail is.
    assert (supports["create_draft"], supports["list_sent_since"]) == (False, True)
    assert supports["list_drafts"] is None
    listed = good(two.admin("source", "list"))
    assert "list_drafts?, create_draft, thread_url" in listed, listed


# -- small ones

def test_a_maildir_account_is_that_of_an_address(emcli, site):
    """It was taken without one, and then nothing of it worked."""
    box = str(site.box("agent"))
    r = emcli.admin("account", "add", "work", "--backend", "maildir", "--path", box,
                    "--mode", "RO")
    assert r.rc == 2 and b"--from is missing: a Maildir needs an address" in r.err, str(r)
    good(emcli.admin("account", "add", "work", "--backend", "maildir", "--path", box,
                     "--mode", "RO", "--from", ME))
    r = emcli.admin("account", "edit", "work", "--from", "")
    assert r.rc == 2 and b"--from is missing" in r.err, str(r)
    assert emcli.run("list", "--folder", "INBOX").data["messages"] == []


def words(n, parent, day):
    """As mail programs of the nineties answered."""
    return mail(n, day=day, subject="Re: report", extra=(
        "In-Reply-To: Message from Alice <alice@lab.example>\r\n"
        f"\tof Monday {parent}\r\n"))


@pytest.mark.parametrize("backend", ["imap", "maildir", "mbox"])
def test_words_and_an_address_before_the_id_that_is_answered(request, emcli, tmp_path, backend):
    """The address was taken for the parent."""
    talk = [mail("a1", day=1), words("a2", "<a1@lab.example>", 2),
            words("b1", "<gone@lab.example>", 3)]
    if backend == "imap":
        dovecot = request.getfixturevalue("dovecot")
        for raw in talk:
            dovecot.append("agent", raw)
        emcli.account_imap(dovecot, process_backlog=True)
    elif backend == "maildir":
        site = request.getfixturevalue("site")
        for raw in talk:
            site.deliver("agent", raw)
        emcli.account_maildir(site.path, process_backlog=True)
    else:
        path = tmp_path / "list.mbox"
        path.write_bytes(b"".join(LINE + raw + b"\r\n" for raw in talk))
        emcli.account_maildir(path, backend="mbox", process_backlog=True)
    got = emcli.run("list-recent-threads", "--since", "2026-06-01").data["threads"]
    assert {t["thread_id"]["id"] for t in got} == {"<a1@lab.example>", "<gone@lab.example>"}
    whole = emcli.run("read-thread", "<a2@lab.example>").data
    assert [m["message_id"] for m in whole["messages"]] == \
        ["<a1@lab.example>", "<a2@lab.example>"]
    assert whole["complete"] and whole["messages"][1]["in_reply_to"] == "<a1@lab.example>"
