# SPDX-License-Identifier: Apache-2.0
"""Every envelope is what `emcli schema` says; goldens hold the exact bytes."""
import json
import re

import jsonschema
import pytest

from mail import message

BOX = ("--account", "work", "--folder", "INBOX")


@pytest.fixture
def work(emcli, site):
    site.deliver("agent", message(
        subject="=?utf-8?q?Gr=C3=BC=C3=9Fe?=", sender="Al <alice@lab.example>",
        mid="<one@tests.example>"))
    emcli.account_maildir(site.path, process_backlog=True, whitelist_out="on")
    emcli.whitelist("out", "@lab.example")
    return emcli


CALLS = [
    ("list", *BOX), ("list", *BOX, "--new"), ("list", *BOX, "--limit", "0"),
    ("list", "--account", "nobody", "--folder", "INBOX"),
    ("list", "--account", "work", "--folder", "none"),
    ("get", *BOX, "--uid", "1"), ("get", *BOX, "--uid", "2"),
    ("get", *BOX, "--uid", "x"), ("get", *BOX),
    ("get", *BOX, "--uid", "1", "--raw"),
    ("get", *BOX, "--uid", "1", "--max-body", "4", "--attachments", "meta"),
    ("get", *BOX, "--uid", "1", "--attachments", "."),
    ("search", *BOX, "--text", "words"), ("search", *BOX, "--since", "soon"),
    ("ack", *BOX, "--uid", "1"), ("ack", *BOX, "--uid", "1", "2"),
    ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s",
     "--body", "b"),
    ("send", "--account", "work", "--to", "x@evil.example", "--subject", "s",
     "--body", "b"),
    ("send", "--account", "work", "--to", "none@lab.example", "--subject", "s",
     "--body", "b"),
    ("folders", "--account", "work"), ("doctor",),
    ("list-skills",), ("load-skill", "--skill", "mail-read"), ("load-skill", "--skill", "x"),
    ("unload-skill", "--skill", "mail"), ("list", *BOX, "--lease", "x"),
    ("read-skill-resource", "--skill", "mail-read", "--path", "references/warnings.md"),
    ("doctor", "--account", "nobody"), ("list", *BOX, "--bogus"),
    ("list", *BOX, *BOX), ("list", *BOX, "--new=yes"), ("list", "stray", *BOX),
]


@pytest.mark.parametrize("argv", CALLS, ids=" ".join)
def test_envelope_is_valid(work, argv):
    schema = json.loads(work.run("schema", argv[0]).out)
    reply = schema["reply"] if "reply" in schema else schema[argv[0]]["reply"]
    jsonschema.Draft202012Validator.check_schema(reply)
    r = work.run(*argv)
    jsonschema.Draft202012Validator(reply).validate(r.json)
    assert (r.rc == 0) == (r.json["error"] is False)
    assert r.out.count(b"\n") == 1 and r.out.endswith(b"\n")


def test_schema_names_every_operation(work):
    names = set(json.loads(work.run("schema").out))
    manual = work.run("manual", "operations").out.decode()
    assert names == {x.replace("-", "_") for x in re.findall(r"^\.Ss (\S+)$", manual, re.M)}
    assert {"list", "send", "load_skill"} <= names


GOLDEN = {
    ("list", *BOX):
        '{"error":false,"error_detail":{},"data":{"messages":[{"uid":1,'
        '"from":[{"name":"Al","address":"alice@lab.example"}],'
        '"to":[{"name":"","address":"agent@lab.example"}],'
        '"subject":"Gr\u00fc\u00dfe","date":"2026-06-21T10:00:00+00:00",'
        '"message_id":"<one@tests.example>","has_attachments":false,'
        '"sender_auth":"unchecked","sender_auth_by":null}],'
        '"next_before":null}}\n',
    ("get", *BOX, "--uid", "1"):
        '{"error":false,"error_detail":{},"data":{"uid":1,'
        '"from":[{"name":"Al","address":"alice@lab.example"}],'
        '"to":[{"name":"","address":"agent@lab.example"}],'
        '"subject":"Gr\u00fc\u00dfe","date":"2026-06-21T10:00:00+00:00",'
        '"message_id":"<one@tests.example>","has_attachments":false,'
        '"sender_auth":"none","sender_auth_by":"dkim",'
        '"cc":[],"in_reply_to":[],"references":[],"text":"words\\n",'
        '"text_total":6,"text_next":null,"links":[],"attachments":[]}}\n',
    ("get", *BOX, "--uid", "2"):
        '{"error":true,"error_detail":{"code":"not_found",'
        '"message":"no such folder or message",'
        '"next":"folders lists the folders, and list the uids of one"},"data":{}}\n',
    ("ack", *BOX, "--uid", "1"):
        '{"error":false,"error_detail":{},"data":{"acked":[1]}}\n',
    ("send", "--account", "work", "--to", "x@evil.example", "--subject", "s",
     "--body", "b"):
        '{"error":true,"error_detail":{"code":"policy",'
        '"message":"refused by policy: whitelist_out",'
        '"reason":"whitelist_out",'
        '"next":"only the operator can change that: emcli whitelist out add ADDRESS"},'
        '"data":{}}\n',
}


@pytest.mark.parametrize("argv", GOLDEN, ids=" ".join)
def test_golden(work, argv):
    assert work.run(*argv).out.decode() == GOLDEN[argv]
