"""What accounts may do by their roles, and what no role leads to."""

import pytest

from listener import Hangup, Listener
from test_contract import LIST, ME, mail, reply
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


READS = [
    ["list", "--folder", "INBOX"], ["get", "--folder", "INBOX", "--uid", "1"],
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
    for argv in READS + (DRAFTS if backend == "imap" else []):
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
