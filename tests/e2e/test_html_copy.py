# SPDX-License-Identifier: Apache-2.0
"""The page beside the text, as other readers than ours find it."""
import email
import email.policy
import html.parser

import pytest

from mail import message

TO = ("--account", "work", "--to", "bob@lab.example")
BODY = """Dear <b>Bob</b> & "co",
see https://us.example/a?b=1&c='2'&d.

> you said
>> javascript:alert(1) <script>alert(2)</script>
Gr\u00fc\u00dfe"""
TEXT = BODY.replace("> you", "you").replace(">> java", "java")


class Page(html.parser.HTMLParser):
    """Its tags, addresses and text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.links, self.text = set(), [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [v for k, v in attrs if tag == "a" and k == "href"]

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def work(emcli, dovecot, postfix, tmp_path):
    (tmp_path / "signature").write_text("Ann\n")
    (tmp_path / "a.csv").write_text("1,2\n")
    emcli.account_imap(dovecot, postfix, process_backlog=True, html_copy="on", forward="on",
                       attach_dir=tmp_path, signature_file=tmp_path / "signature")
    emcli.account_imap(dovecot, postfix, name="bob", user="bob", process_backlog=True)
    return emcli


def arrived(dovecot, r):
    assert r.rc == 0, str(r)
    raw = dovecot.wait_for("bob", r.data["message_id"].encode())
    return email.message_from_bytes(raw, policy=email.policy.default)


def both(got):
    text, page = (p for p in got.walk() if p.get_content_maintype() == "text")
    assert text.get_content_type() == "text/plain" and page.get_content_type() == "text/html"
    return text.get_content(), Page(page.get_content())


def test_the_page_says_what_the_text_says(work, dovecot):
    r = work.run("send", *TO, "--subject", "s", "--body", BODY)
    got = arrived(dovecot, r)
    assert got.get_content_type() == "multipart/alternative" and not got.defects
    text, page = both(got)
    assert text.splitlines() == (BODY + "\n\n-- \nAnn\n").splitlines()
    assert page.text.split() == (TEXT + " -- Ann").split()
    assert page.links == ["https://us.example/a?b=1&c='2'&d"]
    assert page.tags == {"html", "head", "meta", "body", "p", "br", "a", "blockquote"}
    # A reader that compares the two finds no difference, and nothing hidden: it is our mail.
    row, = work.run("search", "--account", "bob", "--message-id", r.data["message_id"]).data["messages"]
    seen = work.run("get", "--account", "bob", "--uid", row["uid"])
    assert seen.data["warnings"] == ["loop"], seen.out


def test_it_is_there_with_files_quotes_and_drafts(work, dovecot, tmp_path):
    uid = str(dovecot.append("agent", message(
        subject="plan", sender="Bob <bob@lab.example>", body="the plan\r\n",
        date="Sun, 21 Jun 2026 10:00:00 +0200")))
    got = arrived(dovecot, work.run("send", *TO, "--reply-to", uid, "--quote", "--body", "Yes",
                                    "--attach", tmp_path / "a.csv"))
    inner, file = got.iter_parts()
    assert (got.get_content_type(), inner.get_content_type()) == \
        ("multipart/mixed", "multipart/alternative")
    assert file.get_payload(decode=True) == b"1,2\n"
    _, page = both(inner)
    assert page.text.split() == ("Yes Ann On 2026-06-21 10:00 +02:00, bob@lab.example wrote: "
                                 "the plan").split()
    _, page = both(arrived(dovecot, work.run("forward", *TO, "--uid", uid)))
    assert "the plan" in page.text
    assert work.run("create-draft", *TO, "--subject", "s", "--body", "hello").rc == 0
    raw, = dovecot.messages("agent", "Drafts")
    _, page = both(email.message_from_bytes(raw, policy=email.policy.default))
    assert page.text.split() == ["hello", "--", "Ann"]


def test_a_secret_is_found_and_a_person_reads_the_text(work, dovecot):
    work.set_up("canary", "add", "the heron lands at nine")
    r = work.run("send", *TO, "--subject", "s", "--body", "<i> The heron lands at nine.")
    assert r.json["error_detail"]["reason"] == "secret"
    shown = work.admin("approve", "show", r.json["error_detail"]["id"], "--json").json
    assert shown["text"].splitlines()[0] == "<i> The heron lands at nine."
    assert shown["attachments"] == []
