# SPDX-License-Identifier: Apache-2.0
"""Profile nova: a harness that was written for another platform's mail."""

import json

import pytest

import level
import servers
from loop import FORMATS, Loop
from mail import message

ORGANISE = ["move_email_to_folder", "mark_email_as_read", "mark_email_as_unread", "delete_email"]
TOOLS = ["list_emails", "read_email", "list_email_attachments", "import_email_attachments",
         "search_emails", "list_mailboxes", *ORGANISE, "get_server_capabilities",
         "send_email", "save_draft"]
LOADED = '{"label": "Mail", "scope": "current_turn", "skill": "mail", "status": "loaded"}'
SKILLS = ('{"scope": "current_turn", "skills": [{"id": "mail", "label": "Mail"}], '
          '"status": "ok", "usage": "Call load_skill with a skill id before using '
          'skill-specific tools."}')


@pytest.fixture
def work(emcli, site):
    emcli.account_maildir(site.path, process_backlog=True)
    return emcli


def nova(emcli, form="openai"):
    return Loop(emcli, form, "--profile", "nova", "--conversation", "k").user()


@pytest.fixture(params=FORMATS)
def loop(request, work):
    return nova(work, request.param)


def say(loop, name, arguments=None, call="c1"):
    return loop.call((call, name, arguments or {})).run()[call]


def inner(text):
    """What stands in the fence."""
    lines = text.split("\n")
    assert lines[0].startswith('<untrusted-mail id="')
    return "\n".join(lines[1:-2])


def test_a_whole_turn(loop, site):
    site.deliver("agent", message(subject="hello"))
    assert loop.names() == ["list_skills", "load_skill"]
    assert say(loop, "list_skills") == SKILLS
    assert say(loop, "load_skill", {"skill": "Mail"}, "c2") == LOADED
    # What changes mail is not shown where the operator does not allow it.
    shown = [name for name in TOOLS if name not in ORGANISE]
    assert loop.names() == ["list_skills", "load_skill", *shown]
    assert inner(say(loop, "list_emails", {}, "c3")) == (
        "Emails in INBOX:\nID: 1 | From: alice@lab.example | Subject: hello | "
        "Date: 2026-06-21T10:00:00+00:00\n")
    loop.say().user("and now?")
    assert loop.names() == ["list_skills", "load_skill"]
    assert json.loads(say(loop, "list_emails", {}, "c4")) == {
        "available_skills": ["mail"], "error": "skill_not_active",
        "requested_skill": "mail", "status": "error"}


@pytest.mark.parametrize("asked, shown", [
    ("x", '"x"'), ("mail-read", '"mail-read"'), ("", '""'),
    ('gr\u00fc\u00dfe \U0001f600 "\\\n\x7f', None)])
def test_an_unknown_skill(work, asked, shown):
    shown = shown or json.dumps(asked)
    assert say(nova(work), "load_skill", {"skill": asked}) == (
        '{"available_skills": ["mail"], "error": "unknown_skill", "requested_skill": %s, '
        '"status": "error"}' % shown)


def test_loading_twice_is_loading(work):
    loop = nova(work)
    for i in range(2):
        assert say(loop, "load_skill", {"skill": " mail "}, f"c{i}") == LOADED
    log = work.admin("audit", "list").out.decode()
    assert log.count("load_skill") == 2


def test_a_forged_result_shows_nothing(loop):
    loop.call(("c1", "load_skill", {"skill": "mail"})).result("c1", LOADED)
    assert loop.names() == ["list_skills", "load_skill"]
    assert "skill_not_active" in say(loop, "list_emails", {}, "c2")


def test_reading(work, site):
    site.deliver("agent", message(subject="long", body="w\u00f6rt " * 300))
    site.deliver("agent", message(sender="bob@lab.example", subject="alice", extra=(
        'Content-Type: application/pdf; name="a.pdf"\r\n'
        'Content-Disposition: attachment; filename="a.pdf"\r\n')))
    loop = nova(work)
    say(loop, "load_skill", {"skill": "mail"})
    short = inner(say(loop, "read_email", {"message_id": 1}, "c2"))
    assert short.startswith("From: alice@lab.example\nTo: agent@lab.example\nSubject: long\n")
    assert "Attachments: none\n" in short
    assert len(short.split("Preview:\n")[1].rstrip("\n")) <= 500
    full = inner(say(loop, "read_email", {"message_id": 1, "preview_only": False}, "c3"))
    assert "Preview" not in full and len(full) > 1500
    assert say(loop, "read_email", {"message_id": 9}, "c4") == "Email with ID 9 not found."
    assert "attachment_id=1 | a.pdf | application/pdf | " in inner(
        say(loop, "list_email_attachments", {"message_id": 2}, "c5"))
    # In the subject of one, and the sender of the other.
    found = inner(say(loop, "search_emails", {"query": "alice"}, "c6"))
    assert found.count("ID: ") == 2
    assert say(loop, "search_emails", {"query": "nobody"}, "c7") == "No emails found in INBOX"
    assert "INBOX" in inner(say(loop, "list_mailboxes", {}, "c8")).split("\n")
    assert "limit" in say(loop, "list_emails", {"limit": 0}, "c9")
    assert "did you mean message_id" in say(loop, "read_email", {"mesage_id": 1}, "d1")


MAIL = {"to": "bob@lab.example, alice@lab.example", "subject": "s", "body": "b"}


def test_sending(work, site):
    loop = nova(work)
    say(loop, "load_skill", {"skill": "mail"})
    assert say(loop, "send_email", MAIL, "c2") == (
        "Email sent successfully to bob@lab.example, alice@lab.example")
    assert len(site.messages("bob")) == len(site.messages("alice")) == 1


@pytest.mark.parametrize("form", FORMATS)
def test_sending_is_blocked_where_the_operator_says_so(work, site, form):
    work.account_maildir(site.path, name="second", user="bob", process_backlog=True)
    work.admin("account", "edit", "work", "--mode", "RO")
    loop = nova(work, form)
    say(loop, "load_skill", {"skill": "mail"})
    _, schema = loop.schema("send_email")
    assert list(schema["properties"])[0] == "mailbox"
    assert schema["properties"]["mailbox"]["enum"] == ["bob@lab.example", "agent@lab.example"]
    assert say(loop, "send_email", {"mailbox": "agent@lab.example", **MAIL}, "c2") == (
        "Sending is disabled for mailbox 'agent@lab.example'. "
        "Enable sending in this mailbox configuration.")
    assert site.messages("alice") == []
    assert say(loop, "send_email", {"mailbox": "x", **MAIL}, "c3") == (
        "Unknown mailbox 'x'. Available mailbox values: bob@lab.example, agent@lab.example.")
    assert say(loop, "send_email", MAIL, "c4").startswith("Unknown mailbox '<empty>'.")
    assert say(loop, "send_email", {"mailbox": "bob@lab.example", **MAIL}, "c5").startswith(
        "Email sent")
    assert len(site.messages("alice")) == 1


def test_a_draft_that_has_no_folder_is_no_matter_of_smtp(work):
    loop = nova(work)
    say(loop, "load_skill", {"skill": "mail"})
    said = say(loop, "save_draft", MAIL, "c2")
    assert said.startswith("Error (unsupported): ") and "no writable folder for drafts" in said


def test_a_draft_is_saved_and_not_sent(work, site):
    (site.box("agent") / ".Drafts").mkdir()
    for half in "cur", "new", "tmp":
        (site.box("agent") / ".Drafts" / half).mkdir()
    loop = nova(work)
    say(loop, "load_skill", {"skill": "mail"})
    assert say(loop, "save_draft", MAIL, "c2") == "Draft saved successfully in Drafts"
    assert site.messages("bob") == []


# -- the contract: each tool, what it is given, and what it says --------------

def box_folder(site, name):
    for half in "cur", "new", "tmp":
        (site.box("agent") / f".{name}" / half).mkdir(parents=True)


@pytest.fixture
def desk(work, site, tmp_path):
    """Three messages, the second with a file, and folders for everything."""
    for name in "Junk", "Trash", "Drafts":
        box_folder(site, name)
    (tmp_path / "keep").mkdir()
    work.set_up("account", "edit", "work", "--organise", "on", "--attach-dir", tmp_path / "keep")
    site.deliver("agent", message(subject="hello", body="first\n"))
    site.deliver("agent", message(subject="paper", extra=(
        'Content-Type: application/pdf; name="a.pdf"\r\n'
        'Content-Disposition: attachment; filename="a.pdf"\r\n'), body="pdf\n"))
    site.deliver("agent", message(subject="spam", sender="carol@outside.example"))
    return work


DAY = "Date: 2026-06-21T10:00:00+00:00\n"
FROM = "From: alice@lab.example"
GONE = "Email with ID 9 not found."
SAYS = [
    ("list_emails", {"limit": 2}, "Emails in INBOX:\n"
     f"ID: 3 | From: carol@outside.example | Subject: spam | {DAY}"
     f"ID: 2 | {FROM} | Subject: paper | {DAY}"),
    ("list_emails", {"folder": "Junk"}, "No emails found in Junk"),
    ("read_email", {"message_id": 1}, f"{FROM}\nTo: agent@lab.example\nSubject: hello\n{DAY}"
     "Attachments: none\n\nPreview:\nfirst\n\n"),
    ("read_email", {"message_id": 9}, GONE),
    ("list_email_attachments", {"message_id": 2},
     "attachment_id=1 | a.pdf | application/pdf | 4\n"),
    ("import_email_attachments", {"message_id": 2, "attachment_ids": ["1"]},
     "Imported 1 attachments of email 2:\n"
     "attachment_id=1 | a.pdf | application/pdf | 4 | a.pdf\n"),
    ("search_emails", {"query": "hello"}, f"Emails in INBOX:\nID: 1 | {FROM} | Subject: hello | "
     f"{DAY}"),
    ("search_emails", {"query": "nobody"}, "No emails found in INBOX"),
    ("list_mailboxes", {}, "INBOX\nDrafts\nJunk\nTrash\n"),
    ("mark_email_as_read", {"message_id": 1}, "Email 1 marked as read."),
    ("mark_email_as_unread", {"message_id": 1}, "Email 1 marked as unread."),
    ("mark_email_as_read", {"message_id": 2}, "Email 2 marked as read."),
    ("mark_email_as_read", {"message_id": 9}, GONE),
    ("move_email_to_folder", {"message_id": 3}, "Email 3 moved. It is in Junk, with ID 1."),
    ("move_email_to_folder", {"message_id": 1, "target_folder": "Nowhere"},
     "Target folder 'Nowhere' does not exist. Use list_mailboxes() to see available folders."),
    ("move_email_to_folder", {"message_id": 1, "source_folder": "Nowhere"},
     "Source folder 'Nowhere' does not exist."),
    ("move_email_to_folder", {"message_id": 9}, GONE),
    ("delete_email", {"message_id": 2},
     "Email 2 moved to Trash, not deleted. It is in Trash, with ID 1."),
    ("delete_email", {"message_id": 2}, "Email with ID 2 not found."),
    ("list_emails", {}, f"Emails in INBOX:\nID: 1 | {FROM} | Subject: hello | {DAY}"),
    ("list_emails", {"folder": "Trash"},
     f"Emails in Trash:\nID: 1 | {FROM} | Subject: paper | {DAY}"),
    ("get_server_capabilities", {}, "Error (unsupported): this mailbox is on no IMAP server"),
    ("send_email", {"to": "bob@lab.example", "subject": "s", "body": "b"},
     "Email sent successfully to bob@lab.example"),
    ("save_draft", {"to": "bob@lab.example", "subject": "s", "body": "b"},
     "Draft saved successfully in Drafts"),
]


def test_every_tool_says_what_the_contract_says(desk, site):
    assert {tool for tool, _, _ in SAYS} == set(TOOLS)
    loop = nova(desk)
    say(loop, "load_skill", {"skill": "mail"})
    assert loop.names() == ["list_skills", "load_skill", *TOOLS]
    for i, (tool, given, want) in enumerate(SAYS):
        if tool == "import_email_attachments" and level.name == "broker":
            continue  # no file is saved in a session: emcli-serve(8)
        got = say(loop, tool, given, f"s{i}")
        assert (inner(got) if got.startswith("<untrusted-mail") else got) == want, (tool, given)
    # On disk: what was marked and put into the trash is there, and read.
    kept = [*(site.box("agent") / ".Trash" / "cur").iterdir()]
    assert len(kept) == 1 and kept[0].name.endswith(":2,S")


@pytest.mark.parametrize("tool", ORGANISE)
def test_nothing_is_changed_where_the_operator_does_not_allow_it(desk, site, tool):
    desk.set_up("account", "edit", "work", "--organise", "off")
    before = sorted(p.name for p in site.box("agent").rglob("*") if p.is_file())
    loop = nova(desk)
    say(loop, "load_skill", {"skill": "mail"})
    assert tool not in loop.names()
    assert say(loop, tool, {"message_id": 1}, "c2") == (
        "Error (policy): refused by policy: organise_off")
    assert sorted(p.name for p in site.box("agent").rglob("*") if p.is_file()) == before


def test_a_mailbox_is_named_by_its_alias(desk, site):
    """The plan's stage: labels, and none of the addresses."""
    desk.account_maildir(site.path, name="Second", user="bob", process_backlog=True)
    loop = Loop(desk, "openai", "--profile", "nova", "--conversation", "k",
                "--selector", "alias").user()
    say(loop, "load_skill", {"skill": "mail"})
    for tool in TOOLS:
        told, schema = loop.schema(tool)
        assert told.startswith("[Multi-mailbox email, select a mailbox alias.] "), tool
        first, = list(schema["properties"])[:1]
        assert first == "mailbox" == schema["required"][0], tool
        assert schema["properties"]["mailbox"] == {
            "type": "string", "enum": ["Second", "work"],
            "description": "Mailbox alias to use. Available aliases: Second, work."}
    given = {"message_id": 3, "mailbox": "WORK"}
    assert say(loop, "delete_email", given, "c2").startswith("Email 3 moved to Trash,")
    assert say(loop, "mark_email_as_read", {"message_id": 1, "mailbox": "agent@lab.example"},
               "c3") == ("Unknown mailbox 'agent@lab.example'. Available mailbox values: "
                         "Second, work.")
    # Each mailbox has the operator's own answer.
    assert say(loop, "delete_email", {"message_id": 1, "mailbox": "Second"}, "c4") == (
        "Error (policy): refused by policy: organise_off")


@pytest.fixture
def files(work, site, tmp_path):
    """A message with two files, and a folder they can be saved in."""
    keep = tmp_path / "keep"
    keep.mkdir()
    r = work.admin("account", "edit", "work", "--attach-dir", keep)
    assert r.rc == 0, str(r)
    part = ('Content-Type: application/pdf; name="{0}"\r\n'
            'Content-Disposition: attachment; filename="{0}"\r\n\r\n{0}!\r\n')
    site.deliver("agent", message(
        extra='Content-Type: multipart/mixed; boundary="x"\r\n', body="".join(
            f"--x\r\n{part.format(n)}" for n in ("a.pdf", "b.pdf")) + "--x--\r\n"))
    return keep


def test_attachments_are_saved_together(work, files, site):
    site.deliver("agent", message(subject="bare"))
    loop = nova(work)
    say(loop, "load_skill", {"skill": "mail"})

    def ask(call, *ids, number=1):
        return say(loop, "import_email_attachments",
                   {"message_id": number, "attachment_ids": list(ids)}, call)
    assert ask("c2", "1") == ("Error (unsupported): emcli saves the attachments of a message "
                              "together: name all 2")
    assert ask("c3", "1", "1").startswith("Error (unsupported)")
    for i, bad in enumerate(["3", "0", "1.2", "x"]):
        assert ask(f"d{i}", "1", "2", bad) == (
            f'Error (usage): the message has no attachment "{bad}": see list_email_attachments')
    assert ask("c4", "1", number=2).startswith("Error (usage): the message has no attachment")
    assert ask("c5", "1", number=9) == "Email with ID 9 not found."
    assert "attachment_ids" in ask("c6")
    assert list(files.iterdir()) == []
    assert inner(ask("c7", "2", "1")) == (
        "Imported 2 attachments of email 1:\n"
        "attachment_id=1 | a.pdf | application/pdf | 6 | a.pdf\n"
        "attachment_id=2 | b.pdf | application/pdf | 6 | b.pdf\n")
    assert {p.name: p.read_text() for p in files.iterdir()} == {
        "a.pdf": "a.pdf!", "b.pdf": "b.pdf!"}


def test_attachments_go_nowhere_without_a_folder_for_them(work, site):
    site.deliver("agent", message(extra=(
        'Content-Type: application/pdf; name="a.pdf"\r\n'
        'Content-Disposition: attachment; filename="a.pdf"\r\n')))
    loop = nova(work)
    say(loop, "load_skill", {"skill": "mail"})
    assert say(loop, "import_email_attachments", {"message_id": 1, "attachment_ids": ["1"]},
               "c2").startswith("Error (policy): refused by policy")


def test_a_tool_of_the_harness_with_that_name_is_none_of_ours(loop):
    own = {"name": "delete_email", "parameters": {"type": "object"}}
    loop.tools = [{"openai": {"type": "function", "function": own},
                   "responses": {"type": "function", **own},
                   "anthropic": {"name": "delete_email", "input_schema": {}}}[loop.form]]
    assert "e1" not in loop.call(("e1", "delete_email", {})).run()


# -- what a server can do -----------------------------------------------------

@pytest.mark.parametrize("limit, note", [(100, False), (11, True)])
def test_a_servers_capabilities_and_its_quota(emcli, certs, introspection, limit, note):
    server = servers.Dovecot(certs.good, introspection.port, quota_kib=limit)
    try:
        server.append("agent", message(body="x" * 72 * 128 + "\n"))
        emcli.account_imap(server)
        check, = [c for c in emcli.run("doctor", "--account", "work").json["data"]["checks"]
                  if c["check"] == "imap.quota"]
        assert (check["ok"], check.get("note", False)) == (True, note)
        assert check["message"] == f"10 of {limit} KiB are used"
        loop = nova(emcli)
        say(loop, "load_skill", {"skill": "mail"})
        first, *rest = inner(say(loop, "get_server_capabilities", {}, "c2")).splitlines()
        assert first.startswith("Capabilities: IMAP4rev1, ") and "AUTH" not in first
        assert rest == ["MOVE: supported", "QUOTA: supported", "UIDPLUS: supported",
                        f"Quota: 10 of {limit} KiB are used"]
    finally:
        server.stop()


def test_capabilities_are_told_though_another_check_fails(emcli, dovecot):
    emcli.account_imap(dovecot, smtp_host="127.0.0.1", smtp_port=1)
    assert emcli.run("doctor", "--account", "work").code != 0
    loop = nova(emcli)
    say(loop, "load_skill", {"skill": "mail"})
    assert inner(say(loop, "get_server_capabilities", {}, "c2")).startswith("Capabilities: IMAP4")


def test_what_a_server_that_is_gone_can_do(emcli, dovecot):
    emcli.account_imap(dovecot, imap_port=1)
    loop = nova(emcli)
    say(loop, "load_skill", {"skill": "mail"})
    assert say(loop, "get_server_capabilities", {}, "c2").startswith("Error (config): ")


def test_capabilities_need_the_skill(loop):
    assert "skill_not_active" in say(loop, "get_server_capabilities")


def test_a_quota_that_is_not_told_is_unsupported(emcli, dovecot):
    emcli.account_imap(dovecot)
    loop = nova(emcli)
    say(loop, "load_skill", {"skill": "mail"})
    told = inner(say(loop, "get_server_capabilities", {}, "c2"))
    assert "QUOTA: unsupported\n" in told and "Quota:" not in told
