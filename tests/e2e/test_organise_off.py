# SPDX-License-Identifier: Apache-2.0
"""
Where the operator does not allow organising, nothing changes mail: no door, grant, profile or
transcript.  What is sent to the server says so; each grant is from when it was allowed.
"""

import http.client
import json
import re
import subprocess

import pytest

import google as gmail
import servers
from flights import Flights
from jmapd import Jmapd
from loop import FORMATS, Loop
from mail import message, uids
from modeld import Server as Model
from oauthlab import google_emulator, npm  # noqa: F401
from smtpd import Smtpd
from test_ask import Asker
from test_gmail import TOKEN
from test_mcp import LEGACY, MODERN, Host
from test_mcp_http import Client, Server, token

# What each operation is given; any other, its required arguments, by VALUES.
# A uid is put in its place in their order, since a folder's first is not always 1.
ORGANISE = {"account": "work", "folder": "INBOX"}
GIVEN = {
    "mark": [{**ORGANISE, "uid": [1, 2], **what} for what in (
        {"read": True}, {"unread": True}, {"flag": True}, {"unflag": True}, {"answered": True},
        {"unanswered": True}, {"label": ["work"]}, {"unlabel": ["work"]},
        {"read": True, "dry_run": True})] + [{**ORGANISE, "from": "alice", "read": True}],
    "move": [{**ORGANISE, "uid": [1], "to": "Archive"},
             {**ORGANISE, "subject_contains": "note", "to": "Archive"}],
    "archive": [{**ORGANISE, "uid": [1]}, {**ORGANISE, "before": "2100-01-01"}],
    "trash": [{**ORGANISE, "uid": [1]}, {**ORGANISE, "from": "alice"}],
    "list": [ORGANISE, {**ORGANISE, "new": True}],
    "watch": [{**ORGANISE, "timeout": 1}],
    "list_drafts": [{}], "create_draft": [
        {"to": ["bob@lab.example"], "subject": "s", "body": "words", "another": "a test"}],
    "load_skill": [{"skill": "mail-organize"}, {"skill": "mail"}],
}
VALUES = {"account": "work", "folder": "INBOX", "uid": 1, "to": ["bob@lab.example"],
          "subject": "s", "body": "words", "since": "2026-06-01", "skill": "mail",
          "path": "references/commands.md", "thread": "rfc5322-message-id:<n0@tests.example>",
          "draft": "1", "id": 1, "lease": "0" * 32, "change": 1}
# Those come last: they end what the others need.
LAST = ["unload_skill", "freeze_self"]
SKILLS = ["mail", "mail-organize", "mail-read", "mail-send", "mail-triage"]

NOVA = [("move_email_to_folder", {"message_id": 1, "target_folder": "Archive"}),
        ("mark_email_as_read", {"message_id": 1}), ("mark_email_as_unread", {"message_id": 1}),
        ("delete_email", {"message_id": 1}), ("list_emails", {}), ("read_email", {"message_id": 1}),
        ("search_emails", {"query": "note"}), ("list_mailboxes", {}),
        ("list_email_attachments", {"message_id": 1}), ("get_server_capabilities", {}),
        ("save_draft", {"to": "bob@lab.example", "subject": "s", "body": "b"})]


def placed(emcli, given):
    """With the uids that the folder has."""
    def put(value):
        return [put(v) for v in value] if isinstance(value, list) else emcli.uids[value - 1]
    return {k: put(v) if k in ("uid", "message_id") else v for k, v in given.items()}


def calls(emcli):
    """Every operation of the table with what it takes."""
    out = []
    names = list(json.loads(emcli.run("schema").out))
    for op in [n for n in names if n not in LAST] + LAST:
        takes = json.loads(emcli.run("schema", op.replace("_", "-")).out)["arguments"]
        for given in GIVEN.get(op, [None]):
            if given is None:
                given = {name: VALUES[name] for name in takes.get("required", ())}
                given |= {n: VALUES[n] for n in ("account", "folder") if n in takes["properties"]}
            out.append((op, placed(emcli, given)))
    assert set(GIVEN) | {"mark", "get", "search", "ack", "labels", "changes"} <= {
        op for op, _ in out}
    return out


# -- the servers, and what they are told --------------------------------------

# Anything else an IMAP client says changes a folder or a message, or could.
READS = {"CAPABILITY", "LOGIN", "AUTHENTICATE", "ID", "ENABLE", "NAMESPACE", "LIST", "STATUS",
         "EXAMINE", "UID SEARCH", "UID FETCH", "FETCH", "NOOP", "IDLE", "LOGOUT", "CLOSE",
         "UNSELECT"}
# A draft, the copy of what was sent, and whether there can be a draft.
WRITES = (r'SELECT "Drafts"|APPEND "Drafts" \(\\Draft \\Seen\) \{\d+\+?\}|'
          r'APPEND "Sent" \(\\Seen\) \{\d+\+?\}')
NOTES = [message(subject=f"note {n}", mid=f"<n{n}@tests.example>") for n in range(3)]


class Imap:
    def __init__(self, emcli, dovecot, certs):
        for raw in NOTES:
            dovecot.append("agent", raw)
        self.proxy = Flights(certs.good, dovecot.imaps).__enter__()
        self.smtp = Smtpd(certs.good[0], certs.good[1], users={
            servers.address("agent"): servers.password("agent")}).start()
        emcli.account_imap(dovecot, imap_port=self.proxy.port, process_backlog=True,
                           smtp_host="localhost", smtp_port=self.smtp.port, smtp_security="tls")

    def end(self):
        self.smtp.stop()
        self.proxy.__exit__()

    def changes(self):
        """What was asked for since the last time, but for reads, drafts and sent mail."""
        _, said = self.proxy.take(kept=True)
        return [(verb, rest) for verb, rest in said
                if verb not in READS and not re.fullmatch(WRITES, verb + rest)]


class Jmap:
    def __init__(self, emcli):
        self.server = Jmapd({"Inbox": NOTES, "Drafts": [], "Sent": [], "Archive": [], "Trash": []})
        self.asked = []
        for method in "Email/set", "Mailbox/set", "EmailSubmission/set", "Email/copy":
            self.server.method[method] = self.note(method)
        emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options({
            "backend": "jmap", "mode": "RW", "whitelist_out": "off", "process_backlog": True,
            "from": self.server.address, "username": self.server.address,
            "url": self.server.url}), stdin=servers.password("agent"))

    def note(self, method):
        own = getattr(self.server, method.replace("/", "_"), None)

        def answer(args):
            self.asked.append((method, args))
            return own(args)
        return answer

    def end(self):
        self.server.stop()

    def changes(self):
        # A send destroys nothing but the copy that it had made.
        out = [(m, a) for m, a in self.asked
               if m != "EmailSubmission/set" or "onSuccessUpdateEmail" in a]
        self.asked.clear()
        return out


class Gmail:
    def __init__(self, emcli, emulator):
        self.server = gmail.Google(emulator.base)
        self.server.empty()
        self.server.live.add(TOKEN)
        for raw in NOTES:
            self.server.put(raw, "INBOX")
        emcli.set_up("account", "add", "work", "--password-stdin", *emcli.options({
            "backend": "gmail", "mode": "RW", "whitelist_out": "off", "auth": "oauth2",
            "from": "agent@lab.example", "username": "agent@lab.example",
            "url": self.server.base, "process_backlog": True}), stdin=TOKEN)
        self.server.forget()

    def end(self):
        self.server.stop()

    def changes(self):
        asked = self.server.asked + self.server.inner
        self.server.forget()
        return [(method, path) for method, path in asked if method != "GET" and
                path.partition("?")[0] not in ("/batch/gmail/v1", "/gmail/v1/users/me/drafts")]


@pytest.fixture(params=["imap", "jmap", "gmail"])
def store(request, emcli):
    made = {"imap": lambda: Imap(emcli, request.getfixturevalue("dovecot"),
                                 request.getfixturevalue("certs")),
            "jmap": lambda: Jmap(emcli),
            "gmail": lambda: Gmail(emcli, request.getfixturevalue("google_emulator"))}
    one = made[request.param]()
    yield one
    one.end()


def organise(emcli, how):
    emcli.set_up("account", "edit", "work", "--organise", how)


# -- the doors ----------------------------------------------------------------
# Each takes the rights it can get, calls off(), and makes the calls.

def by_command(emcli, off):
    got = emcli.run("load-skill", "--skill", "mail-organize").data
    off()
    for op, given in calls(emcli):
        argv = [op.replace("_", "-")]
        for name, value in given.items():
            option = "--" + name.replace("_", "-")
            argv += [option] if value is True else [
                x for one in (value if isinstance(value, list) else [value])
                for x in (option, str(one))]
        emcli.run(*argv, *(["--lease", got["lease"]] if op in got["tools"] else []))


def by_host(emcli, off, *options, revision):
    host, leases = Host(emcli, *options, revision=revision), {}
    if not options:
        for skill in SKILLS:
            got = host.data("load_skill", skill=skill)
            leases |= dict.fromkeys(got["tools"], got["lease"])
    off()
    for op, given in calls(emcli):
        if op in leases:
            given = {**given, "lease": leases[op]}
        host.call(op, **given)
    assert host.end()[0] == 0


def by_web(emcli, off):
    bot, server = token(emcli), Server(emcli)
    try:
        client = Client(server, bot, LEGACY[-1])
        for skill in SKILLS:
            client.data("load_skill", skill=skill)
        off()
        for op, given in calls(emcli):
            client.call(op, **given)
    finally:
        server.end()


def by_route(emcli, off):
    """Operations over HTTP, at the broker's own door."""
    bot = token(emcli)
    off()
    broker = subprocess.Popen(
        [emcli.binary, "serve", "--foreground", "--socket", emcli.folder / "s",
         "--http", "127.0.0.1:0"], env=emcli.environment(EMCLI_KEY=emcli.agent_key),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        port = int(re.search(rb"http://127\.0\.0\.1:(\d+)/", broker.stderr.readline())[1])
        for op, given in calls(emcli):
            conn = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            conn.request("POST", f"/v1/op/{op}", json.dumps(given), {
                "Authorization": f"Bearer {bot}", "Content-Type": "application/json"})
            assert "error" in json.loads(conn.getresponse().read()), op
            conn.close()
    finally:
        broker.terminate()
        broker.wait(30)


def ours(emcli):
    """The calls of a model: its tools have the mailbox's account already."""
    return [(f"k{i}", op, {k: v for k, v in given.items() if k != "account"})
            for i, (op, given) in enumerate(calls(emcli))]


def load(loop, names):
    for i, skill in enumerate(names):
        loop.call((f"l{i}", "load_skill", {"skill": skill})).run()
    return loop


def by_pipe(emcli, off, form):
    loop = load(Loop(emcli, form, "--conversation", "c").user(), SKILLS)
    assert {"mark", "move", "archive", "trash"} <= set(loop.names())
    off()
    for call in ours(emcli):
        loop.call(call).run()


def by_transcript(emcli, off):
    """One that was kept, replayed as it is, and with another conversation's name."""
    loop = load(Loop(emcli, "openai", "--conversation", "c").user(), SKILLS)
    kept = list(loop.items)
    off()
    for name in "c", "d":
        again = Loop(emcli, "openai", "--conversation", name)
        again.items = list(kept)
        again.call(*ours(emcli)).run()


def by_nova(emcli, off):
    loop = load(Loop(emcli, "openai", "--profile", "nova", "--conversation", "n").user(),
                ["mail"])
    assert "delete_email" in loop.names()
    off()
    told = loop.call(*[(f"n{i}", name, placed(emcli, given))
                        for i, (name, given) in enumerate(NOVA)]).run()
    assert told["n3"] == "Error (policy): refused by policy: organise_off"


def by_model(emcli, off):
    model = Model()
    try:
        asker = Asker(emcli, model, emcli.folder)

        def now(_):
            off()
            return asker.entry(1, [(op, given) for _, op, given in ours(emcli)])
        r = asker([("load_skill", {"skill": s}) for s in SKILLS], now, "done",
                  options=["--yes-send"])
        assert asker.results(), str(r)
    finally:
        model.stop()


DOORS = {
    "command": by_command,
    "mcp-always": lambda emcli, off: by_host(emcli, off, "--always", revision=MODERN),
    "mcp-leases": lambda emcli, off: by_host(emcli, off, revision=MODERN),
    "mcp-session": lambda emcli, off: by_host(emcli, off, revision=LEGACY[-1]),
    "mcp-http": by_web,
    "http": by_route,
    **{f"skills-{form}": lambda emcli, off, form=form: by_pipe(emcli, off, form)
       for form in FORMATS},
    "transcript": by_transcript,
    "nova": by_nova,
    "ask": by_model,
}
# One door on each store, and each door on one store.
CASES = [(s, d) for s in ("imap", "jmap", "gmail") for d in DOORS if s == "imap" or d == "command"]


@pytest.mark.parametrize("store, door", CASES, indirect=["store"])
def test_off_no_door_changes_mail(store, emcli, door):
    organise(emcli, "on")
    emcli.uids = uids(emcli.run("list", "--account", "work", "--folder", "INBOX"))
    ended = []

    def off():
        organise(emcli, "off")
        ended.append(True)
        store.changes()
    DOORS[door](emcli, off)
    assert ended and store.changes() == []


def test_on_the_same_calls_change_mail(store, emcli):
    """So what is not seen above was not said."""
    organise(emcli, "on")
    emcli.uids = uids(emcli.run("list", "--account", "work", "--folder", "INBOX"))
    by_command(emcli, lambda: store.changes())
    said = " ".join(str(x) for x in store.changes())
    for word in {Imap: ["UID STORE", "UID MOVE"], Jmap: ["keywords/", "mailboxIds"],
                 Gmail: ["batchModify"]}[type(store)]:
        assert word in said
