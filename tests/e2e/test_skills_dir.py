# SPDX-License-Identifier: Apache-2.0
"""Skills of the operator's own: a folder of them, and never more than without it."""

import hashlib
import json
import os
import re

import pytest

from loop import Loop
from test_grants import work  # noqa: F401  (a fixture)
from test_mcp import LEGACY, MODERN, Host

BOX = ("--account", "work", "--folder", "INBOX")
TEXT = """---
name: {name}
description: Use this skill when invoices are asked for.
allowed-tools: {tools}
---
# Invoices

Look for invoices.
"""


@pytest.fixture
def folder(tmp_path):
    f = tmp_path / "mine"
    f.mkdir(mode=0o755)
    return f


def put(folder, name="invoices", tools="list search", text=None):
    (folder / name).mkdir(exist_ok=True)
    path = folder / name / "SKILL.md"
    path.write_text(TEXT.format(name=name, tools=tools) if text is None else text)
    path.chmod(0o644)
    return path


@pytest.fixture
def mine(work, folder):
    put(folder)
    (folder / "invoices/references").mkdir()
    (folder / "invoices/references/tax.md").write_text("# Tax\n")
    work.setting("skills_dir", folder)
    return folder


def ids(emcli, **kw):
    return [s["id"] for s in emcli.run("list-skills", **kw).data["skills"]]


def test_it_is_listed_loaded_and_read_as_ours_are(work, mine):
    assert ids(work) == [*OURS, "invoices"]
    got = work.run("load-skill", "--skill", "Invoices").data
    assert got["tools"] == ["list", "search"]
    assert "Look for invoices." in got["instructions"] and "allowed-tools" not in got["instructions"]
    raw = (mine / "invoices/SKILL.md").read_bytes()
    assert got["digest"] == "sha256:" + hashlib.sha256(raw).hexdigest()
    assert got["resources"] == ["references/tax.md"]
    one = work.run("read-skill-resource", "--skill", "invoices", "--path",
                   "references/tax.md").data
    assert one["text"] == "# Tax\n"
    for path in "../invoices/SKILL.md", "SKILL.md", "references", "references/../SKILL.md":
        assert work.run("read-skill-resource", "--skill", "invoices", "--path",
                        path).code == "not_found"


def test_its_grant_is_good_for_what_it_names_and_nothing_else(work, mine):
    lease = work.run("load-skill", "--skill", "invoices").data["lease"]
    assert work.run("list", *BOX, "--lease", lease).rc == 0
    for argv in ("get", *BOX, "--uid", "1"), ("ack", *BOX, "--uid", "1"), \
            ("send", "--account", "work", "--to", "a@lab.example", "--subject", "s", "--body", "b"):
        assert work.run(*argv, "--lease", lease).code == "skill"
    # Nor does one stand for the other.
    active = {s["id"]: s["active"] for s in work.run("list-skills").data["skills"]}
    assert active["invoices"] is True and active["mail-read"] is False


def test_it_gives_nothing_its_holder_could_not_have(emcli, site, folder):
    emcli.account_maildir(site.path, mode="RO")
    emcli.setting("skills", "grant")
    put(folder, "shout", "send")
    put(folder, "both", "send list")
    emcli.setting("skills_dir", folder)
    assert ids(emcli) == ["mail", "mail-read", "mail-triage", "both"]
    assert emcli.run("load-skill", "--skill", "shout").code == "not_found"
    got = emcli.run("load-skill", "--skill", "both").data
    assert got["tools"] == ["list"]
    r = emcli.run("send", "--account", "work", "--to", "a@lab.example", "--subject", "s",
                  "--body", "b", "--lease", got["lease"])
    assert r.code == "policy"


def test_another_text_ends_its_grants(work, mine):
    lease = work.run("load-skill", "--skill", "invoices").data["lease"]
    put(mine, text=TEXT.format(name="invoices", tools="list") + "More.\n")
    r = work.run("list", *BOX, "--lease", lease)
    assert r.json["error_detail"]["reason"] == "skill_expired"
    lease = work.run("load-skill", "--skill", "invoices").data["lease"]
    (mine / "invoices/SKILL.md").unlink()
    assert work.run("list", *BOX, "--lease", lease).code == "skill"
    assert "invoices" not in ids(work)


BAD = [
    ("no operation", {"tools": "list bash"}, "bash is not an operation"),
    ("a control tool", {"tools": "load_skill"}, "load_skill is not an operation"),
    ("an operator's command", {"tools": "config"}, "config is not an operation"),
    ("no tools", {"text": "---\nname: x\ndescription: d\n---\nb\n"}, "names no operation"),
    ("another name", {"text": TEXT.format(name="y", tools="list")}, "must be the folder's"),
    ("unknown field", {"text": TEXT.format(name="x", tools="list").replace(
        "description", "colour: red\ndescription")}, "unknown field"),
    ("no front matter", {"text": "# hello\n"}, "must begin with a line ---"),
    ("not UTF-8", {"text": None}, "UTF-8"),
    ("too long", {"text": TEXT.format(name="x", tools="list") + "a " * 11000}, "too long"),
    ("huge", {"text": TEXT.format(name="x", tools="list") + "a " * 40000}, ""),
]


@pytest.mark.parametrize("what,how,said", BAD, ids=[b[0] for b in BAD])
def test_what_is_no_skill_is_refused_and_later_left_out(work, folder, what, how, said):
    put(folder)
    path = put(folder, "x", **how)
    if what == "not UTF-8":
        path.write_bytes(TEXT.format(name="x", tools="list").encode() + b"\xff\n")
    r = work.admin("config", "set", "skills_dir", folder)
    assert r.rc != 0 and b"x: " in r.err and said.encode() in r.err, str(r)
    assert work.admin("config", "get", "skills_dir").out == b"none\n"
    path.rename(folder / "aside")
    path.parent.rmdir()
    (folder / "aside").rename(folder / ".aside")
    work.setting("skills_dir", folder)
    (folder / "x").mkdir()
    (folder / ".aside").rename(path)
    assert ids(work)[4:] == ["invoices"]


def test_links_and_what_others_can_write_are_not_read(work, folder, tmp_path):
    put(folder)
    work.setting("skills_dir", folder)
    path = folder / "invoices/SKILL.md"
    elsewhere = tmp_path / "elsewhere.md"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert "invoices" not in ids(work)
    assert work.admin("config", "set", "skills_dir", folder).rc != 0
    path.unlink()
    put(folder).chmod(0o666)
    assert "invoices" not in ids(work)
    put(folder)
    assert "invoices" in ids(work)
    (folder / "invoices").rename(tmp_path / "invoices")
    (folder / "invoices").symlink_to(tmp_path / "invoices")
    assert "invoices" not in ids(work)


@pytest.mark.parametrize("name", ["mail", "mail-read"])
def test_ours_cannot_be_replaced(work, folder, name):
    put(folder, name)
    r = work.admin("config", "set", "skills_dir", folder)
    assert r.rc != 0 and b"a skill with that name exists" in r.err


def test_a_folder_that_is_no_more_or_not_ours_is_said(work, folder):
    for bad in "relative", "", str(folder) + "/none":
        assert work.admin("config", "set", "skills_dir", bad).rc != 0
    put(folder)
    work.setting("skills_dir", folder)
    assert ids(work) == [*OURS, "invoices"]
    folder.chmod(0o777)
    r = work.run("list-skills")
    assert r.code == "config" and str(folder) not in json.dumps(r.json)
    folder.chmod(0o755)
    assert work.run("list-skills").rc == 0
    work.setting("skills_dir", "none")
    os.rename(folder, str(folder) + "2")
    assert ids(work) == OURS


# The operator's, and those of an agent that may not organise.
ALL = ["mail", "mail-organize", "mail-read", "mail-send", "mail-triage"]
OURS = [s for s in ALL if s != "mail-organize"]


def spoil(folder):
    """Beside a good one: what no skill of ours could be called, and a wrong one."""
    put(folder, "shell", "bash")
    put(folder, "odd\x1b[31m")
    put(folder, "open").chmod(0o666)


def test_the_operator_sees_which_are_read_and_which_are_not(work, mine):
    spoil(mine)
    got = json.loads(work.admin("skill", "list", "--json").out)
    assert {s["name"]: s["from"] for s in got["skills"]} == {
        **dict.fromkeys(ALL, "emcli"), "invoices": "skills_dir"}
    why = {x["folder"]: x["why"] for x in got["left_out"]}
    assert sorted(why) == ["odd?[31m", "open", "shell"]
    assert "bash is not an operation" in why["shell"] and "others can write to" in why["open"]
    table = work.admin("skill", "list").out.decode()
    assert re.search(r"^invoices +invoices +skills_dir +\d+ +list, search$", table, re.M | re.I), table
    assert "\x1b" not in table and "skipped in skills_dir: shell: allowed-tools" in table
    one = work.admin("skill", "show", "Invoices")
    assert one.out == (mine / "invoices/SKILL.md").read_bytes()
    assert work.admin("skill", "show", "invoices", "--path", "references/tax.md").out == b"# Tax\n"
    assert work.admin("skill", "show", "shell").rc != 0
    cost = {r["what"]: r for r in json.loads(work.admin("skill", "cost", "--json").out)["cost"]}
    assert cost["invoices loaded: its tools and text, more"]["tools"] == 2
    r = work.admin("skill", "validate")
    assert r.rc == 2 and b"invoices: ok\n" in r.out and b"shell: allowed-tools" in r.out
    assert b"3 of 4" in r.err
    # What is written for hosts is ours: theirs is a folder already.
    assert work.admin("skill", "export", mine.parent / "out").rc == 0
    assert sorted(os.listdir(mine.parent / "out")) == ALL


def test_doctor_says_what_was_left_out_and_why(work, mine):
    def lines(**kw):
        return [c for c in work.run("doctor", **kw).json["data"]["checks"]
                if c["check"] == "skills_dir"]
    assert [(c["ok"], c["message"]) for c in lines()] == [
        (True, "1 skill of the operator's can be loaded")]
    spoil(mine)
    r = work.run("doctor")
    assert r.rc != 0 and r.code == "config"
    bad = {c["message"] for c in lines() if not c["ok"]}
    assert len(bad) == 3 and any("bash is not an operation" in m for m in bad)
    # Names of folders are the operator's to see, as paths are.
    assert "shell" not in json.dumps(lines())
    seen = json.loads(work.admin("doctor").out)["data"]["checks"]
    assert {c.get("detail") for c in seen if c["check"] == "skills_dir" and not c["ok"]} == {
        "shell", "open", "odd?[31m"}
    work.setting("skills_dir", "none")
    assert lines() == []


def test_without_a_key_or_its_folder_the_catalogue_is_ours(work, mine):
    def names(r):
        return [s["name"] for s in json.loads(r.out)["skills"]]
    bare = work.run("skill", "list", "--json", env={"EMCLI_KEY": None})
    assert names(bare) == ALL and bare.err == b""
    mine.chmod(0o777)
    r = work.admin("skill", "list", "--json")
    assert r.rc == 0 and names(r) == ALL and b"chmod go-w" in r.err
    mine.chmod(0o755)
    assert names(work.admin("skill", "list", "--json")) == [*ALL, "invoices"]
    work.setting("skills_dir", "none")
    assert work.admin("skill", "validate").rc == 2


def test_what_is_said_beside_a_reply_drives_no_terminal(work, tmp_path):
    """The path of the database comes with the reason why it cannot be read."""
    odd = tmp_path / "odd\x1b[31m"
    odd.mkdir()
    r = work.admin("skill", "list", env={"EMCLI_DB": str(odd)})
    assert r.rc == 0 and b"are missing here" in r.err
    assert b"odd?[31m)" in r.err and b"\x1b" not in r.err, r.err


def test_over_mcp_and_through_the_pipes(work, mine):
    h = Host(work, revision=LEGACY[1])
    assert "list" not in {t["name"] for t in h.tools()}
    h.data("load_skill", skill="invoices")
    assert {"list", "search"} <= {t["name"] for t in h.tools()}
    assert "get" not in {t["name"] for t in h.tools()}
    assert h.end() == (0, b"")
    h = Host(work, revision=MODERN)
    got = {s["frontmatter"]["name"]: s for s in h.ask("skills/list")["result"]["skills"]}
    assert got["invoices"]["frontmatter"]["allowed-tools"] == "list search"
    for r in got["invoices"]["resources"]:
        text = h.ask("resources/read", uri=r["uri"])["result"]["contents"][0]["text"]
        assert r["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert h.end() == (0, b"")
    loop = Loop(work, "openai").user()
    assert loop.do("load_skill", {"skill": "invoices"})["error"] is False
    names = loop.names()
    assert "list" in names and "get" not in names
    assert loop.do("list", {"folder": "INBOX"}, call="c2")["error"] is False
