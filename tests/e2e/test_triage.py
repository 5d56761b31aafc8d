# SPDX-License-Identifier: Apache-2.0
"""
A sweep of a security list as a skill makes it: the adopter's project.md, two
weeks of threads from three sources, one read, answered by a draft in its
thread, and no second one; here and there the same report, told by its
Message-ID alone.
"""

import email.utils
import json
import time

import pytest

import ponyd
from mail import message
from oauthlab import google_emulator, npm  # noqa: F401
from test_contract import ME, read
from test_gmail import TOKEN, google  # noqa: F401
from test_sources import HEAD, OPS, SETTINGS, good, project  # noqa: F401

LIST = "security@lab.example"
REPORTER, OTHER = "ann@example.net", "bob@example.org"
KINDS = {"gmail": "gmail-thread-id", "imap": "rfc5322-message-id", "mbox": "rfc5322-message-id"}


def mail(n, days_ago, subject, sender=REPORTER, to=LIST, answers=None):
    extra = "List-Id: Security <security.lab.example>\r\n" if to == LIST else ""
    if answers:
        extra += f"In-Reply-To: <{answers}@example.net>\r\nReferences: <{answers}@example.net>\r\n"
    return message(sender=sender, to=to, subject=subject, mid=f"<{n}@example.net>",
                   date=email.utils.formatdate(time.time() - days_ago * 86400), extra=extra,
                   body="It overflows.\r\n")


# What came to the list in the last months, as each of the three has it.
REPORT = [mail("r1", 9, "Report: heap overflow"),
          mail("r2", 5, "Re: Report: heap overflow", OTHER, answers="r1")]
OLD = mail("o1", 40, "Report: an old one")
ELSEWHERE = mail("e1", 2, "lunch", OTHER, to=ME)


@pytest.fixture
def gmail(emcli, google):  # noqa: F811
    given = {"backend": "gmail", "mode": "RW", "whitelist_out": "off",
             "auth": "oauth2", "from": ME, "username": ME,
             "url": google.base, "process_backlog": True}
    good(emcli.admin("account", "add", "gmail", "--password-stdin", *emcli.options(given),
                     stdin=TOKEN))
    thread = google.put(REPORT[0])["threadId"]
    google.put(REPORT[1], thread=thread)
    google.put(OLD)
    google.put(ELSEWHERE)
    return google


@pytest.fixture
def imap(emcli, dovecot):
    emcli.account_imap(dovecot, name="imap", process_backlog=True)
    for raw in (OLD, *REPORT, ELSEWHERE):
        date = email.utils.parsedate_to_datetime(
            raw.split(b"\nDate: ")[1].split(b"\r\n")[0].decode())
        dovecot.append("agent", raw, date=date.strftime('"%d-%b-%Y %H:%M:%S +0000"'))
    return dovecot


@pytest.fixture
def mbox(emcli, tmp_path):
    path = tmp_path / "security.mbox"
    path.write_bytes(b"".join(
        b"From ann@example.net Wed Nov  1 06:04:52 2017\r\n" + raw + b"\r\n"
        for raw in (OLD, *REPORT)))
    good(emcli.admin("account", "add", "mbox", "--backend", "mbox", "--path", path,
                     "--process-backlog"))
    return path


def sweep(emcli, source, *argv):
    """Two weeks of threads by that source; the name of the report's."""
    r = emcli.run("list-recent-threads", "--list", LIST, "--since", "14d", *argv).data
    assert r["resolution"]["backend"] == source and r["thread_id_kind"] == KINDS[source]
    thread, = r["threads"]
    assert thread["root_message_id"] == "<r1@example.net>" and thread["message_count"] == 2
    assert thread["thread_id"]["kind"] == KINDS[source]
    return ":".join(thread["thread_id"].values())


def answer(emcli, thread, who, kept):
    """Reads it, drafts an answer, and sees it wait.  kept(): drafts there are."""
    got = read(emcli, thread, "--form", "text", who=who)
    assert [m["message_id"] for m in got["messages"]] == ["<r1@example.net>", "<r2@example.net>"]
    assert got["messages"][0]["body"].strip() == "It overflows." and got["complete"]
    assert emcli.run("list-drafts", thread, *who).data["drafts"] == [] == kept()
    ask = ("create-draft", "--thread", thread, *who, "--body", "We look into it.")
    made = emcli.run(*ask).data
    assert made["attached"] and ":".join(made["thread_id"].values()) == thread
    assert made["subject"] == "Re: Report: heap overflow"
    assert made["to"] == [REPORTER] and made["cc"] == [LIST]
    waiting, = emcli.run("list-drafts", thread, *who).data["drafts"]
    assert waiting["draft_id"] == made["draft_id"]
    assert waiting["in_reply_to"] == "<r2@example.net>"
    # The same once more makes nothing; another is refused, and told which.
    assert emcli.run(*ask).data["again"]
    r = emcli.run(*ask[:-1], "Something else.")
    assert r.code == "policy" and r.json["error_detail"]["draft_ids"] == [made["draft_id"]]
    text, = kept()
    assert b"\r\nReferences: <r1@example.net> <r2@example.net>\r\n" in text
    sent = emcli.run("list-sent-since", thread, "--since", "14d", *who).data
    assert sent["messages"] == []
    return made, emcli.run("thread-url", thread, *who).data


def test_a_sweep_from_the_table_to_the_address_of_the_thread(emcli, gmail, imap, mbox,
                                                             project):  # noqa: F811
    path = project(HEAD + "| `gmail` | primary | yes | subscribed to `<security-list>` |\n"
                   "| `imap` | fallback | no | inbound archive |\n"
                   "| `mbox` | fallback | no | snapshot of the archive |\n" + SETTINGS +
                   f"| `security_list` | all | {LIST} |\n"
                   "| `imap_drafts_folder` | `imap` | Drafts |\n"
                   f"| `imap_account` | `imap` | {ME} |\n"
                   f"| `mbox_archive_path` | `mbox` | {mbox} |\n")
    r = emcli.admin("source", "import", path)
    assert r.rc == 0 and r.err == b"", str(r)
    roles = emcli.run("sources").data
    assert [(s["name"], s["role"], s["available"]) for s in roles["sources"]] == [
        ("gmail", "primary", True), ("imap", "fallback", True), ("mbox", "fallback", True)]
    assert {r["backend"] for r in roles["operations"]} == {"gmail"}

    # The primary serves what names nobody; the others are asked by name.
    by = {s: () if s == "gmail" else ("--source", s, "--reason", "a paired check")
          for s in KINDS}
    threads = {s: sweep(emcli, s, *by[s]) for s in KINDS}

    def in_gmail():
        return [gmail.raw(d["message"]["id"]) for d in gmail.drafts()]

    def in_imap():
        return imap.messages("agent", "Drafts")

    before = mbox.read_bytes(), len(imap.messages("agent"))
    made, url = answer(emcli, threads["gmail"], by["gmail"], in_gmail)
    draft, = gmail.drafts()
    assert draft["message"]["threadId"] == threads["gmail"].partition(":")[2]
    assert made["attach_method"] == "thread" and made["resolution"]["rule"] == "primary"
    assert url["url"].endswith("#all/" + draft["message"]["threadId"])

    made, url = answer(emcli, threads["imap"], by["imap"], in_imap)
    assert made["attach_method"] == "reply-header" and made["folder"] == "Drafts"
    assert made["resolution"]["override_reason"] == "a paired check"
    assert url["url"].startswith("imap://localhost/INBOX;UID=")

    # An archive is read, and says what it cannot do; nobody else steps in.
    assert len(read(emcli, threads["mbox"], who=by["mbox"])["messages"]) == 2
    for ask in (("create-draft", "--thread", threads["mbox"], "--body", "x"),
                ("thread-url", threads["mbox"]), ("list-drafts", threads["mbox"])):
        assert emcli.run(*ask, *by["mbox"]).code == "unsupported"
    assert (mbox.read_bytes(), len(imap.messages("agent"))) == before

    # Nothing runs while the mandatory one is away, and nothing left.
    gmail.withdrawn = True
    r = emcli.run("list-recent-threads", "--list", LIST, "--since", "14d")
    assert r.json["error_detail"]["message"].startswith("mandatory backend gmail unavailable: ")
    assert len(in_gmail()) == len(in_imap()) == 1


def test_the_skill_works_with_what_init_leaves(emcli, imap):
    """One account, no role, nothing but the skill's own words to go by."""
    emcli.setting("skills", "grant")
    emcli.set_up("account", "edit", "imap", "--list", LIST)
    r = emcli.run("list-recent-threads", "--since", "14d")
    assert r.code == "skill"
    loaded = emcli.run("load-skill", "--skill", "mail-triage").data
    assert [box["name"] for box in loaded["accounts"]] == ["imap"]
    lease = "--lease", loaded["lease"]
    thread = ":".join(emcli.run("list-recent-threads", "--list", LIST, "--since", "14d",
                                *lease).data["threads"][0]["thread_id"].values())
    made, url = answer(emcli, thread, lease, lambda: imap.messages("agent", "Drafts"))
    assert made["resolution"]["rule"] == "sole" and url["url"].startswith("imap://")


def explained(emcli, op):
    record = json.loads(good(emcli.admin("source", "explain", op, "--json")))
    return record["outcome"], record["backend"], record["step"], record["note"]


def test_the_contract_s_own_table_on_what_it_names(emcli, gmail, project):  # noqa: F811
    """Gmail first and mandatory, the archive as its backstop."""
    archive = ponyd.Ponyd()
    try:
        archive.add(LIST, *REPORT)
        good(emcli.admin("account", "add", "archive", "--backend", "ponymail", "--url",
                         archive.url, "--process-backlog", "--list", LIST))
        good(emcli.admin("source", "import", project(
            HEAD + "| `gmail`    | primary  | yes | Triager Gmail account is subscribed to "
            "`<security-list>` and `<private-list>` |\n"
            "| `ponymail` | fallback | no  | Read-only archive backstop when Gmail history is "
            "incomplete |\n")))
        assert [explained(emcli, op) for op in OPS] == [("chosen", "gmail", 2, None)] * 7
        gmail.withdrawn = True
        gone = "mandatory backend gmail unavailable: auth_expired; run aborted"
        assert [explained(emcli, op) for op in OPS] == [("aborted", None, None, gone)] * 7
        # Were it not mandatory, the archive would serve what it can.
        good(emcli.admin("source", "set", "gmail", "--mandatory", "no"))
        reads = {"list_recent_threads", "read_thread", "thread_url", "search_threads"}
        for op in OPS:
            assert explained(emcli, op) == (
                ("chosen", "archive", 3, None) if op in reads else
                ("skipped", None, 4, f"no backend available for {op}"))
        r = emcli.run("list-recent-threads", "--since", "14d").data
        assert r["threads"][0]["root_message_id"] == "<r1@example.net>"
        assert r["resolution"]["skipped"] == [{"backend": "gmail", "step": 2,
                                               "cause": "unavailable", "reason": "auth_expired"}]
        r = emcli.run("create-draft", "--thread", "<r1@example.net>", "--body", "x")
        # The code is why it is not: consent has gone.
        assert r.code == "auth"
        assert r.json["error_detail"]["message"] == \
            "no backend available for create_draft; to see what is wrong: " \
            "emcli doctor --account gmail"
    finally:
        archive.stop()
