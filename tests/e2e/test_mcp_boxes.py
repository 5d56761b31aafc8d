# SPDX-License-Identifier: Apache-2.0
"""emcli mcp with several mailboxes: what the tools take, and which one a call means."""

import json

import jsonschema
import pytest

from cli import skill_ops
from mail import message
from test_mcp import LEGACY, MODERN, host, listed, work  # noqa: F401
from test_mcp_http import Client, serve, token  # noqa: F401

REVISIONS = [*LEGACY, MODERN]
EACH = pytest.mark.parametrize("revision", REVISIONS)
OF_ONE = skill_ops("mail-read") + skill_ops("mail-send")
PREFIX = "[Multi-mailbox email, select a mailbox email address.] "
AGENT, BOB = "agent@lab.example", "bob@lab.example"
BOTH = f"{BOB}, {AGENT}"


@pytest.fixture
def both(work, site):
    site.deliver("bob", message(subject="for bob", mid="<b@tests.example>",
                                sender="Al <alice@lab.example>"))
    work.account_maildir(site.path, name="second", user="bob", process_backlog=True,
                         whitelist_out="on")
    return work


def keyless(emcli, name="keyless"):
    r = emcli.admin("account", "add", name, "--backend", "imap", "--username",
                    "x@lab.example", "--imap-host", "imap.lab.example", "--auth", "oauth2")
    assert r.rc == 0, str(r)


class Loaded:
    """A host with skills loaded; its calls keep to the schemas it was shown."""

    def __init__(self, h, *skills):
        self.h = h
        self.lease = {}
        for skill in skills:
            self.load = h.data("load_skill", skill=skill)
            if h.revision == MODERN:
                self.lease = {"lease": self.load["lease"]}
        self.tools = {t["name"]: t for t in h.tools()}

    def call(self, tool, **arguments):
        arguments |= self.lease
        jsonschema.validate(arguments, self.tools[tool]["inputSchema"])
        return self.h.call(tool, **arguments)

    def unfit(self, tool, **arguments):
        """Of a call that no schema allows: a result all the same; what it says."""
        got = self.h.call(tool, **arguments, **self.lease)
        assert got["error_detail"]["code"] == "usage", got
        assert got["data"] == {}
        return got["error_detail"]["message"]

    def subjects(self, **arguments):
        got = self.call("list", folder="INBOX", **arguments)
        assert got["error"] is False, got
        return sorted(m["subject"] for m in got["data"]["messages"])


NOTES = ["note 0", "note 1", "note 2"]


@EACH
def test_one_mailbox_needs_no_name(host, revision):
    h = Loaded(host(revision=revision), "mail")
    assert set(OF_ONE) < set(h.tools)
    for name, tool in h.tools.items():
        assert "mailbox" not in tool["inputSchema"]["properties"]
        assert tool["description"].startswith(
            f"[Mailbox: work; account: {AGENT}] ") == (name in OF_ONE)
        if name in OF_ONE:
            assert "account" not in tool["inputSchema"]["properties"]
            assert "account" not in tool["inputSchema"].get("required", [])
    assert h.subjects() == NOTES
    assert h.unfit("list", mailbox=AGENT, folder="INBOX").startswith("unknown argument")
    assert "mailbox" not in h.load["accounts"][0]


@EACH
def test_of_two_each_tool_takes_one(host, both, revision):
    h = Loaded(host(revision=revision), "mail")
    assert set(OF_ONE) < set(h.tools)
    for name, tool in h.tools.items():
        schema = tool["inputSchema"]
        assert tool["description"].startswith(PREFIX) == (name in OF_ONE)
        if name not in OF_ONE:
            assert "mailbox" not in schema["properties"]
            continue
        assert list(schema["properties"])[0] == "mailbox"
        # One that can be of all mailboxes needs none.
        assert ("mailbox" in schema.get("required", [])) == ("all_accounts" not in
                                                             schema["properties"])
        assert schema["properties"]["mailbox"] == {"type": "string", "enum": [BOB, AGENT]}
        assert "account" not in schema["properties"]
    assert h.subjects(mailbox=AGENT) == NOTES
    assert h.subjects(mailbox=BOB) == ["for bob"]
    assert [(a["name"], a["mailbox"]) for a in h.load["accounts"]] == \
        [("second", BOB), ("work", AGENT)]


@EACH
def test_all_of_them_need_no_name(host, both, revision):
    h = Loaded(host(revision=revision), "mail-read")
    got = h.call("search", all_accounts=True, subject_contains="bob")
    assert [(m["account"], m["subject"]) for m in got["data"]["messages"]] == \
        [("second", "for bob")]
    named = h.call("search", all_accounts=True, mailbox=BOB)
    assert named["error_detail"]["code"] == "usage"
    assert "Unknown mailbox '<empty>'" in h.unfit("search", text="x")


@EACH
def test_what_is_no_mailbox_is_told_which_there_are(host, both, revision):
    h = Loaded(host(revision=revision), "mail-read")
    known = f"Available mailbox values: {BOTH}."
    for value in "work", "x", "agent", "agent@lab.example.org":
        assert h.unfit("list", mailbox=value, folder="INBOX") == \
            f"Unknown mailbox '{value}'. {known}"
    for nothing in {"mailbox": ""}, {"mailbox": "  "}, {"mailbox": None}, {"mailbox": 7}, {}:
        assert h.unfit("folders", **nothing) == f"Unknown mailbox '<empty>'. {known}"
    assert "mailbox" in h.unfit("folders", mailbox=BOB, malbox="x")


@EACH
def test_case_does_not_matter(host, both, revision):
    h = host(revision=revision)
    lease = Loaded(h, "mail-read").lease
    got = h.data("list", mailbox=" Agent@LAB.example ", folder="INBOX", **lease)
    assert sorted(m["subject"] for m in got["messages"]) == NOTES


@EACH
def test_one_address_twice_is_nobody(host, both, site, revision):
    both.account_maildir(site.path, name="third", user="bob")
    h = Loaded(host(revision=revision), "mail-read")
    assert h.tools["list"]["inputSchema"]["properties"]["mailbox"]["enum"] == [BOB, AGENT]
    assert h.unfit("list", mailbox=BOB, folder="INBOX") == \
        f"Ambiguous mailbox '{BOB}'. Use one of these email addresses: {BOTH}."
    assert h.subjects(mailbox=AGENT) == NOTES


def test_a_long_list_is_told_whole(host, work, site):
    names = [f"a-rather-long-name-of-number-{n}@lab.example" for n in range(9)]
    for n, name in enumerate(names):
        work.account_maildir(site.box("agent"), name=f"n{n}", **{"from": name})
    h = Loaded(host("--always", revision=MODERN))
    assert h.unfit("folders").endswith(f"values: {', '.join(names)}, {AGENT}.")


@EACH
def test_without_credentials_it_is_left_out(host, work, site, revision):
    keyless(work)
    h = Loaded(host(revision=revision), "mail")
    assert "mailbox" not in h.tools["list"]["inputSchema"]["properties"]
    assert h.subjects() == NOTES
    h.h.proc.stdin.close()
    said = b"emcli: warning: keyless is left out: it has no credentials\n"
    assert h.h.proc.stderr.read() == said, "once, for one list"


@EACH
def test_with_no_mailbox_it_starts_and_says_so(host, work, revision):
    work.admin("account", "remove", "work", "--yes")
    h = host("--legacy-tools", "all", revision=revision)
    assert "load_skill" in listed(h)[2]
    assert h.call("list_skills")["error"] is False
    assert h.call("folders")["error_detail"]["code"] == "config"
    keyless(work)
    names = {t["name"]: t["description"] for t in h.tools()}
    assert not names.get("list", "").startswith("[")
    got = h.call("list", folder="INBOX")["error_detail"]
    assert (got["code"], got["message"]) == ("config", "there is no usable mailbox")


@EACH
def test_those_of_others_are_nowhere(host, both, site, revision):
    both.account_maildir(site.path, name="hers", user="alice")
    for agent, accounts in ("one", ["work"]), ("two", ["work", "second"]):
        assert both.admin("agent", "add", agent, "--account", *accounts).rc == 0
    h = host(revision=revision, env={"EMCLI_AGENT": "one"})
    one = Loaded(h, "mail")
    assert "mailbox" not in one.tools["list"]["inputSchema"]["properties"]
    assert one.subjects() == NOTES
    h = host(revision=revision, env={"EMCLI_AGENT": "two"})
    two = Loaded(h, "mail")
    assert two.tools["list"]["inputSchema"]["properties"]["mailbox"]["enum"] == [BOB, AGENT]
    assert two.unfit("folders", mailbox="alice@lab.example") == \
        f"Unknown mailbox 'alice@lab.example'. Available mailbox values: {BOTH}."
    named = h.call("folders", account="hers", **two.lease)["error_detail"]
    assert named == h.call("folders", account="none", **two.lease)["error_detail"]
    assert named["code"] == "not_found"
    for seen in json.dumps(one.tools), json.dumps(one.load), json.dumps(two.tools), \
            json.dumps(two.load):
        assert "alice" not in seen and "hers" not in seen
    assert "bob" not in json.dumps([one.tools, one.load])


@EACH
def test_sending_is_blocked_in_one_of_two(host, both, site, revision):
    both.whitelist("out", "@lab.example", account="second")
    both.admin("account", "edit", "work", "--mode", "RO")
    h = Loaded(host(revision=revision), "mail")
    mail = {"to": ["alice@lab.example"], "subject": "s", "body": "b"}
    assert {a["mailbox"]: a["sends"] for a in h.load["accounts"]} == {AGENT: False, BOB: True}
    for who in {"mailbox": AGENT}, {"mailbox": AGENT.upper()}, {"account": "work"}:
        got = h.h.call("send", **who, **mail, **h.lease)["error_detail"]
        assert (got["code"], got["reason"]) == ("policy", "ro_mode")
    assert site.messages("alice") == []
    assert h.call("send", mailbox=BOB, **mail)["data"]["state"] == "sent"
    assert b"From: bob@lab.example" in site.messages("alice")[0]


@EACH
def test_sending_is_blocked_with_one_too(host, work, site, revision):
    h = Loaded(host("--legacy-tools", "all", revision=revision), "mail")
    work.admin("account", "edit", "work", "--mode", "RO")
    got = h.call("send", to=["bob@lab.example"], subject="s", body="b")["error_detail"]
    assert (got["code"], got["reason"]) == ("policy", "ro_mode")
    assert site.messages("bob") == []


@EACH
def test_an_account_may_be_named_but_not_both(host, both, revision):
    h = Loaded(host(revision=revision), "mail-read")
    for name, subjects in ("work", NOTES), ("second", ["for bob"]):
        got = h.h.data("list", account=name, mailbox=None, folder="INBOX", **h.lease)
        assert sorted(m["subject"] for m in got["messages"]) == subjects
    assert "give one" in h.unfit("folders", account="work", mailbox=AGENT)
    assert "give one" in h.unfit("folders", account="work", mailbox=BOB)


def test_a_modern_list_depends_on_rights_alone(host, both):
    one, two = host(revision=MODERN), host(revision=MODERN)
    before = listed(one)
    lease = one.data("load_skill", skill="mail")["lease"]
    one.data("list", mailbox=BOB, folder="INBOX", lease=lease)
    assert listed(one) == before == listed(two) and one.notices == []
    both.admin("account", "remove", "second", "--yes")
    assert listed(one)[1] == listed(two)[1] != before[1]


def test_a_mailbox_needs_a_lease_like_an_account(host, both):
    h = host(revision=MODERN)
    got = h.call("list", mailbox=BOB, folder="INBOX")["error_detail"]
    assert got["code"] == "skill" and got["fix"]["tool"] == "load_skill"


@EACH
def test_two_long_addresses_fit(host, work, site, revision):
    for name in "first", "other":
        address = f"{name}.with-a-long-name@lab.example.org"
        work.account_maildir(site.box("agent"), name=name, **{"from": address})
    work.admin("account", "remove", "work", "--yes")
    h = host(revision=revision)
    if revision in LEGACY:
        size, _, names = listed(h)
        assert size <= 4096 and not set(OF_ONE) & set(names)
    h.data("load_skill", skill="mail")
    h.data("load_skill", skill="mail-triage")
    size, _, names = listed(h)
    assert set(OF_ONE) | {"create_draft", "doctor"} <= set(names) and size <= 20480


def test_by_alias_or_always(host, both):
    h = Loaded(host("--selector", "alias", revision=MODERN), "mail-read")
    tool = h.tools["list"]
    assert tool["inputSchema"]["properties"]["mailbox"]["enum"] == ["second", "work"]
    assert tool["description"].startswith("[Multi-mailbox email, select a mailbox alias.] ")
    assert [a["mailbox"] for a in h.load["accounts"]] == ["second", "work"]
    assert h.subjects(mailbox="work") == NOTES
    both.admin("account", "remove", "second", "--yes")
    h = Loaded(host("--selector-always", revision=MODERN), "mail-read")
    schema = h.tools["list"]["inputSchema"]
    assert schema["properties"]["mailbox"]["enum"] == [AGENT] and \
        "mailbox" not in schema.get("required", [])
    assert h.subjects() == h.subjects(mailbox=AGENT) == NOTES


@EACH
def test_a_token_for_one_of_two_sees_no_other(both, serve, revision):
    server = serve()
    one = Client(server, token(both, "one", "--account", "work"), revision)
    two = Client(server, token(both, "two"), revision)
    hosts = []
    for c in one, two:
        lease = c.data("load_skill", skill="mail-read")["lease"]
        tools = {t["name"]: t for t in c.ask("tools/list")["tools"]}
        hosts.append((c, {"lease": lease} if revision == MODERN else {},
                      tools["list"]["inputSchema"], json.dumps(tools)))
    (c, lease, schema, all_of_it) = hosts[0]
    assert "mailbox" not in schema["properties"] and "bob" not in all_of_it
    rows = c.data("list", folder="INBOX", **lease)["messages"]
    assert sorted(m["subject"] for m in rows) == NOTES
    refused = c.call("list", mailbox=BOB, folder="INBOX", **lease)["error_detail"]
    assert refused["code"] == "usage" and "second" not in json.dumps(refused)
    (c, lease, schema, _) = hosts[1]
    assert schema["properties"]["mailbox"]["enum"] == [BOB, AGENT]
    rows = c.data("list", mailbox=BOB, folder="INBOX", **lease)["messages"]
    assert [m["subject"] for m in rows] == ["for bob"]
    refused = c.call("list", mailbox="x", folder="INBOX", **lease)["error_detail"]
    assert refused["message"] == f"Unknown mailbox 'x'. Available mailbox values: {BOTH}."
