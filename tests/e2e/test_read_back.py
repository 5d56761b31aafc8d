# SPDX-License-Identifier: Apache-2.0
"""Answers and forwarded mail as others read them: mutt, and a JMAP server for its client."""

import json
import mailbox
import os
import re
import urllib.parse
import urllib.request

import pytest

import cyrus
import servers
import test_forward
from test_forward import LATIN, PDF, TO, arrived, forward, two_files
from tui import Screen

work = test_forward.work
OWN = "Ja, gr\u00fc\u00dfe " + "and more words " * 12 + "to the end"
BY = "On 2026-06-21 10:00 +02:00, bob@lab.example wrote:"
FILES = {"a.csv": LATIN, "n\u00f6te.pdf": PDF}
MUTTRC = """
set folder="{0}" spoolfile="{0}" charset=utf-8 ascii_chars=yes sort=threads mark_old=no
set index_format="%s" status_format="the index" pager_format="message %C"
set attach_format="%n %f" sleep_time=0 quit=yes
unset help save_name
"""


@pytest.fixture
def mails(work, dovecot):
    """A message, an answer that quotes it, and both kinds of forwarded mail."""
    uid = test_forward.deliver(work, dovecot, two_files())
    answer = work.run("send", *TO, "--reply-to", uid, "--quote", "--body", OWN)
    assert answer.rc == 0, answer.out
    made = [answer.data, forward(work, uid, "--body", OWN), forward(work, uid, "--as-attachment")]
    return [two_files()] + [arrived(dovecot, sent)[0] for sent in made]


def maildir(mails, folder):
    box = mailbox.Maildir(folder / "box")
    for raw in mails:
        box.add(raw.replace(b"\r\n", b"\n"))
    return folder / "box"


class Mutt(Screen):
    """At the index of that folder, whose messages it shows in threads."""

    def __init__(self, box, folder):
        rc = folder / "muttrc"
        rc.write_text(MUTTRC.format(box))
        env = {"HOME": str(folder), "TERM": "screen-256color", "LC_ALL": "C.UTF-8",
               "PATH": os.environ["PATH"]}
        super().__init__([servers.need("mutt", "mutt"), "-n", "-F", str(rc)], env, folder,
                         size=(120, 50))
        self.folder = folder
        self.wait("the index")

    def read(self, nth):
        """What it shows of the nth message, with its lines joined."""
        self.wait("the index")
        self.press(str(nth), "Enter", "Enter")
        self.wait(f"message {nth}")
        return " ".join(self.text().split())

    def back(self):
        self.press("q")
        self.wait("the index")

    def files(self):
        """
        The bytes that it saves of each file of the message that it shows, but
        for messages: it saves those as folders.
        """
        self.press("v")
        self.wait("Mutt: Attachments")
        found = {}
        for number, name in re.findall(r"(\d+) (\S+\.(?:csv|pdf))", self.text()):
            to = self.folder / f"saved{number}"
            self.press(number, "Enter", "s")
            self.wait("Save to file")
            self.press("C-u")
            self.type(str(to))
            self.press("Enter")
            if self.wait("Attachment saved|Convert attachment")[0][0] == "C":
                self.press("n")  # its very bytes
                self.wait("Attachment saved")
            found[name] = to.read_bytes()
        self.press("q")
        self.wait("message")
        return found


def test_mutt_reads_them_back(mails, tmp_path):
    # It ends the lines of text as files here do.
    saved = {**FILES, "a.csv": LATIN.replace(b"\r", b"")}
    with Mutt(maildir(mails, tmp_path), tmp_path) as mutt:
        assert mutt.text().split("\n")[:4] == \
            ["plan", "|->", "|->Fwd: plan", "`->Fwd: plan"]
        assert f"{OWN} {BY} > Gr\u00fc\u00dfe" in mutt.read(2)
        mutt.back()
        shown = mutt.read(3)
        assert OWN in shown and "Subject: plan To: agent@lab.example Gr\u00fc\u00dfe ---" in shown
        assert mutt.files() == saved
        mutt.back()
        assert "Message-ID: <plan@lab.example> References: <first@lab.example>" in mutt.read(4)
        assert mutt.files() == saved


class Jmap:
    """Bob's client."""

    def __init__(self, server):
        self.head = {"Authorization": "Bearer " + server.token("bob"),
                     "Content-Type": "application/json"}
        self.url = server.url
        session = json.loads(self.get("/.well-known/jmap"))
        self.api, self.download = session["apiUrl"], session["downloadUrl"]
        self.account = session["primaryAccounts"]["urn:ietf:params:jmap:mail"]

    def get(self, path, body=None):
        request = urllib.request.Request(urllib.parse.urljoin(self.url, path), body, self.head)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read()

    def call(self, method, **arguments):
        (_, said, _), = json.loads(self.get(self.api, json.dumps({
            "using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"],
            "methodCalls": [[method, {"accountId": self.account, **arguments}, "0"]],
        }).encode()))["methodResponses"]
        return said

    def text(self, mail):
        part, = mail["textBody"]
        assert part["charset"] == "utf-8"
        return " ".join(mail["bodyValues"][part["partId"]]["value"].split())

    def files(self, mail):
        return {part["name"]: self.blob(part) for part in mail["attachments"]}

    def blob(self, part):
        path = self.download
        for key, value in (("accountId", self.account), ("blobId", part["blobId"]),
                           ("name", "x"), ("type", "application/octet-stream")):
            path = path.replace("{" + key + "}", urllib.parse.quote(value))
        return self.get(path)


def test_a_jmap_client_reads_them_back(mails, postfix):
    server = cyrus.Cyrus(postfix.smtp)
    try:
        for raw in mails:
            server.append("bob", raw)
        client = Jmap(server)
        seen = {m["size"]: m for m in client.call(
            "Email/get", ids=client.call("Email/query")["ids"], fetchTextBodyValues=True,
            properties=["size", "threadId", "subject", "inReplyTo", "references", "textBody",
                        "bodyValues", "attachments"])["list"]}
        first, answer, inline, whole = (seen[len(raw)] for raw in mails)
        assert len({m["threadId"] for m in seen.values()}) == 1
        assert [m["subject"] for m in (answer, inline, whole)] == \
            ["Re: plan", "Fwd: plan", "Fwd: plan"]
        ours = ["first@lab.example", "plan@lab.example"]
        assert answer["inReplyTo"] == ours[1:] and answer["references"] == ours
        assert inline["references"] == whole["references"] == ours
        assert f"{OWN} {BY} > Gr\u00fc\u00dfe" == client.text(answer)
        assert "To: agent@lab.example Gr\u00fc\u00dfe ---" in client.text(inline)
        assert client.files(inline) == client.files(first) == FILES
        assert client.files(whole) == {"message.eml": mails[0]}
    finally:
        server.stop()
