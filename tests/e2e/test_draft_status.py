# SPDX-License-Identifier: Apache-2.0
"""What became of a draft, on each kind of source that keeps some."""

import pytest

from oauthlab import google_emulator, npm  # noqa: F401
from test_contract import ALICE, EVE, LIST, folder, mail, put
from test_gmail import google  # noqa: F401
from test_matrix import cyrus_server, gmail, imap, jmap, maildir, mbox  # noqa: F401
from test_sources import good

THREAD = "<a1@lab.example>"


def status(emcli, name, *argv):
    got = emcli.run("draft-status", name, *argv).data
    return got["status"], got["why"]


def made(emcli):
    return emcli.run("create-draft", "--thread", THREAD, "--body", "words",
                     "--another", "a test").data




def test_a_maildirs_draft_waits_is_sent_or_goes(emcli, maildir, site):  # noqa: F811
    maildir()
    good(emcli.admin("source", "set", "work", "--role", "primary"))
    box = site.box("agent")
    first, second = made(emcli), emcli.run("create-draft", "--thread", THREAD, "--body", "more",
                                           "--another", "a test").data
    for d in first, second:
        assert status(emcli, d["draft_id"]) == status(emcli, d["message_id"]) == ("pending", None)
    told = emcli.run("draft-status", first["message_id"]).data
    assert (told["draft_id"], told["message_id"]) == (first["draft_id"], first["message_id"])
    assert told["resolution"]["rule"] == "primary"
    sent, gone = (next((box / ".Drafts" / "cur").glob(d["draft_id"] + "*"))
                  for d in (first, second))
    sent.rename(box / ".Sent" / "cur" / f"{first['draft_id']}:2,S")
    gone.unlink()
    assert status(emcli, first["message_id"]) == ("sent", None)
    assert status(emcli, second["message_id"]) == ("discarded", None)
    # By an id that only the folder for drafts had, nobody can tell.
    for d in first, second:
        assert status(emcli, d["draft_id"]) == ("unknown", "gone_ask_by_message_id")
    (box / ".Sent").rename(site.path / "away")
    assert status(emcli, second["message_id"]) == ("unknown", "sent_folder_unknown")


@pytest.mark.parametrize("backend", ["imap", "jmap", "gmail"])
def test_a_draft_waits_on_every_source_that_keeps_some(request, emcli, backend):
    request.getfixturevalue(backend)()
    listed, = emcli.run("list-drafts").data["drafts"]
    assert status(emcli, listed["draft_id"]) == status(emcli, "<d1@lab.example>") == \
        ("pending", None)
    assert status(emcli, "<s1@lab.example>") == ("sent", None)
    # What somebody else wrote was not sent.
    for never in "<never@lab.example>", THREAD:
        assert status(emcli, never) == ("discarded", None)
    made_id = made(emcli)
    for name in made_id["draft_id"], made_id["message_id"]:
        assert status(emcli, name) == ("pending", None)


def test_a_hidden_draft_is_one_that_is_not_there(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True, list=LIST, whitelist_in="on")
    emcli.set_up("whitelist", "in", "add", "--account", "work", "--auth", "none", ALICE)
    box = site.box("agent")
    folder(box, "Sent")
    put(folder(box, "Drafts"), mail("d1", EVE), "100.M1", "DS")
    hidden, absent = (emcli.run("draft-status", f"<{n}@lab.example>") for n in ("d1", "x1"))
    assert hidden.data["status"] == "discarded" and hidden.out == absent.out
    hidden, absent = (emcli.run("draft-status", n) for n in ("100.M1.lab", "101.M1.lab"))
    assert hidden.data["status"] == "unknown" and hidden.out == absent.out


def test_where_no_drafts_are_kept_there_is_no_answer(emcli, mbox):  # noqa: F811
    mbox()
    assert emcli.run("draft-status", "<a1@lab.example>").code == "unsupported"
    assert emcli.run("draft-status", "<a1@lab.example>", "--account", "work").code == "unsupported"
    assert emcli.run("draft-status", " ", "--account", "work").code in ("usage", "unsupported")
