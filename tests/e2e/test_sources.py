# SPDX-License-Identifier: Apache-2.0
"""Accounts as mail sources: parts, the adopter's table, who would serve what."""

import json
import re

import pytest

import servers

OPS = ["list_recent_threads", "read_thread", "list_drafts", "list_sent_since",
       "create_draft", "thread_url", "search_threads"]
HEAD = ("# Project\n\n## Mail sources\n\n| Backend | Role | Mandatory | Notes |\n"
        "|---|---|---|---|\n")
ABORTED = "mandatory backend gmail unavailable: %s; run aborted"


def good(r):
    assert r.rc == 0 and r.err == b"", str(r)
    return r.out.decode()


def bad(r, part, rc=2):
    assert r.rc == rc and r.out == b"", str(r)
    line = r.err.decode().splitlines()[-1]
    assert line.startswith("emcli: ") and part in line, r.err.decode()


def parts(emcli):
    """(name, role, mandatory, preferred for) in the declared order."""
    got = json.loads(good(emcli.admin("source", "list", "--json")))["sources"]
    return [(s["name"], s["role"], s["mandatory"], s["preferred_for"]) for s in got]


def explain(emcli, op, *argv):
    return json.loads(good(emcli.admin("source", "explain", op, "--json", *argv)))


@pytest.fixture
def boxes(emcli, site):
    """Three accounts, none of which is a source."""
    for name in "a", "b", "c":
        emcli.account_maildir(site.path, name=name)
    return emcli


@pytest.fixture
def project(tmp_path):
    def write(text):
        path = tmp_path / "project.md"
        path.write_text(text)
        return str(path)
    return write


def test_no_account_is_a_source_by_itself(boxes):
    assert parts(boxes) == [(n, "none", False, []) for n in "abc"]
    record = explain(boxes, "read_thread")
    # Of three that could none is guessed.
    assert record["outcome"] == "ambiguous"
    assert [s["cause"] for s in record["skipped"]] == ["one_of_many"] * 3
    assert record["note"] == "3 accounts can serve read_thread: a, b, c"


def test_parts_are_set_and_kept_in_order(boxes):
    good(boxes.admin("source", "set", "c", "--role", "fallback"))
    good(boxes.admin("source", "set", "a", "--role", "fallback"))
    good(boxes.admin("source", "set", "b", "--role", "primary", "--position", "1",
                     "--mandatory", "yes"))
    assert [p[0] for p in parts(boxes)] == ["b", "c", "a"]
    good(boxes.admin("source", "set", "a", "--preferred-for", "thread-url",
                     "read_thread", "--position", "2"))
    assert parts(boxes) == [("b", "primary", True, []),
                            ("a", "fallback", False, ["read_thread", "thread_url"]),
                            ("c", "fallback", False, [])]
    # None and optional keep nothing of what only the chain has.
    good(boxes.admin("source", "set", "a", "--role", "optional"))
    good(boxes.admin("source", "set", "b", "--role", "none"))
    assert parts(boxes) == [("a", "optional", False, []),
                            ("c", "fallback", False, []), ("b", "none", False, [])]


def test_preferred_alone_is_a_part(boxes):
    good(boxes.admin("source", "set", "a", "--preferred-for", "read_thread"))
    assert parts(boxes)[0] == ("a", "preferred", False, ["read_thread"])
    assert explain(boxes, "read_thread")["rule"] == "preferred"
    record = explain(boxes, "list_recent_threads")
    assert record["outcome"] == "skipped"
    assert record["skipped"] == [{"backend": "a", "step": None,
                                  "cause": "not_in_chain", "reason": None}]


@pytest.mark.parametrize("argv, part", [
    (("a", "--role", "primary"), "b is already the primary, and there can be only one"),
    (("a", "--preferred-for", "read_thread"), "b is already preferred for read_thread"),
    (("a", "--preferred-for", "read_threads"), "did you mean read_thread?"),
    (("a", "--preferred-for", "send"), 'unknown operation "send"'),
    (("a", "--role", "preferred"), "needs --preferred-for OPERATION"),
    (("b", "--preferred-for", "", "--role", "preferred"), "needs --preferred-for OPERATION"),
    (("a", "--role", "optional", "--preferred-for", "thread_url"), "cannot have the role optional"),
    (("a", "--mandatory", "yes"), "give --role"),
    (("a", "--role", "boss"), "role"),
    (("a",), "nothing to set"),
])
def test_what_contradicts_is_refused_and_changes_nothing(boxes, argv, part):
    good(boxes.admin("source", "set", "b", "--role", "primary",
                     "--preferred-for", "read_thread"))
    before = parts(boxes)
    bad(boxes.admin("source", "set", *argv), part)
    assert parts(boxes) == before
    bad(boxes.admin("source", "set", "nobody", "--role", "optional"),
        "no such account", rc=1)


def test_only_the_operator_sets_parts_and_it_is_written_down(boxes):
    r = boxes.run("source", "set", "a", "--role", "primary")
    assert r.rc == 1 and b"EMCLI_ADMIN_KEY" in r.err
    good(boxes.admin("source", "set", "a", "--role", "primary"))
    rows = json.loads(good(boxes.admin("audit", "list", "--json")))["audit"]
    row = next(r for r in rows if r["action"] == "source.set")
    assert (row["account"], row["outcome"]) == ("a", "ok")
    assert row["detail"] == "role primary, mandatory no"


def test_an_account_that_goes_takes_its_part_along(boxes):
    good(boxes.admin("source", "set", "a", "--role", "primary",
                     "--preferred-for", "read_thread"))
    good(boxes.admin("account", "edit", "a", "--rename", "x"))
    assert parts(boxes)[0] == ("x", "primary", False, ["read_thread"])
    good(boxes.admin("account", "remove", "x", "--yes"))
    good(boxes.admin("source", "set", "b", "--role", "primary",
                     "--preferred-for", "read_thread"))


# -- the adopter's table


def test_import_replaces_all_parts(boxes, project):
    good(boxes.admin("source", "set", "c", "--role", "primary"))
    path = project(HEAD + "| `b` | primary; preferred for read_thread | yes | x |\n"
                   "| `a` | fallback | no | y |\n")
    good(boxes.admin("source", "import", path))
    assert parts(boxes) == [("b", "primary", True, ["read_thread"]),
                            ("a", "fallback", False, []), ("c", "none", False, [])]
    # Again is the same.
    good(boxes.admin("source", "import", path))
    assert [p[0] for p in parts(boxes)] == ["b", "a", "c"]


def test_import_tells_each_mistake_with_its_line(boxes, project):
    good(boxes.admin("source", "set", "c", "--role", "primary"))
    before = parts(boxes)
    path = project(HEAD + "| a | primary | yes | |\n| a b | fallback | no | |\n"
                   "| mbox | fallback | no | |\n| b | preferred for read_threads "
                   "| no | |\n| c | fallback | perhaps | |\n| maildir | fallback | no | |\n")
    r = boxes.admin("source", "import", path)
    bad(r, "the declaration has 5 errors: nothing was changed")
    told = [line.replace(path, "F") for line in r.err.decode().splitlines()]
    assert told[:-1] == [
        'F:8: error: "a b" is not the name of a backend: use letters, digits, - and _',
        'F:10: error: unknown operation "read_threads": did you mean read_thread?',
        'F:11: error: mandatory must be "yes" or "no", not "perhaps"',
        'F:9: error: no account is called "mbox", and none has that backend: '
        'emcli account add',
        'F:12: error: more than one account has the backend "maildir": write the '
        "account's name"]
    assert parts(boxes) == before


SETTINGS = "\n### Per-backend config\n\n| Key | Backend | Value |\n|---|---|---|\n"


def setting(emcli, name, what):
    return json.loads(good(emcli.admin("account", "show", name, "--json")))[what]


def test_import_takes_settings_of_the_sources(boxes, project):
    path = project(HEAD + "| a | primary | no | |\n| b | fallback | no | |\n" + SETTINGS +
                   "| `security_list` | all | `sec@lab.example` |\n"
                   "| `imap_drafts_folder` | `a` | Entw\u00fcrfe |\n"
                   "| ponymail_thread_url_template | b | https://x.example/<hash>?<list> |\n"
                   "| mbox_archive_path | b | /srv/other |\n"
                   "| users_list | all | users@lab.example |\n"
                   "| imap_security_list_folder | a | TODO: which |\n")
    for argv, text in (("--check",), "nothing changed"), ((), "list: nothing -> sec@lab.example"):
        r = boxes.admin("source", "import", path, *argv)
        assert r.rc == 0 and text in r.out.decode(), str(r)
        assert [line.partition(": ")[2] for line in r.err.decode().splitlines()] == [
            "note: a setting that is still to be filled in was skipped",
            'warning: mbox_archive_path is not what the account "b" has, which is kept: '
            "emcli account edit",
            "note: users_list is not used"]
        assert setting(boxes, "a", "list") == ("" if argv else "sec@lab.example")
    assert setting(boxes, "a", "drafts_folder") == "Entw\u00fcrfe"
    assert setting(boxes, "b", "list") == "sec@lab.example"
    assert setting(boxes, "b", "drafts_folder") == ""
    assert setting(boxes, "b", "thread_url") == "https://x.example/<hash>?<list>"
    assert setting(boxes, "b", "path") == setting(boxes, "a", "path")
    assert setting(boxes, "c", "list") == ""
    rows = json.loads(good(boxes.admin("audit", "list", "--json")))["audit"]
    row = next(r for r in rows if r["action"] == "source.import" and r["outcome"] == "ok")
    assert "a:\nlist: nothing -> sec@lab.example\n" in row["detail"]
    # A second time it is so already.
    assert b"->" not in boxes.admin("source", "import", path).out


@pytest.mark.parametrize("row, said", [
    ("| security_list | a | no address |", 'security_list of the account "a": '),
    ("| ponymail_thread_url_template | all | ftp://x/<id> |", "is not an https address"),
    ("| imap_drafts_folder | a | x |\n| imap_drafts_folder | a | y |", "is already set in line "),
])
def test_a_bad_setting_changes_nothing(boxes, project, row, said):
    r = boxes.admin("source", "import", project(
        HEAD + "| a | primary | no | |\n" + SETTINGS + row + "\n"))
    assert r.rc == 2 and said in r.err.decode(), str(r)
    assert parts(boxes)[0][1] == "none" and setting(boxes, "a", "drafts_folder") == ""


def test_import_can_only_look(boxes, project):
    path = project(HEAD + "| a | fallback | no | |\n| TODO: more | | | |\n")
    r = boxes.admin("source", "import", path, "--check")
    assert r.rc == 0 and b"nothing changed" in r.out
    assert r.err.decode() == (
        f"{path}:8: note: a row that is still to be filled in was skipped\n"
        f"{path}: warning: no source is primary: an operation without a preferred source uses only the fallbacks\n")
    assert all(p[1] == "none" for p in parts(boxes))


def test_import_of_what_is_no_file_or_shows_tricks(boxes, project, tmp_path):
    bad(boxes.admin("source", "import", str(tmp_path / "none.md")), "cannot be opened")
    bad(boxes.admin("source", "import", project("no table\n")), "1 error")
    r = boxes.admin("source", "import",
                    project(HEAD + "| a | \x1b]0;owned\x07 | no | |\n"))
    assert r.rc == 2 and b"\x1b" not in r.err and b"\x07" not in r.err


# -- the contract's own example, on accounts that are called so


@pytest.fixture
def triage(emcli, dovecot, site, project):
    emcli.account_imap(dovecot, name="gmail", drafts_folder="Nowhere")
    emcli.account_maildir(site.path, name="ponymail")
    path = project(HEAD +
                   "| `gmail`    | primary  | yes | Triager Gmail account is subscribed "
                   "to `<security-list>` and `<private-list>` |\n"
                   "| `ponymail` | fallback | no  | Read-only archive backstop when "
                   "Gmail history is incomplete |\n")
    good(emcli.admin("source", "import", path))
    return emcli


def break_login(emcli):
    r = emcli.admin("account", "edit", "gmail", "--password-stdin", stdin="wrong")
    assert r.rc == 0, str(r)


def test_the_primary_serves_what_it_can(triage):
    can = {op: op not in ("list_drafts", "create_draft") for op in OPS}
    listed = json.loads(good(triage.admin("source", "list", "--json")))["sources"]
    assert listed[0]["supports"] == can
    for op in OPS:
        record = explain(triage, op)
        want = ("chosen", "gmail", "primary", 2) if can[op] else \
            ("skipped", None, "none", 4)
        assert (record["outcome"], record["backend"], record["rule"],
                record["step"]) == want, record
    record = explain(triage, "create_draft")
    assert record["note"] == "no backend available for create_draft"
    assert [(s["backend"], s["step"], s["cause"]) for s in record["skipped"]] == \
        [("gmail", 2, "unsupported"), ("ponymail", 3, "unsupported")]


def test_nothing_runs_without_what_is_mandatory(triage):
    break_login(triage)
    for op in "read_thread", "create_draft":
        record = explain(triage, op)
        assert (record["outcome"], record["step"]) == ("aborted", None)
        assert record["note"] == ABORTED % "auth_expired"
    # Not even what is named.
    assert explain(triage, "read_thread", "--source", "ponymail")["outcome"] == "aborted"
    text = good(triage.admin("source", "probe"))
    assert text.splitlines()[-1] == ABORTED % "auth_expired"
    assert re.search("^gmail +primary +yes +auth_expired +[^-]", text, re.M), text
    assert re.search("^ponymail +fallback +no +yes +-$", text, re.M), text
    seen = json.loads(good(triage.admin("source", "probe", "--json")))["sources"]
    assert [(s["role"], s["available"]) for s in seen] == [("primary", False), ("fallback", True)]


def test_a_fallback_stands_in_when_it_is_not_mandatory(triage):
    good(triage.admin("source", "set", "gmail", "--mandatory", "no"))
    break_login(triage)
    text = good(triage.admin("source", "explain", "read-thread"))
    assert text.splitlines()[0] == \
        "read_thread: ponymail (step 3, fallback; gmail unavailable: auth_expired)"
    assert "gmail: not available: auth_expired" in text


def test_what_is_named_is_taken_or_nothing(triage):
    record = explain(triage, "read_thread", "--source", "ponymail")
    assert (record["backend"], record["rule"], record["step"]) == \
        ("ponymail", "override", None)
    assert record["override_reason"] == "asked by the operator"
    record = explain(triage, "create_draft", "--source", "ponymail")
    assert record["outcome"] == "skipped" and len(record["skipped"]) == 1
    bad(triage.admin("source", "explain", "read_thread", "--source", "x"),
        "no such account", rc=1)
    bad(triage.admin("source", "explain", "read"), "did you mean read_thread?")


def test_probe_says_why(triage, site, dovecot):
    def state(*argv):
        got = json.loads(good(triage.admin("source", "probe", "--json", *argv)))
        return {s["name"]: s["reason"] for s in got["sources"]}
    assert state() == {"gmail": None, "ponymail": None}
    good(triage.admin("account", "edit", "gmail", "--imap-port", "1"))
    (site.path / servers.address("agent")).rename(site.path / "away")
    assert state() == {"gmail": "unreachable", "ponymail": "path_missing"}
    assert state("gmail") == {"gmail": "unreachable"}
    r = triage.admin("account", "edit", "gmail", "--password-file", "")
    assert r.rc == 0
    good(triage.admin("account", "edit", "gmail", "--imap-port", str(dovecot.imaps)))
    assert state("gmail") == {"gmail": "auth_missing"}
