# SPDX-License-Identifier: Apache-2.0
"""emcli account edit without options: the account as a form, and by lines."""
import json
import re
import sqlite3

import pytest

import tui
from test_account import OUT, PIN, show
from test_admin import IMAP, PASSWORD, add, good

LAST = r"Write it down +yes"


@pytest.fixture
def work(emcli):
    good(add(emcli, "work", *IMAP, *OUT))
    return emcli


def screen(emcli, *argv, size=(80, 24), name="work", **env):
    env = {"EMCLI_ADMIN_KEY": emcli.admin_key, "TERM": "xterm-256color", **env}
    for left in "status", "pid", "tmux":
        (emcli.folder / left).unlink(missing_ok=True)
    return tui.Screen([emcli.binary, "account", "edit", name, *argv],
                      emcli.environment(**env), emcli.folder, size)


PAGES = ["Mail is kept by", "IMAP server", "Only listed senders", "When an agent sends", "User name",
         "Send ID after login", "Mailing list", "Senders vouched by", LAST]


def go(s, page):
    """On from the first page to that one."""
    for this, after in zip(PAGES, PAGES[1:]):
        if this == page:
            break
        s.wait(this)
        s.press("Enter")
        s.wait(after)


def sealed(emcli):
    return sqlite3.connect(emcli.db).execute(
        "SELECT enc_password FROM accounts WHERE name = 'work'").fetchone()[0]


def audited(emcli):
    return sqlite3.connect(emcli.db).execute(
        "SELECT account, action, outcome, detail FROM audit_log ORDER BY id DESC").fetchone()


def changed(before, after):
    return {k for k in after if after[k] != before[k]}


def test_it_shows_what_is_and_changes_one_thing(work):
    before, secret = show(work), sealed(work)
    with screen(work) as s:
        s.wait("Mail is kept by +imap[\\s\\S]*Mail address +me@lab.example")
        s.wait("Space: other choice +Esc: back +Ctrl-C: give up")
        s.press("Enter")
        s.wait(r"IMAP server +imap.lab.example[\s\S]*SMTP security +tls")
        s.fill("IMAP port", "1143")
        s.press("Enter")
        s.wait("Only listed senders +off")
        s.press("Enter")
        s.wait("When an agent sends +send")
        s.press("Enter")
        shown = s.wait(r"User name +me@lab.example\n +Password +\(as it is\)").group(0)
        assert PASSWORD not in shown
        s.press("Enter")
        s.wait("Send ID after login +auto")
        s.press("Enter")
        s.wait("Mailing list")
        s.press("Enter")
        s.wait("Proof of senders +none")
        s.press("Enter")
        s.wait(r"IMAP port: 993 -> 1143\n\n +Write it down")
        assert show(work) == before
        s.press("Enter")
        assert s.end() == 0
        assert "imap_port: 993 -> 1143" in s.text()
    after = show(work)
    assert changed(before, after) == {"imap_port"} and after["imap_port"] == 1143
    assert sealed(work) == secret
    account, action, outcome, detail = audited(work)
    assert (account, action, outcome) == ("work", "account.edit", "ok")
    assert "imap_port: 993 -> 1143" in detail


def test_every_setting_has_a_question(work):
    """What account edit takes by options, the form asks for as well."""
    help_ = good(work.admin("account", "edit", "--help"))
    seen = 0
    with screen(work, size=(100, 40)) as s:
        for this, after in zip(PAGES, [*PAGES[1:], None]):
            s.wait(this)
            fields = s.text().split("\n", 1)[1]
            seen += len(re.findall(r"^  [A-Z][A-Za-z ]+(?:$|   )", fields, re.M))
            if after:
                s.press("Enter")
        s.press("C-c")
        assert s.end() == 2
    options = set(re.findall(r"^  --([a-z-]+)", help_, re.M))
    # A folder or a service is asked for in the place of an IMAP server.
    others = {"password-file", "password-stdin", "password-command", "password-ask", "no-tui",
              "help", "path", "url", "json", "color", "no-pager"}
    assert seen == len(options - others) + len(["the password", "the last yes"])


def test_several_pages_are_one_change_and_back_keeps_them(work, tmp_path):
    before = show(work)
    with screen(work) as s:
        s.wait("Account name +work")
        s.fill("Account name", "home")
        s.press("Enter")
        s.wait("IMAP server")
        s.press("Escape")
        s.wait("Account name +home")
        s.press("Escape")
        s.wait("Account name +home")
        s.press("Enter")
        s.wait("IMAP server")
        s.fill("Certificate pin", PIN)
        s.press("Enter")
        s.wait("Only listed senders +off")
        s.choose("Only listed senders", "on")
        s.fill("Only subjects like", "^ticket ")
        s.choose("Old mail counts as new", "on")
        s.fill("Attachments from", str(tmp_path))
        s.press("Enter")
        s.wait("When an agent sends +send")
        s.choose("When an agent sends", "approve")
        s.choose("Whom agents write to", "thread")
        s.fill("Minutes under approval", "30")
        s.choose("Hold mail with secrets", "off")
        s.fill("Messages per day", "5")
        s.press("Enter")
        s.wait("User name")
        s.go("Password")
        s.type("another")
        s.wait(r"Password +\*{7}\n")
        s.press("Enter")
        s.wait("Send ID after login")
        s.choose("Send ID after login", "off")
        s.choose("Shorter login", "off")
        s.choose("Copy into Sent", "off")
        s.press("Enter")
        s.wait("Mailing list")
        s.type("Dev@lab.example")
        s.press("Enter")
        # A list is in force now: whom it could be asked of was looked for.
        s.wait("The newest mail could not be read[\\s\\S]*Proof of senders +none", 30)
        s.press("Enter")
        s.wait("Account name: work -> home[\\s\\S]*Password: replaced[\\s\\S]*Write it down")
        assert show(work) == before
        s.press("Enter")
        assert s.end() == 0
    a = show(work, "home")
    assert changed(before, a) == {
        "name", "pin", "whitelist_in", "subject_regex", "process_backlog", "attach_dir",
        "quirk_id", "quirk_sasl_ir", "sent_copy", "list",
        "outbound", "scope", "taint", "secrets_check", "limit_messages"}
    assert (a["outbound"], a["scope"], a["taint"], a["secrets_check"],
            a["limit_messages"]) == ("approve", "thread", 30, False, 5)
    assert (a["pin"], a["subject_regex"], a["attach_dir"]) == (PIN, "^ticket", str(tmp_path))
    assert a["whitelist_in"] and a["process_backlog"] and a["quirk_id"] == "off"


@pytest.mark.parametrize("page", PAGES)
def test_given_up_on_any_page_changes_nothing(work, page):
    before = show(work)
    with screen(work) as s:
        s.wait("Agents may +RW")
        s.fill("Mail address", "other@lab.example")
        go(s, page)
        s.press("C-c")
        assert s.end() == 2
        assert "nothing was written" in s.text()
    assert show(work) == before


def test_the_last_no_changes_nothing(work):
    before = show(work)
    with screen(work) as s:
        s.wait("Agents may +RW")
        s.choose("Agents may", "RO")
        go(s, LAST)
        s.wait("Agents may: RW -> RO")
        s.choose("Write it down", "no")
        s.press("Enter")
        assert s.end() == 2
    assert show(work) == before


WRONG = [
    (PAGES[0], "Mail address", "no address", "is not a mail address"),
    (PAGES[0], "Mail address", "", "Mail address is missing: an RW account"),
    (PAGES[0], "Account name", "a b", "a name has only letters"),
    (PAGES[0], "Account name", "other", "there is an account other already"),
    (PAGES[1], "IMAP server", "a b", "not a host name"),
    (PAGES[1], "IMAP server", "", "IMAP server is missing"),
    (PAGES[1], "IMAP port", "0", "1 to 65535"),
    (PAGES[1], "Private CA file", "/nonexistent", "Private CA file cannot be read"),
    (PAGES[1], "Certificate pin", "abc", "Certificate pin takes the base64 of 32 bytes"),
    (PAGES[2], "Only subjects like", "(", "subject regex is not valid"),
    (PAGES[2], "Attachments from", "/etc/hostname", "Attachments from is not a folder"),
    (PAGES[3], "Minutes under approval", "soon", "0 for no limit"),
    (PAGES[4], "User name", "", "User name is missing"),
]


def value_in(row, label):
    return row.strip()[len(label):].strip()


@pytest.mark.parametrize("page", sorted({row[0] for row in WRONG}, key=PAGES.index))
def test_what_is_wrong_stays_on_its_page(work, page):
    good(add(work, "other", *IMAP))
    before = show(work)
    with screen(work) as s:
        go(s, page)
        s.wait(page)
        for field, value, says in [row[1:] for row in WRONG if row[0] == page]:
            s.go(field)
            was = value_in(s.row(), field)
            assert says not in s.text()
            s.fill(field, value)
            s.press("Enter")
            s.wait(says)
            assert re.search(page, s.text())
            s.fill(field, was)
            # What was said goes with the next key.
            s.wait(rf"{field} *{re.escape(was)}")
        s.press("C-c")
        assert s.end() == 2
    assert show(work) == before


def test_a_server_becomes_a_folder_and_a_server_again(work, site):
    box = site.box("agent")
    with screen(work) as s:
        s.choose("Mail is kept by", "maildir")
        s.press("Enter")
        s.wait("Maildir\n")
        assert "IMAP" not in s.text()
        s.press("Enter")
        s.wait("Maildir is missing")
        s.type(str(box))
        s.press("Enter")
        s.wait("Only listed senders")
        s.press(*["Enter"] * 6)
        s.wait("IMAP server: imap.lab.example -> nothing[\\s\\S]*Write it down")
        s.press("Enter")
        assert s.end() == 0
    a = show(work)
    assert (a["backend"], a["path"], a["imap_host"], a["imap_port"]) == (
        "maildir", str(box), "", 0)
    with screen(work) as s:
        s.wait("Mail is kept by +maildir")
        s.choose("Mail is kept by", "imap")
        s.press("Enter")
        s.wait("IMAP server\n")
        s.type("i.lab.example:1993")
        s.press("Enter")
        s.wait("Only listed senders")
        s.press(*["Enter"] * 6)
        s.wait("Maildir: /[\\s\\S]*Write it down")
        s.press("Enter")
        assert s.end() == 0
    a = show(work)
    assert (a["backend"], a["path"], a["imap_host"], a["imap_port"]) == (
        "imap", "", "i.lab.example", 1993)


def test_another_way_to_sign_in_takes_the_password_away(work):
    with screen(work) as s:
        go(s, PAGES[1])
        s.wait("Sign in with +password")
        s.choose("Sign in with", "oauth2")
        s.press(*["Enter"] * 7)
        s.wait("Sign in with: password -> oauth2[\\s\\S]*Password: removed")
        s.press("Enter")
        assert s.end() == 0
    assert sealed(work) is None


def test_resize_and_nothing_changed(work):
    before = show(work)
    with screen(work) as s:
        s.wait("Agents may +RW")
        s.resize(120, 40)
        s.wait("Agents may +RW")
        s.resize(30, 8)
        s.wait("too small")
        s.resize(60, 16)
        s.wait("Agents may +RW")
        go(s, LAST)
        s.wait("Nothing was changed")
        s.press("Enter")
        assert s.end() == 0
        assert "nothing changed" in s.text()
    assert show(work) == before


def test_spaces_at_the_end_stay_what_they_are(work):
    good(work.admin("account", "edit", "work", "--subject-regex", "^ticket "))
    for env in {}, {"TERM": "dumb"}:
        with screen(work, **env) as s:
            if env:
                asked = ""
                # A question is answered once: the one before may be there still.
                while "Write it down" not in asked:
                    asked = s.wait(rf"(?:^|\n)(?!{re.escape(asked)}$)([^\n]*:)$").group(1)
                    s.press("Enter")
            else:
                go(s, LAST)
                s.press("Enter")
            assert s.end() == 0
            assert "nothing changed" in s.text()
    assert show(work)["subject_regex"] == "^ticket "


@pytest.mark.parametrize("argv, env", [((), {"TERM": "dumb"}), (("--no-tui",), {})])
def test_by_lines(work, argv, env):
    before, secret = show(work), sealed(work)
    with screen(work, *argv, **env) as s:
        def say(question, answer=""):
            s.wait(rf"{question}[^\n]*:$")
            s.type(answer)
            s.press("Enter")

        say("Mail is kept by", "")
        say("Mail address", "<")
        say("Mail is kept by", "")
        say("Mail address", "no address")
        s.wait(r"! [^\n]*\nMail address")
        say("Mail address", "Other@Lab.Example")
        say("Account name")
        say("Agents may", "RO")
        for q in ("IMAP server", "IMAP port", "IMAP security"):
            say(q)
        say("SMTP server", "-")
        for q in ("SMTP port", "SMTP security", "Sign in with", "Private CA file",
                  "Certificate pin", "Only listed senders", "Only listed recipients",
                  "Only subjects like", "Old mail counts as new", "Agents may organise", "Only in these folders",
                  "Changes per day",
                  "Attachments from", "When an agent sends", "Whom agents write to", "Agents may forward",
                  "File of a signature", "Text as HTML too", "Minutes under approval", "Hold mail with secrets",
                  "Messages per day", "New people per day", "Bytes per day", "Recipients per message",
                  "Refuse unfinished mail", "User name"):
            say(q)
        say(r"Password \(not shown; Enter: as it is\)")
        for q in ("Send ID after login", "Shorter login", "Copy into Sent", "Mailing list",
                  "Folder of the list", "Folder for drafts", "Folder for sent mail",
                  "Address of threads", "Senders vouched by", "Proof of senders"):
            say(q)
        s.wait("SMTP server: smtp.lab.example -> nothing[\\s\\S]*Write it down")
        assert show(work) == before
        say("Write it down")
        assert s.end() == 0
    a = show(work)
    assert changed(before, a) == {"from", "mode", "smtp_host", "smtp_port", "smtp_security"}
    assert (a["from"], a["mode"], a["smtp_host"]) == ("other@lab.example", "RO", "")
    assert sealed(work) == secret


def test_without_a_terminal_or_an_account_nobody_is_asked(work):
    for argv in [], ["--no-tui"]:
        r = work.admin("account", "edit", "work", *argv)
        assert r.rc == 2 and b"no change was given" in r.err
    with screen(work, name="nobody") as s:
        assert s.end() == 1
        assert "no such account" in s.text()
    assert json.loads(good(work.admin("account", "list", "--json")))["accounts"]
